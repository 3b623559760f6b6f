/** The rules of the gate, in their order: when each applies, and what it says. Names in sentences are untrusted. Pure. */
import { bothSides, failedBeside, goneSuites } from "./compare.ts";
import type { RegressionDecision } from "./comparison-text.ts";
import { goldenPart, goldenTroubles } from "./golden.ts";
import { quoted } from "./names.ts";
import { againSentences, gonePart } from "./news.ts";
import { type BaselineSource, nameOf, newBaseline } from "./pairs.ts";
import { deadSentences, missingProblems, missingSentence } from "./run-problems.ts";
import {
  ASK_FOR_VERDICT,
  coverage,
  failedPart,
  nothingPasses,
  passedCount,
  scoreNeeded,
  scoreSentence,
  silentSentences,
  withoutCall,
  withoutVerdictPart,
} from "./scores-text.ts";
import { type Triggers, goneTriggers, missingTriggers, worseTriggers } from "./triggers.ts";
import {
  type Advice,
  type Decided,
  SETTLE,
  WAIT,
  afterAccepted,
  afterGolden,
  afterNotCompared,
  afterRegression,
  blame,
  mend,
  undecided,
} from "./what-now.ts";
import type { AskedAgain, Conclusion, Sentences } from "../domain/grade.ts";
import { AGENT_ENDED, type Problem, isError } from "../domain/problem.ts";
import {
  type Counts,
  type Row,
  countTasks,
  hasVerdict,
  isChecked,
  taskKeyOfAnyModel,
} from "../domain/row.ts";
import { type Agreement, decideAgreement } from "../labels/agreement.ts";
import { count, formatNumber, outOf, plural, ROUNDING, withLocation } from "../text/format.ts";
import { errorLine } from "../text/states.ts";

const FAILED = { conclusion: "failure", check: "failure", word: "Failed" } as const;
const PENDING = { conclusion: "pending", check: "pending", word: undefined } as const;
const PASSED = { conclusion: "success", check: "success", word: "Passed" } as const;
const NEUTRAL = { ...PASSED, check: "neutral", word: undefined } as const;
const UNFINISHED = { ...FAILED, word: undefined, isUnfinished: true } as const;
const SPARED = { ...FAILED, isSpared: true } as const;
/** Main may fail there, too. */
const OF_AGENT = { ...SPARED, blame } as const;

/** The first rule that applies decides; the last always applies. */
export const RULES: readonly Rule[] = [
  { rule: "configuration", ...UNFINISHED, word: "Failed", say: configuration },
  { rule: "time-limit", ...UNFINISHED, say: timeLimit },
  { rule: "cancelled", ...UNFINISHED, check: "cancelled", say: cancelled },
  { rule: "dry-run", ...NEUTRAL, isUnfinished: true, say: dryRun },
  { rule: "min-agreement", ...FAILED, say: minAgreement, now: () => SETTLE },
  { rule: "missing", ...SPARED, say: (facts) => missing(facts) ?? triggersMissing(facts) },
  { rule: "errored", ...SPARED, say: errored },
  { rule: "golden", ...OF_AGENT, say: golden, now: afterGolden },
  { rule: "min-score", ...OF_AGENT, say: minScore, now: mend },
  { rule: "second-look", ...PENDING, say: secondLook, now: () => WAIT },
  { rule: "regression", ...OF_AGENT, say: regression, now: afterRegression },
  { rule: "accepted", ...PASSED, say: accepted, now: afterAccepted },
  { rule: "failed-grade", ...OF_AGENT, say: failedGrade, now: mend },
  { rule: "nothing-to-do", ...PASSED, say: nothingToDo },
  { rule: "nothing-graded", ...NEUTRAL, say: nothingGraded },
  { rule: "not-compared", ...NEUTRAL, say: notCompared, now: afterNotCompared },
  { rule: "passed", ...PASSED, say: passed, now: undecided },
];

