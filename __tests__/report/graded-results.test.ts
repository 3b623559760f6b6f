import { describe, expect, test } from "@jest/globals";
import type { Grade, Verdict } from "../../src/domain/grade.ts";
import { recordOf } from "../../src/report/record.ts";
import type { Report } from "../../src/report/report.ts";
import { gradedCopy } from "../../src/report/waza-copy.ts";
import { scoreGrades } from "../../src/results/score.ts";
import { NO_KEY, SUITE, erroredOf, fail, gradeOf, pass, verdictOf, type Made } from "../support/grades.ts";
import { reportOfRows } from "../support/reports.ts";
import { rowsOf } from "../support/rows.ts";

const GREEN = verdictOf([pass("d", "r")]);
const RED = verdictOf([fail("d", "r")]);

/** The grade of the run at `task`/`run` of the first file. */
function grade(task: number, run: number, verdict: Verdict, more: Partial<Made> = {}): Grade {
  return gradeOf({
    verdict,
    task: `t${String(task + 1)}`,
    requests: 2,
    durationMs: 1_234,
    ...more,
    grader: { name: "judge", prompt: "Good?", ...more.grader },
    run: { origin: { file: 0, task, run }, number: run + 1, ...more.run },
  });
}

interface Out {
  config: Record<string, unknown>;
  summary: Record<string, number> & {
    groups?: unknown;
    statistics?: unknown;
  };
  tasks: OutTask[];
  waza_grade: {
    conclusion: string;
    score: number | null;
    grades: Record<string, unknown>[];
    suites: unknown[];
  };
  [key: string]: unknown;
}
interface OutTask {
  status: string;
  stats: Record<string, number> & { flaky?: boolean };
  runs: { status: string; validations: Record<string, Record<string, unknown>> }[];
  [key: string]: unknown;
}

/** The copy for waza, with the record in place of its grades. */
const gradedResults = (document: unknown, one: Report) =>
  ({ ...gradedCopy(document, 0, one), waza_grade: recordOf(one) }) as unknown as Out;

/** With the only run passed, where no grades are given. */
const result = (document: unknown, grades: readonly Grade[] = [grade(0, 0, GREEN)]) =>
  gradedResults(document, reportOfRows([SUITE], rowsOf(grades)));

const validation = (changes: Record<string, unknown> = {}) => ({
  identifier: "words",
  type: "code",
  score: 0.5,
  weight: 3,
  passed: false,
  feedback: "too many words",
  details: { limit: 10 },
  duration_ms: 7,
  ...changes,
});

const runData = (changes: Record<string, unknown> = {}) => ({
  run_number: 1,
  attempts: 1,
  status: "skipped",
  duration_ms: 1_000,
  validations: {},
  final_output: "Out.",
  ...changes,
});

const taskData = (changes: Record<string, unknown> = {}) => ({
  test_id: "t1",
  display_name: "T1",
  status: "skipped",
  runs: [runData()],
  stats: null,
  ...changes,
});

const documentOf = (tasks: readonly unknown[] = [taskData()], changes: Record<string, unknown> = {}) => ({
  eval_id: "e",
  eval_name: "suite",
  config: { runs_per_test: 1, model_id: "agent-1", engine_type: "copilot" },
  summary: { total_tests: 9, success_rate: 0.9, aggregate_score: 0.9, duration_ms: 55, usage: { turns: 3 } },
  metrics: {},
  tasks,
  ...changes,
});

/** A document of one task with these runs, numbered from 1. */
const documentOfRuns = (...runs: readonly Record<string, unknown>[]) =>
  documentOf([taskData({ runs: runs.map((one, index) => runData({ run_number: index + 1, ...one })) })]);

/** The validations of the first run. */
const validationsOf = (out: Out) => out.tasks[0]?.runs[0]?.validations ?? {};

