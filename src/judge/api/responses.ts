/** Requests and replies of the Responses API (https://platform.openai.com/docs/api-reference/responses/create). */
import * as z from "zod/mini";
import type { Call, ModelRequest, Reply, RequestProfile, Turn } from "./wire.ts";
import { lenient } from "../../text/optional.ts";
import {
  type ReadOptions,
  cacheFields,
  contentText,
  errorInReply,
  messageContent,
  readBy,
  refusalIn,
  unreadableReply,
  whyUnfinished,
  withSystemRole,
} from "./chat.ts";
import { readUsage } from "./usage.ts";

const item = z.looseObject({
  type: z._default(z.string(), ""),
  call_id: lenient(z.string()),
  name: lenient(z.string()),
  arguments: z.optional(z.unknown()),
  input: z.optional(z.unknown()),
  status: lenient(z.string()),
  content: z.optional(z.unknown()),
  encrypted_content: lenient(z.string()),
});

/** The request body. Nothing is stored at the provider; encrypted reasoning is requested, to send it back. */
export function responsesRequest(request: ModelRequest): Record<string, unknown> {
  const { model, turns, tools, schema, profile, maxTokens } = request;
  return {
    model,
    input: withSystemRole(turns, profile.systemRole).flatMap((turn) => inputItems(turn, profile)),
    store: false,
    include: profile.encryptedReasoning ? ["reasoning.encrypted_content"] : undefined,
    tools: profile.tools
      ? tools.map(({ type, function: definition }) => ({ type, ...definition, strict: false }))
      : undefined,
    text: schema && { format: { type: "json_schema", name: "verdict", schema, strict: true } },
    reasoning: profile.effort === undefined ? undefined : { effort: profile.effort },
    max_output_tokens: profile.limitField && maxTokens,
    ...cacheFields(request),
  };
}

function inputItems(turn: Turn, profile: RequestProfile): readonly unknown[] {
  if (turn.kind === "message") {
    // Assistant messages take no cache marker in this API.
    const isInput = turn.message.role !== "assistant";
    return [
      isInput ? { ...turn.message, content: messageContent(turn, profile, "input_text") } : turn.message,
    ];
  }
  if (turn.kind === "reply") return turn.raw;
  return [{ type: "function_call_output", call_id: turn.id, output: turn.content }];
}

const response = z.object({
  status: z.optional(z.unknown()),
  incomplete_details: lenient(z.object({ reason: lenient(z.string()) })),
  model: lenient(z.string()),
  output: z.array(z.nullable(item)),
  usage: z.optional(z.unknown()),
});

/** Calls of a defined tool, and of one that the model made up. */
const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);
/** Final states of a response. */
const RESPONSES_ENDS: ReadonlySet<unknown> = new Set(["completed", "incomplete"]);

/** Parses a successful reply. Throws JudgeError `invalid-reply` if it is not a response, `server` if the response failed. */
export function readResponse(body: string, options: ReadOptions): Reply {
  const { turn, redact } = options;
  const read = readBy(response, "a response of the Responses API", { ...options, body });
  const { status, incomplete_details: incomplete, usage, model } = read;
  const output = read.output.filter((one) => one !== null);
  if (status === "failed") throw errorInReply("without a message", options);
  if (!RESPONSES_ENDS.has(status ?? (output.length > 0 ? "completed" : "")))
    throw unreadableReply(`its response is ${JSON.stringify(status ?? "empty")}`, redact(body));
  const items = output.map((one, index) =>
    CALLS.has(one.type) ? answerable(one, `call_${String(turn)}_${String(index)}`) : one,
  );
  const calls = items.flatMap((one): Call[] =>
    CALLS.has(one.type) ? [{ id: one.call_id ?? "", name: one.name ?? "", arguments: one.arguments }] : [],
  );
  const contents = output.flatMap(({ type, content }) => (type === "message" ? [content] : []));
  const text = contents.map(contentText).join("");
  const isCut = output.some((one) => one.status === "incomplete");
  const finish = isCut ? "length" : status === "incomplete" ? (incomplete?.reason ?? "incomplete") : "stop";
  // An incomplete response is never an end, even for an unknown reason.
  const holds = status !== "incomplete" && (text.trim() !== "" || calls.length > 0);
  const refusal = contents.map(refusalIn).join("");
  const unfinished = whyUnfinished(redact(finish), redact(refusal), holds);
  return {
    raw: items.filter(({ type, encrypted_content: content }) => type !== "reasoning" || content),
    calls,
    text,
    ...readUsage(usage, {
      sent: "input",
      written: "output",
      isShown: output.some(({ type }) => type === "reasoning"),
    }),
    model: model || undefined,
    unfinished,
  };
}

/** A call in the format that strict servers accept: a function's, also of a made-up tool, with an id, and arguments as text. */
function answerable({ input, ...one }: z.infer<typeof item>, id: string): z.infer<typeof item> {
  const { type, status, name = "" } = one;
  const isFunction = type === "function_call";
  const args = isFunction ? one.arguments : { input };
  const text = typeof args === "string" ? args : JSON.stringify(args ?? {});
  const kept = isFunction ? one : { type: "function_call", status };
  return { ...kept, call_id: one.call_id || id, name, arguments: text };
}
