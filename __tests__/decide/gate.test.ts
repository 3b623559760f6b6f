import { describe, expect, test } from "@jest/globals";
import type { Conclusion, Grade, Policy, Verdict } from "../../src/domain/grade.ts";
import type { Problem } from "../../src/domain/problem.ts";
import type { Scores } from "../../src/domain/row.ts";
import { decide, isBaselineWorthy } from "../../src/decide/gate.ts";
import { missingProblems, missingSentence } from "../../src/decide/run-problems.ts";
import { absenceOf } from "../../src/decide/pairs.ts";
import { compare } from "../../src/decide/compare.ts";
import { scoreGrades } from "../../src/results/score.ts";
import { rowsOf } from "../support/rows.ts";
import { problemOf } from "../support/factories.ts";
import { FAILED, MISSING, PASSED, SUITE, erroredOf, gradeOf, type Made } from "../support/grades.ts";

interface Given {
  /** How many grades there are of each kind, each of a task of its own called `<kind>-<number>`. */
  readonly passed?: number;
  readonly failed?: number;
  /** Failed too, and marked incomplete. */
  readonly incomplete?: number;
  /** Failed, since the agent ended with this error; one for each. */
  readonly dead?: readonly string[];
  /** Failed, or passed as recorded, without a check. */
  readonly silent?: number;
  /** Failed, and made again by a later attempt. */
  readonly again?: number;
  readonly bare?: number;
  readonly errored?: number;
  readonly noKey?: number;
  readonly capped?: number;
  readonly missing?: number;
  /** The tasks of these ids are golden. */
  readonly golden?: readonly string[];
  /** The mean of all that is graded: each failed grade has the score that leads to it; without it, 0. */
  readonly score?: number;
  readonly problems?: readonly Problem[];
  readonly cancelled?: boolean;
  readonly dryRun?: boolean;
  readonly narrowed?: boolean;
  readonly unchangedBy?: "pull request";
  readonly minScore?: number;
  readonly failOn?: Policy["failOn"];
  /** The grades of the baseline; without it nothing is compared. */
  readonly baseline?: Given;
  /** The baseline is to lie in the checkout. */
  readonly inCheckout?: boolean;
  /** The pull request has the label that accepts a drop. */
  readonly accepted?: string;
  /** How many advisory grades there are beside these. */
  readonly advisory?: number;
  readonly onError?: Policy["onError"];
  readonly onMissing?: Policy["onMissing"];
}

const VERDICTS = {
  passed: PASSED,
  failed: FAILED,
  silent: { ...FAILED, checks: [] },
  again: FAILED,
  bare: { ...PASSED, checks: [] },
  incomplete: { ...FAILED, incomplete: { class: "cut-off", message: "It was cut off." } },
  errored: erroredOf(),
  noKey: { state: "skipped", cause: "no-key", reason: "a fork" },
  capped: { state: "skipped", cause: "cap", reason: "`max-judge-calls: 9` was reached" },
  missing: MISSING,
} satisfies Record<string, Verdict>;
const DEAD: Verdict = { ...FAILED, checks: [], note: "The agent never got to work." };
/** What a dry run leaves of a grade. */
const UNASKED: Verdict = { state: "skipped", cause: "dry-run", reason: "A dry run asks no judge." };

function gradesOf({ dead = [], golden = [], dryRun = false, ...given }: Given): Grade[] {
  const make = (id: string, verdict: Verdict, more: Partial<Made>): Grade =>
    gradeOf({
      verdict: dryRun && verdict.state !== "graded" ? UNASKED : verdict,
      task: id,
      ...more,
      job: { task: { id, name: id, golden: golden.includes(id) }, ...more.job },
    });
  const counted = Object.entries(VERDICTS).flatMap(([kind, verdict]) =>
    Array.from({ length: given[kind as keyof typeof VERDICTS] ?? 0 }, (_, index) => {
      const isFailed = verdict.state === "graded" && !verdict.passed && kind !== "silent";
      return make(
        `${kind}-${String(index + 1)}`,
        isFailed ? { ...verdict, score: scoreOfFailed(given, dead.length) } : verdict,
        kind === "missing"
          ? { run: null, job: { missing: { number: 1, model: "" } } }
          : { run: { hasLaterAttempt: kind === "again" ? true : undefined } },
      );
    }),
  );
  const died = dead.map((errorMessage, index) =>
    make(`dead-${String(index + 1)}`, DEAD, { run: { agent: "failed", errorMessage } }),
  );
  return [...counted, ...died];
}

function scoreOfFailed(given: Given, dead: number): number {
  const { score, passed = 0, bare = 0, failed = 0, incomplete = 0, again = 0, silent = 0 } = given;
  const judged = failed + incomplete + again;
  if (score === undefined) return 0;
  const each = (score * (judged + passed + bare + silent + dead) - passed - bare) / judged;
  if (each < -1e-9 || each > 1) throw new Error(`No grades have a mean of ${String(score)}.`);
  return Math.max(0, each);
}

/** Decides over grades of these kinds. */
function decideOver(given: Given): Conclusion {
  return decided(given).conclusion;
}

