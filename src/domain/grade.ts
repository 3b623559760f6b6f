/** What is asked and what the judge answered: jobs, verdicts and grades; the gate's policy and conclusion. */
import type { ResultsFile, Run, Step, TokenUse } from "./run.ts";
import type { Grader, Suite, Task } from "./suite.ts";

/** Everything a verdict depends on except the agent's work: grades are comparable when all of it is equal. */
export interface Basis {
  /** Hash of the grader's own prompt. */
  readonly promptSha256: string;
  /** Hash of the rubric's text. */
  readonly rubricSha256?: string | undefined;
  readonly continueSession: boolean;
  /** Hash of what the task gave the agent. */
  readonly inputsSha256: string;
  /** The judge model by the configuration, also when no judge had to be asked. */
  readonly judgeModel: string;
  readonly reasoningEffort?: string | undefined;
  /** What named the judge model and the effort. It changes no verdict. */
  readonly modelBy?: "grader" | "input" | "eval" | "default" | undefined;
  readonly effortBy?: Basis["modelBy"];
  /** The model's name that was sent (`providers`). */
  readonly sentModel?: string | undefined;
  /** The API that was asked. */
  readonly sentApi?: SentRequest["api"] | undefined;
  /** The reasoning effort that was sent; `default` where none was. */
  readonly sentEffort?: string | undefined;
  /** The voting policy. */
  readonly voting?: string | undefined;
  /** Version of our system message and the evidence's form. */
  readonly templateVersion: string;
}

/** The verdict of one grader on one run. */
export type Verdict = Graded | Errored | Skipped;

export interface Graded {
  readonly state: "graded";
  readonly checks: readonly Check[];
  /** Passes / (passes + failures), 0 to 1; 0 without any call (waza's prompt grader). */
  readonly score: number;
  /** At least one pass and no failure. */
  readonly passed: boolean;
  /** Explains a grade without checks: the agent failed, or the judge made no grading call. */
  readonly note?: string | undefined;
  /** Names of the first tools called, when no call was a check. */
  readonly called?: readonly string[] | undefined;
  /** Why the judge was interrupted after a failure: the failure counts, further checks may be missing. */
  readonly incomplete?: GradeError | undefined;
  /** A doubt about the verdict, for the reader. */
  readonly doubt?: string | undefined;
  /** What the judge wrote beside its calls. */
  readonly response?: string | undefined;
  /** True when the verdict came from `cache-dir` or from the results. */
  readonly recorded?: boolean | undefined;
  /** Absent when no judge was asked. */
  readonly judge?: JudgeIdentity | undefined;
  /** Absent when only one verdict was asked for. */
  readonly votes?: Votes | undefined;
  /** Absent when no judge was asked. */
  readonly evidence?: EvidenceSize | undefined;
}

/** One call of `set_waza_grade_pass` or `set_waza_grade_fail`. */
export interface Check {
  readonly outcome: "pass" | "fail";
  /** Number of the judged statement, from 1; absent when the grader lists none. */
  readonly statement?: number | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
  /** Quotes in the reason; absent without any, and for recorded verdicts. */
  readonly quotes?: QuotesFound | undefined;
  /** The model that reported it, where it is not the grade's own judge. */
  readonly judge?: string | undefined;
  /** The judge's own `verdict` was the other outcome, of this call or of an earlier one for the same check. */
  readonly contradicted?: true | undefined;
}

/** The number of quotes looked up in the evidence, and those not found there. */
export interface QuotesFound {
  readonly all: number;
  readonly missing: readonly string[];
}

/** Why a grade is not complete. */
export interface GradeError {
  readonly class: ErrorClass;
  readonly message: string;
  /** The file concerned; kept apart from the message so that equal errors can be grouped. */
  readonly file?: string | undefined;
  readonly help?: string | undefined;
  /** No request was sent, because of the same error of an earlier one. */
  readonly notSent?: true | undefined;
}

