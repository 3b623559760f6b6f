/** Selects the publishers of a run by its inputs, on a runner and locally. */
import type { GitHubApi } from "../github/api.ts";
import type { RunContext } from "../github/context.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { RunLog } from "../log/log.ts";
import type { TerminalLog } from "../log/terminal-log.ts";
import type { MakePublishers } from "./dependencies.ts";
import { atOnce } from "../report/publisher.ts";
import type { Publisher } from "../report/publisher.ts";
import { githubPublishers } from "../report/publishers/github-publishers.ts";
import { jobSummaryPublisher } from "../report/publishers/job-summary.ts";
import { reportFilePublisher } from "../report/publishers/report-file.ts";
import { resultsFilePublisher } from "../report/publishers/results-file.ts";
import { stepOutputsPublisher } from "../report/publishers/step-outputs.ts";
import { terminalPublisher } from "../report/publishers/terminal.ts";

export interface RunnerParts {
  readonly context: RunContext;
  /** The calls of GitHub's API, or why there are none; their time begins when they are made. */
  readonly api: () => GitHubApi | { readonly missing: string };
  readonly log: RunLog;
  readonly cancelled: AbortSignal;
  /** The file of the job summary. */
  readonly summary: string | undefined;
}

/** On a runner: GitHub, the files, the step's outputs. */
export function runnerPublishers(
  inputs: Inputs,
  { context, api, log, cancelled, summary }: RunnerParts,
): MakePublishers {
  const { notice, warn } = log;
  return (documents, mayWrite) => {
    const page = summary ? [jobSummaryPublisher(summary)] : [];
    // A dry run leaves nothing that could be taken for a verdict.
    if (inputs.dryRun) return [...page, stepOutputsPublisher()];
    // The outputs also before GitHub has answered, which may take long or be cut short: the later value counts.
    const here = [...page, ...filePublishers(inputs, documents, mayWrite), stepOutputsPublisher()];
    const beyond = githubPublishers({ ...inputs, context, api: api(), notice, warn });
    // GitHub first, since it is waited for; but what is here is safe first when there are seconds left.
    const both = atOnce(cancelled.aborted ? [here, beyond] : [beyond, here], warn);
    // The summary again, to link the check run.
    return [both, ...page, stepOutputsPublisher()];
  };
}

/** At the command line: the terminal, and the files that are asked for. */
export function terminalPublishers(inputs: Inputs, log: TerminalLog): MakePublishers {
  const { token, comment, annotations, dryRun } = inputs;
  if (token !== undefined || comment !== "off" || annotations !== "auto")
    log.notice(
      "Nothing is published on GitHub from here: `token`, `comment` and `annotations` are for the action.",
    );
  return (documents, mayWrite) =>
    dryRun ? [] : [...filePublishers(inputs, documents, mayWrite), terminalPublisher(log.write, log.out)];
}

function filePublishers(
  { outputFile, reports }: Inputs,
  ...[documents, mayWrite]: Parameters<MakePublishers>
): Publisher[] {
  const copy =
    outputFile !== undefined && mayWrite(outputFile) ? [resultsFilePublisher(outputFile, documents)] : [];
  return [...copy, ...reports.filter(({ path }) => mayWrite(path)).map(reportFilePublisher)];
}
