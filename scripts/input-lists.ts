// Writes the lists of inputs and outputs in docs/inputs.md from action.yml. `--check` only checks that they are current.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { parse } from "yaml";
import { readDeclared } from "../src/cli/flags.ts";

interface Declared {
  readonly description: string;
  readonly default?: string;
}

interface ActionFile {
  readonly inputs: Record<string, Declared>;
  readonly outputs: Record<string, Declared>;
}

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/inputs.md");
const actionFile = join(root, "action.yml");
const { inputs, outputs } = parse(readFileSync(actionFile, "utf8")) as ActionFile;

const groups = new Map(readDeclared(actionFile).inputs.map(({ name, group }) => [name, group]));
const entry = ([name, { description, default: standard }]: readonly [string, Declared]) =>
  `- \`${name}\`: ${description.trim()}${standard === undefined ? "" : ` Default: \`${standard}\`.`}`;
const lists = {
  inputs: Object.entries(inputs).flatMap((input) => {
    const title = groups.get(input[0]);
    return [...(title ? ["", `## ${title}`, ""] : []), entry(input)];
  }),
  outputs: Object.entries(outputs).map(entry),
};

const before = readFileSync(page, "utf8");
let after = before;
for (const [name, lines] of Object.entries(lists)) {
  const block = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`);
  after = after.replace(
    block,
    (_, open: string, close: string) => `${open}\n\n${lines.join("\n")}\n\n${close}`,
  );
}
after = await format(after, { parser: "markdown", printWidth: 110 });
if (process.argv.includes("--check")) {
  if (after !== before) {
    console.error("docs/inputs.md's inputs and outputs are not those of action.yml: run `npm run docs`.");
    process.exitCode = 1;
  }
} else {
  writeFileSync(page, after);
}
