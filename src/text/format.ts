/** Formats numbers, durations, lists and problems for people; memoization by key. */
import { styleText } from "node:util";
import { EXPLAINED_IN, type Problem, type SourceSpan } from "../domain/problem.ts";
import { withoutTerminalCodes } from "./terminal-codes.ts";

/** setTimeout's longest delay, in milliseconds. */
export const LONGEST_TIMEOUT_MS = 2_147_483_647;
/** Maximum files or lines that a merged problem names. */
const MOST_PLACES_NAMED = 3;
/** The last part of an excerpt in which it may end early, as a share of the limit. */
const NEAR_END = 0.1;
/** Width of a terminal that does not report one. */
const DEFAULT_COLUMNS = 100;

/** A configured minimum, with at least two decimals. */
export function formatMinimum(minimum: number): string {
  const given = String(minimum);
  return given.length < 4 || given.includes("e") ? minimum.toFixed(2) : given;
}

/** A score next to a minimum; if it is below, with enough decimals to look smaller. */
export function formatAgainst(score: number, minimum: number | undefined): string {
  if (minimum === undefined || score >= minimum) return formatScore(score);
  for (let digits = 2; digits < 16; digits += 1) {
    if (Number(score.toFixed(digits)) < minimum) return score.toFixed(digits);
  }
  return String(score);
}

/** A score with `digits` decimals; less than 1 is never rounded up to 1. */
export function formatScore(score: number, digits = 2): string {
  const text = score.toFixed(digits);
  return score < 1 && Number(text) === 1 ? (1 - 10 ** -digits).toFixed(digits) : text;
}

/** US dollars: `$12.30`, `$0.0042`. */
export function formatDollars(dollars: number): string {
  if (dollars === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return dollars < 0.0001 ? "under $0.0001" : `$${dollars.toFixed(4)}`;
}

/** US dollars in a narrow column: `$3.60`, `11¢`, `0.4¢`. */
export function formatCents(dollars: number): string {
  if (dollars >= 1 || dollars === 0) return formatDollars(dollars);
  const cents = 100 * dollars;
  return cents < 0.1 ? "under 0.1¢" : `${cents.toFixed(cents < 9.95 ? 1 : 0).replace(/\.0$/, "")}¢`;
}

/** A large number in a narrow column: `850`, `41k`, `1.2M`. */
export function formatShort(number: number): string {
  if (number < 999.5) return String(Math.round(number));
  const [scaled, unit] = number < 999_500 ? [number / 1_000, "k"] : [number / 1_000_000, "M"];
  return `${scaled.toFixed(scaled < 9.95 ? 1 : 0).replace(/\.0$/, "")}${unit}`;
}

/** A time of milliseconds in a narrow column: `0.4 s`, `48 s`, `12 min`. */
export function formatSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds >= 100) return `${String(Math.round(seconds / 60))} min`;
  return `${seconds.toFixed(seconds < 9.95 ? 1 : 0).replace(/\.0$/, "")} s`;
}

/** `about 2 (at most 6)`; one number if both are the same. */
export function formatAbout(
  [usual, most]: readonly [number, number],
  format: (value: number) => string,
): string {
  const [about, atMost] = [format(usual), format(most)];
  return about === atMost ? about : `about ${about} (at most ${atMost})`;
}

