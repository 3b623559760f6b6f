/**
 * Logs of Claude Code: `claude -p --output-format stream-json --verbose` (JSON lines), the execution file of
 * anthropics/claude-code-action (a JSON array of the same messages), `--output-format json` (the result alone), and the
 * sessions that it keeps (`projects/`). Their rows are the Agent SDK's messages:
 * https://docs.claude.com/en/api/agent-sdk/typescript#message-types
 */
import { basename } from "node:path";
import * as z from "zod/mini";
import { lenient, lenientFlag, lenientNumber, lenientText, numberOrZero } from "../../text/optional.ts";
import { outageOf, rowsAs, unreadKinds, type Outage } from "../reader.ts";
import { stepsOf, type LogEvent } from "../transcript.ts";
import type { LoggedSkill } from "../../domain/run.ts";
import type { Session, SessionFormat } from "../session.ts";
import { skillCallsOf } from "../skill-loads.ts";
import { type ChatMessage, chatMessage, eventsOfMessages, isRead, unreadParts } from "./messages.ts";
import { textOf } from "./parts.ts";
import { jsonOf, once, shorten, sumsOf } from "../../text/format.ts";

const claudeMessage = lenient(z.extend(chatMessage, { model: lenientText }));

/** Input without what came from the cache or was written to it. */
const claudeUsage = z.object({
  inputTokens: numberOrZero,
  outputTokens: numberOrZero,
  cacheReadInputTokens: numberOrZero,
  cacheCreationInputTokens: numberOrZero,
});

const claudeDenial = z.object({ tool_name: lenientText, tool_use_id: lenientText });

const claudeRow = z.object({
  type: lenientText,
  /** Only in messages from other programs. */
  role: lenientText,
  subtype: lenientText,
  /** Of the end of something in the background: the call that began it, and what came of it. */
  tool_use_id: lenientText,
  status: lenientText,
  summary: lenientText,
  summary_is_report: lenientFlag,
  session_id: lenientText,
  sessionId: lenientText,
  uuid: lenientText,
  /** The row before it, in a kept session; of the first after a summary the second field says it. */
  parentUuid: lenientText,
  logicalParentUuid: lenientText,
  /** Set in the session of a team mate. */
  agentName: lenientText,
  model: lenientText,
  message: claudeMessage,
  /** What the user typed while the agent worked. */
  attachment: lenient(
    z.object({ type: lenientText, commandMode: lenientText, prompt: z.optional(z.unknown()) }),
  ),
  /** A sub-agent's message, in sessions of 2.1.7 to 2.1.39 (`type: progress`). */
  data: lenient(
    z.object({
      type: lenientText,
      message: lenient(z.object({ type: lenientText, message: claudeMessage })),
    }),
  ),
  /** Set in a sub-agent's messages. */
  parent_tool_use_id: lenientText,
  isSidechain: lenientFlag,
  /** Set in messages of the user that Claude Code wrote: a skill's text, a note, the summary of a session. */
  isMeta: lenientFlag,
  isSynthetic: lenientFlag,
  isCompactSummary: lenientFlag,
  is_error: lenientFlag,
  /** Set where a message of the agent is the error of a request. */
  isApiErrorMessage: lenientFlag,
  error: z.optional(z.unknown()),
  /** The HTTP status of the last request, in a result. */
  api_error_status: lenientNumber,
  /** Of a row `rate_limit_event`. */
  rate_limit_info: lenient(z.object({ status: lenientText, resetsAt: lenientNumber })),
  result: lenientText,
  structured_output: z.optional(z.unknown()),
  errors: lenient(z.array(z.unknown())),
  modelUsage: lenient(z.record(z.string(), claudeUsage)),
  total_cost_usd: lenientNumber,
  duration_ms: lenientNumber,
  /** In a result those of its turn, and each in a row of its own. */
  permission_denials: lenient(z.array(claudeDenial)),
  tool_name: lenientText,
  /** The skills that the agent has, in the first row. */
  skills: lenient(z.array(z.string())),
  /** The tools that the agent has, in the first row. */
  tools: lenient(z.array(z.string())),
  claude_code_version: lenientText,
});

