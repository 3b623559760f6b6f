/**
 * What a skill is worth: the same tasks with and without it, by the exact test; and what happened to its runs where that
 * says nothing of the skill. Pure.
 */
import { LEVEL, testDrop } from "./chance.ts";
import { compare } from "./compare.ts";
import type { Pair } from "./pairs.ts";
import { type Row, type RowClient, type Scores, type VerdictRow, gradeKey } from "../domain/row.ts";
import { mean, onePerRun } from "../results/score.ts";
import { formatNumber, listed, outOf, shorten } from "../text/format.ts";
import { LONGEST_ID, MOST_NAMED, quoted } from "./names.ts";

/** What happened in so many of a side's runs that they say nothing of the skill. */
export interface Unmeasured {
  readonly kind: "not-loaded" | "load-failed" | "ended" | "refused" | "other-skills" | "no-pair";
  /** As a part of a sentence: `not loaded in 2 of 3 runs`. */
  readonly text: string;
  /** Ids of the tasks of these runs. */
  readonly tasks: readonly string[];
}

/** Compares each suite with runs of both sides, without the skill as the baseline; undefined without any. */
export function liftOf(withSkill: Scores, without: Scores) {
  const bare = Map.groupBy(without.grades, ({ suite }) => suite);
  const compared = [...Map.groupBy(withSkill.grades, ({ suite }) => suite)].flatMap(([suite, rows]) => {
    const bareRows = bare.get(suite);
    if (!bareRows) return [];
    const { pairs, test } = compare(bareRows, rows, {});
    const none = pairs.length === 0 ? [NO_PAIR] : [];
    const unmeasured = [...happenedIn(rows, "with it"), ...happenedIn(bareRows, "without it"), ...none];
    return [{ suite, pairs, test, unmeasured }];
  });
  if (compared.length === 0) return undefined;
  const measured = compared.flatMap(({ unmeasured, test }) => (unmeasured.length === 0 ? test.strata : []));
  return {
    /** In the order of the suites. */
    skills: compared.map(({ suite, pairs, test: { drop, p }, unmeasured }) => ({
      suite,
      with: sideTotals(pairs.flatMap(({ current }) => current.grades)),
      without: sideTotals(pairs.flatMap(({ baseline }) => baseline.grades)),
      /**
       * Of the scores, in points, negative when lower with the skill; and the one-sided mid-p of a difference this large.
       * Absent where its runs say nothing of the skill.
       */
      difference: unmeasured.length === 0 ? { points: -drop, p: drop > 0 ? p : 1 - p } : undefined,
      /** What happened to its runs, so that they say nothing of the skill; empty where it is measured. */
      unmeasured,
      /** The statements with a verdict in every run of both sides. */
      statements: [...Map.groupBy(pairs, (pair) => gradeKey({ ...pair, model: "" })).values()].flatMap(
        statementsOf,
      ),
    })),
    /** Points that the skills that are measured add to the score of their tasks; absent where none is. */
    points: measured.length === 0 ? undefined : -testDrop(measured).drop,
  };
}

export type Lift = NonNullable<ReturnType<typeof liftOf>>;
/** One skill: a suite on both sides. */
export type LiftedSkill = Lift["skills"][number];
/** The runs of one side that are compared: what passed, and what the agent took for a run. */
export type SkillSide = ReturnType<typeof sideTotals>;
/** How many runs of each side passed a statement. */
export type LiftedStatement = ReturnType<typeof statementsOf>[number];

const NO_PAIR: Unmeasured = { kind: "no-pair", text: "no task has verdicts on both sides", tasks: [] };

/** What passed by these grades, and what their runs took: means of those of which it is known, absent without one. */
function sideTotals(grades: readonly VerdictRow[]) {
  const verdicts = grades.flatMap((row) => {
    if (row.statements.length === 0) return [row.state === "passed"];
    return row.statements.flatMap((_, index) => verdictOn(row, index + 1)?.passed ?? []);
  });
  const clients = onePerRun(grades).flatMap(({ client }) => client ?? []);
  const meanOf = (figure: (client: RowClient) => number | undefined) => {
    const known = clients.flatMap((client) => figure(client) ?? []);
    return known.length === 0 ? undefined : mean(known);
  };
  return {
    /** Statements that passed, in all runs; a grader without statements counts as one. */
    passed: verdicts.filter(Boolean).length,
    all: verdicts.length,
    /** Tokens and cost of some runs are more than their logs say. */
    isAtLeast: clients.some(({ isAtLeast }) => isAtLeast),
    tokens: meanOf(({ tokens }) => tokens && tokens.input + tokens.output),
    costUsd: meanOf(({ costUsd }) => costUsd),
    durationMs: meanOf(({ durationMs }) => durationMs),
  };
}

