/** Every action input, read once and validated together; the names and defaults are those of action.yml. */
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as core from "@actions/core";
import type { Policy, Problem } from "./domain.ts";
import { isInside, resolveLinks } from "./files.ts";

export interface Inputs {
  readonly workspace: string;
  /** Absent when it is not set: what the project calls its eval files is searched for. */
  readonly eval?: readonly string[];
  readonly results: readonly string[];
  /** Where the agent worked: a folder, or a pattern of folders with `{task}` and `{run}`. */
  readonly agentWorkspace?: string;
  /** Tokens of evidence that a judge is shown. */
  readonly maxEvidence: number;
  readonly judgeModel?: string;
  readonly apiKey?: string;
  readonly baseUrl: string;
  /** OpenAI's own API needs a key; others may not. */
  readonly needsKey: boolean;
  readonly timeoutMs: number;
  readonly maxConcurrency: number;
  readonly cacheDir?: string;
  readonly offline: boolean;
  readonly policy: Policy;
  readonly token?: string;
  readonly checkName: string;
  readonly annotations: "auto" | "check-run" | "job" | "off";
  /** Annotations of the whole run, at most. */
  readonly maxAnnotations: number;
  readonly comment: "off" | "failures" | "always";
  /** The leg of the job's matrix as JSON; `null` without one. It tells the comments of legs apart. */
  readonly matrix: string;
  readonly reports: readonly ReportFile[];
  readonly outputFile: string;
}

/** A file that the report is written to: its format, and where. */
export interface ReportFile {
  readonly format: (typeof REPORT_FORMATS)[number];
  readonly path: string;
}

const REPORT_FORMATS = ["junit", "ctrf", "markdown"] as const;

const OPENAI = "https://api.openai.com/v1";
const DEFAULT_TIMEOUT_MS = 120_000;
/** setTimeout's longest delay. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all inputs. A bad value becomes an error that names the input and the value, and its default stands in, so
 * that the report can still be published.
 */
export function readInputs(env: Environment): { inputs: Inputs; problems: Problem[] } {
  const problems: Problem[] = [];
  const read = new Reader(problems);
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const apiKey = core.getInput("api-key") || env.OPENAI_API_KEY;
  const token = core.getInput("token") || undefined;
  for (const secret of [apiKey, token]) if (secret) core.setSecret(secret);
  const baseUrl = read.url("base-url", "OPENAI_BASE_URL", env);
  const offline = read.boolean("offline");
  const minScore = read.fraction("min-score");
  const agentWorkspace = read.pattern("workspace", ["{task}", "{run}"]);
  const judgeModel = core.getInput("judge-model");
  const evals = read.list("eval", []);
  const cacheDir = readCacheDir(workspace, offline, problems);
  const inputs: Inputs = {
    workspace,
    results: read.list("results", ["results.json"]),
    baseUrl,
    // A bad address is the problem to solve first: whether it needs a key is not known.
    needsKey: /(^|\.)api\.openai\.com$/.test(new URL(baseUrl).hostname) && !read.badUrl,
    timeoutMs: readTimeout(read, env, problems),
    maxConcurrency: read.integer("max-concurrency", { fallback: 10, lowest: 1, highest: 9_999 }),
    maxEvidence: read.integer("max-evidence", { fallback: 60_000, lowest: 1_000, highest: 9_999_999 }),
    offline,
    policy: {
      failOn: read.choice("fail-on", ["fail", "score", "never"]),
      onError: read.choice("on-error", ["fail", "warn"]),
      ...(minScore === undefined ? {} : { minScore }),
    },
    checkName: core.getInput("check-name") || "waza-grade",
    annotations: read.choice("annotations", ["auto", "check-run", "job", "off"]),
    maxAnnotations: read.integer("max-annotations", { fallback: 200, lowest: 1, highest: 10_000 }),
    comment: read.choice("comment", ["off", "failures", "always"]),
    matrix: core.getInput("matrix") || "null",
    reports: read.reports("reports", workspace),
    outputFile: resolve(
      workspace,
      core.getInput("output-file") || join(env.RUNNER_TEMP || tmpdir(), "waza-grade-results.json"),
    ),
    ...(agentWorkspace === undefined ? {} : { agentWorkspace }),
    ...(evals.length > 0 ? { eval: evals } : {}),
    ...(judgeModel && judgeModel !== "auto" ? { judgeModel } : {}),
    ...(apiKey ? { apiKey } : {}),
    ...(token ? { token } : {}),
    ...(cacheDir === undefined ? {} : { cacheDir }),
  };
  if (inputs.policy.failOn === "score" && minScore === undefined && !core.getInput("min-score")) {
    problems.push(
      problem(
        "`fail-on: score` needs `min-score`, and it is not set.",
        "Set `min-score` to a number from 0 to 1.",
      ),
    );
  }
  return { inputs, problems };
}

