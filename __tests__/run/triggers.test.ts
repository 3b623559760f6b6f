/** Trigger evals beside those of a baseline, in this process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, passing } from "../support/act.ts";
import { jsonLines, placedRun } from "../support/outputs.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const root = () =>
  writeProject({
    "skills/pdf/evals/evals.json": {
      skill_name: "pdf",
      evals: [{ id: 1, prompt: "Do.", assertions: ["It is done"] }],
    },
  });

function log(isLoaded: boolean): string {
  const call = { type: "tool_use", id: "1", name: "Skill", input: { skill: "pdf" } };
  const content = [isLoaded ? call : { type: "text", text: "No." }];
  return jsonLines({ type: "assistant", message: { role: "assistant", model: "m", content } });
}

/** So many runs of each query, of which so many load the skill. */
function results(runs: number, loads: Readonly<Record<string, number>>, isAlone = false): string {
  const files = Object.entries(loads).flatMap(([query, most]) =>
    Array.from({ length: runs }, (_, index) => {
      const record = {
        eval: "skills/pdf/evals/triggers.json",
        trigger: query,
        skill: "pdf",
        should_trigger: true,
        trial: index + 1,
      };
      return placedRun(`t/${query}-${String(index)}`, record, log(index < most));
    }),
  );
  const own = isAlone ? {} : placedRun("with/1", { eval: "skills/pdf/evals/evals.json", task: "1" }, "With.");
  return writeProject(Object.assign({}, own, ...files) as Record<string, unknown>);
}

describe("trigger evals beside a baseline", () => {
  test.each<[string, Readonly<Record<string, number>>, string, string]>([
    ["that lost a query are a regression", { a: 5, b: 0 }, "failure", "regression"],
    ["that lost one run of ten are not", { a: 5, b: 4 }, "success", "passed"],
  ])("%s", async (_case, loads, conclusion, rule) => {
    const file = join(temporaryFolder("baseline"), "main.json");
    const before = { results: results(5, { a: 5, b: 5 }), "output-file": file };
    expect((await act(root(), passing, { inputs: before })).outputs.conclusion).toBe("success");
    const inputs = { results: results(5, loads), baseline: file, "fail-on": "regression" };
    const { outputs, summary } = await act(root(), passing, { inputs });
    expect(outputs).toMatchObject({ conclusion });
    const record = JSON.parse(readFileSync(outputs["results-file"] ?? "", "utf8")) as {
      waza_grade: { rule: string };
    };
    expect(record.waza_grade.rule).toBe(rule);
    expect(summary).toContain(`| pdf | yes | 5/5 → ${String(loads.b)}/5 |`);
    expect(summary).not.toContain("is the skill installed?");
  });

  test.each([
    [
      "that are not worse, are no regression of the grades",
      5,
      5,
      "success",
      "Only the trigger evals are compared",
    ],
    [
      "that are worse, are red",
      0,
      5,
      "failure",
      "skills are loaded where they should, and only there, in 0 of 5",
    ],
    [
      "that are much worse, are red, also where chance may explain it",
      1,
      3,
      "failure",
      "about 1 of 10 comparisons, but more than 34 points always fail",
    ],
  ])("alone %s", async (_case, loads, of, conclusion, words) => {
    const file = join(temporaryFolder("baseline"), "main.json");
    await act(root(), passing, { inputs: { results: results(of, { a: of }), "output-file": file } });
    const inputs = { results: results(of, { a: loads }, true), baseline: file, "fail-on": "regression" };
    const outcome = await act(root(), passing, { inputs });
    expect(outcome.outputs).toMatchObject({ conclusion });
    expect(outcome.log).toContain(words);
    expect(outcome.log + outcome.summary).not.toMatch(/gone|can be compared/);
  });

  test("of which none loads the skill ask first whether it is there", async () => {
    const { summary } = await act(root(), passing, { inputs: { results: results(2, { a: 0, b: 0 }) } });
    expect(summary).toContain("`pdf` was loaded in 0 of 4 runs that should load it: is the skill installed?");
  });
});
