/** Comparing from the outside: a baseline that the action wrote, and pull requests held against it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actHere as act, closeServers, lastLine, once, recordOf, type Outcome } from "../support/act.ts";
import { times } from "../support/factories.ts";
import { fail, pass } from "../support/judge-server.ts";
import {
  project,
  promptGrader,
  resultsFixture,
  runFixture,
  type GraderFixture,
  type TaskFixture,
} from "../support/projects.ts";
import {
  PUSH_TO_MAIN,
  copiesBeside,
  removeTemporaryFolders,
  temporaryFolder,
  type ActionRun,
} from "../support/run-action.ts";
import { seeded } from "../../scripts/simulated-gate.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

/** Answers say what they are worth: bad ones fail, rude ones fail the grader of tone, and of some the judge knows nothing. */
const judge = once(({ evidence, prompt }) => {
  if (evidence.includes("UNKNOWABLE")) return { status: 400, error: { message: "I cannot read this." } };
  const wrong = prompt.includes("(tone)") ? "RUDE" : "BAD";
  return evidence.includes(wrong)
    ? { calls: [fail("It is right", `It says ${wrong}.`)] }
    : { calls: [pass("It is right", "It says so.")] };
});

/** Answers of each task by the letters of its runs: good, bad, rude, unknowable, dead. */
type Written = Readonly<Record<string, string>>;
const ANSWERS: Readonly<Record<string, string>> = { P: "GOOD", F: "BAD", R: "RUDE", E: "UNKNOWABLE" };

function resultsOf(written: Written, model: string, expected = ""): Record<string, unknown> {
  const runOf = (letter: string) =>
    letter === "D"
      ? { status: "error", final_output: "", error_msg: "token expired" }
      : { final_output: `My answer is ${ANSWERS[letter] ?? ""}.${expected}` };
  const tasks = Object.entries(written).map(([id, letters]) => ({
    id,
    runs: Array.from(letters, (letter, index) => runFixture({ run_number: index + 1, ...runOf(letter) })),
  }));
  return resultsFixture("suite", tasks, model);
}

interface Side {
  /** Runs by task, of the first model. */
  readonly runs: Written;
  /** The same of a second model. */
  readonly second?: Written;
  readonly graders?: readonly GraderFixture[];
  readonly golden?: readonly string[];
  /** What every answer ends with, so that runs of several files differ. */
  readonly messages?: string;
  /** Names of tasks, in place of their own. */
  readonly names?: Readonly<Record<string, string>>;
}

async function grade(
  { runs, second, messages: wording, graders, golden = [], names = {} }: Side,
  inputs: Record<string, string>,
  more: Partial<ActionRun> = {},
): Promise<Outcome> {
  const tasks = Object.keys(runs).map((id): TaskFixture => ({
    id,
    inputs: { prompt: `Do ${id}.` },
    golden: golden.includes(id),
    ...(names[id] && { name: names[id] }),
  }));
  const files = {
    "results/first.json": resultsOf(runs, "model-a", wording),
    ...(second ? { "results/second.json": resultsOf(second, "model-b") } : {}),
  };
  const workspace = project({ tasks, graders: graders ?? [promptGrader("quality")], files });
  return await act(workspace, judge, { ...more, inputs: { results: "results/*.json", ...inputs } });
}

const BASE: Side = {
  runs: { steady: "PPP", flaky: "PFP", bad: "FFF", gone: "PPP", held: "PEP" },
  second: { steady: "PPP", flaky: "PPP", bad: "PFF", gone: "PPP", held: "PPP" },
  golden: ["steady"],
};
/** The files of the baseline, as a later step finds them. */
let baseline = "";
const against = (more: Record<string, string> = {}) => ({ baseline, "fail-on": "regression", ...more });

beforeAll(async () => {
  const outcome = await grade(BASE, { "fail-on": "never", "output-file": "graded/record.json" });
  expect(outcome.code).toBe(0);
  baseline = outcome.outputs["results-file"] ?? "";
  expect(copiesBeside(baseline)).toHaveLength(2);
});

