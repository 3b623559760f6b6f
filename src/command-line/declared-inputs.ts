/** The inputs that action.yml declares, from which the command line's flags are made. */
import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import type { Scalar, YAMLMap } from "yaml";
import * as z from "zod/mini";

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

/** The action's description, and its inputs in order. */
export interface Declared {
  readonly description: string;
  readonly inputs: readonly DeclaredInput[];
}

const schema = z.object({
  description: z.string(),
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.optional(z.string()) })),
});

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
