/**
 * What is to be graded: the runs of each task and its graders, narrowed by the inputs `tasks`
 * and `advisory`.
 */
import { type HeldRun, type ResultsFile, heldRuns } from "../domain/run.ts";
import type { ListedRun, RunsPlan } from "../outputs/list-of-runs.ts";
import { BARE_TASK, gradersOf, type Suite, type Task } from "../domain/suite.ts";
import { globMatches } from "../text/suggest.ts";

type Narrowed = Pick<PlanRequest, "suites" | "whyLeft">;

export interface PlanRequest {
  /** All loaded suites. */
  readonly suites: readonly Suite[];
  readonly results: readonly ResultsFile[];
  /** The input `judge-model`. */
  readonly judgeModel?: string | undefined;
  /** The input `judge-effort`. */
  readonly judgeEffort?: string | undefined;
  /** The reason why a model cannot be used (a pull request from a fork has no key); its grades are skipped. */
  readonly withoutKey?: ((model: string) => string | undefined) | undefined;
  /** The reason why there is no run (a fork's agent had no key); their grades are skipped. */
  readonly withoutAgent?: string | undefined;
  /** The input `tasks`: globs over ids and names; empty for all. */
  readonly tasks?: readonly string[] | undefined;
  /** The input `advisory`: globs over names of graders; empty for none. */
  readonly advisory?: readonly string[] | undefined;
  /** What `waza-grade run` planned. */
  readonly runsPlan?: RunsPlan | undefined;
  /** Why an eval or a task is left out; absent where none is. */
  readonly whyLeft?: ((suite: Suite, task?: Task) => string | undefined) | undefined;
  readonly dryRun?: boolean | undefined;
  /** Whether to grade runs without the skill. */
  readonly lift?: boolean | undefined;
}

/** A suite's tasks that are enabled and not left out. */
export function plannedTasks(
  suite: Suite,
  files: readonly ResultsFile[],
  { whyLeft }: Pick<Narrowed, "whyLeft">,
): readonly Task[] {
  return tasksOf(suite, files).filter((task) => task.enabled && whyLeft?.(suite, task) === undefined);
}

/** Placeholder task of a suite without tasks and results. */
const EVERY_TASK: Task = { ...BARE_TASK, id: "*", name: "every task" };

/** A suite's tasks, planned or not; those of its results where it names none. */
export function tasksOf(suite: Suite, files: readonly ResultsFile[]): readonly Task[] {
  if (suite.tasks !== "every") return suite.tasks;
  const byId = new Map<string, Task>();
  for (const { taskId: id, taskName: name = id } of files.flatMap(({ runs }) => runs)) {
    if (!byId.has(id)) byId.set(id, { ...EVERY_TASK, id, name });
  }
  return byId.size === 0 ? [EVERY_TASK] : [...byId.values()];
}

/** The planned runs of a task, or of a whole suite; a run of the whole suite is of each task. */
export function rowsOfPlan(
  { runs }: RunsPlan,
  { at, skill }: Pick<Suite, "at" | "skill">,
  task?: Pick<Task, "id" | "prompt" | "shouldTrigger">,
): readonly ListedRun[] {
  const isQuery = task?.shouldTrigger !== undefined;
  const isOf = (row: ListedRun) =>
    task === undefined ||
    (isQuery
      ? row.trigger === task.prompt && row.skill === skill
      : row.task === task.id || (row.task === undefined && row.trigger === undefined));
  return runs.filter((row) => row.eval === at.path && isOf(row));
}

/** Whether runs without the skill are planned. */
export function hasSides({ runs }: RunsPlan): boolean {
  return runs.some(({ side }) => side !== undefined);
}

/** A task or a grader of a suite. */
interface NamedInSuite {
  readonly id?: string | undefined;
  readonly name: string;
  /** The suite's title, a possible prefix of both: `suite/name`. */
  readonly suite: string;
  /** What a record calls a suite with another's title. */
  readonly key?: string | undefined;
}

/** True if the globs match a task's id or name. A leading `!` excludes; globs that only exclude start from all tasks. */
export function selects(globs: readonly string[], named: NamedInSuite): boolean {
  const including = globs.filter((glob) => !glob.startsWith("!"));
  const excluded = globs.some((glob) => glob.startsWith("!") && mentions(glob, named));
  return !excluded && (including.length === 0 || including.some((glob) => mentions(glob, named)));
}

/** Why a task is left out by globs; undefined for one that they select. */
export function whyNotSelected(
  globs: readonly string[],
  { title, key }: Pick<Suite, "title" | "key">,
  { id, name }: Pick<Task, "id" | "name">,
): string | undefined {
  return selects(globs, { id, name, suite: title, key }) ? undefined : "not selected";
}

/** True if a glob includes or excludes a task. */
export function mentions(glob: string, { id, name, suite, key = suite }: NamedInSuite): boolean {
  const bare = glob.replace(/^!/, "");
  const names = id === undefined || id === name ? [name] : [id, name];
  return names.some((called) =>
    [called, `${suite}/${called}`, `${key}/${called}`].some((full) => globMatches(bare, full)),
  );
}

/** The suites to grade. */
export function plannedSuites({ suites, whyLeft }: Narrowed): readonly Suite[] {
  return suites.filter((suite) => !suite.broken && whyLeft?.(suite) === undefined);
}

/** True if the globs of `advisory` match a grader, by the same rules; no globs match none. */
export function isAdvisory(globs: readonly string[] = [], grader: NamedInSuite): boolean {
  return globs.length > 0 && selects(globs, grader);
}

/** True if a planned task has a prompt grader, so that results are needed. */
export function hasWork(request: Narrowed): boolean {
  return plannedSuites(request).some((suite) =>
    suite.tasks === "every"
      ? suite.graders.length > 0
      : plannedTasks(suite, [], request).some((task) => gradersOf(suite, task).length > 0),
  );
}

/** True if every suite is left out, whole or by its tasks, and some of these had something to grade. */
export function isNarrowed({ suites, whyLeft }: Narrowed): boolean {
  const could = (suite: Suite) => hasWork({ suites: [suite] });
  const isLeftOut = (suite: Suite) =>
    whyLeft?.(suite) !== undefined || (could(suite) && !hasWork({ suites: [suite], whyLeft }));
  return suites.some(could) && suites.every(isLeftOut);
}

/** The files that may hold runs of a suite, made with its skill. */
export function filesOf(
  suite: Suite,
  { suites, results }: Pick<PlanRequest, "suites" | "results">,
  side?: ResultsFile["side"],
) {
  return results.filter((file) => file.side === side && belongs(file, suite, suites));
}

/**
 * True if a results file belongs to a suite: it lies below a folder with the eval's name, or has its `eval_name`. Without
 * a name on either side, the task ids decide.
 */
export function belongs(file: ResultsFile, suite: Suite, suites: readonly Suite[]): boolean {
  if (file.suite !== undefined) return file.suite === suite.at.path;
  if (file.evalName === undefined) return true;
  if (suite.name !== undefined) return suite.name === file.evalName;
  return !suites.some(({ name }) => name === file.evalName);
}

/** The runs of these files by the id of their task. */
export function runsById(files: readonly ResultsFile[]): ReadonlyMap<string, readonly HeldRun[]> {
  return Map.groupBy(heldRuns(files), ({ run }) => run.taskId);
}