interface Rule extends Pick<Conclusion, "rule" | "conclusion" | "check"> {
  /** The log's first word; undefined where the first sentence begins with its own. */
  readonly word: "Failed" | "Passed" | undefined;
  /** What the rule says, and why; undefined where it does not apply. */
  readonly say: (facts: Facts) => Said | undefined;
  /** What to do next; absent where the page says it at its problems or errors. */
  readonly now?: (decided: Decided) => readonly Advice[];
  /** `fail-on: never` lets it pass. */
  readonly isSpared?: true;
  /** Whether a grade that failed is the doing of this change, or main's. */
  readonly blame?: typeof blame;
  /** Not all is judged: it says nothing of trigger evals, and is no baseline. */
  readonly isUnfinished?: true;
}

/** The line of a rule. */
export function ruleOf(name: Conclusion["rule"]): Rule {
  const [rule] = RULES.filter((one) => one.rule === name) as [Rule];
  return rule;
}

/** What to do next; where no agent got to work, or no judge said a thing, the section of that says it. */
export function whatNow(decided: Decided): readonly Advice[] {
  const failed = decided.scores.grades.filter(({ state }) => state === "failed");
  if (failed.length > 0 && !failed.some(isChecked)) return [];
  return ruleOf(decided.conclusion.rule).now?.(decided) ?? [];
}

export interface GateInput extends Pick<Decided, "scores" | "policy" | "comparison"> {
  readonly problems: readonly Problem[];
  readonly cancelled?: boolean | undefined;
  /** The step's limit, in minutes, where grading ended by it. */
  readonly reachedMinutes?: number | undefined;
  /** A dry run: only problems with the files decide. */
  readonly dryRun?: boolean | undefined;
  /** `changed-only` or `tasks` left out all that could have been graded, and nothing else is missing. */
  readonly narrowed?: boolean | undefined;
  /** What changes none of the evals, where all are left out for that. */
  readonly unchangedBy?: "pull request" | "branch" | undefined;
  /** The results hold runs of trigger evals, and no others. */
  readonly triggersAlone?: boolean | undefined;
  readonly agreement?: Agreement | undefined;
  /** Tasks and queries that may run again before a drop of a pull request decides, by their keys; empty where none may. */
  readonly mayRunAgain?: ReadonlySet<string> | undefined;
  /** What accepts what a comparison would make red: the label, or the flag. */
  readonly accepted?: string | undefined;
  /** The trigger evals, which decide by their own comparison. */
  readonly triggers?: Triggers | undefined;
  /** The number of advisory grades, which decide nothing. */
  readonly advisory?: number | undefined;
}

export interface Facts extends GateInput {
  readonly counts: Counts;
  /** Incomplete grades, where they count as errored: a score of half the checks may reach a minimum that all miss. */
  readonly incomplete: number;
  /** Grades without a verdict: errored, skipped without a key or by a cap, and incomplete where that counts. */
  readonly withoutVerdict: number;
  /** The decision under `fail-on: regression`. */
  readonly regression?: RegressionDecision | undefined;
  /** The tasks and trigger queries that dropped, and run again before that decides. */
  readonly toRunAgain: readonly AskedAgain[];
  /** Failed grades of runs that a later attempt repeated, and decides. */
  readonly failedEarlier: number;
}

/** What a rule that applies says. */
export interface Said {
  readonly sentences: Sentences;
  readonly cause?: string | undefined;
  /** Its sentences are of trigger evals. */
  readonly isOfTriggers?: true | undefined;
}

function configuration({ problems }: Facts): Said | undefined {
  const [first, ...further] = problems.filter(isError);
  if (!first) return undefined;
  const { code, message, help, at } = first;
  const what = code === AGENT_ENDED ? "" : "configuration problem: ";
  const text = `${what}${withLocation(message, at).replace(/\.$/, "")}`;
  const more = further.length === 0 ? [] : [`${count(further.length, "more problem")}, listed with it`];
  return { sentences: [text, ...(help === undefined ? [] : [help]), ...more] };
}

