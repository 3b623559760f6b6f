/** A grade as a plain record, as results files keep it and comparisons need it. */

/** Identity of a grade. */
export interface GradeName {
  /** The eval's name, else its file; both when several evals share the name. */
  readonly suite: string;
  readonly task: string;
  /** The agent's model; empty where the results do not say. */
  readonly model: string;
  readonly grader: string;
  /** Number of the run; 0 for a task without any. */
  readonly run: number;
  /** The results file, for runs of the same number in several files. */
  readonly file?: string | undefined;
}

/** Everything a verdict depends on except the agent's work: grades are comparable when all of it is equal. */
export interface Basis {
  /** Hash of the grader's own prompt. */
  readonly promptSha256: string;
  /** Hash of the rubric's text. */
  readonly rubricSha256?: string | undefined;
  readonly mode: string;
  readonly continueSession: boolean;
  /** Hash of what the task gave the agent. */
  readonly inputsSha256: string;
  /** The judge model by the configuration, also when no judge had to be asked. */
  readonly judgeModel: string;
  readonly reasoningEffort?: string | undefined;
  /** The model's name that was sent (`providers`); absent in files of earlier versions, as `voting` is. */
  readonly sentModel?: string | undefined;
  /** The voting policy. */
  readonly voting?: string | undefined;
  /** Version of our system message and the evidence's form. */
  readonly templateVersion: string;
}

interface CommonRecord extends GradeName {
  /** The grader's weight; 1 where it is absent. */
  readonly weight?: number | undefined;
  /** The task has to pass (`golden: true`). */
  readonly golden?: boolean | undefined;
  /** Shown, never decides; not read from a baseline. */
  readonly advisory?: boolean | undefined;
  /** Absent where the file does not say how it was graded. */
  readonly basis?: Basis | undefined;
  /** The judge's reason, or why there is no verdict. */
  readonly reason?: string | undefined;
  /** The beginning of the agent's answer. */
  readonly answer?: string | undefined;
  /** Hash of the evidence; absent in files of earlier versions. */
  readonly evidence?: string | undefined;
  /** Time of grading in milliseconds since 1970; only in a baseline. */
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
