import { execFileSync } from "node:child_process";
import { describeEstimate } from "../../src/text/states.ts";
import { describe, expect, test } from "@jest/globals";
import { renderMarkdown } from "../../scripts/render-markdown.ts";
import { compare } from "../../src/decide/compare.ts";
import type { Estimate, Graded, Verdict } from "../../src/domain/grade.ts";
import type { Problem } from "../../src/domain/problem.ts";
import type { RecordedValidation } from "../../src/domain/run.ts";
import type { Grader } from "../../src/domain/suite.ts";

import { buildAnnotations } from "../../src/report/annotations.ts";
import type { Report } from "../../src/report/report.ts";
import { renderSummary } from "../../src/report/summary.ts";
import { globMatches } from "../../src/text/suggest.ts";
import { problemOf, runOf, suiteOf, times } from "../support/factories.ts";
import { MISSING, NO_KEY, erroredOf, fail, pass, reportOf, verdictOf, type Made } from "../support/grades.ts";
import type { MoreOfReport } from "../support/reports.ts";

const PLENTY = 1_048_576;
const at = { path: "evals/a b/eval.yaml", startLine: 4, endLine: 9, inRepository: true };
const SUITE = suiteOf({ title: "explainer", at });
const GREEN = verdictOf([pass("a")]);
const RED = verdictOf([fail("a")]);

/** With the place of each run in its file, and a page of each source. */
function report(made: readonly Made[], more: MoreOfReport = {}): Report {
  const placed = made.map(({ task = "explain", grader, run, ...one }): Made => {
    const origin = { file: 0, task: task.length, run: (run?.number ?? 1) - 1 };
    const { suite = SUITE } = one;
    return {
      ...one,
      ...{ task, suite },
      grader: { at, ...grader },
      run: { finalOutput: "The answer 😀.", origin, ...run },
    };
  });
  return reportOf(placed, {
    results: [
      {
        ...{ path: "results.json", model: "agent-1", timestamp: "2026-03-01T10:00:00Z" },
        runs: placed.map(({ run }) => runOf(run ?? {})),
      },
    ],
    sourceUrl: "https://github.com/octo/agents/blob/abc",
    ...more,
  });
}

const bytes = (text: string) => Buffer.byteLength(text, "utf8");
/** Tags that are opened more or less often than closed. */
const openOf = (page: string, ...tags: readonly string[]) =>
  Object.fromEntries(
    tags
      .map((tag): [string, number] => [
        tag,
        page.split(new RegExp(`<${tag}[ >]`)).length - page.split(`</${tag}>`).length,
      ])
      .filter(([, open]) => open !== 0),
  );

const pageOf = (of: Report, options: Parameters<typeof renderSummary>[2] = {}) =>
  renderSummary(of, PLENTY, options);

/** What a reader sees of the page. */
async function seen(of: Report): Promise<string> {
  const html = await renderMarkdown(pageOf(of));
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x3C;/g, "<")
    .replace(/&#x26;/g, "&")
    .replace(/\u200B/g, "")
    .replace(/\s+/g, " ");
}

const RECORDED: RecordedValidation = {
  name: "word count",
  type: "code",
  score: 1,
  passed: true,
  feedback: "fine",
};

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
    expect(await seen(report([{ verdict: verdictOf([fail("a")], verdict), grader }]))).toContain(line);
  });
});

describe("a dry run", () => {
  test.each([
    [true, "would be reached"],
    [false, "may be reached"],
  ])("says of a cap that it is reached as usual (%p): %s", async (usual, wording) => {
    const estimate: Estimate = {
      ...{ grades: 2, recorded: 0, requests: [2, 6], tokens: [9, 90], unpriced: [] },
      beyond: [{ cap: "max-judge-calls", usual }],
    };
    expect(describeEstimate(estimate)).toMatch(new RegExp(`; \`max-judge-calls\` ${wording}$`));
    expect(await seen(report([], { estimate }))).toContain(`max-judge-calls ${wording}`);
  });
});

