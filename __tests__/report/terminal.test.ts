/** The page of the terminal. */
import { describe, expect, test } from "@jest/globals";
import { compare } from "../../src/decide/compare.ts";
import type { Report } from "../../src/report/report.ts";
import type { Votes } from "../../src/domain/grade.ts";
import { scoreApart } from "../../src/results/score.ts";
import { agreementOf } from "../../src/labels/agreement.ts";
import { renderReport } from "../../src/report/publishers/terminal.ts";
import { ATTACKS } from "../support/attacks.ts";
import { suiteOf, times } from "../support/factories.ts";
import { erroredOf, fail, gradeOf, pass, verdictOf, type Made } from "../support/grades.ts";
import { reportOfRows } from "../support/reports.ts";
import { rowsOf, graded, ungraded } from "../support/rows.ts";
import { reportWith } from "../support/hostile-report.ts";

const SUITE = suiteOf({ title: "demo" });
const render = (report: Report, columns = 200) => renderReport(report, { columns, style: (_, text) => text });

/** A grade of the task `t1`, which cost something. */
const made = (name: string, verdict: Made["verdict"], more: Partial<Made> = {}): Made => ({
  ...{ verdict, suite: SUITE, task: "t1", requests: 2, cost: 0.0042 },
  grader: { name },
  ...more,
});
const green = (name: string, reason: string) => made(name, verdictOf([pass(undefined, reason)]));
const red = (name: string, reason: string) => made(name, verdictOf([fail(undefined, reason)]));
const tone = (one: Made): Made => ({ ...one, grader: { name: "tone" }, job: { advisory: true } });

const rowsOfMade = (all: readonly Made[]) => rowsOf(all.map(gradeOf));

function reportFrom(...all: readonly Made[]): Report {
  const { scores, advisory } = scoreApart([SUITE], rowsOfMade(all));
  return { ...reportOfRows([SUITE], []), scores, advisory: advisory && { scores: advisory } };
}

describe("advisory graders", () => {
  test("have a list of their own, with the reasons of those that failed", () => {
    const advisory = [tone(red("tone", "It is rude.")), tone(green("tone", "kind"))];
    const text = render(reportFrom(green("right", "it is"), ...advisory));
    expect(text).toMatch(
      /^Advisory graders \(no effect on the result\)\n {2}tone · 1 of 2 passed\n {5}❌ t1 — It is rude\.\n\n/,
    );
  });

  test("without a verdict are counted, and of many failed ones a few are listed", () => {
    const rude = times(23, () => tone(red("tone", "It is rude.")));
    const text = render(reportFrom(...rude, tone(made("tone", erroredOf()))));
    expect(text).toContain("0 of 23 passed · ⚠️ 1 without a verdict");
    expect(text.match(/It is rude/g)).toHaveLength(3);
    expect(text).toContain("… and 20 more");
  });
});

test("a first green shows each check with its reason, many or compared ones do not", () => {
  const few = reportFrom(green("right", "It is."), green("short", "It has one line."));
  expect(render(few)).toMatch(/✅ It is\.\n[^]*✅ It has one line\./);
  expect(render(reportFrom(...times(6, (at) => green(`g${String(at)}`, "It is."))))).not.toContain("It is.");
});

describe("votes", () => {
  test("stand beside a failed grade, and a passed one is reported where not all passed it", () => {
    const voted = (one: Made, passed: number, failed: number, errored: number): Made => {
      const votes: Votes = { passed, failed, errored };
      return { ...one, verdict: { ...one.verdict, votes } as Made["verdict"] };
    };
    const text = render(
      reportFrom(
        voted(red("right", "because"), 1, 2, 0),
        voted(green("short", "because"), 2, 1, 0),
        voted(green("kind", "because"), 2, 0, 1),
        voted(green("clear", "because"), 2, 0, 0),
      ),
    );
    expect(text).toMatch(/^ {2}❌ right · t1 · failed in 2 of 3 votes · evals\/eval\.yaml:4\n {5}because$/m);
    expect(text).toMatch(
      /^Passed by a majority: short · t1: passed in 2 of 3 votes, kind · t1: passed in 2 of 3 votes, 1 errored\.$/m,
    );
    expect(text).not.toContain("clear");
  });

  test("have each check once, however often and for whatever reason it was called", () => {
    const checks = ["short", "short", "kind"].map((one, index) => fail(one, `because ${String(index)}`));
    const votes = { passed: 0, failed: 3, errored: 0 };
    const text = render(reportFrom(made("right", verdictOf(checks, { votes }))));
    expect(text.match(/short|kind/g)).toEqual(["short", "kind"]);
  });
});

