/** Per suite, a table of tasks and graders with marks one can scan: what failed first, twenty tasks at most. */
import type { Report } from "../report.ts";
import type { Grade } from "../../domain/grade.ts";
import type { Scores, SuiteScore, TaskScore } from "../../domain/scores.ts";
import { count, formatScore } from "../../text/format.ts";
import { plainState, SIGNS, stateOf, WORDS } from "../../text/states.ts";
import type { State } from "../../text/states.ts";
import { gradeName } from "../../records/make-record.ts";
import { placeKey } from "../../records/place.ts";
import {
  andMore,
  between,
  bold,
  BREAK,
  code,
  fold,
  line,
  link,
  name,
  note,
  small,
} from "../document/tree.ts";
import type { Block, Inline, Line } from "../document/tree.ts";
import { runsCell } from "./how-sure.ts";
import { moreOf } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Tasks of a table that are not folded, and those that are shown at all. */
const ROWS = 20;
const MOST_ROWS = 1_000;
/** Runs of a task that get a mark each, side by side. */
const RUNS_SHOWN = 5;

/** The worst first. */
const WORST: readonly State[] = ["failed", "errored", "missing", "skipped", "doubtful", "passed"];

/** What a mark in a cell says, of those whose meaning is not plain: the first of each kind is explained. */
type Legend = Map<string, Line>;

/** What all tables of a page share. */
interface Shared {
  readonly page: Page;
  /** Which graders of which tasks are newly failing. */
  readonly fresh: ReadonlySet<string>;
  readonly legend: Legend;
  /** Advisory grades are in no score. */
  readonly isScored: boolean;
}

/** A table of each suite with grades, those with failures first; of several first a row for each, and red ones open. */
export const suiteTables: Section = (report, page) => {
  const shared = { page, fresh: newlyFailing(report), legend: new Map(), isScored: true };
  return withLegend(tablesOf(report.scores, shared), shared);
};

/** The same of advisory graders, without what decides. */
export const advisoryTables: Section = ({ advisory }, page) => {
  const shared = { page, fresh: new Set<string>(), legend: new Map(), isScored: false };
  return advisory ? withLegend(tablesOf(advisory.scores, shared), shared) : [];
};

function withLegend(tables: readonly Block[], { legend }: Shared): Block[] {
  const said = between([...legend.values()]);
  return [...tables, ...(said.length === 0 ? [] : [note(...said)])];
}

/** Of graders that passed more often in the baseline. */
function newlyFailing({ comparison }: Report): ReadonlySet<string> {
  return new Set(comparison?.newlyFailing.map(placeKey));
}

/** Many rows are read after the reasons. */
export function areLong({ scores }: Report): boolean {
  return scores.suites.flatMap(({ tasks }) => tasks).length > ROWS;
}

