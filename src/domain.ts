/** The words of this project as types (docs/architecture.md). Every stage speaks in these. */
import type { Comparison } from "./compare/compare.ts";
import type { Basis } from "./compare/grade-record.ts";
import type { Agreement } from "./labels/agreement.ts";

/** A place in a file. `path` is relative to the repository root with `/`; lines and columns count from 1. */
export interface SourceSpan {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn?: number | undefined;
  /** False when the file lies outside the repository, so that nothing can be annotated on it. */
  readonly inRepository: boolean;
  /** A file that a step made: it can be annotated, but the commit has no page of it. */
  readonly generated?: true | undefined;
}

/** Something wrong with what we were given. An `error` is a configuration problem and decides the gate. */
export interface Problem {
  readonly level: "error" | "warning" | "notice";
  /** What is wrong, in a sentence that names the bad value. */
  readonly message: string;
  /** What to change. */
  readonly help?: string | undefined;
  readonly at?: SourceSpan | undefined;
  /** Of a notice that several files may have: its text without the place. Those with one text are told once (alike.ts). */
  readonly alike?: string | undefined;
}

/** A problem of the runs, which is no configuration problem: the gate has rules of its own for what it is about. */
export interface RunProblem extends Problem {
  /** What a page calls it. */
  readonly title: string;
}

/** Instructions for the judge that several graders can share: built in, or a file of the repository. */
export interface Rubric {
  readonly name: string;
  readonly version: string;
  readonly scale: "pass-fail" | "1-5";
  /** `built-in`, or the file's path in the repository. */
  readonly source: string;
  /** What the judge is sent, before the grader's prompt. */
  readonly instructions: string;
  /** What it cannot do without: the agent's conversation, or something besides the task's prompt to hold claims against. */
  readonly needs?: "conversation" | "sources" | undefined;
  readonly goldens: readonly RubricGolden[];
}

/** An example with the verdict that its rubric has to come to. */
export interface RubricGolden {
  readonly name: string;
  readonly input?: string | undefined;
  readonly output: string;
  /** What else the agent had: text, or tool calls with their results (docs/rubrics.md). */
  readonly context?: string | undefined;
  readonly expected: "pass" | "fail";
}

/** A `type: prompt` entry of an eval or task file. */
export interface Grader {
  readonly name: string;
  readonly weight: number;
  /** The instructions for the judge, verbatim; empty when a rubric is all there is. */
  readonly prompt: string;
  readonly rubric?: Rubric | undefined;
  readonly model?: string | undefined;
  /** The judge resumes the agent's session: its conversation is replayed before the prompt. */
  readonly continueSession?: true | undefined;
  /** The judge compares the run with the baseline's, where there is one (`mode: pairwise`). */
  readonly pairwise?: true | undefined;
  /** How much the judge is to reason, as the API calls it. */
  readonly effort?: string | undefined;
  /** An option this version cannot honour yet, named; such a grader is errored, never half-done. */
  readonly unsupported?: string | undefined;
  readonly at: SourceSpan;
}

/** A grader of another type: waza's to run, never ours. */
export interface OtherGrader {
  readonly name: string;
  readonly type: string;
}

/** A file the task gave the agent: its text, or where it lies (absolute, inside the repository, links resolved). */
export type TaskFile =
  { readonly name: string; readonly content: string } | { readonly name: string; readonly path: string };

/** One thing the agent was asked to do. `graders` are the task's own, without the suite's. */
export interface Task {
  readonly id: string;
  readonly name: string;
  readonly prompt?: string | undefined;
  readonly enabled: boolean;
  readonly graders: readonly Grader[];
  readonly otherGraders: readonly OtherGrader[];
  /** Files the agent was given; `name` is what the task calls them. */
  readonly files: readonly TaskFile[];
  /** The folder the task gave: `inputs.context.fixture`, else `context_dir`; absolute, inside the repository, links resolved. */
  readonly contextDir?: string | undefined;
  /** It has to pass, whatever the score. */
  readonly golden?: boolean | undefined;
  /** Its file; absent for a row of a table, and for a task that only results name. */
  readonly at?: SourceSpan | undefined;
}

