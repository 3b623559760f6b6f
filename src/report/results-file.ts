/** The file of the record; and a copy of each of waza's results files with our verdicts. */
import { stringifyChunked } from "@discoveryjs/json-ext";
import { dirname, join, parse } from "node:path";
import type { Check } from "../domain/grade.ts";
import { type Row, type VerdictRow, hasVerdict } from "../domain/row.ts";
import { AGAIN_LIST } from "../domain/run.ts";
import { replaceFile } from "../files/write.ts";
import type { Publisher, Report } from "./report.ts";
import { FORMAT_VERSION, gradeFields, recordOf } from "./record.ts";
import { allShown } from "./shown-grade.ts";
import {
  type RunData,
  type TaskData,
  type Validation,
  runStatus,
  summaryOf,
  taskStats,
  taskStatus,
  validationsOf,
} from "./waza-figures.ts";
import { ALL_PASSED } from "../results/recorded-verdicts.ts";

/** Characters of one write. */
const WRITE_CHARACTERS = 262_144;
/** Characters of an eval's name in the name of its copy for waza: file systems take 255 bytes. */
const LONGEST_COPY_NAME = 60;

/**
 * Writes the record at `outputFile`, with the grades of all suites, and a copy of each document of waza in a folder
 * beside it. `documents` has a place for each results file of the report, with what waza wrote, without secrets;
 * `undefined` for other formats. Without any results or runs of trigger evals nothing is written but the list of what
 * is asked again.
 */
export function resultsFilePublisher(outputFile: string, documents: () => readonly unknown[]): Publisher {
  return {
    name: "results file",
    publish: async (report) => {
      const { again } = report;
      if (again !== undefined) await replaceFile(join(dirname(outputFile), AGAIN_LIST), again);
      const copies = documents();
      const kept = [...copies.keys()].filter((index) => copies[index] !== undefined);
      if (copies.length === 0 && !report.triggers?.rows.some(hasVerdict)) return {};
      await replaceFile(outputFile, linesOfResultsFile({ waza_grade: recordOf(report) }));
      const names = kept.map((index) => (copies[index] as ResultsData).eval_name);
      for (const [place, file] of copyFiles(outputFile, names).entries()) {
        const index = kept[place] ?? 0;
        await replaceFile(file, linesOfResultsFile(gradedCopy(copies[index], index, report)));
      }
      return { resultsFile: outputFile, wazaFolder: kept.length > 0 ? wazaFolderOf(outputFile) : undefined };
    },
  };
}

/** Writes the record to a stream, such as standard output. */
export function recordPublisher(out: NodeJS.WritableStream): Publisher {
  return {
    name: "record",
    publish: async (report) => {
      for (const chunk of linesOfResultsFile({ waza_grade: recordOf(report) }))
        // Whoever reads it may stop.
        await new Promise((written) => out.write(chunk, written));
      return {};
    },
  };
}

/** Where the copies for waza are written: in a folder named for the record, each by the name of its eval. */
export function copyFiles(outputFile: string, evalNames: readonly unknown[]): string[] {
  const taken = new Map<string, number>();
  return evalNames.map((one) => {
    const written = typeof one === "string" ? one : "";
    const stem = written.replace(/[^\w-]+/g, "-").slice(0, LONGEST_COPY_NAME) || "results";
    const number = (taken.get(stem) ?? 0) + 1;
    taken.set(stem, number);
    const file = `${stem}${number === 1 ? "" : `.${String(number)}`}.json`;
    return join(wazaFolderOf(outputFile), file);
  });
}

function wazaFolderOf(outputFile: string): string {
  const { dir, name } = parse(outputFile);
  return join(dir, `${name}-waza`);
}

/** The document's JSON in chunks: its whole text could exceed what a string can hold. */
function* linesOfResultsFile(document: unknown): Generator<string> {
  yield* stringifyChunked(document, { space: 2, highWaterMark: WRITE_CHARACTERS });
  yield "\n";
}

interface ResultsData {
  readonly eval_name?: unknown;
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
  readonly summary?: Readonly<Record<string, unknown>> | null | undefined;
  readonly tasks: readonly TaskData[] | null;
}

