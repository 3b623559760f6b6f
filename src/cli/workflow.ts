/** The workflow that `init` writes: the one of Claude Code, with the lines in which another agent differs. */

/** The agents that `init` has a workflow for. */
export const WORKFLOW_AGENTS = [
  "claude-code",
  "codex",
  "copilot",
  "cursor",
  "gemini",
  "opencode",
  "waza",
  "none",
] as const;

export type WorkflowAgent = (typeof WORKFLOW_AGENTS)[number];

/** What a workflow says of an agent. */
interface AgentLines {
  readonly title: string;
  /** The script that installs it; undefined where the user has to write it. */
  readonly install?: string;
  /** The variable that holds its key, and the secret it is taken from. */
  readonly key?: readonly [variable: string, secret: string];
  /** The judge of the provider that the agent has a key of; undefined for OpenAI and our default. */
  readonly judge?: { readonly baseUrl: string; readonly model: string };
}

const npm = (name: string) => `npm install --global ${name}`;
const COPILOT = ["COPILOT_GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN"] as const;

/** The agents' lines; their keys are those of the agents' table of `run`. */
export const LINES: Readonly<Record<WorkflowAgent, AgentLines>> = {
  "claude-code": {
    title: "Claude Code",
    install: npm("@anthropic-ai/claude-code"),
    key: ["ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"],
    judge: { baseUrl: "https://api.anthropic.com/v1", model: "claude-haiku-5-5" },
  },
  codex: {
    title: "Codex",
    // Codex's sandbox needs user namespaces, which Ubuntu's AppArmor keeps from programs like it.
    install: `${npm("@openai/codex")} && sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`,
    key: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  },
  copilot: { title: "Copilot", install: npm("@github/copilot"), key: COPILOT },
  cursor: {
    title: "Cursor",
    install: `curl -fsS https://cursor.com/install | bash && echo "$HOME/.local/bin" >> "$GITHUB_PATH"`,
    key: ["CURSOR_API_KEY", "CURSOR_API_KEY"],
  },
  gemini: {
    title: "Gemini",
    install: npm("@google/gemini-cli"),
    key: ["GEMINI_API_KEY", "GEMINI_API_KEY"],
    judge: {
      baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
      model: "gemini-3.5-flash-lite",
    },
  },
  opencode: { title: "OpenCode", install: npm("opencode-ai"), key: ["OPENAI_API_KEY", "OPENAI_API_KEY"] },
  waza: {
    title: "waza",
    install: `curl -fsSL https://raw.githubusercontent.com/microsoft/waza/main/install.sh | bash && echo "$HOME/bin" >> "$GITHUB_PATH"`,
    key: COPILOT,
  },
  none: { title: "your agent" },
};

/** The command of any other agent, which the user has to replace. */
export const COMMAND = `my-agent --print "$PROMPT"`;

/** What differs between the workflows of two repositories. */
interface WorkflowOptions {
  readonly agent: WorkflowAgent;
  /** Lines of the input `eval`; empty where run and grading find the evals themselves. */
  readonly evals: readonly string[];
  /** Runs of all evals, on one side. */
  readonly runs: number;
  /** Run the agent without the skill as well. */
  readonly lift: boolean;
  /** Run trigger evals, and nothing else. */
  readonly triggers: boolean;
}

/**
 * The template (examples/workflows/evals.yml), which is Claude Code's, for another agent and other evals. Throws where the
 * template lacks a line that has to be replaced.
 */
export function workflowFor(
  template: string,
  { agent, evals, runs, lift, triggers }: WorkflowOptions,
): string {
  const own = linesOf(agent);
  const named = evals.map((path) => `            ${path}\n`).join("");
  const evalLines = named === "" ? "" : `          eval: |\n${named}`;
  const results = "          results: ${{ runner.temp }}/runs\n";
  const both = lift ? "          lift: true # shown first, and decides nothing\n" : "";
  const changes = [
    ...linesOf("claude-code").map((line, at) => [line, own[at] ?? ""] as const),
    [
      own[START] ?? "",
      `${evalLines}${own[START] ?? ""}${lift ? "          lift: true\n" : ""}${triggers ? "          triggers: true\n" : ""}`,
    ] as const,
    [results, `${evalLines}${results}${both}`] as const,
    ["shard: [1/1] }", `shard: [${shards(lift ? 2 * runs : runs).join(", ")}] }`] as const,
  ];
  return changes.reduce(replaceOnce, template);
}

/** Which of these lines starts the agent. */
const START = 2;

/** The lines in which an agent's workflow differs, in their order. */
function linesOf(agent: WorkflowAgent): readonly string[] {
  const { title, install, key, judge } = LINES[agent];
  const start =
    agent === "none"
      ? `command: '${COMMAND}' # your agent's command: its log is what it prints`
      : `agent: ${agent}`;
  const secret = judge === undefined ? "OPENAI_API_KEY" : (key?.[1] ?? "");
  return [
    `# Runs ${title} `,
    install === undefined ? "" : `      - name: Install ${title}\n        run: ${install}\n`,
    `          ${start}\n`,
    key === undefined ? "" : `        env: { ${key[0]}: "\${{ secrets.${key[1]} }}" }\n`,
    judge === undefined
      ? ""
      : `          base-url: ${judge.baseUrl} # the judge, with the agent's own key: docs/judges.md has others\n          judge-model: ${judge.model}\n`,
    `          api-key: \${{ secrets.${secret} }}\n`,
  ];
}

function replaceOnce(text: string, [from, to]: readonly [string, string]): string {
  if (text.split(from).length !== 2) throw new Error(`the template has no such line, or two: ${from}`);
  return text.replace(from, () => to);
}

/** A machine for 20 runs each, and at most ten. */
function shards(runs: number): readonly string[] {
  const all = Math.min(MOST_SHARDS, Math.max(1, Math.ceil(runs / RUNS_OF_SHARD)));
  return Array.from({ length: all }, (_, index) => `${String(index + 1)}/${String(all)}`);
}

const RUNS_OF_SHARD = 20;
const MOST_SHARDS = 10;
