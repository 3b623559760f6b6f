import { afterAll, describe, expect, test } from "@jest/globals";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixture, read } from "../support/outputs.ts";
import { expectSaid, inALine } from "../support/problems.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";
import type { Problem } from "../../src/domain/problem.ts";
import type { Run, Step } from "../../src/domain/run.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";

afterAll(removeTemporaryFolders);

async function readResults(
  files: Readonly<Record<string, unknown>>,
  patterns: readonly string[] = ["results.json"],
) {
  const project = writeProject(files);
  const { files: read, problems } = await readOutputs({ patterns, workspace: project, suites: [] });
  return { project, files: read, problems, runs: read.flatMap(({ results: { runs } }) => runs) };
}

/** A results file with one task and these runs. */
function results(...runs: unknown[]) {
  return {
    eval_name: "demo",
    timestamp: "2025-01-02T03:04:05Z",
    config: { model_id: "agent-model" },
    tasks: [{ test_id: "t1", display_name: "Task one", status: "passed", runs }],
  };
}

async function readRun(run: unknown): Promise<Run> {
  const { runs, problems } = await readResults({ "results.json": results(run) });
  expect(problems).toEqual([]);
  return runs[0]!;
}

async function stepsOfResults(transcript: readonly unknown[], more: object = {}): Promise<readonly Step[]> {
  return (await readRun({ final_output: "x", transcript, ...more })).steps;
}

/** The only problem, an error, of a file that cannot be read. */
async function problemOf(content: unknown): Promise<Problem> {
  const { files, problems } = await readResults({ "results.json": content });
  expect(files).toEqual([]);
  expect(problems.map(({ level }) => level)).toEqual(["error"]);
  return problems[0]!;
}

/** Line, from 1, of the first place of a text in another. */
function lineOf(text: string, part: string): number {
  const offset = text.indexOf(part);
  if (offset < 0) throw new Error(`the text lacks ${part}`);
  return text.slice(0, offset).split("\n").length;
}

describe("a results file", () => {
  const bare = {
    origin: { file: 0, task: 0, run: 0 },
    number: 1,
    finalOutput: "",
    steps: [],
    agent: "finished",
    recorded: [],
    client: {},
  };

  test("gives its runs with origin, task, number, model, prompt and output", async () => {
    const named = { taskId: "t1", taskName: "Task one", model: "agent-model" };
    const other = { taskId: "t2", model: "agent-model" };
    const runs = [{ run_number: 7, status: "skipped", final_output: "  spaced \n" }];
    const file = results(
      { run_number: 1, status: "passed", prompt: "Do {{it}}.", final_output: "One." },
      { run_number: 2, status: "failed", final_output: "Two." },
    );
    const { files, problems } = await readResults({
      "results.json": { ...file, tasks: [...file.tasks, { test_id: "t2", runs }] },
    });
    expect(problems).toEqual([]);
    expect(files[0]?.results).toEqual({
      path: "results.json",
      evalName: "demo",
      model: "agent-model",
      timestamp: "2025-01-02T03:04:05Z",
      runs: [
        { ...bare, ...named, prompt: "Do {{it}}.", finalOutput: "One." },
        { ...bare, ...named, origin: { file: 0, task: 0, run: 1 }, number: 2, finalOutput: "Two." },
        { ...bare, ...other, origin: { file: 0, task: 1, run: 0 }, number: 7, finalOutput: "  spaced \n" },
      ],
    });
  });

  test("keeps the whole document as it was, for the graded copy", async () => {
    const document = { ...results({ final_output: "x", usage: { a: 1 } }), metadata: { b: [null] } };
    const { files } = await readResults({ "results.json": document });
    expect(files[0]?.document).toEqual(document);
  });

  test("with nulls in every optional place is read as if they were absent", async () => {
    const run = Object.fromEntries(
      ["run_number", "prompt", "status", "validations", "session_digest", "transcript", "final_output"]
        .concat(["error_msg", "usage", "workspace_dir", "tool_events"])
        .map((key) => [key, null]),
    );
    const { files, problems } = await readResults({
      "results.json": {
        eval_name: null,
        timestamp: null,
        config: null,
        summary: null,
        tasks: [
          { test_id: "t1", display_name: null, runs: [run] },
          { test_id: "t2", runs: null },
          { test_id: "t3" },
        ],
      },
    });
    expect(problems).toEqual([]);
    expect(files[0]?.results).toEqual({
      path: "results.json",
      model: "unknown model",
      runs: [{ ...bare, taskId: "t1", model: "unknown model" }],
    });
  });

  test.each<[string, unknown, readonly number[]]>([
    ["no tasks, as Go writes an empty list", { eval_name: "demo", tasks: null }, []],
    ["runs without a number, counted in their task", results({ final_output: "a" }, {}), [1, 2]],
    [
      "a byte order mark and CRLF",
      `\uFEFF${JSON.stringify(results({ final_output: "x" }), null, 2).replaceAll("\n", "\r\n")}`,
      [1],
    ],
  ])("with %s is read", async (_case, content, numbers) => {
    const { files, runs, problems } = await readResults({ "results.json": content });
    expect(problems).toEqual([]);
    expect(files).toHaveLength(1);
    expect(runs.map(({ number }) => number)).toEqual(numbers);
  });

  test("recorded validations are kept, with the key as the name and an empty type", async () => {
    const run = await readRun({
      final_output: "x",
      validations: {
        quality: { identifier: "quality", type: "prompt", score: 0.5, passed: false, feedback: "half" },
        _output_contains: { identifier: "", type: "", score: 1, passed: true, feedback: null },
        bare: {},
      },
    });
    expect(run.recorded).toEqual([
      { name: "quality", type: "prompt", score: 0.5, passed: false, feedback: "half" },
      { name: "_output_contains", type: "", score: 1, passed: true, feedback: "" },
      { name: "bare", type: "", score: 0, passed: false, feedback: "" },
    ]);
  });
});

