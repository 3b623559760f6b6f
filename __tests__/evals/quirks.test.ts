/**
 * Every quirk of real eval files, as a small project under fixtures/quirks: what is read of it, and what is said.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { ResultsFile } from "../../src/domain/run.ts";
import type { Suite, Task } from "../../src/domain/suite.ts";
import { planJobs } from "../../src/plan/plan.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { runOf } from "../support/factories.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const QUIRKS = join(import.meta.dirname, "..", "fixtures", "quirks");

interface Loaded {
  readonly suites: readonly Suite[];
  /** A line each: level, file and line. */
  readonly places: readonly string[];
  /** A line each: message and help. */
  readonly wording: readonly string[];
}

async function load(workspace: string, patterns?: readonly string[]): Promise<Loaded> {
  const { suites, problems } = await loadSuites(patterns, workspace);
  return {
    suites,
    places: problems.map(({ level, at }) => `${level} ${at?.path ?? ""}:${String(at?.startLine)}`),
    wording: problems.map(({ message, help }) => `${message} ${help ?? ""}`),
  };
}

const quirk = (name: string, patterns?: readonly string[]) => load(join(QUIRKS, name), patterns);

function tasksOf(suite: Suite | undefined): readonly Task[] {
  if (!suite || suite.tasks === "every") throw new Error("the suite lists no tasks");
  return suite.tasks;
}

/** Title, tasks and whether it is graded, in a line. */
function inALine({ title, tasks, broken }: Suite): string {
  const listed = tasks === "every" ? "every task" : tasks.map(({ id }) => id).join(" ");
  return `${title}: ${broken ? "broken" : listed}`;
}

function prompts({ suites }: Loaded): readonly string[] {
  return suites.flatMap(({ graders }) => graders.map(({ prompt }) => prompt));
}

const RIGHT = "Is the answer right?";
const nested = (folder: string) => `${folder}/eval.yaml: hello silence`;

type Row = readonly [
  folder: string,
  must: string,
  suites: readonly string[],
  places?: readonly string[],
  patterns?: readonly string[],
];

