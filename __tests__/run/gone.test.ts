/** Evals that main has and a pull request no longer has: narrowing excuses only what is still here. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, once } from "../support/act.ts";
import { allOf, placedRun } from "../support/outputs.ts";
import {
  PUSH_TO_MAIN,
  pullRequestThat,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const judge = once({
  calls: [
    { name: "set_waza_grade_pass", args: { reason: "It is.", description: "It is right", statement: 1 } },
  ],
});

const evals = (skill: string) => ({
  skill_name: skill,
  evals: [{ id: 1, prompt: "Do it.", assertions: ["It is right"] }],
});
const skill = (name: string) => ({
  [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: does it\n---\n`,
});
const A = { ...skill("a"), "skills/a/evals/evals.json": evals("a") };
const B = { ...skill("b"), "skills/b/evals/evals.json": evals("b") };

const MISSPELLED = { skill_name: "b", evals: [{ id: 1, prompt: "Do it.", asertions: ["It is right"] }] };

/** A run of the eval of each skill. */
const runsOf = (...names: readonly string[]) =>
  allOf(
    ...names.map((name) =>
      placedRun(`${name}/1`, { eval: `skills/${name}/evals/evals.json`, task: "1", log: "log.txt" }, "Done."),
    ),
  );

let baseline = "";
beforeAll(async () => {
  baseline = join(temporaryFolder("kept"), "graded.json");
  const inputs = { results: writeProject(runsOf("a", "b")), "output-file": baseline };
  await act(writeProject({ ...A, ...B }), judge, {
    inputs,
    ...PUSH_TO_MAIN,
  });
});

describe("with `changed-only`, beside a skill that did not change", () => {
  const STILL_HERE = "the only task of `a` is gone, and its skill or folder is still here";
  test.each<[string, Record<string, unknown>, readonly string[], number, string]>([
    ["its evals.json deleted", { ...skill("a") }, ["skills/a/evals/evals.json"], 1, STILL_HERE],
    [
      "its evals turned into triggers",
      { ...skill("a"), "skills/a/evals/evals.json": [{ query: "x", should_trigger: true }] },
      ["skills/a/evals/evals.json"],
      1,
      STILL_HERE,
    ],
    [
      "its evals moved beside the skill, and not found",
      { ...skill("a"), "skills/a-workspace/evals.txt": "moved" },
      ["skills/a/evals/evals.json", "skills/a-workspace/evals.txt"],
      1,
      STILL_HERE,
    ],
    [
      "the skill retired whole",
      {},
      ["skills/a/evals/evals.json", "skills/a/SKILL.md"],
      0,
      "the only task of `a` is gone; nothing to grade",
    ],
    ["nothing of a skill changed", A, ["README.md"], 0, "Passed: nothing to grade"],
  ])("%s", async (_, files, changed, code, words) => {
    const workspace = writeProject({ ...files, ...B });
    const outcome = await act(workspace, judge, {
      inputs: { results: writeProject(runsOf()), baseline, "fail-on": "regression", "changed-only": "true" },
      event: pullRequestThat(workspace, changed),
    });
    expect([outcome.code, lastLine(outcome)]).toEqual([code, expect.stringContaining(words)]);
  });
});

test.each<[string, Record<string, unknown>, Record<string, string>]>([
  ["a task that does not exist", { ...A, ...B }, { tasks: "a/9" }],
  ["one key of an eval misspelled", { ...A, ...B, "skills/b/evals/evals.json": MISSPELLED }, {}],
  ["an eval that cannot be read", { ...A, ...B, "skills/b/evals/evals.json": "{" }, {}],
])("nothing is gone because of a problem: %s", async (_case, files, inputs) => {
  const outcome = await act(writeProject(files), judge, {
    inputs: { results: writeProject(runsOf("a", "b")), baseline, "fail-on": "regression", ...inputs },
  });
  expect(lastLine(outcome)).toContain("configuration problem");
  expect([outcome.log, outcome.summary].join("\n")).not.toContain("gone");
});

const suite = (name: string, type = "prompt") => ({
  name,
  tasks: ["tasks/*.yaml"],
  graders: [{ type, name: "right", config: { prompt: "Is it?" } }],
});
const task = (more: object = {}) => ({ id: "1", inputs: { prompt: "Do it." }, ...more });
const OLD = { "evals/eval.yaml": suite("old"), "evals/tasks/1.yaml": task() };
const ANOTHER = task({ inputs: { prompt: "Another." } });
const MORE = { "more/eval.yaml": suite("more"), "more/tasks/1.yaml": ANOTHER };
const HIDING = {
  ".waza.yaml": "files: {evalFile: easy.yaml}\n",
  "evals/easy.yaml": { ...suite("easy"), tasks: ["easy/*.yaml"] },
  "evals/easy/1.yaml": ANOTHER,
};

