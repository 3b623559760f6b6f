/**
 * The runs of evals: the tasks, each as often as planned, on one side or both, and the folder of each; and the list of what is
 * asked again, which grading writes, and `run --plan` makes.
 */
import type { Suite, Task } from "../domain/suite.ts";
import { type ListedRun, type RunsPlan, listText, rowOfRun } from "../outputs/list-of-runs.ts";
import { taskOfRun } from "../outputs/task-digest.ts";
import { sumOf } from "../text/format.ts";
import { sha256 } from "../text/hash.ts";
import type { WhyLeft } from "./left-out.ts";
import { plannedTasks, tasksOf } from "./planned.ts";

export interface PlannedRun {
  readonly suite: Suite;
  /** Absent for waza, which runs a whole eval. */
  readonly task?: Task | undefined;
  /** Number of the run among its task's, from 1. */
  readonly trial: number;
  readonly side?: "without-skill" | undefined;
  /** Asked for by grading, since its task dropped. */
  readonly again?: true | undefined;
  /** How many runs of its task and side are planned. */
  readonly trials: number;
  /** How many sides of its task are planned: 2 with runs without the skill. */
  readonly sides: 1 | 2;
  /** Its folder below the folder of all runs. */
  readonly folder: string;
}

export interface RunsRequest {
  readonly suites: readonly Suite[];
  readonly whyLeft: WhyLeft;
  /** By default the eval's own, else 1. */
  readonly trials?: number | undefined;
  readonly lift: boolean;
  readonly agent: string;
  readonly model?: string | undefined;
}

/** The second of four: `{index: 2, of: 4}`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The runs, so that the first trial of each task comes first. */
export function planRuns(request: RunsRequest): PlannedRun[] {
  const { suites, whyLeft, lift } = request;
  const tasks = suites.flatMap((suite) =>
    (suite.tasks === "every" ? [] : plannedTasks(suite, [], { whyLeft })).map((task) => ({ suite, task })),
  );
  const runs = tasks.flatMap(({ suite, task }) => {
    const isLift = lift && task.shouldTrigger === undefined;
    const sides = isLift ? ([undefined, "without-skill"] as const) : ([undefined] as const);
    const trials = request.trials ?? suite.trials ?? 1;
    return Array.from({ length: trials }, (_, at) => at + 1).flatMap((trial) =>
      sides.map((side) => ({ suite, task, trial, side, trials, sides: sides.length })),
    );
  });
  return runs
    .sort((one, other) => one.trial - other.trial)
    .map((run) => ({ ...run, folder: runFolder(run, request) }));
}

/** A run of waza for each eval. */
export function planWazaRuns(request: RunsRequest): PlannedRun[] {
  return request.suites.map((suite) => {
    const run = { suite, trial: 1, trials: request.trials ?? suite.trials ?? 1, sides: 1 } as const;
    return { ...run, folder: runFolder(run, request) };
  });
}

/** The shard's part, all without one: the tasks in turn, the one with most runs first, go to the shard that has least. */
export function runsOfShard(all: readonly PlannedRun[], shard: Shard | undefined): readonly PlannedRun[] {
  if (shard === undefined) return all;
  const loads = Array.from({ length: shard.of }, () => 0);
  const mine = new Set<PlannedRun>();
  const tasks = [...Map.groupBy(all, ({ suite, task }) => task ?? suite).values()].map((runs) => ({
    runs,
    weight: sumOf(runs.map((run) => runsOf(run).length)),
  }));
  for (const { runs, weight } of tasks.sort((a, b) => b.weight - a.weight)) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + weight;
    if (least === shard.index - 1) runs.forEach((run) => mine.add(run));
  }
  return all.filter((run) => mine.has(run));
}

/** A name that people can read and that is no other run's: `release-notes/1-3f2a9c/2-without-skill-codex`. */
export function runFolder(
  { suite, task, trial, side }: Omit<PlannedRun, "folder" | "trials" | "sides">,
  { agent, model }: { readonly agent?: string | undefined; readonly model?: string | undefined },
): string {
  const id = task?.id ?? "all";
  const hash = sha256(JSON.stringify([suite.at.path, id])).slice(0, 6);
  const by = [agent === "command" ? undefined : agent, model === undefined ? undefined : slug(model)];
  const last = [String(trial), side, ...by].filter((part) => part !== undefined).join("-");
  return [slug(suite.title), `${slug(id)}-${hash}`, last].join("/");
}

function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 40)
      .replace(/^-|-$/g, "") || "x"
  );
}

/** The runs of tasks: waza runs a whole eval at once, every task as often as planned. */
export function runsOf(
  run: PlannedRun,
): (Pick<PlannedRun, "suite" | "trial" | "side"> & { readonly task: Task })[] {
  const { suite, task: its, trials } = run;
  if (its !== undefined) return [{ ...run, task: its }];
  return tasksOf(suite, []).flatMap((task) =>
    Array.from({ length: trials }, (_, index) => ({ suite, task, trial: index + 1 })),
  );
}

/** A planned run of a task or of a query. */
export interface RowOfTask {
  readonly row: ListedRun;
  readonly suite: Suite;
  readonly task: Task;
}

/** The planned runs of single tasks and queries of these evals, with the skill. */
export function rowsOfTasks(plan: RunsPlan | undefined, suites: readonly Suite[]): readonly RowOfTask[] {
  return (plan?.runs ?? []).flatMap((row) => {
    const { suite, task } = taskOfRun(suites, row) ?? {};
    return suite && task && row.side === undefined ? { row, suite, task } : [];
  });
}

/** The list of so many further runs of what these rows are of, by each agent and model, numbered on; undefined without any. */
export function listOfAgain(
  asked: readonly RowOfTask[],
  { evals, left }: Pick<RunsPlan, "evals" | "left">,
  further: number,
): string | undefined {
  const byRun = Map.groupBy(asked, ({ row }) => JSON.stringify(runIdentity(row)));
  const runs = [...byRun.values()].flatMap((same) => {
    const most = Math.max(...same.map(({ row: { trial = 1 } }) => trial));
    return same.slice(0, 1).flatMap(({ suite, task, row }) =>
      Array.from({ length: further }, (_, index) => {
        const trial = most + index + 1;
        const folder = runFolder({ suite, task, trial }, row);
        return rowOfRun({ folder, ...runIdentity(row), trial, again: true });
      }),
    );
  });
  return runs.length === 0 ? undefined : listText({ plans: "further", runs, left, evals, touched: [] });
}

/** What is the same in all runs of a task by one agent and model; not what became of one. */
function runIdentity({ eval: path, task, trigger, skill, agent, model }: ListedRun) {
  return { eval: path, task, trigger, skill, agent, model };
}
