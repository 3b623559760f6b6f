/** The gate's sentences: each rule's own, which is the check's title and the step's last line. */
import { allGrades } from "../all-grades.ts";
import { deadGrades, deadReason, deadRunProblems } from "./dead-runs.ts";
import type { Scores, Verdict } from "../domain.ts";
import {
  count,
  errorLine,
  problemLine,
  formatAgainst,
  formatMinimum,
  formatNumber,
  formatScore,
  shorten,
} from "../format.ts";
import type { Facts, GoldenTask } from "./gate-facts.ts";
import { missingProblems, missingSentence } from "./missing.ts";

/** How many golden tasks, or failed grades, a sentence names. */
const NAMED = 3;
/** Most characters of an id in a message. */
const NAME = 100;

export function configuration({ errors }: Facts): string {
  const first = errors[0] ? problemLine(errors[0]) : "";
  return `Failed: configuration problem: ${andMore(first, errors.length - 1)}`;
}

/** The first of some problems, and how many more there are. */
export function andMore(first: string, more: number): string {
  return more > 0 ? `${first.replace(/\.$/, "")} (and ${String(more)} more)` : first;
}

export function cancelled({ scores }: Facts): string {
  return `Cancelled: ${coverage(scores)}`;
}

export function dryRun({ counts }: Facts): string {
  return `Dry run: ${count(counts.skipped - counts.missing, "grade")} to make, no judge was asked`;
}

export function minAgreement({ scores, agreement }: Facts): string {
  return `Failed: ${agreement?.sentence ?? ""} (${coverage(scores)})`;
}

/** Without judged grades there is nothing that labels could agree with. */
export function agreementCause(facts: Facts): string | undefined {
  return facts.agreement?.isShort === true ? erroredCause(facts) : undefined;
}

export function missing(facts: Facts): string {
  const { scores } = facts;
  return `Failed: ${deadFirst(scores)}${missingSentence(scores)}${alsoFailed(scores)}${scorePart(scores)} (${coverage(scores)})`;
}

export function errored(facts: Facts): string {
  const { scores } = facts;
  return `Failed: ${deadFirst(scores)}${withoutVerdictPart(facts)}${alsoFailed(scores)}${scorePart(scores)} (${gradedPart(scores)})`;
}

/** The remedy for the first eval with missing runs. */
export function missingRemedy({ scores, policy }: Facts): string | undefined {
  return missingProblems(scores, policy)[0]?.help;
}

/** Why the first grade without a verdict has none, unless it was skipped. */
export function erroredCause({ scores }: Facts): string | undefined {
  const verdict = firstWithout(scores);
  if (verdict?.state === "errored") return errorLine(verdict.error);
  return verdict?.state === "graded" && verdict.incomplete ? errorLine(verdict.incomplete) : undefined;
}

/** Why the first grade without a verdict was skipped. */
export function skippedHint({ scores }: Facts): string | undefined {
  const verdict = firstWithout(scores);
  return verdict?.state === "skipped" ? verdict.reason : undefined;
}

function firstWithout(scores: Scores): Verdict | undefined {
  return allGrades(scores)
    .map(({ verdict }) => verdict)
    .find(
      (verdict) =>
        verdict.state === "errored" ||
        (verdict.state === "skipped" && verdict.cause !== "missing") ||
        (verdict.state === "graded" && verdict.incomplete !== undefined),
    );
}

/** The remedy when the agent never got to work. */
export function deadRemedy({ scores }: Facts): string | undefined {
  return deadRunProblems(scores)[0]?.help;
}

export function golden({ scores, golden: tasks }: Facts): string {
  const wrong = tasks.filter(({ trouble }) => trouble !== undefined);
  return `Failed: ${deadFirst(scores)}${goldenPart(wrong)}${scorePart(scores)} (${coverage(scores)})`;
}

const TROUBLES = {
  failed: "failed",
  errored: "errored without a verdict",
  capped: "was skipped, since a cap was reached",
  missing: "is missing",
  removed: "stands in the baseline alone",
  ungraded: "decides no more: it stands in the baseline alone",
};

/** How to retire what stands in the baseline alone. */
export function goldenRemedy({ golden: tasks }: Facts): string | undefined {
  return tasks.some(({ trouble }) => trouble === "removed" || trouble === "ungraded")
    ? "To retire a golden task, or a grader of one, save a new baseline from main."
    : undefined;
}

export function goldenPart(wrong: readonly GoldenTask[]): string {
  const [first] = wrong;
  if (first && wrong.length === 1) {
    const { id, grader = "", trouble = "failed" } = first;
    const who = trouble === "missing" || trouble === "removed" ? "it" : `its grader ${quoted(grader)}`;
    return `the golden task ${quoted(id)} has to pass, and ${who} ${TROUBLES[trouble]}`;
  }
  const named = wrong
    .slice(0, NAMED)
    .map(({ id, trouble = "failed" }) => `${quoted(id)} ${TROUBLES[trouble]}`);
  const more = wrong.length > NAMED ? [`and ${formatNumber(wrong.length - NAMED)} more`] : [];
  return `all golden tasks have to pass, and ${[...named, ...more].join(", ")}`;
}

function quoted(name: string): string {
  return `\`${shorten(name, NAME)}\``;
}

