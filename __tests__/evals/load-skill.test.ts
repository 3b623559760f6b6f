/** The evals.json of Agent Skills, in the shapes that real files have. */
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Problem } from "../../src/domain/problem.ts";
import type { Grader, Suite, Task } from "../../src/domain/suite.ts";
import { unchangedSuites } from "../../src/github/changes.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const FILE = "skills/pdf/evals/evals.json";

/** Loads a project with one file of evals; text is written as it is. */
async function load(content: unknown, more: Readonly<Record<string, unknown>> = {}, file = FILE) {
  const project = writeProject({ [file]: content, ...more });
  return await loadSuites(undefined, project);
}

async function tasksOf(content: unknown, more: Readonly<Record<string, unknown>> = {}) {
  const { suites, problems } = await load(content, more);
  expect(problems).toEqual([]);
  const [suite] = suites as [Suite];
  return suite.tasks === "every" ? [] : suite.tasks;
}

const textsOf = (grader: Grader | undefined) => grader?.statements?.map(({ text }) => text);
const messages = (problems: readonly Problem[]) =>
  problems.map(({ level, message }) => `${level}: ${message}`);

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
  test.each<[string, Readonly<Record<string, unknown>>, readonly string[], string | undefined]>([
    ["texts", { assertions: ["a", " b "] }, ["a", "b"], undefined],
    ["another name", { expectations: ["a"] }, ["a"], undefined],
    ["a third name, one text alone", { expected_behavior: "a" }, ["a"], undefined],
    ["two lists", { assertions: ["a"], rubric: ["b"] }, ["a", "b"], undefined],
    ["texts with ids", { assertions: [{ id: "1.1", text: "a" }] }, ["a"], undefined],
    ["checks", { assertions: [{ name: "n", check: "a" }] }, ["a"], undefined],
    ["dimensions", { rubric: [{ dimension: "tone", pass_if: "kind" }] }, ["tone: kind"], undefined],
    [
      "a text with a condition",
      { assertions: [{ description: "Tickets", check: "No note names one" }] },
      ["Tickets: No note names one"],
      undefined,
    ],
    ["the expected output alone", { expected_output: "a" }, ["a"], undefined],
    ["its other name, beside statements", { ground_truth: "r", assertions: ["a"] }, ["a"], "r"],
    [
      "a typed sentence, with its type: it may turn it",
      { assertions: [{ text: "the key", type: "not_contains" }] },
      ["the key (type: not_contains)"],
      undefined,
    ],
    [
      "any other key of a sentence, but for names and grades",
      {
        assertions: [
          { id: 1, name: "n", text: "a", passed: true, evidence: "e", flags: { not: true }, x: null },
        ],
      },
      ['a (flags: {"not":"true"})'],
      undefined,
    ],
    ["labels of an eval", { assertions: ["a"], tags: ["t"], metadata: { owner: "o" } }, ["a"], undefined],
  ])("%s", async (_case, eval_, expected, reference) => {
    const [task] = await tasksOf({ skill_name: "s", evals: [{ id: 1, prompt: "p", ...eval_ }] });
    expect(textsOf(task?.graders[0])).toEqual(expected);
    const shown = task?.graders[0]?.prompt.split("\n\nThe expected output, for reference:\n");
    const list = expected.map((text, index) => `${String(index + 1)}. ${text}`).join("\n");
    expect(shown).toEqual(reference === undefined ? [list] : [list, reference]);
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

test("a file that is no path is a warning", async () => {
  const evals = [{ id: 1, golden: "Yes", assertions: ["a"], files: [{ name: "b.pdf" }] }];
  const { suites, problems } = await load({ skill_name: "s", evals });
  expect(suites[0]?.tasks).toMatchObject([{ golden: true, files: [] }]);
  expect(messages(problems)).toEqual([
    `warning: \`files\` of the eval \`1\` has an entry that is not a path; it is ignored.`,
  ]);
});

describe("the lists of a file", () => {
  const one = (id: number) => ({ id, prompt: "p", assertions: ["a"] });
  const trigger = (query: string) => ({ query, should_trigger: true, area: "x", files: [] });

  test.each<[string, unknown, readonly string[], readonly string[]]>([
    [
      "beside `evals`, others with statements are read under their names",
      { evals: [one(1)], negative_evals: [one(1)], groups: [{ behavior_evals: [{ ...one(2), id: "b" }] }] },
      ["1", "negative_evals/1", "groups[0].behavior_evals/b"],
      [],
    ],
    [
      "one list keeps its ids, whatever its name",
      { functional_evals: [one(1)], note: "n" },
      ["1"],
      ["notice: `functional_evals` is read as a list of evals."],
    ],
    [
      "prompts without statements, beside evals",
      { evals: [one(1)], negative_evals: [{ prompt: "b" }, { query: "c" }] },
      ["1"],
      ["error: `negative_evals` is not read: its entries have no statements."],
    ],
    [
      "references, history and metadata hold no evals, nor do lists without prompts",
      {
        evals: [one(1)],
        references: [{ prompt: "p" }],
        history: [{ query: "q" }],
        cases: [{ url: "u" }],
        notes: ["n"],
      },
      ["1"],
      ["notice: lists that are not read: `cases`, `notes`."],
    ],
    ["trigger evals are none", { evals: [one(1)], trigger_evals: [trigger("q")] }, ["1"], []],
    [
      "entries that ask whether the skill loads are none, though they say what is expected",
      { evals: [one(1), { id: 2, prompt: "q", should_trigger: false, expected_output: "Do not load it." }] },
      ["1"],
      ["notice: Trigger evals ask only whether the skill is loaded; not read of them: `expected_output`."],
    ],
    ["with statements they are judged, too", { evals: [{ ...one(1), should_trigger: true }] }, ["1"], []],
    [
      "a misspelled list of statements does not make a trigger eval of them",
      { evals: [one(1), { prompt: "q", should_trigger: true, assertion: ["b"] }] },
      ["1"],
      ["error: `assertion` is not a key of an eval; `assertions` seems to be meant."],
    ],
    [
      "among trigger evals, an entry without the boolean",
      { evals: [one(1)], trigger_evals: [trigger("q"), { query: "r" }] },
      ["1"],
      ["error: `trigger_evals[1]` is not read: beside trigger evals, and without `should_trigger`."],
    ],
  ])("%s", async (_case, content, ids, problems) => {
    const loaded = await load(content);
    const [suite] = loaded.suites as [Suite];
    expect((suite.tasks as Task[]).map(({ id }) => id)).toEqual(ids);
    expect(messages(loaded.problems)).toEqual(problems);
  });

  test("without any evals, prompts are an error at their key", async () => {
    const { problems } = await load({ skill_name: "s", samples: [{ prompt: "p", expect: "x" }] });
    expect(problems).toMatchObject([
      {
        level: "error",
        message: "`samples` is not read: its entries have no statements.",
        at: { startLine: 3 },
      },
    ]);
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
  expect(messages(problems)).toEqual([
    "notice: These files hold evals and are not read, as they are not called `eval.yaml` or `evals.json`: `skills/pdf/evals/more-evals.json`, `skills/pdf/evals/negative.json`.",
  ]);
  expect((await loadSuites(["!**/more-evals.json", "!**/negative.json"], project)).problems).toEqual([]);
  const named = await loadSuites(["skills/*/evals/{evals,negative}.json"], project);
  expect(named.problems).toEqual([]);
  expect(named.suites.map(({ at }) => at.path)).toEqual([FILE, "skills/pdf/evals/negative.json"]);
});

describe("a file that means something else than it says is read, with a word of it:", () => {
  const one = { id: 1, prompt: "p", assertions: ["a"] };
  const bare = { id: 2, prompt: "p", expected_output: "e", assertions: [] };
  test.each<[string, unknown, string[], string | undefined]>([
    ["a misspelled list", { evalls: [one] }, ["1"], "notice: `evalls` is read as a list of evals."],
    ["another list", { tests: [one] }, ["1"], "notice: `tests` is read as a list of evals."],
    [
      "a second one by nearly the same key",
      { evals: [one], Evals: [one] },
      ["1", "Evals/1"],
      "notice: `Evals` is read as a list of evals.",
    ],
    [
      "a list above the main one, which keeps its ids",
      { worse: [one], evals: [one] },
      ["1", "worse/1"],
      undefined,
    ],
    ["a misspelled name", { skill_nam: "pdf", evals: [one] }, ["1"], "warning: `skill_nam` is not read."],
    [
      "another skill",
      { skill_name: "csv", evals: [one] },
      ["1"],
      "notice: the evals are of the skill `csv`, and the nearest SKILL.md, with which they are run, is of `pdf`.",
    ],
    [
      "no statement beside an expected output",
      { skill_name: "pdf", evals: [one, bare] },
      ["1", "2"],
      "notice: empty statements: the expected output is judged in their place (line 15).",
    ],
  ])("%s", async (_, content, ids, said) => {
    const { suites, problems } = await load(content, { "skills/pdf/SKILL.md": "---\nname: pdf\n---\n" });
    expect(suites.flatMap(({ tasks }) => (tasks === "every" ? [] : tasks.map(({ id }) => id)))).toEqual(ids);
    expect(messages(problems)).toEqual(said === undefined ? [] : [said]);
  });
});

test("a skill without an eval that is read is named, with the file that looks like one", async () => {
  const one = { prompt: "p", assertions: ["a"] };
  const skill = "---\nname: x\n---\n";
  const places: [string, unknown][] = [
    ["eval/evals.json", [one]],
    ["Evals/evals.json", { evals: [one] }],
    ["tests/evals.json", { cases: [one] }],
    ["evals.json", [one]],
    ["evals-v2.json", "{"],
    ["evals/evals.jsonl", `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`],
    ["evals/haiku.json", [{ prompt: "p" }]],
    ["tests/unit/cases.yaml", [{ query: "q", should_trigger: true }]],
  ];
  for (const [place, content] of places) {
    const { suites, problems, unread } = await load([one], {
      "skills/pdf/SKILL.md": "---\nname: pdf\n---\n",
      "skills/x/SKILL.md": skill,
      "skills/x/references/log.jsonl": '{"type":"user","prompt":"p"}\n{"type":"result"}\n',
      "skills/x/evals/triggers.json": [{ query: "q", should_trigger: true }],
      [`skills/x/${place}`]: content,
    });
    expect(suites).toHaveLength(1);
    expect(problems).toEqual(unread);
    expect(messages(unread)).toEqual([
      `notice: the skill \`x\` has no eval that is read; \`skills/x/${place}\` looks like one.`,
    ]);
  }
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
  expect(first.graders[0]?.unjudged).toBe("Not all of this eval was judged: `limits` is not read.");
  expect(second.graders[0]).toMatchObject({
    prompt: "1. Gone.\n\nWhat else the eval says, for reference:\nmust_not: Touch the rest\nkind: x",
    unjudged: undefined,
  });
  expect(problems).toMatchObject([
    {
      level: "notice",
      message:
        "What else evals say goes to the judge, and is not judged: `input`, `context`, `system_prompt`, `setup`, `must_not`, `max_tool_calls`, `limits`, `kind`.",
      help: 'To have it judged, write it under `assertions`: `"must_not: Delete anything newer"`.',
    },
  ]);
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
    ["gone.md", {}, "the statement `gone.md` does not exist, so the judge does not see it."],
    ["../../../../x.md", {}, "the statement `../../../../x.md` leaves the repository."],
    ["a.md", { "skills/pdf/a.md": " " }, "the statement `a.md` cannot be read: it is empty."],
    [
      "a.md",
      { "skills/pdf/a.md": "a".repeat(256 * 1024 + 1) },
      "the statement `a.md` cannot be read: it is larger than 256 KiB, and goes to the judge with every grade.",
    ],
  ])("is an error where it cannot be read: %s", async (name, files, message) => {
    const { suites, problems } = await load([{ id: 1, assertions: ["a", `file://${name}`] }], files);
    expect(messages(problems)).toEqual([`error: ${message}`]);
    expect(suites[0]?.broken).toBe(true);
  });
});

test("files are found in the skill's folder, beside the file and from the root, or hold their content", async () => {
  const files = [
    "data",
    "beside.md",
    "skills/pdf/a.md",
    { path: "b.md", purpose: "p" },
    { path: "new.md", content: "New." },
    "/etc/passwd",
    "gone.md",
  ];
  const { suites, problems } = await load([{ id: 1, assertions: ["a"], files }], {
    "skills/pdf/data/rows.csv": "1",
    "skills/pdf/evals/beside.md": "beside",
    "skills/pdf/a.md": "a",
    "skills/pdf/b.md": "b",
  });
  expect(suites[0]?.tasks).toMatchObject([
    {
      files: [
        { name: "data", path: expect.stringMatching(/skills\/pdf\/data$/) as unknown },
        { name: "beside.md", path: expect.stringMatching(/evals\/beside\.md$/) as unknown },
        { name: "skills/pdf/a.md", path: expect.stringMatching(/pdf\/a\.md$/) as unknown },
        { name: "b.md", path: expect.stringMatching(/pdf\/b\.md$/) as unknown },
        { name: "new.md", content: "New." },
        { name: "/etc/passwd", missing: true },
        { name: "gone.md", missing: true },
      ],
    },
  ]);
  expect(messages(problems)).toEqual([
    "warning: `files` of the eval `1`: `/etc/passwd` is an absolute path, so the judge does not see it.",
    "warning: `files` of the eval `1`: `gone.md` does not exist, so the judge does not see it.",
  ]);
});

test("what is not judged is reported: entries without a sentence, machine checks, keys that may hold checks", async () => {
  const machine = { id: "m", type: "regex-match", pattern: "x" };
  const evals = [
    { id: 1, assertions: [null, "3", "", "a", machine, machine], must_include: ["b"], turns: { one: "t" } },
    { id: 2, expected_output: "o", assertions: [machine] },
  ];
  const { suites, problems } = await load({ skill_name: "s", evals });
  expect(messages(problems)).toEqual([
    "warning: `evals[0].assertions[0]` is no statement: it is empty. It is ignored.",
    "warning: `evals[0].assertions[1]` is no statement: `3`. It is ignored.",
    "warning: `evals[0].assertions[2]` is no statement: it is empty. It is ignored.",
    "notice: 3 machine checks are left to your own runner: `type` without a sentence.",
    "notice: What else evals say goes to the judge, and is not judged: `must_include`, `turns`.",
  ]);
  const graders = (suites[0]?.tasks as Suite["tasks"] & object[]).flatMap(
    (task) => (task as { graders: Grader[] }).graders,
  );
  expect(graders.map((grader) => [textsOf(grader), grader.unjudged])).toEqual([
    [["a"], "Not all of this eval was judged: `must_include`, `turns` is not read."],
    [["o"], undefined],
  ]);
});

test("what has nothing to check is one notice", async () => {
  const evals = [{ id: 1, assertions: ["a"], tags: [] }, { id: 2, notes: "n" }, { id: 3 }];
  const { suites, problems } = await load({ skill_name: "s", evals });
  expect(messages(problems)).toEqual([
    `notice: nothing to check, so not graded: \`2\` (line 11), \`3\` (line 15).`,
  ]);
  expect(suites[0]?.broken).toBe(false);
});

test("a key that is nearly `files` is a warning at its line", async () => {
  const evals = [{ id: 1, prompt: "p", assertions: ["a"], file: ["in.csv"] }];
  const { suites, problems } = await load({ skill_name: "s", evals });
  expect(messages(problems)).toEqual([`warning: \`file\` is not read.`]);
  expect(problems[0]).toMatchObject({ help: "Did you mean `files`?", at: { startLine: 10 } });
  expect(suites[0]?.broken).toBe(false);
});

test.each<[string, Readonly<Record<string, unknown>>, readonly string[], readonly string[]]>([
  [
    "for all evals, in either order",
    { shared_assertions: [{ text: "s" }], own: { assertions: ["a"] } },
    ["s", "a"],
    [],
  ],
  [
    "for all evals, beside an expected output",
    { global_expectations: ["s"], own: { expected_output: "o" } },
    ["s", "o"],
    [],
  ],
  ["for all evals, and none beside them", { "Universal assertions": ["s"], own: {} }, ["s"], []],
  [
    "by another key, and nothing else",
    { own: { expected_output_includes: ["Label", "7"], difficulty: "hard" } },
    ["expected_output_includes: Label"],
    [
      "warning: `evals[0].expected_output_includes[1]` is no statement: `7`. It is ignored.",
      "notice: What else evals say goes to the judge, and is not judged: `difficulty`.",
      "notice: read as statements, as their evals have nothing else to judge: `expected_output_includes`.",
    ],
  ],
])("statements that are given %s", async (_case, { own, ...top }, texts, said) => {
  const { suites, problems } = await load({
    skill_name: "s",
    ...top,
    evals: [{ id: 1, prompt: "p", ...(own as object) }],
  });
  expect((suites[0]?.tasks as Task[]).map(({ graders }) => textsOf(graders[0]))).toEqual([texts]);
  expect(messages(problems)).toEqual(said);
});

test("an eval for which no agent should load the skill is a control", async () => {
  const own = { prompt: "p", assertions: ["a"] };
  const tasks = await tasksOf([own, { ...own, should_trigger: false }, { ...own, shouldTrigger: true }]);
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
  expect(problems).toMatchObject([
    {
      message:
        "3 evals of 2 files have no statements, and what may be their checks is not read: `routing`, `modes`.",
      help: `Write the checks as a list under \`assertions\`; what is no check, under \`metadata\`. To leave the files out, add the lines \`!${other}\`, \`!${FILE}\` to \`eval\`.`,
    },
  ]);
});

test.each<[string, string, string, number, string]>([
  [
    "quotes of a word processor",
    '[{"prompt": "p", "assertions": [“A, b”]}]',
    "Unexpected token '“'",
    1,
    'Write straight quotes, `"`, in line 1.',
  ],
  [
    "no quotes",
    '[\n{"prompt": "p", "assertions": [No row, at all]}]',
    "Unexpected token 'N'",
    2,
    "Correct line 2, column 32",
  ],
  [
    "a line break in a text",
    '[{"prompt": "p",\n"assertions": ["a\nb"]}]',
    "Bad control character in string literal",
    2,
    "Correct line 2, column 16",
  ],
  [
    "one key twice",
    '[{"prompt": "p",\n"prompt": "q"}]',
    "the key `prompt` occurs twice in one mapping",
    2,
    "Correct line 2, column 1",
  ],
  [
    "an error below a comment",
    "// c\n[1\n2]",
    "Unexpected token Number found",
    3,
    "Correct line 3, column 1",
  ],
  ["no end", '[{"prompt": "p"\n', "it ends too early", 1, "Correct line 1, column 16"],
])("JSON is read as JSON: %s", async (_case, text, reason, line, help) => {
  const { problems } = await load(text);
  expect(problems).toMatchObject([
    { level: "error", message: `the file is not valid JSON: ${reason}.`, at: { startLine: line } },
  ]);
  expect(problems[0]?.help).toContain(help);
});

test("comments and trailing commas are a notice", async () => {
  const { suites, problems } = await load('[\n  {"prompt": "p", /* c */ "assertions": ["a",]}, // d\n]');
  expect(messages(problems)).toEqual([
    "notice: the file has comments or trailing commas, which JSON has not; it is read without them.",
  ]);
  expect(problems[0]?.at).toMatchObject({ startLine: 2, startColumn: 19 });
  expect(suites).toMatchObject([{ broken: false, tasks: [{ graders: [{ statements: [{ text: "a" }] }] }] }]);
});

describe("a configuration problem is", () => {
  test.each<[string, readonly unknown[], string]>([
    [
      "a misspelled list of statements, beside an expected output",
      [{ id: 1, asertions: ["a"], expected_output: "o" }],
      `\`asertions\` is not a key of an eval; \`assertions\` seems to be meant.`,
    ],
    [
      "a misspelled prompt, without which the agent is asked nothing",
      [{ id: 1, promt: "p", assertions: ["a"] }],
      `\`promt\` is not a key of an eval; \`prompt\` seems to be meant.`,
    ],
    [
      "a sentence under another name, beside a prompt",
      [{ id: 1, prompt: "p", check: "It is polite", context: "No file is there" }],
      `1 eval has no statements, and what may be their checks is not read: \`check\`.`,
    ],
    [
      "two lists of other names, beside a prompt",
      [
        { id: 1, prompt: "p", must: ["a"], must_not: ["b"] },
        { id: 2, prompt: "p", must: ["a"], must_not: ["b"] },
      ],
      `2 evals have no statements, and what may be their checks is not read: \`must\`, \`must_not\`.`,
    ],
    [
      "an id that is there twice",
      [
        { id: 1, assertions: ["a"] },
        { id: "1", assertions: ["b"] },
      ],
      `the eval \`1\` has the id of the one in line 4.`,
    ],
    [
      "golden in other words",
      [{ id: 1, golden: 1, assertions: ["a"] }],
      `\`evals[0].golden\`: expected true or false, not \`1\`.`,
    ],
    ["an eval that is none", ["x"], `\`evals[0]\`: expected an eval, not \`x\`.`],
    [
      "a statement without a text",
      [{ id: 1, assertions: [{ name: "n", regex: "x" }] }],
      `\`evals[0].assertions[0]\`: expected a statement. It has \`regex\`.`,
    ],
    [
      "a file outside of the repository",
      [{ id: 1, assertions: ["a"], files: ["../../../../x"] }],
      `\`files\` of the eval \`1\`: \`../../../../x\` leaves the repository.`,
    ],
  ])("%s", async (_case, evals, message) => {
    const { suites, problems } = await load({ skill_name: "s", evals });
    expect(messages(problems)).toEqual([`error: ${message}`]);
    expect(suites[0]?.broken).toBe(true);
  });
});

describe("another file is named for what it is", () => {
  test.each<[string, unknown, string]>([
    ["evals/evals.json", [{ query: "q", should_trigger: true }], "holds trigger evals (`should_trigger`)"],
    ["docs/evals/evals.json", ["swe-bench"], "holds a list of something else"],
    ["docs/evals/evals.json", [{ id: "swe-bench", desc: "A benchmark." }], "holds a list of something else"],
    ["evals/evals.json", { benchmark: {}, evaluations: [] }, "has no list of evals."],
    [
      "evals/evals.json",
      { eval: [{ id: 1, assertions: ["a"] }] },
      "has no list of evals. Its key `eval` should be `evals`.",
    ],
    ["grading.json", { expectations: [{ text: "a" }], summary: {} }, "holds grades, as `grading.json`"],
    [
      "benchmark.json",
      { metadata: {}, runs: [], run_summary: {} },
      "holds a comparison, as `benchmark.json`",
    ],
    [
      "eval.yaml",
      { version: "1", tasks: [{ name: "n", instruction: "i" }] },
      "is another tool's eval (by its `tasks`)",
    ],
    ["eval.yaml", { scenarios: [{ name: "n", prompt: "p" }] }, "is another tool's eval (by its `scenarios`)"],
    ["eval.yaml", { tests: [{ id: "a", input: "i" }] }, "is another tool's eval (by its `tests`)"],
    ["eval.yaml", { prompts: ["p"], providers: [], tests: [] }, "is another tool's eval (by its `prompts`)"],
  ])("%s: %j", async (file, content, message) => {
    const project = writeProject({ [file]: content });
    const { problems } = await loadSuites([file], project);
    expect(problems.map(({ level }) => level)).toEqual(["error"]);
    expect(problems[0]?.message).toContain(message);
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
      const { suites, problems } = await load([{ id: 1, assertions: ["a"] }], { [file]: content });
      expect(suites.filter(({ broken }) => !broken).map(({ title }) => title)).toEqual(["pdf"]);
      expect(problems).toMatchObject([{ level, at: { path: file } }]);
    },
  );

  test("below another `evals/`, or in a workspace, an evals.json is a fixture, unless `eval` names it", async () => {
    const evals = [{ id: 1, assertions: ["a"] }];
    const fixtures = {
      "evals/mock/evals/evals.json": evals,
      "pdf-workspace/iteration-1/evals/evals.json": evals,
    };
    const { suites, problems } = await load(evals, fixtures);
    expect(suites.map(({ at }) => at.path)).toEqual([FILE]);
    expect(messages(problems)).toEqual([
      "notice: 2 evals.json below another `evals/` or in a `…-workspace/` are no evals of this repository, and left out.",
    ]);
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

test("a torn file is an error in the words of JSON, not of YAML", async () => {
  const { problems } = await load('{"evals": [{"id": 1, "assertions": ["a" "b"]}]');
  expect(problems.map(({ level }) => level)).toEqual(["error"]);
  expect(problems[0]?.message).toBe("the file is not valid JSON: Expected ',' or ']' after array element.");
  expect(problems[0]?.help).toBe(
    "Correct line 1, column 41, and check the quotes, commas and brackets before it.",
  );
});
