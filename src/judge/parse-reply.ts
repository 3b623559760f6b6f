/** Interprets a judge's reply, by calls or as JSON: records its checks and prepares the answer to each call. */
import { parse, type AnyNode } from "@humanwhocodes/momoa";
import * as z from "zod/mini";
import type { Check } from "../domain/grade.ts";
import type { Sender } from "./api/send.ts";
import type { Call, Reply, RequestProfile, Turn } from "./api/wire.ts";
import { fenced } from "./evidence.ts";
import {
  announcedIn,
  isOfForm,
  lettersOf,
  mayBeFailure,
  meaningOf,
  statementIn,
  toCheck,
  withLowerCaseKeys,
} from "./grade-tools.ts";
import type { AnswerPart, JudgeRequest, Meter } from "./judge.ts";
import type { Redact } from "../safety/redact.ts";
import { jsonOf } from "../text/format.ts";

/** State of one conversation with a judge. */
export interface Conversation {
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  /** When the grade times out, in terms of `performance.now()`. */
  readonly deadline: number;
  readonly send: Sender;
  readonly redact: Redact;
  readonly turns: Turn[];
  /** All reported checks, in order. */
  readonly checks: Check[];
  /** Calls as text, to find duplicates: checks with detail, and calls that were not recorded. */
  readonly seenCalls: Set<string>;
  readonly texts: string[];
  /** Changes and doubts of the replies so far. */
  readonly parts: AnswerPart[];
  /** The answer to the last call that was not recorded, until a later reply reports a check. */
  unrecorded?: string | undefined;
  /** The name of an unknown call that may be meant as a failure, until a later reply reports a check. */
  lost?: string | undefined;
  /** Checks that named no statement, and are not recorded. */
  readonly unnumbered: Check[];
  /** Reminders sent, each once: `nothing`, `count`, `statements`, `contradictions` or `unrecorded`. */
  readonly reminders: Set<string>;
  /** Names of all tools it called. */
  readonly toolNames: Set<string>;
  /** The highest number of checks that the instructions ask for, by the judge's calls of `finish_grading`. */
  announced?: number | undefined;
  /**
   * Passes whose own `verdict` is not `pass`, not recorded until a later call settles them: by statement, else description,
   * else "", each with the number of turns when it was called.
   */
  readonly contradictions: Map<number | string, number>;
  /** Whether the judge may write its verdict as JSON. */
  takesJson: boolean;
  servedBy?: string | undefined;
  /** The profile of the requests so far; absent before the first reply. */
  currentProfile?: RequestProfile | undefined;
}

/** Interpreted reply. */
export interface ParsedReply {
  readonly calls: readonly Call[];
  /** The answer to each call; undefined for a finish, where it depends on what is missing. */
  readonly answers: readonly (string | undefined)[];
  /** Whether it calls `finish_grading`, without reading a file. */
  readonly finishes: boolean;
  /** Whether it reads files. */
  readonly reads: boolean;
  /** Whether every call reads files, at least one with success. */
  readonly onlyReads: boolean;
  /** Whether it should be a JSON verdict, and is none: the server takes no tools, or it is an attempt at one. */
  readonly isUnreadable: boolean;
  /** Whether every call repeats one of an earlier reply word for word, and is neither a finish nor a read. */
  readonly onlyRepeats: boolean;
  /** The outcome, if every call reports the same one without detail. */
  readonly withoutDetail: Check["outcome"] | undefined;
}

/** Records the checks of a reply, in order, and prepares the answer to each call. Every check counts. */
export async function parseReply(conversation: Conversation, reply: Reply): Promise<ParsedReply> {
  const { request, seenCalls } = conversation;
  const written = conversation.takesJson && reply.calls.length === 0 ? callsInJson(reply.text) : undefined;
  if (written) conversation.parts.push({ changes: [], withoutTools: true });
  const calls = written ?? reply.calls;
  const known = new Set(seenCalls);
  const readsBefore = request.files?.reads() ?? 0;
  const answered: Answered[] = [];
  const context = { conversation, known, countsFromZero: countsFromZero(calls, request) };
  for (const call of calls) answered.push(await answerTo(call, context));
  const of = (kind: Answered["kind"]) => answered.filter((one) => one.kind === kind).length;
  noteUnrecorded(answered, conversation);
  const [withoutDetail, ...others] = new Set(answered.map((one) => one.withoutDetail));
  const onlyRepeats = calls.length > 0 && answered.every(({ isRepeat }) => isRepeat);
  return {
    calls,
    answers: answered.map(({ answer, kind }) => (onlyRepeats && kind === "check" ? REPEATED : answer)),
    finishes: of("finish") > 0 && of("read") === 0,
    reads: of("read") > 0,
    onlyReads: of("read") === calls.length && (request.files?.reads() ?? 0) > readsBefore,
    onlyRepeats,
    withoutDetail: others.length === 0 ? withoutDetail : undefined,
    isUnreadable: written === undefined && isUnreadable(conversation, reply),
  };
}

