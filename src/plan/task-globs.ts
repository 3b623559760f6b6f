/** The inputs `tasks` and `advisory`: globs over the ids and names of tasks, and over the names of graders. */
import type { Task } from "../domain/suite.ts";
import { globMatches } from "../text/glob.ts";

/** True when a task is named by its id or its name; a leading `!` excludes, and only such lines start from all. */
export function selects(globs: readonly string[], task: Pick<Task, "id" | "name">): boolean {
  const including = globs.filter((glob) => !glob.startsWith("!"));
  const excluded = globs.some((glob) => glob.startsWith("!") && mentions(glob, task));
  return !excluded && (including.length === 0 || including.some((glob) => mentions(glob, task)));
}

/** True when a line of globs speaks of a task, to include it or to exclude it. */
export function mentions(glob: string, { id, name }: Pick<Task, "id" | "name">): boolean {
  const bare = glob.replace(/^!/, "");
  return globMatches(bare, id) || globMatches(bare, name);
}

/** True when the input `advisory` names a grader, by the rules of `tasks`; no globs name none. */
export function isAdvisory(globs: readonly string[] = [], grader: string): boolean {
  return globs.length > 0 && selects(globs, { id: grader, name: grader });
}
