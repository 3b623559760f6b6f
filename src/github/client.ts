/** GitHub's client: its time limits, retries, and errors. */
import type { getOctokit } from "@actions/github";
import { type RetryPlugin, retry } from "@octokit/plugin-retry";
import { setTimeout as pause } from "node:timers/promises";
import { type RequestInit, fetch } from "undici";
import { connectionsTo, unlessAborted } from "../network/connections.ts";

/** Tries after the first, for 5xx, broken connections and rate limits. */
const MOST_RETRIES = 3;
/** Seconds to wait before looking for a write's result. */
const LOOK_AFTER_SECONDS = 2;
/** Maximum open connections. */
const MOST_CONNECTIONS = 10;

export interface ClientOptions {
  readonly token: string;
  readonly baseUrl: string;
  /** Aborted when the workflow is cancelled; nothing is retried then. */
  readonly cancelled: AbortSignal;
  readonly limits?: Partial<ClientLimits> | undefined;
}

/** Time limits in milliseconds; tests shorten them. */
export interface ClientLimits {
  /** For all requests together, from the client's creation: by default publishing ends within a minute of the last grade. */
  readonly together: number;
  /** For the remaining requests after a cancellation: the runner waits 7.5 s before it sends SIGTERM. */
  readonly grace: number;
  /** For one request; GitHub normally answers within seconds. */
  readonly request: number;
  /** Length of a second in GitHub's wait times. */
  readonly second: number;
}

const LIMITS: ClientLimits = { together: 50_000, grace: 3_500, request: 20_000, second: 1_000 };
/** Options that turn the retry plugin off for one request. */
const ONCE = { request: { retries: 0 } };

export type Client = ReturnType<typeof githubClient>;

/*
 * GitHub's client: @actions/github with octokit's plugin for retries. Without the plugin for throttling, which delays
 * each write by a second and each comment by three, and no option changes that; a run makes a handful of writes.
 */

export type Octokit = ReturnType<typeof getOctokit>;

/** Creates the client of a run; its time limit starts now. Errors are octokit's, with the HTTP `status`, or say that the time is over. */
export function githubClient(options: ClientOptions) {
  const limits = { ...LIMITS, ...options.limits };
  const { cancelled } = options;
  const time = startTime(limits, cancelled);
  let client: Promise<Octokit> | undefined;
  const load = async () => {
    time.signal.throwIfAborted();
    client ??= makeOctokit(options, limits, time);
    return await unlessAborted(client, time.signal);
  };
  /** For reads and repeatable writes: transient errors are retried. */
  const send = async <T>(work: (octokit: Octokit) => Promise<T>): Promise<T> => {
    const octokit = await load();
    return await unlessAborted(work(octokit).catch(asOddAnswer), time.signal);
  };
  /**
   * For writes that must happen only once. When an answer leaves open whether GitHub carried the write out, the result is
   * looked for before writing again; after a timeout nothing is written again, since GitHub may still carry it out.
   */
  const once = async <T>(
    write: (octokit: Octokit, options: typeof ONCE) => Promise<T>,
    find: (octokit: Octokit) => Promise<T | undefined>,
  ): Promise<T> => {
    await load();
    for (let tried = 0; ; tried += 1) {
      try {
        return await send((octokit) => write(octokit, ONCE));
      } catch (error) {
        if (isRefusedByGithub(error) || cancelled.aborted) throw error;
        await unlessAborted(pause(LOOK_AFTER_SECONDS * limits.second, undefined, time), time.signal);
        const found = await send(find).catch(() => {
          throw error;
        });
        if (found !== undefined) return found;
        if (isUnanswered(error) || tried === MOST_RETRIES) throw error;
      }
    }
  };
  return { send, once };
}

type Time = ReturnType<typeof startTime>;

