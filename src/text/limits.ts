/** Limits that several files of this room share, each with its reason or its source. */

/** setTimeout's longest delay, in milliseconds. */
export const LONGEST_TIMEOUT_MS = 2_147_483_647;
