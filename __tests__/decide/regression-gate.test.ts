/** `fail-on: regression`: what a baseline excuses, and the sentence. */
import { describe, expect, test } from "@jest/globals";
import { absenceOf, type BaselineSource } from "../../src/decide/pairs.ts";
import { compare } from "../../src/decide/compare.ts";
import type { Basis } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import { decideRegression, type RegressionDecision } from "../../src/decide/comparison-text.ts";
import { BASIS, runs, tasks } from "../support/rows.ts";

const OTHER = { basis: { ...BASIS, promptSha256: "p2" } };
const TEMPLATE = { basis: { ...BASIS, templateVersion: "3" } };

type Case = [name: string, before: Row[], now: Row[], sentence?: string, source?: BaselineSource];

function cases(state: RegressionDecision["state"], table: readonly Case[]): void {
  test.each(table)("%s", (...[, before, now, sentence = "", source]) => {
    const comparison = compare(before, now, { absent: absenceOf(before), branch: "main", ...source });
    const decision = decideRegression(comparison);
    expect(decision.state).toBe(state);
    expect(decision.sentences.join(". ")).toContain(sentence);
  });
}

describe("under fail-on: regression is red", () => {
  cases("red", [
    [
      "no baseline in the checkout, a failed grade: acts as fail",
      [],
      tasks("PF"),
      "1 task fails, and there is no baseline. The path in `baseline` is inside the checkout, where",
      { inCheckout: true },
    ],
    [
      "five of 20 newly failing are not",
      tasks("P".repeat(20)),
      tasks("P".repeat(15) + "F".repeat(5)),
      "5 of 20 tasks fail what always passed on main: `t16`, `t17`, `t18` and 2 more. Worse than main: score 0.75, 1.00 on main. A drop this large happens by chance in about 1 of 64 comparisons: red at 1 of 20 or rarer",
    ],
    [
      "one dead task is red though others rose, and named",
      [...runs("PPPPPP"), ...tasks("FFF", { suite: "other" })],
      [...runs("FFFFFF"), ...tasks("PPP", { suite: "other" })],
      "`demo · t1` passes no check any more, and passed on main. Worse than main in `demo`: score 0.00, 1.00 on main; in all, score 0.75, 0.25 on main",
    ],
    [
      "beside a task of main that is missing, an added one has nothing to excuse it",
      tasks("PPPPPPP"),
      [...tasks("PPPPPP"), ...runs("F", { task: "new" })],
      "main has no result of task `new` yet (new, renamed or moved), and it failed; 1 task of main is gone (`t7`). Not worse than main in all: score 1.00, as on main, over 6 of 7 tasks",
    ],
    [
      "beside a changed task, an added one has nothing to excuse it",
      tasks("PPPPPP"),
      [...tasks("PPPPP"), ...runs("P", { task: "t6", ...OTHER }), ...runs("F", { task: "new" })],
      "main has no result of task `new` yet (new, renamed or moved), and it failed. Not worse than main in all: score 1.00, as on main, over 5 of 7 tasks. `quality` in 1 of 6 tasks cannot be compared (not equal: the grader's prompt)",
    ],
    [
      "beside one that has no verdict on main, it decides nothing, but that one does",
      [...tasks("PPPPP"), ...runs("E", { task: "t6" })],
      [...tasks("PPPPPF"), ...runs("F", { task: "new" })],
      "`t6` fails and cannot be compared with main (no verdict on main: errored); `new` fails, which decides nothing: not on main yet in this form. Not worse than main in all: score 1.00, as on main, over 5 of 7 tasks",
    ],
    [
      "an added grader of a task of main has nothing to excuse it",
      tasks("PPPPPP"),
      [...tasks("PPPPPP"), ...runs("FFF", { grader: "style" })],
      "main has no result of `style` in `t1` yet, and it failed. Not worse than main in all: score 1.00, as on main, without `style`",
    ],
    [
      "on main itself, a drop is red beside it",
      tasks("PPPPPPP"),
      [...tasks("FFFFF"), ...runs("F", { task: "new" })],
      "all 5 tasks pass no check any more, and passed on main; 2 tasks of main are gone (`t6`, `t7`); `new` fails, which decides nothing: not on main yet in this form. Worse than main: score 0.00, 1.00 on main, over 5 of 6 tasks. A drop this large happens by chance in about 1 of 64 comparisons: red at 1 of 20 or rarer",
      { isOwn: true },
    ],
    [
      "a changed prompt excuses nothing",
      tasks("FP"),
      tasks("FF", OTHER),
      "`t1`, `t2` fail and cannot be compared with master (not equal: the grader's prompt). To compare all the same, grade the last runs of master with these evals (docs/gate.md#when-the-prompt-or-the-judge-changed)",
      { branch: "master" },
    ],
    [
      "another judge beside another prompt excuses nothing",
      tasks("PP", { basis: { ...BASIS, modelBy: "input" } }),
      tasks("FP", { basis: { ...BASIS, modelBy: "input", judgeModel: "b", promptSha256: "p2" } }),
      "`t1` fails and cannot be compared with main",
    ],
    [
      "another judge hides no drop of what can be compared",
      [...runs("PPP"), ...runs("P", { task: "t2", basis: { ...BASIS, modelBy: "input" } })],
      [...runs("FFF"), ...runs("F", { task: "t2", basis: { ...BASIS, modelBy: "input", judgeModel: "b" } })],
      "`t1` passes no check any more, and passed on main. Worse than main: score 0.00, 1.00 on main, over 1 of 2 tasks. A drop this large happens by chance in about 1 of 40 comparisons: red at 1 of 20 or rarer. `quality` in 1 of 2 tasks cannot be compared (not equal: the judge model (judge on main, b now))",
    ],
    [
      "beside an update, what can be compared decides",
      [...runs("PPP"), ...runs("P", { task: "t2" })],
      [...runs("FFF"), ...runs("F", { task: "t2", ...TEMPLATE })],
      "`t1` passes no check any more, and passed on main. Worse than main: score 0.00, 1.00 on main, over 1 of 2 tasks. A drop this large happens by chance in about 1 of 40 comparisons: red at 1 of 20 or rarer. `quality` in 1 of 2 tasks cannot be compared (this action was updated: template 2 on main, 3 now)",
    ],
    [
      "an update that changes the prompt, too, excuses nothing",
      tasks("FP"),
      tasks("FP", { basis: { ...BASIS, templateVersion: "3", promptSha256: "p2" } }),
      "`t1` fails and cannot be compared with main (not equal: the grader's prompt, the action's template (2 on main, 3 now))",
    ],
    [
      "errored in the baseline: nothing excuses the failure, and half of the suite is gone",
      [...runs("E"), ...runs("P", { task: "t2" })],
      runs("F"),
      "`t1` fails and cannot be compared with main (no verdict on main: errored); 1 task of main is gone (`t2`)",
    ],
  ]);
});

