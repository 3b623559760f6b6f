/** The command line's flags, made from the inputs that action.yml declares; checks the version of Node.js. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Scalar, type YAMLMap, parseDocument } from "yaml";
import * as z from "zod/mini";
import type { Row } from "../domain/row.ts";
import { isInside } from "../files/confine.ts";
import { rowsIn } from "../results/row-file.ts";
import { jsonOf, listedCode, textBefore } from "../text/format.ts";
import { closest } from "../text/suggest.ts";
import { WORKFLOW_AGENTS, type WorkflowAgent } from "./workflow.ts";

class Misuse extends Error {}

/** The flags of `init`. */
export const INIT_FLAGS: readonly DeclaredInput[] = [
  {
    name: "agent",
    description: `The agent to write a workflow for: one of ${WORKFLOW_AGENTS.join(", ")}. \`none\` is for any other agent.`,
    default: "none",
    isSwitch: false,
    isList: false,
  },
  {
    name: "eval",
    description:
      "The evals of the workflow, as paths or globs. By default all that are found; if there are none, a first one is written to evals/first.",
    isSwitch: false,
    isList: true,
  },
  {
    name: "lift",
    description: "Run the agent without the skill as well, to show what the skill is worth.",
    default: "false",
    isSwitch: true,
    isList: false,
  },
];

/** A flag of grading and of `run` that is no input of the actions. */
const FAILED_IN: DeclaredInput = {
  name: "failed-in",
  description:
    "Only the tasks that did not pass in this record, an `output-file` of an earlier call; in place of `tasks`.",
  isSwitch: false,
  isList: false,
};

/** The flags of `run` that are no input of its action. */
export const RUN_LOCAL_FLAGS: readonly DeclaredInput[] = [FAILED_IN];

/** The flags of grading that are no input of the action. */
export const LOCAL_FLAGS: readonly DeclaredInput[] = [
  FAILED_IN,
  {
    name: "json",
    description:
      "Print the record of the run on standard output, as `output-file` has it, and everything else on standard error.",
    default: "false",
    isSwitch: true,
    isList: false,
  },
];

/** An input of the action, and a flag of the same name. */
export interface DeclaredInput {
  readonly name: string;
  /** Title of the group that starts here: the comment above the input. */
  readonly group?: string | undefined;
  readonly description: string;
  /** Absent for an expression such as `${{ github.token }}`, which only a runner evaluates. */
  readonly default?: string | undefined;
  /** A boolean: the flag alone means true. */
  readonly isSwitch: boolean;
  /** Takes several lines: the flag may be repeated. */
  readonly isList: boolean;
}

export type Command =
  /** `given`: the flags' values by input; a repeated flag has one line for each. */
  | { readonly kind: "grade"; readonly given: ReadonlyMap<string, string>; readonly json: boolean }
  /** The same, with the record in `results`. */
  | { readonly kind: "report"; readonly given: ReadonlyMap<string, string> }
  /** The same, with the agent's own arguments in `arguments`. */
  | { readonly kind: "run"; readonly given: ReadonlyMap<string, string> }
  /** `evals`: paths or globs of the evals to write the workflow for; absent to search for them. */
  | {
      readonly kind: "init";
      readonly agent: WorkflowAgent;
      readonly evals?: readonly string[] | undefined;
      readonly lift?: boolean;
    }
  | { readonly kind: "help" | "init-help" | "run-help" | "report-help" | "version" }
  /** There is nothing to do, with the reason. */
  | { readonly kind: "nothing"; readonly message: string }
  /** Wrong usage, with the reason. */
  | { readonly kind: "misused"; readonly message: string };

