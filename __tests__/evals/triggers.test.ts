/** Trigger evals of skills, in the shapes that real files have. */
import { afterAll, describe, expect, test } from "@jest/globals";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { loadTriggers } from "../../src/evals/triggers.ts";
import { mergeProblems } from "../../src/text/format.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const FILE = "skills/pdf/evals/trigger-evals.json";

async function load(files: Readonly<Record<string, unknown>>) {
  const skills = ["pdf", "docx", "xlsx", "pptx"].map((name) => [`skills/${name}/SKILL.md`, skillOf(name)]);
  return await loadIn({ ...(Object.fromEntries(skills) as Record<string, string>), ...files });
}

function skillOf(name: string): string {
  return `---\nname: ${name}\n---\n`;
}

async function loadIn(files: Readonly<Record<string, unknown>>) {
  const { suites, problems } = await loadTriggers(writeProject(files));
  const all = suites.flatMap(({ tasks, skill = "any", among = [] }) =>
    tasks === "every" ? [] : tasks.map((task) => ({ skill, task, of: among.map(({ name }) => name) })),
  );
  return {
    queries: all.map(
      ({ skill, task, of }) =>
        `${skill}: ${task.shouldTrigger ? "" : "not "}${task.prompt ?? ""}${of.length > 0 ? ` (of ${String(of.length)})` : ""}`,
    ),
    problems: problems.map(({ level, message }) => `${level}: ${message}`),
  };
}

describe("are read where an entry has a query and says whether the skill should load", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["a list", [{ query: "a", should_trigger: true }], ["pdf: a"]],
    ["a list under any key", { about: "x", cases: [{ prompt: "a", should_trigger: false }] }, ["pdf: not a"]],
    ["another key of the boolean", { evals: [{ query: "a", expected_trigger: true, id: 1 }] }, ["pdf: a"]],
    ["its words as text", [{ query: "a", should_trigger: "yes" }], ["pdf: a"]],
    [
      "two lists of queries",
      { should_trigger: ["a", { query: "b", why: "w" }], should_not_trigger: ["c"] },
      ["pdf: a", "pdf: b", "pdf: not c"],
    ],
    [
      "the skill that the file names, or what is around the list, or the entry",
      {
        skill_name: "docx",
        queries: [
          { query: "a", should_trigger: true },
          { query: "b", should_trigger: true, skill: "xlsx" },
        ],
        skills: [{ name: "pptx", should_trigger: ["c"] }],
      },
      ["docx: a", "xlsx: b", "pptx: c"],
    ],
    [
      "a query that is there twice, once",
      [1, 2].map((id) => ({ id, query: "a", should_trigger: true })),
      ["pdf: a"],
    ],
    [
      "a boolean that a `not` turns is none",
      { should_trigger: ["a"], more: [{ query: "b", should_not_trigger: true }] },
      ["pdf: a"],
    ],
  ])("%s", async (_case, content, queries) => {
    expect((await load({ [FILE]: content })).queries).toEqual(queries);
  });

  test("also in evals.json, in a list of its own or among the evals", async () => {
    const evals = [
      { id: 1, prompt: "p", assertions: ["a"] },
      { id: 2, query: "b", should_trigger: false },
    ];
    const trigger_evals = [{ query: "a", should_trigger: true }];
    const { queries } = await load({
      "skills/pdf/SKILL.md": skillOf("pdf-tools"),
      "skills/pdf/evals/evals.json": { evals, trigger_evals },
      "pdf-workspace/evals/evals.json": { trigger_evals },
    });
    expect(queries).toEqual(["pdf-tools: not b", "pdf-tools: a"]);
  });
});

const PLAIN = { query: "c", should_trigger: false };

test.each<[string, unknown, readonly string[]]>([
  [
    "in place of true and false",
    [
      { query: "a", should_trigger: "docx" },
      { query: "b", should_trigger: null },
      { query: "c", should_trigger: "none" },
    ],
    ["docx: a (of 4)", "any: not b (of 4)", "any: not c (of 4)"],
  ],
  [
    "by a key of its own, also by a plugin's name",
    {
      queries: [
        { prompt: "a", expected_skill: "docx" },
        { prompt: "b", expect_skill: "office:xlsx" },
        { prompt: "c", expect: "pptx" },
        { prompt: "d", expected_skill: null },
      ],
    },
    ["docx: a (of 4)", "xlsx: b (of 4)", "pptx: c (of 4)", "any: not d (of 4)"],
  ],
  [
    "beside a plain one, which is run as without it",
    [{ query: "a", should_trigger: true, expected_skill: "docx" }, PLAIN],
    ["pdf: not c", "docx: a (of 4)"],
  ],
  [
    "of the plain one's own words and skill, which is run once",
    [
      { query: "a", expected_skill: "pdf" },
      { query: "a", should_trigger: true },
    ],
    ["pdf: a"],
  ],
  [
    "where its own should not be loaded, the one that should in its place",
    [{ query: "a", should_trigger: false, expected_skill: "docx" }],
    ["docx: a (of 4)"],
  ],
  [
    "and none, where its own should be loaded: true counts",
    [{ query: "a", should_trigger: true, expected_skill: null }],
    ["pdf: a"],
  ],
  [
    "not in a judged eval",
    { more: [{ prompt: "a", expected_skill: "docx", assertions: ["x"] }, PLAIN] },
    ["pdf: not c"],
  ],
])("a query names the skill that should be loaded %s", async (_case, content, queries) => {
  expect(await load({ [FILE]: content })).toMatchObject({ queries });
});

test("a query that should load nothing is about any skill where none is its own", async () => {
  const { queries } = await load({ "evals/trigger.json": [{ query: "a", should_trigger: "pdf" }, PLAIN] });
  expect(queries).toEqual(["pdf: a (of 4)", "any: not c (of 4)"]);
});

