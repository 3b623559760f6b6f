/** `waza-grade run`: what it says while it works and at the end, and its exit status. */
import { EXIT, type ExitStatus } from "../domain/exit-status.ts";
import { error, isError, isProblem, notice, type Problem } from "../domain/problem.ts";
import { skillsGiven } from "../domain/suite.ts";
import { count, docsAddress, listedCode, plural, problemLine } from "../text/format.ts";
import { removeBelow } from "../files/remove.ts";
import { deeperLists, deeperProblems, type ListOfRuns } from "../outputs/list-of-runs.ts";
import { skillDigests } from "../outputs/task-digest.ts";
import { type Redactor, redactor, secretsIn } from "../safety/secrets.ts";
import { agentOf } from "./agents.ts";
import { keysOf, lacksKey, lacksSignIn, secretsInSettings, skillsInHome } from "./environment.ts";
import { chooseRuns, type Chosen } from "./choose-runs.ts";
import { judgedFiles, takeEvals, touchedProblems } from "./eval-files.ts";
import { installAgent, versionOf } from "./install.ts";
import type { Call, MadeRuns, Making, RunSurroundings } from "./making.ts";
import { openOut } from "./out-folder.ts";
import { priceLine } from "./price-line.ts";
import { makeRuns } from "./run-evals.ts";
import { endLines, runName, startProgress, whyLeft } from "./run-lines.ts";
import { finishedList, givenBy, plannedList, takeUp, writeList } from "./run-list.ts";
import { isPlayed, responderEndpoint, responderLines, speakers } from "./responder.ts";
import { spendingLine, startSpending } from "./spending.ts";
import { type RunOptions, withKey } from "./run-options.ts";
import { clearLeft, folderOfRuns, temporaryFolder } from "./temporary-folders.ts";

/**
 * Runs the agent on the evals. The exit status: 0 when every run was made, no matter what the agent did; 1 when some
 * never got to work or were not started; 2 for a mistake in the call or in a file.
 */
export async function runCommand(given: RunSurroundings): Promise<ExitStatus> {
  const { options, line } = given;
  const surroundings = { ...given, env: withKey(given.env, options) };
  const chosen = await chooseRuns(options, given.workspace, given.changes);
  const say = sayer(surroundings);
  chosen.problems.forEach(say);
  if (chosen.isFatal) {
    if (chosen.planned.length > 0) line("Nothing was started.");
    return EXIT.misused;
  }
  const redact = redactorOf(surroundings);
  const givenIn = givenBy(options, chosen.digestOf, redact);
  const runs = await takeUp(chosen.planned, options, givenIn);
  const call = { ...surroundings, chosen, redact, givenIn, ...runs };
  await sayPlan(call);
  const status = await start(call);
  // Again, below the lines of all runs.
  const errors = chosen.problems.filter(isError);
  if (!options.dryRun) errors.forEach(say);
  return errors.length > 0 ? EXIT.misused : status;
}

/** Says what is to be run, what it costs, and what of the inputs has no effect on it. */
async function sayPlan(call: Call): Promise<void> {
  const { options, planned, kept, line } = call;
  call.output?.("planned", String(planned.length));
  line(await priceLine(call));
  const chosenFrom = new Set(planned.flatMap(({ suite }) => suite.among ?? []).map(({ name }) => name));
  if (chosenFrom.size > 0)
    line(
      `Where a file names skills, each query is run with all ${String(chosenFrom.size)}: ${listedCode(chosenFrom)}.`,
    );
  const due = planned.filter((run) => !kept.has(run));
  for (const text of [...(await responderLines(due, options)), ...spendingLine(options)]) line(text);
  const idle = [...options.idle, ...(planned.some(isPlayed) ? [] : options.ofResponder)];
  if (idle.length > 0) sayer(call)(notice("idle-input", `No effect on these runs: ${listedCode(idle)}.`));
}

/**
 * Makes the runs in the folder of all runs, where nothing that is known would stop each of them; their list is written
 * before the first one, and when all have ended. A dry run writes it in a workflow alone: at a desk it changes nothing.
 */
async function start(given: Call): Promise<ExitStatus> {
  const { options, env, planned, kept, line } = given;
  const temp = folderOfRuns(env, given.workspace);
  const { wrong, secretless } = hindrances(given, temp);
  if (options.dryRun && wrong.length === 0)
    for (const run of planned) line(`  ${runName(run)}${kept.has(run) ? " · made before, and kept" : ""}`);
  const out = options.dryRun && !options.isStep ? undefined : openOut(options.out);
  const said = isProblem(out) ? [...wrong, out] : wrong;
  said.forEach(sayer(given));
  const status = said.length > 0 ? EXIT.misused : EXIT.done;
  if (out === undefined || isProblem(out)) return status;
  using held = out;
  const call = { ...given, options: { ...options, out: held.path } };
  clearLeft(call);
  // Those that an agent of an earlier call wrote, which was said.
  for (const path of deeperLists(held.path)) removeBelow(held.path, path);
  const list = await plannedList(call);
  if (secretless) {
    writeList(call, { ...list, no_key: true });
    const page = `${docsAddress(env)}/permissions-and-forks.md`;
    const who = SECRETLESS[secretless];
    line(`This event is ${who}: the agent has no key, and no run was made. ${page}`);
    return EXIT.done;
  }
  if (wrong.length === 0 && !options.dryRun && !isProblem(temp))
    return await makeAndList({ ...call, temp }, list);
  const ended = wrong.map(({ message }) => message).join(" ");
  writeList(call, { ...list, ...(wrong.length > 0 ? { ended } : { plans: "all" }) });
  return status;
}

