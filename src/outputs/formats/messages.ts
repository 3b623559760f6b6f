/**
 * Conversations as the APIs, frameworks and many agents have them, one a file: a list of messages, or an object with one,
 * in the shape of OpenAI's chat and Responses APIs, Anthropic's, Google's, LangChain's, ATIF (Harbor), SWE-agent, Pi,
 * Qwen Code, Goose, Factory's droid and what Cursor keeps. They differ in names, which the schemas below list, and those
 * of parts and calls `parts.ts`.
 */
import { Json } from "../../text/json.ts";
import { isBookkeeping, kindOfRow } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { addPiece, type LogEvent } from "../transcript.ts";
import { isObject } from "../../text/format.ts";
import { eventsOfPart, natureOf, readField, textOf, typeIn } from "./parts.ts";

/** Role names of APIs and frameworks, and what each means: the messages of `none` are not the agent's, and left out. */
const ROLES: ReadonlyMap<string, "user" | "assistant" | "tool" | "none"> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["agent", "assistant"],
  ["tool", "tool"],
  ["toolResult", "tool"],
  ["system", "none"],
  ["developer", "none"],
]);

/** Whether a role is the user's or the agent's. */
function isVoice(role: string): boolean {
  return /^(?:user|assistant)$/.test(ROLES.get(role) ?? "");
}

/** LangChain's message classes, which older versions write instead of a type. */
const CLASSES: ReadonlyMap<unknown, string> = new Map([
  ["HumanMessage", "human"],
  ["AIMessage", "ai"],
  ["AIMessageChunk", "ai"],
  ["ToolMessage", "tool"],
  ["SystemMessage", "system"],
]);

/** Keys of a list of messages: ATIF has `steps`, SWE-agent `history`, Goose `conversation`, the API of agents `data`. */
const LISTS = ["messages", "steps", "history", "conversation", "data"] as const;

/** Keys that a message may be nested in. */
const NESTED = ["message", "payload", "data", "kwargs"] as const;

export const messages: SessionFormat = {
  format: "lists of messages",
  detect: (row) => isConversation(row) || isKnownMessage(row),
  read: (rows) => {
    const conversations = rows.filter((row) => messageList(row) !== undefined);
    const all = withTextActions(rows.flatMap((row) => messageList(row) ?? [row]));
    const reads = joinedRows(all);
    const last = all.findLast((row) => !isBookkeeping(row));
    const beside = besideMessages(conversations[0]);
    return {
      events: [...reads.flatMap(({ events }) => events), ...beside.events],
      model: modelIn([...conversations.slice(0, 1), ...all]),
      finalOutput: beside.answer || lastWords(reads),
      failure: beside.failure ?? errorIn(last),
      // Messages beside a conversation belong to another one.
      sessions: [...conversations, ...(rows.some(isKnownMessage) ? ["messages beside them"] : [])],
      unread: [...reads.flatMap(({ unread }) => unread), ...beside.unread],
    };
  },
};

/** Keys of the answer beside a list of messages. The last is A2A's. */
const ANSWERS = "final_output final_answer answer output response result completion artifacts".split(" ");

/** Keys whose lists and mappings hold no words of the agent. */
const LABELS: ReadonlySet<string> = new Set(
  "agent config environment final_metrics info meta metadata metrics model status tags tools usage".split(
    " ",
  ),
);

/** What stands beside the messages of a conversation: the answer, an error, calls, and the keys that are not read. */
function besideMessages(row: unknown) {
  const fields = isObject(row) ? row : {};
  const list = LISTS.find((key) => Array.isArray(fields[key]));
  const answers = ANSWERS.map((key) => ({ key, text: wordsIn(fields[key]) }));
  const answer = answers.find(({ text }) => text !== "");
  const beside = Object.entries(fields).filter(([key, value]) => {
    // SWE-agent's `trajectory` says again what its `history` says.
    const isRead = [answer?.key, list, "error"].includes(key) || (list === "history" && key === "trajectory");
    const isFilled =
      typeof value === "string" ? value.includes("\n") : Object.keys(Object(value) as object).length > 0;
    return !isRead && !LABELS.has(key) && isFilled;
  });
  const reads = beside.flatMap(([key, value]) => {
    const read = readField(key, value);
    return read.some(isEvent) ? read : key;
  });
  return { answer: answer?.text, failure: failureIn(fields), ...eventsAndKinds(reads) };
}

