/** A row of a suite's table: a task, its figures, and a mark in the cell of each grader. */
import type { Grade } from "../../domain/grade.ts";
import type { TaskScore } from "../../domain/scores.ts";
import { formatScore } from "../../text/format.ts";
import { plainState, SIGNS, stateOf, tallyText, WORDS } from "../../text/states.ts";
import type { State } from "../../text/states.ts";
import { gradeName } from "../../records/make-record.ts";
import type { Pair } from "../../compare/pairs.ts";
import { gradeKey } from "../../records/grade-key.ts";
import { BREAK, link, name, small } from "../document/tree.ts";
import type { Inline, Line } from "../document/tree.ts";
import { runsCell } from "./how-sure.ts";
import type { Page } from "./section.ts";

/** Runs of a task that get a mark each, side by side. */
const RUNS_SHOWN = 5;

/** Explanations of the less plain marks in cells, one per kind. */
export type Legend = Map<string, Line>;

/** The column that shows what moved. */
export interface Moves {
  readonly head: string;
  /** By the places of their grades of now. */
  readonly pairs: ReadonlyMap<string, Pair>;
}

/** What all tables of a page share. */
export interface Shared {
  readonly page: Page;
  /** Which graders of which tasks are newly failing. */
  readonly fresh: ReadonlySet<string>;
  /** How often each grader passed before and now, where it is compared. */
  readonly moved?: Moves | undefined;
  readonly legend: Legend;
  /** Advisory grades are in no score. */
  readonly isScored: boolean;
}

export interface RowOptions extends Shared {
  readonly graders: readonly string[];
  /** Whether several models ran the task. */
  readonly several: boolean;
  /** Whether some task has several runs. */
  readonly runs: boolean;
}

/** Whether some grade of a task failed. */
export function hasFailed(task: TaskScore): boolean {
  return task.grades.some((grade) => stateOf(grade) === "failed");
}

/** A task; all of it bold where something failed. */
export function taskRow(task: TaskScore, options: RowOptions): Line[] {
  const { graders, several, runs, isScored, moved } = options;
  const byGrader = Map.groupBy(task.grades, ({ job }) => job.grader.name);
  const marked = (one: Inline): Line => (hasFailed(task) ? [{ kind: "mark", line: [one] }] : [one]);
  const golden = task.grades.some(({ job }) => job.task.golden) ? [" ", small("golden")] : [];
  const model = several && task.model !== "" ? [BREAK, name(task.model)] : [];
  return [
    [...marked(name(task.taskId)), ...golden, ...model],
    ...(isScored ? [scoreCell(task, marked)] : []),
    ...(moved ? [movedCell(task, moved)] : []),
    ...(runs ? [[runsCell(task)]] : []),
    ...graders.map((grader) => {
      const grades = byGrader.get(grader) ?? [];
      return [...cell(grades, options), ...freshPart(grades, options)];
    }),
  ];
}

/** `6/6 → 1/6`, over the graders of a task that are compared. */
function movedCell(task: TaskScore, { pairs }: Moves): Line {
  const own = new Set(task.grades.flatMap(({ job }) => pairs.get(gradeKey(gradeName(job))) ?? []));
  if (own.size === 0) return ["–"];
  const sum = (figure: (pair: Pair) => number) => [...own].reduce((total, pair) => total + figure(pair), 0);
  const before = `${String(sum(({ baseline }) => baseline.passes))}/${String(sum(({ baseline }) => baseline.runs))}`;
  const now = `${String(sum(({ current }) => current.passes))}/${String(sum(({ current }) => current.runs))}`;
  return [`${before} → ${now}`];
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

/** Of a grader that always passed in the baseline. */
function freshPart([grade]: readonly Grade[], { fresh, legend }: RowOptions): Line {
  if (!grade || !fresh.has(gradeKey(gradeName(grade.job)))) return [];
  const sign: Inline = { kind: "mark", line: ["new"] };
  legend.set("new", [sign, ": always passed before"]);
  return [" ", sign];
}

function single(grade: Grade, legend: Legend): string {
  const sign = SIGNS[plainState(grade)];
  const { verdict } = grade;
  // Of several votes the checks are those of all, and say nothing of the score.
  if (verdict.state !== "graded" || verdict.votes) return sign;
  if (verdict.pairs?.every(({ winner }) => winner === "tie")) {
    legend.set("tie", ["tie: as good with the skill as without"]);
    return `${sign} tie`;
  }
  const passed = verdict.checks.filter(({ outcome }) => outcome === "pass").length;
  if (passed === verdict.checks.length || verdict.checks.length < 2) return sign;
  const share = `${String(passed)}/${String(verdict.checks.length)}`;
  if (!legend.has("checks")) legend.set("checks", [`${share}: ${tallyText(verdict)}`]);
  return `${sign} ${share}`;
}
