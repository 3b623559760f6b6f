/** Limits that several files of this room share, each with its reason or its source. */

/** Maximum bytes of an eval or task file, a hundred times the largest real ones. */
export const MOST_EVAL_BYTES = 10_000_000;
/** Maximum characters of an id or a key in a message. */
export const LONGEST_ID = 60;
