// Writes what has its text from other files: docs/inputs.md's lists and grade/action.yml from action.yml, docs/maintainers/system-message.md, docs/gate.md's table from the rules, and docs/maintainers/architecture.md's map of the files from their first sentences. `--check` only checks that they are current.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { parse } from "yaml";
import { readDeclared } from "../src/cli/flags.ts";
import { RULES } from "../src/decide/rules.ts";
import type { Conclusion } from "../src/domain/grade.ts";
import { systemMessage } from "../src/judge/message.ts";

interface Declared {
  readonly description: string;
  readonly default?: string;
}

const root = join(import.meta.dirname, "..");
const isCheck = process.argv.includes("--check");

const actionFile = join(root, "action.yml");
const { inputs, outputs } = parse(readFileSync(actionFile, "utf8")) as Record<
  "inputs" | "outputs",
  Record<string, Declared>
>;
const groups = new Map(readDeclared(actionFile).inputs.map(({ name, group }) => [name, group]));
const entry = ([name, { description, default: standard }]: readonly [string, Declared]) =>
  `- \`${name}\`: ${description.trim()}${standard === undefined ? "" : ` Default: \`${standard}\`.`}`;

const called = parse(readFileSync(join(root, ".github/workflows/evals.yml"), "utf8")) as {
  readonly on: { readonly workflow_call: Record<"inputs" | "secrets" | "outputs", Record<string, Declared>> };
};
const call = called.on.workflow_call;

const COLOURS = {
  success: "green",
  failure: "red",
  neutral: "neutral",
  cancelled: "cancelled",
  pending: "pending",
};

/** Of each rule a row a line: a name, what it means, and what to do. */
const MEANINGS: Readonly<Record<Conclusion["rule"], string>> = {
  configuration: `configuration | a mistake in an input or a file | change what the message says`,
  "time-limit": `time limit | the step's limit ended grading | run the job again: it goes on`,
  cancelled: `cancelled | the job was cancelled | run the job again`,
  "dry-run": `dry run | no judge was asked | nothing`,
  "min-agreement": `judge and people | the judge agrees with [people's labels](judges.md#is-the-judge-right) less than \`min-agreement\` | mend the criterion, or choose another judge`,
  missing: `missing | a run is not there | look at the job that runs the agent`,
  errored: `errored | no verdict: judge down, a cap, [more](troubleshooting.md#error-classes) | run the job again. \`on-error: warn\` lets it pass`,
  golden: `golden task | a task that [has to pass](scoring.md#golden-tasks) did not | mend the agent, or take \`golden\` away in a reviewed pull request`,
  "min-score": `score | it is below \`min-score\` | read the reasons`,
  "second-look": `second look | what dropped [runs again](#a-second-look) before that decides | wait`,
  regression: `worse than main | the score dropped beyond chance, or an eval is dead | fix it, or [accept it](#a-drop-that-is-meant)
cannot be compared | a failed grade is new, or its prompt, task or judge is another | [grade main anew](gate.md#when-the-prompt-or-the-judge-changed)
gone | half of an eval's graders or more are gone | put them back, remove the skill, too, or [accept it](#a-drop-that-is-meant)`,
  accepted: `accepted | a label [accepts](#a-drop-that-is-meant) the drop | merge`,
  "failed-grade": `failed checks | a grade failed (\`fail-on: fail\`) | read the reason. Wrong judge? [Label it](judges.md#is-the-judge-right)`,
  "nothing-to-do": `nothing to grade | \`changed-only\` or \`tasks\` leaves out every eval | nothing`,
  "nothing-graded": `nothing judged | no grade has a verdict, and \`on-error\` or \`on-missing\` is \`warn\` | look at the errors
nothing to grade | no enabled task has a prompt grader, or all are advisory | enable one, or remove the job`,
  "not-compared": `not compared | main has no results yet, or an input, the action or the provider changed the judge | merge if the page is fine`,
  passed: `passed | no rule is broken; with \`warn\`, grades may have no verdict | merge`,
};

await update("docs/inputs.md", {
  call: Object.entries(call.inputs).map(entry),
  secrets: Object.entries(call.secrets).map(entry),
  results: Object.entries(call.outputs).map(entry),
  inputs: Object.entries(inputs).flatMap((input) => {
    const title = groups.get(input[0]);
    return [...(title ? ["", `## ${title}`, ""] : []), entry(input)];
  }),
  outputs: Object.entries(outputs).map(entry),
});
await update("docs/maintainers/system-message.md", { system: ["```text", systemMessage(), "```"] });
await update("docs/gate.md", {
  rules: [
    "| the check is | it means | what to do |",
    "| :-- | :-- | :-- |",
    ...RULES.flatMap(({ check, rule }) =>
      MEANINGS[rule].split("\n").map((text) => `| ${COLOURS[check]}: ${text} |`),
    ),
  ],
});
await update("docs/maintainers/architecture.md", { files: mapOf("src") });

written("grade/action.yml", gradeAction(readFileSync(actionFile, "utf8")));

/** The action that grades as the called workflow uses it: with the inputs of a call that it has no own ones for. */
function gradeAction(text: string): string {
  const more = `inputs:
  grade:
    description: >-
      Further inputs, one per line, as \`min-score: 0.8\`; each takes the place of the one that is given beside it. Keys
      are refused: they are secrets.
    required: false
`;
  return `# Written by \`npm run docs\` from action.yml.\n${text.replace("inputs:\n", more).replace("dist/index.js", "index.js")}`;
}

/** A line for each file below the folder, by room; `limits.ts` is the same in each. Throws where a first sentence is missing. */
function mapOf(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith("limits.ts"))
    .sort();
  const roomOf = (file: string) => file.split("/").slice(0, -1).join("/");
  return [...Map.groupBy(files, roomOf)].flatMap(([room, its]) => [
    `- \`${room === "" ? folder : room}/\``,
    ...its.map(
      (file) =>
        `  - \`${file.slice(room === "" ? 0 : room.length + 1)}\`: ${firstSentence(join(folder, file))}`,
    ),
  ]);
}

function firstSentence(file: string): string {
  const [, comment] = /^(?:#![^\n]*\n)?\/\*\*(.*?)\*\//s.exec(readFileSync(join(root, file), "utf8")) ?? [];
  const [sentence] = /^.*?\.(?= |$)/.exec(comment?.replaceAll(/\s*\n ?\*? ?/g, " ").trim() ?? "") ?? [];
  if (sentence === undefined)
    throw new Error(`${file} begins without a comment of what it is: add one, \`/** A sentence. */\`.`);
  return sentence;
}

async function update(page: string, lists: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const file = join(root, page);
  const before = readFileSync(file, "utf8");
  let after = before;
  for (const [name, lines] of Object.entries(lists)) {
    const block = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`);
    after = after.replace(
      block,
      (_, open: string, close: string) => `${open}\n\n${lines.join("\n")}\n\n${close}`,
    );
  }
  written(page, await format(after, { parser: "markdown", printWidth: 110 }));
}

function written(path: string, text: string): void {
  const file = join(root, path);
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`${path} is not what its sources say: run \`npm run docs\`.`);
    process.exitCode = 1;
  }
}