function timeLimit({ reachedMinutes, scores }: Facts): Said | undefined {
  if (reachedMinutes === undefined) return undefined;
  const limit = `ended by its limit of ${String(reachedMinutes)} ${plural(reachedMinutes, "minute", "minutes")}`;
  return { sentences: [`${limit}, a re-run goes on: ${coverage(scores)}`] };
}

function cancelled({ cancelled: isCancelled, scores }: Facts): Said | undefined {
  if (!isCancelled) return undefined;
  return {
    sentences: [`cancelled: ${coverage(scores)}`, "With `cache-dir`, no verdict is paid for twice"],
  };
}

function dryRun({ dryRun: isDry, counts, scores }: Facts): Said | undefined {
  if (!isDry) return undefined;
  const grades = count(scores.grades.length - counts.missing, "grade");
  return { sentences: [`dry run: ${grades} planned, no judge was asked`] };
}

/** Applies only when grades were judged: labels need verdicts to agree with. */
function minAgreement(facts: Facts): Said | undefined {
  const { agreement, policy, scores } = facts;
  if (!agreement || policy.minAgreement === undefined) return undefined;
  const { red, sentence } = decideAgreement(agreement, policy.minAgreement);
  if (!red) return undefined;
  const isShort = agreement.agreement === undefined && agreement.uncounted.length > 0;
  const cause = isShort ? firstCause(facts) : undefined;
  return { sentences: [sentence, scoreSentence(scores)], cause };
}

/** Why the first grade has no verdict that has none, or none that counts. */
function firstCause({ scores, incomplete }: Facts): string | undefined {
  const first = scores.grades.find(
    (row) =>
      (!hasVerdict(row) && row.state !== "missing") || (incomplete > 0 && row.incomplete !== undefined),
  );
  return first && causeOf(first);
}

/** The remedy is that of the first eval with missing runs. */
function missing(facts: Facts): Said | undefined {
  const { counts, policy, scores } = facts;
  if (counts.missing === 0 || (policy.onMissing !== "fail" && !isLookLost(facts, true))) return undefined;
  const failed = counts.failed > 0 ? `; ${failedPart(scores)}` : "";
  const sentences: Sentences = [`${missingSentence(scores)}${failed}`, scoreSentence(scores)];
  return { sentences, cause: missingProblems(scores, policy)[0]?.help };
}

/** A second look of which runs are missing, or have no verdict, is never green. */
function isLookLost({ scores, comparison }: Facts, isMissing: boolean): boolean {
  const again = comparison?.source.again;
  const isLost = (row: Row) => !hasVerdict(row) && (row.state === "missing") === isMissing;
  return scores.grades.some((row) => isLost(row) && again?.has(taskKeyOfAnyModel(row)) === true);
}

function triggersMissing({ triggers, policy }: Facts): Said | undefined {
  const [first] = triggers ? missingTriggers(triggers, policy.onMissing !== "fail") : [];
  if (first === undefined) return undefined;
  const cause =
    "Look at the logs of these runs: usually the agent is not installed or not signed in there. `run --triggers` makes all of them.";
  return { sentences: [first], cause, isOfTriggers: true };
}

function errored(facts: Facts): Said | undefined {
  const { scores, withoutVerdict, policy } = facts;
  if (withoutVerdict === 0 || (policy.onError !== "fail" && !isLookLost(facts, false))) return undefined;
  const { failed } = facts.counts;
  const alsoFailed = failed > 0 ? `, ${formatNumber(failed)} failed` : "";
  const first = `${withoutVerdictPart(scores, facts.incomplete)}${alsoFailed}`;
  return { sentences: [first, scoreSentence(scores)], cause: firstCause(facts) };
}

function minScore({ scores, counts, policy, narrowed }: Facts): Said | undefined {
  const { score } = scores;
  const least = policy.minScore;
  if (least === undefined || (counts.planned === 0 && narrowed)) return undefined;
  if (score !== undefined && score >= least - ROUNDING) return undefined;
  const none = counts.passed === 0 ? "no grade was made" : passedCount(scores);
  const grades = counts.failed > 0 ? failedPart(scores) : none;
  return { sentences: [`${grades}: ${scoreNeeded(score, least)}`, coverage(scores)] };
}

