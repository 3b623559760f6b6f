/**
 * YAML files: parsed with limits, with the position of every value, and held against a schema for data, problems and
 * unknown keys.
 */
import {
  CST,
  Composer,
  type Document,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  type YAMLMap,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  visit,
} from "yaml";
import * as z from "zod/mini";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import type { TwoReadings } from "./schema.ts";
import { problem } from "./problems.ts";
import { wholeFile } from "../files/confine.ts";
import { readTextOrProblem } from "../files/read.ts";
import { jsonFault, messageOf, shorten, once } from "../text/format.ts";
import { closest } from "../text/suggest.ts";
import { MOST_EVAL_BYTES } from "./limits.ts";

/** Maximum tokens of YAML's grammar: 10 MB of `- a` would take gigabytes as a document. */
const MOST_TOKENS = 500_000;
/** Maximum levels of nesting, which could overflow the stack; real files have fewer than ten. */
const MOST_LEVELS = 100;
/** Maximum resolved aliases: hundreds of graders may use one anchor; nested aliases can be a bomb. */
const MOST_ALIASES = 10_000;
/** Maximum unknown keys to report per mapping: a hostile file could have any number. */
const MOST_UNKNOWN = 50;

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

/** The keys and indices that lead to a value. */
export type Path = readonly PropertyKey[];

/** An error in a text, with its offset. */
interface YamlFault {
  readonly reason: string;
  readonly offset: number;
  /** A limit is exceeded; it may be valid YAML. */
  readonly refused?: true | undefined;
}

/** Reads a YAML file, or returns the problem, with line and column. */
export async function readYaml(file: string, workspace: string): Promise<YamlSource | Problem> {
  const at = wholeFile(file, workspace);
  const text = await readTextOrProblem({ file, at }, MOST_EVAL_BYTES);
  if (typeof text !== "string") return text;
  const lines = new LineCounter();
  const spanAt = (start: number, end: number): SourceSpan => ({ ...at, ...span(lines, start, end) });
  const problemOf = (fault: YamlFault) => {
    // The parser may stop at the line breaks before the fault, or at the end for what is never closed.
    const at = fault.offset + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(fault.offset))?.[0].length ?? 0);
    const offset = Math.min(at, text.trimEnd().length);
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
    warnings: second
      ? [problem("severalDocuments", spanAt(second.range[0], second.range[0]), documents.length)]
      : [],
    spanOf: (path) => spanAt(...rangeOf(nodeAt(document, path), text)),
    spanOfKey: (path) => spanAt(...rangeOf(keyAt(document, path), text)),
  };
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

/** The problem of a fault, with a remedy for its line. */
function faultProblem({ reason, refused }: YamlFault, text: string, at: SourceSpan): Problem {
  const position = `line ${String(at.startLine)}, column ${String(at.startColumn ?? 1)}`;
  const problem = (code: string, fault: string, help: string) =>
    error(code, `the file is ${fault.replace(/\.?$/, ".")}`, { help, at });
  if (refused)
    return problem(
      "refused-yaml",
      `refused: ${reason}`,
      `Make it smaller; it exceeds the limit at ${position}.`,
    );
  if (at.path.endsWith(".json")) {
    const help = `Correct ${position}, and check the quotes, commas and brackets before it.`;
    return problem("invalid-json", `not valid JSON: ${faultOfJson(text) ?? reason}`, help);
  }
  const line = text.split("\n", at.startLine)[at.startLine - 1] ?? "";
  const why = /^\s*\t/.test(line) ? "the line begins with a tab; YAML is indented by spaces" : reason;
  const help = /^[\s-]*\w+:\w/.test(line)
    ? `Write a space after the colon in line ${String(at.startLine)}.`
    : `Correct ${position}, and check the indentation there; text with \`: \` or \` #\` in it, or a sign at its start, belongs in quotes.`;
  return problem("invalid-yaml", `not valid YAML: ${why}`, help);
}

/** What JSON.parse says of a text; undefined where nothing is wrong. */
function faultOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (thrown) {
    return jsonFault(messageOf(thrown));
  }
}

class LimitError extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

type Documents = readonly [Document.Parsed, ...Document.Parsed[]];

/**
 * The documents of a text, every scalar still text (the "failsafe" schema: see schema.ts); or the first syntax error,
 * alias without an anchor, or exceeded limit.
 */
export function parseYaml(text: string, lines: LineCounter): Documents | YamlFault {
  try {
    refuseTooManyTokens(text, lines);
    const composer = new Composer({ schema: "failsafe", merge: true, uniqueKeys: false, logLevel: "silent" });
    const tokens = new Parser(lines.addNewLine).parse(text);
    // `true`: a text without a document becomes an empty one, so there is always a first.
    const documents = [...composer.compose(refuseDeep(tokens), true, text.length)] as unknown as Documents;
    return firstFault(documents[0]) ?? documents;
  } catch (error) {
    if (error instanceof LimitError) return { reason: error.message, offset: error.offset, refused: true };
    throw error;
  }
}

