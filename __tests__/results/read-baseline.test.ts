import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { rowOfQuery } from "../../src/domain/row.ts";
import { readBaseline } from "../../src/results/read-baseline.ts";
import { rowFields } from "../../src/results/row-file.ts";
import { GRADER_SPAN } from "../support/factories.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const GRADE = { suite: "demo", task_id: "t", grader: "g", state: "passed", score: 1 };
const graded = (...grades: unknown[]) => ({ tasks: [], waza_grade: { grades } });

test("a baseline is read from all files, once where they are copies, and its problems are warnings", async () => {
  const project = writeProject({
    "base/a.json": graded(GRADE),
    "base/copy-of-a.json": graded(GRADE),
    "base/b.json": graded({ ...GRADE, task_id: "u" }, "no grade"),
    "base/ungraded.json": { tasks: [] },
    "base/broken.json": "{",
    "base/notes.md": "Notes.",
    "elsewhere/c.json": graded(GRADE),
  });
  symlinkSync("/etc/hostname", join(project, "base", "link.json"));
  const { rows, paths, problems } = await readBaseline(["base/*"], project);
  expect(rows.map(({ task, file }) => `${task} ${file ?? ""}`)).toEqual(["t base/a.json", "u base/b.json"]);
  expect(paths).toHaveLength(7);
  expect(problems.every(({ level }) => level === "warning")).toBe(true);
  expect(problems.map(({ at }) => at?.path)).toEqual([
    "base/b.json",
    "base/broken.json",
    "base/link.json",
    "base/notes.md",
    "base/ungraded.json",
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    "1 grade of the baseline cannot be read or are duplicates; they are ignored.",
    expect.stringContaining("the file is not valid JSON"),
    expect.stringContaining("the file is reached by"),
    "the baseline has no grades of this action.",
    "the baseline has no grades of this action.",
  ]);
});

test("copies for waza are no baseline: beside their record without a word, alone with the file to name", async () => {
  const copy = { tasks: [], waza_grade: { version: 1, is_copy: true, grades: [GRADE] } };
  const project = writeProject({ "base/main.json": graded(GRADE), "base/main-waza/demo.json": copy });
  const both = await readBaseline(["base/**/*.json"], project);
  expect([both.rows.length, both.problems]).toEqual([1, []]);
  const alone = await readBaseline(["base/main-waza/*.json"], project);
  expect(alone.problems).toMatchObject([
    { level: "error", message: "This is a copy for waza; the record of the run is beside its folder." },
  ]);
});

test.each([[[]], [["none/*.json"]], [["none.json", "none/*.json", "!a.json"]]])(
  "a baseline that is not there is a notice that names each pattern: %j",
  async (patterns) => {
    const project = writeProject({ "a.md": "No results." });
    const { rows, source, paths, problems } = await readBaseline(patterns, project, { mayBeMissing: true });
    expect({ rows, paths }).toEqual({ rows: [], paths: [] });
    expect(source.inCheckout).toBe(patterns.length > 0);
    expect(problems).toMatchObject(
      patterns
        .filter((pattern) => !pattern.startsWith("!"))
        .map((pattern) => ({
          level: "notice",
          message: pattern.includes("*")
            ? `The \`baseline\` glob \`${pattern}\` matches no file in ${project}.`
            : `The \`baseline\` file \`${pattern}\` is not there.`,
          help: "Until the file is there, `fail-on: regression` acts as `fail`.",
        })),
    );
  },
);

test("outside the checkout it is a warning where it decides, with what to do", async () => {
  const [project, temp] = [writeProject({}), writeProject({ "waza-grade-results.json": graded(GRADE) })];
  const options = { decides: true, mayBeMissing: true, outputFile: join(temp, "waza-grade-results.json") };
  const { source, problems } = await readBaseline([`${temp}/base/**/*.json`], project, options);
  expect(source).toEqual({ branch: undefined, inCheckout: false, graded: [] });
  expect(problems).toMatchObject([
    { level: "warning", help: expect.stringContaining("Nothing is compared until") },
  ]);
});

test("a glob at the command line that matches nothing is an error; a file by its name need not be there yet", async () => {
  const project = writeProject({ "old.json": graded(GRADE) });
  const { problems } = await readBaseline(["none/*.txt", "new/main.json"], project, { decides: true });
  expect(problems).toMatchObject([
    { level: "error", help: expect.stringContaining("`output-file`") },
    { level: "warning", message: "The `baseline` file `new/main.json` is not there." },
  ]);
});

test("the record of a run that ended in a configuration problem is left out, with the reason", async () => {
  const ended = { waza_grade: { version: 1, rule: "configuration", grades: [] } };
  const project = writeProject({ "base/a.json": ended, "base/b.json": graded(GRADE) });
  const { rows, problems } = await readBaseline(["base/*.json"], project);
  expect(rows).toHaveLength(1);
  expect(problems).toMatchObject([
    { level: "warning", message: "that run ended in a configuration problem, and is left out." },
  ]);
});

