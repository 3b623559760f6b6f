/**
 * The steps that plan and check: which grades are to be made, in which folder each run worked, and everything that is
 * wrong before any judge is asked.
 */
import { dirname } from "node:path";
import { DEFAULT_JUDGE, type GradingJob } from "../domain/grade.ts";
import { error, isError, notice, warning, type Problem } from "../domain/problem.ts";
import { listedCode, mergeProblems } from "../text/format.ts";
import { REFUSED_LINK, follow, hasGit, namedByInput, shownPath } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { obstacleTo } from "../files/write.ts";
import type { RunContext } from "../github/context.ts";
import { type Inputs, endpointFor, resolveModel } from "../inputs/inputs.ts";
import { routeModel } from "../inputs/providers.ts";
import type { Price } from "../judge/spend.ts";
import { type LoadedGrader, labelProblems } from "../labels/agreement.ts";
import { type Plan, planJobs, plannedModels } from "../plan/plan.ts";
import { filesOf, gradersOf, tasksOf } from "../plan/planned.ts";
import { laterAttempts, withoutSameRuns, withoutSharedRuns } from "../plan/problems.ts";
import { assumedNotice, otherPrompts, withoutPrompt } from "../plan/settled.ts";
import { findWorkspaces, ownWorkspaces } from "../plan/workspaces.ts";
import { redactAll } from "../safety/redact.ts";
import { copyFiles } from "../report/results-file.ts";
import { AS_RECORDED, NOT_UNTRUSTED, asRecorded } from "../results/recorded-verdicts.ts";
import { suiteKey } from "../results/rows.ts";
import { isWithoutSkill } from "../results/score.ts";
import type { Dependencies } from "./publish.ts";
import type { Read } from "./read.ts";
import { closest, globMatchesModel, ruleFor } from "../text/suggest.ts";

const NOTHING: Plan = { jobs: [], lift: [], problems: [] };

/** Plans the grades; none without results. */
export function planAll(read: Read, inputs: Inputs, context: RunContext): Plan {
  const { suites, unchanged, files } = read;
  if (read.withoutResults) return NOTHING;
  const withoutKey = withoutKeyReason(context);
  const { tasks, advisory, dryRun, lift, judgeModel, agentWorkspace: pattern, workspace: base } = inputs;
  const plan = planJobs({
    suites,
    tasks,
    advisory,
    unchanged,
    dryRun,
    lift,
    results: files.map(({ results }) => results),
    judgeModel,
    withoutKey: (model) => (keyIsMissing(inputs, model) ? withoutKey : undefined),
    withoutAgent: read.agentHadNoKey ? withoutSecretsReason(context, "There are no runs") : undefined,
  });
  const apart = withoutSharedRuns([...plan.jobs, ...plan.lift]);
  const distinct = withoutSameRuns(apart.jobs);
  // The input names the folders of runs with the skill that no run.json places.
  const isPlaced = (job: GradingJob) => isWithoutSkill(job) || job.run?.workspaceDir !== undefined;
  const { jobs: named, problems } =
    pattern === undefined
      ? { jobs: distinct.jobs, problems: [] }
      : findWorkspaces(
          distinct.jobs.filter((job) => !isPlaced(job)),
          { pattern, base },
        );
  const jobs =
    pattern === undefined
      ? ownWorkspaces(distinct.jobs)
      : [...named, ...ownWorkspaces(distinct.jobs.filter(isPlaced))];
  const based = jobs.map((job) => withBasis(job, inputs));
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
  return {
    ...planned,
    jobs: asRecorded(
      planned.jobs,
      files.map(({ document }) => document),
    ),
    // No results hold verdicts of runs without the skill.
    lift: [],
    problems: [AS_RECORDED, ...planned.problems],
  };
}

/** Why a pull request from outside has no key; undefined for events that get secrets. */
export function withoutKeyReason(context: RunContext): string | undefined {
  return withoutSecretsReason(context, "There is no `api-key`");
}

