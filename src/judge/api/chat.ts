/** Requests and replies of chat completions. Anything but a valid reply is an error, never a grade. */
import * as z from "zod/mini";
import type { Call, ModelRequest, Reply, RequestProfile, Turn } from "./wire.ts";
import type { HttpError } from "./client.ts";
import { readUsage } from "./usage.ts";
import { JudgeError } from "../judge.ts";
import type { Redact } from "../../safety/redact.ts";
import { isObject, messageOf, shorten } from "../../text/format.ts";
import { lenient, optional } from "../../text/optional.ts";

/** Characters of a reply in an error. */
const REPLY_EXCERPT = 200;

const call = z.looseObject({
  id: lenient(z.string()),
  function: optional(z.looseObject({ name: optional(z.string()), arguments: z.optional(z.unknown()) })),
  // Some servers leave out the wrapper, and newer models have custom tools.
  name: optional(z.string()),
  arguments: z.optional(z.unknown()),
  custom: optional(z.looseObject({ name: optional(z.string()), input: z.optional(z.unknown()) })),
});

const reply = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: lenient(z.string()),
        message: z.looseObject({
          function_call: z.optional(z.unknown()),
          content: z.optional(z.unknown()),
          refusal: lenient(z.string()),
          tool_calls: optional(z.array(z.nullable(call))),
        }),
      }),
    )
    .check(z.minLength(1)),
  model: lenient(z.string()),
  usage: z.optional(z.unknown()),
});

export interface ReadOptions {
  /** Index in the conversation, for ids of calls without one. */
  readonly turn: number;
  readonly redact: Redact;
  /** Headers of the reply, for an error in place of a reply. */
  readonly headers: Headers;
}

/** Parses a successful reply. Throws JudgeError `invalid-reply` if it is not a chat completion. */
export function readChatReply(body: string, options: ReadOptions): Reply {
  const { turn, redact } = options;
  const { usage, choices, model } = readBy(reply, "a chat completion", { ...options, body });
  // One choice was requested; some servers split its text and calls into several.
  const messages = choices.map(({ message }) => message);
  const toolCalls = messages.flatMap((message) => (message.tool_calls ?? []).filter((one) => one !== null));
  if (messages.some((message) => isErrorSet(message.function_call)))
    throw unreadableReply("it calls functions by `function_call`, which tools have replaced", redact(body));
  const seen = new Set<string>();
  const calls = toolCalls.map(({ id, ...call }, index) => {
    const isUnique = id && !seen.has(id);
    if (id) seen.add(id);
    return {
      id: isUnique ? id : `call_${String(turn)}_${String(index)}`,
      name: call.function?.name ?? call.custom?.name ?? call.name ?? "",
      arguments: call.function?.arguments ?? call.custom?.input ?? call.arguments,
    };
  });
  const text = messages.map(({ content }) => contentText(content)).join("");
  const holds = text.trim() !== "" || calls.length > 0;
  const [unfinished] = choices.flatMap(
    ({ finish_reason: finish, message }) =>
      whyUnfinished(
        redact(finish || "no `finish_reason`"),
        redact(message.refusal ?? refusalIn(message.content)),
        holds,
      ) ?? [],
  );
  const [only = {}] = messages;
  const whole = { ...only, content: messages.length === 1 ? only.content : text, tool_calls: toolCalls };
  return {
    raw: [withCallIds(whole, calls)],
    calls,
    text,
    ...readUsage(usage, { sent: "prompt", written: "completion", isShown: messages.some(showsThoughts) }),
    model: model || undefined,
    unfinished,
  };
}

/** The body by its schema. Throws JudgeError `invalid-reply` if it is none, or the error that is in its place. */
export function readBy<T extends z.core.$ZodType>(
  schema: T,
  what: string,
  { body, redact, headers }: ReadOptions & { readonly body: string },
): z.output<T> {
  const value = parseReplyJson(body, redact);
  const { choices, error: own } = Object(value) as { readonly choices?: unknown; readonly error?: unknown };
  const errors = [choices].flat().map((choice) => (Object(choice) as { error?: unknown }).error);
  const error = [...errors, own].find(isErrorSet);
  if (error !== undefined) throw errorInReply(error, { redact, headers });
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) throw unreadableReply(`its answer is not ${what}`, redact(body));
  return parsed.data;
}

/** The error for a body that is not a reply, with an excerpt. */
export function unreadableReply(what: string, body: string): JudgeError {
  const excerpt = shorten(body.replace(/\s+/g, " ").trim(), REPLY_EXCERPT);
  return new JudgeError(
    "invalid-reply",
    `The judge's reply cannot be read: ${what}: ${excerpt || "(empty)"}`,
    {
      help: "Check `base-url`: it has to be the root of an OpenAI-compatible API that does not stream by default, usually ending in `/v1`.",
    },
  );
}

function parseReplyJson(body: string, redact: Redact): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const what = /^\s*</.test(body)
      ? "it answered with a web page"
      : /^\s*(?:data|event):/.test(body)
        ? "it answered with a stream, although none was requested"
        : `its answer is not JSON (${messageOf(error).replace(/, (?:\.\.\.)?".*$/s, "")})`;
    throw unreadableReply(what, redact(body));
  }
}

/** Whether an `error` field is set; some servers send `null`, `""`, `{}` or an object of such on success. */
function isErrorSet(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isErrorSet);
  return Boolean(value);
}

