/** Commands other than grading, and the help text from action.yml: their output and exit status. */
import { join } from "node:path";
import {
  type Command,
  type Declared,
  type DeclaredInput,
  INIT_FLAGS,
  KEY_INPUT,
  LOCAL_FLAGS,
  RUN_LOCAL_FLAGS,
  reportFlags,
} from "./flags.ts";
import { initProject, ownEvals } from "./init.ts";
import { logLine } from "../safety/sanitize.ts";
import { type Drawing, VERSION, messageOf, wrapped } from "../text/format.ts";

interface Surroundings {
  readonly declared: Declared;
  /** The action that runs agents. */
  readonly ofRun: Declared;
  readonly drawing: Drawing;
  /** The folder that holds dist/. */
  readonly root: string;
  /** The current folder. */
  readonly folder: string;
}

interface Answer {
  readonly text: string;
  /** 0; 1 when it failed; 2 when the command line is wrong. */
  readonly status: 0 | 1 | 2;
}

export async function answer(
  command: Exclude<Command, { readonly kind: "grade" | "run" | "report" }>,
  surroundings: Surroundings,
): Promise<Answer> {
  const { declared, drawing } = surroundings;
  switch (command.kind) {
    case "help":
      return { text: helpText(declared, drawing), status: 0 };
    case "version":
      return { text: VERSION, status: 0 };
    case "init":
      return initAnswer(command, surroundings);
    case "run-help":
      return { text: runHelpText(surroundings.ofRun, drawing), status: 0 };
    case "report-help":
      return { text: reportHelpText(declared, drawing), status: 0 };
    case "init-help":
      return { text: initHelpText(drawing), status: 0 };
    case "nothing":
      return { text: logLine(command.message), status: 0 };
    case "misused":
      return { text: drawing.style("red", logLine(command.message)), status: 2 };
  }
}

/** Maximum line width. */
const WIDEST = 100;

export function helpText({ description, inputs }: Declared, { columns, style }: Drawing): string {
  const width = Math.min(columns, WIDEST);
  const heading = (text: string) => style("bold", text);
  return [
    wrapped(description, { indent: 0, columns: width }),
    "",
    heading("Usage"),
    "  waza-grade [flags]",
    "  waza-grade run --agent <value> [flags] [-- <argument> ...]   (see waza-grade run --help)",
    "  waza-grade report <record> [--reports <entry> ...]   (see waza-grade report --help)",
    "  waza-grade init [--agent <value>] [--eval <entry> ...] [--lift]   (see waza-grade init --help)",
    "",
    heading("Flags"),
    wrapped(
      "The inputs of the action, by the same names. The key is read from the environment variable OPENAI_API_KEY. Repeat a flag for each entry of a list.",
      { indent: 2, columns: width },
    ),
    ...[...inputs, ...LOCAL_FLAGS.map((flag) => ({ ...flag, group: "At the command line alone" }))]
      .filter(({ name }) => name !== KEY_INPUT)
      .flatMap((input) => [
        ...(input.group === undefined ? [] : ["", heading(input.group)]),
        "",
        flagText(input, { columns: width, style }),
      ]),
    `\n  ${style("cyan", "-h, --help")}\n      Print this.`,
    `\n  ${style("cyan", "-v, --version")}\n      Print the version.`,
    "",
    heading("Exit status"),
    "  0 passed, 1 failed, 2 unknown flag or missing value",
  ].join("\n");
}

function flagText(input: DeclaredInput, { columns, style }: Drawing): string {
  return `  ${style("cyan", flagUsage(input))}\n${explained(input, columns)}`;
}

function flagUsage({ name, isSwitch, isList }: DeclaredInput): string {
  if (isSwitch) return `--${name}`;
  return `--${name} <${isList ? "entry" : "value"}>${isList ? " ..." : ""}`;
}

function explained({ description, default: standard, isSwitch }: DeclaredInput, columns: number): string {
  const end = standard === undefined || isSwitch ? "" : ` (Default: ${standard})`;
  return wrapped(`${description}${end}`, { indent: 6, columns });
}

async function initAnswer(
  { agent, evals, lift }: Command & { readonly kind: "init" },
  { drawing, root, folder }: Surroundings,
): Promise<Answer> {
  try {
    const own = await ownEvals(evals, { folder, agent });
    const templates = join(root, "dist/init");
    return {
      text: initProject({ agent, folder, templates, own, lift, program: programIn(root) }),
      status: 0,
    };
  } catch (error) {
    return { text: drawing.style("red", logLine(`This cannot be written: ${messageOf(error)}.`)), status: 1 };
  }
}

/** The command that starts this program: the package's name when installed, else its file. */
function programIn(root: string): string {
  if (/[\\/]node_modules[\\/]/.test(root)) return "npx waza-grade";
  const file = join(root, "dist/index.js");
  return `node ${/^[\w./\\:@+-]+$/.test(file) ? file : `"${file}"`}`;
}

/** The help of `run`. */
function runHelpText({ description, inputs }: Declared, drawing: Drawing): string {
  const exits =
    "  0 every run was made, 1 an agent never got to work or runs were not started, 2 a mistake in a flag or an eval, or more than max-runs";
  return [
    ...commandHelp(drawing, {
      description,
      usage: ["run --agent <value> [flags] [-- <argument> ...]", "run --command <value> [flags]"],
      flags: [...inputs.filter(({ name }) => name !== "token"), ...RUN_LOCAL_FLAGS],
    }),
    "",
    drawing.style("bold", "Exit status"),
    exits,
  ].join("\n");
}

/** The help of `report`. */
function reportHelpText({ inputs }: Declared, drawing: Drawing): string {
  return commandHelp(drawing, {
    description:
      "Draws the pages of a graded run again from its record, the file of `output-file`. Nothing is graded, and the conclusion stays as it was. Only the evidence that the judge saw is in no record.",
    usage: ["report <record> [--reports <entry> ...] [--baseline <entry> ...] [--labels <value>]"],
    flags: reportFlags(inputs),
  }).join("\n");
}

/** The help of `init`. */
export function initHelpText(drawing: Drawing): string {
  return commandHelp(drawing, {
    description:
      "Writes a workflow that runs your agent on evals and grades the results, and a first eval if there are none. Existing files are not changed. Prints the next steps.",
    usage: ["init [--agent <value>] [--eval <entry> ...] [--lift]"],
    flags: INIT_FLAGS,
  }).join("\n");
}

interface CommandHelp {
  readonly description: string;
  readonly usage: readonly string[];
  readonly flags: readonly DeclaredInput[];
}

function commandHelp({ columns, style }: Drawing, { description, usage, flags }: CommandHelp): string[] {
  const width = Math.min(columns, WIDEST);
  return [
    wrapped(description, { indent: 0, columns: width }),
    "",
    style("bold", "Usage"),
    ...usage.map((line) => `  waza-grade ${line}`),
    "",
    style("bold", "Flags"),
    flags.map((flag) => flagText(flag, { columns: width, style })).join("\n\n"),
  ];
}
