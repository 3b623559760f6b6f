/**
 * Sessions that Codex keeps (`~/.codex/sessions/…/rollout-*.jsonl`): rows of `session_meta`, `turn_context`,
 * `response_item` and `event_msg`. https://github.com/openai/codex, codex-rs/protocol/src/protocol.rs
 */
import * as z from "zod/mini";
import { IMAGE, eventsOfItem, isKnownItem, responseItem, textOf } from "./messages.ts";
import { rowsAs, unreadKinds, type SessionFormat } from "../session.ts";
import type { TranscriptEvent } from "./waza.ts";
import { callEvent, messageEvent, resultEvent } from "../transcript.ts";
import { lenient } from "../../text/optional.ts";

/*
 * What `codex exec --json` prints: events of threads, turns and items. It says neither the prompt nor the model.
 * https://github.com/openai/codex, codex-rs/exec/src/exec_events.rs
 */

const text = lenient(z.string());
const problem = lenient(z.object({ message: text }));

const item = z.looseObject({
  id: text,
  type: text,
  text,
  status: text,
  aggregated_output: text,
  exit_code: lenient(z.number()),
  server: text,
  tool: text,
  arguments: z.optional(z.unknown()),
  result: lenient(z.object({ content: z.optional(z.unknown()) })),
  error: problem,
});

const row = z.object({
  type: z.string(),
  thread_id: text,
  item: lenient(item),
  error: problem,
  message: text,
});

type Row = z.infer<typeof row>;
type Item = z.infer<typeof item>;

export const codexExec: SessionFormat = {
  format: "logs of codex exec",
  detect: (one) => rowsAs(row, [one]).some(isDistinctive),
  read: (all) => {
    const rows = rowsAs(row, all);
    const end = rows.findLast(({ type }) => type.startsWith("turn.") || type === "error");
    const failed = end?.type === "turn.failed" || end?.type === "error";
    return {
      events: lastStates(rows).flatMap(eventsOf),
      failure: failed ? (end.error?.message ?? end.message ?? end.type) : undefined,
      missingEnd: end?.type === "turn.started" ? "a `turn.completed`" : undefined,
      sessionCount: new Set(rows.flatMap(({ thread_id: id }) => id ?? [])).size,
      unread: unreadKinds(row, all, (_, one) => isDistinctive(one) || one.type === "error"),
    };
  },
};

function isDistinctive({ type, thread_id: thread, item: one }: Row): boolean {
  if (type.startsWith("item.")) return Boolean(one?.type);
  return type === "thread.started" ? Boolean(thread) : /^turn\.(?:started|completed|failed)$/.test(type);
}

/** The last state of each item, at its first position. A resumed thread restarts its item ids. */
function lastStates(rows: readonly Row[]): Row[] {
  const states = new Map<string, Row>();
  let part = 0;
  for (const [index, one] of rows.entries()) {
    if (one.type === "thread.started") part += 1;
    if (one.item) states.set(`${String(part)} ${one.item.id ?? `row ${String(index)}`}`, one);
  }
  return [...states.values()];
}

function eventsOf({ type, item: one }: Row): TranscriptEvent[] {
  if (!one || one.type === "reasoning" || one.type === "plan") return [];
  if (one.type === "agent_message") return [messageEvent("assistant", one.text ?? "")];
  // Not fatal: a failed turn has its own event.
  if (one.type === "error") return [];
  const call = callEvent(one.id, nameOf(one), one.arguments ?? inputOf(one));
  return type === "item.completed" ? [call, resultEvent(one.id, resultOf(one), isSuccess(one))] : [call];
}

function nameOf({ type, server, tool }: Item): string {
  return type === "mcp_tool_call" ? `${server ?? "?"}.${tool ?? "?"}` : (type ?? "(unnamed)");
}

/** The fields of the call: `command`, `changes`, `query`, `items`. */
function inputOf(one: Item): unknown {
  const { id: _, type: _type, status: _status, aggregated_output: _output, exit_code: _code, ...input } = one;
  return input;
}

function resultOf({ aggregated_output: output, result, error, status }: Item): string | undefined {
  return output ?? error?.message ?? (result ? textOf(result.content) : undefined) ?? status;
}

function isSuccess({ exit_code: code, status }: Item): boolean | undefined {
  if (code !== undefined) return code === 0;
  return status ? status === "completed" : undefined;
}