describe("how a run ended", () => {
  const SAID = { transcript: [{ type: "assistant.message", content: "Hi." }] };
  const CALLED = { session_digest: { tool_calls: [{ name: "bash", success: true }] } };
  const ASKED = { transcript: [{ type: "user.message", content: "Do it." }] };

  const X = { final_output: "x" };
  const BOOM = { status: "error", error_msg: "boom" };

  test.each<[string, object, Run["agent"], string?]>([
    ["passed", { status: "passed", ...X }, "finished"],
    ["failed by waza's graders", { status: "failed", ...X }, "finished"],
    ["failed by them, without an output", { status: "failed", final_output: "" }, "finished"],
    ["skipped graders", { status: "skipped", ...X }, "finished"],
    ["no status", { ...X, error_msg: null }, "finished"],
    ["an error, with an output", { ...BOOM, ...X }, "finished", "error: boom"],
    ["an error, with an answer", { ...BOOM, ...SAID }, "finished", "error: boom"],
    ["an error, with a call", { ...BOOM, ...CALLED }, "finished", "error: boom"],
    ["an error alone, with an output", { status: "error", ...X }, "finished", "error, without a message"],
    ["a timeout, with an output", { status: "timeout", ...X }, "finished", "timeout, without a message"],
    ["a message that its status hides", { ...BOOM, status: "failed", ...X }, "finished", "error: boom"],
    ["an error, with nothing", { ...BOOM, final_output: " \n" }, "failed", "error: boom"],
    ["an error, with the prompt alone", { status: "error", ...ASKED }, "failed", "error, without a message"],
    ["a timeout, with nothing", { status: "timeout" }, "failed", "timeout, without a message"],
    ["waza's graders", { ...BOOM, ...X, error_msg: "running graders: grader q: timeout" }, "finished"],
    ["waza's graders, with nothing", { ...BOOM, error_msg: "running graders: boom" }, "grader-failed"],
    [
      "an error that only mentions graders",
      { ...BOOM, error_msg: "agent: failed after running graders: x" },
      "failed",
      "error: agent: failed after running graders: x",
    ],
  ])("by %s", async (_case, run, agent, ...ended) => {
    const read = await readRun(run);
    expect({ agent: read.agent, ended: read.ended }).toEqual({ agent, ended: ended[0] });
  });

  test("is cut in messages", async () => {
    const run = await readRun({ status: "error", error_msg: "x".repeat(1_000_000) });
    expect(run.ended).toHaveLength(2_000);
  });

  test("of one whose user a model played is what waza says of the responder", async () => {
    const responder = { followups_sent: 2, outcome: "abstained", reason: "No size." };
    const run = await readRun({ status: "error", final_output: "Which size?", responder });
    expect(run.conversation).toEqual({ turns: 3, ended: "abstained", reason: "No size." });
  });

  test("an error keeps its message", async () => {
    const run = await readRun({ status: "error", error_msg: "context deadline exceeded" });
    expect(run.errorMessage).toBe("context deadline exceeded");
    expect((await readRun({ final_output: "x" })).errorMessage).toBeUndefined();
  });
});

