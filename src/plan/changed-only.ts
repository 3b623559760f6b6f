/** The input `changed-only`: the evals that the pull request does not change. Pure. */
import type { Suite } from "../domain/suite.ts";
import { notice, type Problem } from "../domain/problem.ts";
import type { Changes } from "../github/changes.ts";
import { listedCode } from "../text/format.ts";
import { MOST_UNCHANGED_NAMED } from "./limits.ts";

export interface Unchanged {
  readonly suites: ReadonlySet<Suite>;
  readonly problems: readonly Problem[];
}

/** The evals to leave out, with a notice that names them. If the changes are unknown, all are planned, and a notice says why. */
export function unchangedSuites(suites: readonly Suite[], changes: Changes): Unchanged {
  if ("unknown" in changes) {
    const message = `\`changed-only\`: ${changes.unknown}, so all evals are graded.`;
    return { suites: new Set(), problems: [notice(message, { help: changes.help })] };
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
  const message = `Not graded, because the pull request does not change them (\`changed-only\`): ${paths}.`;
  return { suites: new Set(unchanged), problems: [notice(message)] };
}

/** The repository of all the evals; undefined if there are several. */
export function onlyRoot(suites: readonly Suite[]): string | undefined {
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

/** True if a file of the eval is changed, or anything in a folder with its skill's name. */
function isChanged(suite: Suite, { files, paths, names }: Touched): boolean {
  const parts = [suite.at.path, ...(suite.parts ?? []), ...rubricFiles(suite)];
  // The second case: a parent folder is a submodule, and then only that folder is listed.
  return (
    parts.some((part) => paths.has(part) || withFolders(part).some((path) => files.has(path))) ||
    skillNames(suite).some((name) => names.has(name))
  );
}

function rubricFiles({ graders, tasks }: Suite): string[] {
  const all = [...graders, ...(tasks === "every" ? [] : tasks.flatMap((task) => task.graders))];
  return all.flatMap(({ rubric }) => (rubric && rubric.source !== "built-in" ? rubric.source : []));
}

/** Names of the skill's folder: the eval's `skill`, and the folder of the eval file, above `evals`. */
function skillNames({ at, skill }: Suite): string[] {
  const folders = at.path.split("/").slice(0, -1);
  const folder = folders.findLast((name) => name !== "evals");
  return [skill, folder].flatMap((name) => name || []);
}
