/** The command line's flags, made from the inputs that action.yml declares; checks the version of Node.js. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Scalar, type YAMLMap, parseDocument } from "yaml";
import * as z from "zod/mini";
import { isInside } from "../files/confine.ts";
import { textOfFile } from "../files/read.ts";
import { isRecord, rowsIn } from "../results/row-file.ts";
import { jsonOf, textBefore } from "../text/format.ts";
import { closest, didYouMean, globsOf } from "../text/suggest.ts";

/** Wrong usage, with what to write. */
export class Misuse extends Error {}

/** An input of the action, and a flag of the same name. */
export interface DeclaredInput {
  readonly name: string;
  /** Title of the group that starts here: the comment above the input. */
  readonly group?: string | undefined;
  readonly description: string;
  /** Absent for an expression such as `${{ github.token }}`, which only a runner evaluates; of a switch `true` or `false`. */
  readonly default?: string | undefined;
  /** Takes several lines: the flag may be repeated. */
  readonly isList?: boolean;
}

/** Whether it is a boolean: the flag alone means true. */
export function isSwitch(input: DeclaredInput): boolean {
  return input.default === "true" || input.default === "false";
}

/** The flags' values by input; a repeated flag has one line for each. */
export type Given = ReadonlyMap<string, string>;

/** How a command is written. */
export interface Syntax {
  /** Its word; empty for grading, which has none. */
  readonly name: string;
  readonly description: string;
  /** Its lines of usage, without the program's name. */
  readonly usage: readonly string[];
  readonly flags: readonly DeclaredInput[];
  /** The input that takes what comes after `--`, one argument a line. */
  readonly rest?: string | undefined;
  /** What its words without a flag are: the name of an input. */
  readonly words?: string | undefined;
  /** Its exit statuses, in a sentence. */
  readonly exits: string;
}

/** What a command line asks for. */
type CommandLine<C extends Syntax> =
  | { readonly kind: "command"; readonly command: C; readonly given: Given }
  | { readonly kind: "help"; readonly command: C }
  | { readonly kind: "version" };

/** Reads the arguments; the first command is the one without a word. Throws a Misuse. */
export function readCommandLine<C extends Syntax>(
  args: readonly string[],
  commands: readonly [C, ...C[]],
): CommandLine<C> {
  const [grading, ...withWord] = commands;
  const asked = args.length <= 2 && args.includes("help");
  if (asked) return { kind: "help", command: withWord.find(({ name }) => args.includes(name)) ?? grading };
  if (args.length === 1 && args[0] === "version") return { kind: "version" };
  const named = withWord.find(({ name }) => name === args[0]);
  const command = named ?? grading;
  const words = named ? args.slice(1) : args;
  const end = command.rest === undefined ? -1 : words.indexOf("--");
  const { tokens } = parse(end < 0 ? words : words.slice(0, end), command);
  const options = tokens.filter((token) => token.kind === "option");
  const first = options.find(({ name }) => name === "help" || name === "version");
  if (first) return first.name === "help" ? { kind: "help", command } : { kind: "version" };
  const given = new Map(givenValues(tokens, command, commands));
  if (command.rest !== undefined && end >= 0) given.set(command.rest, words.slice(end + 1).join("\n"));
  return { kind: "command", command, given };
}

/** Of grading and of `run`: tasks by a record. */
export const FAILED_IN = {
  name: "failed-in",
  description:
    "Only the tasks that did not pass in this record, an `output-file` of an earlier call; in place of `tasks`.",
};

/** The tasks that the record of `failed-in` names; undefined without the flag. Throws a Misuse. */
export function failedTasks(given: Given): readonly string[] | undefined {
  const file = given.get(FAILED_IN.name);
  if (file === undefined) return undefined;
  if (given.has("tasks")) throw new Misuse("`--tasks` and `--failed-in` both name tasks: give one of them.");
  if (!existsSync(file)) throw new Misuse(`\`--failed-in ${file}\`: there is no such file.`);
  const record = jsonOf(textOfFile(file));
  const rows = rowsIn(record);
  if (rows.length === 0 && isRecord(record))
    throw new Misuse(
      `\`--failed-in ${file}\` names no such tasks: that run ended in a configuration problem.`,
    );
  if (rows.length === 0)
    throw new Misuse(
      `\`--failed-in ${file}\` is no record: give the file that an earlier call wrote for \`--output-file\`.`,
    );
  const failed = rows.filter(
    ({ state, side, advisory }) => state !== "passed" && side === undefined && !advisory,
  );
  return globsOf(failed);
}

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];

