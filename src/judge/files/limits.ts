/** What a judge may read: every limit of its file tools. */

/** Calls of these tools that one grade may make. */
export const MOST_READS = 40;

/** Characters of one answer, save its notes. */
export const CALL_CHARACTERS = 16_000;

/** Files in one list. */
export const ENTRIES_LISTED = 500;

/** Lines that one search shows. */
export const MATCHES_SHOWN = 100;

/** Characters of a line that a search shows. */
export const LINE_CHARACTERS = 200;

/** Bytes that one search looks through. */
export const SEARCHED_BYTES = 64 * 1024 * 1024;

/** Bytes in which a zero byte tells that a file is no text. */
export const PROBED_BYTES = 8_000;

/** Bytes of one file that can be read: what follows is left out. */
export const READABLE_BYTES = 4 * 1024 * 1024;

/** Files of a folder that are looked at. */
export const MOST_FILES = 50_000;

/** A folder with more readable bytes than this has no fingerprint: hashing it would cost more than a judge. */
export const FINGERPRINT_BYTES = 200 * 1024 * 1024;

/** Names of one folder that the evidence lists. */
export const NAMES_LISTED = 200;

/** Characters of such names, of 16 of the evidence. */
export const SHARE_OF_NAMES = 1 / 16;

/** Characters of a line; a longer one is broken, since files are read by lines. */
export const LONGEST_LINE = 4_000;
