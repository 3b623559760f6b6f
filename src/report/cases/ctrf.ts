/** The report in the Common Test Report Format (https://ctrf.io), a JSON that dashboards share. Pure. */
import type { Report } from "../report.ts";
import { plainText } from "../neutralise.ts";
import { reportSuites } from "./report-cases.ts";
import type { ReportCase } from "./report-cases.ts";

const SPEC_VERSION = "0.0.0";
const STATUS = { passed: "passed", failed: "failed", errored: "other", skipped: "skipped" } as const;

/** The document as data; a grade without a verdict has the status `other`, so that it is no failure. */
export function renderCtrf(report: Report): object {
  const suites = reportSuites(report);
  const cases = suites.flatMap((suite) => suite.cases);
  const of = (state: ReportCase["state"]) => cases.filter((one) => one.state === state).length;
  const { started, finished } = report.time;
  return {
    reportFormat: "CTRF",
    specVersion: SPEC_VERSION,
    generatedBy: "waza-grade",
    timestamp: new Date(finished).toISOString(),
    results: {
      tool: { name: "waza-grade" },
      summary: {
        tests: cases.length,
        passed: of("passed"),
        failed: of("failed"),
        skipped: of("skipped"),
        pending: 0,
        other: of("errored"),
        suites: suites.length,
        start: started,
        stop: finished,
        extra: { conclusion: report.conclusion.conclusion, score: report.scores.score ?? null },
      },
      tests: suites.flatMap(({ name, cases: own }) => own.map((one) => testOf(name, one))),
    },
  };
}

function testOf(
  suite: string,
  { task, name, state, message, text, durationMs, grade, at }: ReportCase,
): object {
  return {
    name: `${name} · ${task}`,
    status: STATUS[state],
    rawStatus: state,
    duration: durationMs,
    suite: [suite, task],
    ...(message === "" ? {} : { message }),
    ...(text === "" ? {} : { trace: plainText(text) }),
    ...(at?.inRepository ? { filePath: plainText(at.path), line: at.startLine } : {}),
    ...(grade?.verdict.state === "graded" ? { extra: { score: grade.verdict.score } } : {}),
  };
}