describe("the transcript's steps", () => {
  test("join each tool call to its completion by tool_call_id, in the order of the starts", async () => {
    const steps = await stepsOfResults([
      { type: "user.message", content: "Write it." },
      { type: "assistant.message", content: "\n\n" },
      { type: "tool.execution_start", tool_call_id: "1", tool_name: "create", arguments: { path: "a" } },
      { type: "tool.execution_start", tool_call_id: "2", tool_name: "bash", arguments: '{"command":"ls"}' },
      { type: "tool.execution_complete", tool_call_id: "2", success: false, tool_result: { content: "no" } },
      { type: "tool.execution_complete", tool_call_id: "1", success: true, tool_result: { content: "ok" } },
      { type: "assistant.message", content: "Done." },
    ]);
    expect(steps).toEqual([
      { kind: "user", text: "Write it." },
      { kind: "tool", name: "create", input: '{"path":"a"}', result: "ok", success: true },
      { kind: "tool", name: "bash", input: '{"command":"ls"}', result: "no", success: false },
      { kind: "assistant", text: "Done." },
    ]);
  });

  test.each([
    ["no completion", [], {}],
    ["a completion without a result", [{ success: true }], { success: true }],
    ["a completion with a null result", [{ success: false, tool_result: null }], { success: false }],
    ["a result that is text", [{ tool_result: "text" }], { result: "text" }],
    ["a detailed result", [{ tool_result: { content: "s", detailedContent: "long" } }], { result: "long" }],
    ["a result alone", [{ tool_result: { content: "s", detailedContent: null } }], { result: "s" }],
    ["an empty detailed result", [{ tool_result: { content: "s", detailedContent: "" } }], { result: "s" }],
    ["a result that is data", [{ tool_result: { content: [{ text: "a" }] } }], { result: '[{"text":"a"}]' }],
    ["an empty result", [{ tool_result: { content: "" } }], { result: "" }],
  ])("a start with %s", async (_case, completions, outcome) => {
    const steps = await stepsOfResults([
      { type: "tool.execution_start", tool_call_id: "1", tool_name: "bash", arguments: {} },
      ...completions.map((more) => ({ type: "tool.execution_complete", tool_call_id: "1", ...more })),
    ]);
    expect(steps).toEqual([{ kind: "tool", name: "bash", input: "{}", ...outcome }]);
  });

  test.each([
    ["with an id that no call has", { tool_call_id: "9" }],
    ["without an id", {}],
    ["with a null id", { tool_call_id: null }],
  ])("a completion %s is kept as a call of an unnamed tool", async (_case, more) => {
    const event = { type: "tool.execution_complete", success: true, tool_result: { content: "r" }, ...more };
    expect(await stepsOfResults([event])).toEqual([
      { kind: "tool", name: "(unnamed)", input: "", result: "r", success: true },
    ]);
  });

  test("a start without a name, an id or arguments is kept", async () => {
    expect(await stepsOfResults([{ type: "tool.execution_start" }])).toEqual([
      { kind: "tool", name: "(unnamed)", input: "" },
    ]);
  });

  test.each([
    ...["pending_messages.modified", "assistant.turn_start", "assistant.turn_end", "assistant.usage"],
    ...["session.usage_info", "session.info", "session.idle", "session.plan_changed"],
    ...["permission.requested", "permission.completed", "subagent.started"],
    ...["tool.execution_partial_result", "something.new"],
  ])("leave out %s", async (type) => {
    const steps = await stepsOfResults([
      { type, content: "noise", message: "noise", tool_call_id: "1", tool_name: "noise" },
      { type: "assistant.message", content: "kept" },
    ]);
    expect(steps).toEqual([{ kind: "assistant", text: "kept" }]);
  });

  test("keep invoked skills and session errors", async () => {
    const steps = await stepsOfResults([
      { type: "skill.invoked", content: "writer" },
      { type: "skill.invoked", message: "reader" },
      { type: "session.error", message: "rate limited" },
    ]);
    expect(steps).toEqual([
      { kind: "skill", text: "writer" },
      { kind: "skill", text: "reader" },
      { kind: "error", text: "rate limited" },
    ]);
  });

  test("take the legacy names for the same events", async () => {
    const steps = await stepsOfResults(
      [
        { type: "Turn", content: "1" },
        { type: "ToolExecutionStart", tool_call_id: "1", tool_name: "bash", arguments: { command: "ls" } },
        { type: "ToolExecutionComplete", tool_call_id: "1", success: true, tool_result: { content: "a" } },
      ],
      { session_digest: { total_turns: 1, tokens_in: 1, tokens_out: 2, tokens_total: 3 } },
    );
    expect(steps).toEqual([
      { kind: "tool", name: "bash", input: '{"command":"ls"}', result: "a", success: true },
    ]);
  });

  test.each([
    ["its content", { content: "I looked." }, ["I looked."]],
    ["its message", { message: "I looked." }, ["I looked."]],
    ["nothing when it is only its number", { content: "2" }, []],
    ["nothing when it is empty", {}, []],
  ])("a legacy Turn is the agent's message: %s", async (_case, more, texts) => {
    const steps = await stepsOfResults([{ type: "Turn", ...more }]);
    expect(steps).toEqual(texts.map((text) => ({ kind: "assistant", text })));
  });

  const digest = {
    session_digest: {
      tool_call_count: 2,
      tools_used: ["create", "skill"],
      tool_calls: [
        { id: "1", name: "create", arguments: { path: "a" }, result: { content: "ok" }, success: true },
        { arguments: null, result: null, success: null },
      ],
      errors: [],
    },
  };

  test.each([undefined, null, []])(
    "are the digest's tool calls when the transcript is %j",
    async (transcript) => {
      const run = await readRun({ final_output: "x", ...digest, transcript });
      expect(run.steps).toEqual([
        { kind: "tool", name: "create", input: '{"path":"a"}', result: "ok", success: true },
        { kind: "tool", name: "(unnamed)", input: "" },
      ]);
    },
  );

  test("are the transcript's alone when there is one", async () => {
    expect(await stepsOfResults([{ type: "assistant.message", content: "Hi." }], digest)).toEqual([
      { kind: "assistant", text: "Hi." },
    ]);
  });
});

