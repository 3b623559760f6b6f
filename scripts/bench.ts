// Measures what docs/performance.md states: peak memory on a large results file, cold start to the first judge request,
// and 200 grades against a bare HTTP client sending the same requests. Loopback only; medians, and ratios of runs that
// alternate.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { pass, startJudge } from "../__tests__/support/judge-server.ts";
import { project } from "../__tests__/support/projects.ts";
import { removeTemporaryFolders, runAction, temporaryFolder } from "../__tests__/support/run-action.ts";
import { measureMemory } from "./bench-memory.ts";

const GRADES = 200;
const LATENCY_MS = 200;
const CONCURRENCY = 10;
const COLD_STARTS = 15;
const ROUNDS = 5;
const RESULTS_MEGABYTES = 200;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

async function coldStart(): Promise<number> {
  let first = 0;
  const judge = await startJudge(({ turn }) => {
    if (turn === 1) first = performance.now();
    return turn === 1 ? { calls: [pass()] } : {};
  });
  const github = await startGitHub();
  const workspace = project();
  const started = performance.now();
  await runAction({ workspace, githubUrl: github.url, inputs: { "base-url": judge.url } });
  await Promise.all([judge.close(), github.close()]);
  return first - started;
}

async function manyGrades(): Promise<{ action: number; bare: number; requests: number }> {
  const tasks = Array.from({ length: GRADES }, (_, index) => ({ id: `task-${String(index)}` }));
  const workspace = project({ tasks });
  const judge = await startJudge(({ turn }) => ({
    delayMs: LATENCY_MS,
    ...(turn === 1 ? { calls: [pass("It holds", "it does")] } : {}),
  }));
  const github = await startGitHub();
  const { durationMs, outputs } = await runAction({
    workspace,
    githubUrl: github.url,
    inputs: { "base-url": judge.url, "max-concurrency": String(CONCURRENCY) },
  });
  if (outputs["grades-passed"] !== String(GRADES))
    throw new Error(`not all graded: ${JSON.stringify(outputs)}`);
  const requests = judge.asked.map(({ request }) => JSON.stringify(request));
  const grades = Array.from({ length: GRADES }, (_, index) => [
    requests[index * 2] ?? "",
    requests[index * 2 + 1] ?? "",
  ]);
  if (requests.length !== GRADES * 2) throw new Error(`${String(requests.length)} requests`);
  const bare = await bareClient(judge.url, grades);
  await Promise.all([judge.close(), github.close()]);
  return { action: durationMs, bare, requests: requests.length };
}

function bareClient(url: string, grades: readonly (readonly string[])[]): Promise<number> {
  const file = join(temporaryFolder("bench"), "bodies.json");
  writeFileSync(file, JSON.stringify(grades));
  const started = performance.now();
  const script = join(import.meta.dirname, "bench-bare-client.ts");
  const child = spawn(process.execPath, [script, url, file, String(CONCURRENCY)], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(performance.now() - started);
      else reject(new Error(`the bare client ended with ${String(code)}`));
    });
  });
}

try {
  console.log(
    `${cpus()[0]?.model ?? "unknown CPU"}, ${String(cpus().length)} cores, Node ${process.versions.node}\n`,
  );
  for (const [texts, letter] of [
    ["ASCII texts", "x"],
    ["an arrow in every text", "→"],
  ] as const) {
    const { fileMegabytes, peakMegabytes, runs, seconds } = await measureMemory(RESULTS_MEGABYTES, letter);
    console.log(
      `results.json of ${String(fileMegabytes)} MB (${String(runs)} runs, ${texts}), whole process: peak ${String(peakMegabytes)} MB of memory, ${seconds.toFixed(1)} s`,
    );
  }

  const starts: number[] = [];
  for (let index = 0; index < COLD_STARTS; index += 1) starts.push(await coldStart());
  console.log(
    `Cold start, process start to first judge request: median ${median(starts).toFixed(0)} ms (${Math.min(...starts).toFixed(0)} to ${Math.max(...starts).toFixed(0)} ms, ${String(COLD_STARTS)} runs)`,
  );

  const rounds: { action: number; bare: number; requests: number }[] = [];
  for (let index = 0; index < ROUNDS; index += 1) rounds.push(await manyGrades());
  const ratios = rounds.map(({ action, bare }) => action / bare);
  console.log(
    `${String(GRADES)} grades (${String(rounds[0]?.requests)} requests) at ${String(LATENCY_MS)} ms, ${String(CONCURRENCY)} at once, whole process: ` +
      `median ${(median(rounds.map(({ action }) => action)) / 1000).toFixed(2)} s; bare client ${(median(rounds.map(({ bare }) => bare)) / 1000).toFixed(2)} s; ` +
      `ratio ${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}, ${String(ROUNDS)} rounds)`,
  );
} finally {
  removeTemporaryFolders();
}
