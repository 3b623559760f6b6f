/** Finds eval files of waza and of Agent Skills, by the input `eval` or by their names, and loads them as suites. */
import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import type { Suite } from "../domain/suite.ts";
import { isError, type Problem } from "../domain/problem.ts";
import { type EvalLocation, evalLocation } from "./eval-paths.ts";
import { keysOf, namesOf } from "./entry.ts";
import { notEvals, otherFormat } from "./other-formats.ts";
import { type ProjectConfig, type ProjectConfigs, projectConfigs } from "./project-config.ts";
import { loadSkill } from "./skill.ts";
import { NO_LISTS, mainList, readLists } from "./skill-file.ts";
import { type LoadedTriggers, listProblems, loadTriggers } from "./triggers.ts";
import { withTested } from "./skills.ts";
import { isFixture, unreadEvals, unreadTasks } from "./unread.ts";
import { type LoadedSuites, brokenSuite, foreign, loadSuite } from "./waza-suite.ts";
import { NAME_THEM, oneProblem, problem } from "./problems.ts";
import { readSource } from "./source.ts";
import { lookUp, slashes, wholeFile } from "../files/confine.ts";
import { entriesOf, escapeGlob, findFiles, inFolder, noMatch } from "../files/find.ts";
import { notFollowed } from "../files/read.ts";
import { count, sumOf } from "../text/format.ts";

/**
 * Loads every eval file that the patterns match, with its tasks, and returns the problems of all files. A suite with an
 * error is `broken`, so that the others can still be graded. `paths` are the real paths of the files and of all files
 * that they name; `unread` are the problems of files that seem to hold evals and are none of these.
 */
export async function loadSuites(
  input: readonly string[] | undefined,
  workspace: string,
): Promise<{ suites: Suite[]; paths: string[]; problems: Problem[]; unread: readonly Problem[] }> {
  const configs = projectConfigs();
  const triggers = searches(input) ? await loadTriggers(workspace) : undefined;
  const { files, problems } = await findEvalFiles(input, workspace, configs);
  const named = new Set(input?.map((pattern) => resolve(workspace, pattern)));
  const locations = files.map((file) => evalLocation(file, workspace));
  const loaded = await Promise.all(
    locations.map((location) => loadFile(location, configs, named.has(location.file))),
  );
  const configured = [...(triggers ? [atTop(workspace)] : []), ...locations];
  const used = new Set(await Promise.all(configured.map(configs)));
  const suites = await withTested(withKeys(loaded.flatMap(({ suites }) => suites)), workspace);
  const excluding = [OF_RUNS, ...(input ?? [])];
  const isAlone = suites.length === 0 && !problems.some(isError);
  const unread = [
    ...(triggers ? await unreadEvals({ files, suites, excluding, workspace }) : []),
    ...(await unreadTasks(files, suites, workspace)),
    // Beside evals, what of trigger evals is not run.
    ...(triggers?.problems.filter(({ level }) => isAlone || level === "warning") ?? []),
  ];
  return {
    suites,
    paths: locations.flatMap((location) => [...location.named]),
    problems: [
      ...problems,
      ...(isAlone ? [onlyTriggers(triggers) ?? nothingFound(files, workspace)] : []),
      ...unread,
      ...[...used].flatMap((config) => config.problems),
      ...loaded.flatMap((one) => one.problems),
      ...unjudged(loaded),
      ...suites.flatMap(otherSkill),
    ],
    unread,
  };
}

/** waza's file name, unless `.waza.yaml` sets another. */
const DEFAULT_NAME = "eval.yaml";

/** The evals of an Agent Skill: agentskills.io, "Evaluating skills". */
const OF_SKILLS = "**/evals/evals.json";

/** The evals of a skill in the repository's own folder of evals. */
const BESIDE_SKILLS = ["**/evals/*/evals.json", "!**/evals/files/evals.json"];

/** A file of this name is a skill's evals: if it is not, that is an error, or a typo would turn it green. */
const EVALS_OF_SKILL = "/evals/evals.json";

/** What agents left in the folder of `waza-grade run`. */
const OF_RUNS = "!**/.waza-grade/**";

/**
 * The files that the input `eval` matches. Without the input, those with the name `files.evalFile` of the workspace's
 * `.waza.yaml`, else `eval.yaml`, and the evals of skills. A pattern without a match is an error: a moved suite must not
 * vanish silently.
 */
async function findEvalFiles(
  given: readonly string[] | undefined,
  workspace: string,
  configs: ProjectConfigs,
): Promise<{ readonly files: readonly string[]; readonly problems: readonly Problem[] }> {
  // Patterns that only exclude start from all evals.
  const named = searches(given) ? undefined : given;
  const input = named?.map((pattern) => evalsIn(pattern, workspace));
  const isOfFolder = !named?.every((pattern) => input?.includes(pattern));
  const configured = input ? undefined : (await configs(atTop(workspace))).evalFile;
  const standard = `**/${escapeGlob(configured?.name ?? DEFAULT_NAME)}`;
  const patterns = input ?? [standard, OF_SKILLS, ...BESIDE_SKILLS, OF_RUNS, ...(given ?? [])];
  const found = await findFiles(patterns, workspace);
  const fixtures = isOfFolder
    ? found.filter((file) => file.endsWith(".json") && isFixture(slashes(relative(workspace, file))))
    : [];
  const files = found.filter((file) => !fixtures.includes(file));
  const asked = named?.filter((pattern) => !pattern.startsWith("!")) ?? (configured ? [standard] : []);
  const lost = files.length > 0 ? await matchless(asked, workspace) : isEmpty(workspace) ? [] : asked;
  const excluded = oneProblem(
    "fixtures",
    fixtures.map((file) => wholeFile(file, workspace)),
    fixtures.length,
  );
  return { files, problems: [...lost.map((one) => unmatchedGlob(one, configured, workspace)), ...excluded] };
}

