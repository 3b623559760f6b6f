/* Real sessions of the newest clients on a model of ours, and what the same runs printed: what each is read as, file by file. */
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import {
  begun,
  ended,
  fixtureAt,
  jsonLines,
  loaded,
  read,
  said,
  saidText,
  taskOf,
} from "../support/outputs.ts";
import { suiteOf } from "../support/factories.ts";
import { expectSaid } from "../support/problems.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";
import { hasLoaded, type ClientFacts, type Step } from "../../src/domain/run.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";

afterAll(removeTemporaryFolders);

const SKILL = `---
name: csv-clean
description: Cleans CSV files of empty rows. Use when a CSV has empty rows.
---
SKILLBODY-7: drop the empty rows, keep the order.
`;

/** The run of a log beside the skill of its project, and the problems. */
async function readReal(name: string, prompt = "Something else.") {
  const workspace = writeProject({
    "skills/csv-clean/SKILL.md": SKILL,
    "logs/rich.jsonl": fixtureAt(`session8/${name}`),
  });
  const tested = { name: "csv-clean", folder: join(workspace, "skills/csv-clean") };
  const suites = [suiteOf({ tasks: [taskOf("rich", prompt)], skill: "csv-clean", tested })];
  const { files, problems } = await readOutputs({ patterns: ["logs/*"], workspace, suites });
  return { run: files[0]?.results.runs[0], model: files[0]?.results.model, problems };
}

/** A step in a line: a call with `+` where it succeeded, `-` where it failed, and the end of its result. */
function lineOf(step: Step): string {
  if (step.kind !== "tool") return `${step.kind}: ${step.text}`;
  const outcome = step.success === undefined ? "?" : step.success ? "+" : "-";
  const by = step.subAgent === undefined ? "" : `[${step.subAgent}] `;
  return `${by}${step.name}${outcome} ${(step.result ?? "(not recorded)").trim().slice(-36)}`.trim();
}

test.each<
  [string, readonly string[], Partial<ClientFacts> & { readonly model?: string }, (readonly string[])?]