describe("under fail-on: regression passes", () => {
  cases("passed", [
    [
      "no baseline in the checkout, nothing failed",
      [],
      tasks("PP"),
      "there is no baseline",
      { inCheckout: true },
    ],
    [
      "a failure that the baseline has too is excused",
      tasks("PPPPPF"),
      tasks("PPPPPF"),
      "not worse than main: score 0.83, as on main. 1 task fails that never passed on main",
    ],
    ["one of 20 newly failing is noise", tasks("P".repeat(20)), tasks(`${"P".repeat(19)}F`)],
    ["one fall and one rise are green", tasks("PPPPPF"), tasks("FPPPPP")],
    ["one flip of three single runs is noise", tasks("PPP"), tasks("PPF")],
    [
      "three of four newly failing, against one run of each on main, may be chance",
      tasks("PPPP"),
      tasks("PFFF"),
    ],
    ["too few runs and no net fall", tasks("PPF"), tasks("FPP"), "not worse than main: score 0.67, as on"],
    [
      "an added task decides nothing",
      tasks("PPPPPP"),
      [...tasks("PPPPPP"), ...runs("FP", { task: "new" })],
      "not worse than main: score 1.00, as on main, over 6 of 7 tasks; `new` fails, which decides nothing: not on main yet in this form",
    ],
    [
      "nor does it beside a drop that chance may explain",
      tasks("PPPPPPPP"),
      [...tasks("PPPPPPPF"), ...runs("FF", { task: "new" })],
      "score 0.88, 1.00 on main, over 8 of 9 tasks: chance may explain it; `t8` fails what always passed on main; `new` fails, which decides nothing: not on main yet in this form. A drop this large happens by chance in about 1 of 4 comparisons: red at 1 of 20 or rarer",
    ],
    [
      "a task that only older files of main have is not missing",
      [...tasks("PPPPPP", { time: 2 }), ...runs("P", { task: "retired", time: 1 })],
      [...tasks("PPPPPP"), ...runs("F", { task: "new" })],
      "not worse than main: score 1.00, as on main, over 6 of 7 tasks; `new` fails, which decides nothing: not on main yet in this form",
    ],
    [
      "an added task without a check is left to the rule of silent judges",
      tasks("PPPPPP"),
      [...tasks("PPPPPP"), ...runs("F", { task: "new", checks: [] })],
      "not worse than main: score 1.00, as on main",
    ],
    [
      "on main itself, what its results do not have yet decides nothing: added, renamed, edited",
      tasks("PPPPPPP"),
      [...tasks("PPPPP"), ...runs("F", { task: "t6", ...OTHER }), ...runs("F", { task: "new" })],
      "not worse than main: score 1.00, as on main, over 5 of 7 tasks; 1 task of main is gone (`t7`); `new`, `t6` fail, which decides nothing: not on main yet in this form. `quality` in 1 of 6 tasks cannot be compared (not equal: the grader's prompt)",
      { isOwn: true },
    ],
    [
      "a new task that passes is green",
      tasks("PPPPPP"),
      [...tasks("PPPPPP"), ...runs("P", { task: "new" })],
      "not worse than main: ",
    ],
    [
      "a changed prompt that passes is green",
      tasks("FP"),
      tasks("PP", OTHER),
      "nothing can be compared with main",
    ],
    ["a base that is flaky is compared by its n of k", runs("PPF"), runs("PPF"), "not worse than main: "],
  ]);
});

