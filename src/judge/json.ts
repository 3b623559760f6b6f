/** JSON of another's making. */

/** The value, or undefined when the text is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