describe("held against a baseline", () => {
  test("what failed before is excused, a flaky task and a second model included", async () => {
    const outcome = await grade(BASE, against({ "on-error": "warn" }));
    expect(lastLine(outcome)).toMatch(/^Passed: .*score 0\.80, as in/);
    expect(outcome.code).toBe(0);
    expect(outcome.outputs).toMatchObject({
      ...{ comparison: "unchanged", "newly-failing": "0", "newly-passing": "0", "grades-failed": "6" },
      "baseline-score": "0.8000",
    });
  });

  test("a drop that chance may explain is not red, and both sides of what fell are shown; what is new, gone or better too", async () => {
    const now = {
      runs: { steady: "PPP", flaky: "FFF", bad: "PPP", held: "PPE", fresh: "PPP" },
      second: { steady: "PPP", flaky: "FFF", bad: "PFF", held: "PPP", fresh: "PPP" },
      golden: ["steady"],
    };
    const outcome = await grade(now, against({ "on-error": "warn", comment: "always" }));
    expect(outcome.code).toBe(0);
    expect(lastLine(outcome)).toMatch(
      /^Passed: score 0\.67, 0\.75 in .*: chance may explain it; `flaky` with `model-b` fails what always passed in the baseline; 1 task of the baseline is gone \(`gone`\)/,
    );
    const counts = { "newly-failing": "1", "newly-passing": "1" };
    expect(outcome.outputs).toMatchObject({ comparison: "within-noise", conclusion: "success", ...counts });
    const [comment = ""] = outcome.github.comments.map(({ body }) => body);
    for (const page of [outcome.summary, comment]) {
      expect(page).toContain("| ❌ flaky · model-b | 3/3 | **0/3** |");
      expect(page).toContain("| ✅ bad · model-a (rose) | 0/3 | 3/3 |");
      expect(page).toContain("1 task of the baseline is gone (`gone`)");
    }
    expect(outcome.summary).toMatch(
      /in the baseline, which passed[^]*My answer is GOOD\.[^]*My answer is BAD\./,
    );
    expect(outcome.summary).toContain("- ❌ **quality: It is right**");
    expect(recordOf(outcome).comparison).toMatchObject({ verdict: "within-noise" });
  });

  test("a failure that nothing comparable excuses is red: a new task, a changed prompt", async () => {
    const runs = { steady: "PPP", flaky: "PFP", bad: "FFF", fresh: "F" };
    const graders = [promptGrader("quality"), promptGrader("style", "Is it well written?")];
    const fresh = await grade({ runs, graders }, against({ "on-missing": "warn" }));
    expect(fresh.code).toBe(1);
    expect(lastLine(fresh)).toContain(
      "Failed: the baseline has no result of task `fresh` yet (new, renamed or moved), and it failed; ",
    );
    const changed = await grade(
      { runs: { bad: "FFF" }, graders: [promptGrader("quality", "Is it really right?")] },
      against({ tasks: "bad" }),
    );
    expect(changed.code).toBe(1);
    expect(lastLine(changed)).toContain("(not equal: the grader's prompt)");
  });

  test("verdicts of another judge are not comparable", async () => {
    const outcome = await grade(
      { runs: { bad: "FFF" } },
      against({ tasks: "bad", "judge-model": "another-judge" }),
    );
    expect(outcome.code).toBe(1);
    expect(outcome.outputs.comparison).toBe("none");
    expect(recordOf(outcome).comparison?.not_comparable[0]?.reason).toBe(
      "not equal: the judge model (gpt-6-luna in the baseline, another-judge now), the reasoning effort (low in the baseline, none now)",
    );
  });

  test("without a baseline in the checkout, `fail-on: regression` acts as `fail`; outside of it, it is neutral", async () => {
    const outcome = await grade({ runs: { bad: "FP" } }, against({ baseline: "none/*.json" }));
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain(
      "1 task fails, and there is no baseline. The path in `baseline` is inside the checkout, where",
    );
    expect(outcome.outputs).toMatchObject({ comparison: "none", "newly-failing": "", "baseline-score": "" });
    const outside = join(project({ tasks: [] }), "evals-baseline/**/*.json");
    const first = await grade({ runs: { bad: "FP" } }, against({ baseline: outside }));
    expect(first.code).toBe(0);
    expect(recordOf(first).rule).toBe("not-compared");
    expect(first.github.checkRuns[0]).toMatchObject({
      conclusion: "neutral",
      output: { title: "suite: 1 of 1 task failed in some of its runs; not compared: no baseline yet" },
    });
    expect(first.log).toMatch(
      /^warning: The `baseline` glob .* matches no file in \S+ Nothing is compared until the default branch has been graded/m,
    );
    const golden = await grade({ runs: { bad: "FP" }, golden: ["bad"] }, against({ baseline: outside }));
    expect(golden.code).toBe(1);
  });

  test("a task that is golden in the baseline alone has to pass, and to be there", async () => {
    const rest = { flaky: "PFP", bad: "FFF", gone: "PPP", held: "PPP" };
    const byScore = { baseline, "fail-on": "score", "min-score": "0" };
    const failed = await grade({ runs: { steady: "PPF", ...rest } }, against());
    expect(recordOf(failed).rule).toBe("golden");
    expect(failed.code).toBe(1);
    const without = { steady: "PPP", ...rest };
    const graders = [promptGrader("other")];
    const changed = await grade({ runs: without, graders }, byScore);
    expect(lastLine(changed)).toContain("(`quality`) no longer decides");
    expect(changed.code).toBe(1);
    const advisory = await grade(
      { runs: without, graders: [promptGrader("quality"), ...graders] },
      { ...byScore, advisory: "quality" },
    );
    expect(lastLine(advisory)).toContain("(`quality`) no longer decides");
    expect(advisory.log).toContain("save a new baseline");
    const gone = await grade({ runs: rest }, byScore);
    expect(lastLine(gone)).toContain("have to pass, and `steady` is gone");
    expect(gone.code).toBe(1);
  });
});

