/** Jobs, verdicts, grades. */
import type { Basis } from "./record.ts";
import type { Run, ResultsFile, Step } from "./run.ts";
import type { Grader, Task, Suite } from "./suite.ts";

/** A planned run that is not there. */
export interface MissingRun {
  /** A number that no other run of its task and model has. */
  readonly number: number;
  /** The agent's model that was to make it; empty where no run of the suite says one. */
  readonly model: string;
  /** The task of the results that may be meant: its id differs by a slip. */
  readonly meant?: string | undefined;
}

/** One judge call's worth of work, or the reason why none is needed. */
export interface GradingJob {
  readonly suite: Suite;
  readonly task: Pick<Task, "id" | "name" | "prompt" | "contextDir" | "golden" | "at"> &
    Partial<Pick<Task, "files">>;
  readonly grader: Grader;
  readonly judgeModel: string;
  /** Absent where the run is missing. */
  readonly run?: Run | undefined;
  readonly missing?: MissingRun | undefined;
  readonly file?: ResultsFile | undefined;
  /** Folder the agent worked in, absolute, links resolved; the judge may read it. */
  readonly workspace?: string | undefined;
  /** Hash of the files that the task gave the agent; absent where it gave none. */
  readonly filesHash?: string | undefined;
  /** Its grade is shown and never decides; absent for every other. */
  readonly advisory?: true | undefined;
  /** A grade that is known without the judge. */
  readonly settled?: Verdict | undefined;
  /** What its verdict rests on besides the job; of one that stood in the results, what they say in place of what would be now. */
  readonly basis?: Partial<Basis> | undefined;
}

/** One call of `set_waza_grade_pass` or `set_waza_grade_fail`. */
export interface Check {
  readonly outcome: "pass" | "fail";
  /** Number of the grader's statement that it judges, from 1; absent where the grader has none. */
  readonly statement?: number | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
  /** The quotes of its reason; absent without any, and where no judge was asked now. */
  readonly quotes?: QuotesFound | undefined;
  /** The model that reported it, where it is not the grade's own judge. */
  readonly judge?: string | undefined;
}

/** How many quotes of a reason were looked for in what the judge was shown, and those that were not found. */
export interface QuotesFound {
  readonly all: number;
  readonly missing: readonly string[];
}

/** One call of `set_pairwise_winner`, of two outputs called A and B. */
export interface Choice {
  readonly winner: "A" | "B" | "tie";
  readonly magnitude: "much-better" | "slightly-better" | "equal";
  readonly reasoning: string;
}

/** Who won of two outputs that were compared in both orders. */
export interface PairwiseResult {
  readonly winner: "skill" | "baseline" | "tie";
  readonly magnitude: Choice["magnitude"];
  readonly reasoning: string;
  /** Both orders had the same winner; else it is a tie. */
  readonly consistent: boolean;
  /** A is the baseline's output in the first, and the run's own in the second; absent where a results file is read back. */
  readonly choices?: readonly [Choice, Choice] | undefined;
}

/** Why a judge could not judge. `docs/troubleshooting.md` explains each. */
export const ERROR_CLASSES = [
  "network",
  "timeout",
  "cancelled",
  "credentials",
  "forbidden",
  "unknown-model",
  "rate-limit",
  "quota",
  "bad-request",
  "too-long",
  "not-found",
  "server",
  "invalid-reply",
  "refusal",
  "content-filter",
  "cut-off",
  "turn-limit",
  "no-evidence",
  "graders-failed",
  "unsupported",
  "not-recorded",
  "cap-reached",
  "no-majority",
  "internal",
] as const;

export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** What kept a grade from being complete. */
export interface GradeError {
  readonly class: ErrorClass;
  readonly message: string;
  /** The file it is about, where grades that have it in common may differ in that. */
  readonly file?: string | undefined;
  readonly help?: string | undefined;
}

/** What one grader says of one run. */
export type Verdict = Graded | Errored | Skipped;

