/** The file of the record, and the folder beside it with a copy of each of waza's results files. */
import { stringifyChunked } from "@discoveryjs/json-ext";
import { dirname, join, parse } from "node:path";
import { hasVerdict } from "../domain/row.ts";
import { AGAIN_LIST } from "../domain/run.ts";
import { replaceFile } from "../files/write.ts";
import { recordOf } from "./record.ts";
import type { Publisher } from "./report.ts";
import { gradedCopy } from "./waza-copy.ts";

/** Characters of one write. */
const WRITE_CHARACTERS = 262_144;
/** Characters of an eval's name in the name of its copy for waza: file systems take 255 bytes. */
const LONGEST_COPY_NAME = 60;

/**
 * Writes the record at `outputFile`, with the grades of all suites, and a copy of each document of waza in a folder
 * beside it. `documents` has a place for each results file of the report, with what waza wrote, without secrets;
 * `undefined` for other formats. Without any results or runs of trigger evals nothing is written but the list of what
 * is asked again.
 */
export function resultsFilePublisher(outputFile: string, documents: () => readonly unknown[]): Publisher {
  return {
    name: "results file",
    publish: async (report) => {
      const { again } = report;
      if (again !== undefined) await replaceFile(join(dirname(outputFile), AGAIN_LIST), again);
      const copies = documents();
      const kept = [...copies.keys()].filter((index) => copies[index] !== undefined);
      if (copies.length === 0 && !report.triggers?.rows.some(hasVerdict)) return {};
      await replaceFile(outputFile, linesOfResultsFile({ waza_grade: recordOf(report) }));
      const names = kept.map((index) => (copies[index] as { eval_name?: unknown }).eval_name);
      for (const [place, file] of copyFiles(outputFile, names).entries()) {
        const index = kept[place] ?? 0;
        await replaceFile(file, linesOfResultsFile(gradedCopy(copies[index], index, report)));
      }
      return { resultsFile: outputFile, wazaFolder: kept.length > 0 ? wazaFolderOf(outputFile) : undefined };
    },
  };
}

/** Writes the record to a stream, such as standard output. */
export function recordPublisher(out: NodeJS.WritableStream): Publisher {
  return {
    name: "record",
    publish: async (report) => {
      for (const chunk of linesOfResultsFile({ waza_grade: recordOf(report) }))
        // Whoever reads it may stop.
        await new Promise((written) => out.write(chunk, written));
      return {};
    },
  };
}

/** Where the copies for waza are written: in a folder named for the record, each by the name of its eval. */
export function copyFiles(outputFile: string, evalNames: readonly unknown[]): string[] {
  const taken = new Map<string, number>();
  return evalNames.map((evalName) => {
    const written = typeof evalName === "string" ? evalName : "";
    const stem = written.replace(/[^\w-]+/g, "-").slice(0, LONGEST_COPY_NAME) || "results";
    const number = (taken.get(stem) ?? 0) + 1;
    taken.set(stem, number);
    const file = `${stem}${number === 1 ? "" : `.${String(number)}`}.json`;
    return join(wazaFolderOf(outputFile), file);
  });
}

function wazaFolderOf(outputFile: string): string {
  const { dir, name } = parse(outputFile);
  return join(dir, `${name}-waza`);
}

/** The document's JSON in chunks: its whole text could exceed what a string can hold. */
function* linesOfResultsFile(document: unknown): Generator<string> {
  yield* stringifyChunked(document, { space: 2, highWaterMark: WRITE_CHARACTERS });
  yield "\n";
}
