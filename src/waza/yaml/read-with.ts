/** Applies a schema to parsed YAML: the data, its problems, and its unknown keys. */
import * as z from "zod/mini";
import type { Problem, SourceSpan } from "../../domain/location.ts";
import { shorten } from "../../text/format.ts";
import { closest } from "../../text/suggest.ts";
import type { TwoReadings } from "../schema-fields.ts";
import { describe, dotted, valueAt } from "./source.ts";
import type { Path } from "./positions.ts";
import type { YamlSource } from "./source.ts";
import { error } from "../../text/problem.ts";

/** Maximum unknown keys to report per mapping: a hostile file could have any number. */
const MOST_UNKNOWN = 50;

interface ValueAt {
  readonly value: unknown;
  readonly path: Path;
}

/** The data, or its problems; and the keys that the schema does not know. */
interface ReadData<T> {
  readonly data?: T | undefined;
  readonly problems: Problem[];
  readonly unknown: UnknownKey[];
}

/** Applies a schema to a source, or to the value at a path of it. */
export function readWith<T>(
  source: YamlSource,
  schema: TwoReadings<T>,
  at: ValueAt = { value: source.data, path: [] },
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

/** Unknown keys of the mapping at a path. */
interface UnknownIn {
  readonly path: Path;
  readonly keys: readonly string[];
}

/** A schema error at a path. */
interface Issue {
  readonly path: Path;
  readonly message: string;
}

/** The problem of a wrong or missing value; for a misspelled key, at that key. */
function wrongValue(source: YamlSource, { path, message }: Issue, unknownIn: readonly UnknownIn[]): Problem {
  const name = path.length > 0 ? ` for \`${dotted(path)}\`` : "";
  const value = valueAt(source.data, path);
  const key = path.at(-1);
  const siblings = unknownIn.find((one) => dotted(one.path) === dotted(path.slice(0, -1)))?.keys ?? [];
  const misspelled = value === undefined && typeof key === "string" ? closest(key, siblings) : undefined;
  if (misspelled === undefined) {
    const at = source.spanOf(path);
    const actual = path.length === 0 ? "and the file holds something else" : describe(value);
    return error(`\`${at.path}\`${name}: ${message}, ${actual}.`, { help: remedy(path, value, at), at });
  }
  const at = source.spanOfKey([...path.slice(0, -1), misspelled]);
  const actual = `${describe(value)}; \`${misspelled}\` seems to be meant for \`${String(key)}\``;
  const help = `Write \`${String(key)}:\` in line ${String(at.startLine)}.`;
  return error(`\`${at.path}\`${name}: ${message}, ${actual}.`, { help, at });
}

function remedy(path: Path, value: unknown, { startLine, startColumn = 1 }: SourceSpan): string {
  const key = path.at(-1);
  if ((value === undefined || value === null) && typeof key === "string") return `Add \`${key}:\` there.`;
  if (typeof value === "string" && /^\w+:\w/.test(value))
    return `Write a space after the colon in line ${String(startLine)}.`;
  return `Correct line ${String(startLine)}, column ${String(startColumn)}.`;
}

/** A key that the format does not have. */
export interface UnknownKey {
  readonly name: string;
  /** The known key it may be a misspelling of; dotted if that belongs to a mapping beside it. */
  readonly meant?: string | undefined;
  readonly at: SourceSpan;
}

/** The unknown keys of a mapping, its known keys, and the known keys of nested mappings. */
interface Keys {
  readonly keys: readonly string[];
  readonly known: readonly string[];
  readonly nested: TwoReadings<unknown>["nested"];
}

const NONE: Keys["nested"] = new Map();

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
