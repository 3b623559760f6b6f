/**
 * waza's transcript events: created for readers of other formats, merged with a run's `tool_events` (in newer files, only
 * these have the calls' full arguments), and converted to the steps of a conversation.
 */
import * as z from "zod/mini";
import type { Step } from "../domain/run.ts";
import { lenient, lenientFlag, lenientNumber, lenientText } from "../text/optional.ts";

const toolResult = lenient(
  z.union([
    z.string(),
    z.object({ content: z.optional(z.unknown()), detailedContent: z.optional(z.unknown()) }),
  ]),
);

export const transcriptEvent = z.object({
  type: z.string(),
  content: lenientText,
  message: lenientText,
  arguments: z.optional(z.unknown()),
  success: lenientFlag,
  tool_call_id: lenientText,
  tool_name: lenientText,
  tool_result: toolResult,
});

export const toolCall = z.object({
  name: lenientText,
  arguments: z.optional(z.unknown()),
  result: toolResult,
  success: lenientFlag,
});

export const toolEvent = z.object({
  /** Number of the assistant message with the call, from 1; 0 if unknown. */
  turn: lenientNumber,
  tool_call_id: lenientText,
  tool_name: lenientText,
  args: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  success: lenientFlag,
  error: lenientText,
});

export type TranscriptEvent = z.infer<typeof transcriptEvent>;
type ToolEvent = z.infer<typeof toolEvent>;
type ToolResult = z.infer<typeof toolResult>;

/** What a run of waza's holds of its conversation. */
interface RecordedConversation {
  readonly transcript?: readonly TranscriptEvent[] | undefined;
  readonly tool_events?: readonly ToolEvent[] | undefined;
  readonly session_digest?:
    { readonly tool_calls?: readonly z.infer<typeof toolCall>[] | undefined } | undefined;
}

/** The run's conversation: its transcript with its `tool_events`; if both are empty, the tool calls of its digest. */
export function stepsOf(run: RecordedConversation): Step[] {
  const steps = stepsOfEvents(withToolEvents(run.transcript ?? [], run.tool_events ?? []));
  if (steps.length > 0) return steps;
  return (run.session_digest?.tool_calls ?? []).map((call) => ({
    kind: "tool" as const,
    name: call.name ?? "(unnamed)",
    input: jsonText(call.arguments),
    ...outcome(call.result, call.success),
  }));
}

/**
 * Joins each `tool.execution_complete` to its start: by `tool_call_id` and order, since completions carry no name; one
 * without an id to the first call without a result since the last words. A completion without a start becomes a call of
 * an unnamed tool. The same id with the same arguments is one call. Reasoning and bookkeeping events are left out.
 */
function stepsOfEvents(all: readonly TranscriptEvent[]): Step[] {
  const events = withoutRepeats(all);
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
  let open: TranscriptEvent[] = [];
  let answered = 0;
  for (const event of events) {
    const type = typeOf(event);
    if (type === "tool.execution_start") open.push(...(results.has(event) ? [] : [event]));
    else if (type.endsWith(".message")) [open, answered] = [[], 0];
    else if (type === "tool.execution_complete" && !event.tool_call_id) {
      const start = open[answered];
      answered += 1;
      if (start) results.set(start, event);
    }
  }
  const joined = new Set(results.values());
  return events.flatMap((event) => (joined.has(event) ? [] : (stepOf(event, results.get(event)) ?? [])));
}

/**
 * Of calls with one id that say the same before their result, the first; of one with and one without arguments, the one
 * with. A result that is said again counts where a call with its id has none yet.
 */
function withoutRepeats(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  const places = new Map<string, number>();
  const awaited = new Map<string, number>();
  const kept: TranscriptEvent[] = [];
  for (const event of events) {
    const { tool_call_id: id, tool_name: name } = event;
    const isStart = typeOf(event) === "tool.execution_start";
    if (id && isStart) {
      const input = jsonText(event.arguments);
      const call = JSON.stringify([id, name]);
      const said = `${call}${input === "{}" ? "" : input}`;
      const isOpen = (awaited.get(id) ?? 0) > 0;
      if (isOpen && (places.has(said) || (said === call && places.has(`${call}?`)))) continue;
      const silent = isOpen ? places.get(call) : undefined;
      places.set(said, silent ?? kept.length).set(`${call}?`, kept.length);
      if (silent !== undefined) {
        places.delete(call);
        kept[silent] = event;
        continue;
      }
      awaited.set(id, (awaited.get(id) ?? 0) + 1);
    } else if (id && typeOf(event) === "tool.execution_complete") {
      const said = JSON.stringify([id, "result", resultText(event.tool_result)]);
      const left = awaited.get(id) ?? 0;
      if (left < 1 && places.has(said)) continue;
      places.set(said, kept.length);
      awaited.set(id, left - 1);
    }
    kept.push(event);
  }
  return kept;
}

