/** Success or failure of the whole: one rule after the other, the first that applies decides (docs/scoring.md). */
import type { Conclusion } from "../domain.ts";
import { factsOf } from "./gate-facts.ts";
import type { Facts, GateInput } from "./gate-facts.ts";
import * as sentences from "./gate-sentences.ts";
import * as verdicts from "./verdicts.ts";

interface Rule {
  readonly rule: Conclusion["rule"];
  readonly applies: (facts: Facts) => boolean;
  readonly conclusion: Conclusion["conclusion"];
  readonly check: Conclusion["check"];
  readonly sentence: (facts: Facts) => string;
  /** The same in a few words, for the title of a page. */
  readonly verdict: (facts: Facts) => string;
  /** The cause and the remedy, if the sentence does not already say them. */
  readonly cause?: (facts: Facts) => string | undefined;
  /** What is told nowhere else. */
  readonly hint?: (facts: Facts) => string | undefined;
  /** `fail-on: never` lets it pass. */
  readonly spared?: true | undefined;
}

const FAILURE = { conclusion: "failure", check: "failure" } as const;
const SUCCESS = { conclusion: "success", check: "success" } as const;

const RULES: readonly Rule[] = [
  {
    rule: "configuration",
    applies: ({ errors }) => errors.length > 0,
    ...FAILURE,
    sentence: sentences.configuration,
    verdict: verdicts.configuration,
  },
  {
    rule: "cancelled",
    applies: ({ cancelled }) => cancelled,
    ...FAILURE,
    check: "cancelled",
    sentence: sentences.cancelled,
    verdict: verdicts.cancelled,
    hint: () => "With `cache-dir`, no verdict is paid for twice.",
  },
  {
    rule: "dry-run",
    applies: ({ dryRun }) => dryRun,
    ...SUCCESS,
    check: "neutral",
    sentence: sentences.dryRun,
    verdict: verdicts.dryRun,
  },
  {
    rule: "min-agreement",
    applies: ({ agreement }) => agreement?.red === true,
    ...FAILURE,
    sentence: sentences.minAgreement,
    verdict: verdicts.minAgreement,
    cause: sentences.agreementCause,
  },
  {
    rule: "missing",
    applies: ({ counts, policy }) => counts.missing > 0 && policy.onMissing === "fail",
    ...FAILURE,
    sentence: sentences.missing,
    verdict: verdicts.missing,
    cause: sentences.missingRemedy,
    spared: true,
  },
  {
    rule: "errored",
    applies: ({ withoutVerdict, policy }) => withoutVerdict > 0 && policy.onError === "fail",
    ...FAILURE,
    sentence: sentences.errored,
    verdict: verdicts.errored,
    cause: sentences.erroredCause,
    hint: sentences.skippedHint,
    spared: true,
  },
  {
    rule: "golden",
    applies: ({ golden }) => golden.some(({ trouble }) => trouble !== undefined),
    ...FAILURE,
    sentence: sentences.golden,
    verdict: verdicts.golden,
    cause: sentences.goldenRemedy,
    spared: true,
  },
  {
    rule: "min-score",
    applies: ({ low }) => low,
    ...FAILURE,
    sentence: sentences.minScore,
    verdict: verdicts.minScore,
    spared: true,
  },
  {
    rule: "regression",
    applies: ({ regression }) => regression?.red === true,
    ...FAILURE,
    sentence: sentences.regression,
    verdict: verdicts.regression,
    cause: sentences.regressionCause,
    spared: true,
  },
  {
    rule: "failed-grade",
    applies: ({ counts, policy }) => counts.failed > 0 && ["fail", "never"].includes(policy.failOn),
    ...FAILURE,
    sentence: sentences.failedGrade,
    verdict: verdicts.failedGrade,
    cause: sentences.failedCause,
    hint: sentences.failedHint,
    spared: true,
  },
  {
    rule: "nothing-to-do",
    applies: ({ counts }) => counts.planned === 0,
    ...SUCCESS,
    sentence: sentences.nothingToDo,
    verdict: verdicts.nothingToDo,
  },
  {
    rule: "passed",
    applies: () => true,
    ...SUCCESS,
    sentence: sentences.passed,
    verdict: verdicts.passed,
  },
];

/** Decides from the data alone; the sentence is the check's title and the step's last line. */
export function decide(input: GateInput): Conclusion {
  const facts = factsOf(input);
  const applying = RULES.filter(({ applies }) => applies(facts));
  const lenient = facts.policy.failOn === "never";
  const [decisive] = applying.filter(({ spared }) => !(spared && lenient));
  if (!decisive) throw new Error("the last rule applies to everything");
  const { rule, conclusion, check, sentence, verdict, cause, hint } = decisive;
  const letPass = decisive !== applying[0];
  const remedy = decisive.spared && sentences.deadRemedy(facts);
  return {
    rule,
    conclusion,
    check: letPass ? "neutral" : check,
    passed: facts.passed,
    sentence: sentence(facts),
    verdict: verdict(facts),
    cause: remedy || cause?.(facts),
    hint: remedy ? undefined : hint?.(facts),
  };
}
