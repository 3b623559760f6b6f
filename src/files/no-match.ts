/** The problem of a glob that matches no file. */
import { listedCode } from "../text/format.ts";
import { existsSync } from "node:fs";
import { basename, dirname, posix, relative, resolve } from "node:path";
import type { Problem, SourceSpan } from "../domain/location.ts";
import { findFiles, fixedFolder, isFile, isReasonableGlob, statsOf } from "./find.ts";
import { shownPath, slashes } from "./names.ts";
import { error } from "../text/problem.ts";

const SUGGESTIONS = 5;
/** Maximum files to name of a folder without a match. */
const IN_FOLDER = 3;

/** A glob without a match, and the folder it was searched in. */
interface FailedSearch {
  readonly what: string;
  readonly pattern: string;
  readonly cwd: string;
  readonly workspace: string;
  /** Globs of files that the author may have meant, besides those with the same name. */
  readonly alike?: readonly string[] | undefined;
  /** What to do, as a sentence. */
  readonly remedy: string;
  readonly at?: SourceSpan | undefined;
}

/** The problem of a glob without a match: the glob, the folder, and similar files. */
export async function noMatch(search: FailedSearch): Promise<Problem> {
  const { what, pattern, cwd, workspace, remedy, at } = search;
  const odd = noFile(pattern, cwd);
  const instead = odd ?? `${miswritten(pattern)}${await thereInstead(search)}`;
  // A message may become a title, for which a whole path is too long.
  const isTop = resolve(cwd) === resolve(workspace);
  const where = isTop ? "" : ` in \`${shownPath(cwd, workspace)}\``;
  const help = `${isTop ? `Searched in \`${slashes(cwd)}\`. ` : ""}${instead}${remedy}`;
  return error(`${what} \`${pattern}\` matches no file${where}.`, { help, at });
}

/** The message for a pattern that is the path of a folder, pipe or device. */
function noFile(pattern: string, cwd: string): string | undefined {
  const exists = statsOf(resolve(cwd, pattern));
  if (!exists) return undefined;
  if (!exists.isDirectory()) return "It is a pipe or a device. ";
  return `It is a folder: write \`${posix.join(pattern, "**/*")}\` for the files in it. `;
}

/** The files that the author may have meant, the nearest first; else files in the pattern's folder. */
async function thereInstead({ pattern, cwd, workspace, alike = [] }: FailedSearch): Promise<string> {
  const near = /[*{?]/.test(pattern) ? await nearMatch(pattern, cwd) : undefined;
  if (near)
    return `There is ${namesOf(near.files, { cwd, most: IN_FOLDER })}: \`${near.pattern}\` finds it. `;
  const base = basename(pattern);
  const same = /^!|[*{]/.test(base) || base === "" ? [] : [`**/${base}`];
  const nearest = (path: string) => -sharedParts(slashes(relative(cwd, path)), pattern);
  const searched = isReasonableGlob(pattern) && !/[[\]()]/.test(pattern) ? [...alike, ...same] : alike;
  const found = (await findFiles(searched, cwd)).sort((a, b) => nearest(a) - nearest(b));
  const names = namesOf(found, { cwd, most: SUGGESTIONS });
  if (names !== "") return `There is ${names}. `;
  return (await inItsFolder(pattern, cwd)) ?? deepestFolder(pattern, cwd, workspace);
}

/** Files at another depth than the pattern's, and the pattern that matches them. */
export interface NearMatch {
  readonly pattern: string;
  readonly files: readonly string[];
}

/** Searches one and two folders below the pattern's fixed part, in it, and, if it does not exist, beside it. */
export async function nearMatch(pattern: string, cwd: string): Promise<NearMatch | undefined> {
  const folder = fixedFolder(pattern);
  const base = basename(pattern);
  if (!isReasonableGlob(pattern) || base === "" || /^!|[[\]()\\]/.test(pattern)) return undefined;
  const isThere = statsOf(resolve(cwd, folder))?.isDirectory() === true;
  const parent = folder.replace(/[^/]+\/$/, "");
  // In the workspace itself a wildcard would find files of other kinds.
  const isBeside = parent !== "" || !/[*{?]/.test(base);
  const prefixes =
    isThere && folder !== "" ? [`${folder}*/`, `${folder}*/*/`, folder] : isBeside ? [parent] : [];
  for (const prefix of prefixes) {
    const files = await findFiles([`${prefix}${base}`], cwd);
    if (files.length > 0) return { pattern: `${prefix}${base}`, files };
  }
  return undefined;
}

/** A sentence on syntax that patterns do not have (commas, `\`, `~`), or nothing. */
export function miswritten(pattern: string): string {
  if (pattern.includes(",") && !pattern.includes("{")) return "Write one pattern per line, without commas. ";
  if (pattern.includes("\\")) return "Write `/` between folders. ";
  return pattern.startsWith("~") ? "`~` is not expanded: write the whole path. " : "";
}

/** The number of leading parts that two paths share. */
function sharedParts(path: string, pattern: string): number {
  const parts = pattern.split("/");
  const differing = path.split("/").findIndex((part, index) => part !== parts[index]);
  return differing < 0 ? parts.length : differing;
}

/** The first files of the folder before the pattern's first wildcard; undefined if it has none. */
async function inItsFolder(pattern: string, cwd: string): Promise<string | undefined> {
  const folder = fixedFolder(pattern);
  if (folder === "" || statsOf(resolve(cwd, folder))?.isDirectory() !== true) return undefined;
  const found = await findFiles(["*"], resolve(cwd, folder));
  const names = namesOf(found, { cwd, most: IN_FOLDER });
  return names === "" ? undefined : `There is ${names}. `;
}

function namesOf(
  files: readonly string[],
  { cwd, most }: { readonly cwd: string; readonly most: number },
): string {
  return listedCode(
    files.map((path) => slashes(relative(cwd, path))),
    most,
  );
}

/** A sentence naming the deepest existing folder of the pattern; empty if that is where the search started. */
function deepestFolder(pattern: string, cwd: string, workspace: string): string {
  let folder = resolve(cwd, pattern.replace(/[*?{![].*$/s, ""));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  if (isFile(folder)) folder = dirname(folder);
  const name = shownPath(folder, workspace);
  return folder === resolve(cwd) ? "" : `\`${name}\` exists, but nothing in it matches. `;
}
