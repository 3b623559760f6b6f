import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { GradingJob } from "../../src/domain/grade.ts";
import { useKeptWorkspaces } from "../../src/plan/workspaces.ts";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const jobOf = (workspaceDir: string): GradingJob => ({
  suite: suiteOf(),
  task: { id: "t1", name: "t1" },
  grader: graderOf(),
  judgeModel: "j",
  run: runOf({ taskId: "t1", workspaceDir }),
});

/** A machine with a workspace, a temporary folder of the runner, and a folder that is neither. */
function machine() {
  const root = temporaryFolder("machine");
  for (const path of [
    "repo/.git/x",
    "repo/kept",
    "repo/_kept",
    "temp/waza-1",
    "temp/_github_workflow",
    "home/waza-2",
  ])
    mkdirSync(join(root, path), { recursive: true });
  symlinkSync(join(root, "home/waza-2"), join(root, "temp/out"));
  symlinkSync(join(root, "temp/waza-1"), join(root, "home/in"));
  return root;
}

const use = (root: string, path: string, places = {}) =>
  useKeptWorkspaces([jobOf(path)], {
    workspace: join(root, "repo"),
    runnerTemp: join(root, "temp"),
    ...places,
  });

describe("the folder that results name", () => {
  test.each([
    ["below the runner's temporary folder", "temp/waza-1", "temp/waza-1"],
    ["below the workspace", "repo/kept", "repo/kept"],
    ["below the workspace, with a name as the runner's own have", "repo/_kept", "repo/_kept"],
    ["by a link that leads there", "home/in", "temp/waza-1"],
  ])("is read %s", (_case, path, real) => {
    const root = machine();
    const { jobs, problems } = use(root, join(root, path));
    expect(jobs[0]?.workspace).toBe(join(root, real));
    expect(problems).toEqual([]);
  });

  test.each([
    ["elsewhere", "home/waza-2"],
    ["elsewhere, by a link", "temp/out"],
    ["the temporary folder itself, where checkouts keep a token", "temp"],
    ["a folder of the runner's own", "temp/_github_workflow"],
    ["the workspace itself", "repo"],
    ["in a .git", "repo/.git/x"],
    ["out of them by dots", "repo/kept/../../home/waza-2"],
  ])("is not read when it is %s, and a notice says how it would be", (_case, path) => {
    const root = machine();
    const { jobs, problems } = use(root, `${root}/${path}`);
    expect(jobs[0]).not.toHaveProperty("workspace");
    expect(problems).toMatchObject([
      { level: "notice", help: expect.stringContaining("TMPDIR: ${{ runner.temp }}") as unknown },
    ]);
  });

  test.each([
    ["is gone, as it usually is", "/tmp/waza-that-is-gone"],
    ["is no absolute path", "kept"],
    ["is no path at all", "a\0b"],
  ])("is no word worth when it %s", (_case, path) => {
    const { jobs, problems } = use(machine(), path);
    expect(jobs[0]).not.toHaveProperty("workspace");
    expect(problems).toEqual([]);
  });

  test("is not looked for where there is no runner", () => {
    const root = machine();
    expect(use(root, join(root, "temp/waza-1"), { runnerTemp: undefined }).jobs[0]).not.toHaveProperty(
      "workspace",
    );
  });
});
