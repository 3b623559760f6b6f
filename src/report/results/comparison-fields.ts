/** The comparison as the results file has it, under `waza_grade.comparison`. Pure. */
import type { Comparison } from "../../compare/compare.ts";
import { comparisonSentence } from "../../compare/comparison-sentence.ts";
import type { Pair, Side } from "../../compare/pairs.ts";
import type { Place } from "../../records/place.ts";

/** Figures and names alone: reasons and answers stand in the grades of the two files. */
export function comparisonFields(comparison: Comparison): Record<string, unknown> {
  const { verdict, p, drop, passRate, score, notComparable, unexcused } = comparison;
  return {
    verdict,
    sentence: comparisonSentence(comparison),
    pass_rate: passRate ?? null,
    drop,
    p_fall: p?.fall ?? null,
    p_rise: p?.rise ?? null,
    fallen_task: comparison.fallenTask
      ? { task_id: comparison.fallenTask.place.task, p_fall: comparison.fallenTask.p }
      : null,
    smallest_fall_seen: comparison.detectable.points ?? null,
    runs_left_out: comparison.runsLeftOut,
    score: score ?? null,
    newly_failing: comparison.newlyFailing.map(pairFields),
    newly_passing: comparison.newlyPassing.map(pairFields),
    still_failing: comparison.stillFailing.map(pairFields),
    not_comparable: notComparable.map((place) => ({ ...placeFields(place), reason: place.reason })),
    added: comparison.added.map(placeFields),
    removed: comparison.removed.map(placeFields),
    unexcused: unexcused.map((grade) => ({
      ...placeFields({ ...grade, golden: grade.golden === true }),
      run_number: grade.run,
    })),
  };
}

function placeFields({ suite, task, model, grader, golden }: Place): Record<string, unknown> {
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
  return { ...placeFields(pair), baseline: side(pair.baseline), current: side(pair.current) };
}
