/** Finds a file's task by its name or its prompt, for formats that do not name the task. */
import type { Suite } from "../domain/suite.ts";
import { once } from "../text/once.ts";
import { closest } from "../text/suggest.ts";

/** The tasks of the loaded suites. */
export interface KnownTasks {
  /** Prompts by task id; several suites may use the same id. */
  readonly prompts: ReadonlyMap<string, readonly string[]>;
  /** A suite names no tasks, so any name is a task's. */
  readonly open: boolean;
}

export interface Named {
  readonly taskId: string;
  readonly number?: number | undefined;
}

/** The enabled tasks of all suites, including broken ones: their files are not unknown. */
export function knownTasks(suites: readonly Suite[]): KnownTasks {
  const prompts = new Map<string, string[]>();
  for (const { tasks } of suites) {
    for (const { id, prompt, enabled } of tasks === "every" ? [] : tasks) {
      if (!enabled) continue;
      const known = prompts.get(id) ?? [];
      prompts.set(id, prompt === undefined ? known : [...known, prompt]);
    }
  }
  return { prompts, open: suites.some(({ tasks }) => tasks === "every") };
}

/**
 * Parses `<task-id>[.<trial>]`. A `/` or `:` of the id may be written as `_` or `-`, since not every file system allows
 * them; a name that fits two ids so is ignored. In an open suite any other name is an id.
 */
export function taskOfName(name: string, tasks: KnownTasks): Named | undefined {
  const whole = idOf(name, tasks);
  if (whole !== undefined) return { taskId: whole };
  const [, stem = name, trial] = /^(.+)\.(\d{1,9})$/s.exec(name) ?? [];
  const id = idOf(stem, tasks) ?? (tasks.open ? stem : undefined);
  return id === undefined
    ? undefined
    : { taskId: id, number: trial === undefined ? undefined : Number(trial) };
}

/** Whether a suite names a task of this name. */
export function namesKnownTask(name: string, tasks: KnownTasks): boolean {
  return taskOfName(name, { ...tasks, open: false }) !== undefined;
}

function idOf(name: string, { prompts }: KnownTasks): string | undefined {
  if (prompts.has(name)) return name;
  const fitting = [...prompts.keys()].filter((id) => isNameOf(id, name));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** The tasks of one suite, collected once. */
export function tasksOfSuite(suite: Suite): KnownTasks {
  return once(OF_SUITES, suite, () => knownTasks([suite]));
}

const OF_SUITES = new WeakMap<Suite, KnownTasks>();

/** Whether a file or folder name is the id, with `_` or `-` for `/` or `:`. */
export function isNameOf(id: string, name: string): boolean {
  if (id.length !== name.length) return false;
  for (let index = 0; index < id.length; index += 1) {
    const [character, written] = [id.charAt(index), name.charAt(index)];
    if (character !== written && !("/:".includes(character) && "_-".includes(written))) return false;
  }
  return true;
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

/** The task with the most similar name. */
export function nearestTask(name: string, { prompts }: KnownTasks): string | undefined {
  return closest(name.replace(/\.\d+$/, ""), prompts.keys());
}