/** Remembers the last call of a reply that was not recorded, and one that may be meant as a failure, until a check. */
function noteUnrecorded(answered: readonly Answered[], conversation: Conversation): void {
  const unrecorded = answered.findLast(({ kind }) => kind === "unrecorded")?.answer;
  const lost = answered.findLast((one) => one.lost !== undefined)?.lost;
  const reports = answered.some(({ kind }) => kind === "check");
  if (unrecorded !== undefined || reports) conversation.unrecorded = unrecorded;
  if (lost !== undefined || reports) conversation.lost = lost;
}

/**
 * Whether a reply without a JSON verdict should have been one. Once JSON was offered, one that names a tool of ours or
 * holds a block in braces is an attempt at a verdict, and an attempt is not silence.
 */
function isUnreadable({ currentProfile, checks, takesJson }: Conversation, { text, calls }: Reply): boolean {
  if (calls.length > 0) return false;
  if (takesJson && text.includes('"checks"')) return true;
  if (checks.length > 0) return false;
  const open = text.indexOf("{");
  const isAttempt = takesJson && (namesTool(text) || (open >= 0 && text.includes("}", open)));
  return isAttempt || currentProfile?.tools === false;
}

function namesTool(text: string): boolean {
  const letters = lettersOf(text);
  return letters.includes("setwazagrade") || letters.includes("finishgrading");
}

const REPEATED = "Already recorded: report what is left, or call finish_grading.";

interface Answered {
  /** `unrecorded`: the tool or statement does not exist; `contradiction`: a pass with another verdict. */
  readonly kind: "check" | "finish" | "read" | "unrecorded" | "contradiction";
  /** Absent for a finish. */
  readonly answer?: string | undefined;
  /** Whether an earlier reply has the same call, word for word. */
  readonly isRepeat?: boolean | undefined;
  /** The outcome of a check without any detail. */
  readonly withoutDetail?: Check["outcome"] | undefined;
  /** The name of an unknown call that may be meant as a failure. */
  readonly lost?: string | undefined;
}

/** Asks which of the two a judge means, by calls or as JSON, with the only words that there are. */
export function whichIsMeant({ statements }: JudgeRequest, asJson = false): string {
  const same = statements ? "for the same statement" : "with the same description";
  return asJson
    ? `an outcome is "pass" beside another "verdict". Write the outcome that you mean, "pass" or "fail", ${same}.`
    : `set_waza_grade_pass takes only "pass" as its "verdict", and set_waza_grade_fail "fail". Call the one you mean, ${same}.`;
}

/** Whether a call of a reply names statement 0: then none of its numbers can be trusted. */
function countsFromZero(calls: readonly Call[], { statements }: JudgeRequest): boolean {
  return statements !== undefined && calls.some(({ arguments: args }) => statementIn(args, statements) === 0);
}

/** Interprets one call and prepares its answer; a check is recorded. */
async function answerTo(call: Call, context: CallContext): Promise<Answered> {
  const { conversation } = context;
  const { request, signal, toolNames, redact } = conversation;
  const name = redact(call.name).slice(0, 64);
  toolNames.add(name);
  const meaning = meaningOf(call.name);
  if (meaning === "finish") {
    const announced = request.statements ? 0 : (announcedIn(call.arguments) ?? 0);
    if (announced > (conversation.announced ?? 0)) conversation.announced = announced;
    return { kind: "finish" };
  }
  if (meaning) return noteCheck(meaning, call, context);
  const content = await request.files?.answer(call, signal);
  if (content !== undefined) return { kind: "read", answer: content };
  const noTool = `There is no tool called ${JSON.stringify(name)}; nothing was recorded.`;
  return { ...unrecorded(call, noTool, context), lost: mayBeFailure(call) ? name : undefined };
}

interface CallContext {
  readonly conversation: Conversation;
  /** The calls of earlier replies. */
  readonly known: ReadonlySet<string>;
  readonly countsFromZero: boolean;
}

/** Records a check, unless its statement does not exist, or it is a pass that its own `verdict` contradicts. */
function noteCheck(outcome: Check["outcome"], call: Call, context: CallContext): Answered {
  const { conversation, known } = context;
  const { request, checks, seenCalls, redact } = conversation;
  const { statements } = request;
  const check = toCheck(outcome, call.arguments, { redact, statements });
  const { description, reason, statement } = check;
  if (statements && (context.countsFromZero || statements[(statement ?? 0) - 1] === undefined)) {
    conversation.unnumbered.push(check);
    return unrecorded(call, noStatement(statements.length, context.countsFromZero), context);
  }
  if (check.contradicted && outcome === "pass") {
    conversation.contradictions.set(statement ?? description ?? "", conversation.turns.length);
    const answer = `Nothing was recorded: ${whichIsMeant(request)}`;
    return { ...unrecorded(call, answer, context), kind: "contradiction" };
  }
  const words = JSON.stringify(check);
  const isRepeat = known.has(words);
  // Without detail it may be a different check: nothing distinguishes it from the previous one.
  const hasDetail = description !== undefined || reason !== undefined || statement !== undefined;
  if (hasDetail) seenCalls.add(words);
  checks.push(settle(check, conversation));
  return { kind: "check", isRepeat, answer: "Recorded.", withoutDetail: hasDetail ? undefined : outcome };
}

