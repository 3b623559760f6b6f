import { afterAll, describe, expect, test } from "@jest/globals";
import { fixture, fixtureAt, jsonLines, read, stepLine } from "../support/outputs.ts";
import { expectSaid, inALine } from "../support/problems.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";
import type { Run, Step } from "../../src/domain/run.ts";

afterAll(removeTemporaryFolders);

const PROMPT = "What does loop.py do?";
const tasks = { other: "Do something else.", "loops/explain": PROMPT };

const linesOf = (run: Run | undefined) => (run?.steps ?? []).map(stepLine);

const ANSWER = "assistant: It loops forever.";
const ASKED = [`user: ${PROMPT}`, "assistant: I will read it."];
const READ = 'read_file {"path":"loop.py"} -> while True: pass';

/** What a log is, where it lies among the fixtures, its model, its steps, and its name if that says the task. */
type Case = readonly [what: string, path: string, model: string, steps: readonly string[], named?: string];

const cases: readonly Case[] = [
  [
    "Cursor, printed in pieces",
    "cursor/printed.jsonl",
    "Auto",
    [
      ...ASKED,
      'read {"path":"loop.py"} -> ok {"content":"while True: pass","totalLines":1}',
      'shell {"command":"python loop.py"} -> failed {"rejected":{"command":"python loop.py","reason":""}}',
      'docs_lookup {"query":"while"} -> (not recorded)',
      ANSWER,
    ],
  ],
  [
    "Copilot, printed",
    "copilot/printed.jsonl",
    "claude-sonnet-4.6",
    [
      ...ASKED,
      'view {"path":"/work/loop.py"} -> ok 1. while True: pass',
      'bash {"command":"python loop.py"} -> failed The user does not allow this command.',
      ANSWER,
    ],
  ],
  [
    "Copilot, kept, with a skill and a sub-agent",
    "copilot/events.jsonl",
    "gpt-5-mini",
    [
      `user: ${PROMPT}`,
      'skill {"skill":"explain-code"} -> ok Skill loaded.',
      "skill: explain-code",
      'task {"prompt":"Read loop.py."} -> ok An endless loop.',
      '[unnamed] view {"path":"loop.py"} -> ok while True: pass',
      ANSWER,
    ],
  ],
  [
    "codex exec --json",
    "codex-exec/explain.jsonl",
    "unknown model",
    [
      "assistant: I will read it.",
      `command_execution {"command":"/bin/bash -lc 'cat loop.py'"} -> ok while True: pass`,
      'todo_list {"items":[{"text":"Read the file","completed":true},{"text":"Answer","completed":true}]} -> (not recorded)',
      `command_execution {"command":"/bin/bash -lc 'timeout 1 python loop.py'"} -> failed `,
      'docs.lookup {"query":"while statement"} -> ok Repeats while the test holds.',
      'file_change {"changes":[{"path":"/work/NOTES.md","kind":"add"}]} -> ok completed',
      ANSWER,
    ],
    "loops_explain.jsonl",
  ],
  [
    "Codex's sessions",
    "codex-session/rollout-2026-10-01T08-00-00-0199d2c4-1f5e-7d31-9a40-5c0c1b2f7e90.jsonl",
    "gpt-5.2-codex",
    [
      ...ASKED,
      'shell_command {"command":"cat loop.py","workdir":"/work"} -> Exit code: 0\nOutput:\nwhile True: pass',
      "apply_patch *** Begin Patch\n*** Add File: NOTES.md\n+It loops.\n*** End Patch -> Success. Updated the following files:\nA NOTES.md",
      'web_search_call {"type":"search","query":"python while"} -> (not recorded)',
      ANSWER,
    ],
  ],
  [
    "Gemini CLI, printed after other lines",
    "gemini-cli/explain.jsonl",
    "gemini-3-pro",
    [
      ...ASKED,
      'read_file {"file_path":"loop.py"} -> ok while True: pass',
      'run_shell_command {"command":"python loop.py"} -> failed Tool execution denied by policy.',
      ANSWER,
    ],
  ],
  [
    "Gemini CLI, the answer alone, after other lines",
    "gemini-cli/answer.json",
    "gemini-3-pro",
    [],
    "loops_explain/answer.json",
  ],
  [
    "Gemini CLI's sessions in JSON",
    "gemini-cli/session-2026-10-01T08-00-b2d0a5a6.json",
    "gemini-3-pro",
    [
      ...ASKED,
      'read_file {"file_path":"loop.py"} -> ok while True: pass',
      'run_shell_command {"command":"python loop.py"} -> failed Denied.',
      ANSWER,
    ],
  ],
  [
    "Gemini CLI's sessions in JSON lines, with a message that was taken back",
    "gemini-cli/session-2026-10-01T09-00-c41f77d0.jsonl",
    "gemini-3-flash",
    [`user: ${PROMPT}`, 'read_file {"file_path":"loop.py"} -> ok while True: pass', ANSWER],
  ],
  [
    "opencode run --format json",
    "opencode/explain.jsonl",
    "unknown model",
    [
      "assistant: I will read it.",
      'read {"filePath":"/work/loop.py"} -> ok <file>\n00001| while True: pass\n</file>',
      'bash {"command":"python loop.py"} -> failed The user rejected permission to use this tool.',
      ANSWER,
    ],
    "loops_explain.jsonl",
  ],
  ...["openai.json", "responses.json", "langchain-dumped.jsonl"].map((name): Case => [
    name,
    `messages/${name}`,
    "unknown model",
    [`user: ${PROMPT}`, READ, ANSWER],
  ]),
  ...["anthropic.json", "langchain.json"].map((name): Case => {
    const read = name.startsWith("a") ? READ.replace("->", "-> ok") : READ;
    return [name, `messages/${name}`, "claude-sonnet-4-5", [`user: ${PROMPT}`, read, ANSWER]];
  }),
  [
    "Claude Code's stream of messages",
    "claude-code/explain.jsonl",
    "claude-sonnet-4-5-20250929",
    [
      "assistant: I will read it.",
      'Read {"file_path":"loop.py"} -> ok while True: pass',
      'Bash {"command":"timeout 1 python loop.py"} -> failed Exit code 124',
      ANSWER,
    ],
    "loops_explain.jsonl",
  ],
  [
    "Claude Code's sessions, without words of skills, notes and sub-agents",
    "claude-code-sessions/explain.jsonl",
    "claude-sonnet-4-5-20250929",
    [
      `user: ${PROMPT}`,
      'Skill {"skill":"explain-code"} -> ok Launching skill: explain-code',
      'Task {"prompt":"Read loop.py."} -> ok It holds an endless loop.',
      '[unnamed] Read {"file_path":"loop.py"} -> ok while True: pass',
      ANSWER,
    ],
    "loops_explain.jsonl",
  ],
  [
    "Claude Code's result alone",
    "claude-code/result.json",
    "claude-sonnet-4-5",
    [],
    "loops_explain/result.json",
  ],
];

