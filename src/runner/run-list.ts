/**
 * `runs.json`, as `run` writes it, and what is there of earlier calls: which runs are kept, since they were made of the same,
 * what this call plans, and at the end what was made.
 */
import { dirname, join, relative, resolve } from "node:path";
import { slashes } from "../files/confine.ts";
import { digestOfFile } from "../files/digest.ts";
import { statsOf } from "../files/find.ts";
import { removeBelow } from "../files/remove.ts";
import { writeBelow } from "../files/write.ts";
import { runFilesBelow } from "../outputs/find-outputs.ts";
import {
  NARROWED,
  listName,
  listText,
  listedIn,
  listsIn,
  rowOfRun,
  touchedIn,
  type ListOfRuns,
  type ListedRun,
} from "../outputs/list-of-runs.ts";
import { LOG, RUN_JSON, readRunJson, recordText, type RunRecord } from "../outputs/run-json.ts";
import { type taskDigests, taskOfRun } from "../outputs/task-digest.ts";
import { whyNotSelected } from "../plan/planned.ts";
import type { PlannedRun } from "../plan/runs.ts";
import { sha256 } from "../text/hash.ts";
import type { AgentGiven, Call, GivenRun, MadeRun } from "./making.ts";
import { identityOfRun } from "./one-run.ts";
import type { RunOptions } from "./run-options.ts";
import { workOf } from "./work.ts";

/** Makes the function that says what an agent is given in a run, of the checkout as it is now. */
export function givenBy(
  { command, more }: RunOptions,
  digestOf: ReturnType<typeof taskDigests>,
  redact: (text: string) => string,
): Call["givenIn"] {
  const same = {
    command: command === "" ? undefined : redact(command),
    arguments: more.length === 0 ? undefined : more.map((one) => redact(one)),
  };
  return async (run) => ({ taskSha256: await digestOf(run), ...same });
}

/** Whether a run is known to be made of something else; one without a hash is not. */
export function isOfOther(record: AgentGiven | undefined, given: AgentGiven): boolean {
  return record?.taskSha256 !== undefined && !isOfThis(record, given);
}

/** Whether a run was made of this. */
function isOfThis(record: AgentGiven, given: AgentGiven): boolean {
  const textOf = ({ taskSha256, command, arguments: more }: AgentGiven) =>
    JSON.stringify([taskSha256, command, more]);
  return textOf(record) === textOf(given);
}

/**
 * The runs of a call, and those of them that are there already: found before the first agent starts, which could write what
 * looks like a run. With `failed-in` these are the runs of tasks that did not pass, which are made again, and those that
 * were made of something else.
 */
export async function takeUp(
  all: readonly PlannedRun[],
  options: RunOptions,
  givenIn: Call["givenIn"],
): Promise<Pick<Call, "planned" | "kept">> {
  const { failedIn, out } = options;
  const listed = await takeList(out);
  const planned: GivenRun[] = [];
  const kept = new Map<PlannedRun, MadeRun>();
  for (const plain of all) {
    const run = { ...plain, given: await givenIn(plain) };
    const { suite, task, folder } = run;
    const hasFailed = failedIn?.[0] !== undefined && task && !whyNotSelected(failedIn, suite, task);
    const isAgain = options.again || hasFailed;
    const record = readRunJson(join(out, folder, RUN_JSON));
    if (failedIn && !isAgain && !isOfOther(record, run.given)) continue;
    planned.push(run);
    const isFinished = record && !isAgain && listed.has(folder) && isOfThis(record, run.given);
    const made = isFinished ? await finishedRun(run, record, options) : undefined;
    if (made) kept.set(run, made);
  }
  return { planned, kept };
}

/** The run of a record, unless it came to nothing, is of another attempt, or its log was changed. */
async function finishedRun(
  run: PlannedRun,
  record: RunRecord,
  options: RunOptions,
): Promise<MadeRun | undefined> {
  const whole = { ...identityOfRun(run, options), state: undefined, error: undefined, log: LOG };
  if (Object.entries(whole).some(([key, value]) => record[key as keyof RunRecord] !== value))
    return undefined;
  const log = join(options.out, run.folder, LOG);
  if ((await digestOfFile(log)) !== record.logSha256) return undefined;
  const { worked, client } = await workOf(run, log, record);
  return worked ? { run, record, isOld: true, worked, client, last: [] } : undefined;
}

/* The list. */

