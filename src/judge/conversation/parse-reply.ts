/** Interprets a judge's reply: records its checks and prepares the answer to each call. */
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
  /** The answer to each call; undefined for a finish, where it depends on what is missing. */
  readonly answers: readonly (string | undefined)[];
  /** Whether it calls `finish_grading`, without reading a file. */
  readonly finishes: boolean;
  /** Whether it reads files. */
  readonly reads: boolean;
  /** Whether every call reads files, at least one with success. */
  readonly onlyReads: boolean;
  /** Whether it reports checks. */
  readonly reports: boolean;
  /** Whether its last call reports a check. */
  readonly endsInCheck: boolean;
  /** Whether the server takes no tools and the reply is not a JSON verdict. */
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
  if (written) conversation.withoutTools = true;
  const calls = written ?? reply.calls;
  const known = new Set(seenCalls);
  const readsBefore = request.files?.reads() ?? 0;
  const answered: Answered[] = [];
  for (const call of calls) answered.push(await answerTo(call, conversation, known));
  const of = (kind: Answered["kind"]) => answered.filter((one) => one.kind === kind).length;
  const unrecorded = answered.findLast(({ kind }) => kind === "unrecorded");
  const reports = of("check") > 0;
  if (unrecorded) conversation.unrecorded = unrecorded.answer;
  else if (reports) conversation.unrecorded = undefined;
  const [withoutDetail, ...others] = new Set(answered.map((one) => one.withoutDetail));
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
    withoutDetail: others.length === 0 ? withoutDetail : undefined,
    isUnreadable: conversation.currentProfile?.tools === false && written === undefined,
  };
}

interface Answered {
  /** `unrecorded`: the tool or statement does not exist. */
  readonly kind: "check" | "finish" | "read" | "unrecorded";
  /** Absent for a finish. */
  readonly answer?: string | undefined;
  /** Whether an earlier reply has the same call, word for word. */
  readonly isRepeat?: boolean | undefined;
  /** The outcome of a check without any detail. */
  readonly withoutDetail?: Check["outcome"] | undefined;
}

/** Interprets one call and prepares its answer; a check is recorded. `known` holds the calls of earlier replies. */
async function answerTo(
  call: Call,
  conversation: Conversation,
  known: ReadonlySet<string>,
): Promise<Answered> {
  const { request, signal, toolNames, redact } = conversation;
  const name = redact(call.name).slice(0, 64);
  toolNames.add(name);
  const meaning = meaningOf(call.name);
  if (meaning === "finish") return { kind: "finish" };
  if (meaning) return noteCheck(meaning, call, { conversation, known });
  const content = await request.files?.answer(call, signal);
  if (content !== undefined) return { kind: "read", answer: content };
  return unrecorded(call, `There is no tool called ${JSON.stringify(name)}; nothing was recorded.`, {
    conversation,
    known,
  });
}

interface Context {
  readonly conversation: Conversation;
  /** The calls of earlier replies. */
  readonly known: ReadonlySet<string>;
}

function unrecorded(call: Call, answer: string, { conversation, known }: Context): Answered {
  const words = JSON.stringify([call.name, call.arguments]);
  conversation.seenCalls.add(words);
  return { kind: "unrecorded", isRepeat: known.has(words), answer };
}

/** Records a check, unless its statement does not exist. */
function noteCheck(outcome: Check["outcome"], call: Call, context: Context): Answered {
  const { conversation, known } = context;
  const { request, checks, seenCalls, redact } = conversation;
  const { statements } = request;
  const { check, remaining } = toCheck(outcome, call.arguments, { redact, statements });
  const { description, reason, statement } = check;
  if (statements && statements[(statement ?? 0) - 1] === undefined) {
    conversation.unnumbered.push(check);
    return unrecorded(call, noStatement(statements.length), context);
  }
  const words = JSON.stringify(check);
  const isRepeat = known.has(words);
  // Without detail it may be a different check: nothing distinguishes it from the previous one.
  const hasDetail = description !== undefined || reason !== undefined || statement !== undefined;
  if (hasDetail) seenCalls.add(words);
  checks.push(check);
  noteRemaining(conversation, remaining);
  return { kind: "check", isRepeat, answer: "Recorded.", withoutDetail: hasDetail ? undefined : outcome };
}

function noStatement(count: number): string {
  return `Nothing was recorded: give the number of a statement, 1 to ${String(count)}, as "statement".`;
}
