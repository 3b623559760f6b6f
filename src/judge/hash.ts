/** A hash of several texts. */
import { createHash } from "node:crypto";

/** SHA-256 of texts in their order, in hexadecimal: other texts, or the same ones divided otherwise, have another. */
export function hashOf(texts: readonly string[]): string {
  const hash = createHash("sha256");
  // Each as it is, which is twice as fast as JSON of them all, after the lengths that keep them apart.
  hash.update(JSON.stringify(texts.map(({ length }) => length)));
  for (const text of texts) hash.update(text);
  return hash.digest("hex");
}
