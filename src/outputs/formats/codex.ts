/**
 * Two formats of Codex: what `codex exec --json` prints (events of threads, turns and items, with neither the prompt nor
 * the model), and the sessions that it keeps (`~/.codex/sessions/…/rollout-*.jsonl`: rows of `session_meta`,
 * `turn_context`, `response_item` and `event_msg`). https://github.com/openai/codex, codex-rs/exec/src/exec_events.rs and
 * codex-rs/protocol/src/protocol.rs
 */
import * as z from "zod/mini";
import { IMAGE, eventsOfPart, natureOf, textOf } from "./parts.ts";
import { outageOf, rowsAs, unreadKinds, type Outage } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";
import { isObject } from "../../text/format.ts";
import { lenient, lenientNumber, lenientText, numberOrZero } from "../../text/optional.ts";

const execError = lenient(z.object({ message: lenientText }));

const execItem = z.looseObject({
  id: lenientText,
  type: lenientText,
  text: lenientText,
  status: lenientText,
  aggregated_output: lenientText,
  exit_code: lenientNumber,
  server: lenientText,
  tool: lenientText,
  arguments: z.optional(z.unknown()),
  result: lenient(z.object({ content: z.optional(z.unknown()) })),
  error: execError,
});

const execEvent = z.object({
  type: z.string(),
  thread_id: lenientText,
  item: lenient(execItem),
  error: execError,
  message: lenientText,
  usage: lenient(
    z.object({ input_tokens: numberOrZero, cached_input_tokens: numberOrZero, output_tokens: numberOrZero }),
  ),
});

type ExecEvent = z.infer<typeof execEvent>;

export const codexExec: SessionFormat = {
  format: "logs of codex exec",
  detect: (one) => rowsAs(execEvent, [one]).some(isExecEvent),
  read: (all) => {
    const rows = rowsAs(execEvent, all);
    const end = rows.findLast(({ type }) => type.startsWith("turn.") || type === "error");
    const failed = end?.type === "turn.failed" || end?.type === "error";
    const failure = failed ? (end.error?.message ?? end.message ?? end.type) : undefined;
    const used = rows.findLast(({ usage }) => usage)?.usage;
    return {
      events: lastStates(rows).flatMap(eventsOfExec),
      failure,
      outage: failure === undefined ? undefined : outageOfExec(failure, rows),
      client: {
        isOfSession: true,
        tokens: used && {
          input: used.input_tokens,
          output: used.output_tokens,
          cached: used.cached_input_tokens,
        },
      },
      missingEnd: end?.type === "turn.started" ? "a `turn.completed`" : undefined,
      sessions: rows.flatMap(({ thread_id: id }) => id ?? []),
      unread: unreadKinds(execEvent, all, (_, one) => isExecEvent(one) || one.type === "error"),
    };
  },
};

/** By the status that the message names, or the last error before it that does; else because Codex itself connected again, as its rows of errors say. */
function outageOfExec(failure: string, rows: readonly ExecEvent[]): Outage | undefined {
  const errors = rows.filter(({ type }) => type === "error");
  const said = [failure, ...errors.map(({ message = "" }) => message).reverse()];
  const [status] = said.flatMap((one) => /\bstatus:? ([1-5]\d\d)\b/.exec(one)?.[1] ?? []);
  if (status !== undefined) return outageOf(Number(status));
  return errors.length > 1 ? "busy" : undefined;
}

function isExecEvent({ type, thread_id: thread, item: one }: ExecEvent): boolean {
  if (type.startsWith("item.")) return Boolean(one?.type);
  return type === "thread.started" ? Boolean(thread) : /^turn\.(?:started|completed|failed)$/.test(type);
}

/** The last state of each item, at its first position. A resumed thread restarts its item ids. */
function lastStates(rows: readonly ExecEvent[]): ExecEvent[] {
  const states = new Map<string, ExecEvent>();
  let part = 0;
  for (const [index, one] of rows.entries()) {
    if (one.type === "thread.started") part += 1;
    if (one.item) states.set(`${String(part)} ${one.item.id ?? `row ${String(index)}`}`, one);
  }
  return [...states.values()];
}

