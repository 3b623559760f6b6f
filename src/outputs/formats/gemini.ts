/**
 * Two formats of Gemini CLI: what it prints, by `--output-format stream-json` (JSON lines, after lines that it prints before
 * them) or `--output-format json` (the answer alone); and the sessions that it keeps
 * (`~/.gemini/tmp/<project>/chats/session-*`: one JSON object, or JSON lines of changes to it).
 * https://github.com/google-gemini/gemini-cli, packages/core/src/output and services/chatRecordingTypes.ts
 */
import * as z from "zod/mini";
import { IMAGE, textOf } from "./parts.ts";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { LoggedSkill } from "../../domain/run.ts";
import type { Session, SessionFormat } from "../session.ts";
import { addPiece, callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";
import { isObject } from "../../text/format.ts";
import { lenient, lenientFlag, lenientNumber, lenientText } from "../../text/optional.ts";

const geminiCall = z.object({
  id: lenientText,
  name: lenientText,
  args: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  resultDisplay: z.optional(z.unknown()),
  status: lenientText,
});

const geminiMessage = z.object({
  id: z.string(),
  type: z.string(),
  content: z.optional(z.unknown()),
  /** The user's own text, if Gemini CLI inserted files. */
  displayContent: z.optional(z.unknown()),
  toolCalls: lenient(z.array(geminiCall)),
  model: lenientText,
});

type GeminiMessage = z.infer<typeof geminiMessage>;

const changes = z.object({ messages: lenient(z.array(z.unknown())), kind: lenientText });
const sessionRow = z.extend(changes, {
  $set: lenient(changes),
  $rewindTo: lenientText,
  sessionId: lenientText,
});

const SKILL_TOOL = { tool: "activate_skill", names: ["name"] };

export const geminiSession: SessionFormat = {
  format: "sessions of Gemini CLI",
  skillTool: SKILL_TOOL,
  keepsMore: true,
  detect: (one) => "sessionId" in one && "projectHash" in one,
  read: (rows) => {
    const messages = messagesOf(rows);
    // Newer versions say each result a second time, as a message in the user's name.
    const told = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)));
    const kinds = rowsAs(sessionRow, rows).flatMap((one) => one.$set?.kind ?? one.kind ?? []);
    const last = messages.findLast(({ type }) => type === "gemini" || type === "error");
    const events = messages.flatMap((one) => eventsOfGeminiMessage(one, told));
    return {
      events,
      model: messages.find(({ model }) => model)?.model,
      failure: last?.type === "error" ? geminiText(last.content) : undefined,
      lacksSubAgents: events.some(isSubAgentCall) ? "" : undefined,
      unread: unreadKinds(geminiMessage, rows.flatMap(messageRows), (_, { type }) => KNOWN.test(type)),
      isSubAgentLog: kinds.at(-1) === "subagent",
    };
  },
};

/** Newer versions keep a sub-agent's session in a file of its own. */
function isSubAgentCall(event: LogEvent): boolean {
  return event.kind === "call" && event.name === "invoke_agent";
}

/** Known message types; `info` and `warning` are left out. */
const KNOWN = /^(?:user|gemini|error|info|warning)$/;

/** A row's messages: its list, or the row itself if it neither begins nor changes the session. */
function messageRows(one: unknown): readonly unknown[] {
  const [changed] = rowsAs(sessionRow, [one]);
  const isChange = Boolean(changed?.$set ?? changed?.$rewindTo ?? changed?.sessionId);
  return changed?.$set?.messages ?? changed?.messages ?? (isChange ? [] : [one]);
}

/** The messages after all changes: a repeated id replaces the earlier message. */
function messagesOf(rows: readonly unknown[]): GeminiMessage[] {
  const messages: GeminiMessage[] = [];
  const places = new Map<string, number>();
  const tell = (one: GeminiMessage) => {
    const place = places.get(one.id) ?? messages.length;
    places.set(one.id, place);
    messages[place] = one;
  };
  const dropFrom = (place: number) => {
    for (const { id } of messages.splice(place)) places.delete(id);
  };
  for (const one of rows) {
    const [changed] = rowsAs(sessionRow, [one]);
    if (changed?.$set?.messages ?? changed?.messages) dropFrom(0);
    for (const said of rowsAs(geminiMessage, messageRows(one))) tell(said);
    // From the beginning where the message is not there, as Gemini CLI reads it.
    if (changed?.$rewindTo) dropFrom(places.get(changed.$rewindTo) ?? 0);
  }
  return messages;
}

