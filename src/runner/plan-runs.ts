/** Which runs are to be made: the tasks of the evals, each as often as planned, on one side or both; and the line that says so, with the price. */
import type { Suite, Task } from "../domain/suite.ts";
import { OPENAI } from "../judge/api/wire.ts";
import { estimate } from "../judge/estimate.ts";
import { plannedRequests } from "../judge/grade.ts";
import { prices } from "../judge/spend.ts";
import { jobsAhead } from "../plan/plan.ts";
import { selects, tasksOf } from "../plan/planned.ts";
import { assumeRun } from "../plan/settled.ts";
import { count, formatAbout, formatDollars, listedCode, plural } from "../text/format.ts";
import { sha256 } from "../text/hash.ts";

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
  const { suites, tasks: globs, shard, firstTrial, lift } = request;
  const tasks = suites.flatMap((suite) =>
    (suite.tasks === "every" ? [] : suite.tasks)
      .filter(
        ({ id, name, enabled }) =>
          enabled && selects(globs, { id, name, suite: suite.title, key: suite.key }),
      )
      .map((task) => {
        const isLift = lift && task.shouldTrigger === undefined;
        const sides = isLift ? ([undefined, "without-skill"] as const) : ([undefined] as const);
        const trials = request.trials ?? suite.trials ?? 1;
        return { suite, task, sides, trials, weight: trials * sides.length };
      }),
  );
  const all = ofShard(tasks, shard).flatMap(({ suite, task, sides, trials }) =>
    Array.from({ length: trials }, (_, at) => at).flatMap((at) =>
      sides.map((side) => ({ suite, task, trial: firstTrial + at, side, trials, at })),
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
function runFolder(
  { suite, task, trial, side }: Omit<PlannedRun, "folder">,
  { agent, model }: Pick<RunsRequest, "agent" | "model">,
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

/* The line before anything is spent: how many runs and grades there will be, and what the grades cost. */

/**
 * `40 runs of claude-code (not priced here), then 80 grades, about $0.03 (at most $0.20) if the judge is gpt-6-luna`: the
 * judges are those that the evals name, at `baseUrl`. The agent's answers are not known yet, so nothing of them is
 * counted; nor are the grades of runs that are kept.
 */
export async function priceLine<T extends PlannedRun>(
  { planned, kept }: { readonly planned: readonly T[]; readonly kept: ReadonlyMap<T, unknown> },
  { agent, model, lift }: Pick<RunsRequest, "agent" | "model" | "lift">,
  baseUrl?: string,
): Promise<string> {
  const tasks = new Set(planned.map(({ suite, task }) => task ?? suite)).size;
  const sides = lift ? " x 2 sides" : "";
  const name = model === undefined ? agent : `${agent} with ${model}`;
  const before = kept.size === 0 ? "" : `, ${String(kept.size)} of them kept`;
  const runs = `${count(tasks, "task")}${sides}: ${count(planned.length, "run")} of ${name}${before} (not priced here)`;
  const fresh = planned.filter((run) => !kept.has(run));
  const grades = await gradesPart(fresh, kept.size > 0 ? "new grade" : "grade", baseUrl);
  return `${runs}${grades}.`;
}

/** What the grades of these runs cost with the judges that the evals name; empty where no judge is asked. */
async function gradesPart(planned: readonly PlannedRun[], what: string, url?: string): Promise<string> {
  const runs = planned.flatMap(runsOf);
  const jobs = jobsAhead(runs, {}).map(assumeRun);
  if (jobs.length === 0) return "";
  const baseUrl = url || OPENAI;
  const { cost } = await estimate(plannedRequests(jobs, { redact: (text) => text }), {
    votes: 1,
    confirmOnFail: 0,
    pricedAs: (model) => ({ model, baseUrl }),
    price: prices([]),
    caps: {},
    offline: false,
  });
  const grades = `, then ${count(jobs.length, what)}`;
  if (!cost) return `${grades}, which \`waza-grade --dry-run\` prices`;
  const models = [...new Set(jobs.map(({ judgeModel }) => judgeModel))];
  return `${grades}, ${formatAbout(cost, formatDollars)} if the ${plural(models.length, "judge is", "judges are")} ${listedCode(models)}`;
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
