/** Hashes of the tasks' files: verdicts on other inputs cannot be compared. */
import type { GradingJob } from "../domain/grade.ts";
import type { TaskFile } from "../domain/suite.ts";
import { readEach } from "../files/read.ts";
import { fileAnywhere, openFolder } from "../judge/files/folder.ts";
import { hashOf } from "../judge/hash.ts";
import { once } from "../text/once.ts";

/** The jobs with `filesHash`; each task's files, and each folder, are read once. */
export async function withFilesHash(jobs: readonly GradingJob[]): Promise<GradingJob[]> {
  const folders = new Map<string, Promise<string>>();
  const tasks = new Set(jobs.map(({ task }) => task));
  const hashes = new Map(
    await readEach(tasks, async (task) => [task, await hashOfTask(task, folders)] as const),
  );
  return jobs.map((job) => {
    const filesHash = hashes.get(job.task);
    return filesHash === undefined ? job : { ...job, filesHash };
  });
}

async function hashOfTask(
  { files = [], contextDir }: GradingJob["task"],
  folders: Map<string, Promise<string>>,
): Promise<string | undefined> {
  if (files.length === 0 && contextDir === undefined) return undefined;
  const own = await Promise.all(files.map(async (file) => hashOf([file.name, await contentHash(file)])));
  if (contextDir === undefined) return hashOf(own);
  return hashOf([...own, await once(folders, contextDir, () => hashOfFolder(contextDir))]);
}

async function contentHash(file: TaskFile): Promise<string> {
  if ("content" in file) return hashOf([file.content]);
  const found = await fileAnywhere(file.path);
  const bytes = await found?.read().catch(() => undefined);
  return bytes && found ? hashOf([String(found.size), bytes.toString("latin1")]) : "unreadable";
}

/** The hash of a folder; of one with too many files to read, of names and sizes. */
async function hashOfFolder(path: string): Promise<string> {
  const folder = await openFolder(path);
  const names = () => hashOf([...folder.files].flatMap(([name, { size }]) => [name, String(size)]));
  return (await folder.fingerprint()) ?? names();
}
