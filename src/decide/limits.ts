/** The limits of this room, each with its reason or its source, by the file that uses it. */

// chance.ts
/**
 * Maximum runs, over all tasks, that differ from their task's most frequent result, for exact counting, which grows with
 * the cube. Above it the normal approximation is right to .0003 at p = .05 with equal sides, and to .002 with three
 * baseline runs for each current run.
 */
export const MOST_EXACT_RUNS = 300;
/** Maximum of these runs times the other values of their task: a task's cost beyond its runs. */
export const MOST_EXACT_VALUES = 2_000;

// names.ts
/** Maximum length of an id in a message. */
export const LONGEST_ID = 100;

// golden.ts
/** Maximum golden tasks, or other tasks and graders, named in a sentence. */
export const MOST_NAMED = 3;

// lift.ts
/** Maximum skills that a title or a sentence names. */
export const MOST_SKILLS_NAMED = 3;

// pairs.ts
/** Maximum length of a branch's name on a page. */
export const LONGEST_BRANCH = 60;

// judge-problems.ts
/** Minimum grades for a notice that no reasoning is reported: with little effort, a model does not always reason. */
export const FEWEST_WITHOUT_REASONING = 5;
/** Characters of 4,096 tokens: the longest beginning that any provider documents as the shortest that it caches. */
export const LEAST_CACHED_CHARACTERS = 4 * 4_096;

// run-problems.ts
/** Maximum length of a quoted error message. */
export const LONGEST_ERROR = 160;
/** Maximum number of quoted errors. */
export const MOST_ERRORS = 3;
/** Maximum number of named tools. */
export const MOST_TOOLS = 3;
