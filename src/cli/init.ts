/** `waza-grade init`: writes a workflow that runs an agent on evals and grades it, and a first eval if there is none. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { evalOfProject, evalOfSkill, namedEval, type NewFile, type SkillEval } from "./first-eval.ts";
import { type DeclaredInput, type Given, Misuse, nearest } from "./flags.ts";
import {
  type Wanted,
  type WorkflowAgent,
  COMMAND,
  LINES,
  WORKFLOW_AGENTS,
  callFor,
  fullFor,
  pinned,
  pluginsFor,
} from "./workflow.ts";
import type { Suite } from "../domain/suite.ts";
import { chooseRuns, type Chosen } from "../runner/choose-runs.ts";
import { runsOf } from "../plan/runs.ts";
import { skillsIn } from "../evals/skills.ts";
import { pluginsWithCases } from "../evals/unread.ts";
import { follow, namedByFile, topOf } from "../files/confine.ts";
import { textOfFile } from "../files/read.ts";
import { blockOn, createBelow } from "../files/write.ts";
import { logLine } from "../safety/sanitize.ts";
import { asSentence, listedCode, messageOf, plural, problemLine } from "../text/format.ts";
import { isError, notice, type Problem } from "../domain/problem.ts";
import { didYouMean, shellWord } from "../text/suggest.ts";

const WORKFLOW = ".github/workflows/evals.yml";
/** Of the evals of Claude Code's plugins. */
const OF_PLUGINS = ".github/workflows/plugin-evals.yml";
const OTHER = " (differs from what init would write; to replace it, delete it and run init again)";

export const INIT_FLAGS: readonly DeclaredInput[] = [
  {
    name: "agent",
    description: `The agent to write a workflow for: one of ${WORKFLOW_AGENTS.join(", ")}. \`none\` is for any other agent.`,
    default: "none",
  },
  {
    name: "eval",
    description:
      "The evals of the workflow, as paths or globs. By default all that are found; if there are none, a first one is written to evals/first.",
    isList: true,
  },
  {
    name: "lift",
    description: "Run the agent without the skill as well, to show what the skill is worth.",
    default: "false",
  },
  {
    name: "full",
    description:
      "Write the five jobs into the workflow, to see and change them, in place of the lines that call them: also for GitHub Enterprise Server.",
    default: "false",
  },
  {
    name: "environment",
    description:
      "With --full, the environment of the repository that holds the keys: each job with one names it, and waits for whom the environment requires.",
  },
  { name: "runs-on", description: "The label of your own machines, in place of GitHub's." },
  {
    name: "base-url",
    description: "The address of your judge, with its key as the secret JUDGE_KEY, where it needs one.",
  },
  {
    name: "judge-model",
    description: "The model of your judge, in place of the one that the agent's key is for.",
  },
  {
    name: "pin",
    description:
      "The commit of this action that the workflow is to use, in place of its newest version 1, for organizations that require it; all other actions are pinned in any case.",
  },
];

/**
 * Writes the files by the values of the flags. `root` holds dist/, `folder` is the top of the user's repository. The text
 * is for a terminal: what was written and what comes next, or why nothing was. Throws a Misuse for an unknown agent.
 */
export async function init(
  given: Given,
  { root, folder }: { readonly root: string; readonly folder: string },
): Promise<{ readonly text: string; readonly isWritten: boolean }> {
  try {
    const wanted = wantedBy(given);
    const named = given
      .get("eval")
      ?.split("\n")
      .map((one) => namedEval(one, folder));
    const found = await evalsFor(named, { folder, agent: wanted.agent });
    const templates = join(root, "dist/init");
    const text = initProject({ ...wanted, ...found, folder, templates, program: programIn(root) });
    return { text, isWritten: true };
  } catch (error) {
    if (error instanceof Misuse) throw error;
    return { text: logLine(asSentence(`This cannot be written: ${messageOf(error)}`)), isWritten: false };
  }
}

/** What the flags ask for; throws a Misuse. */
function wantedBy(given: Given): Wanted {
  const is = (name: string) => given.get(name)?.toLowerCase() === "true";
  const full = is("full");
  const [runsOn, baseUrl, model] = ["runs-on", "base-url", "judge-model"].map((name) => {
    const value = given.get(name);
    return value === undefined ? undefined : inWorkflow(value);
  });
  return {
    agent: workflowAgent(given.get("agent")),
    lift: is("lift"),
    full,
    pin: commitOf(given.get("pin")),
    environment: checkedEnvironment(given.get("environment"), full),
    runsOn,
    judge: baseUrl === undefined && model === undefined ? undefined : { baseUrl, model },
  };
}

