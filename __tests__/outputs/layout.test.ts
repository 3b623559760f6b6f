/** What the folders of output files say: eval, attempt, side. Read from a project on disk, and planned. */
import { afterAll, describe, expect, test } from "@jest/globals";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Suite, Task } from "../../src/domain/suite.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { laterAttempts } from "../../src/plan/problems.ts";
import { planJobs } from "../../src/plan/plan.ts";
import { withoutSameRuns } from "../../src/plan/problems.ts";
import { withoutSharedRuns } from "../../src/plan/problems.ts";
import { findWorkspaces } from "../../src/plan/workspaces.ts";
import { graderOf, suiteOf } from "../support/factories.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

function taskOf(id: string, file?: string): Task {
  const at = file === undefined ? undefined : { path: file, startLine: 1, endLine: 1, inRepository: true };
  return { id, name: id, enabled: true, files: [], graders: [], otherGraders: [], at };
}

function evalOf(title: string, path: string, tasks: readonly Task[] = [taskOf("1")]): Suite {
  const at = { path, startLine: 1, endLine: 1, inRepository: true };
  return suiteOf({ name: title, title, at, tasks, graders: [graderOf()] });
}

const ALPHA = evalOf("alpha", "skills/alpha/evals/evals.json");
const BETA = evalOf("beta", "skills/beta/evals/evals.json");

async function plan(
  files: Readonly<Record<string, unknown>>,
  {
    suites = [ALPHA],
    others = [],
    results = ["out/**/*"],
  }: { suites?: readonly Suite[]; others?: readonly Suite[]; results?: readonly string[] } = {},
) {
  const workspace = writeProject(files);
  const outputs = await readOutputs({
    patterns: results,
    workspace,
    suites,
    others: () => Promise.resolve(others),
  });
  const planned = planJobs({ suites, results: outputs.files.map((file) => file.results) });
  const apart = withoutSharedRuns(planned.jobs);
  const same = withoutSameRuns(apart.jobs);
  const problems = [...outputs.problems, ...planned.problems, ...apart.problems, ...same.problems];
  return {
    workspace,
    outputs,
    jobs: same.jobs,
    /** `eval task run answer`, an `*` where a later attempt made it again. */
    runs: same.jobs.map(({ suite, task, run, missing }) =>
      run
        ? `${suite.at.path.split("/").at(-3) ?? ""} ${task.id} ${String(run.number)} ${run.finalOutput}${run.hasLaterAttempt ? "*" : ""}`
        : `${suite.title} ${task.id} missing ${String(missing?.number)}`,
    ),
    problems: problems.map(({ level, message, help = "" }) => `${level}: ${message} ${help}`),
  };
}

const dead = (number = 1) => waza([{ run_number: number, status: "error", error_msg: "Not signed in." }]);

function waza(runs: readonly object[], more: object = {}) {
  return { eval_name: "alpha", config: { runs_per_test: 1 }, tasks: [{ test_id: "1", runs }], ...more };
}

