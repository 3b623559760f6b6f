/**
 * Compares grades with a baseline. Pure. Two units: each grader of a task, for newly failing graders; and runs, for the
 * exact test, since the grades of one run are correlated. A run is worth its score.
 */
import { type DropTest, brokenRule, fallenTasks, strataOf, testDrop } from "./chance.ts";
import {
  type BaselineSource,
  type Pair,
  type Paired,
  type Side,
  absenceOf,
  inBaseline,
  pairUp,
} from "./pairs.ts";
import {
  type GradeKey,
  type Retired,
  type VerdictRow,
  type Row,
  hasVerdict,
  isChecked,
  taskKey,
  taskKeyOfAnyModel,
} from "../domain/row.ts";
import { type Tally, identityOf, mean, weightedMean } from "../results/score.ts";
import { ROUNDING } from "../text/format.ts";

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
  const all = pairUp(baseline, current, inBaseline(source));
  const paired = source.absent === "nothing-passes" ? withoutPairs(all, source) : all;
  const again = new Set(paired.pairs.map(taskKeyOfAnyModel).filter((key) => source.again?.has(key)));
  const test = testDrop(strataOf(paired.pairs), again.size);
  return { ...paired, test, source };
}

/** A baseline in which no check passes has no pairs; its golden tasks are kept. */
function withoutPairs({ pairs, notComparable, ...rest }: Paired, source: BaselineSource): Paired {
  const reason = `nothing passes ${inBaseline(source)}`;
  const none = pairs.map((pair) => ({ ...pair, current: pair.current.records, reason }));
  return { ...rest, pairs: [], notComparable: [...notComparable, ...none] };
}

