/** Which task a file belongs to, by its name or by the prompt in it, where the format itself does not say. */
import type { Suite } from "../domain/suite.ts";
import { closest } from "../text/suggest.ts";

/** What the loaded suites know of their tasks. */
export interface KnownTasks {
  /** Prompts by task id; an id may stand in several suites. */
  readonly prompts: ReadonlyMap<string, readonly string[]>;
  /** True when a suite names no tasks, so that any name is a task's. */
  readonly open: boolean;
}

export interface Named {
  readonly taskId: string;
  readonly number?: number | undefined;
}

/** The enabled tasks of all suites, those of broken ones included: their files are not unknown. */
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
 * Reads `<task-id>[.<trial>]`. A `/` or `:` of the id may be written as `_` or `-`, since file names cannot hold
 * them everywhere; a name that fits two ids so is nobody's. In an open suite any other name is an id itself.
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

/** True when the name is that of a task which a suite names. */
export function namesKnownTask(name: string, tasks: KnownTasks): boolean {
  return taskOfName(name, { ...tasks, open: false }) !== undefined;
}

function idOf(name: string, { prompts }: KnownTasks): string | undefined {
  if (prompts.has(name)) return name;
  const fitting = [...prompts.keys()].filter((id) => isWritten(id, name));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** True when a file or folder is called as the id, with `_` or `-` for a `/` or `:` of it. */
export function isWritten(id: string, name: string): boolean {
  if (id.length !== name.length) return false;
  for (let index = 0; index < id.length; index += 1) {
    const [character, written] = [id.charAt(index), name.charAt(index)];
    if (character !== written && !("/:".includes(character) && "_-".includes(written))) return false;
  }
  return true;
}

/** The task whose prompt this is, white space at the ends aside; undefined when none or several have it. */
export function taskOfPrompt(prompt: string | undefined, { prompts }: KnownTasks): string | undefined {
  const asked = prompt?.trim();
  if (!asked) return undefined;
  const ids = [...prompts].flatMap(([id, known]) => (known.some((one) => one.trim() === asked) ? id : []));
  return ids.length === 1 ? ids[0] : undefined;
}

/** The task when the suites name no other. */
export function onlyTask({ prompts, open }: KnownTasks): string | undefined {
  return open || prompts.size !== 1 ? undefined : [...prompts.keys()][0];
}

/** The task that a name nearly is. */
export function nearestTask(name: string, { prompts }: KnownTasks): string | undefined {
  return closest(name.replace(/\.\d+$/, ""), prompts.keys());
}
