/** A judge behind an OpenAI-compatible API: the conversation until the judge is finished. */
import type { Check } from "../domain/grade.ts";
import type { SendOptions } from "./api/attempt.ts";
import {
  LONGEST_QUOTED_CHECK,
  flattenHistory,
  missingStatements,
  noTool,
  parseReply,
  shortText,
  startConversation,
  type JudgeConversation,
  type ParsedReply,
  unsettledUnknown,
  writesJson,
} from "./parse-reply.ts";
import { sender } from "./api/send.ts";
import type { Reply, Tool, Turn } from "./api/wire.ts";
import { jsonForm, withoutTools } from "./message.ts";
import { GRADE_TOOLS, byStatement, isFailure, verdictSchema, withQuotes } from "./grade-tools.ts";
import { type Judge, type JudgeAnswer, JudgeError, type JudgeRequest, joinAnswers } from "./judge.ts";
import { CapReached } from "./spend.ts";
import { asSentence, count, listed, shorten, upperFirst } from "../text/format.ts";

/** Maximum tool names to report if there was no check. */
const MOST_TOOL_NAMES = 3;
/** Maximum replies of a judge that never finishes; those that only read files do not count. */
const MOST_REPLIES = 64;
/** Replies in a row that record nothing new, after which the conversation ends. */
const MOST_IDLE = 2;
/** Characters of a reply in an error. */
const LONGEST_EXCERPT = 200;

/** Makes the judge. Requests for a model go to the endpoint of `endpointOf`. */
export function openaiJudge(options: SendOptions): Judge {
  const send = sender(options);
  return {
    grade: async (request, meter, signal) => {
      const { redact } = options;
      const conversation = startConversation({ request, meter, signal, send, redact });
      try {
        await askUntilDone(conversation);
        return judgeAnswer(conversation);
      } catch (error) {
        return interrupted(conversation, error);
      }
    },
  };
}

/** Efforts that ask for no reasoning, or leave it to the model. */
const NO_REASONING: ReadonlySet<string | undefined> = new Set([undefined, "none", "minimal"]);

const FLATTENED = "its earlier replies were sent as text, because the API refuses them";

async function ask(conversation: JudgeConversation): Promise<Reply> {
  const { request, turns, meter, signal, texts, parts, send, currentProfile } = conversation;
  const ofStatements = request.statements !== undefined;
  const { reply, profile } = await send({
    ...request,
    turnsFor: (profile) => {
      const history = profile.flattened ? flattenHistory(turns, request) : turns;
      return profile.tools ? history : turnsForJson(history, ofStatements);
    },
    tools: toolsOf(request),
    judged: (request.only ?? request.statements ?? []).length,
    schema: conversation.isFormOffered ? verdictSchema(ofStatements) : undefined,
    meter,
    signal,
    currentProfile,
    cacheKey: request.reused ? request.shared?.key : undefined,
  });
  const flattened = currentProfile && profile.flattened ? [FLATTENED] : [];
  const changes = [...flattened, ...profile.changes];
  parts.push({
    changes,
    withoutTools: profile.tools ? undefined : true,
    seemsCut: reply.seemsCut ? true : undefined,
    reportsReasoning: NO_REASONING.has(profile.effort) ? undefined : reply.reportsReasoning,
  });
  conversation.currentProfile = profile;
  const text = reply.text.trim();
  if (text !== "" && text !== texts.at(-1)) texts.push(text);
  if (reply.model !== undefined) conversation.servedBy = reply.model;
  // Some servers refuse an empty assistant message.
  if (text !== "" || reply.calls.length > 0)
    turns.push({ kind: "reply", raw: reply.raw, calls: reply.calls });
  return reply;
}

/** The turns for a server without tools. */
function turnsForJson(turns: readonly Turn[], ofStatements: boolean): readonly Turn[] {
  return turns.map((turn) => {
    if (turn.kind !== "message" || turn.message.role !== "system") return turn;
    const content = withoutTools(turn.message.content, ofStatements);
    return { kind: "message", message: { role: "system", content } };
  });
}

