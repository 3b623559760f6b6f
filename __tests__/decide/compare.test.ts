/** Grades against those of a baseline: what pairs, what fell, and the sentence. */
import { describe, expect, test } from "@jest/globals";
import {
  type Comparison,
  bothSides,
  compare,
  failedBeside,
  newlyFailing,
  newlyPassing,
  verdictOf,
} from "../../src/decide/compare.ts";
import { agentChanges, blameOf } from "../../src/decide/what-now.ts";
import { comparisonSentence, decideRegression } from "../../src/decide/comparison-text.ts";
import type { Basis } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import { times } from "../support/factories.ts";
import { BASIS, graded, runs, tasks, ungraded } from "../support/rows.ts";

/** A judge that was answered by this model. */
const served = (servedBy: string) => ({ servedBy, fingerprint: "f", changes: [] });

const stillFailing = ({ pairs }: Comparison) => pairs.filter(({ change }) => change === "still-failing");

describe("the verdict", () => {
  function cases(verdict: ReturnType<typeof verdictOf>, table: [string, Row[], Row[], string][]): void {
    test.each(table)(`${verdict}: %s`, (_, before, now, sentence) => {
      const comparison = compare(before, now);
      expect(verdictOf(comparison)).toBe(verdict);
      expect(comparisonSentence(comparison)).toContain(sentence);
    });
  }

  cases("none", [
    ["no baseline", [], runs("P"), "Not compared: no baseline yet."],
    [
      "nothing in common",
      runs("P", { task: "old" }),
      runs("P"),
      "1 task of the baseline is gone (`old`), half of its evals or more, and its skill or folder is still here (1 new task came).",
    ],
    ["nothing passed before", runs("FF"), runs("PF"), "Not compared: nothing passes in the baseline."],
  ]);

  cases("unchanged", [
    [
      "a task that is gone from one of several suites",
      [...runs("P", { task: "old" }), ...runs("P"), ...runs("P", { suite: "other" })],
      [...runs("P"), ...runs("P", { suite: "other" })],
      "1 task of the baseline, in `demo`, is gone (`old`), half of its evals or more, and its skill or folder is still here. Not worse than the baseline in all: score 1.00",
    ],
    [
      "all as before",
      runs("PPF"),
      runs("FPP"),
      "Not worse than the baseline: score 0.67, as in the baseline. 1 task fails that passed at times in the baseline.",
    ],
    [
      "equal shares of other numbers of runs",
      runs("PF"),
      runs("PPFF"),
      "Not worse than the baseline: score 0.50, as in the baseline. 1 task fails that passed at times in the baseline.",
    ],
  ]);

  cases("fell", [
    [
      "three of three, then none",
      runs("PPP"),
      runs("FFF"),
      "`t1` passes no check any more, and passed in the baseline. Worse than the baseline: score 0.00, 1.00 in the baseline. A drop this large happens by chance in about 1 of 40 comparisons: red at 1 of 20 or rarer.",
    ],
    [
      "four single runs, all newly failing",
      tasks("PPPP"),
      tasks("FFFF"),
      "A drop this large happens by chance in about 1 of 32 comparisons: red at 1 of 20 or rarer.",
    ],
    [
      "more runs that differ than are counted",
      runs("PF".repeat(400)),
      runs("PFPFF".repeat(160)),
      "A drop this large happens by chance in fewer than 1 of 1,000 comparisons: red at 1 of 20 or rarer.",
    ],
    [
      "one task that died while others rose",
      [...runs("PPPPPP"), ...tasks("FFF").map((grade) => ({ ...grade, task: `o${grade.task}` }))],
      [...runs("FFFFFF"), ...tasks("PPP").map((grade) => ({ ...grade, task: `o${grade.task}` }))],
      "`t1` passes no check any more, and passed in the baseline. Not worse than the baseline in all: score 0.75, 0.25 in the baseline. A task that passed before and passes no check now is red at any score, where chance does not explain it.",
    ],
  ]);

  cases("within-noise", [
    [
      "one of four, then four of four",
      tasks("PFFF"),
      tasks("PPPP"),
      "Not worse than the baseline: score 1.00, 0.25 in the baseline.",
    ],
    [
      "three of three, then one",
      runs("PPP"),
      runs("PFF"),
      "Score 0.33, 1.00 in the baseline: chance may explain it; `t1` failed in some runs, and always passed in the baseline. A drop this large happens by chance in about 1 of 10 comparisons: red at 1 of 20 or rarer.",
    ],
    [
      "one fall and one rise in six single runs",
      tasks("PPPPPF"),
      tasks("FPPPPP"),
      "Not worse than the baseline: score 0.83, as in the baseline; `t1` fails what always passed in the baseline.",
    ],
    [
      "three single runs, one newly failing",
      tasks("PPP"),
      tasks("PPF"),
      "Score 0.67, 1.00 in the baseline: chance may explain it; `t3` fails what always passed in the baseline. A drop this large happens by chance in about 1 of 4 comparisons: red at 1 of 20 or rarer.",
    ],
    [
      "four single runs, three newly failing",
      tasks("PPPP"),
      tasks("PFFF"),
      "Score 0.25, 1.00 in the baseline: chance may explain it; 3 of 4 tasks fail what always passed in the baseline: `t2`, `t3`, `t4`. A drop this large happens by chance in about 1 of 16 comparisons: red at 1 of 20 or rarer.",
    ],
    [
      "a fall that whole percentages would hide",
      tasks("P".repeat(500)),
      tasks(`F${"P".repeat(499)}`),
      "Score 0.99, 1.00 in the baseline: chance may explain it; `t1` fails what always passed in the baseline. A drop this large happens by chance in about 1 of 4 comparisons: red at 1 of 20 or rarer.",
    ],
  ]);
});

