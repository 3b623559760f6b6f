/**
 * Events of GitHub Copilot: what `copilot -p … --output-format json` prints, and the `events.jsonl` that its CLI and its
 * SDK keep (`~/.copilot/session-state/<session>/`). waza's transcripts are made of the same events:
 * https://github.com/github/copilot-sdk, session-events.schema.json
 */
import type { LoggedSkill } from "../../domain/run.ts";
import { Json, tokensOf } from "../../text/json.ts";
import { outageOf, unreadOf } from "../reader.ts";
import type { Session, SessionFormat } from "../session.ts";
import { callEvent, resultEvent, messageEvent, type LogEvent } from "../transcript.ts";
import { textOf } from "./parts.ts";

/** Events that are read, and those without messages or calls; reasoning is left out. */
const KNOWN =
  /^(?:user\.message|assistant\.(?:idle|turn_retry|tool_call_delta|message|message_start|message_delta|turn_start|turn_end|usage|reasoning|reasoning_delta|intent|streaming_delta)|tool\.(?:execution_\w+|shell_output|user_requested)|skill\.\w+|result|abort|(?:session|hook|permission|subagent|system|pending_messages|model|mcp|commands|capabilities)\..*)$/;

/** The beginning of a turn, and what ends it. */
const ENDS = /^(?:assistant\.turn_(?:start|end)|session\.(?:shutdown|idle)|result|abort)$/;

export const copilot: SessionFormat = {
  format: "events of Copilot",
  skillTool: { tool: "skill", names: ["skill"] },
  detect: (one) => {
    const row = new Json(one);
    return row.isObject("data") && /^(?:session|user|assistant|tool|hook|system)\.[a-z_]+$/.test(row.type);
  },
  read: (all) => {
    const rows = new Json(all).all();
    const started = new Set(rows.filter(isA("tool.execution_start")).map(callOf));
    const agents = rows.filter(isA("subagent.started"));
    const nameOf = (row: Json) => row.text("data", "agentDisplayName") ?? row.text("data", "agentName");
    const subAgents = new Map(agents.map((row) => [row.text("agentId"), nameOf(row)]));
    const end = rows.findLast((row) => ENDS.test(row.type));
    const error = lastError(rows);
    const status = error?.number("statusCode");
    // An error of a call without a status is one of the network.
    const isUnreached = error && status === undefined && rows.some(isA("model.call_failure"));
    return {
      events: joinedPieces(rows).flatMap((row) => {
        const subAgent = isOwnOfCopilot(row) ? undefined : (subAgents.get(row.text("agentId")) ?? "unnamed");
        return eventsOfCopilot(row, started).map((event) =>
          event.kind === "call" ? { ...event, subAgent } : event,
        );
      }),
      model: modelOfCopilot(rows),
      failure: failureOfCopilot(rows, error),
      outage: isUnreached ? "busy" : outageOf(status),
      client: { ...factsOfCopilot(rows), endedBy: error?.text("errorType") },
      unread: unreadOf(all, (row) => KNOWN.test(row.type)),
      missingEnd: end && isA("assistant.turn_start")(end) ? "the end of a turn" : undefined,
      sessions: rows.filter(isA("session.start")).flatMap((row) => row.text("data", "sessionId") ?? []),
    };
  },
};

function isA(...types: readonly string[]): (row: Json) => boolean {
  return (row) => types.includes(row.type);
}

function callOf(row: Json): string | undefined {
  return row.text("data", "toolCallId");
}

/** The last error or abort of a session that went no further. */
function lastError(rows: readonly Json[]): Json | undefined {
  const end = rows.findLast(isA("session.error", "abort", "assistant.message"));
  return end && !isA("assistant.message")(end) && end.isObject("data") ? end.at("data") : undefined;
}

function offeredSkills(rows: readonly Json[]): readonly LoggedSkill[] | undefined {
  const loaded = rows.findLast((row) => row.isList("data", "skills"));
  return loaded?.all("data", "skills").flatMap((one) => {
    const name = one.text("name");
    return name === undefined ? [] : [{ name, from: one.text("path") }];
  });
}

/** The tool of each call that ended as denied. */
function refusedByCopilot(rows: readonly Json[]): readonly string[] {
  const starts = rows.filter(isA("tool.execution_start"));
  const tools = new Map(starts.map((row) => [callOf(row), row.text("data", "toolName")]));
  return rows
    .filter(isA("tool.execution_complete"))
    .filter((row) => row.text("data", "error", "code") === "denied")
    .map((row) => tools.get(callOf(row)) ?? "?");
}

