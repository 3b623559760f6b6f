/** What the agents of the table are started with: arguments, keys and homes, seen by a program of each one's name. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { AGENTS } from "../../src/runner/agents.ts";
import { evals, run, seen } from "../support/agent-runs.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

type Named = keyof typeof AGENTS;

/** A program that says what it was started with, writes a file, and appends to its login, as a client that renews a token. */
const PROGRAM = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require("node:fs");
if (!process.argv.includes("--version")) writeFileSync("made.txt", "made");
const renewed = [process.env.CODEX_HOME, process.env.GEMINI_CLI_HOME, process.env.COPILOT_HOME]
  .flatMap((home) => ["auth.json", ".gemini/oauth_creds.json", "config.json"].map((name) => home + "/" + name))
  .filter((file) => existsSync(file));
for (const file of renewed) appendFileSync(file, "!");
const settings = process.argv[process.argv.indexOf("--settings") + 1];
const files = process.argv.includes("--settings") ? [readFileSync(settings, "utf8")] : [];
const content = JSON.stringify({ files, env: process.env, args: process.argv.slice(2) });
console.log(JSON.stringify({ type: "assistant", message: { role: "assistant", content } }));
`;

async function start(
  agent: Named,
  env: Readonly<Record<string, string>> = {},
  home = temporaryFolder("home"),
  program = PROGRAM,
) {
  const bin = temporaryFolder("bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, AGENTS[agent].program), program);
  chmodSync(join(bin, AGENTS[agent].program), 0o755);
  const { records, text } = await run(evals({ a: "write" }), {
    inputs: { command: "", agent },
    env: { PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, HOME: home, ...env },
  });
  const [record] = records;
  return {
    ...(record?.answer ? seen(record.answer) : { files: [], env: {}, args: [] }),
    folder: record?.folder ?? "",
    home,
    text,
  };
}

/** A folder below the temporary one, of a name that nothing else has. */
const OWN = /\/waza-run-[0-9a-f]{12}-[A-Za-z0-9]{6}\/home(?:\/\.\w+)?$/;

describe("an agent of the table", () => {
  test.each(Object.keys(AGENTS) as Named[])("%s leaves its files in the folder of its run", async (agent) => {
    const { folder } = await start(agent);
    expect(readFileSync(join(folder, "work/made.txt"), "utf8")).toBe("made");
  });

  test.each<[Named, string, string]>([
    ["codex", "CODEX_HOME", ".codex/auth.json"],
    ["copilot", "COPILOT_HOME", ".copilot/config.json"],
    ["gemini", "GEMINI_CLI_HOME", ".gemini/oauth_creds.json"],
  ])("%s has a home of its own, with the user's login as a link", async (agent, name, login) => {
    const home = temporaryFolder("home");
    mkdirSync(join(home, login, ".."), { recursive: true });
    writeFileSync(join(home, login), "token");
    const { env } = await start(agent, {}, home);
    expect(env[name]).toMatch(OWN);
    expect(readFileSync(join(home, login), "utf8")).toBe("token!");
  });

  test("whose home was moved by its variable has its login from there", async () => {
    const moved = temporaryFolder("moved");
    mkdirSync(moved, { recursive: true });
    writeFileSync(join(moved, "auth.json"), "token");
    await start("codex", { CODEX_HOME: moved });
    expect(readFileSync(join(moved, "auth.json"), "utf8")).toBe("token!");
  });

  test.each([
    ["1.0.3 (Claude Code)", true],
    [AGENTS["claude-code"].package[1], false],
  ])(
    "whose client, %s, ends at once and prints a row is named by a version that was not tried",
    async (version, isSaid) => {
      const old = `#!/bin/sh\n[ "$1" = --version ] && exec echo '${version}'\necho '{"message":{"content":"{}"}}'; echo "error: unknown option" >&2; exit 1\n`;
      const { text } = await start("claude-code", {}, temporaryFolder("home"), old);
      expect(text).toContain("error: unknown option");
      expect(text.includes(`claude-code is ${version} here, and 2.1.332 was tried`)).toBe(isSaid);
    },
  );

  test("Codex has another home than what it starts", async () => {
    const { env, args, home } = await start("codex");
    expect(env.HOME).toMatch(OWN);
    expect(args).toContain(`shell_environment_policy.set.HOME=${JSON.stringify(home)}`);
  });

  test("OpenCode has of the user's settings the model and its provider alone, and the user's data", async () => {
    const home = temporaryFolder("home");
    mkdirSync(join(home, ".config/opencode"), { recursive: true });
    const settings = { model: "t/m", provider: { t: { npm: "x" } }, instructions: ["AGENTS.md"] };
    writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify(settings));
    const { env } = await start("opencode", { OPENCODE_CONFIG: "" }, home);
    expect(env.XDG_DATA_HOME).toBe(join(home, ".local/share"));
    expect(env.XDG_CONFIG_HOME).toMatch(OWN);
    expect(env.OPENCODE_PERMISSION).toBe('{"external_directory":"deny"}');
  });

  test("Claude Code has of the user's settings the way to its gateway alone, also of a home that was moved", async () => {
    const moved = temporaryFolder("moved");
    mkdirSync(moved, { recursive: true });
    const gateway = {
      env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_AUTH_TOKEN: "t0ken-of-the-gateway" },
      apiKeyHelper: "echo key",
    };
    writeFileSync(join(moved, "settings.json"), JSON.stringify({ ...gateway, outputStyle: "loud" }));
    const { files, env } = await start("claude-code", { CLAUDE_CONFIG_DIR: moved });
    // What it prints of them has no secret.
    const printed = {
      ANTHROPIC_BASE_URL: gateway.env.ANTHROPIC_BASE_URL,
      ANTHROPIC_AUTH_TOKEN: "[redacted]",
    };
    expect(files).toEqual([JSON.stringify({ env: printed, apiKeyHelper: "[redacted]" })]);
    expect(env.CLAUDE_CONFIG_DIR).toBe(moved);
  });

  test.each<[Named, readonly string[]]>([
    ["claude-code", ["ANTHROPIC_API_KEY"]],
    ["codex", ["CODEX_API_KEY"]],
    ["copilot", ["GH_TOKEN"]],
    ["gemini", ["GEMINI_API_KEY"]],
    ["opencode", ["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY"]],
  ])("%s gets its own keys", async (agent, keys) => {
    const all = ["ANTHROPIC_API_KEY", "CODEX_API_KEY", "GH_TOKEN"];
    const given = [...all, "GEMINI_API_KEY", "OPENAI_API_KEY"].map((name) => [name, "k"]);
    const { env } = await start(agent, Object.fromEntries(given) as Record<string, string>);
    expect(
      Object.keys(env)
        .filter((name) => env[name] === "k")
        .sort(),
    ).toEqual(keys);
  });
});

