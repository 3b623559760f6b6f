/** People's verdicts on grades, from a table (CSV) or JSON lines, and the table to fill in. Pure. */
import { stringify } from "csv-stringify/sync";
import type { Problem, SourceSpan } from "../domain/location.ts";
import { listedCode, shorten } from "../text/format.ts";
import { isJudged } from "../domain/record.ts";
import type { GradeRecord } from "../domain/record.ts";
import { csvRows, escapedTwice, jsonRows, LABEL_COLUMNS, rowProblem } from "./label-rows.ts";
import type { LabelRow, LabelsFile } from "./label-rows.ts";
import type { Seen } from "./seen.ts";

/** A person's verdict on one grade. What is absent need not be said: it names the grade well enough without. */
export interface Label {
  readonly task: string;
  readonly grader: string;
  readonly suite?: string | undefined;
  readonly model?: string | undefined;
  readonly run?: number | undefined;
  readonly passed: boolean;
  readonly note?: string | undefined;
  /** Of the task's prompt, the conversation and the answer that were labelled. */
  readonly sha256?: string | undefined;
  /** What the judge was asked of it then. */
  readonly question?: string | undefined;
  readonly at: SourceSpan;
}

/** Labels, what is wrong with the file, and how many rows nobody has filled in yet. */
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

/** Reads labels: JSON lines where the text begins with `{`, else CSV. A row whose `passed` is empty is not filled in yet. */
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

/** A grade, and what people see of it. */
export type GradeToLabel = GradeRecord & Seen;

/** The graded ones as a table for people to fill in: `passed` and `note` are empty, and the judge's verdict is not told. */
export function labelsToFillIn(grades: readonly GradeToLabel[]): string {
  const rows = grades
    .filter(isJudged)
    .map((grade) => ({ ...grade, task_id: grade.task, run_number: grade.run, passed: "", note: "" }));
  // Answers are anybody's: a spreadsheet would run one that begins like a formula.
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