/** Whether the comparison alone is red. */
export function isWorse({ test }: Pick<Comparison, "test">): boolean {
  return brokenRule(test) !== undefined;
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

/** What an accepted drop retires of older results: the tasks that fell, and the graders that are gone. */
export function fallenIn({ removed, test }: Pick<Comparison, "removed" | "test">): readonly Retired[] {
  const tasks = new Map(
    fallenTasks(test).map(({ suite, task }) => [JSON.stringify([suite, task]), { suite, task }]),
  );
  return [...tasks.values(), ...removed.map(({ suite, task, grader }) => ({ suite, task, grader }))];
}

/** Graders that always passed in the baseline and fail now, of tasks that fail newly or are dead. */
export function newlyFailing(comparison: Pick<Comparison, "pairs" | "source" | "test">): readonly Pair[] {
  const { dead, newly } = taskGroups(comparison);
  return [...dead, ...newly].flat().filter(({ change }) => change === "newly-failing");
}

/** Graders that never passed in the baseline and pass now, the largest rise first. */
export function newlyPassing({ pairs }: Pick<Comparison, "pairs">): readonly Pair[] {
  return byMove(pairs)
    .filter(({ change }) => change === "newly-passing")
    .reverse();
}

/** The largest drop first. */
export function byMove(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.toSorted((a, b) => moveOf(a) - moveOf(b));
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

/**
 * The failed grades of now that no pair holds. A grade decides nothing, as `fresh`, that the baseline does not have yet: on
 * its own branch all of these, else an added task, or a task by an added model of the agent, as long as nothing of the
 * baseline is missing or changed beside it. Those that are `outdated` cannot be compared only because this action was
 * updated, or the judge is another; nothing excuses the others.
 */
export function failedBeside({ pairs, notComparable, added, removed, source }: Comparison) {
  const known = new Set([...pairs, ...notComparable].map(taskKey));
  const { absent, isOwn } = source;
  const isNew = (one: GradeKey) => !known.has(taskKey(one));
  const isChanged =
    absent !== undefined ||
    removed.length > 0 ||
    notComparable.some(({ isChange }) => isChange) ||
    !added.every(isNew);
  const isOnItsBranch = isOwn === true && absent === undefined;
  const failed = (some: readonly { readonly current: readonly Row[] }[]) =>
    some.flatMap(({ current }) => current.filter(hasVerdict).filter(({ state }) => state === "failed"));
  const unpaired = pairs.map(({ current }) => ({
    current: current.records.filter((row) => !current.grades.includes(row as VerdictRow)),
  }));
  const outdated = failed(notComparable.filter(({ excused }) => excused !== undefined)).filter(isChecked);
  const apart = failed(added.filter((one) => !isChanged && isNew(one)));
  const others = failed([...unpaired, ...added, ...notComparable]).filter((row) => !outdated.includes(row));
  const isFresh = (row: VerdictRow) => isChecked(row) && (isOnItsBranch || apart.includes(row));
  return { fresh: others.filter(isFresh), outdated, unexcused: others.filter((row) => !isFresh(row)) };
}

/** Models of the agent that are new beside those of the baseline, with a grade of each. */
export function addedModels({ pairs, notComparable, added }: Comparison): ReadonlyMap<string, Row> {
  const key = ({ suite, model }: GradeKey) => JSON.stringify([suite, model]);
  const suites = new Set([...pairs, ...notComparable].map(({ suite }) => suite));
  const known = new Set([...pairs, ...notComparable].map(key));
  const fresh = added.filter((one) => one.model !== "" && suites.has(one.suite) && !known.has(key(one)));
  return new Map(fresh.flatMap(({ model, current: [row] }) => (row ? [[model, row] as const] : [])));
}

/**
 * Suites of the baseline of which half of the graders or more are gone, while their skill or folder is still here: what
 * nothing asks, nothing passes.
 */
export function goneSuites({ pairs, notComparable, added, removed, source }: Comparison): readonly string[] {
  const here = new Set([...pairs, ...notComparable, ...added].map(({ suite }) => suite));
  const kept = Map.groupBy([...pairs, ...notComparable], ({ suite }) => suite);
  return [...Map.groupBy(removed, ({ suite }) => suite)].flatMap(([suite, gone]) => {
    const isHere = here.has(suite) || source.here?.has(suite) === true;
    return isHere && gone.length >= (kept.get(suite)?.length ?? 0) ? suite : [];
  });
}

/**
 * The tasks that did not always pass by what became of them, each for every model that is compared apart, the largest drop
 * first. `dead`: they pass on main, and pass no check now, in enough runs to be red no matter what the others do. `passedAgain`:
 * they dropped, and passed more often than not with their further runs. `newly`: they always passed in the baseline and
 * fail now. `before`: they fail now, and failed in the baseline, always or sometimes.
 */
export function taskGroups({ pairs, source, test }: Pick<Comparison, "pairs" | "source" | "test">) {
  const isDead = new Set(test.dead.map(taskKey));
  const tasks = Map.groupBy(byMove(pairs), taskKey);
  const groupOf = (graders: readonly Pair[]) => {
    if (graders.some((pair) => isDead.has(taskKey(pair)))) return "dead";
    const { passes, runs } = runsPassed(graders, "current");
    const isAgain = graders.some((pair) => source.again?.has(taskKeyOfAnyModel(pair)));
    if (isAgain && passes < runs && passes * 2 > runs) return "passedAgain";
    if (graders.some(({ change }) => change === "newly-failing")) return "newly";
    return graders.some(({ change }) => change === "still-failing") ? "before" : "passed";
  };
  const { dead = [], newly = [], passedAgain = [], before = [] } = Object.groupBy(tasks.values(), groupOf);
  return { dead, newly, passedAgain, before };
}

/** How many runs of these graders' task passed all of them. */
export function runsPassed(pairs: readonly Pair[], side: "baseline" | "current"): Tally {
  const grades = pairs.flatMap((pair) => pair[side].grades);
  const runs = [...Map.groupBy(grades, identityOf).values()];
  return {
    passes: runs.filter((own) => own.every(({ state }) => state === "passed")).length,
    runs: runs.length,
  };
}
