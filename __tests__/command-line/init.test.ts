import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { AGENTS } from "../../src/command-line/flags.ts";
import { answer } from "../../src/command-line/answer.ts";
import { initProject } from "../../src/command-line/init.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const ROOT = join(import.meta.dirname, "..", "..");
const EXAMPLES = join(ROOT, "examples");
const WORKFLOW = ".github/workflows/evals.yml";
const init = (folder: string, agent: (typeof AGENTS)[number] = "none") =>
  initProject({ agent, folder, templates: EXAMPLES });

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
    const said = init(folder, agent);
    const text = readFileSync(join(folder, WORKFLOW), "utf8");
    const { jobs } = parse(text) as Workflow;
    const step = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .find(({ uses }) => uses === "org/waza-grade@v1");
    for (const name of Object.keys(step?.with ?? {})) expect(inputs).toHaveProperty([name]);
    const { eval: suite, results } = step?.with as { eval: string; results: string };
    expect(existsSync(join(folder, suite))).toBe(true);
    expect(text).toContain(agent === "waza" ? `-o ${results}` : results.replace("*", "$task"));
    for (const [, name = ""] of text.matchAll(/secrets\.(\w+)/g)) expect(said).toContain(name);
    expect(said).toContain(`in place of \`${step?.uses?.replace("@v1", "") ?? ""}\``);
    expect(said).toContain(`Commit all but ${results}, and open a pull request.`);
    const { config, graders } = parse(readFileSync(join(folder, suite), "utf8")) as {
      config?: object;
      graders: readonly object[];
    };
    expect(config !== undefined).toBe(agent === "waza");
    expect(graders).toHaveLength(2);
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
      /Wrote:\n([\s\S]*?)\n\nWas there already.*\n([\s\S]*?)\n\n/.exec(init(folder)) ?? [];
    expect(kept.match(/^ {2}\S+/gm)).toEqual(["  evals/first/eval.yaml", `  ${WORKFLOW}`]);
    expect(wrote).toContain("evals/first/tasks/what-it-is.yaml");
    expect(readFileSync(join(folder, WORKFLOW), "utf8")).toBe("mine");
    expect(existsSync(join(folder, "gone"))).toBe(false);
  });

  test("and is the workflow of another agent is said, with what has yet to be written into it", () => {
    const folder = temporaryFolder("init");
    expect(init(folder)).not.toContain("delete it");
    const said = init(folder, "codex");
    expect(said).toContain(`${WORKFLOW} (not what init writes for this agent: to have that, delete it`);
    expect(said).toContain("in place of `my-agent --print`");
    rmSync(join(folder, WORKFLOW));
    expect(init(folder, "codex")).not.toMatch(/delete it|my-agent/);
  });

  test("and is an eval without what waza needs is said", () => {
    const folder = temporaryFolder("init");
    init(folder, "gemini");
    expect(init(folder, "codex")).not.toContain("evals/first/eval.yaml (");
    expect(init(folder, "waza")).toContain("evals/first/eval.yaml (not what init writes for this agent");
  });

  test("is all of it, the second time", () => {
    const folder = temporaryFolder("init");
    init(folder);
    expect(init(folder)).not.toContain("Wrote:");
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
  ])("behind %s nothing is written", (_case, put, words) => {
    const folder = temporaryFolder("init");
    put(join(folder, ".github"));
    const { text, status } = answered({ kind: "init", agent: "none" }, folder);
    expect(text).toContain(words);
    expect(text).not.toContain("\n");
    expect(status).toBe(1);
    expect(existsSync(join(folder, WORKFLOW))).toBe(false);
  });

  test("below the top of a repository, with its top", () => {
    const top = temporaryFolder("init");
    mkdirSync(join(top, ".git"));
    mkdirSync(join(top, "a/b"), { recursive: true });
    const { text, status } = answered({ kind: "init", agent: "none" }, join(top, "a/b"));
    expect(text).toContain(`which here is ${top}: run init there`);
    expect(status).toBe(1);
    expect(readdirSync(join(top, "a/b"))).toEqual([]);
    expect(init(top)).not.toContain("in no repository");
  });

  test("without the codes of a terminal or a runner", () => {
    const { text, status } = answered({ kind: "misused", message: "\r::error::\u001B[31mx" }, ROOT);
    for (const active of ["\r", "\u001B"]) expect(text).not.toContain(active);
    expect(status).toBe(2);
  });
});
