/**
 * The contract in one file: the two tools of waza's prompt grader, calls to checks, checks to score
 * (waza, internal/graders/prompt_grader.go).
 */
import * as z from "zod/mini";
import type { Check, Graded } from "../domain.ts";
import { shorten } from "../format.ts";

const OUTCOMES: Readonly<Record<string, Check["outcome"]>> = {
  set_waza_grade_pass: "pass",
  set_waza_grade_fail: "fail",
};

/** Characters of a description or a reason that are kept. */
const LONGEST = 20_000;

export const NO_CALL = "The judge made no grading call";

/** Tool definitions in the form the chat completions API takes. */
export const GRADE_TOOLS = [
  tool(
    "set_waza_grade_pass",
    "Report one check that passed. Call it once for every check that holds.",
    "passes",
  ),
  tool(
    "set_waza_grade_fail",
    "Report one check that failed. Call it once for every check that does not hold.",
    "fails",
  ),
];

function tool(name: string, description: string, verb: string) {
  const text = (what: string) => ({ type: "string", description: what });
  return {
    type: "function" as const,
    function: {
      name,
      description,
      parameters: {
        type: "object",
        properties: {
          description: text("What was checked, in a few words."),
          reason: text(`Why it ${verb}: what in the evidence decided it.`),
        },
      },
    },
  };
}

const detail = z.catch(z.optional(z.string()), undefined);
const argumentsSchema = z.object({ description: detail, reason: detail });

/**
 * A tool call as a check; undefined when it is neither of the two tools, whose names some models write with a prefix. Arguments that cannot be read still
 * make a call, without detail (waza counts them so).
 */
export function toCheck(name: string, args: unknown): Check | undefined {
  const plain = name.trim().replace(/^(?:functions|default_api|tools)[.:]/, "");
  const outcome = Object.hasOwn(OUTCOMES, plain) ? OUTCOMES[plain] : undefined;
  if (!outcome) return undefined;
  const { description, reason } = readArguments(args);
  return {
    outcome,
    ...(description?.trim() ? { description: shorten(description.trim(), LONGEST) } : {}),
    ...(reason?.trim() ? { reason: shorten(reason.trim(), LONGEST) } : {}),
  };
}

function readArguments(args: unknown): z.infer<typeof argumentsSchema> {
  try {
    const value: unknown = typeof args === "string" ? JSON.parse(args) : args;
    return z.safeParse(argumentsSchema, value).data ?? {};
  } catch {
    return {};
  }
}

/** Score and verdict of the checks: passes / (passes + failures); passed needs a pass and no failure; none: 0.0, failed. */
export function scoreChecks(checks: readonly Check[]): Pick<Graded, "score" | "passed"> {
  const passes = checks.filter(({ outcome }) => outcome === "pass").length;
  if (checks.length === 0) return { score: 0, passed: false };
  return { score: passes / checks.length, passed: passes === checks.length };
}
