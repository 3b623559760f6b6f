/** Every format of agent outputs through the action: graded, and in the record. */
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  actHere,
  actWithCopies,
  closeServers,
  lastLine,
  passing,
  recordOf,
  type Outcome,
} from "../support/act.ts";
import { times } from "../support/factories.ts";
import { pass, type Asked, type Call, type Reply } from "../support/judge-server.ts";
import { fixture } from "../support/outputs.ts";
import { project, promptGrader, runFixture, type ProjectFixture } from "../support/projects.ts";
import {
  TOKEN,
  copiesBeside,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

/** Grades the files below `out` as outputs of one task. */
async function grade(files: Readonly<Record<string, string>>) {
  const workspace = writeProject({
    "evals/eval.yaml": { name: "suite", tasks: ["tasks/*.yaml"], graders: [promptGrader("right")] },
    "evals/tasks/explain.yaml": { id: "explain", inputs: { prompt: "What does loop.py do?" } },
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`out/${name}`, text])),
  });
  return await actWithCopies(workspace, passing, { inputs: { results: "out/**/*" } });
}

const runsOf = (outcome: Outcome) =>
  recordOf(outcome).grades.map(({ model, run_number, state, answer }) => [
    model,
    run_number,
    state,
    answer?.trim(),
  ]);

const { "claude-execution-output.json": execution = "", ...finished } = fixture("claude-code");

