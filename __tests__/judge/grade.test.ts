import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { RETRY_NOW, ask, closeServers, judgeAt, outcomes, serve } from "./judging.ts";
import { graderOf, runOf } from "../support/factories.ts";
import {
  fail,
  finish,
  pass,
  together,
  type Asked,
  type Call,
  type JudgeServer,
  type Reply,
} from "../support/judge-server.ts";
import type { Grade, GradingJob, Verdict } from "../../src/domain/grade.ts";
import { error } from "../../src/domain/problem.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Grader, Suite } from "../../src/domain/suite.ts";
import { gradeJobs, type GradeOptions } from "../../src/judge/grade.ts";
import { JudgeError, type Judge, type JudgeAnswer, type JudgeRequest } from "../../src/judge/judge.ts";
import { votingJudge } from "../../src/judge/votes.ts";
import { redactor } from "../../src/safety/secrets.ts";
import { rowOf } from "../../src/results/rows.ts";
import { stateOf } from "../../src/text/states.ts";

closeServers();

const at = { path: "evals/eval.yaml", startLine: 1, endLine: 2, inRepository: true };

const PASSED: JudgeAnswer = { checks: [{ outcome: "pass" }], text: "", changes: [] };

const grader = (changes: Partial<Grader> = {}): Grader =>
  graderOf({ name: "g", prompt: "Good?", at, ...changes });

const run = (changes: Partial<Run> = {}): Run => runOf({ taskId: "t", finalOutput: "Answer.", ...changes });

const suite: Suite = { title: "suite", at, graders: [], otherGraders: [], tasks: "every", broken: false };

const job = (changes: Partial<GradingJob> = {}): GradingJob => ({
  suite,
  task: { id: "t", name: "t", prompt: "Do it." },
  grader: grader(),
  judgeModel: "judge-1",
  run: run(),
  ...changes,
});

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    job({ grader: grader({ name: `g${String(index)}`, prompt: `#${String(index)}` }) }),
  );

const options = (judge: Judge, changes: Partial<GradeOptions> = {}): GradeOptions => ({
  judge,
  maxConcurrency: 4,
  timeoutMs: 120_000,
  redact: (text) => text,
  ...changes,
});

const errorClass = ({ verdict }: { readonly verdict: Verdict }) =>
  verdict.state === "errored" ? verdict.error.class : verdict.state;

describe("a judge that fails for every grade", () => {
  const INSUFFICIENT =
    '{"choices": null, "base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}';
  const fortyGrades = (server: JudgeServer) =>
    gradeJobs(numbered(40), options(judgeAt(server), { maxConcurrency: 10 }));

  test.each<[string, Reply, number]>([
    ["503", { status: 503, headers: RETRY_NOW }, 6],
    ["a stream", { raw: 'data: {"choices": []}\n\ndata: [DONE]\n' }, 2],
    ["an error of its own in a 200 (MiniMax)", { raw: INSUFFICIENT }, 2],
  ])(
    "is sent six grades in a row, and the rest is an error without a request: %s",
    async (_name, reply, tries) => {
      const server = await serve(() => reply);
      const grades = await fortyGrades(server);
      const errors = grades.flatMap(({ verdict }) => (verdict.state === "errored" ? verdict.error : []));
      const notAsked = errors.filter(({ notSent }) => notSent);
      expect(notAsked).toHaveLength(25);
      expect(notAsked[0]?.help).toMatch(/^6 grades in a row failed like this/);
      expect(new Set(errors.map(({ class: one }) => one)).size).toBe(1);
      // Ten that were sent at the same time, and five one by one.
      expect(server.asked).toHaveLength(15 * tries);
    },
  );

  test("is sent all the others again once one had an answer", async () => {
    const outage = 6 * 10 + 8;
    const answers = (): Reply => ({ calls: [pass("a"), finish] });
    const ten = together(10, answers);
    const server = await serve((asked) => {
      if (server.asked.length <= outage) return { status: 503, headers: RETRY_NOW };
      return server.asked.length === outage + 1 ? answers() : ten(asked);
    });
    const grades = await fortyGrades(server);
    expect(grades.filter(({ verdict }) => verdict.state === "graded")).toHaveLength(29);
  });

  test("holds up no other judge once it is not sent any more", async () => {
    const ten = together(10, () => ({ calls: [pass("a"), finish] }));
    let others = 0;
    const server = await serve((asked) => {
      if (asked.request.model === "judge-1") return { status: 503, headers: RETRY_NOW };
      others += 1;
      return others === 1 ? { calls: [pass("a"), finish] } : ten(asked);
    });
    const jobs = numbered(60).map((one, index) => (index < 40 ? one : { ...one, judgeModel: "judge-2" }));
    const grades = await gradeJobs(jobs, options(judgeAt(server), { maxConcurrency: 10 }));
    expect(grades.filter(({ verdict }) => verdict.state === "graded")).toHaveLength(20);
  });
});

describe("a judge whose limit is used up", () => {
  const limited: Reply = { status: 429, error: { message: "Rate limit reached" } };

  test("is asked no more once six grades waited for their whole time without an answer", async () => {
    const tried = new Set<string>();
    const server = await serve(({ prompt }) => {
      if (server.asked.length <= 6) return { calls: [pass("a"), finish] };
      // The wait after a second try ends after the grade's time, so that the test has not to wait for it.
      const headers = tried.has(prompt) ? { "retry-after": "59" } : RETRY_NOW;
      tried.add(prompt);
      return { ...limited, headers };
    });
    const judge = judgeAt(server);
    const grades = await gradeJobs(numbered(40), options(judge, { maxConcurrency: 10, timeoutMs: 58_000 }));
    const errors = grades.flatMap(({ verdict }) => (verdict.state === "errored" ? verdict.error : []));
    expect(errors.map(({ class: one }) => one)).toEqual(Array.from({ length: 34 }, () => "rate-limit"));
    expect(errors.filter(({ notSent }) => notSent).length).toBeGreaterThanOrEqual(14);
    expect(errors.find(({ notSent }) => notSent)?.help).toMatch(/^6 grades in a row .* quota of the day/);
  });

  test("of one model by a wait of an hour, is asked no more at the third of it at once, others of the account are", async () => {
    const server = await serve(({ prompt }) =>
      Number(prompt.slice(1)) < 20
        ? { ...limited, headers: { "retry-after": "3600" } }
        : { calls: [pass("a"), finish] },
    );
    const jobs = numbered(40).map((one, index) => (index >= 20 ? one : { ...one, judgeModel: "judge-2" }));
    const grades = await gradeJobs(jobs, options(judgeAt(server), { maxConcurrency: 4 }));
    expect(grades.filter(({ verdict }) => verdict.state === "graded")).toHaveLength(20);
    expect(server.asked.length).toBeLessThanOrEqual(20 + 6);
  });
});

