/**
 * The sentences of a comparison, worst first, and what `fail-on: regression` comes to: a baseline can only excuse
 * failures. Names in them are untrusted. Pure.
 */
import { brokenRule, chanceText, isBeyondChance } from "./chance.ts";
import {
  type Comparison,
  addedModels,
  bothSides,
  byMove,
  failedBeside,
  goneSuites,
  isWorse,
  runsPassed,
  taskGroups,
} from "./compare.ts";
import { MOST_NAMED, gradersText, named, quoted, tasksText } from "./names.ts";
import { type Beside, newsOf, passedAgainPart, reasonsOf } from "./news.ts";
import { type BaselineSource, type NotComparable, type Pair, inBaseline, nameOf } from "./pairs.ts";
import type { Sentences } from "../domain/grade.ts";
import { type VerdictRow, isChecked, countTasks } from "../domain/row.ts";
import { ROUNDING, asSentence, count, formatScore, listed, upperFirst } from "../text/format.ts";

/** What the comparison comes to under `fail-on: regression`. */
export interface RegressionDecision {
  /** `not-compared`: there is nothing to compare with, and failed grades decide nothing. */
  readonly state: "red" | "passed" | "not-compared";
  readonly sentences: Sentences;
}

/**
 * Red when the score dropped beyond chance, a task died, too much of a suite is gone, or a failed grade cannot be compared
 * with the baseline. Grades without a check have another rule.
 */
export function decideRegression(comparison: Comparison): RegressionDecision {
  const { source, pairs, notComparable } = comparison;
  if (source.absent !== undefined) return withoutBaseline(comparison);
  const { fresh, outdated, unexcused } = failedBeside(comparison);
  const blamed = unexcused.filter(isChecked);
  const sentences = sentencesOf(comparison, { blamed, fresh });
  if (isRed(comparison, blamed)) return { state: "red", sentences };
  const [first, ...more] = sentences;
  const excuse = excuseOf(notComparable.filter((one) => one.excused !== undefined));
  if (excuse !== undefined && (outdated.length > 0 || pairs.length === 0)) {
    const rest = pairs.length === 0 ? [] : [`Of what can be compared: ${first}`];
    return { state: "not-compared", sentences: [excuse, ...rest, ...more] };
  }
  const state = pairs.length === 0 && fresh.length > 0 ? "not-compared" : "passed";
  return { state, sentences };
}

function isRed(comparison: Comparison, blamed: readonly VerdictRow[]): boolean {
  return isWorse(comparison) || blamed.length > 0 || goneSuites(comparison).length > 0;
}

/** The comparison in a few sentences, where it decides nothing. */
export function comparisonSentence(comparison: Comparison): string {
  const [first, ...more] = sentencesOf(comparison, { blamed: [], fresh: [] });
  return [upperFirst(first), ...more].map(asSentence).join(" ");
}

/** Not compared; but with a baseline path in the checkout, `regression` acts as `fail`. */
function withoutBaseline(comparison: Comparison): RegressionDecision {
  const { source } = comparison;
  if (!source.inCheckout) return { state: "not-compared", sentences: [nothingCompared(comparison)] };
  const why = source.absent === "not-found" ? "there is no baseline" : `nothing passes ${inBaseline(source)}`;
  const { fresh, outdated, unexcused } = failedBeside(comparison);
  const failed = countTasks([...fresh, ...outdated, ...unexcused]);
  const first = failed === 0 ? why : `${count(failed, "task fails", "tasks fail")}, and ${why}`;
  const more =
    "The path in `baseline` is inside the checkout, where a pull request could delete it, so `fail-on: regression` acts as `fail`";
  return { state: failed > 0 ? "red" : "passed", sentences: [first, more] };
}

/** What decides comes first: where that is red the news, whatever the score does, else the score. */
function sentencesOf(comparison: Comparison, { blamed, fresh }: Beside): Sentences {
  const again = passedAgainPart(comparison);
  const news = newsOf(comparison, { blamed, fresh }).join("; ");
  // Facts that do not decide.
  const asides = [...weightParts(comparison), ...incomparablePart(comparison, blamed)];
  if (comparison.pairs.length === 0) return [news || nothingCompared(comparison), ...asides];
  const isFailure = isRed(comparison, blamed);
  const score = scorePart(comparison, isFailure && news !== "");
  const more = [...detailsOf(comparison), ...asides];
  if (isFailure && news !== "") return [news, upperFirst(score), ...again, ...more];
  return [[score, ...(news === "" ? [] : [news]), ...again].join("; "), ...more];
}

function nothingCompared({ source, notComparable }: Comparison): string {
  if (source.absent === "not-found") return "not compared: no baseline yet";
  if (source.absent === "nothing-passes") return `not compared: nothing passes ${inBaseline(source)}`;
  return excuseOf(notComparable) ?? `nothing can be compared with ${nameOf(source)}`;
}

/** Why nothing of these counts, where all are excused. */
function excuseOf(notComparable: readonly NotComparable[]): string | undefined {
  if (notComparable.length === 0 || notComparable.some(({ excused }) => excused === undefined))
    return undefined;
  return `not compared: ${[...new Set(notComparable.map(({ excused }) => excused))].join(", ")}`;
}

