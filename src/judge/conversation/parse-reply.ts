/** What a judge's reply reports: its checks are noted, and each of its calls gets an answer. */
import type { Check } from "../../domain/grade.ts";
import { callsInJson } from "../api/json-verdict.ts";
import type { Call, Reply } from "../api/wire.ts";
import { meaningOf, toCheck } from "../grade-tools.ts";
import { noteRemaining } from "./remaining.ts";
import type { Conversation } from "./state.ts";

const REPEATED = "Already recorded: report what is left, or call finish_grading.";

/** Interpreted reply. */
export interface ParsedReply {
  readonly calls: readonly Call[];
  /** What each call is answered; undefined for a finish, whose answer depends on what is missing. */
  readonly answers: readonly (string | undefined)[];
  /** It calls `finish_grading`, and waits for no file. */
  readonly finishes: boolean;
  /** It asks for files. */
  readonly reads: boolean;
  /** Every call asked for files, and was given some. */
  readonly onlyReads: boolean;
  /** It reports checks. */
  readonly reports: boolean;
  /** Its last call reports a check. */
  readonly endsInCheck: boolean;
  /** The server takes no tools, and the reply is not the object that stands for them. */
  readonly isUnreadable: boolean;
  /** Every call is one of an earlier reply, word for word, and neither a finish nor a read. */
  readonly onlyRepeats: boolean;
  /** What every call reports, without any detail; undefined where one does not. */
  readonly bare: Check["outcome"] | undefined;
}

/** Notes the checks of a reply, in order, and finds the answer to each of its calls. Every check counts. */
export async function parseReply(conversation: Conversation, reply: Reply): Promise<ParsedReply> {
  const { request, said } = conversation;
  const written = conversation.takesJson && reply.calls.length === 0 ? callsInJson(reply.text) : undefined;
  if (written) conversation.withoutTools = true;
  const calls = written ?? reply.calls;
  const known = new Set(said);
  const readsBefore = request.files?.reads() ?? 0;
  const answered: Answered[] = [];
  for (const call of calls) answered.push(await answerTo(call, conversation, known));
  const of = (kind: Answered["kind"]) => answered.filter((one) => one.kind === kind).length;
  const unknown = answered.findLast(({ name }) => name !== undefined);
  const reports = of("check") > 0;
  if (unknown) conversation.unknownTool = unknown.name;
  else if (reports) conversation.unknownTool = undefined;
  const [bare, ...others] = new Set(answered.map((one) => one.bare));
  const onlyRepeats = calls.length > 0 && answered.every(({ isRepeat }) => isRepeat);
  return {
    calls,
    answers: answered.map(({ answer, kind }) => (onlyRepeats && kind === "check" ? REPEATED : answer)),
    finishes: of("finish") > 0 && of("read") === 0,
    reads: of("read") > 0,
    onlyReads: of("read") === calls.length && (request.files?.reads() ?? 0) > readsBefore,
    reports,
    endsInCheck: answered.at(-1)?.kind === "check",
    onlyRepeats,
    bare: others.length === 0 ? bare : undefined,
    isUnreadable: conversation.currentProfile?.tools === false && written === undefined,
  };
}

interface Answered {
  /** `unrecorded` is a call of no tool, or for no statement. */
  readonly kind: "check" | "finish" | "read" | "unrecorded";
  /** Absent for a finish. */
  readonly answer?: string | undefined;
  /** The same call, word for word, is in an earlier reply. */
  readonly isRepeat?: boolean | undefined;
  /** Of a tool that does not exist. */
  readonly name?: string | undefined;
  /** The outcome of a check without any detail. */
  readonly bare?: Check["outcome"] | undefined;
}

/** What one call is, and its answer; a check is noted. `known` holds those of earlier replies. */
async function answerTo(
  call: Call,
  conversation: Conversation,
  known: ReadonlySet<string>,
): Promise<Answered> {
  const { request, signal, said, called, redact } = conversation;
  const name = redact(call.name).slice(0, 64);
  called.add(name);
  const meaning = meaningOf(call.name);
  if (meaning === "finish") return { kind: "finish" };
  if (meaning) return noteCheck(meaning, call, { conversation, known });
  const content = await request.files?.answer(call, signal);
  if (content !== undefined) return { kind: "read", answer: content };
  const words = JSON.stringify([call.name, call.arguments]);
  said.add(words);
  return {
    kind: "unrecorded",
    isRepeat: known.has(words),
    name,
    answer: `There is no tool called ${JSON.stringify(name)}; nothing was recorded.`,
  };
}

/** Notes a check. With statements, one of none of them is not recorded. */
function noteCheck(
  outcome: Check["outcome"],
  call: Call,
  { conversation, known }: { readonly conversation: Conversation; readonly known: ReadonlySet<string> },
): Answered {
  const { request, checks, said, redact } = conversation;
  const { statements } = request;
  const { check, remaining } = toCheck(outcome, call.arguments, {
    redact,
    ofStatements: statements !== undefined,
  });
  const { description, reason, statement } = check;
  const words = JSON.stringify(check);
  const isRepeat = known.has(words);
  // Without any detail it may be another check: nothing distinguishes it from the one before.
  const isBare = description === undefined && reason === undefined && statement === undefined;
  if (!isBare) said.add(words);
  if (statements && statements[(statement ?? 0) - 1] === undefined)
    return { kind: "unrecorded", isRepeat, answer: noStatement(statement, statements.length) };
  checks.push(check);
  noteRemaining(conversation, remaining);
  return { kind: "check", isRepeat, answer: "Recorded.", bare: isBare ? outcome : undefined };
}

function noStatement(statement: number | undefined, count: number): string {
  const which = statement === undefined ? "without a number" : String(statement);
  return `There is no statement ${which}; nothing was recorded. They are numbered 1 to ${String(count)}.`;
}
