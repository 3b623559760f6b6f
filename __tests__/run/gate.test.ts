/** The gate's rules from the outside: whole projects in this process, each with its sentence. */
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  KEY,
  actHere as act,
  actWithCopies,
  closeServers,
  failing,
  lastLine,
  once,
  passing,
  publishedText,
  recordOf,
  type Outcome,
} from "../support/act.ts";
import { fail, pass, type Asked, type Reply } from "../support/judge-server.ts";
import { times } from "../support/factories.ts";
import { placedRun } from "../support/outputs.ts";
import {
  project,
  promptGrader,
  resultsFixture,
  runFixture,
  type ProjectFixture,
} from "../support/projects.ts";
import {
  PUSH_TO_MAIN,
  copiesBeside,
  pullRequestEvent,
  pullRequestThat,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const RUN = [runFixture()];
/** Results of one run of each of these tasks. */
const resultsOf = (ids: readonly string[], model?: string) =>
  resultsFixture(
    "suite",
    ids.map((id) => ({ id, runs: RUN })),
    model,
  );
const bare = (name: string, id: string) => ({
  [`${name}/eval.yaml`]: { name, tasks: ["*.task.yaml"], graders: [promptGrader("other")] },
  [`${name}/${id}.task.yaml`]: { id, inputs: { prompt: "Do it." } },
});

const annotations = (outcome: Outcome) =>
  (outcome.github.checkRuns[0]?.annotations ?? []).map(
    ({ annotation_level: level, path, title, message }) => `${level} ${path}: ${String(title)}: ${message}`,
  );

describe("missing runs", () => {
  const AGENT =
    "Check the step that runs the agent, and that `results` is the path it writes to: every task has to run, as many times as planned. To grade only some, name them in `tasks` or `eval`.";

  const two = [{ id: "csv-import" }, { id: "csv-export" }];
  const ab = [{ id: "a" }, { id: "b" }];

  test.each<[string, ProjectFixture, counted: string, named: string]>([
    [
      "a task without a run",
      { tasks: two, runs: { "csv-export": [] } },
      "`suite`: 1 of 2 planned runs is missing",
      "no run of `csv-export`",
    ],
    [
      "a task whose id differs by a slip",
      { tasks: two, files: { "results.json": resultsOf(["csv-import", "csv-exprt"]) } },
      "`suite`: 1 of 2 planned runs is missing",
      "no run of `csv-export`",
    ],
    [
      "fewer runs than runs_per_test",
      { tasks: ab, runs: { a: [runFixture(), runFixture({ run_number: 3 })] }, runsPerTest: 3 },
      "`suite`: 3 of 6 planned runs are missing",
      "only 2 of 3 runs of `a`, only 1 of 3 runs of `b`",
    ],
    [
      "a model that lacks a task which another ran",
      {
        tasks: ab,
        files: {
          "results.json": resultsOf(["a"], "small"),
          "results-2.json": resultsOf(["a", "b"], "large"),
        },
      },
      "`suite`: 1 of 4 planned runs is missing",
      "no run of `b` by `small`",
    ],
    [
      "a whole eval without results",
      { files: { ...bare("tables", "x"), ...bare("texts", "y") } },
      "2 of 2 planned runs are missing",
      "no run of `tables`, no run of `texts`",
    ],
    [
      "the evals of a skill, beside waza's",
      { files: { "skills/pdf/evals/evals.json": [{ id: 1, assertions: ["a"] }] } },
      "1 of 1 planned run is missing",
      "no run of `pdf`",
    ],
    [
      "an eval that names no tasks, without results",
      { files: { "open/eval.yaml": { name: "open", graders: [promptGrader("other")] } } },
      "1 of 1 planned run is missing",
      "no run of `open`",
    ],
  ])(
    "%s: red by default, a warning under on-missing: warn, neutral under fail-on: never",
    async (_, fixture, counted, named) => {
      const message = `${counted}: ${named}.`;
      const workspace = project(fixture);
      const actWith = (inputs: Record<string, string>) =>
        act(workspace, passing, { inputs: { results: "results*.json", ...inputs } });

      const red = await actWith({});
      expect(red.code).toBe(1);
      expect(lastLine(red)).toContain(named);
      expect(lastLine(red).endsWith(AGENT)).toBe(true);
      expect(recordOf(red).rule).toBe("missing");
      expect(red.github.checkRuns[0]?.conclusion).toBe("failure");
      expect(annotations(red)[0]).toMatch(/^failure .*Missing runs: /);
      expect(annotations(red)[0]).toContain(`${message}\n${AGENT}`);
      expect(red.log).toMatch(/^error: .*(?:eval\.yaml|evals\.json):1: /m);
      expect(red.log).toContain(`:1: ${message} ${AGENT}`);
      expect(red.summary).toContain("### Missing runs");

      const warned = await actWith({ "on-missing": "warn" });
      expect(warned.code).toBe(0);
      expect(warned.outputs).toMatchObject({ conclusion: "success", passed: "false", "grades-failed": "0" });
      expect(warned.github.checkRuns[0]?.conclusion).toBe("success");
      expect(annotations(warned)[0]).toMatch(/^warning /);
      expect(annotations(warned)[0]).toContain(message);
      expect(warned.log).toMatch(/^warning: .*(?:eval\.yaml|evals\.json):1: /m);
      expect(warned.log).toContain(`:1: ${message} ${AGENT}`);

      const neutral = await actWith({ "fail-on": "never" });
      expect(neutral.code).toBe(0);
      expect(neutral.github.checkRuns[0]?.conclusion).toBe("neutral");
    },
  );

  test("are in the results file and in the log's groups, and their grades are counted as skipped", async () => {
    const graders = [promptGrader("g"), promptGrader("h")];
    const outcome = await act(project({ tasks: ab, graders, runs: { b: [] } }), passing);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "2", "grades-skipped": "2", score: "1.0000" });
    const missing = { state: "missing", suite: "suite", task_id: "b", model: "agent-model", run_number: 1 };
    const grades = recordOf(outcome).grades;
    expect(grades.filter(({ state }) => state === "missing")).toMatchObject([
      { ...missing, grader: "g" },
      { ...missing, grader: "h" },
    ]);
    expect(outcome.log).toContain("suite, 4 grades: 2 passed, 2 missing");
    expect(outcome.log).toContain("➖ g · b: missing");
  });

  test("where there is no run at all, it is a configuration problem, also under on-missing: warn", async () => {
    const outcome = await act(project({ runs: { "task-1": [] } }), passing, {
      inputs: { "on-missing": "warn" },
    });
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain("The results have no run of a planned task");
    expect(outcome.summary).not.toContain("### Missing runs");
  });

  test("runs of other formats than waza's are never fewer than planned", async () => {
    const files = { "out/a.md": "One.", "out/a.2.md": "Two.", "out/b.md": "One." };
    const outcome = await act(project({ tasks: ab, files }), passing, { inputs: { results: "out/*.md" } });
    expect(outcome.outputs).toMatchObject({ passed: "true", "grades-passed": "3" });
  });
});