/** Statuses of the errors that the Responses API names by a word. */
const NAMED_STATUSES: Readonly<Record<string, number>> = { rate_limit_exceeded: 429, server_error: 500 };

/**
 * The error inside a 200 reply: routers put the provider's error, in any format, into an empty choice, next to it, or in
 * its place. Its `code` is a status like that of any other reply.
 */
export function errorInReply(
  error: unknown,
  { redact, headers }: Pick<ReadOptions, "redact" | "headers">,
): JudgeError | HttpError {
  const { code, message }: Readonly<Record<string, unknown>> = isObject(error) ? error : { message: error };
  const status = NAMED_STATUSES[String(code)] ?? Number(code);
  if (Number.isInteger(status) && status >= 400 && status <= 599) {
    const details = { status, headers, error, code, type: undefined, param: undefined };
    return Object.assign(
      new Error(typeof message === "string" ? message : ""),
      details,
    ) as unknown as HttpError;
  }
  const parts = [code, message].filter((part) => typeof part === "string" || typeof part === "number");
  const text = parts.length > 0 ? parts.join(": ") : JSON.stringify(error);
  const help = "Run it again later, or use another judge model.";
  return new JudgeError("server", `The judge's provider failed: ${shorten(redact(text), REPLY_EXCERPT)}`, {
    help,
  });
}

/** The text of a content, which is one or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => contentText((part as { text?: unknown } | null)?.text)).join("");
}

/** Values of `finish_reason` for an answer that is complete, cut off, filtered, or failed; in snake case. */
const ENDS: ReadonlySet<string> = new Set(["stop", "end_turn", "stop_sequence", "eos", "end", "completed"]);

const LENGTHS: ReadonlySet<string> = new Set([
  "length",
  "max_tokens",
  "max_output_tokens",
  "model_length",
  "model_context_window_exceeded",
]);

const FILTERS: ReadonlySet<string> = new Set([
  "content_filter",
  "content_filtered",
  "refusal",
  "sensitive",
  "safety",
  "recitation",
  "blocklist",
  "prohibited_content",
  "spii",
]);

const ERRORS: ReadonlySet<string> = new Set([
  "error",
  "server_error",
  "network_error",
  "abort",
  "cancelled",
  "timeout",
  "incomplete",
  "malformed_function_call",
  "unexpected_tool_call",
  "insufficient_system_resource",
]);

const ANOTHER = { help: "Use another judge model for this grader: its own `model`, or `judge-model`." };

/**
 * Why a reply is not a complete answer: refused, cut off, filtered, or interrupted. An unknown reason counts as `stop` if
 * the reply `holds` text or calls.
 */
export function whyUnfinished(finish: string, refusal: string, holds: boolean): JudgeError | undefined {
  if (refusal)
    return new JudgeError(
      "refusal",
      `The judge refused to answer: ${shorten(refusal, REPLY_EXCERPT)}`,
      ANOTHER,
    );
  const end = finish
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  if (LENGTHS.has(end)) {
    return new JudgeError("cut-off", "The judge's answer was cut off at its token limit.", {
      help: "Use a judge model with shorter answers, or split the grader into several.",
    });
  }
  if (FILTERS.has(end)) {
    return new JudgeError(
      "content-filter",
      "The judge's answer was blocked by its provider's content filter.",
      ANOTHER,
    );
  }
  if (ENDS.has(end) || (holds && !ERRORS.has(end))) return undefined;
  const help = "Run the job again; if it happens again, use another judge model.";
  return new JudgeError("invalid-reply", `The judge's answer was interrupted (${shorten(finish, 40)}).`, {
    help,
  });
}

/** Whether a message shows thoughts: in a field or a part of its content that is named for them, or as a tag. */
function showsThoughts({ content, ...fields }: Record<string, unknown>): boolean {
  const isOfThoughts = (name: unknown) => typeof name === "string" && /^(?:reasoning|thinking)/.test(name);
  const isFilled = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  const parts = Array.isArray(content) ? content : [];
  return (
    Object.entries(fields).some(([name, value]) => isOfThoughts(name) && isFilled(value)) ||
    parts.some((one) => isOfThoughts((one as { type?: unknown } | null)?.type)) ||
    contentText(content).trimStart().startsWith("<think")
  );
}

/** A refusal inside the content parts, as newer servers send it. */
export function refusalIn(content: unknown): string {
  if (!Array.isArray(content)) return "";
  const parts = content.map((part) => (part as { refusal?: unknown } | null)?.refusal);
  return parts.filter((part) => typeof part === "string").join("");
}

/**
 * The message in the format that strict servers accept: every call with a unique id, a type and arguments as text, no
 * empty list of calls. Well-formed parts are unchanged.
 */
function withCallIds(message: Record<string, unknown>, calls: readonly Call[]): Record<string, unknown> {
  const { tool_calls: toolCalls, ...rest } = message;
  if (!Array.isArray(toolCalls) || toolCalls.length === 0) {
    return { ...rest, role: "assistant", content: rest.content ?? "" };
  }
  const tool_calls = calls.map(({ id, name, arguments: args }, index) => {
    const item = toolCalls[index] as { function?: object | undefined };
    const text = typeof args === "string" ? args : JSON.stringify(args ?? {});
    return { type: "function", ...item, id, function: { ...item.function, name, arguments: text } };
  });
  return { ...rest, role: "assistant", tool_calls };
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
