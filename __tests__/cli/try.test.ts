/** `waza-grade try` as people call it, with a stand-in agent and a judge on this machine. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "@jest/globals";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const INDEX = join(import.meta.dirname, "../../src/index.ts");
const COMMAND = "if grep -q French .agents/skills/greet/SKILL.md; then echo Bonjour; else echo Hello; fi";
const SKILL = (language: string) => `---\nname: greet\ndescription: greets\n---\nGreet in ${language}.\n`;

async function startJudge() {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const isFrench = body.includes("Bonjour");
      const args = { statement: 1, reason: `It says "${isFrench ? "Bonjour" : "Hello"}".` };
      const name = `set_waza_grade_${isFrench ? "pass" : "fail"}`;
      const call = { id: "c", type: "function", function: { name, arguments: JSON.stringify(args) } };
      response.setHeader("content-type", "application/json");
      const message = { role: "assistant", tool_calls: [call] };
      response.end(JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" }] }));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${String(port)}/v1` };
}

/** Calls the command line; standard error comes after the output. */
function callIn(cwd: string, env: NodeJS.ProcessEnv, ...first: readonly string[]) {
  return async (...args: readonly string[]) =>
    await new Promise<{ status: number; out: string }>((resolve) => {
      execFile(process.execPath, [INDEX, ...first, ...args], { cwd, env }, (failed, out, problems) => {
        resolve({ status: Number(failed?.code ?? 0), out: out + problems });
      });
    });
}

test("after runs with and without the skill, compares with those of its own side, and old ones are no error", async () => {
  const evals = {
    skill_name: "greet",
    evals: [{ id: 1, prompt: "Greet.", assertions: ["It is French."] }],
  };
  const root = writeProject({
    "skills/greet/SKILL.md": SKILL("French"),
    "skills/greet/evals/evals.json": evals,
    "skills/other/SKILL.md": SKILL("English").replace("greet", "other"),
    "skills/other/evals/evals.json": { ...evals, skill_name: "other" },
  });
  mkdirSync(join(root, ".git"), { recursive: true });
  const { server, url } = await startJudge();
  const env = judgedAt(url, root);
  const agent = [
    "--command",
    "if grep -qs French .agents/skills/greet/SKILL.md; then echo Bonjour; else echo Hello; fi",
  ];
  const only = ["--eval", "!skills/other/**", "--lift"];
  const called = callIn(root, env);
  try {
    const ran = await called("run", ...agent, ...only);
    expect(ran).toEqual({ status: 0, out: expect.not.stringContaining("other") });
    expect((await called(...only)).out).toContain("run --lift --trials 3");
    const tried = callIn(join(root, "skills/greet"), env, "try", ...agent);
    expect((await tried()).out).toMatch(/✓ It is French\.\n/);
    rmSync(join(root, ".waza-grade/tried"), { recursive: true });
    writeFileSync(join(root, "skills/greet/SKILL.md"), SKILL("English"));
    const after = await tried();
    expect(after.out).toContain("✗ It is French.");
    expect(after.out).not.toMatch(/older|error/);
    const nothing = await called("try", ...agent);
    expect(nothing).toEqual({
      status: 2,
      out: expect.stringMatching(/name a task, `waza-grade try <task>`, or call it in the folder of a skill/),
    });
    expect(nothing.out).not.toContain("changed-only");
  } finally {
    server.close();
  }
});

