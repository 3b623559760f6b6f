/* Logs of further clients, each row as the client writes it: what was said, called and came back, and by whom. */
import { afterAll, expect, test } from "@jest/globals";
import { fixtureAt, jsonLines, read, stepLine } from "../support/outputs.ts";
import { expectSaid } from "../support/problems.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const PROMPT = "What does loop.py do?";
const ANSWER = "It loops forever.";
const text = (words: string) => [{ type: "text", text: words }];
const user = { role: "user", content: PROMPT };

/** The steps of a log of these rows, a line each, and the problems. */
async function stepsOf(...rows: readonly object[]) {
  const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  return { steps: runs[0]?.steps.map(stepLine) ?? [], problems };
}

const CAT = "cat {} -> ok while True: pass";

test.each<[string, string, readonly string[]]>([
  [
    "flat rows with a kind, and results without an id",
    "flat-kind.jsonl",
    ['cat {"path":"loop.py"} -> while True: pass', "pwd {} -> /work"],
  ],
  [
    "flat rows with a type, and a call that a message has, too",
    "flat-type.jsonl",
    ['cat {"path":"loop.py"} -> while True: pass'],
  ],
  [
    "Goose, printed in pieces",
    "goose.jsonl",
    [
      'developer__shell {"command":"cat loop.py"} -> ok while True: pass',
      'developer__shell {"command":"python loop.py"} -> failed killed',
    ],
  ],
  ["Goose's export", "goose-export.json", [CAT]],
  ["droid exec", "droid.jsonl", ['Execute {"command":"ls"} -> failed denied']],
  [
    "an AI SDK: calls in the messages of the agent, results in those of tools",
    "ai-sdk.jsonl",
    ['cat {"path":"loop.py"} -> while True: pass'],
  ],
  ["Bedrock's messages, whose parts have no type", "bedrock.jsonl", ["cat {} -> failed while True: pass"]],
  [
    "Cursor, whose ids return and whose ends lack arguments",
    "cursor-returning-ids.jsonl",
    [
      'shell {"command":"one"} -> ok ok',
      'shell {"command":"two"} -> ok ok',
      "read {} -> failed denied",
      'edit {} -> failed {"error":1}',
    ],
  ],
])("a log of %s: its calls are no words, and nothing is unread", async (_case, name, calls) => {
  const { runs, problems } = await read({ [`logs/${name}`]: fixtureAt(`clients/${name}`) });
  expect(problems).toEqual([]);
  expect(runs).toMatchObject([{ prompt: PROMPT, finalOutput: ANSWER, agent: "finished" }]);
  expect(runs[0]?.ended).toBeUndefined();
  expect(runs[0]?.steps.map(stepLine)).toEqual([`user: ${PROMPT}`, ...calls, `assistant: ${ANSWER}`]);
});

const CALL = { id: "c1", name: "print", arguments: '{"box":7}' };
const BOX = { name: "print", input: { box: 7 } };
const AI_CALL = { toolCallId: "c1", toolName: "print", args: { box: 7 } };
const invocation = (more: object) => ({ type: "tool-invocation", toolInvocation: { ...AI_CALL, ...more } });
const PRINTED = { state: "result", result: "printed" };
const NO_PAPER = { toolCallId: "c1", state: "output-error", input: { box: 7 }, errorText: "no paper" };

