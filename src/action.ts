/** Grades by the inputs in an environment: builds the real clients, runs the pipeline, and logs how it ended. */
import { EXIT, type ExitStatus } from "./domain/exit-status.ts";
import type { Problem } from "./domain/problem.ts";
import { loadSuites } from "./evals/load-suites.ts";
import { type GitHubApi, githubApi } from "./github/api.ts";
import { type Changes, branchFiles, changedFiles } from "./github/changes.ts";
import { keptResults } from "./github/kept-results.ts";
import { type RunContext, loadContext, readContext } from "./github/context.ts";
import { subjectToken } from "./inputs/providers.ts";
import { type Inputs, endingAt, isRunner, readInputs, secretsOf } from "./inputs/inputs.ts";
import { makeFolder } from "./files/write.ts";
import { prices } from "./judge/spend.ts";
import type { RunLog, TerminalLog } from "./log/log.ts";
import { judgeProblemsOf, withConfirming } from "./plan/judges.ts";
import { plannedModels } from "./plan/plan.ts";
import { choose } from "./plan/left-out.ts";
import { redactor, secretsIn } from "./safety/secrets.ts";
import { run } from "./run.ts";
import type { PricedJudge } from "./runner/making.ts";
import { runCommand } from "./runner/run-command.ts";
import { readRunOptions } from "./runner/run-options.ts";
import { endingJudges, makeJudge, makeLists } from "./steps/grade.ts";
import { measure } from "./steps/measure.ts";
import { runnerPublishers, terminalPublishers } from "./steps/publish.ts";

/** What a command works with. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly log: RunLog;
  /** The same log, where it writes to a terminal: nothing is published on GitHub then. */
  readonly terminal?: TerminalLog | undefined;
  /** Where the record goes, with `--json`. */
  readonly json?: NodeJS.WritableStream | undefined;
  /** What a comparison makes red is meant, with `--accepted`. */
  readonly accepted?: boolean | undefined;
  /** The judge of runs that are to be made, where it is known. */
  readonly judge?: PricedJudge | undefined;
  readonly cancelled: AbortSignal;
}

/** Reads the inputs and the event, grades, and logs the conclusion. */
export async function grade({ env, log, terminal, json, accepted, cancelled }: Surroundings): Promise<void> {
  const { inputs, problems, secrets, redact } = begin(env, log);
  const context = readContext(await loadContext(env, log.warn), env);
  const price = prices(inputs.ownPrices);
  // A workflow keeps it at the end, also where nothing was judged.
  if (inputs.isStep && !inputs.offline && inputs.cacheDir !== undefined) makeFolder(inputs.cacheDir);
  const redactRecords = redactor(secrets, { shapes: true });
  const api = () => apiOf(inputs, context, cancelled);
  const addSecret = (token: string) => {
    if (secrets.includes(token)) return;
    secrets.push(token);
    log.setSecrets(secrets);
    redact.add(token);
    redactRecords.add(token);
  };
  const tokens = { subject: subjectToken, addSecret };
  const lists = makeLists(tokens);
  const isAsked = !terminal && (context.pull !== undefined || context.branch !== undefined);
  const { conclusion, unwritten } = await run({
    inputs,
    inputProblems: problems,
    context,
    judge: makeJudge(inputs, { price, redact, redactRecords, log, tokens, lists }),
    endingJudges: (jobs) => endingJudges(jobs, inputs, lists),
    price,
    changes: changesIn(env, context),
    kept: (name) => keptResults({ context, token: inputs.token, temp: inputs.runnerTemp, name, cancelled }),
    labels: isAsked ? async (since) => await callsOf(api()).labels(since) : undefined,
    accepted,
    endedAgent: terminal ? undefined : async () => await callsOf(api()).endedAgent(),
    redact,
    publishers: terminal
      ? terminalPublishers(inputs, terminal, json)
      : runnerPublishers(inputs, { context, api, log, cancelled, summary: env.GITHUB_STEP_SUMMARY }),
    log,
    cancelled: AbortSignal.any([cancelled, ...endingAt(inputs.stepMinutes)]),
  });
  log.conclude(conclusion, unwritten);
}

/** What is wrong with the settings of the judges that grading would ask, known before an agent is paid. */
export async function judgeSettings({ env, log }: Surroundings): Promise<readonly Problem[]> {
  const { inputs, problems } = begin(env, log);
  const context = readContext(await loadContext(env, log.warn), env);
  const { suites } = await loadSuites(inputs.eval, inputs.workspace);
  const { whyLeft } = await choose(suites, { tasks: inputs.tasks, changes: undefined });
  const models = withConfirming(plannedModels({ ...inputs, suites, whyLeft }), inputs);
  const by = { inputs, context, price: prices(inputs.ownPrices) };
  return [...problems, ...(await judgeProblemsOf({ jobs: [], models }, by))];
}

/** Measures a judge; the status is `failed` if it gave no verdict. */
export async function measures({ env, log }: Surroundings, message: string | undefined): Promise<ExitStatus> {
  const { inputs, problems, redact } = begin(env, log);
  const price = prices(inputs.ownPrices);
  const tokens = { subject: subjectToken, addSecret: redact.add };
  const parts = { price, redact, redactRecords: redact, log, tokens, lists: makeLists(tokens) };
  const judge = makeJudge(inputs, parts);
  return (await measure({ inputs, inputProblems: problems, message, judge, price, log }))
    ? EXIT.done
    : EXIT.failed;
}

/** Runs an agent on the evals. */
export async function runAgents({ env, log, terminal, judge, cancelled }: Surroundings): Promise<ExitStatus> {
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const { options, problems } = readRunOptions(env, { workspace, isStep: terminal === undefined });
  // An agent's last lines may have its key.
  log.setSecrets([...secretsIn(env), options.apiKey, options.responderKey]);
  for (const problem of problems) log.problem(problem);
  if (problems.length > 0) return EXIT.misused;
  const context = readContext(await loadContext(env, log.warn), env);
  const changes = changesIn(env, context);
  log.output?.("runs", options.out);
  const { line, status, output } = log;
  const { withoutSecrets } = context;
  const around = { env, workspace, changes, withoutSecrets, judge, cancelled };
  return await runCommand({ options, ...around, output, line, status });
}

/** The inputs, with their secrets out of the log from now on. */
function begin(env: NodeJS.ProcessEnv, log: RunLog) {
  const { inputs, problems } = readInputs(env);
  const secrets = secretsOf(inputs);
  log.setSecrets(secrets);
  return { inputs, problems, secrets, redact: redactor(secrets, { shapes: true }) };
}

/** What `changed-only` goes by, for running and for grading: the pull request, and at a desk what differs from the default branch. */
function changesIn(env: NodeJS.ProcessEnv, context: RunContext) {
  return (root: string): Promise<Changes> =>
    isRunner(env) ? changedFiles(context, root) : branchFiles(root);
}

/** GitHub's API; throws where there is none. */
function callsOf(calls: ReturnType<typeof apiOf>): GitHubApi {
  if ("missing" in calls) throw new Error(calls.missing);
  return calls;
}

/** GitHub's API, whose time limit starts now, or the reason why there is none. */
function apiOf({ token }: Pick<Inputs, "token">, context: RunContext, cancelled: AbortSignal) {
  if (token === undefined) return { missing: "the input `token` is empty" };
  if (!context.repository) return { missing: "GITHUB_REPOSITORY is not set" };
  return githubApi(context, { token, cancelled });
}
