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

/** Applies a schema to an entry; `absent` is read in place of a missing one. */
export function readWith<T>(entry: Entry, schema: z.ZodMiniType<T>, absent?: unknown): ReadData<T> {
  const { data, error: wrong } = z.safeParse(schema, entry.value ?? absent);
  const unknown = unknownIn(entry, schema);
  const problems = (wrong?.issues ?? []).map(({ path, message }) =>
    wrongValue(entry.child(...path), message, unknown),
  );
  return { data, problems, unknown };
}

function unknownIn(entry: Entry, schema: z.core.$ZodType): UnknownKey[] {
  const def = innerOf(schema);
  if (def.type === "array") return itemsOf(entry).flatMap((item) => unknownIn(item, def.element));
  if (def.type !== "object") return [];
  const fields = Object.entries(def.shape);
  // Keys of nested mappings by their last part: `prompt` is `inputs.prompt`.
  const nested = fields.flatMap(([outer, field]) => {
    const inner = innerOf(field);
    return Object.keys(inner.type === "object" ? inner.shape : {}).map((key) => [outer, key]);
  });
  const free = [...nested, ...fields.map(([key]) => [key])].filter(
    (path) => entry.child(...path).value === undefined,
  );
  const meant = new Map(free.map((path) => [path.at(-1) ?? "", path.join(".")]));
  const unknown = fieldsOf(entry).filter(({ key }) => !Object.hasOwn(def.shape, key));
  return [
    ...fields.flatMap(([key, field]) => unknownIn(entry.child(key), field)),
    ...unknown.slice(0, MOST_UNKNOWN).map(({ key, keyAt }) => ({
      name: nameIn(entry.name, shorten(String(key), 100)),
      at: keyAt,
      meant: meant.get(closest(String(key), meant.keys()) ?? ""),
    })),
  ];
}

/** What a schema is of, which may be optional. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "nullable") return innerOf(def.innerType);
  return def.type === "pipe" ? innerOf(def.in) : def;
}

/** The problem of a wrong or missing value; for a misspelled key, at that key. */
function wrongValue(entry: Entry, message: string, unknown: readonly UnknownKey[]): Problem {
  const { value, name, key, at } = entry;
  const what = name === "" ? message : `\`${name}\`: ${message}`;
  const misspelled = value === undefined ? unknown.find(({ meant }) => meant === name) : undefined;
  if (misspelled === undefined) {
    const file = `and the file ${value === null ? "is empty" : "holds something else"}`;
    const actual = name === "" ? file : describe(value);
    return error("wrong-value", `${what}, ${actual}.`, { help: remedy(entry), at });
  }
  const actual = `${describe(undefined)}; \`${misspelled.name}\` seems to be meant for \`${String(key)}\``;
  const help = `Write \`${String(key)}:\` in line ${String(misspelled.at.startLine)}.`;
  return error("wrong-value", `${what}, ${actual}.`, { help, at: misspelled.at });
}

function remedy({ value, name, key, at: { startLine, startColumn = 1 } }: Entry): string {
  if ((value ?? null) === null && name !== "") return `Add \`${String(key)}:\` there.`;
  if (typeof value === "string" && /^\w+:\w/.test(value))
    return `Write a space after the colon in line ${String(startLine)}.`;
  if (value === null) return "Write it, or remove the file.";
  return `Correct line ${String(startLine)}, column ${String(startColumn)}.`;
}