describe("our validation", () => {
  test("is written as waza writes its prompt grader's", () => {
    const checks = [pass("a", "ra"), fail("b", "rb"), fail(), pass("c")];
    const verdict = verdictOf(checks, { response: "Said." });
    const out = result(documentOf(), [grade(0, 0, verdict, { grader: { weight: 2 } })]);
    expect(validationsOf(out)).toEqual({
      judge: {
        identifier: "judge",
        type: "prompt",
        score: 0.5,
        weight: 2,
        passed: false,
        feedback: "fail: b: rb;fail: : ",
        details: {
          response: "Said.",
          prompt: "Good?",
          passes: "pass: a: ra;pass: c: ",
          failures: "fail: b: rb;fail: : ",
        },
        duration_ms: 1_234,
      },
    });
    expect(out.tasks[0]?.runs[0]?.status).toBe("failed");
  });

  test("never says that all passed when no call was made", () => {
    const verdict = verdictOf([], { note: "The judge made no grading call." });
    const out = result(documentOf(), [grade(0, 0, verdict)]);
    expect(validationsOf(out).judge).toMatchObject({
      score: 0,
      passed: false,
      feedback: "The judge made no grading call.",
    });
    expect(JSON.stringify(out)).not.toContain("All prompts passed");
  });

  test("replaces the old one of the same name and keeps the others, unknown fields and all", () => {
    const old = {
      judge: validation({ identifier: "judge", type: "prompt", score: 0 }),
      words: validation({ extra: [1] }),
    };
    const document = documentOfRuns({ validations: old, tool_events: ["kept"] });
    const before = JSON.stringify(document);
    const out = result(document);
    const validations = validationsOf(out);
    expect(Object.keys(validations).sort()).toEqual(["judge", "words"]);
    expect(validations.judge).toMatchObject({ score: 1, passed: true });
    expect(validations.words).toEqual(old.words);
    expect(out.tasks[0]?.runs[0]).toHaveProperty("tool_events", ["kept"]);
    expect(JSON.stringify(document)).toBe(before);
  });

  test("is removed, the old one too, when the grade errored, and the error is under waza_grade", () => {
    const old = { judge: validation({ identifier: "judge", passed: true, score: 1 }), words: validation() };
    const error = { class: "server", message: "busy", help: "later" } as const;
    const out = result(documentOfRuns({ validations: old }), [grade(0, 0, erroredOf(error))]);
    expect(Object.keys(validationsOf(out))).toEqual(["words"]);
    expect(out.waza_grade.grades).toMatchObject([{ grader: "judge", state: "errored", error }]);
    expect(out.tasks[0]?.stats.avg_weighted_score).toBe(0.5);
  });

  test("leaves a run skipped when nothing else graded it", () => {
    const out = result(documentOf(), [grade(0, 0, erroredOf())]);
    expect(out.tasks[0]).toMatchObject({ status: "skipped", runs: [{ status: "skipped", validations: {} }] });
    expect(out.summary).toMatchObject({ skipped: 1, succeeded: 0, success_rate: 0 });
  });

  test.each(["__proto__", "constructor", "toString", "a;b: c", "名前 😀"])("may be called %s", (name) => {
    const text = `{"${name}": {"identifier": "x", "score": 0, "passed": false}, "words": {"score": 1, "passed": true}}`;
    const document = documentOfRuns({ validations: JSON.parse(text) as unknown });
    const out = result(document, [grade(0, 0, GREEN, { grader: { name } })]);
    const written = JSON.parse(JSON.stringify(out)) as Out;
    const validations = Object.entries(validationsOf(written));
    expect(validations.map(([key]) => key).sort()).toEqual([name, "words"].sort());
    expect(validations.find(([key]) => key === name)?.[1]).toMatchObject({ identifier: name, score: 1 });
    expect(written.tasks[0]?.status).toBe("passed");
    expect("score" in {}).toBe(false);
  });
});

test("an advisory grade is under waza_grade alone, since waza would count it, and an old one of its name goes", () => {
  const old = { judge: validation({ type: "prompt" }), words: validation() };
  const scores = scoreGrades([SUITE], rowsOf([grade(0, 0, RED, { job: { advisory: true } })]));
  const report = { ...reportOfRows([SUITE], []), advisory: { scores } };
  const out = gradedResults(documentOfRuns({ validations: old }), report);
  expect(Object.keys(validationsOf(out))).toEqual(["words"]);
  expect(out.waza_grade.grades).toMatchObject([{ grader: "judge", advisory: true, state: "failed" }]);
  expect(out.waza_grade.score).toBeNull();
});

