/**
 * A copy of each of waza's results files with our verdicts. Its figures are waza's own, over all validations, its own and
 * ours, so that `waza compare` and `waza gate` read the copy like a file of waza's (waza,
 * internal/orchestration/outcome.go). Pure; snake_case, since it is the file's own data.
 */
import type { Check } from "../domain/grade.ts";
import { type Row, type VerdictRow, hasVerdict } from "../domain/row.ts";
import { FORMAT_VERSION, gradeFields } from "./record.ts";
import type { Report } from "./report.ts";
import { ALL_PASSED } from "../results/recorded-verdicts.ts";
import { mean } from "../results/score.ts";
import { allShown } from "./shown-grade.ts";
import { isObject, sumOf } from "../text/format.ts";

interface ResultsData {
  readonly config?: WazaFields | null | undefined;
  readonly summary?: WazaFields | null | undefined;
  readonly tasks: readonly TaskData[] | null;
}

type WazaFields = Readonly<Record<string, unknown>>;

type TaskData = WazaFields & {
  readonly status?: string | undefined;
  readonly runs?: readonly RunData[] | null | undefined;
  readonly stats?: ReturnType<typeof taskStats> | null | undefined;
};

type RunData = WazaFields & {
  readonly status?: string | undefined;
  readonly duration_ms?: number | undefined;
};

type Validation = WazaFields & Readonly<{ score: number; weight: number; passed: boolean }>;

/**
 * The document with our validations in place of those of the same graders and every figure recomputed as waza does
 * over all validations. The validation of an errored grade is removed; our own checks and errors are under `waza_grade`,
 * from which `offline` reads them, and which is marked as a copy: a baseline reads the record alone. `index` is the
 * file's place among the results.
 */
export function gradedCopy(document: unknown, index: number, report: Report): Record<string, unknown> {
  const data = document as ResultsData;
  const inFile = allShown(report).filter(({ grade: { origin } }) => origin?.file === index);
  const grades = inFile.map(({ grade }) => grade);
  const byRun = Map.groupBy(grades, ({ origin }) => JSON.stringify([origin?.task, origin?.run]));
  const tasks = (data.tasks ?? []).map((task, at) => {
    const ofRuns = (task.runs ?? []).map((_, run) => byRun.get(JSON.stringify([at, run])) ?? []);
    return gradedTask(task, ofRuns);
  });
  const judged = grades.filter(({ settled }) => !settled);
  const judges = [...new Set(judged.map(({ judgeModel }) => judgeModel))];
  return {
    ...data,
    config: { ...data.config, ...(judges.length > 0 ? { judge_model: judges.join(", ") } : {}) },
    summary: summaryOf(tasks, data.summary ?? {}),
    tasks,
    waza_grade: { version: FORMAT_VERSION, is_copy: true, grades: inFile.map(gradeFields) },
  };
}

/** The task with its status by its runs: skipped ones do not count, one that is not passed fails it. */
function gradedTask(task: TaskData, grades: readonly (readonly Row[])[]): TaskData {
  if (grades.flat().length === 0) return task;
  const runs = (task.runs ?? []).map((run, index) => gradedRun(run, grades[index] ?? []));
  const counted = runs.filter(({ status }) => status !== "skipped");
  // The comparison with runs without the skill is of the old verdicts; no command reads it.
  const { skill_impact: _old, ...rest } = task;
  return {
    ...rest,
    status: statusByPasses(counted.map(({ status }) => status === "passed")),
    runs,
    stats: taskStats(runs),
    ...(grades.flat().some(({ golden }) => golden) ? { golden: true } : {}),
  };
}

/**
 * A run with a failed agent has no validations in waza and stays an error; its grades are under `waza_grade`. One that
 * ended in an error, and was judged all the same, stays one too, with its validations, as in waza. Of advisory graders
 * there are none, since waza would count them.
 */
