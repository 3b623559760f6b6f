/** A YAML file with the place of every value in it, so that each message and annotation can point there. */
import {
  LineCounter,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  parseDocument,
  visit,
} from "yaml";
import type { Document, Node } from "yaml";
import * as z from "zod/mini";
import type { Problem, SourceSpan } from "../domain.ts";
import { messageOf } from "../errors.ts";
import { shorten } from "../format.ts";
import { closest } from "../suggest.ts";
import { publishedPath, readTextOrProblem } from "../files.ts";
import { KEYS } from "./schema.ts";
import type { TwoReadings } from "./schema.ts";

type Path = readonly PropertyKey[];

/** waza reads YAML with Go, where a plain `~`, `null` or nothing at all is an absent value. */
const NULLS = new Set(["", "~", "null", "Null", "NULL"]);

/** An anchor may be used by hundreds of graders; aliases of aliases of aliases are a bomb and stop here. */
const MOST_ALIASES = 10_000;

/** A parsed file: its plain data, and where each part of it stands. */
export interface YamlSource {
  readonly file: string;
  readonly data: unknown;
  /** What is worth a warning: waza reads the first of several documents and drops the others in silence. */
  readonly warnings: readonly Problem[];
  /** The span of the value at a path, or of the nearest part of the path that exists. */
  spanOf: (path: Path) => SourceSpan;
  /** The span of the key that ends a path. */
  spanOfKey: (path: Path) => SourceSpan;
}

/** Reads a YAML file; returns the problem, at line and column, when it cannot be read or is not YAML. */
export async function readYaml(file: string, workspace: string): Promise<YamlSource | Problem> {
  const where = publishedPath(file, workspace);
  const text = await readTextOrProblem(file, workspace);
  if (typeof text !== "string") return text;
  const lines = new LineCounter();
  const options = {
    schema: "failsafe",
    merge: true,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "silent",
  } as const;
  const documents = parseAllDocuments(text, options);
  const document = documents[0] ?? parseDocument("", options);
  const spanAt = (start: number, end: number): SourceSpan => ({ ...where, ...span(lines, start, end) });
  const error = firstError(document);
  if (error) {
    const at = spanAt(error.offset, error.offset);
    const line = text.split("\n")[at.startLine - 1] ?? "";
    const reason = /^\s*\t/.test(line)
      ? "the line begins with a tab; YAML is indented by spaces"
      : error.message;
    return syntaxProblem(where.path, reason, at);
  }
  try {
    return {
      file,
      data: plainData(document),
      warnings:
        documents.length > 1
          ? [severalDocuments(where.path, documents.length, spanAt(documents[1]?.range[0] ?? 0, 0))]
          : [],
      spanOf: (path) => spanAt(...rangeOf(nodeAt(document, path), text)),
      spanOfKey: (path) => spanAt(...rangeOf(keyAt(document, path), text)),
    };
  } catch (error) {
    return syntaxProblem(where.path, messageOf(error), spanAt(0, 0));
  }
}

function severalDocuments(path: string, number: number, at: SourceSpan): Problem {
  return {
    level: "warning",
    message: `\`${path}\` holds ${String(number)} YAML documents; the first is read and the others are left out, as waza does.`,
    help: "Put each into a file of its own.",
    at: { ...at, endLine: at.startLine },
  };
}

function syntaxProblem(path: string, reason: string, at: SourceSpan): Problem {
  return {
    level: "error",
    message: `\`${path}\` is not valid YAML: ${reason.replace(/\.?$/, ".")}`,
    help: `Correct line ${String(at.startLine)}, column ${String(at.startColumn ?? 1)}.`,
    at,
  };
}

