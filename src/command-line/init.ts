/** `waza-grade init`: writes a workflow that runs an agent on evals and grades it, and a first eval if there is none. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { follow, namedByFile } from "../files/confine.ts";
import type { Agent } from "./flags.ts";
import { FIRST, workflowFor } from "./own-evals.ts";
import type { OwnEvals } from "./own-evals.ts";
import { ruleFor } from "../text/suggest.ts";

const WORKFLOW = ".github/workflows/evals.yml";

export interface InitOptions {
  readonly agent: Agent;
  /** The top of the user's repository. */
  readonly folder: string;
  /** Folder of the templates: `first/`, the eval, and `workflows/`, one for each agent. */
  readonly templates: string;
  /** Existing evals to write the workflow for; undefined to write a first one. */
  readonly own?: OwnEvals | undefined;
  /** The command that started this program, for the printed commands. */
  readonly program: string;
}

/** Maximum judge models listed. */
const MOST_RULES = 5;

/** The line of the workflow for `none` that the user has to fill in. */
const COMMAND = /^ +AGENT: (.+) #/m;

/** The action's placeholder name in a workflow. */
const PLACEHOLDER = /uses: (org\/[\w-]+)@/;

const OTHER = " (differs from what init would write; to replace it, delete it and run init again)";

/**
 * Writes the files that do not exist yet; returns a list of them and the next steps. Throws if the folder is not the top
 * of its repository, if a path leads out of it through a link or is not a file, and on errors of the file system.
 */
export function initProject({ agent, folder, templates, own, program }: InitOptions): string {
  const top = repositoryTop(folder);
  if (top !== undefined && top !== folder)
    throw new Error(`GitHub reads workflows only at the top of a repository, here ${top}: run init there`);
  const template = (name: Agent) => readFileSync(join(templates, "workflows", `${name}.yml`), "utf8");
  const workflow = own ? workflowFor(template(agent), own) : template(agent);
  const files = [[WORKFLOW, workflow] as const, ...(own ? [] : firstEval(templates))];
  for (const [path] of files) checkTarget(folder, path);
  const written = files.filter(([path, text]) => writeNew(join(folder, path), text)).map(([path]) => path);
  const kept = files.filter(([path]) => !written.includes(path));
  const current = textOf(join(folder, WORKFLOW));
  const [line = "", command = ""] = COMMAND.exec(template("none")) ?? [];
  return [
    ...(own ? listed(foundTitle(current !== workflow), own.paths) : []),
    ...listed("Wrote", written),
    ...listed(
      "Already there, not changed",
      kept.map(([path, text]) => `${path}${textOf(join(folder, path)) === text ? "" : OTHER}`),
    ),
    "Next:",
    ...numbered([
      ...locally(workflow.replaceAll("$AGENT", command), { command, own, program }),
      ...ownJudges(own?.judgeModels ?? []),
      ...inTheWorkflow(current, current.includes(line) ? command : undefined),
      `Commit, and open a pull request.${top === undefined ? " (This folder is not in a git repository yet.)" : ""}`,
      ...(own ? [] : ["Adapt the project, the prompts and the graders in evals/first to your agent."]),
    ]),
  ].join("\n");
}

function foundTitle(isOtherWorkflow: boolean): string {
  return isOtherWorkflow
    ? "Found evals; the workflow that is already there may not run them"
    : "Found evals, which the workflow will run (--eval selects others)";
}

/** The nearest folder with a `.git`, from this one upwards. */
function repositoryTop(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryTop(above);
}

