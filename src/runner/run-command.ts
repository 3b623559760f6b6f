/** `waza-grade run`: what it says while it works and at the end, and its exit status. */
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Skill, Suite, Task } from "../domain/suite.ts";
import { error, isError, warning, type Problem } from "../domain/problem.ts";
import { count, listedCode, mergeProblems, problemLine } from "../text/format.ts";
import { loadSuites } from "../evals/load-suites.ts";
import { problem } from "../evals/problems.ts";
import { loadTriggers } from "../evals/triggers.ts";
import { skillsIn } from "../evals/skills.ts";
import { onlyRoot, unchangedSuites, type Changes } from "../github/changes.ts";
import { NO_KEY_JSON } from "../outputs/run-folders.ts";
import { taskDigests } from "../outputs/task-digest.ts";
import { idleGlobs } from "../plan/problems.ts";
import { agentOf, lacksKey } from "./agents.ts";
import { GENTLE_MS, TRIGGER_MS, VERSION_MS } from "./limits.ts";
import { planRuns, planWazaRuns, priceLine, type PlannedRun } from "./plan-runs.ts";
import type { RunOptions } from "./run-options.ts";
import { makeRuns, type MadeRun, type Making } from "./run-evals.ts";
import { sameNames } from "./workspace.ts";

/** What the command needs from outside. */
export interface RunSurroundings {
  readonly options: RunOptions;
  readonly env: NodeJS.ProcessEnv;
  /** The top of the checkout, or the current folder. */
  readonly workspace: string;
  readonly changes: (root: string) => Promise<Changes>;
  /** The event is of a pull request from a fork, which gets no secrets. */
  readonly withoutSecrets: boolean;
  readonly line: (text: string) => void;
  /** Replaces the line of progress on a terminal. */
  readonly status?: ((text: string) => void) | undefined;
  readonly cancelled: AbortSignal;
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
  readonly gentleMs?: number | undefined;
}

/**
 * Runs the agent on the evals. The exit status: 0 when every run was made, no matter what the agent did; 1 when some
 * never got to work or were not started; 2 for a mistake of the caller.
 */
export async function runCommand(surroundings: RunSurroundings): Promise<0 | 1 | 2> {
  const { options, env, workspace, line } = surroundings;
  const { suites, problems } = await suitesToRun(surroundings);
  const wrong = mergeProblems(problems.filter(isError));
  const idle = idleGlobs({ suites, results: [], tasks: options.tasks });
  for (const problem of [...problems.filter((one) => !isError(one)), ...wrong, ...idle])
    line(`${problem.level}: ${problemLine(problem)}`);
  if (idle.length > 0) return 2;
  const chosen = options.changedOnly ? await changedSuites(suites, surroundings) : suites;
  const { planned, promptless } = plan(
    chosen.filter(({ broken }) => !broken),
    options,
  );
  for (const task of promptless) line(`error: ${problemLine(withoutPrompt(task))}`);
  const skills = await allSkills(options, workspace);
  const refused = refusal(planned, { options, skills });
  if (refused !== undefined) line(`error: ${refused}`);
  if (refused !== undefined || (wrong.length > 0 && planned.length === 0)) return 2;
  const price = await priceLine(planned, options, env.OPENAI_BASE_URL);
  withoutItsSkill(planned, options).concat(price).forEach(line);
  if (options.dryRun) {
    for (const run of planned) line(`  ${nameOf(run)}`);
    return 0;
  }
  if (surroundings.withoutSecrets && options.agent !== "command" && lacksKey(options.agent, env)) {
    writeFileSync(join(prepareOut(options.out), NO_KEY_JSON), '{ "agent": "had no key" }\n');
    line(
      "This pull request is from a fork, which gets no secrets: the agent has no key, and no run was made.",
    );
    return 0;
  }
  for (const text of commandPrompts(planned)) line(text);
  if (options.isStep && !options.keepEvals) removeEvals(suites);
  const status = await make(planned, { surroundings, skills });
  return promptless.length + wrong.length > 0 ? 2 : status;
}

/** The evals to run, and what is said of them: only errors, where there are any, since grading says the rest. */
async function suitesToRun({
  options,
  workspace,
}: RunSurroundings): Promise<{ readonly suites: readonly Suite[]; readonly problems: readonly Problem[] }> {
  if (options.triggers) {
    const { suites, problems } = await loadTriggers(workspace);
    const none = suites.length > 0 ? [] : [problem("noTriggersFound", undefined)];
    return { suites, problems: [...problems, ...none] };
  }
  const { suites, problems } = await loadSuites(options.evals, workspace);
  return { suites, problems: suites.length > 0 ? problems.filter(isError) : problems };
}