type ClaudeRow = z.infer<typeof claudeRow>;

const SKILL_TOOL = { tool: "Skill", names: ["skill", "command"] };

export const claudeCode: SessionFormat = {
  format: "logs of Claude Code",
  skillTool: SKILL_TOOL,
  expandsSkills: true,
  detect: (row) => rowsAs(claudeRow, [row]).some(isClaudeRow),
  read: (rows) => {
    const entries = withoutRewound(eachOnce(rowsAs(claudeRow, rows)).map(unwrappedRow));
    const results = entries.filter(({ type }) => type === "result");
    const result = results.at(-1);
    const begun = entries.filter(isBeginning);
    const answer = joinedAnswers(results);
    // Without a word of the model the answer is the client's own: "Unknown command: /x".
    const isUnused = result?.modelUsage !== undefined && Object.keys(result.modelUsage).length === 0;
    const isAnswered = entries.some(isOfModelItself) || (!entries.some(isOfAgent) && !isUnused);
    return {
      events: eventsOfClaude(entries),
      model: modelOfClaude(entries, result),
      finalOutput: answer,
      failure:
        failureOfClaude(result) ?? (result && !isAnswered ? (answer ?? "no answer of the model") : undefined),
      outage: isAnswered && (result ?? entries.find(isOfModelItself)) ? undefined : outageOfClaude(entries),
      // What is printed ends in a result; the sessions that Claude Code keeps (`projects/`) never do.
      missingEnd: begun.length > 0 && !result ? "a `result`" : undefined,
      sessions: [...begun, ...results].flatMap(({ session_id: id }) => id ?? []),
      unread: [
        ...unreadKinds(claudeRow, rows, (_, row) => isReadOfClaude(row)),
        ...entries.flatMap((row) => messagesIn(row).flatMap(unreadParts)),
      ],
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
        session: (begun[0] ?? results[0])?.session_id,
      },
      skillsFrom: skillsFromOfClaude(entries),
      saysSkills: entries.some(offersSkills),
    };
  },
};

/** Rows about the session, of which some hold a request's message a second time. */
const ABOUT_SESSION = /^(?:result|api-request(?:-[a-z]+)?|atis-latch|tools-used|cost-state)$/;

function isReadOfClaude(row: ClaudeRow): boolean {
  if (row.subtype === "permission_denied") return true;
  if (!isClaudeMessage(row)) return ABOUT_SESSION.test(row.type ?? "");
  return messagesIn(row).some((said) => isRead(said) || unreadParts(said).length > 0);
}

/** The message of the user or the agent in a row; the same one each time, since it is read once. */
function messagesIn(row: ClaudeRow) {
  return once(MESSAGES, row, () => (isClaudeMessage(row) ? [{ ...row.message, role: row.type }] : []));
}

const MESSAGES = new WeakMap<ClaudeRow, ChatMessage[]>();

/** Rows by their id, each once: a resumed session may repeat what came before. */
function eachOnce(entries: readonly ClaudeRow[]): ClaudeRow[] {
  const seen = new Set<string>();
  return entries.filter(({ uuid }) => uuid === undefined || (!seen.has(uuid) && seen.add(uuid)));
}

/**
 * The rows of a kept session without those that the user went back on: a prompt, with all that followed it, that does not
 * lead to the last row.
 */
