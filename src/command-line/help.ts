/** The help text, from action.yml. */
import { wrapped } from "../text/format.ts";
import type { Drawing } from "../text/drawing.ts";
import type { Declared, DeclaredInput } from "./declared-inputs.ts";
import { INIT_FLAGS, KEY_INPUT } from "./flags.ts";

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
    "  waza-grade init [--agent <value>] [--eval <entry> ...]   (see waza-grade init --help)",
    "",
    heading("Flags"),
    wrapped(
      "The inputs of the action, by the same names. The key is read from the environment variable OPENAI_API_KEY. Repeat a flag for each entry of a list.",
      { indent: 2, columns: width },
    ),
    ...inputs
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

/** The help of `init`. */
export function initHelpText({ columns, style }: Drawing): string {
  const width = Math.min(columns, WIDEST);
  return [
    wrapped(
      "Writes a workflow that runs your agent on evals and grades the results, and a first eval if there are none. Existing files are not changed. Prints the next steps.",
      { indent: 0, columns: width },
    ),
    "",
    style("bold", "Usage"),
    "  waza-grade init [--agent <value>] [--eval <entry> ...]",
    "",
    style("bold", "Flags"),
    INIT_FLAGS.map((flag) => flagText(flag, { columns: width, style })).join("\n\n"),
  ].join("\n");
}

function flagText(input: DeclaredInput, { columns, style }: Drawing): string {
  return `  ${style("cyan", usage(input))}\n${explained(input, columns)}`;
}

function usage({ name, isSwitch, isList }: DeclaredInput): string {
  if (isSwitch) return `--${name}`;
  return `--${name} <${isList ? "entry" : "value"}>${isList ? " ..." : ""}`;
}

function explained({ description, default: standard, isSwitch }: DeclaredInput, columns: number): string {
  const end = standard === undefined || isSwitch ? "" : ` (Default: ${standard})`;
  return wrapped(`${description}${end}`, { indent: 6, columns });
}
