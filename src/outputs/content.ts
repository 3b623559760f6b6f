/** Reads one file of agent outputs as text, JSON or JSON lines. */
import type { AnyNode } from "@humanwhocodes/momoa";
import { constants } from "node:buffer";
import { basename, extname } from "node:path";
import { error, onLine, type Problem, type SourceSpan } from "../domain/problem.ts";
import type { FoundFile } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { isUtf16, notFollowed, readBytesOrProblem } from "../files/read.ts";
import type { BrokenLine, Content } from "./reader.ts";
import { isObject, jsonFault, messageOf } from "../text/format.ts";
import { withoutTerminalCodes } from "../text/terminal-codes.ts";

/** Characters: a longer text is not parsed again to find a line. */
const LONGEST_LOCATED = 20_000_000;
/** Levels of a value; writers of JSON fail at some thousands. */
const MOST_NESTED = 1_000;
/** With more non-JSON lines than this, the file is not JSON lines. */
const MOST_BROKEN_LINES = 20;
/** Maximum values of one line of JSON lines: to find where each ends takes a parse of the rest of the line. */
const MOST_VALUES_OF_LINE = 100;
/** Maximum characters to quote of a line. */
const LONGEST_QUOTED_LINE = 200;

/** Bytes: the longest text Node can hold is 536,870,888 characters (V8's limit of a string). */
const LARGEST = constants.MAX_STRING_LENGTH;

/**
 * Reads a file. One that is too large for Node, or not text, is a problem. Content that is not JSON is text if the file's
 * name or `mayBeText` allows it, else a problem at its line and column.
 */
export async function readContent(found: FoundFile, mayBeText: boolean): Promise<Content | Problem> {
  const { file } = found;
  const at: SourceSpan = { ...found.at, generated: true };
  const refused = notFollowed(found);
  if (refused) return refused;
  const { size = 0 } = statsOf(file) ?? {};
  if (size > LARGEST) {
    const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000).toLocaleString("en-US")} MB`;
    const message = `the file is too large to read: ${megabytes(size)}; the limit is ${megabytes(LARGEST)}.`;
    const help =
      "Split it: run waza once per eval or with fewer trials, each with a separate output file, and name them all in `results`; records can be cut between any two lines.";
    return error("too-large", message, { help, at });
  }
  const bytes = await textBytes(file, at);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const isText = mayBeText || isProse(file);
  const text = bytes.toString("utf8");
  // A `.txt` may be a log; other prose is never JSON.
  const prose =
    isProse(file) && !isPlainText(file) ? true : isText && !/^[^\S\n\r\u2028\u2029]*[[{]/m.test(text);
  const json = prose ? undefined : await readJson(file, at, text);
  if (json && ("file" in json || !isText)) return json;
  return { file, at, text, linesOf: (paths) => Promise.resolve(paths.map(() => START.line)) };
}

/** The bytes without a byte order mark. A zero byte in the first 8,000 means binary, as in git. */
async function textBytes(file: string, at: SourceSpan): Promise<Buffer | Problem> {
  const bytes = await readBytesOrProblem({ file, at });
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (isUtf16(bytes)) {
    const help = "Write it as UTF-8: in PowerShell with `| Out-File -Encoding utf8 <file>` instead of `>`.";
    return error("utf-16", "the file is UTF-16, and only UTF-8 is read.", { help, at });
  }
  if (!bytes.subarray(0, 8_000).includes(0))
    return bytes.subarray(0, 3).equals(Buffer.from("\uFEFF")) ? bytes.subarray(3) : bytes;
  const help = `Unpack it if it is packed (\`inspect log dump\` for a log of Inspect); else leave it out of \`results\`, with a pattern that starts with \`!\`, such as \`!**/*${extname(at.path)}\`.`;
  return error("not-text", "the file is not UTF-8 text, so a judge cannot read it.", { help, at });
}

const PROSE = new Set([".md", ".markdown", ".txt"]);

/** True when the name makes the file text. */
export function isProse(file: string): boolean {
  return PROSE.has(extname(file).toLowerCase());
}

/** True of a `.txt`, which is a log if its content is one. */
export function isPlainText(file: string): boolean {
  return extname(file).toLowerCase() === ".txt";
}

/* Limits the depth of values: writers of JSON fail on very deep ones. */

const TOO_DEEP = "(nested too deeply to show)";

