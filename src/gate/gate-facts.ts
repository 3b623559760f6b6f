/** The facts that the gate's rules look at. */
import type { Comparison } from "../compare/compare.ts";
import { decideRegression } from "../compare/regression-gate.ts";
import type { RegressionDecision } from "../compare/regression-gate.ts";
import type { Agreement } from "../labels/agreement.ts";
import type { Policy } from "../domain/conclusion.ts";
import type { Grade } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import type { Counts, Scores } from "../domain/scores.ts";
import { isError } from "../text/problem.ts";
import { suiteKey } from "../records/make-record.ts";
import { taskKeyOfAnyModel } from "../compare/task-runs.ts";

export interface GateInput {
  readonly scores: Scores;
  readonly problems: readonly Problem[];
  readonly policy: Policy;
  readonly cancelled?: boolean | undefined;
  /** A dry run: only problems with the files decide. */
  readonly dryRun?: boolean | undefined;
  /** Evals were left out because the pull request does not change them. */
  readonly narrowed?: boolean | undefined;
  /** With the baseline, if one is set. */
  readonly comparison?: Comparison | undefined;
  /** With people's labels, if there are any. */
  readonly agreement?: Agreement | undefined;
  /** Grades of advisory graders, which decide nothing and are in no score. */
  readonly advisory?: number | undefined;
}

/** A task that has to pass, and why it did not; no trouble when it passed or could not be judged on purpose. */
export interface GoldenTask {
  readonly id: string;
  /** The name of the first grader with that trouble. */
  readonly grader: string | undefined;
  readonly trouble: "failed" | "errored" | "capped" | "missing" | "removed" | "ungraded" | undefined;
}

export interface Facts extends GateInput {
  readonly counts: Counts;
  readonly errors: readonly Problem[];
  /** Incomplete grades where they count as errored: a score of half the checks may reach a minimum that all do not. */
  readonly incomplete: number;
  /** Grades without a verdict: errored, skipped without a key or by a cap, and incomplete where that counts. */
  readonly withoutVerdict: number;
  readonly golden: readonly GoldenTask[];
  /** Under `fail-on: regression`, the decision. */
  readonly regression?: RegressionDecision | undefined;
  /** Failed grades that a later attempt of the same run decides instead. */
  readonly failedEarlier: number;
  /** Every planned grade is graded and passed. */
  readonly passed: boolean;
}

export function factsOf(input: GateInput): Facts {
  const { scores, problems, policy, comparison } = input;
  const { counts } = scores;
  const errors = problems.filter(isError);
  const incomplete = policy.failOn === "score" ? counts.incomplete : 0;
  return {
    ...input,
    counts,
    errors,
    incomplete,
    withoutVerdict: counts.errored + counts.skipped - counts.missing + incomplete,
    failedEarlier: scores.grades.filter((grade) => hasLaterAttempt(grade) && troubleOf(grade) === "failed")
      .length,
    golden: goldenTasks(scores, comparison),
    regression:
      comparison && policy.failOn === "regression"
        ? decideRegression(comparison, policy.maxDrop ?? "noise")
        : undefined,
    passed: errors.length === 0 && counts.passed === counts.planned,
  };
}

/**
 * The golden tasks of all suites; the models of one are one task. Golden in the baseline counts too, so that no mark can
 * be taken away, nor the task.
 */
function goldenTasks({ suites }: Scores, comparison: Comparison | undefined): GoldenTask[] {
  const before = goldenBefore(comparison);
  const here = suites.flatMap(({ suite, tasks }) =>
    [...Map.groupBy(tasks, ({ taskId }) => taskId)].flatMap(([id, models]): GoldenTask[] => {
      const grades = models.flatMap(({ grades }) => grades).filter((grade) => !hasLaterAttempt(grade));
      const key = taskKeyOfAnyModel({ suite: suiteKey(suite), task: id });
      const wasGolden = before.delete(key);
      if (!wasGolden && !grades.some(({ job }) => job.task.golden)) return [];
      const [worst] = TROUBLES.flatMap((one) => grades.find((grade) => troubleOf(grade) === one) ?? []);
      if (worst) return [{ id, grader: worst.job.grader.name, trouble: troubleOf(worst) }];
      const grader = graderGone(key, grades, comparison);
      return [{ id, grader, trouble: grader === undefined ? undefined : "ungraded" }];
    }),
  );
  const gone = [...before.values()].map((id): GoldenTask => ({ id, grader: undefined, trouble: "removed" }));
  return [...here, ...gone];
}

/** Tasks that are golden in the baseline or now, of those that stand in the baseline: their ids by their keys. */
function goldenBefore(comparison: Comparison | undefined): Map<string, string> {
  const { pairs = [], notComparable = [], removed = [] } = comparison ?? {};
  const golden = [...pairs, ...notComparable, ...removed].filter((place) => place.golden);
  return new Map(golden.map((place) => [taskKeyOfAnyModel(place), place.task]));
}

/** A grader of a golden task of the baseline that no longer decides: deleted, renamed, of another type, advisory. */
function graderGone(
  key: string,
  grades: readonly Grade[],
  comparison: Comparison | undefined,
): string | undefined {
  const here = new Set(grades.map(({ job }) => job.grader.name));
  return comparison?.removed.find(
    (place) => place.golden && taskKeyOfAnyModel(place) === key && !here.has(place.grader),
  )?.grader;
}

function hasLaterAttempt({ job }: Grade): boolean {
  return job.run?.hasLaterAttempt === true;
}

/** The worst first. */
const TROUBLES = ["failed", "errored", "capped", "missing"] as const;

function troubleOf({ verdict }: Grade): GoldenTask["trouble"] {
  if (verdict.state === "graded") return verdict.passed ? undefined : "failed";
  if (verdict.state === "errored") return "errored";
  if (verdict.cause === "cap") return "capped";
  return verdict.cause === "missing" ? "missing" : undefined;
}
