/** Holds an entry against a schema for its data, its problems and its unknown keys. */
import * as z from "zod/mini";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import { type Entry, describe, nameIn } from "./entry.ts";
import type { TwoReadings } from "./schema.ts";
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

/** Applies a schema to an entry; `absent` is read in place of a missing one. */
export function readWith<T>(entry: Entry, schema: TwoReadings<T>, absent?: unknown): ReadData<T> {
  const value = entry.value ?? absent;
  const known = z.safeParse(schema.known, value);
  const strict = z.safeParse(schema.strict, value).error?.issues ?? [];
  const unknown = strict.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? { mapping: entry.child(...issue.path), keys: issue.keys } : [],
  );
  return {
    data: known.data,
    problems: (known.error?.issues ?? []).map((issue) => wrongValue(entry, issue, unknown)),
    unknown: unknown.flatMap(({ mapping, keys }) => unknownKeys(mapping, keys, schema)),
  };
}

/** Unknown keys of a mapping. */
interface UnknownIn {
  readonly mapping: Entry;
  readonly keys: readonly string[];
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
    const actual = entry.name === "" ? otherContent(entry.value) : describe(entry.value);
    return error("wrong-value", `${what}, ${actual}.`, { help: remedy(entry, key), at: entry.at });
  }
  const at = parent.child(misspelled).keyAt;
  const actual = `${describe(undefined)}; \`${misspelled}\` seems to be meant for \`${String(key)}\``;
  const help = `Write \`${String(key)}:\` in line ${String(at.startLine)}.`;
  return error("wrong-value", `${what}, ${actual}.`, { help, at });
}

function otherContent(value: unknown): string {
  return `and the file ${value === null ? "is empty" : "holds something else"}`;
}

function remedy({ value, at: { startLine, startColumn = 1 } }: Entry, key: PropertyKey | undefined): string {
  if ((value === undefined || value === null) && typeof key === "string") return `Add \`${key}:\` there.`;
  if (typeof value === "string" && /^\w+:\w/.test(value))
    return `Write a space after the colon in line ${String(startLine)}.`;
  if (value === null) return "Write it, or remove the file.";
  return `Correct line ${String(startLine)}, column ${String(startColumn)}.`;
}

function unknownKeys(
  mapping: Entry,
  keys: readonly string[],
  { keys: known, nested }: TwoReadings<unknown>,
): UnknownKey[] {
  const unset = known.filter((key) => !Object.hasOwn(mapping.value ?? {}, key));
  return keys.slice(0, MOST_UNKNOWN).map((key) => {
    const path = mapping.name === "" ? nested.get(key) : undefined;
    const isFree = path !== undefined && mapping.child(...path.split(".")).value === undefined;
    const meant = isFree ? path : key.length > 100 ? undefined : closest(key, unset);
    return { name: nameIn(mapping.name, shorten(key, 100)), at: mapping.child(key).keyAt, meant };
  });
}
