/** Finds the files that inputs and eval files name. */
import { stat, statSync } from "node:fs";
import type { Stats } from "node:fs";
import { resolve } from "node:path";
import { slashes } from "./names.ts";
import { glob } from "tinyglobby";
import type { FileSystemAdapter } from "tinyglobby";

const NEVER_ENTERED = ["**/node_modules/**", "**/.git/**"];
const LONGEST_GLOB = 1_000;
const MOST_STARS = 3;

/**
 * Files that match the patterns, absolute, sorted and each once. A leading `!` excludes. Folders with a leading dot are
 * matched, a link to a file counts as a file; linked folders, node_modules and .git are not entered. A pattern that is
 * the exact name of a file matches that file.
 */
export async function findFiles(patterns: readonly string[], cwd: string): Promise<string[]> {
  const literal = patterns.filter((pattern) => isFile(resolve(cwd, pattern))).map((p) => resolve(cwd, p));
  const globs = patterns.filter((pattern) => !isFile(resolve(cwd, pattern))).map(slashes);
  const excluding = globs.filter(isExcluding);
  const found =
    globs.length === excluding.length ? [] : await glob(globs, { ...HOW, cwd, ignore: NEVER_ENTERED });
  const kept = excluding.length === 0 ? literal : await without(literal, excluding, cwd);
  return [...new Set([...kept, ...found.map((path) => resolve(path))])].sort(byPath);
}

/** Makes linked folders unreadable for the library. Links to files are checked when they are read. */
const TO_FILES = {
  stat: (path: string, done: (error: Error | null, stats: Stats) => void) => {
    stat(path, (error, stats) => {
      done(error ?? (stats.isDirectory() ? new Error("a folder") : null), stats);
    });
  },
} as FileSystemAdapter;
const HOW = { absolute: true, dot: true, expandDirectories: false, fs: TO_FILES };

function isExcluding(pattern: string): boolean {
  return pattern.startsWith("!");
}

async function without(files: string[], excluding: string[], cwd: string): Promise<string[]> {
  const ignored = await glob(
    excluding.map((pattern) => pattern.slice(1)),
    { ...HOW, cwd },
  );
  const gone = new Set(ignored.map((path) => resolve(path)));
  return files.filter((file) => !gone.has(file));
}

/** Numbers in names count: `skill-2` comes before `skill-11`. */
const { compare } = new Intl.Collator("en", { numeric: true });

function byPath(a: string, b: string): number {
  return compare(a, b) || (a < b ? -1 : 1);
}

/** The part of a pattern up to the last slash before any wildcard. */
export function fixedFolder(pattern: string): string {
  const fixed = pattern.replace(/[*?{![].*$/s, "");
  return fixed.slice(0, fixed.lastIndexOf("/") + 1);
}

/** The stats of a path, links followed; undefined if missing or unreadable, such as a circular link. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** True for a file or a link to one. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

/** True if a glob can be matched in reasonable time, which grows exponentially with the stars in a name. */
export function isReasonableGlob(pattern: string): boolean {
  const parts = pattern.split("/");
  const stars = parts.map((part) => (part === "**" ? 0 : part.split("*").length - 1));
  const deep = parts.filter((part) => part === "**").length;
  const choices = pattern.split("{").length - 1;
  if (pattern.length > LONGEST_GLOB || /\0|[!?+*@]\(/.test(pattern)) return false;
  return Math.max(...stars) <= MOST_STARS && deep <= MOST_STARS && choices <= MOST_STARS;
}
