/** What became of a grade, with its sign and its words: the same in the log and on every page. */
import type { Check, Grade, Graded, JudgeVotes, Votes } from "../domain/grade.ts";
import { count, listed, shorten } from "./format.ts";

/** `doubtful` has passed, and something in how it was judged is worth a second look; `missing` is a skipped grade of a run that is not there. */
export type State = "passed" | "doubtful" | "failed" | "errored" | "skipped" | "missing";

/** The state of a grade. */
export function stateOf({ verdict }: Pick<Grade, "verdict">): State {
  if (verdict.state === "skipped") return verdict.cause === "missing" ? "missing" : "skipped";
  if (verdict.state === "errored") return "errored";
  if (!verdict.passed) return "failed";
  return verdict.incomplete || verdict.warning !== undefined ? "doubtful" : "passed";
}

/** The state of a grade where a doubt counts as passed. */
export function plainState(grade: Pick<Grade, "verdict">): State {
  const state = stateOf(grade);
  return state === "doubtful" ? "passed" : state;
}

/** How many grades are in each state that some are in, the passed first; a doubt counts as passed. */
export function countStates(grades: readonly Grade[]): (readonly [State, number])[] {
  const byState = Map.groupBy(grades, plainState);
  const order: readonly State[] = ["passed", "failed", "errored", "missing", "skipped"];
  return order.flatMap((state) => {
    const those = byState.get(state);
    return those ? [[state, those.length] as const] : [];
  });
}

/** The sign of a state. */
export const SIGNS: Readonly<Record<State, string>> = {
  passed: "✅",
  doubtful: "⚠️",
  failed: "❌",
  errored: "⚠️",
  skipped: "➖",
  missing: "➖",
};

/** A grade in a bar. */
export const SQUARES: Readonly<Record<State, string>> = {
  passed: "🟩",
  doubtful: "🟩",
  failed: "🟥",
  errored: "🟨",
  skipped: "⬜",
  missing: "⬜",
};

/** The sign of a check's outcome. */
export const CHECK_SIGNS: Readonly<Record<Check["outcome"], string>> = { pass: "✅", fail: "❌" };

/** The state in words, after a number. */
export const WORDS: Readonly<Record<State, string>> = {
  passed: "passed",
  doubtful: "passed with a doubt",
  failed: "failed",
  errored: "errored",
  skipped: "skipped",
  missing: "missing",
};

/** Said of a check of which the judge said nothing. */
export const NO_DETAIL = "(the judge gave no detail)";

/** A check on one line: what was checked, and why it came out so. */
export function checkText({ description, reason }: Check): string {
  return [description, reason].filter(Boolean).join(": ") || NO_DETAIL;
}

/** Quotes of a check that are named, and characters of each. */
const QUOTES_NAMED = 3;
const QUOTE = 80;

/** The quotes of a check that were not found; undefined without any. */
export function quotesText({ quotes }: Check): string | undefined {
  if (!quotes || quotes.missing.length === 0) return undefined;
  const named = quotes.missing.map((quote) => `“${shorten(quote, QUOTE)}”`);
  return `not in the evidence: ${listed(named, QUOTES_NAMED)}`;
}

/** `2 of 3 checks passed`, or how the votes went. */
export function tallyText({ checks, votes }: Pick<Graded, "checks" | "votes">): string {
  if (votes) return votesText(votes);
  const passed = checks.filter(({ outcome }) => outcome === "pass").length;
  return `${String(passed)} of ${count(checks.length, "check")} passed`;
}

/** Whose side most votes took, and how many of them. */
export function votesText(votes: Votes): string {
  const { passed, failed, errored, judges = [] } = votes;
  const [side, many] = passed > failed ? ["passed", passed] : ["failed", failed];
  const errors = errored > 0 ? `, ${String(errored)} errored` : "";
  const each = judgesDiffer(votes) ? ` (${judges.map(judgeText).join("; ")})` : "";
  return `${side} in ${String(many)} of ${count(passed + failed + errored, "vote")}${errors}${each}`;
}

/** True when the second judge has a vote against the first one's verdict. */
export function judgesDiffer({ judges: [first, ...others] = [] }: Votes): boolean {
  return others.some(({ passed, failed }) => (first?.passed ? failed : passed) > 0);
}

/** `gpt-5: passed twice, errored`. */
function judgeText({ model, ...sides }: JudgeVotes): string {
  const said = (["passed", "failed", "errored"] as const).flatMap((side) => {
    const times = sides[side] > 2 ? ` ${String(sides[side])} times` : sides[side] === 2 ? " twice" : "";
    return sides[side] > 0 ? [`${side}${times}`] : [];
  });
  return `${model}: ${said.join(", ")}`;
}
