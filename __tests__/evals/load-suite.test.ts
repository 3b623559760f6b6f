import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Suite, Task } from "../../src/domain/suite.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { inALine, wordsOf } from "../support/problems.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

type Files = Readonly<Record<string, string>>;

async function load(files: Files, patterns: readonly string[] = ["**/eval.yaml"]) {
  const project = writeProject(files);
  return { project, ...(await loadSuites(patterns, project)) };
}

/** The one suite of an eval file, without a problem of any level. */
async function cleanSuite(files: Files | string): Promise<Suite> {
  const { suites, problems } = await load(typeof files === "string" ? { "eval.yaml": files } : files);
  expect(problems).toEqual([]);
  expect(suites).toHaveLength(1);
  return suites[0]!;
}

/** The only task of an eval, whose file has these lines below its id. */
async function cleanTask(...lines: string[]): Promise<Task> {
  const [task] = tasksOf(await cleanSuite(withTask("id: t", ...lines)));
  return task!;
}

function tasksOf(suite: Suite | undefined): readonly Task[] {
  if (!suite || suite.tasks === "every") throw new Error("the suite lists no tasks");
  return suite.tasks;
}

const idsOf = (suite: Suite | undefined) => tasksOf(suite).map(({ id }) => id);

/** What is said of the only eval: the problems, one a line; an error breaks the suite, and nothing else does. */
async function expectSaid(files: Files | string, problems: readonly string[], words = "") {
  const loaded = await load(typeof files === "string" ? { "eval.yaml": files } : files);
  expect(loaded.problems.map(inALine)).toEqual(problems);
  expect(wordsOf(loaded.problems)).toContain(words);
  expect(loaded.suites.map(({ broken }) => broken)).toEqual([/^error/m.test(problems.join("\n"))]);
  return loaded;
}

/** An eval whose only grader is a prompt grader with these further lines of config. */
function evalWith(...config: string[]): string {
  return [
    "name: demo",
    "graders:",
    "  - type: prompt",
    "    name: quality",
    "    config:",
    "      prompt: Judge it.",
    ...config.map((line) => `      ${line}`),
    "",
  ].join("\n");
}

/** An eval whose only grader is a prompt grader with these further lines beside its config. */
function graderWith(...lines: string[]): string {
  return [
    "graders:",
    "  - type: prompt",
    "    name: quality",
    ...lines.map((line) => `    ${line}`),
    "    config: {prompt: Judge it.}",
    "",
  ].join("\n");
}

const EVAL = "name: demo\ngraders:\n  - {type: prompt, name: quality, config: {prompt: Judge it.}}\n";

/** An eval with a task file of these lines. */
function withTask(...lines: string[]): Files {
  return { "eval.yaml": EVAL, "tasks/t.yaml": lines.map((line) => `${line}\n`).join("") };
}

describe("a plain suite", () => {
  test("is read with its judge model, graders of both kinds, and tasks in the order of the files", async () => {
    const suite = await cleanSuite({
      "evals/demo/eval.yaml": `name: demo
description: A suite
skill: writing
version: "1.0"
config:
  trials_per_task: 2
  executor: copilot-sdk
  judge_model: openai/gpt-chat-latest
metrics: []
graders:
  - type: prompt
    name: quality
    weight: 2.5
    config:
      model: minimax-m3:cloud
      prompt: Judge the writing.
  - type: code
    name: lint
    config: {assertions: ["true"]}
tasks:
  - tasks/*.yaml
`,
      "evals/demo/tasks/b.yaml": `id: eval:compute/app-service/linux-p1-v3
name: Second
inputs:
  prompt: Write about {{.Vars.topic}}.
graders:
  - type: prompt
    name: tone
    config: {prompt: Judge the tone.}
`,
      "evals/demo/tasks/a.yaml": "id: a\nenabled: false\n",
    });
    expect(suite).toMatchObject({
      name: "demo",
      title: "demo",
      judgeModel: "openai/gpt-chat-latest",
      broken: false,
      at: { path: "evals/demo/eval.yaml", inRepository: true },
      graders: [{ name: "quality", weight: 2.5, model: "minimax-m3:cloud", prompt: "Judge the writing." }],
      otherGraders: ["lint"],
      tasks: [
        { id: "a", name: "a", enabled: false, graders: [] },
        {
          id: "eval:compute/app-service/linux-p1-v3",
          name: "Second",
          enabled: true,
          prompt: "Write about {{.Vars.topic}}.",
          graders: [{ name: "tone", at: { path: "evals/demo/tasks/b.yaml" } }],
        },
      ],
    });
    expect(tasksOf(suite)[0]?.prompt).toBeUndefined();
  });

  test("paths are relative to the nearest folder with .git, not to the workspace", async () => {
    const project = writeProject({ "checkout/evals/eval.yaml": EVAL });
    mkdirSync(join(project, "checkout", ".git"));
    const { suites } = await loadSuites(["**/eval.yaml"], project);
    expect(suites[0]?.graders[0]?.at.path).toBe("evals/eval.yaml");
  });

  test("an eval outside the workspace is read, and said to be outside", async () => {
    const outside = temporaryFolder("outside");
    writeFileSync(join(outside, "eval.yaml"), EVAL);
    const { suites, problems } = await loadSuites([join(outside, "eval.yaml")], writeProject({}));
    expect(problems).toEqual([]);
    expect(suites[0]?.graders[0]?.at).toMatchObject({
      path: join(outside, "eval.yaml"),
      inRepository: false,
    });
  });

  test.each([
    ["no name at all", "graders: []\n"],
    ["a name without a value", "name:\ngraders: []\n"],
    ["an empty name in quotes", 'name: ""\ngraders: []\n'],
  ])("an eval with %s has its file as the title, and no name", async (_case, text) => {
    const suite = await cleanSuite({ "evals/eval.yaml": text });
    expect(suite.title).toBe("evals/eval.yaml");
    expect(suite.name).toBeUndefined();
  });

  test("evals of one name are reported apart by their files, and those without a fellow by their title", async () => {
    const other = evalWith().replace("name: demo", "name: other");
    const files = { "a/eval.yaml": evalWith(), "b/eval.yaml": evalWith(), "c/eval.yaml": other };
    const { suites } = await load(files);
    const keys = ["demo (a/eval.yaml)", "demo (b/eval.yaml)", undefined];
    expect(suites.map(({ key }) => key)).toEqual(keys);
  });
});

