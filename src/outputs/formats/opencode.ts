/**
 * Reads the output of `opencode run --format json`: each part of the agent's messages as it is finished, without the
 * prompt and the model; and of `opencode export`: one object with a session's messages, prompt and model.
 * https://github.com/sst/opencode, packages/opencode/src/cli/cmd/run.ts and export.ts
 */
import { Json, tokensOf } from "../../text/json.ts";
import { kindOfRow, outageOf, unreadOf } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, resultEvent, messageEvent, type LogEvent } from "../transcript.ts";
import { sumOf } from "../../text/format.ts";

/** Kinds of rows and parts that are read, or hold no message and no call. */
const KNOWN =
  /^(?:text|tool(?:_use)?|error|step[_-](?:start|finish)|reasoning|snapshot|patch|compaction|retry)$/;

/** A call that is pending or running has no outcome. */
const OUTCOMES: ReadonlyMap<string, boolean> = new Map([
  ["completed", true],
  ["error", false],
]);

export const openCode: SessionFormat = {
  format: "logs of OpenCode",
  skillTool: { tool: "skill", names: ["name"] },
  detect: (one) => {
    const row = new Json(one);
    return isExport(row) || (isRow(row) && (row.isObject("part") || row.isObject("error")));
  },
  read: (all) => {
    const exports = new Json(all).all().filter(isExport);
    const given = exports.length > 0 ? exports.flatMap(rowsOfExport) : all;
    const rows = new Json(given).all().filter(isRow);
    const parts = rows.map((row) => row.at("part"));
    const steps = parts.filter((part) => part.isObject("tokens")).map((part) => part.at("tokens"));
    const costs = parts.flatMap((part) => part.number("cost") ?? []);
    const end = rows.findLast((row) => ["text", "error"].includes(row.type));
    const error = end?.type === "error" ? end.at("error") : undefined;
    const isRetryable = error?.flag("data", "isRetryable");
    const step = rows.findLast((row) => row.type.startsWith("step_"));
    // Else the agent was waiting for a tool.
    const isFinished = !step || (step.type === "step_finish" && step.text("part", "reason") !== "tool-calls");
    return {
      events: rows.flatMap(eventsOfOpenCode),
      model: rows.find((row) => row.text("model"))?.text("model"),
      unread: unreadOf(given, (row) => isRow(row) && KNOWN.test(row.type)),
      failure: error && failureOfOpenCode(error),
      outage: outageOf(error?.number("data", "statusCode")) ?? (isRetryable === true ? "busy" : undefined),
      client: {
        endedBy: error?.text("name"),
        // Of each step, of which input is without what came from the cache or was written to it.
        tokens: tokensOf(steps, {
          input: ["input", "cache.read", "cache.write"],
          output: ["output", "reasoning"],
          cached: ["cache.read"],
          written: ["cache.write"],
        }),
        // Of a model without a price OpenCode says 0.
        cost: costs.every((cost) => cost >= 0) ? sumOf(costs) || undefined : undefined,
      },
      skillsFrom: parts.flatMap((part) => {
        const [name, from] = ["name", "dir"].map((key) => part.text("state", "metadata", key));
        return part.text("tool") === "skill" && name !== undefined ? [{ name, from }] : [];
      }),
      // The session of a child is a log of its own.
      lacksSubAgents: parts.some((part) => part.text("state", "metadata", "sessionId") !== undefined)
        ? ""
        : undefined,
      missingEnd: error || isFinished ? undefined : "the end of its last step",
      sessions: rows.map((row) => row.text("sessionID")),
    };
  },
};

/** An export as rows: the parts of its messages, which say who wrote them, and the error of the last one. */
function rowsOfExport(exported: Json, index: number): object[] {
  const messages = messagesIn(exported);
  const isAgents = (message: Json) => message.text("info", "role") === "assistant";
  const rows = messages.flatMap((message) => {
    const [role, model] = [message.text("info", "role"), message.text("info", "modelID")];
    const said = isAgents(message) ? { role, model } : { role };
    return message
      .all("parts")
      .map(({ type, value: part }) => ({ ...said, type: type || kindOfRow(part), part }));
  });
  const last = messages.findLast(isAgents);
  const error = last?.at("info", "error");
  const ended = error?.isObject()
    ? [{ type: "error", error: error.value, model: last?.text("info", "modelID") }]
    : [];
  return [...rows, ...ended].map((row) => ({ ...row, sessionID: `session ${String(index)}` }));
}

function isRow(row: Json): boolean {
  return row.text("type") !== undefined && row.text("sessionID") !== undefined;
}

function isExport(row: Json): boolean {
  return row.text("info", "id") !== undefined && messagesIn(row).length > 0;
}

function messagesIn(exported: Json): readonly Json[] {
  return exported.all("messages").filter((one) => one.text("info", "role") !== undefined);
}

function failureOfOpenCode(error: Json): string {
  return error.text("data", "message") ?? error.text("name") ?? "error";
}

/** A part, under the type of its row, and that an answer was blocked. */
function eventsOfOpenCode(row: Json): LogEvent[] {
  const [{ type }, part] = [row, row.at("part")];
  const who = row.text("role") === "user" ? "user" : "assistant";
  // That the model's answer was blocked is the agent's answer, although the client words it.
  if (row.text("error", "name") === "ContentFilterError")
    return [messageEvent("assistant", failureOfOpenCode(row.at("error")))];
  // OpenCode wrote a synthetic text in the user's name.
  if (type === "text") return part.flag("synthetic") ? [] : [messageEvent(who, part.text("text") ?? "")];
  if (!type.startsWith("tool") || !part.isObject()) return [];
  const [id, state] = [part.text("callID"), part.at("state")];
  const output = state.at("output").value ?? state.text("error");
  return [
    callEvent(id, part.text("tool"), state.at("input").value),
    resultEvent(id, output, OUTCOMES.get(state.text("status") ?? "")),
  ];
}
