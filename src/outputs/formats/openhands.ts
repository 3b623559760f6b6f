/**
 * Events of OpenHands: of its SDK and its CLI (`openhands --headless --json`), one a row; and those of its first server and
 * of benchmarks, which are pairs of actions and observations. https://github.com/OpenHands/software-agent-sdk
 */
import * as z from "zod/mini";
import { rowsAs, unreadKinds } from "../reader.ts";
import type { SessionFormat } from "../session.ts";
import { callEvent, messageEvent, resultEvent, type LogEvent } from "../transcript.ts";
import { lenient, lenientFlag, lenientNumber, lenientText } from "../../text/optional.ts";
import { chatMessage, eventsOfMessages } from "./messages.ts";
import { textOf } from "./parts.ts";

const anyFields = z.looseObject({});

/** An event of the first server: an action with its arguments, or an observation, caused by an action. */
const serverEvent = z.object({
  id: lenientNumber,
  cause: lenientNumber,
  source: z.enum(["user", "agent", "environment"]),
  message: lenientText,
  action: lenientText,
  args: lenient(anyFields),
  observation: lenientText,
  content: z.optional(z.unknown()),
  extras: lenient(
    z.object({
      exit_code: lenientNumber,
      metadata: lenient(z.object({ exit_code: lenientNumber })),
      error: lenientFlag,
    }),
  ),
  tool_call_metadata: lenient(z.object({ model_response: lenient(z.object({ model: lenientText })) })),
});

/** An event of the SDK. */
const sdkEvent = z.object({
  kind: z.string().check(z.regex(/(?:Event|Observation|Condensation\w*)$/)),
  source: z.string(),
  llm_message: lenient(chatMessage),
  tool_name: lenientText,
  tool_call_id: lenientText,
  thought: z.optional(z.unknown()),
  action: lenient(anyFields),
  tool_call: lenient(z.object({ arguments: lenientText })),
  observation: lenient(anyFields),
  error: lenientText,
  rejection_reason: lenientText,
  detail: lenientText,
});

type ServerEvent = z.infer<typeof serverEvent>;
type SdkEvent = z.infer<typeof sdkEvent>;

const lists = z.object({
  history: lenient(z.array(anyFields)),
  events: lenient(z.array(anyFields)),
  items: lenient(z.array(anyFields)),
});

export const openHands: SessionFormat = {
  format: "events of OpenHands",
  detect: (row) => eventList(row).length > 0 || isOpenHandsEvent(row),
  read: (rows) => {
    const all = rows.flatMap((row) => (isOpenHandsEvent(row) ? [row] : eventList(row)));
    const server = rowsAs(serverEvent, all);
    const failed = rowsAs(sdkEvent, all.slice(-1)).find(({ kind }) => kind === "ConversationErrorEvent");
    return {
      events: all.flatMap((row) => {
        const ofSdk = rowsAs(sdkEvent, [row]);
        return ofSdk.length > 0
          ? ofSdk.flatMap(eventsOfSdk)
          : rowsAs(serverEvent, [row]).flatMap(eventsOfServer);
      }),
      model: server.find((one) => one.tool_call_metadata?.model_response?.model)?.tool_call_metadata
        ?.model_response?.model,
      failure: failed && (failed.detail ?? failed.kind),
      unread: unreadKinds(
        z.union([sdkEvent, serverEvent]),
        all,
        (_, one) => !("kind" in one) || SDK_KINDS.test(one.kind),
      ),
    };
  },
};

/** The events of an object that holds a list of them. */
function eventList(row: unknown): readonly object[] {
  const [held] = rowsAs(lists, [row]);
  return [held?.history, held?.events, held?.items].find((list) => list?.some(isOpenHandsEvent)) ?? [];
}

function isOpenHandsEvent(row: unknown): boolean {
  const isOfServer = ({ action, args, observation, content, extras }: ServerEvent) =>
    (action !== undefined && args !== undefined) ||
    (observation !== undefined && content !== undefined && extras !== undefined);
  return (
    rowsAs(sdkEvent, [row]).some(({ kind }) => SDK_KINDS.test(kind)) ||
    rowsAs(serverEvent, [row]).some(isOfServer)
  );
}

const SDK_KINDS =
  /^(?:(?:SystemPrompt|Message|Action|Observation|AgentError|Pause|Token|ConversationStateUpdate|ConversationError|LLMCompletionLog|HookExecution)Event|UserRejectObservation|Condensation\w*)$/;

/** The tool that holds the agent's words. */
const FINISH = "finish";

function eventsOfSdk({ kind, tool_call_id: id, tool_name: name, ...one }: SdkEvent): LogEvent[] {
  if (kind === "MessageEvent") return eventsOfMessages(one.llm_message ? [one.llm_message] : []);
  if (kind === "AgentErrorEvent") return [resultEvent(id, one.error, false)];
  if (kind === "UserRejectObservation") return [resultEvent(id, one.rejection_reason, false)];
  // Hidden reasoning.
  if (name === "think") return [];
  if (kind === "ObservationEvent" && name !== FINISH) return [resultOfSdk(id, one.observation ?? {})];
  if (kind !== "ActionEvent") return [];
  const isSilent = Array.isArray(one.thought) && one.thought.length === 0;
  const said = messageEvent("assistant", isSilent ? "" : textOf(one.thought));
  const { kind: _, ...input } = one.action ?? {};
  if (name === FINISH) return [said, messageEvent("assistant", textOf(input.message))];
  return [said, callEvent(id, name, one.action ? input : one.tool_call?.arguments)];
}

function resultOfSdk(id: string | undefined, { kind: _, ...observed }: Record<string, unknown>): LogEvent {
  const { content, output, exit_code: code, is_error: isError } = observed;
  const success = typeof code === "number" ? code === 0 : isError === true ? false : undefined;
  return resultEvent(id, textOf(content) || textOf(output) || textOf(observed), success);
}

/** Actions and observations about the session itself. */
const SILENT_EVENTS =
  /^(?:system|recall|null|think|change_agent_state|agent_state_changed|condensation|condensation_request|load(?:ed)?_\w+)$/;

function eventsOfServer(event: ServerEvent): LogEvent[] {
  const { id, source, action, args = {}, message } = event;
  if (SILENT_EVENTS.test(action ?? event.observation ?? "")) return [];
  if (action === undefined) return event.observation === undefined ? [] : [resultOfServer(event)];
  const who = source === "user" ? "user" : "assistant";
  if (action === "message") return [messageEvent(who, textOf(args.content ?? message))];
  const { thought, final_thought: last, outputs: _, hidden: _hidden, ...input } = args;
  if (action === FINISH) return [messageEvent("assistant", textOf(last || thought || message))];
  return [messageEvent("assistant", textOf(thought)), callEvent(String(id), action, input)];
}

function resultOfServer({ cause, observation = "", content, extras }: ServerEvent): LogEvent {
  const code = extras?.exit_code ?? extras?.metadata?.exit_code;
  const isFailed = /^(?:error|user_rejected)$/.test(observation) || extras?.error === true;
  const success = isFailed ? false : code === undefined ? undefined : code === 0;
  return resultEvent(cause === undefined ? undefined : String(cause), textOf(content), success);
}
