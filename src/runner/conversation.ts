/** The turns of a run after the first: what the user says next, in the same session, home and folder, until it ends. */
import { join } from "node:path";
import type { Conversation } from "../domain/run.ts";
import type { FurtherTurns } from "../domain/suite.ts";
import { writeBelow } from "../files/write.ts";
import { LOG, type RunRecord } from "../outputs/run-json.ts";
import type { FurtherTurn } from "../outputs/run-log.ts";
import { jsonOf } from "../text/format.ts";
import type { Ended } from "./start-program.ts";
import { type Death, deathOf, workOf } from "./work.ts";
import type { PlannedRun } from "../plan/runs.ts";

/** What was said, turn by turn: the user's words before each answer, those of the first turn left out. */
export interface SoFar {
  readonly prompts: readonly string[];
  readonly answers: readonly string[];
}

/** What the user says next, or how the conversation ended. */
export type Next = Pick<FurtherTurn, "prompt" | "by"> | Pick<Conversation, "ended" | "reason">;

/** Says what the user says next. Never throws. */
export type Speaker = (said: SoFar) => Promise<Next>;

/** A turn of the agent that has ended. */
export interface TurnMade {
  /** Its log. */
  readonly log: Buffer;
  readonly ended: Ended;
}

/** A conversation that has ended; `death` where it is no verdict on the agent. */
export interface Talk extends Pick<Conversation, "ended" | "reason"> {
  readonly turns: readonly (TurnMade & Pick<FurtherTurn, "prompt" | "by">)[];
  readonly death?: Death | undefined;
}

interface Talking {
  readonly run: PlannedRun;
  readonly agent: string;
  /** An empty folder, for copies of logs. */
  readonly folder: string;
  /** Starts the agent on a further turn; the first is number 1. */
  readonly start: (prompt: string, number: number) => Promise<TurnMade>;
  readonly speak: Speaker;
  /** What the client printed beside its logs. */
  readonly errors: () => Buffer;
}

/** Goes on after the first turn. Undefined where that never got to work: then it is as a run of one turn. */
export async function converse(first: TurnMade, talking: Talking): Promise<Talk | undefined> {
  const turns: Talk["turns"][number][] = [];
  const answers: string[] = [];
  for (let last = first; ;) {
    const { answer, why, death } = await endOfTurn(last, turns.length + 1, talking);
    if (why !== undefined && turns.length === 0 && answer === undefined) return undefined;
    if (why !== undefined) {
      const where = `in turn ${String(turns.length + 1)}`;
      return { turns, ended: "failed", reason: why, death: { ...death, last: [why], stopped: where } };
    }
    answers.push(answer ?? "");
    const next = await talking.speak({ prompts: turns.map(({ prompt }) => prompt), answers });
    if (!("prompt" in next)) return { turns, ...next, death: deathOfTalk(next) };
    last = await talking.start(next.prompt, turns.length + 2);
    turns.push({ ...next, ...last });
  }
}

/** How a turn ended: with an answer, or why it is none. */
async function endOfTurn(
  { log: bytes, ended }: TurnMade,
  number: number,
  { run, agent, folder, errors }: Talking,
): Promise<{ readonly answer?: string | undefined; readonly why?: string; readonly death: Death }> {
  const { exit, timedOut, wrong, isAbsent = false } = ended;
  const log = join(folder, turnLog(number));
  writeBelow(folder, turnLog(number), bytes);
  const record: RunRecord = {
    eval: run.suite.at.path,
    task: run.task?.id,
    log,
    agent,
    exit,
    timedOut,
    error: wrong,
  };
  const came = await workOf(run, log, record);
  const isFine = exit === 0 && !timedOut && wrong === undefined && came.failure === undefined;
  const answer = came.worked ? came.answer : undefined;
  // A command may say nothing, and leave files.
  if (isFine && (came.worked || agent === "command")) return { answer, death: { last: [] } };
  const printed = [bytes, errors()];
  const death = deathOf({ ...came, worked: false }, { wrong, isAbsent, exit, printed });
  const why = death.error ?? came.failure ?? death.stopped ?? death.last.join(" ");
  return { answer, why, death: { ...death, error: undefined } };
}

/** An end that is no verdict on the agent. */
function deathOfTalk({ ended, reason = "" }: Pick<Conversation, "ended" | "reason">): Death | undefined {
  if (ended === "abstained") return { last: [reason], stopped: "the responder abstained" };
  return ended === "failed" ? { last: [reason], stopped: "the responder failed" } : undefined;
}

/** The user of an eval's own texts. */
export function scripted(further: FurtherTurns | undefined): Speaker {
  const turns = further?.by === "script" ? further.turns : [];
  return ({ prompts, answers }) => {
    const next = turns[prompts.length];
    if (!next) return Promise.resolve({ ended: "completed" });
    const isAsked = /[?？؟]/.test(answers.at(-1) ?? "");
    const reason = `The answer of turn ${String(answers.length)} asks nothing: no question mark.`;
    return Promise.resolve(
      next.ifAsked && !isAsked ? { ended: "stopped", reason } : { prompt: next.prompt, by: "script" },
    );
  };
}

/** The name of the log of a turn, from 1. */
export function turnLog(number: number): string {
  return number === 1 ? LOG : LOG.replace(".", `-${String(number)}.`);
}

/** The session's id, in the first row of a log that says it. */
export function sessionIn(log: Buffer, key: string): string | undefined {
  for (const line of log.toString().split("\n")) {
    const { [key]: id } = Object(jsonOf(line)) as Readonly<Record<string, unknown>>;
    if (typeof id === "string" && /^\w[\w-]*$/.test(id)) return id;
  }
  return undefined;
}
