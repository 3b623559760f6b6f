/** Renders a conversation within a budget: the beginning and end are kept, the middle is left out with a count. */
import type { Step } from "../domain/run.ts";
import { LEAST_CONVERSATION, LONGEST_PART, NOTE_ROOM } from "./limits.ts";

interface DigestOptions {
  /** Whether the last `create` of each path is shortened last; true by default. */
  readonly keepCreated?: boolean | undefined;
  /** Additional characters per piece, for the markers around it. */
  readonly frame?: number | undefined;
}

export interface Digest {
  /** Numbers of messages and tool calls in the whole conversation. */
  readonly title: string;
  readonly pieces: readonly Piece[];
  readonly elided: boolean;
}

/** A step as text, or a note in place of left-out steps. */
export interface Piece {
  readonly step?: Step | undefined;
  readonly text: string;
}

/**
 * Renders the steps in at most `budget` characters (but at least MINIMUM). Long arguments and results are shortened first;
 * then steps are left out from the middle. With `keepCreated` the last `create` of each path is shortened last: without a
 * workspace it is the only copy of the file.
 */
export function digest(
  steps: readonly Step[],
  budget: number,
  { keepCreated = true, frame = 0 }: DigestOptions = {},
): Digest {
  const tools = steps.filter(({ kind }) => kind === "tool").length;
  const title = `${plural(steps.length - tools, "message")}, ${plural(tools, "tool call")}`;
  const room = Math.max(budget, LEAST_CONVERSATION);
  const whole = steps.map((step, index) => ({ step, text: render(step, index) }));
  if (length(whole, frame) <= room) return { title, pieces: whole, elided: false };
  const longest = Math.min(LONGEST_PART, Math.floor(room / 4));
  const shorter = steps.map((step, index) => ({ step, text: render(step, index, { longest }) }));
  const created = keepCreated ? wholeCreates(steps, longest) : new Map<number, string>();
  return { title, pieces: leaveOut(shorter, created, { room, frame }), elided: true };
}

function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const LABELS = { user: "user", assistant: "agent", skill: "skill invoked", error: "session error" } as const;

/** A step as text; `longest` limits its text or result, `input` its arguments (`longest` by default). */
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

function length(pieces: readonly Piece[], frame: number): number {
  return pieces.reduce((sum, { text }) => sum + text.length + 2 + frame, 0);
}

/** Texts of the steps that create a file for the last time, with full arguments, latest first. */
function wholeCreates(steps: readonly Step[], longest: number): Map<number, string> {
  const last = isLastCreate(steps);
  const creates = [...steps.entries()].filter(([index]) => last(index)).reverse();
  return new Map(creates.map(([index, step]) => [index, render(step, index, { longest, input: Infinity })]));
}

/**
 * A predicate for steps that are the last to create their path: a call that did not fail, with a path and the file's full
 * text among its arguments.
 */
export function isLastCreate(steps: readonly Step[]): (index: number) => boolean {
  const last = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    const path = createdPath(step);
    if (path !== undefined) last.set(path, index);
  }
  const indices = new Set(last.values());
  return (index) => indices.has(index);
}

/* Files that the agent created, by its tool calls. */

/** Argument names for the path and the full text of a created file (Copilot, Claude Code and others). */
const PATHS = ["path", "file_path", "filePath", "filename"];

const TEXTS = ["file_text", "content", "contents", "text"];

function createdPath(step: Step): string | undefined {
  if (step.kind !== "tool" || step.success === false) return undefined;
  if (!TEXTS.some((key) => step.input.includes(`"${key}"`))) return undefined;
  try {
    const args = JSON.parse(step.input) as Record<string, unknown> | null;
    const path = PATHS.map((key) => args?.[key]).find((value) => typeof value === "string");
    const whole = TEXTS.some((key) => typeof args?.[key] === "string");
    return whole && typeof path === "string" ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps created files, in full where they fit, then steps from both ends, starting with the end: it decides most checks. */
function leaveOut(
  pieces: readonly Piece[],
  created: ReadonlyMap<number, string>,
  { room, frame }: { readonly room: number; readonly frame: number },
): readonly Piece[] {
  if (created.size === 0 && length(pieces, frame) <= room) return pieces;
  const kept = new Map<number, Piece>();
  const note = NOTE_ROOM + frame;
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
    const keptPiece = kept.get(index);
    if (!keptPiece) gone.push(piece);
    else {
      note();
      result.push(keptPiece);
    }
  }
  note();
  return result;
}

/** Joins the texts with empty lines. */
export function joinPieces(pieces: readonly Piece[]): string {
  return pieces.length === 0 ? "(not recorded)" : pieces.map(({ text }) => text).join("\n\n");
}

/** Shortens a text to its beginning (two thirds) and end (one third), around a note of how much was left out. */
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
