/** The one rule of what may be read: the decision itself, then whatever reads files, each held to it by one table. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";
import type { GradingJob } from "../../src/domain/grade.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { follow, isGit, lookUp, namedByFile, refusal } from "../../src/files/confine.ts";
import { findFiles, isReasonableGlob } from "../../src/files/find.ts";
import { fileFinder } from "../../src/judge/files.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { findWorkspaces } from "../../src/plan/workspaces.ts";

afterAll(removeTemporaryFolders);

/** Files, by their paths. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

describe("the decision", () => {
  let base = "";
  /** A runner's folders: a checkout with a repository, a worktree and a submodule below it, and what lies beside. */
  beforeAll(() => {
    base = temporaryFolder("confine");
    write(base, {
      "ws/.git/config": "",
      "ws/out/answer.md": "",
      "ws/shared/answer.md": "",
      "ws/sub/.git/config": "",
      "ws/sub/answer.md": "",
      "ws/tree/.git": "gitdir: ../.git/worktrees/tree",
      "ws/dirs/.GIT/config": "",
      "ws/dirs/git~1/config": "",
      "runner/secret": "",
      "runner/.git/config": "",
      "runner/results/answer.md": "",
    });
    const links: Record<string, string> = {
      "ws/out/beside.md": "answer.md",
      "ws/out/sibling.md": "../shared/answer.md",
      "ws/out/sibling": "../shared",
      "ws/out/away.md": "../../runner/secret",
      "ws/out/absolute.md": join(base, "runner/secret"),
      "ws/out/away": "../../runner",
      "ws/out/gone.md": "../../runner/not-there",
      "ws/out/root": "/",
      "ws/out/config": "../.git/config",
      "ws/out/nested": "../sub/.git/config",
      "ws/out/submodule": "../tree/.git",
      "ws/out/upper": "../dirs/.GIT/config",
      "ws/out/short": "../dirs/git~1/config",
      "ws/out/chain-1": "chain-2",
      "ws/out/chain-2": "chain-3",
      "ws/out/chain-3": "../../runner/secret",
      "ws/out/there-and-back.md": "../../runner/back",
      "runner/back": "../ws/out/answer.md",
      "ws/out/up": "away/../ws/out/answer.md",
      "ws/out/loop": "loop",
      "ws/out/loop-a": "loop-b",
      "ws/out/loop-b": "loop-a",
      "ws/out/environ": "/proc/self/environ",
      "ws/out/zero": "/dev/zero",
      "ws/sub/outer.md": "../out/answer.md",
      "ws/link-to-sub": "sub",
      "runner/latest": "results",
      "runner/into-ws": "../ws",
      "runner/into-git": "../ws/.git/config",
      "linked-runner": "runner",
      "linked-ws": "ws",
    };
    for (const [link, target] of Object.entries(links)) symlinkSync(target, join(base, link));
  });

  const message = (found: { readonly real?: string; readonly refused?: string | undefined }) =>
    found.refused ?? found.real?.slice(base.length + 1);

  test.each<[string, string, string]>([
    ["a file of the checkout", "ws/out/answer.md", "ws/out/answer.md"],
    ["what is not there", "ws/not/there", "ws/not/there"],
    ["a file outside, which the workflow may name", "runner/results/answer.md", "runner/results/answer.md"],
    ["a file outside behind a link of the runner's", "runner/latest/answer.md", "runner/results/answer.md"],
    ["a file in a folder that is a link", "linked-runner/results/answer.md", "runner/results/answer.md"],
    ["a file of the checkout behind a link to the checkout", "linked-ws/out/answer.md", "ws/out/answer.md"],
    ["a file in `.git` that the workflow itself names", "ws/.git/config", "ws/.git/config"],
    ["the same by a link to the checkout", "linked-ws/.git/config", "ws/.git/config"],
    ["a link to a file beside it", "ws/out/beside.md", "ws/out/answer.md"],
    ["a link to a sibling in the repository", "ws/out/sibling.md", "ws/shared/answer.md"],
    ["a file below a linked sibling", "ws/out/sibling/answer.md", "ws/shared/answer.md"],
    ["a link that leads out and back in", "ws/out/there-and-back.md", "ws/out/answer.md"],
    ["a link whose own `..` follow a link, as the system reads them", "ws/out/up", "ws/out/answer.md"],
    ["a link out of the repository", "ws/out/away.md", "outside"],
    ["an absolute link out of it", "ws/out/absolute.md", "outside"],
    ["a link out of it to nothing", "ws/out/gone.md", "outside"],
    ["a file below a folder that is a link out of it", "ws/out/away/secret", "outside"],
    ["a file below a link to everything", "ws/out/root/etc/passwd", "outside"],
    ["the last of a chain of links", "ws/out/chain-1", "outside"],
    ["a committed link reached by a link of the runner's", "linked-ws/out/away.md", "outside"],
    ["a committed link reached from outside", "runner/into-ws/out/away.md", "outside"],
    ["a link out of a repository below the checkout, into the one above", "ws/sub/outer.md", "outside"],
    ["the same, reached by a link of the one above", "ws/link-to-sub/outer.md", "outside"],
    ["a link to the environment", "ws/out/environ", "outside"],
    ["a link to an endless device", "ws/out/zero", "outside"],
    ["a link into `.git`", "ws/out/config", "git"],
    ["a link into the `.git` of a repository below", "ws/out/nested", "git"],
    ["a link to the `.git` file of a worktree or a submodule", "ws/out/submodule", "git"],
    ["a link into `.GIT`", "ws/out/upper", "git"],
    ["a link into NTFS' name for it", "ws/out/short", "git"],
    ["a link of the runner's into `.git`", "runner/into-git", "git"],
    ["a link to itself, which reading tells of", "ws/out/loop", "ws/out/loop"],
  ])("of an input that names %s", (_what, path, expected) => {
    expect(message(lookUp(join(base, path), join(base, "ws")))).toBe(expected);
    expect(message(lookUp(join(base, path), join(base, "linked-ws")))).toBe(expected);
  });

  test.each<[string, string, string, string]>([
    ["a file of the repository", "ws", "ws/out/answer.md", "ws/out/answer.md"],
    ["what is not there", "ws", "ws/out/not-there.md", "ws/out/not-there.md"],
    ["the root itself", "ws", "ws", "ws"],
    ["a file, by a link to the checkout", "ws", "linked-ws/out/answer.md", "ws/out/answer.md"],
    ["a link to a sibling in the repository", "ws", "ws/out/sibling.md", "ws/shared/answer.md"],
    ["a link to a sibling of its folder, which is the root", "ws/out", "ws/out/sibling.md", "outside"],
    ["a file outside", "ws", "runner/secret", "outside"],
    ["a file that climbs out", "ws", "ws/out/../../runner/secret", "outside"],
    ["a file of a folder whose name begins like the root's", "ws/out", "ws/out-2/x", "outside"],
    ["a file of the repository above", "ws/sub", "ws/out/answer.md", "outside"],
    ["a link out of the root", "ws", "ws/out/away.md", "outside"],
    ["a link that leads out and back in", "ws", "ws/out/there-and-back.md", "ws/out/answer.md"],
    ["`.git`", "ws", "ws/.git", "git"],
    ["a file in `.git`", "ws", "ws/.git/config", "git"],
    ["a file in a `.git` below", "ws", "ws/sub/.git/config", "git"],
    ["a file in a `.git` that is not there", "ws", "ws/out/.git/config", "git"],
    ["a file in `.GIT`", "ws", "ws/dirs/.GIT/config", "git"],
    ["a link into a `.git` below", "ws", "ws/out/nested", "git"],
    ["a link to the environment", "ws", "ws/out/environ", "outside"],
    ["two links in a circle, which reading tells of", "ws", "ws/out/loop-a", "ws/out/loop-a"],
    ["a root that lies in a `.git` itself", "ws/.git", "ws/.git/config", "ws/.git/config"],
  ])("of a file that names %s", (_what, root, path, expected) => {
    expect(message(namedByFile(join(base, path), join(base, root)))).toBe(expected);
  });

  test("needs no file system", () => {
    const way = { path: "/ws/a", links: ["/ws/a"], real: "/etc/passwd" };
    expect(refusal(way, { root: "/ws", namedBy: "input" })).toBe("outside");
    expect(refusal({ ...way, links: ["/tmp"] }, { root: "/ws", namedBy: "input" })).toBeUndefined();
    expect(refusal({ ...way, links: [] }, { root: "/ws", namedBy: "file" })).toBe("outside");
  });

  test("of a path of a million parts, or with a NUL, ends", () => {
    const long = `${base}/${"a/".repeat(1_000_000)}b`;
    expect(follow(long).real).toBe(long);
    expect(follow(`${base}/a\0b/c`).links).toEqual([]);
  });

  const spaces = " ".repeat(1_000_000);
  test.each<[boolean, readonly string[]]>([
    [true, [".git", ".GIT", ".Git", ".git ", ".git. .", "git~1", "GIT~1", ".git::$INDEX_ALLOCATION"]],
    [true, [".g\u200Cit", `.git${spaces}`]],
    [false, [".github", ".gitignore", ".gitmodules", "git", "x.git", "git~10", `.git${spaces}x`]],
  ])("knows `.git` by any of its names: %p", (expected, names) => {
    expect(names.filter((name) => isGit(name) !== expected)).toEqual([]);
  });
});

