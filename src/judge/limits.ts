/** Limits that several files of this room share, each with its reason or its source. */

/** Characters of a message that are matched: after them some servers quote the request, and so the agent's output. */
export const MATCHED_ERROR_LENGTH = 600;
/** Minimum characters that a conversation gets. */
export const LEAST_CONVERSATION = 2_000;
/** Characters per token: most in English text, fewest in denser text (code, other scripts); budgets of tokens go by the usual. */
export const CHARACTERS_PER_TOKEN = { most: 4.5, usual: 4, fewest: 2.5 };
/** Default characters of evidence, about 60,000 tokens: leaves a 128k-context judge room for its prompt and answer. */
export const EVIDENCE_BUDGET = 60_000 * CHARACTERS_PER_TOKEN.usual;
/** Maximum calls per grade. */
export const MOST_READS = 40;
/** Maximum time that the other requests of a run wait for the first, in milliseconds. */
export const LONGEST_LEAD_MS = 30_000;
