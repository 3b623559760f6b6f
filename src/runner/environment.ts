/**
 * What an agent finds around it: its own key, and nothing of ours, of the runner or of other agents; and a home of its own
 * where it has a way to one, with the user's login linked.
 */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { textOfFile } from "../files/read.ts";
import { removeBelow } from "../files/remove.ts";
import { folderBelow, linkBelow, writeBelow } from "../files/write.ts";
import { secretsIn } from "../safety/secrets.ts";
import { jsonOf } from "../text/format.ts";
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
  const itsKeys = new Set(agent === "command" ? [] : keysOf(agent));
  const isKept = (name: string) =>
    itsKeys.has(name) ||
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

/** Whether an agent has no key, and by variables no other provider, nor by files of the home a sign-in. */
export function lacksSignIn(agent: AgentName, env: NodeJS.ProcessEnv): boolean {
  const { providers } = keyRow(agent);
  const isProvided = Object.entries(env).some(([name, value]) => value && providers.test(name));
  const row = agentOf(agent);
  const isIn = row?.login.some((path) => existsSync(ofUser(path, row, env)));
  return lacksKey(agent, env) && !isProvided && !isIn;
}

/* Its home. */

/** Fills an empty folder as the home of a run. */
export function prepareHome(folder: string, row: Agent, env: NodeJS.ProcessEnv): void {
  const { folders = {}, kept = {}, settings } = row.home;
  const isKept = (path: string) => Object.values(kept).some((other) => path.startsWith(`${other}/`));
  for (const path of row.login.filter((one) => !isKept(one))) linkBelow(folder, path, ofUser(path, row, env));
  const content = JSON.stringify(settingsOf(row, env));
  if (settings) writeBelow(folder, settings.path, { content, mode: 0o600 });
  for (const path of Object.values(folders)) folderBelow(folder, path);
}

/** What is kept of the user's settings; undefined for an agent that needs none. */
function settingsOf(row: Agent, env: NodeJS.ProcessEnv): object | undefined {
  const { settings } = row.home;
  const [own] = settings?.from.flatMap((path) => textOfFile(ofUser(path, row, env)) ?? []) ?? [];
  return settings?.keep(Object(jsonOf(own)) as Readonly<Record<string, unknown>>, env);
}

/** The secrets in these settings, by their names: an agent can read them. */
export function secretsInSettings(row: Agent | undefined, env: NodeJS.ProcessEnv): string[] {
  const secrets = (value: unknown, name: string): string[] => {
    if (typeof value === "string") return secretsIn({ [name]: value });
    return Object.entries(Object(value) as object).flatMap(([key, one]) => secrets(one, key));
  };
  return row ? secrets(settingsOf(row, env), "") : [];
}

/** The variables by which an agent finds the home of its run; where `HOME` is another one, those that name the user's, too. */
export function homeVariables(folder: string, row: Agent, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { folders = {}, files, kept = {} } = row.home;
  const names = "HOME" in folders ? Object.entries(kept) : [];
  return Object.fromEntries([
    ...names.map(([name, path]) => [name, ofUser(path, row, env)]),
    ...Object.entries({ ...folders, ...files }).map(([name, path]) => [name, join(folder, path)]),
  ]) as NodeJS.ProcessEnv;
}

/** The variables of a command with an empty home of its own; those by which clients find places in the user's are gone. */
export function withEmptyHome(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !OF_HOME.has(name))), HOME: folder };
}

const OF_HOME = new Set(
  Object.values<Agent>(AGENTS).flatMap(({ home }) => Object.keys({ ...home.folders, ...home.kept })),
);

/** Folders of a home from which clients load skills, each by its own documentation. */
const SKILLS = [
  ...[".agents", ".claude", ".cline", ".codex", ".copilot", ".cursor", ".gemini", ".qwen"],
  ...[".config/agents", ".config/crush", ".config/opencode"],
].map((folder) => `${folder}/skills`);

/** Skills of these names in the user's home. */
export function skillsInHome(names: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const paths = SKILLS.flatMap((folder) => names.map((name) => `${folder}/${name}`));
  return paths.filter((path) => existsSync(join(homeOf(env), path))).map((path) => `~/${path}`);
}

/** Removes what a client kept of a run in the user's home: the one folder that is named by the one it worked in, links resolved, and no more. */
export function removeLeavings(row: Agent | undefined, work: string, env: NodeJS.ProcessEnv): void {
  if (!row?.leaves) return;
  const left = ofUser(row.leaves(work), row, env);
  if (existsSync(dirname(left))) removeBelow(realpathSync(dirname(left)), basename(left));
}

/** The user's home. */
export function homeOf(env: NodeJS.ProcessEnv): string {
  return env.HOME || homedir();
}

/** The user's file or folder at a place in a home: below the folder that the innermost variable names. */
function ofUser(path: string, { home }: Agent, env: NodeJS.ProcessEnv): string {
  const [named] = Object.entries({ ...home.folders, ...home.kept })
    .filter(([name, folder]) => env[name] && `${path}/`.startsWith(folder === "" ? "" : `${folder}/`))
    .sort(([, one], [, other]) => other.length - one.length);
  const [name = "", folder = ""] = named ?? [];
  return join(env[name] ?? homeOf(env), path.slice(folder.length));
}
