/** Grades of a baseline and of now, laid side by side: one pair for each grader of a task and agent model. Pure. */
import { shorten } from "../text/format.ts";
import { isGraded } from "../domain/record.ts";
import type { Basis, GradedRecord, GradeRecord } from "../domain/record.ts";
import { placeKey } from "../records/place.ts";
import type { Place } from "../records/place.ts";
import type { Tally } from "./statistics.ts";

/** How the share of passing runs changed. */
export type Change = "fell" | "rose" | "still-failing" | "still-passing";

/** The grades of one side that can be compared: of `runs` with a verdict, `passes` passed. */
export interface Side extends Tally {
  readonly grades: readonly GradedRecord[];
  /** The same, with those that have no verdict. */
  readonly made: readonly GradeRecord[];
  /** The one to show: a grade that explains the change. */
  readonly shown: GradedRecord;
}

/** A grader with verdicts of equal basis on both sides. */
export interface Pair extends Place {
  readonly change: Change;
  /** Grades of the baseline that rest on something else than now's, and are not used. */
  readonly leftOut: number;
  readonly baseline: Side;
  readonly current: Side;
}

/** The places of a pair's grades of now: of several models where it holds them together. */
export function placesNow({ current }: Pair): string[] {
  return current.made.map(placeKey);
}

/** A grader that stands on both sides, with verdicts that cannot be held against each other. */
interface NotComparable extends Place {
  readonly reason: string;
}

export interface Paired {
  readonly pairs: readonly Pair[];
  readonly notComparable: readonly NotComparable[];
  /** In the baseline alone. */
  readonly removed: readonly Place[];
  /** Not in the baseline. */
  readonly added: readonly Place[];
}

/** Pairs in the order of the current grades; removed ones in that of the baseline. */
export function pairUp(baseline: readonly GradeRecord[], current: readonly GradeRecord[]): Paired {
  const old = Map.groupBy(baseline, ({ suite }) => suite);
  const fresh = Map.groupBy(current, ({ suite }) => suite);
  const apart = new Set([...fresh].flatMap(([suite, its]) => (isApart(old.get(suite), its) ? suite : [])));
  const keyOf = (grade: GradeRecord) => placeKey(apart.has(grade.suite) ? grade : { ...grade, model: "" });
  const before = Map.groupBy(baseline, keyOf);
  const now = Map.groupBy(current, keyOf);
  const both = [...now].flatMap(([key, grades]) => {
    const old = before.get(key);
    return old ? [pairOf(old, grades)] : [];
  });
  const only = (some: typeof now, others: typeof now) =>
    [...some].flatMap(([key, grades]) => (others.has(key) ? [] : [placeOf(grades)]));
  return {
    pairs: both.filter((one) => "change" in one),
    notComparable: both.filter((one) => "reason" in one),
    removed: only(before, now),
    added: only(now, before),
  };
}

/** Whether models tell a suite's pairs apart: the change of its only one is what people want to measure. */
function isApart(old: readonly GradeRecord[] = [], fresh: readonly GradeRecord[]): boolean {
  const [before, now] = [modelsOf(old), modelsOf(fresh)];
  return now.size > 1 || (before.size > 1 && [...now].some((model) => before.has(model)));
}

function modelsOf(grades: readonly GradeRecord[]): ReadonlySet<string> {
  return new Set(grades.map(({ model }) => model).filter((model) => model !== ""));
}

function placeOf(grades: readonly GradeRecord[]): Place {
  const [{ suite, task, model, grader }] = grades as readonly [GradeRecord];
  return { suite, task, model, grader, golden: grades.some(({ golden }) => golden === true) };
}

function pairOf(before: readonly GradeRecord[], now: readonly GradeRecord[]): Pair | NotComparable {
  const place = placeOf([...now, ...before]);
  const fresh = basesOf(now.filter(isGraded));
  const usable = before.filter((grade) => fresh.length === 1 && !difference(grade.basis, fresh[0]));
  const old = usable.filter(isGraded);
  if (old.length === 0) return { ...place, reason: whyNot(before, now) };
  const change = changeOf(tally(old), tally(now.filter(isGraded)));
  return {
    ...place,
    change,
    leftOut: before.length - usable.length,
    baseline: sideOf(usable, change !== "fell" && change !== "still-passing"),
    current: sideOf(now, change === "fell" || change === "still-failing"),
  };
}

