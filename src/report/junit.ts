/** The report as JUnit XML, for dashboards: a failed grade is a failure, an errored one an error. Pure. */
import XMLBuilder from "fast-xml-builder";
import type { Grade } from "../domain/grade.ts";
import type { Problem } from "../domain/suite.ts";
import { gradeText, problemText } from "./annotations.ts";
import type { Report } from "./report.ts";
import { oneLineText, xmlText } from "./sanitize.ts";
import { shownGrades } from "./shown-grade.ts";
import type { ShownGrade } from "./shown-grade.ts";
import { suiteKey } from "../results/records.ts";
import { formatScore } from "../text/format.ts";
import { isError } from "../text/problem.ts";

/** Keys with `@` are attributes. The builder's default would write the attribute value "true" without `="true"`. */
const builder = new XMLBuilder({
  attributeNamePrefix: "@",
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  format: true,
});

/** The document, one `testsuite` per eval and one `testcase` per grade; times are in seconds. */
export function renderJunit(report: Report): string {
  const suites = reportSuites(report);
  // Jenkins' xUnit plugin refuses `skipped` on the root element.
  const { "@skipped": _skipped, ...totals } = counts(suites.flatMap((suite) => suite.cases));
  return builder.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: { "@name": "waza-grade", ...totals, testsuite: suites.map(testSuite) },
  });
}

/* The report as test cases, one for each grade, for the formats of test dashboards. Pure. */

/** Maximum characters of a case's name. */
const NAME = 300;

export interface ReportSuite {
  readonly name: string;
  /** Absent if nothing was graded. */
  readonly score?: number | undefined;
  readonly cases: readonly ReportCase[];
}

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

/** Maximum characters of a case's message, which is one line. */
const MESSAGE = 1_000;

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

function counts(cases: readonly ReportCase[]): Record<string, string> {
  const of = (state: ReportCase["state"]) => String(cases.filter((one) => one.state === state).length);
  return {
    "@tests": String(cases.length),
    "@failures": of("failed"),
    "@errors": of("errored"),
    "@skipped": of("skipped"),
    "@time": seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function testSuite({ name, score, cases }: ReportSuite): object {
  return {
    "@name": xmlText(name),
    ...counts(cases),
    properties: score === undefined ? undefined : property("score", formatScore(score, 4)),
    testcase: cases.map((one) => testCase(name, one)),
  };
}

function property(name: string, value: string): object {
  return { property: { "@name": name, "@value": value } };
}

function testCase(
  suite: string,
  { task, name, state, message, text, durationMs, grade }: ReportCase,
): object {
  const content = { "@message": xmlText(message), "#text": xmlText(text) };
  const errorClass = grade?.verdict.state === "errored" ? grade.verdict.error.class : "configuration";
  return {
    "@name": xmlText(name),
    "@classname": xmlText(`${suite}.${task}`),
    "@time": seconds(durationMs),
    ...(state === "skipped" ? { skipped: content } : {}),
    ...(state === "errored" ? { error: { ...content, "@type": errorClass } } : {}),
    ...(state === "failed" ? { failure: { ...content, "@type": "failed-check" } } : {}),
    ...(state === "passed" && text !== "" ? { "system-out": xmlText(text) } : {}),
  };
}
