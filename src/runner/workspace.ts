/** The folder that an agent works in: the files of its task, and the skill that it is tested with. */
import { copyFileSync, cpSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Skill, Task } from "../domain/suite.ts";
import { isGit, isInside } from "../files/confine.ts";

interface Work {
  /** Absolute; it exists. */
  readonly folder: string;
  readonly task: Task | undefined;
  readonly skills: readonly Skill[];
  /** Where the agent loads skills from, in the folder. */
  readonly skillsFolder: string;
}

/** Fills the folder; returns the files that the task names and that are not there. */
export function prepareFolder({ folder, task, skills, skillsFolder }: Work): string[] {
  for (const { name, folder: from } of skills) {
    const isLeftOut = (path: string) =>
      isGit(basename(path)) || (dirname(path) === from && basename(path) === "evals");
    const to = join(folder, skillsFolder, name);
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !isLeftOut(path) });
  }
  if (task?.contextDir !== undefined && existsSync(task.contextDir))
    cpSync(task.contextDir, folder, { recursive: true, verbatimSymlinks: true });
  return (task?.files ?? []).flatMap((file) => {
    const to = resolve(folder, file.name);
    const isFine = isInside(to, folder) && to !== folder;
    if (!isFine || "missing" in file || ("path" in file && !existsSync(file.path))) return file.name;
    mkdirSync(dirname(to), { recursive: true });
    if ("content" in file) writeFileSync(to, file.content);
    else if (statSync(file.path).isDirectory()) cpSync(file.path, to, { recursive: true });
    else copyFileSync(file.path, to);
    return [];
  });
}

/** Two skills of one name, of which an agent would load one. */
export function sameNames(skills: readonly Skill[]): readonly Skill[] | undefined {
  return [...Map.groupBy(skills, ({ name }) => name).values()].find(({ length }) => length > 1);
}
