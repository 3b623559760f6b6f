/** The rows of a labels file, CSV or JSON lines, as text by column. Pure. */
import type { Problem, SourceSpan } from "../domain/location.ts";
import { listed, shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";
import { parseCsv } from "../waza/csv/table.ts";
import { error, warning } from "../text/problem.ts";

const REQUIRED = ["task_id", "grader", "passed"] as const;
/** The columns in their order; `asked`, `conversation` and `answer` are for people and are not read back. */
export const LABEL_COLUMNS = [
  "suite",
  "model",
  "task_id",
  "run_number",
  "grader",
  "passed",
  "note",
  "asked",
  "question",
  "conversation",
  "answer",
  "sha256",
] as const;
type Column = (typeof LABEL_COLUMNS)[number];

export type LabelFields = Readonly<Partial<Record<Column, string>>>;

/** Location of the file, without a line. */
export type LabelsFile = Pick<SourceSpan, "path" | "inRepository">;

/** One row, and its first line. */
export interface LabelRow {
  readonly fields: LabelFields;
  readonly at: SourceSpan;
}

/** The rows of a table whose first row names the columns; or the problem, with its line. */
export function csvRows(text: string, file: LabelsFile): (LabelRow | Problem)[] {
  const rows = parseCsv(text, delimiterOf(text));
  if ("reason" in rows) {
    const message = `\`${file.path}\` is not a table of labels: ${rows.reason}.`;
    return [error(message, { help: `Correct line ${String(rows.line)}.`, at: lineOf(file, rows.line) })];
  }
  const [header, ...others] = rows;
  const names = (header?.values ?? []).map((name) => name.trim());
  const at = lineOf(file, header?.line ?? 1);
  const missing = REQUIRED.filter((name) => !names.includes(name));
  if (missing.length > 0) return [missingColumns(missing, names, at)];
  const [twice] = LABEL_COLUMNS.filter((name) => names.filter((one) => one === name).length > 1);
  if (twice !== undefined) {
    const message = `\`${at.path}\` has more than one column \`${twice}\`.`;
    return [error(message, { help: "Keep the correct one.", at })];
  }
  return [
    ...unknownColumns(names, at),
    ...others.map(({ values, line }) => ({
      fields: Object.fromEntries(names.map((name, index) => [name, unescaped(values[index] ?? "")])),
      at: lineOf(file, line),
    })),
  ];
}

/** The separator of the header: spreadsheets choose it by their language. */
function delimiterOf(text: string): string {
  const [header = ""] = text.split("\n", 1);
  const [most = ","] = [",", ";", "\t"].sort((a, b) => header.split(b).length - header.split(a).length);
  return most;
}

const ESCAPED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Removes the apostrophe that keeps a spreadsheet from evaluating a value. */
function unescaped(value: string): string {
  return ESCAPED.test(value) ? value.slice(1) : value;
}

/** Escapes a value that looks escaped already, so that reading restores it. */
export function escapedTwice(value: string): string {
  return ESCAPED.test(value) ? `'${value}` : value;
}

function missingColumns(missing: readonly string[], names: readonly string[], at: SourceSpan): Problem {
  const columns = names.length > 0 ? listed(names.map((name) => `\`${shorten(name, 40)}\``)) : "none";
  const message = `\`${at.path}\` has no column ${missing.map((name) => `\`${name}\``).join(", ")}; its first row names ${columns}.`;
  const help =
    "Required columns: `task_id`, `grader` and `passed`. Optional ones: `run_number`, `suite`, `model`, `note` and `sha256`. Save a spreadsheet as CSV.";
  return error(message, { help, at });
}

function unknownColumns(names: readonly string[], at: SourceSpan): Problem[] {
  const known: readonly string[] = LABEL_COLUMNS;
  return names.flatMap((name): Problem[] => {
    const meant = known.includes(name) ? undefined : closest(name, known);
    if (meant === undefined) return [];
    const message = `\`${at.path}\` has a column \`${shorten(name, 40)}\`, which is not read.`;
    return [warning(message, { help: `Did you mean \`${meant}\`?`, at })];
  });
}

/** One JSON object a line; empty lines are ignored. */
export function jsonRows(text: string, file: LabelsFile): (LabelRow | Problem)[] {
  return text.split("\n").flatMap((line, index): (LabelRow | Problem)[] => {
    if (line.trim() === "") return [];
    const at = lineOf(file, index + 1);
    const fields = jsonFields(line);
    if (fields) return [{ fields, at }];
    const help = 'Write `{"task_id": "…", "grader": "…", "passed": true}` on one line.';
    return [rowProblem(at, "is not a JSON object with one label.", help)];
  });
}

function jsonFields(line: string): LabelFields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const plain = Object.entries(value).filter(([, field]) =>
      ["string", "number", "boolean"].includes(typeof field),
    );
    return Object.fromEntries(plain.map(([name, field]) => [name, String(field)]));
  } catch {
    return undefined;
  }
}

/** A problem of a row or its label. */
export function rowProblem(at: SourceSpan, message: string, help: string): Problem {
  return error(`Line ${String(at.startLine)} of \`${at.path}\` ${message}`, { help, at });
}

function lineOf(file: LabelsFile, line: number): SourceSpan {
  return { ...file, startLine: line, endLine: line };
}