function tablesOf(scores: Scores, shared: Shared): Block[] {
  const suites = worstFirst(scores.suites.filter(({ tasks }) => tasks.length > 0));
  const [only] = suites;
  if (!only) return [];
  if (suites.length === 1) return suiteTable(only, shared);
  const shown = suites.slice(0, shared.page.most);
  return [
    suitesTable(suites, shared.page),
    ...shown.flatMap((suite) => {
      const score = suite.score === undefined ? "" : ` · score ${formatScore(suite.score)}`;
      const title: Line = [`${SIGNS[worstOf([suite])]} `, bold(name(suite.suite.title)), score];
      return fold(title, suiteTable(suite, shared), suite.tasks.some(hasFailed));
    }),
    ...moreOf(suites.length - shown.length, "suite", shared.page),
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
        [`${SIGNS[worstOf([suite])]} `, name(suite.suite.title)],
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
  const columns = worstFirst(byGrader.map(([grader, grades]) => ({ grader, grades, tasks: [{ grades }] })));
  const models = [...new Set(suite.tasks.flatMap(({ model }) => model || []))];
  // Models of one task stand below each other, to be compared.
  const byTask = [...Map.groupBy(suite.tasks, ({ taskId }) => taskId).values()];
  const groups = worstFirst(byTask.map((own) => ({ tasks: own })));
  const runs = suite.tasks.some((task) => task.runs.length > 1);
  const how = { ...shared, graders: columns.map(({ grader }) => grader), several: models.length > 1, runs };
  const tasks = groups.flatMap((group) => group.tasks);
  const shown = tasks.slice(0, page.each ? MOST_ROWS : ROWS);
  const rows = shown.map((task) => row(task, how));
  const figures = [...(shared.isScored ? ["Score"] : []), ...(runs ? ["Runs"] : [])];
  if (runs) legend.set("passed", ["Runs: those that passed by every grader"]);
  if (shared.isScored && suite.tasks.some(({ score = 1 }) => score < 1))
    legend.set("score", ["Score: the share of checks that passed, by weight"]);
  const table = (some: readonly (readonly Line[])[]): Block => ({
    kind: "table",
    heads: [["Task"], ...figures.map((figure) => [figure]), ...columns.map(graderCell)],
    align: ["left", ...figures.map(() => "right" as const), ...how.graders.map(() => "center" as const)],
    rows: some,
  });
  const most = page.place === "file" ? MOST_ROWS : ROWS;
  const folded = rows.slice(most);
  const left = andMore(tasks.length - shown.length, "row");
  return [
    ...(models.length > 1 ? [modelsTable(groups, models)] : []),
    table(rows.slice(0, most)),
    ...(folded.length === 0 ? [] : fold([count(folded.length, "more row")], [table(folded)])),
    ...(left === "" ? [] : [line(left)]),
  ];
}

interface TaskGroup {
  readonly tasks: readonly Pick<TaskScore, "grades">[];
}

/** Suites, tasks or graders by their worst grade; otherwise in the order of the files. */
function worstFirst<T extends TaskGroup>(groups: readonly T[]): T[] {
  return groups
    .map((group) => ({ group, rank: WORST.indexOf(worstOf([group])) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ group }) => group);
}

/** The worst state of the grades; passed where there is none. */
function worstOf(groups: readonly TaskGroup[]): State {
  const states = new Set(groups.flatMap(({ tasks }) => tasks.flatMap(({ grades }) => grades).map(stateOf)));
  return WORST.find((state) => states.has(state)) ?? "passed";
}

interface RowOptions extends Shared {
  readonly graders: readonly string[];
  /** Whether several models ran the task. */
  readonly several: boolean;
  /** Whether some task has several runs. */
  readonly runs: boolean;
}

/** Whether some grade of a task failed. */
function hasFailed(task: TaskScore): boolean {
  return task.grades.some((grade) => stateOf(grade) === "failed");
}

/** A task; all of it bold where something failed. */
function row(task: TaskScore, options: RowOptions): Line[] {
  const { graders, several, runs, isScored } = options;
  const byGrader = Map.groupBy(task.grades, ({ job }) => job.grader.name);
  const marked = (one: Inline): Line => (hasFailed(task) ? [{ kind: "mark", line: [one] }] : [one]);
  const golden = task.grades.some(({ job }) => job.task.golden) ? [" ", small("golden")] : [];
  const model = several && task.model !== "" ? [BREAK, name(task.model)] : [];
  return [
    [...marked(name(task.taskId)), ...golden, ...model],
    ...(isScored ? [scoreCell(task, marked)] : []),
    ...(runs ? [[runsCell(task)]] : []),
    ...graders.map((grader) => {
      const grades = byGrader.get(grader) ?? [];
      return [...cell(grades, options), ...freshPart(grades, options)];
    }),
  ];
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
    return scores.length === 0 ? ["–"] : [bold(formatScore(scores.reduce((a, b) => a + b) / scores.length))];
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
  const worst = worstOf([{ tasks: [task] }]);
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
  const said = [...weights].some((weight) => weight !== 1) ? ` ×${[...weights].join(", ×")}` : "";
  return [name(grader), said];
}

/** A task's score, with how much of it is graded where that is not all. */
function scoreCell(task: TaskScore, marked: (text: string) => Line): Line {
  if (task.score === undefined) return ["–"];
  const grades = task.grades;
  const graded = grades.filter(({ verdict }) => verdict.state === "graded").length;
  const partly =
    graded < grades.length ? [BREAK, small(`${String(graded)} of ${String(grades.length)} graded`)] : [];
  return [...marked(formatScore(task.score)), ...partly];
}

/**
 * The runs of a task by one grader: a mark and, of a single run, how many of its checks passed; a mark for each of a
 * few, or for all where it leads to its grade; one mark for many. The runs passed are counted among those with a verdict.
 */
function cell(grades: readonly Grade[], { legend, page: { addressOf } }: RowOptions): Line {
  const states = grades.map(plainState);
  const each = grades.length > 1 && (addressOf !== undefined || grades.length <= RUNS_SHOWN);
  if (each) legend.set("runs", ["A mark for each run"]);
  for (const state of states) {
    if (state === "errored") legend.set(state, [`${SIGNS.errored} errored: no verdict`]);
    if (state === "missing" || state === "skipped") legend.set(state, [`${SIGNS[state]} ${WORDS[state]}`]);
  }
  const mark = (grade: Grade, text: string) =>
    link([text], addressOf === undefined ? undefined : `#${addressOf(grade)}`);
  const [first] = grades;
  if (grades.length === 1 && first) return mark(first, single(first, legend));
  if (each) return grades.flatMap((grade) => mark(grade, SIGNS[plainState(grade)]));
  return grades.length === 0 ? [] : [many(states)];
}

function many(states: readonly State[]): string {
  const passed = states.filter((state) => state === "passed").length;
  const graded = passed + states.filter((state) => state === "failed").length;
  const other = SIGNS[states.includes("errored") ? "errored" : "skipped"];
  if (graded === 0) return other;
  const others = graded < states.length ? ` ${other}` : "";
  return `${SIGNS[passed === graded ? "passed" : "failed"]}${others} ${String(passed)} of ${String(graded)} runs`;
}

/** Of a grader that passed more often in the baseline. */
function freshPart([grade]: readonly Grade[], { fresh, legend }: RowOptions): Line {
  if (!grade || !fresh.has(placeKey(gradeName(grade.job)))) return [];
  const sign: Inline = { kind: "mark", line: ["new"] };
  legend.set("new", [sign, ": newly failing"]);
  return [" ", sign];
}

function single(grade: Grade, legend: Legend): string {
  const sign = SIGNS[plainState(grade)];
  const { verdict } = grade;
  // Of several votes the checks are those of all, and say nothing of the score.
  if (verdict.state !== "graded" || verdict.votes) return sign;
  if (verdict.pairs?.every(({ winner }) => winner === "tie")) return `${sign} tie`;
  const passed = verdict.checks.filter(({ outcome }) => outcome === "pass").length;
  if (passed === verdict.checks.length || verdict.checks.length < 2) return sign;
  const share = `${String(passed)}/${String(verdict.checks.length)}`;
  if (!legend.has("checks"))
    legend.set("checks", [`${share}: ${String(passed)} of ${count(verdict.checks.length, "check")} passed`]);
  return `${sign} ${share}`;
}
