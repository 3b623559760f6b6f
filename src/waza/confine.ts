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
}

/** The place of an eval file. */
export function placeOf(file: string, workspace: string): EvalPlace {
  return { file, folder: dirname(file), root: resolveLinks(repositoryRoot(file, workspace)), workspace };
}

/**
 * The real path of what a file of the eval names, links resolved; undefined when it leaves the repository, or lies
 * in `.git`, where checkouts keep a token. What the name stands for need not exist.
 */
export function confine(path: string, { root }: EvalPlace): string | undefined {
  const real = resolveLinks(resolve(path));
  if (!isInside(real, root)) return undefined;
  return relative(root, real)
    .split(sep)
    .some((part) => part.toLowerCase() === ".git")
    ? undefined
    : real;
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