function passed(facts: Facts): Said {
  const { counts, scores, policy, comparison, agreement, regression: decision } = facts;
  const [compared, ...moreSentences] =
    decision && counts.passed + counts.failed > 0 ? decision.sentences : [];
  const passedSentence = passedPart(facts);
  // What is gone is in the first sentence, also where all that is left passes.
  const isGone = comparison !== undefined && comparison.removed.length > 0;
  const begin = (): Sentences => {
    if (compared === undefined) return [passedSentence];
    if (counts.failed > 0) return [compared];
    return isGone ? [`${passedSentence}; ${compared}`] : [passedSentence, compared];
  };
  const dead = (deadSentences(scores) ?? []).slice(0, 1);
  const least = policy.minAgreement;
  const isAgreed = agreement?.agreement !== undefined && least !== undefined;
  const agreed = isAgreed ? [decideAgreement(agreement, least).sentence] : [];
  const isScoreSaid = compared === undefined && scoreReached(facts) !== undefined;
  const last = isScoreSaid ? coverage(scores) : lastSentence(facts);
  return {
    sentences: [...begin(), ...moreSentences, ...dead, ...agreed, last],
  };
}

/** What dropped runs again before it decides. */
function secondLook({ toRunAgain, comparison, triggers, scores }: Facts): Said | undefined {
  if (toRunAgain.length === 0) return undefined;
  const state = scores.counts.planned > 0 ? [coverage(scores)] : [];
  return { sentences: [...againSentences(toRunAgain, comparison, triggers?.comparison), ...state] };
}

/** What the comparison makes red, where no label accepts it; runs and judges without a verdict worth the name are no drop. */
function regression(facts: Facts): Said | undefined {
  return facts.accepted !== undefined && !isBeyondComparison(facts) ? undefined : worse(facts);
}

function worse(facts: Facts): Said | undefined {
  return facts.policy.failOn === "regression" ? (worseGrades(facts) ?? worseByTriggers(facts)) : undefined;
}

function isBeyondComparison({ scores, regression: decision }: Facts): boolean {
  const isNothing = decision?.state === "not-compared" && nothingPasses(scores).length > 0;
  return isNothing || silentSentences(scores).length > 0 || deadSentences(scores) !== undefined;
}

/** What a comparison would make red, and is accepted. */
function accepted(facts: Facts): Said | undefined {
  const said = worse(facts);
  if (!said || facts.accepted === undefined) return undefined;
  const [first, ...more] = said.sentences;
  return {
    ...said,
    cause: undefined,
    sentences: [`accepted by ${facts.accepted}: ${first}`, ...more],
  };
}

/** Grades without a check come first, then what the comparison says; of a suite without a baseline in which nothing passes, that. */
function worseGrades(facts: Facts): Said | undefined {
  const { regression: decision, scores, comparison } = facts;
  if (scores.counts.planned === 0) return nothingLeft(facts);
  const silent = silentSentences(scores);
  const isRed = decision?.state === "red";
  const nothing = decision?.state === "not-compared" ? nothingPasses(scores) : [];
  if (!isRed && silent.length + nothing.length === 0 && !deadSentences(scores)) return undefined;
  const [first = failedPart(scores), ...more] = [...silent, ...nothing, ...(decision?.sentences ?? [])];
  const cause = comparison && goneSuites(comparison).length > 0 ? retire(comparison.source) : undefined;
  return { sentences: [first, ...more, lastSentence(facts)], cause };
}

