/** The step that compares: with the baseline, advisory graders apart from those that decide, and with people's labels. Pure. */
import { absenceOf } from "../compare/baseline-source.ts";
import { compare } from "../compare/compare.ts";
import type { Comparison } from "../compare/compare.ts";
import type { GradeRecord } from "../domain/record.ts";
import { gradeRecord, suiteKey } from "../records/make-record.ts";
import { agreementWith } from "../labels/held-against.ts";
import type { Report } from "../report/report.ts";
import { shownGrades } from "../report/shown-grade.ts";
import type { Scores } from "../domain/scores.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { isAdvisory, selects } from "../plan/task-globs.ts";
import type { Read } from "./read.ts";
import { taskKeyOfAnyModel } from "../compare/task-runs.ts";

/** What of the report comparing makes. */
export type Compared = Pick<Report, "comparison" | "agreement"> & {
  readonly advisory?: Comparison | undefined;
};

/**
 * Compares redacted scores with redacted labels and the redacted baseline; what is left out now on purpose, by
 * `tasks` or `changed-only`, is left out of the baseline too. No comparison without the input `baseline`.
 */
export function compareAll(
  { scores, advisory }: { readonly scores: Scores; readonly advisory?: Scores | undefined },
  read: Read,
  inputs: Inputs,
): Compared {
  const shownOf = (its: Scores | undefined) => (its ? shownGrades({ scores: its }) : []);
  const agreement = read.labels && agreementWith(read.labels, [...shownOf(scores), ...shownOf(advisory)]);
  if (inputs.baseline.length === 0) return { agreement };
  const titleOf = titlesOf(read);
  const isShown = ({ grader: name, suite }: GradeRecord) =>
    isAdvisory(inputs.advisory, { name, suite: titleOf(suite) });
  const absent = absenceOf(read.baseline.filter((record) => !isShown(record)));
  const source = { ...read.baselineSource, absent };
  const planned = plannedBefore(read, inputs);
  const shown = planned.filter(isShown);
  // A golden one that was made advisory is missed among those that decide.
  const decisive = planned.filter((record) => record.golden === true || !isShown(record));
  return {
    agreement,
    comparison: compare(decisive, scores.grades.map(gradeRecord), source),
    advisory:
      advisory && shown.length > 0
        ? compare(shown, advisory.grades.map(gradeRecord), { branch: source.branch })
        : undefined,
  };
}

/** The title of a recorded suite, which may have been recorded with its path. */
function titlesOf({ suites }: Read): (suite: string) => string {
  const titles = new Map(suites.map((suite) => [suiteKey(suite), suite.title]));
  return (suite) => titles.get(suite) ?? suite;
}

function plannedBefore(read: Read, { tasks }: Inputs): GradeRecord[] {
  const { suites, unchanged, baseline } = read;
  const titleOf = titlesOf(read);
  const leftOut = new Set(suites.filter((suite) => unchanged.has(suite)).map(suiteKey));
  const names = new Map(
    suites.flatMap((suite) =>
      suite.tasks === "every"
        ? []
        : suite.tasks.map(({ id, name }) => [taskKeyOfAnyModel({ suite: suiteKey(suite), task: id }), name]),
    ),
  );
  return baseline.filter(({ suite: key, task: id, golden }) => {
    const suite = titleOf(key);
    const name = names.get(taskKeyOfAnyModel({ suite: key, task: id })) ?? id;
    // A name that was changed takes no golden task out.
    const byId = golden === true && selects(tasks, { id, name: id, suite });
    return !leftOut.has(key) && (byId || selects(tasks, { id, name, suite }));
  });
}
