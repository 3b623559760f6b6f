/** The unit of the exact test: runs of a task that passed, before and now. Pure. */
import type { TaskRuns } from "./exact-test.ts";
import { isGraded } from "./grade-record.ts";
import type { GradeRecord } from "./grade-record.ts";
import type { Pair } from "./pairs.ts";

/**
 * How many runs of each task passed, on both sides. A run passes when all its comparable graders do, and is left out
 * when one of them has no verdict. Graders that passed no run of either side are not asked: they say nothing of a
 * change, and would hide what the others say. (The test stays exact: which ones these are does not depend on the side.)
 */
export function runsOfTasks(
  pairs: readonly Pair[],
  baseline: readonly GradeRecord[],
  current: readonly GradeRecord[],
): { readonly tasks: readonly TaskRuns[]; readonly leftOut: number } {
  const telling = pairs.filter((pair) => pair.baseline.passes + pair.current.passes > 0);
  const before = runsByTask(baseline);
  const now = runsByTask(current);
  let leftOut = 0;
  const tasks = [...Map.groupBy(telling, taskKey)].flatMap(([key, ofTask]) => {
    const graders = new Set(ofTask.map(({ grader }) => grader));
    const tally = (runs: readonly (readonly GradeRecord[])[] = []) => {
      const asked = runs.map((grades) => grades.filter(({ grader }) => graders.has(grader)));
      const whole = asked
        .map((grades) => grades.filter(isGraded))
        .filter(({ length }) => length === graders.size);
      leftOut += runs.length - whole.length;
      return {
        passes: whole.filter((grades) => grades.every(({ passed }) => passed)).length,
        runs: whole.length,
      };
    };
    const task = { baseline: tally(before.get(key)), current: tally(now.get(key)) };
    return task.baseline.runs > 0 && task.current.runs > 0 ? [task] : [];
  });
  return { tasks, leftOut };
}

/** Identity of the task and agent model that a grade or a pair belongs to. */
export function taskKey({ suite, task, model }: Pick<GradeRecord, "suite" | "task" | "model">): string {
  return JSON.stringify([suite, task, model]);
}

/** A key of a task, whatever the model. */
export function taskKeyOfAnyModel({ suite, task }: Pick<GradeRecord, "suite" | "task">): string {
  return JSON.stringify([suite, task]);
}

function runsByTask(grades: readonly GradeRecord[]): Map<string, GradeRecord[][]> {
  const made = grades.filter(({ state }) => state !== "missing");
  return new Map(
    [...Map.groupBy(made, taskKey)].map(([key, ofTask]) => [
      key,
      [...Map.groupBy(ofTask, ({ run, file }) => JSON.stringify([run, file])).values()],
    ]),
  );
}