function withoutRewound(entries: readonly ClaudeRow[]): readonly ClaudeRow[] {
  const isOwnMessage = (row: ClaudeRow) =>
    row.uuid !== undefined && isClaudeMessage(row) && isOwnOfClaude(row);
  const rows = new Map(entries.map((row) => [row.uuid, row]));
  const path = new Set<ClaudeRow>();
  const before = ({ parentUuid, logicalParentUuid }: ClaudeRow) => parentUuid ?? logicalParentUuid;
  let last = entries.findLast((row) => isOwnMessage(row) && row.sessionId !== undefined);
  const session = last?.sessionId;
  for (let row = last; row && !path.has(row); row = rows.get(before(row) ?? "")) path.add((last = row));
  // What was before a summary, or is not in the file, is not known.
  if (!last || before(last) !== undefined || isOfAgent(last)) return entries;
  if (last.isCompactSummary || last.subtype === "compact_boundary") return entries;
  const left = new Set<string>();
  return entries.filter((row) => {
    const isPrompt = isOwnMessage(row) && row.sessionId === session && !row.attachment && saysWords(row);
    const isLeft = (isPrompt && !path.has(row)) || (row.parentUuid !== undefined && left.has(row.parentUuid));
    if (isLeft) left.add(row.uuid ?? "");
    return !isLeft;
  });
}

function saysWords(row: ClaudeRow): boolean {
  const isWords = ({ kind }: LogEvent) => kind === "user";
  return row.type === "user" && !isSynthetic(row) && eventsOfMessages(messagesIn(row)).some(isWords);
}

function isOfAgent(row: ClaudeRow): boolean {
  return row.type === "assistant" && isClaudeMessage(row);
}

/** A message that the model wrote, not Claude Code in its place. */
function isOfModelItself(row: ClaudeRow): boolean {
  return isOfAgent(row) && row.message?.model !== CLIENTS_OWN;
}

/** Errors of https://docs.claude.com/en/api/agent-sdk/typescript (`SDKAssistantMessageError`), and its own next try. */
const OUTAGES: ReadonlyMap<unknown, Outage> = new Map([
  ["authentication_failed", "refused"],
  ["billing_error", "refused"],
  ["rate_limit", "busy"],
  ["server_error", "busy"],
  ["api_retry", "busy"],
]);

/** By the kind of an error, a limit that names its end, a result's status, or because Claude Code itself tried again. */
function outageOfClaude(entries: readonly ClaudeRow[]): Outage | undefined {
  const said = entries.flatMap(({ subtype, error, api_error_status: status, rate_limit_info: limit }) => [
    OUTAGES.get(error),
    OUTAGES.get(subtype),
    outageOf(status),
    limit?.status === "rejected" && limit.resetsAt !== undefined ? ("used-up" as const) : undefined,
  ]);
  return (["refused", "used-up", "busy"] as const).find((one) => said.includes(one));
}

/** The model's name in messages that Claude Code wrote as the agent. */
const CLIENTS_OWN = "<synthetic>";

/** A sub-agent's message, or what the user typed while the agent worked, as a row of its own. */
function unwrappedRow(row: ClaudeRow): ClaudeRow {
  const { type, commandMode, prompt } = row.attachment ?? {};
  if (type === "queued_command" && commandMode === "prompt")
    return { ...row, type: "user", message: { role: "user", content: prompt } };
  const inner = row.data?.type === "agent_progress" ? row.data.message : undefined;
  return inner ? { ...row, ...inner, parent_tool_use_id: "agent_progress" } : row;
}

const PRINTED =
  "Keep what `claude -p --output-format stream-json --verbose` prints: it has the calls of sub-agents, too.";

/** The calls that began sub-agents: their ids, and what the agent calls each. */
function callsOfSubAgents(entries: readonly ClaudeRow[]): ReadonlyMap<string, string> {
  const events = entries.flatMap((row) => eventsOfMessages(messagesIn(row)));
  return new Map(
    events.flatMap((event) => {
      if (event.kind !== "call" || (event.name !== "Task" && event.name !== "Agent")) return [];
      const { description } = Object(jsonOf(event.input)) as { description?: unknown };
      return [[event.id ?? "", shorten(typeof description === "string" ? description : event.name, 60)]];
    }),
  );
}

/** Other clients write rows like these (Qwen Code), whose tool for skills has another name. */
function offersSkills({ skills, tools, attachment }: ClaudeRow): boolean {
  return Boolean(skills ?? tools?.includes(SKILL_TOOL.tool)) || attachment?.type === "skill_listing";
}

function isBeginning({ type, subtype }: ClaudeRow): boolean {
  return type === "system" && subtype === "init";
}