/** `1,234`. */
export function formatNumber(number: number): string {
  // Not with Intl: its first use takes ten milliseconds.
  // eslint-disable-next-line regexp/no-super-linear-move -- a number has few digits
  return String(Math.round(number)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** The text before the first mark; all of it where there is none. */
export function textBefore(text: string, mark: string | RegExp): string {
  return text.split(mark, 1).join("");
}

/** The text without the given characters at its end; a pattern with `+$` would begin anew at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Capitalizes the first letter. */
export function upperFirst(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}

export function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** `1 grade`, `2 grades`, `1,234 tokens`. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${formatNumber(number)} ${plural(number, noun, nouns)}`;
}

/** `2 of 7 runs`. */
export function outOf(some: number, all: number, ...nouns: readonly [one: string, several?: string]): string {
  return `${formatNumber(some)} of ${count(all, ...nouns)}`;
}

/** The word for one, or for several. */
export function plural(number: number, one: string, several: string): string {
  return number === 1 ? one : several;
}

/** Like `shorten`, but ends after a whole line, or else a whole word, if one ends near the limit. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = shorten(text, limit).slice(0, -1);
  const near = (end: string) => {
    const at = text.lastIndexOf(end, cut.length);
    return at >= cut.length * (1 - NEAR_END) ? at : undefined;
  };
  const line = near("\n");
  return line === undefined ? `${text.slice(0, near(" ") ?? cut.length)}…` : `${text.slice(0, line)}\n…`;
}

/** Truncates to `limit` characters with an ellipsis, never within a surrogate pair. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A name as code, on one line. */
export function codeName(name: string, limit: number): string {
  return `\`${shorten(name.replace(/\s+/g, " "), limit)}\``;
}

/** The same for distinct names as code. */
export function listedCode(names: Iterable<string>, most?: number): string {
  return listed(
    [...new Set(names)].map((name) => `\`${name}\``),
    most,
  );
}

/** The words of a text that may be names of files, without their folders. */
export function namesIn(text: string): ReadonlySet<string> {
  const words = text.split(/[\s"'`,;:()[\]/\\]+/).map((word) => word.replace(/[.!?]$/, ""));
  return new Set(words.filter((word) => word.includes(".")));
}

/** `a, b and 3 more`. */
export function listed(names: readonly string[], most = 10): string {
  return `${names.slice(0, most).join(", ")}${moreText(names.length - most)}`;
}

/** ` and 3 more`; empty for 0. */
export function moreText(number: number): string {
  return number > 0 ? ` and ${formatNumber(number)} more` : "";
}

/** A problem on one line, for the log: `file:line: message help`. */
export function problemLine(problem: Problem, docs = docsAddress()): string {
  const { message, at } = problem;
  const help = helpOf(problem, docs);
  return withLocation(help === undefined ? message : `${asSentence(message)} ${help}`, at);
}

/** The pages that show more of a problem: its own, and that of the docs. */
export function pagesOf(
  { code, page }: Problem,
  docs = docsAddress(),
): readonly { name: string; url: string }[] {
  const explained = EXPLAINED_IN.get(code);
  return [
    ...(page ? [page] : []),
    ...(explained === undefined ? [] : [{ name: "More", url: `${docs}/${explained}` }]),
  ];
}

/** What to do about a problem, with the addresses of the pages that show more. */
export function helpOf(problem: Problem, docs = docsAddress()): string | undefined {
  const pages = pagesOf(problem, docs).map(({ name, url }) => `${name}: ${url}`);
  return [...(problem.help === undefined ? [] : [problem.help]), ...pages].join(" ") || undefined;
}

/** Whether a signal was aborted by `AbortSignal.timeout`. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}

/** Address of this action's docs, at the version in use. */
export function docsAddress(env: NodeJS.ProcessEnv = {}): string {
  const { GITHUB_SERVER_URL: server, GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref } = env;
  return `${server || "https://github.com"}/${repository || "org/waza-grade"}/blob/${ref || "main"}/docs`;
}

/** Prefixes a text with its location, as compilers do. */
export function withLocation(text: string, at: SourceSpan | undefined): string {
  if (!at || at.path === "") return text;
  return `${at.path}:${String(at.startLine)}: ${text}`;
}

/** Adds a full stop, unless the text ends with punctuation. */
export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Wraps and indents a text to `columns`, not counting styles; long words are not broken. */
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
        if (line !== "" && printedWidth(line) + 1 + printedWidth(word) > width) {
          lines.push(line);
          line = word;
        } else line = line === "" ? word : `${line} ${word}`;
      }
      return [...lines, line];
    })
    .map((line) => `${margin}${line}`.trimEnd())
    .join("\n");
}

