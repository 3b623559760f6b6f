/** The rules of the gate, each with its sentence, short verdict, cause and remedy. */
import { inBaseline } from "../compare/baseline-source.ts";
import type { Conclusion } from "../domain/conclusion.ts";
import type { Verdict } from "../domain/grade.ts";
import { decideAgreement } from "../labels/agreement.ts";
import type { Scores } from "../domain/scores.ts";
import {
  count,
  errorLine,
  formatAgainst,
  formatMinimum,
  formatNumber,
  formatScore,
  listed,
  problemLine,
  ROUNDING,
} from "../text/format.ts";
import type { Facts, GoldenTask } from "./gate-facts.ts";
import {
  alsoFailed,
  coverage,
  deadFirst,
  failedPart,
  gradedPart,
  NAMED,
  ofTask,
  quoted,
  scorePart,
  withoutVerdictPart,
} from "./gate-parts.ts";
import type { RuleText } from "./gate-parts.ts";
import { notCompared, regression, sentenceOf } from "./regression-rules.ts";
import { missingProblems, missingSentence } from "./missing.ts";

interface Rule extends Pick<Conclusion, "rule" | "conclusion" | "check"> {
  /** Undefined when the rule does not apply. */
  readonly say: (facts: Facts) => RuleText | undefined;
  /** `fail-on: never` lets it pass. */
  readonly spared?: true | undefined;
}

const FAILURE = { conclusion: "failure", check: "failure" } as const;
const SUCCESS = { conclusion: "success", check: "success" } as const;

/** The first rule that applies decides; the last always applies. */
export const RULES: readonly Rule[] = [
  { rule: "configuration", ...FAILURE, say: configuration },
  { rule: "cancelled", ...FAILURE, check: "cancelled", say: cancelled },
  { rule: "dry-run", ...SUCCESS, check: "neutral", say: dryRun },
  { rule: "min-agreement", ...FAILURE, say: minAgreement },
  { rule: "missing", ...FAILURE, say: missing, spared: true },
  { rule: "errored", ...FAILURE, say: errored, spared: true },
  { rule: "golden", ...FAILURE, say: golden, spared: true },
  { rule: "min-score", ...FAILURE, say: minScore, spared: true },
  { rule: "regression", ...FAILURE, say: regression, spared: true },
  { rule: "failed-grade", ...FAILURE, say: failedGrade, spared: true },
  { rule: "nothing-to-do", ...SUCCESS, say: nothingToDo },
  { rule: "not-compared", ...SUCCESS, check: "neutral", say: notCompared },
  { rule: "passed", ...SUCCESS, say: passed },
];

function configuration({ errors: [first, ...more] }: Facts): RuleText | undefined {
  if (!first) return undefined;
  const withMore = (text: string) =>
    more.length > 0 ? `${text.replace(/\.$/, "")} (and ${String(more.length)} more)` : text;
  return {
    sentence: `Failed: configuration problem: ${withMore(problemLine(first))}`,
    verdict: `${count(more.length + 1, "configuration problem")}: ${withMore(first.message)}`,
  };
}

function cancelled({ cancelled: isCancelled, scores }: Facts): RuleText | undefined {
  if (!isCancelled) return undefined;
  const what = coverage(scores);
  const hint = "With `cache-dir`, no verdict is paid for twice.";
  return { sentence: `Cancelled: ${what}`, verdict: `cancelled, ${what}`, hint };
}

function dryRun({ dryRun: isDry, counts }: Facts): RuleText | undefined {
  if (!isDry) return undefined;
  const what = `${count(counts.skipped - counts.missing, "grade")} to make`;
  return { sentence: `Dry run: ${what}, no judge was asked`, verdict: `dry run, ${what}` };
}

/** Applies only when grades were judged: labels need verdicts to agree with. */
function minAgreement({ agreement, policy, scores }: Facts): RuleText | undefined {
  if (!agreement || policy.minAgreement === undefined) return undefined;
  const { red, isShort, sentence: verdict } = decideAgreement(agreement, policy.minAgreement);
  if (!red) return undefined;
  const cause = isShort ? erroredCause(firstWithout(scores)) : undefined;
  return { sentence: `Failed: ${verdict} (${coverage(scores)})`, verdict, cause };
}

