/** The rules of the gate, each with its texts. */
import { inBaseline } from "../compare/baseline-source.ts";
import type { Conclusion } from "../domain/conclusion.ts";
import type { Verdict } from "../domain/grade.ts";
import { decideAgreement } from "../labels/agreement.ts";
import type { Counts } from "../domain/scores.ts";
import {
  count,
  errorLine,
  formatAgainst,
  formatMinimum,
  formatNumber,
  listed,
  problemLine,
  ROUNDING,
  upperFirst,
} from "../text/format.ts";
import { deadText } from "./dead-runs.ts";
import type { Facts, GoldenTask } from "./gate-facts.ts";
import { alsoFailed, coverage, failedPart, NAMED, ofTask, quoted, withoutVerdictPart } from "./gate-parts.ts";
import type { RuleText } from "./gate-parts.ts";
import { joined, notCompared, regression } from "./regression-rules.ts";
import { missingProblems, missingSentence } from "./missing.ts";

interface Rule extends Pick<Conclusion, "rule" | "conclusion" | "check"> {
  /** The first word of the sentence. */
  readonly word: string;
  /** Undefined when the rule does not apply. */
  readonly say: (facts: Facts) => RuleText | undefined;
  /** `fail-on: never` lets it pass. */
  readonly spared?: true | undefined;
}

const FAILED = { conclusion: "failure", check: "failure", word: "Failed" } as const;
const PASSED = { conclusion: "success", check: "success", word: "Passed" } as const;

/** The first rule that applies decides; the last always applies. */
export const RULES: readonly Rule[] = [
  { rule: "configuration", ...FAILED, say: configuration },
  { rule: "cancelled", ...FAILED, check: "cancelled", word: "Cancelled", say: cancelled },
  { rule: "dry-run", ...PASSED, check: "neutral", word: "Dry run", say: dryRun },
  { rule: "min-agreement", ...FAILED, say: minAgreement },
  { rule: "missing", ...FAILED, say: missing, spared: true },
  { rule: "errored", ...FAILED, say: errored, spared: true },
  { rule: "golden", ...FAILED, say: golden, spared: true },
  { rule: "min-score", ...FAILED, say: minScore, spared: true },
  { rule: "regression", ...FAILED, say: regression, spared: true },
  { rule: "failed-grade", ...FAILED, say: failedGrade, spared: true },
  { rule: "nothing-to-do", ...PASSED, say: nothingToDo },
  { rule: "not-compared", ...PASSED, check: "neutral", word: "Not compared", say: notCompared },
  { rule: "passed", ...PASSED, say: passed },
];

function configuration({ errors: [first, ...more] }: Facts): RuleText | undefined {
  if (!first) return undefined;
  const text = problemLine(first);
  const others = ` (and ${String(more.length)} more)`;
  const title = `configuration problem: ${more.length > 0 ? text.replace(/\.$/, "") + others : text}`;
  return { title, details: [], score: "" };
}

function cancelled({ cancelled: isCancelled, scores }: Facts): RuleText | undefined {
  if (!isCancelled) return undefined;
  return { title: coverage(scores), details: ["With `cache-dir`, no verdict is paid for twice"], score: "" };
}

function dryRun({ dryRun: isDry, counts }: Facts): RuleText | undefined {
  if (!isDry) return undefined;
  const title = `${count(counts.skipped - counts.missing, "grade")} to make, no judge was asked`;
  return { title, details: [], score: "" };
}

/** Applies only when grades were judged: labels need verdicts to agree with. */
function minAgreement(facts: Facts): RuleText | undefined {
  const { agreement, policy } = facts;
  if (!agreement || policy.minAgreement === undefined) return undefined;
  const { red, isShort, sentence } = decideAgreement(agreement, policy.minAgreement);
  if (!red) return undefined;
  const cause = isShort ? causeOf(firstWithout(facts)) : undefined;
  return { title: sentence, details: [], cause };
}

/** The remedy is that of the first eval with missing runs. */
function missing({ counts, policy, scores }: Facts): RuleText | undefined {
  if (counts.missing === 0 || policy.onMissing !== "fail") return undefined;
  const title = `${missingSentence(scores)}${alsoFailed(scores)}`;
  return { title, details: [], cause: missingProblems(scores, policy)[0]?.help };
}

function errored(facts: Facts): RuleText | undefined {
  const { scores, withoutVerdict, policy } = facts;
  if (withoutVerdict === 0 || policy.onError !== "fail") return undefined;
  const title = `${withoutVerdictPart(facts)}${alsoFailed(scores)}`;
  return { title, details: [], cause: causeOf(firstWithout(facts)) };
}

