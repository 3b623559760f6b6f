/** The limits of this room, each with its reason or its source, by the file that uses it. */

// plan.ts
/** Maximum ids of the results to compare with a misspelled task id. */
export const MOST_IDS_COMPARED = 100;

// missing.ts
/** Maximum missing runs of a task to list: a file may claim any number. */
export const MOST_MISSING = 100;

// problems.ts
/** Maximum left-out tasks that a notice names. */
export const MOST_LEFT_OUT_NAMED = 50;
