/** The page of the terminal. */
import { describe, expect, test } from "@jest/globals";
import { compare } from "../../src/decide/compare.ts";
import type { Report } from "../../src/report/report.ts";
import type { Grade, Verdict } from "../../src/domain/grade.ts";
import { scoreApart } from "../../src/results/score.ts";
import { agreementOf } from "../../src/labels/agreement.ts";
import { renderReport } from "../../src/report/publishers/terminal.ts";
import { ATTACKS } from "../support/attacks.ts";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";
import { rowsOf, graded, ungraded } from "../support/rows.ts";
import { reportOf, reportWith } from "../support/hostile-report.ts";

const SUITE = suiteOf({ title: "demo" });
const render = (report: Report, columns = 200) => renderReport(report, { columns, style: (_, text) => text });

function verdictOf(passed: boolean, reason: string): Verdict {
  return {
    state: "graded",
    checks: [{ outcome: passed ? "pass" : "fail", reason }],
    score: Number(passed),
    passed,
  };
}

function gradeOf(name: string, verdict: Verdict, more: Partial<Grade["job"]> = {}): Grade {
  const task = { id: "t1", name: "t1" };
  return {
    job: {
      suite: SUITE,
      task,
      grader: graderOf({ name }),
      judgeModel: "judge",
      run: runOf({ taskId: "t1" }),
      ...more,
    },
    verdict,
    requests: 2,
    tokens: { input: 1_000, output: 20, cached: 0 },
    cost: 0.0042,
    durationMs: 1,
  };
}

function reportFrom(...grades: readonly Grade[]): Report {
  const { scores, advisory } = scoreApart([SUITE], rowsOf(grades));
  const report = reportOf({ suites: [SUITE], grades: [], problems: [], results: [] });
  return { ...report, sourceUrl: undefined, scores, advisory: advisory && { scores: advisory } };
}

const tone = (passed: boolean, reason: string) =>
  gradeOf("tone", verdictOf(passed, reason), { advisory: true });

describe("advisory graders", () => {
  test("have a list of their own, with the reasons of those that failed", () => {
    const text = render(
      reportFrom(gradeOf("right", verdictOf(true, "it is")), tone(false, "It is rude."), tone(true, "kind")),
    );
    expect(text).toMatch(
      /^Advisory graders \(no effect on the result\)\n {2}tone · 1 of 2 passed\n {5}❌ t1 — It is rude\.\n\n/,
    );
  });

  test("without a verdict are counted, and of many failed ones a few are listed", () => {
    const errored = { state: "errored", error: { class: "server", message: "down" } } as const;
    const red = Array.from({ length: 23 }, () => tone(false, "It is rude."));
    const text = render(reportFrom(...red, gradeOf("tone", errored, { advisory: true })));
    expect(text).toContain("0 of 23 passed · ⚠️ 1 without a verdict");
    expect(text.match(/It is rude/g)).toHaveLength(3);
    expect(text).toContain("… and 20 more");
  });
});

describe("votes", () => {
  const votedOf = (
    name: string,
    passed: boolean,
    votes: { passed: number; failed: number; errored: number },
  ) => gradeOf(name, { ...verdictOf(passed, "because"), votes } as Verdict);

  test("stand beside a failed grade, and a passed one is reported where not all passed it", () => {
    const text = render(
      reportFrom(
        votedOf("right", false, { passed: 1, failed: 2, errored: 0 }),
        votedOf("short", true, { passed: 2, failed: 1, errored: 0 }),
        votedOf("kind", true, { passed: 2, failed: 0, errored: 1 }),
        votedOf("clear", true, { passed: 2, failed: 0, errored: 0 }),
      ),
    );
    expect(text).toMatch(/^ {2}❌ right · t1 · failed in 2 of 3 votes · evals\/eval\.yaml:4\n {5}because$/m);
    expect(text).toMatch(
      /^Passed by a majority: short · t1: passed in 2 of 3 votes, kind · t1: passed in 2 of 3 votes, 1 errored\.$/m,
    );
    expect(text).not.toContain("clear");
  });

  test("have each check once, however often and for whatever reason it was called", () => {
    const checks = ["short", "short", "kind"].map((description, index) => ({
      outcome: "fail" as const,
      description,
      reason: `because ${String(index)}`,
    }));
    const votes = { passed: 0, failed: 3, errored: 0 };
    const text = render(
      reportFrom(gradeOf("right", { ...verdictOf(false, "no"), checks, votes } as Verdict)),
    );
    expect(text.match(/short|kind/g)).toEqual(["short", "kind"]);
  });
});