/** Tool definitions of a request. */
export function toolsOf({ files }: Pick<JudgeRequest, "files">): readonly Tool[] {
  return [...((files?.tools ?? []) as readonly Tool[]), ...GRADE_TOOLS];
}

function judgeAnswer(conversation: JudgeConversation): JudgeAnswer {
  const { texts, request, servedBy, parts, toolNames, currentProfile } = conversation;
  const checks = quotedChecks(conversation);
  return {
    checks,
    doubt: checks.length > 0 ? doubtOf(conversation) : wordsInstead(conversation),
    called: checks.length === 0 && toolNames.size > 0 ? [...toolNames].slice(0, MOST_TOOL_NAMES) : undefined,
    text: texts.join("\n\n"),
    reads: request.files?.reads(),
    servedBy,
    sent: currentProfile && {
      api: currentProfile.api,
      effort: currentProfile.effort,
      refusal: currentProfile.effort === request.effort ? undefined : currentProfile.effortRefusal,
    },
    ...joinAnswers(parts),
  };
}

/** The checks that count, with their quotes looked up in all messages and read files. */
function quotedChecks(conversation: JudgeConversation): Check[] {
  return withQuotes(countedChecks(conversation), () =>
    conversation.turns.flatMap((turn) =>
      turn.kind === "message" ? turn.message.content : turn.kind === "result" ? turn.content : [],
    ),
  );
}

/** The checks that count: one per statement if the grader has statements. */
function countedChecks({ checks, request: { statements, only } }: JudgeConversation): readonly Check[] {
  if (!statements) return checks;
  return byStatement(checks, statements).filter(({ statement = 0 }) => only?.includes(statement) ?? true);
}

/** What speaks against a finish that stands. */
function doubtOf(conversation: JudgeConversation): string | undefined {
  const unknown = unsettledUnknown(conversation);
  const short = shortText(conversation);
  const marked = countedChecks(conversation).filter((check) => check.contradicted && !isFailure(check));
  const doubts = [
    marked.length > 0 &&
      `The judge was not clear, or contradicted itself, about ${count(marked.length, "pass", "passes")}.`,
    short && `The judge ${short} by its own count, even after a reminder.`,
    unknown &&
      `The judge also called \`${unknown.name}\`, which is none of its tools, and reported nothing in its place.`,
  ];
  return doubts.filter(Boolean).join(" ") || undefined;
}

/** What a judge that reported nothing wrote to the reminder: a person sees why, in a line. */
function wordsInstead({ texts, redact }: JudgeConversation): string | undefined {
  const words = redact(texts.at(-1) ?? "").replace(/\s+/g, " ");
  return words === "" ? undefined : `To the reminder it wrote: "${shorten(words, LONGEST_EXCERPT)}"`;
}

/**
 * Continues until the judge is finished: it called `finish_grading`, made no call at all, or gave every statement a
 * verdict. Before the end is accepted, it is asked once about what is missing; so too where a reply records nothing new.
 * The second such reply in a row is the end.
 */
async function askUntilDone(conversation: JudgeConversation): Promise<void> {
  let idle = 0;
  let wasAsked = false;
  for (let replies = 0; replies < MOST_REPLIES;) {
    const reply = await ask(conversation);
    const wasOffered = conversation.isFormOffered;
    const parsed = await parseReply(conversation, reply);
    if (!parsed.onlyReads) replies += 1;
    idle = parsed.isNew ? 0 : idle + 1;
    wasAsked &&= !parsed.isNew;
    const { isFinished, isCutList } = endOf(conversation, reply, parsed);
    if (wasOffered) stopUnheard(conversation, reply, parsed);
    const isDue: boolean = !wasAsked && (isFinished || isCutList || idle > 0);
    const due: string | undefined = isDue ? reminder(conversation) : undefined;
    if (due === undefined && (isFinished || idle === MOST_IDLE)) {
      finish(conversation, isFinished);
      return;
    }
    wasAsked ||= due !== undefined;
    answerCalls(conversation, parsed, due);
  }
  throw endless(`${String(MOST_REPLIES)} replies without finishing`);
}

