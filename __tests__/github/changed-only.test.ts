import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { onlyRoot, unchangedSuites } from "../../src/github/changes.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { suiteOf } from "../support/factories.ts";
import { promptGrader } from "../support/projects.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const graders = [promptGrader("g")];
const RUBRIC = "---\nname: kind\nversion: 1.0.0\nscale: pass-fail\ndescription: Kind.\n---\nIs it kind?\n";
const task = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  inputs: { prompt: "Do it." },
  ...more,
});

/** One eval in a repository, and which of its files make it. */
const PROJECT: Record<string, unknown> = {
  "evals/eval.yaml": {
    name: "all",
    tasks: ["cases/*.yaml", "../shared/*.task.yaml"],
    graders: [{ type: "prompt", name: "r", config: { rubric: "../rubrics/kind.md" } }],
  },
  "evals/cases/one.yaml": task("one", {
    inputs: { prompt_file: "../../prompts/one.md", files: [{ path: "a.txt" }, { path: "gone.txt" }] },
    context_dir: "given",
  }),
  "evals/given/a.txt": "a",
  "prompts/one.md": "Do it.",
  "shared/two.task.yaml": task("two", {
    graders: [{ type: "prompt", name: "own", config: { rubric: "../rubrics/own.md" } }],
  }),
  "rubrics/kind.md": RUBRIC,
  "rubrics/own.md": RUBRIC,
  ".waza.yaml": "defaults: {judgeModel: gpt-6.1-terra}\n",
  "README.md": "No part of it.",
};

/** Which evals of a project are planned when these files change. */
async function planned(files: Record<string, unknown>, changed: readonly string[]): Promise<string[]> {
  const { suites } = await loadSuites(undefined, writeProject(files));
  expect(suites.filter(({ broken }) => broken)).toEqual([]);
  const { suites: unchanged } = unchangedSuites(suites, { files: changed });
  return suites.filter((suite) => !unchanged.has(suite)).map(({ at }) => at.path);
}

describe("an eval is planned when the pull request changes", () => {
  test.each([
    ["the eval file", "evals/eval.yaml"],
    ["a task file", "evals/cases/one.yaml"],
    ["a task file that it adds or removes", "evals/cases/removed.yaml"],
    ["a task file that lies elsewhere", "shared/two.task.yaml"],
    ["one that is gone from there", "shared/gone.task.yaml"],
    ["a task's prompt", "prompts/one.md"],
    ["a fixture", "evals/given/a.txt"],
    ["another file of a task's folder", "evals/given/deep/b.txt"],
    ["a fixture that is gone", "evals/given/gone.txt"],
    ["the eval's rubric", "rubrics/kind.md"],
    ["a task's rubric", "rubrics/own.md"],
    ["the project's defaults", ".waza.yaml"],
    ["the submodule that a part of it lies in", "prompts"],
  ])("%s", async (_case, path) => {
    expect(await planned(PROJECT, ["other.md", path])).toEqual(["evals/eval.yaml"]);
  });

  test.each([
    ["nothing of it", "README.md"],
    ["a file beside one of its own", "rubrics/other.md"],
    ["a file whose name only begins like a folder of its own", "evals/cases.md"],
  ])("and not for %s", async (_case, path) => {
    expect(await planned(PROJECT, [path])).toEqual([]);
  });

  test("a table of tasks", async () => {
    const files = {
      "evals/eval.yaml": { tasks_from: "../data/tasks.csv", graders },
      "data/tasks.csv": "id,prompt\na,b\n",
    };
    expect(await planned(files, ["data/tasks.csv"])).toEqual(["evals/eval.yaml"]);
  });

  test("the first task of an eval that named none, or its last", async () => {
    expect(await planned({ "evals/eval.yaml": { graders } }, ["evals/tasks/gone.yaml"])).toEqual([
      "evals/eval.yaml",
    ]);
  });

  test("what a link of its folder leads to", async () => {
    const workspace = writeProject({
      "evals/eval.yaml": { graders, tasks: ["a.yaml"] },
      "real/a.yaml": task("a"),
    });
    symlinkSync("../real/a.yaml", join(workspace, "evals/a.yaml"));
    const { suites } = await loadSuites(undefined, workspace);
    for (const path of ["evals/a.yaml", "real/a.yaml"])
      expect(unchangedSuites(suites, { files: [path] }).suites.size).toBe(0);
  });
});

