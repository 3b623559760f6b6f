import { afterAll, describe, expect, test } from "@jest/globals";
import { fixture, jsonLines, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const logs = fixture("claude-code");
const INIT = { type: "system", subtype: "init", model: "claude-x", session_id: "s" };
const says = (text: string, more: object = {}) => ({
  type: "assistant",
  message: { role: "assistant", model: "claude-x", content: [{ type: "text", text }] },
  ...more,
});
const RESULT = { type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s" };

async function readLog(...rows: readonly unknown[]) {
  const { runs, problems } = await read({ "explain.jsonl": jsonLines(...rows) });
  expect(runs).toHaveLength(1);
  return { run: runs[0]!, problems };
}

describe("a stream of messages (stream-json)", () => {
  test("with notes on background tasks, which have ids of their own, is no record", async () => {
    const note = { type: "system", subtype: "task_notification", task_id: "bg1", session_id: "s" };
    const { run, problems } = await readLog(INIT, note, says("Done."), RESULT);
    expect(problems).toEqual([]);
    expect(run).toMatchObject({ taskId: "explain", finalOutput: "Done." });
  });

  test("goes by the type of a row, regardless of its message's role", async () => {
    const odd = { type: "assistant", message: { role: "agent", content: "I deleted it." } };
    const { run } = await readLog(INIT, odd, RESULT);
    expect(run.steps).toEqual([{ kind: "assistant", text: "I deleted it." }]);
  });

  test("with a line of another program before it is read as if that were not there", async () => {
    const { runs, problems } = await read({
      "explain.jsonl": `npm warn old lockfile\n${jsonLines(INIT, RESULT)}`,
    });
    expect(problems).toEqual([]);
    expect(runs).toMatchObject([{ finalOutput: "Done." }]);
  });

  test("with a line of another program in it is graded without it, with a hint to keep that out", async () => {
    const { runs, problems } = await read({
      "explain.jsonl": `${jsonLines(INIT)}done in 3s\n${jsonLines(RESULT)}`,
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
    const { run, problems } = await readLog(
      INIT,
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
    const { run, problems } = await readLog(INIT, says("First."), says("Second."));
    expect(run).toMatchObject({ agent: "finished", finalOutput: "Second." });
    expect(problems).toEqual([
      expect.objectContaining({
        level: "warning",
        message: expect.stringContaining("was interrupted") as unknown,
      }),
    ]);
  });

  test("torn in its last line is graded as far as it goes, with warnings", async () => {
    const torn = `${jsonLines(INIT, says("One."))}{"type":"result","subty`;
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
    const torn = `${jsonLines(INIT)}{"type":"assis\n${jsonLines(RESULT)}`;
    const { runs, problems } = await read({ "explain.jsonl": torn });
    expect(runs).toMatchObject([{ finalOutput: "Done." }]);
    expect(problems).toMatchObject([{ level: "warning", at: { startLine: 2 } }]);
  });

  test("whose result is structured gives it as JSON", async () => {
    const { run } = await readLog(INIT, { ...RESULT, result: "", structured_output: { answer: 7 } });
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
    const { run, problems } = await readLog(
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
    const { run } = await readLog(
      INIT,
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
    const { run } = await readLog(
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
    const { run } = await readLog(INIT, says("So far."), { ...RESULT, ...result });
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
