/** The folders that `waza run --keep-workspace` leaves, named in the results (`workspace_dir`). */
import { isAbsolute, relative, sep } from "node:path";
import { follow } from "../files/confine.ts";
import type { GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import type { Run } from "../domain/run.ts";
import { statsOf } from "../files/find.ts";
import { shownPath } from "../files/names.ts";
import { listedCode } from "../text/format.ts";
import { notice } from "../text/problem.ts";
import { workBelow } from "./workspaces.ts";
import type { PlacedJobs } from "./workspaces.ts";

/** The folders that may contain workspaces. */
interface Places {
  readonly workspace: string;
  readonly runnerTemp?: string | undefined;
}

/**
 * Gives each job the folder that its run's results name, if it exists below the workspace or the runner's temporary
 * folder, links resolved. Results are untrusted: no other folder is read, nor either of these as a whole, nor the
 * runner's own folders below its temporary folder (names starting with `_`). A folder that exists elsewhere is a notice
 * that says how to have it read.
 */
export function useKeptWorkspaces(jobs: readonly GradingJob[], places: Places): PlacedJobs {
  const workspace = follow(places.workspace).real;
  const temp = places.runnerTemp === undefined ? undefined : follow(places.runnerTemp).real;
  const folders = new Map<Run, string | undefined>();
  const elsewhere = new Map<string, string>();
  for (const { run, settled } of jobs) {
    if (!run?.workspaceDir || settled || folders.has(run)) continue;
    const path = run.workspaceDir;
    if (!isAbsolute(path) || statsOf(path)?.isDirectory() !== true) continue;
    const inTemp = temp === undefined ? undefined : below(path, temp, /^_/);
    const folder = inTemp ?? below(path, workspace);
    folders.set(run, folder);
    if (folder === undefined) elsewhere.set(run.taskId, path);
  }
  const placed = jobs.map((job) => {
    const folder = job.run && folders.get(job.run);
    return folder === undefined ? job : { ...job, workspace: folder };
  });
  return { jobs: placed, problems: notRead(elsewhere, places.workspace) };
}

/** The real path of a folder below `top`; undefined outside, for `top` itself, and if its first part matches `except`. */
function below(path: string, top: string, except?: RegExp): string | undefined {
  const real = workBelow(path, top);
  const [first = ""] = real === undefined ? [] : relative(top, real).split(sep);
  return first === "" || except?.test(first) ? undefined : real;
}

/** One notice for the folders that are not read, by their task. */
function notRead(folders: ReadonlyMap<string, string>, workspace: string): Problem[] {
  const [first] = folders.values();
  if (first === undefined) return [];
  const message = `The judge cannot open the files that the agent left (first in \`${shownPath(first, workspace)}\`), because they are neither in the current folder nor in RUNNER_TEMP: ${listedCode(folders.keys())}.`;
  const help =
    "Set `workspace` to the folder; or run this in a folder above it; or in a workflow, run waza with `env: {TMPDIR: ${{ runner.temp }}}`.";
  return [notice(message, { help })];
}
