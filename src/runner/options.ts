/** The options of `waza-grade run`: the inputs of run/action.yml, as a runner sets them. */
import { resolve } from "node:path";
import { listedCode, parseDuration } from "../text/format.ts";
import { closest } from "../text/suggest.ts";
import { AGENT_NAMES, type AgentName } from "./agents.ts";
import type { RunsRequest, Shard } from "./plan-runs.ts";

export interface RunOptions extends Omit<RunsRequest, "suites"> {
  readonly agent: AgentName | "command";
  /** For the shell; empty unless `agent` is `command`. */
  readonly command: string;
  readonly evals?: readonly string[] | undefined;
  readonly changedOnly: boolean;
  /** Trigger evals are run, and nothing else. */
  readonly triggers: boolean;
  readonly allSkills: boolean;
  readonly keepEvals: boolean;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Absolute. */
  readonly out: string;
  readonly maxRuns?: number | undefined;
  readonly dryRun: boolean;
  /** Further arguments of the agent. */
  readonly more: readonly string[];
  readonly isStep: boolean;
}

/** A mistake in an option, with what to write. */
export class WrongOption extends Error {}

interface Place {
  readonly workspace: string;
  readonly isStep: boolean;
}

/** Reads the options from `INPUT_*`; throws a WrongOption. */
export function readRunOptions(env: NodeJS.ProcessEnv, { workspace, isStep }: Place): RunOptions {
  const given = (name: string) => (env[`INPUT_${name.toUpperCase()}`] ?? "").trim();
  const optional = (name: string) => given(name) || undefined;
  const list = (name: string) =>
    given(name)
      .split("\n")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  const on = (name: string) => given(name).toLowerCase() === "true";
  const number = (name: string) => wholeNumber(name, optional(name));
  const evals = list("eval");
  const out = optional("out");
  const standard = isStep ? resolve(env.RUNNER_TEMP ?? "", "waza-grade-runs") : ".waza-grade/runs";
  return {
    ...agentAsked(given("agent"), given("command")),
    evals: evals.length > 0 ? evals : undefined,
    tasks: list("tasks"),
    changedOnly: on("changed-only"),
    triggers: on("triggers"),
    trials: number("trials"),
    firstTrial: number("first-trial") ?? 1,
    withoutSkill: on("without-skill"),
    allSkills: skillsAsked(given("skills")),
    model: optional("model"),
    shard: shardAsked(optional("shard")),
    concurrency: number("concurrency") ?? 4,
    timeoutMs: durationAsked(given("timeout") || "10m"),
    out: resolve(workspace, out ?? standard),
    keepEvals: on("keep-evals"),
    maxRuns: number("max-runs"),
    dryRun: on("dry-run"),
    more: list("arguments"),
    isStep,
  };
}

function agentAsked(agent: string, command: string): Pick<RunOptions, "agent" | "command"> {
  if (command !== "" && agent !== "") throw new WrongOption("`agent` and `command` exclude each other.");
  if (command !== "") return { agent: "command", command };
  const known = AGENT_NAMES.find((name) => name === agent);
  if (known !== undefined) return { agent: known, command: "" };
  const near = closest(agent, AGENT_NAMES);
  const there = `There are ${listedCode(AGENT_NAMES)}, and \`command\` for any other.`;
  throw new WrongOption(
    agent === ""
      ? `Name the agent to run by \`agent\`. ${there}`
      : `There is no agent \`${agent}\`. ${near === undefined ? there : `Did you mean \`${near}\`?`}`,
  );
}

function skillsAsked(text: string): boolean {
  if (["", "own", "all"].includes(text)) return text === "all";
  throw new WrongOption(`\`skills\` is \`${text}\`. Write \`all\` for every skill, or leave it out.`);
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new WrongOption(`\`${name}\` is \`${text}\`. Write a whole number from 1.`);
}

function shardAsked(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, index, of] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (index !== undefined && shard.index <= shard.of) return shard;
  throw new WrongOption(`\`shard\` is \`${text}\`. Write the second of four as \`2/4\`.`);
}

function durationAsked(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new WrongOption(`\`timeout\` is \`${text}\`. Write it as \`90s\`, \`10m\` or \`1h\`.`);
}
