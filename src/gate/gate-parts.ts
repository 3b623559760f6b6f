/** Parts that several of the gate's sentences share. */
import type { ComparisonText } from "../compare/comparison-sentence.ts";
import { isWithoutCheck } from "../domain/grade.ts";
import type { Scores } from "../domain/scores.ts";
import { count, formatNumber, formatScore, shorten, upperFirst } from "../text/format.ts";
import type { Facts } from "./gate-facts.ts";

/** The texts of a rule that applies. */
export interface RuleText extends ComparisonText {
  readonly cause?: string | undefined;
  /** The last sentence, if it is not the score with the number of graded grades. */
  readonly score?: string | undefined;
}

/** Maximum golden tasks, or failed grades, named in a sentence. */
export const NAMED = 3;
/** Maximum length of an id in a message. */
const NAME = 100;

/** `is of the task …, by the grader …`. */
export function ofTask(task: string, grader: string): string {
  return `is of the task ${quoted(task)}, by the grader ${quoted(grader)}`;
}

/** A name as code. */
export function quoted(name: string): string {
  return `\`${shorten(name, NAME)}\``;
}

export function alsoFailed({ counts }: Scores): string {
  return counts.failed > 0 ? `, ${formatNumber(counts.failed)} failed` : "";
}

export function failedPart(scores: Scores): string {
  const { counts } = scores;
  const silent = withoutCall(scores);
  const judge = silent === counts.failed ? "the judge" : `of ${formatNumber(silent)} the judge`;
  const why = silent > 0 ? ` (${judge} reported no check)` : "";
  return `${formatNumber(counts.failed)} of ${count(counts.planned, "grade")} failed${why}`;
}

/** The text on silent judges; none if there is no such grade. */
export function silentTexts(scores: Scores): ComparisonText[] {
  const silent = withoutCall(scores);
  const grades = `${formatNumber(silent)} of ${count(scores.counts.planned, "grade")}`;
  return silent > 0 ? [{ title: `the judge reported no check in ${grades}`, details: [] }] : [];
}

/** The number of failed grades whose judge finished without a call: the judge may be at fault. */
function withoutCall(scores: Scores): number {
  return scores.grades.filter(({ verdict, job }) => isWithoutCheck(verdict) && job.run?.agent !== "failed")
    .length;
}

export function withoutVerdictPart({ scores, counts, withoutVerdict, incomplete }: Facts): string {
  const errorClass = counts.errorClasses.length === 1 ? ` (${counts.errorClasses.join()})` : "";
  const skipped = withoutVerdict - counts.errored - incomplete;
  const kinds: readonly { readonly number: number; readonly text: string; readonly alone?: string }[] = [
    { number: counts.errored, text: `errored${errorClass}`, alone: `errored without a verdict${errorClass}` },
    { number: incomplete, text: "incomplete (the judge was interrupted)" },
    { number: skipped, text: `skipped${skipCause(scores)}` },
  ].filter(({ number }) => number > 0);
  const [first, ...others] = kinds;
  const kind =
    first && others.length === 0
      ? (first.alone ?? first.text)
      : `without a verdict: ${kinds.map(({ number, text }) => `${formatNumber(number)} ${text}`).join(", ")}`;
  return `${formatNumber(withoutVerdict)} of ${count(counts.planned, "grade")} ${kind}`;
}

const CAUSES: Readonly<Record<string, string>> = { "no-key": "no key", cap: "a cap was reached" };

/** Why planned grades were skipped. */
function skipCause(scores: Scores): string {
  const causes = new Set(
    scores.grades.flatMap(({ verdict }) =>
      verdict.state === "skipped" ? (CAUSES[verdict.cause] ?? []) : [],
    ),
  );
  return causes.size === 0 ? "" : ` (${[...causes].join(", ")})`;
}

/** `Score 0.50 (12 of 12 graded)`. */
export function scoreSentence(scores: Scores): string {
  const { score } = scores;
  return score === undefined
    ? upperFirst(coverage(scores))
    : `Score ${formatScore(score)} (${coverage(scores)})`;
}

/** The number of graded grades, and the state of the others. */
export function coverage({ counts }: Scores): string {
  const parts: [number, string][] = [
    [counts.errored, "errored"],
    [counts.missing, "missing"],
    [counts.skipped - counts.missing, "skipped"],
  ];
  const others = parts.flatMap(([number, word]) => (number === 0 ? [] : `, ${formatNumber(number)} ${word}`));
  const graded = formatNumber(counts.passed + counts.failed);
  return `${graded} of ${formatNumber(counts.planned)} graded${others.join("")}`;
}
