/** Turns suites and runs into grading jobs: each run with its graders, judge model, and verdict if it needs no judge. */
import { DEFAULT_JUDGE, effortOf } from "../domain/defaults.ts";
import type { GradingJob, Verdict } from "../domain/grade.ts";
import type { HeldRun } from "../domain/run.ts";
import { gradersOf, type Grader, type Suite, type Task } from "../domain/suite.ts";
import type { Problem } from "../domain/problem.ts";
import { missingByResults, missingOfRows, missingVerdict, rowsSaid } from "./missing.ts";
import {
  type PlanRequest,
  filesOf,
  isAdvisory,
  plannedSuites,
  plannedTasks,
  rowsOfPlan,
  runsById,
  tasksOf,
} from "./planned.ts";
import { idleGlobs, lacksLift, problemsOf } from "./problems.ts";
import type { runsOf } from "./runs.ts";
import { settledVerdict, withPrompt } from "./settled.ts";
import { closest } from "../text/suggest.ts";

/** Maximum ids of the results to compare with a misspelled task id. */
const MOST_IDS_COMPARED = 100;

export interface Plan {
  readonly jobs: readonly GradingJob[];
  /** Jobs of runs without the skill, which never decide; empty without the input `lift`. */
  readonly lift: readonly GradingJob[];
  readonly problems: readonly Problem[];
  /** True if a problem makes every judge call a waste. */
  readonly blocked?: boolean | undefined;
}

/**
 * Jobs in the order of the files: suite, task, results file, run, grader; a task's missing runs come last, as one
 * skipped job per grader. Results of unknown tasks or evals are listed as problems. A wrong `tasks` glob leaves no jobs.
 */
export function planJobs(request: PlanRequest): Plan {
  const claimed = new Set(
    request.suites.flatMap(({ tasks }) => (tasks === "every" ? [] : tasks.map(({ id }) => id))),
  );
  const jobs = plannedSuites(request).flatMap((suite) => jobsOfSuite(suite, request, claimed));
  const idle = idleGlobs(request);
  const problems = problemsOf(jobs, request, idle);
  if (idle.length > 0) return { jobs: [], lift: [], problems };
  const lift = request.lift ? plannedSuites(request).flatMap((suite) => liftJobs(suite, request)) : [];
  return { jobs, lift, problems, blocked: lacksLift(request) };
}

/** The judge models that would be used if all results existed. */
export function plannedModels(request: Omit<PlanRequest, "results">): Set<string> {
  const jobs = plannedSuites(request).flatMap((suite) =>
    plannedTasks(suite, [], request).flatMap((task) => baseJobs({ suite, task, request })),
  );
  return new Set(jobs.map(({ judgeModel }) => judgeModel));
}

/** `claimed`: the ids of all tasks of the loaded evals, of which none is a misspelling. */
function jobsOfSuite(suite: Suite, request: PlanRequest, claimed: ReadonlySet<string>): GradingJob[] {
  const files = filesOf(suite, request);
  const byId = runsById(files);
  const tasks = tasksOf(suite, files);
  // Only before the agent has run: its results say how often it did.
  const isAhead = request.dryRun === true && files.length === 0;
  const ofSuite = tasks.flatMap(({ id }) => byId.get(id) ?? []);
  const stated = { name: suite.name, trials: isAhead ? suite.trials : 1 };
  const byResults = missingByResults(stated, files, ofSuite);
  const listed = request.runsPlan && rowsOfPlan(request.runsPlan, suite);
  const rows = (listed ?? rowsSaid(ofSuite)).filter(
    (row) => row.task !== undefined && row.side === undefined,
  );
  const ids = [...byId.keys()].filter((id) => !claimed.has(id)).slice(0, MOST_IDS_COMPARED);
  return plannedTasks(suite, files, request).flatMap((task) => {
    const held = byId.get(task.id) ?? [];
    const golden = task.golden === true || held.some(({ run }) => run.golden);
    const planned = { suite, task: golden ? { ...task, golden } : task, request };
    const meant = held.length === 0 ? closest(task.id, ids) : undefined;
    const missing = rows.length > 0 ? missingOfRows({ id: task.id, held }, rows) : byResults(held);
    return [
      ...held.flatMap((one) => jobsOfRun(one, planned)),
      ...missing.flatMap((one) => jobsOfMissing({ ...one, meant }, planned)),
    ];
  });
}