test.each<[string, Record<string, unknown>, string, Record<string, string>]>([
  ["hidden by a `.waza.yaml` beside others in their folder", { ...OLD, ...HIDING }, "evals/easy.yaml", {}],
  [
    "disabled beside another eval",
    { ...OLD, ...MORE, "evals/tasks/1.yaml": task({ enabled: false }) },
    "more/eval.yaml",
    {},
  ],
  [
    "of another type, and named by the input `eval`",
    { ...OLD, ...MORE, "evals/eval.yaml": suite("old", "text") },
    "more/eval.yaml",
    { eval: "*/eval.yaml" },
  ],
])("evals of a file that is still there are no longer graded: %s", async (_case, files, of, more) => {
  const runs = (path: string) =>
    writeProject(placedRun("1", { eval: path, task: "1", log: "log.txt" }, "Done."));
  const kept = join(temporaryFolder("kept"), "graded.json");
  await act(writeProject(OLD), judge, {
    inputs: { results: runs("evals/eval.yaml"), "output-file": kept },
    ...PUSH_TO_MAIN,
  });
  const outcome = await act(writeProject(files), judge, {
    inputs: { results: runs(of), baseline: kept, "fail-on": "regression", ...more },
  });
  expect([outcome.code, lastLine(outcome)]).toEqual([
    1,
    expect.stringContaining("the only task of `old` is gone, and its skill or folder is still here"),
  ]);
});

const HOME = "skills/a/evals/eval.yaml";
const at = (file: string, name: string, its = task()) => ({
  [file]: suite(name),
  [file.replace("eval.yaml", "tasks/1.yaml")]: its,
});
/** Evals whose grader is in the file of their task. */
const inTask = (name: string) => ({
  [HOME]: { name, tasks: ["tasks/*.yaml"] },
  [HOME.replace("eval.yaml", "tasks/1.yaml")]: task({ graders: suite(name).graders }),
});
const CENTRAL = { "evals/a/eval.yaml": { ...suite("old"), skill: "a" }, "evals/a/tasks/1.yaml": task() };
const ELSEWHERE = { "skills/z/SKILL.md": skill("a")["skills/a/SKILL.md"] };
const OTHER_CASE = { "skills/z/SKILL.md": skill("A")["skills/A/SKILL.md"] };
const RENAMED = { "skills/uno/SKILL.md": skill("uno")["skills/uno/SKILL.md"] };
/** What the files of the renamed skill were before. */
const NAMED_A = {
  "skills/a/SKILL.md": RENAMED["skills/uno/SKILL.md"]!,
  "skills/uno/SKILL.md": undefined,
};
const RED = "the only task of `old` is gone, and its skill or folder is still here";
const GREEN = "the only task of `old` is gone";
const COMPARED = "all 2 tasks pass. Not worse than main";

test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
  ["deleted, with graders in task files", inTask("old"), skill("a"), RED],
  ["renamed, with graders in task files", inTask("old"), { ...skill("a"), ...inTask("new") }, COMPARED],
  ["deleted from a central folder", CENTRAL, skill("a"), RED],
  ["replaced by other evals of the skill", CENTRAL, { ...skill("a"), ...at(HOME, "new", ANOTHER) }, RED],
  ["deleted, and the skill's folder renamed", at(HOME, "old"), ELSEWHERE, RED],
  ["deleted, and the skill's name in other letters", at(HOME, "old"), OTHER_CASE, RED],
  ["deleted, and the skill's file in small letters", at(HOME, "old"), { "skills/a/skill.md": "# A" }, RED],
  ["deleted, and the skill renamed as git finds it", at(HOME, "old"), RENAMED, RED],
  ["deleted with the skill", at(HOME, "old"), {}, GREEN],
  ["replaced by a folder", at(HOME, "old"), { ...skill("a"), [`${HOME}/x`]: "" }, RED],
])("evals of a skill, %s", async (what, before, now, words) => {
  const graded = (files: Record<string, unknown>) =>
    Object.keys({ ...files, ...MORE }).filter((file) => file.endsWith("/eval.yaml"));
  const results = (files: Record<string, unknown>) =>
    writeProject(
      Object.fromEntries(
        graded(files).flatMap((of) =>
          Object.entries(placedRun(`runs/${of}`, { eval: of, task: "1", log: "log.txt" })),
        ),
      ),
    );
  const kept = join(temporaryFolder("kept"), "graded.json");
  await act(writeProject({ ...skill("a"), ...before, ...MORE }), judge, {
    inputs: { results: results(before), "output-file": kept },
    ...PUSH_TO_MAIN,
  });
  const workspace = writeProject({ ...now, ...MORE });
  const outcome = await act(workspace, judge, {
    event: pullRequestThat(workspace, now === RENAMED ? NAMED_A : []),
    inputs: {
      results: results(now),
      baseline: kept,
      "fail-on": "regression",
      eval: "**/eval.yaml",
    },
  });
  expect([outcome.code, lastLine(outcome)]).toEqual([words === RED ? 1 : 0, expect.stringContaining(words)]);
  const isAsked = outcome.summary.includes("Are they renamed? Then keep their prompts.");
  expect(isAsked).toBe(what.startsWith("replaced by other evals"));
});

test("evals that main itself retired are named, and no longer red", async () => {
  const kept = temporaryFolder("kept");
  const push = async (sha: string, files: Record<string, unknown>, ...names: readonly string[]) =>
    await act(writeProject(files), judge, {
      inputs: { results: writeProject(runsOf(...names)), "output-file": join(kept, `${sha}.json`) },
      ...PUSH_TO_MAIN,
      env: { ...PUSH_TO_MAIN.env, GITHUB_SHA: sha.repeat(40) },
    });
  await push("1", { ...A, ...B }, "a", "b");
  await push("2", { ...skill("a"), ...B }, "b");
  const outcome = await act(writeProject({ ...skill("a"), ...B }), judge, {
    inputs: { results: writeProject(runsOf("b")), baseline: join(kept, "*.json"), "fail-on": "regression" },
  });
  expect([outcome.code, lastLine(outcome)]).toEqual([
    0,
    expect.stringContaining("the only task of `a` is gone"),
  ]);
});
