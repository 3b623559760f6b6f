/** The limits of this room, each with its reason or its source, by the file that uses it. */

// confine.ts
/** Maximum links to follow; operating systems follow fewer. */
export const MOST_LINKS = 64;

// find.ts
/** Files that a message about a glob without a match names. */
export const MOST_SUGGESTIONS = 5;
/** Maximum files to name of a folder without a match. */
export const MOST_OF_FOLDER = 3;
/** Characters of a glob. */
export const LONGEST_GLOB = 1_000;
/** Stars in one part of a glob: each makes matching slower. */
export const MOST_STARS = 3;

// read.ts
/** Maximum open files: systems allow some hundreds. */
export const FILES_AT_ONCE = 16;
