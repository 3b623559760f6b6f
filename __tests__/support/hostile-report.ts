/** A report with one text in every place that others can fill. */
import { reportOfRows } from "./reports.ts";
import type { Report } from "../../src/report/report.ts";
import type { Grade, Verdict } from "../../src/domain/grade.ts";
import type { Problem } from "../../src/domain/problem.ts";
import type { RecordedValidation, Run } from "../../src/domain/run.ts";
import { compare } from "../../src/decide/compare.ts";
import { type Row, hasVerdict } from "../../src/domain/row.ts";
import { rowsOf } from "./rows.ts";
import { scoreGrades } from "../../src/results/score.ts";
import { agreementOf, type Labelled } from "../../src/labels/agreement.ts";
import { problemOf, runOf, suiteOf } from "./factories.ts";
import { MISSING, NO_KEY, erroredOf, fail, gradeOf, pass, verdictOf } from "./grades.ts";

export const SOURCE = "https://github.com/octo/agents/blob/abc";

const recordedOf = (text: string): RecordedValidation => ({
  name: `${text}, recorded`,
  type: text,
  score: 1,
  passed: true,
  feedback: text,
});

const problemsOf = (text: string): Problem[] => {
  const at = { path: text, startLine: 1, endLine: 1, startColumn: 2, inRepository: true };
  return (["error", "warning", "notice"] as const).flatMap((level) => [
    problemOf(level, text, { help: text, at }),
    problemOf(level, `The eval ${text}`),
  ]);
};

function verdictsOf(text: string): Verdict[] {
  const checks = [fail(text, text), fail(undefined, text), pass(text)];
  const evidence = { characters: 10, toolCalls: 1, elided: true, reconstructedSession: true, reads: 2 };
  const error = { class: "server", message: text, help: text } as const;
  return [
    verdictOf(checks, { response: text, doubt: text, incomplete: error, evidence, recorded: true }),
    verdictOf([], { response: text, note: text }),
    verdictOf([pass(text)], { response: text }),
    erroredOf(error),
    { ...NO_KEY, reason: text },
    { ...MISSING, reason: `It is skipped: ${text}` },
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
          return gradeOf({
            verdict,
            suite,
            task: text,
            grader: { name, at, rubric, prompt: text, weight: index + 1 },
            job: {
              task: { id: text, name: `${text}, named`, prompt: text },
              judgeModel: text,
              run: runWith(text, { task, run: index % 2 }),
              file,
            },
            sent: (["system", "section", "tool"] as const).map((kind) => ({ kind, title: text, text })),
          });
        }),
    ),
  );
  const results = [file, { ...file, path: `${text}, second` }];
  const now = rowsOf(grades);
  const report = reportOfRows(suites, now, {
    ...{ problems: problemsOf(text), results },
    redactions: 2,
    sourceUrl: SOURCE,
  });
  const comparison = compare(baselineOf(now, text), now);
  return {
    ...report,
    comparison,
    advisory: { scores: scoreGrades(suites, now.slice(0, 1)) },
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
