import { afterAll, describe, expect, test } from "@jest/globals";
import { parseJsonLines } from "../../src/outputs/content.ts";
import { fixtureAt, jsonLines, read, stepLine } from "../support/outputs.ts";
import { expectSaid } from "../support/problems.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const recordOf = (output: string, more: object = {}) => ({ task_id: "explain", output, ...more });

async function readRecord(record: object) {
  const { runs, problems } = await read({ "outputs.jsonl": jsonLines({ task_id: "explain", ...record }) });
  expect(problems).toEqual([]);
  return runs[0]!;
}

describe("records", () => {
  test("as JSON lines: several models and trials side by side, blank lines aside", async () => {
    const { results, runs, problems } = await read({
      "out/outputs.jsonl": fixtureAt("records/outputs.jsonl"),
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
    expect(runs[0]?.steps.map(stepLine)).toEqual([
      "user: What does loop.py do?",
      'read_file {"path":"loop.py"} -> while True: pass',
      "assistant: It loops forever.",
    ]);
  });

  test.each<[string, unknown, readonly string[]]>([
    ["a JSON array", [recordOf("x"), recordOf("y")], ["x", "y"]],
    ["a single object", recordOf("x"), ["x"]],
  ])("as %s", async (_case, data, outputs) => {
    const { runs, problems } = await read({ "out.json": data });
    expect(problems).toEqual([]);
    expect(runs.map(({ taskId, finalOutput }) => [taskId, finalOutput])).toEqual(
      outputs.map((output) => ["explain", output]),
    );
  });

  test("keep the trials they name, and the others are counted on, in any file or folder", async () => {
    const row = (output: string, more: object = {}) => jsonLines(recordOf(output, more));
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
  const said = (role: string, content: unknown, more: object = {}) => ({ role, content, ...more });
  const called = (id: string, name: string, args: string) => ({ id, function: { name, arguments: args } });
  const came = (id: string, content: unknown) => ({ role: "tool", tool_call_id: id, content });
  const use = (type: string) => [
    said("assistant", [{ type: `${type}tool_use`, id: "1", name: "sh", input: { c: 1 } }]),
  ];
  const used = (type: string) => ({
    type: `${type}tool_result`,
    tool_use_id: "1",
    content: "no",
    is_error: true,
  });
  const encoded = "QUJD".repeat(500);
  const held = (id: number, more: object) => ({
    type: "tool_use",
    id: String(id),
    name: "sh",
    input: id,
    ...more,
  });

  test.each<[string, readonly object[], readonly string[]]>([
    ["text", [said("user", "Hi.")], ["user: Hi."]],
    [
      "parts, of which images have only their kind, and other encoded values their size",
      [
        said("user", [{ type: "text", text: "See" }, "this", { type: "image", data: encoded }]),
        came("9", [{ type: "audio", data: encoded }]),
      ],
      [
        ...["user: See", "user: this", "user: [image]"],
        '(unnamed)  -> {"type":"audio","data":"(2000 characters)"}',
      ],
    ],
    [
      "a result of data, whole",
      [came("9", [{ deleted: "all" }]), came("9", [{ type: "resource", resource: { text: "rm -rf" } }])],
      ['(unnamed)  -> [{"deleted":"all"}]', '(unnamed)  -> {"type":"resource","resource":{"text":"rm -rf"}}'],
    ],
    [
      "two calls with one id, each with its own result",
      ["first", "second"].flatMap((result) => [
        said("assistant", undefined, { tool_calls: [called("1", "ls", "{}")] }),
        came("1", result),
      ]),
      ["ls {} -> first", "ls {} -> second"],
    ],
    ["a turn of no parts says nothing", [said("assistant", [])], []],
    ["a refusal", [said("assistant", [{ type: "refusal", refusal: "No." }])], ["assistant: No."]],
    ["system and developer messages, left out", [said("system", "s"), said("developer", "d")], []],
    [
      "a call without a result",
      [said("assistant", undefined, { tool_calls: [called("1", "ls", "{}")] })],
      ["ls {} -> (not recorded)"],
    ],
    ["a result without a call", [came("9", "r")], ["(unnamed)  -> r"]],
    [
      "a custom tool",
      [
        said("assistant", undefined, {
          tool_calls: [{ id: "1", type: "custom", custom: { name: "sh", input: "ls" } }],
        }),
      ],
      ["sh ls -> (not recorded)"],
    ],
    [
      "results out of order, joined by id",
      [
        said("assistant", "Both.", { tool_calls: [called("1", "a", "1"), called("2", "b", "2")] }),
        came("2", "two"),
        came("1", [{ type: "text", text: "one" }]),
      ],
      ["assistant: Both.", "a 1 -> one", "b 2 -> two"],
    ],
    ["Anthropic's parts", [...use(""), said("user", [used("")])], ['sh {"c":1} -> failed no']],
    [
      "an MCP tool's call and result, as Anthropic has them",
      [...use("mcp_"), said("user", [used("mcp_")])],
      ['sh {"c":1} -> failed no'],
    ],
    [
      "calls that hold their results, as Entire has them",
      [
        {
          type: "assistant",
          content: [
            held(1, { result: { output: "one", status: "success" } }),
            held(2, { result: { output: "two", status: "error" } }),
            held(3, { result: "three" }),
            held(4, {}),
          ],
        },
      ],
      ["sh 1 -> ok one", "sh 2 -> failed two", "sh 3 -> three", "sh 4 -> (not recorded)"],
    ],
    [
      "values of the wrong types",
      [{ role: "system" }, said("assistant", 7, { tool_calls: "x" }), { role: "tool" }],
      ["assistant: 7", "(unnamed)  -> "],
    ],
  ])("%s", async (_case, messages, steps) => {
    expect((await readRecord({ output: "x", messages })).steps.map(stepLine)).toEqual(steps);
  });

  test("of roles by other names are read, unknown ones are left out with a warning", async () => {
    const known = [said("human", "Do it."), said("ai", "Done.")];
    const messages = [...known, said("narrator", "Meanwhile."), { role: 7, content: "x" }];
    const { runs, problems } = await read({ "o.jsonl": jsonLines(recordOf("x", { messages })) });
    expect(runs[0]?.steps.map(stepLine)).toEqual(["user: Do it.", "assistant: Done."]);
    expectSaid(problems, ["warning unread-parts … `narrator`, `role, content`"]);
  });

  test.each([
    ["mesages", "messages"],
    ["Trial", "trial"],
  ])("a key %s is a warning that names the right one", async (key, meant) => {
    const { problems } = await read({ "o.jsonl": jsonLines(recordOf("x", { [key]: "y" })) });
    expectSaid(problems, [`warning unread-key … Did you mean \`${meant}\`?`]);
  });

  test.each(["sid", "Side", "variant"])(
    "a run without the skill that says so by `%s` is an error at its line: it would count as one with it",
    async (key) => {
      const rows = jsonLines(
        recordOf("x", { side: "without-skill" }),
        recordOf("x", { [key]: "without_skill" }),
      );
      const { runs, problems } = await read({ "o.jsonl": rows });
      expect(runs).toMatchObject([{ side: "without-skill" }]);
      const words = `\`side\` as the key of \`without-skill\` for \`${key}\``;
      expectSaid(problems, [`error wrong-record o.jsonl:2 … ${words}`]);
    },
  );

  test.each([9_007_199_254_740_991, -1])("a trial of %p is refused, not counted on from", async (trial) => {
    const row = recordOf("x", { trial });
    const { problems } = await read({ "o.jsonl": jsonLines(row, row, row) });
    expectSaid(problems, ["error wrong-record o.jsonl:1"]);
  });
});

describe("a record that cannot be read is an error at its line, and the others are kept", () => {
  test.each<[string, unknown, string]>([
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
    ["whose messages are text", recordOf("x", { messages: "m" }), "a list of messages"],
    ["whose trial is text", recordOf("x", { trial: "two" }), "a whole number for `trial`"],
    ["whose model is a number", recordOf("x", { model: 4 }), "text for `model`"],
    ["that is no object", 7, "expected"],
  ])("%s", async (_case, wrong, words) => {
    const { runs, problems } = await read({ "o.jsonl": jsonLines(recordOf("a"), wrong, recordOf("b")) });
    expect(runs.map(({ finalOutput }) => finalOutput)).toEqual(["a", "b"]);
    expectSaid(problems, [`error wrong-record o.jsonl:2 … ${words}`]);
  });

  test("in an array, at the line of the value; several are one error that counts them", async () => {
    const text = `[\n${JSON.stringify(recordOf("a"))},\n{"task_id": "explain",\n"output": "b",\n"trial": 1.5}\n]`;
    expectSaid((await read({ "o.json": text })).problems, ["error wrong-record o.json:5"]);
    const several = await read({ "o.jsonl": jsonLines(recordOf("a"), {}, {}, {}) });
    expectSaid(several.problems, ["error wrong-record o.jsonl:2 … 2 more cannot be read: line 3, line 4."]);
  });

  test("torn in the middle names its line and column", async () => {
    const rows = `${jsonLines(recordOf("a"))}{"task_id": "explain", "outp\n${jsonLines(recordOf("c"))}`;
    const { problems } = await read({ "o.jsonl": rows });
    expect(problems[0]).toMatchObject({ level: "error", at: { startLine: 2 } });
    expect(problems[0]?.help).toContain("line 2, column ");
  });
});
