/** What a run is given, of which each step takes its part. */
import type { Problem } from "../domain/location.ts";
import type { Changes } from "../github/changes.ts";
import type { RunContext } from "../github/context.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Judge } from "../judge/judge.ts";
import type { EstimateOptions } from "../judge/spend/estimate.ts";
import type { Price } from "../judge/spend/prices.ts";
import type { Log } from "../log/log.ts";
import type { Redactor } from "../report/redact.ts";
import type { Publisher } from "../report/publisher.ts";

/** Makes the publishers, in the order they publish; `documents` are the results as read, redacted; some files may not be written. */
export type MakePublishers = (
  documents: () => readonly unknown[],
  mayWrite: (file: string) => boolean,
) => readonly Publisher[];

export interface Dependencies {
  readonly inputs: Inputs;
  readonly inputProblems: readonly Problem[];
  readonly context: RunContext;
  readonly judge: Judge;
  readonly price: Price;
  /** Finds what the pull request changes in the repository at a root. */
  readonly changes: (root: string) => Promise<Changes>;
  /** Takes secrets out of everything that is published, and counts the texts that held one. */
  readonly redact: Redactor;
  /** Finds a recorded verdict, for a dry run; absent without records. */
  readonly recordOf: EstimateOptions["recordOf"];
  readonly publishers: MakePublishers;
  /** Redacts what it is told. */
  readonly log: Log;
  readonly cancelled: AbortSignal;
}
