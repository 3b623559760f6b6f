/** The skills of a repository, and which of them an eval tests. */
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Skill, Suite } from "../domain/suite.ts";
import { valueAt } from "./entry.ts";
import { readYamlText } from "./yaml.ts";
import { follow, foldersUp, slashes } from "../files/confine.ts";
import { findFiles } from "../files/find.ts";
import { textOfFile } from "../files/read.ts";

const FILE = "SKILL.md";

/** Every skill below a folder, but for those in evals and in packages, and what agents left. */
export async function skillsIn(workspace: string): Promise<readonly Skill[]> {
  const files = await findFiles([`**/${FILE}`, "!**/evals/**", "!**/.waza-grade/**"], workspace);
  return files.map((file) => skillInFolder(dirname(file)));
}

/** The suites with the skill that each tests: the nearest at or above its file, else the one with its `skill` name. */
export async function withTested(suites: readonly Suite[], workspace: string): Promise<Suite[]> {
  const found = suites.map((suite) => ({
    suite,
    above: suite.root === undefined ? undefined : skillAbove(resolve(suite.root, suite.at.path), suite.root),
  }));
  const isSought = found.some(({ suite, above }) => above === undefined && suite.skill !== undefined);
  const all = isSought ? await skillsIn(workspace) : [];
  return found.map(({ suite, above }) => ({ ...suite, tested: above ?? skillNamed(suite.skill, all) }));
}

/** The skill in the nearest folder with a SKILL.md, from a file's up to the root of its repository. */
export function skillAbove(file: string, root: string): Skill | undefined {
  const above = foldersUp(dirname(file), root).find((folder) => {
    const parts = slashes(relative(root, folder)).split("/");
    return !parts.includes("evals") && existsSync(join(folder, FILE));
  });
  return above === undefined ? undefined : skillInFolder(above);
}

/** The skill of that name, else the one in a folder of that name. */
export function skillNamed(name: string | undefined, all: readonly Skill[]): Skill | undefined {
  // A plugin's name may come before it.
  const bare = name?.split(":").at(-1);
  return all.find((skill) => skill.name === bare) ?? all.find(({ folder }) => basename(folder) === bare);
}

function skillInFolder(folder: string): Skill {
  return { name: skillNameIn(join(folder, FILE)) ?? basename(follow(folder).real), folder };
}

/** Whether the SKILL.md says the skill's name, without which agents do not load it. */
export function saysName({ folder }: Skill): boolean {
  return skillNameIn(join(folder, FILE)) !== undefined;
}

/** Characters that a name may have: it becomes a folder's (agentskills.io allows fewer). */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u;

/** What the skill says that it is for; undefined where its SKILL.md does not say it. */
export function descriptionOf({ folder }: Skill): string | undefined {
  return frontMatter(join(folder, FILE), "description");
}

/** The `name` of a SKILL.md's front matter; undefined without one that can name a folder. */
export function skillNameIn(file: string): string | undefined {
  const name = frontMatter(file, "name");
  return name !== undefined && NAME.test(name) ? name : undefined;
}

/**
 * A text of a SKILL.md's front matter, trimmed. Where that is no YAML, by a second `: ` in a line for example, it is the
 * rest of its line, as clients read it.
 */
function frontMatter(file: string, key: string): string | undefined {
  const lines = (textOfFile(file) ?? "").replace(/^\uFEFF/, "").split(/\r?\n/);
  const last = lines.indexOf("---", 1);
  if (lines[0] !== "---" || last < 0) return undefined;
  const front = lines.slice(1, last);
  const read = readYamlText(front.join("\n"));
  const rest = () => front.find((line) => line.startsWith(`${key}:`))?.slice(key.length + 1);
  const text = "data" in read ? valueAt(read.data, key) : rest();
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}
