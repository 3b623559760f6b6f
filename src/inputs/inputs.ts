/** The action's inputs, validated together; names and defaults as in action.yml. Cancellation of a run. */
import * as core from "@actions/core";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { relative, resolve } from "node:path";
import type { Policy } from "../domain/grade.ts";
import { error, warning, type Problem } from "../domain/problem.ts";
import { REFUSED_LINK, follow, isInside, lookUp } from "../files/confine.ts";
import { obstacleTo } from "../files/write.ts";
import { setMoreInputs } from "./more-inputs.ts";
import { InputReader } from "./input-reader.ts";
import {
  type Provider,
  isNameOfSecret,
  identityProblems,
  readIdentity,
  readProviders,
  unsendable,
} from "./providers.ts";
import { type Endpoint, OPENAI } from "../judge/api/wire.ts";
import { secretsIn } from "../safety/secrets.ts";
import { parseDuration } from "../text/format.ts";

/** All inputs, read; never written to. */
export type Inputs = Readonly<ReturnType<typeof allInputs>>;

/**
 * Reads all inputs. An invalid value becomes an error that names the input and the value, and the default is used, so that
 * the report can still be published.
 */
export function readInputs(env: NodeJS.ProcessEnv): { inputs: Inputs; problems: Problem[] } {
  const problems: Problem[] = setMoreInputs(process.env);
  const inputs = allInputs(env, problems);
  problems.push(...unmetNeeds(inputs.policy), ...keptElsewhere(inputs));
  return { inputs, problems: withUnevaluated(problems) };
}

function allInputs(env: NodeJS.ProcessEnv, problems: Problem[]) {
  const read = new InputReader(problems);
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const isStep = isRunner(env);
  const offline = read.boolean("offline");
  const agentWorkspace = read.pattern("workspace", ["{eval}", "{task}", "{run}"]);
  const judgeModel = core.getInput("judge-model");
  const evals = read.globs("eval");
  const votes = readVotes(read);
  const cacheDir = readCacheDir(workspace, offline, problems);
  const outputFile = readOutputFile(workspace, env);
  return {
    workspace,
    /** The runner's temporary folder; undefined outside GitHub Actions. */
    runnerTemp: env.RUNNER_TEMP || undefined,
    /** A step of a workflow, rather than a command. */
    isStep,
    /** Patterns of eval files; undefined to search the project for them. */
    eval: evals.length > 0 ? evals : undefined,
    /** Globs over ids and names of tasks; empty for all. */
    tasks: read.globs("tasks"),
    /** Whether to grade only what the pull request changes. */
    changedOnly: read.boolean("changed-only"),
    results: read.list("results", [isStep ? RESULTS : localResults(workspace)]),
    /** Graded results of an earlier run: patterns of files, and entries that `keptName` reads; empty for none. */
    baseline: read.list("baseline", []),
    /** Globs over names of advisory graders; empty for none. */
    advisory: read.globs("advisory"),
    /** Absolute path of a file with people's verdicts on the grades. */
    labels: read.file("labels", workspace),
    /** The agent's workspace: a folder, or a pattern with `{eval}`, `{task}` and `{run}`. */
    agentWorkspace,
    judgeModel: judgeModel === "auto" ? undefined : judgeModel || undefined,
    judgeEffort: core.getInput("judge-effort") || undefined,
    ...readEndpoints(read.url("base-url", "OPENAI_BASE_URL", env), env, problems),
    /** What else in the environment is a secret, by its name or its form. */
    otherSecrets: secretsIn(env),
    /** Caps of the run: requests, US dollars. */
    caps: {
      calls: read.cap("max-judge-calls", "count"),
      cost: read.cap("max-cost-usd", "dollars"),
    },
    ownPrices: read.prices("model-prices"),
    ...votes,
    /** Whether to grade runs without the skill, too. */
    lift: read.boolean("lift"),
    dryRun: read.boolean("dry-run"),
    timeoutMs: readTimeout(read, env, problems),
    /** The step's own limit, in minutes; undefined where it is not said. */
    stepMinutes: read.cap("timeout-minutes", "minutes"),
    maxConcurrency: read.integer("max-concurrency", { fallback: 10, lowest: 1, highest: 9_999 }),
    /** Maximum tokens of evidence. */
    maxEvidence: read.integer("max-evidence", { fallback: 60_000, lowest: 1_000, highest: 9_999_999 }),
    cacheDir,
    offline,
    policy: readPolicy(read),
    token: core.getInput("token") || undefined,
    checkName: core.getInput("check-name") || "waza-grade",
    annotations: read.choice("annotations", ["auto", "check-run", "job", "off"]),
    comment: read.choice("comment", ["off", "failures", "always"]),
    /** The matrix job as JSON, or `null`: each matrix job has its own check run and comment. */
    matrix: core.getInput("matrix") || "null",
    reports: read.reports("reports", workspace, outputFile),
    /** Path of the graded results; undefined at the command line unless set. */
    outputFile,
    /** Copies in waza's format stand beside it: where the file is named. */
    hasCopies: core.getInput("output-file") !== "",
  };
}