test("arguments nested without end leave the file readable", async () => {
  const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const text = JSON.stringify(
    results({ transcript: [{ type: "tool.execution_start", arguments: "NESTED" }], final_output: "x" }),
  ).replace('"NESTED"', nested);
  const { runs, problems } = await readResults({ "results.json": text });
  expect(runs).toHaveLength(1);
  expect(problems).toEqual([]);
});

describe("a file that is not JSON", () => {
  const good = JSON.stringify(results({ final_output: "x", status: "passed" }), null, 2);

  test.each([
    ["a missing comma", '{\n  "a": 1\n  "tasks": []\n}\n', 3, 3],
    ["a missing comma in a list", '{\n  "tasks": [\n    1\n    2]\n}\n', 4, 5],
    ["a trailing comma in an object", '{\n  "tasks": [],\n}\n', 3, 1],
    ["a trailing comma in a list", '{\n  "tasks": [\n    1,\n  ]\n}\n', 4, 3],
    ["two commas", '{\n  "tasks": [1,, 2]\n}\n', 2, 15],
    ["a stray word as a value", '{\n  "tasks": [],\n  "a": nope\n}\n', 3, 8],
    ["NaN, as Python writes it", '{\n  "tasks": [],\n  "score": NaN\n}\n', 3, 12],
    ["a word cut short", '{\n  "tasks": [],\n  "a": tru\n}\n', 3, 8],
    ["a comment", '{\n  // runs\n  "tasks": []\n}\n', 2, 3],
    ["single quotes", "{\n  'tasks': []\n}\n", 2, 3],
    ["a value in single quotes", '{\n  "tasks": [],\n  "a": \'x\'\n}\n', 3, 8],
    ["text instead of JSON", "\nError: waza failed\n", 2, 1],
    ["text after the JSON", '{"tasks": []}\nDone in 3s\n', 2, 1],
    ["a line break in a string", '{\n  "a": "x\ny"\n}\n', 2, 10],
    ["a stray word after a duplicate key", '{\n  "a": 1,\n  "a": 2,\n  "b": nope\n}\n', 4, 8],
    ["a missing comma with CRLF", '{\r\n  "a": 1\r\n  "b": 2\r\n}\r\n', 3, 3],
  ])("%s is found at its line and column", async (_case, text, line, column) => {
    const problem = await problemOf(text);
    const { message, help, at } = problem;
    expect(inALine(problem)).toBe(`error invalid-json results.json:${String(line)}`);
    expect(message).toMatch(/^the file is not valid JSON: .+\.$/);
    // A word is named by its first letter or by the one that cannot follow.
    expect(at?.startColumn).toBeGreaterThanOrEqual(column);
    expect(at?.startColumn).toBeLessThanOrEqual(column + 3);
    expect(help).toMatch(`ine ${String(line)}, column ${String(at?.startColumn)}`);
  });

  test.each([
    ["within a string", good.slice(0, good.indexOf("Task one") + 4)],
    ["between values", good.slice(0, good.indexOf('"final_output"'))],
    ["after a colon", good.slice(0, good.indexOf('"passed"'))],
    ["before the last brace", good.slice(0, -1)],
  ])("cut off %s is found at its end", async (_case, text) => {
    const { at, help } = await problemOf(text);
    expect(at?.startLine).toBe(text.split("\n").length);
    expect(help).toContain("interrupted");
  });

  test.each([
    ["empty", "", 1],
    ["white space alone", "\n  \n", 3],
  ])("%s says that it is empty", async (_case, text, lines) => {
    const { message, at } = await problemOf(text);
    expect(message).toBe("the file is empty: nothing was written to it.");
    expect(at?.startLine).toBeLessThanOrEqual(lines);
    expect(at?.startLine).toBeGreaterThanOrEqual(1);
  });

  test.each([
    ["says what it says", "Error: waza failed\n", "the line says `Error: waza failed`"],
    ["after empty lines", "\n\nError: waza failed\n", "the line says `Error: waza failed`"],
    ["cuts a long one between words", "word ".repeat(90), `says \`${"word ".repeat(39)}word …\``],
  ])("text instead of JSON %s", async (_case, text, expected) => {
    const { message, help } = await problemOf(text);
    expect(message).toContain(expected);
    expect(help).toContain("Check the step that writes it");
  });

  test("no part of the file is published, nor a long word, which could be half a secret", async () => {
    const secret = "sk-ThisMustNotBeShown";
    const texts = [`{"key": ${secret}}`, `{"key": "${secret}" oops}`, `["${secret}",]`, `{"${secret}": x}`];
    for (const text of [...texts, "ThisMustNot".repeat(30)])
      expect(JSON.stringify(await problemOf(text))).not.toContain("ThisMustNot");
  });
});

