/** The folder that an agent works in: the files of its task, and the skills that it is tested with. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Skill, type Suite, type Task, skillsGiven } from "../domain/suite.ts";
import { isInside, repositoryRoot, slashes } from "../files/confine.ts";
import { folderSha256 } from "../files/folder.ts";
import { skillFiles } from "../files/skill-files.ts";
import { copyBelow, writeBelow } from "../files/write.ts";
import type { PlannedRun } from "../plan/runs.ts";
import { once } from "../text/format.ts";
import { skillsFolderOf } from "./agents.ts";

/** The skills that an agent gets in a run. */
export function skillsOf({ suite, side }: PlannedRun): readonly Skill[] {
  return side === undefined ? skillsGiven(suite) : [];
}

/** Whether a run should have a skill, by its eval or since it is compared with one without, and none was found. */
export function lacksSkill({ suite, side, sides }: PlannedRun, agent: string): boolean {
  const isMeant = agent !== "waza" && side === undefined && (suite.skill !== undefined || sides === 2);
  return isMeant && suite.tested === undefined;
}

/** What an agent gets of a skill, listed once. */
export type SkillCopies = (skill: Skill) => ReturnType<typeof skillFiles>;

/** Makes the function that lists what agents get of a skill: not the eval files, by which they are judged. */
export function skillCopies(suites: readonly Suite[], workspace: string): SkillCopies {
  const known = new Map<string, ReturnType<SkillCopies>>();
  return ({ folder }) =>
    once(known, folder, () =>
      skillFiles(folder, repositoryRoot(join(folder, "SKILL.md"), workspace), suites),
    );
}

/** Fills the folder. Returns the files that the task names and that are not there, and the hash of all without skills. */
export async function prepareFolder(
  folder: string,
  run: PlannedRun,
  { agent, copies }: { readonly agent: string; readonly copies: SkillCopies },
) {
  const { task } = run;
  if (task?.contextDir !== undefined && existsSync(task.contextDir)) copyBelow(task.contextDir, folder, ".");
  const missing = (task?.files ?? []).flatMap((file) => {
    const to = resolve(folder, file.name);
    const isFine = isInside(to, folder) && to !== folder;
    if (!isFine || "missing" in file || ("path" in file && !existsSync(file.path))) return file.name;
    if ("content" in file) writeBelow(folder, file.name, file.content);
    else copyBelow(file.path, folder, file.name);
    return [];
  });
  const givenSha256 = await folderSha256(folder);
  for (const skill of skillsOf(run))
    for (const { name, real } of (await copies(skill)).files)
      copyBelow(real, folder, join(skillsFolderOf(agent), skill.name, name));
  return { missing, givenSha256 };
}

/** Where agents keep skills, settings and servers, in the folder that they work in, and git its own. */
const KEPT = [".git", ".agents/skills", ".claude", ".codex", ".cursor", ".gemini", ".opencode", ".mcp.json"];

/** A file of a task that would lie where agents keep their skills and settings; undefined without one. */
export function misplacedFile({ files, contextDir }: Task, skillsFolder: string): string | undefined {
  const [named] = files.flatMap(({ name }) => {
    const path = slashes(relative("/", resolve("/", name))).toLowerCase();
    return KEPT.some((kept) => `${path}/`.startsWith(`${kept}/`)) ? [name] : [];
  });
  if (named !== undefined) return named;
  return contextDir !== undefined && existsSync(join(contextDir, skillsFolder)) ? skillsFolder : undefined;
}
