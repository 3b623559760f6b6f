import { afterAll, describe, expect, test } from "@jest/globals";
import { closeSync, ftruncateSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { graderOf, suiteOf } from "../support/factories.ts";
import {
  fixture,
  jsonLines,
  placedRun,
  read,
  stepLine,
  taskOf as bareTask,
  type Tasks,
} from "../support/outputs.ts";
import { expectSaid } from "../support/problems.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";
import type { Suite, Task } from "../../src/domain/suite.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { planJobs } from "../../src/plan/plan.ts";
import { withoutSameRuns, withoutSharedRuns } from "../../src/plan/problems.ts";

afterAll(removeTemporaryFolders);

test("runs of two folders of a root are of this root", async () => {
  const { results } = await read({
    ...placedRun("a", { task: "explain", trial: 1 }, "A"),
    ...placedRun("b", { task: "explain", trial: 2 }, "B"),
  });
  expect(results.map(({ path, runs }) => [path, runs.length])).toEqual([["./", 2]]);
});

describe("a folder of text files", () => {
  test("is one set of runs: task and trial from the names, the output the whole file", async () => {
    const files = Object.entries(fixture("text-files")).map(([name, text]) => [`out/${name}`, text]);
    const { results, runs, problems } = await read(Object.fromEntries(files) as Record<string, string>);
    expect(problems).toEqual([]);
    expect(results.map(({ path }) => path)).toEqual(["out/"]);
    expect(
      runs.map(({ taskId, number, finalOutput, steps }) => [taskId, number, finalOutput, steps]),
    ).toEqual([
      ["explain", 2, "It never ends.\n", []],
      ["explain", 3, '{"answer": "forever"}\n', []],
      ["explain", 1, "It loops forever.\n", []],
    ]);
  });

  test.each<[string, string, readonly string[] | undefined, string?]>([
    ["an id", "a.md", ["a"], "a 1"],
    ["an id and a trial", "a.12.md", ["a"], "a 12"],
    ["an id that ends in a number", "a.2.md", ["a.2", "a"], "a.2 1"],
    ["an id with underscores for slashes and colons", "e_app_l-p1.2.txt", ["e:app/l-p1"], "e:app/l-p1 2"],
    ["an id with dashes for slashes and colons", "e-app-l.md", ["e:app/l"], "e:app/l 1"],
    ["an id that is written so itself, rather than another's", "a_b.md", ["a/b", "a_b"], "a_b 1"],
    ["what two ids may be written as", "a-b.md", ["a/b", "a:b"]],
    ["another id, in another case", "A.md", ["a"]],
    ["no id", "README.md", ["a"]],
    ["any name, for a suite without tasks", "some.name.3.md", undefined, "some.name 3"],
    ["an id, in a text of another ending", "a.txt", ["a"], "a 1"],
  ])("named by %s", async (_case, name, ids, ...expected) => {
    const tasks: Tasks = ids ? Object.fromEntries(ids.map((id) => [id, undefined])) : "every";
    const { runs, problems } = await read({ [name]: "Text." }, { tasks });
    expect(runs.map(({ taskId, number }) => `${taskId} ${String(number)}`)).toEqual(expected);
    expectSaid(problems, expected.length === 0 ? ["warning log-without-task"] : []);
  });

  test("those without a task are one warning that lists them, with the task that was nearly meant", async () => {
    const { problems } = await read({ "explian.md": "a", "README.md": "b", "explain.md": "c" });
    expectSaid(problems, ["warning log-without-task … `explian.md` (did you mean `explain`?), `README.md`."]);
  });

  test("a `.txt` that is an agent's log is that log", async () => {
    const result = { type: "result", subtype: "success", result: "Fine." };
    const log = jsonLines({ type: "system", subtype: "init" }, result).trimEnd();
    const { runs } = await read({ "explain.txt": log });
    const beside = await read({ "explain.txt": `All tests pass.\n${log}` });
    expect(beside.runs).toMatchObject([{ finalOutput: `All tests pass.\n${log}`, steps: [] }]);
    expect(runs).toMatchObject([{ finalOutput: "Fine." }]);
  });

  test.each([
    ["a log in Markdown", "explain.md", '{"type":"system","subtype":"init"}\n'],
    ["a list of messages in a text file", "explain.txt", '[{"role":"user","content":"Hi."}]'],
    ["a results file of waza, named for a task", "explain.json", '{"tasks": [{"test_id": "other"}]}'],
    ["a record, in a file named for its task", "explain.json", '{"task_id": "explain", "error": "crashed"}'],
    ["Markdown that begins like JSON", "explain.md", "[link](x) and more"],
    ["Markdown that is JSON of no format", "explain.md", '{"answer": 1}'],
    ["JSON that is broken, in a file named for its task", "explain.json", '{"answer": '],
    ["JSON lines of no format, in a file named for its task", "explain.json", '{"a": 1}\n{"b": 2}\n'],
    ["JSON and words after it, in a file named for its task", "explain.json", '{"a": 1}\nDone!\n'],
  ])("%s is an answer like any other", async (_case, name, text) => {
    const { runs, problems } = await read({ [name]: text });
    expect(problems).toEqual([]);
    expect(runs.map(({ finalOutput }) => finalOutput)).toEqual([text]);
  });
});

test.each([
  [
    "a sub-agent's session",
    { isSidechain: true, type: "assistant", message: { role: "assistant", content: "Bad." } },
  ],
  ["a transcript of the task in the wrong shape", { task_id: "explain", transcript: "Bad." }],
])("an answer that looks like %s is not left out", async (_case, answer) => {
  const { runs, problems } = await read({ "explain.json": answer, "explain.2.json": '"Good."' });
  expect(runs.map(({ finalOutput }) => finalOutput)).toEqual(['"Good."', JSON.stringify(answer, null, 2)]);
  expect(problems).toEqual([]);
});

describe("waza's own files", () => {
  test("of old: its event names, and its digest without tool calls", async () => {
    const { runs, problems } = await read(fixture("waza-legacy"));
    expect(problems).toEqual([]);
    expect(runs[0]?.steps.map(stepLine)).toEqual([
      'bash {"command":"cat loop.py"} -> ok while True: pass',
      "assistant: It loops forever.",
    ]);
  });

  test("of several models: each is read, their summary is a notice that names them", async () => {
    const { results, problems } = await read(fixture("waza-summary"));
    expect(results.map(({ model }) => model)).toEqual(["claude-sonnet-4.5", "gpt-5"]);
    const names = "`results_gpt-5.json`, `results_claude-sonnet-4.5.json`";
    expectSaid(problems, [
      `notice summary-of-several … Name the files of the runs in \`results\`: ${names}.`,
    ]);
  });

  test("of --output-dir, by a glob: one of each model", async () => {
    const file = (model: string) => ({
      eval_name: "suite",
      config: { model_id: model },
      tasks: [{ test_id: "explain", runs: [{ run_number: 1, final_output: "x" }] }],
    });
    const { runs } = await read(
      { "out/2026-01-01/skill/m.json": file("m"), "out/2026-01-01/skill/n.json": file("n") },
      { patterns: ["out/**/*.json"] },
    );
    expect(runs.map(({ model, number, origin }) => [model, number, origin.file])).toEqual([
      ["m", 1, 0],
      ["n", 1, 1],
    ]);
  });

  const tasks = [{ test_id: "explain", runs: [{ run_number: 1, final_output: "x" }] }];

  test("of `waza run --baseline` hold runs of both sides", async () => {
    const baseline = { tasks: [{ test_id: "explain", runs: [{ run_number: 1, final_output: "without" }] }] };
    const { runs, problems } = await read({
      "r.json": { is_baseline: true, tasks, baseline_outcome: baseline },
    });
    expect(runs.map(({ finalOutput, side }) => [finalOutput, side])).toEqual([
      ["x", undefined],
      ["without", "without-skill"],
    ]);
    expect(problems).toEqual([]);
  });
});

test.each<[string, object, string[]]>([
  [
    "without a run number",
    { tasks: [{ test_id: "explain", runs: [{ final_output: "without" }] }] },
    ["without"],
  ],
  ["of another task", { tasks: [{ test_id: "other", runs: [{ final_output: "without" }] }] }, []],
  ["that is none", { tasks: "x" }, []],
])("a baseline's output %s", async (_case, baseline_outcome, expected) => {
  const task = { test_id: "explain", runs: [{ run_number: 1, final_output: "x" }] };
  const { runs } = await read({ "r.json": { tasks: [task], baseline_outcome } });
  const without = runs.filter(({ side }) => side === "without-skill");
  expect(without.map(({ finalOutput }) => finalOutput)).toEqual(expected);
});

describe("several formats at once", () => {
  test("are read side by side, waza's own first", async () => {
    const { results, problems } = await read({
      "a.jsonl": jsonLines({ task_id: "explain", output: "x" }),
      "explain.md": "y",
      "z.json": { tasks: [] },
    });
    expect(problems.map(({ message }) => message)).toEqual([
      "Two files describe the same task; both are graded: `a.jsonl` and `explain.md`.",
    ]);
    expect(results.map(({ path, runs }) => [path, runs.map(({ origin }) => origin.file)])).toEqual([
      ["z.json", []],
      ["a.jsonl", [1]],
      ["explain.md", [2]],
    ]);
  });
});

describe("what is refused", () => {
  test.each([
    ["out.log", true],
    ["answer", true],
    ["out.json", false],
    ["out.jsonl", false],
  ])("text in %s: whether the help says how to name text: second column", async (name, isHelped) => {
    const { problems } = await read({ [name]: "I have done it." });
    expect(problems).toMatchObject([{ level: "error", at: { path: name } }]);
    expect(problems[0]?.help?.includes("`<task-id>.txt`")).toBe(isHelped);
  });

  test.each([
    ["unknown keys", [{ id: 1, answer: "x" }], "it has `id`, `answer`, and a record needs `task_id`"],
    [
      "many of them",
      [Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${String(index)}`, 1]))],
      "`k9` and 20 more, and",
    ],
    ["a list of texts", ["a", "b"], "not in a known format."],
  ])("JSON of no format: %s", async (_case, data, wording) => {
    const { problems } = await read({ "o.json": data });
    expectSaid(problems, [
      `error unknown-format o.json:1 … ${wording} … with \`task_id\`, the task's id, and \`output\``,
    ]);
  });

  test.each([
    ["a zip", Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), "is not UTF-8 text", "inspect log dump"],
    ["a gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0]), "is not UTF-8 text", "Unpack it"],
    ["an image", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "is not UTF-8 text", "!**/*.png"],
    ["UTF-16, as PowerShell writes it", Buffer.from("\uFEFF{}", "utf16le"), "is UTF-16", "-Encoding utf8"],
    ["UTF-16 without its mark", Buffer.from("{}", "utf16le"), "is UTF-16", "-Encoding utf8"],
    ["UTF-16 of the other order", Buffer.from("\uFEFF{}", "utf16le").swap16(), "is UTF-16", "-Encoding utf8"],
  ])("%s, saying what to do", async (_case, bytes, phrase, help) => {
    const workspace = writeProject({ "explain.png": "" });
    writeFileSync(join(workspace, "explain.png"), bytes);
    const { problems } = await readOutputs({ patterns: ["*.png"], workspace, suites: [] });
    expectSaid(problems, [`error … the file ${phrase} … ${help}`]);
  });

  test("a file larger than Node can hold, before it is read, saying how to split it", async () => {
    const workspace = writeProject({});
    const file = openSync(join(workspace, "results.json"), "w");
    ftruncateSync(file, 600_000_000);
    closeSync(file);
    const { problems } = await readOutputs({ patterns: ["results.json"], workspace, suites: [] });
    expectSaid(problems, ["error too-large … 600 MB; the limit is 537 MB. … Split it"]);
  });
});

/* Which eval the folders of output files name. Read from a project on disk, and planned. */

function taskOf(id: string, file?: string): Task {
  const at = file === undefined ? undefined : { path: file, startLine: 1, endLine: 1, inRepository: true };
  return { ...bareTask(id), at };
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
      ["the name of the file's folder fits several evals: `a/x/evals.json`, `b/x/evals.json`"],
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
    "notice: 3 outputs in folders named for `out/alpha-workspace/`, which is not graded here, are left out. ",
  ]);
});

/* What docs/outputs.md shows is what is read, and what the workflows of examples/ run. */

const DOCS = join(import.meta.dirname, "../../docs");
const page = readFileSync(join(DOCS, "outputs.md"), "utf8");

/** The first block of JSON below a heading. */
function exampleOf(heading: string): string {
  const section = page.slice(page.indexOf(`# ${heading}\n`));
  return /```json\n([^`]+)```/.exec(section)?.[1] ?? "";
}

test("its example of records is read", async () => {
  const { runs, problems } = await read({ "outputs.jsonl": exampleOf("Records") });
  expect(problems).toEqual([]);
  expect(runs).toMatchObject([
    { taskId: "explain", number: 1, model: "my-agent", finalOutput: "It loops forever." },
    { taskId: "explain", number: 2, steps: [{ kind: "user" }, { kind: "assistant" }] },
  ]);
});
