/**
 * Did it get worse? One exact test for a handful of tasks: given how many runs of a task passed on both sides together,
 * those of the current side are a random draw. McNemar's test with one run a side, Fisher's with one task. Mid-p, as is
 * advised for paired counts (Fagerland, Lydersen, Laake 2013). Pure.
 */
import type { Tally } from "./statistics.ts";

/** The level, one-sided. The margin is for sums of floating-point chances that are .05 exactly. */
const LEVEL = 0.05 + 1e-12;
/** More runs of each task than this nobody makes. */
const MOST_RUNS = 1_000;

/** Runs of one task, in the baseline and now. */
export interface TaskRuns {
  readonly baseline: Tally;
  readonly current: Tally;
}

/** One-sided mid-p: how likely chance alone makes as great a fall, or as great a rise. */
export interface Chances {
  readonly fall: number;
  readonly rise: number;
}

/** Chances of 0, 1, … more than `least` passes. */
interface Distribution {
  readonly least: number;
  readonly chances: Float64Array;
}

/** True when chance does not explain it: mid-p at most .05. */
export function isSignificant(p: number): boolean {
  return p <= LEVEL;
}

/** Mid-p of a fall and of a rise over all tasks; both are .5 when nothing could have come out otherwise. */
export function exactTest(tasks: readonly TaskRuns[]): Chances {
  const observed = tasks.reduce((sum, { current }) => sum + current.passes, 0);
  const { least, chances } = tasks
    .map(passesByChance)
    .reduce(convolve, { least: 0, chances: Float64Array.of(1) });
  const at = observed - least;
  const sum = (from: number, to: number) => chances.subarray(from, to).reduce((total, one) => total + one, 0);
  const half = (chances[at] ?? 0) / 2;
  return { fall: sum(0, at) + half, rise: sum(at + 1, chances.length) + half };
}

/**
 * The mid-p of a fall if every current run had failed: where even that is above .05, there are too few runs to tell.
 */
export function leastChance(tasks: readonly TaskRuns[]): number {
  return tasks.reduce((product, { baseline, current }) => {
    // The chance that a draw of the current side's runs misses all passes of the baseline.
    for (let missed = 0; missed < baseline.passes; missed += 1)
      product *= (baseline.runs - missed) / (baseline.runs + current.runs - missed);
    return product;
  }, 0.5);
}

/**
 * The fewest runs of each task, on both sides, by which a fall to nothing would show, with the baseline passing as
 * often as it does; undefined where no run of it passes.
 */
export function enoughRuns(tasks: readonly TaskRuns[]): number | undefined {
  for (let runs = 1; runs <= MOST_RUNS; runs += 1) {
    const scaled = tasks.map(({ baseline }): TaskRuns => {
      const passes = Math.floor((baseline.passes * runs) / baseline.runs);
      return { baseline: { passes, runs }, current: { passes: 0, runs } };
    });
    if (isSignificant(leastChance(scaled))) return runs;
  }
  return undefined;
}

/**
 * The hypergeometric distribution of a task's passes on the current side. Built outwards from the likeliest number by
 * the ratio of neighbours: no factorial to overflow, and what underflows is too unlikely to count.
 */
function passesByChance({ baseline, current }: TaskRuns): Distribution {
  const passes = baseline.passes + current.passes;
  const runs = baseline.runs + current.runs;
  const least = Math.max(0, passes - baseline.runs);
  const most = Math.min(passes, current.runs);
  const likeliest = Math.floor(((passes + 1) * (current.runs + 1)) / (runs + 2));
  // The chance of x passes over that of x - 1.
  const ratio = (x: number) =>
    ((passes - x + 1) * (current.runs - x + 1)) / (x * (baseline.runs - passes + x));
  const chances = new Float64Array(most - least + 1);
  chances[likeliest - least] = 1;
  for (let x = likeliest + 1; x <= most; x += 1)
    chances[x - least] = (chances[x - 1 - least] ?? 0) * ratio(x);
  for (let x = likeliest; x > least; x -= 1) chances[x - 1 - least] = (chances[x - least] ?? 0) / ratio(x);
  const total = chances.reduce((sum, one) => sum + one, 0);
  return { least, chances: chances.map((one) => one / total) };
}

/** The distribution of the sum of two that do not depend on each other. */
function convolve(one: Distribution, other: Distribution): Distribution {
  const chances = new Float64Array(one.chances.length + other.chances.length - 1);
  one.chances.forEach((chance, index) => {
    other.chances.forEach((also, offset) => {
      chances[index + offset] = (chances[index + offset] ?? 0) + chance * also;
    });
  });
  return { least: one.least + other.least, chances };
}
