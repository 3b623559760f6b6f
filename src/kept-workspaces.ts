/** The folders that `waza run --keep-workspace` leaves, which the results name (`workspace_dir`). */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { GradingJob, Problem, Run } from "./domain.ts";
import { isInside, resolveLinks, statsOf } from "./files.ts";
import { listed } from "./format.ts";

/** Where checkouts keep a token, and what is nobody's work. */
const FORBIDDEN = new Set([".git", "node_modules"]);

/**
 * Gives each job the folder that its run's results name, where it is still there and lies below the workspace or the
 * runner's temporary folder, links resolved. Results are their author's word: any other folder is not read, nor one of
 * these two as a whole, nor the runner's own below its temporary folder, whose names begin with `_`. A folder that is
 * there, but elsewhere, is a notice that says how to have it read.
 */
export function useKeptWorkspaces(
  jobs: readonly GradingJob[],
  places: { readonly workspace: string; readonly runnerTemp: string | undefined },
): { jobs: GradingJob[]; problems: Problem[] } {
  const workspace = resolveLinks(places.workspace);
  const temp = places.runnerTemp === undefined ? undefined : resolveLinks(places.runnerTemp);
  const folders = new Map<Run, string | undefined>();
  const elsewhere = new Set<string>();
  for (const { run, settled } of jobs) {
    if (!run?.workspaceDir || settled || folders.has(run)) continue;
    const real = existing(run.workspaceDir);
    const inTemp = real !== undefined && temp !== undefined && isBelow(real, temp, /^_/);
    const allowed = inTemp || (real !== undefined && isBelow(real, workspace));
    folders.set(run, allowed ? real : undefined);
    if (real !== undefined && !allowed) elsewhere.add(run.taskId);
  }
  const placed = jobs.map((job) => {
    const folder = job.run && folders.get(job.run);
    return folder === undefined ? job : { ...job, workspace: folder };
  });
  return { jobs: placed, problems: notRead([...elsewhere]) };
}

function existing(path: string): string | undefined {
  if (!isAbsolute(path) || statsOf(path)?.isDirectory() !== true) return undefined;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** True for a folder below `top`, save those whose first part `except` matches. */
function isBelow(real: string, top: string, except?: RegExp): boolean {
  const parts = relative(top, real).toLowerCase().split(sep);
  const [first = ""] = parts;
  if (!isInside(real, top) || first === "" || except?.test(first)) return false;
  return !parts.some((part) => FORBIDDEN.has(part));
}

function notRead(tasks: readonly string[]): Problem[] {
  if (tasks.length === 0) return [];
  const ids = listed(tasks.map((id) => `\`${id}\``));
  const message = `The folder that the results name as \`workspace_dir\` is there, but neither in the workspace nor in the runner's temporary folder, so the judge is not shown it: ${ids}.`;
  const help =
    "Run waza with `TMPDIR: ${{ runner.temp }}` in the step's `env`, or name the folder in the input `workspace`.";
  return [{ level: "notice", message, help }];
}
