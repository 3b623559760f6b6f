/** A program: what reads untrusted text, and how many times more steps each takes for eight times as much, by eight. */
import { countSteps } from "./count-steps.ts";
import { isGit } from "../../src/files/confine.ts";
import { messageOf, parseDuration, shorten } from "../../src/text/format.ts";
import { isHeaderName, quotable, unsendable } from "../../src/inputs/providers.ts";
import { SESSIONS, readerByContent } from "../../src/outputs/file-formats.ts";
import { parseFileJson, parseJsonLines } from "../../src/outputs/content.ts";
import { messages } from "../../src/outputs/formats/messages.ts";
import { textOf } from "../../src/outputs/formats/parts.ts";
import { taskOfName, taskOfPrompt } from "../../src/outputs/layout.ts";
import { textFilesReader } from "../../src/outputs/formats/records.ts";
import { wazaTranscriptReader } from "../../src/outputs/formats/waza.ts";
import { stepsOf } from "../../src/outputs/transcript.ts";
import { resultsOfTrials } from "../../src/outputs/runs.ts";
import { buildAnnotations } from "../../src/report/annotations.ts";
import { renderJunit } from "../../src/report/junit.ts";
import { cutBytes } from "../../src/report/report.ts";
import * as sanitize from "../../src/safety/sanitize.ts";
import { redactor } from "../../src/safety/secrets.ts";
import { renderSummary } from "../../src/report/summary.ts";
import { findQuotes, plainOf } from "../../src/text/quotes.ts";
import { closest } from "../../src/text/suggest.ts";
import { withoutTerminalCodes } from "../../src/text/terminal-codes.ts";
import { parseCsv } from "../../src/evals/csv.ts";
import { escapeGlob } from "../../src/files/find.ts";
import { readYamlText } from "../../src/evals/yaml.ts";
import { times } from "./factories.ts";
import { gradeOf, reportOf, verdictOf } from "./grades.ts";
import { reportWith } from "./hostile-report.ts";
import { findWorkspaces } from "../../src/plan/workspaces.ts";

/** V8 counts to 2^31: a loop in a loop over eight times as many characters, in some texts at once, stays below. */
const SIZE = 250;
const GROUP = 15;
const SECRETS = ["sk-0123456789abcdef/+=", "aaaaaaaaaaaaaaaab", "ghs_ABCDEFGHIJKLMNOP"];

/** Texts that start or continue a match of some pattern, to be repeated without ever completing it. */
const UNITS = [
  ...[" ", "\t", "\n", " \n", "\r", "\r\n", "\u2028", "\u00A0", "\u200B", "\uFEFF", "\0", "\u0001"],
  ...["\u001B", "\u001B]", "\u001B[", "\u001B[0;", "\u009B1;", "[0;", "\uD83D", "\uDE00", "\uFFFD"],
  ...["é", "漢", "`", "` ", "`a", "``` ", "~", "*", "_", "a_", " _", "[", "](", "![", "<", ">"],
  ...["<a ", "</", "<!--", "|", "\\", "@", "@a", "#", "#1", "# ", "GH-", "GH-1", "&", "&a", "&#1"],
  ...["$", "$a$", "-", "- ", "=", "+", "1.", "1. ", "a", "a ", "ab cd ", "0", "f0", "abcdef0 "],
  ...["A1", "1", "1m", "1.1", ".", "..", "/", "./", "../", "//", ":", "::", "http:", "https://"],
  ...["www.", "##[", '"', '\\"', '\\\\"', '"a":', '{"a":', "{", "[[", ",", "'", "“a", "“abcdef”"],
  ...["sk-", "\\nsk-", "ghp_", "github_pat_", "AKIA", "xoxb-", "xapp-1-", "AIza"],
  ...["hooks.slack.com/services/", "aws_secret_access_key=", "AWS_SESSION_TOKEN = "],
  ...["-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "PRIVATE KEY", "%2", "%20", "%252F", "\\u0000"],
  ...["s\0", "sk-0123456789abcde", "aaaaaaaaaaaaaaaa", "736b", '"tasks" ', "---\n", "? ", "&a *a "],
  ...["*a ", "!!a ", "a: ", "a: |\n", ".git", "git~1", "\n---\n", "x,y\n", '"x', "\uFF5E"],
];

/** A unit again and again, between other things or alone. */
function repeated(unit: string, size: number, alone = false): string {
  const long = unit.repeat(Math.ceil(size / unit.length));
  return alone ? long : `x${long}\u0002x`;
}

const textsOf = (size: number) => [
  ...UNITS.map((unit) => repeated(unit, size)),
  ...[" ", "\n", " \n", "a ", "`", "=", '"'].map((unit) => repeated(unit, size, true)),
];

const at = { path: "f", startLine: 1, endLine: 1, inRepository: true };
/** One that has read nothing before. */
const redact = (text: string) => redactor(SECRETS, { shapes: true })(text);
const tasks = (text: string) => ({
  prompts: new Map([
    [text, [text]],
    ["b", ["c"]],
  ]),
  open: true,
});

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  plainText: sanitize.plainText,
  withoutTerminalCodes,
  oneLineText: (text) => sanitize.oneLineText(text, text.length),
  xmlText: sanitize.xmlText,
  logLine: sanitize.logLine,
  markdownText: sanitize.markdownText,
  markdownProse: sanitize.markdownProse,
  markdownCode: sanitize.markdownCode,
  markdownBlock: sanitize.markdownBlock,
  htmlText: sanitize.htmlText,
  urlPath: sanitize.urlPath,
  redact,
  findQuotes: (text) => findQuotes(text, () => plainOf(text)),
  cutBytes: (text) => cutBytes(text, text.length / 2),
  shorten: (text) => shorten(text, text.length / 2),
  messageOf: (text) => messageOf(new Error(text)),
  closest: (text) => [closest(text, ["graders"]), closest("graders", [text, text])],
  parseDuration,
  isGit,
  unsendable,
  quotable,
  isHeaderName,
  escapeGlob,
  parseJson: (text) => parseFileJson(text, at),
  parseJsonLines: (text) => parseJsonLines(`{"a": 1}\n${text}`, at),
  textOf: (text) => textOf([{ type: "text", text }]),
  taskOfName: (text) => [taskOfName(`${text}.`, tasks(text)), taskOfName(text, tasks(`${text}.1`))],
  taskOfPrompt: (text) => taskOfPrompt(text, tasks(text)),
  "an answer's name and look": (text) => {
    const content = { file: "a.json", at, text: `{${text}`, linesOf: () => Promise.resolve([]) };
    return textFilesReader.read(content, tasks("a"));
  },
  "a turn in waza's transcript": (text) => {
    const data = { task_id: "a", transcript: [{ type: "Turn", content: text }] };
    const content = { file: "a.json", at, text, data, linesOf: () => Promise.resolve([]) };
    return wazaTranscriptReader.read(content, tasks("a"));
  },
  resultsOfTrials: (path) =>
    resultsOfTrials(
      [1, 2].map((number) => ({
        file: { format: "f", file: `f${String(number)}`, at: { ...at, path } },
        trial: { taskId: "t", finalOutput: "", steps: [] },
      })),
      0,
    ),
};

