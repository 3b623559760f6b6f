/** `fail-on: regression`: what a baseline excuses, and the sentence. */
import { describe, expect, test } from "@jest/globals";
import { compare } from "../../src/compare/compare.ts";
import type { GradeRecord } from "../../src/domain/record.ts";
import { decideRegression } from "../../src/compare/regression-gate.ts";
import type { MaxDrop } from "../../src/domain/conclusion.ts";
import { BASIS, runs, tasks } from "../support/grade-records.ts";

const ALL_PASS = "P".repeat(20);
const ONE_FELL = `${"P".repeat(19)}F`;
const OTHER = { basis: { ...BASIS, prompt: "p2" } };
const TEMPLATE = { basis: { ...BASIS, template: "3" } };

interface Case {
  readonly name: string;
  readonly before: GradeRecord[];
  readonly now: GradeRecord[];
  readonly maxDrop?: MaxDrop;
  readonly red: boolean;
  readonly rule: string;
  readonly sentence: string;
}

const CASES: readonly Case[] = [
  {
    name: "no baseline, a failed grade: acts as fail",
    before: [],
    now: tasks("PF"),
    red: true,
    rule: "no-baseline",
    sentence: "1 grade failed; no baseline was found, so `fail-on: regression` acts as `fail`",
  },
  {
    name: "no baseline, nothing failed",
    before: [],
    now: tasks("PP"),
    red: false,
    rule: "no-baseline",
    sentence: "no baseline was found, so `fail-on: regression` acts as `fail`",
  },
  {
    name: "a failure that the baseline has too is excused",
    before: tasks("PPPPPF"),
    now: tasks("PPPPPF"),
    red: false,
    rule: "passed",
    sentence: "the pass rate is that of the baseline",
  },
  {
    name: "one of 20 newly failing is noise",
    before: tasks(ALL_PASS),
    now: tasks(ONE_FELL),
    red: false,
    rule: "passed",
    sentence:
      "fell by 5 points; an unchanged agent falls this far in about 1 of 4 comparisons, so this does not fail. With 20 tasks x 1 run, a fall of less than about ",
  },
  {
    name: "five of 20 newly failing are not",
    before: tasks(ALL_PASS),
    now: tasks("P".repeat(15) + "F".repeat(5)),
    red: true,
    rule: "fell",
    sentence: "fell by 25 points: an unchanged agent falls this far in about 1 of 64 comparisons",
  },
  {
    name: "one of 20 is red at 0, and noise would pass it",
    before: tasks(ALL_PASS),
    now: tasks(ONE_FELL),
    maxDrop: 0,
    red: true,
    rule: "fell",
    sentence:
      "fell by 5 points, more than `max-drop: 0` allows: an unchanged agent falls this far in about 1 of 4 comparisons; `max-drop: noise` would pass it",
  },
  {
    name: "a fall of just the points that are allowed passes",
    before: tasks(ALL_PASS),
    now: tasks(ONE_FELL),
    maxDrop: 5,
    red: false,
    rule: "passed",
    sentence: "fell by 5 points, which `max-drop: 5` lets pass",
  },
  {
    name: "so does one whose shares floating point makes a little more",
    before: tasks("P".repeat(10)),
    now: tasks("PPPPPPPFFF"),
    maxDrop: 30,
    red: false,
    rule: "passed",
    sentence: "fell by 30 points, which `max-drop: 30` lets pass",
  },
  {
    name: "a fall that is little more than allowed looks so",
    before: tasks("P".repeat(300)),
    now: tasks("P".repeat(299) + "F"),
    maxDrop: 0.33,
    red: true,
    rule: "fell",
    sentence: "fell by 0.333 points, more than `max-drop: 0.33` allows: ",
  },
  {
    name: "a fall at a number that chance does not explain says so",
    before: runs("PPP"),
    now: runs("FFF"),
    maxDrop: 10,
    red: true,
    rule: "fell",
    sentence:
      "fell by 100 points, more than `max-drop: 10` allows: an unchanged agent falls this far in about 1 of 40 comparisons",
  },
  {
    name: "one fall and one rise are green at 0",
    before: tasks("PPPPPF"),
    now: tasks("FPPPPP"),
    maxDrop: 0,
    red: false,
    rule: "passed",
    sentence: "the pass rate is that of the baseline, which `max-drop: 0` lets pass",
  },
  {
    name: "one flip of three single runs is noise",
    before: tasks("PPP"),
    now: tasks("PPF"),
    red: false,
    rule: "passed",
    sentence:
      "fell by 33.3 points; an unchanged agent falls this far in about 1 of 4 comparisons, so this does not fail",
  },
  {
    name: "three of four newly failing are red, whatever chance says",
    before: tasks("PPPP"),
    now: tasks("PFFF"),
    red: true,
    rule: "fell",
    sentence:
      "fell by 75 points: an unchanged agent falls this far in about 1 of 16 comparisons, but more than 34 points are a fall",
  },
  {
    name: "one task's own fall is red though others rose, and named",
    before: [...runs("PPPPPP"), ...tasks("FFF", { suite: "other" })],
    now: [...runs("FFFFFF"), ...tasks("PPP", { suite: "other" })],
    red: true,
    rule: "fell",
    sentence:
      "the task `t1` (agent) fell from 6 of 6 to 0 of 6, as an unchanged one does in fewer than 1 of 1,000 comparisons; in all, it rose by ",
  },
  {
    name: "too few runs and no net fall",
    before: tasks("PPF"),
    now: tasks("FPP"),
    red: false,
    rule: "passed",
    sentence: "the pass rate is that of the baseline",
  },
  {
    name: "a number with few runs says what chance does",
    before: tasks("PPP"),
    now: tasks("PPF"),
    maxDrop: 5,
    red: true,
    rule: "fell",
    sentence:
      "fell by 33.3 points, more than `max-drop: 5` allows: an unchanged agent falls this far in about 1 of 4 comparisons",
  },
  {
    name: "a failed grade of a new task has nothing to excuse it",
    before: tasks("PPPPPP"),
    now: [...tasks("PPPPPP"), ...runs("F", { task: "new" })],
    red: true,
    rule: "not-comparable",
    sentence:
      "1 failed grade cannot be compared with the baseline (new); the pass rate is that of the baseline",
  },
  {
    name: "a new task that passes is green",
    before: tasks("PPPPPP"),
    now: [...tasks("PPPPPP"), ...runs("P", { task: "new" })],
    red: false,
    rule: "passed",
    sentence: "the pass rate is that of the baseline",
  },
  {
    name: "a changed prompt excuses nothing",
    before: tasks("FF"),
    now: tasks("FF", OTHER),
    maxDrop: 100,
    red: true,
    rule: "not-comparable",
    sentence: "2 failed grades cannot be compared with the baseline (not equal: the grader's prompt)",
  },
  {
    name: "a changed prompt that passes is green",
    before: tasks("FF"),
    now: tasks("PP", OTHER),
    red: false,
    rule: "passed",
    sentence: "nothing in the baseline can be compared",
  },
  {
    name: "another template names the remedy",
    before: tasks("FF"),
    now: tasks("FF", TEMPLATE),
    red: true,
    rule: "not-comparable",
    sentence: "grade the base branch again",
  },
  {
    name: "a base that is flaky is compared by its n of k",
    before: runs("PPF"),
    now: runs("PPF"),
    maxDrop: 0,
    red: false,
    rule: "passed",
    sentence: "the pass rate is that of the baseline",
  },
  {
    name: "errored in the baseline: nothing excuses the failure",
    before: runs("E"),
    now: runs("F"),
    red: true,
    rule: "not-comparable",
    sentence: "1 failed grade cannot be compared with the baseline (no verdict in the baseline: errored)",
  },
  {
    name: "a fall and a new failure are both said",
    before: runs("PPP"),
    now: [...runs("FFF"), ...runs("F", { task: "new" })],
    red: true,
    rule: "fell",
    sentence:
      "fell by 100 points: an unchanged agent falls this far in about 1 of 40 comparisons; 1 failed grade cannot be compared with the baseline (new)",
  },
];

describe("fail-on: regression", () => {
  test.each(CASES)("$name", ({ before, now, maxDrop = "noise", red, rule, sentence }) => {
    const decision = decideRegression(compare(before, now), maxDrop);
    expect(decision).toMatchObject({ red, rule });
    expect(decision.sentence).toContain(sentence);
  });
});
