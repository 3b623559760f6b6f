/** The compare step: with the baseline and with people's labels. Pure. */
import { absenceOf } from "../decide/pairs.ts";
import { compare } from "../decide/compare.ts";
import { byNamesOfNow } from "../decide/renamed.ts";
import {
  type Row,
  type Scores,
  gradeKey,
  hasVerdict,
  isOfPluginEval,
  isOlder,
  taskKeyOfAnyModel,
} from "../domain/row.ts";
import { suiteKey } from "../results/rows.ts";
import { agreementWith } from "../labels/agreement.ts";
import type { Report, Scope } from "../report/report.ts";
import { isAdvisory, selects } from "../plan/planned.ts";
import type { RunContext } from "../github/context.ts";
import type { Read } from "./read.ts";

/** The baseline, labels and suites of now. */
interface ReadToCompare extends Pick<Read, "labels" | "baselineSource" | "suites"> {
  /** Absent without the input. */
  readonly baseline?: Read["baseline"] | undefined;
  /** Keys of the tasks that had a second look. */
  readonly secondLook?: ReadonlySet<string> | undefined;
  readonly context: Pick<RunContext, "branch" | "isTag">;
}

/**
 * Compares redacted scores with redacted labels and the redacted baseline. What `tasks` or `changed-only` leave out now
 * is left out of the baseline, too. No comparison without a baseline.
 */
export function compareAll(
  { scores, advisory }: { readonly scores: Scores; readonly advisory?: Scores | undefined },
  read: ReadToCompare,
  scope: Scope,
): Pick<Report, "comparison" | "agreement"> {
  const rows = [...scores.grades, ...(advisory?.grades ?? [])];
  const agreement = read.labels && agreementWith(read.labels, rows);
  const { baseline } = read;
  if (!baseline) return { agreement };
  const titleOf = titlesOf(read);
  // By the input, or as the eval itself had it then: what it no longer counts is gone.
  const isAdvisoryNow = (row: Row) =>
    (isOfPluginEval(row) && row.advisory === true) ||
    isAdvisory(scope.advisory, { name: row.grader, suite: titleOf(row.suite) });
  const absent = absenceOf(baseline.filter((row) => !isAdvisoryNow(row)));
  const { branch, isTag } = read.context;
  const isOwn = isTag || (branch !== undefined && branch === read.baselineSource.branch);
  const source = { ...read.baselineSource, absent, isOwn, again: read.secondLook };
  const planned = byNamesOfNow(plannedBefore(baseline, read, scope), rows);
  // A golden grader that became advisory has to be missing among those that decide.
  const decisive = planned.filter((row) => row.golden === true || !isAdvisoryNow(row));
  return { agreement, comparison: compare(decisive, scores.grades, source) };
}

/**
 * The queries of redacted trigger evals beside those of the baseline; undefined without any. Of a query that the baseline
 * has, one run has to count, after a second look all; of any other one has to be there, where there are runs at all.
 */
export function compareTriggers(
  { runs, all, asked, baseline, newest, skills }: Read["queries"],
  { branch }: Read["baselineSource"],
  secondLook: ReadonlyMap<string, number>,
): Report["triggers"] {
  const now = Map.groupBy(
    runs.filter((row) => !isOlder(row)),
    gradeKey,
  );
  const keysOf = (rows: readonly Row[]) => new Set(rows.map(gradeKey));
  const known = keysOf(baseline.filter(hasVerdict));
  const queries = new Map(asked.map((query) => [gradeKey(query), query]));
  const missing = [...queries].flatMap(([key, query]) => {
    const made = now.get(key) ?? [];
    const planned = secondLook.get(taskKeyOfAnyModel(query)) ?? 1;
    const lacks = known.has(key)
      ? made.filter(hasVerdict).length < planned
      : !now.has(key) && runs.length > 0;
    return lacks ? query : [];
  });
  // Several agents may have made runs of the same number.
  const numbered = [...now.values()].flatMap((made) =>
    made.map((row, index) => ({ ...row, run: index + 1 })),
  );
  const rows = [...numbered, ...missing];
  // What is asked and not run now was left out on purpose.
  const here = keysOf(all);
  const gone = [...keysOf(newest.filter(hasVerdict))].filter((key) => !here.has(key));
  const compared = new Set([...keysOf(rows), ...gone]);
  const before = baseline.filter((row) => hasVerdict(row) && compared.has(gradeKey(row)));
  if (rows.length + before.length === 0) return undefined;
  const source = { branch, here: new Set(skills), again: new Set(secondLook.keys()) };
  return { rows, before, comparison: before.length > 0 ? compare(before, rows, source) : undefined };
}

/** The title of a recorded suite: records may hold its path as well. */
function titlesOf({ suites }: Pick<ReadToCompare, "suites">): (suite: string) => string {
  const titles = new Map(suites.map((suite) => [suiteKey(suite), suite.title]));
  return (suite) => titles.get(suite) ?? suite;
}

/** The rows of what is planned now, by the names that its files have now. */
function plannedBefore(
  baseline: readonly Row[],
  read: ReadToCompare,
  { tasks, unchanged, left }: Scope,
): Row[] {
  const titleOf = titlesOf(read);
  const names = new Map(
    read.suites.flatMap((suite) =>
      suite.tasks === "every"
        ? []
        : suite.tasks.map(({ id, name }) => [taskKeyOfAnyModel({ suite: suiteKey(suite), task: id }), name]),
    ),
  );
  const [leftSuites, leftTasks] = [new Set(unchanged), new Set(left)];
  return baseline.filter((row) => {
    const { suite: key, task: id, golden } = row;
    const place = { id, suite: titleOf(key), key };
    // A changed name must not take a golden task out of `tasks`.
    const isSelected =
      selects(tasks, { ...place, name: names.get(taskKeyOfAnyModel(row)) ?? id }) ||
      (golden === true && selects(tasks, { ...place, name: id }));
    return isSelected && !leftSuites.has(key) && !leftTasks.has(taskKeyOfAnyModel(row));
  });
}
