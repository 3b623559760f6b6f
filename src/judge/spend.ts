/**
 * Prices of judges (pydantic/genai-prices, our table or the workflow's `prices`), and the caps of a run: each request
 * reserves its maximum cost before it is sent.
 */
import type * as GenaiPrices from "@pydantic/genai-prices";
import type { Priced } from "../domain/grade.ts";
import type { TokenUse } from "../domain/run.ts";
import { JudgeError } from "./judge.ts";
import { unlessAborted } from "../network/connections.ts";
import { formatDollars, formatNumber, once } from "../text/format.ts";
import { globMatchesModel, withoutDate } from "../text/suggest.ts";

/** A cap is reached: the grade is skipped, not failed. */
export class CapReached extends Error {
  /** The input that sets the cap. */
  readonly cap: string;

  constructor(cap: string, value: string, reason = "") {
    super(`\`${cap}: ${value}\` was reached${reason}`);
    this.cap = cap;
  }

  /** The error of a grade that had already started. */
  toJudgeError(): JudgeError {
    const help = `Raise \`${this.cap}\`, or remove it.`;
    return new JudgeError("cap-reached", `The judge did not finish: ${this.message}.`, { help });
  }
}

export interface Caps {
  /** HTTP requests to judges. */
  readonly calls?: number | undefined;
  /** US dollars. */
  readonly cost?: number | undefined;
}

export type Budget = ReturnType<typeof budget>;

/** Makes the budget of a run. Reservations count as spent until they are settled, so that concurrent grades never overspend. */
export function budget(caps: Caps) {
  const settled = { calls: 0, cost: 0 };
  let reserved = 0;
  let settling = Promise.withResolvers<undefined>();
  // The first error of each cap, so that all grades it skips report the same one.
  const reached = new Map<string, CapReached>();
  const firstOf = (error: CapReached) => once(reached, error.cap, () => error);
  let open = 0;
  return {
    /** Whether there is a cost cap, so that replies need a token limit. */
    limitsReplies: caps.cost !== undefined,
    /**
     * Reserves a request of at most `most` US dollars, to be settled at its real cost; waits for other requests if only
     * their reservations are in the way. What is left is enough where nothing else is under way, if it is at least `least`.
     * Throws CapReached otherwise.
     */
    reserve: async (
      { most, least }: { readonly most: number; readonly least: number },
      signal?: AbortSignal,
    ) => {
      for (;;) {
        const never = overCap(caps, settled, least);
        if (never) throw firstOf(never);
        const now = overCap(caps, { calls: settled.calls, cost: settled.cost + reserved }, most);
        if (!now || open === 0) break;
        await unlessAborted(settling.promise, signal).catch(() => undefined);
        // Timed out while waiting for budget, not for the judge.
        if (signal?.aborted) throw firstOf(now);
      }
      const left = (caps.cost ?? Infinity) - settled.cost - reserved;
      const dollars = Math.min(most, left);
      settled.calls += 1;
      reserved += dollars;
      open += 1;
      const settle = (used: number) => {
        open -= 1;
        reserved -= dollars;
        settled.cost += used;
        settling.resolve(undefined);
        settling = Promise.withResolvers();
      };
      return { dollars, settle };
    },
    /** Adds what something else has cost; returns all that is spent. */
    add: (dollars: number) => (settled.cost += dollars),
  };
}

function overCap(
  { calls, cost }: Caps,
  spent: { readonly calls: number; readonly cost: number },
  most: number,
): CapReached | undefined {
  if (calls !== undefined && spent.calls + 1 > calls)
    return new CapReached("max-judge-calls", formatNumber(calls));
  if (cost !== undefined && spent.cost + most > cost) {
    const reason = ` (${formatDollars(spent.cost)} spent, and the next request may cost ${formatDollars(most)})`;
    return new CapReached("max-cost-usd", String(cost), reason);
  }
  return undefined;
}

const MILLION = 1_000_000;

/** US dollars per million tokens, for the models that match a glob. */
export interface OwnPrice {
  readonly match: string;
  readonly input: number;
  readonly output: number;
  /** Cached input; the price of `input` by default. */
  readonly cached?: number | undefined;
}

/** A price that pydantic/genai-prices lacks. */
interface ListedPrice extends OwnPrice {
  readonly address: string;
  /** From this number of input tokens on, both cost five times as much. */
  readonly long?: number;
}

/**
 * Prices as reported in November 2026, not checked against the providers' own pages; genai-prices 0.1.8 lacks them. Remove
 * a row once that list has it. Cached input is counted as other input: at most that is charged.
 */
const LISTED: readonly ListedPrice[] = [
  { address: "api.openai.com", match: "gpt-6.1-terra", input: 1, output: 5 },
  { address: "api.openai.com", match: "gpt-6.1-sol", input: 2, output: 10 },
  { address: "api.anthropic.com", match: "claude-haiku-5-5", input: 0.1, output: 0.5, long: 100_000 },
];

/** Cost in US dollars; undefined, never zero, if the price is not known. */
export type Price = (priced: Priced, use: TokenUse) => Promise<number | undefined>;

/**
 * Makes the price function of a run: the workflow's own prices first, then ours, then those of the provider at the
 * endpoint's address (pydantic/genai-prices, loaded when first needed). A model at an unknown address has no price.
 */
export function prices(ofWorkflow: readonly OwnPrice[]): Price {
  let list: Promise<typeof GenaiPrices> | undefined;
  const providers = new Map<string, GenaiPrices.Provider | undefined>();
  return async ({ model, baseUrl }, use) => {
    const { hostname } = URL.parse(baseUrl) ?? {};
    const known: (OwnPrice & Pick<ListedPrice, "long">) | undefined =
      ofWorkflow.find(({ match }) => globMatchesModel(match, model)) ??
      LISTED.find(({ address, match }) => address === hostname && match === withoutDate(model));
    if (known) {
      const { input, output, cached = input, long = Infinity } = known;
      const times = use.input > long ? 5 : 1;
      const plain = use.input - use.cached;
      return (times * (plain * input + use.cached * cached + use.output * output)) / MILLION;
    }
    list ??= import("@pydantic/genai-prices");
    const { calcPrice, findProvider } = await list;
    const provider = once(providers, baseUrl, () => findProvider({ providerApiUrl: baseUrl }));
    if (!provider) return undefined;
    const usage = {
      input_tokens: use.input,
      output_tokens: use.output,
      cache_read_tokens: use.cached,
      cache_write_tokens: use.written ?? 0,
    };
    try {
      return calcPrice(usage, model, { provider })?.total_price;
    } catch {
      // It throws for impossible counts, such as more cached input than input.
      return undefined;
    }
  };
}
