/** Runs that several evals claim: a log says no more than its task, whose id may be in more than one eval. */
import type { GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/place.ts";
import type { Run } from "../domain/run.ts";
import { listed, listedCode, shorten } from "../text/format.ts";
import { once } from "../text/once.ts";
import { error } from "../text/problem.ts";

const APART =
  "Put the files of each eval below a folder that is called as the eval (`logs/<eval>/<task-id>.jsonl` for `results: logs/**/*.jsonl`), or grade each eval in a step of its own, with its `eval` and `results`.";

/**
 * Leaves out the jobs of runs that several evals claim, with one problem for all. Evals that list the same task file share
 * its runs, and results of waza that name their eval are of no other.
 */
export function withoutSharedRuns(jobs: readonly GradingJob[]): { jobs: GradingJob[]; problems: Problem[] } {
  const claims = new Map<Run, GradingJob[]>();
  for (const job of jobs)
    if (job.run && job.file?.evalName === undefined) once(claims, job.run, () => []).push(job);
  const shared = new Map([...claims].filter(([, its]) => isClaimedTwice(its)));
  const [first] = shared;
  if (!first) return { jobs: [...jobs], problems: [] };
  const named = [...shared].map(([run, its]) => {
    const evals = listedCode(its.map(({ suite }) => suite.key ?? suite.title));
    return `\`${run.source ?? its[0]?.file?.path ?? ""}\` (the task \`${shorten(run.taskId, 100)}\` of ${evals})`;
  });
  const at = { path: first[0].source ?? "", startLine: 1, endLine: 1, inRepository: false };
  const message = `Several evals have the task of one run, and nothing says which of them it is of: ${listed(named)}.`;
  return {
    jobs: jobs.filter(({ run }) => !run || !shared.has(run)),
    problems: [error(message, { help: APART, at })],
  };
}

function isClaimedTwice(jobs: readonly GradingJob[]): boolean {
  const suites = new Set(jobs.map(({ suite }) => suite));
  const files = new Set(jobs.map(({ task, suite }) => task.at?.path ?? suite));
  return suites.size > 1 && files.size > 1;
}