describe("golden tasks", () => {
  const lenient = { "fail-on": "score", "min-score": "0.4" };
  const byTask = once(({ evidence }) => ({ calls: [evidence.includes("Bad.") ? fail() : pass()] }));
  const runs = { bad: [runFixture({ final_output: "Bad." })], good: RUN };

  test("one that fails is red, though the score decides", async () => {
    const workspace = project({ tasks: [{ id: "good" }, { id: "bad", golden: true }], runs });
    const outcome = await act(workspace, byTask, { inputs: lenient });
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toMatch(/`bad`.*`grader-1`/);
    expect(recordOf(outcome).rule).toBe("golden");
    expect(outcome.summary).toContain("| ❌ bad <sub>golden</sub> |");
    const grades = recordOf(outcome).grades;
    expect(grades.filter(({ golden }) => golden)).toMatchObject([{ task_id: "bad" }]);
  });

  test("one that only the results mark is red too, of an eval that names no tasks", async () => {
    const files = {
      "evals/eval.yaml": { name: "suite", graders: [promptGrader("g")] },
      "results.json": resultsFixture("suite", [
        { id: "good", runs: RUN },
        { id: "bad", runs: runs.bad, golden: true },
      ]),
    };
    const outcome = await act(project({ tasks: [], files }), byTask, { inputs: lenient });
    expect(recordOf(outcome).rule).toBe("golden");
  });

  test("one whose file is a link within the repository is graded as any other", async () => {
    const workspace = project({ tasks: [{ id: "plain" }], runs: { plain: RUN } });
    mkdirSync(join(workspace, "real"));
    writeFileSync(join(workspace, "real/gold.yaml"), JSON.stringify({ id: "gold", golden: true }));
    symlinkSync("../../real/gold.yaml", join(workspace, "evals/tasks/gold.yaml"));
    const outcome = await act(workspace, passing, { inputs: { "on-missing": "warn" } });
    expect(lastLine(outcome)).toContain("golden tasks have to pass, and `gold`");
  });

  test("one that is missing is red under on-missing: warn", async () => {
    const workspace = project({ tasks: [{ id: "good" }, { id: "bad", golden: true }], runs: { bad: [] } });
    const outcome = await act(workspace, passing, { inputs: { "on-missing": "warn" } });
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain("`bad`");
    expect(recordOf(outcome).rule).toBe("golden");
  });

  test("one that the input tasks leaves out is not red, nor one that passed", async () => {
    const tasks = ["good", "bad"].map((id) => ({ id, golden: true }));
    const outcome = await act(project({ tasks, runs }), byTask, { inputs: { ...lenient, tasks: "!bad" } });
    expect(outcome.outputs).toMatchObject({ passed: "true", "grades-passed": "1" });
    expect(outcome.summary).toContain("Left out (not selected), and so not graded");
  });
});

