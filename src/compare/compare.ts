/**
 * Is it worse than the baseline? Pure. Two units: how often each grader of a task passes, for what is newly failing and
 * for the pass rate; and runs, for the exact test, since the grades of one run hang together.
 */
import { ROUNDING } from "../text/format.ts";
import { isSignificant, leastChance } from "./exact-test.ts";
import type { Chances } from "./exact-test.ts";
import { detectableBetween } from "./detectable-drop.ts";
import type { DetectableDrop } from "./detectable-drop.ts";
import { fallOf, isLandslide } from "./noise.ts";
import type { Fall, FallenTask } from "./noise.ts";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import { isGraded } from "../domain/record.ts";
import type { GradedRecord, GradeRecord } from "../domain/record.ts";
import { pairUp } from "./pairs.ts";
import type { Pair, Paired, Side } from "./pairs.ts";
import { mean, weightedMean } from "../score/score.ts";
import { runsOfTasks, taskKey } from "./task-runs.ts";

export interface Comparison extends Paired {
  /** `none`: there is no baseline, or nothing in it can be compared. */
  readonly verdict: "fell" | "rose" | "within-noise" | "unchanged" | "too-few-runs" | "none";
  /** False when no grade of a baseline was found. */
  readonly hasBaseline: boolean;
  readonly newlyFailing: readonly Pair[];
  readonly newlyPassing: readonly Pair[];
  readonly stillFailing: readonly Pair[];
  /** One-sided mid-p of a fall and of a rise; absent when no run can be compared. */
  readonly p?: Chances | undefined;
  /** The task whose own fall chance explains least, where it does not explain it. */
  readonly fallen?: FallenTask | undefined;
  /** The size of the comparison, and the smallest drop that it detects. */
  readonly detectable: DetectableDrop;
  /** Means over the pairs of the share of passing runs, 0 to 1; absent without pairs. */
  readonly passRate?: BeforeAndNow | undefined;
  /** The judge's models that answered on both sides, where they differ. */
  readonly servedBy?: Names | undefined;
  /** The agent's models on both sides, where they differ. */
  readonly agents?: Names | undefined;
  /** Percentage points that the pass rate fell by; negative when it rose, 0 without pairs. */
  readonly drop: number;
  /** Scores over the comparable part, by the weights of now; absent without pairs. */
  readonly score?: BeforeAndNow | undefined;
  /** Runs of compared tasks that the test leaves out, because a grade of theirs has no verdict. */
  readonly runsLeftOut: number;
  /** Grades that failed now. */
  readonly failed: readonly GradedRecord[];
  /** Of these, the ones that nothing in the baseline can excuse. */
  readonly unexcused: readonly GradedRecord[];
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

/** Compares grades with those of a baseline; advisory graders, and tasks left out on purpose, are to be taken out before: `hasBaseline` says whether there was any. */
export function compare(
  baseline: readonly GradeRecord[],
  current: readonly GradeRecord[],
  hasBaseline = baseline.length > 0,
): Comparison {
  const paired = pairUp(baseline, current);
  const { pairs } = paired;
  const { tasks, leftOut } = runsOfTasks(pairs);
  const passRate = bothSides(pairs, (side) => mean(pairs.map((pair) => share(pair[side]))));
  const drop = dropOf(passRate);
  const fall = fallOf(tasks, drop);
  const failed = current.filter(isGraded).filter(({ passed }) => !passed);
  const compared = new Set<GradeRecord>(pairs.flatMap(({ current }) => current.grades));
  return {
    ...paired,
    verdict: verdictOf({ pairs, drop, passRate }, fall),
    hasBaseline,
    newlyFailing: pairs.filter(({ change }) => change === "fell").sort((a, b) => moveOf(a) - moveOf(b)),
    newlyPassing: pairs.filter(({ change }) => change === "rose").sort((a, b) => moveOf(b) - moveOf(a)),
    stillFailing: pairs.filter(({ change }) => change === "still-failing"),
    p: fall.p,
    fallen: fall.fallen,
    detectable: detectableBetween(tasks),
    servedBy: otherNames(pairs, ({ servedBy }) => servedBy),
    agents: otherNames(pairs, ({ model }) => model || UNKNOWN_MODEL),
    passRate,
    drop,
    score: bothSides(pairs, (side) => scoreOf(pairs, side)),
    runsLeftOut: leftOut,
    failed,
    unexcused: failed.filter((grade) => !compared.has(grade)),
  };
}

function verdictOf(
  { pairs, drop, passRate }: Pick<Comparison, "pairs" | "drop" | "passRate">,
  { p, fell, tasks }: Fall,
): Comparison["verdict"] {
  if (pairs.length === 0) return "none";
  if (pairs.every(({ change }) => change.startsWith("still"))) return "unchanged";
  if (fell) return "fell";
  if (p && drop < 0 && isSignificant(p.rise)) return "rose";
  const shows = isSignificant(leastChance(tasks)) || isLandslide(100 * (passRate?.baseline ?? 0));
  return shows ? "within-noise" : "too-few-runs";
}

function otherNames(
  pairs: readonly Pair[],
  nameOf: (grade: GradedRecord) => string | undefined,
): Names | undefined {
  const names = (side: keyof Names) =>
    [...new Set(pairs.flatMap((pair) => pair[side].grades.flatMap((grade) => nameOf(grade) ?? [])))].sort();
  const [baseline, current] = [names("baseline"), names("current")];
  const known = baseline.length > 0 && current.length > 0;
  return known && baseline.join("\n") !== current.join("\n") ? { baseline, current } : undefined;
}

/** By how much the share of passing runs rose, -1 to 1. */
function moveOf({ baseline, current }: Pair): number {
  return share(current) - share(baseline);
}

/** The score of one side: as ever the weighted mean of a task's graders and the mean of the tasks, over pairs alone. */
function scoreOf(pairs: readonly Pair[], side: keyof BeforeAndNow): number {
  const tasks = [...Map.groupBy(pairs, taskKey).values()].map((ofTask) => {
    const graders = ofTask.map((pair) => ({
      score: mean(pair[side].grades.map(({ score }) => score)),
      weight: pair.current.shown.weight ?? 1,
    }));
    return weightedMean(graders);
  });
  return mean(tasks);
}

function bothSides(
  pairs: readonly Pair[],
  figure: (side: keyof BeforeAndNow) => number,
): BeforeAndNow | undefined {
  if (pairs.length === 0) return undefined;
  return { baseline: figure("baseline"), current: figure("current") };
}

function dropOf(rate: BeforeAndNow | undefined): number {
  if (!rate) return 0;
  const drop = 100 * (rate.baseline - rate.current);
  return Math.abs(drop) < ROUNDING ? 0 : drop;
}

function share({ passes, runs }: Side): number {
  return passes / runs;
}
