#!/usr/bin/env node
/**
 * Composition root: the only file with effects at import, and the only one that builds real clients. A runner starts it
 * without arguments and with the inputs in its environment; anybody else, by the command line, which becomes the same.
 */
import { join } from "node:path";
import { cancellation } from "./inputs/cancellation.ts";
import { answer } from "./command-line/answer.ts";
import { inputVariables, readDeclared } from "./command-line/declared-inputs.ts";
import { readCommand } from "./command-line/flags.ts";
import { tooOld } from "./command-line/node-version.ts";
import { githubApi } from "./github/api.ts";
import { changedFiles } from "./github/changes.ts";
import { loadContext, readContext } from "./github/context.ts";
import type { RunContext } from "./github/context.ts";
import { subjectToken } from "./inputs/identity.ts";
import { isRunner, readInputs, secretsOf } from "./inputs/inputs.ts";
import type { Inputs } from "./inputs/inputs.ts";
import { prices } from "./judge/spend/prices.ts";
import { runnerLog } from "./log/runner-log.ts";
import { terminalLog } from "./log/terminal-log.ts";
import { makeJudge, recordOf } from "./steps/make-judge.ts";
import { runnerSinks, terminalSinks } from "./steps/make-sinks.ts";
import { redactor } from "./report/redact.ts";
import { drawingOn } from "./text/drawing.ts";
import { run } from "./run.ts";

const { env } = process;
const args = process.argv.slice(2);
const terminal = isRunner(env) ? undefined : terminalLog({ out: process.stdout, progress: process.stderr });
const log = terminal ?? runnerLog(env);

try {
  if ((isRunner(env) && args.length === 0) || (await readsFlags())) await grade();
} catch (error) {
  log.bug(error);
}
// Everything is said: a connection that a proxy never finished does not keep the job.
setTimeout(() => process.exit(), 500).unref();

/** True when the command line asks for grading, and is now inputs in the environment; anything else is answered. */
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

/** Reads the inputs and the event, grades, and says how it ended. */
async function grade(): Promise<void> {
  const { inputs, problems } = readInputs(env);
  const secrets = secretsOf(inputs);
  log.conceal(secrets);
  const context = readContext(await loadContext(env, log.warn), env);
  const cancelled = cancellation();
  const price = prices(inputs.ownPrices);
  const redact = redactor(secrets, { shapes: true });
  const redactRecords = redactor(secrets, { shapes: true });
  const api = () => apiOf(inputs, context, cancelled);
  const conceal = (token: string) => {
    if (secrets.includes(token)) return;
    secrets.push(token);
    log.conceal(secrets);
    redact.add(token);
    redactRecords.add(token);
  };
  const conclusion = await run({
    inputs,
    inputProblems: problems,
    context,
    judge: makeJudge(inputs, {
      price,
      redact,
      redactRecords,
      log,
      tokens: { subject: subjectToken, conceal },
    }),
    price,
    changes: (root) => {
      const calls = api();
      return changedFiles({ context, root, list: "missing" in calls ? undefined : calls.pullFiles });
    },
    recordOf: recordOf(inputs),
    redact,
    sinks: terminal
      ? terminalSinks(inputs, terminal)
      : runnerSinks(inputs, { context, api, log, cancelled, summary: env.GITHUB_STEP_SUMMARY }),
    log,
    cancelled,
  });
  log.conclude(conclusion);
  // Nothing that still waits for GitHub may hold up a cancelled job.
  if (cancelled.aborted) process.exit();
}

/** The calls of GitHub's API, whose time begins now, or why there are none. */
function apiOf({ token }: Inputs, context: RunContext, cancelled: AbortSignal) {
  if (token === undefined) return { missing: "the input `token` is empty" };
  if (!context.repository) return { missing: "GITHUB_REPOSITORY is not set" };
  return githubApi(context, { token, cancelled });
}
