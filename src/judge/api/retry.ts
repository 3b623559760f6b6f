/** Retries: full jitter, the endpoint's own `retry-after`, never beyond the grade's deadline. */
import { setTimeout as sleep } from "node:timers/promises";
import { LONGEST_TIMEOUT_MS } from "../../text/duration.ts";
import type { JudgeError } from "../judge.ts";

/** Attempts at one request that fails temporarily; rate limits are retried until the deadline. */
const ATTEMPTS = 6;
const ATTEMPTS_AT_LIMIT = 100;
/** Milliseconds: the upper bound of the wait doubles with each attempt, and the wait is random below it (full jitter). */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 20_000;
/** Attempts for replies that cannot be read: the first may have been truncated in transit. */
const UNREADABLE_ATTEMPTS = 2;

/** A failed attempt that can be retried. */
export class Retryable extends Error {
  readonly error: JudgeError;
  /** The wait requested by the endpoint, in milliseconds. */
  readonly afterMs: number | undefined;

  constructor(error: JudgeError, afterMs?: number) {
    super(error.message, { cause: error });
    this.error = error;
    this.afterMs = afterMs;
  }
}

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly deadline: number;
  /** Called after each failed attempt. */
  readonly onReply?: (() => void) | undefined;
}

/**
 * Runs `attempt` until it succeeds, throws anything other than Retryable, or runs out of attempts; then throws the last
 * error. It does not start a wait that would end after `deadline` (in terms of `performance.now()`).
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { signal, deadline, onReply }: RetryOptions,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Retryable)) throw error;
      onReply?.();
      const own = Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
      // Honour `Retry-After: 0` only for the first attempts.
      const wait = attempts < ATTEMPTS ? (error.afterMs ?? own) : Math.max(error.afterMs ?? 0, own);
      if (attempts >= attemptsFor(error.error) || performance.now() + wait >= deadline) throw error.error;
      await sleep(Math.min(wait, LONGEST_TIMEOUT_MS), undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }
}

function attemptsFor(error: JudgeError): number {
  if (error.class === "rate-limit") return ATTEMPTS_AT_LIMIT;
  return error.class === "invalid-reply" ? UNREADABLE_ATTEMPTS : ATTEMPTS;
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

/** Milliseconds to wait by an error's body: Google's `retryDelay`, or "retry in 1.07s". */
export function retryInBody(body: string): number | undefined {
  const [, wait, unit] =
    /(?:"retryDelay":\s*"|\b(?:retry|try again) in )(\d{1,6}(?:\.\d{1,9})?)(ms|s(?:ec(?:ond)?s?)?)\b/i.exec(
      body,
    ) ?? [];
  return wait === undefined ? undefined : Number(wait) * (unit?.toLowerCase() === "ms" ? 1 : 1_000);
}

/**
 * Whether a rate limit is used up, by the headers that OpenAI documents (`x-ratelimit-remaining-requests: 0`). Its
 * `x-ratelimit-reset-requests` is the time until the limit is fully restored, not until the next request is accepted.
 */
export function isUsedUp(headers: Headers): boolean {
  return ["requests", "tokens"].some((kind) => headers.get(`x-ratelimit-remaining-${kind}`) === "0");
}
