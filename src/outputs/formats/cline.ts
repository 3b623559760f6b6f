/**
 * What `cline --json` prints, read on 3.0.65: events of the agent, one a row, and a last row of the run.
 * https://github.com/cline/cline, apps/cli
 */
import * as z from "zod/mini";
import { lenient, lenientNumber, lenientText } from "../../text/optional.ts";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { Session, SessionFormat } from "../session.ts";
import { callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";
import { isObject } from "../../text/format.ts";
import { textOf } from "./parts.ts";

const clineRow = z.object({
  type: z.string(),
  event: lenient(
    z.object({
      type: lenientText,
      contentType: lenientText,
      text: lenientText,
      toolName: lenientText,
      toolCallId: lenientText,
      input: z.optional(z.unknown()),
      output: z.optional(z.unknown()),
      error: z.optional(z.unknown()),
    }),
  ),
  /** Of the last row. */
  finishReason: lenientText,
  text: lenientText,
  durationMs: lenientNumber,
  model: lenient(z.object({ id: lenientText })),
  usage: lenient(
    z.object({
      inputTokens: lenientNumber,
      outputTokens: lenientNumber,
      cacheReadTokens: lenientNumber,
      cacheWriteTokens: lenientNumber,
      totalCost: lenientNumber,
    }),
  ),
});

type ClineRow = z.infer<typeof clineRow>;

export const cline: SessionFormat = {
  format: "logs of Cline",
  skillTool: { tool: "skills", names: ["skill"] },
  detect: (row) =>
    rowsAs(clineRow, [row]).some(({ type, event }) => type === "agent_event" && event?.type !== undefined),
  read: (rows) => {
    const all = rowsAs(clineRow, rows);
    const end = all.findLast(({ type }) => type === "run_result");
    const isDone = end?.finishReason === "completed";
    return {
      events: all.flatMap(eventsOfCline),
      model: end?.model?.id,
      finalOutput: isDone ? end.text : undefined,
      failure: end && !isDone ? (end.text ?? end.finishReason) : undefined,
      client: factsOfCline(end),
      missingEnd: end ? undefined : "a `run_result`",
      unread: unreadKinds(clineRow, rows, (_, { type }) => KNOWN.test(type)),
    };
  },
};

/** Input is with what came from the cache, as the APIs behind count it. */
function factsOfCline(end: ClineRow | undefined): Session["client"] {
  const { inputTokens: input, outputTokens: output, cacheReadTokens: cached = 0, ...use } = end?.usage ?? {};
  return {
    tokens:
      input === undefined || output === undefined
        ? undefined
        : { input, output, cached, written: use.cacheWriteTokens },
    // Of a model without a price Cline says 0.
    cost: use.totalCost === 0 ? undefined : use.totalCost,
    durationMs: end?.durationMs,
  };
}

const KNOWN = /^(?:agent_event|hook_event|run_result|error)$/;

/** A text is whole at its end; a call has its arguments at its start. */
function eventsOfCline({ type, event }: ClineRow): LogEvent[] {
  if (type !== "agent_event" || !event) return [];
  const { type: kind, contentType, toolCallId: id } = event;
  if (contentType === "text" && kind === "content_end") return [messageEvent("assistant", event.text ?? "")];
  if (contentType !== "tool") return [];
  if (kind === "content_start") return [callEvent(id, event.toolName, event.input)];
  if (kind !== "content_end") return [];
  const results = [event.output].flat().filter(isObject);
  const success = results.map((one) => one.success).find((one) => typeof one === "boolean");
  const isFailed = Boolean(event.error) || results.some((one) => one.success === false);
  return [resultEvent(id, textOf(event.output ?? event.error), isFailed ? false : success)];
}