/** Replaces, in place, each value below the maximum level by a note. */
function withoutDepths(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === MOST_NESTED) return TOO_DEEP;
  for (const key of Object.keys(value)) {
    const inner: unknown = (value as Record<string, unknown>)[key];
    const kept = withoutDepths(inner, depth + 1);
    // Defined, not set: the key may be `__proto__`.
    if (kept !== inner) Object.defineProperty(value, key, { value: kept });
  }
  return value;
}

async function readJson(file: string, at: SourceSpan, text: string): Promise<Content | Problem> {
  if (text.trim() === "") {
    const help = "Check the step that writes it, and the agent's error output.";
    return error("empty-file", "the file is empty: nothing was written to it.", { help, at });
  }
  const whole = await parseFileJson(text, at);
  if ("data" in whole) {
    const data = withoutDepths(whole.data);
    return { file, at, text, data, linesOf: (paths) => linesOfPaths(text, paths) };
  }
  const rows = (await parseJsonLines(text, at)) ?? afterBanner(text, whole);
  if (rows === undefined) return withNamingHelp(textInstead(whole, text), file);
  const { lines, broken } = rows;
  const data = withoutDepths(rows.data);
  const lineOfRow = (path: readonly PropertyKey[]) => lines[Number(path[0])] ?? 1;
  return { file, at, text, data, broken, linesOf: (paths) => Promise.resolve(paths.map(lineOfRow)) };
}

/** Parses a JSON text that begins at line `from`, or returns the problem at its line and column. */
export async function parseFileJson(
  text: string,
  at: SourceSpan,
  from = 1,
): Promise<{ readonly data: unknown } | Problem> {
  try {
    return { data: JSON.parse(text) as unknown };
  } catch (thrown) {
    const position = await errorPosition(text, messageOf(thrown));
    const line = position.line + from - 1;
    return error("invalid-json", `the file is not valid JSON: ${jsonFault(messageOf(thrown))}.`, {
      help: `Look at line ${String(line)}, column ${String(position.column)}; if the step that writes the file was interrupted, run it again.`,
      at: { ...onLine(at, line), startColumn: position.column },
    });
  }
}

const START: Position = { line: 1, column: 1 };

interface Position {
  readonly line: number;
  readonly column: number;
}

/** V8 reports a position for most errors; for the others a parser with positions finds it. */
async function errorPosition(text: string, message: string): Promise<Position> {
  const named = /at position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return positionAt(text, Number(named));
  if (message.startsWith("Unexpected end")) return positionAt(text, text.length);
  const tree = await treeOf(text);
  return "type" in tree ? START : tree;
}