/** Whether a reply ends the conversation, or is a part of a list that was cut off. Throws any other interruption. */
function endOf(
  conversation: JudgeConversation,
  { unfinished }: Reply,
  parsed: ParsedReply,
): { readonly isFinished: boolean; readonly isCutList: boolean } {
  const isCut = unfinished?.class === "cut-off";
  const isCutList = isCut && parsed.isNew && conversation.request.statements !== undefined;
  // An explicit finish counts even if the reply is cut off; silence then does not.
  if (unfinished && !isCutList && !(isCut && parsed.finishes)) throw unfinished;
  const isWhole = !isCut && (parsed.answered.length === 0 || isComplete(conversation, parsed));
  return { isFinished: parsed.finishes || isWhole, isCutList };
}

function endless(replies: string): JudgeError {
  return new JudgeError("turn-limit", `The judge made ${replies} and was stopped.`, {
    help: "Use another judge model, or split the grader.",
  });
}

/** After the reminder: an attempt that cannot be read, or a reply with neither a call nor text, is no verdict. */
function stopUnheard(
  { checks, redact }: JudgeConversation,
  { text, calls }: Reply,
  { isUnreadable }: ParsedReply,
): void {
  const isEmpty = checks.length === 0 && calls.length === 0 && text.trim() === "";
  if (isEmpty)
    throw new JudgeError("invalid-reply", "The judge's reply is empty, even after a reminder.", {
      help: "Run the job again; if it happens again, use another judge model or provider.",
    });
  if (!isUnreadable) return;
  const excerpt = shorten(redact(text).replace(/\s+/g, " ").trim(), LONGEST_EXCERPT);
  const message = `The judge made no call and wrote no verdict as JSON, but: ${excerpt}`;
  throw new JudgeError("invalid-reply", message, { help: "Use a judge model that accepts tools." });
}

/** Whether all checks are reported, even without `finish_grading`. */
function isComplete(conversation: JudgeConversation, { reads }: ParsedReply): boolean {
  return (
    !reads && conversation.request.statements !== undefined && missingStatements(conversation).length === 0
  );
}

const REPORT =
  "Report what is left now: call set_waza_grade_pass or set_waza_grade_fail once for each, then finish_grading.";

/** What a judge is asked about before its end is accepted, all in one; undefined if nothing is missing. */
function reminder(conversation: JudgeConversation): string | undefined {
  const { checks } = conversation;
  const isNothing = checks.length === 0;
  const unknown = unknownToName(conversation, isNothing);
  const missing = isNothing ? [] : missingStatements(conversation);
  const short = shortText(conversation);
  const asks = [
    unknown && noTool(unknown.name),
    ...openTexts(conversation),
    missing.length > 0 &&
      `There is no verdict yet on statement ${listed(missing.map(String), Infinity)}: report it now.`,
    short && `You ${short}: report the others, or call finish_grading.`,
  ].filter(Boolean);
  if (!isNothing && asks.length === 0) return undefined;
  // From now on a reply in JSON is accepted, too.
  conversation.isFormOffered ||= isNothing;
  const form = formText(conversation);
  const sentences = writesJson(conversation)
    ? [isNothing && "Your answer holds no check that could be read.", ...asks, upperFirst(form)]
    : [
        isNothing && "You have not reported anything yet, and what you write is not read.",
        ...asks,
        (isNothing || unknown !== undefined) && REPORT,
        isNothing && `If you cannot call tools, ${form}`,
      ];
  return sentences.filter(Boolean).join(" ");
}

/** The unknown call that a reminder names, which settles a failure; only one such reminder asks a judge that has checks. */
function unknownToName(conversation: JudgeConversation, isNothing: boolean): JudgeConversation["unknown"] {
  const unknown = unsettledUnknown(conversation);
  if (unknown?.side !== "fail") return unknown;
  if (conversation.wasFailureNamed && !isNothing) return undefined;
  conversation.wasFailureNamed = true;
  conversation.unknown = { ...unknown, side: undefined };
  return unknown;
}