describe("what several grades have in common is reported once", () => {
  const noEvidence = (file: string): Verdict => ({
    state: "errored",
    error: { class: "no-evidence", message: "The run holds nothing.", help: "Look.", file },
  });

  test("an error of several files, each named beside its grade", () => {
    const text = render(
      reportFrom(gradeOf("right", noEvidence("out/a.md")), gradeOf("short", noEvidence("out/b.md"))),
    );
    expect(text).toContain(
      "⚠️ no-evidence: The run holds nothing. What to do: Look.\n   right · t1 (out/a.md)\n   short · t1 (out/b.md)\n",
    );
    expect(text.match(/The run holds nothing/g)).toHaveLength(1);
  });

  test("failures of one grader for the same reasons, and other reasons apart", () => {
    const red = (reason: string) => gradeOf("right", verdictOf(false, reason));
    const text = render(
      reportFrom(...Array.from({ length: 99 }, () => red("It is rude.")), red("It is long.")),
    );
    expect(text).toMatch(
      /^Why\n {2}❌ right · t1 · evals\/eval\.yaml:4\n {5}It is rude\.\n {2}❌ right · t1 · evals\/eval\.yaml:4\n {5}It is long\./,
    );
  });

  test("of many failures each reason is reported to its end, also one that is a description", () => {
    const long = (index: number) => `because ${String(index)} ${"long ".repeat(100)}END`;
    const ends = (checks: (index: number) => object, number: number) => {
      const made = Array.from({ length: number }, (_, index) =>
        gradeOf("right", {
          ...verdictOf(false, "no"),
          checks: [{ outcome: "fail", ...checks(index) }],
        } as Verdict),
      );
      return render(reportFrom(...made)).match(/END/g)?.length;
    };
    expect(ends((index) => ({ reason: long(index) }), 600)).toBe(600);
    expect(ends((index) => ({ description: long(index) }), 3)).toBe(3);
  });

  test("agents that ended alike before any work", () => {
    const note = "The agent never got to work. Its run ended in an error: no such tool";
    const dead = { state: "graded", checks: [], score: 0, passed: false, note } as const;
    const run = runOf({ taskId: "t1", agent: "failed", errorMessage: "no such tool" });
    const names = ["a", "b", "c", "d", "e"];
    const text = render(reportFrom(...names.map((name) => gradeOf(name, dead, { run }))));
    expect(text).toMatch(/^Why\n {2}❌ 5 checks · t1 · evals\/eval\.yaml:4\n {5}The agent never /);
    expect(text.match(/no such tool/g)).toHaveLength(1);
  });
});

test("a grade that failed without a failed check is reported with the others", () => {
  const odd: Verdict = { ...verdictOf(true, "all is fine"), passed: false } as Verdict;
  const text = render(
    reportFrom(
      gradeOf("odd", odd),
      ...Array.from({ length: 11 }, () => gradeOf("right", verdictOf(false, "no"))),
    ),
  );
  expect(text).toMatch(/^ {2}❌ odd · t1 · .*\n {5}\(the judge gave no detail\)$/m);
  expect(text).not.toContain("all is fine");
});

