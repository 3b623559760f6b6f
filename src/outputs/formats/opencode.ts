/**
 * What `opencode run --format json` prints: the parts of the agent's messages as they are finished, without the prompt
 * and the model; and what `opencode export` does: one object with the messages of a session, which has both.
 * https://github.com/sst/opencode, packages/opencode/src/cli/cmd/run.ts and export.ts
 */
import * as z from "zod/mini";
import { lenient } from "../../text/optional.ts";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { TranscriptEvent } from "../schema.ts";
import type { Session, SessionFormat } from "../session.ts";
import { callEvent, resultEvent, messageEvent } from "../transcript/events.ts";

const text = lenient(z.string());

const part = z.object({
  type: text,
  text,
  /** Written by OpenCode as the user. */
  synthetic: lenient(z.boolean()),
  tool: text,
  callID: text,
  reason: text,
  state: lenient(
    z.object({
      status: text,
      input: z.optional(z.unknown()),
      output: z.optional(z.unknown()),
      error: text,
    }),
  ),
});
const problem = lenient(z.object({ name: text, data: lenient(z.object({ message: text })) }));
const row = z.object({ type: z.string(), sessionID: z.string(), part: lenient(part), error: problem });
const message = z.object({
  info: z.object({ role: z.string(), modelID: text, error: problem }),
  parts: z.array(part),
});
const exported = z.object({ info: z.object({ id: z.string() }), messages: z.array(message) });

type Row = z.infer<typeof row>;
type Part = z.infer<typeof part>;

/** Parts without messages or calls. */
const SILENT = new Set([
  "step_start",
  "step_finish",
  "reasoning",
  "snapshot",
  "patch",
  "compaction",
  "retry",
]);
const READ = new Set(["text", "tool_use", "tool", "error"]);

/** A call that is pending or running has no outcome. */
const OUTCOMES: ReadonlyMap<string, boolean> = new Map([
  ["completed", true],
  ["error", false],
]);

export const openCode: SessionFormat = {
  format: "logs of OpenCode",
  detect: (one) =>
    rowsAs(row, [one]).some((told) => told.part ?? told.error) || rowsAs(exported, [one]).length > 0,
  read: (all) => {
    const sessions = rowsAs(exported, all);
    if (sessions.length > 0) return sessionOf(sessions);
    const rows = rowsAs(row, all);
    const end = rows.findLast(({ type }) => type === "text" || type === "error");
    const error = end?.type === "error" ? (end.error ?? {}) : undefined;
    return {
      events: rows.flatMap((one) => eventsOf(one.type, one.part)),
      unread: unreadKinds(row, all, (_, { type }) => isKnown(type)),
      failure: error ? (error.data?.message ?? error.name ?? "error") : undefined,
      missingEnd: error || isWhole(rows) ? undefined : "the end of its last step",
      sessionCount: new Set(rows.map(({ sessionID }) => sessionID)).size,
    };
  },
};

/** The last step has an end, and the agent did not wait for a tool then. */
function isWhole(rows: readonly Row[]): boolean {
  const step = rows.findLast(({ type }) => type.startsWith("step_"));
  return !step || (step.type === "step_finish" && step.part?.reason !== "tool-calls");
}

/** An export has the last error, the prompt and the model. */
function sessionOf(sessions: readonly z.infer<typeof exported>[]): Session {
  const messages = sessions.flatMap((one) => one.messages);
  const agents = messages.filter(({ info }) => info.role === "assistant");
  const error = agents.at(-1)?.info.error;
  return {
    events: messages.flatMap(({ info, parts }) =>
      parts.flatMap((one) => eventsOf(one.type ?? "", one, info.role === "user" ? "user" : "assistant")),
    ),
    model: agents.find(({ info }) => info.modelID)?.info.modelID,
    failure: error ? (error.data?.message ?? error.name ?? "error") : undefined,
    sessionCount: sessions.length,
    unread: messages.flatMap(({ parts }) => unreadKinds(part, parts, (_, { type }) => isKnown(type ?? ""))),
  };
}

/** The two forms write one kind with `_` and with `-`. */
function isKnown(type: string): boolean {
  return SILENT.has(type.replace("-", "_")) || READ.has(type);
}

function eventsOf(
  type: string,
  part: Part | undefined,
  who: "user" | "assistant" = "assistant",
): TranscriptEvent[] {
  if (type === "text") return part?.synthetic ? [] : [messageEvent(who, part?.text ?? "")];
  if (!type.startsWith("tool") || !part) return [];
  const { callID: id, tool, state } = part;
  return [
    callEvent(id, tool, state?.input),
    resultEvent(id, state?.output ?? state?.error, OUTCOMES.get(state?.status ?? "")),
  ];
}
