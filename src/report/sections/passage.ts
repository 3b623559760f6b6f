/** The passage of the agent's answer that a failed check quotes: only what the judge quoted to the letter. */
import { shorten } from "../../text/format.ts";

/** Characters of a passage, and of what is quoted that is looked for. */
const PASSAGE = 400;
const QUOTE = 200;
/** What is shorter may stand anywhere. */
const SHORTEST = 6;
/** Quotations that are looked for: a hostile judge may quote without end. */
const MOST_QUOTES = 20;
/** Text in quotation marks or backticks; an ellipsis at its ends is the judge's. */
const QUOTATION = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|`[^`\n]{1,300}`/g;

/** Where a quotation stands in a text. */
export interface Passage {
  readonly before: string;
  readonly quoted: string;
  readonly after: string;
}

/** The line around the longest quotation of the reason that stands in the answer word for word; undefined when none does. */
export function passageOf(answer: string, reason: string | undefined): Passage | undefined {
  const found = quotedAt(answer, reason ?? "");
  if (!found) return undefined;
  const { at, length } = found;
  const start = answer.lastIndexOf("\n", at - 1) + 1;
  const newline = answer.indexOf("\n", at + length);
  const end = newline < 0 ? answer.length : newline;
  const room = Math.max(0, PASSAGE - length);
  const before = answer.slice(start, at);
  const from = before.slice(-Math.floor(room / 2)).replace(/^[\uDC00-\uDFFF]/, "");
  return {
    before: from.length < before.length ? `…${from}` : from,
    quoted: answer.slice(at, at + length),
    after: shorten(answer.slice(at + length, end), Math.floor(room / 2) + 1),
  };
}

interface Found {
  readonly at: number;
  readonly length: number;
}

/** Where the longest of a reason's quotations stands. */
export function quotedAt(answer: string, reason: string): Found | undefined {
  const quotes = [...reason.matchAll(QUOTATION)]
    .slice(0, MOST_QUOTES)
    .map(([quotation]) => withoutEllipses(quotation.slice(1, -1)))
    .map((quote) => quote.slice(0, QUOTE).replace(/[\uD800-\uDBFF]$/, ""))
    .filter(({ length }) => length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  for (const quote of quotes) {
    const at = answer.indexOf(quote);
    if (at >= 0) return { at, length: quote.length };
  }
  return undefined;
}

function withoutEllipses(quote: string): string {
  return quote
    .trim()
    .replace(/^(?:\.{3}|…)\s*/, "")
    .replace(/\s*(?:\.{3}|…)$/, "");
}
