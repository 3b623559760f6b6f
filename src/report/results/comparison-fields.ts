/** The comparison as the results file has it, under `waza_grade.comparison`. Pure. */
import type { Comparison } from "../../compare/compare.ts";
import { comparisonSentence } from "../../compare/comparison-sentence.ts";
import type { Pair, Side } from "../../compare/pairs.ts";
import type { GradeKey } from "../../records/grade-key.ts";

/** Only figures and names: reasons and answers are in the grades of the two files. */
export function comparisonFields(comparison: Comparison): Record<string, unknown> {
  const { verdict, p, drop, passRate, score, notComparable, unexcused } = comparison;
  return {
    verdict,
    sentence: comparisonSentence(comparison),
    pass_rate: passRate ?? null,
    drop,
    p_fall: p?.drop ?? null,
    p_rise: p?.rise ?? null,
    fallen_task: comparison.droppedTask
      ? { task_id: comparison.droppedTask.key.task, p_fall: comparison.droppedTask.p }
      : null,
    smallest_fall_seen: comparison.detectable.points ?? null,
    runs_left_out: comparison.runsLeftOut,
    score: score ?? null,
    newly_failing: comparison.newlyFailing.map(pairFields),
    newly_passing: comparison.newlyPassing.map(pairFields),
    still_failing: comparison.stillFailing.map(pairFields),
    not_comparable: notComparable.map((grader) => ({ ...keyFields(grader), reason: grader.reason })),
    added: comparison.added.map(keyFields),
    removed: comparison.removed.map(keyFields),
    unexcused: unexcused.map((grade) => ({
      ...keyFields({ ...grade, golden: grade.golden === true }),
      run_number: grade.run,
    })),
  };
}

function keyFields({ suite, task, model, grader, golden }: GradeKey): Record<string, unknown> {
  return {
    suite,
    task_id: task,
    model: model === "" ? null : model,
    grader,
    ...(golden ? { golden: true } : {}),
  };
}

function pairFields(pair: Pair): Record<string, unknown> {
  const side = ({ passes, runs }: Side) => ({ passes, runs });
  return { ...keyFields(pair), baseline: side(pair.baseline), current: side(pair.current) };
}
