/**
 * People's labels: read from CSV or JSON lines, and the table to fill in, with the hash that ties a label to what
 * annotators were shown.
 */
import { stringify } from "csv-stringify/sync";
import type { GradingJob } from "../domain/grade.ts";
import { type Row, type SeenRun, isJudged } from "../domain/row.ts";
import type { Run, Step } from "../domain/run.ts";
import type { Grader } from "../domain/suite.ts";
import { error, notice, warning, onLine, type Problem, type SourceSpan } from "../domain/problem.ts";
import { parseCsv } from "../evals/csv.ts";
import { lookUp } from "../files/confine.ts";
import { notFollowed, readTextOrProblem } from "../files/read.ts";
import { digest, joinSections } from "../judge/digest.ts";
import { hashOf } from "../text/hash.ts";
import { reasonOf } from "../results/rows.ts";
import { count, isObject, jsonOf, listed, listedCode, plural, shorten } from "../text/format.ts";
import { closest, didYouMean } from "../text/suggest.ts";

/** Maximum bytes of a labels file: thousands of labels with their answers. */
const MOST_LABELS_BYTES = 50e6;
/** Maximum length of each text: a spreadsheet's cell takes 32,767. */
const LONGEST_LABEL_TEXT = 30_000;

/** The columns in their order; `asked`, `conversation` and `answer` are for people and are not read back. */
const LABEL_COLUMNS = [
  "suite",
  "model",
  "task_id",
  "run_number",
  "grader",
  "statement",
  "passed",
  "note",
  "asked",
  "question",
  "conversation",
  "answer",
  "sha256",
] as const;

/** What a person labels of a grade: each statement of its list by itself, else the whole grade. */
export function toLabel(row: Row): Row[] {
  return numbersOf(row).map((statement) => {
    if (statement === undefined || !isJudged(row)) return { ...row, statement };
    const checks = row.checks.filter((check) => check.statement === statement);
    const passed = checks.length > 0 && checks.every(({ outcome }) => outcome === "pass");
    const reason = reasonOf(checks, passed, undefined);
    return checks.length === 0
      ? { ...row, statement, state: "errored", score: undefined, reason: "The judge gave no verdict on it." }
      : { ...row, statement, state: passed ? "passed" : "failed", score: passed ? 1 : 0, reason };
  });
}

/** The numbers of a grader's statements; one that is undefined without a list. */
export function numbersOf({ statements = [] }: Pick<Grader, "statements">): (number | undefined)[] {
  return statements.length === 0 ? [undefined] : statements.map((_, index) => index + 1);
}

/** The table to fill in: judged grades with empty `passed` and `note`, without the judge's verdict. `plain` makes texts harmless. */
export function labelsToFillIn(rows: readonly Row[], plain: (text: string) => string): string {
  const lines = rows
    .flatMap(toLabel)
    .filter(isJudged)
    .map((row) => ({
      suite: row.suite,
      model: row.model,
      task_id: row.task,
      run_number: row.run,
      grader: row.grader,
      statement: row.statement,
      ...shownOf(row, plain),
    }));
  // Answers are untrusted: a spreadsheet would evaluate one that begins like a formula.
  return stringify(lines, {
    header: true,
    columns: LABEL_COLUMNS,
    escape_formulas: true,
    cast: { string: escapedTwice },
  });
}

const ESCAPED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Escapes a value that looks escaped already, so that reading restores it. */
function escapedTwice(value: string): string {
  return ESCAPED.test(value) ? `'${value}` : value;
}

const FILL_IN = "`reports: labels=labels.csv` writes one to fill in.";

