/** Nothing is written through a link that a pull request commits, or that a copy brings into a run's folder. */
import { execFile, execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { mendGemini } from "../../src/runner/agents.ts";
import { passing } from "../support/act.ts";
import { run } from "../support/agent-runs.ts";
import { startJudge } from "../support/judge-server.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const INDEX = join(import.meta.dirname, "../../src/index.ts");
const SKILL = "---\nname: x\ndescription: writes\n---\n";

/** An eval whose task brings the folder `fix`, and a folder that nobody may write to. */
function project(taskFiles: string, links: Readonly<Record<string, string>>) {
  const away = temporaryFolder("away");
  const root = writeProject({
    "skills/x/SKILL.md": SKILL,
    "evals/eval.yaml":
      "name: s\nskill: x\ntasks: [t.yaml]\ngraders: [{type: prompt, name: g, config: {prompt: Is it?}}]\n",
    "evals/t.yaml": `id: a\ncontext_dir: evals/fix\ninputs: {prompt: hi, files: ${taskFiles}}\n`,
    "evals/fix/given.txt": "given",
    "evals/l/hook": "of the eval",
  });
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(target.replace("AWAY", away), join(root, name));
  }
  return { root, away };
}

describe("a run", () => {
  const CONTENT = '[{path: l/hook, content: "text"}]';
  test.each<[string, string, string, string, string]>([
    ["a task's file, by its path", "[{path: l/hook}]", "evals/fix/l", "AWAY", "l"],
    ["a task's file, by its content", CONTENT, "evals/fix/l", "AWAY", "l"],
    ["a task's file, by a way of the process", CONTENT, "evals/fix/l", "/proc/self/cwd/.git/hooks", "l"],
    ["a folder of a task", "[]", "evals/fix/l/hook", "AWAY/hook", ""],
    ["a file in place of a link", '[{path: hook, content: "text"}]', "evals/fix/hook", "AWAY/hook", ""],
    ["the copy of a skill", "[]", "evals/fix/.agents", "AWAY", ".agents"],
  ])("%s is not written through a link", async (_what, taskFiles, link, target, refused) => {
    const { root, away } = project(taskFiles, { [link]: target });
    const { status, records } = await run({}, { root, inputs: { command: "echo hi" } });
    expect(readdirSync(away)).toEqual([]);
    const blocked = `the run's files cannot be written: \`${refused}\` is a link, through which nothing is written`;
    expect(records[0]).toMatchObject(refused === "" ? { exit: 0 } : { error: blocked });
    expect(status).toBe(refused === "" ? 0 : 1);
  });

  test("has a folder of all runs where a link is only by its name, and a .gitignore of its own", async () => {
    const { root, away } = project("[]", { ".waza-grade": "AWAY" });
    const inputs = { command: "echo hi" };
    await expect(run({}, { root, inputs })).rejects.toThrow("`.waza-grade` is a link");
    expect(readdirSync(away)).toEqual([]);
    symlinkSync(join(away, "new"), join(away, ".gitignore"));
    expect((await run({}, { root, inputs: { ...inputs, out: ".waza-grade" } })).status).toBe(0);
    expect(lstatSync(join(away, ".gitignore")).isFile()).toBe(true);
    expect(readdirSync(away)).not.toContain("new");
  });

  test("is made below a temporary folder that is a link", async () => {
    const { root, away } = project("[]", {});
    const link = join(temporaryFolder("links"), "runner");
    symlinkSync(away, link);
    const made = await run({}, { root, env: { RUNNER_TEMP: link }, inputs: { command: "cat given.txt" } });
    expect(made.records[0]).toMatchObject({ exit: 0, answer: "given" });
  });
});

test("what a client left in the home of its run is not mended through a link", () => {
  const [home, away] = [temporaryFolder("home"), temporaryFolder("away")];
  writeFileSync(join(away, "session-1.jsonl"), "mine");
  symlinkSync(away, join(home, ".gemini"));
  mkdirSync(join(away, "tmp"));
  writeFileSync(join(away, "tmp/session-1.jsonl"), "mine\n");
  expect(() => {
    mendGemini(home);
  }).toThrow("`.gemini` is a link");
  expect(readFileSync(join(away, "tmp/session-1.jsonl"), "utf8")).toBe("mine\n");
});

describe("`try`", () => {
  const called = async (root: string, url: string) =>
    await new Promise<{ status: number; out: string }>((resolve) => {
      const args = [INDEX, "try", "a", "--command", "echo hi"];
      const cache = temporaryFolder("cache");
      const env = { PATH: process.env.PATH, HOME: root, XDG_CACHE_HOME: cache, OPENAI_BASE_URL: url };
      execFile(process.execPath, args, { cwd: root, env }, (failed, out, problems) => {
        resolve({ status: Number(failed?.code ?? 0), out: out + problems });
      });
    });
  const NOBODY = "http://127.0.0.1:9/v1";

  test.each([".waza-grade", ".waza-grade/try", ".waza-grade/tried"])(
    "refuses `%s` as a link",
    async (link) => {
      const { root, away } = project("[]", { [link]: "AWAY" });
      mkdirSync(join(away, "try/precious"), { recursive: true });
      execFileSync("git", ["init", "-q"], { cwd: root });
      const { status, out } = await called(root, NOBODY);
      expect(out).toContain(`\`${link}\` is a link, through which nothing is written.`);
      expect(status).toBe(2);
      expect(readdirSync(away, { recursive: true })).toEqual(["try", "try/precious"]);
    },
  );

  test.each([
    ["without a verdict", false, 1, [".gitignore", "waiting"]],
    ["with one", true, 0, [".gitignore", "outcomes.json"]],
  ] as const)("%s, has what it keeps in place of links", async (_what, isJudged, wanted, kept) => {
    const names = ["waiting", ".gitignore", "outcomes.json"];
    const links = names.map((name) => [`.waza-grade/tried/${name}`, `AWAY/${name}`] as const);
    const { root, away } = project("[]", Object.fromEntries(links));
    for (const name of names) writeFileSync(join(away, name), "mine");
    execFileSync("git", ["init", "-q"], { cwd: root });
    const judge = await startJudge(passing);
    const { status } = await called(root, isJudged ? judge.url : NOBODY).finally(judge.close);
    expect(status).toBe(wanted);
    for (const name of names) expect(readFileSync(join(away, name), "utf8")).toBe("mine");
    const tried = readdirSync(join(root, ".waza-grade/tried"), { withFileTypes: true });
    expect(tried.flatMap((one) => (one.isFile() ? one.name : [])).sort()).toEqual(kept);
  });
});
