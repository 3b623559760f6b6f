/** A judge behind an API like OpenAI's: the conversation, until the judge says that it is finished. */
import type { Check } from "../domain/grade.ts";
import type { SendOptions } from "./api/attempt.ts";
import { shorten } from "../text/format.ts";
import { CapReached } from "./spend/budget.ts";
import { GRADE_TOOLS, meaningOf, toCheck } from "./grade-tools.ts";
import { callsInJson, JSON_FORM, JSON_REMINDER, JSON_RULES } from "./api/json-verdict.ts";
import { BrokenOff, JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest, Meter, Redact } from "./judge.ts";
import { choose, CHOICE_JSON, CHOICE_TOOL } from "./pairwise.ts";
import { retold } from "./api/retold.ts";
import { sender } from "./api/send.ts";
import type { Sender } from "./api/send.ts";
import { FILES_RULES } from "./evidence/system-message.ts";
import type { Call, Reply, Shape, Tool, Turn } from "./api/wire.ts";

/** Replies after which a judge that never finishes is stopped; those that only read files do not count. */
export const MOST_REPLIES = 64;
/** Replies in a row that only repeat earlier calls, word for word, and then are taken for the end. */
const MOST_REPEATS = 3;
/** Replies in a row with nothing but one and the same call without detail, which is never a repeat. */
const MOST_BARE = 16;
/** Tools that are told of where no check was reported. */
const NAMES_TOLD = 3;

interface Conversation {
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  /** Moment of `performance.now()` when the grade's time is over. */
  readonly deadline: number;
  readonly sends: Sender;
  readonly redact: Redact;
  readonly turns: Turn[];
  readonly checks: Check[];
  /** The checks with a detail that were reported so far, and calls of no tool, as text: a repeat of one is known by it. */
  readonly said: Set<string>;
  readonly texts: string[];
  readonly changes: Set<string>;
  /** The last call of a tool that does not exist, until a later reply reports a check. */
  unknownTool?: string | undefined;
  /** Names of tools that do not exist, once the judge was reminded of them. */
  readonly told: Set<string>;
  /** Names of all tools it called. */
  readonly called: Set<string>;
  /** True once the judge may write its verdict as JSON. */
  takesJson: boolean;
  /** True when nothing the judge says can be a tool call, so that it has no files to read. */
  withoutTools: boolean;
  servedBy?: string | undefined;
  seemsCut?: true | undefined;
  /** How the replies so far were asked for. */
  begun?: Shape | undefined;
}

/** Makes the judge. It asks each model at the endpoint that `endpointOf` names. */
export function openaiJudge(options: SendOptions): Judge {
  const sends = sender(options);
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
        told: new Set(),
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
        return brokenOff(conversation, error);
      }
    },
  };
}

/**
 * Goes on until the judge is finished: it called `finish_grading`, or made no call at all. A judge that reported
 * nothing, or called a tool that does not exist, is reminded once of each before its end is taken.
 */
