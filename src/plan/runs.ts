/** The runs of evals: the tasks, each as often as planned, on one side or both, and the folder of each. */
import type { Suite, Task } from "../domain/suite.ts";
import { sha256 } from "../text/hash.ts";
import type { WhyLeft } from "./choose.ts";
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
  readonly shard?: Shard | undefined;
}

/** The second of four: `{index: 2, of: 4}`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The runs of a shard, task by task, so that the first trial of each comes first. */
export function planRuns(request: RunsRequest): PlannedRun[] {
  const { suites, whyLeft, shard, lift } = request;
  const tasks = suites.flatMap((suite) =>
    (suite.tasks === "every" ? [] : plannedTasks(suite, [], { whyLeft })).map((task) => {
      const isLift = lift && task.shouldTrigger === undefined;
      const sides = isLift ? ([undefined, "without-skill"] as const) : ([undefined] as const);
      const trials = request.trials ?? suite.trials ?? 1;
      return { suite, task, sides, trials, weight: trials * sides.length };
    }),
  );
  const all = ofShard(tasks, shard).flatMap(({ suite, task, sides, trials }) =>
    Array.from({ length: trials }, (_, at) => at).flatMap((at) =>
      sides.map((side) => ({ suite, task, trial: at + 1, side, trials, at })),
    ),
  );
  return all
    .sort((one, other) => one.at - other.at)
    .map(({ at: _, ...run }) => ({ ...run, folder: runFolder(run, request) }));
}

/** A run of waza for each eval. */
export function planWazaRuns(request: RunsRequest): PlannedRun[] {
  const runs = request.suites.map((suite) => {
    const run = { suite, trial: 1, trials: request.trials ?? suite.trials ?? 1 };
    return { ...run, folder: runFolder(run, request) };
  });
  return ofShard(
    runs.map((run) => ({ runs: [run], weight: run.trials * tasksOf(run.suite, []).length })),
    request.shard,
  ).flatMap((one) => one.runs);
}

/** The shard's part, all without one: each in turn, the heaviest first, goes to the shard that has least. */
function ofShard<T extends { readonly weight: number }>(
  all: readonly T[],
  shard: Shard | undefined,
): readonly T[] {
  if (shard === undefined) return all;
  const loads = Array.from({ length: shard.of }, () => 0);
  const mine = new Set<T>();
  for (const one of [...all].sort((a, b) => b.weight - a.weight)) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + one.weight;
    if (least === shard.index - 1) mine.add(one);
  }
  return all.filter((one) => mine.has(one));
}

/** A name that people can read and that is no other run's: `release-notes/1-3f2a9c/2-without-skill-codex`. */
export function runFolder(
  { suite, task, trial, side }: Omit<PlannedRun, "folder" | "trials">,
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
