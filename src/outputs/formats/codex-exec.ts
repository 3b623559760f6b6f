/**
 * What `codex exec --json` prints: events of threads, turns and items. It says neither the prompt nor the model.
 * https://github.com/openai/codex, codex-rs/exec/src/exec_events.rs
 */
import * as z from "zod/mini";
import { lenient } from "../../text/optional.ts";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { TranscriptEvent } from "../schema.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, resultEvent, messageEvent } from "../transcript/events.ts";
import { textOf } from "../transcript/messages.ts";

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
