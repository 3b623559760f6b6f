/** The agents that `waza-grade run` can start: data, one row an agent, by each one's documentation and as each was seen to behave. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { writeBelow } from "../files/write.ts";
import { isObject, jsonOf } from "../text/format.ts";

/** What an agent's arguments are made of. */
interface AgentInput {
  readonly model?: string | undefined;
  /** Further arguments that the user gave. */
  readonly more: readonly string[];
  /** The user's home, and the run's. */
  readonly home: string;
  readonly runHome: string;
}

/** The home of an agent's run, so that neither side has the skills, instructions and servers of the user's. */
interface OwnHome {
  /** The variables that name folders in it; without them the user's are at the same places in the user's home. */
  readonly folders?: Readonly<Record<string, string>>;
  /** The variables that name files in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Variables that go on naming folders of the user's home. */
  readonly kept?: Readonly<Record<string, string>>;
  /** A settings file in it: the user's files that it is made of, the first that is there, and what is kept of it. */
  readonly settings?: {
    readonly path: string;
    readonly from: readonly string[];
    readonly keep: (settings: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv) => object;
  };
}

/** How an agent goes on with a session by its id: never with the latest one, since runs are made side by side. */
interface Resume {
  /** The key of its log's rows that holds the session's id. */
  readonly key: string;
  /** The arguments of a further turn, from those of the first. */
  readonly arguments: (first: readonly string[], id: string) => readonly string[];
  /** What is mended in the run's home before. */
  readonly mend?: (home: string) => void;
}

/** The session that a client keeps. */
export interface KeptSession {
  /** The folder of the home that has sessions, and the path there of one, by its id. */
  readonly folder: string;
  readonly path: (id: string) => RegExp;
  /** It numbers its rows (`ordinal`), and its calls have other ids than the printed ones. */
  readonly isNumbered?: true;
}

export interface Agent {
  readonly program: string;
  /** Its package on npm, and the version that was tried. */
  readonly package: readonly [name: string, version: string];
  /** The arguments, never read by a shell. The prompt is on standard input: an argument holds 128 KiB at most (execve(2)). */
  readonly arguments: (asked: AgentInput) => readonly string[];
  /** How it takes a further turn of its session; absent where it cannot. */
  readonly resume?: Resume;
  /** The flag for the id of a new session, where it takes one. */
  readonly sessionFlag?: string;
  /** Where it keeps its session, if that says more than what it prints. */
  readonly session?: KeptSession;
  /** What it leaves of a run in the user's home, by the folder that the run worked in. */
  readonly leaves?: (work: string) => string;
  /** The folder in the working folder from which it loads skills. */
  readonly skills: string;
  /** The variables that hold its keys; it gets no other row's. */
  readonly keys: readonly string[];
  /** The one of a key that was given by itself: the first, unless this says another; undefined if it cannot be said. */
  readonly keyFor?: (key: string, model: string | undefined) => string | undefined;
  /** Variables that give it another provider, in place of a key. */
  readonly providers: RegExp;
  readonly home: OwnHome;
  /** The files of its login in a home. In the run's they are links: a copy with a renewed token would sign the user out. */
  readonly login: readonly string[];
  /** Its log says what it costs. */
  readonly saysCost?: true;
  /** Its exit status is the provider's HTTP status, of which a process keeps the last eight bits. */
  readonly exitsWithHttpStatus?: true;
  /** Further variables that it needs, unless the user set them. */
  readonly env?: Readonly<Record<string, string>>;
}

const model = (flag: string, { model: name }: AgentInput) => (name === undefined ? [] : [flag, name]);

