/**
 * The test of a drop: red when chance does not explain it, or when a task that main passes is dead. Simulated by
 * `npm run bench -- gates`. Pure.
 */
import type { Pair } from "./pairs.ts";
import { taskKey, type GradeKey } from "../domain/row.ts";
import { identityOf, mean } from "../results/score.ts";
import { ROUNDING, formatNumber, sumOf } from "../text/format.ts";

/**
 * Maximum runs, over all tasks, that differ from their task's most frequent result, for exact counting. Above it the normal
 * approximation is right to .0003 at p = .05 with equal sides, and to .002 with three baseline runs for each current run.
 */
const MOST_EXACT_RUNS = 300;
/** Maximum steps of the count: only weights that differ by far, or very many values of one task, make more. */
const MOST_STEPS = 100_000_000;

/** Runs of one task on both sides: the value of each run, in whole numbers. */
export interface TaskRuns {
  readonly baseline: readonly number[];
  readonly current: readonly number[];
}

/**
 * One-sided mid-p of a drop at least as large, over all tasks: how often chance alone makes it; .5 when only one outcome is possible. Null hypothesis: within each task, the current
 * runs are a random draw from the runs of both sides. With one grader and one run per side this is McNemar's test, with
 * one task Fisher's. Mid-p, as recommended for paired counts (Fagerland, Lydersen, Laake 2013).
 */
export function exactTest(tasks: readonly TaskRuns[]): number {
  const spreads = tasks.map(spreadOf);
  const amount = sumOf(spreads.map(({ unlike }) => unlike.length));
  const unit = spreads.flatMap(({ unlike }) => unlike).reduce(divisor, 0) || 1;
  const sums = sumOf(spreads.map(({ least, most }) => most - least)) / unit;
  const draws = sumOf(spreads.map(({ unlike, drawn }) => unlike.length * Math.min(unlike.length, drawn)));
  if (amount > MOST_EXACT_RUNS || draws * sums > MOST_STEPS) return approximate(tasks);
  const chances = spreads.map((one) => sumsByChance(one, unit)).reduce(convolve, Float64Array.of(1));
  const at = sumOf(spreads.map(({ sum, least }) => sum - least)) / unit;
  return sumOf(chances.subarray(0, at)) + (chances[at] ?? 0) / 2;
}

