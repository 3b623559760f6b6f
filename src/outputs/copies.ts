/** What is there twice: artifacts that were downloaded into several folders, and snapshots beside their results. */
import { createHash } from "node:crypto";
import { namedByInput } from "../files/confine.ts";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import type { Problem } from "../domain/place.ts";
import type { ResultsFile } from "../domain/run.ts";
import { statsOf } from "../files/find.ts";
import { readBytesOrProblem } from "../files/read.ts";
import { listed, listedCode } from "../text/format.ts";
import { LARGEST } from "./content.ts";
import { wazaSnapshotReader } from "./formats/waza-snapshot.ts";
import type { Trial, Where } from "./reader.ts";
import type { TrialsOfFile } from "./synthesise.ts";
import { notice, warning } from "../text/problem.ts";

/** The first file with the very bytes of a later one, by the later one's path. */
export async function copiesOf(
  files: readonly string[],
  workspace: string,
): Promise<ReadonlyMap<string, string>> {
  const bySize = Map.groupBy(files, (file) => statsOf(file)?.size ?? 0);
  const copies = new Map<string, string>();
  for (const [size, alike] of bySize) {
    if (alike.length < 2 || size > LARGEST) continue;
    const firsts = new Map<string, string>();
    for (const file of alike) {
      const bytes =
        "refused" in namedByInput(file, workspace) ? undefined : await readBytesOrProblem(file, workspace);
      if (!Buffer.isBuffer(bytes)) continue;
      const digest = createHash("sha256").update(bytes).digest("hex");
      const first = firsts.get(digest);
      if (first === undefined) firsts.set(digest, file);
      else copies.set(file, first);
    }
  }
  return copies;
}

/** One notice for all copies, each with what it is a copy of. */
export function copiesNotice(copies: readonly (readonly [{ where: Where }, { where: Where }])[]): Problem[] {
  const [first] = copies;
  if (!first) return [];
  const names = copies.map(([copy, original]) => `\`${copy.where.path}\` (as \`${original.where.path}\`)`);
  const message = `There twice, byte for byte, and read once: ${listed(names)}.`;
  return [notice(message, { at: { ...first[0].where, startLine: 1, endLine: 1 } })];
}

/** Runs of one task from files of two formats that number none of them: likely one run, told twice, and graded twice. */
export function toldTwice(files: readonly TrialsOfFile[]): Problem[] {
  const all = files.flatMap((file) => file.trials.map((trial) => ({ file, trial })));
  const unnumbered = all.filter(({ trial }) => trial.number === undefined);
  const byTask = Map.groupBy(unnumbered, ({ trial: { taskId } }) => taskId);
  const pairs = [...byTask.values()].flatMap(([first, ...others]) => {
    const other = others.find(({ file }) => file.format !== first?.file.format);
    return first && other ? [[first.file.where, other.file.where] as const] : [];
  });
  const [pair] = pairs;
  if (!pair) return [];
  const names = pairs.map(([one, other]) => `\`${one.path}\` and \`${other.path}\``);
  const message = `Files of two formats tell of one task, and each is graded: ${listed(names)}.`;
  const help = "If they are of one run, leave one format out of `results`.";
  return [warning(message, { help, at: { ...pair[0], startLine: 1, endLine: 1 } })];
}

interface Remaining {
  readonly trials: readonly TrialsOfFile[];
  readonly problems: readonly Problem[];
}

/** waza writes snapshots beside the results of the same runs, which say more: those runs are left out, with a notice. */
export function withoutSnapshots(files: readonly TrialsOfFile[], results: readonly ResultsFile[]): Remaining {
  const keyOf = (
    { taskId, number }: Pick<Trial, "taskId" | "number">,
    evalName = "",
    model = UNKNOWN_MODEL,
  ) => JSON.stringify([evalName, taskId, number, model]);
  // Snapshots of some engines name no model.
  const told = new Set(
    results.flatMap(({ runs, evalName }) =>
      runs.flatMap((run) => [keyOf(run, evalName, run.model), keyOf(run, evalName)]),
    ),
  );
  const isTold = ({ format, trials }: TrialsOfFile) =>
    format === wazaSnapshotReader.format &&
    trials.every((trial) => told.has(keyOf(trial, trial.evalName, trial.model)));
  const left = files.filter(isTold);
  const [first] = left;
  const message = `Snapshots of runs that the results hold too, left out: ${listedCode(left.map(({ where }) => where.path))}.`;
  return {
    trials: files.filter((file) => !isTold(file)),
    problems: first ? [notice(message, { at: { ...first.where, startLine: 1, endLine: 1 } })] : [],
  };
}
