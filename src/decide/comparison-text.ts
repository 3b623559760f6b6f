/** `fail-on: regression`: a baseline can only excuse failures. Pure. */
import { LARGE_DROP, MOST_EXACT, isLargeDrop, isSignificant } from "./chance.ts";
import type { Comparison } from "./compare.ts";
import { inBaseline, nameOf } from "./pairs.ts";
import type { BaselineSource, Pair, Side } from "./pairs.ts";
import { gradeKey, isChecked } from "../domain/grade.ts";
import type { GradeKey, MaxDrop, VerdictText } from "../domain/grade.ts";
import type { Tally } from "../results/statistics.ts";
import { ROUNDING, count, formatNumber, listed, shorten, upperFirst } from "../text/format.ts";

/** The comparison under a `max-drop`; the worst fact comes first. */
function comparisonText(comparison: Comparison, maxDrop: MaxDrop = "noise"): VerdictText {
  const { verdict, drop, source } = comparison;
  if (verdict === "none") return { lead: nothingCompared(comparison), more: [] };
  const scores = scoresPart(comparison, source);
  const isWorse = maxDrop === "noise" ? verdict === "fell" : exceeds(drop, maxDrop);
  if (isWorse) return worse(comparison, maxDrop);
  const also = failingBefore(comparison);
  if (drop > 0) {
    const why =
      maxDrop === "noise"
        ? chancePart(comparison)
        : `It dropped by ${pointsText(drop)}, which ${written(maxDrop)} allows`;
    return { lead: scores, more: [why, ...mostPart(comparison), ...also, detectablePart(comparison)] };
  }
  const moved = verdict === "rose" ? "better than" : "not worse than";
  const unnoticed = comparison.canDrop ? [] : [detectablePart(comparison)];
  return { lead: `${moved} ${nameOf(source)}: ${scores}`, more: [...also, ...unnoticed] };
}

function nothingCompared({ source, notComparable }: Comparison): string {
  if (source.absent === "not-found") return "not compared: no baseline yet";
  if (source.absent === "nothing-passes") return `not compared: nothing passes ${inBaseline(source)}`;
  const isUpdate = notComparable.length > 0 && notComparable.every((one) => one.isUpdate);
  const name = nameOf(source);
  return isUpdate
    ? `not compared: this action was updated since ${name} was graded`
    : `nothing can be compared with ${name}`;
}

/** `score 0.50, 0.76 on main`, with up to four decimals where they are needed to show a difference. */
function scoresPart({ score }: Pick<Comparison, "score">, source: BaselineSource): string {
  if (!score) return "no score";
  const { baseline, current } = score;
  const isEqual = Math.abs(baseline - current) < ROUNDING;
  const digits = [2, 3].find((few) => isEqual || baseline.toFixed(few) !== current.toFixed(few)) ?? 4;
  const where = inBaseline(source);
  const before = isEqual ? `as ${where}` : `${baseline.toFixed(digits)} ${where}`;
  return `score ${current.toFixed(digits)}, ${before}`;
}

function exceeds(drop: number, maxDrop: number): boolean {
  return drop > maxDrop + ROUNDING;
}

/* The sentences of a comparison. Names in them are untrusted. Pure. */

const NAME = 100;

function worse(comparison: Comparison, maxDrop: MaxDrop): VerdictText {
  const { source, droppedInAll, droppedTask, verdict, drop } = comparison;
  const name = nameOf(source);
  const worst = mostPart(comparison);
  if (maxDrop === "noise" && !droppedInAll && droppedTask) {
    const { key, baseline, current, p } = droppedTask;
    const task = `${shorten(key.task, NAME)}${key.model === "" ? "" : ` (${shorten(key.model, NAME)})`}`;
    const scores = scoresPart({ score: { baseline, current } }, source);
    const chance = `Some task drops this far by chance in ${oneOf(p)} comparisons`;
    return {
      lead: `worse than ${name} in ${task}: ${scores}`,
      more: [chance, `In all, ${scoresPart(comparison, source)}`],
    };
  }
  const lead = `worse than ${name}: ${scoresPart(comparison, source)}`;
  if (maxDrop === "noise") return { lead, more: [chancePart(comparison), ...worst] };
  const dropped = `It dropped by ${pointsText(drop, maxDrop)}, more than ${written(maxDrop)} allows`;
  const byNoise = verdict === "fell" ? [] : ["`max-drop: noise` would pass it"];
  return { lead, more: [dropped, chancePart(comparison), ...byNoise, ...worst] };
}

/** The grader with the largest drop. */
function mostPart({ dropped: [most], pairs, source }: Comparison): string[] {
  if (!most) return [];
  // Skills number their evals, so that many have a task 1.
  const suites = new Set(pairs.map(({ suite }) => suite)).size;
  const suite = suites > 1 ? `${shorten(most.suite, NAME)}, ` : "";
  return [`Largest drop: ${suite}${pairName(most)} (${sidesText(most, source)})`];
}

function pairName({ task, grader }: GradeKey): string {
  return `${shorten(task, NAME)}, ${shorten(grader, NAME)}`;
}

