/** Scores and counts. */
import type { ErrorClass, Grade, TokenUse } from "./grade.ts";
import type { RecordedValidation } from "./run.ts";
import type { Suite } from "./suite.ts";

/** Scores of one task of one model within a suite; undefined where nothing was graded. */
export interface TaskScore {
  readonly taskId: string;
  readonly taskName: string;
  readonly model: string;
  readonly runs: readonly RunScore[];
  /** Those of all runs, in their order. */
  readonly grades: readonly Grade[];
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
}

export interface RunScore {
  readonly number: number;
  readonly file?: string | undefined;
  readonly grades: readonly Grade[];
  readonly recorded: readonly RecordedValidation[];
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
}

export interface SuiteScore {
  readonly suite: Suite;
  readonly tasks: readonly TaskScore[];
  readonly grades: readonly Grade[];
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
}

export interface PairCounts {
  readonly all: number;
  readonly consistent: number;
}

export interface Counts {
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** What the errored grades errored with, each once. */
  readonly errorClasses: readonly ErrorClass[];
  readonly skipped: number;
  /** Of the skipped, those of missing runs: they decide by `on-missing`. */
  readonly missing: number;
  /** Failed, and the judge broke off: there may be more checks. */
  readonly incomplete: number;
  readonly checksPassed: number;
  readonly checksFailed: number;
  readonly recorded: number;
  /** Pairs that were compared, and those whose winner both orders agree on; absent where there are none. */
  readonly pairs?: PairCounts | undefined;
  readonly judgeCalls: number;
  readonly tokens: TokenUse;
  /** US dollars; absent when a request went to a model without a known price. */
  readonly cost?: number | undefined;
}

/** All scores and counts, from which the gate decides and every page is rendered. */
export interface Scores {
  readonly suites: readonly SuiteScore[];
  /** All of them, in the order of the suites, tasks and runs. */
  readonly grades: readonly Grade[];
  /** Mean of the task scores of all suites, weighted within a run; absent when nothing was graded. */
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
  readonly counts: Counts;
}
