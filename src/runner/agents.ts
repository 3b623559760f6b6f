/** The agents that `waza-grade run` can start: data, one row an agent, by each one's documentation. */

/** What a run asks of an agent. */
interface Asked {
  readonly prompt: string;
  readonly model?: string | undefined;
  /** Further arguments that the user gave. */
  readonly more: readonly string[];
}

export interface Agent {
  readonly program: string;
  /** The arguments, never read by a shell. */
  readonly arguments: (asked: Asked) => readonly string[];
  /** Where the prompt goes: on standard input, or in `arguments`, where one that begins with `-` must be safe. */
  readonly prompt: "input" | "argument";
  /** The folder in the working folder from which it loads skills. */
  readonly skills: string;
  /** The variables that hold its keys; it gets no other row's. */
  readonly keys: readonly string[];
  /** Its log says which skills were loaded (`outputs/triggers.ts`). */
  readonly saysSkills?: true;
  /** Further variables that it needs. */
  readonly env?: Readonly<Record<string, string>>;
}

const model = (flag: string, { model: name }: Asked) => (name === undefined ? [] : [flag, name]);

export const AGENTS = {
  // https://code.claude.com/docs/en/headless
  "claude-code": {
    program: "claude",
    prompt: "input",
    arguments: (asked) => [
      ...["-p", "--output-format", "stream-json", "--verbose"],
      ...["--permission-mode", "acceptEdits", "--allowedTools", "Bash,Skill"],
      ...model("--model", asked),
      ...asked.more,
    ],
    skills: ".claude/skills",
    saysSkills: true,
    keys: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
  },
  // https://developers.openai.com/codex/noninteractive
  codex: {
    program: "codex",
    prompt: "input",
    arguments: (asked) => [
      ...["exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write"],
      ...model("--model", asked),
      ...asked.more,
      "-",
    ],
    skills: ".agents/skills",
    keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  },
  // https://docs.github.com/en/copilot/reference/cli-command-reference
  copilot: {
    program: "copilot",
    prompt: "argument",
    arguments: (asked) => [
      ...[`--prompt=${asked.prompt}`, "--output-format", "json", "--no-ask-user", "--allow-all-tools"],
      ...model("--model", asked),
      ...asked.more,
    ],
    skills: ".agents/skills",
    saysSkills: true,
    keys: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
  },
  // https://cursor.com/docs/cli/headless
  cursor: {
    program: "agent",
    prompt: "argument",
    arguments: (asked) => [
      ...["-p", "--output-format", "stream-json", "--force"],
      ...model("--model", asked),
      ...asked.more,
      "--",
      asked.prompt,
    ],
    skills: ".agents/skills",
    keys: ["CURSOR_API_KEY"],
  },
  // https://geminicli.com/docs/cli/headless
  gemini: {
    program: "gemini",
    prompt: "input",
    arguments: (asked) => [
      ...["--output-format", "stream-json", "--approval-mode", "yolo"],
      ...model("--model", asked),
      ...asked.more,
    ],
    skills: ".agents/skills",
    saysSkills: true,
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  },
  // https://opencode.ai/docs/cli
  opencode: {
    program: "opencode",
    prompt: "input",
    arguments: (asked) => ["run", "--format", "json", ...model("--model", asked), ...asked.more],
    skills: ".agents/skills",
    saysSkills: true,
    keys: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENCODE_API_KEY"],
  },
} as const satisfies Readonly<Record<string, Agent>>;

export type AgentName = keyof typeof AGENTS | "waza";

/** The agent of a name; undefined for waza, which runs whole evals. */
export function agentOf(name: AgentName): Agent | undefined {
  return name === "waza" ? undefined : AGENTS[name];
}

export const AGENT_NAMES: readonly AgentName[] = [
  ...(Object.keys(AGENTS) as (keyof typeof AGENTS)[]),
  "waza",
];

/** The variables that hold an agent's keys; waza works through Copilot. */
function keysOf(agent: AgentName): readonly string[] {
  return AGENTS[agent === "waza" ? "copilot" : agent].keys;
}

/** The keys of all agents: each gets its own alone. */
const ALL_KEYS: ReadonlySet<string> = new Set(AGENT_NAMES.flatMap(keysOf));

/** The variables of a workflow's step: what it may write to, and its tokens. */
const OF_RUNNER = /^(?:INPUT_|ACTIONS_|GITHUB_|RUNNER_)/i;

/** The environment of an agent: nothing of ours or of the runner, and of the keys of agents those of its own row. */
export function environmentOf(agent: AgentName | undefined, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = new Set(agent === undefined ? [] : keysOf(agent));
  const isKept = (name: string) =>
    own.has(name) || (!OF_RUNNER.test(name) && (agent === undefined || !ALL_KEYS.has(name)));
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name))),
    ...(agent === undefined ? undefined : agentOf(agent)?.env),
  };
}

/** Whether a pull request from a fork lacks the agent's key: it has none of them. A sign-in of the user needs none. */
export function lacksKey(agent: AgentName, env: NodeJS.ProcessEnv): boolean {
  return !keysOf(agent).some((name) => env[name]);
}