/** One eval file with its tasks and graders. */
export interface Suite {
  /** The eval's `name`, which results carry as `eval_name`; absent when the file gives none. */
  readonly name?: string | undefined;
  /** What to call the suite on a page: its name, else its file. */
  readonly title: string;
  /** What tells it from other suites of its title; absent where there is none. */
  readonly key?: string | undefined;
  readonly at: SourceSpan;
  /** The judge of graders that name none: `.waza.yaml`'s, else the eval's own. */
  readonly judgeModel?: string | undefined;
  /** The eval's own `judge_reasoning_effort`, for graders that name none. */
  readonly judgeEffort?: string | undefined;
  readonly graders: readonly Grader[];
  readonly otherGraders: readonly OtherGrader[];
  /** `every` when the file names no tasks and none lie beside it: each task of the results is graded. */
  readonly tasks: readonly Task[] | "every";
  /** True when one of its files has an error: no judge call is made for it. */
  readonly broken: boolean;
  /** The input `eval` names this very file, not by a wildcard. */
  readonly named?: boolean | undefined;
  /** The skill it tests, as its `skill` says. */
  readonly skill?: string | undefined;
  /** The root of its repository, absolute. */
  readonly root?: string | undefined;
  /** Files and folders that it is made of, itself and what it and its tasks name, relative to `root` with `/`. */
  readonly parts?: readonly string[] | undefined;
}

/** One step of the agent's conversation. */
export type Step =
  | { readonly kind: "user" | "assistant"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly name: string;
      /** The call's arguments as JSON text. */
      readonly input: string;
      readonly result?: string | undefined;
      readonly success?: boolean | undefined;
    }
  | { readonly kind: "skill" | "error"; readonly text: string };

/** A verdict that stood in the results before us, from waza or another tool. */
export interface RecordedValidation {
  readonly name: string;
  readonly type: string;
  readonly score: number;
  readonly passed: boolean;
  readonly feedback: string;
}

/** One trial of the agent on one task. */
export interface Run {
  /** Where it was read: index of the results file, of the task in it and of the run in that. */
  readonly origin: { readonly file: number; readonly task: number; readonly run: number };
  readonly taskId: string;
  readonly taskName?: string | undefined;
  /** The results mark its task as golden. */
  readonly golden?: boolean | undefined;
  readonly number: number;
  readonly model: string;
  readonly prompt?: string | undefined;
  readonly finalOutput: string;
  readonly steps: readonly Step[];
  /**
   * `finished`: there is something to judge, or nothing says why not. Without anything to judge, `failed` is the agent's
   * doing and counts 0; `grader-failed` is waza's own graders', and nobody's score.
   */
  readonly agent: "finished" | "failed" | "grader-failed";
  readonly errorMessage?: string | undefined;
  /** How a run ended that did not end well, with its message: the judge is told. Absent for every other run. */
  readonly ended?: string | undefined;
  /** The file it was read from, where its results file was made of several. */
  readonly source?: string | undefined;
  /** Where the agent worked, as the results say it; it may be gone, or lie anywhere. */
  readonly workspaceDir?: string | undefined;
  readonly recorded: readonly RecordedValidation[];
  /** What the agent answered to the same task without the skill (`waza run --baseline`). */
  readonly baselineOutput?: string | undefined;
}

/** What a model is called that the results do not name. */
export const UNKNOWN_MODEL = "unknown model";

/** One file of agent outputs. */
export interface ResultsFile {
  readonly path: string;
  /** The eval these outputs belong to; absent in results that do not say. */
  readonly evalName?: string | undefined;
  readonly model: string;
  /** When the agent ran, as the file says it; absent when it does not. */
  readonly timestamp?: string | undefined;
  /** Runs of each task that were to be made, where waza's results say so. */
  readonly runsPerTest?: number | undefined;
  readonly runs: readonly Run[];
}

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
  /** It is asked for anew each time: its verdict is neither taken from records nor kept there. */
  readonly unrecorded?: true | undefined;
}