/** The evals of the repository; where it has a skill and no eval, one that is to be written for it. */
async function evalsFor(
  named: readonly string[] | undefined,
  { folder, agent }: { readonly folder: string; readonly agent: WorkflowAgent },
): Promise<Pick<InitOptions, "evals" | "said" | "first" | "plugins">> {
  const plugins = named ? [] : await pluginsWithCases(folder);
  // waza does not run evals.json.
  const isForSkills = agent !== "waza";
  const ofNamed = isForSkills && named ? await evalOfSkill(named, folder) : undefined;
  const found = ofNamed ? undefined : await workflowEvals(named, { folder, agent });
  const isEnough = found && (found.evals ?? (found.isFirstThere || !isForSkills || plugins.length > 0));
  if (isEnough) return { ...found, plugins: plugins.map(inShell).map(inWorkflow) };
  const first = ofNamed ?? (await evalOfSkill(undefined, folder));
  if (first === undefined) return found ?? {};
  const [path] = first.file;
  const inputs = named ? [inWorkflow(path)] : [];
  const flags = named ? `--eval ${inShell(path)}` : "";
  const evals: WorkflowEvals = { paths: [path], inputs, flags, runs: FIRST_RUNS };
  return { evals, said: found?.said ?? [], first };
}

function workflowAgent(name = "none"): WorkflowAgent {
  const agent = WORKFLOW_AGENTS.find((one) => one === name);
  if (agent !== undefined) return agent;
  const near = nearest(name, WORKFLOW_AGENTS);
  const help = didYouMean(near) ?? `There are ${listedCode(WORKFLOW_AGENTS)}.`;
  throw new Misuse(`There is no workflow for the agent \`${name}\`. ${help}`);
}

function commitOf(pin: string | undefined): string | undefined {
  if (pin === undefined || /^[0-9a-f]{40}$/.test(pin)) return pin;
  throw new Misuse(
    `\`--pin ${pin}\` is no commit: write the 40 digits that \`git ls-remote https://github.com/org/waza-grade v1\` prints.`,
  );
}

function checkedEnvironment(name: string | undefined, full: boolean): string | undefined {
  if (name === undefined) return undefined;
  if (!full)
    throw new Misuse(
      "`--environment` needs `--full`: the secrets of an environment do not reach a workflow of another repository.",
    );
  if (/^\w[\w. /-]{0,99}$/.test(name)) return name;
  throw new Misuse(
    `\`--environment ${name}\` is no name for a workflow: use letters, digits, \`-\`, \`_\` and \`/\`.`,
  );
}

/** The command that starts this program: the package's name when installed, else its file. */
function programIn(root: string): string {
  if (/[\\/]node_modules[\\/]/.test(root)) return "npx waza-grade";
  const file = join(root, "dist/index.js");
  return `node ${/^[\w./\\:@+-]+$/.test(file) ? file : `"${file}"`}`;
}

interface InitOptions extends Wanted {
  /** The top of the user's repository. */
  readonly folder: string;
  /** Folder of the templates: `first/`, the eval, and `workflows/`. */
  readonly templates: string;
  /** Existing evals to write the workflow for; undefined to write a first one. */
  readonly evals?: WorkflowEvals | undefined;
  /** The eval of a skill that is to be written, in place of that of a small project. */
  readonly first?: SkillEval | undefined;
  /** The plugins that have evals of Claude Code's own: with them alone no first eval is written. */
  readonly plugins?: readonly string[] | undefined;
  /** What `run` says of the evals. */
  readonly said?: readonly Problem[] | undefined;
  /** The command that started this program, for the printed commands. */
  readonly program: string;
}

/** What the workflow needs to know of the evals. */
interface WorkflowEvals {
  /** Of those that the workflow runs, or grades sessions by. */
  readonly paths: readonly string[];
  /** Lines of the input `eval`; empty when they are found without it. */
  readonly inputs: readonly string[];
  /** Flags that name them at the command line. */
  readonly flags: string;
  /** Runs of all tasks, with the skill; 0 when the evals have graders and no tasks. */
  readonly runs: number;
  /** The workflow runs trigger evals, as there are no others; or there are trigger evals beside those that it runs. */
  readonly triggers?: "alone" | "beside" | undefined;
}

