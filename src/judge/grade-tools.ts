/**
 * The contract in one file: the tools a judge reports by, calls to checks, checks to score
 * (waza, internal/graders/prompt_grader.go). `finish_grading` is ours: the judge says when it is done.
 */
import * as z from "zod/mini";
import type { Check, Graded, PairwiseResult } from "../domain/grade.ts";
import { shorten } from "../text/format.ts";
import type { Tool } from "./api/wire.ts";
import { readJson } from "./json.ts";

/** Characters of a description or a reason that are kept. */
const LONGEST = 20_000;

export const NO_CALL = "The judge made no grading call";

/** Tool definitions in the form the chat completions API takes; for a grader with statements each call names one. */
export function gradeTools(ofStatements = false): readonly Tool[] {
  const reason = { type: "string", description: "What decided it." };
  const properties = ofStatements
    ? { statement: { type: "integer", description: "The statement's number." }, reason }
    : {
        description: { type: "string", description: "What was checked." },
        reason,
        remaining: {
          type: "integer",
          description: "How many checks are still to be reported, this one included; 1 on the last.",
        },
      };
  const parameters = { type: "object", properties, required: ofStatements ? ["statement"] : undefined };
  return [
    tool("set_waza_grade_pass", "Report one check that holds.", parameters),
    tool("set_waza_grade_fail", "Report one check that does not hold.", parameters),
    tool(
      "finish_grading",
      "Call this when every check is reported, in the same reply as your last check if you can.",
      { type: "object", properties: {} },
    ),
  ];
}

function tool(name: string, description: string, parameters: object): Tool {
  return { type: "function", function: { name, description, parameters } };
}

/**
 * What a call's name means: a check's outcome, the end, or undefined for any other tool. Models write things around a
 * name (`functions.`, `:1`, `<|channel|>json`), so only its letters count; a name that speaks of both passing and
 * failing is neither.
 */
export function meaningOf(name: string): Check["outcome"] | "finish" | undefined {
  const letters = name.toLowerCase().replace(/[^\p{L}]/gu, "");
  const [, ...ours] = letters.split("wazagrade");
  const told = ours.join("");
  const [passes, fails] = [told.includes("pass"), told.includes("fail")];
  if (told.startsWith("pass") && !fails) return "pass";
  if (told.startsWith("fail") && !passes) return "fail";
  return letters.includes("finishgrading") ? "finish" : undefined;
}

const detail = z.catch(z.optional(z.string()), undefined);
/** An integer from 1 on, or its digits; anything else says nothing. */
const number = z.catch(
  z.optional(
    z.pipe(
      z.union([z.number(), z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number))]),
      z.int().check(z.positive()),
    ),
  ),
  undefined,
);
const argumentsSchema = z.object({
  description: detail,
  reason: detail,
  statement: number,
  remaining: number,
});

/** What a call reports. */
export interface Reported {
  readonly check: Check;
  /** How many checks are still to be reported by the judge's own count, this one included; absent with statements. */
  readonly remaining?: number | undefined;
}

/**
 * The check that a call reports. Arguments never change the outcome: those that cannot be read leave a check without
 * detail (waza counts it so). Secrets are taken out before a long text is cut, so that no part of one stays.
 */
export function toCheck(
  outcome: Check["outcome"],
  args: unknown,
  { redact, ofStatements }: { readonly redact: (text: string) => string; readonly ofStatements: boolean },
): Reported {
  const once = typeof args === "string" ? readJson(args) : args;
  // Some servers write the JSON of a text that is JSON.
  const value = typeof once === "string" ? readJson(once) : once;
  const { description, reason, statement, remaining } = z.safeParse(argumentsSchema, value).data ?? {};
  const cut = (text = "") => (text.trim() === "" ? undefined : shorten(redact(text.trim()), LONGEST));
  const details = { description: cut(description), reason: cut(reason) };
  return ofStatements
    ? { check: { outcome, statement, ...details } }
    : { check: { outcome, ...details }, remaining };
}

/** One check for each statement that has a verdict, in their order: of several calls for one a failure counts. */
export function byStatement(checks: readonly Check[], statements: readonly string[]): Check[] {
  const calls = Map.groupBy(checks, ({ statement }) => statement);
  return statements.flatMap((description, index) => {
    const [first, ...others] = calls.get(index + 1) ?? [];
    return first ? { ...([first, ...others].find(isFailure) ?? first), description } : [];
  });
}

/** True of a check that failed. */
export function isFailure({ outcome }: Check): boolean {
  return outcome === "fail";
}

/** Score and verdict of the checks: passes / (passes + failures); passed needs a pass and no failure; none: 0.0, failed. */
export function scoreChecks(checks: readonly Check[]): Pick<Graded, "score" | "passed"> {
  const passes = checks.filter(({ outcome }) => outcome === "pass").length;
  if (checks.length === 0) return { score: 0, passed: false };
  return { score: passes / checks.length, passed: passes === checks.length };
}

/** What checks and pairs come to. A tie is half a point and passed, as in waza; of several samples it is the mean. */
export function scoreOf({
  checks,
  pairs = [],
}: Pick<Graded, "checks" | "pairs">): Pick<Graded, "score" | "passed"> {
  const { score, passed } = scoreChecks(checks);
  if (pairs.length === 0) return { score, passed };
  return { score: pairs.reduce((sum, pair) => sum + pairScore(pair), 0) / pairs.length, passed };
}

/** 1 where the skill won, 0.5 for a tie, 0 where the baseline won. */
function pairScore({ winner }: PairwiseResult): number {
  return winner === "skill" ? 1 : winner === "tie" ? 0.5 : 0;
}
