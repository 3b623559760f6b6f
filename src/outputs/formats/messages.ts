/**
 * Conversations as the APIs, frameworks and many agents have them, one a file: a list of messages, or an object with one,
 * in the shape of OpenAI's chat and Responses APIs, Anthropic's, Google's, LangChain's, ATIF (Harbor), SWE-agent, Pi,
 * Qwen Code and what Cursor keeps. They differ in names, which the schemas below list.
 */
import * as z from "zod/mini";
import { isBookkeeping, kindOf, rowsAs } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, messageEvent, resultEvent, type TranscriptEvent } from "../transcript.ts";
import { lenient } from "../../text/optional.ts";

/** Frameworks' role names, and the role that each means. */
const ROLES: ReadonlyMap<string, "user" | "assistant"> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["agent", "assistant"],
]);

/** Roles of a tool's result. */
const TOOL_ROLES: ReadonlySet<string> = new Set(["tool", "toolResult"]);

/** Keys of a list of messages: ATIF has `steps`, SWE-agent `history`. */
const LISTS = ["messages", "steps", "history"] as const;

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
  /** Pi's `toolCall`. */
  arguments: z.optional(z.unknown()),
  /** Google's, and its hidden reasoning. */
  functionCall: lenient(z.object({ id: text, name: text, args: z.optional(z.unknown()) })),
  functionResponse: lenient(z.object({ id: text, name: text, response: z.optional(z.unknown()) })),
  thought: z.optional(z.unknown()),
});

const toolCall = z.object({
  id: text,
  /** ATIF's. */
  tool_call_id: text,
  function_name: text,
  arguments: z.optional(z.unknown()),
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
  /** Google's `content`. */
  parts: z.optional(z.unknown()),
  /** A result's call: SWE-agent's, and Pi's. */
  tool_call_ids: lenient(z.array(z.unknown())),
  toolCallId: text,
  /** SWE-agent's examples for the model, which are not of this run. */
  is_demo: lenient(z.boolean()),
  isError: lenient(z.boolean()),
  /** ATIF's role, and the results of a step's calls. */
  source: text,
  observation: lenient(z.object({ results: lenient(z.array(z.unknown())) })),
  /** LangChain's: `human`, `ai`, `tool` or `system`, and a tool's status. */
  type: text,
  status: text,
  id: z.optional(z.unknown()),
  /** Where the message may be nested; ATIF's text. */
  message: z.optional(z.unknown()),
  payload: z.optional(z.unknown()),
  data: z.optional(z.unknown()),
  kwargs: z.optional(z.unknown()),
});

const observed = z.object({ source_call_id: text, content: z.optional(z.unknown()) });

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

/** A conversation's model, and ATIF's. */
const conversation = z.object({ model: text, agent: lenient(z.object({ model_name: text })) });
/** A message's model: LangChain's, and others'. */
const answer = z.object({
  response_metadata: lenient(z.object({ model_name: text })),
  message: lenient(z.object({ model: text })),
  model: text,
});

export const messages: SessionFormat = {
  format: "lists of messages",
  detect: (row) => isConversation(row) || isKnown(row),
  read: (rows) => {
    const conversations = rows.filter((row) => listIn(row) !== undefined);
    const all = rows.flatMap((row) => listIn(row) ?? [row]);
    const [first] = rowsAs(conversation, conversations);
    return {
      events: all.flatMap(eventsOfRow),
      model: first?.model || first?.agent?.model_name || modelIn(all),
      finalOutput: lastAnswer(rowsAs(chatMessage, all)),
      // Messages beside a conversation belong to another one.
      sessionCount: conversations.length + (rows.some(isKnown) ? 1 : 0),
      unread: all.flatMap((row) => (isRead(row) || isBookkeeping(row) ? [] : kindOf(row))),
    };
  },
};

/** The list of messages of a conversation. */
function listIn(row: unknown): readonly unknown[] | undefined {
  if (typeof row !== "object" || row === null || isKnown(row)) return undefined;
  return LISTS.map((key) => (row as Readonly<Record<string, unknown>>)[key]).find((list) =>
    Array.isArray(list),
  );
}

function modelIn(rows: readonly unknown[]): string | undefined {
  const models = rowsAs(answer, rows).map(
    ({ response_metadata: metadata, message, model }) => metadata?.model_name ?? message?.model ?? model,
  );
  return models.find((model) => model);
}

/** Whether a message is read: something came of it, or there is nothing in it. */
export function isRead(row: unknown): boolean {
  const isSomething = ({ type, content }: TranscriptEvent) => type.startsWith("tool.") || Boolean(content);
  if (itemsOf(row).length > 0 || eventsOfRow(row).some(isSomething)) return true;
  return rowsAs(chatMessage, [row]).some((one) => isKnownRole(one) && isEmpty(unwrap(one)));
}

/** Whether a message has nothing but hidden reasoning, or is left out on purpose. */
function isEmpty({ role = "", content }: ChatMessage): boolean {
  if (IGNORED_ROLES.has(role) || content === null || content === "") return true;
  return content !== undefined && (partsOf(content) ?? []).every(isThought);
}

type ChatMessage = z.infer<typeof chatMessage>;

