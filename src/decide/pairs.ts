/**
 * Pairs of baseline and current grades, one for each grader of a task and agent model, and the baseline's source. Pure.
 */
import type { Basis } from "../domain/grade.ts";
import {
  type GradeKey,
  type Row,
  type VerdictRow,
  gradeKey,
  deathText,
  hasVerdict,
  isChecked,
  isJudged,
} from "../domain/row.ts";
import { type Tally, identityOf } from "../results/score.ts";
import { listed, shorten } from "../text/format.ts";
import { LONGEST_BRANCH } from "./limits.ts";
import { WORDS, stateOf } from "../text/states.ts";
import { withoutDate } from "../text/suggest.ts";

/** A grader with verdicts of equal basis on both sides. */
export interface Pair extends GradeKey {
  readonly change: Change;
  /** Its weight in the baseline, by which both sides are weighed: a pull request cannot weigh its failures away. */
  readonly weight: number;
  /** Why only some results of the baseline count; absent where all do. */
  readonly leftOut?: string | undefined;
  readonly baseline: Side;
  readonly current: Side;
}

/**
 * The change of a grader. Newly failing requires a baseline that always passed, newly passing one that never passed; one
 * that passed sometimes is flaky, and counts as still failing.
 */
type Change = "newly-failing" | "newly-passing" | "still-failing" | "passing";

/** The comparable grades of one side: of `runs` with a verdict, `passes` passed. */
export interface Side extends Tally {
  readonly grades: readonly VerdictRow[];
  /** Includes grades without a verdict. */
  readonly records: readonly Row[];
  /** The grade shown to explain the change. */
  readonly example: VerdictRow;
}

/** Keys of a pair's current grades, which may be of several models. */
export function currentKeys({ current }: Pair): string[] {
  return current.records.map(gradeKey);
}

export interface Paired {
  readonly pairs: readonly Pair[];
  readonly notComparable: readonly NotComparable[];
  /** Only in the baseline, in the newest file of their suite. */
  readonly removed: readonly GradeKey[];
  /** Not in the baseline. */
  readonly added: readonly Added[];
}

/** A grader that the baseline does not have. */
interface Added extends GradeKey {
  readonly current: readonly Row[];
}

/** A grader on both sides whose verdicts cannot be compared. */
export interface NotComparable extends GradeKey {
  readonly reason: string;
  readonly current: readonly Row[];
  /** Why this is not the pull request's doing: this action was updated, or the judge is another. */
  readonly excused?: string | undefined;
  /** The verdicts of both sides, where it is excused. */
  readonly sides?: Sides | undefined;
  /** Both sides have a verdict, and were graded in another way. */
  readonly isChange?: boolean | undefined;
}

/** The verdicts of both sides. */
type Sides = Pick<Pair, "baseline" | "current">;

