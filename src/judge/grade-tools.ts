/**
 * The contract in one file: the tools a judge reports by, calls to checks, checks to score
 * (waza, internal/graders/prompt_grader.go). `finish_grading` is ours: the judge says when it is done.
 */
import * as z from "zod/mini";
import type { Check, Graded, PairwiseResult } from "../domain/grade.ts";
import { shorten } from "../text/format.ts";
import { readJson } from "./json.ts";

/** Characters of a description or a reason that are kept. */
const LONGEST = 20_000;

export const NO_CALL = "The judge made no grading call";

/** Tool definitions in the form the chat completions API takes. */
export const GRADE_TOOLS = [
  gradeTool(
    "set_waza_grade_pass",
    "Report one check that passed. Call it once for every check that holds.",
    "passes",
  ),
  gradeTool(
    "set_waza_grade_fail",
    "Report one check that failed. Call it once for every check that does not hold.",
    "fails",
  ),
  {
    type: "function" as const,
    function: {
      name: "finish_grading",
      description: "Call this when every check is reported, in the same reply as your last check if you can.",
      parameters: { type: "object", properties: {} },
    },
  },
];

function gradeTool(name: string, description: string, verb: string) {
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
const argumentsSchema = z.object({ description: detail, reason: detail });

/**
 * The check that a call reports. Arguments never change the outcome: those that cannot be read leave a check without
 * detail (waza counts it so). Secrets are taken out before a long text is cut, so that no part of one stays.
 */
export function toCheck(
  outcome: Check["outcome"],
  args: unknown,
  redact: (text: string) => string = (text) => text,
): Check {
  const once = typeof args === "string" ? readJson(args) : args;
  // Some servers write the JSON of a text that is JSON.
  const value = typeof once === "string" ? readJson(once) : once;
  const { description, reason } = z.safeParse(argumentsSchema, value).data ?? {};
  const cut = (text = "") => (text.trim() === "" ? undefined : shorten(redact(text.trim()), LONGEST));
  return { outcome, description: cut(description), reason: cut(reason) };
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