test("a baseline without comparable grades still names its source", () => {
  const comparison = compare([], runs("P"), { branch: "main" });
  expect(verdictOf(comparison)).toBe("none");
  expect(comparisonSentence(comparison)).toContain("Nothing can be compared with main.");
});

describe("pairs", () => {
  test.each<[keyof Basis, Partial<Basis>, string]>([
    ["promptSha256", { promptSha256: "p2" }, "not equal: the grader's prompt"],
    ["rubricSha256", { rubricSha256: "r1" }, "not equal: the rubric"],
    [
      "continueSession",
      { continueSession: true },
      "not equal: `continue_session` (false in the baseline, true now)",
    ],
    ["inputsSha256", { inputsSha256: "i2" }, "not equal: the task's inputs"],
    ["judgeModel", { judgeModel: "other" }, "not equal: the judge model (judge in the baseline, other now)"],
    ["sentApi", { sentApi: "responses" }, "not equal: the API (chat in the baseline, responses now)"],
    ["sentModel", { sentModel: "b" }, "not equal: the model name in requests (a in the baseline, b now)"],
    [
      "voting",
      { voting: "judge-votes: 1" },
      "not equal: the voting (confirm-on-fail: 2 in the baseline, judge-votes: 1 now)",
    ],
    [
      "reasoningEffort",
      { reasoningEffort: "high" },
      "not equal: the reasoning effort (none in the baseline, high now)",
    ],
    [
      "templateVersion",
      { templateVersion: "3" },
      "this action was updated: template 2 in the baseline, 3 now",
    ],
    [
      "templateVersion",
      { templateVersion: "3", promptSha256: "p2" },
      "not equal: the grader's prompt, the action's template (2 in the baseline, 3 now)",
    ],
  ])("are not made where the %s differs", (_, change, reason) => {
    const whole = { ...BASIS, sentModel: "a", sentApi: "chat" as const, voting: "confirm-on-fail: 2" };
    const comparison = compare(runs("P", { basis: whole }), runs("F", { basis: { ...whole, ...change } }));
    expect(comparison.pairs).toEqual([]);
    expect(comparison.notComparable).toMatchObject([{ task: "t1", grader: "quality", reason }]);
    const isExcused = /^this action was updated|^not equal: the (?:model name|API|voting)/.test(reason);
    const { unexcused, outdated } = failedBeside(comparison);
    expect([unexcused.length, outdated.length]).toEqual(isExcused ? [0, 1] : [1, 0]);
    const sentence = isExcused ? /^Not compared: /u : / `quality` cannot be compared \(/u;
    expect(comparisonSentence(comparison)).toMatch(sentence);
  });

  test("are not made with verdicts of waza's own judge, whatever else differs", () => {
    const basis = { ...BASIS, templateVersion: "waza", judgeModel: "other" };
    const comparison = compare(runs("P", { basis }), runs("F"));
    const reason = "waza's own judge gave the verdicts in the baseline";
    expect(comparison.notComparable).toMatchObject([{ reason }]);
    expect(failedBeside(comparison).unexcused).toHaveLength(1);
  });

  test("count a run once in whatever record it is, by its newest grading", () => {
    const one = (file: string, time: number, runId: string | undefined, passed: boolean, run = 1) =>
      graded({ file, time, runId, passed, run });
    // The same run, graded three times; the newest grading failed it.
    const gradings = [one("a", 1, "x", true), one("b", 3, "x", false), one("c", 2, "x", true)];
    // Runs that nothing tells apart but their records are several.
    const unknown = [one("d", 1, undefined, true, 2), one("e", 5, undefined, true, 2)];
    expect(compare([...gradings, ...unknown], runs("P")).pairs).toMatchObject([
      { baseline: { passes: 2, runs: 3 } },
    ]);
  });

  test("take no grade without a check, on either side", () => {
    const dead = { settled: true, checks: [] } as const;
    const comparison = compare(
      [...runs("P"), ...runs("FF", { ...dead, task: "t2" })],
      [...runs("F", { checks: [] }), ...runs("F", { task: "t2" })],
    );
    expect(comparison.notComparable).toMatchObject([
      { task: "t1", reason: "no verdict now: the judge reported no check" },
      { task: "t2", reason: "no verdict in the baseline: the agent never got to work" },
    ]);
    expect(failedBeside(comparison).unexcused).toHaveLength(2);
  });

  test.each<[string, Row[], Row[], string]>([
    [
      "the baseline does not say how it was graded",
      runs("P", { basis: undefined }),
      runs("F"),
      "the baseline does not say how it was graded",
    ],
    [
      "the runs of now were graded in two ways",
      runs("F"),
      [graded(), graded({ run: 2, basis: { ...BASIS, judgeModel: "other" } })],
      "the runs were not all graded in the same way",
    ],
    ["all errored in the baseline", runs("EE"), runs("F"), "no verdict in the baseline: errored"],
    ["the run is missing now", runs("P"), [ungraded("missing", { run: 0 })], "no verdict now: missing"],
  ])("are not made where %s", (_, before, now, reason) => {
    const { pairs, notComparable } = compare(before, now);
    expect(pairs).toEqual([]);
    expect(notComparable).toMatchObject([{ reason }]);
  });

  test("use only the grades with the current basis", () => {
    const older = runs("FF", { file: "older.json", basis: { ...BASIS, promptSha256: "p0" } });
    const comparison = compare([...older, ...runs("PP", { file: "newer.json" })], runs("PP"));
    expect(comparison.pairs).toMatchObject([{ baseline: { passes: 2, runs: 2 } }]);
  });

  test.each<[string, readonly Row[], readonly Row[], number]>([
    [
      "names that meet",
      runs("P", { judge: served("a") }),
      [...runs("P", { judge: served("b") }), ...runs("P", { judge: served("a") })],
      1,
    ],
    [
      "names with and without a date",
      runs("P", { judge: served("models/g-2026-01-01") }),
      runs("P", { judge: served("g") }),
      1,
    ],
    ["a side that names none", runs("P"), runs("P", { judge: served("b") }), 1],
    ["other names", runs("P", { judge: served("a") }), runs("P", { judge: served("b") }), 0],
    [
      "other names, where the files of the baseline disagree",
      [...runs("P", { judge: served("a"), file: "1" }), ...runs("P", { judge: served("c"), file: "2" })],
      runs("P", { judge: served("b") }),
      1,
    ],
  ])("of %s", (_case, before, now, pairs) => {
    const comparison = compare(before, now);
    expect(comparison.pairs).toHaveLength(pairs);
    if (pairs === 0)
      expect(comparison.notComparable).toMatchObject([
        { excused: "the judge was answered by a in the baseline and is by b now" },
      ]);
  });

  test("name another version of the agent's client, and only where both sides say theirs", () => {
    const by = (version?: string) => runs("P", { client: { calls: 0, version } });
    const said = (before?: string, now?: string) => agentChanges(compare(by(before), by(now)));
    const [change] = said("2.1.190", "2.1.197");
    expect(change).toBe("the agent's client was `2.1.190` in the baseline and is `2.1.197` now");
    for (const other of [said("2.1.197", "2.1.197"), said(undefined, "2.1.197")]) expect(other).toEqual([]);
  });

  const task = (name: string, letters: string, client?: string) =>
    runs(letters, { task: name, client: client === undefined ? undefined : { calls: 0, version: client } });
  const MAIN = { branch: "main" };
  test.each<[string, Parameters<typeof compare>, string | undefined]>([
    [
      "that fails as well",
      [[...task("a", "FF"), ...task("b", "P")], [...task("a", "F"), ...task("b", "P")], MAIN],
      "No: main fails it, too.",
    ],
    [
      "that fails at times",
      [task("a", "PF"), task("a", "F"), MAIN],
      "Not known: main fails it at times, too.",
    ],
    [
      "by another client",
      [[...task("a", "P", "1"), ...task("b", "PF")], [...task("a", "F", "2"), ...task("b", "F")], MAIN],
      "Not known: the agent's client was `1` on main and is `2` now. 1 other task failed on main, too.",
    ],
    [
      "that is the same",
      [task("a", "P", "1"), task("a", "F", "1"), MAIN],
      "Nothing else that is recorded has changed: judge, evals and the agent's model and client are those of main.",
    ],
    [
      "without the agent's version",
      [task("a", "P"), task("a", "F"), MAIN],
      "Nothing else that is recorded has changed: judge, evals and the agent's model are those of main; the agent's client is not recorded.",
    ],
    [
      "with fewer evals",
      [[...task("a", "P", "1"), ...task("b", "P", "1")], task("a", "F", "1"), MAIN],
      "Nothing else that is recorded has changed: judge, the evals that are compared and the agent's model and client are those of main.",
    ],
    ["where nothing fails", [task("a", "F"), task("a", "P"), MAIN], ""],
  ])("are asked whether it is this change, beside main %s", (_case, of, text) => {
    expect(blameOf(compare(...of)).join(" ")).toBe(text);
  });

  test("ignore how an asked judge was sent what an unasked was not, and a change of the only agent model", () => {
    const basis = { ...BASIS, sentApi: "chat" as const, sentEffort: "low" };
    const comparison = compare(
      runs("P", { model: "old", judge: served("judge-2025-01-01") }),
      runs("P", { model: "new", basis, judge: served("judge-2026-01-01") }),
    );
    expect(verdictOf(comparison)).toBe("unchanged");
    expect(comparison).toMatchObject({ added: [], removed: [] });
    expect(agentChanges(comparison)).toEqual([
      "the agent's model was `old` in the baseline and is `new` now",
    ]);
  });

  test.each<[string, readonly Row[], readonly Row[], string]>([
    [
      "that fails decides nothing",
      runs("P", { model: "a" }),
      [...runs("P", { model: "a" }), ...runs("F", { model: "b" })],
      "`t1` fails, which decides nothing: the model `b` is not in the baseline yet",
    ],
    [
      "that passes is named",
      runs("P", { model: "a" }),
      [...runs("P", { model: "a" }), ...runs("P", { model: "b" })],
      "score 1.00, as in the baseline, without the new model `b`",
    ],
    [
      "where one of two is gone has nothing to excuse it",
      [...runs("P", { model: "a" }), ...runs("P", { model: "c" })],
      [...runs("P", { model: "a" }), ...runs("F", { model: "b" })],
      "no result of the model `b`",
    ],
  ])("of a new model of the agent beside the baseline's %s", (_, before, now, text) => {
    const { sentences } = decideRegression(compare(before, now));
    expect(sentences.join(". ")).toContain(text);
  });

  test("of a newer snapshot of the agent's model are of that model, in some of the tasks or in all", () => {
    const model = "m-20260101";
    const before = [...tasks("PPP", { model, file: "1" }), ...tasks("PPF", { model, file: "2" })];
    const now = [...tasks("PP", { model }), ...runs("F", { task: "t3", model: "m-20260701" })];
    expect(compare(before, now)).toMatchObject({ pairs: [{}, {}, { task: "t3" }], added: [], removed: [] });
    // What was asked for counts, where it is known.
    const asked = ["m-0", "m-1"].flatMap((model) => runs("P", { task: model, model, modelAsked: "m" }));
    expect(compare(asked, asked).added).toEqual([]);
  });

  test("ignore a change of a suite's only agent model, also beside another suite or after several models", () => {
    const before = [
      graded({ model: "a" }),
      graded({ model: "b", file: "2" }),
      graded({ suite: "other", model: "b" }),
    ];
    const now = [graded({ model: "c" }), graded({ suite: "other", model: "b" })];
    expect(compare(before, now)).toMatchObject({
      pairs: [{ model: "c", baseline: { runs: 2 } }, { suite: "other" }],
      added: [],
      removed: [],
    });
  });

  test("of results that name a model and of others that do not are one, and all their failures are excused", () => {
    const both = [graded({ model: "m" }), graded({ model: "", file: "b", passed: false })];
    const comparison = compare(both, both);
    expect([verdictOf(comparison), failedBeside(comparison).unexcused]).toEqual(["unchanged", []]);
  });

  test("stand for one suite, task, agent model and grader; the rest is added or removed", () => {
    const { pairs, added, removed } = compare(
      [graded(), graded({ model: "small" }), graded({ grader: "style" }), graded({ suite: "old" })],
      [graded(), graded({ model: "large" }), graded({ task: "t2" })],
    );
    expect(pairs).toHaveLength(1);
    expect(added).toMatchObject([{ model: "large" }, { task: "t2" }]);
    expect(removed).toMatchObject([{ model: "small" }, { grader: "style" }, { suite: "old" }]);
  });

  test("do not mind a property that is undefined on one side and absent on the other", () => {
    const basis = { ...BASIS, rubricSha256: undefined, reasoningEffort: undefined };
    expect(compare(runs("P"), runs("P", { basis })).pairs).toHaveLength(1);
  });

  test("show the n of k of both sides and the grades that explain the change", () => {
    const [fell] = newlyFailing(compare(runs("PPP"), runs("PFE")));
    expect(fell).toMatchObject({
      baseline: { passes: 3, runs: 3, example: { run: 1, state: "passed" } },
      current: { passes: 1, runs: 2, example: { run: 2, state: "failed" } },
    });
    const [rose] = newlyPassing(compare([...runs("FFF"), ...runs("P", { task: "t2" })], runs("FPP")));
    expect(rose).toMatchObject({
      baseline: { example: { run: 1 } },
      current: { example: { run: 2, state: "passed" } },
    });
    // A flaky grader is neither: it fails on both sides.
    const flaky = compare(runs("FPP"), runs("FFP"));
    expect([newlyFailing(flaky), stillFailing(flaky)]).toMatchObject([[], [{ task: "t1" }]]);
    const mended = compare(runs("FPP"), runs("PPP"));
    expect([newlyPassing(mended), stillFailing(mended)]).toEqual([[], []]);
    const [still] = stillFailing(compare(runs("PF"), runs("PF")));
    expect(still).toMatchObject({
      baseline: { example: { state: "failed" } },
      current: { example: { state: "failed" } },
    });
  });

  test("are golden when the task is marked on either side, and stay so when it is removed", () => {
    const marked = [graded({ golden: true })];
    expect(compare(marked, [graded()]).pairs).toMatchObject([{ golden: true }]);
    expect(compare([graded()], marked).pairs).toMatchObject([{ golden: true }]);
    expect(compare(marked, []).removed).toMatchObject([{ golden: true }]);
  });
});

describe("the test's runs", () => {
  test("are worth the graders that passed: two graders that fail in turn leave one each", () => {
    const before = [...runs("PPP"), ...runs("PPP", { grader: "style" })];
    const now = [...runs("PFF"), ...runs("FPP", { grader: "style" })];
    expect(compare(before, now).test.p).toBeCloseTo(0.025, 9);
  });

  test("show the fall of one grader beside another that often fails", () => {
    const both = (quality: string) => [
      ...tasks(quality),
      ...tasks("FFPFFPFFPFFPFFPFFPFF", { grader: "style" }),
    ];
    const comparison = compare(both("P".repeat(20)), both("PPPFPPFPPFPPFPPFPPFP"));
    expect(comparison.test.p).toBeCloseTo(0.0078125, 9);
  });

  test("do not count a grader that cannot be compared", () => {
    const other = { grader: "style", basis: { ...BASIS, promptSha256: "p2" } };
    const comparison = compare(
      [...runs("PPP"), ...runs("PPP", { grader: "style" })],
      [...runs("PPP"), ...runs("FFF", other)],
    );
    expect(verdictOf(comparison)).toBe("unchanged");
    expect(failedBeside(comparison).unexcused).toHaveLength(3);
  });

  test("of one grader count where another errored or was edited: its runs are a stratum", () => {
    const before = [...runs("PPP"), ...runs("PPP", { grader: "style" })];
    // 3 of 3, then 0 of 3, beside a grader that never changes.
    const errored = compare(before, [...runs("FFF"), ...runs("EPP", { grader: "style" })]);
    expect(errored.test.p).toBeCloseTo(0.025, 9);
    // Main's last push edited the prompt of `style`: five files hold `quality`, one `style` as it is now.
    const main = times(5, (time) => {
      const basis = { ...BASIS, promptSha256: time === 4 ? "p1" : "p0" };
      const at = { file: String(time), time };
      return [...tasks("PPPPPP", at), ...tasks("PPPPPP", { ...at, grader: "style", basis })];
    }).flat();
    const edited = compare(main, [...tasks("FFFPPP"), ...tasks("PPPPPP", { grader: "style" })]);
    // Three tasks of which one of six runs failed, by chance this one: 1/216, halved.
    expect(edited.test.p).toBeCloseTo(1 / 432, 9);
  });

  test("of one number in two files are two runs", () => {
    const both = (letters: string) =>
      Array.from(letters).flatMap((letter, index) => runs(letter, { file: `${String(index)}.json` }));
    expect(compare(both("PPP"), both("FFF")).test.p).toBeCloseTo(0.025, 9);
  });

  test("see what falls beside a grader that never passed", () => {
    const never = runs("FFF", { grader: "style" });
    const comparison = compare([...runs("PPP"), ...never], [...runs("FFF"), ...never]);
    expect(verdictOf(comparison)).toBe("fell");
    expect(stillFailing(comparison)).toMatchObject([{ grader: "style" }]);
  });
});

describe("a run is worth its score", () => {
  test("with weights at both ends of what a number holds", () => {
    const [least, most] = [5e-324, 1.7e308];
    const weighed = (a: string, b: string, c: string) => [
      ...runs(a, { weight: least, task: "a" }),
      ...runs(b, { weight: most, task: "b" }),
      ...runs(c, { weight: least, task: "b", grader: "h" }),
    ];
    const { test } = compare(weighed("PPF", "PPF", "PFP"), weighed("FFF", "FFP", "FFP"));
    expect(test.drop).toBeCloseTo(50);
    expect(test.p).toBeGreaterThan(0);
  });

  /** An eval of a skill for each score, each a list of four statements. */
  const evals = (scores: readonly number[]) =>
    scores.map((score, index) =>
      graded({ task: `e${String(index)}`, grader: "assertions", score, passed: score === 1 }),
    );
  const six = (score: number) => times(6, () => score);
  const main = evals([...six(1), ...six(0.75)]);

  test.each([
    ["six evals that missed one statement now fail every one", [...six(1), ...six(0)], "fell"],
    ["one eval is mended and five die", [...six(1), 1, 0, 0, 0, 0, 0], "fell"],
    ["nothing changes", [...six(1), ...six(0.75)], "unchanged"],
    ["one more statement fails", [...six(1).slice(1), 0.75, ...six(0.75)], "within-noise"],
    ["every eval loses one statement", [...six(0.75), ...six(0.5)], "fell"],
  ] as const)("%s", (_, scores, verdict) => {
    expect(verdictOf(compare(main, evals(scores)))).toBe(verdict);
  });

  test("evals that each hold one statement that never passes are a baseline", () => {
    const never = evals(six(0.75));
    expect(verdictOf(compare(never, never))).toBe("unchanged");
    expect(verdictOf(compare(never, evals(six(0.5))))).toBe("fell");
  });

  test("nothing passes where no check passes", () => {
    expect(compare(evals(six(0)), evals(six(1))).source.absent).toBe("nothing-passes");
  });

  test("by the weights of main: a pull request cannot weigh its failures away, and the page says so", () => {
    const both = (letters: string, quality: number, easy: number) => [
      ...tasks(letters, { weight: quality }),
      ...tasks("PPPPPPPP", { grader: "easy", weight: easy }),
    ];
    const main = both("PPPPPPPP", 1, 1);
    for (const [quality, easy] of [
      [1, 1],
      [1, 1000],
      [0.0001, 1],
    ] as const)
      expect(compare(main, both("FFFFFFFF", quality, easy)).test).toMatchObject({ drop: 50, p: 1 / 512 });
    expect(comparisonSentence(compare(main, both("FFFFFFFF", 1, 1000)))).toContain(
      "Compared by the weights in the baseline: that of `easy` is 1000 now, and was 1.",
    );
  });
});

describe("the figures", () => {
  test("are over the comparable part, by the weights of the baseline", () => {
    const before = [
      graded({ score: 1, weight: 3 }),
      graded({ grader: "style", score: 0.5, passed: false, weight: 1 }),
      graded({ task: "gone", score: 0, passed: false }),
    ];
    const now = [
      graded({ score: 0.5, passed: false, weight: 1 }),
      graded({ grader: "style", score: 1, weight: 1 }),
      graded({ task: "new", score: 0, passed: false }),
    ];
    const { pairs, test } = compare(before, now);
    const score = bothSides(pairs);
    expect(score?.baseline).toBeCloseTo((3 * 1 + 0.5) / 4, 12);
    expect(score?.current).toBeCloseTo((3 * 0.5 + 1) / 4, 12);
    expect(test.drop).toBeCloseTo(100 * (3.5 / 4 - 2.5 / 4), 12);
  });

  test("take the mean of tasks, not of graders or runs", () => {
    const before = [...runs("PPPP"), ...runs("F", { task: "t2" })];
    const now = [...runs("PPFF"), ...runs("P", { task: "t2" })];
    const { pairs, test } = compare(before, now);
    expect(bothSides(pairs)).toEqual({ baseline: 0.5, current: 0.75 });
    expect(test.drop).toBe(-25);
  });
});
