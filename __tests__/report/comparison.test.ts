import { describe, expect, test } from "@jest/globals";
import { suiteOf, times } from "../support/factories.ts";
import { SUITE, erroredOf, fail, gradeOf, pass, verdictOf } from "../support/grades.ts";
import { renderSection } from "../support/render-section.ts";
import { BASIS, graded, rowsOf, runs, tasks, ungraded } from "../support/rows.ts";
import { compare } from "../../src/decide/compare.ts";
import type { Verdict } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import { agreementOf, agreementSentence, type Labelled } from "../../src/labels/agreement.ts";
import type { Page } from "../../src/report/document/tree.ts";
import { agreementFields, comparisonFields } from "../../src/report/record.ts";
import {
  advisorySection,
  agreementSection,
  comparisonLine,
  comparisonSection,
} from "../../src/report/sections/comparison.ts";
import { scoreGrades } from "../../src/results/score.ts";

/** What decided was not the comparison. */
const DECIDED = {
  policy: { failOn: "fail", onError: "fail", onMissing: "fail" },
  conclusion: {
    rule: "passed",
    conclusion: "success",
    check: "success",
    passed: true,
    again: [],
    sentences: [""],
    sentence: "",
  },
} as const;

const line = (baseline: readonly Row[], current: readonly Row[]) =>
  renderSection(comparisonLine, { comparison: compare(baseline, current), ...DECIDED });

describe("the line of the first screen", () => {
  test.each<[string, Row[], Row[], string]>([
    [
      "a fall",
      tasks("PPPPP"),
      tasks("FFFFF"),
      "▼ All 5 tasks pass no check any more, and passed in the baseline. Worse than the baseline: score 0.00, 1.00 in the baseline. ",
    ],
    [
      "a rise",
      tasks("FFFFFP"),
      tasks("PPPPPP"),
      "▲ Not worse than the baseline: score 1.00, 0.17 in the baseline.",
    ],
    [
      "what chance explains",
      tasks("PPPPPF"),
      tasks("PPPPFF"),
      "▼ Score 0.67, 0.83 in the baseline: chance may explain it; `t5` fails what always passed in the baseline. A drop this large",
    ],
    ["no change", tasks("PF"), tasks("PF"), "Not worse than the baseline: score 0.50, as in the baseline."],
    ["no baseline", [], tasks("P"), "Not compared: no baseline yet."],
  ])("tells %s", (_case, baseline, current, expected) => {
    expect(line(baseline, current)).toContain(expected);
  });

  test("leaves to the conclusion what decided under fail-on: regression", () => {
    const { policy, conclusion } = DECIDED;
    const texts = renderSection(comparisonLine, {
      comparison: compare(tasks("PPPPP"), tasks("FFFFF")),
      policy: { ...policy, failOn: "regression" },
      conclusion: { ...conclusion, rule: "regression" },
    });
    expect(texts).toBe("");
  });

  test("is absent where nothing was to be compared", () => {
    expect(renderSection(comparisonLine, {})).toBe("");
  });
});

const BEFORE = [
  ...runs("PPP", { task: "falls", reason: "It was short.", answer: "Two\nlines." }),
  ...runs("FFF", { task: "rises", golden: true }),
  ...runs("FF", { task: "fails" }),
  ...runs("P", { task: "other", basis: { ...BASIS, judgeModel: "old-judge" } }),
  ...runs("P", { task: "gone" }),
];
const NOW = [
  ...runs("PFF", { task: "falls", reason: "It is | long.", answer: "Many lines." }),
  ...runs("PPP", { task: "rises", reason: "Right." }),
  ...runs("FF", { task: "fails" }),
  ...runs("P", { task: "other" }),
  ...runs("P", { task: "fresh" }),
];
const comparison = compare(BEFORE, NOW);

describe("the section", () => {
  const sectionOf = (of: typeof comparison, each = true) =>
    renderSection(comparisonSection, { comparison: of }, { each });

  test("lists what cannot be compared, is new and is gone, where there is room", () => {
    const section = sectionOf(comparison);
    expect(section).toMatch(
      /1 grader not comparable with the baseline[^]*the judge model \(old-judge in the baseline, judge now\)/,
    );
    expect(section).toMatch(/1 grader not in the baseline yet[^]*fresh/);
    expect(section).toMatch(/1 grader only in the baseline[^]*gone/);
    expect(sectionOf(comparison, false)).toBe("");
  });

  test("is absent without a baseline, and where nothing is to be reported", () => {
    expect(sectionOf(compare([], NOW))).toBe("");
    expect(sectionOf(compare(runs("P"), runs("P")))).toBe("");
  });
});

test("the results file has the same in figures", () => {
  expect(comparisonFields(comparison)).toMatchObject({
    verdict: "within-noise",
    newly_failing: [
      {
        ...{ task_id: "falls", model: "agent", grader: "quality" },
        ...{ baseline: { passes: 3, runs: 3 }, current: { passes: 1, runs: 3 } },
      },
    ],
    newly_passing: [{ task_id: "rises", golden: true }],
    still_failing: [{ task_id: "fails" }],
    not_comparable: [{ task_id: "other" }],
    added: [{ task_id: "fresh" }],
    removed: [{ task_id: "gone" }],
    unexcused: [],
  });
});

