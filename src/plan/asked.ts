/** What the agent was asked: decided here, once, for evidence, pages and comparison; and what is doubtful in it. Pure. */
import type { GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/suite.ts";
import { count, listedCode } from "../text/format.ts";
import { notice, warning } from "../text/problem.ts";

const OF_TASKS =
  "Write `inputs:` into the task file, and below it, indented, `prompt:` with what the agent was asked.";
const OF_RESULTS =
  "Record it in the results (`prompt` of a record), or name the tasks in files with `inputs.prompt`.";

/**
 * The run with what the agent was asked: what its results say, else its task's own prompt. A log or a text that is named
 * for a task with a prompt says nothing of it; where no task has one, what a user first said was read as its prompt.
 */
export function withPrompt(run: Run, task: Pick<Task, "prompt">): Run {
  const prompt = run.prompt ?? task.prompt;
  return prompt === run.prompt ? run : { ...run, prompt };
}

/** One warning for each suite whose results say of a task that something else was asked than its file says. */
export function otherPrompts(jobs: readonly GradingJob[]): Problem[] {
  const other = jobs.filter(({ task, run }) => run && isOther(run.prompt, task.prompt));
  return [...Map.groupBy(other, ({ suite }) => suite)].map(([suite, mine]) => {
    const ids = listedCode(mine.map(({ task }) => task.id));
    const message = `What the agent was asked is not what the task file says now: ${ids}. The judge is shown what the results say.`;
    const help = "If you changed the prompt, run the agent again.";
    return warning(message, { help, at: mine[0]?.task.at ?? suite.at });
  });
}

/** waza fills in what stands between `{{` and `}}`: such a prompt is a pattern of what was asked. */
function isOther(said = "", ours = ""): boolean {
  return isText(said) && isText(ours) && !ours.includes("{{") && said.trim() !== ours.trim();
}

/**
 * One warning for each suite, a notice where it has no task files, at the first of its tasks with neither a prompt of its own nor one in a run that a judge is
 * to see. Rows of a table (`tasks_from`) without one are told where the table is read.
 */
export function withoutPrompt(jobs: readonly GradingJob[]): Problem[] {
  const untold = jobs.filter(
    ({ suite, task, run, settled }) =>
      run && !settled && !isText(run.prompt) && (task.at !== undefined || suite.tasks === "every"),
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

function isText(text = ""): boolean {
  return text.trim() !== "";
}