describe("a log is one run, with its calls and results and without invented messages", () => {
  test.each(cases)("%s", async (_case, path, model, steps, named = `logs/${path}`) => {
    const { runs, problems } = await read({ [named]: fixtureAt(path) }, { tasks });
    expect(problems).toEqual([]);
    expect(runs).toMatchObject([
      { taskId: "loops/explain", number: 1, model, finalOutput: "It loops forever.", agent: "finished" },
    ]);
    expect(linesOf(runs[0])).toEqual(steps);
    expect(runs[0]?.prompt).toBe(PROMPT);
    expect(runs[0]?.ended).toBeUndefined();
  });

  test.each(cases.filter(([, path]) => path.endsWith(".jsonl")))(
    "%s, torn in the last line, is graded as far as it goes",
    async (_case, path) => {
      const lines = fixtureAt(path).trimEnd().split("\n");
      const torn = [...lines.slice(0, -1), lines.at(-1)!.slice(0, -9)].join("\n");
      const { runs, problems } = await read({ "other.jsonl": torn }, { tasks });
      expect(runs).toHaveLength(1);
      expect(problems.map(inALine)).toContain(`warning broken-line other.jsonl:${String(lines.length)}`);
    },
  );
});

async function readLog(...rows: readonly unknown[]) {
  const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  return { run: runs[0], runs, problems };
}

