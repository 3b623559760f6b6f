/** The job summary: the report on the run's own page. */
import { appendFile } from "node:fs/promises";
import { UserError } from "../errors.ts";
import { JOB_SUMMARY_BYTES } from "./limits.ts";
import type { Sink } from "./sink.ts";
import { renderSummary } from "./summary.ts";

/** Appends to the step's summary file; throws UserError where the runner offers none. */
export function jobSummarySink(path: string | undefined): Sink {
  return {
    name: "job summary",
    publish: async (report) => {
      if (!path) throw new UserError("GITHUB_STEP_SUMMARY is not set, so this runner shows no summaries.");
      await appendFile(path, renderSummary(report, JOB_SUMMARY_BYTES));
      return {};
    },
  };
}
