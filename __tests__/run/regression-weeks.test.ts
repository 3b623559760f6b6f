/** Half a year of a suite that grows: each week a pull request that adds a task or edits one, and the push after it. */
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, once } from "../support/act.ts";
import { fail, pass } from "../support/judge-server.ts";
import { project, resultsFixture, runFixture } from "../support/projects.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import { seeded } from "../../scripts/simulated-gate.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const WEEKS = 26;
/** Files of main that are compared with. */
const FILES = 5;
const PUSH = { event: { name: "push", payload: {} }, env: { GITHUB_REF: "refs/heads/main" } };

/** A task, its prompt, and how often the agent passes it. */
interface Task {
  readonly id: string;
  readonly version: number;
  readonly chance: number;
}

const judge = once(({ evidence }) => ({
  calls: [evidence.includes("BAD") ? fail("It is right", "It says BAD.") : pass("It is right", "It is.")],
}));

const random = seeded(7);
/** What is new passes half of the time, and mostly once people have looked at it. */
const FRESH = 0.5;
const MENDED = 0.95;

/** One run of each task, graded; its outcome and its file. */
async function graded(tasks: readonly Task[], number: number, kept: readonly string[], push: boolean) {
  const runs = tasks.map(({ id, version, chance }) => {
    const final_output = `${random() < chance ? "GOOD" : "BAD"} ${String(number)}`;
    return { id, runs: [runFixture({ prompt: `Do ${id}, ${String(version)}.`, final_output })] };
  });
  const workspace = project({
    tasks: tasks.map(({ id, version }) => ({ id, inputs: { prompt: `Do ${id}, ${String(version)}.` } })),
    files: { "results.json": resultsFixture("suite", runs) },
  });
  const file = join(temporaryFolder("kept"), "graded.json");
  const baseline = kept.slice(-FILES).join("\n") || "/nowhere/*.json";
  const inputs = { baseline, "fail-on": "regression", "output-file": file };
  const outcome = await act(workspace, judge, { ...(push ? PUSH : {}), inputs });
  return { outcome, file, line: lastLine(outcome) };
}

test("no added task makes a pull request red, and nothing new a push to main", async () => {
  let tasks = Array.from({ length: 12 }, (_, index): Task => ({
    id: `t${String(index)}`,
    version: 1,
    chance: MENDED,
  }));
  const kept: string[] = [];
  const [added, edited, pushes]: [string[], string[], string[]] = [[], [], []];
  for (let week = 0; week < WEEKS; week += 1) {
    const isAdded = week % 2 === 1;
    if (isAdded) tasks = [...tasks, { id: `new${String(week)}`, version: 1, chance: FRESH }];
    else if (week > 0)
      tasks = tasks.map((task, index) =>
        index === week % tasks.length ? { ...task, version: task.version + 1, chance: FRESH } : task,
      );
    if (week > 0) {
      const pull = await graded(tasks, 2 * week, kept, false);
      (isAdded ? added : edited).push(pull.line);
    }
    const push = await graded(tasks, 2 * week + 1, kept, true);
    if (week > 0) pushes.push(push.line);
    expect(push.outcome.outputs["baseline-worthy"]).toBe("true");
    kept.push(push.file);
    tasks = tasks.map((task) => ({ ...task, chance: MENDED }));
  }
  // By chance one of these is "worse than main".
  expect(reasonsOf(added)).toEqual({ green: 12, "Failed: worse than main": 1 });
  expect(reasonsOf(pushes)).toEqual({ green: 25 });
  expect(reasonsOf(edited)).toEqual({ green: 3, "cannot be compared": 9 });
  expect(added.filter((line) => line.includes("not on main yet"))).toHaveLength(4);
});

/** How many lines are green, and how many are red for each reason. */
function reasonsOf(lines: readonly string[]): Record<string, number> {
  const reasons = ["Failed: worse than main", "cannot be compared", "not on main"];
  const of = (line: string) =>
    line.includes("Failed: ") ? (reasons.find((reason) => line.includes(reason)) ?? line) : "green";
  return Object.fromEntries([...Map.groupBy(lines, of)].map(([reason, its]) => [reason, its.length]));
}