/** Trigger evals count as grades do. */
function worseByTriggers(facts: Facts): Said | undefined {
  const { comparison } = facts.triggers ?? {};
  const gone = comparison ? goneTriggers(comparison) : [];
  const [first, ...more] = [...(comparison ? worseTriggers(comparison) : []), ...gone];
  if (!comparison || first === undefined) return undefined;
  return {
    sentences: [first, ...more, ...(facts.counts.planned > 0 ? [lastSentence(facts)] : [])],
    cause: gone.length > 0 ? retire(comparison.source) : undefined,
    isOfTriggers: true,
  };
}

/** The state of all grades; with their score, where that is not the compared one, which was said. */
function lastSentence({ scores, comparison, regression: decision }: Facts): string {
  const compared = decision && comparison && bothSides(comparison.pairs)?.current;
  const isSaid = compared !== undefined && Math.abs((scores.score ?? 0) - compared) < ROUNDING;
  if (isSaid) return coverage(scores);
  const isByOthers = comparison?.pairs.some(({ weight, current }) => current.example.weight !== weight);
  const of = compared === undefined || scores.score === undefined ? "" : " of all grades";
  return `${scoreSentence(scores, of)}${isByOthers ? ", by the weights of now" : ""}`;
}

/** What the baseline holds of what is here no more: narrowing excuses only suites that are still here. */
function nothingLeft({ comparison, narrowed, triggersAlone }: Facts): Said | undefined {
  const gone = comparison?.removed.length ?? 0;
  const isExcused = narrowed === true || triggersAlone === true;
  if (gone === 0 || !comparison) return undefined;
  const isTooMuch = goneSuites(comparison).length > 0;
  if (isExcused && !isTooMuch) return undefined;
  const named = gonePart(comparison).join("; ");
  return {
    sentences: [isTooMuch ? named : `nothing is left to grade: ${named}`],
    cause: retire(comparison.source),
  };
}

/** What to do where evals are gone. */
function retire(source: BaselineSource): string {
  return `To retire evals, remove their skill, too, or ${newBaseline(source)}.`;
}

function passedPart(facts: Facts): string {
  const { scores, counts, policy, withoutVerdict, failedEarlier } = facts;
  const byFailOn = `allowed by \`fail-on: ${policy.failOn}\``;
  if (counts.passed + counts.failed === 0) {
    if (policy.failOn === "never") return `no grade was made, ${byFailOn}`;
    const by = [
      ...(withoutVerdict > 0 ? ["`on-error: warn`"] : []),
      ...(counts.missing > 0 ? ["`on-missing: warn`"] : []),
    ];
    return `no grade was made, allowed by ${by.join(" and ")}`;
  }
  const reached = scoreReached(facts);
  if (counts.failed > 0 && policy.failOn === "fail" && counts.failed === failedEarlier) {
    const failed = scores.grades.filter(({ state }) => state === "failed");
    return `${outOf(countTasks(failed), countTasks(scores.grades), "task")} failed in an earlier attempt only: the newest of each run decides`;
  }
  if (counts.failed > 0)
    return reached ? `${reached}; ${failedPart(scores)}` : `${failedPart(scores)}, ${byFailOn}`;
  const unjudged = counts.planned - counts.passed;
  const andReached = reached ? `: ${reached}` : "";
  if (unjudged === 0) return `${passedCount(scores)}${andReached}`;
  const pass = plural(counts.passed, "passes", "pass");
  return `${outOf(counts.passed, counts.planned, "grade")} ${pass}, and ${formatNumber(unjudged)} ${plural(unjudged, "has", "have")} no verdict${andReached}`;
}

/** `score 0.94, needs 0.80`, where a minimum is reached. */
function scoreReached({ scores: { score }, policy: { minScore: least } }: Facts): string | undefined {
  const isReached = least !== undefined && score !== undefined && score >= least - ROUNDING;
  return isReached ? scoreNeeded(score, least) : undefined;
}

