/** What a skill is worth: the same tasks with and without it, by the exact test, and its sentence. Pure. */
import { exactTest, runValue } from "./chance.ts";
import { oneOf } from "./comparison-text.ts";
import type { Check } from "../domain/grade.ts";
import { type Scores, type VerdictRow, isChecked } from "../domain/row.ts";
import { suiteKey } from "../results/rows.ts";
import { mean, weightedMean } from "../results/score.ts";
import { count } from "../text/format.ts";

export interface Lift {
  /** Means of the tasks' scores, 0 to 1. */
  readonly with: number;
  readonly without: number;
  /** Score difference in points; negative when lower with the skill. */
  readonly points: number;
  /** One-sided mid-p of a difference this large. */
  readonly p: number;
  readonly tasks: readonly LiftedTask[];
  /** Statements that pass in every run with the skill, and fail in one without it. */
  readonly earned: readonly LiftedStatement[];
  /** Statements that pass in every run of both sides. */
  readonly idle: readonly LiftedStatement[];
  /** Statements that fail in a run with the skill, and pass in every one without it. */
  readonly harmed: readonly LiftedStatement[];
}

/** One task on both sides: mean score and number of runs. */
export interface LiftedTask {
  readonly suite: string;
  readonly task: string;
  readonly with: LiftSide;
  readonly without: LiftSide;
}

interface LiftSide {
  readonly score: number;
  readonly runs: number;
}

/** A statement and its task. */
export interface LiftedStatement {
  readonly suite: string;
  readonly task: string;
  readonly text: string;
  /** The judge's reason on the side where it fails. */
  readonly reason?: string | undefined;
}

/** The judged grades of a run. */
type Run = readonly VerdictRow[];

/** Compares the tasks with graded runs on both sides, by the graders of both; undefined without such tasks. */
export function liftOf(withSkill: Scores, without: Scores): Lift | undefined {
  const others = byTask(without);
  const both = [...byTask(withSkill)].flatMap(([key, one]) => bothSides(one, others.get(key)));
  if (both.length === 0) return undefined;
  const tasks = both.map(({ suite, task, withRuns, withoutRuns }): LiftedTask => ({
    suite,
    task,
    with: sideOf(withRuns),
    without: sideOf(withoutRuns),
  }));
  const rates = {
    with: mean(tasks.map((task) => task.with.score)),
    without: mean(tasks.map((task) => task.without.score)),
  };
  const points = 100 * (rates.with - rates.without);
  const values = (runs: readonly Run[]) => runs.map((run) => runValue(run));
  const chance = exactTest(
    both.map(({ withRuns, withoutRuns }) => ({ baseline: values(withoutRuns), current: values(withRuns) })),
  );
  const found = both.map(statementsOf);
  return {
    ...rates,
    points,
    // Of a rise the mid-p is the rest.
    p: points < 0 ? chance.p : 1 - chance.p,
    tasks,
    earned: found.flatMap(({ earned }) => earned),
    idle: found.flatMap(({ idle }) => idle),
    harmed: found.flatMap(({ harmed }) => harmed),
  };
}

interface TaskRuns {
  readonly suite: string;
  readonly task: string;
  readonly runs: readonly Run[];
}

/** The judged runs of each task, by all models. */
function byTask({ suites }: Scores): ReadonlyMap<string, TaskRuns> {
  const tasks = suites.flatMap(({ suite, tasks: own }) =>
    own.map(({ taskId, runs }) => ({
      suite: suiteKey(suite),
      task: taskId,
      runs: runs.map(({ grades }) => grades.filter(isChecked)),
    })),
  );
  const groups = Map.groupBy(tasks, ({ suite, task }) => JSON.stringify([suite, task]));
  return new Map(
    [...groups].flatMap(([key, [first, ...more]]) =>
      first ? [[key, { ...first, runs: [first, ...more].flatMap(({ runs }) => runs) }]] : [],
    ),
  );
}

