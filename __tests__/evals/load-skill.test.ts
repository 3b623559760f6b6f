/** The evals.json of Agent Skills, in the shapes that real files have. */
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Grader, Suite, Task } from "../../src/domain/suite.ts";
import { unchangedSuites } from "../../src/github/changes.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { expectSaid } from "../support/problems.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const FILE = "skills/pdf/evals/evals.json";
const PDF = { "skills/pdf/SKILL.md": "---\nname: pdf\n---\n" };

/** Loads a project with one file of evals; text is written as it is. */
async function load(content: unknown, more: Readonly<Record<string, unknown>> = {}, file = FILE) {
  const project = writeProject({ [file]: content, ...more });
  return await loadSuites(undefined, project);
}

async function tasksOf(content: unknown, more: Readonly<Record<string, unknown>> = {}) {
  const { suites, problems } = await load(content, more);
  expect(problems).toEqual([]);
  const [suite] = suites as [Suite & { readonly tasks: readonly Task[] }];
  return suite.tasks;
}

const textsOf = (grader: Grader | undefined) => grader?.statements?.map(({ text }) => text);
const idsOf = ({ tasks }: Suite) => (tasks === "every" ? [] : tasks.map(({ id }) => id));

test("a skill's file is a suite, an eval a task, and each statement has its line", async () => {
  const text = `{
  "skill_name": "pdf-tools",
  "evals": [
    {
      "id": 1,
      "name": "merge",
      "prompt": "Merge them.",
      "expected_output": "One file.",
      "files": ["evals/a.pdf", "b.pdf"],
      "golden": true,
      "assertions": [
        "It has all pages",
        {"name": "order", "description": "In order"}
      ]
    }
  ]
}`;
  const { suites, problems } = await load(text, {
    "skills/pdf/evals/a.pdf": "a",
    "skills/pdf/evals/b.pdf": "b",
    ".waza.yaml": "defaults: {judgeModel: gpt-6.1-terra}\n",
  });
  expect(problems).toEqual([]);
  expect(suites).toMatchObject([
    {
      title: "pdf-tools",
      name: "pdf-tools",
      skill: "pdf-tools",
      at: { path: FILE },
      judgeModel: "gpt-6.1-terra",
      broken: false,
      tasks: [
        {
          id: "1",
          name: "merge",
          prompt: "Merge them.",
          golden: true,
          files: [{ name: "evals/a.pdf" }, { name: "b.pdf" }],
          graders: [
            {
              name: "assertions",
              prompt: "1. It has all pages\n2. In order\n\nThe expected output, for reference:\nOne file.",
              at: { startLine: 11, endLine: 14 },
              statements: [
                { text: "It has all pages", at: { startLine: 12, endLine: 12 } },
                { text: "In order", at: { startLine: 13, endLine: 13 } },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

describe("the shapes of real files", () => {
  test.each<[string, Readonly<Record<string, unknown>>, readonly string[], string?]>([
    ["texts", { assertions: ["a", " b "] }, ["a", "b"]],
    ["another name", { expectations: ["a"] }, ["a"]],
    ["a third name, one text alone", { expected_behavior: "a" }, ["a"]],
    ["two lists", { assertions: ["a"], rubric: ["b"] }, ["a", "b"]],
    ["texts with ids", { assertions: [{ id: "1.1", text: "a" }] }, ["a"]],
    ["checks", { assertions: [{ name: "n", check: "a" }] }, ["a"]],
    ["dimensions", { rubric: [{ dimension: "a", pass_if: "b" }] }, ["a: b"]],
    ["a text with a condition", { assertions: [{ description: "a", check: "b" }] }, ["a: b"]],
    ["the expected output alone", { expected_output: "a" }, ["a"]],
    ["its other name, beside statements", { ground_truth: "r", assertions: ["a"] }, ["a"], "r"],
    [
      "a sentence with its type, which may turn it",
      { assertions: [{ text: "a", type: "not" }] },
      ["a (type: not)"],
    ],
    [
      "any other key of a sentence, but for names and grades",
      {
        assertions: [
          { id: 1, name: "n", text: "a", passed: true, evidence: "e", flags: { not: true }, x: null },
        ],
      },
      ['a (flags: {"not":"true"})'],
    ],
    ["labels of an eval", { assertions: ["a"], tags: ["t"], metadata: { owner: "o" } }, ["a"]],
  ])("%s", async (_case, eval_, expected, reference = "") => {
    const [task] = await tasksOf({ skill_name: "s", evals: [{ id: 1, prompt: "p", ...eval_ }] });
    expect(textsOf(task?.graders[0])).toEqual(expected);
    const shown = task?.graders[0]?.prompt.split("\n\nThe expected output, for reference:\n");
    const list = expected.map((text, index) => `${String(index + 1)}. ${text}`).join("\n");
    expect(shown).toEqual(reference === "" ? [list] : [list, reference]);
  });

  test("a bare list is the evals of the folder's skill; an eval without an id has its position", async () => {
    const evals = [
      { question: "q", assertions: ["a"] },
      { id: "x", eval_name: "n", assertions: ["b"] },
    ];
    const { suites, problems } = await load(`\uFEFF${JSON.stringify(evals, null, "\t")}`);
    expect(problems).toEqual([]);
    expect(suites[0]).toMatchObject({
      title: "pdf",
      tasks: [
        { id: "1", name: "1", prompt: "q" },
        { id: "x", name: "n" },
      ],
    });
  });

  test("any file may be named whose `evals` are a list", async () => {
    const project = writeProject({ "tests/pdf.json": { evals: [{ id: 1, assertions: ["a"] }] } });
    const { suites, problems } = await loadSuites(["tests/pdf.json"], project);
    expect(problems).toEqual([]);
    expect(suites).toMatchObject([{ title: "tests", named: true, tasks: [{ id: "1" }] }]);
  });
});

test("they are found beside waza's evals", async () => {
  const waza = "name: w\ngraders: [{type: prompt, name: g, config: {prompt: P.}}]\n";
  const evals = { skill_name: "s", evals: [{ id: 1, assertions: ["a"] }] };
  const { suites, problems } = await load(evals, { "evals/w/eval.yaml": waza });
  expect(problems).toEqual([]);
  expect(suites.map(({ title }) => title)).toEqual(["w", "s"]);
});

describe("the lists of a file", () => {
  const one = (id: unknown) => ({ id, prompt: "p", assertions: ["a"] });
  const trigger = (query: string) => ({ query, should_trigger: true, area: "x", files: [] });
  const control = { id: 2, prompt: "q", should_trigger: false, expected_output: "Do not load it." };

  test.each<[string, unknown, readonly string[], readonly string[]]>([
    [
      "others with statements beside `evals` are read under their names",
      { evals: [one(1)], negative_evals: [one(1)], groups: [{ behavior_evals: [one("b")] }] },
      ["1", "negative_evals/1", "groups[0].behavior_evals/b"],
      [],
    ],
    ["the main one below another keeps its ids", { w: [one(1)], evals: [one(1)] }, ["1", "w/1"], []],
    ["any other name, alone", { tests: [one(1)], note: "n" }, ["1"], []],
    ["a misspelled name", { evalls: [one(1)] }, ["1"], []],
    ["a second one by nearly the same key", { evals: [one(1)], Evals: [one(1)] }, ["1", "Evals/1"], []],
    [
      "prompts without statements, beside evals",
      { evals: [one(1)], negative_evals: [{ prompt: "b" }, { query: "c" }] },
      ["1"],
      ["error unread-list … `negative_evals`"],
    ],
    [
      "prompts without statements, alone",
      { samples: [{ prompt: "p", expect: "x" }] },
      [],
      [`error unread-list ${FILE}:2 … \`samples\``],
    ],
    [
      "references, history and metadata hold no evals, nor do lists without prompts",
      { evals: [one(1)], references: [{ prompt: "p" }], history: [{ query: "q" }], cases: [{ url: "u" }] },
      ["1"],
      ["notice unread-top … `cases`."],
    ],
    [
      "lists of texts, beside evals",
      { evals: [one(1)], a: ["n"], b: ["n"] },
      ["1"],
      ["notice unread-top … `a`, `b`."],
    ],
    ["trigger evals are none", { evals: [one(1)], trigger_evals: [trigger("q")] }, ["1"], []],
    [
      "entries that ask whether the skill loads are none, though they say what is expected",
      { evals: [one(1), control] },
      ["1"],
      ["notice unread-of-triggers … `expected_output`"],
    ],
    ["with statements they are judged, too", { evals: [{ ...one(1), should_trigger: true }] }, ["1"], []],
    [
      "a misspelled list of statements does not make a trigger eval of them",
      { evals: [one(1), { prompt: "q", should_trigger: true, assertion: ["b"] }] },
      ["1"],
      ["error misspelled-key … `assertion` … `assertions`"],
    ],
    [
      "among trigger evals, an entry without the boolean",
      { evals: [one(1)], trigger_evals: [trigger("q"), { query: "r" }] },
      ["1"],
      ["error unread-list … `trigger_evals[1]`"],
    ],
  ])("%s", async (_case, content, ids, said) => {
    const { suites, problems } = await load(content, PDF);
    expect(suites.flatMap(idsOf)).toEqual(ids);
    expectSaid(problems, said);
  });

  test("`evals/<skill>/evals.json` is the skill's, too; in `evals/files/` it is what a task is given", async () => {
    const { suites } = await load([one(1)], {
      "evals/docx/evals.json": { tests: [one(1)] },
      "evals/files/evals.json": [one(1)],
    });
    expect(suites.map(({ title, at }) => [title, at.path])).toEqual([
      ["docx", "evals/docx/evals.json"],
      ["pdf", FILE],
    ]);
  });
});

test("a file of evals by another name is named, unless `eval` does or leaves it out", async () => {
  const one = { id: 1, prompt: "p", assertions: ["a"] };
  const project = writeProject({
    [FILE]: [one],
    "skills/pdf/evals/more-evals.json": { evals: [one] },
    "skills/pdf/evals/negative.json": { cases: [one] },
    "skills/pdf/evals/data.json": { rows: [{ prompt: "p" }], skills: [one.id] },
    "pdf-workspace/evals/old.json": { evals: [one] },
  });
  const { problems } = await loadSuites(undefined, project);
  expectSaid(problems, [
    "notice not-found … `skills/pdf/evals/more-evals.json`, `skills/pdf/evals/negative.json`.",
  ]);
  expect((await loadSuites(["!**/more-evals.json", "!**/negative.json"], project)).problems).toEqual([]);
  const named = await loadSuites(["skills/*/evals/{evals,negative}.json"], project);
  expect(named.problems).toEqual([]);
  expect(named.suites.map(({ at }) => at.path)).toEqual([FILE, "skills/pdf/evals/negative.json"]);
});

test.each<[string, object, readonly string[]]>([
  ["its own", { skill_name: "pdf" }, []],
  ["a misspelled name", { skill_nam: "pdf" }, ["warning unread-key … `skill_nam`"]],
  ["another skill", { skill_name: "csv" }, ["notice other-skill … skill `csv` … is of `pdf`"]],
])("the skill that a file names is held against its SKILL.md: %s", async (_case, name, said) => {
  const content = { ...name, evals: [{ id: 1, prompt: "p", assertions: ["a"] }] };
  const { suites, problems } = await load(content, PDF);
  expect(suites.flatMap(idsOf)).toEqual(["1"]);
  expectSaid(problems, said);
});

test("a skill without an eval that is read is named, with the file that looks like one", async () => {
  const one = { prompt: "p", assertions: ["a"] };
  const skill = "---\nname: x\n---\n";
  const files: [string, unknown][] = [
    ["eval/evals.json", [one]],
    ["Evals/evals.json", { evals: [one] }],
    ["tests/evals.json", { cases: [one] }],
    ["evals.json", [one]],
    ["evals-v2.json", "{"],
    ["evals/haiku.json", [{ prompt: "p" }]],
    ["tests/unit/cases.yaml", [{ query: "q", should_trigger: true }]],
  ];
  for (const [file, content] of files) {
    const { suites, problems, unread } = await load([one], {
      "skills/pdf/SKILL.md": "---\nname: pdf\n---\n",
      "skills/x/SKILL.md": skill,
      "skills/x/evals/triggers.json": [{ query: "q", should_trigger: true }],
      [`skills/x/${file}`]: content,
    });
    expect(suites).toHaveLength(1);
    expect(problems).toEqual(unread);
    expectSaid(unread, [`notice not-found … \`skills/x/${file}\`.`]);
  }
});

test("skills with evals in a file of the same name are one notice, with the pattern that reads them", async () => {
  const skill = (name: string) => ({
    [`skills/${name}/SKILL.md`]: `---\nname: ${name}\n---\n`,
    [`skills/${name}/eval.json`]: [{ eval_id: 1, prompt: "p", assertions: ["a"] }],
  });
  const project = writeProject({ ...skill("a"), ...skill("b"), ...skill("c") });
  const { unread } = await loadSuites(undefined, project);
  expectSaid(unread, [
    "notice not-found … `skills/a/eval.json`, `skills/b/eval.json`, `skills/c/eval.json`.",
  ]);
  const [pattern = ""] = /(?<=--eval ')[^']+/.exec(unread[0]?.help ?? "") ?? [];
  const { suites, problems } = await loadSuites([pattern], project);
  expect([pattern, problems, suites.map(({ title }) => title)]).toEqual([
    "skills/**/eval.json",
    [],
    ["a", "b", "c"],
  ]);
});

test("evals by the name `evals.yaml` are named, and read where `eval` names them", async () => {
  const files = {
    "evals/evals.yaml": "skill_name: label\nevals:\n  - {id: 1, prompt: p, assertions: [a]}\n",
  };
  const project = writeProject(files);
  expectSaid((await loadSuites(undefined, project)).unread, ["notice not-found … `evals/evals.yaml`."]);
  const { suites, problems } = await loadSuites(["evals/evals.yaml"], project);
  expect([problems, suites.map(({ title }) => title)]).toEqual([[], ["label"]]);
});

test("the cases of Claude Code's own evals are named, beside evals.json, too", async () => {
  const cases = {
    "evals/weigh/case.yaml": "schema_version: 1.0\nname: weigh\n",
    "evals/group/print/prompt.md": "---\nruns: 3\n---\nPrint it.\n",
    "evals/group/print/graders/names-box.md": "---\ntype: llm\n---\nIt names the box.\n",
    "evals/notes/prompt.md": "No case: it has no graders.",
  };
  const said = ["notice plugin-evals … 2 cases … `claude plugin eval` … `evals/group/print`, `evals/weigh`."];
  expectSaid((await loadSuites(undefined, writeProject(cases))).unread, said);
  const beside = await load([{ id: 1, prompt: "p", assertions: ["a"] }], cases);
  expectSaid(beside.problems, said);
});

test("an odd file is left out by a line that only excludes", async () => {
  const odd = "skills/odd/evals/evals.json";
  const files = { [FILE]: [{ id: 1, assertions: ["a"] }], [odd]: [{ id: "a", expect: "b" }] };
  const { problems } = await loadSuites(undefined, writeProject(files));
  expect(problems).toMatchObject([{ level: "error", at: { path: odd } }]);
  expect(problems[0]?.help).toContain(`add the line \`!${odd}\` to \`eval\``);
  const { suites, problems: none } = await loadSuites([`!${odd}`], writeProject(files));
  expect(none).toEqual([]);
  expect(suites.map(({ at }) => at.path)).toEqual([FILE]);
});

test("what else an eval says goes to the judge, and its context to the agent, too", async () => {
  const evals = [
    {
      id: 1,
      prompt: "Start the loop.",
      input: "left.txt",
      context: "No active.md exists.",
      system_prompt: "You are terse.",
      setup: "rm -f active.md",
      must_not: "Delete anything newer",
      max_tool_calls: 5,
      limits: { lines: 3 },
      empty: [],
      expected_output: "A loop.",
      assertions: ["It runs"],
    },
    { id: 2, prompt: "Go.", must_not: "Touch the rest", expected_output: "Gone.", kind: "x" },
  ];
  const { suites, problems } = await load({ skill_name: "s", evals });
  const [first, second] = suites[0]?.tasks as [Task, Task];
  expect(first.prompt).toBe(
    "Start the loop.\n\ncontext: No active.md exists.\n\nsystem_prompt: You are terse.",
  );
  expect(first.graders[0]?.prompt).toBe(
    [
      "1. It runs",
      "",
      "The expected output, for reference:",
      "A loop.",
      "",
      "What else the eval says, for reference:",
      "input: left.txt",
      "context: No active.md exists.",
      "system_prompt: You are terse.",
      "setup: rm -f active.md",
      "must_not: Delete anything newer",
      "max_tool_calls: 5",
      'limits: {"lines":"3"}',
    ].join("\n"),
  );
  expect(first.graders[0]?.unjudged).toBe(
    "Not all of this eval was judged; left to another program: `limits`.",
  );
  expect(second.graders[0]).toMatchObject({
    prompt: "1. Gone.\n\nWhat else the eval says, for reference:\nmust_not: Touch the rest\nkind: x",
    unjudged: undefined,
  });
  const keys =
    "`input`, `context`, `system_prompt`, `setup`, `must_not`, `max_tool_calls`, `limits`, `kind`.";
  expectSaid(problems, [`notice not-judged … ${keys} … To have it judged`]);
});

describe("a statement that is only a file's name", () => {
  test("stands for the text of that file, in the skill's folder, beside the file or from the root", async () => {
    const assertions = ["file://rubrics/a.md", "@b.md", "@docs/c.md", "@team is greeted"];
    const [task] = await tasksOf([{ id: 1, prompt: "p", assertions }], {
      "skills/pdf/rubrics/a.md": "\uFEFFA holds.\n",
      "skills/pdf/evals/b.md": "B holds.",
      "docs/c.md": "C\nholds.",
    });
    expect(textsOf(task?.graders[0])).toEqual(["A holds.", "B holds.", "C\nholds.", "@team is greeted"]);
  });

  test.each([
    ["gone.md", {}, "no-input-file … `gone.md`"],
    ["../../../../../x.md", {}, "leaves-repository … `../../../../../x.md`"],
    ["a.md", { "skills/pdf/a.md": " " }, "unusable-file … `a.md` … it is empty"],
    ["a.md", { "skills/pdf/a.md": "a".repeat(256 * 1024 + 1) }, "unusable-file … more than 256 kB"],
  ])("is an error where it cannot be read: %s", async (name, files, said) => {
    const { suites, problems } = await load([{ id: 1, assertions: ["a", `file://${name}`] }], files);
    expectSaid(problems, [`error ${said}`]);
    expect(suites[0]?.broken).toBe(true);
  });
});

test("files are found in the skill's folder, beside the file, in its folders and from the root, or hold their content", async () => {
  const endsWith = (path: string) => expect.stringMatching(new RegExp(`/${path}$`)) as unknown;
  const files = [
    "data",
    "beside.md",
    "given.md",
    "more/fixed.md",
    "skills/pdf/a.md",
    { path: "b.md", purpose: "p" },
    { path: "new.md", content: "New." },
    "/etc/passwd",
    "gone.md",
  ];
  const { suites, problems } = await load([{ id: 1, assertions: ["a"], files }], {
    "skills/pdf/data/rows.csv": "1",
    "skills/pdf/evals/beside.md": "beside",
    "skills/pdf/evals/files/given.md": "given",
    "skills/pdf/evals/fixtures/more/fixed.md": "fixed",
    "skills/pdf/a.md": "a",
    "skills/pdf/b.md": "b",
  });
  expect(suites[0]?.tasks).toMatchObject([
    {
      files: [
        { name: "data", path: endsWith("skills/pdf/data") },
        { name: "beside.md", path: endsWith("evals/beside.md") },
        { name: "given.md", path: endsWith("evals/files/given.md") },
        { name: "more/fixed.md", path: endsWith("evals/fixtures/more/fixed.md") },
        { name: "skills/pdf/a.md", path: endsWith("pdf/a.md") },
        { name: "b.md", path: endsWith("pdf/b.md") },
        { name: "new.md", content: "New." },
        { name: "/etc/passwd", missing: expect.anything() },
        { name: "gone.md", missing: expect.anything() },
      ],
    },
  ]);
  expectSaid(problems, ["warning absolute … `files` of the eval `1` … `/etc/passwd`, `gone.md`"]);
});

test("what is not judged is reported: entries without a sentence, machine checks, keys that may hold checks", async () => {
  const machine = { id: "m", type: "regex-match", pattern: "x" };
  const evals = [
    { id: 1, assertions: [null, "3", "", "a", machine, machine], must_include: ["b"], turns: { one: "t" } },
    { id: 2, expected_output: "o", assertions: [machine] },
  ];
  const { suites, problems } = await load({ skill_name: "s", evals });
  expectSaid(problems, [
    "warning no-sentence … `evals[0].assertions[0]` … it is empty",
    "warning no-sentence … `evals[0].assertions[1]` … `3`",
    "warning no-sentence … `evals[0].assertions[2]` … it is empty",
    "notice machine-checks … 3",
    "notice not-judged … `must_include`, `turns`.",
  ]);
  const graders = (suites[0]?.tasks as Task[]).flatMap((task) => task.graders);
  const left = (what: string) => `Not all of this eval was judged; left to another program: ${what}.`;
  expect(graders.map((grader) => [textsOf(grader), grader.unjudged])).toEqual([
    [["a"], left("`assertions`, `must_include`, `turns`")],
    [["o"], left("`assertions`")],
  ]);
});

test.each<[string, Readonly<Record<string, unknown>>, readonly string[], readonly string[]]>([
  ["for all evals", { shared_assertions: [{ text: "s" }], own: { assertions: ["a"] } }, ["s", "a"], []],
  ["beside an output", { global_expectations: ["s"], own: { expected_output: "o" } }, ["s", "o"], []],
  ["for all evals, and none beside them", { "Universal assertions": ["s"], own: {} }, ["s"], []],
  [
    "by another key, and nothing else",
    { own: { expected_output_includes: ["Label", "7"], difficulty: "hard" } },
    ["expected_output_includes: Label"],
    [
      "warning no-sentence … `evals[0].expected_output_includes[1]` … `7`",
      "notice not-judged … `difficulty`.",
      "notice read-as-statements … `expected_output_includes`.",
    ],
  ],
])("statements that are given %s", async (_case, { own, ...top }, texts, said) => {
  const { suites, problems } = await load({
    skill_name: "s",
    ...top,
    evals: [{ id: 1, prompt: "p", ...(own as object) }],
  });
  expect((suites[0]?.tasks as Task[]).map(({ graders }) => textsOf(graders[0]))).toEqual([texts]);
  expectSaid(problems, said);
});

test("a statement of every eval that no judge can make is a doubt about each", async () => {
  const shared_assertions = ["s", { type: "file_exists", path: "x" }];
  const checks = { text_absent: [{ pattern: "x" }, { pattern: "y" }], exit_code: 0 };
  const tasks = await load({
    skill_name: "s",
    shared_assertions,
    evals: [{ prompt: "p" }, { prompt: "p", checks }],
  });
  const graders = (tasks.suites[0]?.tasks as Task[]).flatMap((task) => task.graders);
  expect(graders.map(({ unjudged }) => unjudged)).toEqual([
    "Not all of this eval was judged; left to another program: `shared_assertions`.",
    "Not all of this eval was judged; left to another program: `shared_assertions`, `checks`.",
  ]);
});

test("evals that name a skill each are an eval for each skill, and those that name none the file's", async () => {
  const of = (id: number, skill?: string) => ({ id, skill, prompt: "p", assertions: ["a"] });
  const evals = [of(1, "label"), of(2, "weigh"), of(3), of(4, "label")];
  const skillMd = (name: string) => ({ [`skills/${name}/SKILL.md`]: `---\nname: ${name}\n---\n` });
  const more = { ...skillMd("label"), ...skillMd("weigh") };
  const { suites, problems } = await load({ skill_name: "bundle", evals }, more, "evals/evals.json");
  expect(problems).toEqual([]);
  expect(suites.map((suite) => [suite.title, idsOf(suite), suite.tested?.name])).toEqual([
    ["label", ["1", "4"], "label"],
    ["weigh", ["2"], "weigh"],
    ["bundle", ["3"], undefined],
  ]);
  expect((suites[0]?.tasks as Task[])[0]?.graders[0]?.prompt).toBe("1. a");
});

test("an eval for which no agent should load the skill is a control", async () => {
  const own = { prompt: "p", assertions: ["a"] };
  const tasks = await tasksOf([own, { ...own, should_trigger: false }, { ...own, shouldTrigger: true }], PDF);
  expect(tasks.map(({ isControl }) => isControl)).toEqual([undefined, true, undefined]);
});

test("another runner's evals are one error, with the lines that leave out their files", async () => {
  const of = (id: number) => ({ id, prompt: "p", routing: { expected: "x" }, modes: ["live", "static"] });
  const other = "skills/csv/evals/evals.json";
  const project = writeProject({
    [FILE]: [of(1), of(2)],
    [other]: { evals: [of(1)] },
    "skills/txt/evals/evals.json": [{ prompt: "p", assertions: ["a"] }],
  });
  const { suites, problems } = await loadSuites(undefined, project);
  expect(suites.map(({ broken }) => broken)).toEqual([true, true, false]);
  expectSaid(problems, [
    `error unjudged … Evals of 2 files … \`routing\`, \`modes\` … add the lines \`!${other}\`, \`!${FILE}\``,
  ]);
});

test.each<[string, string, string]>([
  [
    "quotes of a word processor",
    '[{"prompt": "p", "assertions": [“A, b”]}]',
    "1 … Unexpected token '“' … Write straight quotes, `\"`, in line 1.",
  ],
  [
    "no quotes",
    '[\n{"assertions": [No row, at all]}]',
    "2 … Unexpected token 'N' … Correct line 2, column 17",
  ],
  [
    "a line break in a text",
    '[{"prompt": "p",\n"notes": "a\nb"}]',
    "2 … Bad control character … line 2, column 10",
  ],
  [
    "one key twice",
    '[{"prompt": "p",\n"prompt": "q"}]',
    "2 … the key `prompt` occurs twice … line 2, column 1",
  ],
  ["an error below a comment", "// c\n[1\n2]", "3 … Unexpected token Number found … line 3, column 1"],
  ["no end", '[{"prompt": "p"\n', "1 … it ends too early … Correct line 1, column 16"],
  ["no comma", '["a" "b"]', "1 … Expected ',' or ']' after array element. … the quotes, commas and brackets"],
])("JSON is read as JSON: %s", async (_case, text, said) => {
  expectSaid((await load(text)).problems, [`error invalid-json ${FILE}:${said}`]);
});

test("comments and trailing commas are a notice", async () => {
  const { suites, problems } = await load('[\n  {"prompt": "p", /* c */ "assertions": ["a",]}, // d\n]');
  expectSaid(problems, [`notice no-strict-json ${FILE}:2`]);
  expect(problems[0]?.at?.startColumn).toBe(19);
  expect(suites).toMatchObject([{ broken: false, tasks: [{ graders: [{ statements: [{ text: "a" }] }] }] }]);
});

describe("what is said of evals, with the line, is", () => {
  const of = (...keys: string[]) => ({ prompt: "p", ...Object.fromEntries(keys.map((key) => [key, ["x"]])) });

  test.each<[string, readonly unknown[], string]>([
    [
      "a misspelled list",
      [{ asertions: ["a"], expected_output: "o" }],
      "error misspelled-key … `asertions` … `assertions`",
    ],
    ["a misspelled prompt", [{ promt: "p", assertions: ["a"] }], "error misspelled-key … `promt` … `prompt`"],
    [
      "a misspelled `should_trigger` beside statements",
      [{ prompt: "p", assertions: ["a"], should_triger: false }],
      "warning unread-key … `should_triger` … `should_trigger`",
    ],
    [
      "a `should_trigger` beside statements that is neither true nor false",
      [{ prompt: "p", assertions: ["a"], should_trigger: 3 }],
      "notice not-judged … `should_trigger`.",
    ],
    [
      "a sentence under another name",
      [{ prompt: "p", check: "It is polite", context: "No file" }],
      "error unjudged … `check`.",
    ],
    [
      "lists of other names",
      [of("must", "must_not"), of("must", "must_not")],
      "error unjudged … `must`, `must_not`.",
    ],
    [
      "an id that is there twice",
      [
        { id: 1, assertions: ["a"] },
        { id: "1", assertions: ["b"] },
      ],
      "error taken-task … `1` … line 4",
    ],
    [
      "golden in other words",
      [{ golden: 1, assertions: ["a"] }],
      "error wrong-value … `evals[0].golden`: expected true or false, not `1`",
    ],
    ["an eval that is none", ["x"], "error wrong-value … `evals[0]`: expected an eval … not `x`"],
    [
      "a statement without a text",
      [{ assertions: [{ name: "n", regex: "x" }] }],
      "error no-statement … `evals[0].assertions[0]` … `regex`",
    ],
    [
      "a file outside",
      [{ assertions: ["a"], files: ["../../../../../x"] }],
      "error leaves-repository … `files` of the eval `1` … `../../../../../x`",
    ],
    [
      "a file that is no path",
      [{ assertions: ["a"], files: [{ name: "b.pdf" }] }],
      "warning no-path … `files` of the eval `1`",
    ],
    [
      "a key that is nearly `files`",
      [{ assertions: ["a"], file: ["b"] }],
      `warning unread-key ${FILE}:8 … \`file\` … Did you mean \`files\`?`,
    ],
    [
      "nothing to check",
      [{ assertions: ["a"], tags: [] }, { notes: "n" }, {}],
      "notice nothing-to-check … `2` (line 10), `3` (line 13)",
    ],
  ])("%s", async (_case, evals, said) => {
    const { suites, problems } = await load({ skill_name: "s", evals });
    expectSaid(problems, [said]);
    expect(suites[0]?.broken).toBe(said.startsWith("error"));
  });
});

describe("another file is named for what it is", () => {
  test.each<[string, unknown, string]>([
    ["evals/evals.json", [{ query: "q", should_trigger: true }], "holds trigger evals (`should_trigger`)"],
    ["docs/evals/evals.json", ["swe-bench"], "holds a list of something else"],
    ["docs/evals/evals.json", [{ id: "swe-bench", desc: "A benchmark." }], "holds a list of something else"],
    ["evals/evals.json", { benchmark: {}, evaluations: [] }, "has no list of evals."],
    ["evals/evals.json", { eval: [{ assertions: ["a"] }] }, "`eval` should be a list called `evals`."],
    [
      "grading.json",
      { expectations: [{ text: "a" }], summary: {} },
      "holds what skill-creator writes of runs",
    ],
    [
      "benchmark.json",
      { metadata: {}, runs: [], run_summary: {} },
      "holds what skill-creator writes of runs",
    ],
    ["eval.yaml", { tasks: [{ name: "n", instruction: "i" }] }, "is another tool's eval (by its `tasks`)"],
    ["eval.yaml", { scenarios: [{ name: "n", prompt: "p" }] }, "is another tool's eval (by its `scenarios`)"],
    ["eval.yaml", { tests: [{ id: "a", input: "i" }] }, "is another tool's eval (by its `tests`)"],
    [
      "eval.yaml",
      { kind: "Eval", metadata: { name: "t" }, config: { taskSets: [] } },
      "another tool's eval (by its `kind`)",
    ],
    [
      "eval.yaml",
      { name: "t", agent: { name: "a" }, evaluators: ["relevance"] },
      "another tool's eval (by its `evaluators`)",
    ],
    [
      "eval.yaml",
      { skills: [{ path: "." }], engine: "e", cases: { files: ["a.yaml"] } },
      "another tool's eval (by its `cases`)",
    ],
    ["eval.yaml", { engine: "e", suites: ["a"] }, "another tool's eval (by its `engine`)"],
    ["eval.yaml", { prompts: ["p"], providers: [], tests: [] }, "is another tool's eval (by its `prompts`)"],
  ])("%s: %j", async (file, content, message) => {
    const project = writeProject({ [file]: content });
    const { problems } = await loadSuites([file], project);
    expectSaid(problems, [`error other-format … ${message}`]);
  });

  test.each<[string, string, unknown, string]>([
    ["trigger evals", "x/evals/evals.json", [{ prompt: "q", should_trigger: false }], "notice"],
    ["another tool's eval", "x/eval.yaml", { stimuli: [] }, "notice"],
    ["`evals` that are a mapping", "x/evals/evals.json", { evals: { one: { id: 1 } } }, "error"],
    ["a comment", "x/evals/evals.json", "// to do", "error"],
    ["an empty file", "x/evals/evals.json", "", "error"],
    ["a misspelled list of evals", "x/evals/evals.json", { eval: [{ id: 1 }] }, "error"],
    ["a list of texts", "x/evals/evals.json", ["swe-bench"], "error"],
  ])(
    "found by itself, %s is a notice beside what can be graded, unless it is called evals",
    async (_case, file, content, level) => {
      const { suites, problems } = await load([{ id: 1, assertions: ["a"] }], {
        [file]: content,
        "x/SKILL.md": "",
      });
      expect(suites.filter(({ broken }) => !broken).map(({ title }) => title)).toEqual(["pdf"]);
      expect(problems).toMatchObject([{ level, at: { path: file } }]);
    },
  );

  test("below another `evals/`, or in a workspace, an evals.json is a fixture, unless `eval` names it", async () => {
    const evals = [{ id: 1, assertions: ["a"] }];
    const fixtures = { "evals/mock/evals/evals.json": evals, "pdf-workspace/1/evals/evals.json": evals };
    const { suites, problems } = await load(evals, fixtures);
    expect(suites.map(({ at }) => at.path)).toEqual([FILE]);
    expectSaid(problems, ["notice fixtures … 2 evals.json"]);
    const named = await loadSuites(["evals/**/evals.json"], writeProject(fixtures));
    expect(named.suites.map(({ at }) => at.path)).toEqual(["evals/mock/evals/evals.json"]);
  });
});

test.each([
  ["skills/pdf/SKILL.md", ["pdf"]],
  ["skills/pdf/scripts/merge.py", ["pdf"]],
  ["skills/docx/references/deep/a.md", ["docx"]],
  ["README.md", []],
])("`changed-only`: %s changes the skill of its folder", async (file, expected) => {
  const evals = [{ id: 1, assertions: ["a"] }];
  const { suites } = await load(evals, { "skills/docx/evals/evals.json": evals });
  const { suites: unchanged } = unchangedSuites(suites, { files: [file] });
  expect(suites.filter((suite) => !unchanged.has(suite)).map(({ title }) => title)).toEqual(expected);
});
