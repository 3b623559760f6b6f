/**
 * Finds the quotes of a judge's reasons in a text: for the passage below a failed check, and to verify that quotes are in
 * the evidence. White space, letter case, quotation marks, Markdown and escapes are ignored, and an ellipsis skips text.
 * Linear in the text.
 */
import type { QuotesFound } from "../domain/grade.ts";
import { shorten } from "./format.ts";
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
const END = /[\s.,;:!?]+$/;
const IGNORED = /\\[nrt]|[\s"'`“”„‘’‚«»*_~#>|]+|\\/g;

/** Looks up a reason's quotes in the evidence, which is computed only if needed; undefined without any quote. */
export function findQuotes(reason: string | undefined, evidence: () => PlainText): QuotesFound | undefined {
  const quotes = quotesIn(reason ?? "", SHORTEST.toCount);
  if (quotes.length === 0) return undefined;
  return { all: quotes.length, missing: quotes.filter((quote) => !findQuote(evidence(), quote)) };
}

/** A normalized text, to compare quotes with. */
export type PlainText = string & { readonly plain: true };

/** Normalizes a text. `İ` is replaced first: no other letter changes its length in lower case, and indexes must stay. */
export function plainOf(text: string): PlainText {
  return text.replace(IGNORED, "").replaceAll("İ", "I").toLowerCase() as PlainText;
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

/** Finds a quote in a normalized text, part by part between its ellipses. */
function findQuote(text: PlainText, quote: string): Match | undefined {
  const parts = quote.split(ELLIPSIS).map((part) => plainOf(part.replace(END, "")));
  let [start, end] = [-1, 0];
  for (const part of parts.filter((one) => one !== "")) {
    const at = text.indexOf(part, end);
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
  const plain = plainOf(text);
  for (const quote of quotes) {
    const match = findQuote(plain, quote);
    if (!match) continue;
    const at = originalIndex(text, match.at);
    return { at, length: originalIndex(text, match.at + match.length - 1) + 1 - at };
  }
  return undefined;
}

/** The index in a text of a character of its normalized form. */
function originalIndex(text: string, plainAt: number): number {
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
