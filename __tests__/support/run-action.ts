/** Runs the bundled action as the runner does: its own process, environment, GITHUB_* files and temporary folder. */
import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  rmdirSync,
  writeFileSync,
  existsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "..", "..");
export const HEAD_SHA = "a".repeat(40);
export const MERGE_SHA = "b".repeat(40);
export const TOKEN = "ghs_loopbackToken0123456789abcdefghijklmn";
/** No run of a test takes longer; a hanging one is stopped by its process id, and then has no exit status. */
const LONGEST_MS = 150_000;

export interface ActionRun {
  readonly workspace: string;
  /** Inputs as a workflow's `with:` gives them; the others have action.yml's defaults. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly event?: { readonly name: string; readonly payload: unknown };
  readonly githubUrl?: string;
  /** Sends a signal once this has come. */
  readonly interrupt?: { readonly when: Promise<unknown>; readonly signal: NodeJS.Signals };
}

export interface ActionResult {
  readonly code: number | null;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly runnerTemp: string;
  readonly durationMs: number;
}

/** A pull request of the repository itself, whose head is HEAD_SHA. */
export function pullRequestEvent(from = "octo/agents") {
  return {
    name: "pull_request",
    payload: {
      pull_request: {
        number: 7,
        user: { login: "mona" },
        head: { sha: HEAD_SHA, ref: "topic", repo: { full_name: from } },
        base: { sha: "c".repeat(40), ref: "main", repo: { full_name: "octo/agents" } },
      },
    },
  };
}

/** A push to the default branch. */
export const PUSH_TO_MAIN = {
  event: { name: "push", payload: {} },
  env: { GITHUB_REF: "refs/heads/main" },
};

/** The event of a pull request that changes these files of a project, committed with git, from what they were before. */
export function pullRequestThat(
  workspace: string,
  changed: readonly string[] | Readonly<Record<string, string | undefined>>,
) {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=mona", "-c", "user.email=mona@example.com", ...args], {
      cwd: workspace,
      encoding: "utf8",
    }).trim();
  const commit = () => {
    git("add", "--all", "--force");
    git("commit", "--quiet", "--allow-empty", "--message", "x");
    return git("rev-parse", "HEAD");
  };
  const put = (file: string, text: string | undefined) => {
    if (text === undefined) rmSync(file, { force: true });
    else mkdirSync(dirname(file), { recursive: true });
    if (text !== undefined) writeFileSync(file, text);
    else if (existsSync(dirname(file)) && readdirSync(dirname(file)).length === 0) rmdirSync(dirname(file));
  };
  git("init", "--quiet");
  const before = Array.isArray(changed)
    ? (changed as readonly string[]).map((name) => [name, "before"] as const)
    : Object.entries(changed as Readonly<Record<string, string | undefined>>);
  const files = before.map(([name, text]) => {
    const file = join(workspace, name);
    return { file, text, now: existsSync(file) ? readFileSync(file, "utf8") : undefined };
  });
  for (const { file, text } of files) put(file, text);
  const base = commit();
  for (const { file, now } of files) put(file, now);
  const { name, payload } = pullRequestEvent();
  const pull = { ...payload.pull_request, head: { ...payload.pull_request.head, sha: commit() } };
  return { name, payload: { pull_request: { ...pull, base: { ...pull.base, sha: base } } } };
}

/** Runs dist/index.js; everything it is given and everything it leaves lies in a folder of its own. */
export async function runAction(run: ActionRun): Promise<ActionResult> {
  const files = actionFiles(run);
  const started = performance.now();
  const ended = await spawnNode(files.env, run);
  return readResult(files, { ...ended, durationMs: performance.now() - started });
}

/** A run's folder, the files that the runner gives it, and its environment. */
export interface ActionFiles {
  readonly runnerTemp: string;
  readonly summary: string;
  readonly output: string;
  readonly env: Record<string, string | undefined>;
}

