/** Starts one program in a process group of its own, and ends the group with it. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { finished } from "node:stream/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { entriesOf } from "../files/find.ts";
import { readFailure } from "../files/read.ts";
import { formatNumber } from "../text/format.ts";

/** Bytes of a program's output: longer than any log that can be graded. */
export const MOST_LOG_BYTES = 200_000_000;
/** The variable that names a run's temporary folder in the environment of all that it starts. */
const MARK = "WAZA_GRADE_RUN";
/** Milliseconds without output after which it is closed when the program has ended, and how often that is looked at. */
const SILENT_MS = 500;
const MOST_LOOKS = 20;

export interface Program {
  /** The run's temporary folder: in the environment of all that it starts. */
  readonly mark: string;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Standard input; empty for none. */
  readonly input: string;
  /** Open files for standard output and for standard error: what a program does to their paths loses nothing. */
  readonly output: number;
  readonly errors: number;
  readonly timeoutMs: number;
  /** From being asked to end until it is killed. */
  readonly gentleMs: number;
  readonly cancelled: AbortSignal;
  /** Whether a line of standard output is all that was waited for: the program is then asked to end. */
  readonly isEnough: (line: string) => boolean;
}

export interface Ended {
  /** The exit status; 128 and the signal's number, as in shells, when one ended it that was not ours. */
  readonly exit?: number | undefined;
  readonly timedOut: boolean;
  /** Why it did not start, or was ended by us for what it wrote. */
  readonly wrong?: string | undefined;
  /** There is no such program. */
  readonly isAbsent?: boolean | undefined;
  /** It was not started, or ended, since all was cancelled. */
  readonly isCut?: boolean;
}

/**
 * Runs a program to its end. After `timeoutMs`, at the signal, or when it writes without end, its whole process group is
 * asked to end, and killed `gentleMs` later; what is left of the group when it ends by itself is killed, too, and on
 * Linux daemons that it began. Never throws.
 */
export async function startProgram(program: Program): Promise<Ended> {
  const { mark, command, folder: cwd, timeoutMs, gentleMs, cancelled } = program;
  const env = { ...inFolder(program.env, cwd), [MARK]: mark };
  const how = { cwd, env, detached: true, stdio: "pipe" } as const;
  const child = spawn(command, [...program.arguments], how);
  let [isAbsent, isEnded, isOver] = [false, false, false];
  let wrong: string | undefined;
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined) send(-child.pid, name);
  };
  const end = () => {
    if (isEnded || isOver) return;
    isEnded = true;
    signal("SIGTERM");
    setTimeout(() => {
      if (!isOver) signal("SIGKILL");
    }, gentleMs).unref();
  };
  const limit = AbortSignal.timeout(timeoutMs);
  for (const reason of [limit, cancelled]) reason.addEventListener("abort", end, { once: true });
  const stop = (why: string) => {
    wrong ??= why;
    end();
  };
  const lines = createInterface({ input: child.stdout }).on("error", () => undefined);
  lines.on("line", (text) => {
    if (program.isEnough(text)) end();
  });
  const written = [writeTo(child.stdout, program.output, stop), writeTo(child.stderr, program.errors, stop)];
  // A program that reads nothing closes its input before all is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(program.input);
  const exit = await new Promise<number | undefined>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      isAbsent = error.code === "ENOENT";
      wrong = isAbsent
        ? `\`${command}\` is not installed, or not on PATH`
        : `it cannot be started: ${error.message}`;
      resolve(undefined);
    });
    child.once("exit", (code, by) => {
      resolve(code ?? (by === null || isEnded ? undefined : 128 + constants.signals[by]));
    });
  });
  isOver = true;
  const timedOut = limit.aborted;
  cancelled.removeEventListener("abort", end);
  signal("SIGKILL");
  endPrograms(mark);
  // A process that left the group may hold the output open; under load, what was printed may still be on its way.
  let [came, looks] = [true, 0];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", () => (came = true));
  const stays = setInterval(() => {
    looks += 1;
    if (!came || looks === MOST_LOOKS) for (const stream of [child.stdout, child.stderr]) stream.destroy();
    came = false;
  }, SILENT_MS);
  await Promise.all(written);
  clearInterval(stays);
  return { exit, timedOut, wrong, isAbsent, isCut: cancelled.aborted };
}

/** Sends a signal to a process, or below zero to a group. Never throws: what is gone needs none. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone, or another user's.
  }
}

/**
 * Kills what was started with this mark, and all that this started: on Linux a process shows the environment that it began
 * with. One that was given another environment (`env -i`), and another user's, is not found.
 */
export function endPrograms(mark: string): void {
  for (const { name } of entriesOf("/proc").filter((entry) => /^\d+$/.test(entry.name)))
    try {
      if (readFileSync(`/proc/${name}/environ`).includes(`${MARK}=${mark}`))
        process.kill(Number(name), "SIGKILL");
    } catch {
      // It is gone, or another user's.
    }
}

/** Writes a stream to an open file, up to the limit; `stop` is called where no more can be written. Never throws. */
async function writeTo(stream: Readable, file: number, stop: (why: string) => void): Promise<void> {
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    try {
      if (bytes > MOST_LOG_BYTES) stop(`it wrote more than ${formatNumber(MOST_LOG_BYTES / 1e6)} MB`);
      else writeFileSync(file, chunk);
    } catch (error) {
      stop(`what it wrote cannot be kept: ${readFailure(error)}`);
    }
  });
  await finished(stream).catch(() => undefined);
}

/** The environment of a program that works in a folder: some agents believe `PWD` before the folder that they are in. */
function inFolder(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const { OLDPWD: _old, INIT_CWD: _npm, ...rest } = env;
  return { ...rest, PWD: folder };
}
