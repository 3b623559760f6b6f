/** YAML texts: parsed with limits, with the nodes of every value. */
import {
  type Alias,
  CST,
  Composer,
  type Document,
  Lexer,
  type Node,
  type Pair,
  Parser,
  type YAMLMap,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  visit,
} from "yaml";
import type { Parsed, TextFault } from "./entry.ts";
import type { Problem, SourceSpan } from "../domain/problem.ts";
import { problem } from "./problems.ts";
import { FIELDS } from "./schema.ts";
import { messageOf, once, shorten } from "../text/format.ts";

/** Maximum tokens of YAML's grammar: 10 MB of `- a` would take gigabytes as a document. */
const MOST_TOKENS = 500_000;
/** Maximum levels of nesting, which could overflow the stack; real files have fewer than ten. */
export const MOST_LEVELS = 100;
export const TOO_DEEP = `it is nested more than ${String(MOST_LEVELS)} levels deep`;
/** Maximum resolved aliases: hundreds of graders may use one anchor; nested aliases can be a bomb. */
const MOST_ALIASES = 10_000;

/**
 * The data of the first document of a text; or the first syntax error, alias without an anchor, exceeded limit, alias
 * bomb or invalid merge.
 */
export function readYamlText(text: string): Parsed<Node> | TextFault {
  try {
    const documents = documentsOf(text);
    const [document] = documents;
    return {
      data: plainData(document),
      root: document.contents ?? undefined,
      child: (node, key) => {
        const target = isAlias(node) ? node.resolve(document) : node;
        if (isSeq(target)) return { value: nodeOf(target.items[Number(key)]) };
        const pair = isMap(target) ? once(PAIRS, target, () => keyedPairs(target)).get(key) : undefined;
        return { key: nodeOf(pair?.key), value: nodeOf(pair?.value) };
      },
      warnings: [
        ...documents.slice(1, 2).map(({ range }) => ({
          offset: range[0],
          problemAt: (at: SourceSpan) => problem("several-documents", at, documents.length),
        })),
        ...cutTexts(document, text),
      ],
    };
  } catch (thrown) {
    if (thrown instanceof FaultError) return thrown.fault;
    throw thrown;
  }
}

/** Keys of texts that a judge or an agent is given, or that name a thing. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["name", ...FIELDS.prompt, ...FIELDS.statements, ...FIELDS.expected, ...FIELDS.text],
]);

/** Warnings of texts without quotes that a ` #` cuts; behind a name and the end of a sentence, `# ` begins a comment. */
function cutTexts(document: Document.Parsed, text: string) {
  const cut: { offset: number; problemAt: (at: SourceSpan) => Problem }[] = [];
  visit(document, {
    Scalar: (key, { type, source = "", comment, range }, path) => {
      const pair = path.findLast(isPair);
      const name = isScalar(pair?.key) ? String(pair.key.value) : "";
      if (type !== "PLAIN" || !comment || !range || key === "key" || !TEXTS.has(name)) return;
      if (comment.startsWith(" ") && (name === "name" || /[.!?]$/.test(source))) return;
      const [rest = ""] = text.slice(range[1]).split("\n", 1);
      if (!rest.includes("#")) return;
      const whole = shorten(JSON.stringify(`${source} #${comment}`), LONGEST_QUOTED);
      cut.push({ offset: range[0], problemAt: (at) => problem("cut-text", at, name, whole) });
    },
  });
  return cut;
}

/** Maximum characters of a text to write in quotes, in a message. */
const LONGEST_QUOTED = 120;

function nodeOf(value: unknown): Node | undefined {
  return isNode(value) ? value : undefined;
}

/** Stops the reading of a text, wherever it is. */
export class FaultError extends Error {
  readonly fault: TextFault;

  constructor(fault: TextFault) {
    super(fault.reason);
    this.fault = fault;
  }
}

type Documents = readonly [Document.Parsed, ...Document.Parsed[]];

