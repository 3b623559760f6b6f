/** `fail-on: regression`: what a baseline excuses, and the sentence. */
import { describe, expect, test } from "@jest/globals";
import { absenceOf, type BaselineSource } from "../../src/decide/pairs.ts";
import { compare } from "../../src/decide/compare.ts";
import type { Basis } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import { decideRegression, type RegressionDecision } from "../../src/decide/comparison-text.ts";
import { BASIS, runs, tasks } from "../support/rows.ts";

const ALL_PASS = "P".repeat(20);
const ONE_FELL = `${"P".repeat(19)}F`;
const OTHER = { basis: { ...BASIS, promptSha256: "p2" } };
const TEMPLATE = { basis: { ...BASIS, templateVersion: "3" } };

interface Case {
  readonly name: string;
  readonly before: Row[];
  readonly now: Row[];
  readonly source?: BaselineSource;
  readonly state: RegressionDecision["state"];
  readonly sentence: string;
}

/** Who changed the judge decides: what a file of the repository says is its author's. */
const JUDGES: readonly {
  readonly name: string;
  readonly old: Partial<Basis>;
  readonly now: Partial<Basis>;
  readonly isExcused: boolean;
}[] = [
  ...(
    [
      ["our default over our default", "default", "default", true],
      ["our default where an input named it", "input", "default", true],
      ["an input over our default", "default", "input", true],
      ["an input over another input", "input", "input", true],
      ["an input over the eval's", "eval", "input", true],
      ["the eval's over our default", "default", "eval", false],
      ["our default where the eval named one", "eval", "default", false],
      ["a grader's own", "input", "grader", false],
      ["an input where a grader named one", "grader", "input", false],
      ["nobody's that the baseline names", undefined, "input", false],
    ] as const
  ).map(([name, before, after, isExcused]) => ({
    name: `another judge: ${name}`,
    old: { modelBy: before },
    now: { modelBy: after, judgeModel: "b" },
    isExcused,
  })),
  {
    name: "another effort of our default",
    old: { effortBy: "default", reasoningEffort: "low" },
    now: { effortBy: "default", reasoningEffort: "high" },
    isExcused: true,
  },
  {
    name: "an effort that the eval names",
    old: { effortBy: "default", reasoningEffort: "low" },
    now: { effortBy: "eval", reasoningEffort: "high" },
    isExcused: false,
  },
  {
    name: "an effort that an input names",
    old: { effortBy: "default", reasoningEffort: "low" },
    now: { effortBy: "input", reasoningEffort: "high" },
    isExcused: true,
  },
  {
    name: "an effort that was taken out of the eval",
    old: { effortBy: "eval", reasoningEffort: "high" },
    now: { effortBy: "default", reasoningEffort: "low" },
    isExcused: false,
  },
  {
    name: "an effort that was taken out of the grader, so that the input's is asked for",
    old: { effortBy: "grader", reasoningEffort: "high" },
    now: { effortBy: "input", reasoningEffort: "low" },
    isExcused: false,
  },
  {
    name: "an effort that the provider refused",
    old: { sentEffort: "high" },
    now: { sentEffort: "none" },
    isExcused: true,
  },
  { name: "another API", old: { sentApi: "chat" }, now: { sentApi: "responses" }, isExcused: true },
];

