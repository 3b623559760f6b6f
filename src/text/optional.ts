/** Fields of files: those that are optional, and objects with keys in snake_case. */
import * as z from "zod/mini";
import { camelKeys } from "./format.ts";

/** The type of what a schema reads; nothing in it is to be changed. */
export type Shaped<T extends z.core.SomeType> = Unchanging<z.output<T>>;

type Unchanging<T> = T extends object ? { readonly [K in keyof T]: Unchanging<T[K]> } : T;

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

/** A field that is read as `fallback` where it is absent or null. */
export function given<T extends z.core.SomeType>(schema: T, fallback: z.output<T>) {
  return z.pipe(
    optional(schema),
    z.transform((value) => value ?? fallback),
  );
}

/** The same, where it is of another type, too. */
export function orElse<T extends z.core.SomeType>(schema: T, fallback: z.output<T>) {
  return z.pipe(
    lenient(schema),
    z.transform((value) => value ?? fallback),
  );
}

/** A text that has to be one where it is given. */
export const givenText = optional(z.string("expected text"));

/** A text, a number or a flag; a value of another type counts as absent. */
export const lenientText = lenient(z.string());
export const lenientNumber = lenient(z.number());
export const lenientFlag = lenient(z.boolean());

/** True, or absent. */
export const mark = lenient(z.literal(true));

/** A figure that is 0 where it is not given. */
export const numberOrZero = orElse(z.number(), 0);

/** An object with keys in snake_case, read with ours, which are camelCase. */
export function fields<T extends z.core.$ZodShape>(shape: T) {
  return z.pipe(z.transform(camelKeys), z.object(shape));
}
