/**
 * Two formats of Codex: what `codex exec --json` prints (events of threads, turns and items, with neither the prompt nor
 * the model), and the sessions that it keeps (`~/.codex/sessions/…/rollout-*.jsonl`: rows of `session_meta`,
 * `turn_context`, `response_item` and `event_msg`). https://github.com/openai/codex, codex-rs/exec/src/exec_events.rs and
 * codex-rs/protocol/src/protocol.rs
 */
import { IMAGE, eventsOfPart, natureOf, textOf } from "./parts.ts";
import { Json, tokensOf } from "../../text/json.ts";
import { outageOf, unreadOf, type Outage } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";

export const codexExec: SessionFormat = {
  format: "logs of codex exec",
  detect: (one) => isExecEvent(new Json(one)),
  read: (all) => {
    const rows = new Json(all).all();
    const end = rows.findLast((row) => row.type.startsWith("turn.") || row.type === "error");
    const isFailed = end && /^(?:turn\.failed|error)$/.test(end.type);
    const failure = isFailed ? (end.text("error", "message") ?? end.text("message") ?? end.type) : undefined;
    const used = rows.findLast((row) => row.isObject("usage"))?.at("usage");
    return {
      events: lastStates(rows).flatMap(eventsOfExec),
      failure,
      outage: failure === undefined ? undefined : outageOfExec(failure, rows),
      client: {
        isOfSession: true,
        tokens: tokensOf(used ? [used] : [], {
          input: ["input_tokens"],
          output: ["output_tokens"],
          cached: ["cached_input_tokens"],
        }),
      },
      missingEnd: end?.type === "turn.started" ? "a `turn.completed`" : undefined,
      sessions: rows.flatMap((row) => row.text("thread_id") ?? []),
      unread: unreadOf(all, (row) => isExecEvent(row) || row.type === "error"),
    };
  },
};

/** By the status that the message names, or the last error before it that does; else because Codex itself connected again, as its rows of errors say. */
function outageOfExec(failure: string, rows: readonly Json[]): Outage | undefined {
  const errors = rows.filter((row) => row.type === "error");
  const said = [failure, ...errors.map((row) => row.text("message") ?? "").reverse()];
  const [status] = said.flatMap((one) => /\bstatus:? ([1-5]\d\d)\b/.exec(one)?.[1] ?? []);
  if (status !== undefined) return outageOf(Number(status));
  return errors.length > 1 ? "busy" : undefined;
}

function isExecEvent(row: Json): boolean {
  const type = row.type;
  if (type.startsWith("item.")) return Boolean(row.text("item", "type"));
  return type === "thread.started"
    ? Boolean(row.text("thread_id"))
    : /^turn\.(?:started|completed|failed)$/.test(type);
}

/** The last state of each item, at its first position. A resumed thread restarts its item ids. */
function lastStates(rows: readonly Json[]): Json[] {
  const states = new Map<string, Json>();
  let part = 0;
  for (const [index, row] of rows.entries()) {
    if (row.type === "thread.started") part += 1;
    const id = row.text("item", "id") ?? `row ${String(index)}`;
    if (row.type !== "" && row.isObject("item")) states.set(`${String(part)} ${id}`, row);
  }
  return [...states.values()];
}

/** Of an item what it says of its call beside the fields of the call itself: `command`, `changes`, `query`, `items`. */
const OF_ITEM = new Set(["id", "type", "status", "aggregated_output", "exit_code"]);

function eventsOfExec(row: Json): LogEvent[] {
  const item = row.at("item");
  const [id, type, status] = [item.text("id"), item.text("type") ?? "(unnamed)", item.text("status")];
  if (type === "agent_message") return [messageEvent("assistant", item.text("text") ?? "")];
  // An error is not fatal: a failed turn has its own event.
  if (/^(?:reasoning|plan|error)$/.test(type)) return [];
  const name = type === "mcp_tool_call" ? `${item.text("server") ?? "?"}.${item.text("tool") ?? "?"}` : type;
  const fields = Object.entries(item.value as object).filter(([key]) => !OF_ITEM.has(key));
  const call = callEvent(id, name, item.at("arguments").value ?? Object.fromEntries(fields));
  if (row.type !== "item.completed") return [call];
  const returned = item.isObject("result") ? textOf(item.at("result", "content").value) : undefined;
  const output = item.text("aggregated_output") ?? item.text("error", "message") ?? returned ?? status;
  const code = item.number("exit_code");
  const isCompleted = status ? status === "completed" : undefined;
  return [call, resultEvent(id, output, code === undefined ? isCompleted : code === 0)];
}

/** Rows of a session; what they say is in `payload`, of an item one of OpenAI's Responses API. */
const ROWS = /^(?:session_meta|turn_context|response_item|event_msg|compacted|token_usage_record)$/;

export const codexSession: SessionFormat = {
  format: "sessions of Codex",
  skillTool: null,
  keepsMore: true,
  detect: (one) => isRolloutRow(new Json(one)),
  read: (all) => {
    const rows = new Json(all).all().filter(isRolloutRow);
    const meta = rows.find((row) => row.type === "session_meta");
    const end = rows.findLast(isTurnEvent);
    return {
      events: eventsOfRollout(rows),
      model: rows
        .find((row) => row.type === "turn_context" && row.text("payload", "model"))
        ?.text("payload", "model"),
      failure: failureOfRollout(rows),
      missingEnd: end?.text("payload", "type")?.endsWith("_started") ? "the end of a turn" : undefined,
      // Events repeat items, and other rows are about the session.
      unread: unreadOf(
        all,
        (row) =>
          isRolloutRow(row) && (row.type !== "response_item" || KNOWN_ITEMS.test(row.at("payload").type)),
      ),
      lacksSubAgents: rows.some((row) => row.text("payload", "name") === "spawn_agent") ? "" : undefined,
      isSubAgentLog:
        meta?.text("payload", "thread_source") === "subagent" ||
        meta?.at("payload", "source", "subagent").value !== undefined,
    };
  },
};

