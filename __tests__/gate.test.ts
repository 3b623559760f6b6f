import { describe, expect, test } from "@jest/globals";
import type { Conclusion, Counts, Policy, Problem, Scores } from "../src/domain.ts";
import { decide } from "../src/gate.ts";

interface Given extends Partial<Counts> {
  readonly score?: number;
  readonly problems?: readonly Problem[];
  readonly cancelled?: boolean;
  readonly dryRun?: boolean;
  readonly minScore?: number;
  readonly failOn?: Policy["failOn"];
  readonly onError?: Policy["onError"];
}

/** Decides over counts: `planned` is the sum of the others unless it is given. */
function decideOver({
  score,
  problems = [],
  cancelled,
  dryRun,
  minScore,
  failOn,
  onError,
  ...given
}: Given): Conclusion {
  const { passed = 0, failed = 0, errored = 0, skipped = 0 } = given;
  const counts: Counts = {
    planned: passed + failed + errored + skipped,
    passed,
    failed,
    errored,
    skipped,
    withoutResults: 0,
    errorClasses: errored > 0 ? ["server"] : [],
    incomplete: 0,
    checksPassed: 0,
    checksFailed: 0,
    recorded: 0,
    judgeCalls: 0,
    tokens: { input: 0, output: 0, cached: 0 },
    ...given,
  };
  const scores: Scores = { suites: [], counts, ...(score === undefined ? {} : { score, unweighted: score }) };
  const policy: Policy = {
    failOn: failOn ?? "fail",
    onError: onError ?? "fail",
    ...(minScore === undefined ? {} : { minScore }),
  };
  const more = {
    ...(cancelled === undefined ? {} : { cancelled }),
    ...(dryRun === undefined ? {} : { dryRun }),
  };
  return decide({ scores, problems, policy, ...more });
}

function problem(level: Problem["level"], message: string): Problem {
  return { level, message };
}

const BROKEN = problem("error", "`eval.yaml` is not valid YAML.");

type Case = [string, Given, Omit<Conclusion, "conclusion">];

/** Each case in prose, what is given, and the whole conclusion but its first word, which the block's name says. */
function cases(conclusion: Conclusion["conclusion"], table: Case[]): void {
  test.each(table)("%s", (_case, given, expected) => {
    expect(decideOver(given)).toEqual({ conclusion, ...expected });
  });
}

describe("rule 1: a configuration problem is a failure", () => {
  const failed = { check: "failure", rule: "configuration", passed: false } as const;
  cases("failure", [
    [
      "whatever the grades say",
      { passed: 3, score: 1, problems: [BROKEN] },
      { ...failed, sentence: "Failed: configuration problem: `eval.yaml` is not valid YAML." },
    ],
    [
      "whatever fail-on and on-error say",
      { passed: 3, score: 1, problems: [BROKEN], failOn: "never", onError: "warn" },
      { ...failed, sentence: "Failed: configuration problem: `eval.yaml` is not valid YAML." },
    ],
    [
      "with nothing planned",
      { problems: [BROKEN], failOn: "never" },
      { ...failed, sentence: "Failed: configuration problem: `eval.yaml` is not valid YAML." },
    ],
    [
      "before a cancellation and all else",
      { failed: 1, errored: 1, score: 0, cancelled: true, minScore: 1, problems: [BROKEN] },
      { ...failed, sentence: "Failed: configuration problem: `eval.yaml` is not valid YAML." },
    ],
    [
      "the first is named and the others are counted; warnings are neither",
      {
        passed: 1,
        score: 1,
        problems: [
          problem("warning", "Odd."),
          problem("error", "First."),
          problem("notice", "By the way."),
          problem("error", "Second."),
          problem("error", "Third."),
        ],
      },
      { ...failed, sentence: "Failed: configuration problem: First. (and 2 more)" },
    ],
  ]);
});

describe("rule 2: a cancelled run is a failure", () => {
  const cancelled = { check: "cancelled", rule: "cancelled", passed: false } as const;
  cases("failure", [
    [
      "with grades left over",
      { passed: 1, errored: 2, score: 1, cancelled: true },
      { ...cancelled, sentence: "Cancelled: 1 of 3 graded, 2 errored" },
    ],
    [
      "whatever fail-on and on-error say",
      { passed: 1, errored: 2, score: 1, cancelled: true, failOn: "never", onError: "warn" },
      { ...cancelled, sentence: "Cancelled: 1 of 3 graded, 2 errored" },
    ],
    [
      "before failed and errored grades",
      { failed: 2, errored: 1, score: 0, cancelled: true, minScore: 0.5 },
      { ...cancelled, sentence: "Cancelled: 2 of 3 graded, 1 errored" },
    ],
  ]);
});