/** Events of the messages, in order. */
export function eventsOfMessages(messages: readonly ChatMessage[]): TranscriptEvent[] {
  return messages.map(unwrap).flatMap((message): TranscriptEvent[] => {
    const { role = "", content, status, isError, tool_calls: calls } = message;
    if (TOOL_ROLES.has(role)) {
      const [first] = message.tool_call_ids ?? [];
      const id =
        message.tool_call_id ?? message.toolCallId ?? (typeof first === "string" ? first : undefined);
      const success = status === "error" ? false : isError === undefined ? undefined : !isError;
      return [resultEvent(id, textOf(content), success)];
    }
    const who = ROLES.get(role);
    if (who === undefined) return [];
    const events = eventsOfContent(content, who);
    // LangChain repeats Anthropic's calls beside the parts that make them.
    const ids = new Set(events.flatMap(({ tool_call_id: id }) => id ?? []));
    return [
      ...events,
      ...(calls ?? []).filter((call) => !ids.has(call.id ?? "")).map(startOfCall),
      ...rowsAs(observed, message.observation?.results ?? []).map((one) =>
        resultEvent(one.source_call_id, textOf(one.content)),
      ),
    ];
  });
}

/**
 * A message with its role and content by those names. It may be nested beside its role or type; LangChain's has its
 * class's name instead, and ATIF's text is its `message`.
 */
function unwrap(outer: ChatMessage): ChatMessage {
  const { role, type, source, id } = outer;
  const nested = NESTED.map((key) => outer[key]).find((one) => typeof one === "object" && one !== null);
  const inner = z.safeParse(chatMessage, nested).data ?? outer;
  const named = type === "constructor" ? CLASSES.get(Array.isArray(id) ? id.at(-1) : id) : (source ?? type);
  const content =
    inner.content ?? inner.parts ?? (typeof inner.message === "string" ? inner.message : undefined);
  return { ...inner, role: outer.is_demo ? "system" : (inner.role ?? role ?? named), content };
}

const NESTED = ["message", "payload", "data", "kwargs"] as const;

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
    const { text, type, functionCall, functionResponse } = parsed.data ?? {};
    const isPart = Boolean(text ?? type) || functionCall !== undefined || functionResponse !== undefined;
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
    if (isThought(one)) return [];
    const { functionCall: call, functionResponse: answer } = one;
    if (call) return [callEvent(call.id ?? call.name, call.name, call.args)];
    if (answer) return [responseEvent(answer)];
    if (one.type?.endsWith("tool_use") || one.type === "toolCall")
      return [callEvent(one.id, one.name, one.input ?? one.arguments), ...resultInside(one)];
    if (one.type?.endsWith("tool_result"))
      return [resultEvent(one.tool_use_id, textOf(one.content), one.is_error !== true)];
    return [messageEvent(who, textOfPart(one))];
  });
}

function isThought({ type = "", thought }: Content): boolean {
  return THOUGHTS.has(type) || thought === true;
}

function responseEvent({ id, name, response }: NonNullable<Content["functionResponse"]>): TranscriptEvent {
  const { output, error } = Object(response) as { output?: unknown; error?: unknown };
  return resultEvent(id ?? name, textOf(output ?? error ?? response), error === undefined);
}

function resultInside({ id, result }: Content): TranscriptEvent[] {
  if (result === undefined || result === null) return [];
  const { output = result, status } = z.safeParse(entireResult, result).data ?? {};
  return [resultEvent(id, textOf(output), status ? status === "success" : undefined)];
}

function startOfCall({ function: own, custom, name, ...call }: z.infer<typeof toolCall>): TranscriptEvent {
  const input = own?.arguments ?? custom?.input ?? call.arguments ?? call.args;
  return callEvent(
    call.id ?? call.tool_call_id,
    own?.name ?? custom?.name ?? call.function_name ?? name,
    input,
  );
}

/** All rows are messages, and some have a known role: the agent may only have called tools, or done nothing. */
function isConversation(row: object): boolean {
  const all = listIn(row) ?? [];
  return all.every(isMessageRow) && all.some(isKnown);
}

/** Whether a row is a message nested beside its role or type, as agents keep them: such a log may have other rows. */
export function isEnvelope(row: unknown): boolean {
  return rowsAs(chatMessage, [row]).some(
    ({ message, payload }) => typeof (message ?? payload) === "object" && isKnown(row),
  );
}

/** Whether a row is a message of any role, or a conversation. */
export function isMessageRow(row: unknown): boolean {
  const isSomebodys = rowsAs(chatMessage, [row]).some(({ role }) => role);
  return isSomebodys || isKnown(row) || (typeof row === "object" && row !== null && isConversation(row));
}

/** A message with content or calls and a known role (or LangChain's type), or an item of the Responses API. */
function isKnown(row: unknown): boolean {
  const isMessageRow = rowsAs(chatMessage, [row]).some((one) => {
    const { content, tool_calls: calls } = unwrap(one);
    return isKnownRole(one) && (content ?? calls) !== undefined;
  });
  return isMessageRow || itemsOf(row).length > 0;
}

/** Whether the role is read, or left out on purpose. */
export function isKnownRole(message: ChatMessage): boolean {
  const role = unwrap(message).role ?? "";
  return ROLES.has(role) || TOOL_ROLES.has(role) || IGNORED_ROLES.has(role);
}

type ResponseItem = z.infer<typeof responseItem>;

/** Items of the Responses API have a type where messages have a role. */
function itemsOf(row: unknown): ResponseItem[] {
  return rowsAs(responseItem, [row]).filter(
    ({ role, type }) => !role && /^reasoning$|_(?:call|output)$/.test(type ?? ""),
  );
}

function eventsOfRow(row: unknown): TranscriptEvent[] {
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