describe("agent outputs", () => {
  const LOOPS = "It loops forever.";
  const READ = "while True: pass";
  const NO_RUN = "The results have no run of a planned task (`explain`).";

  test.each<
    [string, Record<string, string>, runs: [model: string | null, number, answer: string][], shown?: string]
  >([
    ["waza's results of old", fixture("waza-legacy"), [["gpt-4o", 1, LOOPS]], READ],
    [
      "waza's results of several models, and their summary",
      fixture("waza-summary"),
      [
        ["claude-sonnet-4.5", 1, "It loops forever, says claude-sonnet-4.5."],
        ["gpt-5", 1, "It loops forever, says gpt-5."],
      ],
    ],
    [
      "waza's transcripts",
      fixture("waza-transcripts"),
      [
        [null, 1, `${LOOPS}\n\nYes.`],
        [null, 2, "It never ends."],
      ],
      READ,
    ],
    [
      "records",
      fixture("records"),
      [
        ["agent-a", 1, LOOPS],
        ["agent-a", 2, "It never ends."],
        ["agent-b", 1, '{"answer":"forever"}'],
      ],
      READ,
    ],
    [
      "text files",
      fixture("text-files"),
      [
        [null, 2, "It never ends."],
        [null, 3, '{"answer": "forever"}'],
        [null, 1, LOOPS],
      ],
    ],
    [
      "logs of Claude Code",
      finished,
      [
        ["claude-sonnet-4-5-20250929", 1, LOOPS],
        ["claude-sonnet-4-5", 1, LOOPS],
      ],
      READ,
    ],
    [
      "sessions of Claude Code",
      fixture("claude-code-sessions"),
      [["claude-sonnet-4-5-20250929", 1, LOOPS]],
      READ,
    ],
    [
      "logs of several agents",
      {
        "a/explain.jsonl": fixture("copilot")["printed.jsonl"]!,
        "b/explain.jsonl": fixture("codex-exec")["explain.jsonl"]!,
        "c/explain.jsonl": fixture("gemini-cli")["explain.jsonl"]!,
      },
      [
        ["claude-sonnet-4.6", 1, LOOPS],
        [null, 1, LOOPS],
        ["gemini-3-pro", 1, LOOPS],
      ],
      "timeout 1 python loop.py",
    ],
    [
      "waza's results with a baseline",
      fixture("waza-baseline"),
      [["gpt-5", 1, "It loops forever, says the skill."]],
    ],
  ])("that are %s are graded and in the record", async (...[, files, runs, shown = "forever"]) => {
    const outcome = await grade(files);
    expect(outcome.log).not.toContain("A bug in waza-grade");
    expect(outcome.code).toBe(0);
    expect(outcome.outputs).toMatchObject({ "grades-passed": String(runs.length), score: "1.0000" });
    expect(runsOf(outcome)).toEqual(runs.map(([model, number, answer]) => [model, number, "passed", answer]));
    expect(outcome.judge.asked.some(({ evidence }) => evidence.includes(shown))).toBe(true);
  });

  test("of an agent that ended in an error are judged by what it did, and the judge is reported how it ended", async () => {
    const nothing = JSON.stringify({ task_id: "explain", error: "crashed at the start", trial: 2 });
    const outcome = await grade({ "claude-execution-output.json": execution, "crashed.jsonl": nothing });
    const { code, outputs, judge, summary } = outcome;
    expect(code).toBe(1);
    expect(outputs).toMatchObject({ "grades-passed": "1", "grades-failed": "1", score: "0.5000" });
    expect(judge.asked.map(({ evidence }) => evidence)).toEqual([
      expect.stringMatching(/ how the run ended>>>\nerror: error_max_turns\n<<</),
    ]);
    expect(summary).toContain("The agent never got to work. Its run ended in an error: crashed at the start");
    expect(runsOf(outcome)).toEqual([
      ["claude-opus-4-1", 1, "passed", undefined],
      [null, 2, "failed", undefined],
    ]);
  });

  test("that are there twice are read once; different runs of one number are an error that names both files", async () => {
    const leg = (answer: string, id = "explain") =>
      JSON.stringify({
        eval_name: "suite",
        config: { model_id: "gpt-5" },
        tasks: [{ test_id: id, runs: [{ run_number: 1, status: "skipped", final_output: answer }] }],
      });
    const outcome = await grade({
      "leg-1/results.json": leg("It loops forever."),
      "leg-2/results.json": leg("It never ends."),
      "leg-3/results.json": leg("It loops forever."),
      "leg-4/results.json": leg("Other things.", "of-no-suite"),
    });
    const { code, outputs, judge, log } = outcome;
    expect(code).toBe(1);
    expect(outputs).toMatchObject({ "grades-passed": "1", "grades-failed": "0" });
    expect(judge.asked.map(({ evidence }) => /It \w+ \w+\./.exec(evidence)?.[0])).toEqual([LOOPS]);
    expect(copiesBeside(outputs["results-file"] ?? "")).toHaveLength(3);
    expect(log).toContain(
      "Identical files, read once: `out/leg-3/results.json` (as `out/leg-1/results.json`).",
    );
    expect(lastLine(outcome)).toMatch(
      /^::error::Failed: .*out\/leg-2\/results\.json:1: `out\/leg-1\/results\.json` and `out\/leg-2\/results\.json` have different runs with the same task, model and number; only the first is graded: run 1 of `explain` by `gpt-5`\. Number them\..*`trials_per_task`.*`run_number`/,
    );
  });

  test.each([
    ["a summary alone", { "results.json": fixture("waza-summary")["results.json"] ?? "" }, NO_RUN],
    ["names that are no task's", { "other.md": "x" }, NO_RUN],
    [
      "a torn line",
      { "o.jsonl": '{"task_id":"explain","output":"x"}\n{"task_id"' },
      "out/o.jsonl:2: the file is not valid JSON",
    ],
  ])("of %s are a configuration problem", async (_case, files, sentence) => {
    const { code, log, judge } = await grade(files);
    expect(code).toBe(1);
    expect(judge.asked).toEqual([]);
    expect(log).toContain(sentence);
  });
});

/* What the judge is shown of a run, one kind of evidence after the other. */

const act = (
  workspace: string,
  script: (asked: Asked) => Reply,
  inputs: Readonly<Record<string, string>> = {},
) => actHere(workspace, script, { inputs });

/** A judge that reads in its first reply, and passes in its second. */
const reading =
  (...calls: readonly Call[]) =>
  ({ turn }: Asked): Reply =>
    turn === 1 ? { calls } : turn === 2 ? { calls: [pass("It works", "so it does")] } : {};
const list = (path?: string): Call => ({ name: "list_files", args: { path } });
const read = (path: string): Call => ({ name: "read_file", args: { path } });
const search = (query: string): Call => ({ name: "search_files", args: { query } });

/** Tool results in a request, by default the second. */
const toolResults = ({ judge }: Outcome, index = 1) =>
  judge.asked[index]?.request.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : [])) ??
  [];