/** A text, or the text of parts, of which A2A's artifacts are lists; empty for anything else. */
function wordsIn(value: unknown): string {
  if (typeof value === "string") return value.trim() === "" ? "" : value;
  const parts = [value]
    .flat()
    .flatMap((one) => (isObject(one) && Array.isArray(one.parts) ? one.parts : one));
  const events = parts.map((one) => eventsOfPart(one, "assistant"));
  const isText = events.every((some) => some?.every(({ kind }) => kind === "assistant"));
  return value !== undefined && isText ? textOf(parts) : "";
}

/** Why the run of a conversation failed: its `error`, or a status that says so (A2A's is an object). */
function failureIn({ error, status }: Readonly<Record<string, unknown>>): string | undefined {
  const said = failureOf(isObject(error) ? (error.message ?? error) : error);
  const state = isObject(status) ? status.state : status;
  const isFailed = typeof state === "string" && /^(?:error|fail|reject|cancel)/.test(state);
  return said ?? (isFailed ? state : undefined);
}

/** What an `error` says; undefined where it says that there was none. */
export function failureOf(error: unknown): string | undefined {
  const none = [undefined, null, false, "", 0].includes(error as never);
  if (none || (typeof error === "object" && Object.keys(error ?? {}).length === 0)) return undefined;
  return error === true ? "its record says `error: true`" : textOf(error);
}

/** SWE-agent's actions that are text, as calls; what the user seems to say after one is its result. */
function withTextActions(rows: readonly unknown[]): readonly unknown[] {
  let wasAction = false;
  return rows.map((row) => {
    const { role, action, thought, content, tool_calls: calls } = isObject(row) ? row : {};
    const isResult = wasAction && role === "user";
    wasAction = role === "assistant" && typeof action === "string" && action !== "" && !Array.isArray(calls);
    if (isResult) return { role: "tool", content };
    const words = typeof thought === "string" && thought !== "" ? thought : content;
    return wasAction ? { role, content: words, tool_calls: [{ name: "action", arguments: action }] } : row;
  });
}

/** What a row of an error says; undefined for other rows. */
function errorIn(row: unknown): string | undefined {
  if (!isObject(row) || row.type !== "error") return undefined;
  const { message, error } = row;
  return textOf(message ?? (isObject(error) ? (error.message ?? error) : error)) || "error";
}

/** The list of messages of a conversation. */
function messageList(row: unknown): readonly unknown[] | undefined {
  if (!isObject(row) || isKnownMessage(row)) return undefined;
  return LISTS.map((key) => row[key]).find((list) => Array.isArray(list));
}

/** Where a message or a conversation names its model: LangChain's, others', and ATIF's. */
const MODELS = [
  ["response_metadata", "model_name"],
  ["message", "model"],
  ["model"],
  ["agent", "model_name"],
];

/** The model that is named first. */
function modelIn(rows: readonly unknown[]): string | undefined {
  return rows.flatMap((row) => MODELS.flatMap((path) => new Json(row).text(...path) || [])).at(0);
}

/** What is read of a row: its events, and the kinds of itself or its parts that are not read. */
export interface RowRead {
  readonly id?: unknown;
  readonly events: readonly LogEvent[];
  readonly unread: readonly string[];
}

/** The rows, those with the same id joined: a message may be printed in pieces (Goose). */
function joinedRows(rows: readonly unknown[]): RowRead[] {
  const reads: { id: unknown; events: LogEvent[]; unread: string[] }[] = [];
  for (const row of rows) {
    const { id, events, unread } = readRow(row);
    const before = reads.at(-1);
    if (before === undefined || id === undefined || id !== before.id) {
      reads.push({ id, events: [...events], unread: [...unread] });
      continue;
    }
    const [piece, ...rest] = events;
    if (piece) addPiece(before.events, piece);
    before.events.push(...rest);
    before.unread.push(...unread);
  }
  return reads;
}

