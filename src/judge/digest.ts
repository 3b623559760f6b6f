/** Renders a conversation within a budget: the beginning and end are kept, the middle is left out with a count. */
import type { SentPart } from "../domain/grade.ts";
import type { Step } from "../domain/run.ts";
import { LEAST_CONVERSATION } from "./limits.ts";
import { jsonOf, sumOf } from "../text/format.ts";
import { Json } from "../text/json.ts";

/** Characters that a result, and then an argument, is cut to at the shortest. */
const SHORTEST_PART = 300;
/** Characters of an argument where steps have to be left out. */
const SHORTEST_INPUT = 1_000;
/** Characters of the marker before a section, without its title, and of the line ends. */
const FENCE_ROOM = 26;
/** Characters reserved for a note about left-out steps. */
const NOTE_ROOM = 100 + FENCE_ROOM;

export interface Digest {
  /** Numbers of messages and tool calls in the whole conversation. */
  readonly title: string;
  /** Texts below their titles, which are one line without `<` and `>`. */
  readonly sections: readonly SentPart[];
  readonly elided: boolean;
  /** Calls that failed and are not among the sections. */
  readonly failedUnseen: number;
}

/** A step, or a note in place of left-out steps, as sections that are fenced. */
interface Piece {
  readonly step?: Step | undefined;
  readonly sections: readonly SentPart[];
}

/**
 * Renders the steps in at most `budget` characters (but at least LEAST_CONVERSATION). Words and arguments stay whole: all
 * results are cut to one length, the largest that fits; where the shortest does not, arguments likewise; only then steps
 * are left out from the middle. What `stepsKeptLast` names is cut or left out only beyond three quarters of the room.
 */
export function digest(steps: readonly Step[], budget: number): Digest {
  const tools = steps.filter(({ kind }) => kind === "tool").length;
  const title = `${numberOf(steps.length - tools, "message")}, ${numberOf(tools, "tool call")}`;
  const room = Math.max(budget, LEAST_CONVERSATION);
  const whole = steps.map((step, index) => pieceOf(step, index, {}));
  const elided = length(whole) > room;
  const pieces = elided ? shortenedSteps(steps, room) : whole;
  const shown = new Set(pieces.map(({ step }) => step));
  const failedUnseen = steps.filter((step) => isFailedCall(step) && !shown.has(step)).length;
  return { title, sections: pieces.flatMap(({ sections }) => sections), elided, failedUnseen };
}

/** The part of the room that is for steps which are shortened last. */
const KEPT_SHARE = 0.75;

function shortenedSteps(steps: readonly Step[], room: number): readonly Piece[] {
  const order = stepsKeptLast(steps);
  const kept = new Set(order);
  const longest = steps.reduce((most, step) => Math.max(most, lengthOf(step)), SHORTEST_PART);
  const keptAt = (size: number) =>
    steps.flatMap((step, index) => (kept.has(index) ? pieceOf(step, index, allAt(size)) : []));
  const share = Math.floor(room * KEPT_SHARE);
  const longestKept = largest(longest, (size) => length(keptAt(size), NOTE_ROOM) <= share) ?? SHORTEST_PART;
  const at = (lengths: Lengths) =>
    steps.map((step, index) => pieceOf(step, index, kept.has(index) ? allAt(longestKept) : lengths));
  const fits = (lengths: Lengths) => length(at(lengths)) <= room;
  const result = largest(longest, (size) => fits({ result: size }));
  if (result !== undefined) return at({ result });
  const input = largest(longest, (size) => fits({ result: SHORTEST_PART, input: size }));
  if (input !== undefined) return at({ result: SHORTEST_PART, input });
  const shortest = { result: SHORTEST_PART, input: SHORTEST_INPUT, words: Math.floor(room / 4) };
  return leaveOut(at(shortest), order, room);
}

function allAt(size: number): Lengths {
  return { words: size, result: size, input: size };
}

function pieceOf(step: Step, index: number, lengths: Lengths): Piece {
  return { step, sections: sectionsOfStep(step, index, lengths) };
}

function lengthOf(step: Step): number {
  return step.kind === "tool" ? Math.max(step.input.length, step.result?.length ?? 0) : step.text.length;
}