const TABLE: readonly Row[] = [
  ["graders-only", "is a suite of every task of the results", ["eval.yaml: every task"]],
  ["bare-list", "is read like a `graders:` list", ["eval.yaml: every task"]],
  ["missing-keys", "is fine without name, skill, version and metrics", ["eval.yaml: one"]],
  [
    "other-names",
    "is several suites of one folder, when the input names them",
    ["eval-trigger", "eval.semantic", "mock.eval", "wazaEval"].map((name) => `${name}: every task`),
    [],
    ["evals/**/*.yaml"],
  ],
  [
    "layouts",
    "is found wherever people put evals, dot folders and nested task folders included",
    [
      ".github/evals/agents/greeter",
      ".github/skills/greeter/evals",
      "evals/greeter",
      "skills/greeter/evals",
      "tests/greeter/evals",
    ].map(nested),
  ],
  [
    "project-config",
    "is searched for and read by the names of the nearest .waza.yaml",
    ["greeter: hello", "nearer: hello"],
    ["notice evals/greeter/eval.yaml:1"],
  ],
  [
    "project-config-broken",
    "is reported at the line of .waza.yaml, once, and stops only the suites below it",
    ["four: every task", "one: broken", "three: broken", "two: broken"],
    ["error .waza.yaml:2", "warning evals/three/.waza.yaml:2", "error evals/three/.waza.yaml:4"],
  ],
  ["crlf", "is read as if its lines ended in LF", ["windows: one"]],
  ["byte-order-mark", "is read without its byte order mark", ["marked: one"]],
  ["json-in-yaml", "is read, because JSON is YAML", ["json: one"]],
  ["merge-keys", "is read with anchors and merges resolved", ["merged: every task"], ["notice eval.yaml:2"]],
  [
    "go-booleans",
    "is read as Go reads it: a boolean where one is expected, text elsewhere",
    ["on: yes no on off True FALSE y n"],
  ],
  ["text-scalars", "keeps ids and names as they are written", ["1.0: 007 2024-01-01"]],
  [
    "several-documents",
    "is its first document, with a warning where the second begins",
    ["several: first"],
    ["warning tasks/all.yaml:2"],
  ],
  [
    "unknown-keys",
    "has one notice a file, and a warning for each key that is nearly a known one",
    ["unknown: one"],
    ["notice tasks/one.yaml:2", "warning eval.yaml:10", "notice eval.yaml:2"],
  ],
  [
    "removed-graders",
    "has a warning for each grader that waza no longer has",
    ["removed: every task"],
    ["warning eval.yaml:3", "warning eval.yaml:6"],
  ],
  ["same-grader-two-levels", "is no problem", ["levels: one two"]],
  [
    "same-grader-twice",
    "has a warning at the later grader, which wins",
    ["twice: every task"],
    ["warning eval.yaml:6"],
  ],
  [
    "odd-ids",
    "keeps ids with colons, slashes and other scripts",
    ["odd: ids/of all kinds: eval:compute/app-service/linux-p1-v3 naïve 日本 #1 ../../etc/passwd"],
  ],
  ["same-ids", "is no problem in two suites", ["first: one", "second: one"]],
  ["same-id-twice", "is an error within one suite", ["twice: broken"], ["error tasks/b.yaml:1"]],
  ["disabled", "keeps the task, so that its absence can be reported", ["disabled: off on"]],
  [
    "tasks-from",
    "takes its tasks from the CSV file, `tasks` or not, within its range",
    ["table: greet Farewell row-3", "ranged: row-1 row-2"],
  ],
  [
    "tasks-from-broken",
    "is reported at the line of the eval or of the CSV file that is wrong",
    [
      "backwards: broken",
      "beyond: a",
      "empty: broken",
      "missing: broken",
      "no-prompt: broken",
      "outside: broken",
      "ragged: broken",
      "same-id: broken",
      "unclosed: broken",
      "unquoted: broken",
    ],
    [
      "error backwards/eval.yaml:3",
      "warning beyond/eval.yaml:3",
      "error empty/eval.yaml:2",
      "error missing/eval.yaml:2",
      "error no-prompt/cases.csv:1",
      "error outside/eval.yaml:2",
      "error ragged/cases.csv:4",
      "error same-id/cases.csv:3",
      "error unclosed/cases.csv:3",
      "error unquoted/cases.csv:3",
    ],
  ],
  [
    "prompt-file",
    "has the file's text as the prompt, unless the task has a prompt too",
    ["prompts: both one shared"],
    ["warning evals/tasks/both.yaml:4"],
  ],
  [
    "prompt-file-missing",
    "is reported at the line that names the file",
    ["missing: broken"],
    ["error tasks/one.yaml:3"],
  ],
  [
    "task-files",
    "has a warning for each file that is not there",
    ["files: one three two"],
    [
      "warning evals/tasks/one.yaml:11",
      "warning evals/tasks/one.yaml:12",
      "warning evals/tasks/three.yaml:2",
      "warning evals/tasks/three.yaml:4",
    ],
  ],
  [
    "leaves-repository",
    "is refused at each line that names something outside, or in .git",
    ["git: broken", "good: every task", "task: broken", "glob: broken"],
    [
      "error git/tasks/one.yaml:3",
      "error task/tasks/one.yaml:4",
      "error task/tasks/one.yaml:2",
      "error task/tasks/one.yaml:6",
      "error task/tasks/one.yaml:7",
      "error tasks-glob/eval.yaml:2",
    ],
  ],
  ["hooks", "is read, and nothing in it is executed", ["hooks: every task"]],
  [
    "vally",
    "is left out with a notice, when a wildcard matches it",
    ["waza: every task"],
    ["notice vally/eval.yaml:4"],
  ],
  [
    "skill-up",
    "is left out with a notice, when a wildcard matches it",
    ["waza: every task"],
    ["notice other/eval.yaml:2"],
  ],
  [
    "checkpoints",
    "has a notice for each list of checkpoints, whose graders are not run",
    ["staged: one"],
    ["notice eval.yaml:3", "notice tasks/one.yaml:4"],
  ],
  [
    "context-fixture",
    "has a warning for a fixture that is not there",
    ["given: a-folder b-file c-missing d-no-path"],
    ["warning evals/tasks/c-missing.yaml:5"],
  ],
  ["range-unset", "is as if it had no `range`", ["plain: every task", "table: a b"]],
  [
    "misspelled",
    "is one error at the line of the key that is meant to be `graders`",
    ["misspelled: broken"],
    ["error eval.yaml:3"],
  ],
  [
    "project-config-unmatched",
    "is an error at the line of .waza.yaml that names what no file is called",
    [],
    ["error .waza.yaml:2", "notice eval.yaml:1"],
  ],
  [
    "schema-versions",
    "is read in 1.x and 2.x, and in others with a warning",
    ["v1.4: every task", "v2.0: every task", "v3.0: every task"],
    ["warning 3.0/eval.yaml:1", "notice 3.0/eval.yaml:3"],
  ],
  [
    "problems-together",
    "is reported whole, and the good suite is graded all the same",
    ["a-syntax/eval.yaml: broken", "b-type/eval.yaml: broken", "c: broken", "d: every task"],
    [
      "error a-syntax/eval.yaml:2",
      "error b-type/eval.yaml:1",
      "error b-type/eval.yaml:5",
      "error c-task/tasks/one.yaml:1",
      "error c-task/tasks/two.yaml:2",
    ],
  ],
  [
    "hostile",
    "is refused where it multiplies or nests without end, and harmless where it names JavaScript's own",
    ["bomb/eval.yaml: broken", "deep/eval.yaml: broken", "objects: every task"],
    ["error bomb/eval.yaml:2", "error deep/eval.yaml:3", "notice objects/eval.yaml:1"],
  ],
  ["verbatim", "keeps templates and markup in prompts", ["verbatim: every task"], ["notice eval.yaml:6"]],
];