test("where `baseline` names no graded results, no judge is paid", async () => {
  const judge = once(() => ({ calls: [pass("right", "yes")] }));
  const outcome = await act(project({ files: { "base/a.json": { tasks: [] } } }), judge, {
    inputs: { baseline: "base/*.json", "fail-on": "regression" },
  });
  expect(outcome.judge.asked).toEqual([]);
  expect(outcome.outputs.conclusion).toBe("failure");
  expect(lastLine(outcome)).toContain("the baseline has no grades of this action");
});

test("advisory graders are asked last, shown apart, and decide nothing", async () => {
  const graders = [promptGrader("tone"), promptGrader("quality")];
  const before = await grade({ runs: { a: "PPP" }, graders }, { advisory: "tone" });
  const outcome = await grade(
    { runs: { a: "RRP" }, graders },
    { advisory: "tone", baseline: before.outputs["results-file"] ?? "", "max-concurrency": "1" },
  );
  expect(outcome.code).toBe(0);
  expect(outcome.outputs).toMatchObject({
    score: "1.0000",
    "grades-passed": "3",
    "grades-failed": "0",
    passed: "true",
    comparison: "unchanged",
  });
  const asked = outcome.judge.asked
    .filter(({ turn }) => turn === 1)
    .map(({ prompt }) => /\((.*)\)/.exec(prompt)?.[1]);
  expect(asked).toEqual(["quality", "quality", "quality", "tone", "tone", "tone"]);
  expect(outcome.summary).toContain("- **tone** · 1 of 3 passed");
  expect(outcome.summary).toContain("It says RUDE.");
  const { grades } = recordOf(outcome);
  expect(grades.filter(({ advisory }) => advisory === true)).toHaveLength(3);
});

/** A baseline of one run of the action, as one file. */
async function saved(side: Side): Promise<string> {
  const outcome = await grade(side, { "fail-on": "never" });
  return outcome.outputs["results-file"] ?? "";
}

/** A copy of the file beside it. */
function besides(file: string): string {
  const copy = file.replace(/\.json$/, "-0.json");
  writeFileSync(copy, readFileSync(file, "utf8"));
  return copy;
}

const LONG = "the-one-task-of-all-whose-name-nobody-wants-to-read-in-a-title";