export const AGENTS = {
  // https://code.claude.com/docs/en/headless
  "claude-code": {
    program: "claude",
    package: ["@anthropic-ai/claude-code", "2.1.332"],
    resume: { key: "session_id", arguments: (first, id) => [...first, "--resume", id] },
    arguments: (asked) => [
      ...["-p", "--output-format", "stream-json", "--verbose", "--setting-sources", "project,local"],
      ...["--settings", `${asked.runHome}/.claude/settings.json`],
      ...["--permission-mode", "acceptEdits", "--allowedTools", "Bash,Skill"],
      ...model("--model", asked),
      ...asked.more,
    ],
    sessionFlag: "--session-id",
    leaves: (work) => `.claude/projects/${work.replaceAll(/[^a-zA-Z0-9]/g, "-")}`,
    skills: ".claude/skills",
    keys: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
    // What `claude setup-token` prints begins so.
    keyFor: (key) => (key.startsWith("sk-ant-oat") ? "CLAUDE_CODE_OAUTH_TOKEN" : "ANTHROPIC_API_KEY"),
    providers: /^(?:ANTHROPIC_|CLAUDE_CODE_USE_)/,
    // Its arguments keep the user's out, but for the way to its gateway.
    home: {
      kept: { CLAUDE_CONFIG_DIR: ".claude" },
      settings: {
        path: ".claude/settings.json",
        from: [".claude/settings.json"],
        keep: ({ env, apiKeyHelper }) => ({ env, apiKeyHelper }),
      },
    },
    login: [".claude/.credentials.json"],
    saysCost: true,
  },
  // https://developers.openai.com/codex/noninteractive
  codex: {
    program: "codex",
    package: ["@openai/codex", "0.171.0"],
    // The last argument is the prompt's place.
    resume: { key: "thread_id", arguments: (first, id) => [...first.slice(0, -1), "resume", id, "-"] },
    arguments: (asked) => [
      ...["exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write"],
      // What it starts finds its tools in the user's home: a string of JSON is one of TOML.
      ...["-c", `shell_environment_policy.set.HOME=${JSON.stringify(asked.home)}`],
      ...model("--model", asked),
      ...asked.more,
      "-",
    ],
    skills: ".agents/skills",
    session: {
      folder: ".codex/sessions",
      path: (id) => new RegExp(`/rollout-[^/]*-${id}\\.jsonl$`),
      isNumbered: true,
    },
    keys: ["CODEX_API_KEY"],
    providers: /^CODEX_/,
    home: { folders: { HOME: "", CODEX_HOME: ".codex" } },
    login: [".codex/auth.json", ".codex/auth.json.lock", ".codex/auth.lock"],
  },
  // https://docs.github.com/en/copilot/reference/cli-command-reference
  copilot: {
    program: "copilot",
    package: ["@github/copilot", "1.0.102"],
    resume: { key: "sessionId", arguments: (first, id) => [...first, `--resume=${id}`] },
    arguments: (asked) => [
      ...["--output-format", "json", "--no-ask-user"],
      ...["--allow-tool=shell", "--allow-tool=write"],
      ...model("--model", asked),
      ...asked.more,
    ],
    sessionFlag: "--session-id",
    session: { folder: ".copilot/session-state", path: (id) => new RegExp(`^/${id}/events\\.jsonl$`) },
    skills: ".agents/skills",
    keys: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    providers: /^COPILOT_PROVIDER_/,
    home: { folders: { COPILOT_HOME: ".copilot" } },
    login: [".copilot/config.json"],
  },
  // https://geminicli.com/docs/cli/headless
  gemini: {
    program: "gemini",
    package: ["@google/gemini-cli", "0.61.0"],
    resume: { key: "session_id", arguments: (first, id) => [...first, "--resume", id], mend: mendGemini },
    arguments: (asked) => [
      ...["--output-format", "stream-json", "--approval-mode", "yolo"],
      ...model("--model", asked),
      ...asked.more,
    ],
    sessionFlag: "--session-id",
    session: {
      folder: ".gemini/tmp",
      path: (id) => new RegExp(`^/[^/]+/chats/session-[^/]*-${id.slice(0, 8)}\\.jsonl$`),
    },
    skills: ".agents/skills",
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    providers: /^GOOGLE_/,
    home: {
      folders: { GEMINI_CLI_HOME: "" },
      settings: { path: ".gemini/settings.json", from: [".gemini/settings.json"], keep: authOfGemini },
    },
    login: [".gemini/oauth_creds.json", ".gemini/google_accounts.json"],
    exitsWithHttpStatus: true,
    env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  },
  // https://opencode.ai/docs/cli
  opencode: {
    program: "opencode",
    package: ["opencode-ai", "1.18.33"],
    resume: { key: "sessionID", arguments: (first, id) => [...first, "--session", id] },
    arguments: (asked) => ["run", "--format", "json", ...model("--model", asked), ...asked.more],
    skills: ".agents/skills",
    keys: ["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY", "OPENCODE_API_KEY"],
    keyFor: (_, name) => PROVIDER_KEYS.get(name?.split("/")[0] ?? ""),
    providers: /_API_KEY$|^OPENCODE_/,
    home: {
      folders: { HOME: "", XDG_CONFIG_HOME: ".config" },
      // Its sessions; the login, beside them by default, stays the user's.
      files: { OPENCODE_DB: "opencode.db" },
      kept: { XDG_DATA_HOME: ".local/share", XDG_STATE_HOME: ".local/state", XDG_CACHE_HOME: ".cache" },
      settings: {
        path: ".config/opencode/opencode.json",
        from: [".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"],
        keep: ({ model: name, provider }) => ({ model: name, provider }),
      },
    },
    login: [".local/share/opencode/auth.json"],
    saysCost: true,
    // By default a touch outside of its folder ends its run, with exit status 0.
    env: { OPENCODE_PERMISSION: '{"external_directory":"deny"}' },
  },
} as const satisfies Readonly<Record<string, Agent>>;

