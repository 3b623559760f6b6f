/** The fields that the schemas of waza's files are made of: each reads the text that the parser kept. */
import * as z from "zod/mini";

/** Makes the schema of a mapping: one that leaves unknown keys out, or one that names them. */
export type MakeObject = typeof z.object;

const TRUE = ["true", "yes", "on", "y"];
const FALSE = ["false", "no", "off", "n"];

/** Any scalar, as it is written. */
export const text = z.string("expected text");
/** A boolean in the words of YAML 1.1, as Go reads one where a boolean is expected. */
export const boolean = z.pipe(
  z
    .string("expected true or false")
    .check(z.refine((value) => [...TRUE, ...FALSE].includes(value.toLowerCase()), "expected true or false")),
  z.transform((value) => TRUE.includes(value.toLowerCase())),
);
/** A number; infinite ones are none. */
export const number = z.pipe(
  z
    .string("expected a number")
    .check(z.refine((value) => value.trim() !== "" && Number.isFinite(Number(value)), "expected a number")),
  z.transform(Number),
);
/** Known to waza, of no use to us. */
export const ignored = z.unknown();

/** A schema in its two readings. */
export interface TwoReadings<T> {
  readonly known: z.ZodMiniType<T>;
  readonly strict: z.ZodMiniType;
  /** The keys that a misspelled one may have been meant for. */
  readonly keys: readonly string[];
  /** The keys of the mappings in the mapping by their last part: `prompt` is `inputs.prompt`. */
  readonly nested: ReadonlyMap<string, string>;
}

/** Builds a schema twice: to read what is known, and to name what is not. */
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
  return def.type === "object" ? def.shape : {};
}