describe("JSON that is no results file", () => {
  test.each([
    ["a list", [], 1],
    ["text", '"results"', 1],
    ["null", "null", 1],
    ["a mapping without tasks", { eval_name: "x" }, 1],
    ["tasks that are a mapping", '{\n  "eval_name": "x",\n  "tasks": {}\n}', 3],
    ["a task without an id", '{\n  "tasks": [\n    {"runs": []}\n  ]\n}', undefined],
    ["a task whose id is a number", '{\n  "tasks": [\n    {\n      "test_id": 7\n    }\n  ]\n}', 4],
    ["runs that are text", '{\n  "tasks": [{"test_id": "t",\n    "runs": "none"}]\n}', 3],
  ])("%s is an error that names waza's command", async (_case, content, line) => {
    const { message, help, at } = await problemOf(content);
    expect(message).toMatch(/^the file is (not a results file of waza|not in a known format)/);
    expect(help).toContain("waza run");
    if (line !== undefined) expect(at?.startLine).toBe(line);
  });

  test("a wrong value is found in the task and run with it", async () => {
    const file = results({ final_output: "fine" }, { final_output: ["not", "text"] });
    const text = JSON.stringify(file, null, 2);
    const { message, at } = await problemOf(text);
    expect(message).toContain("`tasks.0.runs.1.final_output`");
    expect(at?.startLine).toBe(lineOf(text, '"final_output": ['));
  });
});

/** What a waza later than 0.38 writes at the top of its results. */
const OF_THIS_AUTUMN = { schemaVersion: "1.99", config: { model_id: "m", reasoning_effort: "high" } };

