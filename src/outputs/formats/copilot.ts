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

/** Input with what came from the cache. */
const copilotUsage = z.object({
  inputTokens: numberOrZero,
  outputTokens: numberOrZero,
  cacheReadTokens: numberOrZero,
  cacheWriteTokens: numberOrZero,
});

const copilotEvent = z.object({
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
      toolRequests: lenient(
        z.array(z.object({ toolCallId: lenientText, name: lenientText, arguments: z.optional(z.unknown()) })),
      ),
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
      modelMetrics: lenient(z.record(z.string(), z.object({ usage: lenient(copilotUsage) }))),
    }),
  ),
});

type CopilotEvent = z.infer<typeof copilotEvent>;

/** Events that are read, and those without messages or calls; reasoning is left out. */
const KNOWN =
  /^(?:user\.message|assistant\.(?:idle|turn_retry|tool_call_delta|message|message_start|message_delta|turn_start|turn_end|usage|reasoning|reasoning_delta|intent|streaming_delta)|tool\.(?:execution_\w+|shell_output|user_requested)|skill\.\w+|result|abort|(?:session|hook|permission|subagent|system|pending_messages|model|mcp|commands|capabilities)\..*)$/;

/** The beginning of a turn, and what ends it. */
const ENDS = /^(?:assistant\.turn_(?:start|end)|session\.(?:shutdown|idle)|result|abort)$/;

export const copilot: SessionFormat = {
  format: "events of Copilot",
  skillTool: { tool: "skill", names: ["skill"] },
  detect: (one) =>
    rowsAs(copilotEvent, [one]).some(
      ({ type, data }) => data && /^(?:session|user|assistant|tool|hook|system)\.[a-z_]+$/.test(type),
    ),
  read: (all) => {
    const rows = rowsAs(copilotEvent, all);
    const started = new Set(rows.flatMap((one) => (isStart(one) ? (one.data?.toolCallId ?? []) : [])));
    const end = rows.findLast(({ type }) => ENDS.test(type));
    return {
      events: joinedPieces(rows).flatMap((one) => eventsOfCopilot(one, started)),
      model: modelOfCopilot(rows),
      failure: failureOfCopilot(rows),
      outage: outageOfCopilot(rows),
      client: factsOfCopilot(rows),
      unread: unreadKinds(copilotEvent, all, (kind) => KNOWN.test(kind)),
      missingEnd: end?.type === "assistant.turn_start" ? "the end of a turn" : undefined,
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

/** Leaves out the pieces of a message; of an interrupted one, which has nothing else, makes one message at the first. */
function joinedPieces(rows: readonly CopilotEvent[]): CopilotEvent[] {
  const idOf = (one: CopilotEvent) => one.data?.messageId || one;
  const whole = new Set(rows.filter(({ type }) => type === "assistant.message").map(idOf));
  const pieces = Map.groupBy(
    rows.filter(({ type }) => type === "assistant.message_delta"),
    idOf,
  );
  return rows.flatMap((one): CopilotEvent[] => {
    if (one.type !== "assistant.message_delta") return [one];
    const all = pieces.get(idOf(one)) ?? [];
    if (one !== all[0] || whole.has(idOf(one))) return [];
    const content = all.map(({ data }) => data?.deltaContent ?? "").join("");
    return [{ ...one, type: "assistant.message", data: { content } }];
  });
}

function eventsOfCopilot(one: CopilotEvent, started: ReadonlySet<string>): LogEvent[] {
  const { type, data } = one;
  if (!data) return [];
  if (type === "tool.execution_start") return [callEvent(data.toolCallId, data.toolName, data.arguments)];
  if (type === "tool.execution_complete")
    return [resultEvent(data.toolCallId, resultOfCopilot(data.result ?? data.error), data.success)];
  if (type === "skill.invoked") return [{ kind: "skill", text: data.name ?? "" }];
  if (type === "session.error") return [{ kind: "error", text: data.message ?? "" }];
  const isOwn = isOwnOfCopilot(one);
  const isUsers = (!data.source || data.source === "user") && data.isAutopilotContinuation !== true;
  if (type === "user.message" && isOwn && isUsers) return [messageEvent("user", textOf(data.content))];
  if (type !== "assistant.message") return [];
  // Requested calls that never started were refused, or the session ended.
  const unstarted = (data.toolRequests ?? []).filter(({ toolCallId: id }) => !id || !started.has(id));
  return [
    ...(isOwn ? [messageEvent("assistant", textOf(data.content))] : []),
    ...unstarted.map(({ toolCallId: id, name, arguments: input }) => callEvent(id, name, input)),
  ];
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