test.each<[string, number, Readonly<Record<string, string>>, number, number]>([
  ["a key that is refused once", 401, {}, 1, 1],
  ["a key that is refused from then on", 401, {}, Infinity, 3],
  ["an account that is empty once", 402, {}, 1, 1],
  ["a wait of an hour from then on", 429, { "retry-after": "3600" }, Infinity, 3],
])(
  "%s, after answers, ends that grade, and the third in a row the rest",
  async (_what, status, headers, times, sent) => {
    const server = await serve(() =>
      server.asked.length > 5 && server.asked.length <= 5 + times
        ? { status, headers, error: { message: "No." } }
        : { calls: [pass("a"), finish] },
    );
    const grades = await gradeJobs(numbered(12), options(judgeAt(server), { maxConcurrency: 1 }));
    const errored = grades.filter(({ verdict }) => verdict.state === "errored");
    expect([errored.length, server.asked.length]).toEqual(times === 1 ? [1, 12] : [7, 5 + sent]);
  },
);

describe("a judge that refuses", () => {
  const graded = async (script: (asked: Asked) => Reply) => {
    const server = await serve(script);
    const grades = await gradeJobs(numbered(20), options(judgeAt(server), { maxConcurrency: 2 }));
    return { asked: server.asked.length, grades };
  };

  test("three grades in the same words, and never answered, is asked no more", async () => {
    let id = 0;
    const { asked, grades } = await graded(() => {
      id += 1;
      const message = `Account suspended, see case req_${String(id).padStart(20, "0")}`;
      return { status: 400, error: { message } };
    });
    expect(asked).toBeLessThanOrEqual(4);
    const errors = grades.flatMap(({ verdict }) => (verdict.state === "errored" ? verdict.error : []));
    expect(errors).toHaveLength(20);
    expect(new Set(errors.slice(4).map(({ message }) => message)).size).toBe(1);
    expect(errors.at(-1)?.help).toMatch(/^3 grades were refused like this and none was answered/);
  });

  test.each<[string, Reply, (asked: Asked) => boolean]>([
    ["once it has answered", { status: 400, error: { message: "No" } }, ({ prompt }) => prompt !== "#0"],
    ["for its filter", { status: 400, error: { message: "No", code: "content_filter" } }, () => true],
    [
      "a prompt that is too long",
      { status: 400, error: { message: "This model's maximum context length is 8192 tokens" } },
      () => true,
    ],
  ])("is asked all grades: %s", async (_name, refusal, isRefused) => {
    const { asked } = await graded((one) => (isRefused(one) ? refusal : { calls: [pass("a"), finish] }));
    expect(asked).toBe(20);
  });
});

