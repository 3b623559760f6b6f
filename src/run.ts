/** The pipeline: read, plan, grade, score, decide, publish. */
import { tellOnce } from "./alike.ts";
import type {
  Conclusion,
  Estimate,
  Grade,
  GradingJob,
  Problem,
  Report,
  ResultsFile,
  Suite,
} from "./domain.ts";
import { messageOf } from "./errors.ts";
import { count, formatDollars, formatNumber, problemLine } from "./format.ts";
import { decide } from "./gate.ts";
import type { RunContext } from "./github.ts";
import { gradeJobs, plannedRequests } from "./grade.ts";
import { secretsOf } from "./inputs.ts";
import type { Inputs } from "./inputs.ts";
import { estimate } from "./judge/estimate.ts";
import type { EstimateOptions } from "./judge/estimate.ts";
import type { Judge } from "./judge/judge.ts";
import { CHARACTERS_PER_TOKEN } from "./judge/messages.ts";
import type { Price } from "./judge/prices.ts";
import { useKeptWorkspaces } from "./kept-workspaces.ts";
import { readOutputs } from "./outputs/read-outputs.ts";
import type { LoadedResults } from "./outputs/read-outputs.ts";
import { hasWork, planJobs } from "./plan.ts";
import type { Plan } from "./plan.ts";
import {
  endpointFor,
  idleProviders,
  keyIsMissing,
  missingKey,
  missingPrices,
  ownJudge,
  unwritable,
  withoutKeyReason,
} from "./preflight.ts";
import type { Written } from "./preflight.ts";
import { progressLog } from "./progress.ts";
import type { Log } from "./progress.ts";
import { redactAll, redactor } from "./report/redact.ts";
import type { Redactor } from "./report/redact.ts";
import { gradedFiles } from "./report/results-file.ts";
import { publishAll } from "./report/sink.ts";
import type { Sink } from "./report/sink.ts";
import { withoutSameRuns } from "./same-runs.ts";
import { scoreGrades } from "./score.ts";
import { silentJudges } from "./silent-judges.ts";
import { loadSuites } from "./waza/load-suite.ts";
import { findWorkspaces } from "./workspaces.ts";

export interface Dependencies {
  readonly inputs: Inputs;
  readonly inputProblems: readonly Problem[];
  readonly context: RunContext;
  readonly judge: Judge;
  readonly price: Price;
  /** Takes secrets out of everything that is published, and counts the texts that held one. */
  readonly redact: Redactor;
  /** Finds a recorded verdict, for a dry run; absent without records. */
  readonly recordOf: EstimateOptions["recordOf"];
  /** Sinks in the order they publish; `documents` are the results as read, redacted; some files may not be written. */
  readonly sinks: (
    documents: () => readonly unknown[],
    mayWrite: (file: string) => boolean,
  ) => readonly Sink[];
  /** Redacts what it is told, and so does `warn`. */
  readonly log: Log;
  readonly warn: (message: string) => void;
  readonly cancelled: AbortSignal;
  /** Called while the first requests are under way: what is needed later is made ready. */
  readonly whileWaiting: () => void;
}

/** Milliseconds after which the first requests have been sent, and their replies are waited for. */
const WAITING_MS = 50;

/** Runs everything and publishes it; throws only for bugs. */
export async function run(dependencies: Dependencies): Promise<Conclusion> {
  const { inputs, inputProblems, context, cancelled } = dependencies;
  const started = Date.now();
  const evals = await guarded("evals", NO_SUITES, () => loadSuites(inputs.eval, inputs.workspace));
  const { suites } = evals;
  const read = await guarded("results", NO_RESULTS, () =>
    hasWork(suites)
      ? readOutputs({ patterns: inputs.results, workspace: inputs.workspace, suites })
      : { ...NO_RESULTS, problems: [] },
  );
  const results = read.files.map((file) => file.results);
  const plan = planFor(dependencies, suites, read);
  const unwritten = unwritable(filesWritten(inputs, read.files.length), {
    read: new Set([...evals.paths, ...read.paths]),
    workspace: inputs.workspace,
  });
  const missing = [
    ...missingKey(plan, dependencies),
    ...(await missingPrices(plan, dependencies)),
    ...unwritten.values(),
  ];
  const blocked = hasErrors(inputProblems) || hasErrors(missing) || plan.blocked === true;
  const problems = tellOnce([
    ...inputProblems,
    ...evals.problems,
    ...read.problems,
    ...plan.problems,
    ...missing,
    ...ownJudge(plan),
    ...idleProviders(plan, dependencies),
  ]);
  const jobs = blocked ? [] : plan.jobs;

  announce(jobs, results, dependencies);
  const early = setTimeout(dependencies.whileWaiting, WAITING_MS);
  const { grades, estimated } = await gradeAll({ jobs, planned: plan.jobs }, dependencies);
  clearTimeout(early);
  problems.push(...silentJudges(grades));
  const scores = scoreGrades(suites, grades);
  const conclusion = decide({
    scores,
    problems,
    policy: inputs.policy,
    cancelled: cancelled.aborted,
    dryRun: inputs.dryRun,
  });
  const report: Report = {
    conclusion,
    scores,
    problems,
    results,
    policy: inputs.policy,
    time: { started, finished: Date.now() },
    redactions: 0,
    ...(estimated ? { estimate: estimated } : {}),
    ...sourceUrl(context),
  };
  return await publish(report, { files: read.files, unwritten, ...dependencies });
}