function decided(given: Given): { readonly scores: Scores; readonly conclusion: Conclusion } {
  const { failOn = "fail", onError = "fail", onMissing = "fail", minScore, problems = [] } = given;
  const { accepted, advisory, baseline, cancelled, dryRun, inCheckout, narrowed, unchangedBy } = given;
  const records = (of: Given) => rowsOf(gradesOf(of));
  const scores = scoreGrades([SUITE], records(given));
  const before = records(baseline ?? {});
  const source = { absent: absenceOf(before), inCheckout, branch: "main" };
  const conclusion = decide({
    ...{ scores, problems, accepted, advisory, cancelled, dryRun, narrowed, unchangedBy },
    policy: { failOn, onError, onMissing, ...(minScore === undefined ? {} : { minScore }) },
    comparison: baseline && compare(before, records(given), source),
  });
  return { scores, conclusion };
}

test.each<[string, Given, boolean]>([
  ["all passed", { passed: 2 }, true],
  ["some failed: red results are kept, too", { passed: 1, failed: 2 }, true],
  ["an interrupted judge whose failure is certain", { passed: 1, incomplete: 1 }, true],
  ["nothing passed", { failed: 2 }, false],
  ["nothing graded", {}, false],
  ["an agent that did not start", { passed: 2, dead: ["token expired"] }, false],
  ["a silent judge", { passed: 2, silent: 1 }, false],
  ["an errored grade", { passed: 2, errored: 1, onError: "warn" }, false],
  ["a capped grade", { passed: 2, capped: 1, onError: "warn" }, false],
  ["a missing run", { passed: 2, missing: 1, onMissing: "warn" }, false],
  ["a configuration problem", { passed: 2, problems: [problemOf("error", "x")] }, false],
  ["a cancelled workflow", { passed: 2, cancelled: true }, false],
  ["a dry run", { passed: 2, dryRun: true }, false],
])("may be kept as a baseline: %s", (_case, given, expected) => {
  expect(isBaselineWorthy(decided(given))).toBe(expected);
});

const BROKEN = problemOf("error", "`eval.yaml` is not valid YAML.");

/** What a block's cases have in common. */
type Common = Pick<Conclusion, "conclusion" | "check" | "rule" | "passed">;
/** The sentence where the block asserts it for the first time, or what is otherwise than in the other cases. */
type Case = [name: string, given: Given, expected?: Conclusion["sentence"] | Partial<Conclusion>];

const GREEN: Common = { conclusion: "success", check: "success", rule: "passed", passed: true };
const LET_PASS: Common = { ...GREEN, passed: false };
const NEUTRAL = { check: "neutral" } as const;
const failedBy = (rule: Conclusion["rule"]): Common => ({
  conclusion: "failure",
  check: "failure",
  rule,
  passed: false,
});

function cases(common: Common, table: Case[]): void {
  test.each(table)("%s", (...[, given, expected = {}]) => {
    const own = typeof expected === "string" ? { sentence: expected } : expected;
    expect(decideOver(given)).toMatchObject({ ...common, ...own });
  });
}

test.each<[string, Given, string]>([
  [
    "fail: the newest attempt decides alone",
    { again: 1, passed: 3 },
    "Passed: 1 of 4 tasks failed in an earlier attempt only: the newest of each run decides. Score 0.75 (3 of 4 checks passed)",
  ],
  [
    "fail: what failed before is counted",
    { again: 1, failed: 1, passed: 2 },
    "Failed: 2 of 4 tasks fail, 1 of them in an earlier attempt. Score 0.50 (2 of 4 checks passed)",
  ],
  [
    "a golden task: the newest attempt decides alone",
    { again: 1, passed: 1, golden: ["again-1"], failOn: "score", minScore: 0, score: 0.5 },
    "Passed: score 0.50, needs 0.00; 1 of 2 tasks fails. 1 of 2 checks passed",
  ],
  [
    "regression: both attempts count",
    { again: 4, passed: 4, failOn: "regression", baseline: { again: 1, passed: 5 } },
    "Failed: main has no result of the tasks `again-2`, `again-3`, `again-4` yet (new, renamed or moved), and they failed; 1 task of main is gone (`passed-5`). Not worse than main in all: score 0.80, as on main, over 5 of 8 tasks. 1 task fails that never passed on main. Score of all grades 0.50 (4 of 8 checks passed)",
  ],
])("several attempts under %s", (_case, given, sentence) => {
  expect(decideOver(given).sentence).toContain(sentence);
});

describe("rule 1: a configuration problem is a failure", () => {
  cases(failedBy("configuration"), [
    [
      "regardless of the grades",
      { passed: 3, score: 1, problems: [BROKEN] },
      "Failed: configuration problem: `eval.yaml` is not valid YAML",
    ],
    [
      "regardless of fail-on and on-error",
      { passed: 3, score: 1, problems: [BROKEN], failOn: "never", onError: "warn" },
    ],
    ["with nothing planned", { problems: [BROKEN], failOn: "never" }],
    [
      "before a cancellation and all else",
      { failed: 1, errored: 1, score: 0, cancelled: true, minScore: 1, problems: [BROKEN] },
    ],
    [
      "the first is named and the others are counted; warnings are neither",
      {
        passed: 1,
        score: 1,
        problems: [
          problemOf("warning", "Odd."),
          problemOf("error", "First."),
          problemOf("notice", "By the way."),
          problemOf("error", "Second."),
          problemOf("error", "Third."),
        ],
      },
      "Failed: configuration problem: First. 2 more problems, listed with it",
    ],
  ]);
});