describe("the page", () => {
  test("says first whether it passed, then the figures", async () => {
    const text = await seen(report([{ verdict: verdictOf([pass("a"), fail("b", "because")]) }]));
    expect(text).toMatch(/^ ?❌ explainer: .* 🟥 .*Score 0\.50 .* What now: Fix it\. .* Task/);
    expect(text).toContain("1 request, 1,000 tokens in, 20 out · waza-grade ");
  });

  test("shows of a failed grade every check with its reason, failures first, and the answer", async () => {
    const of = report([
      { verdict: verdictOf([pass("first", "r1"), fail("second", "r2"), fail("third", "r3")]) },
    ]);
    expect(pageOf(of)).toMatch(
      /^- ❌ \*\*concise: second\*\* · explain · <a href="[^"]*">eval\.yaml:4<\/a><br>r2$/m,
    );
    const text = await seen(of);
    const places = ["second", "r2", "third", "r3", "first", "r1"].map((word) => text.indexOf(word));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(text).toContain("The answer 😀.");
  });

  test("links a grader to its lines, and only where there is a page for it", () => {
    const made = { verdict: RED };
    expect(pageOf(report([made]))).toContain(
      'href="https://github.com/octo/agents/blob/abc/evals/a%20b/eval.yaml#L4-L9"',
    );
    const { sourceUrl: _gone, ...without } = report([made]);
    expect(pageOf(without)).not.toContain("href=");
    const outside = report([{ ...made, grader: { at: { ...at, inRepository: false } } }]);
    expect(pageOf(outside)).not.toContain("href=");
  });

  test("tells errored grades from failed ones, groups them and says what to do", async () => {
    const verdict = erroredOf({ message: "Too fast.", help: "Lower `max-concurrency`." });
    const text = await seen(
      report(times(30, (index) => ({ verdict, grader: { name: `g${String(index)}` } }))),
    );
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
    const first = { verdict: erroredOf() };
    const second = { verdict: erroredOf({ notSent: true }), grader: { name: "two" } };
    expect((await seen(report([first, second]))).match(/Down\./g)).toHaveLength(1);
  });

  test("says of a judge without a call what it said instead", async () => {
    const note = "The judge made no grading call.";
    const text = await seen(report([{ verdict: verdictOf([], { note, response: "All prompts passed" }) }]));
    expect(text).toMatch(/no grading call\..*What it said instead: All prompts passed/);
  });

  test("shows recorded validations as recorded, without those we graded anew", async () => {
    const ours = { ...RECORDED, name: "concise", type: "prompt" };
    const text = await seen(report([{ verdict: GREEN, run: { recorded: [RECORDED, ours] } }]));
    expect(text).toContain("1 validation recorded by waza");
    expect(text).toContain("word count");
  });

  test("folds passed grades and notices, and shows problems with place and remedy", async () => {
    const problems = [
      problemOf("warning", "Odd thing.", { help: "Mend it.", at: { ...at, startColumn: 2 } }),
      problemOf("notice", "By the way."),
    ];
    const text = await seen(report([{ verdict: verdictOf([pass("a", "well done")]) }], { problems }));
    expect(text).toMatch(/Warnings.*evals\/a b\/eval\.yaml:4:2 ?: Odd thing\..*Mend it\./);
    expect(text).toMatch(/1 passed grade.*well done/);
    expect(text).toMatch(/1 notice.{1,5}By the way\./);
  });

  test("says so when there was nothing to grade", async () => {
    expect(await seen(report([]))).toMatch(/⚪ Nothing to grade/);
  });
});