describe("a dry run", () => {
  const dry = { check: "neutral", rule: "dry-run", passed: false } as const;
  cases("success", [
    [
      "asks nobody, on purpose",
      { skipped: 4, dryRun: true, minScore: 0.9 },
      { ...dry, sentence: "Dry run: 4 grades to make, no judge was asked" },
    ],
    [
      "does not count tasks without results",
      { skipped: 4, withoutResults: 1, dryRun: true },
      { ...dry, sentence: "Dry run: 3 grades to make, no judge was asked" },
    ],
  ]);
  cases("failure", [
    [
      "still fails for a configuration problem",
      { skipped: 1, dryRun: true, problems: [BROKEN] },
      {
        check: "failure",
        rule: "configuration",
        passed: false,
        sentence: "Failed: configuration problem: `eval.yaml` is not valid YAML.",
      },
    ],
  ]);
});

describe("rule 3: grades without a verdict are a failure", () => {
  const errored = { check: "failure", rule: "errored", passed: false } as const;
  const none = { check: "failure", rule: "none-graded", passed: false } as const;
  cases("failure", [
    [
      "when one errored",
      { passed: 3, errored: 1, score: 1 },
      {
        ...errored,
        sentence: "Failed: 1 of 4 grades errored without a verdict (server), score 1.00 (3 of 4 graded)",
      },
    ],
    [
      "when one errored and others failed, which is said too",
      { passed: 1, failed: 2, errored: 1, score: 0.5 },
      {
        ...errored,
        sentence:
          "Failed: 1 of 4 grades errored without a verdict (server), 2 failed, score 0.50 (3 of 4 graded)",
      },
    ],
    [
      "when the only one errored",
      { errored: 1 },
      { ...errored, sentence: "Failed: 1 of 1 grade errored without a verdict (server) (0 of 1 graded)" },
    ],
    [
      "when they were skipped for want of a key",
      { skipped: 2 },
      { ...errored, sentence: "Failed: 2 of 2 grades skipped (0 of 2 graded)" },
    ],
    [
      "under fail-on: score too",
      { passed: 1, errored: 1, score: 1, failOn: "score", minScore: 0.5 },
      {
        ...errored,
        sentence: "Failed: 1 of 2 grades errored without a verdict (server), score 1.00 (1 of 2 graded)",
      },
    ],
    [
      "before the minimum score",
      { failed: 1, errored: 1, score: 0, minScore: 0.5 },
      {
        ...errored,
        sentence:
          "Failed: 1 of 2 grades errored without a verdict (server), 1 failed, score 0.00 (1 of 2 graded)",
      },
    ],
    [
      "when all were planned and none was graded, for want of results",
      { skipped: 2, withoutResults: 2 },
      { ...none, sentence: "Failed: no grade was made (0 of 2 graded, 2 skipped)" },
    ],
    [
      "and those without results are not counted among them",
      { passed: 1, errored: 1, skipped: 2, withoutResults: 2, score: 1 },
      {
        ...errored,
        sentence: "Failed: 1 of 4 grades errored without a verdict (server), score 1.00 (1 of 4 graded)",
      },
    ],
  ]);
});

describe("rule 3 lets pass", () => {
  cases("success", [
    [
      "errored grades under on-error: warn",
      { passed: 3, errored: 1, score: 1, onError: "warn" },
      {
        check: "success",
        rule: "passed",
        passed: false,
        sentence: "Passed: 3 of 4 grades passed, score 1.00 (3 of 4 graded, 1 errored)",
      },
    ],
    [
      "errored grades under fail-on: never, as neutral",
      { passed: 3, errored: 1, score: 1, failOn: "never" },
      {
        check: "neutral",
        rule: "passed",
        passed: false,
        sentence: "Passed: 3 of 4 grades passed, score 1.00 (3 of 4 graded, 1 errored)",
      },
    ],
    [
      "grades without results, when others were graded",
      { passed: 1, skipped: 2, withoutResults: 2, score: 1 },
      {
        check: "success",
        rule: "passed",
        passed: false,
        sentence: "Passed: 1 of 3 grades passed, score 1.00 (1 of 3 graded, 2 skipped)",
      },
    ],
    [
      "grades without results under fail-on: never, which is nothing red",
      { passed: 1, skipped: 1, withoutResults: 1, score: 1, failOn: "never" },
      {
        check: "success",
        rule: "passed",
        passed: false,
        sentence: "Passed: 1 of 2 grades passed, score 1.00 (1 of 2 graded, 1 skipped)",
      },
    ],
  ]);
});

