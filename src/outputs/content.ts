/** Reads one file of agent outputs as text, JSON or JSON lines. */
import { constants } from "node:buffer";
import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { Problem } from "../domain/location.ts";
import { publishedPath, spanOfFile } from "../files/names.ts";
import { isUtf16, notFollowed, readBytesOrProblem } from "../files/read.ts";
import {
  LOCATE_LIMIT,
  linesOf,
  emptyFile,
  parseJson,
  parseJsonLines,
  textInstead,
} from "./json/json-source.ts";
import { parseLargeJson, parseLargeJsonLines } from "./json/large-json.ts";
import { withoutDepths } from "./json/nesting.ts";
import type { JsonLines } from "./json/json-source.ts";
import type { Content, Where } from "./reader.ts";
import { error } from "../text/problem.ts";

/** Bytes: the longest text Node can hold is 536,870,888 characters (V8's limit of a string). */
export const LARGEST = constants.MAX_STRING_LENGTH;
const PROSE = new Set([".md", ".markdown", ".txt"]);

/** True when the name makes the file text, no matter its content. */
export function isProse(file: string): boolean {
  return PROSE.has(extname(file).toLowerCase());
}

/** The file's name without its last extension. */
export function stemOf(file: string): string {
  return basename(file, extname(file));
}

/**
 * Reads a file. One that is too large for Node, or not text, is a problem. Content that is not JSON is text if the file's
 * name or `mayBeText` allows it, else a problem at its line and column.
 */
export async function readContent(
  file: string,
  workspace: string,
  mayBeText: boolean,
): Promise<Content | Problem> {
  const where: Where = { ...publishedPath(file, workspace), generated: true };
  const refused = notFollowed(file, workspace);
  if (refused) return refused;
  const size = await stat(file).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > LARGEST) return tooLarge(where, size);
  const bytes = await readBytes(file, workspace, where);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const isText = mayBeText || isProse(file);
  const large = bytes.length > LOCATE_LIMIT && !isText ? largeContent(file, where, bytes) : undefined;
  if (large) return large;
  const text = bytes.toString("utf8");
  const prose = isProse(file) || (isText && !/^\s*[[{]/.test(text));
  const json = prose ? undefined : await readJson(file, where, text);
  return json && ("file" in json || !isText) ? json : textContent(file, where, text);
}

/** The bytes without a byte order mark. A zero byte in the first 8,000 means binary, as in git. */
async function readBytes(file: string, workspace: string, where: Where): Promise<Buffer | Problem> {
  const bytes = await readBytesOrProblem(file, workspace);
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (isUtf16(bytes)) return notUtf8(where);
  if (bytes.subarray(0, 8_000).includes(0)) return notText(where);
  return bytes.subarray(0, 3).equals(Buffer.from("\uFEFF")) ? bytes.subarray(3) : bytes;
}

/** Parses a large JSON file without decoding it whole; undefined if it is not JSON. */
function largeContent(file: string, where: Where, bytes: Buffer): Content | undefined {
  keepHeapTight();
  const data = withoutDepths(parsed(bytes, parseLargeJson) ?? parsed(bytes, parseLargeJsonLines));
  if (data === undefined) return undefined;
  // Frees the memory now. A buffer of this size is never shared.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
  return { file, where, data, text: "", linesOf: (paths) => Promise.resolve(paths.map(() => 1)) };
}

function parsed(bytes: Buffer, parse: (bytes: Buffer) => unknown): unknown {
  try {
    return parse(bytes) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * By default V8 lets the heap grow to about three times its live size before it collects, which is more than a runner may
 * have with hundreds of megabytes alive. 20 % is enough; it costs a few seconds.
 */
function keepHeapTight(): void {
  setFlagsFromString("--heap-growing-percent=20");
}

function textContent(file: string, where: Where, text: string): Content {
  return { file, where, text, linesOf: (paths) => Promise.resolve(paths.map(() => 1)) };
}

async function readJson(file: string, where: Where, text: string): Promise<Content | Problem> {
  if (text.trim() === "") return emptyFile(where);
  const whole = await parseJson(text, where);
  if ("data" in whole) {
    const data = withoutDepths(whole.data);
    return { file, where, text, data, linesOf: (paths) => linesOf(text, paths) };
  }
  const rows = (await parseJsonLines(text, where)) ?? afterBanner(text, whole);
  if (rows === undefined) return explained(textInstead(whole, text), file);
  if (!("data" in rows)) return rows;
  const { lines, broken } = rows;
  const data = withoutDepths(rows.data);
  const lineOfRow = (path: readonly PropertyKey[]) => lines[Number(path[0])] ?? 1;
  return { file, where, text, data, broken, linesOf: (paths) => Promise.resolve(paths.map(lineOfRow)) };
}

/** One JSON object of several lines, after lines that an agent's program printed before it. */
function afterBanner(text: string, problem: Problem): JsonLines | undefined {
  const start = /^\{/m.exec(text)?.index ?? 0;
  if (start === 0) return undefined;
  const banner = text.slice(0, start);
  try {
    const data = [JSON.parse(text.slice(start)) as unknown];
    return { data, lines: [banner.split("\n").length], broken: [{ problem, before: true }] };
  } catch {
    return undefined;
  }
}

/** Adds how text files are named: a file that does not begin like JSON was perhaps meant as text. */
function explained(problem: Problem, file: string): Problem {
  const extension = extname(file);
  if (extension.toLowerCase() === ".json" || /^\.(?:jsonl|ndjson)$/i.test(extension)) return problem;
  return {
    ...problem,
    help: `Name a text output \`<task-id>.md\` or \`<task-id>.txt\`; other outputs have to be JSON or JSON lines. Leave other files out of \`results\` with a pattern that starts with \`!\`${extension === "" ? "" : `, such as \`!**/*${extension}\``}.`,
  };
}

function tooLarge(where: Where, size: number): Problem {
  const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000).toLocaleString("en-US")} MB`;
  return error(
    `\`${where.path}\` is too large to read: ${megabytes(size)}; the limit is ${megabytes(LARGEST)}.`,
    {
      help: "Split it: run waza once per eval or with fewer trials, each with a separate output file, and name them all in `results`; records can be cut between any two lines.",
      at: spanOfFile(where),
    },
  );
}

function notUtf8(where: Where): Problem {
  return error(`\`${where.path}\` is UTF-16, and only UTF-8 is read.`, {
    help: "Write it as UTF-8: in PowerShell with `| Out-File -Encoding utf8 <file>` instead of `>`.",
    at: spanOfFile(where),
  });
}

function notText(where: Where): Problem {
  return error(`\`${where.path}\` is not UTF-8 text, so a judge cannot read it.`, {
    help: `Leave it out of \`results\`, with a pattern that starts with \`!\`, such as \`!**/*${extname(where.path)}\`.`,
    at: spanOfFile(where),
  });
}
