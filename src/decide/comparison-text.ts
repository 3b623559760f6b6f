/**
 * The sentences of a comparison, worst first, and what `fail-on: regression` comes to: a baseline can only excuse
 * failures. Names in them are untrusted. Pure.
 */
import { LARGE_DROP, brokenRule, chanceText } from "./chance.ts";
import {
  type Comparison,
  bothSides,
  failedBeside,
  isPartly,
  isWorse,
  meanScore,
  moveOf,
  stillFailing,
} from "./compare.ts";
import { examplesOf, gradersText, isList, quoted, tasksText } from "./names.ts";
import { hasOrphans, newsOf, ofText, reasonsOf } from "./news.ts";
import { type BaselineSource, type NotComparable, type Pair, inBaseline, nameOf } from "./pairs.ts";
import type { MaxDrop, Sentences } from "../domain/grade.ts";
import { type VerdictRow, isChecked, countTasks, taskKey, taskKeyOfAnyModel } from "../domain/row.ts";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import { ROUNDING, asSentence, count, formatScore, listed, upperFirst } from "../text/format.ts";
import { MOST_NAMED } from "./limits.ts";

/** What the comparison comes to under `fail-on: regression`. */
export interface RegressionDecision {
  /** `not-compared`: there is nothing to compare with, and failed grades decide nothing. */
  readonly state: "red" | "passed" | "not-compared";
  readonly sentences: Sentences;
}

/**
 * Red when the score dropped by more than `maxDrop`, or when a failed grade cannot be compared with the baseline.
 * Grades without a check have another rule.
 */
export function decideRegression(comparison: Comparison, maxDrop: MaxDrop = "noise"): RegressionDecision {
  const { source, pairs, notComparable } = comparison;
  if (source.absent !== undefined) return withoutBaseline(comparison);
  const { fresh, outdated, unexcused } = failedBeside(comparison);
  const blamed = unexcused.filter(isChecked);
  const sentences = sentencesOf(comparison, maxDrop, { blamed, fresh });
  if (isRed(comparison, maxDrop, blamed)) return { state: "red", sentences };
  const [first, ...more] = sentences;
  const excuse = excuseOf(notComparable.filter((one) => one.excused !== undefined));
  if (excuse !== undefined && (outdated.length > 0 || pairs.length === 0)) {
    const rest = pairs.length === 0 ? [] : [`Of what can be compared: ${first}`];
    return { state: "not-compared", sentences: [excuse, ...rest, ...more] };
  }
  const state = pairs.length === 0 && fresh.length > 0 ? "not-compared" : "passed";
  return { state, sentences };
}

function isRed(comparison: Comparison, maxDrop: MaxDrop, blamed: readonly VerdictRow[]): boolean {
  return isWorse(comparison, maxDrop) || blamed.length > 0 || hasOrphans(comparison);
}

