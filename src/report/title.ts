/** The title of a page and of the check run: the suite, the verdict, the score and what it needed. Pure. */
import type { Report } from "./report.ts";
import { formatAgainst, formatMinimum, listed, shorten, upperFirst } from "../text/format.ts";
import { plainState } from "../text/states.ts";

/** Suites that are named, and characters of a name. */
const SUITES = 2;
const NAME = 30;
/** Maximum characters of the reason: suite, verdict and score share one line; the page has the whole sentence below. */
const TITLE = 84;

/** `pr-describer: 2 of 9 grades failed · score 0.78 (needs 0.80)`, as plain text. */
export function titleOf(report: Report): string {
  const graded = report.scores.suites.filter(({ tasks }) => tasks.length > 0);
  // Of many those are named that a reader has to look at.
  const red = graded.filter(({ grades }) => grades.some((grade) => plainState(grade) !== "passed"));
  const { title, rule } = report.conclusion;
  // A mistake in a file is no fault of the suites that were graded.
  const named = rule === "configuration" ? [] : red.length > 0 ? red : graded;
  const titles = new Set(named.map(({ suite }) => shorten(suite.title, NAME)));
  const names = listed([...titles], SUITES);
  const score = scorePart(report);
  const room = Math.max(NAME, TITLE - score.length - (names === "" ? 0 : names.length + 2));
  const brief = briefly(title, room);
  return `${names === "" ? upperFirst(brief) : `${names}: ${brief}`}${score}`;
}

/** True if the comparison decided, so that a page prints its sentence only once. */
export function isByComparison({ comparison, policy, conclusion: { rule } }: Report): boolean {
  const isDecided = ["regression", "not-compared", "passed"].includes(rule);
  return comparison !== undefined && policy.failOn === "regression" && isDecided;
}

/** True if the title contains the whole reason. */
export function isWhole(report: Report): boolean {
  return titleOf(report).toLowerCase().includes(report.conclusion.title.toLowerCase());
}

/** The leading parts of a sentence that fit. */
function briefly(text: string, room: number): string {
  if (text.length <= room) return text;
  const end = Math.max(...[", ", "; ", ": ", " ("].map((mark) => text.lastIndexOf(mark, room)));
  const part = end > room / 2 ? text.slice(0, end) : shorten(text, room);
  // Never cut within brackets.
  return part.lastIndexOf("(") > part.lastIndexOf(")")
    ? part.slice(0, part.lastIndexOf("(")).trimEnd()
    : part;
}

/** The score and its minimum; also the other conditions if the score alone would have been enough. */
function scorePart({ scores: { score, counts }, policy, conclusion: { rule } }: Report): string {
  const { minScore } = policy;
  if (counts.planned === 0 || rule === "dry-run" || rule === "configuration") return "";
  const needed = minScore === undefined ? undefined : formatMinimum(minScore);
  const also = rule === "failed-grade" ? " and no failed grade" : "";
  const needs = needed === undefined ? "" : ` (needs ${needed}${also})`;
  if (score === undefined) return needs === "" ? "" : ` · no score${needs}`;
  return ` · score ${formatAgainst(score, minScore)}${needs}`;
}
