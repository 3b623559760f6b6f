/** Limits that several files of this room share, each with its reason or its source. */

/** Annotations of each level that one step may make by workflow commands; the runner drops the rest. */
const JOB_ANNOTATIONS_PER_LEVEL = 10;
/** Maximum annotations per level: one of each is reserved for the step's last line and its notices. */
export const MOST_PER_LEVEL = JOB_ANNOTATIONS_PER_LEVEL - 1;
/** Lines of a list. */
export const MOST_LINES = 50;
