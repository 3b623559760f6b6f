/**
 * Compares grades with a baseline. Pure. Two units: each grader of a task, for newly failing graders; and runs, for the
 * exact test, since the grades of one run are correlated. A run is worth its score.
 */
import {
  type DropTest,
  LEVEL,
  SECOND_LEVEL,
  brokenRule,
  strataOf,
  tasksToRunAgain,
  testDrop,
} from "./chance.ts";
import {
  type BaselineSource,
  type Pair,
  type Paired,
  type Side,
  absenceOf,
  inBaseline,
  pairUp,
} from "./pairs.ts";
import { FURTHER_RUNS, type MaxDrop } from "../domain/grade.ts";
import {
  type GradeKey,
  type VerdictRow,
  type Row,
  hasVerdict,
  isChecked,
  taskKey,
  taskKeyOfAnyModel,
} from "../domain/row.ts";
import { mean, weightedMean } from "../results/score.ts";
import { ROUNDING } from "../text/format.ts";
import { globOf } from "../text/suggest.ts";

/** What grades are beside a baseline; all that pages say of it follows from these. */
export interface Comparison extends Paired {
  readonly test: DropTest;
  readonly source: BaselineSource;
}

/**
 * Compares grades with a baseline, both without advisory graders and without tasks left out on purpose. Tasks that
 * dropped in an earlier grade may have run again (`source.again`).
 */
export function compare(
  baseline: readonly Row[],
  current: readonly Row[],
  source: BaselineSource = { absent: absenceOf(baseline) },
): Comparison {
  const paired = pairedWith(baseline, current, source);
  const score = bothSides(paired.pairs);
  const drop = score ? 100 * (score.baseline - score.current) : 0;
  const level = source.again?.size ? SECOND_LEVEL : LEVEL;
  const test = testDrop(strataOf(paired.pairs), level, Math.abs(drop) < ROUNDING ? 0 : drop);
  return { ...paired, test, source };
}

/** A baseline in which no check passes has no pairs; its golden tasks are kept. */
function pairedWith(baseline: readonly Row[], current: readonly Row[], source: BaselineSource): Paired {
  const paired = pairUp(baseline, current, inBaseline(source));
  if (source.absent !== "nothing-passes") return paired;
  const reason = `nothing passes ${inBaseline(source)}`;
  const none = paired.pairs.map((pair) => ({ ...pair, current: pair.current.records, reason }));
  return { ...paired, pairs: [], notComparable: [...paired.notComparable, ...none] };
}

/** Whether the score dropped by more than a `max-drop` allows. */
export function isWorse({ test }: Pick<Comparison, "test">, maxDrop: MaxDrop = "noise"): boolean {
  return maxDrop === "noise" ? brokenRule(test) !== undefined : test.drop > maxDrop + ROUNDING;
}

/** The comparison in a word; `none` without a baseline, or with nothing comparable in it. */
export function verdictOf(comparison: Comparison): "fell" | "within-noise" | "unchanged" | "none" {
  const { pairs } = comparison;
  if (pairs.length === 0) return "none";
  if (pairs.every((pair) => moveOf(pair) === 0)) return "unchanged";
  return isWorse(comparison) ? "fell" : "within-noise";
}

/** The scores of both sides over compared graders, by the baseline's weights; undefined without any. */
export function bothSides(
  pairs: readonly (Omit<GradeKey, "golden"> & Pick<Pair, "baseline" | "current" | "weight">)[],
): { readonly baseline: number; readonly current: number } | undefined {
  if (pairs.length === 0) return undefined;
  const tasks = [...Map.groupBy(pairs, taskKey).values()];
  const score = (side: "baseline" | "current") =>
    mean(
      tasks.map((own) =>
        weightedMean(own.map((pair) => ({ score: meanScore(pair[side]), weight: pair.weight }))),
      ),
    );
  return { baseline: score("baseline"), current: score("current") };
}

/** The tasks that dropped, where their further runs can change the result, as the input `tasks` takes them. */
export function droppedTasks({ test }: Pick<Comparison, "test">): readonly string[] {
  return globsOf(tasksToRunAgain(test, FURTHER_RUNS));
}

