/** Publishers that write files: the job summary, the input `reports`, and the step's outputs, named in action.yml. */
import * as core from "@actions/core";
import { isBaselineWorthy } from "../../decide/gate.ts";
import { bothSides, newlyFailing, newlyPassing, verdictOf } from "../../decide/compare.ts";
import { appendTo, replaceFile } from "../../files/write.ts";
import type { Published, Publisher, Report } from "../report.ts";
import { plainText } from "../../safety/sanitize.ts";
import { renderSummary } from "../summary.ts";
import { allGrades } from "../../results/score.ts";
import { formatScore } from "../../text/format.ts";

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits, in bytes. */
const JOB_SUMMARY_BYTES = 1_048_576;

/** A report in each format, in pieces if it can be long; modules are loaded only if used. */
const RENDER: Record<Format, (report: Report, published: Published) => Promise<string | Iterable<string>>> = {
  html: async (report, published) => (await import("../html.ts")).renderHtml(report, published),
  junit: async (report) => (await import("../junit.ts")).renderJunit(report),
  labels: async (report) =>
    (await import("../../labels/labels.ts")).labelsToFillIn(allGrades(report), plainText),
  markdown: (report, published) => Promise.resolve(renderSummary(report, Infinity, { published })),
};

type Format = "html" | "junit" | "markdown" | "labels";

/** Writes the report in one format, atomically. Throws errors of the file system. */
export function reportFilePublisher({ format, path }: Readonly<{ format: Format; path: string }>): Publisher {
  return {
    name: `${format} report`,
    file: path,
    publish: async (report, published) => {
      const { reportFiles = [] } = published;
      await replaceFile(path, await RENDER[format](report, published));
      return { reportFiles: [...reportFiles, path] };
    },
  };
}

/** Writes at the end of the step's summary file. */
export function jobSummaryPublisher(path: string): Publisher {
  return {
    name: "job summary",
    publish: async (report, published) => {
      await appendTo(path, renderSummary(report, JOB_SUMMARY_BYTES, { published }));
      return {};
    },
  };
}

/** Sets every output. The last publisher, since outputs name what the others published. */
export function stepOutputsPublisher(): Publisher {
  return {
    name: "step outputs",
    publish: (report, published) => {
      for (const [name, value] of Object.entries(outputs(report, published))) core.setOutput(name, value);
      return Promise.resolve({});
    },
  };
}

function outputs(report: Report, published: Published): Record<string, string> {
  const { scores, conclusion, comparison, agreement } = report;
  const { counts } = scores;
  const isCompared = comparison && comparison.source.absent === undefined;
  const compared = comparison && bothSides(comparison.pairs);
  return {
    score: scores.score === undefined ? "" : formatScore(scores.score, 4),
    conclusion: conclusion.conclusion,
    passed: String(conclusion.passed),
    "baseline-worthy": String(isBaselineWorthy(report)),
    "grades-passed": String(counts.passed),
    "grades-failed": String(counts.failed),
    "grades-errored": String(counts.errored),
    "grades-skipped": String(counts.skipped),
    "checks-passed": String(counts.checksPassed),
    "checks-failed": String(counts.checksFailed),
    "judge-calls": String(counts.judgeCalls),
    tokens: String(counts.tokens.input + counts.tokens.output),
    comparison: comparison ? verdictOf(comparison) : "none",
    again: conclusion.again.length > 0 ? "yes" : "no",
    "newly-failing": isCompared ? String(newlyFailing(comparison).length) : "",
    "newly-passing": isCompared ? String(newlyPassing(comparison).length) : "",
    "baseline-score": compared ? formatScore(compared.baseline, 4) : "",
    lift: report.lift?.points === undefined ? "" : String(Number(report.lift.points.toFixed(1))),
    agreement: agreement?.agreement === undefined ? "" : formatScore(agreement.agreement, 4),
    "results-file": published.resultsFile ?? "",
    "waza-results": published.wazaFolder ?? "",
    "check-run-url": published.checkRunUrl ?? "",
  };
}
