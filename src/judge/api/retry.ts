/**
 * Retries: full jitter, the endpoint's own `retry-after`, never beyond the grade's deadline; and fewer requests at once
 * for an endpoint that says "too many".
 */
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { isHttpError } from "./client.ts";
import { httpError, type ErrorOptions } from "./errors.ts";
import { isRefusal } from "./request-profile.ts";
import { JudgeError } from "../judge.ts";
import {
  FIRST_WAIT_MS,
  LONGEST_WAIT_MS,
  MOST_ATTEMPTS,
  MOST_RATE_LIMITED_ATTEMPTS,
  MOST_UNREADABLE_ATTEMPTS,
} from "../limits.ts";
import { LONGEST_TIMEOUT_MS } from "../../text/limits.ts";

interface RetryOptions {
  readonly signal: AbortSignal;
  readonly deadline: number;
  /** Called after each failed attempt. */
  readonly onReply?: (() => void) | undefined;
  /** From 0 to 1: the share of the longest wait; `Math.random` without it. */
  readonly chance?: (() => number) | undefined;
}

/**
 * Runs `attempt` until it succeeds, throws anything other than Retryable, or runs out of attempts; then throws the last
 * error. It does not start a wait that would end after `deadline` (in terms of `performance.now()`).
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { signal, deadline, onReply, chance = Math.random }: RetryOptions,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Retryable)) throw error;
      onReply?.();
      const own = chance() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
      // Honour `Retry-After: 0` only for the first attempts.
      const wait = attempts < MOST_ATTEMPTS ? (error.afterMs ?? own) : Math.max(error.afterMs ?? 0, own);
      if (attempts >= attemptsFor(error) || performance.now() + wait >= deadline) throw error.error;
      await sleep(Math.min(wait, LONGEST_TIMEOUT_MS), undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }
}

function attemptsFor({ error, isPage }: Retryable): number {
  if (error.class === "rate-limit") return MOST_RATE_LIMITED_ATTEMPTS;
  return error.class === "invalid-reply" && !isPage ? MOST_UNREADABLE_ATTEMPTS : MOST_ATTEMPTS;
}

/** A failed attempt that can be retried. */
export class Retryable extends Error {
  readonly error: JudgeError;
  /** The wait requested by the endpoint, in milliseconds. */
  readonly afterMs: number | undefined;
  /** A web page answered in the judge's place, as a gateway's does while the judge is away. */
  readonly isPage: boolean;

  constructor(error: JudgeError, afterMs?: number, isPage = false) {
    super(error.message, { cause: error });
    this.error = error;
    this.afterMs = afterMs;
    this.isPage = isPage;
  }
}

interface RetryableOptions extends ErrorOptions {
  readonly limiter: ConcurrencyLimiter;
}

/** The error, as Retryable if it may be temporary. */
export function retryable(error: unknown, { model, endpoint, limiter, redact }: RetryableOptions): unknown {
  if (error instanceof JudgeError && error.class === "network") return new Retryable(error);
  if (!isHttpError(error)) return error;
  const { status, headers } = error;
  const judgeError = httpError(error, { model, redact, endpoint });
  if (judgeError.class === "rate-limit") limiter.overloaded();
  const advice = headers.get("x-should-retry");
  const isTemporary =
    [408, 409].includes(status) || ["rate-limit", "invalid-reply"].includes(judgeError.class);
  const isFault = status >= 500 && judgeError.class === "server" && !isRefusal(error, judgeError);
  if (advice !== "true" && (advice === "false" || !(isTemporary || isFault))) return error;
  const inBody = status === 429 ? retryInBody(JSON.stringify(error.error ?? "")) : undefined;
  return new Retryable(judgeError, retryAfter(headers) ?? inBody);
}

/** Milliseconds to wait by an error's body: Google's `retryDelay`, or "retry in 1.07s". */
function retryInBody(body: string): number | undefined {
  const [, wait, unit] =
    /(?:"retryDelay":\s*"|\b(?:retry|try again) in )(\d{1,6}(?:\.\d{1,9})?)(ms|s(?:ec(?:ond)?s?)?)\b/i.exec(
      body,
    ) ?? [];
  return wait === undefined ? undefined : Number(wait) * (unit?.toLowerCase() === "ms" ? 1 : 1_000);
}

/**
 * Milliseconds to wait by a reply's headers: `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110,
 * 10.2.3), or the provider's header as LiteLLM passes it on.
 */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const milliseconds = headers.get("retry-after-ms") ?? "";
  if (/^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  const value = headers.get("retry-after") ?? headers.get("llm_provider-retry-after");
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/* Concurrency limit of one endpoint: lowered by "too many requests", raised again by other replies. */

export interface ConcurrencyLimiter {
  /** Sends once there is a free slot. Throws the signal's reason if that is aborted first. */
  readonly run: <T>(send: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Reports a reply other than 429. */
  readonly succeeded: () => void;
  /** Reports that the endpoint was sent too much at once. */
  readonly overloaded: () => void;
}

/** Factor at each 429, and increment at each other reply (additive increase, multiplicative decrease). */
const DECREASE = 0.8;

const INCREASE = 0.5;

/**
 * A limiter between one and `most` concurrent requests. With these two constants an endpoint that accepts C requests at
 * once is sent little more than C, and random 429s (one in twenty) hardly slow it down.
 */
export function concurrencyLimiter(most: number): ConcurrencyLimiter {
  const limit = pLimit(most);
  let allowed = most;
  const allow = (requests: number) => {
    allowed = Math.min(most, Math.max(1, requests));
    limit.concurrency = Math.floor(allowed);
  };
  return {
    run: (send, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => {
          reject(signal.reason as Error);
        };
        if (signal.aborted) abort();
        signal.addEventListener("abort", abort, { once: true });
        void limit(async () => {
          signal.removeEventListener("abort", abort);
          if (!signal.aborted) await send().then(resolve, reject);
        });
      }),
    succeeded: () => {
      allow(allowed + INCREASE);
    },
    overloaded: () => {
      allow(allowed * DECREASE);
    },
  };
}

/**
 * Whether a rate limit is used up, by the headers that OpenAI documents (`x-ratelimit-remaining-requests: 0`). Its
 * `x-ratelimit-reset-requests` is the time until the limit is fully restored, not until the next request is accepted.
 */
export function isUsedUp(headers: Headers): boolean {
  return ["requests", "tokens"].some((kind) => headers.get(`x-ratelimit-remaining-${kind}`) === "0");
}
