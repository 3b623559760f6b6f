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
/** A whole number, and not the end of a longer one: `1,500`, `twenty-one`. */
const NUMBER = `(?<![\\d\\w][,.-]?)(\\d{1,3}|${WORDS.slice(1).join("|")})`;
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
/** Ways to say that something is done for several things. */
const REPEATS = /\bonce for\b|\bapiece\b|\bditto\b|\bdo so\b|\b(\w+) (?:after|by) \1\b|[a-z]\/[a-z]|&/i;
/** Lines that are no sentence, each below the other. */
const BARE_LINES = /[^\s.,:;!?]\n\s*[A-Z]/;
const NAMES = /set_waza_grade_(?:pass|fail)/gi;
const ONE_OF = /\bone of (?:the |these )?(?:two )?(?=tools|functions|set_waza)/gi;

/** True when a prompt may ask for more than one verdict: it speaks of several things, lists them, or is not English. */
export function mayAskForSeveral(prompt: string): boolean {
  const text = prompt.replace(ONE_OF, "one ");
  return (
    SEVERAL.test(text) ||
    REPEATS.test(text) ||
    INLINE_ITEM.test(text) ||
    itemsIn(text) > 0 ||
    BARE_LINES.test(text) ||
    /[^\0-\x7F‐-…]/u.test(text)
  );
}

/** True when a prompt plainly asks for one verdict, in English and in one sentence: for judges that put all calls into one reply. */
export function asksForOne(prompt: string): boolean {
  const sentences = prompt
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((part) => /\w/.test(part) && !/set_waza_grade/i.test(part));
  const isEnglish = /\b(?:the|if|it|does|whether|call|should|has)\b/i.test(prompt);
  const isOne = sentences.length <= 1 && !/\band\b|[,;]/i.test(sentences.join(" "));
  const mayRepeat = PLURAL.test(prompt) || OF_ANY.test(prompt) || /\buntil\b/i.test(prompt);
  return isEnglish && isOne && !mayRepeat && !mayAskForSeveral(prompt);
}

function itemsIn(prompt: string): number {
  return prompt.match(ITEM)?.length ?? 0;
}

const ONE =
  /\b(?:call|make|report|use|invoke|give|issue|return)\b[^.;\n]{0,60}\b(?:(?:exactly|only) (?:one|once)|one of (?:the |these )?(?:two )?(?:tools|functions)|(?:a )?single (?:verdict|call|tool call))\b/i;
const EITHER =
  /^([^]*?)set_waza_grade_(pass|fail)([^]*?\b(?:otherwise|else|if not|instead)\b[^]*?)set_waza_grade_(pass|fail)/i;

/**
 * How many calls are all there will be: the number a prompt names, or one where it asks for one verdict and nothing in
 * it may be several. undefined when only the judge can tell, and so whenever there is doubt: one call too few is a
 * wrong verdict, and one request more is not.
 */
export function completeAt(prompt: string): number | undefined {
  const found = PATTERNS.map((pattern) => [...prompt.matchAll(new RegExp(pattern, "gi"))]);
  const named = new Set(found.flat().map((match) => totalOf(prompt, match)));
  const [total] = named;
  if (total !== undefined) {
    // Said twice it may be of two things: exactly one call for the tone, exactly one call for the facts.
    const isOnce = found.every(({ length }) => length <= 1) && !addsMore(prompt, found.flat());
    const isPlain = typeof total === "number" && named.size === 1 && isOnce && itemsIn(prompt) <= total;
    return isPlain &&
      !GOES_ON.test(prompt) &&
      (total > 1 || !mayAskForSeveral(prompt.replace(/\b1(?= )/g, "one")))
      ? total
      : undefined;
  }
  if (mayAskForSeveral(prompt) || (prompt.match(NAMES)?.length ?? 0) > 2) return undefined;
  const one = ONE.exec(prompt);
  const isTwice = (prompt.match(/\b(?:only|exactly) (?:one|once)\b|\bsingle\b/gi)?.length ?? 0) > 1;
  if (
    !isTwice &&
    one &&
    isLast(prompt, one) &&
    !/[:,;]|\bor\b/i.test(restOf(prompt, one)) &&
    isOneThing(prompt.slice(0, one.index))
  )
    return 1;
  const either = EITHER.exec(prompt);
  if (!either || !isLast(prompt, either) || !ENDS_THERE.test(restOf(prompt, either))) return undefined;
  const [, head = "", first, between = "", second] = either;
  const isOne = isOneThing(head) && !OF_ANY.test(between) && !PLURAL.test(between);
  return first !== undefined && first !== second && isOne ? 1 : undefined;
}

