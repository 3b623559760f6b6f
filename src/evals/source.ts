/** Reads a file of evals, JSON as JSON and all others as YAML, to its data with the place of every value. */
import { LineCounter } from "yaml";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import {
  type Entry,
  type NodeRange,
  type Parsed,
  type TextFault,
  placelessEntry,
  rootEntry,
} from "./entry.ts";
import { readJsonText } from "./json.ts";
import { readYamlText } from "./yaml.ts";
import { wholeFile } from "../files/confine.ts";
import { readText, readTextOrProblem } from "../files/read.ts";
import { jsonOf } from "../text/format.ts";

/** Maximum bytes of an eval or task file, a hundred times the largest real ones. */
export const MOST_EVAL_BYTES = 10_000_000;

/** A file that was read. */
export interface Source {
  readonly file: string;
  readonly root: Entry;
  /** What of it is read otherwise than it may be meant. */
  readonly warnings: readonly Problem[];
}

/** Reads a file, or returns the problem, with line and column. */
export async function readSource(file: string, workspace: string): Promise<Source | Problem> {
  const at = wholeFile(file, workspace);
  const text = await readTextOrProblem({ file, at }, MOST_EVAL_BYTES);
  if (typeof text !== "string") return text;
  return file.endsWith(".json")
    ? sourceOf(readJsonText, text, { file, at })
    : sourceOf(readYamlText, text, { file, at });
}

/** The data of a file that may hold evals, of JSON without its places, which is faster; undefined where it cannot be read. */
export async function lookInto(file: string, workspace: string): Promise<Entry | undefined> {
  if (!file.endsWith(".json")) {
    const source = await readSource(file, workspace);
    return "root" in source ? source.root : undefined;
  }
  const read = await readText(file, MOST_EVAL_BYTES);
  return "text" in read ? placelessEntry(jsonOf(read.text), wholeFile(file, workspace)) : undefined;
}

function sourceOf<Node extends { readonly range?: NodeRange }>(
  parse: (text: string) => Parsed<Node> | TextFault,
  text: string,
  { file, at }: { readonly file: string; readonly at: SourceSpan },
): Source | Problem {
  const parsed = parse(text);
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  const spanAt = (start: number, end = start): SourceSpan => {
    const { line: startLine, col: startColumn } = lines.linePos(start);
    return { ...at, startLine, endLine: lines.linePos(Math.max(start, end)).line, startColumn };
  };
  if ("reason" in parsed) {
    // A parser may stop at the line breaks before the fault, or at the end for what is never closed.
    const breaks = /^(?:[ \t]*\r?\n)*/.exec(text.slice(parsed.offset))?.[0].length ?? 0;
    return faultProblem(parsed, text, spanAt(Math.min(parsed.offset + breaks, text.trimEnd().length)));
  }
  const { data, root, child, warnings = [] } = parsed;
  const spanOf = (node: Node | undefined) => spanAt(...trimmed(node?.range, text));
  return {
    file,
    root: rootEntry({ child, spanOf }, data, root),
    warnings: warnings.map(({ offset, problemAt }) => problemAt(spanAt(offset))),
  };
}

/** Offsets of the first and the last character that is not white space. */
function trimmed(range: NodeRange, text: string): [number, number] {
  if (!range) return [0, 0];
  let end = Math.min(range[1], text.length);
  while (end > range[0] + 1 && /\s/.test(text.charAt(end - 1))) end -= 1;
  return [range[0], end - 1];
}

/** The problem of a fault, with a remedy for its line. */
function faultProblem({ reason, refused }: TextFault, text: string, at: SourceSpan): Problem {
  const position = `line ${String(at.startLine)}, column ${String(at.startColumn ?? 1)}`;
  const unread = (code: string, fault: string, help: string) =>
    error(code, `the file is ${fault.replace(/\.?$/, ".")}`, { help, at });
  const line = text.split("\n", at.startLine)[at.startLine - 1] ?? "";
  const smaller = `Make it smaller; it exceeds the limit at ${position}.`;
  if (refused) return unread("refused-yaml", `refused: ${reason}`, smaller);
  if (at.path.endsWith(".json")) {
    const help = /[“”„‟‘’]/.test(line)
      ? `Write straight quotes, \`"\`, in line ${String(at.startLine)}.`
      : `Correct ${position}, and check the quotes, commas and brackets before it.`;
    return unread("invalid-json", `not valid JSON: ${reason}`, help);
  }
  const why = /^\s*\t/.test(line) ? "the line begins with a tab; YAML is indented by spaces" : reason;
  const help = /^[\s-]*\w+:\w/.test(line)
    ? `Write a space after the colon in line ${String(at.startLine)}.`
    : `Correct ${position}, and check the indentation there; text with \`: \` or \` #\` in it, or a sign at its start, belongs in quotes.`;
  return unread("invalid-yaml", `not valid YAML: ${why}`, help);
}
