/** Fields of files: those that are optional, and objects with keys in snake_case. */
import * as z from "zod/mini";
import { camelKeys } from "./format.ts";

/** A field that may be absent or null, read as undefined: Go and YAML write either. */
export function optional<T extends z.core.SomeType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  );
}

/** Like `optional`; a value of another type counts as absent. */
export function lenient<T extends z.core.SomeType>(schema: T) {
  return z.catch(optional(schema), undefined);
}

/** A field that is read as `fallback` where it is absent, null or of another type. */
export function orElse<T extends z.core.SomeType>(schema: T, fallback: z.output<T>) {
  return z.pipe(
    lenient(schema),
    z.transform((value) => value ?? fallback),
  );
}

/** An object with keys in snake_case, read with ours, which are camelCase. */
export function fields<T extends z.core.$ZodShape>(shape: T) {
  return z.pipe(z.transform(camelKeys), z.object(shape));
}
