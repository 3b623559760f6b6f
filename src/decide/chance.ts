/**
 * The rule of `noise`: a drop counts when chance does not explain it, when it is large, or when one task dropped by
 * itself; and the drop that a comparison detects, by the simulation that `npm run bench -- gates` prints. Pure.
 */
import type { Pair } from "./pairs.ts";
import { type GradeKey, type Row, type VerdictRow, isChecked } from "../domain/row.ts";
import { ROUNDING } from "../text/format.ts";
import { MOST_EXACT_RUNS, MOST_EXACT_VALUES } from "./limits.ts";

/** Runs of one task on both sides: the value of each run, in whole numbers. */
export interface TaskRuns {
  readonly baseline: readonly number[];
  readonly current: readonly number[];
}

/** The mid-p if every current grade had failed: the smallest that these runs can give. */
export function leastChance(tasks: readonly TaskRuns[]): number {
  return exactTest(tasks.map(({ baseline, current }) => ({ baseline, current: current.map(() => 0) }))).drop;
}

const CERTAIN: Distribution = { least: 0, chances: Float64Array.of(1) };

/** One-sided mid-p of a drop or rise at least as large. */
export interface Chances {
  readonly drop: number;
  readonly rise: number;
  /** False for the normal approximation. */
  readonly exact: boolean;
}

/**
 * Mid-p of a drop and of a rise over all tasks; both are .5 when only one outcome is possible. Null hypothesis: within
 * each task, the current runs are a random draw from the runs of both sides. With one grader and one run per side this is
 * McNemar's test, with one task Fisher's. Mid-p, as recommended for paired counts (Fagerland, Lydersen, Laake 2013).
 */
export function exactTest(tasks: readonly TaskRuns[]): Chances {
  const results = tasks.map(resultsOf);
  const differing = sum(results.map((one) => one.differing));
  const cost = sum(results.map((one) => one.differing * one.others.length));
  if (differing > MOST_EXACT_RUNS || cost > MOST_EXACT_VALUES) return approximate(tasks);
  const unit = results.flatMap(({ others }) => others.map(({ value }) => value)).reduce(divisor, 0) || 1;
  const { least, chances } = results.map((one) => sumsByChance(one, unit)).reduce(convolve, CERTAIN);
  const observed = tasks.reduce(
    (total, { current }, task) => total + sum(current) - current.length * (results[task]?.frequent ?? 0),
    0,
  );
  const at = observed / unit - least;
  const half = (chances[at] ?? 0) / 2;
  return {
    drop: sum(chances.subarray(0, at)) + half,
    rise: sum(chances.subarray(at + 1)) + half,
    exact: true,
  };
}

