/** The estimate of a run. */

/** A model's name at its endpoint, and that endpoint: its price depends on both. */
export interface Priced {
  readonly model: string;
  readonly baseUrl: string;
}

/** The estimated requests, tokens and cost of a run; ranges from low to high. */
export interface Estimate {
  readonly grades: number;
  /** Grades with a recorded verdict, which need no request. */
  readonly recorded: number;
  /** Usual and maximum, as for tokens and dollars. */
  readonly requests: readonly [number, number];
  readonly tokens: readonly [number, number];
  /** US dollars; absent when the price of a model is not known. */
  readonly cost?: readonly [number, number] | undefined;
  /** Models whose price is not known. */
  readonly unpriced: readonly Priced[];
  /** The caps that the estimate exceeds: `usual` when the usual figure does, else only the maximum. */
  readonly beyond: readonly { readonly cap: string; readonly usual: boolean }[];
}
