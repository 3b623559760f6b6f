/** The job summary: the report on the run's own page. */
import { appendFile, stat, truncate } from "node:fs/promises";
import { JOB_SUMMARY_BYTES } from "../limits.ts";
import type { Publisher } from "../publisher.ts";
import { renderSummary } from "../summary.ts";

/**
 * Writes at the end of the step's summary file. Published twice: at once, since GitHub may take long or never answer,
 * and again over the first where there is a check run by then, to be linked.
 */
export function jobSummaryPublisher(path: string): Publisher {
  let end: number | undefined;
  return {
    name: "job summary",
    publish: async (report, published) => {
      if (end !== undefined && published.checkRunUrl === undefined) return {};
      end ??= await sizeOf(path);
      await truncate(path, end).catch(() => undefined);
      await appendFile(path, renderSummary(report, JOB_SUMMARY_BYTES, { published }));
      return {};
    },
  };
}

/** Bytes of a file; none of one that is not there yet. */
async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
