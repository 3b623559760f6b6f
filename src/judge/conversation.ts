/** A judge behind an OpenAI-compatible API: the conversation until the judge is finished. */
import type { Check } from "../domain/grade.ts";
import type { SendOptions } from "./api/attempt.ts";
import { asSentence, listed, shorten } from "../text/format.ts";
import { checkText } from "../text/states.ts";
import { CapReached } from "./spend/budget.ts";
import { parseReply } from "./conversation/parse-reply.ts";
import type { ParsedReply } from "./conversation/parse-reply.ts";
import { confirmLast, isTrustedLast, shortReport, trustKeyOf } from "./conversation/remaining.ts";
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

/** Maximum replies of a judge that never finishes; those that only read files do not count. */
export const MOST_REPLIES = 64;
/** Consecutive replies that only repeat earlier calls word for word, after which the judge counts as finished. */
const MOST_REPEATS = 3;
/** Maximum consecutive replies with only the same call without detail, which never counts as a repeat. */
const MOST_WITHOUT_DETAIL = 16;
/** Maximum characters of a failure that names no statement. */
const LOST = 300;
/** Maximum tool names to report if there was no check. */
const NAMES_REPORTED = 3;

/** Makes the judge. Requests for a model go to the endpoint of `endpointOf`. */
export function openaiJudge(options: SendOptions): Judge {
  const send = sender(options);
  const trust = new Map<string, boolean>();
  return {
    grade: async (request, meter, signal) => {
      const conversation: Conversation = {
        request,
        meter,
        signal,
        deadline: performance.now() + (request.timeoutMs ?? Infinity),
        send,
        redact: options.redact,
        turns: request.messages.map((message, index) => ({
          kind: "message",
          message,
          endsSharedPrefix: request.reused && index + 1 === request.shared?.messages,
        })),
        checks: [],
        seenCalls: new Set(),
        unnumbered: [],
        reminders: new Set(),
        claimedLast: false,
        trust,
        trustKey: trustKeyOf(request),
        toolNames: new Set(),
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
 * Continues until the judge is finished: it called `finish_grading`, made no call at all, gave every statement a verdict,
 * or reported a last check that is trusted to be the last. Before the end is accepted, it is reminded once of what is
 * missing.
 */
async function converse(conversation: Conversation): Promise<void> {
  let repeats = 0;
  let withoutDetail: ParsedReply["withoutDetail"];
  let same = 0;
  for (let replies = 0; replies < MOST_REPLIES;) {
    const reply = await ask(conversation);
    const wasReminded = conversation.reminders.has("nothing");
    const parsed = await parseReply(conversation, reply);
    if (!parsed.onlyReads) replies += 1;
    repeats = parsed.onlyRepeats ? repeats + 1 : 0;
    stopUnrecorded(conversation, repeats);
    // An explicit finish counts even if the reply is cut off; silence then does not.
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
    same = parsed.withoutDetail === withoutDetail ? same + 1 : 1;
    withoutDetail = parsed.withoutDetail;
    if (withoutDetail !== undefined && same === MOST_WITHOUT_DETAIL)
      throw endless(
        `${String(MOST_WITHOUT_DETAIL)} replies in a row with the same call without detail, a ${withoutDetail} of an unnamed check,`,
      );
    answerCalls(conversation, parsed, missing);
  }
  throw endless(`${String(MOST_REPLIES)} replies without finishing`);
}

/** Whether all checks are reported, even without `finish_grading`. */
function isComplete(conversation: Conversation, { reads, endsInCheck }: ParsedReply): boolean {
  if (reads) return false;
  return conversation.request.statements
    ? missingStatements(conversation).length === 0
    : endsInCheck && isTrustedLast(conversation);
}

/**
 * Ends the grade. It is interrupted if the judge reported on statements, but not on all, or if its only failure named no
 * statement.
 */
function finish(conversation: Conversation, { reports }: ParsedReply): void {
  if (!reports) confirmLast(conversation);
  const { checks, unnumbered } = conversation;
  if (checks.length === 0 && unnumbered.length === 0) return;
  const missing = missingStatements(conversation);
  const lost = checks.some(isFailure) ? undefined : unnumbered.find(isFailure);
  const fault =
    missing.length > 0
      ? `gave no verdict on statement ${listed(missing.map(String), Infinity)}, even after a reminder`
      : lost &&
        `reported a failure that names no statement, even after a reminder: ${shorten(checkText(lost), LOST)}`;
  if (fault === undefined) return;
  const message = asSentence(`The judge ${fault}`);
  throw new JudgeError("invalid-reply", message, { help: "Use another judge model." });
}

/** Stops a judge that keeps making calls that are not recorded: it may be trying to report a failure. */
function stopUnrecorded({ checks, unrecorded }: Conversation, repeats: number): void {
  if (repeats > MOST_REPEATS && unrecorded !== undefined && checks.length > 0)
    throw endless(`${String(repeats)} replies that only repeat calls that were not recorded`);
}

function endless(replies: string): JudgeError {
  return new JudgeError("turn-limit", `The judge made ${replies} and was stopped.`, {
    help: "Use another judge model, or split the grader.",
  });
}

const GO_ON = "Report what is left, or call finish_grading.";
const FLATTENED = "its earlier replies were sent as text, because the API refuses them";

/** A pair has its evidence in the second message, and does not share it. */
function flattenOptionsOf({ shared, choosing, messages }: JudgeRequest): FlattenOptions {
  const code = codeIn(messages[1]?.content ?? "");
  return { before: shared?.messages ?? 2, code, next: choosing ? "" : GO_ON };
}

async function ask(conversation: Conversation): Promise<Reply> {
  const { request, turns, meter, signal, deadline, texts, changes, send } = conversation;
  const { reply, profile } = await send({
    model: request.model,
    effort: request.effort,
    turnsFor: (profile) => {
      const history = profile.flattened ? flattenHistory(turns, flattenOptionsOf(request)) : turns;
      const rules = request.choosing ? CHOICE_JSON : jsonRules(request.statements !== undefined);
      return profile.tools ? history : withoutTools(history, rules);
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
  // Some servers refuse an empty assistant message.
  if (text !== "" || reply.calls.length > 0)
    turns.push({ kind: "reply", raw: reply.raw, calls: reply.calls });
  return reply;
}

function noVerdict({ text }: Reply, { redact }: Conversation): JudgeError {
  const excerpt = shorten(redact(text).replace(/\s+/g, " ").trim(), 200);
  return new JudgeError("invalid-reply", `The judge wrote no verdict as JSON, but: ${excerpt}`, {
    help: "Use a judge model that accepts tools.",
  });
}

/**
 * Result of an interrupted conversation: failures are kept (incomplete verdict); passes alone are discarded by throwing
 * Interrupted, because later checks might have failed. Throws CapReached if nothing was sent.
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

/** The checks that count, with their quotes looked up in all messages and read files. */
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

/** Replaces the rules about files by those for reporting without tools. */
function withoutTools(turns: readonly Turn[], rules: string): readonly Turn[] {
  return turns.map((turn) => {
    if (turn.kind !== "message" || turn.message.role !== "system") return turn;
    const content = `${turn.message.content.replace(FILES_RULES, "")}${rules}`;
    return { kind: "message", message: { role: "system", content } };
  });
}

function answer(conversation: Conversation): JudgeAnswer {
  const { texts, request, servedBy, changes, toolNames } = conversation;
  const checks = quotedChecks(conversation);
  return {
    checks,
    short: shortReport(conversation),
    called: checks.length === 0 && toolNames.size > 0 ? [...toolNames].slice(0, NAMES_REPORTED) : undefined,
    text: texts.join("\n\n"),
    reads: request.files?.reads(),
    servedBy,
    changes: changes.size > 0 ? [...changes] : undefined,
    withoutTools: conversation.withoutTools ? true : undefined,
    seemsCut: conversation.seemsCut,
  };
}