function eventsOfExec({ type: event, item }: ExecEvent): LogEvent[] {
  if (!item) return [];
  // The fields that are left are those of the call: `command`, `changes`, `query`, `items`.
  const { id, type, status, aggregated_output: output, exit_code: code, ...input } = item;
  if (type === "agent_message") return [messageEvent("assistant", item.text ?? "")];
  // An error is not fatal: a failed turn has its own event.
  if (/^(?:reasoning|plan|error)$/.test(type ?? "")) return [];
  const { server = "?", tool = "?", result, error } = item;
  const call = callEvent(
    id,
    type === "mcp_tool_call" ? `${server}.${tool}` : (type ?? "(unnamed)"),
    item.arguments ?? input,
  );
  if (event !== "item.completed") return [call];
  const returned = output ?? error?.message ?? (result ? textOf(result.content) : undefined) ?? status;
  const isCompleted = status ? status === "completed" : undefined;
  return [call, resultEvent(id, returned, code === undefined ? isCompleted : code === 0)];
}

const rolloutRow = z.object({
  type: z.enum([
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
    "token_usage_record",
  ]),
  /** Of an item, one of OpenAI's Responses API. */
  payload: z.looseObject({
    type: lenientText,
    role: lenientText,
    content: z.optional(z.unknown()),
    message: lenientText,
    reason: lenientText,
    /** Images of a user message. */
    images: lenient(z.array(z.unknown())),
    local_images: lenient(z.array(z.unknown())),
    model: lenientText,
    /** Of a finished item: the user's words, a command. */
    item: lenient(
      z.object({ type: lenientText, content: z.optional(z.unknown()), exit_code: lenientNumber }),
    ),
    call_id: lenientText,
    output: z.optional(z.unknown()),
    thread_source: lenientText,
    source: z.optional(z.unknown()),
  }),
});

type RolloutRow = z.infer<typeof rolloutRow>;

export const codexSession: SessionFormat = {
  format: "sessions of Codex",
  skillTool: null,
  keepsMore: true,
  detect: (one) => z.safeParse(rolloutRow, one).success,
  read: (all) => {
    const rows = rowsAs(rolloutRow, all);
    const meta = rows.find(({ type }) => type === "session_meta")?.payload;
    const end = rows.findLast(isTurnEvent)?.payload;
    return {
      events: eventsOfRollout(rows),
      model:
        rows.find(({ type, payload }) => type === "turn_context" && payload.model)?.payload.model ??
        undefined,
      failure: failureOfRollout(rows),
      missingEnd: end?.type?.endsWith("_started") ? "the end of a turn" : undefined,
      // Events repeat items, and other rows are about the session.
      unread: unreadKinds(
        rolloutRow,
        all,
        (_, { type, payload }) => type !== "response_item" || KNOWN_ITEMS.test(payload.type ?? ""),
      ),
      lacksSubAgents: rows.some(({ payload }) => payload.name === "spawn_agent") ? "" : undefined,
      isSubAgentLog:
        meta?.thread_source === "subagent" || (isObject(meta?.source) && "subagent" in meta.source),
    };
  },
};

/** Items that are read, or hold no work of the agent. */
const KNOWN_ITEMS = /^(?:message|reasoning|ghost_snapshot|compaction|additional_tools|.*_(?:call|output))$/;

/** Why the agent failed; an error or abort that is followed by an answer is none. */
function failureOfRollout(rows: readonly RolloutRow[]): string | undefined {
  const end = rows.findLast((one) => isTurnEvent(one) || isAnswer(one));
  const { type, message, reason } = end?.payload ?? {};
  const failed = end && !isAnswer(end) && (type === "turn_aborted" || type === "error");
  return failed ? (message ?? reason ?? type) : undefined;
}

/** Start or end of a turn, or an error. Older versions call turns tasks. */
function isTurnEvent({ type, payload }: RolloutRow): boolean {
  return (
    type === "event_msg" && /^(?:(?:task|turn)_(?:started|complete|aborted)|error)$/.test(payload.type ?? "")
  );
}

function isRolloutMessage({ type, payload }: RolloutRow, event: string): boolean {
  return type === "event_msg" && payload.type === event && Boolean(payload.message);
}

function isItem(one: RolloutRow | undefined, role: string): boolean {
  return one?.type === "response_item" && one.payload.type === "message" && one.payload.role === role;
}

