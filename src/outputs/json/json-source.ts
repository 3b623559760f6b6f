/** Parses JSON and JSON lines; errors have a line and column. */
import type { AnyNode } from "@humanwhocodes/momoa";
import type { Problem } from "../../domain/location.ts";
import { messageOf } from "../../text/errors.ts";
import type { BrokenLine, Where } from "../reader.ts";
import { error } from "../../text/problem.ts";
import { spanOfFile } from "../../files/names.ts";

/** Characters: a longer text is not parsed again to find a line. */
export const LOCATE_LIMIT = 20_000_000;

interface Position {
  readonly line: number;
  readonly column: number;
}

const START: Position = { line: 1, column: 1 };

interface Json {
  readonly data: unknown;
}

/** Parses a JSON text that begins at line `from`, or returns the problem at its line and column. */
export async function parseJson(text: string, where: Where, from = 1): Promise<Json | Problem> {
  try {
    return { data: JSON.parse(text) as unknown };
  } catch (thrown) {
    const position = await errorPosition(text, messageOf(thrown));
    const line = position.line + from - 1;
    return error(`\`${where.path}\` is not valid JSON: ${reason(messageOf(thrown))}.`, {
      help: `Look at line ${String(line)}, column ${String(position.column)}; if the step that writes the file was interrupted, run it again.`,
      at: { ...where, startLine: line, endLine: line, startColumn: position.column },
    });
  }
}

/** JSON lines: the values, the line of each, and the lines that are not JSON. */
export interface JsonLines {
  readonly data: readonly unknown[];
  readonly lines: readonly number[];
  readonly broken: readonly BrokenLine[];
}