>([
  [
    "claude-code-2.1.332.denied.printed.jsonl",
    [
      "Write- txt, but you haven't granted it yet.",
      "Write- txt, but you haven't granted it yet.",
      "Skill+ Launching skill: csv-clean",
      "assistant: DONE-denied",
    ],
    {
      model: "claude-opus-5-5",
      skillCalls: [{ name: "csv-clean", success: true, from: "/project/.claude/skills/csv-clean" }],
      refused: ["Write", "Write"],
      tokens: { input: 600, output: 80, cached: 200, written: 0 },
      cost: 0.0032400000000000003,
    },
  ],
  [
    "claude-code-2.1.332.jsonl",
    [
      "user: RICH: Clean in.csv of its empty rows and say which rows are left.",
      "assistant: I look first.",
      "Read+ 1\ta\n2\t\n3\tb\n4\t\n5\tc\n6",
      "Bash+ in.csv\npic.png",
      "Bash+ 3:b",
      "Write+ r context — no need to Read it back)",
      "Edit+ r context — no need to Read it back)",
      "assistant: One that fails.",
      "Bash- Exit code 3\nBROKEN-OUT",
      "Write- txt, but you haven't granted it yet.",
      "nosuch_tool- ilable: nosuch_tool</tool_use_error>",
      "Skill+ Launching skill: csv-clean",
      "assistant: I ask a helper.",
      "Agent+ CHILDREPORT",
      "assistant: FINAL-1: rows a, b and c are left.",
      "assistant: FINAL-1: rows a, b and c are left.",
      "user: SECOND: and how many?",
      "assistant: I count.",
      "Bash+ 3 o.csv",
      "assistant: FINAL-2: three rows.",
    ],
    {
      model: "claude-opus-5-5",
      skillCalls: [{ name: "csv-clean", success: true, from: "/project/.claude/skills/csv-clean" }],
      hasUnseenSession: true,
    },
    ["warning sub-agents-not-logged"],
  ],
  [
    "claude-code-2.1.332.printed-2.jsonl",
    ["assistant: I count.", "Bash+ 3 o.csv", "assistant: FINAL-2: three rows."],
    {
      model: "claude-opus-5-5",
      skillCalls: [],
      refused: [],
      tokens: { input: 2100, output: 280, cached: 700, written: 0 },
      cost: 0.011340000000000001,
    },
  ],
  [
    "claude-code-2.1.332.printed.jsonl",
    [
      "assistant: I look first.",
      "Read+ 1\ta\n2\t\n3\tb\n4\t\n5\tc\n6",
      "Bash+ in.csv\npic.png",
      "Bash+ 3:b",
      "Write+ r context — no need to Read it back)",
      "Edit+ r context — no need to Read it back)",
      "assistant: One that fails.",
      "Bash- Exit code 3\nBROKEN-OUT",
      "Write- txt, but you haven't granted it yet.",
      "nosuch_tool- ilable: nosuch_tool</tool_use_error>",
      "Skill+ Launching skill: csv-clean",
      "assistant: I ask a helper.",
      "Agent+ CHILDREPORT",
      "assistant: FINAL-1: rows a, b and c are left.",
      "[sub] Bash+ CHILDTOOL",
      "assistant: FINAL-1: rows a, b and c are left.",
    ],
    {
      model: "claude-opus-5-5",
      skillCalls: [{ name: "csv-clean", success: true, from: "/project/.claude/skills/csv-clean" }],
      refused: ["Write"],
      tokens: { input: 1800, output: 240, cached: 600, written: 0 },
      cost: 0.009720000000000001,
    },
  ],
  [
    "claude-code-2.1.332.refusal.printed.jsonl",
    [
      "assistant: API Error: Opus 5.5's safeguards flagged this message (https://www.anthropic.com/legal/aup). This sometimes happens with safe, normal conversations. Claude Code can't respond to this message with Opus 5.5.\n\nTry rephrasing the request in a new session or change your model.\n\nLearn more: https://support.claude.com/en/articles/8106465\n\nMessage ID: msg_42",
    ],
    { model: "claude-opus-5-5", skillCalls: [] },
  ],
  [
    "claude-code-2.1.332.slash.jsonl",
    [
      "user: /csv-clean SLASHED clean in.csv",
      "skill: csv-clean",
      "assistant: By the skill.",
      "Bash+ SLASHCALL",
      "assistant: DONE-slash",
    ],
    { model: "claude-opus-5-5", skillCalls: [{ name: "csv-clean", success: true, by: "prompt" }] },
  ],
  [
    "claude-code-2.1.332.slash.printed.jsonl",
    ["assistant: By the skill.", "Bash+ SLASHCALL", "assistant: DONE-slash"],
    {
      model: "claude-opus-5-5",
      skillCalls: [],
      refused: [],
      tokens: { input: 300, output: 40, cached: 100, written: 0 },
      cost: 0.0016200000000000001,
    },
  ],
  [
    "codex-0.171.0.jsonl",
    [
      "user: RICH: Clean in.csv of its empty rows and say which rows are left.",
      "assistant: I look first.",
      'exec+ n_count":2,"output":"a\\n\\nb\\n\\nc\\n"}',
      'exec+ unt":4,"output":"in.csv\\npic.png\\n"}',
      'exec+ nal_token_count":1,"output":"3:b\\n"}',
      'exec+ original_token_count":0,"output":""}',
      'exec+ original_token_count":0,"output":""}',
      "assistant: One that fails.",
      'exec- en_count":3,"output":"BROKEN-OUT\\n"}',
      'exec- tside.txt: Read-only file system\\n"}',
      "nosuch_tool- unsupported call: nosuch_tool",
      'exec-  the empty rows, keep the order.\\n"}',
      "assistant: I ask a helper.",
      'spawn_agent? {"task_name":"/root/sub"}',
      'wait_agent? nimum of 10000ms.","timed_out":true}',
      "assistant: FINAL-1: rows a, b and c are left.",
      "user: SECOND: and how many?",
      "assistant: I count.",
      'exec+ token_count":2,"output":"4 o.csv\\n"}',
      "assistant: FINAL-2: three rows.",
    ],
    {
      model: "gpt-6.2-sol",
      skillCalls: [{ name: "csv-clean", success: true, by: "file" }],
      hasUnseenSession: true,
    },
    ["warning sub-agents-not-logged"],
  ],
  [
    "codex-0.171.0.printed-2.jsonl",
    ["assistant: I count.", "command_execution+ 4 o.csv", "assistant: FINAL-2: three rows."],
    { tokens: { input: 1200, output: 240, cached: 600 } },
  ],
  [
    "codex-0.171.0.printed.jsonl",
    [
      "assistant: I look first.",
      "command_execution+ a\n\nb\n\nc",
      "command_execution+ in.csv\npic.png",
      "command_execution+ 3:b",
      "command_execution+",
      "command_execution+",
      "assistant: One that fails.",
      "command_execution- BROKEN-OUT",
      "command_execution- drop the empty rows, keep the order.",
      "assistant: I ask a helper.",
      "collab_tool_call+ completed",
      "assistant: FINAL-1: rows a, b and c are left.",
    ],
    {
      skillCalls: [{ name: "csv-clean", success: true, by: "file" }],
      tokens: { input: 1000, output: 200, cached: 500 },
    },
  ],
  [
    "codex-0.171.0.slash.jsonl",
    [
      "user: $csv-clean SLASHED clean in.csv",
      "skill: csv-clean",
      "assistant: By the skill.",
      'exec+ ken_count":3,"output":"SLASHCALL\\n"}',
      "assistant: DONE-slash",
    ],
    { model: "gpt-6.2-sol", skillCalls: [{ name: "csv-clean", success: true, by: "prompt" }] },
  ],
  [
    "codex-0.171.0.slash.printed.jsonl",
    ["assistant: By the skill.", "command_execution+ SLASHCALL", "assistant: DONE-slash"],
    { tokens: { input: 200, output: 40, cached: 100 } },
  ],
  [
    "gemini-0.61.0.jsonl",
    [
      "user: RICH: Clean in.csv of its empty rows and say which rows are left.",
      "assistant: I look first.",
      "read_file+ a\n\nb\n\nc",
      "run_shell_command+ oup PGID: 31387\n</untrusted_context>",
      "grep_search+ empty rows, keep the order.\nL6- \n---",
      "write_file+ e is the updated code:\na\nb\nWRITTEN-1",
      "replace+ ts). Here is the updated code:\na\nb\nc",
      "assistant: One that fails.",
      "run_shell_command+ oup PGID: 31394\n</untrusted_context>",
      "read_file- mp directory: /home/.gemini/tmp/work",
      'nosuch_tool- "update_topic", "read_file", "glob"?',
      "activate_skill+ ilable_resources>\n</activated_skill>",
      "assistant: I ask a helper.",
      'invoke_agent+ ult:\n{\n  "response": "CHILDREPORT"\n}',
      "assistant: FINAL-1: rows a, b and c are left.",
      "user: SECOND: and how many?",
      "assistant: I count.",
      "run_shell_command+ oup PGID: 31429\n</untrusted_context>",
      "assistant: FINAL-2: three rows.",
    ],
    { model: "gemini-3.8-flash", skillCalls: [{ name: "csv-clean", success: true }], hasUnseenSession: true },
    ["warning sub-agents-not-logged"],
  ],
  [
    "gemini-0.61.0.midterm.jsonl",
    ["user: MIDCALL please.", "assistant: Before."],
    { model: "gemini-3.8-flash", skillCalls: [] },
  ],
  [
    "gemini-0.61.0.midterm.printed.jsonl",
    ["user: MIDCALL please.", "assistant: Before.", "run_shell_command? (not recorded)"],
    { model: "auto", skillCalls: [] },
    ["warning interrupted-session"],
  ],
  [
    "gemini-0.61.0.printed-2.jsonl",
    [
      "user: SECOND: and how many?",
      "assistant: I count.",
      "run_shell_command+ 3 o.csv",
      "assistant: FINAL-2: three rows.",
    ],
    { model: "auto", skillCalls: [], tokens: { input: 300, output: 60, cached: 150 } },
  ],
  [
    "gemini-0.61.0.printed.jsonl",
    [
      "user: RICH: Clean in.csv of its empty rows and say which rows are left.",
      "assistant: I look first.",
      "read_file+",
      "run_shell_command+ in.csv\npic.png",
      "grep_search+ (not recorded)",
      "write_file+ (not recorded)",
      "replace+ (not recorded)",
      "assistant: One that fails.",
      "run_shell_command+ BROKEN-OUT",
      "read_file- mp directory: /home/.gemini/tmp/work",
      'nosuch_tool- "update_topic", "read_file", "glob"?',
      "activate_skill+ gents/skills/csv-clean/\n└───SKILL.md",
      "assistant: I ask a helper.",
      "invoke_agent+ (not recorded)",
      "assistant: FINAL-1: rows a, b and c are left.",
    ],
    {
      model: "auto",
      skillCalls: [{ name: "csv-clean", success: true, from: "/project/.agents/skills/csv-clean" }],
      tokens: { input: 1300, output: 260, cached: 650 },
    },
  ],
  [
    "copilot-1.0.102.jsonl",
    [
      "user: RICH: Clean in.csv of its empty rows and say which rows are left.",
      "assistant: I look first.",
      "view+ a\n\nb\n\nc",
      "bash+ ellId: 0 completed with exit code 0>",
      "grep+ in.csv:b",
      "create+ le /project/o.csv with 14 characters",
      "edit+ /project/o.csv updated with changes.",
      "assistant: One that fails.",
      "bash- ellId: 1 completed with exit code 3>",
      "create- at does not require this permission.",
      "nosuch_tool- Tool 'nosuch_tool' does not exist.",
      "skill+ e instructions in the skill context.",
      "skill: csv-clean",
      "assistant: I ask a helper.",
      "task+ CHILDREPORT",
      "[sub] bash+ ellId: 2 completed with exit code 0>",
      "assistant: FINAL-1: rows a, b and c are left.",
      "user: SECOND: and how many?",
      "assistant: I count.",
      "bash+ ellId: 0 completed with exit code 0>",
      "assistant: FINAL-2: three rows.",
    ],
    {
      model: "stub-1",
      skillCalls: [{ name: "csv-clean", success: true }],
      refused: ["create"],
      tokens: { input: 1300, output: 260, cached: 650, written: 0 },
    },
  ],
  [
    "copilot-1.0.102.midkill.jsonl",
    ["user: MIDCALL please.", "assistant: Before.", "bash? (not recorded)"],
    {
      model: "stub-1",
      skillCalls: [],
      refused: [],
      tokens: { input: 100, output: 20, cached: 50, written: 0 },
    },
    ["warning interrupted-session"],
  ],
  [
    "copilot-1.0.102.midkill.printed.jsonl",
    ["user: MIDCALL please.", "assistant: Before.", "bash? (not recorded)"],
    { model: "stub-1", skillCalls: [], refused: [] },
    ["warning interrupted-session"],
  ],
  [
    "copilot-1.0.102.printed-2.jsonl",
    [
      "user: SECOND: and how many?",
      "assistant: I count.",
      "bash+ ellId: 0 completed with exit code 0>",
      "assistant: FINAL-2: three rows.",
    ],
    { model: "stub-1", skillCalls: [], refused: [] },
  ],
  [
    "copilot-1.0.102.printed.jsonl",
    [
      "user: RICH: Clean in.csv of its empty rows and say which rows are left.",
      "assistant: I look first.",
      "view+ a\n\nb\n\nc",
      "bash+ ellId: 0 completed with exit code 0>",
      "grep+ in.csv:b",
      "create+ le /project/o.csv with 14 characters",
      "edit+ /project/o.csv updated with changes.",
      "assistant: One that fails.",
      "bash- ellId: 1 completed with exit code 3>",
      "create- at does not require this permission.",
      "nosuch_tool- Tool 'nosuch_tool' does not exist.",
      "skill+ e instructions in the skill context.",
      "assistant: I ask a helper.",
      "task+ CHILDREPORT",
      "[sub] bash+ ellId: 2 completed with exit code 0>",
      "assistant: FINAL-1: rows a, b and c are left.",
    ],
    {
      model: "stub-1",
      skillCalls: [{ name: "csv-clean", success: true, from: "/project/.agents/skills/csv-clean/SKILL.md" }],
      refused: ["create"],
    },
  ],
  [
    "opencode-1.18.33.json",
    [
      "user: RICH: Clean in.csv of its empty rows and say which rows are left.",
      "assistant: I look first.",
      "read+  of file - total 5 lines)\n</content>",
      "bash+ in.csv\npic.png",
      "grep+ matches\n/project/in.csv:\n  Line 3: b",
      "write+ Wrote file successfully.",
      "edit+ Edit applied successfully.",
      "assistant: One that fails.",
      "bash+ BROKEN-OUT",
      "read- g this specific tool c … (shortened)",
      "invalid+ l, task, todowrite, webfetch, write.",
      "skill+ es>\n\n</skill_files>\n</skill_content>",
      "assistant: I ask a helper.",
      "task+ >\nCHILDREPORT\n</task_result>\n</task>",
      "assistant: FINAL-1: rows a, b and c are left.",
      "user: SECOND: and how many?",
      "assistant: I count.",
      "bash+ 3 o.csv",
      "assistant: FINAL-2: three rows.",
    ],
    {
      model: "stub-1",
      skillCalls: [{ name: "csv-clean", success: true, from: "/project/.agents/skills/csv-clean" }],
      tokens: { input: 1100, output: 220, cached: 550, written: 0 },
      hasUnseenSession: true,
    },
    ["warning sub-agents-not-logged"],
  ],
  [
    "opencode-1.18.33.printed-2.jsonl",
    ["assistant: I count.", "bash+ 3 o.csv", "assistant: FINAL-2: three rows."],
    { skillCalls: [], tokens: { input: 200, output: 40, cached: 100, written: 0 } },
  ],
  [
    "opencode-1.18.33.printed.jsonl",
    [
      "assistant: I look first.",
      "read+  of file - total 5 lines)\n</content>",
      "bash+ in.csv\npic.png",
      "grep+ matches\n/project/in.csv:\n  Line 3: b",
      "write+ Wrote file successfully.",
      "edit+ Edit applied successfully.",
      "assistant: One that fails.",
      "bash+ BROKEN-OUT",
      "invalid+ l, task, todowrite, webfetch, write.",
      "read- g this specific tool c … (shortened)",
      "skill+ es>\n\n</skill_files>\n</skill_content>",
      "assistant: I ask a helper.",
      "task+ >\nCHILDREPORT\n</task_result>\n</task>",
      "assistant: FINAL-1: rows a, b and c are left.",
    ],
    {
      skillCalls: [{ name: "csv-clean", success: true, from: "/project/.agents/skills/csv-clean" }],
      tokens: { input: 900, output: 180, cached: 450, written: 0 },
      hasUnseenSession: true,
    },
    ["warning sub-agents-not-logged"],
  ],
])("%s", async (name, steps, { model, ...facts }, told = []) => {
  const found = await readReal(name);
  expect(found.run?.steps.map(lineOf)).toEqual(steps);
  expect(found.run?.client).toMatchObject(facts);
  if (model !== undefined) expect(found.model).toBe(model);
  expectSaid(found.problems, told);
});

