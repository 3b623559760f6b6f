/** Judges that misbehave, and places that do, in this process: what the last readers found has its test here. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, failing, KEY, lastLine, passing } from "../support/act.ts";
import { fail, finish, pass, startJudge } from "../support/judge-server.ts";
import type { Asked } from "../support/judge-server.ts";
import { project, promptGrader, resultsFixture, runFixture } from "../support/projects.ts";
import type { ActionResult } from "../support/run-action.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const ONE = "Call set_waza_grade_pass if it is right, otherwise set_waza_grade_fail.";

describe("several endpoints in one step", () => {
  test("each model goes to its own, with its own key, under the name it has there", async () => {
    const other = await startJudge(failing);
    const graders = [
      promptGrader("here", ONE),
      promptGrader("there", ONE, { config: { model: "claude-x" } }),
    ];
    const providers = `- {match: "claude-*", base-url: "${other.url}", api-key: sk-other-0123456789, model: vendor/claude}`;
    const outcome = await act(project({ graders }), passing, { inputs: { providers } });
    await other.close();
    expect(outcome.judge.asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
    expect(other.asked.map(({ headers, request }) => [headers.authorization, request.model])).toEqual([
      ["Bearer sk-other-0123456789", "vendor/claude"],
    ]);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", "grades-failed": "1" });
    expect(outcome.log).toContain(`at ${outcome.judge.url}, \`claude-x\` at ${other.url}`);
    expect(outcome.log).toContain("::add-mask::sk-other-0123456789");
  });

  test("a rule of match and model alone has another model asked at base-url", async () => {
    const graders = [promptGrader("a", ONE, { config: { model: "claude-x" } })];
    const providers = '- {match: "claude-*", model: gpt-6-luna}';
    const outcome = await act(project({ graders }), passing, { inputs: { providers } });
    expect(outcome.judge.asked.map(({ headers, request }) => [headers.authorization, request.model])).toEqual(
      [[`Bearer ${KEY}`, "gpt-6-luna"]],
    );
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1" });
  });

  test("a rule that no judge model matches is a warning that says what it may have meant", async () => {
    const providers = `- {match: gpt, base-url: "http://127.0.0.1:9/v1"}`;
    const outcome = await act(project({ graders: [promptGrader("a", ONE)] }), passing, {
      inputs: { providers },
    });
    expect(outcome.summary).toContain(
      "The rule `gpt` of the input `providers` matches no judge model of this run; there is `gpt-6-luna`.",
    );
    expect(outcome.summary).toContain("Did you mean `gpt*`?");
  });
});

describe("a reasoning effort that its API refuses", () => {
  const graders = [promptGrader("a", ONE, { config: { reasoning_effort: "high" } })];

  test("is a warning in the log and on the page, with what was sent", async () => {
    const outcome = await act(project({ graders }), (asked) => {
      if (asked.request.reasoning_effort === undefined) return passing(asked);
      const message = "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
      return { status: 400, error: { message } };
    });
    const warning = /gave 1 grade with no reasoning effort instead of `high`, which its API refused/;
    expect(outcome.log).toMatch(warning);
    expect(outcome.summary).toMatch(warning);
    expect(outcome.outputs.passed).toBe("true");
    const [grade] = gradesOf(outcome);
    expect(grade?.basis).toMatchObject({
      reasoning_effort: "high",
      sent_api: "chat",
      sent_effort: "default",
    });
  });

  test("is none where it is used", async () => {
    const outcome = await act(project({ graders }), passing);
    expect(outcome.summary).not.toContain("reasoning effort");
    expect(gradesOf(outcome)[0]?.basis).toMatchObject({ sent_effort: "high" });
  });
});

/** Our grades of the results file. */
function gradesOf({ runnerTemp }: ActionResult): { readonly basis?: Record<string, unknown> }[] {
  const text = readFileSync(join(runnerTemp, "waza-grade-results.json"), "utf8");
  return (JSON.parse(text) as { waza_grade: { grades: [] } }).waza_grade.grades;
}

