/** The states of verdicts, from which signs, words and counts follow. */
import { expect, test } from "@jest/globals";
import type { GradeError } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import { stateOf } from "../../src/text/states.ts";

const incomplete: GradeError = { class: "server", message: "interrupted" };

test.each<[string, Pick<Row, "state" | "incomplete" | "doubt">, string]>([
  ["a pass", { state: "passed" }, "passed"],
  ["a pass with a warning", { state: "passed", doubt: "1 of 3 checks" }, "doubtful"],
  ["an incomplete pass", { state: "passed", incomplete }, "doubtful"],
  ["a failure with a warning", { state: "failed", doubt: "odd" }, "failed"],
  ["an error", { state: "errored" }, "errored"],
  ["a missing run", { state: "missing" }, "missing"],
  ["a cap", { state: "capped" }, "skipped"],
])("%s", (_case, row, state) => {
  expect(stateOf(row)).toBe(state);
});
