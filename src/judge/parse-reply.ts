/** Interprets a judge's reply, by calls or as JSON: records its checks and prepares the answer to each call. */
import * as z from "zod/mini";
import type { Check } from "../domain/grade.ts";
import type { Sender } from "./api/send.ts";
import type { Call, Reply, RequestProfile, Turn } from "./api/wire.ts";
import { fenced } from "./evidence.ts";
import {
  finishIn,
  holdsFailure,
  holdsOwnField,
  isFailure,
  isOfForm,
  keyedOnce,
  lettersOf,
  meaningOf,
  readArguments,
  sideOf,
  statementIn,
  toCheck,
} from "./grade-tools.ts";
import { type AnswerPart, type JudgeRequest, type Meter, joinAnswers } from "./judge.ts";
import type { Redact } from "../safety/redact.ts";
import { jsonOf, shorten } from "../text/format.ts";
import { checkText } from "../text/states.ts";

/** Maximum characters of a check that is quoted to the judge, or in an error. */
export const LONGEST_QUOTED_CHECK = 300;

/** State of one conversation with a judge. */
export interface JudgeConversation {
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
  /** The checks with detail as text, to find repeats. */
  readonly seenChecks: Set<string>;
  readonly texts: string[];
  /** Changes and doubts of the replies so far. */
  readonly parts: AnswerPart[];
  /** Calls of checks that are not recorded until a later call settles them: by statement, else description, else "". */
  readonly open: Map<number | string, OpenCall>;
  /** The last call of a tool that does not exist, until a check is recorded; an attempt at one, until it was named. */
  unknown?: UnknownCall | undefined;
  /** Whether a reminder has named an attempt at a check under another name. */
  wasAttemptNamed: boolean;
  /** The answer to the last call that named no statement there is: an attempt is not silence. */
  misnumbered?: string | undefined;
  /** Names of all tools it called. */
  readonly toolNames: Set<string>;
  /** The highest number of checks that the instructions ask for, by the judge's calls of `finish_grading`. */
  announced?: number | undefined;
  /** Whether the judge may write its verdict as JSON. */
  takesJson: boolean;
  /** Whether it was reminded that nothing is reported, and shown the form. */
  isFormOffered: boolean;
  servedBy?: string | undefined;
  /** The profile of the requests so far; absent before the first reply. */
  currentProfile?: RequestProfile | undefined;
}

/** Why a call of a check is not recorded, and what settles it. */
interface OpenCall {
  readonly why: string;
  readonly how: string;
}

interface UnknownCall {
  readonly name: string;
  /** Number of turns when it was called. */
  readonly turn: number;
  /** Whether it holds a field of a check, and no reminder has named it. */
  readonly isAttempt: boolean;
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
  /** Whether it reports a check that no earlier reply has word for word, or reads a file with success. */
  readonly isNew: boolean;
  /** Whether it should be a JSON verdict, and is none: the server takes no tools, or it is an attempt at one. */
  readonly isUnreadable: boolean;
}

/** Records the checks of a reply, in order, and prepares the answer to each call. Every check counts. */
export async function parseReply(conversation: JudgeConversation, reply: Reply): Promise<ParsedReply> {
  const { request, seenChecks, open, takesJson } = conversation;
  const written = takesJson && reply.calls.length === 0 ? callsInJson(reply.text, request) : undefined;
  if (written) conversation.parts.push({ changes: [], withoutTools: true });
  const calls = (written ?? reply.calls).map((call) => ({
    ...call,
    arguments: readArguments(call.arguments),
  }));
  const readsBefore = request.files?.reads() ?? 0;
  const answered: Answered[] = [];
  const context = {
    conversation,
    seenBefore: new Set(seenChecks),
    openBefore: new Set(open.keys()),
    countsFromZero: countsFromZero(calls, request),
  };
  for (const call of calls) answered.push(await answerTo(call, context));
  const of = (kind: Answered["kind"]) => answered.filter((one) => one.kind === kind).length;
  const hasRead = (request.files?.reads() ?? 0) > readsBefore;
  return {
    calls,
    answers: answered.map(({ answer }) => answer),
    finishes: of("finish") > 0 && of("read") === 0,
    reads: of("read") > 0,
    onlyReads: of("read") === calls.length && hasRead,
    isNew: hasRead || of("check") > 0,
    isUnreadable: written === undefined && isUnreadable(conversation, reply),
  };
}

/**
 * Whether a reply without a JSON verdict should have been one. Once JSON was offered, one that names a tool of ours or
 * holds a block in braces is an attempt at a verdict, and an attempt is not silence.
 */
function isUnreadable(
  { currentProfile, checks, takesJson }: JudgeConversation,
  { text, calls }: Reply,
): boolean {
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
  /** `repeat`: a check that an earlier reply has word for word; `unrecorded`: no check of ours, or an unclear one. */
  readonly kind: "check" | "repeat" | "finish" | "read" | "unrecorded";
  /** Absent for a finish. */
  readonly answer?: string | undefined;
}

