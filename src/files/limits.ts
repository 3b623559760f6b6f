/** The limits of this room, each with its reason or its source, by the file that uses it. */

// confine.ts
/** Maximum links to follow; operating systems follow fewer. */
export const MOST_LINKS = 64;

// find.ts
/** Characters of a glob. */
export const LONGEST_GLOB = 1_000;
/** Stars in one part of a glob: each makes matching slower. */
export const MOST_STARS = 3;

// folder.ts
/** Maximum files of a folder. */
export const MOST_FILES = 50_000;
/** Maximum readable bytes of one file. */
export const READABLE_BYTES = 4 * 1024 * 1024;
/** Maximum readable bytes of a folder with a fingerprint: hashing more would cost more than a judge. */
export const FINGERPRINT_BYTES = 200 * 1024 * 1024;

// git.ts
/** Time limit for git, which normally needs well under a second. */
export const GIT_TIMEOUT_MS = 60_000;
/** Bytes of git's output. */
export const MOST_GIT_BYTES = 64_000_000;

// read.ts
/** Maximum open files: systems allow some hundreds. */
export const FILES_AT_ONCE = 16;
