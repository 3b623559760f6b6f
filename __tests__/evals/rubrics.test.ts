import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Problem } from "../../src/domain/problem.ts";
import type { Grader } from "../../src/domain/suite.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { BUILT_IN_RUBRICS } from "../../src/evals/schema.ts";
import { expectSaid, inALine, wordsOf } from "../support/problems.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const NAMES = BUILT_IN_RUBRICS.map((name) => `\`${name}\``).join(", ");

/** A rubric file, as waza has them. */
function rubricText(name = "own", body = "Is it kind?"): string {
  return `---\nname: ${name}\nversion: 1.2.3\nscale: pass-fail\n---\n\n${body}\n`;
}

/** An eval file with its rubric in line 6. */
function evalText(reference: string, more = ""): string {
  return `name: demo
graders:
  - type: prompt
    name: quality
    config:
      rubric: ${reference}
${more}`;
}

interface Loaded {
  readonly graders: readonly Grader[];
  readonly problems: readonly Problem[];
  readonly broken: boolean | undefined;
}

async function load(reference: string, files: Readonly<Record<string, string>> = {}): Promise<Loaded> {
  return await loadFrom(writeProject({ "evals/eval.yaml": evalText(reference), ...files }));
}

async function loadFrom(project: string): Promise<Loaded> {
  const { suites, problems } = await loadSuites(["evals/eval.yaml"], project);
  const [suite] = suites;
  const ofTasks = suite?.tasks === "every" ? [] : (suite?.tasks ?? []).flatMap(({ graders }) => graders);
  return { graders: [...(suite?.graders ?? []), ...ofTasks], problems, broken: suite?.broken };
}

async function rubricOf(reference: string, files: Readonly<Record<string, string>> = {}) {
  const { graders, problems } = await load(reference, files);
  expect(problems).toEqual([]);
  return graders[0]?.rubric;
}

/** The one problem of a reference: an error on its line that leaves the suite without a judge. */
async function refused(reference: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  return expectRefused(await load(reference, files));
}

function expectRefused({ problems, broken, graders }: Loaded): string {
  expect(problems.map(inALine)).toEqual([expect.stringMatching(/^error .* evals\/eval\.yaml:6$/)]);
  expect(broken).toBe(true);
  expect(graders).toEqual([]);
  return wordsOf(problems);
}

