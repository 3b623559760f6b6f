/** The source of a baseline, and whether it can be used. Pure. */
import { isChecked } from "../domain/record.ts";
import type { GradeRecord } from "../domain/record.ts";

export interface BaselineSource {
  /** The branch that its files were graded on; absent when they differ. */
  readonly branch?: string | undefined;
  /** Why nothing is compared. */
  readonly absent?: "not-found" | "nothing-passes" | undefined;
  /** True for a file in the checkout, which a pull request could delete. */
  readonly inCheckout?: boolean | undefined;
}

/** Why grades cannot be a baseline; undefined when they can. */
export function absenceOf(baseline: readonly GradeRecord[]): BaselineSource["absent"] {
  if (baseline.length === 0) return "not-found";
  return baseline.some((grade) => isChecked(grade) && grade.passed) ? undefined : "nothing-passes";
}

/** `main`, or `the baseline` where the branch is not known. */
export function nameOf({ branch }: BaselineSource): string {
  return branch ?? "the baseline";
}

/** `on main`, or `in the baseline` where the branch is not known. */
export function inBaseline({ branch }: BaselineSource): string {
  return branch === undefined ? "in the baseline" : `on ${branch}`;
}
