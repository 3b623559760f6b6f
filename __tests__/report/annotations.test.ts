import { afterEach, describe, expect, test } from "@jest/globals";
import type { Report } from "../../src/report/report.ts";
import type { Grade, Graded, Verdict } from "../../src/domain/grade.ts";
import type { Problem } from "../../src/domain/problem.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Grader, Suite } from "../../src/domain/suite.ts";
import { decide } from "../../src/decide/gate.ts";
import type { RunContext } from "../../src/github/context.ts";
import { githubApi } from "../../src/github/api.ts";
import { buildAnnotations, type Annotation } from "../../src/report/annotations.ts";
import { checkRunPublisher } from "../../src/report/publishers/github.ts";
import { scoreGrades } from "../../src/results/score.ts";
import { startGitHub, type GitHubOptions, type GitHubServer } from "../support/github-server.ts";
import { rowsOf } from "../support/rows.ts";
import { graderOf, runOf } from "../support/factories.ts";

const at = (changes: Partial<Grader["at"]> = {}) => ({
  path: "evals/eval.yaml",
  startLine: 4,
  endLine: 9,
  inRepository: true,
  ...changes,
});

const grader = (changes: Partial<Grader> = {}): Grader => graderOf({ prompt: "?", at: at(), ...changes });

const run = (changes: Partial<Run> = {}): Run => runOf({ ...changes });

const suite: Suite = {
  title: "suite",
  at: at(),
  graders: [],
  otherGraders: [],
  tasks: "every",
  broken: false,
};

const graded = (changes: Partial<Graded> = {}): Graded => ({
  state: "graded",
  checks: [{ outcome: "pass", description: "d", reason: "r" }],
  score: 1,
  passed: true,
  ...changes,
});

const failed = (changes: Partial<Graded> = {}): Graded =>
  graded({
    checks: [{ outcome: "fail", description: "d", reason: "r" }],
    score: 0,
    passed: false,
    ...changes,
  });

const errored: Verdict = {
  state: "errored",
  error: { class: "rate-limit", message: "Too fast.", help: "Slow down." },
};
const skipped: Verdict = { state: "skipped", reason: "There is no key.", cause: "no-key" };
const missing: Verdict = { state: "skipped", reason: "No run of it.", cause: "missing" };

interface Made {
  readonly verdict: Verdict;
  readonly grader?: Partial<Grader>;
  /** null: a task without results. */
  readonly run?: Partial<Run> | null;
  readonly task?: string;
}

function grade({ verdict, ...made }: Made): Grade {
  const id = made.task ?? "explain";
  const job = { suite, task: { id, name: id }, grader: grader(made.grader), judgeModel: "judge-1" };
  return {
    job: made.run === null ? job : { ...job, run: run(made.run) },
    verdict,
    requests: 1,
    tokens: { input: 1, output: 1, cached: 0 },
    durationMs: 1,
  };
}

/** What every report has and these tests do not look at. */
const TIMES = { time: { started: 1_000, finished: 3_500 }, triggers: [], redactions: 0 };

function report(
  made: readonly Made[],
  problems: readonly Problem[] = [],
  models: readonly string[] = ["agent-1"],
): Report {
  const scores = scoreGrades([suite], rowsOf(made.map(grade)));
  const policy = { failOn: "fail", onError: "fail", onMissing: "fail" } as const;
  const results = models.map((model) => ({ path: `${model}.json`, model, runs: [] }));
  return { conclusion: decide({ scores, problems, policy }), scores, problems, results, policy, ...TIMES };
}

test("a failed statement is annotated on its own line, with why the judge was interrupted", () => {
  const at = (line: number) => ({ path: "evals.json", startLine: line, endLine: line, inRepository: true });
  const statements = [4, 5, 6].map((line) => ({ text: `Statement ${String(line)}`, at: at(line) }));
  const check = (statement: number, outcome: "pass" | "fail") => ({ outcome, statement, reason: "seen" });
  const checks = [check(1, "pass"), check(2, "fail"), check(3, "fail")];
  const verdict = failed({ checks, incomplete: { class: "server", message: "x" } });
  const made = buildAnnotations(report([{ verdict, grader: { statements } }]));
  expect(made[0]?.message).toBe("✗ fail: seen\nIncomplete, there may be more checks: x");
  expect(made.map((one) => [one.at?.startLine, one.level])).toEqual([
    [5, "failure"],
    [6, "failure"],
  ]);
});

