/** A grade as a plain record: what comparing with a baseline and with people's labels need, and a results file keeps. */

/** Which grade it is. */
export interface GradeName {
  /** What tells suites apart: the eval's name, else its file; both where several have that name. */
  readonly suite: string;
  readonly task: string;
  /** The agent's model; empty where the results do not say. */
  readonly model: string;
  readonly grader: string;
  /** Number of the run; 0 for a task without any. */
  readonly run: number;
  /** The results file, which tells apart runs of one number. */
  readonly file?: string | undefined;
}

/** What a verdict rests on, apart from the agent's work: two grades can be compared when all of it is equal. */
export interface Basis {
  /** Hash of the grader's own prompt. */
  readonly prompt: string;
  /** Hash of the rubric's text. */
  readonly rubric?: string | undefined;
  readonly mode: string;
  readonly continueSession: boolean;
  /** Hash of what the task gave the agent. */
  readonly inputs: string;
  /** The judge model asked for, also where no judge had to be asked. */
  readonly judgeModel: string;
  readonly effort?: string | undefined;
  /** The model's name that was sent (`providers`); absent in files of earlier versions, as `voting` is. */
  readonly sentModel?: string | undefined;
  /** How samples of one grade vote. */
  readonly voting?: string | undefined;
  /** Version of our system message and the evidence's form. */
  readonly template: string;
}

interface CommonRecord extends GradeName {
  /** The grader's weight; 1 where it is absent. */
  readonly weight?: number | undefined;
  /** The task has to pass (`golden: true`). */
  readonly golden?: boolean | undefined;
  /** It is shown and never decides; not read from a baseline. */
  readonly advisory?: boolean | undefined;
  /** Absent where the file does not say how it was graded. */
  readonly basis?: Basis | undefined;
  /** What the judge said of it, or why there is no verdict. */
  readonly reason?: string | undefined;
  /** How the agent's answer begins. */
  readonly answer?: string | undefined;
  /** Hash of what the run gave the judge to see; absent in files of earlier versions. */
  readonly evidence?: string | undefined;
  /** When it was graded, in milliseconds since 1970; of a baseline's grades alone. */
  readonly time?: number | undefined;
}

/** A grade with a verdict. */
export interface GradedRecord extends CommonRecord {
  readonly state: "graded";
  readonly passed: boolean;
  /** 0 to 1. */
  readonly score: number;
  /** True when no judge was asked: the agent never got to work. */
  readonly settled?: boolean | undefined;
  /** True without any check: the agent never got to work, or the judge reported nothing. */
  readonly withoutCheck?: boolean | undefined;
  /** The model that answered, as the API named it. */
  readonly servedBy?: string | undefined;
}

/** A grade without a verdict. */
export interface UngradedRecord extends CommonRecord {
  readonly state: "errored" | "skipped" | "missing";
}

export type GradeRecord = GradedRecord | UngradedRecord;

/** True of a grade with a verdict. */
export function isGraded(record: GradeRecord): record is GradedRecord {
  return record.state === "graded";
}

/** True of a verdict with a judge's checks: no other is compared. */
export function isChecked(record: GradeRecord): record is GradedRecord {
  return isGraded(record) && record.withoutCheck !== true;
}

/** True of a verdict that a judge gave. */
export function isJudged(record: GradeRecord): record is GradedRecord {
  return isGraded(record) && record.settled !== true;
}