/** The variables of the keys of OpenCode's providers, by the beginning of a model's name. */
const PROVIDER_KEYS: ReadonlyMap<string, string> = new Map([
  ["anthropic", "ANTHROPIC_API_KEY"],
  ["google", "GEMINI_API_KEY"],
  ["openai", "OPENAI_API_KEY"],
  ["opencode", "OPENCODE_API_KEY"],
]);

/** The way in which Gemini CLI signs in, which its settings have to name: by its variables, in its own order, else the user's. */
function authOfGemini(settings: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): object {
  const { auth } = Object(settings.security) as { auth?: { selectedType?: unknown } };
  const [, byVariable] =
    [
      [env.GOOGLE_GENAI_USE_GCA === "true", "oauth-personal"] as const,
      [env.GOOGLE_GENAI_USE_VERTEXAI === "true", "vertex-ai"] as const,
      [Boolean(env.GEMINI_API_KEY), "gemini-api-key"] as const,
    ].find(([is]) => is) ?? [];
  return { security: { auth: { selectedType: byVariable ?? auth?.selectedType } } };
}

export type AgentName = keyof typeof AGENTS | "waza";

const ROWS: ReadonlyMap<string, Agent> = new Map(Object.entries(AGENTS));

export const AGENT_NAMES = [...ROWS.keys(), "waza"] as readonly AgentName[];

/** The agent of a name; undefined for waza, which runs whole evals, and for a command. */
export function agentOf(name: string): Agent | undefined {
  return ROWS.get(name);
}

/** Where the agent loads skills from, below its folder. */
export function skillsFolderOf(agent: string): string {
  return agentOf(agent)?.skills ?? ".agents/skills";
}

/** Whether an agent can take a further turn; a command says it. */
export function canResume(agent: string, isCommandResumed: boolean): boolean {
  return agent === "command" ? isCommandResumed : agentOf(agent)?.resume !== undefined;
}

/**
 * Takes results of tools that are rows of their own out of the chats that Gemini CLI keeps: the calls before them have them,
 * too, and a resumed session would send each twice (https://github.com/google-gemini/gemini-cli/issues/29365). In the list
 * of messages that a resumed session begins with, they stand there alone, and stay.
 */
export function mendGemini(home: string): void {
  const folder = join(home, ".gemini/tmp");
  if (!existsSync(folder)) return;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile() && /^session-.*\.jsonl$/.test(one.name))) {
    const path = join(file.parentPath, file.name);
    const rows = readFileSync(path, "utf8").split("\n");
    writeBelow(home, relative(home, path), rows.filter((row) => !isResult(jsonOf(row))).join("\n"));
  }
}

/** Whether a row is a message with nothing but results of tools. */
function isResult(message: unknown): boolean {
  const { type, content } = Object(message) as { readonly type?: unknown; readonly content?: unknown };
  const parts: unknown[] = [content ?? []].flat();
  return (
    type === "user" && parts.length > 0 && parts.every((part) => isObject(part) && "functionResponse" in part)
  );
}
