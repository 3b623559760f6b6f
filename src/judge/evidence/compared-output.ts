/** Pairs: what a run is compared with, and who won, in words. */
import type { GradingJob, PairwiseResult } from "../../domain/grade.ts";

/** What the agent answered without the skill, where the grader compares with it: else the run is graded alone. */
export function comparedOutput({ grader, run }: Pick<GradingJob, "grader" | "run">): string | undefined {
  return grader.pairwise && run?.baselineOutput?.trim() ? run.baselineOutput : undefined;
}

/** Who won, for people. */
export function pairInWords({ winner, magnitude, consistent }: PairwiseResult): string {
  if (!consistent) return "A tie, since the winner changed with the order";
  if (winner === "tie") return "As good with the skill as without";
  const much = magnitude === "much-better" ? "Much better" : "Slightly better";
  return `${much} ${winner === "skill" ? "with" : "without"} the skill`;
}

/** waza's words for a pair. */
export function pairSentence({ winner, magnitude, consistent }: PairwiseResult): string {
  return `pairwise: winner=${winner}, magnitude=${magnitude}, consistent=${String(consistent)}`;
}