/** What keeps the runs from being made, as far as it is known before; `secretless` is an event that gets no key. */
function hindrances(call: Call, temp: string | Problem) {
  const { options, env, planned, kept, withoutSecrets } = call;
  const { agent, maxRuns = Infinity } = options;
  // Where there is nothing to run, no key is asked for.
  const isDue = planned.length > 0 && !options.dryRun;
  if (isDue && withoutSecrets && agent !== "command" && lacksKey(agent, env))
    return { wrong: [], secretless: withoutSecrets };
  const due = planned.length - kept.size;
  if (due <= maxRuns) return { wrong: isDue ? problemsAhead(call, temp) : [] };
  const message = `${count(due, "run")} would be made, more than \`max-runs\` allows (${String(maxRuns)}): nothing was started.`;
  return { wrong: [error("too-many-runs", message)] };
}

/** Makes the runs in the folder, which is held. */
async function makeAndList(call: Omit<BegunCall, "agentVersion">, list: ListOfRuns): Promise<ExitStatus> {
  const { options, env, chosen, planned, line } = call;
  const { out, agent } = options;
  const say = sayer(call);
  using folder = temporaryFolder(call);
  const isInstalled = options.install && agent !== "command" && planned.length > 0;
  const ready = isInstalled ? await installAgent(options, { env, folder: folder.path }) : env;
  if (isProblem(ready)) {
    writeList(call, { ...list, ended: ready.message });
    say(ready);
    return EXIT.failed;
  }
  const touchedSince = await judgedFiles(chosen.suites);
  writeList(call, { ...list, state: "started" });
  // In a workflow the agent could read what it is judged by; waza reads the evals itself. In git's history it still can.
  using taken = takeEvals(options.isStep && agent !== "waza" ? chosen.suites : []);
  const agentVersion = versionOf(agent, { ...ready, HOME: folder.path });
  const all = await make({ ...call, env: ready, agentVersion });
  taken.putBack();
  const touched = await touchedSince();
  const finished = finishedList(list, all.made, call);
  writeList(call, { ...finished, touched: [...list.touched, ...touched], ended: whyLeft(all, agent) });
  const planted = deeperProblems(deeperLists(out));
  [...touchedProblems(touched), ...planted].forEach(say);
  for (const text of await changedMeanwhile(chosen)) line(text);
  if (touched.length + planted.length > 0) return EXIT.misused;
  return all.left === 0 && all.made.every(({ worked }) => worked) ? EXIT.done : EXIT.failed;
}

async function make(call: BegunCall): Promise<MadeRuns> {
  const spending = startSpending(call.options.maxCost);
  const cancelled = AbortSignal.any([call.cancelled, spending.reached]);
  const progress = startProgress(call);
  const making = { ...call, cancelled, spending, progress };
  const all = await makeRuns({ ...making, speaker: speakers(making) }).finally(progress.stop);
  for (const text of endLines(all, call.options)) call.line(text);
  return all;
}

/** A call with runs that are about to be made. */
type BegunCall = Omit<Making, "spending" | "speaker" | "progress">;

function sayer({ line, env }: RunSurroundings): (problem: Problem) => void {
  const docs = docsAddress(env);
  return (problem) => {
    line(`${problem.level}: ${problemLine(problem, docs)}`);
  };
}

/** What would spoil every run. */
function problemsAhead({ options, env, planned }: Call, temp: string | Problem): Problem[] {
  const skills = planned.flatMap(({ suite }) => skillsGiven(suite).map(({ name }) => name));
  const responder = planned.some(isPlayed) ? responderEndpoint(options, env) : {};
  return [
    ...noKey(options, env),
    ...skillInHome(options, env, [...new Set(skills)]),
    ...[responder, temp].filter((one) => isProblem(one)),
  ];
}

/** A command has the user's home: a skill there of the name of a tested one would be on both sides. */
function skillInHome(
  { agent, ownHome }: RunOptions,
  env: NodeJS.ProcessEnv,
  skills: readonly string[],
): Problem[] {
  const paths = skillsInHome(skills, env);
  if (agent !== "command" || ownHome || paths.length === 0) return [];
  const what = `Your home has a skill of the name of one that is tested, which the command could load on both sides: ${listedCode(paths)}.`;
  const help =
    "Give the command a home of its own by `home: own`, with its key in the environment; or move the skill away until the runs are made.";
  return [error("skill-in-home", what, { help })];
}

/** In a workflow no one signs in: there is no key, no other provider, and nothing that an earlier step left. */
function noKey({ agent, isStep, more }: RunOptions, env: NodeJS.ProcessEnv): Problem[] {
  if (agent === "command" || !isStep || env.RUNNER_ENVIRONMENT === "self-hosted" || more.length > 0)
    return [];
  if (!lacksSignIn(agent, env)) return [];
  const help = `Give it the input \`api-key\`, or in \`env\` one of ${listedCode(keysOf(agent))}, of a secret that is there.`;
  return [error("agent-without-key", `${agent} has no key here.`, { help })];
}

/** Why an event has no key. */
const SECRETLESS = {
  fork: "from a fork, which gets no secrets",
  dependabot: "by Dependabot, which gets its own secrets alone",
} as const;

function redactorOf({ options: { agent, responderKey }, env }: RunSurroundings): Redactor {
  const own = responderKey === undefined ? [] : [responderKey];
  return redactor([...secretsIn(env), ...secretsInSettings(agentOf(agent), env), ...own], { shapes: true });
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
