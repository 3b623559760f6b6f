/** Tasks of which the judge is not told what the agent was asked. Pure. */
import type { GradingJob, Problem, Run } from "../domain.ts";
import { count } from "../format.ts";
import { notice, warning } from "../problem.ts";

const OF_TASKS =
  "Write `inputs:` into the task file, and below it, indented, `prompt:` with what the agent was asked.";
const OF_RESULTS =
  "Record it in the results (`prompt` of a record), or name the tasks in files with `inputs.prompt`.";

/**
 * One warning for each suite, a notice where it has no task files, at the first of its tasks with neither a prompt of its own nor one in a run that a judge is
 * to see. Rows of a table (`tasks_from`) without one are told where the table is read.
 */
export function withoutPrompt(jobs: readonly GradingJob[]): Problem[] {
  const untold = jobs.filter(
    ({ suite, task, run, settled }) =>
      run &&
      !settled &&
      !isText(task.prompt) &&
      !isAsked(run) &&
      (task.at !== undefined || suite.tasks === "every"),
  );
  return [...Map.groupBy(untold, ({ suite }) => suite)].map(([suite, mine]) => {
    const tasks = new Set(mine.map(({ task }) => task.id)).size;
    const [say, lack, help] =
      suite.tasks === "every"
        ? [notice, `the results record no prompt of ${count(tasks, "task")}`, OF_RESULTS]
        : [
            warning,
            `${tasks === 1 ? "a task has" : `${count(tasks, "task")} have`} no \`inputs.prompt\`, and the results record none`,
            OF_TASKS,
          ];
    const at = mine[0]?.task.at ?? suite.at;
    return say(`The judge is not told what the agent was asked: ${lack}.`, { help, at });
  });
}

/** The run says what it was asked, or its conversation begins with it. */
function isAsked({ prompt, steps }: Run): boolean {
  const said = steps.find(({ kind }) => kind === "user");
  return isText(prompt) || (said?.kind === "user" && isText(said.text));
}

function isText(text = ""): boolean {
  return text.trim() !== "";
}
