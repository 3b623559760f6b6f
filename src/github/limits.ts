/** Limits that several files of this room share, each with its reason or its source. */

/** Entries of a page: GitHub's most. */
export const PAGE_SIZE = 100;
/** Maximum pages of a list: of comments, runs, artifacts. */
export const MOST_PAGES = 100;
