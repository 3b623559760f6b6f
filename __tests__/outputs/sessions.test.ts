import { afterAll, describe, expect, test } from "@jest/globals";
import type { Run } from "../../src/domain/run.ts";
import { fixture, jsonLines, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

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
      "not read: `note`, `(no type)`.",
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