describe("unknown keys", () => {
  test("of waza, old and new, and what this action wrote are no problem", async () => {
    const { problems } = await readResults({
      "results.json": {
        ...results({ attempts: 1, tool_events: [], responder: {}, checkpoints: [], snapshot_path: "x" }),
        ...OF_THIS_AUTUMN,
        eval_id: "e",
        skill: "s",
        summary: {},
        metrics: {},
        is_baseline: false,
        baseline_outcome: null,
        waza_grade: { grades: [] },
      },
    });
    expect(problems).toEqual([]);
  });

  test("what a later waza writes is read, and stays in the document", async () => {
    const run = {
      final_output: "x",
      grader_sessions: [{ grader: "g", transcript: [] }],
      command_invocations: [{ command: "ls", exit_code: 0 }],
      session_digest: { tool_calls: [], tool_policy_mode: "deny", tool_policy_denials: [{ tool: "bash" }] },
      usage: { ai_credits: 1.5, provider: "openai" },
    };
    const file = { ...results(run), ...OF_THIS_AUTUMN };
    const { files, problems } = await readResults({ "results.json": file });
    expect(problems).toEqual([]);
    expect(files[0]?.results).toMatchObject({ model: "m", runs: [{ finalOutput: "x" }] });
    expect(files[0]?.document).toEqual(file);
  });

  test.each(["2.0", "v2", 3, "0.9"])("another major version is an error at its line: %j", async (version) => {
    const text = JSON.stringify({ ...results({ final_output: "x" }), schemaVersion: version }, null, 2);
    const line = String(lineOf(text, '"schemaVersion"'));
    expectSaid([await problemOf(text)], [`error wrong-shape results.json:${line} … from 1.0 to 1.99`]);
  });
});

test("a value nested more than a thousand levels is a note, and all else is read and can be written", async () => {
  const depth = 200_000;
  const deep = `${'{"__proto__":['.repeat(depth)}${"]}".repeat(depth)}`;
  const text = JSON.stringify(results({ final_output: "x", usage: "DEEP" })).replace('"DEEP"', deep);
  const { files, problems } = await readResults({ "results.json": text });
  expect(problems).toEqual([]);
  expect(files[0]?.results.runs).toMatchObject([{ finalOutput: "x" }]);
  expect(JSON.stringify(files[0]?.document)).toContain("(nested too deeply to show)");
});

describe("which files are read", () => {
  test("several, in the order of their names, each with its index as the origin of its runs", async () => {
    const file = (model: string) => ({ ...results({ final_output: model }), config: { model_id: model } });
    const { files, problems } = await readResults(
      { "out/b.json": file("b"), "out/a.json": file("a"), "other.json": file("c") },
      ["out/*.json", "other.json", "out/a.json"],
    );
    expect(problems).toEqual([]);
    expect(files.map(({ results: { path, model } }) => [path, model])).toEqual([
      ["other.json", "c"],
      ["out/a.json", "a"],
      ["out/b.json", "b"],
    ]);
    expect(files.map(({ results: { runs } }) => runs[0]?.origin.file)).toEqual([0, 1, 2]);
  });

  test("a broken one leaves the others, whose indices stay without a gap", async () => {
    const { files, problems } = await readResults(
      { "a.json": "{", "b.json": [], "c.json": results({ final_output: "c" }) },
      ["*.json"],
    );
    expect(problems.map(({ at, level }) => `${level} ${at?.path ?? ""}`)).toEqual([
      "error a.json",
      "error b.json",
    ]);
    expect(files.map(({ results: { path, runs } }) => [path, runs[0]?.origin.file])).toEqual([["c.json", 0]]);
  });

  test("an absolute path or glob outside the workspace is read and said to be outside; `!` excludes", async () => {
    const outside = temporaryFolder("runner-temp");
    const path = join(outside, "2025", "results.json");
    mkdirSync(join(outside, "2025"));
    writeFileSync(join(outside, "summary.json"), JSON.stringify({ models: [] }));
    for (const patterns of [[path], [`${outside}/**/*.json`, `!${outside}/summary.json`]]) {
      writeFileSync(path, JSON.stringify(results({ final_output: "x" })));
      const { files, problems } = await readResults({}, patterns);
      expect(problems).toEqual([]);
      expect(files.map(({ results: { path } }) => path)).toEqual([path]);
      writeFileSync(path, "{");
      const again = await readResults({}, patterns);
      expect(again.problems[0]?.at).toMatchObject({ path, inRepository: false });
    }
  });

  test("a glob without a match is an error that says which and where, beside one with a match, too", async () => {
    const { project, files, problems } = await readResults(
      { "a.json": results({ final_output: "a" }), "node_modules/x/results.json": results() },
      ["a.json", "results.json", "**/results.json"],
    );
    expect(files).toHaveLength(1);
    const advice = `Searched in \`${project}\`. Run the agent first, and make sure it writes to the path in`;
    expectSaid(problems, [
      `error no-match … \`results.json\` … ${advice}`,
      `error no-match … \`**/results.json\` … ${advice}`,
    ]);
  });

  test.each([
    ["in a folder that is not there", "out/deep/no/*.json", "`out/deep` exists, but nothing in it matches. "],
    ["with a star", "out/*.txt", "`out` exists, but nothing in it matches. "],
    ["in no folder that exists", "no/*.json", ""],
    ["of a name that no file has", "run.json", ""],
  ])("a glob %s names the folder up to which it exists", async (_case, pattern, wording) => {
    const { problems } = await readResults({ "out/deep/a.json": {}, "package.json": {} }, [pattern]);
    expect(problems[0]?.help).toMatch(/^Searched in `[^`]+`\. /);
    expect(problems[0]?.help?.replace(/^Searched in `[^`]+`\. /, "")).toBe(
      `${wording}Run the agent first, and make sure it writes to the path in \`results\`.`,
    );
  });

  test("a folder is the files in it", async () => {
    const { files, problems } = await readResults(
      { "out/deep/a.json": results({ final_output: "a" }), "b.json": results() },
      ["out/"],
    );
    expect(problems).toEqual([]);
    expect(files).toHaveLength(1);
  });

  test("an empty folder is a download without an artifact", async () => {
    const workspace = writeProject({});
    mkdirSync(join(workspace, "runs"));
    const runUrl = "https://github.com/o/r/actions/runs/1/attempts/1";
    const read = { workspace, suites: [], isWorkflow: true, runUrl };
    const empty = await readOutputs({ ...read, patterns: ["runs"] });
    expect(empty.problems[0]?.help).toMatch(/empty folder: no artifact came\. See why in the job /);
    expect(empty.problems[0]?.page?.url).toMatch(/runs\/1\/attempts\/1$/);
    const none = await readOutputs({ ...read, patterns: [join(workspace, "none")] });
    expect(none.problems[0]?.page?.url).toMatch(/runs\/1\/attempts\/1$/);
  });

  test("a file that cannot be read says so", async () => {
    const project = writeProject({ "results.json": results() });
    chmodSync(join(project, "results.json"), 0);
    const { problems } = await readOutputs({ patterns: ["results.json"], workspace: project, suites: [] });
    // Root reads every file.
    const isRoot = process.getuid?.() === 0;
    expectSaid(problems, isRoot ? [] : ["error unreadable-file … permission denied"]);
  });
});

