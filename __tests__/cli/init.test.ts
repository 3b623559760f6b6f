import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { AGENTS } from "../../src/cli/flags.ts";
import { answer } from "../../src/cli/answer.ts";
import { initProject } from "../../src/cli/init.ts";
import { ownEvals } from "../../src/cli/init.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const ROOT = join(import.meta.dirname, "..", "..");
const EXAMPLES = join(ROOT, "examples");
const WORKFLOW = ".github/workflows/evals.yml";
const program = "npx waza-grade";
const init = (folder: string, agent: (typeof AGENTS)[number] = "none") =>
  initProject({ agent, folder, templates: EXAMPLES, program });
const initOwn = async (folder: string, agent: (typeof AGENTS)[number], named?: readonly string[]) =>
  initProject({ agent, folder, templates: EXAMPLES, own: await ownEvals(named, { folder, agent }), program });

interface Workflow {
  readonly jobs: Record<
    string,
    { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] }
  >;
}

describe("the workflow", () => {
  const { inputs } = parse(readFileSync(join(ROOT, "action.yml"), "utf8")) as { inputs: object };

  test("is there for every agent, and for no other", () => {
    expect(readdirSync(join(EXAMPLES, "workflows")).sort()).toEqual(
      AGENTS.map((agent) => `${agent}.yml`).sort(),
    );
  });

  test.each(AGENTS)("of %s gives inputs that there are, and reads what it wrote", (agent) => {
    const folder = temporaryFolder("init");
    const output = init(folder, agent);
    const text = readFileSync(join(folder, WORKFLOW), "utf8");
    const { jobs } = parse(text) as Workflow;
    const [ran, graded] = [jobs.agent, jobs.grade].map((job) => JSON.stringify(job));
    expect(ran).not.toContain("waza-grade@");
    // What Codex runs on is a key of the same kind.
    if (agent !== "codex") expect(ran).not.toContain("secrets.OPENAI_API_KEY");
    expect(graded?.match(/"run":/g)).toHaveLength(1);
    const step = jobs.grade?.steps.find(({ uses }) => uses?.includes("/waza-grade@") === true);
    for (const name of Object.keys(step?.with ?? {})) expect(inputs).toHaveProperty([name]);
    const { results } = step?.with as { results: string };
    const written = results.replace("${{ runner.temp }}/agent/*/", "$OUT/");
    expect(text).toContain(written.replace("*/*", "$name/$id").replace("/*.json", "/results-$(dirname"));
    expect(output).toContain(`npx waza-grade --eval evals/first/eval.yaml --results "${written}"`);
    expect(output).toContain("OPENAI_BASE_URL");
    expect(output).not.toMatch(/^\s*# | # /m);
    for (const [, name = ""] of text.matchAll(/secrets\.(\w+)/g)) expect(output).toContain(name);
    // Until `org/` is replaced by a name, as docs/releasing.md has it.
    const [owner] = step?.uses?.split("/") ?? [];
    if (owner === "org") expect(output).toContain("`org/waza-grade`");
  });

  test("of no agent says where its command goes", () => {
    expect(init(temporaryFolder("init"))).toContain("in place of `my-agent --print`");
  });
});

describe("what is there already", () => {
  test("stays as it is, and is named", () => {
    const folder = temporaryFolder("init");
    mkdirSync(join(folder, ".github/workflows"), { recursive: true });
    mkdirSync(join(folder, "evals/first"), { recursive: true });
    writeFileSync(join(folder, WORKFLOW), "mine");
    symlinkSync(join(folder, "gone"), join(folder, "evals/first/eval.yaml"));
    const [, wrote = "", kept = ""] =
      /Wrote:\n([\s\S]*?)\n\nAlready there.*\n([\s\S]*?)\n\n/.exec(init(folder)) ?? [];
    expect(kept.match(/^ {2}\S+/gm)).toEqual([`  ${WORKFLOW}`, "  evals/first/eval.yaml"]);
    expect(wrote).toContain("evals/first/tasks/what-it-is.yaml");
    expect(readFileSync(join(folder, WORKFLOW), "utf8")).toBe("mine");
    expect(existsSync(join(folder, "gone"))).toBe(false);
  });

  test("and is the workflow of another agent is said, with what has yet to be written into it", () => {
    const folder = temporaryFolder("init");
    expect(init(folder)).not.toContain("delete it");
    const output = init(folder, "codex");
    expect(output).toContain(`${WORKFLOW} (differs from what init would write; to replace it, delete it`);
    expect(output).toContain("in place of `my-agent --print`");
    rmSync(join(folder, WORKFLOW));
    expect(init(folder, "codex")).not.toMatch(/delete it|my-agent/);
    expect(init(folder, "codex")).not.toContain("Wrote:");
  });
});

describe("where evals stand already", () => {
  const graders = "graders: [{type: prompt, name: g, config: {prompt: Is it?}}]";
  /** A repository of these files, each by its path. */
  const having = (files: Readonly<Record<string, string>>) => {
    const folder = temporaryFolder("own");
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  };
  const suite = (name: string, id: string) => ({
    [`evals/${name}/eval.yaml`]: `name: ${name}\ntasks: [tasks/*.yaml]\n${graders}`,
    [`evals/${name}/tasks/1.yaml`]: `id: ${id}\ninputs: {prompt: Do it}`,
  });

  test("only the workflow is written, for them", async () => {
    const folder = having({ ...suite("csv", "a"), ...suite("my pdf", "b") });
    const output = await initOwn(folder, "codex");
    expect(output).toMatch(/Found evals.*\n {2}evals\/csv\/eval.yaml\n {2}evals\/my pdf\/eval.yaml\n/);
    expect(output).toContain(`Wrote:\n  ${WORKFLOW}\n\n`);
    expect(output).toContain("npx waza-grade --dry-run");
    const text = readFileSync(join(folder, WORKFLOW), "utf8");
    // Evals that are added later are found, too.
    expect(text).toBe(readFileSync(join(EXAMPLES, "workflows/codex.yml"), "utf8"));
    rmSync(join(folder, WORKFLOW));
    expect(await initOwn(folder, "waza", ["evals/my pdf/*.yaml"])).toContain(
      "--eval 'evals/my pdf/*.yaml' --dry-run",
    );
    const waza = readFileSync(join(folder, WORKFLOW), "utf8");
    expect(waza).toContain(`printf '%s\\n' 'evals/my pdf/eval.yaml' | while`);
    expect(waza).not.toMatch(/csv|evals\/first/);
    const { jobs } = parse(waza) as Workflow;
    const step = jobs.grade?.steps.find(({ uses }) => uses?.includes("/waza-grade@"));
    expect(step?.with).toMatchObject({ eval: "evals/my pdf/eval.yaml\n" });
  });

  test("the judge models that graders name come with the rules that replace them", async () => {
    const own = graders.replace("prompt: Is it?", "prompt: Is it?, model: claude-1");
    const output = await initOwn(
      having({ ...suite("a", "a"), "evals/a/eval.yaml": `tasks: [tasks/*.yaml]\n${own}` }),
      "codex",
    );
    expect(output).toContain('providers: |\n       - {match: "claude-1", model: gpt-6-luna}');
  });

  test("the eval of an earlier init is none of them", async () => {
    const folder = temporaryFolder("own");
    await initOwn(folder, "gemini");
    expect(await ownEvals(undefined, { folder, agent: "codex" })).toBeUndefined();
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      "a name of two evals",
      { ...suite("csv", "a"), "evals/b/eval.yaml": `name: csv\ntasks: [../csv/tasks/*.yaml]\n${graders}` },
      /the same name csv.*--eval/,
    ],
    [
      "a table of tasks",
      { "evals/t/eval.yaml": `tasks_from: t.csv\n${graders}`, "evals/t/t.csv": "id,prompt\na,Do it\n" },
      /table.*--agent waza/,
    ],
    ["an eval that cannot be read", { "evals/t/eval.yaml": "graders: {" }, /has an error.*--dry-run/],
    ["an eval without tasks", { "evals/t/eval.yaml": graders }, /has no tasks/],
    ["a name that a shell would run", suite("$(id)", "a"), /`evals\/\$\(id\)\/eval.yaml`.*rename it/],
  ])("%s is reported", async (_case, files, words) => {
    const named = words.source.includes("rename it") ? ["**/eval.yaml"] : undefined;
    await expect(initOwn(having(files), "codex", named)).rejects.toThrow(words);
  });
});

