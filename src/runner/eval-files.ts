/** The eval files of a checkout, away while agents work, who should not meet what they are judged by. */
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import { evalFilesOf, type Suite } from "../domain/suite.ts";
import { follow, isInside } from "../files/confine.ts";
import { removeAll } from "../files/remove.ts";
import { linkBelow, writeBelow } from "../files/write.ts";

/** What lay at a path, whose folders are none by a link: a file with its rights, or a link. */
type Taken = { readonly path: string } & (
  { readonly content: Buffer; readonly mode: number } | { readonly target: string }
);

/** Takes the eval files of these suites away: evals, tasks, tables, rubrics. The returned function puts them back. */
export function takeEvals(suites: readonly Suite[]): () => void {
  const taken = suites.flatMap((suite) =>
    evalFilesOf(suite).flatMap((path) => takeFile(path, suite.root ?? ".")),
  );
  return () => {
    for (const one of taken.splice(0)) putBack(one);
  };
}

/** Takes a file away, and the one that it is a link to. */
function takeFile(name: string, root: string): Taken[] {
  const path = resolve(root, name);
  const { real } = follow(path);
  const all = [...new Set([path, real])].filter(
    (one) => isInside(one, root) || isInside(one, follow(root).real),
  );
  const taken = all.flatMap((one): Taken[] => {
    const stats = lstatSync(one, { throwIfNoEntry: false });
    const at = { path: join(follow(dirname(one)).real, basename(one)) };
    if (stats?.isSymbolicLink()) return [{ ...at, target: readlinkSync(one) }];
    return stats?.isFile() ? [{ ...at, content: readFileSync(one), mode: stats.mode }] : [];
  });
  for (const one of taken) removeAll(one.path);
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