/** What costs more a character, or shows the text in many places: with the units that matter there. */
const HEAVY: readonly (readonly [string, units: readonly string[], (text: string) => unknown])[] = [
  ["parseCsv", ['"', "a ", "x,y\n"], parseCsv],
  ["readYamlText", ["\n", '"', "[", "- ", "*a "], readYamlText],
  [
    "findWorkspaces",
    [" ", "/"],
    (taskId) => {
      const { job } = gradeOf({ verdict: verdictOf([]), run: { taskId } });
      return findWorkspaces([job], { pattern: "{task}/{run}", base: "/nowhere" });
    },
  ],
  [
    "the forms of a secret",
    [" ", "`", "\\", "/", "\uD83D"],
    (text) => redactor([text.slice(0, 10_000)])("x"),
  ],
  ["renderSummary", [" ", "“abcdef”"], (text) => renderSummary(reportWith(text), 65_535)],
  ["buildAnnotations", [" ", "\n"], (text) => buildAnnotations(reportWith(text))],
  ["renderJunit", [" "], (text) => renderJunit(reportWith(text))],
];

function manyGrades(tasks: number, runs: number) {
  const made = times(tasks * runs, (index) => {
    const [task, number] = [Math.floor(index / runs), (index % runs) + 1];
    const run = { number, origin: { file: 0, task, run: number } };
    return { verdict: verdictOf([]), task: `t${String(task)}`, run };
  });
  return reportOf(made);
}

