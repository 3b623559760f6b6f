import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { readBaseline } from "../../src/records/read-baseline.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const GRADE = { suite: "demo", task_id: "t", grader: "g", state: "graded", passed: true, score: 1 };
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
  const { records, paths, problems } = await readBaseline(["base/*"], project);
  expect(records.map(({ task, file }) => `${task} ${file ?? ""}`)).toEqual([
    "t base/a.json",
    "u base/b.json",
  ]);
  expect(paths).toHaveLength(7);
  expect(problems.every(({ level }) => level === "warning")).toBe(true);
  expect(problems.map(({ message }) => message)).toEqual([
    "1 grade of the baseline `base/b.json` cannot be read, or stood there before, and counts as absent.",
    expect.stringContaining("`base/broken.json`"),
    expect.stringContaining("`base/link.json` is reached by"),
    "The baseline `base/notes.md` holds no grades of this action; it counts as absent.",
    "The baseline `base/ungraded.json` holds no grades of this action; it counts as absent.",
  ]);
});

test.each([[[]], [["none/*.json"]], [["none.json", "none/*.json", "!a.json"]]])(
  "a baseline that is not there is a notice that names each pattern: %j",
  async (patterns) => {
    const project = writeProject({ "a.json": graded(GRADE) });
    const { records, paths, problems } = await readBaseline(patterns, project);
    expect({ records, paths }).toEqual({ records: [], paths: [] });
    expect(problems).toEqual(
      patterns
        .filter((pattern) => !pattern.startsWith("!"))
        .map((pattern) => ({
          level: "notice",
          message: `The \`baseline\` glob \`${pattern}\` matches no file in ${project}.`,
          help: "What it names counts as absent.",
        })),
    );
  },
);
