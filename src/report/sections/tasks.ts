/** The one table of a page: each task with what passed on main and now, in one unit; the tasks that pass in one row. Pure. */
import type { Comparison } from "../../decide/compare.ts";
import { type Pair, nameOf } from "../../decide/pairs.ts";
import { FURTHER_RUNS } from "../../decide/second-look.ts";
import { type Row, type TaskScore, gradeKey, isOfPluginEval, taskKeyOfAnyModel } from "../../domain/row.ts";
import { suiteKey, titleOfTask } from "../../results/rows.ts";
import { type Share, runKey, shareOf, unitOf } from "../../results/score.ts";
import { count } from "../../text/format.ts";
import { STATES, type State, plainState, stateOf } from "../../text/states.ts";
import {
  type Line,
  type Page,
  type Section,
  andMore,
  bold,
  fold,
  link,
  name,
  note,
  small,
  table,
} from "../document/tree.ts";
import type { Report } from "../report.ts";

/** Tasks of a table that are not folded. */
const MOST_ROWS_UNFOLDED = 20;
/** Tasks of a table that are shown at all. */
const MOST_ROWS = 1_000;

/** A column of shares. */
interface ShareColumn {
  readonly head: Line;
  /** The grades of a task that it counts. */
  readonly gradesOf: (task: ShownTask) => readonly Row[];
}

/** A task of one agent model. */
interface ShownTask {
  readonly score: TaskScore;
  readonly suite: string;
  readonly title: Line;
  readonly state: State;
  readonly sign: string;
  /** The rows of its second look, where it dropped in an earlier grade. */
  readonly secondLook: readonly Row[];
  /** What it is compared with. */
  readonly pairs: readonly Pick<Pair, "baseline" | "current">[];
}

/**
 * Tasks with a failure or without a verdict each have a row, as do those that pass more than on main; the others are
 * counted in one row a suite. Those of advisory graders are not in it.
 */
export const taskTable: Section = (report, page) => {
  const tasks = shownTasks(report, page);
  if (tasks.length === 0) return [];
  const columns = columnsOf(report, tasks);
  const [main] = columns;
  const now = columns.at(-1);
  const rose = (task: ShownTask) =>
    task.secondLook.length === 0 && isLower(comparedShare(task, main), comparedShare(task, now));
  const apart = tasks
    .filter((task) => task.state !== "passed" || task.secondLook.length > 0 || rose(task))
    .sort((one, other) => WORST.indexOf(one.state) - WORST.indexOf(other.state));
  const isApart = new Set(apart);
  const unremarkable = tasks.filter((task) => !isApart.has(task));
  // A few tasks that all pass are named; many are counted.
  const isFew = tasks.length <= FEW_TASKS;
  const rows = [
    ...apart.map((task) => taskRow(task, columns, rose(task) ? " (rose)" : "")),
    ...(isFew ? unremarkable.map((task) => taskRow(task, columns)) : otherRows(unremarkable, apart, columns)),
  ];
  const most = page.medium === "file" ? MOST_ROWS : page.each ? MOST_ROWS_UNFOLDED : FEW_TASKS;
  const folded = page.each ? rows.slice(most, MOST_ROWS) : [];
  const left = rows.length - Math.min(rows.length, most) - folded.length;
  // The only column's head says what it counts.
  const notes = [
    ...(columns.length > 1 ? [legendOf(report)] : []),
    ...(left > 0 ? [`${andMore(left, "row")}.`] : []),
  ];
  const heads = [["Task"], ...columns.map(({ head }) => head)];
  const tableOf = (some: readonly (readonly Line[])[]) =>
    table("Tasks and what their graders found", { heads, numbers: columns.length }, some);
  return [
    tableOf(rows.slice(0, most)),
    ...(folded.length > 0 ? fold([count(folded.length, "more row")], [tableOf(folded)]) : []),
    ...(notes.length === 0 ? [] : [note(notes.join(" "))]),
  ];
};

/** Tasks that are named one by one, whatever they come to. */
const FEW_TASKS = 10;

/** Every task, by suite, with its pairs. */
function shownTasks({ scores, comparison, conclusion }: Report, { addressOf }: Page): readonly ShownTask[] {
  const pairs = pairsByGrade(comparison);
  const several = scores.suites.filter(({ tasks }) => tasks.length > 0).length > 1;
  return scores.suites.flatMap(({ suite, tasks }) => {
    const models = new Set(tasks.map(({ model }) => model)).size;
    return tasks.map((score): ShownTask => {
      const { grades, model } = score;
      const hasSecondLook =
        comparison?.source.again?.has(taskKeyOfAnyModel({ suite: suiteKey(suite), task: score.taskId })) ===
        true;
      const secondLook = hasSecondLook ? secondLookText(score) : [];
      // Its second look tells what it comes to; the first run only asked for it.
      const state = worstOf(secondLook.length > 0 ? secondLook : grades);
      const waits =
        state === "failed" &&
        conclusion.again.some(
          (one) => "task" in one && one.suite === suiteKey(suite) && one.task === score.taskId,
        );
      const golden = grades.some((grade) => grade.golden) ? [" ", small("golden")] : [];
      const inSuite: Line = several ? [name(suiteKey(suite)), " · "] : [];
      const first = grades.find(({ state }) => state === "failed") ?? grades[0];
      const address = first && addressOf && `#${addressOf(first)}`;
      const ofModel: Line = models > 1 && model !== "" ? [" · ", name(model)] : [];
      return {
        score,
        suite: suiteKey(suite),
        title: [...inSuite, ...link([name(titleOfTask(score))], address), ...ofModel, ...golden],
        state,
        sign: waits ? WAITING : STATES[state].sign,
        secondLook,
        pairs: [...new Set(grades.flatMap((grade) => pairs.get(gradeKey(grade)) ?? []))],
      };
    });
  });
}

