/** Runs that several evals claim: a log names only its task, and two evals may have one name. */
import type { GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import type { Run } from "../domain/run.ts";
import { listed, listedCode, shorten } from "../text/format.ts";
import { once } from "../text/once.ts";
import { error } from "../text/problem.ts";
import { spanOfFile } from "../files/names.ts";

const APART =
  "Give each eval its own `name`, and put its files below a folder with that name (`logs/<eval>/<task-id>.jsonl` for `results: logs/**/*.jsonl`), or grade each eval in a separate step, with its `eval` and `results`.";

/**
 * Leaves out the jobs of runs that several evals claim, with one problem for all. Evals that list the same task file share
 * its runs, and one without tasks takes all.
 */
export function withoutSharedRuns(jobs: readonly GradingJob[]): { jobs: GradingJob[]; problems: Problem[] } {
  const claims = new Map<string, Claim[]>();
  // Each eval has its own copy of a run, with the prompt of its task.
  for (const job of jobs)
    if (isOfRun(job) && job.suite.tasks !== "every")
      once(claims, JSON.stringify(job.run.origin), () => []).push(job);
  const shared = [...claims.values()].filter(isClaimedTwice);
  const [first] = shared;
  if (!first) return { jobs: [...jobs], problems: [] };
  const named = shared.map((its) => {
    const evals = listedCode(its.map(({ suite }) => suite.key ?? suite.title));
    const [{ run, file }] = its as [Claim];
    return `\`${run.source ?? file?.path ?? ""}\` (the task \`${shorten(run.taskId, 100)}\` of ${evals})`;
  });
  const at = spanOfFile(first[0]?.run.source ?? "");
  const message = `Several evals have a task with the same id, and nothing says which of them these runs belong to: ${listed(named)}.`;
  const left = new Set<GradingJob>(shared.flat());
  return {
    jobs: jobs.filter((job) => !left.has(job)),
    problems: [error(message, { help: APART, at })],
  };
}

type Claim = GradingJob & { readonly run: Run };

function isOfRun(job: GradingJob): job is Claim {
  return job.run !== undefined;
}

function isClaimedTwice(jobs: readonly GradingJob[]): boolean {
  const suites = new Set(jobs.map(({ suite }) => suite));
  const files = new Set(jobs.map(({ task, suite }) => task.at?.path ?? suite));
  return suites.size > 1 && files.size > 1;
}
