/** A cursor in the data of a file: a value, its name, its place, and the entries in it. */
import type { Problem, SourceSpan } from "../domain/problem.ts";
import { isObject, listedCode, shorten } from "../text/format.ts";

/** Maximum characters of an id or a key in a message. */
export const LONGEST_ID = 60;

/** A value of a file. Of one that is missing, the place is that of the entry around it. */
export interface Entry {
  readonly value: unknown;
  /** The keys and indices that lead to it, as people write them: `evals[0].prompt`; empty for the whole file. */
  readonly name: string;
  /** The key or index that ends its name; empty for the whole file. */
  readonly key: PropertyKey;
  readonly at: SourceSpan;
  /** Where its key is; of an item of a list, the item. */
  readonly keyAt: SourceSpan;
  /** The entry under these keys and indices, one within the other. */
  child: (...keys: readonly PropertyKey[]) => Entry;
  /** The same entry as the value of that key of a file. */
  as: (key: string) => Entry;
}

/** How the nodes of a parser lead to places. */
interface Tree<Node> {
  /** The key and the value of a child; an item of a list has no key. */
  readonly child: (
    node: Node,
    key: PropertyKey,
  ) => { readonly key?: Node | undefined; readonly value?: Node | undefined };
  readonly spanOf: (node: Node | undefined) => SourceSpan;
}

/** Offsets of the first character of a node, and after its last. */
export type NodeRange = readonly [number, number, ...unknown[]] | null | undefined;

/** What a parser makes of a text: every scalar still text (see schema.ts), and nodes with their offsets. */
export interface Parsed<Node extends { readonly range?: NodeRange }> {
  readonly data: unknown;
  readonly root: Node | undefined;
  readonly child: Tree<Node>["child"];
  readonly warnings?: readonly { readonly offset: number; readonly problemAt: (at: SourceSpan) => Problem }[];
}

/** An error in a text, with its offset. */
export interface TextFault {
  readonly reason: string;
  readonly offset: number;
  /** A limit is exceeded; it may be valid. */
  readonly refused?: true | undefined;
}

/** The nodes of an entry: that of its value, where there is one, and those that its places are of. */
interface Nodes<Node> {
  readonly value: Node | undefined;
  readonly at: Node | undefined;
  readonly key: Node | undefined;
}

/** The entry of a whole file. */
export function rootEntry<Node>(tree: Tree<Node>, value: unknown, root: Node | undefined): Entry {
  return entryOf(tree, value, { name: "", key: "", nodes: { value: root, at: root, key: root } });
}

/** An entry of data without places: all of it is at `at`. */
export function placelessEntry(value: unknown, at: SourceSpan): Entry {
  return rootEntry({ child: () => ({}), spanOf: () => at }, value, undefined);
}

function entryOf<Node>(
  tree: Tree<Node>,
  value: unknown,
  { name, key, nodes }: Pick<Entry, "name" | "key"> & { readonly nodes: Nodes<Node> },
): Entry {
  const childOf = (key: PropertyKey): Entry => {
    const found = nodes.value === undefined ? {} : tree.child(nodes.value, key);
    const at = found.value ?? found.key ?? nodes.at;
    const inner = { value: found.value, at, key: found.key ?? at };
    return entryOf(tree, valueAt(value, key), { name: nameIn(name, key), key, nodes: inner });
  };
  const entry: Entry = {
    value,
    name,
    key,
    get at() {
      return tree.spanOf(nodes.at);
    },
    get keyAt() {
      return tree.spanOf(nodes.key);
    },
    child: (...keys) => {
      const [first, ...more] = keys;
      return first === undefined ? entry : childOf(first).child(...more);
    },
    as: (other) => entryOf(tree, value, { name: other, key: other, nodes }),
  };
  return entry;
}

/** The name of a child of an entry: `graders[0].config`. */
export function nameIn(name: string, key: PropertyKey): string {
  if (typeof key === "number") return `${name}[${String(key)}]`;
  return `${name}${name === "" ? "" : "."}${String(key)}`;
}

/** The items of a list; none of anything else. */
export function itemsOf(entry: Entry): Entry[] {
  return Array.isArray(entry.value) ? entry.value.map((_, index) => entry.child(index)) : [];
}

/** The items of a list; of any other value, itself. */
export function eachOf(entry: Entry): Entry[] {
  if (Array.isArray(entry.value)) return itemsOf(entry);
  return entry.value === undefined ? [] : [entry];
}

/** The entries of a mapping; none of anything else. */
export function fieldsOf(entry: Entry): Entry[] {
  return isObject(entry.value) ? Object.keys(entry.value).map((key) => entry.child(key)) : [];
}

/** Where the keys of entries are. */
export function keysOf(entries: readonly Entry[]): readonly SourceSpan[] {
  return entries.map(({ keyAt }) => keyAt);
}

/** The keys of entries, each once, for a sentence. */
export function namesOf(entries: readonly Entry[]): string {
  return listedCode([...new Set(entries.map(({ key }) => shorten(String(key), LONGEST_ID)))]);
}

/** The value under a key; undefined if there is none. */
export function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

/** Describes an unexpected value, as the end of a sentence. */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return "and there is none";
  if (Array.isArray(value)) return "not a list";
  if (typeof value !== "string") return "not a mapping";
  return `not \`${shorten(value, 60)}\``;
}
