// Peak memory of the action on a results file of 200 MB: the whole process, read by a hook in it as it ends.
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { pass, startJudge } from "../__tests__/support/judge-server.ts";
import { project, runFixture } from "../__tests__/support/projects.ts";
import { runAction } from "../__tests__/support/run-action.ts";
import { peakHook } from "./bench-tools.ts";

const TASKS = 50;
const RUN_BYTES = 200_000;
const MEGABYTES = 200;

export async function memory(): Promise<void> {
  for (const [texts, letter] of [
    ["ASCII texts", "x"],
    ["an arrow in every text", "→"],
  ] as const) {
    const { fileMegabytes, peakMegabytes, runs, seconds } = await measureMemory(MEGABYTES, letter);
    console.log(
      `results.json of ${String(fileMegabytes)} MB (${String(runs)} runs, ${texts}), whole process: peak ${peakMegabytes.toFixed(0)} MB of memory, ${seconds.toFixed(1)} s`,
    );
  }
}

interface MemoryUse {
  readonly fileMegabytes: number;
  readonly peakMegabytes: number;
  readonly runs: number;
  readonly seconds: number;
}

/** Grades a results file of about `megabytes`; `letter` fills its texts, one that is no ASCII doubles what V8 holds. */
async function measureMemory(megabytes: number, letter: string): Promise<MemoryUse> {
  const tasks = Array.from({ length: TASKS }, (_, index) => ({ id: `task-${String(index)}` }));
  const workspace = project({ tasks });
  const bytes = writeResults(join(workspace, "results.json"), megabytes * 1_000_000, letter);
  const hook = peakHook();
  const judge = await startJudge(({ turn }) => (turn === 1 ? { calls: [pass("It holds", "it does")] } : {}));
  const github = await startGitHub();
  const { code, durationMs, outputs, log } = await runAction({
    workspace,
    githubUrl: github.url,
    inputs: { "base-url": judge.url },
    env: hook.env,
  });
  await Promise.all([judge.close(), github.close()]);
  if (code !== 0) throw new Error(`the action ended with ${String(code)}: ${log.slice(-2_000)}`);
  if (outputs["grades-failed"] !== "0") throw new Error(`not all graded: ${JSON.stringify(outputs)}`);
  return {
    fileMegabytes: Math.round(bytes / 1_000_000),
    peakMegabytes: hook.read(durationMs / 1_000).megabytes,
    runs: Number(outputs["grades-passed"]),
    seconds: durationMs / 1_000,
  };
}

/** Runs of 200 kB, as real transcripts have them, spread over the tasks; written piece by piece. */
function writeResults(file: string, bytes: number, letter: string): number {
  const output = openSync(file, "w");
  let written = 0;
  const write = (text: string) => {
    written += writeSync(output, text);
  };
  write('{"eval_name":"suite","config":{"model_id":"agent-model"},"tasks":[');
  for (let task = 0; task < TASKS; task += 1) {
    write(`${task === 0 ? "" : ","}{"test_id":"task-${String(task)}","status":"skipped","runs":[`);
    const until = (bytes / TASKS) * (task + 1);
    for (let run = 1; written < until || run === 1; run += 1)
      write(`${run === 1 ? "" : ","}${JSON.stringify(largeRun(run, letter))}`);
    write("]}");
  }
  write("]}");
  closeSync(output);
  return written;
}

function largeRun(number: number, letter: string) {
  const words = `${"word ".repeat(150)}${letter}\n`;
  const calls = Array.from({ length: 40 }, (_, index) => [
    { type: "assistant.message", content: `Step ${String(index)}. ${words}` },
    {
      type: "tool.execution_start",
      tool_call_id: `c${String(index)}`,
      tool_name: "bash",
      arguments: { command: words },
    },
    {
      type: "tool.execution_complete",
      tool_call_id: `c${String(index)}`,
      success: true,
      tool_result: { content: words.repeat(Math.floor(RUN_BYTES / 40 / words.length) - 2) },
    },
  ]).flat();
  return runFixture({
    run_number: number,
    transcript: [{ type: "user.message", content: "Do the task." }, ...calls],
  });
}