describe("rule 4: a score below the minimum is a failure", () => {
  const low = { check: "failure", rule: "min-score", passed: false } as const;
  cases("failure", [
    [
      "under fail-on: fail",
      { passed: 1, failed: 1, score: 0.5, minScore: 0.8 },
      { ...low, sentence: "Failed: score 0.50 is below the minimum of 0.80 (2 of 2 graded)" },
    ],
    [
      "under fail-on: score",
      { passed: 1, failed: 1, score: 0.5, minScore: 0.8, failOn: "score" },
      { ...low, sentence: "Failed: score 0.50 is below the minimum of 0.80 (2 of 2 graded)" },
    ],
    [
      "under on-error: warn, with what was graded",
      { failed: 1, errored: 1, score: 0.25, minScore: 0.5, onError: "warn" },
      { ...low, sentence: "Failed: score 0.25 is below the minimum of 0.50 (1 of 2 graded, 1 errored)" },
    ],
    [
      "when there is no score, because all errored and on-error is warn",
      { errored: 2, minScore: 0.5, onError: "warn" },
      { ...low, sentence: "Failed: no score, the minimum of 0.50 is not reached (0 of 2 graded, 2 errored)" },
    ],
    [
      "when there is no score, because there were no results and on-error is warn",
      { skipped: 1, withoutResults: 1, minScore: 0.5, onError: "warn" },
      { ...low, sentence: "Failed: no score, the minimum of 0.50 is not reached (0 of 1 graded, 1 skipped)" },
    ],
    [
      "by little, which the decimals show",
      { failed: 1, score: 0.7996, minScore: 0.8 },
      { ...low, sentence: "Failed: score 0.7996 is below the minimum of 0.80 (1 of 1 graded)" },
    ],
    [
      "of 1, missed by little",
      { passed: 399, failed: 1, score: 0.9975, minScore: 1 },
      { ...low, sentence: "Failed: score 0.998 is below the minimum of 1.00 (400 of 400 graded)" },
    ],
    [
      "with more decimals than two, which are shown",
      { failed: 1, score: 0.854, minScore: 0.855 },
      { ...low, sentence: "Failed: score 0.85 is below the minimum of 0.855 (1 of 1 graded)" },
    ],
    [
      "of nearly 1, which is not shown as something else",
      { failed: 1, score: 0.5, minScore: 0.999 },
      { ...low, sentence: "Failed: score 0.50 is below the minimum of 0.999 (1 of 1 graded)" },
    ],
  ]);

  test("the sentence never names a minimum that the named score reaches", () => {
    for (const minScore of [0.001, 0.0049, 0.1 + 0.2, 1 / 3, 0.5, 0.705, 0.7051, 0.855, 0.995, 0.999, 1]) {
      for (const score of [minScore - 1e-8, minScore - 1e-4, minScore - 5e-4, minScore * 0.994, 0]) {
        const { rule, sentence } = decideOver({ failed: 1, score, minScore });
        expect(rule).toBe("min-score");
        const [, shown, minimum] =
          /score ([\d.e-]+) is below the minimum of ([\d.e-]+) /.exec(sentence) ?? [];
        expect([sentence, Number(shown) < Number(minimum)]).toEqual([sentence, true]);
      }
    }
  });
});

describe("rule 4 lets pass", () => {
  const passed = { check: "success", rule: "passed", passed: true } as const;
  cases("success", [
    [
      "a score that is the minimum",
      { passed: 1, score: 1, minScore: 1 },
      { ...passed, sentence: "Passed: 1 of 1 grade passed, score 1.00 (1 of 1 graded)" },
    ],
    [
      "a minimum of 0",
      { failed: 1, score: 0, minScore: 0, failOn: "score" },
      {
        ...passed,
        passed: false,
        sentence: "Passed: 1 of 1 grade failed, which this gate lets pass, score 0.00 (1 of 1 graded)",
      },
    ],
    [
      "three runs of 0.7 with a minimum of 0.7, whose mean is a little less in floating point",
      { failed: 3, score: (0.7 + 0.7 + 0.7) / 3, minScore: 0.7, failOn: "score" },
      {
        ...passed,
        passed: false,
        sentence: "Passed: 3 of 3 grades failed, which this gate lets pass, score 0.70 (3 of 3 graded)",
      },
    ],
    [
      "a score below the minimum under fail-on: never, as neutral",
      { failed: 1, score: 0.2, minScore: 0.8, failOn: "never" },
      {
        check: "neutral",
        rule: "passed",
        passed: false,
        sentence: "Passed: 1 of 1 grade failed, which this gate lets pass, score 0.20 (1 of 1 graded)",
      },
    ],
  ]);

  test("the mean of three times 0.7 is really below 0.7", () => {
    expect((0.7 + 0.7 + 0.7) / 3).toBeLessThan(0.7);
  });

  test.each([
    ["a hundred-millionth below is below", 0.7 - 1e-8, "failure"],
    [
      "what adding up a hundred scores loses is not",
      Array(100)
        .fill(0.7)
        .reduce((a: number, b: number) => a + b, 0) / 100,
      "success",
    ],
  ])("%s", (_case, score, conclusion) => {
    expect(decideOver({ failed: 1, score, minScore: 0.7, failOn: "score" }).conclusion).toBe(conclusion);
  });
});