describe("the span of a grader", () => {
  const grader = `type: prompt
    name: strict
    weight: 2
    config:
      prompt: |
        First line.

        Last line.`;
  const text = `# a comment\nname: demo\ngraders:\n  - type: code\n    name: lint\n  - ${grader}\n\n\ntasks: []\n`;
  const json = { graders: [{ type: "prompt", config: { prompt: 'Say "1"\nor "0".' } }] };

  test.each<[string, string, string, readonly [number, number, number]]>([
    ["covers a block without the empty lines after it", text, "First line.\n\nLast line.\n", [6, 13, 5]],
    ["is the same with CRLF", text.replaceAll("\n", "\r\n"), "First line.\n\nLast line.\n", [6, 13, 5]],
    ["is the same behind a byte order mark", `\uFEFF${text}`, "First line.\n\nLast line.\n", [6, 13, 5]],
    [
      "is right on the first line, behind a byte order mark",
      "\uFEFFgraders: [{type: prompt, config: {prompt: x}}]",
      "x",
      [1, 1, 11],
    ],
    ["is found in JSON text", JSON.stringify(json, null, 2), 'Say "1"\nor "0".', [3, 8, 5]],
    [
      "is that of an entry of a bare list, as in waza's documentation",
      "- type: prompt\n  name: quality\n  config: {prompt: x}\n",
      "x",
      [1, 3, 3],
    ],
  ])("%s", async (_case, file, prompt, [startLine, endLine, startColumn]) => {
    const suite = await cleanSuite(file);
    expect(suite.graders).toMatchObject([
      { prompt, at: { path: "eval.yaml", startLine, endLine, startColumn } },
    ]);
  });

  test("of an alias is the place of the alias, with the anchored prompt and weight", async () => {
    const anchored = `x-shared: &shared
  type: prompt
  name: shared
  weight: 3
  config: {prompt: Shared instructions.}
graders:
  - *shared
`;
    const { suites, problems } = await load({ "eval.yaml": anchored });
    expect(problems.map(inALine)).toEqual(["notice unknown-keys eval.yaml:1"]);
    expect(suites[0]?.graders).toEqual([
      {
        name: "shared",
        weight: 3,
        prompt: "Shared instructions.",
        at: { path: "eval.yaml", inRepository: true, startLine: 7, endLine: 7, startColumn: 5 },
      },
    ]);
  });

  test("of a grader with merge keys is its own, and what it says itself wins over what it merges", async () => {
    const merged = `graders:
  - &base
    type: prompt
    name: base
    weight: 2
    config: &config
      model: base-model
      prompt: Base instructions.
  - <<: *base
    name: derived
    config:
      <<: *config
      model: own-model
`;
    const suite = await cleanSuite(merged);
    expect(suite.graders[1]).toMatchObject({
      name: "derived",
      weight: 2,
      prompt: "Base instructions.",
      model: "own-model",
      at: { startLine: 9, endLine: 13 },
    });
  });
});

describe("prompts are kept verbatim", () => {
  const prompt = [
    "Use {{#secrets}}, {{ x y }}, {output}, ${X}, $name and %PATH%.",
    '<criteria name="a & b">',
    '  {"json": [1, 2]} and ^re(gex)+$ # no comment',
    "</criteria>",
    "\tTab, trailing spaces:   ",
    "- set_waza_grade_pass — émoji 🎉",
  ].join("\n");

  test.each([
    ["a literal block", `|-\n${prompt.replaceAll(/^/gm, "        ")}`],
    ["a JSON string", JSON.stringify(prompt)],
  ])("in %s", async (_case, scalar) => {
    const suite = await cleanSuite(`graders:\n  - type: prompt\n    config:\n      prompt: ${scalar}\n`);
    expect(suite.graders[0]?.prompt).toBe(prompt);
  });

  test.each([
    ["a number", "42"],
    ["a number with leading zeros", "007"],
    ["a word that YAML 1.1 takes for a boolean", "yes"],
    ["a date", "2024-01-01"],
    ["the name of a variable of the environment", "$PATH ${PATH} {env.PATH}"],
  ])("%s is text", async (_case, value) => {
    const suite = await cleanSuite(evalWith().replace("Judge it.", value));
    expect(suite.graders[0]?.prompt).toBe(value);
  });
});

