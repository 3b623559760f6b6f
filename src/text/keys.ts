/** Keys of objects: in snake_case in files, in camelCase in the code. */

/** The object with its own keys in camelCase; any other value unchanged. */
export function camelKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return renamed(value, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

/** The object with its own keys in snake_case. */
export function snakeKeys(value: object): Record<string, unknown> {
  return renamed(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function renamed(value: object, rename: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [rename(key), field]));
}
