/** Interprets a judge's reply: records its checks and prepares the answer to each call. */
import type { Check } from "../domain/grade.ts";
import type { Sender } from "./api/send.ts";
import type { Call, Reply, RequestProfile, Turn } from "./api/wire.ts";
import { fenced } from "./evidence.ts";
import { callsInJson } from "./json-verdict.ts";
import { isFailure } from "./grade-tools.ts";
import {
  FAULTS,
  finishIn,
  lettersOf,
  meaningOf,
  readArguments,
  saidBy,
  statementIn,
  toCheck,
} from "./judge-call.ts";
import type { AnswerPart, JudgeRequest, Meter } from "./judge.ts";
import type { Redact } from "../safety/secrets.ts";
import { shorten } from "../text/format.ts";
import { checkText } from "../text/states.ts";

/** Maximum characters of a check that is quoted to the judge, or in an error. */
export const LONGEST_QUOTED_CHECK = 300;

/** Starts a conversation with a judge: its state. */
export function startConversation(asked: {
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  readonly send: Sender;
  readonly redact: Redact;
}) {
  const { messages, reused, shared } = asked.request;
  const turns = messages.map((message, index): Turn => {
    return { kind: "message", message, endsSharedPrefix: reused && index + 1 === shared?.messages };
  });
  return {
    ...asked,
    turns,
    /** All reported checks, in order. */
    checks: [] as Check[],
    /** The checks with detail as text, to find repeats. */
    seenChecks: new Set<string>(),
    texts: [] as string[],
    /** Changes and doubts of the replies so far. */
    parts: [] as AnswerPart[],
    /** Calls of checks that are not recorded until a later call settles them: by statement, else description, else "". */
    open: new Map<number | string, OpenCall>(),
    /** Number of checks, without those that an earlier reply has word for word. */
    distinct: 0,
    /** The last call of a tool that does not exist, until a check is recorded; one that says fail, until it was named. */
    unknown: undefined as UnknownCall | undefined,
    /** Whether a reminder has named such a failure. */
    wasFailureNamed: false,
    /** The answer to the last call that named no statement there is: an attempt is not silence. */
    misnumbered: undefined as string | undefined,
    /** Names of all tools it called. */
    toolNames: new Set<string>(),
    /** The highest number of checks that the instructions ask for, by the judge's calls of `finish_grading`. */
    announced: 0,
    /** Whether it was reminded that nothing is reported, and shown the form: then it may write its verdict as JSON. */
    isFormOffered: false,
    servedBy: undefined as string | undefined,
    /** The profile of the requests so far; absent before the first reply. */
    currentProfile: undefined as RequestProfile | undefined,
  };
}

export type JudgeConversation = ReturnType<typeof startConversation>;

/** Why a call of a check is not recorded, what settles it, and whether the check that does is marked. */
interface OpenCall {
  readonly why: string;
  readonly how: string;
  readonly marks: boolean;
}

interface UnknownCall {
  readonly name: string;
  /** Number of turns when it was called. */
  readonly turn: number;
  /** What it says, until a reminder has named it. */
  readonly side: Check["outcome"] | undefined;
}

/** Interpreted reply. */
export interface ParsedReply {
  /** The calls, with what is answered. */
  readonly answered: readonly Answered[];
  /** Whether it calls `finish_grading`, without reading a file. */
  readonly finishes: boolean;
  /** Whether it reads files. */
  readonly reads: boolean;
  /** Whether every call reads files, at least one with success. */
  readonly onlyReads: boolean;
  /** Whether it reports a check that no earlier reply has word for word, and settles what was open; or reads a file. */
  readonly isNew: boolean;
  /** Whether it should be a JSON verdict, and is none: the server takes no tools, or it is an attempt at one. */
  readonly isUnreadable: boolean;
}

/** Records the checks of a reply, in order, and prepares the answer to each call. Every check counts. */
export async function parseReply(conversation: JudgeConversation, reply: Reply): Promise<ParsedReply> {
  const { request, seenChecks, open } = conversation;
  const written =
    takesJson(conversation) && reply.calls.length === 0 ? callsInJson(reply.text, request) : undefined;
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
  for (const call of calls) answered.push({ ...(await answerTo(call, context)), id: call.id });
  for (const call of calls) if (meaningOf(call.name) === "finish") noteFinish(call.arguments, conversation);
  const failsAgain = context.openBefore.has("") && open.has("");
  const countOf = (kind: Answered["kind"]) => answered.filter((call) => call.kind === kind).length;
  const hasRead = (request.files?.reads() ?? 0) > readsBefore;
  return {
    answered,
    finishes: countOf("finish") > 0 && countOf("read") === 0,
    reads: countOf("read") > 0,
    onlyReads: countOf("read") === calls.length && hasRead,
    isNew: hasRead || (countOf("check") > 0 && !failsAgain),
    isUnreadable: written === undefined && isUnreadable(conversation, reply),
  };
}

