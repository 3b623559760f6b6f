/**
 * Retries: full jitter, the endpoint's own `retry-after`, never beyond the grade's deadline; and fewer requests at once
 * for an endpoint that says "too many".
 */
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { type HttpError, type JudgeReply, httpOf } from "./client.ts";
import { isRefusal } from "./errors.ts";
import { JudgeError, type JudgeRequest } from "../judge.ts";
import { unlessAborted } from "../../network/connections.ts";
import { LONGEST_TIMEOUT_MS, asSentence } from "../../text/format.ts";

/** Milliseconds: the upper bound of the wait doubles with each attempt, and the wait is random below it (full jitter). */
const FIRST_WAIT_MS = 250;
/** Milliseconds: the longest of these upper bounds. */
const LONGEST_WAIT_MS = 20_000;
/** Milliseconds from which a wait that the endpoint asks for is no limit of a minute. */
const QUOTA_WAIT_MS = 60_000;

/** What to do about a failed attempt: nothing more, or another one, after a wait that the endpoint asked for. */
interface Retry {
  /** `unreadable`: the reply was there, but could not be read; `quota`: a limit, perhaps of one model, is used up. */
  readonly kind: "no" | "transient" | "rate-limit" | "unreadable" | "quota";
  readonly afterMs?: number | undefined;
}

/** Attempts at one request that fails, by the kind of the last failure. */
const MOST: Readonly<Record<Retry["kind"], number>> = {
  no: 1,
  quota: 1,
  transient: 6,
  // It goes on until the deadline.
  "rate-limit": 100,
  // The first may have been truncated in transit.
  unreadable: 2,
};

/** A failed attempt: the judge error, and what to do about it. */
export class FailedAttempt extends Error {
  readonly error: JudgeError;
  readonly retry: Retry;
  /** Attempts that were made, this one included. */
  attempts = 1;

  constructor(error: JudgeError, retry: Retry) {
    super(error.message, { cause: error });
    this.error = error;
    this.retry = retry;
  }
}

interface RetryOptions extends Pick<JudgeRequest, "deadline" | "onReply"> {
  readonly signal: AbortSignal;
  /** From 0 to 1: the share of the longest wait; `Math.random` without it. */
  readonly chance?: (() => number) | undefined;
}

/**
 * Runs `attempt` until it succeeds, throws anything other than a FailedAttempt, or runs out of attempts; then throws the
 * last error. It does not start a wait that would end after `deadline` (in terms of `performance.now()`). `onReply` is
 * called after each failed attempt.
 */
export async function withRetries<T>(
  attempt: (isFirst: boolean) => Promise<T>,
  { signal, deadline = Infinity, onReply, chance = Math.random }: RetryOptions,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(attempts === 1);
    } catch (error) {
      if (!(error instanceof FailedAttempt)) throw error;
      error.attempts = attempts;
      const { kind, afterMs = 0 } = error.retry;
      if (MOST[kind] === 1) throw error;
      onReply?.();
      const jittered = chance() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
      // Honour `Retry-After: 0` only for the first attempts.
      const wait =
        attempts < MOST.transient ? (error.retry.afterMs ?? jittered) : Math.max(afterMs, jittered);
      if (kind === "rate-limit" && afterMs >= QUOTA_WAIT_MS && performance.now() + afterMs >= deadline)
        throw new FailedAttempt(asQuota(error.error, afterMs), error.retry);
      if (attempts >= MOST[kind] || performance.now() + wait >= deadline) throw error;
      await sleep(Math.min(wait, LONGEST_TIMEOUT_MS), undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }
}

/** A rate limit whose wait is longer than the grade: it is of the day or the month. */
function asQuota({ said, cause }: JudgeError, afterMs: number): JudgeError {
  const minutes = Math.ceil(afterMs / 60_000);
  const wait = minutes < 120 ? `${String(minutes)} min` : `${String(Math.round(minutes / 60))} h`;
  const message = asSentence(`The judge's endpoint asks to wait ${wait}: ${said ?? ""}`);
  const help =
    "A quota seems to be used up: look at the account's limits, or raise `timeout` if the wait is short.";
  return new JudgeError("quota", message, { help, said, cause });
}

/** Statuses after which the same request may work: a timeout, a conflict, too early, Groq's "capacity exceeded". */
const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 425, 498]);

/** The one decision about a retry. The endpoint's own `x-should-retry` overrides ours. */
export function retryOf(error: JudgeError, received: JudgeReply | undefined): Retry {
  const http = httpOf(error);
  const headers = http?.headers ?? received?.headers;
  const advice = headers?.get("x-should-retry");
  if (advice === "false") return { kind: "no" };
  const kind = retryKind(error, http, received?.text);
  const inBody = http?.status === 429 ? retryInBody(JSON.stringify(http.error ?? "")) : undefined;
  return {
    kind: kind === "no" && advice === "true" ? "transient" : kind,
    afterMs: headers && (retryAfter(headers) ?? inBody),
  };
}

function retryKind(error: JudgeError, http: HttpError | undefined, reply: string | undefined): Retry["kind"] {
  // A web page answers in the judge's place, as a gateway's does while the judge is away.
  const isPage = reply?.trimStart().startsWith("<");
  if (error.class === "rate-limit") return "rate-limit";
  if (error.class === "quota" && http?.status === 429 && http.code !== "insufficient_quota") return "quota";
  if (error.class === "invalid-reply" && (http || reply !== undefined))
    return isPage ? "transient" : "unreadable";
  if (error.class === "network") return "transient";
  if (http === undefined) return error.class === "server" ? "transient" : "no";
  const isFault = http.status >= 500 && error.class === "server" && !isRefusal(error);
  return TEMPORARY.has(http.status) || isFault ? "transient" : "no";
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

export type ConcurrencyLimiter = ReturnType<typeof concurrencyLimiter>;

/** Factor at each 429, and increment at each other reply (additive increase, multiplicative decrease). */
const DECREASE = 0.8;

const INCREASE = 0.5;

/**
 * A limiter between one and `most` concurrent requests. With these two constants an endpoint that accepts C requests at
 * once is sent little more than C, and random 429s (one in twenty) hardly slow it down.
 */
export function concurrencyLimiter(most: number) {
  const limit = pLimit(most);
  let allowed = most;
  const allow = (requests: number) => {
    allowed = Math.min(most, Math.max(1, requests));
    limit.concurrency = Math.floor(allowed);
  };
  return {
    /** Sends once there is a free slot. Throws the signal's reason if that is aborted first. */
    run: <T>(send: () => Promise<T>, signal: AbortSignal) => {
      const sent = limit(async () => {
        signal.throwIfAborted();
        return await send();
      });
      return unlessAborted(sent, signal);
    },
    /** Reports a reply other than 429. */
    succeeded: () => {
      allow(allowed + INCREASE);
    },
    /** Reports that the endpoint was sent too much at once. */
    overloaded: () => {
      allow(allowed * DECREASE);
    },
  };
}
