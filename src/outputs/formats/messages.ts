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
/** Where LangChain says which model answered. */
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
      // Messages beside a conversation are another one's.
      sessionCount: conversations.length + (rows.some(isKnown) ? 1 : 0),
      unread: rowsAs(chatMessage, unknown).map(({ role, type }) => role ?? type ?? "(none)"),
    };
  },
};

/** Each one is a message, and some are of a known role: the agent may have called tools only, or done nothing. */
function isConversation(row: object): boolean {
  return rowsAs(conversation, [row]).some(({ messages: all }) => all.every(isMessage) && all.some(isKnown));
}

/** A message, of whatever role, or a conversation of such. */
export function isMessage(row: unknown): boolean {
  const isSomebodys = rowsAs(chatMessage, [row]).some(({ role }) => role);
  return isSomebodys || isKnown(row) || (typeof row === "object" && row !== null && isConversation(row));
}

/** With a role that is known, or LangChain's type, and something said or done; or an item of the Responses API. */
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