describe("rule 2: a cancelled run is a failure", () => {
  cases({ ...failedBy("cancelled"), check: "cancelled" }, [
    [
      "with grades left over",
      { passed: 1, errored: 2, score: 1, cancelled: true },
      "Cancelled: 1 of 3 graded, 2 errored. With `cache-dir`, no verdict is paid for twice",
    ],
    [
      "regardless of fail-on and on-error",
      { passed: 1, errored: 2, score: 1, cancelled: true, failOn: "never", onError: "warn" },
    ],
    ["before failed and errored grades", { failed: 2, errored: 1, score: 0, cancelled: true, minScore: 0.5 }],
  ]);
});

describe("rule 3: a dry run is a success", () => {
  cases({ ...LET_PASS, ...NEUTRAL, rule: "dry-run" }, [
    [
      "asks no judge, on purpose",
      { errored: 4, dryRun: true, minScore: 0.9 },
      "Dry run: 4 grades planned, no judge was asked",
    ],
    ["asks about missing runs too: it may come before the agent", { errored: 1, missing: 3, dryRun: true }],
    [
      "lets a golden task that failed pass, and an agent that never got to work",
      { failed: 1, dead: ["no key"], errored: 1, golden: ["failed-1"], dryRun: true },
    ],
  ]);
  cases(failedBy("configuration"), [
    ["still fails for a configuration problem", { errored: 1, dryRun: true, problems: [BROKEN] }],
  ]);
});

describe("rule 4: a missing run is a failure under on-missing: fail", () => {
  cases(failedBy("missing"), [
    [
      "which is the default",
      { passed: 1, missing: 1, score: 1 },
      "Failed: 1 of 2 planned runs is missing: no run of `missing-1`. Score 1.00 (1 of 2 graded, 1 missing)",
    ],
    [
      "of many the first three are named",
      { passed: 3, missing: 5, score: 1 },
      "Failed: 5 of 8 planned runs are missing: no run of `missing-1`, no run of `missing-2`, no run of `missing-3` and 2 more. Score 1.00 (3 of 8 graded, 5 missing)",
    ],
    [
      "where all are missing, it is the suite that has no run",
      { missing: 2 },
      "Failed: 2 of 2 planned runs are missing: no run of `suite`. 0 of 2 graded, 2 missing",
    ],
    [
      "regardless of on-error, under fail-on: score too",
      { passed: 1, missing: 1, score: 1, onError: "warn", failOn: "score", minScore: 0.5 },
    ],
    [
      "before errored grades, golden tasks, the minimum and failed grades, which are counted too",
      { failed: 2, errored: 1, missing: 1, golden: ["failed-1"], score: 0, minScore: 0.5 },
      "Failed: 1 of 4 planned runs is missing: no run of `missing-1`; 2 of 4 tasks fail. Score 0.00 (2 of 4 graded, 1 errored, 1 missing)",
    ],
  ]);
  cases(LET_PASS, [
    [
      "not under on-missing: warn, where it is no pass for all that",
      { passed: 1, missing: 2, score: 1, onMissing: "warn" },
      "Passed: 1 of 3 grades passes, and 2 have no verdict. Score 1.00 (1 of 3 graded, 2 missing)",
    ],
    ["not under fail-on: never, as neutral", { passed: 1, missing: 1, score: 1, failOn: "never" }, NEUTRAL],
    [
      "not under both, which is nothing red",
      { passed: 1, missing: 1, score: 1, failOn: "never", onMissing: "warn" },
    ],
  ]);
});

describe("rule 5: grades without a verdict are a failure", () => {
  cases(failedBy("errored"), [
    [
      "when one errored",
      { passed: 3, errored: 1, score: 1 },
      "Failed: 1 of 4 grades errored without a verdict (server). Score 1.00 (3 of 4 graded, 1 errored)",
    ],
    [
      "when one errored and others failed, which is said too",
      { passed: 1, failed: 2, errored: 1, score: 0.5 },
      "Failed: 1 of 4 grades errored without a verdict (server), 2 failed. Score 0.50 (3 of 4 graded, 1 errored)",
    ],
    [
      "when the only one errored",
      { errored: 1 },
      "Failed: 1 of 1 grade errored without a verdict (server). 0 of 1 graded, 1 errored",
    ],
    [
      "when they were skipped since there is no key",
      { noKey: 2 },
      "Failed: 2 of 2 grades skipped (no key). 0 of 2 graded, 2 skipped",
    ],
    [
      "when one errored and others were skipped",
      { passed: 3, errored: 1, capped: 10, score: 1 },
      "Failed: 11 of 14 grades without a verdict: 1 errored (server), 10 skipped (`max-judge-calls: 9` was reached). Score 1.00 (3 of 14 graded, 1 errored, 10 skipped)",
    ],
    ["under fail-on: score too", { passed: 1, errored: 1, score: 1, failOn: "score", minScore: 0.5 }],
    ["before the minimum score", { failed: 1, errored: 1, score: 0, minScore: 0.5 }],
    [
      "and what is missing is not counted among them",
      { passed: 1, errored: 1, missing: 2, score: 1, onMissing: "warn" },
      "Failed: 1 of 4 grades errored without a verdict (server). Score 1.00 (1 of 4 graded, 1 errored, 2 missing)",
    ],
    [
      "when a cap was reached, though others failed",
      { failed: 1, capped: 3, score: 0 },
      "Failed: 3 of 4 grades skipped (`max-judge-calls: 9` was reached), 1 failed. Score 0.00 (1 of 4 graded, 3 skipped)",
    ],
    [
      "when one is incomplete under fail-on: score, since what is left out might have failed too",
      { passed: 3, incomplete: 1, score: 0.9, failOn: "score", minScore: 0.8 },
      "Failed: 1 of 4 grades incomplete (the judge was interrupted), 1 failed. Score 0.90 (3 of 4 checks passed)",
    ],
    [
      "of all kinds, each counted",
      { passed: 1, incomplete: 1, errored: 2, noKey: 1, score: 0.9, failOn: "score", minScore: 0.8 },
      "Failed: 4 of 5 grades without a verdict: 2 errored (server), 1 incomplete (the judge was interrupted), 1 skipped (no key), 1 failed. Score 0.90 (2 of 5 graded, 2 errored, 1 skipped)",
    ],
  ]);
});