describe("nothing is started", () => {
  const started = (agent: string, more: Parameters<typeof run>[1] = {}) =>
    run(evals({ a: "write" }), { ...more, inputs: { command: "", agent, ...more.inputs } });

  test("in a workflow without a key, which is said first", async () => {
    const { status, text, records } = await started("codex", { isStep: true, env: { OPENAI_API_KEY: "k" } });
    expect({ status, records }).toEqual({ status: 2, records: [] });
    expect(text).toContain(
      "codex has no key here. Give it the input `api-key`, or in `env` one of `CODEX_API_KEY`",
    );
  });
});

describe("`install`", () => {
  const installing = async (npm: string, inputs: Readonly<Record<string, string>> = {}) => {
    const bin = temporaryFolder("bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "npm"), `#!/bin/bash\n${npm}`, { mode: 0o755 });
    writeFileSync(join(bin, "program"), PROGRAM, { mode: 0o755 });
    return await run(evals({ a: "write" }), {
      inputs: { command: "", agent: "claude-code", install: "true", ...inputs },
      env: { PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, BIN: bin, HOME: temporaryFolder("home") },
    });
  };

  test("takes the version that was tried, or another, to a folder of this step alone", async () => {
    // `npm install --global --prefix FOLDER PACKAGE@VERSION`
    const npm = 'echo "$5" >"$BIN/asked"; mkdir "$4/bin" && cp "$BIN/program" "$4/bin/claude"';
    const { status, records } = await installing(npm);
    const { env } = seen(records[0]?.answer ?? "");
    const asked = () => readFileSync(join(env.BIN ?? "", "asked"), "utf8");
    expect([status, asked()]).toEqual([0, `${AGENTS["claude-code"].package.join("@")}\n`]);
    expect(existsSync(env.PATH?.split(delimiter)[0] ?? "")).toBe(false);
    const other = await installing(npm, { "agent-version": "9.9.9" });
    expect(other.records).toHaveLength(1);
  });

  test("that fails starts nothing, and says why", async () => {
    const { status, text, records } = await installing("echo 'npm error network' >&2; exit 1");
    expect({ status, records }).toEqual({ status: 1, records: [] });
    expect(text).toContain("error: claude-code could not be installed: npm error network");
  });
});

describe("a command's home", () => {
  const skill = {
    "skills/x/SKILL.md": "---\nname: x\ndescription: y\n---\nText.\n",
    "skills/x/evals/evals.json": '{"skill_name":"x","evals":[{"id":1,"prompt":"p","assertions":["a"]}]}',
  };
  const withSkill = async (home: string) => {
    const user = temporaryFolder("user");
    mkdirSync(join(user, ".qwen/skills/x"), { recursive: true });
    writeFileSync(join(user, ".qwen/skills/x/SKILL.md"), "Mine.");
    const command = 'ls -A "$HOME" | wc -l; echo "${XDG_CONFIG_HOME-none}"';
    const env = { HOME: user, XDG_CONFIG_HOME: join(user, ".config") };
    return await run(skill, { inputs: { command, home }, env });
  };

  test("is the user's, unless a skill of a tested name is in it", async () => {
    const { status, text, records } = await withSkill("user");
    expect({ status, records }).toEqual({ status: 2, records: [] });
    expect(text).toMatch(/could load on both sides: `~\/\.qwen\/skills\/x`\. Give the command .*`home: own`/);
  });

  test("is an empty one of each run by `home: own`", async () => {
    const { status, records } = await withSkill("own");
    expect({ status, answer: records[0]?.answer }).toEqual({ status: 0, answer: "0\nnone\n" });
  });
});
