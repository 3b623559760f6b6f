/** Runs git for what it knows of a checkout: nothing that the repository's settings name is started or fetched. */
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** Time limit for git, which normally needs well under a second. */
const GIT_TIMEOUT_MS = 60_000;
/** Bytes of git's output. */
const MOST_GIT_BYTES = 64_000_000;

/**
 * Turns off everything that the repository's settings could run or fetch: an earlier step may have changed them. A
 * checkout of another user, as in a container, is read all the same.
 */
const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "protocol.allow=never",
  "safe.directory=*",
];

/** Windows looks for a program in the current folder first, where a pull request could place one. */
const ELSEWHERE = dirname(process.execPath);

/** Programs that git starts on files it compares, under names that the repository chooses. */
const FILTERS = String.raw`^filter\..*\.(process|clean|smudge)$`;

/** Runs git, and returns what it printed, by its zero bytes. The first two arguments name the checkout (`-C` and a path). */
export async function git(args: readonly string[]): Promise<string[]> {
  const list = ["config", "--null", "--name-only", "--get-regexp", FILTERS];
  // It fails where there is none; where it fails otherwise, so does what was asked.
  const programs = await startGit([...args.slice(0, 2), ...list]).catch(() => []);
  const required = programs.map((key) => `${key.slice(0, key.lastIndexOf("."))}.required`);
  return await startGit(args, [...programs, ...required]);
}

/** Starts git with these settings empty: in the environment, since their names may hold `=`. */
async function startGit(args: readonly string[], empty: readonly string[] = []): Promise<string[]> {
  const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
  const emptied = empty.flatMap((key, index) => [
    [`GIT_CONFIG_KEY_${String(index)}`, key] as const,
    [`GIT_CONFIG_VALUE_${String(index)}`, ""] as const,
  ]);
  const { stdout } = await promisify(execFile)("git", [...settings, "--no-pager", ...args], {
    cwd: ELSEWHERE,
    env: {
      ...gitEnvironment(),
      ...Object.fromEntries(emptied),
      GIT_CONFIG_COUNT: String(empty.length),
    },
    timeout: GIT_TIMEOUT_MS,
    maxBuffer: MOST_GIT_BYTES,
  });
  return stdout.split("\0").filter((part) => part !== "");
}

/** An environment without the runner's variables and git's settings: only the path to git. */
function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
}
