/**
 * Logs of Claude Code: `claude -p --output-format stream-json --verbose` (JSON lines), the execution file of
 * anthropics/claude-code-action (a JSON array of the same messages), `--output-format json` (the result alone), and the
 * sessions that it keeps (`projects/`). Their rows are the Agent SDK's messages:
 * https://docs.claude.com/en/api/agent-sdk/typescript#message-types
 */
import { basename } from "node:path";
import { Json } from "../../text/json.ts";
import { unreadOf } from "../reader.ts";
import { stepsOf, type LogEvent } from "../transcript.ts";
import type { SessionFormat } from "../session.ts";
import { skillCallsOf } from "../skill-loads.ts";
import {
  factsOfClaude,
  failureOfClaude,
  joinedAnswers,
  outageOfClaude,
  refusedByClaude,
} from "./claude-results.ts";
import { readRow, type RowRead } from "./messages.ts";
import { textOf } from "./parts.ts";
import { jsonOf, once, shorten } from "../../text/format.ts";

const SKILL_TOOL = { tool: "Skill", names: ["skill", "command"] };

export const claudeCode: SessionFormat = {
  format: "logs of Claude Code",
  skillTool: SKILL_TOOL,
  expandsSkills: true,
  detect: (row) => isClaudeRow(new Json(row)),
  read: (all) => {
    const rows = new Json(all).all();
    const entries = withoutRewound(eachOnce(rows).map(unwrappedRow));
    const results = entries.filter((row) => row.type === "result");
    const result = results.at(-1);
    const begun = entries.filter(isBeginning);
    const answer = joinedAnswers(results);
    const skills = skillTexts(entries);
    // Without a word of the model the answer is the client's own: "Unknown command: /x".
    const isUnused = result?.isObject("modelUsage") && result.keys("modelUsage").length === 0;
    const isAnswered = entries.some(isOfModelItself) || (!entries.some(isOfAgent) && !isUnused);
    return {
      events: eventsOfClaude(entries, skills),
      model: modelOfClaude(entries, result),
      finalOutput: answer,
      failure:
        failureOfClaude(result) ?? (result && !isAnswered ? (answer ?? "no answer of the model") : undefined),
      outage: isAnswered && (result ?? entries.find(isOfModelItself)) ? undefined : outageOfClaude(entries),
      // What is printed ends in a result; the sessions that Claude Code keeps (`projects/`) never do.
      missingEnd: begun.length > 0 && !result ? "a `result`" : undefined,
      sessions: [...begun, ...results].flatMap((row) => row.text("session_id") ?? []),
      unread: [...unreadOf(all, isKnownRow), ...entries.flatMap((row) => readMessageOfClaude(row).unread)],
      lacksSubAgents:
        entries.every(isOwnOfClaude) && callsOfSubAgents(entries).size > 0
          ? // What it prints has them, if there are any.
            begun.length > 0
            ? ""
            : PRINTED
          : undefined,
      isSubAgentLog: isFromSubAgent(entries),
      client: {
        ...factsOfClaude(begun[0], results),
        refused: refusedByClaude(entries),
        session: (begun[0] ?? results[0])?.text("session_id"),
      },
      skillsFrom: skills.flatMap(({ name, from }) => (name === undefined ? [] : { name, from })),
      // Other clients write rows like these (Qwen Code), whose tool for skills has another name.
      saysSkills: entries.some(
        (row) =>
          row.isList("skills") ||
          row.list("tools").includes(SKILL_TOOL.tool) ||
          row.text("attachment", "type") === "skill_listing",
      ),
    };
  },
};

/** Rows about the session, of which some hold a request's message a second time. */
const ABOUT_SESSION = /^(?:result|api-request(?:-[a-z]+)?|atis-latch|tools-used|cost-state)$/;

function isKnownRow(row: Json): boolean {
  return isClaudeMessage(row) || row.text("subtype") === "permission_denied" || ABOUT_SESSION.test(row.type);
}

const READ = new WeakMap<object, RowRead>();

/** What is read of the message of the user or the agent in a row, once. */
function readMessageOfClaude(row: Json): RowRead {
  return once(READ, row.value as object, () =>
    isClaudeMessage(row)
      ? readRow({ ...(row.at("message").value as object), role: row.type })
      : { events: [], unread: [] },
  );
}

/** Rows by their id, each once: a resumed session may repeat what came before. */
function eachOnce(entries: readonly Json[]): Json[] {
  const seen = new Set<string>();
  return entries.filter((row) => {
    const id = row.text("uuid");
    return id === undefined || (!seen.has(id) && seen.add(id));
  });
}

/**
 * The rows of a kept session without those that the user went back on: a prompt, with all that followed it, that does not
 * lead to the last row.
 */
