/** A conversation as text within a budget: head and tail kept, the middle left out with a count. */
import type { Step } from "../../domain/run.ts";
import { isLastCreate } from "./created-files.ts";

/** Longest argument or result of one tool call before the conversation as a whole is shortened. */
const LONG_PART = 4_000;
export const MINIMUM = 2_000;
/** Room for one note of what was left out. */
const NOTE = 100;

/** A step as text, or a note in place of steps that were left out. */
export interface Piece {
  readonly step?: Step | undefined;
  readonly text: string;
}

export interface DigestOptions {
  /** Whether the last `create` of each path stays whole the longest; true unless told. */
  readonly keepCreated?: boolean | undefined;
  /** Characters that the frame of each piece takes beside its text. */
  readonly frame?: number | undefined;
}

export interface Digest {
  /** How many turns and tool calls the whole conversation had. */
  readonly title: string;
  readonly pieces: readonly Piece[];
  readonly elided: boolean;
}

/** Texts of the pieces as one, with an empty line between them. */
export function joinPieces(pieces: readonly Piece[]): string {
  return pieces.length === 0 ? "(not recorded)" : pieces.map(({ text }) => text).join("\n\n");
}

/**
 * Renders the steps in at most `budget` characters (never less than a small minimum). What is shortened first are long
 * arguments and results; then steps are left out from the middle. With `keepCreated` the last `create` of each path
 * stays whole the longest: it is all that is left of a file when there is no workspace.
 */
export function digest(
  steps: readonly Step[],
  budget: number,
  { keepCreated = true, frame = 0 }: DigestOptions = {},
): Digest {
  const tools = steps.filter(({ kind }) => kind === "tool").length;
  const title = `${plural(steps.length - tools, "message")}, ${plural(tools, "tool call")}`;
  const room = Math.max(budget, MINIMUM);
  const whole = steps.map((step, index) => ({ step, text: render(step, index) }));
  if (length(whole, frame) <= room) return { title, pieces: whole, elided: false };
  const longest = Math.min(LONG_PART, Math.floor(room / 4));
  const shorter = steps.map((step, index) => ({ step, text: render(step, index, { longest }) }));
  const created = keepCreated ? wholeCreates(steps, longest) : new Map<number, string>();
  return { title, pieces: leaveOut(shorter, created, { room, frame }), elided: true };
}

/** Texts of the steps that create a file for the last time, their arguments whole, the last first. */
function wholeCreates(steps: readonly Step[], longest: number): Map<number, string> {
  const last = isLastCreate(steps);
  const found = [...steps.entries()].filter(([index]) => last(index)).reverse();
  return new Map(found.map(([index, step]) => [index, render(step, index, { longest, input: Infinity })]));
}

function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function length(pieces: readonly Piece[], frame: number): number {
  return pieces.reduce((sum, { text }) => sum + text.length + 2 + frame, 0);
}

/** Keeps created files, whole where they fit, then steps from both ends, the end first: it decides most checks. */
function leaveOut(
  pieces: readonly Piece[],
  created: ReadonlyMap<number, string>,
  { room, frame }: { readonly room: number; readonly frame: number },
): readonly Piece[] {
  if (created.size === 0 && length(pieces, frame) <= room) return pieces;
  const kept = new Map<number, Piece>();
  const note = NOTE + frame;
  let left = room - note;
  const keep = (index: number, text: string, extra = 0): boolean => {
    const size = text.length + 2 + frame + extra;
    if (kept.has(index)) return true;
    if (size > left) return false;
    left -= size;
    kept.set(index, { ...pieces[index], text });
    return true;
  };
  const short = (index: number) => pieces[index]?.text ?? "";
  for (const [index, text] of created) if (!keep(index, text, note)) keep(index, short(index), note);
  let head = 0;
  let tail = pieces.length - 1;
  for (let fromTail = true; head <= tail; fromTail = !fromTail) {
    const index = fromTail ? tail : head;
    if (!keep(index, short(index))) break;
    if (fromTail) tail -= 1;
    else head += 1;
  }
  return withNotes(pieces, kept);
}

function withNotes(pieces: readonly Piece[], kept: ReadonlyMap<number, Piece>): Piece[] {
  const result: Piece[] = [];
  let gone: Piece[] = [];
  const note = () => {
    const tools = gone.filter(({ step }) => step?.kind === "tool").length;
    const text = `[... left out: ${plural(gone.length - tools, "message")} and ${plural(tools, "tool call")} ...]`;
    if (gone.length > 0) result.push({ text });
    gone = [];
  };
  for (const [index, piece] of pieces.entries()) {
    const shown = kept.get(index);
    if (!shown) gone.push(piece);
    else {
      note();
      result.push(shown);
    }
  }
  note();
  return result;
}

/** A step as text; `longest` bounds its text or result, `input` its arguments (as `longest`, unless told). */
function render(
  step: Step,
  index: number,
  {
    longest = Infinity,
    input = longest,
  }: { readonly longest?: number | undefined; readonly input?: number | undefined } = {},
): string {
  const number = `[${String(index + 1)}]`;
  const cut = (text: string, limit: number) => keepEnds(text, limit).text;
  if (step.kind !== "tool") return `${number} ${LABELS[step.kind]}:\n${cut(step.text, longest)}`;
  const state = step.success === undefined ? "" : step.success ? " (succeeded)" : " (failed)";
  const result = step.result === undefined ? "result: not recorded" : `result:\n${cut(step.result, longest)}`;
  return `${number} tool call ${step.name}${state}\narguments: ${cut(step.input, input)}\n${result}`;
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
