/** Prices of judges, from pydantic/genai-prices or the workflow's own `prices`. */
import type * as GenaiPrices from "@pydantic/genai-prices";
import type { Priced } from "../../domain/estimate.ts";
import type { TokenUse } from "../../domain/grade.ts";
import { globMatchesModel } from "../../text/glob.ts";
import { once } from "../../text/once.ts";

/** US dollars per million tokens, for the models that match a glob. */
export interface OwnPrice {
  readonly match: string;
  readonly input: number;
  readonly output: number;
  /** Cached input; the price of `input` by default. */
  readonly cached?: number | undefined;
}

/** Cost in US dollars; undefined, never zero, if the price is not known. */
export type Price = (priced: Priced, use: TokenUse) => Promise<number | undefined>;

const MILLION = 1_000_000;

/**
 * Makes the price function of a run: the workflow's own prices first, then those of the provider at the endpoint's
 * address (pydantic/genai-prices, loaded when first needed). A model at an unknown address has no price.
 */
export function prices(own: readonly OwnPrice[]): Price {
  let list: Promise<typeof GenaiPrices> | undefined;
  const providers = new Map<string, GenaiPrices.Provider | undefined>();
  return async ({ model, baseUrl }, use) => {
    const ownPrice = own.find(({ match }) => globMatchesModel(match, model));
    if (ownPrice) {
      const { input, output, cached = input } = ownPrice;
      return ((use.input - use.cached) * input + use.cached * cached + use.output * output) / MILLION;
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