describe("a project with the quirk", () => {
  test.each(TABLE)("%s %s", async (folder, _must, suites, places = [], patterns) => {
    const loaded = await quirk(folder, patterns);
    expect(loaded.suites.map(inALine)).toEqual(suites);
    expect(loaded.places).toEqual(places);
  });

  test("is in this table, every one", () => {
    expect(readdirSync(QUIRKS).sort()).toEqual(TABLE.map(([folder]) => folder).sort());
  });

  test.each(["graders-only", "bare-list", "missing-keys", "byte-order-mark", "same-ids", "layouts"])(
    "%s has its graders' prompts",
    async (folder) => {
      expect(new Set(prompts(await quirk(folder)))).toEqual(new Set([RIGHT]));
    },
  );
});

describe("the fixtures are byte for byte what they are named for", () => {
  test.each([
    ["crlf", "eval.yaml", /^name: windows\r\n/],
    ["crlf", "tasks/one.yaml", /^id: one\r\n/],
    ["byte-order-mark", "eval.yaml", /^\uFEFFname/],
    ["json-in-yaml", "eval.yaml", /^\{\n {2}"name"/],
  ])("%s/%s", (folder, file, expected) => {
    expect(readFileSync(join(QUIRKS, folder, file), "utf8")).toMatch(expected);
  });
});

describe("what graders become", () => {
  test("bare-list: graders of other types are waza's", async () => {
    const { suites } = await quirk("bare-list");
    expect(suites[0]?.otherGraders).toEqual(["greets"]);
  });

  test("missing-keys: a grader without a name is called by its place", async () => {
    const { suites } = await quirk("missing-keys");
    expect(suites[0]?.graders.map(({ name }) => name)).toEqual(["prompt-1"]);
  });

  test("removed-graders: those of other types are kept as waza's", async () => {
    const { suites } = await quirk("removed-graders");
    expect(suites[0]?.otherGraders).toEqual(["says-hello", "ends-well", "no-shell"]);
  });
});

describe("what is planned", () => {
  function results(ids: readonly string[], evalName?: string): ResultsFile {
    const runs = ids.map((taskId, task) => runOf({ taskId, origin: { file: 0, task, run: 0 } }));
    return { path: "results.json", model: "agent-1", runs, ...(evalName === undefined ? {} : { evalName }) };
  }

  test("same-grader-two-levels: the task's grader replaces the eval's, of any type", async () => {
    const { suites } = await quirk("same-grader-two-levels");
    const { jobs } = planJobs({ suites, results: [results(["one", "two"])] });
    expect(jobs.map(({ task, grader }) => `${task.id}: ${grader.prompt}`)).toEqual([
      "one: The task's question.",
      "two: The eval's question.",
      "two: The eval's tone.",
    ]);
  });

  test("same-ids: results go to the suite of their eval's name", async () => {
    const { suites } = await quirk("same-ids");
    const { jobs } = planJobs({ suites, results: [results(["one"], "second")] });
    const graded = jobs.filter(({ run }) => run !== undefined);
    expect(graded.map(({ suite }) => suite.name)).toEqual(["second"]);
  });

  test("odd-ids: results meet their tasks, for any ids", async () => {
    const { suites } = await quirk("odd-ids");
    const ids = tasksOf(suites[0]).map(({ id }) => id);
    const { jobs, problems } = planJobs({ suites, results: [results(ids)] });
    expect(jobs.map(({ run }) => run?.taskId)).toEqual(ids);
    expect(problems).toEqual([]);
  });

  test("disabled: no grade", async () => {
    const { suites } = await quirk("disabled");
    const { jobs, problems } = planJobs({ suites, results: [results(["off", "on"])] });
    expect(jobs.map(({ task }) => task.id)).toEqual(["on"]);
    expect(problems).toEqual([]);
  });

  test("problems-together: only the good suite has jobs", async () => {
    const { suites } = await quirk("problems-together");
    const { jobs } = planJobs({ suites, results: [results(["one", "two"])] });
    expect(new Set(jobs.map(({ suite }) => suite.title))).toEqual(new Set(["d"]));
  });

  test("project-config: judge of the grader, input, .waza.yaml, eval, in this order", async () => {
    const { suites } = await quirk("project-config");
    const models = (judgeModel?: string) =>
      planJobs({
        suites,
        results: [results(["hello"])],
        ...(judgeModel === undefined ? {} : { judgeModel }),
      }).jobs.map((job) => job.judgeModel);
    expect(models()).toEqual(["judge-of-the-project", "judge-of-the-eval"]);
    expect(models("judge-of-the-input")).toEqual(["judge-of-the-input", "judge-of-the-input"]);
  });
});

describe("what the agent was given", () => {
  test("tasks-from: prompts as they stand, over several lines, with templates", async () => {
    const { suites } = await quirk("tasks-from");
    expect(tasksOf(suites[0])).toMatchObject([
      { id: "greet", name: "Greeting", prompt: 'Say "hello",\nand wait.', enabled: true, graders: [] },
      { id: "Farewell", name: "Farewell", prompt: "Say goodbye to {{.Vars.name}}." },
      { id: "row-3", name: "row-3", prompt: "Count to three." },
    ]);
    expect(tasksOf(suites[1]).map(({ prompt }) => prompt)).toEqual(["Two.", "Three."]);
  });

  test.each([
    [0, "`range` is `[3, 1]`"],
    [1, "Only the rows that exist are taken"],
    [2, "it is empty"],
    [3, "does not exist"],
    [4, "Should `promt` be `prompt`?"],
    [5, "leaves the repository"],
    [6, "a row has more or fewer columns than the first row names"],
    [7, "the task id `a` is taken by line 2"],
    [8, "a quote is opened and never closed"],
    [9, "is inside a value that does not begin with one"],
  ])("tasks-from-broken: problem %i says what is wrong: %s", async (index, words) => {
    expect((await quirk("tasks-from-broken")).wording[index]).toContain(words);
  });

  test("prompt-file: relative to the task, as far as the repository goes", async () => {
    const { suites } = await quirk("prompt-file");
    expect(tasksOf(suites[0]).map(({ prompt }) => prompt)).toEqual([
      "The prompt itself.",
      "# The task\n\nExplain `{{.Vars.topic}}` to me.\n",
      "A prompt for several evals.\n",
    ]);
  });

  test("task-files: from context_dir or fixtures, else beside the task; inline text unchanged", async () => {
    const { suites } = await quirk("task-files");
    const folder = join(QUIRKS, "task-files", "evals");
    const [one, three, two] = tasksOf(suites[0]);
    expect(one?.files).toEqual([
      { name: "standard.txt", path: join(folder, "fixtures", "standard.txt") },
      { name: "near.txt", path: join(folder, "tasks", "near.txt") },
      { name: "notes/inline.md", content: "written in the task\n" },
      { name: "file-4", content: "without a name" },
      { name: "gone.txt", missing: expect.anything() },
    ]);
    expect(one?.contextDir).toBeUndefined();
    expect(two).toMatchObject({
      contextDir: join(folder, "data"),
      files: [{ name: "own.txt", path: join(folder, "data", "own.txt") }],
    });
    expect(three?.files).toEqual([{ name: "gone", missing: expect.anything() }]);
    expect(three?.contextDir).toBeUndefined();
  });
});

describe("inputs.context.fixture", () => {
  test("context-fixture: a folder is given whole, with the task's files; a file by its name", async () => {
    const { suites } = await quirk("context-fixture");
    const folder = join(QUIRKS, "context-fixture", "evals");
    const [inFolder, inFile, missing, noPath] = tasksOf(suites[0]);
    expect(inFolder).toMatchObject({
      contextDir: join(folder, "app"),
      files: [{ name: "extra.txt", content: "more" }],
    });
    expect(inFile?.files).toEqual([{ name: "notes.txt", path: join(folder, "notes.txt") }]);
    for (const task of [inFile, missing, noPath]) expect(task?.contextDir).toBeUndefined();
  });

  test("that leaves the repository is an error at its line", async () => {
    const project = writeProject({
      "eval.yaml": EVAL,
      "tasks/t.yaml": "id: t\ninputs:\n  context:\n    fixture: ../../../etc\n",
    });
    const { places, wording } = await load(project);
    expect(places).toEqual(["error tasks/t.yaml:4"]);
    expect(wording[0]).toContain("`inputs.context.fixture` `../../../etc` leaves the repository");
  });
});

test("project-config-unmatched: says which name was searched for, and who names it", async () => {
  const { wording } = await quirk("project-config-unmatched");
  expect(wording).toEqual([
    expect.stringContaining("`files.evalFile`: no file matches `**/checks.yaml`. Searched in "),
    expect.stringContaining("These files seem to hold evals and are not read: `eval.yaml`."),
  ]);
});

describe("nothing an eval names is executed", () => {
  test("hooks, scripts, programs, MCP servers and expressions leave no trace", async () => {
    await quirk("hooks");
    expect(readdirSync(join(QUIRKS, "hooks"))).toEqual(["eval.yaml"]);
    expect(readdirSync(".").filter((name) => name.startsWith("ran-by-"))).toEqual([]);
  });
});

const EVAL = "name: demo\ngraders:\n  - {type: prompt, name: quality, config: {prompt: Judge it.}}\n";

describe("links that lead out of the repository are refused at their lines", () => {
  const outsider = () => {
    const folder = temporaryFolder("outside");
    writeFileSync(join(folder, "secret"), "id,prompt\nsecret,secret\n");
    writeFileSync(join(folder, ".waza.yaml"), "defaults: {judgeModel: secret}\n");
    return folder;
  };

  test.each([
    ["tasks_from", `${EVAL}tasks_from: link\n`, "id: t\n", "eval.yaml:4"],
    ["prompt_file", EVAL, "id: t\ninputs:\n  prompt_file: ../link\n", "tasks/t.yaml:3"],
    ["files", EVAL, "id: t\ninputs:\n  files:\n    - path: ../link\n", "tasks/t.yaml:4"],
    ["context_dir", EVAL, "id: t\ncontext_dir: folder\n", "tasks/t.yaml:2"],
    [
      "a file of context_dir",
      EVAL,
      "id: t\ninputs:\n  files:\n    - path: folder/secret\n",
      "tasks/t.yaml:4",
    ],
  ])("%s", async (_what, evalText, taskText, place) => {
    const outside = outsider();
    const project = writeProject({ "eval.yaml": evalText, "tasks/t.yaml": taskText });
    symlinkSync(join(outside, "secret"), join(project, "link"));
    symlinkSync(outside, join(project, "folder"));
    const { suites, places, wording } = await load(project);
    expect(places).toEqual([`error ${place}`]);
    expect(wording[0]).toContain("leaves the repository");
    expect(suites.map(({ broken }) => broken)).toEqual([true]);
    // `parts` are the names that the eval itself gives.
    expect(JSON.stringify(suites.map(({ parts: _, ...suite }) => suite))).not.toMatch(/"path":"[^"]*secret/);
  });

  test(".waza.yaml", async () => {
    const project = writeProject({ "eval.yaml": EVAL });
    symlinkSync(join(outsider(), ".waza.yaml"), join(project, ".waza.yaml"));
    const { suites, places } = await load(project);
    expect(places).toEqual(["error .waza.yaml:1"]);
    expect(suites).toMatchObject([{ broken: true }]);
  });

  test("an empty prompt file is an error, and an empty prompt of a CSV file is none", async () => {
    const project = writeProject({
      "eval.yaml": EVAL,
      "tasks/t.yaml": "id: t\ninputs:\n  prompt_file: p.md\n",
      "tasks/p.md": " \n",
      "csv/eval.yaml": `${EVAL}tasks_from: c.csv\n`,
      "csv/c.csv": "id,prompt\na,Do it.\nb,\nc, \n",
    });
    const { places, wording } = await load(project);
    expect(places).toEqual(["error tasks/t.yaml:3"]);
    expect(wording.join("\n")).toMatch(/`p\.md` cannot be used: it is empty/);
  });

  test("a .waza.yml is no project file, as for waza, and it is said once", async () => {
    const project = writeProject({
      ".waza.yaml": "defaults: {judgeModel: j}\n",
      ".waza.yml": "defaults: {judgeModel: k}\n",
      "a/.waza.yml": "defaults: {judgeModel: l}\n",
      "a/eval.yaml": EVAL,
    });
    const under = await load(project);
    expect(under.places).toEqual([]);
    expect(under.suites[0]?.judgeModel).toBe("j");
    rmSync(join(project, ".waza.yaml"));
    const { places, wording, suites } = await load(project);
    expect(places).toEqual(["warning .waza.yml:1", "warning a/.waza.yml:1"]);
    expect(wording[0]).toContain("called `.waza.yaml`");
    expect(suites[0]?.judgeModel).toBeUndefined();
  });

  test("the .git folder is no part of the repository, in any case", async () => {
    const project = writeProject({
      ".git/config": "token",
      "eval.yaml": EVAL,
      "tasks/a.yaml": "id: a\ninputs: {prompt_file: ../.git/config}\n",
      "tasks/b.yaml": "id: b\ncontext_dir: .git\n",
      "tasks/c.yaml": "id: c\ninputs: {files: [{path: ../.git/config}]}\n",
    });
    const { suites, places } = await load(project);
    expect(places).toEqual(["error tasks/a.yaml:2", "error tasks/b.yaml:2", "error tasks/c.yaml:2"]);
    expect(JSON.stringify(suites)).not.toContain("token");
  });
});