/** A row: a message, or a call, a result or hidden reasoning by itself. */
export function readRow(row: unknown): RowRead {
  const error = errorIn(row);
  if (error !== undefined) return { events: [{ kind: "error", text: error }], unread: [] };
  const message = new Json(row);
  if (!message.isObject()) return { events: [], unread: isBookkeeping(row) ? [] : [kindOfRow(row)] };
  if (isByItself(message)) return { events: eventsOfPart(row, "assistant") ?? [], unread: [] };
  const inner = unwrap(message);
  const { events, unread } = readMessage(inner);
  const isSilent = isKnownRole(inner) && holdsNothing(inner);
  const isLeftOut =
    isSilent ||
    isBookkeeping(row) ||
    unread.length > 0 ||
    events.some((event) => !("text" in event) || event.text !== "");
  return {
    id: isEnvelope(row) ? inner.at("id").value : undefined,
    events,
    unread: isLeftOut ? unread : [kindOfRow(row)],
  };
}

/** Whether a message has nothing but hidden reasoning, or is left out on purpose. */
function holdsNothing(message: Json): boolean {
  const content = message.at("content").value;
  if (ROLES.get(message.text("role") ?? "") === "none" || content === "") return true;
  return content !== undefined && partsIn(content).every((one) => eventsOfPart(one, "user")?.length === 0);
}

/** A message with its role and content by those names. */
function readMessage(message: Json): Omit<RowRead, "id"> {
  const role = ROLES.get(message.text("role") ?? "");
  const parts = partsIn(message.at("content").value);
  const natures = parts.map((one) => (isObject(one) ? natureOf(typeIn(one) ?? "") : undefined));
  if (role === "tool" && !natures.includes("result")) return { events: resultOfRole(message), unread: [] };
  const who = role === "tool" ? "assistant" : role;
  if (who === undefined || who === "none" || isOfOtherType(message)) return { events: [], unread: [] };
  const beside = Object.entries(message.value as object).filter(([key]) => !OWN_FIELDS.has(key));
  return eventsAndKinds([
    ...parts.flatMap((one): readonly (LogEvent | string)[] => eventsOfPart(one, who) ?? [kindOfRow(one)]),
    ...beside.flatMap(([key, value]) => readField(key, value)),
  ]);
}

function isEvent(read: LogEvent | string): read is LogEvent {
  return typeof read !== "string";
}

/** The events, and the kinds of what is not read. */
function eventsAndKinds(reads: readonly (LogEvent | string)[]): Omit<RowRead, "id"> {
  return { events: reads.filter(isEvent), unread: reads.filter((one) => typeof one === "string") };
}

/** Fields whose value is the content, or says something of the message. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["content", "parts", "usage", "metadata", ...NESTED]);

/** The parts of a message's content: those of a list, or one; an object is one part, or its `parts`. */
function partsIn(content: unknown): readonly unknown[] {
  if (isObject(content) && Array.isArray(content.parts)) return content.parts as readonly unknown[];
  if (content === undefined || content === null) return [""];
  return Array.isArray(content) ? content : [typeof content === "object" ? content : textOf(content)];
}

/** The result of a call, in a message of its own; its call is SWE-agent's, or Pi's. */
function resultOfRole(message: Json): LogEvent[] {
  const [first] = message.list("tool_call_ids");
  const id = message.text("tool_call_id") ?? message.text("toolCallId");
  // The last is Agno's.
  const isFailed = message.text("status") === "error" || message.flag("tool_call_error") === true;
  const part = {
    type: "tool_result",
    tool_call_id: id ?? (typeof first === "string" ? first : undefined),
    content: textOf(message.at("content").value) || textOf(message.at("error").value),
    isError: isFailed ? true : message.flag("isError"),
  };
  return eventsOfPart(part, "assistant") ?? [];
}

/**
 * A message with its role and content by those names. It may be nested beside its role or type; LangChain's has its
 * class's name instead, and ATIF's text is its `message`.
 */
