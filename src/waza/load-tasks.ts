/** The task files of a suite. */
import { dirname, resolve } from "node:path";
import type { Problem, SourceSpan, Task } from "../domain.ts";
import {
  findFiles,
  isInside,
  isReasonableGlob,
  noMatch,
  publishedPath,
  repositoryRoot,
  resolveLinks,
  wholeFile,
} from "../files.ts";
import { shorten } from "../format.ts";
import { readGraders } from "./graders.ts";
import { rubricPlaces } from "./rubric-places.ts";
import { taskFileSchema } from "./schema.ts";
import { readWith, readYaml, unknownKeyProblems } from "./yaml-source.ts";

/** Where the tasks of an eval lie that names none. */
const DEFAULT_GLOB = "tasks/*.yaml";

export interface TaskList {
  readonly tasks: Task[] | "every";
  readonly problems: Problem[];
}

/** The globs of an eval's `tasks`, each with its place; undefined when the eval names none. */
export type TaskGlobs = readonly { readonly pattern: string; readonly at: SourceSpan }[] | undefined;

/**
 * Loads the tasks an eval file names. An eval without `tasks` uses `tasks/*.yaml` beside it and, when there is
 * none, grades every task of the results. A glob that leaves the repository is refused.
 */
export async function loadTasks(evalFile: string, globs: TaskGlobs, workspace: string): Promise<TaskList> {
  const folder = dirname(evalFile);
  const root = resolveLinks(repositoryRoot(evalFile, workspace));
  const inside = (path: string) => isInside(resolveLinks(path), root);
  if (!globs) {
    const files = await findFiles([DEFAULT_GLOB], folder);
    if (!files.every(inside)) {
      return { tasks: [], problems: [leavesRepository(DEFAULT_GLOB, wholeFile(evalFile, workspace))] };
    }
    return files.length === 0
      ? { tasks: "every", problems: [] }
      : await readTasks(files, evalFile, workspace);
  }
  const problems: Problem[] = [];
  const files: string[] = [];
  const excluding = globs.map(({ pattern }) => pattern).filter((pattern) => pattern.startsWith("!"));
  for (const { pattern, at } of globs.filter((glob) => !excluding.includes(glob.pattern))) {
    if (!isReasonableGlob(pattern)) {
      problems.push(unreasonable(pattern, at));
      continue;
    }
    if (!inside(resolve(folder, literalPart(pattern))) || climbs(pattern)) {
      problems.push(leavesRepository(pattern, at));
      continue;
    }
    const found = await findFiles([pattern], folder);
    if (!found.every(inside)) {
      problems.push(leavesRepository(pattern, at));
    } else if (found.length === 0) {
      problems.push(await noTasks(pattern, folder, at));
    } else {
      files.push(...(await findFiles([pattern, ...excluding], folder)));
    }
  }
  const list = await readTasks([...new Set(files)], evalFile, workspace);
  return { tasks: list.tasks, problems: [...problems, ...list.problems] };
}

function literalPart(pattern: string): string {
  return pattern.replace(/[*?{[].*$/s, "");
}

/** `..` after a wildcard: no such glob is written by accident. */
function climbs(pattern: string): boolean {
  return pattern.slice(literalPart(pattern).length).split("/").includes("..");
}

function unreasonable(pattern: string, at: SourceSpan): Problem {
  return {
    level: "error",
    message: `\`${at.path}\`: the tasks glob \`${shorten(pattern, 60)}\` is too long or has too many stars.`,
    help: "Use at most three `*` between two slashes.",
    at,
  };
}

function leavesRepository(pattern: string, at: SourceSpan): Problem {
  return {
    level: "error",
    message: `\`${at.path}\`: the tasks glob \`${pattern}\` leaves the repository.`,
    help: "Keep task files inside the repository that holds the eval file; links that lead out of it are refused.",
    at,
  };
}

function noTasks(pattern: string, folder: string, at: SourceSpan): Promise<Problem> {
  const alike = ["tasks/**/*.{yaml,yml,json}", "*.{yaml,yml}", "!eval.yaml"];
  const remedy = "Globs of tasks start at the eval file's folder.";
  return noMatch({ what: `\`${at.path}\`: the tasks glob`, pattern, cwd: folder, alike, remedy, at });
}

async function readTasks(files: readonly string[], evalFile: string, workspace: string): Promise<TaskList> {
  const read = await Promise.all(files.map((file) => readTask(file, evalFile, workspace)));
  const problems = read.flatMap((one) => one.problems);
  const tasks: Task[] = [];
  const seen = new Map<string, string>();
  for (const { task, file } of read.map((one, index) => ({ ...one, file: files[index] ?? "" }))) {
    if (!task) continue;
    const other = seen.get(task.id);
    if (other === undefined) tasks.push(task);
    else
      problems.push(duplicateTask(task.id, publishedPath(other, workspace).path, wholeFile(file, workspace)));
    seen.set(task.id, file);
  }
  return { tasks, problems };
}

function duplicateTask(id: string, first: string, at: SourceSpan): Problem {
  return {
    level: "error",
    message: `\`${at.path}\`: the task id \`${id}\` is taken by \`${first}\`.`,
    help: "Results are matched by id: give each task of a suite an id of its own.",
    at,
  };
}

async function readTask(
  file: string,
  evalFile: string,
  workspace: string,
): Promise<{ task?: Task; problems: Problem[] }> {
  const source = await readYaml(file, workspace);
  if (!("data" in source)) return { problems: [source] };
  const { data, problems, unknown } = readWith(source, taskFileSchema);
  if (!data) return { problems };
  const { graders, others, ...list } = readGraders(
    source,
    data.graders ?? [],
    rubricPlaces([file, evalFile], workspace),
  );
  const { path } = publishedPath(file, workspace);
  const task: Task = {
    id: data.id,
    name: data.name || data.id,
    enabled: data.enabled ?? true,
    graders,
    otherGraders: others,
    ...(data.inputs?.prompt ? { prompt: data.inputs.prompt } : {}),
  };
  return {
    task,
    problems: [
      ...source.warnings,
      ...problems,
      ...list.problems,
      ...unknownKeyProblems(path, [...unknown, ...list.unknown]),
    ],
  };
}