interface Read {
  /** Real paths of what was read. */
  readonly paths: readonly string[];
}
const NO_SUITES: Read & { readonly suites: readonly Suite[] } = { suites: [], paths: [] };
const NO_RESULTS: Read & { readonly files: readonly LoadedResults[] } = { files: [], paths: [] };

function filesWritten({ outputFile, reports }: Inputs, documents: number): Written[] {
  const graded = gradedFiles(outputFile, Math.max(1, documents));
  return [
    ...graded.map((path): Written => ({ input: "output-file", named: outputFile, path })),
    ...reports.map(({ path }): Written => ({ input: "reports", named: path, path })),
  ];
}

/** Grades the jobs; a dry run counts what it would take instead. */
async function gradeAll(
  { jobs, planned }: { readonly jobs: readonly GradingJob[]; readonly planned: readonly GradingJob[] },
  dependencies: Dependencies,
): Promise<{ readonly grades: readonly Grade[]; readonly estimated: Estimate | undefined }> {
  const { inputs, judge, cancelled, log } = dependencies;
  const options = {
    timeoutMs: inputs.timeoutMs,
    maxEvidence: inputs.maxEvidence * CHARACTERS_PER_TOKEN,
    // What no judge may see: the workflow's token, and the keys of endpoints.
    conceal: redactor(secretsOf({ ...inputs, apiKey: undefined })),
  };
  const estimated = inputs.dryRun ? await estimateOf(planned, options, dependencies) : undefined;
  if (estimated) log.line(`A dry run: ${describeEstimate(estimated)}.`);
  const tell = progressLog(jobs, log);
  const grades = await gradeJobs(inputs.dryRun ? jobs.map(unasked) : jobs, {
    ...options,
    judge,
    maxConcurrency: inputs.maxConcurrency,
    cancelled,
    onGrade: (grade) => {
      if (!inputs.dryRun) tell(grade);
    },
  });
  return { grades, estimated };
}

async function publish(
  report: Report,
  {
    files,
    unwritten,
    redact,
    sinks,
    warn,
    log,
  }: Dependencies & {
    readonly files: readonly LoadedResults[];
    readonly unwritten: ReadonlyMap<string, Problem>;
  },
): Promise<Conclusion> {
  let made: readonly unknown[] | undefined;
  const documents = () => (made ??= files.map(({ document }) => redactAll(document, redact)));
  // So that their secrets are counted too; one that cannot be walked is the results file's problem alone.
  attempt(documents);
  const safe = { ...redactAll(report, redact), redactions: redact.count() };
  for (const problem of safe.problems) log.line(`${problem.level}: ${problemLine(problem)}`);
  const published = await publishAll(
    sinks(documents, (file) => !unwritten.has(file)),
    safe,
    warn,
  );
  for (const file of published.resultsFiles ?? []) log.line(`Graded results: ${file}`);
  for (const file of published.reportFiles ?? []) log.line(`Report: ${file}`);
  if (published.checkRunUrl !== undefined) log.line(`Check run: ${published.checkRunUrl}`);
  if (published.commentUrl !== undefined) log.line(`Comment: ${published.commentUrl}`);
  return safe.conclusion;
}

function attempt(make: () => unknown): void {
  try {
    make();
  } catch {
    // Whoever needs it meets the error again, and says it.
  }
}

