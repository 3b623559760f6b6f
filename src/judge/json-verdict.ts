/** The verdict as JSON, for a server or a model that does not call tools. */
import * as z from "zod/mini";
import { readJson } from "./json.ts";
import type { Call } from "./wire.ts";

export const JSON_FORM =
  '{"checks": [{"outcome": "pass" or "fail", "description": "what was checked", "reason": "why"}]}';

/** Added to the system message for a server that takes no tools. */
export const JSON_RULES = `

This API has no tools. Instead of calling set_waza_grade_pass, set_waza_grade_fail and finish_grading, write your whole answer as one JSON object and nothing else:
${JSON_FORM}
One entry for each call you would have made.`;

export const JSON_REMINDER = `Your answer holds no check that could be read. Write your whole answer as one JSON object and nothing else: ${JSON_FORM}`;

const verdict = z.looseObject({
  checks: z.array(
    z.looseObject({
      outcome: z.pipe(z.string().check(z.toLowerCase()), z.enum(["pass", "fail"])),
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
  const whole = withoutFence(withoutThoughts(text.trim()));
  const parsed = z.safeParse(verdict, readJson(whole));
  if (!parsed.success) return undefined;
  const { checks } = parsed.data;
  // Of a key that comes twice the parser keeps the last: what the first said would be lost.
  if (keys(whole, "checks") > 1 || keys(whole, "outcome") > checks.length) return undefined;
  const calls = checks.map(({ outcome, ...details }) => call(`set_waza_grade_${outcome}`, details));
  return [...calls, call("finish_grading", {})];
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

/** A code fence begins with its language's name on the same line. */
function withoutFence(text: string): string {
  const isFenced = text.length > 6 && text.startsWith("```") && text.endsWith("```");
  return isFenced ? text.slice(text.indexOf("\n"), -3) : text;
}

/** How often a key stands in JSON; within a text its quotes would be escaped. */
function keys(json: string, key: string): number {
  return json.match(new RegExp(`(?<!\\\\)"${key}"\\s*:`, "g"))?.length ?? 0;
}
