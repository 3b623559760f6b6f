/** Values nested so deeply that nothing could write them again. */

/** Levels that are kept; writers of JSON give up at some thousands. */
const DEEPEST = 1_000;
const TOO_DEEP = "(nested too deeply to show)";

/** The value of a JSON text, in which a note takes the place of each value below the thousandth level. */
export function withoutDepths(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return TOO_DEEP;
  for (const key of Object.keys(value)) {
    const inner: unknown = (value as Record<string, unknown>)[key];
    const kept = withoutDepths(inner, depth + 1);
    // Defined, not set: the key may be `__proto__`.
    if (kept !== inner) Object.defineProperty(value, key, { value: kept });
  }
  return value;
}
