/** What would spoil every run, known before the first one: no key, or a skill of the user's home on both sides. */
import { error, type Problem } from "../domain/problem.ts";
import { listedCode } from "../text/format.ts";
import { agentOf } from "./agents.ts";
import { hasProvider, keysOf, lacksKey } from "./environment.ts";
import { isSignedIn, skillsInHome } from "./home.ts";
import type { RunOptions } from "./run-options.ts";

/** A command has the user's home: a skill there of the name of a tested one would be on both sides. */
export function skillInHome(
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

/** In a workflow nobody signs in: there is no key, no other provider, and nothing that an earlier step left. */
export function noKey({ agent, isStep, more }: RunOptions, env: NodeJS.ProcessEnv): Problem[] {
  if (agent === "command" || !isStep || env.RUNNER_ENVIRONMENT === "self-hosted" || more.length > 0)
    return [];
  const row = agentOf(agent);
  const isIn = row !== undefined && isSignedIn(row, env);
  if (!lacksKey(agent, env) || hasProvider(agent, env) || isIn) return [];
  const help = `Give it the input \`api-key\`, or in \`env\` one of ${listedCode(keysOf(agent))}, of a secret that is there.`;
  return [error("agent-without-key", `${agent} has no key here.`, { help })];
}