describe("an agent that never got to work", () => {
  const refused = "failed to start copilot: not authenticated";
  const dead = (message: string) => [runFixture({ status: "error", final_output: "", error_msg: message })];

  test("is the first that is said, everywhere, with what to do", async () => {
    const runs = Object.fromEntries(["a", "b", "c", "d"].map((id) => [id, dead(refused)]));
    const workspace = project({ tasks: Object.keys(runs).map((id) => ({ id })), runs });
    for (const inputs of [{}, { "fail-on": "score", "min-score": "0.5" }]) {
      const outcome = await act(workspace, passing, { inputs });
      expect(outcome.judge.asked).toHaveLength(0);
      expect(lastLine(outcome)).toContain(refused);
      expect(outcome.github.checkRuns[0]?.output?.title).toMatch(/agent/);
      expect(outcome.summary.split("\n")[0]).toMatch(/agent/);
      const section = outcome.summary.indexOf("### The agent never got to work");
      expect(section).toBeGreaterThan(0);
      expect(section).toBeLessThan(outcome.summary.indexOf("| Task |"));
      expect(outcome.summary).toContain("Check the step that runs the agent");
      expect(outcome.log).toMatch(
        `error: The agent never got to work in 4 of 4 runs: ${refused} (4 runs). Check`,
      );
      expect(annotations(outcome)[0]).toMatch(/^failure .github: The agent never got to work: /);
      expect(outcome.outputs).toMatchObject({ score: "0.0000", "grades-failed": "4" });
    }
  });

  test("shows no half of a secret that its error holds, where the error is shortened", async () => {
    const reply = dead(`${"x".repeat(159 - KEY.length / 2)}${KEY}`);
    const outcome = await act(project({ runs: { "task-1": reply } }), passing);
    expect(publishedText(outcome, [])).not.toContain(KEY.slice(0, KEY.length / 2));
    expect(lastLine(outcome)).toContain("[redacted]");
  });
});

test("`passed` looks at the grades alone: a warning does not change it", async () => {
  const files = { "other.json": resultsFixture("elsewhere", [{ id: "x", runs: RUN }]) };
  const outcome = await act(project({ files }), passing, { inputs: { results: "results.json\nother.json" } });
  expect(outcome.log).toContain("warning: other.json:1: the file has results of the eval `elsewhere`");
  expect(outcome.outputs).toMatchObject({ conclusion: "success", passed: "true" });
});

describe("the input tasks", () => {
  const workspace = () => project({ tasks: [{ id: "eval:csv/a" }, { id: "eval:csv/b" }, { id: "plain" }] });

  test("takes no disabled task, which is named", async () => {
    const off = project({ tasks: [{ id: "on" }, { id: "off", enabled: false }] });
    const outcome = await act(off, passing);
    expect(outcome.outputs).toMatchObject({ passed: "true", "grades-passed": "1" });
    expect(outcome.log).toContain("Left out (disabled), and so not graded: `suite/off`.");
  });

  test("plans what it names, and names what it leaves out", async () => {
    const outcome = await act(workspace(), passing, { inputs: { tasks: "eval:*\n!*/b" } });
    expect(outcome.outputs).toMatchObject({ passed: "true", "grades-passed": "1" });
    expect(outcome.log).toContain(
      "Left out (not selected), and so not graded: `suite/eval:csv/b`, `suite/plain`.",
    );
  });

  test.each(["plain\nplian", "plian"])(
    "a glob that matches nothing is a configuration problem, and no judge is asked: %j",
    async (tasks) => {
      const outcome = await act(workspace(), passing, { inputs: { tasks } });
      expect(outcome.code).toBe(1);
      expect(lastLine(outcome)).toContain(
        "The input `tasks` has `plian`, which matches no task. Did you mean `plain`? `tasks` takes ids or names of tasks, one per line, not files.",
      );
      expect(outcome.judge.asked).toHaveLength(0);
    },
  );
});

