/** What to say of a glob that matches no file. */
import { listedCode } from "../text/format.ts";
import { existsSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import type { Problem, SourceSpan } from "../domain/place.ts";
import { findFiles, isFile, isReasonableGlob, statsOf } from "./find.ts";
import { shownPath, slashes } from "./names.ts";
import { error } from "../text/problem.ts";

const SUGGESTIONS = 5;
/** Files that are named of a folder in which nothing matches. */
const IN_FOLDER = 3;

/** A glob that matched nothing, and where it was looked for. */
interface FailedSearch {
  readonly what: string;
  readonly pattern: string;
  readonly cwd: string;
  readonly workspace: string;
  /** Globs of files that the author may have meant, beside those of the very name. */
  readonly alike?: readonly string[] | undefined;
  /** What to do, as a sentence. */
  readonly remedy: string;
  readonly at?: SourceSpan | undefined;
}

/** The problem of a glob without a match: which glob, from which folder, and what is there instead. */
export async function noMatch(search: FailedSearch): Promise<Problem> {
  const { what, pattern, cwd, workspace, alike = [], remedy, at } = search;
  const same =
    /^!|[*{]/.test(basename(pattern)) || basename(pattern) === "" ? [] : [`**/${basename(pattern)}`];
  const nearest = (path: string) => -sharedParts(slashes(relative(cwd, path)), pattern);
  const searched = isReasonableGlob(pattern) && !/[[\]()]/.test(pattern) ? [...alike, ...same] : alike;
  const found = (await findFiles(searched, cwd)).sort((a, b) => nearest(a) - nearest(b));
  const names = namesOf(found, { cwd, most: SUGGESTIONS });
  const exists = statsOf(resolve(cwd, pattern));
  let end = pattern.length;
  while (pattern.endsWith("/", end)) end -= 1;
  const bare = pattern.slice(0, end);
  const within = found.find((path) => slashes(relative(cwd, path)).startsWith(`${bare}/`));
  const better = within === undefined ? `${bare}/**/*` : `${bare}/**/${basename(within)}`;
  const folder = `It is a folder: write \`${better}\` for the files in it. `;
  const odd = exists && (exists.isDirectory() ? folder : "It is a pipe or a device. ");
  const written = odd ? "" : miswritten(pattern);
  const instead = odd
    ? odd
    : names !== ""
      ? `There is ${names}. `
      : ((await inItsFolder(pattern, cwd)) ?? deepestFolder(pattern, cwd, workspace));
  const where = resolve(cwd) === resolve(workspace) ? slashes(cwd) : `\`${shownPath(cwd, workspace)}\``;
  return error(`${what} \`${pattern}\` matches no file in ${where}.`, {
    help: `${written}${instead}${remedy}`,
    at,
  });
}

/** What no pattern means as its author does; a sentence, or nothing. */
function miswritten(pattern: string): string {
  if (pattern.includes(",") && !pattern.includes("{")) return "Write one pattern a line, without commas. ";
  if (pattern.includes("\\")) return "Write `/` between folders. ";
  return pattern.startsWith("~") ? "`~` means nothing here: write the whole path. " : "";
}

/** How many leading parts two paths share. */
function sharedParts(path: string, pattern: string): number {
  const parts = pattern.split("/");
  const differing = path.split("/").findIndex((part, index) => part !== parts[index]);
  return differing < 0 ? parts.length : differing;
}

/** The first files of the folder that the pattern names before its first wildcard; undefined where it names none that holds files. */
async function inItsFolder(pattern: string, cwd: string): Promise<string | undefined> {
  const folder = literalFolder(pattern);
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

/** The part of a pattern up to the last slash before any wildcard. */
function literalFolder(pattern: string): string {
  const literal = pattern.replace(/[*?{![].*$/s, "");
  return literal.slice(0, literal.lastIndexOf("/") + 1);
}

/** The deepest folder of the pattern that does exist, in a sentence; nothing when that is where the search began. */
function deepestFolder(pattern: string, cwd: string, workspace: string): string {
  let folder = resolve(cwd, pattern.replace(/[*?{![].*$/s, ""));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  if (isFile(folder)) folder = dirname(folder);
  const shown = shownPath(folder, workspace);
  return folder === resolve(cwd) ? "" : `The deepest folder of it that exists is \`${shown}\`. `;
}
