/** Verdicts written as JSON: the calls that a reply comes to, without its thoughts, its fence and a model's end tokens. */
import type { Call } from "./api/wire.ts";
import { isOfForm } from "./grade-tools.ts";
import { keyedOnce, saidBy, sideOf } from "./judge-call.ts";
import type { JudgeRequest } from "./judge.ts";
import { isObject, jsonOf } from "../text/format.ts";
import { Json } from "../text/json.ts";

/**
 * The tool calls equivalent to a reply written as JSON, `finish_grading` last. The reply has to be such an object and
 * nothing else, except for one code fence around it and thoughts before it: an object within other text may be a quote
 * of the agent's output. Its list of checks alone, and a check alone, are such an object, too; the form itself, sent
 * back, and what the evidence holds word for word are not.
 */
export function callsInJson(text: string, { messages, shared }: JudgeRequest): Call[] | undefined {
  const whole = wholeJson(text.trim());
  if (whole === undefined) return undefined;
  const isQuote = messages.slice(0, shared?.messages).some(({ content }) => content.includes(whole));
  if (isQuote) return undefined;
  const value = keyedOnce(whole);
  const isCheck = isObject(value) && "outcome" in value && "reason" in value;
  const { checks, ...besides } = isObject(value) && !isCheck ? value : { checks: [value].flat() };
  const written = new Json(checks);
  const sides = written.list().map((check) => sideOf(new Json(check).at("outcome").value));
  if (!written.isList() || sides.includes(undefined)) return undefined;
  // Beside its checks it says that something fails, and none of them does.
  if (!sides.includes("fail") && saidBy(besides) === "fail") return undefined;
  const calls = (written.list() as readonly Record<string, unknown>[]).map(
    ({ outcome: _, ...details }, index) => {
      return { id: "", name: `set_waza_grade_${sides[index] ?? ""}`, arguments: details };
    },
  );
  const isForm = calls.some(
    ({ arguments: { reason, description } }) => isOfForm(reason) || isOfForm(description),
  );
  if (isForm) return undefined;
  return [...calls, { id: "", name: "finish_grading", arguments: besides }];
}

/** A special token of a model, as it may end a reply. */
const END_TOKEN = /^<(?:\/s|\|\w{1,30}\||end_of_turn|\/answer)>$/;
/** What ends a model's thoughts, or begins its answer. */
const ENDS_OF_THOUGHTS = ["</think>", "</thinking>", "</seed:think>", "[/THINK]", "◁/think▷", "<answer>"];

/** The text if it is JSON, else what follows its thoughts, if that is JSON. */
function wholeJson(text: string): string | undefined {
  const bare = withoutEndTokens(text);
  return [bare, afterThoughts(bare)].map(withoutFence).find((json) => jsonOf(json) !== undefined);
}

function withoutEndTokens(text: string): string {
  let left = text.trimEnd();
  for (let at = left.lastIndexOf("<"); END_TOKEN.test(left.slice(at)); at = left.lastIndexOf("<"))
    left = left.slice(0, at).trimEnd();
  return left;
}

/** The tag or mark that opens a reply's thoughts: `<thought>`, `[THINK]`, `<|channel|>`. */
const OPENING = /^(?:<(?!answer>)[\w:-]{1,30}>|\[THINK\]|◁think▷|<\|[\w-]{1,30}\|>)/;
/** The mark that ends what such a mark opened. */
const END_MARK = /<\|end\w{0,30}\|>/i;

/**
 * What follows the thoughts of a reply: those that it starts with, up to the first end of their tag, and any others without
 * a brace. An end behind a brace may be a quote of the agent's output, and so the object after it: two are no verdict.
 */
function afterThoughts(text: string): string {
  const [opening = ""] = OPENING.exec(text) ?? [];
  const isMark = opening.startsWith("<|");
  const [end = ""] = isMark ? (END_MARK.exec(text) ?? []) : [opening.replace(/^./u, "$&/")];
  const at = opening === "" || end === "" ? -1 : text.indexOf(end);
  const rest = at < 0 ? text : text.slice(at + end.length);
  const [head = ""] = rest.split("{", 1);
  const ends = [...ENDS_OF_THOUGHTS, ...(isMark ? ["|>"] : [])];
  const starts = ends.map((end) => [head.lastIndexOf(end), end.length] as const);
  return rest.slice(Math.max(0, ...starts.map(([from, length]) => (from < 0 ? 0 : from + length)))).trim();
}

function withoutFence(text: string): string {
  const isFenced = text.length > 6 && text.startsWith("```") && text.endsWith("```");
  return isFenced ? text.slice(3, -3).replace(/^\w*/, "") : text;
}
