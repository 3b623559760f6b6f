/** How many requests an endpoint is sent at once: fewer when it says "too many", more again when it does not. */
import pLimit from "p-limit";

/** Kept of the pace at each 429, and added for each reply that is none (additive increase, multiplicative decrease). */
const DECREASE = 0.8;
const INCREASE = 0.5;

export interface Pace {
  /** Sends when there is room for it. Throws the signal's reason when that comes first. */
  readonly run: <T>(send: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** A reply came that was no 429. */
  readonly ok: () => void;
  /** The endpoint said that there were too many. */
  readonly tooMany: () => void;
  /** Sets how many it is sent at once. */
  readonly allow: (requests: number) => void;
}

/**
 * Makes the pace of one endpoint, of at most `most` requests at once and never fewer than one. With these two numbers
 * an endpoint that takes C at once is sent little more than C, and 429s at random (one in twenty) cost no pace to speak of.
 */
export function pace(most: number): Pace {
  const limit = pLimit(most);
  let allowed = most;
  const allow = (requests: number) => {
    allowed = Math.min(most, Math.max(1, requests));
    limit.concurrency = Math.floor(allowed);
  };
  return {
    run: (send, signal) =>
      new Promise((resolve, reject) => {
        const give = () => {
          reject(signal.reason as Error);
        };
        if (signal.aborted) give();
        signal.addEventListener("abort", give, { once: true });
        void limit(async () => {
          signal.removeEventListener("abort", give);
          if (!signal.aborted) await send().then(resolve, reject);
        });
      }),
    ok: () => {
      allow(allowed + INCREASE);
    },
    tooMany: () => {
      allow(allowed * DECREASE);
    },
    allow,
  };
}
