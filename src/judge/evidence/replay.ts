/** The agent's session as turns of a conversation, for graders with `continue_session: true`. */
import type { Step } from "../../domain/run.ts";
import type { Piece } from "./digest.ts";

/** A part of a turn: its role, its title, and the text to fence. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly title: string;
  readonly text: string;
}

/**
 * Turns of a session. It starts with the user's prompt, even if the transcript does not, and ends with `finalOutput` if
 * given.
 */
export function replay(
  pieces: readonly Piece[],
  { prompt, finalOutput }: { readonly prompt: string; readonly finalOutput?: string | undefined },
): Turn[] {
  const turns = pieces.map(turnOf);
  // Some providers refuse a conversation that starts with the assistant.
  if (turns[0]?.role !== "user") {
    turns.unshift({ role: "user", title: "user", text: prompt.trim() === "" ? "(not recorded)" : prompt });
  }
  if (finalOutput !== undefined && finalOutput.trim() !== "") {
    turns.push({ role: "assistant", title: "agent: final output", text: finalOutput });
  }
  return turns;
}

/**
 * Whether the agent's messages end with the final output: engines record either all messages of a run or the last, and
 * join them in different ways, so white space does not count.
 */
export function endsWithOutput(steps: readonly Step[], finalOutput: string): boolean {
  const messages = steps.map((step) => (step.kind === "assistant" ? step.text : "")).join("");
  return withoutSpace(messages).endsWith(withoutSpace(finalOutput));
}

/** A piece as a turn. Its first line, a numbered label, becomes the title. */
function turnOf({ step, text }: Piece): Turn {
  if (!step) return { role: "assistant", title: "left out", text };
  const body = text.slice(text.indexOf("\n") + 1);
  if (step.kind === "user") return { role: "user", title: "user", text: body };
  return { role: "assistant", title: titleOf(step, text), text: body };
}

function titleOf(step: Exclude<Step, { kind: "user" }>, text: string): string {
  if (step.kind === "assistant") return "agent";
  if (step.kind !== "tool") return step.kind === "skill" ? "agent: skill invoked" : "agent: session error";
  const label = text.slice(0, text.indexOf("\n")).replace(/^\[\d+\] /, "");
  return `agent: ${label.replace(/[<>\r\n]/g, " ")}`;
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
