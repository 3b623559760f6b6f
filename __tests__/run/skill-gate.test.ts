/** A skill held against main: twelve evals of four statements, each run worth its score. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine } from "../support/act.ts";
import type { Outcome } from "../support/act.ts";
import type { Asked, Reply } from "../support/judge-server.ts";
import {
  copiesBeside,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const STATEMENTS = [1, 2, 3, 4];
const PUSH = { event: { name: "push", payload: {} }, env: { GITHUB_REF: "refs/heads/main" } };

/** Of each eval the number of statements that fail, the last ones; its answer has the number. */
type Failing = readonly number[];
const six = (number: number): Failing => Array.from({ length: 6 }, () => number);
const MAIN: Failing = [...six(0), ...six(1)];

const judge = ({ evidence }: Asked): Reply => {
  const failing = Number(/It fails (\d)/.exec(evidence)?.[1]);
  return {
    calls: STATEMENTS.map((statement) => ({
      name: `set_waza_grade_${statement > STATEMENTS.length - failing ? "fail" : "pass"}`,
      args: { statement, reason: "Seen." },
    })),
  };
};

/** Grades the evals against these files of main. */
async function grade(failing: Failing, kept: readonly string[], more: object = {}) {
  const ids = failing.map((_, index) => index + 1);
  const workspace = writeProject({
    "skills/pdf/evals/evals.json": {
      skill_name: "pdf",
      evals: ids.map((id) => ({
        id,
        prompt: `Do ${String(id)}.`,
        assertions: STATEMENTS.map((number) => `Statement ${String(number)}`),
      })),
    },
    ...Object.fromEntries(
      failing.map((number, index) => [
        `out/pdf/${String(index + 1)}.md`,
        `It fails ${String(number)} in the ${String(kept.length)}th.`,
      ]),
    ),
  });
  const file = join(temporaryFolder("kept"), "graded.json");
  const outcome: Outcome = await act(workspace, judge, {
    ...more,
    inputs: {
      results: "out/**/*.md",
      baseline: kept.join("\n") || "/nowhere/*.json",
      "fail-on": "regression",
      "output-file": file,
    },
  });
  return { outcome, file };
}

/** Main's own results. */
async function pushed(failing: Failing): Promise<string[]> {
  const { outcome, file } = await grade(failing, [], PUSH);
  expect(outcome.outputs["baseline-worthy"]).toBe("true");
  return [file];
}

describe("on main six of twelve evals miss one of four statements", () => {
  test.each([
    ["these six fail every statement", [...six(0), ...six(4)], "score 0.50, 0.88 on main"],
    ["one of them is mended and five are dead", [...six(0), 0, 4, 4, 4, 4, 4], "score 0.58, 0.88 on main"],
  ])("a pull request in which %s is red", async (_, failing, scores) => {
    const { outcome } = await grade(failing, await pushed(MAIN));
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain(`Failed: worse than main: ${scores}`);
    expect(outcome.outputs).toMatchObject({ comparison: "fell", "baseline-score": "0.8750" });
    expect(outcome.outputs.score).toBe(scores.startsWith("score 0.50") ? "0.5000" : "0.5833");
    // One figure, on the check's title, too.
    expect(outcome.github.checkRuns.at(-1)).toMatchObject({
      output: { title: `pdf: worse than main: ${scores}` },
    });
  });

  test("one that changes nothing is green", async () => {
    const { outcome } = await grade(MAIN, await pushed(MAIN));
    expect(lastLine(outcome)).toContain("Passed: not worse than main: score 0.88, as on main");
  });
});

test("five skills are one record, which is their baseline; copies for waza are beside it", async () => {
  const names = ["csv", "docx", "pdf", "pptx", "xlsx"];
  const evals = names.map((name) => [
    `skills/${name}/evals/evals.json`,
    { skill_name: name, evals: [{ id: 1, prompt: `Do ${name}.`, assertions: ["It is done"] }] },
  ]);
  const runs = names.map((name) => [`out/${name}/1.md`, "It fails 0."]);
  const workspace = writeProject(Object.fromEntries([...evals, ...runs]) as Record<string, unknown>);
  const folder = temporaryFolder("five");
  const file = join(folder, "base.json");
  const inputs = { results: "out/**/*.md", "fail-on": "regression" };
  await act(workspace, judge, { ...PUSH, inputs: { ...inputs, baseline: "none.json", "output-file": file } });
  expect(copiesBeside(file).map((copy) => basename(copy))).toEqual(
    names.map((_, index) => (index === 0 ? "results.json" : `results.${String(index + 1)}.json`)),
  );
  expect(readdirSync(folder).sort()).toEqual(["base-waza", "base.json"]);
  const outcome = await act(workspace, judge, { inputs: { ...inputs, baseline: file } });
  expect(lastLine(outcome)).toContain("Not worse than main: score 1.00, as on main");
  expect(outcome.outputs).toMatchObject({ comparison: "unchanged" });
});

test("evals that each hold one statement that never passes are a baseline, and not red", async () => {
  const never = [...six(1), ...six(1)];
  const kept = await pushed(never);
  const { outcome } = await grade(never, kept, PUSH);
  expect(outcome.code).toBe(0);
  expect(lastLine(outcome)).toContain("Passed: not worse than main: score 0.75, as on main");
  const { outcome: worse } = await grade([...six(1), ...six(3)], kept);
  expect(lastLine(worse)).toContain("Failed: worse than main: score 0.50, 0.75 on main");
});