test("a golden task keeps its mark, which `waza gate` reads, and has it where the eval alone says it", () => {
  const golden = grade(0, 0, GREEN, { job: { task: { id: "t1", name: "t1", golden: true } } });
  expect(result(documentOf(), [golden]).tasks[0]).toMatchObject({ golden: true });
  expect(result(documentOf([taskData({ golden: true })])).tasks[0]).toMatchObject({ golden: true });
  expect(result(documentOf()).tasks[0]).not.toHaveProperty("golden");
});

describe("what was not graded", () => {
  test("stays as it is: a task without grades of ours, figures and all", () => {
    const untouched = taskData({
      test_id: "t2",
      status: "n/a",
      stats: { avg_score: 0.25, avg_weighted_score: 0.25, odd: true },
      golden: true,
    });
    const out = result(documentOf([taskData(), untouched]));
    expect(out.tasks[1]).toEqual(untouched);
    expect(out.summary).toMatchObject({ total_tests: 2, aggregate_score: 0.625, weighted_score: 0.625 });
  });

  test("stays as it is: a run whose agent failed, its grades under waza_grade", () => {
    const failed = { status: "error", error_msg: "crash", validations: { words: validation() } };
    const note = "The agent's run failed: crash";
    const grades = [grade(0, 0, verdictOf([], { note }), { run: { agent: "failed" } }), grade(0, 1, GREEN)];
    const { tasks, waza_grade } = result(documentOfRuns(failed, {}), grades);
    expect(tasks[0]?.runs[0]).toEqual(runData(failed));
    expect(tasks[0]?.status).toBe("failed");
    expect(tasks[0]?.stats).toMatchObject({ error_runs: 1, passed_runs: 1, failed_runs: 0, pass_rate: 0.5 });
    expect(waza_grade.grades[0]).toMatchObject({ state: "failed", score: 0, note });
    const bare = result(documentOfRuns({ status: "error" }, {}), grades);
    const figures = { avg_score: 0.5, avg_weighted_score: 0.5, min_score: 0, max_score: 1, flaky: true };
    expect(bare.tasks[0]?.stats).toMatchObject(figures);
  });

  test("stays as it is: unknown keys at every level, in their values", () => {
    const tasks = [taskData({ odd: 1, runs: [runData({ odd: [2] })] })];
    const out = result(documentOf(tasks, { odd: { deep: null }, schemaVersion: "1.99" }));
    expect(out).toMatchObject({ odd: { deep: null }, schemaVersion: "1.99", eval_id: "e", metrics: {} });
    expect(out.tasks[0]).toMatchObject({ odd: 1, display_name: "T1" });
    expect(out.tasks[0]?.runs[0]).toMatchObject({ odd: [2], final_output: "Out.", run_number: 1 });
    expect(out.summary).toMatchObject({ duration_ms: 55, usage: { turns: 3 } });
    expect(out.config).toMatchObject({ engine_type: "copilot", model_id: "agent-1", judge_model: "judge-1" });
  });

  test.each<[string, unknown]>([
    ["no runs", documentOf([taskData({ runs: null })])],
    ["no tasks", documentOf([])],
    ["no config and no summary", documentOf(undefined, { config: null, summary: null })],
    ["validations that are null", documentOfRuns({ validations: null })],
  ])("is no trouble when there are %s", (_name, document) => {
    const { summary } = JSON.parse(JSON.stringify(result(document, [grade(0, 0, RED)]))) as Out;
    expect(summary.total_tests).toBe((document as { tasks: unknown[] }).tasks.length);
    const figures = [
      "success_rate",
      "aggregate_score",
      "weighted_score",
      "min_score",
      "max_score",
      "std_dev",
    ];
    for (const key of figures) expect(Number.isFinite(summary[key])).toBe(true);
  });
});