describe("the grades", () => {
  test("come in the order of their jobs, however long each takes", async () => {
    const server = await serve(({ prompt, turn }) =>
      turn === 1 ? { calls: [pass(prompt)], delayMs: Math.random() * 60 } : {},
    );
    const jobs = numbered(24);
    const seen: Grade[] = [];
    const grades = await gradeJobs(jobs, options(judgeAt(server), { onGrade: (grade) => seen.push(grade) }));
    expect(grades.map((grade) => grade.job)).toEqual(jobs);
    expect(
      grades.map(({ verdict }) => (verdict.state === "graded" ? verdict.checks[0]?.description : "")),
    ).toEqual(jobs.map(({ grader: { prompt } }) => prompt));
    expect(seen).toHaveLength(24);
    expect(new Set(seen)).toEqual(new Set(grades));
  });

  test.each([1, 3, 8])("are asked for at most %d at a time, and that many", async (maxConcurrency) => {
    const script = ({ turn }: Asked) => (turn === 1 ? { calls: [pass("a")], delayMs: 15 } : { delayMs: 15 });
    const server = await serve(together(maxConcurrency, script));
    await gradeJobs(numbered(20), options(judgeAt(server), { maxConcurrency }));
    expect(server.mostAtOnce()).toBe(maxConcurrency);
    expect(server.asked).toHaveLength(40);
  });

  test("carry score, verdict, evidence, requests and tokens", async () => {
    const server = await serve(({ turn }) =>
      turn === 1 ? { calls: [pass("a"), fail("b"), pass("c")] } : { text: "Said." },
    );
    const steps = [{ kind: "tool", name: "bash", input: "{}" } as const];
    const [grade] = await gradeJobs([job({ run: run({ steps }) })], options(judgeAt(server)));
    expect(grade).toMatchObject({
      requests: 2,
      tokens: { input: 200, output: 40 },
      verdict: {
        state: "graded",
        passed: false,
        response: "Said.",
        evidence: { toolCalls: 1, elided: false },
      },
    });
    expect(grade?.verdict.state === "graded" && grade.verdict.score).toBeCloseTo(2 / 3, 12);
    expect(grade?.durationMs).toBeGreaterThanOrEqual(0);
    expect(grade?.verdict).toMatchObject({ note: undefined });
  });

  test("let the judge read what the task gave the agent, and the folder it worked in", async () => {
    const read = (path: string) => ({ name: "read_file", args: { path } });
    const server = await serve(({ turn }) =>
      turn === 1
        ? { calls: [read("given/a.md"), read("workspace/judging.ts"), read("given/../package.json")] }
        : turn === 2
          ? { calls: [pass("read")] }
          : {},
    );
    const task = { id: "t", name: "t", files: [{ name: "a.md", content: "given text" }] };
    const [grade] = await gradeJobs(
      [job({ task, workspace: import.meta.dirname })],
      options(judgeAt(server)),
    );
    const answers = server.asked[1]?.request.messages.flatMap(({ role, content }) =>
      role === "tool" ? [content] : [],
    );
    expect(answers).toEqual([
      "given/a.md, lines 1 to 1 of 1:\ngiven text",
      expect.stringMatching(/^workspace\/judging\.ts, lines 1 to /),
      expect.stringMatching(/^There is no file .* Paths begin with given\/ and workspace\//),
    ]);
    expect(server.asked[0]?.evidence).toMatch(/ files: \d+>>>\ngiven\/a\.md\nworkspace\//);
    expect(grade?.verdict).toMatchObject({ state: "graded", passed: true, evidence: { reads: 3 } });
  });

  test("of an eval that is not judged whole, or without files that it names, are doubtful and say so", async () => {
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")] } : {}));
    const files = [
      { name: "gone.md", missing: error("no-input-file", "It is gone.") },
      { name: "data", path: import.meta.dirname },
    ] as const;
    const grader = graderOf({ unjudged: "Not all of this eval was judged: `turns` is not read." });
    const [grade] = await gradeJobs(
      [job({ grader, task: { id: "t", name: "t", files } })],
      options(judgeAt(server)),
    );
    expect(grade?.verdict).toMatchObject({
      passed: true,
      doubt:
        "Not all of this eval was judged: `turns` is not read. The judge did not have files that the task names: `gone.md`.",
    });
    expect(grade && stateOf(rowOf(grade))).toBe("doubtful");
    expect(server.asked[0]?.evidence).toContain("given/data/grade.test.ts");
  });

  test("about files that hold no text are doubtful, and name them", async () => {
    const workspace = mkdtempSync(join(tmpdir(), "unreadable-"));
    for (const name of ["report.docx", "out/chart.png", "other.zip"]) {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      writeFileSync(join(workspace, name), Buffer.from([0x50, 0x4b, 0, 4]));
    }
    writeFileSync(join(workspace, "notes.txt"), "Box 7.");
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")] } : {}));
    const prompt = "Is box 7 in `report.docx` and out/chart.png? Then look at notes.txt.";
    const [grade] = await gradeJobs(
      [job({ grader: graderOf({ prompt }), workspace })],
      options(judgeAt(server)),
    );
    rmSync(workspace, { recursive: true });
    expect(grade?.verdict).toMatchObject({
      doubt:
        "The judge could not read files that the checks name, which hold no text: `workspace/out/chart.png`, `workspace/report.docx`.",
    });
  });

  test("of a judge that makes no call are graded 0 and say so", async () => {
    const server = await serve(() => ({ text: "All prompts passed" }));
    const [grade] = await gradeJobs([job()], options(judgeAt(server)));
    expect(grade?.verdict).toMatchObject({ state: "graded", score: 0, passed: false, checks: [] });
    expect(grade?.verdict.state === "graded" && grade.verdict.note).toMatch(/no grading call/);
    expect(grade?.requests).toBe(2);
  });

  test("that were incomplete or recorded keep saying so", async () => {
    const incomplete = { class: "server", message: "broke off" } as const;
    const judge: Judge = {
      grade: () => Promise.resolve({ ...PASSED, incomplete, recorded: true }),
    };
    const [grade] = await gradeJobs([job()], options(judge));
    expect(grade?.verdict).toMatchObject({ passed: true, incomplete, recorded: true });
    expect(grade?.verdict).toMatchObject({ response: undefined });
  });

  test("of no job are none", async () => {
    expect(await gradeJobs([], options({ grade: () => Promise.reject(new Error("asked")) }))).toEqual([]);
  });
});

describe("a grade that goes wrong", () => {
  test("is errored and stops no other", async () => {
    const server = await serve(({ prompt, turn }) => {
      if (prompt === "#3") return { raw: "<html>" };
      if (prompt === "#7") return { status: 500, headers: { "x-should-retry": "false" } };
      if (prompt === "#9") return { connection: "reset" };
      return turn === 1 ? { calls: [pass("a")] } : {};
    });
    const grades = await gradeJobs(numbered(12), options(judgeAt(server)));
    expect(grades.map(errorClass)).toEqual(
      Array.from(
        { length: 12 },
        (_, index) => ({ 3: "invalid-reply", 7: "server", 9: "network" })[index] ?? "graded",
      ),
    );
    expect(grades[9]?.requests).toBe(6);
  });

  test("by its time limit is a timeout, named with the limit and what to change", async () => {
    const server = await serve(({ prompt, turn }) => {
      if (prompt === "#1") return { connection: "hang" };
      return turn === 1 ? { calls: [pass("a")] } : {};
    });
    const grades = await gradeJobs(numbered(3), options(judgeAt(server), { timeoutMs: 5_000 }));
    expect(grades.map(errorClass)).toEqual(["graded", "timeout", "graded"]);
    const verdict = grades[1]?.verdict;
    expect(verdict?.state === "errored" && verdict.error).toMatchObject({
      message: expect.stringContaining("5 s"),
      help: expect.stringContaining("timeout"),
    });
    // An attempt may take half of the time, so that there is one more.
    expect(grades[1]?.requests).toBe(2);
  });

  test("by its time limit after a call was made keeps the call: a reported failure is never lost", async () => {
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [fail("a")] } : { connection: "hang" }));
    const [grade] = await gradeJobs([job()], options(judgeAt(server), { timeoutMs: 5_000 }));
    expect(grade?.verdict).toMatchObject({
      state: "graded",
      passed: false,
      checks: [{ outcome: "fail" }],
      incomplete: { class: "timeout" },
    });
  });

  test("has its limit from when it is asked, not from when it was queued", async () => {
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")], delayMs: 400 } : {}));
    const grades = await gradeJobs(
      numbered(10),
      options(judgeAt(server), { maxConcurrency: 1, timeoutMs: 2_500 }),
    );
    expect(grades.map(errorClass)).toEqual(Array.from({ length: 10 }, () => "graded"));
  });

  test("by its time limit is that of all its votes: none waits for what would come later", async () => {
    const server = await serve(() =>
      server.asked.length === 1
        ? { calls: [pass("a"), finish], delayMs: 1_000 }
        : { status: 429, headers: { "retry-after": "2.5" } },
    );
    const voter = votingJudge(judgeAt(server), { votes: 3, confirmOnFail: 0 });
    const [grade] = await gradeJobs([job()], options(voter, { timeoutMs: 3_000 }));
    expect(grade).toMatchObject({ verdict: { error: { class: "rate-limit" } }, requests: 3 });
  });

  test("by cancellation is cancelled, and what was queued is not asked any more", async () => {
    const controller = new AbortController();
    const server = await serve(({ prompt, turn }) => {
      if (prompt === "#0") return turn === 1 ? { calls: [pass("a")] } : {};
      controller.abort();
      return { connection: "hang" };
    });
    const grades = await gradeJobs(
      numbered(6),
      options(judgeAt(server), { maxConcurrency: 1, cancelled: controller.signal }),
    );
    expect(grades.map(errorClass)).toEqual(["graded", ...Array.from({ length: 5 }, () => "cancelled")]);
    expect(server.asked.map(({ prompt }) => prompt)).toEqual(["#0", "#0", "#1"]);
    expect(grades.slice(2).map(({ requests }) => requests)).toEqual([0, 0, 0, 0]);
  });

  test("is none where the judge was finished, however long its record takes", async () => {
    const cancelled = new AbortController();
    const recording: Judge = {
      grade: async () => {
        cancelled.abort();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return PASSED;
      },
    };
    const [first] = await gradeJobs([job()], options(recording, { cancelled: cancelled.signal }));
    expect(first?.verdict).toMatchObject({ state: "graded", passed: true });
  });

  test("before anything was asked, since the workflow was cancelled, costs nothing", async () => {
    const server = await serve(() => ({}));
    const grades = await gradeJobs(numbered(3), options(judgeAt(server), { cancelled: AbortSignal.abort() }));
    expect(grades.map(errorClass)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(server.asked).toHaveLength(0);
  });

  test.each<[string, () => Promise<never>]>([
    ["an error", () => Promise.reject(new TypeError("x is not a function"))],
    [
      "an error thrown at once",
      () => {
        throw new TypeError("x is not a function");
      },
    ],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the point of the case
    ["a thrown string", () => Promise.reject("x is not a function")],
  ])("by a bug of ours (%s) is internal and asks for a report", async (_name, grade) => {
    const [made] = await gradeJobs([job()], options({ grade }));
    expect(made && errorClass(made)).toBe("internal");
    expect(made?.verdict.state === "errored" && made.verdict.error).toMatchObject({
      message: "x is not a function",
      help: expect.stringMatching(/report/),
    });
  });

  test("by a judge's error keeps class, message, help and what it cost", async () => {
    const judge: Judge = {
      grade: (_request, meter) => {
        meter.requests += 3;
        meter.tokens.input += 50;
        return Promise.reject(new JudgeError("rate-limit", "Too fast.", { help: "Slow down." }));
      },
    };
    const [made] = await gradeJobs([job()], options(judge));
    expect(made).toMatchObject({
      verdict: { state: "errored", error: { class: "rate-limit", message: "Too fast.", help: "Slow down." } },
      requests: 3,
      tokens: { input: 50, output: 0 },
    });
  });

  test("without a run, which no plan makes, is internal too", async () => {
    const { run: _none, ...withoutRun } = job();
    const [made] = await gradeJobs(
      [withoutRun],
      options({ grade: () => Promise.reject(new Error("asked")) }),
    );
    expect(made && errorClass(made)).toBe("internal");
  });

  test("leaves no timer and no listener behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get: (target, key) => {
        if (key === "addEventListener") listeners += 1;
        if (key === "removeEventListener") listeners -= 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const judge: Judge = { grade: () => Promise.resolve(PASSED) };
    await gradeJobs(numbered(5), options(judge, { cancelled: counted }));
    expect(listeners).toBe(0);
  });
});

