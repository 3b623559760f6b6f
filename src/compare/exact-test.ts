/**
 * Did it get worse? One exact test for a handful of tasks: the runs of a task, of both sides together, are what they
 * are, and those of the current side are a random draw of them. McNemar's test with one grader and one run a side,
 * Fisher's with one task. Mid-p, as is advised for paired counts (Fagerland, Lydersen, Laake 2013). Pure.
 */

/** The level, one-sided. The margin is for sums of floating-point chances that are .05 exactly. */
const LEVEL = 0.05;
/** The level of one task's own fall, divided by the number of tasks. */
const TASK_LEVEL = 0.01;
const MARGIN = 1e-12;

/** Runs of one task, in the baseline and now: of each, how many of its grades passed. */
export interface TaskRuns {
  readonly baseline: readonly number[];
  readonly current: readonly number[];
}

/** One-sided mid-p: how likely chance alone makes as great a fall, or as great a rise. */
export interface Chances {
  readonly fall: number;
  readonly rise: number;
}

/** Chances of 0, 1, … more than `least`. */
interface Distribution {
  readonly least: number;
  readonly chances: Float64Array;
}

/** True when chance does not explain it: mid-p at most .05. */
export function isSignificant(p: number): boolean {
  return p <= LEVEL + MARGIN;
}

/** The same of one of several tasks, whose own mid-p it is: at most .01 divided by their number. */
export function isSignificantOfOne(p: number, tasks: number): boolean {
  return p <= TASK_LEVEL / tasks + MARGIN;
}

/** Mid-p of a fall and of a rise over all tasks; both are .5 when nothing could have come out otherwise. */
export function exactTest(tasks: readonly TaskRuns[]): Chances {
  const observed = tasks.reduce((total, { current }) => total + sum(current), 0);
  const { least, chances } = tasks.map(passedByChance).reduce(convolve, CERTAIN);
  const at = observed - least;
  const half = (chances[at] ?? 0) / 2;
  return { fall: sum(chances.subarray(0, at)) + half, rise: sum(chances.subarray(at + 1)) + half };
}

/** The mid-p of a fall if every current grade had failed: where even that is above .05, there are too few runs to tell. */
export function leastChance(tasks: readonly TaskRuns[]): number {
  return exactTest(tasks.map(({ baseline, current }) => ({ baseline, current: current.map(() => 0) }))).fall;
}

const CERTAIN: Distribution = { least: 0, chances: Float64Array.of(1) };

/**
 * The distribution of the sum of the current side's values. Runs of one value after the other are drawn from, so that
 * each step is hypergeometric: `open[n]` is the distribution of what is drawn already, with n runs still to be drawn.
 */
function passedByChance({ baseline, current }: TaskRuns): Distribution {
  const runs = [...baseline, ...current];
  const most = current.length * runs.reduce((greatest, value) => Math.max(greatest, value), 0);
  const values = [...Map.groupBy(runs, (value) => value)].map(([value, its]) => [value, its.length] as const);
  let open: (readonly [toDraw: number, sums: Float64Array])[] = [[current.length, Float64Array.of(1)]];
  let left = runs.length;
  for (const [value, its] of values) {
    const next = new Map<number, Float64Array>();
    for (const [toDraw, sums] of open) {
      const { least, chances } = hypergeometric(its, left, toDraw);
      chances.forEach((chance, index) => {
        const drawn = least + index;
        const into = next.get(toDraw - drawn) ?? new Float64Array(most + 1);
        next.set(toDraw - drawn, into);
        sums.forEach((already, at) => {
          if (already > 0) into[at + drawn * value] = (into[at + drawn * value] ?? 0) + chance * already;
        });
      });
    }
    open = [...next];
    left -= its;
  }
  const chances = open[0]?.[1] ?? CERTAIN.chances;
  const least = chances.findIndex((chance) => chance > 0);
  return { least, chances: chances.slice(least, chances.findLastIndex((chance) => chance > 0) + 1) };
}

/**
 * How many of `marked` of all runs are among those drawn. Built outwards from the likeliest number by the ratio of
 * neighbours: no factorial to overflow, and what underflows is too unlikely to count.
 */
function hypergeometric(marked: number, all: number, drawn: number): Distribution {
  const least = Math.max(0, marked + drawn - all);
  const most = Math.min(marked, drawn);
  const likeliest = Math.floor(((marked + 1) * (drawn + 1)) / (all + 2));
  // The chance of x over that of x - 1.
  const ratio = (x: number) => ((marked - x + 1) * (drawn - x + 1)) / (x * (all - drawn - marked + x));
  const chances = new Float64Array(most - least + 1);
  chances[likeliest - least] = 1;
  for (let x = likeliest + 1; x <= most; x += 1)
    chances[x - least] = (chances[x - 1 - least] ?? 0) * ratio(x);
  for (let x = likeliest; x > least; x -= 1) chances[x - 1 - least] = (chances[x - least] ?? 0) / ratio(x);
  const total = sum(chances);
  return { least, chances: chances.map((one) => one / total) };
}

/** The distribution of the sum of two that do not depend on each other. */
function convolve(one: Distribution, other: Distribution): Distribution {
  const chances = new Float64Array(one.chances.length + other.chances.length - 1);
  for (const [index, chance] of one.chances.entries())
    for (let offset = 0; offset < other.chances.length; offset += 1)
      chances[index + offset] = (chances[index + offset] ?? 0) + chance * (other.chances[offset] ?? 0);
  return { least: one.least + other.least, chances };
}

function sum(values: readonly number[] | Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
