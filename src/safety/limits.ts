/** The limits of this room, each with its reason or its source, by the file that uses it. */

// redact.ts
/** A shorter secret is only masked in the log: blanking it everywhere would blank ordinary words. */
export const SHORTEST_SECRET = 8;
/** Characters of the shortest token that SHAPES knows, Slack's: most texts are keys and words of a results file. */
export const SHORTEST_TOKEN = 15;
/** Characters of a text that is kept with its redacted form: longer ones seldom come again. */
export const LONGEST_KEPT = 1_000;

// sanitize.ts
/** Characters of one line of the log. */
export const LONGEST_LOG_LINE = 4_000;
/** Maximum characters of a name shown as code. */
export const LONGEST_CODE = 300;
/** Characters of a line in a block that a page shows without scrolling. */
export const BLOCK_WIDTH = 110;
/** Characters of a line in a block that is scrolled a little. */
export const BLOCK_SCROLLED = 160;
