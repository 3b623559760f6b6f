/**
 * Trigger evals of skills, `[{query, should_trigger}]` in a file of the folder `evals/`: whether an agent loads the skill
 * for a query. They are run as tasks of a suite of their own, and no judge decides them.
 */
import { jsonOf } from "../text/format.ts";
import { basename, dirname, relative } from "node:path";
import type { Suite, Task } from "../domain/suite.ts";
import { repositoryRoot, slashes, wholeFile } from "../files/confine.ts";
import { findFiles } from "../files/find.ts";
import { readText } from "../files/read.ts";
import { MOST_EVAL_BYTES, TRIGGER_TRIALS } from "./limits.ts";
import { triggersIn } from "./other-formats.ts";

/** The id of a trigger's task. */
function triggerId(query: string): string {
  return `trigger: ${query}`;
}

/** A suite for each file of trigger evals; files that are none, or cannot be read, are none. */
export async function loadTriggers(workspace: string): Promise<readonly Suite[]> {
  const files = await findFiles(["**/evals/*.json", "!**/.waza-grade/**"], workspace);
  const suites = await Promise.all(files.map((file) => suiteOf(file, workspace)));
  return suites.flatMap((suite) => suite ?? []);
}

async function suiteOf(file: string, workspace: string): Promise<Suite | undefined> {
  const read = await readText(file, MOST_EVAL_BYTES);
  const triggers = "text" in read ? triggersIn(jsonOf(read.text)) : [];
  if (triggers.length === 0) return undefined;
  const root = repositoryRoot(file, workspace);
  const folder = dirname(dirname(file));
  const queries = new Map(triggers.map(({ query, shouldTrigger }) => [query, shouldTrigger]));
  return {
    title: basename(folder),
    at: wholeFile(file, workspace),
    graders: [],
    otherGraders: [],
    tasks: [...queries].map(([query, shouldTrigger]) => taskOf(query, shouldTrigger)),
    trials: TRIGGER_TRIALS,
    broken: false,
    skill: basename(folder),
    root,
    parts: [file, folder].map((path) => slashes(relative(root, path))),
  };
}

function taskOf(query: string, shouldTrigger: boolean): Task {
  const id = triggerId(query);
  const none = { graders: [], otherGraders: [], files: [] };
  return { id, name: id, prompt: query, enabled: true, shouldTrigger, ...none };
}
