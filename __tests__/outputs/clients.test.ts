/* Logs of further clients, each row as the client writes it: what was said, called and came back, and by whom. */
import { afterAll, expect, test } from "@jest/globals";
import { jsonLines, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";
import type { Step } from "../../src/domain/run.ts";

afterAll(removeTemporaryFolders);

const PROMPT = "What does loop.py do?";
const ANSWER = "It loops forever.";
const SOURCE = "while True: pass";

function lineOf(step: Step): string {
  if (step.kind !== "tool") return `${step.kind}: ${step.text}`;
  const outcome = step.success === undefined ? "" : step.success ? " ok" : " failed";
  return `${step.name} ${step.input} ->${outcome} ${step.result ?? "(not recorded)"}`;
}

const text = (words: string) => [{ type: "text", text: words }];
const goose = (role: string, content: readonly object[], id = role) => ({
  type: "message",
  message: { id, role, created: 1, content },
});
const gooseCall = (id: string, name: string, args: object) => ({
  type: "toolRequest",
  id,
  toolCall: { status: "success", value: { name, arguments: args } },
});
const gooseResult = (id: string, words: string, isError?: boolean) => ({
  type: "toolResponse",
  id,
  toolResult: { status: "success", value: { content: text(words), isError } },
});
const acpUpdate = (update: object) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update },
});
const chunk = (kind: string, words: string) =>
  acpUpdate({ sessionUpdate: kind, content: { type: "text", text: words } });

