/** Parses YAML text with limits far above real files, so that a hostile file cannot exhaust memory or time. */
import { messageOf } from "../../text/errors.ts";
import { Composer, CST, isAlias, isMap, isScalar, Lexer, Parser, visit } from "yaml";
import type { Document, LineCounter, Node, YAMLMap } from "yaml";
import { shorten } from "../../text/format.ts";

/** Maximum levels of nesting, which could overflow the stack; real files have fewer than ten. */
const MOST_LEVELS = 100;

/** Maximum tokens of YAML's grammar: 10 MB of `- a` would take gigabytes as a document. */
const MOST_TOKENS = 500_000;

/** Maximum resolved aliases: hundreds of graders may use one anchor; nested aliases can be a bomb. */
const MOST_ALIASES = 10_000;

/** waza reads YAML with Go, where a plain `~`, `null` or nothing at all is an absent value. */
const NULLS = new Set(["", "~", "null", "Null", "NULL"]);

/** Tokens that the lexer adds; they are not in the text. */
const SIGNS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** An error in a text, with its offset. */
export interface YamlFault {
  readonly reason: string;
  readonly offset: number;
  /** A limit is exceeded; it may be valid YAML. */
  readonly refused?: true | undefined;
}

type Documents = readonly [Document.Parsed, ...Document.Parsed[]];

class LimitError extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

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
