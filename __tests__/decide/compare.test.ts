/** Grades against those of a baseline: what pairs, what fell, and the sentence. */
import { describe, expect, test } from "@jest/globals";
import { runsOfTasks } from "../../src/decide/chance.ts";
import { compare } from "../../src/decide/compare.ts";
import { comparisonSentence } from "../../src/decide/comparison-text.ts";
import type { Basis } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import { BASIS, graded, runs, tasks, ungraded } from "../support/rows.ts";

/** A judge that was answered by this model. */
const served = (servedBy: string) => ({ servedBy, fingerprint: "f", changes: [] });

describe("the verdict", () => {
  test.each<[string, Row[], Row[], string, string]>([
    ["no baseline", [], runs("P"), "none", "Not compared: no baseline yet."],
    [
      "nothing in common",
      runs("P", { task: "old" }),
      runs("P"),
      "none",
      "Nothing can be compared with the baseline. Graders not compared: 1 only in the baseline, 1 not in the baseline.",
    ],
    [
      "all as before",
      runs("PPF"),
      runs("FPP"),
      "unchanged",
      "Not worse than the baseline: score 0.67, as in the baseline. 1 grade fails; it fails in the baseline, too.",
    ],
    [
      "equal shares of other numbers of runs",
      runs("PF"),
      runs("PPFF"),
      "unchanged",
      "Not worse than the baseline: score 0.50, as in the baseline. 2 grades fail; all of them fail in the baseline, too.",
    ],
    [
      "three of three, then none",
      runs("PPP"),
      runs("FFF"),
      "fell",
      "Worse than the baseline: score 0.00, 1.00 in the baseline. A drop this large happens by chance in about 1 of 40 comparisons: red from 1 of 20 on. Largest drop: t1, quality (3 of 3 in the baseline, 0 of 3 now).",
    ],
    [
      "one of four, then four of four",
      tasks("PFFF"),
      tasks("PPPP"),
      "too-few-runs",
      "Not worse than the baseline: score 1.00, 0.25 in the baseline. The score is only 0.25 in the baseline: chance explains any drop here. Look at the baseline first.",
    ],
    [
      "six of eight, then eight of eight",
      tasks("PPPPPPFF"),
      tasks("PPPPPPPP"),
      "within-noise",
      "Not worse than the baseline: score 1.00, 0.75 in the baseline.",
    ],
    [
      "five newly passing",
      tasks("PFFFFF"),
      tasks("PPPPPP"),
      "rose",
      "Better than the baseline: score 1.00, 0.17 in the baseline.",
    ],
    [
      "three of three, then one",
      runs("PPP"),
      runs("PFF"),
      "fell",
      "score 0.33, 1.00 in the baseline. A drop this large happens by chance in about 1 of 10 comparisons, but more than 34 points always fail.",
    ],
    [
      "one fall and one rise in six single runs",
      tasks("PPPPPF"),
      tasks("FPPPPP"),
      "within-noise",
      "Not worse than the baseline: score 0.83, as in the baseline. 1 grade fails.",
    ],
    [
      "three single runs, one newly failing",
      tasks("PPP"),
      tasks("PPF"),
      "within-noise",
      "Score 0.67, 1.00 in the baseline: chance may explain it. A drop this large happens by chance in about 1 of 4 comparisons. 1 more failure would be red. Largest drop: t3, quality (1 of 1 in the baseline, 0 of 1 now). 1 grade fails.",
    ],
    [
      "four single runs, all newly failing",
      tasks("PPPP"),
      tasks("FFFF"),
      "fell",
      "A drop this large happens by chance in about 1 of 32 comparisons: red from 1 of 20 on.",
    ],
    [
      "more runs that differ than are counted",
      runs("PF".repeat(400)),
      runs("PFPFF".repeat(160)),
      "fell",
      "now). The chance test is a normal approximation, because too many runs differ from their task's most frequent result.",
    ],
    [
      "four single runs, three newly failing: chance is not ruled out, and it is not called noise",
      tasks("PPPP"),
      tasks("PFFF"),
      "fell",
      "Worse than the baseline: score 0.25, 1.00 in the baseline. A drop this large happens by chance in about 1 of 16 comparisons, but more than 34 points always fail. Largest drop: t2, quality",
    ],
    [
      "one task that died while others rose",
      [...runs("PPPPPP"), ...tasks("FFF").map((grade) => ({ ...grade, task: `o${grade.task}` }))],
      [...runs("FFFFFF"), ...tasks("PPP").map((grade) => ({ ...grade, task: `o${grade.task}` }))],
      "fell",
      "Worse than the baseline in t1 (agent): score 0.00, 1.00 in the baseline. Some task drops this far by chance in fewer than 1 of 1,000 comparisons: red from 1 of 100 on. In all, score 0.75, 0.25 in the baseline.",
    ],
    [
      "nothing passed before",
      runs("FF"),
      runs("PF"),
      "none",
      "Not compared: nothing passes in the baseline.",
    ],
    [
      "all failing, 33.3 points and p .05006: nothing at all passes now",
      Array.from("PFF", (letter, file) => tasks(letter.repeat(8), { file: String(file) })).flat(),
      tasks("FFFFFFFF"),
      "fell",
      "A drop this large happens by chance in about 1 of 19 comparisons: red from 1 of 10 on, since nothing passes now.",
    ],
    [
      "a fall that whole percentages would hide",
      tasks("P".repeat(500)),
      tasks(`F${"P".repeat(499)}`),
      "within-noise",
      "Score 0.99, 1.00 in the baseline: chance may explain it. A drop this large happens by chance in",
    ],
  ])("%s", (_, before, now, verdict, sentence) => {
    const comparison = compare(before, now);
    expect(comparison.verdict).toBe(verdict);
    expect(comparisonSentence(comparison)).toContain(sentence);
  });
});

