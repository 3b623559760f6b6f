/** States of grades, with their signs and words, for the log and all pages. */
import type { Check, Estimate, GradeError, JudgeVotes, Votes } from "../domain/grade.ts";
import type { Row } from "../domain/row.ts";
import {
  asSentence,
  count,
  formatAbout,
  formatDollars,
  formatNumber,
  listed,
  outOf,
  shorten,
} from "./format.ts";

/** Maximum quotes of a check to list. */
const MOST_QUOTES_LISTED = 3;
/** Characters of a listed quote. */
const LONGEST_LISTED_QUOTE = 80;
/** Maximum models without a price to list. */
const MOST_UNPRICED_NAMED = 5;

/** `doubtful` passed, but the way it was judged needs a second look; `missing` is a skipped grade of a missing run. */
export type State = "passed" | "doubtful" | "failed" | "errored" | "skipped" | "missing";

/** The state of a row as pages show it. */
export function stateOf({ state, doubt }: Pick<Row, "state" | "doubt">): State {
  if (state === "capped" || state === "no-key") return "skipped";
  return state === "passed" && doubt !== undefined ? "doubtful" : state;
}

/** The state of a row; a doubt counts as passed. */
export function plainState(row: Row): State {
  const state = stateOf(row);
  return state === "doubtful" ? "passed" : state;
}

/** Counts rows by state, passed first, without empty states; a doubt counts as passed. */
export function countStates(rows: readonly Row[]): (readonly [State, number])[] {
  const byState = Map.groupBy(rows, plainState);
  const order: readonly State[] = ["passed", "failed", "errored", "missing", "skipped"];
  return order.flatMap((state) => {
    const those = byState.get(state);
    return those ? [[state, those.length] as const] : [];
  });
}

/** The sign of a state, its square in the score bar, and its word after a number. */
export const STATES: Readonly<Record<State, Readonly<Record<"sign" | "square" | "word", string>>>> = {
  passed: { sign: "✅", square: "🟩", word: "passed" },
  doubtful: { sign: "⚠️", square: "🟩", word: "passed with a doubt" },
  failed: { sign: "❌", square: "🟥", word: "failed" },
  errored: { sign: "⚠️", square: "🟨", word: "errored" },
  skipped: { sign: "➖", square: "⬜", word: "skipped" },
  missing: { sign: "➖", square: "⬜", word: "missing" },
};

export const CHECK_SIGNS: Readonly<Record<Check["outcome"], string>> = { pass: "✅", fail: "❌" };

/** Text of a check without description and reason. */
export const NO_DETAIL = "(the judge gave no detail)";

/** Before the checks of an errored grade. */
export const UNCOUNTED = "Reported before the judge was interrupted, and not counted:";

/** A check on one line: `description: reason`. */
export function checkText({ description, reason }: Check): string {
  return [description, reason].filter(Boolean).join(": ") || NO_DETAIL;
}

/** What leaves a doubt about a check: quotes that are not in the evidence, a contradiction; undefined without any. */
export function doubtsText({ quotes, contradicted }: Check): string | undefined {
  const named = (quotes?.missing ?? []).map((quote) => `“${shorten(quote, LONGEST_LISTED_QUOTE)}”`);
  const doubts = [
    ...(named.length > 0 ? [`not in the evidence: ${listed(named, MOST_QUOTES_LISTED)}`] : []),
    ...(contradicted ? ["the judge contradicted itself about this check"] : []),
  ];
  return doubts.length > 0 ? doubts.join("; ") : undefined;
}

/** `2 of 3 checks passed`, or the counts of votes. */
export function tallyText({ checks, votes }: Pick<Row, "checks" | "votes">): string {
  if (votes) return votesText(votes);
  const passed = checks.filter(({ outcome }) => outcome === "pass").length;
  return `${outOf(passed, checks.length, "check")} passed`;
}

/** `passed in 2 of 3 votes`. */
export function votesText(votes: Votes): string {
  const { passed, failed, errored, judges = [] } = votes;
  const [side, many] = passed > failed ? ["passed", passed] : ["failed", failed];
  const errors = errored > 0 ? `, ${String(errored)} errored` : "";
  const each = judgesDiffer(votes) ? ` (${judges.map(judgeText).join("; ")})` : "";
  return `${side} in ${outOf(many, passed + failed + errored, "vote")}${errors}${each}`;
}

/** Whether a vote of a further judge contradicts the first judge. */
function judgesDiffer({ judges: [first, ...others] = [] }: Votes): boolean {
  return others.some(({ passed, failed }) => (first?.passed ? failed : passed) > 0);
}

/** `gpt-5: passed twice, errored`. */
function judgeText({ model, ...sides }: JudgeVotes): string {
  const parts = (["passed", "failed", "errored"] as const).flatMap((side) => {
    const times = sides[side] > 2 ? ` ${String(sides[side])} times` : sides[side] === 2 ? " twice" : "";
    return sides[side] > 0 ? [`${side}${times}`] : [];
  });
  return `${model}: ${parts.join(", ")}`;
}

/** What takes the place of a secret. */
export const REDACTED = "[redacted]";

/** Why a grade has no verdict: `class: file: message help`. */
export function errorLine({ class: errorClass, message, file, help, notSent }: GradeError): string {
  const where = `${notSent ? "Not sent: " : ""}${file === undefined ? "" : `\`${file}\`: `}`;
  return `${errorClass}: ${where}${help === undefined ? message : `${asSentence(message)} ${help}`}`;
}

/** ` (out/a.md)`, to follow a grade's name, if its error is about a file. */
export function filePart({ file }: GradeError): string {
  return file === undefined ? "" : ` (${file})`;
}

/** The estimate as a sentence, without its full stop. */
export function describeEstimate({
  grades,
  recorded,
  beyond,
  requests,
  tokens,
  cost,
  unpriced,
}: Estimate): string {
  const named = unpriced.map(({ model, baseUrl }) => `\`${model}\` at \`${baseUrl}\``);
  const money = cost
    ? formatAbout(cost, formatDollars)
    : `at an unknown price: ${listed(named, MOST_UNPRICED_NAMED)} (give it in \`model-prices\`)`;
  const caps = beyond.map(({ cap, usual }) => `; \`${cap}\` ${usual ? "would" : "may"} be reached`).join("");
  const reused = recorded === 0 ? "" : ` (${formatNumber(recorded)} recorded)`;
  return `${count(grades, "grade")}${reused} would take ${formatAbout(requests, formatNumber)} requests, ${formatAbout(tokens, formatNumber)} tokens, ${money}${caps}`;
}
