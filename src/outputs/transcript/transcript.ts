/** Converts a waza transcript's events to the steps of a conversation. */
import type { Step } from "../../domain/run.ts";
import type { TranscriptEvent, ToolResult, WazaRun } from "../schema.ts";
import { withToolEvents } from "./tool-events.ts";

/** Hand-written legacy files name events after waza's first structs. */
const ALIASES: Readonly<Record<string, string>> = {
  ToolExecutionStart: "tool.execution_start",
  ToolExecutionComplete: "tool.execution_complete",
  Turn: "assistant.message",
};

/** The run's conversation: its transcript with its `tool_events`; if both are empty, the tool calls of its digest. */
export function stepsOf(run: WazaRun): Step[] {
  const steps = stepsOfEvents(withToolEvents(run.transcript ?? [], run.tool_events ?? []));
  if (steps.length > 0) return steps;
  return (run.session_digest?.tool_calls ?? []).map((call) => ({
    kind: "tool" as const,
    name: call.name ?? "(unnamed)",
    input: asJson(call.arguments),
    ...outcome(call.result, call.success),
  }));
}

/**
 * Joins each `tool.execution_complete` to its start by `tool_call_id` and order, since completions carry no name. A
 * completion without a start becomes a call of an unnamed tool. Reasoning and bookkeeping events are left out.
 */
function stepsOfEvents(events: readonly TranscriptEvent[]): Step[] {
  const byId = (type: string) =>
    Map.groupBy(
      events.filter((event) => typeOf(event) === type && event.tool_call_id),
      (event) => event.tool_call_id ?? "",
    );
  const completions = byId("tool.execution_complete");
  const results = new Map<TranscriptEvent, TranscriptEvent>();
  for (const [id, starts] of byId("tool.execution_start"))
    for (const [index, start] of starts.entries()) {
      const done = completions.get(id)?.[index];
      if (done) results.set(start, done);
    }
  const joined = new Set(results.values());
  return events.flatMap((event) => (joined.has(event) ? [] : (stepOf(event, results.get(event)) ?? [])));
}

/** The event's type under its current name. */
export function typeOf(event: TranscriptEvent): string {
  return ALIASES[event.type] ?? event.type;
}

function stepOf(event: TranscriptEvent, done: TranscriptEvent | undefined): Step | undefined {
  // A legacy `Turn` may hold no more than its number.
  const content = event.type === "Turn" ? turnText(event) : (event.content ?? "");
  switch (typeOf(event)) {
    case "user.message":
      return content.trim() === "" ? undefined : { kind: "user", text: content };
    case "assistant.message":
      return content.trim() === "" ? undefined : { kind: "assistant", text: content };
    case "tool.execution_start":
      return toolStep(event, done, asJson(event.arguments));
    case "tool.execution_complete":
      return toolStep(event, event, "");
    case "skill.invoked":
      return { kind: "skill", text: content || (event.message ?? "") };
    case "session.error":
      return { kind: "error", text: event.message ?? content };
    default:
      return undefined;
  }
}

function toolStep(
  { tool_name: name }: TranscriptEvent,
  done: TranscriptEvent | undefined,
  input: string,
): Step {
  return { kind: "tool", name: name ?? "(unnamed)", input, ...outcome(done?.tool_result, done?.success) };
}

function turnText({ content, message }: TranscriptEvent): string {
  const text = content || (message ?? "");
  return /^\s*\d+\s*$/.test(text) ? "" : text;
}

function outcome(result: ToolResult, success: boolean | undefined) {
  return { result: resultText(result), success };
}

function resultText(result: ToolResult): string | undefined {
  if (result === undefined) return undefined;
  if (typeof result === "string") return result;
  const content = result.detailedContent || result.content;
  if (content === undefined || content === null) return undefined;
  return typeof content === "string" ? content : asJson(content);
}

function asJson(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}
