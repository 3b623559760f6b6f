/** Refuses output files that would overwrite something. */
import { dirname, sep } from "node:path";
import type { Problem } from "../domain/location.ts";
import { REFUSED_LINK, follow, isGit, namedByInput } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { shownPath } from "../files/names.ts";
import { obstacleTo } from "../files/write.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { gradedFiles } from "../report/publishers/results-file.ts";
import { error } from "../text/problem.ts";
import type { Read } from "./read.ts";

/** A file to be written. */
interface Written {
  readonly input: "output-file" | "reports";
  /** A table for people to fill in: an existing one is never overwritten. */
  readonly toFillIn?: boolean | undefined;
  readonly named: string;
  /** Path of the file; several graded copies are numbered. */
  readonly path: string;
}

/**
 * Why files are not written, by their names in the inputs: over input files, over files that people write (YAML, and CSV
 * other than a new table of labels), over each other, into `.git`, or through a link that leaves the repository.
 */
export function findUnwritable(
  { outputFile, reports, workspace }: Inputs,
  { files, paths }: Read,
): ReadonlyMap<string, Problem> {
  const copies =
    outputFile === undefined
      ? []
      : gradedFiles(
          outputFile,
          Math.max(1, files.filter(({ results }) => results.side === undefined).length),
        );
  const written = [
    ...copies.map((path): Written => ({ input: "output-file", named: outputFile ?? path, path })),
    ...reports.map(({ format, path }): Written => ({
      input: "reports",
      named: path,
      path,
      toFillIn: format === "labels",
    })),
  ];
  const read = new Set(paths);
  const wrong = written.flatMap(({ input, named, path, toFillIn = false }): [string, Problem][] => {
    const file = `The input \`${input}\` would write ${shownCode(path, workspace)}`;
    const isPeoples = toFillIn ? /\.ya?ml$/i.test(path) : /\.(?:ya?ml|csv)$/i.test(path);
    const isInput = isPeoples || (statsOf(path) && read.has(follow(path).real));
    const folder = namedByInput(dirname(path), workspace);
    const obstacle = obstacleTo("file", path);
    const reasons = [
      isInput
        ? `The input \`${input}\` would write over ${shownCode(path, workspace)}, which is an input`
        : undefined,
      toFillIn && statsOf(path)?.isFile()
        ? `${file}, which already exists and may hold people's labels`
        : undefined,
      "refused" in folder ? `${file}, in a folder reached by ${REFUSED_LINK[folder.refused]}` : undefined,
      obstacle &&
        `${file}${obstacle.at === path ? "" : `, below ${shownCode(obstacle.at, workspace)}`}, which is ${obstacle.what}`,
      path.split(sep).some(isGit) ? `${file}, which is git's own` : undefined,
      input === "reports" && copies.includes(path)
        ? `${file}, which a graded copy of \`output-file\` is written to`
        : undefined,
    ];
    const why = reasons.find((reason) => reason !== undefined);
    const help = "Name another file.";
    return why === undefined ? [] : [[named, error(`${why}; it is not written.`, { help })]];
  });
  return new Map(wrong);
}

function shownCode(path: string, workspace: string): string {
  return `\`${shownPath(path, workspace)}\``;
}
