/** A second look over the grades of several models, without all of its runs, and over trigger queries: what decides, what is marked. */
import { describe, expect, test } from "@jest/globals";
import { compare, fallenIn } from "../../src/decide/compare.ts";
import { askedAgain, decide } from "../../src/decide/gate.ts";
import { type Row, rowOfQuery, taskKeyOfAnyModel } from "../../src/domain/row.ts";
import { whatNow } from "../../src/decide/rules.ts";
import { scoreGrades } from "../../src/results/score.ts";
import { GRADER_SPAN, suiteOf, times } from "../support/factories.ts";
import { graded, runs, tasks, ungraded } from "../support/rows.ts";

const SUITE = suiteOf({ title: "demo" });

/** Decides over rows beside those of main, where these tasks ran again; or may, `second-look`. */
function decided(
  before: readonly Row[],
  now: readonly Row[],
  again: readonly string[] = [],
  secondLook = false,
) {
  const looked = new Set(again.map((task) => taskKeyOfAnyModel({ suite: "demo", task })));
  const comparison = compare(before, now, { branch: "main", again: looked });
  const scores = scoreGrades([SUITE], now);
  const policy = { failOn: "regression", onError: "warn", onMissing: "warn", secondLook } as const;
  const mayRunAgain = new Set(now.map(taskKeyOfAnyModel));
  const conclusion = decide({ scores, problems: [], policy, comparison, mayRunAgain });
  const advice = whatNow({ conclusion, scores, policy, comparison, accepted: [] }).map(({ text }) => text);
  return { comparison, advice, ...conclusion };
}

describe("a task that is dead for one of two models", () => {
  const of = (model: string) => ({ model, modelAsked: model });
  const both = (a: string, b: string, run = 1) =>
    ["a", "b"].flatMap((model) =>
      tasks(model === "a" ? a : b, { ...of(model), run }).map((row) => ({ ...row, run })),
    );
  const before = times(5, (index) =>
    both("PPPP", "PPPP").map((row) => ({ ...row, file: `m${String(index)}`, time: index })),
  ).flat();
  const now = both("PPPP", "PPPF");

  test("is asked again by that model alone", () => {
    const { rule, again, sentences, comparison } = decided(before, now, [], true);
    expect(rule).toBe("second-look");
    expect(again).toEqual([{ suite: "demo", task: "t4", model: "b" }]);
    expect(sentences[0]).toBe("`t4` with `b` dropped, and runs 2 more times before this is decided");
    expect(askedAgain({ comparison }, new Set())).toEqual([]);
  });

  test("is red by the runs of that model alone, and accepted as the task", () => {
    const further = [2, 3].map((run) => graded({ ...of("b"), task: "t4", run, passed: false }));
    const { rule, sentences, comparison } = decided(before, [...now, ...further], ["t4"]);
    expect(rule).toBe("regression");
    expect(sentences[0]).toBe("`t4` with `b` passes no check any more, and passed on main");
    expect(comparison.test.dead).toEqual([{ suite: "demo", task: "t4", model: "b" }]);
    expect(fallenIn(comparison)).toContainEqual({ suite: "demo", task: "t4" });
  });
});

describe("a further run", () => {
  const before = times(5, (index) => tasks("PPPPPP", { file: `m${String(index)}`, time: index })).flat();
  const now = [...tasks("PPPPPF"), graded({ task: "t6", run: 2 })];
  test.each<[string, Row, readonly string[], string]>([
    ["without a verdict is red", ungraded("errored", { task: "t6", run: 3 }), ["t6"], "errored"],
    ["that is missing is red", ungraded("missing", { task: "t6", run: 3 }), ["t6"], "missing"],
    [
      "that was asked of another task lets pass",
      ungraded("errored", { task: "t6", run: 3 }),
      ["t5"],
      "passed",
    ],
    ["with a verdict decides", graded({ task: "t6", run: 3 }), ["t6"], "passed"],
  ])("%s, also with `warn`", (_, row, again, rule) => {
    expect(decided(before, [...now, row], again).rule).toBe(rule);
  });
});

test.each<[string, Row[], boolean]>([
  ["passes no check in one run", [], true],
  ["passed again", [graded({ task: "t6", run: 2 })], false],
])("a green page says why a task that %s is not dead", (_, further, isSaid) => {
  const before = times(5, (index) => tasks("PPPPPP", { file: `m${String(index)}`, time: index })).flat();
  const { rule, advice } = decided(before, [...tasks("PPPPPF"), ...further]);
  const why = "`t6` passes no check: dead once more runs show that it is not chance.";
  expect([rule, advice.includes(why)]).toEqual(["passed", isSaid]);
});

test("a trigger query that fell is marked as a task is", () => {
  const planned = rowOfQuery({ skill: "pdf", query: "Merge these", wants: true, at: GRADER_SPAN });
  const made = (written: string) => runs(written, { ...planned, checks: [{ outcome: "pass" }] });
  const marks = fallenIn(compare(made("PPPPP"), made("FFFFF")));
  expect(marks).toEqual([{ suite: "pdf", task: "Merge these" }]);
});
