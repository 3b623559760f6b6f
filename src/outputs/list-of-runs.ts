/**
 * `runs.json`: what `waza-grade run` made in a folder, with digests. It is written last, so a folder without one, as
 * after a kill, is read as it is; with one, a run that came later or was changed is no run of the agent's.
 */
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as z from "zod/mini";
import { error, warning, type Problem } from "../domain/problem.ts";
import { slashes, type FoundFile } from "../files/confine.ts";
import { digestOfFile } from "../files/digest.ts";
import { folderSha256 } from "../files/folder.ts";
import { readEach, textOfFile } from "../files/read.ts";
import { jsonOf, listedCode, once, plural } from "../text/format.ts";

const schema = z.object({
  runs: z.array(
    z.object({
      /** Its folder, relative to the list, with `/`. */
      folder: z.string(),
      /** SHA-256 of its run.json. */
      run_sha256: z.string(),
      /** Hash of all that its agent left; absent where there is too much. */
      work_sha256: z.optional(z.string()),
    }),
  ),
});

/** A run of a list. */
export type ListedRun = z.infer<typeof schema>["runs"][number];

/** The name of the list: that of a shard has another, since the files of several may be put into one folder. */
export function listName(shard?: { readonly index: number; readonly of: number }): string {
  return shard === undefined || shard.of === 1
    ? "runs.json"
    : `runs-${String(shard.index)}-of-${String(shard.of)}.json`;
}

/** The names of the lists in a folder. */
export function listsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isListOfRuns);
  } catch {
    return [];
  }
}

/** Whether a file is a list of runs, by its name. */
export function isListOfRuns(name: string): boolean {
  return /^runs(?:-\d{1,4}-of-\d{1,4})?\.json$/.test(name);
}

/** What the lists in a folder say; undefined without any that can be read. */
export function listedIn(folder: string): readonly ListedRun[] | undefined {
  const lists = listsIn(folder).map((name) => z.safeParse(schema, jsonOf(textOfFile(join(folder, name)))));
  return lists.some(({ success }) => success) ? lists.flatMap(({ data }) => data?.runs ?? []) : undefined;
}

/** The text of a list. */
export function listText(runs: readonly ListedRun[]): string {
  return `${JSON.stringify({ runs }, null, 1)}\n`;
}

/** The name of what an agent left in a run's folder. */
export const WORK = "work";

/** The hash of what an agent left in a run's folder, as the judge may read it; undefined where there is too much. */
export async function hashOfWork(folder: string): Promise<string | undefined> {
  return await folderSha256(join(folder, WORK));
}

/** Folders from a run's up to that of all runs, as `run` makes them: eval, task, run. */
const MOST_LEVELS = 4;

/** The runs that their lists name as they are, and the problems of the others. */
export async function listedAlone<T extends FoundFile>(
  files: readonly T[],
): Promise<{ readonly files: readonly T[]; readonly problems: readonly Problem[] }> {
  const lists = new Map<string, ReadonlyMap<string, ListedRun> | undefined>();
  const listOf = (folder: string) =>
    once(lists, folder, () => {
      const runs = listedIn(folder);
      return runs && new Map(runs.map((run) => [run.folder, run]));
    });
  const read = await readEach(files, async (one): Promise<{ readonly one: T; readonly wrong?: Wrong }> => {
    const folder = dirname(one.file);
    let above = dirname(folder);
    for (let level = 1; level < MOST_LEVELS && !listOf(above); level += 1) above = dirname(above);
    const list = listOf(above);
    if (!list) return { one };
    const listed = list.get(slashes(relative(above, folder)));
    if (!listed) return { one, wrong: "unlisted" };
    if ((await digestOfFile(one.file)) !== listed.run_sha256) return { one, wrong: "changed" };
    const isSame = listed.work_sha256 === undefined || (await hashOfWork(folder)) === listed.work_sha256;
    return isSame ? { one } : { one, wrong: "touched" };
  });
  const kinds = Object.keys(SAID) as Wrong[];
  return {
    files: read.filter(({ wrong }) => wrong === undefined || wrong === "touched").map(({ one }) => one),
    problems: kinds.flatMap((kind) =>
      wrongRuns(
        kind,
        read.filter(({ wrong }) => wrong === kind).map(({ one }) => one),
      ),
    ),
  };
}

type Wrong = keyof typeof SAID;

const SAID = {
  unlisted: [
    error,
    "which `waza-grade run` did not make",
    "Something wrote them beside its runs: remove them, or keep them in another folder.",
  ],
  changed: [
    error,
    "with another run.json than `waza-grade run` wrote",
    "Something changed them afterwards: run the agent again.",
  ],
  touched: [
    warning,
    "in which files were changed after the agent had ended",
    "A process that an agent left, or another agent, did it: the judge sees the files as they are now.",
  ],
} as const;

function wrongRuns(kind: Wrong, files: readonly FoundFile[]): Problem[] {
  const [first] = files;
  if (!first) return [];
  const [say, what, help] = SAID[kind];
  const names = listedCode(files.map(({ at }) => at.path));
  return [
    say(`run-${kind}`, `There ${plural(files.length, "is a run", "are runs")} ${what}: ${names}.`, {
      help,
      at: first.at,
    }),
  ];
}
