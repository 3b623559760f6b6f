/** The verdict as JSON, for a server or a model that does not call tools. */
import { parse } from "@humanwhocodes/momoa";
import type { AnyNode } from "@humanwhocodes/momoa";
import * as z from "zod/mini";
import { readJson } from "../json.ts";
import type { Call } from "./wire.ts";

/** The form of a verdict as JSON; with statements each check has the number of one. */
export function jsonForm(ofStatements: boolean): string {
  const what = ofStatements ? '"statement": 1' : '"description": "what was checked"';
  return `{"checks": [{"outcome": "pass" or "fail", ${what}, "reason": "why"}]}`;
}

/** Added to the system message for a server that takes no tools. */
export function jsonRules(ofStatements: boolean): string {
  return `

This API has no tools. Instead of calling set_waza_grade_pass, set_waza_grade_fail and finish_grading, write your whole answer as one JSON object and nothing else:
${jsonForm(ofStatements)}
One entry for each call you would have made.`;
}

export const JSON_REMINDER =
  "Your answer holds no check that could be read. Write your whole answer as one JSON object and nothing else:";

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
 * The calls that a reply written as JSON stands for, `finish_grading` last; undefined when the reply is not such an
 * object and nothing else, but for one code fence around it and thoughts before it: an object that stands among other
 * words may be a quotation of the agent's.
 */
export function callsInJson(text: string): Call[] | undefined {
  const parsed = z.safeParse(verdict, objectIn(text));
  if (!parsed.success) return undefined;
  const { checks } = parsed.data;
  const calls = checks.map(({ outcome, ...details }) => call(`set_waza_grade_${outcome}`, details));
  return [...calls, call("finish_grading", {})];
}

/**
 * The JSON that a reply is as a whole, its keys in lower case; undefined when it is none, or says one key twice. One
 * code fence around it and thoughts before it do not count.
 */
export function objectIn(text: string): unknown {
  const whole = withoutFence(withoutThoughts(text.trim()));
  const value = readJson(whole);
  return value === undefined || holdsTwin(parse(whole).body) ? undefined : withSmallKeys(value);
}

function call(name: string, args: unknown): Call {
  return { id: "", name, arguments: args };
}

/** Reasoning models begin with their thoughts, whose opening tag some servers leave out. */
function withoutThoughts(text: string): string {
  const end = text.indexOf("</think>");
  const isThought = end >= 0 && (text.startsWith("<think>") || !text.slice(0, end).includes("{"));
  return isThought ? text.slice(end + "</think>".length).trim() : text;
}

function withoutFence(text: string): string {
  const isFenced = text.length > 6 && text.startsWith("```") && text.endsWith("```");
  return isFenced ? text.slice(3, -3).replace(/^\w*/, "") : text;
}

/** Of a key that comes twice the parser keeps the last: what the first said would be lost. */
function holdsTwin(node: AnyNode): boolean {
  if (node.type === "Array") return node.elements.some(({ value }) => holdsTwin(value));
  if (node.type !== "Object") return false;
  const names = node.members.map(({ name }) => ("value" in name ? name.value : name.name).toLowerCase());
  return new Set(names).size < names.length || node.members.some(({ value }) => holdsTwin(value));
}

/** The same value with its keys in lower case. */
function withSmallKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSmallKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.toLowerCase(), withSmallKeys(one)]),
  );
}
