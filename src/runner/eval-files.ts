/** The eval files of a checkout, away while agents work, who should not meet what they are judged by, and watched for changes. */
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import { error, type Problem } from "../domain/problem.ts";
import { evalFilesOf, type Suite } from "../domain/suite.ts";
import { follow, isInside } from "../files/confine.ts";
import { digestOfFile } from "../files/digest.ts";
import { removeAll } from "../files/remove.ts";
import { linkBelow, writeBelow } from "../files/write.ts";
import type { ListOfRuns } from "../outputs/list-of-runs.ts";
import { listedCode } from "../text/format.ts";

/** What lay at a path, whose folders are none by a link: a file with its rights, or a link. */
type Taken = { readonly path: string } & (
  { readonly content: Buffer; readonly mode: number } | { readonly target: string }
);

/** Takes the eval files of these suites away: evals, tasks, tables, rubrics. They are put back at the latest when this is disposed of. */
export function takeEvals(suites: readonly Suite[]) {
  const taken = suites.flatMap((suite) =>
    evalFilesOf(suite).flatMap((path) => takeFile(path, suite.root ?? ".")),
  );
  const putAllBack = () => {
    taken.splice(0).forEach(putBack);
  };
  return { putBack: putAllBack, [Symbol.dispose]: putAllBack };
}

/** Takes a file away, and the one that it is a link to. */
function takeFile(name: string, root: string): Taken[] {
  const path = resolve(root, name);
  const { real } = follow(path);
  const all = [...new Set([path, real])].filter(
    (place) => isInside(place, root) || isInside(place, follow(root).real),
  );
  const taken = all.flatMap((place): Taken[] => {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    const at = { path: join(follow(dirname(place)).real, basename(place)) };
    if (stats?.isSymbolicLink()) return [{ ...at, target: readlinkSync(place) }];
    return stats?.isFile() ? [{ ...at, content: readFileSync(place), mode: stats.mode }] : [];
  });
  for (const entry of taken) removeAll(entry.path);
  return taken;
}

/** Puts a file back in place of what is there now, unless its folder is a link since. Never throws. */
function putBack(taken: Taken): void {
  const { root } = parse(taken.path);
  try {
    if ("target" in taken) linkBelow(root, taken.path, taken.target);
    else writeBelow(root, taken.path, taken);
  } catch {
    // Grading says which eval is gone.
  }
}

/** Makes the function that says which files that say what is judged are others than now, by their evals. */
export async function judgedFiles(suites: readonly Suite[]): Promise<() => Promise<ListOfRuns["touched"]>> {
  const files = suites.flatMap((suite) => evalFilesOf(suite).map((file) => ({ suite, file })));
  const digestOf = async ({ suite: { root = "." }, file }: (typeof files)[number]) =>
    (await digestOfFile(resolve(root, file))) ?? "";
  const digests = async () => await Promise.all(files.map(digestOf));
  const before = await digests();
  return async () =>
    (await digests()).flatMap((sha256, index) => {
      const judged = files[index];
      if (!judged || sha256 === before[index]) return [];
      return { eval: judged.suite.at.path, file: judged.file, sha256 };
    });
}

/** An error where an agent may have changed what it is judged by. */
export function touchedProblems(touched: ListOfRuns["touched"]): Problem[] {
  if (touched.length === 0) return [];
  const files = listedCode(touched.map(({ file }) => file));
  const what = `Changed while agents worked, by one of them or by you, and by this the runs are judged: ${files}.`;
  const help = "Look at the change: `waza-grade run` once more, which keeps the runs, accepts it.";
  return [error("judge-changed", what, { help })];
}
