/** Reads one file of agent outputs in its format. */
import type { Problem } from "../domain/location.ts";
import { readContent } from "./content.ts";
import { otherFormatWarning, readerOf, unknownFormatProblem, wazaResultsIn } from "./detect.ts";
import type { Layout } from "./layout.ts";
import type { Reader, Reading, Where } from "./reader.ts";
import type { KnownTasks } from "./task-names.ts";
import { isNamedJson, textFilesReader } from "./formats/text-files.ts";
import { wazaResultsReader } from "./formats/waza-results.ts";

/** A file with its runs. */
export interface FileRead extends Reading {
  readonly file: string;
  readonly layout: Layout;
  readonly where: Where;
  readonly format: string;
  /** Of waza's results that are named for a task: the file as the answer to that task. */
  readonly answer?: FileRead | undefined;
}

interface Context {
  readonly workspace: string;
  /** The tasks that the file may be of. */
  readonly tasks: KnownTasks;
  readonly layout: Layout;
}

/** The file's runs, or the problem that it cannot be read. */
export async function readFile(
  file: string,
  { workspace, tasks, layout }: Context,
): Promise<FileRead | Problem> {
  const content = await readContent(file, workspace, isNamedJson(file, tasks));
  if (!("file" in content)) return content;
  const reader = readerOf(content, tasks);
  const [broken] = content.broken ?? [];
  if (broken && reader !== textFilesReader && !reader?.isLog) return broken.problem;
  if (!reader) return unknownFormatProblem(content);
  const { where } = content;
  const as = async ({ format, read }: Reader): Promise<FileRead> => ({
    ...(await read(content, tasks)),
    file,
    layout,
    where,
    format,
  });
  const read = await as(reader);
  // A file named for a task always counts, or an agent could write an answer that is left out.
  const isLeftOut = read.trials === undefined && isNamedJson(file, tasks);
  const text = isLeftOut ? await as(textFilesReader) : read;
  if (text.format !== textFilesReader.format || text.trials === undefined) return text;
  const answer = { ...text, problems: otherFormatWarning(content) };
  const results = await wazaResultsIn(content, tasks);
  return results ? { ...results, file, layout, where, format: wazaResultsReader.format, answer } : answer;
}