/**
 * Whether a reply without a JSON verdict should have been one. Once JSON was offered, one that names a tool of ours or
 * holds a block in braces is an attempt at a verdict, and an attempt is not silence.
 */
function isUnreadable(conversation: JudgeConversation, { text, calls }: Reply): boolean {
  if (calls.length > 0 || !takesJson(conversation)) return false;
  if (text.includes('"checks"')) return true;
  if (conversation.checks.length > 0) return false;
  const letters = lettersOf(text);
  const namesTool = letters.includes("setwazagrade") || letters.includes("finishgrading");
  const open = text.indexOf("{");
  return namesTool || (open >= 0 && text.includes("}", open)) || conversation.currentProfile?.tools === false;
}

/** Whether the judge may write its verdict as JSON. */
function takesJson(conversation: JudgeConversation): boolean {
  return conversation.isFormOffered || writesJson(conversation);
}

const REPEATED = "Already recorded: report what is left, or call finish_grading.";

interface Answered {
  readonly id: string;
  /** `repeat`: a check that an earlier reply has word for word; `unrecorded`: no check of ours, or an unclear one. */
  readonly kind: "check" | "repeat" | "finish" | "read" | "unrecorded";
  /** Absent for a finish, where it depends on what is missing. */
  readonly answer?: string | undefined;
}

type Answer = Omit<Answered, "id">;

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
async function answerTo(call: Call, context: CallContext): Promise<Answer> {
  const { conversation } = context;
  const { request, signal, toolNames, turns } = conversation;
  const name = conversation.redact(call.name).slice(0, 64);
  toolNames.add(name);
  const meaning = meaningOf(call.name);
  if (meaning === "finish") return { kind: "finish" };
  if (meaning) return noteCheck(meaning, call, context);
  const content = await request.files?.answer(call, signal);
  if (content !== undefined) return { kind: "read", answer: content };
  const side = saidBy(call.arguments, name);
  const before = side === "pass" ? conversation.unknown : openFailure(conversation);
  conversation.unknown = (side === "fail" ? undefined : before) ?? { name, turn: turns.length, side };
  return { kind: "unrecorded", answer: noTool(name) };
}

/** The unknown call that says fail, which neither a check nor another such call settles. */
function openFailure({ unknown }: JudgeConversation): UnknownCall | undefined {
  return unknown?.side === "fail" ? unknown : undefined;
}

/** Notes what a finish holds: a number of checks, a failure that no check is, or a verdict where nothing is recorded. */
function noteFinish(args: unknown, conversation: JudgeConversation): void {
  const { checks, open, request } = conversation;
  const { announced, holdsMore } = finishIn(args);
  if (!request.statements && announced > conversation.announced) conversation.announced = announced;
  const marks = saidBy(args) === "fail" && !checks.some(isFailure);
  if (!marks && (!holdsMore || checks.length > 0)) return;
  const why = marks
    ? "its finish says that something fails, and no check does"
    : "its finish holds a verdict, and no check is reported";
  const [pass, fail] = writesJson(conversation)
    ? ['"pass"', '"fail"']
    : ["set_waza_grade_pass", "set_waza_grade_fail"];
  open.set("", { why, how: `${why}. Report each check by ${pass} or ${fail}.`, marks });
}

/** The answer to a call of a tool that does not exist. */
export function noTool(name: string): string {
  return `There is no tool called ${JSON.stringify(name)}; nothing was recorded.`;
}

/** The place of a failure without a statement's number among the open calls: any other failure settles it. */
const WITHOUT_STATEMENT = "a failure without a number";

/** Records a check, unless its statement does not exist or it has a fault: then it is asked about, by its name. */
function noteCheck(outcome: Check["outcome"], call: Call, context: CallContext): Answer {
  const { conversation, openBefore } = context;
  const { open, request } = conversation;
  const { statements } = request;
  const { check, fault } = toCheck(outcome, call.arguments, { ...conversation, statements });
  const { description, statement } = check;
  if (statements && (context.countsFromZero || statements[(statement ?? 0) - 1] === undefined)) {
    const how = noStatement(statements.length, context.countsFromZero);
    conversation.misnumbered = how;
    const why = `${callText(check)} names no statement`;
    if (isFailure(check)) open.set(WITHOUT_STATEMENT, { why, how, marks: true });
    return unrecorded(how);
  }
  const name = statement ?? description ?? "";
  if (fault && !(FAULTS[fault].countsAgain && openBefore.has(name))) {
    const how = whichIsMeant(conversation, fault);
    open.set(name, { why: `${callText(check)} ${fault}`, how, marks: FAULTS[fault].marks });
    return unrecorded(how);
  }
  const isMarked = settles(check, name, context) || fault !== undefined;
  return recorded(check, isMarked, context);
}

