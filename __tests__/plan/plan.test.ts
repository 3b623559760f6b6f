import { describe, expect, test } from "@jest/globals";
import { agent, graderOf, runOf, suiteOf, user } from "../support/factories.ts";
import { taskOf as bareTask } from "../support/outputs.ts";
import { expectSaid } from "../support/problems.ts";
import { DEFAULT_JUDGE } from "../../src/domain/defaults.ts";
import type { GradingJob } from "../../src/domain/grade.ts";
import type { SourceSpan } from "../../src/domain/problem.ts";
import type { ResultsFile, Run } from "../../src/domain/run.ts";
import type { Grader, Suite, Task } from "../../src/domain/suite.ts";
import { listOfAgain, rowsOfTasks } from "../../src/plan/runs.ts";
import { planJobs } from "../../src/plan/plan.ts";
import { hasWork, isNarrowed, whyNotSelected } from "../../src/plan/planned.ts";
import { idleEvals, withoutSameRuns } from "../../src/plan/problems.ts";
import { runWarnings, withPrompt } from "../../src/plan/settled.ts";

const AT = { path: "eval.yaml", startLine: 1, endLine: 1, inRepository: true };

function grader(name: string, more: Partial<Grader> = {}): Grader {
  return graderOf({ name, prompt: `Judge ${name}.`, at: AT, ...more });
}

function task(id: string, more: Partial<Task> = {}): Task {
  return { ...bareTask(id), ...more };
}

function suite(more: Partial<Suite> = {}): Suite {
  const title = more.name ?? "eval.yaml";
  return suiteOf({ title, at: AT, graders: [grader("quality")], tasks: [task("t1")], ...more });
}

function run(taskId: string, more: Partial<Run> = {}): Run {
  return runOf({ taskId, model: "agent", finalOutput: "Done.", ...more });
}

function results(runs: readonly Run[], more: Partial<ResultsFile> = {}): ResultsFile {
  return { path: "results.json", model: "agent", runs, ...more };
}

/** Results with a run of each of these tasks. */
function ranTasks(ids: readonly string[], more: Partial<ResultsFile> = {}): ResultsFile {
  return results(
    ids.map((id) => run(id)),
    more,
  );
}

type Request = Parameters<typeof planJobs>[0];

function plan(suites: readonly Suite[], files: readonly ResultsFile[], more: Partial<Request> = {}) {
  return planJobs({ suites, results: files, ...more });
}

/** What globs of tasks leave out, and whole suites. */
function leaving(globs: readonly string[], out: readonly Suite[] = []) {
  const whyLeft = (one: Suite, its?: Task) =>
    out.includes(one) ? "left out" : its && whyNotSelected(globs, one, its);
  return { tasks: globs, whyLeft };
}

/** A job in a few words: suite, task, file, run and grader. */
function words({ suite: { title }, task: { id }, file, run: of, grader: { name } }: GradingJob): string {
  return [title, id, ...(of ? [`${file?.path ?? ""}#${String(of.number)}`] : ["no run"]), name].join(" ");
}

/** The verdict of the only job of one grader and one run. */
function settled(request: { grader?: Partial<Grader>; run?: Partial<Run>; withoutKey?: string }) {
  const { jobs } = plan(
    [suite({ graders: [grader("quality", request.grader)] })],
    [results([run("t1", request.run)])],
    request.withoutKey === undefined ? {} : { withoutKey: () => request.withoutKey },
  );
  expect(jobs).toHaveLength(1);
  return jobs[0]!.settled;
}

