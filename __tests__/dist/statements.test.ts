/** Every kind of judge of a skill's statements, through the bundled action. */
import { readFileSync } from "node:fs";
import { afterAll, afterEach, expect, test } from "@jest/globals";
import { act, closeServers } from "../support/act.ts";
import type { Asked } from "../support/judge-server.ts";
import { resultsFixture, runFixture } from "../support/projects.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";
import { signsOf, STATEMENT_JUDGES } from "../support/statement-judges.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

interface Graded {
  readonly checks?: Parameters<typeof signsOf>[0];
  readonly incomplete?: { readonly message: string };
  readonly error?: { readonly message: string };
  readonly requests: number;
}

/** The same words as the table's. */
function came({ checks = [], incomplete, error, requests }: Graded): string {
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
  const results = JSON.parse(readFileSync(outcome.outputs["results-file"] ?? "", "utf8")) as {
    waza_grade: { grades: readonly Graded[] };
  };
  const all = results.waza_grade.grades.map((grade, index) => [STATEMENT_JUDGES[index]?.[0], came(grade)]);
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
