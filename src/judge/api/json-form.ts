/** Verdicts written as JSON, and the conversation as text, for servers without tools or that refuse the judge's own replies. */
import { jsonOf } from "../../text/format.ts";
import { type AnyNode, parse } from "@humanwhocodes/momoa";
import * as z from "zod/mini";
import type { Call, Turn } from "./wire.ts";
import { fenced } from "../evidence.ts";

/** Appended to the system message for a server without tools. */
export function jsonRules(ofStatements: boolean): string {
  return `

This API has no tools. Instead of calling set_waza_grade_pass, set_waza_grade_fail and finish_grading, write your whole answer as one JSON object and nothing else:
${jsonForm(ofStatements)}
One entry for each call you would have made.`;
}

/** The JSON format of a verdict; with statements each check has a statement's number. */
export function jsonForm(ofStatements: boolean): string {
  const what = ofStatements ? '"statement": 1' : '"description": "what was checked"';
  return `{"checks": [{${what}, "reason": "what decided it", "outcome": "pass" or "fail"}]}`;
}

const verdict = z.looseObject({
  checks: z.array(
    z.looseObject({
      outcome: z.pipe(z.string().check(z.trim(), z.toLowerCase()), z.enum(["pass", "fail"])),
      description: z.optional(z.unknown()),
      reason: z.optional(z.unknown()),
    }),
  ),
});

/**
 * The tool calls equivalent to a reply written as JSON, `finish_grading` last. The reply has to be such an object and
 * nothing else, except for one code fence around it and thoughts before it: an object within other text may be a quote
 * of the agent's output.
 */
export function callsInJson(text: string): Call[] | undefined {
  const parsed = z.safeParse(verdict, objectIn(text));
  if (!parsed.success) return undefined;
  const { checks } = parsed.data;
  const calls = checks.map(({ outcome, ...details }) =>
    callOfJsonVerdict(`set_waza_grade_${outcome}`, details),
  );
  return [...calls, callOfJsonVerdict("finish_grading", {})];
}

/**
 * The JSON of a whole reply, keys in lower case, without a code fence around it and thoughts before it; undefined if it
 * is not JSON or repeats a key.
 */
function objectIn(text: string): unknown {
  const whole = withoutFence(withoutThoughts(text.trim()));
  const value = jsonOf(whole);
  return value === undefined || hasDuplicateKey(parse(whole).body) ? undefined : withLowerCaseKeys(value);
}

function withoutFence(text: string): string {
  const isFenced = text.length > 6 && text.startsWith("```") && text.endsWith("```");
  return isFenced ? text.slice(3, -3).replace(/^\w*/, "") : text;
}

/** Reasoning models begin with their thoughts; some servers omit the opening tag. */
function withoutThoughts(text: string): string {
  const end = text.indexOf("</think>");
  const isThought = end >= 0 && (text.startsWith("<think>") || !text.slice(0, end).includes("{"));
  return isThought ? text.slice(end + "</think>".length).trim() : text;
}

/** JSON.parse keeps only the last of duplicate keys, so reject duplicates. */
function hasDuplicateKey(node: AnyNode): boolean {
  if (node.type === "Array") return node.elements.some(({ value }) => hasDuplicateKey(value));
  if (node.type !== "Object") return false;
  const names = node.members.map(({ name }) => ("value" in name ? name.value : name.name).toLowerCase());
  return new Set(names).size < names.length || node.members.some(({ value }) => hasDuplicateKey(value));
}

function withLowerCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerCaseKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.toLowerCase(), withLowerCaseKeys(one)]),
  );
}

function callOfJsonVerdict(name: string, args: unknown): Call {
  return { id: "", name, arguments: args };
}

/** Position and format of the flattened history. */
export interface FlattenOptions {
  /** Number of messages before it; they end with the evidence. */
  readonly before: number;
  /** Code of the evidence's markers. */
  readonly code: string;
  /** The last message, how to go on. */
  readonly next: string;
}

/**
 * Replaces the judge's replies and their results by one message that lists each call with its answer. File contents are
 * evidence, so the message is fenced like it and precedes the grader's instructions. JSON keeps each answer on one line,
 * so that no file can begin a line with a marker.
 */
export function flattenHistory(
  turns: readonly Turn[],
  { before, code, next }: FlattenOptions,
): readonly Turn[] {
  // Results are in the order of their calls; ids may be duplicates.
  const answers = turns.flatMap((turn) => (turn.kind === "result" ? [turn.content] : []));
  const lines = turns
    .flatMap((turn) => (turn.kind === "reply" ? turn.calls : []))
    .map(({ name, arguments: args }, index) => JSON.stringify({ call: name, args, answer: answers[index] }));
  const messages = turns.filter(({ kind }) => kind === "message");
  if (lines.length === 0) return messages;
  const user = (content: string): Turn => ({ kind: "message", message: { role: "user", content } });
  const history = fenced(code, "your calls so far, with their answers", lines.join("\n"));
  return [...messages.slice(0, before), user(history), ...messages.slice(before), user(next)];
}

export const JSON_REMINDER =
  "Your answer holds no check that could be read. Write your whole answer as one JSON object and nothing else:";
