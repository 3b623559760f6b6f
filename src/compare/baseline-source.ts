/** Where a baseline comes from, and whether there is one. Pure. */
import { isChecked } from "../domain/record.ts";
import type { GradeRecord } from "../domain/record.ts";

export interface BaselineSource {
  /** The branch that its files were graded on; absent where they do not all say the same. */
  readonly branch?: string | undefined;
  /** No file was found, or nothing in it passes: then nothing is compared. */
  readonly absent?: "not-found" | "nothing-passes" | undefined;
  /** It lies in the checkout, where a pull request could delete it. */
  readonly inCheckout?: boolean | undefined;
}

/** Why grades are no baseline: there are none, or none passed; undefined where they are one. */
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
