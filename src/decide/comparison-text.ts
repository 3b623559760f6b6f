/**
 * The sentences of a comparison, worst first, and what `fail-on: regression` comes to: a baseline can only excuse
 * failures. Names in them are untrusted. Pure.
 */
import { LARGE_DROP, brokenRule, chanceText, countTasks, taskKeyOfAnyModel } from "./chance.ts";
import {
  type BeforeAndNow,
  type Comparison,
  bothSides,
  failedBeside,
  isPartly,
  isWorse,
  meanScore,
  moveOf,
  newlyFailing,
  stillFailing,
} from "./compare.ts";
import { type BaselineSource, type NotComparable, type Pair, inBaseline, nameOf } from "./pairs.ts";
import { FURTHER_RUNS, type MaxDrop, type Sentences } from "../domain/grade.ts";
import { type GradeKey, type Row, type VerdictRow, isChecked } from "../domain/row.ts";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import { taskTitle } from "../results/rows.ts";
import { type Tally, identityOf } from "../results/score.ts";
import { ROUNDING, asSentence, codeName, count, formatScore, listed, upperFirst } from "../text/format.ts";
import { LONGEST_ID, MOST_NAMED } from "./limits.ts";

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

/** Whether evals are gone of a skill that is still here: what nothing asks, nothing passes. */
export function hasOrphans({ removed, source }: Pick<Comparison, "removed" | "source">): boolean {
  return removed.some(({ suite }) => source.orphaned?.has(suite));
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
  const failed = fresh.length + outdated.length + unexcused.length;
  const first = failed === 0 ? why : `${count(failed, "grade")} failed, and ${why}`;
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
  const news = [
    ...failingPart(comparison),
    ...blamedPart(comparison, blamed),
    ...gonePart(comparison),
    ...freshPart(comparison, fresh),
    ...passedAgainPart(comparison),
  ].join("; ");
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

/** What fails that the baseline does not have yet. */
function freshPart(comparison: Comparison, fresh: readonly VerdictRow[]): string[] {
  if (fresh.length === 0) return [];
  const where = inBaseline(comparison.source);
  return [`${failing(comparison, fresh)}, which decides nothing: not ${where} yet in this form`];
}

/** What failed and cannot be compared, by no one else's doing. */
function blamedPart(comparison: Comparison, blamed: readonly VerdictRow[]): string[] {
  const { pairs, notComparable, source } = comparison;
  const known = new Set([...pairs, ...notComparable].map(taskKeyOfAnyModel));
  const reasons = reasonsOf(notComparable);
  const others = blamed.filter((row) => reasons.has(row));
  const added = blamed.filter((row) => !reasons.has(row));
  const tasks = added.filter((row) => !known.has(taskKeyOfAnyModel(row)));
  const graders = added.filter((row) => known.has(taskKeyOfAnyModel(row)));
  const names = listed([...new Set(graders.map(({ grader }) => quoted(grader)))], MOST_NAMED);
  const why = new Set(others.map((row) => reasons.get(row)));
  const main = nameOf(source);
  const one = onePerTask(tasks).length === 1;
  const texts = [
    [
      tasks,
      `${main} has no result of ${one ? "task" : "the tasks"} ${tasksText(comparison, tasks)} yet (new, renamed or moved), and ${one ? "it" : "they"} failed`,
    ],
    [
      graders,
      `${main} has no result of ${names} in ${tasksText(comparison, graders)} yet, and ${graders.length === 1 ? "it" : "they"} failed`,
    ],
    [
      others,
      `${failing(comparison, others)} and cannot be compared with ${main}${why.size === 1 ? ` (${[...why].join()})` : ""}`,
    ],
  ] as const;
  return texts.flatMap(([rows, text]) => (rows.length > 0 ? [text] : []));
}

/** `` `a`, `b` fail ``. */
function failing(comparison: Comparison, rows: readonly VerdictRow[]): string {
  return `${tasksText(comparison, rows)} ${onePerTask(rows).length === 1 ? "fails" : "fail"}`;
}

/** Why grades cannot be compared. */
function reasonsOf(notComparable: readonly NotComparable[]): ReadonlyMap<Row, string> {
  return new Map(
    notComparable.flatMap(({ current, reason }) => current.map((row) => [row, reason] as const)),
  );
}

/** What always passed in the baseline and fails now: `` `task-1` fails what always passed on main: 0 of 3 now, 5 of 5 there ``. */
function failingPart(comparison: Comparison): string[] {
  const failing = newlyFailing(comparison);
  if (failing.length === 0) return [];
  const always = `what always passed ${inBaseline(comparison.source)}`;
  const tasks = examplesOf(failing);
  if (tasks.length === 1) {
    const now = runsPassed(failing, "current");
    const there = ofText(runsPassed(failing, "baseline"));
    return [
      `${tasksText(comparison, tasks)} fails ${always}: ${String(now.passes)} of ${count(now.runs, "run")} now, ${there} there`,
    ];
  }
  const all = countTasks(comparison.pairs);
  const some = tasks.length === all ? `all ${String(all)}` : `${String(tasks.length)} of ${String(all)}`;
  return [`${some} tasks fail ${always}`];
}

/** What a first grade says of tasks that dropped and run again. */
export function againSentences(
  comparison: Comparison,
  tasks: readonly Pick<GradeKey, "suite" | "task">[],
): Sentences {
  const { pairs } = comparison;
  const keys = new Set(tasks.map(taskKeyOfAnyModel));
  const all = countTasks(pairs);
  const dropped = pairs.filter((pair) => keys.has(taskKeyOfAnyModel(pair)));
  const run = keys.size === 1 ? "runs" : "run";
  return [
    `${String(keys.size)} of ${count(all, "task")} dropped, and ${run} again before this is decided`,
    `One run can fail by bad luck: ${tasksText(comparison, examplesOf(dropped))} ${run} ${String(FURTHER_RUNS)} more times, and all runs decide`,
    "If these are lost, the last grade is red",
  ];
}

/** Tasks that dropped, and passed more often than not with their further runs. */
function passedAgainPart({ pairs, source }: Comparison): string[] {
  const again = pairs.filter((pair) => source.again?.has(taskKeyOfAnyModel(pair)));
  const passed = [...Map.groupBy(again, taskKeyOfAnyModel).values()].filter((own) => {
    const { passes, runs } = runsPassed(own, "current");
    return passes * 2 > runs;
  });
  return passed.length === 0 ? [] : [`${count(passed.length, "task")} that dropped passed again`];
}

/** How many runs of these graders' task passed all of them. */
function runsPassed(pairs: readonly Pair[], side: "baseline" | "current"): Tally {
  const grades = pairs.flatMap((pair) => pair[side].grades);
  const runs = [...Map.groupBy(grades, identityOf).values()];
  return {
    passes: runs.filter((own) => own.every(({ state }) => state === "passed")).length,
    runs: runs.length,
  };
}

/** What the baseline has graded, and now nothing grades. */
export function gonePart({ removed: all, pairs, notComparable, added, source }: Comparison): string[] {
  const kept = [...pairs, ...notComparable, ...added];
  const suites = new Set(kept.map(({ suite }) => suite));
  const here = new Set(kept.map(taskKeyOfAnyModel));
  const apart = [
    ...Map.groupBy(
      all.filter(({ suite }) => !suites.has(suite)),
      ({ suite }) => suite,
    ),
  ];
  const orphans = apart.flatMap(([suite]) => (source.orphaned?.has(suite) ? suite : []));
  const whole = apart.filter(([suite]) => !orphans.includes(suite));
  const removed = all.filter(({ suite }) => suites.has(suite));
  const isGone = (one: GradeKey) => !here.has(taskKeyOfAnyModel(one));
  const nameIn = ({ suite, task }: GradeKey) => (suites.size > 1 ? `${suite}/${task}` : task);
  const tasks = new Set(removed.filter(isGone).map(nameIn));
  const graders = new Set(removed.filter((one) => !isGone(one)).map(({ grader }) => grader));
  const parts = (["task", "grader"] as const).flatMap((noun) => {
    const names = [...(noun === "task" ? tasks : graders)];
    const named = listed(names.map(quoted), MOST_NAMED);
    return names.length === 0
      ? []
      : [
          `${count(names.length, noun)} of ${nameOf(source)} ${names.length === 1 ? "is" : "are"} gone (${named})`,
        ];
  });
  const retired = whole.map(([suite, its]) => {
    const number = countTasks(its);
    return number === 1
      ? `the only task of ${quoted(suite)} is gone`
      : `all ${String(number)} tasks of ${quoted(suite)} are gone`;
  });
  const named = listed(orphans.map(quoted), MOST_NAMED);
  const lost =
    orphans.length === 0
      ? []
      : [
          `the evals of ${named} are no longer graded, and ${orphans.length === 1 ? "its" : "their"} skill or folder is still here`,
        ];
  return [...parts, ...(retired.length === 0 ? [] : [listed(retired, MOST_NAMED)]), ...lost];
}

/** The score, and what it comes to; `isBeside` other news, which its words do not repeat. */
function scorePart(comparison: Comparison, maxDrop: MaxDrop, isBeside: boolean): string {
  const { source, test } = comparison;
  const name = nameOf(source);
  const scores = allScoresText(comparison);
  if (isWorse(comparison, maxDrop)) {
    const own = maxDrop === "noise" && brokenRule(test) === "task" ? test.task : undefined;
    if (!own) return `worse than ${name}: ${scores}`;
    const pairs = comparison.pairs.filter(
      ({ suite, task, model }) => suite === own.key.suite && task === own.key.task && model === own.key.model,
    );
    const [{ current } = { current: undefined }] = pairs;
    const score = bothSides(pairs);
    const task = current ? tasksText(comparison, [current.example]) : quoted(own.key.task);
    return `worse than ${name} in ${task}: ${score ? scoresText(score, source) : "no score"}`;
  }
  if (test.drop <= 0) return `not worse than ${name}${isBeside ? " in all" : ""}: ${scores}`;
  const inAll = isBeside ? "in all, " : "";
  const why = maxDrop === "noise" ? "chance may explain it" : `${written(maxDrop)} allows it`;
  return `${inAll}${scores}: ${why}`;
}

/** `score 0.50, 0.76 on main`, with up to four decimals where they are needed to show a difference. */
function scoresText({ baseline, current }: BeforeAndNow, source: BaselineSource): string {
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
  const score = bothSides(pairs);
  if (!score) return "no score";
  const others = [...notComparable, ...added];
  const [compared, tasks] = [countTasks(pairs), countTasks([...pairs, ...others])];
  const rest = others.flatMap(({ current }) => current);
  const over =
    compared < tasks
      ? `, over ${String(compared)} of ${String(tasks)} tasks`
      : rest.length > 0
        ? `, without ${gradersText(comparison, rest)}`
        : "";
  return `${scoresText(score, source)}${over}`;
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
function whyOf({ test }: Comparison, maxDrop: MaxDrop): string[] {
  const { p, task, level } = test;
  const broken = brokenRule(test);
  if (p === undefined) return ["Chance cannot be computed: no run has verdicts on both sides"];
  const text = chanceText("A drop", p, level);
  if (maxDrop !== "noise") return [text];
  if (broken === "task" && task)
    return [`${chanceText("In some task a drop", task.p)}: red from 1 of 100 on`];
  if (broken === "large") return [`${text}, but more than ${String(LARGE_DROP)} points always fail`];
  return [`${text}: red from 1 of ${String(Math.floor(1 / level))} on`];
}

function ofText({ passes, runs }: Tally): string {
  return `${String(passes)} of ${String(runs)}`;
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
  const [never, sometimes] = [true, false].map((isNever) =>
    tasks.filter((own) => own.every(({ baseline }) => baseline.passes === 0) === isNever),
  );
  return (
    [
      ["never passed", never],
      ["passed at times", sometimes],
    ] as const
  ).flatMap(([how, some = []]) =>
    some.length === 0
      ? []
      : [`${count(some.length, "task fails", "tasks fail")} that ${how} ${inBaseline(comparison.source)}`],
  );
}

/** The tasks of these grades, each once, as people know them; with their suite where there are several. */
function tasksText({ pairs, notComparable, added }: Comparison, rows: readonly Row[]): string {
  const suites = new Set([...pairs, ...notComparable, ...added].map(({ suite }) => suite));
  const nameOfTask = (row: Row) => (suites.size > 1 ? `${row.suite} · ${taskTitle(row)}` : taskTitle(row));
  return listed(
    onePerTask(rows).map((row) => quoted(nameOfTask(row))),
    MOST_NAMED,
  );
}

/** Graders by name; a list of statements has none that says something, and is named by its task. */
function gradersText(comparison: Comparison, rows: readonly Row[]): string {
  const lists = rows.filter(isList);
  const names = new Set(rows.filter((row) => !isList(row)).map(({ grader }) => quoted(grader)));
  const ofLists = lists.length === 0 ? [] : [`the statements of ${tasksText(comparison, onePerTask(lists))}`];
  return listed([...names, ...ofLists], MOST_NAMED);
}

function isList({ statements }: Row): boolean {
  return statements.length > 0;
}

/** A name as code. */
function quoted(name: string): string {
  return codeName(name, LONGEST_ID);
}

function onePerTask<R extends Row>(rows: readonly R[]): readonly R[] {
  return [...new Map(rows.map((row) => [taskKeyOfAnyModel(row), row])).values()];
}

/** A grade of now for each task. */
function examplesOf(pairs: readonly Pair[]): readonly VerdictRow[] {
  return onePerTask(pairs.map(({ current }) => current.example));
}

/** Facts that do not decide: changed models and weights, what was left out, graders that could not be compared. */
function asidesOf(comparison: Comparison, blamed: readonly VerdictRow[]): string[] {
  return [
    ...weightParts(comparison),
    ...leftOutParts(comparison),
    ...OTHER_NAMES.flatMap(([what, nameOf]) => otherNames(comparison, what, nameOf)),
    ...notCompared(comparison, blamed),
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

/** Advice when the prompt or the judge changed. */
const REGRADE =
  "To compare all the same, grade main's last results with these evals: recipe `regrade-baseline.yml`";

/**
 * Graders with verdicts now that cannot be compared, with the reason, where no sentence before has it; and what to do
 * where they fail.
 */
function notCompared(comparison: Comparison, blamed: readonly VerdictRow[]): string[] {
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
    ...(isBlamed && some.some(({ isChange }) => isChange) ? [REGRADE] : []),
  ];
}

/** A failed grader's past: `it passed 3 of 3 on main`, or `score 0.75 on main`. */
export function passedBefore({ baseline }: Pick<Pair, "baseline">, source: BaselineSource): string {
  const where = inBaseline(source);
  if (baseline.passes === 0) return `never passed ${where} (0 of ${String(baseline.runs)})`;
  if (isPartly([baseline])) return `score ${meanScore(baseline).toFixed(2)} ${where}`;
  return `it passed ${ofText(baseline)} ${where}`;
}
