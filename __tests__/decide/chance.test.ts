/** The exact test, against listed values and against a count of every way the runs could have fallen; and what makes a drop red. */
import { describe, expect, test } from "@jest/globals";
import {
  brokenRule,
  chanceText,
  exactTest,
  strataOf,
  testDrop,
  type Stratum,
  type TaskRuns,
} from "../../src/decide/chance.ts";
import { pairUp } from "../../src/decide/pairs.ts";
import { tasksToRunAgain } from "../../src/decide/second-look.ts";
import { graded, tasks as tasksOf } from "../support/rows.ts";

/** `3/3 2/3`: three of three in the baseline, two of three now. */
function task(written: string): TaskRuns {
  const [s = 0, k = 0, t = 0, n = 0] = written.split(/[/ ]/).map(Number);
  const runs = (passes: number, all: number) =>
    Array.from({ length: all }, (_, run) => (run < passes ? 1 : 0));
  return { baseline: runs(s, k), current: runs(t, n) };
}

function times(number: number, written: string): string[] {
  return Array.from({ length: number }, () => written);
}

test.each<[string, string[], number, number]>([
  ["one task", ["3/3 0/3"], 0.025, 3],
  ["one task", ["3/3 1/3"], 0.1, 3],
  ["one task, 5 runs", ["5/5 2/5"], 0.042, 3],
  ["one task, 2 runs", ["2/2 0/2"], 0.083, 3],
  ["two tasks", times(2, "2/2 0/2"), 0.014, 3],
  ["single runs, 3 newly failing", times(3, "1/1 0/1"), 0.0625, 4],
  ["single runs, 4 newly failing", times(4, "1/1 0/1"), 0.031, 3],
  ["single runs, 5 newly failing", times(5, "1/1 0/1"), 0.016, 3],
  ["single runs, 6 newly failing", times(6, "1/1 0/1"), 0.008, 3],
  ["single runs, 5 newly failing and 1 newly passing", [...times(5, "1/1 0/1"), "0/1 1/1"], 0.0625, 4],
  ["four tasks", times(4, "3/3 2/3"), 0.031, 3],
  ["three tasks, all flaky", ["2/3 1/3", "3/3 2/3", "1/3 2/3"], 0.336, 3],
  ["nothing could have come out otherwise", ["3/3 3/3", "0/3 0/3"], 0.5, 9],
  ["tasks that did not change say nothing", [...times(4, "1/1 0/1"), ...times(9, "1/1 1/1")], 0.031, 3],
])("mid-p of a drop: %s, %s: %p", (_, tasks, expected, digits) => {
  expect(exactTest(tasks.map(task))).toBeCloseTo(expected, digits);
});

/** Every way to call so many of the runs current, counted by how many of their grades passed. */
function countWays({ baseline, current }: TaskRuns): number[] {
  const runs = [...baseline, ...current];
  const ways: number[] = [];
  for (let drawn = 0; drawn < 2 ** runs.length; drawn += 1) {
    const chosen = runs.filter((_, run) => (drawn >> run) & 1);
    if (chosen.length !== current.length) continue;
    const passed = chosen.reduce((sum, one) => sum + one, 0);
    ways[passed] = (ways[passed] ?? 0) + 1;
  }
  return ways;
}

/** Twice the ways that are fewer passes than there were, and once those that are as many, over twice all. */
function counted(tasks: readonly TaskRuns[]): number {
  const observed = tasks.flatMap(({ current }) => current).reduce((sum, one) => sum + one, 0);
  let [below, same, all] = [0, 0, 0];
  const walk = (index: number, passed: number, ways: number) => {
    const one = tasks[index];
    if (one) {
      countsOf(one).forEach((number, more) => {
        walk(index + 1, passed + more, ways * number);
      });
      return;
    }
    all += ways;
    if (passed < observed) below += ways;
    if (passed === observed) same += ways;
  };
  walk(0, 0, 1);
  return (2 * below + same) / (2 * all);
}

const known = new Map<string, number[]>();
function countsOf(one: TaskRuns): number[] {
  const key = JSON.stringify(one);
  const counts = known.get(key) ?? countWays(one);
  known.set(key, counts);
  return counts;
}

/** Each way a task of so many graders can come out with up to so many runs a side. */
function outcomes(most: number, graders = 1): TaskRuns[] {
  const sides = Array.from({ length: most }, (_, index) => index + 1).flatMap((runs) =>
    Array.from({ length: runs }).reduce<number[][]>(
      (made) =>
        made.flatMap((values) =>
          Array.from({ length: graders + 1 }, (_, value) => value)
            .filter((value) => value >= (values.at(-1) ?? 0))
            .map((value) => [...values, value]),
        ),
      [[]],
    ),
  );
  return sides.flatMap((baseline) => sides.map((current) => ({ baseline, current })));
}