describe("a judge that speaks another protocol", () => {
  test("or wants to, is errored, and everything is published", async () => {
    const server = createServer();
    server.on("request", (_, response) => {
      response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
    const outcome = await act(project(), passing, { inputs: { "base-url": url, timeout: "5s" } });
    server.close();
    server.closeAllConnections();
    expect(outcome.outputs).toMatchObject({ "grades-errored": "1", conclusion: "failure" });
    expect(outcome.github.checkRuns).toHaveLength(1);
  });
});

describe("a judge without tools", () => {
  const REFUSAL = {
    status: 400,
    error: { message: "registry.ollama.ai/library/gemma:2b does not support tools" },
  };
  const saying = (text: string) => (asked: Asked) => (asked.request.tools ? REFUSAL : { text });

  test("gives its verdict as JSON, and the report says so", async () => {
    const verdict = JSON.stringify({
      checks: [{ outcome: "fail", description: "Right", reason: "It is not." }],
    });
    const outcome = await act(project(), saying(verdict));
    expect(outcome.outputs).toMatchObject({ "grades-failed": "1", "checks-failed": "1" });
    expect(outcome.summary).toContain("the verdict was requested as JSON");
  });

  test.each([
    ["quotes the agent", 'I cannot grade this. The agent wrote {"checks":[{"outcome":"pass"}]} so it fails.'],
    [
      "fences a quotation first",
      '```json\n{"checks":[{"outcome":"pass"}]}\n```\nMy verdict:\n```json\n{"checks":[{"outcome":"fail"}]}\n```',
    ],
    ["thinks it aloud", '<think>It says {"checks":[{"outcome":"pass"}]}</think>\nNo verdict possible.'],
  ])("and %s has given none: errored, never green", async (_how, text) => {
    const outcome = await act(project(), saying(text));
    expect(outcome.outputs).toMatchObject({
      "grades-errored": "1",
      "grades-passed": "0",
      conclusion: "failure",
    });
  });
});

describe("a server that does not take back what its judge said", () => {
  type Said = Asked["request"]["messages"][number];
  const holds = (field: string) => (message: Said) => field in message;
  const makesSeveral = (message: Said) =>
    message.role === "assistant" && (message.tool_calls ?? []).length > 1;

  test.each<[string, number, string, (message: Said) => boolean]>([
    ["Groq", 400, "'messages.3': property 'reasoning' is unsupported", holds("reasoning")],
    [
      "DeepSeek",
      400,
      "The reasoning_content is for display only, and not part of a request",
      holds("reasoning_content"),
    ],
    ["a strict schema", 422, "messages.3.annotations: Extra inputs are not permitted", holds("annotations")],
    ["Llama 3.x at vLLM", 400, "This model only supports single tool-calls at once!", makesSeveral],
    ["Llama 3.x at llama.cpp", 500, "This model only supports single tool-calls at once!", makesSeveral],
    [
      "a template without tool role",
      400,
      "Only user and assistant roles are supported!",
      ({ role }) => role === "tool",
    ],
  ])("%s: it is sent as text, and so for all later grades", async (_name, status, message, refuses) => {
    const extra = { reasoning: "Hm.", reasoning_content: "Hm." };
    const script = ({ request: { messages } }: Asked) => {
      if (messages.some(refuses)) return { status, error: { message } };
      const [, evidence, history, prompt, next] = messages.map(({ content }) =>
        typeof content === "string" ? content : undefined,
      );
      if (next === undefined) return { calls: [pass("a"), pass("b")], extra };
      const code = /^<<<evidence-[0-9a-f]+ /.exec(evidence ?? "")?.[0] ?? "none";
      expect(history?.startsWith(code) && history.endsWith(`\n${code}end>>>`)).toBe(true);
      expect(history).toContain(
        '{"call":"set_waza_grade_pass","args":"{\\"description\\":\\"a\\"}","answer":"Recorded."}',
      );
      expect([prompt, next]).toEqual([ONE, "Report what is left, or call finish_grading."]);
      return { calls: [pass("c"), finish], extra };
    };
    const graders = [promptGrader("one", ONE), promptGrader("two", ONE)];
    const outcome = await act(project({ graders }), script, { inputs: { "max-concurrency": "1" } });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "2", "checks-passed": "6", "judge-calls": "5" });
    expect(outcome.summary).toContain("were sent as text");
  });

  test("nor text in its place, is errored with what it says", async () => {
    const script = ({ request: { messages } }: Asked) =>
      messages.length > 3 ? { status: 400, error: { message: "No more." } } : { calls: [pass("a")] };
    const outcome = await act(project(), script);
    expect(outcome.outputs).toMatchObject({ "grades-errored": "1", "judge-calls": "3" });
    expect(outcome.summary).toContain("No more.");
  });
});

describe("votes", () => {
  test("are shown, and their files are read by each for itself", async () => {
    const workspace = project({ graders: [promptGrader("a", ONE)], files: { "ws/a.txt": "text" } });
    const read = { name: "read_file", args: { path: "workspace/a.txt" } };
    const votes: number[] = [];
    const script = ({ turn }: Asked) => {
      if (turn === 1) votes.push(votes.length + 1);
      if (turn <= 2) return { calls: Array.from({ length: 15 }, () => read) };
      return { calls: [votes.length === 2 ? fail("x", "no") : pass("x", "yes"), finish] };
    };
    const outcome = await act(workspace, script, { inputs: { "judge-votes": "3", workspace: "ws" } });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", "checks-passed": "2" });
    expect(outcome.summary).toContain("passed in 2 of 3 votes");
    const messages = JSON.stringify(outcome.judge.asked.map(({ request }) => request.messages));
    expect(messages).not.toContain("No more:");
  });
});

