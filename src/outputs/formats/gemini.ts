/**
 * Two formats of Gemini CLI: what it prints, by `--output-format stream-json` (JSON lines, after lines that it prints before
 * them) or `--output-format json` (the answer alone); and the sessions that it keeps
 * (`~/.gemini/tmp/<project>/chats/session-*`: one JSON object, or JSON lines of changes to it).
 * https://github.com/google-gemini/gemini-cli, packages/core/src/output and services/chatRecordingTypes.ts
 */
import { IMAGE, textOf } from "./parts.ts";
import { Json, tokensOf } from "../../text/json.ts";
import { unreadOf } from "../reader.ts";
import type { LoggedSkill } from "../../domain/run.ts";
import type { SessionFormat } from "../session.ts";
import { addPiece, callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";

const SKILL_TOOL = { tool: "activate_skill", names: ["name"] };

export const geminiSession: SessionFormat = {
  format: "sessions of Gemini CLI",
  skillTool: SKILL_TOOL,
  keepsMore: true,
  detect: (one) => "sessionId" in one && "projectHash" in one,
  read: (all) => {
    const rows = all.map((row) => new Json(row));
    const messages = messagesOf(rows);
    // Newer versions say each result a second time, as a message in the user's name.
    const told = new Set(messages.flatMap((one) => one.all("toolCalls")).map((call) => call.text("id")));
    const kinds = rows.flatMap((row) => row.text("$set", "kind") ?? row.text("kind") ?? []);
    const last = messages.findLast((one) => /^(?:gemini|error)$/.test(one.type));
    const events = messages.flatMap((one) => eventsOfGeminiMessage(one, told));
    return {
      events,
      model: messages.find((one) => one.text("model"))?.text("model"),
      failure: last?.type === "error" ? geminiText(last.at("content").value) : undefined,
      // Newer versions keep a sub-agent's session in a file of its own.
      lacksSubAgents: events.some((one) => one.kind === "call" && one.name === "invoke_agent")
        ? ""
        : undefined,
      unread: unreadOf(
        rows.flatMap(messageRows).map(({ value }) => value),
        (row) => isMessage(row) && KNOWN.test(row.type),
      ),
      isSubAgentLog: kinds.at(-1) === "subagent",
    };
  },
};

function isMessage(row: Json): boolean {
  return row.text("id") !== undefined && row.text("type") !== undefined;
}

/** Known message types; `info` and `warning` are left out. */
const KNOWN = /^(?:user|gemini|error|info|warning)$/;

/** The list of all messages that a row has. */
function listIn(row: Json): readonly Json[] | undefined {
  const held = [row.at("$set", "messages"), row.at("messages")].find((one) => one.isList());
  return held?.list().map((one) => new Json(one));
}

/** A row's messages: its list, or the row itself if it neither begins nor changes the session. */
function messageRows(row: Json): readonly Json[] {
  const isChange = row.isObject("$set") || Boolean(row.text("$rewindTo") ?? row.text("sessionId"));
  return listIn(row) ?? (isChange ? [] : [row]);
}

/** The messages after all changes: a repeated id replaces the earlier message. */
function messagesOf(rows: readonly Json[]): Json[] {
  const messages: Json[] = [];
  const places = new Map<string, number>();
  const dropFrom = (place: number) => {
    for (const one of messages.splice(place)) places.delete(one.text("id") ?? "");
  };
  for (const row of rows) {
    if (listIn(row)) dropFrom(0);
    for (const message of messageRows(row).filter(isMessage)) {
      const id = message.text("id") ?? "";
      const place = places.get(id) ?? messages.length;
      places.set(id, place);
      messages[place] = message;
    }
    const rewound = row.text("$rewindTo");
    // From the beginning where the message is not there, as Gemini CLI reads it.
    if (rewound) dropFrom(places.get(rewound) ?? 0);
  }
  return messages;
}

/** The parts of a content: text, a part, or a list of both. */
function partsIn(content: unknown): readonly Json[] {
  return [content].flat().map((part: unknown) => new Json(part));
}

/** Calls and results in the messages of a resumed session, which has them there alone. */
function toolsInGemini(parts: readonly Json[], told: ReadonlySet<string | undefined>): LogEvent[] {
  return parts.flatMap((part) => {
    const [call, back] = [part.at("functionCall"), part.at("functionResponse")];
    const id = call.text("id") ?? back.text("id");
    if ((!call.isObject() && !back.isObject()) || told.has(id)) return [];
    if (call.isObject()) return [callEvent(id, call.text("name"), call.at("args").value)];
    const isFailed = back.isObject("response") && "error" in (back.at("response").value as object);
    return [resultEvent(id, resultOfGemini(id, part), !isFailed)];
  });
}

function eventsOfGeminiMessage(message: Json, told: ReadonlySet<string | undefined>): LogEvent[] {
  const content = message.at("content").value;
  const parts = partsIn(content);
  const tools = toolsInGemini(parts, told);
  if (message.type === "user") {
    if (parts.some((part) => part.isObject("functionResponse"))) return tools;
    // The user's own text, if Gemini CLI inserted files.
    const words = geminiText(message.at("displayContent").value ?? content);
    // Gemini CLI writes such a message itself.
    return words.trimStart().startsWith("<session_context>") ? [] : [messageEvent("user", words)];
  }
  if (message.type !== "gemini") return [];
  const calls = message.all("toolCalls").flatMap((call) => {
    const id = call.text("id");
    const result = resultOfGemini(id, call.at("result")) || call.at("resultDisplay").value;
    return [
      callEvent(id, call.text("name"), call.at("args").value),
      resultEvent(id, result, call.text("status") === "success"),
    ];
  });
  return [messageEvent("assistant", geminiText(content)), ...tools, ...calls];
}

/** Text, a part, or a list of both. */
function geminiText(content: unknown): string {
  const texts = partsIn(content).map((part) => {
    if (part.text("inlineData", "mimeType")?.startsWith("image/")) return IMAGE;
    if (part.flag("thought") ?? part.isObject("functionCall")) return "";
    return textOf(part.at("text").value ?? part.value);
  });
  return texts.join("");
}

/** The result that the model got, in text: in a resumed session each of several calls has the results of all. */
function resultOfGemini(id: string | undefined, result: Json): string {
  const all = partsIn(result.value);
  const ofCall = all.filter(
    (part) => part.isObject("functionResponse") && part.text("functionResponse", "id") === id,
  );
  const texts = (ofCall.length > 0 ? ofCall : all).map((part) => {
    const response = part.at("functionResponse", "response");
    if (response.value === undefined) return geminiText(part.value);
    return textOf(response.at("output").value ?? response.at("error").value ?? response.value);
  });
  return texts.join("\n");
}

export const geminiStream: SessionFormat = {
  format: "logs of Gemini CLI",
  skillTool: SKILL_TOOL,
  detect: (one) => isGeminiEvent(new Json(one)),
  read: (all) => {
    const rows = new Json(all).all();
    const begun = rows.filter((row) => row.type === "init");
    const end = rows.findLast(isEnd);
    const used = end?.keys("stats", "models") ?? [];
    const kind = end?.text("error", "type");
    return {
      events: eventsOfGeminiStream(rows),
      model: begun[0]?.text("model") ?? (used.length === 1 ? used[0] : undefined),
      finalOutput: end?.text("response"),
      failure: failureOfGemini(rows, end),
      missingEnd: begun.length > 0 && !end ? "a `result`" : undefined,
      sessions: begun.map((row) => row.text("session_id")),
      unread: unreadOf(all, isReadOfGemini),
      client: {
        endedBy: kind === "unknown" ? undefined : kind,
        // Input is with what came from the cache.
        tokens: tokensOf(end?.number("stats", "input_tokens") === undefined ? [] : [end.at("stats")], {
          input: ["input_tokens"],
          output: ["output_tokens"],
          cached: ["cached"],
        }),
        durationMs: end?.number("stats", "duration_ms"),
      },
      skillsFrom: skillsFromOfGemini(rows),
    };
  },
};

function isGeminiEvent(row: Json): boolean {
  const { type } = row;
  if (type === "init") return Boolean(row.text("session_id") && row.text("model") && !row.text("subtype"));
  if (type === "tool_use" || type === "tool_result") return Boolean(row.text("tool_id"));
  const isAnswer = row.text("response") !== undefined || row.isObject("error");
  return type === "" && row.isObject("stats", "models") && isAnswer;
}

function isReadOfGemini(row: Json): boolean {
  const type = row.type;
  if (type !== "message" && type !== "") return /^(?:init|tool_use|tool_result|error|result)$/.test(type);
  return /^(?:user|assistant)$/.test(row.text("role") ?? "") || isEnd(row);
}

/** `--output-format json` has no type. */
function isEnd(row: Json): boolean {
  const type = row.type;
  return type === "result" || (type === "" && (row.isObject("stats") || row.isObject("error")));
}

/**
 * Joins consecutive pieces of a message. A harness may write the prompt before the log, as a message without a type: it
 * counts if there is no other user message.
 */
function eventsOfGeminiStream(rows: readonly Json[]): LogEvent[] {
  const isUsers = (row: Json) => row.text("role") === "user";
  const hasPrompt = rows.some((row) => row.type === "message" && isUsers(row));
  const end = rows.findLast(isEnd);
  const events: LogEvent[] = [];
  for (const row of rows) {
    const [type, role, id] = [row.type, row.text("role"), row.text("tool_id")];
    const isMessage = type === "message" || (type === "" && isUsers(row) && !hasPrompt);
    if (isMessage && (role === "user" || role === "assistant")) {
      const message = messageEvent(role, row.text("content") ?? "");
      if (row.flag("delta") && role === "assistant") addPiece(events, message);
      else events.push(message);
    } else if (type === "tool_use")
      events.push(callEvent(id, row.text("tool_name"), row.at("parameters").value));
    else if (type === "tool_result") {
      const output = row.text("output") ?? row.text("error", "message");
      events.push(resultEvent(id, output, row.text("status") === "success"));
      // The model answered, with nothing that can be kept: where a request failed, the end has the error.
    } else if (isErrorOfGemini(row) && end && !end.isObject("error"))
      events.push(messageEvent("assistant", row.text("message") ?? ""));
  }
  return events;
}

/** The folder of each skill, which the result of the call has between backticks. */
function skillsFromOfGemini(rows: readonly Json[]): LoggedSkill[] {
  const called = rows.filter((row) => row.text("tool_name") === SKILL_TOOL.tool);
  const names = new Map(called.map((row) => [row.text("tool_id"), row.text("parameters", "name")]));
  return rows.flatMap((row) => {
    const name = row.type === "tool_result" ? names.get(row.text("tool_id")) : undefined;
    const [, from] = (row.text("output") ?? "").split("`", 2);
    return name === undefined ? [] : [{ name, from }];
  });
}

function isErrorOfGemini(row: Json): boolean {
  return row.type === "error" && row.text("severity") === "error";
}

function failureOfGemini(rows: readonly Json[], end: Json | undefined): string | undefined {
  const lastError = rows.findLast(isErrorOfGemini)?.text("message");
  const isFailed = end ? end.isObject("error") || end.text("status") === "error" : lastError !== undefined;
  if (!isFailed) return undefined;
  return end?.text("error", "message") ?? lastError ?? end?.text("error", "type") ?? "error";
}
