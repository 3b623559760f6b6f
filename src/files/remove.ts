/** Removes what others may have changed meanwhile: never through a link, and with any rights that are set. */
import { execFileSync } from "node:child_process";
import { type Stats, chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes a path below a folder; where one of its parts is a link or a file, that alone. Never throws. */
export function removeBelow(root: string, path: string): void {
  let at = root;
  const parts = path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  for (const [index, part] of parts.entries()) {
    at = join(at, part);
    const stats = statsAt(at);
    if (!stats) return;
    if (!stats.isDirectory() || index === parts.length - 1) {
      removeAll(at);
      return;
    }
  }
}

function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Removes a file, a link, or a folder with all that is in it; links in it are not followed. Never throws. */
export function removeAll(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    openRights(path);
    try {
      // Paths that are too long for the system are none for it.
      execFileSync("rm", ["-rf", "--", path], { stdio: "ignore" });
    } catch {
      // It is another's.
    }
  }
}

/** Makes a folder and all in it readable, and folders writable, by their owner; links are not followed. Never throws. */
export function openRights(path: string): void {
  try {
    const stats = lstatSync(path);
    // A file with a second name may be the checkout's.
    const wanted = stats.isDirectory() ? 0o700 : stats.isFile() && stats.nlink === 1 ? 0o600 : 0;
    if ((stats.mode & wanted) !== wanted) chmodSync(path, (stats.mode & 0o777) | wanted);
    if (stats.isDirectory()) for (const name of readdirSync(path)) openRights(join(path, name));
  } catch {
    // It is gone, or another's.
  }
}
