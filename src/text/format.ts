/** How numbers and problems are written for people, the same on every page. */
import { stripVTControlCharacters } from "node:util";
import type { Priced } from "../domain/estimate.ts";
import type { GradeError } from "../domain/grade.ts";
import type { Problem, SourceSpan } from "../domain/place.ts";

/** Means and sums of floating-point shares miss a round number by this much at the most. */
export const ROUNDING = 1e-9;

/** A score with two decimals or as many as told; less than full marks is never rounded up to 1. */
export function formatScore(score: number, digits = 2): string {
  const text = score.toFixed(digits);
  return score < 1 && Number(text) === 1 ? (1 - 10 ** -digits).toFixed(digits) : text;
}

/** A minimum as it was given, with two decimals at least. */
export function formatMinimum(minimum: number): string {
  const given = String(minimum);
  return given.length < 4 || given.includes("e") ? minimum.toFixed(2) : given;
}

/** A score beside the minimum it misses, with as many decimals as it takes to look smaller; two where it does not. */
export function formatAgainst(score: number, minimum: number | undefined): string {
  if (minimum === undefined || score >= minimum) return formatScore(score);
  for (let digits = 2; digits < 16; digits += 1) {
    if (Number(score.toFixed(digits)) < minimum) return score.toFixed(digits);
  }
  return String(score);
}

/** A sentence with its full stop, unless it ends with a mark of its own. */
export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** A text that begins with a capital. */
export function upperFirst(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}

/** `1,234`. */
export function formatNumber(number: number): string {
  // Not by Intl, whose first use takes ten milliseconds.
  return String(Math.round(number)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 grade`, `2 grades`, `1,234 tokens`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}

/** US dollars, with as many decimals as tell something: `$12.30`, `$0.0042`. */
export function formatDollars(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return dollars < 0.0001 ? "under $0.0001" : `$${dollars.toFixed(4)}`;
}

/** `about 2 (at most 6)`; one number where both look the same. */
export function formatAbout(
  [usual, most]: readonly [number, number],
  format: (value: number) => string,
): string {
  const [about, atMost] = [format(usual), format(most)];
  return about === atMost ? about : `about ${about} (at most ${atMost})`;
}

/** The first `limit` characters with an ellipsis when there are more; never half a surrogate pair. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** How far before the limit an excerpt looks for a place to end, as a share of it. */
const NEAR = 0.1;

/** As `shorten`, but it ends with a whole line where one ends near the limit, else with a whole word where one does. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = shorten(text, limit).slice(0, -1);
  const near = (end: string) => {
    const at = text.lastIndexOf(end, cut.length);
    return at >= cut.length * (1 - NEAR) ? at : undefined;
  };
  const line = near("\n");
  return line === undefined ? `${text.slice(0, near(" ") ?? cut.length)}…` : `${text.slice(0, line)}\n…`;
}

/** The first of a list, ten unless told, and how many more there are. */
export function listed(names: readonly string[], most = 10): string {
  return `${names.slice(0, most).join(", ")}${moreText(names.length - most)}`;
}

/** The same of names that are written as code, each once. */
export function listedCode(names: Iterable<string>, most?: number): string {
  return listed(
    [...new Set(names)].map((name) => `\`${name}\``),
    most,
  );
}

/** ` and 3 more`; empty for none. */
export function moreText(number: number): string {
  return number > 0 ? ` and ${formatNumber(number)} more` : "";
}

/** A problem on one line, for the log: `file:line: message help`. */
export function problemLine({ message, help, at }: Problem): string {
  return placed(help === undefined ? message : `${asSentence(message)} ${help}`, at);
}

/** A text with its place before it, as compilers write it: in the log nothing else says where it is. */
export function placed(text: string, at: SourceSpan | undefined): string {
  if (!at || at.path === "") return text;
  // Most messages begin with their file, which stands there already.
  const own = [`\`${at.path}\`: `, `\`${at.path}\` `].find((start) => text.startsWith(start)) ?? "";
  return `${at.path}:${String(at.startLine)}: ${text.slice(own.length)}`;
}

/** What went wrong; the same for a grade that was not asked for because another had met it. */
export function causeText({ message }: GradeError): string {
  return message.replace(/^Not asked: /, "");
}

/** Why a grade has no verdict: its class, what happened in which file, what to do. */
export function errorLine({ class: errorClass, message, file, help }: GradeError): string {
  const where = file === undefined ? "" : `\`${file}\`: `;
  return `${errorClass}: ${where}${help === undefined ? message : `${asSentence(message)} ${help}`}`;
}

/** ` (out/a.md)` for after the name of a grade, where its error is about a file; else nothing. */
export function filePart({ file }: GradeError): string {
  return file === undefined ? "" : ` (${file})`;
}

/** Indented lines of at most `columns` characters, without those of a style, broken between words; a longer word is never broken. */
export function wrapped(
  text: string,
  { indent, columns }: { readonly indent: number; readonly columns: number },
): string {
  const margin = " ".repeat(indent);
  const width = Math.max(20, columns - indent);
  return text
    .split("\n")
    .flatMap((paragraph) => {
      const lines: string[] = [];
      let line = "";
      for (const word of paragraph.split(" ")) {
        if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
          lines.push(line);
          line = word;
        } else line = line === "" ? word : `${line} ${word}`;
      }
      return [...lines, line];
    })
    .map((line) => `${margin}${line}`.trimEnd())
    .join("\n");
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** Models whose price is not known that are named. */
const UNPRICED_NAMED = 5;

/** `m at https://… (give it in model-prices)`, of a few models, the names as the medium writes them. */
export function unpricedPart(unpriced: readonly Priced[], written: (name: string) => string): string {
  const named = unpriced.map(({ model, baseUrl }) => `${written(model)} at ${written(baseUrl)}`);
  return `${listed(named, UNPRICED_NAMED)} (give it in \`model-prices\`)`;
}
