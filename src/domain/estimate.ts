/** What a run would take. */

/** A model, as it is called where it is asked, whose price there is not known. */
export interface Unpriced {
  readonly model: string;
  readonly baseUrl: string;
}

/** What a run would take; ranges from low to high. */
export interface Estimate {
  readonly grades: number;
  /** Goldens of rubrics that would be asked before. */
  readonly cases: number;
  /** Of both, the ones whose verdicts are recorded: they need no request. */
  readonly recorded: number;
  /** What is usual, and at most; so for tokens and dollars. */
  readonly requests: readonly [number, number];
  readonly tokens: readonly [number, number];
  /** US dollars; absent when the price of a model is not known. */
  readonly cost?: readonly [number, number] | undefined;
  readonly unpriced: readonly Unpriced[];
  /** The caps that it goes beyond: by what is usual, or only by what is the most. */
  readonly beyond: readonly { readonly cap: string; readonly usual: boolean }[];
}
