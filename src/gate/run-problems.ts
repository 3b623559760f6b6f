/** What is wrong with the runs and their judges, whatever the grades: said before them in the log and on every page. */
import { deadRunProblems } from "./dead-runs.ts";
import type { RunProblem } from "../domain/place.ts";
import { missedCaseProblems } from "./missed-cases.ts";
import type { Outcome } from "./missed-cases.ts";
import { missingProblems } from "./missing.ts";

/** An agent that never got to work, a judge that missed a golden, runs that are missing; the gate's rules for them decide, not these. */
export function runProblems(report: Outcome): readonly RunProblem[] {
  const { scores, policy } = report;
  return [...deadRunProblems(scores), ...missedCaseProblems(report), ...missingProblems(scores, policy)];
}
