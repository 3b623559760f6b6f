/** Wilson's interval, pass^k and kappa, against published values. */
import { describe, expect, test } from "@jest/globals";
import { kappa, suitePassHatK, wilson } from "../../src/results/score.ts";

describe("Wilson's interval", () => {
  test.each([
    { passes: 1, runs: 3, lower: 0.0615, upper: 0.7923 },
    { passes: 3, runs: 3, lower: 0.4385, upper: 1 },
    { passes: 8, runs: 10, lower: 0.4902, upper: 0.9433 },
    { passes: 20, runs: 20, lower: 0.8389, upper: 1 },
    { passes: 0, runs: 3, lower: 0, upper: 1 - 0.4385 },
    { passes: 0, runs: 0, lower: 0, upper: 1 },
  ])("of $passes of $runs is $lower to $upper", ({ passes, runs, lower, upper }) => {
    const interval = wilson({ passes, runs });
    expect(interval.lower).toBeCloseTo(lower, 4);
    expect(interval.upper).toBeCloseTo(upper, 4);
    expect(interval.lower).toBeGreaterThanOrEqual(0);
    expect(interval.upper).toBeLessThanOrEqual(1);
  });
});

describe("pass^k", () => {
  const FIVE = [5, 4, 2].map((passes) => ({ passes, runs: 5 }));

  test("of tasks with 5, 4 and 2 of 5", () => {
    const expected = [0.7333, 0.5667, 0.4667, 0.4, 0.3333];
    expect(suitePassHatK(FIVE).map((value) => Number(value.toFixed(4)))).toEqual(expected);
  });

  test("of one task is the share of its runs, then of their pairs, down to all of them", () => {
    const values = suitePassHatK([{ passes: 4, runs: 5 }]);
    expect(values.map((value) => value.toFixed(9))).toEqual(
      [0.8, 0.6, 0.4, 0.2, 0].map((value) => value.toFixed(9)),
    );
  });

  test("of a suite goes as far as the task with the fewest runs, and no task has none", () => {
    expect(suitePassHatK([...FIVE, { passes: 2, runs: 2 }])).toHaveLength(2);
    expect(suitePassHatK([])).toEqual([]);
  });
});

describe("kappa", () => {
  test.each([
    ["of a judge that is mostly right", [45, 6, 3, 26], 0.762],
    ["collapses at skewed margins: .675 agree", [130, 56, 9, 5], 0.022],
    ["of a judge that always agrees", [5, 0, 0, 5], 1],
    ["of a judge that always disagrees", [0, 5, 5, 0], -1],
    ["of a judge that passes all", [8, 2, 0, 0], 0],
    ["where people failed nothing", [8, 0, 2, 0], undefined],
    ["where people passed nothing", [0, 2, 0, 8], undefined],
    ["of nothing", [0, 0, 0, 0], undefined],
  ] as const)("%s", (_, [truePass, falsePass, falseFail, trueFail], expected) => {
    const found = kappa({ truePass, falsePass, falseFail, trueFail });
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(expected, 3);
  });
});