const geminiPart = z.object({
  thought: lenientFlag,
  functionCall: lenient(geminiCall),
  functionResponse: lenient(z.object({ id: lenientText, response: z.optional(z.unknown()) })),
});

/** Calls and results in the messages of a resumed session, which has them there alone. */
function toolsInGemini(content: unknown, told: ReadonlySet<string | undefined>): LogEvent[] {
  return rowsAs(geminiPart, [content].flat()).flatMap(({ functionCall: call, functionResponse: back }) => {
    if (call) return told.has(call.id) ? [] : [callEvent(call.id, call.name, call.args)];
    const isFailed = isObject(back?.response) && "error" in back.response;
    return back && !told.has(back.id)
      ? [resultEvent(back.id, resultOfGemini({ id: back.id, result: { functionResponse: back } }), !isFailed)]
      : [];
  });
}

function eventsOfGeminiMessage(one: GeminiMessage, told: ReadonlySet<string | undefined>): LogEvent[] {
  const tools = toolsInGemini(one.content, told);
  if (one.type === "user" && hasResult(one.content)) return tools;
  if (one.type === "user") {
    const words = geminiText(one.displayContent ?? one.content);
    // Gemini CLI writes such a message itself.
    return words.trimStart().startsWith("<session_context>") ? [] : [messageEvent("user", words)];
  }
  if (one.type !== "gemini") return [];
  const calls = (one.toolCalls ?? []).flatMap((call) => [
    callEvent(call.id, call.name, call.args),
    resultEvent(call.id, resultOfGemini(call), call.status === "success"),
  ]);
  return [messageEvent("assistant", geminiText(one.content)), ...tools, ...calls];
}

function hasResult(content: unknown): boolean {
  return rowsAs(geminiPart, [content].flat()).some(({ functionResponse }) => functionResponse);
}

/** Text, a part, or a list of both. */
function geminiText(content: unknown): string {
  const texts = [content].flat().map((part: unknown) => {
    const { inlineData } = Object(part) as { inlineData?: { mimeType?: unknown } };
    if (String(inlineData?.mimeType).startsWith("image/")) return IMAGE;
    if (rowsAs(geminiPart, [part]).some((one) => one.thought ?? one.functionCall)) return "";
    return textOf(isObject(part) && "text" in part ? part.text : part);
  });
  return texts.join("");
}

/** The result that the model got, else the one displayed to the user. */
function resultOfGemini({
  id,
  result,
  resultDisplay,
}: Pick<z.infer<typeof geminiCall>, "id" | "result" | "resultDisplay">): unknown {
  const all = [result].flat();
  const idOf = (part: unknown) => rowsAs(geminiPart, [part])[0]?.functionResponse?.id;
  // In a resumed session each of several calls has the results of all.
  const isShared = all.some((part) => ![undefined, id].includes(idOf(part)));
  const own = isShared && id !== undefined ? all.filter((part) => idOf(part) === id) : all;
  const parts = own.map((part) => {
    const { functionResponse } = Object(part) as {
      functionResponse?: { response?: { output?: unknown; error?: unknown } };
    };
    const response = functionResponse?.response;
    return response ? textOf(response.output ?? response.error ?? response) : geminiText(part);
  });
  return parts.join("\n") || resultDisplay;
}

const geminiEvent = z.object({
  type: lenientText,
  subtype: lenientText,
  session_id: lenientText,
  model: lenientText,
  role: lenientText,
  content: lenientText,
  delta: lenientFlag,
  tool_name: lenientText,
  tool_id: lenientText,
  parameters: z.optional(z.unknown()),
  output: lenientText,
  status: lenientText,
  severity: lenientText,
  message: lenientText,
  error: lenient(z.object({ type: lenientText, message: lenientText })),
  /** Of `--output-format json`. */
  response: lenientText,
  stats: lenient(
    z.object({
      models: lenient(z.record(z.string(), z.unknown())),
      /** Input with what came from the cache. */
      input_tokens: lenientNumber,
      output_tokens: lenientNumber,
      cached: lenientNumber,
      duration_ms: lenientNumber,
    }),
  ),
});

type GeminiEvent = z.infer<typeof geminiEvent>;

