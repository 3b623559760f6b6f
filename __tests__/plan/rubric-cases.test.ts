/** Goldens of rubrics: which are asked of whom, when one is asked again, and what that means for the grades. */
import { describe, expect, test } from "@jest/globals";
import type { GradingJob, Verdict } from "../../src/domain/grade.ts";
import type { Rubric, RubricCase } from "../../src/domain/suite.ts";
import { describeCases, caseJobs, isOpen, settleByCases, withoutCases } from "../../src/plan/rubric-cases.ts";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";

const GOLDENS: readonly RubricCase[] = [
  { name: "thanks", input: "Say it.", output: "Thank you!", expected: "pass" },
  { name: "a shout", output: "No!", expected: "fail" },
];

function rubricOf(changes: Partial<Rubric> = {}): Rubric {
  const rest = {
    version: "1.0.0",
    scale: "pass-fail",
    source: "kind.md",
    instructions: "Is it kind?",
  } as const;
  return { name: "kind", ...rest, goldens: GOLDENS, ...changes };
}

function jobOf(grader: Parameters<typeof graderOf>[0] = {}, changes: Partial<GradingJob> = {}): GradingJob {
  return {
    suite: suiteOf(),
    task: { id: "t", name: "t", contextDir: "/given" },
    grader: graderOf({ rubric: rubricOf(), ...grader }),
    judgeModel: "judge",
    run: runOf(),
    workspace: "/work",
    ...changes,
  };
}

const graded = (passed: boolean): Verdict => ({
  state: "graded",
  checks: [{ outcome: passed ? "pass" : "fail", reason: "It is\nrude." }],
  score: Number(passed),
  passed,
});
const timeout: Verdict = { state: "errored", error: { class: "timeout", message: "Too slow." }, checks: [] };
const capped: Verdict = { state: "skipped", cause: "cap", reason: "max-judge-calls is reached." };
/** `P` passed, `F` failed, `E` errored, `C` left out by a cap. */
const verdictsOf = (written: string) =>
  Array.from(written, (letter) => ({ P: graded(true), F: graded(false), E: timeout, C: capped })[letter]!);

/** The two goldens of a job, with what the judge said of each. */
function asked(job: GradingJob, thanks: string, shout = "F") {
  const written = [thanks, shout];
  return caseJobs([job]).map((one, index) => ({ ...one, verdicts: verdictsOf(written[index] ?? "") }));
}

describe("goldens", () => {
  test("are jobs of the rubric alone: the golden as a run, no prompt, no files", () => {
    const [first, second] = caseJobs([jobOf({ prompt: "And short?", effort: "high" })]);
    expect(first?.job).toMatchObject({
      judgeModel: "judge",
      grader: { name: "kind", prompt: "", effort: "high" },
      run: { prompt: "Say it.", finalOutput: "Thank you!" },
    });
    expect(first?.job.workspace).toBeUndefined();
    expect(first?.job.task).toEqual({ id: "thanks", name: "thanks" });
    expect(second?.rubricCase.expected).toBe("fail");
  });

  test("are asked once for each judge and rubric in use, however many graders use it", () => {
    const jobs = [
      jobOf(),
      jobOf({ name: "other", prompt: "And short?" }),
      jobOf({}, { judgeModel: "second" }),
      jobOf({ effort: "high" }),
      jobOf({}, { suite: suiteOf({ judgeEffort: "high" }) }),
      jobOf({
        rubric: rubricOf({ source: "b.md", instructions: "Is it plain?", goldens: GOLDENS.slice(0, 1) }),
      }),
      jobOf({ rubric: undefined }),
      jobOf({}, { judgeModel: "third", settled: capped }),
    ];
    const made = caseJobs(jobs).map(({ job, rubricCase }) =>
      [job.judgeModel, job.grader.effort ?? job.suite.judgeEffort ?? "-", rubricCase.name].join(" "),
    );
    expect(made).toEqual([
      "judge - thanks",
      "judge - a shout",
      "second - thanks",
      "second - a shout",
      "judge high thanks",
      "judge high a shout",
      "judge - thanks",
    ]);
  });

  test.each([
    ["nobody has been asked yet", "", true],
    ["the first verdict is right", "P", false],
    ["it is wrong", "F", true],
    ["there is none", "E", false],
    ["a second is wrong too", "FF", false],
    ["one is wrong and one is right", "FP", true],
    ["one is wrong and one errored", "FE", true],
    ["three are there", "FEP", false],
  ])("where %s (%p), asked again: %p", (_, written, open) => {
    expect(isOpen({ ...asked(jobOf(), "")[0]!, verdicts: verdictsOf(written) })).toBe(open);
  });

  const missed =
    'The judge `judge` missed 1 of 2 goldens of the rubric `kind 1.0.0`: `thanks` has to pass, and it failed (the judge: "It is rude.").';

  test.each<[string, string, string, object | undefined]>([
    ["all are right", "P", "F", undefined],
    ["one is right by a majority", "FPP", "F", undefined],
    [
      "one is missed",
      "FF",
      "F",
      {
        state: "errored",
        error: { class: "judge-missed-golden", message: missed, help: expect.any(String) },
      },
    ],
    ["one is missed, and another has no verdict", "FEF", "E", { error: { class: "judge-missed-golden" } }],
    [
      "two are missed",
      "FF",
      "PP",
      { error: { message: expect.stringMatching(/missed 2 of 2 .* Missed too: `a shout`\.$/) } },
    ],
    ["one errored", "E", "F", { state: "errored", error: { class: "timeout", message: "Too slow." } }],
    ["there is no majority since one has no verdict", "FPE", "F", { error: { class: "timeout" } }],
    ["a cap was reached", "P", "C", capped],
  ])("where %s (%p, %p), the grades are settled accordingly", (_, thanks, shout, expected) => {
    const job = jobOf();
    const plain = jobOf({ rubric: undefined });
    const [settled, ...others] = settleByCases(
      [job, plain, jobOf({}, { judgeModel: "second" })],
      asked(job, thanks, shout),
    );
    if (expected) expect(settled?.settled).toMatchObject(expected);
    else expect(settled?.settled).toBeUndefined();
    expect(settled?.settled ?? {}).not.toHaveProperty("checks");
    expect(others.map((other) => other.settled)).toEqual([undefined, undefined]);
  });

  test("are counted in the log, with what went wrong", () => {
    const line = (thanks: string) => describeCases(asked(jobOf(), thanks));
    expect(line("P")).toBe("Before any grade, 2 goldens of 1 rubric: all with the right verdict");
    expect(line("FF")).toBe("Before any grade, 2 goldens of 1 rubric: 1 missed");
    expect(line("E")).toBe("Before any grade, 2 goldens of 1 rubric: 1 without a verdict");
  });

  test.each<[string, readonly GradingJob[], RegExp | undefined]>([
    [
      "a rubric has none",
      [jobOf(), jobOf({ rubric: rubricOf({ goldens: [] }) })],
      /no goldens of the rubric `kind 1\.0\.0`/,
    ],
    ["no grader has a rubric", [jobOf({ rubric: undefined })], /no grader that is asked for has a `rubric`/],
    ["all have some", [jobOf()], undefined],
    ["nobody is asked", [jobOf({}, { settled: capped })], undefined],
  ])("that are asked for, where %s: a notice %p", (_, jobs, said) => {
    const [first, ...others] = withoutCases(jobs, false);
    expect(others).toEqual([]);
    if (said) expect(first).toMatchObject({ level: "notice", message: expect.stringMatching(said) });
    else expect(first).toBeUndefined();
  });
});
