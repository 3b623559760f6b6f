/**
 * Messages of the Agent Client Protocol, as an editor (Zed) and an agent exchange them, one a row: requests, and updates of
 * the session, bare or in JSON-RPC. https://agentclientprotocol.com/protocol/schema
 */
import * as z from "zod/mini";
import { rowsAs } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { addPiece, callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";
import { lenient, lenientText } from "../../text/optional.ts";
import { eventsOfPart, textOf } from "./parts.ts";

const acpUpdate = z.object({
  sessionUpdate: z.string(),
  content: z.optional(z.unknown()),
  toolCallId: lenientText,
  title: lenientText,
  kind: lenientText,
  status: lenientText,
  rawInput: z.optional(z.unknown()),
  rawOutput: z.optional(z.unknown()),
});

const rpcMessage = z.object({
  method: lenientText,
  params: lenient(
    z.object({ sessionId: lenientText, prompt: z.optional(z.unknown()), update: lenient(acpUpdate) }),
  ),
  /** Of an update without JSON-RPC around it. */
  update: lenient(acpUpdate),
  result: lenient(
    z.object({ stopReason: lenientText, models: lenient(z.object({ currentModelId: lenientText })) }),
  ),
  error: lenient(z.object({ message: lenientText })),
});

type AcpUpdate = z.infer<typeof acpUpdate>;

export const acp: SessionFormat = {
  format: "messages of ACP",
  detect: (row) => updatesIn(row).length > 0,
  read: (rows) => {
    const all = rowsAs(rpcMessage, rows);
    const isPrompted = all.some(({ method }) => method === PROMPT);
    const said = rows
      .flatMap(updatesIn)
      .filter((one) => !isPrompted || one.sessionUpdate !== "user_message_chunk");
    const end = all.findLast(({ result, error }) => result?.stopReason ?? error?.message);
    const reason = end?.result?.stopReason ?? "end_turn";
    return {
      events: eventsOfUpdates(said),
      model: all.find(({ result }) => result?.models?.currentModelId)?.result?.models?.currentModelId,
      failure: end?.error?.message ?? (reason === "end_turn" ? undefined : reason),
      missingEnd: isPrompted && !end ? "a `stopReason`" : undefined,
      sessions: all.flatMap(({ params }) => (params?.update ? (params.sessionId ?? []) : [])),
      unread: said.flatMap(({ sessionUpdate }) => (KNOWN.test(sessionUpdate) ? [] : sessionUpdate)),
    };
  },
};

const PROMPT = "session/prompt";

const KNOWN =
  /^(?:(?:user_message|agent_message|agent_thought)_chunk|tool_call(?:_update)?|plan(?:_\w+)?|\w+_update|prompt)$/;

/** A row's update; a prompt as one of the user's words. */
function updatesIn(row: unknown): AcpUpdate[] {
  const [one] = rowsAs(rpcMessage, [row]);
  if (one?.method === PROMPT && one.params?.prompt !== undefined)
    return [{ sessionUpdate: "prompt", content: one.params.prompt }];
  const held = one?.params?.update ?? one?.update;
  return held ? [held] : rowsAs(acpUpdate, [row]);
}

const VOICES: ReadonlyMap<string, "user" | "assistant"> = new Map([
  ["prompt", "user"],
  ["user_message_chunk", "user"],
  ["agent_message_chunk", "assistant"],
]);

/** Messages, put together from their pieces, and calls, each with what its last updates say. */
function eventsOfUpdates(updates: readonly AcpUpdate[]): LogEvent[] {
  const calls = new Map<string, AcpUpdate>();
  for (const one of updates) {
    const id = one.toolCallId;
    // The fields that an update lacks stay as they were.
    const given = Object.entries(one).filter(([, value]) => value !== undefined && value !== null);
    if (id !== undefined) calls.set(id, { ...calls.get(id), ...Object.fromEntries(given) } as AcpUpdate);
  }
  const events: LogEvent[] = [];
  let piece = "";
  for (const one of updates) {
    const { sessionUpdate: kind, toolCallId: id, content } = one;
    const isSilent = !kind.endsWith("_chunk") && kind !== "prompt" && id === undefined;
    if (isSilent) continue;
    const who = VOICES.get(kind);
    const said = who && messageEvent(who, textOf(content));
    if (id !== undefined) events.push(...eventsOfCall(calls.get(id)));
    else if (said && kind === piece && kind !== "prompt") addPiece(events, said);
    else if (said) events.push(said);
    piece = kind;
    if (id !== undefined) calls.delete(id);
  }
  return events;
}

function eventsOfCall(call: AcpUpdate | undefined): LogEvent[] {
  if (!call) return [];
  const { toolCallId: id, title, kind, status, rawInput, rawOutput, content } = call;
  const start = callEvent(id, title ?? kind, rawInput);
  // Else the call goes on.
  const success = status === "completed" ? true : status === "failed" ? false : undefined;
  const shown = textOf(content);
  if (shown !== "" && shown !== "[]") return [start, resultEvent(id, shown, success)];
  if (rawOutput === undefined)
    return success === undefined ? [start] : [start, resultEvent(id, undefined, success)];
  const part = { type: "tool_result", tool_call_id: id, content: rawOutput, success };
  return [start, ...(eventsOfPart(part, "assistant") ?? [])];
}
