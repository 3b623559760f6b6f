/**
 * `runs.json`: the plan of `waza-grade run`, which is what is graded, and what it made of it, with digests. It is written
 * before the first agent starts, without digests, and again, from memory, when the last one has ended: a run that came
 * later or was changed is no run of the agent's. After a kill the runs are read as they are.
 */
import { basename, dirname, join, relative } from "node:path";
import * as z from "zod/mini";
import { error, warning, type Problem } from "../domain/problem.ts";
import { AGAIN_LIST } from "../domain/run.ts";
import { isInside, slashes, type FoundFile } from "../files/confine.ts";
import { entriesOf } from "../files/find.ts";
import { digestOfFile } from "../files/digest.ts";
import { folderSha256 } from "../files/folder.ts";
import { readEach, textOfFile } from "../files/read.ts";
import { LOG, RUN_JSON } from "./run-json.ts";
import { jsonOf, listedCode, once, plural } from "../text/format.ts";

const optionalText = z.optional(z.string());

/** A planned run; with digests one that was made. */
const listedRun = z.object({
  /** Its folder, relative to the list, with `/`. */
  folder: z.string(),
  /** The eval file's path from the repository's root. */
  eval: z.string(),
  /** Absent for a run of a whole eval, and of a trigger eval. */
  task: optionalText,
  /** The query of a trigger eval, and its skill. */
  trigger: optionalText,
  skill: optionalText,
  trial: z.optional(z.int()),
  side: z.optional(z.literal("without-skill")),
  agent: optionalText,
  /** The model asked for. */
  model: optionalText,
  /** Asked for by grading, since its task dropped. */
  again: z.optional(z.literal(true)),
  /** Made by an earlier call, and older now, by another agent or of an eval that is gone: there, and neither planned nor read. */
  old: z.optional(z.literal(true)),
  /** SHA-256 of its run.json; absent where it was not made. */
  run_sha256: optionalText,
  /** Hash of all that its agent left; absent where there is too much. */
  work_sha256: optionalText,
});

/** A list of another version cannot be read. */
const listOfRuns = z.object({
  version: z.literal(2),
  runs: z.array(listedRun),
  /** Agents are at work, or were when all was killed. */
  state: z.optional(z.literal("started")),
  /** It plans and makes nothing: all runs, or the further ones that grading asks for. */
  plans: z.optional(z.enum(["all", "further"])),
  /** What was not to be run, a whole eval or a task, and why. */
  left: z._default(z.array(z.object({ eval: z.string(), task: optionalText, why: z.string() })), []),
  /** The commits between which `not changed` holds; without `to` up to what lay in the folder. */
  changes: z.optional(z.object({ by: z.literal("git"), from: z.string(), to: optionalText })),
  /** The input `eval`. */
  evals: z.optional(z.array(z.string())),
  /** The agent had no key, so no run was made. */
  no_key: z.optional(z.literal(true)),
  /** Why runs were not made. */
  ended: optionalText,
  /** Files that say what is judged in an eval, changed while agents worked, with their SHA-256 then; empty for one that is gone. */
  touched: z._default(z.array(z.object({ eval: z.string(), file: z.string(), sha256: z.string() })), []),
});

/** A list. */
export type ListOfRuns = Omit<z.infer<typeof listOfRuns>, "version">;

/** A run of a list. */
export type ListedRun = z.infer<typeof listedRun>;

/** Why an eval that nothing changed is left out, and a task that its file turns off. */
export const NOT_CHANGED = "not changed";
export const DISABLED = "disabled";

/** Why something is left out on purpose; any other reason is a mistake in a file. */
export const NARROWED: readonly string[] = [NOT_CHANGED, "not selected", DISABLED];

/** What `waza-grade run` planned, by its own lists: what is graded, and what is missing. */
export interface RunsPlan extends Pick<ListOfRuns, "runs" | "left" | "evals" | "touched"> {
  /** Runs of earlier calls, older now, by another agent or of an eval that is gone: neither read nor missing. */
  readonly old: readonly ListedRun[];
  /** The agent had no key, and no run was made. */
  readonly hadNoKey: boolean;
  /** Why runs were not made. */
  readonly ended: readonly string[];
}

/** The name of the list: that of a shard has another, since the files of several may be put into one folder. */
export function listName(shard?: { readonly index: number; readonly of: number }): string {
  return shard === undefined || shard.of === 1
    ? "runs.json"
    : `runs-${String(shard.index)}-of-${String(shard.of)}.json`;
}

/** The file that the process which makes runs in a folder has there. */
export const LOCK = "run.lock";