/** Reads the arguments; never throws. */
export function readCommand(args: readonly string[], flags: CommandFlags): Command {
  const name = COMMANDS.find((one) => one === args[0]) ?? "grade";
  const rest = name === "grade" ? args : args.slice(1);
  // What comes after `--` is the agent's.
  const end = name === "run" ? rest.indexOf("--") : -1;
  const known = {
    ...flags,
    grade: [...flags.grade, ...LOCAL_FLAGS],
    run: [...flags.run, ...RUN_LOCAL_FLAGS],
    init: INIT_FLAGS,
    report: reportFlags(flags.grade),
  }[name];
  try {
    const { tokens } = parse(end < 0 ? rest : rest.slice(0, end), known);
    const options = tokens.filter((token) => token.kind === "option");
    const first = options.find(({ name }) => name === "help" || name === "version");
    if (first?.name === "version") return { kind: "version" };
    if (first) return { kind: name === "grade" ? "help" : `${name}-help` };
    if (name === "report") return { kind: "report", given: reportValues(tokens, known) };
    const given = valuesOf(tokens, known);
    if (name === "grade") {
      const inputs = new Map([...given].filter(([flag]) => flag !== "json"));
      return { kind: "grade", given: inputs, json: given.get("json")?.toLowerCase() === "true" };
    }
    if (name === "run")
      return {
        kind: "run",
        given: end < 0 ? given : new Map([...given, ["arguments", rest.slice(end + 1).join("\n")]]),
      };
    const lift = given.get("lift")?.toLowerCase() === "true";
    return { kind: "init", agent: agentOf(given.get("agent")), evals: given.get("eval")?.split("\n"), lift };
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    const message = name === "grade" ? error.message : error.message.replace(" --help", ` ${name} --help`);
    return { kind: "misused", message };
  }
}

const COMMANDS = ["init", "run", "report"] as const;

/** The command with `failed-in` as `tasks`: what did not pass in that record. Never throws. */
export function narrowed(command: Command): Command {
  if (command.kind !== "grade" && command.kind !== "run") return command;
  const file = command.given.get(FAILED_IN.name);
  if (file === undefined) return command;
  if (command.given.has("tasks"))
    return { kind: "misused", message: "`--tasks` and `--failed-in` both name tasks: give one of them." };
  const rows = rowsOfRecord(file);
  if (rows.length === 0)
    return {
      kind: "misused",
      message: `\`--failed-in ${file}\` is no record: give the file that an earlier call wrote for \`--output-file\`.`,
    };
  const failed = rows.filter(
    ({ state, side, advisory }) => state !== "passed" && side === undefined && !advisory,
  );
  const tasks = [...new Set(failed.map(({ suite, task }) => `${suite}/${task}`))];
  if (tasks.length === 0) return { kind: "nothing", message: `Every task passed in \`${file}\`.` };
  const others = [...command.given].filter(([name]) => name !== FAILED_IN.name);
  return { ...command, given: new Map([...others, ["tasks", tasks.join("\n")]]) };
}

function rowsOfRecord(file: string): readonly Row[] {
  try {
    return rowsIn(jsonOf(readFileSync(file, "utf8")));
  } catch {
    return [];
  }
}

/** The flags of `report`: the inputs of grading by which a record is drawn. */
export function reportFlags(inputs: readonly DeclaredInput[]): DeclaredInput[] {
  return inputs
    .filter(({ name }) => ["reports", "baseline", "labels"].includes(name))
    .map((input) => ({ ...input, group: undefined }));
}

/** The values of `report`: its first word without a flag is the record. */
function reportValues(
  tokens: readonly Token[],
  inputs: readonly DeclaredInput[],
): ReadonlyMap<string, string> {
  const record = tokens.find((token) => token.kind === "positional");
  if (!record) throw new Misuse("`report` needs a record: `waza-grade report record.json`.");
  const flags = tokens.filter((token) => token !== record);
  return new Map([...valuesOf(flags, inputs), ["results", record.value]]);
}

/** The flags of grading and of `run`: the inputs of their actions. */
interface CommandFlags {
  readonly grade: readonly DeclaredInput[];
  readonly run: readonly DeclaredInput[];
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/** Not strict: parseArgs' own errors suggest no flag and know no switch with a value. */
function parse(
  args: readonly string[],
  inputs: readonly DeclaredInput[],
): { readonly tokens: readonly Token[] } {
  const flags = inputs.map(
    ({ name, isSwitch }) => [name, { type: isSwitch ? "boolean" : "string" }] as const,
  );
  const parsed = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
      ...Object.fromEntries(flags),
    },
    strict: false,
    tokens: true,
  });
  // It reads `-eval` as five switches, of which one is `-v`.
  const bundled = parsed.tokens.find(
    ({ kind, index }) => kind === "option" && /^-(?!-|[hv]$)/.test(args[index] ?? ""),
  );
  if (bundled) throw unknownFlag(args[bundled.index] ?? "", inputs);
  return parsed;
}

/** Not a flag: other users of the machine could see it. */
export const KEY_INPUT = "api-key";
const SEE_HELP = "`waza-grade --help` lists all flags.";
const KEY_IN_SIGHT =
  "Other users of the machine can see a key in a flag. Set the environment variable OPENAI_API_KEY instead.";