/** Whether a call of a reply names statement 0: then none of its numbers can be trusted. */
function countsFromZero(calls: readonly Call[], { statements }: JudgeRequest): boolean {
  return statements !== undefined && calls.some(({ arguments: args }) => statementIn(args, statements) === 0);
}

interface CallContext {
  readonly conversation: JudgeConversation;
  /** The checks of earlier replies, and what they left open. */
  readonly seenBefore: ReadonlySet<string>;
  readonly openBefore: ReadonlySet<number | string>;
  readonly countsFromZero: boolean;
}

/** Interprets one call and prepares its answer; a check is recorded. */
async function answerTo(call: Call, context: CallContext): Promise<Answered> {
  const { conversation } = context;
  const { request, signal, toolNames, turns } = conversation;
  const name = conversation.redact(call.name).slice(0, 64);
  toolNames.add(name);
  const meaning = meaningOf(call.name);
  if (meaning === "finish") {
    const { announced = 0, fails } = finishIn(call.arguments);
    if (!request.statements && announced > (conversation.announced ?? 0)) conversation.announced = announced;
    if (fails && !conversation.checks.some(isFailure)) conversation.open.set("", FAILED_FINISH);
    return { kind: "finish" };
  }
  if (meaning) return noteCheck(meaning, call, context);
  const content = await request.files?.answer(call, signal);
  if (content !== undefined) return { kind: "read", answer: content };
  const unknown = { name, turn: turns.length, isAttempt: holdsOwnField(call.arguments) };
  conversation.unknown = unknown.isAttempt ? unknown : (openAttempt(conversation) ?? unknown);
  return { kind: "unrecorded", answer: noTool(name) };
}

/** The unknown call that neither a check nor another such call settles. */
function openAttempt({ unknown }: JudgeConversation): UnknownCall | undefined {
  return unknown?.isAttempt ? unknown : undefined;
}

/** The answer to a call of a tool that does not exist. */
export function noTool(name: string): string {
  return `There is no tool called ${JSON.stringify(name)}; nothing was recorded.`;
}

/** The place of a failure without a statement's number among the open calls: any other failure settles it. */
const WITHOUT_STATEMENT = "a failure without a number";

/** A finish that says what no check does: any check of a later reply settles it. */
const FAILED_FINISH: OpenCall = {
  why: "`finish_grading` says that something fails, and no call of `set_waza_grade_fail` does",
  how: "finish_grading says that something fails. Call set_waza_grade_fail for it, or set_waza_grade_pass again for what holds.",
};

/**
 * Records a check, unless its statement does not exist, or its own arguments do not bear it out. Of the latter, one that is
 * only unclear counts when it is called so again; one that contradicts itself never does.
 */
function noteCheck(outcome: Check["outcome"], call: Call, context: CallContext): Answered {
  const { conversation, seenBefore, openBefore } = context;
  const { checks, seenChecks, open, request } = conversation;
  const { statements } = request;
  const { check, fault } = toCheck(outcome, call.arguments, { ...conversation, statements });
  const { description, reason, statement } = check;
  if (statements && (context.countsFromZero || statements[(statement ?? 0) - 1] === undefined)) {
    const how = noStatement(statements.length, context.countsFromZero);
    conversation.misnumbered = how;
    if (isFailure(check)) open.set(WITHOUT_STATEMENT, { why: `${callText(check)} names no statement`, how });
    return unrecorded(how);
  }
  const name = statement ?? description ?? "";
  if (fault === "contradicts itself" || (fault && !openBefore.has(name))) {
    const how = whichIsMeant(conversation);
    open.set(name, { why: `${callText(check)} ${fault}`, how });
    return unrecorded(how);
  }
  const words = JSON.stringify(check);
  // Without detail it may be a different check: nothing distinguishes it from the previous one.
  const hasDetail = description !== undefined || reason !== undefined || statement !== undefined;
  if (hasDetail) seenChecks.add(words);
  const settles = [name, "", ...(isFailure(check) ? [WITHOUT_STATEMENT] : [])];
  // What names nothing may be any check: only a later reply settles it.
  const settled = settles.filter((one) => (one === name && name !== "") || openBefore.has(one));
  const isSettled = settled.map((one) => open.delete(one)).includes(true);
  checks.push(isSettled || fault ? { ...check, contradicted: true } : check);
  conversation.unknown = openAttempt(conversation);
  const isRepeat = seenBefore.has(words);
  return { kind: isRepeat ? "repeat" : "check", answer: isRepeat ? REPEATED : "Recorded." };
}

function unrecorded(how: string): Answered {
  return { kind: "unrecorded", answer: `Nothing was recorded: ${how}` };
}

/** `set_waza_grade_fail` (short: 4 lines). */
function callText(check: Check): string {
  return `\`set_waza_grade_${check.outcome}\` (${shorten(checkText(check), LONGEST_QUOTED_CHECK)})`;
}

