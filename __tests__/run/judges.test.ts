/** Judges that misbehave, and places that do, in this process: what the last readers found has its test here. */
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  KEY,
  actHere as act,
  closeServers,
  failing,
  lastLine,
  passing,
  recordOf,
  type RecordedGrade,
} from "../support/act.ts";
import { BEHAVIOURS } from "../support/behaviours.ts";
import {
  fail,
  finish,
  pass,
  startJudge,
  type Asked,
  type Reply,
  type Usage,
} from "../support/judge-server.ts";
import { times } from "../support/factories.ts";
import {
  project,
  promptGrader,
  resultsFixture,
  runFixture,
  type ProjectFixture,
} from "../support/projects.ts";
import { refusingProvider, type Provider } from "../support/refusing-provider.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await closeServers();
  await Promise.all(open.splice(0).map((close) => close()));
});
afterAll(removeTemporaryFolders);

const ONE = "Call set_waza_grade_pass if it is right, otherwise set_waza_grade_fail.";

/** A grader of that prompt with this configuration. */
const asking = (name: string, config: Readonly<Record<string, unknown>> = {}) =>
  promptGrader(name, ONE, { config });

describe("several endpoints in one step", () => {
  test("each model goes to its own, with its own key, under the name it has there", async () => {
    const other = await startJudge(failing);
    const graders = [promptGrader("here", ONE), asking("there", { model: "claude-x" })];
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
    const graders = [asking("a", { model: "claude-x" })];
    const providers = '- {match: "claude-*", model: gpt-6-luna}';
    const outcome = await act(project({ graders }), passing, { inputs: { providers } });
    const [only, ...more] = outcome.judge.asked;
    expect([only?.headers.authorization, only?.request.model]).toEqual([`Bearer ${KEY}`, "gpt-6-luna"]);
    expect(more).toEqual([]);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1" });
  });

  test("a rule that no judge model matches is a warning that says which there are", async () => {
    const providers = `- {match: gpt, base-url: "http://127.0.0.1:9/v1"}`;
    const outcome = await act(project({ graders: [promptGrader("a", ONE)] }), passing, {
      inputs: { providers },
    });
    expect(outcome.summary).toContain(
      "The rule `gpt` of the input `providers` matches no judge model of this run; there is `gpt-6-luna`.",
    );
    expect(outcome.summary).toContain("Correct `match` (a glob: only `*` and `?` are special)");
  });
});

describe("a reasoning effort that its API refuses", () => {
  const graders = [asking("a", { reasoning_effort: "high" })];

  test("is a warning in the log and on the page, with what was sent", async () => {
    const outcome = await act(project({ graders }), (asked) => {
      if (asked.request.reasoning_effort === undefined) return passing(asked);
      const message = "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
      return { status: 400, error: { message } };
    });
    const warning =
      /gave 1 grade with no reasoning effort instead of `high`, which its API refused: 400 Unsupported parameter: 'reasoning_effort' is not supported with this model\./;
    expect(outcome.log).toMatch(warning);
    expect(outcome.summary).toMatch(warning);
    expect(outcome.outputs.passed).toBe("true");
    const sent = { reasoning_effort: "high", sent_api: "chat", sent_effort: "default" };
    expect(recordOf(outcome).grades[0]?.basis).toMatchObject(sent);
  });

  test("is none where it is used", async () => {
    const outcome = await act(project({ graders }), passing);
    expect(outcome.summary).not.toContain("reasoning effort");
    expect(recordOf(outcome).grades[0]?.basis).toMatchObject({ sent_effort: "high" });
  });
});

