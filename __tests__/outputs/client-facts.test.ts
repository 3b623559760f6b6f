import { afterAll, describe, expect, test } from "@jest/globals";
import { fixtureAt, jsonLines, read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";
import { type ClientFacts, hasLoaded, hasSkill } from "../../src/domain/run.ts";
import { SESSIONS } from "../../src/outputs/file-formats.ts";
import { jsonOf } from "../../src/text/format.ts";

afterAll(removeTemporaryFolders);

async function factsOf(log: string | readonly object[]): Promise<ClientFacts> {
  const text = typeof log === "string" ? log : jsonLines(...log);
  const { runs } = await read({ "pdf.jsonl": text }, { tasks: { pdf: "Make a PDF." } });
  return runs[0]?.client ?? {};
}

const INIT = { type: "system", subtype: "init", session_id: "s" };
const calls = (name: string, input: object) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "tool_use", id: "t1", name, input }] },
  session_id: "s",
});
const openCodeRow = (type: string, part: object) => ({ type, sessionID: "ses_1", part });

test.each<[string, readonly object[], boolean | undefined]>([
  ["Claude's first row offers the tool", [{ ...INIT, tools: ["Bash", "Skill"] }], false],
  ["Claude's first row lists skills", [{ ...INIT, skills: ["pdf", "docs:csv"] }], false],
  ["rows like Claude's have another tool for it (Qwen Code)", [{ ...INIT, tools: ["skill"] }], undefined],
  ["rows like Claude's say nothing of tools", [], undefined],
])("that no skill was loaded is known or not, where %s", async (_where, first, loaded) => {
  expect(hasLoaded(await factsOf([...first, calls("skill", { name: "pdf" })]), "pdf")).toBe(loaded);
  expect(hasLoaded(await factsOf([...first, calls("Skill", { skill: "pdf" })]), "pdf")).toBe(true);
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
  const skills = [{ name: "pdf" }, { name: "docs:csv" }, { name: "debug" }];
  const claude = { skills, version: "2.1.332", session: "s", isOfSession: true as const };

  test.each<[string, string, ClientFacts]>([
    [
      "Claude Code: its skills, where one was loaded from, refused tools, tokens with those of the cache, cost and time",
      "claude-code.jsonl",
      {
        ...claude,
        skillCalls: [{ name: "pdf", success: true, from: "/w/.claude/skills/pdf" }],
        refused: ["Bash"],
        tokens: { input: 580, output: 28, cached: 160, written: 20 },
        cost: 0.5,
        durationMs: 661,
      },
    ],
    [
      "Claude Code: a skill that it does not have, and a run that it ended",
      "claude-code-no-skill.jsonl",
      {
        ...claude,
        skillCalls: [{ name: "pdf", success: false, error: "Unknown skill: pdf" }],
        refused: [],
        endedBy: "error_max_turns",
      },
    ],
    ["Codex: tokens", "codex.jsonl", { isOfSession: true, tokens: { input: 280, output: 18, cached: 80 } }],
    [
      "Gemini CLI: the folder in the call's result, tokens and time",
      "gemini.jsonl",
      {
        skillCalls: [{ name: "pdf", success: true, from: "/w/.agents/skills/pdf" }],
        tokens: { input: 420, output: 27, cached: 120 },
        durationMs: 213,
      },
    ],
    [
      "Copilot, printed: its skills, each with its file, and a call without a row of its own",
      "copilot-printed.jsonl",
      {
        skills: [{ name: "pdf", from: "/w/pdf/SKILL.md" }],
        skillCalls: [{ name: "pdf", success: true, from: "/w/pdf/SKILL.md" }],
        refused: ["bash"],
        durationMs: 1622,
      },
    ],
    [
      "Copilot, kept: one load for the call and its row, tokens at the end, the version",
      "copilot-kept.jsonl",
      {
        skillCalls: [{ name: "pdf", success: true }],
        refused: [],
        tokens: { input: 280, output: 18, cached: 80, written: 0 },
        version: "1.0.102",
      },
    ],
    [
      "OpenCode: the folder of the call, tokens and cost of all steps",
      "opencode.jsonl",
      {
        skillCalls: [{ name: "pdf", success: true, from: "/w/.agents/skills/pdf" }],
        tokens: { input: 280, output: 20, cached: 80, written: 0 },
        cost: 0.5,
      },
    ],
    [
      "OpenCode: a skill that it does not have",
      "opencode-no-skill.jsonl",
      { skillCalls: [{ name: "pdf", success: false, error: 'Skill "pdf" not found.' }] },
    ],
  ])("%s", async (_case, name, facts) => {
    expect(await factsOf(fixtureAt(`client-facts/${name}`))).toEqual(facts);
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
  ["Claude Code, not signed in", "claude-code-not-signed-in.jsonl", "refused"],
  ["Claude Code, a key that is refused, while it still tries", "claude-code-key.jsonl", "refused"],
  ["Claude Code, an empty account", "claude-code-empty-account.jsonl", "refused"],
  ["Claude Code, no network", "claude-code-no-network.jsonl", "busy"],
  ["Claude Code, a command that there is not", "claude-code-command.jsonl", undefined],
  ["Codex, a key that is refused", "codex-key.jsonl", "refused"],
  ["Codex, a model that there is not", "codex-model.jsonl", undefined],
  ["Codex, limits", "codex-limits.jsonl", "busy"],
  ["Codex, no network", "codex-no-network.jsonl", "busy"],
  ["Codex, an empty account", "codex-empty-account.jsonl", undefined],
  ["Copilot, a key that is refused", "copilot-key.jsonl", "refused"],
  ["Copilot, no network", "copilot-no-network.jsonl", "busy"],
  ["OpenCode, an empty account", "opencode-empty-account.jsonl", "refused"],
  ["OpenCode, load", "opencode-load.jsonl", "busy"],
])("why the provider did not answer: %s", (_case, name, outage) => {
  const rows = fixtureAt(`outages/${name}`).trimEnd().split("\n").map(jsonOf) as object[];
  const format = SESSIONS.find(({ detect }) => rows.some(detect));
  expect(format?.read(rows).outage).toBe(outage);
});

test.each([
  ["gemini", "The model response was blocked due to safety settings."],
  ["opencode", "The response was blocked by the provider's content filter"],
])("that the model's answer was blocked is the agent's answer, as %s words it", (client, words) => {
  const rows = fixtureAt(`outages/${client}-blocked.jsonl`).trimEnd().split("\n").map(jsonOf) as object[];
  const { events, outage } = SESSIONS.find(({ detect }) => rows.some(detect))?.read(rows) ?? {};
  expect(events?.findLast(({ kind }) => kind === "assistant")).toMatchObject({ text: words });
  expect(outage).toBeUndefined();
});
