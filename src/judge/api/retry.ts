/** Trying again: full jitter, what the endpoint itself says of when, and never beyond the grade's time. */
import { setTimeout as sleep } from "node:timers/promises";
import { LONGEST_TIMEOUT_MS } from "../../text/duration.ts";
import type { JudgeError } from "../judge.ts";

/** Attempts at one request, for faults that may pass. "Too many requests" is waited for as long as there is time. */
const ATTEMPTS = 6;
const ATTEMPTS_AT_LIMIT = 100;
/** Milliseconds: the longest wait doubles from the first to the last, and a random part of it is taken (full jitter). */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 20_000;
/** An answer that cannot be read is asked for once more, since it may have been cut off on the way. */
const UNREADABLE_ATTEMPTS = 2;

/** A failed attempt that may be made again. */
export class Retryable extends Error {
  readonly error: JudgeError;
  /** Milliseconds the endpoint asks to wait. */
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
  /** Called when an attempt has failed, and is made again or given up. */
  readonly replied?: (() => void) | undefined;
}

/**
 * Makes the attempt until it succeeds, throws what is not Retryable, or has failed too often; then throws the error
 * behind the last failure. A wait that would end after `deadline` (of `performance.now()`) is not begun.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { signal, deadline, replied }: RetryOptions,
): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Retryable)) throw error;
      replied?.();
      const own = Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (made - 1));
      // "At once" is believed some times.
      const wait = made < ATTEMPTS ? (error.afterMs ?? own) : Math.max(error.afterMs ?? 0, own);
      if (made >= attemptsFor(error.error) || performance.now() + wait >= deadline) throw error.error;
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
 * Milliseconds to wait as a reply's headers say: `retry-after-ms`, or `retry-after` in seconds or as a date
 * (RFC 9110, 10.2.3), also as LiteLLM passes on what a provider said; undefined when they do not.
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

/** Milliseconds to wait as an error's body says: Google's `retryDelay`, or "retry in 1.07s"; undefined when it does not. */
export function retryInBody(body: string): number | undefined {
  const [, wait, unit] =
    /(?:"retryDelay":\s*"|\b(?:retry|try again) in )(\d{1,6}(?:\.\d{1,9})?)(ms|s(?:ec(?:ond)?s?)?)\b/i.exec(
      body,
    ) ?? [];
  return wait === undefined ? undefined : Number(wait) * (unit?.toLowerCase() === "ms" ? 1 : 1_000);
}

/**
 * True when a limit is used up, by the headers that OpenAI documents (`x-ratelimit-remaining-requests: 0`). Its
 * `x-ratelimit-reset-requests` is the time until the limit is whole again, not until the next request is taken.
 */
export function isUsedUp(headers: Headers): boolean {
  return ["requests", "tokens"].some((kind) => headers.get(`x-ratelimit-remaining-${kind}`) === "0");
}
