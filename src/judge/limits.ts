/** The limits of this room, each with its reason or its source, by the file that uses it. */

// api/attempt.ts
/** Maximum tokens of a reply with a cost cap: reasoning models need some for their thoughts. */
export const MOST_REPLY_TOKENS = 8_192;
/** Words that fit into any server's context. */
export const SHORTEST_CONTEXT = 2_000;

// api/client.ts
/** Maximum bytes of a reply, compressed and decompressed: far longer than any verdict. */
export const MOST_REPLY_BYTES = 4_000_000;

// api/errors.ts
/** Characters of a server's message in an error. */
export const ERROR_EXCERPT = 300;
/** Characters of a message that are matched: after them some servers quote the request, and so the agent's output. */
export const MATCHED_ERROR_LENGTH = 600;

// api/chat.ts
/** Characters of a reply in an error. */
export const REPLY_EXCERPT = 200;

// api/retry.ts
/** Attempts at one request that fails temporarily. */
export const MOST_ATTEMPTS = 6;
/** Milliseconds: the upper bound of the wait doubles with each attempt, and the wait is random below it (full jitter). */
export const FIRST_WAIT_MS = 250;
/** Milliseconds: the longest of these upper bounds. */
export const LONGEST_WAIT_MS = 20_000;
/** Attempts at one request that is refused for a rate limit, which goes on until the deadline. */
export const MOST_RATE_LIMITED_ATTEMPTS = 100;
/** Attempts for replies that cannot be read: the first may have been truncated in transit. */
export const MOST_UNREADABLE_ATTEMPTS = 2;

// api/send.ts
/** Consecutive grades that failed with the same class, each started after the one before: about half a minute. */
export const OUTAGE_IN_A_ROW = 6;
/** Grades that a model which never answered has to refuse in the same words, to be asked no more. */
export const REFUSED_GRADES = 3;
/** Characters of a word that may be a number: longer ones name a request. */
export const LONGEST_NUMBER = 15;

// cache.ts
/** Maximum records to read for their addresses. */
export const MOST_ADDRESSES = 20;

// conversation.ts
/** Maximum tool names to report if there was no check. */
export const MOST_TOOL_NAMES = 3;
/** Maximum replies of a judge that never finishes; those that only read files do not count. */
export const MOST_REPLIES = 64;
/** Consecutive replies that only repeat earlier calls word for word, after which the judge counts as finished. */
export const MOST_REPEATS = 3;
/** Maximum consecutive replies with only the same call without detail, which never counts as a repeat. */
export const MOST_WITHOUT_DETAIL = 16;
/** Characters of a reply in an error. */
export const LONGEST_EXCERPT = 200;
/** Maximum characters of a check that is quoted to the judge, or in an error. */
export const LONGEST_QUOTED_CHECK = 300;

// digest.ts
/** Minimum characters that a conversation gets. */
export const LEAST_CONVERSATION = 2_000;
/** Characters that a result, and then an argument, is cut to at the shortest. */
export const SHORTEST_PART = 300;
/** Characters of an argument where steps have to be left out. */
export const SHORTEST_INPUT = 1_000;
/** Characters reserved for a note about left-out steps. */
export const NOTE_ROOM = 100;

// evidence.ts
/** Approximate characters per token: budgets are configured in tokens and applied in characters. */
export const CHARACTERS_PER_TOKEN = 4;
/** Default characters of evidence, about 60,000 tokens: leaves a 128k-context judge room for its prompt and answer. */
export const EVIDENCE_BUDGET = 60_000 * CHARACTERS_PER_TOKEN;
/** Characters of the two markers around a turn of a replayed session. */
export const TURN_MARKERS_ROOM = 110;

// files.ts
/** Maximum calls per grade. */
export const MOST_READS = 40;
/** Maximum characters of one answer, without its notes. */
export const LONGEST_TOOL_ANSWER = 16_000;
/** Maximum files in one list. */
export const MOST_LISTED_FILES = 500;
/** Maximum matching lines per search. */
export const MOST_MATCHES = 100;
/** Maximum characters of a line in a search. */
export const LONGEST_FOUND_LINE = 200;
/** Maximum bytes that one search reads. */
export const MOST_SEARCH_BYTES = 64 * 1024 * 1024;
/** Leading bytes to check: a zero byte among them marks a binary file. */
export const PROBE_BYTES = 8_000;
/** Maximum names per folder in the evidence. */
export const MOST_LISTED_NAMES = 200;
/** Maximum share of the evidence for a folder's names. */
export const SHARE_OF_NAMES = 1 / 16;
/** Maximum characters of a line in `output/`; longer ones are wrapped, since files are read by lines. */
export const LONGEST_OUTPUT_LINE = 4_000;

// grade-tools.ts
/** Maximum characters of a description or a reason. */
export const LONGEST_REASON = 20_000;
/** Maximum quotes per grade: a hostile judge may quote endlessly. */
export const MOST_QUOTES_PER_GRADE = 100;

// grade.ts
/** Minimum characters of evidence to wait for a prompt cache: below, it saves nothing. */
export const LEAST_CACHED_EVIDENCE = 4_096;
/** Maximum time that the other requests of a run wait for the first, in milliseconds. */
export const LONGEST_LEAD_MS = 30_000;

// api/models.ts
/** Milliseconds for an endpoint's list of models: nothing waits for it but the report, for two seconds. */
export const LONGEST_LISTING_MS = 10_000;
/** Days before a model's end from which it is warned about. */
export const ENDS_WITHIN_DAYS = 60;
/** Models that a message offers instead. */
export const LISTED_MODELS = 3;