describe("a reference", () => {
  test.each(BUILT_IN_RUBRICS)("`%s` is built in", async (name) => {
    expect(await rubricOf(name)).toMatchObject({ name });
  });

  test.each<[string, string, string, (readonly string[])?]>([
    ["beside the eval file", "./kind.md", "evals/kind.md"],
    ["by its ending alone", "kind.md", "evals/kind.md"],
    ["with another ending", "./kind.txt", "evals/kind.txt"],
    ["in a folder below", "rubrics/kind", "evals/rubrics/kind"],
    ["in a folder above", "../shared/kind.md", "shared/kind.md"],
    ["at the repository root", "shared/kind.md", "shared/kind.md"],
    ["beside the eval file rather than at the root", "kind.md", "evals/kind.md", ["kind.md"]],
    ["written with backslashes", "'.\\rubrics\\kind.md'", "evals/rubrics/kind.md"],
    ["with the name of a built-in one", "./groundedness.md", "evals/groundedness.md"],
  ])("finds a file %s", async (_case, reference, name, others = []) => {
    const other = Object.fromEntries(others.map((path) => [path, rubricText("other")]));
    const found = await rubricOf(reference, { [name]: rubricText(), ...other });
    expect(found).toEqual({ name, isFile: true, instructions: rubricText().trim() });
  });

  test.each([
    ["plain text", " Is it kind?\n", "Is it kind?"],
    ["a byte order mark", "\uFEFFIs it kind?", "Is it kind?"],
    ["front matter, which is sent along", rubricText("a", "How kind?"), rubricText("a", "How kind?").trim()],
  ])("gives the text of its file: %s", async (_case, text, instructions) => {
    expect(await rubricOf("./a.md", { "evals/a.md": text })).toMatchObject({ instructions });
  });

  test("never finds a file by a bare name", async () => {
    expect(await rubricOf("helpfulness", { "evals/helpfulness": rubricText() })).toMatchObject({
      name: "helpfulness",
      instructions: expect.stringMatching(/^Decide/) as unknown,
    });
  });

  test("may be an absolute path into the repository", async () => {
    const project = writeProject({ "evals/eval.yaml": "", "evals/kind.md": rubricText() });
    writeFileSync(join(project, "evals/eval.yaml"), evalText(join(project, "evals/kind.md")));
    const { graders, problems } = await loadFrom(project);
    expect(problems).toEqual([]);
    expect(graders[0]?.rubric?.name).toBe("evals/kind.md");
  });

  const ofTask = {
    "evals/eval.yaml": "name: demo\n",
    "evals/tasks/a.yaml": "id: a\ngraders:\n  - type: prompt\n    config: {rubric: kind.md}\n",
  };

  test.each<[string, readonly string[]]>([
    ["beside the task file first", ["evals/tasks/kind.md", "evals/kind.md"]],
    ["then beside the eval file", ["evals/kind.md", "kind.md"]],
    ["then at the repository root", ["kind.md"]],
  ])("of a task's grader is looked up %s", async (_case, paths) => {
    const files = Object.fromEntries(paths.map((path) => [path, rubricText()]));
    const { graders, problems } = await loadFrom(writeProject({ ...ofTask, ...files }));
    expect(problems).toEqual([]);
    expect(graders[0]?.rubric?.name).toBe(paths[0]);
  });

  test("of a task's grader that cannot be had is an error in the task file", async () => {
    const { problems, broken } = await loadFrom(writeProject(ofTask));
    expectSaid(problems, [
      "error no-input-file evals/tasks/a.yaml:4 … Searched in `evals/tasks`, `evals`, `.`.",
    ]);
    expect(broken).toBe(true);
  });

  test.each(["~", '""', '"  "'])(
    "that is empty (%s) leaves the grader with its prompt",
    async (reference) => {
      const project = writeProject({ "evals/eval.yaml": evalText(reference, "      prompt: Judge it.\n") });
      const { graders, problems } = await loadFrom(project);
      expect(problems).toEqual([]);
      expect(graders[0]).toMatchObject({ prompt: "Judge it." });
      expect(graders[0]?.rubric).toBeUndefined();
    },
  );

  test("is used beside a prompt, which is unchanged", async () => {
    const project = writeProject({ "evals/eval.yaml": evalText("helpfulness", '      prompt: " {x}\\n"\n') });
    const { graders } = await loadFrom(project);
    expect(graders[0]).toMatchObject({ prompt: " {x}\n", rubric: { name: "helpfulness" } });
    expect(graders[0]?.unsupported).toBeUndefined();
  });
});

