/** A conversation for servers that refuse to take back what the judge itself said. Pure. */
import { fenced } from "../evidence/messages.ts";
import type { Turn } from "./wire.ts";

/** Where the judge's replies go, and what is sent after all. */
export interface Retelling {
  /** How many messages come before; they end with the evidence. */
  readonly before: number;
  /** Code of the evidence's markers. */
  readonly code: string;
  /** How to go on. */
  readonly next: string;
}

/**
 * The judge's replies and their results as one message, each call with its answer. What files hold is evidence: it is
 * fenced like it, and comes before the grader's instructions. JSON keeps each answer on one line, so that no file can
 * begin a line with a marker.
 */
export function retold(turns: readonly Turn[], { before, code, next }: Retelling): readonly Turn[] {
  if (turns.every(({ kind }) => kind !== "reply")) return turns;
  // Results come in the order of their calls; ids may come twice.
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
