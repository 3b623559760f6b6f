/** Per suite, a table of tasks and graders with marks one can scan: what failed first, twenty tasks at most. */
import type { Report } from "../report.ts";
import type { Grade } from "../../domain/grade.ts";
import type { Scores, SuiteScore, TaskScore } from "../../domain/scores.ts";
import { suiteKey } from "../../records/make-record.ts";
import { count, formatScore } from "../../text/format.ts";
import { plainState, SIGNS, stateOf } from "../../text/states.ts";
import type { State } from "../../text/states.ts";
import { nameOf } from "../../compare/baseline-source.ts";
import type { Comparison } from "../../compare/compare.ts";
import { currentKeys } from "../../compare/pairs.ts";
import { mean } from "../../score/score.ts";
import { andMore, between, bold, code, fold, line, name, note } from "../document/tree.ts";
import type { Block, Inline, Line } from "../document/tree.ts";
import { moreOf } from "./section.ts";
import type { Page } from "./section.ts";
import { hasFailed, taskRow } from "./task-row.ts";
import type { Legend, Moves, Shared } from "./task-row.ts";

/** Tasks of a table that are not folded, and those that are shown at all. */
const ROWS = 20;
const MOST_ROWS = 1_000;
/** The worst first. */
const WORST: readonly State[] = ["failed", "errored", "missing", "skipped", "doubtful", "passed"];

/**
 * A table of each suite with grades, those with failures first; of several first a row for each, and red ones open.
 * Those of advisory graders are in no score.
 */
export function suiteTables(
  { scores, comparison }: Pick<Report, "scores" | "comparison">,
  page: Page,
  isScored = true,
): Block[] {
  const fresh = new Set(comparison?.newlyFailing.flatMap(currentKeys));
  const legend: Legend = new Map();
  const moved = comparison && movesOf(comparison);
  const drawn = tablesOf(scores, { page, fresh, moved, legend, isScored });
  const explanations = between([...legend.values()]);
  return [...drawn, ...(explanations.length === 0 ? [] : [note(...explanations)])];
}

/** The column of main and now, where anything is compared. */
function movesOf({ pairs, source }: Comparison): Moves | undefined {
  if (pairs.length === 0) return undefined;
  const byPlace = pairs.flatMap((pair) => currentKeys(pair).map((key) => [key, pair] as const));
  return { head: `${nameOf(source)} → now`, pairs: new Map(byPlace) };
}

/** Tables of more rows are read after the reasons. */
const LONG = 10;

export function areLong({ scores }: Report): boolean {
  return scores.suites.flatMap(({ tasks }) => tasks).length > LONG;
}

function tablesOf(scores: Scores, shared: Shared): Block[] {
  const suites = worstFirst(scores.suites.filter(({ tasks }) => tasks.length > 0));
  const [only] = suites;
  if (!only) return [];
  if (suites.length === 1) return suiteTable(only, shared);
  const listedSuites = suites.slice(0, shared.page.most);
  return [
    suitesTable(suites, shared.page),
    ...listedSuites.flatMap((suite) => {
      const score = suite.score === undefined ? "" : ` · score ${formatScore(suite.score)}`;
      const title: Line = [`${SIGNS[worstOf(suite)]} `, bold(name(suiteKey(suite.suite))), score];
      return fold(title, suiteTable(suite, shared), suite.tasks.some(hasFailed));
    }),
    ...moreOf(suites.length - listedSuites.length, "suite", shared.page),
  ];
}

/** A row for each suite. */
function suitesTable(suites: readonly SuiteScore[], { most }: Page): Block {
  return {
    kind: "table",
    heads: [["Suite"], ["Score"], ["Tasks"], ["Grades passed"]],
    align: ["left", "right", "right", "right"],
    rows: suites.slice(0, most).map((suite): Line[] => {
      const grades = suite.grades;
      const passed = grades.filter((grade) => plainState(grade) === "passed").length;
      return [
        [`${SIGNS[worstOf(suite)]} `, name(suiteKey(suite.suite))],
        [suite.score === undefined ? "–" : formatScore(suite.score)],
        [String(new Set(suite.tasks.map(({ taskId }) => taskId)).size)],
        [`${String(passed)} of ${String(grades.length)}`],
      ];
    }),
  };
}

