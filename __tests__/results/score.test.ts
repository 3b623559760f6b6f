import { describe, expect, test } from "@jest/globals";
import type { Check, Verdict } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import type { Suite } from "../../src/domain/suite.ts";
import { rowOf } from "../../src/results/rows.ts";
import { checksOf, kappa, scoreGrades, wilson } from "../../src/results/score.ts";
import { suiteOf } from "../support/factories.ts";
import { MISSING, NO_KEY, erroredOf, fail, gradeOf, pass, verdictOf } from "../support/grades.ts";
import { graded as gradedRow } from "../support/rows.ts";

const suite = (name: string) => suiteOf({ name, title: name });
const DEMO = suite("demo");
const ERRORED = erroredOf({ class: "timeout" });

interface Of {
  readonly suite?: Suite;
  readonly task?: string;
  /** File, task and run of the results; null for a task without a run. */
  readonly origin?: readonly [number, number, number] | null;
  readonly number?: number;
  readonly model?: string;
  readonly weight?: number;
  readonly requests?: number;
  readonly tokens?: readonly [number, number];
}

function grade(verdict: Verdict | number, of: Of = {}): Row {
  const { suite = DEMO, task = "t1", origin = [0, 0, 0], model = "agent", weight = 1, requests = 0 } = of;
  const [input, output] = of.tokens ?? [0, 0];
  const [file, at, run] = origin ?? [0, 0, 0];
  return rowOf(
    gradeOf({
      verdict:
        typeof verdict === "number" ? { ...verdictOf([]), score: verdict, passed: verdict === 1 } : verdict,
      ...{ suite, task, requests, tokens: { input, output, cached: 0 } },
      grader: { weight },
      run: origin && { origin: { file, task: at, run }, number: of.number ?? run + 1, model },
      job: origin ? { file: { path: `${String(file)}.json`, model, runs: [] } } : {},
    }),
  );
}

describe("the score", () => {
  test.each<[string, Row[], number | undefined]>([
    ["of one grade is the grade's", [grade(0.5)], 0.5],
    ["of a run is weighted: (3 x 1 + 1 x 0) / 4", [grade(1, { weight: 3 }), grade(0)], 0.75],
    [
      "of a run with three weights: (2 x 0.5 + 1 x 1 + 0.5 x 0) / 3.5",
      [grade(0.5, { weight: 2 }), grade(1), grade(0, { weight: 0.5 })],
      2 / 3.5,
    ],
    [
      "of a task is the mean of its runs, not of its grades: ((1 + 0) / 2 + 1) / 2",
      [grade(1), grade(0), grade(1, { origin: [0, 0, 1] })],
      0.75,
    ],
    [
      "of a suite is the mean of its tasks, not of its runs: ((1 + 0 + 0) / 3 + 1) / 2",
      [
        grade(1),
        grade(0, { origin: [0, 0, 1] }),
        grade(0, { origin: [0, 0, 2] }),
        grade(1, { task: "t2", origin: [0, 1, 0] }),
      ],
      2 / 3,
    ],
    [
      "does not weigh tasks by their graders' weights: (1 + 0) / 2",
      [grade(1, { weight: 100 }), grade(0, { task: "t2", origin: [0, 1, 0] })],
      0.5,
    ],
    ["leaves an errored grade out, with its weight", [grade(1), grade(ERRORED, { weight: 9 })], 1],
    ["leaves a skipped grade out", [grade(0.25), grade(NO_KEY), grade(MISSING)], 0.25],
    [
      "leaves a run without a graded grade out of its task: 1, not (1 + 0) / 2",
      [grade(1), grade(ERRORED, { origin: [0, 0, 1] })],
      1,
    ],
    [
      "leaves a task without a graded grade out of its suite",
      [
        grade(0.5),
        grade(ERRORED, { task: "t2", origin: [0, 1, 0] }),
        grade(MISSING, { task: "t3", origin: null }),
      ],
      0.5,
    ],
    [
      "counts an agent that failed as 0",
      [grade(1), grade(verdictOf([], { note: "The agent's run failed" }), { origin: [0, 0, 1] })],
      0.5,
    ],
    [
      "takes each model's tasks as tasks of their own: (1 + (0 + 1) / 2) / 2",
      [
        grade(1, { model: "a" }),
        grade(0, { model: "b", origin: [1, 0, 0] }),
        grade(1, { model: "b", origin: [1, 0, 1] }),
      ],
      0.75,
    ],
    [
      "joins the runs of one model over several files: (1 + 0 + 0) / 3",
      [grade(1), grade(0, { origin: [1, 0, 0] }), grade(0, { origin: [2, 0, 0] })],
      1 / 3,
    ],
    ["is absent when all errored", [grade(ERRORED), grade(MISSING, { origin: null })], undefined],
    ["is absent without grades", [], undefined],
    [
      "is weighted in each task: t1 0.8, t2 1",
      [grade(1, { weight: 4 }), grade(0), grade(1, { task: "t2", origin: [0, 1, 0] })],
      0.9,
    ],
  ])("%s", (_case, grades, score) => {
    const scores = scoreGrades([DEMO], grades);
    for (const scored of [scores, scores.suites[0]!]) {
      if (score === undefined) expect(scored).not.toHaveProperty("score");
      else expect(scored.score).toBeCloseTo(score, 12);
    }
  });

  test("of several suites is the mean of all their tasks, not of the suites: (1 + 0 + 0.5) / 3", () => {
    const [one, two, none] = [suite("one"), suite("two"), suite("none")];
    const second = grade(0.5, { suite: two, task: "t2", origin: [0, 1, 0] });
    const scores = scoreGrades(
      [one, none, two],
      [grade(1, { suite: one }), grade(0, { suite: two }), second],
    );
    expect(scores.score).toBeCloseTo(0.5, 12);
    expect(scores.suites.map(({ suite: { title }, score }) => [title, score])).toEqual([
      ["one", 1],
      ["none", undefined],
      ["two", 0.25],
    ]);
  });

  test("keeps two suites of one name and one task id apart", () => {
    const keyed = (file: string) => ({ ...suite("same"), key: `same (${file})` });
    const [one, two] = [keyed("a"), keyed("b")];
    const scores = scoreGrades([one, two], [grade(1, { suite: one }), grade(0, { suite: two })]);
    expect(scores.suites.map(({ score, tasks }) => [score, tasks.length])).toEqual([
      [1, 1],
      [0, 1],
    ]);
  });
});

