/** A YAML file with the position of every value, for messages and annotations. */
import { LineCounter } from "yaml";
import type { Problem, SourceSpan } from "../../domain/location.ts";
import { publishedPath } from "../../files/names.ts";
import { readTextOrProblem } from "../../files/read.ts";
import { shorten } from "../../text/format.ts";
import { MOST_EVAL_BYTES } from "../eval-location.ts";
import { parseYaml, plainData } from "./document.ts";
import type { YamlFault } from "./document.ts";
import { keyAt, nodeAt, rangeOf } from "./positions.ts";
import type { Path } from "./positions.ts";
import { error, warning } from "../../text/problem.ts";

/** A parsed file: its data, and the span of each part. */
export interface YamlSource {
  readonly file: string;
  readonly data: unknown;
  /** A warning if the file holds several documents: waza silently drops all but the first. */
  readonly warnings: readonly Problem[];
  /** The span of the value at a path, or of its longest existing part. */
  spanOf: (path: Path) => SourceSpan;
  /** The span of the key that ends a path. */
  spanOfKey: (path: Path) => SourceSpan;
}

/** Reads a YAML file, or returns the problem, with line and column. */
export async function readYaml(file: string, workspace: string): Promise<YamlSource | Problem> {
  const where = publishedPath(file, workspace);
  const text = await readTextOrProblem(file, workspace, MOST_EVAL_BYTES);
  if (typeof text !== "string") return text;
  const lines = new LineCounter();
  const spanAt = (start: number, end: number): SourceSpan => ({ ...where, ...span(lines, start, end) });
  const problemOf = (fault: YamlFault) => {
    // The parser may stop at the line breaks before the fault.
    const at = fault.offset + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(fault.offset))?.[0].length ?? 0);
    const offset = at < text.length ? at : fault.offset;
    return faultProblem(fault, text, spanAt(offset, offset));
  };
  const documents = parseYaml(text, lines);
  if ("reason" in documents) return problemOf(documents);
  const [document, second] = documents;
  const plain = plainData(document);
  if ("reason" in plain) return problemOf(plain);
  return {
    file,
    data: plain.data,
    warnings: second ? [severalDocuments(where.path, documents.length, spanAt(second.range[0], 0))] : [],
    spanOf: (path) => spanAt(...rangeOf(nodeAt(document, path), text)),
    spanOfKey: (path) => spanAt(...rangeOf(keyAt(document, path), text)),
  };
}

function severalDocuments(path: string, number: number, at: SourceSpan): Problem {
  return warning(`\`${path}\` has ${String(number)} YAML documents; only the first is read, as in waza.`, {
    help: "Split the file: one document per file.",
    at: { ...at, endLine: at.startLine },
  });
}

/** The problem of a fault, with a remedy for its line. */
function faultProblem({ reason, refused }: YamlFault, text: string, at: SourceSpan): Problem {
  const position = `line ${String(at.startLine)}, column ${String(at.startColumn ?? 1)}`;
  const problem = (fault: string, help: string) =>
    error(`\`${at.path}\` is ${fault.replace(/\.?$/, ".")}`, { help, at });
  if (refused) return problem(`refused: ${reason}`, `Make it smaller; it exceeds the limit at ${position}.`);
  if (at.path.endsWith(".json")) {
    const help = `Correct ${position}, and check the quotes, commas and brackets before it.`;
    return problem(`not valid JSON: ${reason}`, help);
  }
  const line = text.split("\n", at.startLine)[at.startLine - 1] ?? "";
  const why = /^\s*\t/.test(line) ? "the line begins with a tab; YAML is indented by spaces" : reason;
  const help = /^[\s-]*\w+:\w/.test(line)
    ? `Write a space after the colon in line ${String(at.startLine)}.`
    : `Correct ${position}, and check the indentation there; text with \`: \` or \` #\` in it, or a sign at its start, belongs in quotes.`;
  return problem(`not valid YAML: ${why}`, help);
}

function span(lines: LineCounter, start: number, end: number) {
  const from = lines.linePos(start);
  const to = lines.linePos(Math.max(start, end));
  return {
    startLine: Math.max(1, from.line),
    endLine: Math.max(1, from.line, to.line),
    startColumn: Math.max(1, from.col),
  };
}

/** A path into the data as people write it: `graders[0].config`. */
export function dotted(path: Path): string {
  return path
    .map((key, index) =>
      typeof key === "number" ? `[${String(key)}]` : `${index > 0 ? "." : ""}${String(key)}`,
    )
    .join("");
}

/** The value at a path; undefined if there is none. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    data,
  );
}

/** Describes an unexpected value, as the end of a sentence. */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return "and there is none";
  if (Array.isArray(value)) return "not a list";
  if (typeof value !== "string") return "not a mapping";
  return `not \`${shorten(value, 60)}\``;
}
