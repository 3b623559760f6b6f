/** Key of a grade: which grader of which task and agent model. */

/** One grader of one task and agent model. */
export interface Place {
  readonly suite: string;
  readonly task: string;
  readonly model: string;
  readonly grader: string;
  /** The task is marked golden on either side. */
  readonly golden: boolean;
}

/** Identity of the grader, task and agent model that a grade belongs to. */
export function placeKey({ suite, task, model, grader }: Omit<Place, "golden">): string {
  return JSON.stringify([suite, task, model, grader]);
}