/** Tokens that the lexer adds; they are not in the text. */
const SIGNS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

function refuseTooManyTokens(text: string, lines: LineCounter): void {
  if (text.length < MOST_TOKENS) return;
  let tokens = 0;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (!SIGNS.has(token)) offset += token.length;
    if (tokens <= MOST_TOKENS) continue;
    // The parser, which records the line starts, has not run.
    lines.addNewLine(0);
    for (const { index } of text.slice(0, offset).matchAll(/\n/g)) lines.addNewLine(index + 1);
    throw new LimitError("it has far more values than an eval needs", offset);
  }
}

function* refuseDeep(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    const offset = tooDeep(token);
    if (offset !== undefined)
      throw new LimitError(`it is nested more than ${String(MOST_LEVELS)} levels deep`, offset);
    yield token;
  }
}

/** Offset of the first value that is nested too deeply. Not recursive: deep files would overflow the stack. */
function tooDeep(token: CST.Token): number | undefined {
  const open: { readonly token: CST.Token; readonly level: number }[] = [{ token, level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { token: at, level } = next;
    if (level > MOST_LEVELS) return "offset" in at ? at.offset : 0;
    if (at.type === "document" && at.value) open.push({ token: at.value, level });
    if (!("items" in at)) continue;
    for (const { key, value } of at.items) {
      if (key) open.push({ token: key, level: level + 1 });
      if (value) open.push({ token: value, level: level + 1 });
    }
  }
  return undefined;
}

/** The first syntax error, unknown anchor or duplicate key. The library's own check for duplicates compares every pair of keys, which takes minutes for a large mapping. */
function firstFault(document: Document.Parsed): YamlFault | undefined {
  const [error] = document.errors;
  if (error) return { reason: error.message, offset: error.pos[0] };
  const anchors = new Set<string>();
  let fault: YamlFault | undefined;
  visit(document, {
    Node: (_key, node: Node) => {
      if (isAlias(node) && !anchors.has(node.source)) {
        fault = { reason: `no anchor is called \`${node.source}\``, offset: node.range?.[0] ?? 0 };
      } else if (isMap(node)) {
        fault = duplicateKey(node);
      }
      if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor);
      return fault && visit.BREAK;
    },
  });
  return fault;
}

function duplicateKey(map: YAMLMap): YamlFault | undefined {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) {
      const reason = `the key \`${shorten(String(key.value), 60)}\` occurs twice in one mapping`;
      return { reason, offset: key.range?.[0] ?? 0 };
    }
    seen.add(key.value);
  }
  return undefined;
}

/** waza reads YAML with Go, where a plain `~`, `null` or nothing at all is an absent value. */
const NULLS = new Set(["", "~", "null", "Null", "NULL"]);

/** The data of a document: text, null, lists and mappings, aliases and merges resolved; a fault for an alias bomb or an invalid merge. */
export function plainData(document: Document.Parsed): { readonly data: unknown } | YamlFault {
  visit(document, {
    Scalar: (_key, node) => {
      if (node.type === "PLAIN" && NULLS.has(node.source ?? "")) node.value = null;
    },
  });
  try {
    return { data: document.toJS({ maxAliasCount: MOST_ALIASES }) as unknown };
  } catch (error) {
    // The library throws ReferenceError for a bomb, and Error for an invalid merge.
    if (!(error instanceof ReferenceError)) return { reason: messageOf(error), offset: 0 };
    const reason = `its aliases multiply to more than ${String(MOST_ALIASES)} values`;
    return { reason, offset: firstAlias(document), refused: true };
  }
}