describe("values as waza reads them", () => {
  test.each<[string, string, Partial<Suite["graders"][number]>]>([
    ["no weight", graderWith(), { weight: 1 }],
    ["a weight without a value", graderWith("weight:"), { weight: 1 }],
    ["a fraction", graderWith("weight: 0.25"), { weight: 0.25 }],
    ["a whole number", graderWith("weight: 3"), { weight: 3 }],
    ["a model", evalWith("model: judge-1"), { model: "judge-1", continueSession: undefined }],
    ["`model: auto`", evalWith("model: auto"), { model: undefined }],
    ["an empty model", evalWith('model: ""'), { model: undefined }],
    ["a model that is null", evalWith("model: ~"), { model: undefined }],
    ["a continued session", evalWith("continue_session: true"), { continueSession: true }],
    ["a continued session in Go's word", evalWith("continue_session: yes"), { continueSession: true }],
    ["no continued session", evalWith("continue_session: false"), { continueSession: undefined }],
    ["a mode that is supported", evalWith("mode: independent"), { unsupported: undefined }],
    ["a rubric that is null", evalWith("rubric: ~"), { unsupported: undefined, rubric: undefined }],
    ["an effort", evalWith("reasoning_effort: high"), { effort: "high" }],
    ["the greatest effort", evalWith("reasoning_effort: max"), { effort: "max" }],
    ["an effort that is unset", evalWith("reasoning_effort: auto"), { effort: undefined }],
  ])("of a grader: %s", async (_case, text, expected) => {
    const suite = await cleanSuite(text);
    expect(suite.broken).toBe(false);
    expect(suite.graders).toMatchObject([{ name: "quality", ...expected }]);
  });

  test.each(["mode: best-of", "mode: pairwise"])(
    "`%s` is not supported and marks the grader, not the suite",
    async (unsupported) => {
      const suite = await cleanSuite(evalWith(unsupported));
      expect(suite.broken).toBe(false);
      expect(suite.graders).toMatchObject([{ name: "quality", unsupported }]);
    },
  );

  test.each<[string, Partial<Suite>]>([
    ["config: {judge_model: auto}", { judgeModel: undefined }],
    ["config: {judge_reasoning_effort: high}", { judgeEffort: "high" }],
    ["config: {judge_reasoning_effort: auto}", { judgeEffort: undefined }],
    ['name: "null"', { name: "null", title: "null" }],
    ['name: ""', { name: undefined, title: "eval.yaml" }],
    ["graders: []", { name: undefined, title: "eval.yaml" }],
    ...["~", "null", "Null", "NULL", ""].map((nothing): [string, Partial<Suite>] => [
      `name: ${nothing}\nconfig: ${nothing}\ntasks: ${nothing}\ngraders: ${nothing}`,
      { name: undefined, title: "eval.yaml", graders: [], tasks: "every" },
    ]),
  ])("of an eval: %j", async (text, expected) => {
    expect(await cleanSuite(`${text}\n`)).toMatchObject(expected);
  });

  test.each(["007", "1.0", "no", "1e3", "0x10"])("the plain task id %s stays text", async (id) => {
    const suite = await cleanSuite({ "eval.yaml": EVAL, "tasks/t.yaml": `id: ${id}\nname: ${id}\n` });
    expect(tasksOf(suite)).toMatchObject([{ id, name: id }]);
  });

  test.each<[boolean, readonly string[]]>([
    [false, ["off", "no", "No", "false", "FALSE", "n"]],
    [true, ["on", "yes", "true", "True", "y", "~", "null", ""]],
  ])("`enabled` is %s in all of Go's words", async (enabled, words) => {
    for (const word of words) expect(await cleanTask(`enabled: ${word}`)).toMatchObject({ enabled });
  });

  test.each([
    ["on", true],
    ["true", true],
    ["no", false],
    ["~", undefined],
  ])("`golden: %s`", async (value, golden) => {
    expect((await cleanTask(`golden: ${value}`)).golden).toBe(golden);
  });

  test("`script`, `rubric` and `model` beside `config` are ignored, as waza does", async () => {
    const text = graderWith("model: other", "rubric: x", "script: rm -rf /");
    const { suites } = await expectSaid(text, ["warning misspelled-key eval.yaml:4"]);
    expect(suites[0]?.graders[0]?.model).toBeUndefined();
    expect(suites[0]?.graders[0]?.unsupported).toBeUndefined();
  });

  test("unknown efforts are warnings at their lines, and a weight of nothing is 1", async () => {
    const text = `${evalWith("reasoning_effort: ultra")}config: {judge_reasoning_effort: ultra}\n`;
    const { suites } = await expectSaid(text, [
      "warning unknown-effort eval.yaml:7",
      "warning unknown-effort eval.yaml:8",
    ]);
    expect(suites).toMatchObject([{ judgeEffort: undefined, graders: [{ effort: undefined }] }]);
    for (const weight of ["0", "-2"]) {
      const problems = ["warning weight-of-zero eval.yaml:4"];
      const loaded = await expectSaid(graderWith(`weight: ${weight}`), problems, "name it in `advisory`");
      expect(loaded.suites[0]?.graders[0]?.weight).toBe(1);
    }
  });

  test.each<[string, string, string]>([
    ["type: promtp, config: {prompt: p}", "error misspelled-prompt-type", "write `type: prompt`"],
    ["type: Prompt, config: {prompt: p}", "error misspelled-prompt-type", "write `type: prompt`"],
    ["config: {prompt: p}", "error misspelled-prompt-type", "write `type: prompt`"],
    ["type: judge, config: {prompt: p}", "error misspelled-prompt-type", "write `type: prompt`"],
    ["type: tool_cals", "warning unknown-grader-type", "Did you mean `tool_calls`?"],
    ["type: vibes", "warning unknown-grader-type", "of waza's types"],
    ["type: prompt, enabled: false, config: {prompt: p}", "error grader-not-off", "is a key of tasks"],
    ["type: prompt, model: m, config: {prompt: p}", "warning misspelled-key", "Did you mean `config.model`?"],
    ['type: prompt, config: {prompt: "Is {{ x }} ok"}', "notice placeholder", "shown the task"],
    ["type: prompt, wieght: 2, config: {prompt: p}", "warning misspelled-key", "Did you mean `weight`?"],
    ["type: prompt, config: {prompt: p, modell: m}", "warning misspelled-key", "Did you mean `model`?"],
    [
      "type: prompt, continue_session: true, config: {prompt: p}",
      "warning misspelled-key",
      "Did you mean `config.continue_session`?",
    ],
    ["type: prompt, config: {promt: P}", "error misspelled-key", "Write `prompt:` in line 2."],
    ["type: prompt, config: {rubrik: x}", "error misspelled-key", "Write `rubric:` in line 2."],
    ["type: prompt, confg: {prompt: P}", "error misspelled-key", "Write `config:` in line 2."],
    ["type: prompt, prompt: P", "error misspelled-key", "Move `prompt:` of line 2 under `config:`"],
    ["type: prompt", "error grader-without-prompt", "Add `prompt:` under its `config:`"],
    ["type: prompt, config: {model: m}", "error grader-without-prompt", "the prompt grader `g` has no"],
    ['type: prompt, config: {prompt: ""}', "error grader-without-prompt", "the prompt grader `g` has no"],
    ['type: prompt, config: {prompt: " "}', "error grader-without-prompt", "the prompt grader `g` has no"],
    ["type: prompt, config: {prompt: }", "error grader-without-prompt", "the prompt grader `g` has no"],
  ])("a grader never vanishes in silence: %s", async (entry, problem, words) => {
    await expectSaid(`graders:\n  - {name: g, ${entry}}\n`, [`${problem} eval.yaml:2`], words);
  });
});

