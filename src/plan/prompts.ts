/** The prompt of each run, decided once for evidence, pages and comparison, with warnings for doubtful ones. Pure. */
import type { GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/suite.ts";
import { count, listedCode, shorten } from "../text/format.ts";
import { notice, warning } from "../text/problem.ts";

const OF_TASKS =
  'Give the task the agent\'s prompt: in a task file as `prompt:` below `inputs:`, in an `evals.json` as `"prompt"`.';
const OF_RESULTS =
  "Record it in the results (`prompt` of a record), or name the tasks in files with `inputs.prompt`.";

/**
 * The run with its prompt: the one its results record, else the task's. Logs and texts named for a task with a prompt
 * record none; where no task has a prompt, the user's first message was read as one.
 */
export function withPrompt(run: Run, task: Pick<Task, "prompt">): Run {
  const prompt = run.prompt ?? task.prompt;
  return prompt === run.prompt ? run : { ...run, prompt };
}

/** One warning per suite with results that record another prompt than the task file has. */
export function otherPrompts(jobs: readonly GradingJob[]): Problem[] {
  const other = jobs.filter(({ task, run }) => run && isOther(run.prompt, task.prompt));
  return [...Map.groupBy(other, ({ suite }) => suite)].map(([suite, mine]) => {
    const ids = listedCode(mine.map(({ task }) => task.id));
    const message = `The prompt in the results is not the one in the task file: ${ids}. The judge gets the one in the results.`;
    const help = "If you changed the prompt, run the agent again.";
    return warning(message, { help, at: mine[0]?.task.at ?? suite.at });
  });
}

/** waza fills in templates (`{{…}}`): a prompt with one is a pattern of the prompt sent. */
function isOther(recorded = "", current = ""): boolean {
  return isText(recorded) && isText(current) && !current.includes("{{") && recorded.trim() !== current.trim();
}

/**
 * One warning per suite (a notice if it has no task files), at its first task without a prompt, in the file or in the
 * runs. Table rows (`tasks_from`) without one are reported where the table is read.
 */
export function withoutPrompt(jobs: readonly GradingJob[]): Problem[] {
  const promptless = jobs.filter(
    ({ suite, task, run, settled }) =>
      run && !settled && !isText(run.prompt) && (task.at !== undefined || suite.tasks === "every"),
  );
  return [...Map.groupBy(promptless, ({ suite }) => suite)].map(([suite, mine]) => {
    const tasks = new Set(mine.map(({ task }) => task.id)).size;
    const [say, lack, help] =
      suite.tasks === "every"
        ? [notice, `the results record no prompt of ${count(tasks, "task")}`, OF_RESULTS]
        : [
            warning,
            `${tasks === 1 ? `the task \`${shorten(mine[0]?.task.id ?? "", 100)}\` has` : `${count(tasks, "task")} have`} no prompt, and the results record none`,
            OF_TASKS,
          ];
    const at = mine[0]?.task.at ?? suite.at;
    return say(`The judge does not know the agent's prompt: ${lack}.`, { help, at });
  });
}

function isText(text = ""): boolean {
  return text.trim() !== "";
}
