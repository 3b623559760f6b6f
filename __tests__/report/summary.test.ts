import { describe, expect, test } from "@jest/globals";
import { renderMarkdown } from "../../scripts/render-markdown.ts";
import type {
  Check,
  Grade,
  Graded,
  Grader,
  Problem,
  RecordedValidation,
  Report,
  Run,
  Suite,
  Verdict,
} from "../../src/domain.ts";
import { decide } from "../../src/gate/gate.ts";
import { renderSummary } from "../../src/report/summary/summary.ts";
import { scoreGrades } from "../../src/gate/score.ts";
import { graderOf, runOf } from "../support/factories.ts";

const PLENTY = 1_048_576;
const at = { path: "evals/a b/eval.yaml", startLine: 4, endLine: 9, inRepository: true };

const grader = (changes: Partial<Grader> = {}): Grader => graderOf({ prompt: "?", at, ...changes });

const run = (changes: Partial<Run> = {}): Run => runOf({ finalOutput: "The answer 😀.", ...changes });

const suiteOf = (changes: Partial<Suite> = {}): Suite => ({
  title: "explainer",
  at,
  graders: [],
  otherGraders: [],
  tasks: "every",
  broken: false,
  ...changes,
});
const suite = suiteOf();

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
const TIMES = { time: { started: 1_000, finished: 3_500 }, redactions: 0 };

