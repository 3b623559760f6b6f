/**
 * waza's scores, over prompt graders alone (waza, internal/models/outcome.go): a run is the weighted mean of its
 * graders, a task the mean of its runs, a suite the mean of its tasks. Errored and skipped grades are left out and
 * counted. The overall score is the mean of the task scores of all suites.
 */
import type {
  Check,
  Counts,
  Grade,
  GradingJob,
  Means,
  ModelQuotes,
  RunScore,
  Scores,
  SuiteScore,
  TaskScore,
} from "../domain/grade.ts";
import type { Suite } from "../domain/suite.ts";

/** Scores of the deciding graders (with the requests and cost of all), of advisory graders, and of runs without the skill. */
export function scoreApart(
  suites: readonly Suite[],
  grades: readonly Grade[],
): {
  readonly scores: Scores;
  readonly advisory?: Scores | undefined;
  readonly without?: Scores | undefined;
} {
  const without = grades.filter(({ job }) => isWithoutSkill(job));
  const advisory = grades.filter(({ job }) => job.advisory && !isWithoutSkill(job));
  const deciding = grades.filter(({ job }) => !job.advisory && !isWithoutSkill(job));
  return {
    scores: scoreGrades(suites, deciding, [...advisory, ...without]),
    advisory: advisory.length > 0 ? scoreGrades(suites, advisory) : undefined,
    without: without.length > 0 ? scoreGrades(suites, without) : undefined,
  };
}

/** True for a run without the skill: its grades never decide and are in no score. */
export function isWithoutSkill({ run }: GradingJob): boolean {
  return run?.side === "without-skill";
}

/**
 * Scores and counts of all grades; `suites` gives the order and those without any grade. Of `others`, only requests,
 * tokens and cost are counted.
 */
export function scoreGrades(
  suites: readonly Suite[],
  grades: readonly Grade[],
  others: readonly Grade[] = [],
): Scores {
  const bySuite = Map.groupBy(grades, ({ job }) => job.suite);
  const scored = suites.map((suite) => scoreSuite(suite, bySuite.get(suite) ?? []));
  const tasks = scored.flatMap(({ tasks }) => tasks);
  return {
    suites: scored,
    grades: gradesOf(scored),
    ...means(tasks),
    counts: { ...countGrades(grades), ...spentOn([...grades, ...others]) },
  };
}

function scoreSuite(suite: Suite, grades: readonly Grade[]): SuiteScore {
  const byTask = Map.groupBy(grades, ({ job }) => JSON.stringify([job.task.id, modelOf(job)]));
  const tasks = [...byTask.values()].map(scoreTask);
  return { suite, tasks, grades: gradesOf(tasks), ...means(tasks) };
}

function modelOf({ run, missing }: Grade["job"]): string {
  return run?.model ?? missing?.model ?? "";
}

function scoreTask(grades: readonly Grade[]): TaskScore {
  const [first] = grades as readonly [Grade];
  const byRun = Map.groupBy(grades, ({ job }) => JSON.stringify(job.run?.origin ?? job.missing));
  const runs = [...byRun.values()].map(scoreRun);
  return {
    taskId: first.job.task.id,
    model: modelOf(first.job),
    runs,
    grades: gradesOf(runs),
    ...means(runs),
  };
}

function scoreRun(grades: readonly Grade[]): RunScore {
  const [first] = grades as readonly [Grade];
  const { run, file, missing } = first.job;
  return {
    number: run?.number ?? missing?.number ?? 0,
    file: file?.path,
    grades,
    ...gradeMeans(grades),
  };
}

function gradeMeans(grades: readonly Grade[]): Means {
  const graded = grades.flatMap(({ job, verdict }) =>
    verdict.state === "graded" ? [{ score: verdict.score, weight: job.grader.weight }] : [],
  );
  if (graded.length === 0) return {};
  return { score: weightedMean(graded), unweighted: mean(graded.map(({ score }) => score)) };
}

/** Weights are divided by the largest one, so that extreme values cannot overflow. */
export function weightedMean(parts: readonly { readonly score: number; readonly weight: number }[]): number {
  const largest = parts.reduce((most, { weight }) => Math.max(most, weight), 0);
  const sum = parts.reduce((total, { weight }) => total + weight / largest, 0);
  return parts.reduce((total, { score, weight }) => total + score * (weight / largest), 0) / sum;
}

