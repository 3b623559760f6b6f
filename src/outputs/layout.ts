/**
 * What an output file's folders mean: its eval, the attempt of the job that wrote it, and whether the skill was there.
 * Only folders below the fixed part of the `results` pattern count: those above are the workflow's own.
 */
import { dirname, relative, resolve } from "node:path";
import type { Problem } from "../domain/location.ts";
import type { Run } from "../domain/run.ts";
import type { Suite } from "../domain/suite.ts";
import { fixedFolder, statsOf } from "../files/find.ts";
import { slashes } from "../files/names.ts";
import { count } from "../text/format.ts";
import { once } from "../text/once.ts";
import { notice } from "../text/problem.ts";
import { isNameOf } from "./task-names.ts";

/** What a file's folders say. */
export interface Layout extends Pick<Run, "attempt" | "attemptFolder" | "side"> {
  /** The eval that the nearest folder names; several if their titles are equal and no path decides. */
  readonly suites: readonly Suite[];
  /** The file of an eval that is not graded here, if a folder names it and none names one that is. */
  readonly otherEval?: string | undefined;
}

/** Files of one group have the same eval, attempt and side: equal bytes are one run, and run numbers are counted together. */
export function groupOf({ suites, attempt, side }: Layout): string {
  return JSON.stringify([suites.map(({ at }) => at.path), attempt, side]);
}

/** Absolute paths of the folders below a pattern's fixed part, the outermost first. */
function foldersBelow(file: string, pattern: string, workspace: string): string[] {
  const fixed = resolve(workspace, fixedFolder(pattern));
  const parts = slashes(relative(fixed, dirname(file))).split("/");
  return parts[0] === "" ? [] : parts.map((_, index) => resolve(fixed, ...parts.slice(0, index + 1)));
}

interface Evals {
  readonly workspace: string;
  readonly suites: readonly Suite[];
}

/** The layout of a file that a pattern found. */
export function layoutOf(file: string, pattern: string, evals: Evals): Layout {
  const folders = foldersBelow(file, pattern, evals.workspace);
  const names = folders.map((folder) => slashes(folder).split("/").at(-1) ?? "");
  const outermost = names.findIndex((name) => attemptOf(name) !== undefined);
  const suites = suitesNamed(names, evals.suites);
  const others = suites.length > 0 ? [] : names.flatMap((name) => otherEvalNamed(name, evals) ?? []);
  return {
    suites,
    otherEval: others.at(-1),
    attempt: attemptOf(names[outermost] ?? ""),
    attemptFolder: folders[outermost],
    side: names.includes("without_skill") ? "without-skill" : undefined,
  };
}

/** The attempt in a folder's name, such as `agent-attempt-2`: the job's `github.run_attempt`. */
export function attemptOf(folder: string): number | undefined {
  const [, number] = /attempt-([1-9]\d{0,5})$/.exec(folder) ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * The eval beside these that a folder names: `skills/other/evals/evals.json` for `out/other/1.jsonl`, beside
 * `skills/mine/evals/evals.json`. Its tasks may have the same ids as theirs.
 */
function otherEvalNamed(folder: string, { workspace, suites }: Evals): string | undefined {
  const known = once(OTHERS, suites, () => new Map<string, string | undefined>());
  return once(known, folder, () => {
    const beside = suites.flatMap(({ title, root = workspace, at: { path } }) => {
      const parts = path.split("/");
      const own = parts.findLastIndex((part, index) => index + 1 < parts.length && isNameOf(title, part));
      return own < 0 ? [] : { path: parts.with(own, folder).join("/"), root };
    });
    return beside.find(({ path, root }) => statsOf(resolve(root, path))?.isFile())?.path;
  });
}

/** By folder, for each list of suites: output files share their folders. */
const OTHERS = new WeakMap<readonly Suite[], Map<string, string | undefined>>();

/** One notice for each eval that is not graded here, with the number of its files or runs. */
export function leftToOthers(evals: readonly string[]): Problem[] {
  return [...Map.groupBy(evals, (path) => path)].map(([path, { length }]) =>
    notice(
      `${count(length, "output")} in folders named for \`${path}\`, which is not graded here, ${length === 1 ? "is" : "are"} left out.`,
    ),
  );
}

/** The evals that the nearest folder names; of several, those with the most path segments in common with the folders. */
function suitesNamed(folders: readonly string[], suites: readonly Suite[]): readonly Suite[] {
  for (const folder of folders.toReversed()) {
    const named = suites.filter(({ title }) => isNameOf(title, folder));
    if (named.length < 2) {
      if (named.length === 1) return named;
      continue;
    }
    const shared = ({ at }: Suite) => at.path.split("/").filter((part) => folders.includes(part)).length;
    const most = Math.max(...named.map(shared));
    return named.filter((suite) => shared(suite) === most);
  }
  return [];
}
