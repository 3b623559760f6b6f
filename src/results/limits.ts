/** The limits of this room, each with its reason or its source, by the file that uses it. */

// read-baseline.ts
/** Maximum files to look into. */
export const MOST_FILES_LOOKED_INTO = 20;

// record-fields.ts
/** Maximum length of a branch's name. */
export const LONGEST_BRANCH = 60;

// records.ts
/** Maximum length of a recorded answer: pages show the part where two differ. */
export const LONGEST_ANSWER = 30_000;
/** Maximum length of a recorded reason: as much as a page can show. */
export const LONGEST_REASON = 2_000;