/** The comparison in a few sentences, where it decides nothing. */
export function comparisonSentence(comparison: Comparison): string {
  const [first, ...more] = sentencesOf(comparison, "noise", { blamed: [], fresh: [] });
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

/**
 * Worst first. What fails newly, what nothing excuses and what is gone come before the score, whatever that does: one
 * task that rose must not hide another that died.
 */
function sentencesOf(
  comparison: Comparison,
  maxDrop: MaxDrop,
  { blamed, fresh }: { readonly blamed: readonly VerdictRow[]; readonly fresh: readonly VerdictRow[] },
): Sentences {
  const news = newsOf(comparison, { blamed, fresh }).join("; ");
  const asides = asidesOf(comparison, blamed);
  if (comparison.pairs.length === 0) return [news || nothingCompared(comparison), ...asides];
  const score = scorePart(comparison, maxDrop, news !== "");
  const more = [...detailsOf(comparison, maxDrop), ...asides];
  if (news === "") return [score, ...more];
  return isRed(comparison, maxDrop, blamed)
    ? [news, upperFirst(score), ...more]
    : [`${news}; ${score}`, ...more];
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

/** The score, and what it comes to; `isBeside` other news, which its words do not repeat. */
function scorePart(comparison: Comparison, maxDrop: MaxDrop, isBeside: boolean): string {
  const { source, test } = comparison;
  const name = nameOf(source);
  const scores = allScoresText(comparison);
  if (isWorse(comparison, maxDrop)) {
    const { task } = test;
    if (maxDrop !== "noise" || brokenRule(test) !== "task" || !task) return `worse than ${name}: ${scores}`;
    const own = comparison.pairs.filter((pair) => taskKey(pair) === taskKey(task.key));
    return `worse than ${name} in ${tasksText(comparison, examplesOf(own))}: ${scoresText(own, source)}`;
  }
  if (test.drop <= 0) return `not worse than ${name}${isBeside ? " in all" : ""}: ${scores}`;
  const inAll = isBeside ? "in all, " : "";
  const why = maxDrop === "noise" ? "chance may explain it" : `${written(maxDrop)} allows it`;
  return `${inAll}${scores}: ${why}`;
}

/** `score 0.50, 0.76 on main`, with up to four decimals where they are needed to show a difference. */
function scoresText(pairs: readonly Pair[], source: BaselineSource): string {
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

/** The scores of what is compared, and how many tasks these are where some are not. */
function allScoresText(comparison: Comparison): string {
  const { source, pairs, notComparable, added } = comparison;
  const others = [...notComparable, ...added];
  const [compared, tasks] = [countTasks(pairs), countTasks([...pairs, ...others])];
  const rest = others.flatMap(({ current }) => current);
  const over =
    compared < tasks
      ? `, over ${String(compared)} of ${String(tasks)} tasks`
      : rest.length > 0
        ? `, without ${gradersText(comparison, rest)}`
        : "";
  return `${scoresText(pairs, source)}${over}`;
}

/** How the drop came about, and what else failed: after the first sentence. */
function detailsOf(comparison: Comparison, maxDrop: MaxDrop): string[] {
  const { drop } = comparison.test;
  const isRed = isWorse(comparison, maxDrop);
  const others = isRed ? [] : failingBefore(comparison);
  if (drop <= 0 && !isRed) return others;
  const sameWork = isOfSameWork(comparison)
    ? ["The agent's work is the same, word for word and file for file: the judge differs, not the agent"]
    : [];
  const points =
    maxDrop === "noise"
      ? []
      : [
          `It dropped by ${pointsText(drop, maxDrop)}${isRed ? `, more than ${written(maxDrop)} allows` : ""}`,
        ];
  return [...sameWork, ...points, ...whyOf(comparison, maxDrop), ...others];
}

/** Whether every grader that dropped has judged the same work in the baseline. */
export function isOfSameWork({ pairs }: Pick<Comparison, "pairs">): boolean {
  const isSame = ({ baseline, current }: Pair) => {
    const before = new Set(baseline.grades.map(({ evidenceSha256 }) => evidenceSha256));
    return current.grades.every(({ evidenceSha256: its }) => its !== undefined && before.has(its));
  };
  const dropped = pairs.filter((pair) => moveOf(pair) < 0);
  return dropped.length > 0 && dropped.every(isSame);
}

/** How often chance alone makes such a drop, and from when on that is red. */
export function whyOf({ test }: Pick<Comparison, "test">, maxDrop: MaxDrop, unit = "task"): string[] {
  const { p, task, level } = test;
  const broken = brokenRule(test);
  if (p === undefined) return ["Chance cannot be computed: no run has verdicts on both sides"];
  const text = chanceText("A drop", p, level);
  if (maxDrop !== "noise") return [text];
  if (broken === "task" && task)
    return [`${chanceText(`In some ${unit} a drop`, task.p)}: red from 1 of 100 on`];
  if (broken === "large") return [`${text}, but more than ${String(LARGE_DROP)} points always fail`];
  return [`${text}: red from 1 of ${String(Math.floor(1 / level))} on`];
}

/** `8.3 points`, with enough decimals to look larger than `maxDrop` where it is. */
function pointsText(points: number, maxDrop: number): string {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8].find((few) => Number(points.toFixed(few)) > maxDrop) ?? 1;
  const text = points.toFixed(digits).replace(/\.0$/, "");
  return `${text} ${text === "1" ? "point" : "points"}`;
}

function written(maxDrop: number): string {
  return `\`max-drop: ${String(maxDrop)}\``;
}

/** The tasks that fail and did not always pass in the baseline either: `2 tasks fail that never passed on main`. */
function failingBefore(comparison: Comparison): string[] {
  const tasks = [...Map.groupBy(stillFailing(comparison), taskKeyOfAnyModel).values()];
  const never = tasks.filter((own) => own.every(({ baseline }) => baseline.passes === 0)).length;
  const kinds = [
    ["never passed", never],
    ["passed at times", tasks.length - never],
  ] as const;
  return kinds.flatMap(([how, number]) => {
    const fail = count(number, "task fails", "tasks fail");
    return number === 0 ? [] : [`${fail} that ${how} ${inBaseline(comparison.source)}`];
  });
}

/** Facts that do not decide: changed models and weights, what was left out, graders that could not be compared. */
function asidesOf(comparison: Comparison, blamed: readonly VerdictRow[]): string[] {
  return [
    ...weightParts(comparison),
    ...leftOutParts(comparison),
    ...OTHER_NAMES.flatMap(([what, nameOf]) => otherNames(comparison, what, nameOf)),
    ...incomparablePart(comparison, blamed),
  ];
}

/** What may be another on both sides, and is no reason not to compare. */
const OTHER_NAMES: readonly (readonly [string, (grade: VerdictRow) => string | undefined])[] = [
  ["The agent's model", ({ model }) => model || UNKNOWN_MODEL],
  ["The agent's client", ({ client }) => client?.version],
  ["The judge that answered", ({ judge }) => judge?.servedBy],
];

/** `The agent's client was 2.1.190 on main and is 2.1.197 now`, where the sides differ. */
function otherNames(
  { pairs, source }: Comparison,
  what: string,
  nameOf: (grade: VerdictRow) => string | undefined,
): string[] {
  const [before, now] = (["baseline", "current"] as const).map((side) => {
    const names = new Set(pairs.flatMap((pair) => pair[side].grades.flatMap((one) => nameOf(one) ?? [])));
    return listed([...names].sort().map(quoted), MOST_NAMED);
  });
  if (!before || !now || before === now) return [];
  return [`${what} was ${before} ${inBaseline(source)} and is ${now} now`];
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

/** Graders of which only some results count: `` Of `clear` only the newest result of main counts: its prompt was edited ``. */
function leftOutParts(comparison: Comparison): string[] {
  const { pairs, source } = comparison;
  const some = pairs.filter(({ leftOut }) => leftOut !== undefined);
  return [...Map.groupBy(some, ({ grader }) => grader)].slice(0, MOST_NAMED).map(([grader, own]) => {
    const files = Math.max(
      ...own.map(({ baseline }) => new Set(baseline.grades.map(({ file }) => file)).size),
    );
    const counted =
      files === 1
        ? `only the newest result of ${nameOf(source)} counts`
        : `only the newest ${String(files)} results of ${nameOf(source)} count`;
    const isAll = own.length === pairs.filter((pair) => pair.grader === grader).length;
    const tasks = tasksText(comparison, examplesOf(own));
    const of = own.every(({ current }) => isList(current.example))
      ? tasks
      : `${quoted(grader)}${isAll ? "" : ` in ${tasks}`}`;
    return `Of ${of} ${counted}: ${own[0]?.leftOut ?? ""}`;
  });
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
  const named = upperFirst(gradersText(comparison, current));
  return [
    ...(isTitle || (isBlamed && reasons.size === 1) ? [] : [`${named} cannot be compared${why}`]),
    ...(isBlamed && some.some(({ isChange }) => isChange) ? [regrade(source)] : []),
  ];
}

/** Advice when the prompt or the judge changed. */
function regrade(source: BaselineSource): string {
  return `To compare all the same, grade the last results of ${nameOf(source)} with these evals: recipe \`regrade-baseline.yml\``;
}

/** A failed grader's past: `it passed 3 of 3 on main`, or `score 0.75 on main`. */
export function passedBefore({ baseline }: Pick<Pair, "baseline">, source: BaselineSource): string {
  const where = inBaseline(source);
  if (baseline.passes === 0) return `never passed ${where} (0 of ${String(baseline.runs)})`;
  if (isPartly([baseline])) return `score ${meanScore(baseline).toFixed(2)} ${where}`;
  return `it passed ${ofText(baseline)} ${where}`;
}
