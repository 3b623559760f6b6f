/** The files that the pull request changes, by git, and so the evals. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { error, notice, type Problem } from "../domain/problem.ts";
import { rubricFilesOf, type Suite } from "../domain/suite.ts";
import { isSha, type RunContext } from "./context.ts";
import { follow, isInside, slashes } from "../files/confine.ts";
import { git } from "../files/git.ts";
import { messageOf } from "../text/format.ts";

/** The commits that were compared; without `to` what lies in the folder. */
interface Between {
  readonly by: "git";
  readonly from: string;
  readonly to?: string | undefined;
}

/** The new names of the SKILL.md files that git takes for renamed, by the old ones; or why it cannot say. */
export type Renamed = { readonly names: ReadonlyMap<string, string> } | { readonly unknown: string };

/**
 * Paths relative to the repository, both names of a renamed file; `all` where there is nothing to compare with, and why;
 * or why they are not known.
 */
export type Changes =
  | {
      readonly files: readonly string[];
      readonly renamed?: Renamed;
      readonly between?: Between;
    }
  | { readonly all: string }
  | { readonly unknown: string; readonly help: string };

/** The files that the pull request changes, from the merge base to the head of the event; never throws. */
export async function changedFiles({ pull, baseSha, sha }: RunContext, root: string): Promise<Changes> {
  if (!pull) return { all: "this event belongs to no pull request" };
  const help = "Check out with `fetch-depth: 0`, so that git has the base commit.";
  if (!isSha(baseSha) || !isSha(sha)) return { unknown: "the event names no commits to compare", help };
  try {
    const range = `${baseSha}...${sha}`;
    const files = await git(["--git-dir", join(root, ".git"), ...COMPARE, range, "--"]);
    return {
      files,
      renamed: await renamedSkills(root, range),
      between: { by: "git", from: baseSha, to: sha },
    };
  } catch (thrown) {
    return { unknown: `git could not compare the pull request with its base: ${gitMessage(thrown)}`, help };
  }
}

/** Names of the default branch on the remote; the last two where git was not told which it is. */
const DEFAULT_BRANCHES = ["origin/HEAD", "origin/main", "origin/master"] as const;

/**
 * The files that differ from where this branch left the default branch, committed or not: for a command without an
 * event. Never throws.
 */
export async function branchFiles(root: string): Promise<Changes> {
  const inTree = ["-C", root];
  const bases = DEFAULT_BRANCHES.map((branch) => git([...inTree, "merge-base", "HEAD", branch]));
  const found = await Promise.allSettled(bases);
  const base = found.find((one) => one.status === "fulfilled")?.value[0]?.trim();
  const help =
    "Fetch it by `git fetch origin` (with `--unshallow` in a shallow clone), or choose evals by `eval`.";
  if (base === undefined) {
    const unknown = "git has no default branch of a remote `origin` to compare this one with";
    return { unknown, help };
  }
  try {
    const committed = await git([...inTree, ...COMPARE, base, "--"]);
    const untracked = await git([...inTree, "ls-files", "-z", "--others", "--exclude-standard"]);
    return { files: [...committed, ...untracked], between: { by: "git", from: base } };
  } catch (thrown) {
    return {
      unknown: `git could not compare this branch with the default branch: ${gitMessage(thrown)}`,
      help,
    };
  }
}

/** The new names of renamed SKILL.md files by the old ones, or why git cannot say: their content may not be in the clone. */
async function renamedSkills(root: string, range: string): Promise<Renamed> {
  const asked = [
    "diff",
    "--name-status",
    "--diff-filter=R",
    ...SAFELY,
    "-M",
    range,
    "--",
    ":(icase)*SKILL.md",
  ];
  try {
    const found = await git(["--git-dir", join(root, ".git"), ...asked]);
    const pairs = found.flatMap((_, at) =>
      at % 3 === 0 ? [[found[at + 1] ?? "", found[at + 2] ?? ""] as const] : [],
    );
    return { names: new Map(pairs) };
  } catch (thrown) {
    return { unknown: gitMessage(thrown) };
  }
}

