/** The judge interface: requests, answers, errors. */
import type { ErrorClass, GradeError, Graded, JudgeIdentity } from "../domain/grade.ts";
import type { TokenUse } from "../domain/run.ts";

/** Usage of one grade, counted while it runs, so that the cost of a failed one is known too. */
export interface Meter {
  requests: number;
  readonly tokens: { -readonly [Kind in keyof TokenUse]-?: number };
  /** US dollars; undefined once a request had no known price or no reported usage. */
  cost: number | undefined;
}

export function startMeter(): Meter {
  return { requests: 0, tokens: { input: 0, output: 0, cached: 0, written: 0 }, cost: 0 };
}

/** A chat message. The judge sees nothing but these. */
export interface JudgeMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** A tool call; what it gives may be anything. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** Tools for reading files, for one grade. */
export interface FileReader {
  /** Definitions of the tools, for the request. */
  readonly tools: readonly unknown[];
  /** Answers a call; undefined if it is of another tool. Never throws. */
  readonly answer: (call: ToolCall, signal: AbortSignal) => Promise<string | undefined>;
  /** Number of answered calls, without those refused by a limit. */
  readonly reads: () => number;
  /** Another reader of the same files, with the full limits. */
  readonly again: () => FileReader;
  /** A hash of everything that can be read; undefined if there is too much to record a verdict. */
  readonly fingerprint: () => Promise<string | undefined>;
}

export interface JudgeRequest {
  readonly model: string;
  readonly messages: readonly JudgeMessage[];
  /** `low` to `max`, as set in the grader or the eval. */
  readonly effort?: string | undefined;
  /** End of the whole grade, of all its votes, in terms of `performance.now()`; without it, none. */
  readonly deadline?: number | undefined;
  /** Number of this vote, from 1; absent without several votes. */
  readonly vote?: number | undefined;
  /** Texts of the grader's statements, each of which gets a verdict by its number. */
  readonly statements?: readonly string[] | undefined;
  /** The numbers of the statements that are judged; all without it. */
  readonly only?: readonly number[] | undefined;
  /** Absent if there is nothing to read: then the request has no file tools. */
  readonly files?: FileReader | undefined;
  /** The first messages, which all graders of a run share, for the provider's prompt cache: how many, and a hash of them. */
  readonly shared?: { readonly messages: number; readonly key: string } | undefined;
  /** Whether other requests with these messages are expected. */
  readonly reused?: boolean | undefined;
  /** Whether the evidence is shortened: a pass is then a doubt. */
  readonly isShortened?: boolean | undefined;
  /** Called at the first reply or failed attempt. */
  readonly onReply?: (() => void) | undefined;
  /** Called with the number of faults in a row of this model, when it changes. */
  readonly onFaults?: ((inARow: number) => void) | undefined;
}

/** A judge's answer, over all its replies; interrupted, its checks include a failure, since passes alone are no verdict. */
export interface JudgeAnswer
  extends
    Pick<Graded, "checks" | "called" | "doubt" | "incomplete" | "recorded" | "votes">,
    Omit<JudgeIdentity, "fingerprint"> {
  /** The text besides its calls, all turns joined. */
  readonly text: string;
  /** Set if it did not use tools, and so could read no file. */
  readonly withoutTools?: true | undefined;
  /** Set if its server seems to have truncated the evidence. */
  readonly seemsCut?: true | undefined;
  /** Number of file reads; absent if it could not read any. */
  readonly reads?: number | undefined;
}

/** What an answer has if any of its replies, or any of its votes, has it. */
export type AnswerPart = Pick<JudgeAnswer, "changes" | "withoutTools" | "seemsCut" | "reportsReasoning">;

/** Joins the parts of an answer, or of several: each change once, in order. */
export function joinAnswers(parts: readonly AnswerPart[]): AnswerPart {
  const reports = parts.flatMap(({ reportsReasoning }) => reportsReasoning ?? []);
  return {
    changes: [...new Set(parts.flatMap(({ changes }) => changes))],
    withoutTools: parts.some(({ withoutTools }) => withoutTools) || undefined,
    seemsCut: parts.some(({ seemsCut }) => seemsCut) || undefined,
    reportsReasoning: reports.length === 0 ? undefined : reports.includes(true),
  };
}

export interface Judge {
  /** Grades one request. Throws JudgeError if there is no verdict; counts every HTTP request on the meter. */
  grade: (request: JudgeRequest, meter: Meter, signal: AbortSignal) => Promise<JudgeAnswer>;
}

/** Why there is no verdict. Never a failed grade. */
export class JudgeError extends Error {
  readonly class: ErrorClass;
  readonly help?: string | undefined;
  /** The endpoint's own words of a refusal, after its status. */
  readonly said?: string | undefined;
  /** Whether the endpoint requires a key, and none was sent. */
  readonly keyRequired: boolean = false;
  /** Whether no request was sent, because of the same error of an earlier one. */
  readonly notSent?: true | undefined;
  /** What a judge that was interrupted had reported: passes alone are shown, but are no verdict. */
  readonly reported?: Pick<JudgeAnswer, "checks" | "text"> | undefined;

  constructor(errorClass: ErrorClass, message: string, { cause, ...details }: JudgeErrorOptions = {}) {
    super(message, { cause });
    this.name = "JudgeError";
    this.class = errorClass;
    Object.assign(this, details);
  }

  /** The error as data, for the report. */
  toGradeError(): GradeError {
    return { class: this.class, message: this.message, help: this.help, notSent: this.notSent };
  }
}

type JudgeErrorOptions = Partial<
  Pick<JudgeError, "help" | "said" | "cause" | "keyRequired" | "notSent" | "reported">
>;
