#!/usr/bin/env node
/**
 * The entry: the only file with effects at import. A runner starts it without arguments and with the inputs in its
 * environment; on the command line, flags become the same inputs.
 */
import { join } from "node:path";
import { type Surroundings, grade, runAgents } from "./action.ts";
import { commandsOf } from "./commands.ts";
import { EXIT } from "./domain/exit-status.ts";
import { cancellation, isRunner } from "./inputs/inputs.ts";
import { Misuse, readCommandLine, tooOld } from "./cli/flags.ts";
import { helpText } from "./cli/help.ts";
import { runnerLog, terminalLog } from "./log/log.ts";
import { logLine } from "./safety/sanitize.ts";
import { VERSION, drawingOn } from "./text/format.ts";

const { env } = process;
const args = process.argv.slice(2);
const terminal = isRunner(env) ? undefined : terminalLog({ out: process.stdout, progress: process.stderr });
const log = terminal ?? runnerLog(env);

// Whoever reads the output may stop: what is graded is still published, and the exit status is the verdict's.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

try {
  const cancelled = cancellation();
  const surroundings = { env, log, terminal, cancelled };
  process.exitCode = await (isRunner(env) && args.length === 0
    ? runsAction(surroundings)
    : runsCommand(surroundings));
  // Nothing that still waits for GitHub may hold up a cancelled job.
  if (cancelled.aborted) process.exit();
} catch (error) {
  log.bug(error);
}
// Do not let a half-open proxy connection keep the process alive.
setTimeout(() => process.exit(), 500).unref();

/** The action of this step: run/index.js, the entry of `run`, says so before it loads this file. */
async function runsAction(surroundings: Surroundings): Promise<typeof process.exitCode> {
  if ("wazaGradeAction" in globalThis) return await runAgents(surroundings);
  await grade(surroundings);
  return process.exitCode;
}

/** What the command line asks for. */
async function runsCommand(surroundings: Surroundings): Promise<typeof process.exitCode> {
  const old = tooOld(process.versions.node);
  if (old !== undefined) {
    console.error(old);
    return EXIT.failed;
  }
  const commands = commandsOf(join(import.meta.dirname, ".."));
  try {
    const asked = readCommandLine(args, commands);
    if (asked.kind === "command")
      return (await asked.command.run(asked.given, surroundings)) ?? process.exitCode;
    const isHelp = asked.kind === "help";
    console.log(isHelp ? helpText(asked.command, commands, drawingOn(process.stdout)) : VERSION);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    console.error(drawingOn(process.stderr).style("red", logLine(error.message)));
    return EXIT.misused;
  }
}