/**
 * Writes the files that do not exist yet; returns a list of them and the next steps. Throws if the folder is not the top
 * of its repository, if a path leads out of it through a link or is not a file, and on errors of the file system.
 */
export function initProject(options: InitOptions): string {
  const { folder, templates, evals, first, plugins = [], said = [] } = options;
  const top = topOf(folder);
  if (top !== undefined && top !== folder)
    throw new Error(`GitHub reads workflows only at the top of a repository, here ${top}: run init there`);
  const branch = defaultBranch(top);
  const isFirst = evals === undefined && plugins.length === 0;
  const workflows = [
    ...(evals || isFirst ? [[WORKFLOW, workflowOf(options)] as const] : []),
    ...(plugins.length > 0
      ? [[OF_PLUGINS, pluginsFor(templateOf("plugin-evals", options), plugins, options)] as const]
      : []),
  ].map(([path, text]) => [path, onBranch(pinned(text, options.pin), branch)] as const);
  const drafts = isFirst ? evalOfProject(templates) : first ? [first.file] : [];
  const files = [...workflows, ...drafts];
  for (const [path] of files) checkTarget(folder, path);
  const written = files.filter(([path, text]) => createBelow(folder, path, text)).map(([path]) => path);
  const kept = files.filter(([path]) => !written.includes(path));
  const isAsMade = ([path, text]: NewFile) => textOfFile(join(folder, path)) === text;
  const isRun = workflows.slice(0, 1).every(isAsMade);
  return [
    ...(evals && !first ? listedPaths(isRun ? FOUND : FOUND_BESIDE, evals.paths) : []),
    ...listedPaths("Found plugins with evals of `claude plugin eval`, which a workflow runs", plugins),
    ...said.map((problem) => `${problem.level}: ${logLine(problemLine(problem))}\n`),
    ...listedPaths("Wrote", written),
    ...listedPaths(
      "Already there, not changed",
      kept.map((file) => `${file[0]}${isAsMade(file) ? "" : OTHER}`),
    ),
    "Next:",
    ...numberedSteps([
      ...toEdit(first),
      ...(evals || isFirst ? locally(options) : []),
      ...plugins.map(
        (plugin) =>
          `Run the evals of the plugin, and grade what they come to:\n  claude plugin eval ${plugin} --json ../plugin-evals.json\n  ${options.program} --results ../plugin-evals.json --offline`,
      ),
      ...(top === undefined ? ["Make this folder a git repository: `git init -b main`."] : []),
      ...inTheWorkflows(
        workflows.map(([path]) => [path, textOfFile(join(folder, path)) ?? ""] as const),
        branch,
      ),
      ...(isFirst ? ["Adapt the project, the prompts and the graders in evals/first to your agent."] : []),
    ]),
  ].join("\n");
}

/** The workflow for these evals: for sessions, the call, or all jobs. */
function workflowOf(options: InitOptions): string {
  const { evals, full } = options;
  const { runs = FIRST_RUNS, inputs = [] } = evals ?? {};
  if (runs === 0) return templateOf("sessions", options);
  const its = { ...options, evals: inputs, runs, triggers: evals?.triggers === "alone" };
  return full ? fullFor(templateOf("full", options), its) : callFor(templateOf("evals", options), its);
}

/** A workflow to write, by its name. */
function templateOf(name: string, { templates }: InitOptions): string {
  return readFileSync(join(templates, "workflows", `${name}.yml`), "utf8");
}

function checkTarget(folder: string, path: string): void {
  const file = join(folder, path);
  const blocked = blockOn(folder, dirname(path));
  if (blocked !== undefined) throw new Error(blocked);
  if ("refused" in namedByFile(file, follow(folder).real))
    throw new Error(`${path} is reached through a link that leads out of this folder`);
  if (existsSync(file) && !statSync(file).isFile()) throw new Error(`${path} exists and is not a file`);
}

/** Maximum paths of a list. */
const MOST_LISTED = 20;

function listedPaths(title: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, MOST_LISTED).map((path) => `  ${path}`);
  const more = paths.length - shown.length;
  return [`${title}:`, ...shown, ...(more > 0 ? [`  and ${String(more)} more`] : []), ""];
}

const FOUND = "Found evals, which the workflow will run (--eval selects others)";
const FOUND_BESIDE = "Found evals; the workflow that is already there may not run them";

