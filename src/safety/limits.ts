/** Limits that several files of this room share, each with its reason or its source. */

/** A shorter secret is only masked in the log: blanking it everywhere would blank ordinary words. */
export const SHORTEST_SECRET = 8;
