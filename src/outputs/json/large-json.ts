/**
 * JSON.parse for files of hundreds of megabytes, decoded and parsed piece by piece: a single string would take two bytes
 * per character as soon as it contains one arrow or emoji, in addition to the parsed values.
 */

/** Bytes: a shorter value is parsed as a whole. */
const PIECE = 1_000_000;
/** results.json nests tasks, a task, runs and a run; deeper values are parsed as a whole. */
const DEEPEST = 6;

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = { object: 0x7b, array: 0x5b };
const CLOSE = { object: 0x7d, array: 0x5d };

/** Equals JSON.parse of the whole; a SyntaxError has no position. */
export function parseLargeJson(bytes: Buffer, depth = 0): unknown {
  const from = firstOf(bytes, 0);
  const kind = bytes[from] === OPEN.object ? "object" : bytes[from] === OPEN.array ? "array" : undefined;
  if (bytes.length <= PIECE || depth >= DEEPEST || kind === undefined)
    return JSON.parse(bytes.toString("utf8"));
  const parts = split(bytes, from, CLOSE[kind]);
  if (kind === "array") return parts.map((part) => parseLargeJson(part, depth + 1));
  return Object.fromEntries(parts.map((part) => parseMember(part, depth)));
}

/** One JSON value per line, skipping blank lines; throws a SyntaxError without a position. */
export function parseLargeJsonLines(bytes: Buffer): unknown[] {
  const values: unknown[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    if (firstOf(bytes, start) < end) values.push(parseLargeJson(bytes.subarray(start, end)));
    start = end + 1;
  }
  return values;
}

function parseMember(part: Buffer, depth: number): [string, unknown] {
  const start = firstOf(part, 0);
  if (part[start] !== QUOTE) throw new SyntaxError("a key was expected");
  const end = endOfString(part, start) + 1;
  const colon = firstOf(part, end);
  if (part[colon] !== COLON) throw new SyntaxError("a colon was expected");
  const key = JSON.parse(part.toString("utf8", start, end)) as string;
  return [key, parseLargeJson(part.subarray(colon + 1), depth + 1)];
}

/** The parts between the commas of the list or mapping that begins at `from` and has to end the bytes. */
function split(bytes: Buffer, from: number, close: number): Buffer[] {
  const parts: Buffer[] = [];
  let start = from + 1;
  let depth = 0;
  for (let index = start; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === OPEN.object || byte === OPEN.array) depth += 1;
    else if (byte === COMMA && depth === 0) {
      parts.push(bytes.subarray(start, index));
      start = index + 1;
    } else if (byte === CLOSE.object || byte === CLOSE.array) {
      depth -= 1;
      if (depth >= 0) continue;
      if (byte !== close || firstOf(bytes, index + 1) < bytes.length) break;
      return [...parts, bytes.subarray(start, index)];
    }
  }
  throw new SyntaxError("the end of a list or mapping was expected");
}

function endOfString(bytes: Buffer, quote: number): number {
  for (let end = bytes.indexOf(QUOTE, quote + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  throw new SyntaxError("the end of a string was expected");
}

/** Index of the next byte that is not white space. */
function firstOf(bytes: Buffer, from: number): number {
  let index = from;
  while (index < bytes.length && [0x20, 0x09, 0x0a, 0x0d].includes(bytes[index] ?? 0)) index += 1;
  return index;
}
