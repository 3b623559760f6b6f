/** `tasks_from`: a CSV file with a header and one task per row, parsed with line numbers. */
import { CsvError, parse } from "csv-parse/sync";
import { BARE_TASK, type Task } from "../domain/suite.ts";
import { error, isProblem, onLine, type Problem, type SourceSpan } from "../domain/problem.ts";
import type { Entry } from "./entry.ts";
import { type EvalLocation, namedText } from "./eval-paths.ts";
import { problem } from "./problems.ts";
import { publishedPath } from "../files/confine.ts";
import { listed, sumOf } from "../text/format.ts";
import { closest } from "../text/suggest.ts";
import { MOST_EVAL_BYTES } from "./source.ts";

/** Maximum rows of a file, to bound memory. */
const MOST_CSV_ROWS = 100_000;

/** The library's messages quote the file at any length, so these replace them. */
const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is opened and never closed",
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "a row has more or fewer columns than the first row names",
  INVALID_OPENING_QUOTE: 'a `"` is inside a value that does not begin with one; write `""` within quotes',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing `"`; write `""` for a quote within quotes',
};

/** CsvRows of equal length, the header first; or the error with its line. */
type CsvRows = readonly CsvRow[] | { readonly reason: string; readonly line: number };

interface CsvRow {
  readonly values: readonly string[];
  readonly line: number;
}

/**
 * Reads a table as Go's encoding/csv does for waza: empty lines are skipped, quotes are strict, and every row has as
 * many columns as the first. A file without a row, or with far too many, is refused.
 */
export function parseCsv(text: string, delimiter = ","): CsvRows {
  const rows: CsvRow[] = [];
  const onRow = (values: readonly string[], { lines }: { readonly lines: number }) => {
    rows.push({ values, line: lines - breaksIn(values) });
    return null;
  };
  try {
    parse(text, { delimiter, skip_empty_lines: true, to: MOST_CSV_ROWS + 2, on_record: onRow });
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    const { code, lines } = thrown as CsvError & { readonly lines?: number | undefined };
    // The library names the end of the file.
    const last = rows.at(-1);
    const opened = last ? last.line + breaksIn(last.values) + 1 : 1;
    const line = code === "CSV_QUOTE_NOT_CLOSED" ? opened : (lines ?? 1);
    return { reason: REASONS[code] ?? "its quotes or columns are not clear", line };
  }
  if (rows.length === 0) return { reason: "it is empty, and its first row should name the columns", line: 1 };
  if (rows.length <= MOST_CSV_ROWS + 1) return rows;
  return { reason: `it has more than ${String(MOST_CSV_ROWS)} rows`, line: rows.at(-1)?.line ?? 1 };
}

/** Line breaks within a row: the library reports its last line. */
function breaksIn(record: readonly string[]): number {
  return sumOf(record.map((value) => value.match(/\r\n|\n|\r/g)?.length ?? 0));
}

/** Tasks of an eval, and their problems. */
export interface TaskList {
  readonly tasks: Task[] | "every";
  readonly problems: Problem[];
  /** Errors of tasks without graders, unless the eval has some. */
  readonly ungraded?: readonly Problem[] | undefined;
  /** The CSV file, relative to the repository's root with `/`. */
  readonly table?: string | undefined;
}

/**
 * The tasks of an eval's `tasks_from`, within its `range` (1-based over the rows below the header, both ends
 * included). A task's name is the column `id`, else `name`, else `row-N`, where N counts the rows of the range, as in
 * waza (which also calls a row with an id but no name `row-N`). `prompt` keeps its templates.
 */
export function loadCsvTasks(
  { child }: Entry,
  { csv, range = NO_RANGE }: { readonly csv: string; readonly range: readonly number[] | undefined },
  location: EvalLocation,
): TaskList {
  const rangeAt = child("range").at;
  const wrong = (one: Problem) => ({ tasks: [], problems: [one] });
  if (!isRange(range)) {
    const help =
      "Give the numbers of the first and the last row, counted from 1 below the header: `range: [1, 10]`.";
    return wrong(error("wrong-range", `\`range\` is \`[${range.join(", ")}]\`.`, { help, at: rangeAt }));
  }
  const table = readTable(csv, child("tasks_from").at, location);
  if ("level" in table) return wrong(table);
  const { columns, rows, lineOf } = table;
  if (!columns.includes("prompt")) return wrong(missingPromptColumn(columns, lineOf(1)));
  const [first = 1, last = Infinity] = isUnset(range) ? [] : range;
  const { tasks, problems } = toTasks({ ...table, rows: rows.slice(first - 1, last) });
  if (tasks.length === 0 && problems.length === 0) return wrong(problem("no-rows", lineOf(1), rows.length));
  const short =
    last !== Infinity && last > rows.length ? [problem("rows-missing", rangeAt, last, rows.length)] : [];
  return { tasks, problems: [...short, ...problems], table: lineOf(1).path };
}

/** waza's `[0, 0]`: no range. */
const NO_RANGE = [0, 0];

function isUnset([first, last]: readonly number[]): boolean {
  return first === 0 && last === 0;
}

function isRange(range: readonly number[]): boolean {
  const [first = 0, last = 0] = range;
  const isWhole = range.length === 2 && range.every((number) => Number.isInteger(number));
  return isWhole && ((first >= 1 && last >= first) || isUnset(range));
}

interface TaskTable {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  readonly lineOf: (line: number) => SourceSpan;
}

function readTable(name: string, at: SourceSpan, location: EvalLocation): TaskTable | Problem {
  const named = { name, at, label: "`tasks_from`" };
  const read = namedText([location.folder], named, { location, most: MOST_EVAL_BYTES });
  if (isProblem(read)) return read;
  const where = publishedPath(read.real, location.workspace);
  const lineOf = (line: number) => onLine(where, line);
  const rows = parseCsv(read.text);
  if ("reason" in rows) {
    const message = `the file is not a table of tasks: ${rows.reason}.`;
    const help = `Correct line ${String(rows.line)}.`;
    return error("broken-table", message, { help, at: lineOf(rows.line) });
  }
  return { columns: rows[0]?.values ?? [], rows: rows.slice(1), lineOf };
}

function missingPromptColumn(columns: readonly string[], at: SourceSpan): Problem {
  const meant = closest("prompt", columns.slice(0, 100));
  const named = listed(columns.map((name) => `\`${name}\``));
  const message = `the file has no column \`prompt\`; its first row names ${named || "none"}.`;
  const help =
    meant === undefined
      ? "Name the columns in the first row, separated by commas."
      : `Should \`${meant}\` be \`prompt\`?`;
  return error("no-prompt-column", message, { help, at });
}

function toTasks({ columns, rows, lineOf }: TaskTable): TaskList {
  const [ids, names, prompts] = ["id", "name", "prompt"].map((column) => columns.lastIndexOf(column));
  const problems: Problem[] = [];
  const lines = new Map<string, number>();
  const tasks = rows.flatMap(({ values, line }, index): Task[] => {
    const valueOf = (column = -1) => values[column] || undefined;
    const id = valueOf(ids) ?? valueOf(names) ?? `row-${String(index + 1)}`;
    const taken = lines.get(id);
    if (taken !== undefined) {
      const by = `line ${String(taken)}`;
      problems.push(problem("taken-task", lineOf(line), id, by, "row a unique `id`"));
      return [];
    }
    lines.set(id, line);
    return [{ id, name: valueOf(names) ?? id, ...BARE_TASK, prompt: valueOf(prompts) }];
  });
  return { tasks, problems };
}