test.each([
  "claude-code-2.1.332.subagent.jsonl",
  "codex-0.171.0.subagent.jsonl",
  "gemini-0.61.0.subagent.jsonl",
])("%s is a sub-agent's: no run of its own", async (name) => {
  const { run, problems } = await readReal(name);
  expect(run).toBeUndefined();
  expectSaid(problems, ["notice sub-agent-session"]);
});

/* Which skill was loaded, by each way there is. */

test.each<[string, string, string, string | undefined]>([
  ["Claude Code's tool", "claude-code-2.1.332.printed.jsonl", "Clean in.csv.", undefined],
  [
    "Claude Code's command, which is printed nowhere",
    "claude-code-2.1.332.slash.printed.jsonl",
    "/csv-clean in.csv",
    "prompt",
  ],
  ["a shell of Codex that shows the file", "codex-0.171.0.printed.jsonl", "Clean in.csv.", "file"],
  ["a name in the words to Codex", "codex-0.171.0.slash.jsonl", "$csv-clean in.csv", "prompt"],
])("%s loads the skill", async (_case, name, prompt, by) => {
  const { run } = await readReal(name, prompt);
  expect(run?.client?.skillCalls).toMatchObject([{ name: "csv-clean", success: true, ...(by && { by }) }]);
  expect(hasLoaded(run?.client ?? {}, "csv-clean")).toBe(true);
});

