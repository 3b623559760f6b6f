/** What hostile files, outputs and judges have tried. Each has to end within a test's time, publish, and be inert. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { renderMarkdown } from "../../scripts/render-markdown.ts";
import {
  actHere as act,
  actWithCopies,
  closeServers,
  KEY,
  lastLine,
  once,
  passing,
  publishedText,
  type Outcome,
} from "../support/act.ts";
import { times } from "../support/factories.ts";
import { fail, pass, startJudge, type Asked, type Call, type Reply } from "../support/judge-server.ts";
import { listen } from "../support/http.ts";
import { begun, ended, jsonLines } from "../support/outputs.ts";
import { project, promptGrader, resultsFixture, runFixture } from "../support/projects.ts";
import { copiesBeside, removeTemporaryFolders, temporaryFolder, TOKEN } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

/** Results of one run. */
const resultsOf = (run: Readonly<Record<string, unknown>>, model?: string) =>
  resultsFixture("suite", [{ id: "task-1", runs: [runFixture(run)] }], model);
/** A project whose only run gave this answer. */
const answering = (final_output: string) => project({ runs: { "task-1": [runFixture({ final_output })] } });
/** The record that a run wrote, as text. */
const recordText = (outcome: Outcome) => readFileSync(outcome.outputs["results-file"] ?? "", "utf8");

const MARKUP =
  "x <a href=https://evil.example>click</a> <img src=https://evil.example/b> [l](https://evil.example) @mona ";

