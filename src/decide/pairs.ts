/**
 * Pairs of baseline and current grades, one for each grader of a task and agent model, and the baseline's source. Pure.
 */
import { basesOf, differing, otherAnswers, whyOther, withoutVerdict } from "./comparable.ts";
import { type GradeKey, type Row, type VerdictRow, gradeKey, isChecked } from "../domain/row.ts";
import { type Tally, identityOf } from "../results/score.ts";
import { shorten } from "../text/format.ts";
import { withoutDate } from "../text/suggest.ts";

/** Maximum length of a branch's name on a page. */
const LONGEST_BRANCH = 60;

/** A grader with verdicts of equal basis on both sides. */
export interface Pair extends GradeKey {
  readonly change: Change;
  /** Its weight in the baseline, by which both sides are weighed: a pull request cannot weigh its failures away. */
  readonly weight: number;
  readonly baseline: Side;
  readonly current: Side;
}

/**
 * The change of a grader. Newly failing requires a baseline that always passed, newly passing one that never passed; one
 * that passed sometimes is flaky, and counts as still failing.
 */
type Change = "newly-failing" | "newly-passing" | "still-failing" | "passing";

/** A grader on both sides whose verdicts cannot be compared. */
export interface NotComparable extends GradeKey {
  readonly reason: string;
  readonly current: readonly Row[];
  /** Why this is not the pull request's doing: this action was updated, or the judge is another. */
  readonly excused?: string | undefined;
  /** The verdicts of both sides, where it is excused. */
  readonly sides?: Pick<Pair, "baseline" | "current"> | undefined;
  /** Both sides have a verdict, and nothing excuses that they were graded in another way. */
  readonly isChange?: true | undefined;
}

/** Pairs in the order of the current grades, removed ones in the baseline's. `there` names the baseline in reasons: `on main`. */
export function pairUp(baseline: readonly Row[], current: readonly Row[], there: string) {
  const old = Map.groupBy(baseline, ({ suite }) => suite);
  const fresh = Map.groupBy(current, ({ suite }) => suite);
  const apart = new Set([...fresh].flatMap(([suite, its]) => (isApart(old.get(suite), its) ? suite : [])));
  const modelOfKey = (grade: Row) => (apart.has(grade.suite) ? modelOf(grade) : "");
  const keyOf = (grade: Row) => gradeKey({ ...grade, model: modelOfKey(grade) });
  const before = Map.groupBy(baseline, keyOf);
  const now = Map.groupBy(current, keyOf);
  const both = [...now].flatMap(([key, grades]) => {
    const old = before.get(key);
    return old ? [pairOf(old, grades, there)] : [];
  });
  const only = (some: typeof now, others: typeof now) =>
    [...some].flatMap(([key, grades]) => (others.has(key) ? [] : [grades]));
  const newest = new Map(
    [...old].map(([suite, its]) => [suite, its.reduce((last, row) => Math.max(last, timeOf(row)), 0)]),
  );
  const isNewest = (grades: readonly Row[]) =>
    grades.some((grade) => timeOf(grade) === newest.get(grade.suite));
  return {
    pairs: both.filter((one) => "change" in one),
    notComparable: both.filter((one) => "reason" in one),
    /** Only in the baseline, in the newest file of their suite. */
    removed: only(before, now).filter(isNewest).map(sharedKey),
    /** Not in the baseline. */
    added: only(now, before).map((current) => ({ ...sharedKey(current), current })),
  };
}

export type Paired = ReturnType<typeof pairUp>;

function timeOf({ time = 0 }: Row): number {
  return time;
}

export interface BaselineSource {
  /** The branch that its files were graded on; absent when they differ. */
  readonly branch?: string | undefined;
  /** Why nothing is compared. */
  readonly absent?: "not-found" | "nothing-passes" | undefined;
  /** True for a file in the checkout, which a pull request could delete. */
  readonly inCheckout?: boolean | undefined;
  /** Keys of its suites without evals now, of which the skill or the folder of the evals is still here. */
  readonly here?: ReadonlySet<string> | undefined;
  /** Keys of the tasks that dropped in an earlier grade of the same commit, and ran again since. */
  readonly again?: ReadonlySet<string> | undefined;
  /** This run is of that branch, or of a tag: what its results do not have yet decides nothing. */
  readonly isOwn?: boolean | undefined;
}

/** `on main`, or `in the baseline` where the branch is not known. */
export function inBaseline({ branch }: BaselineSource): string {
  return branch === undefined ? "in the baseline" : `on ${shownBranch(branch)}`;
}

/** Whether each agent model of a suite has its own pairs. A change of the only model is compared. */
function isApart(old: readonly Row[] = [], fresh: readonly Row[]): boolean {
  const [before, now] = [modelsOf(old), modelsOf(fresh)];
  return now.size > 1 || (before.size > 1 && [...now].some((model) => before.has(model)));
}

