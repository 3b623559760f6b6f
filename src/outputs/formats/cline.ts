/**
 * What Cline and Roo Code show of a task: `ui_messages.json`, and what `cline --json` prints. A row says something or asks for
 * something. https://github.com/cline/cline, src/shared/ExtensionMessage.ts
 */
import * as z from "zod/mini";
import { isBookkeeping, kindOfRow, rowsAs } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, messageEvent, resultEvent, type TranscriptEvent } from "../transcript.ts";
import { isObject, jsonOf } from "../../text/format.ts";
import { lenient, orElse } from "../../text/optional.ts";
import { textOf } from "./parts.ts";

const text = lenient(z.string());

const clineRow = z.object({
  type: z.enum(["say", "ask"]),
  say: text,
  ask: text,
  text: orElse(z.string(), ""),
  /** Of a message that is still being printed. */
  partial: lenient(z.boolean()),
  modelInfo: lenient(z.object({ modelId: text })),
});

type ClineRow = z.infer<typeof clineRow>;

/** What is said by the user, and by the agent; results of the call before them; and calls. */
const KINDS: ReadonlyMap<string, "user" | "assistant" | "result" | "call" | "error"> = new Map([
  ["task", "user"],
  ["user_feedback", "user"],
  ["text", "assistant"],
  ["completion_result", "assistant"],
  ["plan_mode_respond", "assistant"],
  ["followup", "assistant"],
  ["command_output", "result"],
  ["mcp_server_response", "result"],
  ["browser_action_result", "result"],
  ["tool", "call"],
  ["command", "call"],
  ["use_mcp_server", "call"],
  ["browser_action_launch", "call"],
  ["browser_action", "call"],
  ["error", "error"],
  ["api_req_failed", "error"],
]);

/** Rows about the task itself, and hidden reasoning. */
const SILENT =
  /^(?:api_req_\w+|reasoning|checkpoint_\w+|task_progress|shell_integration_warning\w*|deleted_api_reqs|resume_\w+|error_retry|hook\w*|condense\w*|info|user_feedback_diff|mcp_server_request_started)$/;

export const cline: SessionFormat = {
  format: "tasks of Cline",
  detect: (row) => rowsAs(clineRow, [row]).some((one) => nameOfClineRow(one) !== undefined && "ts" in row),
  read: (rows) => {
    const all = rowsAs(clineRow, rows);
    const shown = withTask(all.filter(({ partial }) => partial !== true));
    const last = shown.findLast((one) => !SILENT.test(nameOfClineRow(one) ?? ""));
    return {
      events: eventsOfTask(shown),
      model: all.find(({ modelInfo }) => modelInfo?.modelId)?.modelInfo?.modelId,
      finalOutput: shown.findLast((one) => one.say === "completion_result" && one.text.trim() !== "")?.text,
      failure:
        last && KINDS.get(nameOfClineRow(last) ?? "") === "error"
          ? last.text || nameOfClineRow(last)
          : undefined,
      unread: rows.flatMap((row) => (isReadOfCline(row) || isBookkeeping(row) ? [] : kindOfCline(row))),
    };
  },
};

/** What Roo Code was asked is its first text. */
function withTask(rows: readonly ClineRow[]): readonly ClineRow[] {
  const [first, ...others] = rows;
  return first?.say === "text" ? [{ ...first, say: "task" }, ...others] : rows;
}

function nameOfClineRow({ type, say, ask }: ClineRow): string | undefined {
  return type === "say" ? say : ask;
}

function isReadOfCline(row: unknown): boolean {
  return rowsAs(clineRow, [row]).some((one) => {
    const name = nameOfClineRow(one) ?? "";
    return KINDS.has(name) || SILENT.test(name);
  });
}

function kindOfCline(row: unknown): string {
  const [one] = rowsAs(clineRow, [row]);
  return one ? `${one.type}/${nameOfClineRow(one) ?? "?"}` : kindOfRow(row);
}

/** The output of a command comes in pieces. */
function eventsOfTask(rows: readonly ClineRow[]): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  let calls = 0;
  for (const row of rows) {
    const name = nameOfClineRow(row) ?? "";
    const kind = KINDS.get(name);
    const last = events.at(-1);
    if (kind === "call") events.push(callOf(name, row.text, `call-${String((calls += 1))}`));
    else if (kind === "error") events.push({ type: "session.error", message: row.text || name });
    else if (kind === "result" && row.text.trim() !== "") {
      const before =
        last?.type === "tool.execution_complete"
          ? textOf((Object(last.tool_result) as { content?: unknown }).content)
          : undefined;
      if (before !== undefined) events.pop();
      const content = before === undefined ? row.text : `${before}\n${row.text}`;
      events.push(resultEvent(calls > 0 ? `call-${String(calls)}` : undefined, content));
    } else if (kind === "user" || kind === "assistant")
      events.push(messageEvent(kind, wordsOfCline(row.text)));
  }
  return events;
}

function callOf(name: string, said: string, id: string): TranscriptEvent {
  const given = jsonOf(said);
  if (!isObject(given)) return callEvent(id, name, { [name]: said.replace(/REQ_APP$/, "") });
  const { tool, toolName, arguments: input, ...rest } = given;
  const named = [tool, toolName].find((one) => typeof one === "string") ?? name;
  return callEvent(id, named, input ?? rest);
}

/** A question with its options is JSON. */
function wordsOfCline(said: string): string {
  const given = jsonOf(said);
  return isObject(given) ? textOf(given.question ?? given.response ?? said) : said;
}