const roles = ({ judge }: Outcome) => judge.asked[0]?.request.messages.map(({ role }) => role);
const evidence = ({ judge }: Outcome) => judge.asked[0]?.evidence ?? "";
const tools = ({ judge }: Outcome) => judge.asked[0]?.request.tools?.map((tool) => tool.function.name) ?? [];
const annotations = ({ github }: Outcome) =>
  github.checkRuns[0]?.annotations.map(({ message }) => message).join("\n") ?? "";

const evidenceFields = (outcome: Outcome) => recordOf(outcome).grades.map((grade) => grade.evidence);

const user = (content: string) => ({ type: "user.message", content });
const agent = (content: string) => ({ type: "assistant.message", content });
const call = (id: string, name: string, args: unknown, result = "ok") => [
  { type: "tool.execution_start", tool_call_id: id, tool_name: name, arguments: args },
  { type: "tool.execution_complete", tool_call_id: id, success: true, tool_result: { content: result } },
];

const oneRun = (run: Readonly<Record<string, unknown>>, more: ProjectFixture = {}) =>
  project({ ...more, runs: { "task-1": [runFixture(run)] } });

describe("a digest", () => {
  const transcript = [user("Do the task."), ...call("1", "bash", { command: "ls" }, "a.txt"), agent("Done.")];

  test("of a run that fits is whole, and every page says so", async () => {
    const outcome = await act(oneRun({ transcript, final_output: "Done." }), passing);
    expect(roles(outcome)).toEqual(["system", "user", "user"]);
    expect(tools(outcome)).toEqual(["set_waza_grade_pass", "set_waza_grade_fail", "finish_grading"]);
    expect(evidence(outcome)).toContain('arguments: {"command":"ls"}\nresult:\na.txt');
    const characters = evidence(outcome).length;
    expect(outcome.summary).toContain(
      `the judge saw the whole run (${String(characters)} characters, 1 tool call)`,
    );
    expect(annotations(outcome)).not.toContain("The judge saw");
    expect(evidenceFields(outcome)).toEqual([
      { characters, tool_calls: 1, elided: false, reconstructed_session: false },
    ]);
  });

  test("of a long run keeps head, tail and final output, within `max-evidence`, and every page says so", async () => {
    const middle = times(400, (i) => call(String(i), "bash", { command: String(i) }, "r".repeat(200)));
    const final_output = `${"The answer. ".repeat(500)}END`;
    const run = { transcript: [user("FIRST"), ...middle.flat(), agent("LAST")], final_output };
    const outcome = await act(oneRun(run), passing, { "max-evidence": "5000" });
    const shown = evidence(outcome);
    expect(shown.length).toBeLessThanOrEqual(20_400);
    for (const part of ["FIRST", "LAST", final_output]) expect(shown).toContain(part);
    expect(shown).toMatch(/\[\.\.\. left out: 0 messages and \d+ tool calls \.\.\.\]/);
    const texts = /shortened run \((1\d,\d{3}|2\d,\d{3}) characters, 400 tool calls\)/;
    expect(outcome.summary).toMatch(texts);
    expect(annotations(outcome)).toMatch(texts);
    expect(outcome.summary).toContain("The judge saw a shortened run: what was cut may speak against it.");
    expect(evidenceFields(outcome)).toMatchObject([{ elided: true, tool_calls: 400 }]);
  });

  test("shows the calls that only `tool_events` hold, with their full arguments", async () => {
    const tool_events = [
      { turn: 1, sequence: 1, tool_name: "create", args: { path: "a.md", file_text: "# A" }, success: true },
    ];
    const run = { transcript: [user("x"), agent("Writing."), agent("Done.")], tool_events };
    const outcome = await act(oneRun(run), passing);
    expect(evidence(outcome)).toMatch(
      / \[2\] agent>>>\nWriting\.\n<<<[0-9a-f]+ \[3\] tool call create \(succeeded\)>>>\narguments: \{"path":"a\.md","file_text":"# A"\}/,
    );
    expect(outcome.log).not.toContain("not part of the format");
  });
});