/** Pairs in the order of the current grades, removed ones in the baseline's. `inBaseline` names the baseline in reasons: `on main`. */
export function pairUp(baseline: readonly Row[], current: readonly Row[], inBaseline: string): Paired {
  const old = Map.groupBy(baseline, ({ suite }) => suite);
  const fresh = Map.groupBy(current, ({ suite }) => suite);
  const apart = new Set([...fresh].flatMap(([suite, its]) => (isApart(old.get(suite), its) ? suite : [])));
  const keyOf = (grade: Row) => gradeKey({ ...grade, model: apart.has(grade.suite) ? modelOf(grade) : "" });
  const before = Map.groupBy(baseline, keyOf);
  const now = Map.groupBy(current, keyOf);
  const both = [...now].flatMap(([key, grades]) => {
    const old = before.get(key);
    return old ? [pairOf(old, grades, inBaseline)] : [];
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
    removed: only(before, now).filter(isNewest).map(sharedKey),
    added: only(now, before).map((current) => ({ ...sharedKey(current), current })),
  };
}

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
  /** Keys of its suites that have no evals now, while the skill or the folder of the evals is still there. */
  readonly orphaned?: ReadonlySet<string> | undefined;
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

function pairOf(before: readonly Row[], now: readonly Row[], inBaseline: string): Pair | NotComparable {
  const key = sharedKey([...now, ...before]);
  const fresh = basesOf(now.filter(isChecked));
  const usable = before.filter(
    (grade) => fresh.length === 1 && differing(grade.basis, fresh[0])?.length === 0,
  );
  if (!usable.some(isChecked)) return { ...key, current: now, ...whyNot(before, now, inBaseline) };
  const once = countedOnce(usable);
  const answered = otherAnswers(once, now, inBaseline);
  if (answered !== undefined) {
    const sides = { baseline: sideOf(once, false), current: sideOf(now, true) };
    return { ...key, current: now, reason: answered, excused: answered, isChange: false, sides };
  }
  const change = changeOf(tally(once.filter(isChecked)), tally(now.filter(isChecked)));
  return {
    ...key,
    change,
    weight: once.reduce((last, row) => (timeOf(row) >= timeOf(last) ? row : last)).weight,
    leftOut: whyLeftOut(
      before.filter((row) => isChecked(row) && !usable.includes(row)),
      fresh[0],
    ),
    baseline: sideOf(once, change === "newly-passing" || change === "still-failing"),
    current: sideOf(now, change === "newly-failing" || change === "still-failing"),
  };
}

/** Why grades of the baseline are not used beside others that are: its prompt was edited, or what else differs. */
function whyLeftOut(others: readonly Row[], basis: Basis | undefined): string | undefined {
  if (others.length === 0) return undefined;
  const parts = new Set(others.flatMap((row) => differing(row.basis, basis)?.map(([part]) => part) ?? []));
  if (parts.size === 1 && parts.has("promptSha256")) return "its prompt was edited";
  const words = PARTS.filter(([part]) => parts.has(part)).map(([, word]) => word);
  return words.length === 0
    ? "others do not say how they were graded"
    : `others differ in ${words.join(", ")}`;
}

function sharedKey(grades: readonly Row[]): GradeKey {
  const [{ suite, task, model, grader }] = grades as readonly [Row];
  return { suite, task, model, grader, golden: grades.some(({ golden }) => golden === true) };
}

/** The parts of a basis, their names in sentences, and whether to show the values. */
const PARTS: readonly (readonly [keyof Basis, string, shows: boolean])[] = [
  ["promptSha256", "the grader's prompt", false],
  ["rubricSha256", "the rubric", false],
  ["continueSession", "`continue_session`", true],
  ["inputsSha256", "the task's inputs", false],
  ["judgeModel", "the judge model", true],
  ["reasoningEffort", "the reasoning effort", true],
  ["sentModel", "the model name in requests", true],
  ["sentApi", "the API", true],
  ["sentEffort", "the reasoning effort that was sent", true],
  ["voting", "the voting", true],
  ["templateVersion", "the action's template", true],
];

/** The distinct bases of a grader's grades; undefined for a grade without one. */
function basesOf(grades: readonly VerdictRow[]): (Basis | undefined)[] {
  const key = ({ basis }: VerdictRow) => JSON.stringify(basis && PARTS.map(([part]) => basis[part] ?? null));
  return [...new Map(grades.map((grade) => [key(grade), grade.basis])).values()];
}

/** Parts that only a verdict has for which a judge was asked: absent counts as equal. */
const OF_ASKED: ReadonlySet<keyof Basis> = new Set(["sentApi", "sentEffort"]);

/** Parts that follow from another one, and are not named beside it. */
const FOLLOWS: Partial<Record<keyof Basis, keyof Basis>> = {
  sentModel: "judgeModel",
  sentEffort: "reasoningEffort",
};

/** The differing parts of two bases; undefined when one is unknown. */
function differing(old: Basis | undefined, fresh: Basis | undefined): typeof PARTS | undefined {
  if (!old || !fresh) return undefined;
  return PARTS.filter(
    ([part]) => old[part] !== fresh[part] && !(OF_ASKED.has(part) && !(old[part] && fresh[part])),
  ).filter(([part], _, all) => !all.some(([other]) => other === FOLLOWS[part]));
}

/**
 * Why two sides that were asked alike were answered by different models; undefined where their names meet, where a side
 * names none, and where the files of the baseline disagree among themselves. Providers answer for a model that is gone
 * by another one.
 */
function otherAnswers(before: readonly Row[], now: readonly Row[], inBaseline: string): string | undefined {
  const files = [...Map.groupBy(before, ({ file }) => file).values()].map(answeredBy);
  const [first, ...others] = files.filter(({ size }) => size > 0);
  const fresh = answeredBy(now);
  if (!first || fresh.size === 0 || !others.every((names) => meet(names, first))) return undefined;
  const old = answeredBy(before);
  if (meet(old, fresh)) return undefined;
  const named = (names: ReadonlySet<string>) => listed([...names].map((name) => shorten(name, 60)));
  return `the judge was answered by ${named(old)} ${inBaseline} and is by ${named(fresh)} now`;
}

/** The models that answered for these grades, without dates: versions of one model are one. */
function answeredBy(grades: readonly Row[]): ReadonlySet<string> {
  return new Set(
    grades.flatMap((grade) =>
      isChecked(grade) && grade.judge?.servedBy ? withoutDate(grade.judge.servedBy) : [],
    ),
  );
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((name) => others.has(name));
}

/** The template of verdicts by waza's own judge. */
const WAZA = "waza";

/** Why no verdict of the baseline can be compared: the reason of its last file. */
function whyNot(
  before: readonly Row[],
  now: readonly Row[],
  inBaseline: string,
): Omit<NotComparable, keyof GradeKey | "current"> {
  const reason = withoutVerdict(before, inBaseline) ?? withoutVerdict(now, "now");
  if (reason !== undefined) return { reason };
  const why = whyOther(before, basesOf(now.filter(isChecked)), inBaseline);
  if (why.excused === undefined) return { isChange: true, ...why };
  const last = before.findLast(isChecked)?.basis;
  const same = before.filter((grade) => isChecked(grade) && differing(grade.basis, last)?.length === 0);
  return {
    isChange: false,
    ...why,
    sides: { baseline: sideOf(countedOnce(same), false), current: sideOf(now, true) },
  };
}

/** How two sides with verdicts were graded in another way. */
function whyOther(
  before: readonly Row[],
  fresh: readonly (Basis | undefined)[],
  inBaseline: string,
): Pick<NotComparable, "reason" | "excused"> {
  if (fresh.length > 1) return { reason: "the runs were not all graded in the same way" };
  const [old, basis] = [before.findLast(isChecked)?.basis, fresh[0]];
  const parts = differing(old, basis);
  if (!old || !parts) return { reason: "the baseline does not say how it was graded" };
  if (!basis) return { reason: "the grade does not say how it was made" };
  if (old.templateVersion === WAZA) return { reason: `waza's own judge gave the verdicts ${inBaseline}` };
  if (parts.every(([part]) => part === "templateVersion")) {
    const [oldVersion, newVersion] = [old.templateVersion, basis.templateVersion].map((one) =>
      shorten(one, 20),
    );
    const reason = `this action was updated: template ${oldVersion ?? ""} ${inBaseline}, ${newVersion ?? ""} now`;
    return { excused: "this action was updated", reason };
  }
  const differences = parts.map(([part, word, shows]) => {
    const value = (one: Basis) => shorten(String(one[part] ?? "none"), 60);
    return shows ? `${word} (${value(old)} ${inBaseline}, ${value(basis)} now)` : word;
  });
  const reason = `not equal: ${differences.join(", ")}`;
  const isJudge = parts.every(([part]) => part === "templateVersion" || JUDGE_PARTS.has(part));
  const isTheirs = isJudge && parts.every(([part]) => isNotTheAuthors(part, old, basis));
  return isTheirs ? { reason, excused: judgeChange(parts, { old, basis, inBaseline }) } : { reason };
}

/** What makes a judge. */
const JUDGE_PARTS: ReadonlySet<keyof Basis> = new Set([
  "judgeModel",
  "sentModel",
  "reasoningEffort",
  "sentEffort",
  "sentApi",
  "voting",
]);

/**
 * Whether a part of the judge was changed by an input, by our default or by the provider. What a file of the repository
 * says, or said until this pull request, is its author's, and could soften a gate.
 */
function isNotTheAuthors(part: keyof Basis, old: Basis, basis: Basis): boolean {
  if (part === "reasoningEffort") return old.effortBy === "default" && basis.effortBy === "default";
  if (part !== "judgeModel") return true;
  const before = old.modelBy;
  if (basis.modelBy === "input") return before === "input" || before === "default" || before === "eval";
  return basis.modelBy === "default" && (before === "input" || before === "default");
}

interface Bases {
  readonly old: Basis;
  readonly basis: Basis;
  readonly inBaseline: string;
}

/** `the judge was gpt-4o-mini on main and is gpt-6-luna now`. */
function judgeChange(parts: typeof PARTS, { old, basis, inBaseline }: Bases): string {
  const changed = parts.find(([part]) => part !== "templateVersion");
  const [part, word] = changed ?? ["judgeModel", "the judge model"];
  const value = (one: Basis) => shorten(String(one[part] ?? "none"), 60);
  const name = part === "judgeModel" ? "the judge" : word;
  return `${name} was ${value(old)} ${inBaseline} and is ${value(basis)} now`;
}

/** Why a side has nothing to compare; undefined when it has. */
function withoutVerdict(grades: readonly Row[], where: string): string | undefined {
  if (grades.some(isChecked)) return undefined;
  const states = grades.map((grade) => {
    if (!hasVerdict(grade)) return WORDS[stateOf(grade)];
    return isJudged(grade) ? "the judge reported no check" : deathText(grade);
  });
  return `no verdict ${where}: ${[...new Set(states)].join(", ")}`;
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

function tally(grades: readonly VerdictRow[]): Tally {
  return { passes: grades.filter(({ state }) => state === "passed").length, runs: grades.length };
}

function sideOf(all: readonly Row[], failing: boolean): Side {
  const present = all.filter(({ state }) => state !== "missing");
  const grades = present.filter(isChecked);
  const [first] = grades as [VerdictRow];
  return {
    ...tally(grades),
    grades,
    records: present,
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

function shownBranch(name: string): string {
  return shorten(name.replace(/\s+/g, " "), LONGEST_BRANCH);
}
