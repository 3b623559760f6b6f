/**
 * Conversations as the APIs and frameworks have them, one a file: a list of messages, or an object with `messages`, in
 * the shape of OpenAI's chat and Responses APIs, Anthropic's, or LangChain's.
 */
import * as z from "zod/mini";
import { rowsAs } from "../reader.ts";
import type { TranscriptEvent } from "../schema.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, messageEvent, resultEvent } from "../transcript.ts";
import { lenient } from "../../text/optional.ts";

/** Frameworks' role names, and the role that each means. */
const ROLES: ReadonlyMap<string, "user" | "assistant"> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
]);

/* Chat messages, in the format of OpenAI, Anthropic or LangChain, as the events of a waza transcript. */

const text = lenient(z.string());

const part = z.object({
  type: text,
  text,
  refusal: text,
  /** Anthropic's `tool_use` and `tool_result`. */
  id: text,
  name: text,
  input: z.optional(z.unknown()),
  tool_use_id: text,
  content: z.optional(z.unknown()),
  is_error: lenient(z.boolean()),
  /** A `tool_use` with its result (Entire's transcripts). */
  result: z.optional(z.unknown()),
});

const toolCall = z.object({
  id: text,
  function: lenient(z.object({ name: text, arguments: z.optional(z.unknown()) })),
  custom: lenient(z.object({ name: text, input: z.optional(z.unknown()) })),
  /** LangChain's. */
  name: text,
  args: z.optional(z.unknown()),
});

/** One message; a field of another type counts as absent. */
export const chatMessage = z.object({
  role: text,
  content: z.optional(z.unknown()),
  tool_calls: lenient(z.array(toolCall)),
  tool_call_id: text,
  /** LangChain's: `human`, `ai`, `tool` or `system`, a tool's status, and where the message may be nested. */
  type: text,
  status: text,
  data: z.optional(z.unknown()),
  kwargs: z.optional(z.unknown()),
  id: z.optional(z.unknown()),
});

/** Parts with the model's hidden reasoning. */
const THOUGHTS: ReadonlySet<string> = new Set(["thinking", "redacted_thinking", "reasoning"]);
/** Roles that are left out: these messages are not the agent's. */
const IGNORED_ROLES: ReadonlySet<string> = new Set(["system", "developer"]);

/** LangChain's message classes, which older versions write instead of a type. */
const CLASSES: ReadonlyMap<unknown, string> = new Map([
  ["HumanMessage", "human"],
  ["AIMessage", "ai"],
  ["AIMessageChunk", "ai"],
  ["ToolMessage", "tool"],
  ["SystemMessage", "system"],
]);

/** Placeholder for an image. */
export const IMAGE = "[image]";
const IMAGES: ReadonlySet<string> = new Set(["image", "image_url", "input_image"]);
const entireResult = z.object({ output: z.optional(z.unknown()), status: text });

/* Items of OpenAI's Responses API as the events of a waza transcript. Codex keeps its sessions in them. */

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

const conversation = z.object({ messages: z.array(z.unknown()), model: text });
/** LangChain's field for the model. */
const answer = z.object({ response_metadata: z.object({ model_name: z.string() }) });

export const messages: SessionFormat = {
  format: "lists of messages",
  detect: (row) => isConversation(row) || isKnown(row),
  read: (rows) => {
    const conversations = rowsAs(conversation, rows);
    const all = rows.flatMap((row) => rowsAs(conversation, [row])[0]?.messages ?? [row]);
    const unknown = all.filter((row) => !isKnown(row));
    return {
      events: all.flatMap(eventsOf),
      model: conversations[0]?.model || rowsAs(answer, all)[0]?.response_metadata.model_name,
      finalOutput: lastAnswer(rowsAs(chatMessage, all)),
      // Messages beside a conversation belong to another one.
      sessionCount: conversations.length + (rows.some(isKnown) ? 1 : 0),
      unread: rowsAs(chatMessage, unknown).map(({ role, type }) => role ?? type ?? "(none)"),
    };
  },
};

type ChatMessage = z.infer<typeof chatMessage>;

/** Events of the messages, in order. */
export function eventsOfMessages(messages: readonly ChatMessage[]): TranscriptEvent[] {
  return messages.map(unwrap).flatMap((message): TranscriptEvent[] => {
    const { role, content, status, tool_call_id: id, tool_calls: calls } = message;
    if (role === "tool") return [resultEvent(id, textOf(content), status === "error" ? false : undefined)];
    const who = ROLES.get(role ?? "");
    if (who === undefined) return [];
    const events = eventsOfContent(content, who);
    // LangChain repeats Anthropic's calls beside the parts that make them.
    const ids = new Set(events.flatMap(({ tool_call_id: id }) => id ?? []));
    return [...events, ...(calls ?? []).filter((call) => !ids.has(call.id ?? "")).map(startOfCall)];
  });
}

/** Unwraps a LangChain message: it is nested in `data` beside its type, or in `kwargs` beside its class's name. */
function unwrap(message: ChatMessage): ChatMessage {
  const { role, type, id, data, kwargs } = message;
  if (role) return message;
  const named = type === "constructor" ? CLASSES.get(Array.isArray(id) ? id.at(-1) : id) : type;
  const inner = z.safeParse(chatMessage, data ?? kwargs);
  return { ...(inner.success ? inner.data : message), role: named };
}

