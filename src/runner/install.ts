/** Installs an agent's client, in the version of the table, and asks it for its own. */
import { execFile, execFileSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { error, type Problem } from "../domain/problem.ts";
import { textOfFile } from "../files/read.ts";
import { agentOf } from "./agents.ts";
import type { RunOptions } from "./run-options.ts";

/** Time that an install may take; npm's takes less than a minute. */
const INSTALL_MS = 600_000;
/** Milliseconds that a program may take to say its version. */
const VERSION_MS = 30_000;
/** Lines of an install that failed which are shown. */
const LAST_LINES = 3;

/** waza's own script, which takes the newest version to `~/bin`. */
const WAZA = "https://raw.githubusercontent.com/microsoft/waza/main/install.sh";

/** Codex's sandbox needs user namespaces, which Ubuntu's AppArmor keeps from programs like it. */
const RESTRICTED = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";
const UNRESTRICT = "kernel.apparmor_restrict_unprivileged_userns=0";

/** The line that installs an agent's client by hand; undefined for a command. */
export function installLine(agent: string): string | undefined {
  if (agent === "waza") return `curl -fsSL ${WAZA} | bash`;
  const [name, version] = agentOf(agent)?.package ?? [];
  return name === undefined ? undefined : `npm install --global ${name}@${String(version)}`;
}

/** Installs the agent in a folder; returns the environment in which it is found, or why it is not there. */
export async function installAgent(
  { agent, agentVersion }: Pick<RunOptions, "agent" | "agentVersion">,
  { env, folder }: { readonly env: NodeJS.ProcessEnv; readonly folder: string },
): Promise<NodeJS.ProcessEnv | Problem> {
  const run = async (program: string, ...args: readonly string[]) => {
    await promisify(execFile)(program, args, { env, timeout: INSTALL_MS, cwd: folder });
  };
  try {
    if (agent === "waza") {
      await run("curl", "-fsSL", "--output", "install.sh", WAZA);
      await run("bash", "install.sh");
      return onPath(env, join(env.HOME ?? "", "bin"));
    }
    const [name = "", tried = ""] = agentOf(agent)?.package ?? [];
    await run("npm", "install", "--global", "--prefix", folder, `${name}@${agentVersion ?? tried}`);
    if (agent === "codex" && textOfFile(RESTRICTED)?.trim() === "1")
      await run("sudo", "-n", "sysctl", "-w", UNRESTRICT);
    return onPath(env, join(folder, "bin"));
  } catch (thrown) {
    // What the program said last, else why it did not start.
    const { stderr = "", message } = thrown as Error & { readonly stderr?: string };
    const lines = stderr.split("\n").filter((line) => line.trim() !== "");
    const why = lines.length === 0 ? message : lines.slice(-LAST_LINES).join("; ");
    return error("not-installed", `${agent} could not be installed: ${why}`);
  }
}

function onPath(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  return { ...env, PATH: `${folder}${delimiter}${env.PATH ?? ""}` };
}

/** What the client says of its version: in an empty home, since some write to theirs. */
export function versionOf(agent: string, { PATH, HOME }: NodeJS.ProcessEnv): string | undefined {
  if (agent === "command") return undefined;
  try {
    const text = execFileSync(agentOf(agent)?.program ?? agent, ["--version"], {
      env: { PATH, HOME },
      encoding: "utf8",
      timeout: VERSION_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return text.trim().split("\n")[0];
  } catch {
    return undefined;
  }
}
