/**
 * Trigger evals: whether the skill was loaded for each query, by the logs alone; and beside a baseline, by the same test
 * and levels as grades. Pure.
 */
import { type DropTest, type Stratum, testDrop } from "./chance.ts";
import { isWorse } from "./compare.ts";
import { whyOf } from "./comparison-text.ts";
import { quoted } from "./names.ts";
import { notice, warning, type Problem } from "../domain/problem.ts";
import type { AskedAgain } from "../domain/grade.ts";
import { taskKeyOfAnyModel } from "../domain/row.ts";
import type { TriggerCount, TriggerRun, TriggerShare } from "../domain/run.ts";
import { codeName, count, formatNumber, listed, outOf, plural, sumOf } from "../text/format.ts";
import { LONGEST_ID, MOST_NAMED } from "./limits.ts";

type TriggerKey = Pick<TriggerRun, "skill" | "query" | "shouldTrigger">;

/** The trigger evals of now, and those of the baseline. */
export interface TriggerScope {
  /** Every query of a trigger eval. */
  readonly all: readonly TriggerKey[];
  /** Those to be run: `tasks` and `changed-only` leave out others. */
  readonly asked: readonly TriggerKey[];
  /** The names of the skills that are here. */
  readonly skills: readonly string[];
  readonly baseline: readonly TriggerShare[];
  /** Those of the baseline's newest commit. */
  readonly newest: readonly TriggerShare[];
  /** The queries that ran again, by key, with the number of their planned runs. */
  readonly again?: ReadonlyMap<string, number> | undefined;
}

/**
 * The runs by skill and query beside those of the baseline, wrong ones first, with the queries that have none. Runs of an
 * older skill do not count.
 */
export function triggerShares(
  runs: readonly TriggerRun[],
  { all, asked, skills, baseline, newest, again }: TriggerScope = NO_SCOPE,
): readonly TriggerShare[] {
  const before = Map.groupBy(baseline, keyOfTrigger);
  const groups = Map.groupBy(
    runs.filter(({ isOlder }) => !isOlder),
    keyOfTrigger,
  );
  const shares = [...groups].flatMap(([key, own]): TriggerShare[] => {
    const [first] = own;
    if (!first) return [];
    const { skill, query, shouldTrigger } = first;
    const known = own.filter(({ loaded }) => loaded !== undefined);
    const now = { loaded: known.filter((one) => one.loaded).length, runs: known.length };
    const isRight = known.length === 0 ? undefined : rightOf(shouldTrigger, now) * 2 > known.length;
    const its = countsTogether(before.get(key) ?? []);
    const planned = again?.get(keyOfAsked(first));
    return [{ skill, query, shouldTrigger, ...now, isRight, before: its, ...(planned && { planned }) }];
  });
  const [toRun, here, said] = [
    new Set(asked.map(keyOfTrigger)),
    new Set(all.map(keyOfTrigger)),
    new Set(groups.keys()),
  ];
  // A second look that was lost is never green.
  const isLost = ({ runs, planned = 1, ...share }: TriggerShare) =>
    runs < planned && share.before && toRun.has(keyOfTrigger(share));
  const none = (of: readonly TriggerKey[], absent: (key: TriggerKey) => TriggerShare["absent"]) =>
    [...new Map(of.map((one) => [keyOfTrigger(one), one]))].flatMap(([key, one]): TriggerShare[] => {
      const { skill, query, shouldTrigger } = one;
      const its = countsTogether(before.get(key) ?? []);
      const share = { skill, query, shouldTrigger, loaded: 0, runs: 0, before: its, absent: absent(one) };
      return said.has(key) || !(its || runs.length > 0) ? [] : [share];
    });
  const retired = newest.filter((share) => share.runs > 0 && !here.has(keyOfTrigger(share)));
  // By the same rule as evals: half or more of a skill's queries, and the skill is still here.
  const isMost = (skill: string) => {
    const of = (some: readonly TriggerShare[]) =>
      new Set(some.filter((one) => one.skill === skill).map(keyOfTrigger));
    return skills.includes(skill) && of(retired).size * 2 >= of(newest).size;
  };
  return [
    ...shares.map((share): TriggerShare => (isLost(share) ? { ...share, absent: "missing" } : share)),
    ...none(asked, () => "missing"),
    ...none(retired, ({ skill }) => (isMost(skill) ? "orphaned" : "gone")),
  ].sort((one, other) => Number(one.isRight ?? true) - Number(other.isRight ?? true));
}

const NO_SCOPE: TriggerScope = { all: [], asked: [], skills: [], baseline: [], newest: [] };

function keyOfTrigger({ skill, query, shouldTrigger }: TriggerKey): string {
  return JSON.stringify([skill, query, shouldTrigger]);
}

/** The key of a task, or of a query among those of tasks: as one of its skill. */
export function keyOfAsked(asked: AskedAgain): string {
  return taskKeyOfAnyModel("task" in asked ? asked : { suite: asked.skill, task: asked.query });
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

/** The drop of the queries that both sides ran, a stratum a query; undefined without any. Some may have run again. */
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
  const again = shares.filter(({ planned }) => planned !== undefined).length;
  return strata.length === 0 ? undefined : testDrop(strata, again);
}