/** One call of `set_waza_grade_pass` or `set_waza_grade_fail`. */
export interface Check {
  readonly outcome: "pass" | "fail";
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
}

/** One call of `set_pairwise_winner`, of two outputs called A and B. */
export interface Choice {
  readonly winner: "A" | "B" | "tie";
  readonly magnitude: "much-better" | "slightly-better" | "equal";
  readonly reasoning: string;
}

/** Who won of two outputs that were compared in both orders. */
export interface Pair {
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
  "judge-missed-golden",
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
  readonly pairs?: readonly Pair[] | undefined;
  /** How several samples of one grade voted; absent when one was asked for. */
  readonly votes?: Votes | undefined;
  /** How much of the run the judge was shown; absent when no judge was asked. */
  readonly evidence?: EvidenceSize | undefined;
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
  readonly shown?: readonly ShownMessage[] | undefined;
}

/** A message that a judge was sent. */
export interface ShownMessage {
  readonly role: string;
  readonly content: string;
}

export interface TokenUse {
  readonly input: number;
  readonly output: number;
  /** Of the input, what the provider had in its prompt cache; 0 where it does not say. */
  readonly cached: number;
  /** Of the input, what it wrote into that cache, for which some charge more; absent where it does not say. */
  readonly written?: number | undefined;
}

/** Scores of one task of one model within a suite; undefined where nothing was graded. */
export interface TaskScore {
  readonly taskId: string;
  readonly taskName: string;
  readonly model: string;
  readonly runs: readonly RunScore[];
  /** Those of all runs, in their order. */
  readonly grades: readonly Grade[];
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
}

export interface RunScore {
  readonly number: number;
  readonly file?: string | undefined;
  readonly grades: readonly Grade[];
  readonly recorded: readonly RecordedValidation[];
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
}

export interface SuiteScore {
  readonly suite: Suite;
  readonly tasks: readonly TaskScore[];
  readonly grades: readonly Grade[];
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
}

export interface PairCounts {
  readonly all: number;
  readonly consistent: number;
}

export interface Counts {
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** What the errored grades errored with, each once. */
  readonly errorClasses: readonly ErrorClass[];
  readonly skipped: number;
  /** Of the skipped, those of missing runs: they decide by `on-missing`. */
  readonly missing: number;
  /** Failed, and the judge broke off: there may be more checks. */
  readonly incomplete: number;
  readonly checksPassed: number;
  readonly checksFailed: number;
  readonly recorded: number;
  /** Pairs that were compared, and those whose winner both orders agree on; absent where there are none. */
  readonly pairs?: PairCounts | undefined;
  readonly judgeCalls: number;
  readonly tokens: TokenUse;
  /** US dollars; absent when a request went to a model without a known price. */
  readonly cost?: number | undefined;
}

/** All scores and counts, from which the gate decides and every page is rendered. */
export interface Scores {
  readonly suites: readonly SuiteScore[];
  /** All of them, in the order of the suites, tasks and runs. */
  readonly grades: readonly Grade[];
  /** Mean of the task scores of all suites, weighted within a run; absent when nothing was graded. */
  readonly score?: number | undefined;
  readonly unweighted?: number | undefined;
  readonly counts: Counts;
}

/** `noise`, or percentage points. */
export type MaxDrop = "noise" | number;

/** The gate's policy, from the inputs. */
export interface Policy {
  /** The lowest agreement with people's labels, 0 to 1. */
  readonly minAgreement?: number | undefined;
  readonly minScore?: number | undefined;
  readonly failOn: "fail" | "regression" | "score" | "never";
  /** What fall against the baseline is let pass: one that chance explains (where it is absent), or percentage points. */
  readonly maxDrop?: MaxDrop | undefined;
  readonly onError: "fail" | "warn";
  readonly onMissing: "fail" | "warn";
}

