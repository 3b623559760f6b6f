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
 * undefined for a call of something else. A verdict is known by its name, or by the form of its arguments; what a tool
 * for reading or thinking is asked may speak of anything.
 */
export function unclearCall(name: string, args?: unknown): Check["outcome"] | "unknown" | undefined {
  if (toCheck(name, {})) return undefined;
  const [words, said, told] = [separated(name), argumentText(args), toldBy(args)];
  if (!OUR_NAME.test(words) && !NAMED_WITHIN.test(said) && told === undefined) return undefined;
  const within = new Set([...said.matchAll(NAMES)].map(([, outcome]) => outcome));
  const only = within.size === 1 ? [...within][0] : undefined;
  return (
    outcomeIn(words) ??
    (told === "reason" ? undefined : told) ??
    (only as Check["outcome"] | undefined) ??
    "unknown"
  );
}

/** Words in snake case, whatever case they came in. */
function separated(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
}

/** Nearly one of ours, a verdict by another name, no name at all, or with letters of another alphabet among ours. */
const OUR_NAME =
  /^[^\p{L}]*$|waza|(?:^|[^a-z])(?:grade|verdict|outcome|pass(?:ed)?|fail(?:ed|ure)?)(?:$|[^a-z])|(?=.*[a-z]).*[\u0370-\u04FF]/u;
/** One of our tools as what is to be called, and not as something that is searched for or thought of. */
const NAMED_WITHIN =
  /"(?:name|recipient_name|tool|tool_name|function)"\s*:\s*"[^"]*set_waza_grade|set_waza_grade_\w+\s*\(/;
const VERDICT_KEY = /^(?:outcome|verdict|passed|success|met|result|status|grade)$/i;
const FAILS = /^(?:fail|false|no\b|not\b|unmet|reject|incorrect|wrong)/i;
const PASSES = /^(?:pass|true|yes\b|met\b|ok\b|accept|correct)/i;

/** What the arguments of a call tell of a verdict: its outcome, or that there is a reason for one. */
function toldBy(args: unknown): Check["outcome"] | "reason" | undefined {
  const value = parsedArguments(args);
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, one] of Object.entries(value)) {
    if (!VERDICT_KEY.test(key)) continue;
    const text = String(one);
    if (FAILS.test(text)) return "fail";
    if (PASSES.test(text)) return "pass";
  }
  return "reason" in value ? "reason" : undefined;
}

/**
 * What a call says of its check, by which it is known again when it is made anew: its description, its reason, or all
 * of its arguments; undefined when it says nothing.
 */
export function detailOf(args: unknown): string | undefined {
  const { description, reason } = readArguments(args);
  const said = argumentText(args);
  const all = /^\s*(?:\{\s*\}|null|"")?\s*$/.test(said) ? undefined : said;
  return description?.trim() || reason?.trim() || all;
}

/** A failure written out as text, in the ways of models whose server does not know them. */
const WRITTEN_FAILURE =
  /(?:<\|?(?:tool_calls?|function_calls?|function|invoke)\b[^]{0,200}?|\[TOOL_CALLS\][^]{0,200}?|\bto=functions\.|"name"\s*:\s*")set_waza_grade_fail|^\s*set_waza_grade_fail\s*\(/im;

/** True when a text holds a failure that was written out and not called; what was thought aloud is none. */
export function holdsWrittenFailure(text: string): boolean {
  return WRITTEN_FAILURE.test(text.replace(/<think>[^]*?<\/think>/gi, ""));
}

/** The outcome that a name speaks of; undefined when it speaks of none, or of both. */
function outcomeIn(name: string): Check["outcome"] | undefined {
  const [passes, fails] = [name.includes("pass"), name.includes("fail")];
  return passes === fails ? undefined : passes ? "pass" : "fail";
}

function argumentText(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args ?? {});
}

function parsedArguments(args: unknown): unknown {
  try {
    return typeof args === "string" ? JSON.parse(args) : args;
  } catch {
    return undefined;
  }
}

function readArguments(args: unknown): z.infer<typeof argumentsSchema> {
  return z.safeParse(argumentsSchema, parsedArguments(args)).data ?? {};
}

/** Score and verdict of the checks: passes / (passes + failures); passed needs a pass and no failure; none: 0.0, failed. */
export function scoreChecks(checks: readonly Check[]): Pick<Graded, "score" | "passed"> {
  const passes = checks.filter(({ outcome }) => outcome === "pass").length;
  if (checks.length === 0) return { score: 0, passed: false };
  return { score: passes / checks.length, passed: passes === checks.length };
}