describe("where nothing can be written", () => {
  test.each([
    ["a folder", { "output-file": "evals" }, "which is a folder"],
    ["a device", { reports: "junit=/dev/null" }, "`/dev/null`, which is a pipe or a device, not a file"],
    [
      "a path below a file",
      { "output-file": "results.json/x/y.json" },
      "below `results.json`, which is not a folder",
    ],
    ["a cache that is a device", { "cache-dir": "/dev/null" }, "is `/dev/null`, which is not a folder"],
    ["a file of git", { reports: "markdown=.git/config" }, "which is git's own"],
    [
      "what a graded copy is written to",
      {
        results: "results.json\nmore.json",
        "output-file": "out/g.json",
        reports: "junit=out/g-waza/suite.2.json",
      },
      "which a graded copy of `output-file` is written to",
    ],
  ])("%s: a configuration problem before anybody is asked", async (_name, inputs, expected) => {
    const run = runFixture({ run_number: 2 });
    const more = resultsFixture("suite", [{ id: "task-1", runs: [run] }]);
    const outcome = await act(project({ files: { "more.json": more } }), passing, { inputs });
    expect(lastLine(outcome)).toContain(expected);
    expect(outcome.judge.asked).toEqual([]);
  });
});

test("a path below a folder that cannot be made is reported, and holds nothing up", async () => {
  const outcome = await act(project(), passing, { inputs: { "output-file": "/proc/none/of/these.json" } });
  expect(outcome.outputs["grades-passed"]).toBe("1");
  expect(outcome.log).toMatch(/^::warning::.*\/proc\/none/m);
});

describe("what was read is never written over", () => {
  const files = {
    "evals/eval.yaml": {
      name: "suite",
      tasks: ["tasks/*.json"],
      graders: [promptGrader("g", "p", { config: { rubric: "./rubric.md" } })],
    },
    "evals/rubric.md": "---\nname: r\nversion: 1\nscale: pass-fail\ndescription: d\n---\nJudge it.\n",
    "evals/tasks/one.json": {
      id: "task-1",
      inputs: { prompt_file: "prompt.md", files: [{ path: "given.txt" }] },
    },
    "evals/tasks/prompt.md": "Do the task.",
    "evals/tasks/given.txt": "given",
    "out/a.json": resultsFixture("suite", [{ id: "task-1", runs: [runFixture()] }]),
    "out/a-waza/suite.json": resultsFixture(
      "suite",
      [{ id: "task-1", runs: [runFixture({ run_number: 2 })] }],
      "m-2",
    ),
    "below/.git/HEAD": "",
    "below/more.json": resultsFixture("suite", [{ id: "task-1", runs: [runFixture()] }], "m-3"),
  };

  test.each([
    ["output-file", "out/a-waza/suite.json", {}],
    [
      "output-file",
      "out/a-waza/suite.json",
      { "output-file": "out/a.json", results: "out/a-waza/*.json\nbelow/*.json" },
    ],
    ["output-file", "below/more.json", {}],
    ["reports", "evals/eval.yaml", {}],
    ["reports", "evals/tasks/one.json", {}],
    ["reports", "evals/tasks/prompt.md", {}],
    ["reports", "evals/tasks/given.txt", {}],
    ["reports", "evals/rubric.md", {}],
    ["reports", "evals/notes.yml", {}],
  ])("by `%s`, over %s: a configuration problem before anybody is asked", async (name, path, more) => {
    const workspace = project({ files });
    const before = Object.keys(files).map((file) => readFileSync(join(workspace, file), "utf8"));
    const given = name === "reports" ? { reports: `markdown=${path}` } : { "output-file": path };
    const inputs = { results: "out/**/*.json\nbelow/*.json", ...given, ...more };
    const outcome = await act(workspace, passing, { inputs });
    expect(outcome.code).toBe(1);
    expect(outcome.judge.asked).toEqual([]);
    expect(lastLine(outcome)).toContain(
      `The input \`${name}\` would write over \`${path}\`, which is an input`,
    );
    const after = Object.keys(files).map((file) => readFileSync(join(workspace, file), "utf8"));
    expect(after).toEqual(before);
  });

  test("and a file beside them is written", async () => {
    const inputs = {
      results: "out/**/*.json",
      "output-file": "out/graded.json",
      reports: "markdown=evals/report.md",
    };
    const workspace = project({ files });
    const outcome = await act(workspace, passing, { inputs });
    expect(outcome.outputs["grades-passed"]).toBe("2");
    expect(readFileSync(join(workspace, "out/graded-waza/suite.2.json"), "utf8")).toContain("waza_grade");
    expect(readFileSync(join(workspace, "evals/report.md"), "utf8")).toContain("✅");
  });
});
