/** The report as test cases, one for each grade, for the formats of test dashboards. Pure. */
import type { Grade, Problem, Report } from "../../domain.ts";
import { gradeText, problemText } from "../annotations.ts";
import { checkText, NO_DETAIL } from "../../states.ts";
import { oneLineText } from "../neutralise.ts";
import { isError } from "../../problem.ts";

/** Characters of a case's name and of what is said of it in one line. */
const NAME = 300;
const MESSAGE = 1_000;

export interface ReportCase {
  readonly task: string;
  readonly name: string;
  readonly state: "passed" | "failed" | "errored" | "skipped";
  /** One line: the first failed check, the error, the reason of a skip; empty for a pass. */
  readonly message: string;
  /** Everything: checks, reasons, remedies. */
  readonly text: string;
  readonly durationMs: number;
  readonly grade?: Grade | undefined;
  readonly at?: Problem["at"] | undefined;
}

export interface ReportSuite {
  readonly name: string;
  /** Absent where nothing was graded. */
  readonly score?: number | undefined;
  readonly cases: readonly ReportCase[];
}

/** Suites with their cases; errors of files and inputs are a suite of their own, since a dashboard shows nothing else. */
export function reportSuites({ scores, problems }: Report): ReportSuite[] {
  const suites = scores.suites.map(({ suite, tasks, score }): ReportSuite => {
    const models = new Set(tasks.map(({ model }) => model)).size > 1;
    const cases = tasks.flatMap((task) => {
      const numbers = Map.groupBy(task.runs, ({ number }) => number);
      return task.runs.flatMap((run) => {
        const twins = (numbers.get(run.number)?.length ?? 0) > 1;
        const label = [
          ...(task.runs.length > 1 ? [`run ${String(run.number)}`] : []),
          ...(models && task.model !== "" ? [task.model] : []),
          ...(twins && run.file !== undefined ? [run.file] : []),
        ];
        return run.grades.map((grade) => caseOf(grade, label));
      });
    });
    return { name: oneLineText(suite.title, NAME), score, cases };
  });
  const errors = problems.filter(isError).map(problemCase);
  return [
    ...(errors.length > 0 ? [{ name: "configuration", cases: errors }] : []),
    ...suites.filter(({ cases }) => cases.length > 0),
  ];
}

function caseOf(grade: Grade, label: readonly string[]): ReportCase {
  const { job, verdict } = grade;
  return {
    task: oneLineText(job.task.id, NAME),
    name: oneLineText([job.grader.name, ...label].join(" · "), NAME),
    state: verdict.state === "graded" ? (verdict.passed ? "passed" : "failed") : verdict.state,
    message: oneLineText(messageOf(grade), MESSAGE),
    text: gradeText(grade),
    durationMs: grade.durationMs,
    grade,
    at: job.grader.at,
  };
}

function messageOf({ verdict }: Grade): string {
  if (verdict.state === "skipped") return verdict.reason;
  if (verdict.state === "errored") return verdict.error.message;
  if (verdict.passed) return "";
  const failed = verdict.checks.find(({ outcome }) => outcome === "fail");
  return verdict.note ?? (failed ? checkText(failed) : NO_DETAIL);
}

function problemCase(problem: Problem): ReportCase {
  const { at } = problem;
  const where = at ? `${at.path}:${String(at.startLine)}` : "inputs";
  return {
    task: oneLineText(where, NAME),
    name: oneLineText(problem.message, NAME),
    state: "errored",
    message: oneLineText(problem.message, MESSAGE),
    text: problemText(problem),
    durationMs: 0,
    at,
  };
}
