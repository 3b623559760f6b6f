/** Whether graded results may be kept as a baseline. Pure. */
import type { Conclusion } from "../domain/conclusion.ts";
import { isWithoutCheck } from "../domain/grade.ts";
import type { Scores } from "../domain/scores.ts";

/** True when every planned grade has a judge's checks and something passed, green or red. */
export function isBaselineWorthy({
  scores: { counts, grades },
  conclusion: { rule },
}: {
  readonly scores: Scores;
  readonly conclusion: Conclusion;
}): boolean {
  if (["configuration", "cancelled", "dry-run"].includes(rule)) return false;
  const isWhole = counts.passed > 0 && counts.passed + counts.failed === counts.planned;
  return isWhole && !grades.some(({ verdict }) => isWithoutCheck(verdict));
}
