/** The scripts of the workflows in examples/, with stand-ins for the programs that a runner has. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { AGENTS } from "../../src/cli/flags.ts";
import type { Agent } from "../../src/cli/flags.ts";
import { workflowFor } from "../../src/cli/init.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const EXAMPLES = join(import.meta.dirname, "../../examples");

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

function stepsOf(text: string, job: string): readonly Step[] {
  const { jobs } = parse(text) as { jobs: Record<string, { steps: readonly Step[] }> };
  return jobs[job]?.steps ?? [];
}

const workflow = (path: string) => readFileSync(join(EXAMPLES, path), "utf8");

/** Runs a step's script as a runner does, with programs by their shell scripts. */
function runStep(
  step: Step | undefined,
  programs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  cwd = temporaryFolder("checkout"),
) {
  const bin = temporaryFolder("bin");
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/bash\n${script}`, { mode: 0o755 });
  const given = { PATH: `${bin}:${process.env.PATH ?? ""}`, ...step?.env, ...env };
  return spawnSync("bash", ["-e", "-c", step?.run ?? "exit 9"], { cwd, env: given, encoding: "utf8" });
}

describe("the last five results of the default branch", () => {
  const [first, ...others] = [
    ...AGENTS.map((agent) => `workflows/${agent}.yml`),
    "recipes/base-evals.yml",
    "recipes/regrade-baseline.yml",
    "recipes/second-attempt.yml",
  ].flatMap((path) =>
    ["grade", ...(path.endsWith("second-attempt.yml") ? ["first"] : [])].map((job) =>
      stepsOf(workflow(path), job).find(({ name }) => name?.startsWith("Get the last five")),
    ),
  );

  test("are found by one script", () => {
    for (const step of others) expect(step).toEqual(first);
  });

  test("are of pushes to it by this workflow, the newest that left any, without this run", () => {
    const temp = temporaryFolder("runner");
    const gh = `echo "$*" >> "$TEMP/asked"
[ "$2" = list ] && printf '%s\\n' 9 8 7 6 5 4 3 2 && exit
[ "$3" = 7 ] && exit 1
mkdir -p "$7" && touch "$7/graded.json"`;
    const { status } = runStep(
      first,
      { gh },
      {
        TEMP: temp,
        BASELINE: join(temp, "baseline"),
        BRANCH: "trunk",
        GITHUB_RUN_ID: "9",
        GITHUB_WORKFLOW_REF: "o/r/.github/workflows/evals.yml@refs/pull/1/merge",
      },
    );
    expect(status).toBe(0);
    expect(readdirSync(join(temp, "baseline")).sort()).toEqual(["3", "4", "5", "6", "8"]);
    expect(readFileSync(join(temp, "asked"), "utf8")).toMatch(
      /^run list --workflow evals\.yml --branch trunk --event push /,
    );
  });

  test("that cannot be listed are an error", () => {
    const baseline = join(temporaryFolder("runner"), "baseline");
    expect(
      runStep(first, { gh: "exit 4" }, { BASELINE: baseline, GITHUB_WORKFLOW_REF: "o/r/e.yml@x" }).status,
    ).toBe(4);
  });
});

describe("the label `regrade`", () => {
  const step = stepsOf(workflow("recipes/regrade-baseline.yml"), "grade").find(({ id }) => id === "main");

  test.each([
    ["2030-01-01T10:00:00Z labeled", true],
    ["2030-01-01T08:00:00Z labeled", false],
    ["2030-01-01T09:00:00Z labeled", false],
    ["2030-01-01T10:00:00Z labeled\n2030-01-01T11:00:00Z unlabeled", false],
    ["2030-01-01T11:00:00Z unlabeled\n2030-01-01T12:00:00Z labeled", true],
    ["", false],
  ])("set at %j counts for a commit pushed at 9: %j", (events, counts) => {
    const temp = temporaryFolder("runner");
    const baseline = join(temp, "baseline");
    for (const run of ["5", "12"]) mkdirSync(join(baseline, run), { recursive: true });
    const gh = `case "$*" in *actions/runs/*) echo 2030-01-01T09:00:00Z ;; *) printf '%s' "$EVENTS" ;; esac`;
    const output = join(temp, "output");
    writeFileSync(output, "");
    const { status } = runStep(
      step,
      { gh },
      { EVENTS: events, BASELINE: baseline, RUNNER_TEMP: temp, GITHUB_OUTPUT: output },
    );
    expect(status).toBe(0);
    expect(readFileSync(output, "utf8")).toBe(counts ? "regrade=true\n" : "");
    expect([existsSync(join(temp, "main")), existsSync(join(baseline, "12"))]).toEqual([counts, !counts]);
  });
});

describe("an agent works", () => {
  /**
   * Where agents load the skills of a project from:
   * https://code.claude.com/docs/en/skills#where-skills-live
   * https://developers.openai.com/codex/skills#where-to-save-skills
   * https://docs.github.com/en/copilot/concepts/agents/about-agent-skills
   * https://cursor.com/docs/context/skills#skill-directories
   * https://geminicli.com/docs/cli/using-agent-skills/#discovery-tiers
   */
  const PROGRAMS: Readonly<Partial<Record<Agent, readonly [program: string, skills: string]>>> = {
    "claude-code": ["claude", ".claude/skills"],
    codex: ["codex", ".agents/skills"],
    copilot: ["copilot", ".agents/skills"],
    cursor: ["agent", ".agents/skills"],
    gemini: ["gemini", ".agents/skills"],
    none: ["my-agent", ".agents/skills"],
  };

  test("where it loads skills from", () => {
    for (const [agent, [, skills]] of Object.entries(PROGRAMS))
      expect(workflow(`workflows/${agent}.yml`)).toContain(`SKILLS: ${skills} # `);
  });

  const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

  /** The files that each run of the agent found in its folder, by that folder. */
  function worked(
    agent: Agent,
    files: Readonly<Record<string, unknown>>,
    own?: Parameters<typeof workflowFor>[1],
  ) {
    const folder = writeProject(files);
    const text = workflow(`workflows/${agent}.yml`);
    const step = stepsOf(own ? workflowFor(text, own) : text, "agent").find(({ name }) =>
      name?.startsWith("Run "),
    );
    const [program = ""] = PROGRAMS[agent] ?? [];
    const out = join(temporaryFolder("runner"), "attempt-1");
    const script = `find . -type f | sort > .seen; printf '%s\\n' "$@"; cat`;
    const { status } = runStep(step, { [program]: script }, { OUT: out, HOME: folder }, folder);
    expect(status).toBe(0);
    const logs = readdirSync(join(out, "logs"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(?:jsonl|md)$/.test(name),
    );
    return new Map(
      logs.sort().map((log) => {
        const work = join(out, "work", log.replace(/\.\w+$/, ""));
        const found = readFileSync(join(work, ".seen"), "utf8").trim().split("\n");
        return [
          log,
          {
            found: found.filter((name) => name !== "./.seen"),
            log: readFileSync(join(out, "logs", log), "utf8"),
          },
        ];
      }),
    );
  }

  const SKILL = "---\nname: csv\ndescription: Reads tables.\n---\n";
  const EVALS = {
    "skills/csv/SKILL.md": SKILL,
    "skills/csv/scripts/read.py": "print()",
    "skills/csv/evals/evals.json": {
      skill_name: "csv",
      evals: [
        { id: 1, prompt: 'Read\nthe "table".', files: ["evals/files/a b.csv"], expectations: ["It is read"] },
        { prompt: "Sum it.", files: ["files/sum.csv", "gone.csv"], expectations: ["It is summed"] },
      ],
    },
    "skills/csv/evals/files/a b.csv": "a,b",
    "skills/csv/evals/files/sum.csv": "1,2",
    ".claude/skills/pdf/SKILL.md": SKILL,
    ".claude/skills/pdf/evals/evals.json": [{ id: "x/y", question: "Open it.", assertions: ["It is open"] }],
  };
  const found = {
    paths: [],
    skills: "find . -path '*/evals/evals.json' -not -path '*/node_modules/*'",
    inputs: [],
    judgeModels: [],
    flags: "",
  };

  (has("jq") ? test.each : test.skip.each)(["claude-code", "none"] as const)(
    "on the evals of skills, each in a folder of its own with every skill but no evals: %s",
    (agent) => {
      const [, skills = ""] = PROGRAMS[agent] ?? [];
      const runs = worked(agent, EVALS, found);
      const ending = agent === "none" ? "md" : "jsonl";
      expect([...runs.keys()]).toEqual([`csv/1.${ending}`, `csv/2.${ending}`, `pdf/x_y.${ending}`]);
      const placed = [
        `./${skills}/csv/SKILL.md`,
        `./${skills}/csv/scripts/read.py`,
        `./${skills}/pdf/SKILL.md`,
      ];
      expect([...runs.values()].map(({ found }) => found)).toEqual([
        [...placed, "./evals/files/a b.csv"].sort(),
        [...placed, "./files/sum.csv"].sort(),
        placed,
      ]);
      expect(runs.get(`csv/1.${ending}`)?.log).toContain('Read\nthe "table".');
      expect(runs.get(`pdf/x_y.${ending}`)?.log).toContain("Open it.");
    },
  );

  (has("yq") ? test : test.skip)("on waza's evals, with the project and the files of each task", () => {
    const first = Object.fromEntries(
      readdirSync(join(EXAMPLES, "first"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((file) => [
          `evals/first/${file.slice(join(EXAMPLES, "first").length + 1)}`,
          readFileSync(file, "utf8"),
        ]),
    );
    const runs = worked("claude-code", {
      ...first,
      "skills/csv/SKILL.md": SKILL,
      "skills/csv/evals/eval.yaml": "name: my csv\ntasks: [t*.yaml]\n",
      "skills/csv/evals/t1.yaml": "id: a:1\ninputs: {prompt: Read it., files: [{path: in/a b.csv}]}\n",
      "skills/csv/evals/fixtures/in/a b.csv": "a",
    });
    expect([...runs.keys()]).toEqual([
      "first/no-such-setting.jsonl",
      "first/what-it-is.jsonl",
      "my csv/a_1.jsonl",
    ]);
    expect(runs.get("first/what-it-is.jsonl")?.found).toEqual(
      [
        "./README.md",
        "./pyproject.toml",
        "./shelf.py",
        "./tests/test_shelf.py",
        "./.claude/skills/csv/SKILL.md",
      ].sort(),
    );
    expect(runs.get("first/what-it-is.jsonl")?.log).toContain(
      first["evals/first/tasks/prompts/what-it-is.md"]?.trim(),
    );
    expect(runs.get("my csv/a_1.jsonl")?.found).toEqual(["./.claude/skills/csv/SKILL.md", "./in/a b.csv"]);
  });
});
