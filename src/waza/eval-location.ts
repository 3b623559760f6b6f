/** Location of an eval, and the paths that its files may name: nothing outside its repository. */
import { dirname, parse, relative, resolve, sep } from "node:path";
import { follow, isInside, refusal, repositoryRoot } from "../files/confine.ts";
import type { ResolvedPath } from "../files/confine.ts";
import type { Problem, SourceSpan } from "../domain/location.ts";
import { error } from "../text/problem.ts";

/** An eval or task file of more is refused unread: the largest real ones have a hundredth of it. */
export const MOST_BYTES = 10_000_000;

/** An eval file with the repository it belongs to. Paths are absolute. */
export interface EvalLocation {
  readonly file: string;
  readonly folder: string;
  readonly workspace: string;
  /** The repository's root as the workspace names it. */
  readonly top: string;
  /** The same with links resolved; every path must stay inside it. */
  readonly root: string;
  /** What the eval and its tasks name, whether or not it exists, absolute: as it is named, and with links resolved. */
  readonly named: Set<string>;
}

/** The location of an eval file. */
export function evalLocation(file: string, workspace: string): EvalLocation {
  const { real } = follow(file);
  const root = rootOf(real, follow(workspace).real);
  return {
    file,
    folder: dirname(file),
    workspace,
    top: rootOf(file, workspace),
    root,
    named: new Set([file, real]),
  };
}

/** The repository of a file; outside the workspace, where there may be none, else the file's own folder. */
function rootOf(file: string, workspace: string): string {
  if (isInside(file, workspace)) return repositoryRoot(file, workspace);
  const everything = parse(file).root;
  const root = repositoryRoot(file, everything);
  return root === everything ? dirname(file) : root;
}

/** The real path of what a file of the eval names, which is remembered and need not exist; undefined when it may not be read. */
export function confine(path: string, { root, named }: EvalLocation): string | undefined {
  const way = follow(path);
  if (refusal(way, { root, namedBy: "file" })) return undefined;
  note(way, named);
  return way.real;
}

/** Remembers a path with every link on the way to it, since the target of any of them may change. */
function note({ path, links, real }: ResolvedPath, named: Set<string>): void {
  for (const one of [resolve(path), ...links, real]) named.add(one);
}

/** Remembers a path that the eval is made of. */
export function noteNamed(path: string, { named }: EvalLocation): void {
  note(follow(path), named);
}

/** What an eval is made of, relative to the root of its repository with `/`. */
export function partsOf({ named, root, top }: EvalLocation): string[] {
  const paths = [...named].flatMap((path) => {
    const within = [root, top].find((one) => isInside(path, one));
    return within === undefined ? [] : relative(within, path).split(sep).join("/");
  });
  return [...new Set(paths)];
}

/** The problem of a name that `confine` refuses; `what` says which, with the name in backticks last. */
export function leavesRepository(what: string, at: SourceSpan): Problem {
  return error(`\`${at.path}\`: ${what} leaves the repository.`, {
    help: "Name something inside the repository that holds the eval file; `.git` and links that lead out are refused.",
    at,
  });
}