describe("what is red, and what the red line names", () => {
  test("one task's own fall while another rises", async () => {
    const before = await saved({ runs: { [LONG]: "PPPPP", b: "FFFFF" } });
    const runs = { [LONG]: "FFFFF", b: "PPPPP" };
    const outcome = await grade({ runs }, { baseline: before, "fail-on": "regression" });
    expect(outcome.code).toBe(1);
    expect(outcome.outputs.comparison).toBe("fell");
    expect(recordOf(outcome).rule).toBe("regression");
    expect(lastLine(outcome)).toContain(LONG);
    expect(outcome.summary).toContain("| 5/5 | **0/5** |");
    expect(JSON.stringify(outcome.github)).toContain("It passed 5 of 5 in the baseline.");
  });

  test("of three files only grades of now's prompt count, and one that was graded again once", async () => {
    const file = await saved({ runs: { a: "PPP" } });
    const graders = [promptGrader("quality", "Is it right at all?")];
    const older = await saved({ runs: { a: "PPP" }, graders });
    const files = [file, await saved({ runs: { a: "PPP" } }), besides(file), older].join("\n");
    const outcome = await grade({ runs: { a: "FFF" } }, { baseline: files, "fail-on": "regression" });
    expect(outcome.summary).toContain("| ❌ a | 3/3 | **0/3** |");
  });

  test("a golden task of the baseline slips by neither under another name nor by a grader of another type", async () => {
    const golden = ["a"];
    const runs = { a: "PPP", b: "PPP" };
    const inputs = { baseline: await saved({ runs, golden }), "fail-on": "score", "min-score": "0" };
    const renamed = await grade({ runs, golden, names: { a: "slow one" } }, { ...inputs, tasks: "!slow*" });
    expect(renamed.code).toBe(1);
    expect(lastLine(renamed)).toContain("golden tasks have to pass, and `a`");
    const text = { type: "text", name: "quality", config: { contains: ["GOOD"] } };
    const graders = [promptGrader("other"), text];
    const retyped = await grade({ runs, golden, graders }, inputs);
    expect(retyped.code).toBe(1);
    expect(lastLine(retyped)).toContain("(`quality`) no longer decides");
  });
});

describe("main dies: three good files, then three dead pushes", () => {
  const GOOD: Written = { a: "PPP", b: "PPP", c: "PFP" };
  /** A push to main, of which the results are kept where the action says so; its file, where it was kept. */
  async function push(runs: Written, file: string, kept: string[]): Promise<Outcome> {
    const outcome = await grade(
      { runs, messages: file },
      {
        baseline: kept.join("\n") || join(temporaryFolder("none"), "*.json"),
        "fail-on": "regression",
        "output-file": file,
      },
      PUSH_TO_MAIN,
    );
    if (outcome.outputs["baseline-worthy"] === "true") kept.push(outcome.outputs["results-file"] ?? "");
    return outcome;
  }

  test("a dead pull request is red, a living one is compared with what is left of main", async () => {
    const folder = project({ tasks: [] });
    const kept: string[] = [];
    const answers = [GOOD, { ...GOOD, c: "PPF" }, { ...GOOD, c: "FPP" }];
    for (const [index, runs] of answers.entries())
      expect((await push(runs, join(folder, `good-${String(index)}.json`), kept)).code).toBe(0);
    expect(kept).toHaveLength(3);
    const dead: Written = { a: "DDD", b: "DDD", c: "DDD" };
    for (const index of [1, 2, 3]) {
      const outcome = await push(dead, join(folder, `dead-${String(index)}.json`), kept);
      expect(outcome.code).toBe(1);
      expect(lastLine(outcome)).toContain("token expired");
    }
    expect(kept).toHaveLength(3);
    // Even where somebody kept them all the same: they excuse nothing.
    const all = [...kept, ...[1, 2, 3].map((index) => join(folder, `dead-${String(index)}.json`))];
    for (const baseline of [all, all.slice(3)]) {
      const outcome = await grade({ runs: dead }, { baseline: baseline.join("\n"), "fail-on": "regression" });
      expect(outcome.code).toBe(1);
      expect(outcome.judge.asked).toEqual([]);
    }
    const alive = await grade({ runs: GOOD }, { baseline: all.join("\n"), "fail-on": "regression" });
    expect(alive.code).toBe(0);
    expect(lastLine(alive)).toMatch(/^Passed: .*score 0\.89/);
    const worse = await grade(
      { runs: { a: "FFF", b: "PPP", c: "PFP" } },
      { baseline: all.join("\n"), "fail-on": "regression" },
    );
    expect(worse.code).toBe(1);
    expect(lastLine(worse)).toMatch(/Failed: .*score 0\.56, 0\.89/);
  });
});

