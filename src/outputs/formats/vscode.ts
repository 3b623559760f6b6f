/**
 * Chats of Copilot in VS Code: what its command "Chat: Export Chat…" writes, and the rows of its debug log.
 * https://github.com/microsoft/vscode, src/vs/workbench/contrib/chat/common/model/chatModel.ts
 */
import * as z from "zod/mini";
import { rowsAs } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { addPiece, callEvent, messageEvent, resultEvent, type TranscriptEvent } from "../transcript.ts";
import { jsonOf } from "../../text/format.ts";
import { lenient } from "../../text/optional.ts";
import { eventsOfPart, textOf } from "./parts.ts";

const text = lenient(z.string());
const fields = lenient(z.looseObject({}));

const calls = lenient(z.array(z.object({ toolCalls: lenient(z.array(z.looseObject({ id: z.string() }))) })));

const chatRequest = z.object({
  message: z.object({ text }),
  modelId: text,
  response: lenient(z.array(z.unknown())),
  result: lenient(
    z.object({
      errorDetails: lenient(z.object({ message: text })),
      metadata: lenient(z.object({ toolCallRounds: calls, toolCallResults: fields })),
    }),
  ),
});

const chat = z.object({ responderUsername: z.string(), requests: z.array(chatRequest) });

const chatPart = z.looseObject({
  kind: text,
  value: z.optional(z.unknown()),
  content: fields,
  toolId: text,
  toolCallId: text,
  toolSpecificData: fields,
  resultDetails: z.optional(z.unknown()),
  inlineReference: fields,
});

type ChatPart = z.infer<typeof chatPart>;

/** A row of the debug log. */
const debugRow = z.object({
  type: z.enum(["user_message", "tool_call", "agent_response"]),
  sid: z.string(),
  name: text,
  attrs: z.looseObject({ content: text, response: text, args: text }),
});

export const vscode: SessionFormat = {
  format: "chats of VS Code",
  detect: (row) => rowsAs(chat, [row]).length > 0 || rowsAs(debugRow, [row]).length > 0,
  read: (rows) => {
    const chats = rowsAs(chat, rows);
    const requests = chats.flatMap((one) => one.requests);
    const reads = requests.map(readRequest);
    return {
      events: [...reads.flatMap(({ events }) => events), ...rowsAs(debugRow, rows).flatMap(eventsOfDebug)],
      model: requests.find(({ modelId }) => modelId)?.modelId,
      failure: requests.at(-1)?.result?.errorDetails?.message,
      sessionCount: chats.length,
      unread: reads.flatMap(({ unread }) => unread),
    };
  },
};

/** Parts about the chat itself, and edits, which the calls that made them have. */
const SILENT =
  /^(?:thinking|undoStop|codeblockUri|textEditGroup|notebookEditGroup|progress\w*|prepareToolInvocation|mcpServersStarting|confirmation|elicitation\w*|command|references|usedContext|questionCarousel)$/;

function readRequest({ message, response = [], result }: z.infer<typeof chatRequest>) {
  const { toolCallRounds = [], toolCallResults = {} } = result?.metadata ?? {};
  const requested = new Map(
    toolCallRounds.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => [call.id, call])),
  );
  const events: TranscriptEvent[] = [messageEvent("user", message.text ?? "")];
  const unread: string[] = [];
  for (const part of rowsAs(chatPart, response)) {
    const { kind = "markdownContent", toolCallId: id = "" } = part;
    const words = wordsOfChat(part);
    if (kind === "toolInvocationSerialized")
      events.push(
        ...eventsOfInvocation(part, { requested: requested.get(id), returned: toolCallResults[id] }),
      );
    else if (words !== undefined) addPiece(events, "assistant", words);
    else if (!SILENT.test(kind)) unread.push(kind);
  }
  return { events, unread };
}

/** The words of a part; undefined if it is none. */
function wordsOfChat({ kind = "markdownContent", value, content, inlineReference: reference }: ChatPart) {
  if (kind === "inlineReference") return textOf(reference?.name ?? reference?.path);
  return kind.startsWith("markdown") ? textOf(value ?? content?.value) : undefined;
}

/** A call by what the model asked for and was given; else by what the chat shows of it. */
function eventsOfInvocation(
  { toolId, toolCallId: id, toolSpecificData: data = {}, resultDetails }: ChatPart,
  {
    requested,
    returned,
  }: { readonly requested: Record<string, unknown> | undefined; readonly returned: unknown },
): TranscriptEvent[] {
  const { input, output, ...shown } = Object(resultDetails) as Record<string, unknown>;
  const { commandLine = input, rawInput = commandLine } = data;
  const [call = callEvent(id, toolId, rawInput)] =
    (requested && eventsOfPart({ ...requested, type: "tool_call" }, "assistant")) ?? [];
  const { content = output ?? (typeof resultDetails === "string" ? resultDetails : undefined) } = Object(
    returned,
  ) as {
    content?: unknown;
  };
  const isShown = content !== undefined || Object.keys(shown).length > 0;
  if (!isShown) return [call];
  const values = [content ?? resultDetails].flat().map((one) => {
    const { value = one } = Object(one) as { value?: unknown };
    return textOf(value);
  });
  return [
    call,
    resultEvent(call.tool_call_id, values.join("\n"), shown.isError === true ? false : undefined),
  ];
}

function eventsOfDebug({ type, name, attrs }: z.infer<typeof debugRow>): TranscriptEvent[] {
  if (type === "user_message") return [messageEvent("user", attrs.content ?? "")];
  if (type === "tool_call") return eventsOfPart({ type, name, ...attrs }, "assistant") ?? [];
  const said = jsonOf(attrs.response);
  const parts = [said].flat().flatMap((one) => {
    const { parts: own } = Object(one) as { parts?: unknown };
    return Array.isArray(own) ? (own as readonly unknown[]) : [];
  });
  const words = parts.flatMap((part) => eventsOfPart(part, "assistant") ?? []).filter(isWords);
  return parts.length > 0 ? words : [messageEvent("assistant", attrs.response ?? "")];
}

/** The calls of an answer have rows of their own. */
function isWords({ type }: TranscriptEvent): boolean {
  return type === "assistant.message";
}