function withoutSecretsReason({ withoutSecrets, docs }: RunContext, what: string): string | undefined {
  if (withoutSecrets === undefined) return undefined;
  const author = withoutSecrets === "fork" ? "a fork" : "Dependabot";
  return `${what}: GitHub gives no secrets to a pull request from ${author}. To grade it, use the two workflows of \`${docs("permissions-and-forks.md")}\``;
}

/** True when a model cannot be asked because it has no key. */
function keyIsMissing(inputs: Inputs, model: string): boolean {
  return !inputs.offline && !inputs.dryRun && endpointFor(inputs, model).keyMissing === true;
}

/** A job with what its verdict rests on by the inputs alone. */
function withBasis(job: GradingJob, inputs: Inputs): GradingJob {
  const { votes, confirmOnFail, confirmModel } = inputs;
  const by = confirmModel === undefined ? "" : ` by ${resolveModel(inputs, confirmModel).model}`;
  const voting =
    confirmOnFail > 0 ? `confirm-on-fail: ${String(confirmOnFail)}${by}` : `judge-votes: ${String(votes)}`;
  return { ...job, basis: { sentModel: resolveModel(inputs, job.judgeModel).model, voting } };
}

interface Checked {
  readonly problems: readonly Problem[];
  /** Files that must not be written, by their names in the inputs, and why. */
  readonly unwritable: ReadonlyMap<string, Problem>;
  /** True when no judge is to be asked. */
  readonly isBlocked: boolean;
}

/** Checks inputs, files and plan together. */
export async function check(
  read: Read,
  plan: Plan,
  { inputs, inputProblems, context, price, redact }: Dependencies,
): Promise<Checked> {
  const unwritable = findUnwritable(inputs, read);
  // Missing results do not hide a missing key.
  const models = read.withoutResults
    ? withConfirming(plannedModels({ ...inputs, ...read }), inputs)
    : modelsAsked(plan, inputs);
  const problems = [
    ...missingKey(models, inputs, context),
    ...(await missingPrices(plan, inputs, price)),
    ...unwritable.values(),
    ...ownJudge(plan),
    ...missedRules(plan, inputs),
  ];
  // A label's names may come from a redacted page or from the files: compare both sides redacted.
  const named =
    read.labels && redactAll({ labels: read.labels, jobs: plan.jobs, loaded: loadedGraders(read) }, redact);
  const mislabelled = named ? labelProblems(named.labels, named, inputs.policy.minAgreement) : [];
  const merged = mergeProblems([
    ...inputProblems,
    ...read.problems,
    ...plan.problems,
    ...problems,
    ...mislabelled,
    ...otherPrompts(plan.jobs),
    ...withoutPrompt(plan.jobs),
    ...(inputs.dryRun ? [...assumedNotice(plan.jobs), ...(await ownModels(plan, inputs, price))] : []),
  ]);
  const isBlocked =
    plan.blocked === true ||
    read.hasWrongBaseline ||
    [...inputProblems, ...problems, ...mislabelled].some(isError);
  return { problems: merged, unwritable, isBlocked };
}

/** A file to be written. */
interface Written {
  readonly input: "output-file" | "reports";
  /** A table for people to fill in: an existing one is never overwritten. */
  readonly toFillIn?: boolean | undefined;
  readonly named: string;
  /** Path of the file; several graded copies are numbered. */
  readonly path: string;
}

/**
 * Why files are not written, by their names in the inputs: over input files, over files that people write (YAML, and CSV
 * other than a new table of labels), over each other, into `.git`, or through a link that leaves the repository.
 */