/** The runs that are there, with their digests, by the list: what it does not name is no run. After a kill all are. */
async function takeList(out: string): Promise<ReadonlyMap<string, ListedRun>> {
  const runs = listedIn(out) ?? (await runsThere(out));
  return new Map(runs.map((run) => [run.folder, run]));
}

async function runsThere(out: string): Promise<ListedRun[]> {
  const rows = runFilesBelow(out).map(async (file) => {
    const folder = slashes(relative(out, dirname(file)));
    const record = readRunJson(file);
    const digest = await digestOfFile(file);
    return record && digest !== undefined ? [{ ...rowOfRun({ ...record, folder }), run_sha256: digest }] : [];
  });
  return (await Promise.all(rows)).flat();
}

/** Writes the list in place of all that are there; on a full disk there is none, as after a kill. */
export function writeList({ options: { out, shard } }: Pick<Call, "options">, list: ListOfRuns): void {
  try {
    for (const name of listsIn(out)) removeBelow(out, name);
    writeBelow(out, listName(shard), listText(list));
  } catch {
    // No run is lost by that.
  }
}

/** The rows of this call, and of what others made before: of the same agent, of what its agent would be given now, and of an eval that is there. */
export async function plannedList({
  chosen,
  options,
  workspace,
  givenIn,
  planned: runsOfCall,
  kept,
}: Call): Promise<ListOfRuns> {
  const before = await takeList(options.out);
  const { suites, all, left, evals: named, between } = chosen;
  const due = new Set(runsOfCall.flatMap((run) => (kept.has(run) ? [] : run.folder)));
  const rows = all.map((run) => {
    const { run_sha256, work_sha256 } = before.get(run.folder) ?? {};
    const { folder, again } = run;
    return rowOfRun({ folder, ...identityOfRun(run, options), again, run_sha256, work_sha256 });
  });
  const folders = new Set(rows.map(({ folder }) => folder));
  const roots = new Set([workspace, ...suites.flatMap(({ root }) => root ?? [])]);
  const isThere = (path: string) => [...roots].some((root) => statsOf(resolve(root, path))?.isFile());
  const here = new Set(rows.map(keyOfRun));
  // What a second look asked for is compared beside the runs that asked for it, and goes where these are made anew.
  const anew = new Set(rows.filter(({ folder, again }) => !again && due.has(folder)).map(keyOfTask));
  const isOld = async (row: ListedRun, record: RunRecord) => {
    if (row.again && anew.has(keyOfTask(row))) return true;
    if (record.agent !== options.agent || !isThere(record.eval)) return true;
    // In another folder: its eval had another name.
    if (here.has(keyOfRun(row))) return true;
    const found = taskOfRun(suites, record);
    return found !== undefined && isOfOther(record, await givenIn(found));
  };
  const earlier = [...before.values()].filter(({ folder }) => !folders.has(folder));
  const earlierRuns = await Promise.all(
    earlier.map(async (row): Promise<ListedRun | undefined> => {
      const record = readRunJson(join(options.out, row.folder, RUN_JSON));
      return record && { ...row, old: (await isOld(row, record)) || undefined };
    }),
  );
  const runs = [...rows, ...earlierRuns.filter((row) => row !== undefined)];
  const planned = runs.filter(({ old }) => !old);
  const evals = named && [...new Set([...named, ...planned.map((row) => row.eval)])];
  const isQuery = (row: ListedRun) => row.trigger !== undefined;
  // What another call found is accepted by one that runs the same eval.
  const isChosen = (path: string) => {
    const its = rows.filter((row) => row.eval === path);
    const isOfQueries = its.length > 0 && its.every(isQuery);
    if (isOfQueries && planned.some((row) => row.eval === path && !isQuery(row))) return false;
    const isNarrowed = left.some((one) => one.eval === path && NARROWED.includes(one.why));
    return suites.some(({ at }) => at.path === path) && (!isNarrowed || its.length > 0);
  };
  const isPlanned = ({ why, eval: path, task }: ListOfRuns["left"][number]) =>
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

/**
 * The list with what was made, with digests of what the agents left when each had ended. Runs of something else than now go
 * where their tasks were made by the same agent: their successors are there.
 */
export function finishedList(
  list: ListOfRuns,
  made: readonly MadeRun[],
  { options: { out }, chosen: { all } }: Call,
): ListOfRuns {
  const ended = new Map(made.map((madeRun) => [madeRun.run.folder, madeRun]));
  const tasks = new Set(list.runs.filter(({ folder }) => ended.has(folder)).map(keyOfTask));
  for (const row of list.runs) if (row.old && tasks.has(keyOfTask(row))) removeBelow(out, row.folder);
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
