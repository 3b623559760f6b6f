/** Files that seem to hold evals and are not read: a skill's by another name or in another folder, and further files of `evals/`. */
import { basename, dirname, extname, relative } from "node:path";
import type { Skill, Suite } from "../domain/suite.ts";
import type { Problem } from "../domain/problem.ts";
import { placelessEntry } from "./entry.ts";
import { otherFormat } from "./other-formats.ts";
import { problem } from "./problems.ts";
import { type SkillFile, NO_LISTS, isPrompt, readLists } from "./skill-file.ts";
import { skillNameIn, skillsIn } from "./skills.ts";
import { triggerFiles } from "./triggers.ts";
import { readSource } from "./source.ts";
import { follow, slashes, wholeFile } from "../files/confine.ts";
import { findFiles } from "../files/find.ts";
import { readEach, readText } from "../files/read.ts";
import { jsonOf, listedCode } from "../text/format.ts";

/** Folders between SKILL.md and a file that may be its evals. */
const MOST_FOLDERS_DOWN = 2;
/** Files of a skill to look into; those called evals come first. */
const MOST_LOOKED_AT = 50;
/** Maximum bytes of a file to look into, ten times the largest real evals. */
const MOST_LOOK_BYTES = 1_000_000;
/** Files of a skill that its notice names. */
const MOST_NAMED = 3;

interface Search {
  /** The eval files that are read. */
  readonly files: readonly string[];
  readonly suites: readonly Suite[];
  /** Patterns of what is left out, each with its `!`. */
  readonly excluding: readonly string[];
  readonly workspace: string;
}

/**
 * One notice for each skill without an eval that is read, where a file near its SKILL.md looks like one, and one for all
 * further files of evals. A skill without evals would else be no part of a green verdict, without a word.
 */
export async function unreadEvals({ files, suites, excluding, workspace }: Search): Promise<Problem[]> {
  const tested = new Set(suites.flatMap((suite) => (suite.tested ? follow(suite.tested.folder).real : [])));
  const skills = new Map((await skillsIn(workspace)).map((skill) => [skill.folder, skill]));
  const read = new Set(files);
  const found = await findFiles(
    ["**/*.{json,jsonl,yaml,yml}", "**/[sS]kill.md", "!**/evals/files/**", ...excluding],
    workspace,
  );
  const misnamed = found.filter((file) => file.endsWith(".md"));
  const others = found.filter(
    (file) => !read.has(file) && !misnamed.includes(file) && !isFixture(slashes(relative(workspace, file))),
  );
  const bySkill = Map.groupBy(others, (file) => {
    const skill = nearestSkill(file, skills);
    return skill && !tested.has(follow(skill.folder).real) ? skill : undefined;
  });
  const unread = bySkill.get(undefined) ?? [];
  bySkill.delete(undefined);
  const ofTriggers = bySkill.size === 0 ? new Set<string>() : new Set(await triggerFiles(workspace));
  const shown = (file: string) => wholeFile(file, workspace);
  const notices = await readEach(bySkill, async ([skill, its]): Promise<Problem[]> => {
    const near = [...its].sort((a, b) => Number(isCalledEvals(b)) - Number(isCalledEvals(a)));
    const held = await readEach(near.slice(0, MOST_LOOKED_AT), async (file) => {
      const lists = await listsOf(file, workspace);
      const isRead = ofTriggers.has(file) && lists.triggers.length > 0;
      const isOne = lists.evals.length + lists.triggers.length + lists.unread.length > 0;
      return !isRead && (isOne || isCalledEvals(file)) ? shown(file) : [];
    });
    const [first, second] = held.flat();
    if (!first || !skill) return [];
    const paths = held.flat().map(({ path }) => path);
    const looks = `${listedCode(paths, MOST_NAMED)} ${second ? "look like some" : "looks like one"}`;
    return [problem("none-read", first, skill.name, looks, shown(skill.folder).path)];
  });
  const beside = await readEach(unread.filter(isInEvals), async (file) =>
    (await listsOf(file, workspace)).evals.length > 0 ? shown(file) : [],
  );
  const ofWaza = await readEach(suites.length > 0 ? [] : others.filter(isCalledLikeWazas), async (file) =>
    (await isOfWaza(file, workspace)) ? shown(file) : [],
  );
  const places = [...beside, ...ofWaza].flat();
  return [
    ...misnamed
      .filter((file) => skillNameIn(file) !== undefined)
      .map((file) => problem("misnamed-skill", shown(file))),
    ...notices.flat(),
    ...(places[0] ? [problem("not-found", places[0], listedCode(places.map(({ path }) => path)))] : []),
  ];
}

/** The nearest skill of a file that is at most two folders below its SKILL.md. */
function nearestSkill(file: string, skills: ReadonlyMap<string, Skill>): Skill | undefined {
  let folder = dirname(file);
  for (let level = 0; level < MOST_FOLDERS_DOWN && !skills.has(folder); level += 1) folder = dirname(folder);
  return skills.get(folder);
}

/** An evals.json below another `evals/`, or in a workspace of skill-creator, is a fixture or what an agent wrote. */
export function isFixture(file: string): boolean {
  const folders = file.split("/").slice(0, -1);
  const above = folders.at(-1) === "evals" ? folders.slice(0, -1) : folders.slice(0, -2);
  return above.some((name) => name === "evals" || name.endsWith("-workspace"));
}

function isCalledEvals(file: string): boolean {
  return /^evals.*\.jsonl?$/i.test(basename(file));
}

function isInEvals(file: string): boolean {
  return basename(dirname(file)) === "evals" && extname(file) === ".json" && basename(file) !== "evals.json";
}

/** `eval.yml`, `evals.yaml`, `evals/greet.yaml`; of an `eval.yaml` that is not read, more is said. */
function isCalledLikeWazas(file: string): boolean {
  const name = basename(file);
  const isLike = name.startsWith("eval") || basename(dirname(file)) === "evals";
  return isLike && name !== "eval.yaml" && /\.ya?ml$/.test(name);
}

/** Whether a file has graders or names tasks, and is no task itself. */
async function isOfWaza(file: string, workspace: string): Promise<boolean> {
  const source = await readSource(file, workspace);
  if (!("root" in source) || otherFormat(source.root.value) !== undefined) return false;
  const has = (key: string) => source.root.child(key).value !== undefined;
  return (has("graders") || has("tasks") || has("tasks_from")) && !has("inputs");
}

/** The lists of evals in a file; none where it is large, or cannot be read. */
async function listsOf(file: string, workspace: string): Promise<SkillFile> {
  const read = await readText(file, MOST_LOOK_BYTES);
  if (!("text" in read)) return NO_LISTS;
  const listsIn = (data: unknown) => readLists(placelessEntry(data, wholeFile(file, workspace)), file);
  if (file.endsWith(".json")) return listsIn(jsonOf(read.text));
  if (file.endsWith(".jsonl")) {
    // A log of an agent has prompts, too.
    const rows = read.text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [jsonOf(line)]));
    return rows.every(isPrompt) ? listsIn(rows) : NO_LISTS;
  }
  const source = await readSource(file, workspace);
  return "root" in source ? readLists(source.root, file) : NO_LISTS;
}
