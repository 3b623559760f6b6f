/** `waza-grade run`: what it says while it works and at the end, and its exit status. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { EXIT, type ExitStatus } from "../domain/exit-status.ts";
import { error, isError, isProblem, notice, type Problem } from "../domain/problem.ts";
import { skillsGiven } from "../domain/suite.ts";
import { count, docsAddress, listedCode, plural, problemLine } from "../text/format.ts";
import { removeAll, removeBelow } from "../files/remove.ts";
import { temporaryIn } from "../files/write.ts";
import { deeperLists, deeperProblems, listName, type ListOfRuns } from "../outputs/list-of-runs.ts";
import { skillDigests } from "../outputs/task-digest.ts";
import { type Redactor, redactor } from "../safety/redact.ts";
import { secretsIn } from "../safety/secrets.ts";
import { agentOf } from "./agents.ts";
import { keyVariable, lacksKey } from "./environment.ts";
import { chooseRuns, type Chosen } from "./choose-runs.ts";
import { scripted } from "./conversation.ts";
import { takeEvals } from "./eval-files.ts";
import { givenBy, isOfOther } from "./given.ts";
import { removeLeavings, secretsInSettings } from "./home.ts";
import { installAgent, installLine } from "./install.ts";
import { clearLeft, noteBegun } from "./left-behind.ts";
import type { GivenRun, MadeRuns, Making, RunSurroundings } from "./making.ts";
import { openOut, takeList, writeList } from "./out-folder.ts";
import { whyNotSelected } from "../plan/planned.ts";
import type { PlannedRun } from "../plan/runs.ts";
import { priceLine } from "./price-line.ts";
import type { RunOptions } from "./run-options.ts";
import { keptRuns, makeRuns } from "./run-evals.ts";
import { startProgress } from "./progress.ts";
import { endLines, runName, whyLeft } from "./run-lines.ts";
import { finishedList, judgedFiles, plannedList, recordOfRun, replacedIn } from "./run-list.ts";
import { responderEndpoint, responderLines, responders } from "./responder.ts";
import { spendingLine, startSpending } from "./spending.ts";
import { noKey, skillInHome } from "./sign-in.ts";
import { folderOfRuns } from "./workspace.ts";

/** Milliseconds that a program may take to say its version. */
const VERSION_MS = 30_000;

/**
 * Runs the agent on the evals. The exit status: 0 when every run was made, no matter what the agent did; 1 when some
 * never got to work or were not started; 2 for a mistake in the call or in a file.
 */
export async function runCommand(given: RunSurroundings): Promise<ExitStatus> {
  const { options, line } = given;
  const env = withKey(given.env, options);
  const surroundings = { ...given, env };
  const chosen = await chooseRuns(options, given.workspace, given.changes);
  const say = sayer(surroundings);
  chosen.problems.forEach(say);
  if (chosen.isFatal) {
    if (chosen.planned.length > 0) line("Nothing was started.");
    return EXIT.misused;
  }
  const errors = chosen.problems.filter(isError);
  const givenIn = givenBy(options, chosen.digestOf, redactorOf(surroundings));
  const all = await Promise.all(chosen.planned.map(async (run) => ({ ...run, given: await givenIn(run) })));
  const which = whichRuns(surroundings);
  const planned = all.filter(
    (run) =>
      options.failedIn === undefined ||
      which.isAgain(run) ||
      isOfOther(recordOfRun(join(options.out, run.folder)), run.given),
  );
  const kept = await keptRuns(planned, which);
  surroundings.output?.("planned", String(planned.length));
  line(await priceLine({ planned, kept }, options, { baseUrl: env.OPENAI_BASE_URL, ...given.judge }));
  const chosenFrom = new Set(planned.flatMap(({ suite }) => suite.among ?? []).map(({ name }) => name));
  if (chosenFrom.size > 0)
    line(
      `Where a file names skills, each query is run with all ${String(chosenFrom.size)}: ${listedCode(chosenFrom)}.`,
    );
  const due = planned.filter((run) => !kept.has(run));
  for (const text of [...(await responderLines(due, options)), ...spendingLine(options)]) line(text);
  idleOptions(planned, options).forEach(say);
  const wrong = tooManyRuns(planned.length - kept.size, options);
  if (options.dryRun && wrong.length === 0)
    for (const run of planned) line(`  ${runName(run)}${kept.has(run) ? " · made before, and kept" : ""}`);
  const folders = new Set(due.map(({ folder }) => folder));
  const status = await start(planned, { ...chosen, givenIn, due: folders, wrong }, surroundings);
  // Again, below the lines of all runs.
  if (!options.dryRun) errors.forEach(say);
  return errors.length > 0 ? EXIT.misused : status;
}

