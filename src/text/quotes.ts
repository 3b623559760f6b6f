/**
 * What a judge quotes in its reasons, and where a text has it: for the passage below a failed check, and for the check
 * that a quote is in the evidence at all. White space, letter case, quotation marks, Markdown's marks and escapes are
 * no difference, and an ellipsis leaves out. Linear in the text.
 */
import type { QuotesFound } from "../domain/grade.ts";
import { shorten } from "./format.ts";

/** Characters of a quote that are looked for: V8 looks in time of text times quote, at worst. */
const LONGEST = 200;
/** Shorter quotes may be anywhere: they are neither counted nor shown. */
const SHORTEST = { counted: 12, shown: 6 };
/** Quotes of one reason that are looked for: a hostile judge may quote without end. */
const MOST_QUOTES = 20;
/** Characters of a passage. */
const PASSAGE = 400;

const BEFORE = "(?<![\\p{L}\\p{N}`])";
const AFTER = String.raw`(?![\p{L}\p{N}])`;
/** Text in quotation marks or backticks. A mark within a word or after a digit opens none, so no apostrophe does. */
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
/** What a judge ends a quote with that is its own. */
const END = /[\s.,;:!?]+$/;
const IGNORED = /\\[nrt]|[\s"'`“”„‘’‚«»*_~#>|]+|\\/g;

/** Looks for a reason's quotes in what a judge was shown; undefined without any. `shown` is asked only where needed. */
export function findQuotes(reason: string | undefined, shown: () => PlainText): QuotesFound | undefined {
  const quotes = quotesIn(reason ?? "", SHORTEST.counted);
  if (quotes.length === 0) return undefined;
  return { all: quotes.length, missing: quotes.filter((quote) => !foundAt(shown(), quote)) };
}

/** A text as quotes are compared with it. */
export type PlainText = string & { readonly plain: true };

/** Makes a text comparable. Only one letter changes its length in lower case. */
export function plainOf(text: string): PlainText {
  return text.replace(IGNORED, "").replaceAll("İ", "I").toLowerCase() as PlainText;
}

/** Quotes of a text, in their order. */
function quotesIn(reason: string, shortest: number): string[] {
  return [...reason.matchAll(QUOTATION)]
    .map((match) => match.slice(1).join(""))
    .filter((quote) => quote.trim().length >= shortest)
    .slice(0, MOST_QUOTES)
    .map((quote) => quote.slice(0, LONGEST));
}

interface Found {
  readonly at: number;
  readonly length: number;
}

/** Where a plain text has a quote, part by part between its ellipses. */
function foundAt(text: PlainText, quote: string): Found | undefined {
  const parts = quote.split(ELLIPSIS).map((part) => plainOf(part.replace(END, "")));
  const said = parts.filter((part) => part !== "");
  let [start, end] = [-1, 0];
  for (const part of said) {
    const at = text.indexOf(part, end);
    if (at < 0) return undefined;
    if (start < 0) start = at;
    end = at + part.length;
  }
  return start < 0 ? undefined : { at: start, length: end - start };
}

/** Where the longest of a reason's quotes is in a text as it was written. */
export function quotedAt(text: string, reason: string): Found | undefined {
  const quotes = quotesIn(reason, SHORTEST.shown).sort((a, b) => b.length - a.length);
  if (quotes.length === 0) return undefined;
  const plain = plainOf(text);
  for (const quote of quotes) {
    const found = foundAt(plain, quote);
    if (!found) continue;
    const at = writtenAt(text, found.at);
    return { at, length: writtenAt(text, found.at + found.length - 1) + 1 - at };
  }
  return undefined;
}

/** Place in a text of a character of its plain form. */
function writtenAt(text: string, plainAt: number): number {
  let kept = 0;
  let from = 0;
  for (const { index, 0: ignored } of text.matchAll(IGNORED)) {
    if (kept + index - from > plainAt) break;
    kept += index - from;
    from = index + ignored.length;
  }
  return from + plainAt - kept;
}

/** A quote with the rest of its line. */
export interface Passage {
  readonly before: string;
  readonly quoted: string;
  readonly after: string;
}

/** The lines around the longest quote of the reason that the answer has; undefined when it has none. */
export function passageOf(answer: string, reason: string | undefined): Passage | undefined {
  const found = quotedAt(answer, reason ?? "");
  if (!found) return undefined;
  const { at } = found;
  const length = Math.min(found.length, PASSAGE / 2);
  const start = answer.lastIndexOf("\n", at - 1) + 1;
  const newline = answer.indexOf("\n", at + length);
  const end = newline < 0 ? answer.length : newline;
  const room = Math.max(0, PASSAGE - length);
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
