/** Reads people's labels from CSV or JSON lines, and writes the table to fill in. Pure. */
import { stringify } from "csv-stringify/sync";
import type { Problem, SourceSpan } from "../domain/location.ts";
import { listedCode, shorten } from "../text/format.ts";
import { isJudged } from "../domain/record.ts";
import type { GradeRecord } from "../domain/record.ts";
import { csvRows, escapedTwice, jsonRows, LABEL_COLUMNS, rowProblem } from "./label-rows.ts";
import type { LabelRow, LabelsFile } from "./label-rows.ts";
import type { Seen } from "./seen.ts";

/** A person's verdict on one grade. Fields may be absent if the rest identifies the grade. */
export interface Label {
  readonly task: string;
  readonly grader: string;
  readonly suite?: string | undefined;
  readonly model?: string | undefined;
  readonly run?: number | undefined;
  readonly passed: boolean;
  readonly note?: string | undefined;
  /** Hash of the labelled prompt, conversation and answer. */
  readonly sha256?: string | undefined;
  /** The judge's prompt at that time. */
  readonly question?: string | undefined;
  readonly at: SourceSpan;
}

/** Labels, problems of the file, and the number of empty rows. */
export interface LabelsRead {
  readonly labels: readonly Label[];
  readonly problems: readonly Problem[];
  readonly unfilled: number;
}

const PASSED = new Map(
  [
    ["true", "false"],
    ["1", "0"],
    ["yes", "no"],
    ["pass", "fail"],
  ].flatMap(([yes = "", no = ""]) => [[yes, true] as const, [no, false] as const]),
);

/** Reads labels: JSON lines when the text begins with `{`, else CSV. A row with an empty `passed` is not filled in yet. */
export function parseLabels(text: string, file: LabelsFile): LabelsRead {
  const plain = text.replace(/^\uFEFF/, "");
  const rows = plain.trimStart().startsWith("{") ? jsonRows(plain, file) : csvRows(plain, file);
  const read = rows.flatMap((row) => ("level" in row ? [row] : labelOf(row)));
  return {
    labels: read.filter((one) => one !== "unfilled").filter((one) => "passed" in one),
    problems: read.filter((one) => one !== "unfilled").filter((one) => "level" in one),
    unfilled: read.filter((one) => one === "unfilled").length,
  };
}

export type GradeToLabel = GradeRecord & Seen;

/** The table to fill in: graded grades with empty `passed` and `note`, without the judge's verdict. */
export function labelsToFillIn(grades: readonly GradeToLabel[]): string {
  const rows = grades
    .filter(isJudged)
    .map((grade) => ({ ...grade, task_id: grade.task, run_number: grade.run, passed: "", note: "" }));
  // Answers are untrusted: a spreadsheet would evaluate one that begins like a formula.
  return stringify(rows, {
    header: true,
    columns: LABEL_COLUMNS,
    escape_formulas: true,
    cast: { string: escapedTwice },
  });
}

function labelOf({ fields, at }: LabelRow): Label | Problem | "unfilled" {
  const { task_id: task = "", grader = "", run_number: run = "", passed = "", suite, model, note } = fields;
  const { sha256 = "", question = "" } = fields;
  if (passed.trim() === "") return "unfilled";
  const verdict = PASSED.get(passed.trim().toLowerCase());
  if (verdict === undefined)
    return rowProblem(
      at,
      `has \`passed: ${shorten(passed, 40)}\`.`,
      `It may be ${listedCode(PASSED.keys())}, or empty where there is no label yet.`,
    );
  if (task === "" || grader === "")
    return rowProblem(at, "does not say which grade it labels.", "Give `task_id` and `grader`.");
  if (!/^\s*\d{0,9}\s*$/.test(run))
    return rowProblem(
      at,
      `has \`run_number: ${shorten(run, 40)}\`.`,
      "Write the number of the run, or leave it empty.",
    );
  return {
    task,
    grader,
    suite: suite || undefined,
    model: model || undefined,
    run: run.trim() === "" ? undefined : Number(run),
    passed: verdict,
    note: note || undefined,
    sha256: sha256.trim().toLowerCase() || undefined,
    question: question.trim() || undefined,
    at,
  };
}