describe("files of several evals", () => {
  const same = { "out/alpha/1.md": "Same.", "out/beta/1.md": "Same." };

  test.each<[string, Readonly<Record<string, unknown>>, readonly Suite[], readonly string[]]>([
    ["by folder, with equal bytes", same, [ALPHA, BETA], ["alpha 1 1 Same.", "beta 1 1 Same."]],
    [
      "by the nearest folder, regardless of the others",
      { "out/alpha/logs/beta/1.md": "B.", "out/beta/alpha/1.md": "A." },
      [ALPHA, BETA],
      ["alpha 1 1 A.", "beta 1 1 B."],
    ],
    [
      "of one name by their path",
      { "out/b/skills/x/1.md": "B.", "out/a/x/1.md": "A." },
      [evalOf("x", "a/skills/x/evals/evals.json"), evalOf("x", "b/skills/x/evals/evals.json")],
      ["x 1 1 A.", "x 1 1 B."],
    ],
    [
      "that list one task file by it",
      { "out/1.md": "One." },
      [
        evalOf("alpha", "alpha/e/eval.yaml", [taskOf("1", "tasks/1.yaml")]),
        evalOf("beta", "beta/e/eval.yaml", [taskOf("1", "tasks/1.yaml")]),
      ],
      ["alpha 1 1 One.", "beta 1 1 One."],
    ],
    [
      "of one name by the folder of waza's results",
      { "out/b/skills/x/r.json": waza([{ final_output: "B." }], { eval_name: "x" }) },
      [evalOf("x", "a/skills/x/evals/evals.json"), evalOf("x", "b/skills/x/evals/evals.json")],
      ["x 1 missing 1", "x 1 1 B."],
    ],
    [
      "by what waza's results say, below any folder",
      { "out/beta/results.json": waza([{ final_output: "A." }]) },
      [ALPHA, BETA],
      ["alpha 1 1 A.", "beta 1 missing 1"],
    ],
  ])("are kept apart %s", async (_case, files, suites, runs) => {
    const planned = await plan(files, { suites });
    expect(planned.problems).toEqual([]);
    expect(planned.runs).toEqual(runs);
  });

  test.each<[string, readonly Suite[], readonly string[]]>([
    [
      "out/1.md",
      [evalOf("alpha", "a/eval.yaml", [{ ...taskOf("1"), prompt: "Do it." }]), evalOf("beta", "b/eval.yaml")],
      ["`out/1.md` (the task `1` of `alpha`, `beta`)", "logs/<eval>/<task-id>.jsonl"],
    ],
    [
      "out/results.json",
      [
        evalOf("alpha", "a/eval.yaml", [taskOf("1", "a/1.yaml")]),
        evalOf("alpha", "b/eval.yaml", [taskOf("1", "b/1.yaml")]),
      ],
      ["`out/results.json` (the task `1` of `alpha`", "Give each eval its own `name`"],
    ],
    [
      "out/x/1.md",
      [evalOf("x", "a/x/evals.json"), evalOf("x", "b/x/evals.json")],
      ["is in a folder whose name fits several evals: `a/x/evals.json`, `b/x/evals.json`"],
    ],
  ])(
    "%s, which several could claim, is a configuration problem that names them",
    async (file, suites, expected) => {
      const content = file.endsWith(".json") ? waza([{ final_output: "One." }]) : "One.";
      const { problems } = await plan({ [file]: content }, { suites });
      expect(problems[0]).toMatch(/^error: /);
      for (const text of expected) expect(problems[0]).toContain(text);
    },
  );

  test.each<[string, Readonly<Record<string, unknown>>, readonly string[], readonly string[]]>([
    [
      "below a folder named for another eval of the repository",
      { "out/beta/1.md": "B.", "out/beta/2.json": "{", "out/gamma/1.md": "A." },
      ["alpha 1 1 A."],
      [
        "notice: 2 outputs in folders named for `skills/beta/evals/evals.json`, which is not graded here, are left out. ",
      ],
    ],
    ["unless a folder names this one", { "out/alpha/beta/1.md": "A." }, ["alpha 1 1 A."], []],
    [
      "below a folder of the same name, whose path is another's",
      { "out/x/alpha/1.md": "X." },
      ["alpha 1 missing 1"],
      ["notice: 1 output in folders named for `x/alpha/eval.yaml`, which is not graded here, is left out. "],
    ],
    ["unless the folder has a task's name", { "out/1/1.md": "A." }, ["alpha 1 1 A."], []],
    [
      "unless waza's results name this one",
      { "out/beta/results.json": waza([{ final_output: "A." }]) },
      ["alpha 1 1 A."],
      [],
    ],
  ])("are left out %s", async (_case, files, runs, problems) => {
    const planned = await plan(files, {
      others: [BETA, evalOf("alpha", "x/alpha/eval.yaml"), evalOf("1", "one/eval.yaml")],
    });
    expect(planned.runs).toEqual(runs);
    expect(planned.problems.filter((one) => !one.includes("have no run"))).toEqual(problems);
  });

  test("a folder of the pattern's fixed part names no eval", async () => {
    const { problems } = await plan(
      { "out/alpha/1.md": "One." },
      { suites: [ALPHA, BETA], results: ["out/alpha/*.md"] },
    );
    expect(problems[0]).toContain("Several evals have a task with the same id");
  });
});

