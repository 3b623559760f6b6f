/**
 * waza's own figures, over all validations of a results file, its own and ours, so that `waza compare` and
 * `waza gate` read a graded file like one of waza's (waza, internal/orchestration/outcome.go). Pure; snake_case,
 * since it is the file's own data.
 */
import { mean } from "../results/score.ts";
import { isObject, sumOf } from "../text/format.ts";

export interface Validation {
  readonly score?: number | undefined;
  readonly weight?: number | undefined;
  readonly passed?: boolean | undefined;
  readonly [key: string]: unknown;
}

export interface RunData {
  readonly status?: string | undefined;
  readonly duration_ms?: number | undefined;
  readonly validations?: Readonly<Record<string, Validation>> | null | undefined;
  readonly [key: string]: unknown;
}

export interface TaskData {
  readonly status?: string | undefined;
  readonly runs?: readonly RunData[] | null | undefined;
  readonly stats?: Stats | null | undefined;
  readonly [key: string]: unknown;
}

type Stats = Readonly<Record<string, unknown>> & {
  readonly avg_score: number;
  readonly avg_weighted_score: number;
};

/** A run's status by its validations: passed when all passed; without any it is skipped. */
export function runStatus(validations: Readonly<Record<string, Validation>>): string {
  const all = Object.values(validations);
  if (all.length === 0) return "skipped";
  return all.every(({ passed }) => passed === true) ? "passed" : "failed";
}

/** A task's status by its runs: skipped ones do not count, one that is not passed fails it. */
export function taskStatus(runs: readonly RunData[]): string {
  const counted = runs.filter(({ status }) => status !== "skipped");
  if (counted.length === 0) return "skipped";
  return counted.every(({ status }) => status === "passed") ? "passed" : "failed";
}

/** waza's statistics of one task, which has runs. */
export function taskStats(runs: readonly RunData[]): Stats {
  const scores = runs.map((run) => runScore(run, () => 1));
  const weighted = runs.map((run) =>
    runScore(run, ({ weight }) => (weight !== undefined && weight > 0 ? weight : 1)),
  );
  const having = (status: string) => runs.filter((run) => run.status === status).length;
  const passed = having("passed");
  const flaky = passed > 0 && passed < runs.length;
  const { least, most, deviation } = boundsOf(scores);
  return {
    pass_rate: passed / runs.length,
    flakiness_percent: flaky ? (Math.min(passed, runs.length - passed) / runs.length) * 100 : 0,
    passed_runs: passed,
    failed_runs: having("failed"),
    error_runs: having("error"),
    total_runs: runs.length,
    avg_score: mean(scores),
    avg_weighted_score: mean(weighted),
    min_score: least,
    max_score: most,
    std_dev_score: deviation,
    score_variance: deviation * deviation,
    flaky,
    avg_duration_ms: Math.trunc(mean(runs.map(({ duration_ms: ms }) => ms ?? 0))),
  };
}

/** What of a run's validations is one: results are read from files that anybody may have written. */
export function validationsOf({ validations }: RunData): [string, Validation][] {
  if (!isObject(validations)) return [];
  return Object.entries(validations).flatMap(([name, value]): [string, Validation][] => {
    if (!isObject(value)) return [];
    const { score, weight, passed, ...rest } = value;
    const number = (given: unknown) => (typeof given === "number" && Number.isFinite(given) ? given : 0);
    return [[name, { ...rest, score: number(score), weight: number(weight), passed: passed === true }]];
  });
}

function runScore(run: RunData, weightOf: (validation: Validation) => number): number {
  const all = validationsOf(run).map(([, validation]) => validation);
  const total = sumOf(all.map(weightOf));
  return total === 0 ? 0 : sumOf(all.map((one) => (one.score ?? 0) * weightOf(one))) / total;
}

/** waza's summary of all tasks; figures we cannot know (usage, duration) stay those of the old one. */
export function summaryOf(
  tasks: readonly TaskData[],
  old: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const having = (status: string) => tasks.filter((task) => task.status === status).length;
  const scores = tasks.map(({ stats }) => stats?.avg_score ?? 0);
  const weighted = tasks.map(({ stats }) => stats?.avg_weighted_score ?? 0);
  const { least, most, deviation } = boundsOf(scores);
  // Of the old verdicts, and read by neither command.
  const { statistics: _statistics, groups: _groups, ...kept } = old;
  return {
    ...kept,
    total_tests: tasks.length,
    succeeded: having("passed"),
    failed: having("failed"),
    errors: having("error"),
    skipped: having("skipped"),
    success_rate: tasks.length === 0 ? 0 : having("passed") / tasks.length,
    aggregate_score: mean(scores),
    weighted_score: mean(weighted),
    min_score: least,
    max_score: most,
    std_dev: deviation,
  };
}

/** The least, the greatest, and the standard deviation; 0 of none. */
function boundsOf(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  const average = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - average) ** 2)));
  return { least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0, deviation };
}
