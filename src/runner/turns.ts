/** The turns of a run: the agent is started on each, in the same session, home and folder, until the user has no more to say. */
import { closeSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Conversation } from "../domain/run.ts";
import type { FurtherTurns } from "../domain/suite.ts";
import { bytesOfFile, bytesOfOpen } from "../files/read.ts";
import { openBelow, writeBelow } from "../files/write.ts";
import { LOG, type Turn } from "../outputs/run-json.ts";
import type { watchLog } from "../outputs/watch.ts";
import { agentOf } from "./agents.ts";
import { environmentOf, homeOf, homeVariables, prepareHome, withEmptyHome } from "./environment.ts";
import { sessionIn, type watchSession } from "./kept-session.ts";
import type { GivenRun, Making, Speaker } from "./making.ts";
import { type Ended, MOST_LOG_BYTES, type Program, startProgram } from "./start-program.ts";
import { type Death, deathOf, workOf } from "./work.ts";

/** One try of a run. */
export interface Trying {
  readonly run: GivenRun;
  readonly making: Making;
  /** Its temporary folder; in it the one that the agent works in. */
  readonly folder: string;
  readonly work: string;
  /** A folder for what it prints, and the open file of its standard error. */
  readonly logs: string;
  readonly errors: number;
  /** A folder for its home. */
  readonly home: string;
  /** Hears how many calls its log has. */
  readonly hear: (calls: number) => void;
  /** What the rows say, and whether no more is needed. */
  readonly watch: ReturnType<typeof watchLog>;
  /** The session's id for a command, which may hand it to its client, and for a client that takes one. */
  readonly session: string;
  /** What the client keeps of its session. */
  readonly kept: ReturnType<typeof watchSession>;
}

/** A turn of the agent that has ended. */
export interface TurnMade {
  /** Its log. */
  readonly log: Buffer;
  readonly ended: Ended;
}

/** The longest that the run of a trigger eval may take: a skill is loaded at its beginning. */
const TRIGGER_MS = 60_000;

/** Milliseconds between asking a program to end and killing it: agents write their last rows. */
const GENTLE_MS = 10_000;

/** Bytes of a variable that a program may be started with, its name included: 128 KiB on Linux. */
const MOST_VARIABLE = 131_000;

/** Starts the agent on a turn, and reads its log: what it wrote itself, else what it printed. */
export async function startTurn(
  trying: Trying,
  turn: { readonly prompt: string; readonly number: number; readonly session: string },
): Promise<TurnMade> {
  const { run, making, folder: mark, work, logs, errors, kept } = trying;
  const { options, gentleMs = GENTLE_MS, cancelled } = making;
  if (cancelled.aborted) return { log: Buffer.alloc(0), ended: { timedOut: false, isCut: true } };
  const isTrigger = run.task?.shouldTrigger !== undefined;
  const timeoutMs = isTrigger ? Math.min(options.timeoutMs, TRIGGER_MS) : options.timeoutMs;
  let all = 0;
  const isEnough = (line: string) => {
    kept.hear(line);
    const heard = trying.watch(line);
    trying.hear(heard.calls);
    making.spending.note(trying, heard.cost.rows);
    ({ all } = heard.cost);
    return heard.isEnough;
  };
  const output = openBelow(logs, `output-${String(turn.number)}`);
  try {
    const { file, ...start } = startOf(trying, turn);
    const how = { mark, output, errors, folder: work, timeoutMs, gentleMs, cancelled, isEnough };
    const ended = await startProgram({ ...start, ...how });
    kept.end();
    making.spending.note(trying, all);
    const written = file === undefined ? undefined : bytesOfFile(file, MOST_LOG_BYTES);
    return { log: written ?? bytesOfOpen(output), ended };
  } finally {
    closeSync(output);
  }
}

/** What is started, and the file that it writes its log to, where it does not print it. */
function startOf(
  { run, making, work, logs, home, session: ownSession, kept }: Trying,
  { prompt, number, session }: Parameters<typeof startTurn>[1],
): Pick<Program, "command" | "arguments" | "env" | "input"> & { readonly file?: string } {
  const { options, env } = making;
  const { agent, model, more } = options;
  const { suite, task } = run;
  if (agent === "waza") {
    // It runs all tasks of an eval, and its results are the log.
    const file = join(logs, "results.json");
    const named = model === undefined ? [] : ["--model", model];
    const path = resolve(suite.root ?? ".", suite.at.path);
    const args = ["run", path, "--skip-graders", "-o", file, ...named, ...more];
    return { command: "waza", arguments: args, env: environmentOf(agent, env), input: "", file };
  }
  const row = agentOf(agent);
  if (row) {
    const asked = row.arguments({ model, more, home: homeOf(env), runHome: home });
    const { sessionFlag: flag } = row;
    const first = flag === undefined || number > 1 ? asked : [...asked, flag, ownSession];
    if (number === 1) prepareHome(home, row, env);
    kept.begin(() => number > 1 && row.resume?.mend?.(home));
    return {
      command: row.program,
      arguments: number === 1 ? first : (row.resume?.arguments(first, session) ?? first),
      env: { ...environmentOf(agent, env), ...homeVariables(home, row, env) },
      input: prompt,
    };
  }
  const file = join(logs, `own-${String(number)}.log`);
  const shared = environmentOf(agent, env);
  return {
    command: "sh",
    arguments: ["-c", options.command, "sh", ...more],
    env: {
      ...(options.ownHome ? withEmptyHome(shared, home) : shared),
      // A longer variable is none (execve(2)); the prompt is on standard input as well.
      PROMPT: Buffer.byteLength(prompt) < MOST_VARIABLE ? prompt : undefined,
      TURN: String(number),
      SESSION: ownSession,
      MODEL: model,
      TASK: task?.id ?? "",
      EVAL: suite.at.path,
      WORKSPACE: work,
      LOG: file,
    },
    input: prompt,
    file,
  };
}

/* The turns after the first. */

/** A conversation that has ended; `death` where it is no verdict on the agent. */
export interface Talk extends Pick<Conversation, "ended" | "reason"> {
  readonly turns: readonly (TurnMade & Pick<Turn, "prompt" | "by">)[];
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
  const identity = { eval: run.suite.at.path, task: run.task?.id };
  const came = await workOf(run, log, { ...identity, log, agent, exit, timedOut, error: wrong });
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