const PROMPT = "What does loop.py do?";
const asks = { type: "user.message", content: PROMPT };
const says = (content: string) => ({ type: "assistant.message", content });

async function readTranscript(file: object) {
  const { runs, problems } = await read({
    "t/explain-20260301-100000.json": { task_id: "explain", task_name: "Explain", prompt: PROMPT, ...file },
  });
  return { runs, problems };
}

describe("a transcript file of waza", () => {
  test("of two runs: a new one starts where the prompt is repeated, not where the user goes on", async () => {
    const { runs, problems, results } = await read(fixture("waza-transcripts"));
    expect(results[0]).toMatchObject({ path: "explain-20260301-100000.json", model: "unknown model" });
    const name = { taskId: "explain", taskName: "Explain", prompt: PROMPT, agent: "finished" };
    expect(runs).toMatchObject([
      { ...name, number: 1, finalOutput: "It loops forever.\n\nYes." },
      { ...name, number: 2, finalOutput: "It never ends." },
    ]);
    expect(runs.map(({ steps }) => steps.map(textOf))).toEqual([
      [PROMPT, '{"path":"loop.py"}', "It loops forever.", "Are you sure?", "Yes."],
      [PROMPT, "It never ends."],
    ]);
    expectSaid(problems, ["notice split-runs … holds 2 runs"]);
  });

  test.each([
    ["no prompt", { prompt: null, transcript: [asks, says("a"), asks, says("b")] }],
    ["no transcript", { transcript: null }],
    ["an empty transcript", { transcript: [] }],
    ["a template, which no message repeats", { prompt: "Do {{x}}", transcript: [asks, says("a"), asks] }],
    ["its prompt said once", { transcript: [asks, says("Part.")] }],
  ])("with %s is one run, with the final output that is recorded", async (_case, file) => {
    const { runs } = await readTranscript({ final_output: "x", ...file });
    expect(runs).toMatchObject([{ number: 1, finalOutput: "x" }]);
  });

  const BOOM = { status: "error", error_msg: "boom" };
  test.each<[string, object, readonly string[]]>([
    ["its error", { ...BOOM, transcript: [asks] }, ["failed, error: boom"]],
    [
      "its error, called failed",
      { ...BOOM, status: "failed", transcript: [asks, says("a")] },
      ["finished, error: boom"],
    ],
    ["nothing but its graders", { status: "failed", final_output: "a" }, ["finished"]],
    [
      "the last of several, which wrote nothing",
      { ...BOOM, final_output: "", transcript: [asks, says("a"), asks] },
      ["finished", "failed, error: boom"],
    ],
    [
      "no run's error, when it may be another run's",
      { ...BOOM, final_output: "b", transcript: [asks, asks, says("b")] },
      ["finished", "finished"],
    ],
    [
      "an error without a message",
      { status: "error", final_output: "b", transcript: [asks] },
      ["finished, error, without a message"],
    ],
    ["waza's own graders", { error_msg: "running graders: x", transcript: [asks] }, ["grader-failed"]],
  ])("ends by %s", async (_case, file, expected) => {
    const { runs } = await readTranscript(file);
    expect(runs.map(({ agent, ended }) => [agent, ...(ended ? [ended] : [])].join(", "))).toEqual(expected);
  });

  test("of the wrong shape is an error at its line", async () => {
    const text = '{\n  "task_id": "explain",\n  "transcript": "none"\n}';
    const { runs, problems } = await read({ "a.json": text });
    expect(runs).toEqual([]);
    expectSaid(problems, ["error wrong-shape a.json:3 … transcript file of waza at `transcript`"]);
  });
});

