/** Files that seem to hold evals or tasks and are not read: by another name, or in another folder. */
import { basename, dirname, join, posix, relative } from "node:path";
import type { Suite } from "../domain/suite.ts";
import type { Problem, SourceSpan } from "../domain/problem.ts";
import type { Entry } from "./entry.ts";
import { otherFormat } from "./other-formats.ts";
import { oneProblem, problem } from "./problems.ts";
import { skillNameIn, skillsIn } from "./skills.ts";
import { triggerFiles } from "./triggers.ts";
import { readLists } from "./skill-file.ts";
import { lookInto } from "./source.ts";
import { follow, slashes, wholeFile } from "../files/confine.ts";
import { findFiles, statsOf } from "../files/find.ts";
import { readEach } from "../files/read.ts";
import { listedCode } from "../text/format.ts";

/** Folders between SKILL.md and a file that may be its evals. */
const MOST_FOLDERS_DOWN = 2;
/** Files to look into; those called evals come first. */
const MOST_LOOKED_AT = 500;

interface Search {
  /** The eval files that are read. */
  readonly files: readonly string[];
  readonly suites: readonly Suite[];
  /** Patterns of what is left out, each with its `!`. */
  readonly excluding: readonly string[];
  readonly workspace: string;
}

/**
 * One notice of all files that seem to hold evals and are not read, without which a verdict would be green without a word:
 * near a skill that no eval tests, beside the evals of others, or called like waza's.
 */
export async function unreadEvals({ files, suites, excluding, workspace }: Search): Promise<Problem[]> {
  const tested = new Set(suites.flatMap((suite) => (suite.tested ? follow(suite.tested.folder).real : [])));
  const skills = new Map(
    (await skillsIn(workspace)).map(({ folder }) => [folder, tested.has(follow(folder).real)]),
  );
  const read = new Set(files);
  const found = await findFiles(
    ["**/*.{json,yaml,yml}", "**/[sS]kill.md", "!**/evals/files/**", ...excluding],
    workspace,
  );
  const isNear = (file: string) => isTested(file, skills) === false;
  const candidates = found.filter(
    (file) =>
      !read.has(file) &&
      !file.endsWith(".md") &&
      !isFixture(slashes(relative(workspace, file))) &&
      (isNear(file) || isCalledLikeEvals(file)),
  );
  const ofTriggers = new Set(skills.size === 0 ? [] : await triggerFiles(workspace));
  const holdsEvals = async (file: string) => {
    const look = await lookInto(file, workspace);
    if (!look) return isNear(file) && isCalledEvals(file);
    const { evals, triggers, unread } = readLists(look, file);
    if (evals.length > 0) return true;
    if (!isNear(file)) return isOfWaza(look, file);
    const isRead = triggers.length > 0 && ofTriggers.has(file);
    return !isRead && (triggers.length + unread.length > 0 || isCalledEvals(file));
  };
  const first = [...candidates].sort((a, b) => Number(isCalledEvals(b)) - Number(isCalledEvals(a)));
  const held = await readEach(first.slice(0, MOST_LOOKED_AT), async (file) =>
    (await holdsEvals(file)) ? wholeFile(file, workspace) : [],
  );
  const unread = held.flat();
  const plugins = await pluginCases(workspace, excluding);
  return [
    ...found
      .filter((file) => file.endsWith(".md") && skillNameIn(file) !== undefined)
      .map((file) => problem("misnamed-skill", wholeFile(file, workspace))),
    ...oneProblem(
      "plugin-evals",
      plugins,
      plugins.map(({ path }) => posix.dirname(path)),
    ),
    ...oneProblem("not-found", unread, pathsOf(unread), patternOf(unread.map(({ path }) => path))),
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
  const candidates = [...new Set(found.flat())].filter(
    (file) => !evals.includes(file) && !named.has(follow(file).real),
  );
  const held = await readEach(candidates.slice(0, MOST_LOOKED_AT), async (file) => {
    const look = await lookInto(file, workspace);
    return look && ["id", "inputs"].every((key) => look.child(key).value) ? wholeFile(file, workspace) : [];
  });
  return oneProblem("unread-tasks", held.flat(), pathsOf(held.flat()));
}

function pathsOf(files: readonly SourceSpan[]): string {
  return listedCode(files.map(({ path }) => path));
}

/** A pattern of these paths: of one name, below the deepest folder that holds all. */
function patternOf(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  if (others.length === 0 || others.some((path) => posix.basename(path) !== posix.basename(first)))
    return first;
  const folders = first.split("/");
  const differs = folders.findIndex((part, index) => others.some((path) => path.split("/")[index] !== part));
  return posix.join(...folders.slice(0, differs), "**", posix.basename(first));
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

/** Whether the nearest skill of a file is tested: that with its SKILL.md at most two folders up; undefined without one. */
function isTested(file: string, skills: ReadonlyMap<string, boolean>): boolean | undefined {
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
  return /^evals.*\.json$/i.test(basename(file));
}

function isCalledLikeEvals(file: string): boolean {
  return basename(file).startsWith("eval") || basename(dirname(file)) === "evals";
}

/** Whether a file has graders or names tasks, and is no task itself. */
function isOfWaza({ value, child }: Entry, file: string): boolean {
  if (otherFormat(value) !== undefined) return false;
  const has = (key: string) => child(key).value !== undefined;
  const isOne = basename(file) === "eval.yaml" || has("graders") || has("tasks") || has("tasks_from");
  return isOne && !has("inputs");
}
