/** The job summary: the report on the run's own page. */
import { appendFile } from "node:fs/promises";
import { JOB_SUMMARY_BYTES } from "../limits.ts";
import type { Sink } from "../sink.ts";
import { renderSummary } from "../summary/summary.ts";

/** Appends to the step's summary file. */
export function jobSummarySink(path: string): Sink {
  return {
    name: "job summary",
    publish: async (report) => {
      await appendFile(path, renderSummary(report, JOB_SUMMARY_BYTES));
      return {};
    },
  };
}