const copilotSays = (content: string, more: object = {}) => ({
  type: "assistant.message",
  data: { messageId: "m", content, ...more },
});
const THREAD = { type: "thread.started", thread_id: "t" };
const codexSays = (text: string, id = "item_0") => ({
  type: "item.completed",
  item: { id, type: "agent_message", text },
});
const META = { type: "session_meta", payload: { id: "s" } };
const codexEvent = (type: string, more: object = {}) => ({ type: "event_msg", payload: { type, ...more } });
const codexItem = (role: string, text: string) => ({
  type: "response_item",
  payload: { type: "message", role, content: [{ type: "input_text", text }] },
});
const INIT = { type: "init", session_id: "s", model: "g" };
const geminiSays = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const openCodeSays = (text: string) => ({ type: "text", sessionID: "s", part: { text } });
const SESSION = { sessionId: "s", projectHash: "p" };
const CLAUDE_CODE_INIT = { type: "system", subtype: "init", model: "claude-x", session_id: "s" };
const says = (text: string, more: object = {}) => ({
  type: "assistant",
  message: { role: "assistant", model: "claude-x", content: [{ type: "text", text }] },
  ...more,
});
const RESULT = { type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s" };
const messageOf = (role: string, content: unknown) => ({ role, content });
const byUser = (content: unknown) => ({ type: "user", message: messageOf("user", content) });
const SUCCESS = { type: "result", status: "success" };
const of = (type: string, data: object) => ({ type, data });

describe("how a session ended is reported", () => {
  const CONNECTING = { type: "error", message: "Reconnecting... 1/5" };
  const WARNED = { type: "error", severity: "warning", message: "Loop detected" };
  const FAILED = { name: "APIError", data: { message: "no key" } };
  const READS = { tool_name: "read_file", tool_id: "1", parameters: {}, status: "success", output: "text" };
  const ended = (subtype: string, more: object) => ({ ...RESULT, subtype, result: undefined, ...more });
  const gemini = (type: string) => ({ id: type, type, content: "So far." });

  test.each<[string, string | undefined, readonly object[]]>([
    ["Copilot", "error: exit code 2", [copilotSays("So far."), { type: "result", exitCode: 2 }]],
    ["Copilot", "error: denied", [copilotSays("So far."), of("session.error", { message: "denied" })]],
    ["Copilot, overcome", undefined, [of("session.error", { message: "retry" }), copilotSays("So far.")]],
    [
      "codex exec",
      "error: spent",
      [THREAD, codexSays("So far."), { type: "turn.failed", error: { message: "spent" } }],
    ],
    [
      "codex exec, come back",
      undefined,
      [THREAD, CONNECTING, codexSays("So far."), { type: "turn.completed" }],
    ],
    [
      "Codex's sessions",
      "error: interrupted",
      [META, codexItem("assistant", "So far."), codexEvent("turn_aborted", { reason: "interrupted" })],
    ],
    [
      "Gemini CLI",
      "error: quota",
      [INIT, geminiSays("So far."), { ...SUCCESS, status: "error", error: { message: "quota" } }],
    ],
    ["Gemini CLI, warned", undefined, [INIT, geminiSays("So far."), WARNED, SUCCESS]],
    [
      "Gemini CLI, of which only calls and what follows were kept",
      undefined,
      [{ ...READS, type: "tool_use" }, { ...READS, type: "tool_result" }, geminiSays("So far.")],
    ],
    ["Gemini CLI's sessions", "error: So far.", [SESSION, gemini("gemini"), gemini("error")]],
    [
      "Claude Code, by its subtype",
      "error: error_max_turns",
      [says("So far."), ended("error_max_turns", {})],
    ],
    [
      "Claude Code, with what went wrong",
      'error: error_during_execution: boom: {"code":1}',
      [says("So far."), ended("error_during_execution", { is_error: true, errors: ["boom", { code: 1 }] })],
    ],
    [
      "Claude Code, as a success that is an error",
      "error: API Error: 529",
      [says("So far."), ended("success", { is_error: true, result: "API Error: 529" })],
    ],
    [
      "Claude Code, without a word",
      "error: is_error",
      [says("So far."), ended("success", { is_error: true, result: null })],
    ],
    [
      "OpenCode",
      "error: no key",
      [openCodeSays("So far."), { type: "error", sessionID: "s", error: FAILED }],
    ],
  ])("%s: %s", async (_client, ended, rows) => {
    const { run, problems } = await readLog(...rows);
    expect(run).toMatchObject({ agent: "finished", finalOutput: "So far." });
    expect(run?.ended).toBe(ended);
    if (ended === undefined) expect(problems).toEqual([]);
  });

  const piece = (deltaContent: string) => of("assistant.message_delta", { messageId: "m", deltaContent });
  const step = { type: "step_finish", sessionID: "s", part: { reason: "tool-calls" } };

  test.each<[string, string, readonly object[]]>([
    [
      "Copilot, put together from pieces",
      "the end of a turn",
      [of("assistant.turn_start", {}), piece("So "), piece("far.")],
    ],
    ["codex exec", "a `turn.completed`", [THREAD, { type: "turn.started" }, codexSays("So far.")]],
    [
      "Codex's sessions",
      "the end of a turn",
      [META, codexEvent("task_started"), codexItem("assistant", "So far.")],
    ],
    ["Gemini CLI", "a `result`", [INIT, geminiSays("So "), geminiSays("far.")]],
    ["OpenCode", "the end of its last step", [openCodeSays("So far."), step]],
  ])("%s, cut off without %s, is graded with a warning", async (_client, missing, rows) => {
    const { run, problems } = await readLog(...rows);
    expect(run?.finalOutput).toBe("So far.");
    expectSaid(problems, [`warning interrupted-session … without ${missing}`]);
  });
});

describe("the authors of messages", () => {
  test("Copilot's own, an agent's and a command's are not the user's", async () => {
    const { run } = await readLog(
      of("user.message", { content: "Do it.", source: "user" }),
      of("user.message", { content: "Go on.", source: "autopilot" }),
      of("user.message", { content: "Go on.", isAutopilotContinuation: true }),
      of("user.message", { content: "I am back.", source: "agent-7" }),
      copilotSays("Done."),
    );
    expect(linesOf(run)).toEqual(["user: Do it.", "assistant: Done."]);
  });

  test("Codex's sessions without events of the user: only the last message before the agent's is theirs", async () => {
    const { run } = await readLog(
      META,
      codexItem("user", "<environment_context>"),
      codexItem("user", "Do it."),
      codexItem("assistant", "Done."),
      codexItem("user", "Thanks."),
    );
    expect(linesOf(run)).toEqual(["user: Do it.", "assistant: Done.", "user: Thanks."]);
  });

  test("a call that Copilot never began is shown without a result", async () => {
    const request = { toolCallId: "c", name: "bash", arguments: { command: "ls" } };
    const { run } = await readLog(copilotSays("Look.", { toolRequests: [request] }));
    expect(linesOf(run)).toEqual(["assistant: Look.", 'bash {"command":"ls"} -> (not recorded)']);
  });

  test.each([{}, { result: null }, { result: null, error: null }])(
    "a call of Copilot's that ended with %j has no result",
    async (ended) => {
      const { run } = await readLog(
        of("tool.execution_start", { toolCallId: "c", toolName: "bash", arguments: { command: "ls" } }),
        of("tool.execution_complete", { toolCallId: "c", success: true, ...ended }),
        copilotSays("Done."),
      );
      expect(linesOf(run)).toEqual(['bash {"command":"ls"} -> ok (not recorded)', "assistant: Done."]);
    },
  );

  test.each<[string, readonly object[]]>([
    ["Codex", [{ type: "session_meta", payload: { source: { subagent: { thread_spawn: {} } } } }]],
    ["Codex, newer", [{ type: "session_meta", payload: { thread_source: "subagent" } }]],
    ["Gemini CLI", [{ ...SESSION, kind: "subagent" }]],
  ])("a sub-agent's session of %s is left out with a notice", async (_case, rows) => {
    const { runs, problems } = await readLog(...rows);
    expect(runs).toEqual([]);
    expectSaid(problems, ["notice sub-agent-session"]);
  });
});

describe("several sessions", () => {
  test.each<[string, readonly object[]]>([
    ["codex exec", [THREAD, codexSays("One."), { ...THREAD, thread_id: "u" }, codexSays("Two.")]],
    ["Gemini CLI", [INIT, SUCCESS, { ...INIT, session_id: "t" }, SUCCESS]],
    ["Claude Code", [RESULT, { ...RESULT, session_id: "t" }]],
    ["OpenCode", [openCodeSays("One."), { ...openCodeSays("Two."), sessionID: "t" }]],
    ["messages", [1, 2].map(() => ({ messages: [messageOf("assistant", "a")] }))],
    [
      "messages and a list of them",
      [messageOf("assistant", "a"), { messages: [messageOf("assistant", "b")] }],
    ],
  ])("in one file of %s are an error, not the last one graded alone", async (_case, rows) => {
    expectSaid((await readLog(...rows)).problems, ["error several-sessions … holds 2 sessions"]);
  });

  test.each<[string, readonly object[]]>([
    ["codex exec", [THREAD, codexSays("One."), THREAD, codexSays("Two.")]],
    [
      "Gemini CLI",
      ["One.", "Two."].flatMap((answer) => [
        INIT,
        { type: "message", role: "user", content: "Go on." },
        geminiSays(answer),
        SUCCESS,
      ]),
    ],
  ])("that are one, resumed with %s, are one run", async (_case, rows) => {
    const { run, problems } = await readLog(...rows);
    expect(problems).toEqual([]);
    const answers = linesOf(run).filter((step) => step.startsWith("assistant"));
    expect(answers).toEqual(["assistant: One.", "assistant: Two."]);
  });
});

describe("which format a file is in", () => {
  test.each<[string, readonly object[], string, readonly string[]]>([
    [
      "the first row that a format knows decides",
      [codexSays("Codex."), openCodeSays("OpenCode.")],
      "Codex.",
      ["warning unread-parts … not read: `text`."],
    ],
    [
      "rows of unknown kinds do not",
      [{ type: "note" }, {}, { type: "note" }, openCodeSays("OpenCode.")],
      "OpenCode.",
      ["warning unread-parts … not read: `note` (2 times), `(no type)`."],
    ],
    [
      "a row with a task's id is a record, regardless of its other keys",
      [{ task_id: "explain", output: "Record.", ...openCodeSays("OpenCode.") }],
      "Record.",
      [],
    ],
  ])("%s", async (_case, rows, answer, said) => {
    const { run, problems } = await readLog(...rows);
    expectSaid(problems, said);
    expect(run?.finalOutput).toBe(answer);
  });

  const odd = { type: "constructor", id: [{ toString: 1 }], kwargs: { content: "Done." } };
  test.each<[string, unknown, string]>([
    [
      "messages with a class of LangChain's that is no name",
      { messages: [messageOf("user", "a"), odd] },
      "error unknown-format",
    ],
    [
      "a list of messages with a row that is none",
      [messageOf("user", "a"), { event: "tool" }],
      "error unknown-format",
    ],
    ["an empty object", {}, "error unknown-format"],
    [
      "results of the wrong types",
      { type: "result", subtype: 7, result: ["x"], session_id: 1 },
      "error unknown-format",
    ],
    [
      "messages of the wrong types",
      [
        { type: "assistant", message: "x" },
        { type: "user", message: { role: 7 } },
      ],
      "error unknown-format",
    ],
  ])("%s are no log, and no crash", async (_case, data, said) => {
    const { runs, problems } = await read({ "other.json": data });
    expect(runs).toEqual([]);
    expectSaid(problems, [said]);
  });

  test("a list of messages may be named for its task; other JSON so named is the answer", async () => {
    const files = { "explain.json": fixture("messages")["openai.json"] };
    const log = await read(files, { tasks: { explain: "Is loop.py finite?" } });
    // What was asked is not the agent's to say.
    expect(log.runs).toMatchObject([{ finalOutput: "It loops forever.", prompt: "Is loop.py finite?" }]);
    const other = await read({ "explain.json": '{"messages":["Hello","world"]}' });
    expect(other.runs).toMatchObject([{ finalOutput: '{"messages":["Hello","world"]}', steps: [] }]);
  });

  const junk = [7, "x", null, [1], { deep: { deeper: [] } }];
  test.each([
    ["Copilot", "assistant.message", "data"],
    ["codex exec", "item.completed", "item"],
    ["Codex's sessions", "response_item", "payload"],
    ["OpenCode", "tool_use", "part"],
    ["Gemini CLI", "init", "session_id"],
  ])("fields of the wrong types in the form of %s are no crash", async (_case, type, field) => {
    const rows = junk.flatMap((value) => [
      { type, [field]: value, sessionID: value },
      { type, [field]: Object.fromEntries(["type", "content", "state", "id"].map((key) => [key, value])) },
    ]);
    const { runs } = await readLog(...rows, copilotSays("Done."));
    expect(runs.length).toBeLessThan(2);
  });
});

describe("a log is read for all that can be read of it, and what is not is said", () => {
  const NOTE = { type: "system", subtype: "task_notification", task_id: "bg1", session_id: "s" };
  const NOISE = [
    { type: "stream_event", event: { type: "content_block_delta", delta: { text: "Do" } } },
    { type: "system", subtype: "hook_response", stdout: "noise" },
    { type: "system", subtype: "compact_boundary" },
  ];
  const ASK = messageOf("user", PROMPT);
  const DONE = messageOf("assistant", "Done.");
  const start = jsonLines(CLAUDE_CODE_INIT);
  const timed = [
    `2026-11-25T10:00:00Z ${JSON.stringify(ASK)}`,
    ...Array.from({ length: 100 }, (_, index) => `step ${String(index)}`),
    `\u001B[32m${JSON.stringify(DONE)}\u001B[0m`,
  ];
  const onOneLine = `${JSON.stringify(ASK)}${JSON.stringify(messageOf("assistant", "Hm."))} {"role":"ass\n`;

  test.each<[string, string, readonly string[], readonly string[], string?]>([
    [
      "notes on tasks, which have ids, are no records",
      jsonLines(CLAUDE_CODE_INIT, NOTE, says("Done."), RESULT),
      ["assistant: Done."],
      [],
    ],
    [
      "a row goes by its type, regardless of its message's role",
      jsonLines({ type: "assistant", message: messageOf("agent", "I deleted it.") }, RESULT),
      ["assistant: I deleted it."],
      [],
    ],
    ["a line of another program before it", `npm warn old lockfile\n${start}${jsonLines(RESULT)}`, [], []],
    [
      "a line of another program in it",
      `${start}done in 3s\n${jsonLines(RESULT)}`,
      [],
      ["warning broken-line explain.jsonl:2 … 2>&1"],
    ],
    [
      "partial messages, hooks and other system messages; rows of unknown kinds",
      jsonLines(
        ...NOISE,
        { type: "something_new", message: 7 },
        { type: "assistant", text: "" },
        says("Done."),
        RESULT,
      ),
      ["assistant: Done."],
      ["warning unread-parts … not read: `something_new`, `assistant`."],
    ],
    [
      "no result",
      jsonLines(CLAUDE_CODE_INIT, says("First."), says("Done.")),
      ["assistant: First.", "assistant: Done."],
      ["warning interrupted-session … ends without a `result`: the session was interrupted"],
    ],
    [
      "torn in the last line",
      `${start}${jsonLines(says("Done."))}{"type":"result","subty`,
      ["assistant: Done."],
      ["warning broken-line explain.jsonl:3", "warning interrupted-session … ends without a `result`"],
    ],
    [
      "torn further up",
      `${start}{"type":"assis\n${jsonLines(RESULT)}`,
      [],
      ["warning broken-line explain.jsonl:2"],
    ],
    [
      "a result that is structured is JSON",
      jsonLines(CLAUDE_CODE_INIT, { ...RESULT, result: "", structured_output: { answer: 7 } }),
      [],
      [],
      '{"answer":7}',
    ],
    [
      "tool results under an unknown role",
      jsonLines(ASK, messageOf("observation", "x"), DONE),
      [`user: ${PROMPT}`, "assistant: Done."],
      ["warning unread-parts … `observation`"],
    ],
    [
      "a message from which nothing came",
      jsonLines(
        byUser(PROMPT),
        { type: "assistant", message: { role: "assistant", pieces: [] } },
        says("Done."),
        RESULT,
      ),
      [`user: ${PROMPT}`, "assistant: Done."],
      ["warning unread-parts … `assistant`"],
    ],
    [
      "rows behind a time, in escape codes and between a hundred lines of another program",
      `${timed.join("\n")}\n`,
      [`user: ${PROMPT}`, "assistant: Done."],
      ["warning broken-line … and 100 more like it"],
    ],
    [
      "several JSON objects on one line, and one torn behind them",
      `${onOneLine}${jsonLines(DONE)}`,
      [`user: ${PROMPT}`, "assistant: Hm.", "assistant: Done."],
      ["warning broken-line explain.jsonl:1"],
    ],
  ])("%s", async (_case, text, steps, said, answer = "Done.") => {
    const { runs, problems } = await read({ "explain.jsonl": text });
    expect(runs).toMatchObject([{ taskId: "explain", finalOutput: answer, agent: "finished" }]);
    expect(linesOf(runs[0])).toEqual(steps);
    expectSaid(problems, said);
  });

  test.each<[string, string, string]>([
    [
      "an error of its program alone",
      "Invalid API key · Please run /login\n",
      "the line says `Invalid API key · Please run /login`",
    ],
    ["nothing at all", "", "the file is empty: nothing was written to it."],
  ])("%s is an error", async (_case, text, expected) => {
    const { runs, problems } = await read({ "explain.jsonl": text });
    expect(runs).toEqual([]);
    expect(problems.map(({ level }) => level)).toEqual(["error"]);
    expect(problems[0]?.message).toContain(expected);
  });
});

describe("the execution file of claude-code-action", () => {
  const text = fixtureAt("claude-code/claude-execution-output.json");
  const file = { "claude-execution-output.json": text };

  test("finds its task by the prompt, and keeps what a sub-agent did but not what it said", async () => {
    const { runs, problems } = await read(file, { tasks });
    expect(problems).toEqual([]);
    expect(runs).toMatchObject([
      {
        taskId: "loops/explain",
        model: "claude-opus-4-1",
        prompt: `${PROMPT}\n`,
        agent: "finished",
        ended: "error: error_max_turns",
      },
    ]);
    expect(linesOf(runs[0])).toEqual([
      `user: ${PROMPT}\n`,
      'Task {"prompt":"look"} -> ok An endless loop.',
      '[Task] Bash {"command":"cat loop.py"} -> ok while True: pass',
    ]);
  });

  test.each([
    [
      "the folder's name",
      { "artifacts/a-b.2/claude-execution-output.json": text },
      { "a/b": undefined, c: undefined },
      ["a/b", 2],
    ],
    ["there being one task only", file, { "a/b": undefined }, ["a/b", 1]],
    ["its name, for a suite that names no tasks", file, "every" as const, ["claude-execution-output", 1]],
  ])("finds its task by %s", async (_case, files, tasks, [id, number]) => {
    const { runs } = await read(files, { tasks });
    expect(runs.map((run) => [run.taskId, run.number])).toEqual([[id, number]]);
  });

  test("of no task, or with the prompt of two, is listed in a warning that says how to name it", async () => {
    for (const prompt of ["x", PROMPT]) {
      const { runs, problems } = await read(file, { tasks: { a: prompt, b: prompt } });
      expect(runs).toEqual([]);
      expectSaid(problems, ["warning log-without-task … `claude-execution-output.json` … <task-id>"]);
    }
  });
});

describe("the sessions that Claude Code keeps for itself (projects/)", () => {
  const task = { type: "tool_use", id: "t", name: "Task", input: {} };
  const byAgent = (...content: unknown[]) => ({
    type: "assistant",
    message: messageOf("assistant", content),
  });
  const synthetic = (content: unknown) => ({
    type: "assistant",
    message: { ...messageOf("assistant", content), model: "<synthetic>" },
  });

  test.each<[string, readonly object[], readonly string[], readonly string[]]>([
    [
      "that hold nothing of their sub-agents say so",
      [byUser("Do it."), byAgent(task), byAgent({ type: "text", text: "Done." })],
      ["user: Do it.", "Task -> ?", "assistant: Done."],
      ["warning sub-agents-not-logged"],
    ],
    [
      "may begin with commands of the client, and with its own answer",
      [
        byUser("<command-name>/exit</command-name>\n<command-args></command-args>"),
        byUser("<local-command-stdout>Bye!</local-command-stdout>"),
        byUser("<bash-input>ls</bash-input>"),
        synthetic([{ type: "text", text: "No response requested." }]),
        byUser([
          { type: "text", text: "Do it." },
          { type: "image", source: { data: "x" } },
        ]),
        byAgent({ type: "text", text: "Done." }),
      ],
      ["user: Do it.", "user: [image]", "assistant: Done."],
      [],
    ],
  ])("%s", async (_case, rows, steps, said) => {
    const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) }, { tasks: "every" });
    expect(runs).toMatchObject([{ prompt: "Do it.", finalOutput: "Done." }]);
    expect(runs[0]?.steps.map(nameOf)).toEqual(steps);
    expectSaid(problems, said);
  });

  test("have what the user typed while the agent worked, and each row once", async () => {
    const typed = { type: "queued_command", commandMode: "prompt", prompt: "And in Python?" };
    const noted = { type: "queued_command", commandMode: "task-notification", prompt: "Done." };
    const { run, problems } = await readLog(
      { ...byUser(PROMPT), uuid: "1" },
      { ...byUser(PROMPT), uuid: "1" },
      { type: "attachment", attachment: typed },
      { type: "attachment", attachment: noted },
      { type: "attachment", attachment: { type: "task_reminder" } },
      says("It loops."),
    );
    expect(problems).toEqual([]);
    expect(linesOf(run)).toEqual([`user: ${PROMPT}`, "user: And in Python?", "assistant: It loops."]);
  });

  const UNKNOWN = "Unknown command: /explain";
  const refused = { ...synthetic("No credit"), isApiErrorMessage: true, error: "billing_error" };
  test.each<[string, string, readonly object[]]>([
    ["the client answered in its place", UNKNOWN, [synthetic(UNKNOWN), { ...RESULT, result: UNKNOWN }]],
    ["no model was asked", UNKNOWN, [{ ...RESULT, result: UNKNOWN, modelUsage: {} }]],
    [
      "the API refused every request",
      "No credit",
      [refused, { ...RESULT, is_error: true, result: "No credit" }],
    ],
  ])("of an agent that never worked are a failed run: %s", async (_case, errorMessage, rows) => {
    const { run } = await readLog(CLAUDE_CODE_INIT, byUser(PROMPT), ...rows);
    expect(run).toMatchObject({ agent: "failed", finalOutput: "", errorMessage });
  });

  test.each<[string, string]>([
    [
      "a team mate",
      jsonLines(
        { ...byUser("<teammate-message/>"), agentName: "tester" },
        says("a", { agentName: "tester" }),
      ),
    ],
    ["a sub-agent", fixtureAt("claude-code-sessions/agent-9f2c.jsonl")],
  ])("of %s are left out with a notice, however they are named", async (_whose, text) => {
    const { runs, problems } = await read({ "explain.jsonl": text });
    expect(runs).toEqual([]);
    expectSaid(problems, ["notice sub-agent-session"]);
  });

  test("that were summed up keep the summary from the user's words", async () => {
    const { run } = await readLog(
      { ...byUser("Go on."), isCompactSummary: true },
      byUser(PROMPT),
      says("It loops."),
    );
    expect(run?.prompt).toBe(PROMPT);
    expect(run?.steps).toHaveLength(2);
  });
});

