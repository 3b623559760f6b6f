/** Positions of a YAML document's values in its text. */
import { isAlias, isMap, isNode, isScalar, isSeq } from "yaml";
import type { Document, Node, Pair, YAMLMap } from "yaml";

/** The keys and indices that lead to a value. */
export type Path = readonly PropertyKey[];

/** Offsets of a node's first and last character that is not white space. */
export function rangeOf(node: Node | undefined, text: string): [number, number] {
  const range = node?.range;
  if (!range) return [0, 0];
  let end = Math.min(range[1], text.length);
  while (end > range[0] + 1 && /\s/.test(text.charAt(end - 1))) end -= 1;
  return [range[0], end - 1];
}

/** The value at a path, or at its longest existing part; a missing value has the position where it would be. */
export function nodeAt(document: Document.Parsed, path: Path): Node | undefined {
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

/** The key that ends a path, or its parent. */
export function keyAt(document: Document.Parsed, path: Path): Node | undefined {
  const parent = nodeAt(document, path.slice(0, -1));
  const key = pairAt(isAlias(parent) ? parent.resolve(document) : parent, path.at(-1) ?? "")?.key;
  return isNode(key) ? key : parent;
}

function pairAt(node: unknown, key: PropertyKey): Pair | undefined {
  if (!isMap(node)) return undefined;
  const pairs = PAIRS.get(node) ?? pairsOf(node);
  PAIRS.set(node, pairs);
  return pairs.get(key);
}

/** Pairs by their keys, built once per mapping, so that many lookups in one large mapping stay fast. */
const PAIRS = new WeakMap<YAMLMap, ReadonlyMap<PropertyKey, Pair>>();

function pairsOf({ items }: YAMLMap): ReadonlyMap<PropertyKey, Pair> {
  const pairs = new Map<PropertyKey, Pair>();
  for (const pair of items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
    if (key !== undefined && !pairs.has(key)) pairs.set(key, pair);
  }
  return pairs;
}