describe("an eval with nothing to grade", () => {
  const NOTHING = { graders: [{ type: "text", name: "short" }] };

  const NONE =
    "nothing in it is graded, since it has no prompt grader of an enabled task (in a skill's evals, no `assertions`).";
  const NO_EVAL = "the file is a task file (it has `id` and `inputs`), not an eval.";

  test.each<[string, ProjectFixture, Record<string, string>, number, string]>([
    ["is green and named where it was only found", NOTHING, {}, 0, `notice: evals/eval.yaml:1: ${NONE}`],
    [
      "is a configuration problem where it is named",
      NOTHING,
      { eval: "evals/eval.yaml" },
      1,
      `evals/eval.yaml:1: ${NONE}`,
    ],
    [
      "is one where a glob matches nothing else",
      { tasks: [{ id: "a", enabled: false }] },
      { eval: "evals/*.yaml" },
      1,
      "evals/eval.yaml:1: nothing in it is graded, since it has no prompt grader of an enabled task",
    ],
    [
      "is named beside others that a glob matches",
      { files: { "code/eval.yaml": { name: "code", graders: [{ type: "code", name: "c" }] } } },
      { eval: "**/eval.yaml" },
      0,
      `notice: code/eval.yaml:1: ${NONE}`,
    ],
    [
      "and a task file given as eval is a configuration problem that says so",
      {},
      { eval: "evals/tasks/0001.yaml" },
      1,
      `evals/tasks/0001.yaml:1: ${NO_EVAL} Set \`eval\` to the eval that the task belongs to.`,
    ],
    [
      "and a task file that a glob matches is left out, with a notice",
      {},
      { eval: "evals/**/*.yaml" },
      0,
      `notice: evals/tasks/0001.yaml:1: ${NO_EVAL}`,
    ],
  ])("%s", async (_, fixture, inputs, code, wording) => {
    const outcome = await act(project(fixture), passing, { inputs });
    expect(outcome.code).toBe(code);
    expect(outcome.log).toContain(wording);
  });
});

describe("a dry run", () => {
  const inputs = { "dry-run": "true", "api-key": "" };
  const nowhere = { ...inputs, results: "nowhere.json" };
  const tasks = [{ id: "a" }, { id: "b" }];

  test("succeeds without results, and assumes one run of each task", async () => {
    const outcome = await act(project({ tasks }), passing, { inputs: nowhere });
    expect(outcome.code).toBe(0);
    expect(lastLine(outcome)).toMatch(/^Dry run: 2 /);
    expect(outcome.log).not.toContain("nowhere.json");
    expect(outcome.log).toContain(
      "notice: 2 planned runs are not in the results: estimated from the task's prompt alone.",
    );
    expect(outcome.log).toMatch(/A dry run: 2 grades would take about \d+ \(at most \d+\) requests/);
    expect(outcome.judge.asked).toHaveLength(0);
  });

  test("counts what an assumed run would ask, a replayed session too, and not what is not supported", async () => {
    const graders = [
      promptGrader("plain"),
      promptGrader("replayed", "Why?", { config: { continue_session: true } }),
      promptGrader("odd", "Which?", { config: { mode: "best-of" } }),
    ];
    const outcome = await act(project({ tasks, graders }), passing, { inputs: nowhere });
    expect(outcome.log).toMatch(/A dry run: 4 grades would take about \d+ \(at most \d+\) requests/);
  });

  test("assumes those that are missing beside those that are there, regardless of on-missing", async () => {
    const outcome = await act(project({ tasks, runs: { b: [] } }), passing, { inputs });
    expect(outcome.code).toBe(0);
    expect(lastLine(outcome)).toMatch(/^Dry run: 2 /);
    expect(outcome.log).toContain("notice: 1 planned run is not in the results: estimated");
  });

  test("is red for a results file that cannot be read", async () => {
    const outcome = await act(project({ tasks, files: { "results.json": "{" } }), passing, { inputs });
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain("results.json");
  });
});

