/** The step that compares: advisory graders apart from those that decide, each with what the baseline has of them. Pure. */
import { compare } from "../compare/compare.ts";
import type { Comparison } from "../compare/compare.ts";
import type { GradeRecord } from "../domain/record.ts";
import { gradeRecord, suiteKey } from "../records/make-record.ts";
import type { Report } from "../report/report.ts";
import type { Scores } from "../domain/scores.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { isAdvisory, selects } from "../plan/task-globs.ts";
import type { Read } from "./read.ts";
import { taskKeyOfAnyModel } from "../compare/task-runs.ts";

export interface ComparedInputs {
  readonly read: Pick<Read, "suites" | "unchanged" | "baseline">;
  readonly inputs: Pick<Inputs, "baseline" | "tasks" | "advisory">;
}

/** What of the report comparing makes. */
export type Compared = Pick<Report, "comparison"> & { readonly advisory?: Comparison | undefined };

/**
 * Compares redacted scores with the redacted baseline; what is left out now on purpose, by
 * `tasks` or `changed-only`, is left out of the baseline too. Nothing without the input `baseline`.
 */
export function compareAll(
  { scores, advisory }: { readonly scores: Scores; readonly advisory?: Scores | undefined },
  { read, inputs }: ComparedInputs,
): Compared {
  if (inputs.baseline.length === 0) return {};
  const planned = plannedBefore(read, inputs);
  const shown = planned.filter(({ grader }) => isAdvisory(inputs.advisory, grader));
  // A golden one that was made advisory is missed among those that decide.
  const decisive = planned.filter(
    ({ grader, golden }) => golden === true || !isAdvisory(inputs.advisory, grader),
  );
  return {
    comparison: compare(decisive, scores.grades.map(gradeRecord), read.baseline.length > 0),
    advisory: advisory && shown.length > 0 ? compare(shown, advisory.grades.map(gradeRecord)) : undefined,
  };
}

function plannedBefore(
  { suites, unchanged, baseline }: ComparedInputs["read"],
  { tasks }: ComparedInputs["inputs"],
): GradeRecord[] {
  const leftOut = new Set(suites.filter((suite) => unchanged.has(suite)).map(suiteKey));
  const names = new Map(
    suites.flatMap((suite) =>
      suite.tasks === "every"
        ? []
        : suite.tasks.map(({ id, name }) => [taskKeyOfAnyModel({ suite: suiteKey(suite), task: id }), name]),
    ),
  );
  return baseline.filter(({ suite, task: id, golden }) => {
    const name = names.get(taskKeyOfAnyModel({ suite, task: id })) ?? id;
    // A name that was changed takes no golden task out.
    const byId = golden === true && selects(tasks, { id, name: id });
    return !leftOut.has(suite) && (byId || selects(tasks, { id, name }));
  });
}
