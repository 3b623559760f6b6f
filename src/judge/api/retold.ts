/** A conversation for servers that refuse to take back what the judge itself said. Pure. */
import type { Turn } from "./wire.ts";

/**
 * The judge's replies and their results as one message, which tells each call with its answer, before what it was told
 * since; `next` says how to go on. JSON keeps what a file holds on its own line.
 */
export function retold(turns: readonly Turn[], next: string): readonly Turn[] {
  const begun = turns.findIndex(({ kind }) => kind === "reply");
  if (begun < 0) return turns;
  // Results come in the order of their calls; ids may come twice.
  const answers = turns.flatMap((turn) => (turn.kind === "result" ? [turn.content] : []));
  const lines = turns
    .flatMap((turn) => (turn.kind === "reply" ? turn.calls : []))
    .map(({ name, arguments: args }, index) => JSON.stringify({ call: name, args, answer: answers[index] }));
  const content = `Recorded so far:\n${lines.join("\n")}\n${next}`;
  const told: Turn[] = lines.length === 0 ? [] : [{ kind: "message", message: { role: "user", content } }];
  return [...turns.slice(0, begun), ...told, ...turns.slice(begun).filter(({ kind }) => kind === "message")];
}
