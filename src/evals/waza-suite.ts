/** Loads an eval file of waza as a suite. */
import { dirname, join, resolve } from "node:path";
import type { Suite, Task } from "../domain/suite.ts";
import { error, isError, notice, warning, type Problem } from "../domain/problem.ts";
import { type TaskList, loadCsvTasks } from "./csv.ts";
import { checkpointNotice, readEffort, readGraders, setModel } from "./graders.ts";
import { type Entry, placelessEntry } from "./entry.ts";
import { confine, nearestFile, noteNamed, evalParts, type EvalLocation } from "./eval-paths.ts";
import type { OtherFormat } from "./other-formats.ts";
import { howToLeaveOut, problem, takenIds } from "./problems.ts";
import type { ProjectConfig, TaskGlob } from "./project-config.ts";
import { EVAL_FILE, TASK_FILE, type EvalFile, readWith, type UnknownKey } from "./schema.ts";
import { readTaskInputs } from "./task-inputs.ts";
import { meantFor, ungraded, unknownKeyProblems } from "./unknown-keys.ts";
import { readSource, type Source } from "./source.ts";
import { titlePath, wholeFile } from "../files/confine.ts";
import { findFiles, fixedFolder, isReasonableGlob, noMatch } from "../files/find.ts";
import { readEach } from "../files/read.ts";
import { shorten } from "../text/format.ts";

/** Options of loading an eval file. */
export interface Loading {
  readonly config: ProjectConfig;
  /** True when the input names this file itself, not through a wildcard. */
  readonly named: boolean;
}

/** The suites of a file; none if it has another format and only a wildcard matched it. */
export interface LoadedSuites {
  readonly suites: readonly Suite[];
  readonly problems: Problem[];
  /** Fields that may hold the checks of evals without any; the suite is broken. */
  readonly unjudged?: readonly Entry[];
}

/** Loads an eval of waza, with its tasks. */
export async function loadSuite(
  { root, warnings }: Source,
  location: EvalLocation,
  { config, named }: Loading,
): Promise<LoadedSuites> {
  const at = wholeFile(location.file, location.workspace);
  // A bare list is one of graders, as waza's own documentation shows them.
  const isBare = Array.isArray(root.value);
  const file = isBare ? placelessEntry({}, at) : root;
  const { data, problems, unknown } = readWith(file, EVAL_FILE);
  const list = readGraders(isBare ? root.as("graders") : root.child("graders"), unknown, { location });
  if (!data) return { suites: [brokenSuite(at)], problems: [...problems, ...list.problems] };
  const tasks = await loadTaskList(file, data, { location, config });
  const keys = unknownKeyProblems("eval", list.unknown);
  problems.push(...warnings, ...schemaVersion(file, data));
  problems.push(...checkpointNotice(file.child("config", "checkpoints")));
  problems.push(...list.problems, ...tasks.problems, ...keys, ...nothingGrades(file, list, tasks));
  const judgeEffort = readEffort(file.child("config", "judge_reasoning_effort"), problems);
  const trials = data.config?.trials_per_task;
  const skill = nearestFile("SKILL.md", location);
  // Everything in its folder belongs to the skill.
  if (skill !== undefined) noteNamed(dirname(skill), location);
  const suite: Suite = {
    title: data.name || titlePath(at),
    at,
    graders: list.graders,
    otherGraders: list.otherGraders,
    tasks: tasks.tasks,
    broken: config.broken || problems.some(isError),
    name: data.name || undefined,
    judgeModel: setModel(config.judgeModel ?? data.config?.judge_model),
    judgeEffort,
    trials: trials !== undefined && Number.isInteger(trials) && trials > 0 ? trials : undefined,
    named,
    skill: typeof data.skill === "string" ? data.skill : undefined,
    table: tasks.table,
    root: location.root,
    parts: evalParts(location),
  };
  return { suites: [suite], problems };
}

