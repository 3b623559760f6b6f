/** Pairs: the output that a run is compared with, and the winner in words. */
import type { GradingJob, PairwiseResult } from "../domain/grade.ts";

/** The agent's answer without the skill, if the grader compares with it; otherwise the run is graded alone. */
export function comparedOutput({ grader, run }: Pick<GradingJob, "grader" | "run">): string | undefined {
  return grader.pairwise && run?.baselineOutput?.trim() ? run.baselineOutput : undefined;
}

/** The winner, for reports. */
export function pairInWords({ winner, magnitude, consistent }: PairwiseResult): string {
  if (!consistent) return "A tie, since the winner changed with the order";
  if (winner === "tie") return "As good with the skill as without";
  const much = magnitude === "much-better" ? "Much better" : "Slightly better";
  return `${much} ${winner === "skill" ? "with" : "without"} the skill`;
}

/** The winner, in waza's words. */
export function pairSentence({ winner, magnitude, consistent }: PairwiseResult): string {
  return `pairwise: winner=${winner}, magnitude=${magnitude}, consistent=${String(consistent)}`;
}
