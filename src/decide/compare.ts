/**
 * Compares grades with a baseline. Pure. Two units: each grader of a task, for newly failing graders; and runs, for the
 * exact test, since the grades of one run are correlated. A run is worth its score.
 */
import {
  type Chances,
  type DetectableDrop,
  type DropTest,
  type DroppedTask,
  canDrop,
  detectableBetween,
  isSignificant,
  runsOfTasks,
  taskKey,
  taskKeyOfAnyModel,
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
import { type GradeKey, type Row, type VerdictRow, hasVerdict, isChecked } from "../domain/row.ts";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import { mean, weightedMean } from "../results/score.ts";
import { ROUNDING, once } from "../text/format.ts";

export interface Comparison extends Paired {
  /** `none`: no baseline, or nothing comparable in it. */
  readonly verdict: "fell" | "rose" | "within-noise" | "unchanged" | "too-few-runs" | "none";
  readonly source: BaselineSource;
  /** Pairs that pass less often now, the largest drop first. */
  readonly dropped: readonly Pair[];
  readonly newlyFailing: readonly Pair[];
  readonly newlyPassing: readonly Pair[];
  readonly stillFailing: readonly Pair[];
  /** One-sided mid-p of a drop and of a rise; absent when no run can be compared. */
  readonly p?: Chances | undefined;
  /** One more attempt of the agent would decide. */
  readonly isUndecided: boolean;
  /** The task with the most significant drop, if one is significant. */
  readonly droppedTask?: DroppedTask | undefined;
  /** The score of all tasks dropped, not only one task's. */
  readonly droppedInAll: boolean;
  /** False when too little passes in the baseline to notice even a total failure. */
  readonly canDrop: boolean;
  /** The size of the comparison, and the smallest drop that it detects. */
  readonly detectable: DetectableDrop;
  /** The judge models that answered, when the sides differ. */
  readonly servedBy?: Names | undefined;
  /** The agent's models, when the sides differ. */
  readonly agents?: Names | undefined;
  /** Points of 100 that the score fell by; negative when it rose, 0 without pairs. */
  readonly drop: number;
  /** Scores over the comparable part, by the current weights; absent without pairs. */
  readonly score?: BeforeAndNow | undefined;
  /** The baseline's score in each of its files over the same part, oldest first; empty where there is one file alone. */
  readonly earlier: readonly EarlierScore[];
  /** Runs of compared tasks left out of the test, because one of their grades has no verdict. */
  readonly runsLeftOut: number;
  /** Grades that failed now. */
  readonly failed: readonly VerdictRow[];
  /** Failed grades of what the baseline does not have yet, which decide nothing. */
  readonly fresh: readonly VerdictRow[];
  /** Failed grades that nothing in the baseline excuses. */
  readonly unexcused: readonly VerdictRow[];
  /** Failed grades not comparable only because this action was updated, or because the judge is another. */
  readonly outdated: readonly VerdictRow[];
  /** The scores of both sides over what is excused so: a drop is seen, and decides nothing. */
  readonly excusedScore?: BeforeAndNow | undefined;
}

/** The score of one file of the baseline. */
interface EarlierScore {
  /** When it was graded, in milliseconds since 1970. */
  readonly time: number;
  readonly score: number;
}

/** Names on both sides, each once. */
interface Names {
  readonly baseline: readonly string[];
  readonly current: readonly string[];
}

export interface BeforeAndNow {
  readonly baseline: number;
  readonly current: number;
}

/** Compares grades with a baseline, both without advisory graders and without tasks left out on purpose. */
export function compare(
  baseline: readonly Row[],
  current: readonly Row[],
  source: BaselineSource = { absent: absenceOf(baseline) },
): Comparison {
  const paired = pairedWith(baseline, current, source);
  const { pairs } = paired;
  const { tasks, leftOut } = runsOfTasks(pairs);
  const score = bothSides(pairs);
  const drop = dropOf(score);
  const test = testDrop(tasks, drop);
  const showsDrop = canDrop(tasks, score?.baseline ?? 0);
  const byMove = pairs.toSorted((a, b) => moveOf(a) - moveOf(b));
  const failed = current.filter(hasVerdict).filter(({ state }) => state === "failed");
  return {
    ...paired,
    source,
    verdict: verdictOf({ pairs, drop, canDrop: showsDrop }, test),
    dropped: byMove.filter((pair) => moveOf(pair) < 0),
    newlyFailing: byMove.filter(({ change }) => change === "newly-failing"),
    newlyPassing: byMove.filter(({ change }) => change === "newly-passing").reverse(),
    stillFailing: pairs.filter(({ change }) => change === "still-failing"),
    p: test.p,
    isUndecided: test.isUndecided,
    droppedTask: test.task,
    droppedInAll: test.inAll,
    canDrop: showsDrop,
    detectable: detectableBetween(tasks),
    servedBy: otherNames(pairs, ({ judge }) => judge?.servedBy),
    agents: otherNames(pairs, ({ model }) => model || UNKNOWN_MODEL),
    drop,
    score,
    earlier: earlierScores(pairs),
    runsLeftOut: leftOut,
    failed,
    ...unexcusedOf(failed, paired, source),
    excusedScore: bothSides(
      paired.notComparable.flatMap(({ sides, ...key }) => (sides ? { ...key, ...sides } : [])),
    ),
  };
}

/** How many more failures would be red. */
interface Margin {
  readonly failures: number;
  /** These are of checks, as some grades have several. */
  readonly ofChecks: boolean;
}

/** Several sentences have it, and for large suites it takes seconds. */
const MARGINS = new WeakMap<readonly Pair[], Margin | undefined>();

/** How many failures `noise` still passes: what passes now fails, a check of each grade in turn; undefined where that is never red. */
export function marginOf(pairs: readonly Pair[]): Margin | undefined {
  return once(MARGINS, pairs, () =>
    marginUntil(pairs, (drop, after) => testDrop(runsOfTasks(after).tasks, drop).isDrop),
  );
}

/** The same for a number of points. */
export function marginOfPoints(pairs: readonly Pair[], maxDrop: number): Margin | undefined {
  return marginUntil(pairs, (drop) => drop > maxDrop + ROUNDING);
}

function marginUntil(
  pairs: readonly Pair[],
  isRed: (drop: number, after: readonly Pair[]) => boolean,
): Margin | undefined {
  const passing = passingChecks(pairs);
  const isRedAfter = (failures: number) => {
    const failed = Map.groupBy(passing.slice(0, failures), (grade) => grade);
    const scoreOf = (grade: VerdictRow) =>
      Math.max(0, grade.score - (failed.get(grade)?.length ?? 0) / checksOf(grade));
    const after = pairs.map((pair) => ({ ...pair, current: rescored(pair.current, scoreOf) }));
    return isRed(dropOf(bothSides(after)), after);
  };
  if (!isRedAfter(passing.length)) return undefined;
  let [green, red] = [0, 1];
  while (red < passing.length && !isRedAfter(red)) [green, red] = [red, 2 * red];
  red = Math.min(red, passing.length);
  while (red - green > 1) {
    const middle = Math.floor((green + red) / 2);
    if (isRedAfter(middle)) red = middle;
    else green = middle;
  }
  return { failures: red, ofChecks: passing.some((grade) => checksOf(grade) > 1) };
}

/** The grades of now with a check that passes, once for each, in turn over the pairs. */
function passingChecks(pairs: readonly Pair[]): readonly VerdictRow[] {
  const grades = pairs.flatMap(({ current }) =>
    current.grades.flatMap((grade, turn) =>
      Array.from({ length: Math.round(grade.score * checksOf(grade)) }, (_, check) => ({
        grade,
        turn,
        check,
      })),
    ),
  );
  return grades.sort((a, b) => a.turn - b.turn || a.check - b.check).map(({ grade }) => grade);
}

function checksOf({ checks }: VerdictRow): number {
  return Math.max(1, checks.length);
}

function rescored(side: Side, scoreOf: (grade: VerdictRow) => number): Side {
  const after = new Map(side.grades.map((grade) => [grade, { ...grade, score: scoreOf(grade) }]));
  return {
    ...side,
    grades: [...after.values()],
    records: side.records.map((row) => (hasVerdict(row) ? (after.get(row) ?? row) : row)),
  };
}

/** A baseline in which no check passes has no pairs; its golden tasks are kept. */
function pairedWith(baseline: readonly Row[], current: readonly Row[], source: BaselineSource): Paired {
  const paired = pairUp(baseline, current, inBaseline(source));
  if (source.absent !== "nothing-passes") return paired;
  const reason = `nothing passes ${inBaseline(source)}`;
  const none = paired.pairs.map((pair) => ({ ...pair, current: pair.current.records, reason }));
  return { ...paired, pairs: [], notComparable: [...paired.notComparable, ...none] };
}

function unexcusedOf(
  failed: readonly VerdictRow[],
  paired: Paired,
  source: BaselineSource,
): Pick<Comparison, "fresh" | "unexcused" | "outdated"> {
  const { pairs, notComparable } = paired;
  const compared = new Set<Row>(pairs.flatMap(({ current }) => current.grades));
  const updated = new Set(
    notComparable.flatMap(({ excused, current }) => (excused === undefined ? [] : current)),
  );
  const left = failed.filter((grade) => !compared.has(grade));
  const isOutdated = (grade: VerdictRow) => isChecked(grade) && updated.has(grade);
  const isFresh = freshIn(paired, source);
  const others = left.filter((grade) => !isOutdated(grade));
  return {
    fresh: others.filter(isFresh),
    unexcused: others.filter((grade) => !isFresh(grade)),
    outdated: left.filter(isOutdated),
  };
}

/**
 * Whether a failed grade decides nothing, since the baseline does not have it yet: on its own branch all of these, else
 * an added task, as long as no task of the baseline is missing or changed beside it.
 */
function freshIn(
  { pairs, notComparable, added, removed }: Paired,
  { absent, isOwn }: BaselineSource,
): (grade: VerdictRow) => boolean {
  const known = new Set([...pairs, ...notComparable].map(taskKeyOfAnyModel));
  const isChanged =
    absent !== undefined ||
    removed.length > 0 ||
    notComparable.some(({ isChange }) => isChange) ||
    added.some((one) => known.has(taskKeyOfAnyModel(one)));
  const isAdded = (grade: VerdictRow) => !isChanged && !known.has(taskKeyOfAnyModel(grade));
  const isOnItsBranch = isOwn === true && absent === undefined;
  return (grade) => isChecked(grade) && (isOnItsBranch || isAdded(grade));
}

function verdictOf(
  { pairs, drop, canDrop }: Pick<Comparison, "pairs" | "drop" | "canDrop">,
  { p, isDrop: fell }: DropTest,
): Comparison["verdict"] {
  if (pairs.length === 0) return "none";
  if (pairs.every((pair) => moveOf(pair) === 0)) return "unchanged";
  if (fell) return "fell";
  if (p && drop < 0 && isSignificant(p.rise)) return "rose";
  return canDrop ? "within-noise" : "too-few-runs";
}

function otherNames(
  pairs: readonly Pair[],
  nameOf: (grade: VerdictRow) => string | undefined,
): Names | undefined {
  const names = (side: keyof Names) =>
    [...new Set(pairs.flatMap((pair) => pair[side].grades.flatMap((grade) => nameOf(grade) ?? [])))].sort();
  const [baseline, current] = [names("baseline"), names("current")];
  const known = baseline.length > 0 && current.length > 0;
  return known && baseline.join("\n") !== current.join("\n") ? { baseline, current } : undefined;
}

/** Change of the mean score, -1 to 1. */
function moveOf({ baseline, current }: Pair): number {
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

type Compared = GradeKey & Pick<Pair, "baseline" | "current">;

/** The scores of both sides over pairs. */
export function bothSides(pairs: readonly Compared[]): BeforeAndNow | undefined {
  if (pairs.length === 0) return undefined;
  return { baseline: scoreOf(pairs, "baseline"), current: scoreOf(pairs, "current") };
}

/** The score of one side over pairs: the weighted mean of a task's graders, then the mean of the tasks. */
function scoreOf(pairs: readonly Compared[], side: keyof BeforeAndNow): number {
  const tasks = [...Map.groupBy(pairs, taskKey).values()].map((ofTask) =>
    weightedMean(
      ofTask.map((pair) => ({ score: meanScore(pair[side]), weight: pair.current.example.weight })),
    ),
  );
  return mean(tasks);
}

/** Over the pairs that each file has; a file of unknown time has no place among them. */
function earlierScores(pairs: readonly Compared[]): EarlierScore[] {
  const parts = pairs.flatMap((pair) =>
    [...Map.groupBy(pair.baseline.grades, ({ time }) => time ?? 0)].map(([time, grades]) => ({
      time,
      pair: { ...pair, baseline: { ...pair.baseline, grades } },
    })),
  );
  const byTime = [...Map.groupBy(parts, ({ time }) => time)].filter(([time]) => time > 0);
  if (byTime.length < 2) return [];
  return byTime
    .map(([time, own]) => ({
      time,
      score: scoreOf(
        own.map(({ pair }) => pair),
        "baseline",
      ),
    }))
    .sort((one, other) => one.time - other.time);
}

function dropOf(score: BeforeAndNow | undefined): number {
  if (!score) return 0;
  const drop = 100 * (score.baseline - score.current);
  return Math.abs(drop) < ROUNDING ? 0 : drop;
}
