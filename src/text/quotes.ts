/**
 * Finds the quotes of a judge's reasons in a text: for the passage below a failed check, and to verify that quotes are in
 * the evidence. Words are compared, without letter case and without marks at their ends; an ellipsis skips text of one
 * message. Linear in the text.
 */
import type { QuotesFound } from "../domain/grade.ts";
import { shorten, withoutEnd } from "./format.ts";
import { LONGEST_PASSAGE, LONGEST_QUOTE, MOST_QUOTES_OF_REASON } from "./limits.ts";

/** Minimum characters to count or show a quote: shorter ones match anywhere. */
const SHORTEST = { toCount: 12, toShow: 6 };

const BEFORE = "(?<![\\p{L}\\p{N}`])";
const AFTER = String.raw`(?![\p{L}\p{N}])`;
/** Text in quotation marks or backticks. A mark after a letter or digit opens no quote, so apostrophes do not. */
const QUOTATION = new RegExp(
  [
    String.raw`"([^"\n]+)"`,
    String.raw`[“„]([^“”„\n]+)[“”]`,
    String.raw`«([^«»\n]+)»`,
    "`+([^`\\n]+)`+",
    String.raw`['‘]((?:[^'‘’\n]|(?<=[\p{L}\p{N}])['’](?=[\p{L}\p{N}]))+)['’]`,
  ]
    .map((form) => `${BEFORE}${form}${AFTER}`)
    .join("|"),
  "gu",
);
const ELLIPSIS = /\.{3,}|…|\[redacted\]/;
/** Punctuation that a judge adds at the end of a quote. */
const AT_QUOTE_END = " \t\r\u00A0.,;:!?";
/** Where a message of the evidence begins. */
const MESSAGE = /^(?=\[\d{1,9}\] |<<<)/m;

/** Looks up a reason's quotes in the evidence, which is computed only if needed; undefined without any quote. */
export function findQuotes(reason: string | undefined, evidence: () => PlainText): QuotesFound | undefined {
  const quotes = quotesIn(reason ?? "", SHORTEST.toCount);
  if (quotes.length === 0) return undefined;
  return {
    all: quotes.length,
    missing: quotes.filter((quote) => !evidence().some((message) => findQuote(message, quote))),
  };
}

/** The messages of a text, normalized, to compare quotes with. */
export type PlainText = readonly string[] & { readonly plain: true };

/** Normalizes the messages of texts. */
export function plainOf(...texts: readonly string[]): PlainText {
  const messages = texts.flatMap((text) => text.split(MESSAGE));
  return messages.map((message) => joined(wordsOf(message))) as unknown as PlainText;
}

/** A word as it is compared, and where it is in the text. */
interface Word {
  readonly plain: string;
  readonly at: number;
  readonly end: number;
}

/** A word without the marks at its ends, also beside brackets and punctuation; a mark alone stays. */
function withoutMarks(word: string): string {
  let [start, end] = [0, word.length];
  while (end > 0 && AT_END.has(word.charAt(end - 1))) end -= 1;
  if (end === 0) return word;
  while (AT_START.has(word.charAt(start))) start += 1;
  const bare = (text: string) => text.replace(MARKS, "");
  return bare(word.slice(0, start)) + word.slice(start, end) + bare(word.slice(end));
}

