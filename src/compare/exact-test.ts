/**
 * Did it get worse? One exact test for a handful of tasks: the runs of a task, of both sides together, are what they
 * are, and those of the current side are a random draw of them. McNemar's test with one grader and one run a side,
 * Fisher's with one task. Mid-p, as is advised for paired counts (Fagerland, Lydersen, Laake 2013). Pure.
 */

/** The level, one-sided. The margin is for sums of floating-point chances that are .05 exactly. */
const LEVEL = 0.05;
/** The level of a drop of one task, divided by the number of tasks. */
const TASK_LEVEL = 0.01;
const MARGIN = 1e-12;

/**
 * The most runs, of all tasks together, that may differ from their task's most frequent result for every way to be
 * counted. Of more, the normal approximation of a p of .05 is right to .0003 with as many runs now as before, and to .002
 * with three times as many before; the count would grow by the cube.
 */
export const COUNTED = 300;

/** Runs of one task, in the baseline and now: of each, how many of its grades passed. */
export interface TaskRuns {
  readonly baseline: readonly number[];
  readonly current: readonly number[];
}

/** One-sided mid-p: how likely chance alone makes as great a drop or rise. */
export interface Chances {
  readonly drop: number;
  readonly rise: number;
  /** Whether every way was counted, or the normal approximation was taken. */
  readonly exact: boolean;
}

/** Chances of 0, 1, … more than `least`. */
interface Distribution {
  readonly least: number;
  readonly chances: Float64Array;
}

/** True when chance does not explain it: mid-p at most .05, or another level. */
export function isSignificant(p: number, level = LEVEL): boolean {
  return p <= level + MARGIN;
}

/** The same of one of several tasks, whose own mid-p it is: at most .01 divided by their number. */
export function isSignificantOfOne(p: number, tasks: number): boolean {
  return p <= TASK_LEVEL / tasks + MARGIN;
}

/**
 * Mid-p of a drop and of a rise over all tasks; both are .5 when nothing could have come out otherwise. Exact while at most
 * `COUNTED` runs differ from their task's most frequent result, and by the normal approximation above.
 */
export function exactTest(tasks: readonly TaskRuns[]): Chances {
  const observed = tasks.reduce((total, { current }) => total + sum(current), 0);
  const results = tasks.map(resultsOf);
  if (results.reduce((total, { runs, frequent }) => total + runs - frequent.number, 0) > COUNTED)
    return approximate(tasks, observed);
  const { least, chances } = results.map(passedByChance).reduce(convolve, CERTAIN);
  const at = observed - least;
  const half = (chances[at] ?? 0) / 2;
  return {
    drop: sum(chances.subarray(0, at)) + half,
    rise: sum(chances.subarray(at + 1)) + half,
    exact: true,
  };
}

/** The mid-p of a drop if every current grade had failed: where even that is above .05, there are too few runs to tell. */
export function leastChance(tasks: readonly TaskRuns[]): number {
  return exactTest(tasks.map(({ baseline, current }) => ({ baseline, current: current.map(() => 0) }))).drop;
}

const CERTAIN: Distribution = { least: 0, chances: Float64Array.of(1) };

/** The results of a task's runs, both sides together: how many runs have the most frequent one, and each other one. */
interface Results {
  readonly runs: number;
  /** Runs of the current side. */
  readonly drawn: number;
  readonly frequent: Result;
  readonly others: readonly Result[];
}

/** A number of passed grades, and how many runs have it. */
interface Result {
  readonly value: number;
  readonly number: number;
}

function resultsOf({ baseline, current }: TaskRuns): Results {
  const numbers = new Map<number, number>();
  for (const value of [...baseline, ...current]) numbers.set(value, (numbers.get(value) ?? 0) + 1);
  const [frequent = { value: 0, number: 0 }, ...others] = [...numbers]
    .map(([value, number]) => ({ value, number }))
    .sort((a, b) => b.number - a.number);
  return { runs: baseline.length + current.length, drawn: current.length, frequent, others };
}

/**
 * The distribution of the sum of the current side's values. Runs of one value after the other are drawn from, so that
 * each step is hypergeometric: `open` has, by the number of runs still to be drawn, the distribution of the sum so far.
 * What is left in the end has the most frequent value, from which all sums are counted.
 */
function passedByChance({ runs, drawn, frequent, others }: Results): Distribution {
  const steps = others.map(({ value, number }) => ({ step: value - frequent.value, number }));
  const below = sum(steps.map(({ step, number }) => Math.max(0, -step) * number));
  const above = sum(steps.map(({ step, number }) => Math.max(0, step) * number));
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
  return { least: drawn * frequent.value - below, chances };
}

interface Shift {
  readonly by: number;
  readonly factor: number;
}

/** Adds `from` times `factor` to `into`, `by` further on. */
function add(into: Float64Array, from: Float64Array, { by, factor }: Shift): void {
  from.forEach((value, at) => {
    if (value > 0) into[at + by] = (into[at + by] ?? 0) + factor * value;
  });
}

/**
 * The normal distribution of the same mean and variance: no correction by half a step, since mid-p has none. Each task's
 * current runs are drawn without putting back.
 */
function approximate(tasks: readonly TaskRuns[], observed: number): Chances {
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

/** The normal distribution function, by its series (Marsaglia 2004); beyond 8 the error is all that is left of it. */
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