export function findUnwritable(
  { outputFile, reports, workspace }: Inputs,
  { files, paths }: Pick<Read, "files" | "paths">,
): ReadonlyMap<string, Problem> {
  const names = files.flatMap(({ document, results }) => (document === undefined ? [] : [results.evalName]));
  const copies = outputFile === undefined ? [] : [outputFile, ...copyFiles(outputFile, names)];
  const written = [
    ...copies.map((path): Written => ({ input: "output-file", named: outputFile ?? path, path })),
    ...reports.map(({ format, path }): Written => ({
      input: "reports",
      named: path,
      path,
      toFillIn: format === "labels",
    })),
  ];
  const read = new Set(paths);
  const wrong = written.flatMap(({ input, named, path, toFillIn = false }): [string, Problem][] => {
    const file = `The input \`${input}\` would write ${shownCode(path, workspace)}`;
    const isPeoples = toFillIn ? /\.ya?ml$/i.test(path) : /\.(?:ya?ml|csv)$/i.test(path);
    const isInput = isPeoples || (statsOf(path) && read.has(follow(path).real));
    const folder = namedByInput(dirname(path), workspace);
    const obstacle = obstacleTo("file", path);
    const reasons = [
      isInput
        ? `The input \`${input}\` would write over ${shownCode(path, workspace)}, which is an input`
        : undefined,
      toFillIn && statsOf(path)?.isFile()
        ? `${file}, which already exists and may hold people's labels`
        : undefined,
      "refused" in folder ? `${file}, in a folder reached by ${REFUSED_LINK[folder.refused]}` : undefined,
      obstacle &&
        `${file}${obstacle.at === path ? "" : `, below ${shownCode(obstacle.at, workspace)}`}, which is ${obstacle.what}`,
      hasGit(path) ? `${file}, which is git's own` : undefined,
      input === "reports" && copies.includes(path)
        ? `${file}, which a graded copy of \`output-file\` is written to`
        : undefined,
    ];
    const why = reasons.find((reason) => reason !== undefined);
    const help = "Name another file.";
    return why === undefined ? [] : [[named, error(`${why}; it is not written.`, { help })]];
  });
  return new Map(wrong);
}

function shownCode(path: string, workspace: string): string {
  return `\`${shownPath(path, workspace)}\``;
}

/** These judge models, and the one that is asked about their failures. */
function withConfirming(models: ReadonlySet<string>, { confirmModel }: Inputs): Set<string> {
  return new Set([...models, ...(models.size === 0 || confirmModel === undefined ? [] : [confirmModel])]);
}

/** Judge models that are to be asked. */
function modelsAsked({ jobs }: Pick<Plan, "jobs">, inputs: Inputs): Set<string> {
  return withConfirming(
    new Set(jobs.flatMap(({ settled, judgeModel }) => (settled ? [] : judgeModel))),
    inputs,
  );
}

/** A key that is missing for one of the models although the event gets secrets is a configuration problem. */
function missingKey(models: Iterable<string>, inputs: Inputs, context: RunContext): Problem[] {
  const [model] = [...models].filter((one) => keyIsMissing(inputs, one));
  if (model === undefined || context.withoutSecrets !== undefined) return [];
  const endpoint = endpointFor(inputs, model);
  if (endpoint.identity) {
    const message = "GitHub gives this job no identity token, which `openai-identity` needs.";
    return [error(message, { help: "Add `id-token: write` to the job's `permissions`." })];
  }
  if (endpoint.baseUrl !== inputs.standard.baseUrl) {
    const message = `The input \`providers\` has an empty \`api-key\` for the model \`${model}\`.`;
    return [error(message, { help: "Check the name of the secret; leave `api-key` out if none is needed." })];
  }
  if (endpoint === inputs.standard && inputs.providers.length > 0) {
    const message = `No rule of the input \`providers\` matches the judge model \`${model}\`, and OpenAI's API, which is asked for it instead, needs an \`api-key\`.`;
    return [error(message, { help: "Add a rule for it to `providers`, or set `api-key` or `base-url`." })];
  }
  const key = inputs.isStep ? "`api-key`" : "the environment variable OPENAI_API_KEY";
  const help = `Set ${key} to a key of OpenAI, or \`base-url\` to an endpoint that needs none.`;
  return [error("There is no `api-key`, and OpenAI's API needs one.", { help })];
}

