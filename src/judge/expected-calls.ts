/** How many calls a grader's prompt plainly asks for: to notice another number, and to know when there are no more. */

const WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
const NUMBER = `(\\d{1,3}|${WORDS.slice(1).join("|")})`;
const CALLS = "(?:tool |function |grading |separate )*calls?";
/** "exactly one call per criterion" names no total. */
const TOTAL = "(?!,? (?:per|each|every|at a time|for (?:each|every|any|all))\\b)";
const PATTERNS = [
  `\\b${NUMBER} ${CALLS},? (?:in )?(?:total|all|altogether)\\b${TOTAL}`,
  `\\b(?:total|sum) of (?:exactly )?${NUMBER} ${CALLS}\\b${TOTAL}`,
  `\\bexactly ${NUMBER} ${CALLS}\\b${TOTAL}`,
];

/** The number in "3 calls total", "a total of three tool calls" or "exactly 3 calls"; undefined when none is named. */
export function expectedCalls(prompt: string): number | undefined {
  for (const pattern of PATTERNS) {
    const named = new RegExp(pattern, "i").exec(prompt)?.[1];
    if (named !== undefined) return numberOf(named);
  }
  return undefined;
}

function numberOf(named: string): number {
  const word = named.toLowerCase();
  return WORDS.includes(word) ? WORDS.indexOf(word) : Number(word);
}

/** Items of a list, in lines of their own or within one. */
const ITEM = /^\s*(?:\(?(?:\d+|[a-z]|[ivx]+)[.):]|[qcr]\d+\W|[-*+•·–—→☐✓✔|]|#{1,6}\s+\d)\s*\S/gim;
const INLINE_ITEM = /(?:^|[\s(])(?:\d|[a-d]|i{1,3})\)\s|#\d/i;
/** Words of a prompt that asks for more than one verdict, or may. */
const SEVERAL = new RegExp(
  `\\b(?:each|every|per|all of|all the following|following|below|criteri(?:a|on)|checks|items?|points|aspects|dimensions|questions|requirements|conditions|rules|separately|individually|multiple|several|both|respectively|respective|times|for any|for all|whenever|wherever|another|again|same|also|likewise|too|as well|additionally|plus|moreover|and then|secondly|second|third|at a time|one by one|jede\\w*|chaque|cada|ogni|elke|${WORDS.slice(2).join("|")}|\\d+)\\b`,
  "i",
);
/** Lines that are no sentence, each below the other. */
const BARE_LINES = /[^\s.,:;!?]\n\s*[A-Z]/;
const NAMES = /set_waza_grade_(?:pass|fail)/gi;
const ONE_OF = /\bone of (?:the |these )?(?:two )?(?=tools|functions|set_waza)/gi;

/** True when a prompt may ask for more than one verdict: it speaks of several things, lists them, or is not English. */
export function mayAskForSeveral(prompt: string): boolean {
  const text = prompt.replace(ONE_OF, "one ");
  return (
    SEVERAL.test(text) ||
    INLINE_ITEM.test(text) ||
    itemsIn(text) > 0 ||
    BARE_LINES.test(text) ||
    /[^\0-\x7F‐-…]/u.test(text)
  );
}

function itemsIn(prompt: string): number {
  return prompt.match(ITEM)?.length ?? 0;
}

const ONE =
  /\b(?:call|make|report|use|invoke|give|issue|return)\b[^.;\n]{0,60}\b(?:(?:exactly|only) (?:one|once)|one of (?:the |these )?(?:two )?(?:tools|functions)|(?:a )?single (?:verdict|call|tool call))\b|set_waza_grade_(?:pass|fail) once\b/i;
const EITHER =
  /^([^]*?)set_waza_grade_(pass|fail)[^]*?\b(?:otherwise|else|if not|instead)\b[^]*?set_waza_grade_(pass|fail)/i;

/**
 * How many calls are all there will be: the number a prompt names, or one where it asks for one verdict and nothing in
 * it may be several. undefined when only the judge can tell, and so whenever there is doubt: one call too few is a
 * wrong verdict, and one request more is not.
 */
export function completeAt(prompt: string): number | undefined {
  const named = new Set(PATTERNS.flatMap((pattern) => totalsIn(prompt, pattern)));
  const [total] = named;
  if (total !== undefined) {
    const isPlain = typeof total === "number" && named.size === 1 && itemsIn(prompt) <= total;
    return isPlain &&
      !GOES_ON.test(prompt) &&
      (total > 1 || !mayAskForSeveral(prompt.replace(/\b1(?= )/g, "one")))
      ? total
      : undefined;
  }
  if (mayAskForSeveral(prompt) || (prompt.match(NAMES)?.length ?? 0) > 2) return undefined;
  const one = ONE.exec(prompt);
  if (one && isLast(prompt, one) && !/[:,;]|\bor\b/i.test(restOf(prompt, one))) return 1;
  const either = EITHER.exec(prompt);
  if (!either || !isLast(prompt, either)) return undefined;
  const [, head = "", first, second] = either;
  const isOneThing = !/\band\b|[,;]|[.!?]\s[^]*[.!?]\s/i.test(head);
  return first !== undefined && first !== second && isOneThing ? 1 : undefined;
}

/** Words that lead on to more after a number of calls. */
const GOES_ON = /\b(?:then|next|also|another|again|too|as well|additionally|plus|continue|repeat)\b/i;

function restOf(prompt: string, match: RegExpExecArray): string {
  return prompt.slice(match.index + match[0].length);
}

/** True when the sentence that was found is the prompt's last: what follows may ask for more in any words. */
function isLast(prompt: string, match: RegExpExecArray): boolean {
  const rest = restOf(prompt, match);
  return !/[.!?]["')]*\s+\S|\n\s*\S/.test(rest) && !GOES_ON.test(rest);
}

/** Who may have made the calls that a prompt speaks of, when the judge is not meant. */
const OTHERS =
  /\b(?:agent|assistant|model|bot|session|transcript|log|output|response|answer|code|script|api|it|they|there)\b/i;
const OURS = /^\W*$|\b(?:set_waza_grade|grading calls?|you|verdicts?|report)|^\W*(?:please |then )?make\b/i;
const LEADS =
  /(?:^|[(,:=—–-]|\b(?:make|report|issue|for|with|in|that makes|that is|means|expect(?:ed)?|be))(?: a| exactly| only)*\s*$/i;
const ENDS = /^\s*(?:$|[).,;:!—–-]|\(|(?:in total|total)\b|to (?:the )?(?:set_waza|grading|tools))/i;

/** The totals that a pattern finds; "unclear" for one that may be of other calls than the judge's. */
function totalsIn(prompt: string, pattern: string): (number | "unclear")[] {
  return [...prompt.matchAll(new RegExp(pattern, "gi"))].map((match) => {
    const before = sentenceBefore(prompt.slice(0, match.index));
    const after = prompt.slice(match.index + match[0].length);
    const sinceNames = before.replace(/^[^]*set_waza_grade_(?:pass|fail)/i, "");
    const othersMade = OTHERS.test(
      sinceNames.replace(/\b(?:if|when|where) (?:it|they) (?:is|are|does|do)\b/gi, ""),
    );
    const number = numberOf(match[1] ?? "");
    const isOurs = OURS.test(before) && LEADS.test(before) && ENDS.test(after);
    return isOurs && !othersMade && number > 0 ? number : "unclear";
  });
}

function sentenceBefore(text: string): string {
  return text.split(/[.!?]\s+|\n\s*\n|\n(?=\s*(?:\d+[.)]|[-*•]))/).at(-1) ?? "";
}
