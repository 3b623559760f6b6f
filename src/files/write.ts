/**
 * Writes, copies, links and moves, and finds obstacles in advance. Below a folder no link is followed: one that a pull
 * request commits or an agent makes would lead anywhere. Links above it are the user's.
 */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { slashes } from "./confine.ts";
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
  makeFolder(dirname(file));
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Writes at the end of a file that the runner names. */
export async function appendTo(file: string, text: string): Promise<void> {
  await appendFile(file, text);
}

/** Creates folders one by one, links followed: Node's `recursive` never ends below `/proc`. */
export function makeFolder(folder: string): void {
  if (statsOf(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Created by another process in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Makes a folder with a name that nobody can know, below one for temporary files. */
export function temporaryIn(folder: string, prefix = ""): string {
  return mkdtempSync(`${folder}/${prefix}`);
}

/* Below a folder. What is there at the end of a way is replaced; what is on the way, and no folder, is refused by its name. */

/** What is on the way, or at its end, and is no folder, a link above all; undefined where there is nothing such. */
export function blockOn(root: string, name: string): string | undefined {
  const parts = relative(resolve(root), resolve(root, name)).split(sep);
  const ways = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  for (const way of ways) {
    const stats = lstatSync(join(root, way), { throwIfNoEntry: false });
    if (!stats) break;
    if (stats.isSymbolicLink()) return `\`${way}\` is a link, through which nothing is written`;
    if (!stats.isDirectory()) return `\`${way}\` is no folder`;
  }
  return parts.includes("..") ? `\`${slashes(name)}\` leads out of its folder` : undefined;
}

/** Makes a folder, with those above it; returns its path. Throws where something blocks its way. */
export function folderBelow(root: string, name: string): string {
  const blocked = blockOn(root, name);
  if (blocked !== undefined) throw new Error(blocked);
  const folder = resolve(root, name);
  makeFolder(folder);
  return folder;
}

/** Makes the way to a new entry, and room for it. */
function placeFor(root: string, name: string): string {
  folderBelow(root, dirname(name));
  removeBelow(root, name);
  return resolve(root, name);
}

interface WithRights {
  readonly content: string | Buffer;
  readonly mode: number;
}

/** Writes a file, all of it or nothing. Throws. */
export function writeBelow(root: string, name: string, what: string | Buffer | WithRights): void {
  const file = placeFor(root, name);
  const { content, mode } =
    typeof what === "object" && "content" in what ? what : { content: what, mode: 0o666 };
  try {
    writeFileSync(file, content, { flag: "wx", mode });
  } catch (error) {
    removeBelow(root, name);
    throw error;
  }
}

/** Writes a file at once: at each moment there is the old one or the new one. */
export function replaceBelow(root: string, name: string, content: string): void {
  const written = `${name}.new`;
  writeBelow(root, written, content);
  const file = resolve(root, name);
  if (statsOf(file)?.isDirectory()) removeBelow(root, name);
  renameSync(resolve(root, written), file);
}

/** Writes a file where there is nothing yet, not even a link that leads nowhere; returns whether. */
export function createBelow(root: string, name: string, content: string | Buffer): boolean {
  folderBelow(root, dirname(name));
  try {
    writeFileSync(resolve(root, name), content, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Opens a new file that only its owner may read; returns its number. */
export function openBelow(root: string, name: string): number {
  return openSync(placeFor(root, name), "wx+", 0o600);
}

/** Makes a link. */
export function linkBelow(root: string, name: string, target: string): void {
  symlinkSync(target, placeFor(root, name));
}

/** Copies a file, or a folder into one that may be there; links in it are copied as they are. */
export function copyBelow(from: string, root: string, name: string): void {
  const to = resolve(root, name);
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) linkBelow(root, name, readlinkSync(from));
  else if (stats.isDirectory() && lstatSync(to, { throwIfNoEntry: false })?.isDirectory())
    for (const one of readdirSync(from)) copyBelow(join(from, one), root, join(name, one));
  else cpSync(from, placeFor(root, name), { recursive: true, verbatimSymlinks: true });
}

/** Moves an entry. */
export function moveBelow(from: string, root: string, name: string): void {
  const to = placeFor(root, name);
  try {
    renameSync(from, to);
  } catch (thrown) {
    // Another disk cannot be renamed to.
    if ((thrown as NodeJS.ErrnoException).code !== "EXDEV") throw thrown;
    copyBelow(from, root, name);
  }
}
