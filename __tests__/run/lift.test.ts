/** What a skill is worth: runs with it and without it, in this process. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers } from "../support/act.ts";
import type { Asked, Call, Reply } from "../support/judge-server.ts";
import { jsonLines, placedRun } from "../support/outputs.ts";
import { project, promptGrader, resultsFixture, runFixture } from "../support/projects.ts";
import {
  copiesBeside,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const IDS = [1, 2, 3, 4];
const EVALS = {
  skill_name: "pdf",
  evals: IDS.map((id) => ({
    id,
    prompt: `Do ${String(id)}.`,
    assertions: ["It answers", "It is right", "It is short"],
  })),
};

/** A run of each eval on both sides; without the skill it is wrong. */
function runs(more: object = {}): string {
  const files = IDS.map((id) => {
    const record = { eval: "skills/pdf/evals/evals.json", task: String(id) };
    return {
      ...placedRun(`with/${String(id)}`, { ...record, ...more }, `With, ${String(id)}.`),
      ...placedRun(`bare/${String(id)}`, { ...record, side: "without-skill" }, `Bare, ${String(id)}.`),
    };
  });
  return writeProject(Object.assign({}, ...files) as Record<string, unknown>);
}

const call = (statement: number, passed: boolean): Call => ({
  name: passed ? "set_waza_grade_pass" : "set_waza_grade_fail",
  args: { statement, reason: `Seen in ${String(statement)}.` },
});

/** The second statement fails without the skill, and the third with it on the first eval. */
const judge = ({ evidence }: Asked): Reply => ({
  calls: [call(1, true), call(2, !evidence.includes("Bare")), call(3, !evidence.includes("With, 1"))],
});

interface Recorded {
  readonly waza_grade: { readonly grades: readonly { readonly side?: string; readonly answer: string }[] };
}

const skills = () => writeProject({ "skills/pdf/evals/evals.json": EVALS });

test("the example's logs say that the skill was loaded, so that it has a lift", async () => {
  const [example, out] = [join(import.meta.dirname, "../../examples/skill"), temporaryFolder("example")];
  cpSync(join(example, "skills"), join(out, "checkout/skills"), { recursive: true });
  cpSync(join(example, "runs"), join(out, "runs"), { recursive: true });
  const passing = ({ prompt }: Asked): Reply => ({
    calls: prompt.split("\n").flatMap((line) => {
      const [, number] = /^(\d+)\. /.exec(line) ?? [];
      return number === undefined ? [] : [call(Number(number), true)];
    }),
  });
  const outcome = await act(join(out, "checkout"), passing, {
    inputs: { results: join(out, "runs"), lift: "true" },
  });
  expect(outcome.outputs).toMatchObject({ lift: "0", "grades-passed": "2" });
});