/** The files of the first eval. */
function firstEval(templates: string): (readonly [string, string])[] {
  const first = join(templates, "first");
  return readdirSync(first, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => {
      const path = file.slice(first.length + 1).split(sep);
      return [`evals/first/${path.join("/")}`, readFileSync(file, "utf8")] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function checkTarget(folder: string, path: string): void {
  const file = join(folder, path);
  if ("refused" in namedByFile(file, follow(folder).real))
    throw new Error(`${path} is reached through a link that leads out of this folder`);
  if (existsSync(file) && !statSync(file).isFile()) throw new Error(`${path} exists and is not a file`);
}

/** False when the name exists already, also as a broken link. */
function writeNew(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function listed(title: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`${title}:`, ...paths.map((path) => `  ${path}`), ""];
}

/** Empty for a broken link. */
function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Numbers the steps and indents their further lines. */
function numbered(steps: readonly string[]): string[] {
  return steps.map((step, index) => `  ${String(index + 1)}. ${step.replaceAll("\n", "\n     ")}`);
}

/** Steps to grade locally, with the commands of the workflow. */
function locally(
  workflow: string,
  { command, own, program }: { readonly command: string } & Pick<InitOptions, "own" | "program">,
): string[] {
  const valueOf = (input: string) =>
    new RegExp(`^ +${input}: \\$\\{\\{ runner\\.temp \\}\\}/agent(?:/\\*(?=/))?(\\S*)`, "m").exec(
      workflow,
    )?.[1];
  const [, script = ""] = /^ +- name: Run [^]*? run: \|\n((?: {10}.*\n)+)/m.exec(workflow) ?? [];
  const [, skills] = /^ +SKILLS: (\S+)/m.exec(workflow) ?? [];
  const grade = [program, own ? own.flags : `--eval ${FIRST}`].filter((part) => part !== "").join(" ");
  const workspace = valueOf("workspace");
  const flags = [
    `--results "$OUT${valueOf("results") ?? ""}"`,
    ...(workspace === undefined ? [] : [`--workspace "$OUT${workspace}"`]),
  ];
  // Without comments, which an interactive zsh takes for arguments.
  const lines = script.replaceAll(/^ +# .*\n| +# .*$|^ {8}/gm, "").trimEnd();
  const notes = [
    ...(script.includes(command) ? [`\`${command}\` is a placeholder for your agent's command.`] : []),
    ...["yq", "jq"].filter((name) => script.includes(`${name} `)).map((name) => `It needs ${name}.`),
  ];
  return [
    `Estimate the cost, without a key: ${grade} --dry-run`,
    [
      "Run your agent (already signed in), in bash:",
      `  OUT=$(mktemp -d)${skills === undefined ? "" : ` SKILLS=${skills}`}`,
      lines,
      ...notes,
    ].join("\n"),
    `Grade what it did:\n  ${grade} ${flags.join(" ")}\nThe judge's key is taken from OPENAI_API_KEY. Any judge with an OpenAI-compatible API works: set OPENAI_BASE_URL to its\naddress, and --judge-model to its model. (In the workflow: \`base-url\` and \`judge-model\`.)`,
  ];
}

/** Judge models that the user's endpoint may lack, with the rules that replace them. */
function ownJudges(models: readonly string[]): string[] {
  if (models.length === 0) return [];
  const rules = models.slice(0, MOST_RULES).map((model) => `\n  ${ruleFor(model)}`);
  return [
    `Some graders name judge models, which override \`judge-model\`. If your endpoint has other models, add to\nthe step that grades:\nproviders: |${rules.join("")}`,
  ];
}

/** What to change in the workflow; `command` is the placeholder command, if it is still there. */
function inTheWorkflow(workflow: string, command: string | undefined): string[] {
  const [, placeholder] = PLACEHOLDER.exec(workflow) ?? [];
  const secrets = [...new Set([...workflow.matchAll(/secrets\.(\w+)/g)].map(([, name = ""]) => name))];
  return [
    ...(command === undefined
      ? []
      : [`Write your agent's command into ${WORKFLOW}, in place of \`${command}\`.`]),
    ...(placeholder === undefined
      ? []
      : [`In ${WORKFLOW}, replace the placeholder of the action's repository, \`${placeholder}\`.`]),
    ...(secrets.length === 0 ? [] : [`Add to the repository's secrets: ${secrets.join(", ")}`]),
  ];
}