test("the whole eval that docs/evals.md begins with is read", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/evals.md"), "utf8");
  const files = [...page.matchAll(/```yaml\n# (\S+)\n([^`]+)```/g)].slice(0, 2);
  const suite = await cleanSuite(Object.fromEntries(files.map(([, path = "", text = ""]) => [path, text])));
  expect(suite).toMatchObject({
    name: "greet",
    graders: [{ name: "polite" }],
    tasks: [{ id: "bob", prompt: "Greet Bob." }],
  });
});

describe("a key that is not known", () => {
  test.each<[string, string, string]>([
    ["grader: []", "error misspelled-key eval.yaml:1", "Write `graders:` there."],
    ["Graders: []", "error misspelled-key eval.yaml:1", "Write `graders:` there."],
    ["task: [a.yaml]", "error misspelled-key eval.yaml:1", "Write `tasks:` there."],
    ["task_from: a.csv", "error misspelled-key eval.yaml:1", "Write `tasks_from:` there."],
    [
      "golden: true\nname: x",
      "error misplaced-key eval.yaml:1",
      "`golden` belongs at the top of a task file.",
    ],
    ["config:\n  graders: []", "error misplaced-key eval.yaml:2", "`graders` belongs at the top of the file"],
    ["config: {trials_per_tsk: 2}", "warning misspelled-key eval.yaml:1", "Did you mean `trials_per_task`?"],
    [
      "judge_model: gpt-5\nname: x",
      "warning misspelled-key eval.yaml:1",
      "Did you mean `config.judge_model`?",
    ],
    ["name: x\nextra:\n  nested:\n    one: 1", "notice unknown-keys eval.yaml:2", "`extra`"],
  ])("of an eval is an error where it decides what is graded: %j", async (text, problem, words) => {
    await expectSaid(`${text}\n`, [problem], words);
  });

  test.each<[string, string, string]>([
    ["goldn: true", "error misspelled-key tasks/t.yaml:2", "Write `golden:` there."],
    ["gradrs: []", "error misspelled-key tasks/t.yaml:2", "Write `graders:` there."],
    ["inputs: {prompt: p, golden: true}", "error misplaced-key tasks/t.yaml:2", "at the top of the file"],
    ["tasks: []", "error misplaced-key tasks/t.yaml:2", "`tasks` belongs at the top of an eval file."],
    ["input: {prompt: p}", "error misspelled-key tasks/t.yaml:2", "Write `inputs:` in line 2."],
    ["prompt: p", "error misspelled-key tasks/t.yaml:2", "Move `prompt:` of line 2 under `inputs:`"],
    ["prompt_file: p", "error misspelled-key tasks/t.yaml:2", "Move `prompt_file:` of line 2 under"],
    ["inputs: {promt: p}", "error misspelled-key tasks/t.yaml:2", "`promt` seems to be meant for `prompt`."],
    ["inputs: {prompt-file: p}", "error misspelled-key tasks/t.yaml:2", "Write `prompt_file:` in line 2."],
    ["promt: p", "error misspelled-key tasks/t.yaml:2", "Move `prompt:` of line 2 under `inputs:`"],
    ["inputs: {contxt: {}}", "warning misspelled-key tasks/t.yaml:2", "Did you mean `context`?"],
    ["inputs: {promts: p, prompt: q}", "notice unknown-keys tasks/t.yaml:2", "`inputs.promts`"],
    ["inputs:\n  persona: me", "notice unknown-keys tasks/t.yaml:3", "`inputs.persona`"],
    [
      "context: {}\ninputs: {prompt: p}",
      "warning misspelled-key tasks/t.yaml:2",
      "you mean `inputs.context`?",
    ],
    ["prompt: old\ninputs: {prompt: p}", "notice unknown-keys tasks/t.yaml:2", "`prompt`"],
  ])(
    "of a task is an error where the judge would not know what is asked: %j",
    async (text, problem, words) => {
      await expectSaid(withTask("id: t", text), [problem], words);
    },
  );

  describe("in an eval that nothing grades, a key that may hold its checks is an error, beside any other eval", () => {
    const at = (text: string, task = "id: t") => ({
      "a/eval.yaml": EVAL,
      "b/eval.yaml": `name: b\ntasks: [tasks/*.yaml]\n${text}\n`,
      "b/tasks/t.yaml": `${task}\n`,
    });
    const OTHER = "graders: [{type: code, name: g}]";

    test.each<[string, string, string | undefined, string | undefined]>([
      ["a list", "checks: [{type: prompt, config: {prompt: P.}}]", undefined, "checks"],
      ["a mapping with a list", "grading: {criteria: [polite]}", undefined, "grading"],
      ["a key of the guide of skills", "expectations: It is polite", undefined, "expectations"],
      ["of a task", "", "id: t\nchecks: [polite]", "checks"],
      ["none of these", "author: {name: A B}\nnotes: n n\ntags: [a]", "id: t\nowner: o o", undefined],
      ["a task with graders of its own", "checks: [a]", `id: t\n${OTHER}`, undefined],
      ["an eval with graders that only waza runs", `checks: [a]\n${OTHER}`, "id: t\nsteps: [a]", undefined],
    ])("%s", async (_case, text, task, key) => {
      const { suites, problems } = await load(at(text, task));
      const wrong = problems.flatMap(({ level, message }) => (level === "error" ? message : []));
      const what = task === undefined ? "eval" : "task";
      expect(wrong).toEqual(
        key === undefined ? [] : [`\`${key}\` is not read, and nothing grades the ${what}.`],
      );
      expect(suites.find(({ title }) => title === "b")?.broken).toBe(key !== undefined);
    });
  });

  test("is listed with those of all levels of its file, in one notice for each file", async () => {
    const text = `name: demo
owner: me
config:
  colour: red
graders:
  - type: prompt
    name: quality
    severity: high
    config:
      prompt: Judge it.
      temperature: 0
`;
    const files = { "eval.yaml": text, "tasks/a.yaml": "id: a\ntwo: 2\ninputs:\n  three: 3\n" };
    const { problems } = await expectSaid(files, [
      "notice unknown-keys tasks/a.yaml:2",
      "notice unknown-keys eval.yaml:2",
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      "unknown keys are ignored: `two`, `inputs.three`.",
      "unknown keys are ignored: `owner`, `config.colour`, `graders[].severity`, `graders[].config.temperature`.",
    ]);
  });

  test("is none of waza's own", async () => {
    const text = `schemaVersion: "2.0"
scenario: x
hooks: {before_run: [{command: rm -rf /}]}
inputs: {a: b}
metrics: [{name: m}]
baseline: true
config: {workers: 2, max_workers: 3, fail_fast: true, mcp_servers: {}}
`;
    expect((await cleanSuite(text)).broken).toBe(false);
  });
});

test.each<[string, string, string, readonly string[]]>([
  [
    "a glob without quotes",
    "eval.yaml",
    "name: x\ntasks:\n  - *.yaml\n",
    ["the file is not valid YAML: no anchor is called `.yaml`, and text that begins with `*` wants quotes."],
  ],
  [
    "a task that stands in the eval",
    "eval.yaml",
    "name: x\ntasks:\n  - id: a\n",
    [
      "`tasks[0]`: expected a glob of task files (a task is a file of its own, such as `tasks/first.yaml`), not a mapping.",
    ],
  ],
  ...["eval.yml", "evals.yaml", "evals/greet.yaml"].map(
    (file): [string, string, string, readonly string[]] => [
      `the name ${file}`,
      file,
      "graders: [{type: prompt, name: g, config: {prompt: P.}}]\n",
      [
        "No eval was found: no `**/eval.yaml` and no `**/evals/evals.json`.",
        `These files seem to hold evals and are not read: \`${file}\`.`,
      ],
    ],
  ),
  [
    "a skill by another name",
    "skills/x/skill.md",
    "---\nname: x\n---\n",
    [
      "No eval was found: no `**/eval.yaml` and no `**/evals/evals.json`.",
      "the file is not read as a skill, which agents know by the name `SKILL.md`.",
    ],
  ],
])("what a beginner writes is named for what it is: %s", async (_case, file, text, said) => {
  const { problems } = await loadSuites(undefined, writeProject({ [file]: text }));
  expect(problems.map(({ message }) => message)).toEqual(said);
});