/** Whoever reads what others name: where that is put, what it has to hold, and everything that is read of it. */
interface Reader {
  /** In the project. */
  readonly at: string;
  readonly isFolder?: true;
  /** A link to another folder of the repository leads out of this one. */
  readonly ownFolder?: true;
  /** The word itself, unless the format wants more. */
  readonly content?: (word: string) => string;
  readonly files?: Readonly<Record<string, string>>;
  /** Loads the eval, unless it is read otherwise. */
  readonly read?: (project: string) => Promise<unknown>;
}

const GRADERS = "graders: [{type: prompt, name: g, config: {prompt: p}}]\n";
const EVAL = `name: e\n${GRADERS}`;
const task = (more: string) => ({ "eval.yaml": EVAL, "tasks/t.yaml": `id: t\n${more}` });
const suites = (project: string) => loadSuites(["eval.yaml"], project);

/** The text of every file a judge could read. */
async function contents(job: Pick<GradingJob, "task" | "workspace">) {
  const found = await fileFinder()(job);
  const files = [...found.values()].flatMap((folder) => [...folder.files.values()]);
  return await Promise.all(files.map(async (file) => (await file.read()).toString()));
}

async function givenFiles(project: string) {
  const loaded = await suites(project);
  const tasks = loaded.suites.flatMap((suite) => (suite.tasks === "every" ? [] : suite.tasks));
  return { loaded, files: await Promise.all(tasks.map((one) => contents({ task: one }))) };
}