describe("a settled job", () => {
  const settled: Verdict[] = [
    { state: "graded", checks: [], score: 0, passed: false, note: "The agent's run failed: crash" },
    { state: "errored", error: { class: "no-evidence", message: "nothing to judge" } },
    { state: "skipped", reason: "no run", cause: "missing" },
    { state: "skipped", reason: "no key", cause: "no-key" },
  ];

  test("is never judged, and is listed like every other", async () => {
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")] } : {}));
    const jobs = settled.flatMap((verdict) => [job({ settled: verdict }), job()]);
    const seen: Grade[] = [];
    const grades = await gradeJobs(jobs, options(judgeAt(server), { onGrade: (grade) => seen.push(grade) }));
    expect(grades.filter((_, index) => index % 2 === 0).map(({ verdict }) => verdict)).toEqual(settled);
    expect(grades.filter((_, index) => index % 2 === 1).map(errorClass)).toEqual(
      Array.from({ length: 4 }, () => "graded"),
    );
    expect(grades[0]).toMatchObject({ requests: 0, tokens: { input: 0, output: 0 }, durationMs: 0 });
    expect(server.asked).toHaveLength(8);
    expect(seen).toHaveLength(8);
  });

  test("without a run is not asked about either", async () => {
    const { run: _none, ...withoutRun } = job({ settled: settled[2]! });
    const [grade] = await gradeJobs(
      [withoutRun],
      options({ grade: () => Promise.reject(new Error("asked")) }),
    );
    expect(grade?.verdict).toBe(settled[2]);
  });
});

describe("what the judge may not see", () => {
  const TOKEN = "ghs_0123456789abcdef0123456789abcdef0123";

  test.each<[string, Partial<GradingJob>]>([
    ["the final output", { run: run({ finalOutput: `key ${TOKEN}` }) }],
    ["the run's prompt", { run: run({ prompt: `key ${TOKEN}` }) }],
    ["what the agent was asked", { run: run({ prompt: `key ${TOKEN}` }) }],
    ["a message", { run: run({ steps: [{ kind: "assistant", text: `key ${TOKEN}` }] }) }],
    ["a user message", { run: run({ steps: [{ kind: "user", text: `key ${TOKEN}` }] }) }],
    ["a session error", { run: run({ steps: [{ kind: "error", text: `key ${TOKEN}` }] }) }],
    [
      "a tool's input",
      { run: run({ steps: [{ kind: "tool", name: "bash", input: `{"k":"key ${TOKEN}"}` }] }) },
    ],
    [
      "a tool's result",
      { run: run({ steps: [{ kind: "tool", name: "bash", input: "{}", result: `key ${TOKEN}` }] }) },
    ],
    ["a tool's name", { run: run({ steps: [{ kind: "tool", name: `key ${TOKEN}`, input: "{}" }] }) }],
  ])("is taken out of %s", async (_name, changes) => {
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")] } : {}));
    const [grade] = await gradeJobs([job(changes)], options(judgeAt(server), { redact: redactor([TOKEN]) }));
    expect(grade && errorClass(grade)).toBe("graded");
    expect(JSON.stringify(server.asked.map(({ request }) => request))).not.toContain(TOKEN);
    expect(server.asked[0]?.evidence).toContain("[redacted]");
  });

  test("is taken out of the evidence alone: the job itself stays as it was", async () => {
    const server = await serve(({ turn }) => (turn === 1 ? { calls: [pass("a")] } : {}));
    const original = job({ run: run({ finalOutput: `key ${TOKEN}` }) });
    const [grade] = await gradeJobs([original], options(judgeAt(server), { redact: redactor([TOKEN]) }));
    expect(grade?.job).toBe(original);
    expect(original.run?.finalOutput).toContain(TOKEN);
  });
});