test("queries that nothing can be made of are named once a shape, also where evals are graded", async () => {
  const entries = (value: unknown) =>
    [1, 2].map((id) => ({ id, query: `q${String(id)}`, expected_skill: value }));
  const files = {
    "skills/pdf/SKILL.md": skillOf("pdf"),
    "skills/pdf/evals/evals.json": { evals: [{ id: 1, prompt: "p", assertions: ["a"] }] },
    "skills/pdf/evals/routes.json": entries(["pdf", "docx"]),
    "skills/pdf/evals/more.json": entries(["pdf"]),
    "skills/pdf/evals/gone.json": [...entries("gone"), { query: "q3", expected_skill: "lost" }],
    "evals/triggers.json": { skill_name: "xlsx", cases: OWN },
  };
  const [which, none, lost] = [
    "Trigger queries not run: of `expected_skill` the value is neither a skill's name, null, true nor false.",
    "1 trigger query not run: the skill `xlsx` was not found.",
    "3 trigger queries not run: the repository has no skills `gone`, `lost`.",
  ] as const;
  const workspace = writeProject(files);
  const read = [await loadTriggers(workspace), await loadSuites(undefined, workspace)];
  expect(read.map((one) => mergeProblems(one.problems).map(({ message }) => message))).toEqual([
    [`${which} Also in \`skills/pdf/evals/routes.json\`.`, none, lost],
    [`${which} Also in \`skills/pdf/evals/routes.json\`.`, none, lost],
  ]);
});

const OWN = [{ query: "a", should_trigger: true }];
const NOT_RUN = "warning: 1 trigger query not run:";

test.each<[string, Readonly<Record<string, unknown>>, readonly string[], readonly string[]]>([
  [
    "the entry's",
    {
      "evals/triggers.json": [{ query: "a", should_trigger: true, expect_skill: "b" }],
      "evals/evals.json": { skill_name: "c" },
    },
    ["b: a (of 2)"],
    [],
  ],
  [
    "the one that should be loaded, before any other",
    {
      "evals/triggers.json": [{ query: "a", should_trigger: true, expected_skill: "b", skill: "c" }],
      "evals/evals.json": { skill_name: "c" },
    },
    ["b: a (of 2)"],
    [],
  ],
  [
    "the one that evals.json beside it names",
    { "evals/triggers.json": OWN, "evals/evals.json": { skill_name: "c" } },
    ["c: a"],
    [],
  ],
  ["none of several", { "evals/triggers.json": OWN }, [], [`${NOT_RUN} no skill is at or above the file.`]],
  [
    "none of the name",
    { "evals/triggers.json": { skill_name: "d", cases: OWN } },
    [],
    [`${NOT_RUN} the skill \`d\` was not found.`],
  ],
])("the skill of trigger evals at the top is %s", async (_case, files, queries, problems) => {
  const skills = { "b/SKILL.md": skillOf("b"), "c/SKILL.md": skillOf("c") };
  expect(await loadIn({ ...skills, ...files })).toEqual({ queries, problems });
});

test("the skill of trigger evals at the top is the only one", async () => {
  expect((await loadIn({ "b/SKILL.md": skillOf("b"), "evals/triggers.json": OWN })).queries).toEqual([
    "b: a",
  ]);
});

test.each<[string, unknown, readonly string[]]>([
  ["a file of other things", { summary: [{ name: "n" }] }, []],
  [
    "entries without the boolean, where the file is called trigger evals",
    { cases: [{ prompt: "p", about: "pdf" }] },
    ["warning: the file is called trigger evals, and none is read: no entry has `should_trigger`."],
  ],
  [
    "an entry without it among others",
    [{ query: "a", should_trigger: true }, { query: "b" }],
    ["error: Not read, since prompts in it have neither statements nor `should_trigger`: `[1]`."],
  ],
  [
    "misspelled statements, and what no judge reads",
    [
      {
        query: "a",
        should_trigger: true,
        assertion: ["x"],
        checks: ["y"],
        expected_output: "z",
        tags: ["t"],
        why: "w",
      },
    ],
    [
      "error: `assertion` is not a key of an eval; `assertions` seems to be meant.",
      "notice: Trigger evals ask only whether the skill is loaded; not read of them: `checks`, `expected_output`.",
    ],
  ],
  ["a torn file", '[{"query": "a", "should_trigger": true}', ["error: the file is not valid JSON"]],
])("what is not read is named: %s", async (_case, content, problems) => {
  expect((await load({ [FILE]: content })).problems).toEqual(
    problems.map((text) => expect.stringContaining(text) as unknown),
  );
});

test.each<[string, Readonly<Record<string, unknown>>, readonly string[] | undefined]>([
  ["in a file of their own", { [FILE]: [{ query: "a", should_trigger: true }] }, undefined],
  [
    "in evals.json",
    { "evals/evals.json": [{ query: "a", should_trigger: true, expected_output: "It loads." }] },
    undefined,
  ],
  ["where another file is left out", { [FILE]: { should_trigger: ["a"] }, "x/eval.yaml": "a: {" }, ["!x/*"]],
])("a repository with trigger evals alone is not told that it has none: %s", async (_case, files, input) => {
  const { suites, problems } = await loadSuites(
    input,
    writeProject({ "pdf/SKILL.md": skillOf("pdf"), ...files }),
  );
  expect(suites).toEqual([]);
  expect(problems.map(({ level }) => level)).not.toContain("error");
  const [first] = mergeProblems(problems).map(({ message }) => message);
  expect(first).toBe("There are trigger evals alone (1 query), which no judge decides: nothing is graded.");
});