function isClaudeRow(row: ClaudeRow): boolean {
  const { type, subtype, session_id: session, message, result } = row;
  if (type === "result") return subtype !== undefined || session !== undefined || result !== undefined;
  if (type === "assistant" || type === "user")
    return message?.content !== undefined && (message.role ?? type) === type;
  return isBeginning(row);
}

function isOwnOfClaude({ parent_tool_use_id: parent, isSidechain }: ClaudeRow): boolean {
  return !parent && isSidechain !== true;
}

/** Written by Claude Code as the user or the agent. */
function isSynthetic({ type, message, isMeta, isSynthetic: made, isCompactSummary }: ClaudeRow): boolean {
  if (type === "assistant") return message?.model === CLIENTS_OWN;
  return isMeta === true || made === true || isCompactSummary === true;
}

function isClaudeMessage({ type, message }: ClaudeRow): boolean {
  return message !== undefined && (type === "assistant" || type === "user");
}

/**
 * Messages and calls. Of synthetic messages and of sub-agents only calls and their results are kept: a sub-agent's answer
 * is the result of a tool call.
 */
function eventsOfClaude(entries: readonly ClaudeRow[]): LogEvent[] {
  const reports = reportsOfClaude(entries);
  const commands = skillsByCommand(entries);
  const subAgents = callsOfSubAgents(entries);
  return entries.flatMap((one) => {
    const subAgent = isOwnOfClaude(one)
      ? undefined
      : (subAgents.get(one.parent_tool_use_id ?? "") ?? "unnamed");
    const events = eventsOfMessages(messagesIn(one)).map((event) =>
      event.kind === "call" ? { ...event, subAgent } : withReport(event, reports),
    );
    const skill = commands.get(one);
    if (skill !== undefined) return [{ kind: "skill", text: skill }];
    if (one.isApiErrorMessage || (one.error && isSynthetic(one)))
      return events.map((event) => ({ kind: "error", text: "text" in event ? event.text : "" }));
    return isOwnOfClaude(one) && !isSynthetic(one)
      ? events.map(withoutInserted)
      : events.filter((event) => !("text" in event));
  });
}

/** The skill of each row with a skill's text that follows a command of the user, as kept sessions have it. */
function skillsByCommand(entries: readonly ClaudeRow[]): ReadonlyMap<ClaudeRow, string> {
  const messages = entries.filter(isClaudeMessage);
  const wordsOf = (row: ClaudeRow | undefined) => textOf(row?.message?.content).trimStart();
  return new Map(
    messages.flatMap((row, index) => {
      const [, folder] =
        /^Base directory for this skill: (.+)/.exec(isSynthetic(row) ? wordsOf(row) : "") ?? [];
      const isCommand = wordsOf(messages[index - 1]).startsWith("<command-message>");
      return folder !== undefined && isCommand ? [[row, basename(folder)] as const] : [];
    }),
  );
}