/** The artifact that an entry of `baseline` names: `default-branch`, or `default-branch:NAME`; undefined for files. */
export function keptName(entry: string): string | undefined {
  const [, isKept, name] = /^(default-branch)(?::(.+))?$/.exec(entry) ?? [];
  return isKept && (name ?? "evals-baseline");
}

/** At the command line no run of a workflow is there to ask for its results. */
function keptElsewhere({ baseline, isStep }: Pick<Inputs, "baseline" | "isStep">): Problem[] {
  const entry = isStep ? undefined : baseline.find((name) => keptName(name) !== undefined);
  if (entry === undefined) return [];
  const help = "Here, download the results and name their files: `gh run download <run> -n evals-baseline`.";
  return [error("kept-elsewhere", `\`--baseline ${entry}\` is for workflows.`, { help })];
}

/** `judge-votes` and `confirm-on-fail`, by which there is always a strict majority, and `confirm-model`. */
function readVotes(read: InputReader) {
  const given = read.integer("judge-votes", { fallback: 1, lowest: 1, highest: 99 });
  const votes = given % 2 === 1 ? given : 1;
  if (votes !== given)
    read.reject("judge-votes", String(given), "Use an odd number, so that there is a majority.");
  const more = read.integer("confirm-on-fail", { fallback: 0, lowest: 0, highest: 98 });
  const odd = "Use an even number, so that together with the first verdict there is a majority.";
  const both = more > 0 && votes > 1 ? "Use either `judge-votes` or `confirm-on-fail`." : undefined;
  const fault = more % 2 === 1 ? odd : both;
  if (fault !== undefined) read.reject("confirm-on-fail", String(more), fault);
  const confirmOnFail = fault === undefined ? more : 0;
  const model = core.getInput("confirm-model") || undefined;
  if (model !== undefined && confirmOnFail === 0)
    read.reject("confirm-model", model, "Set `confirm-on-fail` too, the number of its votes, such as 2.");
  return {
    /** Votes per grade; 1 for a single verdict. */
    votes,
    /** Additional votes for a failed grade; 0 for none. */
    confirmOnFail,
    /** The model of the additional votes; by default each grade's own judge. */
    confirmModel: confirmOnFail > 0 ? model : undefined,
  };
}

/**
 * The folder of recorded verdicts. Unless `offline`, it has to be outside the checkout, where a pull request could commit
 * passing records.
 */
function readCacheDir(workspace: string, offline: boolean, problems: Problem[]): string | undefined {
  const value = core.getInput("cache-dir");
  if (value === "") return undefined;
  const folder = resolve(workspace, value);
  const fault = faultOfCache(folder, workspace, offline);
  if (fault === undefined) return folder;
  const [what, help] = fault;
  problems.push(error("wrong-cache-dir", `The input \`cache-dir\` is \`${value}\`, ${what}.`, { help }));
  return undefined;
}