test.each<[string, object, string?]>([
  ["AI SDK 4: toolInvocations", { toolInvocations: [{ ...AI_CALL, ...PRINTED }] }, "printed"],
  ["AI SDK 4: parts beside the same words", { parts: [invocation(PRINTED), ...text(ANSWER)] }, "printed"],
  [
    "AI SDK 5: a tool's name in the type",
    { parts: [{ type: "tool-print", ...NO_PAPER }] },
    "failed no paper",
  ],
  ["Mastra 2: an object with parts", { content: { format: 2, parts: [...text(ANSWER), invocation({})] } }],
  ["one part as the content", { content: { type: "tool_use", ...CALL } }],
  ["function_call", { function_call: { name: "print", arguments: '{"box":7}' } }],
  ["toolCalls", { toolCalls: [CALL] }],
  ["tool_uses", { tool_uses: [{ id: "c1", ...BOX }] }],
  ["LangChain: additional_kwargs", { additional_kwargs: { tool_calls: [{ id: "c1", function: CALL }] } }],
  [
    "DeepEval: tools_called",
    { tools_called: [{ name: "print", input_parameters: { box: 7 }, output: "printed" }] },
    "printed",
  ],
])(
  "a message's other fields are events, and no words: %s",
  async (_shape, message, came = "(not recorded)") => {
    const { steps, problems } = await stepsOf(user, { role: "assistant", content: ANSWER, ...message });
    expect(problems).toEqual([]);
    expect(steps.filter((line) => line.startsWith("print"))).toEqual([`print {"box":7} -> ${came}`]);
    expect(steps.filter((line) => line.startsWith("assistant"))).toEqual(
      "content" in message && !("format" in (message.content as object)) ? [] : [`assistant: ${ANSWER}`],
    );
  },
);

const ERROR_TEXT = { type: "error-text", value: "no paper" };
const FAILED = { content: "no paper", extra: { is_error: true } };
test.each<[string, object]>([
  [
    "the AI SDK says so in its output",
    { role: "tool", content: [{ ...AI_CALL, type: "tool-result", output: ERROR_TEXT }] },
  ],
  [
    "Agno says so beside it",
    { role: "tool", content: "no paper", tool_call_id: "c1", tool_name: "print", tool_call_error: true },
  ],
  [
    "ATIF says so in `extra`",
    { role: "assistant", observation: { results: [{ source_call_id: "c1", ...FAILED }] } },
  ],
])("a result is failed where %s", async (_where, result) => {
  const { steps } = await stepsOf(user, { role: "assistant", content: ANSWER, tool_calls: [CALL] }, result);
  expect(steps).toContain('print {"box":7} -> failed no paper');
});

test("a tool's definition beside the content is no call, and is told; figures are neither", async () => {
  const figures = {
    usage: { name: "x", input: 3 },
    metadata: { id: "c1", name: "x", args: {} },
    tags: ["a"],
  };
  const message = { role: "assistant", content: ANSWER, tools: [CALL], ...figures };
  const { steps, problems } = await stepsOf(user, message);
  expect(steps).toEqual([`user: ${PROMPT}`, `assistant: ${ANSWER}`]);
  expectSaid(problems, ["warning unread-parts … not read: `tools`."]);
});

const FIRST = "Let me check the printer first.";
const said = [user, { role: "assistant", content: FIRST }];
const artifact = [{ parts: [{ kind: "text", text: ANSWER }] }];
const finished = { agent: "finished", finalOutput: ANSWER };
const PRINT = 'print {"box":7} -> printed';

test.each<[string, object, object, readonly string[], readonly string[]]>([
  ["an answer", { messages: said, final_output: ANSWER }, finished, [], []],
  ["an answer in parts", { messages: said, response: { parts: text(ANSWER) } }, finished, [], []],
  ["A2A's artifacts", { kind: "task", history: said, artifacts: artifact }, finished, [], []],
  ["an error", { messages: said, error: { message: "spent" } }, { ended: "error: spent" }, [], []],
  ["a status", { messages: said, status: { state: "failed" } }, { ended: "error: failed" }, [], []],
  ["no error", { messages: said, error: null, status: "ok" }, { agent: "finished" }, [], []],
  ["a call", { messages: said, tool_calls: [{ ...CALL, result: "printed" }] }, {}, [PRINT], []],
  [
    "a call of a message again",
    {
      messages: [user, { role: "assistant", content: FIRST, tool_calls: [CALL] }],
      tool_calls: [{ ...BOX, id: "c1" }],
    },
    {},
    ['print {"box":7} -> (not recorded)'],
    [],
  ],
  [
    "what is not read",
    { messages: said, steps: [{ tool: "print" }], tags: ["a"], id: "x" },
    {},
    [],
    ["steps"],
  ],
])("beside a list of messages: %s", async (_what, file, run, calls, unread) => {
  const { runs, problems } = await read({ "logs/explain.json": JSON.stringify(file) });
  expect(runs).toMatchObject([run]);
  expect(runs[0]?.steps.map(stepLine).filter((line) => line.startsWith("print"))).toEqual(calls);
  expectSaid(
    problems,
    unread.map((key) => `warning unread-parts … not read: \`${key}\`.`),
  );
});

