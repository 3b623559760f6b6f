import { describe, expect, test } from "@jest/globals";
import type { ErrorClass } from "../../src/domain/grade.ts";
import { budget } from "../../src/judge/spend.ts";
import { startMeter, type FileReader } from "../../src/judge/judge.ts";
import { FILE_TOOLS } from "../../src/judge/files.ts";
import { fail, pass, type Asked, type JudgeServer, type Reply } from "../support/judge-server.ts";
import { checkResponsesRequest } from "../support/responses-rules.ts";
import { ask, NO_RETRY, closeServers, errorOf, judgeAt, outcomes, serve } from "./judging.ts";

closeServers();

const inOrder =
  (...replies: Reply[]) =>
  ({ turn }: Asked) =>
    replies[Math.min(turn, replies.length) - 1] ?? {};
const judge = (server: JudgeServer, options = {}) =>
  judgeAt(server, { endpoint: { api: "responses" }, ...options });

describe("the Responses API", () => {
  test("is sent flat tools, nothing to store, and the limit and effort where there are any", async () => {
    const server = await serve(inOrder({ calls: [pass("a")] }, {}));
    await ask(judge(server, { budget: budget({ cost: 1e9 }) }), { effort: "high" });
    const body = server.asked[0]?.responses;
    expect(body).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high" },
    });
    expect(body?.max_output_tokens).toBeGreaterThan(1_000);
    expect(body?.tools?.map(({ name, strict }) => [name, strict])).toEqual([
      ["set_waza_grade_pass", false],
      ["set_waza_grade_fail", false],
      ["finish_grading", false],
    ]);
    expect(body?.input.slice(0, 3)).toMatchObject([{ role: "system" }, { role: "user" }, { role: "user" }]);
    await ask(judge(server));
    expect(Object.keys(server.asked[2]?.responses ?? {}).sort()).toEqual([
      "include",
      "input",
      "model",
      "store",
      "tools",
    ]);
  });

  test.each<[string, Reply[], string]>([
    ["several in one reply", [{ calls: [pass("a"), fail("b"), pass("c")] }, {}], "pass fail pass"],
    [
      "one a reply",
      [{ calls: [pass("a")] }, { calls: [fail("b")] }, { calls: [pass("c")] }, {}],
      "pass fail pass",
    ],
    [
      "some with words beside",
      [{ text: "So.", calls: [pass("a"), pass("b")] }, { calls: [fail("c")] }, {}],
      "pass pass fail",
    ],
    ["one after a reminder", [{ text: "PASS" }, { calls: [pass("a")] }, {}], "pass"],
    [
      "one without an id",
      [{ calls: [{ ...pass("a"), id: null }] }, { calls: [{ ...fail("b"), id: "" }] }, {}],
      "pass fail",
    ],
    ["some unknown", [{ calls: [{ name: "write_file" }, pass("a")] }, {}], "pass"],
    ["arguments that are no JSON", [{ calls: [{ name: "set_waza_grade_fail", args: "{oops" }] }, {}], "fail"],
  ])("counts calls: %s", async (_name, replies, expected) => {
    const server = await serve(inOrder(...replies));
    const answer = await ask(judge(server));
    expect(outcomes(answer)).toBe(expected);
    expect(answer.incomplete).toBeUndefined();
    expect(server.asked).toHaveLength(replies.length);
  });

  test("a judge without a call is reminded once and graded 0 checks", async () => {
    const server = await serve(() => ({ text: "PASS" }));
    const answer = await ask(judge(server));
    expect(answer).toMatchObject({ checks: [], text: "PASS" });
    expect(server.asked).toHaveLength(2);
  });

  test("reads files, each call answered under its own id", async () => {
    let reads = 0;
    const files: FileReader = {
      tools: FILE_TOOLS,
      reads: () => reads,
      again: () => files,
      fingerprint: () => Promise.resolve("one"),
      answer: ({ name }) =>
        Promise.resolve(name === "read_file" ? `content ${String((reads += 1))}` : undefined),
    };
    const read = { name: "read_file", args: { path: "workspace/a" } };
    const server = await serve(inOrder({ calls: [read, read] }, { calls: [pass("a"), read] }, {}));
    const answer = await ask(judge(server), { files });
    expect(answer).toMatchObject({ checks: [{ outcome: "pass" }], reads: 3 });
    const outputs = server.asked[2]?.responses?.input.flatMap((item) =>
      "type" in item && item.type === "function_call_output" ? [[item.call_id, item.output]] : [],
    );
    expect(outputs).toEqual([
      ["call_1_0", "content 1"],
      ["call_1_1", "content 2"],
      ["call_2_0", "Recorded."],
      ["call_2_1", "content 3"],
    ]);
  });

  test("gets reasoning back with its encrypted content, and not without", async () => {
    const server = await serve(
      inOrder({ reasoning: "encrypted", calls: [pass("a")] }, { reasoning: "plain", calls: [pass("b")] }, {}),
    );
    expect(outcomes(await ask(judge(server)))).toBe("pass pass");
    const sent = server.asked[2]?.responses?.input.filter(
      (item) => "type" in item && item.type === "reasoning",
    );
    expect(sent).toMatchObject([{ id: "rs_1", encrypted_content: "secret-1" }]);
  });

  test("has its tokens counted, cached ones too", async () => {
    const meter = startMeter();
    const server = await serve(
      inOrder({ calls: [pass("a")], usage: { input: 1_000, output: 50, cached: 900 } }, {}),
    );
    await ask(judge(server), {}, { meter });
    expect(meter).toMatchObject({ requests: 2, tokens: { input: 1_100, output: 70, cached: 900 } });
  });

  test.each<[string, Reply, ErrorClass]>([
    ["a refusal", { text: null, refusal: "I cannot judge this." }, "refusal"],
    ["cut off", { text: "Let me", finish: "length" }, "cut-off"],
    ["filtered", { text: null, finish: "content_filter" }, "content-filter"],
    ["failed", { failed: true, text: "boom" }, "server"],
    ["no response", { raw: '{"choices": []}' }, "invalid-reply"],
    ["null", { raw: "null" }, "invalid-reply"],
    ["truncated", { raw: '{"output": [{"type": "mess' }, "invalid-reply"],
    ["a page", { raw: "<html>" }, "invalid-reply"],
    ["in progress", { raw: '{"status": "in_progress", "output": []}' }, "invalid-reply"],
    ["an error beside nothing", { raw: '{"error": {"message": "boom"}, "output": []}' }, "server"],
  ])(
    "a reply that is no answer is an error before calls and incomplete after them: %s",
    async (_name, reply, kind) => {
      const one = { ...reply, headers: NO_RETRY };
      expect((await errorOf(ask(judge(await serve(() => one))))).class).toBe(kind);
      const later = await ask(judge(await serve(inOrder({ calls: [fail("a")] }, one))));
      expect(later).toMatchObject({ checks: [{ outcome: "fail" }], incomplete: { class: kind } });
    },
  );

  const callItem = (name: string, more: object = {}) => ({
    type: "function_call",
    call_id: `call-${name}`,
    name,
    arguments: "{}",
    ...more,
  });
  test.each<[string, object]>([
    ["without a reason", { status: "incomplete", output: [callItem("set_waza_grade_pass")] }],
    [
      "by another name of its limit",
      {
        status: "incomplete",
        incomplete_details: { reason: "max_tokens" },
        output: [callItem("set_waza_grade_pass")],
      },
    ],
    [
      "in a call",
      {
        status: "completed",
        output: [callItem("set_waza_grade_pass"), callItem("set_waza_grade_pass", { status: "incomplete" })],
      },
    ],
  ])("a pass in a reply that was broken off %s is no verdict", async (_how, reply) => {
    const thrown = await errorOf(ask(judge(await serve(() => ({ raw: JSON.stringify(reply) })))));
    expect(thrown.reported?.checks).not.toHaveLength(0);
  });

  test("a tool that the model made up is answered, and mentioned once more before the end", async () => {
    const output = [
      callItem("set_waza_grade_pass"),
      { type: "custom_tool_call", call_id: "c", name: "report_failure", input: "rude" },
    ];
    const server = await serve(inOrder({ raw: JSON.stringify({ status: "completed", output }) }, {}));
    expect(outcomes(await ask(judge(server)))).toBe("pass");
    expect(server.asked).toHaveLength(3);
    expect(JSON.stringify(server.asked[2]?.request.messages.at(-1))).toContain("report_failure");
  });

  test("keeps the calls of a reply that was cut off", async () => {
    const answer = await ask(judge(await serve(() => ({ calls: [fail("a")], finish: "length" }))));
    expect(answer).toMatchObject({ checks: [{ outcome: "fail" }], incomplete: { class: "cut-off" } });
  });
});