describe("changed-only", () => {
  const inputs = { "changed-only": "true" };
  const two = () => project({ files: bare("skills/csv/evals", "x") });
  const changing = (workspace: string, ...names: string[]) => ({
    inputs,
    event: pullRequestThat(workspace, names),
  });

  test("plans the eval that the pull request changes, and names the other", async () => {
    const workspace = two();
    const outcome = await act(workspace, passing, changing(workspace, "README.md", "evals/tasks/0001.yaml"));
    expect(outcome.outputs).toMatchObject({ passed: "true", "grades-passed": "1" });
    expect(outcome.log).toContain(
      "notice: Left out (not changed), and so not graded: `skills/csv/evals/eval.yaml`.",
    );
    expect(recordOf(outcome).suites.map(({ name }) => name)).toEqual(["suite"]);
  });

  test("plans the eval whose skill it changes: without its results that is red", async () => {
    const workspace = two();
    const outcome = await act(workspace, passing, changing(workspace, "skills/csv/SKILL.md"));
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain("The results have no run of a planned task (`x`)");
  });

  test("is green where it changes none, without results or a key", async () => {
    const workspace = two();
    const outcome = await act(workspace, passing, {
      ...changing(workspace, "README.md"),
      inputs: { ...inputs, results: "nowhere.json", "api-key": "", "base-url": "" },
    });
    expect(outcome.code).toBe(0);
    expect(lastLine(outcome)).toMatch(/^Passed: /);
  });

  test("plans all where the event belongs to no pull request, and says so", async () => {
    const outcome = await act(two(), passing, { inputs, event: { name: "push", payload: {} } });
    expect(lastLine(outcome)).toContain("`skills/csv/evals`");
    expect(recordOf(outcome).rule).toBe("missing");
    expect(outcome.log).toContain(
      "notice: `changed-only`: this event belongs to no pull request, so all evals count.",
    );
  });

  test("is an error where git does not have the base, with what to change, and asks no judge", async () => {
    const outcome = await act(two(), passing, { inputs });
    expect([outcome.code, outcome.judge.asked.length]).toEqual([1, 0]);
    expect(outcome.log).toMatch(/`changed-only`: git could not compare .*`fetch-depth: 0`/);
  });
});

test.each([
  ["is not asked", failing, { "base-url": "" }],
  ["refuses, having asked for a key", () => ({ status: 401 }), {}],
  ["refuses each of three votes", () => ({ status: 401 }), { "judge-votes": "3" }],
])(
  "no key on a fork is no trouble of a golden task under on-error: warn: OpenAI or a server that %s",
  async (_, judge, inputs) => {
    // More than are asked at once: the rest is not sent.
    const tasks = Array.from({ length: 12 }, (__, index) => ({ id: `t${String(index)}`, golden: true }));
    const outcome = await act(project({ tasks }), judge, {
      event: pullRequestEvent("stranger/agents"),
      inputs: { "api-key": "", "on-error": "warn", ...inputs },
    });
    expect(outcome.outputs).toMatchObject({ "grades-skipped": "12", "grades-errored": "0" });
    expect(outcome.code).toBe(0);
    expect(lastLine(outcome)).toMatch(/^No grade was made, allowed by `on-error: warn`/);
  },
);

describe("run again", () => {
  const answers = (attempt: number, a: string) => ({
    ...placedRun(`a-${String(attempt)}`, { task: "a", attempt }, a),
    ...placedRun(`b-${String(attempt)}`, { task: "b", attempt }, "Good."),
  });
  const byText = once(({ evidence }) => ({ calls: [evidence.includes("Bad.") ? fail() : pass()] }));

  test.each<[string, Readonly<Record<string, unknown>>, code: number, last: string]>([
    ["two attempts, the newest good", { ...answers(1, "Bad."), ...answers(2, "Good.") }, 0, "Passed: "],
    ["two attempts, the newest bad", { ...answers(1, "Good."), ...answers(2, "Bad.") }, 1, "Failed: "],
    ["one attempt", answers(2, "Good."), 0, "Passed: "],
    [
      "an attempt that was not made",
      { ...answers(1, "Bad."), ...answers(9, "Good.") },
      1,
      "Results of later attempts than this workflow has had (the latest is 2): ",
    ],
  ])("%s", async (_, files, code, last) => {
    const outcome = await act(project({ tasks: [{ id: "a" }, { id: "b" }] }), byText, {
      inputs: { results: writeProject(files) },
      env: { GITHUB_RUN_ATTEMPT: "2" },
    });
    expect(outcome.code).toBe(code);
    expect(lastLine(outcome)).toContain(last);
  });
});

