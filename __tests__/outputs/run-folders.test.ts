/** Folders of runs that say what they are by run.json. Read from folders on disk, and planned. */
import { createHash } from "node:crypto";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Suite, Task } from "../../src/domain/suite.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { taskDigests } from "../../src/outputs/task-digest.ts";
import { planJobs } from "../../src/plan/plan.ts";
import { laterAttempts, withoutSameRuns } from "../../src/plan/problems.ts";
import { ownWorkspaces } from "../../src/plan/workspaces.ts";
import { graderOf, suiteOf } from "../support/factories.ts";
import { begun, ended, jsonLines, loaded, loads, placedRun, taskOf } from "../support/outputs.ts";
import { expectSaid } from "../support/problems.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

function evalOf(name: string, path: string, ids: readonly string[]): Suite {
  const at = { path, startLine: 1, endLine: 1, inRepository: true };
  const tasks = ids.map((id) => ({ ...taskOf(id, "Do it."), at }));
  return suiteOf({ name, title: name, at, tasks, graders: [graderOf()] });
}

const ALPHA = evalOf("alpha", "evals/eval.yaml", ["1", "2"]);
const BETA = evalOf("beta", "beta/eval.yaml", ["1"]);

type Files = Readonly<Record<string, unknown>>;

/** Runs in a folder outside the checkout, as a workflow has them. */
async function plan(
  files: Files,
  {
    suites = [evalOf("alpha", "evals/eval.yaml", ["1"])],
    others = [],
    prepare,
    lift,
    isWorkflow = true,
  }: {
    suites?: readonly Suite[];
    others?: readonly Suite[];
    prepare?: (root: string) => void;
    lift?: boolean;
    isWorkflow?: boolean;
  } = {},
) {
  const root = writeProject(files);
  prepare?.(root);
  const outputs = await readOutputs({
    patterns: [root],
    workspace: temporaryFolder("checkout"),
    isWorkflow,
    suites,
    others: () => Promise.resolve(others),
  });
  const planned = planJobs({ suites, results: outputs.files.map(({ results }) => results), lift });
  const { jobs } = withoutSameRuns(planned.jobs);
  return {
    root,
    outputs,
    planned,
    jobs: ownWorkspaces(jobs),
    /** `eval task run answer`, an `*` where a later attempt made it again. */
    runs: jobs.map(({ suite, task, run, missing }) =>
      run
        ? `${suite.title} ${task.id} ${String(run.number)} ${run.finalOutput}${run.hasLaterAttempt ? "*" : ""}`
        : `${suite.title} ${task.id} missing ${String(missing?.number)}`,
    ),
    problems: [...outputs.problems, ...planned.problems],
  };
}

describe("printed text is an answer only with `exit: 0`: else the agent ended without an answer", () => {
  const dead = (errorMessage: string) => ({ agent: "stopped", finalOutput: "", errorMessage });
  const late = { timed_out: true, duration_ms: 2_000 };
  const LATE = "it was ended at the time limit, after 2 s";

  test.each<[string, Readonly<Record<string, unknown>>, string, object]>([
    ["ended well", {}, "fine", { agent: "finished", finalOutput: "fine" }],
    ["ended in an error", { exit: 3 }, "oops", dead("its program ended with 3")],
    ["timed out", { exit: null, ...late }, "Starting", dead(LATE)],
    ["timed out, and then ended well", { exit: 0, ...late }, "Half", dead(LATE)],
    ["ended in a way that is not known", { exit: null }, "Starting", dead("its run.json has no `exit`")],
    ["killed", { exit: 137 }, "Half", dead("its program was killed (SIGKILL)")],
    ["killed in silence", { exit: null, agent: "codex" }, "", { agent: "stopped", finalOutput: "" }],
    ["harmed itself", { error: "it removed its folder" }, "fine", { agent: "stopped", finalOutput: "" }],
  ])("%s", async (_case, record, log, run) => {
    const { jobs } = await plan(placedRun("a", { task: "1", ...record }, log));
    expect(jobs[0]?.run).toMatchObject(run);
  });
});

/** Rows of a client that no reader knows: a tool printed GOOD, and the agent gave up. */
const UNKNOWN_ROWS = [
  { kind: "tool.done", payload: { name: "run", printed: "GOOD" } },
  { kind: "turn.done", payload: { said: "I could not do it." } },
];