test("reads the judge's settings before the agent starts, and keeps runs that no judge has graded", async () => {
  const root = writeProject({
    "skills/greet/SKILL.md": SKILL("French"),
    "skills/greet/evals/evals.json": {
      skill_name: "greet",
      evals: [{ id: 1, prompt: "Greet.", assertions: ["It is French."] }],
    },
  });
  mkdirSync(join(root, ".git"), { recursive: true });
  const base = { PATH: process.env.PATH, XDG_CACHE_HOME: temporaryFolder("cache"), HOME: root };
  const command = `echo paid >> ${join(root, "paid")}; ${COMMAND}`;
  const started = () => (existsSync(join(root, "paid")) ? readFileSync(join(root, "paid"), "utf8") : "");
  const settings: [NodeJS.ProcessEnv, string[], RegExp][] = [
    [{}, [], /no `api-key`, and OpenAI's API needs one/],
    [{ OPENAI_API_KEY: "sk-ant-api03-abcdefghijkl" }, [], /a key of Anthropic/],
    [{ OPENAI_API_KEY: "sk-x" }, ["--providers", "x: y"], /`providers`/],
  ];
  for (const [more, args, problem] of settings) {
    const refused = await callIn(join(root, "skills/greet"), { ...base, ...more }, "try")(
      "--command",
      command,
      ...args,
    );
    expect(refused).toEqual({ status: 2, out: expect.stringMatching(problem) });
    expect(refused.out).not.toContain("Nothing was graded");
  }
  expect(started()).toBe("");
  const down = callIn(root, { ...base, OPENAI_BASE_URL: "http://127.0.0.1:9/v1" }, "try", "1");
  const unjudged = await down("--command", command);
  expect(unjudged.status).toBe(1);
  expect(unjudged.out).toContain("the runs are kept");
  const { server, url } = await startJudge();
  try {
    const judged = callIn(root, { ...base, OPENAI_BASE_URL: url }, "try", "1");
    expect((await judged("--command", command)).out).toContain("✓ It is French.");
    expect(started()).toBe("paid\n");
    // What has a verdict is made anew.
    await judged("--command", command);
    expect(started()).toBe("paid\npaid\n");
  } finally {
    server.close();
  }
});

/** The environment of a home, with the address of a judge. */
function judgedAt(url: string, home: string) {
  const cache = temporaryFolder("cache");
  return { PATH: process.env.PATH, OPENAI_BASE_URL: url, XDG_CACHE_HOME: cache, HOME: home };
}

test("in a skill's folder a task is that skill's, at the top that of each", async () => {
  const evals = (name: string) => ({
    skill_name: name,
    evals: [1, 2].map((id) => ({ id, prompt: "Greet.", assertions: ["It is French."] })),
  });
  const root = writeProject({
    "skills/greet/SKILL.md": SKILL("French"),
    "skills/greet/evals/evals.json": evals("greet"),
    "skills/other/SKILL.md": SKILL("French").replace("name: greet", "name: other"),
    "skills/other/evals/evals.json": evals("other"),
  });
  mkdirSync(join(root, ".git"), { recursive: true });
  const { server, url } = await startJudge();
  const env = judgedAt(url, root);
  const tried = async (folder: string, task: string) => {
    const { out } = await callIn(join(root, folder), env, "try", task)("--command", "echo Bonjour");
    return [...out.matchAll(/✓ (\w+\/\d) · assertions: passed/g)].map(([, name]) => name);
  };
  try {
    expect(await tried("skills/other", "2")).toEqual(["other/2"]);
    expect(await tried("skills/other", "greet/2")).toEqual(["greet/2"]);
    expect((await tried(".", "2")).sort()).toEqual(["greet/2", "other/2"]);
  } finally {
    server.close();
  }
});

test("shows the answer, each check with its reason, and what changed since the last try", async () => {
  const evals = { skill_name: "greet", evals: [{ id: 1, prompt: "Greet.", assertions: ["It is French."] }] };
  const root = writeProject({
    "skills/greet/SKILL.md": SKILL("French"),
    "skills/greet/evals/evals.json": evals,
  });
  mkdirSync(join(root, ".git"), { recursive: true });
  const { server, url } = await startJudge();
  const env = judgedAt(url, root);
  const tried = callIn(join(root, "skills/greet"), env, "try");
  try {
    // The runs of CI, as a red page has them downloaded, say which agent it was.
    const ofCi = join(root, ".waza-grade/ci/evals-runs-1/1");
    mkdirSync(ofCi, { recursive: true });
    const run = { eval: "skills/greet/evals/evals.json", task: "1", agent: "none-of-ours", log: "log.txt" };
    writeFileSync(join(ofCi, "run.json"), JSON.stringify(run));
    expect((await tried()).out).toContain("none-of-ours");
    // A pull request may commit outcomes of anything.
    mkdirSync(join(root, ".waza-grade/tried"), { recursive: true });
    const key = JSON.stringify(["greet", "1", null, "assertions", "It is French."]);
    writeFileSync(join(root, ".waza-grade/tried/outcomes.json"), JSON.stringify({ x: [], [key]: 5 }));
    const first = await tried("--command", COMMAND);
    expect(first.out).toContain("│ Bonjour");
    expect(first.out).toContain('✓ It is French.\n      It says "Bonjour".');
    expect(first.out).not.toMatch(/(?:passed|failed) before/);
    expect(first.status).toBe(0);
    writeFileSync(join(root, "skills/greet/SKILL.md"), SKILL("English"));
    const second = await tried("1", "--command", COMMAND);
    expect(second.out).toContain("✗ It is French.  (passed before: now fails)");
    expect(second.status).toBe(1);
    const nameless = await tried();
    expect(nameless).toEqual({ status: 2, out: expect.stringContaining("Name the agent") });
    const noFlag = await tried("--cache-dir", "x");
    expect(noFlag).toEqual({ status: 2, out: expect.stringContaining("cache-dir") });
  } finally {
    server.close();
  }
});
