/**
 * The steps that plan and check: which grades are to be made, in which folder each run worked, and everything that is
 * wrong before any judge is asked.
 */
import { dirname } from "node:path";
import { NOT_CHANGED, type RunsPlan } from "../outputs/list-of-runs.ts";
import type { GradingJob } from "../domain/grade.ts";
import { gradersOf } from "../domain/suite.ts";
import { AGENT_ENDED, error, isError, type Problem } from "../domain/problem.ts";
import { asSentence, mergeProblems } from "../text/format.ts";
import { REFUSED_LINK, follow, hasGit, lookUp, shownCode } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { obstacleTo } from "../files/write.ts";
import { type RunContext, originOf } from "../github/context.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { type LoadedGrader, labelProblems } from "../labels/agreement.ts";
import { judgeProblemsOf, keyIsMissing, modelsAsked, withBasis, withConfirming } from "../plan/judges.ts";
import { planProblems } from "../plan/left-out.ts";
import { type Plan, planJobs, plannedModels } from "../plan/plan.ts";
import { filesOf, hasSides, isNarrowed, tasksOf } from "../plan/planned.ts";
import { NO_PLANNED_RUN, laterAttempts, withoutSameRuns, withoutSharedRuns } from "../plan/problems.ts";
import { assumedNotice, runWarnings } from "../plan/settled.ts";
import { findWorkspaces, ownWorkspaces } from "../plan/workspaces.ts";
import { redactAll } from "../safety/secrets.ts";
import { copyFiles } from "../report/results-file.ts";
import { NOT_UNTRUSTED, asRecorded, asRecordedNotice } from "../results/recorded-verdicts.ts";
import { suiteKey } from "../results/rows.ts";
import { isWithoutSkill } from "../results/score.ts";
import type { Dependencies } from "./publish.ts";
import type { Read } from "./read.ts";

const NOTHING: Plan = { jobs: [], lift: [], problems: [] };

/** Whether nothing but trigger evals was run: `run --triggers` is a run of its own. */
export function hasTriggersAlone({ files, queries, runsPlan }: Read): boolean {
  if (runsPlan && runsPlan.runs.length > 0)
    return runsPlan.runs.every(({ trigger }) => trigger !== undefined);
  return files.length === 0 && queries.runs.length > 0;
}

/** What excuses that nothing is graded: inputs left out all that could be, or only trigger evals were run. */
export function whyNothing(read: Read, { pull }: Pick<RunContext, "pull">) {
  const reasons = new Set(read.suites.map((suite) => read.whyLeft(suite)));
  const by = pull ? ("pull request" as const) : ("branch" as const);
  return {
    narrowed: isNarrowed(read),
    unchangedBy: reasons.size === 1 && reasons.has(NOT_CHANGED) ? by : undefined,
    triggersAlone: hasTriggersAlone(read),
  };
}

