/** The inputs `tasks` and `advisory`: globs over the ids and names of tasks, and over the names of graders. */
import { globMatches } from "../text/glob.ts";

/** A task or a grader of a suite. */
interface Named {
  readonly id?: string | undefined;
  readonly name: string;
  /** The suite's title, a possible prefix of both: `suite/name`. */
  readonly suite: string;
}

/** True if the globs match a task's id or name. A leading `!` excludes; globs that only exclude start from all tasks. */
export function selects(globs: readonly string[], named: Named): boolean {
  const including = globs.filter((glob) => !glob.startsWith("!"));
  const excluded = globs.some((glob) => glob.startsWith("!") && mentions(glob, named));
  return !excluded && (including.length === 0 || including.some((glob) => mentions(glob, named)));
}

/** True if a glob includes or excludes a task. */
export function mentions(glob: string, { id, name, suite }: Named): boolean {
  const bare = glob.replace(/^!/, "");
  const own = id === undefined || id === name ? [name] : [id, name];
  return own.some((one) => globMatches(bare, one) || globMatches(bare, `${suite}/${one}`));
}

/** True if the globs of `advisory` match a grader, by the same rules; no globs match none. */
export function isAdvisory(globs: readonly string[] = [], grader: Named): boolean {
  return globs.length > 0 && selects(globs, grader);
}
