/** Success or failure of the whole: one pure function, first rule that matches wins (docs/scoring.md). */
import type { Conclusion, Grade, Policy, Problem, Scores } from "./domain.ts";
import {
  count,
  errorLine,
  formatAgainst,
  formatMinimum,
  formatNumber,
  formatScore,
  problemLine,
} from "./format.ts";

/** Means of floating-point scores miss a round minimum by this much at the most. */
const ROUNDING = 1e-9;

export interface GateInput {
  readonly scores: Scores;
  readonly problems: readonly Problem[];
  readonly policy: Policy;
  readonly cancelled?: boolean;
  /** Nobody was asked, on purpose: only what is wrong with the files decides. */
  readonly dryRun?: boolean;
}

/** Decides from the data alone; the sentence is the check's title and the step's last line. */
export function decide({
  scores,
  problems,
  policy,
  cancelled = false,
  dryRun = false,
}: GateInput): Conclusion {
  const { counts } = scores;
  const errors = problems.filter(({ level }) => level === "error");
  const withoutVerdict = counts.errored + counts.skipped - counts.withoutResults;
  const lenient = policy.failOn === "never";
  const low =
    counts.planned > 0 &&
    policy.minScore !== undefined &&
    (scores.score === undefined || !(scores.score >= policy.minScore - ROUNDING));
  const passed =
    counts.failed +
      counts.errored +
      counts.skipped +
      counts.incomplete +
      problems.filter((p) => p.level !== "notice").length ===
    0;
  const red = withoutVerdict > 0 || low || counts.failed > 0;
  const failure = (rule: Conclusion["rule"], check: Conclusion["check"] = "failure"): Conclusion => ({
    conclusion: "failure",
    check,
    rule,
    passed,
    sentence: sentence(rule, { scores, policy }, errors),
  });

  if (errors.length > 0) return failure("configuration");
  if (cancelled) return failure("cancelled", "cancelled");
  if (dryRun) return { ...failure("dry-run", "neutral"), conclusion: "success" };
  if (counts.planned > 0 && !lenient && policy.onError === "fail") {
    if (withoutVerdict > 0) return { ...failure("errored"), ...causeOf(scores) };
    if (graded(scores) === 0) return failure("none-graded");
  }
  if (low && !lenient) return failure("min-score");
  if (counts.failed > 0 && policy.failOn === "fail") return failure("failed-grade");
  const rule = counts.planned === 0 ? "nothing-to-do" : "passed";
  return {
    conclusion: "success",
    check: lenient && red ? "neutral" : "success",
    rule,
    passed,
    sentence: sentence(rule, { scores, policy }, errors),
  };
}

function graded({ counts }: Scores): number {
  return counts.passed + counts.failed;
}

function sentence(
  rule: Conclusion["rule"],
  { scores, policy }: Pick<GateInput, "scores" | "policy">,
  errors: readonly Problem[],
): string {
  switch (rule) {
    case "nothing-to-do":
      return "Passed: nothing to grade (no enabled task with a prompt grader)";
    case "configuration": {
      const first = errors[0] ? problemLine(errors[0]) : "";
      const more = errors.length > 1 ? ` (and ${String(errors.length - 1)} more)` : "";
      return `Failed: configuration problem: ${first}${more}`;
    }
    case "dry-run":
      return `Dry run: ${count(scores.counts.skipped - scores.counts.withoutResults, "grade")} to make, no judge was asked`;
    case "cancelled":
      return `Cancelled: ${coverage(scores)}`;
    case "errored":
      return `Failed: ${withoutVerdictPart(scores)}${scorePart(scores)} (${coverage(scores, true)})`;
    case "none-graded":
      return `Failed: no grade was made (${coverage(scores)})`;
    case "min-score": {
      const minimum = `the minimum of ${formatMinimum(policy.minScore ?? 0)}`;
      if (scores.score === undefined)
        return `Failed: no score, ${minimum} is not reached (${coverage(scores)})`;
      return `Failed: score ${formatAgainst(scores.score, policy.minScore)} is below ${minimum} (${coverage(scores)})`;
    }
    case "failed-grade":
      return `Failed: ${failedPart(scores)}${scorePart(scores)} (${coverage(scores)})`;
    case "passed":
      return `Passed: ${passedPart(scores)}${scorePart(scores)} (${coverage(scores)})`;
  }
}