const event = (type: string, more: object = {}) => ({ type, ...more });
const call = (turn: number, more: object = {}) => {
  return { turn, tool_name: "bash", args: { turn }, result: "ok", success: true, ...more };
};
const messageRow = (content: string) => event("assistant.message", { content });
const user = event("user.message", { content: "Do it." });

const stepsWith = async (run: object) => (await readRun({ final_output: "x", ...run })).steps;
const textOf = (step: Step) => (step.kind === "tool" ? step.input : step.text);
const shown = async (run: object) => (await stepsWith(run)).map(textOf);

describe("tool events", () => {
  test("are the calls of a transcript that has none, each after the message that made it", async () => {
    const transcript = [user, messageRow(""), messageRow("Half."), messageRow("Done.")];
    const turns = ['{"turn":1}', '{"turn":1}', "Half.", '{"turn":2}', "Done."];
    expect(await shown({ transcript, tool_events: [call(1), call(1), call(2)] })).toEqual([
      "Do it.",
      ...turns,
    ]);
  });

  test("of an unknown turn stand before the last message", async () => {
    const transcript = [user, messageRow("Half."), messageRow("Done.")];
    const turns = ["Half.", '{"turn":0}', '{"turn":9}', "Done."];
    expect(await shown({ transcript, tool_events: [call(0), call(9)] })).toEqual(["Do it.", ...turns]);
  });

  test("are the conversation of a run without a transcript", async () => {
    expect(
      await stepsWith({ tool_events: [call(1, { result: undefined, error: "denied", success: false })] }),
    ).toEqual([{ kind: "tool", name: "bash", input: '{"turn":1}', result: "denied", success: false }]);
  });

  test.each([
    ["text", "plain", "plain"],
    ["data", { exit: 0 }, '{"exit":0}'],
    ["a tool result", { content: "short", detailedContent: "long" }, "long"],
  ])("show a result that is %s", async (_name, result, text) => {
    expect((await stepsWith({ tool_events: [call(1, { result })] }))[0]).toMatchObject({ result: text });
  });

  test("complete the arguments of the transcript's calls, joined by id", async () => {
    const start = (id: string, args: unknown) =>
      event("tool.execution_start", { tool_call_id: id, tool_name: "create", arguments: args });
    const full = { path: "a", file_text: "all of it" };
    const transcript = [
      start("1", { path: "a" }),
      start("2", undefined),
      start("3", { path: "longer by far" }),
    ];
    const tool_events = [
      call(1, { tool_call_id: "1", args: full }),
      call(1, { tool_call_id: "2", args: full }),
      call(1, { tool_call_id: "3", args: {} }),
      call(1, { tool_call_id: "4", args: full }),
    ];
    expect(await shown({ transcript, tool_events })).toEqual([
      JSON.stringify(full),
      JSON.stringify(full),
      '{"path":"longer by far"}',
    ]);
  });
});