export interface Graded {
  readonly state: "graded";
  readonly checks: readonly Check[];
  /** Passes / (passes + failures), 0 to 1; 0 without any call (waza's prompt grader). */
  readonly score: number;
  /** At least one pass and no failure. */
  readonly passed: boolean;
  /** Said of a grade without checks: the agent failed, or the judge made no grading call. */
  readonly note?: string | undefined;
  /** The first tools that the judge called, where none of its calls was a check. */
  readonly called?: readonly string[] | undefined;
  /** Why the judge broke off after a failure: the failure stands, the list of checks may be short. */
  readonly incomplete?: GradeError | undefined;
  /** What is worth a second look in how it was judged. */
  readonly warning?: string | undefined;
  /** What the judge wrote beside its calls. */
  readonly response?: string | undefined;
  /** True when the verdict came from `cache-dir`. */
  readonly recorded?: boolean | undefined;
  /** Which judge it was, exactly; absent when none was asked. */
  readonly judge?: JudgeIdentity | undefined;
  /** Of a grader that compares, who won, a sample each; absent where there was nothing to compare with. */
  readonly pairs?: readonly PairwiseResult[] | undefined;
  /** How several samples of one grade voted; absent when one was asked for. */
  readonly votes?: Votes | undefined;
  /** How much of the run the judge was shown; absent when no judge was asked. */
  readonly evidence?: EvidenceSize | undefined;
}

/** True of a verdict without any check: the agent never got to work, or the judge reported nothing. */
export function isWithoutCheck(verdict: Verdict): boolean {
  // A verdict of waza's own judge may pass without a list of checks.
  return verdict.state === "graded" && verdict.checks.length === 0 && verdict.score === 0;
}

export interface Errored {
  readonly state: "errored";
  readonly error: GradeError;
  /** Passes that a judge reported before it broke off: for the reader, in no score. */
  readonly checks?: readonly Check[] | undefined;
  /** What the judge wrote beside its calls. */
  readonly response?: string | undefined;
}

export interface Skipped {
  readonly state: "skipped";
  readonly reason: string;
  /** `missing` decides by `on-missing`; `no-key` and `cap`, which is what a run may spend, the gate treats as errored. */
  readonly cause: "missing" | "no-key" | "cap" | "dry-run";
}

/** What a verdict can be traced to. */
export interface JudgeIdentity {
  /** The model that answered, as the API names it; absent where it does not, and in the record. */
  readonly servedBy?: string | undefined;
  /** What was dropped or changed in the requests because the API refused it. */
  readonly changes: readonly string[];
  /** SHA-256 of everything the judge was sent: model, messages, tools, template. */
  readonly fingerprint: string;
}

/** Votes of several samples; an errored one counts for neither side. */
export interface Votes {
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** The same by judge model, the first judge's first; only where `confirm-model` was asked. */
  readonly judges?: readonly JudgeVotes[] | undefined;
}

/** Votes of one judge model. */
export interface JudgeVotes extends Omit<Votes, "judges"> {
  readonly model: string;
}

/** How much of a run the judge was shown. */
export interface EvidenceSize {
  readonly characters: number;
  readonly toolCalls: number;
  /** True when something was left out to fit the budget. */
  readonly elided: boolean;
  /** True when the session was reconstructed turn by turn (`continue_session: true`). */
  readonly replayed?: true | undefined;
  /** How many times the judge read a file, listed files or searched them; absent when it could not. */
  readonly reads?: number | undefined;
}

/** A job with its verdict, what it cost and how long it took. */
export interface Grade {
  readonly job: GradingJob;
  readonly verdict: Verdict;
  /** HTTP requests made for it, retries and follow-ups included. */
  readonly requests: number;
  /** Tokens as the API reported them. */
  readonly tokens: TokenUse;
  /** US dollars it cost; absent when the price of its model is not known, or what was used. */
  readonly cost?: number | undefined;
  readonly durationMs: number;
  /**
   * What the judge was sent before the grader's instructions: one object for all grades of a run by one judge. Kept only
   * where a report tells it.
   */
  readonly sent?: readonly SentPart[] | undefined;
}

/** A part of what a judge was sent: the system message, a section of the evidence, or a step of the conversation. */
export interface SentPart {
  readonly kind: Step["kind"] | "system" | "section";
  readonly title: string;
  readonly text: string;
}

export interface TokenUse {
  readonly input: number;
  readonly output: number;
  /** Of the input, what the provider had in its prompt cache; 0 where it does not say. */
  readonly cached: number;
  /** Of the input, what it wrote into that cache, for which some charge more; absent where it does not say. */
  readonly written?: number | undefined;
}