function recorded(check: Check, isMarked: boolean, { conversation, seenBefore }: CallContext): Answer {
  const { description, reason, statement } = check;
  const words = JSON.stringify(check);
  // Without detail it may be a different check: nothing distinguishes it from the previous one.
  const hasDetail = description !== undefined || reason !== undefined || statement !== undefined;
  if (hasDetail) conversation.seenChecks.add(words);
  conversation.checks.push(isMarked ? { ...check, contradicted: true } : check);
  conversation.unknown = isFailure(check) ? undefined : openFailure(conversation);
  const isRepeat = seenBefore.has(words);
  if (!isRepeat) conversation.distinct += 1;
  return { kind: isRepeat ? "repeat" : "check", answer: isRepeat ? REPEATED : "Recorded." };
}

/** Settles the open calls that a check answers; whether one of them marks it. */
function settles(check: Check, name: number | string, { conversation, openBefore }: CallContext): boolean {
  const { open } = conversation;
  const all = [name, "", ...(isFailure(check) ? [WITHOUT_STATEMENT] : [])];
  // What names nothing may be any check: only a later reply settles it.
  const settled = all.filter((place) => (place === name && name !== "") || openBefore.has(place));
  const isMarked = settled.some((place) => open.get(place)?.marks);
  for (const place of settled) open.delete(place);
  return isMarked;
}

function unrecorded(how: string): Answer {
  return { kind: "unrecorded", answer: `Nothing was recorded: ${how}` };
}

/** `set_waza_grade_fail` (short: 4 lines). */
function callText(check: Check): string {
  const detail = check.description ?? check.reason;
  const text = detail === undefined ? "" : ` (${shorten(checkText(check), LONGEST_QUOTED_CHECK)})`;
  return `\`set_waza_grade_${check.outcome}\`${text}`;
}

/** Whether the judge reports as JSON. */
export function writesJson({ parts }: JudgeConversation): boolean {
  return parts.some(({ withoutTools }) => withoutTools);
}

/** Asks what a call with a fault means, by calls or as JSON, with the only words that there are. */
function whichIsMeant(conversation: JudgeConversation, fault: keyof typeof FAULTS): string {
  const same = conversation.request.statements ? "for the same statement" : "with the same description";
  const otherwise = `${same}, and nothing beside it that says otherwise`;
  if (writesJson(conversation)) return `write the outcome that you mean, "pass" or "fail", ${otherwise}.`;
  if (!FAULTS[fault].marks) return "its arguments cannot be read. Call it again, with one JSON object.";
  return `set_waza_grade_pass says that a check holds, with the verdict "pass", set_waza_grade_fail that it does not, with "fail". Call the one you mean, ${otherwise}.`;
}

function noStatement(count: number, fromZero: boolean): string {
  const again = fromZero ? " You counted from 0: report each of this reply again." : "";
  return `the statements are numbered 1 to ${String(count)}; give one of these as "statement".${again}`;
}

/* What is missing before the end is accepted. */

/** How many checks it reported, if by its own number these are not all. */
export function shortText({ announced, distinct }: JudgeConversation): string | undefined {
  if (announced <= distinct) return undefined;
  return `reported ${String(distinct)} of the ${String(announced)} checks that the instructions ask for`;
}

/** Numbers of the grader's statements without a verdict. */
export function missingStatements({ checks, request }: JudgeConversation): number[] {
  const all = (request.statements ?? []).map((_, index) => index + 1);
  const { only = all } = request;
  const judged = new Set(checks.map(({ statement }) => statement));
  return only.filter((number) => !judged.has(number));
}

/** The call of a tool that does not exist, unless it says pass beside checks: nothing is lost with it. */
export function unsettledUnknown({ unknown, checks }: JudgeConversation): JudgeConversation["unknown"] {
  return unknown?.side === "pass" && checks.length > 0 ? undefined : unknown;
}

/* The conversation as text, for servers that refuse the judge's own replies. */

/**
 * Replaces the judge's replies and their results by one message that lists each call with its answer. File contents are
 * evidence, so the message is fenced like it and precedes the grader's instructions. JSON keeps each answer on one line,
 * so that no file can begin a line with a marker.
 */
export function flattenHistory(turns: readonly Turn[], { shared }: JudgeRequest): readonly Turn[] {
  const before = shared?.messages ?? 2;
  // Results are in the order of their calls; ids may be duplicates.
  const answers = turns.flatMap((turn) => (turn.kind === "result" ? [turn.content] : []));
  const lines = turns
    .flatMap((turn) => (turn.kind === "reply" ? turn.calls : []))
    .map(({ name, arguments: args }, index) => JSON.stringify({ call: name, args, answer: answers[index] }));
  const messages = turns.filter(({ kind }) => kind === "message");
  if (lines.length === 0) return messages;
  const user = (content: string): Turn => ({ kind: "message", message: { role: "user", content } });
  const history = fenced(shared?.key ?? "", [
    { title: "your calls so far, with their answers", text: lines.join("\n") },
  ]);
  return [
    ...messages.slice(0, before),
    user(history),
    ...messages.slice(before),
    user("Report what is left, or call finish_grading."),
  ];
}
