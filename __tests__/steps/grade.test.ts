/** What is wrong with the judges before any is asked: rules without a model, models without a rule. */
import { describe, expect, test } from "@jest/globals";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";
import { expectSaid } from "../support/problems.ts";
import type { Grade, GradingJob, Verdict } from "../../src/domain/grade.ts";
import type { Suite } from "../../src/domain/suite.ts";
import type { Inputs } from "../../src/inputs/inputs.ts";
import { plannedModels } from "../../src/plan/plan.ts";
import { progressLog } from "../../src/steps/grade.ts";
import { missedRules } from "../../src/plan/judges.ts";

const passed: Verdict = {
  state: "graded",
  checks: [{ outcome: "pass" }, { outcome: "pass" }],
  score: 1,
  passed: true,
};
const failed: Verdict = { state: "graded", checks: [{ outcome: "fail" }], score: 0, passed: false };
const silent: Verdict = { ...failed, checks: [], note: "The judge made no grading call." };
const errored: Verdict = { state: "errored", error: { class: "timeout", message: "Too slow." } };
const skipped: Verdict = { state: "skipped", reason: "No run of it.", cause: "missing" };

const alpha = suiteOf({ title: "alpha" });
const beta = suiteOf({ title: "beta" });

function job(suite: Suite, name: string, changes: Partial<GradingJob> = {}): GradingJob {
  const task = { id: "explain", name: "explain" };
  return { suite, task, grader: graderOf({ name }), judgeModel: "judge-1", run: runOf(), ...changes };
}

const settledJob = (suite: Suite, name: string) => job(suite, name, { settled: skipped });

/** A job that is done, by its index, and the second at which it is. */
type Done = readonly [seconds: number, job: number, verdict: Verdict];
const at = (seconds: number, job: number, verdict: Verdict = passed): Done => [seconds, job, verdict];

/** The log of jobs that are done in the given order. */
function logOf(jobs: readonly GradingJob[], done: readonly Done[]) {
  let clock = 1_000_000;
  const lines: string[] = [];
  const groups: { title: string; lines: readonly string[] }[] = [];
  const order: string[] = [];
  const log = {
    line: (text: string) => {
      lines.push(text);
      order.push(text);
    },
    group: (title: string, inside: readonly string[]) => {
      groups.push({ title, lines: inside });
      order.push(title);
    },
  };
  const redact = (text: string) => text.replace("SECRET", "***");
  const onGrade = progressLog(jobs, { ...log, redact }, () => clock);
  for (const [seconds, index, verdict] of done) {
    clock = 1_000_000 + seconds * 1_000;
    const grade: Omit<Grade, "job"> = {
      verdict,
      requests: 1,
      tokens: { input: 1, output: 1, cached: 0 },
      durationMs: 1,
    };
    onGrade({ job: jobs[index]!, ...grade });
  }
  return { lines, groups, order };
}

describe("the group of a suite", () => {
  test("comes when its last grade is made, its lines in the order of the jobs", () => {
    const jobs = [job(alpha, "a1"), job(beta, "b1"), job(alpha, "a2"), job(beta, "b2"), job(alpha, "a3")];
    const done = [at(1, 4, failed), at(2, 3), at(3, 1), at(4, 2, errored), at(5, 0)];
    const { groups, lines } = logOf(jobs, done);
    const titles = ["beta, 2 grades: 2 passed", "alpha, 3 grades: 1 passed, 1 failed, 1 errored"];
    expect(groups.map(({ title }) => title)).toEqual(titles);
    expect(groups.map((group) => group.lines.map((line) => line.split(" ")[1]))).toEqual([
      ["b1", "b2"],
      ["a1", "a2", "a3"],
    ]);
    expect(lines).toEqual([]);
  });

  test("does not come before the last grade", () => {
    expect(logOf([job(alpha, "a1"), job(alpha, "a2")], [at(1, 1)]).groups).toEqual([]);
  });

  test("is that of one file, even when another has its title", () => {
    const twin = suiteOf({ title: "alpha" });
    const { groups } = logOf([job(alpha, "a1"), job(twin, "t1")], [at(1, 1, failed), at(2, 0)]);
    expect(groups.map(({ title }) => title)).toEqual([
      "alpha, 1 grade: 1 failed",
      "alpha, 1 grade: 1 passed",
    ]);
  });

  test("says of each grade what became of it, and counts every kind", () => {
    const jobs = [
      job(alpha, "a1"),
      job(alpha, "a2"),
      job(alpha, "a3"),
      job(alpha, "a4", { run: runOf({ number: 3, origin: { file: 0, task: 0, run: 2 } }) }),
      { suite: alpha, task: { id: "t", name: "t" }, grader: graderOf(), judgeModel: "j", settled: skipped },
    ];
    const verdicts = [passed, failed, silent, errored, skipped];
    const done = verdicts.map((verdict, index) => at(1, index, verdict));
    const { groups } = logOf(jobs, done);
    expect(groups).toEqual([
      {
        title: "alpha, 5 grades: 1 passed, 2 failed, 1 errored, 1 missing",
        lines: [
          "✅ a1 · explain · run 1: 1.00 (2 checks)",
          "❌ a2 · explain · run 1: 0.00 (1 check): (the judge gave no detail)",
          "❌ a3 · explain · run 1: 0.00 (0 checks): The judge made no grading call.",
          "⚠️ a4 · explain · run 3: timeout: Too slow.",
          "➖ concise · t: missing",
        ],
      },
    ]);
  });
});

