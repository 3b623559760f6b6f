/** A judge behind an OpenAI-compatible API: the conversation until the judge is finished. */
import type { Check } from "../domain/grade.ts";
import type { SendOptions } from "./api/attempt.ts";
import {
  flattenHistory,
  parseReply,
  whichIsMeant,
  type Conversation,
  type FlattenOptions,
  type ParsedReply,
} from "./parse-reply.ts";
import { sender } from "./api/send.ts";
import type { Reply, Tool, Turn } from "./api/wire.ts";
import { codeIn } from "./evidence.ts";
import { jsonForm, withoutTools } from "./message.ts";
import { byStatement, gradeTools, isFailure, verdictSchema, withQuotes } from "./grade-tools.ts";
import {
  Interrupted,
  type Judge,
  type JudgeAnswer,
  JudgeError,
  type JudgeRequest,
  type ShortReport,
  joinAnswers,
} from "./judge.ts";
import { CapReached } from "./spend.ts";
import { asSentence, listed, shorten, upperFirst } from "../text/format.ts";
import { checkText } from "../text/states.ts";
import { MOST_REPLIES } from "./limits.ts";

/** Maximum tool names to report if there was no check. */
const MOST_TOOL_NAMES = 3;
/** Consecutive replies that only repeat earlier calls word for word, after which the judge counts as finished. */
const MOST_REPEATS = 3;
/** Maximum consecutive replies with only the same call without detail, which never counts as a repeat. */
const MOST_WITHOUT_DETAIL = 16;
/** Characters of a reply in an error. */
const LONGEST_EXCERPT = 200;
/** Maximum characters of a check that is quoted to the judge, or in an error. */
const LONGEST_QUOTED_CHECK = 300;