/** Plans the grades; none without results. */
export function planAll(read: Read, inputs: Inputs, context: RunContext): Plan {
  const { suites, whyLeft, files, runsPlan } = read;
  if (read.withoutResults || hasTriggersAlone(read)) return NOTHING;
  const withoutKey = withoutKeyReason(context);
  const { agentWorkspace: pattern, workspace: base } = inputs;
  const plan = planJobs({
    ...inputs,
    suites,
    whyLeft,
    runsPlan,
    lift: runsPlan ? hasSides(runsPlan) : inputs.lift,
    results: files.map(({ results }) => results),
    withoutKey: (model) => (keyIsMissing(inputs, model) ? withoutKey : undefined),
    withoutAgent: read.agentHadNoKey ? withoutSecretsReason(context, "There are no runs") : undefined,
  });
  const apart = withoutSharedRuns([...plan.jobs, ...plan.lift]);
  const distinct = withoutSameRuns(apart.jobs);
  // The input names the folders of runs with the skill that no run.json places.
  const isPlaced = (job: GradingJob) =>
    pattern === undefined || isWithoutSkill(job) || job.run?.workspaceDir !== undefined;
  const { placed = [], open = [] } = Object.groupBy(distinct.jobs, (job) =>
    isPlaced(job) ? "placed" : "open",
  );
  const { jobs, problems } = findWorkspaces(open, { pattern: pattern ?? "", base });
  const based = [...jobs, ...ownWorkspaces(placed)].map((job) => withBasis(job, inputs));
  const planned = {
    jobs: based.filter((job) => !isWithoutSkill(job)),
    lift: based.filter(isWithoutSkill),
    problems: [
      ...plan.problems,
      ...laterAttempts(files, context.agentAttempt),
      ...apart.problems,
      ...distinct.problems,
      ...problems,
    ],
    blocked: plan.blocked === true || problems.some(isError),
  };
  if (!inputs.offline) return planned;
  if (context.untrusted) return { ...planned, problems: [NOT_UNTRUSTED, ...planned.problems], blocked: true };
  if (inputs.cacheDir !== undefined) return planned;
  const documents = files.map(({ document, verdicts }) => verdicts ?? document);
  const recorded = asRecorded(planned.jobs, documents);
  // waza's results hold no verdicts of runs without the skill.
  const lift = planned.lift.filter(({ run }) => documents[run?.origin.file ?? -1] !== undefined);
  return {
    ...planned,
    jobs: recorded,
    lift: asRecorded(lift, documents).filter(({ run }) => run !== undefined),
    problems: [...(read.ofPlugins ? [] : asRecordedNotice(recorded)), ...planned.problems],
  };
}

/** Why an event from outside has no key; undefined for those that get secrets. */
export function withoutKeyReason(context: RunContext): string | undefined {
  return withoutSecretsReason(context, "There is no `api-key`");
}

function withoutSecretsReason({ withoutSecrets, docs }: RunContext, what: string): string | undefined {
  if (withoutSecrets === undefined) return undefined;
  const page = `${docs}/permissions-and-forks.md`;
  if (withoutSecrets === "dependabot")
    return `${what}: what Dependabot starts gets the secrets that are stored for Dependabot, and no others. Store the key among them: \`${page}\``;
  return `${what}: GitHub gives no secrets to a pull request from a fork. To grade it, use two workflows: \`${page}\``;
}

/** Checks inputs, files and plan together: the problems, which files must not be written, and whether no judge is to be asked. */
export async function check(
  read: Read,
  plan: Plan,
  { inputs, inputProblems, context, price, redact, endedAgent }: Dependencies,
) {
  const unwritable = findUnwritable(inputs, read);
  // Missing results do not hide a missing key.
  const models = read.withoutResults
    ? withConfirming(plannedModels({ ...inputs, ...read }), inputs)
    : modelsAsked(plan, inputs);
  const ofJudges = await judgeProblemsOf({ jobs: plan.jobs, models }, { inputs, context, price });
  const problems = [...ofJudges, ...unwritable.values()];
  // A label's names may come from a redacted page or from the files: compare both sides redacted.
  const named =
    read.labels && redactAll({ labels: read.labels, jobs: plan.jobs, loaded: loadedGraders(read) }, redact);
  const mislabelled = named ? labelProblems(named.labels, named, inputs.policy.minAgreement) : [];
  const merged = mergeProblems([
    ...inputProblems,
    ...read.problems,
    ...(read.runsPlan ? await withJob(plan.problems, read.runsPlan, { context, endedAgent }) : plan.problems),
    ...(await planProblems({ ...read, results: read.files.map((one) => one.results) }, inputs.workspace)),
    ...problems,
    ...mislabelled,
    ...runWarnings(plan.jobs, inputs.dryRun),
    ...(inputs.dryRun ? assumedNotice(plan.jobs) : []),
  ]);
  const isBlocked =
    plan.blocked === true || read.isBlocked || [...inputProblems, ...problems, ...mislabelled].some(isError);
  return { problems: merged, unwritable, isBlocked };
}

/**
 * The problems of a plan of which no run came, by the job that was to make them, and why it ended: in the words of `run`,
 * else by its first step that failed.
 */
