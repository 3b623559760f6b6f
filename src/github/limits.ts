/** The limits of this room, each with its reason or its source, by the file that uses it. */

// api.ts
/** Tries after the first, for 5xx, broken connections and rate limits. */
export const MOST_RETRIES = 3;
/** Seconds to wait before looking for a write's result. */
export const LOOK_AFTER_SECONDS = 2;
/** Maximum open connections. */
export const MOST_CONNECTIONS = 10;
/** Entries of a page: GitHub's most. */
export const PAGE_SIZE = 100;
/** Maximum pages of comments to search. */
export const MOST_PAGES = 100;

// changes.ts
/** GitHub's maximum of listed files (https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files). */
export const MOST_CHANGED_FILES = 3_000;
/** Maximum unchanged evals that a notice names. */
export const MOST_UNCHANGED_NAMED = 50;