function sideOf(all: readonly GradeRecord[], failing: boolean): Side {
  const made = all.filter(({ state }) => state !== "missing");
  const grades = made.filter(isGraded);
  const [first] = grades as [GradedRecord];
  return { ...tally(grades), grades, made, shown: grades.find(({ passed }) => passed !== failing) ?? first };
}

function tally(grades: readonly GradedRecord[]): Tally {
  return { passes: grades.filter(({ passed }) => passed).length, runs: grades.length };
}

/** By whole numbers, so that 1 of 3 and 2 of 6 are equal. */
function changeOf(before: Tally, now: Tally): Change {
  const gained = now.passes * before.runs - before.passes * now.runs;
  if (gained !== 0) return gained < 0 ? "fell" : "rose";
  return now.passes < now.runs ? "still-failing" : "still-passing";
}

function withoutVerdict(grades: readonly GradeRecord[], where: string): string | undefined {
  if (grades.some(isGraded)) return undefined;
  return `no verdict ${where}: ${[...new Set(grades.map(({ state }) => state))].join(", ")}`;
}

/** The ways in which grades of one grader came about; undefined stands for a grade that does not say. */
function basesOf(grades: readonly GradedRecord[]): (Basis | undefined)[] {
  const key = ({ basis }: GradedRecord) =>
    JSON.stringify(basis && PARTS.map(([part]) => basis[part] ?? null));
  return [...new Map(grades.map((grade) => [key(grade), grade.basis])).values()];
}

/** Why no verdict of the baseline can be compared; of several reasons that of its last file. */
function whyNot(before: readonly GradeRecord[], now: readonly GradeRecord[]): string {
  const without = withoutVerdict(before, "in the baseline") ?? withoutVerdict(now, "now");
  const fresh = basesOf(now.filter(isGraded));
  if (without !== undefined) return without;
  if (fresh.length > 1) return "the runs were not all graded in the same way";
  return difference(before.findLast(isGraded)?.basis, fresh[0]) ?? "no verdict in the baseline";
}

/** Why verdicts of these bases cannot be compared; undefined when they can. */
function difference(old: Basis | undefined, fresh: Basis | undefined): string | undefined {
  if (!old) return "the baseline does not say how it was graded";
  if (!fresh) return "the grade does not say how it was made";
  const parts = PARTS.filter(
    ([part]) => old[part] !== fresh[part] && !(LATER.has(part) && !(old[part] && fresh[part])),
  ).filter(([part], _, all) => part !== "sentModel" || !all.some(([other]) => other === "judgeModel"));
  if (parts.length === 0) return undefined;
  if (parts.every(([part]) => part === "template")) return onlyTemplate(old, fresh);
  const said = parts.map(([part, word, shows]) => {
    const value = (basis: Basis) => shorten(String(basis[part] ?? "none"), 60);
    return shows ? `${word} (${value(old)} in the baseline, ${value(fresh)} now)` : word;
  });
  return `not equal: ${said.join(", ")}`;
}

function onlyTemplate(old: Basis, fresh: Basis): string {
  const versions = `(${shorten(old.template, 20)} in the baseline, ${shorten(fresh.template, 20)} now)`;
  return `only our own template differs ${versions}: grade the base branch again; the template changes only in minor releases`;
}

/** What earlier versions did not write: absent counts as equal. */
const LATER: ReadonlySet<keyof Basis> = new Set(["sentModel", "voting"]);

/** What makes a basis, how it is called, and whether its value says something to a reader. */
const PARTS: readonly (readonly [keyof Basis, string, shows: boolean])[] = [
  ["prompt", "the grader's prompt", false],
  ["rubric", "the rubric", false],
  ["mode", "`mode`", true],
  ["continueSession", "`continue_session`", true],
  ["inputs", "the task's inputs", false],
  ["judgeModel", "the judge model", true],
  ["effort", "the reasoning effort", true],
  ["sentModel", "the model's name that was sent", true],
  ["voting", "how votes count", true],
  ["template", "our template", true],
];