describe("a replayed session", () => {
  const graders = [promptGrader("resumed", "Did you do it?", { config: { continue_session: true } })];

  test("is turns of plain text before the prompt, and is marked on every page", async () => {
    const transcript = [
      user("Do it."),
      agent("I will."),
      ...call("call_that_is_much_longer_than_forty_characters_0", "my tool!", { a: 1 }, "result"),
      user("Now?"),
      agent("Done."),
    ];
    const outcome = await act(oneRun({ transcript, final_output: "I will.Done." }, { graders }), passing);
    expect(roles(outcome)).toEqual(["system", "user", "assistant", "user", "assistant", "user"]);
    const [first] = outcome.judge.asked;
    expect(first?.prompt).toBe("Did you do it?");
    expect(JSON.stringify(first?.request.messages)).not.toContain("tool_call");
    expect(first?.request.messages[2]?.content).toMatch(
      /^<<<([0-9a-f]{8}) \[2\] agent>>>\nI will\.\n<<<\1 \[3\] tool call my tool! \(succeeded\)>>>\narguments: \{"a":1\}\nresult:\nresult$/,
    );
    expect(outcome.summary).toContain("reconstructed session");
    expect(annotations(outcome)).toContain("Reconstructed session");
    expect(evidenceFields(outcome)).toMatchObject([{ reconstructed_session: true, tool_calls: 1 }]);
  });

  test("from tool_events alone begins with the prompt and ends with the final output", async () => {
    const tool_events = [{ turn: 1, sequence: 1, tool_name: "bash", args: { command: "ls" }, success: true }];
    const outcome = await act(oneRun({ tool_events, final_output: "Listed." }, { graders }), passing);
    expect(roles(outcome)).toEqual(["system", "user", "assistant", "user"]);
    expect(evidence(outcome)).toMatch(/ user>>>\nDo the task\.\n/);
    expect(evidence(outcome)).toMatch(/ agent: final output>>>\nListed\.\n/);
  });

  test("with nothing to replay is judged by its final output, and a warning says what to record", async () => {
    const outcome = await act(oneRun({}, { graders }), passing);
    expect(outcome.outputs).toMatchObject({ "grades-errored": "0", "grades-passed": "1" });
    expect(outcome.summary).toMatch(/only the final output.*waza run.*transcript/s);
  });
});

