/** Requests and replies of chat completions. Anything but a valid reply is an error, never a grade. */
import type { Call, ModelRequest, Reply, RequestProfile, Turn } from "./wire.ts";
import {
  type ReadOptions,
  contentText,
  isErrorSet,
  readReply,
  refusalIn,
  replyOf,
  unreadableReply,
} from "./reply.ts";
import { Json } from "../../text/json.ts";

/** Parses a successful reply. Throws JudgeError `invalid-reply` if it is not a chat completion. */
export function readChatReply(body: string, options: ReadOptions): Reply {
  const { turn, redact } = options;
  const reply = readReply(body, options);
  // One choice was requested; some servers split its text and calls into several.
  const choices = reply.list("choices").map((choice) => new Json(choice));
  const messages = choices.map((choice) => choice.at("message"));
  if (messages.length === 0 || !messages.every(isReadableMessage))
    throw unreadableReply("its answer is not a chat completion", redact(body));
  if (messages.some((message) => isErrorSet(message.at("function_call").value)))
    throw unreadableReply("it calls functions by `function_call`, which tools have replaced", redact(body));
  const items = messages.flatMap((message) => message.all("tool_calls"));
  const seen = new Set<string>();
  const calls = items.map((item, index) => {
    const id = item.text("id");
    const isUnique = id && !seen.has(id);
    if (id) seen.add(id);
    return {
      id: isUnique ? id : `call_${String(turn)}_${String(index)}`,
      // Some servers leave out the wrapper, and newer models have custom tools.
      name: item.text("function", "name") ?? item.text("custom", "name") ?? item.text("name") ?? "",
      arguments:
        item.at("function", "arguments").value ??
        item.at("custom", "input").value ??
        item.at("arguments").value,
    };
  });
  const contents = messages.map((message) => message.at("content").value);
  return replyOf(
    reply,
    {
      raw: [messageToSend(messages, items, calls)],
      calls,
      contents,
      ends: choices.map((choice, index) => ({
        finish: choice.text("finish_reason") || "no `finish_reason`",
        refusal: choice.text("message", "refusal") ?? refusalIn(contents[index]),
      })),
      showsThoughts: messages.some(showsThoughts),
    },
    { redact, words: { sent: "prompt", written: "completion" } },
  );
}

/** Whether a message can be read: no call of its list is dropped for its form. */
function isReadableMessage(message: Json): boolean {
  const calls = message.at("tool_calls");
  const isList = calls.value === undefined || calls.isList();
  return (
    message.isObject() && isList && calls.list().every((call) => call === null || new Json(call).isObject())
  );
}

/** Whether a message shows thoughts: in a field or a part of its content that is named for them, or as a tag. */
function showsThoughts(message: Json): boolean {
  const isOfThoughts = (name: string) => /^(?:reasoning|thinking)/.test(name);
  const isFilled = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  return (
    message.keys().some((name) => isOfThoughts(name) && isFilled(message.at(name).value)) ||
    message.list("content").some((part) => isOfThoughts(new Json(part).type)) ||
    contentText(message.at("content").value).trimStart().startsWith("<think")
  );
}

/**
 * The message as strict servers accept it: every call with a unique id, a type and arguments as text, no empty list of
 * calls. Well-formed parts are unchanged.
 */
function messageToSend(messages: readonly Json[], items: readonly Json[], calls: readonly Call[]): object {
  const [first, second] = messages;
  const { tool_calls: _, ...rest } = first?.value as Record<string, unknown>;
  const content = second
    ? messages.map((message) => contentText(message.at("content").value)).join("")
    : rest.content;
  const message = { ...rest, refusal: first?.text("refusal"), role: "assistant" };
  if (calls.length === 0) return { ...message, content: content ?? "" };
  const tool_calls = calls.map(({ id, name, arguments: args }, index) => {
    const item = items[index]?.value as { function?: object | undefined };
    const text = typeof args === "string" ? args : JSON.stringify(args ?? {});
    return { type: "function", ...item, id, function: { ...item.function, name, arguments: text } };
  });
  return { ...message, content, tool_calls };
}

/** The request body. Neither `temperature` nor `tool_choice` is sent: too many servers refuse them. */
export function chatRequest(request: ModelRequest): Record<string, unknown> {
  const { model, turns, tools, schema, profile, maxTokens } = request;
  return {
    model,
    messages: withSystemRole(turns, profile.systemRole).flatMap((turn) => messagesOfTurn(turn, profile)),
    tools: profile.tools ? tools : undefined,
    response_format: schema && {
      type: "json_schema",
      json_schema: { name: "verdict", schema, strict: true },
    },
    reasoning_effort: profile.effort,
    ...(profile.limitField && { [profile.limitField]: maxTokens }),
    ...cacheFields(request),
  };
}

/** Changes the role of the system message; as `user`, adjacent messages are merged, for servers that require alternating roles. */
export function withSystemRole(turns: readonly Turn[], role: "system" | "user"): readonly Turn[] {
  const [first] = turns;
  if (role === "system" || first?.kind !== "message" || first.message.role !== "system") return turns;
  const renamed: Turn[] = [{ kind: "message", message: { ...first.message, role } }, ...turns.slice(1)];
  return renamed.reduce(mergeNeighbours, []);
}

function mergeNeighbours(turns: readonly Turn[], next: Turn): Turn[] {
  const last = turns.at(-1);
  if (last?.kind !== "message" || next.kind !== "message" || last.message.role !== next.message.role)
    return [...turns, next];
  const content = `${last.message.content}\n\n${next.message.content}`;
  return [...turns.slice(0, -1), { kind: "message", message: { ...next.message, content } }];
}

function messagesOfTurn(turn: Turn, profile: RequestProfile): readonly unknown[] {
  if (turn.kind === "message") return [{ ...turn.message, content: messageContent(turn, profile, "text") }];
  if (turn.kind === "reply") return turn.raw;
  return [{ role: "tool", tool_call_id: turn.id, content: turn.content }];
}

/* Requests of the chat completions API (https://platform.openai.com/docs/api-reference/chat/create). */

type MessageTurn = Extract<Turn, { kind: "message" }>;

/** A message's text, or a content part with a cache marker at the end of what requests share. */
export function messageContent(
  turn: MessageTurn,
  { caching }: RequestProfile,
  type: "text" | "input_text",
): unknown {
  const { content } = turn.message;
  if (!turn.endsSharedPrefix) return content;
  if (caching.includes("breakpoint"))
    return [{ type, text: content, prompt_cache_breakpoint: { mode: "explicit" } }];
  if (caching.includes("cache_control"))
    return [{ type, text: content, cache_control: { type: "ephemeral" } }];
  return content;
}

/**
 * OpenAI's prompt cache fields. In explicit mode only what ends at a breakpoint is cached and paid for; by default the
 * whole request would be, including a last message that no other request has.
 */
export function cacheFields({ profile: { caching }, cacheKey }: ModelRequest): object {
  return {
    prompt_cache_key: caching.includes("key") ? cacheKey : undefined,
    prompt_cache_options: caching.includes("breakpoint") ? { mode: "explicit" } : undefined,
  };
}
