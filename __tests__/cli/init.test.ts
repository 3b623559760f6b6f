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
import { init as initCommand, initProject, workflowEvals } from "../../src/cli/init.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { WORKFLOW_AGENTS, callFor, fullFor } from "../../src/cli/workflow.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const ROOT = join(import.meta.dirname, "..", "..");
const EXAMPLES = join(ROOT, "examples");
const WORKFLOW = ".github/workflows/evals.yml";
const program = "npx waza-grade";
const PLAIN = { lift: false, full: false, templates: EXAMPLES, program };
type Agent = (typeof WORKFLOW_AGENTS)[number];
const init = (folder: string, agent: Agent = "none") => initProject({ ...PLAIN, agent, folder });
const initOwn = async (folder: string, agent: Agent, named?: readonly string[]) =>
  initProject({ ...PLAIN, agent, folder, ...(await workflowEvals(named, { folder, agent })) });

/** A workflow's jobs: steps, or the call of another workflow. */
interface Workflow {
  readonly jobs: Record<string, Job>;
}
interface Job extends Step {
  readonly secrets?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps?: readonly Step[];
}
interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** Writes a file, with its folders. */
function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const parsed = (path: string) => parse(readFileSync(path, "utf8")) as Workflow;
const secretsIn = (text: string) => [
  ...new Set([...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name)),
];

/** The workflow for an agent in a folder of its own, and what init says. */
function workflowOf(agent: Agent, options: Partial<Parameters<typeof initProject>[0]> = {}) {
  const folder = temporaryFolder("init");
  const said = initProject({ ...PLAIN, agent, folder, ...options });
  const text = readFileSync(join(folder, WORKFLOW), "utf8");
  return { said, text, jobs: (parse(text) as Workflow).jobs };
}