describe("a workspace", () => {
  test("is listed, read and searched by the judge, and nothing outside of it", async () => {
    const files = { "out/src/app.ts": `// ${TOKEN}\nexport const a = 1;\n`, "secret.txt": "TOP-SECRET" };
    const root = project({ files });
    symlinkSync("../secret.txt", join(root, "out/link"));
    mkdirSync(join(root, "out/.git"));
    writeFileSync(join(root, "out/.git/config"), "TOP-SECRET");
    writeFileSync(join(root, "out/logo.png"), Buffer.from([0x89, 0x50, 0, 0]));
    const script = reading(
      ...[list(), read("workspace/src/app.ts"), read("workspace/link"), read("workspace/../secret.txt")],
      ...[read("workspace/logo.png"), search("const"), search("SECRET"), read("/etc/passwd")],
    );
    const outcome = await act(root, script, { workspace: "out" });
    expect(tools(outcome).slice(0, 3)).toEqual(["list_files", "read_file", "search_files"]);
    expect(evidence(outcome)).toMatch(/ files: 2>>>\nworkspace\/logo\.png\nworkspace\/src\/app\.ts\n<<</);
    expect(toolResults(outcome)).toEqual([
      "2 files:\nworkspace/logo.png (4 bytes)\nworkspace/src/app.ts (65 bytes)",
      "workspace/src/app.ts, lines 1 to 2 of 2:\n// [redacted]\nexport const a = 1;",
      expect.stringMatching(/^There is no file `workspace\/link`/),
      expect.stringMatching(/^There is no file/),
      "`workspace/logo.png` is a binary file of 4 bytes.",
      "1 line:\nworkspace/src/app.ts:2: export const a = 1;",
      "No line of 2 files contains it.",
      expect.stringMatching(/^There is no file/),
    ]);
    expect(outcome.judge.asked.map(({ request }) => JSON.stringify(request)).join()).not.toMatch(
      /TOP-SECRET|ghs_loop/,
    );
    expect(outcome.summary).toContain("it read files 8 times");
    expect(evidenceFields(outcome)).toMatchObject([{ reads: 8 }]);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", passed: "true" });
  });

  test("of each task and run is its own, and one that is missing is a warning that lists the tasks", async () => {
    const tasks = [{ id: "a/b" }, { id: "gone" }, { id: "../up" }];
    const files = { "out/a/b/1/f": "one", "out/a/b/2/f": "two", "up/1/f": "SECRET" };
    const runs = { "a/b": [runFixture(), runFixture({ run_number: 2 })] };
    const outcome = await act(project({ tasks, files, runs }), reading(read("workspace/f")), {
      workspace: "out/{task}/{run}",
      "max-concurrency": "1",
    });
    const seen = outcome.judge.asked.filter(({ turn }) => turn === 2);
    expect(
      seen.map(({ request }) => request.messages.findLast(({ role }) => role === "tool")?.content),
    ).toEqual([
      "workspace/f, lines 1 to 1 of 1:\none",
      "workspace/f, lines 1 to 1 of 1:\ntwo",
      expect.stringContaining("There is no tool called"),
      expect.stringContaining("There is no tool called"),
    ]);
    expect(outcome.summary).toContain("matches no folder (first `out/gone/1`) for the task `gone`");
    expect(outcome.summary).toContain("leads out of its own folder for the task `../up`");
    expect(outcome.outputs).toMatchObject({ "grades-passed": "4", conclusion: "success", passed: "true" });
  });

  test("that serves several runs is warned about; an empty one is said, without tools", async () => {
    const root = project({ runs: { "task-1": [runFixture(), runFixture({ run_number: 2 })] } });
    mkdirSync(join(root, "out"));
    const outcome = await act(root, passing, { workspace: "out" });
    expect(outcome.summary).toContain("names one folder (first `out`) for several runs");
    expect(evidence(outcome)).toMatch(/ files: 0>>>\n\(workspace\/ is empty\)\n/);
    expect(tools(outcome)).toHaveLength(3);
    expect(outcome.judge.asked[0]?.request.messages[0]?.content).not.toContain("read_file");
  });

  test("is part of what a recorded verdict depends on", async () => {
    const root = oneRun({}, { files: { "out/a": "one" } });
    const inputs = { workspace: "out", "cache-dir": join(temporaryFolder("verdicts"), "v") };
    const first = await act(root, reading(read("workspace/a")), inputs);
    const second = await act(root, reading(read("workspace/a")), inputs);
    writeFileSync(join(root, "out/a"), "two");
    const third = await act(root, reading(read("workspace/a")), inputs);
    expect([first, second, third].map(({ judge }) => judge.asked.length)).toEqual([3, 0, 3]);
    expect(second.summary).toMatch(/it read files 1 time · from the record/);
  });

  test("is seen beside a replayed session too", async () => {
    const graders = [promptGrader("resumed", "Did you?", { config: { continue_session: true } })];
    const run = { transcript: [user("x"), agent("Done.")], final_output: "Done." };
    const root = oneRun(run, { graders, files: { "out/a": "one" } });
    const outcome = await act(root, reading(read("workspace/a")), { workspace: "out" });
    expect(roles(outcome)).toEqual(["system", "user", "assistant", "user", "user"]);
    expect(toolResults(outcome)).toEqual(["workspace/a, lines 1 to 1 of 1:\none"]);
    expect(outcome.summary).toMatch(/reconstructed session · it read files 1 time/);
  });
});

test("folders that waza kept (--keep-workspace) are not read, and a notice says what to write", async () => {
  const kept = writeProject({ a: "SECRET" });
  const root = oneRun({ workspace_dir: kept });
  const outcome = await act(root, reading());
  expect(outcome.log).toMatch(
    /^notice: .*The folders that waza kept \(`workspace_dir`\) are not read\. Name them by the input `workspace`/m,
  );
  expect(JSON.stringify(outcome.judge.asked.map(({ request }) => request))).not.toContain("SECRET");
});