describe("waza's figures", () => {
  // One task of three runs. Run 1: judge 1 (weight 1), words 0.5 (weight 3). Run 2: judge 0.5, words 1. Run 3: judge 1, words 1.
  // Unweighted: 0.75, 0.75, 1. Weighted: (1 + 1.5) / 4 = 0.625, (0.5 + 3) / 4 = 0.875, 1.
  const words = (score: number) => ({ words: validation({ score, passed: score === 1 }) });
  const three = taskData({
    runs: [
      runData({ duration_ms: 1_000, validations: words(0.5) }),
      runData({ run_number: 2, duration_ms: 2_000, validations: words(1) }),
      runData({ run_number: 3, duration_ms: 2_500, validations: words(1) }),
    ],
  });
  const grades = [
    grade(0, 0, GREEN),
    grade(0, 1, verdictOf([pass("d", "r"), fail("d", "r")])),
    grade(0, 2, verdictOf([pass(), pass()])),
  ];

  test("of a task are those of waza, over all validations whoever made them", () => {
    const [task] = result(documentOf([three]), grades).tasks;
    expect(task?.runs.map(({ status }) => status)).toEqual(["failed", "failed", "passed"]);
    expect(task?.status).toBe("failed");
    const { stats } = task!;
    expect(stats).toMatchObject({
      ...{ passed_runs: 1, failed_runs: 2, error_runs: 0, total_runs: 3 },
      ...{ min_score: 0.75, max_score: 1, flaky: true },
    });
    expect(stats.pass_rate).toBeCloseTo(1 / 3, 12);
    expect(stats.flakiness_percent).toBeCloseTo(100 / 3, 10);
    expect(stats.avg_score).toBeCloseTo(2.5 / 3, 12);
    expect(stats.avg_weighted_score).toBeCloseTo(2.5 / 3, 12);
    // Deviations from 5/6: -1/12, -1/12, 2/12; variance (1 + 1 + 4) / 144 / 3 = 1/72.
    expect(stats.score_variance).toBeCloseTo(1 / 72, 12);
    expect(stats.std_dev_score).toBeCloseTo(Math.sqrt(1 / 72), 12);
    // waza divides whole milliseconds: 5500 / 3 = 1833.
    expect(stats.avg_duration_ms).toBe(1_833);
  });

  test("of the summary are means over the tasks, weighted and not, and keep what cannot be known anew", () => {
    // A second task, one run: judge 0 (weight 3), words 1 (weight 1, since 0 means 1): 0.5 unweighted, 0.25 weighted.
    const second = taskData({
      test_id: "t2",
      runs: [runData({ validations: { words: validation({ score: 1, weight: 0, passed: true }) } })],
    });
    const third = taskData({ test_id: "t3", status: "passed" });
    const { summary } = result(documentOf([three, second, third]), [
      ...grades,
      grade(1, 0, RED, { grader: { weight: 3 } }),
    ]);
    expect(summary).toMatchObject({
      ...{ total_tests: 3, succeeded: 1, failed: 2, errors: 0, skipped: 0 },
      duration_ms: 55,
    });
    expect(summary.success_rate).toBeCloseTo(1 / 3, 12);
    expect(summary.aggregate_score).toBeCloseTo((2.5 / 3 + 0.5 + 0) / 3, 12);
    expect(summary.weighted_score).toBeCloseTo((2.5 / 3 + 0.25 + 0) / 3, 12);
    expect(summary.min_score).toBe(0);
    expect(summary.max_score).toBeCloseTo(2.5 / 3, 12);
  });

  test.each<[string, string[], boolean, number]>([
    ["all passed", ["passed", "passed"], false, 0],
    ["all failed", ["failed", "failed"], false, 0],
    ["one of four passed", ["passed", "failed", "failed", "failed"], true, 25],
    ["three of four passed", ["passed", "passed", "failed", "passed"], true, 25],
    ["one passed, one with an error", ["passed", "error"], true, 50],
    ["one run", ["passed"], false, 0],
  ])(
    "call a task flaky when its pass rate is strictly between 0 and 1 (%s)",
    (_name, statuses, flaky, percent) => {
      const grades = statuses.map((status, run) =>
        grade(0, run, status === "passed" ? GREEN : RED, {
          run: { agent: status === "error" ? "failed" : "finished" },
        }),
      );
      const stats = result(documentOfRuns(...statuses.map((status) => ({ status }))), grades).tasks[0]?.stats;
      expect(stats).toMatchObject({ flaky, flakiness_percent: percent, total_runs: statuses.length });
    },
  );

  test.each<[string, Record<string, { passed?: boolean }>, string]>([
    ["no validation", {}, "skipped"],
    ["all passed", { a: { passed: true }, b: { passed: true } }, "passed"],
    ["one failed", { a: { passed: true }, b: { passed: false } }, "failed"],
    ["one that does not say", { a: {} }, "failed"],
  ])("give a run with %s its status", (_name, validations, status) => {
    const out = result(documentOfRuns({ validations }), [grade(0, 0, erroredOf())]);
    expect(out.tasks[0]?.runs[0]?.status).toBe(status);
  });

  test("leave out what is of the old verdicts, and neither `waza gate` nor `waza compare` reads", () => {
    const stale = { summary: { statistics: { bootstrap_ci: "stale" }, groups: "stale" } };
    const { summary, tasks } = result(documentOf([{ ...three, skill_impact: { delta: 1 } }], stale), grades);
    expect(summary).not.toHaveProperty("statistics");
    expect(summary).not.toHaveProperty("groups");
    expect(tasks[0]).not.toHaveProperty("skill_impact");
    for (const { stats } of tasks)
      for (const key of Object.keys(stats)) expect(key).not.toMatch(/_ci$|^ci95/);
  });
});