function gradedRun(run: RunData, grades: readonly Row[]): RunData {
  const [first] = grades;
  if (first?.agent !== "finished") return run;
  const ours = new Set(
    grades.flatMap((grade) => (hasVerdict(grade) || grade.state === "errored" ? [grade.grader] : [])),
  );
  const kept = validationsOf(run).filter(
    ([name, { identifier }]) => !ours.has(name) && !ours.has(String(identifier)),
  );
  const entries = grades.flatMap((grade): [string, Validation][] =>
    hasVerdict(grade) && !grade.advisory ? [[grade.grader, validation(grade)]] : [],
  );
  const validations = Object.fromEntries([...kept, ...entries]);
  const { ended, agentError } = first;
  const passed = Object.values(validations).map((one) => one.passed);
  const status = ended !== undefined && agentError !== undefined ? "error" : statusByPasses(passed);
  return { ...run, status, validations };
}

/** What of a run's validations is one: results are read from files that anybody may have written. */
function validationsOf({ validations }: RunData): [string, Validation][] {
  if (!isObject(validations)) return [];
  return Object.entries(validations).flatMap(([name, value]): [string, Validation][] => {
    if (!isObject(value)) return [];
    const { score, weight, passed, ...rest } = value;
    const number = (given: unknown) => (typeof given === "number" && Number.isFinite(given) ? given : 0);
    return [[name, { ...rest, score: number(score), weight: number(weight), passed: passed === true }]];
  });
}

/** waza's prompt grader result, with its `pass: <description>: <reason>` lines joined by `;`. */
function validation(grade: VerdictRow): Validation {
  const failures = lines(grade.checks, "fail");
  return {
    identifier: grade.grader,
    type: "prompt",
    score: grade.score,
    weight: grade.weight,
    passed: grade.state === "passed",
    feedback: grade.note ?? (failures === "" ? ALL_PASSED : failures),
    details: {
      response: grade.response ?? "<no response content>",
      prompt: wholePrompt(grade),
      passes: lines(grade.checks, "pass"),
      failures,
    },
    duration_ms: grade.durationMs,
  };
}

function lines(checks: readonly Check[], outcome: Check["outcome"]): string {
  return checks
    .filter((check) => check.outcome === outcome)
    .map(({ description = "", reason = "" }) => `${outcome}: ${description}: ${reason}`)
    .join(";");
}

/** The grader's prompt: the rubric, then the grader's own prompt. */
function wholePrompt({ rubric, prompt }: Row): string {
  if (!rubric) return prompt;
  return prompt.trim() === "" ? rubric.instructions : `${rubric.instructions}\n\n${prompt}`;
}

/** `passed` when all did; `skipped` without any. */
function statusByPasses(passed: readonly boolean[]): string {
  if (passed.length === 0) return "skipped";
  return passed.every(Boolean) ? "passed" : "failed";
}

/** waza's statistics of one task, which has runs. */
function taskStats(runs: readonly RunData[]) {
  const scores = runs.map((run) => runScore(run, () => 1));
  const weighted = runs.map((run) => runScore(run, ({ weight }) => (weight > 0 ? weight : 1)));
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

function runScore(run: RunData, weightOf: (validation: Validation) => number): number {
  const all = validationsOf(run).map(([, validation]) => validation);
  const total = sumOf(all.map(weightOf));
  return total === 0 ? 0 : sumOf(all.map((one) => one.score * weightOf(one))) / total;
}

/** waza's summary of all tasks; figures we cannot know (usage, duration) stay those of the old one. */
function summaryOf(tasks: readonly TaskData[], old: WazaFields): WazaFields {
  const having = (status: string) => tasks.filter((task) => task.status === status).length;
  const scores = tasks.map(({ stats }) => stats?.avg_score ?? 0);
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
    weighted_score: mean(tasks.map(({ stats }) => stats?.avg_weighted_score ?? 0)),
    min_score: least,
    max_score: most,
    std_dev: deviation,
  };
}

/** The least, the greatest, and the standard deviation; 0 of none. */
function boundsOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const average = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - average) ** 2)));
  return { least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0, deviation };
}