/** Flags of similar commands, and what does it here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["t", "`--tasks` takes ids, names or globs of tasks."],
  ["filter", "`--tasks` takes ids, names or globs of tasks."],
  ["V", "`--version` tells the version."],
  ["no-color", "Set the environment variable NO_COLOR=1."],
  ["open", "`--reports html=report.html` writes a page to open."],
  ["validate", "`--dry-run` checks the evals and results, and asks no judge."],
]);

function unknownFlag(flag: string, inputs: readonly DeclaredInput[]): Misuse {
  const name = textBefore(flag.replace(/^-+/, ""), "=");
  const elsewhere = ELSEWHERE.get(name);
  if (elsewhere !== undefined) return new Misuse(`There is no flag \`${flag}\`. ${elsewhere}`);
  const names = [...inputs.map((input) => input.name), "help", "version"];
  const near = nearest(name, names);
  if (near === KEY_INPUT) return new Misuse(KEY_IN_SIGHT);
  return new Misuse(
    `There is no flag \`${flag}\`. ${near === undefined ? SEE_HELP : `Did you mean \`--${near}\`?`}`,
  );
}

/** The most likely flag: misspelled, its last word alone, or abbreviated. */
function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length < 3) return undefined;
  return (
    closest(name, names) ??
    names.find((one) => one.endsWith(`-${name}`)) ??
    names.find((one) => one.startsWith(name))
  );
}

function valuesOf(tokens: readonly Token[], inputs: readonly DeclaredInput[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  const left = [...tokens];
  for (let token = left.shift(); token; token = left.shift()) {
    if (token.kind === "positional") {
      const { value } = token;
      throw inputs === INIT_FLAGS ? flagless(value) : unexpected(value, [...given].at(-1));
    }
    if (token.kind !== "option") continue;
    if (token.name === KEY_INPUT) throw new Misuse(KEY_IN_SIGHT);
    const input = inputs.find(({ name }) => name === token.name);
    if (!input) throw unknownFlag(token.rawName, inputs);
    const value = input.isSwitch ? switchValue(token, left) : textValue(token);
    const before = given.get(input.name);
    if (before !== undefined && !input.isList) throw new Misuse(`\`--${input.name}\` was given twice.`);
    given.set(input.name, before === undefined ? value : `${before}\n${value}`);
  }
  return given;
}

/** A word without a flag after `init`. */
function flagless(word: string): Misuse {
  const flag = /[./*]/.test(word) ? "eval" : "agent";
  const agent = flag === "agent" ? agentOf(word) : word;
  return new Misuse(`\`${word}\` belongs to no flag. Did you mean \`init --${flag} ${agent}\`?`);
}

function agentOf(name = "none"): WorkflowAgent {
  const agent = WORKFLOW_AGENTS.find((one) => one === name);
  if (agent !== undefined) return agent;
  const near = nearest(name, WORKFLOW_AGENTS);
  throw new Misuse(
    near === undefined
      ? `There is no workflow for the agent \`${name}\`. There are ${listedCode(WORKFLOW_AGENTS)}.`
      : `There is no agent \`${name}\`. Did you mean \`${near}\`?`,
  );
}

/** The error of a word without a flag; after a flag, usually files that the shell expanded from a pattern. */
function unexpected(word: string, [flag, before = ""]: readonly [string?, string?] = []): Misuse {
  const command = flag === undefined ? closest(word, COMMANDS) : undefined;
  if (command !== undefined)
    return new Misuse(`There is no command \`${word}\`. Did you mean \`${command}\`?`);
  const elsewhere = flag === undefined ? ELSEWHERE.get(word) : undefined;
  if (elsewhere !== undefined) return new Misuse(`There is no command \`${word}\`. ${elsewhere}`);
  if (flag === "reports" && /^\w+$/.test(before))
    return new Misuse(`A report is \`format=path\`. Did you mean \`--reports ${before}=${word}\`?`);
  const meant = `--${/\.jsonl?$/.test(word) ? "results" : "eval"} ${word}`;
  const help = !/[./]/.test(word)
    ? `${flag === undefined ? "To grade, pass flags only, such as `--eval evals/eval.yaml`. " : ""}${SEE_HELP}`
    : flag === undefined
      ? `Did you mean \`${meant}\`?`
      : `Quote a pattern, so that the shell does not expand it: \`--${flag} 'folder/*'\`.`;
  return new Misuse(`Unexpected argument \`${word}\`. ${help}`);
}

type Option = Extract<Token, { kind: "option" }>;

/** `--dry-run`, `--dry-run=false`, `--dry-run false`: a following `true` or `false` is the value. */
function switchValue({ rawName, value }: Option, left: Token[]): string {
  if (value === "") throw new Misuse(`\`${rawName}=\` needs \`true\` or \`false\`.`);
  if (value !== undefined) return value;
  const [next] = left;
  if (next?.kind !== "positional" || !/^(?:true|false)$/i.test(next.value)) return "true";
  left.shift();
  return next.value;
}

function textValue({ rawName, value, inlineValue }: Option): string {
  if (value === undefined) throw new Misuse(`\`${rawName}\` needs a value. ${SEE_HELP}`);
  // A value may begin with a dash, as an entry of a YAML list does; a word that looks like a flag is taken for one.
  if (inlineValue || !/^--?[a-z]|^--$/i.test(value)) return value;
  throw new Misuse(`\`${rawName}\` needs a value. One that begins with \`-\` is written \`${rawName}=-…\`.`);
}

const schema = z.object({
  description: z.string(),
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.optional(z.string()) })),
});