function withoutRewound(entries: readonly Json[]): readonly Json[] {
  const isOwnMessage = (row: Json) =>
    row.text("uuid") !== undefined && isClaudeMessage(row) && isOwnOfClaude(row);
  const rows = new Map(entries.map((row) => [row.text("uuid"), row]));
  const path = new Set<Json>();
  // Of the first after a summary the second field says it.
  const before = (row: Json) => row.text("parentUuid") ?? row.text("logicalParentUuid");
  let last = entries.findLast((row) => isOwnMessage(row) && row.text("sessionId") !== undefined);
  const session = last?.text("sessionId");
  for (let row = last; row && !path.has(row); row = rows.get(before(row) ?? "")) path.add((last = row));
  // What was before a summary, or is not in the file, is not known.
  if (!last || before(last) !== undefined || isOfAgent(last)) return entries;
  if (last.flag("isCompactSummary") || last.text("subtype") === "compact_boundary") return entries;
  const left = new Set<string>();
  return entries.filter((row) => {
    const isPrompt =
      isOwnMessage(row) && row.text("sessionId") === session && !row.isObject("attachment") && saysWords(row);
    const isLeft = (isPrompt && !path.has(row)) || left.has(row.text("parentUuid") ?? "");
    if (isLeft) left.add(row.text("uuid") ?? "");
    return !isLeft;
  });
}

function saysWords(row: Json): boolean {
  const isWords = ({ kind }: LogEvent) => kind === "user";
  return row.type === "user" && !isSynthetic(row) && readMessageOfClaude(row).events.some(isWords);
}

function isOfAgent(row: Json): boolean {
  return row.type === "assistant" && isClaudeMessage(row);
}

/** A message that the model wrote, not Claude Code in its place. */
function isOfModelItself(row: Json): boolean {
  return isOfAgent(row) && !isSynthetic(row);
}

/** The model's name in messages that Claude Code wrote as the agent. */
const CLIENTS_OWN = "<synthetic>";

/** What the user typed while the agent worked, as a row of its own. */
function unwrappedRow(row: Json): Json {
  const typed = row.at("attachment");
  return typed.type === "queued_command" && typed.text("commandMode") === "prompt"
    ? new Json({ ...(row.value as object), type: "user", message: { content: typed.at("prompt").value } })
    : row;
}

const PRINTED =
  "Keep what `claude -p --output-format stream-json --verbose` prints: it has the calls of sub-agents, too.";

/** The calls that began sub-agents: their ids, and what the agent calls each. */
function callsOfSubAgents(entries: readonly Json[]): ReadonlyMap<string, string> {
  const events = entries.flatMap((row) => readMessageOfClaude(row).events);
  return new Map(
    events.flatMap((event) => {
      if (event.kind !== "call" || (event.name !== "Task" && event.name !== "Agent")) return [];
      const { description } = Object(jsonOf(event.input)) as { description?: unknown };
      return [[event.id ?? "", shorten(typeof description === "string" ? description : event.name, 60)]];
    }),
  );
}

function isBeginning(row: Json): boolean {
  return row.type === "system" && row.text("subtype") === "init";
}

function isClaudeRow(row: Json): boolean {
  const { type } = row;
  if (type === "result")
    return ["subtype", "session_id", "result"].some((key) => row.text(key) !== undefined);
  if (type === "assistant" || type === "user")
    return row.at("message", "content").value !== undefined && (row.text("message", "role") ?? type) === type;
  return isBeginning(row);
}

function isOwnOfClaude(row: Json): boolean {
  return !row.text("parent_tool_use_id") && !row.flag("isSidechain");
}

/**
 * Written by Claude Code as the user (a skill's text, a note, the summary of a session) or the agent. That the model
 * refused is the agent's answer, although the client words it.
 */
function isSynthetic(row: Json): boolean {
  if (row.type === "assistant")
    return row.text("message", "model") === CLIENTS_OWN && row.text("message", "stop_reason") !== "refusal";
  return ["isMeta", "isSynthetic", "isCompactSummary"].some((key) => row.flag(key));
}

function isClaudeMessage(row: Json): boolean {
  return row.isObject("message") && /^(?:assistant|user)$/.test(row.type);
}

/**
 * Messages and calls. Of synthetic messages and of sub-agents only calls and their results are kept: a sub-agent's answer
 * is the result of a tool call.
 */
function eventsOfClaude(entries: readonly Json[], skills: ReturnType<typeof skillTexts>): LogEvent[] {
  const reports = reportsOfClaude(entries);
  const commands = new Map(skills.map((one) => [one.row, one]));
  const subAgents = callsOfSubAgents(entries);
  return entries.flatMap((row) => {
    const subAgent = isOwnOfClaude(row)
      ? undefined
      : (subAgents.get(row.text("parent_tool_use_id") ?? "") ?? "unnamed");
    const events = readMessageOfClaude(row).events.map((event) =>
      event.kind === "call" ? { ...event, subAgent } : withReport(event, reports),
    );
    const skill = commands.get(row);
    if (skill?.byCommand) return [{ kind: "skill", text: basename(skill.from) }];
    if (isSynthetic(row) && (row.flag("isApiErrorMessage") ?? row.at("error").value))
      return events.map((event) => ({ kind: "error", text: "text" in event ? event.text : "" }));
    return isOwnOfClaude(row) && !isSynthetic(row)
      ? events.map(withoutInserted)
      : events.filter((event) => !("text" in event));
  });
}

