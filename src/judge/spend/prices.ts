/** What a judge's tokens cost, by a kept list of prices or by the workflow's own. */
import type * as GenaiPrices from "@pydantic/genai-prices";
import type { Priced } from "../../domain/estimate.ts";
import type { TokenUse } from "../../domain/grade.ts";
import { globMatchesModel } from "../../text/glob.ts";
import { once } from "../../text/once.ts";

/** US dollars for a million tokens of input, of output and of cached input, for the models that a glob names. */
export interface OwnPrice {
  readonly match: string;
  readonly input: number;
  readonly output: number;
  /** As much as other input, unless given. */
  readonly cached?: number | undefined;
}

/** US dollars of a use; undefined when the price is not known, which is never zero. */
export type Price = (asked: Priced, use: TokenUse) => Promise<number | undefined>;

const MILLION = 1_000_000;

/**
 * Makes the price of a run: the workflow's own prices come first, then those of the provider whose address is asked
 * (pydantic/genai-prices, loaded when first needed). A model behind an address that the list does not know has none.
 */
export function prices(own: readonly OwnPrice[]): Price {
  let list: Promise<typeof GenaiPrices> | undefined;
  const providers = new Map<string, GenaiPrices.Provider | undefined>();
  return async ({ model, baseUrl }, use) => {
    const mine = own.find(({ match }) => globMatchesModel(match, model));
    if (mine) {
      const { input, output, cached = input } = mine;
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
      // The list throws for counts that cannot be, such as more cached input than input.
      return undefined;
    }
  };
}
