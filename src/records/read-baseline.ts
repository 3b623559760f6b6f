/** The input `baseline`: graded results files of an earlier run, to records. */
import type { Problem } from "../domain/place.ts";
import { follow } from "../files/confine.ts";
import { findFiles } from "../files/find.ts";
import { shownPath } from "../files/names.ts";
import { noMatch } from "../files/no-match.ts";
import { count } from "../text/format.ts";
import { readContent } from "../outputs/content.ts";
import { copiesOf } from "../outputs/copies.ts";
import { notice, warning } from "../text/problem.ts";
import type { GradeRecord } from "../domain/record.ts";
import { readRecords } from "./record-fields.ts";
import type { ReadRecords } from "./record-fields.ts";

/** What was found of a baseline; no records where there is none, which is never a configuration problem. */
export interface Baseline {
  readonly records: readonly GradeRecord[];
  /** Real paths of its files. */
  readonly paths: readonly string[];
  readonly problems: Problem[];
}

const HELP =
  "Give `baseline` the graded results of an earlier run: the file of its `output-file`, not the one that the agent's step writes.";

/** Reads every file that the patterns match; one of which nothing can be used is a warning, a pattern without a match a notice. Copies count once. */
export async function readBaseline(patterns: readonly string[], workspace: string): Promise<Baseline> {
  const read: ReadRecords[] = [];
  const problems: Problem[] = [];
  const files = await findFiles(patterns, workspace);
  const copies = await copiesOf(files, workspace);
  for (const pattern of patterns.filter((one) => !one.startsWith("!"))) {
    if ((await findFiles([pattern], workspace)).length === 0)
      problems.push(await notThere(pattern, workspace));
  }
  for (const file of files.filter((one) => !copies.has(one))) {
    const content = await readContent(file, workspace, false);
    if (!("file" in content)) {
      problems.push({ ...content, level: "warning" });
      continue;
    }
    const name = shownPath(file, workspace);
    const found = readRecords("data" in content ? content.data : undefined, name);
    if (found) read.push(found);
    const at = { ...content.where, startLine: 1, endLine: 1 };
    problems.push(...wrongWith(found, name).map((message) => warning(message, { help: HELP, at })));
  }
  const records = withNewestGoldens(read);
  if (records.some(({ basis }) => basis && !basis.sentModel)) problems.push(notice(OLDER));
  return { records, paths: files.map((file) => follow(file).real), problems };
}

const OLDER =
  "The baseline does not say which model's name was sent, or how votes counted: an earlier version wrote it. Both count as equal.";

/** All records; of several files that hold a suite, the newest says what is golden in it. */
function withNewestGoldens(files: readonly ReadRecords[]): GradeRecord[] {
  const newest = new Map<string, number>();
  for (const { records, time } of files)
    for (const { suite } of records) newest.set(suite, Math.max(time, newest.get(suite) ?? 0));
  return files.flatMap(({ records, time }) =>
    records.map((record) => (newest.get(record.suite) === time ? record : { ...record, golden: undefined })),
  );
}

/** The first run has none yet. */
async function notThere(pattern: string, workspace: string): Promise<Problem> {
  const remedy = "What it names counts as absent.";
  const what = "The `baseline` glob";
  return { ...(await noMatch({ what, pattern, cwd: workspace, workspace, remedy })), level: "notice" };
}

function wrongWith(read: ReturnType<typeof readRecords>, name: string): string[] {
  if (!read) return [`The baseline \`${name}\` holds no grades of this action; it counts as absent.`];
  if (read.unreadable === 0) return [];
  const verb = read.unreadable === 1 ? "counts" : "count";
  const which = `${count(read.unreadable, "grade")} of the baseline \`${name}\``;
  return [`${which} cannot be read, or stood there before, and ${verb} as absent.`];
}