describe("runs without the skill", () => {
  const inputs = { results: runs(), lift: "true" };

  test("are graded last, decide nothing, and show what the skill is worth", async () => {
    const out = temporaryFolder("reports");
    const reports = {
      reports: `html=${join(out, "r.html")}`,
      comment: "always",
      "output-file": join(out, "record.json"),
    };
    const outcome = await act(skills(), judge, { inputs: { ...inputs, ...reports } });
    expect(outcome.outputs).toMatchObject({
      "grades-passed": "3",
      "grades-failed": "1",
      "judge-calls": "8",
      lift: "25",
      score: "0.9167",
    });
    expect(outcome.judge.asked.slice(0, 4).some(({ evidence }) => evidence.includes("Bare"))).toBe(false);
    expect(outcome.log).toContain("\npdf makes no difference beyond chance.\n");
    expect(outcome.summary).toContain("| **pdf**, with | **11/12** | – | – | – |");
    const html = readFileSync(join(out, "r.html"), "utf8");
    for (const page of [outcome.summary, outcome.github.bodies.at(-1) ?? "", html]) {
      expect(page).toContain("3 more of 12 statements pass.");
      expect(page).toContain("most gained");
      expect(page).toContain("run both sides more often");
      expect(page).toContain("4 statements pass only with the skill");
      expect(page).toContain("1 statement fails only with the skill");
      expect(page).toContain("7 statements pass in every run of both, so they do not measure the skill");
    }
    for (const page of [outcome.summary, html])
      expect(page).toMatch(/It is right <(?:small|sub)>Seen in 2\./);
    const record = outcome.outputs["results-file"] ?? "";
    for (const file of copiesBeside(record)) expect(readFileSync(file, "utf8")).not.toContain("Bare");
    const { grades } = (JSON.parse(readFileSync(record, "utf8")) as Recorded).waza_grade;
    expect(grades.map(({ side, answer }) => [side, answer.split(",")[0]])).toEqual([
      ...IDS.map(() => [undefined, "With"]),
      ...IDS.map(() => ["without-skill", "Bare"]),
    ]);
  });

  test("that were planned and are not there are a warning that names them", async () => {
    const record = { eval: "skills/pdf/evals/evals.json", trials: 1, sides: 2 };
    const made = [
      ...IDS.map((id) => placedRun(`with/${String(id)}`, { ...record, task: String(id) }, "With.")),
      placedRun("bare/1", { ...record, task: "1", side: "without-skill" }, "Bare."),
    ];
    const results = writeProject(Object.assign({}, ...made) as Record<string, unknown>);
    const outcome = await act(skills(), judge, { inputs: { results, lift: "true" } });
    expect(outcome.log).toContain("3 planned runs without the skill are missing, of `2`, `3`, `4`.");
    expect(outcome.outputs["grades-skipped"]).toBe("0");
  });

  test("that no run says to be are a configuration problem before any request", async () => {
    const root = project({ tasks: [{ id: "task-1" }] });
    const outcome = await act(root, judge, { inputs: { lift: "true" } });
    expect(outcome.outputs).toMatchObject({ conclusion: "failure", "judge-calls": "0" });
    expect(outcome.log).toContain("`lift` is set, and no run says that it is without the skill.");
  });

  test("say nothing beside runs with it for which no skill was found", async () => {
    const results = runs({ skill_found: false });
    const outcome = await act(skills(), judge, { inputs: { ...inputs, results } });
    expect(outcome.outputs.lift).toBe("");
    expect(outcome.log).toContain("pdf is not measured: not loaded in 4 of 4 runs.");
    expect(outcome.log).not.toContain("Is the skill installed");
  });

  test("are one notice without the input, and no run of their task", async () => {
    const outcome = await act(skills(), judge, { inputs: { ...inputs, lift: "" } });
    expect(outcome.outputs).toMatchObject({ "judge-calls": "4", lift: "", "grades-skipped": "0" });
    expect(outcome.log).toContain("4 runs without the skill are not graded. Set `lift: true`");
  });

  test("are not asked about offline, and a silent judge says nothing of them", async () => {
    const offline = await act(skills(), judge, { inputs: { ...inputs, offline: "true" } });
    expect(offline.outputs).toMatchObject({ "judge-calls": "0", lift: "" });
    const silent = (asked: Asked): Reply => (asked.evidence.includes("Bare") ? { calls: [] } : judge(asked));
    expect((await act(skills(), silent, { inputs })).outputs.lift).toBe("");
  });

  test("are what a cap hits first, and a dry run counts them", async () => {
    const capped = await act(skills(), judge, { inputs: { ...inputs, "max-judge-calls": "5" } });
    expect(capped.outputs).toMatchObject({ "grades-passed": "3", "grades-skipped": "0" });
    const dry = await act(skills(), judge, { inputs: { ...inputs, "dry-run": "true" } });
    expect(dry.log).toContain("A dry run: 8 grades would take");
    const ahead = await act(skills(), judge, { inputs: { lift: "true", "dry-run": "true" } });
    expect(ahead.log).toContain("A dry run: 8 grades would take");
    for (const { log, summary } of [dry, ahead]) {
      expect(log).toContain(", 4 of the grades without the skill.");
      expect(summary).not.toContain("not measured");
    }
  });

  test("are waza's own of `waza run --baseline`, by the graders that are supported", async () => {
    const run = (text: string) => [runFixture({ final_output: text })];
    const results = {
      ...resultsFixture("suite", [{ id: "task-1", runs: run("With.") }]),
      is_baseline: true,
      baseline_outcome: { tasks: [{ test_id: "task-1", runs: run("Bare.") }] },
    };
    const graders = [
      promptGrader("right"),
      promptGrader("better", "Which?", { config: { mode: "pairwise" } }),
    ];
    const outcome = await act(
      project({ graders, files: { "results.json": results } }),
      ({ evidence }) => {
        const name = evidence.includes("Bare.") ? "set_waza_grade_fail" : "set_waza_grade_pass";
        return { calls: [{ name, args: {} }, { name: "finish_grading" }] };
      },
      { inputs: { lift: "true", "output-file": "graded/record.json" } },
    );
    expect(outcome.outputs.lift).toBe("100");
    expect(copiesBeside(outcome.outputs["results-file"] ?? "")).toHaveLength(1);
  });
});