const only = (made: Made): Annotation => {
  const [annotation, ...more] = buildAnnotations(report([made]));
  expect(more).toEqual([]);
  return annotation!;
};

const problem = (changes: Partial<Problem> = {}): Problem => ({
  level: "error",
  code: "odd",
  message: "No `tasks`.",
  ...changes,
});

const bytes = (text: string) => Buffer.byteLength(text, "utf8");

describe("the level of an annotation", () => {
  test.each<[string, Verdict, Annotation["level"]]>([
    ["a failed grade is a failure", failed(), "failure"],
    ["a passed grade is a notice", graded(), "notice"],
    ["an errored grade is a warning, never a failure", errored, "warning"],
    ["a skipped grade is a warning", skipped, "warning"],
    [
      "a passed grade that is incomplete is a warning",
      graded({ incomplete: { class: "server", message: "x" } }),
      "warning",
    ],
    [
      "a failed grade that is incomplete is a failure",
      failed({ incomplete: { class: "server", message: "x" } }),
      "failure",
    ],
    [
      "a grade without a call is a failure",
      failed({ checks: [], note: "The judge made no grading call." }),
      "failure",
    ],
  ])("%s", (_name, verdict, level) => {
    expect(only({ verdict }).level).toBe(level);
  });

  test.each([
    ["error", "failure"],
    ["warning", "warning"],
    ["notice", "notice"],
  ] as const)("of a problem of the level %s is %s", (level, expected) => {
    const [annotation] = buildAnnotations(report([], [problem({ level, at: at(), help: "Add some." })]));
    expect(annotation).toMatchObject({ level: expected, message: "No `tasks`.\nAdd some." });
    expect(annotation?.at).toMatchObject({ path: "evals/eval.yaml", startLine: 4 });
  });
});

describe("missing runs", () => {
  const made: Made[] = [
    { verdict: graded() },
    ...["a", "b"].flatMap((grader) => [
      { verdict: missing, grader: { name: grader }, run: null, task: "csv-export" },
      { verdict: missing, grader: { name: grader }, run: null, task: "csv-import" },
    ]),
  ];

  test.each([
    ["fail", "failure"],
    ["warn", "warning"],
  ] as const)("under on-missing: %s are one %s at their eval, with any grades", (onMissing, level) => {
    const of = report(made);
    const annotations = buildAnnotations({ ...of, policy: { ...of.policy, onMissing } });
    expect(annotations.map(({ title }) => title)).toEqual(["Missing runs", "concise · explain"]);
    expect(annotations[0]).toMatchObject({ level, at: { path: "evals/eval.yaml", startLine: 4 } });
    expect(annotations[0]?.message).toBe(
      "`suite`: 2 of 3 planned runs are missing: no run of `csv-export`, no run of `csv-import`.\nCheck the step that runs the agent, and that `results` is the path it writes to: every task has to run, as many times as planned. To grade only some, name them in `tasks` or `eval`. More: https://github.com/org/waza-grade/blob/main/docs/troubleshooting.md#missing-runs",
    );
  });
});

test("an agent that never got to work is one failure with its errors, before its grades", () => {
  const dead = (task: string, errorMessage: string): Made => ({
    verdict: failed({ checks: [], note: "The agent never got to work." }),
    run: { agent: "failed", errorMessage, taskId: task },
    task,
  });
  const annotations = buildAnnotations(
    report([dead("a", "not signed in"), dead("b", "not signed in"), dead("c", "")]),
  );
  expect(annotations.map(({ title }) => title)).toEqual([
    "The agent never got to work",
    ...["a", "b", "c"].map((task) => `concise · ${task}`),
  ]);
  expect(annotations[0]).toMatchObject({ level: "failure" });
  expect(annotations[0]?.message).toMatch(
    /^The agent never got to work in 3 of 3 runs: not signed in \(2 runs\); without an error message \(1 run\)\.\nCheck the step that runs the agent/,
  );
});

