/** The unit of the exact test: the runs of a task, and how many grades of each passed, before and now. Pure. */
import type { TaskRuns } from "./exact-test.ts";
import { isChecked } from "../domain/record.ts";
import type { GradeRecord } from "../domain/record.ts";
import type { Pair } from "./pairs.ts";
import type { GradeKey } from "../records/grade-key.ts";

/** The runs of a task and agent model. */
export interface RunsOfTask extends TaskRuns {
  readonly key: Pick<GradeKey, "task" | "model">;
  /** Comparable graders: the most that a run can pass. */
  readonly graders: number;
}

/**
 * How many comparable grades of each run passed, on both sides. A run is left out when one of its comparable graders has
 * no verdict.
 */
export function runsOfTasks(pairs: readonly Pair[]): {
  readonly tasks: readonly RunsOfTask[];
  readonly leftOut: number;
} {
  let leftOut = 0;
  const tasks = [...Map.groupBy(pairs, taskKey).values()].flatMap((ofTask): RunsOfTask[] => {
    const values = (side: "baseline" | "current") => {
      const grades = ofTask.flatMap((pair) => pair[side].made);
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

/** Identity of the task and agent model that a grade or a pair belongs to. */
export function taskKey({ suite, task, model }: Pick<GradeRecord, "suite" | "task" | "model">): string {
  return JSON.stringify([suite, task, model]);
}

/** Identity of a task of any model. */
export function taskKeyOfAnyModel({ suite, task }: Pick<GradeRecord, "suite" | "task">): string {
  return JSON.stringify([suite, task]);
}
