#!/usr/bin/env node
/**
 * The entry: the only file with effects at import. A runner starts it without arguments and with the inputs in its
 * environment; on the command line, flags become the same inputs.
 */
import { join } from "node:path";
import { grade, report, runAgents } from "./action.ts";
import { cancellation, isRunner } from "./inputs/inputs.ts";
import { answer } from "./cli/answer.ts";
import { inputVariables, narrowed, readDeclared, readCommand, tooOld, withUserCache } from "./cli/flags.ts";
import { runnerLog, terminalLog } from "./log/log.ts";
import { drawingOn } from "./text/format.ts";

const { env } = process;
const args = process.argv.slice(2);
const terminal = isRunner(env) ? undefined : terminalLog({ out: process.stdout, progress: process.stderr });
const log = terminal ?? runnerLog(env);

// Whoever reads the output may stop: what is graded is still published, and the exit status is the verdict's.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

try {
  const asked = isRunner(env) && args.length === 0 ? actionOf(env) : await readsFlags();
  if (asked !== undefined) {
    const cancelled = cancellation();
    const surroundings = { env, log, terminal, cancelled };
    if (asked === "run") process.exitCode = await runAgents(surroundings);
    else if (asked === "report") process.exitCode = await report(surroundings);
    else if (asked === "json") await gradeToJson(cancelled);
    else await grade(surroundings);
    // Nothing that still waits for GitHub may hold up a cancelled job.
    if (cancelled.aborted) process.exit();
  }
} catch (error) {
  log.bug(error);
}
// Do not let a half-open proxy connection keep the process alive.
setTimeout(() => process.exit(), 500).unref();

/** The action of this step: run/action.yml alone has an input `concurrency`, which has a default. */
function actionOf({ INPUT_CONCURRENCY: ofRun }: NodeJS.ProcessEnv): "grade" | "run" {
  return ofRun === undefined ? "grade" : "run";
}

/** Grades with the record on standard output, and everything else on standard error. */
async function gradeToJson(cancelled: AbortSignal): Promise<void> {
  const own = terminalLog({ out: process.stderr, progress: process.stderr });
  await grade({ env, log: own, terminal: own, json: process.stdout, cancelled });
}

/** What the command line asks for: its flags are now inputs in the environment. Other commands are run here. */
async function readsFlags(): Promise<"grade" | "json" | "run" | "report" | undefined> {
  const old = tooOld(process.versions.node);
  if (old !== undefined) {
    console.error(old);
    process.exitCode = 1;
    return undefined;
  }
  // It holds action.yml beside dist/, in the repository and in the package alike.
  const root = join(import.meta.dirname, "..");
  const declared = readDeclared(join(root, "action.yml"));
  const ofRun = readDeclared(join(root, "run/action.yml"));
  const command = narrowed(readCommand(args, { grade: declared.inputs, run: ofRun.inputs }));
  if (command.kind === "grade" || command.kind === "run" || command.kind === "report") {
    const { inputs } = command.kind === "run" ? ofRun : declared;
    const surroundings = { env, platform: process.platform, folder: process.cwd() };
    const isLocal = command.kind === "grade" && !isRunner(env);
    const given = isLocal ? withUserCache(command.given, surroundings) : command.given;
    Object.assign(env, inputVariables(inputs, given));
    return command.kind === "grade" && command.json ? "json" : command.kind;
  }
  const out = command.kind === "misused" ? process.stderr : process.stdout;
  const { text, status } = await answer(command, {
    declared,
    ofRun,
    drawing: drawingOn(out),
    root,
    folder: process.cwd(),
  });
  out.write(`${text}\n`);
  process.exitCode = status;
  return undefined;
}