const JOB: GradingJob = {
  suite: suiteOf(),
  task: { id: "t", name: "t" },
  grader: graderOf(),
  judgeModel: "j",
  run: runOf({ taskId: "t" }),
};

const agents = (pattern: string) => async (base: string) => {
  const { jobs, problems } = findWorkspaces([JOB], { pattern, base });
  return { problems, files: await Promise.all(jobs.map((one) => contents(one))) };
};

const record = (word: string) => JSON.stringify([{ task_id: "t", output: word }]);
const taskOf = (word: string) => `id: ${word}\n`;

const READERS: Readonly<Record<string, Reader>> = {
  "the input `results`": {
    at: "linked/answers.json",
    content: record,
    read: (workspace) => readOutputs({ patterns: ["linked/answers.json"], workspace, suites: [] }),
  },
  "the input `results`, by a wildcard": {
    at: "linked/answers.json",
    content: record,
    read: (workspace) => readOutputs({ patterns: ["linked/*"], workspace, suites: [] }),
  },
  "the input `eval`": {
    at: "linked/other.yaml",
    content: (word) => `name: ${word}\n${GRADERS}`,
    files: { "eval.yaml": EVAL },
    read: (project) => loadSuites(["eval.yaml", "linked/other.yaml"], project),
  },
  "the input `workspace`": {
    at: "linked/out",
    isFolder: true,
    read: agents("linked/out"),
  },
  "the folder of a run in `workspace`": {
    at: "linked/t",
    isFolder: true,
    ownFolder: true,
    files: { "linked/u/x": "" },
    read: agents("linked/{task}"),
  },
  "a judge, in an agent's workspace": {
    at: "linked/note.md",
    ownFolder: true,
    files: { "linked/x": "" },
    read: agents("linked"),
  },
  "an eval's `tasks`": {
    at: "linked/one.yaml",
    content: taskOf,
    files: { "eval.yaml": `${EVAL}tasks: [linked/one.yaml]\n` },
  },
  "an eval's `tasks`, by a wildcard": {
    at: "linked/one.yaml",
    content: taskOf,
    files: { "eval.yaml": `${EVAL}tasks: ["linked/*.yaml"]\n` },
  },
  "tasks that lie where tasks do": {
    at: "tasks/one.yaml",
    content: taskOf,
    files: { "eval.yaml": EVAL },
  },
  "an eval's `tasks_from`": {
    at: "linked/table.csv",
    content: (word) => `id,prompt\n${word},p\n`,
    files: { "eval.yaml": `${EVAL}tasks_from: linked/table.csv\n` },
  },
  "a task's `prompt_file`": {
    at: "tasks/linked/prompt.md",
    files: task("inputs: {prompt_file: linked/prompt.md}\n"),
  },
  "a task's `files`": {
    at: "tasks/linked/given.md",
    files: task("inputs: {files: [{path: linked/given.md}]}\n"),
    read: givenFiles,
  },
  "a task's `context_dir`": {
    at: "tasks/linked/context",
    isFolder: true,
    files: task("context_dir: linked/context\n"),
    read: givenFiles,
  },
  "a task's fixture": {
    at: "tasks/linked/fixture",
    isFolder: true,
    files: task("inputs: {context: {fixture: linked/fixture}}\n"),
    read: givenFiles,
  },
  "a grader's `rubric`": {
    at: "linked/rubric.md",
    content: (word) => `---\nname: r\nversion: 1\nscale: pass-fail\ndescription: d\n---\n${word}\n`,
    files: {
      "eval.yaml": "name: e\ngraders: [{type: prompt, name: g, config: {rubric: linked/rubric.md}}]\n",
    },
  },
  "an eval's `.waza.yaml`": {
    at: "linked/.waza.yaml",
    content: (word) => `defaults: {judgeModel: ${word}}\n`,
    files: { "linked/x/eval.yaml": EVAL },
    read: (project) => loadSuites(["linked/x/eval.yaml"], project),
  },
};