describe("a skill of which the runs say nothing", () => {
  const evals = (name: string) => ({ ...EVALS, skill_name: name, evals: EVALS.evals.slice(0, 2) });
  const root = () =>
    writeProject({
      "skills/pdf/evals/evals.json": evals("pdf"),
      "skills/csv/evals/evals.json": evals("csv"),
    });
  type Rows = readonly Readonly<Record<string, unknown>>[];
  const says = (text: string) => ({
    type: "assistant",
    message: { role: "assistant", model: "m", content: [{ type: "text", text }] },
  });
  const loads = (skill: string): Rows => [
    {
      type: "assistant",
      message: {
        role: "assistant",
        model: "m",
        content: [{ type: "tool_use", id: "1", name: "Skill", input: { skill } }],
      },
    },
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "Read." }] },
    },
  ];
  const ends = (more: object) => ({
    type: "result",
    subtype: "success",
    session_id: "s",
    total_cost_usd: 0.11,
    duration_ms: 48_000,
    modelUsage: { m: { inputTokens: 40_000, outputTokens: 1_000 } },
    ...more,
  });
  /** Runs of both sides of a skill; those with it begin with these rows, and end so. */
  const made = (skill: string, rows: Rows, end: object = {}, skills?: readonly string[]) =>
    Object.assign(
      {},
      ...[1, 2].flatMap((id) => {
        const record = { eval: `skills/${skill}/evals/evals.json`, task: String(id) };
        const begins = { type: "system", subtype: "init", session_id: "s", skills, tools: ["Skill"] };
        return [
          placedRun(
            `${skill}/${String(id)}`,
            record,
            jsonLines(begins, ...rows, says("With, 2."), ends({ result: "With, 2.", ...end })),
          ),
          placedRun(
            `${skill}/bare-${String(id)}`,
            { ...record, side: "without-skill" },
            jsonLines(begins, says("Bare."), ends({ result: "Bare.", total_cost_usd: 0.15 })),
          ),
        ];
      }),
    ) as Record<string, unknown>;

  test("gets no difference, and what happened comes first", async () => {
    const results = writeProject({ ...made("csv", loads("csv")), ...made("pdf", []) });
    const { summary, outputs, log } = await act(root(), judge, { inputs: { results, lift: "true" } });
    expect(outputs.lift).toBe("33.3");
    expect(log).toContain("`pdf`: the skill was not loaded in 2 of 2 runs with it.");
    expect(log).toContain("pdf is not measured: not loaded in 2 of 2 runs");
    expect(summary).toMatch(/^## .* · csv .*; pdf is not measured: not loaded in 2 of 2 runs\n/);
    expect(summary).toContain(
      [
        "| **csv**, with | **6/6** | 41k | 11¢ | 48 s |",
        "| without | 4/6 | 41k | 15¢ | 48 s |",
        "| ➖ gain | **+2** | 0 | −4¢ | 0 s |",
        "| **pdf**, with | **6/6** | 41k | 11¢ | 48 s |",
        "| without | 4/6 | 41k | 15¢ | 48 s |",
        "| ⚠️ gain | ? | – | – | – |",
      ].join("\n"),
    );
    expect(summary).toContain("1.04 · 328k tokens · 48 s a run");
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      "ended by a limit",
      made("pdf", loads("pdf"), { subtype: "error_max_turns", result: undefined }),
      "2 of 2 runs with it ended with `error_max_turns`",
    ],
    [
      "with every tool call refused",
      made("pdf", loads("pdf"), { permission_denials: [{ tool_name: "Skill" }] }),
      "every tool call was refused in 2 of 2 runs with it",
    ],
    [
      "with the skill on both sides",
      made("pdf", loads("pdf"), {}, ["pdf"]),
      "there in 2 of 2 runs without it",
    ],
    ["without it on either", made("pdf", [], {}, ["docx"]), "not there in 2 of 2 runs with it"],
  ])("%s", async (_case, files, reason) => {
    const { outputs, log } = await act(root(), judge, {
      inputs: { results: writeProject(files), lift: "true", "on-missing": "warn", "on-error": "warn" },
    });
    expect(outputs.lift).toBe("");
    expect(log).toContain(reason);
    expect(log).not.toContain("no difference");
  });
});

