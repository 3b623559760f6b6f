import { afterAll, describe, expect, test } from "@jest/globals";
import { parseJsonLines } from "../../src/outputs/content.ts";
import { fixture, jsonLines, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

async function readRecord(record: object) {
  const { runs, problems } = await read({ "outputs.jsonl": jsonLines({ task_id: "explain", ...record }) });
  expect(problems).toEqual([]);
  return runs[0]!;
}

describe("records", () => {
  test("as JSON lines: several models and trials side by side, blank lines aside", async () => {
    const { results, runs, problems } = await read({
      "out/outputs.jsonl": fixture("records")["outputs.jsonl"],
    });
    expect(problems).toEqual([]);
    expect(results.map(({ path, model }) => [path, model])).toEqual([
      ["out/outputs.jsonl", "agent-a"],
      ["out/outputs.jsonl", "agent-b"],
    ]);
    expect(runs.map(({ model, number, finalOutput }) => [model, number, finalOutput])).toEqual([
      ["agent-a", 1, "It loops forever."],
      ["agent-a", 2, "It never ends."],
      ["agent-b", 1, '{"answer":"forever"}'],
    ]);
    expect(runs[0]?.steps).toEqual([
      { kind: "user", text: "What does loop.py do?" },
      { kind: "tool", name: "read_file", input: '{"path":"loop.py"}', result: "while True: pass" },
      { kind: "assistant", text: "It loops forever." },
    ]);
  });

  test.each([
    [
      "a JSON array",
      [
        { task_id: "explain", output: "x" },
        { task_id: "explain", output: "y" },
      ],
    ],
    ["a single object", { task_id: "explain", output: "x" }],
  ])("as %s", async (_case, data) => {
    const { runs, problems } = await read({ "out.json": data });
    expect(problems).toEqual([]);
    expect(runs[0]).toMatchObject({ taskId: "explain", finalOutput: "x" });
  });

  test("keep the trials they name, and the others are counted on, in any file or folder", async () => {
    const row = (output: string, more: object = {}) => jsonLines({ task_id: "explain", output, ...more });
    const { runs } = await read({
      "a.jsonl": row("a"),
      "b.jsonl": row("b", { trial: 1 }),
      "c.jsonl": row("c", { trial: 1 }),
      "sub/d.jsonl": row("d"),
      "sub/e.jsonl": row("e", { model: "m" }),
    });
    expect(runs.map(({ finalOutput, number, source }) => [finalOutput, number, source])).toEqual([
      ["a", 2, "a.jsonl"],
      ["b", 1, "b.jsonl"],
      ["c", 1, "c.jsonl"],
      ["d", 3, "sub/d.jsonl"],
      ["e", 1, "sub/e.jsonl"],
    ]);
  });

  test("keep their prompt, and an error without an output is the agent's failure", async () => {
    expect(await readRecord({ prompt: "Do it.", error: "out of time" })).toMatchObject({
      prompt: "Do it.",
      agent: "failed",
      errorMessage: "out of time",
    });
  });

  test.each([
    ["false", false, undefined],
    ["null", null, undefined],
    ["true", true, "error: its record says `error: true`"],
    ["an object", { code: 7 }, 'error: {"code":7}'],
  ])("whose error is %s are judged, and the judge sees it", async (_case, error, ended) => {
    const run = await readRecord({ output: "x", error });
    expect({ agent: run.agent, ended: run.ended }).toEqual({ agent: "finished", ended });
  });

  test("with a number as id, and unknown fields, are read", async () => {
    const { runs, problems } = await read({ "o.json": [{ task_id: 7, output: "x", cost: 1 }] });
    expect(problems).toEqual([]);
    expect(runs[0]?.taskId).toBe("7");
  });

  test("without an output end in the last answer of their messages", async () => {
    const messages = [
      { role: "assistant", content: "First." },
      { role: "assistant", content: [{ type: "output_text", text: "Last." }] },
      { role: "user", content: "Thanks." },
      { role: "assistant", content: "" },
      { role: "assistant", content: [] },
    ];
    expect((await readRecord({ messages })).finalOutput).toBe("Last.");
  });
});

test("of a line with very many values the first hundred are read: each takes a parse of the rest", async () => {
  const at = { path: "r.jsonl", startLine: 1, endLine: 1, inRepository: true };
  const lines = await parseJsonLines(`${'{"a":1}'.repeat(200_000)}\n{"b":2}`, at);
  expect(lines).toMatchObject({ broken: [{ problem: { at: { startLine: 1 } } }] });
  expect(lines && "data" in lines && [lines.data.length, lines.data.at(-1)]).toEqual([101, { b: 2 }]);
});

describe("messages", () => {
  test.each<[string, object[], unknown[]]>([
    ["text", [{ role: "user", content: "Hi." }], [{ kind: "user", text: "Hi." }]],
    [
      "parts, of which images have only their kind, and other encoded values their size",
      [
        {
          role: "user",
          content: [{ type: "text", text: "See" }, "this", { type: "image", data: "QUJD".repeat(500) }],
        },
        { role: "tool", tool_call_id: "9", content: [{ type: "audio", data: "QUJD".repeat(500) }] },
      ],
      [
        { kind: "user", text: "See" },
        { kind: "user", text: "this" },
        { kind: "user", text: "[image]" },
        {
          kind: "tool",
          name: "(unnamed)",
          input: "",
          result: '{"type":"audio","data":"(2000 characters)"}',
        },
      ],
    ],
    [
      "a result of data, whole",
      [
        { role: "tool", tool_call_id: "9", content: [{ deleted: "all" }] },
        { role: "tool", tool_call_id: "9", content: [{ type: "resource", resource: { text: "rm -rf" } }] },
      ],
      [
        { kind: "tool", name: "(unnamed)", input: "", result: '[{"deleted":"all"}]' },
        {
          kind: "tool",
          name: "(unnamed)",
          input: "",
          result: '{"type":"resource","resource":{"text":"rm -rf"}}',
        },
      ],
    ],
    [
      "two calls with one id, each with its own result",
      ["first", "second"].flatMap((content) => [
        { role: "assistant", tool_calls: [{ id: "1", function: { name: "ls", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "1", content },
      ]),
      ["first", "second"].map((result) => ({ kind: "tool", name: "ls", input: "{}", result })),
    ],
    ["a turn of no parts says nothing", [{ role: "assistant", content: [] }], []],
    [
      "a refusal",
      [{ role: "assistant", content: [{ type: "refusal", refusal: "No." }] }],
      [{ kind: "assistant", text: "No." }],
    ],
    [
      "system and developer messages, left out",
      [
        { role: "system", content: "s" },
        { role: "developer", content: "d" },
      ],
      [],
    ],
    [
      "a call without a result",
      [{ role: "assistant", tool_calls: [{ id: "1", function: { name: "ls", arguments: "{}" } }] }],
      [{ kind: "tool", name: "ls", input: "{}" }],
    ],
    [
      "a result without a call",
      [{ role: "tool", tool_call_id: "9", content: "r" }],
      [{ kind: "tool", name: "(unnamed)", input: "", result: "r" }],
    ],
    [
      "a custom tool",
      [{ role: "assistant", tool_calls: [{ id: "1", type: "custom", custom: { name: "sh", input: "ls" } }] }],
      [{ kind: "tool", name: "sh", input: "ls" }],
    ],
    [
      "results out of order, joined by id",
      [
        {
          role: "assistant",
          content: "Both.",
          tool_calls: [
            { id: "1", function: { name: "a", arguments: "1" } },
            { id: "2", function: { name: "b", arguments: "2" } },
          ],
        },
        { role: "tool", tool_call_id: "2", content: "two" },
        { role: "tool", tool_call_id: "1", content: [{ type: "text", text: "one" }] },
      ],
      [
        { kind: "assistant", text: "Both." },
        { kind: "tool", name: "a", input: "1", result: "one" },
        { kind: "tool", name: "b", input: "2", result: "two" },
      ],
    ],
    [
      "Anthropic's parts",
      [
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "sh", input: { c: 1 } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "no", is_error: true }] },
      ],
      [{ kind: "tool", name: "sh", input: '{"c":1}', result: "no", success: false }],
    ],
    [
      "calls that hold their results, as Entire has them",
      [
        {
          type: "assistant",
          content: [
            { type: "tool_use", id: "1", name: "sh", input: 1, result: { output: "one", status: "success" } },
            { type: "tool_use", id: "2", name: "sh", input: 2, result: { output: "two", status: "error" } },
            { type: "tool_use", id: "3", name: "sh", input: 3, result: "three" },
            { type: "tool_use", id: "4", name: "sh", input: 4 },
          ],
        },
      ],
      [
        { kind: "tool", name: "sh", input: "1", result: "one", success: true },
        { kind: "tool", name: "sh", input: "2", result: "two", success: false },
        { kind: "tool", name: "sh", input: "3", result: "three" },
        { kind: "tool", name: "sh", input: "4" },
      ],
    ],
    [
      "an MCP tool's call and result, as Anthropic has them",
      [
        { role: "assistant", content: [{ type: "mcp_tool_use", id: "1", name: "sh", input: { c: 1 } }] },
        {
          role: "user",
          content: [{ type: "mcp_tool_result", tool_use_id: "1", content: "no", is_error: true }],
        },
      ],
      [{ kind: "tool", name: "sh", input: '{"c":1}', result: "no", success: false }],
    ],
    [
      "values of the wrong types",
      [{ role: "system" }, { role: "assistant", content: 7, tool_calls: "x" }, { role: "tool" }],
      [
        { kind: "assistant", text: "7" },
        { kind: "tool", name: "(unnamed)", input: "", result: "" },
      ],
    ],
  ])("%s", async (_case, messages, steps) => {
    expect((await readRecord({ output: "x", messages })).steps).toEqual(steps);
  });

  test("of roles by other names are read, unknown ones are left out with a warning", async () => {
    const messages = [
      { role: "human", content: "Do it." },
      { role: "ai", content: "Done." },
      { role: "narrator", content: "Meanwhile." },
      { role: 7, content: "x" },
    ];
    const { runs, problems } = await read({
      "o.jsonl": jsonLines({ task_id: "explain", output: "x", messages }),
    });
    expect(runs[0]?.steps).toEqual([
      { kind: "user", text: "Do it." },
      { kind: "assistant", text: "Done." },
    ]);
    expect(problems).toMatchObject([
      { level: "warning", message: expect.stringContaining("`narrator`, `(none)`") as unknown },
    ]);
  });

  test.each([
    ["mesages", "messages"],
    ["Trial", "trial"],
  ])("a key %s is a warning that names the right one", async (key, meant) => {
    const record = { task_id: "explain", output: "x", [key]: "y" };
    const { problems } = await read({ "o.jsonl": jsonLines(record) });
    expect(problems).toMatchObject([{ level: "warning", help: `Did you mean \`${meant}\`?` }]);
  });

  test.each(["sid", "Side", "variant"])(
    "a run without the skill that says so by `%s` is an error at its line: it would count as one with it",
    async (key) => {
      const row = { task_id: "explain", output: "x" };
      const rows = jsonLines({ ...row, side: "without-skill" }, { ...row, [key]: "without_skill" });
      const { runs, problems } = await read({ "o.jsonl": rows });
      expect(runs).toMatchObject([{ side: "without-skill" }]);
      expect(problems).toMatchObject([{ level: "error", at: { path: "o.jsonl", startLine: 2 } }]);
      expect(problems[0]?.message).toContain(`\`side\` as the key of \`without-skill\` for \`${key}\``);
    },
  );

  test.each([
    ["trial", 9_007_199_254_740_991],
    ["trial", -1],
  ])("a %s of %p is refused, not counted on from", async (key, value) => {
    const row = { task_id: "explain", output: "x", [key]: value };
    const { problems } = await read({ "o.jsonl": jsonLines(row, row, row) });
    expect(problems).toMatchObject([{ level: "error", at: { startLine: 1 } }]);
  });
});

describe("a record that cannot be read is an error at its line, and the others are kept", () => {
  test.each([
    [
      "without an id",
      { id: "explain", output: "x" },
      "expected `task_id`, the task's id (it holds `id`, `output`)",
    ],
    [
      "without an output",
      { task_id: "explain", answer: "x" },
      "expected `output`, the agent's answer (it holds `task_id`, `answer`)",
    ],
    [
      "whose messages are text",
      { task_id: "explain", output: "x", messages: "m" },
      "expected a list of messages",
    ],
    [
      "whose trial is text",
      { task_id: "explain", output: "x", trial: "two" },
      "expected a whole number for `trial`",
    ],
    ["whose model is a number", { task_id: "explain", output: "x", model: 4 }, "expected text for `model`"],
    ["that is no object", 7, "expected"],
  ])("%s", async (_case, wrong, wording) => {
    const { runs, problems } = await read({
      "o.jsonl": jsonLines({ task_id: "explain", output: "a" }, wrong, { task_id: "explain", output: "b" }),
    });
    expect(runs.map(({ finalOutput }) => finalOutput)).toEqual(["a", "b"]);
    expect(problems).toEqual([
      expect.objectContaining({
        level: "error",
        message: expect.stringContaining("the record cannot be read: ") as unknown,
      }),
    ]);
    expect(problems[0]?.message.toLowerCase()).toContain(wording);
    expect(problems[0]?.at).toMatchObject({ path: "o.jsonl", startLine: 2 });
  });

  test("in an array, at the line of the value", async () => {
    const text =
      '[\n  {"task_id": "explain", "output": "a"},\n  {"task_id": "explain",\n   "output": "b",\n   "trial": 1.5}\n]';
    const { problems } = await read({ "o.json": text });
    expect(problems[0]?.at?.startLine).toBe(5);
  });

  test("several are one error that counts them", async () => {
    const { problems } = await read({
      "o.jsonl": jsonLines({ task_id: "explain", output: "a" }, {}, {}, {}),
    });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the record cannot be read: .*\. 2 more cannot be read: line 3, line 4\.$/),
    ]);
  });

  test("torn in the middle names its line and column", async () => {
    const rows = `${jsonLines({ task_id: "explain", output: "a" })}{"task_id": "explain", "outp\n${jsonLines({ task_id: "b", output: "c" })}`;
    const { problems } = await read({ "o.jsonl": rows });
    expect(problems[0]).toMatchObject({ level: "error", at: { startLine: 2 } });
    expect(problems[0]?.help).toContain("line 2, column ");
  });
});
