import { afterAll, describe, expect, test } from "@jest/globals";
import { jsonLines, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";
import { type ClientFacts, hasLoaded, hasSkill } from "../../src/domain/run.ts";
import { SESSIONS } from "../../src/outputs/file-formats.ts";
import { jsonOf } from "../../src/text/format.ts";

afterAll(removeTemporaryFolders);

async function factsOf(rows: readonly object[]): Promise<ClientFacts> {
  const { runs } = await read({ "pdf.jsonl": jsonLines(...rows) }, { tasks: { pdf: "Make a PDF." } });
  return runs[0]?.client ?? {};
}

const SESSION = { session_id: "s" };
const claudeMessage = (type: string, content: unknown, more: object = {}) => ({
  type,
  message: { role: type, content, model: "claude-opus-5-5" },
  ...SESSION,
  ...more,
});
const claudeInit = {
  type: "system",
  subtype: "init",
  claude_code_version: "2.1.332",
  skills: ["pdf", "docs:csv", "debug"],
  ...SESSION,
};
const claudeCall = claudeMessage("assistant", [
  { type: "tool_use", id: "t1", name: "Skill", input: { skill: "pdf" } },
]);
const claudeResult = (more: object) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  ...SESSION,
  ...more,
});
const usage = {
  inputTokens: 200,
  outputTokens: 14,
  cacheReadInputTokens: 80,
  cacheCreationInputTokens: 10,
};

const geminiCall = {
  type: "tool_use",
  tool_name: "activate_skill",
  tool_id: "a1",
  parameters: { name: "pdf" },
};
const copilotStart = {
  type: "tool.execution_start",
  data: { toolCallId: "c1", toolName: "skill", arguments: { skill: "pdf" } },
};
const openCodeRow = (type: string, part: object) => ({ type, sessionID: "ses_1", part });

test.each<[string, readonly object[], boolean | undefined]>([
  [
    "Claude's first row offers the tool",
    [{ ...claudeInit, skills: undefined, tools: ["Bash", "Skill"] }],
    false,
  ],
  ["Claude's first row lists skills", [claudeInit], false],
  [
    "rows like Claude's have another tool for it (Qwen Code)",
    [{ ...claudeInit, skills: undefined, tools: ["skill"] }],
    undefined,
  ],
  ["rows like Claude's say nothing of tools", [], undefined],
])("that no skill was loaded is known or not, where %s", async (_where, first, loaded) => {
  const words = claudeMessage("assistant", [
    { type: "tool_use", id: "t1", name: "skill", input: { name: "pdf" } },
  ]);
  expect(hasLoaded(await factsOf([...first, words]), "pdf")).toBe(loaded);
  expect(hasLoaded(await factsOf([...first, claudeCall]), "pdf")).toBe(true);
});

test("a child's session that OpenCode names may have loaded what its log does not have", async () => {
  const state = { status: "completed", input: {}, output: "done", metadata: { sessionId: "ses_2" } };
  const child = openCodeRow("tool_use", { type: "tool", tool: "task", callID: "1", state });
  const own = openCodeRow("tool_use", {
    type: "tool",
    tool: "skill",
    callID: "2",
    state: { status: "completed", input: { name: "pdf" } },
  });
  expect(hasLoaded(await factsOf([child]), "pdf")).toBeUndefined();
  expect(hasLoaded(await factsOf([child, own]), "pdf")).toBe(true);
});

test.each<[string, object, object]>([
  [
    "a negative number of tokens",
    { input: -423, output: 20, reasoning: 0, cache: { read: 4_000, write: 0 } },
    { cost: 0.1 },
  ],
  ["part of a token", { input: 20.5, output: 20, reasoning: 0 }, { cost: 0.1 }],
  ["a negative cost", { input: 20, output: 20, reasoning: 0 }, { cost: -0.1 }],
])("a figure that cannot be is left out: %s", async (what, tokens, { cost }: { cost?: number }) => {
  const end = openCodeRow("step_finish", { type: "step-finish", reason: "stop", tokens, cost });
  const facts = await factsOf([openCodeRow("text", { type: "text", text: "Done." }), end]);
  const isCost = what === "a negative cost";
  expect([facts.tokens === undefined, facts.cost]).toEqual([!isCost, isCost ? undefined : 0.1]);
});