function firstAlias(document: Document.Parsed): number {
  let offset = 0;
  visit(document, {
    Alias: (_key, node) => {
      offset = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** Offsets of a node's first and last character that is not white space. */
function rangeOf(node: Node | undefined, text: string): [number, number] {
  const range = node?.range;
  if (!range) return [0, 0];
  let end = Math.min(range[1], text.length);
  while (end > range[0] + 1 && /\s/.test(text.charAt(end - 1))) end -= 1;
  return [range[0], end - 1];
}

/** The value at a path, or at its longest existing part; a missing value has the position where it would be. */
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

/** Pairs by their keys, built once per mapping, so that many lookups in one large mapping stay fast. */
const PAIRS = new WeakMap<YAMLMap, ReadonlyMap<PropertyKey, Pair>>();

function pairAt(node: unknown, key: PropertyKey): Pair | undefined {
  if (!isMap(node)) return undefined;
  return once(PAIRS, node, () => keyedPairs(node)).get(key);
}

function keyedPairs({ items }: YAMLMap): ReadonlyMap<PropertyKey, Pair> {
  const pairs = new Map<PropertyKey, Pair>();
  for (const pair of items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
    if (key !== undefined && !pairs.has(key)) pairs.set(key, pair);
  }
  return pairs;
}

/** The key that ends a path, or its parent. */
function keyAt(document: Document.Parsed, path: Path): Node | undefined {
  const parent = nodeAt(document, path.slice(0, -1));
  const key = pairAt(isAlias(parent) ? parent.resolve(document) : parent, path.at(-1) ?? "")?.key;
  return isNode(key) ? key : parent;
}

const NONE: Keys["nested"] = new Map();

/** The data, or its problems; and the keys that the schema does not know. */
interface ReadData<T> {
  readonly data?: T | undefined;
  readonly problems: Problem[];
  readonly unknown: UnknownKey[];
}

/** A key that the format does not have. */
export interface UnknownKey {
  readonly name: string;
  /** The known key it may be a misspelling of; dotted if that belongs to a mapping beside it. */
  readonly meant?: string | undefined;
  readonly at: SourceSpan;
}

/** Unknown keys of the mapping at a path. */
interface UnknownIn {
  readonly path: Path;
  readonly keys: readonly string[];
}

/** Applies a schema to a source, or to the value at a path of it. */
export function readWith<T>(
  source: YamlSource,
  schema: TwoReadings<T>,
  at: { readonly value: unknown; readonly path: Path } = { value: source.data, path: [] },
): ReadData<T> {
  const known = z.safeParse(schema.known, at.value);
  const strict = z.safeParse(schema.strict, at.value).error?.issues ?? [];
  const unknownIn = strict.flatMap((issue): UnknownIn[] =>
    issue.code === "unrecognized_keys" ? [{ path: [...at.path, ...issue.path], keys: issue.keys }] : [],
  );
  const problems = (known.error?.issues ?? []).map(({ path, message }) =>
    wrongValue(source, { path: [...at.path, ...path], message }, unknownIn),
  );
  const unknown = unknownIn.flatMap(({ path, keys }) =>
    unknownKeys(source, path, { keys, known: schema.keys, nested: path.length === 0 ? schema.nested : NONE }),
  );
  return { data: known.data, problems, unknown };
}

/** The problem of a wrong or missing value; for a misspelled key, at that key. */
function wrongValue(
  source: YamlSource,
  { path, message }: { readonly path: Path; readonly message: string },
  unknownIn: readonly UnknownIn[],
): Problem {
  const name = path.length > 0 ? `\`${dotted(path)}\`: ` : "";
  const value = valueAt(source.data, path);
  const key = path.at(-1);
  const siblings = unknownIn.find((one) => dotted(one.path) === dotted(path.slice(0, -1)))?.keys ?? [];
  const misspelled = value === undefined && typeof key === "string" ? closest(key, siblings) : undefined;
  if (misspelled === undefined) {
    const at = source.spanOf(path);
    const actual = path.length === 0 ? "and the file holds something else" : describe(value);
    return error("wrong-value", `${name}${message}, ${actual}.`, { help: remedy(path, value, at), at });
  }
  const at = source.spanOfKey([...path.slice(0, -1), misspelled]);
  const actual = `${describe(value)}; \`${misspelled}\` seems to be meant for \`${String(key)}\``;
  const help = `Write \`${String(key)}:\` in line ${String(at.startLine)}.`;
  return error("wrong-value", `${name}${message}, ${actual}.`, { help, at });
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

function remedy(path: Path, value: unknown, { startLine, startColumn = 1 }: SourceSpan): string {
  const key = path.at(-1);
  if ((value === undefined || value === null) && typeof key === "string") return `Add \`${key}:\` there.`;
  if (typeof value === "string" && /^\w+:\w/.test(value))
    return `Write a space after the colon in line ${String(startLine)}.`;
  return `Correct line ${String(startLine)}, column ${String(startColumn)}.`;
}

/** The unknown keys of a mapping, its known keys, and the known keys of nested mappings. */
interface Keys {
  readonly keys: readonly string[];
  readonly known: readonly string[];
  readonly nested: TwoReadings<unknown>["nested"];
}

function unknownKeys(source: YamlSource, path: Path, { keys, known, nested }: Keys): UnknownKey[] {
  const mapping = valueAt(source.data, path) ?? {};
  const unset = known.filter((key) => !Object.hasOwn(mapping, key));
  return keys.slice(0, MOST_UNKNOWN).map((key) => {
    const nestedPath = nested.get(key);
    const isFree = nestedPath !== undefined && valueAt(source.data, nestedPath.split(".")) === undefined;
    const meant = isFree ? nestedPath : key.length > 100 ? undefined : closest(key, unset);
    const at = source.spanOfKey([...path, key]);
    return { name: dotted([...path, shorten(key, 100)]), at, meant };
  });
}