/** The action's description, and its inputs in order. */
export interface Declared {
  readonly description: string;
  readonly inputs: readonly DeclaredInput[];
}

/** Reads action.yml, which lies beside dist/ in the repository and in the package; throws when it is missing. */
export function readDeclared(file: string): Declared {
  const document = parseDocument(readFileSync(file, "utf8"));
  const { description, inputs } = z.parse(schema, document.toJS());
  const groups = groupsOf(document.get("inputs") as YAMLMap<Scalar<string>>);
  return {
    description,
    inputs: Object.entries(inputs).map(([name, input]) => ({
      ...declared(name, input),
      group: groups.get(name),
    })),
  };
}

/** The comment above the first input is kept with the list itself. */
function groupsOf(inputs: YAMLMap<Scalar<string>>): ReadonlyMap<string, string | undefined> {
  return new Map(
    inputs.items.map(({ key }, index) => [
      key.value,
      (index === 0 ? inputs.commentBefore : key.commentBefore)?.trim(),
    ]),
  );
}

function declared(name: string, input: z.infer<typeof schema>["inputs"][string]): DeclaredInput {
  const description = input.description.trim();
  return {
    name,
    description,
    default: input.default?.includes("${{") ? undefined : input.default,
    isSwitch: input.default === "true" || input.default === "false",
    isList: /\b(?:one per line|YAML list)\b/.test(description),
  };
}

/** The environment variables that a runner would set for these values; other inputs get their defaults. */
export function inputVariables(
  inputs: readonly DeclaredInput[],
  given: ReadonlyMap<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    inputs.map(({ name, default: standard }) => [
      `INPUT_${name.toUpperCase()}`,
      given.get(name) ?? standard ?? "",
    ]),
  );
}

/** The oldest version whose `styleText` follows NO_COLOR and pipes; the same as package.json's `engines`. */
const NEEDED = [22, 13] as const;

/** The message for a version (`20.19.1`) that is too old; undefined otherwise. */
export function tooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [needed, least] = NEEDED;
  if (major > needed || (major === needed && minor >= least)) return undefined;
  return `waza-grade needs Node.js ${NEEDED.join(".")} or newer, and this is ${version}: see https://nodejs.org/en/download.`;
}

/** The flag of the folder of recorded verdicts; `none` keeps none. */
const CACHE = "cache-dir";

/**
 * The flags with the user's cache folder for recorded verdicts, so that a second call asks only what has no verdict.
 * `offline` says where it looks itself, and a folder below the current one could be anybody's.
 */
export function withUserCache(
  given: ReadonlyMap<string, string>,
  {
    env,
    platform,
    folder,
  }: { readonly env: NodeJS.ProcessEnv; readonly platform: NodeJS.Platform; readonly folder: string },
): ReadonlyMap<string, string> {
  const others = new Map([...given].filter(([name]) => name !== CACHE));
  if (given.get(CACHE) === "none") return others;
  const home = env.HOME ?? env.USERPROFILE;
  const caches =
    platform === "win32"
      ? env.LOCALAPPDATA
      : (env.XDG_CACHE_HOME ?? (home && join(home, platform === "darwin" ? "Library/Caches" : ".cache")));
  const isUnset = given.get(CACHE) === undefined && given.get("offline") !== "true";
  if (!isUnset || !caches || isInside(resolve(caches), folder)) return given;
  return new Map([...given, [CACHE, join(resolve(caches), "waza-grade")]]);
}
