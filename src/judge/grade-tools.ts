/**
 * The contract with the judge: its tools, and the score of the checks (as in waza, internal/graders/prompt_grader.go). `finish_grading` is an addition: the judge reports when it is done.
 */
import type { Check, Graded } from "../domain/grade.ts";
import { type Tool, tool } from "./api/wire.ts";
import { lettersOf } from "./judge-call.ts";
import { type PlainText, findQuotes, plainOf } from "../text/quotes.ts";

/** Maximum quotes per grade: a hostile judge may quote endlessly. */
const MOST_QUOTES_PER_GRADE = 100;

/** How the tools describe their texts. */
const WORDS = { reason: "What decided it.", description: "What was checked." };

/** Whether a text is the form's own: a description of a tool's argument, or a sign that stands for words. */
export function isOfForm(text: unknown): boolean {
  if (typeof text !== "string" || text.trim() === "") return false;
  const isSign = !/[\p{L}\p{N}]/u.test(text);
  return isSign || Object.values(WORDS).some((words) => lettersOf(words) === lettersOf(text));
}

const PARAMETERS = {
  type: "object",
  properties: {
    statement: { type: "integer", description: "The statement's number, where statements are judged." },
    reason: { type: "string", description: WORDS.reason },
    description: { type: "string", description: WORDS.description },
    verdict: { type: "string", enum: ["pass", "fail"], description: "What the reason leads to." },
  },
};

/** Tool definitions, the same for every grader. Reasons stand before the conclusion. */
export const GRADE_TOOLS: readonly Tool[] = [
  tool("set_waza_grade_pass", "Report one check that holds.", PARAMETERS),
  tool("set_waza_grade_fail", "Report one check that does not hold.", PARAMETERS),
  tool(
    "finish_grading",
    "Call this when everything is reported, in the same reply as the last of it if you can.",
    {
      type: "object",
      properties: { checks: { type: "integer", description: "How many checks the instructions ask for." } },
    },
  ),
];

/** The JSON schema of a verdict written as JSON, in the strict form of OpenAI's structured outputs. */
export function verdictSchema(ofStatements: boolean): object {
  const properties = {
    ...(ofStatements ? { statement: { type: "integer" } } : { description: { type: "string" } }),
    reason: { type: "string" },
    outcome: { type: "string", enum: ["pass", "fail"] },
  };
  const items = strictObject(properties);
  return strictObject({ checks: { type: "array", items } });
}

function strictObject(properties: object): object {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** One check for each statement with a verdict, in order: of several calls for the same one, a failure counts. */
export function byStatement(checks: readonly Check[], statements: readonly string[]): Check[] {
  const calls = Map.groupBy(checks, ({ statement }) => statement);
  return statements.flatMap((description, index) => {
    const [first, ...others] = calls.get(index + 1) ?? [];
    return first ? { ...([first, ...others].find(isFailure) ?? first), description } : [];
  });
}

export function isFailure({ outcome }: Check): boolean {
  return outcome === "fail";
}

/** The contract: score = passes / (passes + failures); passed = at least one pass and no failure; no check = 0.0, failed. */
export function scoreChecks(checks: readonly Check[]): Pick<Graded, "score" | "passed"> {
  const passes = checks.filter(({ outcome }) => outcome === "pass").length;
  if (checks.length === 0) return { score: 0, passed: false };
  return { score: passes / checks.length, passed: passes === checks.length };
}

/* Verifies the quotes in the reasons of checks. */

/** Looks up the quotes of each reason in `texts`, which the judge could see. */
export function withQuotes(checks: readonly Check[], texts: () => readonly string[]): Check[] {
  let plain: PlainText | undefined;
  let left = MOST_QUOTES_PER_GRADE;
  const plainTexts = () => (plain ??= plainOf(...texts()));
  return checks.map((check) => {
    const quotes = left > 0 ? findQuotes(check.reason, plainTexts) : undefined;
    left -= quotes?.all ?? 0;
    return quotes ? { ...check, quotes } : check;
  });
}

export const NO_CALL = "The judge made no grading call";