/** Where an eval of the workspace's own folder would be. */
function atTop(workspace: string): EvalLocation {
  return evalLocation(join(workspace, DEFAULT_NAME), workspace);
}

/** What a pattern of evals means: of a folder, or a skill's SKILL.md, the evals in it. */
function evalsIn(pattern: string, workspace: string): string {
  return inFolder(pattern.replace(/(?<=^|[\\/])SKILL\.md$/, "."), workspace, "**/{eval.yaml,evals.json}");
}

/** Why there is no eval, where no pattern is to blame. */
function nothingFound(files: readonly string[], workspace: string): Problem {
  if (isEmpty(workspace)) return problem("empty-workspace", undefined, workspace);
  if (files.length > 0) return problem("no-evals", undefined);
  return problem("none-found", undefined, existsSync(join(workspace, ".git")) ? "" : workspace);
}

function isEmpty(workspace: string): boolean {
  return entriesOf(workspace).length === 0;
}

/** The patterns that match no file. */
async function matchless(patterns: readonly string[], workspace: string): Promise<string[]> {
  const found = await Promise.all(
    patterns.map((pattern) => findFiles([evalsIn(pattern, workspace)], workspace)),
  );
  return patterns.filter((_, index) => found[index]?.length === 0);
}

function unmatchedGlob(pattern: string, configured: ProjectConfig["evalFile"], workspace: string): Problem {
  const what = "The `eval` glob";
  const failed = noMatch({ what, pattern, cwd: workspace, workspace, remedy: NAME_THEM });
  const message = `\`files.evalFile\`: no file matches \`${pattern}\`.`;
  return configured ? { ...failed, message, at: configured.at } : failed;
}

/** The content decides the format: `eval` may name any file. `named`: it names this very file, not through a wildcard. */
async function loadFile(
  location: EvalLocation,
  configs: ProjectConfigs,
  named: boolean,
): Promise<LoadedSuites> {
  const at = wholeFile(location.file, location.workspace);
  const broken = (one: Problem) => ({ suites: [brokenSuite(at)], problems: [one] });
  const refused = notFollowed(lookUp(location.file, location.workspace));
  if (refused) return broken(refused);
  const source = await readSource(location.file, location.workspace);
  if (!("root" in source)) return broken(source);
  const { root } = source;
  const isCalledEvals = basename(location.file) === "evals.json";
  const isJson = location.file.endsWith(".json") || mainList(root, location.file) !== undefined;
  const lists = isJson ? readLists(root, location.file) : NO_LISTS;
  const isSkills = lists.evals.length > 0 || (isCalledEvals && lists.unread.length > 0);
  const other = notEvals(root, location.file, lists) ?? (isSkills ? undefined : otherFormat(root.value));
  if (other) {
    const isEvals = slashes(location.file).endsWith(EVALS_OF_SKILL) && !other.isTriggers;
    const where = other.key === undefined ? at : root.child(other.key).keyAt;
    const loaded = foreign(other, where, named || isEvals);
    const more = other.isTriggers ? listProblems(lists) : [];
    return { ...loaded, problems: [...loaded.problems, ...more] };
  }
  const options = { config: await configs(location), named };
  return isSkills
    ? loadSkill(source, location, { ...options, lists })
    : await loadSuite(source, location, options);
}

/** The suites, with the file in the key of those that share a title. */
function withKeys(suites: readonly Suite[]): Suite[] {
  const titles = Map.groupBy(suites, ({ title }) => title);
  return suites.map((suite) =>
    (titles.get(suite.title) ?? []).length > 1
      ? { ...suite, key: `${suite.title} (${suite.at.path})` }
      : suite,
  );
}

/** The notice of a skill's evals by whose own words they are another skill's. */
function otherSkill({ at, skill, tested }: Suite): Problem[] {
  const isOther = at.path.endsWith(".json") && skill !== undefined && tested && skill !== tested.name;
  return isOther ? [problem("other-skill", at, skill, tested)] : [];
}

/** One error for the fields of all files that may hold the checks of evals without any: often another runner's. */
function unjudged(loaded: readonly LoadedSuites[]): Problem[] {
  const fields = loaded.flatMap((one) => one.unjudged ?? []);
  const paths = [...new Set(fields.map(({ keyAt }) => keyAt.path))];
  return oneProblem("unjudged", keysOf(fields), namesOf(fields), paths);
}

/** Whether the evals are searched for: patterns that only exclude leave out some of all. */
function searches(input: readonly string[] | undefined): boolean {
  return !input?.some((pattern) => !pattern.startsWith("!"));
}

/** The notice of a repository that has trigger evals alone; undefined where there are none. */
function onlyTriggers({ suites, without }: Partial<LoadedTriggers> = {}): Problem | undefined {
  const all = [...(suites ?? []), ...(without ?? [])];
  const queries = sumOf(all.map(({ tasks }) => tasks.length));
  return all[0] && problem("only-triggers", all[0].at, count(queries, "query", "queries"));
}
