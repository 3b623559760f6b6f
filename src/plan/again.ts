/** The list of what is asked again, which grading writes, and `run --plan` makes. */
import { FURTHER_RUNS } from "../domain/grade.ts";
import type { PlannedRow, RunsPlan } from "../domain/run.ts";
import type { Suite, Task } from "../domain/suite.ts";
import { listText, rowOfRun } from "../outputs/list-of-runs.ts";
import { taskOfRun } from "../outputs/task-digest.ts";
import { runFolder } from "./runs.ts";

/** A planned run of a task or of a query, with its skill if it is to have one. */
export interface RowOfTask {
  readonly row: PlannedRow;
  readonly suite: Suite;
  readonly task: Task;
}

/** The planned runs of single tasks and queries of these evals, with the skill. */
export function rowsOfTasks(plan: RunsPlan | undefined, suites: readonly Suite[]): readonly RowOfTask[] {
  return (plan?.runs ?? []).flatMap((row) => {
    const { suite, task } = taskOfRun(suites, row) ?? {};
    return suite && task && row.side === undefined ? { row, suite, task } : [];
  });
}

/** The list of further runs of what these rows are of, by each agent and model, numbered on; undefined without any. */
export function listOfAgain(
  asked: readonly RowOfTask[],
  { evals, left }: Pick<RunsPlan, "evals" | "left">,
): string | undefined {
  const byRun = Map.groupBy(asked, ({ row: { trial: _, folder: __, ...row } }) => JSON.stringify(row));
  const runs = [...byRun.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const most = Math.max(...[first, ...more].map(({ row: { trial = 1 } }) => trial));
    return Array.from({ length: FURTHER_RUNS }, (_, index) => {
      const { suite, task, row } = first;
      const trial = most + index + 1;
      return rowOfRun({ ...row, trial, folder: runFolder({ suite, task, trial }, row), again: true });
    });
  });
  return runs.length === 0
    ? undefined
    : listText({ runs, left: [...left], evals: evals && [...evals], touched: [] });
}
