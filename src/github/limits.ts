/** The limits of this room, each with its reason or its source, by the file that uses it. */

// client.ts
/** Tries after the first, for 5xx, broken connections and rate limits. */
export const MOST_RETRIES = 3;
/** Seconds to wait before looking for a write's result. */
export const LOOK_AFTER_SECONDS = 2;
/** Maximum open connections. */
export const MOST_CONNECTIONS = 10;

// api.ts, kept-results.ts
/** Entries of a page: GitHub's most. */
export const PAGE_SIZE = 100;
/** Maximum pages of a list: of comments, runs, artifacts. */
export const MOST_PAGES = 100;

// kept-results.ts
/** Results of the default branch that are compared with: they cost nothing, and find more (docs/baseline.md). */
export const KEPT_RESULTS = 5;
/** Bytes of an archive, and of a file in it: far more than any record. */
export const MOST_RESULTS_BYTES = 200_000_000;

// changes.ts
/** GitHub's maximum of listed files (https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files). */
export const MOST_CHANGED_FILES = 3_000;
/** Maximum unchanged evals that a notice names. */
export const MOST_UNCHANGED_NAMED = 50;
