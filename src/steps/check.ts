/** The step that checks: everything that is wrong before any judge is asked. */
import { tellOnce } from "../text/alike.ts";
import type { Problem } from "../domain/place.ts";
import type { RunContext } from "../github/context.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { preflight } from "./preflight.ts";
import type { Price } from "../judge/spend/prices.ts";
import { labelProblems } from "../labels/held-against.ts";
import { assumedNotice } from "../plan/dry-run.ts";
import { withoutCases } from "../plan/rubric-cases.ts";
import type { Plan } from "../plan/plan.ts";
import { otherPrompts, withoutPrompt } from "../plan/asked.ts";
import { redactAll } from "../report/redact.ts";
import type { Redactor } from "../report/redact.ts";
import { gradedFiles } from "../report/sinks/results-file.ts";
import type { Read } from "./read.ts";
import { isError } from "../text/problem.ts";

export interface CheckOptions {
  readonly inputs: Inputs;
  readonly inputProblems: readonly Problem[];
  readonly context: RunContext;
  readonly price: Price;
  readonly redact: Redactor;
}

export interface Checked {
  /** Everything that is wrong before any judge is asked. */
  readonly told: readonly Problem[];
  readonly unwritten: ReadonlyMap<string, Problem>;
  /** True when asking judges would be a waste. */
  readonly isBlocked: boolean;
}

/** Checks inputs, files and plan together. */
export async function check(
  read: Read,
  plan: Plan,
  { inputs, inputProblems, context, price, redact }: CheckOptions,
): Promise<Checked> {
  const { problems, unwritten } = await preflight(plan, {
    inputs,
    context,
    price,
    written: writtenBy(inputs, read),
    read: read.paths,
  });
  const mislabelled = read.labels
    ? labelProblems(read.labels, redactAll(plan.jobs, redact), inputs.policy.minAgreement)
    : [];
  const told = tellOnce([
    ...inputProblems,
    ...read.problems,
    ...plan.problems,
    ...problems,
    ...mislabelled,
    ...otherPrompts(plan.jobs),
    ...withoutPrompt(plan.jobs),
    ...(inputs.dryRun ? assumedNotice(plan.jobs) : []),
    ...(inputs.rubricGoldens ? withoutCases(plan.jobs, inputs.offline) : []),
  ]);
  const isBlocked = plan.blocked === true || [...inputProblems, ...problems, ...mislabelled].some(isError);
  return { told, unwritten, isBlocked };
}

/** The files of `output-file`, one for each results file. */
function writtenBy({ outputFile }: Inputs, { files }: Read): string[] {
  return outputFile === undefined ? [] : gradedFiles(outputFile, Math.max(1, files.length));
}
