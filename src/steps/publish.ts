/** The publish step: selects the publishers by the inputs; the redacted report goes to the log and to each of them. */
import { comparisonSentence } from "../decide/comparison-text.ts";
import { liftTitle } from "../decide/lift.ts";
import { runProblems } from "../decide/run-problems.ts";
import type { Conclusion, GradingJob } from "../domain/grade.ts";
import { isError, type Problem } from "../domain/problem.ts";
import type { GitHubApi } from "../github/api.ts";
import type { Changes } from "../github/changes.ts";
import type { RunContext } from "../github/context.ts";
import type { KeptResults } from "../github/kept-results.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Judge } from "../judge/judge.ts";
import type { Price } from "../judge/spend.ts";
import type { Log, RunLog, TerminalLog } from "../log/log.ts";
import type { LoadedResults } from "../outputs/reader.ts";
import {
  jobSummaryPublisher,
  reportFilePublisher,
  stepOutputsPublisher,
} from "../report/publishers/files.ts";
import { githubPublishers } from "../report/publishers/github.ts";
import { terminalPublisher } from "../report/publishers/terminal.ts";
import { type Redactor, redactAll } from "../safety/secrets.ts";
import { type Publisher, type Report, atOnce, publishAll } from "../report/report.ts";
import { recordPublisher, resultsFilePublisher } from "../report/results-file.ts";
import { isByComparison } from "../report/sections/title-and-footer.ts";

export interface Dependencies {
  readonly inputs: Inputs;
  readonly inputProblems: readonly Problem[];
  readonly context: RunContext;
  readonly judge: Judge;
  readonly price: Price;
  /** Warnings for judges that their endpoints shut down soon; asks them. */
  readonly endingJudges: (jobs: readonly GradingJob[]) => Promise<Problem[]>;
  /** Lists the files that the pull request changes, below a repository root. */
  readonly changes: (root: string) => Promise<Changes>;
  /** Fetches the results that the default branch kept by a name. */
  readonly kept: (name: string) => Promise<KeptResults | Problem>;
  /**
   * The labels of now: of the pull request; on a branch, of those that were merged since a commit. Absent outside GitHub.
   */
  readonly labels?: GitHubApi["labels"] | undefined;
  /** At the command line: what a comparison makes red is meant. */
  readonly accepted?: boolean | undefined;
  /** The job of this run that ran the agent, if it ended early; absent at the desk. */
  readonly endedAgent?: GitHubApi["endedAgent"] | undefined;
  /** Redacts everything published, and counts the redacted texts. */
  readonly redact: Redactor;
  readonly publishers: MakePublishers;
  /** The log redacts its lines itself. */
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

/** Creates the publishers in their order; `documents` are the results as read, redacted; `mayWrite` is false for refused files. */
type MakePublishers = (
  documents: () => readonly unknown[],
  mayWrite: (file: string) => boolean,
) => readonly Publisher[];

/** How a run ended: the verdict, and the files that inputs name and that could not be written. */
export interface Ended {
  readonly conclusion: Conclusion;
  readonly unwritten: readonly string[];
}

/** Publishes the report; a publisher's failure is a warning, and changes no verdict. */
export async function publish(
  report: Report,
  written: { readonly files: readonly LoadedResults[]; readonly mayWrite: (file: string) => boolean },
  { inputs, redact, publishers, log }: Pick<Dependencies, "inputs" | "redact" | "publishers" | "log">,
): Promise<Ended> {
  let redacted: readonly unknown[] | undefined;
  const documents = () =>
    (redacted ??= written.files.map(({ document }) =>
      inputs.hasCopies ? redactAll(document, redact) : undefined,
    ));
  try {
    // Redacted now, so that their secrets are counted.
    documents();
  } catch {
    // The publisher meets the same error and reports it.
  }
  const safe = { ...report, redactions: report.redactions + redact.count() };
  // The log's last line reports the first configuration problem.
  const last = safe.conclusion.rule === "configuration" ? safe.problems.find(isError) : undefined;
  for (const problem of [...runProblems(safe), ...safe.problems]) if (problem !== last) log.problem(problem);
  if (safe.comparison && !isByComparison(safe)) log.line(comparisonSentence(safe.comparison));
  if (safe.lift) log.line(`${liftTitle(safe.lift)}.`);
  const published = await publishAll(publishers(documents, written.mayWrite), safe, log.warn);
  if (published.resultsFile !== undefined) log.line(`Record: ${published.resultsFile}`);
  for (const file of published.reportFiles ?? []) log.line(`Report: ${file}`);
  if (published.checkRunUrl !== undefined) log.line(`Check run: ${published.checkRunUrl}`);
  if (published.commentUrl !== undefined) log.line(`Comment: ${published.commentUrl}`);
  return { conclusion: safe.conclusion, unwritten: published.unwritten ?? [] };
}

interface RunnerParts {
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
    const here = [...page, ...filePublishers(inputs)(documents, mayWrite), stepOutputsPublisher()];
    const beyond = githubPublishers({ ...inputs, context, api: api(), notice, warn });
    // GitHub first, since it is waited for; but what is here is safe first when there are seconds left.
    const both = atOnce(cancelled.aborted ? [here, beyond] : [beyond, here], warn);
    return [both, stepOutputsPublisher()];
  };
}

/** The files that are asked for. */
function filePublishers({ outputFile, hasCopies, reports }: Inputs): MakePublishers {
  return (documents, mayWrite) => {
    const record =
      outputFile !== undefined && mayWrite(outputFile)
        ? [{ ...resultsFilePublisher(outputFile, documents), file: hasCopies ? outputFile : undefined }]
        : [];
    return [...record, ...reports.filter(({ path }) => mayWrite(path)).map(reportFilePublisher)];
  };
}

/** At the command line: the terminal, the files that are asked for, and with `--json` the record, on `json`. */
export function terminalPublishers(
  inputs: Inputs,
  log: TerminalLog,
  json?: NodeJS.WritableStream,
): MakePublishers {
  return (documents, mayWrite) => [
    ...(inputs.dryRun
      ? []
      : [...filePublishers(inputs)(documents, mayWrite), terminalPublisher(log.write, log.out)]),
    ...(json ? [recordPublisher(json)] : []),
  ];
}