describe("rule 5 lets pass", () => {
  cases(LET_PASS, [
    [
      "errored grades under on-error: warn",
      { passed: 3, errored: 1, score: 1, onError: "warn" },
      "Passed: 3 of 4 grades pass, and 1 has no verdict. Score 1.00 (3 of 4 graded, 1 errored)",
    ],
    [
      "errored grades under fail-on: never, as neutral",
      { passed: 3, errored: 1, score: 1, failOn: "never" },
      NEUTRAL,
    ],
    [
      "all of them under on-error: warn, as neutral, and says that nothing was graded",
      { errored: 2, onError: "warn" },
      {
        check: "neutral",
        rule: "nothing-graded",
        sentence: "No grade was made, allowed by `on-error: warn`. 0 of 2 graded, 2 errored",
      },
    ],
    [
      "an incomplete grade under fail-on: score and on-error: warn",
      { passed: 3, incomplete: 1, score: 0.9, failOn: "score", minScore: 0.8, onError: "warn" },
      "Passed: score 0.90, needs 0.80; 1 of 4 tasks fails. 3 of 4 checks passed",
    ],
  ]);
});

describe("rule 6: a golden task that did not pass is a failure", () => {
  const lenient = { failOn: "score", minScore: 0.5, onError: "warn", onMissing: "warn" } as const;
  cases(failedBy("golden"), [
    [
      "that failed, before any failed grade",
      { passed: 3, failed: 1, golden: ["failed-1"], score: 0.75 },
      "Failed: golden tasks have to pass, and `failed-1` (`concise`) fails. Score 0.75 (3 of 4 checks passed)",
    ],
    [
      "that failed, though the score decides and is reached",
      { passed: 3, failed: 1, golden: ["failed-1", "passed-1"], score: 0.75, ...lenient },
    ],
    [
      "that errored, was not asked because of a cap, or is missing, though each may",
      {
        ...{ passed: 3, errored: 1, capped: 1, missing: 1, score: 1, ...lenient },
        golden: ["errored-1", "capped-1", "missing-1"],
      },
      "Failed: golden tasks have to pass, and `errored-1` (`concise`) errored without a verdict, `capped-1` (`concise`) was skipped, since a cap was reached, `missing-1` is missing. Score 1.00 (3 of 6 graded, 1 errored, 1 missing, 1 skipped)",
    ],
    [
      "of which the first three are named",
      { failed: 5, golden: ["failed-1", "failed-2", "failed-3", "failed-4"], score: 0 },
      "Failed: golden tasks have to pass, and `failed-1` (`concise`) fails, `failed-2` (`concise`) fails, `failed-3` (`concise`) fails and 1 more. Score 0.00 (0 of 5 checks passed)",
    ],
  ]);
  cases(LET_PASS, [
    [
      "not where it passed and others did not",
      { passed: 1, failed: 1, golden: ["passed-1"], score: 0.5, ...lenient },
    ],
    [
      "not where a fork has no key for it",
      { passed: 1, noKey: 1, golden: ["noKey-1"], score: 1, ...lenient },
      "Passed: 1 of 2 grades passes, and 1 has no verdict: score 1.00, needs 0.50. 1 of 2 graded, 1 skipped",
    ],
    [
      "not under fail-on: never, as neutral",
      { failed: 1, golden: ["failed-1"], score: 0, failOn: "never" },
      NEUTRAL,
    ],
  ]);
});

