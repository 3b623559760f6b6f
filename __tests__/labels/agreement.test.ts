/** The judge's verdicts against people's: the table of four, the rates, and `min-agreement`. */
import { describe, expect, test } from "@jest/globals";
import { agreementOf, decideAgreement } from "../../src/labels/agreement.ts";
import type { Named } from "../../src/labels/agreement.ts";
import type { Labelled } from "../../src/labels/agreement.ts";
import { graded, ungraded } from "../support/rows.ts";

const AT = { path: "labels.csv", startLine: 2, endLine: 2, inRepository: true };

function labelled(passed: boolean, grade: Named): Labelled<Named> {
  return { label: { task: grade.task, grader: grade.grader, passed, note: "why", at: AT }, grade };
}

/** So many of each: judge and person pass, only the judge, only the person, neither. */
function four(numbers: readonly [number, number, number, number], grader = "quality"): Labelled<Named>[] {
  const kinds = [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const;
  return kinds.flatMap(([judge, person], index) =>
    Array.from({ length: numbers[index] ?? 0 }, () => labelled(person, graded({ grader, passed: judge }))),
  );
}

describe("the agreement", () => {
  test("has both rates with their counts and Wilson's intervals, and kappa", () => {
    const found = agreementOf(four([45, 6, 3, 26]));
    expect(found).toMatchObject({
      table: { truePass: 45, falsePass: 6, falseFail: 3, trueFail: 26 },
      tpr: {
        value: 0.9375,
        agreed: 45,
        labels: 48,
        lower: expect.closeTo(0.8316, 4),
        upper: expect.closeTo(0.9785, 4),
      },
      tnr: {
        value: 0.8125,
        agreed: 26,
        labels: 32,
        lower: expect.closeTo(0.6469, 4),
        upper: expect.closeTo(0.9111, 4),
      },
      kappa: expect.closeTo(0.762, 3),
      agreement: 0.8125,
    });
    expect(found.disagreements).toHaveLength(9);
    expect(found.disagreements[0]).toMatchObject({
      label: { passed: false, note: "why" },
      grade: { state: "passed" },
    });
  });

  test("is reported for each grader of each suite and for all", () => {
    const other = [labelled(false, graded({ suite: "other" }))];
    const found = agreementOf([...four([5, 0, 0, 5]), ...four([5, 1, 0, 4], "style"), ...other]);
    expect(found.graders).toMatchObject([
      { suite: "demo", grader: "quality", tnr: { value: 1 }, kappa: 1 },
      { suite: "demo", grader: "style", tnr: { value: 0.8 } },
      { suite: "other", grader: "quality", table: { falsePass: 1 }, tnr: undefined },
    ]);
    expect(found).toMatchObject({ table: { truePass: 10, falsePass: 2, falseFail: 0, trueFail: 9 } });
  });

  test("of an advisory grader is reported, and is in no figure over all", () => {
    const advisory = Array.from({ length: 6 }, () =>
      labelled(false, graded({ grader: "new", advisory: true })),
    );
    const found = agreementOf([...four([5, 0, 0, 5]), ...advisory]);
    expect(found).toMatchObject({ agreement: 1, table: { falsePass: 0 } });
    expect(found.graders).toMatchObject([
      { grader: "quality", advisory: false },
      { grader: "new", advisory: true, table: { falsePass: 6 }, tnr: { value: 0 } },
    ]);
    expect(found.disagreements).toHaveLength(6);
  });

  test("shows labels of grades that no judge gave a verdict on, and does not count them", () => {
    const errored = labelled(true, ungraded("errored"));
    const settled = labelled(true, graded({ settled: true, passed: false }));
    const found = agreementOf([...four([5, 0, 0, 5]), errored, settled]);
    expect(found).toMatchObject({ agreement: 1, disagreements: [], uncounted: [errored, settled] });
  });

  test.each([
    ["people failed fewer than 5", [20, 2, 1, 2], true],
    ["people passed fewer than 5", [3, 2, 1, 8], false],
  ] as const)("has no rate of a verdict, and no kappa, where %s", (_, numbers, tpr) => {
    const found = agreementOf(four(numbers));
    expect([found.tpr !== undefined, found.tnr !== undefined]).toEqual([tpr, !tpr]);
    expect(found).toMatchObject({ kappa: undefined, agreement: undefined });
    expect(found.disagreements).toHaveLength(3);
  });
});

describe("min-agreement", () => {
  test.each([
    [
      [9, 1, 1, 9],
      0.9,
      false,
      "the judge agrees on 9 of the 10 grades that people passed (0.90; 95 % interval 0.60 to 0.98; minimum 0.90)",
    ],
    [
      [45, 6, 3, 26],
      0.9,
      true,
      "the judge agrees on only 26 of the 32 grades that people failed (0.81; 95 % interval 0.65 to 0.91; minimum 0.90)",
    ],
    [
      [8, 0, 2, 10],
      0.9,
      true,
      "the judge agrees on only 8 of the 10 grades that people passed (0.80; 95 % interval 0.49 to 0.94; minimum 0.90)",
    ],
    [
      [90, 1, 1, 3],
      0.5,
      true,
      "too few labels: people passed 91 and failed 4 of the judged grades; at least 5 of each are needed, so the minimum of 0.50 is not reached",
    ],
  ] as const)("%p at %d is red: %p", (numbers, minimum, red, sentence) => {
    expect(decideAgreement(agreementOf(four(numbers)), minimum)).toEqual({ red, sentence });
  });

  const WRONG = four([20, 12, 0, 2], "tone");
  test.each([
    [
      "one grader's interval lies wholly below it",
      [...four([60, 0, 0, 60]), ...WRONG],
      true,
      "by the grader `tone` the judge agrees on only 2 of the 14 grades that people failed (0.14; 95 % interval 0.04 to 0.40; minimum 0.80)",
    ],
    [
      "one grader's rate lies below it, and its interval does not",
      [...four([60, 0, 0, 60]), ...four([20, 2, 0, 4], "tone")],
      false,
      "the judge agrees on 64 of the 66 grades that people failed (0.97; 95 % interval 0.90 to 0.99; minimum 0.80)",
    ],
    [
      "that grader is advisory",
      [
        ...four([60, 0, 0, 60]),
        ...WRONG.map(({ label, grade }) => ({ label, grade: { ...grade, advisory: true as const } })),
      ],
      false,
      "the judge agrees on 60 of the 60 grades that people passed (1.00; 95 % interval 0.94 to 1.00; minimum 0.80)",
    ],
  ])("where %s", (_, found, red, sentence) => {
    expect(decideAgreement(agreementOf(found), 0.8)).toEqual({ red, sentence });
  });
});