/** The process that makes runs in a folder at this moment. */
export function holderOf(folder: string): number | undefined {
  const pid = Number(textOfFile(join(folder, LOCK))?.split("\n")[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM" ? pid : undefined;
  }
}

/** The names of the lists in a folder. */
export function listsIn(folder: string): string[] {
  return entriesOf(folder).flatMap(({ name }) => (isListOfRuns(name) ? name : []));
}

/** Whether a file is a list of runs, by its name. */
export function isListOfRuns(name: string): boolean {
  return name === AGAIN_LIST || /^runs(?:-\d{1,4}-of-\d{1,4})?\.json$/.test(name);
}

/** Those that `run` writes; what grading asks for may lie anywhere. */
function listsOfMade(folder: string): string[] {
  return listsIn(folder).filter((name) => name !== AGAIN_LIST);
}

/** Whether there are lists of the runs in a folder. */
export function hasLists(folder: string): boolean {
  return withLists(folder).some((one) => listsIn(one).length > 0);
}

/** Lists below a folder of runs that has one itself: an agent wrote them. Relative to it, with `/`; sorted. */
export function deeperLists(out: string): string[] {
  const below = (folder: string): string[] => {
    const entries = entriesOf(join(out, folder));
    // Below a run's folder lies what its agent left.
    if (entries.some(({ name }) => name === RUN_JSON || name === LOG)) return [];
    return entries.flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isListOfRuns(entry.name)) return folder === "" || entry.name === AGAIN_LIST ? [] : [path];
      return entry.isDirectory() ? below(path) : [];
    });
  };
  return below("").sort();
}

function readListsOfRuns(folder: string): ListOfRuns[] {
  return listsIn(folder).flatMap((name) => readList(join(folder, name)) ?? []);
}

/** The list in a file; undefined where it is none of this version. */
export function readList(file: string): ListOfRuns | undefined {
  return z.safeParse(listOfRuns, jsonOf(textOfFile(file))).data;
}

/** The files of evals that the lists in a folder say were changed while agents worked. */
export function touchedIn(folder: string): ListOfRuns["touched"] {
  return readListsOfRuns(folder).flatMap(({ touched }) => touched);
}

/** The runs that were made by the lists in a folder; undefined without a list, and where agents may have been killed. */
export function listedIn(folder: string): readonly ListedRun[] | undefined {
  const lists = readListsOfRuns(folder).filter(({ plans }) => plans !== "further");
  if (lists.length === 0 || lists.some(({ state }) => state !== undefined)) return undefined;
  return lists.flatMap(({ runs }) => runs.filter((run) => run.run_sha256 !== undefined));
}

/**
 * The plan by the outermost lists of these folders; undefined without a list. Where a job plans, planned is what its list
 * and those of further runs say, else what any list does: those of shards and attempts join.
 */
export function planIn(folders: readonly string[]): RunsPlan | undefined {
  const lists = folders.flatMap(withLists).flatMap((folder) => {
    const how = holderOf(folder) === undefined ? "it was killed." : "it is still running.";
    return readListsOfRuns(folder).map((list) => ({ ...list, ended: list.ended ?? (list.state && how) }));
  });
  if (lists.length === 0) return undefined;
  const isPlanned = lists.some(({ plans }) => plans === "all");
  const planning = isPlanned ? lists.filter(({ plans }) => plans !== undefined) : lists;
  const rows = lists.flatMap(({ runs }) => runs);
  const planned = planning.flatMap(({ runs }) => runs).filter(({ old }) => !old);
  const byFolder = Map.groupBy(planned, ({ folder }) => folder);
  const isMade = (row: ListedRun) => !row.old && row.run_sha256 !== undefined;
  const made = new Set(rows.filter(isMade).map(({ folder }) => folder));
  const named = planning.map(({ evals }) => evals);
  return {
    // One that any list plans at first is none that was asked for again.
    runs: [...byFolder.values()].flatMap((same) => same.find(({ again }) => !again) ?? same.slice(0, 1)),
    old: rows.filter(({ folder }) => !byFolder.has(folder)),
    left: planning.flatMap(({ left }) => left),
    evals: named.includes(undefined) ? undefined : [...new Set(named.flatMap((one) => one ?? []))],
    hadNoKey: made.size === 0 && lists.some(({ no_key: noKey }) => noKey),
    ended: lists.flatMap(({ runs, ended }) =>
      runs.every(({ old: isOld, folder }) => isOld === true || made.has(folder)) ? [] : (ended ?? []),
    ),
    touched: lists.flatMap(({ touched }) => touched),
  };
}

