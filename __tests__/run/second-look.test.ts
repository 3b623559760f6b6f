/** A pull request where an eval dies: the first grade asks for further runs, and the last one decides by all of them. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, once, recordOf, type Outcome } from "../support/act.ts";
import { AGAIN_LIST } from "../../src/domain/run.ts";
import { times } from "../support/factories.ts";
import { fail, pass } from "../support/judge-server.ts";
import { allOf, placedRun } from "../support/outputs.ts";
import { project } from "../support/projects.ts";
import {
  PUSH_TO_MAIN,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const judge = once(({ evidence }) => ({
  calls: [evidence.includes("BAD") ? fail("It is right", "It says BAD.") : pass("It is right", "It is.")],
}));

const IDS = times(12, (index) => `t${String(index + 1)}`);

/** Runs of the tasks t1, t2, …, each with a run.json: `P` passes, `F` fails, `-` is not there; and the list that plans one of each. */
function runsOf(written: string, day: number): Record<string, unknown> {
  const folders = Array.from(written, (letter, index) =>
    letter === "-" ? {} : runOf(IDS[index] ?? "", 1, day, letter),
  );
  const list = listOf(IDS.map((task) => ({ task, trial: 1 })));
  return allOf({ "plan/runs.json": list }, ...folders);
}

function runOf(task: string, trial: number, day: number, letter: string): Record<string, unknown> {
  const said = { task, trial, started: `2026-01-${String(day)}T08:00:00Z`, log: "log.txt" };
  return placedRun(`${task}/${String(trial)}`, said, `${letter === "P" ? "GOOD" : "BAD"} ${String(day)}`);
}

function listOf(rows: readonly { readonly task: string; readonly trial: number; readonly again?: true }[]) {
  const runs = rows.map((row) => ({
    ...row,
    folder: `${row.task}/${String(row.trial)}`,
    eval: "evals/eval.yaml",
  }));
  return JSON.stringify({ version: 2, runs });
}

/** What was asked again of t12: two further runs, by letters as above. */
function againOf(written: string): Record<string, unknown> {
  const rows = [2, 3].map((trial) => ({ task: "t12", trial, again: true }) as const);
  const made = Array.from(written, (letter, index) =>
    letter === "-" ? {} : runOf("t12", index + 2, 21 + index, letter),
  );
  return allOf({ "again/runs-again.json": listOf(rows) }, ...made);
}

/** The list that a grade wrote beside its record; undefined without one. */
function askedBy({ outputs }: Outcome): readonly Record<string, unknown>[] | undefined {
  const file = join(dirname(outputs["results-file"] ?? ""), AGAIN_LIST);
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { runs: Record<string, unknown>[] }).runs;
}

type More = NonNullable<Parameters<typeof act>[2]>;

async function grade(
  runs: Record<string, unknown>,
  inputs: Record<string, string>,
  more: More = {},
): Promise<Outcome> {
  const workspace = project({ tasks: IDS.map((id) => ({ id })) });
  return await act(workspace, judge, {
    ...more,
    inputs: { results: writeProject(runs), "fail-on": "regression", ...inputs },
  });
}

let baseline = "";
beforeAll(async () => {
  const folder = temporaryFolder("kept");
  for (const day of [11, 12, 13, 14, 15])
    await grade(
      runsOf("PPPPPPPPPPPP", day),
      { "fail-on": "never", "output-file": join(folder, `${String(day)}.json`) },
      PUSH_TO_MAIN,
    );
  baseline = join(folder, "*.json");
});

const first = async (written: string, more: More = {}, inputs: Record<string, string> = {}) =>
  await grade(runsOf(written, 20), { baseline, "second-look": "true", ...inputs }, more);