describe("what is not known of a skill is not said", () => {
  const init = { type: "system", subtype: "init", session_id: "s", skills: ["probe"], tools: ["Skill"] };
  const words = (content: unknown) => ({
    type: "assistant",
    session_id: "s",
    message: { role: "assistant", model: "m", content },
  });
  const call = words([{ type: "tool_use", id: "1", name: "Skill", input: { skill: "probe" } }]);
  const came = (more: object) => ({
    type: "user",
    session_id: "s",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "1", content: "ripgrep execution failed", ...more }],
    },
  });
  const end = (more: object = {}) => ({
    type: "result",
    subtype: "success",
    is_error: false,
    session_id: "s",
    result: "68 F",
    ...more,
  });
  const says = words([{ type: "text", text: "68 F" }]);
  const root = () =>
    writeProject({
      "skills/probe/SKILL.md": "---\nname: probe\ndescription: Labels.\n---\n",
      "skills/probe/evals/evals.json": {
        skill_name: "probe",
        evals: [
          { id: 1, prompt: "Convert 20 C to F", should_trigger: false, assertions: ["It is 68"] },
          { id: 2, prompt: "Label", assertions: ["It is labelled"] },
        ],
      },
      "skills/probe/evals/triggers.json": [{ query: "Label 1", should_trigger: true }],
    });
  const run = (folder: string, record: object, ...rows: readonly object[]) =>
    placedRun(folder, { eval: "skills/probe/evals/evals.json", ...record }, jsonLines(init, ...rows));
  const both = (task: string, ...rows: readonly object[]) => ({
    ...run(`${task}-with`, { task }, ...rows),
    ...run(`${task}-bare`, { task, side: "without-skill" }, says, end()),
  });
  const lift = async (files: Record<string, unknown>) =>
    await act(root(), judge, {
      inputs: { results: writeProject(files), lift: "true", "on-missing": "warn" },
    });

  test("a control that did not load the skill is right, and its statements decide", async () => {
    const { log } = await lift(both("1", says, end()));
    expect(log).not.toContain("not loaded");
    expect(log).not.toContain("the `description`");
  });

  test("a control that loaded it is said", async () => {
    const { log } = await lift(both("1", call, came({ content: "Launching" }), says, end()));
    expect(log).toContain("`probe`: the skill was loaded in 1 of 1 run that should not load it");
  });

  test("a call that failed is quoted, and the description is not blamed", async () => {
    const { log } = await lift(both("2", call, came({ is_error: true }), says, end()));
    expect(log).toContain(
      "the agent called for the skill, and that failed, in 1 of 1 run: `ripgrep execution failed`",
    );
    expect(log).not.toContain("the `description`");
  });

  test.each<[string, object, readonly object[], string, string]>([
    [
      "was cut off",
      {},
      [end({ subtype: "error_max_turns", result: undefined })],
      "0 of 2 queries right, 2 without",
      "1 run of trigger evals ended before the skill was loaded, and does not count: `error_max_turns`.",
    ],
    [
      "used all its time",
      { exit: null, timed_out: true, duration_ms: 60_000 },
      [],
      "0 of 2 queries right, 1 without",
      "1 run of trigger evals used all its time without loading the skill: not loaded.",
    ],
    [
      "loaded it before it was cut off",
      {},
      [call, came({ content: "Launching" }), end({ subtype: "error_max_turns" })],
      "1 of 2 queries right, 1 without",
      "",
    ],
  ])("a trigger run that %s", async (_how, record, rows, share, said) => {
    const trigger = {
      eval: "skills/probe/evals/triggers.json",
      trigger: "Label 1",
      skill: "probe",
      should_trigger: true,
    };
    const { log } = await lift(run("t", { ...trigger, ...record }, ...rows));
    expect(log).toContain(share);
    expect(log).toContain(said);
  });
});

