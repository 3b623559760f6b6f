/** Runs of other formats in waza's: what the copies for `waza gate` are made of. */
import { expect, test } from "@jest/globals";
import { fixture, read } from "../support/outputs.ts";

const FORMATS = [
  ...["as-found", "claude-code", "claude-code-sessions", "codex-exec", "codex-session", "copilot", "cursor"],
  ...["gemini-cli", "messages", "opencode", "records", "text-files", "waza-transcripts"],
];

test.each(FORMATS)("the runs of %s are read from the copy as they were from the log", async (format) => {
  const logs = fixture(format);
  let number = 0;
  for (const [name, text] of Object.entries(logs)) {
    const { runs, documents } = await read({ [`out/${name}`]: text }, { tasks: "every" });
    const again = await Promise.all(
      documents.map((document) => read({ "results.json": document }, { tasks: "every" })),
    );
    const shown = (all: typeof runs) =>
      all.map(({ taskId, number, prompt, finalOutput, steps, agent, errorMessage }) => {
        return { taskId, number, prompt, finalOutput, steps, agent, errorMessage };
      });
    expect(shown(again.flatMap((one) => one.runs))).toEqual(shown(runs));
    number += runs.length;
  }
  expect(number).toBeGreaterThan(0);
});
