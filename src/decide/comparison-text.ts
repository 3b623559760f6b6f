/**
 * The sentences of a comparison, and what `fail-on: regression` comes to: a baseline can only excuse failures. Names in
 * them are untrusted. Pure.
 */
import { LARGE_DROP, isLargeDrop, isSignificant, taskKeyOfAnyModel } from "./chance.ts";
import {
  type BeforeAndNow,
  type Comparison,
  isPartly,
  marginOf,
  marginOfPoints,
  meanScore,
} from "./compare.ts";
import { type BaselineSource, type Pair, inBaseline, nameOf } from "./pairs.ts";
import type { MaxDrop, VerdictText } from "../domain/grade.ts";
import { type GradeKey, gradeKey, isChecked } from "../domain/row.ts";
import type { Tally } from "../results/score.ts";
import { ROUNDING, count, formatNumber, formatScore, listed, shorten, upperFirst } from "../text/format.ts";
import { LONGEST_ID } from "./limits.ts";

/** The comparison under a `max-drop`; the worst fact comes first. */
function comparisonText(comparison: Comparison, maxDrop: MaxDrop = "noise"): VerdictText {
  const { verdict, drop, source } = comparison;
  if (verdict === "none") return { lead: nothingCompared(comparison), more: [] };
  const scores = allScoresPart(comparison);
  const isWorse = maxDrop === "noise" ? verdict === "fell" : exceeds(drop, maxDrop);
  if (isWorse) return worse(comparison, maxDrop);
  const also = failingBefore(comparison);
  if (drop > 0) {
    const [why, drops] =
      maxDrop === "noise"
        ? ["chance may explain it", chancePart(comparison)]
        : [`${written(maxDrop)} allows it`, `It dropped by ${pointsText(drop)}`];
    const more = [drops, ...marginPart(comparison, maxDrop), ...mostPart(comparison), ...also];
    return { lead: `${scores}: ${why}`, more, leadHasScore: true };
  }
  const moved = verdict === "rose" ? "better than" : "not worse than";
  const margin = comparison.canDrop ? [] : marginPart(comparison, maxDrop);
  const lead = `${moved} ${nameOf(source)}: ${scores}`;
  return { lead, more: [...also, ...margin], leadHasScore: true };
}

function nothingCompared({ source, notComparable }: Comparison): string {
  if (source.absent === "not-found") return "not compared: no baseline yet";
  if (source.absent === "nothing-passes") return `not compared: nothing passes ${inBaseline(source)}`;
  return excuseOf(notComparable) ?? `nothing can be compared with ${nameOf(source)}`;
}

/** Why nothing of these counts, where all are excused. */
function excuseOf(notComparable: Comparison["notComparable"]): string | undefined {
  const [first, ...others] = new Set(notComparable.map(({ excused }) => excused));
  if (notComparable.some(({ excused }) => excused === undefined)) return undefined;
  return first === undefined
    ? undefined
    : `not compared: ${first}${others.length > 0 ? `, ${others.join(", ")}` : ""}`;
}

/** `score 0.50, 0.76 on main`, with up to four decimals where they are needed to show a difference. */
function scoresPart({ baseline, current }: BeforeAndNow, source: BaselineSource): string {
  const isEqual = Math.abs(baseline - current) < ROUNDING;
  const digits =
    [2, 3].find((few) => isEqual || formatScore(baseline, few) !== formatScore(current, few)) ?? 4;
  const where = inBaseline(source);
  const before = isEqual ? `as ${where}` : `${formatScore(baseline, digits)} ${where}`;
  return `score ${formatScore(current, digits)}, ${before}`;
}

/** The scores of what is compared, and how many tasks these are where some are not. */
function allScoresPart({ score, source, pairs, notComparable, added }: Comparison): string {
  if (!score) return "no score";
  const tasks = (some: readonly GradeKey[]) => new Set(some.map(taskKeyOfAnyModel)).size;
  const [compared, all] = [tasks(pairs), tasks([...pairs, ...notComparable, ...added])];
  const graders = pairs.length + notComparable.length + added.length;
  const over =
    compared < all
      ? `, over ${String(compared)} of ${String(all)} tasks`
      : pairs.length < graders
        ? `, over ${String(pairs.length)} of ${String(graders)} graders`
        : "";
  return `${scoresPart(score, source)}${over}`;
}

