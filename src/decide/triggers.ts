/**
 * Trigger evals: whether the skill was loaded for each query, or which of all. All queries together are a comparison of their own, and in
 * no score. Pure.
 */
import { type Comparison, byMove, goneSuites, isWorse, meanScore } from "./compare.ts";
import { whyOf } from "./comparison-text.ts";
import { named, quoted } from "./names.ts";
import { inBaseline, nameOf, tally } from "./pairs.ts";
import { notice, warning, type Problem } from "../domain/problem.ts";
import { type Row, gradeKey, hasVerdict, isOlder, taskKeyOfAnyModel } from "../domain/row.ts";
import { count, formatNumber, listed, outOf, plural, sumOf } from "../text/format.ts";

/** The rows of the queries, of now and of the baseline. */
export interface Triggers {
  readonly rows: readonly Row[];
  readonly before: readonly Row[];
  /** Absent where the baseline has none. */
  readonly comparison?: Comparison | undefined;
}

/** The queries, wrong ones first; those of the baseline that are gone last. */
export function queriesOf({ rows = [], before = [] }: Partial<Triggers> = {}) {
  const [byKey, byKeyBefore] = [Map.groupBy(rows, gradeKey), Map.groupBy(before, gradeKey)];
  const queries = [...new Set([...byKey.keys(), ...byKeyBefore.keys()])].map((key) => {
    const [ofNow, ofBefore] = [byKey.get(key) ?? [], byKeyBefore.get(key) ?? []];
    const [{ suite, task, query }] = [...ofNow, ...ofBefore] as [Row, ...Row[]];
    const now = tally(ofNow.filter(hasVerdict));
    const isMissing = ofNow.some(({ state }) => state === "missing");
    return {
      ...{ suite, task, wants: query?.wants === true, now, before: tally(ofBefore.filter(hasVerdict)) },
      /** Most runs are right; undefined without any. */
      isRight: now.runs === 0 ? undefined : now.passes * 2 > now.runs,
      /** `missing`: a planned run has no log that says it. `gone`: no trigger eval asks it or expects the same. */
      absent: ofNow.length === 0 ? "gone" : isMissing ? "missing" : undefined,
    } as const;
  });
  return queries.sort((one, other) => Number(one.isRight ?? true) - Number(other.isRight ?? true));
}

/** A query, with its runs that say whether the skill was loaded; right is what it wants. */
export type Query = ReturnType<typeof queriesOf>[number];

/** `The agent chose from 3 skills, on main from 2`; empty where that is the same, or not known of both. */
export function otherNumber({ pairs, source }: Comparison): readonly string[] {
  const [now, before] = (["current", "baseline"] as const).map((side) =>
    listed([
      ...new Set(pairs.flatMap((pair) => pair[side].grades.map(({ query }) => String(query?.skills ?? "")))),
    ]),
  );
  return now && before && now !== before
    ? [`The agent chose from ${now} skills, ${inBaseline(source)} from ${before}`]
    : [];
}

/** Why trigger evals are worse than in the baseline; empty where they are not. */
export function worseTriggers(comparison: Comparison): readonly string[] {
  if (!isWorse(comparison)) return [];
  const fell = byMove(comparison.pairs).filter((pair) => meanScore(pair.current) < meanScore(pair.baseline));
  const rightIn = (side: "baseline" | "current") =>
    outOf(sumOf(fell.map((pair) => pair[side].passes)), sumOf(fell.map((pair) => pair[side].runs)), "run");
  const both = `${rightIn("current")}, ${inBaseline(comparison.source)} in ${rightIn("baseline")}`;
  const queries = `${count(fell.length, "trigger query", "trigger queries")} ${plural(fell.length, "is", "are")}`;
  return [
    `${queries} right in ${both}: ${queryNames(fell)}`,
    ...whyOf(comparison, "query"),
    ...otherNumber(comparison),
  ];
}

