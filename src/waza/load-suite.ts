/** Eval files to suites. */
import { resolve } from "node:path";
import type { Problem, Suite } from "../domain.ts";
import { findFiles, leavesRepository, noMatch, wholeFile } from "../files.ts";
import { isSet, readGraders } from "./graders.ts";
import { loadTasks } from "./load-tasks.ts";
import type { TaskGlobs } from "./load-tasks.ts";
import { rubricPlaces } from "./rubric-places.ts";
import { evalFileSchema } from "./schema.ts";
import type { EvalFile } from "./schema.ts";
import { readWith, readYaml, unknownKeyProblems } from "./yaml-source.ts";
import type { YamlSource } from "./yaml-source.ts";

/** What people call eval files when they do not call them eval.yaml. */
const ALIKE = [
  "**/eval.yml",
  "**/eval*.{yaml,yml,json}",
  "**/*{.,-,_}eval.{yaml,yml}",
  "**/*Eval.{yaml,yml}",
];

/**
 * Loads every eval file the patterns match, with its tasks. Problems of all files come back together; a suite
 * with an error is returned `broken`, so that the others can be graded all the same.
 */
export async function loadSuites(
  patterns: readonly string[],
  workspace: string,
): Promise<{ suites: Suite[]; problems: Problem[] }> {
  const files = await findFiles(patterns, workspace);
  if (files.length === 0) return { suites: [], problems: await unmatched(patterns, workspace) };
  const missing = await missingPatterns(patterns, workspace);
  const loaded = await Promise.all(files.map((file) => loadSuite(file, patterns, workspace)));
  const suites = loaded.flatMap(({ suite }) => suite ?? []);
  return {
    suites,
    problems: [...missing, ...loaded.flatMap(({ problems }) => problems), ...nothingLeft(suites)],
  };
}

function nothingLeft(suites: readonly Suite[]): Problem[] {
  if (suites.length > 0) return [];
  const help = "Point `eval` at a waza eval file.";
  return [{ level: "error", message: "None of the files that `eval` matches is a waza eval.", help }];
}

function unmatched(patterns: readonly string[], workspace: string): Promise<Problem[]> {
  const positive = patterns.filter((pattern) => !pattern.startsWith("!"));
  return Promise.all(
    positive.map((pattern) =>
      noMatch({
        what: "The `eval` glob",
        pattern,
        cwd: workspace,
        alike: ALIKE,
        remedy: "Name your eval file in `eval`; without it, `**/eval.yaml` is searched for.",
      }),
    ),
  );
}

/** Among several patterns, those that match nothing of their own: a moved suite must not vanish in silence. */
async function missingPatterns(patterns: readonly string[], workspace: string): Promise<Problem[]> {
  const positive = patterns.filter((pattern) => !pattern.startsWith("!"));
  if (positive.length < 2) return [];
  const found = await Promise.all(positive.map((pattern) => findFiles([pattern], workspace)));
  return unmatched(
    positive.filter((_, index) => found[index]?.length === 0),
    workspace,
  );
}

async function loadSuite(
  file: string,
  patterns: readonly string[],
  workspace: string,
): Promise<{ suite?: Suite; problems: Problem[] }> {
  const at = wholeFile(file, workspace);
  if (leavesRepository(file, workspace)) return { suite: brokenSuite(at), problems: [linkOut(at)] };
  const read = await readYaml(file, workspace);
  const broken = (problems: Problem[]) => ({ suite: brokenSuite(at), problems });
  if (!("data" in read)) return broken([read]);
  const source = asMapping(read);
  if (isVally(source.data))
    return vally(
      at,
      patterns.some((pattern) => resolve(workspace, pattern) === file),
    );
  const { data, problems, unknown } = readWith(source, evalFileSchema);
  if (!data) return broken(problems);
  const list = readGraders(source, data.graders ?? [], rubricPlaces([file], workspace));
  const tasks = await loadTasks(file, taskGlobs(source, data), workspace);
  problems.push(...source.warnings, ...list.problems, ...tasks.problems, ...tasksFrom(source, data));
  const suite: Suite = {
    title: data.name || at.path,
    at,
    graders: list.graders,
    otherGraders: list.others,
    tasks: tasks.tasks,
    broken: problems.some(({ level }) => level === "error"),
    ...(data.name ? { name: data.name } : {}),
    ...(isSet(data.config?.judge_model) ? { judgeModel: data.config.judge_model } : {}),
  };
  return { suite, problems: [...problems, ...unknownKeyProblems(at.path, [...unknown, ...list.unknown])] };
}

/** A bare list is a list of graders, as waza's own documentation shows them. */
function asMapping(source: YamlSource): YamlSource {
  if (!Array.isArray(source.data)) return source;
  const place = (path: readonly PropertyKey[]) => (path[0] === "graders" ? path.slice(1) : path);
  return {
    ...source,
    data: { graders: source.data as unknown },
    spanOf: (path) => source.spanOf(place(path)),
    spanOfKey: (path) => source.spanOfKey(place(path)),
  };
}

function linkOut(at: Suite["at"]): Problem {
  const message = `\`${at.path}\` is a link that leads out of its repository.`;
  return { level: "error", message, help: "Commit the file itself.", at };
}

function brokenSuite(at: Suite["at"]): Suite {
  return { title: at.path, at, graders: [], otherGraders: [], tasks: [], broken: true };
}

function taskGlobs(source: YamlSource, data: EvalFile): TaskGlobs {
  if (data.tasks_from) return [];
  return data.tasks?.map((pattern, index) => ({ pattern, at: source.spanOf(["tasks", index]) }));
}

function tasksFrom(source: YamlSource, data: EvalFile): Problem[] {
  if (!data.tasks_from) return [];
  const at = source.spanOf(["tasks_from"]);
  const message = `\`${at.path}\`: \`tasks_from\` is not supported yet.`;
  return [{ level: "error", message, help: "List the tasks as files under `tasks:`.", at }];
}

/** vally is another tool whose files look like waza's and mean something else. */
function isVally(data: unknown): boolean {
  return typeof data === "object" && data !== null && "stimuli" in data && !("tasks" in data);
}

function vally(at: Suite["at"], named: boolean): { suite?: Suite; problems: Problem[] } {
  const message = `\`${at.path}\` is a vally eval (it has \`stimuli\`), which is another tool's format; waza-grade reads waza evals.`;
  const help = "Leave it out with a pattern that starts with `!`.";
  return {
    ...(named ? { suite: brokenSuite(at) } : {}),
    problems: [{ level: named ? "error" : "notice", message, help, at }],
  };
}
