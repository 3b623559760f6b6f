/** A run whose client kept a session beside what it printed: both are read as one, or the printed rows alone. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import type { Step } from "../../src/domain/run.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { suiteOf } from "../support/factories.ts";
import { allOf, fixtureAt, placedRun, taskOf } from "../support/outputs.ts";
import { expectSaid } from "../support/problems.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const PROMPT = "RICH: Clean in.csv of its empty rows and say which rows are left.";
const SECOND = "SECOND: and how many?";
const AT = { path: "evals/eval.yaml", startLine: 1, endLine: 1, inRepository: true };

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The run of a client in two turns, as `waza-grade run` leaves it. */
async function readRun(agent: string, client: string, record: object = {}, session?: string) {
  const kept = session ?? fixtureAt(`session8/${client}.jsonl`);
  const turn = fixtureAt(`session8/${client}.printed-2.jsonl`);
  const written = {
    ...{ task: "rich", agent, session: "session.jsonl", session_sha256: sha256(kept) },
    turns: [{ prompt: SECOND, log: "log-2.jsonl", sha256: sha256(turn) }],
    turns_ended: "completed",
    ...record,
  };
  const root = writeProject(
    allOf(placedRun("a", written, fixtureAt(`session8/${client}.printed.jsonl`)), {
      "a/log-2.jsonl": turn,
      "a/session.jsonl": kept,
      "skills/csv-clean/SKILL.md": "SKILLBODY-7: drop the empty rows, keep the order.\n",
    }),
  );
  const tested = { name: "csv-clean", folder: join(root, "skills/csv-clean") };
  const suites = [
    suiteOf({ name: "alpha", at: AT, tasks: [taskOf("rich", PROMPT)], skill: tested.name, tested }),
  ];
  const { files, problems } = await readOutputs({
    ...{ patterns: [join(root, "a")], workspace: temporaryFolder("checkout"), isWorkflow: true, suites },
  });
  const [results] = files.map((file) => file.results);
  const steps = results?.runs[0]?.steps ?? [];
  const isSaid = (step: Step) => step.kind === "user" || step.kind === "assistant";
  return {
    run: results?.runs[0],
    model: results?.model,
    calls: steps.flatMap((step) => (step.kind === "tool" ? step.name : [])),
    unknown: steps.filter((step) => step.kind === "tool" && step.result === undefined).length,
    results: steps.flatMap((step) => (step.kind === "tool" ? (step.result ?? []) : [])).join("\n"),
    said: steps.filter(isSaid).flatMap((step) => ("text" in step ? step.text : [])),
    problems,
  };
}

const WORDS = [
  ...[PROMPT, "I look first.", "One that fails.", "I ask a helper."],
  ...["FINAL-1: rows a, b and c are left.", SECOND, "I count.", "FINAL-2: three rows."],
];

test.each<[string, string, object]>([
  [
    "gemini",
    "gemini-0.61.0",
    { calls: 11, model: "gemini-3.8-flash", input: 1_600, result: '"response": "CHILDREPORT"' },
  ],
  ["codex", "codex-0.171.0", { calls: 12, model: "gpt-6.2-sol", input: 1_200, result: "unsupported call" }],
  ["copilot", "copilot-1.0.102", { calls: 12, model: "stub-1", input: 1_300, result: "CHILDREPORT" }],
])(
  "%s: steps of the fuller one, and tokens, in the user's words and the agent's",
  async (agent, client, is) => {
    const { run, calls, unknown, model, said, results } = await readRun(agent, client);
    expect(said).toEqual(WORDS);
    expect(run?.finalOutput).toBe("FINAL-2: three rows.");
    const { calls: number, result, input, ...facts } = is as Record<string, unknown>;
    expect({ model }).toEqual(facts);
    expect([calls.length, run?.client?.tokens?.input, unknown]).toEqual([number, input, 0]);
    expect(results).toContain(result);
    expect(run?.client?.skillCalls).toMatchObject([{ name: "csv-clean", success: true }]);
  },
);

const WHY = "its file was changed otherwise than by rows that its client added";

test.each<[string, string]>([
  ["gemini", "gemini-0.61.0"],
  ["codex", "codex-0.171.0"],
  ["copilot", "copilot-1.0.102"],
])("%s: a session that `run` did not take is not read, and the reason is said", async (agent, client) => {
  // What the agent made of it: the printed rows say BROKEN-OUT.
  const forged = fixtureAt(`session8/${client}.jsonl`).replaceAll("BROKEN-OUT", "ALLGOOD-1");
  const record = { session: undefined, session_sha256: undefined, session_unused: WHY };
  const { results, problems } = await readRun(agent, client, record, forged);
  expect(results).toContain("BROKEN-OUT");
  expect(results).not.toContain("ALLGOOD-1");
  expect(problems.find(({ code }) => code === "session-unused")?.message).toContain(WHY);
});

test("a session that was changed after the run is an error, and the run none", async () => {
  const session_sha256 = sha256("what it was");
  const { run, problems } = await readRun("gemini", "gemini-0.61.0", { session_sha256 });
  expect(run).toBeUndefined();
  expectSaid(problems, ["error changed-log"]);
});

test("a session outside of the run's folder is not read", async () => {
  const { run, problems } = await readRun("gemini", "gemini-0.61.0", { session: "../session.jsonl" });
  expect(run).toBeUndefined();
  expectSaid(problems, ["error log-outside"]);
});