/** A step in a line, without its input. */
function nameOf(step: Step): string {
  return step.kind === "tool" ? `${step.name} -> ${step.result ?? "?"}` : `${step.kind}: ${step.text}`;
}

/* Logs in the shapes that real ones have, with what made each of them be read in part, or not at all. */
const LOOP = "-> while True: pass";
test.each<[string, readonly string[], (readonly string[])?]>([
  ["gemini-behind-a-user-row.jsonl", [...ASKED, `read_file ${LOOP}`, ANSWER]],
  [
    "claude-code-kept.jsonl",
    [
      `user: ${PROMPT}`,
      `Read ${LOOP}`,
      "assistant: Lost in the crash.",
      "user: /explain in one sentence",
      ANSWER,
    ],
  ],
  ["mini-swe-agent.traj.json", [...ASKED, `bash ${LOOP}`, ANSWER], ["warning unread-parts … `exit`"]],
  ["opencode-export.json", [...ASKED, `read ${LOOP}`, ANSWER]],
  ["codex-went-on.jsonl", [`user: ${PROMPT}`, `shell_command ${LOOP}`, ANSWER]],
  ["pi.jsonl", [`user: ${PROMPT}`, `Read ${LOOP}`, ANSWER]],
  ["qwen-code.jsonl", [`user: ${PROMPT}`, `Read ${LOOP}`, ANSWER]],
  ["atif.json", [`user: ${PROMPT}`, `Read ${LOOP}`, ANSWER]],
  ["swe-agent.traj", [`user: ${PROMPT}`, `Read ${LOOP}`, ANSWER]],
  ["cursor-without-permission-mode.jsonl", [`user: ${PROMPT}`, `Read ${LOOP}`, ANSWER]],
])("%s is read whole, or a warning says what is not", async (name, steps, said = []) => {
  const { runs, problems } = await read({ [`logs/${name}`]: fixtureAt(`as-found/${name}`) });
  expect(runs).toMatchObject([{ prompt: PROMPT, finalOutput: "It loops forever.", agent: "finished" }]);
  expect(runs[0]?.ended).toBeUndefined();
  expect(runs[0]?.steps.map(nameOf)).toEqual(steps);
  expectSaid(problems, said);
});

