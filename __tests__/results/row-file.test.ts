import { afterAll, describe, expect, test } from "@jest/globals";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { graderOf, problemOf, runOf, suiteOf } from "../support/factories.ts";
import { MISSING, erroredOf, fail, gradeOf, pass, verdictOf } from "../support/grades.ts";
import { reportOfRows } from "../support/reports.ts";
import { graded, rowsOf } from "../support/rows.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import type { Grade, GradingJob, Verdict } from "../../src/domain/grade.ts";
import { recordOf } from "../../src/report/record.ts";
import { readRows } from "../../src/results/row-file.ts";
import { basisOf, rowName, rowOf, withFilesHash } from "../../src/results/rows.ts";

afterAll(removeTemporaryFolders);

const SUITE = suiteOf({ title: "demo" });

const job = (changes: Partial<GradingJob> = {}): GradingJob => ({
  suite: SUITE,
  task: { id: "explain", name: "Explain", prompt: "Explain it." },
  grader: graderOf(),
  judgeModel: "judge",
  run: runOf(),
  ...changes,
});

const grade = (verdict: Verdict, changes: Partial<GradingJob> = {}) =>
  gradeOf({ verdict, job: job(changes) });

/** The results file of these grades, as it is read back from disk. */
function written(grades: readonly Grade[]): { waza_grade: { grades: Record<string, unknown>[] } } {
  const report = reportOfRows([SUITE], rowsOf(grades), { time: { started: 0, finished: 1 } });
  return JSON.parse(JSON.stringify({ waza_grade: recordOf(report) })) as ReturnType<typeof written>;
}

const GREEN = verdictOf([pass("short", "two lines")]);
const failed = verdictOf([pass("short"), fail("right", "it is not"), fail(undefined, "nor polite")]);
const rubric = { name: "r.md" };
const VARIETY: readonly [string, Grade][] = [
  ["a passed grade", grade(GREEN)],
  ["a failed grade", grade(failed)],
  ["one without a call", grade(verdictOf([], { note: "No call." }))],
  [
    "one with a rubric, an effort, a session and a golden task",
    grade(GREEN, {
      task: { id: "explain", name: "Explain", golden: true },
      grader: graderOf({
        rubric: { ...rubric, instructions: "Be strict." },
        effort: "low",
        continueSession: true,
        weight: 3,
      }),
    }),
  ],
  ["an agent that never got to work", grade(failed, { settled: failed })],
  ["a verdict that stood in the results", grade({ ...failed, recorded: true }, { settled: failed })],
  ["an errored grade", grade(erroredOf())],
  ["a skipped grade", grade({ state: "skipped", cause: "cap", reason: "A cap was reached." })],
  ["results without a model", grade(GREEN, { run: runOf({ model: "unknown model" }) })],
];

describe("the records of a results file", () => {
  test.each(VARIETY)("are those of the grades it was written from: %s", (_, one) => {
    const read = readRows(written([one]), "base.json");
    const time = 1;
    // These are of the results as they were read.
    const rows = [{ ...rowOf(one), file: "base.json", time, origin: undefined, others: undefined }];
    expect(read).toEqual({ rows, unreadable: 0, time, accepted: [] });
  });

  test("say what the judge said and how the answer begins", () => {
    const long = "x".repeat(50_000);
    const [record] = readRows(written([grade(failed, { run: runOf({ finalOutput: long }) })]), "f")!.rows;
    expect(record).toMatchObject({ reason: "right: it is not\nnor polite", suite: "demo", run: 1 });
    expect(record?.answer).toHaveLength(30_000);
  });

  test("name what was changed of the requests only where something was", () => {
    const judgedBy = (changes: readonly string[]) =>
      written([grade({ ...GREEN, judge: { fingerprint: "f", changes } })]).waza_grade.grades[0]?.judge;
    expect(judgedBy([])).not.toHaveProperty("changed_parameters");
    expect(judgedBy(["no tools"])).toHaveProperty("changed_parameters", ["no tools"]);
  });

  test("are none where we graded nothing", () => {
    for (const data of [null, [], "text", {}, { tasks: [] }, { waza_grade: { score: 1 } }])
      expect(readRows(data, "f")).toBeUndefined();
  });

  test.each([
    ["no grade at all", 7],
    ["no task", { task_id: undefined }],
    ["a score beyond 1", { score: 2 }],
    ["a verdict without a score", { score: undefined }],
    ["a state of its own", { state: "perfect" }],
    ["a golden mark that is none", { golden: "yes" }],
    ["a run number that is none", { run_number: "1" }],
    ["a suite that is none", { suite: 5 }],
    ["a check that cannot be read", { checks: [{ outcome: "pass" }, { outcome: "skip" }] }],
  ])("leave out and count a grade with %s", (_, wrong) => {
    const file = written([grade(GREEN), grade(GREEN, { run: runOf({ number: 2 }) })]);
    const { grades } = file.waza_grade;
    const changed = typeof wrong === "number" ? wrong : { ...grades[0], ...wrong };
    const read = readRows({ ...file, waza_grade: { grades: [changed, grades[1]] } }, "f");
    expect(read).toMatchObject({ rows: [{ run: 2 }], unreadable: 1 });
  });

  test("are one for each run, however often a file has it", () => {
    const file = written([grade(GREEN), grade(GREEN, { run: runOf({ number: 2 }) })]);
    const { grades } = file.waza_grade;
    const twice = { ...grades[0], state: "failed", score: 0 };
    const read = readRows({ ...file, waza_grade: { grades: [...grades, twice, twice] } }, "f");
    expect(read).toMatchObject({ rows: [{ run: 1, state: "passed" }, { run: 2 }], unreadable: 2 });
  });

  test("take a wrong weight or basis for none", () => {
    const file = written([grade(GREEN)]);
    Object.assign(file.waza_grade.grades[0]!, { weight: -1, basis: { mode: 1 } });
    const [record] = readRows(file, "f")!.rows;
    expect(record).toMatchObject({ state: "passed", weight: 1, basis: undefined });
  });

  test("of missing runs are read only where the task is golden, which it stays", () => {
    const missing = (golden: boolean) =>
      grade(MISSING, { task: { id: golden ? "gold" : "other", name: "x", golden }, run: undefined });
    const { rows } = readRows(written([missing(true), missing(false)]), "f")!;
    expect(rows).toMatchObject([{ task: "gold", state: "missing", golden: true }]);
  });
});

