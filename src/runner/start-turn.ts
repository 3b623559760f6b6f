/** Starts the agent of a run on one of its turns. */
import { closeSync } from "node:fs";
import { join, resolve } from "node:path";
import { bytesOfFile, bytesOfOpen } from "../files/read.ts";
import { openBelow } from "../files/write.ts";
import type { watchLog } from "../outputs/watch.ts";
import { type Agent, agentOf } from "./agents.ts";
import { environmentOf, homeOf, homeVariables, prepareHome, withEmptyHome } from "./environment.ts";
import type { watchSession } from "./kept-session.ts";
import type { GivenRun, Making } from "./making.ts";
import { type Ended, MOST_LOG_BYTES, type Program, startProgram } from "./start-program.ts";

/** One try of a run. */
export interface Trying {
  readonly run: GivenRun;
  readonly making: Making;
  /** The folder that the agent works in. */
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
  const { run, making, work, logs, errors, session: id, kept } = trying;
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
    const how = { id, output, errors, folder: work, timeoutMs, gentleMs, cancelled, isEnough };
    const ended = await startProgram({ ...start, ...how });
    kept.end();
    making.spending.note(trying, all);
    const own = file === undefined ? undefined : bytesOfFile(file, MOST_LOG_BYTES);
    return { log: own ?? bytesOfOpen(output), ended };
  } finally {
    closeSync(output);
  }
}

/** What is started, and the file that it writes its log to, where it does not print it. */
type Start = Pick<Program, "command" | "arguments" | "env" | "input"> & { readonly file?: string };

function startOf(
  { run, making, work, logs, home, session: ownSession, kept }: Trying,
  { prompt, number, session }: Parameters<typeof startTurn>[1],
): Start {
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
  const row: Agent | undefined = agentOf(agent);
  if (row) {
    const asked = row.arguments({ model, more, home: homeOf(env), own: home });
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