/* `verdict` of a call, and `checks` of finish_grading: what the judge says of its own calls. */

closeServers();

const of = (name: "pass" | "fail", description?: string, verdict?: unknown): Call => ({
  name: `set_waza_grade_${name}`,
  args: { reason: "as seen", description, verdict },
});
const passing = (description?: string, verdict?: unknown) => of("pass", description, verdict);
const failing = (description?: string, verdict?: unknown) => of("fail", description, verdict);
const other = (name: string, args: unknown = {}): Call => ({ name, args });
const inParallel = other("multi_tool_use.parallel", {
  tool_uses: [{ recipient_name: "functions.set_waza_grade_fail", parameters: { reason: "x" } }],
});
const attempt = other("grade_fail", { reason: "x", verdict: "fail" });
const finishing = (checks: unknown): Call => ({ name: "finish_grading", args: { checks } });

/** What a judge with these replies, the last one again and again, comes to: outcomes, marks and requests. */
async function graded(replies: readonly Reply[], changes: Partial<JudgeRequest> = {}): Promise<string> {
  const server = await serve(({ turn }) => replies[Math.min(turn, replies.length) - 1] ?? {});
  const result = await ask(judgeAt(server), changes).then(
    (answer) => {
      const { doubt, incomplete, checks } = answer;
      const marked = checks.filter(({ contradicted }) => contradicted).length;
      return [
        outcomes(answer),
        ...(marked > 0 ? [`${String(marked)} marked`] : []),
        ...(doubt === undefined ? [] : [/\d of the \d|`\w+`/u.exec(doubt)?.[0] ?? "`…`"]),
        ...(incomplete ? [`incomplete, ${incomplete.class}`] : []),
      ].join(", ");
    },
    (error: unknown) => {
      if (error instanceof JudgeError) return `errored, ${error.class}`;
      throw error;
    },
  );
  return `${result}: ${String(server.asked.length)}`;
}

