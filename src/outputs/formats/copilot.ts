/**
 * Events of GitHub Copilot: what `copilot -p … --output-format json` prints, and the `events.jsonl` that its CLI and its
 * SDK keep (`~/.copilot/session-state/<session>/`). waza's transcripts are made of the same events:
 * https://github.com/github/copilot-sdk, session-events.schema.json
 */
import * as z from "zod/mini";
import { lenient, lenientFlag, lenientNumber, lenientText, numberOrZero } from "../../text/optional.ts";
import type { LoggedSkill } from "../../domain/run.ts";
import { outageOf, rowsAs, unreadKinds, type Outage } from "../reader.ts";
import type { Session, SessionFormat } from "../session.ts";
import { callEvent, resultEvent, messageEvent, type LogEvent } from "../transcript.ts";
import { textOf } from "./parts.ts";
import { sumsOf } from "../../text/format.ts";

const request = z.object({ toolCallId: lenientText, name: lenientText, arguments: z.optional(z.unknown()) });

/** Input with what came from the cache. */
const usageOfModel = z.object({
  inputTokens: numberOrZero,
  outputTokens: numberOrZero,
  cacheReadTokens: numberOrZero,
  cacheWriteTokens: numberOrZero,
});

const row = z.object({
  type: z.string(),
  /** Set in a sub-agent's events. */
  agentId: lenientText,
  /** Of the last row that is printed, `result`. */
  exitCode: lenientNumber,
  usage: lenient(z.object({ sessionDurationMs: lenientNumber })),
  data: lenient(
    z.object({
      content: z.optional(z.unknown()),
      /** Who wrote a message of the user: `user`, else a skill, a command, another agent. */
      source: lenientText,
      isAutopilotContinuation: lenientFlag,
      parentToolCallId: lenientText,
      messageId: lenientText,
      deltaContent: lenientText,
      toolRequests: lenient(z.array(request)),
      toolCallId: lenientText,
      toolName: lenientText,
      arguments: z.optional(z.unknown()),
      success: lenientFlag,
      result: z.optional(z.unknown()),
      error: z.optional(z.unknown()),
      name: lenientText,
      message: lenientText,
      reason: lenientText,
      model: lenientText,
      selectedModel: lenientText,
      newModel: lenientText,
      sessionId: lenientText,
      /** Of an error: its kind, and the provider's HTTP status. */
      errorType: lenientText,
      statusCode: lenientNumber,
      /** The skills that the agent has. */
      skills: lenient(z.array(z.object({ name: z.string(), path: lenientText }))),
      copilotVersion: lenientText,
      /** What each model used, at a session's end. */
      modelMetrics: lenient(z.record(z.string(), z.object({ usage: lenient(usageOfModel) }))),
    }),
  ),
});

type CopilotEvent = z.infer<typeof row>;

/** Events that are read, and those without messages or calls; reasoning is left out. */
const KNOWN =
  /^(?:user\.message|assistant\.(?:idle|turn_retry|tool_call_delta|message|message_start|message_delta|turn_start|turn_end|usage|reasoning|reasoning_delta|intent|streaming_delta)|tool\.(?:execution_\w+|shell_output|user_requested)|skill\.\w+|result|abort|(?:session|hook|permission|subagent|system|pending_messages|model|mcp|commands|capabilities)\..*)$/;

export const copilot: SessionFormat = {
  format: "events of Copilot",
  skillTool: { tool: "skill", names: ["skill"] },
  detect: (one) =>
    rowsAs(row, [one]).some(
      ({ type, data }) => data && /^(?:session|user|assistant|tool|hook|system)\.[a-z_]+$/.test(type),
    ),
  read: (all) => {
    const rows = rowsAs(row, all);
    const started = new Set(rows.flatMap((one) => (isStart(one) ? (one.data?.toolCallId ?? []) : [])));
    const whole = new Set(
      rows.flatMap(({ type, data }) => (type === "assistant.message" ? (data?.messageId ?? []) : [])),
    );
    return {
      events: joinedPieces(rows).flatMap((one) => eventsOfCopilot(one, started, whole)),
      model: modelOfCopilot(rows),
      failure: failureOfCopilot(rows),
      outage: outageOfCopilot(rows),
      client: factsOfCopilot(rows),
      skillsFrom: offeredSkills(rows),
      unread: unreadKinds(row, all, (kind) => KNOWN.test(kind)),
      missingEnd: isInterrupted(rows) ? "the end of a turn" : undefined,
      sessions: rows.flatMap(({ type, data }) => (type === "session.start" ? (data?.sessionId ?? []) : [])),
    };
  },
};

/** The last error of a session that went no further. */
function lastError(rows: readonly CopilotEvent[]): CopilotEvent["data"] {
  const end = rows.findLast(({ type }) => type === "session.error" || type === "assistant.message");
  return end?.type === "session.error" ? end.data : undefined;
}

/** By the status of the error; an error of a call without a status is one of the network. */
function outageOfCopilot(rows: readonly CopilotEvent[]): Outage | undefined {
  const error = lastError(rows);
  if (!error || error.statusCode !== undefined) return outageOf(error?.statusCode);
  return rows.some(({ type }) => type === "model.call_failure") ? "busy" : undefined;
}

function offeredSkills(rows: readonly CopilotEvent[]): readonly LoggedSkill[] | undefined {
  const loaded = rows.findLast(({ data }) => data?.skills !== undefined)?.data?.skills;
  return loaded?.map(({ name, path }) => ({ name, from: path }));
}

