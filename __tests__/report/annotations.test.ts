import { afterEach, describe, expect, test } from "@jest/globals";
import type { Verdict } from "../../src/domain/grade.ts";
import type { Problem } from "../../src/domain/problem.ts";
import type { RunContext } from "../../src/github/context.ts";
import { githubApi } from "../../src/github/api.ts";
import { buildAnnotations, type Annotation } from "../../src/report/annotations.ts";
import { checkRunPublisher } from "../../src/report/publishers/github.ts";
import type { Report } from "../../src/report/report.ts";
import { GRADER_SPAN, problemOf, times } from "../support/factories.ts";
import { startGitHub, type GitHubOptions, type GitHubServer } from "../support/github-server.ts";
import {
  MISSING,
  NO_KEY,
  check,
  erroredOf,
  fail,
  pass,
  reportOf,
  verdictOf,
  type Made,
} from "../support/grades.ts";
import { runContext } from "../support/run-context.ts";

const GREEN = verdictOf([pass("d", "r")]);
const RED = verdictOf([fail("d", "r")]);
const ERRORED = erroredOf({ class: "rate-limit", message: "Too fast.", help: "Slow down." });

const annotationsOf = (made: readonly Made[], problems: readonly Problem[] = []) =>
  buildAnnotations(reportOf(made, { problems }));

const titlesOf = (made: readonly Made[]) => annotationsOf(made).map(({ title }) => title);

const only = (made: Made): Annotation => {
  const [annotation, ...more] = annotationsOf([made]);
  expect(more).toEqual([]);
  return annotation!;
};

/** The verdict on a task of its own for each of these. */
const tasksWith = (verdicts: readonly Verdict[]): Made[] =>
  verdicts.map((verdict, index) => ({ verdict, task: `t${String(index)}` }));

const bytes = (text: string) => Buffer.byteLength(text, "utf8");

test("a failed statement is annotated on its own line, with why the judge was interrupted", () => {
  const at = (line: number) => ({ path: "evals.json", startLine: line, endLine: line, inRepository: true });
  const statements = [4, 5, 6].map((line) => ({ text: `Statement ${String(line)}`, at: at(line) }));
  const checks = (["pass", "fail", "fail"] as const).map((outcome, index) => ({
    ...check(outcome, undefined, "seen"),
    statement: index + 1,
  }));
  const verdict = verdictOf(checks, { incomplete: { class: "server", message: "x" } });
  const made = annotationsOf([{ verdict, grader: { statements } }]);
  expect(made[0]?.message).toBe("✗ fail: seen\nIncomplete, there may be more checks: server: x");
  expect(made.map((one) => [one.at?.startLine, one.level])).toEqual([
    [5, "failure"],
    [6, "failure"],
  ]);
});

describe("the level of an annotation", () => {
  const incomplete = { class: "server", message: "x" } as const;
  test.each<[string, Verdict, Annotation["level"]]>([
    ["a failed grade is a failure", RED, "failure"],
    ["a passed grade is a notice", GREEN, "notice"],
    ["an errored grade is a warning, never a failure", ERRORED, "warning"],
    ["a skipped grade is a warning", NO_KEY, "warning"],
    ["a passed grade with a doubt is a warning", { ...GREEN, doubt: "It saw half." }, "warning"],
    ["a failed grade that is incomplete is a failure", { ...RED, incomplete }, "failure"],
    ["a grade without a call is a failure", verdictOf([], { note: "No call." }), "failure"],
  ])("%s", (_name, verdict, level) => {
    expect(only({ verdict }).level).toBe(level);
  });

  test.each([
    ["error", "failure"],
    ["warning", "warning"],
    ["notice", "notice"],
  ] as const)("of a problem of the level %s is %s", (level, expected) => {
    const [annotation] = annotationsOf(
      [],
      [problemOf(level, "No `tasks`.", { at: GRADER_SPAN, help: "Add some." })],
    );
    expect(annotation).toMatchObject({
      level: expected,
      message: "No `tasks`.\nAdd some.",
      at: { path: "evals/eval.yaml", startLine: 4 },
    });
  });
});