function unrecorded(call: Call, answer: string, { conversation, known }: CallContext): Answered {
  const words = JSON.stringify([call.name, call.arguments]);
  conversation.seenCalls.add(words);
  return { kind: "unrecorded", isRepeat: known.has(words), answer };
}

function noStatement(count: number, fromZero: boolean): string {
  const again = fromZero ? " You counted from 0: report each of this reply again." : "";
  return `Nothing was recorded: the statements are numbered 1 to ${String(count)}; give one of these as "statement".${again}`;
}

/**
 * The check, marked if it settles an earlier contradiction. It does so for the same statement, else the same description;
 * a contradiction without either is settled by any check of a later reply.
 */
function settle(check: Check, { contradictions, turns }: Conversation): Check {
  const name = check.statement ?? check.description;
  const isSame = name !== undefined && contradictions.delete(name);
  const isLater = (contradictions.get("") ?? Infinity) < turns.length && contradictions.delete("");
  return isSame || isLater ? { ...check, contradicted: true } : check;
}

/* Verdicts written as JSON, and the conversation as text, for servers without tools or that refuse the judge's own replies. */

const verdict = z.looseObject({
  checks: z.array(
    z.looseObject({
      outcome: z.pipe(z.pipe(z.string(), z.transform(lettersOf)), z.enum(["pass", "fail"])),
      description: z.optional(z.unknown()),
      reason: z.optional(z.unknown()),
    }),
  ),
});

/**
 * The tool calls equivalent to a reply written as JSON, `finish_grading` last. The reply has to be such an object and
 * nothing else, except for one code fence around it and thoughts before it: an object within other text may be a quote
 * of the agent's output. Its list of checks alone, and a check alone, are such an object, too; the form itself, sent
 * back, is not.
 */
function callsInJson(text: string): Call[] | undefined {
  const value = objectIn(text);
  const isCheck = typeof value === "object" && value !== null && "outcome" in value && "reason" in value;
  const parsed = z.safeParse(
    verdict,
    isCheck ? { checks: [value] } : Array.isArray(value) ? { checks: value } : value,
  );
  if (!parsed.success) return undefined;
  const { checks } = parsed.data;
  if (checks.some(({ reason, description }) => isOfForm(reason) || isOfForm(description))) return undefined;
  const calls = checks.map(({ outcome, ...details }) =>
    callOfJsonVerdict(`set_waza_grade_${outcome}`, details),
  );
  return [...calls, callOfJsonVerdict("finish_grading", {})];
}

/**
 * The JSON of a whole reply, keys in lower case, without a code fence around it and thoughts before it; undefined if it
 * is not JSON or repeats a key.
 */
function objectIn(text: string): unknown {
  const whole = wholeJson(text.trim());
  if (whole === undefined || hasDuplicateKey(parse(whole).body)) return undefined;
  return withLowerCaseKeys(jsonOf(whole));
}

/** The text if it is JSON, else what follows its thoughts, if that is JSON. */
function wholeJson(text: string): string | undefined {
  return [text, afterThoughts(text)].map(withoutFence).find((one) => jsonOf(one) !== undefined);
}

/**
 * What follows the thoughts that a reply starts with, after the last end of their tag: `<think>…</think>`, or the marks of
 * a channel (`<|channel|>…<|end|>`). Any other text before an object may be a quote of the agent's output, and so the object.
 */
function afterThoughts(text: string): string {
  const [, bar, name = ""] = /^<(\|?)([\w-]{1,30})\1>/.exec(text) ?? [];
  const end = bar ? "|>" : `</${name}>`;
  const at = name === "" ? -1 : text.lastIndexOf(end);
  return at < 0 ? "" : text.slice(at + end.length).trim();
}

function withoutFence(text: string): string {
  const isFenced = text.length > 6 && text.startsWith("```") && text.endsWith("```");
  return isFenced ? text.slice(3, -3).replace(/^\w*/, "") : text;
}

/** JSON.parse keeps only the last of duplicate keys, so reject duplicates. */
function hasDuplicateKey(node: AnyNode): boolean {
  if (node.type === "Array") return node.elements.some(({ value }) => hasDuplicateKey(value));
  if (node.type !== "Object") return false;
  const names = node.members.map(({ name }) => ("value" in name ? name.value : name.name).toLowerCase());
  return new Set(names).size < names.length || node.members.some(({ value }) => hasDuplicateKey(value));
}

function callOfJsonVerdict(name: string, args: unknown): Call {
  return { id: "", name, arguments: args };
}

/** Position and format of the flattened history. */
export interface FlattenOptions {
  /** Number of messages before it; they end with the evidence. */
  readonly before: number;
  /** Code of the evidence's markers. */
  readonly code: string;
  /** The last message, how to go on. */
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
  const history = fenced(code, [{ title: "your calls so far, with their answers", text: lines.join("\n") }]);
  return [...messages.slice(0, before), user(history), ...messages.slice(before), user(next)];
}