/** What stands before the tools are named speaks of one thing: a question that is answered by yes or no, a condition, or nothing. */
function isOneThing(head: string): boolean {
  if (/\band\b|[,;]/i.test(head) || PLURAL.test(head) || OF_ANY.test(head)) return false;
  const sentences = head.split(/(?<=[.!?:])\s+/).filter((sentence) => /\w/.test(sentence));
  const before = sentences.slice(0, /[.!?]\s*$/.test(head) ? undefined : -1);
  return before.length <= 1 && before.every((sentence) => YES_OR_NO.test(sentence));
}

const YES_OR_NO =
  /^(?:is|are|was|were|does|do|did|has|have|had|can|could|should|will|would)\b[^?]*\?|^(?:decide|judge|check|determine|say|tell|verify|evaluate|compare) (?:whether|if|the \w+ with)\b|\bshould be\b/i;
/** Something that there may be several of. */
const OF_ANY =
  /\b(?:if|when|where|unless|whether|for|of|on|upon|with|does|do|is|are|has|have) (?:a|an|any|one|some|no) |\b(?:for|on|if|whether|when) [a-z]+(?:[^suiaeo\W]|[aeo])s\b|\b(?:those|ones)\b/i;
const PLURAL =
  /\b(?:the|these|those|all|its|their|your|of|any|no|some|which|rows?) (?:[a-z]+ )?[a-z]*(?:[^suiaeo\W]|[aeo])s (?:in|of|on|that|which|are|were|with|from|for)\b|\b(?:the|these|those|its|their) [a-z]*[^su\W]s\b(?= (?:in|of|on|that|which|are|were)|[.!?:;]|$)/i;
/** After the second tool: nothing, or what to tell with it. */
const ENDS_THERE =
  /^\W*(?:tool\W*)?(?:(?:with|and (?:give|say|explain|name)|giving|explaining|stating|quoting|naming|citing)\b[^.;]*\W*)?$/i;

const ANOTHER_NUMBER = new RegExp(`\\b(?:${WORDS.slice(2).join("|")}|\\d+)\\b`, "i");

/** True for another number after a total: two calls (tone) and two (facts). Numbers that head the items of a list are none. */
function addsMore(prompt: string, totals: readonly RegExpExecArray[]): boolean {
  const end = Math.max(...totals.map((match) => match.index + match[0].length));
  return ANOTHER_NUMBER.test(prompt.slice(end).replace(/^\s*(?:[-*]\s*)?(?:\(?\d+[.):]|#+ .*)/gm, ""));
}

/** Words that lead on to more after a number of calls. */
const GOES_ON =
  /\b(?:do so|the same|once for|apiece|then|next|also|another|again|too|as well|additionally|plus|continue|repeat)\b/i;

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
const ENDS =
  /^\s*(?:$|[).,;:!—–-]|\((?!\s*(?:a|an|per|each)\b)[^)]*\)\W*$|(?:in total|total)\b|to (?:the )?(?:set_waza|grading|tools))/i;

/** The total that was found; "unclear" when it may be of other calls than the judge's. */
function totalOf(prompt: string, match: RegExpExecArray): number | "unclear" {
  const before = sentenceBefore(prompt.slice(0, match.index));
  const after = restOf(prompt, match);
  const sinceNames = before.replace(/^[^]*set_waza_grade_(?:pass|fail)/i, "");
  const othersMade = OTHERS.test(
    sinceNames.replace(/\b(?:if|when|where) (?:it|they) (?:is|are|does|do)\b/gi, ""),
  );
  const number = numberOf(match[1] ?? "");
  const isOurs = OURS.test(before) && LEADS.test(before) && ENDS.test(after);
  return isOurs && !othersMade && number > 0 ? number : "unclear";
}

function sentenceBefore(text: string): string {
  return text.split(/[.!?]\s+|\n\s*\n|\n(?=\s*(?:\d+[.)]|[-*•]))/).at(-1) ?? "";
}