/** Not strict: parseArgs' own errors suggest no flag and know no switch with a value. */
function parse(args: readonly string[], command: Syntax): { readonly tokens: readonly Token[] } {
  const flags = command.flags.map(
    (input) => [input.name, { type: isSwitch(input) ? "boolean" : "string" }] as const,
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
  if (bundled) throw new Misuse(unknownFlag(args[bundled.index] ?? "", command));
  return parsed;
}

/** No flags: other users of the machine could see them. */
export const KEY_INPUTS: readonly string[] = ["api-key", "responder-key"];

/** Inputs that only a workflow has a use for: no flags. */
export const WORKFLOW_INPUTS: readonly string[] = [
  ...["comment", "check-name", "annotations", "token", "matrix", "second-look"],
  ...["timeout-minutes", "openai-identity"],
];

const KEY_IN_SIGHT =
  "Other users of the machine can see a key in a flag. Set its environment variable instead: OPENAI_API_KEY, that of the agent, or RESPONDER_API_KEY.";

function unknownFlag(flag: string, command: Syntax): string {
  const name = textBefore(flag.replace(/^-+/, ""), "=");
  if (WORKFLOW_INPUTS.includes(name)) return `\`${name}\` is an input for workflows, and no flag.`;
  const names = [...command.flags.map((input) => input.name), "help", "version"];
  const near = nearest(name, names);
  if (near !== undefined && KEY_INPUTS.includes(near)) return KEY_IN_SIGHT;
  return `There is no flag \`${flag}\`. ${didYouMean(near && `--${near}`) ?? seeHelp(command)}`;
}

function seeHelp({ name }: Syntax): string {
  return `\`waza-grade ${name === "" ? "" : `${name} `}--help\` lists all flags.`;
}

/** The most likely flag: misspelled, its last word alone, or abbreviated. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length < 3) return undefined;
  return (
    closest(name, names) ??
    names.find((known) => known.endsWith(`-${name}`)) ??
    names.find((known) => known.startsWith(name))
  );
}

function givenValues(tokens: readonly Token[], command: Syntax, commands: readonly Syntax[]): Given {
  const given = new Map<string, string>();
  const left = [...tokens];
  for (let token = left.shift(); token; token = left.shift()) {
    if (token.kind === "positional" && command.words !== undefined) {
      const before = given.get(command.words);
      given.set(command.words, before === undefined ? token.value : `${before}\n${token.value}`);
      continue;
    }
    if (token.kind === "positional")
      throw unexpected(token.value, command, { commands, before: [...given].at(-1) });
    if (token.kind !== "option") continue;
    if (KEY_INPUTS.includes(token.name)) throw new Misuse(KEY_IN_SIGHT);
    const input = command.flags.find(({ name }) => name === token.name);
    if (!input) {
      const { rawName, value } = token;
      // A flag of what the command starts comes behind the mark for these.
      const own = `-- ${rawName}${value === undefined ? "" : `=${value}`}`;
      const hint = command.rest === undefined ? "" : ` A flag of the agent comes after \`--\`: \`${own}\`.`;
      throw new Misuse(`${unknownFlag(rawName, command)}${hint}`);
    }
    const value = isSwitch(input) ? switchValue(token, left) : textValue(token, command);
    const before = given.get(input.name);
    if (before !== undefined && !input.isList) throw new Misuse(`\`--${input.name}\` was given twice.`);
    given.set(input.name, before === undefined ? value : `${before}\n${value}`);
  }
  return given;
}

/** Commands that other programs have, and what does the same here. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["grade", "grading takes flags alone, such as `waza-grade --eval evals/greet`"],
  ["test", "`waza-grade try` runs tasks and grades them, `waza-grade --dry-run` only reads them"],
  ["list", "`waza-grade --dry-run` lists tasks and graders, `waza-grade run --dry-run` the runs"],
]);

/**
 * The error of a word without a flag; after a flag (`before`, with its value), usually files that the shell expanded from a
 * pattern.
 */
function unexpected(
  word: string,
  command: Syntax,
  {
    commands,
    before,
  }: { readonly commands: readonly Syntax[]; readonly before: [string, string] | undefined },
): Misuse {
  const [flag, value = ""] = before ?? [];
  const names = commands.flatMap(({ name }) => name || []);
  const isFirst = flag === undefined && command.name === "";
  const instead = isFirst ? INSTEAD.get(word) : undefined;
  if (instead !== undefined) return new Misuse(`There is no command \`${word}\`: ${instead}.`);
  const meant = isFirst ? closest(word, names) : undefined;
  if (meant !== undefined) return new Misuse(`There is no command \`${word}\`. ${didYouMean(meant)}`);
  if (flag === "reports" && /^\w+$/.test(value))
    return new Misuse(`A report is \`format=path\`. ${didYouMean(`--reports ${value}=${word}`)}`);
  const isPath = /[./*]/.test(word);
  if (flag !== undefined && isPath)
    return new Misuse(
      `Unexpected argument \`${word}\`. Quote a pattern, so that the shell does not expand it: \`--${flag} 'folder/*'\`.`,
    );
  const takes = (name: string) => command.flags.some((flag) => flag.name === name);
  const its = isPath ? (takes("results") && /\.jsonl?$/.test(word) ? "results" : "eval") : "agent";
  if (flag === undefined && takes(its)) {
    const line = `${command.name} --${its} ${word}`.trimStart();
    return new Misuse(`Unexpected argument \`${word}\`. ${didYouMean(line)}`);
  }
  const help = flag === undefined ? "Pass flags only, such as `--eval evals/eval.yaml`. " : "";
  return new Misuse(`Unexpected argument \`${word}\`. ${help}${seeHelp(command)}`);
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

function textValue({ rawName, value, inlineValue }: Option, command: Syntax): string {
  if (value === undefined) throw new Misuse(`\`${rawName}\` needs a value. ${seeHelp(command)}`);
  // A value may begin with a dash, as an entry of a YAML list does; a word that looks like a flag is taken for one.
  if (inlineValue || !/^--?[a-z]|^--$/i.test(value)) return value;
  throw new Misuse(`\`${rawName}\` needs a value. One that begins with \`-\` is written \`${rawName}=-…\`.`);
}

const schema = z.object({
  description: z.string(),
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.optional(z.string()) })),
});

/** The action's description, and its inputs in order. */
export type Declared = ReturnType<typeof readDeclared>;

/** Reads action.yml, which lies beside dist/ in the repository and in the package; throws when it is missing. */
export function readDeclared(file: string) {
  const document = parseDocument(readFileSync(file, "utf8"));
  const { description, inputs } = z.parse(schema, document.toJS());
  const list = document.get("inputs") as YAMLMap<Scalar<string>>;
  return {
    description,
    inputs: Object.entries(inputs).map(([name, input], index): DeclaredInput => {
      // The comment above the first input is kept with the list itself.
      const { commentBefore: group } = (index === 0 ? list : list.items[index]?.key) ?? {};
      const text = input.description.trim();
      return {
        name,
        group: group?.trim(),
        description: text,
        default: input.default?.includes("${{") ? undefined : input.default,
        isList: /\b(?:one per line|YAML list)\b/.test(text),
      };
    }),
  };
}

/** The environment variables that a runner would set for these values; other inputs get their defaults. */
export function inputVariables(inputs: readonly DeclaredInput[], given: Given): Record<string, string> {
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
 * The flags with the user's cache folder for recorded verdicts, so that a second call asks only what has no verdict, and
 * one with `offline` finds them. A folder below the current one could be anybody's.
 */
export function withUserCache(
  given: Given,
  {
    env,
    platform,
    folder,
  }: { readonly env: NodeJS.ProcessEnv; readonly platform: NodeJS.Platform; readonly folder: string },
): Given {
  if (given.get(CACHE) === "none") return new Map([...given].filter(([name]) => name !== CACHE));
  const home = env.HOME ?? env.USERPROFILE;
  const caches =
    platform === "win32"
      ? env.LOCALAPPDATA
      : (env.XDG_CACHE_HOME ?? (home && join(home, platform === "darwin" ? "Library/Caches" : ".cache")));
  if (given.get(CACHE) !== undefined || !caches || isInside(resolve(caches), folder)) return given;
  return new Map([...given, [CACHE, join(resolve(caches), "waza-grade")]]);
}