describe("advisory graders", () => {
  const grade = (number: number, verdict: Verdict) =>
    gradeOf({
      verdict,
      grader: { name: "tone" },
      run: { number, origin: { file: 0, task: 0, run: number } },
    });
  const scores = scoreGrades(
    [SUITE],
    rowsOf([
      grade(2, verdictOf([fail(undefined, "It is <b>rude</b>.")])),
      grade(1, verdictOf([pass()])),
      grade(3, erroredOf()),
    ]),
  );

  test("have a line each, and say why they failed", () => {
    const section = renderSection(advisorySection, { advisory: { scores } }, { each: true });
    expect(section).toContain("- **tone** · 1 of 2 passed · ⚠️ 1 without a verdict");
    expect(section).toContain("  - ❌ explain · run 2 — It is &lt;b&gt;rude&lt;/b&gt;.");
  });

  test("say nothing where there are none", () => {
    expect(renderSection(advisorySection, {}, { each: true })).toBe("");
  });
});

/* Judge and people on the page and in the results file. */

const AT = { path: "labels.csv", startLine: 2, endLine: 2, inRepository: true };

const labelled = (passed: boolean, grade: Row, note?: string): Labelled<Row> => ({
  label: { task: grade.task, grader: grade.grader, passed, note, at: AT },
  grade,
});

const FOUND = [
  ...times(8, () => labelled(true, graded())),
  ...times(4, () => labelled(false, graded({ passed: false }))),
  labelled(false, graded({ task: "t|2", run: 3, reason: "It is\nfine." }), "It is *not*."),
  labelled(true, graded({ grader: "tone", passed: false, advisory: true })),
  labelled(true, ungraded("errored", { reason: "The server was busy." })),
  labelled(false, graded({ task: "t3", settled: true, passed: false })),
];
const PAGE = { most: 20, reason: 200 };
function sectionOf(found: readonly Labelled<Row>[], page: Partial<Page> = {}): string {
  const rows = found.map(({ grade }) => grade);
  const scores = scoreGrades([suiteOf({ title: "demo" })], rows);
  return renderSection(agreementSection, { agreement: agreementOf(found), scores }, { ...PAGE, ...page });
}

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
      "- **quality · t\\|2**<br>the judge: ✅ passed: It is fine.<br>the person: ❌ failed: It is \\*not\\*.",
    );
    expect(section).toContain("- **tone · t1**<br>the judge: ❌ failed<br>the person: ✅ passed");
  });

  test("a prompt to copy has each criterion with its cases, and a comment has none", () => {
    expect(section).toContain("A prompt for better criteria, to copy");
    expect(section).toContain(
      "Case 1: quality · t|2\n  the judge passed it: It is fine.\n  a person failed it: It is *not*.",
    );
    const two = ["Is it short?", "Is it true?"].map((prompt) => labelled(false, graded({ prompt })));
    expect(sectionOf(two)).toMatch(
      /Criterion 1:\nIs it short\?\n\nCase 1: [^]*\n\nCriterion 2:\nIs it true\?/,
    );
    expect(sectionOf(FOUND, { medium: "comment" })).not.toContain("A prompt for better criteria");
    expect(sectionOf([labelled(true, graded())])).not.toContain("A prompt for better criteria");
  });

  test("labels of grades that no judge gave a verdict on say why", () => {
    expect(section).toContain("**2 labels of grades without a judge's verdict, not counted**");
    expect(section).toContain("quality · t1** · errored: The server was busy.<br>the person: ✅ passed");
    expect(section).toContain("quality · t3** · the agent never got to work<br>the person: ❌ failed");
  });

  test("suites are named where there are several", () => {
    const both = sectionOf([labelled(false, graded()), labelled(true, graded({ suite: "other" }))]);
    expect(both).toContain("| quality · demo | – (0 labels) | – (1 label) | – | 0 | 1 | 0 | 0 |");
  });

  test("what would be too long is counted", () => {
    const wrong = times(60, (index) =>
      labelled(false, graded({ grader: `g${String(index)}`, reason: "x".repeat(500) })),
    );
    const short = sectionOf(wrong, { most: 3, reason: 20, medium: "comment" });
    expect(short).toContain("… and 10 more graders");
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
    ...{ agreement: 0.8, true_pass: 8, false_pass: 1, false_fail: 0, true_fail: 4 },
    tpr: { value: 1, agreed: 8, labels: 8 },
    graders: [
      { suite: "demo", grader: "quality" },
      { grader: "tone", advisory: true, tpr: null, kappa: null },
    ],
    disagreements: [
      {
        ...{ suite: "demo", model: "agent", task_id: "t|2", run_number: 3, grader: "quality" },
        ...{ state: "passed", passed: true },
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
