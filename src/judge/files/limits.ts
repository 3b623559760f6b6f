/** Limits of the judge's file tools. */

/** Maximum calls per grade. */
export const MOST_READS = 40;

/** Maximum characters of one answer, without its notes. */
export const CALL_CHARACTERS = 16_000;

/** Maximum files in one list. */
export const MOST_ENTRIES = 500;

/** Maximum matching lines per search. */
export const MOST_MATCHES = 100;

/** Maximum characters of a line in a search. */
export const LINE_CHARACTERS = 200;

/** Maximum bytes that one search reads. */
export const MOST_SEARCH_BYTES = 64 * 1024 * 1024;

/** Leading bytes to check: a zero byte among them marks a binary file. */
export const PROBE_BYTES = 8_000;

/** Maximum readable bytes of one file. */
export const READABLE_BYTES = 4 * 1024 * 1024;

/** Maximum files of a folder. */
export const MOST_FILES = 50_000;

/** Maximum readable bytes of a folder with a fingerprint: hashing more would cost more than a judge. */
export const FINGERPRINT_BYTES = 200 * 1024 * 1024;

/** Maximum names per folder in the evidence. */
export const MOST_NAMES = 200;

/** Maximum share of the evidence for a folder's names. */
export const SHARE_OF_NAMES = 1 / 16;

/** Maximum characters of a line in `output/`; longer ones are wrapped, since files are read by lines. */
export const LONGEST_LINE = 4_000;
