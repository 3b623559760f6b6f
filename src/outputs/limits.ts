/** The limits of this room, each with its reason or its source, by the file that uses it. */

// content
/** Characters: a longer text is not parsed again to find a line. */
export const LONGEST_LOCATED = 20_000_000;
/** Levels of a value; writers of JSON fail at some thousands. */
export const MOST_NESTED = 1_000;
/** With more non-JSON lines than this, the file is not JSON lines. */
export const MOST_BROKEN_LINES = 20;
/** Maximum values of one line of JSON lines: to find where each ends takes a parse of the rest of the line. */
export const MOST_VALUES_OF_LINE = 100;
/** Maximum characters to quote of a line. */
export const LONGEST_QUOTED_LINE = 200;

// formats/waza.ts
/** Maximum characters of an error message for the judge. */
export const LONGEST_RUN_ERROR = 2_000;
/** Maximum misspelled keys to report per file. */
export const MOST_MISSPELLED = 20;

// file-formats.ts
/** Maximum rows to look at. */
export const MOST_ROWS_LOOKED_AT = 1_000;

// run-folders.ts
/** Characters of a key or a name of a run.json that a message shows. */
export const LONGEST_NAME = 60;

// session.ts
/** Maximum keys of a row that a message names. */
export const MOST_ROW_KEYS = 10;
