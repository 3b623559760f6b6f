/** The whole action against loopback servers that refuse what the real ones refuse. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { ROOT } from "../../scripts/demo-suite.ts";
import { systemMessage } from "../../src/judge/message.ts";
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
import {
  fail,
  pass,
  startJudge,
  together,
  type Asked,
  type Call,
  type Reply,
} from "../support/judge-server.ts";
import { times } from "../support/factories.ts";
import { project, promptGrader, resultsFixture, runFixture } from "../support/projects.ts";
import {
  HEAD_SHA,
  MERGE_SHA,
  TOKEN,
  pullRequestEvent,
  removeTemporaryFolders,
  temporaryFolder,
  copiesBeside,
} from "../support/run-action.ts";

interface GradedResults {
  config: { judge_model?: string };
  summary: Record<string, unknown>;
  tasks: {
    test_id: string;
    status: string;
    stats?: Record<string, unknown>;
    runs: { status: string; validations: Record<string, Record<string, unknown>>; final_output: string }[];
  }[];
}

/** The copy for waza beside the record. */
function copyOf({ outputs }: Outcome, index = 0): GradedResults {
  const copy = copiesBeside(outputs["results-file"] ?? "")[index] ?? "";
  return JSON.parse(readFileSync(copy, "utf8")) as GradedResults;
}

const validationsOf = (outcome: Outcome) => copyOf(outcome).tasks[0]?.runs[0]?.validations ?? {};

/** A validation as a results file has it: failed, with nothing to its name. */
const validation = (changes: Readonly<Record<string, unknown>>) => ({
  ...{ type: "prompt", score: 0, weight: 1, passed: false, feedback: "", duration_ms: 0 },
  ...changes,
});

afterEach(closeServers);
afterAll(removeTemporaryFolders);

