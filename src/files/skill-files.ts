/** The files of a skill, as an agent gets them: what git tracks or would add, without what judges it. */
import { type Dirent, lstatSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { evalFilesOf, type Suite } from "../domain/suite.ts";
import { follow, hasGit, isGit, isInside } from "./confine.ts";
import { entriesOf } from "./find.ts";
import { git } from "./git.ts";
import { textOfFile } from "./read.ts";

/**
 * The files of a skill's folder: those that git tracks or would add; where git does not know the skill, all but those
 * with a leading dot. Left out is every `evals/`, the eval files of these suites, and the runs of `waza-grade run`. A link
 * that stays in the checkout (`root`) is what it leads to.
 */
export async function skillFiles(folder: string, root: string, suites: readonly Suite[]) {
  const evals = new Set(
    suites.flatMap((suite) =>
      evalFilesOf(suite).map((path) => follow(resolve(suite.root ?? root, path)).real),
    ),
  );
  const files = new Map<string, string>();
  const refused: string[] = [];
  const visited = new Set<string>();
  const top = follow(root).real;
  const add = async (from: string, prefix: string): Promise<void> => {
    if (visited.has(from)) return;
    visited.add(from);
    for (const name of await namesIn(from, prefix === "" ? "SKILL.md" : undefined)) {
      const shown = `${prefix}${name}`;
      if (isLeftOut(shown)) continue;
      const way = follow(join(from, name));
      const stats = lstatSync(way.real, { throwIfNoEntry: false });
      const isAllowed = isInside(way.real, top) && !hasGit(relative(top, way.real));
      if (way.links.length > 0 && (!stats || !isAllowed)) refused.push(shown);
      else if (stats?.isDirectory()) await add(way.real, `${shown}/`);
      else if (stats?.isFile() && !evals.has(way.real)) files.set(shown, way.real);
    }
  };
  await add(follow(folder).real, "");
  return {
    /** Sorted by name: below the skill's folder, with `/`; `real` is absolute, links followed. */
    files: [...files]
      .map(([name, real]) => ({ name, real }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    /** Links, by their names, that lead out of the checkout or nowhere: the agent lacks what they mean. */
    refused,
  };
}

/** Evals, which the agent is judged by, and what `waza-grade run` wrote. */
function isLeftOut(name: string): boolean {
  return name.split("/").some((part) => part === "evals" || part === ".waza-grade" || isGit(part));
}

/** The names below a folder, with `/`: git's, if it knows the folder and this file; a linked folder is one name. */
async function namesIn(folder: string, known: string | undefined): Promise<readonly string[]> {
  try {
    const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const names = [...new Set(await git(["-C", folder, ...list]))].map((name) => name.replace(/\/$/, ""));
    if (known === undefined ? names.length > 0 : names.includes(known)) return names;
  } catch {
    // No repository, or no git.
  }
  return filesBelow(folder, (path) => basename(path).startsWith(".") || holdsRuns(path));
}

/** The names of all files and links below a folder, with `/`, sorted; linked folders are not entered, nor what `isOut`. */
export function filesBelow(
  folder: string,
  isOut = (path: string) => isGit(basename(path)),
): readonly string[] {
  const below = (entry: Dirent) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name), isOut).map((name) => `${entry.name}/${name}`)
      : [entry.name];
  const entries = entriesOf(folder).filter(({ name }) => !isOut(join(folder, name)));
  return entries.flatMap(below).sort();
}

/** Whether a folder is one of runs, all of which `waza-grade run` has git ignore. */
function holdsRuns(folder: string): boolean {
  return textOfFile(join(folder, ".gitignore")) === IGNORE_ALL;
}

/** The content of the .gitignore in a folder of runs. */
export const IGNORE_ALL = "*\n";