/** Asks which of the two a judge means, by calls or as JSON, with the only words that there are. */
function whichIsMeant({ request: { statements }, parts, currentProfile }: JudgeConversation): string {
  const same = statements ? "for the same statement" : "with the same description";
  const asJson = currentProfile?.tools === false || joinAnswers(parts).withoutTools === true;
  return asJson
    ? `write the outcome that you mean, "pass" or "fail", ${same}, and nothing beside it that says otherwise.`
    : `set_waza_grade_pass takes only "pass" as its "verdict", and set_waza_grade_fail "fail". Call the one you mean, ${same}, with these arguments alone.`;
}

function noStatement(count: number, fromZero: boolean): string {
  const again = fromZero ? " You counted from 0: report each of this reply again." : "";
  return `the statements are numbered 1 to ${String(count)}; give one of these as "statement".${again}`;
}

/* Verdicts written as JSON, and the conversation as text, for servers without tools or that refuse the judge's own replies. */

const verdict = z.looseObject({
  checks: z.array(
    z.looseObject({
      outcome: z.pipe(z.pipe(z.unknown(), z.transform(sideOf)), z.enum(["pass", "fail"])),
      description: z.optional(z.unknown()),
      reason: z.optional(z.unknown()),
    }),
  ),
});

/**
 * The tool calls equivalent to a reply written as JSON, `finish_grading` last. The reply has to be such an object and
 * nothing else, except for one code fence around it and thoughts before it: an object within other text may be a quote
 * of the agent's output. Its list of checks alone, and a check alone, are such an object, too; the form itself, sent
 * back, and what the evidence holds word for word are not.
 */
function callsInJson(text: string, { messages, shared }: JudgeRequest): Call[] | undefined {
  const whole = wholeJson(text.trim());
  if (whole === undefined) return undefined;
  const isQuote = messages.slice(0, shared?.messages).some(({ content }) => content.includes(whole));
  if (isQuote) return undefined;
  const value = keyedOnce(whole);
  const isCheck = typeof value === "object" && value !== null && "outcome" in value && "reason" in value;
  const parsed = z.safeParse(
    verdict,
    isCheck ? { checks: [value] } : Array.isArray(value) ? { checks: value } : value,
  );
  if (!parsed.success) return undefined;
  const { checks, ...others } = parsed.data;
  // Beside its checks it says that something fails, and none of them does.
  if (checks.every(({ outcome }) => outcome === "pass") && holdsFailure(others)) return undefined;
  if (checks.some(({ reason, description }) => isOfForm(reason) || isOfForm(description))) return undefined;
  const calls = checks.map(({ outcome, ...details }) => {
    return { id: "", name: `set_waza_grade_${outcome}`, arguments: details };
  });
  return [...calls, { id: "", name: "finish_grading", arguments: {} }];
}

/** A special token of a model, as it may end a reply. */
const END_TOKEN = /^<(?:\/s|\|\w{1,30}\||end_of_turn|\/answer)>$/;
/** What ends a model's thoughts, or begins its answer. */
const ENDS_OF_THOUGHTS = ["</think>", "</thinking>", "</seed:think>", "[/THINK]", "◁/think▷", "<answer>"];

/** The text if it is JSON, else what follows its thoughts, if that is JSON. */
function wholeJson(text: string): string | undefined {
  const bare = withoutEndTokens(text);
  return [bare, afterThoughts(bare)].map(withoutFence).find((one) => jsonOf(one) !== undefined);
}

function withoutEndTokens(text: string): string {
  let left = text.trimEnd();
  for (let at = left.lastIndexOf("<"); END_TOKEN.test(left.slice(at)); at = left.lastIndexOf("<"))
    left = left.slice(0, at).trimEnd();
  return left;
}

/** The tag or mark that opens a reply's thoughts: `<thought>`, `[THINK]`, `<|channel|>`. */
const OPENING = /^(?:<(?!answer>)[\w:-]{1,30}>|\[THINK\]|◁think▷|<\|[\w-]{1,30}\|>)/;
/** The mark that ends what such a mark opened. */
const END_MARK = /<\|end\w{0,30}\|>/i;

/**
 * What follows the thoughts of a reply: those that it starts with, up to the first end of their tag, and any others without
 * a brace. An end behind a brace may be a quote of the agent's output, and so the object after it: two are no verdict.
 */
function afterThoughts(text: string): string {
  const [opening = ""] = OPENING.exec(text) ?? [];
  const isMark = opening.startsWith("<|");
  const [end = ""] = isMark ? (END_MARK.exec(text) ?? []) : [opening.replace(/^./u, "$&/")];
  const at = opening === "" || end === "" ? -1 : text.indexOf(end);
  const rest = at < 0 ? text : text.slice(at + end.length);
  const [head = ""] = rest.split("{", 1);
  const ends = [...ENDS_OF_THOUGHTS, ...(isMark ? ["|>"] : [])];
  const starts = ends.map((one) => [head.lastIndexOf(one), one.length] as const);
  return rest.slice(Math.max(0, ...starts.map(([from, length]) => (from < 0 ? 0 : from + length)))).trim();
}

function withoutFence(text: string): string {
  const isFenced = text.length > 6 && text.startsWith("```") && text.endsWith("```");
  return isFenced ? text.slice(3, -3).replace(/^\w*/, "") : text;
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
