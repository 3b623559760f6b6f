/**
 * What is to be graded: the runs of each task, those that are missing, and its graders, narrowed by the inputs `tasks`
 * and `advisory`.
 */
import type { MissingRun } from "../domain/grade.ts";
import { type HeldRun, type ResultsFile, UNKNOWN_MODEL } from "../domain/run.ts";
import type { Grader, Suite, Task } from "../domain/suite.ts";
import { once } from "../text/format.ts";
import { globMatches } from "../text/suggest.ts";
import { MOST_MISSING } from "./limits.ts";

type Narrowed = Pick<PlanRequest, "suites" | "tasks" | "unchanged">;

export interface PlanRequest {
  /** All loaded suites. */
  readonly suites: readonly Suite[];
  readonly results: readonly ResultsFile[];
  /** The input `judge-model`. */
  readonly judgeModel?: string | undefined;
  /** The reason why a model cannot be used (a pull request from a fork has no key); its grades are skipped. */
  readonly withoutKey?: ((model: string) => string | undefined) | undefined;
  /** The reason why no agent ran (a pull request from a fork has no secrets); counts without any results. */
  readonly withoutAgent?: string | undefined;
  /** The input `tasks`: globs over ids and names; empty for all. */
  readonly tasks?: readonly string[] | undefined;
  /** The input `advisory`: globs over names of graders; empty for none. */
  readonly advisory?: readonly string[] | undefined;
  /** Suites that `changed-only` leaves out. */
  readonly unchanged?: ReadonlySet<Suite> | undefined;
  readonly dryRun?: boolean | undefined;
  /** Whether to grade runs without the skill. */
  readonly lift?: boolean | undefined;
}

/** A suite's tasks that are enabled and selected by the input `tasks`. */
export function plannedTasks(
  suite: Suite,
  files: readonly ResultsFile[],
  request: Pick<Narrowed, "tasks">,
): readonly Task[] {
  return tasksOf(suite, files).filter((task) => isPlanned(suite, task, request));
}

/** Placeholder task of a suite without tasks and results. */
const EVERY_TASK: Task = {
  id: "*",
  name: "every task",
  enabled: true,
  graders: [],
  otherGraders: [],
  files: [],
};

/** A suite's tasks, planned or not; those of its results where it names none. */
export function tasksOf(suite: Suite, files: readonly ResultsFile[]): readonly Task[] {
  if (suite.tasks !== "every") return suite.tasks;
  const byId = new Map<string, Task>();
  for (const { taskId: id, taskName: name = id } of files.flatMap(({ runs }) => runs)) {
    if (!byId.has(id)) byId.set(id, { ...EVERY_TASK, id, name });
  }
  return byId.size === 0 ? [EVERY_TASK] : [...byId.values()];
}

function isPlanned({ title }: Suite, task: Task, { tasks }: Pick<Narrowed, "tasks">): boolean {
  return task.enabled && selects(tasks ?? [], { id: task.id, name: task.name, suite: title });
}

/** A task or a grader of a suite. */
interface Named {
  readonly id?: string | undefined;
  readonly name: string;
  /** The suite's title, a possible prefix of both: `suite/name`. */
  readonly suite: string;
}

/** True if the globs match a task's id or name. A leading `!` excludes; globs that only exclude start from all tasks. */
export function selects(globs: readonly string[], named: Named): boolean {
  const including = globs.filter((glob) => !glob.startsWith("!"));
  const excluded = globs.some((glob) => glob.startsWith("!") && mentions(glob, named));
  return !excluded && (including.length === 0 || including.some((glob) => mentions(glob, named)));
}

/** True if a glob includes or excludes a task. */
export function mentions(glob: string, { id, name, suite }: Named): boolean {
  const bare = glob.replace(/^!/, "");
  const own = id === undefined || id === name ? [name] : [id, name];
  return own.some((one) => globMatches(bare, one) || globMatches(bare, `${suite}/${one}`));
}

/** The suites to grade. */
export function plannedSuites({ suites, unchanged }: Narrowed): readonly Suite[] {
  return suites.filter((suite) => !suite.broken && !unchanged?.has(suite));
}

/** The results files of a suite, and the models that should have run each of its tasks. */
interface Expected {
  readonly files: readonly ResultsFile[];
  /** Empty if no waza results name a model: then any run makes a task complete. */
  readonly planned: readonly string[];
  /** The number of missing runs of a task without any. */
  readonly trials: number;
  /** The model of those runs: the only one that the suite's runs name; empty without runs. */
  readonly likely: string;
  /** How many runs of each task its run.json say were planned, by the model asked for; empty without any. */
  readonly stated: ReadonlyMap<string, number>;
}

/**
 * The agent's models that waza's results state for a suite; each must have run every task. A file that names the suite
 * counts even without a run of it. Logs, records and texts do not state planned models.
 */
export function expectedRuns(
  { name, trials = 1 }: Pick<Suite, "name" | "trials">,
  files: readonly ResultsFile[],
  held: readonly HeldRun[],
): Expected {
  const stating = files.filter(({ runsPerTest }) => runsPerTest !== undefined);
  const planned = new Set([
    ...held.filter(({ file }) => stating.includes(file)).map(({ run }) => run.model),
    ...stating
      .filter(({ evalName }) => evalName !== undefined && evalName === name)
      .map(({ model }) => model),
  ]);
  planned.delete(UNKNOWN_MODEL);
  const [only = "", ...more] = new Set(held.map(({ run }) => run.model));
  return {
    files,
    planned: [...planned],
    trials,
    likely: more.length > 0 ? UNKNOWN_MODEL : only,
    stated: statedBy(held),
  };
}

