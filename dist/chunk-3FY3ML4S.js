const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);

import {
  gradeText,
  oneLineText,
  problemText
} from "./chunk-WPKV2BP5.js";

// src/report/report-cases.ts
var NAME = 300;
var MESSAGE = 1e3;
function reportSuites({ scores, problems }) {
  const suites = scores.suites.map(({ suite, tasks, score }) => {
    const models = new Set(tasks.map(({ model }) => model)).size > 1;
    const cases = tasks.flatMap(
      (task) => task.runs.flatMap((run) => {
        const twins = task.runs.filter(({ number }) => number === run.number).length > 1;
        const label = [
          ...task.runs.length > 1 ? [`run ${String(run.number)}`] : [],
          ...models && task.model !== "" ? [task.model] : [],
          ...twins && run.file !== void 0 ? [run.file] : []
        ];
        return run.grades.map((grade) => caseOf(grade, label));
      })
    );
    return { name: oneLineText(suite.title, NAME), ...score === void 0 ? {} : { score }, cases };
  });
  const errors = problems.filter(({ level }) => level === "error").map(problemCase);
  return [
    ...errors.length > 0 ? [{ name: "configuration", cases: errors }] : [],
    ...suites.filter(({ cases }) => cases.length > 0)
  ];
}
function caseOf(grade, label) {
  const { job, verdict } = grade;
  return {
    task: oneLineText(job.task.id, NAME),
    name: oneLineText([job.grader.name, ...label].join(" · "), NAME),
    state: verdict.state === "graded" ? verdict.passed ? "passed" : "failed" : verdict.state,
    message: oneLineText(messageOf(grade), MESSAGE),
    text: gradeText(grade),
    durationMs: grade.durationMs,
    grade,
    at: job.grader.at
  };
}
function messageOf({ verdict }) {
  if (verdict.state === "skipped") return verdict.reason;
  if (verdict.state === "errored") return verdict.error.message;
  if (verdict.passed) return "";
  const failed = verdict.checks.find(({ outcome }) => outcome === "fail");
  const said = [failed?.description, failed?.reason].filter((part) => part !== void 0).join(": ");
  return verdict.note ?? (said || "The judge gave no detail.");
}
function problemCase(problem) {
  const { at } = problem;
  const where = at ? `${at.path}:${String(at.startLine)}` : "inputs";
  return {
    task: oneLineText(where, NAME),
    name: oneLineText(problem.message, NAME),
    state: "errored",
    message: oneLineText(problem.message, MESSAGE),
    text: problemText(problem),
    durationMs: 0,
    at
  };
}

export {
  reportSuites
};