describe("the first grade", () => {
  test("names the eval that died, and is pending", async () => {
    const outcome = await first("PPPPPPPPPPPF");
    expect(outcome.code).toBe(0);
    expect(outcome.outputs).toMatchObject({ conclusion: "pending", again: "yes" });
    expect(askedBy(outcome)).toEqual(
      [2, 3].map((trial) => ({
        folder: expect.stringMatching(`^suite/t12-[0-9a-f]{6}/${String(trial)}$`),
        ...{ eval: "evals/eval.yaml", task: "t12", trial, again: true },
      })),
    );
    // A check run or a comment would stay so for ever where the second look is cancelled.
    expect(outcome.github.checkRuns).toEqual([]);
    expect(outcome.summary).toContain("suite: `t12` dropped, and runs 2 more times before this is decided");
    expect(outcome.summary).toContain("One run can fail by bad luck: all runs decide.");
    expect(outcome.summary).toContain("| ⏳ t12 | 5/5 | **0/1** |\n| ✅ 11 others | 55/55 | 11/11 |");
  });

  test.each<[string, string, More, string, string]>([
    ["nothing dropped", "PPPPPPPPPPPP", {}, "success", "Not worse than main"],
    [
      "all dropped: red whatever further runs do",
      "FFFFFFFFFFFF",
      {},
      "failure",
      "all 12 tasks pass no check any more",
    ],
    ["a push decides at once", "PPPPPPPPPPPF", PUSH_TO_MAIN, "success", "`t12` fails what always passed"],
    ["a run is missing: red in any case", "PPPPPPPPPP-F", {}, "failure", "1 of 12 planned runs is missing"],
  ])("decides where %s", async (_, written, more, conclusion, title) => {
    const outcome = await first(written, more);
    expect(outcome.outputs).toMatchObject({ conclusion, again: "no" });
    expect(lastLine(outcome)).toContain(title);
  });
});

test("a grade of other runs than those of a list decides at once", async () => {
  const { "plan/runs.json": _, ...runs } = runsOf("PPPPPPPPPPPF", 20);
  const outcome = await grade(runs, { baseline, "second-look": "true" });
  expect(outcome.outputs).toMatchObject({ conclusion: "success", again: "no" });
  expect(askedBy(outcome)).toBeUndefined();
});

test("at the command line it decides at once, and lists what would be asked again", async () => {
  const desk = { ...PUSH_TO_MAIN, env: { GITHUB_REF: "refs/heads/main", GITHUB_ACTIONS: "" } };
  const record = join(temporaryFolder("desk"), "record.json");
  const outcome = await first("PPPPPPPPPPPF", desk, { "output-file": record });
  expect(outcome.outputs).not.toMatchObject({ conclusion: "pending" });
  expect(askedBy({ ...outcome, outputs: { "results-file": record } })).toHaveLength(2);
});

describe("the label `evals-accept`", () => {
  const dead = (written = "PPPPPPPPPPPF", again = "FF") => ({ ...runsOf(written, 20), ...againOf(again) });
  const labelled = (...labels: readonly string[]) => ({
    github: { pulls: { 7: { sha: "a".repeat(40), labels } } },
  });

  test.each<[string, ReturnType<typeof dead>, More, number, string]>([
    [
      "accepts a drop, in any letters' case",
      dead(),
      labelled("bug", "Evals-Accept"),
      0,
      "Passed: accepted by the label `evals-accept`: `t12` passes no check any more, and passed on main. Worse than main",
    ],
    ["is not there", dead(), labelled("bug"), 1, "Failed: `t12` passes no check any more"],
    [
      "does not accept a run that is missing",
      dead("PPPPPPPPPPPF", "--"),
      labelled("evals-accept"),
      1,
      "Failed: 2 of 14 planned runs are missing",
    ],
    [
      "cannot be read",
      dead(),
      { github: { labelsStatus: 403 } },
      1,
      "Failed: `t12` passes no check any more",
    ],
  ])("%s", async (_, runs, more, code, sentence) => {
    const outcome = await grade(runs, { baseline, "second-look": "true" }, more);
    expect([outcome.code, lastLine(outcome)]).toEqual([code, expect.stringContaining(sentence)]);
    expect(recordOf(outcome).rule === "accepted").toBe(code === 0);
    const { title } = outcome.github.checkRuns.at(-1)?.output ?? {};
    if (code === 0) expect(title).toContain("accepted by the label `evals-accept`");
    else if (sentence.includes("t12"))
      expect(outcome.summary).toContain(
        "Is it meant? Someone with write access gives the label `evals-accept` and re-runs the failed jobs",
      );
    expect(outcome.log.includes("GitHub did not list the labels")).toBe(more.github?.labelsStatus === 403);
  });
});