/** The text of a message, an answer or a tool's result: the text of its parts; any other value as JSON. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  const parts = partsOf(content) ?? [];
  return parts.length > 0 ? parts.map(textOfPart).join("\n") : JSON.stringify(content);
}

/** A parsed part, with the original value. */
interface Content extends Partial<z.infer<typeof part>> {
  readonly original: unknown;
}

/** The parts of a list, if each is a text or an object with a type or text. */
function partsOf(content: unknown): Content[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const parts = content.flatMap((one: unknown) => {
    const parsed = z.safeParse(part, typeof one === "string" ? { text: one } : one);
    const isPart = parsed.success && (parsed.data.text ?? parsed.data.type ?? "") !== "";
    return isPart || one === "" ? [{ ...parsed.data, original: one }] : [];
  });
  return parts.length === content.length ? parts : undefined;
}

/** A part without text is shown as JSON, so that nothing is hidden. */
function textOfPart({ type, text, refusal, original }: Content): string {
  if (IMAGES.has(type ?? "")) return IMAGE;
  return text ?? refusal ?? JSON.stringify(original, withoutBase64);
}

/** Replaces base64 (images and the like) by its size. */
function withoutBase64(_: string, value: unknown): unknown {
  const isEncoded =
    typeof value === "string" && value.length > 1_000 && /^(?:data:[^,]{0,100},)?[\w+/=-]+$/.test(value);
  return isEncoded ? `(${String(value.length)} characters)` : value;
}

function eventsOfContent(content: unknown, who: "user" | "assistant"): TranscriptEvent[] {
  const parts = partsOf(content);
  if (parts === undefined) return [messageEvent(who, textOf(content))];
  return parts.flatMap((one): TranscriptEvent[] => {
    if (one.type?.endsWith("tool_use")) return [callEvent(one.id, one.name, one.input), ...resultInside(one)];
    if (one.type?.endsWith("tool_result"))
      return [resultEvent(one.tool_use_id, textOf(one.content), one.is_error !== true)];
    if (THOUGHTS.has(one.type ?? "")) return [];
    return [messageEvent(who, textOfPart(one))];
  });
}

function resultInside({ id, result }: Content): TranscriptEvent[] {
  if (result === undefined || result === null) return [];
  const { output = result, status } = z.safeParse(entireResult, result).data ?? {};
  return [resultEvent(id, textOf(output), status ? status === "success" : undefined)];
}

function startOfCall({ id, function: own, custom, name, args }: z.infer<typeof toolCall>): TranscriptEvent {
  return callEvent(id, own?.name ?? custom?.name ?? name, own?.arguments ?? custom?.input ?? args);
}

/** All rows are messages, and some have a known role: the agent may only have called tools, or done nothing. */
function isConversation(row: object): boolean {
  return rowsAs(conversation, [row]).some(({ messages: all }) => all.every(isMessage) && all.some(isKnown));
}

/** Whether a row is a message of any role, or a conversation. */
export function isMessage(row: unknown): boolean {
  const isSomebodys = rowsAs(chatMessage, [row]).some(({ role }) => role);
  return isSomebodys || isKnown(row) || (typeof row === "object" && row !== null && isConversation(row));
}

/** A message with content or calls and a known role (or LangChain's type), or an item of the Responses API. */
function isKnown(row: unknown): boolean {
  const isSaid = rowsAs(chatMessage, [row]).some(
    (one) => isKnownRole(one) && (one.content ?? one.tool_calls ?? one.data ?? one.kwargs) !== undefined,
  );
  return isSaid || itemsOf(row).length > 0;
}

/** Whether the role is read, or left out on purpose. */
export function isKnownRole(message: ChatMessage): boolean {
  const role = unwrap(message).role ?? "";
  return ROLES.has(role) || role === "tool" || IGNORED_ROLES.has(role);
}

type ResponseItem = z.infer<typeof responseItem>;

/** Items of the Responses API have a type where messages have a role. */
function itemsOf(row: unknown): ResponseItem[] {
  return rowsAs(responseItem, [row]).filter(
    ({ role, type }) => !role && /^reasoning$|_(?:call|output)$/.test(type ?? ""),
  );
}

function eventsOf(row: unknown): TranscriptEvent[] {
  const items = itemsOf(row);
  return items.length > 0 ? items.flatMap(eventsOfItem) : eventsOfMessages(rowsAs(chatMessage, [row]));
}

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

function outputOf({ call_id: call, output }: ResponseItem): TranscriptEvent {
  if (typeof output !== "object" || output === null || Array.isArray(output))
    return resultEvent(call, textOf(output));
  const { content, success } = output as { content?: unknown; success?: unknown };
  const outcome = typeof success === "boolean" ? success : undefined;
  return resultEvent(call, textOf(content ?? output), outcome);
}

/** The agent's last message with text; empty if there is none. */
export function lastAnswer(messages: readonly ChatMessage[]): string {
  const texts = messages.map((message) =>
    eventsOfMessages([message])
      .flatMap(({ type, content }) => (type === "assistant.message" ? (content ?? []) : []))
      .join("\n"),
  );
  return texts.findLast((text) => text.trim() !== "") ?? "";
}

/** Whether an item is read, or is known to hold no work of the agent (reasoning, snapshots). */
export function isKnownItem({ type }: ResponseItem): boolean {
  return /^(?:message|reasoning|ghost_snapshot|compaction|.*_(?:call|output))$/.test(type ?? "");
}