/* A skill held against main: twelve evals of four statements, each run worth its score. */

const STATEMENTS = [1, 2, 3, 4];

/** Of each eval the number of statements that fail, the last ones; its answer has the number. */
type Failing = readonly number[];
const six = (number: number): Failing => times(6, () => number);
const MAIN: Failing = [...six(0), ...six(1)];

const judge = ({ evidence }: Asked): Reply => {
  const failing = Number(/It fails (\d)/.exec(evidence)?.[1]);
  return {
    calls: STATEMENTS.map((statement) => ({
      name: `set_waza_grade_${statement > STATEMENTS.length - failing ? "fail" : "pass"}`,
      args: { statement, reason: "Seen." },
    })),
  };
};

/** Grades the evals against these files of main. */
async function grade(failing: Failing, kept: readonly string[], more: object = {}) {
  const ids = failing.map((_, index) => index + 1);
  const workspace = writeProject({
    "skills/pdf/evals/evals.json": {
      skill_name: "pdf",
      evals: ids.map((id) => ({
        id,
        prompt: `Do ${String(id)}.`,
        assertions: STATEMENTS.map((number) => `Statement ${String(number)}`),
      })),
    },
    ...Object.fromEntries(
      failing.map((number, index) => [
        `out/pdf/${String(index + 1)}.md`,
        `It fails ${String(number)} in the ${String(kept.length)}th.`,
      ]),
    ),
  });
  const file = join(temporaryFolder("kept"), "graded.json");
  const outcome: Outcome = await act(workspace, judge, {
    ...more,
    inputs: {
      results: "out/**/*.md",
      baseline: kept.join("\n") || join(temporaryFolder("none"), "*.json"),
      "fail-on": "regression",
      "output-file": file,
    },
  });
  return { outcome, file };
}

/** Main's own results. */
async function pushed(failing: Failing): Promise<string[]> {
  const { outcome, file } = await grade(failing, [], PUSH_TO_MAIN);
  expect(outcome.outputs["baseline-worthy"]).toBe("true");
  return [file];
}

describe("on main six of twelve evals miss one of four statements", () => {
  test.each([
    ["these six fail every statement", [...six(0), ...six(4)], "score 0.50, 0.88 on main", "7 · Do 7"],
    [
      "one of them is mended and five are dead",
      [...six(0), 0, 4, 4, 4, 4, 4],
      "score 0.58, 0.88 on main",
      "8 · Do 8",
    ],
  ])("a pull request in which %s is red", async (_, failing, scores, most) => {
    const { outcome } = await grade(failing, await pushed(MAIN));
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain(`Failed: worse than main: ${scores}`);
    expect(outcome.outputs).toMatchObject({ comparison: "fell", "baseline-score": "0.8750" });
    expect(outcome.outputs.score).toBe(scores.startsWith("score 0.50") ? "0.5000" : "0.5833");
    // One figure, on the check's title, too.
    expect(outcome.github.checkRuns.at(-1)).toMatchObject({
      output: { title: `pdf: worse than main: ${scores}; \`${most}\` fell most` },
    });
  });

  test("one that changes nothing is green", async () => {
    const { outcome } = await grade(MAIN, await pushed(MAIN));
    expect(lastLine(outcome)).toContain("Passed: not worse than main: score 0.88, as on main");
  });
});

test("five skills are one record, which is their baseline; of texts there is no copy for waza", async () => {
  const names = ["csv", "docx", "pdf", "pptx", "xlsx"];
  const evals = names.map((name) => [
    `skills/${name}/evals/evals.json`,
    { skill_name: name, evals: [{ id: 1, prompt: `Do ${name}.`, assertions: ["It is done"] }] },
  ]);
  const runs = names.map((name) => [`out/${name}/1.md`, "It fails 0."]);
  const workspace = writeProject(Object.fromEntries([...evals, ...runs]) as Record<string, unknown>);
  const folder = temporaryFolder("five");
  const file = join(folder, "base.json");
  const inputs = { results: "out/**/*.md", "fail-on": "regression" };
  await act(workspace, judge, {
    ...PUSH_TO_MAIN,
    inputs: { ...inputs, baseline: "none.json", "output-file": file },
  });
  expect(readdirSync(folder)).toEqual(["base.json"]);
  const outcome = await act(workspace, judge, { inputs: { ...inputs, baseline: file } });
  expect(lastLine(outcome)).toContain("Not worse than main: score 1.00, as on main");
  expect(outcome.outputs).toMatchObject({ comparison: "unchanged" });
});

