/** Fields of foreign data that need not be there. */
import * as z from "zod/mini";

/** An absent field and one that is null are the same: Go and YAML write either. */
export function optional<T extends z.core.SomeType>(schema: T) {
  return z.optional(z.nullable(schema));
}

/** As `optional`, and a value of another type is as good as absent. */
export function lenient<T extends z.core.SomeType>(schema: T) {
  return z.catch(optional(schema), undefined);
}
