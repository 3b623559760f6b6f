/**
 * What `cline --json` prints, read on 3.0.65: events of the agent, one a row, and a last row of the run.
 * https://github.com/cline/cline, apps/cli
 */
import { Json, tokensOf } from "../../text/json.ts";
import { unreadOf } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";
import { textOf } from "./parts.ts";

export const cline: SessionFormat = {
  format: "logs of Cline",
  skillTool: { tool: "skills", names: ["skill"] },
  detect: (one) => {
    const row = new Json(one);
    return row.type === "agent_event" && row.text("event", "type") !== undefined;
  },
  read: (rows) => {
    const all = new Json(rows).all();
    const end = all.findLast((row) => row.type === "run_result");
    const cost = end?.number("usage", "totalCost");
    const isDone = end?.text("finishReason") === "completed";
    return {
      events: all.flatMap(eventsOfCline),
      model: end?.text("model", "id"),
      finalOutput: isDone ? end.text("text") : undefined,
      failure: end && !isDone ? (end.text("text") ?? end.text("finishReason")) : undefined,
      client: {
        // Input is with what came from the cache, as the APIs behind count it.
        tokens: tokensOf(end?.number("usage", "inputTokens") === undefined ? [] : [end.at("usage")], {
          input: ["inputTokens"],
          output: ["outputTokens"],
          cached: ["cacheReadTokens"],
          written: ["cacheWriteTokens"],
        }),
        // Of a model without a price Cline says 0.
        cost: cost === 0 ? undefined : cost,
        durationMs: end?.number("durationMs"),
      },
      missingEnd: end ? undefined : "a `run_result`",
      unread: unreadOf(rows, (row) => KNOWN.test(row.type)),
    };
  },
};

const KNOWN = /^(?:agent_event|hook_event|run_result|error)$/;

/** A text is whole at its end; a call has its arguments at its start. */
function eventsOfCline(row: Json): LogEvent[] {
  if (row.type !== "agent_event") return [];
  const event = row.at("event");
  const [kind, held, id] = [event.text("type"), event.text("contentType"), event.text("toolCallId")];
  if (held === "text" && kind === "content_end") return [messageEvent("assistant", event.text("text") ?? "")];
  if (held !== "tool") return [];
  if (kind === "content_start") return [callEvent(id, event.text("toolName"), event.at("input").value)];
  if (kind !== "content_end") return [];
  const [output, error] = [event.at("output").value, event.at("error").value];
  const said = [output].flat().flatMap((one) => new Json(one).flag("success") ?? []);
  const isFailed = Boolean(error) || said.includes(false);
  return [resultEvent(id, textOf(output ?? error), isFailed ? false : said[0])];
}
