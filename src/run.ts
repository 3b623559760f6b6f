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
import { onlyRoot, unchangedSuites } from "./plan/changed-only.ts";
import type { Unchanged } from "./plan/changed-only.ts";
import type { Changes } from "./github/changes.ts";
import { assumedNotice, assumeRun, unasked } from "./plan/dry-run.ts";
import { count, formatDollars, formatNumber, problemLine } from "./format.ts";
import { decide } from "./gate/gate.ts";
import type { RunContext } from "./github/context.ts";
import { gradeJobs, plannedRequests } from "./grade.ts";
import { secretsOf } from "./inputs/inputs.ts";
import type { Inputs } from "./inputs/inputs.ts";
import { estimate } from "./judge/spend/estimate.ts";
import type { EstimateOptions } from "./judge/spend/estimate.ts";
import type { Judge } from "./judge/judge.ts";
import { CHARACTERS_PER_TOKEN } from "./judge/evidence/messages.ts";
import type { Price } from "./judge/spend/prices.ts";
import { useKeptWorkspaces } from "./files/kept-workspaces.ts";
import { readOutputs } from "./outputs/read-outputs.ts";
import type { LoadedResults } from "./outputs/read-outputs.ts";
import { planJobs } from "./plan/plan.ts";
import type { Plan } from "./plan/plan.ts";
import { idleEvals } from "./plan/plan-problems.ts";
import { hasWork } from "./plan/planned-tasks.ts";
import type { PlanRequest } from "./plan/planned-tasks.ts";
import {
  endpointFor,
  idleProviders,
  keyIsMissing,
  missingKey,
  missingPrices,
  ownJudge,
  unwritable,
  withoutKeyReason,
} from "./inputs/preflight.ts";
import type { Written } from "./inputs/preflight.ts";
import { progressLog } from "./progress.ts";
import type { Log } from "./progress.ts";
import { redactAll, redactor } from "./report/redact.ts";
import type { Redactor } from "./report/redact.ts";
import { gradedFiles } from "./report/sinks/results-file.ts";
import { publishAll } from "./report/sink.ts";
import type { Sink } from "./report/sink.ts";
import { withoutSameRuns } from "./plan/same-runs.ts";
import { runProblems } from "./gate/run-problems.ts";
import { scoreGrades } from "./gate/score.ts";
import { silentJudges } from "./gate/silent-judges.ts";
import { loadSuites } from "./waza/load-suite.ts";
import { findWorkspaces } from "./files/workspaces.ts";

export interface Dependencies {
  readonly inputs: Inputs;
  readonly inputProblems: readonly Problem[];
  readonly context: RunContext;
  readonly judge: Judge;
  readonly price: Price;
  /** Finds what the pull request changes in the repository at a root. */
  readonly changes: (root: string) => Promise<Changes>;
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
  const { inputs, context, cancelled, redact } = dependencies;
  const started = Date.now();
  const { suites, unchanged, files, plan, problems, unwritten, blocked } = await gather(dependencies);
  const results = files.map((file) => file.results);
  const jobs = blocked ? [] : plan.jobs;

  announce(jobs, results, dependencies);
  const early = setTimeout(dependencies.whileWaiting, WAITING_MS);
  const { grades, estimated } = await gradeAll({ jobs, planned: plan.jobs }, dependencies);
  clearTimeout(early);
  problems.push(...silentJudges(grades));
  const planned = suites.filter((suite) => !unchanged.has(suite));
  // The sentences shorten what they quote: a secret has to be gone before, or half of it would stay.
  const scores = redactAll(scoreGrades(planned, grades), redact);
  const conclusion = decide({
    scores,
    problems,
    policy: inputs.policy,
    cancelled: cancelled.aborted,
    dryRun: inputs.dryRun,
    narrowed: unchanged.size > 0,
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
  return await publish(report, { files, unwritten, ...dependencies });
}

/** Everything that was read, what it makes to grade, and all that is wrong with it. */
interface Gathered {
  readonly suites: readonly Suite[];
  /** Those that `changed-only` leaves out. */
  readonly unchanged: ReadonlySet<Suite>;
  readonly files: readonly LoadedResults[];
  readonly plan: Plan;
  /** To be added to by what the grades show. */
  readonly problems: Problem[];
  /** The files that are not written, and why. */
  readonly unwritten: ReturnType<typeof unwritable>;
  /** True when a judge call would be a waste. */
  readonly blocked: boolean;
}

async function gather(dependencies: Dependencies): Promise<Gathered> {
  const { inputs, inputProblems } = dependencies;
  const { workspace, dryRun } = inputs;
  const evals = await guarded("evals", NO_SUITES, () => loadSuites(inputs.eval, workspace));
  const { suites } = evals;
  const unchanged = await unchangedOf(suites, dependencies);
  const narrowed = { suites, tasks: inputs.tasks, unchanged: unchanged.suites };
  const read = await guarded("results", NO_RESULTS, () =>
    hasWork(narrowed)
      ? readOutputs({ patterns: inputs.results, workspace, suites, dryRun })
      : { ...NO_RESULTS, problems: [] },
  );
  const plan = planFor(dependencies, narrowed, read);
  const unwritten = unwritable(filesWritten(inputs, read.files.length), {
    read: new Set([...evals.paths, ...read.paths]),
    workspace,
  });
  const missing = [
    ...missingKey(plan, dependencies),
    ...(await missingPrices(plan, dependencies)),
    ...unwritten.values(),
  ];
  const problems = tellOnce([
    ...inputProblems,
    ...evals.problems,
    ...idleEvals(suites, { given: inputs.eval !== undefined }),
    ...unchanged.problems,
    ...read.problems,
    ...plan.problems,
    ...missing,
    ...ownJudge(plan),
    ...idleProviders(plan, dependencies),
    ...(dryRun ? assumedNotice(plan.jobs) : []),
  ]);
  const blocked = hasErrors(inputProblems) || hasErrors(missing) || plan.blocked === true;
  return { suites, unchanged: unchanged.suites, files: read.files, plan, problems, unwritten, blocked };
}

/** What `changed-only` leaves out. */
async function unchangedOf(suites: readonly Suite[], { inputs, changes }: Dependencies): Promise<Unchanged> {
  if (!inputs.changedOnly) return { suites: new Set(), problems: [] };
  const root = onlyRoot(suites);
  if (root !== undefined) return unchangedSuites(suites, await changes(root));
  return unchangedSuites(suites, { unknown: "the evals do not lie in one repository" });
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
  const estimated = inputs.dryRun
    ? await estimateOf(planned.map(assumeRun), options, dependencies)
    : undefined;
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
  for (const problem of [...runProblems(safe), ...safe.problems])
    log.line(`${problem.level}: ${problemLine(problem)}`);
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
  narrowed: Pick<PlanRequest, "suites" | "tasks" | "unchanged">,
  read: { readonly files: readonly LoadedResults[]; readonly problems: readonly Problem[] },
): Plan {
  if (read.files.length === 0 && hasErrors(read.problems)) return { jobs: [], problems: [] };
  const reason = withoutKeyReason(context);
  const plan = planJobs({
    ...narrowed,
    dryRun: inputs.dryRun,
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
