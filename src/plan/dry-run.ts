/** A dry run's changes to a plan: no judge is asked, and missing runs are assumed. */
import type { GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import type { Run } from "../domain/run.ts";
import { count } from "../text/format.ts";
import { notice } from "../text/problem.ts";

/** The job, settled without a judge. */
export function unasked(job: GradingJob): GradingJob {
  const reason = "A dry run asks no judge.";
  return job.settled && !job.missing
    ? job
    : { ...job, settled: { state: "skipped", cause: "dry-run", reason } };
}

/** The job with an empty run if it has none, so that its requests can be counted. */
export function assumeRun(job: GradingJob): GradingJob {
  const { task, missing, settled: _, ...rest } = job;
  if (!missing || job.grader.unsupported !== undefined) return job;
  const run: Run = {
    origin: { file: -1, task: -1, run: -1 },
    taskId: task.id,
    number: missing.number,
    model: missing.model,
    prompt: task.prompt,
    finalOutput: "",
    steps: [],
    agent: "finished",
    recorded: [],
  };
  return { ...rest, task, run };
}

/** The notice of how many runs are assumed, and what the count leaves out. */
export function assumedNotice(jobs: readonly GradingJob[]): Problem[] {
  const missing = new Set(jobs.flatMap((job) => job.missing ?? []));
  if (missing.size === 0) return [];
  const message = `${count(missing.size, "planned run")} ${missing.size === 1 ? "is" : "are"} not in the results: estimated from the task's prompt alone.`;
  const help = "The agent's output will take more tokens than this estimate says.";
  return [notice(message, { help })];
}