/** Why trigger evals are worse than in the baseline; empty where they are not. */
export function worseTriggers(shares: readonly TriggerShare[], there: string): readonly string[] {
  const test = triggerTest(shares);
  if (!test || !isWorse({ test })) return [];
  const compared = shares.flatMap(({ before, ...share }) =>
    before && share.runs > 0 ? [{ ...share, before }] : [],
  );
  const shareOf = (shouldTrigger: boolean, its: TriggerCount) => rightOf(shouldTrigger, its) / its.runs;
  const fell = compared
    .map((one) => ({
      ...one,
      loss: shareOf(one.shouldTrigger, one.before) - shareOf(one.shouldTrigger, one),
    }))
    .filter(({ loss }) => loss > 0)
    .sort((one, other) => other.loss - one.loss);
  const rightIn = (countOf: (one: (typeof fell)[number]) => TriggerCount) => {
    const right = sumOf(fell.map((one) => rightOf(one.shouldTrigger, countOf(one))));
    return outOf(right, sumOf(fell.map((one) => countOf(one).runs)), "run");
  };
  const both = `${rightIn((one) => one)}, ${there} in ${rightIn(({ before }) => before)}`;
  const queries = `${count(fell.length, "trigger query", "trigger queries")} ${plural(fell.length, "is", "are")}`;
  return [`${queries} right in ${both}: ${queryNames(fell)}`, ...whyOf({ test }, "query")];
}

/** Queries of the baseline without a run that counts; empty without any. */
export function missingTriggers(shares: readonly TriggerShare[], main: string): readonly string[] {
  const missing = shares.filter(({ absent, before }) => absent === "missing" && before);
  return [...Map.groupBy(missing, ({ runs }) => runs > 0)].map(([isLost, its]) => {
    const lacks = isLost ? plural(its.length, "lacks", "lack") : plural(its.length, "has", "have");
    const what = `${lacks} ${isLost ? "a further" : "no"} run with a log that says which skills were loaded`;
    return `${count(its.length, "trigger query", "trigger queries")} of ${main} ${what}: ${queryNames(its)}`;
  });
}

/** The trigger queries that are gone of skills that are still here; empty unless half of a skill's are. */
export function goneTriggers(shares: readonly TriggerShare[], main: string): readonly string[] {
  const gone = shares.filter(({ absent }) => absent === "orphaned");
  return [...Map.groupBy(gone, ({ skill }) => skill)].map(([skill, its]) => {
    const what = `${count(its.length, "trigger query", "trigger queries")} of ${main}, for ${quoted(skill)},`;
    return `${what} ${plural(its.length, "is", "are")} gone or changed (${queryNames(its)}), half of its queries or more, and the skill is still here`;
  });
}

function queryNames(shares: readonly TriggerShare[]): string {
  return listed(
    shares.map(({ query }) => quoted(query)),
    MOST_NAMED,
  );
}

/** `triggers: 7 of 9 queries right, 1 of main gone or changed (…)`; undefined without trigger evals. */
export function triggersPart(shares: readonly TriggerShare[], main: string): string | undefined {
  if (shares.length === 0) return undefined;
  const gone = shares.filter(({ absent }) => absent === "gone" || absent === "orphaned");
  const here = shares.filter((share) => !gone.includes(share));
  const right = here.filter(({ isRight }) => isRight).length;
  const unknown = here.filter(({ isRight }) => isRight === undefined).length;
  const parts = [
    ...(here.length > 0 ? [`${outOf(right, here.length, "query", "queries")} right`] : []),
    ...(unknown > 0 ? [`${formatNumber(unknown)} without a run that says it`] : []),
    ...(gone.length > 0
      ? [`${formatNumber(gone.length)} of ${main} gone or changed (${queryNames(gone)})`]
      : []),
  ];
  return `triggers: ${parts.join(", ")}`;
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

/** What is said of runs of trigger evals that are older than the skill, that were cut off, and that used their time. */
export function triggerProblems(runs: readonly TriggerRun[]): Problem[] {
  const [old, current] = [runs.filter(({ isOlder }) => isOlder), runs.filter(({ isOlder }) => !isOlder)];
  const [cut, slow] = [current.filter((one) => one.ended), current.filter((one) => one.usedItsTime)];
  const ways = new Set(cut.map(({ ended = "" }) => codeName(ended, LONGEST_ID)));
  const say = (its: readonly TriggerRun[], text: string) =>
    `${count(its.length, "run")} of trigger evals ${text}`;
  const none = (its: readonly TriggerRun[]) => `and ${plural(its.length, "does", "do")} not count`;
  const older = `${plural(old.length, "was", "were")} made before the skill or the query was changed, ${none(old)}.`;
  const ended = `ended before the skill was loaded, ${none(cut)}: ${listed([...ways], MOST_NAMED)}.`;
  const used = `used all ${plural(slow.length, "its", "their")} time without loading the skill: not loaded.`;
  const problems = [
    [
      old,
      warning("older-trigger-runs", say(old, older), {
        help: "Run them again: `waza-grade run --triggers`.",
      }),
    ],
    [
      cut,
      warning("triggers-cut-off", say(cut, ended), {
        help: "Raise the agent's limit, or look at its provider, and run them again.",
      }),
    ],
    [slow, notice("triggers-used-their-time", say(slow, used))],
  ] as const;
  return problems.flatMap(([its, problem]) => (its.length > 0 ? [problem] : []));
}
