/** Makes the planned runs, several at once, until no other would get further. */
import { statfsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { GivenRun, MadeRun, MadeRuns, Making } from "./making.ts";
import { LOST, tryRun } from "./one-run.ts";
import { waitLine } from "./run-lines.ts";

/** Runs in a row that never got to work, by the same words, after which no other is started. */
const SAME_DEATHS = 3;
/** Tries of a run in which the agent never got to work. */
const MOST_TRIES = 3;
/** Milliseconds before the second try, and before the third. */
const PAUSES_MS = [15_000, 60_000] as const;

/** Bytes of a disk below which no run is started. */
const LEAST_BYTES = 10_000_000;

/**
 * Makes the runs that are not there yet. If an agent's log says that its key was refused or its account is empty, a disk is
 * full, or the first runs or three in a row end without any work, the rest is not started.
 */
export async function makeRuns(making: Making): Promise<MadeRuns> {
  const { planned, kept } = making;
  const { concurrency, out } = making.options;
  const made = [...kept.values()];
  made.forEach(making.progress.end);
  const due = planned.filter((run) => !kept.has(run));
  const why = (): MadeRuns["stopped"] => {
    const outages = made.flatMap(({ outage = "busy" }) => (outage === "busy" ? [] : outage));
    if (outages[0]) return outages[0];
    const leastBytes = making.leastBytes ?? LEAST_BYTES;
    if ([out, making.temp].some((folder) => freeBytes(folder) < leastBytes)) return "full";
    const last = made.slice(kept.size).slice(-SAME_DEATHS);
    const isSame = new Set(last.map((madeRun) => madeRun.last.join("\n"))).size === 1;
    if (last.length === SAME_DEATHS && isSame && hopelessness(last)) return hopelessness(last);
    return made.length >= Math.min(concurrency, planned.length) && hopelessness(made);
  };
  let stopped: MadeRuns["stopped"] = false;
  const first = new Set(due.slice(0, concurrency));
  const { promise: isClear, resolve: clear } = Promise.withResolvers<undefined>();
  if (kept.size > 0) clear(undefined);
  await pLimit(concurrency).map(due, async (run) => {
    // Where one of the first runs never got to work, no other is started until it is clear that one of them does.
    if (!first.has(run) && made.some(({ worked }) => !worked)) await isClear;
    stopped ||= why();
    if (stopped || making.cancelled.aborted) return;
    const madeRun = await makeRun(run, making);
    first.delete(run);
    if (first.size === 0 || madeRun?.worked) clear(undefined);
    if (!madeRun) return;
    made.push(madeRun);
    making.progress.end(madeRun);
  });
  // Known also where no other run was left to start.
  if (making.spending.reached.aborted) stopped ||= "capped";
  stopped ||= !making.cancelled.aborted && why();
  return { made, left: planned.length - made.length, stopped };
}

/** Why no further run would get to work: none of these did; of all of them the log's format is not known. */
function hopelessness(made: readonly MadeRun[]): false | "hopeless" | "unread" {
  // What did something to its own folder, ended its conversation, or had all its time did get to work.
  const isSilent = ({ worked, record }: MadeRun) =>
    !worked && record.error === undefined && !record.turnsEnded && !record.timedOut;
  if (made.length === 0 || !made.every(isSilent)) return false;
  return made.every(({ isUnread }) => isUnread) ? "unread" : "hopeless";
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/* One run, with its tries. */

/**
 * The run, tried again where the agent never got to work for limits, load or the network, and once where its folder is
 * gone: a run that ended by itself is one run, however it ended. Undefined when it was interrupted.
 */
async function makeRun(run: GivenRun, making: Making): Promise<MadeRun | undefined> {
  for (let tried = 1; ; tried += 1) {
    if (making.cancelled.aborted) return undefined;
    const madeRun = await tryRun(run, making, tried);
    if (madeRun === undefined) return undefined;
    // Perhaps by another agent's doing.
    if (madeRun.record.error === LOST && tried === 1) continue;
    const { timedOut, error } = madeRun.record;
    const mayGetFurther = madeRun.outage === "busy" && timedOut !== true && error === undefined;
    if (madeRun.worked || !mayGetFurther || tried === MOST_TRIES) return madeRun;
    const pauseMs = PAUSES_MS[tried - 1] ?? 0;
    making.line(waitLine(madeRun, pauseMs));
    if (making.pause) await making.pause(pauseMs);
    else await sleep(pauseMs, undefined, { signal: making.cancelled }).catch(() => undefined);
  }
}