function sum(values: readonly number[] | Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Greatest common divisor: with one check a grader, all values are multiples of 100. */
function divisor(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/** The values of a task's runs on both sides: the most frequent one, and the number of runs with each other one. */
interface Results {
  readonly runs: number;
  /** Runs of the current side. */
  readonly drawn: number;
  readonly frequent: number;
  readonly others: readonly Result[];
  /** Runs with another value than the most frequent one. */
  readonly differing: number;
}

/** A value, relative to the most frequent one, and the runs that have it. */
interface Result {
  readonly value: number;
  readonly number: number;
}

function resultsOf({ baseline, current }: TaskRuns): Results {
  const numbers = new Map<number, number>();
  for (const value of [...baseline, ...current]) numbers.set(value, (numbers.get(value) ?? 0) + 1);
  const [[frequent, same] = [0, 0], ...others] = [...numbers].sort(([, a], [, b]) => b - a);
  const runs = baseline.length + current.length;
  return {
    runs,
    drawn: current.length,
    frequent,
    others: others.map(([value, number]) => ({ value: value - frequent, number })),
    differing: runs - same,
  };
}

/**
 * The normal approximation with the same mean and variance, without continuity correction, as mid-p has none. Each task's
 * current runs are drawn without replacement.
 */
function approximate(tasks: readonly TaskRuns[]): Chances {
  const observed = tasks.reduce((total, { current }) => total + sum(current), 0);
  let [mean, variance] = [0, 0];
  for (const { baseline, current } of tasks) {
    const runs = [...baseline, ...current];
    const ofTask = sum(runs) / runs.length;
    const squares = sum(runs.map((value) => (value - ofTask) ** 2));
    mean += current.length * ofTask;
    variance += (squares * current.length * baseline.length) / runs.length / (runs.length - 1);
  }
  const z = (observed - mean) / Math.sqrt(variance);
  return { drop: normal(z), rise: normal(-z), exact: false };
}

/** The normal distribution function by its series (Marsaglia 2004); beyond 8 only rounding errors would remain. */
function normal(z: number): number {
  if (Math.abs(z) > 8) return z > 0 ? 1 : 0;
  let [total, before, term] = [z, 0, z];
  for (let factor = 3; total !== before; factor += 2) {
    before = total;
    term *= z ** 2 / factor;
    total += term;
  }
  return Math.max(0, 0.5 + (total * Math.exp(-(z ** 2) / 2)) / Math.sqrt(2 * Math.PI));
}

/** Chances of `least`, `least` + 1, … */
interface Distribution {
  readonly least: number;
  readonly chances: Float64Array;
}

/**
 * The distribution of the sum of the current side's values, in `unit`s. Values are drawn one after the other, so that
 * each step is hypergeometric: `open` holds, by the number of runs still to draw, the distribution of the sum so far.
 * Sums are counted relative to the most frequent value, which all remaining runs have.
 */
function sumsByChance({ runs, drawn, others }: Results, unit: number): Distribution {
  const steps = others.map(({ value, number }) => ({ step: value / unit, number }));
  const below = sum(steps.map(({ step, number }) => Math.max(0, -step) * Math.min(number, drawn)));
  const above = sum(steps.map(({ step, number }) => Math.max(0, step) * Math.min(number, drawn)));
  let open = new Map([[drawn, new Float64Array(below + above + 1)]]);
  open.get(drawn)?.fill(1, below, below + 1);
  let left = runs;
  for (const { step, number } of steps) {
    const next = new Map<number, Float64Array<ArrayBuffer>>();
    for (const [toDraw, sums] of open) {
      const { least, chances } = hypergeometric(number, left, toDraw);
      chances.forEach((chance, index) => {
        const taken = least + index;
        const into = next.get(toDraw - taken) ?? new Float64Array(sums.length);
        next.set(toDraw - taken, into);
        add(into, sums, { by: taken * step, factor: chance });
      });
    }
    open = next;
    left -= number;
  }
  const chances = new Float64Array(below + above + 1);
  for (const sums of open.values()) add(chances, sums, { by: 0, factor: 1 });
  return { least: -below, chances };
}

/**
 * The distribution of the number of marked runs among those drawn. Built outwards from the likeliest number by the ratio
 * of neighbours, so that no factorial overflows.
 */
function hypergeometric(marked: number, all: number, drawn: number): Distribution {
  const least = Math.max(0, marked + drawn - all);
  const most = Math.min(marked, drawn);
  const likeliest = Math.floor(((marked + 1) * (drawn + 1)) / (all + 2));
  // Ratio of the chance of x to that of x - 1.
  const ratio = (x: number) => ((marked - x + 1) * (drawn - x + 1)) / (x * (all - drawn - marked + x));
  const chances = new Float64Array(most - least + 1);
  chances[likeliest - least] = 1;
  for (let x = likeliest + 1; x <= most; x += 1)
    chances[x - least] = (chances[x - 1 - least] ?? 0) * ratio(x);
  for (let x = likeliest; x > least; x -= 1) chances[x - 1 - least] = (chances[x - least] ?? 0) / ratio(x);
  const total = sum(chances);
  return { least, chances: chances.map((one) => one / total) };
}

interface Shift {
  readonly by: number;
  readonly factor: number;
}

/** Adds `from` times `factor` to `into`, shifted by `by`. */
function add(into: Float64Array, from: Float64Array, { by, factor }: Shift): void {
  for (let at = 0; at < from.length; at += 1) {
    const value = from[at] ?? 0;
    if (value > 0) into[at + by] = (into[at + by] ?? 0) + factor * value;
  }
}

/** The distribution of the sum of two independent ones, of which the other has few chances above 0. */
function convolve(one: Distribution, other: Distribution): Distribution {
  const chances = new Float64Array(one.chances.length + other.chances.length - 1);
  other.chances.forEach((factor, by) => {
    if (factor > 0) add(chances, one.chances, { by, factor });
  });
  return { least: one.least + other.least, chances };
}

/** Level up to which a second attempt of the agent is worth its cost. */
const UNDECIDED_LEVEL = 0.25;
/** Level when nothing passes now. */
const TOTAL_LEVEL = 0.1;

/** The runs of a task and agent model. */
export interface RunsOfTask extends TaskRuns {
  readonly key: Pick<GradeKey, "task" | "model">;
  /** Number of comparable graders. */
  readonly graders: number;
  /** The value of a run in which every check passes. */
  readonly most: number;
}

export interface DropTest {
  readonly tasks: readonly RunsOfTask[];
  readonly isDrop: boolean;
  /** Chance makes such a drop in at most 1 of 4 comparisons: one more attempt would decide. */
  readonly isUndecided: boolean;
  /** The drop is in all tasks together, not only in one. */
  readonly inAll: boolean;
  /** Absent where no run can be compared. */
  readonly p?: Chances | undefined;
  readonly task?: DroppedTask | undefined;
}

/** A task with a significant drop, with its scores before and now. */
export interface DroppedTask extends Pick<RunsOfTask, "key"> {
  readonly p: number;
  readonly baseline: number;
  readonly current: number;
}

/** Whether the score dropped by more than noise; `drop` in points of 100 (negative when it rose). */
export function testDrop(tasks: readonly RunsOfTask[], drop: number): DropTest {
  const p = tasks.length > 0 ? exactTest(tasks) : undefined;
  const task = droppedTask(tasks);
  const level = passesNothing(tasks) ? TOTAL_LEVEL : undefined;
  const isSignificantDrop = drop > 0 && p !== undefined && isSignificant(p.drop, level);
  const inAll = isSignificantDrop || isLargeDrop(drop);
  const isDrop = inAll || task !== undefined;
  const isUndecided = drop > 0 && p !== undefined && p.drop <= UNDECIDED_LEVEL + MARGIN;
  return { tasks, p, task, inAll, isDrop, isUndecided };
}

/** The task with the smallest p of its own drop, where that is significant; of equal ones the one that dropped most. */
function droppedTask(tasks: readonly RunsOfTask[]): DroppedTask | undefined {
  const [worst] = tasks
    .map((task) => ({ ...task, p: exactTest([task]).drop }))
    .filter(({ p }) => isTaskSignificant(p, tasks.length))
    .map(({ key, p, most, baseline, current }) => {
      const score = (values: readonly number[]) => sum(values) / values.length / most;
      return { key, p, baseline: score(baseline), current: score(current) };
    })
    .sort((a, b) => (Math.abs(a.p - b.p) > MARGIN ? a.p - b.p : dropOf(b) - dropOf(a)));
  return worst;
}

function dropOf({ baseline, current }: Pick<DroppedTask, "baseline" | "current">): number {
  return Math.round((baseline - current) / ROUNDING);
}

/** Level for the drop of a single task; divided by the number of tasks. */
const TASK_LEVEL = 0.01;
/** Tolerance for floating-point sums that are exactly a level. */
const MARGIN = 1e-12;

/** The same for the drop of one of several tasks. */
export function isTaskSignificant(p: number, tasks: number): boolean {
  return p <= TASK_LEVEL / tasks + MARGIN;
}

function passesNothing(tasks: readonly RunsOfTask[]): boolean {
  return tasks.every(({ current }) => current.every((value) => value === 0));
}

/** One-sided level. */
const LEVEL = 0.05;

/** Whether a mid-p is below the level, so that chance does not explain the drop. */
export function isSignificant(p: number, level = LEVEL): boolean {
  return p <= level + MARGIN;
}

/** Percentage points. Larger drops fail regardless of significance, which few runs hardly reach. */
export const LARGE_DROP = 34;

export function isLargeDrop(points: number): boolean {
  return points > LARGE_DROP + ROUNDING;
}

/** Whether the worst possible result would count as a drop. */
export function canDrop(tasks: readonly RunsOfTask[], baselineScore: number): boolean {
  return isSignificant(leastChance(tasks), TOTAL_LEVEL) || isLargeDrop(100 * baselineScore);
}

export interface DetectableDrop extends ComparisonSize {
  /** The drop, in percentage points, that 4 of 5 comparisons detect; absent without runs. */
  readonly points: number | undefined;
}

/** The size of a comparison, which its power depends on. */
interface ComparisonSize {
  readonly tasks: number;
  /** Runs of a task now, or in one baseline file if fewer; a mean, to one decimal. */
  readonly runs: number;
  /** Mean of the comparable graders of a task. */
  readonly graders: number;
  /** Baseline runs per current run. */
  readonly files: number;
}

export function detectableBetween(tasks: readonly RunsOfTask[]): DetectableDrop {
  const mean = (figure: (task: RunsOfTask) => number) =>
    tasks.reduce((sum, task) => sum + figure(task), 0) / Math.max(1, tasks.length);
  const [baseline, current] = [mean((task) => task.baseline.length), mean((task) => task.current.length)];
  return detectableDrop({
    tasks: tasks.length,
    runs: Number(mean((task) => Math.min(task.baseline.length, task.current.length)).toFixed(1)),
    graders: mean(({ graders }) => graders),
    files: baseline / Math.max(1, current),
  });
}

/** Runs of each task: the columns of the table. */
const RUNS = [1, 3, 5];

/**
 * Tasks, then for each of RUNS the drop, in points, that `noise` detects in 4 of 5 comparisons. Simulated with one grader
 * and one baseline file, for agents with pass rates of 80 % and 95 %: the larger figure. Below 12 runs in all, the
 * largest figure for 1 to 3 graders and 1 to 3 files.
 */
const POINTS: readonly (readonly [tasks: number, ...points: number[]])[] = [
  [1, 91, 81, 64],
  [2, 75, 69, 59],
  [3, 80, 61, 48],
  [5, 63, 49, 37],
  [8, 55, 39, 29],
  [12, 56, 31, 23],
  [20, 43, 24, 17],
  [40, 29, 16, 12],
  [100, 18, 10, 8],
];

/** Factors for more graders and for three baseline files, which help from this many runs in all; accurate to 3 points. */
const FACTORS_FROM = 12;
const THREE_FILES = 0.82;
const GRADERS = [1, 0.8, 0.7];

/**
 * The detectable drop of a comparison of this size. Runs are whole numbers, so that a larger suite may detect less: the
 * result is the largest figure of the table for this size and all larger ones.
 */
export function detectableDrop(size: ComparisonSize): DetectableDrop {
  const column = RUNS.findLastIndex((runs) => runs <= size.runs);
  const row = POINTS.findLastIndex(([tasks]) => tasks <= size.tasks);
  if (column < 0 || row < 0) return { ...size, points: undefined };
  const points = Math.max(...POINTS.slice(row).flatMap((sizes) => sizes.slice(column + 1)));
  if (size.tasks * size.runs < FACTORS_FROM) return { ...size, points };
  const graders = GRADERS[Math.min(GRADERS.length, Math.floor(size.graders)) - 1] ?? 1;
  return { ...size, points: Math.round(points * graders * (size.files >= 3 ? THREE_FILES : 1)) };
}

/**
 * The value of each run on both sides, by the current weights. A run is left out when one of its comparable graders has
 * no verdict.
 */
export function runsOfTasks(pairs: readonly Pair[]): {
  readonly tasks: readonly RunsOfTask[];
  readonly leftOut: number;
} {
  let leftOut = 0;
  const tasks = [...Map.groupBy(pairs, taskKey).values()].flatMap((ofTask): RunsOfTask[] => {
    const weights = new Map(ofTask.map(({ grader, current }) => [grader, current.example.weight]));
    const value = (grades: readonly Pick<VerdictRow, "grader" | "score">[]) =>
      runValue(grades.map(({ grader, score }) => ({ score, weight: weights.get(grader) ?? 1 })));
    const values = (side: "baseline" | "current") => {
      const grades = ofTask.flatMap((pair) => pair[side].records);
      const runs = [...Map.groupBy(grades, ({ run, file }) => JSON.stringify([run, file])).values()];
      const whole = runs.map((run) => run.filter(isChecked)).filter(({ length }) => length === ofTask.length);
      leftOut += runs.length - whole.length;
      return whole.map(value);
    };
    const [key] = ofTask as [Pair];
    const task = {
      key,
      graders: ofTask.length,
      most: value(ofTask.map(({ grader }) => ({ grader, score: 1 }))),
      baseline: values("baseline"),
      current: values("current"),
    };
    return task.baseline.length > 0 && task.current.length > 0 ? [task] : [];
  });
  return { tasks, leftOut };
}

/**
 * The value of a run in the chance test: the scores of its grades, in hundredths, times their weights relative to the
 * heaviest grader's. A sum, so that no quotient splits runs of equal score.
 */
export function runValue(grades: readonly { readonly score: number; readonly weight: number }[]): number {
  const heaviest = Math.max(...grades.map(({ weight }) => weight));
  return sum(grades.map(({ score, weight }) => Math.round(100 * score * (weight / heaviest))));
}

/** Key of the task and agent model of a grade or pair. */
export function taskKey({ suite, task, model }: Pick<Row, "suite" | "task" | "model">): string {
  return JSON.stringify([suite, task, model]);
}

/** Key of a task, for all models together. */
export function taskKeyOfAnyModel({ suite, task }: Pick<Row, "suite" | "task">): string {
  return JSON.stringify([suite, task]);
}
