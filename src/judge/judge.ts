/** The judge: the model that grades, behind one method. */
import type {
  Check,
  Choice,
  ErrorClass,
  GradeError,
  PairwiseResult,
  TokenUse,
  Votes,
} from "../domain/grade.ts";

/** Takes secrets out of a text that is published. */
export type Redact = (text: string) => string;
/** Takes what no judge may see (the workflow's token) out of a text. */
export type Conceal = (text: string) => string;

/** A message as every chat API has it; what the judge sees, and nothing else. */
export interface JudgeMessage {
  readonly role: "system" | "developer" | "user" | "assistant";
  readonly content: string;
}

/** What the judge calls, and with what, as it came. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** Files the judge may read, by tools of its own; made for one grade. */
export interface FileReader {
  /** Definitions of the tools, for the request. */
  readonly tools: readonly unknown[];
  /** Answers a call; undefined when it is of another tool. Never throws. */
  readonly answer: (call: ToolCall, signal: AbortSignal) => Promise<string | undefined>;
  /** How many calls were answered, those refused by a cap not counted. */
  readonly reads: () => number;
  /** Another reader of the same files, with caps of its own. */
  readonly again: () => FileReader;
  /** Stands for everything that can be read; undefined when there is too much of it to record a verdict. */
  readonly fingerprint: () => Promise<string | undefined>;
}

export interface JudgeRequest {
  readonly model: string;
  readonly messages: readonly JudgeMessage[];
  /** `low` to `max`, as the grader or the eval asks for it. */
  readonly effort?: string | undefined;
  /** Milliseconds the whole grade may take; absent when nothing limits it. */
  readonly timeoutMs?: number | undefined;
  /** Number of this vote, from 1; absent without several votes. */
  readonly vote?: number | undefined;
  /** Of a pair (pairwise.ts) the messages of the second call, the outputs swapped. */
  readonly swapped?: readonly JudgeMessage[] | undefined;
  /** One of the two calls for a pair: the judge chooses, by a tool of its own. */
  readonly choosing?: true | undefined;
  /** Texts of the grader's statements, each of which gets a verdict by its number; absent where it has none. */
  readonly statements?: readonly string[] | undefined;
  /** Absent when there is nothing to read: then the request has no tools for it. */
  readonly files?: FileReader | undefined;
  /** The first messages, which are the same for each grader of a run. */
  readonly shared?: SharedPrefix | undefined;
  /** True where other requests are expected to begin with them. */
  readonly reused?: boolean | undefined;
  /** Called when the first reply is there, or its first attempt has failed. */
  readonly onReply?: (() => void) | undefined;
}

/** What requests have in common from their first message on: a provider's prompt cache need read it only once. */
export interface SharedPrefix {
  /** How many messages it is. */
  readonly messages: number;
  /** The same for the same evidence, and for no other. */
  readonly key: string;
}

/** What a judge answered, over all its replies. */
export interface JudgeAnswer {
  readonly checks: readonly Check[];
  /** The first tools it called, where none of its calls was a check. */
  readonly called?: readonly string[] | undefined;
  /** What a judge chose that was asked to; absent when it chose nothing. */
  readonly choice?: Choice | undefined;
  /** Of a pair who won, a sample each. */
  readonly pairs?: readonly PairwiseResult[] | undefined;
  /** What it wrote beside its calls, the turns joined. */
  readonly text: string;
  /** True when it did not use tools, and so could read no file. */
  readonly withoutTools?: true | undefined;
  /** True when its server seems to have cut what it was sent. */
  readonly seemsCut?: true | undefined;
  /** How many times it read files; absent when it could not. */
  readonly reads?: number | undefined;
  /** Present where it reported fewer checks than there were to be by its own count. */
  readonly short?: ShortReport | undefined;
  /** Why it broke off before it was finished; then a failure is among the checks, since passes alone are no verdict. */
  readonly incomplete?: GradeError | undefined;
  /** True when it was read from the recorded verdicts. */
  readonly recorded?: boolean | undefined;
  /** How several samples voted; absent for a single one. */
  readonly votes?: Votes | undefined;
  /** The model that answered, as the API names it. */
  readonly servedBy?: string | undefined;
  /** What was dropped or changed in the request because the API refused it. */
  readonly changes?: readonly string[] | undefined;
}

/** How many checks a judge reported, and how many it had announced. */
export interface ShortReport {
  readonly reported: number;
  readonly announced: number;
}

/** Counts as it goes, so that what a failed grade cost is known too. */
export interface Meter {
  requests: number;
  input: number;
  output: number;
  cached: number;
  written: number;
  /** US dollars; absent as soon as a model without a known price was asked, or one that did not say what was used. */
  cost: number | undefined;
}

export interface Judge {
  /** Asks for one grade. Throws JudgeError when there is no verdict; counts every HTTP request on the meter. */
  grade: (request: JudgeRequest, meter: Meter, signal: AbortSignal) => Promise<JudgeAnswer>;
}

interface JudgeErrorOptions {
  readonly help?: string | undefined;
  readonly cause?: unknown;
}

/** Why there is no verdict. Never a failed grade. */
export class JudgeError extends Error {
  readonly class: ErrorClass;
  readonly help: string | undefined;

  constructor(errorClass: ErrorClass, message: string, { help, cause }: JudgeErrorOptions = {}) {
    super(message, { cause });
    this.name = "JudgeError";
    this.class = errorClass;
    this.help = help;
  }

  /** The error as data, for the report. */
  toGradeError(): GradeError {
    return { class: this.class, message: this.message, help: this.help };
  }
}

/** A judge that broke off with nothing but passes: they are kept for the reader, and are no verdict. */
export class Interrupted extends JudgeError {
  readonly checks: readonly Check[];
  /** What it wrote beside its calls. */
  readonly text: string;

  constructor(error: JudgeError, { checks, text }: Pick<JudgeAnswer, "checks" | "text">) {
    super(error.class, error.message, { help: error.help, cause: error });
    this.checks = checks;
    this.text = text;
  }
}

export function startMeter(): Meter {
  return { requests: 0, input: 0, output: 0, cached: 0, written: 0, cost: 0 };
}

export function tokensOf({ input, output, cached, written }: Meter): TokenUse {
  return { input, output, cached, written };
}