describe("agrees with a count of every way", () => {
  test.each<[string, TaskRuns[][]]>([
    ["of one task with up to 6 runs a side", outcomes(6).map((one) => [one])],
    ["of one task with up to 3 and three graders", outcomes(3, 3).map((one) => [one])],
    [
      "of two tasks with up to 2 and three graders",
      outcomes(2, 3).flatMap((a) => outcomes(2, 3).map((b) => [a, b])),
    ],
    ["of two tasks with up to 3", outcomes(3).flatMap((one) => outcomes(3).map((other) => [one, other]))],
    [
      "of three tasks with up to 2",
      outcomes(2).flatMap((a) => outcomes(2).flatMap((b) => outcomes(2).map((c) => [a, b, c]))),
    ],
  ])("%s", (_, cases) => {
    let furthest = 0;
    for (const tasks of cases) {
      furthest = Math.max(furthest, Math.abs(exactTest(tasks) - counted(tasks)));
    }
    expect(cases.length).toBeGreaterThan(500);
    expect(furthest).toBeLessThan(1e-12);
  });
});

describe("more runs than are counted: the normal approximation", () => {
  test("of one task: half as many passes as before is no chance, as many is one half", () => {
    expect(exactTest([task("10000/20000 5000/20000")])).toBeLessThan(1e-12);
    expect(exactTest([task("5000/20000 10000/20000")])).toBeCloseTo(1, 12);
    expect(exactTest([task("10000/20000 10000/20000")])).toBeCloseTo(0.5, 12);
  });

  test("of 3,000 tasks with one run each: the sign test's 1,500 against 1,500 is one half", () => {
    const tasks = [...times(1_500, "1/1 0/1"), ...times(1_500, "0/1 1/1")].map(task);
    expect(exactTest(tasks)).toBeCloseTo(0.5, 10);
    // 1,560 against 1,440: the normal curve's 2.19 standard deviations, half a step inwards by mid-p.
    const tilted = [...times(1_560, "1/1 0/1"), ...times(1_440, "0/1 1/1")].map(task);
    expect(exactTest(tilted)).toBeCloseTo(0.01423, 4);
  });

  test("of five graders, 800 runs a side", () => {
    const runs = (least: number) => Array.from({ length: 800 }, (_, run) => least + (run % 4));
    expect(exactTest([{ baseline: runs(1), current: runs(0) }])).toBeLessThan(1e-12);
  });

  test.each([
    // 301 runs failed; the count of every way is beside it.
    ["863/1000 836/1000", 0.0457, 0.0459],
    ["2788/3000 911/1000", 0.0285, 0.0303],
  ])("%s: %p, where the count is %p", (written, approximated, counted) => {
    const p = exactTest([task(written)]);
    expect(p).toBeCloseTo(approximated, 4);
    expect(Math.abs(p - counted)).toBeLessThan(0.002);
  });

  test("300 runs that differ are counted", () => {
    expect(exactTest([task("20000/20000 19997/20000")])).toBeCloseTo(1 / 16, 4);
  });
});

test.each<[string, number[], number[], number, number]>([
  // Of the 20 ways to draw three of 0, 0, 0, 1, 2, 3 one has a sum of 0 and one of 1.
  ["three graders", [1, 2, 3], [0, 0, 0], 0.025, 12],
  [
    "one that always passes beside one that fell says the same as the one that fell",
    [2, 2, 2],
    [1, 1, 1],
    0.025,
    12,
  ],
  ["nothing passed", [0, 0], [0, 0], 0.5, 12],
])("mid-p of a drop of several graders: %s", (_, baseline, current, expected, digits) => {
  expect(exactTest([{ baseline, current }])).toBeCloseTo(expected, digits);
});

/** Strata of tasks `0`, `1`, …, each of one check. */
function tested(written: readonly string[], again = 0) {
  return testDrop(
    written.map((one, index) => ({
      ...task(one),
      key: { suite: "s", task: String(index), model: "" },
      most: 1,
    })),
    again,
  );
}

test.each<[string, string[], ReturnType<typeof brokenRule>]>([
  ["chance makes it in 1 of 32", times(4, "1/1 0/1"), "chance"],
  [
    "the level is met where floating point misses the sum of the chances: 1 of 20",
    ["1/1 2/4", "1/1 0/5"],
    "chance",
  ],
  ["chance makes it in 1 of 16", [...times(3, "1/1 0/1"), "1/1 1/1"], undefined],
  [
    "a task that passes on main is dead where chance never makes that, also where others rose",
    ["15/15 0/3", ...times(11, "0/5 1/1")],
    "dead",
  ],
  ["not in three runs against five, of twelve tasks", ["5/5 0/3", ...times(11, "0/5 1/1")], undefined],
  ["not in one run or two", ["5/5 0/2", "5/5 0/1", ...times(10, "0/5 1/1")], undefined],
  ["in one run where no task of the suite passes a check", ["5/5 0/1"], "dead"],
  ["also beside one that main never passed: 110 is 000 now", ["2/2 0/1", "2/2 0/1", "0/2 0/1"], "dead"],
])("what is red: %s", (_, written, broken) => {
  expect(brokenRule(tested(written))).toBe(broken);
});

test("a sentence is on the side of the level where floating point misses that, too", () => {
  const p = exactTest(["2/2 0/3", "2/4 1/4"].map(task));
  expect(p).toBeGreaterThan(0.05);
  expect(chanceText("A drop", p)).toBe("A drop this large happens by chance in about 1 of 20 comparisons");
});

