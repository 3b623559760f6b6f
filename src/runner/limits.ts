/** The limits of this room, each with its reason or its source, by the file that uses it. */

// run-command.ts
/** Milliseconds that a program may take to say its version. */
export const VERSION_MS = 30_000;

// start-program.ts
/** Milliseconds between asking a program to end and killing it: agents write their last rows. */
export const GENTLE_MS = 10_000;
/** Milliseconds that output may stay open after the program has ended. */
export const STAYS_MS = 1_000;
/** Bytes of a program's output: longer than any log that can be graded. */
export const MOST_LOG_BYTES = 200_000_000;

// work.ts
/** Lines of a dead run that the table at the end shows. */
export const LAST_LINES = 3;
/** Bytes at the end of what a program printed in which these are looked for. */
export const LAST_BYTES = 4_000;

// run-evals.ts
/** Tries of a run in which the agent never got to work. */
export const MOST_TRIES = 3;
/** Milliseconds before the second try, and before the third. */
export const PAUSES_MS = [15_000, 60_000] as const;

/** The longest that the run of a trigger eval may take: a skill is loaded at its beginning. */
export const TRIGGER_MS = 60_000;
