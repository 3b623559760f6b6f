/**
 * waza's scores, over prompt graders alone (waza, internal/models/outcome.go): a run is the weighted mean of its
 * graders, a task the mean of its runs, a suite the mean of its tasks. Errored and skipped grades are left out and
 * counted. The overall score is the mean of the task scores of all suites. Below: how sure such figures are.
 */
import type { GradingJob } from "../domain/grade.ts";
import {
  hasVerdict,
  type Counts,
  type Means,
  type Row,
  type RowClient,
  type RunScore,
  type Scores,
  type ShownSuite,
  type SuiteScore,
  type TaskScore,
} from "../domain/row.ts";
import { suiteKey } from "./rows.ts";
import { sumOf } from "../text/format.ts";

/** Scores of the deciding graders (with the requests and cost of all), of advisory graders, and of runs without the skill. */
export function scoreApart(
  suites: readonly ShownSuite[],
  grades: readonly Row[],
): {
  readonly scores: Scores;
  readonly advisory?: Scores | undefined;
  readonly without?: Scores | undefined;
} {
  const without = grades.filter(({ side }) => side !== undefined);
  const advisory = grades.filter((row) => row.advisory && row.side === undefined);
  const deciding = grades.filter((row) => !row.advisory && row.side === undefined);
  return {
    scores: scoreGrades(suites, deciding, [...advisory, ...without]),
    advisory: advisory.length > 0 ? scoreGrades(suites, advisory) : undefined,
    without: without.length > 0 ? scoreGrades(suites, without) : undefined,
  };
}

/** True for a run without the skill: its grades never decide and are in no score. */
export function isWithoutSkill({ run, missing }: GradingJob): boolean {
  return (run ?? missing)?.side === "without-skill";
}

/**
 * Scores and counts of all grades; `suites` gives the order and those without any grade. Of `others`, only requests,
 * tokens and cost are counted.
 */
export function scoreGrades(
  suites: readonly ShownSuite[],
  grades: readonly Row[],
  alsoPaid: readonly Row[] = [],
): Scores {
  const bySuite = Map.groupBy(grades, (row) => row.suite);
  const scored = suites.map((suite) => scoreSuite(suite, bySuite.get(suiteKey(suite)) ?? []));
  const tasks = scored.flatMap(({ tasks }) => tasks);
  return {
    suites: scored,
    grades: gradesOf(scored),
    ...means(tasks),
    counts: { ...countGrades(grades), ...spentOn([...grades, ...alsoPaid]) },
  };
}

function scoreSuite(suite: ShownSuite, grades: readonly Row[]): SuiteScore {
  const byTask = Map.groupBy(grades, ({ task, model }) => JSON.stringify([task, model]));
  const tasks = [...byTask.values()].map(scoreTask);
  return { suite, tasks, grades: gradesOf(tasks), ...means(tasks) };
}

function scoreTask(grades: readonly Row[]): TaskScore {
  const [first] = grades as readonly [Row];
  const byRun = Map.groupBy(grades, runKey);
  const runs = [...byRun.values()].map(scoreRun);
  return {
    taskId: first.task,
    model: first.model,
    runs,
    grades: gradesOf(runs),
    ...means(runs),
  };
}

function scoreRun(grades: readonly Row[]): RunScore {
  const [{ run: number, file }] = grades as readonly [Row];
  const graded = grades.filter(hasVerdict);
  if (graded.length === 0) return { number, file, grades };
  return { number, file, grades, score: weightedMean(graded) };
}

/** What tells runs apart: by their place in the results, or as a file says it. */
export function runKey({ suite, task, model, origin, file, run, side }: Row): string {
  return JSON.stringify([suite, task, model, origin ?? file, run, side]);
}

/** The first grade of each run. */
export function onePerRun(grades: readonly Row[]): readonly Row[] {
  return [...Map.groupBy(grades, runKey).values()].flatMap(([first]) => first ?? []);
}

/** What tells runs of a task apart in several records: a run in two of them is one. */
export function identityOf(row: Row): string {
  return row.runId ?? runKey(row);
}

/** Weights are divided by the largest one, so that extreme values cannot overflow. */
export function weightedMean(parts: readonly { readonly score: number; readonly weight: number }[]): number {
  const largest = parts.reduce((most, { weight }) => Math.max(most, weight), 0);
  const sum = sumOf(parts.map(({ weight }) => weight / largest));
  return sumOf(parts.map(({ score, weight }) => score * (weight / largest))) / sum;
}

/** The mean; 0 of no values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length;
}

function gradesOf(parts: readonly { readonly grades: readonly Row[] }[]): readonly Row[] {
  return parts.flatMap(({ grades }) => grades);
}

/** Means over the parts that have a score. */
function means(parts: readonly Means[]): Means {
  const score = parts.flatMap((part) => part.score ?? []);
  return score.length === 0 ? {} : { score: mean(score) };
}

type Spent = Pick<Counts, "judgeCalls" | "tokens" | "cost">;