/** Hand-written legacy files name events after waza's first structs. */
const ALIASES: Readonly<Record<string, string>> = {
  ToolExecutionStart: "tool.execution_start",
  ToolExecutionComplete: "tool.execution_complete",
  Turn: "assistant.message",
};

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
      return toolStep(event, done, jsonText(event.arguments));
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

function turnText({ content, message }: TranscriptEvent): string {
  const text = content || (message ?? "");
  return /^\s*\d+\s*$/.test(text) ? "" : text;
}

function toolStep(
  { tool_name: name }: TranscriptEvent,
  done: TranscriptEvent | undefined,
  input: string,
): Step {
  return { kind: "tool", name: name ?? "(unnamed)", input, ...outcome(done?.tool_result, done?.success) };
}

function outcome(result: ToolResult, success: boolean | undefined) {
  return { result: resultText(result), success };
}

function resultText(result: ToolResult): string | undefined {
  if (result === undefined) return undefined;
  if (typeof result === "string") return result;
  const content = result.detailedContent || result.content;
  return content === undefined || content === null ? undefined : jsonText(content);
}

function jsonText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

/**
 * The transcript with its calls' arguments completed, joined by id. A transcript without any call gets those of the tool
 * events, each after its assistant message (waza counts them from 1, internal/orchestration); a call of an unknown turn
 * comes before the last message.
 */
function withToolEvents(
  transcript: readonly TranscriptEvent[],
  calls: readonly ToolEvent[],
): readonly TranscriptEvent[] {
  if (calls.length === 0) return transcript;
  if (transcript.some((event) => typeOf(event) === "tool.execution_start"))
    return withFullArguments(transcript, calls);
  const messages = transcript.flatMap((event, index) =>
    typeOf(event) === "assistant.message" ? [index] : [],
  );
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

/** A message of the user or the agent. */
export function messageEvent(who: "user" | "assistant", content: string): TranscriptEvent {
  return { type: `${who}.message`, content };
}

/** Adds a piece of a message to the last event, where that is a message of the same voice; else as an event. */
export function addPiece(events: TranscriptEvent[], piece: TranscriptEvent): void {
  const last = events.at(-1);
  if (last?.type !== piece.type || !last.type.endsWith(".message")) events.push(piece);
  else events[events.length - 1] = { ...last, content: `${last.content ?? ""}${piece.content ?? ""}` };
}

/** A tool call; its result has the same id. */
export function callEvent(id: string | undefined, name: string | undefined, input: unknown): TranscriptEvent {
  return {
    type: "tool.execution_start",
    tool_call_id: id || undefined,
    tool_name: name || undefined,
    arguments: input ?? {},
  };
}

/** The result of a call. */
export function resultEvent(id: string | undefined, content: unknown, success?: boolean): TranscriptEvent {
  return {
    type: "tool.execution_complete",
    tool_call_id: id || undefined,
    success,
    tool_result: content === undefined || content === null ? undefined : { content },
  };
}

/** The agent's last message that is not blank; empty if there is none. */
export function lastMessage(events: readonly TranscriptEvent[]): string {
  return events.findLast((event) => isMessageOf(event, "assistant"))?.content ?? "";
}

function isMessageOf({ type, content }: TranscriptEvent, who: string): boolean {
  return type === `${who}.message` && Boolean(content?.trim());
}

/** The user's message before any other event. */
export function promptOf(events: readonly TranscriptEvent[]): string | undefined {
  const first = events.find(({ type, content }) => !type.endsWith(".message") || content?.trim());
  return first && isMessageOf(first, "user") ? first.content : undefined;
}
