/** What is planned: the results of a suite, those of its tasks that are to be graded, and by which graders. */
import type { ResultsFile } from "../domain/run.ts";
import type { Grader, Suite, Task } from "../domain/suite.ts";
import type { HeldRun } from "./planned-runs.ts";
import { selects } from "./task-globs.ts";

export interface PlanRequest {
  /** All that were loaded. */
  readonly suites: readonly Suite[];
  readonly results: readonly ResultsFile[];
  /** The `judge-model` input, when set. */
  readonly judgeModel?: string | undefined;
  /** Why a model cannot be asked (a pull request from a fork has no key): its grades are skipped with it. */
  readonly withoutKey?: ((model: string) => string | undefined) | undefined;
  /** The input `tasks`: globs over ids and names; empty for all. */
  readonly tasks?: readonly string[] | undefined;
  /** The input `advisory`: globs over names of graders; empty for none. */
  readonly advisory?: readonly string[] | undefined;
  /** Suites that `changed-only` leaves out. */
  readonly unchanged?: ReadonlySet<Suite> | undefined;
  /** A dry run needs no results. */
  readonly dryRun?: boolean | undefined;
  /** Runs without the skill are graded, too. */
  readonly lift?: boolean | undefined;
}

type Narrowed = Pick<PlanRequest, "suites" | "tasks" | "unchanged">;

/** Stands for the tasks of a suite that names none when the results hold none either. */
const EVERY_TASK: Task = {
  id: "*",
  name: "every task",
  enabled: true,
  graders: [],
  otherGraders: [],
  files: [],
};

/** The suites that can be graded and are planned. */
export function plannedSuites({ suites, unchanged }: Narrowed): readonly Suite[] {
  return suites.filter((suite) => !suite.broken && !unchanged?.has(suite));
}

/** True when some planned task has a prompt grader, so that results are needed at all. */
export function hasWork(request: Narrowed): boolean {
  return plannedSuites(request).some((suite) =>
    suite.tasks === "every"
      ? suite.graders.length > 0
      : suite.tasks.some((task) => isPlanned(suite, task, request) && gradersOf(suite, task).length > 0),
  );
}

function isPlanned({ title }: Suite, task: Task, { tasks }: Pick<Narrowed, "tasks">): boolean {
  return task.enabled && selects(tasks ?? [], { id: task.id, name: task.name, suite: title });
}

/** waza runs the eval's graders and the task's; a task's grader replaces the eval's of the same name. */
export function gradersOf(suite: Suite, task: Task): readonly Grader[] {
  const replaced = new Set([...task.graders, ...task.otherGraders].map(({ name }) => name));
  return [...suite.graders.filter(({ name }) => !replaced.has(name)), ...task.graders];
}

/**
 * Results below a folder that is called as an eval belong to it. Results that carry an `eval_name` belong to the loaded suite of that name; unnamed results, and suites without a
 * name, meet by task id.
 */
export function belongs(file: ResultsFile, suite: Suite, suites: readonly Suite[]): boolean {
  if (file.suite !== undefined) return file.suite === suite.at.path;
  if (file.evalName === undefined) return true;
  if (suite.name !== undefined) return suite.name === file.evalName;
  return !suites.some(({ name }) => name === file.evalName);
}

/** The files that may hold runs of a suite; those made without its skill are no runs of its tasks. */
export function filesOf(
  suite: Suite,
  { suites, results }: Pick<PlanRequest, "suites" | "results">,
  side?: ResultsFile["side"],
) {
  return results.filter((file) => file.side === side && belongs(file, suite, suites));
}

/** The runs of these files by the id of their task. */
export function runsById(files: readonly ResultsFile[]): ReadonlyMap<string, readonly HeldRun[]> {
  return Map.groupBy(
    files.flatMap((file) => file.runs.map((run) => ({ file, run }))),
    ({ run }) => run.taskId,
  );
}

/** A suite's tasks, planned or not; those of its results where it names none. */
export function tasksOf(suite: Suite, files: readonly ResultsFile[]): readonly Task[] {
  if (suite.tasks !== "every") return suite.tasks;
  const byId = new Map<string, Task>();
  for (const { taskId: id, taskName: name = id } of files.flatMap(({ runs }) => runs)) {
    if (!byId.has(id)) byId.set(id, { ...EVERY_TASK, id, name });
  }
  return byId.size === 0 ? [EVERY_TASK] : [...byId.values()];
}

/** Those of a suite's tasks that are enabled and that the input `tasks` selects. */
export function plannedTasks(
  suite: Suite,
  files: readonly ResultsFile[],
  request: Pick<Narrowed, "tasks">,
): readonly Task[] {
  return tasksOf(suite, files).filter((task) => isPlanned(suite, task, request));
}
