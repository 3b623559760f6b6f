/** Where the rubric files of a grader may lie, and which of them there are. */
import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isInside, repositoryRoot, resolveLinks } from "../files.ts";

/** Where a grader's rubric file may lie: folders in the order they are tried, all within `root`. */
export interface RubricPlaces {
  readonly folders: readonly string[];
  readonly root: string;
}

/** The folders of the files a grader belongs to, nearest first (task file, eval file), then the repository root. */
export function rubricPlaces(files: readonly string[], workspace: string): RubricPlaces {
  const root = repositoryRoot(files.at(-1) ?? workspace, workspace);
  return { folders: [...new Set([...files.map((file) => dirname(file)), root])], root };
}

/**
 * The first rubric file of that path that exists; `outside` when that one, or each there can be, is not the
 * repository's. Throws the file system's own error for a path that it cannot even look up.
 */
export function findRubricFile(
  path: string,
  { folders, root }: RubricPlaces,
): { readonly file: string } | "outside" | "missing" {
  const realRoot = resolveLinks(root);
  const candidates = folders.map((folder) => resolve(folder, path));
  const possible = candidates.filter(
    (candidate) => isInside(candidate, root) || isInside(candidate, realRoot),
  );
  for (const candidate of possible) {
    const real = resolveLinks(candidate);
    if (!isInside(real, realRoot) || relative(realRoot, real).toLowerCase().split(sep).includes(".git"))
      return "outside";
    if (lstatSync(candidate, { throwIfNoEntry: false })) return { file: candidate };
  }
  return possible.length === 0 ? "outside" : "missing";
}

/** Markdown files of a folder, from each of the places, written as a reference would be. */
export function markdownFiles(folder: string, { folders, root }: RubricPlaces): string[] {
  const realRoot = resolveLinks(root);
  const found = folders.flatMap((place) => {
    const target = resolve(place, folder);
    if (!isInside(resolveLinks(target), realRoot)) return [];
    const entries = statSync(target, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(target) : [];
    return entries.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  });
  return [...new Set(found.map(slashes))].sort();
}

/** How a page names a file of the repository: relative to its root, with `/`. */
export function inRepository(path: string, { root }: RubricPlaces): string {
  return slashes(relative(isInside(path, root) ? root : resolveLinks(root), path));
}

function slashes(path: string): string {
  return path.replaceAll(sep, "/");
}
