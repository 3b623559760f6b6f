/** Merges a run's `tool_events` into its transcript: in newer files, only these have the calls' full arguments. */
import type { ToolEvent, TranscriptEvent } from "../schema.ts";

const STARTS = new Set(["tool.execution_start", "ToolExecutionStart"]);
const MESSAGE = "assistant.message";

/**
 * The transcript with its calls' arguments completed, joined by id. A transcript without any call gets those of the tool
 * events, each after its assistant message (waza counts them from 1, internal/orchestration); a call of an unknown turn
 * comes before the last message.
 */
export function withToolEvents(
  transcript: readonly TranscriptEvent[],
  calls: readonly ToolEvent[],
): readonly TranscriptEvent[] {
  if (calls.length === 0) return transcript;
  if (transcript.some(({ type }) => STARTS.has(type))) return withFullArguments(transcript, calls);
  const messages = transcript.flatMap(({ type }, index) => (type === MESSAGE ? [index] : []));
  const last = messages.at(-1) ?? transcript.length;
  const numbered = calls.map((call, number) => ({ call, number }));
  const byIndex = Map.groupBy(numbered, ({ call: { turn } }) => {
    const message = turn ? messages[turn - 1] : undefined;
    return message === undefined ? last : message + 1;
  });
  return [...transcript, undefined].flatMap((event, index) => [
    ...(byIndex.get(index) ?? []).flatMap(({ call, number }) => asEvents(call, number)),
    ...(event ? [event] : []),
  ]);
}

/** Shortened transcripts cut or drop arguments, so the longer of the two is used. */
function withFullArguments(
  transcript: readonly TranscriptEvent[],
  calls: readonly ToolEvent[],
): readonly TranscriptEvent[] {
  const byId = new Map(calls.map((call) => [call.tool_call_id, call.args]));
  return transcript.map((event) => {
    const args = event.tool_call_id ? byId.get(event.tool_call_id) : undefined;
    return size(args) > size(event.arguments) ? { ...event, arguments: args } : event;
  });
}

function size(value: unknown): number {
  return typeof value === "string" ? value.length : JSON.stringify(value ?? "").length;
}

function asEvents(call: ToolEvent, number: number): TranscriptEvent[] {
  const id = `tool-event-${String(number)}`;
  const result = call.result ?? call.error;
  return [
    {
      type: "tool.execution_start",
      tool_call_id: id,
      tool_name: call.tool_name,
      arguments: call.args,
    },
    {
      type: "tool.execution_complete",
      tool_call_id: id,
      success: call.success,
      tool_result: result === undefined ? undefined : asResult(result),
    },
  ];
}

function asResult(result: unknown): TranscriptEvent["tool_result"] {
  return typeof result === "object" && result !== null && ("content" in result || "detailedContent" in result)
    ? result
    : { content: result };
}