/** How to settle what is not recorded, with the names of the calls that have one. */
function openTexts(conversation: JudgeConversation): readonly string[] {
  const { open, misnumbered = "" } = conversation;
  const byHow = Map.groupBy(open, ([, { how }]) => how);
  if (misnumbered && missingStatements(conversation).length > 0 && !byHow.has(misnumbered))
    byHow.set(misnumbered, []);
  return [...byHow].map(([how, calls]) => {
    const names = calls.flatMap(([name]) =>
      typeof name === "number" ? `statement ${String(name)}` : name || [],
    );
    const which = names.length > 0 ? ` (${shorten(listed(names, Infinity), LONGEST_QUOTED_CHECK)})` : "";
    return `Not recorded${which}: ${how}`;
  });
}

function formText({ request: { statements } }: JudgeConversation): string {
  return `write one JSON object as your whole reply, each outcome exactly "pass" or "fail": ${jsonForm(statements !== undefined)}`;
}

/**
 * Ends the grade. It is interrupted if a call is still not settled, if statements have no verdict, or if the judge went on
 * calling what there is not: what it was asked about is an attempt, and no silence.
 */
function finish(conversation: JudgeConversation, isFinished: boolean): void {
  const { checks, open, turns, misnumbered } = conversation;
  const unknown = unsettledUnknown(conversation);
  const isNothing = checks.length === 0;
  const [unsettled] = open.values();
  const missing = isNothing && misnumbered === undefined ? [] : missingStatements(conversation);
  const insists = unknown && (isNothing || unknown.turn === turns.length) ? unknown : undefined;
  const fault =
    (unsettled && `did not settle a call, even after a reminder: ${unsettled.why}`) ??
    (insists && `called \`${insists.name}\`, which is none of its tools, even after a reminder`) ??
    (missing.length > 0
      ? `gave no verdict on statement ${listed(missing.map(String), Infinity)}, even after a reminder`
      : undefined);
  if (fault !== undefined) {
    const message = asSentence(`The judge ${fault}`);
    throw new JudgeError("invalid-reply", message, { help: "Use another judge model." });
  }
  if (isNothing && !isFinished) throw endless(`${String(MOST_IDLE)} replies that recorded nothing`);
}

const NOT_YET =
  "Not finished: the files you asked for are shown only now. Report what they tell, then call finish_grading.";

/** Answers the calls of a reply, so that the judge continues; without calls, the reminder is a message. */
function answerCalls(
  { turns }: JudgeConversation,
  { answered }: ParsedReply,
  missing: string | undefined,
): void {
  const withId = answered.filter(({ id }) => id !== "");
  for (const { id, answer = missing ?? NOT_YET } of withId)
    turns.push({ kind: "result", id, content: answer });
  // Some servers accept no user message after a result: a finish is answered with the reminder.
  const isAnswered = withId.some(({ answer }) => answer === undefined);
  if (missing !== undefined && !isAnswered)
    turns.push({ kind: "message", message: { role: "user", content: missing } });
}

/**
 * Result of an interrupted conversation: failures are kept (incomplete verdict); passes alone are thrown with the error,
 * because later checks might have failed. Throws CapReached if nothing was sent.
 */
function interrupted(conversation: JudgeConversation, error: unknown): JudgeAnswer {
  const { texts, meter, signal } = conversation;
  const checks = quotedChecks(conversation);
  const isOver = signal.aborted && !(error instanceof CapReached);
  const judgeError = isOver ? (signal.reason as JudgeError) : asJudgeError(error);
  if (checks.some(isFailure)) return { ...judgeAnswer(conversation), incomplete: judgeError.toGradeError() };
  if (error instanceof CapReached && meter.requests === 0) throw error;
  if (checks.length === 0) throw judgeError;
  const { message, help } = judgeError;
  const reported = { checks, text: texts.join("\n\n") };
  throw new JudgeError(judgeError.class, message, { help, cause: judgeError, reported });
}

function asJudgeError(error: unknown): JudgeError {
  if (error instanceof JudgeError) return error;
  if (error instanceof CapReached) return error.toJudgeError();
  if (error instanceof RangeError) {
    return new JudgeError("invalid-reply", "The judge's answer is nested too deeply to be read.", {
      cause: error,
    });
  }
  throw error;
}
