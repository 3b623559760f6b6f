/** The compare step: with the baseline (advisory graders separately) and with people's labels. Pure. */
import { absenceOf } from "../decide/pairs.ts";
import { type Comparison, compare } from "../decide/compare.ts";
import type { Row, Scores } from "../domain/row.ts";
import { suiteKey } from "../results/rows.ts";
import { agreementWith } from "../labels/agreement.ts";
import type { Report } from "../report/report.ts";
import { shownGrades } from "../report/shown-grade.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { isAdvisory, selects } from "../plan/planned.ts";
import type { RunContext } from "../github/context.ts";
import type { Read } from "./read.ts";
import { taskKeyOfAnyModel } from "../decide/chance.ts";

/** The parts of the report that come from comparing. */
type Compared = Pick<Report, "comparison" | "agreement"> & {
  readonly advisory?: Comparison | undefined;
};

/**
 * Compares redacted scores with redacted labels and the redacted baseline. What `tasks` or `changed-only` leave out now
 * is left out of the baseline, too. No comparison without the input `baseline`.
 */
export function compareAll(
  { scores, advisory }: { readonly scores: Scores; readonly advisory?: Scores | undefined },
  read: Read & { readonly context: Pick<RunContext, "branch" | "isTag"> },
  inputs: Inputs,
): Compared {
  const shownOf = (its: Scores | undefined) => (its ? shownGrades({ scores: its }) : []);
  const agreement = read.labels && agreementWith(read.labels, [...shownOf(scores), ...shownOf(advisory)]);
  if (inputs.baseline.length === 0) return { agreement };
  const titleOf = titlesOf(read);
  const isAdvisoryNow = ({ grader: name, suite }: Row) =>
    isAdvisory(inputs.advisory, { name, suite: titleOf(suite) });
  const absent = absenceOf(read.baseline.filter((row) => !isAdvisoryNow(row)));
  const { branch, isTag } = read.context;
  const isOwn = isTag === true || (branch !== undefined && branch === read.baselineSource.branch);
  const source = { ...read.baselineSource, absent, isOwn };
  const planned = plannedBefore(read, inputs);
  const advised = planned.filter(isAdvisoryNow);
  // A golden grader that became advisory has to be missing among those that decide.
  const decisive = planned.filter((row) => row.golden === true || !isAdvisoryNow(row));
  return {
    agreement,
    comparison: compare(decisive, scores.grades, source),
    advisory:
      advisory && advised.length > 0
        ? compare(advised, advisory.grades, { branch: source.branch })
        : undefined,
  };
}

/** The title of a recorded suite: records may hold its path as well. */
function titlesOf({ suites }: Read): (suite: string) => string {
  const titles = new Map(suites.map((suite) => [suiteKey(suite), suite.title]));
  return (suite) => titles.get(suite) ?? suite;
}

function plannedBefore(read: Read, { tasks }: Inputs): Row[] {
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
    // A changed name must not take a golden task out of `tasks`.
    const byId = golden === true && selects(tasks, { id, name: id, suite });
    return !leftOut.has(key) && (byId || selects(tasks, { id, name, suite }));
  });
}
