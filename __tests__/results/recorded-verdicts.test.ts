import { describe, expect, test } from "@jest/globals";
import type { Basis, GradingJob, Verdict } from "../../src/domain/grade.ts";
import { basisOf } from "../../src/results/rows.ts";
import { asRecorded } from "../../src/results/recorded-verdicts.ts";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";
import { MISSING, erroredOf, fail, pass, verdictOf } from "../support/grades.ts";

function jobOf(changes: Partial<GradingJob> = {}): GradingJob {
  const task = { id: "explain", name: "Explain" };
  return { suite: suiteOf(), task, grader: graderOf(), judgeModel: "default", run: runOf(), ...changes };
}

interface Parts {
  readonly validations?: object;
  readonly grades?: readonly object[];
  readonly judge_model?: string;
}

/** A results file of one run. */
function fileOf({ validations, grades, judge_model }: Parts): object {
  return {
    config: { model_id: "agent-1", judge_model },
    tasks: [{ test_id: "explain", runs: [{ run_number: 1, validations }] }],
    ...(grades ? { waza_grade: { version: 1, grades } } : {}),
  };
}

function recorded(parts: Parts, changes: Partial<GradingJob> = {}): GradingJob {
  return asRecorded([jobOf(changes)], [fileOf(parts)])[0]!;
}

const prompt = (more: object) => ({ concise: { identifier: "concise", type: "prompt", weight: 1, ...more } });
const details = (passes: string, failures: string) => ({
  details: { prompt: "p", response: "text", passes, failures },
});
const grade = (more: object) => ({ task_id: "explain", run_number: 1, grader: "concise", ...more });

describe("what waza's own prompt graders left", () => {
  const SILENT = { feedback: "All prompts passed", ...details("", "") };
  const NO_CALL = { score: 0, passed: false, checks: [], note: "The judge made no grading call." };
  test.each<[string, object, Partial<Extract<Verdict, { state: "graded" }>>]>([
    [
      "checks of both kinds, with descriptions and reasons",
      { score: 0.5, passed: false, ...details("pass: short: yes", "fail: sources: none: named") },
      {
        ...{ score: 0.5, passed: false, response: "text" },
        checks: [pass("short", "yes"), fail("sources", "none: named")],
      },
    ],
    [
      "several of one kind, with semicolons in them",
      { score: 1, passed: true, ...details("pass: a; b: c;pass: : ", "") },
      { checks: [pass("a; b", "c"), pass()] },
    ],
    [
      "a list that does not say what the score says: the score counts, with waza's words",
      { score: 1, passed: true, feedback: "fine", ...details("", "fail: x: y") },
      { score: 1, passed: true, checks: [], note: "fine" },
    ],
    ["no call, which waza calls passed", { score: 0, passed: false, ...SILENT }, NO_CALL],
    ["no call, and passed all the same", { score: 0, passed: true, ...SILENT }, NO_CALL],
  ])("%s", (_case, validation, expected) => {
    const job = recorded({ validations: prompt(validation), judge_model: "gpt-5" });
    expect(job.settled).toMatchObject({ state: "graded", recorded: true, ...expected });
    expect(job.judgeModel).toBe("gpt-5");
    // waza's judge has another system message.
    expect(basisOf(job)).toEqual({ ...basisOf({ ...job, basis: undefined }), templateVersion: "waza" });
  });
});

const NOW = basisOf(jobOf());
const MINE = { suite: suiteOf({ title: "mine" }) };
const NOT_RECORDED = { state: "errored", error: { class: "not-recorded" } };
const BASIS_FIELDS = {
  prompt_sha256: "p",
  continue_session: false,
  inputs_sha256: "i",
  judge_model: "j",
  template_version: "1",
};