function exceeds(drop: number, maxDrop: number): boolean {
  return drop > maxDrop + ROUNDING;
}

function worse(comparison: Comparison, maxDrop: MaxDrop): VerdictText {
  const { source, droppedInAll, droppedTask, verdict, drop } = comparison;
  const name = nameOf(source);
  const worst = mostPart(comparison);
  const same = sameWorkPart(comparison);
  if (maxDrop === "noise" && !droppedInAll && droppedTask) {
    const { key, baseline, current, p } = droppedTask;
    const task = `${shorten(key.task, LONGEST_ID)}${key.model === "" ? "" : ` (${shorten(key.model, LONGEST_ID)})`}`;
    const scores = scoresPart({ baseline, current }, source);
    const chance = `Some task drops this far by chance in ${oneOf(p)} comparisons: red from 1 of 100 on`;
    return {
      lead: `worse than ${name} in ${task}: ${scores}`,
      more: [...same, chance, `In all, ${allScoresPart(comparison)}`],
    };
  }
  const lead = `worse than ${name}: ${allScoresPart(comparison)}`;
  if (maxDrop === "noise")
    return { lead, more: [...same, chancePart(comparison), ...worst], leadHasScore: true };
  const dropped = `It dropped by ${pointsText(drop, maxDrop)}, more than ${written(maxDrop)} allows`;
  const byNoise = verdict === "fell" ? [] : ["`max-drop: noise` would pass it"];
  const more = [...same, dropped, chancePart(comparison, maxDrop), ...byNoise, ...worst];
  return { lead, more, leadHasScore: true };
}

/** Where every dropped grader has judged the same work before, the judge differs. */
function sameWorkPart({ dropped }: Comparison): string[] {
  const isSame = ({ baseline, current }: Pair) => {
    const before = new Set(baseline.grades.map(({ evidenceSha256 }) => evidenceSha256));
    return current.grades.every(({ evidenceSha256: its }) => its !== undefined && before.has(its));
  };
  return dropped.length > 0 && dropped.every(isSame)
    ? ["The agent's work is the same, word for word: the judge differs, not the agent"]
    : [];
}

/** The grader with the largest drop. */
function mostPart({ dropped: [most], pairs, source }: Comparison): string[] {
  if (!most) return [];
  // Skills number their evals, so that many have a task 1.
  const suites = new Set(pairs.map(({ suite }) => suite)).size;
  const suite = suites > 1 ? `${shorten(most.suite, LONGEST_ID)}, ` : "";
  return [`Largest drop: ${suite}${pairName(most)} (${sidesText(most, source)})`];
}

function pairName({ task, grader }: GradeKey): string {
  return `${shorten(task, LONGEST_ID)}, ${shorten(grader, LONGEST_ID)}`;
}

/** `3 of 3 on main, 0 of 1 now`, or `score 0.75 on main, 0.25 now` where some checks of a grade pass. */
function sidesText({ baseline, current }: Pair, source: BaselineSource): string {
  const [before, now] = sideTexts({ baseline, current });
  return `${before} ${inBaseline(source)}, ${now} now`;
}

/** Both sides of a grader: `3 of 3` and `0 of 1` that passed, or `score 0.75` and `0.25`. */
function sideTexts({ baseline, current }: Pick<Pair, "baseline" | "current">): readonly [string, string] {
  return isPartly([baseline, current])
    ? [`score ${meanScore(baseline).toFixed(2)}`, meanScore(current).toFixed(2)]
    : [ofText(baseline), ofText(current)];
}

function ofText({ passes, runs }: Tally): string {
  return `${String(passes)} of ${String(runs)}`;
}

/** `about 1 of 4`, rounded so that it stays on its side of .05. */
export function oneOf(p: number): string {
  if (p < 0.001) return "fewer than 1 of 1,000";
  if (p > 0.5) return "more than half of all";
  return `about 1 of ${formatNumber(isSignificant(p) ? Math.round(1 / p) : Math.min(19, Math.round(1 / p)))}`;
}

