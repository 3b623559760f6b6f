import { afterAll, describe, expect, test } from "@jest/globals";
import { fixture, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const name = "explain-run2.json";
const snapshot = fixture("waza-snapshot")[name]!;

describe("a snapshot (--snapshot)", () => {
  test("is the run it tells of, with eval, number, calls and the verdicts that stand in it", async () => {
    const { results, runs, problems, documents } = await read({ [`snapshots/${name}`]: snapshot });
    expect(problems).toEqual([]);
    expect(results).toMatchObject([{ evalName: "code-explainer", model: "gpt-5-mini" }]);
    expect(runs).toMatchObject([
      {
        taskId: "explain",
        taskName: "Explain",
        golden: true,
        number: 2,
        prompt: "What does loop.py do?",
        finalOutput: "It loops forever.",
        agent: "finished",
        recorded: [{ name: "right", type: "prompt", passed: true }],
        steps: [
          { name: "view", input: '{"path":"loop.py"}', result: "while True: pass", success: true },
          { name: "bash", input: '{"command":"python loop.py"}', result: "denied", success: false },
        ],
      },
    ]);
    expect(runs[0]?.ended).toBeUndefined();
    expect(JSON.stringify(documents)).toContain('"tools_used":["view","bash"]');
  });

  test("beside the results of the same run is left out with a notice; another run's is read", async () => {
    const results = {
      eval_name: "code-explainer",
      config: { model_id: "gpt-5-mini" },
      tasks: [{ test_id: "explain", runs: [{ run_number: 2, final_output: "It loops forever." }] }],
    };
    const other = snapshot.replace('"runNumber": 2', '"runNumber": 3');
    const unnamed = snapshot.replace(/"modelId": "[^"]+"/, '"modelId": ""');
    const { runs, problems } = await read({
      "r.json": results,
      "s/a.json": snapshot,
      "s/b.json": other,
      "s/c.json": unnamed,
    });
    expect(runs.map(({ number }) => number)).toEqual([2, 3]);
    expect(problems).toMatchObject([
      {
        level: "notice",
        message: "Snapshots of runs that the results hold too, left out: `s/a.json`, `s/c.json`.",
      },
    ]);
  });

  test("of a run that ended in an error says so", async () => {
    const { runs } = await read({
      "s.json": { kind: "task-snapshot", task: { testId: "explain" }, result: { errorMsg: "timed out" } },
    });
    expect(runs).toMatchObject([{ agent: "failed", errorMessage: "timed out", number: 1 }]);
  });

  test("without a task is an error at its line", async () => {
    const { runs, problems } = await read({ "s.json": '{"kind": "task-snapshot",\n "task": {}}' });
    expect(runs).toEqual([]);
    expect(problems).toMatchObject([{ level: "error", at: { path: "s.json", startLine: 2 } }]);
    expect(problems[0]?.message).toContain("expected `testId`");
  });
});

test("a session log (--session-log) holds nothing to grade, which a notice says", async () => {
  const { runs, problems } = await read(fixture("waza-session-log"));
  expect(runs).toEqual([]);
  expect(problems).toMatchObject([
    { level: "notice", message: expect.stringContaining("is a session log of waza, left out") as unknown },
  ]);
});