/** What is wrong with the folder, and what helps. With `offline`, it may be in the repository, but not behind a link that leads out of it. */
function faultOfCache(
  folder: string,
  workspace: string,
  offline: boolean,
): readonly [what: string, help: string] | undefined {
  const { refused } = lookUp(folder, workspace);
  if (offline)
    return refused === undefined
      ? undefined
      : [`reached by ${REFUSED_LINK[refused]}`, "Name the folder itself."];
  const { links, real } = follow(folder);
  const top = follow(workspace).real;
  if ([...links, real].some((path) => isInside(path, top)))
    return [
      "a folder inside the checked-out repository, where a pull request could commit its own verdicts",
      "Use a folder outside of it; in a workflow `${{ runner.temp }}/waza-grade`, saved with actions/cache.",
    ];
  const obstacle = obstacleTo("folder", folder);
  if (!obstacle) return undefined;
  const below = obstacle.at === folder ? "" : `below \`${obstacle.at}\`, `;
  return [`${below}which is ${obstacle.what}`, "Name another folder."];
}

/** waza's results, and the folder that `waza-grade run` writes to. */
const RESULTS = "results.json";
export const RUNS = ".waza-grade/runs";

/** At the command line the runs that were made here, else results that lie there. */
function localResults(workspace: string): string {
  return existsSync(resolve(workspace, RUNS)) ? RUNS : RESULTS;
}

function readOutputFile(workspace: string, env: NodeJS.ProcessEnv): string | undefined {
  const given = core.getInput("output-file");
  if (given !== "") return resolve(workspace, given);
  if (!isRunner(env)) return undefined;
  return resolve(workspace, env.RUNNER_TEMP || tmpdir(), "waza-grade-results.json");
}

/** Whether this is a step of GitHub Actions, rather than a local command. */
export function isRunner(env: NodeJS.ProcessEnv): boolean {
  return env.GITHUB_ACTIONS === "true";
}

/** The variable of the key where the input is not set; at the command line it is the only way. */
const KEY_VARIABLE = "OPENAI_API_KEY";

/** The variable, a secret by its name, in which an earlier step stores a Microsoft Entra token; OpenAI's libraries read the same. */
const ENTRA_TOKEN = "AZURE_OPENAI_AD_TOKEN";

/** The endpoints with their keys. If `address` was invalid, the standard one is OpenAI's. */
function readEndpoints(address: string | undefined, env: NodeJS.ProcessEnv, problems: Problem[]) {
  const keyInput = core.getInput("api-key");
  const apiKey = keyInput || env[KEY_VARIABLE]?.trim();
  // OpenAI's own API needs a key; others may not.
  const needsKey = address !== undefined && /(^|\.)api\.openai\.com$/.test(new URL(address).hostname);
  const isKeyless = needsKey && !apiKey;
  const configured = readIdentity(core.getInput("openai-identity"), env, problems);
  const identity = isKeyless ? configured : undefined;
  const standard: Endpoint = {
    baseUrl: address ?? OPENAI,
    apiKey: apiKey || undefined,
    identity,
    keyMissing: isKeyless && !identity?.isPermitted ? true : undefined,
    otherKey: isKeyless ? otherKey(env) : undefined,
    keyVariable: hasVariable(keyInput, env) ? KEY_VARIABLE : undefined,
  };
  const read = readProviders(core.getInput("providers"), standard);
  problems.push(
    ...(configured && address !== undefined ? identityProblems(address, { needsKey, isKeyless }) : []),
    ...read.problems,
    ...badKey(
      keyInput ? "The input `api-key`" : `The environment variable \`${KEY_VARIABLE}\``,
      apiKey,
      needsKey,
    ),
  );
  const token = env[ENTRA_TOKEN]?.trim();
  problems.push(...badKey(`The environment variable \`${ENTRA_TOKEN}\``, token));
  return {
    /** Endpoints by model; the first match counts. */
    providers: read.providers.map((provider) => withEntraToken(provider, token)),
    /** The endpoint of all other models. */
    standard,
    /** API keys and header values of `providers`. */
    providerSecrets: read.secrets,
  };
}

