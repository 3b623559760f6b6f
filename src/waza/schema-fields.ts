/** Field types of the schemas of waza's files. Each reads text, which the parser keeps. */
import * as z from "zod/mini";

/** Makes the schema of a mapping that either drops unknown keys or reports them. */
export type MakeObject = typeof z.object;

const TRUE = ["true", "yes", "on", "y"];
const FALSE = ["false", "no", "off", "n"];

/** Any scalar, as written. */
export const text = z.string("expected text");
/** A boolean in the words of YAML 1.1, as Go reads one where a boolean is expected. */
export const boolean = z.pipe(
  z
    .string("expected true or false")
    .check(z.refine((value) => [...TRUE, ...FALSE].includes(value.toLowerCase()), "expected true or false")),
  z.transform((value) => TRUE.includes(value.toLowerCase())),
);
/** The boolean that a value is in these words; undefined if it is none. */
export function readBoolean(value: unknown): boolean | undefined {
  return z.safeParse(boolean, value).data;
}
/** A finite number. */
export const number = z.pipe(
  z
    .string("expected a number")
    .check(z.refine((value) => value.trim() !== "" && Number.isFinite(Number(value)), "expected a number")),
  z.transform(Number),
);
/** Known to waza, not used here. */
export const ignored = z.unknown();

/** A schema built twice. */
export interface TwoReadings<T> {
  readonly known: z.ZodMiniType<T>;
  readonly strict: z.ZodMiniType;
  /** All keys, for suggestions. */
  readonly keys: readonly string[];
  /** Keys of nested mappings by their last part: `prompt` is `inputs.prompt`. */
  readonly nested: ReadonlyMap<string, string>;
}

/** Builds a schema twice: to read known keys, and to report unknown ones. */
export function twice<T extends z.core.$ZodType>(build: (object: MakeObject) => T, keys: readonly string[]) {
  const known = build(z.object);
  return { known, strict: build(z.strictObject as MakeObject), keys, nested: nestedKeys(known) };
}

function nestedKeys(schema: z.core.$ZodType): ReadonlyMap<string, string> {
  const inner = Object.entries(shapeOf(schema)).flatMap(([outer, field]) =>
    Object.keys(shapeOf(field)).map((key) => [key, `${outer}.${key}`] as const),
  );
  return new Map(inner);
}

/** The fields of a mapping, which may be optional; none of anything else. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "nullable") return shapeOf(def.innerType);
  if (def.type === "pipe") return shapeOf(def.in);
  return def.type === "object" ? def.shape : {};
}