/** Queries of the baseline without a run that counts, or only those `ofLook`, that ran again; empty without any. */
export function missingTriggers(triggers: Triggers, ofLook = false): readonly string[] {
  const again = triggers.comparison?.source.again;
  const missing = queriesOf(triggers).filter(
    (one) =>
      one.absent === "missing" &&
      one.before.runs > 0 &&
      (!ofLook || again?.has(taskKeyOfAnyModel(one)) === true),
  );
  const main = nameOf(triggers.comparison?.source ?? {});
  return [...Map.groupBy(missing, ({ now }) => now.runs > 0)].map(([isLost, its]) => {
    const lacks = isLost ? plural(its.length, "lacks", "lack") : plural(its.length, "has", "have");
    const what = `${lacks} ${isLost ? "a further" : "no"} run with a log that says which skills were loaded`;
    return `${count(its.length, "trigger query", "trigger queries")} of ${main} ${what}: ${queryNames(its)}`;
  });
}

/** The trigger queries that are gone of skills that are still here; empty unless half of a skill's are. */
export function goneTriggers(comparison: Comparison): readonly string[] {
  return goneSuites(comparison).map((skill) => {
    const its = comparison.removed.filter(({ suite }) => suite === skill);
    const what = `${count(its.length, "trigger query", "trigger queries")} of ${nameOf(comparison.source)}, for ${quoted(skill)},`;
    return `${what} ${plural(its.length, "is", "are")} gone or changed (${queryNames(its)}), half of its queries or more, and the skill is still here`;
  });
}

function queryNames(queries: readonly Pick<Row, "task">[]): string {
  return named(queries.map(({ task }) => task));
}

/** `triggers: 7 of 9 queries right, 1 of main gone or changed (…)`. */
export function triggersPart(triggers: Triggers): string {
  const all = queriesOf(triggers);
  const gone = all.filter(({ absent }) => absent === "gone");
  const here = all.filter((query) => !gone.includes(query));
  const right = here.filter(({ isRight }) => isRight).length;
  const unknown = here.filter(({ isRight }) => isRight === undefined).length;
  const main = nameOf(triggers.comparison?.source ?? {});
  const parts = [
    ...(here.length > 0 ? [`${outOf(right, here.length, "query", "queries")} right`] : []),
    ...(unknown > 0 ? [`${formatNumber(unknown)} without a run that says it`] : []),
    ...(gone.length > 0
      ? [`${formatNumber(gone.length)} of ${main} gone or changed (${queryNames(gone)})`]
      : []),
  ];
  return `triggers: ${parts.join(", ")}`;
}

/** What is said of runs of trigger evals that are older than the skill, that were cut off, and that used their time. */
export function triggerProblems(runs: readonly Row[]): Problem[] {
  const old = runs.filter(isOlder);
  const slow = runs.filter((row) => hasVerdict(row) && row.ended !== undefined);
  const cut = runs.filter((row) => !hasVerdict(row) && row.ended !== undefined);
  const ways = new Set(cut.map(({ ended = "" }) => ended));
  const say = (its: readonly Row[], text: string) => `${count(its.length, "run")} of trigger evals ${text}`;
  const none = (its: readonly Row[]) => `and ${plural(its.length, "does", "do")} not count`;
  const older = `${plural(old.length, "was", "were")} made before the skill or the query was changed, ${none(old)}.`;
  const ended = `ended before the skill was loaded, ${none(cut)}: ${named(ways)}.`;
  const used = `used all ${plural(slow.length, "its", "their")} time without loading the skill: not loaded.`;
  const again = "Run them again: `waza-grade run --triggers`.";
  const raise = "Raise the agent's limit, or look at its provider, and run them again.";
  return [
    ...(old.length > 0 ? [warning("older-trigger-runs", say(old, older), { help: again })] : []),
    ...(cut.length > 0 ? [warning("triggers-cut-off", say(cut, ended), { help: raise })] : []),
    ...(slow.length > 0 ? [notice("triggers-used-their-time", say(slow, used))] : []),
  ];
}