describe("what a log says of the client", () => {
  test.each<[string, readonly object[], ClientFacts]>([
    [
      "Claude Code: its skills, where one was loaded from, refused tools, tokens with those of the cache, cost and time",
      [
        claudeInit,
        claudeCall,
        claudeMessage("user", [{ type: "tool_result", tool_use_id: "t1", content: "Launching skill: pdf" }]),
        claudeMessage(
          "user",
          [{ type: "text", text: "Base directory for this skill: /w/.claude/skills/pdf\n\n…" }],
          {
            isSynthetic: true,
          },
        ),
        claudeMessage("assistant", [{ type: "text", text: "Done." }]),
        claudeResult({
          result: "Done.",
          total_cost_usd: 0.5,
          duration_ms: 661,
          modelUsage: { a: usage, b: usage },
          permission_denials: [{ tool_name: "Bash", tool_use_id: "t9", tool_input: {} }],
        }),
      ],
      {
        skills: [{ name: "pdf" }, { name: "docs:csv" }, { name: "debug" }],
        skillCalls: [{ name: "pdf", success: true, from: "/w/.claude/skills/pdf" }],
        refused: ["Bash"],
        tokens: { input: 580, output: 28, cached: 160, written: 20 },
        cost: 0.5,
        durationMs: 661,
        version: "2.1.332",
        session: "s",
        isOfSession: true,
      },
    ],
    [
      "Claude Code: a skill that it does not have, and a run that it ended",
      [
        claudeInit,
        claudeCall,
        claudeMessage("user", [
          { type: "tool_result", tool_use_id: "t1", content: "Unknown skill: pdf", is_error: true },
        ]),
        claudeResult({ subtype: "error_max_turns", is_error: true, permission_denials: [] }),
      ],
      {
        skills: [{ name: "pdf" }, { name: "docs:csv" }, { name: "debug" }],
        skillCalls: [{ name: "pdf", success: false, error: "Unknown skill: pdf" }],
        refused: [],
        endedBy: "error_max_turns",
        version: "2.1.332",
        session: "s",
        isOfSession: true,
      },
    ],
    [
      "Codex: tokens",
      [
        { type: "thread.started", thread_id: "t" },
        { type: "item.completed", item: { id: "i", type: "agent_message", text: "Done." } },
        { type: "turn.completed", usage: { input_tokens: 280, cached_input_tokens: 80, output_tokens: 18 } },
      ],
      { isOfSession: true, tokens: { input: 280, output: 18, cached: 80 } },
    ],
    [
      "Gemini CLI: the folder in the call's result, tokens and time",
      [
        { type: "init", session_id: "s", model: "auto" },
        geminiCall,
        {
          type: "tool_result",
          tool_id: "a1",
          status: "success",
          output: "Skill **pdf** activated. Resources loaded from `/w/.agents/skills/pdf`:\n\n…",
        },
        {
          type: "result",
          status: "success",
          stats: { input_tokens: 420, output_tokens: 27, cached: 120, input: 300, duration_ms: 213 },
        },
      ],
      {
        skillCalls: [{ name: "pdf", success: true, from: "/w/.agents/skills/pdf" }],
        tokens: { input: 420, output: 27, cached: 120 },
        durationMs: 213,
      },
    ],
    [
      "Copilot, printed: its skills, each with its file, and a call without a row of its own",
      [
        {
          type: "session.skills_loaded",
          data: { skills: [{ name: "pdf", source: "project", path: "/w/pdf/SKILL.md" }] },
        },
        copilotStart,
        {
          type: "tool.execution_complete",
          data: { toolCallId: "c1", success: true, result: { content: "loaded" } },
        },
        { type: "tool.execution_start", data: { toolCallId: "c2", toolName: "bash", arguments: {} } },
        {
          type: "tool.execution_complete",
          data: { toolCallId: "c2", success: false, error: { code: "denied" } },
        },
        { type: "result", exitCode: 0, usage: { sessionDurationMs: 1622 } },
      ],
      {
        skills: [{ name: "pdf", from: "/w/pdf/SKILL.md" }],
        skillCalls: [{ name: "pdf", success: true, from: "/w/pdf/SKILL.md" }],
        refused: ["bash"],
        durationMs: 1622,
      },
    ],
    [
      "Copilot, kept: one load for the call and its row, tokens at the end, the version",
      [
        { type: "session.start", data: { sessionId: "s", copilotVersion: "1.0.102" } },
        copilotStart,
        {
          type: "tool.execution_complete",
          data: { toolCallId: "c1", success: true, result: { content: "loaded" } },
        },
        { type: "skill.invoked", data: { name: "pdf" } },
        {
          type: "session.shutdown",
          data: {
            modelMetrics: {
              m: { usage: { inputTokens: 280, outputTokens: 18, cacheReadTokens: 80, cacheWriteTokens: 0 } },
            },
          },
        },
      ],
      {
        skillCalls: [{ name: "pdf", success: true }],
        refused: [],
        tokens: { input: 280, output: 18, cached: 80, written: 0 },
        version: "1.0.102",
      },
    ],
    [
      "OpenCode: the folder of the call, tokens and cost of all steps",
      [
        openCodeRow("tool_use", {
          type: "tool",
          tool: "skill",
          callID: "c1",
          state: {
            status: "completed",
            input: { name: "pdf" },
            output: "…",
            metadata: { name: "pdf", dir: "/w/.agents/skills/pdf" },
          },
        }),
        ...[1, 2].map(() =>
          openCodeRow("step_finish", {
            type: "step-finish",
            reason: "stop",
            cost: 0.25,
            tokens: { input: 100, output: 9, reasoning: 1, cache: { read: 40, write: 0 } },
          }),
        ),
      ],
      {
        skillCalls: [{ name: "pdf", success: true, from: "/w/.agents/skills/pdf" }],
        tokens: { input: 280, output: 20, cached: 80, written: 0 },
        cost: 0.5,
      },
    ],
    [
      "OpenCode: a skill that it does not have",
      [
        openCodeRow("tool_use", {
          type: "tool",
          tool: "skill",
          callID: "c1",
          state: { status: "error", input: { name: "pdf" }, error: 'Skill "pdf" not found.' },
        }),
        openCodeRow("step_finish", { type: "step-finish", reason: "stop" }),
      ],
      { skillCalls: [{ name: "pdf", success: false, error: 'Skill "pdf" not found.' }] },
    ],
  ])("%s", async (_case, rows, facts) => {
    expect(await factsOf(rows)).toEqual(facts);
  });

  test("the results of waza: denials, tokens and time", async () => {
    const run = {
      run_number: 1,
      final_output: "Done.",
      duration_ms: 1_200,
      session_digest: {
        usage: { input_tokens: 280, output_tokens: 18, cache_read_tokens: 80 },
        tool_policy_denials: [{ tool: "bash", kind: "shell", reason: "not in the list" }],
      },
    };
    const { runs } = await read(
      { "r.json": { tasks: [{ test_id: "pdf", runs: [run] }] } },
      { tasks: { pdf: "Make a PDF." } },
    );
    expect(runs[0]?.client).toEqual({
      refused: ["bash"],
      tokens: { input: 280, output: 18, cached: 80, written: 0 },
      durationMs: 1_200,
    });
  });
});