/** A rename is a deleted and an added file. */
const SAFELY = ["-z", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"];
const COMPARE = ["diff", "--name-only", "--no-renames", ...SAFELY];

/** The line of git's output with the reason; its usage may follow. */
function gitMessage(thrown: unknown): string {
  const { stderr = "" } = thrown as { readonly stderr?: string | undefined };
  const lines = stderr.trim().split("\n");
  const find = (start: RegExp) => lines.find((line) => start.test(line));
  return find(/^fatal: /) ?? find(/^(?:error|warning): /) ?? (lines.at(-1) || messageOf(thrown));
}

/* The input `changed-only`: the evals that the pull request does not change. */

interface Unchanged {
  readonly suites: ReadonlySet<Suite>;
  /** Where git knows it. */
  readonly between?: Between | undefined;
  readonly problems: readonly Problem[];
}

/** The evals to leave out, by what changed in their repository. */
export async function unchangedBy(
  changes: (root: string) => Promise<Changes>,
  suites: readonly Suite[],
): Promise<Unchanged> {
  if (suites.length === 0) return { suites: new Set(), problems: [] };
  const root = onlyRoot(suites);
  const help = "Choose those of one repository by `eval`.";
  const changed =
    root === undefined ? { unknown: "the evals are not all in one repository", help } : await changes(root);
  return { ...unchangedSuites(suites, changed), between: "between" in changed ? changed.between : undefined };
}

const UNKNOWN = "changes-unknown";

/** Whether a problem is that what changed is not known. */
export function isUnknown({ code }: Problem): boolean {
  return code === UNKNOWN;
}

/**
 * The evals to leave out. If the changes are not known, that is an error: to take all
 * would spend what nobody asked for, and to take none would hide what changed.
 */
export function unchangedSuites(suites: readonly Suite[], changes: Changes): Unchanged {
  const none = new Set<Suite>();
  if ("unknown" in changes) {
    const { unknown, help } = changes;
    return { suites: none, problems: [error(UNKNOWN, `\`changed-only\`: ${unknown}.`, { help })] };
  }
  if ("all" in changes)
    return {
      suites: none,
      problems: [notice("nothing-to-compare", `\`changed-only\`: ${changes.all}, so all evals count.`)],
    };
  const touched = touchedBy(changes.files);
  const unchanged = suites.filter(
    (suite) => suite.at.inRepository && !suite.broken && !isChanged(suite, touched),
  );
  return { suites: new Set(unchanged), problems: [] };
}

/** The repository of all the evals; undefined if there are several. */
function onlyRoot(suites: readonly Suite[]): string | undefined {
  const roots = new Set(
    suites.flatMap(({ at, root }) => (at.inRepository && root !== undefined ? root : [])),
  );
  return roots.size === 1 ? [...roots][0] : undefined;
}

/** The changed files, all folders above them, and the names of these folders. */
interface Touched {
  readonly files: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

function touchedBy(files: readonly string[]): Touched {
  return {
    files: new Set(files),
    paths: new Set(files.flatMap(withFolders)),
    names: new Set(files.flatMap((path) => path.split("/"))),
  };
}

/** A path and all folders above it; only the root for the root itself. */
function withFolders(path: string): string[] {
  const parts = path.split("/");
  return ["", ...parts.map((_, index) => parts.slice(0, index + 1).join("/"))];
}

/** True if a file of the eval or of its skill is changed, or anything in a folder with its skill's name. */
function isChanged(suite: Suite, { files, paths, names }: Touched): boolean {
  // The second case: a parent folder is a submodule, and then only that folder is listed.
  const isTouched = (part: string) => paths.has(part) || withFolders(part).some((path) => files.has(path));
  const parts = [suite.at.path, ...(suite.parts ?? []), ...rubricFilesOf(suite)];
  return (
    parts.some(isTouched) ||
    skillFolderNames(suite).some((name) => names.has(name)) ||
    linkedFrom(suite, parts).some(isTouched)
  );
}

/** The skill's folder, and what the links in it and in the eval's parts lead to; relative to the root, with `/`. */
function linkedFrom({ root, tested }: Suite, parts: readonly string[]): string[] {
  if (root === undefined) return [];
  const top = follow(root).real;
  const reached = new Set<string>();
  const waiting = [...parts.map((part) => join(top, part)), ...(tested ? [tested.folder] : [])];
  for (const path of waiting) {
    const { links, real } = follow(path);
    for (const link of links) reached.add(link);
    if (reached.has(real) || !isInside(real, top)) continue;
    reached.add(real);
    waiting.push(...linksBelow(real));
  }
  return [...reached].filter((path) => isInside(path, top)).map((path) => slashes(relative(top, path)));
}

/** None for a file, and in a folder that cannot be read. */
function linksBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.flatMap((one) => (one.isSymbolicLink() ? join(one.parentPath, one.name) : []));
  } catch {
    return [];
  }
}

/** Names of the skill's folder: the eval's `skill`, and the folder of the eval file, above `evals`. */
function skillFolderNames({ at, skill }: Suite): string[] {
  const folders = at.path.split("/").slice(0, -1);
  const folder = folders.findLast((name) => name !== "evals");
  return [skill, folder].flatMap((name) => name || []);
}