/** Every skill of the repository, where the agent gets them all. */
async function allSkills(options: RunOptions, workspace: string): Promise<readonly Skill[]> {
  return options.allSkills ? await skillsIn(workspace) : [];
}

function withoutPrompt({ id, at }: Task): Problem {
  return error(`the task \`${id}\` has no prompt, so it is not run.`, { at });
}

interface Checked {
  readonly options: RunOptions;
  readonly skills: readonly Skill[];
}

/** A warning for each eval that names a skill, or is run without it as well, where that skill is not there. */
function withoutItsSkill(planned: readonly PlannedRun[], options: RunOptions): string[] {
  if (options.triggers || options.allSkills || options.agent === "waza") return [];
  const suites = [...new Set(planned.map(({ suite }) => suite))];
  const bare = suites.filter(
    (suite) => (suite.skill !== undefined || options.withoutSkill) && suite.tested === undefined,
  );
  return bare.map(({ skill, at }) => {
    const which = skill === undefined ? "" : ` \`${skill}\``;
    const message = `the skill${which} of this eval was not found: the agent gets none.`;
    const problem = warning(message, {
      help: "It is a folder with a SKILL.md, at or above the eval, or of that name.",
      at,
    });
    return `warning: ${problemLine(problem)}`;
  });
}

/** Why nothing is started; undefined if all is well. */
function refusal(planned: readonly PlannedRun[], { options, skills }: Checked): string | undefined {
  const twice = options.allSkills ? sameNames(skills) : undefined;
  if (twice)
    return `Two skills have the name \`${twice[0]?.name ?? ""}\`, and an agent would load one of them: ${listedCode(twice.map(({ folder }) => folder))}.`;
  if (options.triggers && options.agent !== "command" && agentOf(options.agent)?.saysSkills !== true)
    return `The log of ${options.agent} does not say which skills were loaded, so trigger evals cannot be run with it.`;
  const { maxRuns } = options;
  if (maxRuns === undefined || planned.length <= maxRuns) return undefined;
  return `${count(planned.length, "run")} are planned, more than \`max-runs\` allows (${String(maxRuns)}): nothing was started.`;
}

interface Ready {
  readonly surroundings: RunSurroundings;
  readonly skills: readonly Skill[];
}

async function make(planned: readonly PlannedRun[], { surroundings, skills }: Ready): Promise<0 | 1> {
  const { options, env, line, cancelled, pause } = surroundings;
  const out = prepareOut(options.out);
  const making: Making = {
    agent: options.agent === "command" ? { command: options.command } : options.agent,
    agentVersion: versionOf(options, env),
    model: options.model,
    more: options.more,
    out,
    temp: realpathSync(env.RUNNER_TEMP ?? tmpdir()),
    sides: options.withoutSkill ? 2 : 1,
    attempt: Number(env.GITHUB_RUN_ATTEMPT) || undefined,
    concurrency: options.concurrency,
    timeoutMs: options.triggers ? Math.min(options.timeoutMs, TRIGGER_MS) : options.timeoutMs,
    gentleMs: surroundings.gentleMs ?? GENTLE_MS,
    env,
    skillsOf: ({ tested }) => (options.allSkills ? skills : [tested ?? []].flat()),
    digestOf: taskDigests(),
    cancelled,
    onEnd: progress(planned.length, surroundings),
    ...(pause ? { pause } : {}),
  };
  const { made, left, stopped } = await makeRuns(planned, making);
  for (const text of endLines({ made, left, stopped, out })) line(text);
  return left > 0 || made.some(({ worked, record }) => !worked && record.timedOut !== true) ? 1 : 0;
}

interface Plan {
  readonly planned: readonly PlannedRun[];
  /** Tasks that ask an agent nothing. */
  readonly promptless: readonly Task[];
}

