/** What would spoil every run, known before the first one: no key, or a skill of the user's home on both sides. */
import { error, type Problem } from "../domain/problem.ts";
import { listedCode } from "../text/format.ts";
import { agentOf } from "./agents.ts";
import { hasProvider, keysOf, lacksKey } from "./environment.ts";
import { isSignedIn, skillsInHome } from "./home.ts";
import type { RunOptions } from "./run-options.ts";

/** Errors with which nothing is started; `skills` are the names of those that are tested. */
export function startProblems(
  options: RunOptions,
  env: NodeJS.ProcessEnv,
  skills: readonly string[],
): Problem[] {
  const hasHome = options.agent === "command" && !options.ownHome;
  const inHome = hasHome ? skillsInHome(skills, env) : [];
  return [
    ...(hasNoKey(options, env) ? [noKey(options)] : []),
    ...(inHome.length > 0 ? [skillInHome(inHome)] : []),
  ];
}

function skillInHome(paths: readonly string[]): Problem {
  const what = `Your home has a skill of the name of one that is tested, which the command could load on both sides: ${listedCode(paths)}.`;
  return error("skill-in-home", what, {
    help: "Give the command a home of its own by `home: own`, with its key in the environment; or move the skill away until the runs are made.",
  });
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