async function withJob(
  problems: readonly Problem[],
  { ended }: RunsPlan,
  { context, endedAgent }: Pick<Dependencies, "context" | "endedAgent">,
): Promise<readonly Problem[]> {
  if (!problems.some(({ code }) => code === NO_PLANNED_RUN)) return problems;
  // Where GitHub does not say, the page of the run does.
  const job = await endedAgent?.().catch(() => undefined);
  const url = job?.url ?? originOf(context)?.run?.url;
  const page = url === undefined ? undefined : { name: job ? "The job" : "The run", url };
  return problems.map((problem) => {
    if (problem.code !== NO_PLANNED_RUN) return problem;
    if (!job && ended.length === 0) return { ...problem, page };
    const step = job?.step === undefined ? [] : [`Its step \`${job.step}\` failed.`];
    const help = [...ended.map(asSentence), ...step].join(" ") || undefined;
    return error(AGENT_ENDED, "the job `agent` ended before it ran anything.", { help, page });
  });
}

/**
 * Why files are not written, by their names in the inputs: over input files, over files that people write (YAML, and CSV
 * other than a new table of labels), over each other, into `.git`, or through a link that leaves the repository.
 */
function findUnwritable(
  { outputFile, hasCopies, reports, workspace }: Inputs,
  { files, paths }: Pick<Read, "files" | "paths">,
): ReadonlyMap<string, Problem> {
  const names = files.flatMap(({ document, results }) =>
    hasCopies && document !== undefined ? [results.evalName] : [],
  );
  const copies = outputFile === undefined ? [] : [outputFile, ...copyFiles(outputFile, names)];
  const written = [
    ...copies.map((path) => ({ input: "output-file", named: outputFile ?? path, path, toFillIn: false })),
    // A table for people to fill in: an existing one is never overwritten.
    ...reports.map(({ format, path }) => ({
      ...{ input: "reports", named: path, path },
      toFillIn: format === "labels",
    })),
  ];
  const read = new Set(paths);
  const wrong = written.flatMap(({ input, named, path, toFillIn }): [string, Problem][] => {
    const file = `The input \`${input}\` would write ${shownCode(path, workspace)}`;
    const isPeoples = toFillIn ? /\.ya?ml$/i.test(path) : /\.(?:ya?ml|csv)$/i.test(path);
    const isInput = isPeoples || (statsOf(path) && read.has(follow(path).real));
    const { refused } = lookUp(dirname(path), workspace);
    const obstacle = obstacleTo("file", path);
    const reasons = [
      isInput
        ? `The input \`${input}\` would write over ${shownCode(path, workspace)}, which is an input`
        : undefined,
      toFillIn && statsOf(path)?.isFile()
        ? `${file}, which already exists and may hold people's labels`
        : undefined,
      refused === undefined ? undefined : `${file}, in a folder reached by ${REFUSED_LINK[refused]}`,
      obstacle &&
        `${file}${obstacle.at === path ? "" : `, below ${shownCode(obstacle.at, workspace)}`}, which is ${obstacle.what}`,
      hasGit(path) ? `${file}, which is git's own` : undefined,
      input === "reports" && copies.includes(path)
        ? `${file}, which a graded copy of \`output-file\` is written to`
        : undefined,
    ];
    const why = reasons.find((reason) => reason !== undefined);
    const help = "Name another file.";
    return why === undefined
      ? []
      : [[named, error("unwritable-file", `${why}; it is not written.`, { help })]];
  });
  return new Map(wrong);
}

/** The graders of all loaded tasks, planned or not. */
function loadedGraders({ suites, files }: Read): LoadedGrader[] {
  const results = files.map((file) => file.results);
  return suites.flatMap((suite) =>
    tasksOf(suite, filesOf(suite, { suites, results })).flatMap((task) =>
      gradersOf(suite, task).map(({ name }) => ({ suite: suiteKey(suite), task: task.id, grader: name })),
    ),
  );
}