/** What lies at the place: the target of a link, or how it is made otherwise. */
interface Case {
  readonly link?: (place: { readonly project: string; readonly name: string }) => string;
  readonly make?: (place: string) => void;
  /** By whom it is read, if by anybody. */
  readonly for?: "everybody" | "the repository";
}

const to =
  (...folder: string[]) =>
  ({ project, name }: { readonly project: string; readonly name: string }) =>
    join(project, ...folder, name);

const CASES: Readonly<Record<string, Case>> = {
  "a link to what lies beside it": { link: ({ name }) => join("beside", name), for: "everybody" },
  "a link to another folder of the repository": { link: to("shared"), for: "the repository" },
  "a chain of links within the repository": { link: to("chain"), for: "the repository" },
  "a link out of the repository": { link: to("..", "outside") },
  "a chain of links out of the repository": { link: to("chain-out") },
  "a link into `.git`": { link: to(".git") },
  "a link into the `.git` of a repository below": { link: to("below", ".git") },
  "a link into `.GIT`": { link: to("upper", ".GIT") },
  "a link to itself": { link: ({ name }) => name },
  "a link to the environment of this process": { link: () => "/proc/self/environ" },
  "a link to an endless device": { link: () => "/dev/zero" },
  "a pipe without a writer": {
    make: (place) => {
      execFileSync("mkfifo", [place]);
    },
  },
};