/** The beginning of JSON, as opposed to `[WARN] …`. */
const PIECE = /^\s*(?:[{"]|\[(?![A-Za-z]))/;
/** With more non-JSON lines than this, the file is not JSON lines. */
const MOST_BROKEN = 20;

/**
 * Parses one JSON value per line, skipping blank lines; undefined if the first value is not an object, which means it is
 * not JSON lines. A line may hold several values (a crash, then a resume). Lines of another program and truncated lines
 * are returned beside the values.
 */
export async function parseJsonLines(text: string, where: Where): Promise<JsonLines | Problem | undefined> {
  const data: unknown[] = [];
  const lines: number[] = [];
  const broken: BrokenLine[] = [];
  const rows = text.split("\n");
  for (const [index, line] of rows.entries()) {
    if (line.trim() === "") continue;
    const { values, rest } = valuesOf(line);
    const isTorn = PIECE.test(rest);
    if (data.length === 0 && !isObject(values[0])) {
      const more = rows
        .slice(index + 1, index + MOST_BROKEN)
        .some((row) => isObject(valuesOf(row).values[0]));
      if (values.length > 0 || isTorn || !more) return undefined;
    }
    const before = data.length === 0 && values.length === 0;
    for (const value of values) {
      data.push(value);
      lines.push(index + 1);
    }
    if (rest === "") continue;
    const parsed = await parseJson(rest, where, index + 1);
    if ("data" in parsed) continue;
    const problem = isTorn ? parsed : strayLine(parsed, rest);
    if (broken.length === MOST_BROKEN) return broken[0]?.problem;
    broken.push({ problem, before });
  }
  return data.length === 0 ? undefined : { data, lines, broken };
}

/** The JSON values at the beginning of a line, and the rest of it. */
function valuesOf(line: string): { readonly values: unknown[]; readonly rest: string } {
  const values: unknown[] = [];
  for (let rest = line; ;) {
    try {
      return { values: [...values, JSON.parse(rest) as unknown], rest: "" };
    } catch (thrown) {
      const end = Number(/after JSON at position (\d+)/.exec(messageOf(thrown))?.[1]);
      const value: unknown = end > 0 ? JSON.parse(rest.slice(0, end)) : undefined;
      if (!isObject(value)) return { values, rest };
      values.push(value);
      rest = rest.slice(end);
    }
  }
}

/** The problem of a line from another program. */
function strayLine(problem: Problem, line: string): Problem {
  const { startLine = 1, startColumn = 1 } = problem.at ?? {};
  const help = `Another program printed the text at line ${String(startLine)}, column ${String(startColumn)}. Write only JSON to the file: no error output (\`2>&1\`) and no messages.`;
  return { ...quoting(problem, line), help };
}

/** Maximum characters to quote of a line. */
const QUOTED = 200;

/** Quotes the first line of a text that is not JSON: often it is an error of the program that should have written JSON. */
export function textInstead(problem: Problem, text: string): Problem {
  const rest = text.trimStart();
  const [line = ""] = rest.split("\n", 1);
  const position = positionAt(text, text.length - rest.length);
  if (PIECE.test(line) || problem.at?.startLine !== position.line) return problem;
  return {
    ...quoting(problem, line),
    help: `Check the step that writes it: line ${String(position.line)}, column ${String(problem.at.startColumn ?? 1)} is plain text printed by a program, not JSON.`,
  };
}

/** Quotes the line in the message. A long line is cut between two words, since half a secret could not be redacted. */
function quoting(problem: Problem, line: string): Problem {
  const trimmed = line.trim();
  const cut =
    trimmed.length <= QUOTED ? trimmed : `${trimmed.slice(0, trimmed.lastIndexOf(" ", QUOTED) + 1)}…`;
  if (cut.length < 2 || !problem.at) return problem;
  const { path, startLine } = problem.at;
  return {
    ...problem,
    message: `\`${path}\` is not valid JSON: line ${String(startLine)} says \`${cut}\`.`,
  };
}

/** The problem of an empty file. */
export function emptyFile(where: Where): Problem {
  return error(`\`${where.path}\` is empty: nothing was written to it.`, {
    help: "Check the step that writes it, and the agent's error output.",
    at: spanOfFile(where),
  });
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** V8's message without its excerpt of the file, which must not be published. */
function reason(message: string): string {
  return message
    .replace(/, (?:\.\.\.)?".*$/s, "")
    .replace(/ in JSON at position \d+.*$/s, "")
    .replace(/ is not valid JSON$/, "");
}

/** V8 reports a position for most errors; for the others a parser with positions finds it. */
async function errorPosition(text: string, message: string): Promise<Position> {
  const named = /at position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return positionAt(text, Number(named));
  if (message.startsWith("Unexpected end")) return positionAt(text, text.length);
  if (text.length > LOCATE_LIMIT) return START;
  const { parse } = await import("@humanwhocodes/momoa");
  try {
    parse(text);
    return START;
  } catch (error) {
    const { line, column } = error as Partial<Position>;
    return line === undefined || column === undefined ? START : { line, column };
  }
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Lines of the keys or values at the given paths; 1 for a missing path. */
export async function linesOf(text: string, paths: readonly (readonly PropertyKey[])[]): Promise<number[]> {
  if (paths.length === 0 || text.length > LOCATE_LIMIT) return paths.map(() => START.line);
  const { parse } = await import("@humanwhocodes/momoa");
  try {
    const { body } = parse(text);
    return paths.map((path) => lineAt(body, path));
  } catch {
    // Nested so deeply that only V8 reads it.
    return paths.map(() => START.line);
  }
}

function lineAt(body: AnyNode, path: readonly PropertyKey[]): number {
  let node: AnyNode = body;
  let line = START.line;
  for (const key of path) {
    if (node.type === "Object") {
      const member = node.members.find(
        ({ name }) => (name.type === "String" ? name.value : name.name) === key,
      );
      if (!member) return line;
      line = member.loc.start.line;
      node = member.value;
    } else if (node.type === "Array") {
      const element = node.elements[Number(key)];
      if (!element) return line;
      line = element.loc.start.line;
      node = element.value;
    }
  }
  return line;
}