/** Numbers the steps and indents their further lines. */
function numberedSteps(steps: readonly string[]): string[] {
  return steps.map((step, index) => `  ${String(index + 1)}. ${step.replaceAll("\n", "\n     ")}`);
}

/* Existing evals of a repository, and the workflow for them. */

/** The eval that `init` writes. */
const FIRST = "evals/first/eval.yaml";

/** Runs of the eval that `init` writes, also for a skill: its two tasks. */
const FIRST_RUNS = 2;

/** Steps to run the agent and to grade at the command line. */
function locally({ agent, evals, program, lift, judge }: InitOptions): string[] {
  const words = (...parts: readonly string[]) => parts.filter((part) => part !== "").join(" ");
  const flags = evals?.flags ?? "";
  const { title } = LINES[agent];
  const { baseUrl, model } = judge ?? LINES[agent].judge ?? {};
  const chosen = words(
    baseUrl === undefined ? "" : `--base-url ${baseUrl}`,
    model === undefined ? "" : `--judge-model ${model}`,
  );
  const dry = `Estimate the cost, without a key: ${words(program, flags, chosen, lift ? "--lift" : "", "--dry-run")}`;
  const key = `The judge's key is taken from OPENAI_API_KEY. Any judge with an OpenAI-compatible API works: --base-url is its\naddress, --judge-model its model.`;
  if (evals?.runs === 0)
    return [dry, `Grade your sessions:\n  ${words(program, flags)} --results 'sessions/*'\n${key}`];
  const start = agent === "none" ? `--command '${COMMAND}'` : `--agent ${agent}`;
  const runTriggers = words(program, "run", start, "--triggers");
  if (evals?.triggers === "alone")
    return [
      `Run ${title}, installed and signed in:\n  ${runTriggers}`,
      `Show which skills it loaded:\n  ${program}`,
    ];
  return [
    dry,
    `Run ${title}, installed and signed in:\n  ${words(program, "run", start, flags, lift ? "--lift" : "")}`,
    ...(evals?.triggers === "beside" ? [`Run the trigger evals, too:\n  ${runTriggers}`] : []),
    `Grade what it did:\n  ${words(program, flags, chosen, lift ? "--lift" : "")}\n${key}`,
  ];
}

/**
 * The default branch: that of the remote, else the one of main and master that is there; never the one that is checked
 * out, which may be of a feature. Undefined where the repository does not say it.
 */
function defaultBranch(top: string | undefined): string | undefined {
  if (top === undefined) return undefined;
  const git = join(top, ".git");
  const [, ofRemote] =
    /^ref: refs\/remotes\/origin\/(\S+)$/m.exec(textOfFile(join(git, "refs/remotes/origin/HEAD")) ?? "") ??
    [];
  const packed = textOfFile(join(git, "packed-refs")) ?? "";
  const checkedOut = textOfFile(join(git, "HEAD")) ?? "";
  const isThere = (branch: string) =>
    checkedOut === `ref: refs/heads/${branch}\n` ||
    [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`].some(
      (ref) => existsSync(join(git, ref)) || packed.includes(` ${ref}\n`),
    );
  const [usual, ...further] = ["main", "master"].filter(isThere);
  return ofRemote ?? (further.length > 0 ? undefined : usual);
}

/** The workflow for pushes to this branch. */
function onBranch(workflow: string, branch: string | undefined): string {
  if (branch === undefined || !/^[\w./-]+$/.test(branch)) return workflow;
  return workflow.replace(
    "branches: [main] } # the default branch: where it has another name, write that",
    `branches: [${branch}] }`,
  );
}

/** The eval that was made from the description or the name of a skill says little more than that. */
function toEdit(first: SkillEval | undefined): string[] {
  if (first === undefined) return [];
  const what = "a task it is for, and one near it that it is not for";
  return [`Edit ${first.file[0]}, made from the skill's ${first.madeFrom}: ${what}.`];
}

/** The job of a workflow that has the verdict. */
function jobOf(workflow: string): string {
  if (/^ {2}evals:$/m.test(workflow)) return "evals / decide";
  return /^ {2}decide:$/m.test(workflow) ? "decide" : "grade";
}

/** How a command gets its key: in the workflow that is called, and in one that has the steps itself. */
const CALLED = "/.github/workflows/evals.yml@";
const KEY_OF_CALL =
  "The key of\nits model is the secret `AGENT_KEY`, below `secrets:` there; the command reads it as `$AGENT_KEY`.";