const CASES: readonly (readonly [string, readonly object[], readonly string[]])[] = [
  [
    "flat rows with a kind, and results without an id",
    [
      { role: "user", kind: "message", content: PROMPT },
      { role: "agent", kind: "tool_use", tool: "cat", content: '{"path":"loop.py"}' },
      { role: "agent", kind: "tool_use", tool: "pwd", content: "{}" },
      { role: "agent", kind: "tool_result", content: SOURCE },
      { role: "agent", kind: "tool_result", content: "/work" },
      { role: "agent", kind: "message", content: ANSWER },
    ],
    ['cat {"path":"loop.py"} -> while True: pass', "pwd {} -> /work"],
  ],
  [
    "flat rows with a type, and a call that a message has, too",
    [
      { role: "user", content: PROMPT },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "1", function: { name: "cat", arguments: '{"path":"loop.py"}' } }],
      },
      { role: "assistant", type: "tool_call", id: "1", name: "cat", arguments: '{"path":"loop.py"}' },
      { role: "assistant", type: "tool_result", tool_call_id: "1", content: SOURCE },
      { role: "assistant", content: ANSWER },
    ],
    ['cat {"path":"loop.py"} -> while True: pass'],
  ],
  [
    "Goose, printed in pieces",
    [
      goose("user", text(PROMPT)),
      goose("assistant", [{ type: "thinking", thinking: "…", signature: "" }], "a1"),
      goose("assistant", [gooseCall("1", "developer__shell", { command: "cat loop.py" })], "a1"),
      goose("user", [gooseResult("1", SOURCE)], "u1"),
      goose("assistant", [gooseCall("2", "developer__shell", { command: "python loop.py" })], "a2"),
      goose("user", [gooseResult("2", "killed", true)], "u2"),
      ...["It ", "loops ", "forever."].map((piece) => goose("assistant", text(piece), "a3")),
      { type: "complete", total_tokens: 123 },
    ],
    [
      'developer__shell {"command":"cat loop.py"} -> ok while True: pass',
      'developer__shell {"command":"python loop.py"} -> failed killed',
    ],
  ],
  [
    "Goose's export",
    [
      {
        id: "20260709_4",
        conversation: [
          { role: "user", content: text(PROMPT) },
          { role: "assistant", content: [gooseCall("1", "cat", {})] },
          { role: "user", content: [gooseResult("1", SOURCE)] },
          { role: "assistant", content: text(ANSWER) },
        ],
      },
    ],
    ["cat {} -> ok while True: pass"],
  ],
  [
    "Amp's threads",
    [
      {
        v: 12,
        id: "T-1",
        messages: [
          { role: "user", messageId: 0, content: text(PROMPT) },
          {
            role: "assistant",
            messageId: 1,
            content: [{ type: "tool_use", id: "1", name: "Bash", input: { cmd: "npm test" } }],
          },
          {
            role: "user",
            messageId: 2,
            content: [
              {
                type: "tool_result",
                toolUseID: "1",
                run: { status: "done", result: { output: "2 failed", exitCode: 1 } },
              },
            ],
          },
          { role: "assistant", messageId: 3, content: text(ANSWER) },
        ],
      },
    ],
    ['Bash {"cmd":"npm test"} -> failed 2 failed'],
  ],
  [
    "droid exec",
    [
      { type: "system", subtype: "init", cwd: "/w", session_id: "s", tools: ["Execute"], model: "m" },
      { type: "message", role: "user", id: "1", text: PROMPT, session_id: "s" },
      { type: "tool_call", id: "t1", toolId: "Execute", toolName: "Execute", parameters: { command: "ls" } },
      { type: "tool_result", id: "t1", toolId: "Execute", isError: true, value: "denied" },
      { type: "message", role: "assistant", id: "4", text: ANSWER, session_id: "s" },
      { type: "completion", finalText: ANSWER, numTurns: 1, session_id: "s" },
    ],
    ['Execute {"command":"ls"} -> failed denied'],
  ],
  [
    "Claude Managed Agents",
    [
      { type: "user.message", id: "e1", content: text(PROMPT) },
      { type: "agent.thinking", id: "e2" },
      { type: "agent.tool_use", id: "e3", name: "bash", input: { command: "cat loop.py" } },
      { type: "agent.tool_result", id: "e4", tool_use_id: "e3", content: text(SOURCE) },
      { type: "agent.message", id: "e5", content: text(ANSWER) },
      { type: "session.status_idle", id: "e6", stop_reason: { type: "end_turn" } },
    ],
    ['bash {"command":"cat loop.py"} -> ok while True: pass'],
  ],
  [
    "Zed's threads",
    [
      {
        title: "t",
        messages: [
          { User: { id: "1", content: [{ Text: PROMPT }] } },
          {
            Agent: {
              content: [
                { Thinking: { text: "…" } },
                { ToolUse: { id: "1", name: "cat", raw_input: "{}", input: {} } },
              ],
              tool_results: { "1": { tool_use_id: "1", is_error: false, content: { Text: SOURCE } } },
            },
          },
          { Agent: { content: [{ Text: ANSWER }], tool_results: {} } },
        ],
        model: { provider: "anthropic", model: "m" },
      },
    ],
    ["cat {} -> ok while True: pass"],
  ],
  [
    "an AI SDK: calls in the messages of the agent, results in those of tools",
    [
      { role: "user", content: PROMPT },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "1", toolName: "cat", input: { path: "loop.py" } }],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "1", toolName: "cat", output: { type: "text", value: SOURCE } },
        ],
      },
      { role: "assistant", content: text(ANSWER) },
    ],
    ['cat {"path":"loop.py"} -> while True: pass'],
  ],
  [
    "Bedrock's messages, whose parts have no type",
    [
      { role: "user", content: [{ text: PROMPT }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "1", name: "cat", input: {} } }] },
      {
        role: "user",
        content: [{ toolResult: { toolUseId: "1", content: [{ text: SOURCE }], status: "error" } }],
      },
      { role: "assistant", content: [{ text: ANSWER }] },
    ],
    ["cat {} -> failed while True: pass"],
  ],
  [
    "OpenHands' SDK",
    [
      {
        id: "0",
        source: "agent",
        kind: "SystemPromptEvent",
        system_prompt: { type: "text", text: "Be good." },
      },
      { id: "1", source: "user", kind: "MessageEvent", llm_message: { role: "user", content: text(PROMPT) } },
      {
        id: "2",
        source: "agent",
        kind: "ActionEvent",
        tool_name: "terminal",
        tool_call_id: "t1",
        thought: [],
        action: { kind: "TerminalAction", command: "python loop.py" },
      },
      {
        id: "3",
        source: "environment",
        kind: "ObservationEvent",
        tool_name: "terminal",
        tool_call_id: "t1",
        observation: { kind: "TerminalObservation", content: text("killed"), exit_code: 137 },
      },
      {
        id: "4",
        source: "agent",
        kind: "ActionEvent",
        tool_name: "finish",
        tool_call_id: "t2",
        action: { kind: "FinishAction", message: ANSWER },
      },
      {
        id: "5",
        source: "environment",
        kind: "ObservationEvent",
        tool_name: "finish",
        tool_call_id: "t2",
        observation: { kind: "FinishObservation", content: text(ANSWER) },
      },
    ],
    ['terminal {"command":"python loop.py"} -> failed killed'],
  ],
  [
    "OpenHands' first events",
    [
      { id: 0, source: "agent", message: "", action: "system", args: { content: "Be good." } },
      { id: 1, source: "user", message: PROMPT, action: "message", args: { content: PROMPT } },
      { id: 2, source: "agent", message: "Running", action: "run", args: { command: "ls", thought: "" } },
      {
        id: 3,
        source: "agent",
        message: "executed",
        observation: "run",
        content: "loop.py",
        cause: 2,
        extras: { metadata: { exit_code: 0 } },
      },
      { id: 4, source: "agent", message: "Done", action: "finish", args: { final_thought: ANSWER } },
    ],
    ['run {"command":"ls"} -> ok loop.py'],
  ],
  [
    "ACP, in pieces",
    [
      { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s", prompt: text(PROMPT) } },
      chunk("user_message_chunk", PROMPT),
      acpUpdate({ sessionUpdate: "plan", entries: [] }),
      acpUpdate({
        sessionUpdate: "tool_call",
        toolCallId: "1",
        title: "cat",
        status: "pending",
        rawInput: {},
      }),
      acpUpdate({
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        status: "in_progress",
        rawInput: { path: "loop.py" },
      }),
      acpUpdate({
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: SOURCE } }],
      }),
      acpUpdate({ sessionUpdate: "tool_call", toolCallId: "2", title: "python", rawInput: {} }),
      acpUpdate({
        sessionUpdate: "tool_call_update",
        toolCallId: "2",
        status: "failed",
        rawOutput: { error: "killed" },
      }),
      chunk("agent_thought_chunk", "Hm."),
      ...["It loops", " forever."].map((piece) => chunk("agent_message_chunk", piece)),
      { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
    ],
    ['cat {"path":"loop.py"} -> ok while True: pass', 'python {} -> failed {"error":"killed"}'],
  ],
  [
    "Cursor, whose ids return and whose ends lack arguments",
    [
      { type: "system", subtype: "init", session_id: "s", model: "Auto", permissionMode: "default" },
      { type: "user", message: { role: "user", content: text(PROMPT) }, session_id: "s" },
      ...["one", "two"].flatMap((command) => [
        {
          type: "tool_call",
          subtype: "started",
          call_id: "1",
          tool_call: { shellToolCall: { args: { command } } },
        },
        {
          type: "tool_call",
          subtype: "completed",
          call_id: "1",
          tool_call: { shellToolCall: { result: { success: "ok" } } },
        },
      ]),
      {
        type: "tool_call",
        subtype: "failed",
        call_id: "2",
        tool_call: {
          readToolCall: { args: {}, result: "denied" },
          editToolCall: { args: {}, result: { error: 1 } },
        },
      },
      { type: "assistant", message: { role: "assistant", content: text(ANSWER) }, session_id: "s" },
      { type: "result", subtype: "success", result: ANSWER, session_id: "s" },
    ],
    [
      'shell {"command":"one"} -> ok ok',
      'shell {"command":"two"} -> ok ok',
      "read {} -> failed denied",
      'edit {} -> failed {"error":1}',
    ],
  ],
];