test.each<[string, ClientFacts, boolean | undefined, boolean | undefined]>([
  [
    "offered and loaded",
    { skills: [{ name: "pdf" }], skillCalls: [{ name: "pdf", success: true }] },
    true,
    true,
  ],
  ["of a plugin", { skills: [{ name: "docs:pdf" }], skillCalls: [{ name: "docs:pdf" }] }, true, true],
  ["called for in vain", { skills: [], skillCalls: [{ name: "pdf", success: false }] }, false, false],
  ["not called for", { skills: [{ name: "pdf" }], skillCalls: [{ name: "csv" }] }, true, false],
  ["called for, without a result yet", { skillCalls: [{ name: "pdf" }] }, undefined, true],
  ["not said", {}, undefined, undefined],
])("a skill is %s", (_case, facts, offered, loaded) => {
  expect([hasSkill(facts, "pdf"), hasLoaded(facts, "pdf")]).toEqual([offered, loaded]);
});

/** What the client wrote when a server on 127.0.0.1 refused each request, or was not there. */
test.each<[string, string, string | undefined]>([
  [
    "Claude Code, not signed in",
    `{"type":"assistant","message":{"model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"Not logged in · Please run /login"}]},"error":"authentication_failed","session_id":"s"}
{"type":"result","subtype":"success","is_error":true,"api_error_status":null,"result":"Not logged in · Please run /login","session_id":"s","modelUsage":{}}`,
    "refused",
  ],
  [
    "Claude Code, a key that is refused, while it still tries",
    `{"type":"system","subtype":"init","session_id":"s"}
{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":401,"error":"authentication_failed","session_id":"s"}`,
    "refused",
  ],
  [
    "Claude Code, an empty account",
    '{"type":"result","subtype":"success","is_error":true,"api_error_status":402,"result":"Credit balance is too low","session_id":"s","modelUsage":{}}',
    "refused",
  ],
  [
    "Claude Code, no network",
    `{"type":"system","subtype":"api_retry","attempt":1,"error_status":null,"error":"unknown","session_id":"s"}
{"type":"result","subtype":"success","is_error":true,"api_error_status":null,"result":"API Error: Connection error.","session_id":"s","modelUsage":{}}`,
    "busy",
  ],
  [
    "Claude Code, a command that there is not",
    '{"type":"result","subtype":"success","is_error":false,"result":"Unknown command: /x","session_id":"s","modelUsage":{}}',
    undefined,
  ],
  [
    "Codex, a key that is refused",
    `{"type":"error","message":"Reconnecting... 5/5 (unexpected status 401 Unauthorized: -)"}
{"type":"error","message":"unexpected status 401 Unauthorized: -"}
{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: -"}}`,
    "refused",
  ],
  [
    "Codex, a model that there is not",
    `{"type":"error","message":"Reconnecting... 5/5 (unexpected status 404 Not Found: -)"}
{"type":"error","message":"The model does not exist"}
{"type":"turn.failed","error":{"message":"The model does not exist"}}`,
    undefined,
  ],
  [
    "Codex, limits",
    '{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}',
    "busy",
  ],
  [
    "Codex, no network",
    `{"type":"error","message":"Reconnecting... 4/5 (stream disconnected before completion)"}
{"type":"error","message":"Reconnecting... 5/5 (stream disconnected before completion)"}
{"type":"turn.failed","error":{"message":"stream disconnected before completion"}}`,
    "busy",
  ],
  [
    "Codex, an empty account",
    '{"type":"turn.failed","error":{"message":"Quota exceeded. Check your plan and billing details."}}',
    undefined,
  ],
  [
    "Copilot, a key that is refused",
    '{"type":"session.error","data":{"errorType":"authentication","message":"Authentication failed","statusCode":401}}',
    "refused",
  ],
  [
    "Copilot, no network",
    `{"type":"model.call_failure","data":{"model":"m1"}}
{"type":"session.error","data":{"errorType":"query","message":"fetch failed"}}`,
    "busy",
  ],
  [
    "OpenCode, an empty account",
    '{"type":"error","sessionID":"s","error":{"name":"APIError","data":{"message":"no credit","statusCode":402,"isRetryable":false}}}',
    "refused",
  ],
  [
    "OpenCode, load",
    '{"type":"error","sessionID":"s","error":{"name":"APIError","data":{"message":"-","statusCode":529,"isRetryable":true}}}',
    "busy",
  ],
])("why the provider did not answer: %s", (_case, log, outage) => {
  const rows = log.split("\n").map(jsonOf) as object[];
  const format = SESSIONS.find(({ detect }) => rows.some(detect));
  expect(format?.read(rows).outage).toBe(outage);
});
