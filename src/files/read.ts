/** Reads files, with readable error messages. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import pLimit from "p-limit";
import { REFUSED_LINK, type FoundFile } from "./confine.ts";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import { statsOf } from "./find.ts";
import { messageOf } from "../text/format.ts";

/** Maximum open files: systems allow some hundreds. */
const FILES_AT_ONCE = 16;

/** Don't wait for a writer of a pipe (Windows has neither such pipes nor the flag). */
const WITHOUT_WAITING =
  constants.O_RDONLY | ((constants as { O_NONBLOCK?: number | undefined }).O_NONBLOCK ?? 0);

/** Reads the items a few at a time, and returns the values in order. */
export async function readEach<T, R>(items: Iterable<T>, read: (item: T) => Promise<R>): Promise<R[]> {
  return await pLimit(FILES_AT_ONCE).map(items, read);
}

/**
 * The bytes of a file, or an error message without its path. Folders, pipes, devices and files of more than `mostBytes`
 * are refused.
 */
async function readBytes(
  path: string,
  mostBytes = Infinity,
): Promise<{ readonly bytes: Buffer } | { readonly failure: string }> {
  try {
    await using file = await open(path, WITHOUT_WAITING);
    const about = await file.stat();
    if (about.isDirectory()) return { failure: "it is a folder" };
    if (!about.isFile()) return { failure: "it is a pipe or a device, not a file" };
    if (about.size > mostBytes) {
      return { failure: `it has ${megabytes(about.size)}, more than ${megabytes(mostBytes)}` };
    }
    return { bytes: await file.readFile() };
  } catch (error) {
    return { failure: readFailure(error) };
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1).replace(/\.0$/, "")} MB`;
}

/** The text of a file without a byte order mark, or an error message, as for `readBytes`. */
export async function readText(
  path: string,
  mostBytes?: number,
): Promise<{ readonly text: string } | { readonly failure: string }> {
  const read = await readBytes(path, mostBytes);
  return "failure" in read ? read : textOfBytes(read.bytes);
}

/** The text of a file's bytes without a byte order mark, or an error message. */
export function textOfBytes(bytes: Buffer): { readonly text: string } | { readonly failure: string } {
  if (isUtf16(bytes))
    return { failure: "it is UTF-16; write it as UTF-8, in PowerShell with `-Encoding utf8`" };
  const text = bytes.toString("utf8");
  return { text: text.startsWith("\uFEFF") ? text.slice(1) : text };
}

/** The text of a small file of our own; undefined where there is none that can be read. */
export function textOfFile(path: string): string | undefined {
  try {
    return statsOf(path)?.isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** The bytes of a file that a program wrote; undefined where it is empty, too long, or no file. */
export function bytesOfFile(path: string, mostBytes: number): Buffer | undefined {
  try {
    const file = openToRead(path);
    try {
      const stats = fstatSync(file);
      return stats.isFile() && stats.size > 0 && stats.size <= mostBytes ? bytesOfOpen(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Opens what a program wrote, through no link. */
export function openToRead(path: string): number {
  return openSync(path, WITHOUT_WAITING | constants.O_NOFOLLOW);
}

/** All bytes of an open file from a place on, whatever became of its path. */
export function bytesOfOpen(file: number, from = 0): Buffer {
  const bytes = Buffer.alloc(Math.max(fstatSync(file).size - from, 0));
  let read = 0;
  while (read < bytes.length) {
    const more = readSync(file, bytes, read, bytes.length - read, from + read);
    if (more === 0) break;
    read += more;
  }
  return bytes.subarray(0, read);
}

/** True for PowerShell's `>` output: a byte order mark of UTF-16, or a zero byte beside each of the first two letters. */
export function isUtf16(bytes: Buffer): boolean {
  return /^(?:\xff\xfe|\xfe\xff|[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/s.test(bytes.toString("latin1", 0, 4));
}

type Named = Pick<FoundFile, "file" | "at">;

/** The bytes of a file, or the problem. */
export async function readBytesOrProblem({ file, at }: Named): Promise<Buffer | Problem> {
  const read = await readBytes(file);
  return "bytes" in read ? read.bytes : unreadable(at, read.failure);
}

/** The text of a file without a byte order mark, or the problem. */
export async function readTextOrProblem({ file, at }: Named, mostBytes?: number): Promise<string | Problem> {
  const read = await readText(file, mostBytes);
  return "text" in read ? read.text : unreadable(at, read.failure);
}

function unreadable(at: SourceSpan, failure: string): Problem {
  return error("unreadable-file", `the file cannot be read: ${failure}.`, { at });
}

/** An error message without the path. */
export function readFailure(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EISDIR") return "it is a folder";
  if (code === "ENOENT") return "it does not exist";
  if (code === "ENOTDIR") return "a part of its path is a file";
  if (code === "ENAMETOOLONG") return "its name is too long";
  if (code === "ENXIO") return "it is a pipe or a device, not a file";
  if (code === "ENOSPC") return "the disk is full";
  if (code === "ELOOP") return "its links lead in a circle";
  return messageOf(error);
}

/** The problem of a file that an input names through a refused link; undefined if it may be read. */
export function notFollowed({ refused, at }: FoundFile): Problem | undefined {
  if (refused === undefined) return undefined;
  const message = `the file is reached by ${REFUSED_LINK[refused]}.`;
  return error("refused-link", message, { help: "Name the file itself, or replace the link with it.", at });
}
