/** The workflow that `init` writes: the one of Claude Code, with the lines in which another agent differs. */

/** The agents that `init` has a workflow for. */
export const WORKFLOW_AGENTS = [
  "claude-code",
  "codex",
  "copilot",
  "gemini",
  "opencode",
  "waza",
  "none",
] as const;

export type WorkflowAgent = (typeof WORKFLOW_AGENTS)[number];

/** What a workflow says of an agent. */
interface AgentLines {
  readonly title: string;
  /** The secret that its key is taken from. */
  readonly secret?: string;
  /** The judge of the provider that the agent has a key of; undefined for OpenAI and our default. */
  readonly judge?: OwnJudge;
}

/** The agents' lines. */
export const LINES: Readonly<Record<WorkflowAgent, AgentLines>> = {
  "claude-code": {
    title: "Claude Code",
    secret: "ANTHROPIC_API_KEY",
    judge: { baseUrl: "https://api.anthropic.com/v1", model: "claude-haiku-5-5" },
  },
  codex: {
    title: "Codex",
    secret: "OPENAI_API_KEY",
  },
  copilot: { title: "Copilot", secret: "COPILOT_GITHUB_TOKEN" },
  gemini: {
    title: "Gemini",
    secret: "GEMINI_API_KEY",
    judge: {
      baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
      model: "gemini-3.5-flash-lite",
    },
  },
  opencode: { title: "OpenCode", secret: "OPENAI_API_KEY" },
  waza: {
    title: "waza",
    secret: "COPILOT_GITHUB_TOKEN",
  },
  none: { title: "your agent" },
};

/** The command of any other agent, which the user has to replace. */
export const COMMAND = `my-agent --print "$PROMPT"`;

/** What the flags of `init` ask for. */
export interface Wanted {
  readonly agent: WorkflowAgent;
  /** Run the agent without the skill as well. */
  readonly lift: boolean;
  /** Write the jobs themselves, not the call of them. */
  readonly full: boolean;
  /** The environment that holds the keys, for the whole workflow. */
  readonly environment?: string | undefined;
  /** The machines, in place of GitHub's. */
  readonly runsOn?: string | undefined;
  /** The judge, in place of the one that the agent's key is for. */
  readonly judge?: OwnJudge | undefined;
  /** The commit of this action; by default its tag. */
  readonly pin?: string | undefined;
}

/** What differs between the workflows of two repositories. */
interface WorkflowOptions extends Wanted {
  /** Lines of the input `eval`; empty where run and grading find the evals themselves. */
  readonly evals: readonly string[];
  /** Runs of all evals, on one side. */
  readonly runs: number;
  /** Run trigger evals, and nothing else. */
  readonly triggers: boolean;
}

/** A judge that the user names; its key, where it needs one, is a secret of its own. */
interface OwnJudge {
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
}

/**
 * The call of the workflow (examples/workflows/evals.yml), which is Claude Code's, for another agent and other evals.
 * Throws where the template lacks a line that has to be replaced.
 */
export function callFor(template: string, options: WorkflowOptions): string {
  const { runsOn } = options;
  const machines = runsOn === undefined ? "" : `      runs-on: ${JSON.stringify(runsOn)}\n`;
  const more = machines + inputLines(options, "      ");
  const changes = [
    ...replaced(CALL, options),
    ["      shards: 1 ", `${more}      shards: ${String(machinesFor(options))} `] as const,
  ];
  return changes.reduce(replaceOnce, template);
}

/** The same of the whole workflow (examples/workflows/full.yml), with its five jobs. */
export function fullFor(template: string, options: WorkflowOptions): string {
  const { environment, runsOn } = options;
  const machines = Array.from({ length: machinesFor(options) }, (_, index) => String(index + 1));
  // Only the job that lists the runs chooses them: the others go by its list.
  const listing = `${INPUT}changed-only: `;
  const changes = [
    [listing, `${inputLines(options, INPUT)}${listing}`],
    ["shard: [1] }", `shard: [${machines.join(", ")}] }`],
  ] as const;
  const whole = changes.reduce(replaceOnce, replaced(FULL, options).reduce(replaceAll, template));
  return inEnvironment(onMachines(whole, runsOn), environment);
}

/** The workflow of these plugins' own evals (examples/workflows/plugin-evals.yml). */
export function pluginsFor(
  template: string,
  plugins: readonly string[],
  { runsOn, environment }: Wanted,
): string {
  const [line = ""] = /^ +claude plugin eval .*\n/m.exec(template) ?? [];
  const lines = plugins.map((plugin, index) =>
    replaceOnce(replaceOnce(line, [" . ", ` ${plugin} `]), ['/1"', `/${String(index + 1)}"`]),
  );
  const whole = replaceOnce(template, [line, lines.join("")]);
  return inEnvironment(onMachines(whole, runsOn), environment);
}