describe("suites meet results", () => {
  const t1 = ranTasks(["t1"]);
  const b = suite({ name: "b" });

  test.each<[string, Suite[], ResultsFile[], string[]]>([
    [
      "by the eval's name, though the ids are the same",
      [suite({ name: "a" }), b],
      [
        ranTasks(["t1"], { path: "b.json", evalName: "b" }),
        ranTasks(["t1"], { path: "a.json", evalName: "a" }),
      ],
      ["a t1 a.json#1 quality", "b t1 b.json#1 quality"],
    ],
    [
      "by task id when the results have no name",
      [b],
      [ranTasks(["t1", "t2"])],
      ["b t1 results.json#1 quality"],
    ],
    [
      "by task id when the suite has no name",
      [suite()],
      [ranTasks(["t1"], { evalName: "elsewhere" })],
      ["eval.yaml t1 results.json#1 quality"],
    ],
    [
      "by name first: what belongs to a named suite is not graded by an unnamed one too",
      [suite(), b],
      [ranTasks(["t1"], { evalName: "b" })],
      ["eval.yaml t1 no run quality", "b t1 results.json#1 quality"],
    ],
    [
      "by the whole id, with its colons and slashes",
      [suite({ tasks: [task("eval:compute/x"), task("eval:compute")] })],
      [ranTasks(["eval:compute/x"])],
      ["eval.yaml eval:compute/x results.json#1 quality", "eval.yaml eval:compute no run quality"],
    ],
    [
      "in every task of the results when the suite lists none, each task once",
      [suite({ tasks: "every" })],
      [
        results([run("x"), run("y"), run("x", { number: 2 })]),
        results([run("y", { model: "other" })], { path: "other.json" }),
      ],
      [
        "eval.yaml x results.json#1 quality",
        "eval.yaml x results.json#2 quality",
        "eval.yaml y results.json#1 quality",
        "eval.yaml y other.json#1 quality",
      ],
    ],
    [
      "but not through a disabled task",
      [suite({ tasks: [task("t1", { enabled: false }), task("t2")] })],
      [ranTasks(["t1", "t2"])],
      ["eval.yaml t2 results.json#1 quality"],
    ],
    [
      "but not through a broken suite",
      [suite({ name: "a", broken: true }), b],
      [t1],
      ["b t1 results.json#1 quality"],
    ],
    [
      "but results of a broken suite are no one else's",
      [suite({ name: "a", broken: true }), suite()],
      [ranTasks(["t1"], { evalName: "a" }), ranTasks(["t1"], { path: "mine.json" })],
      ["eval.yaml t1 mine.json#1 quality"],
    ],
  ])("%s", (_case, suites, files, jobs) => {
    expect(plan(suites, files).jobs.map(words)).toEqual(jobs);
  });

  test("a suite that lists no tasks takes names from the results", () => {
    const files = [results([run("x", { taskName: "Task X" }), run("y")])];
    const { jobs } = plan([suite({ tasks: "every" })], files);
    expect(jobs.map((job) => job.task.name)).toEqual(["Task X", "y"]);
  });

  test("the jobs stand in the order suite, task, results file, run, grader", () => {
    const graders = [grader("g2"), grader("g1")];
    const { jobs } = plan(
      [
        suite({ name: "z", graders, tasks: [task("t2"), task("t1")] }),
        suite({ name: "a", graders: [grader("g")] }),
      ],
      [
        results([run("t1"), run("t2", { number: 2 }), run("t2", { number: 1 })], { path: "2.json" }),
        ranTasks(["t1", "t2"], { path: "1.json" }),
      ],
    );
    const runs = ["z t2 2.json#2", "z t2 2.json#1", "z t2 1.json#1", "z t1 2.json#1", "z t1 1.json#1"];
    expect(jobs.map(words)).toEqual([
      ...runs.flatMap((of) => [`${of} g2`, `${of} g1`]),
      "a t1 2.json#1 g",
      "a t1 1.json#1 g",
    ]);
  });

  test("a job carries its suite, run and file themselves, and nothing settled when the judge is to be asked", () => {
    const [mine, file] = [suite(), results([run("t1")])];
    const { jobs, problems } = plan([mine], [file]);
    expect(problems).toEqual([]);
    expect(jobs[0]?.suite).toBe(mine);
    expect(jobs[0]?.file).toBe(file);
    expect(jobs[0]?.run).toBe(file.runs[0]);
    expect(jobs[0]?.settled).toBeUndefined();
  });
});

describe("advisory graders", () => {
  const graders = [grader("tone"), grader("quality"), grader("tone: long")];
  const advised = (advisory: readonly string[]) =>
    plan([suite({ graders, tasks: [task("t1"), task("t2")] })], [ranTasks(["t1", "t2"])], { advisory });

  test.each<[string, string[], string[]]>([
    ["are none without a glob", [], []],
    ["are named by a whole name", ["tone"], ["tone"]],
    ["are named by a glob", ["tone*"], ["tone", "tone: long"]],
    ["are named with their suite", ["eval.yaml/tone"], ["tone"]],
    ["are those that are left of others", ["tone*", "!*long"], ["tone"]],
    ["are all but one where every line excludes", ["!quality"], ["tone", "tone: long"]],
  ])("%s", (_case, globs, expected) => {
    const { jobs, problems } = advised(globs);
    expect(problems).toEqual([]);
    const advisory = jobs.filter((job) => job.advisory).map((job) => job.grader.name);
    expect([...new Set(advisory)]).toEqual(expected);
  });

  test("that are not there are a notice, with what may be meant", () => {
    const { jobs, problems } = advised(["tones"]);
    expect(jobs.some((job) => job.advisory)).toBe(false);
    expectSaid(problems, ["notice idle-advisory … `tones` … Did you mean `tone`?"]);
  });
});

describe("the graders of a task", () => {
  const other = "quality";

  test.each<[string, Partial<Suite>, Partial<Task>, string[]]>([
    ["are the eval's, then its own", {}, { graders: [grader("tone")] }, ["Judge quality.", "Judge tone."]],
    [
      "are its own where the eval's has the same name",
      { graders: [grader("quality"), grader("length")] },
      { graders: [grader("quality", { prompt: "Own." })] },
      ["Judge length.", "Own."],
    ],
    [
      "are without the eval's that a grader of another type replaces",
      { graders: [grader("quality"), grader("length")] },
      { otherGraders: [other] },
      ["Judge length."],
    ],
    [
      "are its own prompt grader where the eval's of that name is of another type",
      { graders: [], otherGraders: [other] },
      { graders: [grader("quality")] },
      ["Judge quality."],
    ],
    ["may be none", { graders: [] }, {}, []],
  ])("%s", (_case, ofSuite, ofTask, prompts) => {
    const mine = suite({ ...ofSuite, tasks: [task("t1", ofTask)] });
    const { jobs } = plan([mine], [results([run("t1")])]);
    expect(jobs.map((job) => job.grader.prompt).sort()).toEqual([...prompts].sort());
    expect(hasWork({ suites: [mine] })).toBe(prompts.length > 0);
  });

  test("replaced in one task are untouched in the next", () => {
    const own = task("t1", { graders: [grader("quality", { prompt: "Own." })] });
    const { jobs } = plan([suite({ tasks: [own, task("t2")] })], [ranTasks(["t1", "t2"])]);
    expect(jobs.map((job) => job.grader.prompt)).toEqual(["Own.", "Judge quality."]);
  });
});