describe("five graders of a long run, at an endpoint that", () => {
  const graders = Array.from("abcde", (name) => asking(name, { reasoning_effort: "low" }));
  const runs = { "task-1": [runFixture({ final_output: "Done. ".repeat(3_000) })] };
  const act5 = (usage: Usage) =>
    act(project({ graders, runs }), (asked) => ({ ...passing(asked), usage }), {
      inputs: { "model-prices": "gpt-6-luna=1/5" },
    });
  const REASONING =
    /The judge `gpt-6-luna` was asked for the effort `low`; its endpoint reports no reasoning in any of 5 grades\./;

  test("ignores the effort: one notice, and the record says what was seen", async () => {
    const outcome = await act5({ input: 8_500, output: 20, reasoning: null });
    expect(outcome.summary).toMatch(REASONING);
    expect(outcome.log.match(/reports no reasoning/g)).toHaveLength(1);
    expect(outcome.outputs.passed).toBe("true");
    expect(recordOf(outcome).grades).toMatchObject(
      graders.map(() => ({
        basis: { reasoning_effort: "low", sent_effort: "low" },
        judge: { reports_reasoning: false },
      })),
    );
  });

  test("reasons: no notice", async () => {
    const outcome = await act5({ input: 8_500, output: 20, cached: 4_096, reasoning: 9 });
    expect(outcome.summary).not.toMatch(/reports no/);
    expect(recordOf(outcome).grades[0]).toMatchObject({ judge: { reports_reasoning: true } });
  });
});

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
    const verdict = '{"checks": [{"outcome": "fail", "description": "Right", "reason": "It is not."}]}';
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
    const { outputs } = await act(project(), saying(text));
    expect(outputs).toMatchObject({ "grades-errored": "1", "grades-passed": "0", conclusion: "failure" });
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
      const code = /^<<<[0-9a-f]+ /.exec(evidence ?? "")?.[0] ?? "none";
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
      if (turn <= 2) return { calls: times(15, () => read) };
      return { calls: [votes.length === 2 ? fail("x", "no") : pass("x", "yes"), finish] };
    };
    const outcome = await act(workspace, script, { inputs: { "judge-votes": "3", workspace: "ws" } });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", "checks-passed": "1" });
    expect(outcome.summary).toContain("passed in 2 of 3 votes");
    const messages = JSON.stringify(outcome.judge.asked.map(({ request }) => request.messages));
    expect(messages).not.toContain("No more:");
  });
});

/** Results of one run by the model. */
const resultsOf = (model: string, run_number = 1) =>
  resultsFixture("suite", [{ id: "task-1", runs: [runFixture({ run_number })] }], model);

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
    const files = { "more.json": resultsOf("agent-model", 2) };
    const outcome = await act(project({ files }), passing, { inputs });
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
    "out/a.json": resultsOf("m-1"),
    "out/a-waza/suite.json": resultsOf("m-2", 2),
    "below/.git/HEAD": "",
    "below/more.json": resultsOf("m-3"),
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
    const contents = () => Object.keys(files).map((file) => readFileSync(join(workspace, file), "utf8"));
    const before = contents();
    const given = name === "reports" ? { reports: `markdown=${path}` } : { "output-file": path };
    const inputs = { results: "out/**/*.json\nbelow/*.json", ...given, ...more };
    const outcome = await act(workspace, passing, { inputs });
    expect(outcome.code).toBe(1);
    expect(outcome.judge.asked).toEqual([]);
    expect(lastLine(outcome)).toContain(
      `The input \`${name}\` would write over \`${path}\`, which is an input`,
    );
    expect(contents()).toEqual(before);
  });

  test("and a file beside them is written", async () => {
    const written = { "output-file": "out/graded.json", reports: "markdown=evals/report.md" };
    const workspace = project({ files });
    const outcome = await act(workspace, passing, { inputs: { results: "out/**/*.json", ...written } });
    expect(outcome.outputs["grades-passed"]).toBe("2");
    expect(readFileSync(join(workspace, "out/graded-waza/suite.2.json"), "utf8")).toContain("waza_grade");
    expect(readFileSync(join(workspace, "evals/report.md"), "utf8")).toContain("✅");
  });
});

/* How every kind of judge is read, and what is left of an interrupted one. */

/** In the words of the table: `failed + -: 2`. */
function came({ state, incomplete, checks = [], requests }: RecordedGrade): string {
  const signs = checks.map(({ outcome }) => (outcome === "pass" ? "+" : "-"));
  return `${[incomplete ? "incomplete" : state, ...signs].join(" ")}: ${String(requests)}`;
}

/** Replies in order; the last one again and again. */
const inOrder = (replies: readonly Reply[], { turn }: Asked) =>
  replies[Math.min(turn, replies.length) - 1] ?? {};

