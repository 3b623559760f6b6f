/**
 * The contract in one file: the two tools of waza's prompt grader, calls to checks, checks to score
 * (waza, internal/graders/prompt_grader.go).
 */
import * as z from "zod/mini";
import type { Check, Graded } from "../domain.ts";
import { shorten } from "../format.ts";

/** The two names, whatever some models write before and after them: `functions.`, `:1`, `<|channel|>json`. */
const NAMES = /(?:^|[^a-z_]|__)set_waza_grade_(pass|fail)(?:ed)?(?![a-z_])/g;

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
 * A tool call as a check; undefined when it names neither of the two tools, or both. Arguments that cannot be read
 * still make a call, without detail (waza counts them so). Secrets go before a long text is cut, so that no part stays.
 */
export function toCheck(
  name: string,
  args: unknown,
  redact: (text: string) => string = (text) => text,
): Check | undefined {
  const named = new Set([...name.matchAll(NAMES)].map(([, outcome]) => outcome?.toLowerCase()));
  if (named.size !== 1) return undefined;
  const { description, reason } = readArguments(args);
  const cut = (text: string) => shorten(redact(text.trim()), LONGEST);
  return {
    outcome: named.has("pass") ? "pass" : "fail",
    ...(description?.trim() ? { description: cut(description) } : {}),
    ...(reason?.trim() ? { reason: cut(reason) } : {}),
  };
}

/**
 * What a call must have been meant for that names neither tool as it should: one of them, or nobody knows which;
 * undefined for a call of something else.
 */
export function unclearCall(name: string, args?: unknown): Check["outcome"] | "unknown" | undefined {
  const letters = name.toLowerCase().replace(/[^a-z]/g, "");
  const said = typeof args === "string" ? args : JSON.stringify(args ?? "");
  const isOurs =
    /^$|waza|pass|fail|grad|verdict|outcome|score|check|report/.test(letters) ||
    // A letter of another alphabet may stand for one of ours.
    /[^\0-\x7F]/.test(name) ||
    /set_waza_grade|"(?:outcome|verdict|passed)"\s*:/.test(said);
  if (!isOurs || toCheck(name, {})) return undefined;
  return outcomeIn(letters) ?? outcomeIn(said) ?? "unknown";
}

/** What a call says of its check, by which it is known again when it is made anew; undefined when it says nothing. */
export function detailOf(args: unknown): string | undefined {
  const { description, reason } = readArguments(args);
  return description?.trim() || reason?.trim() || undefined;
}

/** A call written out as text, in the ways of models whose server does not know them. */
export const WRITTEN_CALL =
  /(?:<\|?(?:tool|function|invoke|tool_call|tool_calls|function_calls?)\b|\[TOOL_CALLS\])[^]{0,2000}?set_waza_grade_(?:pass|fail)/i;

/** The outcome that a text speaks of; undefined when it speaks of none, or of both. */
function outcomeIn(text: string): Check["outcome"] | undefined {
  const [passes, fails] = [/pass|\btrue\b/i.test(text), /fail|false|not/i.test(text)];
  return passes === fails ? undefined : passes ? "pass" : "fail";
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
