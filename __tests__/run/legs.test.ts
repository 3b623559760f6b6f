/** Legs of a matrix run the agent, and one job grades what they left, or merges what they graded, as docs/outputs.md has it. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, failing, lastLine, passing } from "../support/act.ts";
import { promptGrader, resultsFixture, runFixture } from "../support/projects.ts";
import { copiesBeside, removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterEach(async () => {
  await closeServers();
  removeTemporaryFolders();
});

const evalOf = (name: string) => ({
  [`evals/${name}/eval.yaml`]: { name, tasks: ["tasks/*.yaml"], graders: [promptGrader("right")] },
  [`evals/${name}/tasks/one.yaml`]: { id: `${name}-1`, name: "One", inputs: { prompt: "Do it." } },
});
const leg = (name: string, output = `What ${name} did.`) =>
  resultsFixture(name, [{ id: `${name}-1`, runs: [runFixture({ final_output: output })] }]);

const grade = (legs: Readonly<Record<string, unknown>>) =>
  act(writeProject({ ...evalOf("csv"), ...evalOf("pdf"), ...legs }), passing, {
    inputs: { results: "legs/**/*.json" },
  });

describe("one job grades what the legs left", () => {
  test("a lost leg is missing, and red, regardless of the other", async () => {
    // The artifact of a single leg is extracted without a folder of its own.
    const outcome = await grade({ "legs/results.json": leg("csv") });
    expect(outcome.code).toBe(1);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1" });
    expect(lastLine(outcome)).toMatch(/missing.*pdf/);
  });

  test("and all are green once it was run again, in its own place; what is there twice is read once", async () => {
    const outcome = await grade({
      "legs/leg-csv/results.json": leg("csv"),
      "legs/leg-pdf/results.json": leg("pdf"),
      "legs/leg-pdf-again/results.json": leg("pdf"),
    });
    expect(outcome.code).toBe(0);
    expect(outcome.judge.asked).toHaveLength(2);
    expect(outcome.outputs).toMatchObject({ "grades-passed": "2", conclusion: "success" });
  });
});

describe("legs grade, and one job merges", () => {
  test("by the verdicts of the legs alone: score, check run and counts are made anew, and a lost leg is red", async () => {
    const graded = async (name: string, judge: typeof passing) => {
      const workspace = writeProject({ ...evalOf(name), "results.json": leg(name) });
      const { outputs } = await act(workspace, judge, { inputs: { "fail-on": "never" } });
      return readFileSync(copiesBeside(outputs["results-file"] ?? "")[0] ?? "", "utf8");
    };
    const [csv, pdf] = [await graded("csv", passing), await graded("pdf", failing)];
    const merge = (legs: Readonly<Record<string, string>>) =>
      act(writeProject({ ...evalOf("csv"), ...evalOf("pdf"), ...legs }), () => ({ status: 500 }), {
        inputs: { results: "legs/**/*.json", offline: "true", "api-key": "", "base-url": "" },
      });

    const whole = await merge({
      "legs/leg-csv/graded.json": csv,
      "legs/leg-pdf/graded.json": pdf,
      "legs/leg-pdf-again/graded.json": pdf,
    });
    expect(whole.judge.asked).toEqual([]);
    expect(whole.outputs).toMatchObject({ score: "0.5000", "grades-passed": "1", "grades-failed": "1" });
    expect(whole.github.checkRuns[0]).toMatchObject({ conclusion: "failure" });
    expect(whole.summary).toContain("because it does not");

    const lost = await merge({ "legs/graded.json": csv });
    expect(lost.outputs).toMatchObject({ score: "1.0000", conclusion: "failure" });
    expect(lastLine(lost)).toMatch(/missing.*pdf/);
  });
});
