/** The paths of an eval: its file, its repository, and what it names, which must stay in there. */
import { existsSync } from "node:fs";
import { dirname, join, parse, relative, resolve } from "node:path";
import { follow, foldersUp, isInside, refusal, repositoryRoot, slashes } from "../files/confine.ts";

/** An eval file with the repository it belongs to. Paths are absolute. */
export interface EvalLocation {
  readonly file: string;
  readonly folder: string;
  readonly workspace: string;
  /** The repository's root as the workspace names it. */
  readonly top: string;
  /** The same with links resolved; contains every allowed path. */
  readonly root: string;
  /** Absolute paths that the eval and its tasks name, existing or not: as written, and with links resolved. */
  readonly named: Set<string>;
}

export function evalLocation(file: string, workspace: string): EvalLocation {
  const { real } = follow(file);
  const root = repositoryAbove(real, follow(workspace).real);
  return {
    file,
    folder: dirname(file),
    workspace,
    top: repositoryAbove(file, workspace),
    root,
    named: new Set([file, real]),
  };
}

/** Root of a file's repository; for a file outside the workspace and any repository, its folder. */
function repositoryAbove(file: string, workspace: string): string {
  if (isInside(file, workspace)) return repositoryRoot(file, workspace);
  const fileSystemRoot = parse(file).root;
  const root = repositoryRoot(file, fileSystemRoot);
  return root === fileSystemRoot ? dirname(file) : root;
}

/** Real path of a name in one of the eval's files; it need not exist. Added to `named`. Undefined if refused. */
export function confine(path: string, location: EvalLocation): string | undefined {
  const resolved = follow(path);
  if (refusal(resolved, { root: location.root, namedBy: "file" })) return undefined;
  noteNamed(path, location);
  return resolved.real;
}

/** Adds a path to the parts of the eval, and every link on the way to it, since a change of any of them changes the eval. */
export function noteNamed(path: string, { named }: EvalLocation): void {
  const { links, real } = follow(path);
  for (const one of [resolve(path), ...links, real]) named.add(one);
}

/** The nearest file of that name, at or above the eval. Nearer locations where it could appear are noted too, for `changed-only`. */
export function nearestFile(name: string, location: EvalLocation): string | undefined {
  const { folder, top } = location;
  return foldersUp(folder, top)
    .map((at) => join(at, name))
    .find((path) => {
      noteNamed(path, location);
      return existsSync(path);
    });
}

/** Paths of an eval's parts, relative to the root of its repository, with `/`. */
export function evalParts({ named, root, top }: EvalLocation): string[] {
  const paths = [...named].flatMap((path) => {
    const within = [root, top].find((one) => isInside(path, one));
    return within === undefined ? [] : slashes(relative(within, path));
  });
  return [...new Set(paths)];
}