test.each<[string, object, string, string]>([
  ["a log that no reader knows is no answer", {}, jsonLines(...UNKNOWN_ROWS), "`kind`, `payload`"],
  ["one such row is an answer", {}, jsonLines(UNKNOWN_ROWS[0]), ""],
  ["rows by any key are no answer", {}, jsonLines({ said: "a" }, { said: "b" }), "`said`"],
  ["rows that a `command` printed are no answer", { agent: "command" }, jsonLines({ a: 1 }, { b: 2 }), "`a`"],
])("%s", async (_case, record, log, keys) => {
  const { jobs, problems } = await plan(placedRun("a", { task: "1", ...record }, log));
  expect(jobs[0]?.run?.finalOutput).toBe(keys === "" ? log : "");
  expectSaid(problems, keys === "" ? [] : [`error unknown-log … the first has ${keys}.`]);
});

/** Rows like Claude Code's, of a call that a program may have made up. */
const says = (role: string, content: unknown) => ({ type: role, message: { role, content } });
const CALL_ROWS = jsonLines(
  says("assistant", [{ type: "tool_use", id: "t", name: "Bash", input: {} }]),
  says("user", [{ type: "tool_result", tool_use_id: "t" }]),
);

describe("what a `command` printed is a log only if it is rows alone: else no words are dropped", () => {
  test.each<[string, string, boolean, object?]>([
    ["rows alone", CALL_ROWS, true],
    ["rows, the last one torn", `${CALL_ROWS}{"type":"assist`, true],
    ["prose, then rows", `All tests pass.\n${CALL_ROWS}`, false],
    ["rows, then prose", `${CALL_ROWS}All tests pass.\n`, false],
    ["prose after a row, on its line", `${CALL_ROWS.trimEnd()} All tests pass.`, false],
    ["prose before a row, on its line", `Done: ${CALL_ROWS}`, false],
    ["rows, then prose in quotes", `${CALL_ROWS}"All tests pass."\n`, false],
    ["a torn row that is not the last", `{"type":"assist\n${CALL_ROWS}`, false],
    ["prose before rows, by a known agent", `Loading.\n${CALL_ROWS}`, true, { agent: "claude" }],
    ["prose before rows, by any harness", `Loading.\n${CALL_ROWS}`, true, { agent: undefined }],
  ])("%s", async (_case, log, isLog, record = {}) => {
    const { jobs } = await plan(placedRun("a", { task: "1", agent: "command", ...record }, log));
    const { finalOutput, steps } = jobs[0]?.run ?? {};
    expect([finalOutput, steps?.length]).toEqual(isLog ? ["", 1] : [log, 0]);
  });
});

describe("a file of a run is that run, whatever names it", () => {
  const runs = {
    ...placedRun("runs/a/1", { task: "1", trial: 1, trials: 2 }, "One."),
    ...placedRun("runs/a/2", { task: "1", trial: 2, trials: 2 }, "Two."),
    "runs/.gitignore": "*",
    "runs/runs-again.json": "{}",
    "runs/a/1/errors.txt": "a warning",
    "runs/a/1/work/2.md": "An answer by the name of a task.",
    ...placedRun("runs/a/2/work/deep", { task: "2" }, "Planted."),
  };
  const BOTH = ["1 1 One.", "1 2 Two."];
  test.each<[string, readonly string[], readonly string[]]>([
    ["the folder", ["runs"], BOTH],
    ["logs", ["runs/**/log.jsonl"], BOTH],
    ["run.json", ["runs/**/run.json"], BOTH],
    ["everything", ["runs/**"], BOTH],
    ["the folder of one run", ["runs/a/2", "runs/a/1/work"], BOTH],
    ["a file that its agent left", ["runs/a/2", "runs/a/1/work/*.md"], BOTH],
    ["all but one run", ["runs/**", "!runs/a/1/**"], ["1 2 Two."]],
  ])("%s", async (_case, patterns, expected) => {
    const { files, paths, problems } = await readOutputs({
      patterns,
      workspace: writeProject(runs),
      isWorkflow: false,
      suites: [ALPHA],
    });
    const read = files.flatMap(({ results }) => results.runs);
    expect(problems).toEqual([]);
    expect(paths.filter((path) => path.endsWith("log.jsonl"))).toHaveLength(expected.length);
    expect(
      read.map(({ taskId, number, finalOutput }) => `${taskId} ${String(number)} ${finalOutput}`),
    ).toEqual(expect.arrayContaining([...expected]));
    expect(read).toHaveLength(expected.length);
  });
});