function countGrades(grades: readonly Row[]): Omit<Counts, keyof Spent> {
  const countOf = (...states: readonly Row["state"][]) =>
    grades.filter(({ state }) => states.includes(state)).length;
  const share = shareOf(grades.filter((row) => row.checks.length > 0));
  return {
    planned: grades.length,
    passed: countOf("passed"),
    failed: countOf("failed"),
    errored: countOf("errored"),
    errorClasses: [...new Set(grades.flatMap(({ error }) => error?.class ?? []))],
    skipped: countOf("skipped", "capped", "no-key", "missing"),
    missing: countOf("missing"),
    incomplete: grades.filter(({ incomplete }) => incomplete !== undefined).length,
    checksPassed: share.passed,
    checksFailed: share.all - share.passed,
    recorded: grades.filter(({ recorded }) => recorded).length,
  };
}

/** How many of so many passed. */
export interface Share {
  readonly passed: number;
  readonly all: number;
}

/**
 * How many checks of a grade passed, each once in however many votes; of a list its statements. A grade without any is one
 * that did not pass. Undefined without a verdict.
 */
export function checksOf(row: Row): Share | undefined {
  if (!hasVerdict(row)) return undefined;
  const { statements, checks, votes, score, state } = row;
  if (statements.length === 0 && checks.length === 0) return { passed: state === "passed" ? 1 : 0, all: 1 };
  // The checks of all votes on the side that decided.
  const deciding = Math.max(1, votes?.[state] ?? 1);
  const all = statements.length > 0 ? statements.length : Math.max(1, Math.round(checks.length / deciding));
  return { passed: Math.min(Math.round(score * all), state === "passed" ? all : all - 1), all };
}

/** The checks of graded rows. */
export function shareOf(rows: readonly Row[]): Share {
  const shares = rows.flatMap((row) => checksOf(row) ?? []);
  const sum = (part: keyof Share) => sumOf(shares.map((share) => share[part]));
  return { passed: sum("passed"), all: sum("all") };
}

/** What these rows are counted in. */
export function unitOf(rows: readonly Row[]): "statement" | "check" {
  return rows.length > 0 && rows.every(({ statements }) => statements.length > 0) ? "statement" : "check";
}

function spentOn(grades: readonly Row[]): Spent {
  const sum = (value: (row: Row) => number) => sumOf(grades.map(value));
  return {
    judgeCalls: sum(({ requests }) => requests),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      cached: sum(({ tokens }) => tokens.cached),
      written: sum(({ tokens }) => tokens.written ?? 0),
    },
    // Not known unless that of every asked grade is.
    ...(grades.some(({ cost }) => cost === undefined) ? {} : { cost: sum(({ cost = 0 }) => cost) }),
  };
}

/** What the agent took, as far as the logs of its runs say it. */
interface AgentUse {
  readonly runs: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly durationMs: number;
  /** Of some runs more than the logs say. */
  readonly isAtLeast: boolean;
}

/** Sums over the runs of these grades, each once. */
export function agentUse(grades: readonly Row[]): AgentUse {
  const runs = onePerRun(grades).flatMap(({ client }) => client ?? []);
  const sum = (figure: (client: RowClient) => number | undefined) =>
    sumOf(runs.map((client) => figure(client) ?? 0));
  return {
    runs: runs.length,
    tokens: sum(({ tokens }) => (tokens ? tokens.input + tokens.output : 0)),
    costUsd: sum(({ costUsd }) => costUsd),
    durationMs: sum(({ durationMs }) => durationMs),
    isAtLeast: runs.some(({ isAtLeast }) => isAtLeast),
  };
}

type Scored = Readonly<Record<"scores", Scores>>;

/** Every grade: deciding ones, then advisory ones. */
export function allGrades({ scores, advisory }: Scored & { advisory?: Scored | undefined }): readonly Row[] {
  return [scores, advisory?.scores].flatMap((some) => some?.grades ?? []);
}

/* Figures for a handful of labels: Wilson's interval, Cohen's kappa. Pure. */

/** z of a two-sided 95 % interval, with waza's digits (internal/statistics). */
const Z = 1.959963985;

export interface Tally {
  readonly passes: number;
  readonly runs: number;
}

/** Bounds of a rate, 0 to 1. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** A confusion matrix: `true…` where the judge agrees with the person. */
export interface TableOfFour {
  readonly truePass: number;
  /** The judge passed what the person failed. */
  readonly falsePass: number;
  /** The judge failed what the person passed. */
  readonly falseFail: number;
  readonly trueFail: number;
}

/** Wilson's 95 % score interval of a rate; 0 to 1 without runs. */
export function wilson({ passes, runs }: Tally): Interval {
  if (runs === 0) return { lower: 0, upper: 1 };
  const rate = passes / runs;
  const shrink = 1 + Z ** 2 / runs;
  const centre = (rate + Z ** 2 / (2 * runs)) / shrink;
  const half = (Z / shrink) * Math.sqrt((rate * (1 - rate)) / runs + Z ** 2 / (4 * runs ** 2));
  return {
    lower: passes === 0 ? 0 : centre - half,
    upper: passes === runs ? 1 : centre + half,
  };
}

/**
 * Cohen's kappa: agreement of judge and people beyond chance; 1 is full agreement, 0 is chance. Undefined when people
 * gave only one verdict.
 */
export function kappa({ truePass, falsePass, falseFail, trueFail }: TableOfFour): number | undefined {
  const people = truePass + falseFail;
  const all = people + falsePass + trueFail;
  if (people === 0 || people === all) return undefined;
  const judge = truePass + falsePass;
  const observed = (truePass + trueFail) / all;
  const expected = (judge * people + (all - judge) * (all - people)) / all ** 2;
  return (observed - expected) / (1 - expected);
}