describe("narrowing excuses what it left out, and nothing else", () => {
  const working = suite({ graders: [grader("g")], tasks: [task("t1")] });
  const disabled = suite({ graders: [grader("g")], tasks: [task("t1", { enabled: false })] });
  const empty = suite({ graders: [], tasks: [task("t1")] });

  test.each([
    ["a suite that is unchanged", [working], [working], [], true],
    ["a suite that `tasks` leaves out", [working], [], ["other"], true],
    ["a suite that is planned", [working], [], [], false],
    ["a disabled suite beside an unchanged one", [disabled, working], [working], [], false],
    ["a suite without a grader beside an unchanged one", [empty, working], [working], [], false],
    ["disabled suites that are unchanged", [disabled], [disabled], [], false],
    ["no suite", [], [], [], false],
  ])("%s", (_case, suites, unchanged, tasks, isExcused) => {
    expect(isNarrowed({ suites, ...leaving(tasks, unchanged) })).toBe(isExcused);
  });
});

describe("the judge model", () => {
  interface From {
    readonly grader?: string;
    readonly input?: string;
    readonly eval?: string;
    readonly graderEffort?: string;
    readonly inputEffort?: string;
    readonly evalEffort?: string;
  }
  test.each<[string, From, string]>([
    ["the grader's before all", { grader: "g", input: "i", eval: "e" }, "g of grader, no effort of default"],
    ["the input's before the eval's", { input: "i", eval: "e" }, "i of input, no effort of default"],
    ["the eval's", { eval: "e", evalEffort: "high" }, "e of eval, high of eval"],
    ["the default one with little effort", {}, "gpt-6-luna of default, low of default"],
    ["that with the eval's effort", { evalEffort: "high" }, "gpt-6-luna of default, high of eval"],
    [
      "that with the input's effort before the eval's",
      { inputEffort: "max", evalEffort: "high" },
      "gpt-6-luna of default, max of input",
    ],
    [
      "that with the grader's effort before all",
      { graderEffort: "max", inputEffort: "high", evalEffort: "high" },
      "gpt-6-luna of default, max of grader",
    ],
    ["that with its effort, named by an eval", { eval: "gpt-6-luna" }, "gpt-6-luna of eval, low of default"],
  ])("is %s", (_case, from, expected) => {
    const graders = [grader("quality", { model: from.grader, effort: from.graderEffort })];
    const { jobs } = plan(
      [suite({ graders, judgeModel: from.eval, judgeEffort: from.evalEffort })],
      [results([run("t1")])],
      { ...(from.input ? { judgeModel: from.input } : {}), judgeEffort: from.inputEffort },
    );
    const shown = jobs.map(({ judgeModel, modelBy, judgeEffort = "no effort", effortBy }) => {
      return `${judgeModel} of ${String(modelBy)}, ${judgeEffort} of ${String(effortBy)}`;
    });
    expect(shown).toEqual([expected]);
    expect(DEFAULT_JUDGE).toEqual({ model: "gpt-6-luna", effort: "low" });
  });

  test("of one suite's eval is not that of the next", () => {
    const { jobs } = plan([suite({ name: "a", judgeModel: "e" }), suite({ name: "b" })], [ranTasks(["t1"])]);
    expect(jobs.map(({ judgeModel }) => judgeModel)).toEqual(["e", DEFAULT_JUDGE.model]);
  });
});