/** Success or failure of the whole. */
export interface Conclusion {
  readonly conclusion: "success" | "failure";
  /** What the check run is told: `neutral` when something is red but `fail-on: never` lets it through. */
  readonly check: "success" | "failure" | "neutral" | "cancelled";
  /** Which rule of the gate decided. */
  readonly rule:
    | "configuration"
    | "cancelled"
    | "dry-run"
    | "min-agreement"
    | "missing"
    | "errored"
    | "golden"
    | "min-score"
    | "regression"
    | "failed-grade"
    | "nothing-to-do"
    | "passed";
  /** True when every planned grade is graded and passed: the data alone. */
  readonly passed: boolean;
  /** The verdict in one sentence. */
  readonly sentence: string;
  /** The same in a few words, without the score: the title of a page says it after the name of the suite. */
  readonly verdict: string;
  /** The first of what is told in full before it, and what to do: a runner's last line says it, since it is an annotation. */
  readonly cause?: string | undefined;
  /** What is told nowhere else. */
  readonly hint?: string | undefined;
}

/** A model, as it is called where it is asked, whose price there is not known. */
export interface Unpriced {
  readonly model: string;
  readonly baseUrl: string;
}

/** What a run would take; ranges from low to high. */
export interface Estimate {
  readonly grades: number;
  /** Goldens of rubrics that would be asked before. */
  readonly goldens: number;
  /** Of both, the ones whose verdicts are recorded: they need no request. */
  readonly recorded: number;
  /** What is usual, and at most; so for tokens and dollars. */
  readonly requests: readonly [number, number];
  readonly tokens: readonly [number, number];
  /** US dollars; absent when the price of a model is not known. */
  readonly cost?: readonly [number, number] | undefined;
  readonly unpriced: readonly Unpriced[];
  /** The caps that it goes beyond: by what is usual, or only by what is the most. */
  readonly beyond: readonly { readonly cap: string; readonly usual: boolean }[];
}

/** Advisory graders: scores of their own, and their trend where the baseline has them. */
export interface Advisory {
  readonly scores: Scores;
  readonly comparison?: Comparison | undefined;
}

/** Everything the sinks publish. Text in it is untrusted: each medium escapes its own. */
export interface Report {
  readonly conclusion: Conclusion;
  readonly scores: Scores;
  /** What the advisory graders say, which stands in no other figure; absent where there are none. */
  readonly advisory?: Advisory | undefined;
  /** Against the baseline; absent where none was asked for, or nothing was graded. */
  readonly comparison?: Comparison | undefined;
  /** Against people's labels; absent without the input `labels`. */
  readonly agreement?: Agreement | undefined;
  readonly problems: readonly Problem[];
  readonly results: readonly ResultsFile[];
  readonly policy: Policy;
  /** When the run began and ended, in milliseconds since 1970. */
  readonly time: { readonly started: number; readonly finished: number };
  /** Texts that secrets were taken out of; 0 when there were none. */
  readonly redactions: number;
  /** Of a dry run, which asks no judge. */
  readonly estimate?: Estimate | undefined;
  /** `https://host/owner/repo/blob/<sha>`, for links to graders; absent outside GitHub. */
  readonly sourceUrl?: string | undefined;
  /** The commit and the run that it is of, with their pages; absent outside GitHub. */
  readonly origin?: Origin | undefined;
  /** The HTML report as the input `reports` names it: pages that leave something out name it. */
  readonly htmlFile?: string | undefined;
}

/** What a report is of, with the addresses of its pages on GitHub. */
export interface Origin {
  readonly commit?: { readonly sha: string; readonly url: string } | undefined;
  /** `number` counts the workflow's runs, as GitHub shows it. */
  readonly run?: { readonly number: string; readonly url: string } | undefined;
}
