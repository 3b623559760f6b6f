/** Key of a grade: which grader of which task and agent model. */

/** One grader of one task and agent model. */
export interface GradeKey {
  readonly suite: string;
  readonly task: string;
  readonly model: string;
  readonly grader: string;
  /** The task is marked golden on either side. */
  readonly golden: boolean;
}

/** Identity of the grader, task and agent model that a grade belongs to. */
export function gradeKey({ suite, task, model, grader }: Omit<GradeKey, "golden">): string {
  return JSON.stringify([suite, task, model, grader]);
}