describe("the tasks and runs of a suite", () => {
  test("stand in the order of the grades, with model, number and file", () => {
    const grades = [
      grade(1, { task: "t2", origin: [0, 1, 0], number: 4 }),
      grade(0, { task: "t1" }),
      grade(0.5, { task: "t2", origin: [0, 1, 0], number: 4, weight: 3 }),
      grade(MISSING, { task: "t3", origin: null }),
    ];
    const { tasks } = scoreGrades([DEMO], grades).suites[0]!;
    expect(tasks.map(({ taskId, model }) => [taskId, model])).toEqual([
      ["t2", "agent"],
      ["t1", "agent"],
      ["t3", ""],
    ]);
    expect(tasks[0]?.runs).toEqual([
      { number: 4, file: "0.json", grades: [grades[0], grades[2]], score: 0.625 },
    ]);
    expect(tasks[2]?.runs).toEqual([{ number: 0, grades: [grades[3]] }]);
  });

  test("with one id but two models are two tasks, and a run without a number does not join them", () => {
    const grades = [
      grade(1, { model: "a" }),
      grade(0, { model: "b", origin: [1, 0, 0] }),
      grade(1, { model: "b", origin: [1, 0, 1], number: 1 }),
    ];
    const { tasks } = scoreGrades([DEMO], grades).suites[0]!;
    expect(tasks.map(({ model, runs, score }) => [model, runs.length, score])).toEqual([
      ["a", 1, 1],
      ["b", 2, 0.5],
    ]);
  });
});

describe("the counts", () => {
  test("tell every state apart, count checks, and add requests and tokens", () => {
    const checks = [pass(), pass("d"), fail()];
    const incomplete = { class: "timeout", message: "slow" } as const;
    const { counts } = scoreGrades(
      [DEMO],
      [
        grade(verdictOf(checks.slice(0, 2)), { requests: 2, tokens: [100, 10] }),
        grade(verdictOf(checks, { incomplete }), { requests: 3, tokens: [200, 20] }),
        grade(verdictOf(checks.slice(2), { recorded: true })),
        grade(verdictOf([], { note: "no grading call" }), { requests: 1, tokens: [5, 1] }),
        grade(ERRORED, { requests: 4 }),
        grade(NO_KEY),
        grade(MISSING, { origin: null }),
        grade(MISSING, { origin: null }),
      ],
    );
    expect(counts).toEqual({
      ...{ planned: 8, passed: 1, failed: 3, errored: 1, skipped: 3, missing: 2, incomplete: 1, recorded: 1 },
      ...{ checksPassed: 4, checksFailed: 2 },
      errorClasses: ["timeout"],
      judgeCalls: 10,
      tokens: { input: 305, output: 31, cached: 0, written: 0 },
    });
  });

  test("of nothing are all zero", () => {
    const { counts, suites } = scoreGrades([DEMO], []);
    expect(Object.values(counts).filter((value) => typeof value === "number")).toEqual(Array(12).fill(0));
    expect(suites).toEqual([{ suite: DEMO, tasks: [], grades: [] }]);
  });
});

/* Wilson's interval, pass^k and kappa, against published values. */

const outcomes = (written: string): Check[] => Array.from(written, (one) => (one === "P" ? pass() : fail()));

test.each<[string, Parameters<typeof gradedRow>[0], string]>([
  ["asked once", { passed: false, score: 2 / 3, checks: outcomes("PPF") }, "2/3"],
  [
    "failed, and confirmed twice: the checks of three votes",
    {
      passed: false,
      score: 6 / 9,
      checks: outcomes("PPFPFPFPP"),
      votes: { passed: 0, failed: 3, errored: 0 },
    },
    "2/3",
  ],
  [
    "failed once, and passed twice after that: the checks of these two",
    { checks: outcomes("PPPPPP"), votes: { passed: 2, failed: 1, errored: 0 } },
    "3/3",
  ],
  ["failed without a check", { passed: false, checks: [] }, "0/1"],
])("checks of a grade that was %s", (_, row, expected) => {
  const { passed, all } = checksOf(gradedRow(row)) ?? { passed: 0, all: 0 };
  expect(`${String(passed)}/${String(all)}`).toBe(expected);
});

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