describe("a run is what its run.json says, wherever it lies", () => {
  test.each<[string, Files, readonly string[], (readonly string[])?]>([
    [
      "its eval and task",
      {
        ...placedRun("x/beta/2", { task: "1" }, "A."),
        ...placedRun("y", { eval: "beta/eval.yaml", task: "1" }, "B."),
      },
      ["alpha 1 1 A.", "alpha 2 missing 1", "beta 1 1 B."],
    ],
    [
      "more trials of one task than of another",
      {
        ...placedRun("a", { task: "1", trial: 1, trials: 1 }, "A."),
        ...placedRun("b", { task: "1", trial: 2, trials: 3 }, "B."),
        ...placedRun("c", { task: "2", trial: 1, trials: 1 }, "C."),
      },
      ["alpha 1 1 A.", "alpha 1 2 B.", "alpha 1 missing 3", "alpha 2 1 C.", "beta 1 missing 1"],
    ],
    [
      "further trials, of which one is missing",
      {
        ...placedRun("a", { task: "1", trial: 1, trials: 3 }, "One."),
        ...placedRun("b", { task: "1", trial: 3, trials: 3 }, "Three."),
        ...placedRun("c", { task: "2", trial: 2, trials: 3 }, "Two."),
      },
      [
        "alpha 1 1 One.",
        "alpha 1 3 Three.",
        "alpha 1 missing 2",
        "alpha 2 2 Two.",
        "alpha 2 missing 1",
        "alpha 2 missing 3",
        "beta 1 missing 1",
      ],
    ],
    [
      "a run that left nothing",
      placedRun("a", { task: "1", exit: 1 }, ""),
      ["alpha 1 1 ", "alpha 2 missing 1", "beta 1 missing 1"],
    ],
    [
      "waza's results of a whole eval",
      placedRun("a", {}, { eval_name: "alpha", tasks: [{ test_id: "1", runs: [{ final_output: "W." }] }] }),
      ["alpha 1 1 W.", "alpha 2 missing 1", "beta 1 missing 1"],
    ],
    [
      "an agent's log, with its answer",
      placedRun("a", { task: "1" }, jsonLines(says("user", "Do."), says("assistant", "Done."))),
      ["alpha 1 1 Done.", "alpha 2 missing 1", "beta 1 missing 1"],
    ],
    [
      "JSON of an unknown form, as the answer",
      placedRun("a", { task: "1" }, '{"answer": 42}'),
      ['alpha 1 1 {"answer": 42}', "alpha 2 missing 1", "beta 1 missing 1"],
    ],
  ])("%s", async (_case, files, runs) => {
    const planned = await plan(files, { suites: [ALPHA, BETA] });
    expect(planned.runs).toEqual(runs);
    expect(planned.problems.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("its model asked for, of which each has its runs", async () => {
    const { runs, planned } = await plan({
      ...placedRun("a", { task: "1", model: "m", trials: 1 }, "M."),
      ...placedRun("b", { task: "1", model: "n", trials: 2 }, "N."),
    });
    expect(runs).toEqual(["alpha 1 1 M.", "alpha 1 1 N.", "alpha 1 missing 2"]);
    expect(planned.jobs.at(-1)?.missing?.model).toBe("n");
  });

  test("its side: a run without the skill is no run of its task", async () => {
    const { runs, outputs, problems } = await plan({
      ...placedRun("a", { task: "1" }, "Same."),
      ...placedRun("b", { task: "1", side: "without-skill" }, "Same."),
    });
    expect(runs).toEqual(["alpha 1 1 Same."]);
    expect(outputs.files.map(({ results }) => results.side)).toEqual([undefined, "without-skill"]);
    expectSaid(problems, ["notice lift-not-set … 1 run without the skill"]);
  });

  test("its folder, how its program ended, and files that were missing", async () => {
    const left = { workspace: "work", timed_out: true, duration_ms: 2_000, missing_files: ["x.csv"] };
    const files = { ...placedRun("a", { task: "1", ...left }, "Half."), "a/work/left.txt": "left" };
    const { jobs, root, problems } = await plan(files);
    expect(jobs[0]?.workspace).toBe(join(root, "a/work"));
    expect(jobs[0]?.run?.ended).toBe("error: it was ended at the time limit, after 2 s");
    expectSaid(problems, ["warning missing-files … `1` … `x.csv`."]);
  });
});

describe("a run of an older skill, prompt or file", () => {
  const files = {
    ...placedRun("a", { task: "1", trial: 1, trials: 2, task_sha256: "older" }, "Old."),
    ...placedRun("b", { task: "1", trial: 2, trials: 2 }, "No digest."),
  };

  test("is a missing one at a desk", async () => {
    const { jobs, problems } = await plan(files, { isWorkflow: false });
    expect(jobs.map(({ settled }) => settled)).toMatchObject([{ state: "skipped", cause: "missing" }, {}]);
    expect(problems).toEqual([]);
  });

  test("counts in a workflow, with a warning", async () => {
    const { jobs, problems } = await plan(files);
    expect(jobs.map(({ settled }) => settled)).toEqual([undefined, undefined]);
    expectSaid(problems, ["warning older-runs … 1 run of 2 … `1`."]);
  });

  test("is told apart by the digest that `run` writes", async () => {
    const [suite] = [evalOf("alpha", "evals/eval.yaml", ["1"])];
    const [task] = suite.tasks as readonly Task[];
    const digest = await taskDigests()({ suite, task });
    const { jobs } = await plan(placedRun("a", { task: "1", task_sha256: digest }), { isWorkflow: false });
    expect(jobs.map(({ settled }) => settled)).toEqual([undefined]);
  });
});

describe("attempts", () => {
  test.each<[string, Files, readonly string[]]>([
    [
      "are further runs of the task, numbered on",
      {
        ...placedRun("a1", { task: "1", trial: 1, attempt: 1, trials: 2 }, "a1"),
        ...placedRun("a2", { task: "1", trial: 2, attempt: 1, trials: 2 }, "a2"),
        ...placedRun("b2", { task: "1", trial: 2, attempt: 2, trials: 2 }, "b2"),
      },
      ["alpha 1 1 a1", "alpha 1 2 a2*", "alpha 1 4 b2"],
    ],
    [
      "give way where they never got to work",
      {
        ...placedRun("a", { task: "1", attempt: 1 }, "Good."),
        ...placedRun("b", { task: "1", attempt: 2, exit: 1 }, ""),
      },
      ["alpha 1 1 Good."],
    ],
    [
      "lack what none has",
      {
        ...placedRun("a", { task: "1", attempt: 1, trials: 2 }, "a1"),
        ...placedRun("b", { task: "1", attempt: 2, trials: 2 }, "b1"),
      },
      ["alpha 1 1 a1*", "alpha 1 2 b1", "alpha 1 missing 2"],
    ],
  ])("%s", async (_case, files, runs) => {
    expect((await plan(files)).runs).toEqual(runs);
  });

  test("above the event's own are a configuration problem", async () => {
    const { outputs } = await plan({
      ...placedRun("a", { task: "1", attempt: 1 }),
      ...placedRun("b", { task: "1", attempt: 3 }),
    });
    expect(laterAttempts(outputs.files, 2)).toMatchObject([{ level: "error" }]);
    expect([...laterAttempts(outputs.files, 3), ...laterAttempts(outputs.files)]).toEqual([]);
  });
});

describe("what an agent or a mistake leaves is no run, and is said", () => {
  const good = placedRun("good", { task: "1" }, "Good.");
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");

  const x = (record: Readonly<Record<string, unknown>>, log?: string) =>
    placedRun("x", { task: "1", trial: 2, trials: 2, ...record }, log);
  const placed = { eval: "evals/eval.yaml", task: "1", trial: 2, trials: 2, log: "log.jsonl" };

  test.each<[string, Files, string?]>([
    ["a run.json below another run's folder", placedRun("good/work/deep", { task: "1", trial: 2 }, "Bad.")],
    [
      "a second file for the same run",
      placedRun("zz-again", { task: "1" }, "Bad."),
      "error same-run-twice … good … zz-again",
    ],
    ["an eval that is not there", x({ eval: "gone.yaml" }), "error run-of-unknown-eval … `gone.yaml`"],
    ["a log that was changed afterwards", x({ log_sha256: sha("other") }), "error changed-log"],
    ["a log that is gone", { "x/run.json": placed }, "warning missing-log … `log.jsonl` is gone"],
    [
      "a log outside of its folder",
      { "x/run.json": { ...placed, log: "../good/log.jsonl" } },
      "error log-outside",
    ],
    ["a run.json that is none", { "x/run.json": "{" }, "error wrong-run-json … expected a JSON object"],
    ["a key of another kind", x({ task: 7 }), "error wrong-run-json … `task`: "],
    ["a skill without a query", x({ skill: "tidy" }), "error wrong-run-json … `trigger` comes with"],
    [
      "a task beside a query",
      x({ trigger: "Tidy it", skill: "tidy", should_trigger: true }),
      "error wrong-run-json … `trigger` comes with",
    ],
    [
      "a query that does not say what is right",
      x({ task: null, trigger: "Tidy it", skill: "tidy" }),
      "error wrong-run-json … `trigger` comes with",
    ],
    ["a run that never ended", x({ state: "started" }, "Half."), "warning run-not-ended"],
    ["a misspelled side", x({ sied: "without-skill" }), "error unknown-run-keys … `sied`"],
    ["a folder elsewhere", x({ workspace: "/etc" }), "error workspace-outside"],
    ["a log of one run without a task", placedRun("x", {}, "Text."), "error results-without-task"],
  ])("%s", async (_case, files, ...said) => {
    const { runs, problems } = await plan({ ...good, ...files });
    expect(runs).toContain("alpha 1 1 Good.");
    expectSaid(problems, said as readonly string[]);
  });

  test("one query for two skills of a trigger eval is two runs", async () => {
    const ofSkill = (skill: string) =>
      placedRun(skill, { eval: "evals/triggers.json", trigger: "Tidy it", skill, should_trigger: true });
    const { outputs } = await plan({ ...ofSkill("csv"), ...ofSkill("pdf") });
    expect(outputs.problems).toEqual([]);
    expect(outputs.triggers.map(({ skill }) => skill).sort()).toEqual(["csv", "pdf"]);
  });

  test("a query of which the agent called the skill, and it could not be loaded, is no failure", async () => {
    const query = { eval: "evals/triggers.json", trigger: "Tidy it", skill: "tidy", should_trigger: true };
    const log = jsonLines(
      begun({ skills: ["tidy"] }),
      loads("tidy"),
      loaded("no such file", { is_error: true }),
      ended({ result: "Done without it." }),
    );
    const { outputs } = await plan(placedRun("x", query, log));
    const said = "The agent called the skill `tidy`, and it could not be loaded: no such file";
    expect(outputs.triggers.map(({ state, reason }) => [state, reason])).toEqual([["errored", said]]);
  });

  test("a link to a log outside of its folder", async () => {
    const prepare = (root: string) => {
      symlinkSync(join(root, "good/log.jsonl"), join(root, "x/log.jsonl"));
    };
    const { problems } = await plan({ ...good, "x/run.json": placed }, { prepare });
    expectSaid(problems, ["error log-outside"]);
  });

  test("a log without a run.json hides what lies below: its agent may have written one", async () => {
    const files = { "x/log.jsonl": "{}", ...placedRun("x/work", { task: "1" }, "Planted.") };
    expect((await plan(files)).runs).toEqual(["alpha 1 missing 1"]);
  });

  test("a run.json that is a link hides what lies below, and is no run", async () => {
    const below = placedRun("x/work", { task: "1", trial: 2 }, "Bad.");
    const prepare = (root: string) => {
      symlinkSync(join(root, "nowhere"), join(root, "x/run.json"));
    };
    const planned = await plan({ ...good, ...below }, { prepare });
    expect(planned.runs).toEqual(["alpha 1 1 Good."]);
    expect(planned.problems.map(({ level }) => level)).toContain("error");
  });

  test("a log with its own digest is that log", async () => {
    const planned = await plan(placedRun("a", { task: "1", log_sha256: sha("Good.") }, "Good."));
    expect(planned.runs).toEqual(["alpha 1 1 Good."]);
  });

  test("runs of an eval that is not graded here are a notice", async () => {
    const files = { ...good, ...placedRun("b", { eval: "beta/eval.yaml", task: "1" }) };
    const { problems } = await plan(files, { others: [BETA] });
    expectSaid(problems, [
      "notice outputs-of-others … `beta/eval.yaml`, which is not graded here, is left out",
    ]);
  });

  test("in a workflow a run in the checkout is refused", async () => {
    const workspace = writeProject(placedRun("runs/a", { task: "1" }));
    const read = (isWorkflow: boolean) =>
      readOutputs({ patterns: ["runs"], workspace, isWorkflow, suites: [ALPHA] });
    expect((await read(true)).problems).toMatchObject([{ level: "error" }]);
    expect((await read(false)).problems).toEqual([]);
  });

  test("`lift` without a run that says it is without the skill blocks grading", async () => {
    const { planned } = await plan(good, { lift: true });
    expect(planned.blocked).toBe(true);
  });
});