describe("a grade's name", () => {
  test("is known of a missing run too", () => {
    const missing = { number: 3, model: "agent-2" };
    const name = { suite: "demo", task: "explain", model: "agent-2", grader: "concise", run: 3 };
    expect(rowName(job({ run: undefined, missing }))).toEqual({ ...name, file: undefined });
  });

  test("has the key of its suite where another has its name", () => {
    const suite = suiteOf({ title: "demo", key: "demo (b/eval.yaml)" });
    expect(rowName(job({ suite })).suite).toBe("demo (b/eval.yaml)");
  });
});

describe("what a verdict rests on", () => {
  const base = basisOf(job());
  test.each<[string, Partial<GradingJob>]>([
    ["the grader's prompt", { grader: graderOf({ prompt: "Is it right?" }) }],
    ["the rubric", { grader: graderOf({ rubric: { ...rubric, instructions: "Be kind." } }) }],
    ["the session", { grader: graderOf({ continueSession: true }) }],
    ["the effort", { judgeEffort: "high" }],
    ["the judge", { judgeModel: "another" }],
    ["the task's prompt", { task: { id: "explain", name: "Explain", prompt: "Explain it well." } }],
    [
      "what the agent was asked, where its task says otherwise",
      { run: runOf({ prompt: "Explain it well." }) },
    ],
    ["the task's files", { filesHash: "abc" }],
    ["what a verdict that stood in the results rests on", { basis: { templateVersion: "waza" } }],
  ])("differs with %s", (_, changes) => {
    expect(basisOf(job(changes))).not.toEqual(base);
  });

  test("holds what the judge was sent, also where that was no effort", () => {
    const sent = { sentApi: "responses", sentEffort: "default" };
    expect(basisOf(job(), { api: "responses" })).toEqual({ ...base, ...sent });
    expect(basisOf(job(), { api: "chat", effort: "none" })).toMatchObject({ sentEffort: "none" });
  });

  test("does not depend on the agent's work, the weight or the line", () => {
    const run = runOf({ finalOutput: "Another answer.", number: 4 });
    const at = { path: "evals/eval.yaml", startLine: 40, endLine: 41, inRepository: true };
    expect(basisOf(job({ run, grader: graderOf({ weight: 9, at }) }))).toEqual(base);
  });

  test("takes the prompt from the results where the eval has no tasks", () => {
    const task = { id: "explain", name: "Explain" };
    const asked = (prompt: string) => basisOf(job({ task, run: runOf({ prompt }) }));
    expect(asked("One.")).not.toEqual(asked("Two."));
  });
});

describe("the hash of a task's files", () => {
  const hashOf = async (task: Partial<GradingJob["task"]>) => {
    const [one] = await withFilesHash([job({ task: { id: "t", name: "T", ...task } })]);
    return one?.filesHash;
  };

  test("is none where the task gave none", async () => {
    expect(await hashOf({})).toBeUndefined();
  });

  test("changes with the contents of its files and of its folder, and with their names", async () => {
    const folder = temporaryFolder("inputs");
    mkdirSync(join(folder, "context"));
    const file = join(folder, "a.txt");
    const inside = join(folder, "context", "b.txt");
    writeFileSync(file, "one");
    writeFileSync(inside, "one");
    const task = { files: [{ name: "a.txt", path: file }], contextDir: join(folder, "context") };
    const seen = [await hashOf(task), await hashOf(task)];
    expect(seen[0]).toBe(seen[1]);
    seen.push(await hashOf({ ...task, files: [{ name: "z.txt", path: file }] }));
    writeFileSync(file, "two");
    seen.push(await hashOf(task));
    writeFileSync(inside, "two");
    seen.push(await hashOf(task));
    seen.push(await hashOf({ ...task, files: [] }));
    expect(new Set(seen).size).toBe(5);
  });

  test("is of all of a file, not of its beginning alone", async () => {
    const file = join(temporaryFolder("inputs"), "large.txt");
    const start = "x".repeat(5 * 1024 * 1024);
    writeFileSync(file, `${start}one`);
    const before = await hashOf({ files: [{ name: "large.txt", path: file }] });
    writeFileSync(file, `${start}two`);
    expect(await hashOf({ files: [{ name: "large.txt", path: file }] })).not.toBe(before);
  });

  test("is of what an inline file holds", async () => {
    const inline = (content: string) => hashOf({ files: [{ name: "a.txt", content }] });
    expect(await inline("one")).not.toBe(await inline("two"));
  });
});

test("a record has each problem with its code and its place", () => {
  const at = { path: "out/a.jsonl", startLine: 3, startColumn: 7, endLine: 3, inRepository: true } as const;
  const problems = [problemOf("warning", "Odd.", { at: { ...at, generated: true } })];
  expect(recordOf(reportOfRows([SUITE], [graded()], { problems })).problems).toEqual([
    {
      ...{ level: "warning", code: "odd", message: "Odd." },
      at: { file: "out/a.jsonl", line: 3, column: 7, end_line: 3, generated: true },
    },
  ]);
});