describe("grades without a verdict", () => {
  const made = Array.from({ length: 12 }, (_, index) => ({ verdict: errored, task: `t${String(index)}` }));

  test("are one annotation for one cause, with the remedy, at the first of them", () => {
    const annotations = buildAnnotations(report([{ verdict: failed() }, ...made]));
    expect(annotations.map(({ title }) => title)).toEqual([
      "concise · explain",
      "12 grades errored (rate-limit)",
    ]);
    const names = Array.from({ length: 10 }, (_, index) => `concise · t${String(index)}`).join(", ");
    expect(annotations[1]).toMatchObject({ level: "warning", at: { startLine: 4 } });
    expect(annotations[1]?.message).toBe(
      `Errored, not graded (rate-limit): Too fast. Slow down.\nThe grades: ${names} and 2 more`,
    );
  });

  test("are one for the error and what was not asked after it, and another for another cause", () => {
    const error = (message: string, notSent?: true): Verdict => ({
      state: "errored",
      error: { class: "credentials", message, notSent },
    });
    const of = [error("Refused."), error("Refused.", true), error("Else."), skipped, skipped];
    const annotations = buildAnnotations(
      report(of.map((verdict, index) => ({ verdict, task: `t${String(index)}` }))),
    );
    expect(annotations.map(({ title }) => title)).toEqual([
      "2 grades errored (credentials)",
      "concise · t2",
      "2 grades skipped",
    ]);
  });
});

test("of grades with one cause in several files each file is named beside its grade, and of one in the message", () => {
  const error = (file: string): Verdict => ({
    state: "errored",
    error: { class: "no-evidence", message: "The run holds nothing.", file },
  });
  const messages = (...files: readonly string[]) =>
    buildAnnotations(report(files.map((file) => ({ verdict: error(file), task: file.slice(0, 1) })))).map(
      ({ message }) => message,
    );
  expect(messages("a.md", "b.md")).toEqual([
    "Errored, not graded (no-evidence): The run holds nothing.\nThe grades: concise · a (a.md), concise · b (b.md)",
  ]);
  expect(messages("a.md")).toEqual(["Errored, not graded (no-evidence): a.md: The run holds nothing."]);
});

describe("the order of annotations", () => {
  test("is worst first; grades that failed, errored or are missing come before warnings and notices", () => {
    const made: Made[] = [
      { verdict: graded(), grader: { name: "n1" } },
      { verdict: graded({ doubt: "Odd." }), grader: { name: "d1" } },
      { verdict: failed(), grader: { name: "f1" } },
      { verdict: errored, grader: { name: "w1" } },
      { verdict: graded(), grader: { name: "n2" } },
      { verdict: skipped, grader: { name: "w2" } },
      { verdict: failed(), grader: { name: "f2" }, task: "other" },
    ];
    const problems = [
      problem({ level: "notice", message: "pn" }),
      problem({ level: "warning", message: "pw" }),
      problem({ message: "pf" }),
    ];
    const names = buildAnnotations(report(made, problems)).map(({ title, message }) =>
      /^p[nwf]$/.test(message) ? message : title.split(" ")[0],
    );
    expect(names).toEqual(["pf", "f1", "f2", "w1", "w2", "pw", "d1", "pn", "n1", "n2"]);
  });

  test("is kept among many of one level", () => {
    const made = Array.from({ length: 120 }, (_, index) => ({
      verdict: failed(),
      grader: { name: `g${String(index)}` },
    }));
    expect(buildAnnotations(report(made)).map(({ title }) => title.split(" ")[0])).toEqual(
      made.map(({ grader: { name } }) => name),
    );
  });
});