/** `3 of 3 on main, 0 of 1 now`. */
function sidesText({ baseline, current }: Pair, source: BaselineSource): string {
  return `${ofText(baseline)} ${inBaseline(source)}, ${ofText(current)} now`;
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

/** How often chance alone makes such a drop, and why a likely one fails all the same. */
function chancePart({ p, drop, verdict, droppedInAll }: Comparison): string {
  const chance = p
    ? `A drop this large happens by chance in ${oneOf(p.drop)} comparisons`
    : "Chance cannot be computed: on one side, no run has a verdict from every grader";
  if (verdict !== "fell" || !droppedInAll || (p && isSignificant(p.drop))) return chance;
  return isLargeDrop(drop)
    ? `${chance}, but more than ${String(LARGE_DROP)} points always fail`
    : `${chance}, but nothing at all passes now`;
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

/** `4 fail; 3 of them fail on main, too`, over the compared grades. */
function failingBefore({ pairs, stillFailing, source }: Comparison): string[] {
  const failing = (some: readonly Pair[]) =>
    some.reduce((sum, { current }) => sum + current.runs - current.passes, 0);
  const [all, too] = [failing(pairs), failing(stillFailing)];
  if (all === 0) return [];
  const fail = (number: number) => (number === 1 ? "fails" : "fail");
  const each = all === 1 ? "it" : "all of them";
  const which = too === all ? each : `${formatNumber(too)} of them`;
  const before = too === 0 ? "" : `; ${which} ${fail(too)} ${inBaseline(source)}, too`;
  return [`${formatNumber(all)} ${fail(all)}${before}`];
}

/** The smallest drop that the comparison detects, or why it detects none. */
function detectablePart({ canDrop, score, source, detectable }: Comparison): string {
  if (canDrop || !score) return detectableText(detectable);
  const name = nameOf(source);
  return `The score is only ${score.baseline.toFixed(2)} ${inBaseline(source)}: chance explains any drop here. Look at ${name} first`;
}

/** `With this many runs, a drop of about 34 points or more is detected`. */
export function detectableText({ points }: Pick<Comparison["detectable"], "points">): string {
  return points === undefined
    ? "With this many runs, no drop is detected"
    : `With this many runs, a drop of about ${String(points)} points or more is detected`;
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
      `The chance test is a normal approximation, because more than ${String(MOST_EXACT)} runs differ from their task's most frequent result`,
    ...notCompared(comparison),
  ];
  return parts.filter((part) => typeof part === "string");
}

function names(models: readonly string[]): string {
  return listed(
    models.map((model) => `\`${shorten(model.replace(/\s+/g, " "), NAME)}\``),
    3,
  );
}

/** Advice when the prompt or the judge changed. */
const REGRADE =
  "To compare all the same, grade main's last results with these evals: recipe `regrade-baseline.yml` (docs/trust.md#when-the-prompt-or-the-judge-changed)";
/** Advice when this action was updated. */
const GRADE_AGAIN =
  "They are compared again once the base branch has been graded by this version: at its next push";

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
  const isUpdate = notComparable.every((one) => one.isUpdate);
  const way = notComparable.length === 0 ? [] : [isUpdate ? GRADE_AGAIN : REGRADE];
  return [`Graders not compared: ${counts.join(", ")}${why}`, ...way];
}

/** Facts that do not decide: changed models, runs left out, graders that could not be compared. */
export function asidesSentence(comparison: Comparison): string {
  return sentencesOf(asides(comparison));
}

/** A failed grader's past: `passed 3 of 3 on main`, or `fails on main, too (1 of 3)`. */
export function passedBefore({ baseline }: Pick<Pair, "baseline">, source: BaselineSource): string {
  const { passes, runs } = baseline;
  return passes === runs
    ? `it passed ${ofText(baseline)} ${inBaseline(source)}`
    : `fails ${inBaseline(source)}, too (${String(runs - passes)} of ${String(runs)})`;
}

/** `3 of 3 → 1 of 3`. */
export function movedText(
  baseline: Pick<Side, "passes" | "runs">,
  current: Pick<Side, "passes" | "runs">,
): string {
  return `${ofText(baseline)} → ${ofText(current)}`;
}

export interface RegressionDecision extends VerdictText {
  /** `not-compared`: there is nothing to compare with, and failed grades decide nothing. */
  readonly state: "red" | "passed" | "not-compared";
  /** The deciding part; a drop comes before unexcused grades. */
  readonly rule: "no-baseline" | "fell" | "not-comparable" | "updated" | "passed";
}

/**
 * Red when the pass rate dropped by more than `maxDrop`, or when a failed grade cannot be compared with the baseline.
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
    const [lead, more] =
      comparison.drop > 0 ? [`${text.lead}; ${reason}`, text.more] : [reason, restOf(comparison, text)];
    return { state: "red", rule: "not-comparable", lead, more };
  }
  const { outdated, pairs, notComparable, fresh } = comparison;
  const isUpdate = outdated.length > 0 || (pairs.length === 0 && notComparable.some((one) => one.isUpdate));
  if (isUpdate) return updated(comparison, text);
  const more = [...text.more, ...freshPart(comparison)];
  return pairs.length === 0 && fresh.length > 0
    ? { state: "not-compared", rule: "no-baseline", lead: text.lead, more }
    : { state: "passed", rule: "passed", lead: text.lead, more };
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

function updated(comparison: Comparison, text: VerdictText): RegressionDecision {
  const { source, outdated } = comparison;
  const lead = `not compared: this action was updated since ${nameOf(source)} was graded`;
  const some =
    outdated.length > 0
      ? [`${count(outdated.length, "failed grade")} can be compared once it is graded again`]
      : [];
  return { state: "not-compared", rule: "updated", lead, more: [...some, ...restOf(comparison, text)] };
}
