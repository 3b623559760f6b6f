/** Logs in the shapes that real ones have, with what made each of them be read in part, or not at all. */
import { afterAll, expect, test } from "@jest/globals";
import type { Step } from "../../src/domain/run.ts";
import { fixture, jsonLines, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const PROMPT = "What does loop.py do?";
const ANSWER = "assistant: It loops forever.";
const logs = fixture("as-found");

/** A step in a line. */
function lineOf(step: Step): string {
  return step.kind === "tool" ? `${step.name} -> ${step.result ?? "?"}` : `${step.kind}: ${step.text}`;
}

test.each<[string, readonly string[], readonly string[]]>([
  [
    "gemini-behind-a-user-row.jsonl",
    [`user: ${PROMPT}`, "assistant: I will read it.", "read_file -> while True: pass", ANSWER],
    [],
  ],
  [
    "claude-code-kept.jsonl",
    [
      `user: ${PROMPT}`,
      "Read -> while True: pass",
      "assistant: Lost in the crash.",
      "user: /explain in one sentence",
      ANSWER,
    ],
    [],
  ],
  [
    "mini-swe-agent.traj.json",
    [`user: ${PROMPT}`, "assistant: I will read it.", "bash -> while True: pass", ANSWER],
    ["not read: `exit`"],
  ],
  [
    "opencode-export.json",
    [`user: ${PROMPT}`, "assistant: I will read it.", "read -> while True: pass", ANSWER],
    [],
  ],
  ["codex-went-on.jsonl", [`user: ${PROMPT}`, "shell_command -> while True: pass", ANSWER], []],
])("%s is read whole, or a warning says what is not", async (name, steps, warnings) => {
  const { runs, problems } = await read({ [`logs/${name}`]: logs[name] });
  expect(runs).toMatchObject([{ prompt: PROMPT, finalOutput: "It loops forever.", agent: "finished" }]);
  expect(runs[0]?.ended).toBeUndefined();
  expect(runs[0]?.steps.map(lineOf)).toEqual(steps);
  expect(problems.map(({ level }) => level)).toEqual(warnings.map(() => "warning"));
  for (const [index, wording] of warnings.entries()) expect(problems[index]?.message).toContain(wording);
});

test("a session with two results, one of what ran on in the background, has both as its final output", async () => {
  const { runs, problems } = await read({ "explain.jsonl": logs["claude-code-two-results.jsonl"] });
  expect(problems).toEqual([]);
  expect(runs).toMatchObject([{ finalOutput: "It loops forever.\n\nThe build ended, too." }]);
});

test("results of two sessions in one log are refused, not the last one graded alone", async () => {
  const messageRow = (id: string) => ({ type: "result", subtype: "success", session_id: id, result: id });
  const { problems } = await read({ "explain.jsonl": jsonLines(messageRow("a"), messageRow("b")) });
  expect(problems).toMatchObject([
    { level: "error", message: expect.stringContaining("2 sessions") as unknown },
  ]);
});

test("a list with tool results under an unknown role is read, and they are reported", async () => {
  const rows = [
    { role: "user", content: PROMPT },
    { role: "observation", content: "while True: pass" },
    { role: "assistant", content: "It loops forever." },
  ];
  const { problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(problems).toMatchObject([
    { level: "warning", message: expect.stringContaining("`observation`") as unknown },
  ]);
});

const READ = "Read -> while True: pass";

/** The shapes of agents that write messages under names of their own, each row as the agent writes it. */
test.each<[string, string, string]>([
  [
    "Pi",
    "jsonl",
    jsonLines(
      { type: "session", version: 3, id: "s", cwd: "/work" },
      { type: "model_change", provider: "anthropic", modelId: "claude-x" },
      { type: "message", message: { role: "user", content: PROMPT } },
      {
        type: "message",
        message: {
          role: "assistant",
          model: "claude-x",
          content: [
            { type: "thinking", thinking: "…" },
            { type: "toolCall", id: "1", name: "Read", arguments: { path: "loop.py" } },
          ],
        },
      },
      {
        type: "message",
        message: {
          role: "toolResult",
          toolCallId: "1",
          content: [{ type: "text", text: "while True: pass" }],
          isError: false,
        },
      },
      {
        type: "message",
        message: { role: "assistant", content: [{ type: "text", text: "It loops forever." }] },
      },
    ),
  ],
  [
    "Qwen Code",
    "jsonl",
    jsonLines(
      { type: "user", sessionId: "s", message: { role: "user", parts: [{ text: PROMPT }] } },
      { type: "system", subtype: "ui_telemetry", sessionId: "s" },
      {
        type: "assistant",
        sessionId: "s",
        model: "qwen-x",
        message: {
          role: "model",
          parts: [{ text: "…", thought: true }, { functionCall: { id: "1", name: "Read", args: {} } }],
        },
      },
      {
        type: "tool_result",
        sessionId: "s",
        message: {
          role: "user",
          parts: [{ functionResponse: { id: "1", name: "Read", response: { output: "while True: pass" } } }],
        },
      },
      {
        type: "assistant",
        sessionId: "s",
        message: { role: "model", parts: [{ text: "It loops forever." }] },
      },
    ),
  ],
  [
    "ATIF (Harbor)",
    "json",
    JSON.stringify({
      schema_version: "ATIF-v1.7",
      agent: { name: "terminus-2", model_name: "m" },
      steps: [
        { step_id: 1, source: "user", message: PROMPT },
        {
          step_id: 2,
          source: "agent",
          message: "",
          tool_calls: [{ tool_call_id: "1", function_name: "Read", arguments: {} }],
          observation: { results: [{ source_call_id: "1", content: "while True: pass" }] },
        },
        { step_id: 3, source: "agent", message: "It loops forever." },
      ],
    }),
  ],
  [
    "SWE-agent",
    "traj",
    JSON.stringify({
      environment: "e",
      trajectory: [],
      history: [
        { role: "system", content: "Be good.", agent: "main" },
        { role: "user", content: "A demonstration.", agent: "main", is_demo: true },
        { role: "user", content: [{ type: "text", text: PROMPT }], agent: "main" },
        {
          role: "assistant",
          content: "",
          agent: "main",
          tool_calls: [{ id: "1", function: { name: "Read", arguments: "{}" } }],
        },
        { role: "tool", content: "while True: pass", tool_call_ids: ["1"], agent: "main" },
        { role: "assistant", content: "It loops forever.", agent: "main" },
      ],
    }),
  ],
  [
    "Cursor, in a log without `permissionMode`",
    "jsonl",
    jsonLines(
      { type: "system", subtype: "init", session_id: "s", model: "m", tools: [] },
      { type: "user", message: { role: "user", content: PROMPT }, session_id: "s" },
      {
        type: "tool_call",
        subtype: "completed",
        call_id: "1",
        tool_call: { ReadToolCall: { args: {}, result: { success: "while True: pass" } } },
      },
      { type: "assistant", message: { role: "assistant", content: "It loops forever." }, session_id: "s" },
      { type: "result", subtype: "success", result: "It loops forever.", session_id: "s" },
    ),
  ],
])("a log of %s is read whole", async (_agent, extension, text) => {
  const { runs, problems } = await read({ [`logs/1.${extension}`]: text });
  expect(problems).toEqual([]);
  expect(runs).toMatchObject([{ prompt: PROMPT, finalOutput: "It loops forever.", agent: "finished" }]);
  expect(
    runs[0]?.steps
      .filter(({ kind, ...step }) => kind === "tool" || ("text" in step && step.text))
      .map(lineOf),
  ).toEqual([`user: ${PROMPT}`, READ, ANSWER]);
});

test("a message from which nothing came is reported, with what it holds", async () => {
  const rows = [
    { type: "user", message: { role: "user", content: PROMPT } },
    { type: "assistant", message: { role: "assistant", pieces: [{ words: "Hm." }] } },
    { type: "assistant", message: { role: "assistant", content: "It loops forever." } },
    { type: "result", subtype: "success", result: "It loops forever.", session_id: "s" },
  ];
  const { problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(problems).toMatchObject([
    { level: "warning", message: expect.stringContaining("`assistant/role, pieces`") as unknown },
  ]);
});

test("rows behind a time, in escape codes and between a hundred lines of another program are read", async () => {
  const lines = [
    `2026-11-25T10:00:00Z ${JSON.stringify({ role: "user", content: PROMPT })}`,
    ...Array.from({ length: 100 }, (_, index) => `step ${String(index)}`),
    `\u001B[32m${JSON.stringify({ role: "assistant", content: "It loops forever." })}\u001B[0m`,
  ];
  const { runs, problems } = await read({ "explain.jsonl": `${lines.join("\n")}\n` });
  expect(runs[0]?.steps.map(lineOf)).toEqual([`user: ${PROMPT}`, ANSWER]);
  expect(problems).toMatchObject([{ level: "warning" }]);
  expect(problems[0]?.message).toContain("and 100 more like it");
});

test("a row that is no message makes a file no list of messages", async () => {
  const rows = [
    { role: "user", content: PROMPT },
    { event: "tool", result: "while True: pass" },
  ];
  const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(runs).toEqual([]);
  expect(problems).toMatchObject([{ level: "error" }]);
});

test("each of several JSON objects on one line is read, and what is torn behind them is reported", async () => {
  const rows = [
    { role: "user", content: PROMPT },
    { role: "assistant", content: "Hm." },
    { role: "assistant", content: "It loops forever." },
  ];
  const text = `${JSON.stringify(rows[0])}${JSON.stringify(rows[1])} {"role":"ass\n${JSON.stringify(rows[2])}\n`;
  const { runs, problems } = await read({ "explain.jsonl": text });
  expect(runs[0]?.steps.map(lineOf)).toEqual([`user: ${PROMPT}`, "assistant: Hm.", ANSWER]);
  expect(problems).toMatchObject([{ level: "warning", at: { startLine: 1 } }]);
});

test.each<[string, readonly object[], readonly string[]]>([
  [
    "calls alone",
    [
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "1", function: { name: "sh", arguments: "{}" } }],
      },
    ],
    [`user: ${PROMPT}`, "sh -> ?"],
  ],
  ["nothing of the agent", [{ role: "exit", content: "" }], [`user: ${PROMPT}`]],
])("a conversation with %s is a run", async (_case, rest, steps) => {
  const messages = [{ role: "system", content: "Be good." }, { role: "user", content: PROMPT }, ...rest];
  const { runs } = await read({ "logs/1.traj.json": { messages, info: {} } });
  expect(runs).toMatchObject([{ taskId: "explain", finalOutput: "", agent: "finished" }]);
  expect(runs[0]?.steps.map(lineOf)).toEqual(steps);
});

test("a call of OpenCode's that still runs has no outcome", async () => {
  const part = { type: "tool", tool: "bash", callID: "1", state: { status: "running", input: {} } };
  const { runs } = await read({ "explain.jsonl": jsonLines({ type: "tool_use", sessionID: "s", part }) });
  expect(runs[0]?.steps).toMatchObject([{ name: "bash", success: undefined }]);
});