function problem(message: string, help: string): Problem {
  return { level: "error", message, help };
}

class Reader {
  readonly #problems: Problem[];
  /** True when OpenAI's address only stands in for a bad one. */
  #badUrl = false;

  constructor(problems: Problem[]) {
    this.#problems = problems;
  }

  get badUrl(): boolean {
    return this.#badUrl;
  }

  /** Notes a bad value; its default stands in. */
  reject(name: string, value: string, help: string): void {
    this.#problems.push(problem(`The input \`${name}\` is \`${value}\`.`, help));
  }

  list(name: string, fallback: readonly string[]): readonly string[] {
    const lines = core.getMultilineInput(name).filter((line) => line !== "");
    if (lines.length === 0) return fallback;
    if (lines.some((line) => !line.startsWith("!"))) return lines;
    this.reject(name, lines.join(", "), "Every pattern excludes: add one that includes.");
    return fallback;
  }

  /** One file a line, `format=path`. */
  reports(name: string, workspace: string): ReportFile[] {
    const taken = new Set<string>();
    return core.getMultilineInput(name).flatMap((line): ReportFile[] => {
      const [, kind = "", path = ""] = /^([^=]*)=(.*)$/.exec(line) ?? [];
      const format = REPORT_FORMATS.find((one) => one === kind.trim().toLowerCase());
      const file = resolve(workspace, path.trim());
      if (format !== undefined && path.trim() !== "" && !taken.has(file)) {
        taken.add(file);
        return [{ format, path: file }];
      }
      const names = REPORT_FORMATS.map((one) => `\`${one}\``).join(", ");
      const help = taken.has(file)
        ? "Give each report a file of its own."
        : `Write one report a line, \`format=path\`, where the format is one of ${names}.`;
      this.reject(name, line, help);
      return [];
    });
  }

  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const value = core.getInput(name);
    if (value === "") return choices[0];
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    this.reject(name, value, `Use ${choices.map((choice) => `\`${choice}\``).join(", ")}.`);
    return choices[0];
  }

  boolean(name: string): boolean {
    const value = core.getInput(name);
    if (value.toLowerCase() === "true") return true;
    if (value !== "" && value.toLowerCase() !== "false") this.reject(name, value, "Use `true` or `false`.");
    return false;
  }

  integer(
    name: string,
    { fallback, lowest, highest }: Readonly<Record<"fallback" | "lowest" | "highest", number>>,
  ): number {
    const value = core.getInput(name);
    if (value === "") return fallback;
    const number = Number(value);
    if (/^\d{1,9}$/.test(value) && number >= lowest && number <= highest) return number;
    this.reject(name, value, `Use a whole number from ${String(lowest)} to ${String(highest)}.`);
    return fallback;
  }

  /** A path in which only these placeholders may stand. */
  pattern(name: string, placeholders: readonly string[]): string | undefined {
    const value = core.getInput(name);
    const unknown = [...value.matchAll(/\{\w*\}/g)].some(([found]) => !placeholders.includes(found));
    if (value !== "" && !unknown && !value.includes("\n")) return value;
    const known = placeholders.map((placeholder) => `\`${placeholder}\``).join(" and ");
    if (value !== "") this.reject(name, value, `Name one folder; ${known} may stand in its path.`);
    return undefined;
  }

  fraction(name: string): number | undefined {
    const value = core.getInput(name);
    if (value === "") return undefined;
    const number = /^(\d+|\d*\.\d+)$/.test(value) ? Number(value) : NaN;
    if (number >= 0 && number <= 1) return number;
    this.reject(name, value, "Use a number from 0 to 1, such as `0.8`.");
    return undefined;
  }

  url(name: string, variable: string, env: Environment): string {
    const given = core.getInput(name);
    const value = given || env[variable] || OPENAI;
    const source = given ? `The input \`${name}\`` : `The environment variable \`${variable}\``;
    const url = URL.parse(value);
    const plain = url && /^https?:$/.test(url.protocol) && !/[@?#]/.test(value);
    if (plain && !/\/chat\/completions\/?$/.test(url.pathname)) return value.replace(/\/+$/, "");
    if (plain) {
      const help = "Leave out `/chat/completions`: it is added to the root of the API.";
      this.#problems.push(problem(`${source} is \`${value}\`.`, help));
      this.#badUrl = true;
      return OPENAI;
    }
    const shown = /[@?#]/.test(value)
      ? "an address with a user, a password or a query in it"
      : `\`${value}\``;
    const help =
      "Use the root of the judge's API, such as `https://api.openai.com/v1`; a key goes into `api-key`.";
    this.#problems.push(problem(`${source} is ${shown}.`, help));
    this.#badUrl = true;
    return OPENAI;
  }
}

/** The input, then WAZA_PROMPT_GRADER_TIMEOUT (waza ignores a bad one with a warning, and so do we), then 120 s. */
function readTimeout(read: Reader, env: Environment, problems: Problem[]): number {
  const value = core.getInput("timeout");
  if (value !== "") {
    const given = parseDuration(value);
    if (given === undefined)
      read.reject("timeout", value, "Use a duration such as `5m`, `300s` or a number of seconds.");
    return given ?? DEFAULT_TIMEOUT_MS;
  }
  const inherited = env.WAZA_PROMPT_GRADER_TIMEOUT?.trim() ?? "";
  if (inherited === "") return DEFAULT_TIMEOUT_MS;
  const milliseconds = parseDuration(inherited);
  if (milliseconds !== undefined) return milliseconds;
  const message = `WAZA_PROMPT_GRADER_TIMEOUT is \`${inherited}\`, which is no duration; 120 s is used.`;
  problems.push({ level: "warning", message, help: "Use `5m`, `300s` or a number of seconds." });
  return DEFAULT_TIMEOUT_MS;
}

/** Milliseconds of a Go duration (`1m30s`) or of a bare number of seconds; undefined when it is neither, or zero. */
export function parseDuration(text: string): number | undefined {
  const value = text.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return positive(Number(value) * 1_000);
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(value)) return undefined;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return positive(
    parts.reduce((sum, [, number, unit]) => sum + Number(number) * (UNITS_MS[unit ?? ""] ?? 0), 0),
  );
}

function positive(milliseconds: number): number | undefined {
  return milliseconds > 0 && milliseconds <= LONGEST_TIMEOUT_MS ? Math.ceil(milliseconds) : undefined;
}

/**
 * A folder of recorded verdicts inside the checkout is refused outside `offline`: a pull request could commit
 * passing records of its own.
 */
function readCacheDir(workspace: string, offline: boolean, problems: Problem[]): string | undefined {
  const value = core.getInput("cache-dir");
  if (value === "") {
    if (offline)
      problems.push(
        problem(
          "`offline: true` needs `cache-dir`, and it is not set.",
          "Set `cache-dir` to the folder of recorded verdicts.",
        ),
      );
    return undefined;
  }
  const folder = resolve(workspace, value);
  const inside =
    isInside(folder, resolve(workspace)) || isInside(resolveLinks(folder), resolveLinks(workspace));
  if (offline || !inside) return folder;
  problems.push(
    problem(
      `The input \`cache-dir\` is \`${value}\`, a folder inside the checked-out repository, where a pull request could commit verdicts of its own.`,
      "Use `${{ runner.temp }}/waza-grade`, and keep it with actions/cache.",
    ),
  );
  return undefined;
}