describe("pages", () => {
  const long = MARKUP.repeat(700);
  const error = { status: "error", final_output: "", error_msg: MARKUP.repeat(12_000) };
  const named = promptGrader("g", "p", { config: { model: long } });
  test.each([
    ["a model's name of 70 KB", { "results.json": resultsOf({}, long) }],
    ["a judge model's name of 70 KB", { "evals/eval.yaml": { name: "suite", graders: [named] } }],
    ["an agent's error of 1.2 MB", { "results.json": resultsOf(error) }],
  ])("%s makes nothing active, here or there", async (_, files) => {
    const outcome = await act(project({ files }), passing);
    for (const page of [outcome.summary, outcome.github.checkRuns[0]?.output?.summary ?? ""]) {
      const html = await renderMarkdown(page);
      expect(html).not.toMatch(/<img|href="https:\/\/evil/);
      // GitHub follows mentions outside of code only.
      expect(html.replace(/<code>[\s\S]*?<\/code>|<[^>]*>/g, "")).not.toMatch(/@mona/);
      expect(page).toContain("task-1");
    }
  });

  test("text that is slow to clean is cleaned in time", async () => {
    const slow = ["\u001B]", "`", "_"].map((one) => one.repeat(200_000)).join(`\na${" ".repeat(240_000)}b\n`);
    const runs = { "task-1": [runFixture({ status: "error", final_output: "", error_msg: slow })] };
    const outcome = await act(project({ runs, graders: [promptGrader(slow)] }), passing);
    expect(outcome.outputs["grades-failed"]).toBe("1");
    expect(outcome.github.checkRuns).toMatchObject([{ conclusion: "failure" }]);
    for (const page of [outcome.summary, outcome.log]) {
      expect(page).toContain("The agent never got to work");
      expect(page).not.toContain("\u001B");
    }
  });
});

describe("a cancelled workflow", () => {
  test("ends, with any texts, and says what was graded", async () => {
    const slow = [
      " ".repeat(1_000_000),
      "“quoted” ".repeat(100_000),
      "`".repeat(500_000),
      "\u001B]".repeat(300_000),
    ];
    const runs = {
      "task-1": slow.map((text, index) => runFixture({ run_number: index + 1, final_output: `x${text}x` })),
    };
    const { promise: asked, resolve } = Promise.withResolvers<undefined>();
    const script = (): Reply => {
      resolve(undefined);
      return { connection: "hang" };
    };
    const outcome = await act(project({ runs }), script, { interrupt: { when: asked, signal: "SIGTERM" } });
    expect(outcome.code).toBe(1);
    expect(outcome.github.checkRuns[0]).toMatchObject({ conclusion: "cancelled" });
    expect(outcome.outputs["grades-errored"]).toBe("4");
  });
});

describe("scores", () => {
  test.each<[string, number[], Call[][], string]>([
    ["weights whose sum is infinite", [1e308, 1e308, 1e308], [[pass()], [pass()], [fail()]], "0.6667"],
    ["a weight next to nothing", [5e-324], [[pass(), pass(), pass(), fail(), fail()]], "0.6000"],
    ["weights that are worlds apart", [1e308, 1e-308], [[fail()], [pass()]], "0.0000"],
  ])("%s give a number, and the gate holds", async (_, weights, calls, score) => {
    const graders = weights.map((weight, index) =>
      promptGrader(`g${String(index)}`, `p${String(index)}`, { weight }),
    );
    const script = once(({ prompt }) => ({ calls: calls[Number(prompt.slice(1))] ?? [] }));
    const outcome = await act(project({ graders }), script, {
      inputs: { "fail-on": "score", "min-score": "0.9" },
    });
    expect(outcome.outputs.score).toBe(score);
    expect(outcome.code).toBe(1);
  });

  test("calls whose names a model has dressed up still count", async () => {
    const calls = [
      pass("a"),
      { ...fail("b"), name: "default_api.set_waza_grade_fail" },
      { ...fail("c"), name: "functions.set_waza_grade_fail " },
    ];
    const outcome = await act(project(), once({ calls }));
    expect(outcome.outputs).toMatchObject({ "checks-passed": "1", "checks-failed": "2" });
  });

  test("usage that cannot be is not believed", async () => {
    const raw = {
      choices: [{ finish_reason: "stop", message: { role: "assistant", content: "x" } }],
      usage: { prompt_tokens: -1e308, completion_tokens: 0.5 },
    };
    const outcome = await act(project(), () => ({ raw: JSON.stringify(raw) }));
    expect(outcome.outputs.tokens).toBe("0");
  });
});

describe("secrets", () => {
  const PATHLIKE = "Zq3/xW+8=k7Lm/Pv5";

  test.each([
    ["coloured by grep in the middle", `${TOKEN.slice(0, 4)}\u001B[m\u001B[K${TOKEN.slice(4)}`],
    [
      "with an invisible mark in the middle",
      `${KEY.slice(0, 8)}\uFEFF${KEY.slice(8)} ${KEY.slice(0, 8)}\u202A${KEY.slice(8)}`,
    ],
    [
      "as git's header has it",
      `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`,
    ],
    ["in base64", Buffer.from(KEY).toString("base64")],
  ])("%s are found", async (_, leak) => {
    const outcome = await act(answering(leak), once({ calls: [fail(leak, leak)] }));
    const published = publishedText(outcome, [recordText(outcome)]);
    // What a reader sees, or could decode: without terminal codes and invisible marks.
    const seen = published.replace(
      // eslint-disable-next-line no-control-regex
      /(?:\u001B|\\u001b)\[[0-9;]*[A-Za-z]|[\u200B-\u200F\u202A-\u202E\uFEFF]/g,
      "",
    );
    expect(seen).not.toContain(KEY);
    expect(seen).not.toContain(TOKEN);
    expect(seen).not.toContain(leak);
    expect(seen).toContain("[redacted]");
  });

  test.each([
    [
      "beside judges of other addresses",
      '- {match: "other-*", base-url: "http://127.0.0.1:9/v1", api-key: abcdefgh}',
    ],
    ["of the only judge", ""],
  ])("the standard key, %s, is in no evidence", async (_, providers) => {
    const outcome = await act(answering(`The key is ${KEY}.`), passing, { inputs: { providers } });
    expect(outcome.judge.asked[0]?.evidence).toContain("The key is [redacted].");
  });

  test.each([
    ["as it is", TOKEN],
    ["in JSON of PHP", JSON.stringify({ key: PATHLIKE }).replaceAll("/", "\\/")],
    [
      "in a URL, in small letters",
      `https://x.example/?key=${encodeURIComponent(PATHLIKE).replace(/%../g, (code) => code.toLowerCase())}`,
    ],
    ["in hexadecimal", Buffer.from(PATHLIKE).toString("hex")],
    ["apart by NULs", Array.from(PATHLIKE).join("\0")],
    ["apart by NULs in JSON", JSON.stringify(Array.from(PATHLIKE).join("\0"))],
  ])("in what GitHub answers are not in the log, nor in a report of them: %s", async (_, leak) => {
    const outcome = await act(answering(leak), once({ calls: [fail(leak, leak)] }), {
      inputs: { "api-key": PATHLIKE, comment: "always" },
      github: { status: 410, message: `refused: ${leak}` },
    });
    expect(outcome.log).toContain("refused: ");
    expect(outcome.log).toContain("[redacted]");
    const published = publishedText(outcome, [recordText(outcome)]);
    for (const form of [leak, JSON.stringify(leak).slice(1, -1), PATHLIKE, TOKEN])
      expect(published).not.toContain(form);
  });

  test("values of headers are secrets, except short plain words", async () => {
    const runs = { "task-1": [runFixture({ final_output: "evals met team-token-1234" })] };
    const workspace = project({ runs, graders: [promptGrader("g", "p", { config: { model: "m-1" } })] });
    const judge = await startJudge(passing);
    const rule = `- {match: "m-*", base-url: "${judge.url}", headers: {X-Title: evals, X-Team: team-token-1234}}`;
    const outcome = await act(workspace, passing, { inputs: { providers: rule } });
    await judge.close();
    expect(judge.asked[0]?.headers).toMatchObject({ "x-title": "evals", "x-team": "team-token-1234" });
    expect(recordText(outcome)).toContain("evals met [redacted]");
    expect(outcome.log).toContain("::add-mask::team-token-1234");
    expect(outcome.log).not.toContain("::add-mask::evals");
  });

  test.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    ["`api-key`", { "api-key": `${KEY}\nsecond line` }, {}, /input `api-key` contains a line break/],
    [
      "OPENAI_API_KEY",
      { "api-key": "" },
      { OPENAI_API_KEY: `${KEY}”` },
      /`OPENAI_API_KEY` contains a character beyond/,
    ],
    [
      "a header of `providers`",
      { providers: '- {match: "*", base-url: "http://127.0.0.1:9/v1", headers: {X-Key: "a\\u0007b"}}' },
      {},
      /header `X-Key` contains a control character/,
    ],
    [
      "an empty header",
      { providers: '- {match: "*", base-url: "http://127.0.0.1:9/v1", headers: {X-Team: }}' },
      {},
      /header `X-Team` is empty/,
    ],
  ])(
    "that no header can hold, in %s, are a problem before anybody is asked",
    async (_, inputs, env, expected) => {
      const outcome = await act(project(), passing, { inputs, env });
      expect(outcome.code).toBe(1);
      expect(lastLine(outcome)).toMatch(expected);
      expect(outcome.judge.asked).toEqual([]);
      expect(publishedText(outcome, [])).not.toContain(KEY);
    },
  );

  test("a key with a line end after it is the key without it", async () => {
    const env = { OPENAI_API_KEY: `${KEY}\n` };
    const outcome = await act(project(), passing, { inputs: { "api-key": "" }, env });
    expect(outcome.judge.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("a key in the reason why an answer ended, in a record, or in base-url is not published", async () => {
    const ended = await act(project(), () => ({ text: "x", finish: KEY.repeat(3) }));
    expect(publishedText(ended, [])).not.toContain(KEY.slice(0, 20));
    const folder = temporaryFolder("cache");
    const inputs = { "cache-dir": folder };
    const recorded = await act(project(), once({ calls: [pass(KEY, TOKEN)] }), { inputs });
    expect(recorded.outputs["grades-passed"]).toBe("1");
    const again = await act(project(), passing, { inputs });
    expect(again.outputs["judge-calls"]).toBe("0");
    for (const url of [
      "http://user:Pa55word-secret@127.0.0.1:99999/v1",
      "http://127.0.0.1:9/v1?key=Pa55word-secret",
    ]) {
      const outcome = await act(project(), passing, { inputs: { "base-url": url } });
      expect(publishedText(outcome, [])).not.toContain("Pa55word");
      expect(outcome.code).toBe(1);
    }
  });
});

describe("files", () => {
  test.each<[string, string]>([
    ["a NUL", "a\u0000b"],
    ["a name too long for any file system", "a".repeat(300)],
    ["stars that take for ever to match", "*a*a*a*a*a*a*a*a*a*a*a*ab"],
    ["the whole file system", "/**/*.nope"],
    ["a climb after a star", "*/../../../**/*.yaml"],
    ["a link to itself", "loop.yaml"],
  ])("a task glob with %s is a problem at its line, and the report is published", async (_, glob) => {
    const files = { "evals/eval.yaml": { name: "suite", tasks: [glob], graders: [promptGrader("g")] } };
    const workspace = project({ files });
    writeFileSync(join(workspace, "evals", "a".repeat(250)), "");
    symlinkSync("loop.yaml", join(workspace, "evals", "loop.yaml"));
    const outcome = await act(workspace, passing);
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain("evals/eval.yaml");
    expect(outcome.github.checkRuns[0]?.annotations[0]).toMatchObject({ path: "evals/eval.yaml" });
  });

  const SECRET = "SOMEOTHERSECRET, which no shape tells";

  const OUT = /out of its repository/;
  test.each<[string, link: string, target: string, Record<string, string>, said: RegExp]>([
    ["an eval", "eval.yaml", "OUTSIDE/secret", { eval: "linked/*" }, /reached by a link that leads out/],
    ["an eval by its name", "eval.yaml", "OUTSIDE/secret", { eval: "linked/eval.yaml" }, OUT],
    ["results", "task-1.md", "OUTSIDE/secret", { results: "linked/task-1.md" }, OUT],
    ["a folder of results", "out", "OUTSIDE", { results: "linked/out/*" }, OUT],
    [
      "results in a repository below",
      "task-1.md",
      "../sub/.git/config",
      { results: "linked/task-1.md" },
      /into a `.git`/,
    ],
    ["the agent's workspace", "ws", "OUTSIDE", { workspace: "linked/ws" }, /leads out/],
    ["the agent's workspaces", "ws", "../sub/.git", { workspace: "linked/ws/{task}" }, /refused/],
    ["recorded verdicts", "cache", "OUTSIDE", { "cache-dir": "linked/cache", offline: "true" }, OUT],
    ["the graded results", "to", "OUTSIDE", { "output-file": "linked/to/out.json" }, OUT],
    ["a report", "to", "../sub/.git", { reports: "junit=linked/to/out.xml" }, /into a `.git`/],
  ])(
    "%s by a link that leads away is a problem, and no judge is asked or shown",
    async (_, link, target, inputs, wording) => {
      const outside = temporaryFolder("outside");
      const files = { "sub/.git/config": SECRET, "sub/.git/task-1/x": SECRET };
      const workspace = project({ files });
      for (const path of ["secret", "task-1.md"]) writeFileSync(join(outside, path), SECRET);
      mkdirSync(join(workspace, "linked"));
      symlinkSync(target.replace("OUTSIDE", outside), join(workspace, "linked", link));
      const outcome = await act(workspace, passing, { inputs });
      expect(outcome.code).toBe(1);
      expect(outcome.judge.asked).toEqual([]);
      expect(publishedText(outcome, [])).not.toContain("SOMEOTHERSECRET");
      expect(outcome.summary).toMatch(wording);
      const left = [outside, join(workspace, "sub/.git")].map((folder) => readdirSync(folder).sort());
      expect(left).toEqual([
        ["secret", "task-1.md"],
        ["config", "task-1"],
      ]);
    },
  );

  test("results outside the workspace are read, also by a link that the runner made", async () => {
    const outside = temporaryFolder("outside");
    mkdirSync(join(outside, "run-7"));
    writeFileSync(join(outside, "run-7", "task-1.md"), "From the run before.");
    symlinkSync("run-7", join(outside, "latest"));
    const inputs = { results: join(outside, "latest", "task-1.md") };
    const outcome = await act(project(), passing, { inputs });
    expect(outcome.code).toBe(0);
    expect(outcome.judge.asked[0]?.evidence).toContain("From the run before.");
  });

  test("results nested beyond reason beside an unknown key are read all the same", async () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const results = `{"foo": ${deep}, ${JSON.stringify(resultsOf({})).slice(1)}`;
    const outcome = await act(project({ files: { "results.json": results } }), passing);
    expect(outcome.code).toBe(0);
  });

  test("odd validations lose neither the results file nor its figures", async () => {
    const validations = {
      none: null,
      list: [1],
      text: "abc",
      odd: { score: "9", weight: "5", passed: "true" },
      low: { score: -1e308, weight: -1, passed: true },
    };
    const runs = { "task-1": [runFixture({ validations })] };
    const outcome = await actWithCopies(project({ runs }), passing);
    const [copy = ""] = copiesBeside(outcome.outputs["results-file"] ?? "");
    expect(readFileSync(copy, "utf8")).toMatch(/"avg_score": ?-?\d/);
  });

  test("a link in the place of the results file is replaced, not followed", async () => {
    const victim = join(temporaryFolder("outside"), "victim.json");
    writeFileSync(victim, "untouched");
    const workspace = project();
    symlinkSync(victim, join(workspace, "graded.json"));
    await act(workspace, passing, { inputs: { "output-file": "graded.json" } });
    expect(readFileSync(victim, "utf8")).toBe("untouched");
    expect(readFileSync(join(workspace, "graded.json"), "utf8")).toContain("waza_grade");
  });

  test("5,000 runs of one task are reported, and counted", async () => {
    const runs = Array.from({ length: 5_000 }, (_, index) =>
      runFixture({ run_number: index + 1, status: "error", final_output: "", error_msg: "x" }),
    );
    const inputs = { annotations: "off" };
    const outcome = await act(project({ runs: { "task-1": runs } }), passing, { inputs });
    expect(outcome.outputs["grades-failed"]).toBe("5000");
    expect(outcome.github.checkRuns[0]?.output?.summary).toContain("0/5000");
  });
});

describe("outputs", () => {
  const good = once(({ evidence }) => ({ calls: [evidence.includes("BAD") ? fail("bad") : pass("good")] }));
  const judged = (files: Readonly<Record<string, string>>) =>
    act(project({ files }), good, { inputs: { results: "out/*" } });

  test.each([
    ["results without a task", "task-1.2.md", '{"tasks":[],"x":"BAD"}'],
    ["a baseline", "task-1.2.md", '{"is_baseline":true,"tasks":[],"x":"BAD"}'],
    ["a summary of models", "task-1.2.json", '{"skills":[],"overall":{},"x":"BAD"}'],
    [
      "results of its own",
      "task-1.2.json",
      '{"tasks":[{"test_id":"task-1","runs":[{"final_output":"fine"}]}],"x":"BAD"}',
    ],
    ["a record of another task", "task-1.2.json", '{"task_id":"task-2","output":"fine","x":"BAD"}'],
  ])("an answer that looks like %s is an answer all the same", async (_, name, text) => {
    const outcome = await judged({ "out/task-1.1.md": "GOOD", [`out/${name}`]: text });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", "grades-failed": "1" });
    expect(outcome.code).toBe(1);
  });

  test("records with a row that looks like a log stay records", async () => {
    const rows = [1, 2].map((trial) => ({ task_id: "task-1", output: "BAD", trial }));
    const last = { task_id: "task-1", output: "GOOD", trial: 3, type: "result", result: "GOOD" };
    const outcome = await judged({ "out/r.jsonl": jsonLines(...rows, last) });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", "grades-failed": "2" });
  });

  test("a log with a second session appended is a problem, not a second chance", async () => {
    const session = (session_id: string, result: string) => [
      begun({ session_id }),
      ended({ session_id, result }),
    ];
    const log = jsonLines(...session("s1", "BAD"), ...session("s2", "GOOD"));
    const outcome = await judged({ "out/task-1.jsonl": log });
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain("holds 2 sessions, but a log is one run");
  });

  test.each([
    ["a header alone", "id,prompt\n", undefined],
    ["a range past its end", "id,prompt\na,b\n", [8, 9]],
  ])("tasks from a CSV with %s are a problem, not nothing to do", async (_, csv, range) => {
    const from = { tasks_from: "t.csv", ...(range ? { range } : {}) };
    const evalFile = { name: "suite", ...from, graders: [promptGrader("g")] };
    const files = { "evals/eval.yaml": evalFile, "evals/t.csv": csv };
    const outcome = await act(project({ files }), passing);
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain("gives no task");
  });

  test("a link in the workspace that leads elsewhere now is no recorded verdict", async () => {
    const workspace = project({ files: { "w/v1/a.txt": "GOOD", "w/v2/a.txt": "BAD" } });
    const link = join(workspace, "w", "current");
    symlinkSync("v1", link);
    const script = ({ turn, request }: Asked): Reply => {
      if (turn === 1) return { calls: [{ name: "read_file", args: { path: "workspace/current/a.txt" } }] };
      if (turn > 2) return {};
      return {
        calls: [JSON.stringify(request.messages.at(-1)).includes("GOOD") ? pass("good") : fail("bad")],
      };
    };
    const inputs = { workspace: "w", "cache-dir": temporaryFolder("cache") };
    expect((await act(workspace, script, { inputs })).outputs["grades-passed"]).toBe("1");
    rmSync(link);
    symlinkSync("v2", link);
    expect((await act(workspace, script, { inputs })).outputs["grades-failed"]).toBe("1");
  });

  test("one large file does not hide the others from a search", async () => {
    const workspace = project({ files: { "w/b.txt": "needle x\n" } });
    writeFileSync(join(workspace, "w", "a.txt"), "x\n".repeat(1_000_000));
    let answer = "";
    const script = ({ turn, request }: Asked): Reply => {
      if (turn === 1) return { calls: [{ name: "search_files", args: { query: "x" } }] };
      if (turn === 2) answer = JSON.stringify(request.messages.at(-1));
      return turn === 2 ? { calls: [pass()] } : {};
    };
    await act(workspace, script, { inputs: { workspace: "w" } });
    expect(answer).toContain("workspace/a.txt:1: x");
  });
});

describe("judges", () => {
  test("tens of thousands of calls with one id in a reply are counted", async () => {
    const calls = times(20_000, () => ({ name: "set_waza_grade_pass", id: "same" }));
    const outcome = await act(project(), once({ calls }));
    expect(outcome.outputs["checks-passed"]).toBe("20000");
  });

  test("a reply of many megabytes is no verdict", async () => {
    const outcome = await act(project(), () => ({ calls: [pass("a", "x".repeat(5_000_000))] }));
    expect(outcome.outputs).toMatchObject({ "grades-errored": "1", "grades-passed": "0" });
    expect(outcome.summary).toContain("longer than 4 MB");
  });

  test("a redirect is not followed: the evidence goes to the endpoint that was named", async () => {
    const other = await startJudge(passing);
    const redirecting = await listen((_request, response) => {
      response.writeHead(307, { location: `${other.url}/chat/completions` }).end();
      return Promise.resolve();
    });
    const outcome = await act(project(), passing, { inputs: { "base-url": `${redirecting.url}/v1` } });
    await Promise.all([other.close(), redirecting.close()]);
    expect(other.asked).toEqual([]);
    expect(outcome.outputs["grades-errored"]).toBe("1");
    expect(outcome.summary).toContain(`to \`${other.url}\``);
  });
});
