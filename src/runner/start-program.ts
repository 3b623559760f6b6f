/** Starts one program in a process group of its own, and ends the group with it. */
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { createInterface } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import { formatNumber } from "../text/format.ts";
import { MOST_LOG_BYTES, STAYS_MS } from "./limits.ts";

export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Standard input; empty for none. */
  readonly input: string;
  /** Files for standard output and for standard error. */
  readonly output: string;
  readonly errors: string;
  readonly timeoutMs: number;
  /** From being asked to end until it is killed. */
  readonly gentleMs: number;
  readonly cancelled: AbortSignal;
  /** Whether a line of standard output is all that was waited for: the program is then asked to end. */
  readonly isEnough?: ((line: string) => boolean) | undefined;
}

export interface Ended {
  /** The exit status; absent when a signal ended it. */
  readonly exit?: number | undefined;
  readonly timedOut: boolean;
  /** Why it did not start, or was ended by us for what it wrote. */
  readonly wrong?: string | undefined;
  /** There is no such program. */
  readonly isAbsent?: boolean | undefined;
}

/**
 * Runs a program to its end. After `timeoutMs`, at the signal, or when it writes without end, its whole process group is
 * asked to end, and killed `gentleMs` later; what is left of the group when it ends by itself is killed, too. Never
 * throws.
 */
export async function startProgram(program: Program): Promise<Ended> {
  const { command, folder: cwd, env, timeoutMs, gentleMs, cancelled } = program;
  const child = spawn(command, [...program.arguments], { cwd, env, detached: true, stdio: "pipe" });
  let timedOut = false;
  let wrong: string | undefined;
  let isAbsent = false;
  let isOver = false;
  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // The group is gone.
    }
  };
  const end = () => {
    signal("SIGTERM");
    setTimeout(() => {
      if (!isOver) signal("SIGKILL");
    }, gentleMs).unref();
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  cancelled.addEventListener("abort", end, { once: true });
  const flood = () => {
    wrong ??= `it wrote more than ${formatNumber(MOST_LOG_BYTES / 1e6)} MB`;
    end();
  };
  if (program.isEnough)
    void waitFor(child.stdout, program.isEnough).then((is) => {
      if (is) end();
    });
  const written = [keep(child.stdout, program.output, flood), keep(child.stderr, program.errors, flood)];
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
    child.once("exit", (code) => {
      resolve(code ?? undefined);
    });
  });
  isOver = true;
  clearTimeout(timer);
  cancelled.removeEventListener("abort", end);
  signal("SIGKILL");
  // A process that left the group may hold the output open.
  const stays = setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, STAYS_MS);
  await Promise.all(written);
  clearTimeout(stays);
  return { exit, timedOut, wrong, isAbsent };
}

/** Whether some line of a stream is enough. */
async function waitFor(stream: Readable, isEnough: (line: string) => boolean): Promise<boolean> {
  const copy = stream.pipe(new PassThrough());
  for await (const line of createInterface({ input: copy })) if (isEnough(line)) return true;
  return false;
}

/** Writes a stream to a file, up to the limit. */
async function keep(stream: Readable, file: string, flood: () => void): Promise<void> {
  const out = createWriteStream(file);
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_LOG_BYTES) {
      flood();
      return;
    }
    if (!out.write(chunk)) {
      stream.pause();
      out.once("drain", () => stream.resume());
    }
  });
  await new Promise<void>((resolve) => {
    stream.once("close", resolve);
  });
  out.end();
  await finished(out).catch(() => undefined);
}
