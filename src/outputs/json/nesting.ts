/** Limits the depth of values: writers of JSON fail on very deep ones. */

/** Maximum levels; writers of JSON fail at some thousands. */
const DEEPEST = 1_000;
const TOO_DEEP = "(nested too deeply to show)";

/** Replaces, in place, each value below the maximum level by a note. */
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