describe("each kind of judge", () => {
  const graders = BEHAVIOURS.map((_, index) =>
    promptGrader(`judge-${String(index)}`, `Behaviour ${String(index)}.`),
  );
  const script = (asked: Asked) =>
    inOrder(BEHAVIOURS[Number(/\d+/.exec(asked.prompt)?.[0])]?.[1] ?? [], asked);

  test.each(["1", "50"])("is read as the table says, %s at once, and loses no check", async (atOnce) => {
    const workspace = project({ graders, files: { "ws/a.txt": "text" } });
    const outcome = await act(workspace, script, { inputs: { workspace: "ws", "max-concurrency": atOnce } });
    const read = recordOf(outcome).grades.map((grade, index) => [BEHAVIOURS[index]?.[0], came(grade)]);
    expect(read).toEqual(BEHAVIOURS.map(([judge, , expected]) => [judge, expected]));
  });
});

test.each<[string, Reply, RegExp]>([
  ["uses its tools", { text: "PASS" }, /`gpt-6-luna` made no call in its only grade.*drops the `tools`/],
  [
    "reports by its tools",
    { calls: [finish] },
    /`gpt-6-luna` reported no check in its only grade.*called only "finish_grading"/,
  ],
])("a judge that never %s is named, with the likely cause", async (_what, reply, wording) => {
  const outcome = await act(project(), () => reply);
  expect(outcome.outputs).toMatchObject({ score: "0.0000", "grades-failed": "1", "judge-calls": "2" });
  expect(outcome.log).toMatch(wording);
});

describe("votes and confirmations", () => {
  const green: Reply = { calls: [pass("short", "3 lines"), finish] };
  const red: Reply = { calls: [fail("right", "off by one"), finish] };
  const cut: Reply = { calls: [pass("short"), pass("polite")], finish: "length" };
  const votes = { "judge-votes": "3" };
  const confirm = { "confirm-on-fail": "2" };

  test.each<[string, Record<string, string>, Reply[], string]>([
    ["two whole passes are certain, and no third is asked for", votes, [green, green], "passed + +: 2"],
    ["so are two failures", votes, [red, red], "failed - -: 2"],
    ["a third decides between two", votes, [green, red, green], "passed + +: 3"],
    ["two interrupted after passes are no votes, and outvote none", votes, [cut, cut], "errored: 2"],
    ["an interrupted one leaves two of three", votes, [cut, green, green], "passed + +: 3"],
    ["a pass needs no confirmation", confirm, [green], "passed +: 1"],
    ["a failure that is confirmed once is certain", confirm, [red, red], "failed - -: 2"],
    ["a failure that two outvote is green", confirm, [red, green, green], "passed + +: 3"],
    ["interrupted confirmations leave the failure", confirm, [red, cut], "failed -: 2"],
  ])("%s", async (_name, inputs, replies, expected) => {
    let asked = 0;
    const outcome = await act(project(), () => replies[asked++] ?? {}, { inputs });
    expect(recordOf(outcome).grades.map(came)).toEqual([expected]);
  });

  test("are given by `confirm-model`, also where a grader names its own judge, and differ by grader", async () => {
    const graders = [
      promptGrader("strict", "Is it right?", { config: { model: "gpt-6.1-sol" } }),
      promptGrader("fair", "Is it short?"),
    ];
    const script = ({ request: { model }, prompt }: Asked) =>
      model === "gpt-5" && prompt === "Is it right?" ? green : red;
    const inputs = { ...confirm, "confirm-model": "gpt-5", "judge-model": "gpt-6-luna" };
    const outcome = await act(project({ graders }), script, { inputs });
    const models = outcome.judge.asked.map(({ request: { model } }) => model).sort();
    expect(models).toEqual(["gpt-5", "gpt-5", "gpt-5", "gpt-6-luna", "gpt-6.1-sol"]);
    expect(outcome.log).toContain("failures by `gpt-5` at ");
    expect(outcome.summary).toContain("(gpt-6.1-sol: failed; gpt-5: passed twice)");
    expect(recordOf(outcome).grades[0]?.basis).toMatchObject({ voting: "confirm-on-fail: 2 by gpt-5" });
  });

  test.each([
    [
      { "max-cost-usd": "1", "confirm-model": "house-judge" },
      "the price of the model `house-judge` is not known",
    ],
    [
      {
        "confirm-model": "claude-x",
        providers: '- {match: "claude-*", base-url: "http://127.0.0.1:9/v1", api-key: ""}',
      },
      "empty `api-key` for the model `claude-x`",
    ],
  ])("of `confirm-model` need its price and key before any request: %j", async (inputs, phrase) => {
    const outcome = await act(project(), () => red, { inputs: { ...confirm, ...inputs } });
    expect(outcome.judge.asked).toEqual([]);
    expect(outcome.summary).toContain(phrase);
  });

  test("are shown as votes, each check once", async () => {
    const outcome = await act(project(), () => red, { inputs: votes });
    expect(outcome.summary).toContain("failed in 2 of 2 votes");
    const [page = ""] = outcome.summary.split("<details>");
    expect(page.split("off by one")).toHaveLength(2);
    expect(outcome.github.checkRuns[0]?.annotations[0]?.message).toContain("failed in 2 of 2 votes");
  });
});

