/** Lenient JSON parsing. */

/** The parsed value; undefined if the text is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