describe("what failed", () => {
  const red = (count: number, changes: Partial<Made> = {}): Made[] =>
    times(count, (index) => ({
      verdict: verdictOf([
        pass("ok", "fine"),
        fail("criterion", `because ${String(index)} ${"long ".repeat(80)}END`),
      ]),
      task: "t".repeat(index + 1),
      ...changes,
    }));

  test("is listed by reason, each once, what most tasks share first, and names every grader of it", () => {
    const shared = (name: string, count: number) =>
      red(count, { grader: { name }, verdict: verdictOf([fail("cites", "no source is named")]) });
    const few = ["b", "c"].flatMap((name) => red(1, { grader: { name } }));
    const page = pageOf(report([...few, ...shared("often", 12)]));
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
    ["one reason of all tasks", ["t: r", "u: r"], "### Why: one reason in both", "both tasks that failed"],
    ["one of some tasks", ["t: r", "u: r", "v: s"], "### Why\n", "2 tasks: t, u"],
    ["one of several runs of a task", ["t: r", "t: r", "t: r"], "### Why\n", "t (3 runs)"],
    ["one without a reason", ["t: "], "### Why\n", "**concise: cites** · t · "],
  ])("%s", (_case, failures, title, where) => {
    const made = failures.map((failure, index): Made => {
      const [task = "", reason] = failure.split(": ");
      const number = failures.slice(0, index + 1).filter((one) => one === failure).length;
      return { verdict: verdictOf([fail("cites", reason || undefined)]), task, run: { number } };
    });
    const page = pageOf(report(made));
    expect(page).toContain(title);
    expect(page).toContain(where);
  });

  test("is in a comment ten reasons at most, and a link to the rest", () => {
    const published = { checkRunUrl: "https://github.com/octo/agents/runs/1" };
    const comment = pageOf(report(red(30)), { medium: "comment", published });
    expect(comment.match(/^- ❌ \*\*/gm)).toHaveLength(10);
    expect(comment).toContain(
      '… and 20 more reasons: <a href="https://github.com/octo/agents/runs/1">the check run</a>',
    );
    expect(comment.length).toBeLessThan(9_000);
  });

  test("is shortened to the beginnings of fewer reasons before everything goes", () => {
    const page = renderSummary(report(red(100)), 8_000);
    expect(page).toMatch(/Left out to fit/);
    expect(page.match(/<br>because \d [long ]+…$/gm)).toHaveLength(10);
    expect(page).toContain("… and 90 more reasons");
  });

  test("without a key say why and what to do in a comment, too, in place of a table of dashes", () => {
    const comment = pageOf(report([{ verdict: NO_KEY }]), { medium: "comment" });
    expect(comment).toContain("There is no key.");
    expect(comment).not.toContain("|");
  });

  test("shows the beginning of a long answer, and says so", () => {
    const lines = times(200, (index) => `line number ${String(index)}, to the end`);
    const page = pageOf(report([{ verdict: RED, run: { finalOutput: lines.join("\n") } }]));
    expect(page).toMatch(/the beginning of \d,\d+ characters/);
  });

  test("marks a quote that is not in the evidence, and says nothing of a judge whose quotes mostly are", () => {
    const quoted = {
      ...fail("a", 'It says "two lists of numbers".'),
      quotes: { all: 2, missing: ["two <b>lists"] },
    };
    const found = { ...pass("b", 'It says "one list".'), quotes: { all: 1, missing: [] } };
    const own = report([{ verdict: verdictOf([quoted, found]) }]);
    const page = pageOf(own);
    expect(page).toContain("not in the evidence: “two &lt;b&gt;lists”");
    expect(page.match(/not in the evidence/g)).toHaveLength(2);
    expect(page).not.toContain("quotes in the evidence");
    expect(buildAnnotations(own)[0]?.message).toContain(
      '✗ fail: a: It says "two lists of numbers". (not in the evidence: “two <b>lists”)',
    );
  });

  test("marks a check that the judge contradicted", () => {
    const own = report([
      { verdict: verdictOf([{ ...fail("a", "So it holds."), contradicted: true }, pass("b")]) },
    ]);
    const page = pageOf(own);
    expect(page).toContain("the judge contradicted itself about this check");
    expect(buildAnnotations(own)[0]?.message).toContain(
      "✗ fail: a: So it holds. (the judge contradicted itself about this check)",
    );
  });

  test("comes after what errored where that decided", () => {
    const page = pageOf(report([...red(1), { verdict: erroredOf() }]));
    expect(page.indexOf("### Errored")).toBeLessThan(page.indexOf("| Task |"));
    expect(page).toMatch(/^## ⚠️ explainer: .* errored/);
  });
});

describe("the table", () => {
  const trial = (number: number, verdict: Verdict, model = "agent-1"): Made => ({
    verdict,
    run: { number, model, origin: { file: model === "agent-1" ? 0 : 1, task: 0, run: number } },
  });
  const half = verdictOf([pass("a"), fail("b")]);
  const rowsOn = (of: Report, medium: "page" | "comment" | "file" = "page") =>
    pageOf(of, { medium }).match(/^\| (?!:|Task).*$/gm) ?? [];

  test.each<[string, readonly Made[], string]>([
    ["checks of all runs", [trial(1, GREEN), trial(2, half)], "| ❌ explain | **2/3** |"],
    [
      "checks of all graders",
      [{ verdict: half }, { verdict: GREEN, grader: { name: "b" } }],
      "| ❌ explain | **2/3** |",
    ],
    [
      "an errored grade beside another, in no share",
      [trial(1, GREEN), trial(2, erroredOf())],
      "| ⚠️ explain | 1/1 |",
    ],
    ["no verdict at all", [trial(1, erroredOf())], "| ⚠️ explain | errored |"],
    [
      "a failed grade without a check as one that did not pass",
      [trial(1, verdictOf([]))],
      "| ❌ explain | **0/1** |",
    ],
    [
      "votes as one check, since theirs are of all votes",
      [trial(1, { ...half, votes: { passed: 1, failed: 2, errored: 0 } })],
      "| ❌ explain | **0/1** |",
    ],
  ])("counts %s", (_case, made, row) => {
    expect(rowsOn(report(made))).toEqual([row]);
  });

  test("has what failed first, and counts the tasks that pass once they are many", () => {
    const of = (tasks: number, failing: number) =>
      report(times(tasks, (i) => ({ verdict: i < tasks - failing ? GREEN : RED, task: `t${String(i)}` })));
    expect(rowsOn(of(3, 1))).toEqual(["| ❌ t2 | **0/1** |", "| ✅ t0 | 1/1 |", "| ✅ t1 | 1/1 |"]);
    expect(rowsOn(of(30, 2))).toEqual([
      "| ❌ t28 | **0/1** |",
      "| ❌ t29 | **0/1** |",
      "| ✅ 28 others | 28/28 |",
    ]);
    const page = pageOf(of(60, 50));
    expect(page.match(/^\| ❌ t\d+/gm)).toHaveLength(50);
    expect(page).toContain("<details><summary>31 more rows</summary>");
    expect(rowsOn(of(60, 50), "comment")).toHaveLength(10);
    expect(pageOf(of(60, 50), { medium: "comment" })).toContain("… and 41 more rows");
  });

  test("has a row for each model", () => {
    const second = [trial(1, GREEN, "agent-2"), trial(2, RED, "agent-2")];
    const made = report([trial(1, GREEN), trial(2, GREEN), ...second]);
    expect(rowsOn(made)).toEqual(["| ❌ explain · agent-2 | **1/2** |", "| ✅ explain · agent-1 | 2/2 |"]);
    expect(pageOf(made)).toContain("· explain · agent-2 · ");
  });

  test("names the suites where there are several, and the title where all of them have failures", () => {
    const of = report([
      { verdict: GREEN, suite: { ...SUITE, title: "well" } },
      { verdict: RED, suite: { ...SUITE, title: "ill" } },
    ]);
    expect(pageOf(of)).toMatch(/^## ❌ 1 of 2 tasks fails, in `ill`\n/);
    expect(rowsOn(of)).toEqual(["| ❌ ill · explain | **0/1** |", "| ✅ well · explain | 1/1 |"]);
    const keyed = (path: string) => ({ ...SUITE, key: `explainer (${path})` });
    const twice = report(["a.yaml", "b.yaml"].map((path) => ({ verdict: RED, suite: keyed(path) })));
    expect(pageOf(twice)).toMatch(/^## ❌ explainer: /);
    expect(rowsOn(twice)[1]).toBe("| ❌ explainer (b.yaml) · explain | **0/1** |");
  });

  test("has main beside now, and marks what is less and what rose", () => {
    const of = (fell: Verdict, rose: Verdict) =>
      report([
        { verdict: fell, task: "fell" },
        { verdict: rose, task: "rose" },
        { verdict: GREEN, task: "as before" },
      ]);
    const now = of(half, GREEN);
    const before = of(GREEN, RED).scores.grades.map((one) => ({ ...one, file: "base.json", time: 1 }));
    const compared = { ...now, comparison: compare(before, now.scores.grades, { branch: "main" }) };
    const page = pageOf(compared);
    expect(page).toContain("| Task | main, 1 run | now, 1 run |");
    expect(rowsOn(compared)).toEqual([
      "| ❌ fell | 1/1 | **1/2** |",
      "| ✅ rose (rose) | 0/1 | 1/1 |",
      "| ✅ as before | 1/1 | 1/1 |",
    ]);
    expect(page).toContain("The answer on main, which passed, is the same.");
  });
});

test("how the score alone would decide comes after whom to blame, and only where a minimum is set", () => {
  const made = [{ verdict: RED }];
  const origin = {
    run: { number: "1", url: "https://github.com/o/r/1", id: 1, repository: "github.com/o/r" },
  };
  const page = pageOf(report(made, { origin, policy: { minScore: 0 } }));
  expect(page).toMatch(
    /Is it this change\?[^]*Is the judge wrong\?[^]*let the score alone decide, set `fail-on: score`/,
  );
  expect(pageOf(report(made, { origin }))).not.toContain("score alone");
});

test("a passed grade that leaves a doubt is counted and named", () => {
  const page = pageOf(report([{ verdict: { ...GREEN, doubt: "It saw half." } }]));
  expect(page).toContain("**What now:** Read the passes with a doubt, below.");
  expect(page).toMatch(/### Passed, with a doubt\n\n- ⚠️ .*concise.* It saw half\./);
});

test("the footer says which agent ran, and that secrets were taken out", () => {
  const made = [{ verdict: GREEN }];
  expect(pageOf(report(made, { redactions: 2 }))).toMatch(
    /<br>agent `agent-1`, run on 2026-03-01 10:00 UTC<br>🔒 2 texts held what looks like a secret, shown as `\[redacted\]`<\/sub>\n$/,
  );
  expect(pageOf(report(made))).not.toContain("🔒");
});

const RUN = {
  number: "12",
  url: "https://github.com/octo/agents/actions/runs/7/attempts/1",
  id: 7,
  repository: "github.com/octo/agents",
};

test("lines to reproduce what failed go into a shell as they are", () => {
  const hostile = 'it\'s $(touch x) `y` * "z"';
  const made = [{ verdict: RED, task: hostile }, { verdict: GREEN }];
  const page = pageOf(report(made, { origin: { run: RUN } }));
  const [, lines = ""] = /Reproduce it locally[^]*?```\w*\n([^]*?)\n```/.exec(page) ?? [];
  expect(lines).toContain("gh run download 7 -R github.com/octo/agents -p '*-runs-*' -D .waza-grade/ci\n");
  const shell = ["gh", "wg"].map((name) => `${name}() { printf '%s\\n' "$@"; }\n`).join("");
  const input = shell + lines.replaceAll(/waza-grade (?=-|try)/g, "wg ");
  const said = execFileSync("sh", { input, encoding: "utf8" });
  const asItIs: unknown = expect.stringContaining(`it's $(touch x) \`y\``);
  expect(said.split("\n").filter((word) => word.includes("touch"))).toEqual([asItIs, asItIs]);
  const invisible = [{ verdict: RED, task: "a\u202eb" }];
  expect(pageOf(report(invisible, { origin: { run: RUN } }))).toMatch(/\nwaza-grade try\n/);
  expect(pageOf(report([{ verdict: GREEN }]))).not.toContain("Reproduce");
  const judge = {
    baseUrl: "https://api.anthropic.com/v1",
    model: "claude-x; touch x",
    key: "ANTHROPIC_API_KEY",
  };
  const own = pageOf(report([{ verdict: RED, task: "a" }], { judge }));
  expect(own).toContain(
    `\nOPENAI_API_KEY="$ANTHROPIC_API_KEY" waza-grade try explainer/a --base-url 'https://api.anthropic.com/v1' --judge-model 'claude-x; touch x'\n`,
  );
});

test.each([
  "--command=touch x #",
  "--base-url=http://127.0.0.1:9/v1",
  "-h",
  "!-x",
  "a'; touch x; 'b",
  "$(touch x)",
  "`touch x`",
  "a b ".repeat(80),
  `${"long words ".repeat(60)}'evil/x.sh'`,
  "a\\",
  "*?",
])("lines to paste are one command each, without a flag by the name %j", (name) => {
  const suite = { ...suiteOf(), title: name };
  const failed = Array.from({ length: 5 }, (_, index) => ({
    verdict: RED,
    task: `${name}${String(index)}`,
    suite,
  }));
  const page = pageOf(report(failed, { origin: { run: RUN } }));
  const [, lines = ""] = /Reproduce it locally[^]*?```\w*\n([^]*?)\n```/.exec(page) ?? [];
  const shell = ["gh", "wg"].map((one) => `${one}() { printf '%s\\0' "$@"; printf '\\n'; }\n`).join("");
  const input = shell + lines.replaceAll(/^waza-grade /gm, "wg ");
  const [gh, grade, tried, ...others] = execFileSync("sh", { input, encoding: "utf8" }).trimEnd().split("\n");
  expect([gh?.split("\0")[0], others]).toEqual(["run", []]);
  const words = (line = "") => line.split("\0").slice(0, -1);
  const globs = words(tried).slice(1);
  expect(words(grade)).toEqual([
    "--results",
    ".waza-grade/ci",
    ...globs.flatMap((glob) => ["--tasks", glob]),
  ]);
  for (const [index, glob] of globs.entries()) {
    expect(glob).not.toMatch(/^-/);
    expect(globMatches(glob, `${name}/${name}${String(index)}`)).toBe(true);
  }
  expect(globs).toHaveLength(5);
});

test("the footer links the commit, the run and the check run where there are pages", () => {
  const sha = "4be1d0c2a7f39e5586aa0d17c3b2f6e9d8045a11";
  const origin = { commit: { sha, url: `https://github.com/octo/agents/commit/${sha}` }, run: RUN };
  const of = report([{ verdict: GREEN }], { origin, htmlFile: "out/report.html" });
  const published = { checkRunUrl: "https://github.com/octo/agents/runs/1" };
  expect(pageOf(of, { published })).toContain(
    [
      `<sub>commit <a href="https://github.com/octo/agents/commit/${sha}">\`4be1d0c\`</a>`,
      '<a href="https://github.com/octo/agents/actions/runs/7/attempts/1">run #\u200B12</a>',
      '<a href="https://github.com/octo/agents/runs/1">check run</a>',
      '<a href="https://github.com/octo/agents/actions/runs/7/attempts/1#artifacts">report</a>',
      "judge `judge-1`, 2.5 s, 1 request, 1,000 tokens in, 20 out",
      "waza-grade ",
    ].join(" · "),
  );
});

test("the page of the check run has its title once, above it", () => {
  expect(pageOf(report([{ verdict: GREEN }]), { medium: "check" })).toMatch(/^🟩 /);
});

describe("what decided", () => {
  const REMEDY = "To retire it, save a new baseline";
  const long = `the golden task \`${"t".repeat(80)}\` has to pass, and its grader failed (0.00; 0.1 to 0.4)`;

  test.each<[string, string, string[], Report["conclusion"]["rule"], string]>([
    ["is all in the title, where there is no more", "2 grades failed", [], "golden", "**What now:**"],
    ["has what more there is beside the bar", "2 grades failed", [REMEDY], "golden", `🟩 ${REMEDY}.`],
    ["is whole below a long one", long, [REMEDY], "golden", `🟩 ${long.replace("the", "The")}. ${REMEDY}.`],
    ["is in the section of problems with a mistake in a file", long, [REMEDY], "configuration", "| Task"],
  ])("%s", (_, first, more, rule, text) => {
    const of = report([{ verdict: GREEN }]);
    const [title, line] = pageOf({
      ...of,
      conclusion: { ...of.conclusion, rule, sentences: [first, ...more] },
    }).split("\n\n");
    expect(title?.toLowerCase()).toContain(first.toLowerCase().slice(0, 100));
    expect(title?.length).toBeLessThanOrEqual("## ✅ ".length + 140);
    expect(line?.startsWith(text)).toBe(true);
  });

  test("is cut before a name, not within it", () => {
    const of = report([{ verdict: GREEN }]);
    const names = times(3, (index) => `\`${String(index).repeat(60)}\``).join(", ");
    const conclusion = { ...of.conclusion, sentences: [`3 tasks fail: ${names}`] as const };
    const [title] = pageOf({ ...of, conclusion }).split("\n");
    expect(title).toBe(`## ✅ explainer: 3 tasks fail: \`${"0".repeat(60)}\`, …`);
  });

  test("names no suite that is well, and no score, where a file has a mistake", () => {
    const problems = ["a", "b"].map((one) => problemOf("error", `It has ${one}.`));
    const page = pageOf(report([{ verdict: GREEN }], { problems }));
    expect(page).toMatch(/^## ❌ Configuration problem: It has a\n/);
  });
});

describe("the bar", () => {
  const of = (...kinds: readonly (readonly [Verdict, number])[]) =>
    report(
      kinds.flatMap(([verdict, number], kind) =>
        times(number, (index) => ({ verdict, task: `t${String(kind)}-${String(index)}` })),
      ),
    );
  test.each([
    ["a square a grade", of([GREEN, 2], [RED, 1], [erroredOf(), 1], [MISSING, 1]), "🟩🟩🟥🟨⬜"],
    ["at most sixteen, in proportion", of([GREEN, 72], [RED, 24]), "🟩".repeat(12) + "🟥".repeat(4)],
    ["one at least of what is there", of([GREEN, 90], [RED, 1], [erroredOf(), 1]), `${"🟩".repeat(14)}🟥🟨`],
    ["none of a hundred", of([GREEN, 99], [RED, 1]), undefined],
  ])("has %s", (_name, made, expected) => {
    expect(/^(?:🟩|🟥|🟨|⬜)+/mu.exec(pageOf(made))?.[0]).toBe(expected);
  });
});

test("what it cost is said where it is known", () => {
  const of = report([{ verdict: GREEN }]);
  const costing = (cost: number) =>
    pageOf({ ...of, scores: { ...of.scores, counts: { ...of.scores.counts, cost } } });
  expect(costing(1.234)).toContain("<span>$</span>1.23");
  expect(costing(0.0001)).toContain("<span>$</span>0.0001");
  expect(costing(0)).not.toContain("$");
});

/** A report with everything in it, `size` times over, rich in characters of four bytes. */
function rich(size: number): Report {
  const reason = "😀 because 漢字 é | `code` and <b> ".repeat(6);
  const made = times(size, (index): Made[] => {
    const task = `task-${String(index)}-😀`;
    const skipped = `SKIPPED ${String(index)} 😀`;
    return [
      {
        verdict: verdictOf([pass("😀 a", reason), fail("b 漢", reason)]),
        task,
        run: { finalOutput: "🎉漢`".repeat(900), recorded: [{ ...RECORDED, feedback: reason }] },
      },
      { verdict: verdictOf([pass("PASSED-DETAIL", reason)]), grader: { name: "second 😀" }, task },
      { verdict: erroredOf({ message: `${String(index)} ${reason}` }), grader: { name: "third" }, task },
      { verdict: { ...NO_KEY, reason: skipped }, grader: { name: "fourth" }, task },
    ];
  }).flat();
  return report(made, {
    problems: [problemOf("warning", `Look 😀 ${reason}`, { at }), problemOf("notice", `NOTICE ${reason}`)],
  });
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
        expect({ limit, open: openOf(page, "details", "summary", "b", "sub", "a") }).toEqual({
          limit,
          open: {},
        });
        expect(page.split("\n")[0]).toMatch(/^## .*explainer: /);
        if (bytes(whole) <= limit) expect(page).toBe(whole);
        else if (limit >= 2_000) expect(page).toMatch(/left out/i);
      }
    },
  );

  test("is the whole one when that takes exactly its bytes, and a shorter one with a byte less", () => {
    const of = rich(3);
    const whole = pageOf(of);
    expect(renderSummary(of, bytes(whole))).toBe(whole);
    const shorter = renderSummary(of, bytes(whole) - 1);
    expect(shorter).not.toBe(whole);
    expect(shorter).toMatch(/left out/i);
  });

  test("keeps what a reader needs most: problems, failures, then the tables, then the headline", () => {
    const of = rich(30);
    expect(renderSummary(of, 300_000)).toContain("### Why");
    const small = renderSummary(of, 2_000);
    expect(small).toMatch(/^## .*explainer: .*\n\n/);
    expect(small).not.toContain("### Why");
  });

  const text = (index: number) => `KIND ${String(index)} ${"is wrong, ".repeat(20)}`;
  const many = (made: (index: number) => Made) => report(times(600, made));
  const problems = (level: Problem["level"]) =>
    report([], { problems: times(600, (i) => problemOf(level, text(i))) });
  test.each<[string, Report, string]>([
    ["problems", problems("error"), "more problems"],
    ["warnings", problems("warning"), "more problems"],
    ["causes of errors", many((i) => ({ verdict: erroredOf({ message: text(i) }) })), "more causes"],
    ["reasons", many((i) => ({ verdict: verdictOf([fail("a", text(i))]) })), "more reasons"],
  ])("tells of 600 %s as many as there is room for, and how many more there are", (_, of, more) => {
    for (const [limit, medium, most] of [
      [PLENTY, "page", 500],
      [50_000, "page", 100],
      [8_000, "page", 10],
      [65_535, "comment", 10],
    ] as const) {
      const page = renderSummary(of, limit, { medium });
      expect(new Set(page.match(/KIND \d+/g)).size).toBe(most);
      expect(page).toContain(`… and ${String(600 - most)} ${more}`);
    }
  });

  test("says what is left out and stays whole even when the headline alone is too long", () => {
    const of = report([], { problems: [problemOf("error", "😀 $5 `a|b` ".repeat(3_000))] });
    for (let limit = 65_500; limit <= 65_535; limit += 1) {
      const page = renderSummary(of, limit);
      expect(bytes(page)).toBeLessThanOrEqual(limit);
      expect(page.isWellFormed()).toBe(true);
      const open = openOf(page, "code", "span", "b", "details");
      expect({ limit, open, half: /<[^>]*…?\s*$/.exec(page) }).toEqual({ limit, open: {}, half: null });
      expect(page).toMatch(/left out|cut|…/i);
    }
  });
});
