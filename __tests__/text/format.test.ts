import { describe, expect, test } from "@jest/globals";
import type { Problem } from "../../src/domain/problem.ts";
import type { Row } from "../../src/domain/row.ts";
import { excerpt, mergeProblems } from "../../src/text/format.ts";
import { stateOf } from "../../src/text/states.ts";
import { closest, globMatches, globOf } from "../../src/text/suggest.ts";

describe("an excerpt", () => {
  test.each<[string, string, string]>([
    ["is the text where that is short enough", "a".repeat(50), "a".repeat(50)],
    [
      "ends with a line that ends near the limit",
      `${"a b ".repeat(11)}c\nd e f g h`,
      `${"a b ".repeat(11)}c\n…`,
    ],
    ["ends with a word where no line does", `a\n${"bc ".repeat(20)}`, `a\n${"bc ".repeat(15)}bc…`],
    ["ends anywhere where no word does", "a".repeat(60), `${"a".repeat(49)}…`],
    ["never ends with half a character", `${"a".repeat(48)}${"\u{1F600}".repeat(9)}`, `${"a".repeat(48)}…`],
  ])("%s", (_, text, shown) => {
    expect(excerpt(text, 50)).toBe(shown);
  });
});

const problem = (
  path: string,
  message: string,
  level: Problem["level"] = "notice",
  startLine = 3,
): Problem => ({
  level,
  code: "odd",
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
    [
      "without a place",
      { level: "notice", code: "odd", message: "x." },
      { level: "notice", code: "odd", message: "x." },
    ],
  ])("%s is reported twice", (_case, one, other) => {
    expect(mergeProblems([one, other])).toEqual([one, other]);
  });
});

/* The states of verdicts, from which signs, words and counts follow. */

test.each<[string, Pick<Row, "state" | "doubt">, string]>([
  ["a pass", { state: "passed" }, "passed"],
  ["a pass with a warning", { state: "passed", doubt: "1 of 3 checks" }, "doubtful"],
  ["a failure with a warning", { state: "failed", doubt: "odd" }, "failed"],
  ["an error", { state: "errored" }, "errored"],
  ["a missing run", { state: "missing" }, "missing"],
  ["a cap", { state: "capped" }, "skipped"],
])("%s", (_case, row, state) => {
  expect(stateOf(row)).toBe(state);
});

/* "Did you mean". */

test.each([
  ["two neighbours that are swapped in a short name", "bbo", "bob"],
  ["the same at its end", "bob", "bbo"],
  ["a letter too many", "bobb", "bob"],
  ["another case", "BOB", "bob"],
  ["two slips in a long name", "polite-grader", "polte-gradr"],
])("%s is a slip", (_, name, candidate) => {
  expect(closest(name, ["other", candidate])).toBe(candidate);
});

test.each([
  ["two letters of a short name are others", "bxx", "bob"],
  ["two letters that are not neighbours are swapped", "abcd", "dbca"],
  ["three letters of a long name are others", "polite", "poxxxe"],
])("%s: no slip", (_, name, candidate) => {
  expect(closest(name, [candidate])).toBeUndefined();
});

test.each<[string, string]>([
  ["a/x*", "a/xy"],
  ["a/x?", "a/xy"],
  ["a/\\*", "a/*"],
  ["a/x\\", "a/x"],
  ["!a/x", "a/x"],
  ["a/two\nlines ", "a/two\nlines"],
])("the glob of a name matches it alone, as a line of `tasks`: %j and not %j", (name, other) => {
  const line = globOf(name);
  expect([line, line.includes("\n"), line.startsWith("!")]).toEqual([line.trim(), false, false]);
  expect([globMatches(line, name), globMatches(line, other)]).toEqual([true, false]);
});
