/** Runs the action in this process, by the sources: the same inputs, files and log as `runAction`, which starts the bundle. */
import { context } from "@actions/github";
import { grade } from "../../src/action.ts";
import { runnerLog } from "../../src/log/log.ts";
import { actionFiles, readResult, type ActionResult, type ActionRun } from "./run-action.ts";

/** What the toolkit reads and writes of the process; jest gives each test file a process object of its own. */
const REPLACED = ["env", "stdout", "stderr", "exitCode"] as const;

/** The run before: the process object is there once. */
let before: Promise<unknown> = Promise.resolve();

/** Runs the action after all runs that were begun before; an interrupt cancels it without a signal. */
export function runHere(run: ActionRun): Promise<ActionResult> {
  const after = before.then(() => runAlone(run));
  before = after.catch(() => undefined);
  return after;
}

async function runAlone(run: ActionRun): Promise<ActionResult> {
  const files = actionFiles(run);
  let log = "";
  const stream = {
    write: (text: string) => {
      log += text;
      return true;
    },
  };
  const kept = REPLACED.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const);
  const replace = (name: string, value: unknown) =>
    Object.defineProperty(process, name, { value, configurable: true, writable: true, enumerable: true });
  replace("env", { ...files.env });
  for (const name of ["stdout", "stderr"]) replace(name, stream);
  replace("exitCode", undefined);
  const cancelled = new AbortController();
  void run.interrupt?.when.then(() => {
    cancelled.abort();
  });
  const started = performance.now();
  try {
    readEventAgain();
    const runner = runnerLog(process.env);
    try {
      await grade({ env: process.env, log: runner, cancelled: cancelled.signal });
    } catch (error) {
      runner.bug(error);
    }
    return readResult(files, {
      code: Number(process.exitCode ?? 0),
      log,
      durationMs: performance.now() - started,
    });
  } finally {
    for (const [name, descriptor] of kept) Object.defineProperty(process, name, descriptor);
  }
}

/** The toolkit reads the event once, as it is loaded. */
function readEventAgain(): void {
  const Context = context.constructor as new () => typeof context;
  Object.assign(context, new Context());
}
