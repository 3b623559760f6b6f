/**
 * Trigger evals: whether the skill was loaded for each query, by the logs alone; and beside a baseline, by the same test
 * and levels as grades. Pure.
 */
import { type DropTest, type Stratum, testDrop } from "./chance.ts";
import { isWorse } from "./compare.ts";
import { whyOf } from "./comparison-text.ts";
import type { Policy } from "../domain/grade.ts";
import { warning, type Problem } from "../domain/problem.ts";
import type { TriggerCount, TriggerRun, TriggerShare } from "../domain/run.ts";
import { count, formatNumber, sumOf } from "../text/format.ts";

/** The runs by skill and query beside those of the baseline, wrong ones first. Runs of an older skill do not count. */
export function triggerShares(
  runs: readonly TriggerRun[],
  baseline: readonly TriggerShare[] = [],
): readonly TriggerShare[] {
  const keyOf = ({ skill, query, shouldTrigger }: Omit<TriggerRun, "loaded">) =>
    JSON.stringify([skill, query, shouldTrigger]);
  const before = Map.groupBy(baseline, keyOf);
  const groups = Map.groupBy(
    runs.filter(({ isOlder }) => !isOlder),
    keyOf,
  );
  const shares = [...groups].flatMap(([key, own]): TriggerShare[] => {
    const [first] = own;
    if (!first) return [];
    const { skill, query, shouldTrigger } = first;
    const known = own.filter(({ loaded }) => loaded !== undefined);
    const now = { loaded: known.filter((one) => one.loaded).length, runs: known.length };
    const isRight = known.length === 0 ? undefined : rightOf(shouldTrigger, now) * 2 > known.length;
    return [{ skill, query, shouldTrigger, ...now, isRight, before: countsTogether(before.get(key) ?? []) }];
  });
  return shares.sort((one, other) => Number(one.isRight ?? true) - Number(other.isRight ?? true));
}

/** The counts of a query's shares together; undefined if they are of no run. */
function countsTogether(shares: readonly TriggerCount[]): TriggerCount | undefined {
  const runs = sumOf(shares.map((share) => share.runs));
  return runs === 0 ? undefined : { loaded: sumOf(shares.map((share) => share.loaded)), runs };
}

/** In how many runs the skill was loaded where it should be, or was not where it should not. */
function rightOf(shouldTrigger: boolean, { loaded, runs }: TriggerCount): number {
  return shouldTrigger ? loaded : runs - loaded;
}

/** The drop of the queries that both sides ran, a stratum a query; undefined without any. */
export function triggerTest(shares: readonly TriggerShare[]): DropTest | undefined {
  const valuesOf = (shouldTrigger: boolean, side: TriggerCount) => {
    const right = rightOf(shouldTrigger, side);
    return Array.from({ length: side.runs }, (_, index) => (index < right ? 1 : 0));
  };
  const strata = shares.flatMap(({ skill, query, shouldTrigger, before, ...now }): Stratum[] =>
    before && now.runs > 0
      ? [
          {
            key: { suite: skill, task: query, model: "" },
            baseline: valuesOf(shouldTrigger, before),
            current: valuesOf(shouldTrigger, now),
            most: 1,
          },
        ]
      : [],
  );
  return strata.length === 0 ? undefined : testDrop(strata);
}

/** Why trigger evals are worse than in the baseline, by the rule of `max-drop`; empty where they are not. */
export function worseTriggers(
  shares: readonly TriggerShare[],
  { maxDrop = "noise" }: Pick<Policy, "maxDrop">,
): readonly string[] {
  const test = triggerTest(shares);
  if (!test || !isWorse({ test }, maxDrop)) return [];
  const compared = shares.filter(({ before, runs }) => before && runs > 0);
  const side = (countOf: (share: TriggerShare) => TriggerCount | undefined) => {
    const sides = compared.flatMap((share) => {
      const its = countOf(share);
      return its ? [{ right: rightOf(share.shouldTrigger, its), runs: its.runs }] : [];
    });
    const sum = (figure: "right" | "runs") => sumOf(sides.map((one) => one[figure]));
    return `${formatNumber(sum("right"))} of ${count(sum("runs"), "run")}`;
  };
  const first = `skills are loaded where they should, and only there, in ${side((share) => share)}, before in ${side(({ before }) => before)}`;
  return [first, ...whyOf({ test }, maxDrop, "query")];
}

/** A warning for each skill that no run loaded of those that should: probably it is not there. */
export function neverLoaded(shares: readonly TriggerShare[]): readonly string[] {
  const should = shares.filter(({ shouldTrigger, runs }) => shouldTrigger && runs > 0);
  return [...Map.groupBy(should, ({ skill }) => skill)].flatMap(([skill, its]) => {
    const runs = sumOf(its.map((share) => share.runs));
    return its.every(({ loaded }) => loaded === 0)
      ? [`\`${skill}\` was loaded in 0 of ${count(runs, "run")} that should load it: is the skill installed?`]
      : [];
  });
}

/** A warning that counts the runs of trigger evals that are older than the skill. */
export function olderTriggers(runs: readonly TriggerRun[]): Problem[] {
  const older = runs.filter(({ isOlder }) => isOlder).length;
  if (older === 0) return [];
  const message = `${count(older, "run")} of trigger evals ${older === 1 ? "was" : "were"} made before the skill or the query was changed, and ${older === 1 ? "does" : "do"} not count.`;
  return [warning(message, { help: "Run them again: `waza-grade run --triggers`." })];
}
