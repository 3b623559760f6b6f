import { afterAll, describe, expect, test } from "@jest/globals";
import { fixture, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const PROMPT = "What does loop.py do?";
const asks = { type: "user.message", content: PROMPT };
const says = (content: string) => ({ type: "assistant.message", content });

async function readTranscript(file: object) {
  const { runs, problems } = await read({
    "t/explain-20260301-100000.json": { task_id: "explain", task_name: "Explain", prompt: PROMPT, ...file },
  });
  return { runs, problems };
}

describe("a transcript file of waza", () => {
  test("of two runs: a new one starts where the prompt is repeated, not where the user goes on", async () => {
    const { runs, problems, results } = await read(fixture("waza-transcripts"));
    expect(results[0]).toMatchObject({ path: "explain-20260301-100000.json", model: "unknown model" });
    expect(runs).toEqual([
      expect.objectContaining({
        taskId: "explain",
        taskName: "Explain",
        number: 1,
        prompt: PROMPT,
        finalOutput: "It loops forever.\n\nYes.",
        agent: "finished",
        steps: [
          { kind: "user", text: PROMPT },
          {
            kind: "tool",
            name: "view",
            input: '{"path":"loop.py"}',
            result: "while True: pass",
            success: true,
          },
          { kind: "assistant", text: "It loops forever." },
          { kind: "user", text: "Are you sure?" },
          { kind: "assistant", text: "Yes." },
        ],
      }),
      expect.objectContaining({
        number: 2,
        finalOutput: "It never ends.",
        steps: [
          { kind: "user", text: PROMPT },
          { kind: "assistant", text: "It never ends." },
        ],
      }),
    ]);
    expect(problems).toEqual([
      expect.objectContaining({
        level: "notice",
        message: expect.stringContaining("holds 2 runs") as unknown,
      }),
    ]);
  });

  test("of one run takes its final output as it is recorded", async () => {
    const { runs, problems } = await readTranscript({
      final_output: "All.",
      transcript: [asks, says("Part.")],
    });
    expect(problems).toEqual([]);
    expect(runs.map(({ finalOutput }) => finalOutput)).toEqual(["All."]);
  });

  test.each([
    ["no prompt", { prompt: null, transcript: [asks, says("a"), asks, says("b")] }],
    ["no transcript", { transcript: null }],
    ["an empty transcript", { transcript: [] }],
    [
      "a template as prompt, which no message repeats",
      { prompt: "Do {{x}}", transcript: [asks, says("a"), asks] },
    ],
  ])("with %s is one run", async (_case, file) => {
    const { runs } = await readTranscript({ final_output: "x", ...file });
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({ number: 1, finalOutput: "x" });
  });

  test.each<[string, object, (string | undefined)[]]>([
    ["its error", { status: "error", error_msg: "boom", transcript: [asks] }, ["failed", "error: boom"]],
    [
      "its error, which waza calls failed",
      { status: "failed", error_msg: "boom", transcript: [asks, says("a")] },
      ["finished", "error: boom"],
    ],
    ["nothing but its graders", { status: "failed", final_output: "a" }, ["finished", undefined]],
    [
      "the last of several, which wrote nothing",
      { status: "error", error_msg: "boom", final_output: "", transcript: [asks, says("a"), asks] },
      ["finished", undefined, "failed", "error: boom"],
    ],
    [
      "no run's error, when it may be another run's",
      { status: "error", error_msg: "boom", final_output: "b", transcript: [asks, asks, says("b")] },
      ["finished", undefined, "finished", undefined],
    ],
    [
      "an error without a message",
      { status: "error", final_output: "b", transcript: [asks] },
      ["finished", "error, without a message"],
    ],
    [
      "waza's own graders",
      { status: "failed", error_msg: "running graders: x", transcript: [asks] },
      ["grader-failed", undefined],
    ],
  ])("ends by %s", async (_case, file, expected) => {
    const { runs } = await readTranscript(file);
    expect(runs.flatMap(({ agent, ended }) => [agent, ended])).toEqual(expected);
  });

  test("of the wrong shape is an error at its line", async () => {
    const text = '{\n  "task_id": "explain",\n  "transcript": "none"\n}';
    const { runs, problems } = await read({ "a.json": text });
    expect(runs).toEqual([]);
    expect(problems[0]).toMatchObject({ level: "error", at: { startLine: 3 } });
    expect(problems[0]?.message).toContain("not a transcript file of waza at `transcript`");
  });
});