/** Makes the judge. Requests for a model go to the endpoint of `endpointOf`. */
export function openaiJudge(options: SendOptions): Judge {
  const send = sender(options);
  return {
    grade: async (request, meter, signal) => {
      const conversation: Conversation = {
        request,
        meter,
        signal,
        deadline: request.deadline ?? Infinity,
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
        contradictions: new Map(),
        toolNames: new Set(),
        texts: [],
        parts: [],
        takesJson: false,
      };
      try {
        await converse(conversation);
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

async function ask(conversation: Conversation): Promise<Reply> {
  const { request, turns, meter, signal, deadline, texts, parts, send } = conversation;
  const ofStatements = request.statements !== undefined;
  const { reply, profile } = await send({
    model: request.model,
    effort: request.effort,
    turnsFor: (profile) => {
      const history = profile.flattened ? flattenHistory(turns, flattenOptionsOf(request)) : turns;
      return profile.tools ? history : turnsForJson(history, ofStatements);
    },
    tools: toolsOf(request),
    schema: conversation.reminders.has("nothing") ? verdictSchema(ofStatements) : undefined,
    meter,
    signal,
    deadline,
    currentProfile: conversation.currentProfile,
    cacheKey: request.reused ? request.shared?.key : undefined,
    onReply: request.onReply,
    onFaults: request.onFaults,
  });
  const flattened = conversation.currentProfile && profile.flattened ? [FLATTENED] : [];
  const changes = [...flattened, ...profile.changes];
  parts.push({
    changes,
    withoutTools: profile.tools ? undefined : true,
    seemsCut: reply.seemsCut ? true : undefined,
    reportsReasoning: NO_REASONING.has(profile.effort) ? undefined : reply.reportsReasoning,
  });
  conversation.currentProfile = profile;
  conversation.takesJson ||= !profile.tools;
  const text = reply.text.trim();
  if (text !== "" && text !== texts.at(-1)) texts.push(text);
  if (reply.model !== undefined) conversation.servedBy = reply.model;
  // Some servers refuse an empty assistant message.
  if (text !== "" || reply.calls.length > 0)
    turns.push({ kind: "reply", raw: reply.raw, calls: reply.calls });
  return reply;
}

const GO_ON = "Report what is left, or call finish_grading.";

function flattenOptionsOf({ shared, messages }: JudgeRequest): FlattenOptions {
  const code = codeIn(messages[1]?.content ?? "");
  return { before: shared?.messages ?? 2, code, next: GO_ON };
}

/** The turns for a server without tools. */
function turnsForJson(turns: readonly Turn[], ofStatements: boolean): readonly Turn[] {
  return turns.map((turn) => {
    if (turn.kind !== "message" || turn.message.role !== "system") return turn;
    const content = withoutTools(turn.message.content, ofStatements);
    return { kind: "message", message: { role: "system", content } };
  });
}

/** Tool definitions of a request: those of files first, which prompts and lists share, as a cached beginning. */
export function toolsOf({ statements, files }: Pick<JudgeRequest, "statements" | "files">): readonly Tool[] {
  return [...((files?.tools ?? []) as readonly Tool[]), ...gradeTools(statements !== undefined)];
}

function judgeAnswer(conversation: Conversation): JudgeAnswer {
  const { texts, request, servedBy, parts, toolNames, currentProfile } = conversation;
  const checks = quotedChecks(conversation);
  return {
    checks,
    short: shortReport(conversation),
    lost: checks.length > 0 ? conversation.lost : undefined,
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
function quotedChecks(conversation: Conversation): Check[] {
  return withQuotes(countedChecks(conversation), () =>
    conversation.turns.flatMap((turn) =>
      turn.kind === "message" ? turn.message.content : turn.kind === "result" ? turn.content : [],
    ),
  );
}

/** The checks that count: one per statement if the grader has statements. */
function countedChecks({ checks, request: { statements, only } }: Conversation): readonly Check[] {
  if (!statements) return checks;
  return byStatement(checks, statements).filter(({ statement = 0 }) => only?.includes(statement) ?? true);
}

/** The counts, if by the judge's own number it did not report all checks. */
function shortReport({ announced = 0, checks }: Conversation): ShortReport | undefined {
  return announced > checks.length ? { reported: checks.length, announced } : undefined;
}

/**
 * Continues until the judge is finished: it called `finish_grading`, made no call at all, or gave every statement a
 * verdict. Before the end is accepted, it is reminded once of what is missing.
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
    if (wasReminded) stopUnheard(conversation, reply, parsed);
    const isSilent = parsed.calls.length === 0 || repeats >= MOST_REPEATS;
    const isFinished = parsed.finishes || isSilent || isComplete(conversation, parsed);
    const missing = isFinished ? reminder(conversation) : undefined;
    if (isFinished && missing === undefined) {
      finish(conversation);
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

/** After the reminder: an attempt that cannot be read, or a reply with neither a call nor text, is no verdict. */
function stopUnheard(
  { checks, redact }: Conversation,
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
function isComplete(conversation: Conversation, { reads }: ParsedReply): boolean {
  return (
    !reads && conversation.request.statements !== undefined && missingStatements(conversation).length === 0
  );
}

/** Numbers of the grader's statements without a verdict. */
function missingStatements({ checks, request }: Conversation): number[] {
  const all = (request.statements ?? []).map((_, index) => index + 1);
  const { only = all } = request;
  const judged = new Set(checks.map(({ statement }) => statement));
  return only.filter((number) => !judged.has(number));
}

const REPORT =
  "Report what is left now: call set_waza_grade_pass or set_waza_grade_fail once for each, then finish_grading.";

/** What a judge that finishes too early is reminded of. */
interface Due {
  readonly nothing: boolean;
  /** The answer to the last call that was not recorded. */
  readonly unrecorded?: string | undefined;
  readonly contradictions: boolean;
  readonly short?: ShortReport | undefined;
  /** Numbers of statements without a verdict. */
  readonly statements: readonly number[];
}

/** The reminder for a judge that finishes too early, each part once per grade; undefined if nothing is missing. */
function reminder(conversation: Conversation): string | undefined {
  const { reminders, checks, unrecorded, contradictions } = conversation;
  const missing = checks.length > 0 ? missingStatements(conversation) : [];
  const short = shortReport(conversation);
  const isFirst = (key: string, isDue: boolean) => {
    if (!isDue || reminders.has(key)) return false;
    reminders.add(key);
    return true;
  };
  const due = {
    nothing: isFirst("nothing", checks.length === 0),
    unrecorded: isFirst("unrecorded", unrecorded !== undefined) ? unrecorded : undefined,
    statements: isFirst("statements", missing.length > 0) ? missing : [],
    contradictions: isFirst("contradictions", contradictions.size > 0),
    short: isFirst("count", short !== undefined) ? short : undefined,
  };
  // From now on a reply in JSON is accepted, too.
  conversation.takesJson ||= due.nothing;
  const { currentProfile, parts } = conversation;
  const writesJson = currentProfile?.tools === false || joinAnswers(parts).withoutTools === true;
  const sentences = (writesJson ? jsonReminder : callReminder)(due, conversation);
  return sentences.filter(Boolean).join(" ") || undefined;
}

function callReminder({ nothing, unrecorded, short, ...due }: Due, conversation: Conversation): string[] {
  return [
    nothing ? "You have not reported anything yet, and what you write is not read." : "",
    unrecorded ?? "",
    nothing || unrecorded !== undefined ? REPORT : "",
    ...restText(due, conversation, false),
    short ? `${countsText(short)}: report the others, or call finish_grading.` : "",
    nothing ? `If you cannot call tools, ${formText(conversation)}` : "",
  ];
}

function jsonReminder({ nothing, unrecorded, ...due }: Due, conversation: Conversation): string[] {
  const rest = restText(due, conversation, true);
  const sentences = [
    nothing ? "Your answer holds no check that could be read." : "",
    unrecorded ?? "",
    ...rest,
  ];
  return sentences.some((one) => one !== "") ? [...sentences, upperFirst(formText(conversation))] : [];
}

/** What is open of single checks. */
function restText(
  { contradictions, statements }: Pick<Due, "contradictions" | "statements">,
  conversation: Conversation,
  asJson: boolean,
): string[] {
  const numbers = listed(statements.map(String), Infinity);
  return [
    contradictions
      ? `Not settled${openNames(conversation)}: ${whichIsMeant(conversation.request, asJson)}`
      : "",
    statements.length > 0 ? `There is no verdict yet on statement ${numbers}: report it now.` : "",
  ];
}

function formText({ request: { statements } }: Conversation): string {
  return `write one JSON object as your whole reply, each outcome exactly "pass" or "fail": ${jsonForm(statements !== undefined)}`;
}

/** `You reported 3 of 5 checks`. */
function countsText({ reported, announced }: ShortReport): string {
  return `You reported ${String(reported)} of the ${String(announced)} checks that the instructions ask for`;
}

function openNames({ contradictions }: Conversation): string {
  const names = [...contradictions.keys()].flatMap((name) =>
    typeof name === "number" ? `statement ${String(name)}` : name || [],
  );
  return names.length > 0 ? ` (${shorten(listed(names, Infinity), LONGEST_QUOTED_CHECK)})` : "";
}

/**
 * Ends the grade. It is interrupted if the judge reported on statements, but not on all, if its only failure named no
 * statement, or if a pass that contradicts itself was not settled.
 */
function finish(conversation: Conversation): void {
  const { checks, unnumbered, contradictions } = conversation;
  if (checks.length + unnumbered.length + contradictions.size === 0) {
    if (conversation.unrecorded === undefined) return;
    const names = [...conversation.toolNames].map((name) => `\`${name}\``).join(", ");
    throw new JudgeError("invalid-reply", `The judge called only ${names}, even after a reminder.`, {
      help: "Use another judge model.",
    });
  }
  const missing = missingStatements(conversation);
  const lost = checks.some(isFailure) ? undefined : unnumbered.find(isFailure);
  const fault =
    contradictions.size > 0
      ? "called a pass with another verdict than pass, and did not settle it after a reminder"
      : missing.length > 0
        ? `gave no verdict on statement ${listed(missing.map(String), Infinity)}, even after a reminder`
        : lost &&
          `reported a failure that names no statement, even after a reminder: ${shorten(checkText(lost), LONGEST_QUOTED_CHECK)}`;
  if (fault === undefined) return;
  const message = asSentence(`The judge ${fault}`);
  throw new JudgeError("invalid-reply", message, { help: "Use another judge model." });
}

const NOT_YET =
  "Not finished: the files you asked for are shown only now. Report what they tell, then call finish_grading.";

/** Answers the calls of a reply, so that the judge continues; without calls, the reminder is a message. */
function answerCalls(
  { turns }: Conversation,
  { calls, answers }: ParsedReply,
  missing: string | undefined,
): void {
  for (const [index, { id }] of calls.entries())
    if (id !== "") turns.push({ kind: "result", id, content: answers[index] ?? missing ?? NOT_YET });
  // Some servers accept no user message after a result: a finish is answered with the reminder.
  const isAnswered = calls.some(({ id }, index) => id !== "" && answers[index] === undefined);
  if (missing !== undefined && !isAnswered)
    turns.push({ kind: "message", message: { role: "user", content: missing } });
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
  if (checks.some(isFailure)) return { ...judgeAnswer(conversation), incomplete: judgeError.toGradeError() };
  if (error instanceof CapReached && meter.requests === 0) throw error;
  throw checks.length === 0 ? judgeError : new Interrupted(judgeError, { checks, text: texts.join("\n\n") });
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