test("a call in two fields of one message is one call, by its id", async () => {
  const content = [...text(ANSWER), { type: "tool_use", id: "c1", name: "print", input: { box: 7 } }];
  const spaced = { id: "c1", function: { name: "print", arguments: '{ "box": 7 }' } };
  const { steps } = await stepsOf(user, { role: "assistant", content, tool_calls: [spaced] });
  expect(steps).toEqual([`user: ${PROMPT}`, `assistant: ${ANSWER}`, 'print {"box":7} -> (not recorded)']);
});

test("a text action of SWE-agent is a call, and the observation after it its result", async () => {
  const history = [
    { ...user, message_type: "observation" },
    { role: "assistant", content: `${ANSWER} cat loop.py`, thought: ANSWER, action: "cat loop.py" },
    { role: "user", content: "while True: pass", message_type: "observation" },
    { role: "assistant", content: ANSWER },
    { role: "user", content: "Go on." },
  ];
  const { steps } = await stepsOf({ trajectory: [{}], history, info: { exit_status: "submitted" } });
  expect(steps).toEqual([
    `user: ${PROMPT}`,
    `assistant: ${ANSWER}`,
    "action cat loop.py -> while True: pass",
    `assistant: ${ANSWER}`,
    "user: Go on.",
  ]);
});

/** What `cline --json` 3.0.65 printed of a command that failed and one that did not, without its times and counters. */
const CLINE = fixtureAt("clients/cline.jsonl");
const CLINE_USE = {
  inputTokens: 300,
  outputTokens: 60,
  cacheReadTokens: 150,
  cacheWriteTokens: 0,
  totalCost: 0,
};

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
    const result = { type: "run_result", ...last, usage: CLINE_USE, durationMs: 1_779, model: { id: "m" } };
    const { runs, problems } = await read({ "explain.jsonl": `${CLINE}${jsonLines(result)}` });
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
  const { steps, problems } = await stepsOf(
    { role: "user", content: [...text(PROMPT), { type: "document", source: { data: "…" } }] },
    { role: "user", type: "memory_inject", content: "The tests pass." },
    { role: "assistant", content: [...text(ANSWER), { type: "step-start" }, { type: "document" }] },
  );
  expect(steps).toEqual([`user: ${PROMPT}`, `assistant: ${ANSWER}`]);
  expectSaid(problems, ["warning unread-parts … `document` (2 times), `memory_inject`, `step-start`."]);
});

test.each<[string, object]>([
  [
    "an agent of the Agent Client Protocol",
    { jsonrpc: "2.0", method: "session/prompt", params: { prompt: text(PROMPT) } },
  ],
  ["OpenHands", { source: "user", kind: "MessageEvent", llm_message: user }],
  ["OpenHands", { id: 1, source: "user", action: "message", args: { content: PROMPT } }],
  ["Zed", { messages: [{ User: { content: [{ Text: PROMPT }] } }], model: { model: "m" } }],
  ["Amp", { v: 12, id: "T-1", messages: [user] }],
  ["Claude Managed Agents", { type: "user.message", id: "e1", content: text(PROMPT) }],
])("a log of %s is refused by name", async (program, row) => {
  const { runs, problems } = await read({ "explain.jsonl": jsonLines(row, user) });
  expect(runs).toEqual([]);
  expectSaid(problems, [`error unknown-format … what ${program} wrote is not read here.`]);
});

const NO_CREDIT = { message: "no credit" };
test.each<[string, readonly object[]]>([
  [
    "droid",
    [
      { type: "message", role: "user", text: PROMPT },
      { type: "error", ...NO_CREDIT },
    ],
  ],
  [
    "Goose",
    [
      { type: "message", message: { ...user, created: 1 } },
      { type: "error", error: "no credit" },
    ],
  ],
])("the error at the end of a log of %s is why the agent failed", async (_case, rows) => {
  const { runs } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(runs).toMatchObject([
    { agent: "failed", errorMessage: expect.stringContaining("no credit") as unknown },
  ]);
});
