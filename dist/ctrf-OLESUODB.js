const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);

import {
  reportSuites
} from "./chunk-3FY3ML4S.js";
import {
  plainText
} from "./chunk-WPKV2BP5.js";
import "./chunk-7XQXDN5F.js";

// src/report/ctrf.ts
var SPEC_VERSION = "0.0.0";
var STATUS = { passed: "passed", failed: "failed", errored: "other", skipped: "skipped" };
function renderCtrf(report) {
  const suites = reportSuites(report);
  const cases = suites.flatMap((suite) => suite.cases);
  const of = (state) => cases.filter((one) => one.state === state).length;
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
        extra: { conclusion: report.conclusion.conclusion, score: report.scores.score ?? null }
      },
      tests: suites.flatMap(({ name, cases: own }) => own.map((one) => testOf(name, one)))
    }
  };
}
function testOf(suite, { task, name, state, message, text, durationMs, grade, at }) {
  return {
    name: `${name} · ${task}`,
    status: STATUS[state],
    rawStatus: state,
    duration: durationMs,
    suite: [suite, task],
    ...message === "" ? {} : { message },
    ...text === "" ? {} : { trace: plainText(text) },
    ...at?.inRepository ? { filePath: plainText(at.path), line: at.startLine } : {},
    ...grade?.verdict.state === "graded" ? { extra: { score: grade.verdict.score } } : {}
  };
}
export {
  renderCtrf
};