describe("what is no file does not stop the run", () => {
  const pipe = (path: string) => {
    execFileSync("mkfifo", [path]);
  };
  const folder = (path: string) => {
    mkdirSync(path);
  };

  test("a pipe and a folder called eval.yaml are not matched by a wildcard", async () => {
    const project = writeProject({ "good/eval.yaml": EVAL });
    mkdirSync(join(project, "eval.yaml"));
    mkdirSync(join(project, "pipe"));
    pipe(join(project, "pipe", "eval.yaml"));
    const { suites, places } = await load(project);
    expect(suites.map(({ name }) => name)).toEqual(["demo"]);
    expect(places).toEqual([]);
  });

  test.each([
    ["a pipe", pipe, "It is a pipe or a device."],
    ["a folder without evals", folder, "Nothing in that folder is one."],
  ])("%s that the input names is reported", async (_what, make, words) => {
    const project = writeProject({ "good/eval.yaml": EVAL });
    make(join(project, "odd.yaml"));
    const { wording } = await load(project, ["good/eval.yaml", "odd.yaml"]);
    expect(wording).toHaveLength(1);
    expect(wording[0]).toContain(words);
  });

  test("pipes that files name, and a link to an endless device, are reported at their lines", async () => {
    const project = writeProject({
      "eval.yaml": EVAL,
      "tasks/a.yaml": "id: a\ninputs: {prompt_file: pipe}\n",
      "tasks/b.yaml": "id: b\ninputs: {files: [{path: pipe}]}\n",
      "tasks/c.yaml": "id: c\ninputs: {prompt_file: zero}\n",
      "csv/eval.yaml": `${EVAL}tasks_from: pipe\n`,
      "config/eval.yaml": EVAL,
    });
    for (const path of ["tasks/pipe", "csv/pipe", "config/.waza.yaml"]) pipe(join(project, path));
    symlinkSync("/dev/zero", join(project, "tasks", "zero"));
    const { places, wording } = await load(project);
    expect(places).toEqual([
      "error config/.waza.yaml:1",
      "error csv/eval.yaml:4",
      "error tasks/a.yaml:2",
      "warning tasks/b.yaml:2",
      "error tasks/c.yaml:2",
    ]);
    expect(wording.filter((text) => /is a pipe or a device|is not a file/.test(text))).toHaveLength(4);
    expect(existsSync(join(project, "tasks", "pipe"))).toBe(true);
  });
});

