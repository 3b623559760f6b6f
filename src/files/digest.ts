/** SHA-256 of files, of folders, and of what a task's files hold. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Task, TaskFile } from "../domain/suite.ts";
import { once } from "../text/format.ts";
import { hashOf } from "../text/hash.ts";
import type { FoundFile } from "./confine.ts";
import { statsOf } from "./find.ts";
import { filesBelow } from "./skill-files.ts";

/** Makes the function that gives the hashes of a task's folder and of each of its files; what is named twice is read once. */
export function taskFileDigests(): (task: Pick<Task, "files" | "contextDir">) => Promise<readonly string[]> {
  const known = new Map<string, Promise<string>>();
  const ofFile = (file: TaskFile) =>
    "content" in file
      ? hashOf(["content", file.content])
      : "missing" in file
        ? "missing"
        : once(known, file.path, () => digestOfPath(file.path));
  return async ({ files, contextDir }) => [
    contextDir === undefined ? "" : await once(known, contextDir, () => digestOfPath(contextDir)),
    ...(await Promise.all(files.map(async (file) => hashOf([file.name, await ofFile(file)])))),
  ];
}

/** A file, or a folder. */
async function digestOfPath(path: string): Promise<string> {
  const ofFile = await digestOfFile(path);
  return (
    ofFile ?? hashOf(await digestsOf(filesBelow(path).map((name) => ({ name, real: join(path, name) }))))
  );
}

/** Each name, and the hash of its file. */
export async function digestsOf(
  files: readonly { readonly name: string; readonly real: string }[],
): Promise<readonly string[]> {
  const digests: string[] = [];
  for (const { name, real } of files) digests.push(name, (await digestOfFile(real)) ?? "unreadable");
  return digests;
}

/** SHA-256 of a file, in hexadecimal; undefined where it cannot be read. */
export async function digestOfFile(file: string): Promise<string | undefined> {
  if (statsOf(file)?.isFile() !== true) return undefined;
  const digest = createHash("sha256");
  const read = pipeline(createReadStream(file), digest);
  return await read.then(
    () => digest.digest("hex"),
    () => undefined,
  );
}

/**
 * Makes the function that gives the key of each of these files, which is that of its copies, too: its hash; of one that alone has
 * its size, that is not to be read, or cannot be, its path.
 */
export function contentKeys(files: readonly FoundFile[]): (file: FoundFile) => Promise<string> {
  const sizeOf = ({ file }: FoundFile) => statsOf(file)?.size;
  const bySize = Map.groupBy(files, sizeOf);
  return async (found) => {
    const mayBeCopy = found.refused === undefined && (bySize.get(sizeOf(found)) ?? []).length > 1;
    return (mayBeCopy ? await digestOfFile(found.file) : undefined) ?? found.file;
  };
}