describe("rule 5: a failed grade under fail-on: fail is a failure", () => {
  const failed = { check: "failure", rule: "failed-grade", passed: false } as const;
  cases("failure", [
    [
      "one of several",
      { passed: 2, failed: 1, score: 0.9 },
      { ...failed, sentence: "Failed: 1 of 3 grades failed, score 0.90 (3 of 3 graded)" },
    ],
    [
      "though the minimum score is reached",
      { passed: 2, failed: 1, score: 0.9, minScore: 0.8 },
      { ...failed, sentence: "Failed: 1 of 3 grades failed, score 0.90 (3 of 3 graded)" },
    ],
    [
      "beside errored ones under on-error: warn",
      { failed: 1, errored: 1, score: 0, onError: "warn" },
      { ...failed, sentence: "Failed: 1 of 2 grades failed, score 0.00 (1 of 2 graded, 1 errored)" },
    ],
    [
      "and a score of nearly 1 is not rounded up to it",
      { passed: 999, failed: 1, score: 0.9995 },
      { ...failed, sentence: "Failed: 1 of 1,000 grades failed, score 0.99 (1,000 of 1,000 graded)" },
    ],
  ]);
});

describe("rule 6: all else is a success", () => {
  const passed = { check: "success", rule: "passed", passed: true } as const;
  cases("success", [
    [
      "every grade passed",
      { passed: 4, score: 1 },
      { ...passed, sentence: "Passed: 4 of 4 grades passed, score 1.00 (4 of 4 graded)" },
    ],
    [
      "every grade passed under fail-on: never, which is not neutral",
      { passed: 4, score: 1, failOn: "never", onError: "warn" },
      { ...passed, sentence: "Passed: 4 of 4 grades passed, score 1.00 (4 of 4 graded)" },
    ],
    [
      "failed grades under fail-on: score, with the minimum reached",
      { passed: 1, failed: 1, score: 0.75, minScore: 0.7, failOn: "score" },
      {
        ...passed,
        passed: false,
        sentence: "Passed: 1 of 2 grades failed, which this gate lets pass, score 0.75 (2 of 2 graded)",
      },
    ],
    [
      "failed grades under fail-on: never, as neutral",
      { passed: 1, failed: 1, score: 0.5, failOn: "never" },
      {
        ...passed,
        check: "neutral",
        passed: false,
        sentence: "Passed: 1 of 2 grades failed, which this gate lets pass, score 0.50 (2 of 2 graded)",
      },
    ],
    [
      "every grade passed, with a warning: a success that is not `passed`",
      { passed: 1, score: 1, problems: [problem("warning", "Odd.")] },
      { ...passed, passed: false, sentence: "Passed: 1 of 1 grade passed, score 1.00 (1 of 1 graded)" },
    ],
    [
      "every grade passed, with a notice of unknown keys: `passed` all the same",
      { passed: 1, score: 1, problems: [problem("notice", "Ignored.")] },
      { ...passed, sentence: "Passed: 1 of 1 grade passed, score 1.00 (1 of 1 graded)" },
    ],
  ]);
});

describe("nothing to do is a success, and says so", () => {
  const nothing = {
    check: "success",
    rule: "nothing-to-do",
    passed: true,
    sentence: "Passed: nothing to grade (no enabled task with a prompt grader)",
  } as const;
  cases("success", [
    ["by default", {}, nothing],
    ["with a minimum score", { minScore: 0.8 }, nothing],
    ["under fail-on: score", { minScore: 0.8, failOn: "score" }, nothing],
    ["under fail-on: never", { failOn: "never" }, nothing],
    [
      "under fail-on: never with a minimum score: nothing is red",
      { minScore: 0.8, failOn: "never" },
      nothing,
    ],
  ]);
});

describe("the sentence", () => {
  test.each<[string, Given, string]>([
    [
      "tells errored grades from skipped ones",
      { passed: 3, errored: 1, skipped: 10, score: 1 },
      "Failed: 11 of 14 grades without a verdict: 1 errored (server), 10 skipped, score 1.00 (3 of 14 graded)",
    ],
    [
      "shows as many decimals as a missed minimum takes",
      { passed: 44, failed: 1, failOn: "score", score: 44 / 45, minScore: 0.97778 },
      "Failed: score 0.977778 is below the minimum of 0.97778 (45 of 45 graded)",
    ],
  ])("%s", (_case, given, sentence) => {
    expect(decideOver(given).sentence).toBe(sentence);
  });
});