const KEY_OF_STEP = "Give it\nthe key of its model by `env:` of that step.";

/** The action's placeholder name in a workflow. */
const PLACEHOLDER = /uses: (org\/[\w-]+)/;

/** What to change in the workflows that are there, what they need, and what keeps their verdict. */
function inTheWorkflows(workflows: readonly NewFile[], branch: string | undefined): string[] {
  const workflow = workflows.map(([, text]) => text).join("");
  const file = workflows.map(([path]) => path).join(" and ");
  const [, placeholder] = PLACEHOLDER.exec(workflow) ?? [];
  const secrets = [...new Set([...workflow.matchAll(/secrets\.(\w+)/g)].map(([, name = ""]) => name))];
  const jobs = workflows.map(([, text]) => jobOf(text));
  return [
    ...(workflow.includes(COMMAND)
      ? [
          `Write your agent's command into ${WORKFLOW}, in place of \`${COMMAND}\`. ${workflow.includes(CALLED) ? KEY_OF_CALL : KEY_OF_STEP}`,
        ]
      : []),
    ...(placeholder === undefined
      ? []
      : [`In ${file}, replace the placeholder of the action's repository, \`${placeholder}\`.`]),
    ...(branch === undefined && workflow.includes("branches: [main]")
      ? [`In ${file}, replace \`main\` if your default branch has another name.`]
      : []),
    ...(secrets.length === 0 ? [] : [secretsStep(secrets, workflow)]),
    `Commit, and open a pull request${workflow.includes("push:") ? "; once it is merged, later ones are compared with the default branch" : ""}.`,
    `Then, in the rules of your main branch, require the ${plural(jobs.length, "job", "jobs")} ${listedCode(jobs)}. Whoever may change .github/ and evals/ can\nchange the verdict: name who reviews them in .github/CODEOWNERS.`,
  ];
}

/** Where the keys go; with an environment, what its reviewers are asked for. */
function secretsStep(secrets: readonly string[], workflow: string): string {
  const [, environment] = /^ {4}environment: (\w.*)$/m.exec(workflow) ?? [];
  if (environment === undefined)
    return `Where a key is needed, add to the repository's secrets: ${secrets.join(", ")}`;
  return `Add to the environment ${environment}, with required reviewers: ${secrets.join(", ")}. A push asks them twice, for the jobs\nagent and grade, and where something dropped twice more, for again and decide.`;
}

/**
 * The evals of a folder that match `named`, or all of them, with what `run` says of them; no `evals` when there is only the
 * one that `init` writes. Throws when a name cannot be written into a workflow, and when the agent can run none of them.
 */
export async function workflowEvals(
  named: readonly string[] | undefined,
  { folder, agent }: { readonly folder: string; readonly agent: WorkflowAgent },
): Promise<Pick<InitOptions, "evals" | "said"> & { readonly isFirstThere: boolean }> {
  const run = { tasks: [], lift: false, resumes: false, changedOnly: false, evals: named };
  const choose = async (triggers: boolean) =>
    await chooseRuns({ ...run, agent: agent === "none" ? "command" : agent, triggers }, folder);
  const chosen = await choose(false);
  const isForSkills = named === undefined && agent !== "waza";
  const triggers = isForSkills ? await choose(true) : undefined;
  const isFirstThere = chosen.suites.some(({ at }) => at.path === FIRST);
  const tested = [...chosen.suites, ...(triggers?.suites ?? [])].flatMap(
    (suite) => suite.tested?.folder ?? [],
  );
  const said = chosen.suites.length > 0 ? chosen.problems.filter(({ code }) => code !== "plugin-evals") : [];
  const bare = isForSkills ? await withoutEvals(tested, folder) : [];
  const evals = evalsOf(chosen, named, { agent, triggers });
  // Beside files that seem to hold evals no first one is written.
  const unread = chosen.problems.find(({ code }) => code === "not-found");
  if (named === undefined && evals === undefined && !isFirstThere && unread)
    throw new Error(
      `${unread.message} ${unread.help ?? ""} Name what it is to be for, with \`--eval\`: that file, or a skill's \`evals/evals.json\`, which is written where there is none.`,
    );
  return { evals, said: [...said, ...bare], isFirstThere };
}

