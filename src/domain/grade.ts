/** What is asked and what the judge answered: jobs, verdicts and grades; the gate's policy and conclusion. */
import * as z from "zod/mini";
import {
  type Shaped,
  fields,
  given,
  lenient,
  lenientFlag,
  lenientNumber,
  lenientText,
  mark,
  optional,
  orElse,
} from "../text/optional.ts";
import type { ResultsFile, Run, Step, TokenUse } from "./run.ts";
import type { Grader, Suite, Task } from "./suite.ts";

/** How a judge was asked. */
const sentRequest = z.object({
  api: z.enum(["chat", "responses"]),
  /** The `reasoning_effort`; absent where none was sent. */
  effort: lenientText,
  /** The API's words where it refused the effort that was asked for. */
  refusal: lenientText,
});

export type SentRequest = Shaped<typeof sentRequest>;

/** What named a judge's model or its effort. It changes no verdict. */
const namedBy = lenient(z.enum(["grader", "input", "eval", "default"]));

/** Everything a verdict depends on except the agent's work: grades are comparable when all of it is equal. */
export const basisShape = fields({
  /** Hash of the grader's own prompt. */
  promptSha256: z.string(),
  /** Hash of the rubric's text. */
  rubricSha256: optional(z.string()),
  continueSession: z.boolean(),
  /** Hash of what the task gave the agent. */
  inputsSha256: z.string(),
  /** The judge model by the configuration, also when no judge had to be asked. */
  judgeModel: z.string(),
  reasoningEffort: optional(z.string()),
  modelBy: namedBy,
  effortBy: namedBy,
  /** The model's name that was sent (`providers`). */
  sentModel: optional(z.string()),
  /** The API that was asked. */
  sentApi: optional(sentRequest.shape.api),
  /** The reasoning effort that was sent; `default` where none was. */
  sentEffort: optional(z.string()),
  /** The voting policy. */
  voting: optional(z.string()),
  /** Version of our system message and the evidence's form. */
  templateVersion: z.string(),
});

export type Basis = Shaped<typeof basisShape>;

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

export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** One call of `set_waza_grade_pass` or `set_waza_grade_fail`. */
export const checkShape = z.object({
  outcome: z.enum(["pass", "fail"]),
  /** Number of the judged statement, from 1; absent when the grader lists none. */
  statement: optional(z.number()),
  description: optional(z.string()),
  reason: optional(z.string()),
  /** How many quotes of the reason were looked up in the evidence, and those not found; absent without any, and for recorded verdicts. */
  quotes: optional(z.object({ all: z.number(), missing: z.array(z.string()) })),
  /** The model that reported it, where it is not the grade's own judge. */
  judge: optional(z.string()),
  /** The judge's own `verdict` was the other outcome, of this call or of an earlier one for the same check. */
  contradicted: optional(z.literal(true)),
});

export type Check = Shaped<typeof checkShape>;

/** Why a grade is not complete. */
export const gradeErrorShape = fields({
  class: z.enum(ERROR_CLASSES),
  message: z.string(),
  /** The file concerned; kept apart from the message so that equal errors can be grouped. */
  file: lenientText,
  help: lenientText,
  /** No request was sent, because of the same error of an earlier one. */
  notSent: mark,
});

export type GradeError = Shaped<typeof gradeErrorShape>;

/** What identifies the judge of a verdict. */
const judgeShape = z.object({
  /** The model that answered, as the API names it; absent where it does not, and for a cached verdict. */
  servedBy: lenientText,
  /** In no results file. */
  sent: lenient(sentRequest),
  /** Whether any reply reports reasoning; absent where none was asked for, or no reply says what it used. */
  reportsReasoning: lenientFlag,
  /** Changes to the requests after refusals of the API. */
  changes: orElse(z.array(z.string()), []),
  /** SHA-256 of everything the judge was sent: model, messages, tools, template. */
  fingerprint: orElse(z.string(), ""),
});

export type JudgeIdentity = Shaped<typeof judgeShape>;

/** Votes on one grade; an errored vote counts for neither side. */
const sides = z.object({ passed: z.number(), failed: z.number(), errored: z.number() });
const judgeVotes = z.extend(sides, { model: z.string() });

const votesShape = z.extend(sides, {
  /** Votes by judge model, the first judge's first; only when `confirm-model` was asked. */
  judges: lenient(z.array(judgeVotes)),
});

export type Votes = Shaped<typeof votesShape>;

/** Votes of one judge model. */
export type JudgeVotes = Shaped<typeof judgeVotes>;

/** How much of a run the judge was shown. */
const evidenceShape = fields({
  characters: z.number(),
  toolCalls: z.number(),
  /** True when something was left out to fit the budget. */
  elided: z.boolean(),
  /** Failed calls of the agent that were left out. */
  failedUnseen: lenientNumber,
  /** True when the session was reconstructed turn by turn (`continue_session: true`). */
  reconstructedSession: z.boolean(),
  /** Calls that read, listed or searched files; absent when there were no files. */
  reads: z.optional(z.number()),
});

export type EvidenceSize = Shaped<typeof evidenceShape>;

/** What a verdict and its row both say. */
export const verdictShape = z.object({
  /** Of an errored grade those that were reported before the judge was interrupted: shown, in no score. */
  checks: given(z.array(checkShape), []),
  /** Explains a verdict without checks: the agent failed, or the judge made no grading call. */
  note: lenientText,
  /** Names of the first tools called, when no call was a check. */
  called: lenient(z.array(z.string())),
  /** Why the judge was interrupted after a failure: the failure counts, further checks may be missing. */
  incomplete: optional(gradeErrorShape),
  /** What makes the verdict doubtful. */
  doubt: lenientText,
  /** What the judge wrote beside its calls. */
  response: lenientText,
  /** Absent when no judge was asked. */
  judge: lenient(judgeShape),
  /** Absent when only one verdict was asked for. */
  votes: lenient(votesShape),
  /** How much of the run the judge was shown; absent when none was asked. */
  evidence: lenient(evidenceShape),
});

/** The verdict of one grader on one run. */
export type Verdict = Graded | Errored | Skipped;

export interface Graded extends Shaped<typeof verdictShape> {
  readonly state: "graded";
  /** Passes / (passes + failures), 0 to 1; 0 without any call (waza's prompt grader). */
  readonly score: number;
  /** At least one pass and no failure. */
  readonly passed: boolean;
  /** True when the verdict came from `cache-dir` or from the results. */
  readonly recorded?: boolean | undefined;
}

interface Errored extends Pick<Graded, "response"> {
  readonly state: "errored";
  readonly error: GradeError;
  readonly checks?: Graded["checks"] | undefined;
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