test("advisory grades are counted apart, and votes are reported", () => {
  const votes = { passed: 1, failed: 2, errored: 0 };
  const jobs = [job(alpha, "a1"), ...["a2", "a3"].map((name) => job(alpha, name, { advisory: true }))];
  const done = [at(1, 0, { ...failed, votes }), at(1, 1, failed), at(1, 2, errored)];
  const { groups } = logOf(jobs, done);
  expect(groups).toEqual([
    {
      title: "alpha, 3 grades: 1 failed, 2 advisory",
      lines: [
        "❌ a1 · explain: 0.00 (1 check, failed in 2 of 3 votes): (the judge gave no detail)",
        "❌ a2 · explain · advisory: 0.00 (1 check): (the judge gave no detail)",
        "⚠️ a3 · explain · advisory: timeout: Too slow.",
      ],
    },
  ]);
});

test("a reason is cut after secrets have gone from it", () => {
  const reason = `${"x".repeat(196)}SECRET`;
  const checks = [{ outcome: "fail", reason }] as const;
  const { groups } = logOf([job(alpha, "a1")], [at(1, 0, { ...failed, checks })]);
  expect(groups[0]?.lines[0]).toMatch(/: x{196}\*\*\*$/);
});

describe("the line that says how far it is", () => {
  const six = Array.from({ length: 6 }, (_, index) => job(alpha, `a${String(index)}`));

  test.each<[string, readonly Done[], string[]]>([
    ["does not come within 15 seconds", [at(1, 0), at(14.999, 1)], []],
    ["comes at 15 seconds", [at(15, 0)], ["1 of 6 grades: 1 passed; about 75 s left"]],
    [
      "comes at most once in 15 seconds",
      [at(20, 0), at(34, 1, failed), at(35, 2, errored), at(49.999, 3)],
      [
        "1 of 6 grades: 1 passed; about 2 min left",
        "3 of 6 grades: 1 passed, 1 failed, 1 errored; about 35 s left",
      ],
    ],
    [
      "does not come when all is done",
      [10, 10.1, 10.2, 10.3, 10.4, 110.5].map((second, index) => at(second, index)),
      [],
    ],
  ])("%s", (_case, done, lines) => {
    expect(logOf(six, done).lines).toEqual(lines);
  });

  test("never promises less than a second", () => {
    const jobs = Array.from({ length: 100 }, () => job(alpha, "a"));
    const done = jobs.slice(1).map((_job, index) => at(index / 10, index));
    const { lines } = logOf(jobs, [...done.slice(0, -1), at(15, 98)]);
    expect(lines).toEqual(["99 of 100 grades: 99 passed; about 1 s left"]);
  });

  test("takes no pace from grades that were known without a judge", () => {
    const jobs = [...Array.from({ length: 94 }, () => settledJob(beta, "s")), ...six];
    const settled = jobs.slice(0, 94).map((_job, index) => at(0, index, skipped));
    const { lines, groups } = logOf(jobs, [...settled, at(20, 94), at(40, 95)]);
    expect(groups.map(({ title }) => title)).toEqual(["beta, 94 grades: 94 missing"]);
    expect(lines).toEqual([
      "95 of 100 grades: 1 passed, 94 missing; about 2 min left",
      "96 of 100 grades: 2 passed, 94 missing; about 80 s left",
    ]);
  });

  test("does not come before there is a pace", () => {
    expect(logOf([settledJob(beta, "s"), ...six], [at(60, 0, skipped)]).lines).toEqual([]);
  });

  test("does not come for what is known without a judge, once the judge is done", () => {
    const jobs = [job(alpha, "a1"), settledJob(beta, "s1"), settledJob(beta, "s2")];
    expect(logOf(jobs, [at(20, 0), at(40, 1, skipped), at(60, 2, skipped)]).lines).toEqual([]);
  });

  test("comes after the group that the same grade completes", () => {
    const { order } = logOf([job(alpha, "a1"), job(beta, "b1")], [at(20, 0)]);
    expect(order).toEqual(["alpha, 1 grade: 1 passed", "1 of 2 grades: 1 passed; about 20 s left"]);
  });
});

const INPUTS = { standard: { baseUrl: "https://a.example/v1" }, judgeModel: "mine" };
const inputs = (providers: readonly { readonly match: string }[]) =>
  ({ ...INPUTS, providers }) as unknown as Inputs;
const jobBy = (judgeModel: string) => ({ judgeModel, grader: graderOf({ model: judgeModel }) }) as GradingJob;

test.each<[string, string?]>([
  ["gpt4*", "only `*` and `?` are special"],
  ["gpt-.*", "a glob: only"],
  ["gpt-6", "or remove the rule"],
  ["GPT-6*"],
])("a rule for %s, which matches no model of the run, is a warning", (match, ...help) => {
  const problems = missedRules({ jobs: [jobBy("gpt-6-luna")] }, inputs([{ match }]));
  expectSaid(
    problems,
    help.map((words) => `warning unmatched-providers … there is \`gpt-6-luna\`. … ${String(words)}`),
  );
});

test("the models of a plan are known without results", () => {
  const suite = suiteOf({ graders: [graderOf(), graderOf({ name: "b", model: "own" })] });
  expect([...plannedModels({ suites: [suite], judgeModel: "mine" })]).toEqual(["mine", "own"]);
});
