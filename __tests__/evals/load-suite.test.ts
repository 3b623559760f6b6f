import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Problem } from "../../src/domain/problem.ts";
import type { Suite, Task } from "../../src/domain/suite.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

type Files = Readonly<Record<string, string>>;

async function load(files: Files, patterns: readonly string[] = ["**/eval.yaml"]) {
  const project = writeProject(files);
  return { project, ...(await loadSuites(patterns, project)) };
}

/** The one suite of an eval file, without a problem of any level. */
async function cleanSuite(files: Files): Promise<Suite> {
  const { suites, problems } = await load(files);
  expect(problems).toEqual([]);
  expect(suites).toHaveLength(1);
  return suites[0]!;
}

function tasksOf(suite: Suite | undefined): readonly Task[] {
  if (!suite || suite.tasks === "every") throw new Error("the suite lists no tasks");
  return suite.tasks;
}

/** The text of the only problem, message and help in one. */
function only(problems: readonly Problem[]): Problem & { readonly text: string } {
  expect(problems.map(({ message }) => message)).toHaveLength(1);
  return { ...problems[0]!, text: `${problems[0]!.message} ${problems[0]!.help ?? ""}` };
}

function errors(problems: readonly Problem[]): readonly string[] {
  return problems.filter(({ level }) => level === "error").map(({ message }) => message);
}

/** Lines, from 1, of the first and the last line of `part` within `text`. */
function linesOf(text: string, part: string): { startLine: number; endLine: number } {
  const start = text.indexOf(part);
  if (start < 0) throw new Error(`the text lacks ${part}`);
  const startLine = text.slice(0, start).split("\n").length;
  return { startLine, endLine: startLine + part.split("\n").length - 1 };
}

/** An eval whose only grader is a prompt grader with these further lines of config, named in column 6. */
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

