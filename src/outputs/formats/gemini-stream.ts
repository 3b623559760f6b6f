/**
 * What Gemini CLI prints: `--output-format stream-json` (JSON lines, after lines that it prints before them) and
 * `--output-format json` (the answer alone). https://github.com/google-gemini/gemini-cli, packages/core/src/output
 */
import * as z from "zod/mini";
import { lenient } from "../../text/optional.ts";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { TranscriptEvent } from "../schema.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, resultEvent, messageEvent } from "../transcript/events.ts";

const text = lenient(z.string());
const problem = lenient(z.object({ type: text, message: text }));

const row = z.object({
  type: text,
  subtype: text,
  session_id: text,
  model: text,
  role: text,
  content: text,
  delta: lenient(z.boolean()),
  tool_name: text,
  tool_id: text,
  parameters: z.optional(z.unknown()),
  output: text,
  status: text,
  severity: text,
  message: text,
  error: problem,
  /** Of `--output-format json`. */
  response: text,
  stats: lenient(z.object({ models: lenient(z.record(z.string(), z.unknown())) })),
});

type Row = z.infer<typeof row>;

export const geminiStream: SessionFormat = {
  format: "logs of Gemini CLI",
  detect: (one) => rowsAs(row, [one]).some(isDistinctive),
  read: (all) => {
    const rows = withPrompt(rowsAs(row, all));
    const begun = rows.filter(({ type }) => type === "init");
    const end = rows.findLast(isEnd);
    const used = Object.keys(end?.stats?.models ?? {});
    return {
      events: eventsOf(rows),
      model: begun[0]?.model ?? (used.length === 1 ? used[0] : undefined),
      finalOutput: end?.response,
      failure: failureOf(rows, end),
      missingEnd: begun.length > 0 && !end ? "a `result`" : undefined,
      sessionCount: new Set(begun.map(({ session_id: id }) => id)).size,
      unread: unreadKinds(row, all, isRead),
    };
  },
};

function isDistinctive({ type, session_id: session, tool_id: tool, ...one }: Row): boolean {
  if (type === "init") return Boolean(session) && Boolean(one.model) && !one.subtype;
  if (type === "tool_use" || type === "tool_result") return Boolean(tool);
  return !type && Boolean(one.stats?.models) && (typeof one.response === "string" || Boolean(one.error));
}

function isRead(_: string, { type, role, ...one }: Row): boolean {
  if (type === "message" || !type) return role === "user" || role === "assistant" || (!type && isEnd(one));
  return ["init", "tool_use", "tool_result", "error", "result"].includes(type);
}

function isEnd({ type, stats, error }: Partial<Row>): boolean {
  return type === "result" || (!type && Boolean(stats ?? error));
}

/** A harness may write the prompt before the log, as a message without a type. It counts if there is no other user message. */
function withPrompt(rows: readonly Row[]): readonly Row[] {
  const hasUserMessage = rows.some(({ type, role }) => type === "message" && role === "user");
  const type = hasUserMessage ? undefined : "message";
  return rows.map((one) => (!one.type && one.role === "user" ? { ...one, type } : one));
}

/** Joins consecutive pieces of a message. */
function eventsOf(rows: readonly Row[]): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  for (const one of rows) {
    const { type, role, content, tool_id: id } = one;
    const last = events.at(-1);
    const isPiece = one.delta === true && role === "assistant" && last?.type === "assistant.message";
    if (type === "message" && isPiece)
      events[events.length - 1] = messageEvent("assistant", `${last.content ?? ""}${content ?? ""}`);
    else if (type === "message" && (role === "user" || role === "assistant"))
      events.push(messageEvent(role, content ?? ""));
    else if (type === "tool_use") events.push(callEvent(id, one.tool_name, one.parameters));
    else if (type === "tool_result")
      events.push(resultEvent(id, one.output ?? one.error?.message, one.status === "success"));
  }
  return events;
}

function failureOf(rows: readonly Row[], end: Row | undefined): string | undefined {
  const lastError = rows.findLast(({ type, severity }) => type === "error" && severity === "error")?.message;
  if (end ? !end.error && end.status !== "error" : !lastError) return undefined;
  return end?.error?.message ?? lastError ?? end?.error?.type ?? "error";
}