function failedPart(scores: Scores): string {
  const { counts } = scores;
  const silent = withoutCall(scores);
  const why =
    silent === 0
      ? ""
      : ` (${silent === counts.failed ? "the judge" : `of ${formatNumber(silent)} the judge`} reported no check)`;
  return `${formatNumber(counts.failed)} of ${count(counts.planned, "grade")} failed${why}`;
}

/** Failed grades whose judge finished its answer without a call: it may have been the judge that went wrong. */
function withoutCall(scores: Scores): number {
  return gradesOf(scores).filter(
    ({ verdict, job }) =>
      verdict.state === "graded" && verdict.checks.length === 0 && job.run?.agent !== "failed",
  ).length;
}

function withoutVerdictPart(scores: Scores): string {
  const { counts } = scores;
  const without = counts.errored + counts.skipped - counts.withoutResults;
  const also = counts.failed > 0 ? `, ${formatNumber(counts.failed)} failed` : "";
  const errorClass = counts.errorClasses.length === 1 ? ` (${counts.errorClasses.join()})` : "";
  const cause = skipCause(scores);
  const kind =
    counts.errored === 0
      ? `skipped${cause}`
      : counts.errored === without
        ? `errored without a verdict${errorClass}`
        : `without a verdict: ${formatNumber(counts.errored)} errored${errorClass}, ${formatNumber(without - counts.errored)} skipped${cause}`;
  return `${formatNumber(without)} of ${count(counts.planned, "grade")} ${kind}${also}`;
}

/** What kept the first grade without a verdict from having one, for the log's last line. */
function causeOf(scores: Scores): { cause?: string } {
  for (const { verdict } of gradesOf(scores)) {
    if (verdict.state === "errored") return { cause: errorLine(verdict.error) };
    if (verdict.state === "skipped" && verdict.cause !== "no-results") return { cause: verdict.reason };
  }
  return {};
}

/** Why grades were skipped that should not have been. */
function skipCause(scores: Scores): string {
  const causes = new Set(
    gradesOf(scores).flatMap(({ verdict }) =>
      verdict.state === "skipped" ? (CAUSES[verdict.cause] ?? []) : [],
    ),
  );
  return causes.size === 0 ? "" : ` (${[...causes].join(", ")})`;
}

function gradesOf({ suites }: Scores): readonly Grade[] {
  return suites.flatMap(({ tasks }) => tasks.flatMap(({ runs }) => runs.flatMap(({ grades }) => grades)));
}

const CAUSES: Readonly<Record<string, string>> = { "no-key": "no key", cap: "a cap was reached" };

function passedPart(scores: Scores): string {
  const { counts } = scores;
  if (graded(scores) === 0) return "no grade was made, which this gate lets pass";
  if (counts.failed > 0) return `${failedPart(scores)}, which this gate lets pass`;
  return `${formatNumber(counts.passed)} of ${count(counts.planned, "grade")} passed`;
}

function scorePart({ score }: Scores): string {
  return score === undefined ? "" : `, score ${formatScore(score)}`;
}

/** How many were graded, and what became of the others where the sentence does not say it already. */
function coverage(scores: Scores, said = false): string {
  const { counts } = scores;
  const parts: [number, string][] = [
    [counts.errored, "errored"],
    [counts.skipped, "skipped"],
  ];
  const others = parts.flatMap(([number, word]) =>
    said || number === 0 ? [] : `, ${formatNumber(number)} ${word}`,
  );
  return `${formatNumber(graded(scores))} of ${formatNumber(counts.planned)} graded${others.join("")}`;
}
