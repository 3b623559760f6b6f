/** Parses CSV text into rows with line numbers. */
import { CsvError, parse } from "csv-parse/sync";

/** Maximum rows of a file, to bound memory. */
const MOST_ROWS = 100_000;

export interface Row {
  readonly values: readonly string[];
  readonly line: number;
}

/** Rows of equal length, the header first; or the error with its line. */
export type Rows = readonly Row[] | { readonly reason: string; readonly line: number };

/**
 * Reads a table as Go's encoding/csv does for waza: empty lines are skipped, quotes are strict, and every row has as
 * many columns as the first. A file without a row, or with far too many, is refused.
 */
export function parseCsv(text: string, delimiter = ","): Rows {
  try {
    const records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MOST_ROWS + 2,
    }) as unknown as readonly {
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }[];
    const rows = records.map(({ record, info }) => ({ values: record, line: info.lines - breaksIn(record) }));
    const columns = rows[0]?.values.length;
    if (columns === undefined)
      return { reason: "it is empty, and its first row should name the columns", line: 1 };
    if (rows.length > MOST_ROWS + 1)
      return { reason: `it has more than ${String(MOST_ROWS)} rows`, line: rows.at(-1)?.line ?? 1 };
    const odd = rows.find(({ values }) => values.length !== columns);
    if (!odd) return rows;
    const reason = `line ${String(odd.line)} has ${String(odd.values.length)} columns, and the first row names ${String(columns)}`;
    return { reason, line: odd.line };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, lines } = error as CsvError & { readonly lines?: number | undefined };
    return { reason: REASONS[code] ?? "its quotes or columns cannot be told apart", line: lines ?? 1 };
  }
}

/** The library's messages quote the file at any length, so these replace them. */
const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is opened and never closed",
  INVALID_OPENING_QUOTE: 'a `"` is inside a value that does not begin with one; write `""` within quotes',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing `"`; write `""` for a quote within quotes',
};

/** Line breaks within a row: the library reports its last line. */
function breaksIn(record: readonly string[]): number {
  return record.reduce((sum, value) => sum + (value.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}
