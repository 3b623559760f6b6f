/** Parts that several of the gate's sentences share. */
import type { ComparisonText } from "../compare/comparison-sentence.ts";
import { deadGrades, deadReason, deadRuns } from "./dead-runs.ts";
import type { Conclusion } from "../domain/conclusion.ts";
import { isWithoutCheck } from "../domain/grade.ts";
import type { Scores } from "../domain/scores.ts";
import { count, formatNumber, formatScore, shorten, upperFirst } from "../text/format.ts";
import type { Facts } from "./gate-facts.ts";

export type RuleText = Pick<Conclusion, "sentence" | "verdict" | "cause" | "hint">;

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

function hasDead(scores: Scores): boolean {
  return deadGrades(scores) > 0;
}

/** The beginning of every sentence when agents never got to work. */
export function deadFirst(scores: Scores): string {
  return hasDead(scores) ? `${failedPart(scores)}; ` : "";
}

export function alsoFailed(scores: Scores): string {
  const { counts } = scores;
  return counts.failed > 0 && !hasDead(scores) ? `, ${formatNumber(counts.failed)} failed` : "";
}

export function failedPart(scores: Scores): string {
  const { counts } = scores;
  const dead = deadGrades(scores);
  const failed = `${formatNumber(counts.failed)} of ${count(counts.planned, "grade")} failed`;
  const reason = dead > 0 ? deadReason(scores) : "";
  if (dead > 0 && dead === counts.failed)
    return `${failed}: the agent never got to work${reason === "" ? "" : ` (${reason})`}`;
  const silent = withoutCall(scores);
  const why = [
    ...(dead > 0
      ? [`of ${formatNumber(dead)} the agent never got to work${reason === "" ? "" : `: ${reason}`}`]
      : []),
    ...(silent > 0
      ? [
          `${silent === counts.failed ? "the judge" : `of ${formatNumber(silent)} the judge`} reported no check`,
        ]
      : []),
  ];
  return why.length === 0 ? failed : `${failed} (${why.join("; ")})`;
}

/** Texts on grades without checks: runs whose agent never got to work, then silent judges. */
export function withoutCheckTexts(scores: Scores): ComparisonText[] {
  const { dead, runs } = deadRuns(scores);
  const reason = deadReason(scores);
  const silent = withoutCall(scores);
  const where = `${formatNumber(dead)} of ${count(runs, "run")}${reason === "" ? "" : ` (${reason})`}`;
  const unasked = dead === runs ? ["No judge was asked"] : [];
  const grades = `${formatNumber(silent)} of ${count(scores.counts.planned, "grade")}`;
  return [
    ...(dead > 0 ? [{ head: `the agent never got to work in ${where}`, details: unasked }] : []),
    ...(silent > 0 ? [{ head: `the judge reported no check in ${grades}`, details: [] }] : []),
  ];
}

/** The number of failed grades whose judge finished without a call: the judge may be at fault. */
function withoutCall(scores: Scores): number {
  return scores.grades.filter(({ verdict, job }) => isWithoutCheck(verdict) && job.run?.agent !== "failed")
    .length;
}

export function withoutVerdictPart({ scores, counts, withoutVerdict, incomplete }: Facts): string {
  const errorClass = counts.errorClasses.length === 1 ? ` (${counts.errorClasses.join()})` : "";
  const skipped = withoutVerdict - counts.errored - incomplete;
  const kinds: [number, string, string][] = [
    [counts.errored, `errored${errorClass}`, `errored without a verdict${errorClass}`],
    [incomplete, "incomplete (the judge was interrupted)", "incomplete (the judge was interrupted)"],
    [skipped, `skipped${skipCause(scores)}`, `skipped${skipCause(scores)}`],
  ];
  const some = kinds.filter(([number]) => number > 0);
  const kind =
    some.length === 1
      ? (some[0]?.[2] ?? "")
      : `without a verdict: ${some.map(([number, short]) => `${formatNumber(number)} ${short}`).join(", ")}`;
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

export function scorePart({ score }: Scores): string {
  return score === undefined ? "" : `, score ${formatScore(score)}`;
}

/** `Score 0.50 (12 of 12 graded)`. */
export function scoreSentence(scores: Scores): string {
  const { score } = scores;
  return score === undefined
    ? upperFirst(coverage(scores))
    : `Score ${formatScore(score)} (${coverage(scores)})`;
}

export function gradedPart({ counts }: Scores): string {
  return `${formatNumber(counts.passed + counts.failed)} of ${formatNumber(counts.planned)} graded`;
}

/** The number of graded grades, and the state of the others. */
export function coverage(scores: Scores): string {
  const { counts } = scores;
  const parts: [number, string][] = [
    [counts.errored, "errored"],
    [counts.missing, "missing"],
    [counts.skipped - counts.missing, "skipped"],
  ];
  const others = parts.flatMap(([number, word]) => (number === 0 ? [] : `, ${formatNumber(number)} ${word}`));
  return `${gradedPart(scores)}${others.join("")}`;
}