test("a session with two results, one of what ran on in the background, has both as its final output", async () => {
  const text = fixtureAt("as-found/claude-code-two-results.jsonl");
  const { runs, problems } = await read({ "explain.jsonl": text });
  expect(problems).toEqual([]);
  expect(runs).toMatchObject([{ finalOutput: "It loops forever.\n\nThe build ended, too." }]);
});

const CALL = { id: "1", function: { name: "sh", arguments: "{}" } };
test.each<[string, object, readonly string[]]>([
  ["calls alone", { ...messageOf("assistant", ""), tool_calls: [CALL] }, [`user: ${PROMPT}`, "sh -> ?"]],
  ["nothing of the agent", messageOf("exit", ""), [`user: ${PROMPT}`]],
])("a conversation with %s is a run", async (_case, last, steps) => {
  const messages = [messageOf("system", "Be good."), messageOf("user", PROMPT), last];
  const { runs } = await read({ "logs/1.traj.json": { messages, info: {} } });
  expect(runs).toMatchObject([{ taskId: "explain", finalOutput: "", agent: "finished" }]);
  expect(runs[0]?.steps.map(nameOf)).toEqual(steps);
});

test("a call of OpenCode's that still runs has no outcome", async () => {
  const part = { type: "tool", tool: "bash", callID: "1", state: { status: "running", input: {} } };
  const { run } = await readLog({ type: "tool_use", sessionID: "s", part });
  expect(run?.steps).toMatchObject([{ name: "bash", success: undefined }]);
});