/** Jobs of runs that are yet to be made, for an estimate: those that a judge will be asked for. */
export function jobsAhead(runs: ReturnType<typeof runsOf>, request: Judging): GradingJob[] {
  return runs.flatMap(({ suite, task, trial, side }) =>
    baseJobs({ suite, task, request })
      .filter(({ grader }) => grader.unsupported === undefined)
      .filter(({ advisory }) => side === undefined || !advisory)
      .map((job) => ({ ...job, missing: { number: trial, model: "", side } })),
  );
}

/**
 * Jobs of a suite's runs without the skill, by deciding graders; runs that never started are left out. A dry run before
 * the agent has run takes as many as with it.
 */
function liftJobs(suite: Suite, request: PlanRequest): GradingJob[] {
  if (request.dryRun && request.results.length === 0) {
    const trials = Array.from({ length: suite.trials ?? 1 }, (_, index) => index + 1);
    const runs = plannedTasks(suite, [], request).flatMap((task) =>
      trials.map((trial) => ({ suite, task, trial, side: "without-skill" as const })),
    );
    return jobsAhead(runs, request);
  }
  const byId = runsById(filesOf(suite, request, "without-skill"));
  const jobs = plannedTasks(suite, filesOf(suite, request), request).flatMap((task) =>
    (byId.get(task.id) ?? [])
      .filter(({ run }) => run.agent === "finished")
      .flatMap((held) => jobsOfRun(held, { suite, task: { ...task, golden: undefined }, request })),
  );
  return jobs.filter(({ advisory }) => !advisory);
}

interface PlannedTask {
  readonly suite: Suite;
  readonly task: Task;
  readonly request: PlanRequest;
}

/** What says which judge grades, and whether its grade decides. */
type Judging = Pick<PlanRequest, "judgeModel" | "judgeEffort" | "advisory">;

function jobsOfRun({ file, run: read }: HeldRun, planned: PlannedTask): GradingJob[] {
  const run = withPrompt(read, planned.task);
  return baseJobs(planned).map((job) => {
    const withoutKey = planned.request.withoutKey?.(job.judgeModel);
    const settled = settledVerdict({ ...job, run }, run.source ?? file.path, withoutKey);
    return { ...job, file, run, settled };
  });
}

function jobsOfMissing(missing: NonNullable<GradingJob["missing"]>, planned: PlannedTask): GradingJob[] {
  const { withoutAgent } = planned.request;
  const settled: Verdict =
    withoutAgent !== undefined
      ? { state: "skipped", cause: "no-key", reason: withoutAgent }
      : missingVerdict(missing);
  return baseJobs(planned).map((job) => ({ ...job, missing, settled }));
}

function baseJobs({
  suite,
  task,
  request,
}: Omit<PlannedTask, "request"> & { readonly request: Judging }): GradingJob[] {
  return gradersOf(suite, task).map((grader) => {
    const isNamed = isAdvisory(request.advisory, { name: grader.name, suite: suite.title });
    const advisory = grader.advisory ?? (isNamed ? true : undefined);
    return { suite, task, grader, advisory, ...judgeOf(grader, suite, request) };
  });
}

/** The judge of a grader, and what named its model and its effort. */
function judgeOf(grader: Grader, suite: Suite, input: Judging): Partial<GradingJob> & { judgeModel: string } {
  const [model, modelBy] = firstNamed(grader.model, input.judgeModel, suite.judgeModel);
  const [effort, effortBy] = firstNamed(grader.effort, input.judgeEffort, suite.judgeEffort);
  const judgeModel = model ?? DEFAULT_JUDGE.model;
  return { judgeModel, judgeEffort: effort ?? effortOf(judgeModel), modelBy, effortBy };
}

/** The first of what may name a judge, and which one that is. */
function firstNamed(
  grader: string | undefined,
  input: string | undefined,
  suite: string | undefined,
): readonly [string | undefined, NonNullable<GradingJob["modelBy"]>] {
  const named = [[grader, "grader"] as const, [input, "input"] as const, [suite, "eval"] as const];
  return named.find(([name]) => name !== undefined) ?? [undefined, "default"];
}