describe("evidence that had to be shortened", () => {
  const filler = "The quick brown fox jumps over the lazy dog and goes home.\n".repeat(3_400);
  const final_output = `${filler}SECRET FAULT: the table was dropped.\n${filler}`;
  const workspace = () => project({ runs: { "task-1": [runFixture({ final_output })] } });

  test("is whole among the files, where a judge that looks finds a fault in the middle", async () => {
    expect(final_output.length).toBeGreaterThan(400_000);
    const judge = ({ turn, request, evidence }: Asked): Reply => {
      expect(evidence).not.toContain("SECRET FAULT");
      if (turn === 1) return { calls: [{ name: "search_files", args: { query: "FAULT" } }] };
      const found = JSON.stringify(request.messages.at(-1)?.content).includes("output/final_output.md:3401");
      return { calls: [found ? fail("safe", "the table was dropped") : pass("safe"), finish] };
    };
    const outcome = await act(workspace(), judge);
    expect(recordOf(outcome).grades).toMatchObject([{ state: "failed", requests: 2 }]);
  });

  test("and that a judge without tools cannot look at, is worth a warning", async () => {
    const refusal = { status: 400, error: { message: "this model does not support tools" } };
    const verdict = { text: '{"checks": [{"outcome": "pass", "reason": "fine"}]}' };
    const outcome = await act(workspace(), ({ request }) => (request.tools ? refusal : verdict));
    expect(recordOf(outcome).grades[0]?.warning).toContain("could not read the files");
    expect(outcome.summary).toContain("could not read the files");
  });
});

describe("time", () => {
  const gradersOf = (number: number) => times(number, (index) => promptGrader(`g${String(index)}`));

  test("a grade that timed out is asked for once more when the others are done", async () => {
    const graders = gradersOf(4);
    let hung = false;
    const judge = ({ prompt }: Asked): Reply => {
      if (!prompt.includes("g1") || hung) return { calls: [pass(), finish] };
      hung = true;
      return { connection: "hang" };
    };
    const outcome = await act(project({ graders }), judge, { inputs: { timeout: "2s" } });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "4", "judge-calls": "5" });
  });

  test("a small server that answers one at a time gets all its grades done", async () => {
    const graders = gradersOf(11);
    let turn = Promise.resolve();
    const judge = async (): Promise<Reply> => {
      turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, 300)));
      await turn;
      return { calls: [pass(), finish] };
    };
    const outcome = await act(project({ graders }), judge, { inputs: { timeout: "2s" } });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "11" });
  });

  test("a server that is too slow is asked twice more, and its grades are errored", async () => {
    const graders = gradersOf(5);
    const hang: Reply = { connection: "hang" };
    const outcome = await act(project({ graders }), () => hang, { inputs: { timeout: "1s" } });
    expect(outcome.outputs).toMatchObject({ "grades-errored": "5", "judge-calls": "7" });
    expect(lastLine(outcome)).toContain("timeout");
  });

  test("a slow and healthy reply is not cut at half of the grade's time", async () => {
    const slow: Reply = { delayMs: 3_300, calls: [pass(), finish] };
    const outcome = await act(project(), () => slow, { inputs: { timeout: "6s" } });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", "judge-calls": "1" });
  });
});

/* Judges that are shut down, or will be: by what providers answer, and by their own lists of models. */

/** An endpoint that answers so, closed after the test. */
async function provider(how: Provider) {
  const started = await refusingProvider(how);
  open.push(started.close);
  return started;
}

const LIST = {
  data: [
    { id: "old-small", created: 1 },
    { id: "judge-9-mini", created: 9, type: "chat" },
    { id: "judge-image-9", created: 10 },
    { id: "judge-8", created: 8 },
  ],
};

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