export function minScore({ scores, policy }: Facts): string {
  const minimum = `the minimum of ${formatMinimum(policy.minScore ?? 0)}`;
  const what =
    scores.score === undefined
      ? `no score, ${minimum} is not reached`
      : `score ${formatAgainst(scores.score, policy.minScore)} is below ${minimum}`;
  return `Failed: ${deadFirst(scores)}${what} (${coverage(scores)})`;
}

export function failedGrade({ scores, policy }: Facts): string {
  const { score } = scores;
  const reached =
    policy.minScore === undefined || score === undefined
      ? scorePart(scores)
      : `, and \`fail-on: fail\` decides, though score ${formatScore(score)} reaches the minimum of ${formatMinimum(policy.minScore)}`;
  return `Failed: ${failedPart(scores)}${reached} (${coverage(scores)})`;
}

export function regression({ scores, regression: decision }: Facts): string {
  return `Failed: ${deadFirst(scores)}${decision?.sentence ?? ""}${scorePart(scores)} (${coverage(scores)})`;
}

/** The first grade that no baseline excuses, or that is newly failing. */
export function regressionCause({ comparison, regression: decision }: Facts): string | undefined {
  const { unexcused = [], newlyFailing = [] } = comparison ?? {};
  const [place] = decision?.rule === "fell" ? newlyFailing : unexcused;
  if (!place) return undefined;
  const what = decision?.rule === "fell" ? "newly failing one" : "failed grade";
  const before =
    "baseline" in place
      ? `; it passed ${String(place.baseline.passes)} of ${String(place.baseline.runs)} in the baseline`
      : "";
  return `The first ${what} is of the task ${quoted(place.task)}, by the grader ${quoted(place.grader)}${before}.`;
}

/** Which grade failed, the first of a few. */
export function failedCause({ scores }: Facts): string | undefined {
  const { failed } = scores.counts;
  const first = allGrades(scores).find(({ verdict }) => verdict.state === "graded" && !verdict.passed);
  if (!first || failed > NAMED) return undefined;
  const which = failed === 1 ? "The failed grade" : "The first failed grade";
  return `${which} is of the task ${quoted(first.job.task.id)}, by the grader ${quoted(first.job.grader.name)}.`;
}

/** What to set where the score was perhaps meant to decide. */
export function failedHint({ policy }: Facts): string | undefined {
  return policy.minScore === undefined ? undefined : "Set `fail-on: score` to let the score decide.";
}

export function nothingToDo(facts: Facts): string {
  return `Passed: ${nothingPart(facts)}`;
}

export function nothingPart({ narrowed, advisory }: Facts): string {
  if (advisory > 0)
    return `all graders are advisory, so nothing decides (${count(advisory, "grade")} without effect)`;
  return narrowed
    ? "nothing to grade (the pull request changes no eval with an enabled prompt grader)"
    : "nothing to grade (no enabled task with a prompt grader)";
}

export function passed(facts: Facts): string {
  const { scores, regression: decision } = facts;
  const compared = decision ? `; ${decision.sentence}` : "";
  return `Passed: ${passedPart(facts)}${compared}${scorePart(scores)} (${coverage(scores)})`;
}

export function passedPart({ scores, counts, policy, withoutVerdict }: Facts): string {
  const byFailOn = `allowed by \`fail-on: ${policy.failOn}\``;
  if (counts.passed + counts.failed === 0) {
    if (policy.failOn === "never") return `no grade was made, ${byFailOn}`;
    const by = [
      ...(withoutVerdict > 0 ? ["`on-error: warn`"] : []),
      ...(counts.missing > 0 ? ["`on-missing: warn`"] : []),
    ];
    return `no grade was made, allowed by ${by.join(" and ")}`;
  }
  if (counts.failed > 0) return `${failedPart(scores)}, ${byFailOn}`;
  return `${formatNumber(counts.passed)} of ${count(counts.planned, "grade")} passed`;
}

function hasDead(scores: Scores): boolean {
  return deadGrades(scores) > 0;
}

/** Puts an agent that never got to work first, whatever rule decided. */
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

/** Failed grades whose judge finished its answer without a call: it may have been the judge that went wrong. */
function withoutCall(scores: Scores): number {
  return allGrades(scores).filter(
    ({ verdict, job }) =>
      verdict.state === "graded" && verdict.checks.length === 0 && job.run?.agent !== "failed",
  ).length;
}

export function withoutVerdictPart({ scores, counts, withoutVerdict, incomplete }: Facts): string {
  const errorClass = counts.errorClasses.length === 1 ? ` (${counts.errorClasses.join()})` : "";
  const skipped = withoutVerdict - counts.errored - incomplete;
  const kinds: [number, string, string][] = [
    [counts.errored, `errored${errorClass}`, `errored without a verdict${errorClass}`],
    [incomplete, "incomplete (the judge broke off)", "incomplete (the judge broke off)"],
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

/** Why grades were skipped that should not have been. */
function skipCause(scores: Scores): string {
  const causes = new Set(
    allGrades(scores).flatMap(({ verdict }) =>
      verdict.state === "skipped" ? (CAUSES[verdict.cause] ?? []) : [],
    ),
  );
  return causes.size === 0 ? "" : ` (${[...causes].join(", ")})`;
}

function scorePart({ score }: Scores): string {
  return score === undefined ? "" : `, score ${formatScore(score)}`;
}

export function gradedPart({ counts }: Scores): string {
  return `${formatNumber(counts.passed + counts.failed)} of ${formatNumber(counts.planned)} graded`;
}

/** How many were graded, and what became of the others. */
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
