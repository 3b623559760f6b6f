/** Runs with the same identity, such as those of matrix jobs that all write run number 1. */
import type { GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import type { ResultsFile, Run } from "../domain/run.ts";
import { listed } from "../text/format.ts";
import { once } from "../text/once.ts";
import { error } from "../text/problem.ts";
import { spanOfFile } from "../files/names.ts";

const NUMBER_THEM =
  "Number them. In one `waza run`, the eval's `trials_per_task` does it; in the results of a second one, change `run_number`, for example with `jq '.tasks[].runs[].run_number += 10'`. In records, set `trial`; name text files and logs `<task-id>.<trial>`. If one file is older, or has the same runs, leave it out of `results`.";

interface Planned {
  readonly run: Run;
  readonly file: ResultsFile | undefined;
}

/**
 * Leaves out the jobs of a second run with the same suite, task, model and number: a verdict could not be matched to
 * either. Each pair of files with such runs is one error that names both.
 */
export function withoutSameRuns(jobs: readonly GradingJob[]): { jobs: GradingJob[]; problems: Problem[] } {
  const suites = new Map<object, Map<string, Planned>>();
  const second = new Set<Run>();
  const pairs = new Map<string, { first: string; later: string; runs: Set<string> }>();
  for (const { suite, task, run, file } of jobs) {
    if (!run) continue;
    const known = once(suites, suite, () => new Map<string, Planned>());
    const key = JSON.stringify([task.id, run.model, run.number, run.side]);
    const taken = once(known, key, () => ({ run, file }));
    if (taken.run === run) continue;
    second.add(run);
    const [first, later] = [sourceOf(taken), sourceOf({ run, file })];
    const pair = once(pairs, JSON.stringify([first, later]), () => ({
      first,
      later,
      runs: new Set<string>(),
    }));
    pair.runs.add(`run ${String(run.number)} of \`${task.id}\` by \`${run.model}\``);
  }
  return {
    jobs: jobs.filter(({ run }) => !run || !second.has(run)),
    problems: [...pairs.values()].map(({ first, later, runs }) => problemOf(first, later, [...runs])),
  };
}

function sourceOf({ run, file }: Planned): string {
  return run.source ?? file?.path ?? "";
}

function problemOf(first: string, later: string, runs: readonly string[]): Problem {
  const where = first === later ? `\`${first}\` has` : `\`${first}\` and \`${later}\` have`;
  const message = `${where} different runs with the same task, model and number; only the first is graded: ${listed(runs)}.`;
  const at = spanOfFile(later);
  return error(message, { help: NUMBER_THEM, at });
}
