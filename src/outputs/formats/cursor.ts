/**
 * What `cursor-agent -p --output-format stream-json` prints: rows as Claude Code prints them, with rows of its own for
 * tool calls. https://cursor.com/docs/cli/reference/output-format
 */
import * as z from "zod/mini";
import { lenient, lenientText } from "../../text/optional.ts";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { chatMessage } from "./messages.ts";
import { textOf } from "./parts.ts";
import { claudeCode } from "./claude-code.ts";
import { once } from "../../text/format.ts";

/** The value of a tool's key; `function` is the key of tools that have none. */
const cursorTool = z.object({
  args: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  name: lenientText,
  arguments: z.optional(z.unknown()),
});

const TYPES = [
  ...(["system", "user", "assistant", "tool_call", "result"] as const),
  ...(["thinking", "connection", "retry", "interaction_query"] as const),
] as const;

const cursorRow = z.looseObject({
  type: z.enum(TYPES),
  subtype: lenientText,
  call_id: lenientText,
  /** The tool's key (`readToolCall`), beside keys such as `toolCallId` that hold no object. */
  tool_call: lenient(z.record(z.string(), z.unknown())),
  /** Of a call without such a key. */
  tool_name: lenientText,
  message: lenient(chatMessage),
  permissionMode: lenientText,
  tools: z.optional(z.unknown()),
});

type CursorRow = z.infer<typeof cursorRow>;

export const cursor: SessionFormat = {
  format: "logs of Cursor",
  detect: (one) => rowsAs(cursorRow, [one]).some(isCursorRow),
  read: (all) => {
    const rows = rowsAs(cursorRow, all);
    const messagesOf = callReader();
    const messages = withoutPieces(rows).flatMap((one): object[] =>
      one.type === "tool_call" ? messagesOf(one) : [one],
    );
    const unread = unreadKinds(
      cursorRow,
      all,
      (_, one) => one.type !== "tool_call" || toolsIn(one).length > 0,
    );
    return { ...claudeCode.read(messages), unread };
  },
};

/** Claude Code's first row also has `tools`. */
function isCursorRow({ type, subtype, tool_call: call, permissionMode, tools }: CursorRow): boolean {
  if (type === "system") return subtype === "init" && Boolean(permissionMode) && tools === undefined;
  if (type === "tool_call") return Boolean(subtype && call);
  return type === "thinking" && Boolean(subtype);
}

type CursorTool = z.infer<typeof cursorTool> & { readonly key: string };

/** The tools of a row: each under its key, or the row itself. */
function toolsIn({ tool_call: call, ...one }: CursorRow): CursorTool[] {
  const held = Object.entries(call ?? {}).flatMap(([key, value]) => {
    const parsed = z.safeParse(cursorTool, Array.isArray(value) ? undefined : value);
    return parsed.success ? [{ ...parsed.data, key }] : [];
  });
  return held.length > 0 || !one.tool_name ? held : [{ ...z.parse(cursorTool, one), key: one.tool_name }];
}

/**
 * Makes Claude Code's messages of the rows of calls: of one that starts the call, of the next one with its id and tool the
 * result. An id may return for another call, and what has ended may lack its arguments.
 */
function callReader(): (row: CursorRow) => object[] {
  const open = new Map<string, { ids: string[]; ended: number }>();
  let count = 0;
  return (row) =>
    toolsIn(row).flatMap((one) => {
      const { key, args, name, arguments: input, result } = one;
      const place = `${row.call_id ?? ""} ${key}`;
      const waiting = once(open, place, () => ({ ids: [], ended: 0 }));
      const isStart = row.subtype === "started";
      const started = isStart ? undefined : waiting.ids[waiting.ended];
      const id = started ?? `${place} ${String((count += 1))}`;
      if (isStart) waiting.ids.push(id);
      else if (started !== undefined) waiting.ended += 1;
      const given = args ?? input;
      const call = { type: "tool_use", id, name: name ?? key.replace(/ToolCall$/, ""), input: given };
      const isCalled = started === undefined || given !== undefined;
      return [
        ...(isCalled ? [{ type: "assistant", message: { role: "assistant", content: [call] } }] : []),
        ...(isStart || result === undefined ? [] : [resultOfCursor(id, row, result)]),
      ];
    });
}

function resultOfCursor(id: string, { subtype }: CursorRow, result: unknown): object {
  const { success } = Object(result) as { success?: unknown };
  const { exitCode = 0 } = Object(success) as { exitCode?: unknown };
  const isError =
    subtype !== "completed" || exitCode !== 0 || (typeof result === "object" && success === undefined);
  const returned = {
    type: "tool_result",
    tool_use_id: id,
    content: textOf(success ?? result),
    is_error: isError,
  };
  return { type: "user", message: { role: "user", content: [returned] } };
}

/** With `--stream-partial-output` a message is printed in pieces, and then once more as a whole. */
function withoutPieces(rows: readonly CursorRow[]): CursorRow[] {
  const kept: CursorRow[] = [];
  let [pieces, whole] = [0, ""];
  for (const one of rows) {
    if (one.type === "thinking") continue;
    const text = one.type === "assistant" ? textOf(one.message?.content) : "";
    const isWhole = text !== "" && text === whole;
    if (isWhole) kept.length -= pieces;
    [pieces, whole] = text === "" || isWhole ? [0, ""] : [pieces + 1, whole + text];
    kept.push(one);
  }
  return kept;
}
