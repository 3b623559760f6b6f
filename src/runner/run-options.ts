/** The options of `waza-grade run`: the inputs of run/action.yml, read as those of grading are. */
import * as core from "@actions/core";
import { relative, resolve } from "node:path";
import { error, type Problem } from "../domain/problem.ts";
import { slashes, topOf } from "../files/confine.ts";
import { blockOn } from "../files/write.ts";
import { OPENAI } from "../judge/api/wire.ts";
import { InputReader } from "../inputs/input-reader.ts";
import { listedCode } from "../text/format.ts";
import { closest, didYouMean } from "../text/suggest.ts";
import { AGENT_NAMES, type AgentName } from "./agents.ts";
import { keyVariable, keysOf } from "./environment.ts";
import type { Shard } from "../plan/runs.ts";

/** The inputs, read, and what of them has no effect. */
export interface RunOptions extends Readonly<ReturnType<typeof readOptionInputs>> {
  /** Inputs that were given and have no effect on any plan. */
  readonly idle: readonly string[];
}

const COUNT = { fallback: undefined, lowest: 1, highest: 999_999 };

/** npm's programs are scripts there, and no signal ends all that an agent started. */
const NOT_HERE = error("no-platform", "Agents are run on Linux and macOS.", {
  help: "On Windows, run them in WSL; grading works here as well.",
});

interface Caller {
  readonly workspace: string;
  readonly isStep: boolean;
}

/** Reads all options; nothing may be started where there are problems. */
export function readRunOptions(
  env: NodeJS.ProcessEnv,
  { platform = process.platform, ...caller }: Caller & { readonly platform?: NodeJS.Platform },
): { readonly options: RunOptions; readonly problems: readonly Problem[] } {
  const { workspace, isStep } = caller;
  const problems: Problem[] = platform === "win32" ? [NOT_HERE] : [];
  const inputs = readOptionInputs(env, caller, problems);
  const options = { ...inputs, idle: idleInputs(inputs) };
  const top = topOf(workspace) ?? workspace;
  const isWritten = !isStep && !options.dryRun;
  if (isWritten && core.getInput("out") === "")
    problems.push(...(top === workspace ? linkOnWay(workspace, OUT) : [belowTop(workspace, top)]));
  if (options.apiKey !== undefined) problems.push(...keyProblems(options, options.apiKey));
  return { options, problems };
}

/** Where the runs go by themselves. */
const OUT = ".waza-grade/runs";

function readOptionInputs(env: NodeJS.ProcessEnv, { workspace, isStep }: Caller, problems: Problem[]) {
  const read = new InputReader(problems);
  const text = (name: string) => core.getInput(name) || undefined;
  const evals = read.globs("eval");
  const standard = isStep ? resolve(env.RUNNER_TEMP ?? "", "waza-grade-runs") : OUT;
  return {
    // The command for the shell is empty unless the agent is one.
    ...readAgent(problems),
    /** The command can be called again for a further turn. */
    resumes: read.boolean("resumes"),
    /** The endpoint of the model that plays the user, and its key. */
    responderUrl: read.url("responder-base-url", "OPENAI_BASE_URL", env) ?? OPENAI,
    responderKey: text("responder-key"),
    /** US dollars that all runs may cost. */
    maxCost: read.cap("max-cost-usd", "dollars"),
    evals: evals.length > 0 ? evals : undefined,
    /** A list that says which runs are made, in place of all other inputs that choose. Absolute. */
    plan: read.file("plan", workspace),
    /** Globs over ids and names of tasks; empty for all. */
    tasks: read.globs("tasks"),
    /** Only tasks that match one of these, which are made again, and those with runs that were made of something else. */
    failedIn: env["INPUT_FAILED-IN"] === undefined ? undefined : read.globs("failed-in"),
    /** Each run of a command has an empty home. */
    ownHome: read.choice("home", ["user", "own"]) === "own",
    /** The agent's client is installed first. */
    install: read.boolean("install"),
    /** Its version on npm; absent for the one that was tried. */
    agentVersion: text("agent-version"),
    /** Finished runs are made again, too. */
    again: read.boolean("again"),
    changedOnly: read.boolean("changed-only"),
    /** Trigger evals are run, and nothing else. */
    triggers: read.boolean("triggers"),
    /** By default the eval's own, else 1. */
    trials: read.integer("trials", COUNT),
    lift: read.boolean("lift"),
    model: text("model"),
    shard: readShard(read),
    concurrency: read.integer("concurrency", { ...COUNT, fallback: 4 }),
    timeoutMs: read.duration("timeout", 600_000),
    /** Absolute. */
    out: read.file("out", workspace) ?? resolve(workspace, standard),
    maxRuns: read.integer("max-runs", COUNT),
    dryRun: read.boolean("dry-run"),
    /** Further arguments of the agent. */
    more: core.getMultilineInput("arguments"),
    /** The agent's key, where it was not given by the agent's own variable. */
    apiKey: text("api-key"),
    isStep,
    /** Of the workflow's run. */
    attempt: Number(env.GITHUB_RUN_ATTEMPT) || undefined,
    /** Inputs that were given and have no effect where no model plays the user. */
    ofResponder: ["responder-base-url", "responder-key"].filter((name) => core.getInput(name) !== ""),
  };
}