describe("files of several attempts", () => {
  test.each<[string, Readonly<Record<string, unknown>>, readonly string[], string?]>([
    [
      "are further runs of the task",
      { "out/agent-attempt-1/1.md": "Bad.", "out/agent-attempt-2/1.md": "Good." },
      ["alpha 1 1 Bad.*", "alpha 1 2 Good."],
    ],
    [
      "count with equal bytes, too",
      { "out/agent-attempt-1/logs/1.md": "Same.", "out/agent-attempt-2/logs/1.md": "Same." },
      ["alpha 1 1 Same.*", "alpha 1 2 Same."],
    ],
    [
      "are numbered on, each with its own numbers",
      {
        "out/attempt-1/1.1.md": "a1",
        "out/attempt-1/1.2.md": "a2",
        "out/attempt-10/1.1.md": "c1",
        "out/attempt-2/1.2.md": "b2",
      },
      ["alpha 1 1 a1*", "alpha 1 2 a2*", "alpha 1 4 b2", "alpha 1 5 c1"],
    ],
    [
      "of a single artifact, extracted without its folder, are one",
      { "out/1.md": "Good." },
      ["alpha 1 1 Good."],
    ],
    [
      "give way where they never got to work",
      {
        "out/agent-attempt-1/results.json": waza([{ final_output: "Good." }]),
        "out/agent-attempt-2/results.json": dead(),
      },
      ["alpha 1 1 Good."],
    ],
    [
      "are the newest where none got to work",
      {
        "out/agent-attempt-1/results.json": dead(),
        "out/agent-attempt-2/results.json": waza([{ run_number: 1, status: "error", error_msg: "Late." }]),
      },
      ["alpha 1 1 "],
    ],
    [
      "lack nothing that another has",
      {
        "out/agent-attempt-1/results.json": waza(
          [
            { run_number: 1, final_output: "a1" },
            { run_number: 2, final_output: "a2" },
          ],
          { config: { runs_per_test: 2 } },
        ),
        "out/agent-attempt-2/results.json": waza([{ run_number: 2, final_output: "b2" }], {
          config: { runs_per_test: 2 },
        }),
      },
      ["alpha 1 1 a1", "alpha 1 2 a2*", "alpha 1 4 b2"],
    ],
    [
      "lack what none has",
      {
        "out/agent-attempt-1/results.json": waza([{ final_output: "a1" }], { config: { runs_per_test: 2 } }),
        "out/agent-attempt-2/results.json": waza([{ final_output: "b1" }], { config: { runs_per_test: 2 } }),
      },
      ["alpha 1 1 a1*", "alpha 1 2 b1", "alpha 1 missing 3"],
    ],
    [
      "conflict with files that name none",
      { "out/1.md": "Flat.", "out/agent-attempt-1/1.1.md": "One." },
      ["alpha 1 1 Flat.*"],
      "have different runs with the same task",
    ],
  ])("%s", async (_case, files, runs, problem = "") => {
    const planned = await plan(files);
    expect(planned.runs).toEqual(runs);
    expect(planned.problems.join()).toContain(problem);
    expect(planned.problems).toHaveLength(problem === "" ? 0 : 1);
  });

  test("an attempt above the event's own is a configuration problem", async () => {
    const { outputs } = await plan({ "out/attempt-1/1.md": "One.", "out/attempt-3/1.md": "Three." });
    const [problem, ...others] = laterAttempts(outputs.files, 2);
    expect(others).toEqual([]);
    expect(problem?.level).toBe("error");
    expect(problem?.message).toContain("(the latest is 2): `out/attempt-3/1.md`");
    expect([...laterAttempts(outputs.files, 3), ...laterAttempts(outputs.files)]).toEqual([]);
  });

  test.each([
    [
      "several",
      { "out/x-attempt-1/logs/1.md": "One.", "out/x-attempt-2/logs/1.md": "Two." },
      "out/x-attempt-2/",
    ],
    ["one without its folder", { "out/logs/1.md": "Two." }, "out/"],
  ])("the folder that the agent worked in is that of the attempt: %s", async (_case, files, folder) => {
    const { jobs, workspace } = await plan(files);
    mkdirSync(join(workspace, folder, "work/alpha/1"), { recursive: true });
    mkdirSync(join(workspace, "out/x-attempt-1/work/alpha/1"), { recursive: true });
    const placed = findWorkspaces(jobs, { pattern: "out/work/{eval}/{task}", base: workspace });
    expect(placed.problems.filter(({ level }) => level === "error")).toEqual([]);
    expect(placed.jobs.at(-1)?.workspace).toBe(join(workspace, folder, "work/alpha/1"));
  });
});

test("a workspace of skill-creator is left out with one notice, and hides no run", async () => {
  const folder = "out/alpha-workspace/iteration-1/eval-1";
  const { runs, problems } = await plan({
    [`${folder}/eval_metadata.json`]: { eval_id: 1 },
    [`${folder}/with_skill/outputs/1.md`]: "One.",
    // What an agent drops there is no run either.
    [`${folder}/with_skill/outputs/without_skill/1.md`]: "Two.",
    "out/1.md": "Mine.",
  });
  expect(runs).toEqual(["alpha 1 1 Mine."]);
  expect(problems).toEqual([
    "notice: This is a workspace of skill-creator, which graded it already: 3 files of it are left out. ",
  ]);
});

test("runs without the skill are no runs of their task, and equal ones are no copies", async () => {
  const files = { "out/1/with_skill/1.md": "Same.", "out/1/without_skill/1.md": "Same." };
  const { runs, outputs, problems } = await plan(files);
  expect(problems).toEqual([expect.stringContaining("1 run without the skill is not graded.")]);
  expect(runs).toEqual(["alpha 1 1 Same."]);
  expect(outputs.files.map(({ results }) => results.side)).toEqual([undefined, "without-skill"]);
});
