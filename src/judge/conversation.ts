/** A judge behind an API like OpenAI's: the conversation, until the judge says that it is finished. */
import type { Check } from "../domain/grade.ts";
import type { SendOptions } from "./api/attempt.ts";
import { listed, shorten } from "../text/format.ts";
import { CapReached } from "./spend/budget.ts";
import { parseReply } from "./conversation/parse-reply.ts";
import type { ParsedReply } from "./conversation/parse-reply.ts";
import { earn, isBelieved, shortReport, trustKeyOf } from "./conversation/remaining.ts";
import { answerCalls, reminder } from "./conversation/reminders.ts";
import { checksOf, missingStatements } from "./conversation/state.ts";
import type { Conversation } from "./conversation/state.ts";
import { toolsOf } from "./conversation/tools.ts";
import { isFailure } from "./grade-tools.ts";
import { jsonRules } from "./api/json-verdict.ts";
import { Interrupted, JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest } from "./judge.ts";
import { withQuotes } from "./quoted.ts";
import { choose, CHOICE_JSON } from "./pairwise.ts";
import { flattenHistory } from "./api/flattened-history.ts";
import type { FlattenOptions } from "./api/flattened-history.ts";
import { sender } from "./api/send.ts";
import { codeIn } from "./evidence/messages.ts";
import { FILES_RULES } from "./evidence/system-message.ts";
import type { Reply, Turn } from "./api/wire.ts";

/** Replies after which a judge that never finishes is stopped; those that only read files do not count. */
export const MOST_REPLIES = 64;
/** Replies in a row that only repeat earlier calls, word for word, and then are taken for the end. */
const MOST_REPEATS = 3;
/** Replies in a row with nothing but one and the same call without detail, which is never a repeat. */
const MOST_BARE = 16;
/** Tools that are told of where no check was reported. */
const NAMES_TOLD = 3;

/** Makes the judge. It asks each model at the endpoint that `endpointOf` names. */
export function openaiJudge(options: SendOptions): Judge {
  const sends = sender(options);
  const trust = new Map<string, boolean>();
  return {
    grade: async (request, meter, signal) => {
      const conversation: Conversation = {
        request,
        meter,
        signal,
        deadline: performance.now() + (request.timeoutMs ?? Infinity),
        sends,
        redact: options.redact,
        turns: request.messages.map((message, index) => ({
          kind: "message",
          message,
          endsShared: request.reused && index + 1 === request.shared?.messages,
        })),
        checks: [],
        said: new Set(),
        reminders: new Set(),
        saidLast: false,
        trust,
        trustKey: trustKeyOf(request),
        called: new Set(),
        texts: [],
        changes: new Set(),
        takesJson: false,
        withoutTools: false,
      };
      try {
        if (request.choosing) {
          const choice = await choose(() => ask(conversation), conversation.turns, options.redact);
          return { ...answer(conversation), choice };
        }
        await converse(conversation);
        return answer(conversation);
      } catch (error) {
        return interrupted(conversation, error);
      }
    },
  };
}

/**
 * Goes on until the judge is finished: it called `finish_grading`, made no call at all, gave every statement a verdict,
 * or reported a last check that is believed to be the last. What is missing is asked for once before an end is taken.
 */
async function converse(conversation: Conversation): Promise<void> {
  let repeats = 0;
  let bare: ParsedReply["bare"];
  let alike = 0;
  for (let replies = 0; replies < MOST_REPLIES;) {
    const reply = await ask(conversation);
    const wasReminded = conversation.reminders.has("nothing");
    const parsed = await parseReply(conversation, reply);
    if (!parsed.onlyReads) replies += 1;
    repeats = parsed.onlyRepeats ? repeats + 1 : 0;
    stopUnheard(conversation, repeats);
    // Reported checks stay when a reply is cut off, and so does an explicit finish; silence is then no end.
    const isWhole = !reply.unfinished || (parsed.finishes && reply.unfinished.class === "cut-off");
    if (!isWhole) throw reply.unfinished;
    if (wasReminded && parsed.isUnreadable && conversation.checks.length === 0)
      throw noVerdict(reply, conversation);
    const isSilent = parsed.calls.length === 0 || repeats >= MOST_REPEATS;
    const isFinished = parsed.finishes || isSilent || isComplete(conversation, parsed);
    const missing = isFinished ? reminder(conversation) : undefined;
    if (isFinished && missing === undefined) {
      finish(conversation, parsed);
      return;
    }
    alike = parsed.bare === bare ? alike + 1 : 1;
    bare = parsed.bare;
    if (bare !== undefined && alike === MOST_BARE)
      throw endless(
        `${String(MOST_BARE)} replies in a row with the same bare call, a ${bare} of no named check,`,
      );
    answerCalls(conversation, parsed, missing);
  }
  throw endless(`${String(MOST_REPLIES)} replies without finishing`);
}

/** True when nothing is left to report, without the judge saying so by `finish_grading`. */
function isComplete(conversation: Conversation, { reads, endsInCheck }: ParsedReply): boolean {
  if (reads) return false;
  return conversation.request.statements
    ? missingStatements(conversation).length === 0
    : endsInCheck && isBelieved(conversation);
}

