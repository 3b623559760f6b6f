import { describe, expect, test } from "@jest/globals";
import { mergeProblems } from "../../src/text/format.ts";
import type { Problem } from "../../src/domain/problem.ts";

const problem = (
  path: string,
  message: string,
  level: Problem["level"] = "notice",
  startLine = 3,
): Problem => ({
  level,
  message,
  at: { path, startLine, endLine: startLine, inRepository: true },
});

const texts = (...problems: readonly Problem[]) => mergeProblems(problems).map(({ message }) => message);

describe("what is the same in many places", () => {
  test("is reported once, at the first file, with the next of them named; the rest keep their order and words", () => {
    const many = Array.from({ length: 190 }, (_, index) =>
      problem(`tasks/${String(index)}.yaml`, "ignored: `x`."),
    );
    const merged = mergeProblems([problem("a.yaml", "one."), ...many, problem("b.yaml", "ignored: `y`.")]);
    expect(merged.map(({ message }) => message)).toEqual([
      "one.",
      "ignored: `x`. Also in `tasks/1.yaml`, `tasks/2.yaml`, `tasks/3.yaml` and 186 more.",
      "ignored: `y`.",
    ]);
    expect(merged[1]?.at).toMatchObject({ path: "tasks/0.yaml", startLine: 3 });
  });

  test("in one file names its lines", () => {
    const lines = [3, 7, 7, 9].map((line) => problem("a.yaml", "left out.", "error", line));
    expect(texts(...lines)).toEqual(["left out. Also in lines 7, 9."]);
  });

  test("at one line is reported once", () => {
    expect(texts(problem("a.yaml", "left out."), problem("a.yaml", "left out."))).toEqual(["left out."]);
  });

  test.each<[string, Problem, Problem]>([
    ["in two levels", problem("a.yaml", "x."), problem("b.yaml", "x.", "warning")],
    ["as an error of two files", problem("a.yaml", "x.", "error"), problem("b.yaml", "x.", "error")],
    ["with another remedy", { ...problem("a.yaml", "x."), help: "Do y." }, problem("b.yaml", "x.")],
    ["without a place", { level: "notice", message: "x." }, { level: "notice", message: "x." }],
  ])("%s is reported twice", (_case, one, other) => {
    expect(mergeProblems([one, other])).toEqual([one, other]);
  });
});
