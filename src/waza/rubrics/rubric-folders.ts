/** Finds the rubric files of a grader. */
import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isInside } from "../../files/confine.ts";
import { slashes } from "../../files/names.ts";
import { confine } from "../eval-location.ts";
import type { EvalLocation } from "../eval-location.ts";

/** Folders to search for a grader's rubric file, in order, all within the eval's repository. */
export interface RubricFolders {
  readonly folders: readonly string[];
  readonly location: EvalLocation;
}

/** The folder of the grader's task file, if any, that of its eval file, then the repository root. */
export function rubricFolders(location: EvalLocation, taskFile?: string): RubricFolders {
  const own = taskFile === undefined ? [] : [dirname(taskFile)];
  return { folders: [...new Set([...own, location.folder, location.top])], location };
}

/**
 * The first existing rubric file of that path; `outside` if it, or every candidate, lies outside the repository. Throws
 * the file system's error for a path that cannot be looked up.
 */
export function findRubricFile(
  path: string,
  { folders, location }: RubricFolders,
): { readonly file: string } | "outside" | "missing" {
  const candidates = folders.map((folder) => resolve(folder, path));
  const possible = candidates.filter(
    (candidate) => isInside(candidate, location.top) || isInside(candidate, location.root),
  );
  for (const candidate of possible) {
    if (confine(candidate, location) === undefined) return "outside";
    if (lstatSync(candidate, { throwIfNoEntry: false })) return { file: candidate };
  }
  return possible.length === 0 ? "outside" : "missing";
}

/** Markdown files of a folder, from each of the locations, as references. */
export function markdownFiles(folder: string, { folders, location }: RubricFolders): string[] {
  const found = folders.flatMap((from) => {
    const target = confine(resolve(from, folder), location);
    if (target === undefined) return [];
    const entries = statSync(target, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(target) : [];
    return entries.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  });
  return [...new Set(found.map(slashes))].sort();
}

/** A file's published path: relative to the root of its repository, with `/`. */
export function inRepository(path: string, { location: { top, root } }: RubricFolders): string {
  return slashes(relative(isInside(path, top) ? top : root, path));
}