describe("files that are far too large are refused before anything is made of them", () => {
  test.each([
    ["bytes", "#".repeat(10_000_001), "it has 10 MB, more than 10 MB", 1],
    ["values", `${EVAL}x:\n${"- a\n".repeat(1_000_000)}`, "far more values than an eval needs", 99_995],
    ["brackets, open", `${EVAL}x: ${"[".repeat(4_000_000)}`, "far more values", 4],
    ["brackets, closed", `${EVAL}x: ${"[".repeat(50_000)}${"]".repeat(50_000)}`, "100 levels deep", 4],
    ["dashes", `${EVAL}x:\n  ${"- ".repeat(50_000)}a\n`, "100 levels deep", 5],
    ["aliases", `${EVAL}y: &a q\nx:\n${"- *a\n".repeat(50_000)}`, "multiply to more than 10000 values", 6],
  ])("%s", async (_what, text, words, line) => {
    const project = writeProject({ "eval.yaml": text, "good/eval.yaml": EVAL });
    const { suites, places, wording } = await load(project);
    expect(suites.map(({ broken }) => broken)).toEqual([true, false]);
    expect(wording[0]).toContain(words);
    expect(places).toEqual([`error eval.yaml:${String(line)}`]);
  });

  test.each([
    ["bytes", `prompt\n${"x".repeat(10_000_000)}\n`, "more than 10,000 kB", "eval.yaml:4"],
    ["rows", `prompt\n${"x\n".repeat(200_000)}`, "more than 100000 rows", "cases.csv:100002"],
  ])("a CSV file of too many %s", async (_what, csv, words, place) => {
    const project = writeProject({ "eval.yaml": `${EVAL}tasks_from: cases.csv\n`, "cases.csv": csv });
    const { places, wording } = await load(project);
    expect(wording[0]).toContain(words);
    expect(places).toEqual([`error ${place}`]);
  });

  test("a file of many unknown keys names the first of them", async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `key${String(index)}: 1\n`).join("");
    const { wording } = await load(writeProject({ "eval.yaml": `${EVAL}${keys}` }));
    expect(wording).toHaveLength(1);
    expect(wording[0]?.length).toBeLessThan(3_000);
  });
});

