/**
 * Conversations as the APIs and frameworks have them, one a file: a list of messages, or an object with `messages`, in
 * the shape of OpenAI's chat and Responses APIs, Anthropic's, or LangChain's.
 */
import * as z from "zod/mini";
import { lenient } from "../../text/optional.ts";
import { rowsAs } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import type { TranscriptEvent } from "../schema.ts";
import { chatMessage, eventsOfMessages, isKnownRole, lastAnswer } from "../transcript/messages.ts";
import { eventsOfItem, responseItem } from "../transcript/response-items.ts";
import type { ResponseItem } from "../transcript/response-items.ts";

const text = lenient(z.string());
const conversation = z.object({ messages: z.array(z.unknown()), model: text });
/** LangChain's field for the model. */
const answer = z.object({ response_metadata: z.object({ model_name: z.string() }) });

export const messages: SessionFormat = {
  format: "lists of messages",
  detect: (row) => isConversation(row) || isKnown(row),
  read: (rows) => {
    const conversations = rowsAs(conversation, rows);
    const all = rows.flatMap((row) => rowsAs(conversation, [row])[0]?.messages ?? [row]);
    const unknown = all.filter((row) => !isKnown(row));
    return {
      events: all.flatMap(eventsOf),
      model: conversations[0]?.model || rowsAs(answer, all)[0]?.response_metadata.model_name,
      finalOutput: lastAnswer(rowsAs(chatMessage, all)),
      // Messages beside a conversation belong to another one.
      sessionCount: conversations.length + (rows.some(isKnown) ? 1 : 0),
      unread: rowsAs(chatMessage, unknown).map(({ role, type }) => role ?? type ?? "(none)"),
    };
  },
};

/** All rows are messages, and some have a known role: the agent may only have called tools, or done nothing. */
function isConversation(row: object): boolean {
  return rowsAs(conversation, [row]).some(({ messages: all }) => all.every(isMessage) && all.some(isKnown));
}

/** Whether a row is a message of any role, or a conversation. */
export function isMessage(row: unknown): boolean {
  const isSomebodys = rowsAs(chatMessage, [row]).some(({ role }) => role);
  return isSomebodys || isKnown(row) || (typeof row === "object" && row !== null && isConversation(row));
}

/** A message with content or calls and a known role (or LangChain's type), or an item of the Responses API. */
function isKnown(row: unknown): boolean {
  const isSaid = rowsAs(chatMessage, [row]).some(
    (one) => isKnownRole(one) && (one.content ?? one.tool_calls ?? one.data ?? one.kwargs) !== undefined,
  );
  return isSaid || itemsOf(row).length > 0;
}

/** Items of the Responses API have a type where messages have a role. */
function itemsOf(row: unknown): ResponseItem[] {
  return rowsAs(responseItem, [row]).filter(
    ({ role, type }) => !role && /^reasoning$|_(?:call|output)$/.test(type ?? ""),
  );
}

function eventsOf(row: unknown): TranscriptEvent[] {
  const items = itemsOf(row);
  return items.length > 0 ? items.flatMap(eventsOfItem) : eventsOfMessages(rowsAs(chatMessage, [row]));
}