describe("a problem names the file, what is wrong and where", () => {
  test.each<[string, string, string]>([
    ["text", "hello", "error wrong-value eval.yaml:1"],
    ["null", "null", "error wrong-value eval.yaml:1"],
    ["a number", "3", "error wrong-value eval.yaml:1"],
    ["an empty file", "", "error wrong-value eval.yaml:1"],
    ["an indentation that cannot be", "graders:\n  - a: b\n   c: d\n", "error invalid-yaml eval.yaml:3"],
    ["one below an empty line", "tasks: [a.yaml]\n\n graders:\n  - x\n", "error invalid-yaml eval.yaml:3"],
    ["a flow list never closed", 'name: x\ntasks: ["a.yaml"\n\n\n', "error invalid-yaml eval.yaml:2"],
    ["a second key of one name", "name: x\nskill: x\nname: y\n", "error invalid-yaml eval.yaml:3"],
    ["a quote never closed", 'name: x\nskill: "x\n', "error invalid-yaml eval.yaml:2"],
    ["a template that YAML takes for a mapping", "name: {{x}} y\n", "error invalid-yaml eval.yaml:1"],
    ["an alias without an anchor", "name: x\nskill: *gone\n", "error invalid-yaml eval.yaml:2"],
    ["a merge of what is no mapping", "config: {<<: 0}\n", "error invalid-yaml eval.yaml:1"],
  ])("a file that is no eval: %s", async (_case, text, problem) => {
    const { suites } = await expectSaid(text, [problem]);
    expect(suites).toMatchObject([{ tasks: [], graders: [] }]);
  });

  test.each<[string, string]>([
    ["hello", "expected an eval: a mapping with `tasks` and `graders`, and the file holds something else."],
    ["", "expected an eval: a mapping with `tasks` and `graders`, and the file is empty."],
    ["name: demo\nskill: *gone\n", "Correct line 2, column 8, and check the indentation there;"],
    ["name: demo\nskill: x\nname: other\n", "Correct line 3, column 1, and check"],
  ])("%j has words for it", async (text, words) => {
    expect(wordsOf((await load({ "eval.yaml": text })).problems)).toContain(words);
  });

  test.each<[string, string, number, string]>([
    ["graders is a mapping", "name: x\ngraders: {a: b}\n", 2, "a list of graders, not a mapping."],
    ["a grader is text", "name: demo\ngraders:\n  - quality\n", 3, "`graders[0]`"],
    ["type:prompt", "graders: [type:prompt]\n", 1, "Write a space after the colon in line 1."],
    ["tasks is text", "name: demo\ntasks: tasks/*.yaml\n", 2, "not `tasks/*.yaml`"],
    ["a weight is a word", graderWith("weight: heavy"), 4, "not `heavy`"],
    ["trials are a word", "config: {trials_per_task: three}\n", 1, "expected a number, not `three`"],
    ["a weight is a list", graderWith("weight: [1]"), 4, "`graders[0].weight`"],
    ["a config is text", "graders:\n  - type: prompt\n    config: x\n", 3, "`graders[0].config`"],
    ["a prompt is a list", evalWith().replace("Judge it.", "[a, b]"), 6, "`graders[0].config.prompt`"],
    ["a switch is a word", evalWith("continue_session: maybe"), 7, "`graders[0].config.continue_session`"],
    ["a name is a list", "name: [a]\n", 1, "`name`"],
    ["config is a list", "name: x\nconfig: [a]\n", 2, "not a list"],
  ])("a wrong type: %s", async (_case, text, line, words) => {
    await expectSaid(text, [`error wrong-value eval.yaml:${String(line)}`], words);
  });

  test("a colon without a space below a dash is named, too", async () => {
    const text = "graders:\n  - type:prompt\n    name: g\n";
    await expectSaid(text, ["error invalid-yaml eval.yaml:2"], "Write a space after the colon in line 2.");
  });

  test.each<[string, string, number, string]>([
    ["the id is missing", "name: T\ninputs: {prompt: p}\n", 1, "Add `id:` there."],
    ["the id is null", "name: T\nid: ~\n", 2, "Add `id:` there."],
    ["the id is empty", 'name: T\nid: ""\n', 2, "`id`: expected the task's id"],
    ["the id is a list", "name: T\nid: [a]\n", 2, "`id`: expected the task's id"],
    ["the id is misspelled", "name: T\nidd: t\n", 2, "`idd` seems to be meant for `id`. Write `id:`"],
    ["another key is no id", "identifier: u\ninputs: {id: u}\n", 1, "there is none. Add `id:`"],
    ["`enabled` is a word", "id: t\nenabled: sometimes\n", 2, "`enabled`"],
    ["`golden` is a word", "id: t\ngolden: very\n", 2, "`golden`"],
    ["`inputs` is text", "id: t\ninputs: do it\n", 2, "`inputs`"],
    ["a task's prompt is a mapping", "id: t\ninputs:\n  prompt: {a: b}\n", 3, "`inputs.prompt`"],
    ["the file is a list", "- id: t\n", 1, "expected a task"],
    ["the file is empty", "", 1, "expected a task"],
  ])("a wrong value in a task: %s", async (_case, text, line, words) => {
    await expectSaid(withTask(text), [`error wrong-value tasks/t.yaml:${String(line)}`], words);
  });

  test.each<[string, string]>([
    ["prompt: Is it #12?", '"Is it #12?"'],
    ["prompt: Is it # 12?", '"Is it # 12?"'],
    ["prompt: Is it. #12", '"Is it. #12"'],
    ["prompt: Judge it.\n      # A comment.", ""],
    ["prompt: Judge it. # A comment.", ""],
    ['prompt: "Is it #12?" # yes', ""],
    ["prompt: |\n        Is it #12?", ""],
    ["prompt: Judge it.\n      mode: independent # as usual", ""],
  ])("a text without quotes that a ` #` cuts is a warning with the quotes: %j", async (line, quoted) => {
    const eval_ = `name: demo # ours\ngraders:\n  - type: prompt\n    name: a\n    config:\n      ${line}\n`;
    const said = quoted === "" ? [] : ["warning cut-text eval.yaml:6"];
    await expectSaid(eval_, said, quoted);
    const named = await load({ "eval.yaml": eval_.replace("name: a", "name: a #1") });
    expect(named.problems.map(inALine)).toEqual(["warning cut-text eval.yaml:4", ...said]);
  });

  test("every wrong type of a file is reported, not only the first", async () => {
    const problems = [1, 2, 3].map((line) => `error wrong-value eval.yaml:${String(line)}`);
    await expectSaid("name: [a]\ntasks: y\ngraders: x\n", problems);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["prompt graders", ["prompt", "prompt"], ["Second."]],
    ["a prompt grader above", ["prompt", "code"], []],
    ["a prompt grader below", ["code", "prompt"], ["Second."]],
  ])("of two graders of one name the later wins, with a warning there: %s", async (_case, types, prompts) => {
    const [first = "", second = ""] = types.map(
      (type) => `  - {type: ${type}, name: same, config: {prompt: `,
    );
    const text = `graders:\n${first}First.}}\n${second}Second.}}\n`;
    const { suites } = await expectSaid(text, ["warning same-grader eval.yaml:3"], "`same`");
    expect(suites[0]?.graders.map(({ prompt }) => prompt)).toEqual(prompts);
  });

  test("two tasks of one id name both files, and of a file with several documents the first is read", async () => {
    const twice = { "eval.yaml": EVAL, "tasks/a.yaml": "id: same\n", "tasks/b.yaml": "id: same\n" };
    await expectSaid(twice, ["error taken-task tasks/b.yaml:1"], "`same` is taken by `tasks/a.yaml`");
    const several = withTask("id: first", "---", "id: second", "---", "id: third");
    const problems = ["warning several-documents tasks/t.yaml:2"];
    const { suites } = await expectSaid(several, problems, "3 YAML documents");
    expect(idsOf(suites[0])).toEqual(["first"]);
    expect(await cleanSuite(`---\n${EVAL}`)).toMatchObject({ name: "demo" });
  });

  test.each(["link", "folder"])(
    "a file that is a %s, and no file behind it, cannot be read, and the others are loaded",
    async (path) => {
      const project = writeProject({ "b/eval.yaml": EVAL });
      symlinkSync(join(project, "gone"), join(project, "link"));
      mkdirSync(join(project, "folder"));
      const { suites, problems } = await loadSuites([path, "b/eval.yaml"], project);
      expect(problems).toMatchObject([
        { level: "error", message: expect.stringContaining(`\`${path}\``) as unknown },
      ]);
      expect(suites.filter(({ broken }) => !broken).map(({ name }) => name)).toEqual(["demo"]);
    },
  );

  test("a file that cannot be read: no permission", async () => {
    const project = writeProject({ "eval.yaml": EVAL });
    chmodSync(join(project, "eval.yaml"), 0);
    const { problems } = await loadSuites(["**/eval.yaml"], project);
    // Root reads every file.
    const isRoot = process.getuid?.() === 0;
    expect(wordsOf(problems)).toMatch(isRoot ? /^$/ : /the file cannot be read: permission denied\./);
  });
});

