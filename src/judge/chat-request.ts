/** Requests of the chat completions API (https://platform.openai.com/docs/api-reference/chat/create). */
import type { JudgeMessage } from "./judge.ts";
import type { Asking, Turn } from "./wire.ts";

/** The body. Neither `temperature` nor `tool_choice` is sent: too many servers refuse them. */
export function chatRequest({ model, turns, tools, shape, maxTokens }: Asking): Record<string, unknown> {
  return {
    model,
    messages: mergeSystem(turns, shape.system).flatMap(messageOf),
    ...(shape.tools && tools.length > 0 ? { tools } : {}),
    ...(shape.effort === undefined ? {} : { reasoning_effort: shape.effort }),
    ...(shape.limit && maxTokens !== undefined ? { [shape.limit]: maxTokens } : {}),
  };
}

function messageOf(turn: Turn): readonly unknown[] {
  if (turn.kind === "message") return [turn.message];
  if (turn.kind === "reply") return turn.raw;
  return [{ role: "tool", tool_call_id: turn.id, content: turn.content }];
}

/** The first message under another role, or before the text of the next for servers that know only user and assistant. */
export function mergeSystem(turns: readonly Turn[], role: "system" | "developer" | "user"): readonly Turn[] {
  const [first, second, ...rest] = turns;
  if (role === "system" || first?.kind !== "message" || first.message.role !== "system") return turns;
  if (role === "developer")
    return [{ kind: "message", message: { ...first.message, role: "developer" } }, ...turns.slice(1)];
  if (second?.kind !== "message" || second.message.role !== "user")
    return [{ kind: "message", message: { ...first.message, role: "user" } }, ...turns.slice(1)];
  const message: JudgeMessage = {
    role: "user",
    content: `${first.message.content}\n\n${second.message.content}`,
  };
  return [{ kind: "message", message }, ...rest];
}