/** What came of calls that went on in the background: printed as a row, kept as a message in the user's name. */
function reportsOfClaude(entries: readonly ClaudeRow[]): ReadonlyMap<string, Report> {
  const answered = new Set<string>();
  const reports = new Map<string, Report>();
  for (const { type, subtype, tool_use_id: id, status, summary = "", ...row } of entries) {
    const content = type === "user" ? row.message?.content : undefined;
    for (const event of eventsOfMessages(content === undefined ? [] : [{ ...row.message, role: "user" }]))
      if (event.kind === "result" && event.id) answered.add(event.id);
    const kept = typeof content === "string" && content.trimStart().startsWith("<task-notification>");
    const said = kept ? content : "";
    const call = subtype === "task_notification" ? id : between(said, "tool-use-id");
    if (call === undefined || !answered.has(call)) continue;
    const report = between(said, "result");
    reports.set(call, {
      words: report ?? between(said, "summary") ?? summary,
      isWhole: row.summary_is_report ?? report !== undefined,
      success: (status ?? between(said, "status")) === "completed",
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
function isFromSubAgent(entries: readonly ClaudeRow[]): boolean {
  const messages = entries.filter(isClaudeMessage);
  const [first] = messages;
  const isTeamMate =
    first?.agentName !== undefined &&
    textOf(first.message?.content).trimStart().startsWith("<teammate-message");
  return isTeamMate || (messages.length > 0 && messages.every(({ isSidechain }) => isSidechain === true));
}

/** A session has a result for each turn: one more when something ends that ran in the background. */
function joinedAnswers(results: readonly ClaudeRow[]): string | undefined {
  const answers = results
    .filter((one) => failureOfClaude(one) === undefined)
    .flatMap(({ result, structured_output: structured }) =>
      result?.trim() ? result : textOf(structured) || [],
    );
  return answers.join("\n\n") || undefined;
}

/** `subtype: error_*`, or `is_error` with a successful subtype, where `result` is the message of the failed request. */
function failureOfClaude(result: ClaudeRow | undefined): string | undefined {
  const failed = result?.subtype?.startsWith("error") === true;
  if (!result || (!failed && result.is_error !== true)) return undefined;
  const parts = [failed ? result.subtype : undefined, ...(result.errors ?? []).map(textOf), result.result];
  return parts.filter((part) => part).join(": ") || "is_error";
}

/** What the first row and the results say; the figures of a later result hold those before it. */
function factsOfClaude(begun: ClaudeRow | undefined, results: readonly ClaudeRow[]): Session["client"] {
  const result = results.at(-1);
  const used = sumsOf(Object.values(result?.modelUsage ?? {}));
  const { cacheReadInputTokens: cached = 0, cacheCreationInputTokens: written = 0 } = used ?? {};
  return {
    skills: begun?.skills?.map((name) => ({ name })),
    endedBy: result?.subtype?.startsWith("error") === true ? result.subtype : undefined,
    tokens: used && {
      input: used.inputTokens + cached + written,
      output: used.outputTokens,
      cached,
      written,
    },
    isOfSession: true,
    cost: result?.total_cost_usd,
    durationMs: result?.duration_ms,
    version: begun?.claude_code_version,
  };
}

/** The tool of each call that was refused; undefined where the rows do not say it. */
function refusedByClaude(entries: readonly ClaudeRow[]): readonly string[] | undefined {
  const rows = entries.filter(({ subtype }) => subtype === "permission_denied");
  const all = [...rows, ...entries.flatMap(({ permission_denials: said = [] }) => said)];
  const tools = new Map(all.map(({ tool_use_id: id, tool_name: tool = "?" }, index) => [id ?? index, tool]));
  const isSaid = all.length > 0 || entries.some((row) => row.permission_denials);
  return isSaid ? [...tools.values()] : undefined;
}

/** The folder of each skill: in the first line of the text that Claude Code inserts after the call, behind a colon. */
function skillsFromOfClaude(entries: readonly ClaudeRow[]): LoggedSkill[] {
  const folders: LoggedSkill[] = [];
  let called: string | undefined;
  for (const row of entries.filter(isClaudeMessage)) {
    if (isSynthetic(row)) {
      const [line = ""] = textOf(row.message?.content).split("\n", 1);
      const at = line.indexOf(": /");
      if (at < 0) continue;
      if (called !== undefined) folders.push({ name: called, from: line.slice(at + 2) });
      called = undefined;
    } else called = skillCallsOf(stepsOf(eventsOfClaude([row])), { tool: SKILL_TOOL })?.[0]?.name ?? called;
  }
  return folders;
}

function modelOfClaude(entries: readonly ClaudeRow[], result: ClaudeRow | undefined): string | undefined {
  const named = entries
    .filter(isOwnOfClaude)
    .flatMap(({ type, model, message }) => (type === "system" ? (model ?? []) : (message?.model ?? [])));
  const used = Object.keys(result?.modelUsage ?? {});
  return (
    named.find((model) => model !== "" && model !== CLIENTS_OWN) ?? (used.length === 1 ? used[0] : undefined)
  );
}