const READS = "cat .claude/skills/csv-clean/SKILL.md";
const BODY = "SKILLBODY-7: drop the empty rows, keep the order.";

test.each<[string, string, string, boolean]>([
  ["a read of the whole file", READS, SKILL, true],
  [
    "a read from the fifth line, with numbers",
    "sed -n 5p .claude/skills/csv-clean/SKILL.md | nl",
    `     5\t${BODY}`,
    true,
  ],
  ["a read from inside its folder", "cd .claude/skills/csv-clean && tail -1 SKILL.md", BODY, true],
  ["a read of the front matter alone", `head -3 ${READS}`, SKILL.slice(0, 100), false],
  ["a list of the folder", "ls -l .claude/skills/csv-clean/SKILL.md", "-rw-r--r-- 1 a a 150 SKILL.md", false],
  ["a count of its words", "wc .claude/skills/csv-clean/SKILL.md", "  5  27 150 SKILL.md", false],
  ["a write of the same line", `echo "${BODY}" | tee .claude/skills/csv-clean/SKILL.md`, BODY, false],
  ["another skill's file of the same line", "cat .claude/skills/other/SKILL.md", BODY, false],
])("%s: loaded or not, by a line of the skill's text", async (_case, command, result, isLoaded) => {
  const workspace = writeProject({
    "skills/csv-clean/SKILL.md": SKILL,
    "logs/t.jsonl": jsonLines(
      begun({ skills: [] }),
      said({ type: "tool_use", id: "1", name: "Bash", input: { command } }),
      loaded(result),
      saidText("Done."),
      ended(),
    ),
  });
  const tested = { name: "csv-clean", folder: join(workspace, "skills/csv-clean") };
  const suites = [suiteOf({ tasks: [taskOf("t")], skill: "csv-clean", tested })];
  const { files } = await readOutputs({ patterns: ["logs/*"], workspace, suites });
  expect(hasLoaded(files[0]?.results.runs[0]?.client ?? {}, "csv-clean")).toBe(isLoaded);
});

