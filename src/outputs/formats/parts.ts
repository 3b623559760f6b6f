/**
 * What one part of a message is, or one row of a log: text, an image, hidden reasoning, a call, a result, or nothing that
 * is read. A part that is no text is never words: the judge takes words for claims, and results for proof.
 */
import { callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";
import { isObject } from "../../text/format.ts";

/** The names that APIs and clients have for one thing; the first that is there counts. */
const NAMES = ["name", "tool_name", "toolName", "function_name", "tool", "toolId"] as const;
const INPUTS = ["arguments", "args", "input", "parameters", "input_parameters", "action"] as const;
const OUTPUTS = ["content", "output", "result", "value", "response", "errorText", "error", "text"] as const;
/** Of the call that a result belongs to; `id` may also be the part's own. */
const CALL_IDS = "tool_use_id toolUseId tool_call_id toolCallId call_id callId source_call_id".split(" ");
/** Where the fields of a call or a result may be nested: beside its type or id, and one in another. */
const WRAPPERS = ["function", "custom", "toolCall", "toolResult", "toolInvocation", "value"] as const;
const MOST_WRAPPED = 3;

/** Placeholder for an image. */
export const IMAGE = "[image]";

/** An object of JSON. */
type Fields = Readonly<Record<string, unknown>>;

/** What a type says of a part: types are written as `tool_use`, `toolRequest`, `agent.tool_result`, `ToolUse`, … */
type Nature = "text" | "image" | "thought" | "call" | "result";

const NATURES: readonly (readonly [Nature, RegExp])[] = [
  ["text", /(?:^|[^a-z])(?:text|refusal)$/],
  ["image", /(?:^|[^a-z])image(?:_?url)?$/],
  ["thought", /(?:^|[^a-z])(?:think|thinking|thought|reasoning)$/],
  ["call", /(?:^|[^a-z])(?:call|use|request|invocation)$/],
  ["result", /(?:^|[^a-z])(?:result|response|output|return)$/],
];

/** The nature of parts of this type; undefined for other types. */
export function natureOf(type: string): Nature | undefined {
  const plain = type.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  return NATURES.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** The type of a part or row, under any of its names. */
export function typeIn({ type, kind, part_kind: ofPart }: Fields): string | undefined {
  return [type, kind, ofPart].find((one) => typeof one === "string");
}

/**
 * What stands in a field beside a message's content: calls and results, by the field's name or their own types. A
 * definition of a tool looks like a call: where neither name says what it is, the field's name says that it is not read.
 */
export function readField(key: string, value: unknown): readonly (LogEvent | string)[] {
  if (Array.isArray(value)) return value.flatMap((one) => readField(key, one));
  if (!isObject(value)) return [];
  const nature = natureOf(typeIn(value) ?? "") ?? natureOf(key.replace(/(?:ed|s)$/, ""));
  if (!isTool(value))
    return Object.entries(value).flatMap(([name, one]) => (Array.isArray(one) ? readField(name, one) : []));
  if (nature !== "call" && nature !== "result") return [key];
  return eventsOfPart({ ...value, type: `tool_${nature}` }, "assistant") ?? [];
}

/** Whether an object holds a name with arguments, or the id of a call with a result. */
function isTool(value: Fields): boolean {
  const fields = unwrapped(value);
  const has = (keys: readonly string[]) => keys.some((key) => (fields[key] ?? undefined) !== undefined);
  return (has(NAMES) && has(INPUTS)) || (has(CALL_IDS) && has(OUTPUTS));
}

/**
 * The events of a part, words in the voice of `who`; undefined if it is neither words nor an image, hidden reasoning, a
 * call (a name and arguments) or a result (the id of a call, and content).
 */
export function eventsOfPart(part: unknown, who: "user" | "assistant"): LogEvent[] | undefined {
  if (typeof part === "string") return [messageEvent(who, part)];
  if (!isObject(part)) return undefined;
  const { type, fields } = tagged(part);
  const nature = type === undefined ? "text" : natureOf(type);
  if (nature === "thought" || fields.thought === true) return [];
  if (nature === "image") return [messageEvent(who, IMAGE)];
  if (nature === "text") {
    const words = [fields.text, fields.refusal, fields.content].find((one) => typeof one === "string");
    return words === undefined ? undefined : [messageEvent(who, words)];
  }
  return eventsOfTool(fields, { type: type ?? "", nature });
}

/** The events of a call with its result, or of a result. */
function eventsOfTool(
  fields: Fields,
  { type, nature }: { readonly type: string; readonly nature: Nature | undefined },
): LogEvent[] | undefined {
  const name = nameOfTool(fields, type);
  const callId = textIn(fields, CALL_IDS);
  const id = callId ?? textIn(fields, ["id"]);
  // `action` is a name in place of arguments if it is text.
  const isGiven = (key: string) =>
    fields[key] !== undefined && (key !== "action" || typeof fields[key] !== "string");
  const [input] = INPUTS.filter(isGiven).map((key) => fields[key]);
  if (nature === "call" || (nature !== "result" && input !== undefined && (name ?? callId) !== undefined)) {
    const given = input ?? fields.content ?? fields.text;
    const call = callEvent(id, name ?? type, given);
    const result = fields.result ?? fields.output ?? fields.errorText;
    return result === undefined || result === null
      ? [call]
      : [call, resultEvent(id, textOfResult(result), successOf({ ...fields, type: "" }, result))];
  }
  const content = OUTPUTS.map((key) => fields[key]).find((one) => one !== undefined && one !== null);
  if (nature !== "result" && (callId === undefined || content === undefined)) return undefined;
  return [resultEvent(id, textOfResult(content), successOf({ ...fields, type }, content))];
}

/** The AI SDK writes a tool's name into the type of its part: `tool-weigh`. */
function nameOfTool(fields: Fields, type: string): string | undefined {
  const inType = fields.toolCallId === undefined ? undefined : /^tool-(.+)$/.exec(type)?.[1];
  return textIn(fields, NAMES) ?? inType;
}

function textIn(fields: Fields, keys: readonly string[]): string | undefined {
  const found = keys
    .map((key) => fields[key])
    .find((one) => typeof one === "string" || typeof one === "number");
  return found === undefined || found === "" ? undefined : String(found);
}

/** The type of a part and its fields. Without a type, a key says it (`{"functionCall": {…}}`); without such a key, a part is text. */
function tagged(part: Fields): { readonly type?: string | undefined; readonly fields: Fields } {
  const type = typeIn(part);
  if (type !== undefined) return { type, fields: unwrapped(part) };
  const [tag, value] =
    Object.entries(part).find(([key, one]) => isObject(one) && natureOf(key) !== undefined) ?? [];
  return isObject(value) && typeof part.text !== "string"
    ? { type: tag, fields: unwrapped(value) }
    : { fields: part };
}

/** The fields with those that are nested in them; the outer ones come first. */
function unwrapped(fields: Fields, most = MOST_WRAPPED): Fields {
  const inner = WRAPPERS.map((key) => fields[key]).find(isObject);
  return inner && most > 0 ? { ...unwrapped(inner, most - 1), ...fields } : fields;
}

/** Whether the call succeeded, by what the result says of it; undefined if it says nothing. */
function successOf(fields: Fields, content: unknown): boolean | undefined {
  const said = [fields, ...[fields.extra, content].filter(isObject)];
  if (isObject(content) && /^(?:error|execution)-/.test(typeIn(content) ?? "")) return false;
  const flag = said.map((one) => one.is_error ?? one.isError).find((one) => typeof one === "boolean");
  if (flag !== undefined) return !flag;
  const success = said.map((one) => one.success).find((one) => typeof one === "boolean");
  if (success !== undefined) return success;
  const code = said.map((one) => one.exit_code ?? one.exitCode).find((one) => typeof one === "number");
  if (code !== undefined) return code === 0;
  if (said.some(({ error, errorText }) => Boolean(error ?? errorText))) return false;
  const status = said.map((one) => one.status).find((one) => typeof one === "string") ?? "";
  if (/^(?:error|fail|reject|cancel|denied)/.test(status)) return false;
  // Anthropic's and Google's say what is an error alone.
  const saysErrors = fields.tool_use_id !== undefined || fields.type === "functionResponse";
  return saysErrors || /^(?:success|complete|done|ok$)/.test(status) ? true : undefined;
}

/** The text of a result: beside its output an object may say no more than how it ended. */
function textOfResult(content: unknown): string {
  if (!isObject(content)) return typeof content === "string" ? shortened(content) : textOf(content);
  const { output, content: inner = output, ...rest } = content;
  const isWhole = Object.entries(rest).every(
    ([key, value]) => key === "output" || key === "status" || (typeof value !== "string" && !isObject(value)),
  );
  return inner !== undefined && isWhole ? textOf(inner) : textOf(content);
}

/** The text of a message, an answer or a tool's result: the text of its parts; any other value as JSON. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  const parts = partsOf(content) ?? [];
  if (parts.length > 0) return parts.map(textOfPart).join("\n");
  return isObject(content) ? textOfPart(content) : JSON.stringify(content);
}

/** The parts of a list, if each is a text or an object with a type, a text or what says its type. */
function partsOf(content: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const isPart = (one: unknown) => {
    if (!isObject(one)) return typeof one === "string";
    const { type, fields } = tagged(one);
    return Boolean(type ?? fields.text);
  };
  return content.every(isPart) ? content : undefined;
}

/** A part without text is shown as JSON, so that nothing is hidden. */
function textOfPart(part: unknown): string {
  if (!isObject(part)) return typeof part === "string" ? part : JSON.stringify(part);
  const { type = "", fields } = tagged(part);
  if (natureOf(type) === "image") return IMAGE;
  const value = natureOf(type) === "text" ? fields.value : undefined;
  const words = [fields.text, fields.refusal, value].find((one) => typeof one === "string");
  return (
    words ??
    JSON.stringify(part, (_, inner: unknown) => (typeof inner === "string" ? shortened(inner) : inner))
  );
}

/** The text; of base64 (images and the like) its size. */
function shortened(text: string): string {
  const isEncoded = text.length > 1_000 && /^(?:data:[^,]{0,100},)?[\w+/=-]+$/.test(text);
  return isEncoded ? `(${String(text.length)} characters)` : text;
}
