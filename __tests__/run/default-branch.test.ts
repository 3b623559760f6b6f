/** `baseline: default-branch`: what main kept is fetched by the action itself, and compared with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, once } from "../support/act.ts";
import type { GitHubOptions } from "../support/github-server.ts";
import { fail, pass } from "../support/judge-server.ts";
import { project, resultsFixture, runFixture } from "../support/projects.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import { zipOf } from "../support/zip.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const judge = once(({ evidence }) => ({
  calls: [evidence.includes("BAD") ? fail("It is right", "It says BAD.") : pass("It is right", "It is.")],
}));

/** Grades one run of each of these tasks, by the answers. */
async function grade(answers: readonly string[], inputs: Record<string, string>, github?: GitHubOptions) {
  const ids = answers.map((_, index) => `t${String(index + 1)}`);
  const runs = ids.map((id, at) => ({ id, runs: [runFixture({ final_output: answers[at] ?? "" })] }));
  const files = { "results.json": resultsFixture("suite", runs) };
  return await act(project({ tasks: ids.map((id) => ({ id })), files }), judge, {
    inputs: { "fail-on": "regression", baseline: "default-branch", ...inputs },
    env: { GITHUB_WORKFLOW_REF: "octo/agents/.github/workflows/evals.yml@refs/heads/trunk" },
    ...(github && { github }),
  });
}

const good = Array.from({ length: 8 }, () => "GOOD");
const bad = Array.from({ length: 8 }, () => "BAD");

test("a pull request is red by what main kept, which the action fetches by the token", async () => {
  const file = join(temporaryFolder("kept"), "record.json");
  await grade(good, { "fail-on": "never", "output-file": file, baseline: "" });
  const record: unknown = JSON.parse(readFileSync(file, "utf8"));
  const archive = zipOf({ "record.json": record });
  const ofMain = await grade(bad, {}, { artifacts: [{ run: 8, archive }] });
  expect(ofMain.outputs).toMatchObject({
    conclusion: "failure",
    comparison: "fell",
    "baseline-score": "1.0000",
  });
  // The same under another name, for a second call in one workflow.
  const named = await grade(
    bad,
    { baseline: "default-branch:evals-baseline-docs" },
    { artifacts: [{ run: 8, archive, name: "evals-baseline-docs" }] },
  );
  expect(named.outputs.comparison).toBe("fell");
});

test("until main kept any nothing is compared, and the page says so", async () => {
  const first = await grade(["GOOD", "BAD"], {}, {});
  expect(first.code).toBe(0);
  expect(first.github.checkRuns[0]).toMatchObject({ conclusion: "neutral" });
  expect(first.log).toMatch(
    /^warning: No run of this workflow on `trunk` has kept results yet, as the artifact `evals-baseline`\./m,
  );
});

test("what cannot be read is red before a judge is paid", async () => {
  const outcome = await grade(good, {}, { status: 403 });
  expect(outcome.code).toBe(1);
  expect(outcome.judge.asked).toHaveLength(0);
  expect(lastLine(outcome)).toContain("The results of the default branch could not be read");
});

test("a dry run fetches nothing", async () => {
  const outcome = await grade(good, { "dry-run": "true" }, { status: 500 });
  expect([outcome.code, outcome.github.routes]).toEqual([0, []]);
});
