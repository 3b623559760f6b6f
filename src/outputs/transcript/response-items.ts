/** Items of OpenAI's Responses API as the events of a waza transcript. Codex keeps its sessions in them. */
import * as z from "zod/mini";
import { lenient } from "../../text/optional.ts";
import type { TranscriptEvent } from "../schema.ts";
import { callEvent, resultEvent, messageEvent } from "./events.ts";
import { textOf } from "./messages.ts";

const text = lenient(z.string());

/** One item; a field of another type counts as absent. */
export const responseItem = z.object({
  type: text,
  role: text,
  content: z.optional(z.unknown()),
  id: text,
  call_id: text,
  name: text,
  arguments: z.optional(z.unknown()),
  input: z.optional(z.unknown()),
  action: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
});

export type ResponseItem = z.infer<typeof responseItem>;

/** Messages of the user and the agent, calls and their results; reasoning is left out. */
export function eventsOfItem(item: ResponseItem): TranscriptEvent[] {
  const { type, role, call_id: call, id } = item;
  if (type === "message")
    return role === "user" || role === "assistant" ? [messageEvent(role, textOf(item.content))] : [];
  if (type?.endsWith("_output")) return [outputOf(item)];
  if (type?.endsWith("_call"))
    return [callEvent(call ?? id, item.name ?? type, item.arguments ?? item.input ?? item.action)];
  return [];
}

/** Whether an item is read, or is known to hold no work of the agent (reasoning, snapshots). */
export function isKnownItem({ type }: ResponseItem): boolean {
  return /^(?:message|reasoning|ghost_snapshot|compaction|.*_(?:call|output))$/.test(type ?? "");
}

function outputOf({ call_id: call, output }: ResponseItem): TranscriptEvent {
  if (typeof output !== "object" || output === null || Array.isArray(output))
    return resultEvent(call, textOf(output));
  const { content, success } = output as { content?: unknown; success?: unknown };
  const outcome = typeof success === "boolean" ? success : undefined;
  return resultEvent(call, textOf(content ?? output), outcome);
}