/** The documents of a text, every scalar still text (the "failsafe" schema: see schema.ts). */
function documentsOf(text: string): Documents {
  refuseTooManyTokens(text);
  const composer = new Composer({ schema: "failsafe", merge: true, uniqueKeys: false, logLevel: "silent" });
  const tokens = new Parser().parse(text);
  // `true`: a text without a document becomes an empty one, so there is always a first.
  const documents = [...composer.compose(refuseDeep(tokens), true, text.length)] as unknown as Documents;
  const fault = firstFault(documents[0]);
  if (fault) throw new FaultError(fault);
  return documents;
}

/** Tokens that the lexer adds; they are not in the text. */
const SIGNS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** Throws for a text of more tokens than an eval has; JSON has the same. */
export function refuseTooManyTokens(text: string): void {
  if (text.length < MOST_TOKENS) return;
  let tokens = 0;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (!SIGNS.has(token)) offset += token.length;
    if (tokens > MOST_TOKENS)
      throw new FaultError({ reason: "it has far more values than an eval needs", offset, refused: true });
  }
}

function* refuseDeep(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    const offset = tooDeep(token);
    if (offset !== undefined) throw new FaultError({ reason: TOO_DEEP, offset, refused: true });
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
function firstFault(document: Document.Parsed): TextFault | undefined {
  const [error] = document.errors;
  if (error) return { reason: error.message, offset: error.pos[0] };
  const anchors = new Set<string>();
  let fault: TextFault | undefined;
  visit(document, {
    Node: (_key, node: Node) => {
      if (isAlias(node) && !anchors.has(node.source)) {
        const reason = `no anchor is called \`${node.source}\`, and text that begins with \`*\` wants quotes`;
        fault = { reason, offset: node.range?.[0] ?? 0 };
      } else if (isMap(node)) {
        fault = duplicateKey(node);
      }
      if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor);
      return fault && visit.BREAK;
    },
  });
  return fault;
}

function duplicateKey({ items }: YAMLMap): TextFault | undefined {
  const keys = items.flatMap(({ key }) => (isScalar(key) ? { name: key.value, offset: key.range?.[0] } : []));
  return repeatedKey(keys);
}

/** The fault of the first key that a mapping has twice. */
export function repeatedKey(
  keys: readonly { readonly name: unknown; readonly offset: number | undefined }[],
): TextFault | undefined {
  const seen = new Set<unknown>();
  for (const { name, offset = 0 } of keys) {
    if (seen.has(name))
      return { reason: `the key \`${shorten(String(name), 60)}\` occurs twice in one mapping`, offset };
    seen.add(name);
  }
  return undefined;
}

/** waza reads YAML with Go, where a plain `~`, `null` or nothing at all is an absent value. */
const NULLS = new Set(["", "~", "null", "Null", "NULL"]);

/** The data of a document: text, null, lists and mappings, aliases and merges resolved. */
function plainData(document: Document.Parsed): unknown {
  let alias: Alias | undefined;
  visit(document, {
    Scalar: (_key, node) => {
      if (node.type === "PLAIN" && NULLS.has(node.source ?? "")) node.value = null;
    },
    Alias: (_key, node) => {
      alias ??= node;
    },
  });
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (thrown) {
    // The library throws ReferenceError for a bomb, and Error for an invalid merge.
    if (!(thrown instanceof ReferenceError)) throw new FaultError({ reason: messageOf(thrown), offset: 0 });
    const reason = `its aliases multiply to more than ${String(MOST_ALIASES)} values`;
    throw new FaultError({ reason, offset: alias?.range?.[0] ?? 0, refused: true });
  }
}

/** Pairs by their keys, built once per mapping, so that many lookups in one large mapping stay fast. */
const PAIRS = new WeakMap<YAMLMap, ReadonlyMap<PropertyKey, Pair>>();

function keyedPairs({ items }: YAMLMap): ReadonlyMap<PropertyKey, Pair> {
  const pairs = new Map<PropertyKey, Pair>();
  for (const pair of items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
    if (key !== undefined && !pairs.has(key)) pairs.set(key, pair);
  }
  return pairs;
}