describe("an agent that never got to work is said first", () => {
  const refused = "failed to start copilot: not authenticated";
  test.each<[string, Given, string]>([
    [
      "with its error, where all failed for it",
      { dead: [refused, refused, refused, refused], score: 0 },
      `Failed: the agent never got to work in 4 of 4 runs (${refused}). These runs were not judged. 4 of 4 tasks fail. Score 0.00 (0 of 4 graded, 4 not judged)`,
    ],
    [
      "before a minimum that is missed",
      { dead: [refused], passed: 1, score: 0.5, minScore: 0.8 },
      `Failed: the agent never got to work in 1 of 2 runs (${refused}). 1 of 2 tasks fails: score 0.50, needs 0.80. 1 of 2 graded, 1 not judged`,
    ],
    [
      "before what is missing, and failed grades are counted once",
      { dead: [refused], missing: 1, score: 0 },
      `Failed: the agent never got to work in 1 of 1 run (${refused}). These runs were not judged. 1 of 2 planned runs is missing: no run of \`missing-1\`; 1 of 2 tasks fails. Score 0.00 (0 of 2 graded, 1 not judged, 1 missing)`,
    ],
    [
      "before errored grades",
      { dead: [refused], errored: 1, score: 0 },
      `Failed: the agent never got to work in 1 of 2 runs (${refused}). 1 of 2 grades errored without a verdict (server), 1 failed. Score 0.00 (0 of 2 graded, 1 not judged, 1 errored)`,
    ],
    [
      "before a golden task",
      { dead: [refused], golden: ["dead-1"], score: 0 },
      `Failed: the agent never got to work in 1 of 1 run (${refused}). These runs were not judged. Golden tasks have to pass, and \`dead-1\` (\`concise\`) fails. Score 0.00 (0 of 1 graded, 1 not judged)`,
    ],
    [
      "with how many of the failed grades it is",
      { dead: [refused], failed: 2, score: 0 },
      `Failed: the agent never got to work in 1 of 3 runs (${refused}). 3 of 3 tasks fail. Score 0.00 (2 of 3 graded, 1 not judged)`,
    ],
    [
      "with the most frequent error, on one line, and how many others there are",
      { dead: ["rate limit", "no\n  key", "no key"], score: 0 },
      "Failed: the agent never got to work in 3 of 3 runs (no key, and 1 other error). These runs were not judged. 3 of 3 tasks fail. Score 0.00 (0 of 3 graded, 3 not judged)",
    ],
    [
      "without an error where there is none",
      { dead: [""], score: 0 },
      "Failed: the agent never got to work in 1 of 1 run. These runs were not judged. 1 of 1 task fails. Score 0.00 (0 of 1 graded, 1 not judged)",
    ],
    [
      "shortened where it is long",
      { dead: ["x".repeat(1_000)], score: 0 },
      `Failed: the agent never got to work in 1 of 1 run (${"x".repeat(159)}…). These runs were not judged. 1 of 1 task fails. Score 0.00 (0 of 1 graded, 1 not judged)`,
    ],
    [
      "though the gate lets it pass",
      { dead: [refused], score: 0, failOn: "never" },
      `Passed: 1 of 1 task fails, allowed by \`fail-on: never\`. The agent never got to work in 1 of 1 run (${refused}). Score 0.00 (0 of 1 graded, 1 not judged)`,
    ],
  ])("%s", (_case, given, sentence) => {
    expect(decideOver(given).sentence).toBe(sentence);
  });
});

describe("rule 7: a score below the minimum is a failure", () => {
  cases(failedBy("min-score"), [
    [
      "under fail-on: fail",
      { passed: 1, failed: 1, score: 0.5, minScore: 0.8 },
      "Failed: 1 of 2 tasks fails: score 0.50, needs 0.80. 1 of 2 checks passed",
    ],
    ["under fail-on: score", { passed: 1, failed: 1, score: 0.5, minScore: 0.8, failOn: "score" }],
    [
      "under on-error: warn, with what was graded",
      { failed: 1, errored: 1, score: 0.25, minScore: 0.5, onError: "warn" },
      "Failed: 1 of 2 tasks fails: score 0.25, needs 0.50. 1 of 2 graded, 1 errored",
    ],
    [
      "when there is no score, because all errored and on-error is warn",
      { errored: 2, minScore: 0.5, onError: "warn" },
      "Failed: no grade was made: no score, needs 0.50. 0 of 2 graded, 2 errored",
    ],
    [
      "when there is no score, because all is missing and on-missing is warn",
      { missing: 1, minScore: 0.5, onMissing: "warn" },
      "Failed: no grade was made: no score, needs 0.50. 0 of 1 graded, 1 missing",
    ],
    [
      "by little, which the decimals show",
      { failed: 1, score: 0.7996, minScore: 0.8 },
      "Failed: 1 of 1 task fails: score 0.7996, needs 0.80. 0 of 1 check passed",
    ],
    [
      "of 1, missed by little",
      { passed: 399, failed: 1, score: 0.9975, minScore: 1 },
      "Failed: 1 of 400 tasks fails: score 0.998, needs 1.00. 399 of 400 checks passed",
    ],
    [
      "with more decimals than two, which are shown",
      { failed: 1, score: 0.854, minScore: 0.855 },
      "Failed: 1 of 1 task fails: score 0.85, needs 0.855. 0 of 1 check passed",
    ],
    [
      "missed by so little that as many decimals are shown as that takes",
      { passed: 44, failed: 1, failOn: "score", score: 44 / 45, minScore: 0.97778 },
      "Failed: 1 of 45 tasks fails: score 0.977778, needs 0.97778. 44 of 45 checks passed",
    ],
    [
      "of nearly 1, which is not shown as something else",
      { failed: 1, score: 0.5, minScore: 0.999 },
      "Failed: 1 of 1 task fails: score 0.50, needs 0.999. 0 of 1 check passed",
    ],
  ]);

  test("the sentence never names a minimum that the named score reaches", () => {
    for (const minScore of [0.001, 0.0049, 0.1 + 0.2, 1 / 3, 0.5, 0.705, 0.7051, 0.855, 0.995, 0.999, 1]) {
      for (const score of [minScore - 1e-8, minScore - 1e-4, minScore - 5e-4, minScore * 0.994, 0]) {
        const { rule, sentence } = decideOver({ failed: 1, score, minScore });
        expect(rule).toBe("min-score");
        const [, shown, minimum] = /score ([\d.e-]+), needs ([\d.e-]+)\./.exec(sentence) ?? [];
        expect([sentence, Number(shown) < Number(minimum)]).toEqual([sentence, true]);
      }
    }
  });
});

