#!/usr/bin/env node
/**
 * The entry: the only file with effects at import. A runner starts it without arguments and with the inputs in its
 * environment; on the command line, flags become the same inputs.
 */
import { join } from "node:path";
import { grade } from "./action.ts";
import { cancellation, isRunner } from "./inputs/inputs.ts";
import { answer } from "./cli/answer.ts";
import { inputVariables, readDeclared, readCommand, tooOld } from "./cli/flags.ts";
import { runnerLog } from "./log/log.ts";
import { terminalLog } from "./log/terminal-log.ts";
import { drawingOn } from "./text/format.ts";

const { env } = process;
const args = process.argv.slice(2);
const terminal = isRunner(env) ? undefined : terminalLog({ out: process.stdout, progress: process.stderr });
const log = terminal ?? runnerLog(env);

try {
  if ((isRunner(env) && args.length === 0) || (await readsFlags())) {
    const cancelled = cancellation();
    await grade({ env, log, terminal, cancelled });
    // Nothing that still waits for GitHub may hold up a cancelled job.
    if (cancelled.aborted) process.exit();
  }
} catch (error) {
  log.bug(error);
}
// Do not let a half-open proxy connection keep the process alive.
setTimeout(() => process.exit(), 500).unref();

/** True when the command line asks for grading: its flags are now inputs in the environment. Other commands are run here. */
async function readsFlags(): Promise<boolean> {
  const old = tooOld(process.versions.node);
  if (old !== undefined) {
    console.error(old);
    process.exitCode = 1;
    return false;
  }
  // It holds action.yml beside dist/, in the repository and in the package alike.
  const root = join(import.meta.dirname, "..");
  const declared = readDeclared(join(root, "action.yml"));
  const command = readCommand(args, declared.inputs);
  if (command.kind === "grade") {
    Object.assign(env, inputVariables(declared.inputs, command.given));
    return true;
  }
  const out = command.kind === "misused" ? process.stderr : process.stdout;
  const { text, status } = await answer(command, {
    declared,
    drawing: drawingOn(out),
    root,
    folder: process.cwd(),
  });
  out.write(`${text}\n`);
  process.exitCode = status;
  return false;
}
