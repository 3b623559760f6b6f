/** What a skill is worth: runs with it and without it, in this process. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, actWithCopies, closeServers, once, recordOf } from "../support/act.ts";
import { fail, pass, type Asked, type Call, type Reply } from "../support/judge-server.ts";
import {
  allOf,
  begun,
  ended,
  jsonLines,
  loaded,
  loads,
  placedRun,
  said,
  saidText,
} from "../support/outputs.ts";
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
  return writeProject(allOf(...files));
}

const call = (statement: number, passed: boolean): Call => ({
  name: passed ? "set_waza_grade_pass" : "set_waza_grade_fail",
  args: { statement, reason: `Seen in ${String(statement)}.` },
});

/** The second statement fails without the skill, and the third with it on the first eval. */
const judge = ({ evidence }: Asked): Reply => ({
  calls: [call(1, true), call(2, !evidence.includes("Bare")), call(3, !evidence.includes("With, 1"))],
});

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
    const report = join(temporaryFolder("reports"), "r.html");
    const reports = { reports: `html=${report}`, comment: "always" };
    const outcome = await actWithCopies(skills(), judge, { inputs: { ...inputs, ...reports } });
    const counts = { "grades-passed": "3", "grades-failed": "1", "judge-calls": "8" };
    expect(outcome.outputs).toMatchObject({ ...counts, lift: "25", score: "0.9167" });
    expect(outcome.judge.asked.slice(0, 4).some(({ evidence }) => evidence.includes("Bare"))).toBe(false);
    expect(outcome.log).toContain("\npdf makes no difference beyond chance.\n");
    expect(outcome.summary).toContain("| **pdf**, with | **11/12** | – | – | – |");
    const html = readFileSync(report, "utf8");
    for (const page of [outcome.summary, outcome.github.bodies.at(-1) ?? "", html])
      for (const part of [
        "3 more of 12 statements pass.",
        "run both sides more often",
        "Passed only with the skill: 4 statements",
        "Failed only with the skill: 1 statement",
        "Passed in every run of both, which does not measure the skill: 7 statements",
      ])
        expect(page).toContain(part);
    for (const page of [outcome.summary, html])
      expect(page).toMatch(/It is right <(?:small|sub)>Seen in 2\./);
    for (const file of copiesBeside(outcome.outputs["results-file"] ?? ""))
      expect(readFileSync(file, "utf8")).not.toContain("Bare");
    expect(recordOf(outcome).grades.map(({ side, answer }) => [side, answer?.split(",")[0]])).toEqual([
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
    const results = writeProject(allOf(...made));
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
    const better = promptGrader("better", "Which?", { config: { mode: "pairwise" } });
    const workspace = project({
      graders: [promptGrader("right"), better],
      files: { "results.json": results },
    });
    const outcome = await actWithCopies(
      workspace,
      once(({ evidence }) => ({ calls: [evidence.includes("Bare.") ? fail() : pass()] })),
      { inputs: { lift: "true" } },
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
  const ends = (more: object) =>
    ended({
      ...{ total_cost_usd: 0.11, duration_ms: 48_000 },
      modelUsage: { m: { inputTokens: 40_000, outputTokens: 1_000 } },
      ...more,
    });
  const loading = (skill: string) => [loads(skill), loaded("Read.")];
  /** Runs of both sides of a skill; those with it begin with these rows, and end so. */
  const made = (skill: string, rows: readonly object[], end: object = {}, skills?: readonly string[]) =>
    allOf(
      ...["1", "2"].flatMap((task) => {
        const record = { eval: `skills/${skill}/evals/evals.json`, task };
        const withIt = [...rows, saidText("With, 2."), ends({ result: "With, 2.", ...end })];
        const bare = [saidText("Bare."), ends({ result: "Bare.", total_cost_usd: 0.15 })];
        return [
          placedRun(`${skill}/${task}`, record, jsonLines(begun({ skills }), ...withIt)),
          placedRun(
            `${skill}/bare-${task}`,
            { ...record, side: "without-skill" },
            jsonLines(begun({ skills }), ...bare),
          ),
        ];
      }),
    );

  test("gets no difference, and what happened comes first", async () => {
    const results = writeProject({ ...made("csv", loading("csv")), ...made("pdf", []) });
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
      made("pdf", loading("pdf"), { subtype: "error_max_turns", result: undefined }),
      "2 of 2 runs with it ended with `error_max_turns`",
    ],
    [
      "with every tool call refused",
      made("pdf", loading("pdf"), { permission_denials: [{ tool_name: "Skill" }] }),
      "every tool call was refused in 2 of 2 runs with it",
    ],
    [
      "with the skill on both sides",
      made("pdf", loading("pdf"), {}, ["pdf"]),
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
  const init = begun({ skills: ["probe"] });
  const call = loads("probe");
  const end = (more: object = {}) => ended({ is_error: false, result: "68 F", ...more });
  const says = saidText("68 F");
  const root = (more: Readonly<Record<string, string>>) =>
    writeProject({
      "skills/probe/SKILL.md": "---\nname: probe\ndescription: Labels.\n---\n",
      ...more,
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
  const lift = async (files: Record<string, unknown>, more: Readonly<Record<string, string>> = {}) =>
    await act(root(more), judge, {
      inputs: { results: writeProject(files), lift: "true", "on-missing": "warn" },
    });

  test("a control that did not load the skill is right, and its statements decide", async () => {
    const { log } = await lift(both("1", says, end()));
    expect(log).not.toContain("not loaded");
    expect(log).not.toContain("the `description`");
  });

  test("a control that loaded it is said", async () => {
    const { log } = await lift(both("1", call, loaded("Launching"), says, end()));
    expect(log).toContain("`probe`: the skill was loaded in 1 of 1 run that should not load it");
  });

  test("a call that failed is quoted, and the description is not blamed", async () => {
    const { log } = await lift(
      both("2", call, loaded("ripgrep execution failed", { is_error: true }), says, end()),
    );
    expect(log).toContain(
      "the agent called for the skill, and that failed, in 1 of 1 run: `ripgrep execution failed`",
    );
    expect(log).not.toContain("the `description`");
  });

  test("a load that a sub-agent may have made is not known, and its figures are at least so many", async () => {
    const child = said({ type: "tool_use", id: "1", name: "Agent", input: { prompt: "Do." } });
    const ends = end({ total_cost_usd: 0.25 });
    const { log, summary } = await lift(both("2", child, loaded("Done."), says, ends));
    expect(log).toContain("whether the skill was loaded is not known in 1 of 2 runs with it");
    expect(log).not.toContain("was not loaded");
    expect(summary).toContain("at least <span>$</span>0.25");
  });

  test("a skill's file that the agent read is a load, and the page says so", async () => {
    const words = "Labels are written in blue ink.";
    const skill = { "skills/probe/SKILL.md": `---\nname: probe\ndescription: Labels.\n---\n${words}\n` };
    const read = said({ type: "tool_use", id: "1", name: "Bash", input: { command: "cat probe/SKILL.md" } });
    const { log, summary } = await lift(both("2", read, loaded(words), says, end()), skill);
    expect(log).not.toContain("was not loaded");
    expect(summary).toContain("the agent read the skill's file");
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
      "neither says nor calls anything",
      {},
      [end({ result: undefined })],
      "0 of 2 queries right, 2 without",
      "does not count: `The agent neither said nor called anything.`",
    ],
    [
      "used all its time",
      { exit: null, timed_out: true, duration_ms: 60_000 },
      [says],
      "0 of 2 queries right, 1 without",
      "1 run of trigger evals used all its time without loading the skill: not loaded.",
    ],
    [
      "loaded it before it was cut off",
      {},
      [call, loaded("Launching"), end({ subtype: "error_max_turns" })],
      "1 of 2 queries right, 1 without",
      "",
    ],
  ])("a trigger run that %s", async (_how, record, rows, share, words) => {
    const query = { trigger: "Label 1", skill: "probe", should_trigger: true };
    const trigger = { eval: "skills/probe/evals/triggers.json", ...query };
    const { log } = await lift(run("t", { ...trigger, ...record }, ...rows));
    expect(log).toContain(share);
    expect(log).toContain(words);
  });
});

test("runs of trigger evals are shown with their share, by their logs alone, and decide nothing", async () => {
  const its = { eval: "skills/pdf/evals/triggers.json", skill: "pdf", should_trigger: true };
  const trigger = (query: string, trial: number, log: string) =>
    placedRun(
      `t/${String(query.length)}-${String(trial)}`,
      { ...its, trigger: query, trial, task: undefined },
      log,
    );
  const loading = (skill: string) => jsonLines(loads(skill));
  const results = writeProject({
    ...placedRun("with/1", { eval: "skills/pdf/evals/evals.json", task: "1" }, "With."),
    ...trigger("Merge <b>these</b>", 1, loading("docs:pdf")),
    ...trigger("Merge <b>these</b>", 2, loading("docx")),
    ...trigger("Split it", 1, loading("pdf")),
    ...trigger("Say hi", 1, "Hi."),
  });
  const evals = { ...EVALS, evals: EVALS.evals.slice(0, 1) };
  const outcome = await act(writeProject({ "skills/pdf/evals/evals.json": evals }), judge, {
    inputs: { results },
  });
  expect(outcome.outputs).toMatchObject({ "grades-passed": "1", score: "1.0000", conclusion: "success" });
  expect(outcome.summary).toContain("triggers: 1 of 3 queries right, 1 without a run that says it");
  expect(outcome.summary).toMatch(/❌ .*Merge &lt;b&gt;these.* \| pdf \| yes \| 1\/2 \|/);
  const states = recordOf(outcome).grades.flatMap(({ query, state }) => (query ? state : []));
  expect(states.sort()).toEqual(["errored", "failed", "passed", "passed"]);

  const query = { query: "Split it", should_trigger: true };
  const alone = await act(writeProject({ "skills/pdf/evals/triggers.json": [query] }), judge, {
    inputs: { results: writeProject(trigger("Split it", 1, loading("pdf"))) },
  });
  expect(alone.outputs).toMatchObject({ conclusion: "success" });
  expect(alone.summary).toContain("triggers: 1 of 1");
});
