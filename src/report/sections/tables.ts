/** Per suite, a table of tasks and graders with marks one can scan, and how sure its figures are. Pure. */
import { bothSides, isPartly, newlyFailing, type Comparison } from "../../decide/compare.ts";
import { currentKeys, nameOf, type Pair } from "../../decide/pairs.ts";
import {
  gradeKey,
  hasVerdict,
  type Row,
  type Scores,
  type SuiteScore,
  type TaskScore,
} from "../../domain/row.ts";
import type { TriggerRun, TriggerShare } from "../../domain/run.ts";
import {
  BREAK,
  andMore,
  between,
  bold,
  code,
  fold,
  heading,
  line,
  link,
  moreOf,
  name,
  note,
  small,
  type Block,
  type Inline,
  type Line,
  type Page,
  type Section,
} from "../document/tree.ts";
import { LONG_TABLE_ROWS, MOST_ROWS, MOST_ROWS_UNFOLDED, MOST_RUN_MARKS } from "../limits.ts";
import type { Report } from "../report.ts";
import { titleOfTask } from "../shown-grade.ts";
import { suiteKey } from "../../results/rows.ts";
import { mean, type Tally } from "../../results/score.ts";
import { count, formatScore } from "../../text/format.ts";
import { SIGNS, WORDS, plainState, stateOf, tallyText, type State } from "../../text/states.ts";

/** Explanations of the less plain marks in cells, one per kind. */
type Legend = Map<string, Line>;

/**
 * A table of each suite with grades, those with failures first; of several first a row for each, and red ones open.
 * Those of advisory graders are in no score.
 */
export function suiteTables(
  { scores, comparison }: Pick<Report, "scores" | "comparison">,
  page: Page,
  isScored = true,
): Block[] {
  const fresh = new Set(comparison && newlyFailing(comparison).flatMap(currentKeys));
  const legend: Legend = new Map();
  const moved = comparison && movesOf(comparison);
  const drawn = tablesOf(scores, { page, fresh, moved, legend, isScored });
  const explanations = between([...legend.values()]);
  return [...drawn, ...(explanations.length === 0 ? [] : [note(...explanations)])];
}

/** The column that shows what moved. */
interface Moves {
  readonly head: string;
  /** By the places of their grades of now. */
  readonly pairs: ReadonlyMap<string, Pair>;
}

/** The column of main and now, where anything is compared. */
function movesOf({ pairs, source }: Comparison): Moves | undefined {
  if (pairs.length === 0) return undefined;
  const byPlace = pairs.flatMap((pair) => currentKeys(pair).map((key) => [key, pair] as const));
  return { head: `${nameOf(source)} → now`, pairs: new Map(byPlace) };
}