describe("which tasks a suite has", () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      "without `tasks`, tasks/*.yaml beside it",
      "",
      ["evals/tasks/a.yaml", "evals/tasks/deeper/b.yaml", "tasks/c.yaml"],
      ["evals/tasks/a.yaml"],
    ],
    [
      "an empty list of `tasks` is as good as none, so that nothing goes green",
      "tasks: []",
      ["evals/tasks/a.yaml"],
      ["evals/tasks/a.yaml"],
    ],
    [
      "a file that two globs match is one task; nested folders and exact names work",
      "tasks: [tasks/**/*.yaml, tasks/a.yaml, '../shared/[x].yaml']",
      ["evals/tasks/a.yaml", "evals/tasks/x/y/b.yaml", "shared/[x].yaml"],
      ["evals/tasks/a.yaml", "evals/tasks/x/y/b.yaml", "shared/[x].yaml"],
    ],
    [
      "a leading `!` excludes",
      'tasks: ["tasks/*.yaml", "!tasks/draft-*.yaml"]',
      ["evals/tasks/a.yaml", "evals/tasks/draft-b.yaml"],
      ["evals/tasks/a.yaml"],
    ],
  ])("%s", async (_case, tasks, files, ids) => {
    const texts = files.map((file) => [file, `id: ${file}\n`] as const);
    const suite = await cleanSuite({ "evals/eval.yaml": `${EVAL}${tasks}\n`, ...Object.fromEntries(texts) });
    expect(idsOf(suite)).toEqual(ids);
  });

  test.each(["b.yml", "B.YAML", "b.yaml.txt", "b.json", "sub/b.yaml"])(
    "a file that holds a task and that no glob takes is named: %s",
    async (name) => {
      const task = name.endsWith(".json")
        ? '{"id": "b", "inputs": {"prompt": "p"}}'
        : "id: b\ninputs: {prompt: p}\n";
      const files = {
        "evals/eval.yaml": EVAL,
        "evals/tasks/a.yaml": "id: a\n",
        [`evals/tasks/${name}`]: task,
        "evals/tasks/c.yml": "rows: [1]\n",
        "evals/fixtures/package.json": '{"id": "x"}',
      };
      const { problems } = await expectSaid(files, [`notice unread-tasks evals/tasks/${name}:1`]);
      expect(wordsOf(problems)).toContain("`evals/tasks/");
      const own = { "evals/tasks/sub/eval.yaml": `${EVAL}tasks: ["../${name}"]\n` };
      expect((await load({ ...files, ...own })).unread).toEqual([]);
    },
  );

  test("the tasks of an eval that cannot be read are not named", async () => {
    const tasks = { "evals/tasks/a.yaml": "id: a\ninputs: {prompt: p}\n" };
    for (const wrong of ["config: {trials_per_task: three}\n", "graders: []\n"])
      expect((await load({ "evals/eval.yaml": EVAL + wrong, ...tasks })).unread).toEqual([]);
  });

  test("without `tasks` and without tasks beside it, every task of the results", async () => {
    expect((await cleanSuite(EVAL)).tasks).toBe("every");
  });

  test.each<[string, string, string, string]>([
    ["a list that only excludes", 'tasks: ["!tasks/t.yaml"]', "error all-excluded", "excludes every"],
    ["a list that excludes all it includes", 'tasks: ["tasks/*.yaml", "!tasks/*"]', "error all-excluded", ""],
    ["a glob without a match", "tasks: [cases/*.yaml]", "error no-match", "`cases/*.yaml`"],
    [
      "one below a folder that exists, the deepest of which is named",
      "tasks: [tasks/deep/*.yaml]",
      "error no-match",
      "`tasks` exists, but nothing in it matches.",
    ],
    ...["{a,aa,aaa}".repeat(4), "**/a/**/a/**/a/**/b.yaml"].map((glob): [string, string, string, string] => [
      `a glob that could take for ever to match: ${glob}`,
      `tasks: ["tasks/${glob}"]`,
      "error unreasonable-glob",
      "the tasks glob",
    ]),
  ])("%s is a problem at its line", async (_case, line, problem, words) => {
    const files = { "eval.yaml": `${EVAL}${line}\n`, "tasks/t.yaml": "id: t\n" };
    await expectSaid(files, [`${problem} eval.yaml:4`], words);
  });
});

