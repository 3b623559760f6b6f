/** What is wrong with the runs and their judges, whatever the grades: said before them in the log and on every page. */
import { deadRunProblems } from "./dead-runs.ts";
import type { Scores } from "../domain/scores.ts";
import type { RunProblem } from "../domain/place.ts";
import { missedCaseProblems } from "./missed-cases.ts";
import type { Outcome } from "./missed-cases.ts";
import { missingProblems } from "./missing.ts";
import { once } from "../text/once.ts";

/** An agent that never got to work, a judge that missed a golden, runs that are missing; the gate's rules for them decide, not these. */
export function runProblems(report: Outcome): readonly RunProblem[] {
  const { scores, policy } = report;
  return once(KNOWN, scores, () => [
    ...deadRunProblems(scores),
    ...missedCaseProblems(report),
    ...missingProblems(scores, policy),
  ]);
}

/** The log and every page ask for them; scores have one policy. */
const KNOWN = new WeakMap<Scores, readonly RunProblem[]>();
