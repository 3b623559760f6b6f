/** The paths of an eval: its file, its repository, and the files and folders that it and its tasks name, which must stay in there. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, parse, relative, resolve } from "node:path";
import { isProblem, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import type { TaskFile } from "../domain/suite.ts";
import { problem } from "./problems.ts";
import { follow, foldersUp, isInside, refusal, repositoryRoot, slashes } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { readFailure, textOfBytes } from "../files/read.ts";
import { formatNumber, listedCode, shorten } from "../text/format.ts";

/** Characters of a name in a message. */
const LONGEST_NAMED_PATH = 300;
/** Maximum bytes of a text that goes to the judge with every grade. */
const MOST_JUDGED_BYTES = 256_000;

/** An eval file with the repository it belongs to. Paths are absolute. */
export interface EvalLocation {
  readonly file: string;
  readonly folder: string;
  readonly workspace: string;
  /** The repository's root as the workspace names it. */
  readonly top: string;
  /** The same with links resolved; contains every allowed path. */
  readonly root: string;
  /** Absolute paths that the eval and its tasks name, existing or not: as written, and with links resolved. */
  readonly named: Set<string>;
}

export function evalLocation(file: string, workspace: string): EvalLocation {
  const { real } = follow(file);
  const root = repositoryAbove(real, follow(workspace).real);
  return {
    file,
    folder: dirname(file),
    workspace,
    top: repositoryAbove(file, workspace),
    root,
    named: new Set([file, real]),
  };
}

/** Root of a file's repository; for a file outside the workspace and any repository, its folder. */
function repositoryAbove(file: string, workspace: string): string {
  if (isInside(file, workspace)) return repositoryRoot(file, workspace);
  const fileSystemRoot = parse(file).root;
  const root = repositoryRoot(file, fileSystemRoot);
  return root === fileSystemRoot ? dirname(file) : root;
}

/** Real path of a name in one of the eval's files; it need not exist. Added to `named`. Undefined if refused. */
export function confine(path: string, location: EvalLocation): string | undefined {
  const resolved = follow(path);
  if (refusal(resolved, { root: location.root, namedBy: "file" })) return undefined;
  noteNamed(path, location);
  return resolved.real;
}

/** Adds a path to the parts of the eval, and every link on the way to it, since a change of any of them changes the eval. */
export function noteNamed(path: string, { named }: EvalLocation): void {
  const { links, real } = follow(path);
  for (const one of [resolve(path), ...links, real]) named.add(one);
}

/** The nearest file of that name, at or above the eval. Nearer locations where it could appear are noted too, for `changed-only`. */
export function nearestFile(name: string, location: EvalLocation): string | undefined {
  const { folder, top } = location;
  return foldersUp(folder, top)
    .map((at) => join(at, name))
    .find((path) => {
      noteNamed(path, location);
      return existsSync(path);
    });
}

/** Paths of an eval's parts, relative to the root of its repository, with `/`. */
export function evalParts({ named, root, top }: EvalLocation): string[] {
  const paths = [...named].flatMap((path) => {
    const within = [root, top].find((one) => isInside(path, one));
    return within === undefined ? [] : slashes(relative(within, path));
  });
  return [...new Set(paths)];
}

interface NamedText {
  readonly name: string;
  readonly at: SourceSpan;
  /** Its name in messages. */
  readonly label: string;
}

interface NamedPath extends NamedText {
  readonly kind: "file" | "folder" | "any";
}

/** A path as it is named, and with links resolved. */
interface Place {
  readonly path: string;
  readonly real: string;
}

/**
 * The file of that name in the first folder that contains it, or why it is not there. waza looks for `files[].path` in
 * `context_dir`, which is `fixtures` beside the eval file unless the task (or waza's command line, unknown here) sets
 * another; in real repositories files also lie beside the task or the eval.
 */
export function findIn(
  folders: readonly string[],
  named: NamedPath,
  { location, problems }: { readonly location: EvalLocation; readonly problems: Problem[] },
): TaskFile {
  const { name } = named;
  const found = findNamed(folders, named, location);
  if (!isProblem(found)) return { name, path: found.real };
  problems.push(found);
  return { name, missing: found };
}

/** The text of a file with its path as it is named, or the error. */
export function namedText(
  folders: readonly string[],
  named: NamedText,
  { location, most = MOST_JUDGED_BYTES }: { readonly location: EvalLocation; readonly most?: number },
): (Place & { readonly text: string }) | Problem {
  const found = findNamed(folders, { ...named, kind: "file" }, location);
  if (isProblem(found)) return { ...found, level: "error" };
  const unusable = (why: string) =>
    problem("unusable-file", named.at, `${named.label} \`${named.name}\``, why);
  try {
    if (statSync(found.real).size > most) return unusable(`it has more than ${formatNumber(most / 1000)} kB`);
    const read = textOfBytes(readFileSync(found.real));
    if ("failure" in read) return unusable(read.failure);
    return read.text.trim() === "" ? unusable("it is empty") : { ...found, ...read };
  } catch (thrown) {
    return unusable(readFailure(thrown));
  }
}

function findNamed(folders: readonly string[], named: NamedPath, location: EvalLocation): Place | Problem {
  const { name, kind, at } = named;
  // `confine` notes each path for `changed-only`: any of them would be used once it exists.
  const paths = folders
    .map((folder) => resolve(folder, name))
    .map((path) => ({ path, real: confine(path, location) }));
  const existing = paths.find(({ path }) => statsOf(path) !== undefined);
  const { path, real } = existing ?? paths.find((one) => one.real !== undefined) ?? {};
  if (path === undefined || real === undefined) return problem("leaves-repository", at, labelAndName(named));
  const stat = statsOf(real);
  const fits = kind === "file" ? stat?.isFile() : kind === "folder" ? stat?.isDirectory() : stat;
  if (fits) return { path, real };
  const fault = stat ? `is not a ${kind}` : "does not exist";
  const searched = folders.map((folder) => slashes(relative(location.top, folder)) || ".");
  const help = `Searched in ${listedCode([...new Set(searched)])}.`;
  return warning("no-input-file", `${labelAndName(named)} ${fault}.`, { help, at });
}

function labelAndName({ label, name }: NamedText): string {
  return `${label} \`${shorten(name, LONGEST_NAMED_PATH)}\``;
}
