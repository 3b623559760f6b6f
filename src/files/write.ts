/** Writes files atomically, and finds what prevents it. */
import { randomUUID } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { statsOf } from "./find.ts";

/** What is at a path, or above it, and lets nothing be written there. */
export interface Obstacle {
  readonly at: string;
  /** As the predicate of "which is". */
  readonly what: string;
}

/** Why a file, or files of a folder, cannot be written; undefined where they can. */
export function obstacleTo(wanted: "file" | "folder", path: string): Obstacle | undefined {
  const stats = statsOf(path);
  if (!stats) return obstacleTo("folder", dirname(path));
  if (wanted === "folder" && stats.isDirectory())
    return isWritable(path) ? undefined : { at: path, what: "a folder that may not be written to" };
  if (wanted === "file" && stats.isFile()) return obstacleTo("folder", dirname(path));
  if (wanted === "folder") return { at: path, what: "no folder" };
  return { at: path, what: stats.isDirectory() ? "a folder" : "a pipe or a device, not a file" };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Written beside its name, in a folder that is made, and renamed: nobody reads half of it, and a link of that name is replaced, not followed. */
export async function replaceFile(file: string, text: string | Iterable<string>): Promise<void> {
  await makeFolder(dirname(file));
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** One by one: Node's own way to make those above, too, never ends below `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  if (statsOf(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: unknown) => {
    // Created by another process in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  });
}