export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** What identifies the judge of a verdict. */
export interface JudgeIdentity {
  /** The model that answered, as the API names it; absent where it does not, and for a cached verdict. */
  readonly servedBy?: string | undefined;
  /** Absent for a verdict of other records. */
  readonly sent?: SentRequest | undefined;
  /** Whether any reply reports reasoning; absent where none was asked for, or no reply says what it used. */
  readonly reportsReasoning?: boolean | undefined;
  /** Changes to the requests after refusals of the API. */
  readonly changes: readonly string[];
  /** SHA-256 of everything the judge was sent: model, messages, tools, template. */
  readonly fingerprint: string;
}

/** How a judge was asked. */
export interface SentRequest {
  readonly api: "chat" | "responses";
  /** The `reasoning_effort`; absent where none was sent. */
  readonly effort?: string | undefined;
  /** The API's words where it refused the effort that was asked for. */
  readonly refusal?: string | undefined;
}

/** Votes on one grade; an errored vote counts for neither side. */
export interface Votes {
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** Votes by judge model, the first judge's first; only when `confirm-model` was asked. */
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
  /** Failed calls of the agent that were left out. */
  readonly failedUnseen?: number | undefined;
  /** True when the session was reconstructed turn by turn (`continue_session: true`). */
  readonly reconstructedSession: boolean;
  /** Calls that read, listed or searched files; absent when there were no files. */
  readonly reads?: number | undefined;
}

interface Errored {
  readonly state: "errored";
  readonly error: GradeError;
  /** Passes reported before the judge was interrupted: shown, in no score. */
  readonly checks?: readonly Check[] | undefined;
  /** What the judge wrote beside its calls. */
  readonly response?: string | undefined;
}

interface Skipped {
  readonly state: "skipped";
  readonly reason: string;
  /** `missing` decides by `on-missing`; the gate treats `no-key` and `cap` as errored. */
  readonly cause: "missing" | "no-key" | "cap" | "dry-run";
}

/** A planned run that the results lack. */
export interface MissingRun {
  /** A number that no other run of its task and model has. */
  readonly number: number;
  /** The agent's model planned for it; empty when no run of the suite names one. */
  readonly model: string;
  /** Id of a task in the results that differs only by a typo. */
  readonly meant?: string | undefined;
  /** Why it says nothing, of a run that the results name. */
  readonly reason?: string | undefined;
  /** Only before any run is made. */
  readonly side?: "without-skill" | undefined;
}

/** One grade to be made: a conversation with a judge or several votes, or the reason why none is needed. */
export interface GradingJob {
  readonly suite: Suite;
  readonly task: Pick<Task, "id" | "name" | "prompt" | "contextDir" | "golden" | "isControl" | "at"> &
    Partial<Pick<Task, "files">>;
  readonly grader: Grader;
  readonly judgeModel: string;
  /** The reasoning effort to ask for. */
  readonly judgeEffort?: string | undefined;
  /** What named the judge model: the grader, the input, `.waza.yaml` or the eval, or nothing. */
  readonly modelBy?: Basis["modelBy"];
  /** The same of the effort. */
  readonly effortBy?: Basis["effortBy"];
  /** Absent where the run is missing. */
  readonly run?: Run | undefined;
  readonly missing?: MissingRun | undefined;
  readonly file?: ResultsFile | undefined;
  /** Folder the agent worked in, absolute, links resolved; the judge may read it. */
  readonly workspace?: string | undefined;
  /** Hash of the files that the task gave the agent; absent where it gave none. */
  readonly filesHash?: string | undefined;
  /** Hash of all files in `workspace`; absent without one, or where they are too many to read. */
  readonly workspaceHash?: string | undefined;
  /** The grade is shown and never decides. */
  readonly advisory?: true | undefined;
  /** A grade that is known without the judge. */
  readonly settled?: Verdict | undefined;
  /** The part of the verdict's basis that does not follow from the job; for a recorded verdict, as recorded. */
  readonly basis?: Partial<Basis> | undefined;
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
  "wrong-skills",
  "conversation",
  "graders-failed",
  "unsupported",
  "not-recorded",
  "cap-reached",
  "no-majority",
  "internal",
] as const;