/** What happened in half of a side's runs or more: the rest alone would be another comparison. */
function happenedIn(rows: readonly Row[], where: "with it" | "without it"): Unmeasured[] {
  const runs = onePerRun(rows);
  // A control is right without the skill.
  const known = runs.filter((one) => isLoaded(one) !== undefined && !one.control);
  const isWith = where === "with it";
  const ends = new Set(runs.flatMap(({ client }) => client?.endedBy ?? []));
  const words = listed(Array.from(ends, quoted), 2);
  const inHalf = (kind: Unmeasured["kind"], its: readonly Row[], text: (of: string) => string) => {
    const all = kind === "not-loaded" || kind === "load-failed" ? known : runs;
    if (its.length === 0 || its.length * 2 < all.length) return [];
    const of = outOf(its.length, all.length, "run");
    return [{ kind, text: text(of), tasks: [...new Set(its.map(({ task }) => task))] }];
  };
  const { notLoaded = [], loadFailed = [] } = Object.groupBy(
    known.filter((row) => isWith && !isLoaded(row)),
    ({ client }) => (client?.loadError === undefined ? "notLoaded" : "loadFailed"),
  );
  const otherSkills = runs.filter(({ error }) => error?.class === "wrong-skills");
  const ended = runs.filter(({ client }) => client?.endedBy !== undefined);
  return [
    ...inHalf("not-loaded", notLoaded, (of) => `not loaded in ${of}`),
    ...inHalf("load-failed", loadFailed, (of) => `called for in ${of}, and that failed`),
    ...inHalf("other-skills", otherSkills, (of) => `${isWith ? "not there" : "there"} in ${of} ${where}`),
    ...inHalf("ended", ended, (of) => `${of} ${where} ended with ${words}`),
    ...inHalf("refused", runs.filter(isAllRefused), (of) => `every tool call was refused in ${of} ${where}`),
  ];
}

/** A skill that was not there was not loaded, whatever the log says. */
function isLoaded({ client }: Row): boolean | undefined {
  return client?.loaded ?? (client?.offered === false ? false : undefined);
}

function isAllRefused({ client }: Row): boolean {
  const { refused = 0, calls = 0 } = client ?? {};
  return refused > 0 && refused >= calls;
}

function statementsOf(pairs: readonly Pair[]) {
  const [{ suite, task, current }] = pairs as [Pair];
  return current.example.statements.flatMap(({ text }, index) => {
    const withSkill = verdictsOn(pairs, "current", index + 1);
    const without = verdictsOn(pairs, "baseline", index + 1);
    if (!withSkill || !without) return [];
    // Of the side where it fails.
    const reason = withSkill.reason ?? without.reason;
    return [{ suite, task, text, with: withSkill, without, reason }];
  });
}

/** How many grades pass a statement, with the first reason of a failure; undefined if one has no verdict on it. */
function verdictsOn(pairs: readonly Pair[], side: "current" | "baseline", number: number) {
  const rows = pairs.flatMap((pair) => pair[side].grades);
  const verdicts = rows.flatMap((row) => verdictOn(row, number) ?? []);
  if (verdicts.length < rows.length) return undefined;
  const reason = verdicts.find((verdict) => verdict.reason !== undefined)?.reason;
  return { passes: verdicts.filter(({ passed }) => passed).length, runs: verdicts.length, reason };
}

/** Whether a run passes a statement, and the reason of a failure; undefined without a verdict on it. */
function verdictOn({ checks }: VerdictRow, number: number) {
  const own = checks.filter(({ statement }) => statement === number);
  const failed = own.filter(({ outcome }) => outcome === "fail");
  const reason = failed.find((check) => check.reason !== undefined)?.reason;
  return own.length === 0 ? undefined : { passed: failed.length === 0, reason };
}

/** `csv-clean helps; pdf-merge is not measured: not loaded in 2 of 3 runs`; of many skills how many. */
export function liftTitle({ skills }: Lift): string {
  if (skills.length > MOST_NAMED) {
    const counted = [...Map.groupBy(skills, worthOf)].map(
      ([word, its]) => `${formatNumber(its.length)} of ${formatNumber(skills.length)} ${PLURALS[word]}`,
    );
    return listed(counted);
  }
  const clauses = skills.map((skill) => {
    const why = listed(skill.unmeasured.map(({ text }) => text));
    return `${shorten(skill.suite, LONGEST_ID)} ${worthOf(skill)}${why === "" ? "" : `: ${why}`}`;
  });
  return clauses.join("; ");
}

/** What a skill is worth, in words after its name. */
export type Worth = "helps" | "harms" | "makes no difference beyond chance" | "is not measured";

const PLURALS: Readonly<Record<Worth, string>> = {
  helps: "help",
  harms: "harm",
  "makes no difference beyond chance": "make no difference beyond chance",
  "is not measured": "are not measured",
};

/** A difference counts where chance gives one as large in one of twenty comparisons or fewer. */
export function worthOf({ difference }: LiftedSkill): Worth {
  if (!difference) return "is not measured";
  if (difference.p > LEVEL) return "makes no difference beyond chance";
  return difference.points < 0 ? "harms" : "helps";
}