describe("what cannot be done is said in a line", () => {
  const root = temporaryFolder("root");
  mkdirSync(join(root, "dist"));
  symlinkSync(EXAMPLES, join(root, "dist/init"));
  const answered = (command: Parameters<typeof answer>[0], folder: string) =>
    answer(command, {
      declared: { description: "", inputs: [] },
      drawing: { columns: 80, style: (_, text) => text },
      root,
      folder,
    });

  test.each<[string, (path: string) => void, string]>([
    [
      "a link that leads away",
      (path) => {
        symlinkSync(temporaryFolder("away"), path);
      },
      "leads out of this folder",
    ],
    [
      "a file in the place of a folder",
      (path) => {
        writeFileSync(path, "");
      },
      "not a directory",
    ],
    [
      "a pipe",
      (path) => {
        mkdirSync(join(path, "workflows"), { recursive: true });
        execFileSync("mkfifo", [join(path, "workflows/evals.yml")]);
      },
      "exists and is not a file",
    ],
  ])("behind %s nothing is written", async (_case, put, words) => {
    const folder = temporaryFolder("init");
    put(join(folder, ".github"));
    const { text, status } = await answered({ kind: "init", agent: "none" }, folder);
    expect(text).toContain(words);
    expect(text).not.toContain("\n");
    expect(status).toBe(1);
    expect(existsSync(join(folder, "evals"))).toBe(false);
  });

  test("below the top of a repository, with its top", async () => {
    const top = temporaryFolder("init");
    mkdirSync(join(top, ".git"));
    mkdirSync(join(top, "a/b"), { recursive: true });
    const { text, status } = await answered({ kind: "init", agent: "none" }, join(top, "a/b"));
    expect(text).toContain(`here ${top}: run init there`);
    expect(status).toBe(1);
    expect(readdirSync(join(top, "a/b"))).toEqual([]);
    expect(init(top)).not.toContain("in no repository");
  });

  test("without the codes of a terminal or a runner", async () => {
    const { text, status } = await answered({ kind: "misused", message: "\r::error::\u001B[31mx" }, ROOT);
    for (const active of ["\r", "\u001B"]) expect(text).not.toContain(active);
    expect(status).toBe(2);
  });
});