/** What all tables of a page share. */
interface Shared {
  readonly page: Page;
  /** Which graders of which tasks are newly failing. */
  readonly fresh: ReadonlySet<string>;
  /** How often each grader passed before and now, where it is compared. */
  readonly moved?: Moves | undefined;
  readonly legend: Legend;
  /** Advisory grades are in no score. */
  readonly isScored: boolean;
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

/** The worst first. */
const WORST: readonly State[] = ["failed", "errored", "missing", "skipped", "doubtful", "passed"];

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

function suiteTable(suite: SuiteScore, shared: Shared): Block[] {
  const { legend, page } = shared;
  const byGrader = [...Map.groupBy(suite.grades, ({ grader }) => grader)];
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
  const listedTasks = tasks.slice(0, page.each ? MOST_ROWS : MOST_ROWS_UNFOLDED);
  const rows = listedTasks.map((task) => taskRow(task, how));
  const { moved } = shared;
  const figures = [
    ...(shared.isScored ? ["Score"] : []),
    ...(moved ? [moved.head] : []),
    ...(runs ? ["Runs"] : []),
  ];
  if (moved) legend.set("moved", [moved.head, ": grades that passed, or the score where some pass in part"]);
  if (runs) legend.set("passed", ["Runs: how many passed every grader"]);
  if (shared.isScored && suite.tasks.some(({ score = 1 }) => score < 1))
    legend.set("score", ["Score: the share of checks that passed, by weight"]);
  const table = (some: readonly (readonly Line[])[]): Block => ({
    kind: "table",
    heads: [["Task"], ...figures.map((figure) => [figure]), ...columns.map(graderCell)],
    align: ["left", ...figures.map(() => "right" as const), ...how.graders.map(() => "center" as const)],
    rows: some,
  });
  const most = page.medium === "file" ? MOST_ROWS : MOST_ROWS_UNFOLDED;
  const folded = rows.slice(most);
  const left = andMore(tasks.length - listedTasks.length, "row");
  return [
    ...(models.length > 1 ? [modelsTable(groups, models)] : []),
    table(rows.slice(0, most)),
    ...(folded.length === 0 ? [] : fold([count(folded.length, "more row")], [table(folded)])),
    ...(left === "" ? [] : [line(left)]),
  ];
}

interface RowOptions extends Shared {
  readonly graders: readonly string[];
  /** Whether several models ran the task. */
  readonly several: boolean;
  /** Whether some task has several runs. */
  readonly runs: boolean;
}

/** A task; all of it bold where something failed. */
function taskRow(task: TaskScore, options: RowOptions): Line[] {
  const { graders, several, runs, isScored, moved } = options;
  const byGrader = Map.groupBy(task.grades, ({ grader }) => grader);
  const marked = (one: Inline): Line => (hasFailed(task) ? [{ kind: "mark", line: [one] }] : [one]);
  const golden = task.grades.some(({ golden }) => golden) ? [" ", small("golden")] : [];
  const model = several && task.model !== "" ? [BREAK, name(task.model)] : [];
  return [
    [...marked(name(titleOfTask(task))), ...golden, ...model],
    ...(isScored ? [scoreCell(task, marked)] : []),
    ...(moved ? [movedCell(task, moved)] : []),
    ...(runs ? [[runsCell(task)]] : []),
    ...graders.map((grader) => {
      const grades = byGrader.get(grader) ?? [];
      return [...cell(grades, options), ...freshPart(grades, options)];
    }),
  ];
}

/** Whether some grade of a task failed. */
function hasFailed(task: TaskScore): boolean {
  return task.grades.some((grade) => stateOf(grade) === "failed");
}

/** A task's score, with how much of it is graded where that is not all. */
function scoreCell(task: TaskScore, marked: (text: string) => Line): Line {
  if (task.score === undefined) return ["–"];
  const grades = task.grades;
  const graded = grades.filter(hasVerdict).length;
  const partly =
    graded < grades.length ? [BREAK, small(`${String(graded)} of ${String(grades.length)} graded`)] : [];
  return [...marked(formatScore(task.score)), ...partly];
}

/** `6/6 → 1/6`, or `0.75 → 0.00` with lists that pass in part, over the graders of a task that are compared. */
function movedCell(task: TaskScore, { pairs }: Moves): Line {
  const own = new Set(task.grades.flatMap((grade) => pairs.get(gradeKey(grade)) ?? []));
  const score = bothSides([...own]);
  if (!score) return ["–"];
  if (isPartly([...own].flatMap(({ baseline, current }) => [baseline, current])))
    return [`${formatScore(score.baseline)} → ${formatScore(score.current)}`];
  const sum = (figure: (pair: Pair) => number) => [...own].reduce((total, pair) => total + figure(pair), 0);
  const before = `${String(sum(({ baseline }) => baseline.passes))}/${String(sum(({ baseline }) => baseline.runs))}`;
  const now = `${String(sum(({ current }) => current.passes))}/${String(sum(({ current }) => current.runs))}`;
  return [`${before} → ${now}`];
}

/** `4/5`; a dash where no run has all its verdicts. */
export function runsCell(task: TaskScore): string {
  const { passes, runs } = runsPassed(task);
  return runs === 0 ? "–" : `${String(passes)}/${String(runs)}`;
}

/** How many runs of a task passed, by all graders, of those with a verdict of every grader. */
function runsPassed({ runs }: TaskScore): Tally {
  const whole = runs.filter(({ grades }) => grades.every(hasVerdict));
  const passed = whole.filter(({ grades }) => grades.every((grade) => plainState(grade) === "passed"));
  return { passes: passed.length, runs: whole.length };
}

/**
 * The runs of a task by one grader: a mark and, of a single run, how many of its checks passed; a mark for each of a
 * few, or for all where it leads to its grade; one mark for many. The runs passed are counted among those with a verdict.
 */
function cell(grades: readonly Row[], { legend, page: { addressOf } }: RowOptions): Line {
  const states = grades.map(plainState);
  const each = grades.length > 1 && (addressOf !== undefined || grades.length <= MOST_RUN_MARKS);
  if (each) legend.set("runs", ["A mark for each run"]);
  for (const state of states) {
    if (state === "errored") legend.set(state, [`${SIGNS.errored} errored: no verdict`]);
    if (state === "missing" || state === "skipped") legend.set(state, [`${SIGNS[state]} ${WORDS[state]}`]);
  }
  const mark = (grade: Row, text: string) =>
    link([text], addressOf === undefined ? undefined : `#${addressOf(grade)}`);
  const [first] = grades;
  if (grades.length === 1 && first) return mark(first, single(first, legend));
  if (each) return grades.flatMap((grade) => mark(grade, SIGNS[plainState(grade)]));
  return grades.length === 0 ? [] : [many(states)];
}

function single(grade: Row, legend: Legend): string {
  const sign = SIGNS[plainState(grade)];
  const { checks, votes } = grade;
  // Of several votes the checks are those of all, and say nothing of the score.
  if (!hasVerdict(grade) || votes) return sign;
  const passed = checks.filter(({ outcome }) => outcome === "pass").length;
  if (passed === checks.length || checks.length < 2) return sign;
  const share = `${String(passed)}/${String(checks.length)}`;
  if (!legend.has("checks")) legend.set("checks", [`${share}: ${tallyText(grade)}`]);
  return `${sign} ${share}`;
}

function many(states: readonly State[]): string {
  const passed = states.filter((state) => state === "passed").length;
  const graded = passed + states.filter((state) => state === "failed").length;
  const other = SIGNS[states.includes("errored") ? "errored" : "skipped"];
  if (graded === 0) return other;
  const others = graded < states.length ? ` ${other}` : "";
  return `${SIGNS[passed === graded ? "passed" : "failed"]}${others} ${String(passed)} of ${String(graded)} runs`;
}

/** Of a grader that always passed in the baseline. */
function freshPart([grade]: readonly Row[], { fresh, legend }: RowOptions): Line {
  if (!grade || !fresh.has(gradeKey(grade))) return [];
  const sign: Inline = { kind: "mark", line: ["new"] };
  legend.set("new", [sign, ": always passed before"]);
  return [" ", sign];
}

/** A grader's name, with its weight where that is not 1 for every task. */
function graderCell({ grader, grades }: { readonly grader: string; readonly grades: readonly Row[] }): Line {
  const weights = new Set(grades.map(({ weight }) => weight));
  const weight = [...weights].some((weight) => weight !== 1) ? ` ×${[...weights].join(", ×")}` : "";
  return [name(grader), weight];
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
  const rows = groups.slice(0, MOST_ROWS_UNFOLDED).map(({ tasks }): Line[] => {
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
    rows: [
      ...rows,
      [[groups.length > MOST_ROWS_UNFOLDED ? `Mean of all ${String(groups.length)}` : "Mean"], ...means],
    ],
  };
}

function modelCell(task: TaskScore | undefined): string {
  if (!task) return "";
  const worst = worstOf(task);
  const sign = SIGNS[worst === "doubtful" ? "passed" : worst];
  return task.score === undefined ? sign : `${sign} ${formatScore(task.score)}`;
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

export function areLong({ scores }: Report): boolean {
  return scores.suites.flatMap(({ tasks }) => tasks).length > LONG_TABLE_ROWS;
}

/* Trigger evals: whether the skill was loaded for a query, by the logs alone. They decide nothing. Pure. */

/** The runs by skill and query, wrong ones first. */
export function triggerShares(runs: readonly TriggerRun[]): readonly TriggerShare[] {
  const groups = Map.groupBy(runs, ({ skill, query }) => JSON.stringify([skill, query])).values();
  const shares = [...groups].flatMap((own): TriggerShare[] => {
    const [first] = own;
    if (!first) return [];
    const known = own.filter(({ loaded }) => loaded !== undefined);
    const loaded = known.filter((one) => one.loaded).length;
    const right = first.shouldTrigger ? loaded : known.length - loaded;
    const isRight = known.length === 0 ? undefined : right * 2 > known.length;
    return [{ ...first, loaded, runs: known.length, isRight }];
  });
  return shares.sort((one, other) => Number(one.isRight ?? true) - Number(other.isRight ?? true));
}

/** `Triggers: 7 of 8 queries load the skill where they should, and only there.` */
function triggersSentence(shares: readonly TriggerShare[]): string {
  const known = shares.filter(({ isRight }) => isRight !== undefined);
  const right = known.filter(({ isRight }) => isRight).length;
  const unknown = shares.length - known.length;
  const rest = unknown > 0 ? ` The logs of ${count(unknown, "query", "queries")} do not say it.` : "";
  return `Triggers: ${String(right)} of ${count(known.length, "query", "queries")} load the skill where they should, and only there.${rest}`;
}

/** The sentence, and a row for each query; empty without trigger evals. */
export const triggersSection: Section = ({ triggers: shares }, page) => {
  if (shares.length === 0) return [];
  const listed = shares.slice(0, page.most);
  return [
    heading("Triggers (no effect on the result)"),
    line(triggersSentence(shares)),
    {
      kind: "table",
      heads: [["Query"], ["Skill"], ["Should load"], ["Loaded"]],
      align: ["left", "left", "left", "right"],
      rows: listed.map(({ query, skill, shouldTrigger, loaded, runs, isRight }): Line[] => [
        [`${isRight === undefined ? SIGNS.skipped : isRight ? SIGNS.passed : SIGNS.failed} `, name(query)],
        [name(skill)],
        [shouldTrigger ? "yes" : "no"],
        [runs === 0 ? "–" : `${String(loaded)}/${String(runs)}`],
      ]),
    },
    ...moreOf(shares.length - listed.length, "query", page),
  ];
};
