/** The smallest drop that a comparison detects, by the simulation that `npm run bench -- gates` prints. Pure. */
import type { RunsOfTask } from "./task-runs.ts";

/** The size of a comparison, which its power depends on. */
export interface ComparisonSize {
  readonly tasks: number;
  /** Runs of a task now, or in one baseline file if fewer; a mean, to one decimal. */
  readonly runs: number;
  /** Mean of the comparable graders of a task. */
  readonly graders: number;
  /** Baseline runs per current run. */
  readonly files: number;
}

export interface DetectableDrop extends ComparisonSize {
  /** The drop, in percentage points, that 4 of 5 comparisons detect; absent without runs. */
  readonly points: number | undefined;
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
