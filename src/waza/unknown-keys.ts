/** What is said of keys that mean nothing to us. */
import type { Problem } from "../domain.ts";
import type { UnknownKey } from "./yaml-source.ts";

const MOST_LISTED = 50;

/**
 * One notice for a whole file, listing what is ignored in it with the lines; a key that is nearly a known one is a
 * warning of its own, because what it should have done is not done.
 */
export function unknownKeyProblems(file: string, keys: readonly UnknownKey[]): Problem[] {
  const inOrder = [...keys].sort((a, b) => a.at.startLine - b.at.startLine);
  const misspelled = inOrder.flatMap(({ name, meant, at }): Problem[] =>
    meant === undefined
      ? []
      : [
          {
            level: "warning",
            message: `\`${file}\`: unknown key \`${name}\`, ignored.`,
            help: `Did you mean \`${meant}\`?`,
            at,
          },
        ],
  );
  const rest = inOrder.filter(({ meant }) => meant === undefined);
  const [first] = rest;
  if (!first) return misspelled;
  const list = rest
    .slice(0, MOST_LISTED)
    .map(({ name, at }) => `\`${name}\` (line ${String(at.startLine)})`)
    .join(", ");
  const more = rest.length > MOST_LISTED ? " and more" : "";
  const message = `\`${file}\`: ignored, because they mean nothing to waza-grade: ${list}${more}.`;
  return [...misspelled, { level: "notice", message, at: first.at }];
}
