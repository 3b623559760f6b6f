/** Whether a judge reports reasoning, where an effort asks for it: by what its replies say, of whatever server. */
import { expect, test } from "@jest/globals";
import type { JudgeAnswer } from "../../src/judge/judge.ts";
import { finish, pass, type Reply } from "../support/judge-server.ts";
import { ask, closeServers, judgeAt, serve } from "./judging.ts";

closeServers();

const calls = [pass("a"), finish];
const usage = { input: 100, output: 20 };
const silent = { calls, usage: { ...usage, reasoning: null } };

async function answerTo(
  replies: readonly Reply[],
  effort: string | undefined,
  api?: "responses",
): Promise<JudgeAnswer> {
  const server = await serve(({ turn }) => replies[turn - 1] ?? {});
  return await ask(judgeAt(server, { endpoint: { api } }), { effort });
}

const inTotal = JSON.stringify({
  choices: [{ message: { content: null, tool_calls: [{ function: { name: "set_waza_grade_pass" } }] } }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 150 },
});

test.each<[string, readonly Reply[], boolean | undefined]>([
  ["counts tokens for it", [{ calls, usage: { ...usage, reasoning: 12 } }], true],
  ["counts none", [{ calls, usage: { ...usage, reasoning: 0 } }], false],
  ["counts the output alone", [silent], false],
  ["has no usage", [{ calls, usage: null }], undefined],
  ["counts more in total than in and out", [{ raw: inTotal }, silent], true],
  ["shows thoughts in a field", [{ ...silent, extra: { reasoning_content: "So it is." } }], true],
  ["has that field empty", [{ ...silent, extra: { reasoning_content: "", thinking_blocks: [] } }], false],
  ["shows thoughts in its text", [{ ...silent, text: "<think>So it is.</think>" }], true],
  [
    "shows them in one of two replies",
    [{ calls: [pass("a")], usage: { ...usage, reasoning: 3 } }, silent],
    true,
  ],
])("a server that %s", async (_what, replies, reports) => {
  expect((await answerTo(replies, "low")).reportsReasoning).toBe(reports);
});

test.each<[string, Reply, boolean]>([
  ["counts tokens for it", { calls, usage: { ...usage, reasoning: 12 } }, true],
  ["counts none", { calls, usage: { ...usage, reasoning: 0 } }, false],
  ["has an item of it", { calls, reasoning: "encrypted", usage: { ...usage, reasoning: 0 } }, true],
])("a response that %s", async (_what, reply, reports) => {
  expect((await answerTo([reply], "low", "responses")).reportsReasoning).toBe(reports);
});

test.each([undefined, "none", "minimal"])("effort %s asks for none, so nothing is said", async (effort) => {
  expect((await answerTo([silent], effort)).reportsReasoning).toBeUndefined();
});
