/** The report as JUnit XML, for dashboards: a failed grade is a failure, an errored one an error, and so is a missing one that fails the gate. Pure. */
import XMLBuilder from "fast-xml-builder";
import type { Policy } from "../domain/grade.ts";
import { isError, type Problem } from "../domain/problem.ts";
import { gradeText } from "./annotations.ts";
import type { Report } from "./report.ts";
import { oneLineText, xmlText } from "../safety/sanitize.ts";
import { type ShownGrade, shownGrades } from "./shown-grade.ts";
import { suiteKey } from "../results/rows.ts";
import { formatScore, helpOf, withLocation, sumOf } from "../text/format.ts";

/** Maximum characters of a case's name. */
const LONGEST_JUNIT_NAME = 300;
/** Maximum characters of a case's message, which is one line. */
const LONGEST_JUNIT_MESSAGE = 1_000;

/** Keys with `@` are attributes. The builder's default would write the attribute value "true" without `="true"`. */
const builder = new XMLBuilder({
  attributeNamePrefix: "@",
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  format: true,
});

/** The document, one `testsuite` per eval and one `testcase` per grade; times are in seconds. */
export function renderJunit(report: Report): string {
  const bySuite = Map.groupBy(shownGrades(report), ({ grade }) => grade.suite);
  const evals = report.scores.suites.map(({ suite, score }) =>
    testSuite(
      suiteKey(suite),
      (bySuite.get(suiteKey(suite)) ?? []).map((shown) => caseOfGrade(shown, report.policy)),
      score,
    ),
  );
  // Dashboards show only cases, so errors of files and inputs become some.
  const errors = report.problems.filter(isError).map((problem) => caseOfProblem(problem, report.docs));
  const suites = [testSuite("configuration", errors), ...evals].filter(({ testcase }) => testcase.length > 0);
  // Jenkins' xUnit plugin refuses `skipped` on the root element.
  const { "@skipped": _skipped, ...totals } = counts(suites.flatMap(({ testcase }) => testcase));
  return builder.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: { "@name": "waza-grade", ...totals, testsuite: suites },
  });
}

/** A grade or a problem. It passed unless it has `failure`, `error` or `skipped`. */
interface TestCase {
  readonly "@name": string;
  readonly "@classname": string;
  readonly "@time": string;
  readonly failure?: object;
  readonly error?: object;
  readonly skipped?: object;
  readonly "system-out"?: string;
}

function testSuite(name: string, testcase: readonly TestCase[], score?: number) {
  const properties =
    score === undefined ? undefined : { property: { "@name": "score", "@value": formatScore(score, 4) } };
  return { "@name": xmlAttribute(name, LONGEST_JUNIT_NAME), ...counts(testcase), properties, testcase };
}

function counts(cases: readonly TestCase[]) {
  const having = (element: keyof TestCase) => String(cases.filter((one) => element in one).length);
  return {
    "@tests": String(cases.length),
    "@failures": having("failure"),
    "@errors": having("error"),
    "@skipped": having("skipped"),
    "@time": sumOf(cases.map((one) => Number(one["@time"]))).toFixed(3),
  };
}

/** What has no verdict is an error where the policy fails for it, so that no red run has a green file. */
function caseOfGrade(shown: ShownGrade, { onMissing, onError }: Policy): TestCase {
  const { suite, task, state, error, durationMs, advisory } = shown.grade;
  const named = {
    "@name": xmlAttribute(shown.name, LONGEST_JUNIT_NAME),
    "@classname": `${xmlAttribute(suite, LONGEST_JUNIT_NAME)}.${xmlAttribute(task, LONGEST_JUNIT_NAME)}`,
    "@time": (durationMs / 1_000).toFixed(3),
  };
  const text = xmlText(gradeText(shown));
  const content = { "@message": xmlAttribute(shown.reasonWithCheck, LONGEST_JUNIT_MESSAGE), "#text": text };
  if (state === "passed") return { ...named, "system-out": text };
  if (state === "failed") return { ...named, failure: { ...content, "@type": "failed-check" } };
  if (state === "errored") return { ...named, error: { ...content, "@type": error?.class ?? "internal" } };
  const isRed = state !== "skipped" && !advisory && (state === "missing" ? onMissing : onError) === "fail";
  return isRed ? { ...named, error: { ...content, "@type": state } } : { ...named, skipped: content };
}

function caseOfProblem(problem: Problem, docs: string | undefined): TestCase {
  const { at, message } = problem;
  const help = helpOf(problem, docs);
  const text = withLocation(message, at);
  const where = at ? `${at.path}:${String(at.startLine)}` : "inputs";
  const error = {
    "@message": xmlAttribute(text, LONGEST_JUNIT_MESSAGE),
    "#text": xmlText(help === undefined ? text : `${text}\n${help}`),
    "@type": "configuration",
  };
  const classname = `configuration.${xmlAttribute(where, LONGEST_JUNIT_NAME)}`;
  return {
    "@name": xmlAttribute(message, LONGEST_JUNIT_NAME),
    "@classname": classname,
    "@time": "0.000",
    error,
  };
}

/** The text of an attribute. */
function xmlAttribute(text: string, most: number): string {
  return xmlText(oneLineText(text, most));
}
