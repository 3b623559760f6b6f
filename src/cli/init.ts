/** `waza-grade init`: writes a workflow that runs an agent on evals and grades it, and a first eval if there is none. */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import type { Agent } from "./flags.ts";
import type { Suite } from "../domain/suite.ts";
import { loadSuites } from "../evals/load-suites.ts";
import { follow, namedByFile } from "../files/confine.ts";
import { isError } from "../text/problem.ts";
import { DEFAULT_JUDGE } from "../domain/grade.ts";
import { ruleFor } from "../text/suggest.ts";

const WORKFLOW = ".github/workflows/evals.yml";
/** The line of the workflow for `none` that the user has to fill in. */
const COMMAND = /^ +AGENT: (.+) #/m;
const OTHER = " (differs from what init would write; to replace it, delete it and run init again)";

interface InitOptions {
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

/** What the workflow needs to know of the evals. */
interface OwnEvals {
  readonly paths: readonly string[];
  /** Command that lists waza's eval files; undefined without any. */
  readonly waza?: string | undefined;
  /** The same for evals.json. */
  readonly skills?: string | undefined;
  /** Lines of the input `eval`; empty when the action finds the evals without it. */
  readonly inputs: readonly string[];
  /** Flags that name them at the command line. */
  readonly flags: string;
  /** Judge models that graders name. */
  readonly judgeModels: readonly string[];
}

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

/** The nearest folder with a `.git`, from this one upwards. */
function repositoryTop(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryTop(above);
}

/** The loop over waza's evals in a template. */
const WAZA = /^ {10}find \. -name eval\.yaml .*(\|[^]*?^ {10}done\n)/m;

/** The loop over evals.json, with jq, which runners have. */
const SKILLS = ` | while read -r file; do
            folder=$(cd "$(dirname "$file")/.." && pwd)
            name=$(jq -r 'objects | .skill_name // .skill // empty' "$file" | tr /: __) && name=\${name:-\${folder##*/}}
            jq -c '(.evals? // .test_cases? // .cases? // .) | to_entries[] | .value + {id: (.value.id // .value.eval_id // .key + 1)}
              | select(.assertions // .expectations // .expected_behavior // .rubric // .expected_output // .ground_truth)' \\
              "$file" | while read -r eval; do
              id=$(jq -r .id <<< "$eval" | tr /: __) && work=$OUT/work/$name/$id && mkdir -p "$work"
              jq -r '[.files] | flatten[] | strings' <<< "$eval" | while read -r path; do
                base=$folder && [ -e "$base/$path" ] || base=$folder/evals
                tar -C "$base" -cf - -- "$path" | tar -C "$work" -xf -
              done
              text=$(jq -r '.prompt // .question // .query // .input // .task' <<< "$eval")
              run
            done
          done
`;

/** An agent's template, changed to loop over these evals. */
export function workflowFor(template: string, { waza, skills, inputs }: OwnEvals): string {
  const named = inputs.map((path) => `            ${path}\n`).join("");
  return template
    .replace(WAZA, (_, body: string) =>
      [waza && `          ${waza} ${body}`, skills && `          ${skills}${SKILLS}`]
        .filter(Boolean)
        .join(""),
    )
    .replace(/^ {10}results: /m, (line) => (named === "" ? line : `          eval: |\n${named}${line}`));
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

/** Empty for a broken link. */
function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function listed(title: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`${title}:`, ...paths.map((path) => `  ${path}`), ""];
}

function foundTitle(isOtherWorkflow: boolean): string {
  return isOtherWorkflow
    ? "Found evals; the workflow that is already there may not run them"
    : "Found evals, which the workflow will run (--eval selects others)";
}

/** Numbers the steps and indents their further lines. */
function numbered(steps: readonly string[]): string[] {
  return steps.map((step, index) => `  ${String(index + 1)}. ${step.replaceAll("\n", "\n     ")}`);
}

/* Existing evals of a repository, and the workflow for them. */

/** The eval that `init` writes. */
const FIRST = "evals/first/eval.yaml";

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

/** Maximum judge models listed. */
const MOST_RULES = 5;

/** Judge models that the user's endpoint may lack, with the rules that replace them. */
function ownJudges(models: readonly string[]): string[] {
  if (models.length === 0) return [];
  const rules = models.slice(0, MOST_RULES).map((model) => `\n  ${ruleFor(model, DEFAULT_JUDGE.model)}`);
  return [
    `Some graders name judge models, which override \`judge-model\`. If your endpoint has other models, add to\nthe step that grades:\nproviders: |${rules.join("")}`,
  ];
}

/** The action's placeholder name in a workflow. */
const PLACEHOLDER = /uses: (org\/[\w-]+)@/;

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

/**
 * The evals of a folder that match `named`, or all of them; undefined when there is only the one that `init` writes.
 * Throws when a name cannot be written into a workflow, and when the agent cannot run an eval.
 */
export async function ownEvals(
  named: readonly string[] | undefined,
  { folder, agent }: { readonly folder: string; readonly agent: Agent },
): Promise<OwnEvals | undefined> {
  const loaded = await loadSuites(named, folder);
  const wrong = named && loaded.suites.length === 0 ? loaded.problems.find(isError) : undefined;
  if (wrong) throw new Error(wrong.message.replace(/\.$/, ""));
  const suites = agent === "waza" ? loaded.suites.filter((suite) => !isJson(suite)) : loaded.suites;
  if (suites.length < loaded.suites.length && suites.length === 0)
    throw new Error("waza does not run evals.json: choose another agent with --agent");
  const paths = suites.map(({ at }) => at.path);
  if (paths.every((path) => path === FIRST)) return undefined;
  if (agent !== "waza") refuseUnrunnable(suites);
  const [json, yaml] = [suites.filter(isJson), suites.filter((suite) => !isJson(suite))];
  const graders = suites.flatMap((suite) => [
    ...suite.graders,
    ...(suite.tasks === "every" ? [] : suite.tasks.flatMap((task) => task.graders)),
  ]);
  return {
    paths,
    judgeModels: [...new Set(graders.flatMap(({ model }) => model ?? []))],
    waza: yaml.length === 0 ? undefined : lister(yaml, named !== undefined),
    skills: json.length === 0 ? undefined : lister(json, named !== undefined),
    inputs: named ? paths : suites.length < loaded.suites.length ? ["**/eval.yaml"] : [],
    flags: (named ?? []).map((one) => `--eval ${inShell(one)}`).join(" "),
  };
}

/** True for the evals.json of a skill. */
function isJson({ at }: Suite): boolean {
  return at.path.endsWith(".json");
}

function refuseUnrunnable(suites: readonly Suite[]): void {
  for (const { tasks, at, broken } of suites) {
    if (tasks === "every" || tasks.length === 0)
      throw new Error(
        broken
          ? `${at.path} has an error, which a run with --dry-run reports`
          : `${at.path} has no tasks: choose other evals with --eval`,
      );
    if (tasks.some((task) => task.at === undefined))
      throw new Error(
        `${at.path} has its tasks in a table, which only waza runs: use --agent waza, or choose other evals with --eval`,
      );
  }
  const titles = Map.groupBy(suites, ({ title }) => title);
  for (const [title, [first, second]] of titles)
    if (first && second)
      throw new Error(
        `${first.at.path} and ${second.at.path} have the same name ${title}, and logs are matched by this name: rename one, or choose one by --eval`,
      );
}

/** A shell command that prints the path of each eval file: the named ones, or all with these file names, later ones too. */
function lister(suites: readonly Suite[], isNamed: boolean): string {
  const paths = suites.map(({ at }) => at.path);
  if (isNamed) return `printf '%s\\n' ${paths.map(inShell).join(" ")}`;
  const names = new Set(
    paths.map((path) => (path.endsWith(".json") ? "*/evals/" : "") + posix.basename(path)),
  );
  const tests = [...names].map((name) => (name.includes("/") ? `-path '${name}'` : `-name ${inShell(name)}`));
  const any = tests.length === 1 ? tests[0] : `'(' ${tests.join(" -o ")} ')'`;
  return `find . ${any ?? ""} -not -path '*/node_modules/*'`;
}

/** A path for shell and YAML; throws when either would misread it. */
function inShell(path: string): string {
  if (/^[\w./@+-]+$/.test(path)) return path;
  if (/^[\p{L}\p{N}\p{M} ._/@+,=()!*{}[\]?-]+$/u.test(path)) return `'${path}'`;
  throw new Error(`the name \`${path}\` has a special meaning in a shell: rename it`);
}
