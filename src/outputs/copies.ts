/** Duplicates, such as artifacts that were downloaded into several folders. */
import { createHash } from "node:crypto";
import { namedByInput } from "../files/confine.ts";
import type { Problem } from "../domain/location.ts";
import { statsOf } from "../files/find.ts";
import { readBytesOrProblem } from "../files/read.ts";
import { listed } from "../text/format.ts";
import { LARGEST } from "./content.ts";
import type { Where } from "./reader.ts";
import type { TrialsOfFile } from "./synthesise.ts";
import { notice, warning } from "../text/problem.ts";
import { spanOfFile } from "../files/names.ts";

/** Maps each copy to the first file of its group with equal bytes. */
export async function copiesOf(
  files: readonly string[],
  workspace: string,
  groupOf: (file: string) => string = () => "",
): Promise<ReadonlyMap<string, string>> {
  const sizeOf = (file: string) => statsOf(file)?.size ?? 0;
  const bySize = Map.groupBy(files, (file) => `${String(sizeOf(file))} ${groupOf(file)}`);
  const copies = new Map<string, string>();
  for (const files of bySize.values()) {
    if (files.length < 2 || sizeOf(files[0] ?? "") > LARGEST) continue;
    const firsts = new Map<string, string>();
    for (const file of files) {
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
  const message = `Identical files, read once: ${listed(names)}.`;
  return [notice(message, { at: spanOfFile(first[0].where) })];
}

/** A warning for unnumbered runs of one task in two formats: likely one run, which would be graded twice. */
export function duplicateTasks(files: readonly TrialsOfFile[]): Problem[] {
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
  const message = `Two files describe the same task; both are graded: ${listed(names)}.`;
  const help = "If they are of one run, leave one format out of `results`.";
  return [warning(message, { help, at: spanOfFile(pair[0]) })];
}
