/** Limits that several files of this room share, each with its reason or its source. */

/** Bytes of a program's output: longer than any log that can be graded. */
export const MOST_LOG_BYTES = 200_000_000;
