/** The environment of an agent: its own key, and nothing of ours, of the runner or of other agents. */
import { AGENTS, AGENT_NAMES, type Agent, type AgentName, agentOf } from "./agents.ts";

/** The row with an agent's keys; waza works through Copilot. */
function keyRow(agent: AgentName): Agent {
  return AGENTS[agent === "waza" ? "copilot" : agent];
}

/** The variables that hold an agent's keys. */
export function keysOf(agent: AgentName): readonly string[] {
  return keyRow(agent).keys;
}

/** The variable of a key that was given by itself; undefined where only the model's provider would say it. */
export function keyVariable(agent: AgentName, key: string, name: string | undefined): string | undefined {
  const { keyFor, keys } = keyRow(agent);
  return keyFor ? keyFor(key, name) : keys[0];
}

/** The keys of all agents: each gets its own alone. */
const ALL_KEYS: ReadonlySet<string> = new Set(AGENT_NAMES.flatMap(keysOf));

/** The key of the model that plays the user, at the command line; no agent gets it. */
export const RESPONDER_KEY = "RESPONDER_API_KEY";

/** The variables of a workflow's step: what it may write to, and its tokens. */
const OF_RUNNER = /^(?:INPUT_|ACTIONS_|GITHUB_|RUNNER_)/i;

/** The environment of an agent: nothing of ours or of the runner, and of the keys of agents those of its own row. */
export function environmentOf(agent: AgentName | "command", env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = new Set(agent === "command" ? [] : keysOf(agent));
  const isKept = (name: string) =>
    own.has(name) ||
    (!OF_RUNNER.test(name) && name !== RESPONDER_KEY && (agent === "command" || !ALL_KEYS.has(name)));
  return {
    ...agentOf(agent)?.env,
    ...Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name))),
  };
}

/** Whether there is none of an agent's keys: a sign-in of the user, or another provider, needs none. */
export function lacksKey(agent: AgentName, env: NodeJS.ProcessEnv): boolean {
  return !keysOf(agent).some((name) => env[name]);
}

/** Whether the variables give an agent another provider. */
export function hasProvider(agent: AgentName, env: NodeJS.ProcessEnv): boolean {
  return Object.entries(env).some(([name, value]) => value && keyRow(agent).providers.test(name));
}