function statedBy(held: readonly HeldRun[]): ReadonlyMap<string, number> {
  const stated = new Map<string, number>();
  for (const { run } of held)
    if (run.ofTrials !== undefined)
      stated.set(run.asked ?? "", Math.max(run.ofTrials, stated.get(run.asked ?? "") ?? 0));
  return stated;
}

/**
 * The missing runs of a task: of the numbers that run.json state, those without a run; else a file has fewer than it
 * states, or a model has fewer in all files together.
 */
export function missingRuns(all: readonly HeldRun[], expected: Expected): MissingRun[] {
  const { files, planned, likely, trials, stated } = expected;
  if (stated.size > 0)
    return [...stated].flatMap((one) => missingNumbers(all, one, likely)).slice(0, MOST_MISSING);
  const numbers = freeNumbers(all);
  const held = ofOneAttempt(all);
  const make = (model: string, count: number) =>
    Array.from({ length: Math.min(Math.max(0, count), MOST_MISSING) }, () => ({
      model,
      number: numbers(model),
    }));
  const isUnknown = held.some(({ run }) => run.model === UNKNOWN_MODEL);
  const fewer = [...Map.groupBy(held, ({ file }) => legOf(file)).values()].flatMap((runs) => {
    const [{ run }] = runs as [HeldRun];
    const most = runs.reduce((number, one) => Math.max(number, perTask(one.file)), 0);
    return make(run.model, most - runs.length);
  });
  if (planned.length === 0 && held.length === 0) return make(likely, trials);
  const ofModels = planned.flatMap((model) => {
    const has = [...held.map(({ run }) => run), ...fewer].filter((run) => run.model === model).length;
    // A run of an unknown model may belong to this one.
    if (has === 0 && isUnknown) return [];
    return make(model, Math.max(1, ...files.filter((file) => file.model === model).map(perTask)) - has);
  });
  return [...fewer, ...ofModels].slice(0, MOST_MISSING);
}

function missingNumbers(
  all: readonly HeldRun[],
  [asked, trials]: readonly [asked: string, trials: number],
  likely: string,
): MissingRun[] {
  const held = new Set(
    all.filter(({ run }) => (run.asked ?? "") === asked).map(({ run }) => run.numberInAttempt ?? run.number),
  );
  const numbers = Array.from({ length: Math.min(trials, MOST_MISSING) }, (_, index) => index + 1);
  return numbers.flatMap((number) => (held.has(number) ? [] : { model: asked || likely, number }));
}

/** Assigns the lowest run number that a model has not used. */
function freeNumbers(held: readonly HeldRun[]): (model: string) => number {
  const used = new Map<string, Set<number>>();
  const usedBy = (model: string) => once(used, model, () => new Set<number>());
  for (const { run } of held) usedBy(run.model).add(run.number);
  return (model) => {
    const numbers = usedBy(model);
    let free = 1;
    while (numbers.has(free)) free += 1;
    numbers.add(free);
    return free;
  };
}

/** The runs, each once if several attempts made it. */
function ofOneAttempt(held: readonly HeldRun[]): readonly HeldRun[] {
  const keyOf = ({ run }: HeldRun) =>
    run.numberInAttempt === undefined ? run : JSON.stringify([run.model, run.numberInAttempt]);
  return [...Map.groupBy(held, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** A run that is missing in the file of one attempt may be in that of another. */
function legOf(file: ResultsFile): ResultsFile | string {
  const { attempt, evalName, suite, model } = file;
  return attempt === undefined ? file : JSON.stringify([evalName, suite, model]);
}

/** The number of runs per task that a file states. */
function perTask({ runsPerTest = 1 }: ResultsFile): number {
  return Math.max(1, Math.floor(runsPerTest));
}

/** True if the globs of `advisory` match a grader, by the same rules; no globs match none. */
export function isAdvisory(globs: readonly string[] = [], grader: Named): boolean {
  return globs.length > 0 && selects(globs, grader);
}

/** True if a planned task has a prompt grader, so that results are needed. */
export function hasWork(request: Narrowed): boolean {
  return plannedSuites(request).some((suite) =>
    suite.tasks === "every"
      ? suite.graders.length > 0
      : suite.tasks.some((task) => isPlanned(suite, task, request) && gradersOf(suite, task).length > 0),
  );
}

/** True if `changed-only` and `tasks` left out every suite, and some of these had something to grade. */
export function isNarrowed({ suites, tasks, unchanged }: Narrowed): boolean {
  const could = (suite: Suite) => hasWork({ suites: [suite] });
  const isLeftOut = (suite: Suite) =>
    unchanged?.has(suite) === true || (could(suite) && !hasWork({ suites: [suite], tasks }));
  return suites.some(could) && suites.every(isLeftOut);
}

/** waza runs the eval's graders and the task's; a task's grader replaces the eval's of the same name. */
export function gradersOf(suite: Suite, task: Task): readonly Grader[] {
  const replaced = new Set([...task.graders, ...task.otherGraders].map(({ name }) => name));
  return [...suite.graders.filter(({ name }) => !replaced.has(name)), ...task.graders];
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
  return Map.groupBy(
    files.flatMap((file) => file.runs.map((run) => ({ file, run }))),
    ({ run }) => run.taskId,
  );
}
