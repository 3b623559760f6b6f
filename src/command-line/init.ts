/** `waza-grade init`: a first eval, and a workflow that runs an agent on it and grades what it did. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { follow, namedByFile } from "../files/confine.ts";
import type { Agent } from "./flags.ts";

const WORKFLOW = ".github/workflows/evals.yml";
const EVAL = "evals/first/eval.yaml";

export interface InitOptions {
  readonly agent: Agent;
  /** Where to write: the top of somebody's repository. */
  readonly folder: string;
  /** What to write: `first/`, the eval, and `workflows/`, one for each agent. */
  readonly templates: string;
}

/** The line of the workflow of no agent that its user has to write. */
const COMMAND = /^ +AGENT: (.+) #/m;

/** The paragraph of the eval that only waza reads: how it runs the agent. */
const FOR_WAZA = /^# How `waza run` .*\n(?:.+\n)*\n/m;

/** What the workflows call the action before anybody says where it lives. */
const PLACEHOLDER = "org/waza-grade";

/** Said of a file that was there. */
const OTHER = " (not what init writes for this agent: to have that, delete it and run init again)";

/**
 * Writes what is not there yet, and says what it wrote and what to do next. Throws the file system's errors, below the
 * top of a repository, and where a link leads away.
 */
export function initProject({ agent, folder, templates }: InitOptions): string {
  const top = repositoryTop(folder);
  if (top !== undefined && top !== folder)
    throw new Error(
      `GitHub reads workflows at the top of a repository, which here is ${top}: run init there`,
    );
  const files = [...filesOf(agent, templates)];
  const away = files.find(([path]) => "refused" in namedByFile(join(folder, path), follow(folder).real));
  if (away) throw new Error(`${away[0]} lies behind a link that leads out of this folder`);
  const written = files.filter(([path, text]) => writeNew(join(folder, path), text)).map(([path]) => path);
  const kept = files.filter(([path]) => !written.includes(path));
  const present = textOf(join(folder, WORKFLOW));
  const [line = "", command = ""] = COMMAND.exec(filesOf("none", templates).get(WORKFLOW) ?? "") ?? [];
  return [
    ...listed("Wrote", written),
    ...listed(
      "Was there already, and is left as it is",
      kept.map(([path, text]) => `${path}${textOf(join(folder, path)) === text ? "" : OTHER}`),
    ),
    ...nextSteps(present, present.includes(line) ? command : undefined, top === undefined),
  ].join("\n");
}

/** The nearest folder with a `.git`, from this one upwards. */
function repositoryTop(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryTop(above);
}

/** What there is to write for an agent: texts by path. */
function filesOf(agent: Agent, templates: string): ReadonlyMap<string, string> {
  const first = join(templates, "first");
  const files = filesBelow(first).map((file) => {
    const text = readFileSync(join(first, file), "utf8");
    return [`evals/first/${file}`, agent === "waza" ? text : text.replace(FOR_WAZA, "")] as const;
  });
  return new Map([...files, [WORKFLOW, readFileSync(join(templates, "workflows", `${agent}.yml`), "utf8")]]);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    )
    .sort();
}

/** False where something of that name is there, be it a link that leads nowhere. */
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

/** Empty for a link that leads nowhere. */
function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** For the workflow that is there; `command` is what of it has yet to be replaced. */
function nextSteps(workflow: string, command: string | undefined, isOutside: boolean): string[] {
  const secrets = [...new Set([...workflow.matchAll(/secrets\.(\w+)/g)].map(([, name = ""]) => name))];
  const [, results] = /^ +results: ([\w./*-]+)$/m.exec(workflow) ?? [];
  const steps = [
    `See what grading will take, without a key: npx waza-grade --eval ${EVAL} --dry-run`,
    ...(command === undefined
      ? []
      : [`Write your agent's command into ${WORKFLOW}, in place of \`${command}\`.`]),
    ...(workflow.includes(`uses: ${PLACEHOLDER}@`)
      ? [`In ${WORKFLOW}, write the repository that the action lives in, in place of \`${PLACEHOLDER}\`.`]
      : []),
    ...(secrets.length === 0 ? [] : [`Add to the repository's secrets: ${secrets.join(", ")}`]),
    `Commit${results === undefined ? "" : ` all but ${results}`}, and open a pull request.${isOutside ? " (This folder is in no repository yet.)" : ""}`,
    "Change the project, the prompts and the graders in evals/first to what your agent is for.",
  ];
  return ["Next:", ...steps.map((step, index) => `  ${String(index + 1)}. ${step}`)];
}