export function actionFiles(run: ActionRun): ActionFiles {
  const runnerTemp = temporaryFolder("runner");
  const files = { summary: join(runnerTemp, "summary.md"), output: join(runnerTemp, "output.txt") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  return { runnerTemp, ...files, env: environment(run, runnerTemp, files) };
}

/** How a run ended, with what it left in its files. */
export function readResult(
  { runnerTemp, summary, output }: ActionFiles,
  ended: Pick<ActionResult, "code" | "log" | "durationMs">,
): ActionResult {
  return {
    ...ended,
    summary: existsSync(summary) ? readFileSync(summary, "utf8") : "",
    outputs: readOutputs(readFileSync(output, "utf8")),
    runnerTemp,
  };
}

function environment(run: ActionRun, runnerTemp: string, files: { summary: string; output: string }) {
  const event = run.event ?? pullRequestEvent();
  const eventPath = join(runnerTemp, "event.json");
  writeFileSync(eventPath, JSON.stringify(event.payload));
  return {
    PATH: process.env.PATH ?? "",
    HOME: runnerTemp,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: run.workspace,
    GITHUB_REPOSITORY: "octo/agents",
    GITHUB_SHA: MERGE_SHA,
    GITHUB_ACTOR: "mona",
    GITHUB_WORKFLOW: "Evals",
    GITHUB_JOB: "grade",
    GITHUB_RUN_ID: "1000",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: eventPath,
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_API_URL: run.githubUrl ?? "http://127.0.0.1:9",
    GITHUB_STEP_SUMMARY: files.summary,
    GITHUB_OUTPUT: files.output,
    RUNNER_TEMP: runnerTemp,
    ...inputVariables(run.inputs ?? {}),
    ...run.env,
  };
}

/** Expressions in action.yml, as the runner evaluates them for a job without a matrix. */
const EVALUATED: Readonly<Record<string, string>> = {
  "${{ github.token }}": TOKEN,
  "${{ toJSON(matrix) }}": "null",
};

/** INPUT_ variables as the runner sets them: action.yml's defaults, expressions evaluated, names in upper case. */
function inputVariables(given: Readonly<Record<string, string>>): Record<string, string> {
  const action = parse(readFileSync(join(ROOT, "action.yml"), "utf8")) as {
    inputs: Record<string, { default?: string }>;
  };
  for (const name of Object.keys(given)) {
    if (!(name in action.inputs)) throw new Error(`action.yml has no input ${name}`);
  }
  return Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => {
      const value = given[name] ?? EVALUATED[input.default ?? ""] ?? input.default ?? "";
      return [`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`, value];
    }),
  );
}

function spawnNode(
  env: Record<string, string | undefined>,
  run: ActionRun,
): Promise<{ code: number | null; log: string }> {
  const child = spawn(process.execPath, [join(ROOT, "dist", "index.js")], { cwd: run.workspace, env });
  let log = "";
  const { interrupt } = run;
  void interrupt?.when.then(() => child.kill(interrupt.signal));
  const read = (chunk: Buffer) => {
    log += chunk.toString("utf8");
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, log });
    });
  });
}

/** GITHUB_OUTPUT's `name<<delimiter` blocks. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const [, name = "", , value = ""] of text.matchAll(/^(.+?)<<(\S+)\n([\s\S]*?)\n?\2$/gm))
    outputs[name] = value;
  return outputs;
}

const folders: string[] = [];

/** A folder of its own under the system's temporary one, links resolved. */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `waza-grade-${name}-`)));
  folders.push(folder);
  return folder;
}

/** Writes a project: paths to texts (or data, as JSON). It is a repository as far as we look: it has `.git`. */
export function writeProject(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder("project");
  mkdirSync(join(folder, ".git"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(
      join(folder, path),
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    );
  }
  return folder;
}

/** Removes every folder the tests of this file made. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The copies for waza beside the record of a run, by name and number (`suite.json`, `suite.2.json`). */
export function copiesBeside(record: string): string[] {
  const folder = record.replace(/\.json$/, "-waza");
  if (!existsSync(folder)) return [];
  const numbered = readdirSync(folder).map((name) => {
    const [, stem = "", number = "1"] = /^(.*?)(?:\.(\d+))?\.json$/.exec(name) ?? [];
    return { name, stem, number: Number(number) };
  });
  numbered.sort((a, b) => (a.stem === b.stem ? a.number - b.number : a.stem < b.stem ? -1 : 1));
  return numbered.map(({ name }) => join(folder, name));
}
