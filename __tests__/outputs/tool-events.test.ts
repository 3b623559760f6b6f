import { describe, expect, test } from "@jest/globals";
import type { TranscriptEvent, WazaRun } from "../../src/outputs/formats/waza.ts";
import { stepsOf } from "../../src/outputs/transcript.ts";

const event = (type: string, more: Partial<TranscriptEvent> = {}): TranscriptEvent => ({
  type,
  content: undefined,
  message: undefined,
  arguments: undefined,
  success: undefined,
  tool_call_id: undefined,
  tool_name: undefined,
  tool_result: undefined,
  ...more,
});
const call = (turn: number, more: Partial<NonNullable<WazaRun["tool_events"]>[number]> = {}) => ({
  turn,
  tool_call_id: undefined,
  tool_name: "bash",
  args: { command: `turn ${String(turn)}` },
  result: "ok",
  success: true,
  error: undefined,
  ...more,
});
const messageRow = (content: string) => event("assistant.message", { content });
const user = event("user.message", { content: "Do it." });

const steps = (run: Partial<WazaRun>) => stepsOf(run);
const shown = (run: Partial<WazaRun>) =>
  steps(run).map((step) => (step.kind === "tool" ? step.input : step.text));

describe("tool events", () => {
  test("are the calls of a transcript that has none, each after the message that made it", () => {
    const transcript = [user, messageRow(""), messageRow("Half."), messageRow("Done.")];
    expect(shown({ transcript, tool_events: [call(1), call(1), call(2)] })).toEqual([
      "Do it.",
      '{"command":"turn 1"}',
      '{"command":"turn 1"}',
      "Half.",
      '{"command":"turn 2"}',
      "Done.",
    ]);
  });

  test("of an unknown turn stand before the last message", () => {
    const transcript = [user, messageRow("Half."), messageRow("Done.")];
    const tool_events = [call(0), call(9)];
    expect(shown({ transcript, tool_events })).toEqual([
      "Do it.",
      "Half.",
      '{"command":"turn 0"}',
      '{"command":"turn 9"}',
      "Done.",
    ]);
  });

  test("are the conversation of a run without a transcript", () => {
    expect(steps({ tool_events: [call(1, { result: undefined, error: "denied", success: false })] })).toEqual(
      [{ kind: "tool", name: "bash", input: '{"command":"turn 1"}', result: "denied", success: false }],
    );
  });

  test.each([
    ["text", "plain", "plain"],
    ["data", { exit: 0 }, '{"exit":0}'],
    ["a tool result", { content: "short", detailedContent: "long" }, "long"],
  ])("show a result that is %s", (_name, result, text) => {
    expect(steps({ tool_events: [call(1, { result })] })[0]).toMatchObject({ result: text });
  });

  test("complete the arguments of the transcript's calls, joined by id", () => {
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
    expect(shown({ transcript, tool_events })).toEqual([
      JSON.stringify(full),
      JSON.stringify(full),
      '{"path":"longer by far"}',
    ]);
  });
});