describe("under fail-on: regression decides nothing", () => {
  cases("not-compared", [
    [
      "no baseline outside the checkout: failed grades decide nothing",
      [],
      tasks("PF"),
      "not compared: no baseline yet",
    ],
    [
      "a baseline in which nothing passes is none",
      tasks("FF"),
      tasks("FP"),
      "not compared: nothing passes on main",
    ],
    [
      "nor is one of grades without a check or a verdict",
      [...runs("E"), ...runs("F", { task: "t2", checks: [] })],
      tasks("FF"),
      "not compared: nothing passes on main",
    ],
    [
      "on main itself, nothing is compared where all is new",
      tasks("PP"),
      tasks("FP", OTHER),
      "`t1` fails, which decides nothing: not on main yet in this form. `quality` cannot be compared (not equal: the grader's prompt)",
      { isOwn: true },
    ],
    [
      "an update of this action alone decides nothing",
      tasks("FP"),
      tasks("FF", TEMPLATE),
      "not compared: this action was updated",
    ],
    [
      "nor does it where nothing failed",
      tasks("FP"),
      tasks("PP", TEMPLATE),
      "not compared: this action was updated",
    ],
  ]);
});

/** Who changed the judge decides: what a file of the repository says is its author's. */
describe("a failed grade under another judge", () => {
  const judge = (modelBy: Basis["modelBy"], judgeModel = "judge") => ({ modelBy, judgeModel });
  const effort = (effortBy: Basis["effortBy"], reasoningEffort: string) => ({ effortBy, reasoningEffort });
  test.each<[string, Partial<Basis>, Partial<Basis>, boolean]>([
    ["our default over our default", judge("default"), judge("default", "b"), true],
    ["our default where an input named it", judge("input"), judge("default", "b"), true],
    ["an input over our default", judge("default"), judge("input", "b"), true],
    ["an input over another input", judge("input"), judge("input", "b"), true],
    ["an input over the eval's", judge("eval"), judge("input", "b"), true],
    ["the eval's over our default", judge("default"), judge("eval", "b"), false],
    ["our default where the eval named one", judge("eval"), judge("default", "b"), false],
    ["a grader's own", judge("input"), judge("grader", "b"), false],
    ["an input where a grader named one", judge("grader"), judge("input", "b"), false],
    ["one that the baseline does not name", judge(undefined), judge("input", "b"), false],
    ["another effort of our default", effort("default", "low"), effort("default", "high"), true],
    ["an effort that the eval names", effort("default", "low"), effort("eval", "high"), false],
    ["an effort that an input names", effort("default", "low"), effort("input", "high"), true],
    ["an effort taken out of the eval", effort("eval", "high"), effort("default", "low"), false],
    [
      "the input's effort, that of the grader taken out",
      effort("grader", "high"),
      effort("input", "low"),
      false,
    ],
    ["an effort that the provider refused", { sentEffort: "high" }, { sentEffort: "none" }, true],
    ["another API", { sentApi: "chat" }, { sentApi: "responses" }, true],
  ])("%s: is it excused?", (_name, old, now, isExcused) => {
    const before = tasks("PP", { basis: { ...BASIS, ...old } });
    const comparison = compare(before, tasks("FP", { basis: { ...BASIS, ...now } }), { branch: "main" });
    const decision = decideRegression(comparison);
    expect(decision.state).toBe(isExcused ? "not-compared" : "red");
    expect(decision.sentences.join(". ")).toContain(
      isExcused ? "not compared: the " : "`t1` fails and cannot be compared with main",
    );
  });
});