describe("what this action left (`waza_grade`)", () => {
  test("comes before waza's validations, with its checks, note and judge", () => {
    const same = {
      checks: [fail("short", "no")],
      incomplete: { class: "timeout", message: "Too slow." },
      votes: { passed: 1, failed: 2, errored: 0 },
    };
    const size = { characters: 9, elided: true, reads: 2 };
    const evidence = { ...size, tool_calls: 1, reconstructed_session: true };
    const ours = {
      state: "failed",
      score: 0,
      ...same,
      warning: "cut",
      evidence,
      judge_model: "gpt-6.1-terra",
    };
    const { settled, judgeModel } = recorded({
      validations: prompt({ score: 1, passed: true }),
      grades: [grade(ours)],
    });
    expect(settled).toEqual({
      ...{ state: "graded", recorded: true, passed: false, score: 0, ...same, doubt: "cut" },
      evidence: { ...size, toolCalls: 1, reconstructedSession: true },
    });
    expect(judgeModel).toBe("gpt-6.1-terra");
  });

  test.each<[string, object, Partial<Basis>]>([
    [
      "rests on what it rested on then",
      { basis: { ...BASIS_FIELDS, prompt_sha256: NOW.promptSha256 } },
      { inputsSha256: "i", judgeModel: "j", templateVersion: "1" },
    ],
    ["without a basis is not taken for one of today", {}, { templateVersion: "not recorded" }],
  ])("%s", (_case, more, expected) => {
    const { basis } = recorded({ grades: [grade({ state: "passed", score: 1, ...more })] });
    expect(basis).toMatchObject(expected);
  });

  test.each<[string, object, number, boolean]>([
    ["its checks", { score: 1, checks: [pass(), fail()] }, 0.5, false],
    [
      "passes of an interrupted judge, which are no verdict",
      { score: 1, checks: [pass()], incomplete: { class: "timeout", message: "Too slow." } },
      1,
      false,
    ],
    ["no check at all", { score: 1 }, 0, false],
  ])("scores what %s come to, regardless of the rest of the file", (_, more, score, passed) => {
    const { settled } = recorded({ grades: [grade({ state: "passed", ...more })] });
    expect(settled).toMatchObject({ state: "graded", score, passed });
  });

  test.each<[string, object]>([
    ["prompt", { ...BASIS_FIELDS, prompt_sha256: "another" }],
    ["rubric", { ...BASIS_FIELDS, prompt_sha256: NOW.promptSha256, rubric_sha256: "another" }],
  ])("and was given by another %s is no verdict of this grader", (_, basis) => {
    const { settled } = recorded({
      validations: prompt({ score: 1, passed: true }),
      grades: [grade({ state: "passed", score: 1, checks: [pass()], basis })],
    });
    expect(settled).toMatchObject({
      state: "errored",
      error: { class: "not-recorded", message: expect.stringMatching(/another prompt or rubric/) },
    });
  });

  test("of another suite is none", () => {
    const grades = [grade({ suite: "other", state: "passed", score: 1, checks: [pass()] })];
    expect(recorded({ grades }, MINE).settled).toMatchObject(NOT_RECORDED);
  });

  test("of several suites is the job's own", () => {
    const grades = ["other", "mine"].map((suite) =>
      grade({ suite, state: "failed", score: 0, checks: suite === "mine" ? [pass()] : [] }),
    );
    expect(recorded({ grades }, MINE).settled).toMatchObject({ passed: true });
  });

  test.each([
    ["errored", { error: { class: "timeout", message: "too slow" } }, "too slow"],
    ["skipped", { reason: "no key" }, "no key"],
  ])("and was %s is no verdict, and says why", (state, more, why) => {
    const { settled } = recorded({ grades: [grade({ state, ...more })] });
    expect(settled).toMatchObject({
      state: "errored",
      error: { class: "not-recorded", message: `It was recorded without a verdict: ${why}` },
    });
  });
});

describe("no verdict is found", () => {
  test.each<[string, Parts]>([
    ["without any", {}],
    ["of another grader", { validations: { other: { type: "prompt", score: 1, passed: true } } }],
    ["of a grader of another type", { validations: prompt({ type: "text", score: 1, passed: true }) }],
    ["with a score that is none", { validations: prompt({ score: 7, passed: true }) }],
    ["with a verdict that is text", { validations: prompt({ score: 1, passed: "true" }) }],
    ["of another run", { grades: [{ ...grade({ state: "passed", score: 1 }), run_number: 2 }] }],
    ["in a list that is none", { validations: [] }],
    [
      "broken off in an unknown way",
      { grades: [grade({ state: "passed", score: 1, incomplete: { class: "<b>" } })] },
    ],
  ])("%s: errored, with what to do", (_case, parts) => {
    const { settled, judgeModel } = recorded(parts);
    expect(settled).toMatchObject(NOT_RECORDED);
    expect(judgeModel).toBe("");
  });

  test("where a run is missing, or its agent never got to work: what is known stays", () => {
    const failed = jobOf({ run: runOf({ agent: "failed" }), settled: verdictOf([]) });
    const missing = jobOf({ run: undefined, settled: MISSING });
    expect(asRecorded([failed, missing], [fileOf({})])).toEqual([failed, missing]);
  });

  test("of an unsupported grader: its error stays, whatever waza recorded", () => {
    const settled = erroredOf({ class: "unsupported" });
    const job = jobOf({ grader: graderOf({ unsupported: "mode: pairwise" }), settled });
    const file = fileOf({ validations: prompt({ score: 0.5, passed: true }) });
    expect(asRecorded([job], [file])).toEqual([job]);
  });
});