interface BothSides {
  readonly suite: string;
  readonly task: string;
  readonly withRuns: readonly Run[];
  readonly withoutRuns: readonly Run[];
}

/** The runs with a verdict of every grader that both sides have, with only these graders' grades. */
function bothSides(one: TaskRuns, other: TaskRuns | undefined): BothSides[] {
  const named = (runs: readonly Run[]) => new Set(runs.flat().map(({ grader }) => grader));
  const others = named(other?.runs ?? []);
  const graders = new Set([...named(one.runs)].filter((name) => others.has(name)));
  const whole = (runs: readonly Run[]) =>
    runs
      .map((run) => run.filter(({ grader }) => graders.has(grader)))
      .filter(({ length }) => length === graders.size);
  const [withRuns, withoutRuns] = [whole(one.runs), whole(other?.runs ?? [])];
  const { suite, task } = one;
  const isBoth = graders.size > 0 && withRuns.length > 0 && withoutRuns.length > 0;
  return isBoth ? [{ suite, task, withRuns, withoutRuns }] : [];
}

function sideOf(runs: readonly Run[]): LiftSide {
  return { score: mean(runs.map(scoreOf)), runs: runs.length };
}

function scoreOf(run: Run): number {
  return weightedMean(run);
}

type Statements = Pick<Lift, "earned" | "idle" | "harmed">;

function statementsOf({ suite, task, withRuns, withoutRuns }: BothSides): Statements {
  const graders = new Map(withRuns.flat().map(({ grader, statements }) => [grader, statements]));
  const all = [...graders].flatMap(([grader, statements]) =>
    statements.flatMap(({ text }, index) => {
      const withSkill = failuresOf(withRuns, grader, index + 1);
      const without = failuresOf(withoutRuns, grader, index + 1);
      if (!withSkill || !without) return [];
      const reason = [...withSkill, ...without].find((check) => check.reason !== undefined)?.reason;
      const statement = { suite, task, text, reason };
      return { statement, failsWith: withSkill.length > 0, failsWithout: without.length > 0 };
    }),
  );
  const safe = all.filter(({ failsWithout }) => !failsWithout);
  return {
    earned: all.filter((one) => !one.failsWith && one.failsWithout).map(({ statement }) => statement),
    idle: safe.filter(({ failsWith }) => !failsWith).map(({ statement }) => statement),
    harmed: safe.filter(({ failsWith }) => failsWith).map(({ statement }) => statement),
  };
}

/** The failed checks of a statement; undefined if a run has no verdict on it. */
function failuresOf(runs: readonly Run[], grader: string, number: number): readonly Check[] | undefined {
  const verdicts = runs.flat().filter((row) => row.grader === grader);
  const own = verdicts.map(({ checks }) => checks.filter(({ statement }) => statement === number));
  return own.some(({ length }) => length === 0)
    ? undefined
    : own.flat().filter(({ outcome }) => outcome === "fail");
}

/** `With the skill 88 %, without it 51 % (over 8 tasks with runs of both): +37 points. A difference this large happens by chance in about 1 of 40 comparisons.` */
export function liftSentence({ with: rate, without, points, p, tasks }: Lift): string {
  const percent = (share: number) => `${String(Math.round(100 * share))} %`;
  const rates = `With the skill ${percent(rate)}, without it ${percent(without)}`;
  const basis = `over ${count(tasks.length, "task")} with runs of both`;
  const difference =
    signed(points) === "0"
      ? "no difference"
      : `${signed(points)} points. A difference this large happens by chance in ${oneOf(p)} comparisons`;
  return `${rates} (${basis}): ${difference}.`;
}

/** Points with their sign. */
export function signed(points: number): string {
  const whole = Math.round(points);
  return whole === 0 ? "0" : `${whole > 0 ? "+" : "−"}${String(Math.abs(whole))}`;
}
