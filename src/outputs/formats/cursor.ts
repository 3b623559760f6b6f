/**
 * What `cursor-agent -p --output-format stream-json` prints: rows as Claude Code prints them, with rows of its own for
 * tool calls. https://cursor.com/docs/cli/reference/output-format
 */
import { Json } from "../../text/json.ts";
import { unreadOf } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { textOf } from "./parts.ts";
import { claudeCode } from "./claude-code.ts";

const TYPES = /^(?:system|user|assistant|tool_call|result|thinking|connection|retry|interaction_query)$/;

export const cursor: SessionFormat = {
  format: "logs of Cursor",
  detect: (one) => isCursorRow(new Json(one)),
  read: (all) => {
    const messages = withoutPieces(new Json(all).all().filter(isKnown)).flatMap((row) =>
      row.type === "tool_call" ? messagesOfCalls(row) : row.value,
    );
    const unread = unreadOf(
      all,
      (row) => isKnown(row) && (row.type !== "tool_call" || toolsIn(row).length > 0),
    );
    return { ...claudeCode.read(messages), unread };
  },
};

function isKnown(row: Json): boolean {
  return TYPES.test(row.type);
}

/** Claude Code's first row also has `tools`. */
function isCursorRow(row: Json): boolean {
  const [type, subtype] = [row.type, row.text("subtype")];
  if (type === "system")
    return subtype === "init" && Boolean(row.text("permissionMode")) && row.at("tools").value === undefined;
  if (type === "tool_call") return Boolean(subtype) && row.isObject("tool_call");
  return type === "thinking" && Boolean(subtype);
}

/** The tools of a row: each under its key (`readToolCall`), or the row itself. */
function toolsIn(row: Json) {
  const name = row.text("tool_name");
  const held = Object.entries(Object(row.at("tool_call").value) as object)
    .map(([key, value]) => ({ key, call: new Json(value) }))
    .filter(({ call }) => call.isObject());
  return held.length > 0 || !name ? held : [{ key: name, call: row }];
}

/** A row of calls as Claude Code's messages; what has ended may lack the arguments that its first row has. */
function messagesOfCalls(row: Json): object[] {
  return toolsIn(row).flatMap(({ key, call }) => {
    const id = `${row.text("call_id") ?? ""} ${key}`;
    const input = call.at("args").value ?? call.at("arguments").value;
    // `function` is the key of tools that have none.
    const name = call.text("name") ?? key.replace(/ToolCall$/, "");
    const content = [{ type: "tool_use", id, name, input }];
    const result = call.at("result");
    const isOpen = row.text("subtype") === "started" || result.value === undefined;
    const called = { type: "assistant", message: { role: "assistant", content } };
    return isOpen ? [called] : [called, resultOfCursor(id, row, result)];
  });
}

function resultOfCursor(id: string, row: Json, result: Json): object {
  const success = result.at("success").value;
  const isDone = typeof result.value !== "object" || success !== undefined;
  const isError =
    row.text("subtype") !== "completed" || (result.at("success", "exitCode").value ?? 0) !== 0 || !isDone;
  const content = textOf(success ?? result.value);
  const returned = { type: "tool_result", tool_use_id: id, content, is_error: isError };
  return { type: "user", message: { role: "user", content: [returned] } };
}

/** With `--stream-partial-output` a message is printed in pieces, and then once more as a whole. */
function withoutPieces(rows: readonly Json[]): Json[] {
  const kept: Json[] = [];
  let [pieces, whole] = [0, ""];
  for (const row of rows) {
    const { type } = row;
    if (type === "thinking") continue;
    const text = type === "assistant" ? textOf(row.at("message", "content").value) : "";
    const isWhole = text !== "" && text === whole;
    if (isWhole) kept.length -= pieces;
    [pieces, whole] = text === "" || isWhole ? [0, ""] : [pieces + 1, whole + text];
    kept.push(row);
  }
  return kept;
}
