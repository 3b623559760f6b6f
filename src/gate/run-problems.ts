/** Problems with runs or judges (as opposed to grades), reported first. */
import { deadRunProblems } from "./dead-runs.ts";
import type { Policy } from "../domain/conclusion.ts";
import type { RunProblem } from "../domain/location.ts";
import type { Scores } from "../domain/scores.ts";
import { missingProblems } from "./missing.ts";

/** Agents that never got to work, and missing runs. The gate's rules decide on them. */
export function runProblems({
  scores,
  policy,
}: {
  readonly scores: Scores;
  readonly policy: Policy;
}): readonly RunProblem[] {
  return [...deadRunProblems(scores), ...missingProblems(scores, policy)];
}