/** A person's verdict on one grade. Fields may be absent if the rest identifies the grade. */
export interface Label {
  readonly task: string;
  readonly grader: string;
  readonly statement?: number | undefined;
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

/** Reads the file (an absolute path); rows without a verdict are counted in a notice. */
export async function readLabels(file: string, workspace: string) {
  const found = lookUp(file, workspace);
  const refused = notFollowed(found);
  if (refused) return { labels: [], paths: [], problems: [refused] };
  // The file's real path.
  const paths = [found.real];
  const text = await readTextOrProblem(found, MOST_LABELS_BYTES);
  if (typeof text !== "string")
    return { labels: [], paths, problems: [{ ...text, help: text.help ?? FILL_IN }] };
  const { labels, problems, unfilled } = parseLabels(text, found.at);
  const empty = `${count(unfilled, "row")} ${plural(unfilled, "has", "have")} no label yet: \`passed\` is empty.`;
  return {
    labels,
    paths,
    problems: [...problems, ...(unfilled > 0 ? [notice("labels-to-fill-in", empty, { at: found.at })] : [])],
  };
}

export type PeoplesLabels = Awaited<ReturnType<typeof readLabels>>;

/** Location of the file, without a line. */
type LabelsFile = Pick<SourceSpan, "path" | "inRepository">;

/** Reads labels: JSON lines when the text begins with `{`, else CSV; a row with an empty `passed` is not filled in yet. */
export function parseLabels(text: string, file: LabelsFile) {
  const plain = text.replace(/^\uFEFF/, "");
  const rows = plain.trimStart().startsWith("{") ? jsonRows(plain, file) : csvRows(plain, file);
  const read = rows.flatMap((row) => ("level" in row ? [row] : labelOf(row)));
  const filled = read.filter((one) => one !== "unfilled");
  return {
    labels: filled.filter((one) => "passed" in one),
    problems: filled.filter((one) => "level" in one),
    unfilled: read.length - filled.length,
  };
}

/** One row, and its first line. */
interface LabelRow {
  readonly fields: Readonly<Partial<Record<(typeof LABEL_COLUMNS)[number], string>>>;
  readonly at: SourceSpan;
}

/** One JSON object a line; empty lines are ignored. */
function jsonRows(text: string, file: LabelsFile): (LabelRow | Problem)[] {
  return text.split("\n").flatMap((line, index): (LabelRow | Problem)[] => {
    if (line.trim() === "") return [];
    const at = onLine(file, index + 1);
    const value = jsonOf(line);
    if (!isObject(value)) {
      const help = 'Write `{"task_id": "…", "grader": "…", "passed": true}` on one line.';
      return [error("wrong-label-line", "the line is not a JSON object with one label.", { help, at })];
    }
    const plain = Object.entries(value).filter(([, field]) =>
      ["string", "number", "boolean"].includes(typeof field),
    );
    return [{ fields: Object.fromEntries(plain.map(([name, field]) => [name, String(field)])), at }];
  });
}

const REQUIRED = ["task_id", "grader", "passed"] as const;

/** The rows of a table whose first row names the columns; or the problem, with its line. */
function csvRows(text: string, file: LabelsFile): (LabelRow | Problem)[] {
  const rows = parseCsv(text, delimiterOf(text));
  if ("reason" in rows) {
    const message = `the file is not a table of labels: ${rows.reason}.`;
    return [
      error("broken-labels", message, {
        help: `Correct line ${String(rows.line)}.`,
        at: onLine(file, rows.line),
      }),
    ];
  }
  const [header, ...rowsBelow] = rows;
  const names = (header?.values ?? []).map((name) => name.trim());
  const at = onLine(file, header?.line ?? 1);
  const missing = REQUIRED.filter((name) => !names.includes(name));
  if (missing.length > 0) return [missingColumns(missing, names, at)];
  const [twice] = LABEL_COLUMNS.filter((name) => names.filter((one) => one === name).length > 1);
  if (twice !== undefined) {
    const message = `the file has more than one column \`${twice}\`.`;
    return [error("repeated-column", message, { help: "Keep the correct one.", at })];
  }
  // Without the apostrophe that keeps a spreadsheet from evaluating a value.
  const unescaped = (value = "") => (ESCAPED.test(value) ? value.slice(1) : value);
  return [
    ...unknownColumns(names, at),
    ...rowsBelow.map(({ values, line }) => ({
      fields: Object.fromEntries(names.map((name, index) => [name, unescaped(values[index])])),
      at: onLine(file, line),
    })),
  ];
}

/** The separator of the header: spreadsheets choose it by their language. */
function delimiterOf(text: string): string {
  const [header = ""] = text.split("\n", 1);
  const [most = ","] = [",", ";", "\t"].sort((a, b) => header.split(b).length - header.split(a).length);
  return most;
}

function missingColumns(missing: readonly string[], names: readonly string[], at: SourceSpan): Problem {
  const columns = names.length > 0 ? listed(names.map((name) => `\`${shorten(name, 40)}\``)) : "none";
  const message = `the file has no column ${missing.map((name) => `\`${name}\``).join(", ")}; its first row names ${columns}.`;
  const help =
    "Required columns: `task_id`, `grader` and `passed`. Optional ones: `statement`, `run_number`, `suite`, `model`, `note` and `sha256`. Save a spreadsheet as CSV.";
  return error("missing-columns", message, { help, at });
}

function unknownColumns(names: readonly string[], at: SourceSpan): Problem[] {
  const known: readonly string[] = LABEL_COLUMNS;
  return names.flatMap((name): Problem[] => {
    const meant = known.includes(name) ? undefined : closest(name, known);
    if (meant === undefined) return [];
    const message = `the file has a column \`${shorten(name, 40)}\`, which is not read.`;
    return [warning("unread-column", message, { help: didYouMean(meant), at })];
  });
}

