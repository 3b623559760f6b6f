/** The files that a judge may read: the agent's workspace, the task's files, and the agent's full output. */
import { createHash } from "node:crypto";
import type { GradingJob } from "../../domain/grade.ts";
import type { Run } from "../../domain/run.ts";
import type { TaskFile } from "../../domain/suite.ts";
import { once } from "../../text/once.ts";
import { digest, joinPieces } from "../evidence/digest.ts";
import { fileAnywhere, folderOf, openFolder } from "./folder.ts";
import type { Folder, ReadableFile } from "./folder.ts";
import type { FileList } from "../evidence/messages.ts";
import { LONGEST_LINE, MOST_NAMES, SHARE_OF_NAMES } from "./limits.ts";

/** Folders by the first part of the judge's paths: `given`, `workspace`, `output`. */
export type ReadableFiles = ReadonlyMap<string, Folder>;

export type FileFinder = (job: Pick<GradingJob, "task" | "workspace">) => Promise<ReadableFiles>;

/** Makes the function that finds a job's files. Each folder and each task is listed once. */
export function fileFinder(): FileFinder {
  const folders = new Map<string, Promise<Folder>>();
  const given = new Map<object, Promise<Folder>>();
  const folderAt = (path: string) => once(folders, path, () => openFolder(path));
  return async ({ task, workspace }) => {
    const found = new Map<string, Folder>();
    if (task.contextDir !== undefined || (task.files?.length ?? 0) > 0) {
      const folder = await once(given, task, () => givenFolder(task, folderAt));
      if (folder.files.size > 0) found.set("given", folder);
    }
    if (workspace !== undefined) found.set("workspace", await folderAt(workspace));
    return found;
  };
}

/** A task's files on top of those of its context folder, as waza copies them. */
async function givenFolder(
  { files = [], contextDir }: GradingJob["task"],
  folderAt: (path: string) => Promise<Folder>,
): Promise<Folder> {
  const beneath = contextDir === undefined ? undefined : await folderAt(contextDir);
  const found = new Map<string, ReadableFile>();
  for (const [index, file] of files.entries()) {
    const read = await readable(file);
    if (read) found.set(pathProblems(file.name) || `file-${String(index + 1)}`, read);
  }
  return folderOf(found, beneath);
}

async function readable(file: TaskFile): Promise<ReadableFile | undefined> {
  if ("path" in file) return await fileAnywhere(file.path);
  return inMemory(file.content);
}

/** A relative name without `.`, `..` and control characters. */
function pathProblems(name: string): string {
  const parts = name.replace(/\p{Cc}/gu, " ").split(/[\\/]+/);
  return parts.filter((part) => part !== "" && part !== "." && part !== "..").join("/");
}

/** The agent's full conversation and output, for evidence that had to be shortened. */
export function outputFolder(run: Pick<Run, "finalOutput" | "steps">, prompt: string): Folder {
  const conversation = joinPieces(digest(run.steps, Infinity).pieces);
  const texts = [
    ["conversation.md", conversation],
    ["final_output.md", run.finalOutput],
    ["task_prompt.md", prompt],
  ] as const;
  return folderOf(
    new Map(
      texts
        .filter(([, text]) => text.trim() !== "")
        .map(([name, text]) => [name, inMemory(text.split("\n").flatMap(brokenLine).join("\n"))]),
    ),
  );
}

function brokenLine(line: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at === 0 || at < line.length; at += LONGEST_LINE)
    parts.push(line.slice(at, at + LONGEST_LINE));
  return parts;
}

function inMemory(text: string): ReadableFile {
  const content = Buffer.from(text);
  return { size: content.length, read: () => Promise.resolve(content) };
}

/** The evidence's list of files; undefined without any. Names take a small share of `budget`. */
export function listedFiles(
  found: ReadableFiles,
  budget: number,
  redact: (text: string) => string,
): FileList | undefined {
  if (found.size === 0) return undefined;
  const folders = [...found];
  const total = folders.reduce((sum, [, { files }]) => sum + files.size, 0);
  const lines = folders.flatMap(([root, folder]) =>
    namesOf(root, folder, Math.floor(budget * SHARE_OF_NAMES)),
  );
  return {
    title: `files: ${String(total)}`,
    text: redact(lines.join("\n")),
    readable: total > 0,
    workspace: found.has("workspace"),
  };
}

function namesOf(root: string, { files, cut }: Folder, room: number): string[] {
  if (files.size === 0) return [`(${root}/ is empty)`];
  const names: string[] = [];
  let left = room;
  for (const name of files.keys()) {
    left -= root.length + name.length + 2;
    if (names.length === MOST_NAMES || left < 0) break;
    names.push(`${root}/${name}`);
  }
  const gone = files.size - names.length;
  const count = `${cut ? "more than " : ""}${gone.toLocaleString("en-US")}`;
  return gone > 0 || cut ? [...names, `[... left out: ${count} files of ${root}/ ...]`] : names;
}

/** A hash of all readable files, for the key of a recorded verdict; undefined if there is too much to hash. */
export async function fingerprintOf(found: ReadableFiles): Promise<string | undefined> {
  const hash = createHash("sha256");
  for (const [root, folder] of found) {
    const fingerprint = await folder.fingerprint();
    if (fingerprint === undefined) return undefined;
    hash.update(`${root} ${fingerprint}\n`);
  }
  return hash.digest("hex");
}