describe("a verdict that needs no judge", () => {
  const STEP = { kind: "assistant", text: "Hi." } as const;

  test.each<[string, Partial<Run>]>([
    ["a final output", { finalOutput: "x", steps: [] }],
    ["a conversation alone", { finalOutput: "", steps: [STEP] }],
    ["a blank output and a conversation", { finalOutput: " \n", steps: [STEP] }],
  ])("there is none for a run with %s", (_case, of) => {
    expect(settled({ run: of })).toBeUndefined();
  });

  test.each<[string, Partial<Run>, string]>([
    ["with its message", { agent: "failed", errorMessage: "deadline exceeded" }, ": deadline exceeded"],
    ["without a message", { agent: "failed" }, ", without a message"],
  ])("an agent that failed, %s, gets score 0 without checks", (_case, of, note) => {
    expect(settled({ run: of })).toEqual({
      state: "graded",
      checks: [],
      score: 0,
      passed: false,
      note: `The agent never got to work. Its run ended in an error${note}`,
    });
  });

  test("each grader of an agent that failed gets a failed grade, the unsupported one too", () => {
    const graders = [grader("a"), grader("b", { unsupported: "mode: best-of" })];
    const { jobs } = plan([suite({ graders })], [results([run("t1", { agent: "failed" })])]);
    const failed = { state: "graded", passed: false, score: 0 };
    expect(jobs.map((job) => job.settled)).toMatchObject([failed, failed]);
  });

  test.each<[string, Parameters<typeof settled>[0], object, readonly string[]]>([
    [
      "waza's own graders that failed",
      { run: { agent: "grader-failed", errorMessage: "running graders: boom" } },
      { class: "graders-failed" },
      ["running graders: boom", "waza run --skip-graders"],
    ],
    [
      "an unsupported option",
      { grader: { unsupported: "mode: best-of" } },
      { class: "unsupported" },
      ["`mode: best-of`"],
    ],
    [
      "a run that holds nothing",
      { run: { finalOutput: "", steps: [] } },
      { class: "no-evidence", file: "results.json" },
      ["The run has neither a final output nor a conversation, so there is nothing to judge."],
    ],
    ["white space", { run: { finalOutput: " \n\t" } }, { class: "no-evidence" }, []],
    [
      "only what the user said",
      { run: { finalOutput: "", steps: [user("Do it.")] } },
      { class: "no-evidence" },
      [],
    ],
    [
      "nothing in a file of its own",
      { run: { finalOutput: "", source: "out/a.md" } },
      { class: "no-evidence", file: "out/a.md" },
      [],
    ],
  ])("%s is an error before any request, not a score", (_case, request, fault, said) => {
    const verdict = settled(request);
    expect(verdict).toMatchObject({ state: "errored", error: fault });
    for (const part of said) expect(JSON.stringify(verdict)).toContain(part);
  });

  test("a session that was not recorded is not resumed: its final output is judged, with a warning", () => {
    const made = suite({ graders: [grader("goes on", { continueSession: true })], tasks: [task("t1")] });
    const { jobs } = plan([made], [results([run("t1", { prompt: "Do it." })])]);
    expect(jobs.map((job) => job.settled)).toEqual([undefined]);
    expectSaid(runWarnings(jobs), ["warning no-conversation … `continue_session: true`"]);
  });

  test("without a key every grade is skipped with the reason", () => {
    expect(settled({ withoutKey: "A fork has no key." })).toEqual({
      state: "skipped",
      cause: "no-key",
      reason: "A fork has no key.",
    });
  });

  test("a task without a run is skipped once for each grader, and the others are graded", () => {
    const graders = [grader("a"), grader("b")];
    const { jobs, problems } = plan(
      [suite({ graders, tasks: [task("t1"), task("t2")] })],
      [ranTasks(["t2"])],
    );
    expect(jobs.map(words)).toEqual([
      "eval.yaml t1 no run a",
      "eval.yaml t1 no run b",
      "eval.yaml t2 results.json#1 a",
      "eval.yaml t2 results.json#1 b",
    ]);
    for (const job of jobs.slice(0, 2)) {
      expect(job.settled).toMatchObject({ state: "skipped", cause: "missing" });
    }
    expect(problems.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("missing runs", () => {
  /** Results of one model: its runs of each task, and how many there were to be. */
  const ran = (model: string, tasks: Record<string, number>, more: Partial<ResultsFile> = {}) =>
    results(
      Object.entries(tasks).flatMap(([id, count]) =>
        Array.from({ length: count }, (_, index) => run(id, { model, number: index + 1 })),
      ),
      { path: `${model}.json`, model, runsPerTest: 1, ...more },
    );
  const two = suite({ name: "a", tasks: [task("t1"), task("t2")] });
  const missing = (suites: Suite[], files: ResultsFile[]) =>
    plan(suites, files).jobs.flatMap(
      ({ suite: { title }, task: { id }, missing: gone, run: held, settled: verdict }) => {
        const by = gone?.model === "" ? "" : ` by ${String(gone?.model)}`;
        const said = verdict?.state === "skipped" ? verdict.reason : "";
        const more = said.replace("The results lack this planned run.", "");
        return held ? [] : `${title} ${id} #${String(gone?.number)}${by}${more}`;
      },
    );

  const every = suite({ name: "a", tasks: "every" });
  const b = suite({ name: "b", tasks: [task("t3"), task("t4")] });
  const off = suite({ tasks: [task("t1"), task("t2", { enabled: false })] });
  const ungraded = suite({ graders: [], tasks: [task("t1", { graders: [grader("g")] }), task("t2")] });
  const log = { runsPerTest: undefined };
  const ofA = { evalName: "a" };

  test.each<[string, ResultsFile[], string[], Suite[]?]>([
    ["are one of each task that has none", [ran("m", { t1: 1 })], ["a t2 #1 by m"]],
    [
      "are none by models of logs, of which none was planned",
      [ran("m", { t1: 1 }, log), ran("n", { t2: 1 }, log)],
      [],
    ],
    [
      "are as many as the results say were to be made, where there are fewer",
      [ran("m", { t1: 1, t2: 3 }, { runsPerTest: 3 })],
      ["a t1 #2 by m", "a t1 #3 by m"],
    ],
    [
      "are all of them where the task has none",
      [ran("m", { t1: 2 }, { runsPerTest: 2 })],
      ["a t2 #1 by m", "a t2 #2 by m"],
    ],
    ["are none where there are more than that", [ran("m", { t1: 2, t2: 1 })], []],
    ["are none where another file of the model has the task", [ran("m", { t1: 1 }), ran("m", { t2: 1 })], []],
    [
      "are counted file by file, each by its own number",
      [ran("m", { t1: 2, t2: 2 }, { runsPerTest: 2 }), ran("m", { t1: 1, t2: 2 }, { runsPerTest: 2 })],
      ["a t1 #3 by m"],
    ],
    ["are those that another model ran", [ran("m", { t1: 1 }), ran("n", { t1: 1, t2: 1 })], ["a t2 #1 by m"]],
    [
      "are those of a model whose file names the suite and holds nothing",
      [ran("m", { t1: 1, t2: 1 }, ofA), ran("n", {}, ofA)],
      ["a t1 #1 by n", "a t2 #1 by n"],
    ],
    [
      "are none of a model whose file names no suite",
      [ran("m", { t1: 1, t2: 1 }), ran("n", { other: 1 })],
      [],
    ],
    [
      "are none of an unknown model, which may be any",
      [ran("m", { t1: 1 }), ran("unknown model", { t2: 1 })],
      [],
    ],
    ["are of no model where none is known", [ran("unknown model", { t1: 1 })], ["a t2 #1 by unknown model"]],
    [
      "name the task that is perhaps meant",
      [ran("m", { t1: 1, "t2-": 1 })],
      ["a t2 #1 by m Did you mean `t2-`, which they have?"],
    ],
    [
      "are those of a whole suite without results",
      [ran("m", { t1: 1, t2: 1 })],
      ["b t3 #1", "b t4 #1"],
      [two, b],
    ],
    [
      "are one for a suite without tasks or results",
      [ran("m", { t1: 1, t2: 1 }, ofA)],
      ["b * #1"],
      [two, { ...b, tasks: "every" }],
    ],
    [
      "of a suite that names no tasks are those that another model ran",
      [ran("m", { x: 1 }), ran("n", { x: 1, y: 1 })],
      ["a y #1 by m"],
      [every],
    ],
    ["are none of a disabled task", [ran("m", { t1: 1 })], [], [off]],
    ["are none of a task that has no prompt grader", [ran("m", { t1: 1 })], [], [ungraded]],
  ])("%s", (_case, files, expected, suites = [two]) => {
    expect(missing(suites, files)).toEqual(expected);
  });

  test("are before the agent has worked as many as the eval's trials, up to a hundred; results say for themselves", () => {
    const numbers = (trials: number, files: ResultsFile[]) =>
      plan([suite({ trials })], files, { dryRun: true }).jobs.map(
        ({ run: held, missing }) => held?.number ?? missing?.number,
      );
    expect(numbers(3, [])).toEqual([1, 2, 3]);
    expect(numbers(1e9, [])).toHaveLength(100);
    expect(numbers(3, [ran("m", { t1: 1 })])).toEqual([1]);
    const other = suite({ name: "other", trials: 3, tasks: [task("t9")] });
    const real = plan([two, other], [ran("m", { t1: 1, t2: 1 }, { evalName: "a" })]);
    expect(real.jobs.filter(({ suite: { name } }) => name === "other")).toHaveLength(1);
  });

  test("are no more than a hundred of a task, for any number in the results", () => {
    const { jobs } = plan([suite()], [ran("m", { t1: 1 }, { runsPerTest: 1e15 })]);
    expect(jobs).toHaveLength(101);
    expect(new Set(jobs.map(({ run: held, missing }) => held?.number ?? missing?.number)).size).toBe(101);
  });
});

describe("a golden task", () => {
  test.each<[string, boolean | undefined, boolean | undefined, boolean]>([
    ["is one that its file marks", true, undefined, true],
    ["is one that the results mark", undefined, true, true],
    ["is one that either of them marks", false, true, true],
    ["is none without a mark", undefined, undefined, false],
  ])("%s", (_case, ofTask, ofRun, expected) => {
    const files = [results([run("t1", { golden: ofRun })])];
    const { jobs } = plan([suite({ tasks: [task("t1", { golden: ofTask })] })], files);
    expect(jobs.map((job) => job.task.golden === true)).toEqual([expected]);
  });
});

describe("the input tasks", () => {
  const suites = [
    suite({ name: "a", tasks: [task("eval:csv/export"), task("eval:csv/import", { name: "Read a table" })] }),
    suite({ name: "b", tasks: [task("plain"), task("off", { enabled: false })] }),
  ];
  const held = [ranTasks(["eval:csv/export", "eval:csv/import", "plain", "off"])];

  test.each<[string, string[], string[]]>([
    ["takes all without a line", [], ["eval:csv/export", "eval:csv/import", "plain"]],
    ["takes an id", ["plain"], ["plain"]],
    ["takes a name", ["Read a table"], ["eval:csv/import"]],
    ["takes any characters for a star", ["eval*port"], ["eval:csv/export", "eval:csv/import"]],
    ["takes several lines together", ["plain", "*/export"], ["eval:csv/export", "plain"]],
    ["leaves out what a line excludes", ["eval:*", "!*/import"], ["eval:csv/export"]],
    ["begins with all where every line excludes", ["!eval:*"], ["plain"]],
    ["never takes a disabled task", ["off", "plain"], ["plain"]],
    ["takes the whole id alone, not a part of it", ["plain", "!lain"], []],
    ["takes letters as they are", ["plain", "!Plain"], []],
  ])("%s", (_case, tasks, ids) => {
    const { jobs } = plan(suites, held, leaving(tasks));
    expect(jobs.map((job) => job.task.id)).toEqual(ids);
  });

  test("what it leaves out is not missing", () => {
    const { jobs, problems } = plan(suites, [ranTasks(["plain"])], leaving(["plain"]));
    expect(jobs.map(words)).toEqual(["b plain results.json#1 quality"]);
    expect(problems).toEqual([]);
  });

  const ALL = "There is `a/eval:csv/export`, `a/eval:csv/import`, `b/plain`, `b/off`.";
  test.each<[string, string, string]>([
    [
      "with what is perhaps meant",
      "plein",
      "Did you mean `plain`? `tasks` takes ids or names of tasks, one per line",
    ],
    ["with what there is", "csv*", `Correct it, or remove it: … ${ALL}`],
    ["with what there is of its eval", "b/9", "There is `b/plain`, `b/off`."],
    ["also where it excludes", "!nothing", ALL],
  ])("a glob that matches nothing is an error, and nothing is planned, %s", (_case, glob, help) => {
    const { jobs, problems } = plan(suites, held, leaving(["plain", glob]));
    const errors = problems.filter(({ level }) => level === "error");
    expectSaid(errors, [`error idle-tasks … \`${glob}\` … ${help}`]);
    expect(jobs).toEqual([]);
  });

  test.each<[string, Suite[], Partial<Request>]>([
    ["a task of an eval that changed-only leaves out", suites, leaving(["plain"], [suites[1]!])],
    ["perhaps a task of an eval that cannot be read", [suites[0]!, suite({ broken: true })], {}],
    [
      "perhaps a task of one that names none, and has no results",
      [suite({ tasks: "every" })],
      { results: [] },
    ],
  ])("a glob may match %s", (_case, mine, more) => {
    const { problems } = plan(mine, held, { ...leaving(["plain"]), ...more });
    expect(problems.map(({ code }) => code)).not.toContain("idle-tasks");
  });

  test.each([
    ["one that excludes all", ["!*"]],
    ["one that names a disabled task alone", ["off"]],
  ])("%s leaves nothing to grade, which is an error", (_case, tasks) => {
    const { jobs, problems } = plan(suites, held, leaving(tasks));
    expect(jobs).toEqual([]);
    expect(problems[0]).toMatchObject({ level: "error", code: "nothing-to-grade" });
  });

  test("takes no more than linear time, for any names of tasks", () => {
    const id = "ab".repeat(500_000);
    const { whyLeft } = leaving([`${"*b*a".repeat(50)}*c`]);
    expect(hasWork({ suites: [suite({ tasks: [task(id)] })], whyLeft })).toBe(false);
  });
});

describe("changed-only", () => {
  test("leaves whole evals out: no job, nothing missing, results or not", () => {
    const [kept, out] = [suite({ name: "a" }), suite({ name: "b", tasks: [task("t2")] })];
    for (const ids of [["t1"], ["t1", "t2"]]) {
      const { jobs, problems } = plan([kept, out], [ranTasks(ids)], leaving([], [out]));
      expect(jobs.map(words)).toEqual(["a t1 results.json#1 quality"]);
      expect(problems).toEqual([]);
    }
    expect(hasWork({ suites: [out], ...leaving([], [out]) })).toBe(false);
  });
});

describe("an eval with nothing to grade", () => {
  const bare = suite({ name: "bare", graders: [], otherGraders: ["x"] });
  const off = suite({ name: "off", tasks: [task("t", { enabled: false })] });
  const replaced = suite({
    tasks: [task("t", { otherGraders: ["quality"] }), task("u", { enabled: false })],
  });

  test.each<[string, Suite[], boolean, string?]>([
    [
      "is a notice where it was only found",
      [bare],
      false,
      "notice … it has no prompt grader of an enabled task (in a skill's evals",
    ],
    ["is a notice beside others that a glob matches", [bare, suite()], true, "notice … has no prompt grader"],
    ["is an error where it is all that the globs match", [bare], true, "error … has no prompt grader"],
    [
      "is an error where the input names it",
      [{ ...bare, named: true }, suite()],
      true,
      "error … has no prompt grader",
    ],
    [
      "says so where all its tasks are disabled",
      [{ ...off, named: true }],
      true,
      "error … of an enabled task",
    ],
    ["says so where its tasks replace the graders", [replaced], true, "error … of an enabled task"],
    ["is no news of one that cannot be read", [{ ...bare, broken: true }], true],
    ["is no news of one that has something", [suite()], true],
  ])("%s", (_case, suites, given, ...said) => {
    expectSaid(idleEvals(suites, given ? "given" : "default"), said as string[]);
  });
});

describe("problems of the plan", () => {
  const off = task("off", { enabled: false });
  const every = suite({ tasks: "every" });

  test.each<[string, Suite[], ResultsFile[], readonly string[]]>([
    [
      "results without one run of any task that was to be graded",
      [suite({ tasks: [task("t1"), task("t2"), off] })],
      [results([])],
      ["error no-planned-run … (`t1`, `t2`)."],
    ],
    [
      "many tasks without a run, of which ten are named",
      [suite({ tasks: Array.from({ length: 12 }, (_, index) => task(`t${String(index)}`)) })],
      [results([])],
      ["error no-planned-run … `t8`, `t9` and 2 more"],
    ],
    [
      "a suite that lists no tasks, and results without any",
      [every],
      [results([])],
      ["error no-planned-run"],
    ],
    [
      "a suite that lists no tasks, and results of another eval alone",
      [{ ...every, name: "a" }],
      [ranTasks(["t1"], { evalName: "b" })],
      ["error unmatched-tasks"],
    ],
    [
      "results of an eval that is not loaded, with its name and those that are",
      [suite({ name: "a" }), suite({ name: "b" })],
      [ranTasks(["t1"], { path: "c.json", evalName: "c" }), ranTasks(["t1"], { evalName: "a" })],
      ["warning unmatched-tasks c.json:1 … `c` … `a`, `b`"],
    ],
    [
      "nothing of results of an eval that is loaded but broken",
      [suite({ name: "a", broken: true }), suite({ name: "b" })],
      [ranTasks(["t1"], { evalName: "a" }), ranTasks(["t1"], { evalName: "b" })],
      [],
    ],
    [
      "tasks of the results that no suite names",
      [suite({ tasks: [task("t1"), off] })],
      [ranTasks(["t1", "off", "x", "x", "y"])],
      ["notice other-tasks … : `x`, `y`."],
    ],
    [
      "nothing of a task of unnamed results that any of the suites names",
      [suite({ name: "a" }), suite({ name: "b", tasks: [task("t2")] })],
      [ranTasks(["t1", "t2"])],
      [],
    ],
    ["nothing when a suite takes every task", [every, suite()], [ranTasks(["t1", "whatever"])], []],
  ])("tell of %s", (_case, suites, files, said) => {
    expectSaid(plan(suites, files).problems, said);
  });

  test.each<[string, string[], RegExp]>([
    [
      "one that the results call nearly so",
      ["export"],
      /\(`export`\); they have `exprt`\. Write the same id in both: `export` of the eval seems to be `exprt` of the results\.$/,
    ],
    [
      "one of two that the results call nearly so",
      ["export", "other"],
      /\. Write the same id.*\. Check that the agent/,
    ],
    ["none that the results call nearly so", ["other"], /\. Check that the agent ran on these tasks/],
  ])("without any run, and %s: one problem says what to do", (_case, ids, help) => {
    const { problems } = plan([suite({ tasks: ids.map((id) => task(id)) })], [ranTasks(["exprt"])]);
    expect(problems.map(({ level }) => level)).toEqual(["error"]);
    expect(`${problems[0]?.message ?? ""} ${problems[0]?.help ?? ""}`).toMatch(help);
  });
});

describe("whether there is work at all", () => {
  test.each<[string, Suite[], boolean]>([
    ["no suite", [], false],
    ["a task with the eval's grader", [suite()], true],
    [
      "a task with its own grader",
      [suite({ graders: [], tasks: [task("t", { graders: [grader("g")] })] })],
      true,
    ],
    ["no prompt grader", [suite({ graders: [], otherGraders: ["x"] })], false],
    ["every task disabled", [suite({ tasks: [task("t", { enabled: false })] })], false],
    ["no task", [suite({ tasks: [] })], false],
    ["every task of the results, with a grader", [suite({ tasks: "every" })], true],
    ["every task of the results, without a grader", [suite({ tasks: "every", graders: [] })], false],
    ["a broken suite alone", [suite({ broken: true })], false],
    ["a broken suite and a whole one", [suite({ broken: true }), suite()], true],
  ])("%s", (_case, suites, work) => {
    expect(hasWork({ suites })).toBe(work);
  });
});

/* Tasks without a prompt: the judge would not see what the agent was asked. */

const SUITE = suiteOf({ tasks: [] });
const fileOf = (id: string): SourceSpan => ({
  path: `tasks/${id}.yaml`,
  startLine: 1,
  endLine: 1,
  inRepository: true,
});

function taskOf(id: string, more: Partial<Task> = {}): GradingJob["task"] {
  return { id, name: id, at: fileOf(id), ...more };
}

function jobOf(task: GradingJob["task"], run: Partial<Run> = {}, more: Partial<GradingJob> = {}): GradingJob {
  return { suite: SUITE, task, grader: graderOf(), judgeModel: "judge", run: runOf(run), ...more };
}

const SKIPPED = { state: "skipped", cause: "no-key", reason: "No key." } as const;

test.each<[string, GradingJob]>([
  ["the run has a prompt", jobOf(taskOf("a"), { prompt: "Do it." })],
  ["no judge is asked", jobOf(taskOf("a"), {}, { settled: SKIPPED })],
  ["the run is missing", jobOf(taskOf("a"), {}, { run: undefined })],
])("nothing is said where %s", (_, job) => {
  expect(runWarnings([job])).toEqual([]);
});

test.each<[string, readonly GradingJob[], string, string]>([
  [
    "of one task, for any number of runs and graders",
    [jobOf(taskOf("a"), { steps: [agent("Done.")] }), jobOf(taskOf("a"), { prompt: " " })],
    "`a`.",
    "tasks/a.yaml",
  ],
  [
    "of several tasks, at the first",
    [jobOf(taskOf("z"), { prompt: "Do it." }), jobOf(taskOf("b")), jobOf(taskOf("a", { prompt: "" }))],
    "`b`, `a`.",
    "tasks/b.yaml",
  ],
])("one warning %s", (_, jobs, lack, path) => {
  const message = `The judge does not know the agent's prompt, which neither the eval nor the results have: ${lack}`;
  expect(runWarnings(jobs)).toMatchObject([{ level: "warning", message, at: { path } }]);
});

test("a dry run says of which tasks the prompt is not known before they are run", () => {
  const missing = { run: undefined, missing: { model: "", number: 1 } };
  const jobs = [jobOf(taskOf("a"), {}, missing), jobOf(taskOf("b", { prompt: "Do it." }), {}, missing)];
  expect(runWarnings(jobs)).toEqual([]);
  expectSaid(runWarnings(jobs, true), ["warning no-agent-prompt tasks/a.yaml:1 … have: `a`."]);
});

test("tasks that only the results name have a notice, at the eval", () => {
  const job = jobOf(taskOf("a", { at: undefined }), {}, { suite: suiteOf({ tasks: "every" }) });
  expectSaid(runWarnings([job]), [
    "notice no-agent-prompt evals/eval.yaml:4 … the results have: `a`. … as `prompt` of a record.",
  ]);
});

test("each suite has its own", () => {
  const other: Suite = suiteOf({ tasks: [], title: "other" });
  const problems = runWarnings([jobOf(taskOf("a")), jobOf(taskOf("b"), {}, { suite: other })]);
  expect(problems.map(({ at }) => at?.path)).toEqual(["tasks/a.yaml", "tasks/b.yaml"]);
});

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ["what the results say, before the task's own prompt", "said", "ours", "said"],
  ["the task's own where the results say nothing", undefined, "ours", "ours"],
  ["nothing where nothing names it", undefined, undefined, undefined],
])("a run was asked %s", (_, prompt, ours, asked) => {
  expect(withPrompt(runOf({ prompt }), { prompt: ours }).prompt).toBe(asked);
});

test.each<[string, string | undefined, string | undefined, number]>([
  ["differ", "Do it.", "Do that.", 1],
  ["differ in white space at the ends", "Do it.", "Do it.\n", 0],
  ["cannot be compared, since waza fills one in", "Do it.", "Do {{.Vars.x}}.", 0],
  ["are one alone", "Do it.", undefined, 0],
])(
  "results and task file that %s have a warning for their suite: last column",
  (_, prompt, ours, warnings) => {
    const jobs = ["a", "b"].map((id) => jobOf(taskOf(id, { prompt: ours }), { prompt }));
    expect(runWarnings(jobs).map(({ level }) => level)).toEqual(Array<string>(warnings).fill("warning"));
  },
);

test.each<[string, Partial<ResultsFile>, Partial<Run>, RegExp]>([
  ["records", { format: "records" }, {}, /^Set `model` in the records, or `trial` to a number of its own\./],
  ["run.json", { format: "logs of Codex" }, { isSaid: true }, /^Run each agent with a `model`, .*run\.json/],
  ["files by name", { format: "text files" }, {}, /^Name the files `<task-id>\.<trial>`\./],
  ["waza's results", {}, {}, /^Number them\. .*`run_number`/],
])("two runs of one number in %s name both files and what to write there", (_where, file, more, help) => {
  const files = ["a", "b"].map((name) =>
    results([run("t1", { ...more, source: `${name}/x`, finalOutput: name })], { path: name, ...file }),
  );
  const { jobs } = plan([suite()], files);
  const distinct = withoutSameRuns(jobs);
  expect(distinct.jobs.map((job) => job.run?.finalOutput)).toEqual(["a"]);
  const [problem] = distinct.problems;
  expect(problem?.message).toContain("`a/x` and `b/x` have different runs with the same task");
  expect(problem?.help).toMatch(help);
});

test("what is asked again is numbered on, for each agent and model, and nothing of the runs before", () => {
  const row = (trial: number, model: string) => ({
    ...{ folder: `x/${String(trial)}`, eval: AT.path, task: "t1", trial, agent: "codex", model },
    ...{ run_sha256: `${String(trial)}${model}`, side: undefined },
  });
  const bare = { ...row(1, "m"), side: "without-skill" as const };
  const plan = { ...NO_PLAN, runs: [row(1, "m"), row(2, "m"), bare, row(1, "n")], evals: ["a"] };
  const text = listOfAgain(rowsOfTasks(plan, [suite()]), plan, 2) ?? "";
  const { runs, evals } = JSON.parse(text) as { runs: { folder: string }[]; evals: unknown };
  const asked = (trial: number, model: string) => ({
    ...{ eval: AT.path, task: "t1", trial, agent: "codex", model, again: true },
    folder: expect.stringMatching(
      new RegExp(`^eval-yaml/t1-[0-9a-f]{6}/${String(trial)}-codex-${model}$`),
    ) as unknown,
  });
  expect([runs, evals]).toEqual([[asked(3, "m"), asked(4, "m"), asked(2, "n"), asked(3, "n")], ["a"]]);
});

const NO_PLAN = { runs: [], old: [], left: [], hadNoKey: false, ended: [], touched: [] };
