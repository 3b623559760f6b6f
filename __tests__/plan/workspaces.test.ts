import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { GradingJob } from "../../src/domain/grade.ts";
import type { Run } from "../../src/domain/run.ts";
import { findWorkspaces } from "../../src/plan/workspaces.ts";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const jobOf = (run: Partial<Run>, more: Partial<GradingJob> = {}): GradingJob => {
  const made = runOf({ taskId: "t1", ...run });
  const task = { id: made.taskId, name: made.taskId };
  return { suite: suiteOf(), task, grader: graderOf(), judgeModel: "j", run: made, ...more };
};

/** A folder with these folders in it. */
function folders(...paths: string[]): string {
  const base = temporaryFolder("workspaces");
  for (const path of paths) {
    mkdirSync(join(base, path), { recursive: true });
    writeFileSync(join(base, path, "left-behind.txt"), "");
  }
  return base;
}

function find(base: string, pattern: string, ...jobs: GradingJob[]) {
  const found = findWorkspaces(jobs, { pattern, base });
  return { folders: found.jobs.map(({ workspace }) => workspace), problems: found.problems };
}

describe("the workspace of a run", () => {
  test("is the one folder, relative or absolute", () => {
    const base = folders("out");
    expect(find(base, "out", jobOf({}))).toEqual({ folders: [join(base, "out")], problems: [] });
    expect(find("/", join(base, "out"), jobOf({})).folders).toEqual([join(base, "out")]);
  });

  test("is the folder of its task and run, ids with / and : included", () => {
    const base = folders("out/eval:compute/app/1", "out/t2/7-x");
    const jobs = [jobOf({ taskId: "eval:compute/app" }), jobOf({ taskId: "t2", number: 7 })];
    expect(find(base, "out/{task}/{run}", jobs[0]!)).toMatchObject({
      folders: [join(base, "out/eval:compute/app/1")],
      problems: [],
    });
    expect(find(base, "out/{task}/{run}-x", jobs[1]!)).toMatchObject({
      folders: [join(base, "out/t2/7-x")],
      problems: [],
    });
  });

  test("may begin with a placeholder, and share a part of its name with it", () => {
    const base = folders("t1/ws", "ws-t1");
    expect(find(base, "{task}/ws", jobOf({})).folders).toEqual([join(base, "t1/ws")]);
    expect(find(base, "ws-{task}", jobOf({})).folders).toEqual([join(base, "ws-t1")]);
  });

  test("is reached through a link that stays inside, or that the pattern itself names", () => {
    const base = folders("real/t1", "out");
    symlinkSync(join(base, "real"), join(base, "linked"));
    symlinkSync(join(base, "real/t1"), join(base, "real/t2"));
    expect(find(base, "linked/{task}", jobOf({})).folders).toEqual([join(base, "real/t1")]);
    expect(find(base, "real/{task}", jobOf({ taskId: "t2" })).folders).toEqual([join(base, "real/t1")]);
  });

  test.each([
    "../secret",
    "..",
    "a/../../secret",
    ".",
    "",
    " ",
    "/etc",
    "\\\\host\\share",
    "C:\\x",
    "..\\x",
    "a\0b",
  ])("is refused for the task id %j", (taskId) => {
    const base = folders("out/a", "secret", "out/etc");
    const { folders: found, problems } = find(base, "out/{task}", jobOf({ taskId }));
    expect(found).toEqual([undefined]);
    expect(problems).toMatchObject([
      { level: "error", message: expect.stringMatching(/refused/) as unknown },
    ]);
  });

  test("that no run has is an error: the input is wrong, and not one run's folder", () => {
    const base = folders("out/t3");
    const { problems } = find(base, "out/{task}", jobOf({}), jobOf({ taskId: "t2" }));
    expect(problems).toMatchObject([
      {
        level: "error",
        message: "The input `workspace` matches no folder (first `out/t1`) for the tasks `t1`, `t2`.",
      },
    ]);
  });

  test.each([
    ["as it is, before any other way to write it", ["out/a/b:c", "out/a_b_c"], "out/a/b:c"],
    ["with _ for / and :", ["out/a_b_c"], "out/a_b_c"],
    ["with - for / and :", ["out/a-b-c"], "out/a-b-c"],
  ])("finds an id %s", (_how, made, found) => {
    const base = folders(...made);
    expect(find(base, "out/{task}", jobOf({ taskId: "a/b:c" })).folders).toEqual([join(base, found)]);
  });

  test("is refused where a link leads out of the part before the placeholder, also when dangling", () => {
    const base = folders("out", "secret");
    symlinkSync(join(base, "secret"), join(base, "out/t1"));
    symlinkSync(join(base, "not/there"), join(base, "out/t2"));
    const { folders: found, problems } = find(base, "out/{task}", jobOf({}), jobOf({ taskId: "t2" }));
    expect(found).toEqual([undefined, undefined]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain("the tasks `t1`, `t2`");
  });

  test("that is missing, or no folder, is one warning that lists the tasks", () => {
    const base = folders("out/t1");
    writeFileSync(join(base, "out/t3"), "a file");
    const jobs = ["t1", "t2", "t2", "t3"].map((taskId) => jobOf({ taskId }));
    const { folders: found, problems } = find(base, "out/{task}", ...jobs);
    expect(found.map((folder) => folder !== undefined)).toEqual([true, false, false, false]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      level: "warning",
      message: "The input `workspace` matches no folder (first `out/t2`) for the tasks `t2`, `t3`.",
    });
  });

  test("that serves several runs is warned about once; several graders of one run are not", () => {
    const base = folders("out");
    const one = jobOf({});
    const { problems } = find(base, "out", one, { ...one, grader: graderOf({ name: "other" }) });
    expect(problems).toEqual([]);
    const shared = find(base, "out", one, jobOf({ number: 2 }), jobOf({ taskId: "t2" }));
    expect(shared.folders).toEqual(Array(3).fill(join(base, "out")));
    expect(shared.problems).toMatchObject([
      {
        level: "warning",
        message: expect.stringMatching(/for several runs: of the tasks `t1`, `t2`/) as unknown,
      },
    ]);
  });

  test.each([".git", "repo/.GIT", "node_modules/x"])(
    "is refused for the task id %s, in any case",
    (taskId) => {
      const base = folders(`ws/${taskId}`);
      const { folders: found } = find(base, "ws/{task}", jobOf({ taskId }));
      expect(found).toEqual([undefined]);
      symlinkSync(join(base, "ws", taskId), join(base, "ws", "t1"));
      expect(find(base, "ws/{task}", jobOf({})).folders).toEqual([undefined]);
    },
  );

  test("is not looked for where no judge is asked", () => {
    const settled = { state: "skipped", cause: "missing", reason: "none" } as const;
    expect(find(folders(), "gone", jobOf({}, { settled }))).toEqual({ folders: [undefined], problems: [] });
  });
});