/**
 * The document with our validations in place of those of the same graders and every figure recomputed as waza does
 * over all validations. The validation of an errored grade is removed; our own checks and errors are under `waza_grade`,
 * from which `offline` reads them, and which is marked as a copy: a baseline reads the record alone. `index` is the
 * file's place among the results.
 */
export function gradedCopy(document: unknown, index: number, report: Report): Record<string, unknown> {
  const data = document as ResultsData;
  const inFile = allShown(report).filter(({ grade: { origin } }) => origin?.file === index);
  const grades = inFile.map(({ grade }) => grade);
  const byRun = Map.groupBy(grades, ({ origin }) => JSON.stringify([origin?.task, origin?.run]));
  const tasks = (data.tasks ?? []).map((task, at) => {
    const ofRuns = (task.runs ?? []).map((_, run) => byRun.get(JSON.stringify([at, run])) ?? []);
    return gradedTask(task, ofRuns);
  });
  const judged = grades.filter(({ settled }) => !settled);
  const judges = [...new Set(judged.map(({ judgeModel }) => judgeModel))];
  return {
    ...data,
    config: { ...data.config, ...(judges.length > 0 ? { judge_model: judges.join(", ") } : {}) },
    summary: summaryOf(tasks, data.summary ?? {}),
    tasks,
    waza_grade: { version: FORMAT_VERSION, is_copy: true, grades: inFile.map(gradeFields) },
  };
}

function gradedTask(task: TaskData, grades: readonly (readonly Row[])[]): TaskData {
  if (grades.flat().length === 0) return task;
  const runs = (task.runs ?? []).map((run, index) => gradedRun(run, grades[index] ?? []));
  // The comparison with runs without the skill is of the old verdicts; no command reads it.
  const { skill_impact: _old, ...rest } = task;
  return {
    ...rest,
    status: taskStatus(runs),
    runs,
    stats: taskStats(runs),
    ...(grades.flat().some(({ golden }) => golden) ? { golden: true } : {}),
  };
}

/**
 * A run with a failed agent has no validations in waza and stays an error; its grades are under `waza_grade`. One that
 * ended in an error, and was judged all the same, stays one too, with its validations, as in waza. Of advisory graders
 * there are none, since waza would count them.
 */
function gradedRun(run: RunData, grades: readonly Row[]): RunData {
  const [first] = grades;
  if (first?.agent !== "finished") return run;
  const ours = new Set(
    grades.flatMap((grade) => (hasVerdict(grade) || grade.state === "errored" ? [grade.grader] : [])),
  );
  const kept = validationsOf(run).filter(
    ([name, { identifier }]) => !ours.has(name) && !ours.has(String(identifier)),
  );
  const entries = grades.flatMap((grade): [string, Validation][] =>
    hasVerdict(grade) && !grade.advisory ? [[grade.grader, validation(grade)]] : [],
  );
  const validations = Object.fromEntries([...kept, ...entries]);
  const { ended, agentError } = first;
  const status = ended !== undefined && agentError !== undefined ? "error" : runStatus(validations);
  return { ...run, status, validations };
}

/** waza's prompt grader result, with its `pass: <description>: <reason>` lines joined by `;`. */
function validation(grade: VerdictRow): Validation {
  const failures = lines(grade.checks, "fail");
  return {
    identifier: grade.grader,
    type: "prompt",
    score: grade.score,
    weight: grade.weight,
    passed: grade.state === "passed",
    feedback: grade.note ?? (failures === "" ? ALL_PASSED : failures),
    details: {
      response: grade.response ?? "<no response content>",
      prompt: wholePrompt(grade),
      passes: lines(grade.checks, "pass"),
      failures,
    },
    duration_ms: grade.durationMs,
  };
}

function lines(checks: readonly Check[], outcome: Check["outcome"]): string {
  return checks
    .filter((check) => check.outcome === outcome)
    .map(({ description = "", reason = "" }) => `${outcome}: ${description}: ${reason}`)
    .join(";");
}

/** The grader's prompt: the rubric, then the grader's own prompt. */
function wholePrompt({ rubric, prompt }: Row): string {
  if (!rubric) return prompt;
  return prompt.trim() === "" ? rubric.instructions : `${rubric.instructions}\n\n${prompt}`;
}
