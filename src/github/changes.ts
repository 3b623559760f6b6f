/** The files that the pull request changes, from GitHub's list, or from git without a token; and so the evals. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { notice, type Problem } from "../domain/problem.ts";
import { rubricFilesOf, type Suite } from "../domain/suite.ts";
import type { PullFile } from "./api.ts";
import { isSha, type RunContext } from "./context.ts";
import { follow, isInside, slashes } from "../files/confine.ts";
import { git } from "../files/git.ts";
import { listedCode, messageOf } from "../text/format.ts";

/** GitHub's maximum of listed files (https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files). */
const MOST_CHANGED_FILES = 3_000;
/** Maximum unchanged evals that a notice names. */
const MOST_UNCHANGED_NAMED = 50;

/** Paths relative to the repository, both names of a renamed file; or why they are not known. */
export type Changes =
  | {
      readonly files: readonly string[];
      /** The new names of files that GitHub takes for renamed, by the old ones. */
      readonly renamed?: ReadonlyMap<string, string>;
    }
  | { readonly unknown: string; readonly help?: string | undefined };

interface ChangesRequest {
  readonly context: RunContext;
  /** The root of the repository, absolute. */
  readonly root: string;
  /** GitHub's list; resolves to undefined without an open pull request. Absent without a token. */
  readonly list: (() => Promise<readonly PullFile[] | undefined>) | undefined;
}

/** The files that the pull request changes; never throws. */
export async function changedFiles({ context, root, list }: ChangesRequest): Promise<Changes> {
  if (!context.pull) return { unknown: "this event belongs to no pull request" };
  if (!list) return await filesFromGit(context, root);
  if (await isSubmodule(root)) return { unknown: "GitHub lists no file of the submodule with the evals" };
  return await filesFromGitHub(list);
}

async function isSubmodule(root: string): Promise<boolean> {
  const above = git(["-C", root, "rev-parse", "--show-superproject-working-tree"]);
  return await above.then(
    (printed) => printed.length > 0,
    () => false,
  );
}

/**
 * The files that differ from where this branch left the default branch, committed or not: for a command without an
 * event. Never throws.
 */
export async function branchFiles(root: string): Promise<Changes> {
  const inTree = ["-C", root];
  try {
    const [base = ""] = await git([...inTree, "merge-base", "HEAD", "origin/HEAD"]);
    const committed = await git([...inTree, ...COMPARE, base.trim(), "--"]);
    const untracked = await git([...inTree, "ls-files", "-z", "--others", "--exclude-standard"]);
    return { files: [...committed, ...untracked] };
  } catch (error) {
    const hasRemote = await git([...inTree, "remote", "get-url", "origin"]).then(
      () => true,
      () => false,
    );
    const help = hasRemote
      ? "`git remote set-head origin --auto` tells git which branch is the default."
      : "It is compared with the default branch of the remote `origin`, which there is not here: choose evals by `eval`.";
    return {
      unknown: `git does not know where this branch left the default branch: ${gitMessage(error)}`,
      help,
    };
  }
}

async function filesFromGitHub(list: NonNullable<ChangesRequest["list"]>): Promise<Changes> {
  try {
    const listed = await list();
    if (!listed) return { unknown: "this event belongs to no open pull request" };
    if (listed.length === 0) return { unknown: "GitHub lists no file of the pull request" };
    if (listed.length >= MOST_CHANGED_FILES)
      return { unknown: "GitHub lists only 3,000 files of a pull request" };
    const pairs = listed.flatMap(({ path, before }) =>
      before === undefined ? [] : [[before, path] as const],
    );
    return {
      files: [...listed.map(({ path }) => path), ...pairs.map(([before]) => before)],
      ...(pairs.length > 0 ? { renamed: new Map(pairs) } : {}),
    };
  } catch (error) {
    const help = "If the request was refused, add `pull-requests: read` to the job's `permissions`.";
    return { unknown: `GitHub did not list the files of the pull request: ${messageOf(error)}`, help };
  }
}

const COMPARE = [
  "diff",
  "--name-only",
  "-z",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=none",
];

/** The changes from the merge base to the head, from the checkout's objects. A rename is a deleted and an added file. */
async function filesFromGit({ baseSha, sha }: RunContext, root: string): Promise<Changes> {
  const help =
    "Leave `token` at its default, or check out with `fetch-depth: 0`, so that git has the base commit.";
  if (!isSha(baseSha) || !isSha(sha)) return { unknown: "the event names no commits to compare", help };
  try {
    return { files: await git(["--git-dir", join(root, ".git"), ...COMPARE, `${baseSha}...${sha}`, "--"]) };
  } catch (error) {
    return { unknown: `git could not compare the pull request with its base: ${gitMessage(error)}`, help };
  }
}

/** The line of git's output with the reason; its usage may follow. */
function gitMessage(error: unknown): string {
  const { stderr = "" } = error as { readonly stderr?: string | undefined };
  const lines = stderr.trim().split("\n");
  return lines.find((line) => /^(?:fatal|error|warning): /.test(line)) ?? (lines.at(-1) || messageOf(error));
}

/* The input `changed-only`: the evals that the pull request does not change. */

interface Unchanged {
  readonly suites: ReadonlySet<Suite>;
  readonly problems: readonly Problem[];
}

/** What is done with evals that changed. */
type Done = "graded" | "run";

/** The evals to leave out, by what changed in their repository. */
export async function unchangedBy(
  changes: (root: string) => Promise<Changes>,
  suites: readonly Suite[],
  done: Done = "graded",
): Promise<Unchanged> {
  const root = onlyRoot(suites);
  const changed =
    root === undefined ? { unknown: "the evals are not all in one repository" } : await changes(root);
  return unchangedSuites(suites, changed, done);
}

/** The evals to leave out, with a notice that names them. If the changes are unknown, all are planned, and a notice says why. */
export function unchangedSuites(
  suites: readonly Suite[],
  changes: Changes,
  done: Done = "graded",
): Unchanged {
  if ("unknown" in changes) {
    const message = `\`changed-only\`: ${changes.unknown}, so all evals are ${done}.`;
    return { suites: new Set(), problems: [notice("changes-unknown", message, { help: changes.help })] };
  }
  const touched = touchedBy(changes.files);
  const unchanged = suites.filter(
    (suite) => suite.at.inRepository && !suite.broken && !isChanged(suite, touched),
  );
  if (unchanged.length === 0) return { suites: new Set(), problems: [] };
  const paths = listedCode(
    unchanged.map(({ at }) => at.path),
    MOST_UNCHANGED_NAMED,
  );
  const message = `Not ${done}, because they are not changed (\`changed-only\`): ${paths}.`;
  return { suites: new Set(unchanged), problems: [notice("unchanged-evals", message)] };
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