describe("the last grade, over all runs", () => {
  test("writes to the comment of an earlier push, which decided at its first look in another job", async () => {
    const inputs = { baseline, comment: "always", "second-look": "true" };
    const before = await grade(runsOf("PPPPPPPPPPPP", 20), inputs, { env: { GITHUB_JOB: "grade" } });
    const after = await grade({ ...runsOf("PPPPPPPPPPPF", 20), ...againOf("FF") }, inputs, {
      env: { GITHUB_JOB: "decide" },
      github: { comments: before.github.comments },
    });
    expect([before, after].map(({ github }) => github.comments.length)).toEqual([1, 1]);
    const [one, other] = [before, after].map(({ github }) => github.checkRuns[0]);
    expect(one?.external_id).toBe(other?.external_id);
    expect(other).toMatchObject({ status: "completed", conclusion: "failure" });
  });

  test.each<[string, string, string, string]>([
    [
      "the eval is dead",
      "FF",
      "failure",
      "Failed: `t12` passes no check any more, and passed on main. Worse than main: score 0.92, 1.00 on main. A drop this large happens by chance in about 1 of 112 comparisons: red at 1 of 20 or rarer.",
    ],
    [
      "it was bad luck",
      "PP",
      "success",
      "Passed: score 0.97, 1.00 on main: chance may explain it; `t12` dropped and passed again.",
    ],
    [
      "the second look was lost",
      "--",
      "failure",
      "Failed: 2 of 14 planned runs are missing: only 1 of 3 runs of `t12`; 1 of 12 tasks fails.",
    ],
    [
      "half of it was lost",
      "P-",
      "failure",
      "Failed: 1 of 14 planned runs is missing: only 2 of 3 runs of `t12`; 1 of 12 tasks failed in some of its runs.",
    ],
  ])("%s", async (_, again, conclusion, sentence) => {
    const runs = { ...runsOf("PPPPPPPPPPPF", 20), ...againOf(again) };
    const outcome = await grade(runs, { baseline, "second-look": "true" });
    expect(lastLine(outcome)).toContain(sentence);
    // It is asked once.
    expect(outcome.outputs).toMatchObject({ conclusion, again: "no" });
    if (again.includes("-")) return;
    const further = again === "PP" ? "2/2" : "**0/2**";
    expect(outcome.summary).toContain("| Task | main, 5 runs | first run | 2 more runs |");
    expect(outcome.summary).toMatch(
      /\| (?:❌|✅) t12 \| 5\/5 \| \*\*0\/1\*\* \| \S+ \|\n\| ✅ 11 others \| 55\/55 \| 11\/11 \| – \|/,
    );
    expect(outcome.summary).toContain(`| ${further} |`);
  });

  test("lost, it is red also with `on-missing: warn`", async () => {
    const inputs = { baseline, "second-look": "true", "on-missing": "warn" };
    const outcome = await grade({ ...runsOf("PPPPPPPPPPPF", 20), ...againOf("--") }, inputs);
    expect(lastLine(outcome)).toContain("Failed: 2 of 14 planned runs are missing");
  });

  test("without the first runs, each task lacks its own", async () => {
    const runs = { ...runsOf("------------", 20), ...againOf("FF") };
    const outcome = await grade(runs, { baseline, "second-look": "true" });
    expect(lastLine(outcome)).toContain("Failed: 12 of 14 planned runs are missing: no run of `t1`,");
    expect(outcome.summary).toContain("| ❌ t12 | 5/5 | missing | **0/2** |");
  });
});
