/** Limits that several files of this room share, each with its reason or its source. */

/** Maximum length of an id in a message. */
export const LONGEST_ID = 100;
/** Maximum golden tasks, other tasks, graders, skills or tools named in a sentence. */
export const MOST_NAMED = 3;
