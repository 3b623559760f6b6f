/**
 * Looks up the quotes of a judge's reasons in the evidence. Words are compared, without letter case and without marks at their ends; an ellipsis skips text of one
 * message. Linear in the text.
 */
import type { Check } from "../domain/grade.ts";
import { withoutEnd } from "./format.ts";

/** Maximum characters of a quote: at worst, V8's search takes time proportional to text times quote. */
const LONGEST_QUOTE = 200;
/** Maximum quotes of a reason: a hostile judge may quote endlessly. */
const MOST_QUOTES_OF_REASON = 20;

/** Minimum characters of a quote that is looked up: shorter ones match anywhere. */
const SHORTEST = 12;

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
/** Where a section of the evidence begins. */
const MESSAGE = /^(?=<<<[0-9a-f]{8} )/m;

/** Looks up a reason's quotes in the evidence, which is computed only if needed; undefined without any quote. */
export function findQuotes(reason: string | undefined, evidence: () => PlainText): Check["quotes"] {
  const quotes = quotesIn(reason ?? "");
  if (quotes.length === 0) return undefined;
  return {
    all: quotes.length,
    missing: quotes.filter((quote) => !evidence().some((message) => holds(message, quote))),
  };
}

/** The messages of a text, normalized, to compare quotes with. */
export type PlainText = readonly string[] & { readonly plain: true };

/** Normalizes the messages of texts. */
export function plainOf(...texts: readonly string[]): PlainText {
  const messages = texts.flatMap((text) => text.split(MESSAGE));
  return messages.map((message) => wordsOf(message).join(" ")) as unknown as PlainText;
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
function wordsOf(text: string): string[] {
  const unescaped = text.replace(/\\[nrt]/g, (escape) => (escape === "\\n" ? " \n" : "  "));
  let line = 0;
  return [...unescaped.matchAll(/\S+/g)].flatMap(({ 0: written, index: at }) => {
    const isFirst = at === 0 || unescaped.slice(line, at).includes("\n");
    line = at + written.length;
    const plain = withoutMarks(spelledOut(written)).replace(/\\(?=["'`])/g, "");
    const isDecoration = isFirst && plain.replace(MARKS, "") === "";
    return isDecoration ? [] : plain;
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

/** The quotes of a reason, in order. */
function quotesIn(reason: string): string[] {
  return [...reason.matchAll(QUOTATION)]
    .map((match) => match.slice(1).join(""))
    .filter((quote) => quote.trim().length >= SHORTEST)
    .slice(0, MOST_QUOTES_OF_REASON)
    .map((quote) => quote.slice(0, LONGEST_QUOTE));
}

/** Whether a message holds a quote, part by part between its ellipses; a short part would match anywhere. */
function holds(message: string, quote: string): boolean {
  const parts = quote.split(ELLIPSIS).map((part) => wordsOf(withoutEnd(part, AT_QUOTE_END)).join(" "));
  const given = parts.filter((one) => one !== "");
  if (given.length > 1 && given.some(({ length }) => length < SHORTEST)) return false;
  let end = 0;
  for (const part of given) {
    const at = message.indexOf(part, end);
    if (at < 0) return false;
    end = at + part.length;
  }
  return given.length > 0;
}
