/** Writes files atomically, and finds obstacles in advance. */
import { randomUUID } from "node:crypto";
import { accessSync, constants, writeFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { statsOf } from "./find.ts";
import { removeBelow } from "./remove.ts";

/** An entry at a path, or above it, that prevents writing. */
interface Obstacle {
  readonly at: string;
  /** Completes "which is …". */
  readonly what: string;
}

/** The obstacle to writing a file, or files into a folder; undefined if there is none. */
export function obstacleTo(wanted: "file" | "folder", path: string): Obstacle | undefined {
  const stats = statsOf(path);
  if (!stats) return obstacleTo("folder", dirname(path));
  if (wanted === "folder" && stats.isDirectory())
    return isWritable(path) ? undefined : { at: path, what: "a folder that may not be written to" };
  if (wanted === "file" && stats.isFile()) return obstacleTo("folder", dirname(path));
  if (wanted === "folder") return { at: path, what: "not a folder" };
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

/** Writes a temporary file and renames it: readers never see a part, and a link of that name is replaced, not followed. */
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

/** Writes a file that is new, all of it or nothing: a link of that name is replaced, not followed. Throws. */
export function writeNew(folder: string, name: string, content: string | Buffer): void {
  removeBelow(folder, name);
  try {
    writeFileSync(join(folder, name), content, { flag: "wx" });
  } catch (error) {
    removeBelow(folder, name);
    throw error;
  }
}

/** Creates folders one by one: Node's `recursive` never ends below `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  if (statsOf(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: unknown) => {
    // Created by another process in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  });
}
