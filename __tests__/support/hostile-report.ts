/** A report with one text in every place that others can fill. */
import { reportOfRows } from "./reports.ts";
import type { Report } from "../../src/report/report.ts";
import type { Grade, Verdict } from "../../src/domain/grade.ts";
import type { Problem } from "../../src/domain/problem.ts";
import type { RecordedValidation, Run } from "../../src/domain/run.ts";
import type { Suite } from "../../src/domain/suite.ts";
import { compare } from "../../src/decide/compare.ts";
import { type Row, hasVerdict } from "../../src/domain/row.ts";
import { rowsOf } from "./rows.ts";
import { scoreGrades } from "../../src/results/score.ts";
import { agreementOf, type Labelled } from "../../src/labels/agreement.ts";
import { graderOf, runOf, suiteOf } from "./factories.ts";

export const SOURCE = "https://github.com/octo/agents/blob/abc";

const recordedOf = (text: string): RecordedValidation => ({
  name: `${text}, recorded`,
  type: text,
  score: 1,
  passed: true,
  feedback: text,
});

const problemsOf = (text: string): Problem[] =>
  (["error", "warning", "notice"] as const).flatMap((level) => [
    {
      level,
      code: "odd",
      message: text,
      help: text,
      at: { path: text, startLine: 1, endLine: 1, startColumn: 2, inRepository: true },
    },
    { level, code: "odd", message: `The eval ${text}` },
  ]);

function verdictsOf(text: string): Verdict[] {
  const checks = [
    { outcome: "fail", description: text, reason: text },
    { outcome: "fail", reason: text },
    { outcome: "pass", description: text },
  ] as const;
  const evidence = { characters: 10, toolCalls: 1, elided: true, reconstructedSession: true, reads: 2 };
  const error = { class: "server", message: text, help: text } as const;
  const failed = { state: "graded", score: 1 / 3, passed: false, response: text } as const;
  return [
    { ...failed, checks, doubt: text, incomplete: error, evidence, recorded: true },
    { ...failed, checks: [], score: 0, note: text },
    { state: "graded", checks: [checks[2]], score: 1, passed: true, response: text },
    { state: "errored", error },
    { state: "skipped", cause: "no-key", reason: text },
    { state: "skipped", cause: "missing", reason: `It is skipped: ${text}` },
  ];
}

function runWith(text: string, { task, run }: { task: number; run: number }): Run {
  return runOf({
    origin: { file: 0, task, run },
    taskId: text,
    taskName: `${text}, named`,
    number: run + 1,
    model: task === 0 ? text : `${text}, another`,
    prompt: text,
    finalOutput: `${text}\n${text}`,
    errorMessage: text,
    recorded: [recordedOf(text)],
  });
}

/** A report of two suites and two models with the text in every place. */
export function reportWith(text: string): Report {
  const rubric = { name: text, instructions: text };
  const suites = [text, `${text}, again`].map((title) => suiteOf({ title, name: title }));
  const file = { path: text, model: text, timestamp: text, evalName: text, runs: [] };
  const grades = suites.flatMap((suite, second) =>
    (second ? [0] : [0, 1]).flatMap((task) =>
      verdictsOf(text)
        .slice(0, second || task ? 2 : undefined)
        .map((verdict, index): Grade => {
          const at = { path: text, startLine: 4, endLine: 9 + task, inRepository: true };
          const name = index % 2 === 0 ? text : `${text} ${String(index)}`;
          return {
            job: {
              suite,
              task: { id: text, name: `${text}, named`, prompt: text },
              grader: graderOf({ name, at, rubric, prompt: text, weight: index + 1 }),
              judgeModel: text,
              run: runWith(text, { task, run: index % 2 }),
              file,
            },
            verdict,
            requests: 1,
            tokens: { input: 10, output: 2, cached: 0 },
            durationMs: 1,
            sent: (["system", "section", "tool"] as const).map((kind) => ({ kind, title: text, text })),
          };
        }),
    ),
  );
  const results = [file, { ...file, path: `${text}, second` }];
  const report = reportOf({ suites, grades, problems: problemsOf(text), results });
  const now = rowsOf(grades);
  const comparison = compare(baselineOf(now, text), now);
  return {
    ...report,
    comparison,
    advisory: { scores: scoreGrades(suites, now.slice(0, 1)), comparison },
    agreement: agreementOf(labelledBy(now, text)),
  };
}

/** A person who says the other way round of all of these. */
function labelledBy(now: readonly Row[], text: string): Labelled<Row>[] {
  const at = { path: text, startLine: 2, endLine: 2, inRepository: true };
  return now.map((grade) => {
    const { suite, task, grader, model, run } = grade;
    const passed = grade.state !== "passed";
    return {
      grade,
      label: { suite, task, grader, model, run, passed, note: text, at },
    };
  });
}

/** The other way round of what these say, one grader graded by another judge, and one that is gone. */
function baselineOf(now: readonly Row[], text: string): Row[] {
  const before = now.map((one): Row =>
    hasVerdict(one) ? { ...one, state: one.state === "passed" ? "failed" : "passed" } : one,
  );
  const otherwise = before.map((one, index) =>
    index === 0 && one.basis ? { ...one, basis: { ...one.basis, judgeModel: `${text}, before` } } : one,
  );
  return [...otherwise, ...before.slice(0, 1).map((one) => ({ ...one, grader: `${text}, removed` }))];
}

/** A report of these grades, with the rest as is usual. */
export function reportOf({
  suites,
  grades,
  problems,
  results,
}: Pick<Report, "problems" | "results"> & {
  readonly suites: readonly Suite[];
  readonly grades: readonly Grade[];
}): Report {
  return reportOfRows(suites, rowsOf(grades), { problems, results, redactions: 2, sourceUrl: SOURCE });
}
