/** Holds an entry against a schema for its data, its problems and its unknown keys. */
import * as z from "zod/mini";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import { type Entry, describe, fieldsOf, itemsOf, nameIn } from "./entry.ts";
import { shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Maximum unknown keys to report per mapping: a hostile file could have any number. */
const MOST_UNKNOWN = 50;

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

/** A schema of known keys, and all keys that are suggested for unknown ones, beside those of nested mappings. */
export interface Format<T> {
  readonly schema: z.ZodMiniType<T>;
  readonly keys: readonly string[];
}

/** Applies a schema to an entry; `absent` is read in place of a missing one. */
export function readWith<T>(entry: Entry, { schema, keys }: Format<T>, absent?: unknown): ReadData<T> {
  const { data, error: wrong } = z.safeParse(schema, entry.value ?? absent);
  const unknown = unknownIn(entry, schema);
  const nested = nestedKeys(schema);
  return {
    data,
    problems: (wrong?.issues ?? []).map((issue) => wrongValue(entry, issue, unknown)),
    unknown: unknown.flatMap((one) => unknownKeys(one, { known: [...keys, ...nested.keys()], nested })),
  };
}

/** Unknown keys of a mapping. */
interface UnknownIn {
  readonly mapping: Entry;
  readonly keys: readonly string[];
}

function unknownIn(entry: Entry, schema: z.core.$ZodType): UnknownIn[] {
  const def = innerOf(schema);
  if (def.type === "array") return itemsOf(entry).flatMap((item) => unknownIn(item, def.element));
  if (def.type !== "object") return [];
  const inner = Object.entries(def.shape).flatMap(([key, field]) => unknownIn(entry.child(key), field));
  const keys = fieldsOf(entry).map(({ key }) => String(key));
  return [...inner, { mapping: entry, keys: keys.filter((key) => !Object.hasOwn(def.shape, key)) }];
}

/** Keys of nested mappings by their last part: `prompt` is `inputs.prompt`. */
function nestedKeys(schema: z.core.$ZodType): ReadonlyMap<string, string> {
  const inner = Object.entries(shapeOf(schema)).flatMap(([outer, field]) =>
    Object.keys(shapeOf(field)).map((key) => [key, `${outer}.${key}`] as const),
  );
  return new Map(inner);
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const def = innerOf(schema);
  return def.type === "object" ? def.shape : {};
}

/** What a schema is of, which may be optional. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "nullable") return innerOf(def.innerType);
  return def.type === "pipe" ? innerOf(def.in) : def;
}

/** The problem of a wrong or missing value; for a misspelled key, at that key. */
function wrongValue(
  from: Entry,
  { path, message }: { readonly path: readonly PropertyKey[]; readonly message: string },
  unknown: readonly UnknownIn[],
): Problem {
  const entry = from.child(...path);
  const parent = from.child(...path.slice(0, -1));
  const key = path.at(-1);
  const what = entry.name === "" ? message : `\`${entry.name}\`: ${message}`;
  const siblings = unknown.find(({ mapping }) => mapping.name === parent.name)?.keys ?? [];
  const misspelled =
    entry.value === undefined && typeof key === "string" ? closest(key, siblings) : undefined;
  if (misspelled === undefined) {
    const file = `and the file ${entry.value === null ? "is empty" : "holds something else"}`;
    const actual = entry.name === "" ? file : describe(entry.value);
    return error("wrong-value", `${what}, ${actual}.`, { help: remedy(entry, key), at: entry.at });
  }
  const at = parent.child(misspelled).keyAt;
  const actual = `${describe(undefined)}; \`${misspelled}\` seems to be meant for \`${String(key)}\``;
  const help = `Write \`${String(key)}:\` in line ${String(at.startLine)}.`;
  return error("wrong-value", `${what}, ${actual}.`, { help, at });
}

function remedy({ value, at: { startLine, startColumn = 1 } }: Entry, key: PropertyKey | undefined): string {
  if ((value === undefined || value === null) && typeof key === "string") return `Add \`${key}:\` there.`;
  if (typeof value === "string" && /^\w+:\w/.test(value))
    return `Write a space after the colon in line ${String(startLine)}.`;
  if (value === null) return "Write it, or remove the file.";
  return `Correct line ${String(startLine)}, column ${String(startColumn)}.`;
}

function unknownKeys(
  { mapping, keys }: UnknownIn,
  { known, nested }: { readonly known: readonly string[]; readonly nested: ReadonlyMap<string, string> },
): UnknownKey[] {
  const unset = known.filter((key) => !Object.hasOwn(mapping.value ?? {}, key));
  return keys.slice(0, MOST_UNKNOWN).map((key) => {
    const path = mapping.name === "" ? nested.get(key) : undefined;
    const isFree = path !== undefined && mapping.child(...path.split(".")).value === undefined;
    const meant = isFree ? path : key.length > 100 ? undefined : closest(key, unset);
    return { name: nameIn(mapping.name, shorten(key, 100)), at: mapping.child(key).keyAt, meant };
  });
}
