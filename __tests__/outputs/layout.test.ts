/** Which eval the folders of output files name. Read from a project on disk, and planned. */
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Suite, Task } from "../../src/domain/suite.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { planJobs } from "../../src/plan/plan.ts";
import { withoutSameRuns } from "../../src/plan/problems.ts";
import { withoutSharedRuns } from "../../src/plan/problems.ts";
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

  test("a folder that names no eval, beside one that does, belongs to none", async () => {
    const files = {
      "out/alpha/1.md": "A.",
      "out/other-skill/2.md": "Another skill's.",
      "out/other-skill/logs/2.txt": "Another skill's.",
      "out/other-skill/results.json": waza([{ final_output: "B." }], { eval_name: "beta" }),
    };
    const alpha = evalOf("alpha", "skills/alpha/evals/evals.json", [taskOf("1"), taskOf("2")]);
    const planned = await plan(files, { suites: [alpha, BETA] });
    expect(planned.runs).toEqual(["alpha 1 1 A.", "alpha 2 missing 1", "beta 1 1 B."]);
    expect(planned.problems).toEqual([
      expect.stringMatching(/^warning: 2 files of this folder are left out: it names no eval/),
    ]);
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
      { "out/beta/1.md": "B.", "out/beta/2.json": "{", "out/1.md": "A." },
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