/** Grades with the model `judge-1` of the endpoint. */
const askAt = (url: string, inputs: Readonly<Record<string, string>> = {}, fixture: ProjectFixture = {}) =>
  act(project(fixture), passing, {
    inputs: { "base-url": `${url}/v1`, "judge-model": "judge-1", ...inputs },
  });

describe("a model that is gone is told as such, by the endpoint's own list, in the words of its provider", () => {
  const NO_ACCESS = "The model `judge-1` does not exist or you do not have access to it.";
  const SHUT = "The model `judge-1` has been deprecated, learn more here: https://platform.openai.com/docs";
  const LEGACY =
    "Access denied. This Model is marked by provider as Legacy and you have not been actively using the model.";
  const UNKNOWN =
    "models/judge-1 is not found for API version v1beta, or is not supported for generateContent.";
  const NAMES =
    "The supported API model names are deepseek-v4-pro or deepseek-v4-flash, but you passed judge-1.";
  test.each<[string, number, string | object, more?: object]>([
    ["OpenAI", 404, NO_ACCESS, { code: "model_not_found" }],
    ["OpenAI, shut down", 404, SHUT, { code: "model_not_found" }],
    [
      "Gemini",
      404,
      "models/judge-1 is no longer available. Please update your code.",
      { status: "NOT_FOUND" },
    ],
    ["Gemini, unknown", 404, UNKNOWN],
    ["OpenRouter, no endpoints", 404, "No endpoints found for judge-1.", { code: 404 }],
    ["OpenRouter, free period", 404, "The free period has ended for this model. Use the paid slug."],
    ["OpenRouter, no model", 400, "judge-1 is not a valid model ID", { code: 400 }],
    ["Bedrock, end of life", 404, "This model version has reached the end of its life."],
    ["Bedrock, legacy", 404, LEGACY],
    ["Azure, gone", 410, "The model 'judge-1' is no longer available.", { code: "ModelDeprecated" }],
    ["Azure, deployment", 404, "The API deployment does not exist.", { code: "DeploymentNotFound" }],
    ["Groq", 400, "The model `judge-1` has been decommissioned.", { code: "model_decommissioned" }],
    ["DeepSeek", 400, NAMES],
    ["DeepSeek, short", 400, "Model Not Exist", { type: "invalid_request_error" }],
    ["Together", 404, "Unable to access model judge-1.", { code: "model_not_available" }],
    ["Together, unknown", 400, "Unable to access non-serverless model judge-1."],
    ["Anthropic", 404, { type: "error", error: { type: "not_found_error", message: "model: judge-1" } }],
    [
      "Mistral",
      400,
      { object: "error", message: "Invalid model: judge-1", type: "invalid_model", code: "1500" },
    ],
    ["xAI", 404, "The model judge-1 does not exist or your team does not have access to it."],
    ["Ollama", 404, 'model "judge-1" not found, try pulling it first'],
    ["vLLM", 404, "The model `judge-1` does not exist."],
    ["LiteLLM", 400, "/chat/completions: Invalid model name passed in model=judge-1. Call `/v1/models`."],
    ["Fireworks", 404, "Model not found, inaccessible, and/or not deployed"],
    ["a notice alone", 400, "Please switch to judge-9-mini."],
  ])("%s", async (...[, status, said, more]) => {
    const body = typeof said === "string" ? error(said, more) : said;
    const { url, asked } = await provider({ refusal: [status, body], models: LIST });
    const tasks = times(3, (at) => ({ id: `t${String(at)}` }));
    const outcome = await askAt(url, { "max-concurrency": "1", timeout: "30s" }, { tasks });
    expect(outcome.log).toContain("unknown-model");
    expect(outcome.log).toMatch(
      /- \{match: "judge-1", model: A-MODEL-YOU-HAVE\}`: the endpoint lists .*`judge-9-mini`/,
    );
    expect(outcome.outputs).toMatchObject({ conclusion: "failure", "grades-errored": "3" });
    // The others of this model are not sent, and the list is asked once.
    const ofFirst = asked.filter((one) => one.startsWith("POST")).length;
    expect(ofFirst).toBeLessThan(13);
    expect(asked.filter((one) => one === "GET /v1/models")).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ["by its dated name", { data: [{ id: "judge-1-2026-01-01" }] }],
    ["with a variant, as Ollama does", { data: [{ id: "judge-1:latest" }] }],
    ["by a wildcard, as gateways do", { data: [{ id: "judge-*" }] }],
    ["not, as it lists nothing", { data: [] }],
    ["not, as it has no list", undefined],
  ])("but not where the endpoint lists it %s", async (_how, models) => {
    const { url } = await provider({ refusal: [400, error("The model refused the request.")], models });
    const outcome = await askAt(url);
    expect(outcome.log).toContain("bad-request");
    expect(outcome.log).not.toContain("unknown-model");
  });

  test.each<[string, number, unknown, string]>([
    ["an outage", 503, error("The model judge-1 is overloaded."), "server"],
    ["a prompt that is too long", 400, error("This model's maximum context length is 8192."), "too-long"],
    ["a key without rights", 403, error("Your key may not do this."), "forbidden"],
    ["an address without a word of it", 404, "<html><body>Not Found</body></html>", "not-found"],
  ])("nor for %s", async (_what, status, body, errorClass) => {
    const { url } = await provider({ refusal: [status, body], models: LIST });
    const outcome = await askAt(url, { timeout: "2s" });
    expect(outcome.log).toContain(errorClass);
    expect(outcome.log).not.toContain("unknown-model");
  });

  test("our own default that is gone is named so, with what to write", async () => {
    const data = ["gpt-7-luna", "gpt-image-9"].map((id, index) => ({ id, created: index + 1 }));
    const refusal = [404, error("gone", { code: "model_not_found" })] as const;
    const { url } = await provider({ refusal, models: { data } });
    const outcome = await askAt(url, { "judge-model": "" });
    expect(outcome.log).toContain(
      "This action's default judge `gpt-6-luna` is not among the models of the endpoint: 404 gone. Set `judge-model` (at the command line `--judge-model`): the endpoint lists `gpt-image-9`, `gpt-7-luna`.",
    );
  });
});

describe("a judge that is shut down within sixty days is warned about", () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const listing = (more: object) => ({
    data: [
      { id: "judge-1", created: 1, ...more },
      { id: "judge-2", created: 2 },
    ],
  });
  const soon = day(20);

  test.each([
    ["OpenAI and Azure", { shutdown_date: soon }],
    ["OpenRouter", { expiration_date: soon }],
    ["Mistral", { deprecation: `${soon}T12:00:00Z` }],
    ["Azure, in seconds", { deprecation: { fine_tune: 1, inference: Date.parse(soon) / 1_000 } }],
    ["a list with both dates", { deprecation_date: "2020-01-01", shutdown_date: soon }],
    ["a list of dated names", { id: "judge-1-2026-01-01", shutdown_date: soon }],
  ])("%s", async (_provider, more) => {
    const { url } = await provider({ models: listing(more) });
    const outcome = await askAt(url);
    expect(outcome.code).toBe(0);
    const words = `The judge \`judge-1\` is shut down on ${soon}. Set another \`judge-model\`: the endpoint lists \`judge-2\`.`;
    expect(outcome.log).toContain(words);
    expect(outcome.summary).toContain(`is shut down on ${soon}`);
    const dry = await askAt(url, { "dry-run": "true" });
    expect(dry.log).toContain(words);
  });

  test("at the line that names it", async () => {
    const { url } = await provider({ models: listing({ shutdown_date: soon }) });
    const graders = [asking("right", { model: "judge-1" })];
    const outcome = await askAt(url, { "judge-model": "" }, { graders });
    expect(outcome.log).toMatch(
      /warning: .*eval\.yaml.*`judge-1` is shut down on .*Set another `model` in the grader: the endpoint lists `judge-2`/,
    );
  });

  test.each([
    ["later", { shutdown_date: day(90) }],
    ["without a date", { shutdown_date: null }],
    ["with a date of something else", { created_at: soon }],
  ])("not one that ends %s", async (_case, more) => {
    const { url } = await provider({ models: listing(more) });
    const outcome = await askAt(url);
    expect(outcome.log).not.toContain("is shut down");
    expect(lastLine(outcome)).toMatch(/^Passed/);
  });

  test.each(["<html>Sign in</html>", { data: [{ id: 7 }, null] }, undefined])(
    "and a list that cannot be read, %j, is silent",
    async (models) => {
      const { url } = await provider({ models });
      const outcome = await askAt(url);
      expect(outcome.code).toBe(0);
      expect(outcome.log).not.toMatch(/models|shut down/);
    },
  );
});