function plan(suites: readonly Suite[], options: RunOptions): Plan {
  const request = { ...options, suites };
  if (options.agent === "waza") {
    const ofWaza = suites.filter(({ at }) => !at.path.endsWith(".json"));
    return { planned: planWazaRuns({ ...request, suites: ofWaza }), promptless: [] };
  }
  const runs = planRuns(request);
  const lacksPrompt = ({ task }: PlannedRun) => !task?.prompt?.trim();
  return {
    planned: runs.filter((run) => !lacksPrompt(run)),
    promptless: [...new Set(runs.filter(lacksPrompt).flatMap(({ task }) => task ?? []))],
  };
}

async function changedSuites(
  suites: readonly Suite[],
  { changes, line }: RunSurroundings,
): Promise<readonly Suite[]> {
  const root = onlyRoot(suites);
  const known =
    root === undefined ? { unknown: "the evals are not all in one repository" } : await changes(root);
  const { suites: unchanged, problems } = unchangedSuites(suites, known);
  for (const problem of problems) line(lineOf(problem));
  return suites.filter((suite) => !unchanged.has(suite));
}

function lineOf(problem: Problem): string {
  return `${problem.level}: ${problemLine(problem).replaceAll("graded", "run")}`;
}

/** `release-notes/1 without the skill 2/3`. */
function nameOf({ suite, task, side, trial, trials }: PlannedRun): string {
  const of = trials > 1 ? ` ${String(trial)}/${String(trials)}` : "";
  const without = side === undefined ? "" : " without the skill";
  return `${suite.title}${task === undefined ? "" : `/${task.id}`}${without}${of}`;
}

/** A prompt that is the skill's own command means nothing without the skill. */
function commandPrompts(planned: readonly PlannedRun[]): string[] {
  const commands = planned.filter(({ side, task }) => side !== undefined && task?.prompt?.startsWith("/"));
  if (commands.length === 0) return [];
  const names = listedCode(commands.map(({ task }) => task?.id ?? ""));
  return [`warning: These tasks begin with a command, which there is not without the skill: ${names}.`];
}

/** In a workflow the agent could read what it is judged by: in git's history it still can. */
function removeEvals(suites: readonly Suite[]): void {
  for (const suite of suites)
    for (const { path } of [
      suite.at,
      ...(suite.tasks === "every" ? [] : suite.tasks.flatMap(({ at }) => at ?? [])),
    ])
      rmSync(resolve(suite.root ?? ".", path), { force: true });
}

/** The folder of all runs, which git ignores. */
function prepareOut(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".gitignore"), "*\n");
  return realpathSync(folder);
}

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

/** One line a run as it ends, and a counter that moves on a terminal. */
function progress(all: number, { line, status }: RunSurroundings): (made: MadeRun) => void {
  let ended = 0;
  return ({ run, record, worked, isOld }) => {
    ended += 1;
    const seconds = ` · ${String(Math.round((record.durationMs ?? 0) / 1_000))} s`;
    const how = isOld
      ? " · made before, and kept"
      : record.timedOut === true
        ? `${seconds} · timed out`
        : seconds;
    line(`${worked ? "✓" : "✗"} ${nameOf(run)}${how}${worked ? "" : " · never got to work"}`);
    status?.(`${String(ended)} of ${String(all)} runs`);
  };
}

interface End {
  readonly made: readonly MadeRun[];
  readonly left: number;
  readonly stopped: false | "hopeless" | "refused" | "absent";
  readonly out: string;
}

const STOPPED = {
  hopeless:
    "No agent got to work, so the rest was not started: look at its key, its account and its last lines.",
  absent:
    "The agent's program was not found, so the rest was not started. It is started in the run's own folder: name it by its whole path.",
  refused: "The agent's key was refused, or its account is empty, so the rest was not started.",
} as const;

function endLines({ made, left, stopped, out }: End): string[] {
  const dead = made.filter(({ worked }) => !worked);
  const missing = made.filter(({ record }) => record.missingFiles !== undefined);
  return [
    ...dead.flatMap(({ run, last }) => [
      `✗ ${nameOf(run)}: ${join(out, run.folder)}`,
      ...last.map((text) => `    ${text}`),
    ]),
    ...missing.map(
      ({ run, record }) => `warning: ${nameOf(run)} lacked ${listedCode(record.missingFiles ?? [])}`,
    ),
    `${String(made.length - dead.length)} of ${count(made.length + left, "run")} made${dead.length > 0 ? `, ${String(dead.length)} never got to work` : ""}${left > 0 ? `, ${String(left)} not started` : ""}: ${out}`,
    ...(stopped === false ? [] : [STOPPED[stopped]]),
  ];
}