const PASSED = new Map(
  [
    ["true", "false"],
    ["1", "0"],
    ["yes", "no"],
    ["pass", "fail"],
  ].flatMap(([yes = "", no = ""]) => [[yes, true] as const, [no, false] as const]),
);

function labelOf({ fields, at }: LabelRow): Label | Problem | "unfilled" {
  const { task_id: task = "", grader = "", run_number: run = "", passed = "", suite, model, note } = fields;
  const { statement = "", sha256 = "", question = "" } = fields;
  if (passed.trim() === "") return "unfilled";
  const verdict = PASSED.get(passed.trim().toLowerCase());
  if (verdict === undefined)
    return error("wrong-label", `the row has \`passed: ${shorten(passed, 40)}\`.`, {
      help: `It may be ${listedCode(PASSED.keys())}, or empty where there is no label yet.`,
      at,
    });
  if (task === "" || grader === "")
    return error("label-of-nothing", "the row does not say which grade it labels.", {
      help: "Give `task_id` and `grader`.",
      at,
    });
  for (const [column, text, what] of [
    ["run_number", run, "run"],
    ["statement", statement, "statement"],
  ] as const) {
    if (/^\d{0,9}$/.test(text.trim())) continue;
    const help = `Write the number of the ${what}, or leave it empty.`;
    return error("wrong-label-number", `the row has \`${column}: ${shorten(text, 40)}\`.`, { help, at });
  }
  return {
    task,
    grader,
    suite: suite || undefined,
    model: model || undefined,
    run: cellNumber(run),
    statement: cellNumber(statement),
    passed: verdict,
    note: note || undefined,
    // What people saw of the grade.
    sha256: sha256.trim().toLowerCase() || undefined,
    question: question.trim() || undefined,
    at,
  };
}

function cellNumber(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}

/** What annotators are shown of a row, each text up to 30,000 characters. */
function shownOf(row: Row, plain: (text: string) => string): Record<string, string> {
  const { conversation = "", sha256 = "" } = row.seen ?? {};
  const texts = { asked: row.asked, question: questionOf(row), conversation, answer: row.answer };
  const shown = Object.entries(texts).map(([name, text]) => [name, plain(cut(text)).trim()]);
  return { ...(Object.fromEntries(shown) as Record<string, string>), sha256 };
}

/** The judge's prompt, or the statement. */
export function questionOf({
  statement,
  statements = [],
  prompt,
  rubric,
}: Pick<Row, "statement"> & Pick<Grader, "statements" | "prompt" | "rubric">): string {
  if (statement !== undefined) return statements[statement - 1]?.text ?? "";
  return [prompt, rubric?.instructions ?? ""].join("\n\n");
}

function cut(text: string): string {
  return shorten(text.trim(), LONGEST_LABEL_TEXT);
}

/** The conversation of a job's run as annotators see it; the job is redacted, so that the table has the same hash. */
export function seenRun(job: GradingJob): SeenRun {
  const steps = job.run?.steps ?? [];
  return {
    conversation: steps.length === 0 ? "" : cut(joinSections(digest(steps, LONGEST_LABEL_TEXT).sections)),
    sha256: labelHash(job),
  };
}

/** Hash of the whole task prompt, conversation and answer, which a label belongs to. */
export function labelHash({ run, task }: Pick<GradingJob, "run" | "task">): string {
  const { prompt = task.prompt ?? "", finalOutput = "", steps = [] }: Partial<Run> = run ?? {};
  return hashOf([prompt, finalOutput, ...steps.flatMap(textsOf)]);
}

/** The texts of a step, without its success, which depends on the reader of the log. */
function textsOf(step: Step): string[] {
  return step.kind === "tool" ? [step.name, step.input, step.result ?? ""] : [step.kind, step.text];
}