describe("the loopback Responses API", () => {
  const call = {
    type: "function_call",
    id: "fc_1",
    call_id: "c",
    name: "set_waza_grade_pass",
    arguments: "{}",
  };
  const output = { type: "function_call_output", call_id: "c", output: "Recorded." };

  test.each<[string, unknown]>([
    ["a call without an output", { input: [call] }],
    ["an output without a call", { input: [output] }],
    ["an output before its call", { input: [output, call] }],
    ["a call twice", { input: [call, output, call, output] }],
    [
      "reasoning that was not stored",
      { store: false, input: [{ type: "reasoning", id: "rs_1", summary: [] }] },
    ],
    ["a message of chat completions", { input: [{ role: "tool", tool_call_id: "c", content: "x" }] }],
    ["tools of chat completions", { input: "x", tools: [{ type: "function", function: { name: "a" } }] }],
    ["reasoning_effort", { input: [{ role: "user", content: "x" }], reasoning_effort: "low" }],
    ["max_tokens", { input: [{ role: "user", content: "x" }], max_tokens: 100 }],
    ["a limit of 15", { input: [{ role: "user", content: "x" }], max_output_tokens: 15 }],
  ])("refuses %s", (_name, body) => {
    expect(checkResponsesRequest({ model: "m", ...(body as object) })).toHaveProperty("refusal");
  });

  test("takes a call with its output", () => {
    expect(checkResponsesRequest({ model: "m", store: false, input: [call, output] })).toHaveProperty(
      "request",
    );
  });
});