/** The score, and what it comes to; `isBeside` what is red. */
function scorePart(comparison: Comparison, isBeside: boolean): string {
  const { source, test } = comparison;
  const name = nameOf(source);
  const scores = allScoresText(comparison);
  const broken = brokenRule(test);
  if (broken === "chance") {
    // Of several tasks the one that fell most is named, where no news names any.
    const [first] = isBeside || countTasks(comparison.pairs) === 1 ? [] : byMove(comparison.pairs);
    const most = first ? `; ${tasksText(comparison, [first.current.example])} fell most` : "";
    return `worse than ${name}: ${scores}${most}`;
  }
  if (broken === "suite") {
    const fell = new Set(
      test.suites.filter(isBeyondChance).flatMap(({ strata: [one] }) => one?.key.suite ?? []),
    );
    const own = comparison.pairs.filter(({ suite }) => fell.has(suite));
    return `worse than ${name} in ${named(fell)}: ${scoresText(source, own)}; in all, ${scores}`;
  }
  if (test.drop <= 0) return `not worse than ${name}${isBeside ? " in all" : ""}: ${scores}`;
  return broken === "dead"
    ? `in all, ${scores}`
    : `${isBeside ? "in all, " : ""}${scores}: chance may explain it`;
}

/** `score 0.50, 0.76 on main`, with up to four decimals where they are needed to show a difference. */
function scoresText(source: BaselineSource, pairs: readonly Pair[]): string {
  const score = bothSides(pairs);
  if (!score) return "no score";
  const { baseline, current } = score;
  const isEqual = Math.abs(baseline - current) < ROUNDING;
  const digits =
    [2, 3].find((few) => isEqual || formatScore(baseline, few) !== formatScore(current, few)) ?? 4;
  const where = inBaseline(source);
  const before = isEqual ? `as ${where}` : `${formatScore(baseline, digits)} ${where}`;
  return `score ${formatScore(current, digits)}, ${before}`;
}

/** The scores of what is compared, and what is not: tasks, graders, or models of the agent. */
function allScoresText(comparison: Comparison): string {
  const { source, pairs, notComparable, added } = comparison;
  const models = addedModels(comparison);
  const uncompared = [...notComparable, ...added.filter(({ model }) => !models.has(model))];
  const [compared, tasks] = [countTasks(pairs), countTasks([...pairs, ...uncompared])];
  const rest = uncompared.flatMap(({ current }) => current);
  const over = [
    ...(compared < tasks
      ? [`over ${String(compared)} of ${String(tasks)} tasks`]
      : rest.length > 0
        ? [`without ${gradersText(comparison, rest)}`]
        : []),
    ...(models.size > 0 ? [`without the new model ${named(models.keys())}`] : []),
  ];
  return [scoresText(source, pairs), ...over].join(", ");
}

/** How the drop came about, and what else failed: after the first sentence. */
function detailsOf(comparison: Comparison): string[] {
  const isRed = isWorse(comparison);
  const others = isRed ? [] : failingBefore(comparison);
  return comparison.test.drop <= 0 && !isRed ? others : [...whyOf(comparison), ...others];
}

/** Which rule is broken; else how often chance alone makes such a drop, and from when on that is red. */
export function whyOf({ test }: Pick<Comparison, "test">, unit = "task"): string[] {
  const broken = brokenRule(test);
  if (broken === "dead")
    return [
      `A ${unit} that passed before and passes no check now is red at any score, where chance does not explain it`,
    ];
  const { p, level } = broken === "suite" ? (test.suites.find(isBeyondChance) ?? test) : test;
  const many = broken === "suite" ? `, for one of ${String(test.suites.length)} suites` : "";
  return [`${chanceText("A drop", p, level)}: red at 1 of ${String(Math.round(1 / level))} or rarer${many}`];
}

/** The tasks that fail and did not always pass in the baseline either: `2 tasks fail that never passed on main`. */
function failingBefore(comparison: Comparison): string[] {
  const { before } = taskGroups(comparison);
  const isNever = (own: readonly Pair[]) => runsPassed(own, "baseline").passes === 0;
  const kinds = Object.groupBy(before, (own) => (isNever(own) ? "never" : "times"));
  const where = inBaseline(comparison.source);
  const parts = [
    [kinds.never, `never passed ${where}`],
    [kinds.times, `passed at times ${where}`],
  ] as const;
  return parts.flatMap(([own = [], how]) =>
    own.length === 0 ? [] : [`${count(own.length, "task fails", "tasks fail")} that ${how}`],
  );
}

/** Weights that are other than in the baseline, by which both sides are weighed. */
function weightParts({ pairs, source }: Comparison): string[] {
  const changed = pairs.filter(({ weight, current }) => current.example.weight !== weight);
  const texts = new Set(
    changed.map(
      ({ grader, weight, current }) =>
        `that of ${quoted(grader)} is ${String(current.example.weight)} now, and was ${String(weight)}`,
    ),
  );
  if (texts.size === 0) return [];
  return [`Compared by the weights ${inBaseline(source)}: ${listed([...texts], MOST_NAMED)}`];
}

/**
 * Graders with verdicts now that cannot be compared, with the reason, where no sentence before has it; and what to do
 * where they fail.
 */
function incomparablePart(comparison: Comparison, blamed: readonly VerdictRow[]): string[] {
  const { source, pairs, notComparable } = comparison;
  const some = notComparable.filter(({ current }) => current.some(isChecked));
  if (source.absent !== undefined || some.length === 0) return [];
  const isTitle = pairs.length === 0 && some.every(({ excused }) => excused !== undefined);
  const reasons = new Set(some.map(({ reason }) => reason));
  const isBlamed = blamed.some((row) => reasonsOf(some).has(row));
  const why = reasons.size === 1 ? ` (${[...reasons].join()})` : "";
  const current = some.flatMap((one) => one.current);
  const graders = upperFirst(gradersText(comparison, current));
  const regrade = `To compare all the same, grade the last runs of ${nameOf(source)} with these evals (docs/gate.md#when-the-prompt-or-the-judge-changed)`;
  return [
    ...(isTitle || (isBlamed && reasons.size === 1) ? [] : [`${graders} cannot be compared${why}`]),
    ...(isBlamed && some.some(({ isChange }) => isChange) ? [regrade] : []),
  ];
}
