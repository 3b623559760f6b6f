import { describe, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { graderOf, runOf } from "../support/factories.ts";
import { rowsOf } from "../support/rows.ts";
import { renderMarkdown } from "../../scripts/render-markdown.ts";
import { compare } from "../../src/decide/compare.ts";
import { decide } from "../../src/decide/gate.ts";
import type { Check, Estimate, Grade, Graded, Verdict } from "../../src/domain/grade.ts";
import type { Problem } from "../../src/domain/problem.ts";
import type { RecordedValidation, Run } from "../../src/domain/run.ts";
import type { Grader, Suite } from "../../src/domain/suite.ts";
import { describeEstimate } from "../../src/judge/estimate.ts";
import { buildAnnotations } from "../../src/report/annotations.ts";
import type { Report } from "../../src/report/report.ts";
import { renderSummary } from "../../src/report/summary.ts";
import { scoreGrades } from "../../src/results/score.ts";

const PLENTY = 1_048_576;
const at = { path: "evals/a b/eval.yaml", startLine: 4, endLine: 9, inRepository: true };

const grader = (changes: Partial<Grader> = {}): Grader => graderOf({ prompt: "?", at, ...changes });

const run = (changes: Partial<Run> = {}): Run => runOf({ finalOutput: "The answer 😀.", ...changes });

const suiteWith = (changes: Partial<Suite> = {}): Suite => ({
  title: "explainer",
  at,
  graders: [],
  otherGraders: [],
  tasks: "every",
  broken: false,
  ...changes,
});
const suite = suiteWith();

const pass = (description?: string, reason?: string): Check => check("pass", description, reason);
const fail = (description?: string, reason?: string): Check => check("fail", description, reason);
function check(outcome: Check["outcome"], description?: string, reason?: string): Check {
  return {
    outcome,
    ...(description === undefined ? {} : { description }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function graded(checks: readonly Check[], changes: Partial<Graded> = {}): Graded {
  const passes = checks.filter(({ outcome }) => outcome === "pass").length;
  return {
    state: "graded",
    checks,
    score: checks.length === 0 ? 0 : passes / checks.length,
    passed: checks.length > 0 && passes === checks.length,
    ...changes,
  };
}

interface Made {
  readonly verdict: Verdict;
  readonly grader?: Partial<Grader>;
  readonly run?: Partial<Run>;
  readonly task?: string;
  readonly suite?: Suite;
}

function grade(made: Made): Grade {
  const id = made.task ?? "explain";
  return {
    job: {
      suite: made.suite ?? suite,
      task: { id, name: id },
      grader: grader(made.grader),
      judgeModel: "judge-1",
      run: run({
        taskId: id,
        origin: { file: 0, task: id.length, run: (made.run?.number ?? 1) - 1 },
        ...made.run,
      }),
    },
    verdict: made.verdict,
    requests: 1,
    tokens: { input: 1_000, cached: 0, output: 20 },
    durationMs: 1,
  };
}

/** What every report has and these tests do not look at. */
const TIMES = { time: { started: 1_000, finished: 3_500 }, triggers: [], redactions: 0 };

function report(made: readonly Made[], changes: Partial<Report> = {}): Report {
  const suites = [...new Set([suite, ...made.map((one) => one.suite ?? suite)])];
  const scores = scoreGrades(suites, rowsOf(made.map(grade)));
  const policy = { failOn: "fail", onError: "fail", onMissing: "fail" } as const;
  const problems = changes.problems ?? [];
  return {
    ...TIMES,
    conclusion: decide({ scores, problems, policy }),
    scores,
    problems,
    results: [{ path: "results.json", model: "agent-1", timestamp: "2026-03-01T10:00:00Z" }],
    policy,
    sourceUrl: "https://github.com/octo/agents/blob/abc",
    ...changes,
  };
}

const bytes = (text: string) => Buffer.byteLength(text, "utf8");
const tags = (text: string, tag: string) => (text.match(new RegExp(`<${tag}[ >]`, "g")) ?? []).length;

/** What a reader sees of the page. */
async function seen(of: Report, limit = PLENTY): Promise<string> {
  const html = await renderMarkdown(renderSummary(of, limit));
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x3C;/g, "<")
    .replace(/&#x26;/g, "&")
    .replace(/\u200B/g, "")
    .replace(/\s+/g, " ");
}

const recorded = (changes: Partial<RecordedValidation> = {}): RecordedValidation => ({
  name: "word count",
  type: "code",
  score: 1,
  passed: true,
  feedback: "fine",
  ...changes,
});

describe("the line of a grade's grader", () => {
  const evidence = { characters: 1_200, toolCalls: 1, elided: false, reconstructedSession: false };
  test.each<[string, Partial<Graded>, Partial<Grader>, string]>([
    ["the whole run", { evidence }, {}, "the judge saw the whole run (1,200 characters, 1 tool call)"],
    [
      "a shortened run",
      { evidence: { ...evidence, elided: true } },
      {},
      "the judge saw a shortened run (1,200",
    ],
    ["a session", { evidence: { ...evidence, reconstructedSession: true } }, {}, "· reconstructed session"],
    ["files that were read", { evidence: { ...evidence, reads: 2 } }, {}, "· it read files 2 times"],
    ["a record", { recorded: true }, {}, "· from the record"],
    [
      "the model that answered",
      { judge: { servedBy: "judge-1-mini" } as Graded["judge"] },
      {},
      "· answered by judge-1-mini",
    ],
    ["a weight", {}, { weight: 2 }, "lines 4–9 · weight 2 · judge judge-1"],
    ["one line", {}, { at: { ...at, endLine: 4 } }, "evals/a b/eval.yaml line 4 · judge"],
  ])("names %s", async (_case, verdict, grader, line) => {
    expect(await seen(report([{ verdict: graded([fail("a")], verdict), grader }]))).toContain(line);
  });
});

describe("a dry run", () => {
  test.each([
    [true, "would be reached", "max-judge-calls would be reached: not all"],
    [false, "may be reached", "max-judge-calls may be reached before all"],
  ])("says of a cap that it is reached as usual (%p): %s", async (usual, wording, sentence) => {
    const estimate: Estimate = {
      ...{ grades: 2, recorded: 0, requests: [2, 6], tokens: [9, 90], unpriced: [] },
      beyond: [{ cap: "max-judge-calls", usual }],
    };
    expect(describeEstimate(estimate)).toMatch(new RegExp(`; \`max-judge-calls\` ${wording}$`));
    expect(await seen(report([], { estimate }))).toContain(sentence);
  });
});

describe("the page", () => {
  test("says first whether it passed, then the figures", async () => {
    const text = await seen(report([{ verdict: graded([pass("a"), fail("b", "because")]) }]));
    expect(text).toMatch(/^ ?❌ explainer: .* 🟥 .*Score 0\.50 .* What now: Fix it\. .* Task/);
    expect(text).toContain("1 request, 1,000 tokens in, 20 out · waza-grade ");
  });

  test("shows of a failed grade every check with its reason, failures first, and the answer", async () => {
    const of = report([
      { verdict: graded([pass("first", "r1"), fail("second", "r2"), fail("third", "r3")]) },
    ]);
    expect(renderSummary(of, PLENTY)).toMatch(
      /^- ❌ \*\*concise: second\*\* · explain · <a href="[^"]*">eval\.yaml:4<\/a><br>r2$/m,
    );
    const text = await seen(of);
    const places = ["second", "r2", "third", "r3", "first", "r1"].map((word) => text.indexOf(word));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(text).toContain("The answer 😀.");
  });

  test("links a grader to its lines, and only where there is a page for it", () => {
    const made = { verdict: graded([fail("a")]) };
    expect(renderSummary(report([made]), PLENTY)).toContain(
      'href="https://github.com/octo/agents/blob/abc/evals/a%20b/eval.yaml#L4-L9"',
    );
    const { sourceUrl: _gone, ...without } = report([made]);
    expect(renderSummary(without, PLENTY)).not.toContain("href=");
    const outside = report([{ ...made, grader: { at: { ...at, inRepository: false } } }]);
    expect(renderSummary(outside, PLENTY)).not.toContain("href=");
  });

  test("tells errored grades from failed ones, groups them and says what to do", async () => {
    const error = { class: "rate-limit", message: "Too fast.", help: "Lower `max-concurrency`." } as const;
    const made = Array.from({ length: 30 }, (_, index) => ({
      verdict: { state: "errored", error } as const,
      grader: { name: `g${String(index)}` },
    }));
    const text = await seen(report(made));
    expect(text).toMatch(/Errored: no verdict, and left out of the score/);
    expect(text.match(/Too fast\./g)).toHaveLength(1);
    expect(text).toContain("Lower max-concurrency .");
    const listed = [...text.matchAll(/g\d+ · explain/g)].length;
    expect(listed).toBeGreaterThanOrEqual(5);
    expect(listed + Number(/and (\d+) more/.exec(text)?.[1])).toBe(30);
    expect(text).toContain("🟨");
    expect(text).not.toContain("❌");
  });

  test("groups what was stopped after an error with the error that stopped it", async () => {
    const error = { class: "credentials", message: "Refused.", help: "Change `api-key`." } as const;
    const text = await seen(
      report([
        { verdict: { state: "errored", error } },
        { verdict: { state: "errored", error: { ...error, notSent: true } }, grader: { name: "two" } },
      ]),
    );
    expect(text.match(/Refused\./g)).toHaveLength(1);
  });

  test("says of a judge without a call what it said instead", async () => {
    const note = "The judge made no grading call.";
    const text = await seen(report([{ verdict: graded([], { note, response: "All prompts passed" }) }]));
    expect(text).toMatch(/no grading call\..*What it said instead: All prompts passed/);
  });

  test("shows recorded validations as recorded, without those we graded anew", async () => {
    const made = {
      verdict: graded([pass("a")]),
      run: { recorded: [recorded(), recorded({ name: "concise", type: "prompt" })] },
    };
    const text = await seen(report([made]));
    expect(text).toContain("1 validation recorded by waza");
    expect(text).toContain("word count");
  });

  test("folds passed grades and notices, and shows problems with place and remedy", async () => {
    const problems: Problem[] = [
      {
        level: "warning",
        code: "odd",
        message: "Odd thing.",
        help: "Mend it.",
        at: { ...at, startColumn: 2 },
      },
      { level: "notice", code: "odd", message: "By the way." },
    ];
    const text = await seen(report([{ verdict: graded([pass("a", "well done")]) }], { problems }));
    expect(text).toMatch(/Warnings.*evals\/a b\/eval\.yaml:4:2 ?: Odd thing\..*Mend it\./);
    expect(text).toMatch(/1 passed grade.*well done/);
    expect(text).toMatch(/1 notice.{1,5}By the way\./);
  });

  test("says so when there was nothing to grade", async () => {
    expect(await seen(report([]))).toMatch(/⚪ Nothing to grade/);
  });

  test("keeps its tables whole with any names, models and paths", async () => {
    const nasty = "a | b\n| c `d` <img src=x> </details> @user #1 ![x](https://evil.example)";
    const of = report(
      [
        {
          verdict: graded([pass(nasty, nasty)]),
          grader: { name: nasty, at: { ...at, path: `${nasty}.yaml` } },
          task: nasty,
          run: { model: nasty, recorded: [recorded({ name: `r${nasty}`, type: nasty, feedback: nasty })] },
        },
        {
          verdict: graded([fail(nasty, nasty)], { response: nasty, note: nasty }),
          grader: { name: nasty },
          task: nasty,
          run: { model: "other", finalOutput: nasty },
        },
        {
          verdict: { state: "errored", error: { class: "server", message: nasty, help: nasty } },
          grader: { name: nasty },
          task: nasty,
        },
        {
          verdict: { state: "skipped", cause: "no-key", reason: nasty },
          grader: { name: `z${nasty}` },
          suite: suiteWith({ title: nasty }),
        },
      ],
      {
        problems: [
          { level: "warning", code: "odd", message: nasty, help: nasty, at: { ...at, path: nasty } },
        ],
        results: [{ path: nasty, model: nasty, timestamp: nasty }],
      },
    );
    const html = await renderMarkdown(renderSummary(of, PLENTY));
    expect(html).not.toMatch(/<img|<script|<input/);
    expect(html).not.toMatch(/href="(?!https:\/\/github\.com\/octo\/agents\/)/);
    expect(tags(html, "details")).toBe((html.match(/<\/details>/g) ?? []).length);
    for (const [, table] of html.matchAll(/<table>([\s\S]*?)<\/table>/g)) {
      const cells = [...(table ?? "").matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(
        ([, row]) => (row?.match(/<t[hd][ >]/g) ?? []).length,
      );
      expect(new Set(cells).size).toBe(1);
    }
    expect([...html.matchAll(/<table>/g)]).toHaveLength(2);
  });
});

describe("what failed", () => {
  const red = (count: number, changes: Partial<Made> = {}): Made[] =>
    Array.from({ length: count }, (_, index) => ({
      verdict: graded([
        pass("ok", "fine"),
        fail("criterion", `because ${String(index)} ${"long ".repeat(80)}END`),
      ]),
      task: "t".repeat(index + 1),
      ...changes,
    }));

  test("is listed by reason, each once, what most tasks share first, and names every grader of it", () => {
    const shared = (name: string, count: number) =>
      red(count, { grader: { name }, verdict: graded([fail("cites", "no source is named")]) });
    const few = ["b", "c"].flatMap((name) => red(1, { grader: { name } }));
    const page = renderSummary(report([...few, ...shared("often", 12)]), PLENTY);
    const list = /### Why\n\n([\s\S]*?)\n\n/.exec(page)?.[1]?.split("\n") ?? [];
    expect(list).toEqual([
      expect.stringMatching(
        /^- ❌ \*\*often: cites\*\* · all 12 tasks that failed · <a [^>]*>eval\.yaml:4<\/a><br>no source is named$/,
      ),
      expect.stringMatching(
        /^- ❌ \*\*b: criterion\*\* and \*\*c: criterion\*\* · t · .*<br>because 0 [long ]*END$/,
      ),
    ]);
    expect(page).toContain(
      "<details><summary>The 14 failed answers, each with what the judge said</summary>",
    );
  });

  test.each([
    [
      "one reason of all tasks",
      [
        ["t", 1, "r"],
        ["u", 1, "r"],
      ],
      "### Why: one reason in both tasks that failed",
      "both tasks that failed",
    ],
    [
      "one of some tasks",
      [
        ["t", 1, "r"],
        ["u", 1, "r"],
        ["v", 1, "s"],
      ],
      "### Why\n",
      "2 tasks: t, u",
    ],
    [
      "one of several runs of a task",
      [
        ["t", 1, "r"],
        ["t", 2, "r"],
        ["t", 3, "r"],
      ],
      "### Why\n",
      "t (3 runs)",
    ],
    ["one without a reason", [["t", 1, ""]], "### Why\n", "**concise: cites** · t · "],
  ] as const)("%s", (_case, failures, title, where) => {
    const made = failures.map(([task, number, reason]) => ({
      verdict: graded([fail("cites", reason || undefined)]),
      task,
      run: { number },
    }));
    const page = renderSummary(report(made), PLENTY);
    expect(page).toContain(title);
    expect(page).toContain(where);
  });

  test("is in a comment ten reasons at most, and a link to the rest", () => {
    const published = { checkRunUrl: "https://github.com/octo/agents/runs/1" };
    const comment = renderSummary(report(red(30)), 65_000, { medium: "comment", published });
    expect(comment.match(/^- ❌ \*\*/gm)).toHaveLength(10);
    expect(comment).toContain(
      '… and 20 more reasons: <a href="https://github.com/octo/agents/runs/1">the check run</a>',
    );
    expect(comment.length).toBeLessThan(9_000);
  });

  test("is shortened to the beginnings of fewer reasons before everything goes", () => {
    const page = renderSummary(report(red(100)), 8_000);
    expect(page).toMatch(/Left out.*most of what failed, the ends of long reasons/);
    expect(page.match(/<br>because \d [long ]+…$/gm)).toHaveLength(10);
    expect(page).toContain("… and 90 more reasons");
  });

  test("without a key say why and what to do in a comment, too, in place of a table of dashes", () => {
    const verdict: Verdict = {
      state: "skipped",
      cause: "no-key",
      reason: "GitHub gives no secrets to a fork.",
    };
    const comment = renderSummary(report([{ verdict }]), PLENTY, { medium: "comment" });
    expect(comment).toContain("GitHub gives no secrets to a fork.");
    expect(comment).not.toContain("|");
  });

  test("shows the beginning of a long answer, and says so", () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line number ${String(index)}, to the end`);
    const verdict = graded([fail("a", "wrong")]);
    const page = renderSummary(report([{ verdict, run: { finalOutput: lines.join("\n") } }]), PLENTY);
    expect(page).toMatch(/the beginning of \d,\d+ characters/);
  });

  test("marks a quote that is not in the evidence, and says nothing of a judge whose quotes mostly are", () => {
    const quoted = {
      ...fail("a", 'It says "two lists of numbers".'),
      quotes: { all: 2, missing: ["two <b>lists"] },
    };
    const found = { ...pass("b", 'It says "one list".'), quotes: { all: 1, missing: [] } };
    const own = report([{ verdict: graded([quoted, found]) }]);
    const page = renderSummary(own, PLENTY);
    expect(page).toContain("not in the evidence: “two &lt;b&gt;lists”");
    expect(page.match(/not in the evidence/g)).toHaveLength(2);
    expect(page).not.toContain("quotes in the evidence");
    const { message } = buildAnnotations(own)[0] ?? {};
    expect(message).toContain(
      '✗ fail: a: It says "two lists of numbers". (not in the evidence: “two <b>lists”)',
    );
  });

  test("marks a check that the judge contradicted, and counts them by judge in the footer", () => {
    const own = report([
      { verdict: graded([{ ...fail("a", "So it holds."), contradicted: true }, pass("b")]) },
    ]);
    const page = renderSummary(own, PLENTY);
    expect(page).toContain("the judge contradicted itself about this check");
    expect(page).toMatch(/: contradicted itself about 1 check/);
    expect(buildAnnotations(own)[0]?.message).toContain(
      "✗ fail: a: So it holds. (the judge contradicted itself about this check)",
    );
  });

  test("comes after what errored where that decided", () => {
    const error = { class: "server", message: "Down." } as const;
    const page = renderSummary(report([...red(1), { verdict: { state: "errored", error } }]), PLENTY);
    expect(page.indexOf("### Errored")).toBeLessThan(page.indexOf("| Task |"));
    expect(page).toMatch(/^## ⚠️ explainer: .* errored/);
  });
});

describe("the table", () => {
  const trial = (number: number, verdict: Verdict, model = "agent-1"): Made => ({
    verdict,
    run: { number, model, origin: { file: model === "agent-1" ? 0 : 1, task: 0, run: number } },
  });
  const green = graded([pass("a")]);
  const red = graded([fail("a")]);
  const half = graded([pass("a"), fail("b")]);
  const errored: Verdict = { state: "errored", error: { class: "server", message: "Down." } };
  const rowsOn = (of: Report, medium?: "comment" | "file") =>
    renderSummary(of, PLENTY, { medium }).match(/^\| (?!:|Task).*$/gm) ?? [];

  test.each<[string, readonly Made[], readonly string[]]>([
    ["checks of all runs", [trial(1, green), trial(2, half)], ["| ❌ explain | **2/3** |"]],
    [
      "checks of all graders",
      [{ verdict: half }, { verdict: green, grader: { name: "b" } }],
      ["| ❌ explain | **2/3** |"],
    ],
    [
      "an errored grade beside another, in no share",
      [trial(1, green), trial(2, errored)],
      ["| ⚠️ explain | 1/1 |"],
    ],
    ["no verdict at all", [trial(1, errored)], ["| ⚠️ explain | errored |"]],
    [
      "a failed grade without a check as one that did not pass",
      [trial(1, graded([]))],
      ["| ❌ explain | **0/1** |"],
    ],
    [
      "votes as one check, since theirs are of all votes",
      [trial(1, { ...half, votes: { passed: 1, failed: 2, errored: 0 } })],
      ["| ❌ explain | **0/1** |"],
    ],
  ])("counts %s", (_case, made, rows) => {
    expect(rowsOn(report(made))).toEqual(rows);
  });

  test("has what failed first, and counts the tasks that pass once they are many", () => {
    const of = (tasks: number, failing: number) =>
      report(
        Array.from({ length: tasks }, (_, index) => ({
          verdict: index < tasks - failing ? green : red,
          task: `t${String(index)}`,
        })),
      );
    expect(rowsOn(of(3, 1))).toEqual(["| ❌ t2 | **0/1** |", "| ✅ t0 | 1/1 |", "| ✅ t1 | 1/1 |"]);
    expect(rowsOn(of(30, 2))).toEqual([
      "| ❌ t28 | **0/1** |",
      "| ❌ t29 | **0/1** |",
      "| ✅ 28 others | 28/28 |",
    ]);
    const page = renderSummary(of(60, 50), PLENTY);
    expect(page.match(/^\| ❌ t\d+/gm)).toHaveLength(50);
    expect(page).toContain("<details><summary>31 more rows</summary>");
    expect(rowsOn(of(60, 50), "comment")).toHaveLength(10);
    expect(renderSummary(of(60, 50), PLENTY, { medium: "comment" })).toContain("… and 41 more rows");
  });

  test("has a column for each of a few models", () => {
    const of = report([
      trial(1, green),
      trial(2, green),
      trial(1, green, "agent-2"),
      trial(2, red, "agent-2"),
    ]);
    const page = renderSummary(of, PLENTY);
    expect(page).toContain("| Task | `agent-1` | `agent-2` |\n|:--|--:|--:|\n| ❌ explain | 2/2 | **1/2** |");
    expect(page).toContain("· explain · agent-2 · ");
  });

  test("names the suites where there are several, and the title where all of them have failures", () => {
    const of = report([
      { verdict: green, suite: { ...suite, title: "well" } },
      { verdict: red, suite: { ...suite, title: "ill" } },
    ]);
    expect(renderSummary(of, PLENTY)).toMatch(/^## ❌ 1 of 2 tasks fails, in `ill`\n/);
    expect(rowsOn(of)).toEqual(["| ❌ ill · explain | **0/1** |", "| ✅ well · explain | 1/1 |"]);
    const keyed = (path: string) => ({ ...suite, key: `explainer (${path})` });
    const twice = report(["a.yaml", "b.yaml"].map((path) => ({ verdict: red, suite: keyed(path) })));
    expect(renderSummary(twice, PLENTY)).toMatch(/^## ❌ explainer: /);
    expect(rowsOn(twice)[1]).toBe("| ❌ explainer (b.yaml) · explain | **0/1** |");
  });

  test("has main beside now, and marks what is less and what rose", () => {
    const now = report([
      { verdict: half, task: "fell" },
      { verdict: green, task: "rose" },
      { verdict: green, task: "as before" },
    ]);
    const before = report([
      { verdict: green, task: "fell" },
      { verdict: red, task: "rose" },
      { verdict: green, task: "as before" },
    ]).scores.grades.map((one) => ({ ...one, file: "base.json", time: 1 }));
    const compared = { ...now, comparison: compare(before, now.scores.grades, { branch: "main" }) };
    const page = renderSummary(compared, PLENTY);
    expect(page).toContain("| Task | main, 1 run | now, 1 run |");
    expect(rowsOn(compared)).toEqual([
      "| ❌ fell | 1/1 | **1/2** |",
      "| ✅ rose (rose) | 0/1 | 1/1 |",
      "| ✅ as before | 1/1 | 1/1 |",
    ]);
    expect(page).toContain("The answer on main, which passed, is the same.");
  });
});

test("a passed grade that leaves a doubt is counted and named", () => {
  const incomplete = { class: "timeout", message: "Too slow." } as const;
  const page = renderSummary(report([{ verdict: graded([pass("a")], { incomplete }) }]), PLENTY);
  expect(page).toContain("**What now:** Read the passes with a doubt, below.");
  expect(page).toMatch(
    /### Passed, with a doubt\n\n- ⚠️ .*concise.* the judge was interrupted after 1 check.*Too slow\./,
  );
});

test("the footer says which agent ran, and that secrets were taken out", () => {
  const made = [{ verdict: graded([pass("a")]) }];
  expect(renderSummary(report(made, { redactions: 2 }), PLENTY)).toMatch(
    /<br>agent `agent-1`, run on 2026-03-01 10:00 UTC<br>🔒 2 texts held what looks like a secret, shown as `\[redacted\]`<\/sub>\n$/,
  );
  expect(renderSummary(report(made), PLENTY)).not.toContain("🔒");
});

const RUN = {
  number: "12",
  url: "https://github.com/octo/agents/actions/runs/7/attempts/1",
  id: 7,
  repository: "github.com/octo/agents",
};

test("lines to reproduce what failed go into a shell as they are", () => {
  const hostile = 'it\'s $(touch x) `y` * "z"';
  const made = [{ verdict: graded([fail("a")]), task: hostile }, { verdict: graded([pass("a")]) }];
  const page = renderSummary(report(made, { origin: { run: RUN } }), PLENTY);
  const [, lines = ""] = /Reproduce it locally[^]*?```\w*\n([^]*?)\n```/.exec(page) ?? [];
  expect(lines).toContain("gh run download 7 -R github.com/octo/agents -p '*-runs-*' -D .waza-grade/ci\n");
  const shell = ["gh", "waza-grade"].map((name) => `${name}() { printf '%s\\n' "$@"; }\n`).join("");
  const said = execFileSync("sh", {
    input: `${shell.replaceAll("waza-grade()", "wg()")}${lines.replaceAll("waza-grade -", "wg -").replaceAll("waza-grade try", "wg try")}`,
    encoding: "utf8",
  });
  expect(said.split("\n").filter((word) => word.includes("touch"))).toEqual([
    expect.stringContaining(`it's $(touch x) \`y\``),
    expect.stringContaining(`it's $(touch x) \`y\``),
  ]);
  const invisible = [{ verdict: graded([fail("a")]), task: "a\u202eb" }];
  expect(renderSummary(report(invisible, { origin: { run: RUN } }), PLENTY)).toMatch(/\nwaza-grade try\n/);
  expect(renderSummary(report([{ verdict: graded([pass("a")]) }]), PLENTY)).not.toContain("Reproduce");
});

test("the footer links the commit, the run and the check run where there are pages", () => {
  const sha = "4be1d0c2a7f39e5586aa0d17c3b2f6e9d8045a11";
  const origin = {
    commit: { sha, url: `https://github.com/octo/agents/commit/${sha}` },
    run: RUN,
  };
  const of = report([{ verdict: graded([pass("a")]) }], { origin, htmlFile: "out/report.html" });
  const published = { checkRunUrl: "https://github.com/octo/agents/runs/1" };
  expect(renderSummary(of, PLENTY, { published })).toContain(
    [
      `<sub>commit <a href="https://github.com/octo/agents/commit/${sha}">\`4be1d0c\`</a>`,
      '<a href="https://github.com/octo/agents/actions/runs/7/attempts/1">run #\u200B12</a>',
      '<a href="https://github.com/octo/agents/runs/1">check run</a>',
      '<a href="https://github.com/octo/agents/actions/runs/7/attempts/1#artifacts">`out/report.html`</a>',
      "judge `judge-1`, 2.5 s, 1 request, 1,000 tokens in, 20 out",
      "waza-grade ",
    ].join(" · "),
  );
});

test("the page of the check run has its title once, above it", () => {
  const of = report([{ verdict: graded([pass("a")]) }]);
  expect(renderSummary(of, PLENTY, { medium: "check" })).toMatch(/^🟩 /);
});

describe("what decided", () => {
  const REMEDY = "To retire it, save a new baseline";
  const saying = (
    first: string,
    more: string[] = [REMEDY],
    rule: Report["conclusion"]["rule"] = "golden",
  ): Report => {
    const of = report([{ verdict: graded([pass("a")]) }]);
    return { ...of, conclusion: { ...of.conclusion, rule, sentences: [first, ...more] } };
  };
  const long = `the golden task \`${"t".repeat(80)}\` has to pass, and its grader failed (0.00; 0.1 to 0.4)`;

  test.each<[string, Report, string]>([
    ["is all in the title, where there is no more", saying("2 grades failed", []), ""],
    ["has what more there is beside the bar", saying("2 grades failed"), `${REMEDY}.`],
    ["has the same below a long one", saying(long), `${REMEDY}.`],
    ["is in the section of problems where a file has a mistake", saying(long, [REMEDY], "configuration"), ""],
  ])("%s", (_, of, text) => {
    const [title, line] = renderSummary(of, PLENTY).split("\n\n");
    expect(title?.toLowerCase()).toContain(of.conclusion.sentences[0].toLowerCase());
    expect(line).toBe(`🟩 ${text === "" ? "1 passed" : text}`);
  });

  test("names no suite that is well, and no score, where a file has a mistake", () => {
    const problems = ["a", "b"].map((message): Problem => ({
      level: "error",
      code: "odd",
      message: `It has ${message}.`,
    }));
    const page = renderSummary(report([{ verdict: graded([pass("a")]) }], { problems }), PLENTY);
    expect(page).toMatch(/^## ❌ Configuration problem: It has a\n/);
  });
});

describe("the bar", () => {
  const errored: Verdict = { state: "errored", error: { class: "server", message: "Down." } };
  const unrun: Verdict = { state: "skipped", cause: "missing", reason: "No run of it." };
  const [green, red] = [graded([pass("a")]), graded([fail("a")])];
  const of = (...kinds: readonly (readonly [Verdict, number])[]) =>
    report(
      kinds.flatMap(([verdict, number], kind) =>
        Array.from({ length: number }, (_, index) => ({
          verdict,
          task: `t${String(kind)}-${String(index)}`,
        })),
      ),
    );
  const squares = (page: string) => /^(?:🟩|🟥|🟨|⬜)+/mu.exec(page)?.[0];

  test.each([
    ["a square a grade", of([green, 2], [red, 1], [errored, 1], [unrun, 1]), "🟩🟩🟥🟨⬜"],
    ["at most sixteen, in proportion", of([green, 72], [red, 24]), "🟩".repeat(12) + "🟥".repeat(4)],
    ["one at least of what is there", of([green, 90], [red, 1], [errored, 1]), `${"🟩".repeat(14)}🟥🟨`],
    ["none of a hundred", of([green, 99], [red, 1]), undefined],
  ])("has %s", (_name, made, expected) => {
    expect(squares(renderSummary(made, PLENTY))).toBe(expected);
  });
});

test("what it cost is said where it is known", () => {
  const of = report([{ verdict: graded([pass("a")]) }]);
  const costing = (cost: number): Report => ({
    ...of,
    scores: { ...of.scores, counts: { ...of.scores.counts, cost } },
  });
  expect(renderSummary(costing(1.234), PLENTY)).toContain("<span>$</span>1.23");
  expect(renderSummary(costing(0.0001), PLENTY)).toContain("<span>$</span>0.0001");
  expect(renderSummary(costing(0), PLENTY)).not.toContain("$");
});

/** A report with everything in it, `size` times over, rich in characters of four bytes. */
function rich(size: number): Report {
  const reason = "😀 because 漢字 é | `code` and <b> ".repeat(6);
  const made = Array.from({ length: size }, (_, index): Made[] => {
    const task = `task-${String(index)}-😀`;
    return [
      {
        verdict: graded([pass("😀 a", reason), fail("b 漢", reason)]),
        task,
        run: { finalOutput: "🎉漢`".repeat(900), recorded: [recorded({ feedback: reason })] },
      },
      { verdict: graded([pass("PASSED-DETAIL", reason)]), grader: { name: "second 😀" }, task },
      {
        verdict: { state: "errored", error: { class: "server", message: `${String(index)} ${reason}` } },
        grader: { name: "third" },
        task,
      },
      {
        verdict: { state: "skipped", cause: "no-key", reason: `SKIPPED ${String(index)} 😀` },
        grader: { name: "fourth" },
        task,
      },
    ];
  }).flat();
  const problems: Problem[] = [
    { level: "warning", code: "odd", message: `Look 😀 ${reason}`, at },
    { level: "notice", code: "odd", message: `NOTICE ${reason}` },
  ];
  return report(made, { problems });
}

describe("a page that has to fit", () => {
  const LIMITS = [700, 1_000, 2_000, 5_000, 9_999, 20_000, 40_000, 65_535, 200_000, PLENTY];

  test.each([1, 2, 3, 5, 8, 13, 30, 80])(
    "never exceeds its bytes and stays balanced, with %d tasks of everything",
    (size) => {
      const of = rich(size);
      const whole = renderSummary(of, 1e9);
      let before = 0;
      for (const limit of LIMITS) {
        const page = renderSummary(of, limit);
        expect(bytes(page)).toBeLessThanOrEqual(limit);
        expect(bytes(page)).toBeGreaterThanOrEqual(before);
        before = bytes(page);
        expect(page.isWellFormed()).toBe(true);
        expect(page).not.toContain("\uFFFD");
        for (const tag of ["details", "summary", "b", "sub", "a"])
          expect({ limit, tag, open: tags(page, tag) }).toEqual({
            limit,
            tag,
            open: page.split(`</${tag}>`).length - 1,
          });
        expect(page.split("\n")[0]).toMatch(/^## .*explainer: /);
        if (bytes(whole) <= limit) expect(page).toBe(whole);
        else if (limit >= 2_000) expect(page).toMatch(/left out/i);
      }
    },
  );

  test("is the whole one when that takes exactly its bytes, and a shorter one with a byte less", () => {
    const of = rich(3);
    const whole = renderSummary(of, PLENTY);
    expect(renderSummary(of, bytes(whole))).toBe(whole);
    const shorter = renderSummary(of, bytes(whole) - 1);
    expect(shorter).not.toBe(whole);
    expect(shorter).toMatch(/left out/i);
  });

  test("names every kind of thing that it leaves out", () => {
    const of = rich(8);
    const whole = renderSummary(of, 1e9);
    const kinds: [string, RegExp, RegExp][] = [
      ["passed grades", /PASSED-DETAIL/, /passed|everything/],
      ["agent's outputs", /The agent's answer/, /outputs|everything/],
      ["skipped grades", /SKIPPED/, /skipped|everything/],
      ["recorded validations", /recorded by waza/, /recorded|everything/],
      ["notices", /NOTICE/, /notices|everything/],
    ];
    const seenRungs = new Set<string>();
    for (let limit = bytes(whole); limit > 2_000; limit = Math.floor(limit * 0.9)) {
      const page = renderSummary(of, limit);
      const note = /left out[^\n.]*/i.exec(page)?.[0] ?? "";
      seenRungs.add(note);
      for (const [kind, there, named] of kinds)
        if (!there.test(page)) expect({ kind, note }).toEqual({ kind, note: expect.stringMatching(named) });
    }
    expect(seenRungs.size).toBeGreaterThanOrEqual(4);
  });

  test("keeps what a reader needs most: problems, failures, then the tables, then the headline", () => {
    const of = rich(30);
    const big = renderSummary(of, 300_000);
    expect(big).toContain("### Why");
    const small = renderSummary(of, 2_000);
    expect(small).toMatch(/^## .*explainer: .*\n\n/);
    expect(small).not.toContain("### Why");
  });

  const text = (index: number) => `KIND ${String(index)} ${"is wrong, ".repeat(20)}`;
  const many = (made: (index: number) => Made) => report(Array.from({ length: 600 }, (_, i) => made(i)));
  const problems = (level: Problem["level"]) =>
    report([], {
      problems: Array.from({ length: 600 }, (_, i) => ({ level, code: "odd", message: text(i) })),
    });
  test.each<[string, Report, string]>([
    ["problems", problems("error"), "more problems"],
    ["warnings", problems("warning"), "more problems"],
    [
      "causes of errors",
      many((i) => ({
        verdict: { state: "errored", error: { class: "server", message: text(i) } },
      })),
      "more causes",
    ],
    ["reasons", many((i) => ({ verdict: graded([fail("a", text(i))]) })), "more reasons"],
  ])("tells of 600 %s as many as there is room for, and how many more there are", (_, of, more) => {
    const limits: [number, "page" | "comment", number][] = [
      [PLENTY, "page", 500],
      [50_000, "page", 100],
      [8_000, "page", 10],
      [65_535, "comment", 10],
    ];
    for (const [maxBytes, place, most] of limits) {
      const page = renderSummary(of, maxBytes, { medium: place });
      expect(new Set(page.match(/KIND \d+/g)).size).toBe(most);
      expect(page).toContain(`… and ${String(600 - most)} ${more}`);
    }
  });

  test("says what is left out and stays whole even when the headline alone is too long", () => {
    const of = report([], {
      problems: [{ level: "error", code: "odd", message: "😀 $5 `a|b` ".repeat(3_000) }],
    });
    for (let limit = 65_500; limit <= 65_535; limit += 1) {
      const page = renderSummary(of, limit);
      expect(bytes(page)).toBeLessThanOrEqual(limit);
      expect(page.isWellFormed()).toBe(true);
      const open = ["code", "span", "b", "details"].map(
        (tag) => tags(page, tag) - (page.split(`</${tag}>`).length - 1),
      );
      expect({ limit, open, halfTag: /<[^>]*…?\s*$/.test(page) }).toEqual({
        limit,
        open: [0, 0, 0, 0],
        halfTag: false,
      });
      expect(page).toMatch(/left out|cut|…/i);
    }
  });
});