/** The largest size from the shortest to `most` that fits, to one part in a hundred; undefined if not even the shortest does. */
function largest(most: number, fits: (size: number) => boolean): number | undefined {
  if (fits(most)) return most;
  if (!fits(SHORTEST_PART)) return undefined;
  let [good, bad] = [SHORTEST_PART, most + 1];
  while (bad > good * 1.01 && bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

function numberOf(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Who said what a step holds. */
function speaker(step: Exclude<Step, { kind: "tool" }>): string {
  return step.kind === "user" && step.by === "model" ? PLAYED : LABELS[step.kind];
}

/** The user's turn that a model wrote. */
const PLAYED = "the user (played by a model)";
const LABELS = { user: "user", assistant: "agent", skill: "skill invoked", error: "session error" } as const;

/** The longest that texts, results and arguments may be; absent for whole ones. */
interface Lengths {
  readonly words?: number;
  readonly result?: number;
  readonly input?: number;
}

/** A step's sections: one, or two for a call whose arguments are of several lines and might imitate a result. */
function sectionsOfStep(step: Step, index: number, { words, result, input }: Lengths): readonly SentPart[] {
  const { kind } = step;
  const number = `[${String(index + 1)}]`;
  const cut = (text: string, limit = Infinity) => keepEnds(text, limit).text;
  if (step.kind !== "tool")
    return [{ kind, title: `${number} ${speaker(step)}`, text: cut(step.text, words) }];
  const state = step.success === undefined ? "" : step.success ? " (succeeded)" : " (failed)";
  const inTitle = (name: string) => name.replace(/[<>\s]+/g, " ");
  const by = step.subAgent === undefined ? "" : ` of the sub-agent "${inTitle(step.subAgent)}"`;
  const title = `${number} tool call ${inTitle(step.name)}${by}${state}`;
  const given = `arguments: ${cut(step.input, input)}`;
  const came = step.result === undefined ? undefined : cut(step.result, result);
  if (came !== undefined && /[\r\n]/.test(step.input))
    return [
      { kind, title, text: given },
      { kind, title: `${number} result`, text: came },
    ];
  const shown = came === undefined ? "result: not recorded" : `result:\n${came}`;
  return [{ kind, title, text: `${given}\n${shown}` }];
}

/** Characters of pieces, with `frame` for each. */
function length(pieces: readonly Piece[], frame = 0): number {
  const lengths = pieces.flatMap(({ sections }) =>
    sections.map(({ title, text }) => title.length + text.length + FENCE_ROOM),
  );
  return sumOf(lengths) + pieces.length * frame;
}

/** Keeps the steps that are left out last, and of the others those from both ends, starting with the end. */
function leaveOut(pieces: readonly Piece[], order: readonly number[], room: number): readonly Piece[] {
  const kept = new Set<number>();
  let left = room - NOTE_ROOM;
  const take = (index: number, most: number, note = 0) => {
    const size = length(pieces.slice(index, index + 1), note);
    if (size > most) return false;
    left -= size;
    kept.add(index);
    return true;
  };
  const forOthers = Math.floor(room * (1 - KEPT_SHARE));
  for (const index of order) take(index, left - forOthers, NOTE_ROOM);
  let [head, tail] = [0, pieces.length - 1];
  for (let fromTail = true; head <= tail; fromTail = !fromTail) {
    const index = fromTail ? tail : head;
    if (!kept.has(index) && !take(index, left)) break;
    if (fromTail) tail -= 1;
    else head += 1;
  }
  return withNotes(pieces, kept);
}

function withNotes(pieces: readonly Piece[], kept: ReadonlySet<number>): Piece[] {
  const result: Piece[] = [];
  let gone: Piece[] = [];
  const note = () => {
    const tools = gone.filter(({ step }) => step?.kind === "tool").length;
    const failed = gone.filter(({ step }) => isFailedCall(step)).length;
    const ofThem = failed === 0 ? "" : `, ${String(failed)} of them failed`;
    const title = `[... left out: ${numberOf(gone.length - tools, "message")} and ${numberOf(tools, "tool call")}${ofThem} ...]`;
    if (gone.length > 0) result.push({ sections: [{ kind: "section", title, text: "" }] });
    gone = [];
  };
  for (const [index, piece] of pieces.entries()) {
    if (kept.has(index)) {
      note();
      result.push(piece);
    } else gone.push(piece);
  }
  note();
  return result;
}

/** The sections as text for people, with empty lines between. */
export function joinSections(sections: readonly SentPart[]): string {
  return sections.map(({ title, text }) => `${title}\n${text}`.trimEnd()).join("\n\n");
}

/**
 * Shortens a text to its beginning (two thirds) and end (one third), around a note of how much was left out; a text that
 * this would not shorten stays whole.
 */
export function keepEnds(text: string, limit: number): { text: string; cut: boolean } {
  if (text.length <= limit) return { text, cut: false };
  const head = wholeCharacters(text.slice(0, Math.floor((limit * 2) / 3)));
  const tail = text.slice(text.length - Math.floor(limit / 3)).replace(/^[\uDC00-\uDFFF]/, "");
  const gone = (text.length - head.length - tail.length).toLocaleString("en-US");
  const kept = `${head}\n[... left out: ${gone} characters ...]\n${tail}`;
  return kept.length < text.length ? { text: kept, cut: true } : { text, cut: false };
}

function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}

/* The steps that are shortened and left out last. */

/**
 * The places of what the user said, the last result of a test, the last edit of each file, and what failed: what is worth
 * most first. They are known by the names of arguments, not by those of tools.
 */
function stepsKeptLast(steps: readonly Step[]): readonly number[] {
  const backwards = [...steps.entries()].reverse();
  const users = [...steps.entries()].flatMap(([index, { kind }]) => (kind === "user" ? index : []));
  const test = backwards.find(([, step]) => isTest(step));
  const edited = new Set<string>();
  const edits = backwards.flatMap(([index, step]) => {
    const files = filesEditedBy(step).filter((file) => !edited.has(file));
    for (const file of files) edited.add(file);
    return files.length > 0 ? index : [];
  });
  const failed = backwards.flatMap(([index, step]) =>
    isFailedCall(step) || step.kind === "error" ? index : [],
  );
  return [...new Set([...users, ...(test ? [test[0]] : []), ...edits, ...failed])];
}

/** Whether a step is a call that failed. */
function isFailedCall(step: Step | undefined): boolean {
  return step?.kind === "tool" && step.success === false;
}

type Arguments = Readonly<Record<string, unknown>>;

function argumentsOf(step: Step): Arguments {
  return step.kind === "tool" ? (Object(jsonOf(step.input)) as Arguments) : {};
}

/** A command that runs tests, and came back. */
function isTest(step: Step): boolean {
  if (step.kind !== "tool" || step.result === undefined) return false;
  const commands = Object.entries(argumentsOf(step)).filter(([key]) =>
    /^(?:command|cmd|script|code)/i.test(key),
  );
  return commands.some(([, value]) => /(?<!la)test|\bspecs?\b|\bjest\b/i.test([value].flat().join(" ")));
}

const PATH = /^(?:\w+_)?(?:path|file|filename|filepath)$/i;
const WRITTEN =
  /^(?:new_?)?(?:content|contents|text|file_?text|string|str|source|code_?edit|diff|patch|edits|insert_?text)$|^new_/i;

/** The files that a call writes to: a path beside a text, a list of changes, or a patch. */
function filesEditedBy(step: Step): readonly string[] {
  if (step.kind !== "tool" || step.success === false) return [];
  const given = argumentsOf(step);
  const path = Object.entries(given).find(([key, value]) => PATH.test(key) && typeof value === "string")?.[1];
  const isWritten = Object.entries(given).some(([key, value]) => WRITTEN.test(key) && (value ?? "") !== "");
  if (typeof path === "string" && isWritten) return [path];
  const changed = new Json(given).all("changes").flatMap((change) => change.text("path") ?? []);
  const texts = [...Object.values(given).flat(), step.input].filter((value) => typeof value === "string");
  const patched = texts.flatMap((text) =>
    [...text.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.{1,500})$/gm)].map(([, file = ""]) => file),
  );
  return [...changed, ...patched];
}