/** Errors of what may be the checks of an eval without graders, and of its tasks without their own. */
function nothingGrades(
  file: Entry,
  list: ReturnType<typeof readGraders>,
  { tasks, ungraded: ofTasks = [] }: TaskList,
): readonly Problem[] {
  if (!isWithoutGraders(list)) return [];
  const isUngraded = tasks === "every" || tasks.some(isWithoutGraders);
  return [...(isUngraded ? ungraded("eval", file, list.unknown) : []), ...ofTasks];
}

function isWithoutGraders({ graders, otherGraders }: Pick<Task, "graders" | "otherGraders">): boolean {
  return graders.length + otherGraders.length === 0;
}

/** Task files if neither the eval nor the project names any. */
const DEFAULT_GLOB = "tasks/*.yaml";

/**
 * The tasks of `tasks_from`, which wins over `tasks`, as in waza; of an eval that names none those of the project's glob, else
 * of `tasks/*.yaml` beside it. Without any, every task of the results is graded.
 */
async function loadTaskList(
  file: Entry,
  { tasks_from: csv, range, tasks }: EvalFile,
  { location, config }: { readonly location: EvalLocation; readonly config: ProjectConfig },
): Promise<TaskList> {
  if (csv) return loadCsvTasks(file, { csv, range }, location);
  if (tasks?.length) {
    const globs = tasks.map((pattern, index) => ({ pattern, at: file.child("tasks", index).at }));
    return await loadTasks(globs, location);
  }
  // Adding or removing a task file there changes the eval.
  noteNamed(join(location.folder, dirname(DEFAULT_GLOB)), location);
  const at = wholeFile(location.file, location.workspace);
  return await loadTasks([config.tasks ?? { pattern: DEFAULT_GLOB, at }], location, true);
}

/** A warning for an unknown version: 1.x name a `skill` and 2.x a `scenario`. */
function schemaVersion(file: Entry, { schemaVersion: version }: EvalFile): Problem[] {
  if (!version || /^v?[12](\.|$)/.test(version.trim())) return [];
  const at = file.child("schemaVersion").at;
  const message = `\`schemaVersion\` is \`${shorten(version, 60)}\`, and only 1.x and 2.x are known; it is read as 2.x.`;
  return [warning("unknown-schema", message, { help: "Look for a newer version of this action.", at })];
}

/** The suite of an eval file that cannot be read. */
export function brokenSuite(at: Suite["at"]): Suite {
  return { title: titlePath(at), at, graders: [], otherGraders: [], tasks: [], broken: true };
}

/** A file of another format: an error if the input names the file itself, else a notice. */
export function foreign({ what, help = "" }: OtherFormat, at: Suite["at"], named: boolean): LoadedSuites {
  const message = `the file ${what}`;
  if (!named)
    return { suites: [], problems: [notice("other-format", message, { help: help || undefined, at })] };
  const advice = `${help && `${help} `}${howToLeaveOut(at.path)}`;
  return { suites: [brokenSuite(at)], problems: [error("other-format", message, { help: advice, at })] };
}

/* The task files of a suite. */

/**
 * Loads the task files of these globs; one with a leading `!` excludes. A glob that leaves the repository is an error, and so
 * is one that matches nothing, unless it is the default.
 */