describe("the contract of waza's prompt grader, rule by rule", () => {
  const turns =
    (...replies: Reply[]) =>
    ({ turn }: Asked): Reply =>
      replies[turn - 1] ?? {};

  const CASES: readonly (readonly [string, (asked: Asked) => Reply, score: number, checks: string])[] = [
    [
      "calls in one reply all count",
      turns({ calls: [pass("a"), fail("b"), pass("c")] }),
      2 / 3,
      "2 passed, 1 failed",
    ],
    [
      "calls over several replies all count",
      turns({ calls: [pass("a")] }, { calls: [fail("b")] }),
      0.5,
      "1 passed, 1 failed",
    ],
    ["only passes is a pass", turns({ calls: [pass("a"), pass("b")] }), 1, "2 passed, 0 failed"],
    ["only failures score nothing", turns({ calls: [fail("a")] }), 0, "0 passed, 1 failed"],
    [
      "the same call again is another check",
      turns({ calls: [pass("a"), pass("a"), pass("a"), fail("a")] }),
      0.75,
      "3 passed, 1 failed",
    ],
    [
      "calls without arguments count",
      turns({ calls: [{ name: "set_waza_grade_pass" }] }),
      1,
      "1 passed, 0 failed",
    ],
    [
      "unreadable arguments count, without detail",
      turns({ calls: [{ name: "set_waza_grade_fail", args: '{"reason": "cut o' }] }),
      0,
      "0 passed, 1 failed",
    ],
    [
      "a tool that does not exist does not count",
      turns({ calls: [{ name: "take_notes" }, pass("a")] }),
      1,
      "1 passed, 0 failed",
    ],
    ["no call at all scores nothing and fails", () => ({ text: "PASS. All good." }), 0, "0 passed, 0 failed"],
    [
      "a call after the reminder counts",
      turns({ text: "It is right." }, { calls: [pass("a")] }),
      1,
      "1 passed, 0 failed",
    ],
  ];

  test("the score of each kind of calls, in one run of as many graders", async () => {
    const names = CASES.map((_, index) => `g${String(index)}`);
    const workspace = project({ graders: names.map((name) => promptGrader(name)) });
    const outcome = await actWithCopies(workspace, (asked) => {
      const index = names.findIndex((name) => asked.prompt.includes(`(${name})`));
      return CASES[index]?.[1](asked) ?? {};
    });
    const written = recordOf(outcome).grades;
    const grades = CASES.map(([name], index) => {
      const grade = written.find(({ grader }) => grader === names[index]);
      const of = (outcome: string) => grade?.checks?.filter((check) => check.outcome === outcome).length;
      return [name, grade?.score, `${String(of("pass"))} passed, ${String(of("fail"))} failed`];
    });
    expect(grades).toEqual(CASES.map(([name, , score, checks]) => [name, score, checks]));
    for (const { state, score } of written) expect(state).toBe(score === 1 ? "passed" : "failed");
    const green = CASES.filter(([, , score]) => score === 1).length;
    expect(outcome.outputs).toMatchObject({
      "grades-passed": String(green),
      "grades-failed": String(CASES.length - green),
      "grades-errored": "0",
    });
    expect(outcome.code).toBe(1);
    expect(outcome.github.checkRuns[0]?.conclusion).toBe("failure");
  });

  test("no call is reminded once, and then said, never 'All prompts passed'", async () => {
    const outcome = await actWithCopies(project(), () => ({ text: "Score: 1.0, excellent." }));
    expect(outcome.judge.asked).toHaveLength(2);
    expect(outcome.judge.asked[1]?.request.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("not reported anything yet") as unknown,
    });
    expect(outcome.summary).toContain("The judge made no grading call");
    expect(outcome.summary).toContain("Score: 1.0, excellent.");
    expect(outcome.github.checkRuns[0]?.annotations[0]?.message).toContain("made no grading call");
    const ours = { score: 0, passed: false, feedback: "The judge made no grading call." };
    expect(validationsOf(outcome)["grader-1"]).toMatchObject(ours);
  });

  test("a failure is kept when a later turn fails: the grade is failed, incomplete and not recorded", async () => {
    const folder = temporaryFolder("cache");
    const script = turns(
      { calls: [fail("kept", "it does not hold")] },
      { status: 500, headers: { "x-should-retry": "false" } },
    );
    const outcome = await act(project(), script, { inputs: { "cache-dir": folder } });
    expect(outcome.outputs).toMatchObject({
      "grades-failed": "1",
      "grades-errored": "0",
      score: "0.0000",
      "judge-calls": "2",
    });
    expect(outcome.code).toBe(1);
    expect(outcome.github.checkRuns[0]?.annotations[0]).toMatchObject({
      annotation_level: "failure",
      message: expect.stringContaining("Incomplete") as unknown,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("all calls count, in any number, whatever number the prompt names", async () => {
    const graders = [promptGrader("grader-1", "Check each criterion (3 calls total).")];
    const outcome = await act(project({ graders }), once({ calls: [pass("a"), pass("b")] }));
    expect(outcome.code).toBe(0);
    expect(outcome.outputs).toMatchObject({ score: "1.0000", "checks-passed": "2" });
  });

  test("the results file holds waza's details, and its figures over all validations", async () => {
    const other = validation({ identifier: "short", type: "text" });
    const old = validation({ identifier: "grader-1", feedback: "old" });
    const workspace = project({
      graders: [promptGrader("grader-1", "Check.", { weight: 3 }), { type: "text", name: "short" }],
      runs: { "task-1": [runFixture({ status: "failed", validations: { short: other, "grader-1": old } })] },
    });
    const calls = [pass("a", "b"), pass("c", "d"), fail("e", "f"), fail()];
    const outcome = await actWithCopies(workspace, once({ text: "I am done.", calls }));
    expect(validationsOf(outcome)).toEqual({
      short: other,
      "grader-1": {
        identifier: "grader-1",
        type: "prompt",
        score: 0.5,
        weight: 3,
        passed: false,
        feedback: "fail: e: f;fail: : ",
        details: {
          response: "I am done.",
          prompt: "Check.",
          passes: "pass: a: b;pass: c: d",
          failures: "fail: e: f;fail: : ",
        },
        duration_ms: expect.any(Number) as unknown,
      },
    });
    expect(copyOf(outcome)).toMatchObject({
      tasks: [{ status: "failed", stats: { avg_score: 0.25, avg_weighted_score: 0.375, failed_runs: 1 } }],
      config: { judge_model: "gpt-6-luna", model_id: "agent-model" },
      summary: { aggregate_score: 0.25, weighted_score: 0.375, failed: 1, success_rate: 0 },
    });
    expect(recordOf(outcome)).toMatchObject({ score: 0.5 });
    expect(outcome.summary).toContain("1 validation recorded by waza");
    expect(outcome.outputs.score).toBe("0.5000");
  });

  test("the prompt is sent verbatim and last, and nothing in it is expanded", async () => {
    const prompt = 'Is {{secrets.X}} or {output} or ${HOME} or $name in <answer>?\n\n{"regex": "^a|b$"}\n';
    const outcome = await act(project({ graders: [promptGrader("grader-1", prompt)] }), passing, {
      env: { HOME: "/home/mona" },
    });
    const [first] = outcome.judge.asked;
    expect(first?.request.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
    expect(first?.prompt).toBe(prompt);
  });

  test("neither temperature nor tool_choice is sent, only model, messages and the tools", async () => {
    const outcome = await act(project(), passing, { inputs: { "judge-model": "named" } });
    const [first] = outcome.judge.asked;
    expect(Object.keys(first?.request ?? {}).sort()).toEqual(["messages", "model", "tools"]);
    expect(first?.request.tools?.map((tool) => tool.function.name)).toEqual([
      "set_waza_grade_pass",
      "set_waza_grade_fail",
      "finish_grading",
    ]);
    expect(first?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("the grader's own model is asked before the input's, and that before the eval's", async () => {
    const graders = [
      promptGrader("own", "p", { config: { model: "openai/gpt-chat-latest" } }),
      promptGrader("auto", "p", { config: { model: "auto" } }),
    ];
    const workspace = project({ graders, config: { judge_model: "from-eval" } });
    const modelsAsked = async (inputs: Record<string, string>) =>
      (await act(workspace, passing, { inputs })).judge.asked.map(({ request }) => request.model).sort();
    expect(await modelsAsked({ "judge-model": "minimax-m3:cloud" })).toEqual([
      "minimax-m3:cloud",
      "openai/gpt-chat-latest",
    ]);
    expect(await modelsAsked({ "judge-model": "auto" })).toEqual(["from-eval", "openai/gpt-chat-latest"]);
  });

  test.each(["best-of", "pairwise"])(
    "a grader with `mode: %s` is errored with what to do, and the others are graded",
    async (mode) => {
      const odd = promptGrader("odd", "p", { config: { mode } });
      const outcome = await act(project({ graders: [odd, promptGrader("plain")] }), passing);
      expect(outcome.outputs).toMatchObject({ "grades-errored": "1", "grades-passed": "1" });
      expect(outcome.summary).toContain(
        `\`mode: ${mode}\` is not supported: remove \`mode\`, or compare runs with \`lift\``,
      );
      expect(outcome.judge.asked.every(({ prompt }) => prompt.includes("plain"))).toBe(true);
      expect(lastLine(outcome)).toMatch(/^::error::Failed: .*unsupported: /);
    },
  );

  test.each([
    ["WAZA_PROMPT_GRADER_TIMEOUT as a Go duration", { env: { WAZA_PROMPT_GRADER_TIMEOUT: "900ms" } }],
    [
      "the input before the variable",
      { env: { WAZA_PROMPT_GRADER_TIMEOUT: "5m" }, inputs: { timeout: "1s" } },
    ],
  ])("a judge that never answers is errored at the time limit: %s", async (_, more) => {
    const outcome = await act(project(), () => ({ connection: "hang" }), more);
    expect(outcome.outputs["grades-errored"]).toBe("1");
    expect(outcome.summary).toMatch(/\*\*timeout\*\*<\/a>: The judge gave no verdict within (1|0\.9) s\./);
    expect(outcome.code).toBe(1);
  });
});

describe("rubrics", () => {
  const KIND =
    "---\nname: kind\nversion: 2.1.0\nscale: 1-5\ndescription: Kind.\n---\n\n# Kind?\n\nRate *how* kind it is.\n";
  const onlyRubric = (rubric: string) => ({ type: "prompt", name: "graded", config: { rubric } });
  const messagesOf = (outcome: Outcome) => outcome.judge.asked[0]?.request.messages ?? [];

  test("a built-in one alone is the last message, and is named in every page of the report", async () => {
    const outcome = await actWithCopies(project({ graders: [onlyRubric("groundedness")] }), passing);
    expect(outcome.code).toBe(0);
    const body = readFileSync(join(ROOT, "src/evals/built-in/groundedness.md"), "utf8");
    const instructions = body.trim();
    expect(messagesOf(outcome).map(({ role }) => role)).toEqual(["system", "user", "user"]);
    expect(messagesOf(outcome)[2]?.content).toBe(instructions);
    expect(messagesOf(outcome)[0]?.content).toBe(systemMessage());

    expect(validationsOf(outcome).graded?.details).toMatchObject({ prompt: instructions });
    expect(recordOf(outcome).grades).toMatchObject([
      { grader: "graded", rubric: { name: "groundedness", instructions } },
    ]);
    expect(outcome.summary).toContain(" · rubric `groundedness` · judge ");
    const annotations = outcome.github.checkRuns[0]?.annotations ?? [];
    expect(annotations.some(({ message }) => message.endsWith("\nRubric: groundedness"))).toBe(true);
  });

  test("a rubric and a prompt are two messages, the prompt verbatim and last", async () => {
    const prompt = "  Above all: {output} has no ${JARGON}.\n\n";
    const workspace = project({
      graders: [promptGrader("graded", prompt, { config: { rubric: "./rubrics/kind.md" } })],
      files: { "evals/rubrics/kind.md": KIND },
    });
    const outcome = await actWithCopies(workspace, failing);
    const messages = messagesOf(outcome);
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "user", "user"]);
    expect(messages[1]?.content).toMatch(/^<<</);
    expect(messages[2]?.content).toBe(KIND.trim());
    expect(messages[3]?.content).toBe(prompt);
    expect(validationsOf(outcome).graded?.details).toMatchObject({ prompt: `${KIND.trim()}\n\n${prompt}` });
    expect(outcome.summary).toContain("rubric `evals/rubrics/kind.md`");
    expect(outcome.summary).toContain("The rubric");
  });

  test("a grader without one reports none", async () => {
    const outcome = await act(project({ graders: [promptGrader("graded")] }), passing);
    expect(outcome.summary).not.toContain("rubric");
  });

  test("recorded verdicts count until the rubric changes", async () => {
    const workspace = project({ graders: [onlyRubric("./kind.md")], files: { "evals/kind.md": KIND } });
    const inputs = { "cache-dir": temporaryFolder("records") };
    await act(workspace, passing, { inputs });
    expect((await act(workspace, passing, { inputs })).judge.asked).toHaveLength(0);
    writeFileSync(join(workspace, "evals/kind.md"), KIND.replace("how", "whether"));
    expect((await act(workspace, passing, { inputs })).judge.asked).toHaveLength(1);
  });

  test.each([
    ["an unknown name", "groundednes", "Did you mean `groundedness`?"],
    ["a missing file", "./kind.md", "The rubric `./kind.md` does not exist."],
    ["a path out of the repository", "../../kind.md", "leaves the repository"],
  ])("%s is red on its line, without a request", async (_, rubric, wording) => {
    const eval_ = `name: suite\ntasks: [tasks/*.yaml]\ngraders:\n  - type: prompt\n    name: g\n    config:\n      rubric: ${rubric}\n`;
    const outcome = await act(project({ files: { "evals/eval.yaml": eval_ } }), passing);
    expect(outcome.code).toBe(1);
    expect(outcome.judge.asked).toHaveLength(0);
    expect(lastLine(outcome)).toMatch(/^::error::Failed: .*problem/);
    const [annotation] = outcome.github.checkRuns[0]?.annotations ?? [];
    expect(annotation).toMatchObject({ path: "evals/eval.yaml", start_line: 7, annotation_level: "failure" });
    expect(annotation?.message).toContain(wording);
    expect(annotation?.message).toContain("`tool-use-appropriateness`");
  });
});

describe("runs and tasks", () => {
  test("each enabled task, run and grader makes a grade, in the order of the files", async () => {
    const workspace = project({
      graders: [promptGrader("first", "p1", { weight: 3 }), promptGrader("second", "p2")],
      tasks: [
        { id: "a" },
        { id: "b", graders: [promptGrader("second", "own"), promptGrader("third", "p3")] },
        { id: "c", enabled: false },
      ],
      runs: { a: [runFixture(), runFixture({ run_number: 2 })] },
    });
    const outcome = await actWithCopies(
      workspace,
      once(({ prompt }) => ({ calls: [prompt === "p2" ? fail() : pass()] })),
      { inputs: { "fail-on": "never" } },
    );
    const titles = recordOf(outcome).grades.map(({ grader, task_id, run_number }) =>
      [task_id, run_number, grader].join("/"),
    );
    expect(titles).toEqual([
      "a/1/first",
      "a/1/second",
      "a/2/first",
      "a/2/second",
      "b/1/first",
      "b/1/second",
      "b/1/third",
    ]);
    // a: (1·3 + 0·1) / 4 on both runs; b: all pass.
    expect(outcome.outputs.score).toBe("0.8750");
    expect(recordOf(outcome)).toMatchObject({ score: 0.875 });
    expect(outcome.judge.asked.map(({ prompt }) => prompt)).toContain("own");
    expect(outcome.code).toBe(0);
    expect(outcome.github.checkRuns[0]?.conclusion).toBe("neutral");
  });

  test("a run whose agent failed counts 0 without asking the judge", async () => {
    const failed = runFixture({ status: "error", final_output: "", error_msg: "session timed out" });
    const outcome = await actWithCopies(project({ runs: { "task-1": [failed] } }), passing);
    expect(outcome.judge.asked).toHaveLength(0);
    expect(outcome.outputs).toMatchObject({ score: "0.0000", "grades-failed": "1", "checks-failed": "0" });
    expect(outcome.summary).toContain(
      "The agent never got to work. Its run ended in an error: session timed out",
    );
    expect(copyOf(outcome).tasks[0]?.runs[0]).toMatchObject({ status: "error", validations: {} });
  });

  test("a run that waza's own graders interrupted is errored and names --skip-graders", async () => {
    const error_msg = "running graders: no session id set";
    const broken = runFixture({ status: "error", error_msg, final_output: "" });
    const outcome = await act(project({ runs: { "task-1": [broken] } }), passing);
    expect(outcome.outputs).toMatchObject({ score: "", "grades-errored": "1" });
    expect(outcome.summary).toContain("waza run --skip-graders");
  });

  test("a run with neither output nor conversation is errored before any request", async () => {
    const outcome = await act(project({ runs: { "task-1": [runFixture({ final_output: " " })] } }), passing);
    expect(outcome.judge.asked).toHaveLength(0);
    expect(outcome.summary).toContain("no-evidence");
  });

  test("several results files: models side by side, and one graded file each", async () => {
    const resultsOf = (final_output: string, model: string) =>
      resultsFixture("suite", [{ id: "task-1", runs: [runFixture({ final_output })] }], model);
    const files = { "out/a.json": resultsOf("alpha", "model-a"), "out/b.json": resultsOf("beta", "model-b") };
    const outcome = await actWithCopies(
      project({ files }),
      once(({ evidence }) => ({ calls: [evidence.includes("alpha") ? pass() : fail()] })),
      { inputs: { results: "out/*.json" } },
    );
    expect(outcome.outputs.score).toBe("0.5000");
    expect(copyOf(outcome, 0).tasks[0]?.status).toBe("passed");
    expect(copyOf(outcome, 1).tasks[0]?.status).toBe("failed");
    expect(outcome.summary).toContain("model-b");
    expect(outcome.github.checkRuns[0]?.annotations[0]?.title).toBe("grader-1 · task-1 · model-b");
  });

  test("the judge sees the task prompt, the conversation and the final output, fenced", async () => {
    const transcript = [
      { type: "user.message", content: "Do the task." },
      { type: "tool.execution_start", tool_call_id: "1", tool_name: "bash", arguments: { command: "ls" } },
      {
        type: "tool.execution_complete",
        tool_call_id: "1",
        success: true,
        tool_result: { content: "a.txt" },
      },
      { type: "assistant.message", content: "There is a.txt." },
    ];
    const runs = { "task-1": [runFixture({ transcript, final_output: "There is a.txt." })] };
    const outcome = await act(project({ runs }), passing);
    const evidence = outcome.judge.asked[0]?.evidence ?? "";
    const code = /^<<<([0-9a-f]{8}) task prompt: /.exec(evidence)?.[1] ?? "";
    expect(evidence).toBe(
      [
        `<<<${code} task prompt: message [1], word for word>>>`,
        "Do the task.",
        `<<<${code} conversation: 2 messages, 1 tool call>>>`,
        `<<<${code} [1] user>>>`,
        "(the task prompt above)",
        `<<<${code} [2] tool call bash (succeeded)>>>`,
        'arguments: {"command":"ls"}\nresult:\na.txt',
        `<<<${code} [3] agent>>>`,
        "(the final output below)",
        `<<<${code} final output: message [3], word for word>>>`,
        "There is a.txt.",
        `<<<${code} end>>>`,
      ].join("\n"),
    );
  });
});

describe("when the judge goes wrong", () => {
  const ERRORS: readonly (readonly [string, Reply, string])[] = [
    [
      "an unknown model",
      { status: 404, error: { message: "The model `x` does not exist", code: "model_not_found" } },
      "unknown-model",
    ],
    ["a request it rejects", { status: 400, error: { message: "Unsupported parameter" } }, "bad-request"],
    ["an endpoint that fails", { status: 503, headers: { "x-should-retry": "false" } }, "server"],
    [
      "a rate limit",
      { status: 429, headers: { "x-should-retry": "false" }, error: { message: "slow down" } },
      "rate-limit",
    ],
    ["a web page with 200", { raw: "<!doctype html><title>Log in</title>" }, "invalid-reply"],
    ["JSON cut off", { raw: '{"choices": [{"mess' }, "invalid-reply"],
    ["JSON of another kind", { raw: '{"ok": true}' }, "invalid-reply"],
    ["a refusal", { text: null, refusal: "I can't help with that." }, "refusal"],
    ["an answer cut off at its limit", { text: "The answer", finish: "length" }, "cut-off"],
    ["a content filter", { text: "", finish: "content_filter" }, "content-filter"],
  ];

  test("each way is an errored grade, never a failed one", async () => {
    const names = ERRORS.map((_, index) => `g${String(index)}`);
    const graders = names.map((name) => promptGrader(name, undefined, { config: { model: name } }));
    const outcome = await actWithCopies(project({ graders }), ({ prompt }) => {
      const index = names.findIndex((name) => prompt.includes(`(${name})`));
      return ERRORS[index]?.[1] ?? {};
    });
    expect(outcome.outputs).toMatchObject({
      "grades-errored": String(ERRORS.length),
      "grades-failed": "0",
      score: "",
      conclusion: "failure",
    });
    const classes = recordOf(outcome).grades.map(({ error }) => error?.class);
    expect(classes).toEqual(ERRORS.map(([, , errorClass]) => errorClass));
    for (const errorClass of classes) expect(outcome.summary).toContain(`**${String(errorClass)}**`);
    const levels = outcome.github.checkRuns[0]?.annotations.map(({ annotation_level: level }) => level);
    expect(new Set(levels)).toEqual(new Set(["warning"]));
    expect(lastLine(outcome)).toMatch(/^::error::Failed: /);
    expect(outcome.code).toBe(1);
  });

  test("a judge that is not there is a network error after retries", async () => {
    const outcome = await act(project(), passing, { inputs: { "base-url": "http://127.0.0.1:9/v1" } });
    expect(outcome.outputs).toMatchObject({ "grades-errored": "1", "judge-calls": "6" });
    expect(outcome.summary).toContain(
      '<a href="https://github.com/org/waza-grade/blob/main/docs/troubleshooting.md#error-classes">**network**</a>',
    );
  });

  test("one bad grade does not stop the others, and `on-error: warn` lets them decide", async () => {
    const workspace = project({ graders: ["a", "b", "c"].map((name) => promptGrader(name)) });
    const script = once(({ prompt }) =>
      prompt.includes("(b)") ? { status: 400, error: { message: "no" } } : { calls: [pass()] },
    );
    const outcome = await act(workspace, script, { inputs: { "on-error": "warn" } });
    expect(outcome.code).toBe(0);
    expect(lastLine(outcome)).toMatch(/^Passed: /);
    expect(outcome.outputs).toMatchObject({ conclusion: "success", passed: "false", "grades-errored": "1" });
  });

  test("a refused key stops what is left, with one message", async () => {
    const workspace = project({ graders: ["a", "b", "c", "d"].map((name) => promptGrader(name)) });
    const refusal = { status: 401, error: { message: "Incorrect API key provided" } };
    const outcome = await act(workspace, () => refusal, { inputs: { "max-concurrency": "1" } });
    expect(outcome.judge.asked).toHaveLength(1);
    expect(outcome.outputs).toMatchObject({ "grades-errored": "4", "judge-calls": "1" });
    expect(outcome.summary.match(/Change `api-key`/g)).toHaveLength(1);
  });

  test("never more than max-concurrency requests are in flight", async () => {
    const workspace = project({
      tasks: times(12, (index) => ({ id: `t${String(index)}` })),
    });
    const outcome = await act(workspace, together(3, once({ calls: [pass()], delayMs: 30 })), {
      inputs: { "max-concurrency": "3" },
    });
    expect(outcome.judge.mostAtOnce()).toBe(3);
    expect(outcome.outputs["grades-passed"]).toBe("12");
  });
});

describe("recorded verdicts", () => {
  test("a second run asks nothing, and says where its verdicts came from", async () => {
    const folder = temporaryFolder("cache");
    const workspace = project({ graders: [promptGrader("a"), promptGrader("b")] });
    const first = await act(workspace, failing, { inputs: { "cache-dir": folder } });
    expect(first.outputs["judge-calls"]).toBe("2");
    const second = await act(workspace, passing, { inputs: { "cache-dir": folder } });
    expect(second.judge.asked).toHaveLength(0);
    expect(second.outputs).toMatchObject({ "judge-calls": "0", "grades-failed": "2", tokens: "0" });
    expect(second.summary).toContain("2 verdicts from the record");
    const offline = await act(workspace, passing, {
      inputs: { "cache-dir": folder, offline: "true", "api-key": "" },
    });
    expect(offline.outputs).toMatchObject({ "judge-calls": "0", "grades-failed": "2" });
  });

  test("offline without a record is errored", async () => {
    const outcome = await act(project(), passing, {
      inputs: { "cache-dir": temporaryFolder("cache"), offline: "true" },
    });
    expect(outcome.judge.asked).toHaveLength(0);
    expect(outcome.summary).toContain("**not-recorded**");
  });

  test("offline without a folder of records, the verdicts that stand in the results are published", async () => {
    const details = { passes: "pass: short: yes", failures: "fail: sources: none" };
    const waza = validation({ identifier: "a", score: 0.5, details });
    const runs = { "task-1": [runFixture({ validations: { a: waza } })] };
    const workspace = project({ graders: [promptGrader("a"), promptGrader("b")], runs });
    const outcome = await act(workspace, passing, { inputs: { offline: "true", "api-key": "" } });
    expect(outcome.judge.asked).toHaveLength(0);
    expect(outcome.outputs).toMatchObject({
      ...{ "grades-failed": "1", "grades-errored": "1", "checks-passed": "1", "checks-failed": "1" },
      score: "0.5000",
    });
    expect(outcome.summary).toContain("Verdicts recorded in the results");
    const none = await act(project(), passing, { inputs: { offline: "true", "api-key": "" } });
    expect(none.outputs).toMatchObject({ "grades-errored": "1" });
    expect(none.summary).not.toContain("Verdicts recorded in the results");
    expect(outcome.summary).toContain("The results have no verdict of this grader");
    const event = pullRequestEvent("stranger/agents");
    const folder = temporaryFolder("committed");
    await act(workspace, passing, { inputs: { "cache-dir": folder } });
    for (const more of [{}, { "cache-dir": folder }]) {
      const inputs = { offline: "true", "api-key": "", ...more };
      const forks = await act(workspace, passing, { inputs, event });
      expect(forks.code).toBe(1);
      expect(forks.outputs).toMatchObject({ "grades-passed": "0", "grades-failed": "0" });
      expect(forks.summary).toContain("code from a fork or from Dependabot could have written them");
    }
  });

  test("are of the judge at their address, and none is of evidence that the server cut", async () => {
    const inputs = { "cache-dir": temporaryFolder("cache") };
    const workspace = project({ runs: { "task-1": [runFixture({ final_output: "word ".repeat(3_000) })] } });
    const counting = (input: number, call: Call) => once({ calls: [call], usage: { input, output: 9 } });
    const first = await act(workspace, counting(99, pass("It works", "as far as I see")), { inputs });
    expect(first.summary).toContain("seems to have cut the evidence");
    const whole = await act(workspace, counting(4_000, fail("It works")), { inputs });
    expect(whole.outputs).toMatchObject({ "judge-calls": "1", "grades-failed": "1" });
    const elsewhere = await startJudge(counting(4_000, pass("It works")));
    const other = { ...inputs, "base-url": elsewhere.url };
    expect((await act(workspace, passing, { inputs: other })).outputs["grades-passed"]).toBe("1");
    await elsewhere.close();
    expect((await act(workspace, passing, { inputs })).outputs).toMatchObject({
      "judge-calls": "0",
      "grades-failed": "1",
    });
  });

  test("a cache-dir inside the repository is refused outside offline, and nothing is graded", async () => {
    const outcome = await act(project(), passing, { inputs: { "cache-dir": "verdicts" } });
    expect(outcome.judge.asked).toHaveLength(0);
    expect(outcome.code).toBe(1);
    expect(outcome.summary).toContain("`${{ runner.temp }}/waza-grade`");
    expect(lastLine(outcome)).toContain("The input `cache-dir` is `verdicts`");
  });
});

test.each<
  [string, Record<string, string>, (asked: Asked) => Reply, code: number, check: string, last: RegExp]
>([
  ["a failed grade fails by default", {}, failing, 1, "failure", /^::error::Failed: .*`task-1`.*`grader-1`/],
  [
    "fail-on: never lets it through as neutral",
    { "fail-on": "never" },
    failing,
    0,
    "neutral",
    /^Passed: .*`fail-on: never`/,
  ],
  [
    "fail-on: score looks at min-score alone",
    { "fail-on": "score", "min-score": "0.5" },
    once({ calls: [pass(), pass(), fail()] }),
    0,
    "success",
    /^Passed: score 0\.67, needs 0\.50; 1 of 1 task fails/,
  ],
  [
    "a score below min-score fails",
    { "fail-on": "score", "min-score": "0.7" },
    once({ calls: [pass(), pass(), fail()] }),
    1,
    "failure",
    /^::error::Failed: .*0\.67.*0\.70/,
  ],
  [
    "fail-on: score without min-score is a configuration problem",
    { "fail-on": "score" },
    passing,
    1,
    "failure",
    /`fail-on: score` needs `min-score`, and it is not set\. Set `min-score` to a number from 0 to 1\.$/,
  ],
])("the gate: %s", async (_, inputs, script, code, check, last) => {
  const outcome = await act(project(), script, { inputs });
  expect(outcome.code).toBe(code);
  expect(outcome.github.checkRuns[0]?.conclusion).toBe(check);
  expect(lastLine(outcome)).toMatch(last);
});

describe("bad files", () => {
  test("all problems of all files are reported together, at their lines, and the good suite is graded", async () => {
    const workspace = project({
      files: {
        "bad/eval.yaml":
          "name: bad\ngraders:\n  - type: prompt\n    name: empty\n    config: {}\n  - type: prompt\n   name: crooked\n",
        "worse/eval.yaml":
          "name: worse\ngraders:\n  - type: prompt\n    name: empty\n    config: {}\ntasks: [nowhere/*.yaml]\n",
        "out/torn.json": '{"tasks": [\n  {"test_id": "a", "runs": [}\n',
      },
    });
    const outcome = await act(workspace, passing, { inputs: { results: "results.json\nout/torn.json" } });
    expect(outcome.code).toBe(1);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", conclusion: "failure" });
    expect(outcome.judge.asked.every(({ prompt }) => prompt.includes("grader-1"))).toBe(true);
    const places = outcome.github.checkRuns[0]?.annotations
      .filter(({ annotation_level }) => annotation_level === "failure")
      .map(({ path, start_line, start_column }) => [path, start_line, start_column].join(":"));
    expect(places?.sort()).toEqual([
      "bad/eval.yaml:7:1",
      "out/torn.json:2:29",
      "worse/eval.yaml:3:5",
      "worse/eval.yaml:6:9",
    ]);
  });

  test("nothing to grade is neutral, without results or a key", async () => {
    const workspace = project({ graders: [{ type: "text", name: "short" }] });
    const outcome = await act(workspace, passing, {
      inputs: { results: "nowhere.json", "api-key": "", "base-url": "" },
    });
    expect(outcome.code).toBe(0);
    expect(lastLine(outcome)).toMatch(/^Nothing to grade/);
    expect(outcome.github.checkRuns[0]?.conclusion).toBe("neutral");
  });

  test("where nothing is to be graded, every page shows what waza recorded, and no file is written", async () => {
    const validations = { short: validation({ type: "text", feedback: "12 words" }) };
    const results = resultsFixture("suite", [{ id: "task-1", runs: [runFixture({ validations })] }]);
    const files = { "results.json": results };
    const workspace = project({ graders: [{ type: "text", name: "short" }], files });
    const outcome = await act(workspace, passing, { inputs: { comment: "always" } });
    expect(lastLine(outcome)).toMatch(/^Nothing to grade/);
    const check = outcome.github.checkRuns[0]?.output?.summary;
    for (const page of [outcome.summary, outcome.github.comments[0]?.body, check])
      expect(page).toContain("| task-1 | short | ❌ 0.00 | 12 words | `text` |");
    expect(outcome.outputs["results-file"]).toBe("");
  });

  const NO_RUN = "The results have no run of a planned task";
  test.each<[string, Record<string, unknown>, string]>([
    ["results without a task", resultsFixture("suite", []), NO_RUN],
    [
      "results of another eval",
      resultsFixture("other", [{ id: "task-1", runs: [runFixture()] }]),
      "the file has results of the eval `other`, which is not among those loaded (`suite`).",
    ],
    ["tasks without a run", resultsFixture("suite", [{ id: "task-1", runs: [] }]), NO_RUN],
  ])("prompt graders and %s: red, because a step before ours went wrong", async (_, results, sentence) => {
    const everyTask = { name: "suite", graders: [promptGrader("grader-1")] };
    for (const files of [
      { "results.json": results },
      { "results.json": results, "evals/eval.yaml": everyTask },
    ]) {
      const outcome = await act(project({ files }), passing);
      expect(outcome.code).toBe(1);
      expect(outcome.judge.asked).toHaveLength(0);
      expect(lastLine(outcome)).toContain(sentence);
    }
  });

  test.each([
    ["", "There is no `api-key`"],
    ['- {match: "*", model: other}', "There is no `api-key`"],
    ["- {match: other, model: another}", "No rule of the input `providers` matches the judge model"],
    ['- {match: "*", base-url: "http://127.0.0.1:9/v1", api-key: ""}', "has an empty `api-key`"],
  ])(
    "no key for an API that needs one is a configuration problem, with `providers: %s`",
    async (providers, phrase) => {
      const outcome = await act(project(), passing, { inputs: { "api-key": "", "base-url": "", providers } });
      expect(outcome.code).toBe(1);
      expect(outcome.judge.asked).toHaveLength(0);
      expect(lastLine(outcome)).toContain(phrase);
    },
  );
});

describe("publishing", () => {
  test("120 grades: 50 with the creation, the rest appended, worst first", async () => {
    const tasks = times(120, (index) => ({ id: `t${String(index)}` }));
    const runs = Object.fromEntries(
      tasks.map(({ id }, index) => [id, [runFixture({ final_output: index % 40 === 39 ? "bad" : "good" })]]),
    );
    const script = once(({ evidence }) => ({ calls: [evidence.includes("\nbad\n") ? fail() : pass()] }));
    const outcome = await act(project({ tasks, runs }), script, { inputs: { "max-concurrency": "20" } });
    const [checkRun] = outcome.github.checkRuns;
    expect(checkRun?.batches).toEqual([50, 50, 20]);
    const levels = checkRun?.annotations.slice(0, 4).map((one) => one.annotation_level);
    expect(levels).toEqual(["failure", "failure", "failure", "notice"]);
    expect(checkRun?.output?.title).toBe("suite: 3 of 120 tasks fail");
  });

  test("a summary too large for the check run is shortened there, and whole in the job summary", async () => {
    const reason = "🦄 ".repeat(400);
    const graders = times(60, (index) => promptGrader(`grader-${String(index)}`));
    const outcome = await act(project({ graders }), once({ calls: [fail("criterion", reason)] }), {
      inputs: { "max-concurrency": "20" },
    });
    const summary = outcome.github.checkRuns[0]?.output?.summary ?? "";
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535);
    expect(summary).toContain("Left out to fit into this page");
    expect(Buffer.byteLength(outcome.summary)).toBeGreaterThan(65_535);
  });

  test("no permission: the job's own annotations within their limits, one notice that names it, the same verdict", async () => {
    const graders = times(25, (index) => promptGrader(`grader-${String(index)}`));
    const outcome = await act(project({ graders }), failing, { github: { status: 403 } });
    expect(outcome.code).toBe(1);
    const commands = (level: string) =>
      outcome.log.split("\n").filter((line) => line.startsWith(`::${level}`));
    expect(commands("error")).toHaveLength(10);
    expect(commands("error")[0]).toMatch(
      /^::error title=grader-0 · task-1,file=evals\/eval\.yaml,line=\d+,endLine=\d+::evals\/eval\.yaml:\d+: Failed, score 0\.00/,
    );
    expect(commands("error").at(-2)).toContain("17 more annotations of this level.");
    expect(commands("notice").filter((line) => line.includes("checks: write"))).toHaveLength(1);
    expect(outcome.outputs).toMatchObject({ "grades-failed": "25", "check-run-url": "" });
  });

  test.each<[string, { name: string; payload: unknown }, string]>([
    ["pull_request", pullRequestEvent(), HEAD_SHA],
    ["push", { name: "push", payload: {} }, MERGE_SHA],
    [
      "a comment on a pull request",
      { name: "issue_comment", payload: { issue: { number: 9, pull_request: {} } } },
      "f".repeat(40),
    ],
  ])("the check run is on the head commit of %s", async (_, event, sha) => {
    const pulls = { 9: { sha: "f".repeat(40) } };
    const outcome = await act(project(), passing, { event, github: { pulls } });
    expect(outcome.github.checkRuns[0]?.head_sha).toBe(sha);
  });

  test.each([
    ["a fork", "use two workflows", pullRequestEvent("stranger/agents")],
    [
      "Dependabot",
      "the secrets that are stored for Dependabot, and no others",
      {
        name: "pull_request",
        payload: {
          pull_request: { ...pullRequestEvent().payload.pull_request, user: { login: "dependabot[bot]" } },
        },
      },
    ],
  ])("without a key every grade of %s is skipped, with a way out: %s", async (_, words, event) => {
    const inputs = { "api-key": "", "base-url": "" };
    const outcome = await act(project(), passing, { event, inputs, github: { status: 403 } });
    expect(outcome.judge.asked).toHaveLength(0);
    expect(outcome.outputs).toMatchObject({ "grades-skipped": "1", conclusion: "failure" });
    expect(outcome.summary).toContain("permissions-and-forks.md");
    expect(outcome.summary).toContain(words);
  });

  describe("where `run` had no key for the agent on a fork, and says so", () => {
    const runs = (files: Readonly<Record<string, string>>) => {
      const folder = temporaryFolder("runs");
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      return folder;
    };
    const list = JSON.stringify({ version: 2, runs: [], left: [], touched: [], no_key: true });
    const NO_KEY = { "runs-1-1/runs.json": list, "runs-1-2/runs.json": list };
    const golden = project({ tasks: [{ id: "task-1", golden: true }] });
    const fork = pullRequestEvent("stranger/agents");

    test.each([
      ["fail", 1, "failure"],
      ["warn", 0, "success"],
    ])("every grade is skipped, and `on-error: %s` decides", async (onError, code, conclusion) => {
      const inputs = { results: runs(NO_KEY), "on-error": onError };
      const outcome = await act(golden, passing, { event: fork, inputs });
      expect(outcome.judge.asked).toHaveLength(0);
      expect({ code: outcome.code, conclusion: outcome.outputs.conclusion }).toEqual({ code, conclusion });
      expect(outcome.summary).toContain(
        "There are no runs: GitHub gives no secrets to a pull request from a fork",
      );
    });

    test.each<[string, string, typeof fork, string]>([
      ["another glob matches nothing", `${runs(NO_KEY)}\nnothing/*.json`, fork, "matches no file"],
      ["nothing says it", "nothing/*.json", fork, "matches no file"],
      ["the folder is empty", runs({}), fork, "It is an empty folder"],
      ["it is a push", runs(NO_KEY), { name: "push", payload: {} } as never, "no run of a planned task"],
      [
        "there is an answer as well",
        `${runs(NO_KEY)}\n${runs({ "x.md": "BAD" })}/*`,
        fork,
        "no run of a planned task",
      ],
    ])("it is an error where %s", async (_, results, event, expected) => {
      const outcome = await act(golden, passing, { event, inputs: { results, "on-error": "warn" } });
      expect(outcome.code).toBe(1);
      expect(outcome.summary).toContain(expected);
    });
  });

  test.each([
    ["job", 0, 2],
    ["off", 1, 1],
    ["check-run", 1, 1],
  ])("annotations: %s", async (annotations, checkRuns, errors) => {
    const outcome = await act(project(), failing, { inputs: { annotations } });
    expect(outcome.github.checkRuns).toHaveLength(checkRuns);
    expect(outcome.log.split("\n").filter((line) => line.startsWith("::error"))).toHaveLength(errors);
    if (annotations === "off") expect(outcome.github.checkRuns[0]?.annotations).toEqual([]);
  });

  test.each(["off", "check-run"])(
    "annotations: %s, where the token may not write checks: only what to do",
    async (annotations) => {
      const outcome = await act(project(), failing, { inputs: { annotations }, github: { status: 403 } });
      expect(outcome.log).toMatch(
        /::notice::No check run: the token may not write checks. Add `checks: write`/,
      );
      expect(outcome.log.split("\n").filter((line) => line.startsWith("::error"))).toHaveLength(1);
    },
  );
});

describe("hostile text", () => {
  test("the key and the token appear nowhere, whoever writes them", async () => {
    const leak = `key ${KEY} token ${TOKEN}`;
    const workspace = project({ runs: { "task-1": [runFixture({ final_output: leak, prompt: leak })] } });
    const outcome = await act(workspace, once({ calls: [fail(leak, leak)], text: leak }));
    const published = publishedText(outcome, [readFileSync(outcome.outputs["results-file"] ?? "", "utf8")]);
    expect(published).not.toContain(KEY);
    expect(published).not.toContain(TOKEN);
    expect(published).toContain("[redacted]");
    expect(outcome.judge.asked[0]?.evidence).not.toContain(TOKEN);
  });

  test("names, reasons and outputs cannot write workflow commands into the log", async () => {
    const evil = "x\n::error::owned\r::add-mask::owned ##[error]owned \u001B[31mred";
    const workspace = project({
      name: evil,
      graders: [promptGrader(evil)],
      tasks: [{ id: evil }],
      runs: { [evil]: [runFixture({ final_output: evil })] },
    });
    for (const github of [{}, { status: 403 }]) {
      const outcome = await act(workspace, once({ calls: [fail(evil, evil)] }), { github });
      const lines = outcome.log.split(/[\r\n]/);
      expect(lines.filter((line) => /^\s*::error::owned|^\s*::add-mask::owned/.test(line))).toEqual([]);
      expect(outcome.log).not.toContain("##[");
      expect(outcome.log).not.toContain("\u001B");
    }
  });
});
