/** The judge: the model that grades, behind one method. */
import type { Check, ErrorClass, GradeError, TokenUse } from "../domain.ts";

/** A message as every chat API has it; what the judge sees, and nothing else. */
export interface JudgeMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface JudgeRequest {
  readonly model: string;
  readonly messages: readonly JudgeMessage[];
}

/** What a judge answered, over all its turns. */
export interface JudgeAnswer {
  readonly checks: readonly Check[];
  /** What it wrote beside its calls, the turns joined. */
  readonly text: string;
  /** A later turn failed, or a cap of ours ended it, after calls were made. */
  readonly incomplete?: GradeError;
  /** True when it was read from the recorded verdicts. */
  readonly recorded?: boolean;
}

/** Counts as it goes, so that what a failed grade cost is known too. */
export interface Meter {
  requests: number;
  input: number;
  output: number;
}

export interface Judge {
  /** Asks for one grade. Throws JudgeError when there is no verdict; counts every HTTP request on the meter. */
  grade: (request: JudgeRequest, meter: Meter, signal: AbortSignal) => Promise<JudgeAnswer>;
}

/** Why there is no verdict. Never a failed grade. */
export class JudgeError extends Error {
  readonly class: ErrorClass;
  readonly help: string | undefined;

  constructor(errorClass: ErrorClass, message: string, options: { help?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "JudgeError";
    this.class = errorClass;
    this.help = options.help;
  }

  /** The error as data, for the report. */
  toGradeError(): GradeError {
    return {
      class: this.class,
      message: this.message,
      ...(this.help === undefined ? {} : { help: this.help }),
    };
  }
}

export function startMeter(): Meter {
  return { requests: 0, input: 0, output: 0 };
}

export function tokensOf(meter: Meter): TokenUse {
  return { input: meter.input, output: meter.output };
}