/** Globs of the input `tasks` that match these tasks alone. */
export function globsOf(tasks: readonly Pick<GradeKey, "suite" | "task">[]): readonly string[] {
  return [...new Set(tasks.map(({ suite, task }) => globOf(`${suite}/${task}`)))];
}

/**
 * Graders that always passed in the baseline and fail now, the largest drop first. What ran again fails unless it passed
 * more often than not.
 */
export function newlyFailing({ pairs, source }: Pick<Comparison, "pairs" | "source">): readonly Pair[] {
  const hasPassedAgain = (pair: Pair) =>
    source.again?.has(taskKeyOfAnyModel(pair)) === true && pair.current.passes * 2 > pair.current.runs;
  return byMove(pairs).filter((pair) => pair.change === "newly-failing" && !hasPassedAgain(pair));
}

/** Graders that never passed in the baseline and pass now, the largest rise first. */
export function newlyPassing({ pairs }: Pick<Comparison, "pairs">): readonly Pair[] {
  return byMove(pairs)
    .filter(({ change }) => change === "newly-passing")
    .reverse();
}

/** Graders that fail now and failed in the baseline, always or sometimes. */
export function stillFailing({ pairs }: Pick<Comparison, "pairs">): readonly Pair[] {
  return pairs.filter(({ change }) => change === "still-failing");
}

function byMove(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.toSorted((a, b) => moveOf(a) - moveOf(b));
}

/** Change of the mean score, -1 to 1. */
export function moveOf({ baseline, current }: Pair): number {
  const move = meanScore(current) - meanScore(baseline);
  return Math.abs(move) < ROUNDING ? 0 : move;
}

/** The mean score of one side of a pair. */
export function meanScore({ grades }: Side): number {
  return mean(grades.map(({ score }) => score));
}

/** Whether some grade of these passes only some of its checks, so that its score says more than whether it passed. */
export function isPartly(sides: readonly Side[]): boolean {
  return sides.some(({ grades }) => grades.some(({ score }) => score > 0 && score < 1));
}

/** Failed grades of now that no pair holds. */
interface FailedBeside {
  /** Of what the baseline does not have yet: they decide nothing. */
  readonly fresh: readonly VerdictRow[];
  /** Not comparable only because this action was updated, or because the judge is another. */
  readonly outdated: readonly VerdictRow[];
  /** Nothing excuses them. */
  readonly unexcused: readonly VerdictRow[];
}

/**
 * The failed grades that no pair holds. A grade decides nothing that the baseline does not have yet: on its own branch
 * all of these, else an added task, as long as no task of the baseline is missing or changed beside it.
 */
export function failedBeside({ pairs, notComparable, added, removed, source }: Comparison): FailedBeside {
  const known = new Set([...pairs, ...notComparable].map(taskKeyOfAnyModel));
  const { absent, isOwn } = source;
  const isChanged =
    absent !== undefined ||
    removed.length > 0 ||
    notComparable.some(({ isChange }) => isChange) ||
    added.some((one) => known.has(taskKeyOfAnyModel(one)));
  const isOnItsBranch = isOwn === true && absent === undefined;
  const isFresh = (grade: VerdictRow) =>
    isChecked(grade) && (isOnItsBranch || (!isChanged && !known.has(taskKeyOfAnyModel(grade))));
  const failed = (some: readonly { readonly current: readonly Row[] }[]) =>
    some.flatMap(({ current }) => current.filter(hasVerdict).filter(({ state }) => state === "failed"));
  const isExcused = ({ excused }: Comparison["notComparable"][number]) => excused !== undefined;
  const outdated = failed(notComparable.filter(isExcused)).filter(isChecked);
  const unpaired = pairs.map(({ current }) => ({
    current: current.records.filter((row) => !current.grades.includes(row as VerdictRow)),
  }));
  const others = failed([...unpaired, ...added, ...notComparable]).filter((row) => !outdated.includes(row));
  return { fresh: others.filter(isFresh), outdated, unexcused: others.filter((row) => !isFresh(row)) };
}