describe("what several grades have in common is reported once", () => {
  test("an error of several files, each named beside its grade", () => {
    const noEvidence = (file: string) =>
      erroredOf({ class: "no-evidence", message: "The run holds nothing.", help: "Look.", file });
    const text = render(
      reportFrom(made("right", noEvidence("out/a.md")), made("short", noEvidence("out/b.md"))),
    );
    expect(text).toContain(
      "⚠️ no-evidence: The run holds nothing. What to do: Look.\n  right · t1 (out/a.md)\n  short · t1 (out/b.md)\n",
    );
    expect(text.match(/The run holds nothing/g)).toHaveLength(1);
  });

  test("failures of one grader for the same reasons, and other reasons apart", () => {
    const rude = times(99, () => red("right", "It is rude."));
    const text = render(reportFrom(...rude, red("right", "It is long.")));
    expect(text).toMatch(
      /^Why\n {2}❌ right · t1 · evals\/eval\.yaml:4\n {5}It is rude\.\n {2}❌ right · t1 · evals\/eval\.yaml:4\n {5}It is long\./,
    );
  });

  test("of many failures each reason is reported to its end, also one that is a description", () => {
    const long = (index: number) => `because ${String(index)} ${"long ".repeat(100)}END`;
    const ends = (checkOf: (index: number) => ReturnType<typeof fail>, number: number) =>
      render(reportFrom(...times(number, (index) => made("right", verdictOf([checkOf(index)]))))).match(
        /END/g,
      )?.length;
    expect(ends((index) => fail(undefined, long(index)), 600)).toBe(600);
    expect(ends((index) => fail(long(index)), 3)).toBe(3);
  });

  test("agents that ended alike before any work", () => {
    const note = "The agent never got to work. Its run ended in an error: no such tool";
    const run = { agent: "failed", errorMessage: "no such tool" } as const;
    const dead = ["a", "b", "c", "d", "e"].map((name) => made(name, verdictOf([], { note }), { run }));
    const text = render(reportFrom(...dead));
    expect(text).toMatch(/^Why\n {2}❌ 5 checks · t1 · evals\/eval\.yaml:4\n {5}The agent never /);
    expect(text.match(/no such tool/g)).toHaveLength(1);
  });
});

test("a grade that failed without a failed check is reported with the others", () => {
  const odd = verdictOf([pass(undefined, "all is fine")], { passed: false });
  const text = render(reportFrom(made("odd", odd), ...times(11, () => red("right", "no"))));
  expect(text).toMatch(/^ {2}❌ odd · t1 · .*\n {5}\(the judge gave no detail\)$/m);
  expect(text).not.toContain("all is fine");
});

test("what is newly failing comes first, and a reason that only some have newly says so", () => {
  const three = (failed: (index: number) => boolean) =>
    times(3, (index) => ({
      ...(failed(index) ? red : green)("right", "no tests"),
      task: `t${String(index)}`,
    }));
  const now = three(() => true);
  const pageOf = (failedBefore: (index: number) => boolean) =>
    render({ ...reportFrom(...now), comparison: compare(rowsOfMade(three(failedBefore)), rowsOfMade(now)) });
  expect(pageOf((index) => index > 1)).toContain(
    "all 3 tasks that failed · evals/eval.yaml:4 (2 of them always passed in the baseline)",
  );
  for (const all of [() => true, () => false]) expect(pageOf(all)).not.toContain("of them always passed");
  const two = [red("old", "long"), red("fresh", "no")];
  const before = rowsOfMade([red("old", "long"), green("fresh", "yes")]);
  const text = render({ ...reportFrom(...two), comparison: compare(before, rowsOfMade(two)) });
  expect(text.indexOf("❌ fresh")).toBeLessThan(text.indexOf("❌ old"));
});

describe("the agreement with people is a sentence and the disagreements", () => {
  const label = (passed: boolean) => ({ passed }) as Parameters<typeof agreementOf>[0][number]["label"];
  const both = (person: boolean, judge: boolean, advisory?: true) => ({
    label: label(person),
    grade: graded({ passed: judge, advisory }),
  });
  const four = times(4, () => both(true, true));

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
    const text = render({ ...reportFrom(green("right", "yes")), agreement: agreementOf(labelled) }, 500);
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
  const report = { ...reportFrom(red("right", "no")), docs: "https://docs.example" };
  const conclusion = { ...report.conclusion, rule: "failed-grade" as const };
  expect(render({ ...report, conclusion }, 500)).toContain(
    "Is the judge wrong? (https://docs.example/judges.md#is-the-judge-right) Say",
  );
});

test("the last line says what it took, advisory graders included; where nothing was to be graded nothing is said", () => {
  const recorded = made("right", verdictOf([pass()], { recorded: true }));
  const text = render(reportFrom(recorded, tone(green("tone", "kind"))));
  expect(text.split("\n").at(-1)).toBe(
    "2.5 s · 4 requests · 1 verdict from the record · $0.0084 · 2,000 tokens in, 40 out",
  );
  expect(render(reportFrom())).toBe("");
});

test.each(ATTACKS)("a terminal obeys nothing of %s", (_, text) => {
  expect(render(reportWith(text))).not.toMatch(/\p{Cc}(?<!\n|\t)/u);
});
