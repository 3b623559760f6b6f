/** What would stop every run, known before the first one: that the agent has no key. */
import { error, type Problem } from "../domain/problem.ts";
import { listedCode } from "../text/format.ts";
import { agentOf, hasProvider, keysOf, lacksKey } from "./agents.ts";
import { isSignedIn } from "./home.ts";
import type { RunOptions } from "./run-options.ts";

/** Errors with which nothing is started. */
export function startProblems(options: RunOptions, env: NodeJS.ProcessEnv): Problem[] {
  return hasNoKey(options, env) ? [noKey(options)] : [];
}

/** In a workflow nobody signs in: there is no key, no other provider, and nothing that an earlier step left. */
function hasNoKey({ agent, isStep, more }: RunOptions, env: NodeJS.ProcessEnv): boolean {
  if (agent === "command" || !isStep || env.RUNNER_ENVIRONMENT === "self-hosted" || more.length > 0)
    return false;
  const row = agentOf(agent);
  const isIn = row !== undefined && isSignedIn(row, env);
  return lacksKey(agent, env) && !hasProvider(agent, env) && !isIn;
}

function noKey({ agent }: RunOptions): Problem {
  const names = agent === "command" ? [] : keysOf(agent);
  return error("agent-without-key", `${agent} has no key here.`, {
    help: `Give it the input \`api-key\`, or in \`env\` one of ${listedCode(names)}, of a secret that is there.`,
  });
}