describe("the folder of its skill", () => {
  test.each<[string, string, string | undefined, string, boolean]>([
    ["evals/<skill>", "evals/csv/eval.yaml", undefined, "skills/csv/SKILL.md", true],
    [
      "evals/<skill>, of a plugin",
      "evals/csv/eval.yaml",
      undefined,
      "plugins/x/skills/csv/lib/read.py",
      true,
    ],
    ["tests/<skill>/evals", "tests/csv/evals/eval.yaml", undefined, ".github/skills/csv/SKILL.md", true],
    ["skills/<skill>/evals", "skills/csv/evals/eval.yaml", undefined, "skills/csv/SKILL.md", true],
    [
      ".github/evals/agents/<agent>",
      ".github/evals/agents/csv/eval.yaml",
      undefined,
      "agents/csv/prompt.md",
      true,
    ],
    [
      ".github/skills/<skill>/evals",
      ".github/skills/csv/evals/eval.yaml",
      undefined,
      ".github/skills/csv/a.md",
      true,
    ],
    ["the eval's own `skill`", "evals/eval.yaml", "csv", "skills/csv/SKILL.md", true],
    ["a skill that is no folder above it", "evals/tables/eval.yaml", "csv", "skills/csv/SKILL.md", true],
    ["another skill", "skills/csv/evals/eval.yaml", "csv", "skills/csv-2/SKILL.md", false],
    ["no skill at all", "evals/eval.yaml", undefined, "skills/csv/SKILL.md", false],
  ])("%s", async (_case, path, skill, changed, expected) => {
    const file = { graders, ...(skill === undefined ? {} : { skill }) };
    expect(await planned({ [path]: file }, [changed])).toEqual(expected ? [path] : []);
  });
});

test.each<[string, string, string, boolean]>([
  ["at the top of the repository, beside the eval", "eval.yaml", "SKILL.md", true],
  ["at the top, above `evals`", "evals/eval.yaml", "lib/read.py", true],
  ["at the top, and gone", "evals/eval.yaml", "SKILL.md (gone)", true],
  ["at the top, far above the eval", "evals/foo/eval.yaml", "lib/read.py", true],
  ["none", "evals/foo/eval.yaml", "lib/read.py (gone)", false],
])("a skill counts by its folder: %s", async (_case, path, changed, expected) => {
  const [name = "", gone] = changed.split(" ");
  const files = { [path]: { graders }, ...(gone ? {} : { "SKILL.md": "Read." }) };
  expect(await planned(files, [name])).toEqual(expected ? [path] : []);
});

test("what is not planned is named, all in one notice", () => {
  const at = { startLine: 1, endLine: 1, inRepository: true };
  const suites = ["a", "b", "c"].map((name) => suiteOf({ at: { ...at, path: `${name}/eval.yaml` } }));
  const { suites: unchanged, problems } = unchangedSuites(suites, { files: ["b/eval.yaml"] });
  expect([...unchanged]).toEqual([suites[0], suites[2]]);
  expect(problems).toEqual([
    {
      level: "notice",
      message:
        "Not graded, because the pull request does not change them (`changed-only`): `a/eval.yaml`, `c/eval.yaml`.",
    },
  ]);
});

test("where the difference is not known all are planned, and a notice says why", () => {
  const { suites, problems } = unchangedSuites([suiteOf()], { unknown: "nobody looked", help: "Look." });
  expect(suites.size).toBe(0);
  expect(problems).toEqual([
    { level: "notice", message: "`changed-only`: nobody looked, so all evals are graded.", help: "Look." },
  ]);
});

test("an eval outside the repository is always planned, and evals of two repositories have no one root", async () => {
  const outside = suiteOf({
    at: { path: "/elsewhere/eval.yaml", startLine: 1, endLine: 1, inRepository: false },
  });
  expect(unchangedSuites([outside], { files: ["README.md"] }).suites.size).toBe(0);
  expect(onlyRoot([outside])).toBeUndefined();

  const [one, other] = [
    writeProject({ "eval.yaml": { graders } }),
    writeProject({ "eval.yaml": { graders } }),
  ];
  const loaded = await Promise.all(
    [one, other].map(async (folder) => (await loadSuites(undefined, folder)).suites),
  );
  expect(onlyRoot(loaded[0]!)).toBe(one);
  expect(onlyRoot(loaded.flat())).toBeUndefined();
});