describe("the message of an annotation", () => {
  test("lists every check, failures first, each with description and reason", () => {
    const { message } = only({
      verdict: failed({
        checks: [
          { outcome: "pass", description: "one", reason: "because 1" },
          { outcome: "fail", description: "two", reason: "because 2" },
          { outcome: "pass", reason: "because 3" },
          { outcome: "fail", description: "four" },
          { outcome: "fail" },
        ],
        score: 0.4,
      }),
    });
    const lines = message.split("\n");
    expect(lines[0]).toMatch(/^Failed.*0\.40.*2 of 5 checks passed/);
    expect(lines).toHaveLength(6);
    expect(lines.slice(1, 4).every((line) => line.includes("fail"))).toBe(true);
    for (const part of ["one: because 1", "two: because 2", "because 3", "four"])
      expect(message).toContain(part);
    expect(lines[3]).toMatch(/no detail/);
  });

  const thousand = [
    ...Array.from({ length: 999 }, () => ({ outcome: "pass" as const })),
    { outcome: "fail" as const },
  ];

  test.each<[string, Verdict, string | RegExp]>([
    [
      "why a grade errored, and what to do",
      errored,
      "Errored, not graded (rate-limit): Too fast. Slow down.",
    ],
    ["why it was skipped", skipped, "Skipped: There is no key."],
    [
      "that a judge made no call, with what it said instead, and never that all passed",
      failed({ checks: [], note: "The judge made no grading call.", response: "All prompts passed" }),
      "Failed, score 0.00: The judge made no grading call.\nIt said: All prompts passed",
    ],
    [
      "that a grade passed of which no check is known",
      graded({ checks: [], recorded: true, note: "Half of it holds.", score: 0.5 }),
      "Passed, score 0.50: Half of it holds.",
    ],
    [
      "why it is incomplete",
      graded({ incomplete: { class: "cut-off", message: "Cut off.", help: "Split it." } }),
      /Incomplete.*Cut off\. Split it\./,
    ],
    ["less than full marks as less than 1", failed({ checks: thousand, score: 0.999 }), /score 0\.99:/],
  ])("says %s", (_, verdict, words) => {
    const { message } = only({ verdict });
    if (typeof words === "string") expect(message).toBe(words);
    else expect(message).toMatch(words);
  });

  test("never is empty", () => {
    for (const verdict of [graded({ checks: [] }), failed({ checks: [] }), errored, skipped])
      expect(only({ verdict }).message).not.toBe("");
  });
});

describe("the title and the details of an annotation", () => {
  test("name grader and task, and the run and the model where there are several", () => {
    const made: Made[] = [1, 2].flatMap((number) =>
      ["agent-1", "agent-2"].map((model, task) => ({
        verdict: failed(),
        run: { number, model, origin: { file: 0, task, run: number } },
      })),
    );
    expect(only({ verdict: failed() }).title).toBe("concise · explain");
    expect(buildAnnotations(report(made.slice(0, 2))).map(({ title }) => title)).toEqual([
      "concise · explain · agent-1",
      "concise · explain · agent-2",
    ]);
    expect(buildAnnotations(report(made))[1]?.title).toBe("concise · explain · run 2 of 2 · agent-1");
  });

  test("hold the agent's final output, cut with its size", () => {
    expect(only({ verdict: failed() }).details).toContain("The answer.");
    const long = only({ verdict: failed(), run: { finalOutput: "😀".repeat(5_000) } });
    expect(long.details).toContain("10,000 characters");
    expect(long.details?.length).toBeLessThan(2_200);
    expect(only({ verdict: failed(), run: { finalOutput: " \n" } }).details).toBeUndefined();
  });
});

