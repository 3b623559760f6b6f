/** Caps on what a run may spend: checked before each request, which reserves the most it can cost. */
import { formatDollars, formatNumber } from "../../text/format.ts";
import { JudgeError } from "../judge.ts";

export interface Caps {
  /** HTTP requests to judges. */
  readonly calls?: number | undefined;
  /** US dollars. */
  readonly cost?: number | undefined;
}

/** A cap is reached: the grade is skipped, which is nobody's failure. */
export class CapReached extends Error {
  /** The input that holds the cap. */
  readonly cap: string;

  constructor(cap: string, said: string) {
    super(`\`${cap}\` reached (${said})`);
    this.cap = cap;
  }

  /** The error of a grade that was begun, and not asked on. */
  toJudgeError(): JudgeError {
    const help = `Raise \`${this.cap}\`, or remove it.`;
    return new JudgeError("cap-reached", `The judge was not asked on: ${this.message}.`, { help });
  }
}

export interface Budget {
  /** True when dollars are counted, so that a reply has to be limited. */
  readonly limitsReplies: boolean;
  /**
   * Reserves a request of at most `most` US dollars, and waits for others to be settled where only what they have
   * reserved is in the way. Resolves with what settles it by its real cost; throws CapReached when it could go over a
   * cap whatever the others use.
   */
  readonly reserve: (most: number, signal?: AbortSignal) => Promise<(used: number) => void>;
}

interface Spent {
  readonly calls: number;
  readonly cost: number;
}

/** Makes the budget of a run. What is reserved counts as spent until it is settled, so that two grades never overspend. */
export function budget(caps: Caps): Budget {
  const settled = { calls: 0, cost: 0 };
  let reserved = 0;
  const waiting: (() => void)[] = [];
  // Said once for each cap, so that all grades it skips say the same.
  const told = new Map<string, CapReached>();
  const tell = (reached: CapReached) => {
    const first = told.get(reached.cap) ?? reached;
    told.set(reached.cap, first);
    return first;
  };
  let open = 0;
  return {
    limitsReplies: caps.cost !== undefined,
    reserve: async (most, signal) => {
      for (;;) {
        const never = overCap(caps, settled, most);
        if (never) throw tell(never);
        const now = overCap(caps, { calls: settled.calls, cost: settled.cost + reserved }, most);
        if (!now) break;
        if (open === 0) throw tell(now);
        await settledOr(signal, waiting);
        // Whoever ran out of time here waited for room, and for no judge.
        if (signal?.aborted) throw tell(now);
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
    const said = `$${String(cost)}: ${formatDollars(spent.cost)} spent, and the next request may cost ${formatDollars(most)}`;
    return new CapReached("max-cost-usd", said);
  }
  return undefined;
}

/** Resolves when another request is settled, or when the signal is aborted. */
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