describe("files that the task gave the agent", () => {
  test("are listed and read by the judge, as given", async () => {
    const task = (inputs: object) => ({ id: "task-1", inputs: { prompt: "Do the task.", ...inputs } });
    const files = [{ path: "fixture.py" }, { path: "notes/inline.md", content: "# Inline" }];
    const root = project({
      files: {
        "evals/tasks/0001.yaml": task({ files }),
        "evals/fixtures/fixture.py": "print(1)\n",
        "evals/fixtures/unnamed.py": "SECRET",
      },
    });
    const script = reading(read("given/fixture.py"), read("given/notes/inline.md"), read("given/unnamed.py"));
    const outcome = await act(root, script);
    expect(evidence(outcome)).toMatch(/ files: 2>>>\ngiven\/fixture\.py\ngiven\/notes\/inline\.md\n<<</);
    expect(toolResults(outcome)).toEqual([
      "given/fixture.py, lines 1 to 1 of 1:\nprint(1)",
      "given/notes/inline.md, lines 1 to 1 of 1:\n# Inline",
      expect.stringMatching(/^There is no file `given\/unnamed\.py`/),
    ]);
    expect(outcome.summary).toContain("it read files 3 times");
  });

  test("are those of its context folder too, and of the fixture its context names", async () => {
    const inputs = { prompt: "Do the task." };
    const root = project({
      tasks: [{ id: "task-1" }, { id: "task-2" }],
      files: {
        "evals/tasks/0001.yaml": { id: "task-1", context_dir: "../app", inputs },
        "evals/tasks/0002.yaml": { id: "task-2", inputs: { ...inputs, context: { fixture: "app" } } },
        "evals/app/src/main.ts": "main();\n",
      },
    });
    const outcome = await act(root, reading(search("main()")), { "max-concurrency": "1" });
    const found = ["1 line:\ngiven/src/main.ts:1: main();"];
    expect([toolResults(outcome, 1), toolResults(outcome, 4)]).toEqual([found, found]);
  });
});

describe("an answer in a folder that is named for something else fills in for no missing run", () => {
  const skill = { skill_name: "pdf", evals: [{ id: 1, prompt: "Do.", assertions: ["It is done"] }] };
  const grade = { suite: "old", task_id: "1", grader: "right", run_number: 1, state: "passed", score: 1 };
  const gone = { waza_grade: { version: 1, graded_at: "2026-01-01T00:00:00.000Z", grades: [grade] } };
  test.each<[string, string]>([
    ["a skill with trigger evals alone", "csv"],
    ["a skill without evals", "docx"],
    ["a suite of the baseline that is gone", "old"],
  ])("%s", async (_case, folder) => {
    const workspace = writeProject({
      "skills/pdf/SKILL.md": "---\nname: pdf\n---\n",
      "skills/pdf/evals/evals.json": skill,
      "skills/csv/SKILL.md": "---\nname: csv\n---\n",
      "skills/csv/evals/triggers.json": [{ query: "Clean it", should_trigger: true }],
      "skills/docx/SKILL.md": "---\nname: docx\n---\n",
      "base/old.json": gone,
      [`out/${folder}/1.md`]: "Another's answer.",
    });
    const outcome = await act(workspace, passing, { results: "out/**/*.md", baseline: "base/*.json" });
    expect(outcome.outputs).toMatchObject({ conclusion: "failure", "judge-calls": "0" });
    expect(outcome.log).toContain("which is not graded here, is left out");
  });

  test("the folder of the skill itself holds its answers, by either of its names", async () => {
    const workspace = writeProject({
      "skills/pdf-tools/SKILL.md": "---\nname: pdf\n---\n",
      "skills/pdf-tools/evals/evals.json": skill,
      "out/pdf-tools/1.md": "Done.",
    });
    const outcome = await act(workspace, passing, { results: "out/**/*.md" });
    expect(outcome.outputs).toMatchObject({ "judge-calls": "1" });
  });
});

test("evals that `files.evalFile` hides are named", async () => {
  const root = project({ files: { ".waza.yaml": "files: {evalFile: easy.yaml}\n" } });
  writeFileSync(join(root, "easy.yaml"), readFileSync(join(root, "evals/eval.yaml")));
  const outcome = await act(root, passing, { "on-missing": "warn" });
  expect(outcome.log).toContain(
    "These files seem to hold evals and are not read: `evals/eval.yaml`. Evals are read from `eval.yaml`, or what `files.evalFile` of .waza.yaml names",
  );
});