/** What each grade of now is beside: what counts, and what another judge keeps from being compared. */
function pairsByGrade(comparison: Comparison | undefined): ReadonlyMap<string, ShownTask["pairs"][number]> {
  const sides = [
    ...(comparison?.pairs ?? []),
    ...(comparison?.notComparable.flatMap(({ sides: both }) => both ?? []) ?? []),
  ];
  return new Map(sides.flatMap((one) => one.current.records.map((row) => [gradeKey(row), one] as const)));
}

function columnsOf({ comparison }: Report, tasks: readonly ShownTask[]): readonly ShareColumn[] {
  const now = (task: ShownTask) => task.score.grades;
  if (comparison && tasks.some(({ pairs }) => pairs.length > 0)) {
    const main = (task: ShownTask) => task.pairs.flatMap(({ baseline }) => baseline.grades);
    const hasSecondLook = tasks.some(({ secondLook }) => secondLook.length > 0);
    const first = (task: ShownTask) => now(task).filter((grade) => !task.secondLook.includes(grade));
    const isSeveral = tasks.some((task) => new Set(first(task).map(runKey)).size > 1);
    return [
      { head: headOf(nameOf(comparison.source), tasks.map(main)), gradesOf: main },
      ...(hasSecondLook
        ? [
            { head: [isSeveral ? "first runs" : "first run"], gradesOf: first },
            {
              head: [`${String(FURTHER_RUNS)} more runs`],
              gradesOf: ({ secondLook }: ShownTask) => secondLook,
            },
          ]
        : [{ head: headOf("now", tasks.map(now)), gradesOf: now }]),
    ];
  }
  return [{ head: headOf(`${unitOf(tasks.flatMap(now))}s that passed`, tasks.map(now)), gradesOf: now }];
}

/** `main, 5 runs`, where each task has as many. */
function headOf(what: string, byTask: readonly (readonly Row[])[]): Line {
  const numbers = new Set(
    byTask.flatMap((rows) => (rows.length === 0 ? [] : new Set(rows.map(runKey)).size)),
  );
  const [runs] = numbers.size === 1 ? numbers : [];
  return [what, runs === undefined ? "" : `, ${count(runs, "run")}`];
}

/** The grades of a task's last runs, by their numbers. */
function secondLookText({ runs }: TaskScore): readonly Row[] {
  return runs
    .toSorted((one, other) => one.number - other.number)
    .slice(-FURTHER_RUNS)
    .flatMap(({ grades }) => grades);
}

/** Of a task that runs again before it decides. */
const WAITING = "⏳";

function taskRow(task: ShownTask, columns: readonly ShareColumn[], end = ""): Line[] {
  const shares = columns.map((column) => shareOf(column.gradesOf(task)));
  const main = columns.length > 1 ? shares[0] : undefined;
  const cells = shares.map((share, index): Line => {
    const text = shareText(share, columns[index]?.gradesOf(task) ?? []);
    const isLess = index > 0 && main !== undefined && isLower(comparedShare(task, columns[index]), main);
    const isMarked = isLess || (main === undefined && share.passed < share.all);
    return [isMarked ? bold(text) : text];
  });
  return [[`${task.sign} `, ...task.title, end], ...cells];
}

/** One row a suite for the tasks that need no look. */
function otherRows(
  unremarkable: readonly ShownTask[],
  apart: readonly ShownTask[],
  columns: readonly ShareColumn[],
): Line[][] {
  const bySuite = Map.groupBy(unremarkable, ({ suite }) => suite);
  return [...bySuite].map(([suite, tasks]) => {
    const isAlone = !apart.some((task) => task.suite === suite);
    const what = isAlone ? count(tasks.length, "task") : count(tasks.length, "other");
    const inSuite: Line =
      bySuite.size > 1 || tasks.some(({ title }) => title.length > 1) ? [name(suite), " · "] : [];
    return [
      [`${STATES.passed.sign} `, ...inSuite, what],
      ...columns.map((column): Line => {
        const grades = tasks.flatMap((task) => column.gradesOf(task));
        return [shareText(shareOf(grades), grades)];
      }),
    ];
  });
}

function shareText({ passed, all }: Share, grades: readonly Row[]): string {
  const [first] = grades;
  if (all > 0) return `${String(passed)}/${String(all)}`;
  return first === undefined ? "–" : stateOf(first);
}

/** What a column counts of the graders that main has, too: others have risen or dropped from nothing. */
function comparedShare(task: ShownTask, column: ShareColumn | undefined): Share {
  const graders = new Set(task.pairs.map(({ current }) => current.example.grader));
  return shareOf(column?.gradesOf(task).filter(({ grader }) => graders.has(grader)) ?? []);
}

/** Whether a smaller share passed. */
function isLower(one: Share, other: Share): boolean {
  return one.passed * other.all < other.passed * one.all;
}

/** The worst first. */
const WORST: readonly State[] = ["failed", "errored", "missing", "skipped", "passed"];

function worstOf(grades: readonly Row[]): State {
  const states = new Set(grades.map(plainState));
  return WORST.find((state) => states.has(state)) ?? "passed";
}

/** What a cell counts. */
function legendOf({ scores }: Report): string {
  const unit = unitOf(scores.grades);
  const what = scores.grades.some(isOfPluginEval)
    ? "check is what a grader of the case decides about one run"
    : unit === "statement"
      ? "statement is a line of `assertions` in evals.json, judged by itself"
      : "check is what a judge decides about one answer";
  return `\`x/y\`: of y ${unit}s, in all runs, x passed. A ${what}.`;
}