/** The folder, and those directly below where it has no list of its own: artifacts. */
function withLists(folder: string): string[] {
  const inner = () => entriesOf(folder).flatMap((one) => (one.isDirectory() ? join(folder, one.name) : []));
  return listsOfMade(folder).length > 0 ? [folder] : [folder, ...inner()];
}

/** The text of a list. */
export function listText(list: ListOfRuns): string {
  return `${JSON.stringify({ version: 2, ...list }, null, 1)}\n`;
}

/** A planned run as a list has it. */
export function rowOfRun(planned: ListedRun): ListedRun {
  return z.parse(listedRun, planned);
}

/** The name of what an agent left in a run's folder. */
export const WORK = "work";

/** Folders from a run's up to that of all runs, as `run` makes them: eval, task, run. */
const MOST_LEVELS = 4;

/** A run.json that was found. */
export interface RunFile extends FoundFile {
  /** The folder of all runs that `results` names. */
  readonly root: string;
}

/** The runs that their outermost lists name as they are, and the problems of the others, and of lists deeper down. */
export async function listedAlone(
  files: readonly RunFile[],
): Promise<{ readonly files: readonly RunFile[]; readonly problems: readonly Problem[] }> {
  const lists = new Map<string, ReadonlyMap<string, ListedRun> | "unread" | undefined>();
  const listOf = (folder: string) =>
    once(lists, folder, () => {
      if (listsOfMade(folder).some((name) => !readList(join(folder, name)))) return "unread";
      const runs = listedIn(folder);
      return runs && new Map(runs.map((run) => [run.folder, run]));
    });
  const withLists = new Map<string, boolean>();
  const hasList = (folder: string) => once(withLists, folder, () => listsOfMade(folder).length > 0);
  const wrongOf = async ({ file, root }: RunFile): Promise<Wrong | "old" | undefined> => {
    const folder = dirname(file);
    let outermost: string | undefined;
    let above = dirname(folder);
    // Up to the named folder, or to the first above it that has a list.
    const isToSee = (level: number) =>
      isInside(above, root) || (level < MOST_LEVELS && outermost === undefined);
    for (let level = 0; isToSee(level) && above !== dirname(above); level += 1) {
      if (hasList(above)) outermost = above;
      above = dirname(above);
    }
    const list = outermost === undefined ? undefined : listOf(outermost);
    if (outermost === undefined || !list) return undefined;
    if (list === "unread") return list;
    const listed = list.get(slashes(relative(outermost, folder)));
    if (!listed) return "unlisted";
    if (listed.old) return "old";
    if ((await digestOfFile(file)) !== listed.run_sha256) return "changed";
    const { work_sha256: digest } = listed;
    return digest === undefined || (await folderSha256(join(folder, WORK))) === digest
      ? undefined
      : "touched";
  };
  const wrongs = await readEach(files, wrongOf);
  const deeper = [...lists.keys()].flatMap((folder) =>
    deeperLists(folder).map((path) => `${basename(folder)}/${path}`),
  );
  const filesWith = (wrong: Wrong) => files.filter((_, index) => wrongs[index] === wrong);
  return {
    files: files.filter((_, index) => wrongs[index] === undefined || wrongs[index] === "touched"),
    problems: [
      ...deeperProblems(deeper),
      ...(["unread", "unlisted", "changed", "touched"] as const).flatMap((wrong) =>
        wrongProblems(wrong, filesWith(wrong)),
      ),
    ],
  };
}

/** The error of lists that an agent wrote; of none there is none. */
export function deeperProblems(lists: readonly string[]): Problem[] {
  if (lists.length === 0) return [];
  const message = `Below the list of the runs, an agent wrote ${plural(lists.length, "another", "others")}, which ${plural(lists.length, "is", "are")} not read: ${listedCode(lists)}.`;
  const help =
    "Look at the runs of this call, and make them again (`--again`): one of their agents wrote to the others.";
  return [error("run-list-planted", message, { help })];
}

type Wrong = keyof typeof SAID;

const SAID = {
  unread: [
    error,
    "of which the list, `runs.json`, cannot be read",
    "Something changed it, or another version wrote it: run the agent again.",
  ],
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

function wrongProblems(wrong: Wrong, runs: readonly FoundFile[]): Problem[] {
  const [first] = runs;
  if (!first) return [];
  const [say, what, help] = SAID[wrong];
  const names = listedCode(runs.map(({ at }) => at.path));
  const message = `There ${plural(runs.length, "is a run", "are runs")} ${what}: ${names}.`;
  return [say(`run-${wrong}`, message, { help, at: first.at })];
}
