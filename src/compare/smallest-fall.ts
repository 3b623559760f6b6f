/** How small a fall a comparison sees, by the simulation that `npm run bench -- gates` prints. Pure. */

/** Runs of each task, by columns. */
const RUNS = [1, 3, 5];

/** Tasks, then the points of a fall that `noise` finds in 4 of 5 comparisons, by runs: the larger of agents at 80 and 95 %. */
const POINTS: readonly (readonly [tasks: number, ...points: number[]])[] = [
  [1, 84, 80, 61],
  [2, 64, 70, 57],
  [3, 79, 61, 47],
  [5, 55, 49, 38],
  [8, 54, 37, 29],
  [12, 58, 30, 23],
  [20, 43, 23, 18],
  [40, 29, 17, 12],
  [100, 17, 10, 8],
];

/** What a comparison of this size can see. */
export interface Sight {
  readonly tasks: number;
  /** Of a task, on the side that has fewer; a mean, to one decimal. */
  readonly runs: number;
  /** Percentage points of a fall that is found in 4 of 5 comparisons; absent without runs. */
  readonly points?: number | undefined;
}

/**
 * What can be seen, by the runs of each task. Whole runs come in steps, so that a suite a little larger may see less:
 * the most of the table's figures for this size and for all larger ones can be relied on.
 */
export function sightOf(tasks: readonly number[]): Sight {
  const all = tasks.reduce((sum, runs) => sum + runs, 0);
  const runs = Number((all / Math.max(1, tasks.length)).toFixed(1));
  const column = RUNS.findLastIndex((size) => size <= runs);
  const row = POINTS.findLastIndex(([size]) => size <= tasks.length);
  const points = POINTS.slice(row).flatMap((sizes) => sizes.slice(column + 1));
  return { tasks: tasks.length, runs, points: column < 0 || row < 0 ? undefined : Math.max(...points) };
}
