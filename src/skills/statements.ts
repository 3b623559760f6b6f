/** The statements of an eval as the prompt of its grader. */
import type { Statement } from "../domain/suite.ts";

/** Statements numbered from 1, with the expected output below them. */
export function numbered(statements: readonly Pick<Statement, "text">[], reference?: string): string {
  const lines = statements.map(
    ({ text }, index) => `${String(index + 1)}. ${text.replaceAll("\n", "\n   ")}`,
  );
  const expected = reference === undefined ? [] : ["", "The expected output, for reference:", reference];
  return [...lines, ...expected].join("\n");
}