/** The environment with the key of the input `api-key`, in the variable that the agent's client reads. */
export function withKey(
  env: NodeJS.ProcessEnv,
  { agent, apiKey, model }: Pick<RunOptions, "agent" | "apiKey" | "model">,
): NodeJS.ProcessEnv {
  const name = agent === "command" || apiKey === undefined ? undefined : keyVariable(agent, apiKey, model);
  return name === undefined ? env : { ...env, [name]: apiKey };
}

function tooManyRuns(due: number, { maxRuns = Infinity }: RunOptions): Problem[] {
  if (due <= maxRuns) return [];
  const message = `${count(due, "run")} would be made, more than \`max-runs\` allows (${String(maxRuns)}): nothing was started.`;
  return [error("too-many-runs", message)];
}

/** The notice of inputs that were given and have no effect on this plan. */
function idleOptions(planned: readonly PlannedRun[], { idle, ofResponder }: RunOptions): Problem[] {
  const isPlayed = planned.some(({ task }) => task?.further?.by === "model");
  const names = [...idle, ...(isPlayed ? [] : ofResponder)];
  return names.length === 0 ? [] : [notice("idle-input", `No effect on these runs: ${listedCode(names)}.`)];
}

interface Starting extends Chosen {
  readonly givenIn: ReturnType<typeof givenBy>;
  readonly due: ReadonlySet<string>;
  /** Why nothing is started. */
  readonly wrong: readonly Problem[];
  readonly secretless?: RunSurroundings["withoutSecrets"];
}

/**
 * Makes the runs in the folder of all runs, where nothing that is known would stop each of them. A dry run writes the list
 * in a workflow alone: at a desk it changes nothing.
 */
async function start(
  planned: readonly GivenRun[],
  chosen: Starting,
  surroundings: RunSurroundings,
): Promise<ExitStatus> {
  const { options, env, withoutSecrets } = surroundings;
  // Where there is nothing to run, no key is asked for.
  const isDue = planned.length > 0 && !options.dryRun;
  const lacks = isDue && options.agent !== "command" && lacksKey(options.agent, env);
  const secretless = lacks ? withoutSecrets : undefined;
  const isAhead = isDue && secretless === undefined && chosen.wrong.length === 0;
  const wrong = isAhead ? problemsAhead(planned, surroundings) : chosen.wrong;
  const out = options.dryRun && !options.isStep ? undefined : openOut(options.out);
  if (out === undefined || isProblem(out)) {
    const all = [...wrong, ...(out ? [out] : [])];
    all.forEach(sayer(surroundings));
    return all.length > 0 ? EXIT.misused : EXIT.done;
  }
  try {
    const removing = (folder: string) => {
      removeLeavings(agentOf(options.agent), folder, env);
    };
    for (const text of clearLeft(out.left, removing)) surroundings.line(text);
    const held = { ...surroundings, options: { ...options, out: out.path } };
    return await makeAndList(planned, { ...chosen, wrong, secretless }, held);
  } finally {
    out.release();
  }
}

