/** The step's outputs, named in action.yml. */
import * as core from "@actions/core";
import { isBaselineWorthy } from "../../gate/baseline-worthy.ts";
import type { Report } from "../report.ts";
import { formatScore } from "../../text/format.ts";
import type { Published, Publisher } from "../publisher.ts";

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
    comparison: comparison?.verdict ?? "none",
    "newly-failing": isCompared ? String(comparison.newlyFailing.length) : "",
    "newly-passing": isCompared ? String(comparison.newlyPassing.length) : "",
    "baseline-score": comparison?.score ? formatScore(comparison.score.baseline, 4) : "",
    lift: report.lift ? String(Number(report.lift.points.toFixed(1))) : "",
    agreement: agreement?.agreement === undefined ? "" : formatScore(agreement.agreement, 4),
    "results-file": (published.resultsFiles ?? []).join("\n"),
    "check-run-url": published.checkRunUrl ?? "",
  };
}