/** Each job with a key waits for the environment; the last one has it only where something ran again. */
function inEnvironment(workflow: string, name: string | undefined): string {
  if (name === undefined) return workflow;
  const jobs = workflow.split(/(?=^ {2}[\w-]+:\n)/m).map((job) => {
    if (!job.includes("secrets.")) return job;
    const isLast = job.startsWith("  decide:");
    const its = isLast ? `\${{ needs.again.result != 'skipped' && '${name}' || '' }}` : name;
    return replaceOnce(job, ["\n    permissions:", `\n    environment: ${its}\n    permissions:`]);
  });
  return jobs.join("");
}

/** The machines of the template, or those of the label. */
function onMachines(workflow: string, label: string | undefined): string {
  if (label === undefined) return workflow;
  return replaceAll(workflow, ["    runs-on: ubuntu-latest\n", `    runs-on: ${JSON.stringify(label)}\n`]);
}

/** Before an input of a step. */
const INPUT = " ".repeat(10);

/** The workflow with our actions at this commit, for organizations that require it. */
export function pinned(workflow: string, commit: string | undefined): string {
  if (commit === undefined) return workflow;
  return workflow.replaceAll(/(uses: [\w-]+\/waza-grade\S*)@v1$/gm, `$1@${commit} # v1`);
}

/** The lines of a template that differ between agents and judges, in their order. */
type Differing = (by: Wanted) => readonly string[];

/** The secret of the judge's key. */
function judgeSecret({ agent, judge: named }: Wanted): string | undefined {
  const { secret, judge } = LINES[agent];
  if (named) return "JUDGE_KEY";
  return judge === undefined ? "OPENAI_API_KEY" : secret;
}

const CALL: Differing = (by) => {
  const { agent } = by;
  const { title, secret } = LINES[agent];
  const judges = judgeSecret(by);
  // A command has the key of whatever model it asks.
  const agentKey = `      AGENT_KEY: \${{ secrets.${secret ?? "AGENT_KEY"} }}\n`;
  return [
    `# Runs ${title} `,
    `      ${runInput(agent)}\n`,
    judgeLines(by, "      ", NOTE),
    `${agentKey}${judges === secret || judges === undefined ? "" : `      JUDGE_KEY: \${{ secrets.${judges} }}\n`}`,
  ];
};

const FULL: Differing = (by) => {
  const { agent } = by;
  const { title, secret } = LINES[agent];
  const key = (name: string) => `          api-key: \${{ secrets.${name} }}\n`;
  return [
    `# Runs ${title} `,
    `        with:\n${INPUT}${runInput(agent)}\n`,
    `${agent === "none" ? "" : `${INPUT}install: true\n`}${secret === undefined ? "" : key(secret)}`,
    `${judgeLines(by, INPUT)}${key(judgeSecret(by) ?? "")}`,
  ];
};

/** What Claude Code's template says, and what it has to say for this agent. */
function replaced(lines: Differing, by: Wanted): (readonly [string, string])[] {
  const wanted = lines(by);
  return lines({ ...by, agent: "claude-code", judge: undefined }).map(
    (line, at) => [line, wanted[at] ?? ""] as const,
  );
}

function runInput(agent: WorkflowAgent): string {
  return agent === "none"
    ? `command: '${COMMAND}' # your agent's command: its log is what it prints`
    : `agent: ${agent}`;
}

const NOTE = " # the judge, with the agent's own key";

function judgeLines({ agent, judge: named }: Wanted, indent: string, note = ""): string {
  const { baseUrl, model } = named ?? LINES[agent].judge ?? {};
  return [
    ...(baseUrl === undefined ? [] : [`${indent}base-url: ${baseUrl}${named ? "" : note}\n`]),
    ...(model === undefined ? [] : [`${indent}judge-model: ${model}\n`]),
  ].join("");
}

/** The inputs that choose what is run. */
function inputLines({ evals, lift, triggers }: WorkflowOptions, indent: string): string {
  const lines = [
    ...(evals.length > 0 ? ["eval: |", ...evals.map((path) => `  ${path}`)] : []),
    ...(lift ? ["lift: true # shown first, and decides nothing"] : []),
    ...(triggers ? ["triggers: true"] : []),
  ];
  return lines.map((line) => `${indent}${line}\n`).join("");
}

function replaceOnce(text: string, change: readonly [string, string]): string {
  if (text.split(change[0]).length !== 2)
    throw new Error(`the template has no such line, or two: ${change[0]}`);
  return replaceAll(text, change);
}

function replaceAll(text: string, [from, to]: readonly [string, string]): string {
  if (!text.includes(from)) throw new Error(`the template has no such line: ${from}`);
  return text.replaceAll(from, () => to);
}

/** A machine for 20 runs each, and at most ten. */
function machinesFor({ runs, lift }: WorkflowOptions): number {
  return Math.min(MOST_SHARDS, Math.max(1, Math.ceil((lift ? 2 * runs : runs) / RUNS_OF_SHARD)));
}

const RUNS_OF_SHARD = 20;
const MOST_SHARDS = 10;
