/** Decides which paths may be read and written. Every path from a file or an input is checked here. */
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import type { SourceSpan } from "../domain/problem.ts";
import { once } from "../text/format.ts";

/** Maximum links to follow; operating systems follow fewer. */
const MOST_LINKS = 64;

/** Why a path is refused: it leads out of its root, or into a `.git`, where checkouts store a token. */
type Refusal = "outside" | "git";

/** Each link of the workspace must stay in its repository, of which there may be several. */
function refusedInput(way: ResolvedPath, workspace: string): Refusal | undefined {
  const top = follow(workspace).real;
  const linked = way.links.filter((link) => isInside(link, top)).map((link) => repositoryRoot(link, top));
  const roots = [...new Set([top, ...linked])];
  return roots.map((root) => refusal(way, { root, namedBy: "input" })).find((one) => one !== undefined);
}

/** A file, looked up once where it is found: what reads it is handed this. */
export interface FoundFile {
  /** Absolute, as it was found: its name and its folders say what it is of. */
  readonly file: string;
  /** Absolute, its links followed. */
  readonly real: string;
  /** The whole file, by its path on pages. */
  readonly at: SourceSpan;
  /** Why it is not read: a link leads where none may. */
  readonly refused?: Refusal | undefined;
}

/** Looks up a file or a folder that an input names. */
export function lookUp(file: string, workspace: string): FoundFile {
  const way = follow(file);
  const refused = refusedInput(way, workspace);
  return { file, real: way.real, at: wholeFile(file, workspace), refused };
}

/** A path with its links followed. All paths are absolute. */
type ResolvedPath = ReturnType<typeof follow>;

/** Follows the links of a path one by one, as the operating system does. Links in a circle end among themselves. */
export function follow(path: string) {
  /** Real locations of the links on the way. */
  const links: string[] = [];
  /** The path with its links resolved; need not exist. */
  let real = parse(resolve(path)).root;
  const left = segmentsOf(resolve(path));
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    const at = resolve(real, part);
    const found = links.length < MOST_LINKS ? lookAt(at) : { target: undefined };
    // Nothing exists below a missing path.
    if (!found) return { path, links, real: resolve(at, left.reverse().join(sep)) };
    if (found.target === undefined) real = at;
    else {
      links.push(at);
      if (isAbsolute(found.target)) real = parse(found.target).root;
      for (const one of segmentsOf(found.target)) left.push(one);
    }
  }
  return { path, links, real };
}

/** The parts of a path below its root, the last one first. */
function segmentsOf(path: string): string[] {
  const parts = path.slice(parse(path).root.length).split(sep === "\\" ? /[\\/]/ : "/");
  return parts.filter((part) => part !== "" && part !== ".").reverse();
}

/** The entry at a path, with its target if it is a link; undefined if missing or not accessible. */
function lookAt(path: string): { readonly target: string | undefined } | undefined {
  try {
    return { target: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined };
  } catch {
    return undefined;
  }
}

/** True if `path` is `folder` or lies below it; compares the strings only. */
export function isInside(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between === "" || (!isAbsolute(between) && between !== ".." && !between.startsWith(`..${sep}`));
}

/** The top of the checkout that a folder is in: the nearest with a `.git`, from this one upwards. */
export function topOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : topOf(above);
}

/** The folder and those above it, up to the top; none outside of that. */
export function foldersUp(folder: string, top: string): string[] {
  if (!isInside(folder, top)) return [];
  return folder === top ? [top] : [folder, ...foldersUp(dirname(folder), top)];
}

/** Cache by folder: one may have thousands of files. */
const ROOTS = new Map<string, string>();

/** Folder of the repository a file belongs to: the nearest above it with `.git` within the workspace, else the workspace. */
export function repositoryRoot(file: string, workspace: string): string {
  const folder = dirname(file);
  return once(ROOTS, `${folder}\0${workspace}`, () => {
    return foldersUp(folder, workspace).find((one) => existsSync(join(one, ".git"))) ?? workspace;
  });
}

/**
 * Why a resolved path is refused. An input of the workflow may name any path; a file only paths below `root`. A link
 * below `root`, where a pull request can commit it, must not lead out of it, and no link may lead into a `.git`.
 */
export function refusal(
  { path, links, real }: ResolvedPath,
  { root, namedBy }: { readonly root: string; readonly namedBy: "input" | "file" },
): Refusal | undefined {
  const byFile = namedBy === "file";
  const bound = byFile || links.some((link) => isInside(link, root));
  if (bound && !isInside(real, root)) return "outside";
  const followed = links.length > 0 && !hasGit(path);
  return (byFile || followed) && hasGit(relative(root, real)) ? "git" : undefined;
}

/** Whether a path leads into a `.git`. */
export function hasGit(path: string): boolean {
  return path.split(sep).some(isGit);
}

/**
 * True for `.git` and the names that other file systems take for it: any case, dots, spaces or a stream at its end and
 * NTFS' short name, characters that HFS+ ignores (git itself refuses to check these out, `core.protectNTFS` and
 * `core.protectHFS`).
 */
export function isGit(name: string): boolean {
  const seen = name.replace(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, "");
  return /^(?:\.git|git~1)[ .]*(?:$|:)/i.test(seen);
}

/** A path that an eval file, a task file or results name; `root` has its links resolved. */
export function namedByFile(
  path: string,
  root: string,
): { readonly real: string } | { readonly refused: Refusal } {
  const way = follow(path);
  const refused = refusal(way, { root, namedBy: "file" });
  return refused ? { refused } : { real: way.real };
}

/** True for the folder that package managers fill. */
export function isPackages(name: string): boolean {
  return name.toLowerCase() === "node_modules";
}

/** A file's path in titles; outside the repository its last folder and its name. */
export function titlePath({ path, inRepository }: Pick<SourceSpan, "path" | "inRepository">): string {
  return inRepository ? path : path.split("/").slice(-2).join("/");
}

/** A path in messages: relative to the workspace, with `/`; unchanged if it lies outside. */
export function shownPath(path: string, workspace: string): string {
  return slashes(isInside(path, workspace) ? relative(workspace, path) || "." : path);
}

/** The same as code. */
export function shownCode(path: string, workspace: string): string {
  return `\`${shownPath(path, workspace)}\``;
}

/* Names of files on pages and in messages. */

/** A path with `/`, on Windows too. */
export function slashes(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}

/** A span for a whole file. */
export function wholeFile(file: string, workspace: string): SourceSpan {
  return spanOfFile(publishedPath(file, workspace));
}

/** The span of a whole file, by its published path; a path alone is not in the repository. */
export function spanOfFile(file: Pick<SourceSpan, "path" | "inRepository"> | string): SourceSpan {
  const where = typeof file === "string" ? { path: file, inRepository: false } : file;
  return { ...where, startLine: 1, endLine: 1 };
}

/** A file's path on published pages: relative to its repository, with `/`; unchanged if it lies outside. */
export function publishedPath(file: string, workspace: string): { path: string; inRepository: boolean } {
  const root = repositoryRoot(file, workspace);
  return isInside(file, root)
    ? { path: slashes(relative(root, file)), inRepository: true }
    : { path: slashes(file), inRepository: false };
}

/** Names a refused link in messages about inputs. */
export const REFUSED_LINK: Readonly<Record<Refusal, string>> = {
  outside: "a link that leads out of its repository",
  git: "a link that leads into a `.git`",
};