test("runs of trigger evals are shown with their share, by their logs alone, and decide nothing", async () => {
  const loads = (skill: string) =>
    jsonLines({
      type: "assistant",
      message: {
        role: "assistant",
        model: "m",
        content: [{ type: "tool_use", id: "1", name: "Skill", input: { skill } }],
      },
    });
  const trigger = (query: string, trial: number, log: string) =>
    placedRun(
      `t/${query.length.toString()}-${String(trial)}`,
      {
        ...{
          eval: "skills/pdf/evals/triggers.json",
          trigger: query,
          skill: "pdf",
          should_trigger: true,
          trial,
        },
        task: undefined,
      },
      log,
    );
  const results = writeProject({
    ...placedRun("with/1", { eval: "skills/pdf/evals/evals.json", task: "1" }, "With."),
    ...trigger("Merge <b>these</b>", 1, loads("docs:pdf")),
    ...trigger("Merge <b>these</b>", 2, loads("docx")),
    ...trigger("Split it", 1, loads("pdf")),
    ...trigger("Say hi", 1, "Hi."),
  });
  const evals = { ...EVALS, evals: EVALS.evals.slice(0, 1) };
  const outcome = await act(writeProject({ "skills/pdf/evals/evals.json": evals }), judge, {
    inputs: { results },
  });
  expect(outcome.outputs).toMatchObject({ "grades-passed": "1", score: "1.0000", conclusion: "success" });
  expect(outcome.summary).toContain("triggers: 1 of 3 queries right, 1 without a run that says it");
  expect(outcome.summary).toMatch(/❌ .*Merge &lt;b&gt;these.* \| pdf \| yes \| 1\/2 \|/);
  const { waza_grade: ours } = JSON.parse(readFileSync(outcome.outputs["results-file"] ?? "", "utf8")) as {
    waza_grade: { triggers: unknown[] };
  };
  expect(ours.triggers).toHaveLength(3);

  const query = { query: "Split it", should_trigger: true };
  const alone = await act(writeProject({ "skills/pdf/evals/triggers.json": [query] }), judge, {
    inputs: { results: writeProject(trigger("Split it", 1, loads("pdf"))) },
  });
  expect(alone.outputs).toMatchObject({ conclusion: "success" });
  expect(alone.summary).toContain("triggers: 1 of 1");
});
