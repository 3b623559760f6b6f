/** Where an eval stands, and what its files may name: nothing outside its repository. */
import { dirname, relative, resolve, sep } from "node:path";
import type { Problem, SourceSpan } from "../domain.ts";
import { isInside, repositoryRoot, resolveLinks } from "../files.ts";

/** An eval or task file of more is refused unread: the largest real ones have a hundredth of it. */
export const MOST_BYTES = 10_000_000;

/** An eval file with the repository it belongs to. Paths are absolute. */
export interface EvalPlace {
  readonly file: string;
  readonly folder: string;
  /** The repository's root, links resolved. */
  readonly root: string;
  readonly workspace: string;
  /** What the eval and its tasks name, whether or not it exists, absolute: as it is named, and with links resolved. */
  readonly named: Set<string>;
}

/** The place of an eval file. */
export function placeOf(file: string, workspace: string): EvalPlace {
  const root = resolveLinks(repositoryRoot(file, workspace));
  return { file, folder: dirname(file), root, workspace, named: new Set([file]) };
}

/** Remembers a path that the eval is made of. */
export function noteNamed(path: string, { named }: EvalPlace): void {
  named.add(resolve(path)).add(resolveLinks(resolve(path)));
}

/** What an eval is made of, relative to the root of its repository with `/`. */
export function partsOf({ named, file, root, workspace }: EvalPlace): string[] {
  const roots = [root, repositoryRoot(file, workspace)];
  const paths = [...named].flatMap((path) => {
    const within = roots.find((one) => isInside(path, one));
    return within === undefined ? [] : relative(within, path).split(sep).join("/");
  });
  return [...new Set(paths)];
}

/**
 * The real path of what a file of the eval names, links resolved, which is remembered; undefined when it leaves the repository, or lies
 * in `.git`, where checkouts keep a token. What the name stands for need not exist.
 */
export function confine(path: string, place: EvalPlace): string | undefined {
  const { root, named } = place;
  const real = resolveLinks(resolve(path));
  if (!isInside(real, root)) return undefined;
  const hidden = relative(root, real)
    .split(sep)
    .some((part) => part.toLowerCase() === ".git");
  if (hidden) return undefined;
  named.add(resolve(path)).add(real);
  return real;
}

/** The problem of a name that `confine` refuses; `what` says which, with the name in backticks last. */
export function leavesRepository(what: string, at: SourceSpan): Problem {
  return {
    level: "error",
    message: `\`${at.path}\`: ${what} leaves the repository.`,
    help: "Name something inside the repository that holds the eval file; `.git` and links that lead out are refused.",
    at,
  };
}