/** Under `max-cost-usd` a model without a price could spend anything. */
async function missingPrices({ jobs }: Plan, inputs: Inputs, price: Price): Promise<Problem[]> {
  if (inputs.caps.cost === undefined) return [];
  const models = modelsAsked({ jobs }, inputs);
  const problems: Problem[] = [];
  for (const model of models) {
    const sent = resolveModel(inputs, model);
    if ((await price(sent, { input: 1, output: 1, cached: 0 })) !== undefined) continue;
    const message = `\`max-cost-usd\` is set, and the price of the model \`${sent.model}\` is not known at \`${sent.baseUrl}\`.`;
    const help = `Give it in \`model-prices\`, in US dollars for a million tokens: \`${sent.model}=INPUT/OUTPUT\`.`;
    problems.push(error(message, { help }));
  }
  return problems;
}

/** Models rate their own work higher (self-preference), so this is a notice. */
function ownJudge({ jobs }: Plan): Problem[] {
  const same = jobs.find(
    ({ settled, run, judgeModel }) => !settled && run && bareName(run.model) === bareName(judgeModel),
  );
  if (!same) return [];
  const message = `The judge \`${same.judgeModel}\` is the model of the agent itself, and models are kinder to their own work.`;
  return [notice(message, { help: "Consider another `judge-model`." })];
}

/** Without a provider's prefix, in lower case. */
function bareName(model: string): string {
  return model.replace(/^.*\//, "").toLowerCase();
}

/** Most models that a sentence names. */
const NAMED = 5;

/** Rules of `providers` that match no judge model of the run: probably a mistake. */
export function missedRules({ jobs }: Plan, inputs: Inputs): Problem[] {
  const { providers } = inputs;
  const models = [...withConfirming(new Set(jobs.map(({ judgeModel }) => judgeModel)), inputs)];
  if (models.length === 0) return [];
  return providers.flatMap(({ match }): Problem[] => {
    if (models.some((model) => globMatchesModel(match, model))) return [];
    const message = `The rule \`${match}\` of the input \`providers\` matches no judge model of this run; there ${models.length === 1 ? "is" : "are"} ${listedCode(models, NAMED)}.`;
    const [meant] = models.flatMap((model) => meantFor(match, model) ?? []);
    const help =
      meant === undefined
        ? "Correct `match` (a glob: only `*` and `?` are special), or remove the rule."
        : `Did you mean \`${meant}\`?`;
    return [warning(message, { help })];
  });
}

/** The glob that was likely meant for the model: one with a star more, or the model's own name. */
function meantFor(match: string, model: string): string | undefined {
  const starred = [`${match}*`, `*${match}`, `*${match}*`].find((glob) => globMatchesModel(glob, model));
  return starred ?? (match.includes("*") ? undefined : closest(match, [model]));
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

/** In a dry run: models that graders name themselves and that the endpoint may not have, with the rule that replaces them. */
export async function ownModels({ jobs }: Plan, inputs: Inputs, price: Price): Promise<Problem[]> {
  const own = jobs.filter(({ grader }) => grader.model !== undefined && grader.model !== inputs.judgeModel);
  const problems: Problem[] = [];
  for (const [model, [job]] of Map.groupBy(own, ({ judgeModel }) => judgeModel)) {
    // A price at this endpoint shows that it has the model.
    const isKnown = await price(resolveModel(inputs, model), { input: 1, output: 1, cached: 0 });
    if (isKnown !== undefined || routeModel(inputs.providers, model) || !job) continue;
    const message = `The grader \`${job.grader.name}\` names its own judge model, \`${model}\`, which comes before \`judge-model\` and is asked at \`${inputs.standard.baseUrl}\`.`;
    const help = `If that endpoint does not have it, add to the input \`providers\`: \`${ruleFor(model, inputs.judgeModel ?? DEFAULT_JUDGE.model)}\`.`;
    problems.push(notice(message, { help, at: job.grader.at }));
  }
  return problems;
}
