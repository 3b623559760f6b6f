import { closeSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { fixture, jsonLines, read } from "../support/outputs.ts";
import type { Tasks } from "../support/outputs.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

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

  test.each<[string, string, Tasks, [string, number][]]>([
    ["an id", "a.md", { a: undefined }, [["a", 1]]],
    ["an id and a trial", "a.12.md", { a: undefined }, [["a", 12]]],
    ["an id that ends in a number", "a.2.md", { "a.2": undefined, a: undefined }, [["a.2", 1]]],
    [
      "an id with its slashes and colons as underscores",
      "eval_app_linux-p1.2.txt",
      { "eval:app/linux-p1": undefined },
      [["eval:app/linux-p1", 2]],
    ],
    [
      "an id with its slashes and colons as dashes",
      "eval-app-linux.md",
      { "eval:app/linux": undefined },
      [["eval:app/linux", 1]],
    ],
    [
      "an id that is written so itself, rather than another's",
      "a_b.md",
      { "a/b": undefined, a_b: undefined },
      [["a_b", 1]],
    ],
    ["what two ids may be written as", "a-b.md", { "a/b": undefined, "a:b": undefined }, []],
    ["another id, in another case", "A.md", { a: undefined }, []],
    ["no id", "README.md", { a: undefined }, []],
    ["any name, for a suite without tasks", "some.name.3.md", "every", [["some.name", 3]]],
    ["an empty file", "a.txt", { a: undefined }, [["a", 1]]],
  ])("named by %s", async (_case, name, tasks, expected) => {
    const { runs, problems } = await read({ [name]: "Text." }, { tasks });
    expect(runs.map(({ taskId, number }) => [taskId, number])).toEqual(expected);
    expect(problems.map(({ level }) => level)).toEqual(expected.length === 0 ? ["warning"] : []);
  });

  test("those without a task are one warning that lists them, with the task that was nearly meant", async () => {
    const { problems } = await read({ "explian.md": "a", "README.md": "b", "explain.md": "c" });
    expect(problems.map(({ message }) => message)).toEqual([
      "No task was found for these text files, left out: `explian.md` (did you mean `explain`?), `README.md`.",
    ]);
  });

  test.each([
    ["logs of Claude Code", "explain.md", '{"type":"system","subtype":"init"}\n'],
    ["lists of messages", "explain.txt", '[{"role":"user","content":"Hi."}]'],
    ["waza's results", "explain.json", '{"tasks": [{"test_id": "explain", "runs": []}]}'],
    ["records", "explain.json", '{"task_id": "explain", "output": "", "error": "crashed"}'],
  ])("one that looks like %s is an answer too, with a warning", async (what, name, text) => {
    const { runs, problems } = await read({ [name]: text });
    expect(runs.map(({ finalOutput }) => finalOutput)).toEqual([text]);
    expect(problems).toMatchObject([
      { level: "warning", message: expect.stringContaining(`looks like ${what}`) as unknown },
    ]);
  });

  test("a `.txt` that is an agent's log is that log", async () => {
    const rows = [
      { type: "system", subtype: "init" },
      { type: "result", subtype: "success", result: "Fine." },
    ];
    const { runs } = await read({ "explain.txt": rows.map((row) => JSON.stringify(row)).join("\n") });
    expect(runs).toMatchObject([{ finalOutput: "Fine." }]);
  });

  test("waza's results may be named so among their like; beside any other file they are an answer", async () => {
    const results = JSON.stringify({ tasks: [{ test_id: "other", runs: [{ final_output: "Fine." }] }] });
    const files = { "explain.json": results, "suite.json": results.replace("other", "explain") };
    const alone = await read(files, { tasks: { explain: undefined, other: undefined } });
    expect(alone.problems).toEqual([]);
    expect(alone.runs.map(({ taskId }) => taskId)).toEqual(["other", "explain"]);
    for (const name of ["other.md", "log.jsonl"]) {
      const text = name === "other.md" ? "Bad." : '{"role":"assistant","content":"Bad."}';
      const { runs } = await read({ "explain.json": results, [name]: text });
      expect(runs.find(({ taskId }) => taskId === "explain")?.finalOutput).toBe(results);
    }
  });

  test.each([
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
  expect(problems).toMatchObject([{ level: "warning", at: { path: "explain.json" } }]);
});

describe("waza's own files", () => {
  test("of old: its event names, and its digest without tool calls", async () => {
    const { runs, problems } = await read(fixture("waza-legacy"));
    expect(problems).toEqual([]);
    expect(runs[0]?.steps).toEqual([
      {
        kind: "tool",
        name: "bash",
        input: '{"command":"cat loop.py"}',
        result: "while True: pass",
        success: true,
      },
      { kind: "assistant", text: "It loops forever." },
    ]);
  });

  test("of several models: each is read, their summary is a notice that names them", async () => {
    const { results, problems } = await read(fixture("waza-summary"));
    expect(results.map(({ model }) => model)).toEqual(["claude-sonnet-4.5", "gpt-5"]);
    expect(problems).toEqual([
      expect.objectContaining({
        level: "notice",
        help: "Name the files of the runs in `results`: `results_gpt-5.json`, `results_claude-sonnet-4.5.json`.",
      }),
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
  ["beside its task", { runs: [{ run_number: 1, final_output: "without" }] }, ["without"]],
  ["without a run number", { runs: [{ final_output: "without" }] }, ["without"]],
  ["of another task", { tasks: [{ test_id: "other", runs: [{ final_output: "without" }] }] }, []],
  ["that is none", { runs: "x" }, []],
])("a baseline's output %s", async (_case, baseline_outcome, expected) => {
  const task = { test_id: "explain", runs: [{ run_number: 1, final_output: "x" }], baseline_outcome };
  const { runs } = await read({ "r.json": { tasks: [task] } });
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
    expect(problems).toMatchObject([{ level: "error", at: { path: "o.json" } }]);
    expect(problems[0]?.message).toContain(wording);
    expect(problems[0]?.help).toContain("with `task_id`, the task's id, and `output`");
  });

  test.each([
    ["a zip", Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), "is a zip archive", "inspect log dump"],
    ["a gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0]), "is packed by gzip", "gunzip"],
    ["an image", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "is not UTF-8 text", "!**/*.png"],
    ["UTF-16, as PowerShell writes it", Buffer.from("\uFEFF{}", "utf16le"), "is UTF-16", "-Encoding utf8"],
    ["UTF-16 without its mark", Buffer.from("{}", "utf16le"), "is UTF-16", "-Encoding utf8"],
    ["UTF-16 of the other order", Buffer.from("\uFEFF{}", "utf16le").swap16(), "is UTF-16", "-Encoding utf8"],
  ])("%s, saying what to do", async (_case, bytes, phrase, help) => {
    const workspace = writeProject({ "explain.png": "" });
    writeFileSync(join(workspace, "explain.png"), bytes);
    const { problems } = await readOutputs({ patterns: ["*.png"], workspace, suites: [] });
    expect(problems).toEqual([
      expect.objectContaining({
        level: "error",
        message: expect.stringContaining(`the file ${phrase}`) as unknown,
      }),
    ]);
    expect(problems[0]?.help).toContain(help);
  });

  test("a file larger than Node can hold, before it is read, saying how to split it", async () => {
    const workspace = writeProject({});
    const file = openSync(join(workspace, "results.json"), "w");
    ftruncateSync(file, 600_000_000);
    closeSync(file);
    const { problems } = await readOutputs({ patterns: ["results.json"], workspace, suites: [] });
    expect(problems.map(({ message }) => message)).toEqual([
      "the file is too large to read: 600 MB; the limit is 537 MB.",
    ]);
    expect(problems[0]?.help).toContain("Split it");
  });
});
