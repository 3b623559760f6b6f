/** The states of verdicts, from which signs, words and counts follow. */
import { expect, test } from "@jest/globals";
import type { GradeError, Verdict } from "../../src/domain/grade.ts";
import { stateOf } from "../../src/text/states.ts";

const graded = { state: "graded", checks: [], score: 1, passed: true } as const;
const incomplete: GradeError = { class: "server", message: "interrupted" };

test.each<[string, Verdict, string]>([
  ["a pass", graded, "passed"],
  ["a pass with a warning", { ...graded, warning: "1 of 3 checks" }, "doubtful"],
  ["an incomplete pass", { ...graded, incomplete }, "doubtful"],
  ["a failure with a warning", { ...graded, passed: false, score: 0, warning: "odd" }, "failed"],
  ["an error", { state: "errored", error: incomplete }, "errored"],
  ["a missing run", { state: "skipped", reason: "none", cause: "missing" }, "missing"],
  ["a cap", { state: "skipped", reason: "none", cause: "cap" }, "skipped"],
])("%s", (_case, verdict, state) => {
  expect(stateOf({ verdict })).toBe(state);
});
