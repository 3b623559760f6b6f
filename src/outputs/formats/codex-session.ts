/**
 * Sessions that Codex keeps (`~/.codex/sessions/…/rollout-*.jsonl`): rows of `session_meta`, `turn_context`,
 * `response_item` and `event_msg`. https://github.com/openai/codex, codex-rs/protocol/src/protocol.rs
 */
import * as z from "zod/mini";
import { lenient } from "../../text/optional.ts";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { TranscriptEvent } from "../schema.ts";
import type { SessionFormat } from "../session.ts";
import { messageEvent } from "../transcript/events.ts";
import { IMAGE } from "../transcript/messages.ts";
import { eventsOfItem, isKnownItem, responseItem } from "../transcript/response-items.ts";

const text = lenient(z.string());

const row = z.object({
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

type Row = z.infer<typeof row>;

export const codexSession: SessionFormat = {
  format: "sessions of Codex",
  detect: (one) => z.safeParse(row, one).success,
  read: (all) => {
    const rows = rowsAs(row, all);
    const meta = rows.find(({ type }) => type === "session_meta")?.payload;
    const end = rows.findLast(isTurnEvent)?.payload;
    return {
      events: eventsOf(rows),
      model:
        rows.find(({ type, payload }) => type === "turn_context" && payload.model)?.payload.model ??
        undefined,
      failure: failureOf(rows),
      missingEnd: end?.type?.endsWith("_started") ? "the end of a turn" : undefined,
      unread: unreadKinds(row, all, isRead),
      isSubAgentLog: meta?.thread_source === "subagent" || isFromSubAgent(meta?.source),
    };
  },
};

/** Only unknown items count as unread: events repeat items, and other rows are about the session. */
function isRead(_: string, { type, payload }: Row): boolean {
  return type !== "response_item" || isKnownItem(payload);
}

/** Why the agent failed; an error or abort that is followed by an answer is none. */
function failureOf(rows: readonly Row[]): string | undefined {
  const end = rows.findLast((one) => isTurnEvent(one) || isAnswer(one));
  const { type, message, reason } = end?.payload ?? {};
  const failed = end && !isAnswer(end) && (type === "turn_aborted" || type === "error");
  return failed ? (message ?? reason ?? type) : undefined;
}

/** Start or end of a turn, or an error. Older versions call turns tasks. */
function isTurnEvent({ type, payload }: Row): boolean {
  return (
    type === "event_msg" && /^(?:(?:task|turn)_(?:started|complete|aborted)|error)$/.test(payload.type ?? "")
  );
}

function isFromSubAgent(source: unknown): boolean {
  return typeof source === "object" && source !== null && "subagent" in source;
}

function isMessage({ type, payload }: Row, event: string): boolean {
  return type === "event_msg" && payload.type === event && Boolean(payload.message);
}

function isItem(one: Row | undefined, role: string): boolean {
  return one?.type === "response_item" && one.payload.type === "message" && one.payload.role === role;
}

function isAnswer(one: Row): boolean {
  return isItem(one, "assistant") || isMessage(one, "agent_message");
}

/**
 * Events of the items. User items also hold what Codex adds in the user's name (the environment, AGENTS.md), so the
 * user's text is taken from `user_message` events. In a log without them, only the last of adjacent user items is the
 * user's own.
 */
function eventsOf(rows: readonly Row[]): TranscriptEvent[] {
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
function userText({ message, images, local_images: local }: Row["payload"]): string {
  return [message, ...[...(images ?? []), ...(local ?? [])].map(() => IMAGE)].join("\n");
}
