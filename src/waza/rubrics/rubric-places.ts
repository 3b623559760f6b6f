/** Finds the rubric files of a grader. */
import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isInside } from "../../files/confine.ts";
import { confine } from "../eval-place.ts";
import type { EvalPlace } from "../eval-place.ts";

/** Where a grader's rubric file may lie: folders in the order they are tried, all within the eval's repository. */
export interface RubricPlaces {
  readonly folders: readonly string[];
  readonly place: EvalPlace;
}

/** The folder of the task file, if the grader has one, that of its eval file, then the repository root. */
export function rubricPlaces(place: EvalPlace, taskFile?: string): RubricPlaces {
  const own = taskFile === undefined ? [] : [dirname(taskFile)];
  return { folders: [...new Set([...own, place.folder, place.top])], place };
}

/**
 * The first rubric file of that path that exists; `outside` when that one, or each there can be, is not the
 * repository's. Throws the file system's own error for a path that it cannot even look up.
 */
export function findRubricFile(
  path: string,
  { folders, place }: RubricPlaces,
): { readonly file: string } | "outside" | "missing" {
  const candidates = folders.map((folder) => resolve(folder, path));
  const possible = candidates.filter(
    (candidate) => isInside(candidate, place.top) || isInside(candidate, place.root),
  );
  for (const candidate of possible) {
    if (confine(candidate, place) === undefined) return "outside";
    if (lstatSync(candidate, { throwIfNoEntry: false })) return { file: candidate };
  }
  return possible.length === 0 ? "outside" : "missing";
}

/** Markdown files of a folder, from each of the places, written as a reference would be. */
export function markdownFiles(folder: string, { folders, place }: RubricPlaces): string[] {
  const found = folders.flatMap((from) => {
    const target = confine(resolve(from, folder), place);
    if (target === undefined) return [];
    const entries = statSync(target, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(target) : [];
    return entries.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  });
  return [...new Set(found.map(slashes))].sort();
}

/** How a page names a file of the repository: relative to its root, with `/`. */
export function inRepository(path: string, { place: { top, root } }: RubricPlaces): string {
  return slashes(relative(isInside(path, top) ? top : root, path));
}

function slashes(path: string): string {
  return path.replaceAll(sep, "/");
}