test("a command that the client does not know loads nothing", async () => {
  const rows = [begun({ skills: ["other"] }), saidText("Unknown command: /csv-clean"), ended()];
  const { runs } = await read({ "t.jsonl": jsonLines(...rows) }, { tasks: { t: "/csv-clean in.csv" } });
  expect(runs[0]?.client?.skillCalls).toEqual([]);
});

test("a kept session of Claude Code that was rewound has what was kept, and no prompt that was left", async () => {
  const row = (uuid: string, parentUuid: string | null, words: string, type = "user") => ({
    ...{ type, uuid, parentUuid, sessionId: "s", isSidechain: false },
    message: { role: type, content: words },
  });
  const rows = [
    row("1", null, "Say one."),
    row("2", "1", "One.", "assistant"),
    row("3", "2", "Say two."),
    row("4", "3", "Two.", "assistant"),
    row("5", "2", "Say three."),
    row("6", "5", "Three.", "assistant"),
  ];
  const linesOf = async (...all: readonly object[]) => {
    const { runs } = await read({ "t.jsonl": jsonLines(...all) }, { tasks: { t: "Say one." } });
    return runs[0]?.steps.map(lineOf);
  };
  const kept = ["user: Say one.", "assistant: One.", "user: Say three.", "assistant: Three."];
  expect(await linesOf(...rows)).toEqual(kept);
  // To its beginning; what was before a summary stays.
  const [first, , , , , last] = rows;
  expect(await linesOf(first ?? {}, row("5", null, "Say three."), last ?? {})).toEqual(kept.slice(2));
  const summary = { ...row("5", null, "What was said."), isCompactSummary: true };
  expect(await linesOf(first ?? {}, summary, last ?? {})).toEqual(["user: Say one.", "assistant: Three."]);
});