/** Statements that got no verdict, although they were asked for, interrupt a grade that has some. */
function finish(conversation: Conversation, { reports }: ParsedReply): void {
  if (!reports) earn(conversation);
  const missing = missingStatements(conversation);
  if (conversation.checks.length === 0 || missing.length === 0) return;
  const numbers = listed(missing.map(String), Infinity);
  throw new JudgeError(
    "invalid-reply",
    `The judge gave no verdict on statement ${numbers}, also after it was reminded.`,
    { help: "Use another judge model." },
  );
}

/** Stops a judge that goes on with a tool that does not exist: what it has to report may be a failure. */
function stopUnheard({ checks, unknownTool }: Conversation, repeats: number): void {
  if (repeats > MOST_REPEATS && unknownTool !== undefined && checks.length > 0)
    throw endless(`${String(repeats)} replies that only repeat calls of a tool that does not exist`);
}

function endless(replies: string): JudgeError {
  return new JudgeError("turn-limit", `The judge made ${replies} and was stopped.`, {
    help: "Use another judge model, or split the grader.",
  });
}

const GO_ON = "Report what is left, or call finish_grading.";
const FLATTENED = "what it had said was told to it as text, since the API does not take it back";

/** A pair has its evidence in the second message, and shares it with no other. */
function flattenOptionsOf({ shared, choosing, messages }: JudgeRequest): FlattenOptions {
  const code = codeIn(messages[1]?.content ?? "");
  return { before: shared?.messages ?? 2, code, next: choosing ? "" : GO_ON };
}

async function ask(conversation: Conversation): Promise<Reply> {
  const { request, turns, meter, signal, deadline, texts, changes, sends } = conversation;
  const { reply, profile } = await sends({
    model: request.model,
    effort: request.effort,
    turnsFor: (profile) => {
      const said = profile.flattened ? flattenHistory(turns, flattenOptionsOf(request)) : turns;
      const rules = request.choosing ? CHOICE_JSON : jsonRules(request.statements !== undefined);
      return profile.tools ? said : withoutTools(said, rules);
    },
    tools: toolsOf(request),
    meter,
    signal,
    deadline,
    currentProfile: conversation.currentProfile,
    cacheKey: request.reused ? request.shared?.key : undefined,
    onReply: request.onReply,
  });
  if (conversation.currentProfile && profile.flattened) changes.add(FLATTENED);
  conversation.currentProfile = profile;
  conversation.takesJson ||= !profile.tools;
  conversation.withoutTools ||= !profile.tools;
  for (const change of profile.changes) changes.add(change);
  const text = reply.text.trim();
  if (text !== "" && text !== texts.at(-1)) texts.push(text);
  if (reply.model !== undefined) conversation.servedBy = reply.model;
  if (reply.seemsCut) conversation.seemsCut = true;
  // Some servers refuse an empty message of their own.
  if (text !== "" || reply.calls.length > 0)
    turns.push({ kind: "reply", raw: reply.raw, calls: reply.calls });
  return reply;
}

function noVerdict({ text }: Reply, { redact }: Conversation): JudgeError {
  const said = shorten(redact(text).replace(/\s+/g, " ").trim(), 200);
  return new JudgeError("invalid-reply", `The judge was asked for its verdict as JSON and wrote: ${said}`, {
    help: "Use a judge model that takes tools.",
  });
}

/**
 * What is left of a conversation that broke off: failures stand, as an incomplete verdict; passes alone are none, since
 * nobody knows what else the judge would have said. Throws Interrupted then, and CapReached when nothing was asked.
 */
function interrupted(conversation: Conversation, error: unknown): JudgeAnswer {
  const { texts, meter, signal } = conversation;
  const checks = quotedChecks(conversation);
  const isOver = signal.aborted && !(error instanceof CapReached);
  const judgeError = isOver ? (signal.reason as JudgeError) : asJudgeError(error);
  if (checks.some(isFailure)) return { ...answer(conversation), incomplete: judgeError.toGradeError() };
  if (error instanceof CapReached && meter.requests === 0) throw error;
  throw checks.length === 0 ? judgeError : new Interrupted(judgeError, { checks, text: texts.join("\n\n") });
}

/** The checks as they count, with their quotes looked up in all messages and all that was read. */
function quotedChecks(conversation: Conversation): Check[] {
  return withQuotes(checksOf(conversation), () =>
    conversation.turns.flatMap((turn) =>
      turn.kind === "message" ? turn.message.content : turn.kind === "result" ? turn.content : [],
    ),
  );
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

/** The rules say how to report without tools. */
function withoutTools(turns: readonly Turn[], rules: string): readonly Turn[] {
  return turns.map((turn) => {
    if (turn.kind !== "message" || turn.message.role !== "system") return turn;
    const content = `${turn.message.content.replace(FILES_RULES, "")}${rules}`;
    return { kind: "message", message: { role: "system", content } };
  });
}

function answer(conversation: Conversation): JudgeAnswer {
  const { texts, request, servedBy, changes, called } = conversation;
  const checks = quotedChecks(conversation);
  return {
    checks,
    short: shortReport(conversation),
    called: checks.length === 0 && called.size > 0 ? [...called].slice(0, NAMES_TOLD) : undefined,
    text: texts.join("\n\n"),
    reads: request.files?.reads(),
    servedBy,
    changes: changes.size > 0 ? [...changes] : undefined,
    withoutTools: conversation.withoutTools ? true : undefined,
    seemsCut: conversation.seemsCut,
  };
}