describe.each(Object.entries(READERS))("%s", (_who, reader) => {
  const { at, isFolder, ownFolder, content = (word: string) => word, files = {}, read = suites } = reader;
  const name = basename(at);
  const put = (folder: string, word: string) => {
    write(folder, { [isFolder ? `${name}/file.md` : name]: content(word) });
  };

  /** A project with the same name at each place that a link could lead to. */
  function prepared(): string {
    const project = join(temporaryFolder("readers"), "project");
    write(project, { ...files, ".git/HEAD": "", "below/.git/HEAD": "", [`${dirname(at)}/.keep`]: "" });
    put(join(project, dirname(at), "beside"), "BESIDE");
    put(join(project, "shared"), "SHARED");
    for (const folder of ["../outside", ".git", "below/.git", "upper/.GIT"])
      put(join(project, folder), "SECRET");
    for (const [chain, target] of Object.entries({ chain: "../shared", "chain-out": "../../outside" })) {
      mkdirSync(join(project, chain));
      symlinkSync(join(target, name), join(project, chain, name));
    }
    return project;
  }

  test.each(Object.entries(CASES))("reads of %s what it may", async (_what, { link, make, for: allowed }) => {
    const project = prepared();
    const place = join(project, at);
    make?.(place);
    const targets = link ? [link({ project, name })] : [];
    for (const target of targets) symlinkSync(target, place);
    const got = JSON.stringify(await read(project));
    for (const word of ["SECRET", "PATH="]) expect(got).not.toContain(word);
    expect(got.includes("SHARED")).toBe(allowed === "the repository" && !ownFolder);
    if (allowed === "everybody") expect(got).toContain("BESIDE");
  });

  test("reads by a relative link what it reads by an absolute one", async () => {
    for (const [target, word] of [
      ["../outside", undefined],
      ["shared", ownFolder ? undefined : "SHARED"],
    ] as const) {
      const project = prepared();
      const place = join(project, at);
      symlinkSync(join(relative(dirname(place), join(project, target)), name), place);
      const got = JSON.stringify(await read(project));
      expect(got).not.toContain("SECRET");
      if (word !== undefined) expect(got).toContain(word);
    }
  });

  test("reads nothing below a folder that is a link out of the repository", async () => {
    const project = prepared();
    put(join(project, "../whole"), "SECRET");
    rmSync(join(project, dirname(at)), { recursive: true });
    symlinkSync(join(project, "../whole"), join(project, dirname(at)));
    expect(JSON.stringify(await read(project))).not.toContain("SECRET");
  });

  test("reads what lies there itself", async () => {
    const project = prepared();
    put(dirname(join(project, at)), "ITSELF");
    expect(JSON.stringify(await read(project))).toContain("ITSELF");
  });
});

/* The limits of a reasonable glob, one by one, and the order of found files. */

afterAll(removeTemporaryFolders);

test("files are in natural order: numbers in names count as numbers", async () => {
  const names = ["skill-2/b.md", "skill-10/a.md", "skill-10/B.md", "skill-11/a.md"];
  const folder = writeProject(Object.fromEntries(names.map((name) => [name, ""])));
  expect(await findFiles(["**/*.md"], folder)).toEqual(names.map((name) => join(folder, name)));
});

test.each<[string, string, readonly string[]]>([
  ["a group and a plus", "(a|b)+c.md", ["(a|b)+c.md"]],
  ["a group with a star", "(a*c.md", ["(a|b)+c.md"]],
  ["an extended pattern", "@(a|b).md", []],
  ["characters that the pattern itself escapes", String.raw`\(a\|b\)+*`, ["(a|b)+c.md"]],
  ["a group of 60 characters, which the library would try two ways each", "(a|a)+b*.md", []],
])("%s are characters: waza's globs have no groups", async (_, pattern, names) => {
  const folder = writeProject({ "(a|b)+c.md": "", "a.md": "", [`${"a".repeat(60)}.md`]: "" });
  expect(await findFiles([pattern], folder)).toEqual(names.map((name) => join(folder, name)));
});

test.each<[string, string, boolean]>([
  ["three stars in a name", "*a*b*.md", true],
  ["four stars in a name", "*a*b*c*.md", false],
  ["three folders of any depth", "**/a/**/b/**/*.md", true],
  ["four folders of any depth", "**/a/**/b/**/c/**/*.md", false],
  ["three choices", "{a,b}/{c,d}/{e,f}.md", true],
  ["four choices", "{a,b}/{c,d}/{e,f}/{g,h}.md", false],
  ["a thousand characters", "a".repeat(1_000), true],
  ["more than a thousand characters", "a".repeat(1_001), false],
  ["a zero byte", "a\0b", false],
])("%s", (_, pattern, isReasonable) => {
  expect(isReasonableGlob(pattern)).toBe(isReasonable);
});
