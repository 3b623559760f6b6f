/** Reads the input `baseline`: graded results files of an earlier run. */
import { dirname, parse, resolve } from "node:path";
import type { Retired, Row } from "../domain/row.ts";
import { error, notice, warning, type Problem } from "../domain/problem.ts";
import { isInside, lookUp, shownPath, slashes, spanOfFile, type FoundFile } from "../files/confine.ts";
import { contentKeys } from "../files/digest.ts";
import { findFiles, fixedFolder, miswritten, statsOf } from "../files/find.ts";
import { readContent } from "../outputs/content.ts";
import { type ReadRows, readRows } from "./row-file.ts";
import { count, withoutEnd } from "../text/format.ts";

/** Maximum files to look into. */
const MOST_FILES_LOOKED_INTO = 20;

/** A baseline, with the queries of trigger evals; without rows when there is none yet. */
export interface Baseline {
  readonly rows: readonly Row[];
  /** Those of its newest commit; all where that is not known. */
  readonly newest: readonly Row[];
  readonly source: {
    /** The branch, if all files were graded on the same one. */
    readonly branch?: string | undefined;
    /** One of its patterns lies in the checkout. */
    readonly inCheckout?: boolean | undefined;
    /** The commits that were graded, the newest grade first. */
    readonly graded?: readonly Graded[] | undefined;
  };
  /** Real paths of its files. */
  readonly paths: readonly string[];
  readonly problems: Problem[];
}

/** A commit that was graded, and the run of the workflow that did. */
export type Graded = Pick<ReadRows, "commit" | "run">;

const HELP =
  "Set `baseline` to the graded results of an earlier run: the file of its `output-file`, not the results of the agent.";

interface BaselineOptions {
  /** The gate needs the baseline: a missing one is a warning. */
  readonly decides?: boolean | undefined;
  /** A first run of a workflow has no baseline yet: a glob may match nothing, as a plain path may at the command line, too. */
  readonly mayBeMissing?: boolean | undefined;
  /** The file that this step writes. */
  readonly outputFile?: string | undefined;
}

/**
 * Reads every file that the patterns match; copies count once. A file without usable grades is a warning, or a
 * configuration problem when no file has any. A pattern may match nothing yet; one that misses graded files by the depth
 * of their folder is a configuration problem.
 */
export async function readBaseline(
  patterns: readonly string[],
  workspace: string,
  options: BaselineOptions = {},
): Promise<Baseline> {
  const problems: Problem[] = [];
  const files = (await findFiles(patterns, workspace)).map((file) => lookUp(file, workspace));
  const positive = patterns.filter((one) => !one.startsWith("!"));
  for (const pattern of positive) {
    if ((await findFiles([pattern], workspace)).length === 0)
      problems.push(await notThere(pattern, workspace, options));
  }
  const read: ReadRows[] = [];
  const wrong: Problem[] = [];
  const left: FoundFile[] = [];
  const contentKey = contentKeys(files);
  const seen = new Set<string>();
  for (const file of files) {
    const content = await contentKey(file);
    if (seen.has(content)) continue;
    seen.add(content);
    const { rows: found, problem } = await readFile(file, workspace);
    if (found?.isCopy) {
      left.push(file);
      continue;
    }
    if (found) read.push(found);
    if (problem) wrong.push(problem);
  }
  const rows = sinceAccepted(read, withNewestGoldens(read));
  const level = rows.length === 0 ? "error" : "warning";
  problems.push(...wrong.map((problem) => ({ ...problem, level }) as const));
  const [copy] = left;
  if (copy && left.length === files.length) {
    const at = spanOfFile({ path: shownPath(copy.file, workspace), inRepository: false });
    const message = "This is a copy for waza; the record of the run is beside its folder.";
    problems.push(error("baseline-is-copy", message, { help: HELP, at }));
  }
  const branches = new Set(read.map(({ branch }) => branch));
  const source = {
    branch: branches.size === 1 ? read[0]?.branch : undefined,
    inCheckout: positive.some((pattern) => isInCheckout(pattern, workspace)),
    graded: read.toSorted((one, other) => other.time - one.time).map(({ commit, run }) => ({ commit, run })),
  };
  return {
    rows,
    newest: ofNewestCommit(read).flatMap((one) => one.rows),
    source,
    paths: files.map(({ real }) => real),
    problems,
  };
}

function isInCheckout(pattern: string, workspace: string): boolean {
  return isInside(resolve(workspace, fixedFolder(pattern)), workspace);
}

async function readFile(
  found: FoundFile,
  workspace: string,
): Promise<{ readonly rows?: ReadRows | undefined; readonly problem?: Problem | undefined }> {
  const content = await readContent(found, false);
  if (!("file" in content)) return { problem: { ...content, help: HELP } };
  const name = shownPath(found.file, workspace);
  const rows = readRows("data" in content ? content.data : undefined, name);
  const message = wrongWith(rows);
  const { at } = content;
  const help = rows?.isUngraded ? "Remove the file, or grade that run again." : HELP;
  return {
    rows,
    problem: message === undefined ? undefined : error("unusable-baseline", message, { help, at }),
  };
}

