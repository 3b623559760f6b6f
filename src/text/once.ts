/** Memoization by key. */

/** A Map or WeakMap. */
interface Known<K, V> {
  readonly has: (key: K) => boolean;
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => unknown;
}

/** The value of a key, computed at its first use. */
export function once<K, V>(known: Known<K, V>, key: K, make: () => V): V {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as V;
}