test.each<[string, readonly Reply[], string]>([
  ["absent", [{ calls: [passing("a"), finish] }], "pass: 1"],
  ["the same", [{ calls: [passing("a", "pass"), failing("b", "fail"), finish] }], "pass fail: 1"],
  ["the same in other letters and signs", [{ calls: [passing("a", " **PASS.** "), finish] }], "pass: 1"],
  ...["", null].map((verdict): [string, readonly Reply[], string] => [
    `${JSON.stringify(verdict)}, which says nothing`,
    [{ calls: [passing("a", verdict), failing("b", verdict), finish] }],
    "pass fail: 1",
  ]),
  ...["failed", "no", "Verdict: fail", "❌", 1, false, ["fail"], { fail: true }].map(
    (verdict): [string, readonly Reply[], string] => [
      `${JSON.stringify(verdict)} in a pass, called again as a failure`,
      [{ calls: [passing("a", verdict), failing("b", verdict), finish] }, { calls: [failing("a"), finish] }],
      "fail fail, 1 marked: 2",
    ],
  ),
  ...["passed", "PASS: it holds", true, "yes"].map((verdict): [string, readonly Reply[], string] => [
    `${JSON.stringify(verdict)} in a pass, its own side`,
    [{ calls: [passing("a", verdict), finish] }],
    "pass: 1",
  ]),
  ...[
    "pass/fail",
    "pass or fail",
    "pass (partially; fails on 2)",
    "Pass? No: FAIL",
    "fail: it does not pass",
  ].map((verdict): [string, readonly Reply[], string] => [
    `${JSON.stringify(verdict)} in a pass, which names both sides`,
    [{ calls: [passing("a", verdict), finish] }],
    "errored, invalid-reply: 2",
  ]),
  [
    "both sides in a failure, which counts",
    [{ calls: [failing("a", "fail: it does not pass"), finish] }],
    "fail: 1",
  ],
  ["no side in a pass, called so again", [{ calls: [passing("a", "ok"), finish] }], "pass, 1 marked, `…`: 2"],
  ...[
    { outcome: "failed" },
    { result: "fail: it cannot pass" },
    { passed: false },
    { passed: 0 },
    { failed: 1 },
    { Failed: true },
    { errors: ["no loop"] },
    { summary: { violations: 2 } },
    { missing: "the loop" },
    { arguments: { verdict: "fail" } },
    { name: "set_waza_grade_fail" },
  ].map((more): [string, readonly Reply[], string] => [
    `${JSON.stringify(more)} beside a pass, which says fail however often`,
    [{ calls: [other("set_waza_grade_pass", { reason: "No fault.", ...more }), finish] }],
    "errored, invalid-reply: 2",
  ]),
  ...[
    { evidence: "No error was found." },
    { checked: "Errors of the log" },
    { violations: 0, errors: [], failed: "None.", missing: null, failures: { count: "0" } },
    { confidence: 0, exit_code: 0 },
    { score: 0.5 },
  ].map((more): [string, readonly Reply[], string] => [
    `${JSON.stringify(more)} beside a pass, which does not say fail`,
    [{ calls: [other("set_waza_grade_pass", { description: "a", ...more }), finish] }],
    "pass: 1",
  ]),
  ...[
    '{"reason": "a", "verdict": "fail", "verdict": "pass"}',
    "{'reason': 'It is short', 'verdict': 'fail'}",
    "<reason>It is short</reason><verdict>Fail</verdict>",
    "reason: It is short\nverdict: fail",
  ].map((args): [string, readonly Reply[], string] => [
    `fail in the arguments of a pass that cannot be read, however often: ${args}`,
    [{ calls: [other("set_waza_grade_pass", args), finish] }],
    "errored, invalid-reply: 2",
  ]),
  ...[
    "{'reason': 'It does not fail on an empty file', 'verdict': 'pass'}",
    '{"reason":"in C:\\x, 0 failed"}',
  ].map((args): [string, readonly Reply[], string] => [
    `not fail in the arguments of a pass that cannot be read, called so again: ${args}`,
    [{ calls: [other("set_waza_grade_pass", args), finish] }],
    "pass, 1 marked, `…`: 2",
  ]),
  [
    "in arguments that cannot be read, and then can",
    [{ calls: [other("set_waza_grade_pass", "{'verdict': 'pass'}")] }, { calls: [passing("a"), finish] }],
    "pass: 2",
  ],
  ...[
    "FAIL: it loops",
    "**Fail**: it loops",
    "Failed. It loops",
    "fails - it loops",
    "False",
    "FAIL\nIt loops",
  ].map((reason): [string, readonly Reply[], string] => [
    `absent, its reason ${JSON.stringify(reason)} in a pass, called so again`,
    [{ calls: [other("set_waza_grade_pass", { description: "a", reason }), finish] }],
    "pass, 1 marked, `…`: 2",
  ]),
  ...[
    '"FAIL": it printed that',
    "Failing tests were mended",
    "No: nothing was deleted",
    "Fail-fast holds",
  ].map((reason): [string, readonly Reply[], string] => [
    `absent, its reason ${JSON.stringify(reason)} in a pass`,
    [{ calls: [other("set_waza_grade_pass", { description: "a", reason }), finish] }],
    "pass: 1",
  ]),
  [
    "absent, its reason `PASS: …` in a failure, called again as a pass",
    [
      { calls: [other("set_waza_grade_fail", { description: "a", reason: "PASS: it is short" })] },
      { calls: [passing("a"), finish] },
    ],
    "pass, 1 marked, `…`: 2",
  ],
  ...[
    { verdict: "fail" },
    { passed: false },
    { checks: 1, result: "failed: a" },
    { passed: 1, failed: 1 },
    { failed: true },
    { checks: [{ outcome: "pass" }, { outcome: "fail" }] },
  ].map((more): [string, readonly Reply[], string] => [
    `${JSON.stringify(more)} in the finish after a pass, again and again`,
    [{ calls: [passing("a"), other("finish_grading", more)] }],
    "errored, invalid-reply: 2",
  ]),
  [
    "fail in the finish after a bare pass, again and again",
    [{ calls: [other("set_waza_grade_pass"), other("finish_grading", { failed: 1 })] }],
    "errored, invalid-reply: 2",
  ],
  ...[{ passed: 1, failed: 0 }, { errors: 0 }, { failed: [], verdict: "pass" }].map(
    (more): [string, readonly Reply[], string] => [
      `${JSON.stringify(more)} in the finish after a pass`,
      [{ calls: [passing("a"), other("finish_grading", more)] }],
      "pass: 1",
    ],
  ),
  ...[
    { verdict: "pass" },
    { passed: true },
    { score: 1 },
    { reason: "All hold." },
    { checks: [{ outcome: "pass" }] },
  ].map((more): [string, readonly Reply[], string] => [
    `${JSON.stringify(more)} in a finish alone, again and again, which is no silence`,
    [{ calls: [other("finish_grading", more)] }],
    "errored, invalid-reply: 2",
  ]),
  [
    "pass in a finish alone, and then in a call",
    [{ calls: [other("finish_grading", { verdict: "pass" })] }, { calls: [passing("a"), finish] }],
    "pass: 2",
  ],
  [
    "pass in a finish before its check",
    [{ calls: [other("finish_grading", { verdict: "pass" }), passing("a")] }],
    "pass: 1",
  ],
  ["a number in a finish alone, which is silence", [{ calls: [finishing(2)] }], ": 2"],
  [
    "fail in the finish after a pass, called again as a failure",
    [
      { calls: [passing("a"), other("finish_grading", { verdict: "fail" })] },
      { calls: [failing("b", "fail"), finish] },
    ],
    "pass fail, 1 marked: 2",
  ],
  [
    "fail in the finish after a failure",
    [{ calls: [passing("a"), failing("b"), other("finish_grading", { verdict: "fail" })] }],
    "pass fail: 1",
  ],
  [
    "beside a pass fail under another key, called again as a failure",
    [
      { calls: [other("set_waza_grade_pass", { description: "a", result: "fail" }), finish] },
      { calls: [failing("a"), finish] },
    ],
    "fail, 1 marked: 2",
  ],
  [
    "fail in a pass, its key in capitals",
    [
      { calls: [{ name: "set_waza_grade_pass", args: { description: "a", Verdict: "fail" } }, finish] },
      { calls: [failing("a"), finish] },
    ],
    "fail, 1 marked: 2",
  ],
  [
    "cut off in the arguments of a pass, called so again",
    [{ calls: [{ name: "set_waza_grade_pass", args: '{"description": "a", "verdict": "fa' }, finish] }],
    "pass, 1 marked, `…`: 2",
  ],
  ["always pass in a failure", [{ calls: [failing("a", "pass"), finish] }], "errored, invalid-reply: 2"],
  [
    "pass in a failure, called again as a pass",
    [{ calls: [failing("a", true), finish] }, { calls: [passing("a", true), finish] }],
    "pass, 1 marked, `…`: 2",
  ],
  [
    "fail in a pass, called again as a failure",
    [{ calls: [passing("a", "fail"), finish] }, { calls: [failing("a", "fail"), finish] }],
    "fail, 1 marked: 2",
  ],
  [
    "fail in a pass, called again as a pass",
    [{ calls: [passing("a", "FAIL")] }, { calls: [passing("a", "pass"), finish] }],
    "pass, 1 marked, `…`: 2",
  ],
  [
    "fail in a pass, settled in the same reply",
    [{ calls: [passing("a", "fail"), failing("a", "fail"), finish] }],
    "fail, 1 marked: 1",
  ],
  [
    "fail in a pass beside another pass",
    [{ calls: [passing("a", "fail"), passing("b"), finish] }, { calls: [finish] }],
    "errored, invalid-reply: 2",
  ],
  [
    "fail in a pass, and another pass later",
    [{ calls: [passing("a", "fail")] }, { calls: [passing("b"), finish] }, { calls: [finish] }],
    "errored, invalid-reply: 3",
  ],
  [
    "fail in a pass beside a failure, which stands",
    [{ calls: [passing("a", "fail"), failing("b"), finish] }, { calls: [finish] }],
    "fail, incomplete, invalid-reply: 2",
  ],
  [
    "fail in a pass without description, and a later check",
    [{ calls: [passing(undefined, "fail")] }, { calls: [failing("b"), finish] }],
    "fail, 1 marked: 2",
  ],
  [
    "fail in a pass without description, and a check beside it",
    [{ calls: [passing(undefined, "fail"), passing("b"), finish] }, { calls: [finish] }],
    "errored, invalid-reply: 2",
  ],
  ["always fail in a pass", [{ calls: [passing("a", "fail"), finish] }], "errored, invalid-reply: 2"],
  [
    "always fail in a pass, without a finish",
    [{ calls: [passing("a", "fail")] }],
    "errored, invalid-reply: 2",
  ],
])("a `verdict` that is %s", async (_what, replies, expected) => {
  expect(await graded(replies)).toBe(expected);
});