test("what is newly failing comes first, and a reason that only some have newly says so", () => {
  const made = (failed: (index: number) => boolean, reason = "no tests") =>
    Array.from({ length: 3 }, (_, index) => {
      const id = `t${String(index)}`;
      const job = { task: { id, name: id }, run: runOf({ taskId: id }) };
      return gradeOf("right", verdictOf(!failed(index), reason), job);
    });
  const now = made(() => true);
  const pageOf = (failedBefore: (index: number) => boolean) =>
    render({ ...reportFrom(...now), comparison: compare(rowsOf(made(failedBefore)), rowsOf(now)) });
  expect(pageOf((index) => index > 1)).toContain(
    "all 3 tasks that failed · evals/eval.yaml:4 (2 of them always passed in the baseline)",
  );
  for (const all of [() => true, () => false]) expect(pageOf(all)).not.toContain("of them always passed");
  const two = [gradeOf("old", verdictOf(false, "long")), gradeOf("fresh", verdictOf(false, "no"))];
  const before = [gradeOf("old", verdictOf(false, "long")), gradeOf("fresh", verdictOf(true, "yes"))];
  const text = render({ ...reportFrom(...two), comparison: compare(rowsOf(before), rowsOf(two)) });
  expect(text.indexOf("❌ fresh")).toBeLessThan(text.indexOf("❌ old"));
});

describe("the agreement with people is a sentence and the disagreements", () => {
  const label = (passed: boolean) => ({ passed }) as Parameters<typeof agreementOf>[0][number]["label"];
  const both = (person: boolean, judge: boolean, advisory?: true) => ({
    label: label(person),
    grade: graded({ passed: judge, advisory }),
  });
  const four = Array.from({ length: 4 }, () => both(true, true));

  test.each([
    [
      "with rates, disagreements and what is not counted",
      [
        ...four,
        both(true, false),
        both(false, false),
        both(false, true, true),
        both(true, false, true),
        { label: label(true), grade: ungraded("errored") },
      ],
      "the judge agrees on 4 of 5 grades that they passed (true pass rate 0.80) and on 1 of 1 grade that they failed; 3 disagreements (2 of advisory graders); 1 label of grades without a judge's verdict.",
    ],
    [
      "where all agree",
      [both(true, true)],
      "the judge agrees on 1 of 1 grade that they passed; 0 disagreements.",
    ],
    [
      "where nothing was judged",
      [{ label: label(true), grade: ungraded("errored") }],
      "no labelled grade that decides has a judge's verdict; 0 disagreements; 1 label of grades without a judge's verdict.",
    ],
  ])("%s", (_, labelled, expected) => {
    const report = {
      ...reportFrom(gradeOf("right", verdictOf(true, "yes"))),
      agreement: agreementOf(labelled),
    };
    const text = render(report, 500);
    expect(text).toContain(`Against people's labels: ${expected}`);
    const apart = labelled.filter(({ label, grade }) =>
      grade.state === "passed" ? !label.passed : grade.state === "failed" && label.passed,
    );
    expect(text.split("the person: ")).toHaveLength(
      1 + apart.length + (expected.includes("1 label of") ? 1 : 0),
    );
  });
});

test("a link is its text and its whole address", () => {
  const red = { ...reportFrom(gradeOf("right", verdictOf(false, "no"))), docs: "https://docs.example" };
  const conclusion = { ...red.conclusion, rule: "failed-grade" as const };
  expect(render({ ...red, conclusion }, 500)).toContain(
    "Is the judge wrong? (https://docs.example/labels.md) Say",
  );
});

test("the last line says what it took, advisory graders included; where nothing was to be graded nothing is said", () => {
  const recorded: Verdict = { ...verdictOf(true, "yes"), recorded: true } as Verdict;
  const text = render(reportFrom(gradeOf("right", recorded), tone(true, "kind")));
  expect(text.split("\n").at(-1)).toBe(
    "2.5 s · 4 requests · $0.0084 · 2,000 tokens in, 40 out · 1 verdict from the record",
  );
  expect(render(reportFrom())).toBe("");
});

test.each(ATTACKS)("a terminal obeys nothing of %s", (_, text) => {
  expect(render(reportWith(text))).not.toMatch(/\p{Cc}(?<!\n|\t)/u);
});
