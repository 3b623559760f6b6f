/** Which runs are to be made: the tasks of the evals, each as often as planned, on one side or both. Pure. */
import { createHash } from "node:crypto";
import type { Suite, Task } from "../domain/suite.ts";
import { selects } from "../plan/planned.ts";

export interface PlannedRun {
  readonly suite: Suite;
  /** Absent for waza, which runs a whole eval. */
  readonly task?: Task | undefined;
  /** Number of the run among its task's, from 1. */
  readonly trial: number;
  readonly side?: "without-skill" | undefined;
  /** How many runs of its task and side are planned. */
  readonly trials: number;
  /** Its folder below the folder of all runs. */
  readonly folder: string;
}

export interface RunsRequest {
  readonly suites: readonly Suite[];
  /** Globs over ids and names of tasks; empty for all. */
  readonly tasks: readonly string[];
  /** By default the eval's own, else 1. */
  readonly trials?: number | undefined;
  /** Number of the first run of each task. */
  readonly firstTrial: number;
  readonly withoutSkill: boolean;
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
  const { suites, tasks: globs, shard, firstTrial, withoutSkill } = request;
  const tasks = suites.flatMap((suite) =>
    (suite.tasks === "every" ? [] : suite.tasks)
      .filter(({ id, name, enabled }) => enabled && selects(globs, { id, name, suite: suite.title }))
      .map((task) => ({ suite, task })),
  );
  const mine = ofShard(tasks, shard);
  const sidesOf = ({ shouldTrigger }: Task) =>
    withoutSkill && shouldTrigger === undefined
      ? ([undefined, "without-skill"] as const)
      : ([undefined] as const);
  const all = mine.flatMap(({ suite, task }) => {
    const trials = request.trials ?? suite.trials ?? 1;
    return Array.from({ length: trials }, (_, at) => at).flatMap((at) =>
      sidesOf(task).map((side) => ({ suite, task, trial: firstTrial + at, side, trials, at })),
    );
  });
  return all
    .sort((one, other) => one.at - other.at)
    .map(({ at: _, ...run }) => ({ ...run, folder: folderOf(run, request.model) }));
}

/** A run of waza for each eval. */
export function planWazaRuns(request: RunsRequest): PlannedRun[] {
  const { suites, shard, model } = request;
  return ofShard(suites, shard).map((suite) => {
    const run = { suite, trial: 1, trials: request.trials ?? suite.trials ?? 1 };
    return { ...run, folder: folderOf(run, model) };
  });
}

/** The shard's part; all without one. */
function ofShard<T>(all: readonly T[], shard: Shard | undefined): readonly T[] {
  return shard === undefined ? all : all.filter((_, at) => at % shard.of === shard.index - 1);
}

/** A name that people can read and that is no other run's: `release-notes/1-3f2a9c/2-without-skill`. */
function folderOf(
  { suite, task, trial, side }: Omit<PlannedRun, "folder">,
  model: string | undefined,
): string {
  const id = task?.id ?? "all";
  const hash = createHash("sha256")
    .update(JSON.stringify([suite.at.path, id]))
    .digest("hex")
    .slice(0, 6);
  const last = [String(trial), side, model === undefined ? undefined : slug(model)];
  return [slug(suite.title), `${slug(id)}-${hash}`, last.filter((part) => part !== undefined).join("-")].join(
    "/",
  );
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
