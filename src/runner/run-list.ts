/** The list of runs, `runs.json`, as `run` writes it: what this call plans, what earlier ones made, and at the end what was made. */
import { join, resolve } from "node:path";
import { NARROWED, type LeftOut } from "../domain/run.ts";
import type { Suite } from "../domain/suite.ts";
import { repositoryRoot } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { rowOfRun, touchedIn, type ListOfRuns, type ListedRun } from "../outputs/list-of-runs.ts";
import { RUN_JSON, readRunJson, recordText, type RunRecord } from "../outputs/run-json.ts";
import { taskOfRun } from "../outputs/task-digest.ts";
import { sha256 } from "../text/hash.ts";
import { isOfOther } from "./kept-runs.ts";
import type { Call, MadeRun } from "./making.ts";
import { identityOfRun } from "./one-run.ts";
import type { PlannedRun } from "../plan/runs.ts";

/** The rows of this call, and of what others made before: of the same agent, of what its agent would be given now, and of an eval that is there. */
export async function plannedList(
  { chosen, options, workspace, givenIn, planned: runsOfCall, kept }: Call,
  before: ReadonlyMap<string, ListedRun>,
): Promise<ListOfRuns> {
  const { suites, all, left, evals: named, between } = chosen;
  const due = new Set(runsOfCall.flatMap((run) => (kept.has(run) ? [] : run.folder)));
  const rows = all.map((run) =>
    rowOfRun({ folder: run.folder, ...identityOfRun(run, options), again: run.again }),
  );
  const folders = new Set(rows.map(({ folder }) => folder));
  const isThere = evalFinder(suites, workspace);
  const here = new Set(rows.map(keyOfRun));
  // What a second look asked for is compared beside the runs that asked for it, and goes where these are made anew.
  const anew = new Set(rows.filter(({ folder, again }) => !again && due.has(folder)).map(keyOfTask));
  const isOld = async (row: ListedRun, record: RunRecord) => {
    if (row.again && anew.has(keyOfTask(row))) return true;
    if (record.agent !== options.agent || !isThere(record.eval)) return true;
    // In another folder: its eval had another name.
    if (here.has(keyOfRun(row))) return true;
    const of = taskOfRun(suites, record);
    return of !== undefined && isOfOther(record, await givenIn(of));
  };
  const earlier = [...before.values()].filter(({ folder }) => !folders.has(folder));
  const earlierRuns = await Promise.all(
    earlier.map(async ({ old: _, ...row }): Promise<readonly ListedRun[]> => {
      const record = readRunJson(join(options.out, row.folder, RUN_JSON));
      if (record === undefined) return [];
      return [(await isOld(row, record)) ? { ...row, old: true } : row];
    }),
  );
  const own = rows.map((row) => {
    const was = before.get(row.folder);
    return { ...row, run_sha256: was?.run_sha256, work_sha256: was?.work_sha256 };
  });
  const runs = [...own, ...earlierRuns.flat()];
  const planned = runs.filter(({ old }) => !old);
  const evals = named && [...new Set([...named, ...planned.map((row) => row.eval)])];
  const isQuery = (row: ListedRun) => row.trigger !== undefined;
  // What another call found is accepted by one that runs the same eval.
  const isChosen = (path: string) => {
    const own = rows.filter((row) => row.eval === path);
    const isOfQueries = own.length > 0 && own.every(isQuery);
    if (isOfQueries && planned.some((row) => row.eval === path && !isQuery(row))) return false;
    const isNarrowed = left.some((one) => one.eval === path && NARROWED.includes(one.why));
    return suites.some(({ at }) => at.path === path) && (!isNarrowed || own.length > 0);
  };
  const isPlanned = ({ why, eval: path, task }: LeftOut) =>
    NARROWED.includes(why) &&
    planned.some((row) => row.eval === path && (task === undefined || row.task === task));
  return {
    runs,
    left: left.filter((one) => !isPlanned(one)),
    touched: touchedIn(options.out).filter(({ eval: path }) => {
      if (isChosen(path)) return false;
      return named !== undefined || planned.some((row) => row.eval === path);
    }),
    changes: between,
    evals,
  };
}

/** What a run is of, in whatever folder. */
function keyOfRun({ eval: path, task, trigger, trial, side, agent, model }: ListedRun): string {
  return JSON.stringify([path, task, trigger, trial, side, agent, model]);
}

/** What all runs of a task are of. */
function keyOfTask({ trial: _, ...row }: ListedRun): string {
  return keyOfRun(row);
}

/** Makes the function that says whether an eval is there, by its path. */
function evalFinder(suites: readonly Suite[], workspace: string): (path: string) => boolean {
  const own = repositoryRoot(join(workspace, RUN_JSON), workspace);
  const roots = [...new Set([own, ...suites.flatMap(({ root }) => root ?? [])])];
  return (path) =>
    suites.some(({ at }) => at.path === path) || roots.some((root) => statsOf(resolve(root, path))?.isFile());
}

/** Runs of something else than now by the same agent, of tasks that were made: their successors are there. */
export function replacedIn({ runs }: ListOfRuns, made: readonly MadeRun[]): string[] {
  const folders = new Set(made.map(({ run }) => run.folder));
  const there = new Set(runs.filter(({ folder }) => folders.has(folder)).map(keyOfTask));
  return runs.filter((row) => row.old && there.has(keyOfTask(row))).map(({ folder }) => folder);
}

/** The list with what was made, with digests of what the agents left when each had ended. */
export function finishedList(
  list: ListOfRuns,
  made: readonly MadeRun[],
  { out, all }: { readonly out: string; readonly all: readonly PlannedRun[] },
): ListOfRuns {
  const ended = new Map(made.map((one) => [one.run.folder, one]));
  const folders = new Set(all.map(({ folder }) => folder));
  const runs = list.runs.flatMap((row): readonly ListedRun[] => {
    const madeRun = ended.get(row.folder);
    // One of before that a successor replaced is gone.
    if (!statsOf(join(out, row.folder, RUN_JSON)))
      return folders.has(row.folder) ? [{ ...row, run_sha256: undefined, work_sha256: undefined }] : [];
    if (madeRun === undefined || madeRun.isOld) return [row];
    // As it was written: another agent may have written over it.
    return [{ ...row, run_sha256: sha256(recordText(madeRun.record)), work_sha256: madeRun.workSha256 }];
  });
  return { ...list, runs };
}