describe("the range of tasks_from", () => {
  const rows = "id,prompt\na,A\nb,B\nc,C\n";
  test.each([
    ["[1, 3]", ["a", "b", "c"]],
    ["[2, 2]", ["b"]],
    ["[3, 9]", ["c"]],
    ["[4, 9]", []],
    ["[0, 0]", ["a", "b", "c"]],
    ["", ["a", "b", "c"]],
  ])("%s takes its rows", async (range, ids) => {
    const project = writeProject({
      "eval.yaml": `${EVAL}tasks_from: c.csv\nrange: ${range}\n`,
      "c.csv": rows,
    });
    const { suites } = await load(project);
    expect(tasksOf(suites[0]).map(({ id }) => id)).toEqual(ids);
  });

  test.each(["[2, 1]", "[0, 2]", "[-1, 2]", "[1]", "[1, 2, 3]", "[1.5, 2]", "[1, b]", "1-2"])(
    "%s is an error at its line",
    async (range) => {
      const project = writeProject({
        "eval.yaml": `${EVAL}tasks_from: c.csv\nrange: ${range}\n`,
        "c.csv": rows,
      });
      expect((await load(project)).places).toEqual(["error eval.yaml:5"]);
    },
  );
});

describe(".waza.yaml", () => {
  test.each([
    ["nothing at all", "", []],
    ["only a comment", "# none\n", []],
    ["a judge that is not set", "defaults: {judgeModel: auto}\n", []],
    ["keys of waza's own", "cache: {enabled: true}\nserver: {port: 1}\ndefaults: {timeout: 3}\n", []],
    ["a list", "- a\n", ["error .waza.yaml:1"]],
    ["broken YAML", "defaults: [\n", ["error .waza.yaml:1"]],
    ["a suffix with a path", "files:\n  taskFileSuffix: ../x.yaml\n", ["error .waza.yaml:2"]],
    ["a glob that leaves", "files:\n  taskGlob: ../../*.yaml\n", ["error .waza.yaml:2"]],
    ["a glob that matches nothing", "files:\n  taskGlob: cases/*.yaml\n", ["warning .waza.yaml:2"]],
    ["a misspelled section", "default: {judgeModel: x}\n", ["warning .waza.yaml:1"]],
  ])("with %s", async (_what, text, expected) => {
    const { suites, places } = await load(writeProject({ "eval.yaml": EVAL, ".waza.yaml": text }));
    expect(places).toEqual(expected);
    expect(suites[0]?.judgeModel).toBeUndefined();
  });

  test("an input that is given is not replaced by files.evalFile", async () => {
    const project = writeProject({
      ".waza.yaml": "files: {evalFile: other.yaml}\n",
      "eval.yaml": "name: asked\n",
      "other.yaml": "name: configured\n",
    });
    expect((await load(project, ["**/eval.yaml"])).suites.map(inALine)).toEqual(["asked: every task"]);
    expect((await load(project)).suites.map(inALine)).toEqual(["configured: every task"]);
  });

  test("above the repository's root is not read", async () => {
    const project = writeProject({
      ".waza.yaml": "defaults: {judgeModel: outside}\n",
      "checkout/eval.yaml": EVAL,
    });
    mkdirSync(join(project, "checkout", ".git"));
    expect((await load(project)).suites[0]?.judgeModel).toBeUndefined();
  });
});