const CASES: readonly Case[] = [
  {
    name: "no baseline in the checkout, a failed grade: acts as fail",
    before: [],
    now: tasks("PF"),
    source: { inCheckout: true },
    state: "red",
    sentence: "1 task fails, and there is no baseline. The path in `baseline` is inside the checkout, where",
  },
  {
    name: "no baseline in the checkout, nothing failed",
    before: [],
    now: tasks("PP"),
    source: { inCheckout: true },
    state: "passed",
    sentence: "there is no baseline",
  },
  {
    name: "no baseline outside the checkout: failed grades decide nothing",
    before: [],
    now: tasks("PF"),
    state: "not-compared",
    sentence: "not compared: no baseline yet",
  },
  {
    name: "a baseline in which nothing passes is none",
    before: tasks("FF"),
    now: tasks("FP"),
    state: "not-compared",
    sentence: "not compared: nothing passes on main",
  },
  {
    name: "nor is one of grades without a check or a verdict",
    before: [...runs("E"), ...runs("F", { task: "t2", checks: [] })],
    now: tasks("FF"),
    state: "not-compared",
    sentence: "not compared: nothing passes on main",
  },
  {
    name: "a failure that the baseline has too is excused",
    before: tasks("PPPPPF"),
    now: tasks("PPPPPF"),
    state: "passed",
    sentence: "not worse than main: score 0.83, as on main. 1 task fails that never passed on main",
  },
  {
    name: "one of 20 newly failing is noise",
    before: tasks(ALL_PASS),
    now: tasks(ONE_FELL),
    state: "passed",
    sentence:
      "score 0.95, 1.00 on main: chance may explain it; `t20` fails what always passed: 0 of 1 run now, 1 of 1 on main. A drop this large happens by chance in about 1 of 4 comparisons: red from 1 of 20 on",
  },
  {
    name: "five of 20 newly failing are not",
    before: tasks(ALL_PASS),
    now: tasks("P".repeat(15) + "F".repeat(5)),
    state: "red",
    sentence:
      "5 of 20 tasks fail what always passed on main. Worse than main: score 0.75, 1.00 on main. A drop this large happens by chance in about 1 of 64 comparisons: red from 1 of 20 on",
  },
  {
    name: "one fall and one rise are green",
    before: tasks("PPPPPF"),
    now: tasks("FPPPPP"),
    state: "passed",
    sentence:
      "not worse than main: score 0.83, as on main; `t1` fails what always passed: 0 of 1 run now, 1 of 1 on main",
  },
  {
    name: "one flip of three single runs is noise",
    before: tasks("PPP"),
    now: tasks("PPF"),
    state: "passed",
    sentence:
      "score 0.67, 1.00 on main: chance may explain it; `t3` fails what always passed: 0 of 1 run now, 1 of 1 on main. A drop this large happens by chance in about 1 of 4 comparisons: red from 1 of 20 on",
  },
  {
    name: "three of four newly failing, against one run of each on main, may be chance",
    before: tasks("PPPP"),
    now: tasks("PFFF"),
    state: "passed",
    sentence:
      "score 0.25, 1.00 on main: chance may explain it; 3 of 4 tasks fail what always passed on main. A drop this large happens by chance in about 1 of 16 comparisons: red from 1 of 20 on",
  },
  {
    name: "one dead task is red though others rose, and named",
    before: [...runs("PPPPPP"), ...tasks("FFF", { suite: "other" })],
    now: [...runs("FFFFFF"), ...tasks("PPP", { suite: "other" })],
    state: "red",
    sentence:
      "`demo · t1` passes no check any more: 0 of 6 runs now, 6 of 6 on main. Not worse than main in all: score 0.75, 0.25 on main. A task that passed before and passes no check now is red at any score, where chance does not explain it",
  },
  {
    name: "too few runs and no net fall",
    before: tasks("PPF"),
    now: tasks("FPP"),
    state: "passed",
    sentence:
      "not worse than main: score 0.67, as on main; `t1` fails what always passed: 0 of 1 run now, 1 of 1 on main",
  },
  {
    name: "an added task decides nothing",
    before: tasks("PPPPPP"),
    now: [...tasks("PPPPPP"), ...runs("FP", { task: "new" })],
    state: "passed",
    sentence:
      "not worse than main: score 1.00, as on main, over 6 of 7 tasks; `new` fails, which decides nothing: not on main yet in this form",
  },
  {
    name: "nor does it beside a drop that chance may explain",
    before: tasks("PPPPPPPP"),
    now: [...tasks("PPPPPPPF"), ...runs("FF", { task: "new" })],
    state: "passed",
    sentence:
      "score 0.88, 1.00 on main, over 8 of 9 tasks: chance may explain it; `t8` fails what always passed: 0 of 1 run now, 1 of 1 on main; `new` fails, which decides nothing: not on main yet in this form. A drop this large happens by chance in about 1 of 4 comparisons: red from 1 of 20 on",
  },
  {
    name: "beside a task of main that is missing, an added one has nothing to excuse it",
    before: tasks("PPPPPPP"),
    now: [...tasks("PPPPPP"), ...runs("F", { task: "new" })],
    state: "red",
    sentence:
      "main has no result of task `new` yet (new, renamed or moved), and it failed; 1 task of main is gone (`t7`). Not worse than main in all: score 1.00, as on main, over 6 of 7 tasks",
  },
  {
    name: "a task that only older files of main have is not missing",
    before: [...tasks("PPPPPP", { time: 2 }), ...runs("P", { task: "retired", time: 1 })],
    now: [...tasks("PPPPPP"), ...runs("F", { task: "new" })],
    state: "passed",
    sentence:
      "not worse than main: score 1.00, as on main, over 6 of 7 tasks; `new` fails, which decides nothing: not on main yet in this form",
  },
  {
    name: "beside a changed task, an added one has nothing to excuse it",
    before: tasks("PPPPPP"),
    now: [...tasks("PPPPP"), ...runs("P", { task: "t6", ...OTHER }), ...runs("F", { task: "new" })],
    state: "red",
    sentence:
      "main has no result of task `new` yet (new, renamed or moved), and it failed. Not worse than main in all: score 1.00, as on main, over 5 of 7 tasks. `quality` in 1 of 6 tasks cannot be compared (not equal: the grader's prompt)",
  },
  {
    name: "beside one that has no verdict on main, it decides nothing, but that one does",
    before: [...tasks("PPPPP"), ...runs("E", { task: "t6" })],
    now: [...tasks("PPPPPF"), ...runs("F", { task: "new" })],
    state: "red",
    sentence:
      "`t6` fails and cannot be compared with main (no verdict on main: errored); `new` fails, which decides nothing: not on main yet in this form. Not worse than main in all: score 1.00, as on main, over 5 of 7 tasks",
  },
  {
    name: "an added grader of a task of main has nothing to excuse it",
    before: tasks("PPPPPP"),
    now: [...tasks("PPPPPP"), ...runs("FFF", { grader: "style" })],
    state: "red",
    sentence:
      "main has no result of `style` in `t1` yet, and it failed. Not worse than main in all: score 1.00, as on main, without `style`",
  },
  {
    name: "an added task without a check is left to the rule of silent judges",
    before: tasks("PPPPPP"),
    now: [...tasks("PPPPPP"), ...runs("F", { task: "new", checks: [] })],
    state: "passed",
    sentence: "not worse than main: score 1.00, as on main",
  },
  {
    name: "on main itself, what its results do not have yet decides nothing: added, renamed, edited",
    before: tasks("PPPPPPP"),
    now: [...tasks("PPPPP"), ...runs("F", { task: "t6", ...OTHER }), ...runs("F", { task: "new" })],
    source: { isOwn: true },
    state: "passed",
    sentence:
      "not worse than main: score 1.00, as on main, over 5 of 7 tasks; 1 task of main is gone (`t7`); `new`, `t6` fail, which decides nothing: not on main yet in this form. `quality` in 1 of 6 tasks cannot be compared (not equal: the grader's prompt)",
  },
  {
    name: "on main itself, a drop is red beside it",
    before: tasks("PPPPPPP"),
    now: [...tasks("FFFFF"), ...runs("F", { task: "new" })],
    source: { isOwn: true },
    state: "red",
    sentence:
      "all 5 tasks pass no check any more, and passed on main; 2 tasks of main are gone (`t6`, `t7`); `new` fails, which decides nothing: not on main yet in this form. Worse than main: score 0.00, 1.00 on main, over 5 of 6 tasks. A drop this large happens by chance in about 1 of 64 comparisons: red from 1 of 20 on",
  },
  {
    name: "on main itself, nothing is compared where all is new",
    before: tasks("PP"),
    now: tasks("FP", OTHER),
    source: { isOwn: true },
    state: "not-compared",
    sentence:
      "`t1` fails, which decides nothing: not on main yet in this form. `quality` cannot be compared (not equal: the grader's prompt)",
  },
  {
    name: "a new task that passes is green",
    before: tasks("PPPPPP"),
    now: [...tasks("PPPPPP"), ...runs("P", { task: "new" })],
    state: "passed",
    sentence: "not worse than main: ",
  },
  {
    name: "a changed prompt excuses nothing",
    before: tasks("FP"),
    now: tasks("FF", OTHER),
    source: { branch: "master" },
    state: "red",
    sentence:
      "`t1`, `t2` fail and cannot be compared with master (not equal: the grader's prompt). To compare all the same, grade the last runs of master with these evals (docs/baseline.md)",
  },
  {
    name: "a changed prompt that passes is green",
    before: tasks("FP"),
    now: tasks("PP", OTHER),
    state: "passed",
    sentence: "nothing can be compared with main",
  },
  {
    name: "an update of this action alone decides nothing",
    before: tasks("FP"),
    now: tasks("FF", TEMPLATE),
    state: "not-compared",
    sentence: "not compared: this action was updated",
  },
  {
    name: "nor does it where nothing failed",
    before: tasks("FP"),
    now: tasks("PP", TEMPLATE),
    state: "not-compared",
    sentence: "not compared: this action was updated",
  },
  ...JUDGES.map(({ name, old, now, isExcused }): Case => ({
    name,
    before: tasks("PP", { basis: { ...BASIS, ...old } }),
    now: tasks("FP", { basis: { ...BASIS, ...now } }),
    state: isExcused ? "not-compared" : "red",
    sentence: isExcused ? "not compared: the " : "`t1` fails and cannot be compared with main",
  })),
  {
    name: "another judge beside another prompt excuses nothing",
    before: tasks("PP", { basis: { ...BASIS, modelBy: "input" } }),
    now: tasks("FP", { basis: { ...BASIS, modelBy: "input", judgeModel: "b", promptSha256: "p2" } }),
    state: "red",
    sentence: "`t1` fails and cannot be compared with main",
  },
  {
    name: "another judge hides no drop of what can be compared",
    before: [...runs("PPP"), ...runs("P", { task: "t2", basis: { ...BASIS, modelBy: "input" } })],
    now: [
      ...runs("FFF"),
      ...runs("F", { task: "t2", basis: { ...BASIS, modelBy: "input", judgeModel: "b" } }),
    ],
    state: "red",
    sentence:
      "`t1` passes no check any more: 0 of 3 runs now, 3 of 3 on main. Worse than main: score 0.00, 1.00 on main, over 1 of 2 tasks. A drop this large happens by chance in about 1 of 40 comparisons: red from 1 of 20 on. `quality` in 1 of 2 tasks cannot be compared (not equal: the judge model (judge on main, b now))",
  },
  {
    name: "beside an update, what can be compared decides",
    before: [...runs("PPP"), ...runs("P", { task: "t2" })],
    now: [...runs("FFF"), ...runs("F", { task: "t2", ...TEMPLATE })],
    state: "red",
    sentence:
      "`t1` passes no check any more: 0 of 3 runs now, 3 of 3 on main. Worse than main: score 0.00, 1.00 on main, over 1 of 2 tasks. A drop this large happens by chance in about 1 of 40 comparisons: red from 1 of 20 on. `quality` in 1 of 2 tasks cannot be compared (this action was updated: template 2 on main, 3 now)",
  },
  {
    name: "an update that changes the prompt, too, excuses nothing",
    before: tasks("FP"),
    now: tasks("FP", { basis: { ...BASIS, templateVersion: "3", promptSha256: "p2" } }),
    state: "red",
    sentence:
      "`t1` fails and cannot be compared with main (not equal: the grader's prompt, the action's template (2 on main, 3 now)). To compare all the same, grade the last runs of main with these evals (docs/baseline.md)",
  },
  {
    name: "a base that is flaky is compared by its n of k",
    before: runs("PPF"),
    now: runs("PPF"),
    state: "passed",
    sentence: "not worse than main: ",
  },
  {
    name: "errored in the baseline: nothing excuses the failure, and half of the suite is gone",
    before: [...runs("E"), ...runs("P", { task: "t2" })],
    now: runs("F"),
    state: "red",
    sentence:
      "`t1` fails and cannot be compared with main (no verdict on main: errored); 1 task of main is gone (`t2`)",
  },
];

describe("fail-on: regression", () => {
  test.each(CASES)("$name", ({ before, now, source, state, sentence }) => {
    const comparison = compare(before, now, { absent: absenceOf(before), branch: "main", ...source });
    const decision = decideRegression(comparison);
    expect(decision.state).toBe(state);
    expect(decision.sentences.join(". ")).toContain(sentence);
  });
});

test("lists of statements that fail on both sides drop by their scores", () => {
  const lists = (score: number) => tasks("FFFFFF").map((grade) => ({ ...grade, score }));
  const { sentences } = decideRegression(compare(lists(0.75), lists(0.25), { branch: "main" }));
  expect(sentences[0]).toBe("worse than main: score 0.25, 0.75 on main");
});
