/** The home of an agent's run: one of its own where the agent has a way to it, with the user's login linked. */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { textOfFile } from "../files/read.ts";
import { removeBelow } from "../files/remove.ts";
import { folderBelow, linkBelow, writeBelow } from "../files/write.ts";
import { jsonOf } from "../text/format.ts";
import { AGENTS, type Agent, type OwnHome } from "./agents.ts";

/** Fills an empty folder as the home of a run. */
export function prepareHome(folder: string, { isolation, login }: Agent, env: NodeJS.ProcessEnv): void {
  if (isolation === "arguments") return;
  const isKept = (path: string) =>
    Object.values(isolation.kept ?? {}).some((other) => path.startsWith(`${other}/`));
  for (const path of login.filter((one) => !isKept(one)))
    linkBelow(folder, path, ofUser(path, isolation, env));
  writeSettings(folder, isolation, env);
  for (const path of Object.values(isolation.folders)) folderBelow(folder, path);
}

/** The variables by which an agent finds the home of its run. */
export function homeVariables(
  folder: string,
  { isolation }: Agent,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  if (isolation === "arguments") return {};
  return Object.fromEntries([
    ...Object.entries(isolation.kept ?? {}).map(([name, path]) => [name, ofUser(path, isolation, env)]),
    ...Object.entries({ ...isolation.folders, ...isolation.files }).map(([name, path]) => [
      name,
      join(folder, path),
    ]),
  ]) as NodeJS.ProcessEnv;
}

/** The variables of a command with an empty home of its own; those by which clients find places in the user's are gone. */
export function withEmptyHome(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !OF_HOME.has(name))), HOME: folder };
}

const OF_HOME = new Set([
  "CLAUDE_CONFIG_DIR",
  ...Object.values(AGENTS).flatMap(({ isolation }) =>
    typeof isolation === "string"
      ? []
      : Object.keys({ ...isolation.folders, ...("kept" in isolation && isolation.kept) }),
  ),
]);

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

/** Removes what a client kept of a run in the user's home: the one folder that is named by the run's own, and no more. */
export function removeLeavings(row: Agent | undefined, work: string, env: NodeJS.ProcessEnv): void {
  if (!row?.leavings) return;
  const { folder, home, variable, name } = row.leavings;
  const all = join(env[variable] || join(homeOf(env), home), folder);
  // The agent may have removed its folder, never the one above it.
  const worked = join(realpathSync(dirname(work)), basename(work));
  if (existsSync(all)) removeBelow(realpathSync(all), name(worked));
}

/** The user's home. */
export function homeOf(env: NodeJS.ProcessEnv): string {
  return env.HOME || homedir();
}

/** The user's file or folder at a place in a home: below the folder that the innermost variable names. */
function ofUser(path: string, { folders, kept }: OwnHome, env: NodeJS.ProcessEnv): string {
  const [named] = Object.entries({ ...folders, ...kept })
    .filter(([name, folder]) => env[name] && `${path}/`.startsWith(folder === "" ? "" : `${folder}/`))
    .sort(([, one], [, other]) => other.length - one.length);
  if (!named) return join(homeOf(env), path);
  const [name, folder] = named;
  return join(env[name] ?? "", path.slice(folder.length));
}

function writeSettings(folder: string, home: OwnHome, env: NodeJS.ProcessEnv): void {
  const { settings } = home;
  if (settings === undefined) return;
  const own = settings.from
    .map((path) => textOfFile(ofUser(path, home, env)))
    .find((text) => text !== undefined);
  const kept = settings.keep(Object(jsonOf(own)) as Readonly<Record<string, unknown>>, env);
  writeBelow(folder, settings.path, { content: JSON.stringify(kept), mode: 0o600 });
}

/** Whether the user is signed in to an agent, as far as files of the home say it. */
export function isSignedIn({ isolation, login }: Agent, env: NodeJS.ProcessEnv): boolean {
  const home = isolation === "arguments" ? { folders: {} } : isolation;
  return login.some((path) => existsSync(ofUser(path, home, env)));
}