/** Whether the key is that of the environment, or at the command line has to be. */
function hasVariable(keyInput: string, env: NodeJS.ProcessEnv): boolean {
  return keyInput === "" && (Boolean(env[KEY_VARIABLE]?.trim()) || !isRunner(env));
}

const AS_SECRET =
  "In the workflow file, write `${{ secrets.NAME }}` with the secret's name; outside a workflow, use the key itself.";

/** How the keys of other makers begin, as they document them, their variables, and their endpoint. */
const OTHER_MAKERS = [
  ["sk-ant-", "Anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1"],
  ["sk-or-", "OpenRouter", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"],
  ["gsk_", "Groq", "GROQ_API_KEY", "https://api.groq.com/openai/v1"],
  ["xai-", "xAI", "XAI_API_KEY", "https://api.x.ai/v1"],
  ["AIza", "Google", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"],
  ["ghp_", "GitHub", undefined, undefined],
  ["github_pat_", "GitHub", undefined, undefined],
] as const;

/** How the judge of the inputs is named at a command line. */
export function judgeOf({ standard: { baseUrl }, judgeModel }: Pick<Inputs, "standard" | "judgeModel">) {
  const [, , key] = OTHER_MAKERS.find(([, , , address]) => address === baseUrl) ?? [];
  return { baseUrl: baseUrl === OPENAI ? undefined : baseUrl, model: judgeModel, key };
}

/** The key of another maker that is in the environment of a command, and the address that takes it. */
function otherKey(env: NodeJS.ProcessEnv): Endpoint["otherKey"] {
  const [, , variable, baseUrl] =
    OTHER_MAKERS.find(([, , name]) => name !== undefined && Boolean(env[name]?.trim())) ?? [];
  return variable === undefined || isRunner(env) ? undefined : { variable, baseUrl };
}

/**
 * Errors for a key that cannot be sent (with a line break, for example), is only the name of the secret, or would be sent
 * to OpenAI (`isForOpenAi`) and is another maker's.
 */
function badKey(name: string, key = "", isForOpenAi = false): Problem[] {
  const other = isForOpenAi ? OTHER_MAKERS.find(([start]) => key.startsWith(start)) : undefined;
  if (other) {
    const [start, maker, , baseUrl = "<the address of your judge>"] = other;
    const message = `${name} is a key of ${maker} (\`${start}…\`), and would be sent to OpenAI.`;
    const help = `Set \`base-url: ${baseUrl}\`, and \`judge-model\` to one of its models.`;
    return [error("key-of-other-provider", message, { help })];
  }
  if (/^(?:bearer|basic)\s/i.test(key))
    return [
      error("key-with-scheme", `${name} begins with the name of a scheme (\`${key.slice(0, 6).trim()}\`).`, {
        help: "Save the key alone: `Bearer` is written before it when it is sent.",
      }),
    ];
  if (isNameOfSecret(key))
    return [error("name-as-key", `${name} holds the name of a secret, not its value.`, { help: AS_SECRET })];
  const fault = unsendable(key);
  const help = "Save the secret again: the key alone, on one line, without quotes or spaces.";
  return fault === undefined
    ? []
    : [error("unsendable-key", `${name} contains ${fault}, which a header cannot contain.`, { help })];
}

/** Adds the Entra token to an Azure endpoint without a key. */
function withEntraToken(provider: Provider, token: string | undefined): Provider {
  const { endpoint } = provider;
  if (!endpoint.azure || endpoint.apiKey !== undefined || !token) return provider;
  return { ...provider, endpoint: { ...endpoint, keyMissing: undefined, apiKey: token } };
}

const DEFAULT_TIMEOUT_MS = 120_000;

/** The input, or WAZA_PROMPT_GRADER_TIMEOUT (an invalid one is ignored with a warning, as in waza), or 120 s. */
function readTimeout(read: InputReader, env: NodeJS.ProcessEnv, problems: Problem[]): number {
  if (core.getInput("timeout") !== "") return read.duration("timeout", DEFAULT_TIMEOUT_MS);
  const inherited = env.WAZA_PROMPT_GRADER_TIMEOUT?.trim() ?? "";
  if (inherited === "") return DEFAULT_TIMEOUT_MS;
  const milliseconds = parseDuration(inherited);
  if (milliseconds !== undefined) return milliseconds;
  const message = `WAZA_PROMPT_GRADER_TIMEOUT is \`${inherited}\`, which is not a duration; 120 s is used.`;
  problems.push(warning("wrong-timeout", message, { help: "Use `5m`, `300s` or a number of seconds." }));
  return DEFAULT_TIMEOUT_MS;
}

function readPolicy(read: InputReader): Policy {
  const minScore = read.fraction("min-score");
  return {
    failOn: read.choice("fail-on", ["fail", "regression", "score", "never"]),
    secondLook: read.boolean("second-look"),
    onError: read.choice("on-error", ["fail", "warn"]),
    onMissing: read.choice("on-missing", ["fail", "warn"]),
    minScore,
    minAgreement: read.fraction("min-agreement"),
  };
}

/** Errors for rules without a required input. */
function unmetNeeds({ failOn, minAgreement }: Policy): Problem[] {
  const needs = (rule: string, name: string, help: string) =>
    core.getInput(name) === ""
      ? [error("missing-input", `\`${rule}\` needs \`${name}\`, and it is not set.`, { help })]
      : [];
  const baseline = "Set `baseline` to the graded results of an earlier run; the file need not exist yet.";
  const labels =
    "Set `labels` to a file of people's verdicts; `reports: labels=labels.csv` writes one to fill in.";
  return [
    ...(failOn === "score"
      ? needs("fail-on: score", "min-score", "Set `min-score` to a number from 0 to 1.")
      : []),
    ...(failOn === "regression" ? needs("fail-on: regression", "baseline", baseline) : []),
    ...(minAgreement === undefined ? [] : needs("min-agreement", "labels", labels)),
  ];
}

/** Adds errors for unevaluated expressions, which replace other problems of the same input. */
function withUnevaluated(problems: readonly Problem[]): Problem[] {
  const names = Object.entries(process.env).flatMap(([variable, value]) =>
    variable.startsWith("INPUT_") && value?.includes("${{")
      ? variable.slice("INPUT_".length).toLowerCase()
      : [],
  );
  const help = "GitHub evaluates expressions only in the workflow file: elsewhere, write the value itself.";
  return [
    ...names.map((name) =>
      error(
        "unevaluated-expression",
        `The input \`${name}\` holds \`\${{\`, an expression that was not evaluated.`,
        { help },
      ),
    ),
    ...problems.filter(({ message }) => !names.some((name) => message.includes(`\`${name}\``))),
  ];
}

/** All secrets of the inputs and of the environment. */
export function secretsOf({
  standard,
  token,
  providerSecrets,
  otherSecrets,
}: Inputs): (string | undefined)[] {
  return [standard.apiKey, token, ...providerSecrets, ...otherSecrets];
}

/** The path of the HTML report, relative to the workspace. */
export function htmlFileOf({ reports, workspace }: Inputs): string | undefined {
  const file = reports.find(({ format }) => format === "html");
  return file && relative(workspace, file.path);
}

/**
 * A signal aborted by SIGINT or SIGTERM, which a runner sends when a workflow is cancelled, or SIGHUP, of a terminal that is
 * closed: finished grades are still published. The second signal of a kind ends the process.
 */
export function cancellation(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      controller.abort();
    });
  }
  return controller.signal;
}

/** A minute, and of a limit below two minutes half of it. */
const STEP_MARGIN_MINUTES = 1;

/** A signal that is aborted shortly before the step's own limit; never where that is not known. */
export function endingAt(stepMinutes: number | undefined): AbortSignal[] {
  if (stepMinutes === undefined) return [];
  const minutes = Math.max(stepMinutes - STEP_MARGIN_MINUTES, stepMinutes / 2);
  return [AbortSignal.timeout(minutes * 60_000)];
}
