/** The first eval that `init` writes: of the repository's skill, from its description, else of a small project. */
import { readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { descriptionOf, skillsIn } from "../evals/skills.ts";
import { slashes } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { excerpt, listedCode } from "../text/format.ts";

/** A path below the repository's top, and the text of the file. */
export type NewFile = readonly [path: string, text: string];

/** The evals.json of a skill, where `run` and grading find it. Never for `join` or `fs`: ncc would bundle each such file. */
const EVALS = "evals/evals.json";

/** The eval of a skill that is to be written, and what of the skill it was made from. */
export interface SkillEval {
  readonly file: NewFile;
  readonly madeFrom: string;
}

/** Characters of a description in a prompt. */
const LONGEST_DESCRIPTION = 400;

/** Skills that are named where one has to be chosen. */
const MOST_NAMED = 5;

/**
 * The evals.json to write for the skill of a repository without evals; undefined where there is no skill. `named` is what
 * `--eval` names. Throws where several skills are there and none is named.
 */
export async function evalOfSkill(
  named: readonly string[] | undefined,
  folder: string,
): Promise<SkillEval | undefined> {
  const skills = (await skillsIn(folder)).filter((skill) => !statsOf(`${skill.folder}/${EVALS}`));
  const paths = new Map(skills.map((skill) => [evalsIn(relative(folder, skill.folder)), skill] as const));
  const [path, ...further] = [...paths.keys()].filter((known) => named?.includes(known) ?? true);
  const skill = paths.get(path ?? "");
  if (path === undefined || skill === undefined) return undefined;
  if (further.length > 0)
    throw new Error(
      `there is no eval, and of ${String(paths.size)} skills ${listedCode([...paths.keys()].slice(0, MOST_NAMED))} could be the first to have one: choose it with --eval`,
    );
  const description = descriptionOf(skill);
  return {
    file: [path, draft(skill.name, description ?? skill.name)],
    madeFrom: description === undefined ? "name, as its SKILL.md has no `description`" : "`description`",
  };
}

/** An entry of `--eval`; of one that names a skill, by its folder or its SKILL.md, the skill's evals.json. */
export function namedEval(entry: string, folder: string): string {
  const path = relative(folder, resolve(folder, entry.replace(/(?<=^|[\\/])SKILL\.md$/, "")));
  return statsOf(`${resolve(folder, path)}/SKILL.md`) ? evalsIn(path) : entry;
}

function evalsIn(skill: string): string {
  return slashes(skill === "" ? EVALS : `${skill}/${EVALS}`);
}

/** Two evals to edit, which run as they are: what the skill says it is for, and a question beside it that needs no skill. */
function draft(name: string, description: string): string {
  // Its first sentence: what follows most often says when an agent should load it.
  const [first = ""] = description
    .replace(/\s+/g, " ")
    .trim()
    .split(/(?<=[.!?]) (?=\S)|(?= Use (?:this|when))/, 1);
  const promise = excerpt(first, LONGEST_DESCRIPTION);
  const evals = [
    {
      id: 1,
      prompt: `Make up a small example, do this with it, and leave the result as a file: ${promise}`,
      assertions: [`The work that was done is what this promises: ${promise}`],
    },
    {
      id: 2,
      prompt: `Without doing it, say in one sentence when somebody would want this: ${promise}`,
      should_trigger: false,
      assertions: ["The answer is one sentence, and no file was made."],
    },
  ];
  return `${JSON.stringify({ skill_name: name, evals }, undefined, 2)}\n`;
}

/** The files of the eval of a small project, from the templates' folder. */
export function evalOfProject(templates: string): readonly NewFile[] {
  const first = join(templates, "first");
  return readdirSync(first, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file): NewFile => {
      const path = file.slice(first.length + 1).split(sep);
      return [`evals/first/${path.join("/")}`, readFileSync(file, "utf8")];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