/** The cause names the first failed grade. */
function failedGrade({ scores, counts, policy, failedEarlier }: Facts): Said | undefined {
  if (counts.failed === failedEarlier || !["fail", "never"].includes(policy.failOn)) return undefined;
  const earlier = failedEarlier === 0 ? "" : `, ${formatNumber(failedEarlier)} of them in an earlier attempt`;
  const first = scores.grades.find((row) => row.state === "failed" && !row.hasLaterAttempt);
  const which = plural(counts.failed, "The failed grade", "The first failed grade");
  return {
    sentences: [
      `${failedPart(scores)}${earlier}`,
      ...(withoutCall(scores) > 0 ? [ASK_FOR_VERDICT] : []),
      scoreSentence(scores),
    ],
    cause:
      first &&
      `${which} is of the task ${quoted(first.task)} in ${quoted(first.suite)}, by the grader ${quoted(first.grader)}.`,
  };
}

/** Narrowing excuses what it left out, and nothing else. */
function nothingToDo({ counts, narrowed, unchangedBy, comparison }: Facts): Said | undefined {
  if (counts.planned > 0 || !narrowed) return undefined;
  const nothing =
    unchangedBy === undefined
      ? "nothing to grade (`changed-only` or `tasks` leaves out every eval)"
      : `nothing to grade: this ${unchangedBy} changes no skill with evals`;
  const gone = comparison && comparison.source.absent === undefined ? gonePart(comparison) : [];
  return { sentences: [[...gone, nothing].join("; ")] };
}

/** Success needs a verdict. */
function nothingGraded(facts: Facts): Said | undefined {
  const { counts, advisory = 0, triggersAlone } = facts;
  if (counts.passed + counts.failed > 0) return undefined;
  if (counts.planned > 0) return { sentences: [passedPart(facts), lastSentence(facts)] };
  if (triggersAlone)
    return { sentences: ["nothing to grade (only trigger evals were run)", ...comparedTriggers(facts)] };
  const first =
    advisory > 0
      ? `all graders are advisory, so nothing decides (${count(advisory, "grade")} without effect)`
      : "nothing to grade (no enabled task with a prompt grader)";
  return { sentences: [first] };
}

/** What is compared where only trigger evals were run. */
function comparedTriggers({ comparison, triggers, policy }: Facts): string[] {
  if (!comparison || policy.failOn !== "regression") return [];
  const main = nameOf(comparison.source);
  return triggers?.comparison?.pairs.length
    ? [`Only the trigger evals are compared with ${main}: they are not worse`]
    : [`Nothing is compared: ${main} has no run of these trigger evals`];
}

/** Without a baseline, failed grades are shown and decide nothing. */
function notCompared(facts: Facts): Said | undefined {
  const { regression: decision, counts, scores } = facts;
  if (decision?.state !== "not-compared" || counts.passed + counts.failed === 0) return undefined;
  const grades = counts.failed > 0 ? failedPart(scores) : passedCount(scores);
  const [first, ...more] = decision.sentences;
  // What is new is named with what fails.
  const isNamed = facts.comparison !== undefined && failedBeside(facts.comparison).fresh.length > 0;
  const begin: Sentences = isNamed ? [first, grades] : [`${grades}; ${first}`];
  return { sentences: [...begin, ...more, lastSentence(facts)] };
}

function golden({ comparison, scores }: Facts): Said | undefined {
  const wrong = goldenTroubles(scores, comparison);
  if (wrong.length === 0) return undefined;
  // A task that is only in the baseline may have been retired on purpose.
  const isGone = wrong.some(({ trouble }) => trouble === "gone" || trouble === "ungraded");
  const how = `To retire a golden task, or a grader of one, ${newBaseline(comparison?.source ?? {})}`;
  const [unjudged] = wrong.flatMap(({ row }) => (row && causeOf(row)) ?? []);
  return {
    sentences: [goldenPart(wrong), ...(isGone ? [how] : []), scoreSentence(scores)],
    cause: unjudged,
  };
}

/** Why a grade has no verdict, or not a whole one. */
function causeOf(row: Row): string | undefined {
  const error = row.error ?? row.incomplete;
  if (error) return errorLine(error);
  return hasVerdict(row) ? undefined : row.reason;
}