/** The remedy is that of the first eval with missing runs. */
function missing({ counts, policy, scores }: Facts): RuleText | undefined {
  if (counts.missing === 0 || policy.onMissing !== "fail") return undefined;
  const verdict = `${deadFirst(scores)}${missingSentence(scores)}${alsoFailed(scores)}`;
  return { ...failed(scores, verdict), cause: missingProblems(scores, policy)[0]?.help };
}

function errored(facts: Facts): RuleText | undefined {
  const { scores, withoutVerdict, policy } = facts;
  if (withoutVerdict === 0 || policy.onError !== "fail") return undefined;
  const verdict = `${deadFirst(scores)}${withoutVerdictPart(facts)}${alsoFailed(scores)}`;
  const first = firstWithout(scores);
  return {
    sentence: `Failed: ${verdict}${scorePart(scores)} (${gradedPart(scores)})`,
    verdict,
    cause: erroredCause(first),
    hint: first?.state === "skipped" ? first.reason : undefined,
  };
}

/** Why the first errored grade has no verdict. */
function erroredCause(verdict: Verdict | undefined): string | undefined {
  if (verdict?.state === "errored") return errorLine(verdict.error);
  return verdict?.state === "graded" && verdict.incomplete ? errorLine(verdict.incomplete) : undefined;
}

function firstWithout(scores: Scores): Verdict | undefined {
  return scores.grades
    .map(({ verdict }) => verdict)
    .find(
      (verdict) =>
        verdict.state === "errored" ||
        (verdict.state === "skipped" && verdict.cause !== "missing") ||
        (verdict.state === "graded" && verdict.incomplete !== undefined),
    );
}

function golden({ golden: tasks, scores, comparison }: Facts): RuleText | undefined {
  const wrong = tasks.filter(({ trouble }) => trouble !== undefined);
  if (wrong.length === 0) return undefined;
  // A task that is only in the baseline may have been retired on purpose.
  const isGone = wrong.some(({ trouble }) => trouble === "removed" || trouble === "ungraded");
  const hint = "To retire a golden task, or a grader of one, save a new baseline from main.";
  return {
    ...failed(scores, `${deadFirst(scores)}${goldenPart(wrong, inBaseline(comparison?.source ?? {}))}`),
    hint: isGone ? hint : undefined,
  };
}

const TROUBLES = {
  failed: "failed",
  errored: "errored without a verdict",
  capped: "was skipped, since a cap was reached",
  missing: "is missing",
  removed: "is only",
  ungraded: "no longer decides: it is only",
};

function goldenPart(wrong: readonly GoldenTask[], before: string): string {
  const [first] = wrong;
  const troubleText = (trouble: keyof typeof TROUBLES) => {
    const isGone = trouble === "removed" || trouble === "ungraded";
    return isGone ? `${TROUBLES[trouble]} ${before}` : TROUBLES[trouble];
  };
  if (first && wrong.length === 1) {
    const { id, grader = "", trouble = "failed" } = first;
    const who = trouble === "missing" || trouble === "removed" ? "it" : `its grader ${quoted(grader)}`;
    return `the golden task ${quoted(id)} has to pass, and ${who} ${troubleText(trouble)}`;
  }
  const named = wrong.map(({ id, trouble = "failed" }) => `${quoted(id)} ${troubleText(trouble)}`);
  return `all golden tasks have to pass, and ${listed(named, NAMED)}`;
}

function minScore({ scores, counts, policy }: Facts): RuleText | undefined {
  const { score } = scores;
  const least = policy.minScore;
  if (counts.planned === 0 || least === undefined) return undefined;
  if (score !== undefined && score >= least - ROUNDING) return undefined;
  const minimum = `the minimum of ${formatMinimum(least)}`;
  const what =
    score === undefined
      ? `no score, ${minimum} is not reached`
      : `score ${formatAgainst(score, least)} is below ${minimum}`;
  return {
    sentence: `Failed: ${deadFirst(scores)}${what} (${coverage(scores)})`,
    verdict: counts.failed > 0 ? failedPart(scores) : gradedPart(scores),
  };
}

