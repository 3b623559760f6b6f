import { afterAll, describe, expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suiteOf } from "../support/factories.ts";
import { promptGrader } from "../support/projects.ts";
import { HEAD_SHA, removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";
import { withTested } from "../../src/evals/skills.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import {
  branchFiles,
  changedFiles,
  unchangedBy,
  unchangedSuites,
  type Changes,
} from "../../src/github/changes.ts";
import type { RunContext } from "../../src/github/context.ts";
import { runContext } from "../support/run-context.ts";

afterAll(removeTemporaryFolders);

const context = (more: Partial<RunContext> = {}): RunContext =>
  runContext({ sha: HEAD_SHA, pull: { number: 7 }, ...more });

test("an event that belongs to no pull request has nothing to compare with", async () => {
  expect(await changedFiles(context({ pull: undefined }), "/nowhere")).toEqual({
    all: "this event belongs to no pull request",
  });
});

describe("git's comparison", () => {
  function git(folder: string, ...args: string[]): string {
    const identity = ["-c", "user.name=mona", "-c", "user.email=mona@example.com"];
    const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  }
  function commit(folder: string, files: Record<string, string | null>): string {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      if (text === null) rmSync(join(folder, path));
      else writeFileSync(join(folder, path), text);
    }
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--message", "change");
    return git(folder, "rev-parse", "HEAD");
  }

  /** A repository whose branch `topic` changes, removes and renames files, while `main` goes on. */
  function repository() {
    const folder = temporaryFolder("git");
    git(folder, "init", "--quiet", "--initial-branch=main");
    const same = "the same\ntext\n";
    commit(folder, { "kept.md": "k\n", "gone.md": "g\n", "old name.md": same, "changed.md": "1\n" });
    git(folder, "checkout", "--quiet", "-b", "topic");
    const removed = { "gone.md": null, "old name.md": null };
    const added = { "new/ñame\t1.md": same, "added.md": "a\n" };
    const sha = commit(folder, { "changed.md": "2\n", ...removed, ...added });
    git(folder, "checkout", "--quiet", "main");
    const baseSha = commit(folder, { "kept.md": "changed on main\n" });
    return { folder, sha, baseSha };
  }

  const compared = (root: string, of: Partial<RunContext>) => changedFiles(context(of), root);

  test("is with where the branches parted, and has both names of what was renamed", async () => {
    const { folder, sha, baseSha } = repository();
    expect(await compared(folder, { sha, baseSha })).toEqual({
      files: ["added.md", "changed.md", "gone.md", "new/ñame\t1.md", "old name.md"],
      renamed: { names: new Map() },
      between: { by: "git", from: baseSha, to: sha },
    });
  });

  test.each([
    ["with all files", [], true],
    ["with small files, as evals.yml has it", ["--filter=blob:limit=64k"], true],
    ["without the files of earlier commits", ["--filter=blob:none"], false],
  ])(
    "finds a skill that was renamed and edited in a clone %s, or says that it cannot",
    async (_, how, isKnown) => {
      const origin = temporaryFolder("origin");
      git(origin, "init", "--quiet", "--initial-branch=main");
      git(origin, "config", "uploadpack.allowFilter", "true");
      const text = Array.from({ length: 40 }, (_line, at) => `line ${String(at)}`).join("\n");
      const baseSha = commit(origin, {
        "skills/a/SKILL.md": `name: a\n${text}`,
        "large.md": "x".repeat(70_000),
      });
      const renamed = {
        "skills/a/SKILL.md": null,
        "skills/b/SKILL.md": `name: b\n${text}`,
        "large.md": null,
      };
      const sha = commit(origin, { ...renamed, "larger.md": "x".repeat(70_001) });
      const folder = join(temporaryFolder("clone"), "clone");
      git(origin, "clone", "--quiet", ...how, `file://${origin}`, folder);
      const changes = await compared(folder, { sha, baseSha });
      expect("files" in changes && changes.renamed).toEqual(
        isKnown
          ? { names: new Map([["skills/a/SKILL.md", "skills/b/SKILL.md"]]) }
          : { unknown: expect.stringContaining("fatal: ") },
      );
    },
  );

  test("of a command is with the remote's default branch, and says what is missing to find it", async () => {
    const { folder } = repository();
    git(folder, "checkout", "--quiet", "topic");
    writeFileSync(join(folder, "new.md"), "not committed");
    const said = async () => {
      const changes = await branchFiles(folder);
      return "files" in changes ? changes.files : changes;
    };
    expect(await said()).toEqual({
      unknown: "git has no default branch of a remote `origin` to compare this one with",
      help: "Fetch it by `git fetch origin` (with `--unshallow` in a shallow clone), or choose evals by `eval`.",
    });
    git(folder, "update-ref", "refs/remotes/origin/main", "main");
    expect(await said()).toEqual(expect.arrayContaining(["added.md", "new.md"]));
    git(folder, "update-ref", "refs/remotes/origin/next", "topic");
    git(folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/next");
    expect(await said()).toEqual(["new.md"]);
  });

  test("runs nothing that the repository's settings, attributes or hooks name", async () => {
    const { folder, sha, baseSha } = repository();
    const marks = temporaryFolder("marks");
    const script = join(marks, "run.sh");
    writeFileSync(script, `#!/bin/sh\ntouch "${marks}/$(basename "$0")-ran-$$"\n`, { mode: 0o755 });
    const programs = [
      ...["core.fsmonitor", "core.pager", "core.sshCommand", "pager.diff", "credential.helper"],
      ...["diff.external", "diff.evil.command", "diff.evil.textconv"],
      ...["filter.evil.clean", "filter.evil.smudge", 'filter.=by"name.process'],
    ];
    for (const name of programs) git(folder, "config", name, script);
    git(folder, "config", "core.hooksPath", marks);
    git(folder, "config", 'filter.=by"name.required', "true");
    git(folder, "config", "alias.diff", `!${script}`);
    writeFileSync(join(folder, ".git/info/attributes"), '* diff=evil filter=evil\n*.md filter==by"name\n');
    git(folder, "remote", "add", "origin", folder);
    git(folder, "update-ref", "refs/remotes/origin/main", "main");
    git(folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    writeFileSync(join(folder, "changed.md"), "Not committed.");
    expect(await branchFiles(folder)).toMatchObject({
      files: expect.arrayContaining(["changed.md"]) as object,
    });
    const { files } = (await compared(folder, { sha, baseSha })) as { files: string[] };
    expect(files).toContain("changed.md");
    expect(readdirSync(marks)).toEqual(["run.sh"]);
    // The settings do run where they are not turned off: the trap is a trap.
    for (const what of [`${baseSha}...${sha}`, "HEAD"]) {
      const before = readdirSync(marks).length;
      spawnSync("git", ["diff", "--no-ext-diff", what], { cwd: folder });
      expect(readdirSync(marks).length).toBeGreaterThan(before);
    }
  });

  test("fetches nothing that a partial clone lacks", async () => {
    const { folder, sha, baseSha } = repository();
    const partial = join(temporaryFolder("partial"), "clone");
    git(folder, "config", "uploadpack.allowFilter", "true");
    git(folder, "clone", "--quiet", "--no-checkout", "--filter=tree:0", `file://${folder}`, partial);
    const changes = await compared(partial, { sha, baseSha });
    expect("unknown" in changes && changes.unknown).toContain("git could not compare the pull request");
  });

  test("is unknown in a shallow checkout, with what to change", async () => {
    const { folder, sha, baseSha } = repository();
    const shallow = join(temporaryFolder("shallow"), "clone");
    git(folder, "clone", "--quiet", "--depth", "1", "--branch", "topic", `file://${folder}`, shallow);
    expect(await compared(shallow, { sha, baseSha })).toMatchObject({
      unknown: expect.stringContaining("git could not compare the pull request with its base: ") as unknown,
      help: expect.stringContaining("`fetch-depth: 0`") as unknown,
    });
  });

  test("is unknown outside a repository, also within another one", async () => {
    const { folder, sha, baseSha } = repository();
    mkdirSync(join(folder, "below"));
    const changes = await compared(join(folder, "below"), { sha, baseSha });
    expect("unknown" in changes && changes.unknown).toContain("git could not compare");
  });

  test.each([
    ["no base", {}],
    ["what is no commit", { baseSha: "--output=/tmp/x" }],
  ])("is unknown where the event names %s", async (_case, of) => {
    const folder = temporaryFolder("none");
    expect(await compared(folder, of)).toMatchObject({ unknown: "the event names no commits to compare" });
    expect(existsSync("/tmp/x")).toBe(false);
  });
});

const graders = [promptGrader("g")];
const RUBRIC = "---\nname: kind\nversion: 1.0.0\nscale: pass-fail\ndescription: Kind.\n---\nIs it kind?\n";
const task = (id: string, more: object = {}) => ({ id, inputs: { prompt: "Do it." }, ...more });

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
  const table = {
    "evals/eval.yaml": { tasks_from: "../data/tasks.csv", graders },
    "data/tasks.csv": "id,prompt\na,b\n",
  };

  test.each<[string, string, Record<string, unknown>?]>([
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
    ["a table of tasks", "data/tasks.csv", table],
    [
      "the first task of an eval that named none, or its last",
      "evals/tasks/gone.yaml",
      { "evals/eval.yaml": { graders } },
    ],
  ])("%s", async (_case, path, files = PROJECT) => {
    expect(await planned(files, ["other.md", path])).toEqual(["evals/eval.yaml"]);
  });

  test.each([
    ["nothing of it", "README.md"],
    ["a file beside one of its own", "rubrics/other.md"],
    ["a file whose name only begins like a folder of its own", "evals/cases.md"],
  ])("and not for %s", async (_case, path) => {
    expect(await planned(PROJECT, [path])).toEqual([]);
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
  test.each<[string, string, boolean, string?]>([
    ["evals/csv/eval.yaml", "skills/csv/SKILL.md", true],
    ["evals/csv/eval.yaml", "plugins/x/skills/csv/lib/read.py", true],
    ["tests/csv/evals/eval.yaml", ".github/skills/csv/SKILL.md", true],
    ["skills/csv/evals/eval.yaml", "skills/csv/SKILL.md", true],
    [".github/evals/agents/csv/eval.yaml", "agents/csv/prompt.md", true],
    [".github/skills/csv/evals/eval.yaml", ".github/skills/csv/a.md", true],
    // The eval's own `skill`, in no folder above it, too.
    ["evals/eval.yaml", "skills/csv/SKILL.md", true, "csv"],
    ["evals/tables/eval.yaml", "skills/csv/SKILL.md", true, "csv"],
    ["skills/csv/evals/eval.yaml", "skills/csv-2/SKILL.md", false, "csv"],
    ["evals/eval.yaml", "skills/csv/SKILL.md", false],
  ])("of %s: whether %s is in it: %j", async (path, changed, expected, ...skill) => {
    const file = { graders, ...(skill.length > 0 ? { skill: skill[0] } : {}) };
    expect(await planned({ [path]: file }, [changed])).toEqual(expected ? [path] : []);
  });

  test.each<[string, string, string, boolean, boolean?]>([
    ["at the top of the repository, beside the eval", "eval.yaml", "SKILL.md", true],
    ["at the top, above `evals`", "evals/eval.yaml", "lib/read.py", true],
    ["at the top, and gone", "evals/eval.yaml", "SKILL.md", true, true],
    ["at the top, far above the eval", "evals/foo/eval.yaml", "lib/read.py", true],
    ["none", "evals/foo/eval.yaml", "lib/read.py", false, true],
  ])("%s", async (_case, path, changed, expected, isGone = false) => {
    const files = { [path]: { graders }, ...(isGone ? {} : { "SKILL.md": "Read." }) };
    expect(await planned(files, [changed])).toEqual(expected ? [path] : []);
  });
});

test.each([
  ["its SKILL.md", "docs/demo.md"],
  ["a linked folder", "shared/scripts/run.sh"],
  ["a link in a linked folder", "lib/deep.sh"],
  ["a submodule with a linked file", "vendor"],
  ["a task's fixture", "data/in.csv"],
])("what a link of a skill leads to belongs to it: %s", async (_case, changed) => {
  const workspace = writeProject({
    "evals/tables/eval.yaml": { skill: "demo", graders, tasks: ["t.yaml"] },
    "evals/tables/t.yaml": task("t", { context_dir: "given" }),
    "evals/tables/given/a.txt": "a",
    "skills/folder/notes.md": "n",
    "docs/demo.md": "---\nname: demo\n---\nRead.",
    "shared/scripts/run.sh": "r",
    "lib/deep.sh": "d",
    "vendor/lib/a.md": "v",
    "data/in.csv": "i",
    "README.md": "No part of it.",
  });
  for (const [target, path] of [
    ["../../docs/demo.md", "skills/folder/SKILL.md"],
    ["../../shared/scripts", "skills/folder/scripts"],
    ["../../lib/deep.sh", "shared/scripts/deep.sh"],
    ["../../vendor/lib/a.md", "skills/folder/a.md"],
    ["../../../data/in.csv", "evals/tables/given/in.csv"],
    ["../../../outside", "skills/folder/outside"],
    [".", "skills/folder/circle"],
  ] as const)
    symlinkSync(target, join(workspace, path));
  const { suites } = await loadSuites(undefined, workspace);
  const tested = await withTested(suites, workspace);
  expect(unchangedSuites(tested, { files: [changed] }).suites.size).toBe(0);
  expect(unchangedSuites(tested, { files: ["README.md"] }).suites.size).toBe(1);
});

test("what is not changed is left out", () => {
  const at = { startLine: 1, endLine: 1, inRepository: true };
  const suites = ["a", "b", "c"].map((name) => suiteOf({ at: { ...at, path: `${name}/eval.yaml` } }));
  const { suites: unchanged, problems } = unchangedSuites(suites, { files: ["b/eval.yaml"] });
  expect([...unchanged]).toEqual([suites[0], suites[2]]);
  expect(problems).toEqual([]);
});

test.each<[string, Changes, string]>([
  ["not known, that is an error", { unknown: "no base", help: "Look." }, "error"],
  ["nothing to compare with, all are planned", { all: "no pull request" }, "notice"],
])("where there is %s", (_what, changes, level) => {
  const { suites, problems } = unchangedSuites([suiteOf()], changes);
  expect(suites.size).toBe(0);
  expect(problems).toMatchObject([{ level }]);
});

test("an eval outside the repository is always planned, and evals of two repositories have no one root", async () => {
  const at = { path: "/elsewhere/eval.yaml", startLine: 1, endLine: 1, inRepository: false };
  const outside = suiteOf({ at });
  expect(unchangedSuites([outside], { files: ["README.md"] }).suites.size).toBe(0);

  const [one, other] = [1, 2].map(() => writeProject({ "eval.yaml": { graders } }));
  const loaded = await Promise.all(
    [one!, other!].map(async (folder) => (await loadSuites(undefined, folder)).suites),
  );
  const asked: string[] = [];
  const changes = (root: string) => Promise.resolve({ files: [], asked: asked.push(root) });
  expect((await unchangedBy(changes, loaded[0]!)).suites.size).toBe(1);
  expect(asked).toEqual([one]);
  for (const suites of [loaded.flat(), [outside]]) {
    const { problems } = await unchangedBy(changes, suites);
    expect(problems).toMatchObject([{ message: expect.stringContaining("not all in one repository") }]);
  }
  expect(asked).toEqual([one]);
});
