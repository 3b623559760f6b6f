/** The help of each command, made from its flags. */
import { type DeclaredInput, KEY_INPUTS, type Syntax, isSwitch } from "./flags.ts";
import { type Drawing, wrapped } from "../text/format.ts";

/** Maximum line width. */
const WIDEST = 100;

/** The help of a command; that of the command without a word also names the others. */
export function helpText(
  { name, description, usage, flags, exits }: Syntax,
  commands: readonly Syntax[],
  { columns, style }: Drawing,
): string {
  const width = Math.min(columns, WIDEST);
  const heading = (text: string) => style("bold", text);
  const otherCommands = name === "" ? commands.filter((one) => one.name !== "") : [];
  const listed = flags.filter((flag) => !KEY_INPUTS.includes(flag.name));
  return [
    wrapped(description, { indent: 0, columns: width }),
    "",
    heading("Usage"),
    ...usage.map((line) => `  waza-grade ${line}`),
    ...otherCommands.map((one) => `  waza-grade ${one.usage[0] ?? ""}   (see waza-grade ${one.name} --help)`),
    "",
    heading("Flags"),
    ...(name === "" ? [wrapped(OF_GRADING, { indent: 2, columns: width })] : []),
    ...listed.flatMap((flag) => [
      ...(flag.group === undefined ? [] : ["", heading(flag.group)]),
      flagLines(flag, { columns: width, style }),
    ]),
    "",
    heading("Exit status"),
    wrapped(exits, { indent: 2, columns: width }),
  ].join("\n");
}

const OF_GRADING =
  "The inputs of the action, by the same names, but for those that only GitHub has a use for. The key is read from the environment variable OPENAI_API_KEY. Repeat a flag for each entry of a list.";

/** The flags of a command that no action has: the first begins a group. */
export function localFlags(...flags: readonly DeclaredInput[]): readonly DeclaredInput[] {
  return flags.map((flag, index) => (index === 0 ? { ...flag, group: "At the command line alone" } : flag));
}

function flagUsage(flag: DeclaredInput): string {
  const { name, isList } = flag;
  if (isSwitch(flag)) return `--${name}`;
  return `--${name} <${isList ? "entry" : "value"}>${isList ? " ..." : ""}`;
}

/** Where descriptions begin. */
const INDENT = 28;

/** A flag, and beside it what it means; below it where the flag is long. */
function flagLines(flag: DeclaredInput, { columns, style }: Drawing): string {
  const { description, default: standard } = flag;
  const end = standard === undefined || isSwitch(flag) ? "" : ` (Default: ${standard})`;
  const usage = `  ${flagUsage(flag)}`;
  const text = wrapped(`${description}${end}`, { indent: INDENT, columns });
  const isBeside = usage.length < INDENT;
  return `${style("cyan", usage)}${isBeside ? text.slice(usage.length) : `\n${text}`}`;
}
