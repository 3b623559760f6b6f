/** The turns of a run after the first: what the user says next, in the same session, home and folder, until it ends. */
import { join } from "node:path";
import type { Conversation } from "../domain/run.ts";
import type { FurtherTurns } from "../domain/suite.ts";
import { bytesOfOpen } from "../files/read.ts";
import { writeBelow } from "../files/write.ts";
import { LOG } from "../outputs/run-json.ts";
import type { FurtherTurn } from "../outputs/run-log.ts";
import { agentOf } from "./agents.ts";
import { sessionIn } from "./kept-session.ts";
import type { Speaker } from "./making.ts";
import { type Trying, type TurnMade, startTurn } from "./start-turn.ts";
import { type Death, deathOf, workOf } from "./work.ts";

/** A conversation that has ended; `death` where it is no verdict on the agent. */
export interface Talk extends Pick<Conversation, "ended" | "reason"> {
  readonly turns: readonly (TurnMade & Pick<FurtherTurn, "prompt" | "by">)[];
  readonly death?: Death | undefined;
}

/**
 * Goes on after the first turn, where the eval has further ones. Undefined where that never got to work: then it is as a run
 * of one turn.
 */
export async function converse(first: TurnMade, trying: Trying): Promise<Talk | undefined> {
  const { run, making } = trying;
  if (!run.task?.further) return undefined;
  const row = agentOf(making.options.agent);
  const isPrinted = row?.resume && row.sessionFlag === undefined;
  const session = isPrinted ? sessionIn(first.log, row.resume.key) : trying.session;
  const speak = making.speaker(run);
  const turns: Talk["turns"][number][] = [];
  const answers: string[] = [];
  for (let last = first; ;) {
    const number = turns.length + 1;
    const { answer, why, death } = await endOfTurn(last, number, trying);
    if (why !== undefined && turns.length === 0 && answer === undefined) return undefined;
    if (why !== undefined) {
      const stopped = `in turn ${String(number)}`;
      return { turns, ended: "failed", reason: why, death: { ...death, last: [why], stopped } };
    }
    answers.push(answer ?? "");
    const next = await speak({ prompts: turns.map(({ prompt }) => prompt), answers });
    if (!("prompt" in next)) return { turns, ...next, death: deathOfTalk(next) };
    last =
      session === undefined
        ? NO_SESSION
        : await startTurn(trying, { prompt: next.prompt, number: number + 1, session });
    turns.push({ ...next, ...last });
  }
}

const NO_SESSION: TurnMade = {
  log: Buffer.alloc(0),
  ended: { timedOut: false, wrong: "its log names no session to go on with" },
};

/** How a turn ended: with an answer, or why it is none. */
async function endOfTurn(
  { log: bytes, ended }: TurnMade,
  number: number,
  { run, making, logs, errors }: Trying,
): Promise<{ readonly answer?: string | undefined; readonly why?: string; readonly death: Death }> {
  const { exit, timedOut, wrong } = ended;
  const { agent } = making.options;
  const log = join(logs, turnLog(number));
  writeBelow(logs, turnLog(number), bytes);
  const of = { eval: run.suite.at.path, task: run.task?.id };
  const came = await workOf(run, log, { ...of, log, agent, exit, timedOut, error: wrong });
  const isFine = exit === 0 && !timedOut && wrong === undefined && came.failure === undefined;
  const answer = came.worked ? came.answer : undefined;
  // A command may say nothing, and leave files.
  if (isFine && (came.worked || agent === "command")) return { answer, death: { last: [] } };
  const death = deathOf({ ...came, worked: false }, ended, [bytes, bytesOfOpen(errors)]);
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