function firstError(document: Document.Parsed): { message: string; offset: number } | undefined {
  const [error] = document.errors;
  if (error) return { message: error.message, offset: error.pos[0] };
  let unresolved: { message: string; offset: number } | undefined;
  visit(document, {
    Alias: (_key, node) => {
      if (node.resolve(document)) return undefined;
      unresolved = { message: `no anchor is called \`${node.source}\``, offset: node.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return unresolved;
}

function plainData(document: Document.Parsed): unknown {
  visit(document, {
    Scalar: (_key, node) => {
      if (node.type === "PLAIN" && NULLS.has(node.source ?? "")) node.value = null;
    },
  });
  return document.toJS({ maxAliasCount: MOST_ALIASES });
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

/** Offsets of a node: its first character and its last that is not white space. */
function rangeOf(node: Node | undefined, text: string): [number, number] {
  const range = node?.range;
  if (!range) return [0, 0];
  let end = Math.min(range[1], text.length);
  while (end > range[0] + 1 && /\s/.test(text.charAt(end - 1))) end -= 1;
  return [range[0], end - 1];
}

/** The value at a path, or at the longest part of it that exists; a key without a value is where its value would be. */
function nodeAt(document: Document.Parsed, path: Path): Node | undefined {
  let node: Node | undefined = document.contents ?? undefined;
  for (const key of path) {
    const target = isAlias(node) ? node.resolve(document) : node;
    const next = isSeq(target)
      ? target.items[Number(key)]
      : (pairAt(target, key)?.value ?? pairAt(target, key)?.key);
    if (!isNode(next)) break;
    node = next;
  }
  return node;
}

function keyAt(document: Document.Parsed, path: Path): Node | undefined {
  const parent = nodeAt(document, path.slice(0, -1));
  const key = pairAt(isAlias(parent) ? parent.resolve(document) : parent, path.at(-1) ?? "")?.key;
  return isNode(key) ? key : parent;
}

function pairAt(node: unknown, key: PropertyKey) {
  if (!isMap(node)) return undefined;
  return node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === key);
}

/** What a schema made of a source: the data, or its problems; unknown keys are one notice. */
export function readWith<T>(
  source: YamlSource,
  schema: TwoReadings<T>,
  at: { readonly value: unknown; readonly path: Path } = { value: source.data, path: [] },
): { readonly data?: T; readonly problems: Problem[]; readonly unknown: UnknownKey[] } {
  const known = z.safeParse(schema.known, at.value);
  const problems: Problem[] = [];
  for (const issue of known.error?.issues ?? []) {
    const path = [...at.path, ...issue.path];
    const name = path.length > 0 ? ` for \`${dotted(path)}\`` : "";
    const where = source.spanOf(path);
    problems.push({
      level: "error",
      message: `\`${where.path}\`${name}: ${issue.message}, ${path.length === 0 ? "not what this is" : describe(valueAt(source.data, path))}.`,
      at: where,
    });
  }
  const unknown = unknownKeys(z.safeParse(schema.strict, at.value).error?.issues ?? [], at.path, source);
  return { ...(known.success ? { data: known.data } : {}), problems, unknown };
}

/** A key that no version of the format we know has. */
export interface UnknownKey {
  readonly name: string;
  /** The known key it may have been meant for. */
  readonly meant?: string;
  readonly at: SourceSpan;
}

function unknownKeys(issues: readonly z.core.$ZodIssue[], base: Path, source: YamlSource): UnknownKey[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => {
          const path = [...base, ...issue.path, key];
          const siblings = Object.keys(valueAt(source.data, path.slice(0, -1)) ?? {});
          const meant = closest(
            key,
            KEYS.filter((known) => !siblings.includes(known)),
          );
          return {
            name: dotted(path),
            at: source.spanOfKey(path),
            ...(meant === undefined ? {} : { meant }),
          };
        })
      : [],
  );
}

/** A key that no version of the format we know has. */
export interface UnknownKey {
  readonly name: string;
  /** The known key it may have been meant for. */
  readonly meant?: string;
  readonly at: SourceSpan;
}

/**
 * One notice for a whole file, listing what is ignored in it with the lines; a key that is nearly a known one is a
 * warning of its own, because what it should have done is not done.
 */
export function unknownKeyProblems(file: string, keys: readonly UnknownKey[]): Problem[] {
  const inOrder = [...keys].sort((a, b) => a.at.startLine - b.at.startLine);
  const misspelled = inOrder.flatMap(({ name, meant, at }): Problem[] =>
    meant === undefined
      ? []
      : [
          {
            level: "warning",
            message: `\`${file}\`: unknown key \`${name}\`, ignored.`,
            help: `Did you mean \`${meant}\`?`,
            at,
          },
        ],
  );
  const rest = inOrder.filter(({ meant }) => meant === undefined);
  const [first] = rest;
  if (!first) return misspelled;
  const list = rest.map(({ name, at }) => `\`${name}\` (line ${String(at.startLine)})`).join(", ");
  const message = `\`${file}\`: ignored, because they mean nothing to waza-grade: ${list}.`;
  return [...misspelled, { level: "notice", message, at: first.at }];
}

/** A path into the data as people write it: `graders[0].config`. */
export function dotted(path: Path): string {
  return path
    .map((key, index) =>
      typeof key === "number" ? `[${String(key)}]` : `${index > 0 ? "." : ""}${String(key)}`,
    )
    .join("");
}

/** The value at a path; undefined when there is none. */
export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    data,
  );
}

/** What stands where something else was expected, as the end of a sentence. */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return "and there is none";
  if (Array.isArray(value)) return "not a list";
  if (typeof value !== "string") return "not a mapping";
  return `not \`${shorten(value, 60)}\``;
}
