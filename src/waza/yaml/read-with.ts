/** Applies a schema to parsed YAML: the data, its problems, and its unknown keys. */
import * as z from "zod/mini";
import type { Problem, SourceSpan } from "../../domain/location.ts";
import { shorten } from "../../text/format.ts";
import { closest } from "../../text/suggest.ts";
import type { TwoReadings } from "../schema-fields.ts";
import { describe, dotted, valueAt } from "./source.ts";
import type { Path, YamlSource } from "./source.ts";
import { error } from "../../text/problem.ts";

/** Maximum unknown keys to report per mapping: a hostile file could have any number. */
const MOST_UNKNOWN = 50;

interface ValueAt {
  readonly value: unknown;
  readonly path: Path;
}

/** Data of a source by a schema, with the unknown keys. */
interface ReadData<T> {
  readonly data?: T | undefined;
  readonly problems: Problem[];
  readonly unknown: UnknownKey[];
}

/** Applies a schema to a source: the data, or the problems; unknown keys are one notice. */
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
interface Wrong {
  readonly path: Path;
  readonly message: string;
}

/** The problem of a wrong or missing value; for a misspelled key, at that key. */
function wrongValue(source: YamlSource, { path, message }: Wrong, unknownIn: readonly UnknownIn[]): Problem {
  const name = path.length > 0 ? ` for \`${dotted(path)}\`` : "";
  const value = valueAt(source.data, path);
  const key = path.at(-1);
  const beside = unknownIn.find((one) => dotted(one.path) === dotted(path.slice(0, -1)))?.keys ?? [];
  const misspelled = value === undefined && typeof key === "string" ? closest(key, beside) : undefined;
  if (misspelled === undefined) {
    const at = source.spanOf(path);
    const found = path.length === 0 ? "not what this is" : describe(value);
    return error(`\`${at.path}\`${name}: ${message}, ${found}.`, { help: remedy(path, value, at), at });
  }
  const at = source.spanOfKey([...path.slice(0, -1), misspelled]);
  const found = `${describe(value)}; \`${misspelled}\` seems to be meant for \`${String(key)}\``;
  const help = `Write \`${String(key)}:\` in line ${String(at.startLine)}.`;
  return error(`\`${at.path}\`${name}: ${message}, ${found}.`, { help, at });
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

/** Unknown keys, the known ones beside them, and those of a mapping beside them. */
interface Keys {
  readonly keys: readonly string[];
  readonly known: readonly string[];
  readonly nested: TwoReadings<unknown>["nested"];
}

const NONE: Keys["nested"] = new Map();

function unknownKeys(source: YamlSource, path: Path, { keys, known, nested }: Keys): UnknownKey[] {
  const siblings = new Set(Object.keys(valueAt(source.data, path) ?? {}));
  const free = known.filter((key) => !siblings.has(key));
  return keys.slice(0, MOST_UNKNOWN).map((key) => {
    const location = nested.get(key);
    const isFree = location !== undefined && valueAt(source.data, location.split(".")) === undefined;
    const meant = isFree ? location : key.length > 100 ? undefined : closest(key, free);
    const at = source.spanOfKey([...path, key]);
    return { name: dotted([...path, shorten(key, 100)]), at, meant };
  });
}
