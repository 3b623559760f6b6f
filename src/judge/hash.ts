/** A hash of several texts. */
import { createHash } from "node:crypto";

/** SHA-256 of texts in their order, in hexadecimal: other texts, or the same ones divided otherwise, have another. */
export function hashOf(texts: readonly string[]): string {
  const hash = createHash("sha256");
  // Each as it is, which is twice as fast as JSON of them all, after the lengths that keep them apart. UTF-8 has one
  // character for all halves of characters.
  const parts = texts.map((text) => ({ text, encoding: text.isWellFormed() ? "utf8" : "utf16le" }) as const);
  hash.update(JSON.stringify(parts.map(({ text, encoding }) => [text.length, encoding])));
  for (const { text, encoding } of parts) hash.update(text, encoding);
  return hash.digest("hex");
}