function report(made: readonly Made[], changes: Partial<Report> = {}): Report {
  const suites = [...new Set([suite, ...made.map((one) => one.suite ?? suite)])];
  const scores = scoreGrades(suites, made.map(grade));
  const policy = { failOn: "fail", onError: "fail", onMissing: "fail" } as const;
  const problems = changes.problems ?? [];
  return {
    ...TIMES,
    conclusion: decide({ scores, problems, policy }),
    scores,
    problems,
    results: [{ path: "results.json", model: "agent-1", timestamp: "2026-03-01T10:00:00Z", runs: [] }],
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

describe("the page", () => {
  test("says first whether it passed, then the figures", async () => {
    const text = await seen(report([{ verdict: graded([pass("a"), fail("b", "because")]) }]));
    expect(text).toMatch(/^ ?❌ Failed: 1 of 1 grade failed, score 0\.50/);
    expect(text).toMatch(/Score.*0\.50/);
    expect(text).toContain("1 request");
    expect(text).toContain("1,000 tokens in, 20 tokens out");
  });

  test("shows of a failed grade every check with its reason, failures first, open", async () => {
    const of = report([
      { verdict: graded([pass("first", "r1"), fail("second", "r2"), fail("third", "r3")]) },
    ]);
    const page = renderSummary(of, PLENTY);
    expect(page).toMatch(/<details open><summary>❌ <b>concise<\/b>/);
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
    expect(text).toMatch(/Errored An errored grade is not a failed grade/);
    expect(text.match(/Too fast\./g)).toHaveLength(1);
    expect(text).toContain("Lower max-concurrency .");
    const listed = [...text.matchAll(/g\d+ · explain/g)].length;
    expect(listed).toBeGreaterThanOrEqual(5);
    expect(listed + Number(/and (\d+) more/.exec(text)?.[1])).toBe(30);
    expect(text).toContain("⚠️ 30 errored");
    expect(text).not.toMatch(/❌ \d+ failed/);
  });

  test("groups what was stopped after an error with the error that stopped it", async () => {
    const error = (message: string) =>
      ({ class: "credentials", message, help: "Change `api-key`." }) as const;
    const text = await seen(
      report([
        { verdict: { state: "errored", error: error("Refused.") } },
        { verdict: { state: "errored", error: error("Not asked: Refused.") }, grader: { name: "two" } },
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
      { level: "warning", message: "Odd thing.", help: "Mend it.", at: { ...at, startColumn: 2 } },
      { level: "notice", message: "By the way." },
    ];
    const text = await seen(report([{ verdict: graded([pass("a", "well done")]) }], { problems }));
    expect(text).toMatch(/Warnings.*Odd thing\..*evals\/a b\/eval\.yaml:4:2.*Mend it\./);
    expect(text).toMatch(/1 passed grade.*well done/);
    expect(text).toMatch(/1 notice.{1,5}By the way\./);
  });

  test("says so when there was nothing to grade", async () => {
    expect(await seen(report([]))).toMatch(/✅ Passed: nothing to grade/);
  });

  test("keeps its tables whole whatever names, models and paths hold", async () => {
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
          suite: suiteOf({ title: nasty }),
        },
      ],
      {
        problems: [{ level: "warning", message: nasty, help: nasty, at: { ...at, path: nasty } }],
        results: [{ path: nasty, model: nasty, timestamp: nasty, runs: [] }],
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
    expect([...html.matchAll(/<table>/g)]).toHaveLength(5);
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

  test("is open while few failed, and not said twice", () => {
    const page = renderSummary(report(red(3)), PLENTY);
    expect(page.match(/<details open>/g)).toHaveLength(3);
    expect(page).not.toContain("What failed and why");
    expect(page.match(/because 0/g)).toHaveLength(1);
  });

  test("is a line each with its reason, shortened, when there are more", () => {
    const page = renderSummary(report(red(10)), PLENTY);
    expect(page).not.toContain("<details open>");
    expect(page.match(/<summary>❌ .* — because \d [long ]+…<\/summary>/g)).toHaveLength(10);
    expect(page).not.toContain("What failed and why");
  });

  test("is told by grader first when there are many, the most frequent first, in five lines", () => {
    const few = ["b", "c", "d", "e", "f"].flatMap((name) => red(1, { grader: { name } }));
    const page = renderSummary(report([...few, ...red(11, { grader: { name: "often" } })]), PLENTY);
    const list = /### What failed and why\n\n([\s\S]*?)\n\n/.exec(page)?.[1]?.split("\n") ?? [];
    expect(list).toHaveLength(6);
    expect(list[0]).toMatch(/^- ❌ \*\*<a href="[^"]*">often<\/a>\*\* · t and 10 more — because 0 .*…$/);
    expect(list[5]).toBe("- … and 1 failed grade of other graders");
    expect(page.indexOf("### What failed")).toBeLessThan(page.indexOf("### Failed"));
  });

  test("keeps the first reason of each grader where the page has room for nothing else", () => {
    const page = renderSummary(report(red(100)), 12_000);
    expect(page).not.toContain("### Failed");
    expect(page).toMatch(/What failed and why[\s\S]*and 99 more — because 0/);
  });

  test("is shortened to failed checks with the beginnings of their reasons before the reasons go", () => {
    const reason = "😀 because ".repeat(150);
    const made = red(30, { verdict: graded([pass("P", reason), fail("F", reason)]) });
    const page = renderSummary(report(made), 40_000);
    expect(page).toMatch(/Left out.*the ends of long reasons/);
    expect(page.match(/\*\*F\*\*/g)).toHaveLength(20);
    expect(page).not.toContain("**P**");
    expect(page).toContain("… and 1 passed check");
  });

  test("shows the lines that a failed check quotes, and the long answer around them", () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line number ${String(index)}`);
    const verdict = graded([fail("a", 'It says "line number 150", which is wrong.')]);
    const page = renderSummary(report([{ verdict, run: { finalOutput: lines.join("\n") } }]), PLENTY);
    const block = [148, 149, 150, 151, 152].map((number) => `line number ${String(number)}`).join("\n");
    expect(page).toContain(`where a failed check quotes it:\n\n\`\`\`text\n…\n${block}\n…\n\`\`\``);
    expect(page).toContain("1,500 characters of 3,089 characters, around what a failed check quotes");
    const unquoted = { verdict: graded([fail("a", "wrong")]), run: { finalOutput: lines.join("\n") } };
    const other = renderSummary(report([unquoted]), PLENTY);
    expect(other).not.toContain("where a failed check quotes");
    expect(other).toContain("the first 1,500 characters");
  });

  test("shows a quoted passage of one long line in part", () => {
    const finalOutput = `${"😀 ".repeat(3_000)}the culprit${" 😀".repeat(3_000)}`;
    const page = renderSummary(
      report([{ verdict: graded([fail("a", '"the culprit" is wrong')]), run: { finalOutput } }]),
      PLENTY,
    );
    expect(page.isWellFormed()).toBe(true);
    const passage = /quotes it:\n\n```text\n([\s\S]*?)\n```/.exec(page)?.[1] ?? "";
    expect(passage).toContain("the culprit");
    expect(passage.length).toBeLessThan(650);
  });

  test("folds the passed checks of a failed grade when they are many", () => {
    const checks = [...Array.from({ length: 4 }, () => pass("P", "fine")), fail("F", "because")];
    const page = renderSummary(report([{ verdict: graded(checks) }]), PLENTY);
    expect(page).toMatch(/\*\*F\*\*[\s\S]*<details><summary>✅ 4 passed checks<\/summary>[\s\S]*\*\*P\*\*/);
  });

  test("comes after what errored where that decided", () => {
    const error = { class: "server", message: "Down." } as const;
    const page = renderSummary(report([...red(1), { verdict: { state: "errored", error } }]), PLENTY);
    expect(page.indexOf("### Errored")).toBeLessThan(page.indexOf("### Failed"));
    expect(page).toContain("⚠️ 1 of 2 graded");
  });
});

describe("the tables", () => {
  const trial = (number: number, verdict: Verdict, model = "agent-1"): Made => ({
    verdict,
    run: { number, model, origin: { file: model === "agent-1" ? 0 : 1, task: 0, run: number } },
  });
  const green = graded([pass("a")]);
  const red = graded([fail("a")]);
  const errored: Verdict = { state: "errored", error: { class: "server", message: "Down." } };
  const row = (of: Report) => /^\| `explain`.*$/m.exec(renderSummary(of, PLENTY))?.[0];

  test("have a mark for each of up to five runs, and one for more", () => {
    const runs = (verdicts: readonly Verdict[]) =>
      report(verdicts.map((verdict, index) => trial(index + 1, verdict)));
    expect(row(runs([green, red, green]))).toContain("| ✅❌✅ 2/3 |");
    expect(row(runs([green, red, green, green, green]))).toContain("| ✅❌✅✅✅ 4/5 |");
    expect(row(runs([green, red, green, green, green, green]))).toContain("| ❌ 5/6 |");
    expect(row(runs([green, errored]))).toContain("| ✅⚠️ |");
    expect(row(runs([errored, errored]))).toContain("| ⚠️⚠️ |");
    expect(renderSummary(runs([green, errored]), PLENTY)).toContain("⚠️ errored, no verdict");
  });

  test("have models side by side, and say which run failed for which", () => {
    const of = report([
      trial(1, green),
      trial(2, green),
      trial(1, green, "agent-2"),
      trial(2, red, "agent-2"),
    ]);
    const page = renderSummary(of, PLENTY);
    expect(page).toContain(
      "| Task | `agent-1` | `agent-2` |\n|:--|--:|--:|\n| `explain` | ✅ 1.00 | ❌ 0.50 |",
    );
    expect(page).toContain("| Mean | **1.00** | **0.50** |");
    expect(page).toContain("| `explain`<br>agent-2 | ✅❌ 1/2 | 0.50 |");
    expect(page).toContain("</b> · explain · run 2 of 2 · agent-2</summary>");
  });

  test("explain a weight and a score beside a mark", () => {
    const page = renderSummary(
      report([{ verdict: graded([pass("a"), fail("b")]), grader: { weight: 2 } }]),
      PLENTY,
    );
    expect(page).toContain("| concise<br>×2 |");
    expect(page).toContain("| ❌ 0.50 |");
    expect(page).toMatch(/<sub>0\.67 beside a mark: .* · × under a name: its weight<\/sub>/);
  });
});

test("a passed grade that leaves a doubt is counted and named", () => {
  const incomplete = { class: "timeout", message: "Too slow." } as const;
  const page = renderSummary(report([{ verdict: graded([pass("a")], { incomplete }) }]), PLENTY);
  expect(page).toContain("1 of 1 graded<br>⚠️ 1 with a doubt");
  expect(page).toMatch(
    /### Passed, with a doubt\n\n- ⚠️ .*concise.* the judge broke off after 1 check.*Too slow\./,
  );
});

test("the foot says which agent ran, and that secrets were taken out", () => {
  const made = [{ verdict: graded([pass("a")]) }];
  expect(renderSummary(report(made, { redactions: 2 }), PLENTY)).toMatch(
    /Agent: `agent-1`, run on 2026-03-01 10:00 UTC \(`results\.json`\)<br>🔒 2 texts held what looks like a secret, shown as `\[redacted\]`\n$/,
  );
  expect(renderSummary(report(made), PLENTY)).not.toContain("🔒");
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
    { level: "warning", message: `Look 😀 ${reason}`, at },
    { level: "notice", message: `NOTICE ${reason}` },
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
        expect(page.split("\n")[0]).toMatch(/^#+ .*Failed: /);
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
      ["passed grades", /PASSED-DETAIL/, /passed grades|reasons of each grade|everything/],
      ["agent's outputs", /What the agent answered/, /outputs|reasons of each grade|everything/],
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
    expect(big).toContain("### Failed");
    const small = renderSummary(of, 2_000);
    expect(small).toContain("Failed:");
    expect(small).toMatch(/Score/);
    expect(small).not.toContain("### Failed");
  });

  test("says what is left out and stays whole even when the headline alone is too long", () => {
    const of = report([], { problems: [{ level: "error", message: "😀 $5 `a|b` ".repeat(3_000) }] });
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
