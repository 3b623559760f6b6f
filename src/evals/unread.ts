/** Files that seem to hold evals and are not read: a skill's by another name or in another folder, and further files of `evals/`. */
import { basename, dirname, extname, join, posix, relative } from "node:path";
import type { Skill, Suite } from "../domain/suite.ts";
import type { Problem, SourceSpan } from "../domain/problem.ts";
import { placelessEntry } from "./entry.ts";
import { otherFormat } from "./other-formats.ts";
import { oneProblem, problem } from "./problems.ts";
import { type SkillFile, NO_LISTS, isPrompt, readLists } from "./skill-file.ts";
import { skillNameIn, skillsIn } from "./skills.ts";
import { triggerFiles } from "./triggers.ts";
import { readSource } from "./source.ts";
import { follow, slashes, wholeFile } from "../files/confine.ts";
import { findFiles, statsOf } from "../files/find.ts";
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
  const leftOver = found.filter(
    (file) => !read.has(file) && !misnamed.includes(file) && !isFixture(slashes(relative(workspace, file))),
  );
  const bySkill = Map.groupBy(leftOver, (file) => {
    const skill = nearestSkill(file, skills);
    return skill && !tested.has(follow(skill.folder).real) ? skill : undefined;
  });
  const unread = bySkill.get(undefined) ?? [];
  bySkill.delete(undefined);
  const ofTriggers = bySkill.size === 0 ? new Set<string>() : new Set(await triggerFiles(workspace));
  const shown = (file: string) => wholeFile(file, workspace);
  const lacking = await readEach(bySkill, async ([skill, its]): Promise<Lacking[]> => {
    const near = [...its].sort((a, b) => Number(isCalledEvals(b)) - Number(isCalledEvals(a)));
    const held = await readEach(near.slice(0, MOST_LOOKED_AT), async (file) => {
      const lists = await listsOf(file, workspace);
      const isRead = ofTriggers.has(file) && lists.triggers.length > 0;
      const isOne = lists.evals.length + lists.triggers.length + lists.unread.length > 0;
      return !isRead && (isOne || isCalledEvals(file)) ? shown(file) : [];
    });
    if (!skill || held.flat().length === 0) return [];
    return [{ name: skill.name, folder: shown(skill.folder).path, files: held.flat() }];
  });
  const shapes = Map.groupBy(lacking.flat(), ({ folder, files }) =>
    JSON.stringify(files.map(({ path }) => posix.relative(folder, path))),
  );
  const plugins = await pluginCases(workspace, excluding);
  const beside = await readEach(unread.filter(isInEvals), async (file) =>
    (await listsOf(file, workspace)).evals.length > 0 ? shown(file) : [],
  );
  const ofWaza = await readEach(suites.length > 0 ? [] : leftOver.filter(isCalledLikeWazas), async (file) =>
    (await isOfWaza(file, workspace)) ? shown(file) : [],
  );
  const places = [...beside, ...ofWaza].flat();
  return [
    ...misnamed
      .filter((file) => skillNameIn(file) !== undefined)
      .map((file) => problem("misnamed-skill", shown(file))),
    ...[...shapes.values()].flatMap(noneRead),
    ...oneProblem(
      "plugin-evals",
      plugins,
      plugins.map(({ path }) => posix.dirname(path)),
    ),
    ...oneProblem("not-found", places, pathsOf(places)),
  ];
}

/** Names of files that may be tasks: waza reads YAML, and people write more. */
const MAY_BE_TASKS = ["**/*.[yY][aA][mM][lL]", "**/*.[yY][mM][lL]", "**/*.{yaml,yml}.txt", "**/*.json"];

/**
 * The notice of task files below the folder of an eval that no eval takes: it would be green without them. What an eval with a
 * mistake takes is not known.
 */
export async function unreadTasks(
  evals: readonly string[],
  suites: readonly Suite[],
  workspace: string,
): Promise<Problem[]> {
  const named = new Set(
    suites.flatMap(({ root, parts = [] }) => parts.map((part) => join(root ?? "", part))),
  );
  const isRead = (file: string) => !file.endsWith(".json") && named.has(follow(file).real);
  const folders = [...new Set(evals.filter(isRead).map(dirname))];
  const patterns = [...MAY_BE_TASKS, "!**/.waza-grade/**"];
  const found = await Promise.all(folders.map((folder) => findFiles(patterns, folder)));
  const others = [...new Set(found.flat())].filter(
    (file) => !evals.includes(file) && !named.has(follow(file).real),
  );
  const held = await readEach(others.slice(0, MOST_LOOKED_AT), async (file) => {
    const source = await readSource(file, workspace);
    const isTask = "root" in source && ["id", "inputs"].every((key) => source.root.child(key).value);
    return isTask ? wholeFile(file, workspace) : [];
  });
  return oneProblem("unread-tasks", held.flat(), pathsOf(held.flat()));
}

function pathsOf(files: readonly SourceSpan[]): string {
  return listedCode(files.map(({ path }) => path));
}

/** A skill without an eval that is read, and the files near it that look like some. */
interface Lacking {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly SourceSpan[];
}

/** One notice for skills of the same shape: their files have the same paths below their SKILL.md. */
function noneRead(skills: readonly Lacking[]): Problem[] {
  const [first, second] = skills;
  const [file, more] = first?.files ?? [];
  if (!first || !file) return [];
  const paths = skills.flatMap(({ files }) => files.map(({ path }) => path));
  const looks = `${listedCode(paths, MOST_NAMED)} ${second || more ? "look like some" : "looks like one"}`;
  const above = commonFolder(skills.map(({ folder }) => folder));
  const pattern = second ? posix.join(above, "**", posix.relative(first.folder, file.path)) : file.path;
  return [
    problem(
      "none-read",
      file,
      skills.map(({ name }) => name),
      { looks, folder: first.folder, pattern },
    ),
  ];
}

/** The deepest folder that holds all of these. */
function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split("/"));
  const differs = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return first.slice(0, differs < 0 ? first.length : differs).join("/");
}

/**
 * The cases of `claude plugin eval` (code.claude.com/docs/en/plugin-evals): a `case.yaml`, or a `prompt.md` with graders
 * beside it, in a folder of its own below `evals/`.
 */
async function pluginCases(workspace: string, excluding: readonly string[]): Promise<SourceSpan[]> {
  const named = ["**/evals/*/**/case.yaml", "**/evals/*/**/prompt.md", "!**/evals/files/**"];
  const found = await findFiles([...named, ...excluding], workspace);
  const isCase = (file: string) =>
    basename(file) === "case.yaml" || statsOf(join(dirname(file), "graders"))?.isDirectory();
  const byFolder = new Map(found.filter(isCase).map((file) => [dirname(file), wholeFile(file, workspace)]));
  return [...byFolder.values()];
}

/** The plugins that have such cases, each by its folder, in their order. */
export async function pluginsWithCases(workspace: string): Promise<string[]> {
  const cases = await pluginCases(workspace, ["!**/.waza-grade/**"]);
  const folders = cases.map(({ path }) => path.slice(0, Math.max(0, `/${path}`.lastIndexOf("/evals/") - 1)));
  return [...new Set(folders.map((folder) => folder || "."))].sort();
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
  const isOne =
    [".json", ".yaml", ".yml"].includes(extname(file)) && !/^eval(s\.json|\.yaml)$/.test(basename(file));
  return basename(dirname(file)) === "evals" && isOne;
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
