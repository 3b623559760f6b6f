/** Requests and replies of the Responses API (https://platform.openai.com/docs/api-reference/responses/create). */
import type { Call, ModelRequest, Reply, RequestProfile, Turn } from "./wire.ts";
import { cacheFields, messageContent, withSystemRole } from "./chat.ts";
import { type ReadOptions, errorInReply, readReply, refusalIn, replyOf, unreadableReply } from "./reply.ts";
import { Json } from "../../text/json.ts";

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

/** Calls of a defined tool, and of one that the model made up. */
const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);
/** Final states of a response. */
const RESPONSES_ENDS: ReadonlySet<unknown> = new Set(["completed", "incomplete"]);

/** Parses a successful reply. Throws JudgeError `invalid-reply` if it is not a response, `server` if the response failed. */
export function readResponse(body: string, options: ReadOptions): Reply {
  const { turn, redact } = options;
  const reply = readReply(body, options);
  const output = reply
    .list("output")
    .filter((item) => item !== null)
    .map((item) => new Json(item));
  if (!reply.isList("output") || !output.every(isReadableItem))
    throw unreadableReply("its answer is not a response of the Responses API", redact(body));
  const status = reply.at("status").value;
  if (status === "failed") throw errorInReply("without a message", options);
  if (!RESPONSES_ENDS.has(status ?? (output.length > 0 ? "completed" : "")))
    throw unreadableReply(`its response is ${JSON.stringify(status ?? "empty")}`, redact(body));
  const calls: Call[] = [];
  const raw = output.flatMap((item, index) => {
    if (!CALLS.has(item.type))
      return item.type === "reasoning" && !item.text("encrypted_content") ? [] : [item.value];
    const call = callOfItem(item, `call_${String(turn)}_${String(index)}`);
    calls.push(call);
    return [callToSend(item, call)];
  });
  const contents = output.flatMap((item) => (item.type === "message" ? [item.at("content").value] : []));
  const isCut = output.some((item) => item.text("status") === "incomplete");
  const why = status === "incomplete" ? (reply.text("incomplete_details", "reason") ?? "incomplete") : "stop";
  return replyOf(
    reply,
    {
      raw,
      calls,
      contents,
      ends: [{ finish: isCut ? "length" : why, refusal: contents.map(refusalIn).join("") }],
      // An incomplete response is never an end, even for an unknown reason.
      mayEnd: status !== "incomplete",
      showsThoughts: output.some(({ type }) => type === "reasoning"),
    },
    { redact, words: { sent: "input", written: "output" } },
  );
}

/** Whether an item can be read: none is passed over for the form of its type. */
function isReadableItem(item: Json): boolean {
  return item.isObject() && item.type === (item.at("type").value ?? "");
}

/** A call, also of a made-up tool, with an id, and arguments as text, as strict servers accept it. */
function callOfItem(item: Json, id: string): Call {
  const isFunction = item.type === "function_call";
  const args = isFunction ? item.at("arguments").value : { input: item.at("input").value };
  return {
    id: item.text("call_id") || id,
    name: item.text("name") ?? "",
    arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}),
  };
}

/** The call as it is sent back: a function's, with its own other fields. */
function callToSend(item: Json, { id, name, arguments: args }: Call): object {
  const fields =
    item.type === "function_call" ? item.value : { type: "function_call", status: item.text("status") };
  return { ...(fields as object), call_id: id, name, arguments: args };
}