async function loadTasks(
  globs: readonly TaskGlob[],
  location: EvalLocation,
  isDefault = false,
): Promise<TaskList> {
  const refused = globs.flatMap((glob) => refusedGlob(glob, location) ?? []);
  if (refused.length > 0) return { tasks: [], problems: refused };
  const excluding = globs.flatMap(({ pattern }) => (pattern.startsWith("!") ? pattern : []));
  const problems: Problem[] = [];
  const files = new Set<string>();
  for (const glob of globs) {
    if (excluding.includes(glob.pattern)) continue;
    const found = await findFiles([glob.pattern], location.folder);
    const isAway = found.some((file) => confine(file, location) === undefined);
    if (found.length === 0 && isDefault) {
      const isOfProject = glob.pattern !== DEFAULT_GLOB;
      return {
        tasks: "every",
        problems: isOfProject ? [{ ...noTasks(glob, location), level: "warning" }] : [],
      };
    }
    if (isAway) problems.push(leavesRepository(glob));
    else if (found.length === 0) problems.push(noTasks(glob, location));
    else {
      const kept =
        excluding.length === 0 ? found : await findFiles([glob.pattern, ...excluding], location.folder);
      for (const file of kept) files.add(file);
    }
  }
  if (files.size === 0 && problems.length === 0 && globs[0])
    problems.push(problem("all-excluded", globs[0].at));
  const read = await readEach(files, (file) => readTask(file, location));
  const list = read.flatMap((one) => one.task ?? []);
  const taken = takenIds(list, ({ at }) => `\`${String(at?.path)}\``, "task of a suite a unique id");
  return {
    tasks: list,
    problems: [...problems, ...read.flatMap((one) => one.problems), ...taken],
    ungraded: read.flatMap((one) => one.ungraded ?? []),
  };
}

function refusedGlob(glob: TaskGlob, location: EvalLocation): Problem | undefined {
  const pattern = glob.pattern.replace(/^!/, "");
  if (!isReasonableGlob(pattern)) return problem("unreasonable-glob", glob.at, shorten(glob.pattern, 60));
  return startsInside(pattern, location) ? undefined : leavesRepository(glob);
}

function leavesRepository({ pattern, at }: TaskGlob): Problem {
  return problem("leaves-repository", at, `the tasks glob \`${pattern}\``);
}

/** True if the glob's folder, before the first wildcard, lies in the repository, and nothing climbs out of it. */
function startsInside(pattern: string, location: EvalLocation): boolean {
  const fixed = /[*?{[]/.test(pattern) ? fixedFolder(pattern) : pattern;
  const climbs = pattern
    .slice(fixed.length)
    .split(/[/{},]/)
    .includes("..");
  return !climbs && confine(resolve(location.folder, fixed), location) !== undefined;
}

function noTasks({ pattern, at }: TaskGlob, { folder: cwd, workspace }: EvalLocation): Problem {
  const remedy = "Globs of tasks start at the eval file's folder.";
  const what = `the tasks glob`;
  return noMatch({ what, pattern, cwd, workspace, remedy, at });
}

async function readTask(
  file: string,
  location: EvalLocation,
): Promise<{ task?: Task | undefined; problems: Problem[]; ungraded?: readonly Problem[] }> {
  const source = await readSource(file, location.workspace);
  if (!("root" in source)) return { problems: [source] };
  const { root, warnings } = source;
  const { data, problems, unknown } = readWith(root, TASK_FILE);
  const list = readGraders(root.child("graders"), unknown, { location, taskFile: file });
  problems.push(...list.problems);
  if (!data) return { problems };
  const { unknown: ofInputs, ...inputs } = readTaskInputs({ source, data, location, problems });
  const task: Task = {
    id: data.id,
    name: data.name || data.id,
    enabled: data.enabled ?? true,
    graders: list.graders,
    otherGraders: list.otherGraders,
    golden: data.golden,
    at: wholeFile(file, location.workspace),
    ...inputs,
  };
  const keys = [...list.unknown, ...ofInputs];
  const misspelled =
    task.prompt === undefined
      ? meantFor("the task has no `inputs.prompt`", keys, isMeantForPrompt)
      : undefined;
  return {
    task,
    ungraded: isWithoutGraders(task) ? ungraded("task", root, keys) : [],
    problems: [
      ...warnings,
      ...problems,
      ...checkpointNotice(root.child("checkpoints")),
      ...(misspelled ? [misspelled] : []),
      ...unknownKeyProblems("task", keys),
    ],
  };
}

/** True for an unknown key that seems meant for `prompt`, without which the judge does not know the task. */
function isMeantForPrompt({ name, meant = "" }: UnknownKey): boolean {
  const location = name.startsWith("inputs.") ? `inputs.${meant}` : meant;
  return ["inputs", "inputs.prompt", "inputs.prompt_file"].includes(location);
}
