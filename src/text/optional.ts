/** Optional fields of foreign data. */
import * as z from "zod/mini";

/** A field that may be absent or null: Go and YAML write either. */
export function optional<T extends z.core.SomeType>(schema: T) {
  return z.optional(z.nullable(schema));
}

/** Like `optional`; a value of another type counts as absent. */
export function lenient<T extends z.core.SomeType>(schema: T) {
  return z.catch(optional(schema), undefined);
}