/** The cause names the first failed grade. */
function failedGrade({ scores, counts, policy, failedEarlier }: Facts): RuleText | undefined {
  if (counts.failed === failedEarlier || !["fail", "never"].includes(policy.failOn)) return undefined;
  const { score } = scores;
  const reached =
    policy.minScore === undefined || score === undefined
      ? scorePart(scores)
      : `, and \`fail-on: fail\` decides, though score ${formatScore(score)} reaches the minimum of ${formatMinimum(policy.minScore)}`;
  const first = scores.grades.find(
    ({ verdict, job }) => verdict.state === "graded" && !verdict.passed && !job.run?.hasLaterAttempt,
  );
  const earlier = failedEarlier === 0 ? "" : `, ${formatNumber(failedEarlier)} of them in an earlier attempt`;
  const which = counts.failed === 1 ? "The failed grade" : "The first failed grade";
  const isNamed = first && counts.failed <= NAMED;
  return {
    sentence: `Failed: ${failedPart(scores)}${earlier}${reached} (${coverage(scores)})`,
    verdict: failedPart(scores),
    cause: isNamed ? `${which} ${ofTask(first.job.task.id, first.job.grader.name)}.` : undefined,
    hint: policy.minScore === undefined ? undefined : "Set `fail-on: score` to let the score decide.",
  };
}

function nothingToDo({ counts, narrowed, advisory = 0 }: Facts): RuleText | undefined {
  if (counts.planned > 0) return undefined;
  const why = narrowed
    ? "the pull request changes no eval with an enabled prompt grader"
    : "no enabled task with a prompt grader";
  const verdict =
    advisory > 0
      ? `all graders are advisory, so nothing decides (${count(advisory, "grade")} without effect)`
      : `nothing to grade (${why})`;
  return { sentence: `Passed: ${verdict}`, verdict };
}

function passed(facts: Facts): RuleText {
  const { scores, counts, regression: decision } = facts;
  const verdict = passedPart(facts);
  const met = agreementMet(facts);
  const brief = met ? `; ${met.brief}` : "";
  if (!decision || counts.passed + counts.failed === 0) {
    const sentence = `Passed: ${verdict}${scorePart(scores)} (${coverage(scores)})`;
    return { sentence: `${sentence}${met ? `; ${met.sentence}` : ""}`, verdict: `${verdict}${brief}` };
  }
  const text = counts.failed > 0 ? decision : { head: verdict, details: [] };
  const more = [text === decision ? undefined : decision, met && { head: met.sentence, details: [] }];
  const others = more.filter((one) => one !== undefined);
  return { sentence: sentenceOf("Passed", [text, ...others], scores), verdict: `${text.head}${brief}` };
}

/** The sentence on a met `min-agreement`. */
function agreementMet({ agreement, policy }: Facts): Record<"sentence" | "brief", string> | undefined {
  if (agreement?.agreement === undefined || policy.minAgreement === undefined) return undefined;
  const { sentence } = decideAgreement(agreement, policy.minAgreement);
  return { sentence, brief: `agreement with people ${formatScore(agreement.agreement)}` };
}

function passedPart({ scores, counts, policy, withoutVerdict, failedEarlier }: Facts): string {
  const byFailOn = `allowed by \`fail-on: ${policy.failOn}\``;
  if (counts.passed + counts.failed === 0) {
    if (policy.failOn === "never") return `no grade was made, ${byFailOn}`;
    const by = [
      ...(withoutVerdict > 0 ? ["`on-error: warn`"] : []),
      ...(counts.missing > 0 ? ["`on-missing: warn`"] : []),
    ];
    return `no grade was made, allowed by ${by.join(" and ")}`;
  }
  if (counts.failed > 0 && policy.failOn === "fail" && counts.failed === failedEarlier)
    return `${failedPart(scores)}, all in an earlier attempt: the newest of each run decides`;
  if (counts.failed > 0) return `${failedPart(scores)}, ${byFailOn}`;
  return `${formatNumber(counts.passed)} of ${count(counts.planned, "grade")} passed`;
}

function failed(scores: Scores, verdict: string): RuleText {
  return { sentence: `Failed: ${verdict}${scorePart(scores)} (${coverage(scores)})`, verdict };
}
