/** Key of a grade: grader, task and agent model. */

export interface GradeKey {
  readonly suite: string;
  readonly task: string;
  readonly model: string;
  readonly grader: string;
  /** The task is marked golden on either side. */
  readonly golden: boolean;
}

export function gradeKey({ suite, task, model, grader }: Omit<GradeKey, "golden">): string {
  return JSON.stringify([suite, task, model, grader]);
}
