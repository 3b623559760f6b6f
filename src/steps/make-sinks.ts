/** The sinks of a run, as the inputs ask for them: on a runner and at the command line. */
import type { GitHubApi } from "../github/api.ts";
import type { RunContext } from "../github/context.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { RunLog } from "../log/log.ts";
import type { TerminalLog } from "../log/terminal-log.ts";
import type { MakeSinks } from "./dependencies.ts";
import { atOnce } from "../report/sink.ts";
import type { Sink } from "../report/sink.ts";
import { githubSinks } from "../report/sinks/github-sinks.ts";
import { jobSummarySink } from "../report/sinks/job-summary.ts";
import { reportFileSink } from "../report/sinks/report-file.ts";
import { resultsFileSink } from "../report/sinks/results-file.ts";
import { stepOutputsSink } from "../report/sinks/step-outputs.ts";
import { terminalSink } from "../report/sinks/terminal.ts";

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
export function runnerSinks(
  inputs: Inputs,
  { context, api, log, cancelled, summary }: RunnerParts,
): MakeSinks {
  const { notice, warn } = log;
  return (documents, mayWrite) => {
    const page = summary ? [jobSummarySink(summary)] : [];
    // A dry run leaves nothing that could be taken for a verdict.
    if (inputs.dryRun) return [...page, stepOutputsSink()];
    // The outputs also before GitHub has answered, which may take long or be cut short: the later value counts.
    const here = [...page, ...fileSinks(inputs, documents, mayWrite), stepOutputsSink()];
    const beyond = githubSinks({ ...inputs, context, api: api(), notice, warn });
    // GitHub first, since it is waited for; but what is here is safe first when there are seconds left.
    const both = atOnce(cancelled.aborted ? [here, beyond] : [beyond, here], warn);
    // The summary again, to link the check run.
    return [both, ...page, stepOutputsSink()];
  };
}

/** At the command line: the terminal, and the files that are asked for. */
export function terminalSinks(inputs: Inputs, log: TerminalLog): MakeSinks {
  const { token, comment, annotations, dryRun } = inputs;
  if (token !== undefined || comment !== "off" || annotations !== "auto")
    log.notice(
      "Nothing is published on GitHub from here: `token`, `comment` and `annotations` are for the action.",
    );
  return (documents, mayWrite) =>
    dryRun ? [] : [...fileSinks(inputs, documents, mayWrite), terminalSink(log.write, log.out)];
}

function fileSinks({ outputFile, reports }: Inputs, ...[documents, mayWrite]: Parameters<MakeSinks>): Sink[] {
  const copy =
    outputFile !== undefined && mayWrite(outputFile) ? [resultsFileSink(outputFile, documents)] : [];
  return [...copy, ...reports.filter(({ path }) => mayWrite(path)).map(reportFileSink)];
}
