/** The facts that the gate's rules decide by. */
import type { Comparison } from "../compare/compare.ts";
import { decideRegression } from "../compare/regression-gate.ts";
import type { RegressionDecision } from "../compare/regression-gate.ts";
import type { Agreement } from "../labels/agreement.ts";
import type { Policy } from "../domain/conclusion.ts";
import type { Grade, Verdict } from "../domain/grade.ts";
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
  readonly comparison?: Comparison | undefined;
  readonly agreement?: Agreement | undefined;
  /** The number of advisory grades, which decide nothing. */
  readonly advisory?: number | undefined;
}

/** A task that has to pass, and why it did not; without trouble when it passed or was left out on purpose. */
export interface GoldenTask {
  readonly id: string;
  /** The first grader with that trouble. */
  readonly grader: string | undefined;
  readonly trouble: "failed" | "errored" | "capped" | "missing" | "removed" | "ungraded" | undefined;
  /** The verdict with that trouble. */
  readonly verdict?: Verdict | undefined;
}

export interface Facts extends GateInput {
  readonly counts: Counts;
  readonly errors: readonly Problem[];
  /** Incomplete grades, where they count as errored: a score of half the checks may reach a minimum that all miss. */
  readonly incomplete: number;
  /** Grades without a verdict: errored, skipped without a key or by a cap, and incomplete where that counts. */
  readonly withoutVerdict: number;
  readonly golden: readonly GoldenTask[];
  /** The decision under `fail-on: regression`. */
  readonly regression?: RegressionDecision | undefined;
  /** Failed grades of runs that a later attempt repeated, and decides. */
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
 * The golden tasks of all suites, each over all its models. A task that is golden in the baseline stays golden, so that
 * neither the mark nor the task can be removed.
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
      if (worst)
        return [{ id, grader: worst.job.grader.name, trouble: troubleOf(worst), verdict: worst.verdict }];
      const grader = graderGone(key, grades, comparison);
      return [{ id, grader, trouble: grader === undefined ? undefined : "ungraded" }];
    }),
  );
  const gone = [...before.values()].map((id): GoldenTask => ({ id, grader: undefined, trouble: "removed" }));
  return [...here, ...gone];
}

/** Ids, by key, of the baseline's tasks that are golden there or now. */
function goldenBefore(comparison: Comparison | undefined): Map<string, string> {
  const { pairs = [], notComparable = [], removed = [] } = comparison ?? {};
  const golden = [...pairs, ...notComparable, ...removed].filter((place) => place.golden);
  return new Map(golden.map((place) => [taskKeyOfAnyModel(place), place.task]));
}

/** A grader of a baseline's golden task that no longer decides: deleted, renamed, of another type, or advisory. */
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
