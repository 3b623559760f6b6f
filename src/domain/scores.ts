/** Scores and counts. */
import type { ErrorClass, Grade, TokenUse } from "./grade.ts";
import type { Suite } from "./suite.ts";

/** Means of graded parts, by the weights of graders and without; absent where nothing was graded. */
export interface Means {
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
}

/** Scores of one task of one model within a suite. */
export interface TaskScore extends Means {
  readonly taskId: string;
  readonly model: string;
  readonly runs: readonly RunScore[];
  /** Grades of all runs, in the order of the runs. */
  readonly grades: readonly Grade[];
}

export interface RunScore extends Means {
  readonly number: number;
  readonly file?: string | undefined;
  readonly grades: readonly Grade[];
}

export interface SuiteScore extends Means {
  readonly suite: Suite;
  readonly tasks: readonly TaskScore[];
  readonly grades: readonly Grade[];
}

export interface PairCounts {
  readonly all: number;
  readonly consistent: number;
}

/** How many of a judge model's quotes were found in what it was shown. */
export interface ModelQuotes {
  readonly model: string;
  readonly all: number;
  readonly found: number;
}

export interface Counts {
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** Error classes of the errored grades, each once. */
  readonly errorClasses: readonly ErrorClass[];
  readonly skipped: number;
  /** Skipped grades of missing runs, which decide by `on-missing`. */
  readonly missing: number;
  /** Failed grades of an interrupted judge: checks may be missing. */
  readonly incomplete: number;
  readonly checksPassed: number;
  readonly checksFailed: number;
  readonly recorded: number;

  readonly quotes: readonly ModelQuotes[];
  /** Compared pairs, and those with the same winner in both orders; absent without pairs. */
  readonly pairs?: PairCounts | undefined;
  readonly judgeCalls: number;
  readonly tokens: TokenUse;
  /** US dollars; absent when a request went to a model without a known price. */
  readonly cost?: number | undefined;
}

/** All scores and counts, from which the gate decides and every page is rendered; the means are of the tasks of all suites. */
export interface Scores extends Means {
  readonly suites: readonly SuiteScore[];
  /** All grades, in the order of suites, tasks and runs. */
  readonly grades: readonly Grade[];
  readonly counts: Counts;
}
