/** JSON text in pieces, for a document whose text would be too much to hold beside it. Pure. */

/** How deep a value is taken apart: a results file down to the members of each run. */
const DEPTH = 4;

/** The text of `JSON.stringify(value, null, 2)`, piece by piece. */
export function* jsonPieces(value: unknown, level = 0): Generator<string> {
  if (level >= DEPTH || typeof value !== "object" || value === null) {
    yield indented(JSON.stringify(value, null, 2), level);
    return;
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, one]) => isList || one !== undefined);
  if (entries.length === 0) {
    yield isList ? "[]" : "{}";
    return;
  }
  const space = "  ".repeat(level + 1);
  for (const [index, [key, one]] of entries.entries()) {
    const opening = index > 0 ? "," : isList ? "[" : "{";
    yield `${opening}\n${space}${isList ? "" : `${JSON.stringify(key)}: `}`;
    yield* jsonPieces(one ?? null, level + 1);
  }
  yield `\n${"  ".repeat(level)}${isList ? "]" : "}"}`;
}

/** A line break within JSON text is always one between values: in a string it is escaped. */
function indented(text: string, level: number): string {
  return level === 0 ? text : text.replaceAll("\n", `\n${"  ".repeat(level)}`);
}
