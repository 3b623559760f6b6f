/** The limits of this room, each with its reason or its source, by the file that uses it. */

// format.ts
/** Maximum files or lines that a merged problem names. */
export const MOST_PLACES_NAMED = 3;
/** The last part of an excerpt in which it may end early, as a share of the limit. */
export const NEAR_END = 0.1;
/** Maximum models without a price to list. */
export const MOST_UNPRICED_NAMED = 5;
/** setTimeout's longest delay, in milliseconds. */
export const LONGEST_TIMEOUT_MS = 2_147_483_647;
/** Width of a terminal that does not report one. */
export const DEFAULT_COLUMNS = 100;

// quotes.ts
/** Maximum characters of a quote: at worst, V8's search takes time proportional to text times quote. */
export const LONGEST_QUOTE = 200;
/** Maximum quotes of a reason: a hostile judge may quote endlessly. */
export const MOST_QUOTES_OF_REASON = 20;

// states.ts
/** Maximum quotes of a check to list. */
export const MOST_QUOTES_LISTED = 3;
/** Characters of a listed quote. */
export const LONGEST_LISTED_QUOTE = 80;

// suggest.ts
/** Maximum characters of an id in a sentence. */
export const LONGEST_SHOWN_ID = 100;
/** Maximum characters of a name to compare. */
export const LONGEST_COMPARED_NAME = 300;
