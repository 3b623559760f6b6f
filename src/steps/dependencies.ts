/** Dependencies injected into the pipeline. */
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

/** Creates the publishers in their order; `documents` are the results as read, redacted; `mayWrite` is false for refused files. */
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
  /** Lists the files that the pull request changes, below a repository root. */
  readonly changes: (root: string) => Promise<Changes>;
  /** Redacts everything published, and counts the redacted texts. */
  readonly redact: Redactor;
  /** Finds a recorded verdict, for a dry run; absent without records. */
  readonly recordOf: EstimateOptions["recordOf"];
  readonly publishers: MakePublishers;
  /** The log redacts its lines itself. */
  readonly log: Log;
  readonly cancelled: AbortSignal;
}
