/**
 * Exact test for a drop. Null hypothesis: within each task, the current runs are a random draw from the runs of both
 * sides. With one grader and one run per side this is McNemar's test, with one task Fisher's. Mid-p, as recommended for
 * paired counts (Fagerland, Lydersen, Laake 2013). Pure.
 */

/** One-sided level. */
const LEVEL = 0.05;
/** Level for the drop of a single task; divided by the number of tasks. */
const TASK_LEVEL = 0.01;
/** Tolerance for floating-point sums that are exactly a level. */
const MARGIN = 1e-12;

/**
 * Maximum runs, over all tasks, that differ from their task's most frequent result, for exact counting, which grows with
 * the cube. Above it the normal approximation is right to .0003 at p = .05 with equal sides, and to .002 with three
 * baseline runs for each current run.
 */
export const MOST_EXACT = 300;

/** Runs of one task on both sides: the number of passed grades of each run. */
export interface TaskRuns {
  readonly baseline: readonly number[];
  readonly current: readonly number[];
}

/** One-sided mid-p of a drop or rise at least as large. */
export interface Chances {
  readonly drop: number;
  readonly rise: number;
  /** False for the normal approximation. */
  readonly exact: boolean;
}

/** Chances of `least`, `least` + 1, … */
interface Distribution {
  readonly least: number;
  readonly chances: Float64Array;
}

/** Whether a mid-p is below the level, so that chance does not explain the drop. */
export function isSignificant(p: number, level = LEVEL): boolean {
  return p <= level + MARGIN;
}

/** The same for the drop of one of several tasks. */
export function isTaskSignificant(p: number, tasks: number): boolean {
  return p <= TASK_LEVEL / tasks + MARGIN;
}

/** Mid-p of a drop and of a rise over all tasks; both are .5 when only one outcome is possible. */
export function exactTest(tasks: readonly TaskRuns[]): Chances {
  const observed = tasks.reduce((total, { current }) => total + sum(current), 0);
  const results = tasks.map(resultsOf);
  if (results.reduce((total, { runs, frequent }) => total + runs - frequent.number, 0) > MOST_EXACT)
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

/** The mid-p if every current grade had failed: the smallest that these runs can give. */
export function leastChance(tasks: readonly TaskRuns[]): number {
  return exactTest(tasks.map(({ baseline, current }) => ({ baseline, current: current.map(() => 0) }))).drop;
}

const CERTAIN: Distribution = { least: 0, chances: Float64Array.of(1) };

/** The results of a task's runs on both sides: the most frequent one, and the number of runs with each other one. */
interface Results {
  readonly runs: number;
  /** Runs of the current side. */
  readonly drawn: number;
  readonly frequent: Result;
  readonly others: readonly Result[];
}

/** A number of passed grades, and the runs that have it. */
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
 * The distribution of the sum of the current side's passed grades. Values are drawn one after the other, so that each
 * step is hypergeometric: `open` holds, by the number of runs still to draw, the distribution of the sum so far. Sums are
 * counted relative to the most frequent value, which all remaining runs have.
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

/** Adds `from` times `factor` to `into`, shifted by `by`. */
function add(into: Float64Array, from: Float64Array, { by, factor }: Shift): void {
  from.forEach((value, at) => {
    if (value > 0) into[at + by] = (into[at + by] ?? 0) + factor * value;
  });
}

/**
 * The normal approximation with the same mean and variance, without continuity correction, as mid-p has none. Each task's
 * current runs are drawn without replacement.
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

/** The distribution of the sum of two independent ones. */
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