test.each(CASES)("a log of %s: its calls are no words, and nothing is unread", async (_case, rows, calls) => {
  const [first, ...others] = rows;
  const file = others.length > 0 ? { "explain.jsonl": jsonLines(...rows) } : { "logs/1.json": first };
  const { runs, problems } = await read(file);
  expect(problems).toEqual([]);
  expect(runs).toMatchObject([{ prompt: PROMPT, finalOutput: ANSWER, agent: "finished" }]);
  expect(runs[0]?.ended).toBeUndefined();
  expect(runs[0]?.steps.map(lineOf)).toEqual([`user: ${PROMPT}`, ...calls, `assistant: ${ANSWER}`]);
});

const CALL = { id: "c1", name: "print", arguments: '{"box":7}' };
const [AI_CALL, AI_RESULT] = [
  { toolCallId: "c1", toolName: "print", args: { box: 7 } },
  { state: "result", result: "printed" },
];

test.each<[string, object, string]>([
  ["AI SDK 4: toolInvocations", { toolInvocations: [{ ...AI_CALL, ...AI_RESULT }] }, " -> printed"],
  [
    "AI SDK 4: parts beside the same words",
    {
      parts: [
        { type: "tool-invocation", toolInvocation: { ...AI_CALL, ...AI_RESULT } },
        { type: "text", text: ANSWER },
      ],
    },
    " -> printed",
  ],
  [
    "AI SDK 5: a tool's name in the type",
    {
      parts: [
        {
          type: "tool-print",
          toolCallId: "c1",
          state: "output-error",
          input: { box: 7 },
          errorText: "no paper",
        },
      ],
    },
    " -> failed no paper",
  ],
  [
    "Mastra 2: an object with parts",
    {
      content: {
        format: 2,
        parts: [
          { type: "text", text: ANSWER },
          { type: "tool-invocation", toolInvocation: AI_CALL },
        ],
      },
    },
    " -> (not recorded)",
  ],
  ["one part as the content", { content: { type: "tool_use", ...CALL } }, " -> (not recorded)"],
  ["function_call", { function_call: { name: "print", arguments: '{"box":7}' } }, " -> (not recorded)"],
  ["toolCalls", { toolCalls: [CALL] }, " -> (not recorded)"],
  ["tool_uses", { tool_uses: [{ id: "c1", name: "print", input: { box: 7 } }] }, " -> (not recorded)"],
  [
    "LangChain: additional_kwargs",
    { additional_kwargs: { tool_calls: [{ id: "c1", function: CALL }] } },
    " -> (not recorded)",
  ],
  [
    "DeepEval: tools_called",
    { tools_called: [{ name: "print", input_parameters: { box: 7 }, output: "printed" }] },
    " -> printed",
  ],
])("a message's other fields are events, and no words: %s", async (_shape, message, came) => {
  const rows = [
    { role: "user", content: PROMPT },
    { role: "assistant", content: ANSWER, ...message },
  ];
  const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  const steps = runs[0]?.steps.map(lineOf) ?? [];
  expect(problems).toEqual([]);
  expect(steps.filter((line) => line.startsWith("print"))).toEqual([`print {"box":7}${came}`]);
  expect(steps.filter((line) => line.startsWith("assistant"))).toEqual(
    "content" in message && !("format" in (message.content as object)) ? [] : [`assistant: ${ANSWER}`],
  );
});

