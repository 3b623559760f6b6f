/** Concurrency limit of one endpoint: lowered by "too many requests", raised again by other replies. */
import pLimit from "p-limit";

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
