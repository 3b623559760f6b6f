/** Reads files of agent outputs, each once. */
import type { Problem } from "../domain/location.ts";
import type { Suite } from "../domain/suite.ts";
import { publishedPath, spanOfFile } from "../files/names.ts";
import { listedCode } from "../text/format.ts";
import { error } from "../text/problem.ts";
import { copiesNotice, copiesOf } from "./copies.ts";
import { groupOf } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { readFile } from "./read-file.ts";
import type { FileRead } from "./read-file.ts";
import { tasksOfSuite } from "./task-names.ts";
import type { KnownTasks } from "./task-names.ts";

/** What files are read with. */
export interface ReadContext {
  readonly workspace: string;
  readonly suites: readonly Suite[];
  /** Evals of the repository that are not graded here. */
  readonly others: readonly Suite[];
  /** The tasks of all suites. */
  readonly tasks: KnownTasks;
  readonly layoutOf: (file: string) => Layout;
}

interface FilesRead {
  readonly reads: readonly FileRead[];
  /** For each file of an eval that is not graded here, that eval. */
  readonly otherEvals: readonly string[];
  readonly problems: Problem[];
}

/** Reads the files; of copies only the first. */
export async function readFiles(
  files: readonly string[],
  { workspace, tasks, layoutOf }: ReadContext,
): Promise<FilesRead> {
  const copies = await copiesOf(files, workspace, (file) => groupOf(layoutOf(file)));
  const problems: Problem[] = [];
  const all: (FileRead | Problem)[] = [];
  const otherEvals: string[] = [];
  for (const file of files) {
    const layout = layoutOf(file);
    const [suite, ...equal] = layout.suites;
    if (suite && equal.length > 0) problems.push(severalEvals(file, workspace, layout.suites));
    const known = suite ? tasksOfSuite(suite) : tasks;
    const read = await readFile(file, { workspace, tasks: known, layout });
    const namesEval = "format" in read && Boolean(read.waza?.data.eval_name);
    if (layout.otherEval !== undefined && !namesEval) otherEvals.push(layout.otherEval);
    else all.push(read);
  }
  const reads = new Map<string, FileRead>();
  const duplicates: [FileRead, FileRead][] = [];
  for (const read of withAnswers(all)) {
    if (!("format" in read)) {
      problems.push(read);
      continue;
    }
    const original = reads.get(copies.get(read.file) ?? "");
    if (original && sameRuns(read, original)) duplicates.push([read, original]);
    else {
      reads.set(read.file, read);
      problems.push(...read.problems);
    }
  }
  return {
    reads: [...reads.values()],
    otherEvals,
    problems: [...problems, ...copiesNotice(duplicates)],
  };
}

/**
 * Waza's results may be named for a task if all files are waza's results. Beside answers and logs such a file is an
 * answer: otherwise an agent that writes its own answer could write other tasks' runs.
 */
function withAnswers(all: readonly (FileRead | Problem)[]): readonly (FileRead | Problem)[] {
  const reads = all.filter((one) => "format" in one);
  if (!reads.some(({ trials, unmatchedName }) => trials ?? unmatchedName)) return all;
  return all.map((one) => ("format" in one ? (one.answer ?? one) : one));
}

/** Equal bytes under another name may be another task's answer, or another trial's. */
function sameRuns(one: FileRead, other: FileRead): boolean {
  const runs = ({ trials = [] }: FileRead) =>
    JSON.stringify(trials.map(({ taskId, number }) => [taskId, number]));
  return runs(one) === runs(other);
}

/** The folder fits the names of several evals, and no path decides. */
function severalEvals(file: string, workspace: string, suites: readonly Suite[]): Problem {
  const { path } = publishedPath(file, workspace);
  const message = `\`${path}\` is in a folder whose name fits several evals: ${listedCode(suites.map(({ at }) => at.path))}.`;
  const help = "Put the files of each eval into a folder named like its path.";
  return error(message, { help, at: spanOfFile(path) });
}
