/** Loads an eval file of waza as a suite. */
import { dirname } from "node:path";
import type { Problem, Suite } from "../domain/suite.ts";
import { isUnset, loadCsvTasks } from "./csv.ts";
import { checkpointNotice, readEffort, readGraders, setModel } from "./graders.ts";
import { unknownKeyProblems } from "./keys.ts";
import { type EvalLocation, nearestFile, noteNamed, partsOf } from "./location.ts";
import { type OtherFormat, taskFile } from "./other-formats.ts";
import type { ProjectConfig } from "./project-config.ts";
import { rubricFolders } from "./rubrics.ts";
import { type EvalFile, evalFileSchema } from "./schema.ts";
import { type TaskList, loadDefaultTasks, loadTasks } from "./waza-tasks.ts";
import { type YamlSource, readWith } from "./yaml.ts";
import { titlePath, wholeFile } from "../files/confine.ts";
import { shorten } from "../text/format.ts";
import { error, isError, notice, warning } from "../text/problem.ts";

/** Options of loading an eval file. */
export interface Loading {
  readonly config: ProjectConfig;
  /** True when the input names this file itself, not through a wildcard. */
  readonly named: boolean;
}

/** A loaded suite; none if the file has another format and only a wildcard matched it. */
export interface LoadedSuite {
  readonly suite?: Suite | undefined;
  readonly problems: Problem[];
}

/** Loads an eval of waza, with its tasks. */
export async function loadSuite(
  read: YamlSource,
  location: EvalLocation,
  { config, named }: Loading,
): Promise<LoadedSuite> {
  const at = wholeFile(location.file, location.workspace);
  const source = asMapping(read);
  const other = taskFile(source.data, location);
  if (other) return foreign(other, at, named);
  const { data, problems, unknown } = readWith(source, evalFileSchema);
  if (!data) return { suite: brokenSuite(at), problems };
  const list = readGraders(source, { entries: data.graders ?? [], unknown }, rubricFolders(location));
  const tasks = await tasksOf(source, data, { location, config });
  const keys = unknownKeyProblems("eval", list.unknown);
  problems.push(...source.warnings, ...schemaVersion(source, data), ...uselessRange(source, data));
  problems.push(...checkpointNotice(source, ["config", "checkpoints"], data.config?.checkpoints));
  problems.push(...list.problems, ...tasks.problems, ...keys);
  const key = "judge_reasoning_effort";
  const where = source.spanOf(["config", key]);
  const judgeEffort = readEffort(key, data.config?.judge_reasoning_effort, { at: where, problems });
  const trials = data.config?.trials_per_task;
  const skill = nearestFile("SKILL.md", location);
  // Everything in its folder belongs to the skill.
  if (skill !== undefined) noteNamed(dirname(skill), location);
  const suite: Suite = {
    title: data.name || titlePath(at),
    at,
    graders: list.graders,
    otherGraders: list.others,
    tasks: tasks.tasks,
    broken: config.broken || problems.some(isError),
    name: data.name || undefined,
    judgeModel: setModel(config.judgeModel ?? data.config?.judge_model),
    judgeEffort,
    trials: typeof trials === "string" && /^[1-9]\d*$/.test(trials) ? Number(trials) : undefined,
    named,
    skill: typeof data.skill === "string" ? data.skill : undefined,
    root: location.root,
    parts: partsOf(location),
  };
  return { suite, problems };
}

function uselessRange(source: YamlSource, { tasks_from: csv, range }: EvalFile): Problem[] {
  if (csv || !range || isUnset(range)) return [];
  const at = source.spanOfKey(["range"]);
  const message = `\`range\` has no effect without \`tasks_from\`; all tasks are used.`;
  return [warning(message, { help: "Remove it, or name the CSV file in `tasks_from`.", at })];
}

interface Surroundings {
  readonly location: EvalLocation;
  readonly config: ProjectConfig;
}

/** `tasks_from` wins over `tasks`, as in waza; the default is the project's. */
function tasksOf(
  source: YamlSource,
  { tasks_from: csv, range, tasks }: EvalFile,
  { location, config }: Surroundings,
): Promise<TaskList> {
  if (csv) return loadCsvTasks(source, { csv, range: range }, location);
  if (!tasks?.length) return loadDefaultTasks(config.tasks, location);
  const globs = tasks.map((pattern, index) => ({ pattern, at: source.spanOf(["tasks", index]) }));
  return loadTasks(globs, location);
}

/** A warning for an unknown version: 1.x name a `skill` and 2.x a `scenario`. */
function schemaVersion(source: YamlSource, { schemaVersion: version }: EvalFile): Problem[] {
  if (!version || /^v?[12](\.|$)/.test(version.trim())) return [];
  const at = source.spanOf(["schemaVersion"]);
  const message = `\`schemaVersion\` is \`${shorten(version, 60)}\`, and only 1.x and 2.x are known; it is read as 2.x.`;
  return [warning(message, { help: "Look for a newer version of this action.", at })];
}

/** A bare list is a list of graders, as waza's own documentation shows them. */
function asMapping(source: YamlSource): YamlSource {
  if (!Array.isArray(source.data)) return source;
  const within = (path: readonly PropertyKey[]) => (path[0] === "graders" ? path.slice(1) : path);
  return {
    ...source,
    data: { graders: source.data as unknown },
    spanOf: (path) => source.spanOf(within(path)),
    spanOfKey: (path) => source.spanOfKey(within(path)),
  };
}

/** The suite of an eval file that cannot be read. */
export function brokenSuite(at: Suite["at"]): Suite {
  return { title: titlePath(at), at, graders: [], otherGraders: [], tasks: [], broken: true };
}

/** A file of another format: an error if the input names the file itself, else a notice. */
export function foreign({ what, help }: OtherFormat, at: Suite["at"], named: boolean): LoadedSuite {
  if (named) return { suite: brokenSuite(at), problems: [error(`the file ${what}`, { help, at })] };
  return { problems: [notice(`the file ${what}`, { help, at })] };
}
