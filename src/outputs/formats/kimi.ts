/**
 * Sessions that Kimi CLI (`~/.kimi/sessions/…/wire.jsonl`) and Kimi Code (`…/agents/main/wire.jsonl`) keep: events of turns
 * and steps. What `kimi --print --output-format stream-json` prints are messages. https://github.com/MoonshotAI/kimi-cli
 */
import * as z from "zod/mini";
import { isBookkeeping, kindOfRow, rowsAs } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { messageEvent, type TranscriptEvent } from "../transcript.ts";
import { isObject } from "../../text/format.ts";
import { lenient } from "../../text/optional.ts";
import { eventsOfPart, textOf } from "./parts.ts";

const fields = lenient(z.looseObject({}));

/** A row of Kimi CLI: a message with its payload. */
const cliRow = z.object({ message: z.object({ type: z.string(), payload: z.looseObject({}) }) });

/** A row of Kimi Code: what the context gains by the user and by the loop of the agent. */
const codeRow = z.object({
  type: z.string().check(z.regex(/^(?:context|turn|llm|profile|usage|tools|metadata)\b/)),
  message: lenient(z.object({ role: z.string(), content: z.optional(z.unknown()) })),
  event: lenient(z.looseObject({ type: z.string(), part: fields, result: fields })),
  origin: lenient(z.object({ kind: z.string() })),
  model: lenient(z.string()),
});

export const kimi: SessionFormat = {
  format: "sessions of Kimi",
  detect: (row) =>
    rowsAs(cliRow, [row]).some(({ message }) => /^(?:Turn|Step)(?:Begin|End)$/.test(message.type)) ||
    rowsAs(codeRow, [row]).some(
      ({ type, event }) => type === "context.append_loop_event" && event !== undefined,
    ),
  read: (rows) => {
    const reads = rows.map((row) => ({ row, events: eventsOfKimi(row) }));
    return {
      events: reads.flatMap(({ events }) => events ?? []),
      model: rowsAs(codeRow, rows).find(({ model }) => model)?.model,
      unread: reads.flatMap(({ row, events }) => (events || isBookkeeping(row) ? [] : kindOfRow(row))),
    };
  },
};

/** The events of a row; undefined if it is not read. */
function eventsOfKimi(row: unknown): TranscriptEvent[] | undefined {
  const [ofCli] = rowsAs(cliRow, [row]);
  if (ofCli) return eventsOfCli(ofCli.message);
  const [ofCode] = rowsAs(codeRow, [row]);
  if (!ofCode) return undefined;
  const { type, message, event } = ofCode;
  // Those of the client, as its reminders, have another origin.
  if (type === "context.append_message" && message?.role === "user")
    return isInjected(row) ? [] : [messageEvent("user", textOf(message.content))];
  if (!event) return [];
  if (event.type === "content.part") return eventsOfPart(event.part, "assistant");
  if (event.type === "tool.call") return eventsOfPart({ ...event, type: "tool_call" }, "assistant");
  if (event.type === "tool.result")
    return eventsOfPart({ ...event, type: "tool_result", ...event.result }, "assistant");
  return [];
}

function isInjected(row: unknown): boolean {
  const { message } = Object(row) as { message?: { origin?: unknown } };
  const origin = Object(message?.origin) as { kind?: unknown };
  return typeof origin.kind === "string" && origin.kind !== "user";
}

function eventsOfCli({ type, payload }: z.infer<typeof cliRow>["message"]): TranscriptEvent[] | undefined {
  if (type === "TurnBegin") return [messageEvent("user", textOf(payload.user_input))];
  if (type === "ContentPart") return eventsOfPart(payload, "assistant");
  if (type === "ToolCall") return eventsOfPart({ ...payload, type: "tool_call" }, "assistant");
  if (type !== "ToolResult") return [];
  const {
    is_error: isError,
    output,
    message,
  }: Readonly<Record<string, unknown>> = isObject(payload.return_value) ? payload.return_value : {};
  const content = textOf(output) || textOf(message);
  return eventsOfPart(
    { type: "tool_result", tool_call_id: payload.tool_call_id, content, is_error: isError },
    "assistant",
  );
}
