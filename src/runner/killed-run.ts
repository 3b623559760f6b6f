/**
 * What a `run` that was killed left: programs at work, and temporary folders. Each try is noted in the lock of its `run`, and
 * the next `run` looks for what is there.
 */
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod/mini";
import { isInside } from "../files/confine.ts";
import { removeAll } from "../files/remove.ts";
import { appendBelow, temporaryIn } from "../files/write.ts";
import { LOCK } from "../outputs/list-of-runs.ts";
import { jsonOf } from "../text/format.ts";
import { programsOf } from "./start-program.ts";

/** What is noted of a try; a lock that came with a repository may hold anything. */
const begun = z.object({
  /** In the environment of all that it starts: random, so that no other's is named by a guess. */
  id: z.uuid(),
  /** In milliseconds, as the system counts. */
  began: z.number(),
  /** The first is the one that it works in. */
  folders: z.array(z.string()),
});

/** Notes of a lock that are read: more than any `run` makes. */
const MOST_NOTES = 100_000;

/** How the name of each folder begins that `run` makes directly in a temporary one; the rest is random. */
const OWN_PREFIX = "waza-run-";
const OWN_NAME = /^waza-run-[a-zA-Z0-9]{6}$/;

/** Makes a temporary folder of ours. */
export function ownFolder(temp: string): string {
  return temporaryIn(temp, OWN_PREFIX);
}

/** Whether such a folder is there. Nothing else is removed, no matter what a lock says. */
function isTemporaryOfOurs(path: string, temporary: readonly string[]): boolean {
  const [temp, name] = [dirname(path), basename(path)];
  // With a slash at its end a link would be followed.
  if (!temporary.includes(temp) || !OWN_NAME.test(name) || path !== join(temp, name)) return false;
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Notes a try before anything of it is started; where that fails, a killed one is not found. */
export function noteBegun(out: string, id: string, folders: readonly string[]): void {
  const note = { id, began: Date.now(), folders: [...folders] } satisfies z.infer<typeof begun>;
  appendBelow(out, LOCK, `${JSON.stringify(note)}\n`);
}

/**
 * Ends the programs that a lock notes, and removes our folders in these temporary ones; `removing` is called before each.
 * Returns what is said of programs that have its id, but began earlier or work elsewhere: they stay.
 */
export function clearLeft(
  lock: string,
  temporary: readonly string[],
  removing: (folder: string) => void,
): string[] {
  return lock.split("\n", MOST_NOTES).flatMap((line) => {
    const { data } = z.safeParse(begun, jsonOf(line));
    if (!data) return [];
    const { id, began, folders } = data;
    const strangers = programsOf(id).filter((pid) => !isEnded(pid, began, folders[0] ?? ""));
    for (const path of folders.filter((one) => isTemporaryOfOurs(one, temporary))) {
      removing(path);
      removeAll(path);
    }
    return strangers.map(
      (pid) =>
        `warning: Process ${String(pid)} was begun by a \`waza-grade run\` that was killed, and is not where that began it: end it, if you do not need it.`,
    );
  });
}

/** Ends a program that began in time and works in the folder of its run; false for another. */
function isEnded(pid: number, began: number, folder: string): boolean {
  try {
    if (beginningOf(pid) < began - ROUNDED_MS || !isInside(readlinkSync(`/proc/${String(pid)}/cwd`), folder))
      return false;
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
  return true;
}

/** The kernel tells the time of its own start in whole seconds. */
const ROUNDED_MS = 1_000;
/** Milliseconds of a clock tick in `/proc` (USER_HZ, proc(5)). */
const TICK_MS = 10;

/** When a process began, in milliseconds: field 22 of its `stat`, of which the second, its name, may hold anything. */
function beginningOf(pid: number): number {
  const [, booted] = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8")) ?? [];
  const stat = readFileSync(`/proc/${String(pid)}/stat`, "utf8");
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return Number(booted) * 1_000 + Number(ticks) * TICK_MS;
}