/** The mean; 0 of no values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function gradesOf(parts: readonly { readonly grades: readonly Grade[] }[]): readonly Grade[] {
  return parts.flatMap(({ grades }) => grades);
}

/** Means over the parts that have a score. */
function means(parts: readonly Means[]): Means {
  const score = parts.flatMap((part) => part.score ?? []);
  const unweighted = parts.flatMap((part) => part.unweighted ?? []);
  return score.length === 0 ? {} : { score: mean(score), unweighted: mean(unweighted) };
}

type Spent = Pick<Counts, "judgeCalls" | "tokens" | "cost">;

function countGrades(grades: readonly Grade[]): Omit<Counts, keyof Spent> {
  const of = (test: (grade: Grade) => boolean) => grades.filter(test).length;
  const checks = (outcome: "pass" | "fail") =>
    grades.flatMap(({ verdict }) =>
      verdict.state === "graded" ? verdict.checks.filter((c) => c.outcome === outcome) : [],
    ).length;
  return {
    planned: grades.length,
    passed: of(({ verdict }) => verdict.state === "graded" && verdict.passed),
    failed: of(({ verdict }) => verdict.state === "graded" && !verdict.passed),
    errored: of(({ verdict }) => verdict.state === "errored"),
    errorClasses: [
      ...new Set(grades.flatMap(({ verdict }) => (verdict.state === "errored" ? verdict.error.class : []))),
    ],
    skipped: of(({ verdict }) => verdict.state === "skipped"),
    missing: of(({ verdict }) => verdict.state === "skipped" && verdict.cause === "missing"),
    incomplete: of(({ verdict }) => verdict.state === "graded" && verdict.incomplete !== undefined),
    checksPassed: checks("pass"),
    checksFailed: checks("fail"),
    quotes: countQuotes(grades),
    recorded: of(({ verdict }) => verdict.state === "graded" && verdict.recorded === true),
  };
}

/* Counts the judges' quotes, and those found in the evidence. */

/** Counts by judge model, in the order of the grades; without models that quoted nothing and contradicted nothing. */
export function countQuotes(grades: readonly Grade[]): ModelQuotes[] {
  const checks = grades.flatMap(({ job, verdict }) =>
    verdict.state === "skipped"
      ? []
      : (verdict.checks ?? []).map((check) => ({ ...check, model: check.judge ?? job.judgeModel })),
  );
  const doubtful = checks.filter(({ quotes, contradicted }) => quotes ?? contradicted);
  return [...Map.groupBy(doubtful, ({ model }) => model)].map(([model, own]) => {
    const sum = (count: (check: Check) => number) => own.reduce((total, check) => total + count(check), 0);
    const all = sum(({ quotes }) => quotes?.all ?? 0);
    return {
      model,
      all,
      found: all - sum(({ quotes }) => quotes?.missing.length ?? 0),
      contradicted: sum(({ contradicted }) => (contradicted ? 1 : 0)),
    };
  });
}

function spentOn(grades: readonly Grade[]): Spent {
  const sum = (value: (grade: Grade) => number) => grades.reduce((total, grade) => total + value(grade), 0);
  return {
    judgeCalls: sum(({ requests }) => requests),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      cached: sum(({ tokens }) => tokens.cached),
      written: sum(({ tokens }) => tokens.written ?? 0),
    },
    ...costOf(grades),
  };
}

/** The total cost; undefined unless the cost of every asked grade is known. */
function costOf(grades: readonly Grade[]): { cost?: number | undefined } {
  const costs = grades.map(({ cost }) => cost);
  return costs.some((cost) => cost === undefined)
    ? {}
    : { cost: costs.reduce<number>((a, b) => a + (b ?? 0), 0) };
}

/** Every grade: deciding ones, then advisory ones. */
export function allGrades({
  scores,
  advisory,
}: {
  readonly scores: Scores;
  readonly advisory?: { readonly scores: Scores } | undefined;
}): readonly Grade[] {
  return [scores, advisory?.scores].flatMap((some) => some?.grades ?? []);
}