/** Makes the runs in the folder, which is held; their list is written before the first one, and when all have ended. */
async function makeAndList(
  planned: readonly GivenRun[],
  { wrong, secretless, givenIn, due, ...chosen }: Starting,
  surroundings: RunSurroundings,
): Promise<ExitStatus> {
  const { options, env, workspace, line } = surroundings;
  const { out, isStep, dryRun } = options;
  const before = await takeList(out);
  // Those that an agent of an earlier call wrote, which was said.
  for (const one of deeperLists(out)) removeBelow(out, one);
  const list = await plannedList(chosen, options, { before, workspace, out, givenIn, due });
  const write = (more: Partial<ListOfRuns>) => {
    writeList(out, listName(options.shard), { ...list, ...more });
  };
  if (secretless) {
    write({ no_key: true });
    const page = `${docsAddress(env)}/permissions-and-forks.md`;
    const who = SECRETLESS[secretless];
    line(`This event is ${who}: the agent has no key, and no run was made. ${page}`);
    return EXIT.done;
  }
  const temp = folderOfRuns(env, workspace);
  if (wrong.length > 0 || dryRun || isProblem(temp)) {
    write(wrong.length > 0 ? { ended: wrong.map(({ message }) => message).join(" ") } : { plans: "all" });
    wrong.forEach(sayer(surroundings));
    return wrong.length > 0 ? EXIT.misused : EXIT.done;
  }
  const folder = temporaryIn(temp);
  noteBegun(out, randomUUID(), [folder]);
  // In a workflow the agent could read what it is judged by; waza reads the evals itself. In git's history it still can.
  const isTaken = isStep && options.agent !== "waza";
  let putBack: () => void = () => undefined;
  try {
    const isInstalled = options.install && options.agent !== "command" && planned.length > 0;
    const ready = isInstalled ? await installAgent(options, { env, folder }) : env;
    if (isProblem(ready)) {
      write({ ended: ready.message });
      sayer(surroundings)(ready);
      return EXIT.failed;
    }
    const touchedSince = await judgedFiles(chosen.suites);
    write({ state: "started" });
    if (isTaken) putBack = takeEvals(chosen.suites);
    const { made, ...ended } = await make(
      planned,
      { ...chosen, temp, listed: before, agentVersion: versionOf(options, { ...ready, HOME: folder }) },
      { ...surroundings, env: ready },
    );
    putBack();
    const touched = await touchedSince();
    for (const folder of replacedIn(list, made)) removeBelow(out, folder);
    const finished = finishedList(list, made, { out, all: chosen.all });
    write({ ...finished, touched: [...list.touched, ...touched], ended: ended.why });
    const planted = deeperProblems(deeperLists(out));
    [...touchedProblems(touched), ...planted].forEach(sayer(surroundings));
    for (const text of await changedMeanwhile(chosen)) line(text);
    return touched.length + planted.length > 0 ? EXIT.misused : ended.status;
  } finally {
    putBack();
    removeAll(folder);
  }
}

function sayer({ line, env }: RunSurroundings): (problem: Problem) => void {
  const docs = docsAddress(env);
  return (problem) => {
    line(`${problem.level}: ${problemLine(problem, docs)}`);
  };
}

/** What would spoil every run. */
function problemsAhead(planned: readonly GivenRun[], surroundings: RunSurroundings): Problem[] {
  const { options, env } = surroundings;
  const skills = planned.flatMap(({ suite }) => skillsGiven(suite).map(({ name }) => name));
  const isPlayed = planned.some(({ task }) => task?.further?.by === "model");
  const responder = isPlayed ? responderEndpoint(options, env) : {};
  return [
    ...noKey(options, env),
    ...skillInHome(options, env, [...new Set(skills)]),
    ...[responder].filter(isProblem),
    ...[folderOfRuns(env, surroundings.workspace)].filter(isProblem),
  ];
}

/** An error where an agent may have changed what it is judged by. */
function touchedProblems(touched: ListOfRuns["touched"]): Problem[] {
  if (touched.length === 0) return [];
  const files = listedCode(touched.map(({ file }) => file));
  const what = `Changed while agents worked, by one of them or by you, and by this the runs are judged: ${files}.`;
  return [
    error("judge-changed", what, {
      help: "Look at the change: `waza-grade run` once more, which keeps the runs, accepts it.",
    }),
  ];
}