test.each<[string, string[], string[], ReturnType<typeof brokenRule>]>([
  ["of two, 1 of 128", [...times(3, "3/3 0/1"), "3/3 1/1"], times(4, "0/1 1/1"), "suite"],
  ["not 1 of 32", ["3/3 0/1", "3/3 0/1", "3/3 1/1"], times(4, "0/1 1/1"), undefined],
  ["of both, where the sum says more", ["3/3 0/1", "3/3 0/1"], times(2, "3/3 0/1"), "chance"],
  ["where another rose less", ["5/5 0/1", "5/5 0/1", "5/5 1/1"], ["5/5 1/1"], "chance"],
])("a suite is looked at by itself: %s", (_, first, second, broken) => {
  const strata = [...tested(first).strata, ...tested(second).strata.map(inOther)];
  expect(brokenRule(testDrop(strata))).toBe(broken);
});

const inOther = (one: Stratum): Stratum => ({ ...one, key: { ...one.key, suite: "other" } });

test("what dropped in a suite by itself runs again, also where the others rose", () => {
  const strata = [
    ...tested(["5/5 0/1", "5/5 0/1", "5/5 1/1"]).strata,
    ...tested(times(6, "0/5 1/1")).strata.map(inOther),
  ];
  const test = testDrop(strata);
  expect(test.drop).toBeLessThan(0);
  expect(tasksToRunAgain(test).map(({ suite, task: id }) => [suite, id])).toEqual([
    ["s", "0"],
    ["s", "1"],
  ]);
});

test.each<[string, number, string, ReturnType<typeof brokenRule>]>([
  ["in three runs, also where others rose", 1, "5/5 0/3", "dead"],
  ["also beside four others that ran again", 5, "5/5 0/3", "dead"],
  ["not beside so many that one of them stays dead by chance", 6, "5/5 0/3", undefined],
  ["and where one of five runs of main failed", 1, "4/5 0/3", "dead"],
  ["not then beside another", 2, "4/5 0/3", undefined],
  ["not where two of five did", 1, "3/5 0/3", undefined],
  ["not where one of three passed", 1, "5/5 1/3", undefined],
  ["not by a single result of main", 1, "1/1 0/3", undefined],
])("after a second look a task that passes on main is dead %s", (_, again, written, broken) => {
  expect(brokenRule(tested([written, ...times(11, "0/5 1/1")], again))).toBe(broken);
});

test.each<[string, string[], string[]]>([
  ["one dead task of three that always passed", ["5/5 0/1", "5/5 1/1", "5/5 1/1"], ["0"]],
  ["one that passes in four of five runs", ["4/5 0/1", "5/5 1/1", "5/5 1/1"], ["0"]],
  ["none that is as low as two of five runs", ["3/5 0/1", "5/5 1/1", "5/5 1/1"], []],
  ["a dead one, also beside one that is mended", ["5/5 0/1", "0/5 1/1", "5/5 1/1"], ["0"]],
  ["what dropped and is not dead, where the whole dropped far enough", ["8/9 1/3", "5/5 1/1"], ["0"]],
  ["not where the whole did not", ["8/9 1/3", ...times(4, "0/5 1/1")], []],
  ["none where nothing dropped", times(3, "5/5 1/1"), []],
  ["none of twelve dead ones: they are red with all that could pass", times(12, "5/5 0/1"), []],
  ["none of one file of main: three runs against one can be chance", ["1/1 0/1", "1/1 1/1"], []],
])("run again: %s", (_, written, expected) => {
  expect(tasksToRunAgain(tested(written)).map(({ task: id }) => id)).toEqual(expected);
});

test("runs of equal score are equal, also of thirds: two thirds by one grader, or one by each", () => {
  const run = (task: string, scores: readonly number[], file: string) =>
    scores.map((score, index) =>
      graded({ task, grader: `g${String(index)}`, passed: false, score, file, runId: `${file}-${task}` }),
    );
  const [one, other] = [
    [2 / 3, 0],
    [1 / 3, 1 / 3],
  ] as const;
  const strata = strataOf(
    pairUp([...run("t1", one, "m1"), ...run("t1", other, "m2")], run("t1", one, "now"), "on main").pairs,
  );
  expect(new Set(strata.flatMap(({ baseline, current }) => [...baseline, ...current])).size).toBe(1);
});

test("a grader of a thousandth of the weight is not lost: it fails in all of twelve tasks", () => {
  const both = (written: string, light: string) => [
    ...tasksOf(written, { weight: 100 }),
    ...tasksOf(light, { grader: "light", weight: 0.1 }),
  ];
  const main = [1, 2, 3, 4, 5].flatMap((time) =>
    both("P".repeat(12), "P".repeat(12)).map((row) => ({
      ...row,
      time,
      runId: `${row.task}-${String(time)}`,
    })),
  );
  const now = both("P".repeat(12), "F".repeat(12));
  expect(exactTest(strataOf(pairUp(main, now, "on main").pairs))).toBeLessThan(0.001);
});
