/** Which files and runs the input `results` names, each with the eval that it belongs to by its folders. */
import { basename, dirname, join, resolve } from "node:path";
import type { OtherEval, Suite } from "../domain/suite.ts";
import type { Problem } from "../domain/problem.ts";
import { hasGit, isInside, lookUp } from "../files/confine.ts";
import { entriesOf, findFiles, fixedFolder, inFolder, noMatch, statsOf } from "../files/find.ts";
import { foldersBelow, layoutsOf } from "./layout.ts";
import { hasLists, isListOfRuns, type RunFile } from "./list-of-runs.ts";
import { LOG, RUN_JSON } from "./run-json.ts";
import { once } from "../text/format.ts";

export interface OutputsRequest {
  /** The `results` input. */
  readonly patterns: readonly string[];
  readonly workspace: string;
  /** Files of formats that record no task are matched by name with the tasks of these suites. */
  readonly suites: readonly Suite[];
  /** What is not graded here, and outputs may be named for. */
  readonly others?: (() => Promise<readonly OtherEval[]>) | undefined;
  /** The trigger evals of the repository. */
  readonly triggers?: (() => Promise<readonly Suite[]>) | undefined;
  /** A step of a workflow: runs in the checkout are refused. */
  readonly isWorkflow?: boolean | undefined;
  /** The page of the workflow's run, which shows why its other jobs ended. */
  readonly runUrl?: string | undefined;
  /** A dry run needs no results: a glob may match nothing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * The files that the patterns match, with the layout of each; in place of a file of a run, its run.json. `otherEvals` are evals
 * of the repository that are not graded here; none if no file's folders could name one. A pattern without a match is a
 * problem.
 */
export async function findOutputs(request: OutputsRequest) {
  const { workspace, suites } = request;
  const { files, folders, runs, problems } = await matched(request);
  // To find the other evals takes a search of the repository.
  const mayNameEvals = runs.size > 0 || [...folders.values()].some(({ length }) => length > 0);
  const otherEvals = mayNameEvals ? ((await request.others?.()) ?? []) : [];
  return {
    files: files.map((file) => lookUp(file, workspace)),
    runFiles: [...runs].map(([file, root]): RunFile => ({ ...lookUp(file, workspace), root })),
    layouts: layoutsOf(folders, suites, otherEvals),
    otherEvals,
    problems,
  };
}

/** What the patterns match: a folder of runs its runs, a glob files and the runs that they lie in. */
async function matched(request: OutputsRequest) {
  const { patterns, workspace } = request;
  const runOf = runFinder(workspace);
  // Each run.json, with the folder of all runs; for each file of no run, the folders below the fixed part of its pattern.
  const runs = new Map<string, string>();
  const folders = new Map<string, readonly string[]>();
  const problems: Problem[] = [];
  const isExcluding = (pattern: string) => pattern.startsWith("!");
  const named = patterns
    .filter((pattern) => !isExcluding(pattern))
    .map((given) => {
      const runFiles = runFilesIn(resolve(workspace, given), runOf);
      const isOfRuns = runFiles.length > 0 || hasLists(folderOfPattern(given, workspace));
      return { pattern: isOfRuns ? given : inFolder(given, workspace, "**"), given, runFiles };
    });
  const globs = named.filter(({ runFiles }) => runFiles.length === 0).map(({ pattern }) => pattern);
  const kept = new Set(await findFiles([...globs, ...patterns.filter(isExcluding)], workspace));
  for (const { pattern, given, runFiles } of named) {
    const files = runFiles.length > 0 ? runFiles : await findFiles([pattern], workspace);
    // Where a list says which runs there should be, those are missing.
    if (files.length === 0 && !request.dryRun && !hasLists(folderOfPattern(pattern, workspace)))
      problems.push(noOutputs(given, request));
    const root = resolve(workspace, runFiles.length > 0 ? pattern : fixedFolder(pattern));
    for (const file of files) {
      const run = runOf(file);
      if (run === undefined) once(folders, file, () => foldersBelow(file, pattern, workspace));
      else if (runFiles.length > 0 || kept.has(file))
        // The folder that the pattern names, unless it lies in the run.
        once(runs, run, () => (isInside(dirname(run), root) ? root : dirname(dirname(run))));
    }
  }
  const isBesideRuns = (file: string) =>
    (basename(file) === ".gitignore" || isListOfRuns(basename(file))) &&
    [...runs.keys()].some((run) => isInside(run, dirname(file)));
  const files = [...kept].filter((file) => folders.has(file) && !isBesideRuns(file));
  return { files, folders, runs, problems };
}

/** What says that runs are there, in or below a folder, or above it; nothing for a path that is no folder. */
function runFilesIn(path: string, runOf: (file: string) => string | undefined): string[] {
  if (!statsOf(path)?.isDirectory() || hasGit(path)) return [];
  const own = runOf(join(path, RUN_JSON));
  return own === undefined ? runFilesBelow(path) : [own];
}

/**
 * Each run.json below a folder; none below another run's folder, or one with a log alone, where an agent writes. Links
 * are not followed.
 */
export function runFilesBelow(folder: string): string[] {
  const entries = entriesOf(folder);
  const found = runFileIn(folder, entries);
  if (found !== undefined) return basename(found) === LOG ? [] : [found];
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => runFilesBelow(join(folder, name)));
}

/**
 * Finds the run that a file lies in: the outermost run.json of its folders, below the workspace where it
 * lies in it. Undefined for a file of no run. Each folder is looked at once.
 */
function runFinder(workspace: string): (file: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const above = (folder: string): string | undefined => {
    const parent = dirname(folder);
    if (folder === workspace || folder === parent) return undefined;
    return once(known, folder, () => above(parent) ?? runFileIn(folder));
  };
  return (file) => {
    const found = above(dirname(file));
    return found === undefined || basename(found) === LOG ? undefined : found;
  };
}

/**
 * The path of what makes a folder that of a run: a run.json, also where it is a link or a folder, since what lies below is
 * the agent's, and reading it says what is wrong. A log without one is of a run that was killed: below it there is no run.
 */
function runFileIn(folder: string, entries = entriesOf(folder)): string | undefined {
  const own = [RUN_JSON, LOG].find((one) => entries.some(({ name }) => name === one));
  return own === undefined ? undefined : join(folder, own);
}

/** The folder that a pattern names, or the fixed part of its path. */
export function folderOfPattern(pattern: string, workspace: string): string {
  const path = resolve(workspace, pattern);
  return statsOf(path)?.isDirectory() ? path : resolve(workspace, fixedFolder(pattern));
}

function noOutputs(pattern: string, { workspace, isWorkflow, runUrl, suites }: OutputsRequest): Problem {
  const search = { what: "The `results` glob", pattern, cwd: workspace, workspace };
  if (isWorkflow === false) {
    // Without suites there are trigger evals alone.
    const run = suites.length === 0 ? "waza-grade run --triggers" : "waza-grade run";
    const remedy = `Run the agent first: \`${run}\` writes to \`.waza-grade/runs\` in the folder where it is started; name other outputs with \`--results\`.`;
    return noMatch({ ...search, remedy });
  }
  const page = isWorkflow && runUrl !== undefined ? { name: "The run", url: runUrl } : undefined;
  const remedy = page
    ? "See why in the job that runs the agent, `agent` in our templates, and in its upload."
    : "Run the agent first, and make sure it writes to the path in `results`.";
  return { ...noMatch({ ...search, remedy, whenEmpty: "no artifact came." }), page };
}