describe("the workflow", () => {
  const inputsOf = (file: string) =>
    Object.keys((parse(readFileSync(join(ROOT, file), "utf8")) as { inputs: object }).inputs);
  const { on } = parse(readFileSync(join(ROOT, ".github/workflows/evals.yml"), "utf8")) as {
    on: { workflow_call: { inputs: object; secrets: object } };
  };

  test.each(WORKFLOW_AGENTS)("of %s calls ours, in twenty lines or so, with what it takes", (agent) => {
    const { said: output, text, jobs } = workflowOf(agent);
    const { evals } = jobs;
    expect(evals?.uses).toBe("org/waza-grade/.github/workflows/evals.yml@v1");
    expect(Object.keys(on.workflow_call.inputs)).toEqual(
      expect.arrayContaining(Object.keys(evals?.with ?? {})),
    );
    expect(Object.keys(on.workflow_call.secrets)).toEqual(
      expect.arrayContaining(Object.keys(evals?.secrets ?? {})),
    );
    expect(evals?.with).toMatchObject(
      agent === "none" ? { command: 'my-agent --print "$PROMPT"' } : { agent },
    );
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(22);
    expect(output).toContain(
      agent === "none" ? `run --command 'my-agent --print "$PROMPT"'` : `npx waza-grade run --agent ${agent}`,
    );
    expect(output.includes('in place of `my-agent --print "$PROMPT"`')).toBe(agent === "none");
    expect(output).toContain("require the job `evals / decide`");
    expect(output).toContain(".github/CODEOWNERS");
    for (const name of secretsIn(text)) expect(output).toContain(name);
    // Until `org/` is replaced by a name, as docs/maintainers/releasing.md has it.
    if (text.includes("uses: org/")) expect(output).toContain("`org/waza-grade`");
  });

  test.each(WORKFLOW_AGENTS)("of %s in full has the five jobs, with inputs that there are", (agent) => {
    const { said: output, jobs } = workflowOf(agent, { full: true });
    expect(Object.keys(jobs)).toEqual(["plan", "agent", "grade", "again", "decide"]);
    const stepsOf = (action: RegExp) =>
      Object.values(jobs).flatMap(({ steps = [] }) => steps.filter(({ uses = "" }) => action.test(uses)));
    const [runs, grades] = [stepsOf(/waza-grade\/run@/), stepsOf(/waza-grade@/)];
    expect([runs.length, grades.length]).toEqual([3, 2]);
    for (const step of runs) {
      expect(inputsOf("run/action.yml")).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
      expect(step.with).toMatchObject(
        agent === "none" ? { command: 'my-agent --print "$PROMPT"' } : { agent },
      );
    }
    for (const step of grades) {
      expect(inputsOf("action.yml")).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
      expect(stepsOf(/download-artifact/).map((one) => one.with?.path)).toContain(step.with?.results);
    }
    expect(output).toContain("require the job `decide`");
  });

  test.each([
    [false, "the command reads it as `$AGENT_KEY`"],
    [false, "Where a key is needed, add to the repository's secrets: AGENT_KEY, OPENAI_API_KEY"],
    [true, "the key of its model by `env:` of that step"],
  ])(
    "of a command (whole: %j) says where its key comes from, and estimates what it then grades",
    (full, key) => {
      const { said } = workflowOf("none", { full, lift: true });
      expect(said).toContain(key);
      expect(said).toContain("--lift --dry-run");
    },
  );

  test.each([
    ["claude-code", ["ANTHROPIC_API_KEY"], "https://api.anthropic.com/v1"],
    ["codex", ["OPENAI_API_KEY"], undefined],
    ["gemini", ["GEMINI_API_KEY"], "https://generativelanguage.googleapis.com/v1beta/openai"],
    ["copilot", ["COPILOT_GITHUB_TOKEN", "OPENAI_API_KEY"], undefined],
    ["opencode", ["OPENAI_API_KEY"], undefined],
    ["none", ["AGENT_KEY", "OPENAI_API_KEY"], undefined],
  ] as const)("of %s names the secrets %j, and has the judge at %s", (agent, secrets, judge) => {
    for (const full of [false, true]) {
      const { text } = workflowOf(agent, { full });
      // A command's own key is in its step's `env:`, which only its author can write.
      expect(secretsIn(text)).toEqual(full ? secrets.filter((name) => name !== "AGENT_KEY") : secrets);
      expect(/base-url: (\S+)/.exec(text)?.[1]).toBe(judge);
      expect(/judge-model: \S+/.test(text)).toBe(judge !== undefined);
    }
  });

  test.each([
    [2, false, [1]],
    [20, false, [1]],
    [21, false, [1, 2]],
    [20, true, [1, 2]],
    [1000, false, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])("of %d runs (also without the skill: %j) has the machines %j", (runs, lift, machines) => {
    const evals = ["a/eval.yaml"];
    const options = { ...PLAIN, agent: "codex", evals, runs, lift, triggers: false } as const;
    const template = (name: string) => readFileSync(join(EXAMPLES, `workflows/${name}.yml`), "utf8");
    const call = parse(callFor(template("evals"), options)) as Workflow;
    expect(call.jobs.evals?.with).toMatchObject({
      ...{ shards: machines.length, eval: "a/eval.yaml\n" },
      ...(lift ? { lift } : {}),
    });
    const full = fullFor(template("full"), options);
    expect(full).toContain(`matrix: { shard: [${machines.join(", ")}] }`);
    // Of the job that lists the runs.
    expect(full.split("lift: true")).toHaveLength(lift ? 2 : 1);
    expect(full.split("eval: |\n            a/eval.yaml\n")).toHaveLength(2);
  });

  test("is pinned to a commit where one is given", () => {
    for (const full of [false, true]) {
      const { text } = workflowOf("codex", { full, pin: "c".repeat(40) });
      const used = [...text.matchAll(/uses: (\S+@\S+)/g)];
      expect(used.length).toBeGreaterThan(0);
      for (const [, name = ""] of used) expect(name).toMatch(/@[0-9a-f]{40}$/);
    }
  });

  test("names an environment in each job with a key, and says what that asks of reviewers", () => {
    const environment = "evals keys";
    const { said, jobs } = workflowOf("codex", { full: true, environment });
    const namesWhere = (holds: (job: Job) => boolean | undefined) =>
      Object.entries(jobs).flatMap(([name, job]) => (holds(job) ? name : []));
    expect(namesWhere((job) => job.environment?.includes(environment))).toEqual(
      namesWhere((job) => JSON.stringify(job).includes("secrets.")),
    );
    expect(jobs.decide?.environment).toContain("needs.again.result != 'skipped'");
    expect(said).toMatch(
      /environment evals keys, with required reviewers: OPENAI_API_KEY\. A push asks them twice/,
    );
  });
});

describe("what is there already", () => {
  test("stays as it is, and is named", () => {
    const folder = temporaryFolder("init");
    put(folder, WORKFLOW, "mine");
    mkdirSync(join(folder, "evals/first"), { recursive: true });
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
    expect(output).toContain('in place of `my-agent --print "$PROMPT"`');
    rmSync(join(folder, WORKFLOW));
    expect(init(folder, "codex")).not.toMatch(/delete it|my-agent/);
    expect(init(folder, "codex")).not.toContain("Wrote:");
  });
});

describe("where evals stand already", () => {
  const graders = "graders: [{type: prompt, name: g, config: {prompt: Is it?}}]";
  /** A folder of these files, each by its path. */
  const having = (files: Readonly<Record<string, string>>) => {
    const folder = temporaryFolder("own");
    for (const [path, text] of Object.entries(files)) put(folder, path, text);
    return folder;
  };
  const triggers = {
    "SKILL.md": "---\nname: t\ndescription: d\n---\n",
    "evals/t.json": JSON.stringify([{ query: "q", should_trigger: true }]),
  };
  const misplaced = (id: string) =>
    `id: ${id}\ninputs: {prompt: x, files: [{path: .codex/x.md, content: x}]}`;
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
    expect(text).not.toContain("eval:");
    rmSync(join(folder, WORKFLOW));
    expect(await initOwn(folder, "codex", ["evals/my pdf/*.yaml"])).toContain(
      "--eval 'evals/my pdf/*.yaml' --dry-run",
    );
    expect(parsed(join(folder, WORKFLOW)).jobs.evals?.with).toMatchObject({
      eval: "evals/my pdf/eval.yaml\n",
    });
  });

  test("a file that only looks like a skill's evals is named", async () => {
    const files = { "skills/x/SKILL.md": "", "skills/x/eval/evals.json": "[]" };
    expect(await initOwn(having({ ...files, ...suite("csv", "a") }), "codex")).toContain(
      "\nnotice: skills/x/eval/evals.json:1: These files seem to hold evals and are not read: `skills/x/eval/evals.json`. ",
    );
  });

  test("graders without tasks get a workflow that grades sessions, and runs no agent", async () => {
    const folder = having({ "evals/t/eval.yaml": graders });
    const output = await initOwn(folder, "codex");
    const { jobs } = parse(readFileSync(join(folder, WORKFLOW), "utf8")) as Workflow;
    expect(Object.keys(jobs)).toEqual(["grade"]);
    expect(output).toContain("npx waza-grade --results 'sessions/*'");
    expect(output).not.toContain("waza-grade run");
  });

  test("trigger evals alone are what the workflow runs; beside others they are a step more", async () => {
    const folder = having(triggers);
    const output = await initOwn(folder, "gemini");
    expect(output).toContain(
      "Found evals, which the workflow will run (--eval selects others):\n  evals/t.json\n",
    );
    expect(output).toContain("npx waza-grade run --agent gemini --triggers\n");
    expect(parsed(join(folder, WORKFLOW)).jobs.evals?.with).toMatchObject({ triggers: true });
    const both = having({ ...triggers, ...suite("csv", "a") });
    expect(await initOwn(both, "gemini")).toContain("Run the trigger evals, too:");
    const control = { id: 1, prompt: "p", should_trigger: false, assertions: ["x"] };
    const controls = having({
      "skills/c/SKILL.md": "---\nname: c\ndescription: d\n---\n",
      "skills/c/evals/evals.json": JSON.stringify({ skill_name: "c", evals: [control] }),
    });
    expect(await initOwn(controls, "gemini")).not.toContain("trigger evals");
    expect(readFileSync(join(both, WORKFLOW), "utf8")).not.toContain("triggers:");
  });

  test("one with an error is named beside the others, and costs no workflow", async () => {
    const folder = having({ ...suite("csv", "a"), "evals/t/eval.yaml": "graders: {" });
    const output = await initOwn(folder, "codex");
    expect(output).toContain("error: evals/t/eval.yaml:1: the file is not valid YAML: ");
    expect(output).not.toContain("\n  evals/t/eval.yaml\n");
    expect(Object.keys(parsed(join(folder, WORKFLOW)).jobs)).toEqual(["evals"]);
  });

  test("what `run` refuses is said, and is in no count", async () => {
    const files = { ...suite("csv", "a"), "evals/csv/tasks/2.yaml": misplaced("b") };
    const output = await initOwn(having(files), "codex");
    expect(output).toContain("error: evals/csv/tasks/2.yaml:1: the task `b` puts `.codex/x.md` where agents");
    const { evals } = await workflowEvals(undefined, { folder: having(files), agent: "codex" });
    expect(evals?.runs).toBe(1);
  });

  test("of many the first twenty are listed", async () => {
    const many = Array.from({ length: 22 }, (_, index) => suite(`s${String(index + 10)}`, "a"));
    const output = await initOwn(having(Object.assign({}, ...many) as Record<string, string>), "codex");
    expect(output).toContain("  evals/s29/eval.yaml\n  and 2 more\n");
    const all = Object.assign({}, ...many.slice(0, 20)) as Record<string, string>;
    expect(await initOwn(having(all), "codex")).not.toContain(" more\n");
  });

  test("the eval of an earlier init is none of them", async () => {
    const folder = temporaryFolder("own");
    await initOwn(folder, "gemini");
    expect((await workflowEvals(undefined, { folder, agent: "codex" })).evals).toBeUndefined();
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp, string?]>([
    ["an eval that cannot be read", { "evals/t/eval.yaml": "graders: {" }, /^evals\/t\/eval\.yaml:1: /],
    [
      "an eval without tasks beside one that has some",
      { ...suite("csv", "a"), "evals/t/eval.yaml": graders },
      /evals\/t\/eval\.yaml has no tasks/,
    ],
    [
      "an eval of which every task is refused",
      { ...suite("csv", "a"), "evals/csv/tasks/1.yaml": misplaced("a") },
      /^evals\/csv\/tasks\/1\.yaml:1: the task `a` puts `\.codex/,
    ],
    [
      "a name that a shell would run",
      suite("$id", "a"),
      /`evals\/\$id\/\*` has.*a shell: rename it/,
      "evals/$id/*",
    ],
    ["a name that GitHub would evaluate", suite("${{ x }}", "a"), /in a workflow: rename it/, "**/eval.yaml"],
  ])("%s is reported", async (_case, files, words, ...named) => {
    const patterns = named.length > 0 ? (named as string[]) : undefined;
    await expect(initOwn(having(files), "codex", patterns)).rejects.toThrow(words);
  });
});

describe("what cannot be done is said in a line", () => {
  const root = temporaryFolder("root");
  mkdirSync(join(root, "dist"));
  symlinkSync(EXAMPLES, join(root, "dist/init"));
  const answered = (folder: string, agent = "none", more: readonly [string, string][] = []) =>
    initCommand(new Map([["agent", agent], ...more]), { root, folder });

  test.each<[string, string, string]>([
    ["a link that leads away", 'ln -s "$AWAY" .github', "is a link, through which nothing is written"],
    ["a file in the place of a folder", "touch .github", "`.github` is no folder"],
    [
      "a pipe",
      "mkdir -p .github/workflows && mkfifo .github/workflows/evals.yml",
      "exists and is not a file",
    ],
  ])("behind %s nothing is written", async (_case, command, words) => {
    const folder = temporaryFolder("init");
    execFileSync("sh", ["-c", command], {
      cwd: folder,
      env: { ...process.env, AWAY: temporaryFolder("away") },
    });
    const { text, isWritten } = await answered(folder);
    expect(text).toContain(words);
    expect(text).not.toContain("\n");
    expect(isWritten).toBe(false);
    expect(existsSync(join(folder, "evals"))).toBe(false);
  });

  test.each([
    [
      "evals by another name",
      "skills/x/eval.json",
      '[{"prompt":"p","assertions":["a"]}]',
      "--eval 'skills/x/eval.json'",
    ],
  ])("beside %s nothing is written unless it is said for what", async (_case, file, content, words) => {
    const folder = temporaryFolder("init");
    put(folder, "skills/x/SKILL.md", "---\nname: x\ndescription: d\n---\n");
    put(folder, file, content);
    const { text, isWritten } = await answered(folder);
    expect(text).toContain(words);
    expect([isWritten, existsSync(join(folder, WORKFLOW))]).toEqual([false, false]);
    const own = "skills/x/evals/evals.json";
    const again = await answered(folder, "none", [["eval", own]]);
    expect([again.isWritten, existsSync(join(folder, own))]).toEqual([true, true]);
  });

  test("the evals of plugins have a workflow of their own, in which each is run", async () => {
    const folder = temporaryFolder("init");
    put(folder, "evals/a/case.yaml", "name: a");
    put(folder, "plugins/two words/evals/group/b/prompt.md", "Do it.");
    put(folder, "plugins/two words/evals/group/b/graders/g.md", "x");
    const flags: [string, string][] = [
      ["runs-on", "my-runners"],
      ["pin", "c".repeat(40)],
    ];
    const { text } = await answered(folder, "claude-code", flags);
    const own = ".github/workflows/plugin-evals.yml";
    expect(text).toContain(`Wrote:\n  ${own}\n\nNext:\n`);
    expect(text).toContain("claude plugin eval 'plugins/two words' --json ../plugin-evals.json");
    expect(text).toContain("secrets: ANTHROPIC_API_KEY");
    expect(text).toContain("require the job `grade`");
    const written = readFileSync(join(folder, own), "utf8");
    expect(written.match(/claude plugin eval .*? --trust|plugin-evals\/\d/g)).toEqual([
      ...["claude plugin eval . --trust", "plugin-evals/1"],
      ...["claude plugin eval 'plugins/two words' --trust", "plugin-evals/2"],
    ]);
    expect(written.match(/runs-on: .*|waza-grade@.*/g)).toEqual([
      ...['runs-on: "my-runners"', 'runs-on: "my-runners"'],
      `waza-grade@${"c".repeat(40)} # v1`,
    ]);
    put(folder, "skills/x/SKILL.md", "---\nname: x\ndescription: d\n---\n");
    put(folder, "skills/x/evals/evals.json", '[{"prompt":"p","assertions":["a"]}]');
    rmSync(join(folder, own));
    const both = await answered(folder, "claude-code", [
      ["full", "true"],
      ["environment", "keys"],
    ]);
    expect(both.text).toContain(`Wrote:\n  ${WORKFLOW}\n  ${own}\n`);
    expect(both.text).toContain("require the jobs `decide`, `grade`");
    expect(parsed(join(folder, own)).jobs).toMatchObject({ run: { environment: "keys" } });
    expect(both.text).not.toContain("notice:");
  });

  test.each([
    ["master is checked out", "master", {}, "master"],
    ["main is checked out", "main", {}, "main"],
    ["a feature is, beside main", "feature", { "refs/heads/main": "" }, "main"],
    ["a feature is, beside master of the remote", "feature", { "refs/remotes/origin/master": "" }, "master"],
    [
      "the remote says trunk",
      "main",
      { "refs/remotes/origin/HEAD": "ref: refs/remotes/origin/trunk\n" },
      "trunk",
    ],
    ["there is nothing but a feature", "feature", {}, undefined],
  ])("the workflow is for pushes to the default branch where %s", async (_case, branch, refs, expected) => {
    const folder = temporaryFolder("init");
    execFileSync("git", ["init", "-q", "-b", branch, folder]);
    for (const [ref, text] of Object.entries(refs)) put(folder, `.git/${ref}`, text);
    const { text } = await answered(folder);
    expect(readFileSync(join(folder, WORKFLOW), "utf8")).toContain(`branches: [${expected ?? "main"}] }`);
    expect(text.includes("replace `main` if your default branch has another name")).toBe(
      expected === undefined,
    );
  });

  test("own machines and an own judge are lines of the workflow, and of all its jobs", async () => {
    const folder = temporaryFolder("init");
    put(folder, "SKILL.md", "---\nname: t\ndescription: d\n---\n");
    const flags: [string, string][] = [
      ["runs-on", "my-runners"],
      ["base-url", "https://gateway.example/v1"],
      ["judge-model", "my-judge"],
    ];
    const { text } = await answered(folder, "claude-code", flags);
    expect(text).toContain("--base-url https://gateway.example/v1 --judge-model my-judge --dry-run");
    const workflow = () => readFileSync(join(folder, WORKFLOW), "utf8");
    const { jobs } = parse(workflow()) as { jobs: { evals: { with: object; secrets: object } } };
    expect(jobs.evals.with).toMatchObject(Object.fromEntries(flags));
    expect(jobs.evals.secrets).toHaveProperty("JUDGE_KEY");
    rmSync(join(folder, WORKFLOW));
    await answered(folder, "claude-code", [...flags, ["full", "true"]]);
    expect(workflow()).not.toContain("ubuntu-latest");
    expect(workflow().match(/base-url: https:\/\/gateway\.example\/v1/g)).toHaveLength(2);
    expect(workflow()).not.toContain("api.anthropic.com");
  });

  test("a skill without evals gets two entries to edit, which load without a word", async () => {
    const folder = temporaryFolder("init");
    const skill = (name: string) => {
      const text = `---\nname: ${name}\ndescription: Cleans CSV files, "trims" cells. Use when: asked to clean.\n---\n`;
      put(folder, `skills/${name}/SKILL.md`, text);
    };
    skill("csv");
    const { text } = await answered(folder, "codex");
    expect(text).toContain("Wrote:\n  .github/workflows/evals.yml\n  skills/csv/evals/evals.json\n");
    expect(text).toContain("1. Edit skills/csv/evals/evals.json");
    const { suites, problems } = await loadSuites(undefined, folder);
    expect(problems.filter(({ level }) => level !== "notice")).toEqual([]);
    expect(suites[0]?.tasks).toHaveLength(2);
    const draft = readFileSync(join(folder, "skills/csv/evals/evals.json"), "utf8");
    expect(draft).toContain('Cleans CSV files, \\"trims\\" cells."');
    expect(draft).not.toContain("Use when");
    expect(existsSync(join(folder, "evals"))).toBe(false);
    rmSync(join(folder, "skills/csv/evals"), { recursive: true });
    skill("pdf");
    expect((await answered(folder, "codex")).text).toMatch(
      /of 2 skills `skills\/csv\/evals\/evals\.json`, `skills\/pdf\/evals\/evals\.json`.*--eval/,
    );
    rmSync(join(folder, WORKFLOW));
    // The first call writes the evals that the others find.
    for (const name of ["skills/pdf", "skills/pdf", "./skills/pdf/", "skills/pdf/SKILL.md"]) {
      rmSync(join(folder, WORKFLOW), { force: true });
      const named = await answered(folder, "codex", [["eval", name]]);
      expect(named.text).toContain("skills/pdf/evals/evals.json");
      expect(readFileSync(join(folder, WORKFLOW), "utf8")).toMatch(
        /eval: .*\n? *skills\/pdf\/evals\/evals\.json/,
      );
    }
    skill("xlsx");
    skill("docx");
    expect((await answered(folder, "codex")).text).toContain(
      "Without evals, and so not run: `csv`, `docx`, `xlsx`.",
    );
  });

  test("of a skill without a description the eval is made from the name, and says so", async () => {
    const folder = temporaryFolder("init");
    writeFileSync(join(folder, "SKILL.md"), "---\nname: csv\n---\n");
    expect((await answered(folder, "codex")).text).toContain(
      "1. Edit evals/evals.json, made from the skill's name, as its SKILL.md has no `description`",
    );
  });

  test("a suite of waza without a prompt grader is told what is missing, and nothing is written", async () => {
    const folder = temporaryFolder("init");
    const graders = "[{ type: text, name: t, config: { contains: [x] } }]";
    put(folder, "evals/a/eval.yaml", `name: a\ngraders: ${graders}\ntasks: [b.yaml]\n`);
    put(folder, "evals/a/b.yaml", "id: b\nname: b\ninputs: { prompt: hi }\n");
    const { text, isWritten } = await answered(folder, "codex");
    expect(text).toContain("evals/a/eval.yaml has no grader of `type: prompt`");
    expect(isWritten).toBe(false);
  });

  test("below the top of a repository, with its top", async () => {
    const top = temporaryFolder("init");
    mkdirSync(join(top, ".git"));
    mkdirSync(join(top, "a/b"), { recursive: true });
    const { text, isWritten } = await answered(join(top, "a/b"));
    expect(text).toContain(`here ${top}: run init there`);
    expect(isWritten).toBe(false);
    expect(readdirSync(join(top, "a/b"))).toEqual([]);
    expect(init(top)).not.toContain("in no repository");
  });

  test.each([
    ["an unknown agent", "hal", /`hal`.*`gemini`/],
    ["the beginning of an agent", "claude", /Did you mean `claude-code`/],
    ["a misspelled agent", "claude-cod", /Did you mean `claude-code`/],
  ])("%s", async (_case, agent, words) => {
    await expect(answered(temporaryFolder("init"), agent)).rejects.toThrow(words);
  });
});
