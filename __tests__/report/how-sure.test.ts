import { describe, expect, test } from "@jest/globals";
import type { Report } from "../../src/report/report.ts";
import type { Grade, Verdict } from "../../src/domain/grade.ts";
import { scoreGrades } from "../../src/results/score.ts";
import { howSureSection, runsCell } from "../../src/report/sections/tables.ts";
import { renderSection } from "../support/render-section.ts";
import { rowsOf } from "../support/rows.ts";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";

const SUITE = suiteOf();
const VERDICTS: Readonly<Record<string, Verdict>> = {
  P: { state: "graded", checks: [{ outcome: "pass" }], score: 1, passed: true },
  F: { state: "graded", checks: [{ outcome: "fail" }], score: 0, passed: false },
  E: { state: "errored", error: { class: "server", message: "busy" } },
};

/** Scores of tasks (`id@model`) by the letters of their runs, each by two graders of which the first always passes. */
function scoresOf(written: Readonly<Record<string, string>>): Pick<Report, "scores"> {
  const grades = Object.entries(written).flatMap(([name, letters], task) => {
    const [id = "", model = ""] = name.split("@");
    return Array.from(letters, (letter, run) =>
      ["P", letter].map((one, index): Grade => ({
        job: {
          suite: SUITE,
          task: { id, name: id },
          grader: graderOf({ name: String(index) }),
          judgeModel: "judge",
          run: runOf({ taskId: id, model, number: run + 1, origin: { file: 0, task, run } }),
        },
        verdict: VERDICTS[one]!,
        requests: 1,
        tokens: { input: 1, output: 1, cached: 0 },
        durationMs: 1,
      })),
    ).flat();
  });
  return { scores: scoreGrades([SUITE], rowsOf(grades)) };
}

const lineOf = (written: Readonly<Record<string, string>>) =>
  renderSection(howSureSection, scoresOf(written));
const single = (letters: string) =>
  Object.fromEntries(Array.from(letters, (letter, index) => [`t${String(index)}`, letter]));

describe("how sure", () => {
  test.each<[string, Record<string, string>, string]>([
    [
      "single runs have an interval alone",
      single("PPPPPPPF"),
      "7 of 8 tasks passed (95 % interval: 53 to 98 %)",
    ],
    ["all of two", single("PP"), "2 of 2 tasks passed (95 % interval: 34 to 100 %)"],
    [
      "a task without a verdict does not count",
      { ...single("PP"), gone: "E" },
      "2 of 2 tasks passed (95 % interval: 34 to 100 %)",
    ],
    [
      "several runs have pass^k and the flaky tasks by name",
      { a: "PPPPP", b: "PPPPF", c: "PPFFF" },
      "1 of 3 tasks passed in every run (95 % interval: 6 to 79 %) · pass^1 0.73, pass^2 0.57, pass^3 0.47, pass^4 0.40, pass^5 0.33 (pass^k: the chance that k runs of a task all pass) · flaky: `b` 4/5, `c` 2/5",
    ],
    [
      "many runs have the first and the last pass^k",
      { a: "PPPPPP" },
      "1 of 1 task passed in every run (95 % interval: 21 to 100 %) · pass^1 1.00, pass^6 1.00 (pass^k: the chance that k runs of a task all pass)",
    ],
    [
      "a run without all its verdicts is left out",
      { a: "PEF" },
      "0 of 1 task passed in every run (95 % interval: 0 to 79 %) · pass^1 0.50, pass^2 0.00 (pass^k: the chance that k runs of a task all pass) · flaky: `a` 1/2",
    ],
    [
      "a task that two models did is one",
      { "a@x": "P", "a@y": "P", "b@x": "P", "b@y": "F" },
      "1 of 2 tasks passed in every run (95 % interval: 9 to 91 %)",
    ],
    ["nothing is said of nothing", { a: "E" }, ""],
    ["nothing is said of one run", { a: "P" }, ""],
  ])("%s", (_case, written, expected) => {
    const [sure = "", flaky = ""] = expected.split(" · flaky: ");
    const folded =
      sure === "" ? "" : `<details><summary>How sure is this?</summary>\n\n${sure}\n\n</details>`;
    expect(lineOf(written)).toBe(flaky === "" ? folded : `flaky: ${flaky}\n\n${folded}`);
  });

  test("a task's runs are a cell", () => {
    const cells = scoresOf({ a: "PPF", b: "E" }).scores.suites[0]!.tasks.map(runsCell);
    expect(cells).toEqual(["2/3", "–"]);
  });
});