export const geminiStream: SessionFormat = {
  format: "logs of Gemini CLI",
  skillTool: SKILL_TOOL,
  detect: (one) => rowsAs(geminiEvent, [one]).some(isGeminiEvent),
  read: (all) => {
    const rows = withPromptType(rowsAs(geminiEvent, all));
    const begun = rows.filter(({ type }) => type === "init");
    const end = rows.findLast(isEnd);
    const used = Object.keys(end?.stats?.models ?? {});
    return {
      events: eventsOfGeminiStream(rows),
      model: begun[0]?.model ?? (used.length === 1 ? used[0] : undefined),
      finalOutput: end?.response,
      failure: failureOfGemini(rows, end),
      missingEnd: begun.length > 0 && !end ? "a `result`" : undefined,
      sessions: begun.map(({ session_id: id }) => id),
      unread: unreadKinds(geminiEvent, all, isReadOfGemini),
      client: factsOfGemini(end),
      skillsFrom: skillsFromOfGemini(rows),
    };
  },
};

function isGeminiEvent({ type, session_id: session, tool_id: tool, ...one }: GeminiEvent): boolean {
  if (type === "init") return Boolean(session) && Boolean(one.model) && !one.subtype;
  if (type === "tool_use" || type === "tool_result") return Boolean(tool);
  return !type && Boolean(one.stats?.models) && (typeof one.response === "string" || Boolean(one.error));
}

function isReadOfGemini(_: string, { type, role, ...one }: GeminiEvent): boolean {
  if (type === "message" || !type) return role === "user" || role === "assistant" || (!type && isEnd(one));
  return ["init", "tool_use", "tool_result", "error", "result"].includes(type);
}

function isEnd({ type, stats, error }: Partial<GeminiEvent>): boolean {
  return type === "result" || (!type && Boolean(stats ?? error));
}

/** A harness may write the prompt before the log, as a message without a type. It counts if there is no other user message. */
function withPromptType(rows: readonly GeminiEvent[]): readonly GeminiEvent[] {
  const hasUserMessage = rows.some(({ type, role }) => type === "message" && role === "user");
  const type = hasUserMessage ? undefined : "message";
  return rows.map((one) => (!one.type && one.role === "user" ? { ...one, type } : one));
}

/** Joins consecutive pieces of a message. */
function eventsOfGeminiStream(rows: readonly GeminiEvent[]): LogEvent[] {
  const events: LogEvent[] = [];
  for (const one of rows) {
    const { type, role, content, tool_id: id } = one;
    if (type === "message" && one.delta === true && role === "assistant")
      addPiece(events, messageEvent(role, content ?? ""));
    else if (type === "message" && (role === "user" || role === "assistant"))
      events.push(messageEvent(role, content ?? ""));
    else if (type === "tool_use") events.push(callEvent(id, one.tool_name, one.parameters));
    else if (type === "tool_result")
      events.push(resultEvent(id, one.output ?? one.error?.message, one.status === "success"));
  }
  return events;
}

function factsOfGemini(end: GeminiEvent | undefined): Session["client"] {
  const { input_tokens: input, output_tokens: output = 0, cached = 0, duration_ms: ms } = end?.stats ?? {};
  const kind = end?.error?.type;
  return {
    endedBy: kind === "unknown" ? undefined : kind,
    tokens: input === undefined ? undefined : { input, output, cached },
    durationMs: ms,
  };
}

/** The folder of each skill, which the result of the call has between backticks. */
function skillsFromOfGemini(rows: readonly GeminiEvent[]): LoggedSkill[] {
  const names = new Map(
    rows.flatMap(({ tool_name: tool, tool_id: id, parameters }) => {
      const { name } = Object(parameters) as { name?: unknown };
      return tool === SKILL_TOOL.tool && id && typeof name === "string" ? [[id, name] as const] : [];
    }),
  );
  return rows.flatMap(({ type, tool_id: id = "", output = "" }) => {
    const name = type === "tool_result" ? names.get(id) : undefined;
    const [, from] = output.split("`", 2);
    return name === undefined ? [] : [{ name, from }];
  });
}

function failureOfGemini(rows: readonly GeminiEvent[], end: GeminiEvent | undefined): string | undefined {
  const lastError = rows.findLast(({ type, severity }) => type === "error" && severity === "error")?.message;
  if (end ? !end.error && end.status !== "error" : !lastError) return undefined;
  return end?.error?.message ?? lastError ?? end?.error?.type ?? "error";
}