test("a baseline without comparable grades still names its source", () => {
  const comparison = compare([], runs("P"), { branch: "main" });
  expect(comparison).toMatchObject({ verdict: "none", source: { branch: "main" } });
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
      "not equal: how votes count (confirm-on-fail: 2 in the baseline, judge-votes: 1 now)",
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
    const isExcused = /^this action was updated|^not equal: the (?:model name|API)/.test(reason);
    expect(comparison.unexcused).toHaveLength(isExcused ? 0 : 1);
    expect(comparison.outdated).toHaveLength(isExcused ? 1 : 0);
    const way = isExcused ? "They are compared again once" : "To compare all the same, ";
    expect(comparisonSentence(comparison)).toContain(
      `Graders not compared: 1 not comparable (${reason}). ${way}`,
    );
  });

  test("are not made with verdicts of waza's own judge, whatever else differs", () => {
    const basis = { ...BASIS, templateVersion: "waza", judgeModel: "other" };
    const { notComparable, unexcused } = compare(runs("P", { basis }), runs("F"));
    expect(notComparable).toMatchObject([{ reason: "waza's own judge gave the verdicts in the baseline" }]);
    expect(unexcused).toHaveLength(1);
  });

  test("count equal evidence as often as the file with most of it, each by its newest grading", () => {
    const one = (file: string, time: number, evidence: string, passed: boolean, run = 1) =>
      graded({ file, time, evidenceSha256: evidence, passed, run });
    // The same run, graded three times; the newest grading failed it.
    const gradings = [one("a", 1, "x", true), one("b", 3, "x", false), one("c", 2, "x", true)];
    // Three runs of one file that answered alike, and one of them in another file.
    const alike = [one("d", 1, "y", true, 2), one("d", 1, "y", true, 3), one("e", 5, "y", false, 2)];
    const comparison = compare([...gradings, ...alike], runs("P"));
    expect(comparison.pairs).toMatchObject([{ baseline: { passes: 1, runs: 3 }, repeated: 3 }]);
    expect(comparisonSentence(comparison)).toContain(
      "3 grades of the baseline left out: other files have the same runs.",
    );
  });

  test("take no grade without a check, on either side", () => {
    const dead = { settled: true, checks: [] } as const;
    const { notComparable, unexcused } = compare(
      [...runs("P"), ...runs("FF", { ...dead, task: "t2" })],
      [...runs("F", { checks: [] }), ...runs("F", { task: "t2" })],
    );
    expect(notComparable).toMatchObject([
      { task: "t1", reason: "no verdict now: the judge reported no check" },
      { task: "t2", reason: "no verdict in the baseline: the agent never got to work" },
    ]);
    expect(unexcused).toHaveLength(2);
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

  test("use only the grades with the current basis, and report the others", () => {
    const older = runs("FF", { file: "older.json", basis: { ...BASIS, promptSha256: "p0" } });
    const comparison = compare([...older, ...runs("PP", { file: "newer.json" })], runs("PP"));
    expect(comparison.pairs).toMatchObject([{ baseline: { passes: 2, runs: 2 }, leftOut: 2 }]);
    expect(comparisonSentence(comparison)).toContain(
      "2 grades of the baseline left out, graded in another way",
    );
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

  test("ignore how an asked judge was sent what an unasked was not, and a change of the only agent model", () => {
    const basis = { ...BASIS, sentApi: "chat" as const, sentEffort: "low" };
    const comparison = compare(
      runs("P", { model: "old", judge: served("judge-2025-01-01") }),
      runs("P", { model: "new", basis, judge: served("judge-2026-01-01") }),
    );
    expect(comparison).toMatchObject({ verdict: "unchanged", added: [], removed: [] });
    expect(comparisonSentence(comparison)).toContain(
      "The agent's model was `old` in the baseline and is `new` now. The API named the judge `judge-2025-01-01` in the baseline and `judge-2026-01-01` now.",
    );
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
    expect(compare(both, both)).toMatchObject({ verdict: "unchanged", unexcused: [] });
  });

  test("have a detectable drop by the side with fewer runs", () => {
    expect(compare(runs("PPPPP"), runs("PF")).detectable).toMatchObject({ tasks: 1, runs: 2 });
    expect(compare(runs("PF"), runs("PPPPP")).detectable).toMatchObject({ tasks: 1, runs: 2 });
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
    const [fell] = compare(runs("PPP"), runs("PFE")).newlyFailing;
    expect(fell).toMatchObject({
      baseline: { passes: 3, runs: 3, example: { run: 1, state: "passed" } },
      current: { passes: 1, runs: 2, example: { run: 2, state: "failed" } },
    });
    const [rose] = compare([...runs("FFF"), ...runs("P", { task: "t2" })], runs("FPP")).newlyPassing;
    expect(rose).toMatchObject({
      baseline: { example: { run: 1 } },
      current: { example: { run: 2, state: "passed" } },
    });
    // A flaky grader is neither: it fails on both sides.
    const flaky = compare(runs("FPP"), runs("FFP"));
    expect(flaky).toMatchObject({
      newlyFailing: [],
      stillFailing: [{ task: "t1" }],
      dropped: [{ task: "t1" }],
    });
    expect(compare(runs("FPP"), runs("PPP"))).toMatchObject({ newlyPassing: [], stillFailing: [] });
    const [still] = compare(runs("PF"), runs("PF")).stillFailing;
    expect(still).toMatchObject({
      baseline: { example: { state: "failed" } },
      current: { example: { state: "failed" } },
    });
  });

  test.each<[string, true | undefined, true | undefined]>([
    ["the baseline", true, undefined],
    ["now", undefined, true],
  ])("are golden when the task is marked in %s", (_, before, now) => {
    expect(compare([graded({ golden: before })], [graded({ golden: now })]).pairs).toMatchObject([
      { golden: true },
    ]);
  });

  test("that are removed stay golden", () => {
    expect(compare([graded({ golden: true })], []).removed).toMatchObject([{ golden: true }]);
  });
});

describe("the test's runs", () => {
  test("are worth the graders that passed: two graders that fail in turn leave one each", () => {
    const before = [...runs("PPP"), ...runs("PPP", { grader: "style" })];
    const now = [...runs("PFF"), ...runs("FPP", { grader: "style" })];
    expect(compare(before, now)).toMatchObject({ verdict: "fell", p: { drop: expect.closeTo(0.025, 9) } });
  });

  test("show the fall of one grader beside another that often fails", () => {
    const both = (quality: string) => [
      ...tasks(quality),
      ...tasks("FFPFFPFFPFFPFFPFFPFF", { grader: "style" }),
    ];
    const comparison = compare(both("P".repeat(20)), both("PPPFPPFPPFPPFPPFPPFP"));
    expect(comparison).toMatchObject({ verdict: "fell", p: { drop: expect.closeTo(0.0078125, 9) } });
  });

  test("do not count a grader that cannot be compared", () => {
    const other = { grader: "style", basis: { ...BASIS, promptSha256: "p2" } };
    const comparison = compare(
      [...runs("PPP"), ...runs("PPP", { grader: "style" })],
      [...runs("PPP"), ...runs("FFF", other)],
    );
    expect(comparison).toMatchObject({ verdict: "unchanged", runsLeftOut: 0 });
    expect(comparison.unexcused).toHaveLength(3);
  });

  test("leave out the one in which a comparable grader errored, which keeps its own n of k", () => {
    const before = [...runs("PPP"), ...runs("PPP", { grader: "style" })];
    const now = [...runs("FFF"), ...runs("EPP", { grader: "style" })];
    const comparison = compare(before, now);
    // 3 of 3, then 0 of 2.
    expect(comparison.p?.drop).toBeCloseTo(0.05, 9);
    expect(comparison.runsLeftOut).toBe(1);
    expect(comparison.newlyFailing).toMatchObject([{ grader: "quality", current: { passes: 0, runs: 3 } }]);
    expect(comparisonSentence(comparison)).toContain("1 run left out: no verdict");
  });

  test("of one number in two files are two runs", () => {
    const both = (letters: string) =>
      Array.from(letters, (letter, index) =>
        graded({ file: `${String(index)}.json`, passed: letter === "P" }),
      );
    expect(compare(both("PPP"), both("FFF")).p?.drop).toBeCloseTo(0.025, 9);
  });

  test("see what falls beside a grader that never passed", () => {
    const before = [...runs("PPP"), ...runs("FFF", { grader: "style" })];
    const now = [...runs("FFF"), ...runs("FFF", { grader: "style" })];
    expect(compare(before, now)).toMatchObject({ verdict: "fell", stillFailing: [{ grader: "style" }] });
  });

  test("without a verdict from every grader are too few, and have no p", () => {
    const before = [...runs("PE"), ...runs("EP", { grader: "style" })];
    const comparison = compare(before, [...runs("F"), ...runs("P", { grader: "style" })]);
    expect(comparison).toMatchObject({ verdict: "fell", p: undefined, drop: 50 });
    expect(comparisonSentence(comparison)).toContain(
      "Chance cannot be computed: on one side, no run has a verdict from every grader, but more than 34 points always fail.",
    );
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
    const { p, drop } = compare(weighed("PPF", "PPF", "PFP"), weighed("FFF", "FFP", "FFP"));
    expect(drop).toBeCloseTo(50);
    expect(p?.drop).toBeGreaterThan(0);
  });

  /** An eval of a skill for each score, each a list of four statements. */
  const evals = (scores: readonly number[]) =>
    scores.map((score, index) =>
      graded({ task: `e${String(index)}`, grader: "assertions", score, passed: score === 1 }),
    );
  const six = (score: number) => Array.from({ length: 6 }, () => score);
  const main = evals([...six(1), ...six(0.75)]);

  test.each([
    ["six evals that missed one statement now fail every one", [...six(1), ...six(0)], "fell"],
    ["one eval is mended and five die", [...six(1), 1, 0, 0, 0, 0, 0], "fell"],
    ["nothing changes", [...six(1), ...six(0.75)], "unchanged"],
    ["one more statement fails", [...six(1).slice(1), 0.75, ...six(0.75)], "within-noise"],
    ["every eval loses one statement", [...six(0.75), ...six(0.5)], "fell"],
  ] as const)("%s", (_, scores, verdict) => {
    expect(compare(main, evals(scores)).verdict).toBe(verdict);
  });

  test("evals that each hold one statement that never passes are a baseline", () => {
    const never = evals(six(0.75));
    expect(compare(never, never)).toMatchObject({ verdict: "unchanged", canDrop: true });
    expect(compare(never, evals(six(0.5))).verdict).toBe("fell");
  });

  test("nothing passes where no check passes", () => {
    expect(compare(evals(six(0)), evals(six(1))).source.absent).toBe("nothing-passes");
  });

  test("by the weights of now", () => {
    const pair = (main: number, other: number) => [
      graded({ score: main, passed: main === 1, weight: 3 }),
      graded({ grader: "style", score: other, passed: other === 1, weight: 1 }),
    ];
    const { tasks } = runsOfTasks(compare(pair(1, 0), pair(0, 1)).pairs);
    expect(tasks).toMatchObject([{ baseline: [100], current: [33], most: 133 }]);
  });

  test("of tasks with an equal p the one that dropped more is named", () => {
    const of = (task: string, score: number, pass: number) =>
      Array.from({ length: 6 }, (_, run) => graded({ task, run, score, passed: score === pass }));
    const before = [...of("a", 0.5, 1), ...of("b", 1, 1)];
    const now = [...of("a", 0.25, 1), ...of("b", 0, 1)];
    expect(compare(before, now).droppedTask).toMatchObject({ key: { task: "b" }, baseline: 1, current: 0 });
  });
});

describe("the figures", () => {
  test("are over the comparable part, by the weights of now", () => {
    const before = [
      graded({ score: 1, weight: 1 }),
      graded({ grader: "style", score: 0.5, passed: false, weight: 1 }),
      graded({ task: "gone", score: 0, passed: false }),
    ];
    const now = [
      graded({ score: 0.5, passed: false, weight: 3 }),
      graded({ grader: "style", score: 1, weight: 1 }),
      graded({ task: "new", score: 0, passed: false }),
    ];
    const { score, drop } = compare(before, now);
    expect(score?.baseline).toBeCloseTo((3 * 1 + 0.5) / 4, 12);
    expect(score?.current).toBeCloseTo((3 * 0.5 + 1) / 4, 12);
    expect(drop).toBeCloseTo(100 * (3.5 / 4 - 2.5 / 4), 12);
  });

  test("take the mean of tasks, not of graders or runs", () => {
    const before = [...runs("PPPP"), ...runs("F", { task: "t2" })];
    const now = [...runs("PPFF"), ...runs("P", { task: "t2" })];
    const { score, drop } = compare(before, now);
    expect(score).toEqual({ baseline: 0.5, current: 0.75 });
    expect(drop).toBe(-25);
  });
});