test("evals that each hold one statement that never passes are a baseline, and not red", async () => {
  const never = [...six(1), ...six(1)];
  const kept = await pushed(never);
  const { outcome } = await grade(never, kept, PUSH_TO_MAIN);
  expect(outcome.code).toBe(0);
  expect(lastLine(outcome)).toContain("Passed: not worse than main: score 0.75, as on main");
  const { outcome: worse } = await grade([...six(1), ...six(3)], kept);
  expect(lastLine(worse)).toContain("Failed: worse than main: score 0.50, 0.75 on main");
});

/* Legs of a matrix run the agent, and one job grades what they left, or merges what they graded, as docs/outputs.md has it. */

const evalOf = (name: string) => ({
  [`evals/${name}/eval.yaml`]: { name, tasks: ["tasks/*.yaml"], graders: [promptGrader("right")] },
  [`evals/${name}/tasks/one.yaml`]: { id: `${name}-1`, name: "One", inputs: { prompt: "Do it." } },
});
const leg = (name: string, output = `What ${name} did.`) =>
  resultsFixture(name, [{ id: `${name}-1`, runs: [runFixture({ final_output: output })] }]);

const gradeLegs = (legs: Readonly<Record<string, unknown>>) =>
  act(writeProject({ ...evalOf("csv"), ...evalOf("pdf"), ...legs }), passing, {
    inputs: { results: "legs/**/*.json" },
  });

describe("one job grades what the legs left", () => {
  test("a lost leg is missing, and red, regardless of the other", async () => {
    // The artifact of a single leg is extracted without a folder of its own.
    const outcome = await gradeLegs({ "legs/results.json": leg("csv") });
    expect(outcome.code).toBe(1);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1" });
    expect(lastLine(outcome)).toMatch(/missing.*pdf/);
  });

  test("and all are green once it was run again, in its own place; what is there twice is read once", async () => {
    const outcome = await gradeLegs({
      "legs/leg-csv/results.json": leg("csv"),
      "legs/leg-pdf/results.json": leg("pdf"),
      "legs/leg-pdf-again/results.json": leg("pdf"),
    });
    expect(outcome.code).toBe(0);
    expect(outcome.judge.asked).toHaveLength(2);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "2", conclusion: "success" });
  });
});

describe("legs grade, and one job merges", () => {
  test("by the verdicts of the legs alone: score, check run and counts are made anew, and a lost leg is red", async () => {
    const graded = async (name: string, judge: typeof passing) => {
      const workspace = writeProject({ ...evalOf(name), "results.json": leg(name) });
      const { outputs } = await actWithCopies(workspace, judge, { inputs: { "fail-on": "never" } });
      return readFileSync(copiesBeside(outputs["results-file"] ?? "")[0] ?? "", "utf8");
    };
    const [csv, pdf] = [await graded("csv", passing), await graded("pdf", failing)];
    const merge = (legs: Readonly<Record<string, string>>) =>
      act(writeProject({ ...evalOf("csv"), ...evalOf("pdf"), ...legs }), () => ({ status: 500 }), {
        inputs: { results: "legs/**/*.json", offline: "true", "api-key": "", "base-url": "" },
      });

    const whole = await merge({
      "legs/leg-csv/graded.json": csv,
      "legs/leg-pdf/graded.json": pdf,
      "legs/leg-pdf-again/graded.json": pdf,
    });
    expect(whole.judge.asked).toEqual([]);
    expect(whole.outputs).toMatchObject({ score: "0.5000", "grades-passed": "1", "grades-failed": "1" });
    expect(whole.github.checkRuns[0]).toMatchObject({ conclusion: "failure" });
    expect(whole.summary).toContain("because it does not");

    const lost = await merge({ "legs/graded.json": csv });
    expect(lost.outputs).toMatchObject({ score: "1.0000", conclusion: "failure" });
    expect(lastLine(lost)).toMatch(/missing.*pdf/);
  });
});
