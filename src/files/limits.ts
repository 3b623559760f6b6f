/** Limits that several files of this room share, each with its reason or its source. */

/** Maximum files of a folder. */
export const MOST_FILES = 50_000;
/** Maximum readable bytes of a folder with a fingerprint: hashing more would cost more than a judge. */
export const FINGERPRINT_BYTES = 200 * 1024 * 1024;
