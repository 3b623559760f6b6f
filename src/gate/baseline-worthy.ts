/** Whether graded results may be kept as a baseline. Pure. */
import type { Conclusion } from "../domain/conclusion.ts";
import { isWithoutCheck } from "../domain/grade.ts";
import type { Scores } from "../domain/scores.ts";

/** Whether every planned grade has checks of a judge, and at least one passed; the conclusion may be failure. */
export function isBaselineWorthy({
  scores: { counts, grades },
  conclusion: { rule },
}: {
  readonly scores: Scores;
  readonly conclusion: Conclusion;
}): boolean {
  if (["configuration", "cancelled", "dry-run"].includes(rule)) return false;
  const isComplete = counts.passed > 0 && counts.passed + counts.failed === counts.planned;
  return isComplete && !grades.some(({ verdict }) => isWithoutCheck(verdict));
}
