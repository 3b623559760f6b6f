/** JSON text in pieces, for a document whose text would be too much to hold beside it. Pure. */

/** How deep a value is taken apart: a results file down to the members of each run. */
const DEPTH = 4;
/** What is likely to have fewer characters than this is one piece. */
const PIECE = 65_536;

/** The text of `JSON.stringify(value, null, 2)`, piece by piece. */
export function* jsonPieces(value: unknown, level = 0): Generator<string> {
  if (level >= DEPTH || typeof value !== "object" || value === null || isSmall(value)) {
    yield indented(JSON.stringify(value, null, 2), level);
    return;
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, one]) => isList || one !== undefined);
  const space = "  ".repeat(level + 1);
  for (const [index, [key, one]] of entries.entries()) {
    const opening = index > 0 ? "," : isList ? "[" : "{";
    yield `${opening}\n${space}${isList ? "" : `${JSON.stringify(key)}: `}`;
    yield* jsonPieces(one ?? null, level + 1);
  }
  yield `\n${"  ".repeat(level)}${isList ? "]" : "}"}`;
}

/** Stops at the limit, so that large values cost no more than slightly too large ones. */
function isSmall(value: object): boolean {
  let size = 0;
  const left: unknown[] = [value];
  while (left.length > 0 && size < PIECE) {
    const one = left.pop();
    if (typeof one === "string") size += one.length;
    else if (typeof one === "object" && one !== null) {
      const members = Object.values(one) as unknown[];
      size += members.length * MEMBER;
      if (size < PIECE) left.push(...members);
    }
  }
  return size < PIECE;
}

/** Characters of a member besides its text: its key, a number, punctuation. */
const MEMBER = 16;

/** A line break within JSON text is always one between values: in a string it is escaped. */
function indented(text: string, level: number): string {
  return level === 0 ? text : text.replaceAll("\n", `\n${"  ".repeat(level)}`);
}
