/** Hashes of bytes and of several texts. */
import { createHash } from "node:crypto";

/** SHA-256 of bytes or of a text, in hexadecimal. */
export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SHA-256 of texts in order, in hexadecimal. The same text split differently has another hash. */
export function hashOf(texts: readonly string[]): string {
  const hash = createHash("sha256");
  // The lengths first, then each raw text, which is twice as fast as JSON of all. UTF-8 would map all lone surrogates to
  // one character.
  const parts = texts.map((text) => ({ text, encoding: text.isWellFormed() ? "utf8" : "utf16le" }) as const);
  hash.update(JSON.stringify(parts.map(({ text, encoding }) => [text.length, encoding])));
  for (const { text, encoding } of parts) hash.update(text, encoding);
  return hash.digest("hex");
}