/** How often chance alone makes such a drop, and which rule of `noise` makes it red. */
function chancePart({ p, drop, verdict, droppedInAll }: Comparison, maxDrop: MaxDrop = "noise"): string {
  const chance = p
    ? `A drop this large happens by chance in ${oneOf(p.drop)} comparisons`
    : "Chance cannot be computed: on one side, no run has a verdict from every grader";
  if (verdict !== "fell" || !droppedInAll || maxDrop !== "noise") return chance;
  if (p && isSignificant(p.drop)) return `${chance}: red from 1 of 20 on`;
  return isLargeDrop(drop)
    ? `${chance}, but more than ${String(LARGE_DROP)} points always fail`
    : `${chance}: red from 1 of 10 on, since nothing passes now`;
}

/** `8.3 points`, with enough decimals to look larger than `maxDrop`. */
function pointsText(points: number, maxDrop = 0): string {
  const looksRight = (text: string) => Number(text) > maxDrop || !exceeds(points, maxDrop);
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((few) => looksRight(points.toFixed(few))) ?? 9;
  const text = points.toFixed(digits).replace(/\.0$/, "");
  return `${text} ${text === "1" ? "point" : "points"}`;
}

function written(maxDrop: number): string {
  return `\`max-drop: ${String(maxDrop)}\``;
}

/** `4 grades fail; 3 of them fail on main, too`, over the compared grades. */
function failingBefore({ pairs, stillFailing, source }: Comparison): string[] {
  const failing = (some: readonly Pair[]) =>
    some.reduce((sum, { current }) => sum + current.runs - current.passes, 0);
  const [all, too] = [failing(pairs), failing(stillFailing)];
  if (all === 0) return [];
  const fail = (number: number) => (number === 1 ? "fails" : "fail");
  const each = all === 1 ? "it" : "all of them";
  const which = too === all ? each : `${formatNumber(too)} of them`;
  const before = too === 0 ? "" : `; ${which} ${fail(too)} ${inBaseline(source)}, too`;
  return [`${count(all, "grade")} ${fail(all)}${before}`];
}

/** How many more failures would be red, or why none would be. */
function marginPart({ pairs, score, source }: Comparison, maxDrop: MaxDrop): string[] {
  const margin = maxDrop === "noise" ? marginOf(pairs) : marginOfPoints(pairs, maxDrop);
  if (margin) {
    const one = margin.ofChecks ? "more failed check" : "more failure";
    return [`${count(margin.failures, one)} would be red`];
  }
  if (!score || maxDrop !== "noise") return [];
  const name = nameOf(source);
  const low = `The score is only ${score.baseline.toFixed(2)} ${inBaseline(source)}`;
  return [`${low}: chance explains any drop here. Look at ${name} first`];
}

/** `With this many runs, 4 of 5 drops of 34 points are detected`. */
export function detectableText({ points }: Pick<Comparison["detectable"], "points">): string {
  return points === undefined
    ? "With this many runs, no drop is detected"
    : `With this many runs, 4 of 5 drops of ${String(points)} points are detected`;
}

/** The comparison in a few sentences, including what could not be compared. */
export function comparisonSentence(comparison: Comparison): string {
  const { lead, more } = comparisonText(comparison);
  return sentencesOf([upperFirst(lead), ...more, ...asides(comparison)]);
}

function sentencesOf(parts: readonly string[]): string {
  return parts.map((part) => (part.endsWith(".") ? part : `${part}.`)).join(" ");
}