test.each([
  ["fail", "failure"],
  ["warn", "warning"],
] as const)(
  "missing runs under on-missing: %s are one %s at their eval, with any grades",
  (onMissing, level) => {
    const made = ["a", "b"].flatMap((name) =>
      ["csv-export", "csv-import"].map((task) => ({ verdict: MISSING, grader: { name }, run: null, task })),
    );
    const annotations = buildAnnotations(reportOf([{ verdict: GREEN }, ...made], { policy: { onMissing } }));
    expect(annotations.map(({ title }) => title)).toEqual(["Missing runs", "concise · explain"]);
    expect(annotations[0]).toMatchObject({ level, at: { path: "evals/eval.yaml", startLine: 4 } });
    expect(annotations[0]?.message).toBe(
      "`suite`: 2 of 3 planned runs are missing: no run of `csv-export`, no run of `csv-import`.\nCheck the step that runs the agent, and that `results` is the path it writes to: every task has to run, as many times as planned. To grade only some, name them in `tasks` or `eval`. More: https://github.com/org/waza-grade/blob/main/docs/troubleshooting.md#runs-are-missing",
    );
  },
);

test("an agent that never got to work is one failure with its errors, before its grades", () => {
  const verdict = verdictOf([], { note: "The agent never got to work." });
  const annotations = annotationsOf(
    ["not signed in", "not signed in", ""].map((errorMessage, index) => ({
      verdict,
      run: { agent: "failed", errorMessage },
      task: "abc"[index]!,
    })),
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
  test("are one annotation for one cause, with the remedy, at the first of them", () => {
    const annotations = annotationsOf([{ verdict: RED }, ...tasksWith(times(12, () => ERRORED))]);
    expect(annotations.map(({ title }) => title)).toEqual([
      "concise · explain",
      "12 grades errored (rate-limit)",
    ]);
    const names = times(10, (index) => `concise · t${String(index)}`).join(", ");
    expect(annotations[1]).toMatchObject({ level: "warning", at: { startLine: 4 } });
    expect(annotations[1]?.message).toBe(
      `Errored, not graded: rate-limit: Too fast. Slow down.\nThe grades: ${names} and 2 more`,
    );
  });

  test("are one for the error and what was not asked after it, and another for another cause", () => {
    const stopped = erroredOf({ notSent: true });
    const verdicts = [erroredOf(), stopped, erroredOf({ message: "Else." }), NO_KEY, NO_KEY];
    expect(titlesOf(tasksWith(verdicts))).toEqual([
      "2 grades errored (server)",
      "concise · t2",
      "2 grades skipped",
    ]);
  });

  test("with one cause in several files name each file beside its grade, and a single one in the message", () => {
    const messages = (...files: readonly string[]) =>
      annotationsOf(tasksWith(files.map((file) => erroredOf({ file })))).map(({ message }) => message);
    expect(messages("a.md", "b.md")).toEqual([
      "Errored, not graded: server: Down.\nThe grades: concise · t0 (a.md), concise · t1 (b.md)",
    ]);
    expect(messages("a.md")).toEqual(["Errored, not graded: server: `a.md`: Down."]);
  });
});

describe("the order of annotations", () => {
  test("is worst first; grades that failed, errored or are missing come before warnings and notices", () => {
    const made: Made[] = [
      { verdict: GREEN, grader: { name: "n1" } },
      { verdict: { ...GREEN, doubt: "Odd." }, grader: { name: "d1" } },
      { verdict: RED, grader: { name: "f1" } },
      { verdict: ERRORED, grader: { name: "w1" } },
      { verdict: GREEN, grader: { name: "n2" } },
      { verdict: NO_KEY, grader: { name: "w2" } },
      { verdict: RED, grader: { name: "f2" }, task: "other" },
    ];
    const problems = [problemOf("notice", "pn"), problemOf("warning", "pw"), problemOf("error", "pf")];
    const names = annotationsOf(made, problems).map(({ title, message }) =>
      /^p[nwf]$/.test(message) ? message : title.split(" ")[0],
    );
    expect(names).toEqual(["pf", "f1", "f2", "w1", "w2", "pw", "d1", "pn", "n1", "n2"]);
  });

  test("is kept among many of one level", () => {
    const names = times(120, (index) => `g${String(index)}`);
    expect(titlesOf(names.map((name) => ({ verdict: RED, grader: { name } })))).toEqual(
      names.map((name) => `${name} · explain`),
    );
  });
});

describe("the message of an annotation", () => {
  test("lists every check, failures first, each with description and reason", () => {
    const { message } = only({
      verdict: verdictOf([
        pass("one", "because 1"),
        fail("two", "because 2"),
        pass(undefined, "because 3"),
        fail("four"),
        fail(),
      ]),
    });
    const lines = message.split("\n");
    expect(lines[0]).toMatch(/^Failed.*0\.40.*2 of 5 checks passed/);
    expect(lines).toHaveLength(6);
    expect(lines.slice(1, 4).every((line) => line.includes("fail"))).toBe(true);
    for (const part of ["one: because 1", "two: because 2", "because 3", "four"])
      expect(message).toContain(part);
    expect(lines[3]).toMatch(/no detail/);
  });

  const cutOff = { class: "cut-off", message: "Cut off.", help: "Split it." } as const;
  const thousand = [...times(999, () => pass()), fail()];
  test.each<[string, Verdict, string | RegExp]>([
    ["why a grade errored, and what to do", ERRORED, "Errored, not graded: rate-limit: Too fast. Slow down."],
    ["why it was skipped", NO_KEY, "Skipped: There is no key."],
    [
      "that a judge made no call, with what it said instead, and never that all passed",
      verdictOf([], { note: "The judge made no grading call.", response: "All prompts passed" }),
      "Failed, score 0.00: The judge made no grading call.\nIt said: All prompts passed",
    ],
    [
      "that a grade passed of which no check is known",
      { ...GREEN, checks: [], recorded: true, note: "Half of it holds.", score: 0.5 },
      "Passed, score 0.50: Half of it holds.",
    ],
    ["why it is incomplete", { ...RED, incomplete: cutOff }, /Incomplete.*Cut off\. Split it\./],
    ["less than full marks as less than 1", verdictOf(thousand), /score 0\.99:/],
    ["something without a check, too", { ...GREEN, checks: [] }, /./],
    ["something of a failed grade without a check, too", { ...RED, checks: [] }, /./],
  ])("says %s", (_, verdict, words) => {
    const { message } = only({ verdict });
    if (typeof words === "string") expect(message).toBe(words);
    else expect(message).toMatch(words);
  });
});

describe("the title and the details of an annotation", () => {
  test("name grader and task, and the run and the model where there are several", () => {
    const made = [1, 2].flatMap((number) =>
      ["agent-1", "agent-2"].map((model, task) => ({
        verdict: RED,
        run: { number, model, origin: { file: 0, task, run: number } },
      })),
    );
    expect(only({ verdict: RED }).title).toBe("concise · explain");
    expect(titlesOf(made.slice(0, 2))).toEqual([
      "concise · explain · agent-1",
      "concise · explain · agent-2",
    ]);
    expect(titlesOf(made)[1]).toBe("concise · explain · run 2 of 2 · agent-1");
  });

  test("hold the agent's final output, cut with its size", () => {
    const details = (finalOutput: string) => only({ verdict: RED, run: { finalOutput } }).details;
    expect(details("The answer.")).toContain("The answer.");
    expect(details("😀".repeat(5_000))).toContain("10,000 characters");
    expect(details("😀".repeat(5_000))?.length).toBeLessThan(2_200);
    expect(details(" \n")).toBeUndefined();
  });
});

/** Annotations of a report with the text wherever an agent, a judge or a file writes. */
const endless = (text: string): [made: Made[], problems: Problem[]] => [
  [
    {
      verdict: verdictOf([fail(text, text)]),
      grader: { name: text },
      task: text,
      run: { finalOutput: text },
    },
    { verdict: erroredOf({ message: text, help: text }) },
    { verdict: { ...NO_KEY, reason: text } },
    { verdict: verdictOf([], { note: text, response: text }), run: { finalOutput: text } },
  ],
  [problemOf("error", text, { help: text })],
];

describe("the limits of an annotation", () => {
  test.each(["x", "😀", "é漢😀\n", "\u0000", "\uD83D"])("hold for endless text of %j", (unit) => {
    const all = annotationsOf(...endless(unit.repeat(70_000)));
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
      const checks = times(400, (index) =>
        fail(`check ${String(index)}${index === 0 ? shift : ""}`, "🦉".repeat(100)),
      );
      const { message } = only({ verdict: verdictOf(checks) });
      expect(message).toContain("check 0");
      expect(message).toMatch(/… \(cut\)$/);
      expect(message).not.toContain("\uFFFD");
      expect(bytes(message)).toBeGreaterThan(3_900);
      expect(bytes(message)).toBeLessThanOrEqual(4_000);
    },
  );
});

describe("the check run", () => {
  const servers: GitHubServer[] = [];

  afterEach(async () => {
    const open = servers.splice(0);
    await Promise.all(open.map(({ close }) => close()));
    expect(open.flatMap(({ refused }) => refused)).toEqual([]);
  });

  interface Given extends GitHubOptions {
    readonly maxAnnotations?: number;
    readonly grace?: number;
    readonly pull?: RunContext["pull"];
  }

  /** Nothing is tried again: what is retried is proved in github-api.test.ts. */
  async function publish(of: Report, given: Given = {}) {
    const { maxAnnotations = 1_000, grace = 60_000, pull, ...options } = given;
    const server = await startGitHub(options);
    servers.push(server);
    const context = runContext({ apiUrl: server.url, ...(pull ? { pull } : { sha: "a".repeat(40) }) });
    const api = githubApi(context, { token: "ghs_token", cancelled: AbortSignal.abort(), limits: { grace } });
    const warnings: string[] = [];
    const publisher = checkRunPublisher({
      api: api.checkRuns,
      use: { name: "waza-grade", key: "k" },
      attempt: { run: 1, attempt: 1 },
      maxAnnotations,
      warn: (message) => warnings.push(message),
    });
    return { server, warnings, published: publisher.publish(of, {}) };
  }

  const failures = (count: number) =>
    reportOf(times(count, (index) => ({ verdict: RED, grader: { name: `g${String(index)}` } })));

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
    expect(made?.annotations.map(({ title }) => title)).toEqual(
      times(count, (index) => `g${String(index)} · explain`),
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
        title: "suite: 1 of 1 task fails",
        summary: expect.stringMatching(/^🟥 Score 0\.00 /),
      },
    });
  });

  test("has no annotations when they are off", async () => {
    const { server, published } = await publish(failures(120), { maxAnnotations: 0 });
    await published;
    expect(server.checkRuns[0]?.batches).toEqual([0]);
  });

  test.each<[string, number, Given, RegExp]>([
    ["an update fails", 170, { patchStatus: 500 }, /^120 of 170 annotations could not .*Server Error/],
    [
      "the time is over",
      60,
      { always: { PATCH: "hang" }, grace: 1_000 },
      /^10 of 60 annotations could not be added .*no time left/,
    ],
  ])("keeps what it has when %s, and says how many are missing", async (_case, count, given, warning) => {
    const { server, warnings, published } = await publish(failures(count), given);
    expect(await published).toHaveProperty("checkRunUrl");
    expect(server.checkRuns[0]?.annotations).toHaveLength(50);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
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
    const at = { ...GRADER_SPAN, startLine: 7, endLine: 7, startColumn: 3 };
    const outsideOf = { path: "/tmp/results.json", startLine: 57, endLine: 57, inRepository: false };
    const problems = [at, { ...at, endLine: 9 }, outsideOf, undefined].map((one) =>
      problemOf("error", "No `tasks`.", { at: one }),
    );
    const { server, published } = await publish(reportOf([], { problems }));
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
    const [made, problems] = endless("漢😀\u0000\uD83D\n".repeat(30_000));
    const { server, published } = await publish(reportOf(made, { problems }));
    await published;
    expect(server.checkRuns[0]?.annotations).toHaveLength(5);
    expect(server.checkRuns[0]?.output?.title.length).toBeLessThanOrEqual(255);
  });

  test("looks the head of a pull request up when the event does not carry it", async () => {
    const pulls = { 7: { sha: "b".repeat(40) } };
    const { server, published } = await publish(failures(1), { pulls, pull: { number: 7 } });
    await published;
    expect(server.checkRuns[0]?.head_sha).toBe("b".repeat(40));
  });
});
