import { afterAll, describe, expect, test } from "@jest/globals";
import { fixture, jsonLines, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";
import type { Run, Step } from "../../src/domain/run.ts";

afterAll(removeTemporaryFolders);

const PROMPT = "What does loop.py do?";
const tasks = { other: "Do something else.", "loops/explain": PROMPT };

/** A step in a line: who said what, or the call with its result. */
function linesOf(run: Run | undefined): string[] {
  return (run?.steps ?? []).map((step) => {
    if (step.kind !== "tool") return `${step.kind}: ${step.text}`;
    const outcome = step.success === undefined ? "" : step.success ? " ok" : " failed";
    return `${step.name} ${step.input} ->${outcome} ${step.result?.trim() ?? "(not recorded)"}`;
  });
}

const READ = 'read_file {"path":"loop.py"} -> while True: pass';

interface Case {
  readonly format: string;
  readonly name: string;
  readonly model: string;
  readonly steps: readonly string[];
  /** The log has no prompt: its name says the task. */
  readonly named?: string;
}

const cases: readonly (readonly [string, Case])[] = [
  [
    "Cursor, printed in pieces",
    {
      format: "cursor",
      name: "printed.jsonl",
      model: "Auto",
      steps: [
        `user: ${PROMPT}`,
        "assistant: I will read it.",
        'read {"path":"loop.py"} -> ok {"content":"while True: pass","totalLines":1}',
        'shell {"command":"python loop.py"} -> failed {"rejected":{"command":"python loop.py","reason":""}}',
        'docs_lookup {"query":"while"} -> (not recorded)',
        "assistant: It loops forever.",
      ],
    },
  ],
  [
    "Copilot, printed",
    {
      format: "copilot",
      name: "printed.jsonl",
      model: "claude-sonnet-4.6",
      steps: [
        `user: ${PROMPT}`,
        "assistant: I will read it.",
        'view {"path":"/work/loop.py"} -> ok 1. while True: pass\n2.',
        'bash {"command":"python loop.py"} -> failed The user does not allow this command.',
        "assistant: It loops forever.",
      ],
    },
  ],
  [
    "Copilot, kept, with a skill and a sub-agent",
    {
      format: "copilot",
      name: "events.jsonl",
      model: "gpt-5-mini",
      steps: [
        `user: ${PROMPT}`,
        'skill {"skill":"explain-code"} -> ok Skill loaded.',
        "skill: explain-code",
        'task {"prompt":"Read loop.py."} -> ok An endless loop.',
        'view {"path":"loop.py"} -> ok while True: pass',
        "assistant: It loops forever.",
      ],
    },
  ],
  [
    "codex exec --json",
    {
      format: "codex-exec",
      name: "explain.jsonl",
      named: "loops_explain.jsonl",
      model: "unknown model",
      steps: [
        "assistant: I will read it.",
        `command_execution {"command":"/bin/bash -lc 'cat loop.py'"} -> ok while True: pass`,
        'todo_list {"items":[{"text":"Read the file","completed":true},{"text":"Answer","completed":true}]} -> (not recorded)',
        `command_execution {"command":"/bin/bash -lc 'timeout 1 python loop.py'"} -> failed `,
        'docs.lookup {"query":"while statement"} -> ok Repeats while the test holds.',
        'file_change {"changes":[{"path":"/work/NOTES.md","kind":"add"}]} -> ok completed',
        "assistant: It loops forever.",
      ],
    },
  ],
  [
    "Codex's sessions",
    {
      format: "codex-session",
      name: "rollout-2026-10-01T08-00-00-0199d2c4-1f5e-7d31-9a40-5c0c1b2f7e90.jsonl",
      model: "gpt-5.2-codex",
      steps: [
        `user: ${PROMPT}`,
        "assistant: I will read it.",
        'shell_command {"command":"cat loop.py","workdir":"/work"} -> Exit code: 0\nOutput:\nwhile True: pass',
        "apply_patch *** Begin Patch\n*** Add File: NOTES.md\n+It loops.\n*** End Patch -> Success. Updated the following files:\nA NOTES.md",
        'web_search_call {"type":"search","query":"python while"} -> (not recorded)',
        "assistant: It loops forever.",
      ],
    },
  ],
  [
    "Gemini CLI, printed after other lines",
    {
      format: "gemini-cli",
      name: "explain.jsonl",
      model: "gemini-3-pro",
      steps: [
        `user: ${PROMPT}`,
        "assistant: I will read it.",
        'read_file {"file_path":"loop.py"} -> ok while True: pass',
        'run_shell_command {"command":"python loop.py"} -> failed Tool execution denied by policy.',
        "assistant: It loops forever.",
      ],
    },
  ],
  [
    "Gemini CLI, the answer alone, after other lines",
    {
      format: "gemini-cli",
      name: "answer.json",
      named: "loops_explain/answer.json",
      model: "gemini-3-pro",
      steps: [],
    },
  ],
  [
    "Gemini CLI's sessions in JSON",
    {
      format: "gemini-cli",
      name: "session-2026-10-01T08-00-b2d0a5a6.json",
      model: "gemini-3-pro",
      steps: [
        `user: ${PROMPT}`,
        "assistant: I will read it.",
        'read_file {"file_path":"loop.py"} -> ok while True: pass',
        'run_shell_command {"command":"python loop.py"} -> failed {"error":"Denied."}',
        "assistant: It loops forever.",
      ],
    },
  ],
  [
    "Gemini CLI's sessions in JSON lines, with a message that was taken back",
    {
      format: "gemini-cli",
      name: "session-2026-10-01T09-00-c41f77d0.jsonl",
      model: "gemini-3-flash",
      steps: [
        `user: ${PROMPT}`,
        'read_file {"file_path":"loop.py"} -> ok while True: pass',
        "assistant: It loops forever.",
      ],
    },
  ],
  [
    "opencode run --format json",
    {
      format: "opencode",
      name: "explain.jsonl",
      named: "loops_explain.jsonl",
      model: "unknown model",
      steps: [
        "assistant: I will read it.",
        'read {"filePath":"/work/loop.py"} -> ok <file>\n00001| while True: pass\n</file>',
        'bash {"command":"python loop.py"} -> failed The user rejected permission to use this tool.',
        "assistant: It loops forever.",
      ],
    },
  ],
  ...(
    [
      ["openai.json", "OpenAI's chat", "unknown model", READ],
      ["responses.json", "OpenAI's Responses", "unknown model", READ],
      ["anthropic.json", "Anthropic's", "claude-sonnet-4-5", READ.replace("->", "-> ok")],
      ["langchain.json", "LangChain's", "claude-sonnet-4-5", READ],
      ["langchain-dumped.jsonl", "LangChain's, dumped", "unknown model", READ],
    ] as const
  ).map(([name, whose, model, call]): readonly [string, Case] => [
    `messages: ${whose}`,
    {
      format: "messages",
      name,
      model,
      steps: [`user: ${PROMPT}`, call, "assistant: It loops forever."],
    },
  ]),
];

describe("a log is one run, with its calls and results and without invented messages", () => {
  test.each(cases)("%s", async (_case, { format, name, named, model, steps }) => {
    const text = fixture(format)[name];
    const { runs, problems } = await read({ [named ?? `logs/${name}`]: text }, { tasks });
    expect(problems).toEqual([]);
    expect(runs).toMatchObject([
      { taskId: "loops/explain", number: 1, model, finalOutput: "It loops forever.", agent: "finished" },
    ]);
    expect(linesOf(runs[0])).toEqual(steps);
    expect(runs[0]?.prompt).toBe(PROMPT);
    expect(runs[0]?.ended).toBeUndefined();
  });

  test.each(cases.filter(([, { name }]) => name.endsWith(".jsonl")))(
    "%s, torn in the last line, is graded as far as it goes",
    async (_case, { format, name }) => {
      const lines = fixture(format)[name]!.trimEnd().split("\n");
      const torn = [...lines.slice(0, -1), lines.at(-1)!.slice(0, -9)].join("\n");
      const { runs, problems } = await read({ "other.jsonl": torn }, { tasks });
      expect(runs).toHaveLength(1);
      expect(problems).toContainEqual(
        expect.objectContaining({
          level: "warning",
          message: expect.stringContaining("the line is not JSON") as unknown,
          at: expect.objectContaining({ startLine: lines.length }) as unknown,
        }),
      );
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

describe("how a session ended is reported", () => {
  test.each<[string, readonly object[], string]>([
    ["Copilot, by its exit code", [copilotSays("So far."), { type: "result", exitCode: 2 }], "exit code 2"],
    [
      "Copilot, by an error that ended it",
      [copilotSays("So far."), { type: "session.error", data: { message: "Access denied" } }],
      "Access denied",
    ],
    [
      "codex exec, by a failed turn",
      [THREAD, codexSays("So far."), { type: "turn.failed", error: { message: "out of credits" } }],
      "out of credits",
    ],
    [
      "Codex's sessions, by an aborted turn",
      [META, codexItem("assistant", "So far."), codexEvent("turn_aborted", { reason: "interrupted" })],
      "interrupted",
    ],
    [
      "Gemini CLI, by its result",
      [INIT, geminiSays("So far."), { type: "result", status: "error", error: { message: "quota" } }],
      "quota",
    ],
    [
      "Gemini CLI's sessions, by an error after the last message",
      [
        SESSION,
        { id: "1", type: "gemini", content: "So far." },
        { id: "2", type: "error", content: "[API Error: quota]" },
      ],
      "[API Error: quota]",
    ],
    [
      "OpenCode, by its error",
      [
        openCodeSays("So far."),
        { type: "error", sessionID: "s", error: { name: "APIError", data: { message: "no key" } } },
      ],
      "no key",
    ],
  ])("%s", async (_case, rows, message) => {
    const { run } = await readLog(...rows);
    expect(run).toMatchObject({ agent: "finished", ended: `error: ${message}`, finalOutput: "So far." });
  });

  test.each<[string, readonly object[]]>([
    [
      "Copilot, whose error was overcome",
      [{ type: "session.error", data: { message: "retry" } }, copilotSays("Done.")],
    ],
    [
      "codex exec, whose connection came back",
      [
        THREAD,
        { type: "error", message: "Reconnecting... 1/5" },
        codexSays("Done."),
        { type: "turn.completed" },
      ],
    ],
    [
      "Gemini CLI, which was only warned",
      [
        INIT,
        geminiSays("Done."),
        { type: "error", severity: "warning", message: "Loop detected" },
        { type: "result", status: "success" },
      ],
    ],
    [
      "Gemini CLI, of which only calls and what follows were kept",
      [
        { type: "tool_use", tool_name: "read_file", tool_id: "1", parameters: {} },
        { type: "tool_result", tool_id: "1", status: "success", output: "text" },
        geminiSays("Done."),
      ],
    ],
  ])("%s, ended well", async (_case, rows) => {
    const { run, problems } = await readLog(...rows);
    expect(run).toMatchObject({ finalOutput: "Done.", agent: "finished" });
    expect(run?.ended).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test.each<[string, readonly object[], string]>([
    [
      "Copilot, in the middle of a message, which is put together from its pieces",
      [
        { type: "assistant.turn_start", data: {} },
        { type: "assistant.message_delta", data: { messageId: "m", deltaContent: "So " } },
        { type: "assistant.message_delta", data: { messageId: "m", deltaContent: "far." } },
      ],
      "the end of a turn",
    ],
    ["codex exec", [THREAD, { type: "turn.started" }, codexSays("So far.")], "a `turn.completed`"],
    [
      "Codex's sessions",
      [META, codexEvent("task_started"), codexItem("assistant", "So far.")],
      "the end of a turn",
    ],
    ["Gemini CLI", [INIT, geminiSays("So "), geminiSays("far.")], "a `result`"],
    [
      "OpenCode",
      [openCodeSays("So far."), { type: "step_finish", sessionID: "s", part: { reason: "tool-calls" } }],
      "the end of its last step",
    ],
  ])("%s, cut off, is graded with a warning", async (_case, rows, missing) => {
    const { run, problems } = await readLog(...rows);
    expect(run).toMatchObject({ finalOutput: "So far." });
    expect(problems).toMatchObject([
      { level: "warning", message: expect.stringContaining(`ends without ${missing}`) as unknown },
    ]);
  });
});

describe("the authors of messages", () => {
  test("Copilot's own, an agent's and a command's are not the user's", async () => {
    const { run } = await readLog(
      { type: "user.message", data: { content: "Do it.", source: "user" } },
      { type: "user.message", data: { content: "Go on.", source: "autopilot" } },
      { type: "user.message", data: { content: "Go on.", isAutopilotContinuation: true } },
      { type: "user.message", data: { content: "I am back.", source: "agent-7" } },
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
        {
          type: "tool.execution_start",
          data: { toolCallId: "c", toolName: "bash", arguments: { command: "ls" } },
        },
        { type: "tool.execution_complete", data: { toolCallId: "c", success: true, ...ended } },
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
    expect(problems).toMatchObject([
      { level: "notice", message: expect.stringContaining("is the session of a sub-agent") as unknown },
    ]);
  });
});

describe("several sessions", () => {
  test.each<[string, readonly object[]]>([
    ["codex exec", [THREAD, codexSays("One."), { ...THREAD, thread_id: "u" }, codexSays("Two.")]],
    [
      "Gemini CLI",
      [
        INIT,
        { type: "result", status: "success" },
        { ...INIT, session_id: "t" },
        { type: "result", status: "success" },
      ],
    ],
    ["OpenCode", [openCodeSays("One."), { ...openCodeSays("Two."), sessionID: "t" }]],
    ["messages", [1, 2].map(() => ({ messages: [{ role: "assistant", content: "Done." }] }))],
    [
      "messages and a list of them",
      [
        { role: "assistant", content: "Deleted all." },
        { messages: [{ role: "assistant", content: "Done." }] },
      ],
    ],
  ])("in one file of %s are an error", async (_case, rows) => {
    const { problems } = await readLog(...rows);
    expect(problems).toMatchObject([
      { level: "error", message: expect.stringContaining("holds 2 sessions") as unknown },
    ]);
  });

  test.each<[string, readonly object[]]>([
    ["codex exec", [THREAD, codexSays("One."), THREAD, codexSays("Two.")]],
    [
      "Gemini CLI",
      ["One.", "Two."].flatMap((answer) => [
        INIT,
        { type: "message", role: "user", content: "Go on." },
        geminiSays(answer),
        { type: "result", status: "success" },
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
  test.each<[string, readonly object[], string, string?]>([
    [
      "the first row that a format knows decides",
      [codexSays("Codex."), openCodeSays("OpenCode.")],
      "Codex.",
      "not read: `text`.",
    ],
    [
      "rows of unknown kinds do not",
      [{ type: "note" }, {}, { type: "note" }, openCodeSays("OpenCode.")],
      "OpenCode.",
      "not read: `note` (2 times), `(no type)`.",
    ],
    [
      "a row with a task's id is a record, regardless of its other keys",
      [{ task_id: "explain", output: "Record.", ...openCodeSays("OpenCode.") }],
      "Record.",
    ],
  ])("%s", async (_case, rows, answer, unread = "") => {
    const { run, problems } = await readLog(...rows);
    expect(problems.map(({ message }) => message).join()).toContain(unread);
    expect(problems).toHaveLength(unread === "" ? 0 : 1);
    expect(run?.finalOutput).toBe(answer);
  });

  test("messages with a class of LangChain's that is no name are in none, and stop no other file", async () => {
    const odd = { type: "constructor", id: [{ toString: 1 }], kwargs: { content: "Done." } };
    const { problems } = await readLog({ messages: [{ role: "user", content: "Do it." }, odd] });
    expect(problems).toMatchObject([
      {
        level: "error",
        message: expect.stringContaining("the file is not in a known format") as unknown,
      },
    ]);
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

afterAll(removeTemporaryFolders);

const logs = fixture("claude-code");
const CLAUDE_CODE_INIT = { type: "system", subtype: "init", model: "claude-x", session_id: "s" };
const says = (text: string, more: object = {}) => ({
  type: "assistant",
  message: { role: "assistant", model: "claude-x", content: [{ type: "text", text }] },
  ...more,
});
const RESULT = { type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s" };

async function readClaude(...rows: readonly unknown[]) {
  const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(runs).toHaveLength(1);
  return { run: runs[0]!, problems };
}

describe("a stream of messages (stream-json)", () => {
  test("with notes on background tasks, which have ids of their own, is no record", async () => {
    const note = { type: "system", subtype: "task_notification", task_id: "bg1", session_id: "s" };
    const { run, problems } = await readClaude(CLAUDE_CODE_INIT, note, says("Done."), RESULT);
    expect(problems).toEqual([]);
    expect(run).toMatchObject({ taskId: "explain", finalOutput: "Done." });
  });

  test("goes by the type of a row, regardless of its message's role", async () => {
    const odd = { type: "assistant", message: { role: "agent", content: "I deleted it." } };
    const { run } = await readClaude(CLAUDE_CODE_INIT, odd, RESULT);
    expect(run.steps).toEqual([{ kind: "assistant", text: "I deleted it." }]);
  });

  test("with a line of another program before it is read as if that were not there", async () => {
    const { runs, problems } = await read({
      "explain.jsonl": `npm warn old lockfile\n${jsonLines(CLAUDE_CODE_INIT, RESULT)}`,
    });
    expect(problems).toEqual([]);
    expect(runs).toMatchObject([{ finalOutput: "Done." }]);
  });

  test("with a line of another program in it is graded without it, with a hint to keep that out", async () => {
    const { runs, problems } = await read({
      "explain.jsonl": `${jsonLines(CLAUDE_CODE_INIT)}done in 3s\n${jsonLines(RESULT)}`,
    });
    expect(runs).toMatchObject([{ finalOutput: "Done." }]);
    expect(problems).toMatchObject([{ level: "warning", at: { startLine: 2 } }]);
    expect(problems[0]?.help).toContain("2>&1");
  });

  test("is one run: its task from the file's name, model, conversation and result", async () => {
    const { runs, problems, results } = await read({ "logs/explain.jsonl": logs["explain.jsonl"] });
    expect(problems).toEqual([]);
    expect(results[0]?.path).toBe("logs/explain.jsonl");
    expect(runs).toEqual([
      expect.objectContaining({
        taskId: "explain",
        number: 1,
        model: "claude-sonnet-4-5-20250929",
        finalOutput: "It loops forever.",
        agent: "finished",
        steps: [
          { kind: "assistant", text: "I will read it." },
          {
            kind: "tool",
            name: "Read",
            input: '{"file_path":"loop.py"}',
            result: "while True: pass",
            success: true,
          },
          {
            kind: "tool",
            name: "Bash",
            input: '{"command":"timeout 1 python loop.py"}',
            result: "Exit code 124",
            success: false,
          },
          { kind: "assistant", text: "It loops forever." },
        ],
      }),
    ]);
  });

  test("with partial messages, hooks and other system messages reads as if they were not there; unknown rows are named", async () => {
    const { run, problems } = await readClaude(
      CLAUDE_CODE_INIT,
      { type: "stream_event", event: { type: "content_block_delta", delta: { text: "Do" } } },
      { type: "system", subtype: "hook_response", stdout: "noise" },
      { type: "system", subtype: "compact_boundary" },
      { type: "something_new", message: 7 },
      { type: "assistant", text: "no message" },
      says("Done."),
      RESULT,
    );
    expect(problems).toMatchObject([
      { message: expect.stringContaining("not read: `something_new`, `assistant`.") as unknown },
    ]);
    expect(run.steps).toEqual([{ kind: "assistant", text: "Done." }]);
  });

  test("that ends without a result is graded as far as it goes, with a warning", async () => {
    const { run, problems } = await readClaude(CLAUDE_CODE_INIT, says("First."), says("Second."));
    expect(run).toMatchObject({ agent: "finished", finalOutput: "Second." });
    expect(problems).toEqual([
      expect.objectContaining({
        level: "warning",
        message: expect.stringContaining("was interrupted") as unknown,
      }),
    ]);
  });

  test("torn in its last line is graded as far as it goes, with warnings", async () => {
    const torn = `${jsonLines(CLAUDE_CODE_INIT, says("One."))}{"type":"result","subty`;
    const { runs, problems } = await read({ "explain.jsonl": torn });
    expect(runs).toMatchObject([{ finalOutput: "One.", agent: "finished" }]);
    expect(problems).toMatchObject([
      { level: "warning", at: { startLine: 3 } },
      { level: "warning", message: expect.stringContaining("ends without a `result`") as unknown },
    ]);
  });

  test.each([
    [
      "an error of its program alone",
      "Invalid API key · Please run /login\n",
      "the line says `Invalid API key · Please run /login`",
    ],
    ["nothing at all", "", "the file is empty: nothing was written to it."],
  ])("that holds %s says so", async (_case, text, expected) => {
    const { runs, problems } = await read({ "explain.jsonl": text });
    expect(runs).toEqual([]);
    expect(problems).toMatchObject([
      { level: "error", message: expect.stringContaining(expected) as unknown },
    ]);
  });

  test("torn further up is graded without that line, which is reported", async () => {
    const torn = `${jsonLines(CLAUDE_CODE_INIT)}{"type":"assis\n${jsonLines(RESULT)}`;
    const { runs, problems } = await read({ "explain.jsonl": torn });
    expect(runs).toMatchObject([{ finalOutput: "Done." }]);
    expect(problems).toMatchObject([{ level: "warning", at: { startLine: 2 } }]);
  });

  test("whose result is structured gives it as JSON", async () => {
    const { run } = await readClaude(CLAUDE_CODE_INIT, {
      ...RESULT,
      result: "",
      structured_output: { answer: 7 },
    });
    expect(run.finalOutput).toBe('{"answer":7}');
  });
});

describe("the execution file of claude-code-action", () => {
  const file = { "claude-execution-output.json": logs["claude-execution-output.json"] };

  test("finds its task by the prompt, and keeps what a sub-agent did but not what it said", async () => {
    const { runs, problems } = await read(file, {
      tasks: { other: "Do something else.", "loops/explain": "What does loop.py do?" },
    });
    expect(problems).toEqual([]);
    expect(runs).toEqual([
      expect.objectContaining({
        taskId: "loops/explain",
        model: "claude-opus-4-1",
        prompt: "What does loop.py do?\n",
        agent: "finished",
        ended: "error: error_max_turns",
        steps: [
          { kind: "user", text: "What does loop.py do?\n" },
          {
            kind: "tool",
            name: "Task",
            input: '{"prompt":"look"}',
            result: "An endless loop.",
            success: true,
          },
          {
            kind: "tool",
            name: "Bash",
            input: '{"command":"cat loop.py"}',
            result: "while True: pass",
            success: true,
          },
        ],
      }),
    ]);
  });

  test.each([
    [
      "the folder's name",
      { "artifacts/a-b.2/claude-execution-output.json": file["claude-execution-output.json"] },
      { "a/b": undefined, c: undefined },
      ["a/b", 2],
    ],
    ["there being one task only", file, { "a/b": undefined }, ["a/b", 1]],
    ["its name, for a suite that names no tasks", file, "every" as const, ["claude-execution-output", 1]],
  ])("finds its task by %s", async (_case, files, tasks, [id, number]) => {
    const { runs } = await read(files, { tasks });
    expect(runs.map((run) => [run.taskId, run.number])).toEqual([[id, number]]);
  });

  test("of no task is listed in a warning that says how to name it", async () => {
    const { runs, problems } = await read(file, { tasks: { a: "x", b: "y" } });
    expect(runs).toEqual([]);
    expect(problems).toEqual([
      expect.objectContaining({
        level: "warning",
        message: "No task was found for these logs of Claude Code, left out: `claude-execution-output.json`.",
      }),
    ]);
    expect(problems[0]?.help).toContain("<task-id>");
  });

  test("with the prompt of two tasks belongs to neither", async () => {
    const { runs } = await read(file, { tasks: { a: "What does loop.py do?", b: "What does loop.py do?" } });
    expect(runs).toEqual([]);
  });
});

test("the result alone (--output-format json) is a run without a conversation", async () => {
  const { runs, problems } = await read({ "result.json": logs["result.json"] });
  expect(problems).toEqual([]);
  expect(runs).toEqual([
    expect.objectContaining({
      taskId: "explain",
      model: "claude-sonnet-4-5",
      finalOutput: "It loops forever.",
      steps: [],
    }),
  ]);
});

describe("the sessions that Claude Code keeps for itself (projects/)", () => {
  const sessions = fixture("claude-code-sessions");

  test("are whole without a result: no skill's text, note or sub-agent is the user's or the agent's word", async () => {
    const { runs, problems } = await read({ "explain.jsonl": sessions["explain.jsonl"] });
    expect(problems).toEqual([]);
    expect(runs).toMatchObject([
      {
        model: "claude-sonnet-4-5-20250929",
        prompt: "What does loop.py do?",
        finalOutput: "It loops forever.",
        agent: "finished",
      },
    ]);
    const steps = runs[0]?.steps.map((step) =>
      step.kind === "tool" ? step.name : `${step.kind}: ${step.text}`,
    );
    expect(steps).toEqual([
      "user: What does loop.py do?",
      "Skill",
      "Task",
      "Read",
      "assistant: It loops forever.",
    ]);
  });

  const byUser = (content: unknown) => ({ type: "user", message: { role: "user", content } });
  const task = { type: "tool_use", id: "t", name: "Task", input: {} };
  const byAgent = (...content: unknown[]) => ({ type: "assistant", message: { role: "assistant", content } });
  const progress = (message: object) => ({ type: "progress", data: { type: "agent_progress", message } });

  test.each<[string, readonly object[], readonly string[], RegExp?]>([
    [
      "of 2.1.7 to 2.1.39 hold what sub-agents did in rows of their own",
      [
        byUser("Do it."),
        byAgent(task),
        progress(
          byAgent({ type: "tool_use", id: "w", name: "Write", input: {} }, { type: "text", text: "Hm." }),
        ),
        progress(byUser([{ type: "tool_result", tool_use_id: "w", content: "written" }])),
        byAgent({ type: "text", text: "Done." }),
      ],
      ["user: Do it.", "Task", "Write", "assistant: Done."],
    ],
    [
      "that hold nothing of their sub-agents say so",
      [byUser("Do it."), byAgent(task), byAgent({ type: "text", text: "Done." })],
      ["user: Do it.", "Task", "assistant: Done."],
      /used sub-agents, and the log has none of their steps/,
    ],
    [
      "may begin with commands of the client, and with its own answer",
      [
        byUser("<command-name>/exit</command-name>\n<command-args></command-args>"),
        byUser("<local-command-stdout>Bye!</local-command-stdout>"),
        byUser("<bash-input>ls</bash-input>"),
        {
          type: "assistant",
          message: {
            ...byAgent({ type: "text", text: "No response requested." }).message,
            model: "<synthetic>",
          },
        },
        byUser([
          { type: "text", text: "Do it." },
          { type: "image", source: { data: "x" } },
        ]),
        byAgent({ type: "text", text: "Done." }),
      ],
      ["user: Do it.", "user: [image]", "assistant: Done."],
    ],
  ])("%s", async (_case, rows, steps, problem = /^$/) => {
    const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) }, { tasks: "every" });
    expect(runs).toMatchObject([{ prompt: "Do it.", finalOutput: "Done." }]);
    expect(
      runs[0]?.steps.map((step) => (step.kind === "tool" ? step.name : `${step.kind}: ${step.text}`)),
    ).toEqual(steps);
    expect(problems.map(({ message }) => message).join()).toMatch(problem);
  });

  test("have what the user typed while the agent worked, and each row once", async () => {
    const typed = { type: "queued_command", commandMode: "prompt", prompt: "And in Python?" };
    const noted = { type: "queued_command", commandMode: "task-notification", prompt: "Done." };
    const { run, problems } = await readClaude(
      { type: "user", uuid: "1", message: { role: "user", content: "What does loop.py do?" } },
      { type: "user", uuid: "1", message: { role: "user", content: "What does loop.py do?" } },
      { type: "attachment", attachment: typed },
      { type: "attachment", attachment: noted },
      { type: "attachment", attachment: { type: "task_reminder" } },
      says("It loops."),
    );
    expect(problems).toEqual([]);
    expect(run.steps).toEqual([
      { kind: "user", text: "What does loop.py do?" },
      { kind: "user", text: "And in Python?" },
      { kind: "assistant", text: "It loops." },
    ]);
  });

  test.each<[string, readonly object[], RegExp]>([
    [
      "the client answered in its place",
      [
        {
          ...says("Unknown command: /explain"),
          message: { role: "assistant", model: "<synthetic>", content: "Unknown command: /explain" },
        },
        { ...RESULT, result: "Unknown command: /explain" },
      ],
      /^Unknown command: \/explain$/,
    ],
    [
      "the result says that no model was asked",
      [{ ...RESULT, result: "Unknown command: /explain", modelUsage: {} }],
      /^Unknown command/,
    ],
    [
      "the API refused every request",
      [
        {
          type: "assistant",
          isApiErrorMessage: true,
          error: "billing_error",
          message: { role: "assistant", model: "<synthetic>", content: "Credit balance is too low" },
        },
        { ...RESULT, is_error: true, result: "Credit balance is too low" },
      ],
      /^Credit balance is too low$/,
    ],
  ])("of an agent that never worked are a failed run: %s", async (_case, rows, message) => {
    const { run } = await readClaude(
      CLAUDE_CODE_INIT,
      { type: "user", message: { role: "user", content: "What does loop.py do?" } },
      ...rows,
    );
    expect(run).toMatchObject({ agent: "failed", finalOutput: "" });
    expect(run.errorMessage).toMatch(message);
  });

  test("of a team mate belong to their leader's run", async () => {
    const rows = [
      {
        type: "user",
        agentName: "tester",
        message: {
          role: "user",
          content: '<teammate-message teammate_id="lead">Test it.</teammate-message>',
        },
      },
      { ...says("Tested."), agentName: "tester" },
    ];
    const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
    expect(runs).toEqual([]);
    expect(problems).toMatchObject([{ level: "notice" }]);
  });

  test("of a sub-agent are left out with a notice, however they are named", async () => {
    const { runs, problems } = await read({ "explain.jsonl": sessions["agent-9f2c.jsonl"] });
    expect(runs).toEqual([]);
    expect(problems).toMatchObject([
      { level: "notice", message: expect.stringContaining("is the session of a sub-agent") as unknown },
    ]);
  });

  test("that were summed up keep the summary from the user's words", async () => {
    const { run } = await readClaude(
      { type: "user", message: { role: "user", content: "Go on." }, isCompactSummary: true },
      { type: "user", message: { role: "user", content: "What does loop.py do?" } },
      says("It loops."),
    );
    expect(run.prompt).toBe("What does loop.py do?");
    expect(run.steps).toHaveLength(2);
  });
});

describe("how the session ended is reported", () => {
  test.each([
    ["by its subtype", { subtype: "error_max_turns", is_error: false, result: undefined }, "error_max_turns"],
    [
      "by its subtype, with what went wrong",
      { subtype: "error_during_execution", is_error: true, result: undefined, errors: ["boom", { code: 1 }] },
      'error_during_execution: boom: {"code":1}',
    ],
    [
      "when a request failed, as a success that is an error",
      { is_error: true, result: "API Error: 529" },
      "API Error: 529",
    ],
    ["without a word", { is_error: true, result: null }, "is_error"],
  ])("%s", async (_case, result, message) => {
    const { run } = await readClaude(CLAUDE_CODE_INIT, says("So far."), { ...RESULT, ...result });
    expect(run).toMatchObject({ agent: "finished", ended: `error: ${message}`, finalOutput: "So far." });
  });
});

test.each([
  ["an empty object", {}],
  ["results of the wrong types", { type: "result", subtype: 7, result: ["x"], session_id: 1 }],
  [
    "messages of the wrong types",
    [
      { type: "assistant", message: "x" },
      { type: "user", message: { role: 7 } },
    ],
  ],
])("%s is not taken for a log, and no crash", async (_case, data) => {
  const { runs, problems } = await read({ "other.json": data });
  expect(runs).toEqual([]);
  expect(problems).toHaveLength(1);
});

/* Logs in the shapes that real ones have, with what made each of them be read in part, or not at all. */

afterAll(removeTemporaryFolders);
const ANSWER = "assistant: It loops forever.";
const logsOfAsFound = fixture("as-found");

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
  const { runs, problems } = await read({ [`logs/${name}`]: logsOfAsFound[name] });
  expect(runs).toMatchObject([{ prompt: PROMPT, finalOutput: "It loops forever.", agent: "finished" }]);
  expect(runs[0]?.ended).toBeUndefined();
  expect(runs[0]?.steps.map(lineOf)).toEqual(steps);
  expect(problems.map(({ level }) => level)).toEqual(warnings.map(() => "warning"));
  for (const [index, wording] of warnings.entries()) expect(problems[index]?.message).toContain(wording);
});

test("a session with two results, one of what ran on in the background, has both as its final output", async () => {
  const { runs, problems } = await read({ "explain.jsonl": logsOfAsFound["claude-code-two-results.jsonl"] });
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

const AS_FOUND_READ = "Read -> while True: pass";

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
  ).toEqual([`user: ${PROMPT}`, AS_FOUND_READ, ANSWER]);
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
