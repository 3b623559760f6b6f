/** Finds the files that inputs and eval files name. */
import { type Dirent, type Stats, existsSync, readdirSync, stat, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { type FileSystemAdapter, glob } from "tinyglobby";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import { hasGit, shownPath, slashes } from "./confine.ts";
import { textBefore, withoutEnd } from "../text/format.ts";

/** Characters of a glob. */
const LONGEST_GLOB = 1_000;
/** Stars in one part of a glob: each makes matching slower. */
const MOST_STARS = 3;

const NEVER_ENTERED = ["**/node_modules/**", "**/.git/**"];

/** Makes linked folders unreadable for the library. Links to files are checked when they are read. */
const TO_FILES = {
  stat: (path: string, done: (error: Error | null, stats: Stats) => void) => {
    stat(path, (error, stats) => {
      done(error ?? (stats.isDirectory() ? new Error("a folder") : null), stats);
    });
  },
} as FileSystemAdapter;

const HOW = { absolute: true, dot: true, expandDirectories: false, fs: TO_FILES };

/**
 * Files that match the patterns, absolute, sorted and each once. A leading `!` excludes. Folders with a leading dot are
 * matched, a link to a file counts as a file; linked folders, node_modules and .git are not entered. A pattern that is
 * the exact name of a file matches that file.
 */
export async function findFiles(patterns: readonly string[], cwd: string): Promise<string[]> {
  const literal = patterns
    .map((pattern) => resolve(cwd, pattern))
    .filter((path) => isFile(path) && !hasGit(relative(cwd, path)));
  const globs = patterns
    .filter((pattern) => !isFile(resolve(cwd, pattern)))
    .map(slashes)
    .map(withoutGroups);
  const excluding = globs.filter(isExcluding);
  const found =
    globs.length === excluding.length ? [] : await glob(globs, { ...HOW, cwd, ignore: NEVER_ENTERED });
  const kept = excluding.length === 0 ? literal : await withoutIgnored(literal, excluding, cwd);
  return [...new Set([...kept, ...found.map((path) => resolve(path))])].sort(byPath);
}

/** A glob as waza has them (Go's filepath.Match): no groups, so `(`, `)`, `|` and `+` are characters. The library's groups take exponential time. */
function withoutGroups(pattern: string): string {
  return pattern.replace(/\\.|[()|+]/gs, (part) => (part.startsWith("\\") ? part : `\\${part}`));
}

/** True for a file or a link to one. */
function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

/** The stats of a path, links followed; undefined if missing or unreadable, such as a circular link. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isExcluding(pattern: string): boolean {
  return pattern.startsWith("!");
}

async function withoutIgnored(files: string[], excluding: string[], cwd: string): Promise<string[]> {
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

/** A glob without a match, and the folder it was searched in. */
interface FailedSearch {
  readonly what: string;
  readonly pattern: string;
  readonly cwd: string;
  readonly workspace: string;
  /** What to do, as a sentence. */
  readonly remedy: string;
  /** What an empty folder of that name means, as the end of a sentence. */
  readonly whenEmpty?: string | undefined;
  readonly at?: SourceSpan | undefined;
}

/** The problem of a glob without a match: the glob, the folder, and how far its path exists. */
export function noMatch(search: FailedSearch): Problem {
  const { what, pattern, cwd, workspace, remedy, at } = search;
  const odd = noFile(search);
  const instead = odd ?? `${miswritten(pattern)}${deepestFolder(pattern, cwd, workspace)}`;
  // A message may become a title, for which a whole path is too long.
  const isTop = resolve(cwd) === resolve(workspace);
  const where = isTop ? "" : ` in \`${shownPath(cwd, workspace)}\``;
  const help = `${isTop ? `Searched in \`${slashes(cwd)}\`. ` : ""}${instead}${remedy}`;
  return error("no-match", `${what} \`${pattern}\` matches no file${where}.`, { help, at });
}

/** The message for a pattern that is the path of a folder, pipe or device. */
function noFile({ pattern, cwd, whenEmpty }: FailedSearch): string | undefined {
  const exists = statsOf(resolve(cwd, pattern));
  if (!exists) return undefined;
  if (hasGit(relative(cwd, resolve(cwd, pattern)))) return "It is git's own, and not read. ";
  if (!exists.isDirectory()) return "It is a pipe or a device. ";
  if (whenEmpty !== undefined && readdirSync(resolve(cwd, pattern)).length === 0)
    return `It is an empty folder: ${whenEmpty} `;
  return "Nothing in that folder is one. ";
}

/** Escapes a name, for use in a glob. */
export function escapeGlob(name: string): string {
  return name.replace(/[*?{}()[\]!]/g, "\\$&");
}

/** The pattern of these files in a folder, where a pattern names one; any other as it is. */
export function inFolder(pattern: string, cwd: string, files: string): string {
  const path = withoutEnd(slashes(pattern), "/");
  return statsOf(resolve(cwd, pattern))?.isDirectory() ? `${escapeGlob(path)}/${files}` : pattern;
}

/** A sentence on syntax that patterns do not have (commas, `\`, `~`), or nothing. */
export function miswritten(pattern: string): string {
  if (pattern.includes(",") && !pattern.includes("{")) return "Write one pattern per line, without commas. ";
  if (pattern.includes("\\")) return "Write `/` between folders. ";
  return pattern.startsWith("~") ? "`~` is not expanded: write the whole path. " : "";
}

/** The part of a pattern up to the last slash before any wildcard. */
export function fixedFolder(pattern: string): string {
  const fixed = beforeWildcard(pattern);
  return fixed.slice(0, fixed.lastIndexOf("/") + 1);
}

/** True if a glob can be matched in reasonable time, which grows exponentially with the stars in a name. */
export function isReasonableGlob(pattern: string): boolean {
  const parts = pattern.split("/");
  const stars = parts.map((part) => (part === "**" ? 0 : part.split("*").length - 1));
  const deep = parts.filter((part) => part === "**").length;
  const choices = pattern.split("{").length - 1;
  if (pattern.length > LONGEST_GLOB || pattern.includes("\0")) return false;
  return Math.max(...stars) <= MOST_STARS && deep <= MOST_STARS && choices <= MOST_STARS;
}

const beforeWildcard = (pattern: string): string => textBefore(pattern, /[*?{![]/);

/** A sentence naming the deepest existing folder of the pattern; empty if that is where the search started. */
function deepestFolder(pattern: string, cwd: string, workspace: string): string {
  let folder = resolve(cwd, beforeWildcard(pattern));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  if (isFile(folder)) folder = dirname(folder);
  const name = shownPath(folder, workspace);
  return folder === resolve(cwd) ? "" : `\`${name}\` exists, but nothing in it matches. `;
}

/** What is in a folder; nothing where it cannot be read. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