/** Quotation marks, marks of Markdown, and escapes. */
const MARKS = /["'`*_~#>|\\]/g;
const AT_START = new Set("\"'`*_~#>|\\([{");
const AT_END = new Set("\"'`*_~#>|\\)]}.,;:!?");

/**
 * The words of a text. Spelling is made one: compatible characters, dashes, quotation marks, letter case; characters that
 * are not seen are none. A mark alone is a word (`x > 5`), but not where it begins a line (`## Title`).
 */
function wordsOf(text: string): Word[] {
  const unescaped = text.replace(/\\[nrt]/g, (escape) => (escape === "\\n" ? " \n" : "  "));
  let line = 0;
  return [...unescaped.matchAll(/\S+/g)].flatMap(({ 0: written, index: at }) => {
    const isFirst = at === 0 || unescaped.slice(line, at).includes("\n");
    line = at + written.length;
    const plain = withoutMarks(spelledOut(written)).replace(/\\(?=["'`])/g, "");
    const isDecoration = isFirst && plain.replace(MARKS, "") === "";
    return isDecoration ? [] : { plain, at, end: line };
  });
}

function spelledOut(word: string): string {
  return word
    .replace(/\p{Cf}/gu, "")
    .normalize("NFKC")
    .replace(/\p{Pd}|−/gu, "-")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚]/g, "'")
    .toLowerCase();
}

function joined(words: readonly Word[]): string {
  return words.map(({ plain }) => plain).join(" ");
}

/** The quotes of a reason, in order. */
function quotesIn(reason: string, shortest: number): string[] {
  return [...reason.matchAll(QUOTATION)]
    .map((match) => match.slice(1).join(""))
    .filter((quote) => quote.trim().length >= shortest)
    .slice(0, MOST_QUOTES_OF_REASON)
    .map((quote) => quote.slice(0, LONGEST_QUOTE));
}

interface Match {
  readonly at: number;
  readonly length: number;
}

/** Finds a quote in a message, part by part between its ellipses; a short part would match anywhere. */
function findQuote(message: string, quote: string): Match | undefined {
  const parts = quote.split(ELLIPSIS).map((part) => joined(wordsOf(withoutEnd(part, AT_QUOTE_END))));
  const given = parts.filter((one) => one !== "");
  if (given.length > 1 && given.some(({ length }) => length < SHORTEST.toCount)) return undefined;
  let [start, end] = [-1, 0];
  for (const part of given) {
    const at = message.indexOf(part, end);
    if (at < 0) return undefined;
    if (start < 0) start = at;
    end = at + part.length;
  }
  return start < 0 ? undefined : { at: start, length: end - start };
}

/** Finds the longest of a reason's quotes in the original text. */
export function findLongestQuote(text: string, reason: string): Match | undefined {
  const quotes = quotesIn(reason, SHORTEST.toShow).sort((a, b) => b.length - a.length);
  if (quotes.length === 0) return undefined;
  const words = wordsOf(text);
  const plain = joined(words);
  for (const quote of quotes) {
    const match = findQuote(plain, quote);
    if (!match) continue;
    const at = originalIndex(text, words, match.at);
    return { at, length: originalIndex(text, words, match.at + match.length - 1) + 1 - at };
  }
  return undefined;
}

/** The index in a text of a character of its normalized words; within a word of another spelling, the word's first. */
function originalIndex(text: string, words: readonly Word[], plainAt: number): number {
  let left = plainAt;
  for (const { plain, at, end } of words) {
    if (left <= plain.length) {
      const from = text.slice(at, end).toLowerCase().indexOf(plain);
      return from < 0 ? (left === 0 ? at : end - 1) : at + from + Math.min(left, plain.length - 1);
    }
    left -= plain.length + 1;
  }
  return text.length - 1;
}

/** A quote with the rest of its line. */
interface Passage {
  readonly before: string;
  readonly quoted: string;
  readonly after: string;
}

/** The line around the longest quote of the reason in the answer; undefined without one. */
export function passageOf(answer: string, reason: string | undefined): Passage | undefined {
  const match = findLongestQuote(answer, reason ?? "");
  if (!match) return undefined;
  // Matching ignores backticks: include one right beside the match, so that inline code keeps both of its backticks.
  const at = answer[match.at - 1] === "`" ? match.at - 1 : match.at;
  const matchEnd = match.at + match.length;
  const length = Math.min(matchEnd + (answer[matchEnd] === "`" ? 1 : 0) - at, LONGEST_PASSAGE / 2);
  const start = answer.lastIndexOf("\n", at - 1) + 1;
  const newline = answer.indexOf("\n", at + length);
  const end = newline < 0 ? answer.length : newline;
  const room = Math.max(0, LONGEST_PASSAGE - length);
  const before = answer.slice(start, at);
  const from = before.slice(-Math.floor(room / 2)).replace(/^[\uDC00-\uDFFF]/, "");
  return {
    before: from.length < before.length ? `…${from}` : from,
    quoted: answer
      .slice(at, at + length)
      .replace(/[\uD800-\uDBFF]$/, "")
      .replace(/\s+/g, " "),
    after: shorten(answer.slice(at + length, end), Math.floor(room / 2) + 1),
  };
}