/** The time limit of all requests. */
function startTime({ together, grace }: ClientLimits, cancelled: AbortSignal) {
  const controller = new AbortController();
  const { signal } = controller;
  let end = Infinity;
  const endAfter = (milliseconds: number, reason: string) => {
    end = Math.min(end, performance.now() + milliseconds);
    setTimeout(() => {
      controller.abort(new Error(reason));
    }, milliseconds).unref();
  };
  const hurry = () => {
    endAfter(grace, "the workflow was cancelled, and there was no time left");
  };
  endAfter(together, `GitHub took longer than ${String(together / 1_000)} s`);
  if (cancelled.aborted) hurry();
  else cancelled.addEventListener("abort", hurry, { once: true });
  return {
    /** Aborted when it is over. */
    signal,
    /** Milliseconds left. */
    left: () => end - performance.now(),
  };
}

/** A request timed out; GitHub may still carry it out. */
class NoAnswer extends Error {}

async function makeOctokit(
  { token, baseUrl, cancelled }: ClientOptions,
  { request: longest, second }: ClientLimits,
  time: Time,
): Promise<Octokit> {
  const { getOctokit: make } = await import("@actions/github");
  const dispatcher = connectionsTo(new URL(baseUrl).origin, MOST_CONNECTIONS);
  // Loaded before the retry plugin, to see every attempt.
  const bounded = (plugged: object) => {
    const octokit = plugged as Octokit & RetryPlugin;
    octokit.hook.before("request", ({ request }) => {
      const unanswered = new AbortController();
      setTimeout(() => {
        unanswered.abort(new NoAnswer(`GitHub did not answer within ${String(longest / 1_000)} s`));
      }, longest).unref();
      request.signal = AbortSignal.any([unanswered.signal, time.signal]);
    });
    octokit.hook.error("request", (error, { request }) => {
      const limited = limitedFor(error);
      if (cancelled.aborted || time.signal.aborted) request.retries = 0;
      else if (limited !== undefined && limited * second < time.left())
        throw octokit.retry.retryRequest(error as never, MOST_RETRIES, limited);
      throw error;
    });
    return {};
  };
  const options = {
    baseUrl,
    userAgent: "waza-grade",
    request: { fetch: (url: string, init: RequestInit) => fetch(url, { ...init, dispatcher }) },
    // Silences octokit's own log; the publishers report failures.
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    retry: {
      retries: MOST_RETRIES,
      retryAfterBaseValue: second,
      doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
    },
  };
  return make(token, options, bounded, retry);
}

/**
 * Seconds until GitHub accepts requests again after a rate limit; undefined for other errors
 * (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit).
 */
function limitedFor(error: unknown): number | undefined {
  const status = statusOf(error);
  const { message, response } = error as {
    readonly message: string;
    readonly response?: { readonly headers: Readonly<Record<string, string | undefined>> } | undefined;
  };
  if (status !== 403 && status !== 429) return undefined;
  const {
    "retry-after": after,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": reset,
  } = response?.headers ?? {};
  if (after !== undefined) return Number(after);
  // One second more, since clocks differ.
  if (remaining === "0") return Math.max(0, Number(reset) - Date.now() / 1_000) + 1;
  return status === 429 || /secondary rate limit/i.test(message) ? 60 : undefined;
}

function ignore(): void {
  // Nothing.
}

/** Throws for an answer that is not as GitHub documents it: a proxy may have sent it. */
function asOddAnswer(cause: unknown): never {
  if (!(cause instanceof TypeError)) throw cause;
  throw new Error("GitHub's answer is not what its API documents; a proxy may have given it", { cause });
}

/** A client error: GitHub did nothing. */
function isRefusedByGithub(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status < 500;
}

/** The status of GitHub's answer; undefined where none came. */
export function statusOf(error: unknown): number | undefined {
  return (error as { readonly status?: number | undefined }).status;
}

/** Hears of an error: one of these statuses is none, any other is thrown. */
export function except(...statuses: readonly (number | undefined)[]): (error: unknown) => undefined {
  return (error) => {
    if (!statuses.includes(statusOf(error))) throw error;
  };
}

function isUnanswered(error: unknown): boolean {
  return (error as { cause?: unknown }).cause instanceof NoAnswer;
}
