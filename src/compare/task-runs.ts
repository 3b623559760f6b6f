/** Runs by task, the unit of the exact test. Pure. */
import type { TaskRuns } from "./exact-test.ts";
import { isChecked } from "../domain/record.ts";
import type { GradeRecord } from "../domain/record.ts";
import type { Pair } from "./pairs.ts";
import type { GradeKey } from "../records/grade-key.ts";

/** The runs of a task and agent model. */
export interface RunsOfTask extends TaskRuns {
  readonly key: Pick<GradeKey, "task" | "model">;
  /** Number of comparable graders, the maximum that a run can pass. */
  readonly graders: number;
}

/**
 * The number of passed comparable grades of each run, on both sides. A run is left out when one of its comparable graders
 * has no verdict.
 */
export function runsOfTasks(pairs: readonly Pair[]): {
  readonly tasks: readonly RunsOfTask[];
  readonly leftOut: number;
} {
  let leftOut = 0;
  const tasks = [...Map.groupBy(pairs, taskKey).values()].flatMap((ofTask): RunsOfTask[] => {
    const values = (side: "baseline" | "current") => {
      const grades = ofTask.flatMap((pair) => pair[side].records);
      const runs = [...Map.groupBy(grades, ({ run, file }) => JSON.stringify([run, file])).values()];
      const whole = runs.map((run) => run.filter(isChecked)).filter(({ length }) => length === ofTask.length);
      leftOut += runs.length - whole.length;
      return whole.map((run) => run.filter(({ passed }) => passed).length);
    };
    const [key] = ofTask as [Pair];
    const task = {
      key,
      graders: ofTask.length,
      baseline: values("baseline"),
      current: values("current"),
    };
    return task.baseline.length > 0 && task.current.length > 0 ? [task] : [];
  });
  return { tasks, leftOut };
}

/** Key of the task and agent model of a grade or pair. */
export function taskKey({ suite, task, model }: Pick<GradeRecord, "suite" | "task" | "model">): string {
  return JSON.stringify([suite, task, model]);
}

/** Key of a task, for all models together. */
export function taskKeyOfAnyModel({ suite, task }: Pick<GradeRecord, "suite" | "task">): string {
  return JSON.stringify([suite, task]);
}