/** The notice of skills that no eval tests. */
async function withoutEvals(tested: readonly string[], folder: string): Promise<Problem[]> {
  const known = new Set(tested.map((one) => follow(one).real));
  const bare = (await skillsIn(folder)).filter((skill) => !known.has(follow(skill.folder).real));
  if (known.size === 0 || bare.length === 0) return [];
  const names = listedCode(bare.map(({ name }) => name));
  const help = "`--eval` with the folder of a skill writes a first one.";
  return [notice("skills-without-evals", `Without evals, and so not run: ${names}.`, { help })];
}

/** The evals that the agent runs; throws where it can run none of those that are there. */
function suitesOf(
  { suites, problems }: Chosen,
  named: readonly string[] | undefined,
  agent: WorkflowAgent,
): readonly Suite[] {
  const mistake = problems.find(isError);
  if (named && suites.length === 0 && mistake) throw new Error(mistake.message);
  if (agent !== "waza") return suites;
  const ofWaza = suites.filter(({ at }) => !at.path.endsWith(".json"));
  if (ofWaza.length === 0 && suites.length > 0)
    throw new Error("waza does not run evals.json: choose another agent with --agent");
  return ofWaza;
}

/** The evals that the workflow is for: those of the agent, or where there are none the trigger evals. */
function evalsOf(
  chosen: Chosen,
  named: readonly string[] | undefined,
  { agent, triggers }: { readonly agent: WorkflowAgent; readonly triggers: Chosen | undefined },
): WorkflowEvals | undefined {
  const ofAgent = suitesOf(chosen, named, agent);
  const isAlone = ofAgent.length === 0 && triggers !== undefined && triggers.suites.length > 0;
  const its = isAlone ? triggers : { ...chosen, suites: ofAgent };
  const paths = [...new Set(its.suites.map(({ at }) => at.path))];
  if (paths.every((path) => path === FIRST)) return undefined;
  const whole = its.suites.filter(({ broken }) => !broken);
  const isSessions = whole.length > 0 && whole.every(({ tasks }) => tasks === "every");
  if (!isSessions) refuseUnrunnable(whole, its);
  const isRun = (path: string) => isSessions || its.planned.some(({ suite }) => suite.at.path === path);
  const isPart = ofAgent.length > 0 && ofAgent.length < chosen.suites.length;
  // Controls alone say nothing of when a skill is loaded.
  const isWanted = ({ task }: Chosen["planned"][number]) => task?.shouldTrigger === true;
  const isBeside = triggers !== undefined && !triggers.isFatal && triggers.planned.some(isWanted);
  return {
    paths: paths.filter(isRun),
    inputs: named ? paths.map(inWorkflow) : isPart ? ["**/eval.yaml"] : [],
    flags: (named ?? []).map((path) => `--eval ${inShell(path)}`).join(" "),
    runs: isSessions ? 0 : its.planned.flatMap(runsOf).length,
    triggers: isAlone ? "alone" : isBeside ? "beside" : undefined,
  };
}

/** Throws where the workflow would lack the runs of an eval without tasks, and where `run` makes none: all are refused, or no grader asks a judge, as `waza init` writes them. */
function refuseUnrunnable(
  suites: readonly Suite[],
  { planned, problems, isFatal }: Pick<Chosen, "planned" | "problems" | "isFatal">,
): void {
  const empty = suites.find(({ tasks }) => tasks === "every" || tasks.length === 0);
  if (empty) throw new Error(`${empty.at.path} has no tasks: choose other evals with --eval`);
  if (planned.length > 0 && !isFatal) return;
  const mistake = problems.find(isError);
  if (mistake) throw new Error(problemLine(mistake));
  const [first] = suites;
  if (first === undefined) return;
  throw new Error(
    `${first.at.path} has no grader of \`type: prompt\`, which is what a judge is asked: add one below its \`graders:\` (docs/evals.md), and run init again`,
  );
}

/** A path for a line of the workflow; throws when GitHub would evaluate it, or when it is more than a line. */
function inWorkflow(path: string): string {
  if (path.includes("${{") || /\p{Cc}/u.test(path))
    throw new Error(`the name \`${path}\` has a special meaning in a workflow: rename it`);
  return path;
}

/** A path for a shell; throws when the shell would misread it. */
function inShell(path: string): string {
  if (/^[\p{L}\p{N}\p{M} ._/@+,=()!*{}[\]?-]+$/u.test(path)) return shellWord(path);
  throw new Error(`the name \`${path}\` has a special meaning in a shell: rename it`);
}