function isRolloutRow(row: Json): boolean {
  return ROWS.test(row.type) && row.isObject("payload");
}

/** What a row holds, behind what it is: `event_msg/user_message`. */
function kindOf(row: Json): string {
  return `${row.type}/${row.at("payload").type}`;
}

/** Items that are read, or hold no work of the agent. */
const KNOWN_ITEMS = /^(?:message|reasoning|ghost_snapshot|compaction|additional_tools|.*_(?:call|output))$/;

/** Why the agent failed; an error or abort that is followed by an answer is none. */
function failureOfRollout(rows: readonly Json[]): string | undefined {
  const end = rows.findLast((row) => isTurnEvent(row) || isItem(row, "assistant"));
  const payload = end?.at("payload");
  if (!payload || !/^(?:turn_aborted|error)$/.test(payload.type)) return undefined;
  return payload.text("message") ?? payload.text("reason") ?? payload.type;
}

/** Start or end of a turn, or an error. Older versions call turns tasks. */
function isTurnEvent(row: Json): boolean {
  return /^event_msg\/(?:(?:task|turn)_(?:started|complete|aborted)|error)$/.test(kindOf(row));
}

function isItem(row: Json | undefined, role: string): boolean {
  return row?.text("payload", "role") === role && kindOf(row) === "response_item/message";
}

/**
 * Events of the items. User items also hold what Codex adds in the user's name (the environment, AGENTS.md, a skill that
 * the user named), so the user's words are taken from what was finished (since 0.171) or from `user_message` events. In a
 * log without either, only the last of adjacent user items is the user's own.
 */
function eventsOfRollout(rows: readonly Json[]): LogEvent[] {
  const isFinishedUser = (row: Json) => isFinished(row, "UserMessage");
  const isUserEvent = (row: Json) =>
    kindOf(row) === "event_msg/user_message" && Boolean(row.text("payload", "message"));
  const isUser = rows.some(isFinishedUser) ? isFinishedUser : isUserEvent;
  const hasUser = rows.some(isUser);
  const items = rows.filter((row) => row.type === "response_item");
  const lastOfUser = new Set(items.filter((_, index) => !isItem(items[index + 1], "user")));
  const statusOf = statusesOfRollout(rows);
  return rows.flatMap((row): LogEvent[] => {
    if (isUser(row)) return [messageEvent("user", wordsOfUser(row))];
    if (row.type !== "response_item") return [];
    if (isItem(row, "user") && (hasUser || !lastOfUser.has(row))) return skillIn(row);
    const success = statusOf.get(row);
    return eventsOfItem(row.at("payload")).map((event) =>
      event.kind === "result" && success !== undefined ? { ...event, success } : event,
    );
  });
}

/**
 * Whether each call did what it should, by its output's row: by the commands that ended while it alone was open, else by
 * what its script printed of them; a tool that Codex does not have failed.
 */
function statusesOfRollout(rows: readonly Json[]): ReadonlyMap<Json, boolean> {
  const statuses = new Map<Json, boolean>();
  const open = new Map<string, number[]>();
  for (const row of rows) {
    const [{ type }, id] = [row.at("payload"), row.text("payload", "call_id") ?? ""];
    if (isFinished(row, "CommandExecution") && open.size === 1)
      for (const codes of open.values()) codes.push(row.number("payload", "item", "exit_code") ?? 0);
    if (row.type !== "response_item") continue;
    if (type.endsWith("_call") && id !== "") open.set(id, []);
    if (!type.endsWith("_output")) continue;
    const output = textOf(row.at("payload", "output").value);
    const printed = [...output.matchAll(/"exit_code":(\d+)/g)].map(([, code]) => Number(code));
    const ended = open.get(id) ?? [];
    const codes = ended.length > 0 ? ended : printed;
    open.delete(id);
    const isKnown = !output.startsWith("unsupported call: ");
    if (!isKnown || codes.length > 0) statuses.set(row, isKnown && codes.every((code) => code === 0));
  }
  return statuses;
}

function wordsOfUser(row: Json): string {
  const payload = row.at("payload");
  if (payload.isObject("item")) {
    const content = [payload.at("item", "content").value].flat();
    const parts = content.flatMap((part) => eventsOfPart(part, "user") ?? []);
    return parts.flatMap((part) => (part.kind === "user" ? part.text : [])).join("\n");
  }
  const images = [...payload.list("images"), ...payload.list("local_images")];
  return [payload.text("message"), ...images.map(() => IMAGE)].join("\n");
}

/** The skill that Codex adds in the user's name, where the user named it. */
function skillIn(row: Json): LogEvent[] {
  const words = textOf(row.at("payload", "content").value);
  const [, text] = /^\s*<skill>\s*<name>([^<]+)</.exec(words) ?? [];
  return text === undefined ? [] : [{ kind: "skill", text }];
}

function isFinished(row: Json, item: string): boolean {
  return kindOf(row) === "event_msg/item_completed" && row.at("payload", "item").type === item;
}

/** Messages of the user and the agent, calls and their results; reasoning is left out. */
function eventsOfItem(item: Json): LogEvent[] {
  const [{ type }, role] = [item, item.text("role")];
  if (type !== "message") return natureOf(type) ? (eventsOfPart(item.value, "assistant") ?? []) : [];
  return role === "user" || role === "assistant"
    ? [messageEvent(role, textOf(item.at("content").value))]
    : [];
}