/** Why an event has no key. */
const SECRETLESS = {
  fork: "from a fork, which gets no secrets",
  dependabot: "by Dependabot, which gets its own secrets alone",
} as const;

/** By what it is known which runs are made. */
function whichRuns({ options, env }: RunSurroundings) {
  const { failedIn: failed = [] } = options;
  return {
    options,
    attempt: Number(env.GITHUB_RUN_ATTEMPT) || undefined,
    // By `failed-in`, those of tasks that did not pass.
    isAgain: ({ suite, task }: PlannedRun) =>
      options.again ||
      (task !== undefined && failed.length > 0 && whyNotSelected(failed, suite, task) === undefined),
  };
}

function redactorOf({ options: { agent, responderKey }, env }: RunSurroundings): Redactor {
  const own = responderKey === undefined ? [] : [responderKey];
  return redactor([...secretsIn(env), ...secretsInSettings(agentOf(agent), env), ...own], { shapes: true });
}

async function make(
  planned: readonly GivenRun[],
  { copies, temp, listed, agentVersion }: Pick<Making, "copies" | "temp" | "listed" | "agentVersion">,
  outer: RunSurroundings,
): Promise<Pick<MadeRuns, "made"> & { readonly why: string | undefined; readonly status: ExitStatus }> {
  const { options, line } = outer;
  const spending = startSpending(options.maxCost);
  const surroundings = { ...outer, cancelled: AbortSignal.any([outer.cancelled, spending.reached]) };
  const redact = redactorOf(surroundings);
  const progress = startProgress(planned.length, surroundings);
  const making: Making = {
    ...surroundings,
    ...whichRuns(surroundings),
    agentVersion,
    temp,
    redact,
    copies,
    listed,
    spending,
    speaker: speakers(surroundings, { spending, redact }),
    progress,
  };
  const all = await makeRuns(planned, making).finally(progress.stop);
  const install = installLine(options.agent);
  for (const text of endLines(all, { out: options.out, install })) line(text);
  const isAll = all.left === 0 && all.made.every(({ worked }) => worked);
  return { made: all.made, why: whyLeft(all, install), status: isAll ? EXIT.done : EXIT.failed };
}

/** Who says what the user says after the first turn. */
function speakers(
  { options, env, line, cancelled }: RunSurroundings,
  paid: Pick<Making, "spending" | "redact">,
): Making["speaker"] {
  const endpoint = responderEndpoint(options, env);
  const { concurrency: maxConcurrency } = options;
  const played = isProblem(endpoint)
    ? undefined
    : responders({ endpoint, maxConcurrency, ...paid, line, cancelled });
  return (run) => {
    const { further } = run.task ?? {};
    if (further?.by === "model" && played) return played(run, further);
    return scripted(further);
  };
}

/** A warning where skills are others than when the agents began: one of them may have written to the checkout. */
async function changedMeanwhile({ suites, skillDigestOf }: Chosen): Promise<string[]> {
  const now = skillDigests();
  const changed = await Promise.all(
    suites.map(async (suite) =>
      (await skillDigestOf(suite)) === (await now(suite)) ? [] : (suite.tested?.name ?? []),
    ),
  );
  const names = [...new Set(changed.flat())];
  if (names.length === 0) return [];
  return [
    `warning: Changed in the checkout while agents ran, by one of them or by you: the ${plural(names.length, "skill", "skills")} ${listedCode(names)}. Later runs may have had the changed text.`,
  ];
}

/** What the client says of its version: in an empty home, since some write to theirs. */
function versionOf({ agent }: RunOptions, env: NodeJS.ProcessEnv): string | undefined {
  if (agent === "command") return undefined;
  try {
    const text = execFileSync(agentOf(agent)?.program ?? agent, ["--version"], {
      env: { PATH: env.PATH, HOME: env.HOME },
      encoding: "utf8",
      timeout: VERSION_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return text.trim().split("\n")[0];
  } catch {
    return undefined;
  }
}