function suiteTable(suite: SuiteScore, shared: Shared): Block[] {
  const { legend, page } = shared;
  const byGrader = [...Map.groupBy(suite.grades, ({ job }) => job.grader.name)];
  // On a narrow screen only the first columns are seen.
  const columns = worstFirst(byGrader.map(([grader, grades]) => ({ grader, grades })));
  const models = [...new Set(suite.tasks.flatMap(({ model }) => model || []))];
  // Models of one task are adjacent, for comparison.
  const byTask = [...Map.groupBy(suite.tasks, ({ taskId }) => taskId).values()];
  const groups = worstFirst(
    byTask.map((own) => ({ tasks: own, grades: own.flatMap(({ grades }) => grades) })),
  );
  const runs = suite.tasks.some((task) => task.runs.length > 1);
  const how = { ...shared, graders: columns.map(({ grader }) => grader), several: models.length > 1, runs };
  const tasks = groups.flatMap((group) => group.tasks);
  const listedTasks = tasks.slice(0, page.each ? MOST_ROWS : ROWS);
  const rows = listedTasks.map((task) => taskRow(task, how));
  const { moved } = shared;
  const figures = [
    ...(shared.isScored ? ["Score"] : []),
    ...(moved ? [moved.head] : []),
    ...(runs ? ["Runs"] : []),
  ];
  if (moved) legend.set("moved", [moved.head, ": grades that passed"]);
  if (runs) legend.set("passed", ["Runs: how many passed every grader"]);
  if (shared.isScored && suite.tasks.some(({ score = 1 }) => score < 1))
    legend.set("score", ["Score: the share of checks that passed, by weight"]);
  const table = (some: readonly (readonly Line[])[]): Block => ({
    kind: "table",
    heads: [["Task"], ...figures.map((figure) => [figure]), ...columns.map(graderCell)],
    align: ["left", ...figures.map(() => "right" as const), ...how.graders.map(() => "center" as const)],
    rows: some,
  });
  const most = page.medium === "file" ? MOST_ROWS : ROWS;
  const folded = rows.slice(most);
  const left = andMore(tasks.length - listedTasks.length, "row");
  return [
    ...(models.length > 1 ? [modelsTable(groups, models)] : []),
    table(rows.slice(0, most)),
    ...(folded.length === 0 ? [] : fold([count(folded.length, "more row")], [table(folded)])),
    ...(left === "" ? [] : [line(left)]),
  ];
}

/** Suites, tasks or graders by their worst grade; otherwise in the order of the files. */
function worstFirst<T extends Pick<TaskScore, "grades">>(groups: readonly T[]): T[] {
  return groups
    .map((group) => ({ group, rank: WORST.indexOf(worstOf(group)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ group }) => group);
}

/** The worst state of the grades; passed where there is none. */
function worstOf({ grades }: Pick<TaskScore, "grades">): State {
  const states = new Set(grades.map(stateOf));
  return WORST.find((state) => states.has(state)) ?? "passed";
}

/** Models side by side: a task a row, a model a column, and the mean of each below. */
function modelsTable(
  groups: readonly { readonly tasks: readonly TaskScore[] }[],
  models: readonly string[],
): Block {
  const of =
    (model: string) =>
    ({ model: one }: TaskScore) =>
      one === model;
  const rows = groups.slice(0, ROWS).map(({ tasks }): Line[] => {
    const task = name(tasks[0]?.taskId ?? "");
    const first: Inline = tasks.some(hasFailed) ? { kind: "mark", line: [task] } : task;
    return [[first], ...models.map((model): Line => [modelCell(tasks.find(of(model)))])];
  });
  const means = models.map((model): Line => {
    const scores = groups.flatMap(({ tasks }) => tasks.filter(of(model)).flatMap(({ score }) => score ?? []));
    return scores.length === 0 ? ["–"] : [bold(formatScore(mean(scores)))];
  });
  return {
    kind: "table",
    heads: [["Task"], ...models.map((model) => [code(model)])],
    align: ["left", ...models.map(() => "right" as const)],
    rows: [...rows, [[groups.length > ROWS ? `Mean of all ${String(groups.length)}` : "Mean"], ...means]],
  };
}

function modelCell(task: TaskScore | undefined): string {
  if (!task) return "";
  const worst = worstOf(task);
  const sign = SIGNS[worst === "doubtful" ? "passed" : worst];
  return task.score === undefined ? sign : `${sign} ${formatScore(task.score)}`;
}

/** A grader's name, with its weight where that is not 1 for every task. */
function graderCell({
  grader,
  grades,
}: {
  readonly grader: string;
  readonly grades: readonly Grade[];
}): Line {
  const weights = new Set(grades.map(({ job }) => job.grader.weight));
  const weight = [...weights].some((weight) => weight !== 1) ? ` ×${[...weights].join(", ×")}` : "";
  return [name(grader), weight];
}
