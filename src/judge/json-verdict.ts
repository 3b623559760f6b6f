/** The verdict as JSON, for an API that refuses tools altogether: the last rung, marked as such in the report. */
import * as z from "zod/mini";
import { readJson } from "./json.ts";
import type { Call, Reply } from "./wire.ts";

/** Added to the system message in place of the tools. */
export const JSON_RULES = `

This API has no tools. Instead of calling set_waza_grade_pass and set_waza_grade_fail, write your whole answer as one JSON object and nothing else:
{"checks": [{"outcome": "pass", "description": "what was checked", "reason": "why"}]}
One entry for each call you would have made; "outcome" is "pass" or "fail".`;

export const JSON_REMINDER =
  'Your answer could not be read. Write one JSON object and nothing else: {"checks": [{"outcome": "pass" or "fail", "description": "…", "reason": "…"}]}';

const verdict = z.strictObject({
  checks: z.array(
    z.object({
      outcome: z.enum(["pass", "fail"]),
      description: z.optional(z.unknown()),
      reason: z.optional(z.unknown()),
    }),
  ),
});

/**
 * The checks of a reply as the calls they stand for; undefined when it is not such an object and nothing else, but for
 * one fence around it: a verdict that stands among other words may be a quotation of the agent's.
 */
export function callsInJson({ text }: Pick<Reply, "text">): Call[] | undefined {
  // What a reasoning model thinks aloud comes before its answer, and is none.
  const answer = text.replace(/^(?:\s*<think>)?[^{]*?<\/think>|^\s*<think>[\s\S]*?<\/think>/i, "").trim();
  const whole = /^```(?:json)?\s*\n([\s\S]*)\n```$/.exec(answer)?.[1] ?? answer;
  const parsed = z.safeParse(verdict, readJson(whole));
  // Of a key that comes twice the parser keeps the last: what the first said would be lost.
  const checks = parsed.data?.checks.length ?? 0;
  if (keys(whole, "checks") > 1 || keys(whole, "outcome") > checks) return undefined;
  return parsed.data?.checks.map(({ outcome, ...details }, index) => ({
    id: `json_${String(index)}`,
    name: `set_waza_grade_${outcome}`,
    arguments: details,
  }));
}

/** How often a key stands in JSON; within a text its quotes would be escaped. */
function keys(json: string, key: string): number {
  return json.match(new RegExp(`(?<!\\\\)"${key}"\\s*:`, "g"))?.length ?? 0;
}