function asides(comparison: Comparison): string[] {
  const { servedBy, agents, source, pairs, runsLeftOut, p } = comparison;
  const before = inBaseline(source);
  const sum = (figure: (pair: Pair) => number) => pairs.reduce((total, pair) => total + figure(pair), 0);
  const [otherBasis, repeated] = [sum(({ leftOut }) => leftOut), sum(({ repeated: own }) => own)];
  const parts: readonly (string | false | undefined)[] = [
    runsLeftOut > 0 && `${count(runsLeftOut, "run")} left out: no verdict`,
    otherBasis > 0 && `${count(otherBasis, "grade")} of the baseline left out, graded in another way`,
    repeated > 0 && `${count(repeated, "grade")} of the baseline left out: other files have the same runs`,
    agents && `The agent's model was ${names(agents.baseline)} ${before} and is ${names(agents.current)} now`,
    servedBy &&
      `The API named the judge ${names(servedBy.baseline)} ${before} and ${names(servedBy.current)} now`,
    p?.exact === false &&
      "The chance test is a normal approximation, because too many runs differ from their task's most frequent result",
    ...notCompared(comparison),
  ];
  return parts.filter((part) => typeof part === "string");
}

function names(models: readonly string[]): string {
  return listed(
    models.map((model) => `\`${shorten(model.replace(/\s+/g, " "), LONGEST_ID)}\``),
    3,
  );
}

/** Advice when the prompt or the judge changed. */
const REGRADE =
  "To compare all the same, grade main's last results with these evals: recipe `regrade-baseline.yml` (docs/baseline.md#when-the-prompt-or-the-judge-changed)";
/** Advice when this action was updated, or the judge is another. */
const GRADE_AGAIN =
  "They are compared again once the base branch has been graded in the same way: at its next push";

function notCompared({ source, removed, added, notComparable }: Comparison): string[] {
  if (source.absent !== undefined) return [];
  const where = inBaseline(source);
  const parts: readonly (readonly [number, string])[] = [
    [removed.length, `only ${where}`],
    [added.length, `not ${where}`],
    [notComparable.length, "not comparable"],
  ];
  const counts = parts.flatMap(([number, word]) => (number > 0 ? [`${String(number)} ${word}`] : []));
  if (counts.length === 0) return [];
  const reasons = new Set(notComparable.map(({ reason }) => reason));
  const why = reasons.size === 1 ? ` (${[...reasons].join("")})` : "";
  const isExcused = notComparable.every(({ excused }) => excused !== undefined);
  const way = notComparable.length === 0 ? [] : [isExcused ? GRADE_AGAIN : REGRADE];
  return [`Graders not compared: ${counts.join(", ")}${why}`, ...way];
}

/** Facts that do not decide: changed models, runs left out, graders that could not be compared. */
export function asidesSentence(comparison: Comparison): string {
  return sentencesOf(asides(comparison));
}

/** A failed grader's past: `it passed 3 of 3 on main`, `fails on main, too (1 of 3)`, or `score 0.75 on main`. */
export function passedBefore({ baseline }: Pick<Pair, "baseline">, source: BaselineSource): string {
  const { passes, runs } = baseline;
  const where = inBaseline(source);
  if (passes === runs) return `it passed ${ofText(baseline)} ${where}`;
  if (isPartly([baseline])) return `score ${meanScore(baseline).toFixed(2)} ${where}`;
  return `fails ${where}, too (${String(runs - passes)} of ${String(runs)})`;
}

/** `3 of 3 → 1 of 3 passed`, or `score 0.75 → 0.25`. */
export function movedText(pair: Pair): string {
  const [before, now] = sideTexts(pair);
  return `${before} → ${now}${before.startsWith("score") ? "" : " passed"}`;
}

export interface RegressionDecision extends VerdictText {
  /** `not-compared`: there is nothing to compare with, and failed grades decide nothing. */
  readonly state: "red" | "passed" | "not-compared";
  /** The deciding part; a drop comes before unexcused grades. */
  readonly rule: "no-baseline" | "fell" | "not-comparable" | "excused" | "passed";
}

/**
 * Red when the score dropped by more than `maxDrop`, or when a failed grade cannot be compared with the baseline.
 * Grades without a check have another rule.
 */