describe("a reference that gives no rubric is an error on its line:", () => {
  test.each<[string, string, string]>([
    ["a misspelled name", "groundednes", "Did you mean `groundedness`?"],
    ["a name in capitals", "Helpfulness", "Did you mean `helpfulness`?"],
    ["an unknown name", "vibes", "the rubric `vibes` is neither the name of a rubric nor a path."],
    ["a property of every object", "constructor", "the rubric `constructor` is neither"],
    ["the file of a built-in one", "helpfulness.md", "Did you mean `helpfulness`?"],
  ])("%s", async (_case, reference, wording) => {
    const text = await refused(reference);
    expect(text).toContain(wording);
    expect(text).toContain(`The built-in rubrics are ${NAMES}.`);
  });

  test.each<[string, string, readonly string[], string]>([
    [
      "a bare name of a file that is there",
      "kind",
      ["evals/kind.md"],
      "write its path, such as `./rubric.md`",
    ],
    [
      "a missing file, searched from eval and root",
      "rubrics/kimd.md",
      ["evals/rubrics/kind.md", "rubrics/short.md"],
      "the rubric `rubrics/kimd.md` does not exist. Searched in `evals`, `.`.",
    ],
    [
      "the text of a rubric in place of its name",
      "|\n        Is it kind?\n        And/or short?",
      [],
      "the rubric `Is it kind? And/or short?` is neither the name of a rubric nor a path.",
    ],
    ["a folder", "./rubrics/", ["evals/rubrics/a.md"], "is not a file"],
    ["a path below a file", "./kind.md/x.md", ["evals/kind.md"], "does not exist"],
    ["a name with a zero byte", '"./a\\0.md"', [], "`./a"],
    ["a name longer than names are", `./${"a".repeat(5000)}.md`, [], "does not exist"],
  ])("%s", async (_case, reference, paths, words) => {
    const files = Object.fromEntries(paths.map((path) => [path, rubricText()]));
    expect(await refused(reference, files)).toContain(words);
  });

  test.each<[string, string, string]>([
    ["an empty file", " \n", "it is empty"],
    ["a huge file", "x".repeat(300_000), "more than 256 kB"],
  ])("%s", async (_case, text, words) => {
    expect(await refused("./a.md", { "evals/a.md": text })).toContain(words);
  });

  test.each([...["../../kind.md", "/etc/hostname", "/", "../.git/config", ".git/config"]])(
    "a path out of the repository: %s",
    async (reference) => {
      const text = await refused(reference, { ".git/config": rubricText("secret") });
      expect(text).toContain(`the rubric \`${reference}\` leaves the repository`);
      expect(text).not.toContain("secret");
    },
  );

  test("a link that leads out of the repository, also when the root has a file of that name", async () => {
    const outside = temporaryFolder("outside");
    writeFileSync(join(outside, "kind.md"), rubricText("stolen"));
    const project = writeProject({ "evals/eval.yaml": evalText("kind.md"), "kind.md": rubricText() });
    symlinkSync(join(outside, "kind.md"), join(project, "evals/kind.md"));
    expect(expectRefused(await loadFrom(project))).toContain("leaves the repository");
  });

  test("a folder that is a link out of the repository", async () => {
    const outside = temporaryFolder("outside");
    writeFileSync(join(outside, "kind.md"), rubricText("stolen"));
    const project = writeProject({ "evals/eval.yaml": evalText("rubrics/kind.md") });
    symlinkSync(outside, join(project, "evals/rubrics"));
    expect(expectRefused(await loadFrom(project))).toContain("leaves the repository");
    writeFileSync(join(project, "evals/eval.yaml"), evalText("rubrics/other.md"));
    expect(expectRefused(await loadFrom(project))).not.toContain("kind.md");
  });

  test("a link to itself", async () => {
    const project = writeProject({ "evals/eval.yaml": evalText("kind.md") });
    symlinkSync("kind.md", join(project, "evals/kind.md"));
    expect(expectRefused(await loadFrom(project))).toContain("the rubric `kind.md` does not exist.");
  });
});

test("a link within the repository is followed, and the workspace may be reached by one", async () => {
  const project = writeProject({ "evals/eval.yaml": evalText("kind.md"), "shared/kind.md": rubricText() });
  symlinkSync("../shared/kind.md", join(project, "evals/kind.md"));
  const link = join(temporaryFolder("link"), "workspace");
  symlinkSync(project, link);
  for (const workspace of [project, link]) {
    const { graders, problems } = await loadFrom(workspace);
    expect(problems).toEqual([]);
    expect(graders[0]?.rubric?.name).toBe("evals/kind.md");
  }
});

test("the nearest repository is the border", async () => {
  const files = { "kind.md": rubricText(), "inner/evals/eval.yaml": evalText("../../kind.md") };
  const nested = writeProject(files);
  mkdirSync(join(nested, "inner/.git"));
  const { problems } = await loadSuites(["inner/evals/eval.yaml"], nested);
  expectSaid(problems, ["error leaves-repository evals/eval.yaml:6"]);
  expect((await loadSuites(["inner/evals/eval.yaml"], writeProject(files))).problems).toEqual([]);
});

describe("the built-in rubrics", () => {
  test("are the files there are", () => {
    const files = readdirSync(join(import.meta.dirname, "../../src/evals/built-in"));
    expect(files.sort()).toEqual(BUILT_IN_RUBRICS.map((name) => `${name}.md`));
  });

  test.each(BUILT_IN_RUBRICS)("%s says how to decide", async (name) => {
    const { instructions = "" } = (await rubricOf(name)) ?? {};
    expect(instructions).toMatch(/^Decide whether /);
    expect(instructions).toMatch(/^- (?:Pass|Fail) /m);
    expect(instructions).toContain("reported by a single call");
  });
});
