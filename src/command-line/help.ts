/** The help, made of what action.yml declares. */
import { wrapped } from "../format.ts";
import type { Drawing } from "../report/sinks/drawing.ts";
import type { Declared, DeclaredInput } from "./declared-inputs.ts";
import { AGENTS, KEY_INPUT } from "./flags.ts";

/** Nobody reads longer lines. */
const WIDEST = 100;

/** The text for a terminal of so many columns. */
export function helpText({ description, inputs }: Declared, { columns, style }: Drawing): string {
  const width = Math.min(columns, WIDEST);
  const heading = (text: string) => style("bold", text);
  return [
    wrapped(description, { indent: 0, columns: width }),
    "",
    heading("Usage"),
    "  waza-grade [flags]",
    `  waza-grade init [--agent ${AGENTS.join("|")}]`,
    "",
    heading("Flags"),
    wrapped(
      "The inputs of the action, by the same names, but for the key, which is taken from the environment variable OPENAI_API_KEY. A list takes its flag several times.",
      { indent: 2, columns: width },
    ),
    ...inputs
      .filter(({ name }) => name !== KEY_INPUT)
      .flatMap((input) => [
        ...(input.group === undefined ? [] : [`\n${heading(input.group)}`]),
        `\n  ${style("cyan", usage(input))}\n${explained(input, width)}`,
      ]),
    `\n  ${style("cyan", "-h, --help")}\n      Print this.`,
    `\n  ${style("cyan", "-v, --version")}\n      Print the version.`,
    "",
    heading("Exit status"),
    "  0 passed, 1 failed, 2 unknown flag or missing value",
  ].join("\n");
}

function usage({ name, isSwitch, isList }: DeclaredInput): string {
  if (isSwitch) return `--${name}`;
  return `--${name} <${isList ? "entry" : "value"}>${isList ? " ..." : ""}`;
}

function explained({ description, default: standard, isSwitch }: DeclaredInput, columns: number): string {
  const end = standard === undefined || isSwitch ? "" : ` (Default: ${standard})`;
  return wrapped(`${description}${end}`, { indent: 6, columns });
}
