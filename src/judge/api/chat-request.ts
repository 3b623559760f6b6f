/** Requests of the chat completions API (https://platform.openai.com/docs/api-reference/chat/create). */
import type { ModelRequest, RequestProfile, Turn } from "./wire.ts";

type MessageTurn = Extract<Turn, { kind: "message" }>;

/** The request body. Neither `temperature` nor `tool_choice` is sent: too many servers refuse them. */
export function chatRequest(request: ModelRequest): Record<string, unknown> {
  const { model, turns, tools, profile, maxTokens } = request;
  return {
    model,
    messages: withSystemRole(turns, profile.systemRole).flatMap((turn) => messageOf(turn, profile)),
    tools: profile.tools ? tools : undefined,
    reasoning_effort: profile.effort,
    ...(profile.limitField && { [profile.limitField]: maxTokens }),
    ...cacheFields(request),
  };
}

/**
 * OpenAI's prompt cache fields. In explicit mode only what ends at a breakpoint is cached and paid for; by default the
 * whole request would be, including a last message that no other request has.
 */
export function cacheFields({ profile: { caching }, cacheKey }: ModelRequest): object {
  return {
    prompt_cache_key: caching.includes("key") ? cacheKey : undefined,
    prompt_cache_options: caching.includes("breakpoint") ? { mode: "explicit" } : undefined,
  };
}

/** A message's text, or a content part with a cache marker at the end of what requests share. */
export function contentOf(
  turn: MessageTurn,
  { caching }: RequestProfile,
  type: "text" | "input_text",
): unknown {
  const { content } = turn.message;
  if (!turn.endsSharedPrefix) return content;
  if (caching.includes("breakpoint"))
    return [{ type, text: content, prompt_cache_breakpoint: { mode: "explicit" } }];
  if (caching.includes("cache_control"))
    return [{ type, text: content, cache_control: { type: "ephemeral" } }];
  return content;
}

function messageOf(turn: Turn, profile: RequestProfile): readonly unknown[] {
  if (turn.kind === "message") return [{ ...turn.message, content: contentOf(turn, profile, "text") }];
  if (turn.kind === "reply") return turn.raw;
  return [{ role: "tool", tool_call_id: turn.id, content: turn.content }];
}

/** Changes the role of the system message; as `user`, adjacent messages are merged, for servers that require alternating roles. */
export function withSystemRole(
  turns: readonly Turn[],
  role: "system" | "developer" | "user",
): readonly Turn[] {
  const [first] = turns;
  if (role === "system" || first?.kind !== "message" || first.message.role !== "system") return turns;
  const renamed: Turn[] = [{ kind: "message", message: { ...first.message, role } }, ...turns.slice(1)];
  return role === "developer" ? renamed : renamed.reduce(mergeNeighbours, []);
}

function mergeNeighbours(turns: readonly Turn[], next: Turn): Turn[] {
  const last = turns.at(-1);
  if (last?.kind !== "message" || next.kind !== "message" || last.message.role !== next.message.role)
    return [...turns, next];
  const content = `${last.message.content}\n\n${next.message.content}`;
  return [...turns.slice(0, -1), { kind: "message", message: { ...next.message, content } }];
}
