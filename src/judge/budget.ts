/** Caps on what a run may spend: checked before each request, which reserves the most it can cost. */
import { formatNumber } from "../format.ts";

export interface Caps {
  /** HTTP requests to judges. */
  readonly calls?: number;
  /** Input and output tokens. */
  readonly tokens?: number;
  /** US dollars. */
  readonly cost?: number;
}

/** What one request may use at most, and then has used. */
export interface Use {
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** A cap is reached: the grade is skipped, which is nobody's failure. */
export class CapReached extends Error {
  /** The input that holds the cap. */
  readonly cap: string;

  constructor(cap: string, limit: string) {
    super(`\`${cap}\` reached (${limit})`);
    this.cap = cap;
  }
}

export interface Budget {
  /** True when tokens or dollars are counted, so that a reply has to be limited. */
  readonly limitsReplies: boolean;
  /** Reserves a request. Returns what settles it with its real use; throws CapReached when it could go over a cap. */
  readonly reserve: (most: Use) => (used: Use) => void;
}

/** Makes the budget of a run. What is reserved counts as spent until it is settled, so that two grades never overspend. */
export function budget({ calls, tokens, cost }: Caps): Budget {
  const spent = { calls: 0, tokens: 0, cost: 0 };
  return {
    limitsReplies: tokens !== undefined || cost !== undefined,
    reserve: (most) => {
      if (calls !== undefined && spent.calls + 1 > calls)
        throw new CapReached("max-judge-calls", formatNumber(calls));
      if (tokens !== undefined && spent.tokens + most.tokens > tokens)
        throw new CapReached("max-judge-tokens", formatNumber(tokens));
      if (cost !== undefined && spent.cost + most.cost > cost)
        throw new CapReached("max-cost-usd", `$${String(cost)}`);
      spent.calls += 1;
      spent.tokens += most.tokens;
      spent.cost += most.cost;
      let settled = false;
      return (used) => {
        if (settled) return;
        settled = true;
        spent.tokens += used.tokens - most.tokens;
        spent.cost += used.cost - most.cost;
      };
    },
  };
}
