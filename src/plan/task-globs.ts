/** The inputs `tasks` and `advisory`: globs over the ids and names of tasks, and over the names of graders. */
import { globMatches } from "../text/glob.ts";

/** A task or a grader of a suite. */
interface Named {
  readonly id?: string | undefined;
  readonly name: string;
  /** The suite's title, which may stand before either: `suite/name`. */
  readonly suite: string;
}

/** True when a task is named by its id or its name; a leading `!` excludes, and only such lines start from all. */
export function selects(globs: readonly string[], named: Named): boolean {
  const including = globs.filter((glob) => !glob.startsWith("!"));
  const excluded = globs.some((glob) => glob.startsWith("!") && mentions(glob, named));
  return !excluded && (including.length === 0 || including.some((glob) => mentions(glob, named)));
}

/** True when a line of globs speaks of a task, to include it or to exclude it. */
export function mentions(glob: string, { id, name, suite }: Named): boolean {
  const bare = glob.replace(/^!/, "");
  const own = id === undefined || id === name ? [name] : [id, name];
  return own.some((one) => globMatches(bare, one) || globMatches(bare, `${suite}/${one}`));
}

/** True when the input `advisory` names a grader, by the rules of `tasks`; no globs name none. */
export function isAdvisory(globs: readonly string[] = [], grader: Named): boolean {
  return globs.length > 0 && selects(globs, grader);
}