describe("the limits of an annotation", () => {
  test.each(["x", "😀", "é漢😀\n", "\u0000", "\uD83D"])("hold for endless text of %j", (unit) => {
    const endless = unit.repeat(70_000);
    const all = buildAnnotations(
      report(
        [
          {
            verdict: failed({ checks: [{ outcome: "fail", description: endless, reason: endless }] }),
            grader: { name: endless },
            task: endless,
          },
          { verdict: { state: "errored", error: { class: "server", message: endless, help: endless } } },
          { verdict: { state: "skipped", reason: endless, cause: "no-key" } },
          { verdict: failed({ note: endless, response: endless }), run: { finalOutput: endless } },
        ],
        [problem({ message: endless, help: endless })],
      ),
    );
    expect(all).toHaveLength(5);
    for (const { title, message, details = "" } of all) {
      expect(title.length).toBeLessThanOrEqual(255);
      expect(title).not.toMatch(/\n/);
      expect(bytes(message)).toBeLessThanOrEqual(65_535);
      expect(bytes(details)).toBeLessThanOrEqual(65_535);
      for (const text of [title, message, details]) expect(text.isWellFormed()).toBe(true);
    }
  });

  test.each(["", "x", "xy", "xyz"])(
    "say that a message was cut, and where the rest is, with whole characters (%j)",
    (shift) => {
      const checks = Array.from({ length: 400 }, (_, index) => ({
        outcome: "fail" as const,
        description: `check ${String(index)}${index === 0 ? shift : ""}`,
        reason: "🦉".repeat(100),
      }));
      const { message } = only({ verdict: failed({ checks }) });
      expect(message).toContain("check 0");
      expect(message).toMatch(/… \(cut\)$/);
      expect(message).not.toContain("\uFFFD");
      expect(bytes(message)).toBeGreaterThan(3_900);
      expect(bytes(message)).toBeLessThanOrEqual(4_000);
    },
  );

  test("leave no terminal codes, carriage returns or reordering marks in any of it", () => {
    const nasty = "\u001b[31mred\u001b[0m\r\nx\ry \u0000 \u202Ez";
    const annotation = only({
      verdict: failed({ checks: [{ outcome: "fail", description: nasty, reason: nasty }] }),
      grader: { name: nasty },
      run: { finalOutput: nasty },
    });
    for (const text of [annotation.title, annotation.message, annotation.details ?? ""])
      // eslint-disable-next-line no-control-regex -- their absence is what is tested
      expect(text).not.toMatch(/[\u001b\r\u0000\u202E]/);
  });
});