/** What came of calls that went on in the background: printed as a row, kept as a message in the user's name. */
function reportsOfClaude(entries: readonly Json[]): ReadonlyMap<string, Report> {
  const answered = new Set<string>();
  const reports = new Map<string, Report>();
  for (const row of entries) {
    const isUsers = row.type === "user";
    for (const event of isUsers ? readMessageOfClaude(row).events : [])
      if (event.kind === "result" && event.id) answered.add(event.id);
    const content = isUsers ? (row.text("message", "content") ?? "") : "";
    const said = content.trimStart().startsWith("<task-notification>") ? content : "";
    const isPrinted = row.text("subtype") === "task_notification";
    const call = isPrinted ? row.text("tool_use_id") : between(said, "tool-use-id");
    if (call === undefined || !answered.has(call)) continue;
    const report = between(said, "result");
    reports.set(call, {
      words: report ?? between(said, "summary") ?? row.text("summary") ?? "",
      isWhole: row.flag("summary_is_report") ?? report !== undefined,
      success: (row.text("status") ?? between(said, "status")) === "completed",
    });
  }
  return reports;
}

/** What stands between a tag and its end: the last, since a report may hold anything. */
function between(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = tag === "result" ? text.lastIndexOf(`</${tag}>`) : text.indexOf(`</${tag}>`);
  return start < 0 || end < start ? undefined : text.slice(start + tag.length + 2, end);
}

interface Report {
  readonly words: string;
  /** In place of what the call itself returned, that it was begun; else behind it. */
  readonly isWhole: boolean;
  readonly success: boolean;
}

function withReport(event: LogEvent, reports: ReadonlyMap<string, Report>): LogEvent {
  const report = event.kind === "result" && event.id ? reports.get(event.id) : undefined;
  if (event.kind !== "result" || !report) return event;
  const result = report.isWhole ? report.words : `${event.result ?? ""}\n${report.words}`;
  return { ...event, result, success: report.success };
}

/** Text that Claude Code inserts before the user's, or as a separate message. */
const INSERTED =
  /^\s*<(local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|ide_(?:opened_file|selection)|system-reminder|task-notification)>[^]*?(?:<\/\1>|$)/;

/**
 * A message of the user in the user's own words. Of a command these are its name and arguments; a command of the client
 * itself (`/clear`) is not a request: it has no arguments, and begins with its name, not with a message.
 */
function withoutInserted(event: LogEvent): LogEvent {
  if (event.kind !== "user") return event;
  let words = event.text;
  for (let match = INSERTED.exec(words); match; match = INSERTED.exec(words))
    words = words.slice(match[0].length).trimStart();
  const [, kind] = /^\s*<command-(name|message)>/.exec(words) ?? [];
  if (kind === undefined) return { ...event, text: words };
  const [, name = ""] = /<command-name>([^<]*)/.exec(words) ?? [];
  const [, given = ""] = /<command-args>([^]*?)<\/command-args>/.exec(words) ?? [];
  const isRequest = kind === "message" || given.trim() !== "";
  return { ...event, text: isRequest ? `${name} ${given}`.trim() : "" };
}

/** Claude Code keeps the sessions of sub-agents, and of team mates, in separate files, beside the session that started them. */
function isFromSubAgent(entries: readonly Json[]): boolean {
  const messages = entries.filter(isClaudeMessage);
  const [first] = messages;
  const words = textOf(first?.at("message", "content").value).trimStart();
  const isTeamMate = first?.text("agentName") !== undefined && words.startsWith("<teammate-message");
  return isTeamMate || (messages.length > 0 && messages.every((row) => row.flag("isSidechain")));
}

/**
 * Each row with a skill's text, of which the first line has the skill's folder behind a colon; after a call, or after a command of
 * the user, as kept sessions have it.
 */
function skillTexts(entries: readonly Json[]) {
  let [called, before]: (string | undefined)[] = [];
  return entries.filter(isClaudeMessage).flatMap((row) => {
    const words = textOf(row.at("message", "content").value).trimStart();
    const byCommand = before?.startsWith("<command-message>") === true;
    before = words;
    if (!isSynthetic(row)) {
      called =
        skillCallsOf(stepsOf(readMessageOfClaude(row).events), { tool: SKILL_TOOL })?.[0]?.name ?? called;
      return [];
    }
    const [, from] = /^[^\n]*?: (\/.+)/.exec(words) ?? [];
    if (from === undefined) return [];
    const name = called;
    called = undefined;
    return { row, name, from, byCommand };
  });
}

function modelOfClaude(entries: readonly Json[], result: Json | undefined): string | undefined {
  const named = entries
    .filter(isOwnOfClaude)
    .map((row) => (row.type === "system" ? row.text("model") : row.text("message", "model")));
  const used = result?.keys("modelUsage") ?? [];
  return named.find((model) => model && model !== CLIENTS_OWN) ?? (used.length === 1 ? used[0] : undefined);
}
