/** The report as JUnit XML, for dashboards: a failed grade is a failure, an errored one an error. Pure. */
import XMLBuilder from "fast-xml-builder";
import type { Report } from "../report.ts";
import { formatScore } from "../../text/format.ts";
import { xmlText } from "../sanitize.ts";
import { reportSuites } from "./report-cases.ts";
import type { ReportCase, ReportSuite } from "./report-cases.ts";

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

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}