/** A reader that breaks is a bug, and still no reason to publish nothing: the report says so. */
async function guarded<T extends object>(
  what: string,
  nothing: T,
  read: () => (T & { problems: Problem[] }) | Promise<T & { problems: Problem[] }>,
): Promise<T & { problems: Problem[] }> {
  try {
    return await read();
  } catch (error) {
    const help = "This is a bug of waza-grade: please report it with the file that causes it.";
    const message = `The ${what} could not be read: ${messageOf(error)}`;
    return { ...nothing, problems: [{ level: "error", message, help }] };
  }
}

/** Results that could not be read at all leave nothing to plan: their problem is the one to solve. */
function planFor(
  { inputs, context }: Dependencies,
  suites: Parameters<typeof planJobs>[0]["suites"],
  read: { readonly files: readonly LoadedResults[]; readonly problems: readonly Problem[] },
): Plan {
  if (read.files.length === 0 && (hasErrors(read.problems) || !hasWork(suites)))
    return { jobs: [], problems: [] };
  const reason = withoutKeyReason(context);
  const plan = planJobs({
    suites,
    results: read.files.map(({ results }) => results),
    ...(inputs.judgeModel === undefined ? {} : { judgeModel: inputs.judgeModel }),
    ...(reason === undefined
      ? {}
      : { withoutKey: (model: string) => (keyIsMissing(inputs, model) ? reason : undefined) }),
  });
  const told = withoutSameRuns(plan.jobs);
  const { agentWorkspace: pattern, workspace: base, runnerTemp } = inputs;
  const { jobs, problems } =
    pattern === undefined
      ? useKeptWorkspaces(told.jobs, { workspace: base, runnerTemp })
      : findWorkspaces(told.jobs, { pattern, base });
  return {
    jobs,
    problems: [...plan.problems, ...told.problems, ...problems],
    blocked: hasErrors(problems),
  };
}

async function estimateOf(
  jobs: readonly GradingJob[],
  options: Parameters<typeof plannedRequests>[1],
  { inputs, price, recordOf }: Dependencies,
): Promise<Estimate> {
  const { votes, confirmOnFail, caps, offline } = inputs;
  const requests = plannedRequests(jobs, options);
  const placeOf = (model: string) => endpointFor(inputs, model);
  return await estimate(requests, {
    votes,
    confirmOnFail,
    caps,
    offline,
    placeOf,
    price,
    recordOf,
  });
}

function describeEstimate({ grades, recorded, beyond, requests, tokens, cost }: Estimate): string {
  const [low, high] = requests;
  const money = cost
    ? `, ${formatDollars(cost[0])} to ${formatDollars(cost[1])}`
    : ", at a price that is not known";
  const caps = beyond
    .map(({ cap, certain }) => `; \`${cap}\` ${certain ? "would" : "may"} be reached`)
    .join("");
  const known = recorded === 0 ? "" : ` (${formatNumber(recorded)} recorded)`;
  return `${count(grades, "grade")}${known} would take ${formatNumber(low)} to ${formatNumber(high)} requests, ${formatNumber(tokens[0])} to ${formatNumber(tokens[1])} tokens${money}${caps}`;
}

function unasked(job: GradingJob): GradingJob {
  const reason = "A dry run asks no judge.";
  return job.settled ? job : { ...job, settled: { state: "skipped", cause: "dry-run", reason } };
}

function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ level }) => level === "error");
}

function sourceUrl({ repository, sourceSha, serverUrl }: RunContext): { sourceUrl?: string } {
  if (!repository || sourceSha === undefined || !/^[0-9a-f]{40,64}$/i.test(sourceSha)) return {};
  return { sourceUrl: `${serverUrl}/${repository.owner}/${repository.repo}/blob/${sourceSha}` };
}

function announce(
  jobs: readonly GradingJob[],
  results: readonly ResultsFile[],
  dependencies: Dependencies,
): void {
  const { inputs, log, context } = dependencies;
  if (jobs.length === 0 || inputs.dryRun) return;
  const addresses = new Set(
    jobs.flatMap(({ settled, judgeModel }) => (settled ? [] : endpointFor(inputs, judgeModel).baseUrl)),
  );
  const where = addresses.size === 0 ? "no judge to ask" : `judge at ${[...addresses].join(", ")}`;
  const judge = inputs.offline
    ? "recorded verdicts only"
    : `${where}, at most ${count(inputs.maxConcurrency, "request")} at once`;
  const into = context.base === undefined ? "" : `, a change to ${context.base}`;
  const on = context.sha === undefined ? "" : `; reported on ${context.sha.slice(0, 7)}${into}`;
  const files = new Set(results.map(({ path }) => path)).size;
  log.line(`${count(jobs.length, "grade")} of ${count(files, "results file")}; ${judge}${on}`);
}