function factsOfCopilot(rows: readonly Json[]): Session["client"] {
  // Of each request, since a session that was killed has no sums of its models.
  const requests = rows.filter(isA("session.usage_record")).map((row) => row.at("data"));
  const models = rows.findLast((row) => row.isObject("data", "modelMetrics"))?.all("data", "modelMetrics");
  const used = (requests.length > 0 ? requests : (models ?? [])).filter((one) => one.isObject("usage"));
  return {
    skills: offeredSkills(rows),
    refused: refusedByCopilot(rows),
    // Input is with what came from the cache.
    tokens: tokensOf(used, {
      input: ["usage.inputTokens"],
      output: ["usage.outputTokens"],
      cached: ["usage.cacheReadTokens"],
      written: ["usage.cacheWriteTokens"],
    }),
    durationMs: rows.findLast((row) => row.isObject("usage"))?.number("usage", "sessionDurationMs"),
    version: rows.find((row) => row.text("data", "copilotVersion"))?.text("data", "copilotVersion"),
  };
}

/** Not a sub-agent's. */
function isOwnOfCopilot(row: Json): boolean {
  return !row.text("agentId") && !row.text("data", "parentToolCallId");
}

/** Leaves out the pieces of a message; of an interrupted one, which has nothing else, makes one message at the first. */
function joinedPieces(rows: readonly Json[]): Json[] {
  const idOf = (row: Json) => row.text("data", "messageId") || row;
  const whole = new Set(rows.filter(isA("assistant.message")).map(idOf));
  const pieces = Map.groupBy(rows.filter(isA("assistant.message_delta")), idOf);
  return rows.flatMap((row) => {
    if (!isA("assistant.message_delta")(row)) return row;
    const all = pieces.get(idOf(row)) ?? [];
    if (row !== all[0] || whole.has(idOf(row))) return [];
    const content = all.map((one) => one.text("data", "deltaContent") ?? "").join("");
    return new Json({ ...(row.value as object), type: "assistant.message", data: { content } });
  });
}

function eventsOfCopilot(row: Json, started: ReadonlySet<string | undefined>): LogEvent[] {
  const [type, data, id] = [row.type, row.at("data"), callOf(row)];
  if (!row.isObject("data")) return [];
  if (type === "tool.execution_start")
    return [callEvent(id, data.text("toolName"), data.at("arguments").value)];
  if (type === "tool.execution_complete") {
    const result = data.at("result").value ?? data.at("error").value;
    const isFailed = (data.number("shellExecution", "exitCode") ?? 0) !== 0;
    return [resultEvent(id, resultOfCopilot(result), isFailed ? false : data.flag("success"))];
  }
  if (type === "skill.invoked") return [{ kind: "skill", text: data.text("name") ?? "" }];
  if (type === "session.error") return [{ kind: "error", text: data.text("message") ?? "" }];
  const isOwn = isOwnOfCopilot(row);
  const words = textOf(data.at("content").value);
  // Else a skill, a command, another agent or its autopilot wrote it.
  const isUsers = ["", "user"].includes(data.text("source") ?? "") && !data.flag("isAutopilotContinuation");
  if (type === "user.message" && isOwn && isUsers) return [messageEvent("user", words)];
  if (type !== "assistant.message") return [];
  // Requested calls that never started were refused, or the session ended.
  const unstarted = data.all("toolRequests").filter((call) => {
    const own = call.text("toolCallId");
    return !own || !started.has(own);
  });
  return [
    ...(isOwn ? [messageEvent("assistant", words)] : []),
    ...unstarted.map((call) =>
      callEvent(call.text("toolCallId"), call.text("name"), call.at("arguments").value),
    ),
  ];
}

/** The result that the model got, else the one for the screen, else an error's message. */
function resultOfCopilot(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  const { detailedContent, content, message } = result as Record<string, unknown>;
  return content || detailedContent || message || textOf(result);
}

function modelOfCopilot(rows: readonly Json[]): string | undefined {
  const named = (model: string | undefined) => (model && model !== "auto" ? [model] : []);
  const messages = rows.filter(isOwnOfCopilot).filter(isA("assistant.message"));
  const chosen = rows.map((row) => row.text("data", "newModel") ?? row.text("data", "selectedModel"));
  return messages.flatMap((row) => named(row.text("data", "model")))[0] ?? chosen.flatMap(named).at(-1);
}

/** The exit code (`result`), or the last error. */
function failureOfCopilot(rows: readonly Json[], error: Json | undefined): string | undefined {
  const exit = rows.findLast(isA("result"))?.number("exitCode") ?? 0;
  if (exit === 0 && !error) return undefined;
  const reason = error?.text("message") ?? error?.text("reason");
  return reason ?? (exit === 0 ? "aborted" : `exit code ${String(exit)}`);
}