test.each<[string, object]>([
  [
    "the AI SDK says so in its output",
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "print",
          output: { type: "error-text", value: "no paper" },
        },
      ],
    },
  ],
  [
    "Agno says so beside it",
    { role: "tool", content: "no paper", tool_call_id: "c1", tool_name: "print", tool_call_error: true },
  ],
  [
    "ATIF says so in `extra`",
    {
      role: "assistant",
      observation: { results: [{ source_call_id: "c1", content: "no paper", extra: { is_error: true } }] },
    },
  ],
])("a result is failed where %s", async (_where, result) => {
  const rows = [
    { role: "user", content: PROMPT },
    { role: "assistant", content: ANSWER, tool_calls: [CALL] },
    result,
  ];
  const { runs } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(runs[0]?.steps).toContainEqual({
    kind: "tool",
    name: "print",
    input: '{"box":7}',
    result: "no paper",
    success: false,
  });
});

test("a tool's definition beside the content is no call, and is told; figures are neither", async () => {
  const more = {
    tools: [CALL],
    usage: { name: "x", input: 3 },
    metadata: { id: "c1", name: "x", args: {} },
    tags: ["a"],
  };
  const rows = [
    { role: "user", content: PROMPT },
    { role: "assistant", content: ANSWER, ...more },
  ];
  const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(runs[0]?.steps.map(lineOf)).toEqual([`user: ${PROMPT}`, `assistant: ${ANSWER}`]);
  expect(problems.map(({ message }) => message)).toEqual(["the file has parts that are not read: `tools`."]);
});

