/**
 * The one place that makes untrusted text harmless, for each medium it is written to. Outputs, judge replies and
 * files of a pull request all are untrusted.
 */
import { shorten } from "../text/format.ts";
import { withoutTerminalCodes } from "../text/terminal-codes.ts";

/** Characters of one line of the log. */
const LONGEST_LOG_LINE = 4_000;
/** Maximum characters of a name shown as code. */
const LONGEST_CODE = 300;
/** Characters of a line in a block that a page shows without scrolling. */
const BLOCK_WIDTH = 110;
/** Characters of a line in a block that is scrolled a little. */
const BLOCK_SCROLLED = 160;

// eslint-disable-next-line no-control-regex -- to find them is its purpose
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;
/** Marks that reorder text on the screen, and so disguise it. */
const REORDERING = /[\u202A-\u202E\u2066-\u2069\uFEFF]/g;
/** Breaks what a renderer would recognise, and is not seen. */
const ZERO_WIDTH = "\u200B";
/** What GitHub turns into a link by itself: the address stays readable, and nothing is there to click. */
const LINK_STARTS = /(?:https?|ftp):(?=\/\/)|www(?=\.)/gi;

/** Text for a place that shows it as it is, such as an annotation: only terminal codes and control characters go. */
export function plainText(text: string): string {
  return withoutTerminalCodes(text.toWellFormed())
    .replace(/\r\n?/g, "\n")
    .replace(CONTROL, "\uFFFD")
    .replace(REORDERING, "");
}

/** Plain text on one line, of at most `limit` characters: for a name, a title, an attribute. */
export function oneLineText(text: string, limit: number): string {
  return shorten(oneLine(text), limit);
}

/** Text in an element of a page of our own. What means nothing there stays: browsers read 20 MB of evidence faster so. */
export function pageText(text: string): string {
  return plainText(text).replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

/** Text in a quoted attribute of a page of our own. */
export function attributeText(text: string): string {
  return pageText(text).replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#39;");
}

/** Text for an XML document, without the characters that XML 1.0 does not allow. The writer escapes it. */
export function xmlText(text: string): string {
  return plainText(text).replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
}

/** One line of the log; line ends become a symbol. */
export function logLine(text: string): string {
  return withoutCommands(plainText(shorten(text, LONGEST_LOG_LINE)).replace(/[\n\u2028\u2029]/g, " ⏎ "));
}

/**
 * Lines without what GitHub's runner obeys in what a step prints: `::command::` at the start of a line, and
 * `##[command]` anywhere in one (actions/runner, ActionCommandManager).
 */
export function withoutCommands(text: string): string {
  return text
    .replace(/##\[/g, `##${ZERO_WIDTH}[`)
    .replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, `$1:${ZERO_WIDTH}`);
}

/**
 * Text inside a Markdown paragraph, list item or table cell of GitHub's: no construct in it is active, line ends
 * become spaces. Mentions, references and SHAs are broken by a zero-width space, because GitHub recognises them
 * after rendering, where escapes are gone.
 */
export function markdownText(text: string): string {
  return breakReferences(oneLine(text))
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replace(/[\\`*[\]|~]/g, "\\$&")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/\$/g, "<span>$</span>")
    .replace(LINK_STARTS, `$&${ZERO_WIDTH}`)
    .replace(/^([-+]|#{1,6})(?=\s|$)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^([-=])(?=[-=\s]*$)/, "\\$1");
}

/** Prose in which pairs of backticks are shown as code; everything else as `markdownText` has it. */
export function markdownProse(text: string): string {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? markdownCode(part) : keepingEnds(part, markdownText)))
    .join("");
}

/** The lines of a text as one, without the white space around them. */
export function oneLine(text: string): string {
  const lines = plainText(text)
    .split("\n")
    .map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

/** A part of a line, made harmless by `escape`, with the white space at its ends, which that takes off. */
export function keepingEnds(part: string, escape: (text: string) => string): string {
  if (part.trim() === "") return part === "" ? "" : " ";
  const before = part.length > part.trimStart().length ? " " : "";
  const after = part.length > part.trimEnd().length ? " " : "";
  return `${before}${escape(part)}${after}`;
}

/** A code span. One that a code span or a table cannot hold as it is becomes HTML, which holds any text. */
export function markdownCode(text: string): string {
  const line = oneLine(shorten(text, LONGEST_CODE));
  if (/^[^`|\\]+$/.test(line)) return `\`${line}\``;
  return `<code>${markdownText(line) || " "}</code>`;
}

/** Text inside an HTML element such as `summary`, where GitHub reads no Markdown but still follows mentions. */
export function htmlText(text: string): string {
  return breakReferences(oneLine(text))
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/\$/g, "<span>$</span>")
    .replace(LINK_STARTS, `$&${ZERO_WIDTH}`);
}

/** A fenced block that its content cannot end: the fence is longer than any run of backticks in it. Code is not wrapped. */
export function markdownBlock(text: string, isCode = false): string {
  const content = isCode ? plainText(text) : wrap(plainText(text));
  let longest = 2;
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${content}\n${fence}`;
}

/**
 * GitHub does not wrap the lines of a block: a long line of prose would need much scrolling, so it is wrapped. Text
 * that is already broken at some width stays as it is, since each line would leave a stray word.
 */
function wrap(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.length <= BLOCK_SCROLLED ? line : wrapLine(line).join("\n")))
    .join("\n");
}

/** Broken between words; a word is never broken, however long. */
function wrapLine(line: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let fits: { readonly end: number; readonly next: number } | undefined;
  const breakBefore = (end: number) => {
    if (!fits || end - start <= BLOCK_WIDTH) return;
    pieces.push(line.slice(start, fits.end));
    start = fits.next;
  };
  for (const { index, 0: spaces } of line.matchAll(/ +/g)) {
    const next = index + spaces.length;
    if (index === 0 || next === line.length) continue;
    breakBefore(index);
    fits = { end: index, next };
  }
  breakBefore(line.length);
  return [...pieces, line.slice(start)];
}

function breakReferences(text: string): string {
  return text
    .replace(/@(?=[\p{L}\p{N}_-])/gu, `@${ZERO_WIDTH}`)
    .replace(/(#|\bGH-)(?=\d)/gi, `$1${ZERO_WIDTH}`)
    .replace(/\b[0-9a-f]{7,64}\b/gi, (hex) =>
      mayBeCommit(hex) ? hex.replace(/.{6}(?=.)/g, `$&${ZERO_WIDTH}`) : hex,
    );
}

/** True for what GitHub may take for a commit: a whole name of 40, or a shorter one that is no word and no number. */
function mayBeCommit(hex: string): boolean {
  return hex.length >= 40 || (/\d/.test(hex) && /[a-f]/i.test(hex));
}

/** The target of a link to a file of the repository, each part of its path encoded. */
export function urlPath(path: string): string {
  return path
    .split("/")
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join("/")
    .replace(/[()'*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