/** Greatest common divisor: with one check a grader, all values are multiples of one. */
function divisor(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

type Spread = ReturnType<typeof spreadOf>;

/**
 * The values of a task's runs on both sides, relative to the most frequent one, and of those that are `unlike` it; how many
 * are drawn for the current side, their sum, and the bounds of the sum of so many runs.
 */
function spreadOf({ baseline, current }: TaskRuns) {
  const all = [...baseline, ...current];
  const [[frequent] = [0]] = [...Map.groupBy(all, (value) => value)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const unlike = all.filter((value) => value !== frequent).map((value) => value - frequent);
  const drawn = current.length;
  const times = Math.min(drawn, unlike.length);
  const values = new Set(unlike);
  return {
    runs: all.length,
    drawn,
    sum: sumOf(current) - drawn * frequent,
    unlike,
    least: times * Math.min(0, ...values),
    most: times * Math.max(0, ...values),
  };
}

/**
 * The normal approximation with the same mean and variance, without continuity correction, as mid-p has none. Each task's
 * current runs are drawn without replacement.
 */
function approximate(tasks: readonly TaskRuns[]): number {
  const observed = sumOf(tasks.flatMap(({ current }) => current));
  let [expected, variance] = [0, 0];
  for (const { baseline, current } of tasks) {
    const runs = [...baseline, ...current];
    const ofTask = mean(runs);
    const squares = sumOf(runs.map((value) => (value - ofTask) ** 2));
    expected += current.length * ofTask;
    variance += (squares * current.length * baseline.length) / runs.length / (runs.length - 1);
  }
  return normal((observed - expected) / Math.sqrt(variance));
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
 * The chances of the sums of the current side, from the least one on, in `unit`s. Of the runs that differ each is drawn or
 * not, one after the other: `open` holds, by the number of those drawn, the chances of the sums so far.
 */
function sumsByChance({ runs, drawn, unlike, least, most }: Spread, unit: number): Float64Array {
  const none = () => new Float64Array((most - least) / unit + 1);
  let open = [none().fill(1, -least / unit, 1 - least / unit)];
  for (const [index, value] of unlike.entries()) {
    const before = open;
    const chanceAfter = (taken: number) => (drawn - taken) / (runs - index);
    open = Array.from({ length: Math.min(before.length, drawn) + 1 }, (_, taken) => {
      const sums = none();
      add(sums, before[taken], { by: 0, factor: 1 - chanceAfter(taken) });
      add(sums, before[taken - 1], { by: value / unit, factor: chanceAfter(taken - 1) });
      return sums;
    });
  }
  const chances = none();
  for (const sums of open) add(chances, sums, { by: 0, factor: 1 });
  return chances;
}

/** Adds `from` times `factor` to `into`, shifted by `by`. */
function add(
  into: Float64Array,
  from: Float64Array = Float64Array.of(),
  { by, factor }: { readonly by: number; readonly factor: number },
): void {
  for (let at = 0; at < from.length; at += 1) {
    const value = from[at] ?? 0;
    if (value > 0) into[at + by] = (into[at + by] ?? 0) + factor * value;
  }
}

/** The chances of the sums of two independent ones, of which the other has few above 0. */
function convolve(one: Float64Array, other: Float64Array): Float64Array {
  const chances = new Float64Array(one.length + other.length - 1);
  other.forEach((factor, by) => {
    if (factor > 0) add(chances, one, { by, factor });
  });
  return chances;
}

/** The runs of graders of a task and agent model that the same runs of both sides have: what they share, permutes. */
export interface Stratum extends TaskRuns {
  readonly key: Pick<GradeKey, "suite" | "task" | "model">;
  /** The value of a run in which every check passes. */
  readonly most: number;
}

/** Puts the drop of all tasks to the test, where so many ran `again`, and what else may make a comparison red. */
export function testDrop(strata: readonly Stratum[], again = 0) {
  const suites = [...Map.groupBy(strata, ({ key }) => key.suite).values()];
  const apart = suites.length > 1 ? suites : [];
  return {
    ...dropAt(LEVEL, strata),
    /** Each suite by itself, where there are several: a narrow one weighs little beside a wide one. */
    suites: apart.map((own) => dropAt(SUITE_LEVEL / suites.length, own)),
    /** Tasks that pass on main and pass no check now, in enough runs to be red no matter what the others do. */
    dead: suites.flatMap((suite) => deadForSure(suite, again)),
  };
}

export type DropTest = ReturnType<typeof testDrop>;

/** The points of 100 that the score of these fell by, negative when it rose; how often chance alone makes that; and the one-sided level that this is held to. */
function dropAt(level: number, strata: readonly Stratum[]) {
  return { strata, level, drop: dropOf(strata), p: exactTest(strata) };
}

export type Drop = ReturnType<typeof dropAt>;

/** What makes a comparison red: the score of all or of a suite dropped beyond chance, or a task is dead. */
export function brokenRule(test: DropTest): "chance" | "suite" | "dead" | undefined {
  if (isBeyondChance(test)) return "chance";
  if (test.suites.some(isBeyondChance)) return "suite";
  return test.dead.length > 0 ? "dead" : undefined;
}

/** Whether chance does not explain a drop. */
export function isBeyondChance({ drop, p, level }: Drop): boolean {
  return drop > 0 && p <= level + MARGIN;
}

/**
 * The tasks that are below their mean in the baseline; where the sum of all or of a suite is red all of these, since one run
 * of a task that fell, too, may be lucky (docs/maintainers/measurements.md).
 */
export function fallenTasks(test: DropTest): readonly Stratum["key"][] {
  const beyond = new Set([test, ...test.suites].filter(isBeyondChance).flatMap(({ strata }) => strata));
  return tasksOf(test.strata)
    .filter(({ runs }) => runs.some((stratum) => beyond.has(stratum)) || lossOf(runs) > MARGIN)
    .map(({ key }) => key);
}

/** Tasks that pass on main and pass no check now, in however many runs. */
export function deadTasks(strata: readonly Stratum[]): readonly Stratum["key"][] {
  return tasksOf(strata)
    .filter(isDeadTask)
    .map(({ key }) => key);
}

/**
 * Those of a suite of which chance does not explain that, over all tasks that ran again, and before a second look over all
 * of the suite; or of a suite in which no task passes a check. Of forty tasks some fail by chance, of one check even three
 * times.
 */
function deadForSure(suite: readonly Stratum[], again: number): readonly Stratum["key"][] {
  const tasks = tasksOf(suite);
  const dead = tasks.filter(isDeadTask);
  const most = LEVEL / (again > 0 ? again : tasks.length);
  const isNothing = suite.every(({ current }) => current.every((value) => value === 0));
  const sure = isNothing ? dead : dead.filter(({ runs }) => exactTest(runs) <= most + MARGIN);
  return sure.map(({ key }) => key);
}

/** Whether three quarters of the runs in the baseline, or more, pass whole, and none passes a check now. */
function isDeadTask({ runs }: ReturnType<typeof tasksOf>[number]): boolean {
  return runs.every(({ baseline, current, most }) => {
    const whole = baseline.filter((value) => value === most).length;
    return whole >= WHOLE * baseline.length && current.every((value) => value === 0);
  });
}

const WHOLE = 3 / 4;

/** Points of 100 that the score fell by: the mean over the tasks. */
function dropOf(strata: readonly Stratum[]): number {
  const losses = tasksOf(strata).map(({ runs }) => lossOf(runs));
  const drop = 100 * mean(losses);
  return Math.abs(drop) < ROUNDING ? 0 : drop;
}

function tasksOf(strata: readonly Stratum[]) {
  const tasks = Map.groupBy(strata, ({ key }) => taskKey(key)).values();
  return [...tasks].flatMap((runs) => runs.slice(0, 1).map(({ key }) => ({ key, runs })));
}

/** How much of what a task's runs can be worth is gone, 0 to 1. */
function lossOf(strata: readonly Stratum[]): number {
  const lost = sumOf(strata.map(({ baseline, current }) => mean(baseline) - mean(current)));
  return lost / sumOf(strata.map(({ most }) => most));
}

/**
 * One-sided level: of all tasks, and of the dead ones divided by the number of those that could be. The same after a second
 * look: what dropped by chance drops less by chance again.
 */
export const LEVEL = 0.05;
/** The level of suites by themselves, divided by their number. By the simulation no more unchanged pull requests are red. */
const SUITE_LEVEL = 0.02;
/** Tolerance for floating-point sums that are exactly a level. */
export const MARGIN = 1e-12;

/** `A drop this large happens by chance in about 1 of 4 comparisons`, rounded so that it stays on its side of the level. */
export function chanceText(what: string, p: number, level = LEVEL): string {
  const [times, most] = [Math.round(1 / p), Math.round(1 / level)];
  const often =
    p < 0.001
      ? "fewer than 1 of 1,000"
      : p > 0.5 + MARGIN
        ? "more than half of all"
        : `about 1 of ${formatNumber(p <= level + MARGIN ? Math.max(most, times) : Math.min(most - 1, times))}`;
  return `${what} this large happens by chance in ${often} comparisons`;
}

/** Parts of the score of a task's heaviest grader: halves to tenths are whole, so that runs of equal score are equal. */
const SCORE_PARTS = 2_520;

/**
 * Strata of compared graders: for each task and agent model, the graders that have verdicts of the same runs. The value of a
 * run is the sum of its grades' scores by their weights.
 */
export function strataOf(pairs: readonly Pair[]): readonly Stratum[] {
  return [...Map.groupBy(pairs, taskKey).values()].flatMap((ofTask) => {
    const heaviest = Math.max(...ofTask.map(({ weight }) => weight));
    const worth = (score: number, { weight }: Pair) => Math.round(SCORE_PARTS * score * (weight / heaviest));
    return [...Map.groupBy(ofTask, runsKey).values()].map((pairs): Stratum => {
      const values = (side: "baseline" | "current") => {
        const grades = pairs.flatMap((pair) =>
          pair[side].grades.map((row) => ({ run: identityOf(row), value: worth(row.score, pair) })),
        );
        const runs = Map.groupBy(grades, ({ run }) => run);
        return [...runs.values()].map((run) => sumOf(run.map(({ value }) => value)));
      };
      const [{ suite, task, model }] = pairs as [Pair];
      const most = sumOf(pairs.map((pair) => worth(1, pair)));
      return { key: { suite, task, model }, most, baseline: values("baseline"), current: values("current") };
    });
  });
}

/** The runs that a grader has verdicts of, on both sides. */
function runsKey({ baseline, current }: Pair): string {
  const runs = ({ grades }: Pair["baseline"]) => grades.map(identityOf).sort();
  return JSON.stringify([runs(baseline), runs(current)]);
}
