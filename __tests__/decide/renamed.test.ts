/** Tasks that were renamed keep what main has of them; a copy inherits nothing. */
import { expect, test } from "@jest/globals";
import { byNamesOfNow } from "../../src/decide/renamed.ts";
import type { Row } from "../../src/domain/row.ts";
import { graded } from "../support/rows.ts";

/** A row by `suite/task prompt`, of a file of its suite's own, or by `file: suite/task prompt`. */
function row(written: string): Row {
  const [, file, suite = "", task = "", asked = ""] = /^(?:(.*): )?(.*)\/(\S*) ?(.*)$/.exec(written) ?? [];
  return graded({ suite, task, asked, evalFile: file ?? suite });
}

test.each<[name: string, before: string[], now: string[], names: string[]]>([
  [
    "a suite by another name",
    ["old/1 Do it.", "old/2 Draw."],
    ["new/1 Do it.", "new/2 Draw."],
    ["new/1", "new/2"],
  ],
  ["a task by another name", ["a/1 Do it.", "a/2 Draw."], ["a/1 Do it.", "a/two Draw."], ["a/1", "a/two"]],
  ["a task in another suite, of several runs", ["a/1 Do it.", "a/1 Do it."], ["b/1 Do it."], ["b/1", "b/1"]],
  ["a copy beside its original", ["a/1 Do it."], ["a/1 Do it.", "b/1 Do it."], ["a/1"]],
  [
    "one with the prompt of another that stays",
    ["a/1 Do it.", "a/2 Do it."],
    ["a/1 Do it.", "a/3 Do it."],
    ["a/1", "a/2"],
  ],
  ["two that came of one", ["a/1 Do it."], ["b/1 Do it.", "c/1 Do it."], ["a/1"]],
  ["one that came of two", ["a/1 Do it.", "b/1 Do it."], ["c/1 Do it."], ["a/1", "b/1"]],
  ["another prompt", ["a/1 Do it."], ["b/1 Do it"], ["a/1"]],
  ["tasks without a prompt", ["a/1"], ["b/1"], ["a/1"]],
  [
    "a suite by another name, of which most is gone",
    ["old/1 Do it.", "old/2 Draw.", "old/3 Dig."],
    ["new/1 Do it."],
    ["new/1", "new/2", "new/3"],
  ],
  [
    "a suite by another name in the same file, of which all is gone",
    ["f: a/1 Do it."],
    ["f: b/9 Dig."],
    ["b/1"],
  ],
  [
    "a task that went to a suite of main",
    ["a/1 Do it.", "a/2 Draw.", "b/1 Dig."],
    ["b/1 Dig.", "b/2 Do it."],
    ["b/2", "a/2", "b/1"],
  ],
  [
    "two suites of one file, in place of which there is one",
    ["f: a/1 Do it.", "f: b/1 Draw."],
    ["f: c/9 Dig."],
    ["a/1", "b/1"],
  ],
])("%s", (_, before, now, names) => {
  const renamed = byNamesOfNow(before.map(row), now.map(row));
  expect(renamed.map(({ suite, task }) => `${suite}/${task}`)).toEqual(names);
});
