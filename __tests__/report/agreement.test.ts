/** Judge and people on the page and in the results file. */
import { describe, expect, test } from "@jest/globals";
import { agreementOf, agreementSentence } from "../../src/labels/agreement.ts";
import type { Labelled } from "../../src/labels/agreement.ts";
import type { Named } from "../../src/labels/agreement.ts";
import { agreementFields } from "../../src/report/record.ts";
import { agreementSection } from "../../src/report/sections/comparison.ts";
import type { Page } from "../../src/report/document/tree.ts";
import { renderSection } from "../support/render-section.ts";
import { graded, ungraded } from "../support/rows.ts";

const AT = { path: "labels.csv", startLine: 2, endLine: 2, inRepository: true };

const labelled = (passed: boolean, grade: Named, note?: string): Labelled<Named> => ({
  label: { task: grade.task, grader: grade.grader, passed, note, at: AT },
  grade,
});
const times = (number: number, one: Labelled<Named>) => Array.from({ length: number }, () => one);

const FOUND = [
  ...times(8, labelled(true, graded())),
  ...times(4, labelled(false, graded({ passed: false }))),
  labelled(false, graded({ task: "t|2", run: 3, reason: "It is\nfine." }), "It is *not*."),
  labelled(true, graded({ grader: "tone", passed: false, advisory: true })),
  labelled(true, ungraded("errored", { reason: "The server was busy." })),
  labelled(false, graded({ task: "t3", settled: true, passed: false })),
];
const PAGE = { most: 20, reason: 200 };
const sectionOf = (found: readonly Labelled<Named>[], page: Partial<Page> = {}) =>
  renderSection(agreementSection, { agreement: agreementOf(found) }, { ...PAGE, ...page });

describe("on the page", () => {
  const section = sectionOf(FOUND);

  test("all and each grader have their four numbers and rates, an advisory one apart", () => {
    const numbers =
      "**1.00** (8 of 8; 0.68 to 1.00) | **0.80** (4 of 5; 0.38 to 0.96) | 0.83 | 8 | 1 | 0 | 4";
    expect(section).toContain(`| **all** | ${numbers} |`);
    expect(section).toContain(`| quality | ${numbers} |`);
    expect(section).toContain(
      "| tone (advisory, not in all) | – (1 label) | – (0 labels) | – | 0 | 0 | 1 | 0 |",
    );
  });

  test("disagreements have both sides' reasons", () => {
    expect(section).toContain("**2 disagreements**");
    expect(section).toContain(
      "- **quality · t\\|2 · run 3**<br>the judge: ✅ passed: It is fine.<br>the person: ❌ failed: It is \\*not\\*.",
    );
    expect(section).toContain("- **tone · t1 · run 1**<br>the judge: ❌ failed<br>the person: ✅ passed");
  });

  test("labels of grades that no judge gave a verdict on say why", () => {
    expect(section).toContain("**2 labels of grades without a judge's verdict, not counted**");
    expect(section).toContain(
      "quality · t1 · run 1** · errored: The server was busy.<br>the person: ✅ passed",
    );
    expect(section).toContain(
      "quality · t3 · run 1** · the agent never got to work<br>the person: ❌ failed",
    );
  });

  test("suites are named where there are several", () => {
    const both = sectionOf([labelled(false, graded()), labelled(true, graded({ suite: "other" }))]);
    expect(both).toContain("| quality · demo | – (0 labels) | – (1 label) | – | 0 | 1 | 0 | 0 |");
  });

  test("what would be too long is counted", () => {
    const wrong = Array.from({ length: 60 }, (_, index) =>
      labelled(false, graded({ grader: `g${String(index)}`, reason: "x".repeat(500) })),
    );
    const short = sectionOf(wrong, { most: 3, reason: 20 });
    expect(short).toContain("| … and 10 more |  |  |");
    expect(short.match(/the person/g)).toHaveLength(3);
    expect(short).toContain("- … and 57 more");
    expect(short).not.toContain("x".repeat(21));
  });

  test("there is nothing without labels", () => {
    expect(renderSection(agreementSection, {})).toBe("");
    expect(sectionOf([])).toBe("");
    expect(agreementSentence(agreementOf([]))).toBe("Against people's labels: there are none yet.");
  });
});

test("the results file has all of it, with null for unknown figures", () => {
  const fields = agreementFields(agreementOf(FOUND));
  expect(fields).toMatchObject({
    agreement: 0.8,
    true_pass: 8,
    false_pass: 1,
    false_fail: 0,
    true_fail: 4,
    tpr: { value: 1, agreed: 8, labels: 8 },
    graders: [
      { suite: "demo", grader: "quality" },
      { grader: "tone", advisory: true, tpr: null, kappa: null },
    ],
    disagreements: [
      {
        suite: "demo",
        model: "agent",
        task_id: "t|2",
        run_number: 3,
        grader: "quality",
        state: "passed",
        passed: true,
        label: { passed: false, note: "It is *not*." },
      },
      { grader: "tone", passed: false },
    ],
    uncounted: [
      { state: "errored", passed: null },
      { state: "failed", passed: false },
    ],
  });
  expect((fields.graders as object[])[0]).not.toHaveProperty("advisory");
  expect(agreementFields(agreementOf([labelled(true, graded({ model: "" }))]))).toMatchObject({
    agreement: null,
    tnr: null,
    kappa: null,
  });
});
