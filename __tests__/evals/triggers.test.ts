/** Trigger evals of skills, in the shapes that real files have. */
import { afterAll, describe, expect, test } from "@jest/globals";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { loadTriggers } from "../../src/evals/triggers.ts";
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
  const all = suites.flatMap(({ tasks, skill = "" }) =>
    tasks === "every" ? [] : tasks.map((task) => ({ skill, task })),
  );
  return {
    queries: all.map(
      ({ skill, task }) => `${skill}: ${task.shouldTrigger ? "" : "not "}${task.prompt ?? ""}`,
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

const OWN = [{ query: "a", should_trigger: true }];
const NOT_RUN = "warning: 1 trigger query not run:";

test.each<[string, Readonly<Record<string, unknown>>, readonly string[], readonly string[]]>([
  [
    "the entry's",
    {
      "evals/triggers.json": [{ query: "a", should_trigger: true, expect_skill: "b" }],
      "evals/evals.json": { skill_name: "c" },
    },
    ["b: a"],
    [],
  ],
  [
    "the one that should be loaded, before any other",
    {
      "evals/triggers.json": [
        { query: "a", should_trigger: true, expected_skill: "b", skill: "c" },
        { query: "d", should_trigger: false, expected_skill: "b", skill: "c" },
      ],
      "evals/evals.json": { skill_name: "c" },
    },
    ["b: a", "c: not d"],
    [],
  ],
  [
    "not the one that a query is for in its place",
    {
      "evals/triggers.json": [{ query: "a", should_trigger: false, expect_skill: "b" }],
      "evals/evals.json": { skill_name: "c" },
    },
    ["c: not a"],
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
    "entries that say which skill, once",
    [
      { query: "p", should_trigger: "pdf" },
      { query: "q", should_trigger: null },
    ],
    [
      "warning: 2 queries not run: `should_trigger` says which skill should be loaded, and only whether one is can be run.",
    ],
  ],
  [
    "entries without the boolean, where the file is called trigger evals",
    { cases: [{ prompt: "p", expect: "pdf" }] },
    ["warning: the file is called trigger evals, and none is read: no entry has `should_trigger`."],
  ],
  [
    "an entry without it among others",
    [{ query: "a", should_trigger: true }, { query: "b" }],
    ["error: `[1]` is not read: beside trigger evals, and without `should_trigger`."],
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
  const texts = problems.map(({ message }) => message);
  expect(texts).toEqual([...new Set(texts)]);
  expect(problems.at(-1)?.message).toBe(
    "There are trigger evals alone (1 query), which no judge decides: nothing is graded.",
  );
});
