/** What replies of both APIs have in common: JSON or an error in its place, why an answer is not complete, what it used. */
import type { Reply } from "./wire.ts";
import type { HttpError } from "./client.ts";
import { JudgeError } from "../judge.ts";
import type { Redact } from "../../safety/secrets.ts";
import { isObject, messageOf, shorten } from "../../text/format.ts";
import { Json } from "../../text/json.ts";

/** Characters of a reply in an error. */
const REPLY_EXCERPT = 200;

export interface ReadOptions {
  /** Index in the conversation, for ids of calls without one. */
  readonly turn: number;
  readonly redact: Redact;
  /** Headers of the reply, for an error in place of a reply. */
  readonly headers: Headers;
}

/** The JSON of a reply. Throws JudgeError `invalid-reply` if it is none, or the error that is in its place. */
export function readReply(body: string, options: ReadOptions): Json {
  const reply = new Json(parseReplyJson(body, options.redact));
  const errors = [...[reply.at("choices").value].flat().map((choice) => new Json(choice)), reply];
  const error = errors.map((place) => place.at("error").value).find(isErrorSet);
  if (error !== undefined) throw errorInReply(error, options);
  return reply;
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

/** Whether a field is set that is none on success; some servers send `null`, `""`, `{}` or an object of such. */
export function isErrorSet(value: unknown): boolean {
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
  return new JudgeError("server", `The judge's provider failed: ${shorten(redact(text), REPLY_EXCERPT)}`, {
    help: "Run it again later, or use another judge model.",
  });
}

/** The parts of an answer that the two APIs have in other places. */
interface AnswerParts {
  readonly raw: Reply["raw"];
  readonly calls: Reply["calls"];
  /** Its contents: texts, or lists of parts. */
  readonly contents: readonly unknown[];
  /** Why it ended, and the refusal in its place, for each of its choices. */
  readonly ends: readonly { readonly finish: string; readonly refusal: string }[];
  /** Whether text and calls are an answer where the end is an unknown word. */
  readonly mayEnd?: boolean;
  /** Whether it shows thoughts. */
  readonly showsThoughts: boolean;
}

/** A reply of its parts. `words` are the API's for what it was sent and what it wrote. */
export function replyOf(
  reply: Json,
  { raw, calls, contents, ends, mayEnd = true, showsThoughts }: AnswerParts,
  { redact, words }: Pick<ReadOptions, "redact"> & { readonly words: UsageWords },
): Reply {
  const text = contents.map(contentText).join("");
  const holds = mayEnd && (text.trim() !== "" || calls.length > 0);
  const [unfinished] = ends.flatMap(
    ({ finish, refusal }) => whyUnfinished(redact(finish), redact(refusal), holds) ?? [],
  );
  const { usage, countsReasoning } = readUsage(reply.at("usage"), words);
  return {
    raw,
    calls,
    text,
    usage,
    // Without a count of its output it says nothing of reasoning.
    reportsReasoning: showsThoughts || countsReasoning || (usage.output > 0 ? false : undefined),
    model: reply.text("model") || undefined,
    unfinished,
  };
}

/** The text of a content, which is one or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => contentText(new Json(part).at("text").value)).join("");
}

/** A refusal inside the content parts, as newer servers send it. */
export function refusalIn(content: unknown): string {
  const parts = new Json(content).list().map((part) => new Json(part));
  return parts.flatMap((part) => part.text("refusal") ?? []).join("");
}

/* Known reasons for the end of an answer that is complete, cut off, filtered, or failed; in snake case. */
const COMPLETE = /^(?:stop|end_turn|stop_sequence|eos|end|completed)$/;
const CUT_OFF = /^(?:length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded)$/;
const FILTERED =
  /^(?:content_filter|content_filtered|refusal|sensitive|safety|recitation|blocklist|prohibited_content|spii)$/;
const INTERRUPTED =
  /^(?:error|server_error|network_error|abort|cancelled|timeout|incomplete|malformed_function_call|unexpected_tool_call|insufficient_system_resource)$/;

const ANOTHER = { help: "Use another judge model for this grader: its own `model`, or `judge-model`." };

/**
 * Why a reply is not a complete answer: refused, cut off, filtered, or interrupted. An unknown reason counts as `stop` if
 * the reply `holds` text or calls.
 */
function whyUnfinished(finish: string, refusal: string, holds: boolean): JudgeError | undefined {
  if (refusal) {
    const message = `The judge refused to answer: ${shorten(refusal, REPLY_EXCERPT)}`;
    return new JudgeError("refusal", message, ANOTHER);
  }
  const end = finish
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  if (CUT_OFF.test(end))
    return new JudgeError("cut-off", "The judge's answer was cut off at its token limit.", {
      help: "Use a judge model with shorter answers, or split the grader into several.",
    });
  if (FILTERED.test(end)) {
    const message = "The judge's answer was blocked by its provider's content filter.";
    return new JudgeError("content-filter", message, ANOTHER);
  }
  if (COMPLETE.test(end) || (holds && !INTERRUPTED.test(end))) return undefined;
  return new JudgeError("invalid-reply", `The judge's answer was interrupted (${shorten(finish, 40)}).`, {
    help: "Run the job again; if it happens again, use another judge model.",
  });
}

interface UsageWords {
  readonly sent: "prompt" | "input";
  readonly written: "completion" | "output";
}

/** What a reply says it used, and whether it counts tokens for reasoning. */
function readUsage(used: Json, { sent, written }: UsageWords) {
  const tokens = (...path: readonly string[]) => plausible(used.number(...path));
  const input = tokens(`${sent}_tokens`);
  const output = tokens(`${written}_tokens`);
  const cached = Math.min(tokens(`${sent}_tokens_details`, "cached_tokens"), input);
  const cacheWritten = Math.min(tokens(`${sent}_tokens_details`, "cache_write_tokens"), input - cached);
  // Some servers count reasoning in the total, but not in the output.
  const besides = input === 0 || output === 0 ? 0 : Math.max(0, tokens("total_tokens") - input - output);
  return {
    usage: { input, output: output + besides, cached, written: cacheWritten },
    countsReasoning: besides > 0 || tokens(`${written}_tokens_details`, "reasoning_tokens") > 0,
  };
}

/** A number of tokens; 0 for none that can be one. */
function plausible(number = 0): number {
  return Number.isInteger(number) && number >= 0 && number < 1e9 ? number : 0;
}
