/** The limits of this room, each with its reason or its source, by the file that uses it. */

// read-baseline.ts
/** Maximum files to look into. */
export const MOST_FILES_LOOKED_INTO = 20;

// row-file.ts
/** Maximum length of a text that a results file keeps, as an answer: pages show the part where two differ. */
export const LONGEST_KEPT_TEXT = 30_000;

/** Maximum runs of a query of a trigger eval in one file. */
export const MOST_TRIGGER_RUNS = 1_000;

// rows.ts
/** Maximum refused tools that a row names. */
export const MOST_REFUSED_TOOLS = 5;
/** Maximum length of a recorded reason: as much as a page can show. */
export const LONGEST_REASON = 2_000;
/** Characters of a prompt beside the number of a skill's eval: a column of a table. */
export const LONGEST_TASK_PROMPT = 40;