test.each<[string, readonly Reply[], string]>([
  [
    "stays without a verdict until it is called again",
    [
      {
        calls: [{ name: "set_waza_grade_pass", args: { statement: 1, verdict: "fail" } }, numberedChecks(2)],
      },
      { calls: [numberedChecks(1, "fail")] },
    ],
    "fail pass, 1 marked: 2",
  ],
  [
    "is not settled by another statement",
    [
      {
        calls: [{ name: "set_waza_grade_pass", args: { statement: 1, verdict: "fail" } }, numberedChecks(2)],
      },
      { calls: [numberedChecks(2), finish] },
    ],
    "errored, invalid-reply: 3",
  ],
])("a statement with a contradicted pass %s", async (_what, replies, expected) => {
  expect(await graded(replies, { statements: ["It is short.", "It is right."] })).toBe(expected);
});

function numberedChecks(statement: number, outcome = "pass"): Call {
  return { name: `set_waza_grade_${outcome}`, args: { statement, reason: "as seen" } };
}

test("the judge is asked which of the two it means, with the check's name and the words there are", async () => {
  const server = await serve(({ turn }) => ({
    calls: [passing("short", turn === 1 ? "fail" : "pass"), finish],
  }));
  expect(outcomes(await ask(judgeAt(server)))).toBe("pass");
  const contents = server.asked[1]?.request.messages.slice(-2).map(({ content }) => content);
  const rule =
    'set_waza_grade_pass says that a check holds, with the verdict "pass", set_waza_grade_fail that it does not, with "fail". Call the one you mean, with the same description, and nothing beside it that says otherwise.';
  expect(contents).toEqual([
    `Nothing was recorded: ${rule}`,
    expect.stringContaining(`Not recorded (short): ${rule}`),
  ]);
});

describe("a judge without tools mends in one go", () => {
  const NO_TOOLS = { status: 400, error: { message: "this model does not support tools" } };
  const entry = (entry: object) => ({ text: JSON.stringify({ checks: [{ reason: "It sums.", ...entry }] }) });
  const statements = ["It is short."];

  test.each<[string, object, object, string]>([
    ...["holds", "No issues found", "pass?", "passed 1 of 3", "yes - it deletes files"].map(
      (outcome): [string, object, object, string] => [
        `the outcome ${JSON.stringify(outcome)}`,
        { outcome },
        {},
        'each outcome exactly "pass" or "fail"',
      ],
    ),
    [
      "another verdict beside its outcome",
      { description: "a", outcome: "pass", verdict: "fail" },
      {},
      'Not recorded (a): write the outcome that you mean, "pass" or "fail", with the same description, and nothing beside it that says otherwise.',
    ],
    [
      "a statement by a number that there is not",
      { statement: 7, outcome: "pass" },
      { statements },
      'the statements are numbered 1 to 1; give one of these as "statement"',
    ],
  ])("%s, told the words and numbers there are", async (_what, wrong, changes, words) => {
    const server = await serve(({ request: { tools }, turn }) =>
      tools
        ? NO_TOOLS
        : entry(turn === 1 ? wrong : { ...wrong, statement: 1, outcome: "pass", verdict: undefined }),
    );
    expect(outcomes(await ask(judgeAt(server), changes))).toBe("pass");
    expect(server.asked).toHaveLength(3);
    expect(server.asked[2]?.request.messages.at(-1)?.content).toContain(words);
  });
});

test.each<[string, readonly Reply[], string]>([
  ["as many as reported", [{ calls: [passing("a"), failing("b"), finishing(2)] }], "pass fail: 1"],
  ["fewer than reported", [{ calls: [passing("a"), failing("b"), finishing(1)] }], "pass fail: 1"],
  ["in digits", [{ calls: [passing("a"), finishing("1")] }], "pass: 1"],
  ...[0, -1, 1.5, null, true, "three", [3]].map((checks): [string, readonly Reply[], string] => [
    `${JSON.stringify(checks)}, which says nothing`,
    [{ calls: [passing("a"), finishing(checks)] }],
    "pass: 1",
  ]),
  [
    "more, and then it finishes",
    [{ calls: [passing("a"), finishing(3)] }, { calls: [finish] }],
    "pass, 1 of the 3: 2",
  ],
  [
    "more, and then it reports the rest",
    [{ calls: [passing("a"), finishing(3)] }, { calls: [passing("b"), failing("c"), finish] }],
    "pass pass fail: 2",
  ],
  [
    "more, and then it corrects the number",
    [{ calls: [passing("a"), finishing(3)] }, { calls: [finishing(1)] }],
    "pass, 1 of the 3: 2",
  ],
  [
    "more, which a repeat does not fill",
    [{ calls: [passing("a"), finishing(2)] }],
    "pass pass, 1 of the 2: 2",
  ],
  [
    "1 by habit before each of three checks, which ends nothing",
    [{ calls: [passing("a")] }, { calls: [passing("b")] }, { calls: [failing("c"), finishing(1)] }],
    "pass pass fail: 3",
  ],
])("a finish with `checks` that is %s", async (_what, replies, expected) => {
  expect(await graded(replies)).toBe(expected);
});