test.each([
  ["one folder deeper", "base/*.json", "base/7/r.json", "base/*/*.json"],
  ["one folder up", "base/7/*.json", "base/r.json", "base/*.json"],
  ["by another name", "base/*/results.json", "base/7/grades.json", "base/*/*.json"],
  ["in the folder that is named", "base/7", "base/7/grades.json", "base/7/*.json"],
])(
  "graded results %s are a configuration problem that shows the pattern",
  async (_, pattern, file, better) => {
    const [project, temp] = [writeProject({}), writeProject({ [file]: graded(GRADE) })];
    const { problems } = await readBaseline([`${temp}/${pattern}`], project);
    expect(problems).toMatchObject([
      {
        level: "error",
        help: `There is \`${temp}/${file}\`, which holds graded results: write \`${temp}/${better}\`.`,
      },
    ]);
  },
);

test("files of which none holds a grade are a configuration problem", async () => {
  const project = writeProject({ "base/a.json": { tasks: [] }, "base/b.json": "{" });
  const { problems } = await readBaseline(["base/*.json"], project);
  expect(problems.map(({ level }) => level)).toEqual(["error", "error"]);
});

test("the branch is named where all files agree; the newest grading says what is golden, also of logs", async () => {
  const of = (graded_at: string, branch: string, golden: boolean) => ({
    waza_grade: { graded_at, branch, grades: [{ ...GRADE, golden }] },
  });
  const project = writeProject({
    "base/old.json": of("2026-01-01T00:00:00.000Z", "main", true),
    "base/new.json": of("2026-01-02T00:00:00.000Z", "main", false),
    "other/release.json": of("2025-01-01T00:00:00.000Z", "release", true),
  });
  const { source, rows } = await readBaseline(["base/*"], project);
  expect(source.branch).toBe("main");
  expect(rows.some(({ golden }) => golden === true)).toBe(false);
  expect((await readBaseline(["*/*.json"], project)).source.branch).toBeUndefined();
});

test.each<[string, readonly unknown[], readonly string[]]>([
  [
    "a task that fell",
    [{ suite: "demo", task_id: "t" }],
    ["t/g 2", "t/h 2", "t/g 3", "t/h 3", "u/g 1", "u/g 2", "u/g 3"],
  ],
  [
    "a grader that is gone",
    [{ suite: "demo", task_id: "t", grader: "h" }],
    ["t/g 1", "t/g 2", "t/h 2", "t/g 3", "t/h 3", "u/g 1", "u/g 2", "u/g 3"],
  ],
  [
    "another suite's task, and what is no mark",
    [{ suite: "other", task_id: "t" }, { suite: "demo" }, "t", { suite: "demo", task_id: "t", grader: 1 }],
    ["t/g 1", "t/h 1", "t/g 2", "t/h 2", "t/g 3", "t/h 3", "u/g 1", "u/g 2", "u/g 3"],
  ],
])("of what a file accepts, older files count no more: %s", async (_, accepted, left) => {
  const grades = [GRADE, { ...GRADE, grader: "h" }, { ...GRADE, task_id: "u" }];
  const file = (day: number, marks: readonly unknown[] = []) => ({
    waza_grade: { graded_at: `2026-01-0${String(day)}T00:00:00Z`, accepted: marks, grades },
  });
  // The names are in no order of time.
  const project = writeProject({ "3.json": file(1), "1.json": file(2, accepted), "2.json": file(3) });
  const { rows } = await readBaseline(["*.json"], project);
  const day = (time = 0) => String(new Date(time).getUTCDate());
  const shown = rows.map(({ task, grader, time }) => `${task}/${grader} ${day(time)}`);
  expect(shown.sort()).toEqual([...left].sort());
});

test("of a trigger query that a file accepts, older files count no more", async () => {
  const queries = ["q", "r"].map((query) => ({
    ...rowFields({
      ...rowOfQuery({ skill: "pdf", query, wants: true, at: GRADER_SPAN }),
      state: "failed",
      score: 0,
    }),
  }));
  const file = (day: number, accepted: readonly unknown[] = []) => ({
    waza_grade: { graded_at: `2026-01-0${String(day)}T00:00:00Z`, accepted, grades: [GRADE, ...queries] },
  });
  const marks = [{ suite: "pdf", task_id: "q" }];
  const project = writeProject({ "1.json": file(1), "2.json": file(2, marks), "3.json": file(3) });
  const { rows } = await readBaseline(["*.json"], project);
  const counted = Map.groupBy(rows, ({ query, task }) => (query ? task : "grades"));
  expect(["grades", "q", "r"].map((key) => counted.get(key)?.length)).toEqual([3, 2, 3]);
});
