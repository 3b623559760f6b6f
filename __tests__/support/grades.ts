/** Verdicts and grades for tests, and a report of them, with the parts that matter overridden. */
import type { Check, Grade, Graded, GradingJob, Verdict } from "../../src/domain/grade.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Grader, Suite } from "../../src/domain/suite.ts";
import type { Report } from "../../src/report/report.ts";
import { graderOf, runOf, suiteOf } from "./factories.ts";
import { reportOfRows, type MoreOfReport } from "./reports.ts";
import { rowsOf } from "./rows.ts";

export const check = (outcome: Check["outcome"], description?: string, reason?: string): Check => ({
  outcome,
  ...(description === undefined ? {} : { description }),
  ...(reason === undefined ? {} : { reason }),
});
export const pass = (description?: string, reason?: string) => check("pass", description, reason);
export const fail = (description?: string, reason?: string) => check("fail", description, reason);

/** The verdict that these checks make. */
export function verdictOf(checks: readonly Check[], changes: Partial<Graded> = {}): Graded {
  const passes = checks.filter(({ outcome }) => outcome === "pass").length;
  const score = checks.length === 0 ? 0 : passes / checks.length;
  return { state: "graded", checks, score, passed: score === 1, ...changes };
}

/** An errored grade: a busy server's, without help. */
export function erroredOf(changes: Partial<Extract<Verdict, { state: "errored" }>["error"]> = {}): Verdict {
  return { state: "errored", error: { class: "server", message: "Down.", ...changes } };
}

export const PASSED = verdictOf([pass("is short", "ten words")]);
export const FAILED = verdictOf([fail("is right", "it is not")]);
export const MISSING = {
  state: "skipped",
  cause: "missing",
  reason: "No run of it.",
} as const satisfies Verdict;
export const NO_KEY = {
  state: "skipped",
  cause: "no-key",
  reason: "There is no key.",
} as const satisfies Verdict;

/** The suite of all grades that name no other. */
export const SUITE = suiteOf();

export interface Made extends Partial<Omit<Grade, "job">> {
  readonly verdict: Verdict;
  readonly suite?: Suite;
  /** The task's id and name. */
  readonly task?: string;
  readonly grader?: Partial<Grader>;
  /** null: the run is missing. */
  readonly run?: Partial<Run> | null;
  readonly job?: Partial<GradingJob>;
}

/** A grade of a task's run, which took one request. */
export function gradeOf({ suite = SUITE, task = "explain", grader, run, job, ...more }: Made): Grade {
  return {
    job: {
      suite,
      task: { id: task, name: task },
      grader: graderOf(grader),
      judgeModel: "judge-1",
      ...(run === null ? {} : { run: runOf({ taskId: task, ...run }) }),
      ...job,
    },
    requests: 1,
    tokens: { input: 1_000, output: 20, cached: 0 },
    durationMs: 1,
    ...more,
  };
}

/** A report of these grades and of their suites. */
export function reportOf(made: readonly Made[], more: MoreOfReport = {}): Report {
  const grades = made.map(gradeOf);
  const suites = new Set(grades.map(({ job }) => job.suite));
  return reportOfRows(suites.size === 0 ? [SUITE] : [...suites], rowsOf(grades), more);
}
