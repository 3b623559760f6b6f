/** Spending caps of a run: each request reserves its maximum cost before it is sent. */
import { formatDollars, formatNumber } from "../../text/format.ts";
import { once } from "../../text/once.ts";
import { JudgeError } from "../judge.ts";

export interface Caps {
  /** HTTP requests to judges. */
  readonly calls?: number | undefined;
  /** US dollars. */
  readonly cost?: number | undefined;
}

/** A cap is reached: the grade is skipped, not failed. */
export class CapReached extends Error {
  /** The input that sets the cap. */
  readonly cap: string;

  constructor(cap: string, value: string, reason = "") {
    super(`The limit \`${cap}: ${value}\` was reached${reason}`);
    this.cap = cap;
  }

  /** The error of a grade that had already started. */
  toJudgeError(): JudgeError {
    const help = `Raise \`${this.cap}\`, or remove it.`;
    return new JudgeError("cap-reached", `The judge did not finish. ${this.message}.`, { help });
  }
}

export interface Budget {
  /** Whether there is a cost cap, so that replies need a token limit. */
  readonly limitsReplies: boolean;
  /**
   * Reserves a request of at most `most` US dollars; waits for other requests if only their reservations are in the way.
   * Resolves with a function that settles it at its real cost; throws CapReached if it could exceed a cap even so.
   */
  readonly reserve: (most: number, signal?: AbortSignal) => Promise<(used: number) => void>;
}

interface Spent {
  readonly calls: number;
  readonly cost: number;
}

/** Makes the budget of a run. Reservations count as spent until they are settled, so that concurrent grades never overspend. */
export function budget(caps: Caps): Budget {
  const settled = { calls: 0, cost: 0 };
  let reserved = 0;
  const waiting: (() => void)[] = [];
  // The first error of each cap, so that all grades it skips report the same one.
  const reached = new Map<string, CapReached>();
  const firstOf = (error: CapReached) => once(reached, error.cap, () => error);
  let open = 0;
  return {
    limitsReplies: caps.cost !== undefined,
    reserve: async (most, signal) => {
      for (;;) {
        const never = overCap(caps, settled, most);
        if (never) throw firstOf(never);
        const now = overCap(caps, { calls: settled.calls, cost: settled.cost + reserved }, most);
        if (!now) break;
        if (open === 0) throw firstOf(now);
        await settledOr(signal, waiting);
        // Timed out while waiting for budget, not for the judge.
        if (signal?.aborted) throw firstOf(now);
      }
      settled.calls += 1;
      reserved += most;
      open += 1;
      return (used) => {
        open -= 1;
        reserved -= most;
        settled.cost += used;
        for (const go of waiting.splice(0)) go();
      };
    },
  };
}

function overCap({ calls, cost }: Caps, spent: Spent, most: number): CapReached | undefined {
  if (calls !== undefined && spent.calls + 1 > calls)
    return new CapReached("max-judge-calls", formatNumber(calls));
  if (cost !== undefined && spent.cost + most > cost) {
    const reason = ` (${formatDollars(spent.cost)} spent, and the next request may cost ${formatDollars(most)})`;
    return new CapReached("max-cost-usd", String(cost), reason);
  }
  return undefined;
}

/** Resolves when another request is settled, or the signal is aborted. */
function settledOr(signal: AbortSignal | undefined, waiting: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    signal?.addEventListener(
      "abort",
      () => {
        resolve();
      },
      { once: true },
    );
  });
}
