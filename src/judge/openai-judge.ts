/** A judge behind an API like OpenAI's: the conversation, until the verdict is complete. */
import { shorten } from "../format.ts";
import { CapReached } from "./budget.ts";
import { GRADE_TOOLS } from "./grade-tools.ts";
import { callsInJson, JSON_REMINDER, JSON_RULES } from "./json-verdict.ts";
import { JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, Meter } from "./judge.ts";
import { FILES_RULES } from "./system-message.ts";
import { sender } from "./send.ts";
import type { SendOptions } from "./attempt.ts";
import type { Sender } from "./send.ts";
import { callHabits, isComplete } from "./turns.ts";
import type { CallHabits, TurnPolicy } from "./turns.ts";
import { misspelled, record } from "./reported.ts";
import type { Reported } from "./reported.ts";
import type { Reply, Shape, Tool, Turn } from "./wire.ts";

/** A judge that goes on calling is stopped after this many replies, or two more than the calls its prompt asks for. */
export const MAX_TURNS = 10;

const REMINDER =
  "You have not reported anything yet. What you wrote is not read: report your verdict now, only by calling set_waza_grade_pass or set_waza_grade_fail, once for each check.";

export interface JudgeOptions extends SendOptions {
  /** When a judge is asked again; `auto` without it. */
  readonly turns?: TurnPolicy;
}

interface Conversation extends Reported {
  readonly meter: Meter;
  /** Moment of `performance.now()` when the grade's time is over. */
  readonly deadline: number;
  readonly texts: string[];
  readonly changes: Set<string>;
  servedBy?: string;
  /** How the replies so far were asked for. */
  begun?: Shape;
}

/** Makes the judge. It asks each model at the endpoint that `endpointOf` names. */
export function openaiJudge(options: JudgeOptions): Judge {
  const sends = sender(options);
  const habits = callHabits();
  const means: Means = {
    sends,
    habits,
    policy: options.turns ?? "auto",
    baseUrlOf: (model) => options.endpointOf(model).baseUrl,
    redact: options.redact ?? same,
  };
  return {
    grade: async (request, meter, signal) => {
      const conversation: Conversation = {
        request,
        meter,
        signal,
        deadline: performance.now() + (request.timeoutMs ?? Infinity),
        turns: request.messages.map((message) => ({ kind: "message", message })),
        checks: [],
        texts: [],
        changes: new Set(),
        unclear: [],
      };
      try {
        await converse(conversation, means);
        return answer(conversation);
      } catch (error) {
        const isOver = signal.aborted && !(error instanceof CapReached);
        const judgeError = isOver ? (signal.reason as JudgeError) : asJudgeError(error);
        // However it ended: a pass beside a call that may have been a failure is none.
        if (conversation.unclear.length > 0) misspelled(conversation);
        if (conversation.checks.length > 0) return answer(conversation, judgeError);
        // Nothing was asked for it: the grade is skipped, not errored.
        throw error instanceof CapReached && meter.requests === 0 ? error : judgeError;
      }
    },
  };
}

function same(text: string): string {
  return text;
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

interface Means {
  readonly sends: Sender;
  readonly habits: CallHabits;
  readonly policy: TurnPolicy;
  readonly baseUrlOf: (model: string) => string;
  readonly redact: (text: string) => string;
}

/**
 * Goes on until the verdict is complete; a finished answer without any call is reminded once. A turn that reads files
 * is none of the ten: the cap on reads bounds those.
 */
async function converse(conversation: Conversation, means: Means): Promise<void> {
  const { request, checks } = conversation;
  const reads = () => request.files?.reads() ?? 0;
  let reminded = false;
  const most = Math.max(MAX_TURNS, (request.expected ?? 0) + 2);
  for (let turn = 1; turn <= most;) {
    const [before, had] = [reads(), checks.length];
    const { reply, inJson } = await ask(conversation, means);
    const calls = inJson ? callsInJson(reply) : reply.calls;
    conversation.turns.push({ kind: "reply", raw: reply.raw });
    await record(conversation, { calls: calls ?? [], text: reply.text, inJson }, means.redact);
    if (reads() === before) turn += 1;
    means.habits.saw(request.model, checks.length - had, had);
    if (reply.unfinished) throw reply.unfinished;
    const reported = (calls ?? []).length;
    const onlyReports = reported === checks.length - had;
    if (inJson && calls !== undefined) return;
    if (onlyReports && reported > 0 && conversation.unclear.length === 0) {
      const so = {
        request,
        checks: new Set(checks.map((check) => JSON.stringify(check))).size,
        habits: means.habits,
        baseUrl: means.baseUrlOf(request.model),
      };
      if (isComplete(means.policy, so)) return;
    }
    if (reported > 0) continue;
    if (conversation.unclear.length > 0) throw misspelled(conversation);
    if (inJson && reminded) throw noVerdict(reply, means.redact);
    if (checks.length > 0 || reminded) return;
    reminded = true;
    const content = inJson ? JSON_REMINDER : REMINDER;
    conversation.turns.push({ kind: "message", message: { role: "user", content } });
  }
  throw new JudgeError(
    "turn-limit",
    `The judge went on calling tools for ${String(most)} turns and was stopped.`,
  );
}

async function ask(conversation: Conversation, { sends }: Means): Promise<{ reply: Reply; inJson: boolean }> {
  const { request, turns, meter, signal, deadline, texts, changes } = conversation;
  const tools = [...GRADE_TOOLS, ...((request.files?.tools ?? []) as readonly Tool[])];
  const { reply, shape } = await sends({
    model: request.model,
    effort: request.effort,
    turnsFor: (shape) => (shape.tools ? turns : withoutTools(turns)),
    tools,
    meter,
    signal,
    deadline,
    timeoutMs: request.timeoutMs ?? Infinity,
    begun: conversation.begun,
  });
  conversation.begun = shape;
  for (const change of shape.changes) changes.add(change);
  const text = reply.text.trim();
  if (text !== "" && text !== texts.at(-1)) texts.push(text);
  if (reply.model !== undefined) conversation.servedBy = reply.model;
  return { reply, inJson: !shape.tools };
}

/** The rules say how to report without tools. */
function withoutTools(turns: readonly Turn[]): readonly Turn[] {
  return turns.map((turn) =>
    turn.kind === "message" && turn.message.role === "system"
      ? {
          kind: "message",
          message: {
            role: "system",
            content: `${turn.message.content.replace(FILES_RULES, "")}${JSON_RULES}`,
          },
        }
      : turn,
  );
}

/** Without tools a prose answer is no verdict at all, rather than one without a call. */
function noVerdict({ text }: Reply, redact: (text: string) => string): JudgeError {
  const help = "Use a judge model that takes tools.";
  const said = shorten(redact(text).replace(/\s+/g, " ").trim(), 200);
  return new JudgeError("invalid-reply", `The judge was asked for its verdict as JSON and wrote: ${said}`, {
    help,
  });
}

function answer(
  { checks, texts, request, servedBy, changes }: Conversation,
  error?: JudgeError,
): JudgeAnswer {
  return {
    checks,
    text: texts.join("\n\n"),
    ...(request.files ? { reads: request.files.reads() } : {}),
    ...(servedBy === undefined ? {} : { servedBy }),
    ...(changes.size > 0 ? { changes: [...changes] } : {}),
    ...(error ? { incomplete: error.toGradeError() } : {}),
  };
}
