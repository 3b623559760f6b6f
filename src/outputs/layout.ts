/**
 * Which eval and task an output file belongs to: by its folders and its name, where no run.json says it. Only folders
 * below the fixed part of the `results` pattern count: those above are the workflow's own.
 */
import { basename, dirname, relative, resolve } from "node:path";
import type { Run } from "../domain/run.ts";
import type { OtherEval, Skill, Suite } from "../domain/suite.ts";
import { notice, warning, type Problem } from "../domain/problem.ts";
import { publishedPath, slashes, spanOfFile } from "../files/confine.ts";
import { fixedFolder } from "../files/find.ts";
import { count, once, plural } from "../text/format.ts";

/** Where a file belongs; `attempt` is said by a run.json alone, `side` by records too. */
export interface Layout extends Pick<Run, "attempt" | "side"> {
  /** The graded eval that the nearest folder names; several if their titles are equal and no path decides. */
  readonly suites: readonly Suite[];
  /** A run.json says the eval: its name in the results does not count. */
  readonly isSaid?: true | undefined;
  /** The file of an eval that is not graded here, if a folder names it rather than a graded one. */
  readonly otherEval?: string | undefined;
  /** The folder that names no eval, beside one that does: the file belongs to no eval. */
  readonly strayFolder?: string | undefined;
}

/** The layouts of files, each with its folders, the outermost first; by the evals that are graded here, and others. */
export function layoutsOf(
  files: ReadonlyMap<string, readonly string[]>,
  suites: readonly Suite[],
  otherEvals: readonly OtherEval[],
): ReadonlyMap<string, Layout> {
  const known = new Map<string, readonly OtherEval[]>();
  const isTask = (folder: string) =>
    suites.some(({ tasks }) => tasks !== "every" && tasks.some(({ id }) => isNameOf(id, folder)));
  // Evals that are not graded here may have tasks of the same ids; a folder with the name of a task is that task's.
  const named = (folder: string) =>
    once(known, folder, () => [
      ...suites.filter(({ title }) => isNameOf(title, folder)),
      ...(isTask(folder) ? [] : otherEvals.filter(({ title }) => isNameOf(title, folder))),
    ]);
  const isGraded = (one: OtherEval): one is Suite => suites.includes(one as Suite);
  const layouts = [...files].map(([file, folders]) => {
    const names = folders.map((folder) => basename(folder));
    const ofGraded = names.findLastIndex((name) => named(name).some(isGraded));
    const nearest = ofGraded >= 0 ? ofGraded : names.findLastIndex((name) => named(name).length > 0);
    const fitting = closestByPath(named(names[nearest] ?? ""), names);
    const graded = fitting.filter(isGraded);
    const otherEval = graded.length > 0 ? undefined : fitting[0]?.at.path;
    return { file, folders, suites: graded, otherEval, namedBy: folders[nearest] };
  });
  const naming = new Set(layouts.flatMap(({ namedBy }) => (namedBy === undefined ? [] : dirname(namedBy))));
  return new Map(
    layouts.map(({ file, folders, namedBy, ...layout }) => {
      const beside = namedBy === undefined ? folders.find((one) => naming.has(dirname(one))) : undefined;
      return [file, { ...layout, strayFolder: beside }];
    }),
  );
}

/** Of several evals, those with the most path segments in common with the folders. */
function closestByPath(suites: readonly OtherEval[], folders: readonly string[]): readonly OtherEval[] {
  const shared = ({ at }: OtherEval) => at.path.split("/").filter((part) => folders.includes(part)).length;
  const most = Math.max(...suites.map(shared));
  return suites.filter((suite) => shared(suite) === most);
}

/* Finds a file's task by its name or its prompt, for formats that do not name the task. */

/** The tasks of the loaded suites. */
export interface KnownTasks {
  /** Prompts by task id; several suites may use the same id. */
  readonly prompts: ReadonlyMap<string, readonly string[]>;
  /** A suite names no tasks, so any name is a task's. */
  readonly open: boolean;
  /** The skills that the suites test. */
  readonly skills?: readonly Skill[] | undefined;
}

/** As `taskOfName`, of the tasks alone that suites name. */
export function knownTaskOfName(name: string, tasks: KnownTasks): NamedTask | undefined {
  return taskOfName(name, { ...tasks, open: false });
}

export interface NamedTask {
  readonly taskId: string;
  readonly number?: number | undefined;
}

/**
 * Parses `<task-id>[.<trial>]`. A `/` or `:` of the id may be written as `_` or `-`, since not every file system allows
 * them; a name that fits two ids so is ignored. In an open suite any other name is an id.
 */