describe("task files stay inside the repository", () => {
  /** A project with a link to a task outside, beside whose folder no eval may reach. */
  function withOutsider(glob: (outside: string) => string): { project: string; pattern: string } {
    const outside = temporaryFolder("outside");
    writeFileSync(join(outside, "secret.yaml"), "id: secret\n");
    const pattern = glob(outside);
    const project = writeProject({
      "evals/eval.yaml": `${EVAL}tasks: [inside.yaml, "${pattern}"]\n`,
      "evals/inside.yaml": "id: inside\n",
    });
    symlinkSync(join(outside, "secret.yaml"), join(project, "evals", "linked.yaml"));
    return { project, pattern };
  }

  test.each<[string, (outside: string) => string]>([
    ["leads upwards", () => "../../*/secret.yaml"],
    ["leads upwards, to nothing", () => "../../../nothing/*.yaml"],
    ["leads upwards, in the middle", () => "x/../../../*/secret.yaml"],
    ["is absolute", () => "/etc/*.yaml"],
    ["is the path of a file outside", (outside) => join(outside, "secret.yaml")],
    ["leads out by braces", (outside) => `{inside,../../${outside.split("/").at(-1)!}/secret}.yaml`],
    ["is a link that leads out", () => "linked.yaml"],
    ["excludes from the root of the disk", () => "!/**/*.yaml"],
    ["excludes outside", () => "!../../**/*.yaml"],
    ["excludes outside by braces", () => "!{a,..}/../**"],
  ])("a glob that %s is refused", async (_case, glob) => {
    const { project, pattern } = withOutsider(glob);
    const { suites, problems } = await loadSuites(["**/eval.yaml"], project);
    expect(problems.map(inALine)).toEqual(["error leaves-repository evals/eval.yaml:4"]);
    expect(problems[0]?.message).toContain(`\`${pattern}\``);
    expect(suites.map(({ broken }) => broken)).toEqual([true]);
    expect(JSON.stringify({ suites, problems })).not.toContain('"secret"');
  });

  test("a link within the repository is fine, and so is a repository behind a link", async () => {
    const project = writeProject({
      "evals/eval.yaml": `${EVAL}tasks: [linked.yaml]\n`,
      "shared/t.yaml": "id: shared\n",
    });
    symlinkSync(join(project, "shared", "t.yaml"), join(project, "evals", "linked.yaml"));
    const link = join(temporaryFolder("link"), "workspace");
    symlinkSync(project, link);
    for (const workspace of [project, link]) {
      const { suites, problems } = await loadSuites(["evals/eval.yaml"], workspace);
      expect(problems).toEqual([]);
      expect(idsOf(suites[0])).toEqual(["shared"]);
    }
  });

  test("a repository that is checked out below the workspace ends at its own root", async () => {
    const project = writeProject({
      "checkout/eval.yaml": `${EVAL}tasks: ["../other/*.yaml"]\n`,
      "other/t.yaml": "id: secret\n",
    });
    mkdirSync(join(project, "checkout", ".git"));
    const { problems } = await loadSuites(["**/eval.yaml"], project);
    expect(problems.map(inALine)).toEqual(["error leaves-repository eval.yaml:4"]);
  });
});

