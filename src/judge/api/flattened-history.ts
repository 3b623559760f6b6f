/** Flattened history: the conversation for servers that refuse the judge's own replies in a request. */
import { fenced } from "../evidence/messages.ts";
import type { Turn } from "./wire.ts";

/** Position and format of the flattened history. */
export interface FlattenOptions {
  /** Number of messages before it; they end with the evidence. */
  readonly before: number;
  /** Code of the evidence's markers. */
  readonly code: string;
  /** The last message, how to go on; empty for none. */
  readonly next: string;
}

/**
 * Replaces the judge's replies and their results by one message that lists each call with its answer. File contents are
 * evidence, so the message is fenced like it and precedes the grader's instructions. JSON keeps each answer on one line,
 * so that no file can begin a line with a marker.
 */
export function flattenHistory(
  turns: readonly Turn[],
  { before, code, next }: FlattenOptions,
): readonly Turn[] {
  // Results are in the order of their calls; ids may be duplicates.
  const answers = turns.flatMap((turn) => (turn.kind === "result" ? [turn.content] : []));
  const lines = turns
    .flatMap((turn) => (turn.kind === "reply" ? turn.calls : []))
    .map(({ name, arguments: args }, index) => JSON.stringify({ call: name, args, answer: answers[index] }));
  const messages = turns.filter(({ kind }) => kind === "message");
  if (lines.length === 0) return messages;
  const user = (content: string): Turn => ({ kind: "message", message: { role: "user", content } });
  const history = fenced(code, "your calls so far, with their answers", lines.join("\n"));
  const after = next === "" ? [] : [user(next)];
  return [...messages.slice(0, before), user(history), ...messages.slice(before), ...after];
}
