/** A JSON file with line and column for what is wrong in it. */
import { parseDocument } from "yaml";
import type { Problem } from "../domain.ts";
import { messageOf } from "../errors.ts";
import { publishedPath, readFailure, readText } from "../files.ts";

/** A longer text is not parsed a second time only to find a column. */
const RELOCATE_LIMIT = 4_000_000;

/** Reads a JSON file; returns the problem, at line and column, when it cannot be read or is not JSON. */
export async function readJson(
  file: string,
  workspace: string,
): Promise<{ readonly text: string; readonly data: unknown } | Problem> {
  const where = publishedPath(file, workspace);
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    const message = `\`${where.path}\` cannot be read: ${readFailure(error)}.`;
    return { level: "error", message, at: { ...where, startLine: 1, endLine: 1 } };
  }
  try {
    return { text, data: JSON.parse(text) as unknown };
  } catch (error) {
    const { line, column } = position(text, errorOffset(text, messageOf(error)));
    return {
      level: "error",
      message: `\`${where.path}\` is not valid JSON: ${reason(text, messageOf(error))}.`,
      help: `Look at line ${String(line)}, column ${String(column)}; if the step that writes the file was cut off, run it again.`,
      at: { ...where, startLine: line, endLine: line, startColumn: column },
    };
  }
}

/** V8's message without its excerpt of the file, which is not ours to publish. */
function reason(text: string, message: string): string {
  if (text.trim() === "") return "the file is empty";
  return message
    .replace(/, (?:\.\.\.)?".*$/s, "")
    .replace(/ in JSON at position \d+.*$/s, "")
    .replace(/ is not valid JSON$/, "");
}

/** V8 names a position for most errors; for a stray word it does not, and the yaml parser finds it. */
function errorOffset(text: string, message: string): number {
  const named = /at position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  if (text.length > RELOCATE_LIMIT || message.startsWith("Unexpected end")) return text.length;
  const [error] = parseDocument(text, { schema: "json", prettyErrors: false, logLevel: "silent" }).errors;
  return error?.pos[0] ?? 0;
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Line of the first place a quoted key stands in the text; 1 when it is nowhere. */
export function lineOfKey(text: string, key: string): number {
  const offset = text.indexOf(JSON.stringify(key));
  return offset < 0 ? 1 : position(text, offset).line;
}