/** The tree of a JSON text, or where that is wrong; the start of one that is too long or nested too deeply to be located. */
async function treeOf(text: string): Promise<AnyNode | Position> {
  if (text.length > LONGEST_LOCATED) return START;
  const { parse } = await import("@humanwhocodes/momoa");
  try {
    return parse(text).body;
  } catch (error) {
    return { ...START, ...(error as Partial<Position>) };
  }
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Lines of the keys or values at the given paths; 1 for a missing path. */
async function linesOfPaths(text: string, paths: readonly (readonly PropertyKey[])[]): Promise<number[]> {
  const tree = paths.length === 0 ? START : await treeOf(text);
  return paths.map((path) => ("type" in tree ? lineAt(tree, path) : START.line));
}

function lineAt(node: AnyNode, [key, ...path]: readonly PropertyKey[], line = START.line): number {
  const inner =
    node.type === "Array"
      ? node.elements[Number(key)]
      : node.type === "Object"
        ? node.members.find(({ name }) => name.type === "String" && name.value === key)
        : undefined;
  return inner ? lineAt(inner.value, path, inner.loc.start.line) : line;
}

/** The beginning of JSON, as opposed to `[WARN] …`. */
const PIECE = /^\s*(?:[{"]|\[(?![A-Za-z]))/;

/** JSON lines: the values, the line of each, and the lines that are not JSON. */
interface JsonLines {
  readonly data: readonly unknown[];
  readonly lines: readonly number[];
  readonly broken: readonly BrokenLine[];
}

/**
 * Parses one JSON value per line, skipping blank lines; undefined if the first value is not an object, which means it is
 * not JSON lines. A line may hold several values (a crash, then a resume). Lines of another program and truncated lines
 * are returned beside the values.
 */
export async function parseJsonLines(text: string, at: SourceSpan): Promise<JsonLines | undefined> {
  const data: unknown[] = [];
  const lines: number[] = [];
  const broken: BrokenLine[] = [];
  const rows = text.split("\n");
  for (const [index, line] of rows.entries()) {
    if (line.trim() === "") continue;
    const { values, rest } = valuesOnLine(line);
    const isTorn = PIECE.test(rest);
    if (data.length === 0 && !isObject(values[0])) {
      const more = rows
        .slice(index + 1, index + MOST_BROKEN_LINES)
        .some((row) => isObject(valuesOnLine(row).values[0]));
      if (values.length > 0 || isTorn || !more) return undefined;
    }
    const before = data.length === 0 && values.length === 0;
    data.push(...values);
    lines.push(...values.map(() => index + 1));
    if (rest.trim() === "") continue;
    const [known] = broken;
    if (known && broken.length >= MOST_BROKEN_LINES) {
      broken.push({ ...known, before, isRow: false });
      continue;
    }
    const parsed = await parseFileJson(rest, at, index + 1);
    if ("data" in parsed) continue;
    const isRow = /^\s*\{\s*(?:"|$)/.test(rest);
    broken.push({ problem: isTorn ? parsed : strayLine(parsed, rest), before, isRow });
  }
  return { data, lines, broken };
}

/** The JSON values of a line, and the rest of it: what stands after them, or before the only one (a time, escape codes). */
function valuesOnLine(line: string): { readonly values: unknown[]; readonly rest: string } {
  const read = valuesAtStart(line);
  if (read.values.length > 0 || PIECE.test(line)) return read;
  const plain = withoutTerminalCodes(line);
  const start = Math.max(0, plain.indexOf("{"));
  const { values, rest } = valuesAtStart(plain.slice(start));
  return values.length > 0 && rest === "" ? { values, rest: plain.slice(0, start) } : read;
}

function valuesAtStart(line: string): { readonly values: unknown[]; readonly rest: string } {
  const values: unknown[] = [];
  for (let rest = line; ;) {
    try {
      return { values: [...values, JSON.parse(rest) as unknown], rest: "" };
    } catch (thrown) {
      const end = Number(/after JSON at position (\d+)/.exec(messageOf(thrown))?.[1]);
      const value: unknown = end > 0 ? JSON.parse(rest.slice(0, end)) : undefined;
      if (!isObject(value) || values.length >= MOST_VALUES_OF_LINE) return { values, rest };
      values.push(value);
      rest = rest.slice(end);
    }
  }
}

/** The problem of a line from another program, quoted: a long one is cut between two words, since half a secret could not be redacted. */
function strayLine(problem: Problem, line: string): Problem {
  const { startLine = 1, startColumn = 1 } = problem.at ?? {};
  const help = `Check the step that writes it: a program printed the text at line ${String(startLine)}, column ${String(startColumn)}. Write only JSON to the file: no error output (\`2>&1\`) and no messages.`;
  const trimmed = line.trim();
  const cut =
    trimmed.length <= LONGEST_QUOTED_LINE
      ? trimmed
      : `${trimmed.slice(0, trimmed.lastIndexOf(" ", LONGEST_QUOTED_LINE) + 1)}…`;
  const message = cut.length < 2 ? problem.message : `the file is not valid JSON: the line says \`${cut}\`.`;
  return { ...problem, message, help };
}

/** One JSON object of several lines, after lines that an agent's program printed before it. */
function afterBanner(text: string, problem: Problem): JsonLines | undefined {
  const start = /^\{/m.exec(text)?.index ?? 0;
  if (start === 0) return undefined;
  const banner = text.slice(0, start);
  try {
    const data = [JSON.parse(text.slice(start)) as unknown];
    return { data, lines: [banner.split("\n").length], broken: [{ problem, before: true, isRow: false }] };
  } catch {
    return undefined;
  }
}

/** Adds how text files are named: a file that does not begin like JSON was perhaps meant as text. */
function withNamingHelp(problem: Problem, file: string): Problem {
  const extension = extname(file);
  if (/^\.(?:json|jsonl|ndjson)$/i.test(extension)) return problem;
  return {
    ...problem,
    help: `Name a text output \`<task-id>.md\` or \`<task-id>.txt\`; other outputs have to be JSON or JSON lines. Leave other files out of \`results\` with a pattern that starts with \`!\`${extension === "" ? "" : `, such as \`!**/*${extension}\``}.`,
  };
}

/** Quotes the first line of a text that is not JSON: often it is an error of the program that should have written JSON. */
function textInstead(problem: Problem, text: string): Problem {
  const rest = text.trimStart();
  const [line = ""] = rest.split("\n", 1);
  const { line: at } = positionAt(text, text.length - rest.length);
  return PIECE.test(line) || problem.at?.startLine !== at ? problem : strayLine(problem, line);
}

/** The file's name without its last extension. */
export function stemOf(file: string): string {
  return basename(file, extname(file));
}
