/** The verdict as JSON, for an API that refuses tools altogether: the last rung, marked as such in the report. */
import * as z from "zod/mini";
import type { Call, Reply } from "./wire.ts";

/** Added to the system message in place of the tools. */
export const JSON_RULES = `

This API has no tools. Instead of calling set_waza_grade_pass and set_waza_grade_fail, write your whole answer as one JSON object and nothing else:
{"checks": [{"outcome": "pass", "description": "what was checked", "reason": "why"}]}
One entry for each call you would have made; "outcome" is "pass" or "fail".`;

export const JSON_REMINDER =
  'Your answer could not be read. Write one JSON object and nothing else: {"checks": [{"outcome": "pass" or "fail", "description": "…", "reason": "…"}]}';

const verdict = z.object({
  checks: z.array(
    z.object({
      outcome: z.enum(["pass", "fail"]),
      description: z.optional(z.unknown()),
      reason: z.optional(z.unknown()),
    }),
  ),
});

/** The checks of a reply as the calls they stand for; undefined when it holds no such object. */
export function callsInJson({ text }: Pick<Reply, "text">): Call[] | undefined {
  for (const candidate of objectsIn(text)) {
    const parsed = z.safeParse(verdict, candidate);
    if (!parsed.success) continue;
    return parsed.data.checks.map(({ outcome, ...details }, index) => ({
      id: `json_${String(index)}`,
      name: `set_waza_grade_${outcome}`,
      arguments: details,
    }));
  }
  return undefined;
}

/** The whole text, else what stands in a fence, else from the first brace to the last. */
function objectsIn(text: string): unknown[] {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/.exec(text)?.[1];
  const braces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  return [text, fenced, braces].flatMap((one) => {
    try {
      return one === undefined ? [] : [JSON.parse(one) as unknown];
    } catch {
      return [];
    }
  });
}