describe("the check run", () => {
  const servers: GitHubServer[] = [];

  afterEach(async () => {
    const open = servers.splice(0);
    await Promise.all(open.map(({ close }) => close()));
    expect(open.flatMap(({ refused }) => refused)).toEqual([]);
  });

  const contextAt = (apiUrl: string, more: Partial<RunContext>): RunContext => ({
    repository: { owner: "octo", repo: "agents" },
    serverUrl: "https://github.com",
    apiUrl,
    docs: "",
    job: { workflow: "Evals", job: "grade" },
    attempt: { run: 1, attempt: 1 },
    ...more,
  });
  const checksOf = (context: RunContext, grace = 60_000) =>
    // Nothing is tried again: what is retried is proved in github-api.test.ts.
    githubApi(context, { token: "ghs_token", cancelled: AbortSignal.abort(), limits: { grace } }).checkRuns;

  async function publish(
    of: Report,
    options: GitHubOptions & { readonly maxAnnotations?: number; readonly grace?: number } = {},
  ) {
    const server = await startGitHub(options);
    servers.push(server);
    const context = contextAt(server.url, { sha: "a".repeat(40) });
    const warnings: string[] = [];
    const publisher = checkRunPublisher({
      api: checksOf(context, options.grace),
      use: { name: "waza-grade", key: "k" },
      attempt: { run: 1, attempt: 1 },
      maxAnnotations: options.maxAnnotations ?? 1_000,
      warn: (message) => warnings.push(message),
    });
    return { server, warnings, published: publisher.publish(of, {}) };
  }

  const failures = (count: number) =>
    report(
      Array.from({ length: count }, (_, index) => ({
        verdict: failed(),
        grader: { name: `g${String(index)}` },
      })),
    );

  test.each<[number, number[]]>([
    [0, [0]],
    [1, [1]],
    [49, [49]],
    [50, [50]],
    [51, [50, 1]],
    [100, [50, 50]],
    [120, [50, 50, 20]],
  ])("takes %d annotations in batches of %j, each once and in order", async (count, batches) => {
    const { server, warnings, published } = await publish(failures(count));
    expect(await published).toEqual({ checkRunUrl: "https://github.com/octo/agents/runs/1" });
    expect(server.checkRuns).toHaveLength(1);
    const [made] = server.checkRuns;
    expect(made?.batches).toEqual(batches);
    expect(made?.annotations.map(({ title }) => title?.split(" ")[0])).toEqual(
      Array.from({ length: count }, (_, index) => `g${String(index)}`),
    );
    expect(warnings).toEqual([]);
  });

  test("is completed with the conclusion of the gate, its title and the summary without one", async () => {
    const { server, published } = await publish(failures(1));
    await published;
    expect(server.checkRuns[0]).toMatchObject({
      name: "waza-grade",
      head_sha: "a".repeat(40),
      status: "completed",
      conclusion: "failure",
      output: {
        title: expect.stringMatching(/^suite: 1 of 1 task fails$/),
        summary: expect.stringMatching(/^🟥 Score 0\.00 /),
      },
    });
  });

  test("has no annotations when they are off", async () => {
    const { server, published } = await publish(failures(120), { maxAnnotations: 0 });
    await published;
    expect(server.checkRuns[0]?.batches).toEqual([0]);
  });

  test("keeps what it has when an update fails, and says how many are missing", async () => {
    const { server, warnings, published } = await publish(failures(170), { patchStatus: 500 });
    expect(await published).toHaveProperty("checkRunUrl");
    expect(server.checkRuns[0]?.annotations).toHaveLength(50);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^120 of 170 annotations could not be added .*Server Error/);
  });

  test("keeps what it has when the time is over, and says how many are missing", async () => {
    const given = { always: { PATCH: "hang" }, grace: 1_000 } as const;
    const { warnings, published } = await publish(failures(60), given);
    expect(await published).toHaveProperty("checkRunUrl");
    expect(warnings).toEqual([
      expect.stringMatching(/^10 of 60 annotations could not be added .*no time left/),
    ]);
  });

  test.each([403, 500])(
    "that cannot be created (%d) throws, so that another publisher can take over",
    async (status) => {
      const { server, warnings, published } = await publish(failures(3), { status });
      await expect(published).rejects.toMatchObject({ status });
      expect(server.checkRuns).toEqual([]);
      expect(warnings).toEqual([]);
    },
  );

  test("gives columns for one line only, and a path inside the repository for everything", async () => {
    const problems = [
      problem({ at: at({ startLine: 7, endLine: 7, startColumn: 3 }) }),
      problem({ at: at({ startLine: 7, endLine: 9, startColumn: 3 }) }),
      problem({ at: at({ path: "/tmp/results.json", startLine: 57, endLine: 57, inRepository: false }) }),
      problem(),
    ];
    const { server, published } = await publish(report([], problems));
    await published;
    const all = server.checkRuns[0]?.annotations ?? [];
    const [one, , outside, nowhere] = all;
    expect(one).toMatchObject({ path: "evals/eval.yaml", start_line: 7, end_line: 7, start_column: 3 });
    expect(all).toHaveLength(4);
    for (const { start_line, end_line, start_column } of all)
      if (start_line !== end_line) expect(start_column).toBeUndefined();
    expect(outside?.path).not.toContain("/tmp");
    expect(nowhere?.path).toBe(outside?.path);
  });

  test("is taken by GitHub however long and odd its texts are", async () => {
    const endless = "漢😀\u0000\uD83D\n".repeat(30_000);
    const of = report(
      [
        {
          verdict: failed({ checks: [{ outcome: "fail", description: endless, reason: endless }] }),
          grader: { name: endless },
          run: { finalOutput: endless },
        },
        { verdict: { state: "errored", error: { class: "server", message: endless } } },
      ],
      [problem({ message: endless })],
    );
    const { server, published } = await publish(of);
    await published;
    expect(server.checkRuns[0]?.annotations).toHaveLength(3);
    expect(server.checkRuns[0]?.output?.title.length).toBeLessThanOrEqual(255);
  });

  test("looks the head of a pull request up when the event does not carry it", async () => {
    const server = await startGitHub({ pulls: { 7: { sha: "b".repeat(40) } } });
    servers.push(server);
    const context = contextAt(server.url, { pull: { number: 7 } });
    await checkRunPublisher({
      api: checksOf(context),
      use: { name: "n", key: "k" },
      attempt: { run: 1, attempt: 1 },
      maxAnnotations: 50,
      warn: () => undefined,
    }).publish(failures(1), {});
    expect(server.checkRuns[0]?.head_sha).toBe("b".repeat(40));
  });
});
