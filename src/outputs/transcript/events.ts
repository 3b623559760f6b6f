/** Creates the events of a waza transcript, for readers of other formats. */
import type { TranscriptEvent } from "../schema.ts";

/** A message of the user or the agent. */
export function messageEvent(who: "user" | "assistant", content: string): TranscriptEvent {
  return { type: `${who}.message`, content };
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

/** The user's message before any other event. */
export function promptOf(events: readonly TranscriptEvent[]): string | undefined {
  const first = events.find(({ type, content }) => !type.endsWith(".message") || content?.trim());
  return first && isMessageOf(first, "user") ? first.content : undefined;
}

function isMessageOf({ type, content }: TranscriptEvent, who: string): boolean {
  return type === `${who}.message` && Boolean(content?.trim());
}