/** What `cline --json` 3.0.65 printed of a command that failed and one that did not, without its times and counters. */
const CLINE = [
  { type: "hook_event", hookEventName: "agent_start" },
  clineEvent("content_start", {
    contentType: "tool",
    toolName: "run_commands",
    toolCallId: "1",
    input: { commands: ["ls; exit 3"] },
  }),
  clineEvent("content_update", {
    contentType: "tool",
    toolCallId: "1",
    update: { stream: "stdout", chunk: "a\n" },
  }),
  clineEvent("content_end", {
    contentType: "tool",
    toolName: "run_commands",
    toolCallId: "1",
    output: [
      {
        query: "ls; exit 3",
        result: "[Command exited with code 3]\na\n",
        error: "Command exited with code 3",
        success: false,
      },
    ],
  }),
  clineEvent("content_start", {
    contentType: "tool",
    toolName: "skills",
    toolCallId: "2",
    input: { skill: "csv" },
  }),
  clineEvent("content_end", {
    contentType: "tool",
    toolName: "skills",
    toolCallId: "2",
    output: "<command-name>csv</command-name>",
  }),
  clineEvent("content_start", { contentType: "text", text: ANSWER, accumulated: ANSWER }),
  clineEvent("content_end", { contentType: "text", text: ANSWER }),
  clineEvent("done", { reason: "completed", text: ANSWER }),
];
const CLINE_USE = {
  inputTokens: 300,
  outputTokens: 60,
  cacheReadTokens: 150,
  cacheWriteTokens: 0,
  totalCost: 0,
};
function clineEvent(type: string, event: object) {
  return { type: "agent_event", event: { type, ...event } };
}

test.each([
  ["an answer", { finishReason: "completed", text: ANSWER }, { agent: "finished", finalOutput: ANSWER }],
  [
    "an error",
    { finishReason: "error", text: "no credit" },
    { ended: "error: no credit", finalOutput: ANSWER },
  ],
])(
  "a log of Cline that ends in %s has its calls, what they came to, and its figures",
  async (_end, last, expected) => {
    const rows = [
      ...CLINE,
      { type: "run_result", ...last, usage: CLINE_USE, durationMs: 1_779, model: { id: "m" } },
    ];
    const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
    expect(problems).toEqual([]);
    expect(runs).toMatchObject([{ ...expected, model: "m" }]);
    expect(runs[0]?.steps).toMatchObject([
      { name: "run_commands", input: '{"commands":["ls; exit 3"]}', success: false },
      { name: "skills", input: '{"skill":"csv"}' },
      { text: ANSWER },
    ]);
    expect(runs[0]?.client).toMatchObject({
      skillCalls: [{ name: "csv" }],
      tokens: { input: 300, output: 60, cached: 150, written: 0 },
      cost: undefined,
    });
  },
);

test("parts and rows that are neither words nor calls are counted, and are nobody's words", async () => {
  const { runs, problems } = await read({
    "explain.jsonl": jsonLines(
      { role: "user", content: [...text(PROMPT), { type: "document", source: { data: "…" } }] },
      { role: "user", type: "memory_inject", content: "The tests pass." },
      { role: "assistant", content: [...text(ANSWER), { type: "step-start" }, { type: "document" }] },
    ),
  });
  expect(runs[0]?.steps.map(lineOf)).toEqual([`user: ${PROMPT}`, `assistant: ${ANSWER}`]);
  expect(problems.map(({ message }) => message)).toEqual([
    "the file has parts that are not read: `document` (2 times), `memory_inject`, `step-start`.",
  ]);
});

test.each([
  [
    "droid",
    [
      { type: "message", role: "user", text: PROMPT },
      { type: "error", message: "no credit" },
    ],
  ],
  ["Goose", [goose("user", text(PROMPT)), { type: "error", error: "no credit" }]],
  [
    "Managed Agents",
    [
      { type: "user.message", content: PROMPT },
      { type: "session.error", error: { message: "no credit" } },
    ],
  ],
])("the error at the end of a log of %s is why the agent failed", async (_case, rows) => {
  const { runs } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(runs).toMatchObject([
    { agent: "failed", errorMessage: expect.stringContaining("no credit") as unknown },
  ]);
});
