/** `max-cost-usd` of `waza-grade run`, through the bundle: what all runs may cost. */
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { readList } from "../../src/outputs/list-of-runs.ts";
import { COMMAND, evals } from "../support/agent-runs.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";
import { runCommand } from "../support/run-command.ts";

afterAll(removeTemporaryFolders);

const REACHED = "`max-cost-usd` was reached: what was at work was ended, and nothing more is started.";

/** The tasks whose runs were made, by the list, and why the others were not. */
function madeIn(folder: string) {
  const list = readList(join(folder, ".waza-grade/runs/runs.json"));
  const made = list?.runs.flatMap(({ task, run_sha256: sha256 }) => (sha256 === undefined ? [] : task));
  return { made, ended: list?.ended };
}

const capped = async (folder: string, more: readonly string[], env = {}) => {
  const args = ["run", "--command", COMMAND, "--max-cost-usd", "2", ...more];
  const { code, out, err } = await runCommand(folder, args, env);
  return { code, text: `${out}${err}`, ...madeIn(folder) };
};

test.each([
  [
    "a run in which it is reached counts, and no other is started",
    { a: "cost 1.5", b: "cost 0.6", c: "cost 1", d: "write" },
    "1",
    { code: 1, made: ["a", "b"], ended: REACHED },
  ],
  [
    "what is at work is ended and missing, also what reached it, where that would have gone on",
    { a: "cost-on 2.5", b: "hang", c: "write" },
    "2",
    { code: 1, made: [], ended: REACHED },
  ],
  [
    "below it all runs are made",
    { a: "cost 0.9", b: "cost 1", c: "write" },
    "1",
    { code: 0, made: ["a", "b", "c"], ended: undefined },
  ],
])("%s", async (_case, tasks, concurrency, expected) => {
  const { text, ...came } = await capped(writeProject(evals(tasks)), ["--concurrency", concurrency]);
  expect(came).toEqual(expected);
  expect(text).toContain("A command counts as far as its log says what it costs");
});

test("a conversation that it ends between two turns is missing, and a user's model without a price is named", async () => {
  const further = "responder: {instructions: x, max_followups: 3}";
  const folder = writeProject({
    ...evals({ b: "write" }),
    "evals/tasks/a.yaml": "id: a\ninputs: {prompt: cost 2.1, follow_up_prompts: [Go on.]}\n",
    "evals/tasks/c.yaml": `id: c\ninputs:\n  prompt: write\n  ${further}\n`,
  });
  const env = { OPENAI_API_KEY: "sk-0123456789", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
  const { text, ...came } = await capped(folder, ["--resumes", "--concurrency", "1"], env);
  expect(came).toEqual({ code: 1, made: [], ended: REACHED });
  expect(text).toContain("warning: `max-cost-usd` does not count `gpt-6-luna`: no price is known.");
});

test.each(["codex", "copilot", "gemini"])(
  "%s, whose log says no cost, is named before the first run",
  async (agent) => {
    const { out, err } = await runCommand(writeProject(evals({ a: "write" })), [
      ...["run", "--agent", agent, "--max-cost-usd", "2", "--dry-run"],
    ]);
    expect(out + err).toContain(`The log of ${agent} does not say what it costs`);
  },
);
