/** The limits of this room, each with its reason or its source, by the file that uses it. */

// csv.ts
/** Maximum rows of a file, to bound memory. */
export const MOST_CSV_ROWS = 100_000;

// keys.ts
/** Unread keys that one notice names. */
export const MOST_UNREAD_KEYS = 50;

// eval-paths.ts
/** Maximum bytes of an eval or task file, a hundred times the largest real ones. */
export const MOST_EVAL_BYTES = 10_000_000;

// rubrics.ts
/** Characters of a rubric's name in a message. */
export const LONGEST_RUBRIC_NAME = 100;
/** Rubrics that a message names. */
export const MOST_RUBRICS_LISTED = 5;
/** Maximum bytes of a rubric, which is sent with every grade. */
export const MOST_RUBRIC_BYTES = 256 * 1024;

// skill.ts
/** Maximum characters of an id or a key in a message. */
export const LONGEST_ID = 60;
/** Maximum characters of a line to write, in a message. */
export const LONGEST_LINE = 100;
/** Maximum lines to write, in a message. */
export const MOST_LINES = 3;

// unread.ts
/** Folders between SKILL.md and a file that may be its evals. */
export const MOST_FOLDERS_DOWN = 2;
/** Files of a skill to look into; those called evals come first. */
export const MOST_LOOKED_AT = 50;
/** Maximum bytes of a file to look into, ten times the largest real evals. */
export const MOST_LOOK_BYTES = 1_000_000;
/** Files of a skill that its notice names. */
export const MOST_NAMED = 3;

// yaml.ts
/** Maximum tokens of YAML's grammar: 10 MB of `- a` would take gigabytes as a document. */
export const MOST_TOKENS = 500_000;
/** Maximum levels of nesting, which could overflow the stack; real files have fewer than ten. */
export const MOST_LEVELS = 100;
/** Maximum resolved aliases: hundreds of graders may use one anchor; nested aliases can be a bomb. */
export const MOST_ALIASES = 10_000;
/** Maximum unknown keys to report per mapping: a hostile file could have any number. */
export const MOST_UNKNOWN = 50;

/** Runs of a trigger eval, as in skill-creator. */
export const TRIGGER_TRIALS = 3;