test("lists of statements that fail on both sides drop by their scores", () => {
  const lists = (score: number) => tasks("FFFFFF").map((grade) => ({ ...grade, score }));
  const { sentences } = decideRegression(compare(lists(0.75), lists(0.25), { branch: "main" }));
  expect(sentences[0]).toBe("worse than main: score 0.25, 0.75 on main; `t1` fell most");
});

test("where a task always passed by one of its graders, that grader is named, with its own runs", () => {
  const both = (clear: string, right: string) => [
    ...runs(clear, { grader: "clear" }),
    ...runs(right, { grader: "right" }),
  ];
  const comparison = compare(both("PPPPP", "PPPPF"), both("F", "P"), { branch: "main" });
  expect(decideRegression(comparison).sentences.join(". ")).toContain(
    "`clear` fails in `t1`, and never failed there on main",
  );
});

describe("of several tasks that fell", () => {
  const task = (name: string, clear: string, right: string) => [
    ...runs(clear, { task: name, grader: "clear" }),
    ...runs(right, { task: name, grader: "right" }),
  ];
  const before = [
    ...["t1", "t2"].flatMap((name) => task(name, "PPPPP", "PPPPF")),
    ...task("t3", "PPPPF", "PPPPP"),
  ];
  const firstOf = (now: readonly Row[]) =>
    decideRegression(compare(before, now, { branch: "main" })).sentences.join(". ");

  test.each([
    [
      "the one grader that broke is named",
      [...task("t1", "F", "P"), ...task("t2", "F", "P"), ...task("t3", "P", "P")],
      "`clear` fails in 2 of 3 tasks, and never failed there on main",
    ],
    [
      "else the tasks are",
      [...task("t1", "P", "P"), ...task("t2", "F", "P"), ...task("t3", "P", "F")],
      "2 of 3 tasks fail by graders that never failed there on main: `t2`, `t3`",
    ],
  ])("%s", (_case, now, text) => {
    expect(firstOf(now)).toContain(text);
  });
});

test("a grader that broke everywhere is named, also where chance fails another in one of the tasks", () => {
  const task = (name: string, clear: string, right: string) => [
    ...runs(clear, { task: name, grader: "clear" }),
    ...runs(right, { task: name, grader: "right" }),
  ];
  const before = ["t1", "t2", "t3"].flatMap((name) => task(name, "PPPPP", "PPPPP"));
  const now = [...task("t1", "F", "F"), ...task("t2", "F", "P"), ...task("t3", "P", "P")];
  expect(decideRegression(compare(before, now, { branch: "main" })).sentences.join(". ")).toContain(
    "`clear` fails in 2 of 3 tasks, and never failed there on main",
  );
});

test("where all tasks have other names, the new ones are counted", () => {
  const comparison = compare(
    tasks("PPP"),
    tasks("PP").map((row) => ({ ...row, task: `new-${row.task}` })),
    {
      branch: "main",
    },
  );
  expect(decideRegression(comparison).sentences[0]).toContain("still here (2 new tasks came)");
});