/** Why a grade has no verdict. */
function causeOf(verdict: Verdict | undefined): string | undefined {
  if (verdict?.state === "errored") return errorLine(verdict.error);
  if (verdict?.state === "skipped") return verdict.reason;
  return verdict?.state === "graded" && verdict.incomplete ? errorLine(verdict.incomplete) : undefined;
}

/** The first verdict that counts as none. */
function firstWithout({ scores, incomplete }: Facts): Verdict | undefined {
  return scores.grades
    .map(({ verdict }) => verdict)
    .find(
      (verdict) =>
        verdict.state === "errored" ||
        (verdict.state === "skipped" && verdict.cause !== "missing") ||
        (incomplete > 0 && verdict.state === "graded" && verdict.incomplete !== undefined),
    );
}

function golden({ golden: tasks, comparison }: Facts): RuleText | undefined {
  const wrong = tasks.filter(({ trouble }) => trouble !== undefined);
  if (wrong.length === 0) return undefined;
  // A task that is only in the baseline may have been retired on purpose.
  const isGone = wrong.some(({ trouble }) => trouble === "removed" || trouble === "ungraded");
  const retire = "To retire a golden task, or a grader of one, save a new baseline from main";
  const title = goldenPart(wrong, inBaseline(comparison?.source ?? {}));
  const [unjudged] = wrong.flatMap(({ verdict }) => causeOf(verdict) ?? []);
  return { title, details: isGone ? [retire] : [], cause: unjudged };
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
      ? `No score: ${minimum} is not reached`
      : `Score ${formatAgainst(score, least)} is below ${minimum}`;
  const none = counts.passed === 0 ? "no grade was made" : passedCount(counts);
  const title = counts.failed > 0 ? failedPart(scores) : none;
  return { title, details: [], score: `${what} (${coverage(scores)})` };
}

/** The cause names the first failed grade. */
function failedGrade({ scores, counts, policy, failedEarlier }: Facts): RuleText | undefined {
  if (counts.failed === failedEarlier || !["fail", "never"].includes(policy.failOn)) return undefined;
  const earlier = failedEarlier === 0 ? "" : `, ${formatNumber(failedEarlier)} of them in an earlier attempt`;
  const first = scores.grades.find(
    ({ verdict, job }) => verdict.state === "graded" && !verdict.passed && !job.run?.hasLaterAttempt,
  );
  const which = counts.failed === 1 ? "The failed grade" : "The first failed grade";
  const isNamed = first && counts.failed <= NAMED;
  return {
    title: `${failedPart(scores)}${earlier}`,
    details: policy.minScore === undefined ? [] : ["To let the score alone decide, set `fail-on: score`"],
    cause: isNamed ? `${which} ${ofTask(first.job.task.id, first.job.grader.name)}.` : undefined,
  };
}

function nothingToDo({ counts, narrowed, advisory = 0 }: Facts): RuleText | undefined {
  if (counts.planned > 0) return undefined;
  const why = narrowed
    ? "the pull request changes no eval with an enabled prompt grader"
    : "no enabled task with a prompt grader";
  const title =
    advisory > 0
      ? `all graders are advisory, so nothing decides (${count(advisory, "grade")} without effect)`
      : `nothing to grade (${why})`;
  return { title, details: [], score: "" };
}

function passed(facts: Facts): RuleText {
  const { counts, regression: decision } = facts;
  const title = passedPart(facts);
  const isCompared = decision !== undefined && counts.passed + counts.failed > 0;
  const parts = [
    ...(isCompared && counts.failed > 0 ? [] : [{ title, details: [] }]),
    ...(isCompared ? [decision] : []),
  ];
  const text = joined(parts) ?? { title, details: [] };
  const dead = deadText(facts.scores);
  return {
    ...text,
    details: [...text.details, ...(dead ? [upperFirst(dead.title)] : []), ...agreementMet(facts)],
  };
}

/** The sentence on a met `min-agreement`. */
function agreementMet({ agreement, policy }: Facts): string[] {
  if (agreement?.agreement === undefined || policy.minAgreement === undefined) return [];
  return [upperFirst(decideAgreement(agreement, policy.minAgreement).sentence)];
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
  return passedCount(counts);
}

function passedCount({ passed, planned }: Counts): string {
  return `${formatNumber(passed)} of ${count(planned, "grade")} passed`;
}
