/** The temporary folders of runs: where they are made, and which of them a `run` that was killed left, with its programs. */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { error, type Problem } from "../domain/problem.ts";
import { isInside } from "../files/confine.ts";
import { entriesOf, statsOf } from "../files/find.ts";
import { removeAll } from "../files/remove.ts";
import { temporaryIn } from "../files/write.ts";
import { WORK } from "../outputs/list-of-runs.ts";
import { listedCode } from "../text/format.ts";
import { sha256 } from "../text/hash.ts";
import { agentOf } from "./agents.ts";
import { removeLeavings } from "./environment.ts";
import type { RunOptions } from "./run-options.ts";
import { endPrograms } from "./start-program.ts";

/** What clients read in a folder above the one that they work in: instructions, skills and rules. */
const READ_ABOVE = [
  ...["CLAUDE.md", "AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md"],
  ...[".claude", ".agents", ".github", ".opencode"].flatMap((one) => [`${one}/skills`, `${one}/rules`]),
];

/**
 * The folder that those of runs are made in: outside of the checkout, and with nothing above that agents would read. The
 * temporary one, else a further one; or the problem that each has something.
 */
export function folderOfRuns(
  env: NodeJS.ProcessEnv,
  workspace: string,
  further?: readonly string[],
): string | Problem {
  const all = temporaryFolders(env, further);
  const inTheWay = all.map((one) => (isInside(one, realpathSync(workspace)) ? one : readAbove(one)));
  const found = all.find((_, index) => inTheWay[index] === undefined);
  if (found !== undefined) return found;
  const what = `Agents would read what lies above the folders of their runs, or find the checkout: ${listedCode(inTheWay.flatMap((one) => one ?? []))}.`;
  const help = "Move it away, or set TMPDIR to a folder outside of the checkout and of such files.";
  return error("no-folder-for-runs", what, { help });
}

/** The folders for temporary files, links resolved. */
function temporaryFolders(
  { RUNNER_TEMP: temp = tmpdir() }: NodeJS.ProcessEnv,
  further: readonly string[] = ["/tmp", "/var/tmp"],
): string[] {
  return [temp, ...further].filter((one) => existsSync(one)).map((one) => realpathSync(one));
}

/** The first such file or folder with something in it, from this folder upwards. */
function readAbove(folder: string): string | undefined {
  const has = (path: string) => statsOf(path)?.isFile() === true || entriesOf(path).length > 0;
  const found = READ_ABOVE.map((name) => join(folder, name)).find(has);
  return found ?? (dirname(folder) === folder ? undefined : readAbove(dirname(folder)));
}

interface Surroundings {
  readonly options: Pick<RunOptions, "out" | "agent">;
  readonly env: NodeJS.ProcessEnv;
}

/** How the names begin of those that the `run` makes which holds `out`; the rest is random. */
function prefixOf(out: string): string {
  // In a container the path alone may be another's; an agent may have removed the folder.
  return `waza-run-${sha256(`${out}\0${String(statsOf(out)?.ino)}`).slice(0, 12)}-`;
}

/** Makes one, which is removed when it is disposed of. */
export function temporaryFolder(making: Surroundings & { readonly temp: string }) {
  const path = temporaryIn(making.temp, prefixOf(making.options.out));
  return {
    path,
    [Symbol.dispose]: () => {
      remove(path, making);
    },
  };
}

/** Ends and removes what a killed `run` left, of the folder of all runs that this process holds. */
export function clearLeft(call: Surroundings): void {
  const prefix = prefixOf(call.options.out);
  const found = temporaryFolders(call.env).flatMap((temp) =>
    entriesOf(temp).map(({ name }) => join(temp, name)),
  );
  for (const folder of found.filter((path) => basename(path).startsWith(prefix))) {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true || stats.uid !== (process.getuid?.() ?? stats.uid)) continue;
    endPrograms(folder);
    remove(folder, call);
  }
}

/** Removes one, and what a client kept of its run in the user's home. */
function remove(folder: string, { options: { agent }, env }: Surroundings): void {
  removeLeavings(agentOf(agent), join(folder, WORK), env);
  removeAll(folder);
}