/** What main asks now: older files may hold evals that it has retired since. */
function ofNewestCommit(files: readonly ReadRows[]): readonly ReadRows[] {
  const [last] = files.toSorted((one, other) => other.time - one.time);
  const isNewest = ({ commit }: ReadRows) => last?.commit === undefined || commit === last.commit;
  return files.filter(isNewest);
}

/** All rows; among several files with a suite, the newest decides which tasks are golden. */
function withNewestGoldens(files: readonly ReadRows[]): Row[] {
  const newest = new Map<string, number>();
  for (const { rows, time } of files)
    for (const { suite, query } of rows)
      if (!query) newest.set(suite, Math.max(time, newest.get(suite) ?? 0));
  return files.flatMap(({ rows, time }) =>
    rows.map((row) => (newest.get(row.suite) === time ? row : { ...row, golden: undefined })),
  );
}

/**
 * The rows that count: where a drop was accepted in a file, older ones count no more for the tasks that fell and the
 * graders that went.
 */
function sinceAccepted(files: readonly ReadRows[], rows: readonly Row[]): readonly Row[] {
  const key = ({ suite, task, grader }: Retired) => JSON.stringify([suite, task, grader ?? null]);
  const since = new Map<string, number>();
  for (const { accepted, time } of files)
    for (const one of accepted) since.set(key(one), Math.max(time, since.get(key(one)) ?? 0));
  return rows.filter(({ suite, task, grader, time = 0 }) =>
    [
      { suite, task },
      { suite, task, grader },
    ].every((one) => time >= (since.get(key(one)) ?? 0)),
  );
}

/** No run of the default branch has kept the artifact yet. */
export function noneKept(
  name: string,
  {
    branch,
    decides,
    elsewhere,
  }: Pick<BaselineOptions, "decides"> & { readonly branch: string; readonly elsewhere?: string | undefined },
): Problem {
  const message = `No run of this workflow on \`${branch}\` has kept results yet, as the artifact \`${name}\`.`;
  const help =
    elsewhere === undefined
      ? UNTIL_GRADED
      : `There are results of that name by \`${elsewhere}\`: keep \`push\` and \`pull_request\` in one file.`;
  return (decides ? warning : notice)("no-baseline", message, { help });
}

const UNTIL_GRADED = "Nothing is compared until the default branch has been graded and its results are kept.";

/** A first run has no baseline yet; a graded file that the pattern misses is a mistake. */
async function notThere(
  pattern: string,
  workspace: string,
  { decides, mayBeMissing, outputFile }: BaselineOptions,
): Promise<Problem> {
  const isPlain =
    fixedFolder(`${pattern}/`) === `${pattern}/` && statsOf(resolve(workspace, pattern)) === undefined;
  const message = isPlain
    ? `The \`baseline\` file \`${pattern}\` is not there.`
    : `The \`baseline\` glob \`${pattern}\` matches no file in ${slashes(workspace)}.`;
  const beside = isPlain ? undefined : await gradedBeside(pattern, workspace, outputFile);
  if (beside) {
    const [file, better] = [shownPath(beside.file, workspace), beside.pattern];
    const help = `There is \`${file}\`, which holds graded results: write \`${better}\`.`;
    return error("baseline-missed", message, { help });
  }
  if (!mayBeMissing && !isPlain)
    return error("baseline-no-match", message, { help: `${miswritten(pattern)}${HELP}` });
  const remedy = isInCheckout(pattern, workspace)
    ? "Until the file is there, `fail-on: regression` acts as `fail`."
    : UNTIL_GRADED;
  const help = `${miswritten(pattern)}${remedy}`;
  return decides ? warning("no-baseline", message, { help }) : notice("no-baseline", message, { help });
}

/** A graded file that the pattern misses by its folder's depth or by its name. */
async function gradedBeside(
  pattern: string,
  workspace: string,
  outputFile: string | undefined,
): Promise<{ readonly file: string; readonly pattern: string } | undefined> {
  const isFolder = statsOf(resolve(workspace, pattern))?.isDirectory() === true;
  const folder = isFolder ? `${withoutEnd(pattern, "/")}/` : fixedFolder(pattern);
  // Not deeper: the folder may be that of all users, or of the whole machine.
  const above = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  const isThere = statsOf(resolve(workspace, folder)) !== undefined;
  const names = isThere ? [`${folder}*.json`, `${folder}*/*.json`] : [`${above}*.json`];
  const below = folder === "" || (!isThere && above === "") ? [] : names;
  // An earlier step of the job may have written to the same file.
  const own = outputFile === undefined ? undefined : resolve(dirname(outputFile), parse(outputFile).name);
  for (const better of below) {
    const files = await findFiles([better], workspace);
    const others = files.filter((file) => own === undefined || !file.startsWith(own));
    for (const file of others.slice(0, MOST_FILES_LOOKED_INTO)) {
      const { rows } = await readFile(lookUp(file, workspace), workspace);
      if (rows && rows.rows.length > 0) return { file, pattern: better };
    }
  }
  return undefined;
}

function wrongWith(read: ReadRows | undefined): string | undefined {
  if (read?.isUngraded) return "that run ended in a configuration problem, and is left out.";
  if (!read || read.rows.length === 0) return "the baseline has no grades of this action.";
  if (read.unreadable === 0) return undefined;
  const which = `${count(read.unreadable, "grade")} of the baseline`;
  return `${which} cannot be read or are duplicates; they are ignored.`;
}