export function decideRegression(comparison: Comparison, maxDrop: MaxDrop): RegressionDecision {
  const text = comparisonText(comparison, maxDrop);
  if (comparison.source.absent !== undefined) return withoutBaseline(comparison, text);
  const isWorse = maxDrop === "noise" ? comparison.verdict === "fell" : exceeds(comparison.drop, maxDrop);
  const unexcused = comparison.unexcused.filter(isChecked);
  const unexcusedText = unexcused.length === 0 ? [] : [unexcusedPart(comparison, unexcused)];
  if (isWorse) return { state: "red", rule: "fell", ...text, more: [...text.more, ...unexcusedText] };
  const [reason] = unexcusedText;
  if (reason !== undefined) {
    // A drop comes first, even if chance may explain it.
    return comparison.drop > 0
      ? { state: "red", rule: "not-comparable", ...text, lead: `${text.lead}; ${reason}` }
      : { state: "red", rule: "not-comparable", lead: reason, more: restOf(comparison, text) };
  }
  const { outdated, pairs, notComparable, fresh } = comparison;
  const isExcused =
    outdated.length > 0 || (pairs.length === 0 && notComparable.some(({ excused }) => excused !== undefined));
  if (isExcused) return excused(comparison, text);
  const more = [...text.more, ...freshPart(comparison)];
  return pairs.length === 0 && fresh.length > 0
    ? { state: "not-compared", rule: "no-baseline", lead: text.lead, more }
    : { state: "passed", rule: "passed", ...text, more };
}

/** Whether one more attempt of the agent would decide: only `noise` weighs chance. */
export function isUndecided({ isUndecided: undecided }: Comparison, maxDrop: MaxDrop = "noise"): boolean {
  return undecided && maxDrop === "noise";
}

/** Not compared; but with a baseline path in the checkout, `regression` acts as `fail`. */
function withoutBaseline({ source, failed }: Comparison, text: VerdictText): RegressionDecision {
  if (!source.inCheckout) return { state: "not-compared", rule: "no-baseline", ...text };
  const why = source.absent === "not-found" ? "there is no baseline" : `nothing passes ${inBaseline(source)}`;
  const lead = failed.length === 0 ? why : `${count(failed.length, "grade")} failed, and ${why}`;
  const more = [
    "The path in `baseline` is inside the checkout, where a pull request could delete it, so `fail-on: regression` acts as `fail`",
  ];
  return { state: failed.length > 0 ? "red" : "passed", rule: "no-baseline", lead, more };
}

/** The failed grades of what the baseline does not have yet. */
function freshPart({ fresh, source }: Comparison): string[] {
  if (fresh.length === 0) return [];
  const [grades, are] =
    fresh.length === 1 ? ["1 failed grade", "is"] : [`${String(fresh.length)} failed grades`, "are"];
  return [
    `${grades} ${are} not ${inBaseline(source)} yet, and ${are === "is" ? "decides" : "decide"} nothing`,
  ];
}

function unexcusedPart(comparison: Comparison, unexcused: Comparison["unexcused"]): string {
  const { notComparable, source } = comparison;
  const reasonOf = new Map(notComparable.map((one) => [gradeKey(one), one.reason]));
  const added = `not ${inBaseline(source)}`;
  const reasons = new Set(unexcused.map((grade) => reasonOf.get(gradeKey(grade)) ?? added));
  const failed = count(unexcused.length, "failed grade");
  const [reason] = reasons;
  if (reasons.size === 1 && reason === added)
    return `${failed} ${unexcused.length === 1 ? "is" : "are"} ${added}`;
  return `${failed} cannot be compared with ${nameOf(source)}${reasons.size === 1 ? ` (${reason ?? ""})` : ""}`;
}

/** The comparison's own lead, as a further sentence; empty if nothing was compared. */
function restOf({ verdict }: Comparison, { lead }: VerdictText): string[] {
  return verdict === "none" ? [] : [`Of what can be compared: ${lead}`];
}

function excused(comparison: Comparison, text: VerdictText): RegressionDecision {
  const { source, outdated, notComparable, excusedScore } = comparison;
  const lead = excuseOf(notComparable.filter((one) => one.excused !== undefined)) ?? text.lead;
  const scores = excusedScore ? [scoresPart(excusedScore, source)] : [];
  const some =
    outdated.length > 0
      ? [`${count(outdated.length, "failed grade")} can be compared once it is graded again`]
      : [];
  return {
    state: "not-compared",
    rule: "excused",
    lead: [lead, ...scores].join(": "),
    more: [...some, ...restOf(comparison, text)],
  };
}