/** Rows of each format of logs, again and again. */
const ROWS: Readonly<Record<string, (id: string) => readonly object[]>> = {
  "lists of messages": (id) => [
    { role: "user", id, content: "a" },
    { type: "message", message: { role: "assistant", id, content: [{ type: "text", text: "a" }] } },
    { role: "assistant", content: "a", tool_calls: [{ id, function: { name: "f", arguments: "{}" } }] },
    { role: "tool", tool_call_id: id, content: "a" },
  ],
  "logs of Cursor": (id) => [
    { type: "thinking", subtype: "delta" },
    { type: "assistant", message: { role: "assistant", content: "a" } },
    { type: "tool_call", subtype: "started", call_id: id, tool_call: { readToolCall: { args: {} } } },
    { type: "tool_call", subtype: "completed", call_id: id, tool_call: { readToolCall: { args: {} } } },
  ],
  "logs of Claude Code": (id) => [
    { type: "system", subtype: "init", session_id: id },
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: [
          { type: "tool_use", id },
          { type: "text", text: "a" },
        ],
      },
    },
    { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id }] } },
  ],
  "events of Copilot": (id) => [
    { type: "assistant.message_delta", data: { messageId: id, deltaContent: "a" } },
    { type: "assistant.message", data: { content: "a", toolRequests: [{ toolCallId: id }] } },
    { type: "tool.execution_start", data: { toolCallId: id } },
    { type: "tool.execution_complete", data: { toolCallId: id } },
  ],
  "logs of codex exec": (id) => [
    { type: "thread.started", thread_id: id },
    { type: "item.completed", item: { id, type: "agent_message", text: "a" } },
    { type: "item.completed", item: { id: `${id}c`, type: "command_execution" } },
  ],
  "sessions of Codex": (id) => [
    { type: "response_item", payload: { type: "message", role: "user", content: "a" } },
    { type: "response_item", payload: { type: "function_call", call_id: id } },
    { type: "response_item", payload: { type: "function_call_output", call_id: id, output: "a" } },
    { type: "event_msg", payload: { type: "agent_message", message: "a" } },
  ],
  "logs of Gemini CLI": (id) => [
    { type: "init", session_id: id, model: "g" },
    { type: "message", role: "assistant", content: "a", delta: true },
    { type: "message", role: "assistant", content: "b", delta: true },
    { type: "tool_use", tool_id: id },
    { type: "tool_result", tool_id: id },
  ],
  "sessions of Gemini CLI": (id) => [
    { sessionId: id, projectHash: "p" },
    { id, type: "gemini", content: "a", toolCalls: [{ id }] },
    { id: `${id}b`, type: "user", content: "a" },
    { $rewindTo: `${id}b` },
  ],
  "logs of OpenCode": (id) => [
    { type: "text", sessionID: id, part: { text: "a" } },
    { type: "tool_use", sessionID: id, part: { callID: id, state: { status: "completed" } } },
  ],
  "logs of Cline": (id) => [
    ...["content_start", "content_end"].map((type) => ({
      type: "agent_event",
      event: { type, contentType: "tool", toolName: "S", toolCallId: id, input: { id }, output: "a" },
    })),
    { type: "agent_event", event: { type: "content_end", contentType: "text", text: "a" } },
  ],
};

function rowsOf(format: string): (id: string) => readonly object[] {
  const rows = ROWS[format];
  if (!rows) throw new Error(`${format}: its rows are missing in ROWS of linear-cases.ts`);
  return rows;
}

/** The name of a case, its size, and what is done with things of any size. */
type Case = readonly [name: string, size: number, run: (size: number) => unknown];

const CASES: readonly Case[] = [
  // A few texts at once: the steps of many would hide those of one.
  ...Object.entries(FUNCTIONS).flatMap(([name, run]) =>
    Array.from({ length: Math.ceil(textsOf(1).length / GROUP) }, (_, index): Case => {
      const some = async (size: number) => {
        for (const text of textsOf(size).slice(index * GROUP, (index + 1) * GROUP)) await run(text);
      };
      return [`${name} of texts from ${String(index * GROUP)}`, SIZE, some];
    }),
  ),
  ...HEAVY.flatMap(([name, units, run]) =>
    units.map((unit): Case => [
      `${name} of ${JSON.stringify(unit)}`,
      SIZE,
      (size) => run(repeated(unit, size)),
    ]),
  ),
  ...[...SESSIONS, messages].flatMap(({ format, read }) =>
    (
      [
        ["every second with one id", (index) => (index % 2 ? "x" : String(index))],
        ["all with one id", () => "x"],
      ] as const satisfies readonly (readonly [string, (index: number) => string])[]
    ).map(([how, idOf]): Case => [
      `a session in ${format}, ${how}, found and read`,
      50,
      (size) => {
        const data = times(size, (index) => idOf(index)).flatMap(rowsOf(format));
        const content = { file: "a.jsonl", at, text: "", data, linesOf: () => Promise.resolve([]) };
        return [readerByContent(content)?.read(content, tasks("a")), stepsOf(read(data).events)];
      },
    ]),
  ),
  ...(
    [
      ["runs of one task", (size) => manyGrades(1, size)],
      ["tasks of one run", (size) => manyGrades(size, 1)],
    ] as const satisfies readonly (readonly [string, (size: number) => unknown])[]
  ).map(([what, many]): Case => [
    `a report of many ${what}`,
    400,
    (size) => {
      const report = many(size);
      return [renderSummary(report, 65_535), buildAnnotations(report)];
    },
  ]),
  [
    "a loop in a loop",
    SIZE,
    (size) =>
      Array.from({ length: size }, (_, i) => i).filter((i, _at, all) =>
        all.every((one) => one >= 0 || i > 0),
      ),
  ],
];

const TIMES = 8;
for (const [name, size, run] of CASES) {
  await run(size);
  const few = await countSteps(() => run(size));
  const many = await countSteps(() => run(size * TIMES));
  console.log(JSON.stringify({ name, factor: many / few / TIMES }));
}