/** What proves each row of the last table of docs/evals.md: projects of the table above, or words of a test's name. */
const PROOFS: Readonly<Record<string, readonly string[]>> = {
  "a judge that calls nothing": ["run/action.test.ts: no call is reminded once"],
  "`mode: pairwise`": ["evals/load-suite.test.ts: is not supported and marks the grader"],
  "other grader types": ["removed-graders"],
  "`hooks`, `script`, `program`, MCP servers": ["hooks"],
  "`checkpoints`": ["checkpoints"],
  "a file with graders and no tasks": ["graders-only", "bare-list"],
  "unknown keys": ["unknown-keys", "misspelled"],
};

test("each difference that docs/evals.md lists has its proof", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "evals.md"), "utf8");
  const table = page.slice(page.indexOf("## Different from waza"));
  const rows = [...table.matchAll(/^\| (.+?) +\|/gm)].map(([, row]) => row).slice(2);
  expect(rows).toEqual(Object.keys(PROOFS));
  const gone = Object.values(PROOFS)
    .flat()
    .filter((proof) => {
      const [, file, words = ""] = /^([\w/-]+\.test\.ts): (.+)$/.exec(proof) ?? [];
      if (file === undefined) return !TABLE.some(([folder]) => folder === proof);
      return !readFileSync(join(import.meta.dirname, "..", file), "utf8").includes(words);
    });
  expect(gone).toEqual([]);
});