test.each<[string, readonly Reply[], string]>([
  [
    "after a pass, which is a doubt",
    [{ calls: [passing("a"), other("report_fail"), finish] }, { calls: [finish] }],
    "pass, `report_fail`: 2",
  ],
  ["within a call", [{ calls: [passing("a"), inParallel, finish] }, { calls: [finish] }], "pass, `…`: 2"],
  [
    "again after the reminder",
    [{ calls: [passing("a"), other("report_fail"), finish] }],
    "errored, invalid-reply: 2",
  ],
  [
    "and then a check when it is answered so",
    [{ calls: [passing("a"), other("report_fail"), finish] }, { calls: [failing("b"), finish] }],
    "pass fail: 2",
  ],
  ...[other("think", { thought: "x" }), other("report_pass", { description: "a" })].map(
    (call): [string, readonly Reply[], string] => [
      `${call.name}, before the checks of a reply`,
      [{ calls: [call, passing("a"), finish] }],
      "pass: 1",
    ],
  ),
  [
    "with a check that is reported in the next reply",
    [
      { calls: [passing("a"), other("report_pass", { description: "b" })] },
      { calls: [passing("b"), finish] },
    ],
    "pass pass: 2",
  ],
  [
    "which says pass, beside the finish",
    [{ calls: [passing("a"), other("finish", { result: "passed" }), finish] }],
    "pass: 1",
  ],
  [
    "which says pass, alone",
    [{ calls: [other("finish", { result: "passed" })] }],
    "errored, invalid-reply: 2",
  ],
  ...[{ reason: "x" }, { verdict: "fail" }, { statement: 1 }, { description: "b" }, inParallel.args].map(
    (args): [string, readonly Reply[], string] => [
      `with ${JSON.stringify(args)}, which says fail, before a pass`,
      [{ calls: [other("grade_fail", args), passing("a"), finish] }, { calls: [finish] }],
      "pass, `grade_fail`: 2",
    ],
  ),
  [
    "which says fail, a think beside it, and then a check when it is asked",
    [
      { calls: [attempt, other("think", { thought: "x" }), passing("a"), finish] },
      { calls: [failing("b"), finish] },
    ],
    "pass fail: 2",
  ],
  [
    "which says fail, before a reply with the pass",
    [{ calls: [attempt] }, { calls: [passing("a"), finish] }],
    "pass: 2",
  ],
  [
    "which says fail, before a new pass each time",
    [{ calls: [attempt, passing("a"), finish] }, { calls: [attempt, passing("b"), finish] }],
    "errored, invalid-reply: 2",
  ],
])("a call of a tool that does not exist, %s", async (_what, replies, expected) => {
  expect(await graded(replies)).toBe(expected);
});

test.each<[string, readonly Reply[], string]>([
  [
    "a call of a tool that does not exist",
    [{ calls: [passing("a"), other("report_fail"), finish] }, { calls: [finish] }],
    "`report_fail`",
  ],
  [
    "a pass that was first called with fail",
    [{ calls: [passing("a", "fail")] }, { calls: [passing("a"), finish] }],
    "about 1 pass",
  ],
])("%s is a doubt on the page, and is confirmed", async (_what, replies, doubt) => {
  const server = await serve(({ turn }) => replies[Math.min(turn, 2) - 1] ?? {});
  const judge = votingJudge(judgeAt(server), { votes: 1, confirmOnFail: 2 });
  const [grade] = await gradeJobs(numbered(1), options(judge));
  expect(grade?.verdict).toMatchObject({ passed: true, doubt: expect.stringContaining(doubt) });
  expect(grade && stateOf(rowOf(grade))).toBe("doubtful");
  expect(server.asked.length).toBeGreaterThan(2);
});

test("the judge is asked once for the rest, with both numbers", async () => {
  const server = await serve(() => ({ calls: [passing("a"), finishing(3)] }));
  await ask(judgeAt(server));
  expect(server.asked[1]?.request.messages.at(-1)?.content).toBe(
    "You reported 1 of the 3 checks that the instructions ask for: report the others, or call finish_grading.",
  );
});

const short: readonly Reply[] = [{ calls: [passing("a"), finishing(2)] }, { calls: [finishing(2)] }];

test.each<[string, readonly (readonly Reply[])[], string, object]>([
  [
    "passes",
    [short, [{ calls: [passing("a"), passing("b"), finish] }]],
    "pass pass pass",
    { passed: 2, failed: 0 },
  ],
  [
    "fails",
    [short, [{ calls: [passing("a"), failing("b"), finish] }]],
    "pass fail pass fail",
    { passed: 1, failed: 2 },
  ],
  ["errs", [short, [{ text: null, finish: "content_filter" }]], "pass", { passed: 1, errored: 2 }],
])(
  "a pass with fewer checks than the judge counted is asked again under confirm-on-fail, which %s",
  async (_what, replies, expected, votes) => {
    let asked = 0;
    let vote: readonly Reply[] = [];
    const server = await serve(({ turn }) => {
      if (turn === 1) vote = replies[Math.min(asked++, replies.length - 1)] ?? [];
      return vote[Math.min(turn, vote.length) - 1] ?? {};
    });
    const answer = await ask(votingJudge(judgeAt(server), { votes: 1, confirmOnFail: 2 }));
    expect(outcomes(answer)).toBe(expected);
    expect(answer.votes).toMatchObject(votes);
  },
);

test("a judge that fills in a number by habit does not end later grades early", async () => {
  let grade = 0;
  const hard: readonly Reply[] = [
    { calls: [passing("a")] },
    { calls: [failing("b")] },
    { calls: [finishing(1)] },
  ];
  const server = await serve(({ turn }) =>
    grade < 3 ? { calls: [passing("a"), finishing(1)] } : (hard[turn - 1] ?? {}),
  );
  const judge = judgeAt(server);
  const results: string[] = [];
  for (; grade < 5; grade += 1) results.push(outcomes(await ask(judge)));
  expect(results).toEqual(["pass", "pass", "pass", "pass fail", "pass fail"]);
});