/** A job with its verdict, what it cost and how long it took. */
export interface Grade {
  readonly job: GradingJob;
  readonly verdict: Verdict;
  /** HTTP requests made for it, retries and follow-ups included. */
  readonly requests: number;
  /** Tokens as the API reported them. */
  readonly tokens: TokenUse;
  /** US dollars; absent when the model's price or the usage is not known. */
  readonly cost?: number | undefined;
  readonly durationMs: number;
  /**
   * What the judge was sent before the grader's instructions: one object for all grades of a run by one judge. Kept only
   * where a report shows it.
   */
  readonly sent?: readonly SentPart[] | undefined;
}

/** A part of what a judge was sent: the system message, a section of the evidence, or a step of the conversation. */
export interface SentPart {
  readonly kind: Step["kind"] | "system" | "section";
  readonly title: string;
  readonly text: string;
}

/** The gate's policy, from the inputs. */
export interface Policy {
  /** The lowest agreement with people's labels, 0 to 1. */
  readonly minAgreement?: number | undefined;
  readonly minScore?: number | undefined;
  readonly failOn: "fail" | "regression" | "score" | "never";
  /** What dropped runs again before that decides, once. */
  readonly secondLook?: boolean | undefined;
  readonly onError: "fail" | "warn";
  readonly onMissing: "fail" | "warn";
}

/** What there is to say of a verdict, worst first, without periods: a title is the first, a page has all. */
export type Sentences = readonly [string, ...string[]];

/** The rules of the gate, and `passed` where none of them decided (decide/rules.ts). */
type RuleName =
  | "configuration"
  | "time-limit"
  | "cancelled"
  | "dry-run"
  | "min-agreement"
  | "missing"
  | "errored"
  | "golden"
  | "min-score"
  | "second-look"
  | "regression"
  | "accepted"
  | "failed-grade"
  | "nothing-to-do"
  | "nothing-graded"
  | "not-compared"
  | "passed";

/** What is asked again: a task, or a query, as rows name it. */
export interface AskedAgain {
  readonly suite: string;
  readonly task: string;
  /** The model that its runs asked for, where one of several dropped; absent for all. */
  readonly model?: string | undefined;
}

/** Success or failure of the whole. */
export interface Conclusion {
  /** `pending`: tasks that dropped run again, and a later grade decides. */
  readonly conclusion: "success" | "failure" | "pending";
  /** Conclusion of the check run: `neutral` when something is red but `fail-on: never` lets it pass. */
  readonly check: "success" | "failure" | "neutral" | "cancelled" | "pending";
  /** Which rule of the gate decided. */
  readonly rule: RuleName;
  /** Trigger evals decided, and no grade did. */
  readonly isOfTriggers?: true | undefined;
  /** True when every planned grade is graded and passed, no matter the policy. */
  readonly passed: boolean;
  /** What is to run again before this is decided; empty where no further run would change anything. */
  readonly again: readonly AskedAgain[];
  /** What the rule says, and the state of all grades last. */
  readonly sentences: Sentences;
  /** All of them, after `Passed` or `Failed`: the last line of a log. */
  readonly sentence: string;
  /** The root cause or remedy for the final log line; pages have it in another section. */
  readonly cause?: string | undefined;
}

/** A model's name at its endpoint, and that endpoint: its price depends on both. */
export interface Priced {
  readonly model: string;
  readonly baseUrl: string;
}

/** The estimated requests, tokens and cost of a run; ranges from low to high. */
export interface Estimate {
  readonly grades: number;
  /** Grades with a recorded verdict, which need no request. */
  readonly recorded: number;
  /** Usual and maximum, as for tokens and dollars. */
  readonly requests: readonly [number, number];
  readonly tokens: readonly [number, number];
  /** US dollars; absent when the price of a model is not known. */
  readonly cost?: readonly [number, number] | undefined;
  /** Models whose price is not known. */
  readonly unpriced: readonly Priced[];
  /** The caps that the estimate exceeds: `usual` when the usual figure does, else only the maximum. */
  readonly beyond: readonly { readonly cap: string; readonly usual: boolean }[];
}
