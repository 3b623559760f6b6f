import { describe, expect, test } from "@jest/globals";
import { mergeProblems } from "../../src/text/problem.ts";
import type { Problem } from "../../src/domain/suite.ts";

const notice = (path: string, alike?: string, level: Problem["level"] = "notice"): Problem => ({
  level,
  message: `\`${path}\`: own words.`,
  at: { path, startLine: 3, endLine: 3, inRepository: true },
  ...(alike === undefined ? {} : { withoutLocation: alike }),
});

describe("what is the same in many files", () => {
  test("is reported once, at the first of them, with the first of them named; the rest keep their order and words", () => {
    const many = Array.from({ length: 190 }, (_, index) =>
      notice(`tasks/${String(index)}.yaml`, "ignored: `x`."),
    );
    const merged = mergeProblems([
      notice("a.yaml"),
      ...many,
      notice("b.yaml", "ignored: `y`."),
      notice("c.yaml"),
    ]);
    expect(merged.map(({ message }) => message)).toEqual([
      "`a.yaml`: own words.",
      "`tasks/0.yaml`, `tasks/1.yaml`, `tasks/2.yaml` and 187 more: ignored: `x`.",
      "`b.yaml`: own words.",
      "`c.yaml`: own words.",
    ]);
    expect(merged[1]?.at).toMatchObject({ path: "tasks/0.yaml", startLine: 3 });
  });

  test("twice in one file names the file once", () => {
    expect(
      mergeProblems([notice("a.yaml", "left out."), notice("a.yaml", "left out.")]).map(
        ({ message }) => message,
      ),
    ).toEqual(["`a.yaml`: left out."]);
  });

  test("in two levels is reported twice", () => {
    expect(mergeProblems([notice("a.yaml", "x."), notice("b.yaml", "x.", "warning")])).toHaveLength(2);
  });
});