/** The tool of each call that ended as denied. */
function refusedByCopilot(rows: readonly CopilotEvent[]): readonly string[] {
  const tools = new Map(rows.filter(isStart).map(({ data }) => [data?.toolCallId, data?.toolName ?? "?"]));
  return rows.flatMap(({ type, data }) => {
    const { code } = Object(data?.error) as { code?: unknown };
    const isDenied = type === "tool.execution_complete" && code === "denied";
    return isDenied ? [tools.get(data?.toolCallId) ?? "?"] : [];
  });
}

function factsOfCopilot(rows: readonly CopilotEvent[]): Session["client"] {
  const metrics = rows.findLast(({ data }) => data?.modelMetrics)?.data?.modelMetrics;
  const used = sumsOf(Object.values(metrics ?? {}).flatMap(({ usage }) => usage ?? []));
  return {
    skills: offeredSkills(rows),
    refused: refusedByCopilot(rows),
    endedBy: lastError(rows)?.errorType,
    tokens: used && {
      input: used.inputTokens,
      output: used.outputTokens,
      cached: used.cacheReadTokens,
      written: used.cacheWriteTokens,
    },
    durationMs: rows.findLast(({ usage }) => usage)?.usage?.sessionDurationMs,
    version: rows.find(({ data }) => data?.copilotVersion)?.data?.copilotVersion,
  };
}

function isStart({ type }: CopilotEvent): boolean {
  return type === "tool.execution_start";
}

function isOwnOfCopilot({ agentId, data }: CopilotEvent): boolean {
  return !agentId && !data?.parentToolCallId;
}

function isUsers({ source, isAutopilotContinuation }: NonNullable<CopilotEvent["data"]>): boolean {
  return (!source || source === "user") && isAutopilotContinuation !== true;
}

/** Joins the pieces of a message at the first one: an interrupted message has only pieces. */
function joinedPieces(rows: readonly CopilotEvent[]): CopilotEvent[] {
  const first = new Map<string, { type: string; data: { messageId: string; deltaContent: string } }>();
  return rows.flatMap((one): CopilotEvent[] => {
    const { messageId, deltaContent } = one.data ?? {};
    if (one.type !== "assistant.message_delta" || !messageId) return [one];
    const before = first.get(messageId);
    if (before) before.data.deltaContent += deltaContent ?? "";
    const whole = { ...one, data: { messageId, deltaContent: deltaContent ?? "" } };
    if (!before) first.set(messageId, whole);
    return before ? [] : [whole];
  });
}

function eventsOfCopilot(
  one: CopilotEvent,
  started: ReadonlySet<string>,
  whole: ReadonlySet<string>,
): LogEvent[] {
  const { type, data } = one;
  if (!data) return [];
  if (type === "tool.execution_start") return [callEvent(data.toolCallId, data.toolName, data.arguments)];
  if (type === "tool.execution_complete")
    return [resultEvent(data.toolCallId, resultOfCopilot(data.result ?? data.error), data.success)];
  if (type === "skill.invoked") return [{ kind: "skill", text: data.name ?? "" }];
  if (type === "session.error") return [{ kind: "error", text: data.message ?? "" }];
  const isWhole = type !== "assistant.message_delta" || !whole.has(data.messageId ?? "");
  const words = isOwnOfCopilot(one) && isWhole ? wordsOfMessage(type, data) : [];
  return type === "assistant.message" ? [...words, ...unstarted(data.toolRequests ?? [], started)] : words;
}

function wordsOfMessage(type: string, data: NonNullable<CopilotEvent["data"]>): LogEvent[] {
  if (type === "user.message") return isUsers(data) ? [messageEvent("user", textOf(data.content))] : [];
  if (type === "assistant.message") return [messageEvent("assistant", textOf(data.content))];
  return type === "assistant.message_delta" ? [messageEvent("assistant", data.deltaContent ?? "")] : [];
}

/** Requested calls that never started: refused, or the session ended. */
function unstarted(requests: readonly z.infer<typeof request>[], started: ReadonlySet<string>): LogEvent[] {
  return requests
    .filter(({ toolCallId: id }) => !id || !started.has(id))
    .map(({ toolCallId: id, name, arguments: input }) => callEvent(id, name, input));
}

/** The detailed result, else the one shortened for the model, else an error's message. */
function resultOfCopilot(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  const { detailedContent, content, message } = result as Record<string, unknown>;
  return detailedContent || content || message || textOf(result);
}

function modelOfCopilot(rows: readonly CopilotEvent[]): string | undefined {
  const named = (model: string | undefined) => (model && model !== "auto" ? [model] : []);
  const messages = rows
    .filter(isOwnOfCopilot)
    .flatMap(({ type, data }) => (type === "assistant.message" ? named(data?.model) : []));
  const chosen = rows.flatMap(({ data }) => named(data?.newModel ?? data?.selectedModel));
  return messages[0] ?? chosen.at(-1);
}

/** The exit code (`result`), or the last error or abort without a later message of the agent. */
function failureOfCopilot(rows: readonly CopilotEvent[]): string | undefined {
  const end = rows.findLast(
    ({ type }) => type === "session.error" || type === "abort" || type === "assistant.message",
  );
  const error = end?.type === "assistant.message" ? undefined : end?.data;
  const exit = rows.findLast(({ type }) => type === "result")?.exitCode ?? 0;
  if (exit === 0 && !error) return undefined;
  return error?.message ?? error?.reason ?? (exit === 0 ? "aborted" : `exit code ${String(exit)}`);
}

const ENDS: ReadonlySet<string> = new Set([
  "assistant.turn_end",
  "session.shutdown",
  "session.idle",
  "result",
  "abort",
]);

function isInterrupted(rows: readonly CopilotEvent[]): boolean {
  return (
    rows.findLast(({ type }) => type === "assistant.turn_start" || ENDS.has(type))?.type ===
    "assistant.turn_start"
  );
}