async function converse(conversation: Conversation): Promise<void> {
  let repeats = 0;
  let reminded = false;
  let bare: Heard["bare"];
  let alike = 0;
  for (let replies = 0; replies < MOST_REPLIES;) {
    const reply = await ask(conversation);
    const heard = await hear(conversation, reply);
    if (!heard.onlyReads) replies += 1;
    repeats = heard.onlyRepeats ? repeats + 1 : 0;
    stopUnheard(conversation, repeats);
    // What was reported before a cut stands, and so does a finish before it; but silence is then no end.
    const isSilent = heard.calls.length === 0 || repeats >= MOST_REPEATS;
    const isWhole = !reply.unfinished || (heard.finishes && reply.unfinished.class === "cut-off");
    if (!isWhole) throw reply.unfinished;
    if (reminded && heard.isUnreadable) throw noVerdict(reply, conversation);
    const isFinished = heard.finishes || isSilent;
    const missing: string | undefined = isFinished ? reminder(conversation, reminded) : undefined;
    if (isFinished && missing === undefined) return;
    reminded ||= conversation.checks.length === 0 && missing !== undefined;
    alike = heard.bare === bare ? alike + 1 : 1;
    bare = heard.bare;
    if (bare !== undefined && alike === MOST_BARE)
      throw endless(
        `${String(MOST_BARE)} replies in a row with the same bare call, a ${bare} of no named check,`,
      );
    answerCalls(conversation, heard, missing);
  }
  throw endless(`${String(MOST_REPLIES)} replies without finishing`);
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
const RETOLD = "what it had said was told to it as text, since the API does not take it back";

async function ask(conversation: Conversation): Promise<Reply> {
  const { request, turns, meter, signal, deadline, texts, changes, sends } = conversation;
  const { reply, shape } = await sends({
    model: request.model,
    effort: request.effort,
    turnsFor: (shape) => {
      const said = shape.retold ? retold(turns, request.choosing ? "" : GO_ON) : turns;
      return shape.tools ? said : withoutTools(said, request.choosing ? CHOICE_JSON : JSON_RULES);
    },
    tools: request.choosing
      ? [CHOICE_TOOL]
      : [...GRADE_TOOLS, ...((request.files?.tools ?? []) as readonly Tool[])],
    meter,
    signal,
    deadline,
    begun: conversation.begun,
    cacheKey: request.reused ? request.shared?.key : undefined,
    replied: request.replied,
  });
  if (conversation.begun && shape.retold) changes.add(RETOLD);
  conversation.begun = shape;
  conversation.takesJson ||= !shape.tools;
  conversation.withoutTools ||= !shape.tools;
  for (const change of shape.changes) changes.add(change);
  const text = reply.text.trim();
  if (text !== "" && text !== texts.at(-1)) texts.push(text);
  if (reply.model !== undefined) conversation.servedBy = reply.model;
  if (reply.seemsCut) conversation.seemsCut = true;
  // Some servers refuse an empty message of their own.
  if (text !== "" || reply.calls.length > 0)
    turns.push({ kind: "reply", raw: reply.raw, calls: reply.calls });
  return reply;
}

/** What a reply says. */
interface Heard {
  readonly calls: readonly Call[];
  /** What each call is answered; undefined for a finish, whose answer depends on what is missing. */
  readonly answers: readonly (string | undefined)[];
  /** The judge says that it is finished, and waits for no file. */
  readonly finishes: boolean;
  /** Every call asked for files, and was given some. */
  readonly onlyReads: boolean;
  /** The server takes no tools, and the reply is not the object that stands for them. */
  readonly isUnreadable: boolean;
  /** Every call is one of an earlier reply, word for word, and neither a finish nor a read. */
  readonly onlyRepeats: boolean;
  /** What every call reports, without any detail; undefined where one does not. */
  readonly bare: Check["outcome"] | undefined;
}

/** Notes the checks of a reply, in order, and finds the answer to each of its calls. Every check counts. */
async function hear(conversation: Conversation, reply: Reply): Promise<Heard> {
  const { request, said } = conversation;
  const written = conversation.takesJson && reply.calls.length === 0 ? callsInJson(reply.text) : undefined;
  if (written) conversation.withoutTools = true;
  const calls = written ?? reply.calls;
  const known = new Set(said);
  const readsBefore = request.files?.reads() ?? 0;
  const heard: Answered[] = [];
  for (const call of calls) heard.push(await answerTo(call, conversation, known));
  const of = (kind: Answered["kind"]) => heard.filter((one) => one.kind === kind).length;
  const unknown = heard.findLast(({ name }) => name !== undefined);
  if (unknown) conversation.unknownTool = unknown.name;
  else if (of("check") + of("repeat") > 0) conversation.unknownTool = undefined;
  const [bare, ...others] = new Set(heard.map((one) => one.bare));
  const onlyRepeats = calls.length > 0 && of("repeat") === calls.length;
  return {
    calls,
    answers: heard.map(({ answer, name }) => (onlyRepeats && name === undefined ? REPEATED : answer)),
    finishes: of("finish") > 0 && of("read") === 0,
    onlyReads: of("read") === calls.length && (request.files?.reads() ?? 0) > readsBefore,
    onlyRepeats,
    bare: others.length === 0 ? bare : undefined,
    isUnreadable: conversation.begun?.tools === false && written === undefined,
  };
}

interface Answered {
  readonly kind: "check" | "repeat" | "finish" | "read" | "unknown";
  /** Absent for a finish. */
  readonly answer?: string | undefined;
  /** Of a tool that does not exist. */
  readonly name?: string | undefined;
  /** The outcome of a check without any detail. */
  readonly bare?: Check["outcome"] | undefined;
}

/** What one call is, and its answer; a check is noted. `known` holds those of earlier replies. */
async function answerTo(
  call: Call,
  { request, signal, checks, said, called, redact }: Conversation,
  known: ReadonlySet<string>,
): Promise<Answered> {
  const name = redact(call.name).slice(0, 64);
  called.add(name);
  const meaning = meaningOf(call.name);
  if (meaning === "finish") return { kind: "finish" };
  if (meaning) {
    const check = toCheck(meaning, call.arguments, redact);
    const words = JSON.stringify(check);
    checks.push(check);
    // Without any detail it may be another check: nothing tells it from the one before.
    if (check.description === undefined && check.reason === undefined)
      return { kind: "check", answer: "Recorded.", bare: meaning };
    said.add(words);
    return { kind: known.has(words) ? "repeat" : "check", answer: "Recorded." };
  }
  const content = await request.files?.answer(call, signal);
  if (content !== undefined) return { kind: "read", answer: content };
  const words = JSON.stringify([call.name, call.arguments]);
  said.add(words);
  return {
    kind: known.has(words) ? "repeat" : "unknown",
    name,
    answer: `There is no tool called ${JSON.stringify(name)}; nothing was recorded.`,
  };
}

function noVerdict({ text }: Reply, { redact }: Conversation): JudgeError {
  const said = shorten(redact(text).replace(/\s+/g, " ").trim(), 200);
  return new JudgeError("invalid-reply", `The judge was asked for its verdict as JSON and wrote: ${said}`, {
    help: "Use a judge model that takes tools.",
  });
}

const REPEATED = "Already recorded: report what is left, or call finish_grading.";
const NOT_YET =
  "Not finished: the files you asked for are shown only now. Report what they tell, then call finish_grading.";

/** Answers the calls of a reply, so that the judge goes on; a reply that made none is told what is missing. */
function answerCalls({ turns }: Conversation, { calls, answers }: Heard, missing: string | undefined): void {
  for (const [index, { id }] of calls.entries())
    if (id !== "") turns.push({ kind: "result", id, content: answers[index] ?? missing ?? NOT_YET });
  // Some servers take no user's message after a result: there the finish is answered with the reminder.
  const isAnswered = calls.some(({ id }, index) => id !== "" && answers[index] === undefined);
  if (missing !== undefined && !isAnswered)
    turns.push({ kind: "message", message: { role: "user", content: missing } });
}

/** What to tell a judge that would finish too early, each thing once; undefined when nothing is missing. */
function reminder(conversation: Conversation, reminded: boolean): string | undefined {
  const { checks, told, begun } = conversation;
  const nothing = checks.length === 0 && !reminded;
  const unknownTool = told.has(conversation.unknownTool ?? "") ? undefined : conversation.unknownTool;
  if (!nothing && unknownTool === undefined) return undefined;
  if (unknownTool !== undefined) told.add(unknownTool);
  if (nothing && begun?.tools === false) return JSON_REMINDER;
  // From here on a judge without tools is heard, too.
  if (nothing) conversation.takesJson = true;
  const name = JSON.stringify(unknownTool);
  const parts = [
    nothing ? "You have not reported anything yet, and what you write is not read." : undefined,
    unknownTool === undefined
      ? undefined
      : `There is no tool called ${name}; nothing was recorded of that call.`,
    "Report what is left now: call set_waza_grade_pass or set_waza_grade_fail once for each check, then finish_grading.",
    nothing ? `If you cannot call tools, write one JSON object as your whole reply: ${JSON_FORM}` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}

/**
 * What is left of a conversation that broke off: failures stand, as an incomplete verdict; passes alone are none, since
 * nobody knows what else the judge would have said. Throws BrokenOff then, and CapReached when nothing was asked.
 */
function brokenOff(conversation: Conversation, error: unknown): JudgeAnswer {
  const { checks, texts, meter, signal } = conversation;
  const isOver = signal.aborted && !(error instanceof CapReached);
  const judgeError = isOver ? (signal.reason as JudgeError) : asJudgeError(error);
  if (checks.some(({ outcome }) => outcome === "fail"))
    return { ...answer(conversation), incomplete: judgeError.toGradeError() };
  if (error instanceof CapReached && meter.requests === 0) throw error;
  throw checks.length === 0 ? judgeError : new BrokenOff(judgeError, { checks, text: texts.join("\n\n") });
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
  const { checks, texts, request, servedBy, changes, called } = conversation;
  return {
    checks,
    called: checks.length === 0 && called.size > 0 ? [...called].slice(0, NAMES_TOLD) : undefined,
    text: texts.join("\n\n"),
    reads: request.files?.reads(),
    servedBy,
    changes: changes.size > 0 ? [...changes] : undefined,
    withoutTools: conversation.withoutTools ? true : undefined,
    seemsCut: conversation.seemsCut,
  };
}
