/** The bundle as the runner starts it: its files, its environment, its signals. */
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { act, closeServers, failing, lastLine, passing, recordOf, until, type RecordedGrade } from "../support/act.ts";
import type { Asked, Reply } from "../support/judge-server.ts";
import { project, promptGrader, resultsFixture, runFixture } from "../support/projects.ts";
import { HEAD_SHA, MERGE_SHA, removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";
import { STATEMENT_JUDGES, signsOf } from "../support/statement-judges.ts";
import { ROOT } from "../../scripts/demo-suite.ts";

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
    expect(checkRun?.output?.title).toBe("code-explainer: 1 of 3 tasks failed in some of its runs");
    // The check run's page has the title above it, and no link to itself.
    expect(checkRun?.output?.summary).toBe(outcome.summary.replace(/^## .*\n\n/, ""));
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
      again: "no",
      "newly-failing": "",
      "newly-passing": "",
      "baseline-score": "",
      "results-file": join(outcome.runnerTemp, "waza-grade-results.json"),
      "waza-results": "",
      "check-run-url": "https://github.com/octo/agents/runs/1",
    });
    golden("demo-summary.md", outcome.summary.replace(/, \d+(?:\.\d)? s, /, ", 1.2 s, "));
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

  test("a step that reaches its own limit publishes what was graded, and says that a re-run goes on", async () => {
    const workspace = project({ graders: [promptGrader("quick"), promptGrader("slow")] });
    const script = (asked: Asked): Reply =>
      asked.prompt.includes("slow") ? { connection: "hang" } : passing(asked);
    // Below two minutes it ends after half of it.
    const outcome = await act(workspace, script, { inputs: { "timeout-minutes": "0.4" } });
    expect(outcome.code).toBe(1);
    expect(lastLine(outcome)).toContain(
      "Ended by its limit of 0.4 minutes, a re-run goes on: 1 of 2 graded, 1 errored",
    );
    expect(outcome.github.checkRuns[0]).toMatchObject({ conclusion: "failure" });
    expect(recordOf(outcome).rule).toBe("time-limit");
  }, 60_000);

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

/* Every kind of judge of a skill's statements, through the bundled action. */

/** The same words as the table's. */
function came({ checks = [], incomplete, error, requests }: RecordedGrade): string {
  const signs = signsOf(checks);
  const output = error ? `errored${signs === "" ? "" : ` after ${signs}`}: ${error.message}` : signs;
  return `${output}${incomplete ? ` incomplete (${incomplete.message})` : ""}: ${String(requests)}`;
}

test("a skill's statements are graded as the table says, and each fails on its own line", async () => {
  const evals = STATEMENT_JUDGES.map((_, id) => ({
    id,
    prompt: "Explain the loop.",
    assertions: [`It names the loop of case ${String(id)}.`, "It is short.", "It has no error."],
  }));
  const workspace = writeProject({
    "skills/loops/evals/evals.json": JSON.stringify({ skill_name: "loops", evals }, null, 2),
    "results.json": resultsFixture(
      "loops",
      evals.map(({ id }) => ({ id: String(id), runs: [runFixture()] })),
    ),
  });
  const script = ({ prompt, turn }: Asked) => {
    const [, replies = []] = STATEMENT_JUDGES[Number(/case (\d+)/.exec(prompt)?.[1])] ?? [];
    return replies[Math.min(turn, replies.length) - 1] ?? {};
  };
  const outcome = await act(workspace, script, { inputs: { "max-concurrency": "1" } });
  const all = recordOf(outcome).grades.map((grade, index) => [STATEMENT_JUDGES[index]?.[0], came(grade)]);
  expect(all).toHaveLength(STATEMENT_JUDGES.length);
  for (const [index, [judge, , expected]] of STATEMENT_JUDGES.entries())
    expect([judge, all[index]?.[1]?.slice(0, expected.endsWith(": ") ? expected.length : undefined)]).toEqual([
      judge,
      expected,
    ]);
  const lines = readFileSync(`${workspace}/skills/loops/evals/evals.json`, "utf8").split("\n");
  const failed = outcome.github.checkRuns[0]?.annotations.filter(({ title = "" }) => / statement \d/.test(title)) ?? [];
  expect(failed.length).toBeGreaterThan(8);
  for (const { start_line: line, message } of failed) {
    const text = /✗ fail: (.*?\.)/.exec(message)?.[1] ?? "none";
    expect(lines[line - 1]).toContain(text);
  }
});