describe("a plain suite", () => {
  const files = {
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
  };

  test("is read with its name, judge model, graders of both kinds and tasks in the order of the files", async () => {
    const suite = await cleanSuite(files);
    expect(suite).toMatchObject({
      name: "demo",
      title: "demo",
      judgeModel: "openai/gpt-chat-latest",
      broken: false,
      at: { path: "evals/demo/eval.yaml", inRepository: true },
      otherGraders: [{ name: "lint", type: "code" }],
    });
    expect(suite.graders).toEqual([
      expect.objectContaining({
        name: "quality",
        weight: 2.5,
        model: "minimax-m3:cloud",
        prompt: "Judge the writing.",
      }),
    ]);
    expect(tasksOf(suite).map(({ id }) => id)).toEqual(["a", "eval:compute/app-service/linux-p1-v3"]);
  });

  test("keeps a task's prompt with its template, its name, and the id as the name where there is none", async () => {
    const [first, second] = tasksOf(await cleanSuite(files));
    expect(first).toMatchObject({ name: "a", enabled: false, graders: [] });
    expect(first?.prompt).toBeUndefined();
    expect(second).toMatchObject({ name: "Second", enabled: true, prompt: "Write about {{.Vars.topic}}." });
    expect(second?.graders).toMatchObject([{ name: "tone", at: { path: "evals/demo/tasks/b.yaml" } }]);
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

  test("a file that is only a `graders:` list is a suite", async () => {
    const suite = await cleanSuite({ "eval.yaml": graderWith() });
    expect(suite.graders.map(({ name }) => name)).toEqual(["quality"]);
  });

  test("a file that is a bare list of graders, as in waza's documentation, is a suite", async () => {
    const text = "- type: prompt\n  name: quality\n  config: {prompt: Judge it.}\n";
    const suite = await cleanSuite({ "eval.yaml": text });
    expect(suite.graders).toMatchObject([{ name: "quality", at: { startLine: 1, endLine: 3 } }]);
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

  test("covers a block scalar prompt, without the empty lines after it", async () => {
    const suite = await cleanSuite({ "eval.yaml": text });
    expect(suite.graders[0]?.at).toMatchObject({
      path: "eval.yaml",
      startColumn: 5,
      ...linesOf(text, grader),
    });
  });

  test("is the same in a file with CRLF, and the prompt's lines end in LF", async () => {
    const suite = await cleanSuite({ "eval.yaml": text.replaceAll("\n", "\r\n") });
    expect(suite.graders[0]?.at).toMatchObject(linesOf(text, grader));
    expect(suite.graders[0]?.prompt).toBe("First line.\n\nLast line.\n");
  });

  test("is the same behind a byte order mark", async () => {
    const suite = await cleanSuite({ "eval.yaml": `\uFEFF${text}` });
    expect(suite.name).toBe("demo");
    expect(suite.graders[0]?.at).toMatchObject(linesOf(text, grader));
  });

  test("is right on the first line of a file with a byte order mark", async () => {
    const suite = await cleanSuite({ "eval.yaml": `\uFEFFgraders: [{type: prompt, config: {prompt: x}}]` });
    expect(suite.graders[0]?.at).toMatchObject({ startLine: 1, endLine: 1, startColumn: 11 });
  });

  test("is found in JSON text", async () => {
    const json = JSON.stringify(
      { name: "demo", graders: [{ type: "prompt", name: "q", config: { prompt: 'Say "1"\nor "0".' } }] },
      null,
      2,
    );
    const suite = await cleanSuite({ "eval.yaml": json });
    expect(suite.graders[0]?.prompt).toBe('Say "1"\nor "0".');
    const lines = json.split("\n");
    expect(suite.graders[0]?.at).toMatchObject({
      startLine: lines.indexOf("    {") + 1,
      endLine: lines.indexOf("    }") + 1,
    });
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
    expect(errors(problems)).toEqual([]);
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
    const suite = await cleanSuite({ "eval.yaml": merged });
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
    const text = `graders:\n  - type: prompt\n    config:\n      prompt: ${scalar}\n`;
    const suite = await cleanSuite({ "eval.yaml": text });
    expect(suite.graders[0]?.prompt).toBe(prompt);
  });

  test("environment variables of the process are not put in", async () => {
    const suite = await cleanSuite({
      "eval.yaml": evalWith().replace("Judge it.", '"$PATH ${PATH} {env.PATH}"'),
    });
    expect(suite.graders[0]?.prompt).toBe("$PATH ${PATH} {env.PATH}");
  });

  test.each([
    ["a number", "42"],
    ["a number with leading zeros", "007"],
    ["a word that YAML 1.1 takes for a boolean", "yes"],
    ["a date", "2024-01-01"],
  ])("%s is text", async (_case, value) => {
    const suite = await cleanSuite({ "eval.yaml": evalWith().replace("Judge it.", value) });
    expect(suite.graders[0]?.prompt).toBe(value);
  });
});

describe("values as waza reads them", () => {
  test.each([
    ["no weight", [], 1],
    ["a weight without a value", ["weight:"], 1],
    ["a fraction", ["weight: 0.25"], 0.25],
    ["a whole number", ["weight: 3"], 3],
  ])("%s", async (_case, lines, weight) => {
    const suite = await cleanSuite({ "eval.yaml": graderWith(...lines) });
    expect(suite.graders[0]?.weight).toBe(weight);
  });

  test.each(["0", "-2"])("a weight of %s is 1, with a warning", async (weight) => {
    const { suites, problems } = await load({ "eval.yaml": graderWith(`weight: ${weight}`) });
    expect(suites[0]?.graders[0]?.weight).toBe(1);
    expect(only(problems)).toMatchObject({ level: "warning", at: { startLine: 4 } });
  });

  test.each(["007", "1.0", "no", "1e3", "0x10"])("the plain task id %s stays text", async (id) => {
    const suite = await cleanSuite({ "eval.yaml": EVAL, "tasks/t.yaml": `id: ${id}\nname: ${id}\n` });
    expect(tasksOf(suite)).toMatchObject([{ id, name: id }]);
  });

  test.each([
    ["off", false],
    ["no", false],
    ["No", false],
    ["false", false],
    ["FALSE", false],
    ["on", true],
    ["yes", true],
    ["true", true],
    ["~", true],
    ["null", true],
    ["", true],
  ])("`enabled: %s`", async (value, enabled) => {
    const suite = await cleanSuite({ "eval.yaml": EVAL, "tasks/t.yaml": `id: t\nenabled: ${value}\n` });
    expect(tasksOf(suite)[0]?.enabled).toBe(enabled);
  });

  test.each([
    ["on", true],
    ["true", true],
    ["no", false],
    ["~", undefined],
  ])("`golden: %s`", async (value, golden) => {
    const suite = await cleanSuite({ "eval.yaml": EVAL, "tasks/t.yaml": `id: t\ngolden: ${value}\n` });
    expect(tasksOf(suite)[0]?.golden).toBe(golden);
  });

  test.each(["~", "null", "Null", "NULL", ""])("`%s` is an absent value", async (nothing) => {
    const text = `name: ${nothing}\nconfig: ${nothing}\ntasks: ${nothing}\ngraders: ${nothing}\n`;
    const suite = await cleanSuite({ "eval.yaml": text });
    expect(suite).toMatchObject({ title: "eval.yaml", graders: [], tasks: "every" });
    expect(suite.name).toBeUndefined();
  });

  test("a quoted null is text", async () => {
    expect((await cleanSuite({ "eval.yaml": 'name: "null"\n' })).name).toBe("null");
  });

  test("`model: auto` and `judge_model: auto` mean unset, and so does an empty one", async () => {
    const suite = await cleanSuite({
      "eval.yaml": `config: {judge_model: auto}
graders:
  - {type: prompt, name: a, config: {prompt: p, model: auto}}
  - {type: prompt, name: b, config: {prompt: p, model: ""}}
  - {type: prompt, name: c, config: {prompt: p, model: ~}}
`,
    });
    expect(suite.judgeModel).toBeUndefined();
    for (const grader of suite.graders) expect(grader.model).toBeUndefined();
  });

  test("`script`, `rubric` and `model` beside `config` are ignored, as waza does", async () => {
    const { suites, problems } = await load({
      "eval.yaml": graderWith("model: other", "rubric: x", "script: rm -rf /"),
    });
    expect(suites[0]?.graders[0]?.model).toBeUndefined();
    expect(suites[0]?.graders[0]?.unsupported).toBeUndefined();
    expect(only(problems).message).toBe("`model` beside `config` is ignored, as in waza.");
  });

  test("removed grader types are waza's matter, with a notice each", async () => {
    const text = "graders:\n  - {type: keyword, name: k, config: {words: [a]}}\n  - {type: regex}\n";
    const { suites, problems } = await load({ "eval.yaml": text });
    expect(suites[0]?.graders).toEqual([]);
    expect(suites[0]?.otherGraders.map(({ type }) => type)).toEqual(["keyword", "regex"]);
    expect(problems.map(({ level, at }) => [level, at?.startLine])).toEqual([
      ["notice", 2],
      ["notice", 3],
    ]);
  });

  test("a merge of what is no mapping is a problem of the file", async () => {
    const { problems } = await load({ "eval.yaml": "graders:\n  - type: prompt\n    config: {<<: 0}\n" });
    expect(problems).toMatchObject([{ level: "error" }]);
    expect(problems[0]?.message).toContain("Merge sources must be maps");
  });

  test.each([
    ["a misspelled type", "type: promtp, name: g, config: {prompt: p}", "error", "write `type: prompt`"],
    ["another case", "type: Prompt, name: g, config: {prompt: p}", "error", "write `type: prompt`"],
    ["no type, with a prompt", "name: g, config: {prompt: p}", "error", "write `type: prompt`"],
    [
      "a type unknown to waza, with a prompt",
      "type: judge, name: g, config: {prompt: p}",
      "error",
      "write `type: prompt`",
    ],
    ["a misspelled other type", "type: tool_cals, name: g", "warning", "Did you mean `tool_calls`?"],
    ["an unknown type", "type: vibes, name: g", "warning", "of waza's types"],
    [
      "a grader that seems to be off",
      "type: prompt, name: g, enabled: false, config: {prompt: p}",
      "error",
      "`enabled` is a key of tasks",
    ],
    [
      "a weight that is none",
      "type: prompt, name: g, weight: 0, config: {prompt: p}",
      "warning",
      "name it in `advisory`",
    ],
    [
      "a model where waza reads none",
      "type: prompt, name: g, model: m, config: {prompt: p}",
      "warning",
      "Move `model` under",
    ],
    [
      "a template",
      'type: prompt, name: g, config: {prompt: "Is {{ output }} right?"}',
      "notice",
      "the judge is shown the task",
    ],
  ])("a grader never vanishes in silence: %s", async (_case, entry, level, wording) => {
    const { suites, problems } = await load({ "eval.yaml": `graders:\n  - {${entry}}\n` });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ level, at: { startLine: 2 } });
    expect(problems[0]?.help).toContain(wording);
    expect(suites[0]?.broken).toBe(level === "error");
  });

  test.each([
    [
      "config: {trials_per_tsk: 2}\ngraders: [{type: prompt, name: g, config: {prompt: p}}]",
      "Did you mean `trials_per_task`?",
    ],
    ["graders:\n  - {type: prompt, name: g, wieght: 2, config: {prompt: p}}", "Did you mean `weight`?"],
    ["graders:\n  - {type: prompt, name: g, config: {prompt: p, modell: m}}", "Did you mean `model`?"],
    [
      "graders:\n  - {type: prompt, name: g, continue_session: true, config: {prompt: p}}",
      "Move `continue_session` under the grader's `config`.",
    ],
  ])("a misspelled key is a warning that names the right one: %s", async (text, phrase) => {
    const { problems } = await load({ "eval.yaml": `${text}\n` });
    expect(problems).toMatchObject([{ level: "warning", help: phrase }]);
  });

  test.each([
    ["grader: []", "Write `graders:` there."],
    ["Graders: []", "Write `graders:` there."],
    ["task: [a.yaml]", "Write `tasks:` there."],
    ["task_from: a.csv", "Write `tasks_from:` there."],
    ["graders:\n  - type:prompt\n    name: g", "Write a space after the colon in line 2."],
    ["graders: [type:prompt]", "Write a space after the colon in line 1."],
    ["config:\n  graders: []", "`graders` belongs at the top of the file, without indentation."],
    ["golden: true", "`golden` belongs at the top of a task file."],
    ["goldn: true", "`golden` belongs at the top of a task file."],
  ])(
    "a misspelled key that decides what is graded is an error, so that nothing goes green: %s",
    async (text, sentence) => {
      const { suites, problems } = await load({ "eval.yaml": `${text}\n` });
      expect(problems).toMatchObject([{ level: "error", help: sentence }]);
      expect(suites[0]?.broken).toBe(true);
    },
  );

  test.each([
    ["goldn: true", "`goldn` is not a key of a task; `golden` seems to be meant.", "Write `golden:` there."],
    [
      "gradrs: []",
      "`gradrs` is not a key of a task; `graders` seems to be meant.",
      "Write `graders:` there.",
    ],
    [
      "inputs: {prompt: p, golden: true}",
      "`inputs.golden` is not a key of a task.",
      "`golden` belongs at the top of the file, without indentation.",
    ],
    ["tasks: []", "`tasks` is not a key of a task.", "`tasks` belongs at the top of an eval file."],
  ])("and so is one of a task: %s", async (text, message, help) => {
    const { suites, problems } = await load({ "eval.yaml": EVAL, "tasks/t.yaml": `id: t\n${text}\n` });
    expect(problems).toMatchObject([{ level: "error", message, help, at: { path: "tasks/t.yaml" } }]);
    expect(suites[0]?.broken).toBe(true);
  });

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

  test.each([
    ["config: {promt: Judge it.}", "`promt` seems to be meant for `prompt`.", "Write `prompt:` in line 4."],
    [
      "config: {rubrik: groundedness}",
      "`rubrik` seems to be meant for `rubric`.",
      "Write `rubric:` in line 4.",
    ],
    ["confg: {prompt: Judge it.}", "`confg` seems to be meant for `config`.", "Write `config:` in line 4."],
    [
      "prompt: Judge it.",
      "`prompt` seems to be meant for `config.prompt`.",
      "Move `prompt:` of line 4 under `config:`, indented.",
    ],
  ])(
    "a grader without a prompt for a misspelled or misplaced key has one error, which names it: %s",
    async (line, says, help) => {
      const grader = `graders:\n  - name: quality\n    type: prompt\n    ${line}\n`;
      const { problems } = await load({ "eval.yaml": grader });
      const message = `the prompt grader \`quality\` has no \`prompt\`; ${says}`;
      expect(problems).toMatchObject([{ level: "error", message, help, at: { startLine: 4 } }]);
    },
  );

  test.each(["mode: best-of", "mode: pairwise"])(
    "`%s` is not supported and marks the grader, not the suite",
    async (unsupported) => {
      const suite = await cleanSuite({ "eval.yaml": evalWith(unsupported) });
      expect(suite.broken).toBe(false);
      expect(suite.graders).toMatchObject([{ name: "quality", unsupported }]);
    },
  );

  test.each([
    ["continue_session: true", true],
    ["continue_session: yes", true],
    ["continue_session: false", undefined],
    ["model: judge-1", undefined],
  ])("%s asks for a continued session: %j", async (line, continueSession) => {
    const suite = await cleanSuite({ "eval.yaml": evalWith(line) });
    expect(suite.graders[0]?.continueSession).toBe(continueSession);
  });

  test.each(["continue_session: false", "mode: independent", "rubric: ~"])(
    "`%s` marks nothing",
    async (line) => {
      const suite = await cleanSuite({ "eval.yaml": evalWith(line) });
      expect(suite.graders[0]?.unsupported).toBeUndefined();
    },
  );
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

describe("unknown keys", () => {
  test.each([
    ["promt: Do it.", "error", "`promt` seems to be meant for `prompt`.", "Write `prompt:` in line 3."],
    [
      "prompt-file: a.md",
      "error",
      "`prompt-file` seems to be meant for `prompt_file`.",
      "Write `prompt_file:` in line 3.",
    ],
    ["{promts: Do it., prompt: Do this.}", "notice", "`inputs.promts`", undefined],
    ["contxt: {}", "warning", "unknown key `inputs.contxt` is ignored.", "Did you mean `context`?"],
    ["persona: me", "notice", "`inputs.persona`", undefined],
  ])("of a task's inputs: %s", async (inputs, level, expectedText, help) => {
    const { problems } = await load({ "eval.yaml": EVAL, "tasks/t.yaml": `id: t\ninputs:\n  ${inputs}\n` });
    expect(problems).toMatchObject([{ level, message: expect.stringContaining(expectedText) as unknown }]);
    expect(problems[0]?.help).toBe(help);
    expect(problems[0]?.at).toMatchObject({ path: "tasks/t.yaml", startLine: 3 });
  });

  test.each([
    ["input: {prompt: Do it.}", "`input` seems to be meant for `inputs`.", "Write `inputs:` in line 2."],
    [
      "prompt: Do it.",
      "`prompt` seems to be meant for `inputs.prompt`.",
      "Move `prompt:` of line 2 under `inputs:`, indented.",
    ],
    [
      "prompt_file: a.md",
      "`prompt_file` seems to be meant for `inputs.prompt_file`.",
      "Move `prompt_file:` of line 2 under `inputs:`, indented.",
    ],
  ])(
    "of a task that has no prompt for them are an error, so that the judge knows the task: %s",
    async (line, expectedText, help) => {
      const { problems } = await load({ "eval.yaml": EVAL, "tasks/t.yaml": `id: t\n${line}\n` });
      const message = `the task has no \`inputs.prompt\`; ${expectedText}`;
      expect(problems).toMatchObject([{ level: "error", message, help, at: { startLine: 2 } }]);
    },
  );

  test("that are known one mapping deeper are warnings that name the place, unless the place is taken", async () => {
    const { problems } = await load({
      "eval.yaml": `${EVAL}judge_model: gpt-5\n`,
      "tasks/a.yaml": "id: a\ncontext: {}\ninputs: {prompt: p}\n",
      "tasks/b.yaml": "id: b\nprompt: old\ninputs: {prompt: p}\n",
    });
    expect(problems.map(({ level, at, help }) => [level, at?.path, help])).toEqual([
      ["warning", "tasks/a.yaml", "Did you mean `inputs.context`?"],
      ["notice", "tasks/b.yaml", undefined],
      ["warning", "eval.yaml", "Did you mean `config.judge_model`?"],
    ]);
  });

  test("of all levels of a file are one notice, listing their names", async () => {
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
    const { suites, problems } = await load({ "eval.yaml": text });
    const notice = only(problems);
    expect(notice.level).toBe("notice");
    for (const name of ["owner", "config.colour", "graders[].severity", "graders[].config.temperature"])
      expect(notice.message).toContain(`\`${name}\``);
    expect(notice.at?.startLine).toBe(2);
    expect(suites[0]?.broken).toBe(false);
    expect(suites[0]?.graders).toHaveLength(1);
  });

  test("whose value is a block have the line of the key", async () => {
    const { problems } = await load({ "eval.yaml": "name: demo\nextra:\n  nested:\n    one: 1\n" });
    expect(only(problems).message).toContain("`extra`");
    expect(problems[0]?.at?.startLine).toBe(2);
  });

  test("of several files are one notice for each file", async () => {
    const { problems } = await load({
      "eval.yaml": `${EVAL}one: 1\n`,
      "tasks/a.yaml": "id: a\ntwo: 2\ninputs:\n  three: 3\n",
      "tasks/b.yaml": "id: b\n",
    });
    expect(problems.map(({ level }) => level)).toEqual(["notice", "notice"]);
    const of = (path: string) => problems.find(({ at }) => at?.path === path)?.message;
    expect(of("eval.yaml")).toContain("`one`");
    expect(of("tasks/a.yaml")).toContain("`two`");
    expect(of("tasks/a.yaml")).toContain("`inputs.three`");
  });

  test.each([
    ["high", "high"],
    ["max", "max"],
    ["auto", undefined],
  ])("the judge's effort %s is the grader's, and the eval's for others", async (written, effort) => {
    const text = evalWith(`reasoning_effort: ${written}`) + `config: {judge_reasoning_effort: ${written}}\n`;
    const { suites, problems } = await load({ "eval.yaml": text });
    expect(problems).toEqual([]);
    expect([suites[0]?.graders[0]?.effort, suites[0]?.judgeEffort]).toEqual([effort, effort]);
  });

  test("an unknown effort is a warning at its line", async () => {
    const text = evalWith("reasoning_effort: ultra") + "config: {judge_reasoning_effort: ultra}\n";
    const { suites, problems } = await load({ "eval.yaml": text });
    expect(problems.map(({ level, at }) => [level, at?.startLine])).toEqual([
      ["warning", 7],
      ["warning", 8],
    ]);
    expect(suites[0]?.graders[0]?.effort).toBeUndefined();
  });

  test("of waza's own are not unknown", async () => {
    const text = `schemaVersion: "2.0"
scenario: x
hooks: {before_run: [{command: rm -rf /}]}
inputs: {a: b}
metrics: [{name: m}]
baseline: true
config: {workers: 2, max_workers: 3, fail_fast: true, mcp_servers: {}}
`;
    await expect(cleanSuite({ "eval.yaml": text })).resolves.toMatchObject({ broken: false });
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
        `These files hold evals and are not read, as they are not called \`eval.yaml\` or \`evals.json\`: \`${file}\`.`,
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
  test.each([
    ["hello", "holds something else"],
    ["null", "is empty"],
    ["3", "holds something else"],
    ["", "is empty"],
  ])("a file that is no mapping: %j", async (text, what) => {
    const { suites, problems } = await load({ "evals/eval.yaml": text });
    expect(only(problems).message).toBe(
      `expected an eval: a mapping with \`tasks\` and \`graders\`, and the file ${what}.`,
    );
    expect(suites).toMatchObject([{ broken: true }]);
  });

  test.each([
    ["an indentation that cannot be", "name: demo\ngraders:\n  - type: prompt\n   name: x\n", 4, undefined],
    ["one below an empty line", "name: demo\ntasks: [a.yaml]\n\n graders:\n  - x\n", 4, undefined],
    ["a flow list never closed", 'name: demo\ntasks: ["a.yaml"\n\n\n', 2, undefined],
    ["a second key of one name", "name: demo\nskill: x\nname: other\n", 3, 1],
    ["a quote never closed", 'name: demo\nskill: "x\n', 2, undefined],
    ["a template that YAML takes for a mapping", "name: {{x}} y\n", 1, undefined],
    ["an alias without an anchor", "name: demo\nskill: *gone\n", 2, 8],
  ])("invalid YAML: %s", async (_case, text, line, column) => {
    const { suites, problems } = await load({ "evals/eval.yaml": text });
    const { level, message, help, at } = only(problems);
    expect({ level, path: at?.path }).toEqual({ level: "error", path: "evals/eval.yaml" });
    expect(message).toMatch(/^the file is not valid YAML: .+[^.]\.$/);
    expect(at?.startLine).toBe(line);
    if (column !== undefined) expect(at?.startColumn).toBe(column);
    expect(help).toBe(
      `Correct line ${String(at?.startLine)}, column ${String(at?.startColumn)}, and check the indentation there; text with \`: \` or \` #\` in it, or a sign at its start, belongs in quotes.`,
    );
    expect(suites).toMatchObject([{ broken: true, tasks: [], graders: [] }]);
  });

  test.each([
    ["no config", "  - type: prompt\n    name: quality\n"],
    ["no prompt in it", "  - type: prompt\n    name: quality\n    config: {model: m}\n"],
    ["an empty prompt", '  - type: prompt\n    name: quality\n    config: {prompt: ""}\n'],
    ["a blank prompt", '  - type: prompt\n    name: quality\n    config: {prompt: " "}\n'],
    ["a prompt without a value", "  - type: prompt\n    name: quality\n    config:\n      prompt:\n"],
  ])("a prompt grader with %s", async (_case, entry) => {
    const { suites, problems } = await load({ "eval.yaml": `name: demo\ngraders:\n${entry}` });
    const problem = only(problems);
    expect(problem.level).toBe("error");
    expect(problem.message).toContain("`quality`");
    expect(problem.message).toContain("`prompt`");
    expect(problem.at).toMatchObject({ path: "eval.yaml", startLine: 3 });
    expect(suites[0]?.broken).toBe(true);
  });

  test.each([
    ["is missing", "name: T\ninputs: {prompt: p}\n", 1],
    ["is null", "name: T\nid: ~\n", 2],
    ["is empty", 'name: T\nid: ""\n', 2],
    ["is a list", "name: T\nid: [a]\n", 2],
    ["is misspelled", "name: T\nidd: t\n", 2],
  ])("a task whose id %s", async (_case, text, line) => {
    const { suites, problems } = await load({ "eval.yaml": EVAL, "tasks/t.yaml": text });
    const problem = only(problems);
    expect(problem.at?.path).toBe("tasks/t.yaml");
    expect(problem.message).toContain("`id`");
    expect(problem.at).toMatchObject({ path: "tasks/t.yaml", startLine: line });
    expect(suites[0]?.broken).toBe(true);
  });

  test("a key that is missing because it is misspelled is reported there, and no other key is", async () => {
    const { problems } = await load({
      "eval.yaml": EVAL,
      "tasks/t.yaml": "name: T\nidd: t\n",
      "tasks/u.yaml": "name: U\nidentifier: u\ninputs: {id: u}\n",
    });
    const expected = "expected the task's id, the same as in the results, and there is none";
    expect(problems).toMatchObject([
      {
        message: `\`id\`: ${expected}; \`idd\` seems to be meant for \`id\`.`,
        help: "Write `id:` in line 2.",
      },
      { message: `\`id\`: ${expected}.`, help: "Add `id:` there." },
    ]);
  });

  test.each([
    ["graders is a mapping", "name: demo\ngraders: {a: b}\n", "`graders`", 2, "a mapping"],
    ["a grader is text", "name: demo\ngraders:\n  - quality\n", "`graders[0]`", 3, "`quality`"],
    ["tasks is text", "name: demo\ntasks: tasks/*.yaml\n", "`tasks`", 2, "`tasks/*.yaml`"],
    ["a weight is a word", graderWith("weight: heavy"), "`graders[0].weight`", 4, "`heavy`"],
    ["a weight is a list", graderWith("weight: [1]"), "`graders[0].weight`", 4, "a list"],
    ["a config is text", "graders:\n  - type: prompt\n    config: x\n", "`graders[0].config`", 3, "`x`"],
    [
      "a prompt is a list",
      evalWith().replace("Judge it.", "[a, b]"),
      "`graders[0].config.prompt`",
      6,
      "a list",
    ],
    [
      "a switch is a word",
      evalWith("continue_session: maybe"),
      "`graders[0].config.continue_session`",
      7,
      "`maybe`",
    ],
    ["a name is a list", "name: [a]\n", "`name`", 1, "a list"],
    ["config is a list", "name: x\nconfig: [a]\n", "`config`", 2, "a list"],
  ])("a wrong type: %s", async (_case, text, key, line, found) => {
    const { suites, problems } = await load({ "eval.yaml": text });
    const problem = only(problems);
    expect(problem.level).toBe("error");
    expect(problem.at?.path).toBe("eval.yaml");
    expect(problem.message).toContain(key);
    expect(problem.message).toContain(found);
    expect(problem.at?.startLine).toBe(line);
    expect(suites[0]?.broken).toBe(true);
  });

  test.each([
    ["`enabled` is a word", "id: t\nenabled: sometimes\n", "`enabled`", 2],
    ["`golden` is a word", "id: t\ngolden: very\n", "`golden`", 2],
    ["`inputs` is text", "id: t\ninputs: do it\n", "`inputs`", 2],
    ["a task's prompt is a mapping", "id: t\ninputs:\n  prompt: {a: b}\n", "`inputs.prompt`", 3],
    ["the file is a list", "- id: t\n", "expected a task", 1],
    ["the file is empty", "", "expected a task", 1],
  ])("a wrong type in a task: %s", async (_case, text, key, line) => {
    const { problems } = await load({ "eval.yaml": EVAL, "tasks/t.yaml": text });
    const problem = only(problems);
    expect(problem.message).toContain(key);
    expect(problem.at).toMatchObject({ path: "tasks/t.yaml", startLine: line });
  });

  test("every wrong type of a file is reported, not only the first", async () => {
    const text = "name: [a]\ngraders: x\ntasks: y\n";
    const { problems } = await load({ "eval.yaml": text });
    expect(problems.map(({ at }) => at?.startLine).sort()).toEqual([1, 2, 3]);
  });

  test("two graders of one name: the later wins, with a warning at the later", async () => {
    const text = `graders:
  - {type: prompt, name: same, config: {prompt: First.}}
  - {type: prompt, name: other, config: {prompt: Other.}}
  - {type: prompt, name: same, config: {prompt: Second.}}
`;
    const { suites, problems } = await load({ "eval.yaml": text });
    expect(suites[0]?.graders.map(({ prompt }) => prompt).sort()).toEqual(["Other.", "Second."]);
    expect(only(problems)).toMatchObject({ level: "warning", at: { startLine: 4 } });
    expect(only(problems).message).toContain("`same`");
    expect(suites[0]?.broken).toBe(false);
  });

  test("of two graders of one name but different types the later wins too", async () => {
    const prompt = "  - {type: prompt, name: same, config: {prompt: P.}}\n";
    const code = "  - {type: code, name: same, config: {}}\n";
    const promptLast = await load({ "eval.yaml": `graders:\n${code}${prompt}` });
    expect(promptLast.suites[0]?.graders.map(({ name }) => name)).toEqual(["same"]);
    const codeLast = await load({ "eval.yaml": `graders:\n${prompt}${code}` });
    expect(codeLast.suites[0]?.graders).toEqual([]);
    expect(only(codeLast.problems)).toMatchObject({ level: "warning" });
  });

  test("two tasks of one id name both files", async () => {
    const { suites, problems } = await load({
      "eval.yaml": EVAL,
      "tasks/a.yaml": "id: same\n",
      "tasks/b.yaml": "id: same\n",
    });
    const problem = only(problems);
    expect(problem.level).toBe("error");
    expect(problem.message).toContain("`same`");
    expect(problem.message).toContain("`tasks/a.yaml`");
    expect(problem.at?.path).toBe("tasks/b.yaml");
    expect(suites[0]?.broken).toBe(true);
  });

  test("one id in two suites is no problem", async () => {
    const { suites, problems } = await load({
      "one/eval.yaml": EVAL,
      "one/tasks/a.yaml": "id: same\n",
      "two/eval.yaml": EVAL.replace("demo", "other"),
      "two/tasks/a.yaml": "id: same\n",
    });
    expect(problems).toEqual([]);
    expect(suites.map((suite) => tasksOf(suite).map(({ id }) => id))).toEqual([["same"], ["same"]]);
  });

  test.each([
    [
      "a link to nothing",
      (file: string) => {
        symlinkSync(`${file}.gone`, file);
      },
    ],
    [
      "a folder",
      (file: string) => {
        mkdirSync(file);
      },
    ],
  ])("a file that is %s cannot be read, and the others are loaded", async (_case, make) => {
    const project = writeProject({ "b/eval.yaml": EVAL });
    make(join(project, "eval.yaml"));
    const { suites, problems } = await loadSuites(["eval.yaml", "b/eval.yaml"], project);
    expect(only(problems).level).toBe("error");
    expect(only(problems).message).toContain("`eval.yaml`");
    expect(suites.filter(({ broken }) => !broken).map(({ name }) => name)).toEqual(["demo"]);
  });

  test("a file that cannot be read: no permission", async () => {
    const project = writeProject({ "eval.yaml": EVAL });
    chmodSync(join(project, "eval.yaml"), 0);
    let readable = true;
    try {
      readFileSync(join(project, "eval.yaml"));
    } catch {
      readable = false;
    }
    const { problems } = await loadSuites(["**/eval.yaml"], project);
    // Root reads every file: then there is no problem to tell.
    expect(problems.map(({ message }) => message)).toEqual(
      readable ? [] : ["the file cannot be read: permission denied."],
    );
  });

  test("a multi-document task file: the first is read, with a warning that counts", async () => {
    const { suites, problems } = await load({
      "eval.yaml": EVAL,
      "tasks/t.yaml": "id: first\n---\nid: second\n---\nid: third\n",
    });
    expect(errors(problems)).toEqual([]);
    expect(tasksOf(suites[0]).map(({ id }) => id)).toEqual(["first"]);
    expect(only(problems).level).toBe("warning");
    expect(only(problems).message).toMatch(/\b[23]\b/);
  });

  test("a document marker before the only document is no second document", async () => {
    await expect(cleanSuite({ "eval.yaml": `---\n${EVAL}` })).resolves.toMatchObject({ name: "demo" });
  });

  test("all problems of several files come together, and only the suites with one are broken", async () => {
    const { suites, problems } = await load({
      "a/eval.yaml": "name: a\ngraders: [\n",
      "b/eval.yaml": EVAL.replace("demo", "b"),
      "c/eval.yaml": EVAL.replace("demo", "c"),
      "c/tasks/one.yaml": "name: no id\n",
      "c/tasks/two.yaml": "id: two\nenabled: perhaps\n",
      "c/tasks/good.yaml": "id: good\n",
      "d/eval.yaml": "name: d\ngraders:\n  - {type: prompt, name: q}\n",
      "e/eval.yaml": `${EVAL.replace("demo", "e")}odd: 1\n`,
    });
    expect(suites.map(({ at, broken }) => [at.path, broken])).toEqual([
      ["a/eval.yaml", true],
      ["b/eval.yaml", false],
      ["c/eval.yaml", true],
      ["d/eval.yaml", true],
      ["e/eval.yaml", false],
    ]);
    expect(problems.map(({ at, level }) => `${level} ${at?.path ?? ""}`).sort()).toEqual([
      "error a/eval.yaml",
      "error c/tasks/one.yaml",
      "error c/tasks/two.yaml",
      "error d/eval.yaml",
      "notice e/eval.yaml",
    ]);
  });
});

describe("which tasks a suite has", () => {
  test("without `tasks`, tasks/*.yaml beside it", async () => {
    const suite = await cleanSuite({
      "evals/eval.yaml": EVAL,
      "evals/tasks/a.yaml": "id: a\n",
      "evals/tasks/deeper/b.yaml": "id: b\n",
      "tasks/c.yaml": "id: c\n",
    });
    expect(tasksOf(suite).map(({ id }) => id)).toEqual(["a"]);
  });

  test("without `tasks` and without tasks beside it, every task of the results", async () => {
    expect((await cleanSuite({ "eval.yaml": EVAL })).tasks).toBe("every");
  });

  test("an empty list of `tasks` is as good as none: those beside it are taken, so that nothing goes green", async () => {
    const suite = await cleanSuite({ "eval.yaml": `${EVAL}tasks: []\n`, "tasks/a.yaml": "id: a\n" });
    expect(suite.tasks).toMatchObject([{ id: "a" }]);
  });

  test.each([
    ["only excludes", '["!tasks/b.yaml"]'],
    ["excludes all it includes", '["tasks/*.yaml", "!tasks/*"]'],
  ])("a list of `tasks` that %s is an error", async (_case, tasks) => {
    const { problems } = await load({ "eval.yaml": `${EVAL}tasks: ${tasks}\n`, "tasks/a.yaml": "id: a\n" });
    expect(problems).toMatchObject([
      { level: "error", message: expect.stringContaining("excludes every") as unknown },
    ]);
  });

  test.each(["{a,aa,aaa}".repeat(4), "**/a/**/a/**/a/**/b.yaml", "!(b|!(c|!(d)))", "+(a|b)"])(
    "a glob that could take for ever to match is refused: %s",
    async (glob) => {
      const { problems } = await load({
        "eval.yaml": `${EVAL}tasks: ["tasks/${glob}"]\n`,
        "tasks/a.yaml": "id: a\n",
      });
      expect(problems).toMatchObject([
        { level: "error", message: expect.stringContaining("tasks glob") as unknown },
      ]);
    },
  );

  test("`range` without `tasks_from` is a warning at its line", async () => {
    const { problems } = await load({ "eval.yaml": `${EVAL}range: [1, 2]\n`, "tasks/a.yaml": "id: a\n" });
    expect(problems).toMatchObject([
      { level: "warning", message: expect.stringContaining("`range`") as unknown },
    ]);
  });

  test("a file that two globs match is one task; nested folders and exact names work", async () => {
    const suite = await cleanSuite({
      "evals/eval.yaml": `${EVAL}tasks:\n  - tasks/**/*.yaml\n  - tasks/a.yaml\n  - ../shared/[x].yaml\n`,
      "evals/tasks/a.yaml": "id: a\n",
      "evals/tasks/x/y/b.yaml": "id: b\n",
      "shared/[x].yaml": "id: shared\n",
    });
    expect(tasksOf(suite).map(({ id }) => id)).toEqual(["a", "b", "shared"]);
  });

  test("a leading `!` excludes", async () => {
    const suite = await cleanSuite({
      "eval.yaml": `${EVAL}tasks: ["tasks/*.yaml", "!tasks/draft-*.yaml"]\n`,
      "tasks/a.yaml": "id: a\n",
      "tasks/draft-b.yaml": "id: b\n",
    });
    expect(tasksOf(suite).map(({ id }) => id)).toEqual(["a"]);
  });

  test("a glob without a match says which, and its line", async () => {
    const { suites, problems } = await load({
      "evals/eval.yaml": `${EVAL}tasks:\n  - cases/*.yaml\n`,
      "evals/tasks/a.yaml": "id: a\n",
    });
    const problem = only(problems);
    expect(problem.level).toBe("error");
    expect(problem.message).toContain("`cases/*.yaml`");
    expect(problem.at).toMatchObject({ path: "evals/eval.yaml", startLine: 5 });
    expect(suites[0]?.broken).toBe(true);
  });

  test("of a glob without a match the deepest folder that exists is named", async () => {
    const { problems } = await load({
      "evals/eval.yaml": `${EVAL}tasks: [cases/deep/*.yaml]\n`,
      "evals/cases/readme.md": "",
    });
    expect(only(problems).text).toContain(
      "matches no file in `evals`. `evals/cases` exists, but nothing in it matches.",
    );
  });
});

describe("task files stay inside the repository", () => {
  /** A project beside a folder with a task of its own, which no eval may reach. */
  function withOutsider(tasks: string): { project: string; outside: string } {
    const outside = temporaryFolder("outside");
    writeFileSync(join(outside, "secret.yaml"), "id: secret\n");
    const project = writeProject({
      "evals/eval.yaml": `${EVAL}${tasks}`,
      "evals/inside.yaml": "id: inside\n",
    });
    return { project, outside };
  }

  function expectRefused(loaded: { suites: Suite[]; problems: Problem[] }, pattern: string, line: number) {
    const problem = only(loaded.problems);
    expect(problem).toMatchObject({ level: "error", at: { path: "evals/eval.yaml", startLine: line } });
    expect(problem.message).toContain(`\`${pattern}\` leaves the repository`);
    expect(loaded.suites).toMatchObject([{ broken: true }]);
    expect(JSON.stringify(loaded)).not.toContain('"secret"');
  }

  test.each([
    ["upwards", "../../*/secret.yaml"],
    ["upwards, to nothing", "../../../nothing/*.yaml"],
    ["upwards, in the middle", "x/../../../*/secret.yaml"],
    ["absolutely", "/etc/*.yaml"],
  ])("a glob that leads out %s is refused", async (_case, pattern) => {
    const { project } = withOutsider(`tasks: ["${pattern}"]\n`);
    expectRefused(await loadSuites(["**/eval.yaml"], project), pattern, 4);
  });

  test("an absolute path to a file outside is refused", async () => {
    const outside = temporaryFolder("outside");
    const pattern = join(outside, "secret.yaml");
    writeFileSync(pattern, "id: secret\n");
    const project = writeProject({ "evals/eval.yaml": `${EVAL}tasks:\n  - ${pattern}\n` });
    expectRefused(await loadSuites(["**/eval.yaml"], project), pattern, 5);
  });

  test("braces that lead out are refused", async () => {
    const outside = temporaryFolder("outside");
    writeFileSync(join(outside, "secret.yaml"), "id: secret\n");
    const pattern = `{inside,../../${outside.split("/").at(-1)!}/secret}.yaml`;
    const project = writeProject({
      "evals/eval.yaml": `${EVAL}tasks: ["${pattern}"]\n`,
      "evals/inside.yaml": "id: inside\n",
    });
    const { suites, problems } = await loadSuites(["**/eval.yaml"], project);
    expect(errors(problems)).toEqual([expect.stringContaining(pattern)]);
    expect(JSON.stringify(suites)).not.toContain('"secret"');
  });

  test("a linked file that leads out is refused", async () => {
    const { project, outside } = withOutsider("tasks: [linked.yaml]\n");
    symlinkSync(join(outside, "secret.yaml"), join(project, "evals", "linked.yaml"));
    expectRefused(await loadSuites(["**/eval.yaml"], project), "linked.yaml", 4);
  });

  test("a glob that excludes outside is refused too", async () => {
    for (const pattern of ["!/**/*.yaml", "!../../**/*.yaml", "!{a,..}/../**"]) {
      const { project } = withOutsider(`tasks: [inside.yaml, "${pattern}"]\n`);
      expectRefused(await loadSuites(["**/eval.yaml"], project), pattern, 4);
    }
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
      expect(tasksOf(suites[0]).map(({ id }) => id)).toEqual(["shared"]);
    }
  });

  test("a repository that is checked out below the workspace ends at its own root", async () => {
    const project = writeProject({
      "checkout/eval.yaml": `${EVAL}tasks: ["../other/*.yaml"]\n`,
      "other/t.yaml": "id: secret\n",
    });
    mkdirSync(join(project, "checkout", ".git"));
    const { problems } = await loadSuites(["**/eval.yaml"], project);
    expect(only(problems).message).toContain("leaves the repository");
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

  test("node_modules and .git are not entered even when a wildcard names them", async () => {
    const { suites, problems } = await load(
      { "node_modules/p/eval.yaml": "name: package\n", ".git/x/eval.yaml": "name: git\n" },
      ["node_modules/**/eval.yaml", ".git/*/eval.yaml"],
    );
    expect(suites).toEqual([]);
    expect(errors(problems)).toHaveLength(2);
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

  test("a glob without a match names the pattern and the folder", async () => {
    const { project, suites, problems } = await load({ "evals/a/eval.yml": EVAL });
    expect(suites).toEqual([]);
    const problem = only(problems);
    expect(problem.level).toBe("error");
    expect(problem.message).toContain("`**/eval.yaml`");
    expect(problem.help).toContain(project);
  });

  test("a glob without a match in an empty repository says so", async () => {
    const { project, problems } = await load({}, ["evals/*/eval.yaml"]);
    expect(only(problems).text).toContain(project);
    expect(only(problems).text).toContain("Set `eval` to your eval file");
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

  test("of several patterns the one without a match is a problem of its own; the others are loaded", async () => {
    const { suites, problems } = await load({ "a/eval.yaml": EVAL }, ["a/*.yaml", "moved/*.yaml", "!x/**"]);
    expect(suites).toHaveLength(1);
    expect(only(problems).level).toBe("error");
    expect(only(problems).message).toContain("`moved/*.yaml`");
  });
});

describe("a vally file", () => {
  const VALLY = "name: v\nstimuli:\n  - prompt: x\ndefaults: {runs: 3}\n";

  test("matched by a wildcard is a notice, and the others are loaded", async () => {
    const { suites, problems } = await load({ "a/eval.yaml": EVAL, "v/eval.yaml": VALLY });
    expect(suites.map(({ name }) => name)).toEqual(["demo"]);
    expect(only(problems)).toMatchObject({ level: "notice", at: { path: "v/eval.yaml" } });
    expect(only(problems).message).toContain("stimuli");
  });

  test("is a failure when nothing else is left", async () => {
    const { suites, problems } = await load({ "v/eval.yaml": VALLY });
    expect(suites).toEqual([]);
    expect(errors(problems)).toHaveLength(1);
  });

  test.each([
    ["by its path", (_project: string) => "v/eval.yaml"],
    ["by its path with a dot before", (_project: string) => "./v/eval.yaml"],
    ["by its absolute path", (project: string) => join(project, "v", "eval.yaml")],
  ])("that is named %s is an error", async (_case, pattern) => {
    const project = writeProject({ "a/eval.yaml": EVAL, "v/eval.yaml": VALLY });
    const { problems } = await loadSuites(["a/eval.yaml", pattern(project)], project);
    expect(only(problems)).toMatchObject({ level: "error", at: { path: "v/eval.yaml" } });
  });

  test("that is named in a repository below the workspace is an error", async () => {
    const project = writeProject({ "sub/a.yaml": EVAL, "sub/v.yaml": VALLY });
    mkdirSync(join(project, "sub", ".git"));
    const { problems } = await loadSuites(["sub/a.yaml", "sub/v.yaml"], project);
    expect(only(problems)).toMatchObject({ level: "error", at: { path: "v.yaml" } });
  });
});

describe("hostile files", () => {
  test("a bomb of aliases is refused before it goes off", async () => {
    const levels = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 12; level += 1) {
      const [name, before] = [String.fromCharCode(97 + level), String.fromCharCode(96 + level)];
      levels.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`);
    }
    const { suites, problems } = await load({ "eval.yaml": `${levels.join("\n")}\n`, "b/eval.yaml": EVAL });
    expect(errors(problems)).toHaveLength(1);
    expect(suites.map(({ broken }) => broken).sort()).toEqual([false, true]);
  });

  test("an anchor that many graders merge is no bomb", async () => {
    const graders = Array.from({ length: 150 }, (_, index) => `  - {<<: *base, name: g${String(index)}}`);
    const text = `graders:\n  - &base {type: prompt, name: base, config: {prompt: P.}}\n${graders.join("\n")}\n`;
    expect((await cleanSuite({ "eval.yaml": text })).graders).toHaveLength(151);
  });

  test("brackets nested without end are a problem, not a crash", async () => {
    const { suites, problems } = await load({ "eval.yaml": `a: ${"[".repeat(20_000)}`, "b/eval.yaml": EVAL });
    expect(errors(problems)).toHaveLength(1);
    expect(suites.map(({ broken }) => broken).sort()).toEqual([false, true]);
  });

  test("keys that name parts of JavaScript's objects change nothing", async () => {
    const text = `__proto__: {graders: [{type: prompt}]}\nconstructor: x\ntoString: y\n${EVAL}`;
    const { suites, problems } = await load({ "eval.yaml": text });
    expect(errors(problems)).toEqual([]);
    expect(suites[0]?.graders.map(({ name }) => name)).toEqual(["quality"]);
    expect({}).not.toHaveProperty("graders");
  });

  test("hooks are never run", async () => {
    const project = writeProject({});
    const trace = join(project, "trace");
    writeFileSync(
      join(project, "eval.yaml"),
      `hooks: {before_run: [{command: "touch ${trace}"}]}\ninputs: {x: "$(touch ${trace})"}\n${EVAL}`,
    );
    const { suites } = await loadSuites(["**/eval.yaml"], project);
    expect(suites).toHaveLength(1);
    expect(existsSync(trace)).toBe(false);
  });

  test("a file of a binary is a problem, not a crash", async () => {
    const project = writeProject({ "b/eval.yaml": EVAL });
    writeFileSync(join(project, "eval.yaml"), Buffer.from([0xff, 0xfe, 0, 1, 2, 0x7b, 0, 0xc3, 0x28]));
    const { suites, problems } = await loadSuites(["**/eval.yaml"], project);
    expect(errors(problems)).toHaveLength(1);
    expect(suites.map(({ broken }) => broken).sort()).toEqual([false, true]);
  });
});