function unwrap(outer: Json): Json {
  const type = outer.text("type");
  const inner = NESTED.map((key) => outer.at(key)).find((one) => one.isObject()) ?? outer;
  // `human`, `agent_message`.
  const inType = /^(\w+?)_message$/.exec(type ?? "")?.[1] ?? type;
  const ofClass = outer.list("id").at(-1) ?? outer.at("id").value;
  const named = type === "constructor" ? CLASSES.get(ofClass) : (outer.text("source") ?? inType);
  // SWE-agent's examples for the model are not of this run.
  const role = outer.flag("is_demo") ? "system" : roleOf(inner.text("role") ?? outer.text("role") ?? named);
  return new Json({ ...(inner.value as object), role, content: contentIn(inner) });
}

/** The content, before it what its `parts` do not say again (the AI SDK writes both). */
function contentIn(message: Json): unknown {
  const content = message.at("content").value ?? message.text("message") ?? message.text("text");
  // Google's.
  const parts = message.at("parts").value;
  if (!Array.isArray(parts) || isObject(content) || Array.isArray(content)) return content ?? parts;
  const isSaid = !textOf(content).trim() || textOf(parts).includes(textOf(content));
  return isSaid ? parts : [content, ...(parts as readonly unknown[])];
}

/** Goose has written roles with a capital letter. */
function roleOf(name: string | undefined): string | undefined {
  const lower = name?.toLowerCase();
  return lower !== undefined && ROLES.has(lower) ? lower : name;
}

/** A message is of no type, of the type `message` or a text, or of its role's. Others are notes of the client. */
function isOfOtherType(message: Json): boolean {
  const type = typeOf(message) ?? "message";
  return (
    !/(?:^|_)message$/.test(type) && natureOf(type) !== "text" && !isVoice(type) && type !== "constructor"
  );
}

function typeOf(row: Json): string | undefined {
  return typeIn(row.value as Readonly<Record<string, unknown>>);
}

/** Whether a row is a call, a result or hidden reasoning by itself: by its type, without a message in it. */
function isByItself(row: Json): boolean {
  const nature = natureOf(typeOf(row) ?? "");
  if (nature === "thought") return true;
  if (NESTED.some((key) => typeof row.at(key).value === "object")) return false;
  const role = row.text("role");
  const isOfAgent = role === undefined || isVoice(role);
  if (nature === "call") return isOfAgent;
  const names = ["id", "tool_use_id", "tool_call_id", "call_id", "toolCallId"] as const;
  const isNamed = role !== undefined || names.some((key) => row.at(key).value !== undefined);
  return nature === "result" && isOfAgent && isNamed;
}

/** All rows are messages, and some have a known role: the agent may only have called tools, or done nothing. */
function isConversation(row: object): boolean {
  const all = messageList(row) ?? [];
  return all.every(isMessageRow) && all.some(isKnownMessage);
}

/** Whether a row is a message nested beside its role or type, as agents keep them: such a log may have other rows. */
export function isEnvelope(row: unknown): boolean {
  const held = new Json(row);
  return typeof (held.at("message").value ?? held.at("payload").value) === "object" && isKnownMessage(row);
}

/** Whether a row is a message of any role, a conversation, or one that is known to hold no message. */
export function isMessageRow(row: unknown): boolean {
  return (
    Boolean(new Json(row).text("role")) ||
    isBookkeeping(row) ||
    errorIn(row) !== undefined ||
    isKnownMessage(row) ||
    (isObject(row) && isConversation(row))
  );
}

/** A message with content or calls and a known role (or LangChain's type), or a call or result by itself. */
function isKnownMessage(row: unknown): boolean {
  const message = new Json(row);
  if (!message.isObject()) return false;
  if (isByItself(message)) return true;
  const inner = unwrap(message);
  return (
    isKnownRole(inner) && (inner.at("content").value !== undefined || inner.all("tool_calls").length > 0)
  );
}

/** Whether the role is read, or left out on purpose. */
function isKnownRole(message: Json): boolean {
  return ROLES.has(message.text("role") ?? "");
}

/** The agent's last message with text; empty if there is none. */
export function lastWords(reads: readonly RowRead[]): string {
  const texts = reads.map(({ events }) =>
    events.flatMap((event) => (event.kind === "assistant" ? event.text : [])).join("\n"),
  );
  return texts.findLast((words) => words.trim() !== "") ?? "";
}
