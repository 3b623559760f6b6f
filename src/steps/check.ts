/** The check step: everything that is wrong before any judge is asked. */
import { mergeProblems } from "../text/merge-problems.ts";
import type { Problem } from "../domain/location.ts";
import {
  missedRules,
  missingKey,
  missingPrices,
  modelsAsked,
  ownJudge,
  ownModels,
  withConfirming,
} from "./preflight.ts";
import { labelProblems } from "../labels/label-problems.ts";
import type { LoadedGrader } from "../labels/label-problems.ts";
import { assumedNotice } from "../plan/dry-run.ts";
import { plannedModels } from "../plan/plan.ts";
import type { Plan } from "../plan/plan.ts";
import { otherPrompts, withoutPrompt } from "../plan/prompts.ts";
import { filesOf, gradersOf, tasksOf } from "../plan/planned-tasks.ts";
import { suiteKey } from "../records/make-record.ts";
import { redactAll } from "../report/redact.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Read } from "./read.ts";
import { findUnwritable } from "./unwritable.ts";
import { isError } from "../text/problem.ts";

export interface Checked {
  readonly problems: readonly Problem[];
  /** Files that must not be written, by their names in the inputs, and why. */
  readonly unwritable: ReadonlyMap<string, Problem>;
  /** True when no judge is to be asked. */
  readonly isBlocked: boolean;
}

/** Checks inputs, files and plan together. */
export async function check(
  read: Read,
  plan: Plan,
  { inputs, inputProblems, context, price, redact }: Dependencies,
): Promise<Checked> {
  const unwritable = findUnwritable(inputs, read);
  // Missing results do not hide a missing key.
  const models = read.withoutResults
    ? withConfirming(plannedModels({ ...inputs, ...read }), inputs)
    : modelsAsked(plan, inputs);
  const problems = [
    ...missingKey(models, inputs, context),
    ...(await missingPrices(plan, inputs, price)),
    ...unwritable.values(),
    ...ownJudge(plan),
    ...missedRules(plan, inputs),
  ];
  // A label's names may come from a redacted page or from the files: compare both sides redacted.
  const named =
    read.labels && redactAll({ labels: read.labels, jobs: plan.jobs, loaded: loadedGraders(read) }, redact);
  const mislabelled = named ? labelProblems(named.labels, named, inputs.policy.minAgreement) : [];
  const merged = mergeProblems([
    ...inputProblems,
    ...read.problems,
    ...plan.problems,
    ...problems,
    ...mislabelled,
    ...otherPrompts(plan.jobs),
    ...withoutPrompt(plan.jobs),
    ...(inputs.dryRun ? [...assumedNotice(plan.jobs), ...(await ownModels(plan, inputs, price))] : []),
  ]);
  const isBlocked = plan.blocked === true || [...inputProblems, ...problems, ...mislabelled].some(isError);
  return { problems: merged, unwritable, isBlocked };
}

/** The graders of all loaded tasks, planned or not. */
function loadedGraders({ suites, files }: Read): LoadedGrader[] {
  const results = files.map((file) => file.results);
  return suites.flatMap((suite) =>
    tasksOf(suite, filesOf(suite, { suites, results })).flatMap((task) =>
      gradersOf(suite, task).map(({ name }) => ({ suite: suiteKey(suite), task: task.id, grader: name })),
    ),
  );
}