/** Inputs that were given and have no effect on any plan. */
function idleInputs({
  agent,
  install,
  agentVersion,
  ownHome,
  resumes,
}: ReturnType<typeof readOptionInputs>): string[] {
  const isOfCommand = agent === "command";
  const idle = {
    "agent-version": agentVersion !== undefined && (isOfCommand || !install),
    home: ownHome && !isOfCommand,
    resumes: resumes && !isOfCommand,
  };
  return Object.entries(idle).flatMap(([name, isIdle]) => (isIdle ? name : []));
}

/** A link that lies where the runs go by themselves; to one that an input names they go. */
function linkOnWay(workspace: string, folder: string): Problem[] {
  const blocked = blockOn(workspace, folder);
  const help = "Remove it, or name the folder of the runs by `--out`.";
  return blocked === undefined ? [] : [error("refused-link", `${blocked}.`, { help })];
}

/**
 * Where the paths of evals and runs are those of the repository, here and in a workflow; `flag` names other runs.
 */
export function belowTop(workspace: string, top: string, flag: "out" | "results" = "out"): Problem {
  const [folder, way] = [relative(top, workspace), relative(workspace, top)].map(slashes) as [string, string];
  return error(
    "below-the-top",
    `Runs lie at the top of the repository, and \`${folder}\` is a folder in it.`,
    {
      help: `Start at the top (\`cd ${way}\`), where \`--tasks\` chooses the tasks, or name the folder of the runs by \`--${flag}\`.`,
    },
  );
}

function readAgent(problems: Problem[]): {
  readonly agent: AgentName | "command";
  readonly command: string;
} {
  const [agent, command] = [core.getInput("agent"), core.getInput("command")];
  const known = AGENT_NAMES.find((name) => name === agent);
  if (command !== "" && agent !== "")
    problems.push(error("agent-and-command", "`agent` and `command` exclude each other."));
  else if (command === "" && known === undefined) problems.push(noAgent(agent));
  return known === undefined ? { agent: "command", command } : { agent: known, command: "" };
}

/** A key that is given by itself belongs to an agent with a variable for it. */
function keyProblems({ agent, model }: RunOptions, key: string): Problem[] {
  if (agent === "command")
    return [
      error("key-of-command", "`api-key` is of an `agent`.", {
        help: "Give a `command` its key by a variable of its own (`env`).",
      }),
    ];
  if (keyVariable(agent, key, model) !== undefined) return [];
  const help = `Set \`model\` with its provider (\`openai/…\`), or give the key by its variable: ${listedCode(keysOf(agent))}.`;
  return [
    error("key-of-unknown-provider", `Which provider the \`api-key\` of ${agent} belongs to is not known.`, {
      help,
    }),
  ];
}

function noAgent(agent: string): Problem {
  const help = `There are ${listedCode(AGENT_NAMES)}; any other is started by \`command\`.`;
  if (agent === "") return error("no-agent", "Name the agent to run by `agent`.", { help });
  const near = closest(agent, AGENT_NAMES) ?? AGENT_NAMES.find((name) => name.startsWith(agent));
  return error("unknown-agent", `There is no agent \`${agent}\`.`, { help: didYouMean(near) ?? help });
}

function readShard(read: InputReader): Shard | undefined {
  const value = core.getInput("shard");
  if (value === "") return undefined;
  const [, index, of] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(value) ?? [];
  if (index !== undefined && Number(index) <= Number(of)) return { index: Number(index), of: Number(of) };
  read.reject("shard", value, "Write the second of four as `2/4`.");
  return undefined;
}

/** The environment with the key of the input `api-key`, in the variable that the agent's client reads. */
export function withKey(
  env: NodeJS.ProcessEnv,
  { agent, apiKey, model }: Pick<RunOptions, "agent"> & Partial<RunOptions>,
): NodeJS.ProcessEnv {
  const name = agent === "command" || apiKey === undefined ? undefined : keyVariable(agent, apiKey, model);
  return name === undefined ? env : { ...env, [name]: apiKey };
}