const rowOfCodexSession = z.object({
  type: z.enum(["session_meta", "turn_context", "response_item", "event_msg", "compacted"]),
  payload: z.extend(responseItem, {
    message: text,
    reason: text,
    /** Images of a user message. */
    images: lenient(z.array(z.unknown())),
    local_images: lenient(z.array(z.unknown())),
    model: text,
    thread_source: text,
    source: z.optional(z.unknown()),
  }),
});

type CodexSessionRow = z.infer<typeof rowOfCodexSession>;

export const codexSession: SessionFormat = {
  format: "sessions of Codex",
  detect: (one) => z.safeParse(rowOfCodexSession, one).success,
  read: (all) => {
    const rows = rowsAs(rowOfCodexSession, all);
    const meta = rows.find(({ type }) => type === "session_meta")?.payload;
    const end = rows.findLast(isTurnEvent)?.payload;
    return {
      events: eventsOfOfCodexSession(rows),
      model:
        rows.find(({ type, payload }) => type === "turn_context" && payload.model)?.payload.model ??
        undefined,
      failure: failureOf(rows),
      missingEnd: end?.type?.endsWith("_started") ? "the end of a turn" : undefined,
      unread: unreadKinds(rowOfCodexSession, all, isRead),
      isSubAgentLog: meta?.thread_source === "subagent" || isFromSubAgent(meta?.source),
    };
  },
};

/** Only unknown items count as unread: events repeat items, and other rows are about the session. */
function isRead(_: string, { type, payload }: CodexSessionRow): boolean {
  return type !== "response_item" || isKnownItem(payload);
}

/** Why the agent failed; an error or abort that is followed by an answer is none. */
function failureOf(rows: readonly CodexSessionRow[]): string | undefined {
  const end = rows.findLast((one) => isTurnEvent(one) || isAnswer(one));
  const { type, message, reason } = end?.payload ?? {};
  const failed = end && !isAnswer(end) && (type === "turn_aborted" || type === "error");
  return failed ? (message ?? reason ?? type) : undefined;
}

/** Start or end of a turn, or an error. Older versions call turns tasks. */
function isTurnEvent({ type, payload }: CodexSessionRow): boolean {
  return (
    type === "event_msg" && /^(?:(?:task|turn)_(?:started|complete|aborted)|error)$/.test(payload.type ?? "")
  );
}

function isFromSubAgent(source: unknown): boolean {
  return typeof source === "object" && source !== null && "subagent" in source;
}

function isMessage({ type, payload }: CodexSessionRow, event: string): boolean {
  return type === "event_msg" && payload.type === event && Boolean(payload.message);
}

function isItem(one: CodexSessionRow | undefined, role: string): boolean {
  return one?.type === "response_item" && one.payload.type === "message" && one.payload.role === role;
}

function isAnswer(one: CodexSessionRow): boolean {
  return isItem(one, "assistant") || isMessage(one, "agent_message");
}

/**
 * Events of the items. User items also hold what Codex adds in the user's name (the environment, AGENTS.md), so the
 * user's text is taken from `user_message` events. In a log without them, only the last of adjacent user items is the
 * user's own.
 */
function eventsOfOfCodexSession(rows: readonly CodexSessionRow[]): TranscriptEvent[] {
  const hasUser = rows.some((one) => isMessage(one, "user_message"));
  const hasAgent = rows.some((one) => isItem(one, "assistant"));
  const items = rows.filter(({ type }) => type === "response_item");
  const lastOfUser = new Set(items.filter((_, index) => !isItem(items[index + 1], "user")));
  return rows.flatMap((one): TranscriptEvent[] => {
    if (isMessage(one, "user_message")) return [messageEvent("user", userText(one.payload))];
    if (isMessage(one, "agent_message") && !hasAgent)
      return [messageEvent("assistant", one.payload.message ?? "")];
    if (one.type !== "response_item") return [];
    if (isItem(one, "user") && (hasUser || !lastOfUser.has(one))) return [];
    return eventsOfItem(one.payload);
  });
}

/** The user's text, followed by a placeholder for each image. */
function userText({ message, images, local_images: local }: CodexSessionRow["payload"]): string {
  return [message, ...[...(images ?? []), ...(local ?? [])].map(() => IMAGE)].join("\n");
}
