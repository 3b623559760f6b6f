/** Makes the planned runs: which are kept, which are replaced, several at once, and what was made, listed at the end. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { LOG, type RunRecord } from "../outputs/run-json.ts";
import { digestOfFile } from "../files/digest.ts";
import {
  identityOfRun,
  hopelessness,
  tryRun,
  writeRunJson,
  type GivenRun,
  type MadeRun,
  type Making,
} from "./one-run.ts";
import { isOfThis } from "./given.ts";
import { isOwnFolder } from "./out-folder.ts";
import type { PlannedRun } from "../plan/runs.ts";
import { recordOfRun } from "./run-list.ts";
import { workOf } from "./work.ts";

/** Runs in a row that never got to work, by the same words, after which no other is started. */
const SAME_DEATHS = 3;
/** Tries of a run in which the agent never got to work. */
const MOST_TRIES = 3;
/** Milliseconds before the second try, and before the third. */
const PAUSES_MS = [15_000, 60_000] as const;

/** What all runs came to. */
export interface MadeRuns {
  readonly made: readonly MadeRun[];
  /** Runs that were not started: interrupted, or stopped because no agent got to work. */
  readonly left: number;
  readonly stopped: false | "hopeless" | "unread" | "refused" | "absent";
}

/**
 * Makes the runs that are not there yet: which these are is found before the first agent starts, which could write what
 * looks like a run. If an agent's log says that its key was refused or its account is empty, or the first runs all end
 * without any work, the rest is not started.
 */
export async function makeRuns(planned: readonly GivenRun[], making: Making): Promise<MadeRuns> {
  const { concurrency, out } = making.options;
  const limit = pLimit(concurrency);
  const made: MadeRun[] = [];
  const finished = await keptRuns(planned, making, making.listed);
  const why = (): MadeRuns["stopped"] => {
    const stops = made.find((one) => one.stops)?.stops;
    if (stops) return stops;
    const fresh = made.filter(({ isOld }) => !isOld).slice(-SAME_DEATHS);
    const isSame = new Set(fresh.map(({ last }) => last.join("\n"))).size === 1;
    if (fresh.length === SAME_DEATHS && isSame && hopelessness(fresh)) return hopelessness(fresh);
    return made.length >= Math.min(concurrency, planned.length) && hopelessness(made);
  };
  let stopped: MadeRuns["stopped"] = false;
  const first = new Set(planned.filter((run) => !finished.has(run)).slice(0, concurrency));
  const { promise: isClear, resolve: clear } = Promise.withResolvers<undefined>();
  await Promise.all(
    planned.map((run) =>
      limit(async () => {
        // Where one of the first runs never got to work, no other is started until it is clear that one of them does.
        if (!first.has(run) && made.some(({ worked }) => !worked)) await isClear;
        stopped ||= why();
        if (stopped || making.cancelled.aborted) return;
        const one = finished.get(run) ?? (await makeRun(run, making));
        first.delete(run);
        if (one) made.push(one);
        if (first.size === 0 || one?.worked) clear(undefined);
        if (one) making.onEnd(one);
      }),
    ),
  );
  // An agent may have written over what others left.
  for (const { run, record } of made) writeAgain(out, run, record);
  return { made, left: planned.length - made.length, stopped };
}

function writeAgain(out: string, { folder }: PlannedRun, record: RunRecord): void {
  try {
    if (isOwnFolder(join(out, folder))) writeRunJson(join(out, folder), record);
  } catch {
    // What became of it is said where it is graded: there is no such run.
  }
}

/* What is there already. */

/** The runs that are there already and are not made again; `listed` are the folders of the runs that count. */
export async function keptRuns(
  planned: readonly GivenRun[],
  making: Pick<Making, "options" | "attempt" | "isAgain">,
  listed?: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<GivenRun, MadeRun>> {
  const kept = new Map<GivenRun, MadeRun>();
  for (const run of planned) {
    if (making.isAgain(run) || listed?.has(run.folder) === false) continue;
    const one = await finishedRun(run, making);
    if (one) kept.set(run, one);
  }
  return kept;
}

/** A run that an earlier start has made, of the same. */
async function finishedRun(
  run: GivenRun,
  making: Pick<Making, "options" | "attempt">,
): Promise<MadeRun | undefined> {
  const folder = join(making.options.out, run.folder);
  const record = recordOfRun(folder);
  const identity = {
    ...identityOfRun(run, making.options),
    attempt: making.attempt,
    state: undefined,
    error: undefined,
  };
  const isOfRun = Object.entries(identity).every(
    ([key, value]) => record?.[key as keyof RunRecord] === value,
  );
  if (record === undefined || !isOfRun || record.log !== LOG) return undefined;
  if (!isOfThis(record, run.given)) return undefined;
  const log = join(folder, LOG);
  if ((await digestOfFile(log)) !== record.logSha256) return undefined;
  const { worked, client } = await workOf(run, log, record);
  return worked ? { run, record, isOld: true, worked, client, last: [] } : undefined;
}

/* One run, with its tries. */

/**
 * The run, tried again where the agent never got to work for limits, load or the network, and once where its folder is
 * gone: a run that ended by itself is one run, however it ended. Undefined when it was interrupted.
 */
async function makeRun(run: GivenRun, making: Making): Promise<MadeRun | undefined> {
  for (let tried = 1; ; tried += 1) {
    if (making.cancelled.aborted) return undefined;
    const one = await tryRun(run, making, tried);
    if (one === undefined) return undefined;
    // Perhaps by another agent's doing.
    if (one.isLost && tried === 1) continue;
    const { timedOut, error } = one.record;
    const mayGetFurther = one.isBusy === true && timedOut !== true && error === undefined;
    if (one.worked || !mayGetFurther || tried === MOST_TRIES) return one;
    const pauseMs = PAUSES_MS[tried - 1] ?? 0;
    making.onWait(one, pauseMs);
    await (making.pause ?? pauseUntil(making.cancelled))(pauseMs);
  }
}

function pauseUntil(cancelled: AbortSignal): (milliseconds: number) => Promise<void> {
  return (milliseconds) => sleep(milliseconds, undefined, { signal: cancelled }).catch(() => undefined);
}