export function taskOfName(name: string, tasks: KnownTasks): NamedTask | undefined {
  const whole = taskIdOf(name, tasks);
  if (whole !== undefined) return { taskId: whole };
  const [, stem = name, trial] = /^(.+)\.(\d{1,9})$/s.exec(name) ?? [];
  const id = taskIdOf(stem, tasks) ?? (tasks.open ? stem : undefined);
  return id === undefined
    ? undefined
    : { taskId: id, number: trial === undefined ? undefined : Number(trial) };
}

function taskIdOf(name: string, { prompts }: KnownTasks): string | undefined {
  if (prompts.has(name)) return name;
  const fitting = [...prompts.keys()].filter((id) => isNameOf(id, name));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Whether a file or folder name is the id, with `_` or `-` for `/` or `:`. */
function isNameOf(id: string, name: string): boolean {
  const isWritten = (character: string, written: string) =>
    character === written || ("/:".includes(character) && "_-".includes(written));
  return id.length === name.length && id.split("").every((one, index) => isWritten(one, name.charAt(index)));
}

const OF_SUITES = new WeakMap<Suite, KnownTasks>();

/** The tasks of one suite, collected once. */
export function tasksOfSuite(suite: Suite): KnownTasks {
  return once(OF_SUITES, suite, () => knownTasks([suite]));
}

/** One task alone. */
export function oneTask(
  id: string,
  prompts: readonly string[] = [],
  skills?: KnownTasks["skills"],
): KnownTasks {
  return { prompts: new Map([[id, prompts]]), open: false, skills };
}

/** The enabled tasks of all suites, including broken ones: their files are not unknown. */
export function knownTasks(suites: readonly Suite[]): KnownTasks {
  const all = suites.flatMap(({ tasks }) =>
    tasks === "every" ? [] : tasks.filter(({ enabled }) => enabled),
  );
  const byId = Map.groupBy(all, ({ id }) => id);
  return {
    prompts: new Map([...byId].map(([id, same]) => [id, same.flatMap(({ prompt }) => prompt ?? [])])),
    open: suites.some(({ tasks }) => tasks === "every"),
    skills: [...new Set(suites.flatMap(({ tested }) => tested ?? []))],
  };
}

/** The only task with this prompt, ignoring white space at its ends. */
export function taskOfPrompt(prompt: string | undefined, { prompts }: KnownTasks): string | undefined {
  const text = prompt?.trim();
  if (!text) return undefined;
  const ids = [...prompts].flatMap(([id, known]) => (known.some((one) => one.trim() === text) ? id : []));
  return ids.length === 1 ? ids[0] : undefined;
}

/** The only task of the suites. */
export function onlyTask({ prompts, open }: KnownTasks): string | undefined {
  return open || prompts.size !== 1 ? undefined : [...prompts.keys()][0];
}

/** Files of one group have the same eval, attempt and side: equal bytes are one run, and run numbers are counted together. */
export function groupOf({ suites, attempt, side }: Layout): string {
  return JSON.stringify([suites.map(({ at }) => at.path), attempt, side]);
}

/** Absolute paths of the folders below a pattern's fixed part, the outermost first. */
export function foldersBelow(file: string, pattern: string, workspace: string): string[] {
  const fixed = resolve(workspace, fixedFolder(pattern));
  const parts = slashes(relative(fixed, dirname(file))).split("/");
  return parts[0] === "" ? [] : parts.map((_, index) => resolve(fixed, ...parts.slice(0, index + 1)));
}

/** One notice for each eval that is not graded here, with the number of its files or runs. */
export function leftToOthers(evals: readonly string[]): Problem[] {
  return [...Map.groupBy(evals, (path) => path)].map(([path, { length }]) =>
    notice(
      "outputs-of-others",
      `${count(length, "output")} in folders named for \`${path}\`, which is not graded here, ${plural(length, "is", "are")} left out.`,
    ),
  );
}

/** One warning for each folder that names no eval beside one that does, with the number of its files. */
export function strayFolders(folders: readonly string[], workspace: string): Problem[] {
  return [...Map.groupBy(folders, (folder) => folder)].map(([folder, { length }]) => {
    const message = `${count(length, "file")} of this folder ${plural(length, "is", "are")} left out: it names no eval, and a folder beside it does.`;
    const help = "Name the folder like the eval that its files belong to, or leave it out of `results`.";
    return warning("stray-folder", message, { help, at: spanOfFile(publishedPath(folder, workspace).path) });
  });
}