describe("what is ours", () => {
  test("is under waza_grade: conclusion, score, every grade with checks and cost", () => {
    const checks = [pass("d", "r"), fail("d", "r")];
    const out = result(documentOf(), [
      grade(0, 0, verdictOf(checks, { recorded: true })),
      grade(0, 0, GREEN, { grader: { name: "second" } }),
      grade(0, 0, erroredOf(), { grader: { name: "third" } }),
      grade(0, 0, NO_KEY, { grader: { name: "fourth" }, job: { settled: NO_KEY } }),
    ]);
    expect(out.waza_grade).toMatchObject({ version: 1, conclusion: "failure", score: 0.75 });
    expect(out.waza_grade.grades.map(({ grader: name, state }) => [name, state])).toEqual([
      ["judge", "failed"],
      ["second", "passed"],
      ["third", "errored"],
      ["fourth", "no-key"],
    ]);
    expect(out.waza_grade.grades[0]).toMatchObject({
      task_id: "t1",
      run_number: 1,
      file: "evals/eval.yaml",
      line: 4,
      judge_model: "judge-1",
      score: 0.5,
      checks,
      recorded: true,
      requests: 2,
    });
    expect(out.waza_grade.grades[3]).toMatchObject({ reason: "There is no key.", judge_model: null });
  });

  test("replaces what stood there from an earlier run of ours", () => {
    const once = result(documentOf(), [grade(0, 0, RED)]);
    const twice = result(once);
    expect(twice.waza_grade.grades).toHaveLength(1);
    expect(twice.waza_grade).toMatchObject({ score: 1 });
    expect(twice.summary).toMatchObject({ aggregate_score: 1, succeeded: 1 });
    expect(result(once, [grade(0, 0, RED)])).toEqual(once);
  });

  test("names every judge that was asked, and none that was not", () => {
    const settled = erroredOf();
    const out = result(documentOf(), [
      grade(0, 0, GREEN),
      grade(0, 0, GREEN, { grader: { name: "second" }, job: { judgeModel: "judge-2" } }),
      grade(0, 0, settled, { grader: { name: "third" }, job: { judgeModel: "judge-3", settled } }),
    ]);
    expect(out.config.judge_model).toBe("judge-1, judge-2");
  });
});
