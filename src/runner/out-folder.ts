/** The folder of all runs: one `run` at a time works in it. */
import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { error } from "../domain/problem.ts";
import { statsOf } from "../files/find.ts";
import { textOfFile } from "../files/read.ts";
import { removeAll, removeBelow } from "../files/remove.ts";
import { createBelow, folderBelow, makeFolder, writeBelow } from "../files/write.ts";
import { IGNORE_ALL } from "../files/skill-files.ts";
import { LOCK, holderOf, isListOfRuns } from "../outputs/list-of-runs.ts";
import { RUN_JSON } from "../outputs/run-json.ts";
import { slashes } from "../files/confine.ts";

const GITIGNORE = ".gitignore";

/**
 * Makes the folder, which git ignores, and holds it for this process until it is disposed of: its path, absolute and with
 * links resolved. Or the problem why it cannot be used.
 */
export function openOut(folder: string) {
  const other = otherThanRuns(folder);
  if (other !== undefined)
    return error(
      "out-not-of-runs",
      `\`out\` is \`${slashes(folder)}\`, which holds \`${other}\` and is no folder of runs.`,
      {
        help: "Name a folder of its own: what is in it is replaced by runs.",
      },
    );
  makeFolder(folder);
  const path = realpathSync(folder);
  const holder = hold(path);
  if (holder !== undefined)
    return error(
      "out-in-use",
      `Another \`waza-grade run\`, process ${String(holder)}, is making runs in \`${slashes(path)}\`.`,
      {
        help: `Wait until it has ended, or give this one a folder of its own by \`out\`. If that process is none of ours, remove ${slashes(join(path, LOCK))}.`,
      },
    );
  if (!statsOf(join(path, GITIGNORE))) writeBelow(path, GITIGNORE, IGNORE_ALL);
  return {
    path,
    [Symbol.dispose]: () => {
      removeAll(join(path, LOCK));
    },
  };
}

/** The name of something in the folder that is not of `waza-grade run`; undefined where all is. */
function otherThanRuns(folder: string): string | undefined {
  const stats = statsOf(folder);
  if (stats && !stats.isDirectory()) return ".";
  const entries = stats ? readdirSync(folder, { withFileTypes: true }) : [];
  const isOurs = textOfFile(join(folder, GITIGNORE)) === IGNORE_ALL;
  const known = [GITIGNORE, LOCK];
  const unknown = entries.filter(({ name }) => !known.includes(name) && !isListOfRuns(name));
  return isOurs
    ? undefined
    : unknown.find((entry) => !entry.isDirectory() || !holdsRun(join(folder, entry.name)))?.name;
}

/** Whether a folder has a run.json, at the depth at which `run` writes it or above. */
function holdsRun(folder: string, levels = 3): boolean {
  if (statsOf(join(folder, RUN_JSON))?.isFile()) return true;
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return levels > 0 && inside.some(({ name }) => holdsRun(join(folder, name), levels - 1));
}

/** Writes the lock; returns the process that holds it, if another one does. */
function hold(out: string): number | undefined {
  for (let tried = 1; tried <= 2; tried += 1) {
    if (createBelow(out, LOCK, `${String(process.pid)}\n`)) return undefined;
    const holder = holderOf(out);
    if (holder !== undefined && holder !== process.pid) return holder;
    removeAll(join(out, LOCK));
  }
  return holderOf(out);
}

/** A folder that is new: what was there is gone, and no part of its path is a link. */
export function freshFolder(out: string, folder: string): string {
  removeBelow(out, folder);
  const path = folderBelow(out, folder);
  if (!isOwnFolder(path)) throw new Error("the folder of the runs was replaced by a link");
  return path;
}

/** Whether there is a folder, and no part of its path is a link. */
export function isOwnFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true && realpathSync(path) === path;
}
