/** The report as test cases, one for each grade, for the formats of test dashboards. Pure. */
import type { Report } from "../report.ts";
import type { Grade } from "../../domain/grade.ts";
import type { Problem } from "../../domain/location.ts";
import { gradeText, problemText } from "../annotations.ts";
import { suiteKey } from "../../records/make-record.ts";
import { oneLineText } from "../sanitize.ts";
import { isError } from "../../text/problem.ts";
import { shownGrades } from "../shown-grade.ts";
import type { ShownGrade } from "../shown-grade.ts";

/** Maximum characters of a case's name. */
const NAME = 300;
/** Maximum characters of a case's message, which is one line. */
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
}

export interface ReportSuite {
  readonly name: string;
  /** Absent if nothing was graded. */
  readonly score?: number | undefined;
  readonly cases: readonly ReportCase[];
}

/** Suites with their cases; errors of files and inputs are a separate suite, since dashboards show only cases. */
export function reportSuites(report: Report): ReportSuite[] {
  const { scores, problems } = report;
  const bySuite = Map.groupBy(shownGrades(report), ({ grade }) => grade.job.suite);
  const suites = scores.suites.map(({ suite, score }): ReportSuite => {
    const cases = (bySuite.get(suite) ?? []).map(caseOf);
    return { name: oneLineText(suiteKey(suite), NAME), score, cases };
  });
  const errors = problems.filter(isError).map(problemCase);
  return [
    ...(errors.length > 0 ? [{ name: "configuration", cases: errors }] : []),
    ...suites.filter(({ cases }) => cases.length > 0),
  ];
}

function caseOf(shown: ShownGrade): ReportCase {
  const { grade, reasonWithCheck } = shown;
  const { job, verdict } = grade;
  const isPassed = verdict.state === "graded" && verdict.passed;
  return {
    task: oneLineText(job.task.id, NAME),
    name: oneLineText(shown.name, NAME),
    state: verdict.state === "graded" ? (isPassed ? "passed" : "failed") : verdict.state,
    message: isPassed ? "" : oneLineText(reasonWithCheck, MESSAGE),
    text: gradeText(shown),
    durationMs: grade.durationMs,
    grade,
  };
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
  };
}