/* Half a year of a suite that grows: each week a pull request that adds a task or edits one, and the push after it. */

const WEEKS = 26;
/** Files of main that are compared with. */
const FILES = 5;

/** A task, its prompt, and how often the agent passes it. */
interface Task {
  readonly id: string;
  readonly version: number;
  readonly chance: number;
}

const random = seeded(7);
/** What is new passes half of the time, and mostly once people have looked at it. */
const FRESH = 0.5;
const MENDED = 0.95;

/** One run of each task, graded; its outcome and its file. */
async function graded(tasks: readonly Task[], number: number, kept: readonly string[], push: boolean) {
  const runs = tasks.map(({ id, version, chance }) => {
    const final_output = `${random() < chance ? "GOOD" : "BAD"} ${String(number)}`;
    return { id, runs: [runFixture({ prompt: `Do ${id}, ${String(version)}.`, final_output })] };
  });
  const workspace = project({
    tasks: tasks.map(({ id, version }) => ({ id, inputs: { prompt: `Do ${id}, ${String(version)}.` } })),
    files: { "results.json": resultsFixture("suite", runs) },
  });
  const file = join(temporaryFolder("kept"), "graded.json");
  const baseline = kept.slice(-FILES).join("\n") || join(temporaryFolder("none"), "*.json");
  const inputs = { baseline, "fail-on": "regression", "output-file": file };
  const outcome = await act(workspace, judge, { ...(push ? PUSH_TO_MAIN : {}), inputs });
  return { outcome, file, line: lastLine(outcome) };
}

test("no added task makes a pull request red, and nothing new a push to main", async () => {
  let tasks = times(12, (index): Task => ({ id: `t${String(index)}`, version: 1, chance: MENDED }));
  const kept: string[] = [];
  const [added, edited, pushes]: [string[], string[], string[]] = [[], [], []];
  for (let week = 0; week < WEEKS; week += 1) {
    const isAdded = week % 2 === 1;
    if (isAdded) tasks = [...tasks, { id: `new${String(week)}`, version: 1, chance: FRESH }];
    else if (week > 0)
      tasks = tasks.map((task, index) =>
        index === week % tasks.length ? { ...task, version: task.version + 1, chance: FRESH } : task,
      );
    if (week > 0) {
      const pull = await graded(tasks, 2 * week, kept, false);
      (isAdded ? added : edited).push(pull.line);
    }
    const push = await graded(tasks, 2 * week + 1, kept, true);
    if (week > 0) pushes.push(push.line);
    expect(push.outcome.outputs["baseline-worthy"]).toBe("true");
    kept.push(push.file);
    tasks = tasks.map((task) => ({ ...task, chance: MENDED }));
  }
  // By chance one of these is "worse than main".
  expect(reasonsOf(added)).toEqual({ green: 12, "fail what always passed": 1 });
  expect(reasonsOf(pushes)).toEqual({ green: 25 });
  expect(reasonsOf(edited)).toEqual({ green: 3, "cannot be compared": 9 });
  expect(added.filter((line) => line.includes("not on main yet in this form"))).toHaveLength(4);
});

/** How many lines are green, and how many are red for each reason. */
function reasonsOf(lines: readonly string[]): Record<string, number> {
  const reasons = ["cannot be compared", "has no result", "fail what always passed"];
  const of = (line: string) =>
    line.includes("Failed: ") ? (reasons.find((reason) => line.includes(reason)) ?? line) : "green";
  return Object.fromEntries([...Map.groupBy(lines, of)].map(([reason, its]) => [reason, its.length]));
}