function isAnswer(one: RolloutRow): boolean {
  return isItem(one, "assistant") || isRolloutMessage(one, "agent_message");
}

/**
 * Events of the items. User items also hold what Codex adds in the user's name (the environment, AGENTS.md, a skill that
 * the user named), so the user's words are taken from what was finished (since 0.171) or from `user_message` events. In a
 * log without either, only the last of adjacent user items is the user's own.
 */
function eventsOfRollout(rows: readonly RolloutRow[]): LogEvent[] {
  const isFinishedUser = (one: RolloutRow) => isFinished(one, "UserMessage");
  const isUser = rows.some(isFinishedUser) ? isFinishedUser : isUserMessage;
  const hasUser = rows.some(isUser);
  const hasAgent = rows.some((one) => isItem(one, "assistant"));
  const items = rows.filter(({ type }) => type === "response_item");
  const lastOfUser = new Set(items.filter((_, index) => !isItem(items[index + 1], "user")));
  const statusOf = statusesOfRollout(rows);
  return rows.flatMap((one): LogEvent[] => {
    if (isUser(one)) return [messageEvent("user", wordsOfUser(one))];
    if (isRolloutMessage(one, "agent_message") && !hasAgent)
      return [messageEvent("assistant", one.payload.message ?? "")];
    if (one.type !== "response_item") return [];
    if (isItem(one, "user") && (hasUser || !lastOfUser.has(one))) return skillIn(one);
    const success = statusOf.get(one);
    return eventsOfItem(one.payload).map((event) =>
      event.kind === "result" && success !== undefined ? { ...event, success } : event,
    );
  });
}

/**
 * Whether each call did what it should, by its output's row: by the commands that ended while it alone was open, else by
 * what its script printed of them; a tool that Codex does not have failed.
 */
function statusesOfRollout(rows: readonly RolloutRow[]): ReadonlyMap<RolloutRow, boolean> {
  const statuses = new Map<RolloutRow, boolean>();
  const open = new Map<string, number[]>();
  for (const one of rows) {
    const { type = "", call_id: id = "", item } = one.payload;
    if (isFinished(one, "CommandExecution") && open.size === 1)
      for (const codes of open.values()) codes.push(item?.exit_code ?? 0);
    if (one.type !== "response_item") continue;
    if (type.endsWith("_call") && id !== "") open.set(id, []);
    if (!type.endsWith("_output")) continue;
    const output = textOf(one.payload.output);
    const printed = [...output.matchAll(/"exit_code":(\d+)/g)].map(([, code]) => Number(code));
    const ended = open.get(id) ?? [];
    const codes = ended.length > 0 ? ended : printed;
    open.delete(id);
    if (output.startsWith("unsupported call: ")) statuses.set(one, false);
    else if (codes.length > 0)
      statuses.set(
        one,
        codes.every((code) => code === 0),
      );
  }
  return statuses;
}

function isUserMessage(one: RolloutRow): boolean {
  return isRolloutMessage(one, "user_message");
}

function wordsOfUser({ payload }: RolloutRow): string {
  const { item, message, images = [], local_images: local = [] } = payload;
  if (item) {
    const parts = [item.content].flat().flatMap((part) => eventsOfPart(part, "user") ?? []);
    return parts.flatMap((part) => (part.kind === "user" ? part.text : [])).join("\n");
  }
  return [message, ...[...images, ...local].map(() => IMAGE)].join("\n");
}

/** The skill that Codex adds in the user's name, where the user named it. */
function skillIn({ payload }: RolloutRow): LogEvent[] {
  const [, text] = /^\s*<skill>\s*<name>([^<]+)</.exec(textOf(payload.content)) ?? [];
  return text === undefined ? [] : [{ kind: "skill", text }];
}

function isFinished({ type, payload }: RolloutRow, item: string): boolean {
  return type === "event_msg" && payload.type === "item_completed" && payload.item?.type === item;
}

/** Messages of the user and the agent, calls and their results; reasoning is left out. */
function eventsOfItem(item: RolloutRow["payload"]): LogEvent[] {
  const { type = "", role, content } = item;
  if (type !== "message") return natureOf(type) ? (eventsOfPart(item, "assistant") ?? []) : [];
  return role === "user" || role === "assistant" ? [messageEvent(role, textOf(content))] : [];
}
