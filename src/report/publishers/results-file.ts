/** The graded results, one file out per results file in. */
import { join, parse } from "node:path";
import { stringifyChunked } from "@discoveryjs/json-ext";
import { replaceFile } from "../../files/write.ts";
import { gradedResults } from "../results/graded-results.ts";
import type { Publisher } from "../publisher.ts";

/** Characters of one write. */
const CHUNK = 262_144;

/**
 * Writes the graded copy of each document: the first at `outputFile`, the others beside it, numbered. `documents`
 * are the results as they were read, without secrets, in the report's order; of `undefined` there is no copy.
 */
export function resultsFilePublisher(outputFile: string, documents: () => readonly unknown[]): Publisher {
  return {
    name: "results file",
    publish: async (report) => {
      const resultsFiles: string[] = [];
      const copies = documents();
      const kept = [...copies.keys()].filter((index) => copies[index] !== undefined);
      for (const [place, file] of gradedFiles(outputFile, kept.length).entries()) {
        const index = kept[place] ?? 0;
        await replaceFile(file, lines(gradedResults(copies[index], index, report)));
        resultsFiles.push(file);
      }
      return { resultsFiles };
    },
  };
}

/** The document's JSON in chunks: its whole text could exceed what a string can hold. */
function* lines(document: unknown): Generator<string> {
  yield* stringifyChunked(document, { space: 2, highWaterMark: CHUNK });
  yield "\n";
}

/** Where the graded copies of so many documents are written: the first at `outputFile`, the others numbered from 2. */
export function gradedFiles(outputFile: string, documents: number): string[] {
  const { dir, name, ext } = parse(outputFile);
  return Array.from({ length: documents }, (_, index) =>
    index === 0 ? outputFile : join(dir, `${name}-${String(index + 1)}${ext}`),
  );
}
