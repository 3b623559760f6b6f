/** Figures for a handful of runs: Wilson's interval, pass^k, Cohen's kappa. Pure. */

/** z of a two-sided 95 % interval, with waza's digits (internal/statistics). */
const Z = 1.959963985;

export interface Tally {
  readonly passes: number;
  readonly runs: number;
}

/** Bounds of a rate, 0 to 1. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** A confusion matrix: `true…` where the judge agrees with the person. */
export interface TableOfFour {
  readonly truePass: number;
  /** The judge passed what the person failed. */
  readonly falsePass: number;
  /** The judge failed what the person passed. */
  readonly falseFail: number;
  readonly trueFail: number;
}

/** Wilson's 95 % score interval of a rate; 0 to 1 without runs. */
export function wilson({ passes, runs }: Tally): Interval {
  if (runs === 0) return { lower: 0, upper: 1 };
  const rate = passes / runs;
  const shrink = 1 + Z ** 2 / runs;
  const centre = (rate + Z ** 2 / (2 * runs)) / shrink;
  const half = (Z / shrink) * Math.sqrt((rate * (1 - rate)) / runs + Z ** 2 / (4 * runs ** 2));
  return {
    lower: passes === 0 ? 0 : centre - half,
    upper: passes === runs ? 1 : centre + half,
  };
}

/**
 * pass^k of a suite, for k = 1 to the fewest runs of a task: the mean over tasks of the chance that k of a task's runs,
 * drawn without replacement, all pass. Empty without tasks or runs.
 */
export function suitePassHatK(tasks: readonly Tally[]): number[] {
  if (tasks.length === 0) return [];
  const fewest = tasks.reduce((least, { runs }) => Math.min(least, runs), Infinity);
  const chances = tasks.map(() => 1);
  return Array.from({ length: fewest }, (_, drawn) => {
    tasks.forEach(({ passes, runs }, task) => {
      chances[task] = ((chances[task] ?? 0) * Math.max(0, passes - drawn)) / (runs - drawn);
    });
    return chances.reduce((sum, chance) => sum + chance, 0) / tasks.length;
  });
}

/**
 * Cohen's kappa: agreement of judge and people beyond chance; 1 is full agreement, 0 is chance. Undefined when people
 * gave only one verdict.
 */
export function kappa({ truePass, falsePass, falseFail, trueFail }: TableOfFour): number | undefined {
  const people = truePass + falseFail;
  const all = people + falsePass + trueFail;
  if (people === 0 || people === all) return undefined;
  const judge = truePass + falsePass;
  const observed = (truePass + trueFail) / all;
  const expected = (judge * people + (all - judge) * (all - people)) / all ** 2;
  return (observed - expected) / (1 - expected);
}