describe("which eval files are loaded", () => {
  test.each([
    ["the default finds all depths and dot folders", ["**/eval.yaml"], ["a", "dot", "draft", "root"]],
    ["`!` excludes a folder", ["**/eval.yaml", "!drafts/**"], ["a", "dot", "root"]],
    ["`!` excludes a file that is named", ["eval.yaml", "evals/a/eval.yaml", "!eval.yaml"], ["a"]],
    ["`!` may come first", ["!drafts/**", "**/eval.yaml"], ["a", "dot", "root"]],
    [
      "several patterns, each file once",
      ["eval.yaml", "**/eval.yaml", "evals/**/*.yaml"],
      ["a", "dot", "draft", "root", "semantic"],
    ],
    ["braces and question marks", ["evals/?/{eval,eval.semantic}.yaml"], ["a", "semantic"]],
  ])("%s", async (_case, patterns, names) => {
    const { suites, problems } = await load(
      {
        "eval.yaml": "name: root\n",
        "evals/a/eval.yaml": "name: a\n",
        "evals/a/eval.semantic.yaml": "name: semantic\n",
        ".github/skills/x/evals/eval.yaml": "name: dot\n",
        "drafts/eval.yaml": "name: draft\n",
        "node_modules/pkg/eval.yaml": "name: package\n",
        "evals/node_modules/pkg/eval.yaml": "name: nested package\n",
        ".git/eval.yaml": "name: git\n",
      },
      patterns,
    );
    expect(problems).toEqual([]);
    expect(suites.map(({ name }) => name).sort()).toEqual(names);
  });

  test.each([
    ["evals/a", ["a"]],
    ["evals", ["a", "b", "pdf"]],
    ["skills/pdf/", ["pdf"]],
    ["skills/pdf/SKILL.md", ["pdf"]],
    ["skills/pdf/evals/../", ["pdf"]],
  ])("a folder is the evals in it: %s", async (folder, names) => {
    const skill = JSON.stringify({ skill_name: "pdf", evals: [{ id: 1, prompt: "p", assertions: ["a"] }] });
    const files = {
      "evals/a/eval.yaml": "name: a\n",
      "evals/b/deeper/eval.yaml": "name: b\n",
      "evals/pdf/evals.json": skill.replaceAll("skill_name", "skill"),
      "evals/pdf/evals/evals.json": "{",
      "skills/pdf/SKILL.md": "---\nname: pdf\n---\n",
      "skills/pdf/evals/evals.json": skill,
      "skills/other/evals/evals.json": "{",
    };
    const { suites, problems } = await load(files, [folder]);
    expect(problems.filter(({ level }) => level === "error")).toEqual([]);
    expect(suites.map(({ title }) => title).sort()).toEqual(names);
  });

  test("node_modules and .git are not entered even when a wildcard names them", async () => {
    const { suites, problems } = await load(
      { "node_modules/p/eval.yaml": "name: package\n", ".git/x/eval.yaml": "name: git\n" },
      ["node_modules/**/eval.yaml", ".git/*/eval.yaml"],
    );
    expect(suites).toEqual([]);
    expect(problems.map(inALine)).toEqual(["error no-match", "error no-match"]);
  });

  test.each(["plain", ".github/evals"])("a link to a file is a file, in %s", async (folder) => {
    const project = writeProject({ "real.yaml": "name: real\n", [`${folder}/other.yaml`]: "" });
    symlinkSync(join(project, "real.yaml"), join(project, folder, "eval.yaml"));
    const { suites } = await loadSuites(["**/eval.yaml"], project);
    expect(suites.map(({ name }) => name)).toEqual(["real"]);
    const none = await loadSuites(["**/eval.yaml", `${folder}/eval.yaml`, `!${folder}/*`], project);
    expect(none.suites).toEqual([]);
  });

  test("linked folders are not followed", async () => {
    const outside = temporaryFolder("outside");
    writeFileSync(join(outside, "eval.yaml"), "name: outside\n");
    const project = writeProject({ "eval.yaml": "name: inside\n" });
    symlinkSync(outside, join(project, "linked"));
    const { suites } = await loadSuites(["**/eval.yaml"], project);
    expect(suites.map(({ name }) => name)).toEqual(["inside"]);
  });

  test.each([
    ["brackets", "evals/[draft]/eval.yaml"],
    ["braces", "evals/{a,b}/eval.yaml"],
    ["a star", "evals/a*b/eval.yaml"],
  ])("the very name of a file matches it, %s and all", async (_case, path) => {
    const { suites, problems } = await load({ [path]: "name: odd\n" }, [path]);
    expect(problems).toEqual([]);
    expect(suites.map(({ name }) => name)).toEqual(["odd"]);
  });

  test("a glob without a match is a problem that names it and the folder; the others are loaded", async () => {
    const { project, suites, problems } = await load({ "a/eval.yml": EVAL }, [
      "a/*.yml",
      "**/eval.yaml",
      "!x/**",
    ]);
    expect(suites).toHaveLength(1);
    expect(problems.map(inALine)).toEqual(["error no-match"]);
    expect(wordsOf(problems)).toContain("`**/eval.yaml`");
    expect(wordsOf(problems)).toContain(project);
    const empty = await load({}, ["evals/*/eval.yaml"]);
    expect(wordsOf(empty.problems)).toContain("Set `eval` to your eval file");
  });

  test.each<[string, Readonly<Record<string, string>>, readonly string[] | undefined, boolean]>([
    ["in a folder without any eval", { "README.md": "" }, undefined, true],
    ["in an empty folder", {}, undefined, true],
    ["beside an eval of another name", { "eval.yml": EVAL }, undefined, true],
    ["where an eval is named", { "README.md": "" }, ["evals/eval.yaml"], false],
  ])("init is mentioned %s: fourth column", async (_case, files, input, mentioned) => {
    const project = writeProject(files);
    const { problems } = await loadSuites(input, project);
    expect(problems.filter(({ level }) => level === "error")).toHaveLength(1);
    expect(["none-found", "empty-workspace"].includes(problems[0]?.code ?? "")).toBe(mentioned);
  });
});

describe("a vally file", () => {
  const VALLY = "name: v\nstimuli:\n  - prompt: x\ndefaults: {runs: 3}\n";

  test("is a failure when nothing else is left", async () => {
    const { suites, problems } = await load({ "v/eval.yaml": VALLY });
    expect(suites).toEqual([]);
    expect(problems.map(inALine)).toEqual(["error no-evals", "notice other-format v/eval.yaml:2"]);
  });

  test.each<[string, string, (project: string) => string]>([
    ["by its path", "v/eval.yaml", () => "v/eval.yaml"],
    ["by its path with a dot before", "v/eval.yaml", () => "./v/eval.yaml"],
    ["by its absolute path", "v/eval.yaml", (project) => join(project, "v", "eval.yaml")],
    ["in a repository below the workspace", "v.yaml", () => "sub/v.yaml"],
  ])("that is named %s is an error", async (_case, path, pattern) => {
    const project = writeProject({ "a/eval.yaml": EVAL, "v/eval.yaml": VALLY, "sub/v.yaml": VALLY });
    mkdirSync(join(project, "sub", ".git"));
    const { problems } = await loadSuites(["a/eval.yaml", pattern(project)], project);
    expect(problems.map(inALine)).toEqual([`error other-format ${path}:2`]);
  });
});

describe("hostile files", () => {
  test("an anchor that many graders merge is no bomb", async () => {
    const graders = Array.from({ length: 150 }, (_, index) => `  - {<<: *base, name: g${String(index)}}`);
    const text = `graders:\n  - &base {type: prompt, name: base, config: {prompt: P.}}\n${graders.join("\n")}\n`;
    expect((await cleanSuite(text)).graders).toHaveLength(151);
  });

  test("keys that name parts of JavaScript's objects change nothing", async () => {
    const text = `__proto__: {graders: [{type: prompt}]}\nconstructor: x\ntoString: y\n${EVAL}`;
    const { suites } = await expectSaid(text, ["notice unknown-keys eval.yaml:1"]);
    expect(suites[0]?.graders.map(({ name }) => name)).toEqual(["quality"]);
    expect({}).not.toHaveProperty("graders");
  });

  test("a file of a binary is a problem, not a crash", async () => {
    const project = writeProject({ "b/eval.yaml": EVAL });
    writeFileSync(join(project, "eval.yaml"), Buffer.from([0xff, 0xfe, 0, 1, 2, 0x7b, 0, 0xc3, 0x28]));
    const { suites, problems } = await loadSuites(["**/eval.yaml"], project);
    expect(problems.map(inALine)).toEqual(["error unreadable-file eval.yaml:1"]);
    expect(suites.map(({ broken }) => broken).sort()).toEqual([false, true]);
  });
});