function printedWidth(text: string): number {
  return withoutTerminalCodes(text).length;
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of a duration in Go's format (`1m30s`; units from `h` to `ms`, no sign) or of a number of seconds;
 * undefined if it is neither, or is zero or longer than a timer accepts.
 */
export function parseDuration(text: string): number | undefined {
  const value = text.trim().replace(/^[\d.]+$/, "$&s");
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(value)) return undefined;
  const milliseconds = sumOf(
    [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gy)].map(
      ([, number, unit = ""]) => Number(number) * (UNITS_MS[unit] ?? 0),
    ),
  );
  return milliseconds > 0 && milliseconds <= LONGEST_TIMEOUT_MS ? Math.ceil(milliseconds) : undefined;
}

/** The message of a thrown value, on one line. Never throws. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, " ").trim();
}

export interface Drawing {
  readonly columns: number;
  readonly style: (format: Parameters<typeof styleText>[0], text: string) => string;
}

/** The properties of a stream; colours follow NO_COLOR, FORCE_COLOR and the stream, by `styleText`. */
export function drawingOn(out: NodeJS.WriteStream): Drawing {
  return {
    columns: out.columns || DEFAULT_COLUMNS,
    style: (format, text) => styleText(format, text, { stream: out }),
  };
}

/** A Map or WeakMap. */
interface Known<K, V> {
  readonly has: (key: K) => boolean;
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => unknown;
}

/** The value of a key, computed at its first use. */
export function once<K, V>(known: Known<K, V>, key: K, make: () => V): V {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as V;
}

/** What V8 says is wrong in a JSON text, without its excerpt of the text, which must not be published. */
export function jsonFault(message: string): string {
  return textBefore(message, /, (?:\.\.\.)?"| in JSON at position \d| is not valid JSON$/);
}

/** The value of a JSON text; undefined for any other text, and without one. */
export function jsonOf(text = ""): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a value of JSON is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object with its own keys in camelCase; any other value unchanged. */
export function camelKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  return renamed(value, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

function renamed(value: object, rename: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [rename(key), field]));
}

/** The object with its own keys in snake_case. */
export function snakeKeys(value: object): Record<string, unknown> {
  return renamed(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** Maximum floating-point error of means and sums of shares. */
export const ROUNDING = 1e-9;
/** The version of this action: that of package.json, which a test holds it to. */
export const VERSION = "1.0.0";

/**
 * Merges problems with equal texts into one, at the first place, that lists the others: otherwise a harmless key in a
 * hundred task files would crowd out the grades. Errors only within a file, since each has to be corrected. Keeps the
 * order.
 */
export function mergeProblems(problems: readonly Problem[]): Problem[] {
  const groups = Map.groupBy(problems, ({ level, message, help, at }) =>
    JSON.stringify([level, message, help, level === "error" ? at?.path : at !== undefined]),
  );
  return [...groups.values()].flatMap(([first, ...others]): Problem[] => {
    if (!first?.at) return first ? [first, ...others] : [];
    const { path, startLine } = first.at;
    const lines = others.flatMap(({ at }) => (at?.path === path ? [String(at.startLine)] : []));
    const paths = others.flatMap(({ at }) => (at && at.path !== path ? [at.path] : []));
    const otherLines = [...new Set(lines)].filter((line) => line !== String(startLine));
    const where =
      paths.length > 0
        ? listedCode(paths, MOST_PLACES_NAMED)
        : otherLines.length > 0
          ? `${otherLines.length > 1 ? "lines" : "line"} ${listed(otherLines, MOST_PLACES_NAMED)}`
          : "";
    return [where === "" ? first : { ...first, message: `${asSentence(first.message)} Also in ${where}.` }];
  });
}
