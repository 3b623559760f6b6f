/** The bundle as the runner starts it: its files, its environment, its signals. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { ROOT } from "../../scripts/demo-suite.ts";
import { act, closeServers, failing, lastLine, passing, until } from "../support/act.ts";
import type { Asked, Reply } from "../support/judge-server.ts";
import { project, promptGrader } from "../support/projects.ts";
import {
  HEAD_SHA,
  MERGE_SHA,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

describe("the demo's suite, from its recorded verdicts", () => {
  test("publishes check run, summary, outputs and results file, and fails for the one failing check", async () => {
    const outcome = await act(ROOT, () => ({ status: 500 }), {
      inputs: {
        eval: "examples/code-explainer/eval.yaml",
        results: "examples/code-explainer/results.json",
        "cache-dir": "examples/code-explainer/verdicts",
        offline: "true",
        "base-url": "",
      },
    });
    expect(outcome.code).toBe(1);
    expect(outcome.judge.asked).toHaveLength(0);
    expect(lastLine(outcome)).toMatch(/^::error::Failed: .*`explain-binary-search`.*`covers-the-essentials`/);

    const [checkRun] = outcome.github.checkRuns;
    expect(checkRun).toMatchObject({
      name: "waza-grade",
      head_sha: HEAD_SHA,
      status: "completed",
      conclusion: "failure",
    });
    expect(checkRun?.output?.title).toBe("code-explainer: 1 of 11 grades failed · score 0.99");
    // The check run's page has the title above it, and no link to itself.
    const own = outcome.summary
      .replace(/^## .*\n\n/, "")
      .replace(/ · <a href="[^"]*">check run<\/a>/, "");
    expect(checkRun?.output?.summary).toBe(own);
    expect(checkRun?.annotations.map((one) => one.annotation_level)).toEqual([
      "failure",
      ...Array<string>(10).fill("notice"),
    ]);
    expect(checkRun?.annotations[0]).toMatchObject({
      path: "examples/code-explainer/tasks/02-binary-search.yaml",
      start_line: 8,
      end_line: 17,
      title: "covers-the-essentials · explain-binary-search · run 2 of 2",
      message: expect.stringContaining(
        "✗ fail: The list has to be sorted: The explanation never says so.",
      ) as unknown,
      raw_details: expect.stringContaining("finds the position of a value") as unknown,
    });

    expect(outcome.outputs).toEqual({
      score: "0.9861",
      conclusion: "failure",
      passed: "false",
      "baseline-worthy": "true",
      "grades-passed": "10",
      "grades-failed": "1",
      "grades-errored": "0",
      "grades-skipped": "0",
      "checks-passed": "14",
      "checks-failed": "1",
      "judge-calls": "0",
      tokens: "0",
      agreement: "",
      comparison: "none",
      lift: "",
      "newly-failing": "",
      "newly-passing": "",
      "baseline-score": "",
      "results-file": join(outcome.runnerTemp, "waza-grade-results.json"),
      "waza-results": join(outcome.runnerTemp, "waza-grade-results-waza"),
      "check-run-url": "https://github.com/octo/agents/runs/1",
      undecided: "",
    });
    golden("demo-summary.md", outcome.summary.replace(/ · \d+\.\d s · /, " · 1.2 s · "));
  });
});

/** Compares with a golden file; `UPDATE_GOLDEN=1 npm test` writes it anew, for the reviewer of the diff. */
function golden(name: string, actual: string): void {
  const file = join(import.meta.dirname, "../golden", name);
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, "utf8"));
}

describe("the runner", () => {
  test("a cancelled workflow publishes what was graded, as cancelled", async () => {
    const workspace = project({ graders: [promptGrader("quick"), promptGrader("slow")] });
    const records = join(temporaryFolder("records"), "of-it");
    const script = (asked: Asked): Reply =>
      asked.prompt.includes("slow") ? { connection: "hang" } : passing(asked);
    const when = until(
      () => existsSync(records) && readdirSync(records).some((name) => name.endsWith(".json")),
    );
    const outcome = await act(workspace, script, {
      inputs: { "cache-dir": records },
      interrupt: { when, signal: "SIGINT" },
    });
    expect(outcome.code).toBe(1);
    expect(outcome.github.checkRuns[0]).toMatchObject({ conclusion: "cancelled" });
    expect(outcome.outputs).toMatchObject({
      "grades-passed": "1",
      "grades-errored": "1",
      conclusion: "failure",
    });
  });

  test("a runner without a summary file, a temporary folder or a token keeps the verdict", async () => {
    const env = { GITHUB_STEP_SUMMARY: undefined, RUNNER_TEMP: undefined, TMPDIR: temporaryFolder("tmp") };
    const outcome = await act(project(), passing, { env, inputs: { token: "" } });
    expect(outcome.code).toBe(0);
    expect(outcome.outputs.conclusion).toBe("success");
    expect(existsSync(outcome.outputs["results-file"] ?? "")).toBe(true);
    expect(outcome.log).toContain("GITHUB_STEP_SUMMARY");
  });

  test("an event that is no JSON is reported, and the commit of GITHUB_SHA is reported on", async () => {
    const event = join(writeProject({ "event.json": "{" }), "event.json");
    const outcome = await act(project(), failing, { env: { GITHUB_EVENT_PATH: event } });
    expect(outcome.log).toContain(`::warning::The event of GITHUB_EVENT_PATH, ${event}, cannot be read`);
    expect(outcome.github.checkRuns).toMatchObject([{ head_sha: MERGE_SHA, conclusion: "failure" }]);
  });

  test("a proxy that GitHub's client cannot use is reported, and the annotations are the job's", async () => {
    const outcome = await act(project(), failing, {
      githubUrl: "https://api.github.example",
      env: { HTTPS_PROXY: "socks5://127.0.0.1:9" },
    });
    expect(outcome.log).toContain("::warning::The GitHub client cannot be created");
    expect(outcome.log).toMatch(/::warning::No check run.*Invalid URL protocol/);
    expect(outcome.log).toContain("file=evals/eval.yaml,");
    expect(lastLine(outcome)).toMatch(/^::error::Failed: /);
  });
});
