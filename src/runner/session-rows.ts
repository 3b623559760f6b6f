/** What the rows of clients say of calls and words, printed and kept: to find what a session has otherwise than was printed. */
import { isObject } from "../text/format.ts";

/** The session that a client keeps: where, and what is compared of its rows and of the printed ones. */
export interface SessionRows {
  /** The folder of the home that has sessions, and the path there of one, by its id. */
  readonly folder: string;
  readonly path: (id: string) => RegExp;
  /** Calls as text: the same for the same call in both. */
  readonly printedCalls: (row: unknown) => readonly string[];
  readonly keptCalls: (row: unknown) => readonly string[];
  /** What the agent said. */
  readonly printedWords: (row: unknown) => readonly string[];
  readonly keptWords: (row: unknown) => readonly string[];
  /** Whether all rows are the client's, where it numbers them. */
  readonly isWhole?: (rows: readonly unknown[]) => boolean;
}

export const SESSION_ROWS: ReadonlyMap<string, SessionRows> = new Map<string, SessionRows>([
  [
    "codex",
    {
      folder: ".codex/sessions",
      path: (id) => new RegExp(`/rollout-[^/]*-${id}\\.jsonl$`),
      printedCalls: (row) => commandOf(inside(row, "item")),
      keptCalls: (row) => commandOf(inside(row, "payload", "item")),
      printedWords: (row) =>
        inside(row, "item", "type") === "agent_message" ? textsIn(inside(row, "item", "text")) : [],
      keptWords: (row) =>
        inside(row, "payload", "role") === "assistant" ? textsIn(inside(row, "payload", "content")) : [],
      isWhole: (rows) => rows.every((row, index) => inside(row, "ordinal") === index),
    },
  ],
  [
    "copilot",
    {
      folder: ".copilot/session-state",
      path: (id) => new RegExp(`^/${id}/events\\.jsonl$`),
      printedCalls: callOfCopilot,
      keptCalls: callOfCopilot,
      printedWords: wordsOfCopilot,
      keptWords: wordsOfCopilot,
    },
  ],
  [
    "gemini",
    {
      folder: ".gemini/tmp",
      path: (id) => new RegExp(`^/[^/]+/chats/session-[^/]*-${id.slice(0, 8)}\\.jsonl$`),
      printedCalls: (row) => callOf(row, ["tool_id", "tool_name", "parameters"]),
      keptCalls: (row) =>
        objectsIn(row).flatMap(({ toolCalls, functionCall }) =>
          [toolCalls ?? [], functionCall ?? []]
            .flat()
            .flatMap((call) => callOf(call, ["id", "name", "args"])),
        ),
      printedWords: (row) => (inside(row, "role") === "assistant" ? textsIn(inside(row, "content")) : []),
      keptWords: (row) =>
        objectsIn(row).flatMap(({ type, content }) => (type === "gemini" ? textsIn(content) : [])),
    },
  ],
]);

/** The results in a row, by their calls' ids: of Gemini CLI's parts, and of Codex's items. */
export function resultsIn(row: unknown): (readonly [call: string, result: string])[] {
  const { type, call_id: id, output } = Object(inside(row, "payload")) as Readonly<Record<string, unknown>>;
  const ofItem = String(type).endsWith("_output") ? [[String(id), JSON.stringify(output)] as const] : [];
  const parts = objectsIn(row).flatMap(({ functionResponse: part }) =>
    isObject(part) ? [[String(part.id), JSON.stringify(part.response)] as const] : [],
  );
  return [...ofItem, ...parts];
}

/** A command with what it printed; Codex prints it as the shell is given it, quoted, and keeps it as a list. */
function commandOf(item: unknown): string[] {
  if (!isObject(item) || !/^(?:command_execution|CommandExecution)$/.test(String(item.type))) return [];
  const command = [item.command]
    .flat()
    .join(" ")
    .replaceAll(/['"\\\\]/g, "");
  return [JSON.stringify([command, item.aggregated_output, item.exit_code])];
}

function callOf(call: unknown, [id, name, input]: readonly [string, string, string]): string[] {
  return isObject(call) && call[id] !== undefined && call[name] !== undefined
    ? [JSON.stringify([call[id], call[name], call[input]])]
    : [];
}

function callOfCopilot(row: unknown): string[] {
  const data = inside(row, "data");
  const result = inside(data, "result", "content");
  const ended = isObject(data) && result !== undefined ? [JSON.stringify([data.toolCallId, result])] : [];
  return [...callOf(data, ["toolCallId", "toolName", "arguments"]), ...ended];
}

function wordsOfCopilot(row: unknown): string[] {
  return inside(row, "type") === "assistant.message" ? textsIn(inside(row, "data", "content")) : [];
}

function inside(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value);
}

/** A text, or those of parts; thoughts are none. */
function textsIn(content: unknown): string[] {
  const texts = [content]
    .flat()
    .map((part: unknown) => (isObject(part) && part.thought !== true ? part.text : part));
  return texts.filter((text): text is string => typeof text === "string");
}

/** A value and all objects in it. */
function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  const inner = (isObject(value) || Array.isArray(value) ? Object.values(value) : []).flatMap(objectsIn);
  return isObject(value) ? [value, ...inner] : inner;
}
