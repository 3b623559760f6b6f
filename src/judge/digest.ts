/** A conversation as text within a budget: head and tail kept, the middle left out with a count. */
import type { Step } from "../domain.ts";

/** Longest argument or result of one tool call before the conversation as a whole is shortened. */
const LONG_PART = 4_000;
export const MINIMUM = 2_000;

export interface Digest {
  /** How many turns and tool calls the whole conversation had. */
  readonly title: string;
  readonly text: string;
  readonly elided: boolean;
}

/** Renders the steps in at most `budget` characters (never less than a small minimum). */
export function digest(steps: readonly Step[], budget: number): Digest {
  const tools = steps.filter(({ kind }) => kind === "tool").length;
  const title = `${plural(steps.length - tools, "message")}, ${plural(tools, "tool call")}`;
  if (steps.length === 0) return { title, text: "(not recorded)", elided: false };
  const room = Math.max(budget, MINIMUM);
  const whole = steps.map((step, index) => render(step, index, Infinity));
  if (length(whole) <= room) return { title, text: whole.join("\n\n"), elided: false };
  const shorter = steps.map((step, index) => render(step, index, Math.min(LONG_PART, Math.floor(room / 4))));
  return { title, text: dropMiddle(shorter, steps, room).join("\n\n"), elided: true };
}

function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function length(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length + 2, 0);
}

/** Keeps steps from both ends while they fit, the end first: what the agent did last decides most checks. */
function dropMiddle(parts: readonly string[], steps: readonly Step[], budget: number): string[] {
  if (length(parts) <= budget) return [...parts];
  let head = 0;
  let tail = parts.length;
  let left = budget - 100;
  for (let fromTail = true; head < tail; fromTail = !fromTail) {
    const size = (parts[fromTail ? tail - 1 : head] ?? "").length + 2;
    if (size > left) break;
    left -= size;
    if (fromTail) tail -= 1;
    else head += 1;
  }
  const gone = steps.slice(head, tail);
  const tools = gone.filter(({ kind }) => kind === "tool").length;
  const note = `[... left out: ${plural(gone.length - tools, "message")} and ${plural(tools, "tool call")} ...]`;
  return [...parts.slice(0, head), note, ...parts.slice(tail)];
}

function render(step: Step, index: number, longest: number): string {
  const number = `[${String(index + 1)}]`;
  const cut = (text: string) => keepEnds(text, longest).text;
  if (step.kind !== "tool") return `${number} ${LABELS[step.kind]}:\n${cut(step.text)}`;
  const state = step.success === undefined ? "" : step.success ? " (succeeded)" : " (failed)";
  const result = step.result === undefined ? "result: not recorded" : `result:\n${cut(step.result)}`;
  return `${number} tool call ${step.name}${state}\narguments: ${cut(step.input)}\n${result}`;
}

const LABELS = { user: "user", assistant: "agent", skill: "skill invoked", error: "session error" } as const;

/** The text, or its head and tail (two thirds and one) around a note of how much was left out. */
export function keepEnds(text: string, limit: number): { text: string; cut: boolean } {
  if (text.length <= limit) return { text, cut: false };
  const head = wholeCharacters(text.slice(0, Math.floor((limit * 2) / 3)));
  const tail = text.slice(text.length - Math.floor(limit / 3)).replace(/^[\uDC00-\uDFFF]/, "");
  const gone = (text.length - head.length - tail.length).toLocaleString("en-US");
  return { text: `${head}\n[... left out: ${gone} characters ...]\n${tail}`, cut: true };
}

function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}