describe("the minimum lets pass", () => {
  cases(GREEN, [
    [
      "a score that is the minimum",
      { passed: 1, score: 1, minScore: 1 },
      "Passed: 1 of 1 task passes: score 1.00, needs 1.00. 1 of 1 check passed",
    ],
    ["a minimum of 0", { failed: 1, score: 0, minScore: 0, failOn: "score" }, { passed: false }],
    [
      "three runs of 0.7 with a minimum of 0.7, whose mean is a little less in floating point",
      { failed: 3, score: (0.7 + 0.7 + 0.7) / 3, minScore: 0.7, failOn: "score" },
      { passed: false },
    ],
    [
      "a score below the minimum under fail-on: never, as neutral",
      { failed: 1, score: 0.2, minScore: 0.8, failOn: "never" },
      { ...NEUTRAL, passed: false },
    ],
  ]);

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

describe("rule 8: worse than the baseline is a failure under fail-on: regression", () => {
  const compared = { failOn: "regression" } as const;
  cases(failedBy("regression"), [
    [
      "with an agent that never got to work, which is said first",
      { ...compared, failed: 5, passed: 1, baseline: { failed: 5, passed: 1 }, dead: ["x"] },
      "Failed: the agent never got to work in 1 of 7 runs (x). Not worse than main: score 0.17, as on main, over 6 of 7 tasks. 5 tasks fail that never passed on main. Score of all grades 0.14 (6 of 7 graded, 1 not judged)",
    ],
    [
      "with a dead agent on main and now",
      { ...compared, dead: ["token expired", "token expired"], baseline: { passed: 1, dead: ["a", "b"] } },
      "Failed: the agent never got to work in 2 of 2 runs (token expired). These runs were not judged. 1 task of main is gone (`passed-1`). Score 0.00 (0 of 2 graded, 2 not judged)",
    ],
    [
      "with a dead agent and no baseline",
      { ...compared, dead: ["token expired"], passed: 3, baseline: {} },
      "Failed: the agent never got to work in 1 of 4 runs (token expired). Not compared: no baseline yet. Score 0.75 (3 of 4 graded, 1 not judged)",
    ],
    [
      "with a silent judge on main and now",
      { ...compared, silent: 2, passed: 1, baseline: { passed: 1, silent: 2 } },
      "Failed: the judge reported no check in 2 of 3 grades. Use another `judge-model`, or let the prompt ask for a verdict. Not worse than main: score 1.00, as on main, over 1 of 3 tasks. Score of all grades 0.33 (1 of 3 checks passed)",
    ],
    [
      "where nothing passes, and nothing on main",
      { ...compared, failed: 3, baseline: { failed: 3 } },
      "Failed: nothing passes. Not compared: nothing passes on main. Score 0.00 (0 of 3 checks passed)",
    ],
    [
      "where nothing passes, and there is no baseline",
      { ...compared, failed: 3, baseline: {} },
      "Failed: nothing passes. Not compared: no baseline yet. Score 0.00 (0 of 3 checks passed)",
    ],
    [
      "where a failed grade is not on main and a task of main is gone, regardless of what fails on main",
      { ...compared, failed: 2, passed: 1, score: 1 / 3, baseline: { failed: 1, passed: 2 } },
      "Failed: main has no result of task `failed-2` yet (new, renamed or moved), and it failed; 1 task of main is gone (`passed-2`). Not worse than main in all: score 0.50, as on main, over 2 of 3 tasks. 1 task fails that never passed on main. Score of all grades 0.33 (1 of 3 checks passed)",
    ],
    [
      "where a baseline in the checkout is gone and a grade failed, as under fail-on: fail",
      { ...compared, failed: 1, passed: 1, score: 0.5, baseline: {}, inCheckout: true },
      "Failed: 1 task fails, and there is no baseline. The path in `baseline` is inside the checkout, where a pull request could delete it, so `fail-on: regression` acts as `fail`. Score 0.50 (1 of 2 checks passed)",
    ],
  ]);
  const neutral = { check: "neutral", rule: "not-compared" } as const;
  cases(LET_PASS, [
    [
      "what main fails too passes, and the sentence says so",
      { ...compared, failed: 1, passed: 3, score: 0.75, baseline: { failed: 1, passed: 3 } },
      "Passed: not worse than main: score 0.75, as on main. 1 task fails that never passed on main. 3 of 4 checks passed",
    ],
    [
      "nothing failed",
      { ...compared, passed: 2, baseline: { passed: 2 } },
      {
        passed: true,
        sentence:
          "Passed: all 2 tasks pass. Not worse than main: score 1.00, as on main. 2 of 2 checks passed",
      },
    ],
    [
      "without a baseline failed grades decide nothing, and it is neutral",
      { ...compared, failed: 1, passed: 3, score: 0.75, baseline: {} },
      {
        ...neutral,
        sentence: "1 of 4 tasks fails; not compared: no baseline yet. Score 0.75 (3 of 4 checks passed)",
      },
    ],
    [
      "so it is where nothing failed",
      { ...compared, passed: 1, score: 1, baseline: {} },
      {
        ...neutral,
        passed: true,
        sentence: "1 of 1 task passes; not compared: no baseline yet. Score 1.00 (1 of 1 check passed)",
      },
    ],
    [
      "and where nothing passes on main",
      { ...compared, failed: 1, passed: 1, baseline: { failed: 2 } },
      {
        ...neutral,
        sentence:
          "1 of 2 tasks fails; not compared: nothing passes on main. Score 0.50 (1 of 2 checks passed)",
      },
    ],
    [
      "another policy does not look at the baseline",
      { failed: 1, score: 0, minScore: 0, failOn: "score", baseline: { passed: 1 } },
    ],
  ]);
});

describe("golden in the baseline", () => {
  cases(failedBy("golden"), [
    [
      "counts where the mark is gone",
      { failed: 1, score: 0, failOn: "score", minScore: 0, baseline: { failed: 1, golden: ["failed-1"] } },
    ],
    [
      "counts where the task is gone",
      { passed: 1, score: 1, baseline: { passed: 2, golden: ["passed-2"] } },
      {
        passed: true,
        sentence:
          "Failed: golden tasks have to pass, and `passed-2` is gone. To retire a golden task, or a grader of one, save a new baseline from main. Score 1.00 (1 of 1 check passed)",
      },
    ],
  ]);
  cases(GREEN, [
    ["is fine where it passes", { passed: 1, score: 1, baseline: { passed: 1, golden: ["passed-1"] } }],
  ]);
});

describe("rule 8: a failed grade under fail-on: fail is a failure", () => {
  cases(failedBy("failed-grade"), [
    [
      "one of several",
      { passed: 2, failed: 1, score: 0.9 },
      "Failed: 1 of 3 tasks fails. Score 0.90 (2 of 3 checks passed)",
    ],
    [
      "of which the judge reported no check, and not of a passed one that was recorded so",
      { failed: 1, silent: 1, bare: 1, score: 0.5 },
      "Failed: 2 of 3 tasks fail (of 1 the judge reported no check). Use another `judge-model`, or let the prompt ask for a verdict. Score 0.50 (1 of 3 checks passed)",
    ],
    [
      "though the minimum score is reached, and says which of the two decides",
      { failed: 1, score: 2 / 3, minScore: 0.5 },
      "Failed: 1 of 1 task fails. Score 0.67 (0 of 1 check passed)",
    ],
    [
      "beside errored ones under on-error: warn",
      { failed: 1, errored: 1, score: 0, onError: "warn" },
      "Failed: 1 of 2 tasks fails. Score 0.00 (1 of 2 graded, 1 errored)",
    ],
    ["and a score of nearly 1 is not rounded up to it", { passed: 999, failed: 1, score: 0.9995 }],
  ]);
});

describe("all else is a success", () => {
  cases(GREEN, [
    ["every grade passed", { passed: 4, score: 1 }],
    [
      "every grade passed under fail-on: never, which is not neutral",
      { passed: 4, score: 1, failOn: "never", onError: "warn" },
    ],
    [
      "failed grades under fail-on: score, with the minimum reached",
      { passed: 1, failed: 1, score: 0.75, minScore: 0.7, failOn: "score" },
      { passed: false },
    ],
    [
      "failed grades under fail-on: never, as neutral",
      { passed: 1, failed: 1, score: 0.5, failOn: "never" },
      { ...NEUTRAL, passed: false },
    ],
    [
      "every grade passed, with a warning: `passed` all the same, which looks at the grades",
      { passed: 1, score: 1, problems: [problemOf("warning", "Odd.")] },
    ],
    [
      "every grade passed, with a notice of unknown keys",
      { passed: 1, score: 1, problems: [problemOf("notice", "Ignored.")] },
    ],
  ]);
});

describe("nothing to grade is a success only where all was left out on purpose", () => {
  const nothing = "Nothing to grade (no enabled task with a prompt grader)";
  cases({ ...LET_PASS, ...NEUTRAL, rule: "nothing-graded" }, [
    ["by default it is neutral", {}, nothing],
    ["under fail-on: never, too", { failOn: "never" }, nothing],
    ["under on-missing: warn, too", { onMissing: "warn" }, nothing],
    ["without a baseline, too", { failOn: "regression", baseline: {} }, nothing],
    [
      "where all graders are advisory",
      { advisory: 3 },
      "All graders are advisory, so nothing decides (3 grades without effect)",
    ],
  ]);
  const narrowed = "Passed: nothing to grade (`changed-only` or `tasks` leaves out every eval)";
  cases({ ...GREEN, rule: "nothing-to-do" }, [
    ["where all was left out it is green", { narrowed: true }, narrowed],
    ["with a minimum score, too", { narrowed: true, minScore: 0.8 }, narrowed],
    [
      "where the pull request changes none of the evals it says so, and names no input",
      { narrowed: true, unchangedBy: "pull request" },
      "Passed: nothing to grade: this pull request changes no skill with evals",
    ],
    [
      "and beside a baseline, of which it names what is gone",
      { narrowed: true, failOn: "regression", baseline: { passed: 8 } },
      narrowed.replace("nothing", "all 8 tasks of `suite` are gone; nothing"),
    ],
  ]);
  cases(failedBy("min-score"), [["a minimum score is not reached without one", { minScore: 0.8 }]]);
  cases(failedBy("regression"), [
    [
      "what main graded cannot go silently",
      { failOn: "regression", baseline: { passed: 8 } },
      "Failed: nothing is left to grade: all 8 tasks of `suite` are gone",
    ],
  ]);
});

describe("the cause, for the log's last line", () => {
  test.each<[string, Given, unknown]>([
    ["is that of the first errored grade", { failed: 1, errored: 1, noKey: 1 }, "server: Down."],
    ["is why the first was skipped", { passed: 1, noKey: 1 }, "a fork"],
    [
      "is what broke the first off, where incomplete ones decide",
      { passed: 1, incomplete: 1, score: 1, failOn: "score", minScore: 0 },
      "cut-off: It was cut off.",
    ],
    [
      "names the failed grade",
      { passed: 1, failed: 1, score: 0.5 },
      "The failed grade is of the task `failed-1` in `suite`, by the grader `concise`.",
    ],
    [
      "names the first of many failed grades",
      { failed: 4, score: 0.5 },
      "The first failed grade is of the task `failed-1` in `suite`, by the grader `concise`.",
    ],
    [
      "of missing runs is what would bring them",
      { passed: 1, missing: 1 },
      expect.stringMatching(/^Check the step that runs the agent/),
    ],
    [
      "of an agent that never got to work is what would mend that, for any rule",
      { dead: ["no key"], missing: 1, errored: 1 },
      expect.stringMatching(/^Check the step that runs the agent/),
    ],
    ["is none of what the sentence says itself", { failed: 1, golden: ["failed-1"], score: 0 }, undefined],
    ["is none where the gate lets it pass", { errored: 1, onError: "warn" }, undefined],
  ])("%s", (_case, given, cause) => {
    expect(decideOver(given).cause).toEqual(cause);
  });
});

test("runs that are older are counted, and not listed task by task", () => {
  const grades = ["t1", "t2"].map((task) => gradeOf({ verdict: MISSING, task, run: { isOlder: true } }));
  const scores = scoreGrades([SUITE], rowsOf(grades));
  const text = "2 of 2 runs are older than SKILL.md (or the task)";
  expect(missingSentence(scores)).toBe(`${text}: run the agent again`);
  expect(missingProblems(scores, { onMissing: "fail" } as Policy)).toMatchObject([
    {
      message: `\`${SUITE.title}\`: ${text}: run the agent again.`,
      help: expect.stringMatching(/^`waza-grade run` makes anew/) as unknown,
    },
  ]);
});

test.each<[string, string[], string]>([
  ["is not named where it is the only one", ["m"], "1 of 2 planned runs is missing: no run of `t2`"],
  [
    "is named where there are several",
    ["m", "n"],
    "2 of 4 planned runs are missing: no run of `t2` by `m`, no run of `t2` by `n`",
  ],
])("the model of a missing run %s", (_, models, wording) => {
  const grades = models.flatMap((model) => [
    gradeOf({ verdict: PASSED, task: "t1", run: { model } }),
    gradeOf({ verdict: MISSING, task: "t2", run: null, job: { missing: { number: 1, model } } }),
  ]);
  expect(missingSentence(scoreGrades([SUITE], rowsOf(grades)))).toBe(wording);
});

describe("the label that accepts a drop", () => {
  const gone = { passed: 1, baseline: { passed: 2, bare: 2 }, failOn: "regression" } as const;
  test.each<[string, Given, Conclusion["rule"]]>([
    ["accepts evals that are gone", { ...gone, accepted: "the label" }, "accepted"],
    ["which are red without it", gone, "regression"],
    ["does not accept a silent judge", { ...gone, silent: 1, accepted: "the label" }, "regression"],
    ["nor an agent that never got to work", { ...gone, dead: ["x"], accepted: "the label" }, "regression"],
    ["nor an error", { ...gone, errored: 1, accepted: "the label" }, "errored"],
    ["nor a missing run", { ...gone, missing: 1, accepted: "the label" }, "missing"],
    [
      "nor a golden task that fails",
      { ...gone, failed: 1, golden: ["failed-1"], accepted: "the label" },
      "golden",
    ],
    [
      "nor a score below `min-score`",
      { ...gone, failed: 1, minScore: 0.9, accepted: "the label" },
      "min-score",
    ],
    [
      "and changes nothing where nothing is worse",
      { ...gone, baseline: { passed: 1 }, accepted: "the label" },
      "passed",
    ],
  ])("%s", (_, given, rule) => {
    expect(decideOver(given).rule).toBe(rule);
  });
});