function modelsOf(grades: readonly Row[]): ReadonlySet<string> {
  return new Set(grades.map(modelOf).filter((model) => model !== ""));
}

/** The agent's model as it was asked for, else without its date: a newer snapshot of a model is that model. */
function modelOf({ model, modelAsked }: Row): string {
  return modelAsked ?? withoutDate(model);
}

function pairOf(before: readonly Row[], now: readonly Row[], there: string): Pair | NotComparable {
  const key = sharedKey([...now, ...before]);
  const fresh = basesOf(now.filter(isChecked));
  const usable = before.filter(
    (grade) => fresh.length === 1 && differing(grade.basis, fresh[0])?.length === 0,
  );
  if (!usable.some(isChecked)) return { ...key, current: now, ...whyNot(before, now, there) };
  const once = countedOnce(usable);
  const answered = otherAnswers(once, now, there);
  if (answered !== undefined)
    return { ...key, current: now, reason: answered, excused: answered, sides: sidesOf(once, now) };
  const change = changeOf(tally(once.filter(isChecked)), tally(now.filter(isChecked)));
  return {
    ...key,
    change,
    weight: once.reduce((last, row) => (timeOf(row) >= timeOf(last) ? row : last)).weight,
    baseline: sideOfPair(once, change === "newly-passing" || change === "still-failing"),
    current: sideOfPair(now, change === "newly-failing" || change === "still-failing"),
  };
}

function sharedKey(grades: readonly Row[]): GradeKey {
  const [{ suite, task, model, grader }] = grades as readonly [Row];
  return { suite, task, model, grader, golden: grades.some(({ golden }) => golden === true) };
}

/** Why no verdict of the baseline can be compared: the reason of its last file. */
function whyNot(before: readonly Row[], now: readonly Row[], there: string) {
  const reason = withoutVerdict(before, there) ?? withoutVerdict(now, "now");
  if (reason !== undefined) return { reason };
  const why = whyOther(before, basesOf(now.filter(isChecked)), there);
  if (why.excused === undefined) return { ...why, isChange: true } as const;
  const last = before.findLast(isChecked)?.basis;
  const same = before.filter((grade) => isChecked(grade) && differing(grade.basis, last)?.length === 0);
  return { ...why, sides: sidesOf(countedOnce(same), now) };
}

/** Both sides of what is not compared, by a grade that passes and one that fails, where there are any. */
function sidesOf(before: readonly Row[], now: readonly Row[]): NonNullable<NotComparable["sides"]> {
  return { baseline: sideOfPair(before, false), current: sideOfPair(now, true) };
}

/** The grades of a baseline with each run once: of one in several records, the newest grading. */
function countedOnce(grades: readonly Row[]): readonly Row[] {
  const runs = Map.groupBy(grades, (grade) => (isChecked(grade) ? identityOf(grade) : grade));
  return [...runs.values()].map((same) =>
    same.reduce((last, one) => (timeOf(one) > timeOf(last) ? one : last)),
  );
}

function changeOf(before: Tally, now: Tally): Change {
  if (before.passes === 0 && now.passes > 0) return "newly-passing";
  if (now.passes === now.runs) return "passing";
  return before.passes === before.runs ? "newly-failing" : "still-failing";
}

/** How many of these grades passed. */
export function tally(grades: readonly VerdictRow[]): Tally {
  return { passes: grades.filter(({ state }) => state === "passed").length, runs: grades.length };
}

/** The comparable grades of one side: of `runs` with a verdict, `passes` passed. */
export type Side = ReturnType<typeof sideOfPair>;

function sideOfPair(all: readonly Row[], failing: boolean) {
  const present = all.filter(({ state }) => state !== "missing");
  const grades = present.filter(isChecked);
  const [first] = grades as [VerdictRow];
  return {
    ...tally(grades),
    grades,
    /** Includes grades without a verdict. */
    records: present,
    /** The grade shown to explain the change. */
    example: grades.find(({ state }) => (state === "failed") === failing) ?? first,
  };
}

/** Why grades cannot be a baseline; undefined when they can. */
export function absenceOf(baseline: readonly Row[]): BaselineSource["absent"] {
  if (baseline.length === 0) return "not-found";
  return baseline.some((grade) => isChecked(grade) && grade.score > 0) ? undefined : "nothing-passes";
}

/** `main`, or `the baseline` where the branch is not known. */
export function nameOf({ branch }: BaselineSource): string {
  return branch === undefined ? "the baseline" : shownBranch(branch);
}

/** What retires evals: `save a new baseline from main`. */
export function newBaseline({ branch }: BaselineSource): string {
  return `save a new baseline${branch === undefined ? "" : ` from ${shownBranch(branch)}`}`;
}

function shownBranch(name: string): string {
  return shorten(name.replace(/\s+/g, " "), LONGEST_BRANCH);
}
