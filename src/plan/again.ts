/** The list of what is asked again, which grading writes, and `run --plan` makes. */
import { FURTHER_RUNS } from "../domain/defaults.ts";
import type { PlannedRow, RunsPlan } from "../domain/run.ts";
import type { Suite, Task } from "../domain/suite.ts";
import { listText, rowOfRun } from "../outputs/list-of-runs.ts";
import { taskOfRun } from "../outputs/task-digest.ts";
import { runFolder } from "./runs.ts";

/** A planned run of a task or of a query. */
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
  const byRun = Map.groupBy(asked, ({ row }) => JSON.stringify(runIdentity(row)));
  const runs = [...byRun.values()].flatMap((same) => {
    const most = Math.max(...same.map(({ row: { trial = 1 } }) => trial));
    return same.slice(0, 1).flatMap(({ suite, task, row }) =>
      Array.from({ length: FURTHER_RUNS }, (_, index) => {
        const trial = most + index + 1;
        const folder = runFolder({ suite, task, trial }, row);
        return rowOfRun({ folder, ...runIdentity(row), trial, again: true });
      }),
    );
  });
  return runs.length === 0
    ? undefined
    : listText({ plans: "further", runs, left: [...left], evals: evals && [...evals], touched: [] });
}

/** What is the same in all runs of a task by one agent and model; not what became of one. */
function runIdentity({ eval: path, task, trigger, skill, agent, model }: PlannedRow) {
  return { eval: path, task, trigger, skill, agent, model };
}
