/**
 * A folder that the judge may read, with the limits of its tools. Its files are listed once; others can never be read.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isGit, isPackages, refusal } from "./confine.ts";
import { sha256 } from "../text/hash.ts";
import { FINGERPRINT_BYTES, MOST_FILES } from "./limits.ts";

/** Maximum readable bytes of one file. */
const READABLE_BYTES = 4 * 1024 * 1024;

export interface Folder {
  /** Files by their paths below the folder, with `/`, sorted. */
  readonly files: ReadonlyMap<string, ReadableFile>;
  /** Whether there are more than MOST_FILES files. */
  readonly cut: boolean;
  /** Resolves a path through a linked folder to one of `files`; undefined if it leads elsewhere. */
  readonly follow: (path: string) => Promise<string | undefined>;
  /** Links to folders, and their targets: they are part of the fingerprint. */
  readonly links: ReadonlyMap<string, string>;
  /** A hash of all paths, links and readable contents; undefined if there is too much to hash. */
  readonly fingerprint: () => Promise<string | undefined>;
}

export interface ReadableFile {
  /** Size in bytes. */
  readonly size: number;
  /** Reads the first READABLE_BYTES. Throws the file system's error. */
  readonly read: () => Promise<Buffer>;
}

/**
 * Lists the files of a folder. Links are resolved: one that leads out of the folder, or into .git or node_modules, is left
 * out like those folders themselves, and so is anything but regular files. An unreadable folder is empty.
 */
export async function openFolder(path: string): Promise<Folder> {
  const root = await resolved(path);
  const found = new Map<string, ReadableFile>();
  const links = new Map<string, string>();
  const waiting = [root];
  while (waiting.length > 0 && found.size <= MOST_FILES) {
    const folder = waiting.pop() ?? root;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const read = await Promise.all(
      entries.map(async (entry) => {
        if (isNotWork(entry.name)) return;
        const full = join(folder, entry.name);
        if (entry.isDirectory()) waiting.push(full);
        else if (entry.isFile()) return await fileAt(full, { root });
        else if (entry.isSymbolicLink()) {
          const real = await resolved(full);
          const file = await fileAt(full, { root, real });
          if (!file) links.set(shownName(relative(root, full)), shownName(relative(root, real)));
          return file;
        }
        return undefined;
      }),
    );
    for (const file of read) if (file) found.set(file.name, file);
  }
  const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  const files = new Map(sorted.slice(0, MOST_FILES));
  const follow = async (path: string) => {
    const real = await realpath(join(root, path)).catch(() => undefined);
    const name = real === undefined ? undefined : shownName(relative(root, real));
    return name !== undefined && files.has(name) ? name : undefined;
  };
  return asFolder(files, { cut: found.size > MOST_FILES, links, follow });
}

/** A hash of a folder as the judge may read it; undefined if there is too much to hash. */
export async function folderSha256(path: string): Promise<string | undefined> {
  return await (await openFolder(path)).fingerprint();
}

/** The path with its links resolved; unchanged if it does not exist, which reading will report. */
async function resolved(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

/** `.git` and installed packages, which are not the agent's work. */
function isNotWork(name: string): boolean {
  return isGit(name) || isPackages(name);
}

async function fileAt(
  path: string,
  { root, real = path }: { readonly root: string; readonly real?: string | undefined },
): Promise<(ReadableFile & { name: string }) | undefined> {
  const stats = await lstat(real).catch(() => undefined);
  if (!stats?.isFile() || !isAllowed(real, root)) return undefined;
  return { name: shownName(relative(root, path)), size: stats.size, read: () => readHead(real, root) };
}

function isAllowed(real: string, root: string): boolean {
  if (refusal({ path: real, links: [], real }, { root, namedBy: "file" })) return false;
  return !relative(root, real).split(sep).some(isNotWork);
}

/** A path on one line, with `/` on every system. */
function shownName(path: string): string {
  // eslint-disable-next-line no-control-regex -- to find them is its purpose
  return (sep === "\\" ? path.replaceAll("\\", "/") : path).replace(/[\u0000-\u001f\u007f]/g, (character) =>
    encodeURIComponent(character),
  );
}

/** Reads the beginning of a file. It never blocks, even if a pipe has replaced the file. */
async function readHead(path: string, root: string): Promise<Buffer> {
  if (!isAllowed(await realpath(path), root)) throw new Error("it leads out of the folder");
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("it is not a regular file");
    const buffer = Buffer.alloc(Math.min(stats.size, READABLE_BYTES));
    let filled = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
      filled += bytesRead;
      if (bytesRead === 0 || filled === buffer.length) return buffer.subarray(0, filled);
    }
  } finally {
    await handle.close();
  }
}

function asFolder(
  files: Folder["files"],
  { cut, links, follow }: Pick<Folder, "cut" | "links" | "follow">,
): Folder {
  let fingerprint: Promise<string | undefined> | undefined;
  return {
    files,
    cut,
    links,
    follow,
    fingerprint: () => (fingerprint ??= cut ? Promise.resolve(undefined) : hashOfFiles(files, links)),
  };
}

async function hashOfFiles(
  files: ReadonlyMap<string, ReadableFile>,
  links: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  let bytes = 0;
  for (const { size } of files.values()) bytes += Math.min(size, READABLE_BYTES);
  if (bytes > FINGERPRINT_BYTES) return undefined;
  const hash = createHash("sha256");
  for (const [name, file] of files) {
    const content = await file.read().catch(() => undefined);
    const digest = content ? sha256(content) : "unreadable";
    hash.update(JSON.stringify([name, file.size, digest]));
  }
  // Only if there are any, so that records of folders without links stay valid.
  if (links.size > 0) hash.update(JSON.stringify([...links].sort(([a], [b]) => (a < b ? -1 : 1))));
  return hash.digest("hex");
}

const EMPTY: Omit<Folder, "fingerprint"> = {
  files: new Map(),
  cut: false,
  links: new Map(),
  follow: () => Promise.resolve(undefined),
};

/** A folder of given files, on top of the files of `beneath`. */
export function folderOf(files: Folder["files"], beneath = EMPTY): Folder {
  return asFolder(new Map([...beneath.files, ...files]), beneath);
}

/** A file at any path, links resolved; undefined if it is not a regular file. */
export async function fileAnywhere(path: string): Promise<ReadableFile | undefined> {
  const real = await resolved(path);
  return await fileAt(real, { root: real });
}
