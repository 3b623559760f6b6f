/**
 * What `cursor-agent -p --output-format stream-json` prints: rows as Claude Code prints them, with rows of its own for
 * tool calls. https://cursor.com/docs/cli/reference/output-format
 */
import * as z from "zod/mini";
import { lenient } from "../../text/optional.ts";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { chatMessage } from "./messages.ts";
import { textOf } from "./parts.ts";
import { claudeCode } from "./claude-code.ts";

const text = lenient(z.string());

/** The value of a tool's key; `function` is the key of tools that have none. */
const tool = z.object({
  args: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  name: text,
  arguments: z.optional(z.unknown()),
});

const TYPES = [
  ...(["system", "user", "assistant", "tool_call", "result"] as const),
  ...(["thinking", "connection", "retry", "interaction_query"] as const),
] as const;

const row = z.looseObject({
  type: z.enum(TYPES),
  subtype: text,
  call_id: text,
  /** The tool's key (`readToolCall`), beside keys such as `toolCallId` that hold no object. */
  tool_call: lenient(z.record(z.string(), z.unknown())),
  message: lenient(chatMessage),
  permissionMode: text,
  tools: z.optional(z.unknown()),
});

type CursorRow = z.infer<typeof row>;

export const cursor: SessionFormat = {
  format: "logs of Cursor",
  detect: (one) => rowsAs(row, [one]).some(isCursorRow),
  read: (all) => {
    const rows = rowsAs(row, all);
    const completed = new Set(rows.flatMap((one) => (isCompleted(one) ? (one.call_id ?? []) : [])));
    const messages = withoutPieces(rows).flatMap((one): object[] => {
      if (one.type !== "tool_call") return [one];
      return isCompleted(one) || !completed.has(one.call_id ?? "") ? messagesOf(one) : [];
    });
    const unread = unreadKinds(row, all, (_, one) => one.type !== "tool_call" || toolOf(one) !== undefined);
    return { ...claudeCode.read(messages), unread };
  },
};

/** Claude Code's first row also has `tools`. */
function isCursorRow({ type, subtype, tool_call: call, permissionMode, tools }: CursorRow): boolean {
  if (type === "system") return subtype === "init" && Boolean(permissionMode) && tools === undefined;
  if (type === "tool_call") return Boolean(subtype && call);
  return type === "thinking" && Boolean(subtype);
}

function isCompleted({ type, subtype }: CursorRow): boolean {
  return type === "tool_call" && subtype === "completed";
}

function toolOf({
  tool_call: call,
}: CursorRow): (z.infer<typeof tool> & { readonly key: string }) | undefined {
  const [found] = Object.entries(call ?? {}).flatMap(([key, value]) => {
    const parsed = z.safeParse(tool, Array.isArray(value) ? undefined : value);
    return parsed.success ? [{ ...parsed.data, key }] : [];
  });
  return found;
}

/** A call and its result, if any, as Claude Code's messages. */
function messagesOf(one: CursorRow): object[] {
  const { key = "", args, result, name, arguments: input } = toolOf(one) ?? {};
  if (key === "") return [];
  const id = one.call_id;
  const call = { type: "tool_use", id, name: name ?? key.replace(/ToolCall$/, ""), input: args ?? input };
  const messages = [{ type: "assistant", message: { role: "assistant", content: [call] } }];
  if (!isCompleted(one)) return messages;
  const { success } = Object(result) as { success?: unknown };
  const { exitCode = 0 } = Object(success) as { exitCode?: unknown };
  const isError = exitCode !== 0 || (typeof result === "object" && success === undefined);
  const content = textOf(success ?? result);
  const returned = { type: "tool_result", tool_use_id: id, content, is_error: isError };
  return [...messages, { type: "user", message: { role: "user", content: [returned] } }];
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
